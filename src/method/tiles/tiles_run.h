/* One transmitter over the tiles: what bouncing reads, and the sums that it fills. */
#ifndef RCITY_METHOD_TILES_RUN_H
#define RCITY_METHOD_TILES_RUN_H

#include "kernel/tiles/tile_echo.h"
#include "method/link_ends.h"
#include "method/tiles/tiles_prepare.h"

/* A ray that reached a receiver, kept for those who ask for every path. */
typedef struct rcity_tiles_hit {
    int64_t receiver; /* of the open ones */
    rcity_tube tube;
} rcity_tiles_hit;

typedef struct rcity_tiles_hits {
    size_t count, capacity;
    rcity_tiles_hit *hits;
} rcity_tiles_hits;

/* What became of rays. */
typedef struct rcity_tiles_effort {
    int64_t ray_count;  /* that reached a tile, an edge or a receiver, each bounce counted */
    int64_t test_count; /* tiles, edges and receivers that were held against a tube */
    int64_t scattered_count;
    int64_t deferred_count; /* rays whose legs a device left to the host */
    int64_t near_count;     /* tiles in sight, nearer than the antenna's far field: left out */
    int64_t sent_count;     /* paths over roofs from tiles */
    double bounce_s, over_s, scatter_s, sent_s;
} rcity_tiles_effort;

typedef struct rcity_tiles_run {
    rcity_context *context;
    const rcity_tiles_prepared *prepared;
    const rcity_tiles_traced *traced;
    rcity_tile_bounce bounce; /* rough.share 0: smooth */
    float near_m;             /* a wavelength: receivers nearer than this have no paths */
    bool keeps_hits;          /* every path to a receiver is kept */
    bool keeps_tiles;         /* sums of tiles are asked for */
    bool has_ground_law;      /* of the surroundings, for levels: no ray is reflected off the ground */
    bool goes_over_roofs;
    double range_m;    /* tiles farther from a receiver do not send to it; 0: no limit */
    bool is_on_device; /* lists of paths are made on the host */

    rcity_facet_table world; /* at the transmitter's frequency; borrows */
    rcity_face *faces;       /* rough ones of all materials, then smooth ones, then that of tiles of the ground */
    rcity_tile_world tiles;
    rcity_tile_faces_table table;
    rcity_path_ends ends;
    rcity_real3 tx;
    float rx_share[2]; /* of scattered power, theta and phi, that a receiver takes */

    rcity_tile_place_scale *tile_scale, *receiver_scale;
    rcity_tile_sums *tile_sums;     /* NULL unless keeps_tiles */
    rcity_tile_sums *receiver_sums; /* of open receivers */
    rcity_tile_lit *lit;            /* [tile][depth][cell]; NULL for smooth tiles */

    int thread_count;
    rcity_tiles_hits *hits; /* of each thread; NULL unless keeps_hits */
    rcity_status *hit_status;
    rcity_tiles_effort effort;
} rcity_tiles_run;

static inline bool rcity_tiles_run_is_rough(const rcity_tiles_run *run, int32_t tile)
{
    return run->prepared->tile_face[tile] < run->bounce.rough_material_count;
}

/* Does a tile collect what it will scatter of the rays of a tube? */
static inline bool rcity_tiles_run_collects(const rcity_tiles_run *run, const rcity_tube *tube, int32_t tile)
{
    return rcity_tiles_run_is_rough(run, tile) && tube->event_count < run->bounce.limits.max_bounces;
}

/* Is an open receiver in the near field? */
static inline bool rcity_tiles_run_is_near(const rcity_tiles_run *run, int64_t receiver)
{
    return run->receiver_scale[receiver].distance_m < run->near_m;
}

/* The cells of a tile at a depth. */
static inline rcity_tile_lit *rcity_tiles_run_lit(const rcity_tiles_run *run, int32_t tile, int depth)
{
    return run->lit + ((int64_t)tile * run->bounce.rough.depth_count + depth) * run->bounce.rough.cell_count;
}

static inline rcity_tile_glow_job rcity_tiles_run_glow_job(const rcity_tiles_run *run)
{
    return (rcity_tile_glow_job){
        run->bounce, {run->rx_share[0], run->rx_share[1]}, (rcity_i32)run->prepared->tiling.tile_count};
}

/* Set up a run with empty sums. `keeps_hits` and `keeps_tiles` as above. With neither, a job that wants the mean of the
   surroundings has the ground law, and the tiles of its ground reflect nothing. */
rcity_status rcity_tiles_run_init(const rcity_job *job, const rcity_tiles_traced *traced, const rcity_tx *tx,
                                  bool keeps_hits, bool keeps_tiles, rcity_tiles_run *run);
void rcity_tiles_run_deinit(rcity_tiles_run *run);

/* Bounce, scatter; then sums are complete. */
rcity_status rcity_tiles_run_all(rcity_tiles_run *run);

/* The tiles in sight that are in the antenna's far field; the others are counted. */
rcity_status rcity_tiles_list_far(rcity_tiles_run *run, int32_t **tiles, int64_t *count);

/* Reflections and diffractions to their end, on the host: sums of tiles and receivers, and what tiles will scatter. */
rcity_status rcity_tiles_bounce(rcity_tiles_run *run);

/* What a transmitter does not see, and paths over roofs may reach: tiles, then receivers, their numbers after those of
   all tiles. Owned by the caller. */
rcity_status rcity_tiles_list_hidden(const rcity_tiles_run *run, int32_t **list, int64_t *count);

/* Paths over many roofs to all that is hidden; after the bounces. On the host. */
rcity_status rcity_tiles_go_over_roofs(rcity_tiles_run *run);

/* What the tiles scatter, and its reflections, on the host. */
rcity_status rcity_tiles_glow(rcity_tiles_run *run);

#endif
