/* The method `images`: its row in the table, and maps from paths. */
#include "method/images/images.h"

#include <math.h>
#include <string.h>

#include "method/images/images_find.h"
#include "method/images/images_receivers.h"

#define PIECE_CELLS 4096 /* cells of a raster that are traced in one go: their paths are kept until then */

static const rcity_method_option options[RCITY_IMAGES_OPTION_COUNT] = {
    [RCITY_IMAGES_MAX_REFLECTIONS] = {"max-reflections", "2", NULL, 0.0, 6.0, "",
                                      "most reflections of a path off walls, roofs and ground"},
    [RCITY_IMAGES_MAX_DIFFRACTIONS] = {"max-diffractions", "1", NULL, 0.0, 2.0, "",
                                       "most diffractions of a path at vertical edges and roof edges"},
    [RCITY_IMAGES_MAX_TRANSMISSIONS] = {"max-transmissions", "0", NULL, 0.0, 16.0, "",
                                        "most walls and roofs a path goes through"},
    [RCITY_IMAGES_OVER_ROOFS] = {"over-roofs", "on", "on|off", 0.0, 0.0, "",
                                 "add a path over all roofs and hills between, bent in the vertical plane"},
    [RCITY_IMAGES_GROUND] = {"ground", "on", "on|off", 0.0, 0.0, "", "off: the ground does not reflect"},
    [RCITY_IMAGES_ROOFS] = {"roofs", "on", "on|off", 0.0, 0.0, "", "off: roofs do not reflect"},
    [RCITY_IMAGES_RX_POLARIZATION] = {"rx-polarization", "vertical", "vertical|horizontal|slant|slant-minus|both", 0.0,
                                      0.0, "", "of the receivers' antennas; both: one for each, their powers added"},
    [RCITY_IMAGES_SUM] = {RCITY_OPTION_SUM, "power", "power|coherent", 0.0, 0.0, "",
                          "how paths are added in maps: powers, as an average over some wavelengths, or fields"},
};

static rcity_status check(const rcity_job *job)
{
    static const int orders[] = {RCITY_IMAGES_MAX_REFLECTIONS, RCITY_IMAGES_MAX_DIFFRACTIONS,
                                 RCITY_IMAGES_MAX_TRANSMISSIONS};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        RCITY_CHECK(job->context, job->number[orders[i]] == floor(job->number[orders[i]]), RCITY_ERR_ARGUMENT,
                    "`%s` is %g, must be a whole number", options[orders[i]].name, job->number[orders[i]]);
    }
    return RCITY_OK;
}

static bool is_coherent(const rcity_job *job)
{
    return strcmp(job->option[RCITY_IMAGES_SUM], "coherent") == 0;
}

/* What a receiver takes on one core in a dense centre, about: ten times as much with each reflection. In open places
   with thousands of paths it is more, in the country less, and no one knows before. Small scenes have few walls to
   reflect. */
static double receiver_seconds(const rcity_job *job)
{
    double reflections = job->number[RCITY_IMAGES_MAX_REFLECTIONS];
    double diffractions = job->number[RCITY_IMAGES_MAX_DIFFRACTIONS];
    double walls_seen = fmin(10.0, 1.0 + (double)job->shapes->facade_count / 20.0);
    double share = fmin(1.0, (double)job->shapes->facade_count / 5000.0);
    double unreflected_s = 2e-5 + (diffractions > 1.0 ? 0.015 : diffractions > 0.0 ? 2e-4 : 0.0) * share;
    return unreflected_s * pow(walls_seen, reflections);
}

/* At least: the bands beyond those every map has, and the receivers of a piece or of the points. How many beams there
   will be no one knows before they are made. */
static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    const double own_bands = 2.0;
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double points = (double)job->receivers->point_count;
    double held = points > 0.0 ? points : fmin(cells, PIECE_CELLS);
    double receivers = cells * job->receivers->height_count + points;
    *memory_bytes =
        (uint64_t)(cells * job->receivers->height_count * own_bands * sizeof(float) +
                   held * (sizeof(rcity_receiver_summary) + sizeof(rcity_point) + sizeof(rcity_receiver_state)));
    *seconds = receivers * receiver_seconds(job) / rcity_context_thread_count(job->context);
    return RCITY_OK;
}

/* The bands of one receiver plane. */
typedef struct image_bands {
    float *loss_db, *received_dbm, *delay_spread_ns, *azimuth_spread_deg, *k_factor_db;
} image_bands;

static rcity_status add_bands(const rcity_job *job, double height_m, rcity_map *map, image_bands *bands)
{
    memset(bands, 0, sizeof *bands);
    RCITY_TRY(rcity_map_add_band(map, "path_loss", "dB",
                                 is_coherent(job) ? "basic transmission loss, fields of all paths added"
                                                  : "basic transmission loss, powers of all paths added",
                                 height_m, &bands->loss_db));
    RCITY_TRY(rcity_map_add_band(map, "delay_spread", "ns", "root mean square delay spread", height_m,
                                 &bands->delay_spread_ns));
    RCITY_TRY(rcity_map_add_band(map, "arrival_azimuth_spread", "deg", "circular spread of the azimuths of arrival",
                                 height_m, &bands->azimuth_spread_deg));
    RCITY_TRY(rcity_map_add_band(map, "k_factor", "dB", "power of the strongest path over that of all others", height_m,
                                 &bands->k_factor_db));
    if (!isnan(job->transmitters[0].power_dbm)) {
        RCITY_TRY(rcity_map_add_band(map, "received_power", "dBm",
                                     is_coherent(job) ? "received power of the transmitter, fields of all paths added"
                                                      : "received power of the transmitter, powers of all paths added",
                                     height_m, &bands->received_dbm));
    }
    return RCITY_OK;
}

/* What is not finite is no value: nothing arrives there. */
static float as_value(double value)
{
    return isfinite(value) ? (float)value : NAN;
}

static double loss_of(const rcity_job *job, const rcity_receiver_summary *summary)
{
    return is_coherent(job) ? summary->coherent_loss_db : summary->loss_db;
}

static double received_of(const rcity_job *job, const rcity_receiver_summary *summary)
{
    double more_db = is_coherent(job) ? summary->coherent_gain_db - summary->gain_db : 0.0;
    return summary->received_dbm + more_db;
}

static rcity_status take_cells(const rcity_job *job, const rcity_rays *rays, int64_t first, const image_bands *bands)
{
    for (int64_t i = 0; i < rcity_rays_receiver_count(rays); i++) {
        rcity_receiver_summary summary;
        RCITY_TRY(rcity_rays_get_receiver(rays, i, &summary));
        bands->loss_db[first + i] = as_value(loss_of(job, &summary));
        bands->delay_spread_ns[first + i] = as_value(summary.delay_spread_s * 1e9);
        bands->azimuth_spread_deg[first + i] = as_value(summary.arrival_azimuth_spread_deg);
        bands->k_factor_db[first + i] = as_value(summary.k_factor_db);
        if (bands->received_dbm != NULL) {
            bands->received_dbm[first + i] = as_value(received_of(job, &summary));
        }
    }
    return RCITY_OK;
}

static rcity_status evaluate_piece(const rcity_job *job, const void *kept, int height_index, int64_t first,
                                   int64_t count, const image_bands *bands, int64_t *near_count)
{
    rcity_rays *rays = NULL;
    rcity_status status;
    RCITY_TRY(rcity_images_open_cells(job, height_index, first, count, &rays));
    RCITY_TRY_DONE(rcity_images_find(job, kept, rays));
    RCITY_TRY_DONE(rcity_rays_finish(rays));
    *near_count += rcity_rays_count_state(rays, RCITY_RECEIVER_AT_SENDER);
    status = take_cells(job, rays, first, bands);
done:
    rcity_rays_destroy(&rays);
    return status;
}

static rcity_status evaluate_raster(const rcity_job *job, const void *kept, int tx_index, rcity_map *map)
{
    (void)tx_index;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    int64_t near_count = 0;
    RCITY_TRY(rcity_images_report_materials(job, rcity_map_notes(map)));
    for (int i = 0; i < job->receivers->height_count; i++) {
        image_bands bands;
        RCITY_TRY(add_bands(job, job->receivers->height_m[i], map, &bands));
        for (int64_t first = 0; first < cell_count; first += PIECE_CELLS) {
            int64_t count = cell_count - first < PIECE_CELLS ? cell_count - first : PIECE_CELLS;
            RCITY_TRY(evaluate_piece(job, kept, i, first, count, &bands, &near_count));
        }
    }
    return rcity_images_report_near(job, near_count, cell_count * job->receivers->height_count, rcity_map_notes(map));
}

/* What the strongest path does, by what changes it most. */
enum { DIRECT, REFLECTED, DIFFRACTED, OVER_ROOFS, TRANSMITTED, MECHANISM_COUNT };

static const char *const mechanism_names[MECHANISM_COUNT] = {
    [DIRECT] = "direct",         [REFLECTED] = "reflection",     [DIFFRACTED] = "diffraction",
    [OVER_ROOFS] = "over roofs", [TRANSMITTED] = "transmission",
};

static rcity_status find_mechanism(const rcity_rays *rays, const rcity_receiver_summary *summary, float *mechanism)
{
    static const int by_kind[] = {
        [RCITY_EVENT_REFLECTION] = REFLECTED,
        [RCITY_EVENT_DIFFRACTION] = DIFFRACTED,
        [RCITY_EVENT_TRANSMISSION] = TRANSMITTED,
        [RCITY_EVENT_OVER_ROOFS] = OVER_ROOFS,
    };
    rcity_path path;
    int found = DIRECT;
    *mechanism = NAN;
    if (summary->path_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_rays_get_path(rays, summary->path_first, &path));
    for (int i = 0; i < path.event_count; i++) {
        int kind = by_kind[path.events[i].kind];
        found = kind > found ? kind : found;
    }
    *mechanism = (float)found;
    return RCITY_OK;
}

static rcity_status evaluate_points(const rcity_job *job, const void *kept, int tx_index,
                                    const rcity_point_levels *levels)
{
    (void)tx_index;
    rcity_rays *rays = NULL;
    rcity_status status;
    RCITY_TRY(rcity_images_open_points(job, &rays));
    RCITY_TRY_DONE(rcity_images_report_materials(job, rcity_rays_notes(rays)));
    RCITY_TRY_DONE(rcity_images_report_near(job, rcity_rays_count_state(rays, RCITY_RECEIVER_AT_SENDER),
                                            rcity_rays_receiver_count(rays), NULL));
    RCITY_TRY_DONE(rcity_images_find(job, kept, rays));
    RCITY_TRY_DONE(rcity_rays_finish(rays));
    for (int64_t i = 0; i < rcity_rays_receiver_count(rays); i++) {
        rcity_receiver_summary summary;
        RCITY_TRY_DONE(rcity_rays_get_receiver(rays, i, &summary));
        levels->loss_db[i] = as_value(loss_of(job, &summary));
        levels->received_dbm[i] = as_value(received_of(job, &summary));
        if (levels->mechanism != NULL) {
            RCITY_TRY_DONE(find_mechanism(rays, &summary, &levels->mechanism[i]));
        }
    }
done:
    rcity_rays_destroy(&rays);
    return status;
}

const rcity_method rcity_images_method = {
    .info =
        {
            .name = "images",
            .text = "exact paths by images: reflection, diffraction, transmission; for links and small rasters",
            .effects = RCITY_EFFECT_LINE_OF_SIGHT | RCITY_EFFECT_REFLECTION | RCITY_EFFECT_DIFFRACTION |
                       RCITY_EFFECT_TRANSMISSION | RCITY_EFFECT_TERRAIN,
            .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
            .option_count = RCITY_IMAGES_OPTION_COUNT,
            .options = options,
        },
    .knows_antennas = true,
    .mechanism_count = MECHANISM_COUNT,
    .mechanism_names = mechanism_names,
    .keeps = "paths",
    .check = check,
    .estimate = estimate,
    .prepare = rcity_images_prepare,
    .release_prepared = rcity_images_release_prepared,
    .trace = rcity_images_trace,
    .release_traced = rcity_images_release_traced,
    .evaluate_raster = evaluate_raster,
    .evaluate_points = evaluate_points,
};
