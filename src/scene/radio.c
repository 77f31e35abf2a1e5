/* Transmitters and receivers in a scene. */
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "radiocity/radio.h"
#include "scene/place/scene_distance.h"
#include "scene/shapes.h"

const char *rcity_polarization_name(rcity_polarization polarization)
{
    switch (polarization) {
    case RCITY_POLARIZATION_VERTICAL:
        return "vertical";
    case RCITY_POLARIZATION_HORIZONTAL:
        return "horizontal";
    case RCITY_POLARIZATION_SLANT:
        return "slant";
    case RCITY_POLARIZATION_SLANT_MINUS:
        return "slant-minus";
    }
    return "unknown";
}

void rcity_transmitter_init(rcity_transmitter *transmitter, size_t struct_bytes)
{
    rcity_transmitter made;
    memset(&made, 0, sizeof made);
    made.height_m = 10.0;
    made.frequency_hz = 2e9;
    made.power_dbm = (double)NAN;
    made.electrical_tilt_deg = (double)NAN;
    made.load = (double)NAN;
    rcity_give_defaults(&made, sizeof made, struct_bytes, transmitter);
}

void rcity_receivers_init(rcity_receivers *receivers, size_t struct_bytes)
{
    static const double street_level_m[] = {1.5};
    rcity_receivers made;
    memset(&made, 0, sizeof made);
    made.x_min_m = made.y_min_m = made.x_max_m = made.y_max_m = (double)NAN;
    made.cell_m = 5.0;
    made.height_count = 1;
    made.height_m = street_level_m;
    rcity_give_defaults(&made, sizeof made, struct_bytes, receivers);
}

static rcity_status check_heights(rcity_context *context, const rcity_receivers *receivers)
{
    RCITY_CHECK(context, receivers->height_count >= 1 && receivers->height_count <= RCITY_RX_HEIGHT_COUNT_MAX,
                RCITY_ERR_ARGUMENT, "there are %d receiver heights, must be 1 to %d", receivers->height_count,
                RCITY_RX_HEIGHT_COUNT_MAX);
    RCITY_NEED(context, receivers->height_m);
    for (int i = 0; i < receivers->height_count; i++) {
        double height_m = receivers->height_m[i];
        RCITY_CHECK(context, height_m >= 0.0 && height_m <= RCITY_RX_HEIGHT_MAX_M, RCITY_ERR_ARGUMENT,
                    "the receiver height is %g m, must be 0 to %g m above ground", height_m, RCITY_RX_HEIGHT_MAX_M);
    }
    return RCITY_OK;
}

rcity_status rcity_receivers_get_raster(rcity_context *context, const rcity_scene *scene,
                                        const rcity_receivers *receivers, rcity_raster *raster)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, receivers);
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_receivers, receivers));
    RCITY_NEED(context, raster);
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_find_info(context, scene, &info));
    RCITY_TRY(check_heights(context, receivers));
    RCITY_CHECK(context, receivers->cell_m >= RCITY_CELL_MIN_M && receivers->cell_m <= RCITY_CELL_MAX_M,
                RCITY_ERR_ARGUMENT, "the cell is %g m, must be %g to %g m", receivers->cell_m, RCITY_CELL_MIN_M,
                RCITY_CELL_MAX_M);
    double x_min_m = isnan(receivers->x_min_m) ? info.x_min_m : receivers->x_min_m;
    double y_min_m = isnan(receivers->y_min_m) ? info.y_min_m : receivers->y_min_m;
    double x_max_m = isnan(receivers->x_max_m) ? info.x_max_m : receivers->x_max_m;
    double y_max_m = isnan(receivers->y_max_m) ? info.y_max_m : receivers->y_max_m;
    RCITY_CHECK(context, x_max_m > x_min_m && y_max_m > y_min_m, RCITY_ERR_ARGUMENT,
                "the receiver area (%.1f, %.1f) to (%.1f, %.1f) is empty; give the lower-left corner first", x_min_m,
                y_min_m, x_max_m, y_max_m);
    RCITY_CHECK(context,
                x_min_m >= info.x_min_m - RCITY_AREA_MARGIN_M && y_min_m >= info.y_min_m - RCITY_AREA_MARGIN_M &&
                    x_max_m <= info.x_max_m + RCITY_AREA_MARGIN_M && y_max_m <= info.y_max_m + RCITY_AREA_MARGIN_M,
                RCITY_ERR_ARGUMENT,
                "the receiver area (%.1f, %.1f) to (%.1f, %.1f) reaches over %g m beyond the scene, which spans (%.1f, "
                "%.1f) to (%.1f, %.1f)",
                x_min_m, y_min_m, x_max_m, y_max_m, RCITY_AREA_MARGIN_M, info.x_min_m, info.y_min_m, info.x_max_m,
                info.y_max_m);
    rcity_raster made;
    made.cell_m = receivers->cell_m;
    made.column_count = (int64_t)ceil((x_max_m - x_min_m) / made.cell_m - 1e-9);
    made.row_count = (int64_t)ceil((y_max_m - y_min_m) / made.cell_m - 1e-9);
    made.column_count = made.column_count < 1 ? 1 : made.column_count;
    made.row_count = made.row_count < 1 ? 1 : made.row_count;
    made.west_m = x_min_m;
    made.north_m = y_min_m + (double)made.row_count * made.cell_m;
    *raster = made;
    return RCITY_OK;
}

double rcity_transmitter_eirp_dbm(const rcity_transmitter *transmitter)
{
    if (transmitter == NULL) {
        return (double)NAN;
    }
    switch (transmitter->power_kind) {
    case RCITY_POWER_EIRP:
        return transmitter->power_dbm;
    case RCITY_POWER_ERP:
        return transmitter->power_dbm + RCITY_DIPOLE_GAIN_DBI;
    case RCITY_POWER_CONDUCTED:
        break;
    }
    rcity_antenna_info info = {.gain_dbi = 0.0};
    if (transmitter->antenna != NULL) {
        rcity_antenna_describe(transmitter->antenna, &info);
    }
    return transmitter->power_dbm - transmitter->cable_loss_db + info.gain_dbi;
}

static rcity_status check_number(rcity_context *context, const char *what, double value, double low, double high,
                                 const char *unit)
{
    RCITY_CHECK(context, value >= low && value <= high, RCITY_ERR_ARGUMENT, "%s is %.10g %s, must be %.10g to %.10g %s",
                what, value, unit, low, high, unit);
    return RCITY_OK;
}

/* Everything about a transmitter that is a number with a range. */
static rcity_status check_transmitter(rcity_context *context, const rcity_transmitter *transmitter)
{
    RCITY_CHECK(context, isfinite(transmitter->x_m) && isfinite(transmitter->y_m), RCITY_ERR_ARGUMENT,
                "the transmitter is at (%g, %g), which is no place", transmitter->x_m, transmitter->y_m);
    RCITY_TRY(check_number(context, "the frequency", transmitter->frequency_hz * 1e-6, RCITY_FREQUENCY_MIN_HZ * 1e-6,
                           RCITY_FREQUENCY_MAX_HZ * 1e-6, "MHz"));
    RCITY_TRY(check_number(context, "the transmitter's height", transmitter->height_m, -RCITY_TX_HEIGHT_MAX_M,
                           RCITY_TX_HEIGHT_MAX_M, "m"));
    if (!isnan(transmitter->power_dbm)) {
        RCITY_TRY(check_number(context, "the transmitter's power", transmitter->power_dbm, RCITY_POWER_MIN_DBM,
                               RCITY_POWER_MAX_DBM, "dBm"));
    }
    RCITY_TRY(check_number(context, "the cable loss", transmitter->cable_loss_db, 0.0, RCITY_CABLE_LOSS_MAX_DB, "dB"));
    RCITY_TRY(check_number(context, "the azimuth", transmitter->azimuth_deg, -360.0, 360.0, "degrees"));
    RCITY_TRY(check_number(context, "the mechanical tilt", transmitter->mechanical_tilt_deg, -90.0, 90.0, "degrees"));
    if (!isnan(transmitter->electrical_tilt_deg)) {
        RCITY_TRY(
            check_number(context, "the electrical tilt", transmitter->electrical_tilt_deg, -90.0, 90.0, "degrees"));
    }
    RCITY_CHECK(context, isnan(transmitter->load) || (transmitter->load >= 0.0 && transmitter->load <= 1.0),
                RCITY_ERR_ARGUMENT, "the transmitter's load is %.10g, must be 0 to 1", transmitter->load);
    return RCITY_OK;
}

/* Ground under a transmitter. Outside a flat scene the ground is flat too; beyond the terrain it is unknown. */
static rcity_status find_ground(rcity_context *context, const rcity_scene *scene, const rcity_scene_info *info,
                                const rcity_transmitter *transmitter, double *ground_m)
{
    double outside_m = rcity_scene_distance_m(info, (const double[2]){transmitter->x_m, transmitter->y_m});
    bool looks_like_degrees = fabs(transmitter->x_m) <= 180.0 && fabs(transmitter->y_m) <= 90.0;
    bool looks_swapped =
        outside_m > 0.0 && rcity_scene_distance_m(info, (const double[2]){transmitter->y_m, transmitter->x_m}) == 0.0;
    RCITY_CHECK(context, outside_m <= RCITY_TX_MARGIN_M, RCITY_ERR_ARGUMENT,
                "the transmitter at (%.10g, %.10g) lies %.1f km outside the scene, which spans (%.2f, %.2f) to (%.2f, "
                "%.2f); at most %g km are taken as free%s",
                transmitter->x_m, transmitter->y_m, outside_m * 1e-3, info->x_min_m, info->y_min_m, info->x_max_m,
                info->y_max_m, RCITY_TX_MARGIN_M * 1e-3,
                looks_swapped ? "; with the two numbers swapped it lies in the scene: x, to the east, comes first"
                : looks_like_degrees ? "; is it longitude and latitude?"
                                     : "");
    if (outside_m == 0.0 || !info->has_terrain) {
        return rcity_scene_get_ground(context, scene, transmitter->x_m, transmitter->y_m, ground_m);
    }
    RCITY_CHECK(
        context, transmitter->is_absolute, RCITY_ERR_ARGUMENT,
        "the transmitter at (%.2f, %.2f) lies %.0f m outside the terrain, so the ground under it is unknown; give "
        "its height above height 0 of the terrain (`tx-absolute`)",
        transmitter->x_m, transmitter->y_m, outside_m);
    *ground_m = -HUGE_VAL;
    return RCITY_OK;
}

rcity_status rcity_transmitter_locate(rcity_context *context, const rcity_scene *scene,
                                      const rcity_transmitter *transmitter, rcity_point *position)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, transmitter);
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_transmitter, transmitter));
    RCITY_NEED(context, position);
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_find_info(context, scene, &info));
    RCITY_TRY(check_transmitter(context, transmitter));
    double ground_m;
    RCITY_TRY(find_ground(context, scene, &info, transmitter, &ground_m));
    double z_m = transmitter->is_absolute ? transmitter->height_m : ground_m + transmitter->height_m;
    RCITY_CHECK(context, z_m > ground_m, RCITY_ERR_ARGUMENT,
                "the transmitter at (%.2f, %.2f) is at %.2f m, the ground there at %.2f m; raise it", transmitter->x_m,
                transmitter->y_m, z_m, ground_m);
    rcity_cover cover;
    RCITY_TRY(rcity_scene_get_cover(context, scene, transmitter->x_m, transmitter->y_m, &cover));
    /* the roof is rounded up to what the user can type */
    double roof_m = ceil(cover.roof_m * 100.0) / 100.0;
    RCITY_CHECK(
        context, !cover.is_covered || z_m >= cover.roof_m, RCITY_ERR_ARGUMENT,
        "the transmitter at (%.2f, %.2f) is %.2f m above ground (at %.2f m), inside building %lld whose roof is "
        "%.2f m above that ground (at %.2f m); raise or move it",
        transmitter->x_m, transmitter->y_m, z_m - ground_m, z_m, (long long)cover.building_id,
        ceil((cover.roof_m - ground_m) * 100.0) / 100.0, roof_m);
    position->x_m = transmitter->x_m;
    position->y_m = transmitter->y_m;
    position->z_m = z_m;
    return RCITY_OK;
}
