/* Drive tests of the real data: Salt Lake City and Boulder, read with plain C beside the library. */
#include "rcity_test.h"

#include "route_plain.h"

#define FREQUENCY_HZ 3475e6

enum { ROW_MAX = 70000 };

static double lonlat[ROW_MAX][2];
static double loss_db[ROW_MAX];
static double time_s[ROW_MAX];
static int id[ROW_MAX];

static int read_salt_lake(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[300];
    int count = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (count < ROW_MAX && fgets(line, sizeof line, file) != NULL) {
        assert_int_equal(sscanf(line, "%d,%lf,%lf,%*f,%lf,%*f,%lf", &id[count], &lonlat[count][1], &lonlat[count][0],
                                &loss_db[count], &time_s[count]),
                         5);
        count++;
    }
    fclose(file);
    return count;
}

/* A scene with the bounds of the building map. */
static rcity_scene *make_map(rcity_context *context)
{
    const test_box boxes[] = {{424565.0, 4512350.0, 424575.0, 4512360.0, 10.0},
                              {425489.0, 4513511.0, 425499.0, 4513521.0, 10.0}};
    return test_scene_in(context, "EPSG:26912", boxes, 2);
}

/* Rows inside, gaps and pieces, counted anew from the file. */
static void check_salt_lake(const char *name, const char *where, int id_end, int64_t piece_low, int64_t piece_high)
{
    const char *path = test_data(name);
    if (path == NULL) {
        skip();
    }
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_map(context);
    rcity_scene_info info;
    assert_ok(context, rcity_scene_describe(scene, &info));
    rcity_measurements_options options = rcity_measurements_options_default();
    options.where = where;
    options.height_m = 2.82;
    rcity_measurements *list = NULL;
    rcity_measurements *averaged = NULL;
    assert_ok(context, rcity_measurements_load(context, scene, path, &options, &list));
    int count = read_salt_lake(path);
    assert_int_equal(count, 66987);
    assert_ok(context, rcity_crs_transform(context, RCITY_CRS_LONLAT, "EPSG:26912", count, &lonlat[0][0]));
    const rcity_measurement *all = rcity_measurements_all(list);
    int64_t left_out_count = 0;
    int64_t outside_count = 0;
    int64_t kept = 0;
    for (int i = 0; i < count; i++) {
        const double *xy = lonlat[i];
        if (id[i] >= id_end) {
            left_out_count++;
        } else if (xy[0] < info.x_min_m || xy[0] > info.x_max_m || xy[1] < info.y_min_m || xy[1] > info.y_max_m) {
            outside_count++;
        } else {
            assert_true(kept < rcity_measurements_count(list));
            assert_near(all[kept].x_m, xy[0], 1e-6);
            assert_near(all[kept].y_m, xy[1], 1e-6);
            assert_near(all[kept].value, loss_db[i], 1e-9);
            assert_near(all[kept].time_s, time_s[i], 1e-9);
            assert_int_equal(all[kept].row, i + 2);
            kept++;
        }
    }
    rcity_measurement_tally tally = rcity_measurements_tally(list);
    assert_int_equal(tally.row_count, count);
    assert_int_equal(tally.left_out_count, left_out_count);
    assert_int_equal(tally.outside_count, outside_count);
    assert_int_equal(tally.kept_count, kept);
    assert_int_equal(tally.gap_count + tally.duplicate_count + tally.floor_count + tally.saturated_count, 0);
    double length_m = RCITY_AVERAGE_WAVELENGTHS * 299792458.0 / FREQUENCY_HZ;
    assert_ok(context, rcity_measurements_average(context, list, length_m, &averaged));
    const rcity_measurement *piece = rcity_measurements_all(averaged);
    int64_t begin = 0;
    double sum_m = 0.0;
    for (int64_t i = 0; i < rcity_measurements_count(averaged); i++) {
        int64_t end = begin + piece[i].sample_count;
        assert_near(piece[i].value, route_plain_mean(all + begin, (size_t)piece[i].sample_count, true), 1e-9);
        for (int64_t k = begin + 1; k < end; k++) {
            assert_false(all[k].is_after_gap);
            sum_m += hypot(all[k].x_m - all[k - 1].x_m, all[k].y_m - all[k - 1].y_m);
        }
        assert_true(all[end - 1].travelled_m - all[begin].travelled_m < length_m);
        assert_true(end == kept || all[end].is_after_gap || all[end].travelled_m - all[begin].travelled_m >= length_m);
        begin = end;
    }
    assert_int_equal(begin, kept);
    print_message("%s: %lld rows in the map, %lld pieces of %.2f m, %.0f m of route, %.0f m within pieces\n", name,
                  (long long)kept, (long long)rcity_measurements_count(averaged), length_m, all[kept - 1].travelled_m,
                  sum_m);
    assert_in_range(rcity_measurements_count(averaged), piece_low, piece_high);
    rcity_measurements_destroy(&averaged);
    rcity_measurements_destroy(&list);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Pieces as two other programs counted them: 1034 and 1044, 1693 and 1715. */
static void test_salt_lake_route_has_the_known_pieces(void **state)
{
    (void)state;
    check_salt_lake("saltlakecity/SaltLakeCity_Urban_Ensign_3475_20230710.csv", "ID<54638", 54638, 1000, 1080);
}

static void test_city_creek(void **state)
{
    (void)state;
    check_salt_lake("saltlakecity/SaltLakeCity_Urban_CityCreek_3475_20230710.csv", NULL, 1000000, 1650, 1760);
}

/* Everything is in the columns; the distance it states is that between its two ends. */
static void test_boulder_distances_match_the_file(void **state)
{
    (void)state;
    const char *path = test_data("boulder/MartinAcresLow_3500.MartinAcres.csv");
    if (path == NULL) {
        skip();
    }
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{470000.0, 4420000.0, 470010.0, 4420010.0, 5.0},
                              {490000.0, 4440000.0, 490010.0, 4440010.0, 5.0}};
    rcity_scene *scene = test_scene_in(context, "EPSG:32613", boxes, 2);
    rcity_measurements_options options = rcity_measurements_options_default();
    rcity_measurements *list = NULL;
    assert_ok(context, rcity_measurements_load(context, scene, path, &options, &list));
    assert_int_equal(rcity_measurements_count(list), 1024);
    assert_int_equal(rcity_measurements_transmitter_count(list), 1);
    const rcity_transmitter *tx = rcity_measurements_transmitters(list);
    const rcity_measurement *all = rcity_measurements_all(list);
    assert_near(tx->height_m, 8.37, 0.0);
    assert_near(tx->frequency_hz, 3.5e9, 1.0);
    FILE *file = fopen(path, "r");
    char line[300];
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    for (int i = 0; i < 1024; i++) {
        double distance_km;
        double loss;
        assert_non_null(fgets(line, sizeof line, file));
        assert_int_equal(sscanf(line, "%*d,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%lf,%lf", &distance_km, &loss), 2);
        double distance_m = hypot(all[i].x_m - tx->x_m, all[i].y_m - tx->y_m);
        assert_near(distance_m, 1000.0 * distance_km, 0.003 * 1000.0 * distance_km); /* UTM's scale, their sphere */
        assert_near(all[i].value, loss, 1e-9);
        assert_near(all[i].height_m, 3.0, 0.0);
        assert_int_equal(all[i].transmitter, 0);
    }
    fclose(file);
    rcity_measurements_destroy(&list);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(measurements_data)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_salt_lake_route_has_the_known_pieces),
        cmocka_unit_test(test_city_creek),
        cmocka_unit_test(test_boulder_distances_match_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
