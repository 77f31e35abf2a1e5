/* Files of coefficients: what is saved comes back bit by bit, whatever the locale; broken files get a sentence. */
#include "rcity_test.h"

#include <unistd.h>

#include "comma_locale.h"
#include "fit_items.h"
#include "heard_log.h"
#include "result/coefficients.h"

#define ROUND_TRIP_COUNT 60

static const char good[] =
    "{\"format\": \"radiocity coefficients\", \"format_version\": 1, \"radiocity_version\": \"0.1.0\",\n"
    " \"method\": \"shadow\",\n"
    " \"options\": {\"max-corners\": \"1\", \"corner-path-db\": \"2.5\"},\n"
    " \"coefficients\": [\n"
    "  {\"name\": \"corner-path-db\", \"unit\": \"dB\", \"value\": 2.5, \"low\": 1, \"high\": 4,\n"
    "   \"bound_low\": -10, \"bound_high\": 20, \"fitted\": true, \"at_bound\": false, \"known\": true},\n"
    "  {\"name\": \"offset A\", \"unit\": \"dB\", \"value\": -7, \"low\": null, \"high\": null,\n"
    "   \"bound_low\": -60, \"bound_high\": 60, \"fitted\": false, \"at_bound\": false, \"known\": true}],\n"
    " \"baselines\": {\"constant_db\": 120, \"free_space_offset_db\": 30, \"log_distance_db\": 35.5,\n"
    "  \"log_distance_decade_db\": null},\n"
    " \"summary\": {\"fitted_on\": \"route A\", \"point_count\": 100, \"outlier_count\": 5,\n"
    "  \"frequency_min_hz\": 9e8, \"frequency_max_hz\": 1e9, \"distance_min_m\": 50, \"distance_max_m\": 800,\n"
    "  \"before\": {\"count\": 100, \"mean_db\": 3, \"rmse_db\": 9, \"standard_deviation_db\": 8.5,\n"
    "   \"median_absolute_db\": 6, \"correlation\": 0.5},\n"
    "  \"training\": {\"count\": 100, \"mean_db\": 0, \"rmse_db\": 6, \"standard_deviation_db\": 6,\n"
    "   \"median_absolute_db\": 4, \"correlation\": 0.8},\n"
    "  \"crossed\": {\"count\": 0, \"mean_db\": null, \"rmse_db\": null, \"standard_deviation_db\": null,\n"
    "   \"median_absolute_db\": null, \"correlation\": null}},\n"
    " \"sources\": [{\"key\": \"scene\", \"value\": \"a town\"}],\n"
    " \"warnings\": [\"the roofs are hardly seen\"]}\n";

static bool reads_json(void)
{
    if (!rcity_build_features_get().reads_json) {
        print_message("SKIPPED: this build does not read JSON\n");
        return false;
    }
    return true;
}

/* ---- round trip ---- */

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Any double: random bits, NAN for what JSON cannot say. */
static double any_number(uint64_t seed, uint64_t i)
{
    static const double special[] = {0.0, -0.0, 0.1, 1.0 / 3.0, 1e15, 999999999999999.9, 1e16, 5e-324, 1.7e308, 1e-6};
    uint64_t bits = test_random(seed, i);
    double value;
    memcpy(&value, &bits, sizeof value);
    double drawn = test_uniform(seed, i + 1000000, -200.0, 200.0);
    return bits % 4 == 0 ? drawn : bits % 4 == 1 ? special[bits / 4 % 10] : isfinite(value) ? value : (double)NAN;
}

static rcity_score_figures any_figures(uint64_t seed, uint64_t i)
{
    return (rcity_score_figures){.count = (int64_t)(test_random(seed, i) >> 12),
                                 .mean_db = any_number(seed, i + 1),
                                 .rmse_db = any_number(seed, i + 2),
                                 .standard_deviation_db = any_number(seed, i + 3),
                                 .median_absolute_db = any_number(seed, i + 4),
                                 .correlation = any_number(seed, i + 5)};
}

static rcity_coefficients *any_coefficients(rcity_context *context, uint64_t seed)
{
    static const char *const texts[] = {
        "route A", "", "\"quoted\" \\ back", "line\nend\ttab \x01", "M\xc3\xbcnchen", "\xe2\x82\xac \xf0\x9f\x93\xa1"};
    static const char *const options[] = {"corner-path-db", "corner-db", "roof-path-db", "roof-edge-db-per-rad",
                                          "building-db-per-m"};
    rcity_coefficients *made = NULL;
    assert_ok(context, rcity_coefficients_create(context, "shadow", texts[seed % 6], &made));
    assert_ok(context, rcity_notes_add(&made->options, "max-corners", "%d", (int)(seed % 5)));
    size_t count = test_random(seed, 1) % 6;
    for (size_t i = 0; i < count; i++) {
        double value = test_uniform(seed, 10 + i, 0.0, 20.0);
        double ends[4] = {any_number(seed, 20 + 4 * i), any_number(seed, 21 + 4 * i), any_number(seed, 22 + 4 * i),
                          any_number(seed, 23 + 4 * i)};
        bool is_option = i < 5 && test_random(seed, 50 + i) % 3 != 0;
        rcity_coefficient one = {.name = is_option              ? options[i]
                                         : texts[i] == texts[0] ? "x A"
                                                                : "offset \"B\" \xc3\xa9",
                                 .unit = is_option ? "dB" : "",
                                 .value = value,
                                 .low = fmin(ends[0], ends[1]),
                                 .high = fmax(ends[0], ends[1]),
                                 .bound_low = fmin(ends[2], ends[3]),
                                 .bound_high = fmax(ends[2], ends[3]),
                                 .is_fitted = test_random(seed, 60 + i) % 2 == 0,
                                 .is_at_bound = test_random(seed, 70 + i) % 2 == 0,
                                 .is_known = test_random(seed, 80 + i) % 2 == 0};
        assert_ok(context, rcity_coefficients_add(made, &one));
        if (is_option) {
            assert_ok(context, rcity_notes_add(&made->options, one.name, "%.17g", value));
        }
        assert_ok(context, rcity_notes_add(&made->sources, texts[(seed + i) % 6], "%s", texts[i % 6]));
        assert_ok(context, rcity_coefficients_warn(made, "%s", texts[(seed + 2 * i) % 6]));
    }
    made->baselines = (rcity_baseline_fit){any_number(seed, 100), any_number(seed, 101), any_number(seed, 102),
                                           any_number(seed, 103)};
    made->summary.point_count = (int64_t)(test_random(seed, 104) >> 1);
    made->summary.outlier_count = (int64_t)(seed % 3);
    made->summary.frequency_min_hz = any_number(seed, 105);
    made->summary.frequency_max_hz = any_number(seed, 106);
    made->summary.distance_min_m = any_number(seed, 107);
    made->summary.distance_max_m = any_number(seed, 108);
    made->summary.transmitter_count = (int64_t)(seed % 7);
    made->summary.left_out_count = (int64_t)(seed % 5);
    made->summary.elevation_min_deg = any_number(seed, 140);
    made->summary.elevation_max_deg = any_number(seed, 141);
    made->summary.tx_height_min_m = any_number(seed, 142);
    made->summary.tx_height_max_m = any_number(seed, 143);
    made->summary.before = any_figures(seed, 110);
    made->summary.training = any_figures(seed, 120);
    made->summary.crossed = any_figures(seed, 130);
    return made;
}

static void assert_same_notes(const rcity_notes *a, const rcity_notes *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_string_equal(a->pairs[i].key, b->pairs[i].key);
        assert_string_equal(a->pairs[i].value, b->pairs[i].value);
    }
}

static void assert_same_numbers(const double *a, const double *b, int count, const char *what)
{
    for (int i = 0; i < count; i++) {
        if (!is_same(a[i], b[i])) {
            print_error("%s[%d] is %.17g, was %.17g\n", what, i, b[i], a[i]);
            fail();
        }
    }
}

static void assert_same_figures(const rcity_score_figures *a, const rcity_score_figures *b)
{
    assert_true(a->count == b->count);
    assert_same_numbers(&a->mean_db, &b->mean_db, 5, "figures");
}

static void assert_same_coefficients(const rcity_coefficients *a, const rcity_coefficients *b)
{
    assert_string_equal(rcity_coefficients_method(a), rcity_coefficients_method(b));
    assert_same_notes(&a->options, &b->options);
    assert_same_notes(&a->sources, &b->sources);
    assert_int_equal(rcity_coefficients_count(a), rcity_coefficients_count(b));
    for (int i = 0; i < rcity_coefficients_count(a); i++) {
        rcity_coefficient x = coefficient_at(a, i);
        rcity_coefficient y = coefficient_at(b, i);
        assert_string_equal(x.name, y.name);
        assert_string_equal(x.unit, y.unit);
        assert_same_numbers(&x.value, &y.value, 5, "coefficient");
        assert_true(x.is_fitted == y.is_fitted && x.is_at_bound == y.is_at_bound && x.is_known == y.is_known);
    }
    assert_same_numbers(&a->baselines.constant_db, &b->baselines.constant_db, 4, "baselines");
    rcity_fit_summary p = rcity_coefficients_summary(a);
    rcity_fit_summary q = rcity_coefficients_summary(b);
    assert_string_equal(p.fitted_on, q.fitted_on);
    assert_true(p.point_count == q.point_count && p.outlier_count == q.outlier_count);
    assert_same_numbers(&p.frequency_min_hz, &q.frequency_min_hz, 4, "summary");
    assert_true(p.transmitter_count == q.transmitter_count && p.left_out_count == q.left_out_count);
    assert_same_numbers(&p.elevation_min_deg, &q.elevation_min_deg, 4, "spans");
    assert_same_figures(&p.before, &q.before);
    assert_same_figures(&p.training, &q.training);
    assert_same_figures(&p.crossed, &q.crossed);
    int warning = 0;
    for (; rcity_coefficients_warning(a, warning) != NULL; warning++) {
        assert_string_equal(rcity_coefficients_warning(a, warning), rcity_coefficients_warning(b, warning));
    }
    assert_null(rcity_coefficients_warning(b, warning));
}

static void go_round(void)
{
    for (uint64_t seed = 1; seed <= ROUND_TRIP_COUNT; seed++) {
        rcity_context *context = test_context(1);
        const char *path = test_path("round.json");
        rcity_coefficients *before = any_coefficients(context, seed);
        rcity_coefficients *after = NULL;
        print_message("seed %d\r", (int)seed);
        assert_ok(context, rcity_coefficients_save(context, before, path));
        assert_ok(context, rcity_coefficients_load(context, path, &after));
        assert_same_coefficients(before, after);
        rcity_coefficients_destroy(&before);
        rcity_coefficients_destroy(&after);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    if (!reads_json()) {
        return;
    }
    go_round();
    if (comma_locale_enter()) {
        go_round();
        comma_locale_leave();
    }
}

/* Every build writes; one without jansson says that it cannot read. */
static void test_every_build_writes_coefficients(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_coefficients *made = any_coefficients(context, 3);
    const char *path = test_path("written.json");
    assert_ok(context, rcity_coefficients_save(context, made, path));
    assert_status(context, rcity_coefficients_save(context, made, "/nowhere/a.json"), RCITY_ERR_FILE);
    assert_int_equal(access(path, R_OK), 0);
    if (!rcity_build_features_get().reads_json) {
        rcity_coefficients *loaded = NULL;
        assert_status(context, rcity_coefficients_load(context, path, &loaded), RCITY_ERR_UNSUPPORTED);
        assert_message(context, "no jansson");
        assert_null(loaded);
    }
    rcity_coefficients_destroy(&made);
    rcity_context_destroy(&context);
}

/* ---- files by hand ---- */

/* The good file with one piece of text replaced by another. */
static const char *changed(rcity_context *context, const char *from, const char *to)
{
    static char text[2 * sizeof good];
    const char *found = strstr(good, from);
    assert_non_null(found);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(found - good), good, to, found + strlen(from));
    return test_text(context, "changed.json", text);
}

static void test_good_file_is_loaded(void **state)
{
    (void)state;
    if (!reads_json()) {
        return;
    }
    heard_log heard;
    rcity_context *context = heard_log_context(&heard);
    rcity_coefficients *loaded = NULL;
    assert_ok(context, rcity_coefficients_load(context, test_text(context, "good.json", good), &loaded));
    assert_int_equal(heard.count, 0);
    rcity_fit_summary summary = rcity_coefficients_summary(loaded); /* version 1 did not know these */
    assert_true(summary.transmitter_count == 0 && summary.left_out_count == 0);
    assert_true(isnan(summary.elevation_min_deg) && isnan(summary.elevation_max_deg));
    assert_true(isnan(summary.tx_height_min_m) && isnan(summary.tx_height_max_m));
    assert_string_equal(rcity_coefficients_method(loaded), "shadow");
    assert_int_equal(rcity_coefficients_option_count(loaded), 2);
    const char *name = NULL;
    const char *value = NULL;
    assert_int_equal(rcity_coefficients_get_option(loaded, 1, &name, &value), RCITY_OK);
    assert_string_equal(name, "corner-path-db");
    assert_string_equal(value, "2.5");
    rcity_coefficient one = coefficient_at(loaded, 1);
    assert_true(one.value == -7.0 && isnan(one.low) && one.bound_high == 60.0);
    assert_true(rcity_coefficients_summary(loaded).crossed.count == 0);
    assert_string_equal(rcity_coefficients_warning(loaded, 0), "the roofs are hardly seen");

    /* The line for notes: what it was fitted on, digits that follow the options, no path. */
    char label[RCITY_COEFFICIENTS_LABEL_BYTES];
    char other[RCITY_COEFFICIENTS_LABEL_BYTES];
    rcity_coefficients_describe(loaded, label, sizeof label);
    assert_non_null(strstr(label, "fitted on route A"));
    assert_null(strchr(label, '/'));
    rcity_coefficients_destroy(&loaded);
    assert_ok(context, rcity_coefficients_load(
                           context, changed(context, "\"max-corners\": \"1\"", "\"max-corners\": \"2\""), &loaded));
    rcity_coefficients_describe(loaded, other, sizeof other);
    assert_string_not_equal(label, other);
    rcity_coefficients_destroy(&loaded);

    /* What is not known is left aside, with a word. */
    assert_ok(context,
              rcity_coefficients_load(
                  context, changed(context, "\"unit\": \"dB\"", "\"unit\": \"dB\", \"colour\": [1, {}]"), &loaded));
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.text, "coefficients[0].colour"));
    rcity_coefficients_destroy(&loaded);
    rcity_context_destroy(&context);
}

static void test_broken_files_are_refused_by_field(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *words;
    } cases[] = {
        {"radiocity coefficients", "radiocity map", "is no file of coefficients: format is 'radiocity map'"},
        {"\"format_version\": 1", "\"format_version\": 3", "has version 3 of the format, written by radiocity 0.1.0"},
        {"\"format_version\": 1", "\"format_version\": 0", "reads versions 1 to 2"},
        {"\"format_version\": 1", "\"format_version\": 2", "summary.transmitter_count is missing"},
        {"\"format_version\": 1", "\"format_version\": 1.5", "format_version is a number, must be a whole number"},
        {"\"format_version\": 1,", "", "format_version is missing"},
        {" \"method\": \"shadow\",", "", "method is missing, there must be a text"},
        {"\"shadow\"", "\"shadows\"", "'shadows'"},
        {"\"shadow\"", "\"sha\nows\"", "line 2"},
        {"\"max-corners\": \"1\"", "\"max-corners\": 1",
         "options.max-corners is a whole number, must be a text; put it in quotes"},
        {"\"max-corners\": \"1\"", "\"max-corners\": \"9\"",
         "options: `max-corners` is '9', must be a number from 0 to 6"},
        {"\"max-corners\": \"1\"", "\"orders\": \"1\"", "has no option `orders`"},
        {"\"max-corners\": \"1\"", "\"max-corners\": \"1\", \"max-corners\": \"2\"", "line 3: duplicate object key"},
        {"\"value\": 2.5", "\"value\": \"2.5\"", "coefficients[0].value is a text, must be a number"},
        {"\"value\": 2.5", "\"value\": null", "coefficients[0].value is null, must be a number"},
        {"\"value\": 2.5", "\"value\": 1e999", "line 5"},
        {"\"value\": 2.5", "\"value\": NaN", "line 5"},
        {"\"value\": 2.5", "\"value\": 101", "'corner-path-db' is 101, must be -100 to 100 dB"},
        {"\"value\": 2.5", "\"value\": 2.6", "is 2.6, but the options say '2.5'"},
        {"\"name\": \"corner-path-db\"", "\"name\": \"corner-last\"",
         "'corner-last', which method 'shadow' does not have"},
        {"\"name\": \"corner-path-db\"", "\"name\": \"over-roofs\"", "'over-roofs', which takes words and no number"},
        {"\"low\": 1,", "\"low\": 5,", "coefficients[0].low is above coefficients[0].high"},
        {"\"bound_low\": -10", "\"bound_low\": 30", "coefficients[0].bound_low is above"},
        {"\"fitted\": true", "\"fitted\": 1", "coefficients[0].fitted is a whole number, must be true or false"},
        {", \"known\": true}],", "}],", "coefficients[1].known is missing, there must be true or false"},
        {"\"point_count\": 100", "\"point_count\": -100", "summary.point_count is -100"},
        {"\"count\": 100", "\"count\": 100.5", "summary.before.count is a number, must be a whole number"},
        {"\"constant_db\": 120", "\"constant_db\": false", "baselines.constant_db is false"},
        {"\"sources\": [", "\"sources\": [7, ", "sources[0] is a whole number, must be an object"},
        {"[\"the roofs are hardly seen\"]", "[[]]", "warnings[0] is a list, must be a text"},
        {"\"warnings\": [", "\"warning\": [", "warnings is missing"},
        {"\"baselines\": {", "\"baselines\": [], \"more\": {", "baselines is a list, must be an object"},
        {"hardly seen\"]}\n", "hardly seen\"]", "line 2"},
    };
    if (!reads_json()) {
        return;
    }
    rcity_context *context = test_context(1);
    rcity_coefficients *loaded = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = changed(context, cases[i].from, cases[i].to);
        assert_status(context, rcity_coefficients_load(context, path, &loaded), RCITY_ERR_FORMAT);
        assert_message(context, cases[i].words);
        assert_message(context, "changed.json");
        assert_null(loaded);
        assert_int_equal(rcity_context_memory_used(context), 0);
    }
    const char *const wholes[] = {"", "[]", "7", "null", "x,y\n1,2\n"};
    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++) {
        const char *path = test_text(context, "whole.json", wholes[i]);
        assert_status(context, rcity_coefficients_load(context, path, &loaded), RCITY_ERR_FORMAT);
    }
    assert_status(context, rcity_coefficients_load(context, test_path("absent.json"), &loaded), RCITY_ERR_FILE);
    rcity_context_destroy(&context);
}

static void test_no_memory(void **state)
{
    (void)state;
    bool is_done = false;
    bool reads = rcity_build_features_get().reads_json;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        const char *path = test_text(context, "memory.json", good);
        rcity_coefficients *loaded = NULL;
        rcity_coefficients *made = any_coefficients(context, 7);
        failing.fail_at = failing.call_count + n;
        rcity_status status = rcity_coefficients_save(context, made, test_path("memory-out.json"));
        if (status == RCITY_OK && reads) {
            status = rcity_coefficients_load(context, path, &loaded);
            assert_true((status == RCITY_OK) == (loaded != NULL));
        }
        failing.fail_at = 0;
        is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        rcity_coefficients_destroy(&loaded);
        rcity_coefficients_destroy(&made);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        assert_true(!is_done || n > 2);
    }
}

TEST_SUITE(coefficients_file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),          cmocka_unit_test(test_every_build_writes_coefficients),
        cmocka_unit_test(test_good_file_is_loaded), cmocka_unit_test(test_broken_files_are_refused_by_field),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("coefficients_file", tests, NULL, NULL);
}
