/* The method `beams`: its row in the table, and maps. */
#include "method/beams/beams.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/stages.h"
#include "method/beams/beams_fit.h"
#include "method/beams/fast/fast_raster.h"
#include "method/images/images_receivers.h"
#include "method/surroundings/mean_options.h"
#include "radiocity/mechanism.h"

#define PIECE_CELLS 4096 /* of a map, at a time */

static const rcity_method_option options[RCITY_BEAMS_OPTION_COUNT] = {
    [RCITY_BEAMS_MAX_REFLECTIONS] = {"max-reflections", "3", NULL, 0.0, 6.0, "",
                                     "most reflections of a path off walls and flat ground"},
    [RCITY_BEAMS_MAX_DIFFRACTIONS] = {"max-diffractions", "1", NULL, 0.0, RCITY_BEAMS_DIFFRACTION_MAX, "",
                                      "most diffractions of a path at vertical edges"},
    [RCITY_BEAMS_MAX_TRANSMISSIONS] = {"max-transmissions", "0", NULL, 0.0, 4.0, "",
                                       "most walls and roofs a path goes through, in straight lines"},
    [RCITY_BEAMS_GROUND] = {"ground", "on", "on|off", 0.0, 0.0, "", "off: the ground does not reflect"},
    [RCITY_BEAMS_DIFFRACTION_REGION] = {"diffraction-region", "all", "all|shadow", 0.0, 0.0, "",
                                        "where edges send diffracted rays: everywhere, or only behind their shadow "
                                        "boundary"},
    [RCITY_BEAMS_LOSS_LIMIT_DB] = {"loss-limit-db", "200", NULL, 60.0, 300.0, "dB",
                                   "beams and paths that must lose more than this are left out"},
    [RCITY_BEAMS_RANGE] = {"beam-range-m", "unlimited", "unlimited", 1.0, 1e6, "m",
                           "longer paths in plan off walls and edges are left out"},
    [RCITY_BEAMS_BEAM_WIDTH_MIN_DEG] = {"beam-width-min-deg", "0", NULL, 0.0, 10.0, "deg",
                                        "narrower beams are not reflected on"},
    [RCITY_BEAMS_BEAM_MAX] = {"beam-max", "20000000", NULL, 1.0, 2e9, "",
                              "most beams of a transmitter or an edge, and most ways to edges"},
    [RCITY_BEAMS_RX_POLARIZATION] = {"rx-polarization", "vertical", RCITY_RX_POLARIZATION_WORDS, 0.0, 0.0, "",
                                     "of the receivers' antennas; both: one for each, their powers added"},
    [RCITY_BEAMS_SUM] =
        {"sum", "grouped", RCITY_IMAGES_SUM_WORDS, 0.0, 0.0, "",
         "how paths are added in maps: fields of a ray and its edges' and powers of such groups; powers "
         "of all; fields of all"},
    [RCITY_BEAMS_EXCESS_DB] = {"excess-db", "20", NULL, 1.0, 100.0, "dB",
                               "paths weaker than this below the strongest do not count for the excess delay"},
    [RCITY_BEAMS_PATH_RANGE] = {"path-range-db", "50", NULL, 10.0, 300.0, "dB",
                                "paths weaker than this below the strongest do not count in maps and at points"},
    [RCITY_BEAMS_OVER_ROOFS] = {"over-roofs", "on", "on|off", 0.0, 0.0, "",
                                "add the path over all roofs and hills between"},
    [RCITY_BEAMS_DIRECT_DB] = {"direct-db", "0", NULL, -60.0, 60.0, "dB", "added to the power of the direct ray"},
    [RCITY_BEAMS_REFLECTED_DB] = {"reflected-db", "0", NULL, -60.0, 60.0, "dB",
                                  "added to the power of rays that are only reflected"},
    [RCITY_BEAMS_DIFFRACTED_DB] = {"diffracted-db", "0", NULL, -60.0, 60.0, "dB",
                                   "added to the power of diffracted rays"},
    [RCITY_BEAMS_ROOFS_DB] = {"roofs-db", "0", NULL, -60.0, 60.0, "dB", "added to the power of paths over roofs"},
    [RCITY_BEAMS_SURROUNDINGS] = {"surroundings", "on", "on|off", 0.0, 0.0, "",
                                  "add a diffuse path and draw levels toward the mean of their surroundings, since no "
                                  "map is exact; off: what the map says alone. Not where all fields are summed"},
    [RCITY_BEAMS_DIFFUSE] = RCITY_MEAN_ROW_DIFFUSE,
    [RCITY_BEAMS_DIFFUSE_ROOF] = RCITY_MEAN_ROW_DIFFUSE_ROOF,
    [RCITY_BEAMS_DOUBT] = RCITY_MEAN_ROW_DOUBT,
    [RCITY_BEAMS_DIFFUSE_ELEVATION] = RCITY_MEAN_ROW_DIFFUSE_ELEVATION,
    [RCITY_BEAMS_DOUBT_DISTANCE] = RCITY_MEAN_ROW_DOUBT_DISTANCE,
    [RCITY_BEAMS_LAW] =
        {"law", "fields", "fields|paper", 0.0, 0.0, "",
         "of the loss of a path in maps and at points: fields, roofs and surroundings, or a distance law "
         "with a loss at each wall and edge, powers added"},
    [RCITY_BEAMS_EXPONENT] = {"exponent", "2", NULL, 1.0, 6.0, "", "of the distance in the law of the paper"},
    [RCITY_BEAMS_CONSTANT] = {"constant-db", "free-space", "free-space", 0.0, 200.0, "dB",
                              "loss of the paper's law over the first metre"},
    [RCITY_BEAMS_REFLECTION_LOSS] = {"reflection-loss-db", "6", NULL, 0.0, 60.0, "dB",
                                     "loss of the paper's law at each reflection"},
    [RCITY_BEAMS_DIFFRACTION_LOSS] = {"diffraction-loss-db", "20", NULL, 0.0, 80.0, "dB",
                                      "loss of the paper's law at each diffraction"},
    [RCITY_BEAMS_TRANSMISSION_LOSS] = {"transmission-loss-db", "15", NULL, 0.0, 80.0, "dB",
                                       "loss of the paper's law at each wall or roof that a path goes through"},
    [RCITY_BEAMS_INSIDE_DB] = {"inside-db-per-m", "0", NULL, 0.0, 20.0, "dB/m",
                               "loss of each metre inside buildings, beside that of their walls"},
    [RCITY_BEAMS_INSIDE_INDEX] = {"inside-index", "1", NULL, 1.0, 10.0, "",
                                  "refractive index of what fills buildings: waves inside are slower by it"},
    [RCITY_BEAMS_INDOOR] =
        {"indoor", "off", "off|walls", 0.0, 0.0, "",
         "levels of maps inside buildings: none, or those of the paths that come in through walls and "
         "roofs, which needs max-transmissions"},
};

static rcity_status check(const rcity_job *job, const rcity_tx *tx)
{
    (void)tx;
    static const int whole[] = {RCITY_BEAMS_MAX_REFLECTIONS, RCITY_BEAMS_MAX_DIFFRACTIONS,
                                RCITY_BEAMS_MAX_TRANSMISSIONS, RCITY_BEAMS_BEAM_MAX};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        RCITY_CHECK(job->context, job->number[whole[i]] == floor(job->number[whole[i]]), RCITY_ERR_ARGUMENT,
                    "`%s` is %g, must be a whole number", options[whole[i]].name, job->number[whole[i]]);
    }
    RCITY_CHECK(job->context,
                strcmp(job->option[RCITY_BEAMS_INDOOR], "off") == 0 || job->number[RCITY_BEAMS_MAX_TRANSMISSIONS] > 0.0,
                RCITY_ERR_ARGUMENT, "`indoor=%s` needs paths through walls; give `max-transmissions=1` or more",
                job->option[RCITY_BEAMS_INDOOR]);
    return RCITY_OK;
}

#define SQUARES_MAX 30000.0 /* with points: of an index over a city of 8 km2 */

/* Bytes of the levels of a plane, and a guess at the beams: the walls of a city's middle see each other. */
static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double walls = (double)job->shapes->facade_count;
    double reflections = job->number[RCITY_BEAMS_MAX_REFLECTIONS];
    double edges = job->number[RCITY_BEAMS_MAX_DIFFRACTIONS] > 0.0 ? fmin(walls, 300.0) : 1.0;
    double passes = 1.0 + 2.0 * job->number[RCITY_BEAMS_MAX_TRANSMISSIONS];
    double beams = fmin(walls, 20.0) * pow(2.2, reflections) * edges * passes;
    double receivers = (double)job->receivers->point_count; /* those of a raster are listed for their roofs */
    receivers += rcity_beams_levels_need_roofs(job) ? cells * (double)job->receivers->height_count : 0.0;
    double receiver_bytes = (double)(sizeof(rcity_point) + sizeof(rcity_receiver_state) + sizeof(int64_t) +
                                     2 * sizeof(rcity_tile_place) + 4 * sizeof(float));
    double cell_bytes = (double)(sizeof(rcity_beams_level) + 2 * sizeof(rcity_tile_roof_path) + 3 * sizeof(int32_t));
    const double listed_bytes = 0.1; /* of each beam in each square of the index: one in 200 is listed, with 20 bytes */
    double squares = 1.5 * (double)job->receivers->point_count;
    *memory_bytes = (uint64_t)(cells * cell_bytes + receivers * receiver_bytes + beams * 400.0 +
                               fmin(squares, SQUARES_MAX) * beams * listed_bytes);
    *seconds = (beams * 1e-5 + cells * 1e-5 * pow(2.2, reflections)) / rcity_context_thread_count(job->context);
    return RCITY_OK;
}

/* The bands of one receiver plane. */
typedef struct beam_bands {
    float *loss_db, *received_dbm, *delay_ns, *delay_spread_ns, *excess_delay_ns, *k_factor_db, *coherence_mhz,
        *path_count, *mechanism;
} beam_bands;

static rcity_status add_bands(const rcity_job *job, const rcity_tx *tx, double height_m, rcity_map *map,
                              beam_bands *bands)
{
    static const char *const loss_texts[] = {
        [RCITY_IMAGES_GROUPED] =
            "basic transmission loss, fields of a ray and its edges added, powers of such groups added",
        [RCITY_IMAGES_POWER] = "basic transmission loss, powers of all paths added",
        [RCITY_IMAGES_COHERENT] = "basic transmission loss, fields of all paths added"};
    rcity_images_sum sum = rcity_images_read_sum(job->option[RCITY_BEAMS_SUM]);
    memset(bands, 0, sizeof *bands);
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB", loss_texts[sum], height_m, &bands->loss_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_DELAY, "mean_delay", "ns", "mean delay of the arriving power",
                                 height_m, &bands->delay_ns));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_DELAY, "delay_spread", "ns", "root mean square delay spread", height_m,
                                 &bands->delay_spread_ns));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_DELAY, "excess_delay", "ns",
                                 "delay of the last path that counts after the first", height_m,
                                 &bands->excess_delay_ns));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_RATIO, "k_factor", "dB",
                                 "power of the strongest path over that of all others", height_m, &bands->k_factor_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_OTHER, "coherence_bandwidth", "MHz",
                                 "bandwidth over which the channel is correlated by a half: 1 / (5 delay spread)",
                                 height_m, &bands->coherence_mhz));
    RCITY_TRY(
        rcity_map_add_band(map, RCITY_BAND_COUNT, "path_count", "", "number of paths", height_m, &bands->path_count));
    RCITY_TRY(
        rcity_map_add_band(map, RCITY_BAND_CLASS, "mechanism", "",
                           "that brings most power: 0 direct, 1 walls, 3 roof, 4 reflection, 5 diffraction, 6 diffuse",
                           height_m, &bands->mechanism));
    RCITY_TRY(rcity_method_name_mechanisms(job->method, map));
    if (!isnan(tx->stated.power_dbm)) {
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm",
                                     "received power of the transmitter", height_m, &bands->received_dbm));
    }
    return RCITY_OK;
}

static void fill_cell(const rcity_beams_level *level, double input_dbm, int64_t cell, const beam_bands *bands)
{
    const double half_correlation = 5.0; /* Lee, Mobile Communications Engineering: 1 / (5 tau) at 0.5 */
    bands->loss_db[cell] = rcity_images_value(-10.0 * log10(level->isotropic_gain));
    bands->delay_ns[cell] = rcity_images_value(level->mean_delay_s * 1e9);
    bands->delay_spread_ns[cell] = rcity_images_value(level->delay_spread_s * 1e9);
    bands->excess_delay_ns[cell] = rcity_images_value(level->excess_delay_s * 1e9);
    bands->k_factor_db[cell] = rcity_images_value(level->k_factor_db);
    bands->coherence_mhz[cell] = rcity_images_value(1e-6 / (half_correlation * level->delay_spread_s));
    bands->path_count[cell] = level->path_count > 0 ? (float)level->path_count : NAN;
    bands->mechanism[cell] = level->mechanism < 0 ? NAN : (float)level->mechanism;
    if (bands->received_dbm != NULL) {
        bands->received_dbm[cell] = rcity_images_value(input_dbm + 10.0 * log10(level->gain));
    }
}

/* The cells of a plane. */
typedef struct bands_work {
    const rcity_beams_level *levels;
    double input_dbm;
    const beam_bands *bands;
} bands_work;

/* An rcity_parallel_function over cells. */
static void fill_cells(void *user, int64_t begin, int64_t end, int thread_index)
{
    const bands_work *work = user;
    (void)thread_index;
    for (int64_t cell = begin; cell < end; cell++) {
        fill_cell(&work->levels[cell], work->input_dbm, cell, work->bands);
    }
}

/* Say what was cut, and what it may have carried at most. */
static rcity_status report_cuts(const rcity_job *job, const rcity_beams_traced *traced, rcity_notes *notes)
{
    const rcity_beams_cuts *cuts = &traced->forest.cuts;
    if (cuts->by_count > 0) {
        rcity_log(job->context, RCITY_LOG_WARNING,
                  "%lld beams and ways to edges beyond `beam-max=%.0f` are left out; raise it, or lower the numbers of "
                  "reflections and diffractions",
                  (long long)cuts->by_count, job->number[RCITY_BEAMS_BEAM_MAX]);
        RCITY_TRY(
            rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "beams_cut_by_count", "%lld", (long long)cuts->by_count));
    }
    if (cuts->by_loss > 0) {
        RCITY_TRY(
            rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "beams_cut_by_loss", "%lld", (long long)cuts->by_loss));
    }
    if (cuts->by_range > 0) {
        RCITY_TRY(
            rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "beams_cut_by_range", "%lld", (long long)cuts->by_range));
    }
    if (cuts->by_width > 0) {
        RCITY_TRY(
            rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "beams_cut_by_width", "%lld", (long long)cuts->by_width));
    }
    return cuts->least_db < HUGE_VAL
               ? rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "cut_beams_lose_at_least", "%.1f dB", cuts->least_db)
               : RCITY_OK;
}

/* Over flat ground and with one diffraction at most, tables do it many times as fast. */
static rcity_status run_raster(const rcity_beams_levels *own, int height_index, rcity_beams_output *output)
{
    return rcity_fast_raster_serves(own->job) ? rcity_fast_raster_run(own, height_index, output)
                                              : rcity_beams_raster_run(own, height_index, output);
}

/* What is made of the cells of a raster. */
typedef struct raster_results {
    rcity_map *map;       /* gets the bands of all heights; NULL: none */
    rcity_delays *delays; /* of one height; NULL: none */
    int height_index;     /* this one */
    double bin_s;
} raster_results;

/* Remarks on the scene and on the beams, once for both results. */
static rcity_status report(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                           const raster_results *results)
{
    rcity_notes *notes = results->delays != NULL ? rcity_delays_notes(results->delays) : rcity_map_notes(results->map);
    RCITY_TRY(rcity_images_report_materials(job, tx, notes));
    RCITY_TRY(report_cuts(job, traced, notes));
    return results->delays != NULL && results->map != NULL ? rcity_notes_copy(notes, rcity_map_notes(results->map))
                                                           : RCITY_OK;
}

/* One height: each cell's paths are followed once, for its bands and its histogram. */
static rcity_status evaluate_height(const rcity_beams_levels *own, const rcity_tx *tx, int height_index,
                                    const raster_results *results, rcity_beams_output *output)
{
    const rcity_job *job = own->job;
    bool has_delays = results->delays != NULL && height_index == results->height_index;
    output->delays = has_delays ? results->delays : NULL;
    if (results->map == NULL) {
        return has_delays ? run_raster(own, height_index, output) : RCITY_OK;
    }
    beam_bands bands;
    RCITY_TRY(add_bands(job, tx, job->receivers->height_m[height_index], results->map, &bands));
    RCITY_TRY(run_raster(own, height_index, output));
    rcity_stages_end(job->stages, "release");
    bands_work work = {output->levels, rcity_link_input_dbm(tx), &bands};
    rcity_parallel(job->context, job->raster.column_count * job->raster.row_count, PIECE_CELLS, fill_cells, &work);
    rcity_stages_end(job->stages, "bands");
    return RCITY_OK;
}

static rcity_status evaluate(const rcity_job *job, const rcity_beams_traced *traced, const rcity_tx *tx,
                             const raster_results *results)
{
    rcity_beams_levels own;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    rcity_beams_output output = {NULL, 0, NULL, results->bin_s};
    rcity_status status;
    RCITY_TRY_DONE(rcity_beams_levels_init(job, traced, tx, &own));
    RCITY_TRY_DONE(report(job, traced, tx, results));
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)cell_count, sizeof *output.levels, "levels", &output.levels));
    for (int i = 0; i < job->receivers->height_count; i++) {
        RCITY_TRY_DONE(evaluate_height(&own, tx, i, results, &output));
    }
    if (results->map != NULL) {
        status = rcity_images_report_near(job, tx, output.near_count, cell_count * job->receivers->height_count,
                                          rcity_map_notes(results->map));
    }
done:
    rcity_release(job->context, output.levels);
    rcity_beams_levels_deinit(&own);
    return status;
}

static rcity_status evaluate_raster(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map)
{
    (void)prepared;
    return evaluate(job, trace, tx, &(raster_results){map, NULL, 0, 1.0});
}

static rcity_status evaluate_delays(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    int height_index, double bin_s, rcity_map *map, rcity_delays **delays)
{
    (void)prepared;
    RCITY_TRY(rcity_delays_create(job->context, &job->raster, rcity_scene_crs(job->scene),
                                  job->receivers->height_m[height_index], 0.0, bin_s, delays));
    return evaluate(job, trace, tx, &(raster_results){map, *delays, height_index, bin_s});
}

static rcity_status evaluate_points(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *levels)
{
    (void)prepared;
    return rcity_beams_points_run(job, trace, tx, levels);
}

static rcity_status find_paths(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                               rcity_rays *rays)
{
    (void)prepared;
    const rcity_beams_traced *traced = trace;
    rcity_images_asked asked = rcity_beams_ask(job);
    RCITY_TRY(rcity_images_report_materials(job, tx, rcity_rays_notes(rays)));
    RCITY_TRY(report_cuts(job, traced, rcity_rays_notes(rays)));
    RCITY_TRY(rcity_images_find(job, &asked, &traced->images, tx, 0, rays));
    return rcity_beams_points_add_over(job, traced, tx, rays);
}

static const rcity_mechanism mechanisms[] = {
    RCITY_MECHANISM_DIRECT,     RCITY_MECHANISM_WALLS,       RCITY_MECHANISM_ROOF,
    RCITY_MECHANISM_REFLECTION, RCITY_MECHANISM_DIFFRACTION, RCITY_MECHANISM_DIFFUSE,
};

/* Maps and points only; paths are those of the map. */
#define MEAN_OPTIONS                                                                                                   \
    (RCITY_OPTION_BIT(RCITY_BEAMS_SURROUNDINGS) | RCITY_OPTION_BIT(RCITY_BEAMS_DIFFUSE) |                              \
     RCITY_OPTION_BIT(RCITY_BEAMS_DIFFUSE_ROOF) | RCITY_OPTION_BIT(RCITY_BEAMS_DOUBT) |                                \
     RCITY_OPTION_BIT(RCITY_BEAMS_DIFFUSE_ELEVATION) | RCITY_OPTION_BIT(RCITY_BEAMS_DOUBT_DISTANCE) |                  \
     RCITY_OPTION_BIT(RCITY_BEAMS_LAW) | RCITY_OPTION_BIT(RCITY_BEAMS_EXPONENT) |                                      \
     RCITY_OPTION_BIT(RCITY_BEAMS_CONSTANT) | RCITY_OPTION_BIT(RCITY_BEAMS_REFLECTION_LOSS) |                          \
     RCITY_OPTION_BIT(RCITY_BEAMS_DIFFRACTION_LOSS) | RCITY_OPTION_BIT(RCITY_BEAMS_TRANSMISSION_LOSS) |                \
     RCITY_OPTION_BIT(RCITY_BEAMS_INSIDE_DB) | RCITY_OPTION_BIT(RCITY_BEAMS_INSIDE_INDEX) |                            \
     RCITY_OPTION_BIT(RCITY_BEAMS_INDOOR) | CLASS_OPTIONS)

/* Weights of classes. */
#define CLASS_OPTIONS                                                                                                  \
    (RCITY_OPTION_BIT(RCITY_BEAMS_DIRECT_DB) | RCITY_OPTION_BIT(RCITY_BEAMS_REFLECTED_DB) |                            \
     RCITY_OPTION_BIT(RCITY_BEAMS_DIFFRACTED_DB) | RCITY_OPTION_BIT(RCITY_BEAMS_ROOFS_DB))

#define ORDER_OPTIONS                                                                                                  \
    (RCITY_OPTION_BIT(RCITY_BEAMS_MAX_REFLECTIONS) | RCITY_OPTION_BIT(RCITY_BEAMS_MAX_DIFFRACTIONS) |                  \
     RCITY_OPTION_BIT(RCITY_BEAMS_MAX_TRANSMISSIONS))

const rcity_method rcity_beams_method = {
    .info =
        {
            .name = "beams",
            .text = "beams split at the walls they see: all paths, delay spread over whole areas",
            .effects = RCITY_EFFECT_LINE_OF_SIGHT | RCITY_EFFECT_REFLECTION | RCITY_EFFECT_DIFFRACTION |
                       RCITY_EFFECT_TRANSMISSION,
            .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS | RCITY_SERVES_PATHS | RCITY_SERVES_DELAYS,
            .option_count = RCITY_BEAMS_OPTION_COUNT,
        },
    .options = options,
    .knows_antennas = true,
    .mechanism_count = (int)(sizeof mechanisms / sizeof mechanisms[0]),
    .mechanisms = mechanisms,
    .trace_needs = RCITY_TRACE_NEEDS_FREQUENCY, /* materials of the paths to points */
    .trace_options = ORDER_OPTIONS | RCITY_OPTION_BIT(RCITY_BEAMS_GROUND) |
                     RCITY_OPTION_BIT(RCITY_BEAMS_DIFFRACTION_REGION) | RCITY_OPTION_BIT(RCITY_BEAMS_LOSS_LIMIT_DB) |
                     RCITY_OPTION_BIT(RCITY_BEAMS_RANGE) | RCITY_OPTION_BIT(RCITY_BEAMS_BEAM_WIDTH_MIN_DEG) |
                     RCITY_OPTION_BIT(RCITY_BEAMS_BEAM_MAX),
    .order_options = ORDER_OPTIONS,
    .map_options = RCITY_OPTION_BIT(RCITY_BEAMS_SUM) | RCITY_OPTION_BIT(RCITY_BEAMS_EXCESS_DB) | MEAN_OPTIONS,
    .check = check,
    .estimate = estimate,
    .prepare = rcity_beams_prepare,
    .release_prepared = rcity_beams_release_prepared,
    .trace = rcity_beams_trace,
    .release_trace = rcity_beams_release_trace,
    .evaluate_raster = evaluate_raster,
    .evaluate_points = evaluate_points,
    .find_paths = find_paths,
    .evaluate_delays = evaluate_delays,
    .fit = &rcity_beams_fit,
};
