/* QGIS styles: the entries against the colours of the pictures, names escaped, ends as asked for. */
#include "rcity_test.h"

#include "io/picture/colour.h"

static char style[1 << 20];

static const char *save_style(rcity_context *context, const rcity_map *map, int band, double low, double high)
{
    assert_ok(context, rcity_map_save_style(context, map, band, low, high, test_path("map.qml")));
    FILE *file = fopen(test_path("map.qml"), "rb");
    assert_non_null(file);
    style[fread(style, 1, sizeof style - 1, file)] = '\0';
    fclose(file);
    return style;
}

static rcity_map *make_map(rcity_context *context, rcity_band_kind kind, const char *name, const char *unit, int count,
                           const float *values)
{
    rcity_raster raster = {count, 1, 0.0, 0.0, 1.0};
    rcity_map *map = NULL;
    float *value = NULL;
    assert_ok(context, rcity_map_create(context, &raster, "none", &map));
    assert_ok(context, rcity_map_add_band(map, RCITY_BAND_OTHER, "other", "", "", 1.5, &value));
    assert_ok(context, rcity_map_add_band(map, kind, name, unit, "", 1.5, &value));
    memcpy(value, values, (size_t)count * sizeof *value);
    return map;
}

static int count_words(const char *text, const char *words)
{
    int count = 0;
    for (const char *found = strstr(text, words); found != NULL; found = strstr(found + 1, words)) {
        count++;
    }
    return count;
}

static void expect(const char *text, const char *words)
{
    if (strstr(text, words) == NULL) {
        print_error("expected '%s' in\n%s\n", words, text);
        fail();
    }
}

/* One line of the ramp, made from the scale itself. */
static void expect_item(const char *text, double value, double fraction, const char *label)
{
    char item[200];
    snprintf(item, sizeof item, "<item value=\"%g\" color=\"#%06x\" alpha=\"255\" label=\"%s\"/>", value,
             (unsigned)rcity_colour_pack(rcity_colour_at(RCITY_COLOUR_SIGNAL, fraction)), label);
    expect(text, item);
}

static void test_ramps_have_the_picture_colours(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const float levels[] = {-119.0f, -101.0f, NAN, -80.0f, -61.0f};
    rcity_map *map = make_map(context, RCITY_BAND_POWER, "received_power", "dB<m>", 5, levels);
    const char *text = save_style(context, map, 1, -120.0, -60.0);
    expect(text, "type=\"singlebandpseudocolor\" band=\"2\"");
    expect(text, "classificationMin=\"-120\" classificationMax=\"-60\"");
    assert_int_equal(count_words(text, "<item "), 11);
    expect_item(text, -120.0, 0.0, "-120 dB&lt;m&gt;");
    expect_item(text, -90.0, 0.5, "-90 dB&lt;m&gt;");
    expect_item(text, -60.0, 1.0, "-60 dB&lt;m&gt;");
    text = save_style(context, map, 1, (double)NAN, (double)NAN); /* ends around the values, round */
    expect(text, "classificationMin=\"-120\" classificationMax=\"-60\"");
    rcity_map_destroy(&map);
    map =
        make_map(context, RCITY_BAND_LOSS, "path_loss", "dB", 5, (const float[]){80.0f, 90.0f, 100.0f, 110.0f, 120.0f});
    text = save_style(context, map, 1, 80.0, 120.0); /* little loss is bright */
    expect_item(text, 80.0, 1.0, "80 dB");
    expect_item(text, 120.0, 0.0, "120 dB");
    rcity_map_destroy(&map);
    map =
        make_map(context, RCITY_BAND_PROBABILITY, "coverage_probability_-95_dbm", "", 2, (const float[]){0.31f, 0.93f});
    text = save_style(context, map, 1, (double)NAN, (double)NAN);
    expect_item(text, 0.0, 0.0, "0");
    expect_item(text, 0.5, 0.5, "0.5");
    expect_item(text, 1.0, 1.0, "1");
    rcity_map_destroy(&map);
    map = make_map(context, RCITY_BAND_SINR, "sinr", "dB", 2,
                   (const float[]){2.0f, 55.0f}); /* the same for all networks */
    text = save_style(context, map, 1, (double)NAN, (double)NAN);
    expect_item(text, -10.0, 0.0, "-10 dB");
    expect_item(text, 10.0, 0.5, "10 dB");
    expect_item(text, 30.0, 1.0, "30 dB");
    expect(save_style(context, map, 1, 0.0, 20.0), "classificationMin=\"0\" classificationMax=\"20\"");
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_palettes_name_the_classes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_map *map = make_map(context, RCITY_BAND_SERVER, "best_server", "", 4, (const float[]){1.0f, 3.0f, NAN, 3.0f});
    static const char *const sectors[] = {NULL, "A & \"B\" <C>/1", "South/2"};
    assert_ok(context, rcity_map_set_classes(map, 1, 3, sectors));
    const char *text = save_style(context, map, 1, (double)NAN, (double)NAN);
    expect(text, "type=\"paletted\" band=\"2\"");
    assert_int_equal(count_words(text, "<paletteEntry "), 3); /* sector 2 wins nowhere, and has its colour */
    for (int number = 1; number <= 3; number++) {
        static const char *const labels[] = {"A &amp; &quot;B&quot; &lt;C&gt;/1", "South/2", "3"};
        char entry[200];
        snprintf(entry, sizeof entry, "<paletteEntry value=\"%d\" color=\"#%06x\" alpha=\"255\" label=\"%s\"/>", number,
                 (unsigned)rcity_colour_pack(rcity_colour_of_class(number)), labels[number - 1]);
        expect(text, entry);
    }
    rcity_map_destroy(&map);
    map = make_map(context, RCITY_BAND_SIGHT, "line_of_sight", "", 4, (const float[]){1.0f, 0.0f, NAN, 1.0f});
    text = save_style(context, map, 1, (double)NAN, (double)NAN);
    expect(text, "type=\"paletted\"");
    expect(text, "label=\"yes\"");
    expect(text, "label=\"no\"");
    rcity_map_destroy(&map);
    map = make_map(context, RCITY_BAND_CLASS, "mechanism", "", 4,
                   (const float[]){1.0f, 0.0f, NAN, 1.0f}); /* not a yes or no */
    static const char *const labels[] = {"direct", "through <walls>", "around corners", "", "over roofs"};
    static const char *const written[] = {"direct", "through &lt;walls&gt;", "around corners", "", "over roofs"};
    assert_ok(context, rcity_map_set_classes(map, 1, 5, labels));
    text = save_style(context, map, 1, (double)NAN, (double)NAN);
    expect(text, "type=\"paletted\"");
    assert_int_equal(count_words(text, "<paletteEntry "), 4);
    for (int kind = 0; kind < 5; kind += kind == 2 ? 2 : 1) { /* 3 has no name, and no entry */
        char entry[64];
        snprintf(entry, sizeof entry, "<paletteEntry value=\"%d\" ", kind);
        const char *found = strstr(text, entry);
        assert_non_null(found);
        snprintf(entry, sizeof entry, "label=\"%s\"/>", written[kind]);
        assert_ptr_equal(strstr(found, "label="), strstr(found, entry));
    }
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

/* Neighbouring sectors are told apart: colours of the first dozen differ by far, later ones still differ. */
static void test_class_colours(void **state)
{
    (void)state;
    for (int a = 1; a <= 48; a++) {
        for (int b = a + 1; b <= 48; b++) {
            rcity_colour left = rcity_colour_of_class(a);
            rcity_colour right = rcity_colour_of_class(b);
            double distance =
                fabs(left.red - right.red) + fabs(left.green - right.green) + fabs(left.blue - right.blue);
            assert_true(distance > (b <= 12 ? 0.3 : 0.1));
        }
    }
}

static void test_bad_bands_and_ranges_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_map *map = make_map(context, RCITY_BAND_POWER, "received_power", "dBm", 2, (const float[]){NAN, NAN});
    expect(save_style(context, map, 1, (double)NAN, (double)NAN), "singlebandpseudocolor"); /* no value at all */
    assert_status(context, rcity_map_save_style(context, map, 2, 0.0, 1.0, test_path("bad.qml")), RCITY_ERR_ARGUMENT);
    assert_message(context, "no band 2");
    assert_status(context, rcity_map_save_style(context, map, 1, -60.0, -90.0, test_path("bad.qml")),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "-60 and -90");
    assert_status(context, rcity_map_save_style(context, map, 1, -HUGE_VAL, -90.0, test_path("bad.qml")),
                  RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_map_save_style(context, map, 1, 0.0, 1.0, test_path("absent/bad.qml")),
                  RCITY_ERR_FILE);
    assert_message(context, "absent/bad.qml");
    rcity_map_destroy(&map);
    map = make_map(context, RCITY_BAND_SERVER, "best_server", "", 1, (const float[]){5000.0f});
    assert_status(context, rcity_map_save_style(context, map, 1, 0.0, 1.0, test_path("bad.qml")), RCITY_ERR_ARGUMENT);
    assert_message(context, "at most 4096 sectors");
    rcity_map_destroy(&map);
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    rcity_context *plenty = test_context(1);
    rcity_map *map = make_map(plenty, RCITY_BAND_POWER, "received_power", "dBm", 2, (const float[]){-80.0f, -90.0f});
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_status status = rcity_map_save_style(context, map, 1, (double)NAN, (double)NAN, test_path("failing.qml"));
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 4);
    rcity_map_destroy(&map);
    rcity_context_destroy(&plenty);
}

TEST_SUITE(style)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ramps_have_the_picture_colours),
        cmocka_unit_test(test_palettes_name_the_classes),
        cmocka_unit_test(test_class_colours),
        cmocka_unit_test(test_bad_bands_and_ranges_are_refused),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("style", tests, NULL, NULL);
}
