/* Walls between the source and every pixel on every device: the same counts as on the host, metres that differ by the
   rounding of floats. */
#include "los_cases.h"
#include "sight_cases.h"

#include "radiocity/city.h"
#include "visibility/walls/wall_raster.h"

#define DEVICE_MAX   32
#define SOURCE_COUNT 7

static const uint64_t seed = 9;

/* What one device finds. */
typedef struct found_walls {
    int32_t *count;
    float *building_m, *foliage_m;
} found_walls;

static void open_found(found_walls *found, size_t pixel_count)
{
    found->count = calloc(pixel_count, sizeof *found->count);
    found->building_m = calloc(pixel_count, sizeof *found->building_m);
    found->foliage_m = calloc(pixel_count, sizeof *found->foliage_m);
}

static void close_found(found_walls *found)
{
    free(found->foliage_m);
    free(found->building_m);
    free(found->count);
}

static void compare(const found_walls *actual, const found_walls *expected, size_t pixel_count, bool has_metres)
{
    assert_memory_equal(actual->count, expected->count, pixel_count * sizeof *expected->count);
    for (size_t i = 0; i < pixel_count && has_metres; i++) {
        assert_near((double)actual->building_m[i], (double)expected->building_m[i],
                    1e-4 + 1e-5 * (double)expected->building_m[i]);
        assert_near((double)actual->foliage_m[i], (double)expected->foliage_m[i],
                    1e-4 + 1e-5 * (double)expected->foliage_m[i]);
    }
}

static void trace(los_stage *stage, rcity_walls *walls, rcity_grid_point3 source, const uint64_t *visible,
                  bool has_metres, found_walls *found)
{
    assert_ok(stage->context,
              rcity_walls_trace(walls, source, visible, found->count, has_metres ? found->building_m : NULL,
                                has_metres ? found->foliage_m : NULL));
}

/* One device against the host; `limit_bytes` cuts the work into pieces. Returns how many pixels the host had to do for
   it. */
static int64_t check_device(los_stage *stage, const char *id, uint64_t limit_bytes)
{
    size_t pixel_count = (size_t)stage->plane.column_count * (size_t)stage->plane.row_count;
    rcity_device *host = NULL;
    rcity_device *device = NULL;
    rcity_walls *host_walls = NULL;
    rcity_walls *walls = NULL;
    found_walls expected, actual;
    uint64_t *visible = calloc(stage->mask_words, sizeof *visible);
    open_found(&expected, pixel_count);
    open_found(&actual, pixel_count);
    assert_ok(stage->context, rcity_device_open(stage->context, "host", &host));
    assert_ok(stage->context, rcity_device_open(stage->context, id, &device));
    assert_ok(stage->context, rcity_walls_open(stage->context, host, &stage->plane, &host_walls));
    assert_ok(stage->context, rcity_walls_open(stage->context, device, &stage->plane, &walls));
    rcity_device_limit_buffer(device, limit_bytes);
    for (int i = 0; i < SOURCE_COUNT; i++) {
        rcity_grid_point3 source = los_source(stage, seed, i);
        assert_ok(stage->context, rcity_los_trace(stage->context, &stage->plane, &stage->worker, source, visible));
        for (int mode = 0; mode < 4; mode++) {
            trace(stage, host_walls, source, mode / 2 == 0 ? NULL : visible, mode % 2 != 0, &expected);
            trace(stage, walls, source, mode / 2 == 0 ? NULL : visible, mode % 2 != 0, &actual);
            compare(&actual, &expected, pixel_count, mode % 2 != 0);
        }
    }
    int64_t close_count = rcity_walls_get_effort(walls).close_count;
    rcity_walls_close(&walls);
    rcity_walls_close(&host_walls);
    rcity_device_close(&device);
    rcity_device_close(&host);
    close_found(&actual);
    close_found(&expected);
    free(visible);
    return close_count;
}

/* Returns how many pixels devices left to the host; -1 without devices. */
static int64_t check_scene(rcity_context *context, rcity_scene *scene, const char *what, double cell_m,
                           uint64_t limit_bytes)
{
    los_stage stage;
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    int64_t close_count = -1;
    los_stage_open(context, scene, cell_m, &stage);
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            close_count = check_device(&stage, infos[i].id, limit_bytes);
            print_message("%s, seed %llu: %d sources, %d x %d pixels agree on %s; %lld done on the host\n", what,
                          (unsigned long long)seed, SOURCE_COUNT, stage.plane.column_count, stage.plane.row_count,
                          infos[i].id, (long long)close_count);
        }
    }
    los_stage_close(&stage);
    return close_count;
}

static void test_devices_agree(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (uint64_t i = 1; i <= 4; i++) {
        check_scene(context, sight_messy_scene(context, i), "messy", 1.0, i == 1 ? 20000 : 0);
    }
    check_scene(context, sight_city(context, RCITY_CITY_GRID, 5, 0.1), "grid", 5.0, 0);
    check_scene(context, sight_city(context, RCITY_CITY_CORE, 6, 0.1), "core", 5.0, 0);
    check_scene(context, sight_city(context, RCITY_CITY_HIGHRISE, 7, 0.1), "highrise", 5.0, 0);
    rcity_context_destroy(&context);
}

/* More prisms over one place than a walk keeps: the host looks closely. */
static void test_many_covers(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    test_box boxes[24];
    for (int i = 0; i < 24; i++) {
        double rim = 0.3 * i;
        boxes[i] = (test_box){rim, rim, 40.0 - rim, 40.0 - rim, 3.0 + i};
    }
    int64_t close_count = check_scene(context, test_scene(context, boxes, 24), "nested", 2.0, 0);
    assert_true(close_count == -1 || close_count > 0);
    rcity_context_destroy(&context);
}

TEST_SUITE(walls_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree),
        cmocka_unit_test(test_many_covers),
    };
    return cmocka_run_group_tests_name("walls_parity", tests, NULL, NULL);
}
