/* The row of `shadow` in the table of methods, and its maps. */
#include "method/shadow/shadow.h"

#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "kernel/building_entry.h"
#include "method/receiver_plane.h"
#include "method/shadow/shadow_fit.h"
#include "method/shadow/shadow_job.h"
#include "method/surroundings/mean_options.h"
#include "visibility/los/los_ground_device.h"

/* Coefficients: docs/methods/shadow.md says what data they were fitted on, and how well; tools/shadow_fit fits them
   again. */
static const rcity_method_option options[RCITY_SHADOW_OPTION_COUNT] = {
    [RCITY_SHADOW_OPTION_MAX_CORNERS] = {"max-corners", "2", NULL, 0.0, 6.0, "",
                                         "most corners that a path goes around"},
    [RCITY_SHADOW_OPTION_ROOFS] =
        {"over-roofs", "edges", "edges|count|off", 0.0, 0.0, "",
         "paths over roofs and hills: by every diffracting edge, by their number only, or none"},
    [RCITY_SHADOW_OPTION_WALLS] = {"through-walls", "metres", "metres|count|off", 0.0, 0.0, "",
                                   "paths through buildings: by walls and metres inside, by walls only, or none"},
    [RCITY_SHADOW_OPTION_SUM] = {"sum", "strongest", "strongest|power", 0.0, 0.0, "",
                                 "the strongest path counts, or the powers of all"},
    [RCITY_SHADOW_OPTION_INDOOR] = {"indoor", "off", "off|walls|p2109|p2109-efficient", 0.0, 0.0, "",
                                    "levels inside buildings: none, through walls, or the level outside less the "
                                    "median of ITU-R P.2109 for traditional or thermally efficient buildings"},
    [RCITY_SHADOW_OPTION_LAW] = {"law", "edges", "edges|paper", 0.0, 0.0, "",
                                 "what paths lose: turns as knife edges with a diffuse path and the mean of the "
                                 "surroundings; or the polynomials of Rick and Kuhlen alone"},
    [RCITY_SHADOW_OPTION_LINE_OF_SIGHT] = {"line-of-sight-offset-db", "law", "law", -40.0, 60.0, "dB",
                                           "loss beyond free space in sight"},
    [RCITY_SHADOW_OPTION_CORNER_PATH] = {"corner-path-db", "law", "law", -100.0, 100.0, "dB",
                                         "loss of a path around corners, once"},
    [RCITY_SHADOW_OPTION_CORNER] = {"corner-db", "law", "law", -100.0, 100.0, "dB", "and at each corner"},
    [RCITY_SHADOW_OPTION_CORNER_DECADE] = {"corner-db-per-decade", "law", "law", -50.0, 50.0, "dB",
                                           "and there for each decade of k L"},
    [RCITY_SHADOW_OPTION_CORNER_LINEAR] = {"corner-db-per-rad", "law", "law", -200.0, 200.0, "dB",
                                           "and there for each radian"},
    [RCITY_SHADOW_OPTION_CORNER_SQUARE] = {"corner-db-per-rad2", "law", "law", -200.0, 200.0, "dB",
                                           "and there for each radian squared"},
    [RCITY_SHADOW_OPTION_ROOF_PATH] = {"roof-path-db", "law", "law", -100.0, 100.0, "dB",
                                       "loss of a path over roofs, once"},
    [RCITY_SHADOW_OPTION_ROOF_EDGE] = {"roof-edge-db", "law", "law", -100.0, 100.0, "dB",
                                       "and at each diffracting edge"},
    [RCITY_SHADOW_OPTION_ROOF_DECADE] = {"roof-edge-db-per-decade", "law", "law", -50.0, 50.0, "dB",
                                         "and there for each decade of k L"},
    [RCITY_SHADOW_OPTION_ROOF_LINEAR] = {"roof-edge-db-per-rad", "law", "law", -200.0, 200.0, "dB",
                                         "and there for each radian"},
    [RCITY_SHADOW_OPTION_ROOF_SQUARE] = {"roof-edge-db-per-rad2", "law", "law", -200.0, 200.0, "dB",
                                         "and there for each radian squared"},
    [RCITY_SHADOW_OPTION_WALL_PATH] = {"wall-path-db", "0", NULL, -50.0, 100.0, "dB",
                                       "loss of a path through walls, once"},
    [RCITY_SHADOW_OPTION_WALL] = {"wall-db", "material", "material", 0.0, 100.0, "dB",
                                  "and at each wall; material: of the slab that images has there, over all angles"},
    [RCITY_SHADOW_OPTION_BUILDING] = {"building-db-per-m", "0.5", NULL, 0.0, 20.0, "dB", "and for each metre inside"},
    [RCITY_SHADOW_OPTION_FOLIAGE] = {"foliage-factor", "1", NULL, 0.0, 10.0, "",
                                     "times Weissberger's loss of the metres in foliage, on the straight line"},
    [RCITY_SHADOW_OPTION_DIFFUSE] = RCITY_MEAN_ROW_DIFFUSE,
    [RCITY_SHADOW_OPTION_DIFFUSE_ROOF] = RCITY_MEAN_ROW_DIFFUSE_ROOF,
    [RCITY_SHADOW_OPTION_DOUBT] = RCITY_MEAN_ROW_DOUBT,
    [RCITY_SHADOW_OPTION_DIFFUSE_ELEVATION] = RCITY_MEAN_ROW_DIFFUSE_ELEVATION,
    [RCITY_SHADOW_OPTION_DOUBT_DISTANCE] = RCITY_MEAN_ROW_DOUBT_DISTANCE,
    [RCITY_SHADOW_OPTION_CLUTTER] = {"clutter-db-per-m", "0", NULL, 0.0, 5.0, "dB",
                                     "for each metre of the straight line below the tops of clutter that no map shows"},
    [RCITY_SHADOW_OPTION_CLUTTER_HEIGHT] = {"clutter-height-m", "10", NULL, 0.0, 100.0, "m",
                                            "of these tops above the ground"},
    [RCITY_SHADOW_OPTION_CLUTTER_LIMIT] = {"clutter-limit-db", "40", NULL, 1.0, 200.0, "dB", "which that loss nears"},
};

static rcity_status check(const rcity_job *job, const rcity_tx *tx)
{
    double order = job->number[RCITY_SHADOW_OPTION_MAX_CORNERS];
    RCITY_CHECK(job->context, order == floor(order), RCITY_ERR_ARGUMENT, "`max-corners` is %g, must be a whole number",
                order);
    rcity_shadow_choice choice = rcity_shadow_read_choice(job);
    rcity_shadow_indoor indoor = rcity_shadow_read_indoor(job);
    RCITY_CHECK(job->context, indoor != RCITY_SHADOW_INDOOR_WALLS || choice.walls != RCITY_SHADOW_WALLS_OFF,
                RCITY_ERR_ARGUMENT, "`indoor=walls` needs paths through walls; leave out `through-walls=off`");
    RCITY_CHECK(job->context,
                job->receivers->point_count == 0 || indoor == RCITY_SHADOW_INDOOR_OFF ||
                    indoor == RCITY_SHADOW_INDOOR_WALLS,
                RCITY_ERR_ARGUMENT, "`indoor=p2109` needs the map around a point; use `indoor=walls` for points");
    RCITY_CHECK(job->context, choice.roofs != RCITY_SHADOW_ROOFS_COUNT || !rcity_shadow_has_edges(job),
                RCITY_ERR_ARGUMENT, "`over-roofs=count` knows no edges; add `law=paper`, or leave it out");
    double frequency_hz = tx->stated.frequency_hz;
    RCITY_CHECK(job->context,
                indoor == RCITY_SHADOW_INDOOR_OFF || indoor == RCITY_SHADOW_INDOOR_WALLS ||
                    (frequency_hz >= RCITY_P2109_FREQUENCY_MIN_HZ && frequency_hz <= RCITY_P2109_FREQUENCY_MAX_HZ),
                RCITY_ERR_ARGUMENT, "`indoor=p2109` at %g MHz: ITU-R P.2109 has %g to %g MHz; use `indoor=walls`",
                frequency_hz * 1e-6, RCITY_P2109_FREQUENCY_MIN_HZ * 1e-6, RCITY_P2109_FREQUENCY_MAX_HZ * 1e-6);
    return RCITY_OK;
}

/* About: the paths of a pixel, the masks of some hundred corners, and the memory for sorting them. */
/* Measured on synthetic cities of 1 to 50 km2 and Munich, cells of 2 to 20 m, up to four corners: the peak is 0.7 to 1.13 times
   the estimate with them. Views, chains and roofs are kept for each wall, whatever the number of receivers; of the paths
   that a cell may have it has some 4 in 10. */
#define WALL_BYTES      1900.0
#define CELL_MORE_BYTES 20.0
#define PATH_SHARE      0.42

static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    const double own_bands = 3.0;
    const double path_bytes = 2.0 * sizeof(rcity_chain_path); /* they exist twice while they are sorted */
    double order = job->number[RCITY_SHADOW_OPTION_MAX_CORNERS];
    double cells = (double)job->raster.column_count * (double)job->raster.row_count * job->receivers->height_count;
    double paths = order < 1.0 ? 0.0 : pow(2.0, order - 1.0);
    double corners = fmin((double)job->shapes->point_count, order < 1.0 ? 0.0 : 40.0 * pow(8.0, order - 1.0));
    double pixel_bytes = own_bands * sizeof(float) + sizeof(uint8_t) + sizeof(float) + sizeof(rcity_shadow_line) +
                         sizeof(rcity_shadow_roof) + sizeof(float) + sizeof(int32_t) + 3.0 * sizeof(float) +
                         sizeof(rcity_surroundings_node) + sizeof(size_t) + CELL_MORE_BYTES +
                         PATH_SHARE * (paths * path_bytes + corners / 8.0);
    double points = (double)job->receivers->point_count;
    if (job->shapes->terrain.column_count > 0) { /* what the ground hides, for each thread */
        pixel_bytes += rcity_context_thread_count(job->context);
    }
    *memory_bytes = (uint64_t)((cells + points) * pixel_bytes + WALL_BYTES * (double)job->shapes->wall_count);
    if (job->shapes->terrain.column_count > 0) { /* and for a round of views of a device */
        *memory_bytes += (uint64_t)fmin((corners + 1.0) * cells, (double)RCITY_LOS_GROUND_MAX_BYTES);
    }
    *seconds = (cells * (1e-6 + 1e-9 * corners) + points * 2e-4) / rcity_context_thread_count(job->context);
    return RCITY_OK;
}

/* The bands of one receiver plane. */
typedef struct shadow_plane {
    rcity_shadow_bands bands;
    float *is_visible;
} shadow_plane;

static rcity_status add_bands(const rcity_job *job, const rcity_tx *tx, double height_m, rcity_map *map,
                              shadow_plane *plane)
{
    memset(plane, 0, sizeof *plane);
    bool adds_powers = strcmp(job->option[RCITY_SHADOW_OPTION_SUM], "power") == 0;
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB",
                                 adds_powers                   ? "basic transmission loss, powers of all paths added"
                                 : rcity_shadow_has_edges(job) ? "basic transmission loss, the diffuse path included"
                                                               : "basic transmission loss of the strongest path",
                                 height_m, &plane->bands.loss_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_SIGHT, "line_of_sight", "",
                                 "1: the straight line is free; 0: it is not", height_m, &plane->is_visible));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_CLASS, "mechanism", "",
                                 "of the strongest path: 0 direct, 1 walls, 2 corner, 3 roof, 6 diffuse", height_m,
                                 &plane->bands.mechanism));
    RCITY_TRY(rcity_method_name_mechanisms(job->method, map));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_COUNT, "deflections", "",
                                 "corners or roof edges at which the strongest path is diffracted", height_m,
                                 &plane->bands.turn_count));
    if (!isnan(tx->stated.power_dbm)) {
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm",
                                     "received power of the transmitter", height_m, &plane->bands.received_dbm));
    }
    return RCITY_OK;
}

static void set_all(const shadow_plane *plane, size_t i, float value)
{
    float *const bands[] = {plane->bands.loss_db, plane->bands.received_dbm, plane->bands.mechanism,
                            plane->bands.turn_count, plane->is_visible};
    for (size_t k = 0; k < sizeof bands / sizeof bands[0]; k++) {
        if (bands[k] != NULL) {
            bands[k][i] = value;
        }
    }
}

/* The visibility band, and NaN where there is no ground. */
static void fill_visible(const rcity_job *job, const rcity_los_plane *plane, const uint64_t *visible, const float *z_m,
                         const shadow_plane *levels)
{
    (void)job;
    for (int32_t row = 0; row < plane->row_count; row++) {
        for (int32_t column = 0; column < plane->column_count; column++) {
            size_t i = (size_t)row * (size_t)plane->column_count + (size_t)column;
            bool is_indoors = rcity_los_plane_bit(plane, plane->indoors, column, row);
            bool is_visible = rcity_los_plane_bit(plane, visible, column, row);
            levels->is_visible[i] = is_indoors ? NAN : is_visible ? 1.0f : 0.0f;
            if (isnan(z_m[i]) && !is_indoors) {
                set_all(levels, i, NAN);
            }
        }
    }
}

/* The loss from the nearest receiver outside into a building: once, and for each metre from there. */
typedef struct entry_loss {
    float once_db, metre_db;
} entry_loss;

/* Indoors: the level of the nearest receiver outside less the entry loss, unless the straight line is better. */
static void enter(const shadow_plane *levels, size_t from, size_t to, float entry_db)
{
    const rcity_shadow_bands *bands = &levels->bands;
    float loss_db = bands->loss_db[from] + entry_db;
    bool is_better = !(bands->loss_db[to] <= loss_db);
    bands->loss_db[to] = is_better ? loss_db : bands->loss_db[to];
    if (bands->received_dbm != NULL) {
        float received_dbm = bands->received_dbm[from] - entry_db;
        is_better = !(bands->received_dbm[to] >= received_dbm);
        bands->received_dbm[to] = is_better ? received_dbm : bands->received_dbm[to];
    }
    if (is_better) {
        bands->mechanism[to] = bands->mechanism[from];
        bands->turn_count[to] = bands->turn_count[from];
    }
}

static rcity_status fill_indoor(const rcity_job *job, const rcity_los_plane *plane, const float *z_m, entry_loss entry,
                                const shadow_plane *levels)
{
    int32_t columns = plane->column_count;
    size_t count = (size_t)plane->row_count * (size_t)columns;
    size_t word_count = plane->row_words * (size_t)plane->row_count;
    int32_t *source = NULL;
    uint64_t *no_path = NULL; /* receivers that give no level to others: indoors, and those without a path */
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, word_count, sizeof *no_path, "levels inside buildings", &no_path));
    memcpy(no_path, plane->indoors, word_count * sizeof *no_path);
    for (size_t i = 0; i < count; i++) {
        if (isnan(levels->bands.loss_db[i])) {
            size_t column = i % (size_t)columns;
            no_path[i / (size_t)columns * plane->row_words + column / 64] |= (uint64_t)1 << (column % 64);
        }
    }
    RCITY_TRY_DONE(rcity_alloc(job->context, count, sizeof *source, "levels inside buildings", &source));
    RCITY_TRY_DONE(rcity_nearest_given(job->context, columns, plane->row_count, plane->row_words, no_path, source));
    for (size_t i = 0; i < count; i++) {
        /* a centre on a wall belongs to the building, as in other maps */
        bool is_inside = isnan(z_m[i]) && job->roof_m[i] > -HUGE_VALF;
        if (is_inside && source[i] >= 0) {
            float right = (float)(source[i] % columns - (int32_t)(i % (size_t)columns));
            float down = (float)(source[i] / columns - (int32_t)(i / (size_t)columns));
            float inside_m = sqrtf(right * right + down * down) * (float)job->raster.cell_m;
            enter(levels, (size_t)source[i], i, entry.once_db + entry.metre_db * inside_m);
        }
    }
done:
    rcity_release(job->context, no_path);
    rcity_release(job->context, source);
    return status;
}

/* Through one wall of the law, or the median of ITU-R P.2109. */
static entry_loss find_entry(const rcity_job *job, const rcity_tx *tx, const rcity_shadow_law *law)
{
    rcity_shadow_indoor indoor = rcity_shadow_read_indoor(job);
    if (indoor == RCITY_SHADOW_INDOOR_WALLS) {
        return (entry_loss){rcity_shadow_walls_db(law, 1.0f, 0.0f), law->metre_db};
    }
    int building = indoor == RCITY_SHADOW_INDOOR_EFFICIENT ? RCITY_P2109_EFFICIENT : RCITY_P2109_TRADITIONAL;
    float frequency_ghz = (float)(tx->stated.frequency_hz * 1e-9);
    return (entry_loss){rcity_building_entry_loss_db(frequency_ghz, building, 0.5f, 0.0f), 0.0f};
}

/* Warns when the frequency lies outside of the range that the law was fitted on, or held against published models. */
static rcity_status report_range(const rcity_job *job, const rcity_tx *tx, rcity_notes *notes)
{
    bool has_edges = rcity_shadow_has_edges(job);
    double frequency_hz = tx->stated.frequency_hz;
    double most_hz = has_edges ? RCITY_SHADOW_EDGES_FREQUENCY_MAX_HZ : RCITY_SHADOW_FREQUENCY_MAX_HZ;
    if (frequency_hz >= RCITY_SHADOW_FREQUENCY_MIN_HZ && frequency_hz <= most_hz) {
        return RCITY_OK;
    }
    if (!job->is_quiet) {
        rcity_log(job->context, RCITY_LOG_WARNING,
                  "shadow: its coefficients were fitted for %g to %g MHz; %g MHz is extrapolated",
                  RCITY_SHADOW_FREQUENCY_MIN_HZ * 1e-6, most_hz * 1e-6, frequency_hz * 1e-6);
    }
    return notes == NULL ? RCITY_OK
                         : rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, RCITY_NOTE_EXTRAPOLATED,
                                                  "coefficients fitted for %g to %g MHz",
                                                  RCITY_SHADOW_FREQUENCY_MIN_HZ * 1e-6, most_hz * 1e-6);
}

static rcity_status evaluate_plane(const rcity_job *job, const rcity_shadow_prepared *prepared, int plane_index,
                                   const rcity_shadow_trace *trace, const rcity_tx *tx, float *z_m, rcity_map *map)
{
    const rcity_los_plane *plane = &prepared->planes[plane_index];
    double height_m = job->receivers->height_m[plane_index];
    rcity_shadow_weights weights;
    const float *pattern;
    int64_t pattern_count;
    shadow_plane levels;
    RCITY_TRY(rcity_shadow_make_weights(job, tx, &weights, &pattern, &pattern_count));
    weights.receiver_height_m = (float)height_m;
    RCITY_TRY(add_bands(job, tx, height_m, map, &levels));
    RCITY_TRY(rcity_shadow_trace_weigh(trace, &weights, pattern, pattern_count, &levels.bands));
    rcity_receiver_plane_fill(job->context, job->shapes, &job->raster, height_m, job->roof_m, z_m);
    fill_visible(job, plane, rcity_shadow_trace_visible(trace), z_m, &levels);
    if (rcity_shadow_read_indoor(job) != RCITY_SHADOW_INDOOR_OFF) {
        RCITY_TRY(fill_indoor(job, plane, z_m, find_entry(job, tx, &weights.law), &levels));
    }
    return RCITY_OK;
}

static rcity_status evaluate_raster(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map)
{
    const rcity_shadow_traced *traced = trace;
    float *z_m = NULL;
    rcity_status status;
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    RCITY_TRY_DONE(report_range(job, tx, rcity_map_notes(map)));
    RCITY_TRY_DONE(rcity_alloc(job->context, cell_count, sizeof *z_m, "receiver heights", &z_m));
    for (int i = 0; i < traced->plane_count; i++) {
        RCITY_TRY_DONE(evaluate_plane(job, prepared, i, traced->planes[i], tx, z_m, map));
    }
done:
    rcity_release(job->context, z_m);
    return status;
}

static rcity_status evaluate_points(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *levels)
{
    (void)prepared;
    RCITY_TRY(report_range(job, tx, levels->notes));
    return rcity_shadow_evaluate_points(job, trace, tx, levels);
}

static const rcity_mechanism mechanisms[] = {
    RCITY_MECHANISM_DIRECT, RCITY_MECHANISM_WALLS,   RCITY_MECHANISM_CORNER,
    RCITY_MECHANISM_ROOF,   RCITY_MECHANISM_DIFFUSE,
};

const rcity_method rcity_shadow_method = {
    .info =
        {
            .name = "shadow",
            .text = "sight, walls, corners and roofs, and what a city scatters: the fast map",
            .effects = RCITY_EFFECT_LINE_OF_SIGHT | RCITY_EFFECT_DIFFRACTION | RCITY_EFFECT_TRANSMISSION |
                       RCITY_EFFECT_TERRAIN,
            .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
            .option_count = RCITY_SHADOW_OPTION_COUNT,
        },
    .options = options,
    .knows_antennas = true,
    .trace_options = RCITY_OPTION_BIT(RCITY_SHADOW_OPTION_MAX_CORNERS) | RCITY_OPTION_BIT(RCITY_SHADOW_OPTION_ROOFS) |
                     RCITY_OPTION_BIT(RCITY_SHADOW_OPTION_WALLS) | RCITY_OPTION_BIT(RCITY_SHADOW_OPTION_INDOOR),
    .order_options = RCITY_OPTION_BIT(RCITY_SHADOW_OPTION_MAX_CORNERS),
    .mechanism_count = (int)(sizeof mechanisms / sizeof mechanisms[0]),
    .mechanisms = mechanisms,
    .check = check,
    .estimate = estimate,
    .prepare = rcity_shadow_prepare,
    .release_prepared = rcity_shadow_release_prepared,
    .open_workspace = rcity_shadow_open_workspace,
    .close_workspace = rcity_shadow_close_workspace,
    .trace = rcity_shadow_trace_batch,
    .release_trace = rcity_shadow_release_trace,
    .batch_size = rcity_shadow_batch_size,
    .evaluate_raster = evaluate_raster,
    .evaluate_points = evaluate_points,
    .fit = &rcity_shadow_fit,
};
