/* Paths around edges together with the straight and the mirrored ones: the sum has no steps and makes no power. */
#include "rcity_test.h"

#include "path_world.h"

static const uint64_t seed = 4711;

/* A wedge, its two faces as mirrors, somewhere in space in any direction. */
typedef struct test_corner {
    path_world world;
    const rcity_facet_edge *facet_edge;
} test_corner;

static void corner_init(test_corner *corner, double wavelength_m, double exterior_rad, int material_o, int material_n)
{
    path_world *world = &corner->world;
    path_world_init(world, wavelength_m);
    path_world_add_material(world, 5.3, -0.5, 0.0);   /* concrete-like, no other side */
    path_world_add_material(world, 4.0, -0.1, 0.2);   /* a wall */
    path_world_add_material(world, 20.0, -15.0, 0.0); /* wet ground */
    path_world_add_conductor(world);
    path_world_add_edge(world, place_make(3.0, -2.0, 7.0), place_make(0.3, -0.5, 0.8), place_make(1.0, 0.4, -0.2),
                        exterior_rad, material_o, material_n);
    corner->facet_edge = &world->edges[0];
    rcity_place3 zero = place_make(0.0, 0.0, 0.0);
    rcity_place3 into_n =
        place_add(place_around(corner->facet_edge, exterior_rad - 0.5 * PI, 1.0, 0.0), corner->facet_edge->a, -1.0);
    path_world_add_mirror(world, corner->facet_edge->a, corner->facet_edge->normal_o, material_o);
    path_world_add_mirror(world, corner->facet_edge->a, place_add(zero, into_n, 1.0), material_n);
}

static void add_channel(rcity_channel *sum, rcity_channel more)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            sum->transfer[i][j].re += more.transfer[i][j].re;
            sum->transfer[i][j].im += more.transfer[i][j].im;
        }
    }
}

/* All paths from one angle to another: straight where the solid is not between, mirrored, around the edge. */
static rcity_channel corner_sum(const test_corner *corner, double tx_rad, rcity_place3 tx, double rx_rad,
                                rcity_place3 rx)
{
    static const path_step around = {RCITY_EVENT_DIFFRACTION, 0};
    static const path_step off_o = {RCITY_EVENT_REFLECTION, 0};
    static const path_step off_n = {RCITY_EVENT_REFLECTION, 1};
    double exterior_rad = corner->facet_edge->exterior_rad;
    rcity_channel sum = path_world_channel(&corner->world, tx, rx, &around, 1);
    if (fabs(tx_rad - rx_rad) <= PI) {
        add_channel(&sum, path_world_channel(&corner->world, tx, rx, NULL, 0));
    }
    if (tx_rad + rx_rad <= PI) {
        add_channel(&sum, path_world_channel(&corner->world, tx, rx, &off_o, 1));
    }
    if (2.0 * exterior_rad - tx_rad - rx_rad <= PI) {
        add_channel(&sum, path_world_channel(&corner->world, tx, rx, &off_n, 1));
    }
    return sum;
}

/* What a polarization leaves in both, and how much of it differs between two channels. */
static double column_size(rcity_channel channel, int in)
{
    return hypot(cabs(channel_get(channel, 0, in)), cabs(channel_get(channel, 1, in)));
}

static double column_step(rcity_channel a, rcity_channel b, int in)
{
    return hypot(cabs(channel_get(a, 0, in) - channel_get(b, 0, in)),
                 cabs(channel_get(a, 1, in) - channel_get(b, 1, in)));
}

/* Step in dB of both polarizations across an angle of the receiver. */
static double step_db(const test_corner *corner, double tx_rad, double rx_rad, double tx_m, double rx_m,
                      double offset_m)
{
    const double hair_rad = 1e-7;
    rcity_place3 tx = place_around(corner->facet_edge, tx_rad, tx_m, 0.0);
    rcity_channel side[2];
    for (int i = 0; i < 2; i++) {
        double angle_rad = rx_rad + (i == 0 ? -hair_rad : hair_rad);
        side[i] =
            corner_sum(corner, tx_rad, tx, angle_rad, place_around(corner->facet_edge, angle_rad, rx_m, offset_m));
    }
    double worst_db = 0.0;
    for (int in = 0; in < 2; in++) {
        double size = fmin(column_size(side[0], in), column_size(side[1], in));
        worst_db = fmax(worst_db, 20.0 * log10(1.0 + column_step(side[0], side[1], in) / size));
    }
    return worst_db;
}

/* The boundaries of both faces: where the straight ray ends and where the mirrored ones do. The incidence is oblique by
   30, 60 and 90 degrees to the edge. */
static void test_sum_is_continuous_at_every_boundary(void **state)
{
    (void)state;
    static const double exteriors[] = {2.0 * PI, 1.75 * PI, 1.5 * PI, 1.3 * PI, 1.1 * PI};
    static const double betas_deg[] = {90.0, 60.0, 30.0};
    double worst_db = 0.0;
    int count = 0;
    for (int trial = 0; trial < 600; trial++) {
        uint64_t draw = (uint64_t)trial * 10;
        double exterior_rad = exteriors[trial % 5];
        int material_o = (int)(test_random(seed, draw) % 4);
        int material_n = (int)(test_random(seed, draw + 1) % 4);
        test_corner corner;
        corner_init(&corner, 0.3, exterior_rad, material_o, material_n);
        double tx_rad = exterior_rad * test_uniform(seed, draw + 2, 0.02, 0.98);
        double tx_m = exp(test_uniform(seed, draw + 3, log(0.3), log(300.0)));
        double rx_m = exp(test_uniform(seed, draw + 4, log(0.3), log(300.0)));
        double offset_m = (tx_m + rx_m) / tan(betas_deg[trial % 3] * PI / 180.0);
        double boundary[4] = {tx_rad + PI, tx_rad - PI, PI - tx_rad, 2.0 * exterior_rad - PI - tx_rad};
        for (int i = 0; i < 4; i++) {
            if (boundary[i] < 0.01 || boundary[i] > exterior_rad - 0.01) {
                continue;
            }
            double here_db = step_db(&corner, tx_rad, boundary[i], tx_m, rx_m, offset_m);
            count++;
            worst_db = fmax(worst_db, here_db);
            if (!(here_db < 0.1)) {
                print_error(
                    "step of %g dB at boundary %d, seed %llu, trial %d: exterior %g, tx %g at %g m, rx at %g m, "
                    "materials %d %d, beta %g\n",
                    here_db, i, (unsigned long long)seed, trial, exterior_rad, tx_rad, tx_m, rx_m, material_o,
                    material_n, betas_deg[trial % 3]);
                fail();
            }
        }
    }
    print_message("%d boundaries, largest step %.3g dB\n", count, worst_db);
    assert_true(count > 500);
}

/* All the way round in small steps: no step anywhere larger than the waves themselves make. */
static void test_sum_is_continuous_around_the_edge(void **state)
{
    (void)state;
    const double wavelength_m = 0.3;
    const double rx_m = 3.0 * wavelength_m;
    const int count = 6000;
    for (int trial = 0; trial < 6; trial++) {
        double exterior_rad = trial % 2 == 0 ? 1.5 * PI : 2.0 * PI;
        test_corner corner;
        corner_init(&corner, wavelength_m, exterior_rad, trial % 4, (trial + 1) % 4);
        double tx_rad = exterior_rad * test_uniform(seed, 90000 + (uint64_t)trial, 0.05, 0.95);
        rcity_place3 tx = place_around(corner.facet_edge, tx_rad, 20.0 * wavelength_m, 0.0);
        rcity_channel before;
        for (int i = 0; i <= count; i++) {
            double rx_rad = exterior_rad * (i + 0.5) / (count + 1.0);
            rcity_place3 rx = place_around(corner.facet_edge, rx_rad, rx_m, 3.0);
            rcity_channel here = corner_sum(&corner, tx_rad, tx, rx_rad, rx);
            for (int in = 0; i > 0 && in < 2; in++) {
                double step = column_step(here, before, in);
                double largest = 3.0 * cabs(phasor_free_space(place_distance(tx, rx), wavelength_m));
                if (!(step < 0.02 * largest)) {
                    print_error("trial %d: step of %g of three rays at %g rad\n", trial, step / largest, rx_rad);
                    fail();
                }
            }
            before = here;
        }
    }
}

/* A fine raster around an edge, farther than a wavelength from the transmitter: never more received than sent, and
   never much more field than the straight ray and one from each face would make together. */
static void test_sum_never_exceeds_physical_power(void **state)
{
    (void)state;
    const double wavelength_m = 0.3;
    double worst_gain = 0.0;
    double worst_ratio = 0.0;
    for (int trial = 0; trial < 8; trial++) {
        double exterior_rad = trial % 2 == 0 ? 1.5 * PI : 2.0 * PI;
        test_corner corner;
        corner_init(&corner, wavelength_m, exterior_rad, trial % 4, (trial + 3) % 4);
        double tx_rad = exterior_rad * test_uniform(seed, 95000 + (uint64_t)trial, 0.05, 0.95);
        rcity_place3 tx = place_around(corner.facet_edge, tx_rad, (trial < 4 ? 1.01 : 10.0) * wavelength_m, 0.0);
        for (int i = 0; i < 3600; i++) {
            double x = 0.05 * wavelength_m * (i % 60 - 29.5);
            double y = 0.05 * wavelength_m * (i / 60 - 29.5);
            rcity_place3 rx = place_around(corner.facet_edge, atan2(y, x), hypot(x, y), 0.1);
            double rx_rad = place_angle(corner.facet_edge, rx);
            double distance_m = place_distance(tx, rx);
            if (rx_rad >= exterior_rad || distance_m <= wavelength_m) {
                continue;
            }
            rcity_channel here = corner_sum(&corner, tx_rad, tx, rx_rad, rx);
            for (int in = 0; in < 2; in++) {
                double size = column_size(here, in);
                worst_gain = fmax(worst_gain, size * size);
                worst_ratio = fmax(worst_ratio, size / cabs(phasor_free_space(distance_m, wavelength_m)));
            }
        }
    }
    print_message("largest gain %.3g, largest field %.3g of free space\n", worst_gain, worst_ratio);
    assert_true(worst_gain < 1.0);
    assert_true(worst_ratio < 3.5);
}

/* Integral of exp(-j pi t^2 / 2) from v on, over its value from minus infinity: Fresnel's knife edge. The way of
   integration is turned into the valley of the exponential. */
static phasor knife_edge(double v)
{
    const int count = 4000;
    const double end = 8.0;
    phasor sum = 0.0;
    phasor turn = cexp(-PHASOR_J * PI / 4.0);
    for (int i = 0; i <= count; i++) {
        phasor u = end * i / count * turn;
        double weight = i == 0 || i == count ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * cexp(-PHASOR_J * PI * (v * u + 0.5 * u * u));
    }
    sum *= turn * (end / count / 3.0) * cexp(-PHASOR_J * 0.5 * PI * v * v);
    return sum / (1.0 - PHASOR_J);
}

/* Behind a thin conducting screen at small angles, where Fresnel's theory holds and polarization hardly matters. */
static void test_thin_screen(void **state)
{
    (void)state;
    const double wavelength_m = 0.1;
    path_world world;
    path_world_init(&world, wavelength_m);
    int32_t metal = path_world_add_conductor(&world);
    path_world_add_edge(&world, place_make(0.0, 0.0, 30.0), place_make(0.0, 1.0, 0.0), place_make(0.0, 0.0, -1.0),
                        2.0 * PI, metal, metal);
    const path_step around = {RCITY_EVENT_DIFFRACTION, 0};
    for (double below_m = 0.01; below_m < 20.0; below_m *= 1.3) {
        double before_m = 400.0;
        double after_m = 150.0;
        rcity_place3 tx = place_make(-before_m, 0.0, 30.0);
        rcity_place3 rx = place_make(after_m, 0.0, 30.0 - below_m);
        double height_m = below_m * before_m / (before_m + after_m);
        double v = height_m * sqrt(2.0 * (before_m + after_m) / (wavelength_m * before_m * after_m));
        phasor expected = knife_edge(v) * phasor_free_space(place_distance(tx, rx), wavelength_m);
        rcity_channel channel = path_world_channel(&world, tx, rx, &around, 1);
        for (int i = 0; i < 2; i++) {
            assert_near(20.0 * log10(cabs(channel_get(channel, i, i) / expected)), 0.0, 0.6);
        }
        /* the faces push one polarization up and the other down: their mean is nearer still */
        phasor mean = 0.5 * (channel_get(channel, 0, 0) + channel_get(channel, 1, 1));
        assert_near(20.0 * log10(cabs(mean / expected)), 0.0, 0.05);
    }
}

TEST_SUITE(path_edge)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_is_continuous_at_every_boundary),
        cmocka_unit_test(test_sum_is_continuous_around_the_edge),
        cmocka_unit_test(test_sum_never_exceeds_physical_power),
        cmocka_unit_test(test_thin_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
