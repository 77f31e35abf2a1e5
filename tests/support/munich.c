#include "munich.h"

#include "scene/shapes.h"

rcity_context *test_munich_open(int thread_count, rcity_scene **scene)
{
    const char *path = test_data("munich_cost231/Munich_buildings.res");
    if (path == NULL) {
        skip();
    }
    rcity_context *context = test_context(thread_count);
    rcity_scene_options options = rcity_scene_options_default();
    *scene = NULL;
    assert_ok(context, rcity_res_load(context, path, &options, scene));
    return context;
}

/* A prism as a building, where it lies in the square. */
static void copy_prism(rcity_context *context, const rcity_shapes *shapes, const rcity_prism *prism, double east_m,
                       double north_m, double side_m, rcity_scene *scene)
{
    double unit_m = 1.0 / shapes->units_per_m;
    double x_m = shapes->origin_x_m - east_m;
    double y_m = shapes->origin_y_m - north_m;
    if (x_m + prism->x_min * unit_m < 0.0 || x_m + prism->x_max * unit_m > side_m ||
        y_m + prism->y_min * unit_m < 0.0 || y_m + prism->y_max * unit_m > side_m) {
        return;
    }
    int32_t first = shapes->ring_first[prism->first_ring];
    int32_t end = shapes->ring_first[prism->first_ring + prism->ring_count];
    double *xy_m = calloc(2 * (size_t)(end - first), sizeof *xy_m);
    int *counts = calloc((size_t)prism->ring_count, sizeof *counts);
    assert_non_null(xy_m);
    assert_non_null(counts);
    for (int32_t i = first; i < end; i++) {
        xy_m[2 * (i - first)] = shapes->origin_x_m + shapes->points[i].x * unit_m;
        xy_m[2 * (i - first) + 1] = shapes->origin_y_m + shapes->points[i].y * unit_m;
    }
    for (int32_t ring = 0; ring < prism->ring_count; ring++) {
        const int32_t *at = &shapes->ring_first[prism->first_ring + ring];
        counts[ring] = at[1] - at[0];
    }
    rcity_building building = rcity_building_default();
    building.id = shapes->buildings[prism->building].id;
    building.ring_count = prism->ring_count;
    building.ring_point_count = counts;
    building.xy_m = xy_m;
    building.height_m = (double)prism->roof / RCITY_HEIGHT_UNITS_PER_M;
    assert_ok(context, rcity_scene_add_building(scene, &building));
    free(counts);
    free(xy_m);
}

rcity_scene *test_munich_crop(rcity_context *context, const rcity_scene *whole, double side_m, double *east_m,
                              double *north_m)
{
    const rcity_shapes *shapes = rcity_scene_shapes(whole);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_int_equal(shapes->terrain.column_count, 0);
    *east_m = shapes->origin_x_m + 0.5 * ((double)shapes->x_min + shapes->x_max) / shapes->units_per_m - 0.5 * side_m;
    *north_m = shapes->origin_y_m + 0.5 * ((double)shapes->y_min + shapes->y_max) / shapes->units_per_m - 0.5 * side_m;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        copy_prism(context, shapes, &shapes->prisms[i], *east_m, *north_m, side_m, scene);
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}
