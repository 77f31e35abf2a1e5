/* Cubes of small cities against a plain classification of every cube: all prisms, all walls, all edges. */
#include "visibility/city_cubes/city_cubes.h"

#include "rcity_test.h"
#include "scene/place/terrain.h"
#include "scene/shape/prism.h"

static const uint64_t seed = 20271119;

static const rcity_cube_box no_box = {0.0, 0.0, -1.0, -1.0};

/* A city with its cubes. */
typedef struct cube_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_facet_table table;
    rcity_city_cubes cubes;
} cube_stage;

static void stage_init(rcity_city_kind kind, uint64_t number, double edge_m, int thread_count, cube_stage *stage)
{
    memset(stage, 0, sizeof *stage);
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.seed = number;
    options.area_km2 = 0.1;
    stage->context = test_context(thread_count);
    assert_ok(stage->context, rcity_city_make(stage->context, &options, &stage->scene));
    assert_ok(stage->context, rcity_facet_table_init(stage->context, stage->scene, 1e9, &stage->table));
    rcity_cube_box box = rcity_city_cubes_bound(stage->table.shapes, no_box);
    assert_ok(stage->context, rcity_city_cubes_init(stage->context, &stage->table, box, edge_m, &stage->cubes));
}

static void stage_deinit(cube_stage *stage)
{
    rcity_city_cubes_deinit(stage->context, &stage->cubes);
    rcity_facet_table_deinit(stage->context, &stage->table);
    test_close(&stage->context, &stage->scene, NULL);
}

/* The middle of a cube. */
static rcity_place3 middle_of(const rcity_cube_map *map, rcity_cube cube)
{
    return (rcity_place3){(double)map->west_m + (cube.column + 0.5) * (double)map->edge_m,
                          (double)map->south_m + (cube.row + 0.5) * (double)map->edge_m,
                          (double)map->bottom_m + (cube.layer + 0.5) * (double)map->height_m};
}

/* How high a place is filled, by all prisms. */
static double plain_top_m(const rcity_shapes *shapes, double x_m, double y_m)
{
    rcity_grid_point at = {(int32_t)lround(x_m * shapes->units_per_m), (int32_t)lround(y_m * shapes->units_per_m)};
    double top_m = 0.0;
    if (shapes->terrain.column_count > 0) {
        top_m = rcity_terrain_contains(&shapes->terrain, at.x, at.y)
                    ? rcity_terrain_height(&shapes->terrain, at.x, at.y) / RCITY_HEIGHT_UNITS_PER_M
                    : 0.0;
    }
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        if (rcity_prism_owns(shapes, &shapes->prisms[i], at)) {
            top_m = fmax(top_m, (double)shapes->prisms[i].roof / RCITY_HEIGHT_UNITS_PER_M);
        }
    }
    return top_m;
}

/* How far a segment in plan keeps from a square around a place, in units of nothing: 0 where it passes it. By clipping. */
static bool passes_square(const rcity_mirror *wall, rcity_place3 middle, double half_m)
{
    double low = 0.0;
    double high = 1.0;
    double from[2] = {wall->x1 - middle.x, wall->y1 - middle.y};
    double step[2] = {wall->x2 - wall->x1, wall->y2 - wall->y1};
    for (int k = 0; k < 2; k++) {
        if (fabs(step[k]) < 1e-12) {
            if (fabs(from[k]) > half_m) {
                return false;
            }
            continue;
        }
        double a = (-half_m - from[k]) / step[k];
        double b = (half_m - from[k]) / step[k];
        low = fmax(low, fmin(a, b));
        high = fmin(high, fmax(a, b));
    }
    return low <= high;
}

static bool overlap(double low, double high, double bottom, double top, double slack)
{
    return top >= low - slack && bottom <= high + slack;
}

/* What all walls and edges make of a cube that is wider by `slack` metres. */
static unsigned plain_sources(const cube_stage *stage, rcity_cube cube, double slack)
{
    const rcity_cube_map *map = &stage->cubes.map;
    const rcity_facet_table *table = &stage->table;
    rcity_place3 middle = middle_of(map, cube);
    double half_m = 0.5 * (double)map->edge_m + slack;
    double low_m = middle.z - 0.5 * (double)map->height_m;
    double high_m = middle.z + 0.5 * (double)map->height_m;
    unsigned found = 0;
    for (int64_t i = 0; i < table->wall_count; i++) {
        const rcity_mirror *wall = &table->mirrors[i];
        if (passes_square(wall, middle, half_m)) {
            found |= overlap(low_m, high_m, wall->bottom, wall->top, slack) ? RCITY_CUBE_REFLECTS : 0;
            found |= overlap(low_m, high_m, wall->top, wall->top, slack) ? RCITY_CUBE_HORIZONTAL : 0;
        }
    }
    for (int64_t i = table->roof_edge_count; i < table->edge_count; i++) {
        const rcity_facet_edge *edge = &table->edges[i];
        bool is_here = fabs(edge->a.x - middle.x) <= half_m && fabs(edge->a.y - middle.y) <= half_m;
        bool is_high = overlap(low_m, high_m, edge->a.z, edge->b.z, slack);
        found |= is_here && is_high && edge->exterior_rad > RCITY_TRACE_PI ? RCITY_CUBE_VERTICAL : 0;
    }
    return found;
}

/* Every cube of a city; those that a wall only touches may fall to either side. */
static void check_city(rcity_city_kind kind, uint64_t number, double edge_m)
{
    cube_stage stage;
    stage_init(kind, number, edge_m, 0, &stage);
    const rcity_cube_map *map = &stage.cubes.map;
    int64_t count[4] = {0, 0, 0, 0};
    rcity_cube cube;
    for (cube.row = 0; cube.row < map->row_count; cube.row++) {
        for (cube.column = 0; cube.column < map->column_count; cube.column++) {
            rcity_cube low = {cube.column, cube.row, 0};
            rcity_place3 middle = middle_of(map, low);
            double top_m = plain_top_m(stage.table.shapes, middle.x, middle.y);
            bool is_drawn = test_random(seed, (uint64_t)cube.row * 7919u + (uint64_t)cube.column) % 64 == 0;
            for (cube.layer = 0; cube.layer < map->layer_count; cube.layer++) {
                unsigned is = rcity_city_cubes_class(&stage.cubes, cube);
                double z_m = middle_of(map, cube).z;
                if (fabs(z_m - top_m) > 1e-3) {
                    assert_int_equal(is & RCITY_CUBE_FILLED, z_m < top_m ? RCITY_CUBE_FILLED : 0);
                }
                unsigned sources = is & ~RCITY_CUBE_FILLED;
                if (is_drawn) {
                    assert_int_equal(plain_sources(&stage, cube, -5e-3) & ~sources, 0);
                    assert_int_equal(sources & ~plain_sources(&stage, cube, 5e-3), 0);
                }
                for (int k = 0; k < 4; k++) {
                    count[k] += (is >> k) & 1u;
                }
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        assert_true(count[k] > 0);
    }
    stage_deinit(&stage);
}

static void test_classes(void **state)
{
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    check_city(RCITY_CITY_GRID, 1, 5.0);
    check_city(RCITY_CITY_CORE, 2, 2.0);
    check_city(RCITY_CITY_HIGHRISE, 3, 4.0);
}

/* The same bytes with one thread and with three. */
static void test_threads(void **state)
{
    (void)state;
    cube_stage one, three;
    stage_init(RCITY_CITY_HIGHRISE, 4, 3.0, 1, &one);
    stage_init(RCITY_CITY_HIGHRISE, 4, 3.0, 3, &three);
    size_t count = (size_t)one.cubes.map.column_count * (size_t)one.cubes.map.row_count;
    size_t words = count * (size_t)one.cubes.map.word_count;
    assert_memory_equal(&one.cubes.map, &three.cubes.map, sizeof one.cubes.map);
    assert_memory_equal(one.cubes.words, three.cubes.words, words * sizeof *one.cubes.words);
    assert_memory_equal(one.cubes.columns, three.cubes.columns, (count + 1) * sizeof *one.cubes.columns);
    assert_memory_equal(one.cubes.column_walls, three.cubes.column_walls,
                        (size_t)one.cubes.columns[count].wall_first * sizeof *one.cubes.column_walls);
    stage_deinit(&one);
    stage_deinit(&three);
}

/* Streets of 4 m are lost between cubes of 10 m, not between cubes of 1 m. */
static void test_narrow_streets(void **state)
{
    (void)state;
    rcity_context *context = test_context(0);
    test_box boxes[8];
    for (int i = 0; i < 8; i++) {
        boxes[i] = (test_box){i * 24.0, 0.0, i * 24.0 + 20.0, 100.0, 15.0};
    }
    rcity_scene *scene = test_scene(context, boxes, 8);
    rcity_facet_table table;
    rcity_city_cubes cubes;
    double share[2];
    assert_ok(context, rcity_facet_table_init(context, scene, 1e9, &table));
    for (int i = 0; i < 2; i++) {
        rcity_cube_box box = rcity_city_cubes_bound(table.shapes, no_box);
        assert_ok(context, rcity_city_cubes_init(context, &table, box, i == 0 ? 1.0 : 10.0, &cubes));
        share[i] = rcity_city_cubes_narrow_share(&cubes);
        rcity_city_cubes_deinit(context, &cubes);
    }
    assert_true(share[0] == 0.0);
    assert_true(share[1] > 0.02);
    assert_status(context,
                  rcity_city_cubes_init(context, &table, rcity_city_cubes_bound(table.shapes, no_box), 1e-3, &cubes),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "use cubes of");
    rcity_facet_table_deinit(context, &table);
    test_close(&context, &scene, NULL);
}

/* Each allocation fails once: nothing stays behind. */
static void test_allocation(void **state)
{
    (void)state;
    test_box box = {0.0, 0.0, 30.0, 20.0, 12.0};
    rcity_status status = RCITY_ERR_MEMORY;
    for (long n = 1; status != RCITY_OK; n++) {
        failing_allocator failing = {0, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = test_scene(context, &box, 1);
        rcity_facet_table table;
        rcity_city_cubes cubes;
        assert_ok(context, rcity_facet_table_init(context, scene, 1e9, &table));
        rcity_cube_box all = rcity_city_cubes_bound(table.shapes, no_box);
        failing.fail_at = failing.call_count + n;
        status = rcity_city_cubes_init(context, &table, all, 2.0, &cubes);
        failing.fail_at = 0;
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        if (status == RCITY_OK) {
            assert_true(n > 6);
        } else {
            assert_null(cubes.words);
        }
        rcity_city_cubes_deinit(context, &cubes);
        rcity_facet_table_deinit(context, &table);
        test_close(&context, &scene, NULL);
    }
}

TEST_SUITE(city_cubes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_narrow_streets),
        cmocka_unit_test(test_allocation),
    };
    return cmocka_run_group_tests_name("city_cubes", tests, NULL, NULL);
}
