/* The method `tiles`: its row in the table. */
#include "method/tiles/tiles.h"

#include <math.h>
#include <string.h>

#include "method/path_receivers.h"
#include "method/surroundings/mean_options.h"
#include "method/tiles/tiles_estimate.h"
#include "method/tiles/tiles_fit.h"
#include "method/tiles/tiles_levels.h"
#include "method/tiles/tiles_mean.h"
#include "method/tiles/tiles_paths.h"
#include "method/tiles/tiles_surfaces.h"

static const rcity_method_option options[RCITY_TILES_OPTION_COUNT] = {
    [RCITY_TILES_MAX_BOUNCES] = {"max-bounces", "3", NULL, 0.0, RCITY_TUBE_EVENT_MAX, "",
                                 "most interactions of a ray, of all kinds together"},
    [RCITY_TILES_MAX_REFLECTIONS] = {"max-reflections", "3", NULL, 0.0, RCITY_TUBE_EVENT_MAX, "",
                                     "most reflections of a ray off walls, roofs and ground"},
    [RCITY_TILES_MAX_DIFFRACTIONS] = {"max-diffractions", "1", NULL, 0.0, RCITY_TUBE_EDGE_MAX, "",
                                      "most diffractions of a ray at edges of buildings and of the terrain"},
    [RCITY_TILES_LOSS_LIMIT_DB] = {"loss-limit-db", "160", NULL, 60.0, 250.0, "dB",
                                   "a ray weaker than this, below the EIRP, is not bounced on"},
    [RCITY_TILES_SUM] = {"sum", "power", "power|coherent", 0.0, 0.0, "",
                         "how rays are added in maps: powers of all, or fields of all"},
    [RCITY_TILES_RX_POLARIZATION] = {"rx-polarization", "vertical", RCITY_RX_POLARIZATION_WORDS, 0.0, 0.0, "",
                                     "of the receivers' antennas; both: one for each, their powers added"},
    [RCITY_TILES_OVER_ROOFS] = {"over-roofs", "on", "on|off", 0.0, 0.0, "",
                                "add the path over all roofs and hills between"},
    [RCITY_TILES_SCATTERING] = {"scattering", "lambertian", "off|lambertian|directive", 0.0, 0.0, "",
                                "diffuse scattering off walls and roofs: spread evenly, or around the reflected ray"},
    [RCITY_TILES_SCATTERING_COEFFICIENT] = {"scattering-coefficient", "0.4", NULL, 0.0, 1.0, "",
                                            "scattered field over incident or reflected field"},
    [RCITY_TILES_SCATTERING_OF] = {"scattering-of", "incident", "incident|reflected", 0.0, 0.0, "",
                                   "the field that the scattering coefficient refers to"},
    [RCITY_TILES_SCATTERING_EXPONENT] = {"scattering-exponent", "4", NULL, 1.0, 100.0, "",
                                         "of the directive lobe: the larger, the narrower"},
    [RCITY_TILES_TILE_AREA_M2] = {"tile-area-m2", "100", NULL, RCITY_TILE_AREA_MIN_M2, RCITY_TILE_AREA_MAX_M2, "m2",
                                  "area that tiles shall have"},
    [RCITY_TILES_WALL_TILE_AREA_M2] = {"wall-tile-area-m2", "all", "all", RCITY_TILE_AREA_MIN_M2,
                                       RCITY_TILE_AREA_MAX_M2, "m2", "the same of walls; all: as of all tiles"},
    [RCITY_TILES_ROOF_TILE_AREA_M2] = {"roof-tile-area-m2", "all", "all", RCITY_TILE_AREA_MIN_M2,
                                       RCITY_TILE_AREA_MAX_M2, "m2", "the same of roofs"},
    [RCITY_TILES_GROUND_TILE_AREA_M2] = {"ground-tile-area-m2", "all", "all", RCITY_TILE_AREA_MIN_M2,
                                         RCITY_TILE_AREA_MAX_M2, "m2", "the same of the ground"},
    [RCITY_TILES_TILE_ORIENTATION] = {"tile-orientation", "outlines", "outlines|axes", 0.0, 0.0, "",
                                      "tiles of roofs along the smallest rectangle around them, or along the axes"},
    [RCITY_TILES_GROUND_AXIS_DEG] = {"ground-axis-deg", "0", NULL, -90.0, 90.0, "deg",
                                     "direction of the ground's tiles, counter-clockwise from the x axis"},
    [RCITY_TILES_GROUND_MARGIN_M] = {"ground-margin-m", "50", NULL, 0.0, 10000.0, "m",
                                     "ground around the buildings that has tiles"},
    [RCITY_TILES_WALL_WIDTH_MIN_M] = {"wall-width-min-m", "0.5", NULL, 0.0, 100.0, "m", "narrower walls have no tiles"},
    [RCITY_TILES_WALL_AREA_MIN_M2] = {"wall-area-min-m2", "2", NULL, 0.0, 10000.0, "m2", "smaller walls have no tiles"},
    [RCITY_TILES_TILE_RANGE_M] = {"tile-range-m", "0", NULL, 0.0, RCITY_TILE_RANGE_MAX_M, "m",
                                  "tiles farther apart do not see each other; 0: no limit"},
    [RCITY_TILES_DIRECT_DB] = {"direct-db", "0", NULL, -60.0, 60.0, "dB", "added to the power of the direct ray"},
    [RCITY_TILES_REFLECTED_DB] = {"reflected-db", "0", NULL, -60.0, 60.0, "dB",
                                  "added to the power of rays that are only reflected"},
    [RCITY_TILES_DIFFRACTED_DB] = {"diffracted-db", "0", NULL, -60.0, 60.0, "dB",
                                   "added to the power of diffracted rays"},
    [RCITY_TILES_ROOFS_DB] = {"roofs-db", "0", NULL, -60.0, 60.0, "dB", "added to the power of paths over roofs"},
    [RCITY_TILES_SCATTERED_DB] = {"scattered-db", "0", NULL, -60.0, 60.0, "dB", "added to scattered power"},
    [RCITY_TILES_SURROUNDINGS] = {"surroundings", "on", "on|off", 0.0, 0.0, "",
                                  "add a diffuse path and draw levels toward the mean of their surroundings, since no "
                                  "map is exact; off: what the map says alone. Only where powers are summed"},
    [RCITY_TILES_DIFFUSE] = RCITY_MEAN_ROW_DIFFUSE,
    [RCITY_TILES_DIFFUSE_ROOF] = RCITY_MEAN_ROW_DIFFUSE_ROOF,
    [RCITY_TILES_DOUBT] = RCITY_MEAN_ROW_DOUBT,
    [RCITY_TILES_DIFFUSE_ELEVATION] = RCITY_MEAN_ROW_DIFFUSE_ELEVATION,
    [RCITY_TILES_DOUBT_DISTANCE] = RCITY_MEAN_ROW_DOUBT_DISTANCE,
};

static rcity_status check(const rcity_job *job, const rcity_tx *tx)
{
    (void)tx;
    static const int whole[] = {RCITY_TILES_MAX_BOUNCES, RCITY_TILES_MAX_REFLECTIONS, RCITY_TILES_MAX_DIFFRACTIONS,
                                RCITY_TILES_SCATTERING_EXPONENT};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        RCITY_CHECK(job->context, job->number[whole[i]] == floor(job->number[whole[i]]), RCITY_ERR_ARGUMENT,
                    "`%s` is %g, must be a whole number", options[whole[i]].name, job->number[whole[i]]);
    }
    double range_m = job->number[RCITY_TILES_TILE_RANGE_M];
    RCITY_CHECK(job->context, range_m == 0.0 || range_m >= RCITY_TILE_RANGE_MIN_M, RCITY_ERR_ARGUMENT,
                "`tile-range-m` is %g, must be 0 (no limit) or at least %g", range_m, RCITY_TILE_RANGE_MIN_M);
    return RCITY_OK;
}

/* The bands of one receiver plane. */
typedef struct tile_bands {
    float *loss_db, *received_dbm, *delay_ns, *delay_spread_ns, *azimuth_deg, *mechanism;
} tile_bands;

static rcity_status add_bands(const rcity_job *job, const rcity_tx *tx, double height_m, rcity_map *map,
                              tile_bands *bands)
{
    bool is_coherent = strcmp(job->option[RCITY_TILES_SUM], "coherent") == 0;
    memset(bands, 0, sizeof *bands);
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB",
                                 is_coherent ? "basic transmission loss, fields of all rays added"
                                             : "basic transmission loss, powers of all rays added",
                                 height_m, &bands->loss_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_DELAY, "mean_delay", "ns", "mean delay of the arriving power",
                                 height_m, &bands->delay_ns));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_DELAY, "delay_spread", "ns", "root mean square delay spread", height_m,
                                 &bands->delay_spread_ns));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_ANGLE, "arrival_azimuth", "deg",
                                 "mean azimuth from which power arrives", height_m, &bands->azimuth_deg));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_CLASS, "mechanism", "",
                                 "that brings most power: 0 direct, 3 roof, 4 reflection, 5 diffraction, 6 diffuse",
                                 height_m, &bands->mechanism));
    RCITY_TRY(rcity_method_name_mechanisms(job->method, map));
    if (!isnan(tx->stated.power_dbm)) {
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm",
                                     "received power of the transmitter", height_m, &bands->received_dbm));
    }
    return RCITY_OK;
}

static void fill_cell(const rcity_tiles_level *level, int64_t cell, const tile_bands *bands)
{
    bands->loss_db[cell] = (float)level->loss_db;
    bands->delay_ns[cell] = (float)(level->mean_delay_s * 1e9);
    bands->delay_spread_ns[cell] = (float)(level->delay_spread_s * 1e9);
    bands->azimuth_deg[cell] = (float)level->arrival_azimuth_deg;
    bands->mechanism[cell] = level->mechanism < 0 ? NAN : (float)level->mechanism;
    if (bands->received_dbm != NULL) {
        bands->received_dbm[cell] = (float)level->received_dbm;
    }
}

static rcity_status evaluate_raster(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map)
{
    const rcity_tiles_prepared *tiles = prepared;
    const rcity_open_receivers *receivers = &tiles->receivers;
    rcity_tiles_weights weights = rcity_tiles_weights_make(job, tx);
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    rcity_tiles_run run;
    rcity_tiles_mean mean;
    rcity_status status;
    RCITY_TRY(rcity_tiles_mean_init(job, trace, tx, &mean));
    RCITY_TRY_DONE(rcity_tiles_run_init(job, trace, tx, false, false, &run));
    RCITY_TRY_DONE(rcity_tiles_run_all(&run));
    int64_t next = 0;
    for (int i = 0; i < job->receivers->height_count; i++) {
        tile_bands bands;
        RCITY_TRY_DONE(add_bands(job, tx, job->receivers->height_m[i], map, &bands));
        for (; next < receivers->open_count && receivers->number[next] < (i + 1) * cell_count; next++) {
            if (rcity_tiles_run_is_near(&run, next)) {
                continue;
            }
            rcity_tiles_level level = rcity_tiles_mean_level(&mean, &weights, &run, next);
            fill_cell(&level, receivers->number[next] - i * cell_count, &bands);
        }
    }
done:
    rcity_tiles_run_deinit(&run);
    rcity_tiles_mean_deinit(job->context, &mean);
    return status;
}

static rcity_status evaluate_points(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *levels)
{
    const rcity_tiles_prepared *tiles = prepared;
    const rcity_open_receivers *receivers = &tiles->receivers;
    rcity_tiles_weights weights = rcity_tiles_weights_make(job, tx);
    rcity_tiles_run run;
    rcity_tiles_mean mean;
    rcity_status status;
    RCITY_TRY(rcity_tiles_mean_init(job, trace, tx, &mean));
    RCITY_TRY_DONE(rcity_tiles_run_init(job, trace, tx, false, false, &run));
    RCITY_TRY_DONE(rcity_tiles_run_all(&run));
    for (int64_t i = 0; i < receivers->count; i++) {
        levels->loss_db[i] = NAN;
        if (levels->received_dbm != NULL) {
            levels->received_dbm[i] = NAN;
        }
        if (levels->mechanism != NULL) {
            levels->mechanism[i] = NAN;
        }
    }
    for (int64_t i = 0; i < receivers->open_count; i++) {
        int64_t at = receivers->number[i];
        if (rcity_tiles_run_is_near(&run, i)) {
            continue;
        }
        rcity_tiles_level level = rcity_tiles_mean_level(&mean, &weights, &run, i);
        levels->loss_db[at] = (float)level.loss_db;
        if (levels->received_dbm != NULL) {
            levels->received_dbm[at] = (float)level.received_dbm;
        }
        if (levels->mechanism != NULL && level.mechanism >= 0) {
            levels->mechanism[at] = (float)level.mechanism;
        }
    }
done:
    rcity_tiles_run_deinit(&run);
    rcity_tiles_mean_deinit(job->context, &mean);
    return status;
}

static rcity_status count_tiles(const rcity_job *job, int64_t *tile_count)
{
    *tile_count = (int64_t)rcity_tiles_guess_count(job);
    return RCITY_OK;
}

static rcity_status evaluate_surfaces(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                      rcity_surfaces **surfaces)
{
    rcity_tiles_run run;
    rcity_status status;
    (void)prepared;
    RCITY_TRY(rcity_tiles_run_init(job, trace, tx, false, true, &run));
    RCITY_TRY_DONE(rcity_tiles_run_all(&run));
    status = rcity_tiles_fill_surfaces(job, tx, &run, surfaces);
done:
    rcity_tiles_run_deinit(&run);
    return status;
}

static rcity_status find_paths(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                               rcity_rays *rays)
{
    rcity_tiles_run run;
    rcity_status status;
    (void)prepared;
    RCITY_TRY(rcity_tiles_run_init(job, trace, tx, true, false, &run));
    RCITY_TRY_DONE(rcity_tiles_run_all(&run));
    status = rcity_tiles_add_paths(job, tx, &run, rays);
done:
    rcity_tiles_run_deinit(&run);
    return status;
}

static rcity_status build_visibility(const rcity_job *job, const char *path, rcity_tile_visibility_info *info)
{
    RCITY_TRY(check(job, NULL));
    return rcity_tiles_build_visibility(job, path, info);
}

static const rcity_mechanism mechanisms[] = {
    RCITY_MECHANISM_DIRECT,      RCITY_MECHANISM_ROOF,    RCITY_MECHANISM_REFLECTION,
    RCITY_MECHANISM_DIFFRACTION, RCITY_MECHANISM_DIFFUSE,
};

#define ORDER_OPTIONS                                                                                                  \
    (RCITY_OPTION_BIT(RCITY_TILES_MAX_BOUNCES) | RCITY_OPTION_BIT(RCITY_TILES_MAX_REFLECTIONS) |                       \
     RCITY_OPTION_BIT(RCITY_TILES_MAX_DIFFRACTIONS))

#define TILING_OPTIONS                                                                                                 \
    (RCITY_OPTION_BIT(RCITY_TILES_TILE_AREA_M2) | RCITY_OPTION_BIT(RCITY_TILES_WALL_TILE_AREA_M2) |                    \
     RCITY_OPTION_BIT(RCITY_TILES_ROOF_TILE_AREA_M2) | RCITY_OPTION_BIT(RCITY_TILES_GROUND_TILE_AREA_M2) |             \
     RCITY_OPTION_BIT(RCITY_TILES_TILE_ORIENTATION) | RCITY_OPTION_BIT(RCITY_TILES_GROUND_AXIS_DEG) |                  \
     RCITY_OPTION_BIT(RCITY_TILES_GROUND_MARGIN_M) | RCITY_OPTION_BIT(RCITY_TILES_WALL_WIDTH_MIN_M) |                  \
     RCITY_OPTION_BIT(RCITY_TILES_WALL_AREA_MIN_M2) | RCITY_OPTION_BIT(RCITY_TILES_TILE_RANGE_M))

/* Maps and points only; paths are those of the map. */
#define MEAN_OPTIONS                                                                                                   \
    (RCITY_OPTION_BIT(RCITY_TILES_SURROUNDINGS) | RCITY_OPTION_BIT(RCITY_TILES_DIFFUSE) |                              \
     RCITY_OPTION_BIT(RCITY_TILES_DIFFUSE_ROOF) | RCITY_OPTION_BIT(RCITY_TILES_DOUBT) |                                \
     RCITY_OPTION_BIT(RCITY_TILES_DIFFUSE_ELEVATION) | RCITY_OPTION_BIT(RCITY_TILES_DOUBT_DISTANCE))

const rcity_method rcity_tiles_method = {
    .info =
        {
            .name = "tiles",
            .text = "fields bounced between tiles of all surfaces: reflection, diffraction, scattering, by a matrix of "
                    "what sees what",
            .effects = RCITY_EFFECT_LINE_OF_SIGHT | RCITY_EFFECT_REFLECTION | RCITY_EFFECT_DIFFRACTION |
                       RCITY_EFFECT_SCATTERING | RCITY_EFFECT_TERRAIN,
            .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS | RCITY_SERVES_SURFACES | RCITY_SERVES_PATHS,
            .option_count = RCITY_TILES_OPTION_COUNT,
        },
    .options = options,
    .uses_visibility = true,
    .knows_antennas = true,
    .mechanism_count = (int)(sizeof mechanisms / sizeof mechanisms[0]),
    .mechanisms = mechanisms,
    .prepare_options = TILING_OPTIONS,
    .order_options = ORDER_OPTIONS,
    .map_options = RCITY_OPTION_BIT(RCITY_TILES_SUM) | MEAN_OPTIONS,
    .visibility_options = TILING_OPTIONS,
    .check = check,
    .estimate = rcity_tiles_estimate,
    .prepare = rcity_tiles_prepare,
    .release_prepared = rcity_tiles_release_prepared,
    .open_workspace = rcity_tiles_open_workspace,
    .close_workspace = rcity_tiles_close_workspace,
    .trace = rcity_tiles_trace,
    .release_trace = rcity_tiles_release_trace,
    .evaluate_raster = evaluate_raster,
    .evaluate_points = evaluate_points,
    .evaluate_surfaces = evaluate_surfaces,
    .count_tiles = count_tiles,
    .find_paths = find_paths,
    .build_visibility = build_visibility,
    .fit = &rcity_tiles_fit,
};
