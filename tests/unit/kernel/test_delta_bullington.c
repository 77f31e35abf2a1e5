/* Diffraction by terrain: Bullington's construction and the fitted line against the textbook's formulas, written out in
   double precision over all points; the smooth Earth against its own laws. */
#include "wave_test.h"

#include "kernel/terrain/delta_bullington.h"
#include "random_ground.h"

#define TRIAL_COUNT 3000

typedef struct plain_path {
    int count;
    double x_km[GROUND_POINT_MAX], height_m[GROUND_POINT_MAX]; /* with what stands on the ground */
    double tx_m, rx_m, bulge, wavelength_m;
} plain_path;

/* Bullington's loss as P.1812-6 writes it in section 4.3.1, over every point. */
static double plain_bullington_db(const plain_path *path)
{
    int last = path->count - 1;
    double d = path->x_km[last];
    double up = -INFINITY, down = -INFINITY, v = -INFINITY;
    for (int i = 1; i < last; i++) {
        double x = path->x_km[i];
        double z_m = path->height_m[i] + path->bulge * x * (d - x);
        double over_m = z_m - (path->tx_m * (d - x) + path->rx_m * x) / d;
        up = fmax(up, (z_m - path->tx_m) / x);
        down = fmax(down, (z_m - path->rx_m) / (d - x));
        v = fmax(v, over_m * sqrt(0.002 * d / (path->wavelength_m * x * (d - x))));
    }
    if (up >= (path->rx_m - path->tx_m) / d) {
        double x = (path->rx_m - path->tx_m + down * d) / (up + down);
        double over_m = path->tx_m + up * x - (path->tx_m * (d - x) + path->rx_m * x) / d;
        v = over_m * sqrt(0.002 * d / (path->wavelength_m * x * (d - x)));
    }
    double edge_db = v > -0.78 ? 6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1) : 0.0;
    return edge_db + (1.0 - exp(-edge_db / 6.0)) * (10.0 + 0.02 * d);
}

static rcity_diffraction_link random_link(uint64_t trial)
{
    rcity_diffraction_link link;
    link.tx_height_m = (rcity_real)ground_draw_log(trial, 30, 1.0, 1000.0);
    link.rx_height_m = (rcity_real)ground_draw_log(trial, 31, 1.0, 100.0);
    link.frequency_ghz = (rcity_real)ground_draw_log(trial, 32, 0.03, 30.0);
    link.radius_km = (rcity_real)ground_draw(trial, 33, 6371.0, 20000.0);
    link.sea_share = (rcity_real)0.0;
    link.clear_m = (rcity_real)(trial % 5 == 0 ? 500.0 : 0.0);
    link.is_vertical = trial % 7 == 0;
    return link;
}

static plain_path plain_path_of(const random_ground *ground, const rcity_diffraction_link *link)
{
    plain_path path;
    int last = ground->profile.count - 1;
    path.count = last + 1;
    double length_m = (double)rcity_ground_profile_distance_m(&ground->profile, last);
    for (int i = 0; i <= last; i++) {
        double x_m = (double)rcity_ground_profile_distance_m(&ground->profile, i);
        bool counts = i > 0 && i < last && fmin(x_m, length_m - x_m) >= (double)link->clear_m;
        double cover_m = (double)rcity_ground_profile_cover_m(&ground->profile, i);
        path.x_km[i] = 0.001 * x_m;
        path.height_m[i] = (double)ground->height_m[i] + (counts ? cover_m : 0.0);
    }
    path.tx_m = (double)ground->height_m[0] + (double)link->tx_height_m;
    path.rx_m = (double)ground->height_m[last] + (double)link->rx_height_m;
    path.bulge = 500.0 / (double)link->radius_km;
    path.wavelength_m = 0.299792458 / (double)link->frequency_ghz;
    return path;
}

static void test_bullington_is_the_textbooks(void **state)
{
    (void)state;
    static random_ground ground;
    double worst_db = 0.0;
    for (uint64_t trial = 0; trial < TRIAL_COUNT; trial++) {
        random_ground_make(&ground, trial);
        rcity_diffraction_link link = random_link(trial);
        plain_path path = plain_path_of(&ground, &link);
        double expected_db = plain_bullington_db(&path);
        double actual_db = (double)rcity_bullington_loss_db(link, ground.profile);
        worst_db = fmax(worst_db, fabs(actual_db - expected_db));
        assert_near(actual_db, expected_db, EITHER(0.01, 1e-9));
    }
    print_message(PRECISION ": Bullington within %.2g dB of the textbook's\n", worst_db);
}

/* What is found by halving is what visiting every point finds. */
static void test_smooth_bullington_is_the_textbooks(void **state)
{
    (void)state;
    static random_ground ground;
    double worst_db = 0.0;
    for (uint64_t trial = 0; trial < TRIAL_COUNT; trial++) {
        random_ground_make(&ground, trial);
        memset(ground.height_m, 0, sizeof ground.height_m);
        ground.profile.cover_m = NULL;
        rcity_diffraction_link link = random_link(trial);
        plain_path path = plain_path_of(&ground, &link);
        rcity_real d = rcity_profile_length_km(&ground.profile);
        rcity_real bulge = (rcity_real)path.bulge;
        rcity_bullington_extremes over =
            rcity_bulge_extremes(&ground.profile, link.tx_height_m, link.rx_height_m, d, bulge);
        rcity_real actual_db = rcity_bullington_extremes_db(over, (link.rx_height_m - link.tx_height_m) / d, d, bulge,
                                                            (rcity_real)path.wavelength_m);
        double expected_db = plain_bullington_db(&path);
        worst_db = fmax(worst_db, fabs((double)actual_db - expected_db));
        assert_near(actual_db, expected_db, EITHER(0.01, 1e-9));
    }
    print_message(PRECISION ": Bullington over a smooth Earth within %.2g dB\n", worst_db);
}

/* The line that the least squares of all ground between the points give: its normal equations by Simpson's rule, which is
   exact for the squares of a polygon. */
static void test_fitted_line_has_the_least_squares(void **state)
{
    (void)state;
    static random_ground ground;
    for (uint64_t trial = 0; trial < TRIAL_COUNT; trial++) {
        random_ground_make(&ground, trial);
        rcity_real ten = (rcity_real)10.0;
        rcity_profile_shape shape =
            rcity_profile_shape_of(&ground.profile, ten, ten, (rcity_real)0.05, (rcity_real)0.05, (rcity_real)0.0);
        double residual = 0.0, moment = 0.0;
        double d = (double)shape.distance_km;
        for (int i = 1; i < ground.profile.count; i++) {
            double x0 = (double)rcity_profile_km(&ground.profile, i - 1) / d;
            double x1 = (double)rcity_profile_km(&ground.profile, i) / d;
            double h[2], x[2] = {x0, x1};
            for (int end = 0; end < 2; end++) {
                h[end] = (double)ground.height_m[i - 1 + end] - (double)shape.fit_tx_m -
                         ((double)shape.fit_rx_m - (double)shape.fit_tx_m) * x[end];
            }
            double middle = 0.25 * (h[0] + h[1]) * (x0 + x1);
            residual += (x1 - x0) * (h[0] + h[1]) / 2.0;
            moment += (x1 - x0) * (h[0] * x0 + 4.0 * middle + h[1] * x1) / 6.0;
        }
        assert_near(residual, 0.0, EITHER(1e-3, 1e-9));
        assert_near(moment, 0.0, EITHER(1e-3, 1e-9));
    }
}

/* One thin ridge on flat ground without bulge is a knife edge. */
static void test_one_ridge_is_a_knife_edge(void **state)
{
    (void)state;
    static random_ground ground;
    random_ground_make(&ground, 3);
    const int middle = 40;
    ground.profile.count = 101;
    ground.profile.cover_m = NULL;
    ground.profile.distance_m = NULL;
    ground.profile.step_m = 100.0f;
    rcity_diffraction_link link = random_link(0);
    link.tx_height_m = link.rx_height_m = (rcity_real)20.0;
    link.frequency_ghz = (rcity_real)0.6;
    link.radius_km = (rcity_real)1e12;
    double before_db = -1.0;
    for (double ridge_m = 0.0; ridge_m < 500.0; ridge_m += 5.0) {
        memset(ground.height_m, 0, sizeof ground.height_m);
        ground.height_m[middle] = (float)ridge_m;
        double v = (ridge_m - 20.0) * sqrt(2.0 * 0.6 / 0.299792458 * (1.0 / 4000.0 + 1.0 / 6000.0));
        double w = v - 0.1;
        double edge_db = v > -0.78 ? 6.9 + 20.0 * log10(sqrt(w * w + 1.0) + w) : 0.0;
        double expected_db = edge_db + (1.0 - exp(-edge_db / 6.0)) * 10.2;
        double actual_db = (double)rcity_bullington_loss_db(link, ground.profile);
        double delta_db = (double)rcity_delta_bullington_loss_db(link, ground.profile);
        assert_near(actual_db, ridge_m >= 20.0 ? expected_db : actual_db, EITHER(1e-3, 1e-6));
        assert_true(delta_db >= actual_db && actual_db >= before_db);
        before_db = actual_db;
    }
}

static rcity_smooth_path random_smooth(uint64_t trial)
{
    rcity_smooth_path path;
    path.distance_km = (rcity_real)ground_draw_log(trial, 40, 0.3, 300.0);
    path.tx_m = (rcity_real)ground_draw_log(trial, 41, 1.0, 1000.0);
    path.rx_m = (rcity_real)ground_draw_log(trial, 42, 1.0, 1000.0);
    path.frequency_ghz = (rcity_real)ground_draw_log(trial, 43, 0.03, 6.0);
    path.wavelength_m = rcity_wavelength_of_ghz(path.frequency_ghz);
    path.sea_share = (rcity_real)(trial % 4 == 0 ? 0.5 : trial % 4 == 1 ? 1.0 : 0.0);
    path.is_vertical = trial % 2 == 0;
    return path;
}

/* At the mirror point both rays meet the ground under one angle. */
static void test_mirror_point_has_equal_angles(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIAL_COUNT; trial++) {
        rcity_smooth_path path = random_smooth(trial);
        double a = 8500.0, d = (double)path.distance_km;
        double h1 = (double)path.tx_m, h2 = (double)path.rx_m;
        if (d < sqrt(0.002 * a) * (sqrt(h1) + sqrt(h2))) {
            double x = (double)rcity_smooth_mirror_km(&path, (rcity_real)a);
            double y = d - x;
            double first = h1 / x - 500.0 * x / a;
            double second = h2 / y - 500.0 * y / a;
            assert_true(x > 0.0 && y > 0.0);
            assert_near(first, second, EITHER(2e-4, 1e-9) * (h1 / x + h2 / y));
        }
    }
}

/* No step at the horizon, none where clearance is enough, more loss farther away, the same from either end. */
static void test_smooth_earth_keeps_its_laws(void **state)
{
    (void)state;
    const double a = 8500.0;
    for (uint64_t trial = 0; trial < TRIAL_COUNT; trial++) {
        rcity_smooth_path path = random_smooth(trial);
        rcity_smooth_path turned = path;
        turned.tx_m = path.rx_m;
        turned.rx_m = path.tx_m;
        double loss_db = (double)rcity_smooth_earth_db(&path, (rcity_real)a);
        assert_near(rcity_smooth_earth_db(&turned, (rcity_real)a), loss_db, EITHER(1e-2, 1e-8));
        double horizon_km = sqrt(0.002 * a) * (sqrt((double)path.tx_m) + sqrt((double)path.rx_m));
        path.distance_km = (rcity_real)(horizon_km * (1.0 - EITHER(1e-6, 1e-10)));
        double near_db = (double)rcity_smooth_earth_db(&path, (rcity_real)a);
        path.distance_km = (rcity_real)(horizon_km * (1.0 + EITHER(1e-6, 1e-10)));
        double far_db = fmax((double)rcity_smooth_earth_db(&path, (rcity_real)a), 0.0);
        assert_near(near_db, far_db, EITHER(0.01, 1e-4));
        double before_db = 0.0;
        for (double km = 0.1 * horizon_km; km < 3.0 * horizon_km; km *= 1.02) {
            path.distance_km = (rcity_real)km;
            double now_db = (double)rcity_smooth_earth_db(&path, (rcity_real)a);
            assert_true(now_db >= before_db - EITHER(1e-3, 1e-9) || now_db < 0.0);
            before_db = fmax(now_db, 0.0);
        }
    }
}

TEST_SUITE(delta_bullington)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bullington_is_the_textbooks),
        cmocka_unit_test(test_smooth_bullington_is_the_textbooks),
        cmocka_unit_test(test_fitted_line_has_the_least_squares),
        cmocka_unit_test(test_one_ridge_is_a_knife_edge),
        cmocka_unit_test(test_mirror_point_has_equal_angles),
        cmocka_unit_test(test_smooth_earth_keeps_its_laws),
    };
    return cmocka_run_group_tests_name("delta-Bullington", tests, NULL, NULL);
}
