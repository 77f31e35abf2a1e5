#include "method/shadow/shadow_weigh.h"

#include <math.h>

#include "base/parallel.h"

#define PIECE_RECEIVERS 4096 /* that a thread takes at a time */

typedef struct weigh_work {
    const rcity_shadow_paths *paths;
    const rcity_shadow_weights *weights;
    const float *pattern;
    const rcity_shadow_bands *bands;
} weigh_work;

/* Kernels cannot read the public header: their numbers are those of its list. */
_Static_assert(RCITY_SHADOW_PATH_DIRECT == RCITY_MECHANISM_DIRECT && RCITY_SHADOW_PATH_WALLS == RCITY_MECHANISM_WALLS &&
                   RCITY_SHADOW_PATH_CORNER == RCITY_MECHANISM_CORNER &&
                   RCITY_SHADOW_PATH_ROOF == RCITY_MECHANISM_ROOF &&
                   RCITY_SHADOW_PATH_DIFFUSE == RCITY_MECHANISM_DIFFUSE,
               "one numbering of mechanisms");

/* The straight line: free, or through walls. */
static void take_line(const weigh_work *work, size_t i, const rcity_shadow_receiver *receiver,
                      rcity_shadow_tally *tally)
{
    const rcity_shadow_walls *walls = &work->paths->walls;
    rcity_wall_path wall = {walls->count != NULL ? walls->count[i] : 0,
                            walls->building_m != NULL ? walls->building_m[i] : 0.0f,
                            walls->foliage_m != NULL ? walls->foliage_m[i] : 0.0f};
    rcity_shadow_take_line(work->weights, work->pattern, receiver, wall, rcity_shadow_paths_nearest(work->paths, i),
                           tally);
}

static void take_corners(const weigh_work *work, size_t i, const rcity_shadow_receiver *receiver,
                         rcity_shadow_tally *tally)
{
    const rcity_corner_paths *corner_paths = work->paths->corner_paths;
    for (size_t k = corner_paths->first[i]; k < corner_paths->first[i + 1]; k++) {
        const rcity_chain_path *path = &corner_paths->paths[k];
        rcity_shadow_chain chain = rcity_corner_node_chain(&corner_paths->nodes[path->node]);
        rcity_corner_path last = rcity_chain_path_last(path);
        rcity_shadow_take_corner(work->weights, work->pattern, receiver, &chain, &last, tally);
    }
}

static void put(const rcity_shadow_bands *bands, size_t i, rcity_shadow_level level)
{
    bool is_none = level.mechanism == RCITY_SHADOW_PATH_NONE;
    if (bands->loss_db != NULL) {
        bands->loss_db[i] = level.loss_db;
    }
    if (bands->received_dbm != NULL) {
        bands->received_dbm[i] = level.received_dbm;
    }
    if (bands->mechanism != NULL) {
        bands->mechanism[i] = is_none ? NAN : (float)level.mechanism;
    }
    if (bands->turn_count != NULL) {
        bands->turn_count[i] = is_none ? NAN : (float)level.turn_count;
    }
}

/* An rcity_parallel_function. */
static void weigh_receivers(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const weigh_work *work = user;
    const rcity_shadow_paths *paths = work->paths;
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        rcity_shadow_receiver receiver = rcity_shadow_paths_receiver(paths, work->weights, i);
        rcity_shadow_tally tally;
        rcity_shadow_tally_begin(&tally);
        if (receiver.state != RCITY_SHADOW_INDOORS || paths->reaches_indoor) {
            take_line(work, i, &receiver, &tally);
        }
        if (receiver.state == RCITY_SHADOW_HIDDEN) {
            if (paths->roofs != NULL) {
                rcity_shadow_take_roof(work->weights, work->pattern, &receiver, paths->roofs[i],
                                       paths->roof_log_lengths[i], &tally);
            }
            take_corners(work, i, &receiver, &tally);
        }
        rcity_shadow_level level = rcity_shadow_level_make(work->weights, work->pattern, &receiver, &tally);
        put(work->bands, i, level);
    }
}

void rcity_shadow_weigh(rcity_context *context, const rcity_shadow_paths *paths, const rcity_shadow_weights *weights,
                        const float *pattern, const rcity_shadow_bands *bands)
{
    rcity_shadow_weights own = *weights;
    own.source = paths->source;
    weigh_work work = {paths, &own, pattern, bands};
    rcity_parallel(context, (int64_t)paths->count, PIECE_RECEIVERS, weigh_receivers, &work);
}
