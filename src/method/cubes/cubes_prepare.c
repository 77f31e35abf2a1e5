/* Preparing a scene: its cubes, and the receivers in their columns. */
#include <math.h>
#include <string.h>

#include "method/cubes/cubes.h"
#include "method/cubes/cubes_trace.h"

#define MARGIN_MIN_M 1000.0 /* cubes reach so far beyond the scene, or as far as it is wide, where receivers are */
#define NARROW_SHARE 0.1 /* of street columns with buildings on both sides: more, and streets are narrower than cubes */

rcity_cube_box rcity_cubes_job_box(const rcity_job *job)
{
    const rcity_receivers *receivers = job->receivers;
    const rcity_raster *raster = &job->raster;
    rcity_cube_box box = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    if (receivers->point_count == 0) {
        box = (rcity_cube_box){raster->west_m, raster->north_m - (double)raster->row_count * raster->cell_m,
                               raster->west_m + (double)raster->column_count * raster->cell_m, raster->north_m};
    }
    for (int64_t i = 0; i < receivers->point_count; i++) {
        box.west_m = fmin(box.west_m, receivers->xyh_m[3 * i]);
        box.south_m = fmin(box.south_m, receivers->xyh_m[3 * i + 1]);
        box.east_m = fmax(box.east_m, receivers->xyh_m[3 * i]);
        box.north_m = fmax(box.north_m, receivers->xyh_m[3 * i + 1]);
    }
    const rcity_shapes *shapes = job->shapes;
    rcity_cube_box none = {0.0, 0.0, -1.0, -1.0};
    rcity_cube_box scene = rcity_city_cubes_bound(shapes, none);
    double margin_m = fmax(MARGIN_MIN_M, fmax(scene.east_m - scene.west_m, scene.north_m - scene.south_m));
    box.west_m = fmax(box.west_m - shapes->origin_x_m, scene.west_m - margin_m);
    box.south_m = fmax(box.south_m - shapes->origin_y_m, scene.south_m - margin_m);
    box.east_m = fmin(box.east_m - shapes->origin_x_m, scene.east_m + margin_m);
    box.north_m = fmin(box.north_m - shapes->origin_y_m, scene.north_m + margin_m);
    return rcity_city_cubes_bound(shapes, box);
}

int64_t rcity_cubes_direction_count(double range_m, double edge_m)
{
    const double full_rad = 6.28318530717958647692;
    return (int64_t)ceil(full_rad * range_m / edge_m) + 1;
}

/* Is a column closed at a receiver's height? One with walls is open before them. */
static bool is_closed(const rcity_cube_column *column, float z_m)
{
    return column->top_m > z_m && column[1].wall_first == column->wall_first;
}

/* The column of a receiver: where its own is filled, as a centre just inside a building makes it, the nearest that is
   not. -1: outside of the map. */
static int64_t column_of(const rcity_city_cubes *cubes, const float *xyz_m)
{
    const rcity_cube_map *map = &cubes->map;
    int64_t own = rcity_city_cubes_column(cubes, (double)xyz_m[0], (double)xyz_m[1]);
    if (own < 0 || !is_closed(&cubes->columns[own], xyz_m[2])) {
        return own;
    }
    int64_t best = own;
    double best_m = HUGE_VAL;
    for (int k = 0; k < 9; k++) {
        int64_t column = own % map->column_count - 1 + k % 3;
        int64_t row = own / map->column_count - 1 + k / 3;
        if (column < 0 || column >= map->column_count || row < 0 || row >= map->row_count) {
            continue;
        }
        int64_t at = row * map->column_count + column;
        double off_m = hypot((double)map->west_m + ((double)column + 0.5) * (double)map->edge_m - (double)xyz_m[0],
                             (double)map->south_m + ((double)row + 0.5) * (double)map->edge_m - (double)xyz_m[1]);
        if (!is_closed(&cubes->columns[at], xyz_m[2]) && off_m < best_m) {
            best = at;
            best_m = off_m;
        }
    }
    return best;
}

/* Sort the open receivers into columns. */
static rcity_status sort_receivers(rcity_context *context, rcity_cubes_prepared *made)
{
    const rcity_open_receivers *receivers = &made->receivers;
    size_t column_count = (size_t)made->cubes.map.column_count * (size_t)made->cubes.map.row_count;
    size_t room = (size_t)receivers->open_count + 1;
    int64_t *columns = NULL;
    rcity_status status;
    RCITY_TRY_DONE(
        rcity_alloc(context, column_count + 1, sizeof *made->receiver_first, "receivers", &made->receiver_first));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *made->receiver_open, "receivers", &made->receiver_open));
    RCITY_TRY_DONE(rcity_alloc(context, 3 * room, sizeof *made->receiver_xyz_m, "receivers", &made->receiver_xyz_m));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *columns, "receivers", &columns));
    made->highest_m = -HUGE_VALF;
    for (int64_t i = 0; i < receivers->open_count; i++) {
        columns[i] = column_of(&made->cubes, &receivers->xyz_m[3 * i]);
        made->highest_m = fmaxf(made->highest_m, receivers->xyz_m[3 * i + 2]);
        if (columns[i] >= 0) {
            made->receiver_first[columns[i]]++;
        }
    }
    for (size_t i = 0; i < column_count; i++) { /* to the ends of the columns' lists */
        made->receiver_first[i + 1] += made->receiver_first[i];
    }
    for (int64_t i = receivers->open_count - 1; i >= 0; i--) { /* which move back to where they begin */
        if (columns[i] >= 0) {
            int32_t at = --made->receiver_first[columns[i]];
            made->receiver_open[at] = (int32_t)i;
            memcpy(&made->receiver_xyz_m[3 * at], &receivers->xyz_m[3 * i], 3 * sizeof(float));
        }
    }
done:
    rcity_release(context, columns);
    return status;
}

static void warn_of_narrow_streets(const rcity_job *job, const rcity_city_cubes *cubes)
{
    double share = rcity_city_cubes_narrow_share(cubes);
    if (share > NARROW_SHARE && !job->is_quiet) {
        rcity_log(job->context, RCITY_LOG_WARNING,
                  "%.0f %% of the streets are no wider than cubes of %g m: rays may miss them; use a smaller "
                  "`cube-edge-m`",
                  100.0 * share, (double)cubes->map.edge_m);
    }
}

rcity_status rcity_cubes_prepare(const rcity_job *job, void **prepared)
{
    rcity_context *context = job->context;
    const double any_frequency_hz = 1e9; /* of materials, which cubes do not need */
    rcity_cubes_prepared *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "the scene as cubes", &made));
    RCITY_TRY_DONE(rcity_facet_table_init(context, job->scene, any_frequency_hz, &made->facets));
    RCITY_TRY_DONE(rcity_city_cubes_init(context, &made->facets, rcity_cubes_job_box(job),
                                         job->number[RCITY_CUBES_EDGE], &made->cubes));
    warn_of_narrow_streets(job, &made->cubes);
    RCITY_TRY_DONE(rcity_open_receivers_init(job, &made->receivers));
    RCITY_TRY_DONE(sort_receivers(context, made));
    RCITY_TRY_DONE(rcity_sight_create(context, job->shapes, &made->sight));
    RCITY_TRY_DONE(rcity_tile_roofs_open(context, job->device, made->sight, made->receivers.open_count,
                                         made->receivers.places, &made->roofs));
    RCITY_TRY_DONE(rcity_built_up_create(context, job->shapes, &made->built_up));
    *prepared = made;
    made = NULL;
done:
    rcity_cubes_release_prepared(context, made);
    return status;
}

void rcity_cubes_release_prepared(rcity_context *context, void *prepared)
{
    rcity_cubes_prepared *made = prepared;
    if (made != NULL) {
        rcity_built_up_destroy(context, &made->built_up);
        rcity_tile_roofs_close(&made->roofs);
        rcity_sight_destroy(context, &made->sight);
        rcity_release(context, made->receiver_xyz_m);
        rcity_release(context, made->receiver_open);
        rcity_release(context, made->receiver_first);
        rcity_open_receivers_deinit(context, &made->receivers);
        rcity_city_cubes_deinit(context, &made->cubes);
        rcity_facet_table_deinit(context, &made->facets);
        rcity_release(context, made);
    }
}
