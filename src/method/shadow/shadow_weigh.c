#include "method/shadow/shadow_weigh.h"

#include "base/parallel.h"
#include "method/shadow/shadow_block.h"

#define PIECE_RECEIVERS 4096 /* that a thread takes at a time */

typedef struct weigh_work {
    const rcity_shadow_paths *paths;
    const rcity_shadow_weights *weights;
    const float *pattern;
    const rcity_shadow_chain_loss *chains;
    const rcity_shadow_bands *bands;
} weigh_work;

/* Kernels cannot read the public header: their numbers are those of its list. */
_Static_assert(RCITY_SHADOW_PATH_DIRECT == RCITY_MECHANISM_DIRECT && RCITY_SHADOW_PATH_WALLS == RCITY_MECHANISM_WALLS &&
                   RCITY_SHADOW_PATH_CORNER == RCITY_MECHANISM_CORNER &&
                   RCITY_SHADOW_PATH_ROOF == RCITY_MECHANISM_ROOF &&
                   RCITY_SHADOW_PATH_DIFFUSE == RCITY_MECHANISM_DIFFUSE,
               "one numbering of mechanisms");

/* The straight line: free, or through walls. */
static void take_line(const rcity_shadow_paths *paths, const rcity_shadow_weights *weights, const float *pattern,
                      size_t i, const rcity_shadow_receiver *receiver, rcity_shadow_nearest nearest,
                      rcity_shadow_tally *tally)
{
    const rcity_shadow_walls *walls = &paths->walls;
    rcity_wall_path wall = {walls->count != NULL ? walls->count[i] : 0,
                            walls->building_m != NULL ? walls->building_m[i] : 0.0f,
                            walls->foliage_m != NULL ? walls->foliage_m[i] : 0.0f};
    rcity_shadow_take_line(weights, pattern, receiver, wall, nearest, tally);
}

static void take_corners(const rcity_shadow_paths *paths, const rcity_shadow_weights *weights, const float *pattern,
                         size_t i, const rcity_shadow_receiver *receiver, rcity_shadow_tally *tally)
{
    const rcity_corner_paths *corner_paths = paths->corner_paths;
    for (size_t k = corner_paths->first[i]; k < corner_paths->first[i + 1]; k++) {
        const rcity_chain_path *path = &corner_paths->paths[k];
        rcity_shadow_chain chain = rcity_corner_node_chain(&corner_paths->nodes[path->node]);
        rcity_corner_path last = rcity_chain_path_last(path);
        rcity_shadow_take_corner(weights, pattern, receiver, &chain, &last, tally);
    }
}

rcity_shadow_level rcity_shadow_weigh_receiver(const rcity_shadow_paths *paths, const rcity_shadow_weights *weights,
                                               const float *pattern, size_t i)
{
    rcity_shadow_receiver receiver = rcity_shadow_paths_receiver(paths, weights, i);
    rcity_shadow_nearest nearest = rcity_shadow_paths_nearest(paths, i);
    rcity_shadow_tally tally;
    rcity_shadow_tally_begin(&tally);
    if (receiver.state != RCITY_SHADOW_INDOORS || paths->reaches_indoor) {
        take_line(paths, weights, pattern, i, &receiver, nearest, &tally);
    }
    if (receiver.state == RCITY_SHADOW_HIDDEN) {
        if (paths->roofs != NULL) {
            rcity_shadow_take_roof(weights, pattern, &receiver, paths->roofs[i], paths->roof_log_lengths[i], &tally);
        }
        take_corners(paths, weights, pattern, i, &receiver, &tally);
    }
    return rcity_shadow_level_make(weights, pattern, &receiver, nearest.street_root_m, &tally);
}

/* An rcity_parallel_function. */
static void weigh_receivers(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const weigh_work *work = user;
    rcity_shadow_weigh_blocks(work->paths, work->weights, work->pattern, work->chains, (size_t)begin, (size_t)end,
                              work->bands);
}

rcity_status rcity_shadow_weigh(rcity_context *context, const rcity_shadow_paths *paths,
                                const rcity_shadow_weights *weights, const float *pattern,
                                const rcity_shadow_bands *bands)
{
    const rcity_corner_paths *corner_paths = paths->corner_paths;
    rcity_shadow_weights own = *weights;
    rcity_shadow_chain_loss *chains = NULL;
    own.source = paths->source;
    RCITY_TRY(rcity_alloc(context, corner_paths->node_count + 1, sizeof *chains, "weighed corners", &chains));
    for (size_t i = 0; i < corner_paths->node_count; i++) {
        rcity_shadow_chain chain = rcity_corner_node_chain(&corner_paths->nodes[i]);
        chains[i] = rcity_shadow_chain_weigh(&own.law, &chain);
    }
    weigh_work work = {paths, &own, pattern, chains, bands};
    rcity_parallel(context, (int64_t)paths->count, PIECE_RECEIVERS, weigh_receivers, &work);
    rcity_release(context, chains);
    return RCITY_OK;
}
