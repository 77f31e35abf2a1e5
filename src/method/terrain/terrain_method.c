/* The method over terrain: its row, and its bands and levels from one launch. */
#include "method/terrain/terrain_method.h"

#include <math.h>
#include <string.h>

#include "method/empirical/land_loss.h"
#include "method/range.h"
#include "method/receiver_plane.h"
#include "method/terrain/rays/rays_search.h"
#include "method/terrain/terrain_launch.h"
#include "method/terrain/terrain_options.h"
#include "method/terrain/terrain_sight.h"

/* What a map reports at its end. */
typedef struct run_totals {
    rcity_range_count range;
    int64_t land_missing_count;
} run_totals;

static bool adds_land_cover(const rcity_job *job)
{
    return rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_LAND_COVER, "add");
}

static bool has_cover(const rcity_job *job)
{
    return rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_COVER, "scene");
}

static rcity_status check(const rcity_job *job, const rcity_tx *tx)
{
    rcity_model_range range;
    if (adds_land_cover(job)) {
        RCITY_TRY(rcity_land_loss_check(job));
    }
    if (rcity_rays_search_is_on(job)) {
        RCITY_TRY(rcity_rays_search_check(job));
    }
    return rcity_terrain_get_range(job, &range) ? rcity_range_check(job, tx, &range) : RCITY_OK;
}

static rcity_status check_receivers(const rcity_job *job, const rcity_tx *tx)
{
    rcity_model_range range;
    return rcity_terrain_get_range(job, &range) ? rcity_range_check_planes(job, &range, tx) : RCITY_OK;
}

/* Seconds of one thread: 0.1 microseconds a receiver and 20 ns a point of its profile, whose mean length is about 0.4
   of the raster's diagonal. */
static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    double columns = (double)job->raster.column_count;
    double rows = (double)job->raster.row_count;
    double cells = columns * rows;
    double planes = (double)job->receivers->height_count;
    double points = (double)job->receivers->point_count;
    double length_m = rcity_job_is_raster(job)
                          ? 0.4 * job->raster.cell_m * sqrt(columns * columns + rows * rows)
                          : 0.5 * (job->shapes->x_max - (double)job->shapes->x_min) / job->shapes->units_per_m;
    double profile = fmin(length_m / rcity_terrain_step_m(job) + 2.0, RCITY_GROUND_PROFILE_MAX);
    double bytes = rcity_terrain_ground_bytes(job, has_cover(job)) + cells * sizeof(float) +
                   2.0 * cells * planes * sizeof(float) + /* two bands more than every method has */
                   rcity_terrain_sight_bytes(job) +
                   points * (sizeof(rcity_point) + sizeof(rcity_link_point) + 3.0 * sizeof(float));
    *memory_bytes = (uint64_t)bytes;
    *seconds = (cells * planes + points) * (0.1e-6 + 20e-9 * profile) / rcity_context_thread_count(job->context);
    if (rcity_rays_search_is_on(job)) {
        *seconds = 0.0;
        rcity_rays_search_estimate(job, memory_bytes, seconds);
    }
    return RCITY_OK;
}

static rcity_status prepare(const rcity_job *job, void **prepared)
{
    rcity_terrain_ground *ground = NULL;
    RCITY_TRY(rcity_terrain_ground_create(job, has_cover(job), &ground));
    *prepared = ground;
    return RCITY_OK;
}

static void release_prepared(rcity_context *context, void *prepared)
{
    rcity_terrain_ground_destroy(context, prepared);
}

/* The distance in plan to the farthest receiver. */
static double find_farthest_m(const rcity_job *job, const rcity_tx *tx)
{
    const rcity_raster *raster = &job->raster;
    double farthest_m = 0.0;
    for (int64_t i = 0; i < job->receivers->point_count; i++) {
        const double *at = job->receivers->xyh_m + 3 * i;
        farthest_m = fmax(farthest_m, hypot(at[0] - tx->position.x_m, at[1] - tx->position.y_m));
    }
    for (int corner = 0; rcity_job_is_raster(job) && corner < 4; corner++) {
        double x_m = raster->west_m + (corner % 2) * (double)raster->column_count * raster->cell_m;
        double y_m = raster->north_m - (corner / 2) * (double)raster->row_count * raster->cell_m;
        farthest_m = fmax(farthest_m, hypot(x_m - tx->position.x_m, y_m - tx->position.y_m));
    }
    return farthest_m;
}

static void fill_job(const rcity_job *job, const rcity_terrain_ground *ground, const rcity_tx *tx, double rx_height_m,
                     rcity_terrain_job *numbers)
{
    const rcity_point *from = &tx->position;
    memset(numbers, 0, sizeof *numbers);
    numbers->frame = rcity_receiver_plane_frame(job, tx, rx_height_m);
    numbers->ground = rcity_terrain_raster_from(&ground->ground, from);
    numbers->cover = rcity_terrain_raster_from(&ground->cover, from);
    rcity_terrain_fill_options(job, tx, numbers);
    /* one more, since the kernel's distances are rounded */
    rcity_i32 points = rcity_ground_profile_points((float)find_farthest_m(job, tx), numbers->step_m) + 1;
    numbers->point_max = points < RCITY_GROUND_PROFILE_MAX ? points : RCITY_GROUND_PROFILE_MAX;
}

static rcity_status add_bands(const rcity_job *job, double height_m, rcity_map *map, rcity_terrain_bands *bands)
{
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "basic transmission loss over terrain",
                                 height_m, &bands->loss_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_SIGHT, "line_of_sight", "",
                                 "1 where nothing on the profile rises above the straight line over the effective "
                                 "earth, else 0",
                                 height_m, &bands->is_visible));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_DIFFERENCE, "diffraction_loss", "dB",
                                 "loss of the edges on the profile: those that the loss counts, else the strongest one",
                                 height_m, &bands->diffraction_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_CLASS, "mechanism", "",
                                 "direct where the line is free, else over the obstacle that rises highest", height_m,
                                 &bands->mechanism));
    return rcity_method_name_mechanisms(job->method, map);
}

static rcity_status report(const rcity_job *job, const rcity_tx *tx, const run_totals *totals, rcity_notes *notes)
{
    rcity_model_range range;
    if (notes != NULL) {
        double step_m = rcity_terrain_step_m(job);
        double farthest_m = find_farthest_m(job, tx);
        if (!rcity_rays_search_is_on(job)) {
            RCITY_TRY(
                rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "profile_step", "%g m",
                                       fmax(step_m, (double)(float)(farthest_m / (RCITY_GROUND_PROFILE_MAX - 1)))));
        }
        if (totals->land_missing_count > 0) {
            RCITY_TRY(rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "beyond_land_cover", "%lld receivers",
                                             (long long)totals->land_missing_count));
        }
    }
    return rcity_terrain_get_range(job, &range) ? rcity_range_report(job, &range, tx, &totals->range, notes) : RCITY_OK;
}

static rcity_status evaluate_plane(const rcity_job *job, const rcity_terrain_ground *ground, const rcity_tx *tx,
                                   double height_m, float *z_m, rcity_map *map, run_totals *totals)
{
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    rcity_terrain_bands bands;
    rcity_terrain_job numbers;
    rcity_model_range range;
    rcity_receiver_plane_fill(job->context, job->shapes, &job->raster, height_m, job->roof_m, z_m);
    if (rcity_rays_search_is_on(job)) {
        RCITY_TRY(rcity_rays_search_plane(job, tx, height_m, z_m, map, &bands.loss_db));
        if (adds_land_cover(job)) {
            rcity_land_loss_add(job, bands.loss_db, &totals->land_missing_count);
        }
        return RCITY_OK;
    }
    RCITY_TRY(add_bands(job, height_m, map, &bands));
    fill_job(job, ground, tx, height_m, &numbers);
    RCITY_TRY(rcity_terrain_launch(job, ground, &numbers, false, cell_count, z_m, &bands));
    RCITY_TRY(rcity_terrain_sight_add(job, tx, height_m, ground->cover.column_count > 0, map, bands.is_visible,
                                      bands.mechanism));
    if (adds_land_cover(job)) {
        rcity_land_loss_add(job, bands.loss_db, &totals->land_missing_count);
    }
    if (rcity_terrain_get_range(job, &range)) {
        rcity_range_count_plane(job, &range, tx, height_m, z_m, bands.loss_db, &totals->range);
    }
    return RCITY_OK;
}

static rcity_status evaluate_raster(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map)
{
    (void)trace;
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    run_totals totals = {rcity_range_count_none(), 0};
    float *z_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, cell_count, sizeof *z_m, "receiver heights", &z_m));
    for (int i = 0; i < job->receivers->height_count; i++) {
        RCITY_TRY_DONE(evaluate_plane(job, prepared, tx, job->receivers->height_m[i], z_m, map, &totals));
    }
    status = report(job, tx, &totals, rcity_map_notes(map));
done:
    rcity_release(job->context, z_m);
    return status;
}

/* Working memory for points. */
typedef struct point_arrays {
    rcity_point *positions;
    rcity_link_point *rx;
    float *more[3]; /* the values that points do not have */
} point_arrays;

static rcity_status run_points(const rcity_job *job, const rcity_terrain_ground *ground, const rcity_tx *tx,
                               const point_arrays *arrays, const rcity_point_levels *levels)
{
    int64_t count = job->receivers->point_count;
    run_totals totals = {rcity_range_count_none(), 0};
    rcity_model_range range;
    rcity_terrain_job numbers;
    rcity_terrain_bands bands = {levels->loss_db, arrays->more[0], arrays->more[1],
                                 levels->mechanism != NULL ? levels->mechanism : arrays->more[2]};
    bool has_range = rcity_terrain_get_range(job, &range);
    RCITY_TRY(rcity_receiver_points_fill(job, &tx->position, arrays->positions));
    if (has_range) {
        rcity_range_count_points(job, &range, arrays->positions, NULL, &totals.range);
        RCITY_TRY(rcity_range_check_count(job, &range, &totals.range));
    }
    for (int64_t i = 0; i < count; i++) {
        arrays->rx[i].x_m = (float)arrays->positions[i].x_m;
        arrays->rx[i].y_m = (float)arrays->positions[i].y_m;
        arrays->rx[i].z_m = (float)arrays->positions[i].z_m;
        arrays->rx[i].height_m = (float)job->receivers->xyh_m[3 * i + 2];
    }
    fill_job(job, ground, tx, 0.0, &numbers);
    RCITY_TRY(rcity_terrain_launch(job, ground, &numbers, true, count, arrays->rx, &bands));
    if (adds_land_cover(job)) {
        rcity_land_loss_add(job, levels->loss_db, &totals.land_missing_count);
    }
    if (has_range) {
        totals.range = rcity_range_count_none();
        rcity_range_count_points(job, &range, arrays->positions, levels->loss_db, &totals.range);
    }
    return report(job, tx, &totals, levels->notes);
}

static rcity_status evaluate_points(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *levels)
{
    (void)trace;
    if (rcity_rays_search_is_on(job)) {
        run_totals totals = {rcity_range_count_none(), 0};
        RCITY_TRY(rcity_rays_search_points(job, tx, levels));
        if (adds_land_cover(job)) {
            rcity_land_loss_add(job, levels->loss_db, &totals.land_missing_count);
        }
        return report(job, tx, &totals, levels->notes);
    }
    rcity_context *context = job->context;
    size_t count = (size_t)job->receivers->point_count;
    point_arrays arrays;
    rcity_status status;
    memset(&arrays, 0, sizeof arrays);
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *arrays.positions, "receivers", &arrays.positions));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *arrays.rx, "receivers", &arrays.rx));
    for (int i = 0; i < 3; i++) {
        RCITY_TRY_DONE(rcity_alloc(context, count, sizeof(float), "receivers", &arrays.more[i]));
    }
    status = run_points(job, prepared, tx, &arrays, levels);
done:
    for (int i = 2; i >= 0; i--) {
        rcity_release(context, arrays.more[i]);
    }
    rcity_release(context, arrays.rx);
    rcity_release(context, arrays.positions);
    return status;
}

static const rcity_mechanism mechanisms[] = {
    RCITY_MECHANISM_DIRECT,
    RCITY_MECHANISM_ROOF,
    RCITY_MECHANISM_HILL,
};

const rcity_method rcity_terrain_method = {
    .info =
        {
            .name = "terrain",
            .text = "the ground under each line: losses of ITU-R P.1812, knife edges, Okumura-Hata over hills",
            .effects = RCITY_EFFECT_LINE_OF_SIGHT | RCITY_EFFECT_DIFFRACTION | RCITY_EFFECT_TERRAIN,
            .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
            .option_count = RCITY_TERRAIN_OPTION_COUNT,
        },
    .takes_latitude = true,
    .options = rcity_terrain_options,
    .mechanism_count = (int)(sizeof mechanisms / sizeof mechanisms[0]),
    .mechanisms = mechanisms,
    .prepare_options = RCITY_OPTION_BIT(RCITY_TERRAIN_OPTION_COVER),
    .check = check,
    .check_receivers = check_receivers,
    .estimate = estimate,
    .prepare = prepare,
    .release_prepared = release_prepared,
    .evaluate_raster = evaluate_raster,
    .evaluate_points = evaluate_points,
};
