/* What the parts of sending over roofs share: the targets, and the probes among them. */
#ifndef RCITY_METHOD_TILES_SENDERS_SENDER_WORK_H
#define RCITY_METHOD_TILES_SENDERS_SENDER_WORK_H

#include "kernel/tiles/tile_send.h"
#include "method/tiles/senders/tile_senders.h"

/* Probes are targets to which all senders are tried that matter; there are so many at most, and so many paths. */
#define RCITY_SENDER_PROBE_MAX 128
#define RCITY_SENDER_TRY_MAX   65536

/* Other targets take the strongest senders of the probes around them: as many of each as make RCITY_SENDER_TRY_MAX paths
   for all targets together, within these limits. */
#define RCITY_SENDER_BEST_MIN 2
#define RCITY_SENDER_BEST_MAX 16
#define RCITY_SENDER_AROUND   4

/* So many targets at a time. */
#define RCITY_SENDER_BLOCK 32768

/* A metre of height counts as so many in plan. */
#define RCITY_SENDER_STRETCH 4.0f

/* What senders bring to a probe. */
typedef struct rcity_sender_probe {
    int32_t target;
    float x, y, z;  /* metres, heights stretched */
    int32_t count;  /* of senders that were tried */
    int32_t *tried; /* of the work's senders; increasing */
    float *power;   /* of each */
    float sum;
    int32_t best_count, best[RCITY_SENDER_BEST_MAX]; /* entries of `tried` */
} rcity_sender_probe;

typedef struct rcity_sender_work {
    rcity_tiles_run *run;
    const rcity_tile_senders *senders;
    rcity_tile_glow_job job;
    int64_t target_count;
    int32_t *target;              /* hidden ones, in Morton's order; numbered as those of the prepared roofs */
    int32_t probe_count, try_max; /* tries of each probe */
    int32_t best_max;             /* of each probe */
    rcity_sender_probe probe[RCITY_SENDER_PROBE_MAX];
    rcity_tile_roof_path *paths; /* of all probes, or of a block of targets */
    int64_t path_count;          /* found so far */
} rcity_sender_work;

/* The probe that target `i` is; -1 where it is none. */
static inline int32_t rcity_sender_probe_of(const rcity_sender_work *work, int64_t i)
{
    int64_t k = (2 * i + 1) * work->probe_count / (2 * work->target_count);
    return k < work->probe_count && (2 * k + 1) * work->target_count / (2 * work->probe_count) == i ? (int32_t)k : -1;
}

/* Where a target is, in metres of the local frame. */
static inline rcity_real3 rcity_sender_target_m(const rcity_tiles_run *run, int32_t target)
{
    int32_t receiver = target - (int32_t)run->prepared->tiling.tile_count;
    const float *at = &run->prepared->receivers.xyz_m[3 * (int64_t)(receiver > 0 ? receiver : 0)];
    return receiver < 0 ? rcity_tile_centre(run->prepared->tiling.tiles[target])
                        : rcity_real3_make((rcity_real)at[0], (rcity_real)at[1], (rcity_real)at[2]);
}

static inline rcity_tile_sums *rcity_sender_target_sums(const rcity_tiles_run *run, int32_t target)
{
    int32_t tile_count = (int32_t)run->prepared->tiling.tile_count;
    return target < tile_count ? &run->tile_sums[target] : &run->receiver_sums[target - tile_count];
}

static inline rcity_tile_place_scale rcity_sender_target_scale(const rcity_tiles_run *run, int32_t target)
{
    int32_t tile_count = (int32_t)run->prepared->tiling.tile_count;
    return target < tile_count ? run->tile_scale[target] : run->receiver_scale[target - tile_count];
}

/* About what a sender could bring to a target; 0 where it sees it, so that its power arrives straight, or looks away. */
float rcity_sender_guess(const rcity_sender_work *work, int64_t sender, int32_t target);

/* The power that a sender brings by a path to a target; `factor` times it is added to the target's sums. */
float rcity_sender_power(const rcity_sender_work *work, int64_t sender, rcity_tile_roof_path path);
void rcity_sender_add(const rcity_sender_work *work, int64_t sender, rcity_tile_roof_path path, float factor,
                      int32_t target);

/* List the hidden targets, choose probes, and find what all senders bring to them: their sums have it. */
rcity_status rcity_sender_probes_make(rcity_sender_work *work);
void rcity_sender_probes_deinit(rcity_sender_work *work);

/* The sums of all other targets. */
rcity_status rcity_sender_targets_fill(rcity_sender_work *work);

#endif
