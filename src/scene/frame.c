/* Where the local origin lies, and the grid that a scene's extent allows. */
#include "scene/frame.h"

#include <math.h>
#include <string.h>

/* The finest plan grid, and the widest scene it serves: 16 km. Larger scenes take a coarser grid. */
#define UNITS_PER_M_MAX  128
#define EXTENT_MAX_UNITS (1 << 21)

/* Buildings this far beyond the terrain are certainly outside, whatever the grid. */
#define STRAY_M 1.0

int32_t rcity_plan_units_per_m(double extent_m)
{
    int32_t units_per_m = UNITS_PER_M_MAX;
    while (units_per_m > 1 && extent_m * units_per_m > EXTENT_MAX_UNITS) {
        units_per_m /= 2;
    }
    return extent_m * units_per_m <= EXTENT_MAX_UNITS ? units_per_m : 0;
}

static void include_point(double x_m, double y_m, double bounds[4])
{
    bounds[0] = fmin(bounds[0], x_m);
    bounds[1] = fmin(bounds[1], y_m);
    bounds[2] = fmax(bounds[2], x_m);
    bounds[3] = fmax(bounds[3], y_m);
}

/* The box of rings in metres. */
static void include_rings(const rcity_draft_rings *rings, size_t first_ring, size_t ring_count, double bounds[4])
{
    for (size_t point = rings->ring_first[first_ring]; point < rings->ring_first[first_ring + ring_count]; point++) {
        include_point(rings->xy_m[2 * point], rings->xy_m[2 * point + 1], bounds);
    }
}

/* Buildings and terrain, or vegetation where there is neither. Buildings that will be dropped for lying outside the
   terrain must not widen the frame: one stray building would cost precision everywhere. */
static void bound_draft(const rcity_draft *draft, bool drop_invalid, double bounds[4])
{
    const rcity_terrain *terrain = &draft->terrain;
    const double nothing[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    memcpy(bounds, nothing, sizeof nothing);
    if (terrain->column_count > 0) {
        include_point(terrain->west_m, terrain->south_m, bounds);
        include_point(terrain->west_m + (terrain->column_count - 1) * terrain->cell_m,
                      terrain->south_m + (terrain->row_count - 1) * terrain->cell_m, bounds);
    }
    double ground[4];
    memcpy(ground, bounds, sizeof ground);
    bool drops_strays = drop_invalid && terrain->column_count > 0;
    for (size_t i = 0; i < draft->building_count; i++) {
        double box[4];
        memcpy(box, nothing, sizeof box);
        include_rings(&draft->building_rings, draft->buildings[i].first_ring, draft->buildings[i].ring_count, box);
        if (!drops_strays || (box[0] >= ground[0] - STRAY_M && box[1] >= ground[1] - STRAY_M &&
                              box[2] <= ground[2] + STRAY_M && box[3] <= ground[3] + STRAY_M)) {
            include_point(box[0], box[1], bounds);
            include_point(box[2], box[3], bounds);
        }
    }
    if (bounds[0] > bounds[2] && draft->vegetation_count > 0) {
        include_rings(&draft->vegetation_rings, 0, draft->vegetation_rings.ring_count, bounds);
    }
}

/* Why the grid is coarse: buildings far apart, or terrain that is wide by itself. */
static void warn_of_width(rcity_context *context, const rcity_draft *draft, const double bounds[4], double extent_m,
                          int32_t units_per_m)
{
    const rcity_terrain *terrain = &draft->terrain;
    int side_count = terrain->column_count > terrain->row_count ? terrain->column_count : terrain->row_count;
    bool is_wide_terrain = side_count > 0 && rcity_plan_units_per_m((side_count - 1) * terrain->cell_m) <= units_per_m;
    if (draft->building_count == 0 || is_wide_terrain) {
        rcity_log(context, RCITY_LOG_WARNING,
                  "the scene is %.1f km wide, so the grid is coarse: corners are snapped to 1/%d m", extent_m / 1000.0,
                  units_per_m);
        return;
    }
    rcity_log(
        context, RCITY_LOG_WARNING,
        "the scene spans %.1f km from (%.0f, %.0f): corners are snapped to 1/%d m; a stray building far away costs "
        "precision everywhere",
        extent_m / 1000.0, bounds[0], bounds[1], units_per_m);
}

/* The local origin on whole metres, and the grid that fits the extent. */
rcity_status rcity_frame_choose(rcity_context *context, const rcity_draft *draft, bool drop_invalid,
                                rcity_shapes *shapes)
{
    double bounds[4];
    bound_draft(draft, drop_invalid, bounds);
    RCITY_CHECK(context, bounds[0] <= bounds[2] || draft->dropped_count == 0, RCITY_ERR_GEOMETRY,
                "all %lld buildings were dropped; see what is wrong with them without `bad-buildings=drop`",
                (long long)draft->dropped_count);
    RCITY_CHECK(context, bounds[0] <= bounds[2], RCITY_ERR_ARGUMENT,
                "the scene has neither a building nor terrain nor vegetation; add some before commit");
    /* where the corners lie once snapped, so that a scene read back from its own corners has the same origin */
    shapes->origin_x_m = floor(bounds[0] + 0.5 / UNITS_PER_M_MAX);
    shapes->origin_y_m = floor(bounds[1] + 0.5 / UNITS_PER_M_MAX);
    double extent_m = fmax(bounds[2] - shapes->origin_x_m, bounds[3] - shapes->origin_y_m);
    int32_t units_per_m = rcity_plan_units_per_m(extent_m);
    RCITY_CHECK(context, units_per_m > 0, RCITY_ERR_ARGUMENT,
                "the scene is %.0f km wide, must be at most %.0f km; cut it, and check that its CRS is in metres",
                extent_m / 1000.0, EXTENT_MAX_UNITS / 1000.0);
    shapes->units_per_m = units_per_m;
    if (units_per_m < UNITS_PER_M_MAX) {
        warn_of_width(context, draft, bounds, extent_m, units_per_m);
    }
    return RCITY_OK;
}
