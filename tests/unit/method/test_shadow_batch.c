/* Sources traced and weighed together against the same sources one by one: what they see, what was found and all
   levels, bit for bit, on the host, by the kernels on its threads, and on a device; also where a device has no room for
   all of them. */
#include "los_cases.h"
#include "sight_cases.h"

#include "method/shadow/trace/shadow_device.h"
#include "radiocity/city.h"

#define BATCH_MAX  40
#define BAND_COUNT 4

static const uint64_t seed = 47;

/* A stage of any kind, or the device's side on the host's threads. */
typedef struct side {
    rcity_context *context;
    rcity_device *device;
    rcity_shadow_tracer *stage;
    rcity_shadow_device *kernels;
    size_t count, mask_words;
} side;

static void open_side(los_stage *los, const char *id, bool runs_kernels, const rcity_shadow_choice *choice, side *s)
{
    memset(s, 0, sizeof *s);
    s->context = los->context;
    s->count = (size_t)los->plane.row_count * (size_t)los->plane.column_count;
    s->mask_words = los->mask_words;
    assert_ok(s->context, rcity_device_open(s->context, id, &s->device));
    if (runs_kernels) {
        assert_ok(s->context, rcity_shadow_device_open(s->context, s->device, &los->plane, choice, &s->kernels));
    } else {
        assert_ok(s->context, rcity_shadow_tracer_open(s->context, s->device, &los->plane, choice, &s->stage));
    }
}

static void close_side(side *s)
{
    rcity_shadow_tracer_close(&s->stage);
    rcity_shadow_device_close(&s->kernels);
    rcity_device_close(&s->device);
}

/* Everything of a source: what it sees, its effort, its levels. */
typedef struct outcome {
    uint64_t *visible;
    rcity_shadow_effort effort;
    float *levels;
} outcome;

static outcome make_outcome(const side *s)
{
    outcome o = {calloc(s->mask_words, sizeof *o.visible), {0, 0, 0}, calloc(BAND_COUNT * s->count, sizeof *o.levels)};
    return o;
}

static void free_outcome(outcome *o)
{
    free(o->visible);
    free(o->levels);
}

static rcity_shadow_bands bands_of(const side *s, const outcome *o)
{
    return (rcity_shadow_bands){o->levels, o->levels + s->count, o->levels + 2 * s->count, o->levels + 3 * s->count};
}

/* The antenna turns from source to source. */
static rcity_shadow_weights make_weights(int i)
{
    rcity_shadow_weights weights;
    memset(&weights, 0, sizeof weights);
    weights.law.corner = (rcity_shadow_turn_law){0.0f, 5.0f, 5.0f, 10.0f, 2.0f};
    weights.law.roof = (rcity_shadow_turn_law){0.0f, 5.0f, 5.0f, 12.0f, 6.0f};
    weights.law.first_wall_db = 8.0f;
    weights.law.wall_db = 4.0f;
    weights.law.metre_db = 0.2f;
    weights.law.free_space_db = 32.0f;
    weights.law.log_wavenumber = 1.6f;
    weights.level_dbm = 30.0f;
    weights.antenna.kind = i % 2 == 0 ? RCITY_ANTENNA_KIND_3GPP : RCITY_ANTENNA_KIND_ISOTROPIC;
    weights.antenna.gain_dbi = 8.0f;
    weights.antenna.cos_tilt = 1.0f;
    weights.antenna.sin_azimuth = (float)sin(0.7 * i);
    weights.antenna.cos_azimuth = (float)cos(0.7 * i);
    return weights;
}

static void use_stage(side *s, int count, const rcity_grid_point3 *sources, int first, outcome *o)
{
    rcity_shadow_trace *traces[BATCH_MAX];
    rcity_shadow_weighing weighings[BATCH_MAX];
    assert_ok(s->context, rcity_shadow_tracer_trace(s->stage, count, sources, traces));
    for (int i = 0; i < count; i++) {
        memset(&weighings[i], 0, sizeof weighings[i]);
        weighings[i].trace = traces[i];
        weighings[i].weights = make_weights(first + i);
        weighings[i].bands = bands_of(s, &o[i]);
        memcpy(o[i].visible, rcity_shadow_trace_visible(traces[i]), s->mask_words * sizeof *o[i].visible);
        o[i].effort = rcity_shadow_trace_effort(traces[i]);
    }
    assert_ok(s->context, rcity_shadow_traces_weigh(count, weighings));
    for (int i = 0; i < count; i++) { /* not in the order in which they were made */
        rcity_shadow_trace_destroy(&traces[(i + count / 2) % count]);
    }
}

static void use_kernels(side *s, int count, const rcity_grid_point3 *sources, int first, outcome *o)
{
    rcity_shadow_device_paths *paths[BATCH_MAX];
    assert_ok(s->context, rcity_shadow_device_trace(s->kernels, count, sources, paths));
    for (int i = 0; i < count; i++) {
        rcity_shadow_weights weights = make_weights(first + i);
        rcity_shadow_bands bands = bands_of(s, &o[i]);
        memcpy(o[i].visible, rcity_shadow_device_visible(paths[i]), s->mask_words * sizeof *o[i].visible);
        o[i].effort = rcity_shadow_device_effort(paths[i]);
        assert_ok(s->context, rcity_shadow_device_weigh(paths[i], &weights, NULL, 0, &bands));
    }
    assert_ok(s->context, rcity_shadow_device_finish(paths[0]));
    for (int i = 0; i < count; i++) {
        rcity_shadow_device_paths_destroy(&paths[i]);
    }
}

static void use(side *s, int count, const rcity_grid_point3 *sources, int first, outcome *o)
{
    if (s->kernels != NULL) {
        use_kernels(s, count, sources, first, o);
    } else {
        use_stage(s, count, sources, first, o);
    }
}

/* One by one, nothing known of others. */
static void use_alone(side *s, rcity_grid_point3 source, int index, outcome *o)
{
    if (s->kernels != NULL) {
        rcity_shadow_device_forget(s->kernels);
    } else {
        rcity_shadow_tracer_forget(s->stage);
    }
    use(s, 1, &source, index, o);
}

typedef struct tally {
    long batches, paths, chains, visible, levels;
} tally;

static void compare(const side *s, const outcome *together, const outcome *alone, tally *t)
{
    assert_memory_equal(together->visible, alone->visible, s->mask_words * sizeof *alone->visible);
    assert_memory_equal(together->levels, alone->levels, BAND_COUNT * s->count * sizeof *alone->levels);
    assert_int_equal(together->effort.raster_count, alone->effort.raster_count);
    assert_int_equal(together->effort.chain_count, alone->effort.chain_count);
    assert_int_equal(together->effort.path_count, alone->effort.path_count);
    t->chains += (long)alone->effort.chain_count;
    t->paths += (long)alone->effort.path_count;
    for (size_t i = 0; i < s->count; i++) {
        t->levels += !isnan(alone->levels[i]);
    }
    for (size_t i = 0; i < s->mask_words; i++) {
        t->visible += alone->visible[i] != 0;
    }
}

/* Batches of several sizes, one after the other in the same stage: later ones know what corners saw before. */
static void check_batches(los_stage *los, const char *id, bool runs_kernels, const rcity_shadow_choice *choice,
                          size_t pin_bytes, uint64_t limit_bytes, tally *t)
{
    static const int sizes[] = {2, 1, 7, 0};
    bool is_device = !runs_kernels && strcmp(id, "host") != 0;
    const int last = is_device ? BATCH_MAX : 12; /* more than go together on a device */
    side batch, single;
    open_side(los, id, runs_kernels, choice, &batch);
    open_side(los, id, runs_kernels, choice, &single);
    rcity_device_pin_from(batch.device, pin_bytes);
    rcity_device_limit_buffer(batch.device, limit_bytes);
    rcity_grid_point3 sources[BATCH_MAX];
    outcome together[BATCH_MAX];
    outcome alone = make_outcome(&single);
    for (int i = 0; i < BATCH_MAX; i++) {
        together[i] = make_outcome(&batch);
    }
    int first = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int count = sizes[k] > 0 ? sizes[k] : last;
        for (int i = 0; i < count; i++) {
            sources[i] = los_source(los, seed, first + i);
        }
        use(&batch, count, sources, first, together);
        for (int i = 0; i < count; i++) {
            use_alone(&single, sources[i], first + i, &alone);
            compare(&batch, &together[i], &alone, t);
        }
        first += count;
        t->batches++;
    }
    for (int i = 0; i < BATCH_MAX; i++) {
        free_outcome(&together[i]);
    }
    free_outcome(&alone);
    close_side(&single);
    close_side(&batch);
}

static rcity_shadow_choice make_choice(int i)
{
    static const rcity_shadow_roof_choice roofs[] = {RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_ROOFS_COUNT,
                                                     RCITY_SHADOW_ROOFS_OFF};
    static const rcity_shadow_wall_choice walls[] = {RCITY_SHADOW_WALLS_COUNT, RCITY_SHADOW_WALLS_METRES,
                                                     RCITY_SHADOW_WALLS_OFF};
    return (rcity_shadow_choice){2 - i % 3, roofs[i / 2 % 3], walls[i % 3], i % 2 == 1, NULL};
}

static void check_place(const char *id, bool runs_kernels)
{
    static const rcity_city_kind kinds[] = {RCITY_CITY_CORE, RCITY_CITY_HIGHRISE};
    tally t;
    memset(&t, 0, sizeof t);
    for (int kind = 0; kind < 2; kind++) { /* the second stands on terrain */
        rcity_context *context = test_context(2);
        los_stage los;
        los_stage_open(context, sight_city(context, kinds[kind], 5, 0.1), 12.0, &los);
        for (int c = 0; c < 4; c++) {
            rcity_shadow_choice choice = make_choice(c + kind);
            check_batches(&los, id, runs_kernels, &choice, c % 2 == 0 ? 0 : 64, 0, &t);
        }
        los_stage_close(&los);
        rcity_context_destroy(&context);
    }
    print_message("%s%s, seed %llu: %ld batches as single sources, %ld levels, %ld chains, %ld paths\n", id,
                  runs_kernels ? " by kernels" : "", (unsigned long long)seed, t.batches, t.levels, t.chains, t.paths);
    assert_true(t.levels > 10000 && t.chains > 1000 && t.paths > 1000 && t.visible > 100);
}

static void test_host_batch_equals_single_sources(void **state)
{
    (void)state;
    check_place("host", false);
}

static void test_kernels_on_threads_batch_equals_single_sources(void **state)
{
    (void)state;
    check_place("host", true);
}

static void test_device_batch_equals_single_sources(void **state)
{
    (void)state;
    char id[32];
    if (!test_find_opencl(id)) {
        skip();
    }
    check_place(id, false);
}

static int warning_count;

static void count_warnings(void *user, rcity_log_level level, const char *text)
{
    (void)user;
    (void)text;
    warning_count += level == RCITY_LOG_WARNING;
}

/* Launches of a batch of 8. */
static int64_t count_launches(los_stage *los, const char *id, const rcity_shadow_choice *choice, uint64_t limit_bytes)
{
    rcity_device_times times;
    side s;
    outcome o[8];
    rcity_grid_point3 sources[8];
    open_side(los, id, false, choice, &s);
    rcity_device_limit_buffer(s.device, limit_bytes);
    for (int i = 0; i < 8; i++) {
        sources[i] = los_source(los, seed, i);
        o[i] = make_outcome(&s);
    }
    use(&s, 8, sources, 0, o);
    rcity_device_get_times(s.device, &times);
    for (int i = 0; i < 8; i++) {
        free_outcome(&o[i]);
    }
    close_side(&s);
    return times.launch_count;
}

/* A device without room for all sources of a batch together traces fewer at a time, and the host is not needed. */
static void test_batch_is_split_where_a_device_has_little_room(void **state)
{
    (void)state;
    char id[32];
    if (!test_find_opencl(id)) {
        skip();
    }
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 2;
    options.log = count_warnings;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    los_stage los;
    tally t;
    memset(&t, 0, sizeof t);
    los_stage_open(context, sight_city(context, RCITY_CITY_CORE, 5, 0.1), 1.5, &los);
    const rcity_shadow_choice choice = {1, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_COUNT, false, NULL};
    size_t pixel_count = (size_t)los.plane.row_count * (size_t)los.plane.column_count;
    uint64_t limit_bytes = 3 * pixel_count * sizeof(rcity_shadow_roof);
    warning_count = 0;
    check_batches(&los, id, false, &choice, 0, limit_bytes, &t);
    int64_t whole = count_launches(&los, id, &choice, 0);
    int64_t split = count_launches(&los, id, &choice, limit_bytes);
    print_message("split on %s: %lld launches instead of %lld\n", id, (long long)split, (long long)whole);
    assert_int_equal(warning_count, 0);
    assert_true(split > whole);
    los_stage_close(&los);
    rcity_context_destroy(&context);
}

TEST_SUITE(shadow_batch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_batch_equals_single_sources),
        cmocka_unit_test(test_kernels_on_threads_batch_equals_single_sources),
        cmocka_unit_test(test_device_batch_equals_single_sources),
        cmocka_unit_test(test_batch_is_split_where_a_device_has_little_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
