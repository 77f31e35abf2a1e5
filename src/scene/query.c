/* Questions to a committed scene. */
#include <math.h>
#include <string.h>

#include "base/abi.h"
#include "base/order.h"
#include "scene/place/segment_test.h"
#include "scene/place/terrain.h"
#include "scene/scene_data.h"
#include "scene/shape/prism.h"

const char *rcity_repair_name(rcity_repair repair)
{
    switch (repair) {
#define RCITY_REPAIR_CASE(value, name, text)                                                                           \
    case value:                                                                                                        \
        return name;
        RCITY_REPAIR_LIST(RCITY_REPAIR_CASE)
#undef RCITY_REPAIR_CASE
    case RCITY_REPAIR_COUNT:
        break;
    }
    return NULL;
}

const char *rcity_repair_text(rcity_repair repair)
{
    switch (repair) {
#define RCITY_REPAIR_CASE(value, name, text)                                                                           \
    case value:                                                                                                        \
        return text;
        RCITY_REPAIR_LIST(RCITY_REPAIR_CASE)
#undef RCITY_REPAIR_CASE
    case RCITY_REPAIR_COUNT:
        break;
    }
    return NULL;
}

static rcity_status describe_heights(const rcity_shapes *shapes, rcity_context *context, rcity_scene_info *info)
{
    size_t count = (size_t)shapes->building_count;
    if (count == 0) {
        return RCITY_OK;
    }
    int32_t *heights = NULL;
    RCITY_TRY(rcity_alloc(context, count, sizeof *heights, "heights", &heights));
    for (size_t i = 0; i < count; i++) {
        heights[i] = shapes->buildings[i].height;
    }
    rcity_sort_int32s(heights, count);
    info->height_min_m = (double)heights[0] / RCITY_HEIGHT_UNITS_PER_M;
    info->height_median_m = 0.5 * ((double)heights[(count - 1) / 2] + heights[count / 2]) / RCITY_HEIGHT_UNITS_PER_M;
    info->height_max_m = (double)heights[count - 1] / RCITY_HEIGHT_UNITS_PER_M;
    rcity_release(context, heights);
    return RCITY_OK;
}

static void describe_terrain(const rcity_shapes *shapes, rcity_context *context, rcity_scene_info *info)
{
    const rcity_terrain_grid *terrain = &shapes->terrain;
    info->has_terrain = terrain->column_count > 0;
    if (!info->has_terrain) {
        return;
    }
    info->terrain_column_count = terrain->column_count;
    info->terrain_row_count = terrain->row_count;
    info->terrain_cell_m = (double)terrain->cell / shapes->units_per_m;
    int32_t lowest, highest;
    rcity_terrain_bound(context, terrain, &lowest, &highest);
    info->ground_min_m = (double)lowest / RCITY_HEIGHT_UNITS_PER_M;
    info->ground_max_m = (double)highest / RCITY_HEIGHT_UNITS_PER_M;
}

static double built_area_m2(const rcity_shapes *shapes)
{
    double area2 = 0.0;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        area2 += rcity_prism_area2(shapes, &shapes->prisms[i]);
    }
    return 0.5 * area2 / shapes->units_per_m / shapes->units_per_m;
}

static void describe_clutter(const rcity_shapes *shapes, rcity_scene_info *info)
{
    double area2 = 0.0;
    for (int64_t i = 0; i < shapes->vegetation_count; i++) {
        const rcity_vegetation_record *record = &shapes->vegetation[i];
        area2 += rcity_rings_area2(shapes->vegetation_ring_first, shapes->vegetation_points, record->first_ring,
                                   record->ring_count);
    }
    info->vegetation_count = shapes->vegetation_count;
    info->vegetation_area_km2 = 0.5e-6 * area2 / shapes->units_per_m / shapes->units_per_m;
    info->land_class_count = (int)shapes->land_cover.class_count;
    info->land_cover_column_count = shapes->land_cover.column_count;
    info->land_cover_row_count = shapes->land_cover.row_count;
    info->land_cover_cell_m = shapes->land_cover.cell_m;
    info->material_count = (int)shapes->material_count;
}

rcity_status rcity_scene_summarize(rcity_context *context, const rcity_shapes *shapes, rcity_scene_info *info)
{
    memset(info, 0, sizeof *info);
    RCITY_TRY(describe_heights(shapes, context, info));
    describe_terrain(shapes, context, info);
    describe_clutter(shapes, info);
    info->building_count = shapes->building_count;
    info->wall_count = shapes->wall_count;
    info->outer_wall_count = shapes->outer_wall_count;
    info->exposed_wall_count = shapes->exposed_wall_count;
    info->nested_building_count = shapes->nested_building_count;
    info->prism_count = shapes->prism_count;
    info->edge_count = shapes->point_count;
    info->facade_count = shapes->facade_count;
    double unit_m = 1.0 / shapes->units_per_m;
    info->x_min_m = shapes->origin_x_m + shapes->x_min * unit_m;
    info->y_min_m = shapes->origin_y_m + shapes->y_min * unit_m;
    info->x_max_m = shapes->origin_x_m + shapes->x_max * unit_m;
    info->y_max_m = shapes->origin_y_m + shapes->y_max * unit_m;
    info->area_km2 = (info->x_max_m - info->x_min_m) * (info->y_max_m - info->y_min_m) * 1e-6;
    info->built_area_km2 = built_area_m2(shapes) * 1e-6;
    info->plan_unit_m = unit_m;
    info->height_unit_m = 1.0 / RCITY_HEIGHT_UNITS_PER_M;
    memcpy(info->repair_count, shapes->repair_count, sizeof shapes->repair_count);
    memcpy(info->hash, shapes->hash, sizeof info->hash);
    return RCITY_OK;
}

rcity_status rcity_scene_describe_sized(const rcity_scene *scene, size_t info_bytes, rcity_scene_info *info)
{
    RCITY_NEED(NULL, scene);
    RCITY_NEED(NULL, info);
    RCITY_CHECK_BYTES(NULL, rcity_scene_info, info_bytes);
    if (!scene->is_committed) {
        return RCITY_ERR_STATE;
    }
    rcity_scene_info made = scene->info;
    made.crs = scene->crs;
    made.source = scene->source;
    rcity_copy_struct(&made, sizeof made, info_bytes, info);
    return RCITY_OK;
}

rcity_status rcity_scene_find_info(rcity_context *context, const rcity_scene *scene, rcity_scene_info *info)
{
    RCITY_CHECK(context, scene->is_committed, RCITY_ERR_STATE, "the scene is not committed yet");
    return rcity_scene_describe(scene, info);
}

rcity_status rcity_scene_get_ground(rcity_context *context, const rcity_scene *scene, double x_m, double y_m,
                                    double *ground_m)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, ground_m);
    RCITY_CHECK(context, scene->is_committed, RCITY_ERR_STATE, "the scene is not committed yet");
    const rcity_shapes *shapes = &scene->shapes;
    if (shapes->terrain.column_count == 0) {
        *ground_m = 0.0;
        return RCITY_OK;
    }
    rcity_point point = {x_m, y_m, 0.0};
    rcity_grid_point3 at;
    RCITY_TRY(rcity_shapes_snap(context, shapes, &point, &at));
    RCITY_CHECK(context, rcity_terrain_contains(&shapes->terrain, at.x, at.y), RCITY_ERR_ARGUMENT,
                "the place (%.2f, %.2f) lies outside the terrain", x_m, y_m);
    *ground_m = rcity_terrain_height(&shapes->terrain, at.x, at.y) / RCITY_HEIGHT_UNITS_PER_M;
    return RCITY_OK;
}

static rcity_status scene_get_cover(rcity_context *context, const rcity_scene *scene, double x_m, double y_m,
                                    rcity_cover *cover)
{
    RCITY_CHECK(context, scene->is_committed, RCITY_ERR_STATE, "the scene is not committed yet");
    const rcity_shapes *shapes = &scene->shapes;
    rcity_point point = {x_m, y_m, 0.0};
    rcity_grid_point3 snapped;
    RCITY_TRY(rcity_shapes_snap(context, shapes, &point, &snapped));
    rcity_grid_point at = {snapped.x, snapped.y};
    rcity_plan_box box = {at.x, at.y, at.x, at.y};
    rcity_cover found = {false, 0, 0.0};
    rcity_plan_walk walk;
    rcity_plan_walk_init(&scene->prism_index, box, &walk);
    for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
        const rcity_prism *prism = &shapes->prisms[i];
        double roof_m = (double)prism->roof / RCITY_HEIGHT_UNITS_PER_M;
        if (rcity_prism_owns(shapes, prism, at) && (!found.is_covered || roof_m > found.roof_m)) {
            found.is_covered = true;
            found.building_id = shapes->buildings[prism->building].id;
            found.roof_m = roof_m;
        }
    }
    *cover = found;
    return RCITY_OK;
}

rcity_status rcity_scene_get_cover_sized(rcity_context *context, const rcity_scene *scene, double x_m, double y_m,
                                         size_t cover_bytes, rcity_cover *cover)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, cover);
    RCITY_CHECK_BYTES(context, rcity_cover, cover_bytes);
    rcity_cover made;
    RCITY_TRY(scene_get_cover(context, scene, x_m, y_m, &made));
    rcity_copy_struct(&made, sizeof made, cover_bytes, cover);
    return RCITY_OK;
}

static double vegetation_at_m(const rcity_scene *scene, rcity_grid_point at)
{
    const rcity_shapes *shapes = &scene->shapes;
    rcity_plan_box box = {at.x, at.y, at.x, at.y};
    int32_t highest = 0;
    rcity_plan_walk walk;
    rcity_plan_walk_init(&scene->vegetation_index, box, &walk);
    for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
        const rcity_vegetation_record *record = &shapes->vegetation[i];
        if (record->height > highest && rcity_rings_own(shapes->vegetation_ring_first, shapes->vegetation_points,
                                                        record->first_ring, record->ring_count, at)) {
            highest = record->height;
        }
    }
    return (double)highest / RCITY_HEIGHT_UNITS_PER_M;
}

static rcity_status scene_get_ground_cover(rcity_context *context, const rcity_scene *scene, double x_m, double y_m,
                                           rcity_ground_cover *cover)
{
    RCITY_CHECK(context, scene->is_committed, RCITY_ERR_STATE, "the scene is not committed yet");
    rcity_point point = {x_m, y_m, 0.0};
    rcity_grid_point3 snapped;
    RCITY_TRY(rcity_shapes_snap(context, &scene->shapes, &point, &snapped));
    rcity_grid_point at = {snapped.x, snapped.y};
    rcity_ground_cover found = {0.0, -1, "", 0.0, 0.0};
    if (scene->shapes.vegetation_count > 0) {
        found.vegetation_m = vegetation_at_m(scene, at);
    }
    const rcity_land_grid *land = &scene->shapes.land_cover;
    if (land->column_count > 0) {
        double column = floor((x_m - land->west_m) / land->cell_m);
        double row = floor((y_m - land->south_m) / land->cell_m);
        if (column >= 0.0 && column < land->column_count && row >= 0.0 && row < land->row_count) {
            int code = land->code[(int64_t)row * land->column_count + (int64_t)column];
            const rcity_land_class_record *record = rcity_land_grid_find(land, code);
            found.land_class_code = code;
            found.land_class_name = record->name;
            found.land_class_height_m = record->height_m;
            found.land_class_loss_db = record->loss_db;
        }
    }
    *cover = found;
    return RCITY_OK;
}

rcity_status rcity_scene_get_ground_cover_sized(rcity_context *context, const rcity_scene *scene, double x_m,
                                                double y_m, size_t cover_bytes, rcity_ground_cover *cover)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, cover);
    RCITY_CHECK_BYTES(context, rcity_ground_cover, cover_bytes);
    rcity_ground_cover made;
    RCITY_TRY(scene_get_ground_cover(context, scene, x_m, y_m, &made));
    rcity_copy_struct(&made, sizeof made, cover_bytes, cover);
    return RCITY_OK;
}

static rcity_status scene_get_material(rcity_context *context, const rcity_scene *scene, const char *name,
                                       rcity_surface surface, rcity_material *material)
{
    RCITY_CHECK(context, scene->is_committed, RCITY_ERR_STATE, "the scene is not committed yet");
    RCITY_CHECK(context, surface >= RCITY_SURFACE_WALL && surface < RCITY_SURFACE_COUNT, RCITY_ERR_ARGUMENT,
                "there is no surface of kind %d", (int)surface);
    const rcity_shapes *shapes = &scene->shapes;
    const char *wanted = name[0] != '\0' ? name : rcity_surface_material(surface);
    const rcity_material *own = rcity_shapes_find_material(shapes->materials, shapes->material_count, wanted);
    rcity_material built_in;
    if (own == NULL) {
        RCITY_CHECK(context, rcity_material_find(wanted, &built_in), RCITY_ERR_ARGUMENT,
                    "there is no material '%.100s' in this scene or built in", name);
        /* "timber" is wood, and the scene may have a material of that name */
        own = rcity_shapes_find_material(shapes->materials, shapes->material_count, built_in.name);
    }
    *material = own != NULL ? *own : built_in;
    return RCITY_OK;
}

rcity_status rcity_scene_get_material_sized(rcity_context *context, const rcity_scene *scene, const char *name,
                                            rcity_surface surface, size_t material_bytes, rcity_material *material)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, name);
    RCITY_NEED(context, material);
    RCITY_CHECK_BYTES(context, rcity_material, material_bytes);
    rcity_material made;
    RCITY_TRY(scene_get_material(context, scene, name, surface, &made));
    rcity_copy_struct(&made, sizeof made, material_bytes, material);
    return RCITY_OK;
}

rcity_status rcity_scene_test_segment(rcity_context *context, const rcity_scene *scene, const rcity_point *from,
                                      const rcity_point *to, bool *is_free)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, from);
    RCITY_NEED(context, to);
    RCITY_NEED(context, is_free);
    RCITY_CHECK(context, scene->is_committed, RCITY_ERR_STATE, "the scene is not committed yet");
    const rcity_shapes *shapes = &scene->shapes;
    rcity_grid_point3 a;
    rcity_grid_point3 b;
    RCITY_TRY(rcity_shapes_snap(context, shapes, from, &a));
    RCITY_TRY(rcity_shapes_snap(context, shapes, to, &b));
    rcity_segment_scratch scratch;
    RCITY_TRY(rcity_segment_scratch_init(context, shapes, &scratch));
    *is_free = rcity_segment_is_free(shapes, &scratch, a, b);
    rcity_segment_scratch_deinit(context, &scratch);
    return RCITY_OK;
}
