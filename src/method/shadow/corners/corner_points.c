/* Chains of corners do not depend on the positions of receivers, only on their heights. Heights at which a corner
   begins or ceases to count, or its reference height changes, divide the points into groups; the points of a group
   share their chains. Segment tests then tell which points each corner sees. */
#include "method/shadow/corners/corner_points.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/parallel.h"
#include "method/shadow/corners/corner_span.h"
#include "scene/place/terrain.h"

#define BLOCK_POINTS 2048 /* points whose bits are kept at a time */
#define PIECE_POINTS 16   /* points that a thread takes at a time */
#define WORD_BITS    64
#define STEP_ROOM    32 /* more reference heights than there are */

/* A hidden point and its group. */
typedef struct grouped_point {
    int32_t group; /* how many of the dividing heights its level has reached */
    int32_t level;
    int64_t point;
} grouped_point;

/* A chain in terms of the points' bits. */
typedef struct chain_bits {
    int32_t corner, before; /* bits of its last corner and of the one before; -1: the source */
    rcity_corner_leg leg;
} chain_bits;

typedef struct point_run {
    rcity_context *context;
    const rcity_sight *sight;
    rcity_grid_point3 source;
    const rcity_grid_point3 *places;
    rcity_corner_paths *corner_paths;
    size_t *first; /* index of each point's first path in the order they are made, group by group */
    size_t point_count;
    grouped_point *points;
    int32_t *bit_of; /* of each point of the shapes; -1: no chain of this group ends there */

    /* for the group */
    size_t first_node;
    size_t corner_count, corner_capacity;
    rcity_grid_point3 *corners;
    rcity_corner_place *outlines; /* of the corners */
    size_t outline_capacity;
    size_t chain_count, chain_capacity;
    chain_bits *chains;

    /* for the block */
    const grouped_point *block;
    size_t word_count; /* of a point's bits */
    size_t bit_capacity;
    uint64_t *bits; /* of the corners that see a point */
} point_run;

/* All heights at which a corner begins or ceases to count, and the reference heights, in order; some more than once. */
static rcity_status list_heights(rcity_context *context, const rcity_sight *sight, int32_t **heights, size_t *count)
{
    const rcity_shapes *shapes = sight->shapes;
    rcity_corner_span *spans = NULL;
    int32_t *made = NULL;
    size_t used = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_corner_spans_make(context, sight, &spans));
    RCITY_TRY_DONE(rcity_alloc(context, 2 * (size_t)shapes->point_count + STEP_ROOM, sizeof *made, "corners", &made));
    for (int64_t i = 0; i < shapes->point_count; i++) {
        if (spans[i].from < spans[i].end) {
            made[used++] = spans[i].from;
            made[used++] = spans[i].end;
        }
    }
    for (int32_t height = rcity_corner_height_step(0); height < RCITY_CORNER_HEIGHT_STEP_MAX;
         height = rcity_corner_height_step(height)) {
        made[used++] = height;
    }
    rcity_sort_int32s(made, used);
    *heights = made;
    *count = used;
done:
    rcity_release(context, spans);
    return status;
}

static int32_t count_reached(const int32_t *heights, size_t count, int32_t level)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (heights[middle] <= level) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (int32_t)low;
}

static int compare_points(const void *left, const void *right)
{
    const grouped_point *a = left;
    const grouped_point *b = right;
    return a->group != b->group ? (a->group > b->group) - (a->group < b->group)
                                : (a->point > b->point) - (a->point < b->point);
}

static rcity_status group_points(point_run *run, int64_t count, const uint8_t *states)
{
    int32_t *heights = NULL;
    size_t height_count;
    RCITY_TRY(list_heights(run->context, run->sight, &heights, &height_count));
    for (int64_t i = 0; i < count; i++) {
        if (states[i] == RCITY_SHADOW_HIDDEN) {
            int32_t level = rcity_corner_level(run->sight->shapes, run->places[i]);
            run->points[run->point_count++] = (grouped_point){count_reached(heights, height_count, level), level, i};
        }
    }
    rcity_release(run->context, heights);
    qsort(run->points, run->point_count, sizeof *run->points, compare_points);
    return RCITY_OK;
}

/* The chains of a level: those of any plane of receivers there. A single pixel is enough. */
static rcity_status find_chains(const point_run *run, int order, int32_t level, rcity_corner_paths *chains)
{
    rcity_los_plane plane;
    rcity_corner_tracer tracer;
    uint64_t visible;
    RCITY_TRY(rcity_corner_plane_init(run->context, run->sight, level, &plane));
    assert(plane.level == level && plane.row_words == 1);
    rcity_status status = rcity_corner_tracer_init(run->context, &plane, &tracer);
    if (status == RCITY_OK) {
        status = rcity_corner_tracer_trace(run->context, &tracer, run->source, order, &visible, chains);
        rcity_corner_tracer_deinit(run->context, &tracer);
    }
    rcity_los_plane_deinit(run->context, &plane);
    return status;
}

/* Assigns a bit to a chain's last corner. */
static rcity_status name_corner(point_run *run, const rcity_corner_node *node, int32_t *bit)
{
    if (run->bit_of[node->corner] < 0) {
        RCITY_TRY(rcity_reserve(run->context, run->corner_count + 1, sizeof *run->corners, &run->corner_capacity,
                                "corners", &run->corners));
        RCITY_TRY(rcity_reserve(run->context, run->corner_count + 1, sizeof *run->outlines, &run->outline_capacity,
                                "corners", &run->outlines));
        run->bit_of[node->corner] = (int32_t)run->corner_count;
        run->outlines[run->corner_count] = node->outline;
        run->corners[run->corner_count++] = node->at;
    }
    *bit = run->bit_of[node->corner];
    return RCITY_OK;
}

/* Appends a group's chains to those of the groups before. */
static rcity_status take_chains(point_run *run, const rcity_corner_paths *chains)
{
    rcity_corner_paths *corner_paths = run->corner_paths;
    run->first_node = corner_paths->node_count;
    run->corner_count = 0;
    run->chain_count = 0;
    RCITY_TRY(rcity_reserve(run->context, corner_paths->node_count + chains->node_count, sizeof *corner_paths->nodes,
                            &corner_paths->node_capacity, "chains of corners", &corner_paths->nodes));
    RCITY_TRY(rcity_reserve(run->context, chains->node_count, sizeof *run->chains, &run->chain_capacity,
                            "chains of corners", &run->chains));
    for (size_t i = 0; i < chains->node_count; i++) {
        rcity_corner_node node = chains->nodes[i];
        chain_bits chain = {-1, -1, rcity_corner_node_leg(&node)};
        RCITY_TRY(name_corner(run, &node, &chain.corner));
        if (node.parent >= 0) {
            RCITY_TRY(name_corner(run, &chains->nodes[node.parent], &chain.before));
            node.parent += (int32_t)run->first_node;
        }
        run->chains[run->chain_count++] = chain;
        corner_paths->nodes[corner_paths->node_count++] = node;
    }
    for (size_t i = 0; i < chains->node_count; i++) {
        run->bit_of[chains->nodes[i].corner] = -1;
    }
    corner_paths->raster_count += chains->raster_count;
    return RCITY_OK;
}

/* Which of up to 64 corners, from the first, see a point and diffract waves that come from there? */
static uint64_t look_back(const point_run *run, rcity_grid_point3 at, size_t first, size_t count)
{
    rcity_sight_segment segments[WORD_BITS] = {{0, 0, 0, 0, 0, 0}};
    uint8_t answers[WORD_BITS];
    size_t numbers[WORD_BITS];
    size_t asked_count = 0;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++) {
        rcity_grid_point3 corner = run->corners[first + i];
        if (rcity_corner_diffracts(&run->outlines[first + i], at.x, at.y)) {
            segments[asked_count] = (rcity_sight_segment){corner.x, corner.y, corner.z, at.x, at.y, at.z};
            numbers[asked_count++] = i;
        }
    }
    rcity_sight_test_many(&run->sight->view, segments, (int64_t)asked_count, answers);
    for (size_t k = 0; k < asked_count; k++) {
        rcity_grid_point3 corner = run->corners[first + numbers[k]];
        bool is_seen = answers[k] == RCITY_SIGHT_LOOK_CLOSELY ? rcity_sight_is_free(run->sight, corner, at)
                                                              : answers[k] == RCITY_SIGHT_FREE;
        bits |= (uint64_t)is_seen << numbers[k];
    }
    return bits;
}

static bool is_set(const uint64_t *bits, int32_t bit)
{
    return bit >= 0 && ((bits[bit / WORD_BITS] >> (bit % WORD_BITS)) & 1) != 0;
}

/* Does the last corner of a chain see the point, and the one before not? It is known that the source does not. */
static bool is_path(const uint64_t *bits, const chain_bits *chain)
{
    return is_set(bits, chain->corner) && !is_set(bits, chain->before);
}

/* An rcity_parallel_function: which points corners see, and how many paths that makes. */
static void look_at_points(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const point_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        int64_t point = run->block[i].point;
        uint64_t *bits = run->bits + (size_t)i * run->word_count;
        for (size_t k = 0; k < run->word_count; k++) {
            size_t left = run->corner_count - k * WORD_BITS;
            bits[k] = look_back(run, run->places[point], k * WORD_BITS, left < WORD_BITS ? left : WORD_BITS);
        }
        size_t count = 0;
        for (size_t k = 0; k < run->chain_count; k++) {
            count += is_path(bits, &run->chains[k]);
        }
        run->corner_paths->first[point + 1] = count;
    }
}

/* An rcity_parallel_function. */
static void make_paths(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const point_run *run = user;
    const float unit_m = 1.0f / (float)run->sight->shapes->units_per_m;
    for (int64_t i = begin; i < end; i++) {
        int64_t point = run->block[i].point;
        rcity_grid_point3 at = run->places[point];
        const uint64_t *bits = run->bits + (size_t)i * run->word_count;
        rcity_chain_path *path = run->corner_paths->paths + run->first[point];
        float rise_m = (float)(at.z - run->source.z) / (float)RCITY_HEIGHT_UNITS_PER_M;
        for (size_t k = 0; k < run->chain_count; k++) {
            if (is_path(bits, &run->chains[k])) {
                rcity_grid_point3 corner = run->corners[run->chains[k].corner];
                float dx = (float)(at.x - corner.x) * unit_m;
                float dy = (float)(at.y - corner.y) * unit_m;
                *path++ = rcity_chain_path_make((int32_t)(run->first_node + k), &run->chains[k].leg, dx, dy, rise_m);
            }
        }
    }
}

static rcity_status trace_block(point_run *run, const grouped_point *block, size_t count)
{
    rcity_corner_paths *corner_paths = run->corner_paths;
    run->block = block;
    run->word_count = (run->corner_count + WORD_BITS - 1) / WORD_BITS;
    RCITY_TRY(rcity_reserve(run->context, count * run->word_count, sizeof *run->bits, &run->bit_capacity,
                            "what corners see", &run->bits));
    rcity_parallel(run->context, (int64_t)count, PIECE_POINTS, look_at_points, run);
    for (size_t i = 0; i < count; i++) {
        run->first[block[i].point] = corner_paths->path_count;
        corner_paths->path_count += corner_paths->first[block[i].point + 1];
    }
    RCITY_TRY(rcity_reserve(run->context, corner_paths->path_count, sizeof *corner_paths->paths,
                            &corner_paths->path_capacity, "paths around corners", &corner_paths->paths));
    rcity_parallel(run->context, (int64_t)count, PIECE_POINTS, make_paths, run);
    return RCITY_OK;
}

static rcity_status trace_group(point_run *run, int order, const grouped_point *group, size_t count)
{
    rcity_corner_paths chains;
    memset(&chains, 0, sizeof chains);
    rcity_status status;
    RCITY_TRY_DONE(find_chains(run, order, group[0].level, &chains));
    RCITY_TRY_DONE(take_chains(run, &chains));
    for (size_t i = 0; i < count && run->chain_count > 0; i += BLOCK_POINTS) {
        RCITY_TRY_DONE(trace_block(run, group + i, count - i < BLOCK_POINTS ? count - i : BLOCK_POINTS));
    }
done:
    rcity_corner_paths_deinit(run->context, &chains);
    return status;
}

/* Counts become indices, and the paths of several groups are moved there. */
static rcity_status sort_paths(const point_run *run, int64_t count, bool is_sorted)
{
    rcity_corner_paths *corner_paths = run->corner_paths;
    for (int64_t i = 0; i < count; i++) {
        corner_paths->first[i + 1] += corner_paths->first[i];
    }
    if (is_sorted) {
        return RCITY_OK;
    }
    rcity_chain_path *sorted = NULL;
    RCITY_TRY(rcity_alloc(run->context, corner_paths->path_count, sizeof *sorted, "paths around corners", &sorted));
    for (int64_t i = 0; i < count; i++) {
        size_t own_count = corner_paths->first[i + 1] - corner_paths->first[i];
        if (own_count > 0) {
            memcpy(sorted + corner_paths->first[i], corner_paths->paths + run->first[i], own_count * sizeof *sorted);
        }
    }
    rcity_release(run->context, corner_paths->paths);
    corner_paths->paths = sorted;
    corner_paths->path_capacity = corner_paths->path_count;
    return RCITY_OK;
}

static rcity_status trace_groups(point_run *run, int order, int64_t count)
{
    size_t group_count = 0;
    for (size_t i = 0; i < run->point_count;) {
        size_t end = i;
        while (end < run->point_count && run->points[end].group == run->points[i].group) {
            end++;
        }
        RCITY_TRY(trace_group(run, order, run->points + i, end - i));
        group_count++;
        i = end;
    }
    return sort_paths(run, count, group_count < 2);
}

rcity_status rcity_corner_points_trace(rcity_context *context, const rcity_sight *sight, rcity_grid_point3 source,
                                       int order, int64_t count, const rcity_grid_point3 *places, const uint8_t *states,
                                       rcity_corner_paths *corner_paths)
{
    size_t corner_count = (size_t)sight->shapes->point_count + 1;
    point_run run;
    memset(&run, 0, sizeof run);
    run.context = context;
    run.sight = sight;
    run.source = source;
    run.places = places;
    run.corner_paths = corner_paths;
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, (size_t)count + 1, sizeof *corner_paths->first, &corner_paths->first_capacity,
                                 "paths around corners", &corner_paths->first));
    memset(corner_paths->first, 0, ((size_t)count + 1) * sizeof *corner_paths->first);
    if (order > 0) {
        RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *run.first, "paths around corners", &run.first));
        RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *run.points, "receivers", &run.points));
        RCITY_TRY_DONE(rcity_alloc(context, corner_count, sizeof *run.bit_of, "corners", &run.bit_of));
        memset(run.bit_of, -1, corner_count * sizeof *run.bit_of);
        RCITY_TRY_DONE(group_points(&run, count, states));
        RCITY_TRY_DONE(trace_groups(&run, order, count));
    }
done:
    rcity_release(context, run.bits);
    rcity_release(context, run.chains);
    rcity_release(context, run.outlines);
    rcity_release(context, run.corners);
    rcity_release(context, run.bit_of);
    rcity_release(context, run.points);
    rcity_release(context, run.first);
    return status;
}
