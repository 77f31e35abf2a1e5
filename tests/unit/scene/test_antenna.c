/* Antenna patterns: analytic values, an implementation in double as the oracle, mounting, bad input. */
#include "rcity_test.h"

#include "scene/antenna_data.h"

#define RAD_PER_DEG (acos(-1.0) / 180.0)

static rcity_antenna *built_in(rcity_context *context, const char *name)
{
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_create(context, name, &antenna));
    return antenna;
}

/* Two cuts of a made-up panel: 65 degrees wide, 10 degrees high, a tilt, side lobes; they agree where they meet. */
static rcity_antenna_cuts panel_cuts(double tilt_deg)
{
    rcity_antenna_cuts cuts;
    memset(&cuts, 0, sizeof cuts);
    cuts.name = "panel";
    cuts.gain_dbi = 17.0;
    cuts.electrical_tilt_deg = (double)NAN;
    cuts.frequency_hz = 1.8e9;
    for (int degree = 0; degree < 360; degree++) {
        double azimuth_deg = degree <= 180 ? degree : degree - 360;
        double off_deg = fabs(remainder(degree - tilt_deg, 360.0));
        double lobe_db = 12.0 * pow(off_deg / 10.0, 2.0);
        double side_db = 18.0 + 4.0 * cos(degree * 0.3) + 8.0 * off_deg / 180.0;
        cuts.horizontal_loss_db[degree] = (float)fmin(12.0 * pow(azimuth_deg / 65.0, 2.0), 27.0 + 0.01 * azimuth_deg);
        cuts.vertical_loss_db[degree] = (float)fmin(lobe_db, side_db);
    }
    cuts.horizontal_loss_db[180] = cuts.vertical_loss_db[180 - (int)tilt_deg];
    return cuts;
}

static rcity_antenna *from_cuts(rcity_context *context, const rcity_antenna_cuts *cuts)
{
    rcity_antenna *antenna = NULL;
    assert_ok(context, rcity_antenna_create_from_cuts(context, cuts, &antenna));
    return antenna;
}

static double cut_at(const float *cut, double angle_deg)
{
    double turned_deg = fmod(fmod(angle_deg, 360.0) + 360.0, 360.0);
    int below = (int)floor(turned_deg) % 360;
    double share = turned_deg - floor(turned_deg);
    return (1.0 - share) * (double)cut[below] + share * (double)cut[(below + 1) % 360];
}

/* The same patterns in double, written from the sources and not from the kernel. */
static double oracle_gain_dbi(const char *kind, const rcity_antenna_cuts *cuts, double peak_deg, double extra_tilt_deg,
                              double azimuth_deg, double elevation_deg)
{
    double seen_deg = fmax(-90.0, fmin(90.0, elevation_deg + extra_tilt_deg));
    if (strcmp(kind, "dipole") == 0) {
        double zenith_rad = (90.0 - seen_deg) * RAD_PER_DEG;
        if (fabs(seen_deg) == 90.0) {
            return 2.15 - 100.0;
        }
        double field = cos(acos(-1.0) / 2.0 * cos(zenith_rad)) / sin(zenith_rad);
        return 2.15 + fmax(20.0 * log10(fabs(field)), -100.0);
    }
    if (strcmp(kind, "3gpp") == 0) {
        double zenith_deg = 90.0 - seen_deg;
        double vertical_db = -fmin(12.0 * pow((zenith_deg - 90.0) / 65.0, 2.0), 30.0);
        double horizontal_db = -fmin(12.0 * pow(azimuth_deg / 65.0, 2.0), 30.0);
        return 8.0 - fmin(-(vertical_db + horizontal_db), 30.0);
    }
    const float *h = cuts->horizontal_loss_db;
    const float *v = cuts->vertical_loss_db;
    double loss_db;
    if (strcmp(kind, "sum") == 0) {
        loss_db = cut_at(h, azimuth_deg) + cut_at(v, -seen_deg);
    } else {
        double share = fabs(azimuth_deg) / 180.0;
        loss_db = cut_at(h, azimuth_deg) - (1.0 - share) * (cut_at(v, peak_deg) - cut_at(v, -seen_deg)) -
                  share * (cut_at(v, 180.0 - peak_deg) - cut_at(v, 180.0 + seen_deg));
    }
    return cuts->gain_dbi - fmax(0.0, fmin(100.0, loss_db));
}

static void test_built_in(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna *antenna = built_in(context, "isotropic");
    rcity_antenna_info info;
    rcity_antenna_describe(antenna, &info);
    assert_string_equal(info.name, "isotropic");
    assert_string_equal(info.kind, "isotropic");
    assert_near(info.gain_dbi, 0.0, 0.0);
    assert_near(info.horizontal_width_deg, 360.0, 0.0);
    assert_near(info.vertical_width_deg, 360.0, 0.0);
    assert_near(info.front_to_back_db, 0.0, 0.0);
    assert_true(isnan(info.frequency_hz));
    assert_near(rcity_antenna_gain_dbi(antenna, 7.0, 33.0, -44.0), 0.0, 0.0);
    rcity_antenna_destroy(&antenna);

    antenna = built_in(context, "dipole");
    rcity_antenna_describe(antenna, &info);
    assert_near(info.gain_dbi, 2.15, 0.0);
    assert_near(info.horizontal_width_deg, 360.0, 0.0);
    assert_near(info.vertical_width_deg, 78.0, 0.1); /* textbooks: 78 degrees */
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 123.0, 0.0), 2.15, 1e-6);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, 90.0), 2.15 - 100.0,
                1e-4); /* the nulls have a floor */
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, -90.0), 2.15 - 100.0, 1e-4);
    /* 45 degrees: cos(pi/2 cos 45) / sin 45 = 0.627933 */
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, 45.0), 2.15 + 20.0 * log10(0.62793322), 1e-4);
    rcity_antenna_destroy(&antenna);

    antenna = built_in(context, "3gpp");
    rcity_antenna_describe(antenna, &info);
    assert_near(info.gain_dbi, 8.0, 0.0);
    assert_near(info.horizontal_width_deg, 65.0, 0.01);
    assert_near(info.vertical_width_deg, 65.0, 0.01);
    assert_near(info.front_to_back_db, 30.0, 1e-5);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 32.5, 0.0), 5.0, 1e-5);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, -32.5), 5.0, 1e-5);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 32.5, 32.5), 2.0, 1e-5);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 180.0, 0.0), -22.0, 1e-5);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 180.0, 80.0), -22.0, 1e-5);
    rcity_antenna_destroy(&antenna);
    assert_null(antenna);
    rcity_antenna_destroy(&antenna);
    rcity_antenna_destroy(NULL);
    assert_status(context, rcity_antenna_create(context, "yagi", &antenna), RCITY_ERR_ARGUMENT);
    assert_message(context, "'yagi'; there are isotropic, dipole and 3gpp");
    rcity_context_destroy(&context);
}

/* A lossless antenna spreads what it gets: the mean of its gain over the sphere is 1. */
static void test_mean_gain_over_the_sphere_is_one(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna *antenna = built_in(context, "dipole");
    double sum = 0.0;
    double weight = 0.0;
    for (double elevation_deg = -89.75; elevation_deg < 90.0; elevation_deg += 0.5) {
        double share = cos(elevation_deg * RAD_PER_DEG);
        sum += share * pow(10.0, 0.1 * rcity_antenna_gain_dbi(antenna, (double)NAN, 17.0, elevation_deg));
        weight += share;
    }
    assert_near(sum / weight, 1.0, 0.01);
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

/* Both cuts come back as they went in. */
static void test_gain_along_the_cuts_is_kept(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int tilt_deg = -5; tilt_deg <= 10; tilt_deg += 5) {
        rcity_antenna_cuts cuts = panel_cuts(tilt_deg);
        rcity_antenna *antenna = from_cuts(context, &cuts);
        rcity_antenna_info info;
        rcity_antenna_describe(antenna, &info);
        assert_string_equal(info.kind, "cuts");
        assert_near(info.electrical_tilt_deg, tilt_deg, 1e-9);
        assert_near(info.frequency_hz, 1.8e9, 0.0);
        assert_near(info.horizontal_width_deg, 65.0, 0.1);
        assert_near(info.vertical_width_deg, 10.0, 0.1);
        assert_near(info.front_to_back_db, (double)cuts.horizontal_loss_db[180], 1e-4);
        for (int degree = 0; degree < 360; degree++) {
            double horizontal_dbi = rcity_antenna_gain_dbi(antenna, (double)NAN, degree, -tilt_deg);
            double vertical_dbi = rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, -degree); /* over the poles */
            assert_near(horizontal_dbi, 17.0 - (double)cuts.horizontal_loss_db[degree], 2e-4);
            assert_near(vertical_dbi, 17.0 - (double)cuts.vertical_loss_db[degree], 2e-4);
        }
        rcity_antenna_destroy(&antenna);
    }
    /* between whole degrees values lie between */
    rcity_antenna_cuts cuts = panel_cuts(0.0);
    rcity_antenna *antenna = from_cuts(context, &cuts);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 40.25, 0.0),
                17.0 - 0.75 * (double)cuts.horizontal_loss_db[40] - 0.25 * (double)cuts.horizontal_loss_db[41], 2e-4);
    rcity_antenna_destroy(&antenna);
    /* where the cuts contradict each other, the horizontal one is kept and the back of the vertical one is moved */
    cuts.horizontal_loss_db[180] += 5.0f;
    antenna = from_cuts(context, &cuts);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 180.0, 0.0), 17.0 - (double)cuts.horizontal_loss_db[180],
                2e-4);
    assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, 0.0, -150.0),
                17.0 - 5.0 - (double)cuts.vertical_loss_db[150], 2e-4);
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

static void test_sum_synthesis_adds_both_losses(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna_cuts cuts = panel_cuts(0.0);
    cuts.synthesis = RCITY_SYNTHESIS_SUM;
    rcity_antenna *antenna = from_cuts(context, &cuts);
    for (int degree = -90; degree <= 90; degree += 15) {
        double expected_db = (double)cuts.horizontal_loss_db[(degree + 360) % 360] +
                             (double)cuts.vertical_loss_db[(degree / 3 + 360) % 360];
        assert_near(rcity_antenna_gain_dbi(antenna, (double)NAN, degree, -degree / 3), 17.0 - expected_db, 2e-4);
    }
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

/* Where a direction of the antenna's own frame points in the world, by its three axes there. */
static rcity_vec3 world_direction(double looks_deg, double leans_deg, double azimuth_deg, double elevation_deg,
                                  double length)
{
    double sin_looks = sin(looks_deg * RAD_PER_DEG);
    double cos_looks = cos(looks_deg * RAD_PER_DEG);
    double sin_leans = sin(leans_deg * RAD_PER_DEG);
    double cos_leans = cos(leans_deg * RAD_PER_DEG);
    const double front[3] = {cos_leans * sin_looks, cos_leans * cos_looks, -sin_leans};
    const double right[3] = {cos_looks, -sin_looks, 0.0};
    const double up[3] = {sin_leans * sin_looks, sin_leans * cos_looks, cos_leans};
    double xyz[3];
    for (int i = 0; i < 3; i++) {
        xyz[i] = length * (cos(elevation_deg * RAD_PER_DEG) *
                               (cos(azimuth_deg * RAD_PER_DEG) * front[i] + sin(azimuth_deg * RAD_PER_DEG) * right[i]) +
                           sin(elevation_deg * RAD_PER_DEG) * up[i]);
    }
    rcity_vec3 direction = {(float)xyz[0], (float)xyz[1], (float)xyz[2]};
    return direction;
}

/* All kinds against the oracle in double, in random directions, through the direction vector a prediction uses. */
static void test_against_oracle(void **state)
{
    (void)state;
    const uint64_t seed = 20240;
    print_message("seed %llu\n", (unsigned long long)seed);
    rcity_context *context = test_context(1);
    static const char *const kinds[] = {"dipole", "3gpp", "projection", "sum"};
    rcity_antenna_cuts cuts = panel_cuts(6.0);
    uint64_t at = 0;
    for (int kind = 0; kind < 4; kind++) {
        cuts.synthesis = kind == 3 ? RCITY_SYNTHESIS_SUM : RCITY_SYNTHESIS_PROJECTION;
        rcity_antenna *antenna = kind < 2 ? built_in(context, kinds[kind]) : from_cuts(context, &cuts);
        double contained_deg = kind < 2 ? 0.0 : 6.0;
        double worst_db = 0.0;
        for (int i = 0; i < 5000; i++) {
            double azimuth_deg = test_uniform(seed, at++, -180.0, 180.0);
            double elevation_deg = test_uniform(seed, at++, -89.9, 89.9);
            double tilt_deg = test_uniform(seed, at++, -10.0, 10.0);
            double looks_deg = test_uniform(seed, at++, -360.0, 360.0);
            double leans_deg = test_uniform(seed, at++, -90.0, 90.0);
            double length = pow(10.0, test_uniform(seed, at++, -2.0, 5.0));
            rcity_antenna_job job;
            int64_t count;
            const float *table = rcity_antenna_table(antenna, &count);
            rcity_antenna_mount(antenna, looks_deg * RAD_PER_DEG, leans_deg * RAD_PER_DEG, tilt_deg * RAD_PER_DEG,
                                &job);
            rcity_vec3 direction = world_direction(looks_deg, leans_deg, azimuth_deg, elevation_deg, length);
            double expected_dbi =
                oracle_gain_dbi(kinds[kind], &cuts, 6.0, tilt_deg - contained_deg, azimuth_deg, elevation_deg);
            double gain_dbi = (double)rcity_antenna_gain(job, table, direction);
            double direct_dbi = rcity_antenna_gain_dbi(antenna, tilt_deg, azimuth_deg, elevation_deg);
            /* the null of a dipole is steep: deep in it a float's last bit of the angle shows */
            double tolerance_db = expected_dbi > (double)job.gain_dbi - 60.0 ? 2e-3 : 0.05;
            worst_db = fmax(worst_db, tolerance_db < 0.05 ? fabs(gain_dbi - expected_dbi) : 0.0);
            assert_near(gain_dbi, expected_dbi, tolerance_db);
            assert_near(direct_dbi, expected_dbi, tolerance_db);
            assert_true(gain_dbi <= (double)job.gain_dbi && gain_dbi >= (double)job.gain_dbi - 100.001);
        }
        print_message("%s: float differs from double by at most %.2g dB within 60 dB of the strongest\n", kinds[kind],
                      worst_db);
        rcity_antenna_destroy(&antenna);
    }
    rcity_context_destroy(&context);
}

static double mounted_gain_dbi(const rcity_antenna *antenna, const double mounting_deg[3], double azimuth_deg,
                               double elevation_deg)
{
    rcity_antenna_job job;
    int64_t count;
    const float *table = rcity_antenna_table(antenna, &count);
    rcity_antenna_mount(antenna, mounting_deg[0] * RAD_PER_DEG, mounting_deg[1] * RAD_PER_DEG,
                        mounting_deg[2] * RAD_PER_DEG, &job);
    double level = 100.0 * cos(elevation_deg * RAD_PER_DEG);
    rcity_vec3 direction = {(float)(level * sin(azimuth_deg * RAD_PER_DEG)),
                            (float)(level * cos(azimuth_deg * RAD_PER_DEG)),
                            (float)(100.0 * sin(elevation_deg * RAD_PER_DEG))};
    return (double)rcity_antenna_gain(job, table, direction);
}

/* Turning the antenna by an azimuth turns the pattern clockwise by as much. */
static void test_azimuth_turns_the_pattern_clockwise(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna_cuts cuts = panel_cuts(4.0);
    rcity_antenna *antenna = from_cuts(context, &cuts);
    const double ahead_deg[3] = {0.0, 3.0, (double)NAN};
    for (int azimuth_deg = -360; azimuth_deg <= 360; azimuth_deg += 30) {
        const double turned_deg[3] = {azimuth_deg, 3.0, (double)NAN};
        for (int direction_deg = 0; direction_deg < 360; direction_deg += 7) {
            assert_near(mounted_gain_dbi(antenna, turned_deg, azimuth_deg + direction_deg, -5.0),
                        mounted_gain_dbi(antenna, ahead_deg, direction_deg, -5.0), 1e-3);
        }
    }
    /* east is 90 */
    const double east_deg[3] = {90.0, 0.0, (double)NAN};
    assert_near(mounted_gain_dbi(antenna, east_deg, 90.0, -4.0), 17.0, 1e-3);
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

/* Mechanical tilt: the front goes down, the back goes up, the sides stay. Electrical tilt: all sides go down. */
static void test_tilts_lower_the_pattern(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna_cuts cuts = panel_cuts(0.0);
    for (int degree = 91; degree < 270; degree++) { /* a back lobe at the horizon behind */
        cuts.vertical_loss_db[degree] = (float)(20.0 + 12.0 * pow((degree - 180) / 20.0, 2.0) / 12.0);
    }
    cuts.horizontal_loss_db[180] = 20.0f;
    rcity_antenna *antenna = from_cuts(context, &cuts);
    const double level_deg[3] = {40.0, 0.0, 0.0};
    const double mechanical_deg[3] = {40.0, 10.0, 0.0};
    const double electrical_deg[3] = {40.0, 0.0, 10.0};
    assert_near(mounted_gain_dbi(antenna, mechanical_deg, 40.0, -10.0), 17.0, 1e-3);
    assert_near(mounted_gain_dbi(antenna, mechanical_deg, 40.0, 0.0), mounted_gain_dbi(antenna, level_deg, 40.0, 10.0),
                1e-3);
    assert_near(mounted_gain_dbi(antenna, mechanical_deg, 220.0, 10.0), -3.0, 1e-3);
    assert_near(mounted_gain_dbi(antenna, mechanical_deg, 130.0, 0.0), mounted_gain_dbi(antenna, level_deg, 130.0, 0.0),
                1e-3);
    for (int azimuth_deg = 0; azimuth_deg < 360; azimuth_deg += 20) {
        for (int elevation_deg = -80; elevation_deg <= 70; elevation_deg += 10) {
            assert_near(mounted_gain_dbi(antenna, electrical_deg, azimuth_deg, elevation_deg),
                        mounted_gain_dbi(antenna, level_deg, azimuth_deg, elevation_deg + 10), 1e-3);
        }
    }
    rcity_antenna_destroy(&antenna);
    /* what a pattern contains is not added again */
    cuts = panel_cuts(6.0);
    antenna = from_cuts(context, &cuts);
    for (int elevation_deg = -40; elevation_deg <= 40; elevation_deg += 5) {
        assert_near(rcity_antenna_gain_dbi(antenna, 6.0, 20.0, elevation_deg),
                    rcity_antenna_gain_dbi(antenna, (double)NAN, 20.0, elevation_deg), 1e-4);
        assert_near(rcity_antenna_gain_dbi(antenna, 8.0, 20.0, elevation_deg - 2),
                    rcity_antenna_gain_dbi(antenna, (double)NAN, 20.0, elevation_deg), 1e-3);
    }
    rcity_antenna_destroy(&antenna);
    /* a stated tilt counts, wherever the cut is strongest */
    cuts.electrical_tilt_deg = 5.0;
    antenna = from_cuts(context, &cuts);
    assert_near(rcity_antenna_gain_dbi(antenna, 5.0, 0.0, -6.0), 17.0, 1e-4);
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

/* A symmetric antenna stays symmetric however it leans. */
static void test_symmetric_antenna_stays_symmetric_when_tilted(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_antenna_cuts cuts = panel_cuts(3.0);
    for (int degree = 181; degree < 360; degree++) {
        cuts.horizontal_loss_db[degree] = cuts.horizontal_loss_db[360 - degree];
    }
    rcity_antenna *antenna = from_cuts(context, &cuts);
    const double mounting_deg[3] = {0.0, 8.0, 5.0};
    for (int azimuth_deg = 0; azimuth_deg <= 180; azimuth_deg += 9) {
        for (int elevation_deg = -85; elevation_deg <= 85; elevation_deg += 17) {
            assert_near(mounted_gain_dbi(antenna, mounting_deg, azimuth_deg, elevation_deg),
                        mounted_gain_dbi(antenna, mounting_deg, -azimuth_deg, elevation_deg), 1e-3);
        }
    }
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

static void test_round_antennas_are_recognized(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    assert_true(rcity_antenna_is_round(NULL, 0.3));
    int64_t count = 0;
    assert_non_null(rcity_antenna_table(NULL, &count));
    assert_int_equal(count, 1);
    rcity_antenna_job job;
    rcity_antenna_mount(NULL, 1.0, 0.2, 0.1, &job);
    rcity_vec3 up = {0.0f, 0.0f, 1.0f};
    rcity_vec3 nowhere = {0.0f, 0.0f, 0.0f};
    assert_near((double)rcity_antenna_gain(job, rcity_antenna_table(NULL, &count), up), 0.0, 0.0);
    rcity_antenna *antenna = built_in(context, "isotropic");
    assert_true(rcity_antenna_is_round(antenna, 0.3));
    rcity_antenna_destroy(&antenna);
    antenna = built_in(context, "dipole");
    assert_true(rcity_antenna_is_round(antenna, 0.0));
    assert_false(rcity_antenna_is_round(antenna, 0.1));
    rcity_antenna_destroy(&antenna);
    antenna = built_in(context, "3gpp");
    assert_false(rcity_antenna_is_round(antenna, 0.0));
    rcity_antenna_mount(antenna, 1.0, 0.2, 0.1, &job);
    assert_near((double)rcity_antenna_gain(job, rcity_antenna_table(antenna, &count), nowhere), 8.0, 0.0);
    rcity_antenna_destroy(&antenna);
    /* an omni: flat around, the same in front and behind */
    rcity_antenna_cuts cuts = panel_cuts(0.0);
    antenna = from_cuts(context, &cuts);
    assert_false(rcity_antenna_is_round(antenna, 0.0));
    rcity_antenna_destroy(&antenna);
    for (int degree = 0; degree < 360; degree++) {
        cuts.horizontal_loss_db[degree] = 0.0f;
        cuts.vertical_loss_db[degree] = (float)(20.0 * fabs(sin(degree * RAD_PER_DEG)));
    }
    for (int degree = 0; degree < 90; degree++) { /* the same bits in front and behind */
        cuts.vertical_loss_db[180 - degree] = cuts.vertical_loss_db[degree];
        cuts.vertical_loss_db[180 + degree] = cuts.vertical_loss_db[(360 - degree) % 360];
    }
    antenna = from_cuts(context, &cuts);
    assert_true(rcity_antenna_is_round(antenna, 0.0));
    assert_false(rcity_antenna_is_round(antenna, 0.01));
    rcity_antenna_info info;
    rcity_antenna_describe(antenna, &info);
    assert_near(info.electrical_tilt_deg, 0.0, 0.0);
    assert_near(info.horizontal_width_deg, 360.0, 0.0);
    assert_near(rcity_antenna_gain_dbi(antenna, 4.0, 77.0, -34.0), 17.0 - 20.0 * 0.5,
                1e-3); /* tilted by 4 all around */
    rcity_antenna_destroy(&antenna);
    rcity_context_destroy(&context);
}

static void test_bad_cuts(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const struct {
        int field;
        double value;
        const char *message;
    } cases[] = {
        {0, 61.0, "gain is 61 dBi, must be within 60"},
        {0, (double)NAN, "gain is nan dBi"},
        {1, 91.0, "electrical tilt is 91 degrees"},
        {2, -1.0, "frequency is -1 Hz"},
        {3, -0.5, "horizontal cut has a loss of -0.5 dB at 77 degrees"},
        {4, (double)NAN, "vertical cut has a loss of nan dB at 77 degrees"},
        {4, HUGE_VAL, "vertical cut has a loss of inf dB at 77 degrees"},
        {5, 2.0, "horizontal cut is nowhere strongest: its least loss is 2 dB"},
        {6, 7.0, "synthesis of a pattern is 7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_antenna_cuts cuts = panel_cuts(0.0);
        double value = cases[i].value;
        switch (cases[i].field) {
        case 0:
            cuts.gain_dbi = value;
            break;
        case 1:
            cuts.electrical_tilt_deg = value;
            break;
        case 2:
            cuts.frequency_hz = value;
            break;
        case 3:
            cuts.horizontal_loss_db[77] = (float)value;
            break;
        case 4:
            cuts.vertical_loss_db[77] = (float)value;
            break;
        case 5:
            for (int degree = 0; degree < 360; degree++) {
                cuts.horizontal_loss_db[degree] += (float)value;
            }
            break;
        default:
            cuts.synthesis = (rcity_antenna_synthesis)value;
            break;
        }
        rcity_antenna *antenna = NULL;
        assert_status(context, rcity_antenna_create_from_cuts(context, &cuts, &antenna), RCITY_ERR_ARGUMENT);
        assert_message(context, cases[i].message);
        assert_null(antenna);
    }
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_no_memory(void **state)
{
    (void)state;
    rcity_antenna_cuts cuts = panel_cuts(0.0);
    for (long n = 1; n <= 3; n++) {
        failing_allocator failing = {.fail_at = n};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_antenna *antenna = NULL;
        assert_status(context, rcity_antenna_create_from_cuts(context, &cuts, &antenna),
                      n <= 2 ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(antenna == NULL, n <= 2);
        rcity_antenna_destroy(&antenna);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
}

TEST_SUITE(antenna)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_mean_gain_over_the_sphere_is_one),
        cmocka_unit_test(test_gain_along_the_cuts_is_kept),
        cmocka_unit_test(test_sum_synthesis_adds_both_losses),
        cmocka_unit_test(test_against_oracle),
        cmocka_unit_test(test_azimuth_turns_the_pattern_clockwise),
        cmocka_unit_test(test_tilts_lower_the_pattern),
        cmocka_unit_test(test_symmetric_antenna_stays_symmetric_when_tilted),
        cmocka_unit_test(test_round_antennas_are_recognized),
        cmocka_unit_test(test_bad_cuts),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("antenna", tests, NULL, NULL);
}
