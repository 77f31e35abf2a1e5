/* Surfaces: tiles, bands, notes, figures, the map of the ground, the profile of a facade. */
#include "surfaces_stage.h"

#include "result/map_data.h"

static void test_tiles_and_bands_come_back(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surface_tile tiles[STAGE_TILES];
    int count = stage_tiles(&placed_surfaces, tiles);
    rcity_surfaces *surfaces = stage_surfaces(context, &placed_surfaces);
    assert_int_equal(rcity_surfaces_tile_count(surfaces), count);
    assert_int_equal(rcity_surfaces_count_kind(surfaces, RCITY_SURFACE_WALL), STAGE_WALLS);
    assert_int_equal(rcity_surfaces_count_kind(surfaces, RCITY_SURFACE_ROOF), STAGE_ROOFS);
    for (int i = 0; i < count; i++) {
        rcity_surface_tile tile;
        assert_ok(context, rcity_surfaces_get_tile(surfaces, i, &tile));
        assert_memory_equal(&tile.centre, &tiles[i].centre, sizeof tile.centre);
        assert_memory_equal(tile.side, tiles[i].side, sizeof tile.side);
        assert_int_equal(tile.kind, tiles[i].kind);
        assert_int_equal(tile.building_id, tiles[i].building_id);
    }
    rcity_band band;
    assert_int_equal(rcity_surfaces_band_count(surfaces), 4);
    assert_ok(context, rcity_surfaces_get_band(surfaces, 3, &band));
    assert_string_equal(band.name, "mechanism");
    assert_string_equal(band.unit, "");
    assert_int_equal(band.kind, RCITY_BAND_CLASS);
    assert_int_equal(band.class_count, 3);
    assert_string_equal(band.class_names[2], "around corners");
    assert_true(isnan(band.rx_height_m) && isnan(band.value[6]) && band.value[5] == 2.0f);
    assert_int_equal(rcity_surfaces_find_band(surfaces, "mean_delay"), 2);
    assert_int_equal(rcity_surfaces_find_band(surfaces, "delay"), -1);
    assert_string_equal(rcity_surfaces_crs(surfaces), "EPSG:32632");
    assert_true(rcity_surfaces_frequency_hz(surfaces) == 3.5e9);
    assert_near(rcity_surfaces_transmitter(surfaces).x_m, placed_surfaces.x0_m - 40.0, 0.0);
    const char *key = NULL;
    const char *value = NULL;
    assert_int_equal(rcity_surfaces_note_count(surfaces), 3);
    assert_ok(context, rcity_surfaces_get_note(surfaces, 0, &key, &value));
    assert_string_equal(key, "method");
    assert_string_equal(rcity_surfaces_find_note(surfaces, "share"), "1.5");
    rcity_surfaces_destroy(&surfaces);
    assert_null(surfaces);
    rcity_surfaces_destroy(&surfaces);
    rcity_surfaces_destroy(NULL);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_out_of_range(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    int64_t count = rcity_surfaces_tile_count(surfaces);
    rcity_surface_tile tile = {.building_id = 77};
    rcity_band band = {.name = "untouched"};
    rcity_band_summary summary = {.value_count = 7};
    const char *key = NULL;
    assert_int_equal(rcity_surfaces_get_tile(surfaces, count, &tile), RCITY_ERR_ARGUMENT);
    assert_int_equal(rcity_surfaces_get_tile(surfaces, -1, &tile), RCITY_ERR_ARGUMENT);
    assert_int_equal(tile.building_id, 77);
    assert_int_equal(rcity_surfaces_get_band(surfaces, 4, &band), RCITY_ERR_ARGUMENT);
    assert_string_equal(band.name, "untouched");
    assert_string_equal(rcity_context_message(context), ""); /* readers do not share a sentence */
    assert_int_equal(rcity_surfaces_get_note(surfaces, 3, &key, &key), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_surfaces_summarize(context, surfaces, 4, &summary), RCITY_ERR_ARGUMENT);
    assert_message(context, "there is no band 4; the surfaces have 4, counted from 0");
    assert_int_equal(summary.value_count, 7);
    assert_int_equal(rcity_surfaces_tile_count(NULL), 0);
    assert_int_equal(rcity_surfaces_band_count(NULL), 0);
    assert_int_equal(rcity_surfaces_note_count(NULL), 0);
    assert_null(rcity_surfaces_crs(NULL));
    assert_true(isnan(rcity_surfaces_frequency_hz(NULL)) && isnan(rcity_surfaces_transmitter(NULL).z_m));
    assert_string_equal(rcity_surface_name(RCITY_SURFACE_ROOF), "roof");
    assert_string_equal(rcity_surface_name((rcity_surface)RCITY_SURFACE_COUNT), "unknown");
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* A tile in the size that a program of an earlier version knows. */
static void test_tile_no_larger_than_the_caller_knows(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    rcity_surface_tile whole;
    rcity_surface_tile part;
    assert_ok(context, rcity_surfaces_get_tile(surfaces, 3, &whole));
    memset(&part, 0x55, sizeof part);
    size_t known_bytes = offsetof(rcity_surface_tile, kind);
    assert_ok(context, rcity_surfaces_get_tile_sized(surfaces, 3, known_bytes, &part));
    assert_memory_equal(&part, &whole, known_bytes);
    assert_int_equal(((unsigned char *)&part)[known_bytes], 0x55);
    assert_int_equal(rcity_surfaces_get_tile_sized(surfaces, 3, sizeof part + 1, &part), RCITY_ERR_ARGUMENT);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* Names become those of columns and properties in files. */
static void test_names_of_bands_are_plain_and_different(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "two words", "a/b", "a,b", "caf\xc3\xa9", "path_loss"};
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    float *value = NULL;
    char longest[RCITY_SURFACES_NAME_MAX + 2];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_status(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_OTHER, bad[i], NULL, NULL, &value),
                      RCITY_ERR_ARGUMENT);
        assert_message(context, bad[i]);
    }
    assert_status(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_OTHER, longest, NULL, NULL, &value),
                  RCITY_ERR_ARGUMENT);
    assert_int_equal(rcity_surfaces_band_count(surfaces), 4);
    assert_ok(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_OTHER, longest + 1, NULL, NULL, &value));
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

static void test_figures_of_a_band(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    int64_t count = rcity_surfaces_tile_count(surfaces);
    rcity_band_summary summary;
    assert_ok(context, rcity_surfaces_summarize(context, surfaces, 0, &summary));
    assert_int_equal(summary.value_count, count - count / 7);
    assert_near(summary.minimum, 80.0, 0.0);
    assert_near(summary.median, 80.0 + 0.125 * (double)(count - 1), 0.5);
    rcity_surfaces_destroy(&surfaces);
    surfaces = stage_nothing(context);
    assert_ok(context, rcity_surfaces_summarize(context, surfaces, 0, &summary));
    assert_true(summary.value_count == 0 && isnan(summary.median));
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* The tile that a cell must take, worked out for each cell by itself, with the angle of the ground's axes. */
static int64_t expect_tile(const rcity_surface_tile *tiles, int count, double x_m, double y_m)
{
    double half_m = STAGE_GROUND_M / 2.0;
    int64_t best = -1;
    double best_m = HUGE_VAL;
    for (int pass = 0; pass < 2 && best < 0; pass++) {
        for (int i = 0; i < count; i++) {
            double dx = x_m - tiles[i].centre.x_m;
            double dy = y_m - tiles[i].centre.y_m;
            double a_m = cos(STAGE_TURN_RAD) * dx + sin(STAGE_TURN_RAD) * dy;
            double b_m = cos(STAGE_TURN_RAD) * dy - sin(STAGE_TURN_RAD) * dx;
            bool is_inside = fabs(a_m) <= half_m && fabs(b_m) <= half_m;
            bool is_near = hypot(dx, dy) <= half_m * sqrt(2.0);
            if (tiles[i].kind == RCITY_SURFACE_GROUND && (pass == 0 ? is_inside : is_near) && hypot(dx, dy) < best_m) {
                best = i;
                best_m = hypot(dx, dy);
            }
        }
    }
    return best;
}

static void check_cells(rcity_context *context, const surfaces_stage *on, const rcity_surfaces *surfaces, double cell_m,
                        int *inside_count, int *empty_count)
{
    rcity_surface_tile tiles[STAGE_TILES];
    int count = stage_tiles(on, tiles);
    rcity_map *map = NULL;
    rcity_band band;
    assert_ok(context, rcity_surfaces_to_map(context, surfaces, cell_m, &map));
    rcity_raster raster = rcity_map_raster(map);
    assert_ok(context, rcity_map_get_band(map, 0, &band));
    assert_near(remainder(raster.west_m, cell_m), 0.0, 1e-6);
    for (int64_t i = 0; i < raster.row_count; i++) {
        for (int64_t k = 0; k < raster.column_count; k++) {
            double x_m = raster.west_m + ((double)k + 0.5) * cell_m;
            double y_m = raster.north_m - ((double)i + 0.5) * cell_m;
            int64_t tile = expect_tile(tiles, count, x_m, y_m);
            float expected = tile >= 0 ? stage_loss_db(tile) : NAN;
            float value = band.value[i * raster.column_count + k];
            assert_true(isnan(expected) ? isnan(value) : value == expected);
            *inside_count += tile >= 0;
            *empty_count += tile < 0;
        }
    }
    rcity_map_destroy(&map);
}

/* Cells of sizes that do not divide those of the tiles, so that no centre lies on an edge. */
static void test_ground_map_of_turned_tiles(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    static const double cells_m[] = {1.3, 4.1, 17.0};
    for (size_t i = 0; i < 2 * sizeof cells_m / sizeof cells_m[0]; i++) {
        const surfaces_stage *on = i % 2 == 0 ? &plain_surfaces : &placed_surfaces;
        int inside_count = 0;
        int empty_count = 0;
        rcity_surfaces *surfaces = stage_surfaces(context, on);
        check_cells(context, on, surfaces, cells_m[i / 2], &inside_count, &empty_count);
        assert_true(inside_count > 10 && empty_count > 5); /* corners of the raster, and the building */
        rcity_surfaces_destroy(&surfaces);
    }
    rcity_context_destroy(&context);
}

/* A tile that contains the centre of a cell comes before a nearer one that does not. */
static void test_cell_takes_the_tile_it_lies_in(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const rcity_surface_tile like = {
        .normal = {0.0f, 0.0f, 1.0f}, .side = {1.0f, 0.0f, 0.0f}, .kind = RCITY_SURFACE_GROUND, .building_id = -1};
    rcity_surface_tile tiles[2] = {like, like};
    tiles[0].half_side_m[0] = 10.0f; /* long, from (-10, -1) to (10, 1) */
    tiles[0].half_side_m[1] = 1.0f;
    tiles[1].centre = (rcity_point){8.5, 2.5, 0.0}; /* beside its far end */
    tiles[1].half_side_m[0] = 1.0f;
    tiles[1].half_side_m[1] = 1.8f;
    const rcity_surfaces_setup setup = {.tile_count = 2, .tiles = tiles};
    for (int swapped = 0; swapped < 2; swapped++) {
        rcity_surfaces *surfaces = NULL;
        rcity_map *map = NULL;
        float *value = NULL;
        rcity_band band;
        assert_ok(context, rcity_surfaces_create(context, &setup, &surfaces));
        assert_ok(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_OTHER, "length", "m", NULL, &value));
        value[0] = tiles[0].half_side_m[0];
        value[1] = tiles[1].half_side_m[0];
        assert_ok(context, rcity_surfaces_to_map(context, surfaces, 1.0, &map));
        assert_ok(context, rcity_map_get_band(map, 0, &band));
        rcity_raster raster = rcity_map_raster(map);
        int64_t column = (int64_t)(8.5 - raster.west_m);
        int64_t row = (int64_t)(raster.north_m - 0.5);
        assert_true(band.value[row * raster.column_count + column] == 10.0f);
        assert_true(band.value[(row - 1) * raster.column_count + column] == 1.0f);
        rcity_map_destroy(&map);
        rcity_surfaces_destroy(&surfaces);
        rcity_surface_tile first = tiles[0];
        tiles[0] = tiles[1];
        tiles[1] = first;
    }
    rcity_context_destroy(&context);
}

static void test_ground_map_has_all_bands_and_notes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &placed_surfaces);
    rcity_map *map = NULL;
    rcity_band band;
    assert_ok(context, rcity_surfaces_to_map(context, surfaces, 5.0, &map));
    assert_int_equal(rcity_map_band_count(map), 4);
    assert_ok(context, rcity_map_get_band(map, 3, &band));
    assert_string_equal(band.name, "mechanism");
    assert_int_equal(band.class_count, 3);
    assert_true(band.rx_height_m == 0.0);
    assert_string_equal(rcity_map_crs(map), "EPSG:32632");
    assert_string_equal(rcity_map_find_note(map, "method"), "made by hand");
    assert_string_equal(rcity_map_find_note(map, "cell_m"), "5");
    assert_string_equal(rcity_map_find_note(map, "made_from"), "ground tiles");
    rcity_map_destroy(&map);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

static void test_ground_map_that_cannot_be(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    static const double bad_m[] = {0.0, -1.0, 1e6, (double)NAN};
    rcity_map *map = NULL;
    for (size_t i = 0; i < sizeof bad_m / sizeof bad_m[0]; i++) {
        assert_status(context, rcity_surfaces_to_map(context, surfaces, bad_m[i], &map), RCITY_ERR_ARGUMENT);
        assert_message(context, "the cell is");
    }
    rcity_surface_tile *tiles = rcity_surfaces_edit_tiles(surfaces);
    tiles[rcity_surfaces_tile_count(surfaces) - 1].centre.x_m = 1e12;
    assert_status(context, rcity_surfaces_to_map(context, surfaces, 0.01, &map), RCITY_ERR_MEMORY);
    rcity_surfaces_destroy(&surfaces);
    surfaces = stage_nothing(context);
    assert_status(context, rcity_surfaces_to_map(context, surfaces, 5.0, &map), RCITY_ERR_ARGUMENT);
    assert_message(context, "no ground tile");
    assert_null(map);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* The column of a place: all tiles of one wall above each other, from the lowest on. */
static void check_profile(const surfaces_stage *on, double x_m, double y_m, int wall, int column)
{
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, on);
    rcity_surfaces *profile = NULL;
    rcity_band height;
    rcity_band loss;
    assert_ok(context, rcity_surfaces_profile(context, surfaces, on->x0_m + x_m, on->y0_m + y_m, 30.0, &profile));
    assert_int_equal(rcity_surfaces_tile_count(profile), STAGE_ROWS);
    assert_int_equal(rcity_surfaces_band_count(profile), 5);
    assert_ok(context, rcity_surfaces_get_band(profile, 0, &height));
    assert_ok(context, rcity_surfaces_get_band(profile, 1, &loss));
    assert_string_equal(height.name, "height_above_lowest");
    assert_string_equal(loss.name, "path_loss");
    for (int row = 0; row < STAGE_ROWS; row++) {
        int64_t expected = wall * STAGE_COLUMNS * STAGE_ROWS + row * STAGE_COLUMNS + column;
        rcity_surface_tile tile;
        rcity_surface_tile original;
        assert_ok(context, rcity_surfaces_get_tile(profile, row, &tile));
        assert_ok(context, rcity_surfaces_get_tile(surfaces, expected, &original));
        assert_memory_equal(&tile.centre, &original.centre, sizeof tile.centre);
        assert_near((double)height.value[row], row * STAGE_HEIGHT_M / STAGE_ROWS, 1e-5);
        float value = stage_loss_db(expected);
        assert_true(isnan(value) ? isnan(loss.value[row]) : loss.value[row] == value);
    }
    assert_non_null(rcity_surfaces_find_note(profile, "facade_distance_m"));
    assert_string_equal(rcity_surfaces_find_note(profile, "method"), "made by hand");
    rcity_surfaces *again = NULL; /* of the profile itself: the same column once more, its heights not twice */
    assert_ok(context, rcity_surfaces_profile(context, profile, on->x0_m + x_m, on->y0_m + y_m, 30.0, &again));
    assert_int_equal(rcity_surfaces_tile_count(again), STAGE_ROWS);
    assert_int_equal(rcity_surfaces_band_count(again), 5);
    rcity_surfaces_destroy(&again);
    rcity_surfaces_destroy(&profile);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* Walls: 0 south, 1 east, 2 north, 3 west; columns count along their first side. */
static void test_nearest_facade_is_chosen(void **state)
{
    (void)state;
    const surfaces_stage *const stages[] = {&plain_surfaces, &placed_surfaces};
    for (int i = 0; i < 2; i++) {
        check_profile(stages[i], 12.0, 0.0, 0, 0);
        check_profile(stages[i], 28.0, 0.0, 0, 1);
        check_profile(stages[i], 40.0, 12.0, 1, 0);
        check_profile(stages[i], 28.0, 25.0, 2, 0);
        check_profile(stages[i], 5.0, 12.0, 3, 1);
        check_profile(stages[i], 12.0, 18.0, 3, 0); /* inside, nearest to the west wall */
    }
}

/* Two walls of one place back to back: the one that faces the asker. */
static void test_facade_that_faces_the_place(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surface_tile tiles[4];
    for (int i = 0; i < 4; i++) {
        float facing = i < 2 ? 1.0f : -1.0f;
        tiles[i] = (rcity_surface_tile){.centre = {0.0, 0.0, 1.0 + 2.0 * (i % 2)},
                                        .normal = {0.0f, facing, 0.0f},
                                        .side = {-facing, 0.0f, 0.0f},
                                        .half_side_m = {4.0f, 1.0f},
                                        .kind = RCITY_SURFACE_WALL,
                                        .building_id = 1};
    }
    const rcity_surfaces_setup setup = {.tile_count = 4, .tiles = tiles};
    rcity_surfaces *surfaces = NULL;
    assert_ok(context, rcity_surfaces_create(context, &setup, &surfaces));
    for (int side = -1; side <= 1; side += 2) {
        rcity_surfaces *profile = NULL;
        rcity_surface_tile tile;
        assert_ok(context, rcity_surfaces_profile(context, surfaces, 1.0, 3.0 * side, 3.0, &profile));
        assert_int_equal(rcity_surfaces_tile_count(profile), 2);
        assert_ok(context, rcity_surfaces_get_tile(profile, 1, &tile));
        assert_true(tile.normal[1] == (float)side && tile.centre.z_m == 3.0);
        rcity_surfaces_destroy(&profile);
    }
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* A row of narrower tiles, whose edge lies above the middle of the chosen one: one of both stays. Above it come
   another building, and a wall of this one that stands back. */
static void test_facade_cut_differently_above(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surface_tile tiles[6];
    static const double x_m[] = {0.0, 2.0, -2.0, 0.0, 0.0, 0.0};
    static const double y_m[] = {0.0, 0.0, 0.0, 0.0, 0.0, 3.0};
    static const double z_m[] = {1.0, 3.0, 3.0, 5.0, 7.0, 7.0};
    for (int i = 0; i < 6; i++) {
        tiles[i] = (rcity_surface_tile){.centre = {x_m[i], y_m[i], z_m[i]},
                                        .normal = {0.0f, -1.0f, 0.0f},
                                        .side = {1.0f, 0.0f, 0.0f},
                                        .half_side_m = {x_m[i] == 0.0 ? 4.0f : 2.0f, 1.0f},
                                        .kind = RCITY_SURFACE_WALL,
                                        .building_id = i == 4 ? 2 : 1};
    }
    const rcity_surfaces_setup setup = {.tile_count = 6, .tiles = tiles};
    rcity_surfaces *surfaces = NULL;
    rcity_surfaces *profile = NULL;
    assert_ok(context, rcity_surfaces_create(context, &setup, &surfaces));
    assert_ok(context, rcity_surfaces_profile(context, surfaces, 0.5, -3.0, 5.0, &profile));
    assert_int_equal(rcity_surfaces_tile_count(profile), 3);
    for (int i = 0; i < 3; i++) {
        rcity_surface_tile tile;
        assert_ok(context, rcity_surfaces_get_tile(profile, i, &tile));
        assert_true(tile.centre.z_m == 1.0 + 2.0 * i);
    }
    rcity_surfaces_destroy(&profile);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

static void test_no_facade_near_enough(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    rcity_surfaces *profile = NULL;
    assert_status(context, rcity_surfaces_profile(context, surfaces, 12.0, 2.0, 7.9, &profile), RCITY_ERR_ARGUMENT);
    assert_message(context, "no wall is within 7.9 m of (12.00, 2.00); the nearest is 8.00 m away");
    assert_status(context, rcity_surfaces_profile(context, surfaces, (double)NAN, 2.0, 8.0, &profile),
                  RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_surfaces_profile(context, surfaces, 12.0, 2.0, -1.0, &profile), RCITY_ERR_ARGUMENT);
    assert_ok(context, rcity_surfaces_profile(context, surfaces, 12.0, 2.0, 8.0, &profile));
    rcity_surfaces_destroy(&profile);
    rcity_surfaces_destroy(&surfaces);
    surfaces = stage_nothing(context);
    assert_status(context, rcity_surfaces_profile(context, surfaces, 0.0, 0.0, 8.0, &profile), RCITY_ERR_ARGUMENT);
    assert_message(context, "no walls");
    assert_null(profile);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

static rcity_status build_all(rcity_context *context)
{
    rcity_surfaces *surfaces = NULL;
    rcity_surfaces *profile = NULL;
    rcity_map *map = NULL;
    rcity_status status;
    RCITY_TRY_DONE(stage_build(context, &plain_surfaces, &surfaces));
    RCITY_TRY_DONE(rcity_surfaces_to_map(context, surfaces, 5.0, &map));
    status = rcity_surfaces_profile(context, surfaces, 12.0, 2.0, 8.0, &profile);
done:
    assert_true(status == RCITY_OK || profile == NULL);
    rcity_map_destroy(&map);
    rcity_surfaces_destroy(&profile);
    rcity_surfaces_destroy(&surfaces);
    return status;
}

static void test_memory_gives_out(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    long n = 0;
    while (status != RCITY_OK) {
        failing_allocator failing = {.fail_at = ++n};
        rcity_context *context = test_context_failing(&failing, 1);
        status = build_all(context);
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(rcity_context_memory_used(context), 0);
        failing.fail_at = 0;
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        assert_true(n < 500);
    }
    assert_true(n > 60);
}

TEST_SUITE(surfaces)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_and_bands_come_back),
        cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_tile_no_larger_than_the_caller_knows),
        cmocka_unit_test(test_names_of_bands_are_plain_and_different),
        cmocka_unit_test(test_figures_of_a_band),
        cmocka_unit_test(test_ground_map_of_turned_tiles),
        cmocka_unit_test(test_cell_takes_the_tile_it_lies_in),
        cmocka_unit_test(test_ground_map_has_all_bands_and_notes),
        cmocka_unit_test(test_ground_map_that_cannot_be),
        cmocka_unit_test(test_nearest_facade_is_chosen),
        cmocka_unit_test(test_facade_that_faces_the_place),
        cmocka_unit_test(test_facade_cut_differently_above),
        cmocka_unit_test(test_no_facade_near_enough),
        cmocka_unit_test(test_memory_gives_out),
    };
    return cmocka_run_group_tests_name("surfaces", tests, NULL, NULL);
}
