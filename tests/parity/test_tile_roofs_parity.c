/* Paths over roofs to tiles on every device: the same paths as on the host, losses that differ by rounding. */
#include "scene/place/terrain.h"
#include "sight_cases.h"
#include "tile_roof_world.h"

#define DEVICE_MAX   32
#define TARGET_COUNT 4000
#define SOURCE_COUNT 4

static const uint64_t seed = 77;

/* All paths of a few sources; the second half of them by a list. */
static void find_paths(const tile_roof_world *world, rcity_device *device, int64_t count,
                       const rcity_tile_place *targets, uint64_t limit_bytes, rcity_tile_roof_path *paths)
{
    rcity_tile_roofs *roofs = NULL;
    int32_t *list = calloc((size_t)count + 1, sizeof *list);
    assert_ok(world->context, rcity_tile_roofs_open(world->context, device, world->sight, count, targets, &roofs));
    rcity_device_limit_buffer(device, limit_bytes);
    for (int64_t i = 0; i < count; i++) {
        list[i] = (int32_t)(count - 1 - i);
    }
    for (int64_t s = 0; s < SOURCE_COUNT && s < count; s++) {
        double wavelength_m = s % 2 == 0 ? 0.3166 : 0.1428;
        assert_ok(world->context,
                  rcity_tile_roofs_find(world->context, roofs, targets[s], wavelength_m, s == 1 ? 300.0 : 0.0, count,
                                        s < SOURCE_COUNT / 2 ? NULL : list, paths + s * count));
    }
    rcity_device_limit_buffer(device, 0);
    rcity_tile_roofs_close(&roofs);
    free(list);
}

/* Heights near 100 m are rounded to 8e-6 m, and the last leg of some paths is less than a metre long. */
#define DIRECTION_ERROR 1e-4

/* @return the largest difference of losses. */
static double compare(int64_t count, const rcity_tile_roof_path *actual, const rcity_tile_roof_path *expected)
{
    double worst = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const rcity_tile_roof_path *a = &actual[i];
        const rcity_tile_roof_path *e = &expected[i];
        assert_true(isnan(a->excess_db) == isnan(e->excess_db));
        assert_near((double)a->length_m, (double)e->length_m, 1e-5 * (double)e->length_m);
        assert_near((double)a->departure_x, (double)e->departure_x, DIRECTION_ERROR);
        assert_near((double)a->departure_y, (double)e->departure_y, DIRECTION_ERROR);
        assert_near((double)a->departure_z, (double)e->departure_z, DIRECTION_ERROR);
        assert_near((double)a->arrival_x, (double)e->arrival_x, DIRECTION_ERROR);
        assert_near((double)a->arrival_y, (double)e->arrival_y, DIRECTION_ERROR);
        assert_near((double)a->arrival_z, (double)e->arrival_z, DIRECTION_ERROR);
        if (!isnan(e->excess_db)) {
            assert_near((double)a->excess_db, (double)e->excess_db, 0.05);
            worst = fmax(worst, fabs((double)a->excess_db - (double)e->excess_db));
        }
    }
    return worst;
}

/* Every device against the host; `limit_bytes` cuts the work into pieces. */
static void check_places(const tile_roof_world *world, const char *what, int64_t count, const rcity_tile_place *targets,
                         uint64_t limit_bytes)
{
    size_t path_count = (size_t)count * SOURCE_COUNT;
    rcity_tile_roof_path *expected = calloc(path_count, sizeof *expected);
    rcity_tile_roof_path *actual = calloc(path_count, sizeof *actual);
    find_paths(world, world->device, count, targets, 0, expected);
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    assert_ok(world->context, rcity_device_list(world->context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (!infos[i].is_usable) {
            continue;
        }
        rcity_device *device = NULL;
        assert_ok(world->context, rcity_device_open(world->context, infos[i].id, &device));
        find_paths(world, device, count, targets, limit_bytes, actual);
        double worst = compare((int64_t)path_count, actual, expected);
        print_message("%s, seed %llu: %zu paths agree on %s, at most %.5f dB apart\n", what, (unsigned long long)seed,
                      path_count, infos[i].id, worst);
        rcity_device_close(&device);
    }
    free(actual);
    free(expected);
}

/* Targets anywhere: in streets, on roofs, inside buildings, on corners of walls. */
static void check_scene(rcity_scene *scene, rcity_context *context, const char *what)
{
    tile_roof_world world;
    tile_roof_world_open(context, scene, "host", &world);
    const rcity_shapes *shapes = world.shapes;
    rcity_tile_place *targets = calloc(TARGET_COUNT, sizeof *targets);
    uint64_t at = 0;
    for (int i = 0; i < TARGET_COUNT; i++) {
        targets[i] = tile_roof_draw(&world, seed, &at, 1.0 + i % 30);
        if (i % 4 == 3) {
            targets[i].x = (int32_t)test_uniform(seed, at++, shapes->x_min, shapes->x_max);
        } else if (i % 4 == 2 && shapes->point_count > 0) {
            rcity_grid_point corner = shapes->points[test_random(seed, at++) % (uint64_t)shapes->point_count];
            targets[i].x = corner.x;
            targets[i].y = corner.y;
        }
    }
    check_places(&world, what, 0, targets, 0);
    check_places(&world, what, 1, targets, 0);
    check_places(&world, what, TARGET_COUNT, targets, 0);
    free(targets);
    tile_roof_world_close(&world);
}

static void test_devices_agree(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    check_scene(sight_messy_scene(context, 3), context, "messy");
    check_scene(sight_city(context, RCITY_CITY_CORE, 6, 0.1), context, "core");
    check_scene(sight_city(context, RCITY_CITY_HIGHRISE, 7, 0.1), context, "highrise");
    check_scene(sight_city(context, RCITY_CITY_HILLS, 8, 0.2), context, "hills");
    rcity_context_destroy(&context);
}

/* A round back of screens has more edges than a device has room for: the host does these. */
static void test_paths_with_many_edges_agree(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    test_box boxes[60];
    for (int i = 0; i < 60; i++) {
        double along = (i - 29.5) / 30.0;
        boxes[i] = (test_box){10.0 + 4.0 * i, 0.0, 10.5 + 4.0 * i, 30.0, 60.0 - 40.0 * along * along};
    }
    tile_roof_world world;
    tile_roof_world_open(context, test_scene(context, boxes, 60), "host", &world);
    rcity_tile_place targets[2000];
    for (int i = 0; i < 2000; i++) {
        targets[i] = tile_roof_place(&world, i % 2 == 0 ? 0.0 : 260.0 + i % 200, 1.0 + 0.014 * i, 2.0 + i % 7);
    }
    check_places(&world, "round back", 2000, targets, 40000);
    tile_roof_world_close(&world);
    rcity_context_destroy(&context);
}

TEST_SUITE(tile_roofs_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree),
        cmocka_unit_test(test_paths_with_many_edges_agree),
    };
    return cmocka_run_group_tests_name("tile_roofs_parity", tests, NULL, NULL);
}
