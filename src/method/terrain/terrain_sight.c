/* One sweep over the ground for all cells of a raster. */
#include "method/terrain/terrain_sight.h"

#include <math.h>

#include "method/ground_filter.h"
#include "method/terrain/terrain_options.h"

/* The targets of a raster, and the sweep. */
typedef struct sight_sweep {
    rcity_ground_sight sight;
    rcity_grid_point3 source;
    rcity_ground_targets targets;
    int32_t *coordinates; /* of the targets */
} sight_sweep;

static bool asks_for(const rcity_job *job, int option_index)
{
    return rcity_terrain_option_is(job, option_index, "on");
}

/* Does the transmitter stand on the elevation grid? */
static bool stands_on_grid(const rcity_job *job, const rcity_tx *tx)
{
    const rcity_shapes *shapes = job->shapes;
    const rcity_terrain_grid *terrain = &shapes->terrain;
    double units = shapes->units_per_m;
    double x = (tx->position.x_m - shapes->origin_x_m) * units;
    double y = (tx->position.y_m - shapes->origin_y_m) * units;
    return terrain->column_count > 0 && x >= terrain->west && y >= terrain->south &&
           x <= terrain->west + (double)terrain->cell * (terrain->column_count - 1) &&
           y <= terrain->south + (double)terrain->cell * (terrain->row_count - 1);
}

/* Without coordinates there is nothing to sweep. */
static rcity_status open_sweep(const rcity_job *job, const rcity_tx *tx, double height_m, sight_sweep *sweep)
{
    bool is_flat = rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_K_FACTOR, "flat");
    RCITY_TRY(rcity_ground_filter_list(job, (int32_t)ceil(height_m * RCITY_HEIGHT_UNITS_PER_M), &sweep->coordinates,
                                       &sweep->targets));
    if (sweep->coordinates == NULL) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_shapes_snap(job->context, job->shapes, &tx->position, &sweep->source));
    return rcity_ground_sight_init(job->context, job->shapes, is_flat ? 0.0 : rcity_terrain_k_factor(job),
                                   &sweep->sight);
}

/* Cells without a receiver have no value in any band. */
static void blank(const rcity_job *job, const float *is_visible, float *band)
{
    for (int64_t cell = 0; cell < job->raster.column_count * job->raster.row_count; cell++) {
        band[cell] = isnan(is_visible[cell]) ? NAN : band[cell];
    }
}

static rcity_status correct_sight(const rcity_job *job, const sight_sweep *sweep, bool has_cover, float *is_visible,
                                  float *mechanism)
{
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    uint8_t *seen = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, cell_count, sizeof *seen, "the line of sight", &seen));
    RCITY_TRY_DONE(rcity_ground_sight_fill(&sweep->sight, NULL, sweep->source, &sweep->targets, seen, NULL));
    for (size_t cell = 0; cell < cell_count; cell++) {
        if (isnan(is_visible[cell]) || seen[cell] == RCITY_GROUND_NOWHERE) {
            continue;
        }
        bool was_visible = is_visible[cell] > 0.0f;
        bool is_free = seen[cell] != RCITY_GROUND_HIDDEN && (was_visible || !has_cover);
        is_visible[cell] = is_free ? 1.0f : 0.0f;
        if (is_free != was_visible) {
            mechanism[cell] = is_free ? (float)RCITY_MECHANISM_DIRECT : (float)RCITY_MECHANISM_HILL;
        }
    }
done:
    rcity_release(job->context, seen);
    return status;
}

/* The heights that receivers need, or NAN where nothing is swept. */
static rcity_status add_needed(const rcity_job *job, double height_m, const sight_sweep *sweep, const float *is_visible,
                               rcity_map *map)
{
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    float *needed_m = NULL;
    float *error_m = NULL;
    rcity_status status = RCITY_OK;
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_OTHER, "required_height", "m",
                                 "height above the ground at which a receiver sees the antenna over bare ground",
                                 height_m, &needed_m));
    for (size_t cell = 0; cell < cell_count; cell++) {
        needed_m[cell] = NAN;
    }
    if (sweep != NULL) {
        RCITY_TRY_DONE(rcity_alloc(job->context, cell_count, sizeof *error_m, "required heights", &error_m));
        RCITY_TRY_DONE(rcity_ground_sight_needed(&sweep->sight, sweep->source, &sweep->targets, needed_m, error_m));
        blank(job, is_visible, needed_m);
    }
done:
    rcity_release(job->context, error_m);
    return status;
}

static rcity_status add_clearance(const rcity_job *job, const rcity_tx *tx, double height_m, const sight_sweep *sweep,
                                  const float *is_visible, rcity_map *map)
{
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    float *clearance = NULL;
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_RATIO, "fresnel_clearance", "",
                                 "least distance of the line from bare ground, over 0.6 of the radius of the first "
                                 "Fresnel zone; 1 and more is free, below 0 hidden",
                                 height_m, &clearance));
    for (size_t cell = 0; cell < cell_count; cell++) {
        clearance[cell] = NAN;
    }
    if (sweep != NULL) {
        RCITY_TRY(rcity_ground_sight_clearance(&sweep->sight, sweep->source, &sweep->targets, tx->stated.frequency_hz,
                                               clearance));
        blank(job, is_visible, clearance);
    }
    return RCITY_OK;
}

rcity_status rcity_terrain_sight_add(const rcity_job *job, const rcity_tx *tx, double height_m, bool has_cover,
                                     rcity_map *map, float *is_visible, float *mechanism)
{
    sight_sweep made = {.sight = {.context = job->context}};
    rcity_status status = RCITY_OK;
    if (stands_on_grid(job, tx)) {
        RCITY_TRY_DONE(open_sweep(job, tx, height_m, &made));
    }
    const sight_sweep *sweep = made.coordinates != NULL ? &made : NULL;
    if (sweep != NULL) {
        RCITY_TRY_DONE(correct_sight(job, sweep, has_cover, is_visible, mechanism));
    }
    if (asks_for(job, RCITY_TERRAIN_OPTION_REQUIRED_HEIGHT)) {
        RCITY_TRY_DONE(add_needed(job, height_m, sweep, is_visible, map));
    }
    if (asks_for(job, RCITY_TERRAIN_OPTION_CLEARANCE)) {
        RCITY_TRY_DONE(add_clearance(job, tx, height_m, sweep, is_visible, map));
    }
done:
    rcity_ground_sight_deinit(&made.sight);
    rcity_release(job->context, made.coordinates);
    return status;
}

double rcity_terrain_sight_bytes(const rcity_job *job)
{
    const rcity_terrain_grid *terrain = &job->shapes->terrain;
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double bands = asks_for(job, RCITY_TERRAIN_OPTION_REQUIRED_HEIGHT) + asks_for(job, RCITY_TERRAIN_OPTION_CLEARANCE);
    return terrain->column_count < 2 ? 0.0
                                     : cells * (sizeof(uint8_t) + sizeof(float) +
                                                bands * (double)job->receivers->height_count * sizeof(float));
}
