/* Triangles of roofs: each turns left, none is flat, and together they have the area of the roof. */
#include "bench/roof_triangles.h"

#include "rcity_test.h"
#include "scene/shape/prism.h"
#include "sight_cases.h"

/* Cut every roof of a scene; returns how many prisms there were, holes among them. */
static long check_scene(rcity_context *context, rcity_scene *scene, uint64_t seed, long *hole_count)
{
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    rcity_roof_triangles triangles;
    memset(&triangles, 0, sizeof triangles);
    triangles.context = context;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        triangles.corner_count = 0;
        assert_ok(context, rcity_roof_triangles_add(&triangles, shapes, prism));
        int64_t area2 = 0;
        for (size_t k = 0; k < triangles.corner_count; k += 3) {
            const int32_t *corner = triangles.corner + k;
            int64_t twice =
                rcity_orient(shapes->points[corner[0]], shapes->points[corner[1]], shapes->points[corner[2]]);
            assert_true(twice > 0);
            area2 += twice;
        }
        if ((double)area2 != rcity_prism_area2(shapes, prism)) {
            print_error("seed %llu, prism %lld with %d rings: triangles have %lld, the roof %.0f\n",
                        (unsigned long long)seed, (long long)i, prism->ring_count, (long long)area2,
                        rcity_prism_area2(shapes, prism));
            fail();
        }
        *hole_count += prism->ring_count - 1;
    }
    long prism_count = (long)shapes->prism_count;
    rcity_roof_triangles_deinit(&triangles);
    rcity_scene_destroy(&scene);
    return prism_count;
}

/* Houses with up to nine courtyards, each a triangle or a square somewhere in its own ninth of the house. */
static rcity_scene *make_courtyards(rcity_context *context, uint64_t seed)
{
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int k = 0; k < 20; k++) {
        double west = 100.0 * k;
        double xy_m[2 * (4 + 9 * 4)] = {west, 0, west + 60, 0, west + 60, 60, west, 60};
        int counts[10] = {4};
        double *next = xy_m + 8;
        int ring_count = 1;
        for (int cell = 0; cell < 9; cell++) {
            uint64_t draw = test_random(seed, (uint64_t)k * 9 + (uint64_t)cell);
            if (draw % 3 == 0) {
                continue;
            }
            double x = west + 20 * (cell % 3) + 1 + (double)(draw / 3 % 6);
            double y = 20 * (cell / 3) + 1 + (double)(draw / 18 % 6);
            double size = 3 + (double)(draw / 108 % 9);
            const double corners[8] = {x, y, x + size, y, x + size, y + size, x, y + size};
            counts[ring_count] = 3 + (int)(draw / 972 % 2);
            memcpy(next, corners, 2 * (size_t)counts[ring_count] * sizeof *next);
            next += 2 * counts[ring_count++];
        }
        rcity_building building = rcity_building_default();
        building.id = k;
        building.ring_count = ring_count;
        building.ring_point_count = counts;
        building.xy_m = xy_m;
        building.height_m = 10.0;
        assert_ok(context, rcity_scene_add_building(scene, &building));
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static void test_triangles_have_the_area_of_the_roof(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    long prism_count = 0;
    long hole_count = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        rcity_city_kind kind = seed == 1 ? RCITY_CITY_GRID : seed == 2 ? RCITY_CITY_CORE : RCITY_CITY_HIGHRISE;
        prism_count += check_scene(context, sight_city(context, kind, seed, 0.5), seed, &hole_count);
    }
    for (uint64_t seed = 1; seed <= 10; seed++) {
        prism_count += check_scene(context, make_courtyards(context, seed), seed, &hole_count);
    }
    print_message("%ld roofs with %ld courtyards have the area of their triangles\n", prism_count, hole_count);
    assert_true(prism_count > 100 && hole_count > 500);
    rcity_context_destroy(&context);
}

TEST_SUITE(roof_triangles)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles_have_the_area_of_the_roof),
    };
    return cmocka_run_group_tests_name("roof_triangles", tests, NULL, NULL);
}
