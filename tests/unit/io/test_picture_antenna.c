/* Pictures of antennas. */
#include "rcity_test.h"

#include <cairo.h>

static rcity_antenna *make_antenna(rcity_context *context, const char *name)
{
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_create(context, name, &antenna));
    return antenna;
}

/* How much of the pattern's blue a pixel has. */
static int blueness(cairo_surface_t *picture, double x, double y)
{
    const unsigned char *row =
        cairo_image_surface_get_data(picture) + (size_t)y * (size_t)cairo_image_surface_get_stride(picture);
    uint32_t pixel;
    memcpy(&pixel, row + 4 * (size_t)x, sizeof pixel);
    return (int)(pixel & 255) - (int)(pixel >> 16 & 255);
}

/* The front of a directional antenna is at the top of the left plot and to the right in the right one; a tilt turns the
   right one down. */
static void test_beam_is_drawn_upwards_and_down(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna *antenna = make_antenna(context, "3gpp");
    const char *path = test_path("antenna.png");
    assert_ok(context, rcity_antenna_draw(context, antenna, 60.0, 1200, path));
    cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
    assert_int_equal(cairo_image_surface_get_width(picture), 1200);
    double em = 1200.0 / 72.0;
    double radius = 300.0 - 3.6 * em;
    double y = 8.2 * em + radius;
    double x[2] = {300.0 + 0.3 * em, 900.0 - 0.3 * em};
    double off = 0.06 * radius; /* beside the rays and between the rings */
    double out = 0.6 * radius;
    assert_true(blueness(picture, x[0] + off, y - out) > 8);
    assert_true(blueness(picture, x[0] + off, y + out) < 8);
    assert_true(blueness(picture, x[1] + 0.42 * radius, y + out) > 8); /* 55 degrees down in front */
    assert_true(blueness(picture, x[1] + 0.42 * radius, y - out) < 8);
    cairo_surface_destroy(picture);
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

static void test_bad_width_and_tilt_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna *antenna = make_antenna(context, "dipole");
    const char *path = test_path("absent.png");
    assert_status(context, rcity_antenna_draw(context, antenna, (double)NAN, 399, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "399 pixels cannot be drawn; the width is 400 to 8000");
    assert_status(context, rcity_antenna_draw(context, antenna, 90.5, 400, path), RCITY_ERR_ARGUMENT);
    assert_message(context, "tilt is 90.5 degrees");
    assert_status(context, rcity_antenna_draw(context, antenna, 0.0, 400, "/nowhere/a.png"), RCITY_ERR_FILE);
    FILE *file = fopen(path, "rb");
    assert_null(file);
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

static void test_no_memory(void **state)
{
    (void)state;
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_antenna *antenna = make_antenna(context, "dipole");
        uint64_t before = rcity_context_memory_used(context);
        failing.fail_at = failing.call_count + n;
        rcity_status status = rcity_antenna_draw(context, antenna, (double)NAN, 400, test_path("memory.png"));
        failing.fail_at = 0;
        is_done = status == RCITY_OK;
        assert_true(is_done || status == RCITY_ERR_MEMORY);
        assert_int_equal(rcity_context_memory_used(context), before);
        rcity_antenna_destroy(&antenna);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        assert_true(!is_done || n > 2);
    }
}

TEST_SUITE(picture_antenna)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beam_is_drawn_upwards_and_down),
        cmocka_unit_test(test_bad_width_and_tilt_are_refused),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("picture_antenna", tests, NULL, NULL);
}
