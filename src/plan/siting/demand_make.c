/* Demand from rasters and from the floor area of buildings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/siting/demand.h"
#include "result/map_data.h"
#include "scene/shapes.h"

#define FLOOR_M       3.0 /* height of a floor */
#define FRONT_M       2.0 /* from a wall to where its building's demand is asked for */
#define CLUSTER_MAX_M 1e5

/* A part with the square it lies in. */
typedef struct placed_part {
    int64_t column, row;
    rcity_demand_part part;
    int64_t number; /* equal parts stay in their order */
} placed_part;

static int compare_squares(const void *a, const void *b)
{
    const placed_part *left = a;
    const placed_part *right = b;
    if (left->row != right->row) {
        return left->row < right->row ? -1 : 1;
    }
    if (left->column != right->column) {
        return left->column < right->column ? -1 : 1;
    }
    return left->number < right->number ? -1 : left->number > right->number ? 1 : 0;
}

/* Where demand falls into squares, they are sorted row by row from the south. */
static int64_t place_parts(int64_t part_count, const rcity_demand_part *parts, double cluster_m, placed_part *placed)
{
    int64_t count = 0;
    for (int64_t i = 0; i < part_count; i++) {
        if (parts[i].weight > 0.0) {
            placed[count] = (placed_part){.column = i, .row = 0, .part = parts[i], .number = i};
            if (cluster_m > 0.0) {
                placed[count].column = (int64_t)floor(parts[i].x_m / cluster_m);
                placed[count].row = (int64_t)floor(parts[i].y_m / cluster_m);
            }
            count++;
        }
    }
    qsort(placed, (size_t)count, sizeof *placed, compare_squares);
    return count;
}

rcity_status rcity_demand_gather(rcity_context *context, int64_t part_count, const rcity_demand_part *parts,
                                 double cluster_m, double height_m, rcity_demand **demand)
{
    placed_part *placed = NULL;
    rcity_demand_point *points = NULL;
    int64_t point_count = 0;
    rcity_status status;
    RCITY_CHECK(context, cluster_m >= 0.0 && cluster_m <= CLUSTER_MAX_M, RCITY_ERR_ARGUMENT,
                "`cluster-m` is %g, must be 0 to %g", cluster_m, CLUSTER_MAX_M);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)part_count + 1, sizeof *placed, "demand", &placed));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)part_count + 1, sizeof *points, "demand", &points));
    int64_t count = place_parts(part_count, parts, cluster_m, placed);
    status = count > 0 ? RCITY_OK
                       : rcity_fail(context, RCITY_ERR_ARGUMENT,
                                    "none of %lld values of demand within the scene is above 0", (long long)part_count);
    RCITY_TRY_DONE(status);
    for (int64_t i = 0; i < count;) {
        int64_t end = i;
        int64_t heaviest = i;
        double weight = 0.0;
        for (; end < count && placed[end].column == placed[i].column && placed[end].row == placed[i].row; end++) {
            weight += placed[end].part.weight;
            heaviest = placed[end].part.weight > placed[heaviest].part.weight ? end : heaviest;
        }
        points[point_count] = rcity_demand_point_default();
        points[point_count].x_m = placed[heaviest].part.x_m;
        points[point_count].y_m = placed[heaviest].part.y_m;
        points[point_count].height_m = height_m;
        points[point_count++].weight = weight;
        i = end;
    }
    status = rcity_demand_create(context, point_count, points, demand);
done:
    rcity_release(context, points);
    rcity_release(context, placed);
    return status;
}

static rcity_status fill_from_map(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                  const float *value, rcity_demand_part *parts)
{
    rcity_raster raster = rcity_map_raster(map);
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(scene, &info));
    double east_m = raster.west_m + raster.cell_m * (double)raster.column_count;
    double south_m = raster.north_m - raster.cell_m * (double)raster.row_count;
    RCITY_CHECK(
        context,
        raster.west_m < info.x_max_m && east_m > info.x_min_m && south_m < info.y_max_m &&
            raster.north_m > info.y_min_m,
        RCITY_ERR_ARGUMENT,
        "the raster of demand covers (%.6g, %.6g) to (%.6g, %.6g), the scene (%.6g, %.6g) to (%.6g, %.6g): they "
        "do not overlap",
        raster.west_m, south_m, east_m, raster.north_m, info.x_min_m, info.y_min_m, info.x_max_m, info.y_max_m);
    for (int64_t i = 0; i < raster.column_count * raster.row_count; i++) {
        rcity_demand_part *part = &parts[i];
        part->x_m = raster.west_m + raster.cell_m * ((double)(i % raster.column_count) + 0.5);
        part->y_m = raster.north_m - raster.cell_m * ((double)(i / raster.column_count) + 0.5);
        bool is_inside = part->x_m >= info.x_min_m && part->x_m <= info.x_max_m && part->y_m >= info.y_min_m &&
                         part->y_m <= info.y_max_m;
        part->weight = is_inside && value[i] > 0.0f ? (double)value[i] : 0.0; /* of NAN too */
    }
    return RCITY_OK;
}

rcity_status rcity_demand_create_from_map(rcity_context *context, const rcity_scene *scene, const rcity_map *map,
                                          int band_index, double cluster_m, double height_m, rcity_demand **demand)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, map);
    RCITY_NEED(context, demand);
    rcity_band band = {.name = ""};
    rcity_raster raster = rcity_map_raster(map);
    RCITY_CHECK(context, rcity_map_get_band(map, band_index, &band) == RCITY_OK, RCITY_ERR_ARGUMENT,
                "the map of demand has %d bands, band %d does not exist", rcity_map_band_count(map), band_index + 1);
    RCITY_CHECK(context, strcmp(rcity_map_crs(map), rcity_scene_crs(scene)) == 0, RCITY_ERR_ARGUMENT,
                "the map of demand is in %.60s, the scene in %.60s; convert it, such as with gdalwarp",
                rcity_map_crs(map), rcity_scene_crs(scene));
    int64_t count = raster.column_count * raster.row_count;
    rcity_demand_part *parts = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)count, sizeof *parts, "demand", &parts));
    rcity_status status = fill_from_map(context, scene, map, band.value, parts);
    if (status == RCITY_OK) {
        status = rcity_demand_gather(context, count, parts, cluster_m, height_m, demand);
    }
    rcity_release(context, parts);
    return status;
}

/* Floor area of a solid: its outline less its holes, for every floor. */
static double floor_area_m2(const rcity_shapes *shapes, const rcity_prism *prism)
{
    double twice = 0.0;
    for (int32_t r = prism->first_ring; r < prism->first_ring + prism->ring_count; r++) {
        int32_t first = shapes->ring_first[r];
        int32_t end = shapes->ring_first[r + 1];
        for (int32_t i = first; i < end; i++) {
            const rcity_grid_point *a = &shapes->points[i];
            const rcity_grid_point *b = &shapes->points[i + 1 < end ? i + 1 : first];
            twice += (double)a->x * (double)b->y - (double)b->x * (double)a->y; /* holes run clockwise */
        }
    }
    double unit_m = 1.0 / shapes->units_per_m;
    double height_m = (double)(prism->roof - prism->ground) / RCITY_HEIGHT_UNITS_PER_M;
    return 0.5 * twice * unit_m * unit_m * fmax(1.0, floor(height_m / FLOOR_M));
}

/* In front of each facade stands its building's demand, if it is the longest one with room before it in the scene. */
static rcity_status place_fronts(rcity_context *context, const rcity_scene *scene, const rcity_shapes *shapes,
                                 rcity_demand_part *parts, double *length_m)
{
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(scene, &info));
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        const rcity_facade *facade = &shapes->facades[i];
        double along[2] = {(double)facade->x2_m - (double)facade->x1_m, (double)facade->y2_m - (double)facade->y1_m};
        double metres = hypot(along[0], along[1]);
        int32_t building = shapes->prisms[facade->prism].building;
        if (metres <= length_m[building] || metres <= 0.0) {
            continue;
        }
        double x_m = shapes->origin_x_m + 0.5 * ((double)facade->x1_m + (double)facade->x2_m);
        double y_m = shapes->origin_y_m + 0.5 * ((double)facade->y1_m + (double)facade->y2_m);
        x_m += FRONT_M * along[1] / metres; /* the solid is on the left */
        y_m -= FRONT_M * along[0] / metres;
        rcity_cover cover;
        bool is_inside = x_m >= info.x_min_m && x_m <= info.x_max_m && y_m >= info.y_min_m && y_m <= info.y_max_m;
        RCITY_TRY(rcity_scene_get_cover(context, scene, x_m, y_m, &cover));
        if (is_inside && !cover.is_covered) {
            length_m[building] = metres;
            parts[building].x_m = x_m;
            parts[building].y_m = y_m;
        }
    }
    return RCITY_OK;
}

rcity_status rcity_demand_create_from_buildings(rcity_context *context, const rcity_scene *scene, double cluster_m,
                                                double height_m, rcity_demand **demand)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, demand);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    RCITY_CHECK(context, shapes != NULL, RCITY_ERR_STATE, "the scene is not committed yet");
    RCITY_CHECK(context, shapes->building_count > 0, RCITY_ERR_ARGUMENT,
                "the scene has no buildings to take demand from; give a list or a raster of demand");
    rcity_demand_part *parts = NULL;
    double *length_m = NULL;
    size_t count = (size_t)shapes->building_count;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *parts, "demand", &parts));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *length_m, "demand", &length_m));
    RCITY_TRY_DONE(place_fronts(context, scene, shapes, parts, length_m));
    int64_t closed_count = 0;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        int32_t building = shapes->prisms[i].building;
        if (length_m[building] > 0.0) {
            parts[building].weight += floor_area_m2(shapes, &shapes->prisms[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        closed_count += length_m[i] > 0.0 ? 0 : 1;
    }
    if (closed_count > 0) {
        rcity_log(context, RCITY_LOG_INFO,
                  "demand: %lld of %lld buildings have no free wall that faces the scene, and are left out",
                  (long long)closed_count, (long long)count);
    }
    status = rcity_demand_gather(context, (int64_t)count, parts, cluster_m, height_m, demand);
done:
    rcity_release(context, length_m);
    rcity_release(context, parts);
    return status;
}
