/* Colour scales: their order survives without hues. */
#include "rcity_test.h"

#include "io/picture/colour.h"

static double lightness(rcity_colour colour)
{
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
}

static void test_scales_are_ordered(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        double from = (double)i / 200.0;
        double to = (double)(i + 1) / 200.0;
        assert_true(lightness(rcity_colour_at(RCITY_COLOUR_SIGNAL, to)) >
                    lightness(rcity_colour_at(RCITY_COLOUR_SIGNAL, from)));
        assert_true(lightness(rcity_colour_at(RCITY_COLOUR_BUILDING, to)) <
                    lightness(rcity_colour_at(RCITY_COLOUR_BUILDING, from)));
        assert_true(lightness(rcity_colour_at(RCITY_COLOUR_GREY, to)) <
                    lightness(rcity_colour_at(RCITY_COLOUR_GREY, from)));
        assert_true(lightness(rcity_colour_at(RCITY_COLOUR_GROUND, to)) >
                    lightness(rcity_colour_at(RCITY_COLOUR_GROUND, from)));
    }
}

static void test_ends_and_bytes(void **state)
{
    (void)state;
    assert_int_equal(rcity_colour_pack(rcity_colour_at(RCITY_COLOUR_SIGNAL, -3.0)),
                     rcity_colour_pack(rcity_colour_at(RCITY_COLOUR_SIGNAL, 0.0)));
    assert_int_equal(rcity_colour_pack(rcity_colour_at(RCITY_COLOUR_SIGNAL, 3.0)),
                     rcity_colour_pack(rcity_colour_at(RCITY_COLOUR_SIGNAL, 1.0)));
    assert_int_equal(rcity_colour_pack(rcity_colour_unpack(0x12abef)), 0x12abef);
    rcity_colour black = rcity_colour_unpack(0x000000);
    rcity_colour white = rcity_colour_unpack(0xffffff);
    assert_int_equal(rcity_colour_pack(rcity_colour_mix(black, white, 0.2)), 0x333333);
    assert_int_equal(rcity_colour_pack(rcity_colour_shade(white, 1.4)), 0xffffff);
    assert_int_equal(rcity_colour_pack(rcity_colour_shade(white, 0.6)), 0x999999);
}

TEST_SUITE(colour)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales_are_ordered),
        cmocka_unit_test(test_ends_and_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
