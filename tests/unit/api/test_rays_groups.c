/* The sum over groups of paths: the mean power over a few wavelengths, against the exact field at a wedge and against
   fields added at many places; without steps where rays end; the same both ways. */
#include "rays_trial.h"

#define SEED        28u
#define LIGHT       299792458.0
#define EXTENT      2.0 /* wavelengths: the standard deviation of the places that are averaged over */
#define FREQUENCIES 4

static const double frequencies_hz[FREQUENCIES] = {450e6, 947e6, 2100e6, 28000e6};

static double free_space_db(const trial *t, const rcity_receiver_summary *at)
{
    double plan_m = hypot(at->position.x_m - t->tx[0], at->position.y_m - t->tx[1]);
    double d = hypot(plan_m, at->position.z_m - t->tx[2]);
    return -20.0 * log10(4.0 * PI * d * t->frequency_hz / LIGHT);
}

/* The exact field of a plane wave at the edge of a right-angled conductor, on a polar raster around it. */
#define RADII      29  /* 53 to 67 wavelengths */
#define TURNS      541 /* half degrees */
#define SERIES_MAX 780
#define ARC        60.0 /* wavelengths: where the receivers stand */

static double radius_of(int r)
{
    return ARC - 7.0 + 0.5 * r;
}

static double turn_rad(int o)
{
    return o * PI / 360.0;
}

/* J of order 2/3, or any that is not whole, by Schlaefli's integral (DLMF 10.9.6); Simpson's rule. */
static double bessel(double order, double x)
{
    const int steps = 8000;
    double first = 0.0;
    double second = 0.0;
    for (int i = 0; i <= steps; i++) {
        double weight = i == 0 || i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        double t = PI * i / steps;
        first += weight * cos(order * t - x * sin(t));
        double u = 4.0 * i / steps;
        second += weight * exp(-x * sinh(u) - order * u);
    }
    return first / (3.0 * steps) - sin(order * PI) / PI * second * 4.0 / (3.0 * steps);
}

/* J of the orders 2 m / 3 at x: Miller's recurrence downwards (DLMF 3.6(ii)) in steps of 1 from three first orders,
   each scaled by its two lowest values. */
static void fill_bessel(double x, double j_of[SERIES_MAX])
{
    enum { TOP = 600 }; /* beyond the largest order, and beyond x */
    static double down[TOP + 1];
    static const double firsts[3] = {0.0, 2.0 / 3.0, 4.0 / 3.0};
    for (int k = 0; k < 3; k++) {
        down[TOP] = 0.0;
        down[TOP - 1] = 1e-280;
        for (int i = TOP - 1; i > 0; i--) {
            down[i - 1] = 2.0 * (firsts[k] + i) / x * down[i] - down[i + 1];
            for (int n = i - 1; n <= TOP && fabs(down[i - 1]) > 1e100; n++) {
                down[n] *= 1e-100;
            }
        }
        double low = bessel(firsts[k], x);
        double next = bessel(firsts[k] + 1.0, x);
        double scale = fabs(low) > fabs(next) ? low / down[0] : next / down[1];
        for (int m = k; m < SERIES_MAX; m += 3) {
            int at = (int)lround(2.0 * m / 3.0 - firsts[k]);
            j_of[m] = at < TOP ? down[at] * scale : 0.0;
        }
    }
}

static double (*bessel_table(void))[SERIES_MAX]
{
    static double table[RADII][SERIES_MAX];
    for (int r = 0; r < RADII; r++) {
        fill_bessel(2.0 * PI * radius_of(r), table[r]);
    }
    return table;
}

/* |field|^2 by the series (1/n) sum of e_m j^(m/n) J_m/n(kr) (cos(m (phi - phi') / n) -+ cos(m (phi + phi') / n)). */
static void fill_truth(double (*j_of)[SERIES_MAX], bool is_hard, double phi_in, double (*power)[TURNS])
{
    for (int r = 0; r < RADII; r++) {
        for (int o = 0; o < TURNS; o++) {
            double phi = turn_rad(o);
            double re = 0.0;
            double im = 0.0;
            for (int m = 0; m < SERIES_MAX; m++) {
                double shape = cos(m * (phi - phi_in) / 1.5) + (is_hard ? 1.0 : -1.0) * cos(m * (phi + phi_in) / 1.5);
                double size = (m == 0 ? 1.0 : 2.0) * j_of[r][m] * shape / 1.5;
                re += size * cos(0.5 * PI * m / 1.5);
                im += size * sin(0.5 * PI * m / 1.5);
            }
            power[r][o] = re * re + im * im;
        }
    }
}

static double mean_truth(double (*power)[TURNS], double x, double y)
{
    double sum = 0.0;
    double weights = 0.0;
    for (int r = 0; r < RADII; r++) {
        for (int o = 0; o < TURNS; o++) {
            double dx = radius_of(r) * cos(turn_rad(o)) - x;
            double dy = -radius_of(r) * sin(turn_rad(o)) - y;
            double weight = radius_of(r) * exp(-0.5 * (dx * dx + dy * dy) / (EXTENT * EXTENT));
            sum += weight * power[r][o];
            weights += weight;
        }
    }
    return sum / weights;
}

/* Level over free space of a receiver on the arc: in the shadow at the very place, where nothing interferes; elsewhere
   the mean. */
static double truth_db(double (*power)[TURNS], int degree, double phi_in)
{
    double phi = degree * PI / 180.0;
    bool is_hidden = phi > phi_in + PI;
    return 10.0 * log10(is_hidden ? power[RADII / 2][2 * degree] : mean_truth(power, ARC * cos(phi), -ARC * sin(phi)));
}

/* A metal house so large that it is one wedge, the transmitter far away, receivers on an arc of 60 wavelengths. The
   wedge's air runs from the x axis clockwise to the y axis. */
static void test_groups_give_the_mean_of_the_exact_wedge(void **state)
{
    (void)state;
    enum { FIRST_DEG = 8, LAST_DEG = 262, COUNT = LAST_DEG - FIRST_DEG + 1 };
    static double power[RADII][TURNS];
    static double points[3 * COUNT];
    double(*j_of)[SERIES_MAX] = bessel_table();
    static const double sources_deg[] = {40.0, 110.0};
    for (int turn = 0; turn < 4; turn++) {
        bool is_hard = turn >= 2;
        double phi_in = sources_deg[turn % 2] * PI / 180.0;
        trial t = open_trial();
        add_box_of(&t, 0, 0, 600, 600, 900, "metal");
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.frequency_hz = 947e6;
        t.tx[0] = 4000.0 * cos(phi_in);
        t.tx[1] = -4000.0 * sin(phi_in);
        t.tx[2] = 450.0;
        t.is_horizontal = is_hard;
        t.reflections = "1";
        t.diffractions = "1";
        for (int i = 0; i < COUNT; i++) {
            points[3 * i] = ARC * LIGHT / t.frequency_hz * cos((FIRST_DEG + i) * PI / 180.0);
            points[3 * i + 1] = -ARC * LIGHT / t.frequency_hz * sin((FIRST_DEG + i) * PI / 180.0);
            points[3 * i + 2] = t.tx[2];
        }
        fill_truth(j_of, is_hard, phi_in, power);
        rcity_rays *rays = find(&t, COUNT, points);
        double worst_db = 0.0;
        double powers_db = 0.0;
        for (int i = 0; i < COUNT; i++) {
            rcity_receiver_summary at;
            assert_ok(t.context, rcity_rays_get_receiver(rays, i, &at));
            double over_free_db = truth_db(power, FIRST_DEG + i, phi_in);
            double exact_db = over_free_db + free_space_db(&t, &at);
            if (over_free_db < -25.0) { /* the other corners of the house come in */
                continue;
            }
            worst_db = fmax(worst_db, fabs(at.grouped_gain_db - exact_db));
            powers_db = fmax(powers_db, fabs(at.gain_db - exact_db));
        }
        print_message("wedge, %s, from %g degrees: groups within %.2f dB, powers within %.2f dB\n",
                      is_hard ? "hard" : "soft", sources_deg[turn % 2], worst_db, powers_db);
        assert_true(worst_db < 1.2);  /* on a boundary, where the mean over a steep slope is 1 dB above its middle */
        assert_true(powers_db > 2.0); /* what groups are for */
        rcity_rays_destroy(&rays);
        close_trial(&t);
    }
}

/* Levels, the sum over groups, at places on a straight line. */
#define LINE_MAX 1001
static void levels_along(trial *t, const double from[3], const double to[3], int count, double *level_db)
{
    static double points[3 * LINE_MAX];
    assert_true(count <= LINE_MAX);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            points[3 * i + k] = from[k] + (to[k] - from[k]) * i / (count - 1.0);
        }
    }
    rcity_rays *rays = find(t, count, points);
    for (int i = 0; i < count; i++) {
        rcity_receiver_summary at;
        assert_ok(t->context, rcity_rays_get_receiver(rays, i, &at));
        level_db[i] = at.grouped_gain_db;
        assert_true(isfinite(level_db[i]));
    }
    rcity_rays_destroy(&rays);
}

static double largest_step(const double *level_db, int count)
{
    double largest = 0.0;
    for (int i = 1; i < count; i++) {
        largest = fmax(largest, fabs(level_db[i] - level_db[i - 1]));
    }
    return largest;
}

/* Steps of a millimetre, and of a metre on a line that crosses the boundary at so small an angle that a metre of it is
   less than half the width of the transition. A long wall, the corner of a block, a house that two corners hide. */
static void test_groups_make_no_steps(void **state)
{
    (void)state;
    static double level_db[LINE_MAX];
    static const char *const words[3] = {"wall", "corner", "house"};
    for (int turn = 0; turn < 3 * FREQUENCIES; turn++) {
        static const double size_m[3][2] = {{300.0, 0.5}, {300.0, 300.0}, {12.0, 9.0}};
        const double *size = size_m[turn / FREQUENCIES];
        trial t = open_trial();
        add_box(&t, 0, 0, size[0], size[1], 200);
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.frequency_hz = frequencies_hz[turn % FREQUENCIES];
        t.tx[0] = -0.4 * 50.0;
        t.tx[1] = size[1] - 50.0;
        t.tx[2] = 1.5;
        t.reflections = "1";
        t.diffractions = turn / FREQUENCIES == 1 ? "1" : "2";
        /* the direct ray past the corner (0, size[1]); its shadow lies to the right of it */
        const double along[2] = {0.4 / hypot(0.4, 1.0), 1.0 / hypot(0.4, 1.0)};
        double off_m = fmin(0.2 * sqrt(LIGHT / t.frequency_hz * 40.0), 0.2);
        double lines[2][2][3];
        for (int end = 0; end < 2; end++) {
            double side_m = end == 0 ? -30.0 * off_m : 30.0 * off_m;
            double at_m = end == 0 ? 40.0 : 100.0;
            lines[0][end][0] = along[0] * 60.0 + (end == 0 ? -0.05 : 0.05);
            lines[0][end][1] = along[1] * 60.0 + size[1];
            lines[1][end][0] = along[0] * at_m + side_m * along[1];
            lines[1][end][1] = along[1] * at_m - side_m * along[0] + size[1];
            lines[0][end][2] = lines[1][end][2] = 1.5;
        }
        levels_along(&t, lines[0][0], lines[0][1], 101, level_db);
        double fine_db = largest_step(level_db, 101);
        levels_along(&t, lines[1][0], lines[1][1], 61, level_db);
        double coarse_db = largest_step(level_db, 61);
        print_message("%s, %g MHz: largest step of a millimetre %.3f dB, of a metre %.2f dB from %.1f to %.1f dB\n",
                      words[turn / FREQUENCIES], t.frequency_hz * 1e-6, fine_db, coarse_db, level_db[0], level_db[60]);
        assert_true(fine_db < 0.2);
        assert_true(coarse_db < 3.0);
        assert_true(level_db[60] < level_db[0] - 10.0); /* from light into shadow */
        close_trial(&t);
    }
}

/* A normally distributed number (Box and Muller). */
static double normal(uint64_t at)
{
    return sqrt(-2.0 * log(test_uniform(SEED, 2 * at, 1e-12, 1.0))) *
           cos(2.0 * PI * test_uniform(SEED, 2 * at + 1, 0.0, 1.0));
}

/* A street between two blocks, and the one that crosses it: fields added, their power averaged over places around the
   receiver, is what groups give at one place, but for groups that arrive in nearly the same directions: the mean over
   so few wavelengths still moves up and down with their interference. */
#define CANYON_PLACES 200
static void test_groups_give_the_mean_in_a_canyon(void **state)
{
    (void)state;
    static double points[3 * (CANYON_PLACES + 1)];
    trial t = open_trial();
    add_box(&t, -200, 10, 60, 60, 60);
    add_box(&t, -200, -60, 60, -10, 60);
    add_box(&t, 80, 10, 200, 60, 60);
    add_box(&t, 80, -60, 200, -10, 60);
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.frequency_hz = 2100e6;
    t.tx[0] = -20;
    t.tx[1] = 3;
    t.tx[2] = 1.5;
    t.reflections = "3";
    t.diffractions = "1";
    double wavelength_m = LIGHT / t.frequency_hz;
    double bias_db = 0.0;
    double square_db = 0.0;
    double square_powers_db = 0.0;
    const int links = 24;
    for (int link = 0; link < links; link++) {
        double y = link < 12 ? 12.0 + 2.5 * link : 0.0; /* around the corner; along the street */
        double x = link < 12 ? 66.0 + 0.7 * link : 20.0 + 8.0 * (link - 12);
        for (int i = 0; i <= CANYON_PLACES; i++) {
            uint64_t at = 3 * ((uint64_t)link * CANYON_PLACES + (uint64_t)i);
            points[3 * i] = x + (i > 0 ? EXTENT * wavelength_m * normal(at) : 0.0);
            points[3 * i + 1] = y + (i > 0 ? EXTENT * wavelength_m * normal(at + 1) : 0.0);
            points[3 * i + 2] = 1.5;
        }
        rcity_rays *rays = find(&t, CANYON_PLACES + 1, points);
        rcity_receiver_summary at;
        double mean = 0.0;
        for (int i = 1; i <= CANYON_PLACES; i++) {
            assert_ok(t.context, rcity_rays_get_receiver(rays, i, &at));
            mean += pow(10.0, 0.1 * at.coherent_gain_db) / CANYON_PLACES;
        }
        assert_ok(t.context, rcity_rays_get_receiver(rays, 0, &at));
        double error_db = at.grouped_gain_db - 10.0 * log10(mean);
        double powers_db = at.gain_db - 10.0 * log10(mean);
        bias_db += error_db / links;
        square_db += error_db * error_db / links;
        square_powers_db += powers_db * powers_db / links;
        rcity_rays_destroy(&rays);
    }
    print_message("canyon: groups %+.2f dB in the mean, %.2f dB rms; powers %.2f dB rms\n", bias_db, sqrt(square_db),
                  sqrt(square_powers_db));
    assert_near(bias_db, 0.0, 0.5);
    assert_true(sqrt(square_db) < 1.0 && square_db < square_powers_db);
    close_trial(&t);
}

/* Without edges every path is a group: powers are added. */
static void test_groups_without_edges_add_powers(void **state)
{
    (void)state;
    trial t = open_trial();
    add_box(&t, 0, 0, 60, 20, 15);
    add_box(&t, 0, 45, 60, 60, 15);
    assert_ok(t.context, rcity_scene_commit(t.scene));
    t.tx[0] = 5;
    t.tx[1] = 30;
    t.tx[2] = 6;
    t.reflections = "3";
    t.diffractions = "0";
    t.ground = "on";
    const double point[3] = {50, 35, 1.5};
    rcity_rays *rays = find(&t, 1, point);
    rcity_receiver_summary at;
    assert_ok(t.context, rcity_rays_get_receiver(rays, 0, &at));
    assert_true(at.path_count > 6);
    assert_near(at.grouped_gain_db, at.gain_db, 1e-9);
    assert_near(at.grouped_loss_db, at.loss_db, 1e-9);
    rcity_rays_destroy(&rays);
    close_trial(&t);
}

TEST_SUITE(rays_groups)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_give_the_mean_of_the_exact_wedge),
        cmocka_unit_test(test_groups_make_no_steps),
        cmocka_unit_test(test_groups_give_the_mean_in_a_canyon),
        cmocka_unit_test(test_groups_without_edges_add_powers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
