/* Over-roof paths on every device: the same diffracting edges as on the host, sums that differ by the rounding of
   floats. */
#include "method/shadow/roofs/roof_trace.h"
#include "radiocity/city.h"
#include "scene/place/terrain.h"
#include "sight_cases.h"
#include "visibility/los/los_raster.h"

#define DEVICE_MAX   32
#define SOURCE_COUNT 6

typedef struct parity_stage {
    rcity_context *context;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_los_plane plane;
    rcity_los_worker worker;
    uint64_t *visible;
    size_t pixel_count;
    rcity_shadow_roof *expected, *actual;
} parity_stage;

static void open_stage(parity_stage *s, rcity_context *context, rcity_scene *scene, double cell_m)
{
    s->context = context;
    s->shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_sight_create(context, s->shapes, &s->sight));
    rcity_receivers receivers = rcity_receivers_default();
    rcity_raster raster;
    receivers.cell_m = cell_m;
    assert_ok(context, rcity_receivers_get_raster(context, scene, &receivers, &raster));
    assert_ok(context, rcity_los_plane_init(context, s->shapes, s->sight, &raster, 1.5, &s->plane));
    assert_ok(context, rcity_los_worker_init(context, &s->plane, &s->worker));
    s->pixel_count = (size_t)s->plane.column_count * (size_t)s->plane.row_count;
    s->visible = calloc(s->plane.row_words * (size_t)s->plane.row_count, sizeof *s->visible);
    s->expected = calloc(s->pixel_count, sizeof *s->expected);
    s->actual = calloc(s->pixel_count, sizeof *s->actual);
}

static void close_stage(parity_stage *s)
{
    free(s->actual);
    free(s->expected);
    free(s->visible);
    rcity_los_worker_deinit(s->context, &s->worker);
    rcity_los_plane_deinit(s->context, &s->plane);
    rcity_sight_destroy(s->context, &s->sight);
}

/* Anywhere; every second one on a corner, where roofs rise straight above it. */
static rcity_grid_point3 draw_source(const parity_stage *s, uint64_t seed, uint64_t i)
{
    const rcity_shapes *shapes = s->shapes;
    rcity_grid_point3 source = {(int32_t)test_uniform(seed, 3 * i, shapes->x_min, shapes->x_max),
                                (int32_t)test_uniform(seed, 3 * i + 1, shapes->y_min, shapes->y_max), 0};
    if (i % 2 == 1 && shapes->point_count > 0) {
        rcity_grid_point corner = shapes->points[test_random(seed, 3 * i + 2) % (uint64_t)shapes->point_count];
        source.x = corner.x;
        source.y = corner.y;
    }
    double ground = rcity_terrain_height(&shapes->terrain, source.x, source.y);
    source.z = (int32_t)(ceil(ground) + (i % 3 == 0 ? 13.0 : i % 3 == 1 ? 4.0 : 40.0) * RCITY_HEIGHT_UNITS_PER_M);
    return source;
}

static void trace(parity_stage *s, rcity_roofs *roofs, rcity_grid_point3 source, rcity_roof_mode mode,
                  rcity_shadow_roof *paths)
{
    assert_ok(s->context, rcity_los_trace(s->context, &s->plane, &s->worker, source, s->visible));
    assert_ok(s->context, rcity_roofs_trace(roofs, source, mode, s->visible, paths));
}

static void compare(const parity_stage *s)
{
    for (size_t i = 0; i < s->pixel_count; i++) {
        const rcity_shadow_roof *a = &s->actual[i];
        const rcity_shadow_roof *e = &s->expected[i];
        assert_int_equal(a->turns.count, e->turns.count);
        assert_near((double)a->turns.length_m, (double)e->turns.length_m, 1e-5 * (double)e->turns.length_m);
        assert_near((double)a->turns.angle_sum_rad, (double)e->turns.angle_sum_rad, 1e-5);
        assert_near((double)a->turns.angle_square_sum_rad2, (double)e->turns.angle_square_sum_rad2, 1e-5);
        assert_near((double)a->turns.log_distance_sum, (double)e->turns.log_distance_sum, 1e-4 * (1 + e->turns.count));
        assert_near((double)a->elevation_rad, (double)e->elevation_rad, 1e-5);
        assert_near((double)a->ground_root_m, (double)e->ground_root_m, 1e-3 * (1.0 + fabs((double)e->ground_root_m)));
    }
}

/* The paths that stay on the device, copied to the host. */
static void trace_kept(parity_stage *s, rcity_device *device, rcity_roofs *roofs, rcity_grid_point3 source,
                       rcity_roof_mode mode)
{
    int64_t word_count = 2 * (int64_t)s->plane.row_words * s->plane.row_count;
    rcity_resident *visible = NULL;
    rcity_resident *paths = NULL;
    bool has_paths = false;
    assert_ok(s->context, rcity_los_trace(s->context, &s->plane, &s->worker, source, s->visible));
    assert_ok(s->context,
              rcity_resident_create_empty(s->context, device, word_count, sizeof(uint32_t), "visible", &visible));
    assert_ok(s->context, rcity_resident_create_empty(s->context, device, (int64_t)s->pixel_count, sizeof *s->actual,
                                                      "paths", &paths));
    assert_ok(s->context, rcity_resident_write(s->context, visible, 0, word_count, s->visible));
    assert_ok(s->context, rcity_roofs_trace_on_device(roofs, 1, &source, mode, visible, paths, &has_paths));
    if (has_paths) {
        assert_ok(s->context, rcity_roofs_fetch_from_device(roofs));
    }
    assert_ok(s->context, rcity_device_finish(s->context, device));
    memset(s->actual, 0, s->pixel_count * sizeof *s->actual);
    if (has_paths) {
        assert_ok(s->context, rcity_roofs_decide_on_device(roofs, paths));
        assert_ok(s->context, rcity_resident_read(s->context, paths, 0, (int64_t)s->pixel_count, s->actual));
    }
    assert_ok(s->context, rcity_device_finish(s->context, device));
    rcity_resident_destroy(&paths);
    rcity_resident_destroy(&visible);
}

/* One device against the host; `limit_bytes` cuts the work into pieces. Returns how many pixels the host had to do for
   it. */
static int64_t check_device(parity_stage *s, const char *id, uint64_t seed, uint64_t limit_bytes)
{
    rcity_device *host = NULL;
    rcity_device *device = NULL;
    rcity_roofs *host_roofs = NULL;
    rcity_roofs *roofs = NULL;
    assert_ok(s->context, rcity_device_open(s->context, "host", &host));
    assert_ok(s->context, rcity_device_open(s->context, id, &device));
    assert_ok(s->context, rcity_roofs_open(s->context, host, &s->plane, &host_roofs));
    assert_ok(s->context, rcity_roofs_open(s->context, device, &s->plane, &roofs));
    for (uint64_t i = 0; i < SOURCE_COUNT; i++) {
        rcity_grid_point3 source = draw_source(s, seed, i);
        for (int mode = 0; mode < 2; mode++) {
            trace(s, host_roofs, source, (rcity_roof_mode)mode, s->expected);
            rcity_device_limit_buffer(device, limit_bytes);
            trace(s, roofs, source, (rcity_roof_mode)mode, s->actual);
            compare(s);
            rcity_device_limit_buffer(device, 0); /* what stays is whole */
            trace_kept(s, device, roofs, source, (rcity_roof_mode)mode);
            compare(s);
        }
    }
    int64_t close_count = rcity_roofs_close_count(roofs);
    assert_int_equal(rcity_roofs_close_count(host_roofs), 0);
    rcity_roofs_close(&roofs);
    rcity_roofs_close(&host_roofs);
    rcity_device_close(&device);
    rcity_device_close(&host);
    return close_count;
}

static void check_scene(rcity_scene *scene, rcity_context *context, const char *what, uint64_t seed, double cell_m)
{
    parity_stage s;
    memset(&s, 0, sizeof s);
    open_stage(&s, context, scene, cell_m);
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            int64_t closely = check_device(&s, infos[i].id, seed, 0);
            print_message("%s, seed %llu: %d sources, %zu pixels agree on %s; %lld done on the host\n", what,
                          (unsigned long long)seed, SOURCE_COUNT, s.pixel_count, infos[i].id, (long long)closely);
        }
    }
    close_stage(&s);
    rcity_scene_destroy(&scene);
}

static void test_devices_agree(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        check_scene(sight_messy_scene(context, seed), context, "messy", seed, 1.0);
    }
    check_scene(sight_city(context, RCITY_CITY_GRID, 5, 0.1), context, "grid", 5, 5.0);
    check_scene(sight_city(context, RCITY_CITY_CORE, 6, 0.1), context, "core", 6, 5.0);
    check_scene(sight_city(context, RCITY_CITY_HIGHRISE, 7, 0.1), context, "highrise", 7, 5.0);
    check_scene(sight_city(context, RCITY_CITY_HILLS, 8, 0.2), context, "hills", 8, 10.0);
    rcity_context_destroy(&context);
}

/* A round back of screens, each a little lower the farther it is from the middle: more edges than a device has room
   for. */
static void test_edges_beyond_device_room_agree(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    test_box boxes[60];
    for (int i = 0; i < 60; i++) {
        double along = (i - 29.5) / 30.0;
        boxes[i] = (test_box){10.0 + 4.0 * i, 0.0, 10.5 + 4.0 * i, 30.0, 60.0 - 40.0 * along * along};
    }
    rcity_scene *scene = test_scene(context, boxes, 60);
    parity_stage s;
    memset(&s, 0, sizeof s);
    open_stage(&s, context, scene, 2.0);
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            int64_t closely = check_device(&s, infos[i].id, 3, 20000);
            print_message("%lld pixels with too many edges for %s\n", (long long)closely, infos[i].id);
            assert_true(closely > 100);
        }
    }
    close_stage(&s);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(roofs_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree),
        cmocka_unit_test(test_edges_beyond_device_room_agree),
    };
    return cmocka_run_group_tests_name("roofs_parity", tests, NULL, NULL);
}
