/* The fast segment test against the plain one, which it must equal without exception. */
#include "visibility/sight/sight_data.h"

#include "lattice.h"
#include "scene/place/terrain.h"
#include "sight_cases.h"

/* A scene with everything the comparison needs. */
typedef struct sight_stage {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_segment_scratch scratch;
    long count, free_count, close_count;
} sight_stage;

static void stage_init(sight_stage *stage, rcity_context *context, rcity_scene *scene, double cell_m)
{
    memset(stage, 0, sizeof *stage);
    stage->context = context;
    stage->scene = scene;
    stage->shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_sight_create_cells(context, stage->shapes, cell_m, &stage->sight));
    assert_ok(context, rcity_segment_scratch_init(context, stage->shapes, &stage->scratch));
}

static void stage_deinit(sight_stage *stage)
{
    rcity_segment_scratch_deinit(stage->context, &stage->scratch);
    rcity_sight_destroy(stage->context, &stage->sight);
    rcity_scene_destroy(&stage->scene);
}

/* One segment, both ways, by the walk, by the close look and by the plain test. */
static void check_segment(sight_stage *stage, const char *name, uint64_t seed, rcity_grid_point3 from,
                          rcity_grid_point3 to)
{
    bool expected = rcity_segment_is_free(stage->shapes, &stage->scratch, from, to);
    bool forth = rcity_sight_is_free(stage->sight, from, to);
    bool back = rcity_sight_is_free(stage->sight, to, from);
    bool close = !rcity_sight_buildings_block(stage->sight, from, to) &&
                 !rcity_terrain_blocks(&stage->shapes->terrain, from, to);
    rcity_sight_segment segment = {from.x, from.y, from.z, to.x, to.y, to.z};
    rcity_sight_answer answer = rcity_sight_test(&stage->sight->view, segment);
    if (forth != expected || back != expected || close != expected) {
        print_error("%s, seed %llu: (%d %d %d) to (%d %d %d): %d, back %d, closely %d, by the plain test %d\n", name,
                    (unsigned long long)seed, from.x, from.y, from.z, to.x, to.y, to.z, forth, back, close, expected);
        fail();
    }
    stage->count++;
    stage->free_count += expected;
    stage->close_count += answer == RCITY_SIGHT_LOOK_CLOSELY;
}

static void check_families(sight_stage *stage, uint64_t seed, uint64_t count, double reach_m)
{
    for (int family = 0; family < SIGHT_FAMILY_COUNT; family++) {
        for (uint64_t i = 0; i < count; i++) {
            rcity_grid_point3 from;
            rcity_grid_point3 to;
            sight_case(stage->shapes, (sight_family)family, seed, i, reach_m, &from, &to);
            check_segment(stage, sight_family_name((sight_family)family), seed, from, to);
        }
    }
}

/* The same segments all at once give the same answers. */
static void check_many(const sight_stage *stage, uint64_t seed, double reach_m)
{
    rcity_sight_segment segments[333]; /* not a multiple of anything */
    uint8_t answers[333];
    for (uint64_t i = 0; i < 333; i++) {
        rcity_grid_point3 from;
        rcity_grid_point3 to;
        sight_case(stage->shapes, (sight_family)(i % SIGHT_FAMILY_COUNT), seed, i, reach_m, &from, &to);
        segments[i] = (rcity_sight_segment){from.x, from.y, from.z, to.x, to.y, to.z};
    }
    for (int64_t count = 0; count <= 333; count += 111) {
        memset(answers, 7, sizeof answers);
        rcity_sight_test_many(&stage->sight->view, segments, count, answers);
        for (int64_t i = 0; i < 333; i++) {
            assert_int_equal(answers[i], i < count ? (int)rcity_sight_test(&stage->sight->view, segments[i]) : 7);
        }
    }
}

static void add_counts(sight_stage *all, const sight_stage *stage)
{
    all->count += stage->count;
    all->free_count += stage->free_count;
    all->close_count += stage->close_count;
}

static void print_stage(const sight_stage *stage, const char *name)
{
    print_message("%s: %ld segments agree both ways, %ld free, %ld looked at closely\n", name, stage->count,
                  stage->free_count, stage->close_count);
    assert_true(stage->free_count > stage->count / 50 && stage->free_count < stage->count * 49 / 50);
}

/* Polygons that overlap and touch in every way, in cells from far narrower than a wall to wider than the scene. */
static void test_fast_test_is_exact_among_polygons(void **state)
{
    (void)state;
    static const double cell_m[] = {0.25, 1.0, 3.0, 8.0, 64.0};
    rcity_context *context = test_context(1);
    sight_stage all;
    memset(&all, 0, sizeof all);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        sight_stage stage;
        stage_init(&stage, context, sight_messy_scene(context, seed), cell_m[seed % 5]);
        check_families(&stage, seed, 60, 20.0);
        check_many(&stage, seed, 20.0);
        add_counts(&all, &stage);
        stage_deinit(&stage);
    }
    print_stage(&all, "messy scenes, seeds 1 to 50");
    assert_true(all.close_count > 0 && all.close_count < all.count / 4);
    rcity_context_destroy(&context);
}

/* Whole cities: lists of a few walls in many cells, towers, hills. */
static void test_fast_test_is_exact_in_cities(void **state)
{
    (void)state;
    static const rcity_city_kind kinds[] = {RCITY_CITY_CORE, RCITY_CITY_GRID, RCITY_CITY_HIGHRISE, RCITY_CITY_HILLS};
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        sight_stage stage;
        rcity_city_kind kind = kinds[seed % 4];
        stage_init(&stage, context, sight_city(context, kind, seed, 0.2), RCITY_SIGHT_CELL_M);
        check_families(&stage, seed, 200, 300.0);
        check_many(&stage, seed, 300.0);
        print_stage(&stage, rcity_city_kind_name(kind));
        assert_int_equal(stage.close_count, 0); /* no made building touches itself */
        stage_deinit(&stage);
    }
    rcity_context_destroy(&context);
}

/* Against the lattice, which shares no code with either test. */
static void test_fast_test_equals_the_lattice(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        lattice cells;
        sight_stage stage;
        stage_init(&stage, context, lattice_make(context, seed, 4 + (int)(seed % 20), &cells),
                   seed % 2 == 0 ? 0.5 : 8.0);
        for (uint64_t i = 0; i < 400; i++) {
            int q[6];
            int step = i % 3 == 0 ? 4 : i % 3 == 1 ? 2 : 1; /* whole metres, halves, quarters */
            for (uint64_t k = 0; k < 6; k++) {
                uint64_t range = k % 3 == 2 ? 7 * 4 : (LATTICE_SIZE + 2) * 4;
                q[k] = (int)(test_random(seed, 1000 + i * 6 + k) % range) / step * step - (k % 3 == 2 ? 0 : 4);
            }
            q[3 + i % 2] = i % 5 == 0 ? q[i % 2] : q[3 + i % 2]; /* often along walls */
            if (q[0] == q[3] && q[1] == q[4]) {
                continue;
            }
            rcity_point a = {q[0] / 4.0, q[1] / 4.0, q[2] / 4.0};
            rcity_point b = {q[3] / 4.0, q[4] / 4.0, q[5] / 4.0};
            rcity_grid_point3 from;
            rcity_grid_point3 to;
            assert_ok(context, rcity_shapes_snap(context, stage.shapes, &a, &from));
            assert_ok(context, rcity_shapes_snap(context, stage.shapes, &b, &to));
            check_segment(&stage, "lattice", seed, from, to);
            assert_int_equal(rcity_sight_is_free(stage.sight, from, to), lattice_segment_is_free(&cells, q, q + 3));
        }
        stage_deinit(&stage);
    }
    rcity_context_destroy(&context);
}

/* The plan at its limits: walls and lines so long that products leave 64 bits, a scene without buildings, one without
   anything between. */
static void test_fast_test_is_exact_at_size_limits(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const test_box boxes[] = {{0, 0, 60000, 10, 950}, {59990, 10, 60000, 60000, 15}, {30000, 30000, 30001, 30001, 900}};
    sight_stage stage;
    stage_init(&stage, context, test_scene(context, boxes, 3), RCITY_SIGHT_CELL_M);
    check_families(&stage, 1, 500, 60000.0);
    check_many(&stage, 1, 60000.0);
    print_stage(&stage, "walls of 60 km");
    stage_deinit(&stage);
    const float heights_m[4] = {0.0f, 1500.0f, 100.0f, 800.0f}; /* cells too wide for 64 bits */
    rcity_terrain terrain = {2, 2, 0.0, 0.0, 10000.0, heights_m};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    assert_ok(context, rcity_scene_commit(scene));
    stage_init(&stage, context, scene, RCITY_SIGHT_CELL_M);
    check_families(&stage, 2, 300, 10000.0);
    print_stage(&stage, "one cell of terrain, 10 km wide");
    assert_true(stage.close_count > 0);
    stage_deinit(&stage);
    rcity_context_destroy(&context);
}

/* Along the rim of the terrain, where a line is in no cell by the usual rule; on all four sides, over all heights. */
static void test_fast_test_is_exact_along_terrain_rim(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    sight_stage stage;
    stage_init(&stage, context, sight_messy_scene(context, 2), RCITY_SIGHT_CELL_M);
    const rcity_terrain_grid *terrain = &stage.shapes->terrain;
    int32_t size = (terrain->column_count - 1) * terrain->cell;
    for (uint64_t i = 0; i < 4000; i++) {
        int32_t at[2];
        for (uint64_t k = 0; k < 2; k++) { /* beyond the corners too, often on nodes */
            int32_t step = i % 3 == 0 ? terrain->cell : 1;
            at[k] =
                (int32_t)(test_random(5, 4 * i + k) % (uint64_t)(size + 1000)) / step * step - (i % 3 == 0 ? 0 : 500);
        }
        int32_t side = test_random(5, 4 * i + 2) % 2 == 0 ? 0 : size;
        int32_t z = (int32_t)(test_random(5, 4 * i + 3) % 300) - 20;
        bool is_row = i % 2 == 0;
        rcity_grid_point3 from = {terrain->west + (is_row ? at[0] : side), terrain->south + (is_row ? side : at[0]), z};
        rcity_grid_point3 to = {terrain->west + (is_row ? at[1] : side), terrain->south + (is_row ? side : at[1]),
                                z + (int32_t)(i % 7) * 20};
        check_segment(&stage, "along the rim", 5, from, to);
    }
    print_stage(&stage, "along the rim of the terrain");
    stage_deinit(&stage);
    rcity_context_destroy(&context);
}

static void test_allocation_failure(void **state)
{
    (void)state;
    bool is_done = false;
    for (long n = 1; !is_done; n++) {
        failing_allocator failing = {.fail_at = 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = sight_messy_scene(context, 4);
        long live_count = failing.live_count;
        rcity_sight *sight = NULL;
        failing.call_count = 0;
        failing.fail_at = n;
        rcity_status status = rcity_sight_create(context, rcity_scene_shapes(scene), &sight);
        failing.fail_at = 0;
        is_done = status == RCITY_OK;
        assert_true(is_done || (status == RCITY_ERR_MEMORY && sight == NULL));
        assert_true(is_done || failing.live_count == live_count);
        rcity_sight_destroy(context, &sight);
        assert_int_equal(failing.live_count, live_count);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
    }
}

/* The lowest whole height on or above the ground, inside the grid, on its rim, and none outside. */
static void test_ground_height_is_that_of_the_terrain(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    sight_stage stage;
    stage_init(&stage, context, sight_city(context, RCITY_CITY_HILLS, 5, 0.2), RCITY_SIGHT_CELL_M);
    const rcity_terrain_grid *terrain = &stage.shapes->terrain;
    int32_t x_end = terrain->west + (terrain->column_count - 1) * terrain->cell;
    int32_t y_end = terrain->south + (terrain->row_count - 1) * terrain->cell;
    int32_t height;
    for (uint64_t i = 0; i < 5000; i++) {
        int32_t x = (int32_t)test_uniform(17, 2 * i, terrain->west, x_end + 1.0);
        int32_t y = i % 5 == 0 ? y_end : (int32_t)test_uniform(17, 2 * i + 1, terrain->south, y_end + 1.0);
        x = i % 7 == 0 ? x_end : x;
        assert_true(rcity_sight_ground_height(&stage.sight->view, x, y, &height));
        assert_int_equal(height, (int32_t)ceil(rcity_terrain_height(terrain, x, y)));
    }
    assert_false(rcity_sight_ground_height(&stage.sight->view, x_end + 1, y_end, &height));
    assert_false(rcity_sight_ground_height(&stage.sight->view, terrain->west, terrain->south - 1, &height));
    stage_deinit(&stage);
    stage_init(&stage, context, sight_city(context, RCITY_CITY_CORE, 5, 0.1), RCITY_SIGHT_CELL_M);
    assert_false(rcity_sight_ground_height(&stage.sight->view, stage.shapes->x_min, stage.shapes->y_min, &height));
    stage_deinit(&stage);
    rcity_context_destroy(&context);
}

TEST_SUITE(sight)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fast_test_is_exact_among_polygons),
        cmocka_unit_test(test_fast_test_is_exact_in_cities),
        cmocka_unit_test(test_fast_test_equals_the_lattice),
        cmocka_unit_test(test_fast_test_is_exact_at_size_limits),
        cmocka_unit_test(test_fast_test_is_exact_along_terrain_rim),
        cmocka_unit_test(test_ground_height_is_that_of_the_terrain),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("sight", tests, NULL, NULL);
}
