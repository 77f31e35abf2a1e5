/* Compiled scenes: what is saved is loaded; files with right checksums and wrong numbers are refused. */
#include "rcity_test.h"

#include <unistd.h>

#include "base/base.h"
#include "io/rcity_file.h"
#include "scene/shapes.h"

static rcity_scene *make_city(rcity_context *context, rcity_city_kind kind)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.area_km2 = 0.1;
    options.crs = "EPSG:32632";
    options.origin_x_m = 691000;
    options.origin_y_m = 5334000;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    return scene;
}

static void test_round_trip(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        const char *path = test_path("city.rcity");
        rcity_scene *saved = make_city(context, (rcity_city_kind)kind);
        rcity_scene *loaded = NULL;
        assert_ok(context, rcity_scene_save(context, saved, path));
        assert_ok(context, rcity_scene_load(context, path, &loaded));
        rcity_scene_info a;
        rcity_scene_info b;
        assert_ok(context, rcity_scene_describe(saved, &a));
        assert_ok(context, rcity_scene_describe(loaded, &b));
        assert_string_equal(a.crs, b.crs);
        assert_string_equal(a.source, b.source);
        a.crs = b.crs = a.source = b.source = NULL;
        assert_memory_equal(&a, &b, sizeof a);
        const rcity_shapes *x = rcity_scene_shapes(saved);
        const rcity_shapes *y = rcity_scene_shapes(loaded);
        if (x->facade_count > 0) {
            assert_memory_equal(x->facades, y->facades, (size_t)x->facade_count * sizeof *x->facades);
            assert_memory_equal(x->buildings, y->buildings, (size_t)x->building_count * sizeof *x->buildings);
        }
        for (uint64_t i = 0; i < 200; i++) {
            rcity_point from = {691000 + test_uniform(1, 6 * i, 0, 300), 5334000 + test_uniform(1, 6 * i + 1, 0, 300),
                                test_uniform(1, 6 * i + 2, 0, 100)};
            rcity_point to = {691000 + test_uniform(1, 6 * i + 3, 0, 300), 5334000 + test_uniform(1, 6 * i + 4, 0, 300),
                              test_uniform(1, 6 * i + 5, 0, 100)};
            bool is_free[2];
            assert_ok(context, rcity_scene_test_segment(context, saved, &from, &to, &is_free[0]));
            assert_ok(context, rcity_scene_test_segment(context, loaded, &from, &to, &is_free[1]));
            assert_int_equal(is_free[0], is_free[1]);
        }
        rcity_scene_destroy(&saved);
        rcity_scene_destroy(&loaded);
        unlink(path);
    }
    rcity_context_destroy(&context);
}

/* Blocks of a sound scene, each of which a case below spoils in one number. */
static void test_wrong_numbers(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene *scene = make_city(context, RCITY_CITY_HIGHRISE);
    const char *path = test_path("wrong.rcity");
    /* The shapes are the test's own to spoil: the scene is not used for anything else. */
    rcity_shapes *shapes = (rcity_shapes *)(uintptr_t)rcity_scene_shapes(scene);
    int32_t *const spoiled[] = {&shapes->ring_first[1],
                                &shapes->points[3].x,
                                &shapes->prisms[0].first_ring,
                                &shapes->prisms[1].building,
                                &shapes->prisms[0].ring_count,
                                &shapes->facades[0].prism,
                                &shapes->facades[2].edge,
                                &shapes->terrain.column_count,
                                &shapes->terrain.cell,
                                &shapes->units_per_m,
                                &shapes->x_max};
    static const int32_t values[] = {-1, INT32_MAX, INT32_MIN, 2000000000};
    for (size_t i = 0; i < sizeof spoiled / sizeof spoiled[0]; i++) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            int32_t kept = *spoiled[i];
            *spoiled[i] = values[k];
            if (spoiled[i] == &shapes->terrain.column_count) {
                shapes->terrain.column_count = kept + 1; /* what save itself can write */
                shapes->terrain.row_count--;
            }
            assert_ok(context, rcity_scene_save(context, scene, path));
            *spoiled[i] = kept;
            if (spoiled[i] == &shapes->terrain.column_count) {
                shapes->terrain.row_count++;
            }
            rcity_scene *loaded = NULL;
            rcity_status status = rcity_scene_load(context, path, &loaded);
            if (spoiled[i] == &shapes->terrain.column_count && status == RCITY_OK) {
                rcity_scene_destroy(&loaded); /* another grid of the same number of nodes may be sound */
                continue;
            }
            if (status != RCITY_ERR_FORMAT) {
                print_error("case %zu with %d: %s\n", i, values[k], rcity_status_name(status));
                fail();
            }
            assert_null(loaded);
        }
    }
    /* a ring of two points, its neighbour two longer */
    shapes->ring_first[1] = 2;
    assert_ok(context, rcity_scene_save(context, scene, path));
    rcity_scene *loaded = NULL;
    assert_status(context, rcity_scene_load(context, path, &loaded), RCITY_ERR_FORMAT);
    assert_message(context, "impossible rings");
    rcity_scene_destroy(&scene);
    unlink(path);
    rcity_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_wrong_numbers),
    };
    return cmocka_run_group_tests_name("rcity_file", tests, NULL, NULL);
}
