/* Surroundings: the scene's streets and roofs, joined for each receiver. */
#include "method/empirical/surroundings.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/receiver_plane.h"
#include "scene/place/cover.h"
#include "scene/scene_data.h"
#include "scene/shape/exact.h"

/* A window without any street in it does not describe a city of square blocks. */
#define BUILT_FRACTION_MAX 0.95

double rcity_building_separation_m(double street_width_m, double built_fraction)
{
    double separation_m = street_width_m / (1.0 - sqrt(fmin(built_fraction, BUILT_FRACTION_MAX)));
    return fmin(fmax(separation_m, RCITY_SEPARATION_MIN_M), RCITY_SEPARATION_MAX_M);
}

typedef struct street_work {
    const rcity_job *job;
    rcity_street_override override;
    rcity_street_finder finder;
    rcity_roof_window window;
    const float *top_z_m; /* for raster jobs: NAN where no plane has a receiver */
    rcity_street *streets;
    int64_t first_row;
} street_work;

static rcity_street find_street(const street_work *work, rcity_grid_point at)
{
    double unit_m = 1.0 / work->job->shapes->units_per_m;
    rcity_street_place place = rcity_street_find(&work->finder, at);
    rcity_roof_view roofs = rcity_roof_window_get(&work->window, at.x * unit_m, at.y * unit_m);
    double width_m = place.has_wall ? place.width_m : RCITY_STREET_REACH_M;
    double roof_m = roofs.height_m;
    width_m = isnan(work->override.width_m) ? width_m : work->override.width_m;
    roof_m = isnan(work->override.roof_height_m) ? roof_m : work->override.roof_height_m;
    double separation_m = isnan(work->override.building_separation_m)
                              ? rcity_building_separation_m(width_m, roofs.built_fraction)
                              : work->override.building_separation_m;
    rcity_street street;
    /* a street narrower than a metre is a gap between buildings, and would give a gain */
    street.width_m = (float)fmax(width_m, 1.0);
    street.axis_rad = place.is_street ? (float)place.axis_rad : NAN;
    street.building_separation_m = (float)separation_m;
    street.roof_height_m = (float)roof_m;
    street.town = isnan(work->override.roof_height_m) ? (float)roofs.town : 1.0f; /* the user's roofs are everywhere */
    return street;
}

static void fill_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const street_work *work = user;
    const rcity_raster *raster = &work->job->raster;
    for (int64_t row = work->first_row + begin; row < work->first_row + end; row++) {
        rcity_grid_point at;
        at.y = rcity_raster_row_y(work->job->shapes, raster, row);
        for (int64_t column = 0; column < raster->column_count; column++) {
            int64_t cell = row * raster->column_count + column;
            if (!isnan(work->top_z_m[cell])) {
                at.x = rcity_raster_column_x(work->job->shapes, raster, column);
                work->streets[cell] = find_street(work, at);
            }
        }
    }
}

static void fill_points(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const street_work *work = user;
    const rcity_shapes *shapes = work->job->shapes;
    for (int64_t i = begin; i < end; i++) {
        const double *xyh_m = work->job->receivers->xyh_m + 3 * i;
        double x = round((xyh_m[0] - shapes->origin_x_m) * shapes->units_per_m);
        double y = round((xyh_m[1] - shapes->origin_y_m) * shapes->units_per_m);
        /* points far outside, or without a position, are refused where the receivers are placed */
        if (fabs(x) < RCITY_PLAN_LIMIT && fabs(y) < RCITY_PLAN_LIMIT) {
            rcity_grid_point at = {(int32_t)x, (int32_t)y};
            work->streets[i] = find_street(work, at);
        }
    }
}

uint64_t rcity_surroundings_bytes(const rcity_job *job)
{
    uint64_t cell_count = (uint64_t)(job->raster.column_count * job->raster.row_count);
    return rcity_roof_window_bytes(job->shapes, &job->scene->prism_index) +
           (uint64_t)job->shapes->point_count * sizeof(int32_t) + cell_count * sizeof(float);
}

static rcity_status fill_raster(street_work *work)
{
    const rcity_job *job = work->job;
    const rcity_raster *raster = &job->raster;
    size_t cell_count = (size_t)(raster->column_count * raster->row_count);
    double highest_m = 0.0;
    for (int i = 0; i < job->receivers->height_count; i++) {
        highest_m = fmax(highest_m, job->receivers->height_m[i]);
    }
    float *z_m = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, cell_count, sizeof *z_m, "receiver heights", &z_m));
    rcity_receiver_plane_fill(job->context, job->shapes, raster, highest_m, job->roof_m, z_m);
    work->top_z_m = z_m;
    int64_t step = 16 * (int64_t)rcity_context_thread_count(job->context);
    for (; work->first_row < raster->row_count; work->first_row += step) {
        int64_t left = raster->row_count - work->first_row;
        RCITY_TRY_DONE(
            rcity_progress(job->context, "surroundings", (double)work->first_row, (double)raster->row_count));
        rcity_parallel(job->context, left < step ? left : step, 1, fill_rows, work);
    }
    status = rcity_progress(job->context, "surroundings", (double)raster->row_count, (double)raster->row_count);
done:
    rcity_release(job->context, z_m);
    return status;
}

rcity_status rcity_surroundings_fill(const rcity_job *job, const rcity_street_override *override, rcity_street *streets)
{
    rcity_context *context = job->context;
    street_work work;
    rcity_status status;
    memset(&work, 0, sizeof work);
    work.job = job;
    work.override = *override;
    work.streets = streets;
    RCITY_TRY_DONE(rcity_street_finder_init(context, job->shapes, &job->scene->wall_index, &work.finder));
    RCITY_TRY_DONE(rcity_roof_window_init(context, job->shapes, &job->scene->prism_index, &work.window));
    if (job->receivers->point_count > 0) {
        rcity_parallel(context, job->receivers->point_count, 64, fill_points, &work);
    } else {
        status = fill_raster(&work);
    }
done:
    rcity_roof_window_deinit(context, &work.window);
    rcity_street_finder_deinit(context, &work.finder);
    return status;
}
