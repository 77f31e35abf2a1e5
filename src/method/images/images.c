/* The method `images`: its row in the table, and maps from paths. */
#include "method/images/images.h"

#include <math.h>
#include <string.h>

#include "method/images/images_find.h"
#include "method/images/images_points.h"
#include "method/images/images_receivers.h"
#include "method/images/scatter/scatter.h"

static const rcity_method_option options[RCITY_IMAGES_OPTION_COUNT] = {
    [RCITY_IMAGES_MAX_REFLECTIONS] = {"max-reflections", "2", NULL, 0.0, 6.0, "",
                                      "most reflections of a path off walls, roofs and ground"},
    [RCITY_IMAGES_MAX_DIFFRACTIONS] = {"max-diffractions", "1", NULL, 0.0, 2.0, "",
                                       "most diffractions of a path at vertical edges and roof edges"},
    [RCITY_IMAGES_MAX_TRANSMISSIONS] = {"max-transmissions", "0", NULL, 0.0, 16.0, "",
                                        "most walls and roofs a path goes through"},
    [RCITY_IMAGES_OVER_ROOFS] = {"over-roofs", "on", "on|off", 0.0, 0.0, "",
                                 "add a path over all roofs and hills between, diffracted in the vertical plane"},
    [RCITY_IMAGES_ROOF_FORM] = {"roof-form", "screens", "screens|flat|gable", 0.0, 0.0, "",
                                "roofs in over-roof paths: two screens, a smooth flat top between them, or one ridge"},
    [RCITY_IMAGES_GROUND] = {"ground", "on", "on|off", 0.0, 0.0, "", "off: the ground does not reflect"},
    [RCITY_IMAGES_ROOFS] = {"roofs", "on", "on|off", 0.0, 0.0, "", "off: roofs do not reflect"},
    [RCITY_IMAGES_RX_POLARIZATION] = {"rx-polarization", "vertical", RCITY_RX_POLARIZATION_WORDS, 0.0, 0.0, "",
                                      "of the receivers' antennas; both: one for each, their powers added"},
    [RCITY_IMAGES_SUM] =
        {"sum", "grouped", "grouped|power|coherent", 0.0, 0.0, "",
         "how paths are added in maps: fields of a ray and its edges' and powers of such groups; powers "
         "of all; fields of all"},
    [RCITY_IMAGES_SCATTERING] = {"scattering", "off", "off|lambertian|directive", 0.0, 0.0, "",
                                 "diffuse scattering off walls and roofs: spread evenly, or around the reflected ray"},
    [RCITY_IMAGES_SCATTERING_COEFFICIENT] = {"scattering-coefficient", "0.4", NULL, 0.0, 1.0, "",
                                             "scattered field over incident or reflected field"},
    [RCITY_IMAGES_SCATTERING_OF] = {"scattering-of", "incident", "incident|reflected", 0.0, 0.0, "",
                                    "the field that the scattering coefficient refers to"},
    [RCITY_IMAGES_SCATTERING_EXPONENT] = {"scattering-exponent", "4", NULL, 1.0, 100.0, "",
                                          "of the directive lobe: the larger, the narrower"},
    [RCITY_IMAGES_SCATTERING_RANGE_M] = {"scattering-range-m", "1000", NULL, 1.0, 100000.0, "m",
                                         "largest distance of a scattering wall from the nearer antenna"},
    [RCITY_IMAGES_SCATTERING_TILE_M] =
        {"scattering-tile-m", "10", NULL, 0.1, 1000.0, "m",
         "largest size of the tiles of scattering walls, a fifth of the distance if less"},
    [RCITY_IMAGES_SCATTERING_NEAR_M] = {"scattering-near-m", "0", NULL, 0.0, 10000.0, "m",
                                        "walls and roofs this near to an antenna also scatter at the end of reflected, "
                                        "diffracted and over-roof paths"},
    [RCITY_IMAGES_SCATTERING_NEAR] = {"scattering-near", "both", "both|transmitter|receiver", 0.0, 0.0, "",
                                      "the antennas whose surroundings scatter at the end of other paths"},
};

static rcity_status check(const rcity_job *job, const rcity_tx *tx)
{
    (void)tx;
    static const int orders[] = {RCITY_IMAGES_MAX_REFLECTIONS, RCITY_IMAGES_MAX_DIFFRACTIONS,
                                 RCITY_IMAGES_MAX_TRANSMISSIONS, RCITY_IMAGES_SCATTERING_EXPONENT};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        RCITY_CHECK(job->context, job->number[orders[i]] == floor(job->number[orders[i]]), RCITY_ERR_ARGUMENT,
                    "`%s` is %g, must be a whole number", options[orders[i]].name, job->number[orders[i]]);
    }
    return RCITY_OK;
}

static rcity_images_sum read_sum(const rcity_job *job)
{
    return rcity_images_read_sum(job->option[RCITY_IMAGES_SUM]);
}

/* Approximate seconds that a receiver takes on one core in a dense city centre: ten times as much with each reflection.
   Open places with thousands of paths take more, the country less; this is not known beforehand. Small scenes have few
   walls to reflect. */
static double receiver_seconds(const rcity_job *job)
{
    double reflections = job->number[RCITY_IMAGES_MAX_REFLECTIONS];
    double diffractions = job->number[RCITY_IMAGES_MAX_DIFFRACTIONS];
    double walls_seen = fmin(10.0, 1.0 + (double)job->shapes->facade_count / 20.0);
    double share = fmin(1.0, (double)job->shapes->facade_count / 5000.0);
    rcity_scatter_options scattering = rcity_scatter_read(job);
    double patches = (scattering.near_transmitter + scattering.near_receivers) * scattering.near_m; /* one a metre */
    double unreflected_s = 2e-5 + (diffractions > 1.0 ? 0.015 : diffractions > 0.0 ? 2e-4 : 0.0) * share;
    return unreflected_s * pow(walls_seen, reflections) * (1.0 + patches);
}

/* A lower limit: the bands beyond those that every map has, and the receivers of a piece or of the points. The number
   of beams is not known before they are made. */
static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    const double own_bands = 2.0;
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double points = (double)job->receivers->point_count;
    double held = points > 0.0 ? points : fmin(cells, RCITY_IMAGES_PIECE_CELLS);
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

static rcity_status add_bands(const rcity_job *job, const rcity_tx *tx, double height_m, rcity_map *map,
                              image_bands *bands)
{
    static const char *const loss_texts[] = {
        [RCITY_IMAGES_GROUPED] =
            "basic transmission loss, fields of a ray and its edges added, powers of such groups added",
        [RCITY_IMAGES_POWER] = "basic transmission loss, powers of all paths added",
        [RCITY_IMAGES_COHERENT] = "basic transmission loss, fields of all paths added"};
    static const char *const power_texts[] = {
        [RCITY_IMAGES_GROUPED] =
            "received power of the transmitter, fields of a ray and its edges added, powers of such groups added",
        [RCITY_IMAGES_POWER] = "received power of the transmitter, powers of all paths added",
        [RCITY_IMAGES_COHERENT] = "received power of the transmitter, fields of all paths added"};
    memset(bands, 0, sizeof *bands);
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", loss_texts[read_sum(job)], height_m,
                                 &bands->loss_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_DELAY, "delay_spread", "ns", "root mean square delay spread", height_m,
                                 &bands->delay_spread_ns));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_ANGLE, "arrival_azimuth_spread", "deg",
                                 "circular spread of the azimuths of arrival", height_m, &bands->azimuth_spread_deg));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_RATIO, "k_factor", "dB",
                                 "power of the strongest path over that of all others", height_m, &bands->k_factor_db));
    if (!isnan(tx->stated.power_dbm)) {
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm", power_texts[read_sum(job)],
                                     height_m, &bands->received_dbm));
    }
    return RCITY_OK;
}

static rcity_status take_cells(const rcity_job *job, const rcity_rays *rays, int64_t first, const image_bands *bands)
{
    for (int64_t i = 0; i < rcity_rays_receiver_count(rays); i++) {
        rcity_receiver_summary summary;
        RCITY_TRY(rcity_rays_get_receiver(rays, i, &summary));
        bands->loss_db[first + i] = rcity_images_value(rcity_images_loss_db(read_sum(job), &summary));
        bands->delay_spread_ns[first + i] = rcity_images_value(summary.delay_spread_s * 1e9);
        bands->azimuth_spread_deg[first + i] = rcity_images_value(summary.arrival_azimuth_spread_deg);
        bands->k_factor_db[first + i] = rcity_images_value(summary.k_factor_db);
        if (bands->received_dbm != NULL) {
            bands->received_dbm[first + i] = rcity_images_value(rcity_images_received_dbm(read_sum(job), &summary));
        }
    }
    return RCITY_OK;
}

static rcity_status evaluate_piece(const rcity_job *job, const rcity_images_traced *traced, const rcity_tx *tx,
                                   int height_index, int64_t first, int64_t count, const image_bands *bands,
                                   int64_t *near_count)
{
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    rcity_images_asked asked = rcity_images_ask(job);
    rcity_rays *rays = NULL;
    rcity_status status;
    RCITY_TRY(rcity_images_open_cells(job, tx, height_index, first, count, &rays));
    RCITY_TRY_DONE(rcity_images_find(job, &asked, traced, tx, cell_count * height_index + first, rays));
    RCITY_TRY_DONE(rcity_rays_finish(rays));
    *near_count += rcity_rays_count_state(rays, RCITY_RECEIVER_NEAR_FIELD);
    status = take_cells(job, rays, first, bands);
done:
    rcity_rays_destroy(&rays);
    return status;
}

static rcity_status evaluate_raster(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map)
{
    (void)prepared;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    int64_t near_count = 0;
    RCITY_TRY(rcity_images_report_materials(job, tx, rcity_map_notes(map)));
    for (int i = 0; i < job->receivers->height_count; i++) {
        image_bands bands;
        RCITY_TRY(add_bands(job, tx, job->receivers->height_m[i], map, &bands));
        for (int64_t first = 0; first < cell_count; first += RCITY_IMAGES_PIECE_CELLS) {
            int64_t count =
                cell_count - first < RCITY_IMAGES_PIECE_CELLS ? cell_count - first : RCITY_IMAGES_PIECE_CELLS;
            RCITY_TRY(evaluate_piece(job, trace, tx, i, first, count, &bands, &near_count));
        }
    }
    return rcity_images_report_near(job, tx, near_count, cell_count * job->receivers->height_count,
                                    rcity_map_notes(map));
}

static const rcity_mechanism mechanisms[] = {
    RCITY_MECHANISM_DIRECT, RCITY_MECHANISM_REFLECTION, RCITY_MECHANISM_DIFFRACTION,
    RCITY_MECHANISM_ROOF,   RCITY_MECHANISM_WALLS,
};

#define MECHANISM_COUNT ((int)(sizeof mechanisms / sizeof mechanisms[0]))

static rcity_status evaluate_points(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *levels)
{
    (void)prepared;
    rcity_images_asked asked = rcity_images_ask(job);
    return rcity_images_fill_points(job, &asked, trace, tx, read_sum(job), levels);
}

static rcity_status find_paths(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                               rcity_rays *rays)
{
    (void)prepared;
    RCITY_TRY(rcity_images_report_materials(job, tx, rcity_rays_notes(rays)));
    rcity_images_asked asked = rcity_images_ask(job);
    return rcity_images_find(job, &asked, trace, tx, 0, rays);
}

#define ORDER_OPTIONS                                                                                                  \
    (RCITY_OPTION_BIT(RCITY_IMAGES_MAX_REFLECTIONS) | RCITY_OPTION_BIT(RCITY_IMAGES_MAX_DIFFRACTIONS) |                \
     RCITY_OPTION_BIT(RCITY_IMAGES_MAX_TRANSMISSIONS))

const rcity_method rcity_images_method = {
    .info =
        {
            .name = "images",
            .text = "exact paths by images: reflection, diffraction, transmission; for links and small rasters",
            .effects = RCITY_EFFECT_LINE_OF_SIGHT | RCITY_EFFECT_REFLECTION | RCITY_EFFECT_DIFFRACTION |
                       RCITY_EFFECT_TRANSMISSION | RCITY_EFFECT_TERRAIN,
            .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS | RCITY_SERVES_PATHS,
            .option_count = RCITY_IMAGES_OPTION_COUNT,
        },
    .options = options,
    .knows_antennas = true,
    .mechanism_count = MECHANISM_COUNT,
    .mechanisms = mechanisms,
    .trace_needs = RCITY_TRACE_NEEDS_FREQUENCY, /* which roofs count on an over-roof path depends on the frequency */
    .trace_options = ORDER_OPTIONS | RCITY_OPTION_BIT(RCITY_IMAGES_OVER_ROOFS) |
                     RCITY_OPTION_BIT(RCITY_IMAGES_ROOF_FORM) | RCITY_OPTION_BIT(RCITY_IMAGES_GROUND) |
                     RCITY_OPTION_BIT(RCITY_IMAGES_ROOFS) | RCITY_OPTION_BIT(RCITY_IMAGES_SCATTERING) |
                     RCITY_OPTION_BIT(RCITY_IMAGES_SCATTERING_COEFFICIENT) |
                     RCITY_OPTION_BIT(RCITY_IMAGES_SCATTERING_OF),
    .order_options = ORDER_OPTIONS,
    .map_options = RCITY_OPTION_BIT(RCITY_IMAGES_SUM),
    .check = check,
    .estimate = estimate,
    .prepare = rcity_images_prepare,
    .release_prepared = rcity_images_release_prepared,
    .trace = rcity_images_trace,
    .release_trace = rcity_images_release_trace,
    .evaluate_raster = evaluate_raster,
    .evaluate_points = evaluate_points,
    .find_paths = find_paths,
};
