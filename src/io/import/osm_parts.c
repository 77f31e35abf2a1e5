/* Buildings of OpenStreetMap that are drawn as parts. Two shapes are compared by sample points inside the smaller one:
   outlines and their parts share walls, whose exact intersection would turn on the last digit. */
#include "io/import/osm_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPLACED_SHARE 0.8 /* of an outline that its parts on the ground cover */
#define RESTING_SHARE  0.5 /* of a raised part that lies over something */
#define REST_M         1.0 /* a part rests on a roof at most this far below it: heights and levels are rounded */
#define SAMPLE_EDGE    9   /* sample points along each side of a shape's box */
#define CELL_M         64.0

/* Which shapes lie in each cell of a grid. */
typedef struct shape_grid {
    double west_m, south_m;
    int column_count, row_count;
    size_t *first; /* of each cell, and one more */
    size_t *shape;
} shape_grid;

void rcity_osm_parts_deinit(rcity_osm_parts *parts)
{
    rcity_release(parts->context, parts->shapes);
    rcity_release(parts->context, parts->ring_point_count);
    rcity_release(parts->context, parts->xy_m);
    rcity_context *context = parts->context;
    memset(parts, 0, sizeof *parts);
    parts->context = context;
}

/* The area that rings enclose; holes run the other way around. */
static double measure_area(const rcity_building *building)
{
    double sum = 0.0;
    const double *xy = building->xy_m;
    for (int r = 0; r < building->ring_count; r++) {
        int count = building->ring_point_count[r];
        for (int i = 0; i < count; i++) {
            const double *a = xy + 2 * i;
            const double *b = xy + 2 * ((i + 1) % count);
            sum += (a[0] - xy[0]) * (b[1] - xy[1]) - (b[0] - xy[0]) * (a[1] - xy[1]);
        }
        xy += 2 * (size_t)count;
    }
    return 0.5 * fabs(sum);
}

rcity_status rcity_osm_parts_add(rcity_osm_parts *parts, const rcity_building *building, double base_m, bool is_part)
{
    rcity_context *context = parts->context;
    size_t ring_count = (size_t)building->ring_count;
    size_t point_count = 0;
    for (size_t i = 0; i < ring_count; i++) {
        point_count += (size_t)building->ring_point_count[i];
    }
    RCITY_TRY(
        rcity_reserve(context, parts->count + 1, sizeof *parts->shapes, &parts->capacity, "buildings", &parts->shapes));
    RCITY_TRY(rcity_reserve(context, parts->ring_count + ring_count, sizeof *parts->ring_point_count,
                            &parts->ring_capacity, "buildings", &parts->ring_point_count));
    RCITY_TRY(rcity_reserve(context, parts->point_count + point_count, 2 * sizeof *parts->xy_m, &parts->point_capacity,
                            "buildings", &parts->xy_m));
    rcity_osm_shape *shape = &parts->shapes[parts->count];
    memset(shape, 0, sizeof *shape);
    shape->building = *building;
    if (building->material != NULL) {
        strncpy(shape->material, building->material, sizeof shape->material - 1);
    }
    shape->base_m = base_m;
    shape->is_part = is_part;
    shape->first_ring = parts->ring_count;
    shape->first_point = parts->point_count;
    shape->area_m2 = measure_area(building);
    shape->box[0] = shape->box[1] = HUGE_VAL;
    shape->box[2] = shape->box[3] = -HUGE_VAL;
    for (size_t i = 0; i < point_count; i++) {
        for (int k = 0; k < 2; k++) {
            shape->box[k] = fmin(shape->box[k], building->xy_m[2 * i + (size_t)k]);
            shape->box[2 + k] = fmax(shape->box[2 + k], building->xy_m[2 * i + (size_t)k]);
        }
    }
    memcpy(parts->ring_point_count + parts->ring_count, building->ring_point_count,
           ring_count * sizeof *parts->ring_point_count);
    memcpy(parts->xy_m + 2 * parts->point_count, building->xy_m, 2 * point_count * sizeof *parts->xy_m);
    parts->ring_count += ring_count;
    parts->point_count += point_count;
    parts->count++;
    return RCITY_OK;
}

rcity_building rcity_osm_parts_building(const rcity_osm_parts *parts, size_t index)
{
    const rcity_osm_shape *shape = &parts->shapes[index];
    rcity_building building = shape->building;
    building.ring_point_count = parts->ring_point_count + shape->first_ring;
    building.xy_m = parts->xy_m + 2 * shape->first_point;
    building.material = shape->material[0] != '\0' ? shape->material : NULL;
    return building;
}

/* Is a point inside, by the number of edges that a line to the east crosses? */
static bool holds(const rcity_osm_parts *parts, const rcity_osm_shape *shape, double x, double y)
{
    if (x < shape->box[0] || x > shape->box[2] || y < shape->box[1] || y > shape->box[3]) {
        return false;
    }
    bool is_inside = false;
    const double *xy = parts->xy_m + 2 * shape->first_point;
    for (int r = 0; r < shape->building.ring_count; r++) {
        int count = parts->ring_point_count[shape->first_ring + (size_t)r];
        for (int i = 0; i < count; i++) {
            const double *a = xy + 2 * i;
            const double *b = xy + 2 * ((i + 1) % count);
            if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) {
                is_inside = !is_inside;
            }
        }
        xy += 2 * (size_t)count;
    }
    return is_inside;
}

static int cell_of(double at_m, double low_m, int count)
{
    double cell = floor((at_m - low_m) / CELL_M);
    return cell < 0.0 ? 0 : cell >= (double)count ? count - 1 : (int)cell;
}

/* Count the cells of all shapes, or fill in the shapes; `fill` has the next free place of each cell. */
static void visit_cells(const rcity_osm_parts *parts, const shape_grid *grid, size_t *fill, bool is_counting)
{
    for (size_t i = 0; i < parts->count; i++) {
        const double *box = parts->shapes[i].box;
        for (int row = cell_of(box[1], grid->south_m, grid->row_count);
             row <= cell_of(box[3], grid->south_m, grid->row_count); row++) {
            for (int column = cell_of(box[0], grid->west_m, grid->column_count);
                 column <= cell_of(box[2], grid->west_m, grid->column_count); column++) {
                size_t cell = (size_t)row * (size_t)grid->column_count + (size_t)column;
                if (is_counting) {
                    fill[cell + 1]++;
                } else {
                    grid->shape[fill[cell]++] = i;
                }
            }
        }
    }
}

static rcity_status make_grid(const rcity_osm_parts *parts, shape_grid *grid)
{
    enum { EDGE_MAX = 4096 }; /* cells at the edge hold what lies beyond */
    double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < parts->count; i++) {
        for (int k = 0; k < 2; k++) {
            box[k] = fmin(box[k], parts->shapes[i].box[k]);
            box[2 + k] = fmax(box[2 + k], parts->shapes[i].box[2 + k]);
        }
    }
    grid->west_m = box[0];
    grid->south_m = box[1];
    grid->column_count = (int)fmin(floor((box[2] - box[0]) / CELL_M) + 1.0, EDGE_MAX);
    grid->row_count = (int)fmin(floor((box[3] - box[1]) / CELL_M) + 1.0, EDGE_MAX);
    size_t cell_count = (size_t)grid->column_count * (size_t)grid->row_count;
    size_t *fill = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(parts->context, cell_count + 1, sizeof *grid->first, "buildings", &grid->first));
    visit_cells(parts, grid, grid->first, true);
    for (size_t i = 0; i < cell_count; i++) {
        grid->first[i + 1] += grid->first[i];
    }
    RCITY_TRY_DONE(rcity_alloc(parts->context, cell_count, sizeof *fill, "buildings", &fill));
    memcpy(fill, grid->first, cell_count * sizeof *fill);
    RCITY_TRY_DONE(
        rcity_alloc(parts->context, grid->first[cell_count], sizeof *grid->shape, "buildings", &grid->shape));
    visit_cells(parts, grid, fill, false);
done:
    rcity_release(parts->context, fill);
    return status;
}

/* Is there a kept shape, other than this one, from the ground or resting, whose roof is at `roof_m` or above? */
static bool has_support(const rcity_osm_parts *parts, const shape_grid *grid, size_t but, double x, double y,
                        double roof_m)
{
    int column = cell_of(x, grid->west_m, grid->column_count);
    int row = cell_of(y, grid->south_m, grid->row_count);
    size_t cell = (size_t)row * (size_t)grid->column_count + (size_t)column;
    for (size_t k = grid->first[cell]; k < grid->first[cell + 1]; k++) {
        const rcity_osm_shape *other = &parts->shapes[grid->shape[k]];
        if (grid->shape[k] != but && other->fate == RCITY_OSM_KEPT && other->building.height_m >= roof_m &&
            holds(parts, other, x, y)) {
            return true;
        }
    }
    return false;
}

/* Is there a part on the ground? */
static bool has_part(const rcity_osm_parts *parts, const shape_grid *grid, double x, double y)
{
    int column = cell_of(x, grid->west_m, grid->column_count);
    int row = cell_of(y, grid->south_m, grid->row_count);
    size_t cell = (size_t)row * (size_t)grid->column_count + (size_t)column;
    for (size_t k = grid->first[cell]; k < grid->first[cell + 1]; k++) {
        const rcity_osm_shape *other = &parts->shapes[grid->shape[k]];
        if (other->is_part && other->base_m <= 0.0 && holds(parts, other, x, y)) {
            return true;
        }
    }
    return false;
}

/* The share of sample points inside a shape at which there is something: for an outline a part on the ground, for a
   raised part a roof to rest on. 0 where no sample lies inside. */
static double find_share(const rcity_osm_parts *parts, const shape_grid *grid, size_t index)
{
    const rcity_osm_shape *shape = &parts->shapes[index];
    int inside_count = 0;
    int met_count = 0;
    for (int i = 0; i < SAMPLE_EDGE * SAMPLE_EDGE; i++) {
        double across = ((double)(i % SAMPLE_EDGE) + 0.5) / SAMPLE_EDGE;
        double up = ((double)(i / SAMPLE_EDGE) + 0.5) / SAMPLE_EDGE;
        double x = shape->box[0] + across * (shape->box[2] - shape->box[0]);
        double y = shape->box[1] + up * (shape->box[3] - shape->box[1]);
        if (holds(parts, shape, x, y)) {
            inside_count++;
            met_count += shape->is_part || shape->base_m > 0.0
                             ? has_support(parts, grid, index, x, y, shape->base_m - REST_M)
                             : has_part(parts, grid, x, y);
        }
    }
    return inside_count > 0 ? (double)met_count / (double)inside_count : 0.0;
}

/* A raised shape and where it begins. */
typedef struct raised_shape {
    double base_m;
    size_t index;
} raised_shape;

static int compare_bases(const void *a, const void *b)
{
    const raised_shape *first = a;
    const raised_shape *second = b;
    int order = (first->base_m > second->base_m) - (first->base_m < second->base_m);
    return order != 0 ? order : (first->index > second->index) - (first->index < second->index);
}

/* From the lowest up, so that a part may rest on one that rests. */
static rcity_status settle_raised(rcity_osm_parts *parts, const shape_grid *grid)
{
    raised_shape *raised = NULL;
    size_t count = 0;
    RCITY_TRY(rcity_alloc(parts->context, parts->count, sizeof *raised, "buildings", &raised));
    for (size_t i = 0; i < parts->count; i++) {
        if (parts->shapes[i].base_m > 0.0) {
            raised[count++] = (raised_shape){.base_m = parts->shapes[i].base_m, .index = i};
            parts->shapes[i].fate = RCITY_OSM_FLOATING;
        }
    }
    qsort(raised, count, sizeof *raised, compare_bases);
    for (size_t i = 0; i < count; i++) {
        if (find_share(parts, grid, raised[i].index) >= RESTING_SHARE) {
            parts->shapes[raised[i].index].fate = RCITY_OSM_KEPT;
        }
    }
    rcity_release(parts->context, raised);
    return RCITY_OK;
}

rcity_status rcity_osm_parts_settle(rcity_osm_parts *parts)
{
    bool has_parts = false;
    for (size_t i = 0; i < parts->count; i++) {
        has_parts = has_parts || parts->shapes[i].is_part || parts->shapes[i].base_m > 0.0;
    }
    if (!has_parts) {
        return RCITY_OK;
    }
    shape_grid grid;
    memset(&grid, 0, sizeof grid);
    rcity_status status;
    RCITY_TRY_DONE(make_grid(parts, &grid));
    for (size_t i = 0; i < parts->count; i++) {
        rcity_osm_shape *shape = &parts->shapes[i];
        if (!shape->is_part && shape->base_m <= 0.0 && find_share(parts, &grid, i) >= REPLACED_SHARE) {
            shape->fate = RCITY_OSM_REPLACED;
        }
    }
    status = settle_raised(parts, &grid);
done:
    rcity_release(parts->context, grid.first);
    rcity_release(parts->context, grid.shape);
    return status;
}
