/* The picture of a histogram of delays, by the pixels that must be there; the geometry is worked out here from what
   plot_delays.c states in em. */
#include "delays_stage.h"
#include "output_folder.h"

#include <cairo.h>

#define WIDTH_PX   1560
#define EM         (WIDTH_PX / 78.0)
#define LEFT       (5.2 * EM)
#define RIGHT      (WIDTH_PX - 1.6 * EM)
#define TOP        (4.6 * EM)
#define BOTTOM     (38.6 * EM)
#define STRONG_RGB 0x0072b2
#define WEAK_RGB   0xa9c9dd
#define MEAN_RGB   0xd55e00
#define BAND_RGB   0xf3f0e4

static uint32_t pixel_at(cairo_surface_t *picture, double x, double y)
{
    assert_true(x >= 0 && x < cairo_image_surface_get_width(picture) && y >= 0 &&
                y < cairo_image_surface_get_height(picture));
    const unsigned char *row =
        cairo_image_surface_get_data(picture) + (ptrdiff_t)y * cairo_image_surface_get_stride(picture);
    uint32_t pixel;
    memcpy(&pixel, row + 4 * (ptrdiff_t)x, sizeof pixel);
    return pixel & 0xffffff;
}

/* Four bins of 100 ns from 1 us on: -90, -100, -120 and -105 dB; and a cell in which nothing arrives. */
static rcity_delays *four_bins(rcity_context *context)
{
    static const rcity_raster raster = {2, 1, 0.0, 5.0, 5.0};
    static const int32_t bins[] = {0, 4, 9, 19};
    static const float gains[] = {1e-9f, 1e-10f, 1e-12f, 3.16227766e-11f};
    rcity_delays *delays = NULL;
    assert_ok(context, rcity_delays_create(context, &raster, "EPSG:32632", 1.5, 1e-6, 1e-7, &delays));
    assert_ok(context, rcity_notes_add(rcity_delays_notes(delays), "method", "by hand"));
    assert_ok(context, rcity_delays_add_cell(delays, 0, 4, bins, gains));
    assert_ok(context, rcity_delays_finish(delays));
    return delays;
}

/* Axes: the mean less the spread, 0.81 us, to 3 us, with 3 % of air, in steps of 0.2: 0.6 to 3.2; -130 to -80 dB. */
static double x_of(double delay_us)
{
    return LEFT + (delay_us - 0.6) / 2.6 * (RIGHT - LEFT);
}

static double y_of(double gain_db)
{
    return BOTTOM - (gain_db + 130.0) / 50.0 * (BOTTOM - TOP);
}

static void test_bins_mean_and_spread(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_delays *delays = four_bins(context);
    rcity_delay_summary summary;
    const char *path = output_path("delays.png");
    rcity_delays_draw_options options = rcity_delays_draw_options_default();
    options.width_px = WIDTH_PX;
    assert_ok(context, rcity_delays_draw(context, delays, 0, &options, path));
    assert_ok(context, rcity_delays_summarize(context, delays, 0, 20.0, &summary));
    cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
    assert_int_equal(cairo_image_surface_get_width(picture), WIDTH_PX);
    static const struct {
        double delay_us, gain_db;
        uint32_t rgb;
    } bars[] = {
        {1.05, -90.0, STRONG_RGB}, {1.45, -100.0, STRONG_RGB}, {1.95, -120.0, WEAK_RGB}, {2.95, -105.0, STRONG_RGB}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pixel_at(picture, x_of(bars[i].delay_us + 0.02), y_of(bars[i].gain_db) + 4.0), bars[i].rgb);
        assert_int_equal(pixel_at(picture, x_of(bars[i].delay_us + 0.02), BOTTOM - 4.0), bars[i].rgb);
        assert_int_not_equal(pixel_at(picture, x_of(bars[i].delay_us + 0.02), y_of(bars[i].gain_db) - 4.0),
                             bars[i].rgb);
        assert_int_not_equal(pixel_at(picture, x_of(bars[i].delay_us + 0.08), BOTTOM - 4.0), bars[i].rgb);
    }
    double mean_us = 1e6 * summary.mean_delay_s;
    double spread_us = 1e6 * summary.delay_spread_s;
    assert_int_equal(pixel_at(picture, x_of(mean_us), y_of(-84.0)), MEAN_RGB);
    assert_int_equal(pixel_at(picture, x_of(mean_us - spread_us) + 3.0, y_of(-84.0)), BAND_RGB);
    assert_int_equal(pixel_at(picture, x_of(mean_us + spread_us) - 3.0, y_of(-84.0)), BAND_RGB);
    assert_int_equal(pixel_at(picture, x_of(mean_us + spread_us) + 3.0, y_of(-84.0)), 0xffffff);
    cairo_surface_destroy(picture);
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

static void test_same_bytes_and_other_thresholds(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_delays *delays = four_bins(context);
    rcity_delays_draw_options options = rcity_delays_draw_options_default();
    const char *first = output_path("first.png");
    const char *second = output_path("second.png");
    assert_ok(context, rcity_delays_draw(context, delays, 0, NULL, first));
    assert_ok(context, rcity_delays_draw(context, delays, 0, &options, second));
    assert_true(same_outputs(first, second));
    options.threshold_db = 30.0;
    assert_ok(context, rcity_delays_draw(context, delays, 0, &options, second));
    assert_false(same_outputs(first, second));
    options = rcity_delays_draw_options_default();
    options.title = "Somewhere else";
    assert_ok(context, rcity_delays_draw(context, delays, 0, &options, second));
    assert_false(same_outputs(first, second));
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

/* One bin, hundreds of them, gains that a float just holds: something is drawn. */
static void test_any_histogram(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        rcity_delays *delays = stage_delays(context, seed);
        for (int64_t cell = 0; cell < 20; cell++) {
            rcity_delay_cell found;
            rcity_delays_draw_options options = rcity_delays_draw_options_default();
            options.width_px = RCITY_PICTURE_WIDTH_MIN_PX;
            assert_ok(context, rcity_delays_get_cell(delays, cell, &found));
            assert_status(context, rcity_delays_draw(context, delays, cell, &options, output_path("any.png")),
                          found.entry_count > 0 ? RCITY_OK : RCITY_ERR_ARGUMENT);
        }
        rcity_delays_destroy(&delays);
    }
    rcity_context_destroy(&context);
}

static void test_what_cannot_be_drawn(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_delays *delays = four_bins(context);
    rcity_delays_draw_options options = rcity_delays_draw_options_default();
    const char *path = output_path("never.png");
    count_outputs(true);
    assert_status(context, rcity_delays_draw(context, delays, 1, NULL, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "nothing arrives at 7.5, 2.5");
    assert_status(context, rcity_delays_draw(context, delays, 2, NULL, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "there is no cell 2");
    options.width_px = 399;
    assert_status(context, rcity_delays_draw(context, delays, 0, &options, path), RCITY_ERR_ARGUMENT);
    options.width_px = 400;
    options.threshold_db = -1.0;
    assert_status(context, rcity_delays_draw(context, delays, 0, &options, path), RCITY_ERR_ARGUMENT);
    options.struct_bytes = 3;
    assert_status(context, rcity_delays_draw(context, delays, 0, &options, path), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_delays_draw(context, delays, 0, NULL, "/nowhere/delays.png"), RCITY_ERR_FILE);
    assert_int_equal(count_outputs(false), 0);
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

TEST_SUITE(picture_delays)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bins_mean_and_spread),
        cmocka_unit_test(test_same_bytes_and_other_thresholds),
        cmocka_unit_test(test_any_histogram),
        cmocka_unit_test(test_what_cannot_be_drawn),
    };
    return cmocka_run_group_tests_name("picture_delays", tests, open_output_folder, close_output_folder);
}
