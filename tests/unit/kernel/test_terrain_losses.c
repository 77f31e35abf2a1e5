/* Profiles cut out of an elevation grid, and the losses over them, against plain versions in double precision. */
#include "rcity_test.h"

#include "kernel/terrain/terrain_loss.h"

#define POINT_MAX    200
#define PROFILES     500
#define EARTH_M      6371e3
#define COLUMN_COUNT 23
#define ROW_COUNT    17

static const uint64_t seed = 41;

/* A random profile: waves and steps, antennas over its ends. */
typedef struct random_profile {
    float height_m[POINT_MAX], cover_m[POINT_MAX];
    rcity_ground_profile profile;
    double tx_z_m, rx_z_m, wavelength_m, curvature_per_m;
} random_profile;

static double uniform(uint64_t i, uint64_t k, double low, double high)
{
    return test_uniform(seed, 1000 * i + k, low, high);
}

static void make_profile(uint64_t i, bool has_cover, random_profile *made)
{
    rcity_ground_profile *profile = &made->profile;
    profile->count = 4 + (rcity_i32)uniform(i, 0, 0.0, POINT_MAX - 4);
    profile->step_m = (float)uniform(i, 1, 5.0, 300.0);
    profile->stride = 1;
    profile->height_m = made->height_m;
    profile->cover_m = has_cover ? made->cover_m : NULL;
    profile->distance_m = NULL;
    double roughness_m = pow(10.0, uniform(i, 2, -1.0, 2.5));
    for (int p = 0; p < profile->count; p++) {
        made->height_m[p] =
            (float)(400.0 + roughness_m * (sin(0.07 * p) + 0.3 * uniform(i, 10 + (uint64_t)p, -1.0, 1.0)));
        made->cover_m[p] = uniform(i, 300 + (uint64_t)p, 0.0, 1.0) < 0.2 ? 20.0f : 0.0f;
    }
    made->cover_m[0] = made->cover_m[profile->count - 1] = 0.0f;
    made->tx_z_m = (double)made->height_m[0] + uniform(i, 3, 1.0, 100.0);
    made->rx_z_m = (double)made->height_m[profile->count - 1] + uniform(i, 4, 1.0, 20.0);
    made->wavelength_m = 0.3 / pow(10.0, uniform(i, 5, -1.0, 1.0));
    made->curvature_per_m = i % 3 == 0 ? 0.0 : 0.75 / EARTH_M;
}

/* J(v), ITU-R P.526-15, equation (31). */
static double plain_j(double v)
{
    return v > -0.78 ? 6.9 + 20.0 * log10(sqrt((v - 0.1) * (v - 0.1) + 1.0) + v - 0.1) : 0.0;
}

static double plain_top(const random_profile *at, int i)
{
    return (double)at->height_m[i] + (at->profile.cover_m != NULL ? (double)at->cover_m[i] : 0.0);
}

/* The largest v between two points; its place in `index`. ITU-R P.526-15, equation (26), over the chord of the effective
   earth. */
static double plain_strongest(const random_profile *at, int from, double from_z, int to, double to_z, int *index)
{
    double most = -100.0;
    double length = (to - from) * (double)at->profile.step_m;
    *index = from;
    for (int i = from + 1; i < to; i++) {
        double a = (i - from) * (double)at->profile.step_m;
        double b = length - a;
        double h = plain_top(at, i) + 0.5 * at->curvature_per_m * a * b - (from_z * b + to_z * a) / length;
        double v = h * sqrt(2.0 * length / (at->wavelength_m * a * b));
        if (v > most) {
            most = v;
            *index = i;
        }
    }
    return most;
}

static double plain_deygout(const random_profile *at)
{
    int last = at->profile.count - 1;
    int top, other;
    double main_db = plain_j(plain_strongest(at, 0, at->tx_z_m, last, at->rx_z_m, &top));
    if (main_db <= 0.0) {
        return 0.0;
    }
    double before_db = plain_j(plain_strongest(at, 0, at->tx_z_m, top, plain_top(at, top), &other));
    double behind_db = plain_j(plain_strongest(at, top, plain_top(at, top), last, at->rx_z_m, &other));
    double km = last * (double)at->profile.step_m * 1e-3;
    return main_db + (1.0 - exp(-main_db / 6.0)) * (before_db + behind_db + 10.0 + 0.04 * km);
}

static void test_edges_against_double_precision(void **state)
{
    (void)state;
    double worst_db = 0.0;
    int hidden_count = 0;
    for (uint64_t i = 0; i < PROFILES; i++) {
        random_profile at;
        make_profile(i, i % 2 == 0, &at);
        int index;
        const rcity_profile_place tx = {0, (float)at.tx_z_m};
        const rcity_profile_place rx = {at.profile.count - 1, (float)at.rx_z_m};
        double v = plain_strongest(&at, 0, at.tx_z_m, at.profile.count - 1, at.rx_z_m, &index);
        rcity_profile_edge edge =
            rcity_profile_edge_find(&at.profile, tx, rx, (float)at.curvature_per_m, (float)at.wavelength_m);
        assert_near(edge.v, v, 1e-3 * fmax(fabs(v), 1.0));
        float deygout_db =
            rcity_deygout_loss_db(&at.profile, tx, rx, edge, (float)at.curvature_per_m, (float)at.wavelength_m);
        assert_near(deygout_db, plain_deygout(&at), 0.01);
        worst_db = fmax(worst_db, fabs((double)deygout_db - plain_deygout(&at)));
        hidden_count += v > 0.0;
    }
    print_message("%d profiles, seed %llu: %d hidden, three edges within %.2g dB of double precision\n", PROFILES,
                  (unsigned long long)seed, hidden_count, worst_db);
    assert_true(hidden_count > PROFILES / 5 && hidden_count < PROFILES);
}

/* An edge on the line costs 6 dB, one far below nothing; between, the loss does not jump. */
static void test_one_edge_grows_without_a_step(void **state)
{
    (void)state;
    float height_m[41] = {0.0f};
    rcity_ground_profile profile = {height_m, NULL, NULL, 1, 41, 50.0f};
    const rcity_profile_place tx = {0, 100.0f};
    const rcity_profile_place rx = {40, 100.0f};
    double before_db[2] = {0.0, 0.0};
    for (int i = 0; i <= 4000; i++) {
        height_m[13] = 0.05f * (float)i;
        rcity_profile_edge edge = rcity_profile_edge_find(&profile, tx, rx, 0.0f, 0.3f);
        double loss_db[2] = {(double)rcity_knife_edge_loss_db(edge.v),
                             (double)rcity_deygout_loss_db(&profile, tx, rx, edge, 0.0f, 0.3f)};
        for (int k = 0; k < 2; k++) {
            assert_true(loss_db[k] >= before_db[k] - 1e-4 && loss_db[k] < before_db[k] + 0.2);
            before_db[k] = loss_db[k];
        }
    }
    height_m[13] = 100.0f;
    assert_near(rcity_knife_edge_loss_db(rcity_profile_edge_find(&profile, tx, rx, 0.0f, 0.3f).v), 6.03, 0.01);
    height_m[13] = 0.0f;
    assert_near(rcity_knife_edge_loss_db(rcity_profile_edge_find(&profile, tx, rx, 0.0f, 0.3f).v), 0.0, 0.0);
    assert_true(before_db[1] > before_db[0] + 9.0); /* the correction of the published construction */
}

/* The mean of a profile between two distances, by many small steps. */
static double plain_mean(const random_profile *at, double from_m, double to_m)
{
    double sum = 0.0;
    enum { STEPS = 20000 };
    for (int i = 0; i < STEPS; i++) {
        double place = (from_m + (i + 0.5) * (to_m - from_m) / STEPS) / (double)at->profile.step_m;
        int p = (int)place < at->profile.count - 2 ? (int)place : at->profile.count - 2;
        double part = place - p;
        sum += (double)at->height_m[p] * (1.0 - part) + (double)at->height_m[p + 1] * part;
    }
    return sum / STEPS;
}

static void test_effective_height(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 60; i++) {
        random_profile at;
        make_profile(i, false, &at);
        double far_m = fmin((at.profile.count - 1) * (double)at.profile.step_m, 15e3);
        double expected_m = at.tx_z_m - plain_mean(&at, 0.2 * far_m, far_m);
        assert_near(rcity_effective_height_m(&at.profile, (float)at.tx_z_m), expected_m,
                    0.01 + 1e-4 * fabs(expected_m));
    }
}

/* Free space up to the break point, 40 dB a decade beyond it. */
static void test_plane_earth(void **state)
{
    (void)state;
    const float wavelength_m = 0.3f;
    double break_m = 4.0 * 3.14159265358979 * 30.0 * 2.0 / (double)wavelength_m;
    for (double d = 10.0; d < 1e5; d *= 1.3) {
        rcity_link link = rcity_link_make((float)d, 0.0f, 28.0f, 30.0f, 2.0f);
        double slant_m = hypot(d, 28.0);
        double free_db = 20.0 * log10(4.0 * 3.14159265358979 * slant_m / (double)wavelength_m);
        double far_db = 40.0 * log10(slant_m) - 20.0 * log10(60.0);
        assert_near(rcity_plane_earth_loss_db(link, wavelength_m), slant_m < break_m ? free_db : far_db, 1e-3);
    }
}

/* Heights of a grid as the scene defines them: two triangles a cell, the border's height beyond the border. */
static double plain_height(const float *node_m, double column, double row)
{
    column = fmin(fmax(column, 0.0), COLUMN_COUNT - 1.0);
    row = fmin(fmax(row, 0.0), ROW_COUNT - 1.0);
    int c = (int)fmin(column, COLUMN_COUNT - 2.0);
    int r = (int)fmin(row, ROW_COUNT - 2.0);
    double x = column - c;
    double y = row - r;
    double sw = (double)node_m[r * COLUMN_COUNT + c];
    double se = (double)node_m[r * COLUMN_COUNT + c + 1];
    double nw = (double)node_m[(r + 1) * COLUMN_COUNT + c];
    double ne = (double)node_m[(r + 1) * COLUMN_COUNT + c + 1];
    return x >= y ? sw + (se - sw) * x + (ne - se) * y : sw + (nw - sw) * y + (ne - nw) * x;
}

static void test_profiles_of_a_grid(void **state)
{
    (void)state;
    static float node_m[COLUMN_COUNT * ROW_COUNT], height_m[RCITY_GROUND_PROFILE_MAX],
        cover_m[RCITY_GROUND_PROFILE_MAX];
    for (uint64_t i = 0; i < COLUMN_COUNT * ROW_COUNT; i++) {
        node_m[i] = (float)test_uniform(seed, i, 100.0, 400.0);
    }
    for (uint64_t i = 0; i < 300; i++) {
        double tx_column = uniform(i, 900, -3.0, COLUMN_COUNT + 3.0);
        double tx_row = uniform(i, 901, -3.0, ROW_COUNT + 3.0);
        const double cell_m = 30.0;
        const rcity_ground_grid ground = {COLUMN_COUNT, ROW_COUNT, 1.0f / 30.0f, (float)tx_column, (float)tx_row, 0};
        const rcity_ground_grid none = {0, 0, 0.0f, 0.0f, 0.0f, 0};
        double east_m = uniform(i, 902, -600.0, 600.0);
        double north_m = uniform(i, 903, -600.0, 600.0);
        rcity_link link = rcity_link_make((float)east_m, (float)north_m, 0.0f, 10.0f, 1.5f);
        double step_m = uniform(i, 904, 1.0, 90.0);
        rcity_ground_profile profile = rcity_ground_profile_fill(&ground, node_m, i % 2 == 0 ? &none : &ground, node_m,
                                                                 &link, (float)step_m, 1, height_m, cover_m);
        double plan_m = hypot(east_m, north_m);
        assert_true(profile.count >= RCITY_GROUND_PROFILE_MIN && (double)profile.step_m <= step_m * 1.0001);
        assert_near(profile.step_m * (float)(profile.count - 1), plan_m, 1e-3);
        for (int p = 0; p < profile.count; p++) {
            double part = (double)p / (profile.count - 1);
            double expected_m =
                plain_height(node_m, tx_column + part * east_m / cell_m, tx_row + part * north_m / cell_m);
            assert_near(profile.height_m[p], expected_m, 0.01);
        }
        assert_true((profile.cover_m != NULL) == (i % 2 != 0));
        assert_near(rcity_ground_profile_cover_m(&profile, 0), 0.0, 0.0);
        assert_near(rcity_ground_profile_cover_m(&profile, profile.count - 1), 0.0, 0.0);
    }
}

TEST_SUITE(terrain_losses)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges_against_double_precision),
        cmocka_unit_test(test_one_edge_grows_without_a_step),
        cmocka_unit_test(test_effective_height),
        cmocka_unit_test(test_plane_earth),
        cmocka_unit_test(test_profiles_of_a_grid),
    };
    return cmocka_run_group_tests_name("terrain_losses", tests, NULL, NULL);
}
