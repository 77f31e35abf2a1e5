/* Maps: bands, notes, figures, and what happens when memory runs out at any step. */
#include "rcity_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "radiocity/mechanism.h"
#include "result/map_data.h"
#include "result/rank.h"

/* Memory that gives out after a number of blocks. */
typedef struct short_memory {
    int left; /* blocks still given; below 0: any number */
} short_memory;

static bool take_block(short_memory *memory)
{
    if (memory->left == 0) {
        return false;
    }
    memory->left -= memory->left > 0 ? 1 : 0;
    return true;
}

static void *short_allocate(void *user, size_t bytes)
{
    return take_block(user) ? malloc(bytes) : NULL;
}

static void *short_resize(void *user, void *memory, size_t bytes)
{
    return take_block(user) ? realloc(memory, bytes) : NULL;
}

static void short_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static rcity_context *make_context(short_memory *memory)
{
    rcity_context_options options = rcity_context_options_default();
    if (memory != NULL) {
        options.allocator = (rcity_allocator){short_allocate, short_resize, short_release, memory};
    }
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    return context;
}

static rcity_map *make_map(rcity_context *context, int64_t column_count, int64_t row_count)
{
    rcity_raster raster = {column_count, row_count, 100.0, 200.0, 5.0};
    rcity_map *map = NULL;
    assert_int_equal(rcity_map_create(context, &raster, NULL, &map), RCITY_OK);
    return map;
}

static float *add_band(rcity_map *map, const char *name)
{
    float *value = NULL;
    assert_int_equal(rcity_map_add_band(map, RCITY_BAND_OTHER, name, "dB", "a sentence", 1.5, &value), RCITY_OK);
    return value;
}

static void test_bands_and_raster(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL);
    rcity_map *map = make_map(context, 3, 2);
    assert_int_equal(rcity_map_band_count(map), 0);
    assert_string_equal(rcity_map_crs(map), "none");
    char name[] = "path_loss";
    float *first = add_band(map, name);
    name[0] = 'X'; /* the map keeps its own copy */
    for (int i = 0; i < 6; i++) {
        assert_true(isnan(first[i]));
        first[i] = (float)i;
    }
    for (int i = 0; i < 40; i++) { /* the list of bands moves, the values stay */
        add_band(map, "other");
    }
    rcity_band band;
    assert_int_equal(rcity_map_get_band(map, 0, &band), RCITY_OK);
    assert_string_equal(band.name, "path_loss");
    assert_string_equal(band.unit, "dB");
    assert_string_equal(band.text, "a sentence");
    assert_true(band.rx_height_m == 1.5);
    assert_ptr_equal(band.value, first);
    assert_true(band.value[5] == 5.0f);
    rcity_raster raster = rcity_map_raster(map);
    assert_int_equal(raster.column_count, 3);
    assert_int_equal(raster.row_count, 2);
    assert_true(raster.west_m == 100.0 && raster.north_m == 200.0 && raster.cell_m == 5.0);
    assert_int_equal(rcity_map_band_count(map), 41);
    rcity_map_destroy(&map);
    assert_null(map);
    rcity_map_destroy(&map);
    rcity_map_destroy(NULL);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_band_out_of_range(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL);
    rcity_map *map = make_map(context, 1, 1);
    add_band(map, "path_loss");
    rcity_band band = {.name = "untouched"};
    rcity_band_summary summary = {.value_count = 7};
    assert_int_equal(rcity_map_get_band(map, 1, &band), RCITY_ERR_ARGUMENT);
    assert_string_equal(rcity_context_message(context), ""); /* readers of one map do not share a sentence */
    assert_int_equal(rcity_map_get_band(map, -1, &band), RCITY_ERR_ARGUMENT);
    assert_string_equal(band.name, "untouched");
    assert_int_equal(rcity_map_summarize(context, map, 1, &summary), RCITY_ERR_ARGUMENT);
    assert_non_null(strstr(rcity_context_message(context), "no band 1"));
    assert_int_equal(summary.value_count, 7);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_bad_rasters(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL);
    const rcity_raster bad[] = {
        {0, 1, 0.0, 0.0, 1.0}, {1, -1, 0.0, 0.0, 1.0},        {INT64_MAX / 2, 3, 0.0, 0.0, 1.0},
        {1, 1, 0.0, 0.0, 0.0}, {1, 1, (double)NAN, 0.0, 1.0}, {1, 1, 0.0, (double)INFINITY, 1.0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rcity_map *map = NULL;
        assert_int_equal(rcity_map_create(context, &bad[i], NULL, &map), RCITY_ERR_ARGUMENT);
        assert_null(map);
    }
    rcity_context_destroy(&context);
}

static void test_notes_are_found_by_key_and_index(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL);
    rcity_map *map = make_map(context, 1, 1);
    char key[32];
    for (int i = 0; i < 50; i++) {
        snprintf(key, sizeof key, "key-%d", i);
        assert_int_equal(rcity_map_note(map, key, "%d of %s", i, "fifty"), RCITY_OK);
    }
    char long_text[3000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(rcity_map_note(map, "long", "%s", long_text), RCITY_OK);
    const char *found_key = NULL;
    const char *found_value = NULL;
    assert_int_equal(rcity_map_get_note(map, 7, &found_key, &found_value), RCITY_OK);
    assert_string_equal(found_key, "key-7");
    assert_string_equal(found_value, "7 of fifty");
    assert_string_equal(rcity_map_find_note(map, "key-49"), "49 of fifty");
    assert_string_equal(rcity_map_find_note(map, "long"), long_text);
    assert_null(rcity_map_find_note(map, "key"));
    assert_int_equal(rcity_map_get_note(map, 51, &found_key, &found_value), RCITY_ERR_ARGUMENT);
    assert_int_equal(rcity_map_get_note(map, -1, &found_key, &found_value), RCITY_ERR_ARGUMENT);
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void check_summary(const rcity_map *map, int band, int64_t count, double minimum, double median, double maximum)
{
    rcity_band_summary summary;
    assert_int_equal(rcity_map_summarize(rcity_map_context(map), map, band, &summary), RCITY_OK);
    assert_int_equal(summary.value_count, count);
    assert_true(summary.minimum == minimum);
    assert_true(summary.median == median);
    assert_true(summary.maximum == maximum);
}

static void test_summaries_leave_out_missing_values(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL);
    rcity_map *map = make_map(context, 5, 1);
    float *odd = add_band(map, "odd");
    float *even = add_band(map, "even");
    float *one = add_band(map, "one");
    add_band(map, "empty");
    float *wild = add_band(map, "wild");
    memcpy(odd, (float[]){3.0f, -1.0f, 2.0f, 100.0f, -7.5f}, 5 * sizeof *odd);
    memcpy(even, (float[]){3.0f, NAN, 2.0f, 1.0f, 4.5f}, 5 * sizeof *even);
    one[3] = -0.25f;
    memcpy(wild, (float[]){INFINITY, 1e-42f, -INFINITY, 3e38f, -3e38f}, 5 * sizeof *wild);
    check_summary(map, 0, 5, -7.5, 2.0, 100.0);
    check_summary(map, 1, 4, 1.0, 2.5, 4.5);
    check_summary(map, 2, 1, -0.25, -0.25, -0.25);
    check_summary(map, 4, 3, (double)-3e38f, (double)1e-42f, (double)3e38f);
    rcity_band_summary summary;
    assert_int_equal(rcity_map_summarize(context, map, 3, &summary), RCITY_OK);
    assert_int_equal(summary.value_count, 0);
    assert_true(isnan(summary.minimum) && isnan(summary.median) && isnan(summary.maximum));
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static int compare_floats(const void *a, const void *b)
{
    float first, second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    return first < second ? -1 : first > second ? 1 : 0;
}

/* Ranks against a sort, on values with many ties, signs and gaps. */
static void test_ranks_equal_a_sort(void **state)
{
    (void)state;
    enum { COUNT = 20011 };
    rcity_context *context = make_context(NULL);
    static float values[COUNT], sorted[COUNT];
    uint32_t random = 12345;
    int64_t finite_count = 0;
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        double unit = (double)(random >> 8) / 16777216.0 - 0.5;
        values[i] = i % 7 == 0 ? NAN : i % 3 == 0 ? (float)(int)(unit * 20.0) : (float)(unit * exp(30.0 * unit));
        if (!isnan(values[i])) {
            sorted[finite_count++] = values[i];
        }
    }
    qsort(sorted, (size_t)finite_count, sizeof sorted[0], compare_floats);
    assert_int_equal(rcity_rank_count(values, COUNT), finite_count);
    const int64_t ranks[] = {0, 1, 1, 500, finite_count / 2, finite_count - 2, finite_count - 1};
    float found[7];
    assert_int_equal(rcity_rank_find(context, values, COUNT, 7, ranks, found), RCITY_OK);
    for (int i = 0; i < 7; i++) {
        assert_true(found[i] == sorted[ranks[i]]);
    }
    rcity_context_destroy(&context);
}

static rcity_status build_and_summarize(rcity_context *context)
{
    rcity_raster raster = {4, 4, 0.0, 0.0, 1.0};
    rcity_map *map = NULL;
    rcity_status status;
    float *value = NULL;
    rcity_band_summary summary;
    RCITY_TRY(rcity_map_create(context, &raster, "EPSG:32632", &map));
    RCITY_TRY_DONE(rcity_map_add_band(map, RCITY_BAND_OTHER, "a", "dB", "text", 1.5, &value));
    value[0] = 1.0f;
    RCITY_TRY_DONE(rcity_map_set_classes(map, 0, 2, (const char *const[]){"none", "some"}));
    RCITY_TRY_DONE(rcity_map_note(map, "key", "%d", 1));
    RCITY_TRY_DONE(rcity_map_summarize(context, map, 0, &summary));
done:
    rcity_map_destroy(&map);
    return status;
}

static void test_memory_gives_out(void **state)
{
    (void)state;
    short_memory memory = {.left = -1};
    rcity_context *context = make_context(&memory);
    int failures = 0;
    rcity_status status;
    do {
        memory.left = failures;
        status = build_and_summarize(context);
        assert_int_equal(rcity_context_memory_used(context), 0);
        if (status != RCITY_OK) {
            assert_int_equal(status, RCITY_ERR_MEMORY);
            failures++;
        }
        assert_true(failures < 100);
    } while (status != RCITY_OK);
    assert_true(failures >= 11);
    rcity_context_destroy(&context);
}

static void test_spelled_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"path_loss", "Path loss"},
                                           {"coverage_probability_-95_dbm", "Coverage probability -95 dbm"},
                                           {"sinr", "SINR"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char spelled[40];
        rcity_band band = {.name = names[i][0], .unit = "", .kind = rcity_band_guess_kind(names[i][0], "")};
        rcity_band_spell_name(&band, spelled, sizeof spelled);
        assert_string_equal(spelled, names[i][1]);
        rcity_band_spell_name(&band, spelled, 3); /* cut where there is no room */
        assert_true(strlen(spelled) <= 2 && strncmp(spelled, names[i][1], 2) == 0);
    }
}

/* Every kind has its own word, which finds it again; only a loss is better when it is less. */
static void test_kinds_of_bands(void **state)
{
    (void)state;
#define KIND(code, value, word, sense, text) code,
    static const rcity_band_kind kinds[] = {RCITY_BAND_KIND_LIST(KIND)};
#undef KIND
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_int_equal(rcity_band_kind_find(rcity_band_kind_word(kinds[i])), kinds[i]);
        assert_true(strlen(rcity_band_kind_text(kinds[i])) > 5);
        assert_int_equal(rcity_band_kind_sense(kinds[i]) < 0, kinds[i] == RCITY_BAND_LOSS);
    }
    assert_int_equal(rcity_band_kind_find("of a later version"), RCITY_BAND_OTHER);
    assert_string_equal(rcity_band_kind_word((rcity_band_kind)1000), "unknown");
    assert_string_equal(rcity_band_difference_unit(&(rcity_band){.unit = "dBm"}), "dB");
    assert_string_equal(rcity_band_difference_unit(&(rcity_band){.unit = "ns"}), "ns");
}

/* A band that states no kind: names of our own older maps, then a loss by its name, then units. */
static void test_guessed_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit;
        rcity_band_kind kind;
    } cases[] = {
        {"path_loss", "dB", RCITY_BAND_LOSS},
        {"my loss", "dBm", RCITY_BAND_LOSS},
        {"received_power", "dBm", RCITY_BAND_POWER},
        {"level", "dBm", RCITY_BAND_POWER},
        {"line_of_sight", "", RCITY_BAND_SIGHT},
        {"mechanism", "", RCITY_BAND_CLASS},
        {"best_server", "", RCITY_BAND_SERVER},
        {"deflections", "", RCITY_BAND_COUNT},
        {"coverage_probability_-95_dbm", "", RCITY_BAND_PROBABILITY},
        {"server_margin", "dB", RCITY_BAND_DIFFERENCE},
        {"difference", "dB", RCITY_BAND_DIFFERENCE},
        {"sinr", "dB", RCITY_BAND_SINR},
        {"k_factor", "dB", RCITY_BAND_RATIO},
        {"delay_spread", "ns", RCITY_BAND_DELAY},
        {"arrival_azimuth_spread", "deg", RCITY_BAND_ANGLE},
        {"band_1", "", RCITY_BAND_OTHER},
        {"", "m", RCITY_BAND_OTHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(rcity_band_guess_kind(cases[i].name, cases[i].unit), cases[i].kind);
    }
}

static void test_class_names_are_copied_with_the_band(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL);
    rcity_raster raster = {2, 2, 0.0, 0.0, 1.0};
    rcity_map *map = NULL;
    float *value = NULL;
    rcity_band band, like;
    assert_int_equal(rcity_map_create(context, &raster, NULL, &map), RCITY_OK);
    assert_int_equal(rcity_map_add_band(map, RCITY_BAND_CLASS, "ground", "", "what it is", 1.5, &value), RCITY_OK);
    assert_int_equal(rcity_map_get_band(map, 0, &band), RCITY_OK);
    assert_true(band.kind == RCITY_BAND_CLASS && band.class_count == 0);
    assert_int_equal(rcity_map_set_classes(map, 0, 1, (const char *const[]){"replaced"}), RCITY_OK);
    assert_int_equal(rcity_map_set_classes(map, 0, 3, (const char *const[]){"grass", NULL, "water"}), RCITY_OK);
    assert_int_equal(rcity_map_get_band(map, 0, &band), RCITY_OK);
    assert_int_equal(rcity_map_add_like(map, &band, &value), RCITY_OK);
    assert_int_equal(rcity_map_get_band(map, 1, &like), RCITY_OK);
    assert_int_equal(like.kind, RCITY_BAND_CLASS);
    assert_int_equal(like.class_count, 3);
    assert_string_equal(like.class_names[0], "grass");
    assert_string_equal(like.class_names[1], "");
    assert_string_equal(like.class_names[2], "water");
    assert_ptr_not_equal(like.class_names[0], band.class_names[0]);
    assert_string_equal(like.text, "what it is");
    assert_true(isnan(value[3]));
    rcity_map_destroy(&map);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* Remarks go to other maps under a prefix, once; what is about the result or the transmitter stays. */
static void test_remarks_travel(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL);
    rcity_raster raster = {2, 2, 0.0, 0.0, 1.0};
    rcity_map *from = NULL;
    rcity_map *to = NULL;
    const char *key = NULL;
    const char *value = NULL;
    assert_int_equal(rcity_map_create(context, &raster, NULL, &from), RCITY_OK);
    assert_int_equal(rcity_map_create(context, &raster, NULL, &to), RCITY_OK);
    rcity_notes *notes = rcity_map_notes(from);
    assert_int_equal(rcity_notes_add(notes, "method", "%s", "m"), RCITY_OK);
    assert_int_equal(rcity_notes_add_scoped(notes, RCITY_NOTE_TRANSMITTER, "frequency_mhz", "%d", 900), RCITY_OK);
    assert_int_equal(rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "tx_far", "%s", "very"), RCITY_OK);
    assert_int_equal(rcity_notes_add_scoped(notes, RCITY_NOTE_REMARK, "skipped", "%d cells", 7), RCITY_OK);
    assert_int_equal(rcity_map_copy_remarks(from, "server_3_", to), RCITY_OK);
    assert_int_equal(rcity_map_get_note(to, 0, &key, &value), RCITY_OK);
    assert_string_equal(key, "server_3_tx_far");
    assert_string_equal(value, "very");
    assert_int_equal(rcity_map_get_note(to, 1, &key, &value), RCITY_OK);
    assert_string_equal(key, "server_3_skipped");
    assert_int_equal(rcity_map_get_note(to, 2, &key, &value), RCITY_ERR_ARGUMENT);
    assert_int_equal(rcity_map_note(to, "skipped", "%s", "of its own"), RCITY_OK);
    assert_int_equal(rcity_map_copy_remarks(from, "", to), RCITY_OK);
    assert_string_equal(rcity_map_find_note(to, "skipped"), "of its own");
    assert_string_equal(rcity_map_find_note(to, "tx_far"), "very");
    assert_int_equal(rcity_map_get_note(to, 4, &key, &value), RCITY_ERR_ARGUMENT);
    rcity_map_destroy(&to);
    rcity_map_destroy(&from);
    rcity_context_destroy(&context);
}

/* The numbers stand in maps: they never change. */
static void test_mechanisms_keep_their_numbers_and_names(void **state)
{
    (void)state;
    static const char *const names[] = {"direct",     "walls",       "corner",  "roof",
                                        "reflection", "diffraction", "diffuse", "hill"};
    assert_int_equal(RCITY_MECHANISM_COUNT, sizeof names / sizeof names[0]);
    for (int i = 0; i < RCITY_MECHANISM_COUNT; i++) {
        assert_string_equal(rcity_mechanism_name((rcity_mechanism)i), names[i]);
    }
    assert_string_equal(rcity_mechanism_text(RCITY_MECHANISM_ROOF), "over roofs");
    assert_string_equal(rcity_mechanism_name((rcity_mechanism)RCITY_MECHANISM_COUNT), "unknown");
}

TEST_SUITE(map)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bands_and_raster),
        cmocka_unit_test(test_band_out_of_range),
        cmocka_unit_test(test_bad_rasters),
        cmocka_unit_test(test_notes_are_found_by_key_and_index),
        cmocka_unit_test(test_summaries_leave_out_missing_values),
        cmocka_unit_test(test_ranks_equal_a_sort),
        cmocka_unit_test(test_memory_gives_out),
        cmocka_unit_test(test_spelled_names),
        cmocka_unit_test(test_kinds_of_bands),
        cmocka_unit_test(test_guessed_kinds),
        cmocka_unit_test(test_class_names_are_copied_with_the_band),
        cmocka_unit_test(test_remarks_travel),
        cmocka_unit_test(test_mechanisms_keep_their_numbers_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
