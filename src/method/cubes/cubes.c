/* The method `cubes`: its row in the table, and maps. */
#include "method/cubes/cubes.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/cubes/cubes_fit.h"
#include "method/cubes/cubes_levels.h"
#include "method/images/images_receivers.h"
#include "method/surroundings/mean_options.h"

#define PIECE_CELLS 2048 /* that a thread takes at a time */

static const rcity_method_option options[RCITY_CUBES_OPTION_COUNT] = {
    [RCITY_CUBES_EDGE] = {"cube-edge-m", "5", NULL, 0.5, 100.0, "m",
                          "edge of the cubes in plan: smaller ones miss less and take longer"},
    [RCITY_CUBES_MAX_REFLECTIONS] = {"max-reflections", "2", NULL, 0.0, RCITY_CUBE_REFLECTION_MAX, "",
                                     "most reflections of a path off walls"},
    [RCITY_CUBES_MAX_VERTICAL] = {"max-vertical", "1", NULL, 0.0, RCITY_CUBE_CORNER_MAX, "",
                                  "most diffractions of a path at vertical edges"},
    [RCITY_CUBES_MAX_HORIZONTAL] = {"max-horizontal", "1", NULL, 0.0, RCITY_CUBE_ROOF_MAX, "",
                                    "most diffractions of a launched path at roof edges"},
    [RCITY_CUBES_CORNER_RANGE] = {"vertical-range-m", "1000", NULL, 1.0, 1e5, "m",
                                  "rays from vertical edges are not followed farther"},
    [RCITY_CUBES_SUM] = {"sum", "strongest", "strongest|power", 0.0, 0.0, "",
                         "the strongest path counts, or the powers of the strongest of each kind"},
    [RCITY_CUBES_OVER_ROOFS] = {"over-roofs", "on", "on|off", 0.0, 0.0, "",
                                "add the path over all roofs and hills between"},
    [RCITY_CUBES_DIRECT_DB] = {"direct-db", "0", NULL, -40.0, 60.0, "dB", "loss of a direct path beyond free space"},
    [RCITY_CUBES_REFLECTION_DB] = {"reflection-db", "0", NULL, -20.0, 60.0, "dB", "loss at each reflection"},
    [RCITY_CUBES_REFLECTION_NORMAL_DB] = {"reflection-normal-db", "material", "material", 0.0, 60.0, "dB",
                                          "and there times the sine of half the change of direction; material: what "
                                          "the scene's plain wall takes straight on"},
    [RCITY_CUBES_VERTICAL_DB] = {"vertical-db", "0", NULL, -20.0, 60.0, "dB",
                                 "loss at each vertical edge beyond a knife edge"},
    [RCITY_CUBES_VERTICAL_RAD_DB] = {"vertical-db-per-rad", "0", NULL, -20.0, 60.0, "dB",
                                     "and there for each radian of the change of direction"},
    [RCITY_CUBES_HORIZONTAL_DB] = {"horizontal-db", "0", NULL, -20.0, 60.0, "dB",
                                   "loss at each roof edge beyond a knife edge"},
    [RCITY_CUBES_HORIZONTAL_RAD_DB] = {"horizontal-db-per-rad", "0", NULL, -20.0, 60.0, "dB",
                                       "and there for each radian of the change of direction"},
    [RCITY_CUBES_OVER_ROOFS_DB] = {"over-roofs-db", "0", NULL, -20.0, 60.0, "dB",
                                   "added to the loss of the path over all roofs"},
    [RCITY_CUBES_SURROUNDINGS] = {"surroundings", "on", "on|off", 0.0, 0.0, "",
                                  "add a diffuse path and draw levels toward the mean of their surroundings, since no "
                                  "map is exact; off: what the map says alone"},
    [RCITY_CUBES_DIFFUSE] = RCITY_MEAN_ROW_DIFFUSE,
    [RCITY_CUBES_DIFFUSE_ROOF] = RCITY_MEAN_ROW_DIFFUSE_ROOF,
    [RCITY_CUBES_DOUBT] = RCITY_MEAN_ROW_DOUBT,
    [RCITY_CUBES_DIFFUSE_ELEVATION] = RCITY_MEAN_ROW_DIFFUSE_ELEVATION,
    [RCITY_CUBES_DOUBT_DISTANCE] = RCITY_MEAN_ROW_DOUBT_DISTANCE,
};

static rcity_status check(const rcity_job *job, const rcity_tx *tx)
{
    (void)tx;
    static const int whole[] = {RCITY_CUBES_MAX_REFLECTIONS, RCITY_CUBES_MAX_VERTICAL, RCITY_CUBES_MAX_HORIZONTAL};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        RCITY_CHECK(job->context, job->number[whole[i]] == floor(job->number[whole[i]]), RCITY_ERR_ARGUMENT,
                    "`%s` is %g, must be a whole number", options[whole[i]].name, job->number[whole[i]]);
    }
    double edge_m = job->number[RCITY_CUBES_EDGE];
    rcity_cube_box box = rcity_cubes_job_box(job);
    double bytes = rcity_city_cubes_bytes(job->shapes, box, edge_m);
    double limit = (double)rcity_context_memory_limit(job->context);
    char need_text[32];
    char limit_text[32];
    RCITY_CHECK(job->context, bytes <= limit, RCITY_ERR_MEMORY,
                "cubes of `cube-edge-m=%g` need %s over this scene, the limit is %s; use %.2g m or more, or raise "
                "`memory`",
                edge_m, rcity_format_bytes(bytes, need_text), rcity_format_bytes(limit, limit_text),
                edge_m * sqrt(1.3 * bytes / limit));
    return RCITY_OK;
}

static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    const double column_ns = 30.0;   /* that a ray takes in a column */
    const double ray_columns = 40.0; /* that it passes before it ends, about */
    const double seen_share = 0.3;   /* of the edges of a city's middle, at most so many */
    const double seen_max = 1000.0;
    double edge_m = job->number[RCITY_CUBES_EDGE];
    rcity_cube_box box = rcity_cubes_job_box(job);
    double cells = (double)job->raster.column_count * (double)job->raster.row_count * job->receivers->height_count;
    double receivers = cells + (double)job->receivers->point_count;
    double edges = (double)job->shapes->facade_count;
    double states = edges * RCITY_CUBE_STATE_COUNT;
    double receiver_bytes =
        (double)(sizeof(rcity_point) + sizeof(rcity_receiver_state) + 3 * sizeof(int64_t) +
                 2 * sizeof(rcity_tile_place) + 10 * sizeof(float) + 2 * sizeof(rcity_tile_roof_path)) +
        RCITY_CUBE_CLASS_COUNT * (double)(sizeof(rcity_u64) + 2 * sizeof(rcity_cube_path));
    double sources = job->number[RCITY_CUBES_MAX_VERTICAL] > 0.0 ? fmin(seen_share * edges, seen_max) : 0.0;
    double side_m = fmax(box.east_m - box.west_m, box.north_m - box.south_m);
    double rays =
        (double)rcity_cubes_direction_count(side_m, edge_m) +
        sources * (double)rcity_cubes_direction_count(fmin(job->number[RCITY_CUBES_CORNER_RANGE], side_m), edge_m);
    *memory_bytes = (uint64_t)(rcity_city_cubes_bytes(job->shapes, box, edge_m) +
                               rcity_city_cubes_count(box, edge_m) * (sizeof(int32_t) + sizeof(float)) +
                               receivers * receiver_bytes +
                               states * (double)(2 * sizeof(rcity_cube_ray_source) + sizeof(rcity_u64)));
    *seconds = (2.0 * rays * ray_columns * column_ns * 1e-9 * (1.0 + job->number[RCITY_CUBES_MAX_REFLECTIONS]) +
                receivers * 4e-6) /
               rcity_context_thread_count(job->context);
    return RCITY_OK;
}

/* The bands of one receiver plane. */
typedef struct cube_bands {
    float *loss_db, *received_dbm, *is_visible, *mechanism, *reflections, *verticals, *horizontals;
} cube_bands;

static rcity_status add_bands(const rcity_job *job, const rcity_tx *tx, double height_m, rcity_map *map,
                              cube_bands *bands)
{
    bool adds_powers = strcmp(job->option[RCITY_CUBES_SUM], "power") == 0;
    memset(bands, 0, sizeof *bands);
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_LOSS, "path_loss", "dB",
                                 adds_powers ? "basic transmission loss, powers of the strongest of each kind added"
                                             : "basic transmission loss of the strongest path",
                                 height_m, &bands->loss_db));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_SIGHT, "line_of_sight", "", "1: a ray arrives straight; 0: none does",
                                 height_m, &bands->is_visible));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_CLASS, "mechanism", "",
                                 "of the strongest path: 0 direct, 2 corner, 3 roof, 4 reflection, 6 diffuse", height_m,
                                 &bands->mechanism));
    RCITY_TRY(rcity_method_name_mechanisms(job->method, map));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_COUNT, "reflections", "", "reflections of the strongest path",
                                 height_m, &bands->reflections));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_COUNT, "vertical_diffractions", "",
                                 "diffractions of the strongest path at vertical edges", height_m, &bands->verticals));
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_COUNT, "horizontal_diffractions", "",
                                 "diffractions of the strongest path at roof edges; over many roofs they count as one",
                                 height_m, &bands->horizontals));
    if (!isnan(tx->stated.power_dbm)) {
        RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm",
                                     "received power of the transmitter", height_m, &bands->received_dbm));
    }
    return RCITY_OK;
}

static void fill_cell(const rcity_cubes_levels *levels, const rcity_cubes_level *level, double input_dbm, int64_t cell,
                      const cube_bands *bands)
{
    bool is_reached = level->mechanism >= 0;
    bands->loss_db[cell] = (float)level->loss_db;
    bands->is_visible[cell] = level->is_seen ? 1.0f : 0.0f;
    bands->mechanism[cell] = is_reached ? (float)level->mechanism : NAN;
    bands->reflections[cell] = is_reached ? (float)level->reflections : NAN;
    bands->verticals[cell] = is_reached ? (float)level->verticals : NAN;
    bands->horizontals[cell] = is_reached ? (float)level->horizontals : NAN;
    if (bands->received_dbm != NULL) {
        bands->received_dbm[cell] = (float)(input_dbm + levels->ends.rx_gain_dbi - level->gained_db);
    }
}

/* Cells of all planes that are open. */
typedef struct fill_work {
    const rcity_cubes_levels *levels;
    double input_dbm;
    int64_t cell_count; /* of a plane */
    const cube_bands *bands;
} fill_work;

/* An rcity_parallel_function over open receivers. */
static void fill_cells(void *user, int64_t begin, int64_t end, int thread_index)
{
    const fill_work *work = user;
    const rcity_open_receivers *receivers = &work->levels->traced->prepared->receivers;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int64_t number = receivers->number[i];
        rcity_cubes_link link;
        rcity_cubes_levels_link(work->levels, i, &link);
        rcity_cubes_level level = rcity_cubes_levels_weigh(work->levels, &link);
        fill_cell(work->levels, &level, work->input_dbm, number % work->cell_count,
                  &work->bands[number / work->cell_count]);
    }
}

static int64_t count_near(const rcity_cubes_levels *levels)
{
    int64_t count = 0;
    for (int64_t i = 0; i < levels->traced->prepared->receivers.open_count; i++) {
        count += rcity_cubes_levels_is_near(levels, i);
    }
    return count;
}

static void clear_bands(const cube_bands *bands, int64_t cell_count)
{
    float *const all[] = {bands->loss_db,     bands->received_dbm, bands->is_visible, bands->mechanism,
                          bands->reflections, bands->verticals,    bands->horizontals};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        for (int64_t i = 0; all[k] != NULL && i < cell_count; i++) {
            all[k][i] = NAN;
        }
    }
}

static rcity_status evaluate_raster(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map)
{
    const rcity_cubes_traced *traced = trace;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    cube_bands *bands = NULL;
    rcity_cubes_levels levels;
    rcity_status status;
    (void)prepared;
    RCITY_TRY_DONE(rcity_cubes_levels_init(job, traced, tx, &levels));
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)job->receivers->height_count, sizeof *bands, "bands", &bands));
    for (int i = 0; i < job->receivers->height_count; i++) {
        RCITY_TRY_DONE(add_bands(job, tx, job->receivers->height_m[i], map, &bands[i]));
        clear_bands(&bands[i], cell_count);
    }
    fill_work work = {&levels, rcity_link_input_dbm(tx), cell_count, bands};
    rcity_parallel(job->context, traced->prepared->receivers.open_count, PIECE_CELLS, fill_cells, &work);
    RCITY_TRY_DONE(rcity_notes_add_scoped(rcity_map_notes(map), RCITY_NOTE_REMARK, "rays", "%lld from %lld sources",
                                          (long long)traced->ray_count, (long long)traced->source_count));
    RCITY_TRY_DONE(rcity_images_report_materials(job, tx, rcity_map_notes(map)));
    status = rcity_images_report_near(job, tx, count_near(&levels), cell_count * job->receivers->height_count,
                                      rcity_map_notes(map));
done:
    rcity_release(job->context, bands);
    rcity_cubes_levels_deinit(&levels);
    return status;
}

static rcity_status evaluate_points(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *wanted)
{
    const rcity_cubes_traced *traced = trace;
    const rcity_open_receivers *receivers = &traced->prepared->receivers;
    int64_t count = job->receivers->point_count;
    double input_dbm = rcity_link_input_dbm(tx);
    rcity_cubes_levels levels;
    rcity_status status;
    (void)prepared;
    for (int64_t i = 0; i < count; i++) {
        wanted->loss_db[i] = NAN;
        if (wanted->received_dbm != NULL) {
            wanted->received_dbm[i] = NAN;
        }
        if (wanted->mechanism != NULL) {
            wanted->mechanism[i] = NAN;
        }
    }
    RCITY_TRY_DONE(rcity_cubes_levels_init(job, traced, tx, &levels));
    for (int64_t i = 0; i < receivers->open_count; i++) {
        int64_t number = receivers->number[i];
        rcity_cubes_link link;
        rcity_cubes_levels_link(&levels, i, &link);
        rcity_cubes_level level = rcity_cubes_levels_weigh(&levels, &link);
        wanted->loss_db[number] = (float)level.loss_db;
        if (wanted->received_dbm != NULL) {
            wanted->received_dbm[number] = (float)(input_dbm + levels.ends.rx_gain_dbi - level.gained_db);
        }
        if (wanted->mechanism != NULL && level.mechanism >= 0) {
            wanted->mechanism[number] = (float)level.mechanism;
        }
    }
    status = rcity_images_report_near(job, tx, count_near(&levels), count, wanted->notes);
done:
    rcity_cubes_levels_deinit(&levels);
    return status;
}

static const rcity_mechanism mechanisms[] = {
    RCITY_MECHANISM_DIRECT,     RCITY_MECHANISM_CORNER,  RCITY_MECHANISM_ROOF,
    RCITY_MECHANISM_REFLECTION, RCITY_MECHANISM_DIFFUSE,
};

#define ORDER_OPTIONS                                                                                                  \
    (RCITY_OPTION_BIT(RCITY_CUBES_MAX_REFLECTIONS) | RCITY_OPTION_BIT(RCITY_CUBES_MAX_VERTICAL) |                      \
     RCITY_OPTION_BIT(RCITY_CUBES_MAX_HORIZONTAL))

const rcity_method rcity_cubes_method = {
    .info =
        {
            .name = "cubes",
            .text =
                "rays launched through cubes: reflection and diffraction at walls, corners and roofs; the strongest "
                "path",
            .effects =
                RCITY_EFFECT_LINE_OF_SIGHT | RCITY_EFFECT_REFLECTION | RCITY_EFFECT_DIFFRACTION | RCITY_EFFECT_TERRAIN,
            .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
            .option_count = RCITY_CUBES_OPTION_COUNT,
        },
    .options = options,
    .knows_antennas = true,
    .mechanism_count = (int)(sizeof mechanisms / sizeof mechanisms[0]),
    .mechanisms = mechanisms,
    .prepare_options = RCITY_OPTION_BIT(RCITY_CUBES_EDGE),
    .trace_options = ORDER_OPTIONS | RCITY_OPTION_BIT(RCITY_CUBES_CORNER_RANGE),
    .order_options = ORDER_OPTIONS,
    .check = check,
    .estimate = estimate,
    .prepare = rcity_cubes_prepare,
    .release_prepared = rcity_cubes_release_prepared,
    .open_workspace = rcity_cubes_open_workspace,
    .close_workspace = rcity_cubes_close_workspace,
    .trace = rcity_cubes_trace,
    .release_trace = rcity_cubes_release_trace,
    .evaluate_raster = evaluate_raster,
    .evaluate_points = evaluate_points,
    .fit = &rcity_cubes_fit,
};
