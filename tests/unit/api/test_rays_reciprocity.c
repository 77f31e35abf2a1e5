/* The same two antennas with their places exchanged: the same power, whatever their polarizations, since nothing in a
   city lets waves through one way only. */
#include "rcity_test.h"

#define SEED             46u
#define LINK_COUNT       24
#define POLARIZATION_MAX RCITY_POLARIZATION_SLANT_MINUS

/* One antenna of a link. */
typedef struct link_end {
    double xyh_m[3];
    rcity_polarization polarization;
} link_end;

/* Houses askew to each other, so that paths come with their polarization turned. */
static rcity_scene *make_scene(rcity_context *context)
{
    static const double rings[3][8] = {{0.0, 0.0, 22.0, 5.0, 18.0, 25.0, -4.0, 20.0},
                                       {50.0, 12.0, 66.0, 0.0, 78.0, 16.0, 62.0, 28.0},
                                       {20.0, 50.0, 60.0, 44.0, 62.0, 58.0, 22.0, 64.0}};
    static const double heights_m[3] = {12.0, 17.0, 9.0};
    static const int point_count = 4;
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < 3; i++) {
        rcity_building building = rcity_building_default();
        building.id = i;
        building.ring_count = 1;
        building.ring_point_count = &point_count;
        building.xy_m = rings[i];
        building.height_m = heights_m[i];
        assert_ok(context, rcity_scene_add_building(scene, &building));
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

/* The power that arrives over the power that is sent, powers added and fields added, and the number of paths. */
static rcity_receiver_summary link_of(rcity_context *context, const rcity_scene *scene, const link_end *from,
                                      const link_end *to)
{
    static const char *const names[] = {"max-reflections", "max-diffractions", "rx-polarization"};
    const char *values[] = {"2", "1", rcity_polarization_name(to->polarization)};
    rcity_request request = rcity_request_default();
    request.method = "images";
    request.transmitter.x_m = from->xyh_m[0];
    request.transmitter.y_m = from->xyh_m[1];
    request.transmitter.height_m = from->xyh_m[2];
    request.transmitter.frequency_hz = 1.8e9;
    request.transmitter.polarization = from->polarization;
    request.receivers.point_count = 1;
    request.receivers.xyh_m = to->xyh_m;
    request.option_count = 3;
    request.option_name = names;
    request.option_value = values;
    rcity_rays *rays = NULL;
    rcity_receiver_summary summary;
    assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
    assert_ok(context, rcity_rays_get_receiver(rays, 0, &summary));
    rcity_rays_destroy(&rays);
    return summary;
}

/* How far two levels are apart as powers, over the larger of them and what crossed antennas' rounding leaves. */
static double power_difference(double a_db, double b_db)
{
    double a = isfinite(a_db) ? pow(10.0, 0.1 * a_db) : 0.0;
    double b = isfinite(b_db) ? pow(10.0, 0.1 * b_db) : 0.0;
    return a == b ? 0.0 : fabs(a - b) / fmax(a, b);
}

static void test_places_exchanged(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_scene(context);
    double worst = 0.0;
    int64_t path_count = 0;
    for (uint64_t i = 0; i < LINK_COUNT; i++) {
        /* in the streets and above the roofs, on both sides of everything */
        link_end a = {{test_uniform(SEED, 6 * i, -30.0, -8.0), test_uniform(SEED, 6 * i + 1, -20.0, 70.0),
                       test_uniform(SEED, 6 * i + 2, 1.0, 25.0)},
                      RCITY_POLARIZATION_VERTICAL};
        link_end b = {{test_uniform(SEED, 6 * i + 3, 28.0, 46.0), test_uniform(SEED, 6 * i + 4, -20.0, 40.0),
                       test_uniform(SEED, 6 * i + 5, 1.0, 25.0)},
                      RCITY_POLARIZATION_VERTICAL};
        for (int pair = 0; pair < (POLARIZATION_MAX + 1) * (POLARIZATION_MAX + 1); pair++) {
            a.polarization = (rcity_polarization)(pair / (POLARIZATION_MAX + 1));
            b.polarization = (rcity_polarization)(pair % (POLARIZATION_MAX + 1));
            rcity_receiver_summary there = link_of(context, scene, &a, &b);
            rcity_receiver_summary back = link_of(context, scene, &b, &a);
            assert_int_equal(there.path_count, back.path_count);
            double apart = fmax(power_difference(there.gain_db, back.gain_db),
                                power_difference(there.coherent_gain_db, back.coherent_gain_db));
            apart = fmax(apart, power_difference(there.grouped_gain_db, back.grouped_gain_db));
            if (!(apart <= 1e-6)) {
                print_error("link %d, %s to %s: %.9g dB there, %.9g dB back (fields %.9g and %.9g), seed %u\n", (int)i,
                            rcity_polarization_name(a.polarization), rcity_polarization_name(b.polarization),
                            there.gain_db, back.gain_db, there.coherent_gain_db, back.coherent_gain_db, SEED);
                fail();
            }
            worst = fmax(worst, apart);
            path_count += there.path_count;
        }
    }
    print_message("reciprocity: %lld paths of all pairs of polarizations within %.2g (seed %u)\n",
                  (long long)path_count, worst, SEED);
    assert_true(path_count > 100 * LINK_COUNT);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* On a line of sight: two antennas slanted alike face each other crossed, as seen from either both lean to their own
   right; the two slants of opposite kind match. */
static void test_facing_slants(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const test_box far_away[] = {{500.0, 500.0, 510.0, 510.0, 5.0}};
    rcity_scene *scene = test_scene(context, far_away, 1);
    static const char *const names[] = {"max-reflections", "max-diffractions", "rx-polarization", "over-roofs"};
    const rcity_polarization slants[2] = {RCITY_POLARIZATION_SLANT, RCITY_POLARIZATION_SLANT_MINUS};
    static const double xyh_m[3] = {430.0, 300.0, 12.0};
    for (int i = 0; i < 4; i++) {
        const char *values[] = {"0", "0", rcity_polarization_name(slants[i % 2]), "off"};
        rcity_request request = rcity_request_default();
        request.method = "images";
        request.transmitter.x_m = 400.0;
        request.transmitter.y_m = 340.0;
        request.transmitter.height_m = 12.0;
        request.transmitter.polarization = slants[i / 2];
        request.receivers.point_count = 1;
        request.receivers.xyh_m = xyh_m;
        request.option_count = 4;
        request.option_name = names;
        request.option_value = values;
        rcity_rays *rays = NULL;
        rcity_path path;
        assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
        assert_int_equal(rcity_rays_path_count(rays), 1);
        assert_ok(context, rcity_rays_get_path(rays, 0, &path));
        double free_space_db = -20.0 * log10(4.0 * 3.14159265358979323846 * 50.0 * 2e9 / 299792458.0);
        if (i / 2 == i % 2) {
            assert_true(path.gain_db < free_space_db - 200.0);
        } else {
            assert_near(path.gain_db, free_space_db, 1e-9);
        }
        rcity_rays_destroy(&rays);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(rays_reciprocity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_exchanged),
        cmocka_unit_test(test_facing_slants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
