/* Reads the reference files and holds the library against them. */
#include "rcity_test.h"

#include "kernel/building_entry.h"
#include "kernel/free_space.h"
#include "kernel/hata.h"
#include "kernel/log_distance.h"
#include "kernel/tr38901.h"
#include "kernel/walfisch_ikegami.h"
#include "method/empirical/p1411.h"

#include "reference.h"

#define WORD_MAX    32
#define RAD_PER_DEG 0.017453292519943295

double input(const inputs *given, const char *key)
{
    for (int i = given->count - 1; i >= 0; i--) {
        if (strcmp(given->key[i], key) == 0) {
            return given->value[i];
        }
    }
    print_error("the case has no %s\n", key);
    fail();
    return 0.0;
}

static double free_space_loss_db(const inputs *given)
{
    float wavelength_m = (float)((double)RCITY_LIGHT_M_PER_S / input(given, "frequency_hz"));
    return (double)rcity_free_space_loss_db((float)input(given, "distance_m"), wavelength_m);
}

bool has_input(const inputs *given, const char *key)
{
    bool is_found = false;
    for (int i = 0; i < given->count; i++) {
        is_found = is_found || strcmp(given->key[i], key) == 0;
    }
    return is_found;
}

static float input_float(const inputs *given, const char *key)
{
    return (float)input(given, key);
}

static double log_distance_loss_db(const inputs *given)
{
    float reference_m = input_float(given, "reference_distance_m");
    float reference_db = has_input(given, "reference_loss_db")
                             ? input_float(given, "reference_loss_db")
                             : rcity_free_space_loss_db(
                                   reference_m, (float)((double)RCITY_LIGHT_M_PER_S / input(given, "frequency_hz")));
    return (double)rcity_log_distance_loss_db(input_float(given, "distance_m"), input_float(given, "exponent"),
                                              reference_m, reference_db);
}

static double hata_db(const inputs *given, rcity_i32 environment)
{
    return (double)rcity_hata_loss_db(input_float(given, "frequency_mhz"), input_float(given, "distance_m"),
                                      input_float(given, "tx_height_m"), input_float(given, "rx_height_m"),
                                      environment);
}

static double hata_urban_large_db(const inputs *given)
{
    return hata_db(given, RCITY_HATA_URBAN_LARGE);
}

static double hata_urban_db(const inputs *given)
{
    return hata_db(given, RCITY_HATA_URBAN);
}

static double hata_suburban_db(const inputs *given)
{
    return hata_db(given, RCITY_HATA_SUBURBAN);
}

static double hata_open_db(const inputs *given)
{
    return hata_db(given, RCITY_HATA_OPEN);
}

static double cost231_urban_db(const inputs *given)
{
    return hata_db(given, RCITY_COST231_URBAN);
}

static double cost231_metropolitan_db(const inputs *given)
{
    return hata_db(given, RCITY_COST231_METROPOLIS);
}

static double walfisch_db(const inputs *given, rcity_i32 is_metropolitan)
{
    double roof_m = input(given, "roof_m");
    rcity_walfisch_path path;
    path.frequency_mhz = input_float(given, "frequency_mhz");
    path.plan_m = input_float(given, "distance_m");
    path.base_over_roof_m = (float)(input(given, "tx_height_m") - roof_m);
    path.roof_over_rx_m = (float)(roof_m - input(given, "rx_height_m"));
    path.roof_height_m = (float)roof_m;
    path.street_width_m = input_float(given, "width_m");
    path.building_separation_m = input_float(given, "separation_m");
    path.orientation_rad = (float)(input(given, "orientation_deg") * RAD_PER_DEG);
    return (double)rcity_walfisch_shadow_loss_db(path, is_metropolitan);
}

static double walfisch_medium_db(const inputs *given)
{
    return walfisch_db(given, 0);
}

static double walfisch_metropolitan_db(const inputs *given)
{
    return walfisch_db(given, 1);
}

static double walfisch_sight_db(const inputs *given)
{
    return (double)rcity_walfisch_sight_loss_db(input_float(given, "frequency_mhz"), input_float(given, "distance_m"));
}

static double walfisch_orientation_db(const inputs *given)
{
    return (double)rcity_walfisch_orientation_loss_db((float)(input(given, "orientation_deg") * RAD_PER_DEG));
}

static rcity_tr38901_path tr38901_path(const inputs *given)
{
    rcity_tr38901_path path;
    path.frequency_ghz = (float)(input(given, "frequency_hz") * 1e-9);
    path.plan_m = input_float(given, "distance_m");
    path.tx_height_m = input_float(given, "tx_height_m");
    path.rx_height_m = input_float(given, "rx_height_m");
    path.rise_m = path.tx_height_m - path.rx_height_m;
    return path;
}

static double uma_los_db(const inputs *given)
{
    return (double)rcity_tr38901_sight_loss_db(tr38901_path(given), RCITY_TR38901_UMA);
}

static double uma_nlos_db(const inputs *given)
{
    return (double)rcity_tr38901_shadow_loss_db(tr38901_path(given), RCITY_TR38901_UMA);
}

static double umi_los_db(const inputs *given)
{
    return (double)rcity_tr38901_sight_loss_db(tr38901_path(given), RCITY_TR38901_UMI);
}

static double umi_nlos_db(const inputs *given)
{
    return (double)rcity_tr38901_shadow_loss_db(tr38901_path(given), RCITY_TR38901_UMI);
}

static double uma_probability(const inputs *given)
{
    return (double)rcity_tr38901_sight_probability(input_float(given, "distance_m"), input_float(given, "rx_height_m"),
                                                   RCITY_TR38901_UMA);
}

static double umi_probability(const inputs *given)
{
    return (double)rcity_tr38901_sight_probability(input_float(given, "distance_m"), input_float(given, "rx_height_m"),
                                                   RCITY_TR38901_UMI);
}

static double p1411_db(const inputs *given, rcity_p1411_environment environment, bool is_visible)
{
    return (double)rcity_p1411_loss_db(rcity_p1411_get(environment, is_visible)->coefficients,
                                       input_float(given, "distance_m"), input_float(given, "frequency_ghz"));
}

/* Table 4 has one row in sight for both environments. */
static double p1411_below_los_db(const inputs *given)
{
    double high_db = p1411_db(given, RCITY_P1411_HIGH_RISE, true);
    assert_near(p1411_db(given, RCITY_P1411_LOW_RISE, true), high_db, 0.0);
    return high_db;
}

static double p1411_high_nlos_db(const inputs *given)
{
    return p1411_db(given, RCITY_P1411_HIGH_RISE, false);
}

static double p1411_low_nlos_db(const inputs *given)
{
    return p1411_db(given, RCITY_P1411_LOW_RISE, false);
}

static double p1411_above_los_db(const inputs *given)
{
    return p1411_db(given, RCITY_P1411_ABOVE_ROOFS, true);
}

static double p1411_above_nlos_db(const inputs *given)
{
    return p1411_db(given, RCITY_P1411_ABOVE_ROOFS, false);
}

static double building_entry_db(const inputs *given, rcity_i32 building)
{
    double probability =
        has_input(given, "probability") ? input(given, "probability") : 0.01 * input(given, "probability_percent");
    return (double)rcity_building_entry_loss_db((float)(input(given, "frequency_hz") * 1e-9), building,
                                                (float)probability,
                                                (float)(input(given, "elevation_deg") * RAD_PER_DEG));
}

static double traditional_entry_db(const inputs *given)
{
    return building_entry_db(given, RCITY_P2109_TRADITIONAL);
}

static double efficient_entry_db(const inputs *given)
{
    return building_entry_db(given, RCITY_P2109_EFFICIENT);
}

static const reference_method path_loss_methods[] = {
    {"free-space", "loss_db", free_space_loss_db},
    {"log-distance", "loss_db", log_distance_loss_db},
    {"hata-urban-large", "loss_db", hata_urban_large_db},
    {"hata-urban", "loss_db", hata_urban_db},
    {"hata-suburban", "loss_db", hata_suburban_db},
    {"hata-open", "loss_db", hata_open_db},
    {"cost231-hata-urban", "loss_db", cost231_urban_db},
    {"cost231-hata-metropolitan", "loss_db", cost231_metropolitan_db},
    {"walfisch-medium", "loss_db", walfisch_medium_db},
    {"walfisch-metropolitan", "loss_db", walfisch_metropolitan_db},
    {"walfisch-sight", "loss_db", walfisch_sight_db},
    {"walfisch-orientation", "loss_db", walfisch_orientation_db},
    {"3gpp-uma-los", "loss_db", uma_los_db},
    {"3gpp-uma-nlos", "loss_db", uma_nlos_db},
    {"3gpp-umi-los", "loss_db", umi_los_db},
    {"3gpp-umi-nlos", "loss_db", umi_nlos_db},
    {"3gpp-uma-los", "probability", uma_probability},
    {"3gpp-umi-los", "probability", umi_probability},
    {"p1411-below-los", "loss_db", p1411_below_los_db},
    {"p1411-high-nlos", "loss_db", p1411_high_nlos_db},
    {"p1411-low-nlos", "loss_db", p1411_low_nlos_db},
    {"p1411-above-los", "loss_db", p1411_above_los_db},
    {"p1411-above-nlos", "loss_db", p1411_above_nlos_db},
    {"building-entry-traditional", "loss_db", traditional_entry_db},
    {"building-entry-efficient", "loss_db", efficient_entry_db},
    {NULL, NULL, NULL},
};

static const reference_method *const tables[] = {path_loss_methods, wave_methods};

static double evaluate(const char *method, const char *output, const inputs *given)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const reference_method *row = tables[i]; row->method != NULL; row++) {
            if (strcmp(row->method, method) == 0 && strcmp(row->output, output) == 0) {
                return row->evaluate(given);
            }
        }
    }
    print_error("no function for %s %s\n", method, output);
    fail();
    return 0.0;
}

/* The words of a line; what lies behind the last one is empty. */
static int split(char *line, char *words[WORD_MAX])
{
    static char nothing[1];
    int count = 0;
    for (int i = 0; i < WORD_MAX; i++) {
        words[i] = nothing;
    }
    for (char *word = strtok(line, " \t\r\n"); word != NULL && count < WORD_MAX; word = strtok(NULL, " \t\r\n")) {
        words[count++] = word;
    }
    return count;
}

static void add_inputs(inputs *given, char **words, int count)
{
    assert_int_equal(count % 2, 0);
    for (int i = 0; i < count; i += 2) {
        assert_true(given->count < INPUT_MAX);
        snprintf(given->key[given->count], sizeof given->key[0], "%s", words[i]);
        char *end;
        given->value[given->count++] = strtod(words[i + 1], &end);
        assert_true(*end == '\0');
    }
}

static int read_file(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s",
             getenv("RADIOCITY_REFERENCE") != NULL ? getenv("RADIOCITY_REFERENCE") : RCITY_REFERENCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        print_message("SKIPPED: no %s\n", path);
        return 0;
    }
    char line[512];
    char method[64] = "";
    inputs fixed = {0};
    double tolerance = 0.0;
    int case_count = 0;
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        char *words[WORD_MAX];
        int count = split(line, words);
        if (count == 0 || words[0][0] == '#' || strcmp(words[0], "source") == 0) {
            continue;
        }
        assert_true(count >= 2);
        if (strcmp(words[0], "method") == 0) {
            snprintf(method, sizeof method, "%s", words[1]);
            fixed.count = 0;
            add_inputs(&fixed, words + 2, count - 2);
        } else if (strcmp(words[0], "tolerance") == 0) {
            tolerance = strtod(words[1], NULL);
        } else {
            assert_string_equal(words[0], "accept");
            assert_true(count >= 6);
            assert_string_equal(words[count - 3], "expect");
            inputs given = fixed;
            add_inputs(&given, words + 1, count - 4);
            double expected = strtod(words[count - 1], NULL);
            double actual = evaluate(method, words[count - 2], &given);
            if (!(fabs(actual - expected) <= tolerance)) {
                print_error("%s:%d: %s is %.6f, published %.6f within %g\n", name, number, words[count - 2], actual,
                            expected, tolerance);
                fail();
            }
            case_count++;
        }
    }
    fclose(file);
    return case_count;
}

/* All values of a file; 0 where the file is absent. */
static void check_file(const char *name, int expected_count)
{
    int count = read_file(name);
    print_message("%s: %d values\n", name, count);
    assert_true(count == expected_count || count == 0);
}

static void test_free_space_loss_matches_p525(void **state)
{
    (void)state;
    check_file("p525_free_space.txt", 8);
}

static void test_log_distance(void **state)
{
    (void)state;
    check_file("log_distance.txt", 10);
}

static void test_hata_loss_matches_published_values(void **state)
{
    (void)state;
    check_file("hata.txt", 15);
}

static void test_cost231_hata(void **state)
{
    (void)state;
    check_file("cost231_hata.txt", 7);
}

static void test_walfisch_ikegami(void **state)
{
    (void)state;
    check_file("walfisch_ikegami.txt", 18);
}

static void test_losses_match_tr38901(void **state)
{
    (void)state;
    check_file("tr38901.txt", 28);
}

static void test_building_entry(void **state)
{
    (void)state;
    check_file("p2109_building_entry.txt", 52);
}

static void test_losses_match_p1411(void **state)
{
    (void)state;
    check_file("p1411.txt", 22);
}

static void test_materials_and_slabs_match_p2040(void **state)
{
    (void)state;
    check_file("p2040_materials.txt", 18);
    check_file("p2040_slab.txt", 56);
}

static void test_fresnel_functions_match_reference_values(void **state)
{
    (void)state;
    check_file("fresnel_reflection.txt", 7);
    check_file("fresnel_integral.txt", 12);
}

static void test_knife_edge_loss_matches_p526(void **state)
{
    (void)state;
    check_file("p526_knife_edge.txt", 16);
}

static void test_two_ray(void **state)
{
    (void)state;
    check_file("two_ray.txt", 8);
}

static void test_roughness_loss_matches_reference_values(void **state)
{
    (void)state;
    check_file("roughness.txt", 4);
}

static void test_edge_diffraction_matches_reference_values(void **state)
{
    (void)state;
    check_file("edges.txt", 19);
}

TEST_SUITE(reference)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_space_loss_matches_p525),
        cmocka_unit_test(test_log_distance),
        cmocka_unit_test(test_hata_loss_matches_published_values),
        cmocka_unit_test(test_cost231_hata),
        cmocka_unit_test(test_walfisch_ikegami),
        cmocka_unit_test(test_losses_match_tr38901),
        cmocka_unit_test(test_losses_match_p1411),
        cmocka_unit_test(test_materials_and_slabs_match_p2040),
        cmocka_unit_test(test_fresnel_functions_match_reference_values),
        cmocka_unit_test(test_knife_edge_loss_matches_p526),
        cmocka_unit_test(test_two_ray),
        cmocka_unit_test(test_roughness_loss_matches_reference_values),
        cmocka_unit_test(test_edge_diffraction_matches_reference_values),
        cmocka_unit_test(test_building_entry),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
