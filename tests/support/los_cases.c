#include "los_cases.h"

void los_stage_open(rcity_context *context, rcity_scene *scene, double cell_m, los_stage *stage)
{
    memset(stage, 0, sizeof *stage);
    stage->context = context;
    stage->scene = scene;
    stage->shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_sight_create(context, stage->shapes, &stage->sight));
    rcity_receivers receivers = rcity_receivers_default();
    receivers.cell_m = cell_m;
    rcity_raster raster;
    assert_ok(context, rcity_receivers_get_raster(context, scene, &receivers, &raster));
    assert_ok(context, rcity_los_plane_init(context, stage->shapes, stage->sight, &raster, 1.5, &stage->plane));
    assert_ok(context, rcity_los_worker_init(context, &stage->plane, &stage->worker));
    stage->mask_words = stage->plane.row_words * (size_t)stage->plane.row_count;
}

void los_stage_close(los_stage *stage)
{
    rcity_los_worker_deinit(stage->context, &stage->worker);
    rcity_los_plane_deinit(stage->context, &stage->plane);
    rcity_sight_destroy(stage->context, &stage->sight);
    rcity_scene_destroy(&stage->scene);
}

rcity_grid_point3 los_source(const los_stage *stage, uint64_t seed, int i)
{
    static const double heights_m[] = {13.0, 40.0, 1.5, 0.75, 6.0, 25.0, 90.0};
    const rcity_shapes *shapes = stage->shapes;
    const rcity_los_plane *plane = &stage->plane;
    uint64_t at = 100 * (uint64_t)i;
    rcity_grid_point3 source = {(int32_t)test_uniform(seed, at, shapes->x_min - 2000, shapes->x_max + 2000),
                                (int32_t)test_uniform(seed, at + 1, shapes->y_min - 2000, shapes->y_max + 2000),
                                (int32_t)(heights_m[i % 7] * RCITY_HEIGHT_UNITS_PER_M)};
    rcity_grid_point a = {source.x, source.y};
    rcity_grid_point b = a;
    if (shapes->point_count > 0) {
        a = shapes->points[test_random(seed, at + 2) % (uint64_t)shapes->point_count];
        b = shapes->points[test_random(seed, at + 3) % (uint64_t)shapes->point_count];
    }
    int32_t x = plane->x[test_random(seed, at + 4) % (uint64_t)plane->column_count];
    int32_t y = plane->y[test_random(seed, at + 5) % (uint64_t)plane->row_count];
    switch (i % 9) {
    case 1:
        source.x = a.x;
        source.y = a.y;
        break;
    case 2:
        source.x = x;
        source.y = y;
        break;
    case 3:
        source.x = a.x;
        source.y = b.y;
        break;
    case 4: /* a corner and a pixel are in line with it, and as far apart */
        source.x = 2 * a.x - x;
        source.y = 2 * a.y - y;
        break;
    case 5:
        source.x = a.x;
        source.y = y;
        break;
    case 6:
        if (plane->wall_count > 0) { /* the middle of a wall, as near as the grid has it, level with its roof */
            const rcity_los_wall *wall = &plane->walls[test_random(seed, at + 6) % (uint64_t)plane->wall_count];
            source.x = (wall->ax + wall->bx) / 2;
            source.y = (wall->ay + wall->by) / 2;
            source.z = i % 2 == 0 ? wall->roof : source.z;
        }
        break;
    case 7:
        source.x = (int32_t)test_uniform(seed, at + 7, -4e6, 4e6);
        source.y = (int32_t)test_uniform(seed, at + 8, -4e6, 4e6);
        source.z *= 8;
        break;
    default:
        break;
    }
    return source;
}

int64_t los_compare(const los_stage *stage, rcity_grid_point3 source, const char *what, const uint64_t *actual,
                    const uint64_t *expected)
{
    const rcity_los_plane *plane = &stage->plane;
    int64_t visible = 0;
    for (size_t i = 0; i < stage->mask_words; i++) {
        uint64_t differs = actual[i] ^ expected[i];
        visible += __builtin_popcountll(expected[i]);
        if (differs != 0) {
            int32_t column = (int32_t)(i % plane->row_words * 64) + __builtin_ctzll(differs);
            int32_t row = (int32_t)(i / plane->row_words);
            print_error("%s: source %d %d %d, pixel %d of %d, %d of %d: expected %d\n", what, source.x, source.y,
                        source.z, column, plane->column_count, row, plane->row_count,
                        (int)((expected[i] >> (column % 64)) & 1));
            fail();
        }
    }
    return visible;
}

static void add_building(rcity_context *context, rcity_scene *scene, int64_t id, int ring_count, const int *counts,
                         const double *xy_m)
{
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = ring_count;
    building.ring_point_count = counts;
    building.xy_m = xy_m;
    building.height_m = 10.0;
    assert_ok(context, rcity_scene_add_building(scene, &building));
}

rcity_grid_point3 los_knot_open(rcity_context *context, bool is_two, los_stage *stage)
{
    static const int one_counts[] = {5, 3};
    static const double one_m[] = {0, 0, 21, 0, 21, 20.5, 10.5, 20.5, 0, 20.5, 10.5, 20.5, 8, 10, 13, 10};
    static const int two_counts[] = {4};
    static const double east_m[] = {10.5, 20.5, 15, 10, 21, 10, 21, 20.5};
    static const double west_m[] = {10.5, 20.5, 0, 20.5, 0, 10, 6, 10};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    if (is_two) {
        add_building(context, scene, 1, 1, two_counts, east_m);
        add_building(context, scene, 3, 1, two_counts, west_m);
        test_add_box(context, scene, 4, (test_box){0, 0, 21, 1, 10});
    } else {
        add_building(context, scene, 1, 2, one_counts, one_m);
    }
    test_add_box(context, scene, 2, (test_box){0, 79, 1, 80, 3});
    assert_ok(context, rcity_scene_commit(scene));
    los_stage_open(context, scene, 1.0, stage);
    double per_m = stage->shapes->units_per_m;
    return (rcity_grid_point3){(int32_t)lround((9.5 - stage->shapes->origin_x_m) * per_m),
                               (int32_t)lround((12.5 - stage->shapes->origin_y_m) * per_m),
                               2 * RCITY_HEIGHT_UNITS_PER_M};
}

void los_knot_check(const los_stage *stage, rcity_grid_point3 source, const uint64_t *mask)
{
    int through_count = 0;
    for (int32_t row = 0; row < stage->plane.row_count; row++) {
        for (int32_t column = 0; column < stage->plane.column_count; column++) {
            double y_m = stage->plane.y[row] / (double)stage->shapes->units_per_m + stage->shapes->origin_y_m;
            bool is_visible = rcity_los_plane_bit(&stage->plane, mask, column, row);
            bool is_in_line = stage->plane.y[row] - source.y == 8 * (stage->plane.x[column] - source.x);
            assert_true(y_m < 21.0 || is_visible == is_in_line);
            through_count += y_m > 21.0 && is_visible;
        }
    }
    assert_int_equal(through_count, 7);
}
