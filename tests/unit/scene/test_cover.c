/* Roof rasters against single questions, and single questions against the lattice. */
#include "lattice.h"

#include "scene/place/cover.h"

static void test_against_lattice(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        lattice cells;
        rcity_scene *scene = lattice_make(context, seed, 12, &cells);
        for (int y = 0; y < LATTICE_SIZE; y++) {
            for (int x = 0; x < LATTICE_SIZE; x++) {
                /* the middle of a cell, and its south-west corner, which belongs to the cell north-east of it */
                for (int corner = 0; corner < 2; corner++) {
                    rcity_cover cover;
                    double shift = corner ? 0.0 : 0.5;
                    assert_ok(context, rcity_scene_get_cover(context, scene, x + shift, y + shift, &cover));
                    assert_int_equal(cover.is_covered, cells.height[y][x] > 0);
                    assert_near(cover.is_covered ? cover.roof_m : 0.0, cells.height[y][x], 0.0);
                }
            }
        }
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

/* Odd cells, so that centres fall on walls, between them, and off the grid. */
static void test_roof_raster_equals_single_queries(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_city_options options = rcity_city_options_default();
    options.area_km2 = 0.1;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    const double cell_sizes_m[] = {0.7, 1.0, 3.3, 25.0, 400.0};
    for (size_t i = 0; i < sizeof cell_sizes_m / sizeof cell_sizes_m[0]; i++) {
        rcity_raster raster = {0, 0, -3.0, 321.0, cell_sizes_m[i]};
        raster.column_count = (int64_t)ceil(325.0 / raster.cell_m);
        raster.row_count = raster.column_count;
        int64_t count = raster.column_count * raster.row_count;
        float *roof_m = malloc((size_t)count * sizeof *roof_m);
        assert_non_null(roof_m);
        assert_ok(context, rcity_raster_cover(context, rcity_scene_shapes(scene), &raster, roof_m));
        for (int64_t cell = 0; cell < count; cell++) {
            double x_m = raster.west_m + ((double)(cell % raster.column_count) + 0.5) * raster.cell_m;
            double y_m = raster.north_m - ((double)(cell / raster.column_count) + 0.5) * raster.cell_m;
            rcity_cover cover;
            assert_ok(context, rcity_scene_get_cover(context, scene, x_m, y_m, &cover));
            if (cover.is_covered) {
                assert_near((double)roof_m[cell], cover.roof_m, 1e-5);
            } else {
                assert_true(roof_m[cell] == -INFINITY);
            }
        }
        free(roof_m);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(cover)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_lattice),
        cmocka_unit_test(test_roof_raster_equals_single_queries),
    };
    return cmocka_run_group_tests_name("cover", tests, NULL, NULL);
}
