/* Lists that kernels pass on: which tube reaches what. */
#ifndef RCITY_KERNEL_TILES_TILE_HIT_H
#define RCITY_KERNEL_TILES_TILE_HIT_H

#include "kernel/tiles/tile_echo.h"
#include "kernel/tiles/tile_legs.h"
#include "kernel/tiles/tile_row.h"
#include "kernel/tiles/tile_window.h"

/* A tube reaches a target: tiles have the first numbers, edges those after them, then receivers. */
typedef struct rcity_tile_hit {
    rcity_i32 tube, target;
} rcity_tile_hit;

/* An echo reaches a target. With a mirror, the echo is that of tile `echo` in this tile; else (-1) it is in a list. */
typedef struct rcity_tile_echo_hit {
    rcity_i32 echo, mirror, target;
} rcity_tile_echo_hit;

/* A piece of the work, in lists of limited length. */
typedef struct rcity_tile_piece {
    rcity_i32 first;    /* item */
    rcity_u32 capacity; /* of the list that is written; what does not fit is counted only */
    rcity_i32 tile_count, edge_count, chunk_count;
} rcity_tile_piece;

typedef struct rcity_tile_bounce_job {
    rcity_tile_bounce bounce;
    rcity_tile_piece piece;
    rcity_i32 has_legs; /* legs were tested; else all are free: those of the transmitter's own tube */
    rcity_i32 spare;    /* 0 */
} rcity_tile_bounce_job;

typedef struct rcity_tile_echo_job {
    rcity_tile_glow_job glow;
    rcity_tile_piece piece;
} rcity_tile_echo_job;

/* Legs of the rays of a piece. */
typedef struct rcity_tile_legs_job {
    rcity_tile_bounce bounce;
    rcity_tile_piece piece;
    rcity_sight_map map;
    rcity_tile_snap snap;
    rcity_tile_place tx;
} rcity_tile_legs_job;

/* A ray whose legs the host decides: its number in the piece, and what it needs. */
typedef struct rcity_tile_deferred {
    rcity_i32 item, target;
    rcity_tube tube;
} rcity_tile_deferred;

/* Entries of the list of such rays, from one on, in a piece. */
typedef struct rcity_tile_deferred_job {
    rcity_i32 piece_first, list_first;
} rcity_tile_deferred_job;

/* Counters of a piece. */
#define RCITY_TILE_COUNT_HITS     0 /* found by a scan */
#define RCITY_TILE_COUNT_NEXT     1 /* tubes that go on */
#define RCITY_TILE_COUNT_DEFERRED 2 /* rays whose legs the host decides */
#define RCITY_TILE_COUNT_WORDS    3

/* Sums over all pieces. */
#define RCITY_TILE_EFFORT_TESTS 0
#define RCITY_TILE_EFFORT_RAYS  1
#define RCITY_TILE_EFFORT_WORDS 2

#endif
