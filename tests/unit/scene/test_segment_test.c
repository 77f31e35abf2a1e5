/* The exact segment test: known cases, then tens of thousands of degenerate ones against the lattice city. */
#include "lattice.h"

#include "scene/place/segment_test.h"
#include "scene/scene_data.h"

/* Through the index of prisms: the same answer, both ways. */
static bool is_free_indexed(rcity_context *context, const rcity_scene *scene, rcity_point a, rcity_point b)
{
    rcity_segment_scratch scratch;
    rcity_grid_point3 from;
    rcity_grid_point3 to;
    assert_ok(context, rcity_shapes_snap(context, rcity_scene_shapes(scene), &a, &from));
    assert_ok(context, rcity_shapes_snap(context, rcity_scene_shapes(scene), &b, &to));
    assert_ok(context, rcity_segment_scratch_init(context, rcity_scene_shapes(scene), &scratch));
    scratch.segment = UINT32_MAX - 1; /* the marks start over on the way */
    bool forth = rcity_segment_is_free_indexed(rcity_scene_shapes(scene), &scene->prism_index, &scratch, from, to);
    bool back = rcity_segment_is_free_indexed(rcity_scene_shapes(scene), &scene->prism_index, &scratch, to, from);
    bool again = rcity_segment_is_free_indexed(rcity_scene_shapes(scene), &scene->prism_index, &scratch, from, to);
    rcity_segment_scratch_deinit(context, &scratch);
    assert_int_equal(forth, back);
    assert_int_equal(forth, again);
    return forth;
}

static bool is_free(rcity_context *context, const rcity_scene *scene, rcity_point a, rcity_point b)
{
    bool forth = false;
    bool back = false;
    assert_ok(context, rcity_scene_test_segment(context, scene, &a, &b, &forth));
    assert_ok(context, rcity_scene_test_segment(context, scene, &b, &a, &back));
    assert_int_equal(forth, back);
    assert_int_equal(forth, is_free_indexed(context, scene, a, b));
    return forth;
}

#define AT(x, y, z) ((rcity_point){x, y, z})

static void test_one_box(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box box = {10, 10, 20, 20, 12};
    rcity_scene *scene = test_scene(context, &box, 1);
    assert_false(is_free(context, scene, AT(0, 15, 2), AT(30, 15, 2)));
    assert_true(is_free(context, scene, AT(0, 15, 13), AT(30, 15, 13)));
    assert_true(is_free(context, scene, AT(0, 15, 12), AT(30, 15, 12)));             /* grazes the roof */
    assert_false(is_free(context, scene, AT(0, 15, 12), AT(30, 15, 12 - 1 / 64.0))); /* dips one height unit below it */
    assert_true(is_free(context, scene, AT(0, 10, 2), AT(30, 10, 2)));               /* runs along a wall */
    assert_false(is_free(context, scene, AT(0, 10 + 1 / 128.0, 2), AT(30, 10 + 1 / 128.0, 2)));
    assert_true(is_free(context, scene, AT(0, 0, 2), AT(10, 10, 2)));     /* ends in a corner */
    assert_true(is_free(context, scene, AT(5, 15, 2), AT(15, 5, 2)));     /* passes through a corner */
    assert_false(is_free(context, scene, AT(0, 0, 2), AT(30, 30, 2)));    /* corner to corner, through */
    assert_false(is_free(context, scene, AT(15, 15, 2), AT(15, 0, 2)));   /* starts inside */
    assert_true(is_free(context, scene, AT(15, 15, 12), AT(15, 15, 40))); /* up from the roof */
    assert_false(is_free(context, scene, AT(15, 15, 11), AT(15, 15, 40)));
    assert_true(is_free(context, scene, AT(10, 15, 1), AT(10, 15, 40))); /* vertical, touches the wall */
    assert_false(is_free(context, scene, AT(0, 15, 20), AT(30, 15, 2))); /* comes down behind the first wall */
    assert_true(is_free(context, scene, AT(0, 15, 60), AT(30, 15, 2)) ==
                (60.0 - 58.0 * 20.0 / 30.0 >= 12.0)); /* clears the far rim or not: 21.3 m there */
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_common_wall(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{10, 0, 20, 10, 8}, {10, 10, 20, 20, 12}, {30, 0, 40, 10, 8}, {40, 10, 50, 20, 8}};
    rcity_scene *scene = test_scene(context, boxes, 4);
    assert_false(is_free(context, scene, AT(0, 10, 2), AT(25, 10, 2))); /* inside the common wall */
    assert_true(is_free(context, scene, AT(0, 10, 8), AT(25, 10, 8)));  /* on the lower roof, along the higher wall */
    assert_false(is_free(context, scene, AT(0, 10, 7.9), AT(25, 10, 7.9)));
    assert_true(is_free(context, scene, AT(30, 20, 2), AT(50, 0, 2)));  /* between two that meet in a corner only */
    assert_false(is_free(context, scene, AT(30, 0, 2), AT(50, 20, 2))); /* through both */
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

static void test_courtyard_is_free_to_see_across(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    const double xy_m[] = {0, 0, 40, 0, 40, 40, 0, 40, 10, 10, 10, 30, 30, 30, 30, 10};
    const int counts[] = {4, 4};
    rcity_building building = rcity_building_default();
    building.ring_count = 2;
    building.ring_point_count = counts;
    building.xy_m = xy_m;
    building.height_m = 15;
    assert_ok(context, rcity_scene_add_building(scene, &building));
    assert_ok(context, rcity_scene_commit(scene));
    assert_true(is_free(context, scene, AT(12, 12, 1), AT(28, 28, 1)));
    assert_true(is_free(context, scene, AT(10, 10, 1), AT(30, 30, 1)));
    assert_false(is_free(context, scene, AT(12, 12, 1), AT(5, 12, 1)));
    assert_false(is_free(context, scene, AT(-5, 20, 1), AT(20, 20, 1)));
    assert_true(is_free(context, scene, AT(20, 20, 1), AT(20, 20, 30)));
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

/* Ends on a quarter-metre lattice around boxes on the metre lattice: walls, corners and roofs are hit all the time. */
static void test_against_lattice(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    long blocked_count = 0;
    long count = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        lattice cells;
        rcity_scene *scene = lattice_make(context, seed, 4 + (int)(seed % 20), &cells);
        for (uint64_t i = 0; i < 500; i++) {
            int from_q[3];
            int to_q[3];
            int step = i % 3 == 0 ? 4 : i % 3 == 1 ? 2 : 1; /* whole metres, halves, quarters */
            for (int axis = 0; axis < 3; axis++) {
                uint64_t range = axis == 2 ? 7 * 4 : (LATTICE_SIZE + 2) * 4;
                int shift = axis == 2 ? 0 : -4;
                from_q[axis] = (int)(test_random(seed, 1000 + i * 6 + (uint64_t)axis) % range) / step * step + shift;
                to_q[axis] = (int)(test_random(seed, 1003 + i * 6 + (uint64_t)axis) % range) / step * step + shift;
            }
            if (i % 5 == 0) {
                to_q[i % 2] = from_q[i % 2]; /* along an axis, often along walls */
            }
            if (from_q[0] == to_q[0] && from_q[1] == to_q[1]) {
                continue;
            }
            rcity_point a = AT(from_q[0] / 4.0, from_q[1] / 4.0, from_q[2] / 4.0);
            rcity_point b = AT(to_q[0] / 4.0, to_q[1] / 4.0, to_q[2] / 4.0);
            bool expected = lattice_segment_is_free(&cells, from_q, to_q);
            bool actual = is_free(context, scene, a, b);
            if (actual != expected) {
                print_error("seed %llu, segment %llu: (%g %g %g) to (%g %g %g) is %s, the lattice says %s\n",
                            (unsigned long long)seed, (unsigned long long)i, a.x_m, a.y_m, a.z_m, b.x_m, b.y_m, b.z_m,
                            actual ? "free" : "blocked", expected ? "free" : "blocked");
                fail();
            }
            blocked_count += !expected;
            count++;
        }
        rcity_scene_destroy(&scene);
    }
    print_message("%ld segments agree, %ld of them blocked, seeds 1 to 40\n", count, blocked_count);
    assert_true(blocked_count > count / 10 && blocked_count < count * 9 / 10); /* both answers were tried */
    rcity_context_destroy(&context);
}

/* Larger cities, where the index leaves out most of the buildings: through, over and beside them, from far outside
   too. */
static void test_index_gives_the_plain_answer(void **state)
{
    (void)state;
    static const rcity_city_kind kinds[] = {RCITY_CITY_CORE, RCITY_CITY_GRID, RCITY_CITY_HIGHRISE, RCITY_CITY_HILLS};
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rcity_city_options options = rcity_city_options_default();
        options.kind = kinds[seed % 4];
        options.seed = seed;
        options.area_km2 = 0.3;
        rcity_scene *scene = NULL;
        assert_ok(context, rcity_city_make(context, &options, &scene));
        rcity_scene_info info;
        assert_ok(context, rcity_scene_describe(scene, &info));
        double top_m = info.ground_max_m + fmax(info.height_max_m, 10.0);
        int free_count = 0;
        for (uint64_t i = 0; i < 2000; i++) {
            double v[6];
            for (uint64_t k = 0; k < 6; k++) {
                double reach_m = k < 3 ? 20.0 : i % 10 == 0 ? 5000.0 : 20.0;
                double low = k % 3 == 0 ? info.x_min_m : info.y_min_m;
                double high = k % 3 == 0 ? info.x_max_m : info.y_max_m;
                v[k] = k % 3 == 2 ? test_uniform(seed, 6 * i + k, info.ground_min_m, top_m)
                                  : test_uniform(seed, 6 * i + k, low - reach_m, high + reach_m);
            }
            if (i % 7 == 0) { /* straight north, east or up */
                v[3 + i % 2] = v[i % 2];
                v[4] = i % 14 == 0 ? v[1] : v[4];
            }
            free_count += is_free(context, scene, AT(v[0], v[1], v[2]), AT(v[3], v[4], v[5]));
        }
        print_message("%s, seed %llu: 2000 segments, %d free\n", rcity_city_kind_name(options.kind),
                      (unsigned long long)seed, free_count);
        assert_true(free_count > 20 && free_count < 1980);
        rcity_scene_destroy(&scene);
    }
    rcity_context_destroy(&context);
}

static void test_bad_points(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box box = {10, 10, 20, 20, 12};
    rcity_scene *scene = test_scene(context, &box, 1);
    bool result = true;
    rcity_point good = AT(0, 0, 1);
    rcity_point bad = AT((double)NAN, 0, 1);
    assert_status(context, rcity_scene_test_segment(context, scene, &good, &bad, &result), RCITY_ERR_ARGUMENT);
    bad = AT(0, 1e9, 1);
    assert_status(context, rcity_scene_test_segment(context, scene, &bad, &good, &result), RCITY_ERR_ARGUMENT);
    assert_message(context, "far outside");
    assert_true(result); /* untouched */
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(segment_test)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_box),
        cmocka_unit_test(test_common_wall),
        cmocka_unit_test(test_courtyard_is_free_to_see_across),
        cmocka_unit_test(test_against_lattice),
        cmocka_unit_test(test_index_gives_the_plain_answer),
        cmocka_unit_test(test_bad_points),
    };
    return cmocka_run_group_tests_name("segment_test", tests, NULL, NULL);
}
