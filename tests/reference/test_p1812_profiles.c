/* The knife edge against the published examples of ITU-R P.1812-6: terrain profiles whose Bullington loss is printed
   among the intermediate values. Not committed; RADIOCITY_DATA names the folder that holds p1812/. */
#define RCITY_REAL_IS_DOUBLE

#include "rcity_test.h"

#include "kernel/wave/knife_edge.h"

#define POINT_MAX   4096
#define LIGHT_M_GHZ 0.2998 /* as the examples have it: the true one moves them by 0.0001 dB */

typedef struct profile {
    int count;
    double distance_km[POINT_MAX];
    double height_m[POINT_MAX]; /* ground and, between the ends, what stands on it */
} profile;

static FILE *open_data(const char *kind, const char *name)
{
    char file[256];
    snprintf(file, sizeof file, "p1812/validation_%s__%s.csv", kind, name);
    const char *path = test_data(file);
    FILE *opened = path != NULL ? fopen(path, "r") : NULL;
    if (opened == NULL) {
        fail();
    }
    return opened;
}

static void read_profile(const char *name, profile *read)
{
    FILE *file = open_data("profiles", name);
    char line[1024];
    bool is_inside = false;
    read->count = 0;
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, "{End of Profile", 15) != 0) {
        double clutter_m = 0.0;
        is_inside = is_inside || strncmp(line, "{Begin of Profile", 17) == 0;
        if (is_inside && read->count < POINT_MAX &&
            sscanf(line, "%lf,%lf,%*f,%lf", &read->distance_km[read->count], &read->height_m[read->count],
                   &clutter_m) >= 2) {
            read->height_m[read->count] += read->count > 0 ? clutter_m : 0.0;
            read->count++;
        }
    }
    fclose(file);
    assert_true(read->count > 2);
}

/* The value behind a name in the list of results. */
static double result(FILE *file, const char *name)
{
    char line[1024];
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *value = line;
        if (strncmp(line, name, strlen(name)) == 0) {
            for (int comma = 0; comma < 3; comma++) {
                value = strchr(value, ',') + 1;
            }
            return strtod(value, NULL);
        }
    }
    print_error("no %s among the results\n", name);
    fail();
    return 0.0;
}

/* What the construction needs: the profile, its ends in metres above sea, the bulge of the Earth. */
typedef struct bullington {
    const profile *ground;
    double tx_m, rx_m, earth_km, wavelength_m;
} bullington;

static double over_sea_m(const bullington *path, int i)
{
    double d = path->ground->distance_km[path->ground->count - 1];
    double x = path->ground->distance_km[i];
    return path->ground->height_m[i] + 500.0 * x * (d - x) / path->earth_km;
}

/* P.1812-6, section 4.3.1: the steepest lines from both ends meet at the one edge that stands for all (equations 13 to
   20); with sight, the worst point does. The kernel gives v and J(v). */
static double bullington_edge_db(const bullington *path)
{
    const profile *ground = path->ground;
    double d = ground->distance_km[ground->count - 1];
    double up = -HUGE_VAL, down = -HUGE_VAL, worst_v = -HUGE_VAL;
    for (int i = 1; i < ground->count - 1; i++) {
        double x = ground->distance_km[i];
        double z_m = over_sea_m(path, i);
        up = fmax(up, (z_m - path->tx_m) / x);
        down = fmax(down, (z_m - path->rx_m) / (d - x));
        double over_m = z_m - (path->tx_m * (d - x) + path->rx_m * x) / d;
        worst_v = fmax(worst_v, rcity_knife_edge_parameter(over_m, 1e3 * x, 1e3 * (d - x), path->wavelength_m));
    }
    if (up >= (path->rx_m - path->tx_m) / d) {
        double x = (path->rx_m - path->tx_m + down * d) / (up + down);
        double over_m = path->tx_m + up * x - (path->tx_m * (d - x) + path->rx_m * x) / d;
        worst_v = rcity_knife_edge_parameter(over_m, 1e3 * x, 1e3 * (d - x), path->wavelength_m);
    }
    return rcity_knife_edge_loss_db(worst_v);
}

static void check_case(const char *name, int number)
{
    static profile ground;
    char numbered[128];
    snprintf(numbered, sizeof numbered, "%s_%d", name, number);
    FILE *results = open_data("results", numbered);
    read_profile(name, &ground);
    bullington path = {.ground = &ground,
                       .tx_m = result(results, "hts (m)"),
                       .rx_m = result(results, "hrs (m)"),
                       .earth_km = result(results, "ae (km)"),
                       .wavelength_m = LIGHT_M_GHZ / result(results, "f (GHz)")};
    double edge_db = bullington_edge_db(&path);
    /* equation (21): what the profile adds to the edge */
    double loss_db = edge_db + (1.0 - exp(-edge_db / 6.0)) * (10.0 + 0.02 * ground.distance_km[ground.count - 1]);
    double published_db = result(results, "Lbulla (dB)");
    fclose(results);
    print_message("%s: %.6f dB, published %.6f dB\n", numbered, loss_db, published_db);
    assert_near(loss_db, published_db, 2e-5);
}

static void test_bullington_loss_matches_published_profiles(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int case_count;
    } sets[] = {{"rburg", 1},
                {"b2iseac", 1},
                {"rburg_rural_noclutter", 1},
                {"rburg_rural_noclutter_los", 1},
                {"rburg_rural_noclutter_los_subpath_diffraction", 1},
                {"rburg_rural_with_clutter", 1},
                {"rburg_urban_with_clutter", 6}};
    int checked = 0;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        for (int number = 1; number <= sets[i].case_count; number++) {
            check_case(sets[i].name, number);
            checked++;
        }
    }
    print_message("%d published profiles\n", checked);
}

TEST_SUITE(p1812_profiles)
{
    if (test_data("p1812") == NULL) {
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bullington_loss_matches_published_profiles)};
    return cmocka_run_group_tests_name("P.1812 profiles", tests, NULL, NULL);
}
