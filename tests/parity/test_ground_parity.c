/* Sight over terrain: the same bytes on every device as on the host, which test_ground_sight holds against the plain test. */
#include "base/uniform.h"
#include "rcity_test.h"
#include "scene/place/terrain.h"
#include "visibility/terrain/ground_sight.h"

#define SIDE       150
#define DEVICE_MAX 32

static const uint64_t seed = 17;

/* A terrain, a raster and a source; `shape` counts up. */
typedef struct ground_case {
    rcity_shapes shapes;
    int32_t height[SIDE * SIDE];
    int32_t x[SIDE], y[SIDE], z[SIDE * SIDE];
    rcity_ground_targets targets;
    rcity_grid_point3 source;
    double curvature_factor;
    uint8_t expected[SIDE * SIDE], actual[SIDE * SIDE];
} ground_case;

static int32_t draw(uint64_t *next, int32_t low, int32_t high)
{
    double drawn = rcity_uniform((seed << 32) + (*next)++);
    return low + (int32_t)floor(drawn * ((double)high - low + 1.0));
}

static void make_case(int shape, ground_case *made)
{
    uint64_t next = (uint64_t)shape << 20;
    memset(made, 0, sizeof *made);
    rcity_terrain_grid *terrain = &made->shapes.terrain;
    made->shapes.units_per_m = 128;
    terrain->column_count = shape % 5 == 4 ? 2 : draw(&next, 20, SIDE);
    terrain->row_count = draw(&next, 2, SIDE);
    terrain->cell = shape % 2 ? 128 * draw(&next, 1, 30) : draw(&next, 3, 500);
    terrain->west = draw(&next, -500, 500);
    terrain->south = draw(&next, -500, 500);
    terrain->height = made->height;
    int32_t relief = shape % 3 == 0 ? 3 : 64 * draw(&next, 1, 40);
    for (int32_t i = 0; i < terrain->column_count * terrain->row_count; i++) {
        double wave = sin(0.2 * (i % terrain->column_count)) + cos(0.13 * (i / terrain->column_count));
        made->height[i] = draw(&next, 0, relief / 8) + (int32_t)(relief * wave);
    }
    bool is_node = shape % 2 == 0;
    made->targets.column_count = terrain->column_count;
    made->targets.row_count = terrain->row_count;
    for (int32_t i = 0; i < SIDE; i++) {
        int32_t off = is_node ? 0 : terrain->cell / 3;
        made->x[i] = terrain->west + i * terrain->cell + off;
        made->y[i] = terrain->south + i * terrain->cell - off;
    }
    made->targets.x = made->x;
    made->targets.y = made->y;
    made->targets.height = shape % 3 == 1 ? 0 : 96;
    made->targets.is_north_first = shape % 4 == 1;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        made->z[i] = draw(&next, 0, relief);
    }
    made->targets.z = shape % 7 == 3 ? made->z : NULL;
    made->curvature_factor = shape % 3 == 2 ? 4.0 / 3.0 : 0.0;
    made->source.x = terrain->west + draw(&next, 0, (terrain->column_count - 1) * terrain->cell);
    made->source.y = terrain->south + draw(&next, 0, (terrain->row_count - 1) * terrain->cell);
    if (is_node) {
        made->source.x = terrain->west + draw(&next, 0, terrain->column_count - 1) * terrain->cell;
    }
    made->source.z = (int32_t)ceil(rcity_terrain_height(terrain, made->source.x, made->source.y)) + draw(&next, 0, 700);
}

static void check_device(const char *id, int case_count)
{
    static ground_case made;
    rcity_context *context = test_context(2);
    rcity_device *device = NULL;
    int64_t seen_count = 0;
    int64_t walked_count = 0;
    assert_ok(context, rcity_device_open(context, id, &device));
    for (int shape = 0; shape < case_count; shape++) {
        make_case(shape, &made);
        rcity_ground_sight sight;
        rcity_ground_device *ground = NULL;
        rcity_ground_effort effort;
        size_t count = (size_t)made.targets.column_count * (size_t)made.targets.row_count;
        assert_ok(context, rcity_ground_sight_init(context, &made.shapes, made.curvature_factor, &sight));
        assert_ok(context, rcity_ground_device_open(&sight, device, &ground));
        assert_ok(context, rcity_ground_sight_fill(&sight, NULL, made.source, &made.targets, made.expected, &effort));
        for (int again = 0; again < 2; again++) { /* a terrain on a device serves many sources */
            memset(made.actual, 77, sizeof made.actual);
            assert_ok(context,
                      rcity_ground_sight_fill(&sight, ground, made.source, &made.targets, made.actual, &effort));
            for (size_t i = 0; i < count; i++) {
                if (made.actual[i] != made.expected[i]) {
                    print_error("%s, seed %llu, shape %d, target %zu: %d, expected %d\n", id, (unsigned long long)seed,
                                shape, i, made.actual[i], made.expected[i]);
                    fail();
                }
                seen_count += made.actual[i] == RCITY_GROUND_VISIBLE;
            }
        }
        walked_count += effort.walked;
        rcity_ground_device_close(&ground);
        rcity_ground_sight_deinit(&sight);
    }
    print_message("%s: %lld targets visible, %lld lines walked\n", id, (long long)seen_count, (long long)walked_count);
    assert_true(seen_count > 1000 && walked_count > 100);
    rcity_device_close(&device);
    rcity_context_destroy(&context);
}

static void test_devices_see_what_the_host_sees(void **state)
{
    (void)state;
    check_device("host", test_is_called_with("long") ? 300 : 25); /* the kernels on the host's threads */
    char id[DEVICE_MAX];
    if (test_find_opencl(id)) {
        check_device(id, test_is_called_with("long") ? 300 : 25);
    }
}

TEST_SUITE(ground_parity)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices_see_what_the_host_sees)};
    return cmocka_run_group_tests_name("ground_parity", tests, NULL, NULL);
}
