/* A stage on a device against the host's: what the source sees bit for bit, the same rasters, chains and paths, and
   levels to rounding, for any weights; and what a device without room does. */
#include "los_cases.h"
#include "munich.h"
#include "sight_cases.h"

#include "method/shadow/trace/shadow_device.h"
#include "radiocity/city.h"
#include "visibility/los/los_views.h"

static const uint64_t seed = 31;

/* One side: a stage of any kind, or the device's side on the host's threads. */
typedef struct side {
    rcity_context *context;
    rcity_device *device;
    rcity_shadow_tracer *stage;
    rcity_shadow_device *kernels;
    rcity_shadow_trace *trace;
    rcity_shadow_device_paths *paths;
    size_t count;
    rcity_shadow_bands bands;
} side;

static void open_side(los_stage *los, const char *id, bool runs_kernels, const rcity_shadow_choice *choice, side *s)
{
    memset(s, 0, sizeof *s);
    s->context = los->context;
    s->count = (size_t)los->plane.row_count * (size_t)los->plane.column_count;
    assert_ok(s->context, rcity_device_open(s->context, id, &s->device));
    if (runs_kernels) {
        assert_ok(s->context, rcity_shadow_device_open(s->context, s->device, &los->plane, choice, &s->kernels));
    } else {
        assert_ok(s->context, rcity_shadow_tracer_open(s->context, s->device, &los->plane, choice, &s->stage));
    }
    s->bands = (rcity_shadow_bands){calloc(s->count, 4), calloc(s->count, 4), calloc(s->count, 4), calloc(s->count, 4)};
}

static void end_trace(side *s)
{
    rcity_shadow_trace_destroy(&s->trace);
    rcity_shadow_device_paths_destroy(&s->paths);
}

static void close_side(side *s)
{
    end_trace(s);
    rcity_shadow_tracer_close(&s->stage);
    rcity_shadow_device_close(&s->kernels);
    rcity_device_close(&s->device);
    free(s->bands.loss_db);
    free(s->bands.received_dbm);
    free(s->bands.mechanism);
    free(s->bands.turn_count);
}

static void trace_side(side *s, rcity_grid_point3 source)
{
    end_trace(s);
    if (s->kernels != NULL) {
        assert_ok(s->context, rcity_shadow_device_trace(s->kernels, 1, &source, &s->paths));
    } else {
        assert_ok(s->context, rcity_shadow_tracer_trace(s->stage, 1, &source, &s->trace));
    }
}

static void weigh_side(side *s, const rcity_shadow_weights *weights, const float *pattern, int64_t pattern_count)
{
    for (size_t i = 0; i < s->count; i++) {
        s->bands.loss_db[i] = s->bands.received_dbm[i] = -1e9f;
    }
    if (s->kernels != NULL) {
        assert_ok(s->context, rcity_shadow_device_weigh(s->paths, weights, pattern, pattern_count, &s->bands));
        assert_ok(s->context, rcity_shadow_device_finish(s->paths));
    } else {
        assert_ok(s->context, rcity_shadow_trace_weigh(s->trace, weights, pattern, pattern_count, &s->bands));
    }
}

static const uint64_t *visible_of(const side *s)
{
    return s->kernels != NULL ? rcity_shadow_device_visible(s->paths) : rcity_shadow_trace_visible(s->trace);
}

static rcity_shadow_effort effort_of(const side *s)
{
    return s->kernels != NULL ? rcity_shadow_device_effort(s->paths) : rcity_shadow_trace_effort(s->trace);
}

/* Weights of a trial: all coefficients matter, the antenna is isotropic, the element of 3GPP, or one with cuts. */
static rcity_shadow_weights make_weights(uint64_t trial)
{
    uint64_t at = 100000 + 100 * trial;
    rcity_shadow_weights weights;
    memset(&weights, 0, sizeof weights);
    rcity_shadow_turn_law *laws[2] = {&weights.law.corner, &weights.law.roof};
    for (uint64_t i = 0; i < 2; i++) {
        laws[i]->constant_db = (float)test_uniform(seed, at + 4 * i, 0.0, 10.0);
        laws[i]->per_decade_db = (float)test_uniform(seed, at + 4 * i + 1, 0.0, 10.0);
        laws[i]->linear_db = (float)test_uniform(seed, at + 4 * i + 2, -5.0, 20.0);
        laws[i]->square_db = (float)test_uniform(seed, at + 4 * i + 3, -5.0, 20.0);
    }
    double azimuth = test_uniform(seed, at + 10, 0.0, 6.28);
    double tilt = test_uniform(seed, at + 11, 0.0, 0.2);
    weights.law.first_wall_db = (float)test_uniform(seed, at + 12, 0.0, 20.0);
    weights.law.wall_db = (float)test_uniform(seed, at + 13, 3.0, 15.0);
    weights.law.metre_db = (float)test_uniform(seed, at + 14, 0.0, 1.0);
    weights.law.foliage_scale = (float)test_uniform(seed, at + 15, 0.0, 2.0);
    weights.law.direct_db = (float)test_uniform(seed, at + 16, -4.0, 2.0);
    weights.law.clutter_metre_db = trial % 4 < 2 ? 0.0f : (float)test_uniform(seed, at + 18, 0.0, 1.0);
    weights.law.clutter_height_m = (float)test_uniform(seed, at + 19, 1.0, 20.0);
    weights.law.clutter_limit_db = (float)test_uniform(seed, at + 20, 10.0, 60.0);
    weights.receiver_height_m = 1.5f;
    weights.law.log_wavenumber = 1.6f;
    weights.law.free_space_db = 32.0f;
    weights.level_dbm = 30.0f;
    weights.adds_powers = trial % 2 == 1;
    static const int kinds[] = {RCITY_ANTENNA_KIND_ISOTROPIC, RCITY_ANTENNA_KIND_3GPP, RCITY_ANTENNA_KIND_PROJECTION};
    weights.antenna = (rcity_antenna_job){.kind = kinds[trial % 3],
                                          .gain_dbi = (float)test_uniform(seed, at + 17, -5.0, 20.0),
                                          .sin_azimuth = (float)sin(azimuth),
                                          .cos_azimuth = (float)cos(azimuth),
                                          .sin_tilt = (float)sin(tilt),
                                          .cos_tilt = (float)cos(tilt)};
    return weights;
}

typedef struct tally {
    double worst_db;
    long pixels, ties, mechanisms[4];
    int64_t paths, chains;
    long visible;
} tally;

static void compare_levels(const side *host, const side *device, tally *t)
{
    for (size_t i = 0; i < host->count; i++) {
        assert_int_equal(isnan(host->bands.received_dbm[i]), isnan(device->bands.received_dbm[i]));
        assert_int_equal(isnan(host->bands.mechanism[i]), isnan(device->bands.mechanism[i]));
        if (isnan(host->bands.received_dbm[i])) {
            assert_true(isnan(device->bands.turn_count[i]) && isnan(device->bands.loss_db[i]));
            continue;
        }
        t->worst_db = fmax(t->worst_db, fabs((double)host->bands.loss_db[i] - (double)device->bands.loss_db[i]));
        t->worst_db =
            fmax(t->worst_db, fabs((double)host->bands.received_dbm[i] - (double)device->bands.received_dbm[i]));
        t->ties += host->bands.mechanism[i] != device->bands.mechanism[i] ||
                   host->bands.turn_count[i] != device->bands.turn_count[i];
        t->pixels++;
        t->mechanisms[(int)host->bands.mechanism[i]]++;
    }
}

static void compare_source(los_stage *los, side *host, side *device, rcity_grid_point3 source, uint64_t trial, tally *t)
{
    float pattern[RCITY_ANTENNA_TABLE_COUNT];
    for (size_t i = 0; i < RCITY_ANTENNA_TABLE_COUNT; i++) {
        pattern[i] = (float)test_uniform(seed, 900000 + i, 0.0, 30.0);
    }
    trace_side(host, source);
    trace_side(device, source);
    t->visible += (long)los_compare(los, source, "on a device", visible_of(device), visible_of(host));
    rcity_shadow_effort expected = effort_of(host);
    rcity_shadow_effort effort = effort_of(device);
    assert_int_equal(effort.raster_count, expected.raster_count);
    assert_int_equal(effort.chain_count, expected.chain_count);
    assert_int_equal(effort.path_count, expected.path_count);
    t->paths += expected.path_count;
    t->chains += expected.chain_count;
    for (uint64_t i = 0; i < 3; i++) {
        rcity_shadow_weights weights = make_weights(3 * trial + i);
        bool has_cuts = weights.antenna.kind == RCITY_ANTENNA_KIND_PROJECTION;
        const float *table = has_cuts ? pattern : NULL;
        int64_t table_count = has_cuts ? RCITY_ANTENNA_TABLE_COUNT : 0;
        weigh_side(host, &weights, table, table_count);
        weigh_side(device, &weights, table, table_count);
        compare_levels(host, device, t);
    }
}

static rcity_shadow_choice make_choice(int i)
{
    static const rcity_shadow_roof_choice roofs[] = {RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_ROOFS_OFF,
                                                     RCITY_SHADOW_ROOFS_COUNT};
    static const rcity_shadow_wall_choice walls[] = {RCITY_SHADOW_WALLS_METRES, RCITY_SHADOW_WALLS_COUNT,
                                                     RCITY_SHADOW_WALLS_OFF};
    return (rcity_shadow_choice){i % 4, roofs[i % 3], walls[i / 2 % 3], i % 2 == 1, NULL};
}

static void compare_scene(los_stage *los, const char *id, bool runs_kernels, int first, int source_count, int order_max,
                          tally *t)
{
    for (int c = first; c < first + 4; c++) {
        rcity_shadow_choice choice = make_choice(c);
        choice.order = choice.order < order_max ? choice.order : order_max;
        side host, device;
        open_side(los, "host", false, &choice, &host);
        open_side(los, id, runs_kernels, &choice, &device);
        for (int i = 0; i < source_count; i++) {
            int number = c * source_count + i;
            compare_source(los, &host, &device, los_source(los, seed, number), (uint64_t)number, t);
        }
        close_side(&device);
        close_side(&host);
    }
}

/* Over terrain the angles of a few paths differ where rounding decides what is an edge. */
static void tell(const char *what, const char *id, const tally *t, bool has_terrain)
{
    print_message(
        "%s on %s, seed %llu: %ld levels within %.6f dB, %ld ties, %ld visible, %lld chains, %lld paths; direct "
        "%ld, walls %ld, corners %ld, roofs %ld\n",
        what, id, (unsigned long long)seed, t->pixels, t->worst_db, t->ties, t->visible, (long long)t->chains,
        (long long)t->paths, t->mechanisms[0], t->mechanisms[1], t->mechanisms[2], t->mechanisms[3]);
    assert_true(t->worst_db < (has_terrain ? 0.05 : 2e-3));
    assert_true(t->ties <= t->pixels / 1000);
}

static void compare_cities(const char *id, bool runs_kernels)
{
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        tally t;
        memset(&t, 0, sizeof t);
        rcity_context *context = test_context(2);
        los_stage los;
        los_stage_open(context, sight_city(context, (rcity_city_kind)kind, 5, 0.1), 9.0, &los);
        compare_scene(&los, id, runs_kernels, 4 * kind, 4, 3, &t);
        tell(rcity_city_kind_name((rcity_city_kind)kind), runs_kernels ? "host threads" : id, &t, los.plane.z != NULL);
        for (int i = 0; i < 4 && kind != RCITY_CITY_HILLS; i++) { /* where there are no houses */
            assert_true(t.mechanisms[i] > 100);
        }
        assert_true(t.paths > 1000 || kind == RCITY_CITY_HILLS);
        los_stage_close(&los);
        rcity_context_destroy(&context);
    }
}

static void test_kernels_on_threads(void **state)
{
    (void)state;
    compare_cities("host", true);
}

static void test_device_equals_host_in_cities(void **state)
{
    (void)state;
    char id[32];
    if (test_find_opencl(id)) {
        compare_cities(id, false);
    }
}

/* Buildings that overlap and touch themselves: lines that only the host's plain test knows. */
static void test_device_equals_host_among_touching_buildings(void **state)
{
    (void)state;
    char id[32];
    bool has_device = test_find_opencl(id);
    tally t;
    memset(&t, 0, sizeof t);
    for (uint64_t i = 0; i < 6; i++) {
        rcity_context *context = test_context(2);
        los_stage los;
        los_stage_open(context, sight_messy_scene(context, i), 3.0, &los);
        compare_scene(&los, has_device ? id : "host", !has_device, (int)i, 3, 2, &t);
        los_stage_close(&los);
        rcity_context_destroy(&context);
    }
    tell("messy scenes", has_device ? id : "host threads", &t, true);
}

static void test_device_equals_host_in_munich(void **state)
{
    (void)state;
    char id[32];
    if (!test_find_opencl(id)) {
        skip();
    }
    tally t;
    memset(&t, 0, sizeof t);
    rcity_scene *scene;
    rcity_context *context = test_munich_open(2, &scene);
    los_stage los;
    los_stage_open(context, scene, 20.0, &los);
    const rcity_shadow_choice choice = {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_OFF, false, NULL};
    side host, device;
    open_side(&los, "host", false, &choice, &host);
    open_side(&los, id, false, &choice, &device);
    for (int i = 0; i < 3; i++) {
        rcity_grid_point3 source = los_source(&los, seed, 9 * i);
        source.z = (i == 0 ? 13 : 6 * i) * RCITY_HEIGHT_UNITS_PER_M;
        compare_source(&los, &host, &device, source, (uint64_t)i, &t);
    }
    tell("Munich", id, &t, false);
    close_side(&device);
    close_side(&host);
    los_stage_close(&los);
    rcity_context_destroy(&context);
}

/* A trace weighed again equals a new one, and two traces live side by side. */
static void check_again(const char *id, bool runs_kernels)
{
    rcity_context *context = test_context(2);
    los_stage los;
    los_stage_open(context, sight_city(context, RCITY_CITY_CORE, 5, 0.1), 9.0, &los);
    const rcity_shadow_choice choice = {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_OFF, false, NULL};
    side first, second;
    open_side(&los, id, runs_kernels, &choice, &first);
    open_side(&los, id, runs_kernels, &choice, &second);
    rcity_shadow_weights weights[2] = {make_weights(1), make_weights(4)};
    rcity_grid_point3 here = los_source(&los, seed, 0), there = los_source(&los, seed, 9);
    here.z = there.z = 10 * RCITY_HEIGHT_UNITS_PER_M;
    trace_side(&first, here);
    weigh_side(&first, &weights[0], NULL, 0);
    rcity_shadow_device_paths *kept_paths = first.paths; /* stays while another source is traced in the same stage */
    rcity_shadow_trace *kept_trace = first.trace;
    first.paths = NULL;
    first.trace = NULL;
    trace_side(&first, there);
    weigh_side(&first, &weights[0], NULL, 0);
    end_trace(&first);
    first.paths = kept_paths;
    first.trace = kept_trace;
    weigh_side(&first, &weights[1], NULL, 0);
    trace_side(&second, here);
    weigh_side(&second, &weights[1], NULL, 0);
    assert_memory_equal(first.bands.loss_db, second.bands.loss_db, first.count * sizeof(float));
    assert_memory_equal(first.bands.received_dbm, second.bands.received_dbm, first.count * sizeof(float));
    assert_memory_equal(first.bands.mechanism, second.bands.mechanism, first.count * sizeof(float));
    trace_side(&second, there); /* into room that was used before */
    trace_side(&second, here);
    weigh_side(&second, &weights[1], NULL, 0);
    assert_memory_equal(first.bands.loss_db, second.bands.loss_db, first.count * sizeof(float));
    close_side(&second);
    close_side(&first);
    los_stage_close(&los);
    rcity_context_destroy(&context);
}

static void test_reweighed_trace_equals_a_new_one(void **state)
{
    (void)state;
    char id[32];
    check_again("host", false);
    check_again("host", true);
    if (test_find_opencl(id)) {
        check_again(id, false);
    }
}

/* Strips as local memory has room for, and views beyond what there was room for. */
static int64_t check_views(const char *id, size_t local_bytes, uint64_t messy_seed)
{
    rcity_context *context = test_context(2);
    los_stage los;
    rcity_scene *scene =
        messy_seed > 0 ? sight_messy_scene(context, messy_seed) : sight_city(context, RCITY_CITY_CORE, 5, 0.1);
    los_stage_open(context, scene, messy_seed > 0 ? 1.0 : 5.0, &los);
    rcity_device *device = NULL;
    rcity_los_views views;
    assert_ok(context, rcity_device_open(context, id, &device));
    assert_ok(context, rcity_los_views_init(context, device, &los.plane, &views));
    rcity_los_batch_limit_local(views.batch, local_bytes);
    uint64_t *expected = calloc(los.mask_words, sizeof *expected);
    uint64_t *found = calloc(100 * los.mask_words, sizeof *found);
    static const int64_t counts[] = {1, 40, 100};
    int64_t first = 0;
    long lost_count = 0;
    for (int round = 0; round < 3; round++) {
        bool is_lost = false;
        assert_ok(context, rcity_los_views_reserve(&views, counts[round], &is_lost));
        lost_count += is_lost;
        for (int64_t i = 0; i < counts[round]; i++) {
            rcity_los_views_place(&views, i, los_source(&los, seed, (int)i));
        }
        first = is_lost ? 0 : first;
        assert_ok(context, rcity_los_views_trace(&views, first, counts[round] - first));
        assert_ok(context, rcity_los_views_fetch(&views));
        assert_ok(context, rcity_device_finish(context, device));
        assert_ok(context, rcity_los_views_decide(&views));
        first = counts[round];
    }
    assert_ok(context, rcity_resident_read(context, views.masks_dev, 0, 200 * (int64_t)los.mask_words, found));
    assert_ok(context, rcity_device_finish(context, device));
    for (int i = 0; i < 100; i++) {
        rcity_grid_point3 source = los_source(&los, seed, i);
        assert_ok(context, rcity_los_trace(context, &los.plane, &los.worker, source, expected));
        los_compare(&los, source, "a view", found + (size_t)i * los.mask_words, expected);
    }
    print_message("views on %s: %lld strips, %lld pixels deferred, %lld views by the host\n", id,
                  (long long)views.item_count, (long long)views.deferred_count, (long long)views.retraced_count);
    assert_int_equal(lost_count, 1);
    int64_t deferred_count = views.deferred_count;
    free(found);
    free(expected);
    rcity_los_views_deinit(&views);
    rcity_device_close(&device);
    los_stage_close(&los);
    rcity_context_destroy(&context);
    return deferred_count;
}

static void test_views_equal_single_traces(void **state)
{
    (void)state;
    char id[32];
    bool has_device = test_find_opencl(id);
    int64_t deferred_count = 0;
    for (uint64_t messy_seed = 0; messy_seed < 8; messy_seed += messy_seed == 0 ? 5 : 1) {
        deferred_count += check_views("host", 12000, messy_seed);
        if (has_device) {
            deferred_count += check_views(id, messy_seed % 2 == 0 ? SIZE_MAX : 12000, messy_seed);
        }
    }
    assert_true(deferred_count > 0);
}

/* A device without room: the host does it, and says so. */
static char warning[400];

static void keep_warning(void *user, rcity_log_level level, const char *text)
{
    (void)user;
    if (level == RCITY_LOG_WARNING) {
        snprintf(warning, sizeof warning, "%s", text);
    }
}

static void test_no_room(void **state)
{
    (void)state;
    char id[32];
    if (!test_find_opencl(id)) {
        skip();
    }
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 2;
    options.log = keep_warning;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    los_stage los;
    los_stage_open(context, sight_city(context, RCITY_CITY_CORE, 5, 0.1), 9.0, &los);
    const rcity_shadow_choice choice = {3, RCITY_SHADOW_ROOFS_OFF, RCITY_SHADOW_WALLS_OFF, true, NULL};
    rcity_grid_point3 source = {(los.shapes->x_min + los.shapes->x_max) / 2,
                                (los.shapes->y_min + los.shapes->y_max) / 2, 10 * RCITY_HEIGHT_UNITS_PER_M};
    uint64_t mask_bytes = 8 * los.mask_words;
    const uint64_t limits[] = {1000, 65 * mask_bytes}; /* nothing fits; the plane does, but not what all views see */
    tally t;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < 2; i++) {
        side host, device;
        open_side(&los, "host", false, &choice, &host);
        open_side(&los, id, false, &choice, &device);
        rcity_shadow_tracer_close(&device.stage);
        rcity_device_limit_buffer(device.device, limits[i]);
        warning[0] = '\0';
        assert_ok(context, rcity_shadow_tracer_open(context, device.device, &los.plane, &choice, &device.stage));
        compare_source(&los, &host, &device, source, (uint64_t)i, &t);
        assert_non_null(strstr(warning, "the host does what the device has no room for"));
        assert_true(effort_of(&device).raster_count > 64);
        close_side(&device);
        close_side(&host);
    }
    assert_true(t.worst_db == 0.0);
    los_stage_close(&los);
    rcity_context_destroy(&context);
}

TEST_SUITE(shadow_tracer)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_on_threads),
        cmocka_unit_test(test_device_equals_host_in_cities),
        cmocka_unit_test(test_device_equals_host_among_touching_buildings),
        cmocka_unit_test(test_device_equals_host_in_munich),
        cmocka_unit_test(test_reweighed_trace_equals_a_new_one),
        cmocka_unit_test(test_views_equal_single_traces),
        cmocka_unit_test(test_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
