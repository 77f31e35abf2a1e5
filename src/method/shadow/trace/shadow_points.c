#include "method/shadow/trace/shadow_points.h"

#include <assert.h>

#include "base/parallel.h"
#include "method/shadow/corners/corner_points.h"
#include "method/shadow/trace/shadow_arrays.h"
#include "visibility/sight/sight_data.h"

#define PIECE_POINTS 64 /* that a thread takes at a time */

struct rcity_shadow_points {
    rcity_context *context; /* Borrowed. */
    rcity_shadow_arrays arrays;
    rcity_surroundings_node *here; /* NULL: nothing is known of the surroundings */
    rcity_shadow_paths paths;      /* of the arrays */
};

typedef struct point_work {
    const rcity_shapes *shapes;
    const rcity_sight *sight;
    const rcity_sight *trees; /* NULL unless metres are requested */
    rcity_grid_point3 source;
    const rcity_grid_point3 *places;
    rcity_roof_receiver *receivers;
    rcity_shadow_arrays *arrays;
    const rcity_built_up *built_up; /* NULL likewise */
    rcity_surroundings_node *here;
} point_work;

/* An rcity_parallel_function: the states of points relative to the source. */
static void look_at_points(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const point_work *work = user;
    for (int64_t i = begin; i < end; i++) {
        rcity_place place = rcity_los_locate(work->sight, work->places[i]);
        bool is_visible =
            place != RCITY_PLACE_INSIDE && rcity_sight_is_free(work->sight, work->source, work->places[i]);
        work->receivers[i] = place == RCITY_PLACE_INSIDE    ? RCITY_ROOF_RECEIVER_INDOORS
                             : is_visible                   ? RCITY_ROOF_RECEIVER_VISIBLE
                             : place == RCITY_PLACE_ON_WALL ? RCITY_ROOF_RECEIVER_ON_WALL
                                                            : RCITY_ROOF_RECEIVER_HIDDEN;
    }
}

/* An rcity_parallel_function: the straight lines. */
static void make_lines(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const point_work *work = user;
    const float unit_m = 1.0f / (float)work->shapes->units_per_m;
    rcity_shadow_arrays_set_lines(work->arrays, unit_m, work->source, (size_t)begin, (size_t)(end - begin),
                                  work->places + begin);
    for (int64_t i = begin; i < end; i++) {
        rcity_roof_receiver receiver = work->receivers[i];
        work->arrays->states[i] = receiver == RCITY_ROOF_RECEIVER_INDOORS   ? RCITY_SHADOW_INDOORS
                                  : receiver == RCITY_ROOF_RECEIVER_VISIBLE ? RCITY_SHADOW_VISIBLE
                                                                            : RCITY_SHADOW_HIDDEN;
        if (work->built_up != NULL) {
            work->here[i] = rcity_built_up_at(work->built_up, work->places[i].x, work->places[i].y);
            rcity_shadow_arrays_set_built(work->arrays, work->built_up, (size_t)i, work->places[i]);
        }
    }
}

/* An rcity_parallel_function: what straight lines pass through. Foliage weakens free lines too. */
static void measure_lines(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const point_work *work = user;
    const rcity_shadow_walls *walls = &work->arrays->walls;
    const float unit_m = 1.0f / (float)work->shapes->units_per_m;
    for (int64_t i = begin; i < end; i++) {
        if (walls->building_m == NULL && work->receivers[i] == RCITY_ROOF_RECEIVER_VISIBLE) {
            continue;
        }
        rcity_grid_point3 a = work->source;
        rcity_grid_point3 b = work->places[i];
        rcity_sight_measure measure =
            rcity_sight_measure_one(work->sight, work->trees, (rcity_sight_segment){a.x, a.y, a.z, b.x, b.y, b.z});
        walls->count[i] = measure.wall_count;
        if (walls->building_m != NULL) {
            float dx = (float)(b.x - a.x) * unit_m;
            float dy = (float)(b.y - a.y) * unit_m;
            float dz = (float)(b.z - a.z) / (float)RCITY_HEIGHT_UNITS_PER_M;
            float length_m = sqrtf(dx * dx + dy * dy + dz * dz);
            walls->building_m[i] = measure.in_buildings * length_m;
            walls->foliage_m[i] = measure.in_foliage * length_m;
        }
    }
}

static rcity_status trace_walls(rcity_context *context, const rcity_shadow_choice *choice, int64_t count,
                                point_work *work)
{
    static const rcity_sight none;
    rcity_sight *trees = NULL;
    if (choice->walls == RCITY_SHADOW_WALLS_OFF) {
        return RCITY_OK;
    }
    if (choice->walls == RCITY_SHADOW_WALLS_METRES) {
        RCITY_TRY(rcity_sight_create_trees(context, work->shapes, &trees));
    }
    work->trees = trees != NULL ? trees : &none;
    rcity_parallel(context, count, PIECE_POINTS, measure_lines, work);
    rcity_sight_destroy(context, &trees);
    return RCITY_OK;
}

static rcity_status trace_paths(rcity_context *context, const rcity_shadow_choice *choice, int64_t count,
                                point_work *work)
{
    rcity_shadow_arrays *arrays = work->arrays;
    rcity_parallel(context, count, PIECE_POINTS, look_at_points, work);
    if (choice->roofs != RCITY_SHADOW_ROOFS_OFF) {
        rcity_roof_mode mode = choice->roofs == RCITY_SHADOW_ROOFS_COUNT ? RCITY_ROOF_COUNT : RCITY_ROOF_EDGES;
        RCITY_TRY(rcity_roofs_trace_points(context, work->sight, work->source, mode, count, work->places,
                                           work->receivers, arrays->roofs));
    }
    RCITY_TRY(trace_walls(context, choice, count, work));
    rcity_parallel(context, count, PIECE_POINTS, make_lines, work);
    return rcity_corner_points_trace(context, work->sight, work->source, choice->order, count, work->places,
                                     arrays->states, &arrays->corner_paths);
}

rcity_status rcity_shadow_points_trace(rcity_context *context, const rcity_shapes *shapes, const rcity_sight *sight,
                                       const rcity_shadow_choice *choice, rcity_grid_point3 source, int64_t count,
                                       const rcity_grid_point3 *places, rcity_shadow_points **points)
{
    assert(sight->shapes == shapes);
    rcity_shadow_points *made = NULL;
    point_work work = {.shapes = shapes, .sight = sight, .source = source, .places = places};
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "paths to receivers", &made));
    made->context = context;
    RCITY_TRY_DONE(rcity_shadow_arrays_init(context, choice, (size_t)count, &made->arrays));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *work.receivers, "receivers", &work.receivers));
    if (choice->built_up != NULL) {
        RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *made->here, "paths to receivers", &made->here));
    }
    work.arrays = &made->arrays;
    work.built_up = choice->built_up;
    work.here = made->here;
    rcity_shadow_arrays_begin(context, shapes, choice, source, &made->arrays);
    RCITY_TRY_DONE(trace_paths(context, choice, count, &work));
    made->paths = rcity_shadow_arrays_paths(&made->arrays, made->here);
    *points = made;
    made = NULL;
done:
    rcity_release(context, work.receivers);
    rcity_shadow_points_destroy(&made);
    return status;
}

void rcity_shadow_points_destroy(rcity_shadow_points **points)
{
    if (points == NULL || *points == NULL) {
        return;
    }
    rcity_context *context = (*points)->context;
    rcity_release(context, (*points)->here);
    rcity_shadow_arrays_deinit(context, &(*points)->arrays);
    rcity_release(context, *points);
    *points = NULL;
}

void rcity_shadow_points_set_heights(rcity_shadow_points *points, const float *heights_m)
{
    points->paths.heights_m = heights_m;
}

rcity_status rcity_shadow_points_weigh(const rcity_shadow_points *points, const rcity_shadow_weights *weights,
                                       const float *pattern, const rcity_shadow_bands *bands)
{
    return rcity_shadow_weigh(points->context, &points->paths, weights, pattern, bands);
}

const rcity_shadow_paths *rcity_shadow_points_paths(const rcity_shadow_points *points)
{
    return &points->paths;
}
