/* The elevation grid as numbers of single precision, and the cover as a raster: what kernels take. */
#include "method/terrain/terrain_ground.h"

#include <math.h>
#include <string.h>

#include "scene/place/cover.h"
#include "scene/shape/prism.h"

/* Cells of the cover: fine enough for houses, and made coarser where a scene would have more of them than this. */
#define COVER_CELL_M    5.0
#define COVER_CELLS_MAX ((double)(1 << 24))

/* Between points of a profile over a scene without terrain. */
#define FLAT_STEP_M 30.0

/* A box in the scene's CRS; empty while west is not below east. */
typedef struct plan_box {
    double west_m, south_m, east_m, north_m;
} plan_box;

static void widen(plan_box *box, double west_m, double south_m, double east_m, double north_m)
{
    box->west_m = fmin(box->west_m, west_m);
    box->south_m = fmin(box->south_m, south_m);
    box->east_m = fmax(box->east_m, east_m);
    box->north_m = fmax(box->north_m, north_m);
}

static void widen_by_units(const rcity_shapes *shapes, plan_box *box, int32_t x_min, int32_t y_min, int32_t x_max,
                           int32_t y_max)
{
    double unit_m = 1.0 / shapes->units_per_m;
    widen(box, shapes->origin_x_m + x_min * unit_m, shapes->origin_y_m + y_min * unit_m,
          shapes->origin_x_m + x_max * unit_m, shapes->origin_y_m + y_max * unit_m);
}

static bool land_has_heights(const rcity_land_grid *land)
{
    for (int64_t i = 0; i < land->class_count && land->column_count > 0; i++) {
        if (land->classes[i].height_m > 0.0) {
            return true;
        }
    }
    return false;
}

/* The part of the land cover over the elevation grid, or over the scene's bounds where there is none. */
static void widen_by_land(const rcity_shapes *shapes, plan_box *box)
{
    const rcity_land_grid *land = &shapes->land_cover;
    double unit_m = 1.0 / shapes->units_per_m;
    double west_m = fmax(land->west_m, shapes->origin_x_m + shapes->x_min * unit_m);
    double south_m = fmax(land->south_m, shapes->origin_y_m + shapes->y_min * unit_m);
    double east_m = fmin(land->west_m + land->column_count * land->cell_m, shapes->origin_x_m + shapes->x_max * unit_m);
    double north_m = fmin(land->south_m + land->row_count * land->cell_m, shapes->origin_y_m + shapes->y_max * unit_m);
    if (west_m < east_m && south_m < north_m) {
        widen(box, west_m, south_m, east_m, north_m);
    }
}

/* The raster of the cover, without its nodes. @return false where nothing stands on the ground */
static bool plan_cover(const rcity_shapes *shapes, rcity_terrain_raster *cover)
{
    plan_box box = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        widen_by_units(shapes, &box, prism->x_min, prism->y_min, prism->x_max, prism->y_max);
    }
    for (int64_t i = 0; i < shapes->vegetation_count; i++) {
        const rcity_vegetation_record *trees = &shapes->vegetation[i];
        widen_by_units(shapes, &box, trees->x_min, trees->y_min, trees->x_max, trees->y_max);
    }
    if (land_has_heights(&shapes->land_cover)) {
        widen_by_land(shapes, &box);
    }
    if (!(box.west_m < box.east_m && box.south_m < box.north_m)) {
        return false;
    }
    double width_m = box.east_m - box.west_m;
    double depth_m = box.north_m - box.south_m;
    cover->cell_m = fmax(COVER_CELL_M, sqrt(width_m * depth_m / COVER_CELLS_MAX));
    cover->cell_m = fmax(cover->cell_m, fmax(width_m, depth_m) / (1 << 22));
    cover->column_count = (int32_t)ceil(width_m / cover->cell_m);
    cover->row_count = (int32_t)ceil(depth_m / cover->cell_m);
    cover->west_m = box.west_m + 0.5 * cover->cell_m; /* nodes are the middles of cells */
    cover->south_m = box.south_m + 0.5 * cover->cell_m;
    return true;
}

static size_t node_count(const rcity_terrain_raster *raster)
{
    return raster->column_count > 0 ? (size_t)raster->column_count * (size_t)raster->row_count : 1;
}

static void plan_ground(const rcity_shapes *shapes, rcity_terrain_raster *ground)
{
    const rcity_terrain_grid *terrain = &shapes->terrain;
    double unit_m = 1.0 / shapes->units_per_m;
    ground->column_count = terrain->column_count;
    ground->row_count = terrain->row_count;
    ground->west_m = shapes->origin_x_m + terrain->west * unit_m;
    ground->south_m = shapes->origin_y_m + terrain->south * unit_m;
    ground->cell_m = terrain->column_count > 0 ? terrain->cell * unit_m : 1.0;
}

double rcity_terrain_ground_bytes(const rcity_job *job, bool has_cover)
{
    rcity_terrain_raster raster;
    memset(&raster, 0, sizeof raster);
    plan_ground(job->shapes, &raster);
    double bytes = (double)node_count(&raster) * sizeof(float);
    memset(&raster, 0, sizeof raster);
    if (has_cover && plan_cover(job->shapes, &raster)) {
        bytes += 2.0 * (double)node_count(&raster) * sizeof(float); /* once more while roofs are drawn */
        bytes += (double)job->shapes->vegetation_count * sizeof(rcity_prism);
    }
    return bytes;
}

double rcity_terrain_default_step_m(const rcity_job *job)
{
    const rcity_terrain_grid *terrain = &job->shapes->terrain;
    return terrain->column_count > 0 ? (double)terrain->cell / job->shapes->units_per_m : FLAT_STEP_M;
}

rcity_ground_grid rcity_terrain_raster_from(const rcity_terrain_raster *raster, const rcity_point *antenna)
{
    rcity_ground_grid grid;
    memset(&grid, 0, sizeof grid);
    grid.column_count = raster->column_count;
    grid.row_count = raster->row_count;
    if (raster->column_count > 0) {
        grid.cells_per_m = (float)(1.0 / raster->cell_m);
        grid.tx_column = (float)((antenna->x_m - raster->west_m) / raster->cell_m);
        grid.tx_row = (float)((antenna->y_m - raster->south_m) / raster->cell_m);
    }
    return grid;
}

/* The heights of the land classes. */
static void draw_land(const rcity_land_grid *land, rcity_terrain_raster *cover)
{
    float height_m[256] = {0.0f};
    for (int64_t i = 0; i < land->class_count; i++) {
        height_m[land->classes[i].code & 255] = (float)land->classes[i].height_m;
    }
    for (int64_t i = 0; i < (int64_t)node_count(cover); i++) {
        double x_m = cover->west_m + (double)(i % cover->column_count) * cover->cell_m;
        double y_m = cover->south_m + (double)(i / cover->column_count) * cover->cell_m;
        double column = floor((x_m - land->west_m) / land->cell_m);
        double row = floor((y_m - land->south_m) / land->cell_m);
        if (column >= 0.0 && column < land->column_count && row >= 0.0 && row < land->row_count) {
            cover->node_m[i] = height_m[land->code[(int64_t)row * land->column_count + (int64_t)column]];
        }
    }
}

/* Raise the cover to roofs that were drawn over it, less the ground below each: rows of `roof_m` run from the north. */
static void raise_cover(const rcity_terrain_raster *ground, const float *roof_m, rcity_terrain_raster *cover)
{
    const rcity_point corner = {cover->west_m, cover->south_m, 0.0};
    rcity_ground_grid grid;
    memset(&grid, 0, sizeof grid);
    if (ground != NULL) {
        grid = rcity_terrain_raster_from(ground, &corner);
    }
    for (int32_t row = 0; row < cover->row_count; row++) {
        for (int32_t column = 0; column < cover->column_count; column++) {
            int64_t i = (int64_t)row * cover->column_count + column;
            float top_m = roof_m[(int64_t)(cover->row_count - 1 - row) * cover->column_count + column];
            if (isinf(top_m)) {
                continue;
            }
            float base_m = ground != NULL
                               ? rcity_ground_grid_height_m(&grid, ground->node_m, (float)(column * cover->cell_m),
                                                            (float)(row * cover->cell_m))
                               : 0.0f;
            cover->node_m[i] = fmaxf(cover->node_m[i], top_m - base_m);
        }
    }
}

/* Trees as prisms whose roofs are their heights above the ground; the rings are borrowed. */
static void describe_trees(const rcity_shapes *shapes, rcity_prism *prisms, rcity_shapes *trees)
{
    *trees = *shapes;
    trees->prisms = prisms;
    trees->prism_count = shapes->vegetation_count;
    trees->ring_count = shapes->vegetation_ring_count;
    trees->ring_first = shapes->vegetation_ring_first;
    trees->points = shapes->vegetation_points;
    trees->point_count = shapes->vegetation_point_count;
    for (int64_t i = 0; i < shapes->vegetation_count; i++) {
        const rcity_vegetation_record *from = &shapes->vegetation[i];
        prisms[i] = (rcity_prism){.first_ring = from->first_ring,
                                  .ring_count = from->ring_count,
                                  .roof = from->height,
                                  .x_min = from->x_min,
                                  .y_min = from->y_min,
                                  .x_max = from->x_max,
                                  .y_max = from->y_max};
    }
}

static rcity_status draw_cover(const rcity_job *job, const rcity_terrain_raster *ground, rcity_terrain_raster *cover)
{
    rcity_context *context = job->context;
    const rcity_shapes *shapes = job->shapes;
    const rcity_raster raster = {cover->column_count, cover->row_count, cover->west_m - 0.5 * cover->cell_m,
                                 cover->south_m + (cover->row_count - 0.5) * cover->cell_m, cover->cell_m};
    float *roof_m = NULL;
    rcity_prism *prisms = NULL;
    rcity_shapes trees;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, node_count(cover), sizeof *roof_m, "the roof raster", &roof_m));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)shapes->vegetation_count, sizeof *prisms, "trees", &prisms));
    if (land_has_heights(&shapes->land_cover)) {
        draw_land(&shapes->land_cover, cover);
    }
    if (shapes->vegetation_count > 0) {
        describe_trees(shapes, prisms, &trees);
        RCITY_TRY_DONE(rcity_raster_cover(context, &trees, &raster, roof_m));
        raise_cover(NULL, roof_m, cover);
    }
    RCITY_TRY_DONE(rcity_raster_cover(context, shapes, &raster, roof_m));
    raise_cover(ground, roof_m, cover);
    status = RCITY_OK;
done:
    rcity_release(context, prisms);
    rcity_release(context, roof_m);
    return status;
}

rcity_status rcity_terrain_ground_create(const rcity_job *job, bool has_cover, rcity_terrain_ground **ground)
{
    rcity_context *context = job->context;
    const rcity_terrain_grid *terrain = &job->shapes->terrain;
    rcity_terrain_ground *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "the ground", &made));
    plan_ground(job->shapes, &made->ground);
    RCITY_TRY_DONE(rcity_alloc(context, node_count(&made->ground), sizeof(float), "the ground", &made->ground.node_m));
    for (int64_t i = 0; i < (int64_t)terrain->column_count * terrain->row_count; i++) {
        made->ground.node_m[i] = (float)terrain->height[i] / RCITY_HEIGHT_UNITS_PER_M;
    }
    bool is_covered = has_cover && plan_cover(job->shapes, &made->cover);
    RCITY_TRY_DONE(rcity_alloc(context, node_count(&made->cover), sizeof(float), "the cover", &made->cover.node_m));
    if (is_covered) {
        RCITY_TRY_DONE(draw_cover(job, &made->ground, &made->cover));
    }
    *ground = made;
    made = NULL;
    status = RCITY_OK;
done:
    rcity_terrain_ground_destroy(context, made);
    return status;
}

void rcity_terrain_ground_destroy(rcity_context *context, rcity_terrain_ground *ground)
{
    if (ground != NULL) {
        rcity_release(context, ground->cover.node_m);
        rcity_release(context, ground->ground.node_m);
        rcity_release(context, ground);
    }
}
