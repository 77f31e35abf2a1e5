/* Shapes as a whole: their memory, hash and wall index, and a scene made from finished shapes. */
#include "scene/shapes.h"

#include <string.h>

#include "base/sha256.h"
#include "scene/material.h"
#include "scene/scene_data.h"
#include "scene/shape/exact.h"
#include "scene/shape/facades.h"

void rcity_shapes_deinit(rcity_context *context, rcity_shapes *shapes)
{
    rcity_release(context, shapes->materials);
    rcity_land_grid_deinit(context, &shapes->land_cover);
    rcity_release(context, shapes->vegetation_points);
    rcity_release(context, shapes->vegetation_ring_first);
    rcity_release(context, shapes->vegetation);
    if (shapes->height_lender.owner != NULL) {
        shapes->height_lender.release(shapes->height_lender.owner);
    } else {
        rcity_release(context, shapes->terrain.height);
    }
    rcity_release(context, shapes->facades);
    rcity_release(context, shapes->points);
    rcity_release(context, shapes->ring_first);
    rcity_release(context, shapes->prisms);
    rcity_release(context, shapes->buildings);
    memset(shapes, 0, sizeof *shapes);
}

/* The source of an edge's box; edges find their next point through this table. */
typedef struct edge_ends {
    const rcity_shapes *shapes;
    const int32_t *next;
} edge_ends;

static rcity_plan_box edge_box(const void *user, int32_t edge)
{
    const edge_ends *ends = user;
    rcity_grid_point p = ends->shapes->points[edge];
    rcity_grid_point q = ends->shapes->points[ends->next[edge]];
    return rcity_edge_box(p, q);
}

rcity_status rcity_shapes_index_walls(rcity_context *context, const rcity_shapes *shapes, rcity_plan_index *index)
{
    int32_t *next = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)shapes->point_count, sizeof *next, "the wall index", &next));
    for (int32_t ring = 0; ring < shapes->ring_count; ring++) {
        for (int32_t point = shapes->ring_first[ring]; point < shapes->ring_first[ring + 1]; point++) {
            next[point] = rcity_ring_next(shapes->ring_first, ring, point);
        }
    }
    edge_ends ends = {shapes, next};
    rcity_status status = rcity_plan_index_build(context, (int32_t)shapes->point_count, edge_box, &ends, index);
    rcity_release(context, next);
    return status;
}

static rcity_plan_box vegetation_box(const void *user, int32_t item)
{
    const rcity_vegetation_record *record = (const rcity_vegetation_record *)user + item;
    rcity_plan_box box = {record->x_min, record->y_min, record->x_max, record->y_max};
    return box;
}

rcity_status rcity_shapes_index_vegetation(rcity_context *context, const rcity_shapes *shapes, rcity_plan_index *index)
{
    return rcity_plan_index_build(context, (int32_t)shapes->vegetation_count, vegetation_box, shapes->vegetation,
                                  index);
}

/* Optional parts come last, and only where present: other scenes keep their hash. */
static void hash_clutter(rcity_sha256 *sha, const rcity_shapes *shapes)
{
    const rcity_land_grid *land = &shapes->land_cover;
    if (shapes->vegetation_count == 0 && land->column_count == 0 && shapes->material_count == 0) {
        return;
    }
    const int64_t counts[7] = {shapes->vegetation_count,
                               shapes->vegetation_ring_count,
                               shapes->vegetation_point_count,
                               land->column_count,
                               land->row_count,
                               land->class_count,
                               shapes->material_count};
    const double numbers[3] = {land->west_m, land->south_m, land->cell_m};
    rcity_sha256_add(sha, counts, sizeof counts);
    for (int64_t i = 0; i < shapes->vegetation_count; i++) {
        const int32_t record[2] = {shapes->vegetation[i].ring_count, shapes->vegetation[i].height};
        rcity_sha256_add(sha, record, sizeof record);
    }
    if (shapes->vegetation_count > 0) {
        rcity_sha256_add(sha, shapes->vegetation_ring_first,
                         (size_t)(shapes->vegetation_ring_count + 1) * sizeof *shapes->vegetation_ring_first);
        rcity_sha256_add(sha, shapes->vegetation_points,
                         (size_t)shapes->vegetation_point_count * sizeof *shapes->vegetation_points);
    }
    if (land->column_count > 0) {
        rcity_sha256_add(sha, numbers, sizeof numbers);
        rcity_sha256_add(sha, land->code, (size_t)land->column_count * (size_t)land->row_count);
        rcity_sha256_add(sha, land->classes, (size_t)land->class_count * sizeof *land->classes);
    }
    for (int64_t i = 0; i < shapes->material_count; i++) {
        const rcity_material_record record = rcity_material_to_record(&shapes->materials[i]);
        rcity_sha256_add(sha, &record, sizeof record);
    }
}

void rcity_shapes_hash(const rcity_shapes *shapes, const char *crs, char hash[65])
{
    rcity_sha256 sha;
    rcity_sha256_init(&sha);
    rcity_sha256_add(&sha, crs, strlen(crs) + 1);
    rcity_sha256_add(&sha, &shapes->origin_x_m, sizeof shapes->origin_x_m);
    rcity_sha256_add(&sha, &shapes->origin_y_m, sizeof shapes->origin_y_m);
    rcity_sha256_add(&sha, &shapes->units_per_m, sizeof shapes->units_per_m);
    for (int64_t i = 0; i < shapes->building_count; i++) {
        rcity_sha256_add(&sha, shapes->buildings[i].material, sizeof shapes->buildings[i].material);
    }
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        const int32_t numbers[4] = {prism->ring_count, prism->building, prism->ground, prism->roof};
        rcity_sha256_add(&sha, numbers, sizeof numbers);
    }
    rcity_sha256_add(&sha, shapes->ring_first, (size_t)(shapes->ring_count + 1) * sizeof *shapes->ring_first);
    if (shapes->point_count > 0) {
        rcity_sha256_add(&sha, shapes->points, (size_t)shapes->point_count * sizeof *shapes->points);
    }
    const rcity_terrain_grid *terrain = &shapes->terrain;
    const int32_t grid[5] = {terrain->column_count, terrain->row_count, terrain->west, terrain->south, terrain->cell};
    rcity_sha256_add(&sha, grid, sizeof grid);
    if (terrain->column_count > 0) {
        rcity_sha256_add(&sha, terrain->height,
                         (size_t)terrain->column_count * (size_t)terrain->row_count * sizeof *terrain->height);
    }
    hash_clutter(&sha, shapes);
    rcity_sha256_finish(&sha, hash);
}

rcity_status rcity_scene_create_from_shapes(rcity_context *context, const char *crs, const char *source,
                                            rcity_shapes *shapes, rcity_scene **scene)
{
    rcity_scene *made = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = crs;
    rcity_status status = rcity_scene_create(context, &options, &made);
    if (status != RCITY_OK) {
        rcity_shapes_deinit(context, shapes);
        return status;
    }
    made->shapes = *shapes;
    memset(shapes, 0, sizeof *shapes);
    RCITY_TRY_DONE(rcity_scene_set_source(made, source));
    RCITY_TRY_DONE(rcity_shapes_index_prisms(context, &made->shapes, &made->prism_index));
    RCITY_TRY_DONE(rcity_shapes_index_walls(context, &made->shapes, &made->wall_index));
    RCITY_TRY_DONE(rcity_shapes_index_vegetation(context, &made->shapes, &made->vegetation_index));
    RCITY_TRY_DONE(rcity_scene_summarize(context, &made->shapes, &made->info));
    made->is_committed = true;
    *scene = made;
    made = NULL;
done:
    rcity_scene_destroy(&made);
    return status;
}
