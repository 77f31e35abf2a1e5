/* Lists that kernels pass on: which tube reaches what. */
#ifndef RCITY_KERNEL_TILES_TILE_HIT_H
#define RCITY_KERNEL_TILES_TILE_HIT_H

#include "kernel/tiles/tile_echo.h"
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
} rcity_tile_bounce_job;

typedef struct rcity_tile_echo_job {
    rcity_tile_glow_job glow;
    rcity_tile_piece piece;
} rcity_tile_echo_job;

/* Counters of a piece. */
#define RCITY_TILE_COUNT_HITS  0 /* found by a scan */
#define RCITY_TILE_COUNT_NEXT  1 /* tubes that go on */
#define RCITY_TILE_COUNT_WORDS 2

/* Sums over all pieces. */
#define RCITY_TILE_EFFORT_TESTS 0
#define RCITY_TILE_EFFORT_RAYS  1
#define RCITY_TILE_EFFORT_WORDS 2

#endif
