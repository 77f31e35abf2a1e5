/* Voids and missing tiles: refused with their number and place, or filled as a plain search would. */
#include "raster_stage.h"

#include "heard_log.h"
#include "io/raster/terrain_fill.h"

/* Voids as files have them: declared, undeclared, NaN. */
static float void_value(const void *user, int column, int row)
{
    (void)user;
    if (column == 12 && row >= 8 && row <= 10) {
        return row == 8 ? -1.0f : row == 9 ? NAN : -32768.0f;
    }
    return unique_value(NULL, column, row);
}

static void test_voids_are_refused_or_filled(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("voids.tif");
    recipe.value = void_value;
    recipe.nodata = -1; /* a height like others, but for that */
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "no height at 3 of 1200 nodes");
    assert_message(stage.context, "the first at (500125.0, 5000195.0)"); /* the southernmost */
    assert_message(stage.context, "`fill-voids`");
    assert_null(strstr(rcity_context_message(stage.context), "`terrain-margin-m`")); /* around what? */
    stage.options.terrain_fill = RCITY_FILL_VALUE;
    stage.options.terrain_fill_m = -7.5;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_int_equal(stage.import.report.filled_node_count, 3);
    for (int row = 8; row <= 10; row++) {
        assert_near((double)terrain->height_m[(29 - row) * 40 + 12], -7.5, 0);
    }
    stage.options.terrain_fill = RCITY_FILL_NEAREST;
    terrain = read_terrain(&stage);
    for (int row = 8; row <= 10; row++) {
        double height_m = (double)terrain->height_m[(29 - row) * 40 + 12];
        assert_true(height_m == (double)unique_value(NULL, 11, row) ||
                    height_m == (double)unique_value(NULL, 13, row) ||
                    (row == 8 && height_m == (double)unique_value(NULL, 12, 7)) ||
                    (row == 10 && height_m == (double)unique_value(NULL, 12, 11)));
    }
    stage.options.terrain_fill = RCITY_FILL_VALUE;
    stage.options.terrain_fill_m = 9001;
    assert_status(stage.context, rcity_import_terrain(&stage.import), RCITY_ERR_ARGUMENT);
    assert_message(stage.context, "filled with 9001 m");
    close_stage(&stage);

    open_stage(&stage, utm32); /* voids outside of what is kept do not matter */
    add_terrain(&stage, test_path("voids.tif"));
    add_house(&stage, 1, 500201, 5000102, 500248, 5000133);
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "`terrain-margin-m`, or fill it with `fill-voids`");
    stage.options.terrain_margin_m = 25;
    read_terrain(&stage);
    close_stage(&stage);
}

/* A coast: land, a shelf, deep sea from column 30 on, and marks of voids among it. */
static float coast_value(const void *user, int column, int row)
{
    (void)user;
    return column == 35 && row < 4 ? -9999.0f
           : column >= 30          ? (float)(-600 - 100 * (column - 30))
                                   : (float)(290 - 10 * column);
}

static float no_value(const void *user, int column, int row)
{
    (void)user, (void)column, (void)row;
    return -9999.0f;
}

/* A raster of voids alone: there is nothing to fill from, whatever --fill-voids says, but for a height. */
static void test_all_void(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("empty.tif");
    recipe.value = no_value;
    recipe.nodata = -9999;
    raster_stage stage;
    open_stage(&stage, utm32);
    add_terrain(&stage, make_raster(&recipe));
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "no height at 1200 of 1200 nodes");
    for (int fill = RCITY_FILL_NEAREST; fill <= RCITY_FILL_INTERPOLATE; fill++) {
        stage.options.terrain_fill = (rcity_fill)fill;
        refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "no height at any of 1200 nodes, so there is nothing to fill from");
        assert_message(stage.context, "`fill-voids=METRES`");
    }
    stage.options.terrain_fill = RCITY_FILL_VALUE;
    stage.options.terrain_fill_m = 7.0;
    read_terrain(&stage);
    assert_int_equal(stage.import.report.filled_node_count, 1200);
    close_stage(&stage);
}

/* The floor of a sea is no void: it is counted apart and said. */
static void test_sea_floor_is_counted_apart(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("coast.tif");
    recipe.value = coast_value;
    raster_stage stage;
    heard_log heard;
    open_stage_in(&stage, heard_log_context(&heard), utm32, false);
    add_terrain(&stage, make_raster(&recipe));
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "296 of 1200 terrain nodes lie lower than -500 m, the lowest pixel at");
    assert_message(stage.context, "-1500 m");
    assert_message(stage.context, "`fill-voids=0`");
    stage.options.terrain_fill = RCITY_FILL_VALUE;
    stage.options.terrain_fill_m = 0;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_near((double)terrain->height_m[29], 0, 0);
    assert_near((double)terrain->height_m[30], 0, 0);
    assert_near((double)terrain->height_m[28], 10, 0);
    assert_int_equal(stage.import.report.filled_node_count, 300);
    assert_int_equal(heard.count, 2);
    assert_non_null(strstr(heard.text, "296 of these had one, lower than -500 m (the lowest pixel at -1500 m)"));
    close_stage(&stage);

    open_stage_in(&stage, heard_log_context(&heard), utm32, false); /* a second raster has heights for all of it */
    raster_recipe land = small_recipe("land.tif");
    land.to_place[0] += 3; /* a grid of its own */
    land.columns += 2;
    land.to_place[0] -= 10;
    land.rows += 2;
    land.to_place[3] += 10;
    add_terrain(&stage, test_path("coast.tif"));
    add_terrain(&stage, make_raster(&land));
    stage.options.terrain_cell_m = 10;
    read_terrain(&stage);
    assert_int_equal(heard.count, 0);
    assert_int_equal(stage.import.report.filled_node_count, 0);
    close_stage(&stage);
}

static void test_missing_tile(void **state)
{
    (void)state;
    raster_stage stage;
    open_stage(&stage, utm32);
    static const int parts[3][4] = {{0, 0, 20, 15}, {20, 0, 20, 15}, {0, 15, 20, 15}};
    static const char *const names[3] = {"q0.tif", "q1.tif", "q2.tif"};
    for (int i = 0; i < 3; i++) {
        tile_part part = {parts[i][0], parts[i][1]};
        add_terrain(&stage, make_part(names[i], part, parts[i][2], parts[i][3]));
    }
    refuse_terrain(&stage, RCITY_ERR_ARGUMENT, "no height at 300 of 1200 nodes (voids, or tiles that are missing)");
    stage.options.terrain_fill = RCITY_FILL_NEAREST;
    const rcity_terrain *terrain = read_terrain(&stage);
    assert_int_equal(stage.import.report.filled_node_count, 300);
    assert_near((double)terrain->height_m[10 * 40 + 21], (double)unique_value(NULL, 19, 19), 0);
    close_stage(&stage);
}

/* The plain way: every node against every other. */
static void check_filled(rcity_fill fill, int columns, int rows, const float *before, const float *after)
{
    for (int node = 0; node < columns * rows; node++) {
        if (!isnan(before[node])) {
            assert_near((double)after[node], (double)before[node], 0);
            continue;
        }
        int x = node % columns;
        int y = node / columns;
        int best = INT32_MAX;
        float nearest_m = NAN;
        int nearest_column = columns;
        double sum[2] = {0, 0};
        for (int other = 0; other < columns * rows; other++) {
            if (isnan(before[other])) {
                continue;
            }
            int dx = other % columns - x;
            int dy = other / columns - y;
            int distance2 = dx * dx + dy * dy;
            if (distance2 < best || (distance2 == best && other % columns < nearest_column)) {
                best =
                    distance2; /* of the equally near the lowest column, and in it the lowest row, which came first */
                nearest_column = other % columns;
                nearest_m = before[other];
            }
            bool is_in_direction = dx == 0 || dy == 0 || abs(dx) == abs(dy);
            for (int i = 1; is_in_direction && i < (abs(dx) > abs(dy) ? abs(dx) : abs(dy)); i++) {
                int between = (y + i * ((dy > 0) - (dy < 0))) * columns + x + i * ((dx > 0) - (dx < 0));
                is_in_direction = isnan(before[between]); /* not the first in its direction */
            }
            if (is_in_direction) {
                sum[0] += (double)before[other] / distance2;
                sum[1] += 1.0 / distance2;
            }
        }
        if (fill == RCITY_FILL_NEAREST) {
            assert_near((double)after[node], (double)nearest_m, 0);
        } else {
            assert_near((double)after[node], sum[0] / sum[1], 1e-4 * fabs(sum[0] / sum[1]));
        }
    }
}

static void test_filling_equals_a_plain_search(void **state)
{
    (void)state;
    enum { COLUMNS = 23, ROWS = 17, COUNT = COLUMNS * ROWS };
    const uint64_t seed = 77;
    print_message("seed %llu\n", (unsigned long long)seed);
    rcity_context *context = test_context(1);
    for (uint64_t run = 0; run < 60; run++) {
        float before[COUNT];
        double share = (double)(run % 12) / 24.0;
        int64_t void_count = 0;
        for (uint64_t i = 0; i < COUNT; i++) {
            bool is_void = test_uniform(seed + run, 2 * i, 0, 1) < share;
            before[i] = is_void ? NAN : (float)test_uniform(seed + run, 2 * i + 1, 100, 1000);
            void_count += is_void;
        }
        for (int fill = RCITY_FILL_NEAREST; fill <= RCITY_FILL_INTERPOLATE; fill++) {
            float after[COUNT];
            int64_t filled_count = 0;
            memcpy(after, before, sizeof after);
            assert_ok(context, rcity_terrain_fill(context, (rcity_fill)fill, 0, COLUMNS, ROWS, after, &filled_count));
            assert_int_equal(filled_count, void_count);
            check_filled((rcity_fill)fill, COLUMNS, ROWS, before, after);
        }
    }
    float wide[300];
    int64_t filled_count = -1;
    for (int i = 0; i < 300; i++) {
        wide[i] = i == 0 || i == 299 ? 5.0f : NAN;
    }
    assert_status(context, rcity_terrain_fill(context, RCITY_FILL_INTERPOLATE, 0, 300, 1, wide, &filled_count),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "(101, 0) has no height within 100 nodes in any");
    assert_int_equal(filled_count, -1);
    assert_true(isnan(wide[1])); /* untouched */
    assert_ok(context, rcity_terrain_fill(context, RCITY_FILL_NEAREST, 0, 300, 1, wide, &filled_count));
    assert_int_equal(filled_count, 298);
    rcity_context_destroy(&context);
}

/* Each allocation fails once: the status says so, nothing is left. GDAL's own memory is not counted. */
static void test_allocation_failure(void **state)
{
    (void)state;
    raster_recipe recipe = small_recipe("failing.tif");
    recipe.value = void_value;
    make_raster(&recipe);
    recipe = small_recipe("failing2.tif");
    recipe.to_place[0] = 500103;
    recipe.crs = "EPSG:25832";
    make_raster(&recipe);
    for (int fill = RCITY_FILL_NEAREST; fill <= RCITY_FILL_INTERPOLATE; fill++) {
        long n = 0;
        bool has_failed = true;
        while (has_failed) {
            failing_allocator failing = {0, 0, 0};
            raster_stage stage;
            open_stage_in(&stage, test_context_failing(&failing, 1), utm32, false);
            add_terrain(&stage, test_path("failing.tif"));
            add_terrain(&stage, test_path("failing2.tif"));
            stage.options.terrain_fill = (rcity_fill)fill;
            failing.fail_at = failing.call_count + ++n;
            rcity_status status = rcity_import_terrain(&stage.import);
            has_failed = failing.call_count >= failing.fail_at;
            assert_status(stage.context, status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
            failing.fail_at = 0;
            close_stage(&stage);
            assert_int_equal(failing.live_count, 0);
        }
        print_message("fill %d: each of %ld allocations failed once\n", fill, n - 1);
        assert_true(n > 8);
    }
}

TEST_SUITE(terrain_fill)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_voids_are_refused_or_filled),   cmocka_unit_test(test_all_void),
        cmocka_unit_test(test_sea_floor_is_counted_apart),    cmocka_unit_test(test_missing_tile),
        cmocka_unit_test(test_filling_equals_a_plain_search), cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("terrain_fill", tests, NULL, NULL);
}
