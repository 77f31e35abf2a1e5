/* Receivers of a raster. */
#include "method/receiver_plane.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/visibility/ground/ground_octant.h"
#include "method/ground_filter.h"
#include "method/range.h"
#include "scene/place/cover.h"
#include "scene/place/segment_test.h"
#include "scene/place/terrain.h"
#include "scene/scene_data.h"

typedef struct plane_work {
    const rcity_shapes *shapes;
    const rcity_raster *raster;
    double height_m;
    const float *roof_m;
    float *z_m;
} plane_work;

static void fill_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const plane_work *work = user;
    const rcity_terrain_grid *terrain = &work->shapes->terrain;
    for (int64_t row = begin; row < end; row++) {
        int32_t y = rcity_raster_row_y(work->shapes, work->raster, row);
        for (int64_t column = 0; column < work->raster->column_count; column++) {
            int64_t cell = row * work->raster->column_count + column;
            double ground_m = 0.0;
            if (terrain->column_count > 0) {
                int32_t x = rcity_raster_column_x(work->shapes, work->raster, column);
                if (!rcity_terrain_contains(terrain, x, y)) {
                    work->z_m[cell] = NAN;
                    continue;
                }
                ground_m = rcity_terrain_height(terrain, x, y) / RCITY_HEIGHT_UNITS_PER_M;
            }
            float z_m = (float)(ground_m + work->height_m);
            work->z_m[cell] = work->roof_m[cell] > z_m ? NAN : z_m;
        }
    }
}

void rcity_receiver_plane_fill(rcity_context *context, const rcity_shapes *shapes, const rcity_raster *raster,
                               double height_m, const float *roof_m, float *z_m)
{
    plane_work work = {shapes, raster, height_m, roof_m, z_m};
    rcity_parallel(context, raster->row_count, 16, fill_rows, &work);
}

void rcity_receiver_cell_locate(const rcity_job *job, double height_m, int64_t cell, rcity_point *position,
                                rcity_receiver_state *state)
{
    const rcity_raster *raster = &job->raster;
    const rcity_terrain_grid *terrain = &job->shapes->terrain;
    int64_t column = cell % raster->column_count;
    int64_t row = cell / raster->column_count;
    position->x_m = raster->west_m + ((double)column + 0.5) * raster->cell_m;
    position->y_m = raster->north_m - ((double)row + 0.5) * raster->cell_m;
    position->z_m = height_m;
    if (terrain->column_count > 0) {
        int32_t x = rcity_raster_column_x(job->shapes, raster, column);
        int32_t y = rcity_raster_row_y(job->shapes, raster, row);
        if (!rcity_terrain_contains(terrain, x, y)) {
            position->z_m = (double)NAN;
            *state = RCITY_RECEIVER_OUTSIDE;
            return;
        }
        position->z_m += rcity_terrain_height(terrain, x, y) / RCITY_HEIGHT_UNITS_PER_M;
    }
    bool is_inside = job->roof_m[cell] > (float)position->z_m;
    *state = is_inside ? RCITY_RECEIVER_IN_BUILDING : RCITY_RECEIVER_NO_PATH;
}

rcity_link_frame rcity_receiver_plane_frame(const rcity_job *job, const rcity_tx *tx, double height_m)
{
    const rcity_point *from = &tx->position;
    rcity_link_frame frame;
    memset(&frame, 0, sizeof frame); /* kernels get its padding too */
    frame.column_count = job->raster.column_count;
    frame.west_m = (float)(job->raster.west_m + 0.5 * job->raster.cell_m - from->x_m);
    frame.north_m = (float)(job->raster.north_m - 0.5 * job->raster.cell_m - from->y_m);
    frame.cell_m = (float)job->raster.cell_m;
    frame.tx_z_m = (float)from->z_m;
    frame.tx_height_m = (float)rcity_range_tx_height_m(job, tx);
    frame.rx_height_m = (float)height_m;
    return frame;
}

typedef struct sight_work {
    const rcity_job *job;
    const rcity_shapes *shapes;
    const rcity_plan_index *prism_index;
    const rcity_raster *raster;
    rcity_grid_point3 tx;
    const float *z_m;             /* of a raster */
    int32_t *z;                   /* the same in height units */
    const uint8_t *seen;          /* what the ground hides of it; NULL: not known */
    const rcity_point *positions; /* of points */
    float *is_visible;
    rcity_segment_scratch *scratch; /* one per thread */
    int64_t first;                  /* row or point of this piece */
} sight_work;

static float test_one(const sight_work *work, int thread_index, rcity_grid_point3 rx)
{
    bool is_free =
        rcity_segment_is_free_indexed(work->shapes, work->prism_index, &work->scratch[thread_index], work->tx, rx);
    return is_free ? 1.0f : 0.0f;
}

/* Receivers stand on the ground or above it, however their height is rounded to single precision. */
static void snap_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const sight_work *work = user;
    const rcity_terrain_grid *terrain = &work->shapes->terrain;
    for (int64_t row = begin; row < end; row++) {
        int32_t y = rcity_raster_row_y(work->shapes, work->raster, row);
        for (int64_t column = 0; column < work->raster->column_count; column++) {
            int64_t cell = row * work->raster->column_count + column;
            if (isnan(work->z_m[cell])) {
                work->z[cell] = INT32_MIN;
                continue;
            }
            int32_t x = rcity_raster_column_x(work->shapes, work->raster, column);
            double z = (double)work->z_m[cell] * RCITY_HEIGHT_UNITS_PER_M;
            double ground = rcity_terrain_height(terrain, x, y);
            work->z[cell] = rcity_terrain_snap_height(terrain, x, y, fmax(z, ground));
        }
    }
}

static void test_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const sight_work *work = user;
    bool is_bare = work->shapes->prism_count == 0;
    for (int64_t row = work->first + begin; row < work->first + end; row++) {
        rcity_grid_point3 rx;
        rx.y = rcity_raster_row_y(work->shapes, work->raster, row);
        for (int64_t column = 0; column < work->raster->column_count; column++) {
            int64_t cell = row * work->raster->column_count + column;
            if (isnan(work->z_m[cell])) {
                work->is_visible[cell] = NAN;
                continue;
            }
            if (work->seen != NULL && work->seen[cell] == RCITY_GROUND_HIDDEN) {
                work->is_visible[cell] = 0.0f;
                continue;
            }
            if (work->seen != NULL && work->seen[cell] == RCITY_GROUND_VISIBLE && is_bare) {
                work->is_visible[cell] = 1.0f;
                continue;
            }
            rx.x = rcity_raster_column_x(work->shapes, work->raster, column);
            rx.z = work->z[cell];
            work->is_visible[cell] = test_one(work, thread_index, rx);
        }
    }
}

static void test_points(void *user, int64_t begin, int64_t end, int thread_index)
{
    const sight_work *work = user;
    const rcity_shapes *shapes = work->shapes;
    for (int64_t i = work->first + begin; i < work->first + end; i++) {
        if (isnan(work->positions[i].z_m)) {
            work->is_visible[i] = NAN;
            continue;
        }
        /* filling the positions has checked that they lie on the grid */
        const double *xyh_m = work->job->receivers->xyh_m + 3 * i;
        rcity_grid_point3 rx;
        rx.x = (int32_t)lround((xyh_m[0] - shapes->origin_x_m) * shapes->units_per_m);
        rx.y = (int32_t)lround((xyh_m[1] - shapes->origin_y_m) * shapes->units_per_m);
        double ground = rcity_terrain_height(&shapes->terrain, rx.x, rx.y);
        rx.z = rcity_terrain_snap_height(&shapes->terrain, rx.x, rx.y, ground + xyh_m[2] * RCITY_HEIGHT_UNITS_PER_M);
        work->is_visible[i] = test_one(work, thread_index, rx);
    }
}

/* Test all rows or points in pieces, several for each thread at a time, with a progress report in between. */
static rcity_status test_all(sight_work *work, const rcity_point *tx, int64_t count, int64_t piece,
                             rcity_parallel_function function)
{
    rcity_context *context = work->job->context;
    int thread_count = rcity_context_thread_count(context);
    rcity_status status;
    work->shapes = work->job->shapes;
    work->prism_index = &work->job->scene->prism_index;
    work->raster = &work->job->raster;
    RCITY_TRY(rcity_shapes_snap(context, work->shapes, tx, &work->tx));
    RCITY_TRY(rcity_alloc(context, (size_t)thread_count, sizeof *work->scratch, "the line of sight", &work->scratch));
    for (int i = 0; i < thread_count; i++) {
        RCITY_TRY_DONE(rcity_segment_scratch_init(context, work->shapes, &work->scratch[i]));
    }
    int64_t step = 16 * piece * thread_count;
    for (; work->first < count; work->first += step) {
        int64_t left = count - work->first;
        RCITY_TRY_DONE(rcity_progress(context, "line of sight", (double)work->first, (double)count));
        rcity_parallel(context, left < step ? left : step, piece, function, work);
    }
    status = rcity_progress(context, "line of sight", (double)count, (double)count);
done:
    for (int i = 0; i < thread_count; i++) {
        rcity_segment_scratch_deinit(context, &work->scratch[i]);
    }
    rcity_release(context, work->scratch);
    return status;
}

rcity_status rcity_receiver_plane_test_sight(const rcity_job *job, const rcity_point *tx, const float *z_m,
                                             float *is_visible)
{
    sight_work work;
    rcity_grid_point3 place;
    uint8_t *seen = NULL;
    rcity_status status;
    memset(&work, 0, sizeof work);
    work.job = job;
    work.shapes = job->shapes;
    work.raster = &job->raster;
    work.z_m = z_m;
    work.is_visible = is_visible;
    RCITY_TRY(rcity_shapes_snap(job->context, job->shapes, tx, &place));
    RCITY_TRY(rcity_alloc(job->context, (size_t)(job->raster.column_count * job->raster.row_count), sizeof *work.z,
                          "the line of sight", &work.z));
    rcity_parallel(job->context, job->raster.row_count, 16, snap_rows, &work);
    RCITY_TRY_DONE(rcity_ground_filter_make(job, place, work.z, &seen));
    work.seen = seen;
    status = test_all(&work, tx, job->raster.row_count, 1, test_rows);
done:
    rcity_release(job->context, seen);
    rcity_release(job->context, work.z);
    return status;
}

rcity_status rcity_receiver_points_test_sight(const rcity_job *job, const rcity_point *tx, const rcity_point *positions,
                                              float *is_visible)
{
    sight_work work;
    memset(&work, 0, sizeof work);
    work.job = job;
    work.positions = positions;
    work.is_visible = is_visible;
    return test_all(&work, tx, job->receivers->point_count, 64, test_points);
}

/* Is the ground under a point known, as in a raster? Elsewhere there is no receiver. */
static bool has_ground(const rcity_shapes *shapes, rcity_grid_point3 at)
{
    return shapes->terrain.column_count == 0 || rcity_terrain_contains(&shapes->terrain, at.x, at.y);
}

static rcity_status locate_point(const rcity_job *job, int64_t i, rcity_point *position, rcity_receiver_state *state)
{
    const double *xyh_m = job->receivers->xyh_m + 3 * i;
    RCITY_CHECK(job->context,
                isfinite(xyh_m[0]) && isfinite(xyh_m[1]) && xyh_m[2] >= 0.0 && xyh_m[2] <= RCITY_RX_HEIGHT_MAX_M,
                RCITY_ERR_ARGUMENT, "receiver %lld is (%g, %g, %g); must be finite and 0 to %g m above ground",
                (long long)i + 1, xyh_m[0], xyh_m[1], xyh_m[2], RCITY_RX_HEIGHT_MAX_M);
    const rcity_point place = {xyh_m[0], xyh_m[1], 0.0};
    rcity_grid_point3 at;
    if (rcity_shapes_snap(job->context, job->shapes, &place, &at) != RCITY_OK) {
        return rcity_fail(job->context, RCITY_ERR_ARGUMENT,
                          "receiver %lld at (%.2f, %.2f) lies far outside the scene; leave it out, or is its CRS "
                          "another?",
                          (long long)i + 1, xyh_m[0], xyh_m[1]);
    }
    *position = (rcity_point){xyh_m[0], xyh_m[1], (double)NAN};
    *state = RCITY_RECEIVER_OUTSIDE;
    if (!has_ground(job->shapes, at)) {
        return RCITY_OK;
    }
    double ground_m;
    rcity_cover cover;
    RCITY_TRY(rcity_scene_get_ground(job->context, job->scene, xyh_m[0], xyh_m[1], &ground_m));
    RCITY_TRY(rcity_scene_get_cover(job->context, job->scene, xyh_m[0], xyh_m[1], &cover));
    position->z_m = ground_m + xyh_m[2];
    bool is_inside = cover.is_covered && cover.roof_m > position->z_m;
    *state = is_inside ? RCITY_RECEIVER_IN_BUILDING : RCITY_RECEIVER_NO_PATH;
    return RCITY_OK;
}

rcity_status rcity_receiver_points_locate(const rcity_job *job, rcity_point *positions, rcity_receiver_state *states)
{
    for (int64_t i = 0; i < job->receivers->point_count; i++) {
        RCITY_TRY(locate_point(job, i, &positions[i], &states[i]));
    }
    return RCITY_OK;
}

rcity_status rcity_receiver_points_fill(const rcity_job *job, const rcity_point *tx, rcity_point *positions)
{
    for (int64_t i = 0; i < job->receivers->point_count; i++) {
        rcity_receiver_state state;
        RCITY_TRY(locate_point(job, i, &positions[i], &state));
        positions[i].x_m -= tx->x_m;
        positions[i].y_m -= tx->y_m;
        positions[i].z_m = state == RCITY_RECEIVER_NO_PATH ? positions[i].z_m - tx->z_m : (double)NAN;
    }
    return RCITY_OK;
}
