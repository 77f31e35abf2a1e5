/* The method over terrain with rays: options of the row, one trace for each height of receivers, bands and levels. */
#include "method/terrain/rays/rays_search.h"

#include <math.h>

#include "method/receiver_plane.h"
#include "method/terrain/rays/terrain_rays.h"
#include "method/terrain/terrain_options.h"

#define CROSSING_S 15e-9 /* of one thread */

bool rcity_rays_search_is_on(const rcity_job *job)
{
    return rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_SEARCH, "rays");
}

static rcity_status check_whole(const rcity_job *job, int option_index)
{
    double number = job->number[option_index];
    RCITY_CHECK(job->context, number == floor(number), RCITY_ERR_ARGUMENT, "`%s` is %g, must be a whole number",
                rcity_terrain_options[option_index].name, number);
    return RCITY_OK;
}

rcity_status rcity_rays_search_check(const rcity_job *job)
{
    RCITY_CHECK(job->context,
                rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_LOSS, "free-space") ||
                    rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_LOSS, "two-ray") ||
                    rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_LOSS, "knife-edge"),
                RCITY_ERR_ARGUMENT,
                "`search=rays` has no `loss=%s`; use `loss=free-space`, `loss=two-ray` or `loss=knife-edge`",
                job->option[RCITY_TERRAIN_OPTION_LOSS]);
    RCITY_CHECK(job->context, job->shapes->terrain.column_count > 1, RCITY_ERR_ARGUMENT,
                "`search=rays` needs a scene with terrain");
    RCITY_TRY(check_whole(job, RCITY_TERRAIN_OPTION_TRIANGLE_CELLS));
    RCITY_TRY(check_whole(job, RCITY_TERRAIN_OPTION_MAX_REFLECTIONS));
    return RCITY_OK;
}

static int coarsen_of(const rcity_job *job)
{
    return (int)lround(job->number[RCITY_TERRAIN_OPTION_TRIANGLE_CELLS]);
}

void rcity_rays_search_estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    const rcity_terrain_grid *grid = &job->shapes->terrain;
    double wide = (double)(grid->column_count > grid->row_count ? grid->column_count : grid->row_count);
    double crossings = 1.5 * wide / coarsen_of(job);
    *memory_bytes += rcity_terrain_rays_bytes(grid, coarsen_of(job));
    *seconds += 2.0 * acos(-1.0) * crossings * crossings * CROSSING_S *
                (1.0 + 10.0 * job->number[RCITY_TERRAIN_OPTION_MAX_REFLECTIONS]);
}

static rcity_terrain_rays_options make_options(const rcity_job *job, const rcity_tx *tx, double height_m)
{
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    double step_deg = job->number[RCITY_TERRAIN_OPTION_AZIMUTH_STEP];
    bool is_flat = rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_K_FACTOR, "flat");
    options.frequency_hz = tx->stated.frequency_hz;
    options.receiver_height_m = height_m;
    options.azimuth_step_rad = isnan(step_deg) ? 0.0 : step_deg * acos(-1.0) / 180.0;
    options.coarsen = coarsen_of(job);
    options.coarsening = rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_TRIANGLE_HEIGHTS, "mean")
                             ? RCITY_TERRAIN_RAYS_MEAN
                             : RCITY_TERRAIN_RAYS_SUBSAMPLE;
    double limit_db = job->number[RCITY_TERRAIN_OPTION_LOSS_LIMIT];
    options.max_loss_db = isnan(limit_db) ? 0.0 : limit_db;
    options.two_ray = rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_LOSS, "two-ray");
    options.knife_edge = rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_LOSS, "knife-edge");
    options.reflections = (int)lround(job->number[RCITY_TERRAIN_OPTION_MAX_REFLECTIONS]);
    options.earth_factor = is_flat ? 0.0 : rcity_terrain_k_factor(job);
    options.te_share = tx->stated.polarization == RCITY_POLARIZATION_HORIZONTAL ? 1.0
                       : tx->stated.polarization == RCITY_POLARIZATION_VERTICAL ? 0.0
                                                                                : 0.5;
    return options;
}

/* One trace for receivers of one height. */
static rcity_status trace(const rcity_job *job, const rcity_tx *tx, double height_m, rcity_notes *notes,
                          rcity_terrain_rays_field *field)
{
    rcity_terrain_rays_options options = make_options(job, tx, height_m);
    rcity_terrain_rays *rays = NULL;
    rcity_grid_point3 source;
    rcity_status status;
    RCITY_TRY(rcity_shapes_snap(job->context, job->shapes, &tx->position, &source));
    RCITY_TRY_DONE(rcity_terrain_rays_open(job->context, job->device, job->shapes, &options, &rays));
    RCITY_TRY_DONE(rcity_terrain_rays_trace(rays, source, field));
    field->grid.height = NULL; /* goes with the rays */
    if (notes != NULL) {
        RCITY_TRY_DONE(rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "rays", "%lld azimuths over %lld triangles",
                                              (long long)field->ray_count, (long long)field->triangle_count));
    }
done:
    rcity_terrain_rays_close(&rays);
    return status;
}

rcity_status rcity_rays_search_plane(const rcity_job *job, const rcity_tx *tx, double height_m, const float *z_m,
                                     rcity_map *map, float **path_loss_db)
{
    rcity_terrain_rays_field field = {0};
    float *loss_db = NULL;
    float *is_seen = NULL;
    rcity_status status;
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", "loss of the strongest ray to the triangle",
                                 height_m, &loss_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_SIGHT, "line_of_sight", "",
                                 "1 where a ray comes straight from the antenna to the triangle, else 0", height_m,
                                 &is_seen));
    RCITY_TRY_DONE(trace(job, tx, height_m, rcity_map_notes(map), &field));
    *path_loss_db = loss_db;
    rcity_terrain_rays_fill_raster(job->context, job->shapes, &job->raster, &field, z_m, loss_db, is_seen);
done:
    rcity_terrain_rays_field_deinit(job->context, &field);
    return status;
}

/* The points from `first` on that are as high above the ground as that one; those before were served with another. */
static void fill_points(const rcity_job *job, const rcity_terrain_rays_field *field, const rcity_point *positions,
                        int64_t first, const rcity_point_levels *levels)
{
    const rcity_shapes *shapes = job->shapes;
    double height_m = job->receivers->xyh_m[3 * first + 2];
    for (int64_t i = first; i < job->receivers->point_count; i++) {
        const double *at = job->receivers->xyh_m + 3 * i;
        bool is_out = isnan(positions[i].z_m);
        if (!is_out && at[2] != height_m) {
            continue;
        }
        int32_t x = (int32_t)lround((at[0] - shapes->origin_x_m) * shapes->units_per_m);
        int32_t y = (int32_t)lround((at[1] - shapes->origin_y_m) * shapes->units_per_m);
        bool is_seen = false;
        float loss_db = is_out ? NAN : rcity_terrain_rays_loss_db(field, x, y, &is_seen);
        levels->loss_db[i] = loss_db;
        if (levels->mechanism != NULL) {
            levels->mechanism[i] = isnan(loss_db) ? NAN
                                   : is_seen      ? (float)RCITY_MECHANISM_DIRECT
                                                  : (float)RCITY_MECHANISM_HILL;
        }
    }
}

/* Is there no point before it that is as high? */
static bool is_first_of_height(const rcity_job *job, int64_t point)
{
    const double *xyh_m = job->receivers->xyh_m;
    for (int64_t i = 0; i < point; i++) {
        if (xyh_m[3 * i + 2] == xyh_m[3 * point + 2]) {
            return false;
        }
    }
    return true;
}

rcity_status rcity_rays_search_points(const rcity_job *job, const rcity_tx *tx, const rcity_point_levels *levels)
{
    int64_t count = job->receivers->point_count;
    rcity_terrain_rays_field field = {0};
    rcity_point *positions = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)count, sizeof *positions, "receivers", &positions));
    RCITY_TRY_DONE(rcity_receiver_points_fill(job, &tx->position, positions));
    for (int64_t i = 0; i < count; i++) {
        if (is_first_of_height(job, i)) {
            rcity_terrain_rays_field_deinit(job->context, &field);
            RCITY_TRY_DONE(trace(job, tx, job->receivers->xyh_m[3 * i + 2], levels->notes, &field));
            fill_points(job, &field, positions, i, levels);
        }
    }
done:
    rcity_terrain_rays_field_deinit(job->context, &field);
    rcity_release(job->context, positions);
    return status;
}
