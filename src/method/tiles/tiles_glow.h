/* Scattering on the host: what its parts share. */
#ifndef RCITY_METHOD_TILES_GLOW_H
#define RCITY_METHOD_TILES_GLOW_H

#include "method/tiles/tile_outlook.h"
#include "method/tiles/tiles_run.h"

/* A list of echoes. */
typedef struct rcity_tiles_echoes {
    size_t count, capacity;
    rcity_tile_echo *echoes;
} rcity_tiles_echoes;

/* A thread's share. */
typedef struct rcity_tiles_glower {
    rcity_tile_outlook outlook;
    rcity_tiles_echoes found; /* that go on */
    int64_t ray_count, test_count;
    rcity_status status;
} rcity_tiles_glower;

typedef struct rcity_tiles_glow_work {
    rcity_tiles_run *run;
    rcity_tile_glow_job job;
    rcity_tile_glow *glows; /* see rcity_tile_glow_index() */
    float *whole;           /* [again][tile] */
    int thread_count;
    rcity_tiles_glower *glowers;
} rcity_tiles_glow_work;

/* All reflections of what tiles scatter. */
rcity_status rcity_tiles_follow_echoes(rcity_tiles_glow_work *glow);

#endif
