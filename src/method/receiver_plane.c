/* Receivers of a raster. */
#include "method/receiver_plane.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "scene/cover.h"
#include "scene/segment_test.h"
#include "scene/terrain.h"

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

typedef struct sight_work {
    const rcity_shapes *shapes;
    const rcity_raster *raster;
    rcity_grid_point3 tx;
    const float *z_m;
    float *is_visible;
    rcity_segment_scratch *scratch; /* one a thread */
    int64_t first_row;
} sight_work;

static void test_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const sight_work *work = user;
    for (int64_t row = work->first_row + begin; row < work->first_row + end; row++) {
        rcity_grid_point3 rx;
        rx.y = rcity_raster_row_y(work->shapes, work->raster, row);
        for (int64_t column = 0; column < work->raster->column_count; column++) {
            int64_t cell = row * work->raster->column_count + column;
            if (isnan(work->z_m[cell])) {
                work->is_visible[cell] = NAN;
                continue;
            }
            rx.x = rcity_raster_column_x(work->shapes, work->raster, column);
            /* receivers stand on the ground or above it, whatever single precision makes of their height */
            double z = (double)work->z_m[cell] * RCITY_HEIGHT_UNITS_PER_M;
            double ground = rcity_terrain_height(&work->shapes->terrain, rx.x, rx.y);
            rx.z = rcity_terrain_snap_height(&work->shapes->terrain, rx.x, rx.y, fmax(z, ground));
            work->is_visible[cell] =
                rcity_segment_is_free(work->shapes, &work->scratch[thread_index], work->tx, rx) ? 1.0f : 0.0f;
        }
    }
}

rcity_status rcity_receiver_plane_test_sight(const rcity_job *job, const rcity_point *tx, const float *z_m,
                                             float *is_visible)
{
    rcity_context *context = job->context;
    int thread_count = rcity_context_thread_count(context);
    sight_work work = {job->shapes, &job->raster, {0, 0, 0}, z_m, is_visible, NULL, 0};
    rcity_status status;
    RCITY_TRY(rcity_shapes_snap(context, job->shapes, tx, &work.tx));
    RCITY_TRY(rcity_alloc(context, (size_t)thread_count, sizeof *work.scratch, "the line of sight", &work.scratch));
    for (int i = 0; i < thread_count; i++) {
        RCITY_TRY_DONE(rcity_segment_scratch_init(context, job->shapes, &work.scratch[i]));
    }
    int64_t rows_at_once = 16 * (int64_t)thread_count;
    for (; work.first_row < job->raster.row_count; work.first_row += rows_at_once) {
        int64_t left = job->raster.row_count - work.first_row;
        RCITY_TRY_DONE(rcity_progress(context, "line of sight", (double)(work.first_row * job->raster.column_count),
                                      (double)(job->raster.row_count * job->raster.column_count)));
        rcity_parallel(context, left < rows_at_once ? left : rows_at_once, 1, test_rows, &work);
    }
    status = rcity_progress(context, "line of sight", (double)(job->raster.row_count * job->raster.column_count),
                            (double)(job->raster.row_count * job->raster.column_count));
done:
    for (int i = 0; i < thread_count; i++) {
        rcity_segment_scratch_deinit(context, &work.scratch[i]);
    }
    rcity_release(context, work.scratch);
    return status;
}

rcity_status rcity_receiver_points_fill(const rcity_job *job, const rcity_point *tx, rcity_point *positions)
{
    for (int64_t i = 0; i < job->receivers->point_count; i++) {
        const double *xyh_m = job->receivers->xyh_m + 3 * i;
        RCITY_CHECK(job->context,
                    isfinite(xyh_m[0]) && isfinite(xyh_m[1]) && xyh_m[2] >= 0.0 && xyh_m[2] <= RCITY_RX_HEIGHT_MAX_M,
                    RCITY_ERR_ARGUMENT, "receiver %lld is (%g, %g, %g); must be finite and 0 to %g m above ground",
                    (long long)i, xyh_m[0], xyh_m[1], xyh_m[2], RCITY_RX_HEIGHT_MAX_M);
        double ground_m;
        rcity_cover cover;
        RCITY_TRY(rcity_scene_get_ground(job->context, job->scene, xyh_m[0], xyh_m[1], &ground_m));
        RCITY_TRY(rcity_scene_get_cover(job->context, job->scene, xyh_m[0], xyh_m[1], &cover));
        double z_m = ground_m + xyh_m[2];
        positions[i].x_m = xyh_m[0] - tx->x_m;
        positions[i].y_m = xyh_m[1] - tx->y_m;
        positions[i].z_m = cover.is_covered && cover.roof_m > z_m ? (double)NAN : z_m - tx->z_m;
    }
    return RCITY_OK;
}
