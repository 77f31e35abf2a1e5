/* Profiles of roofs and ground. */
#include "visibility/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "scene/shape/exact.h"

#define LINE_MIN_M 0.05 /* a shorter line passes nothing */

void rcity_profile_deinit(rcity_context *context, rcity_profile *profile)
{
    rcity_release(context, profile->crossings);
    rcity_release(context, profile->roofs);
    rcity_release(context, profile->points);
    memset(profile, 0, sizeof *profile);
}

static rcity_status add_point(rcity_context *context, rcity_profile *profile, double distance_m, double z,
                              int32_t prism, bool starts_roof)
{
    RCITY_TRY(rcity_reserve(context, profile->count + 1, sizeof *profile->points, &profile->capacity, "a profile",
                            &profile->points));
    rcity_profile_point point = {distance_m, z, prism, 0.0, starts_roof};
    profile->points[profile->count++] = point;
    return RCITY_OK;
}

/* A straight line over the plan. */
typedef struct plan_line {
    double x, y;   /* start */
    double dx, dy; /* unit direction */
    double length;
} plan_line;

/* Where the line is under a prism's roof: between its first and second crossing of the outline, its third and fourth,
   and so on. */
static rcity_status add_prism(rcity_context *context, const rcity_shapes *shapes, int32_t prism_index,
                              const plan_line *line, rcity_profile *profile)
{
    const rcity_prism *prism = &shapes->prisms[prism_index];
    double unit_m = 1.0 / shapes->units_per_m;
    size_t count = 0;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        for (int32_t edge = shapes->ring_first[ring]; edge < shapes->ring_first[ring + 1]; edge++) {
            rcity_grid_point p = shapes->points[edge];
            rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, edge)];
            double px = p.x * unit_m - line->x;
            double py = p.y * unit_m - line->y;
            double qx = q.x * unit_m - line->x;
            double qy = q.y * unit_m - line->y;
            double side_p = line->dx * py - line->dy * px;
            double side_q = line->dx * qy - line->dy * qx;
            if ((side_p < 0.0) != (side_q < 0.0)) {
                double part = side_p / (side_p - side_q);
                RCITY_TRY(rcity_reserve(context, count + 1, sizeof *profile->crossings, &profile->crossing_capacity,
                                        "a profile", &profile->crossings));
                profile->crossings[count++] = line->dx * (px + part * (qx - px)) + line->dy * (py + part * (qy - py));
            }
        }
    }
    rcity_sort_doubles(profile->crossings, count);
    for (size_t i = 0; i + 1 < count; i += 2) {
        rcity_profile_roof roof = {(double)prism->roof / RCITY_HEIGHT_UNITS_PER_M, fmax(profile->crossings[i], 0.0),
                                   fmin(profile->crossings[i + 1], line->length), prism_index, prism_index};
        if (roof.from_m < roof.to_m) {
            RCITY_TRY(rcity_reserve(context, profile->roof_count + 1, sizeof *profile->roofs, &profile->roof_capacity,
                                    "a profile", &profile->roofs));
            profile->roofs[profile->roof_count++] = roof;
        }
    }
    return RCITY_OK;
}

static int compare_roofs(const void *left, const void *right)
{
    const rcity_profile_roof *a = left;
    const rcity_profile_roof *b = right;
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return (a->from_m > b->from_m) - (a->from_m < b->from_m);
}

/* The ends of roofs. Touching roofs of equal height are one: their common wall is no diffracting edge. */
static rcity_status add_roof_ends(rcity_context *context, double length_m, rcity_profile *profile)
{
    if (profile->roof_count > 0) {
        qsort(profile->roofs, profile->roof_count, sizeof *profile->roofs, compare_roofs);
    }
    for (size_t i = 0, next; i < profile->roof_count; i = next) {
        rcity_profile_roof roof = profile->roofs[i];
        for (next = i + 1; next < profile->roof_count && profile->roofs[next].z == roof.z &&
                           profile->roofs[next].from_m <= roof.to_m + 1e-6;
             next++) {
            roof.to_prism = profile->roofs[next].to_m > roof.to_m ? profile->roofs[next].to_prism : roof.to_prism;
            roof.to_m = fmax(roof.to_m, profile->roofs[next].to_m);
        }
        if (roof.from_m > 0.0) {
            RCITY_TRY(add_point(context, profile, roof.from_m, roof.z, roof.from_prism, true));
        }
        if (roof.to_m < length_m) {
            RCITY_TRY(add_point(context, profile, roof.to_m, roof.z, roof.to_prism, false));
        }
    }
    return RCITY_OK;
}

/* Prisms near the line, cell by cell of their index. One may come up more than once: its roofs are merged. */
static rcity_status add_prisms(rcity_context *context, const rcity_shapes *shapes, const rcity_plan_index *prism_index,
                               const plan_line *line, rcity_profile *profile)
{
    double step_m = (double)prism_index->cell / shapes->units_per_m;
    for (double at = 0.0; at < line->length; at += step_m) {
        double end = fmin(at + step_m, line->length);
        double units = shapes->units_per_m;
        double x1 = (line->x + at * line->dx) * units;
        double y1 = (line->y + at * line->dy) * units;
        double x2 = (line->x + end * line->dx) * units;
        double y2 = (line->y + end * line->dy) * units;
        rcity_plan_box box = {(int32_t)floor(fmin(x1, x2)) - 1, (int32_t)floor(fmin(y1, y2)) - 1,
                              (int32_t)ceil(fmax(x1, x2)) + 1, (int32_t)ceil(fmax(y1, y2)) + 1};
        rcity_plan_walk walk;
        rcity_plan_walk_init(prism_index, box, &walk);
        for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
            const rcity_prism *prism = &shapes->prisms[i];
            rcity_plan_box prism_box = {prism->x_min, prism->y_min, prism->x_max, prism->y_max};
            if (rcity_plan_boxes_meet(box, prism_box) && rcity_plan_walk_is_first(&walk, prism_box)) {
                RCITY_TRY(add_prism(context, shapes, i, line, profile));
            }
        }
    }
    return RCITY_OK;
}

/* Height of the ground in metres at a place of the local frame, inside the grid. */
static double ground_at(const rcity_terrain_grid *terrain, double x_units, double y_units)
{
    double column = fmin(fmax((x_units - terrain->west) / terrain->cell, 0.0), terrain->column_count - 1.000001);
    double row = fmin(fmax((y_units - terrain->south) / terrain->cell, 0.0), terrain->row_count - 1.000001);
    int64_t c = (int64_t)column;
    int64_t r = (int64_t)row;
    double u = column - (double)c;
    double v = row - (double)r;
    const int32_t *low = &terrain->height[r * terrain->column_count + c];
    const int32_t *high = low + terrain->column_count;
    double height = u > v ? low[0] + u * ((double)low[1] - low[0]) + v * ((double)high[1] - low[1])
                          : low[0] + v * ((double)high[0] - low[0]) + u * ((double)high[1] - high[0]);
    return height / RCITY_HEIGHT_UNITS_PER_M;
}

/* Where the line crosses one family of parallel grid lines: there place / cell is a whole number. */
static rcity_status add_family(rcity_context *context, const rcity_facet_table *world, const plan_line *line,
                               double place, double slope, rcity_profile *profile)
{
    const rcity_terrain_grid *terrain = &world->shapes->terrain;
    double units = world->shapes->units_per_m;
    if (fabs(slope) < 1e-12) {
        return RCITY_OK;
    }
    double first = ceil(fmin(place, place + slope * line->length));
    double last = floor(fmax(place, place + slope * line->length));
    for (double k = first; k <= last; k += 1.0) {
        double at = (k - place) / slope;
        double x = (line->x + at * line->dx) * units;
        double y = (line->y + at * line->dy) * units;
        bool is_inside = x >= terrain->west && y >= terrain->south &&
                         x <= terrain->west + (double)terrain->cell * (terrain->column_count - 1) &&
                         y <= terrain->south + (double)terrain->cell * (terrain->row_count - 1);
        if (is_inside && at > 0.0 && at < line->length) {
            RCITY_TRY(add_point(context, profile, at, ground_at(terrain, x, y), RCITY_PROFILE_GROUND, false));
        }
    }
    return RCITY_OK;
}

static rcity_status add_terrain(rcity_context *context, const rcity_facet_table *world, const plan_line *line,
                                rcity_profile *profile)
{
    const rcity_terrain_grid *terrain = &world->shapes->terrain;
    double cells = (double)world->shapes->units_per_m / terrain->cell;
    double column = (line->x * world->shapes->units_per_m - terrain->west) / terrain->cell;
    double row = (line->y * world->shapes->units_per_m - terrain->south) / terrain->cell;
    RCITY_TRY(add_family(context, world, line, column, line->dx * cells, profile));
    RCITY_TRY(add_family(context, world, line, row, line->dy * cells, profile));
    return add_family(context, world, line, column - row, (line->dx - line->dy) * cells, profile);
}

static int compare_points(const void *left, const void *right)
{
    const rcity_profile_point *a = left;
    const rcity_profile_point *b = right;
    if (a->distance_m != b->distance_m) {
        return a->distance_m < b->distance_m ? -1 : 1;
    }
    return (a->z > b->z) - (a->z < b->z);
}

rcity_status rcity_profile_build(rcity_context *context, const rcity_facet_table *world,
                                 const rcity_plan_index *prism_index, rcity_place3 from, rcity_place3 to,
                                 rcity_profile *profile)
{
    profile->count = 0;
    profile->roof_count = 0;
    plan_line line = {from.x, from.y, to.x - from.x, to.y - from.y, 0.0};
    line.length = hypot(line.dx, line.dy);
    if (line.length < LINE_MIN_M) {
        return RCITY_OK;
    }
    line.dx /= line.length;
    line.dy /= line.length;
    if (world->shapes->prism_count > 0) {
        RCITY_TRY(add_prisms(context, world->shapes, prism_index, &line, profile));
        RCITY_TRY(add_roof_ends(context, line.length, profile));
    }
    if (world->shapes->terrain.column_count > 0) {
        RCITY_TRY(add_terrain(context, world, &line, profile));
    }
    if (profile->count > 0) {
        qsort(profile->points, profile->count, sizeof *profile->points, compare_points);
    }
    return RCITY_OK;
}
