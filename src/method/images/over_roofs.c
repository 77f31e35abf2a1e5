/* Profiles of roofs and ground, and the upper hull over them. */
#include "method/images/over_roofs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/shape/exact.h"

#define TOP_GAP_M 0.05 /* tops nearer to each other are one */

/* p of the lowest tops of a chain. Those below -1.25 no longer change its field; but each alone as an edge, first order by
   first order, would still add a tenth of the direct field and more, and a row of them several times the whole. */
#define ZONE_LOWEST (-2.5)

void rcity_profile_deinit(rcity_context *context, rcity_profile *profile)
{
    rcity_release(context, profile->crossings);
    rcity_release(context, profile->roofs);
    rcity_release(context, profile->points);
    memset(profile, 0, sizeof *profile);
}

static rcity_status add_point(rcity_context *context, rcity_profile *profile, double distance_m, double z,
                              int32_t prism)
{
    RCITY_TRY(rcity_reserve(context, profile->count + 1, sizeof *profile->points, &profile->capacity, "a profile",
                            &profile->points));
    rcity_profile_point point = {distance_m, z, prism};
    profile->points[profile->count++] = point;
    return RCITY_OK;
}

/* A straight line over the plan. */
typedef struct plan_line {
    double x, y;   /* start */
    double dx, dy; /* unit direction */
    double length;
} plan_line;

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Where the line is under a prism's roof: between its first and second crossing of the outline, its third and fourth ... */
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
    if (count > 0) {
        qsort(profile->crossings, count, sizeof *profile->crossings, compare_numbers);
    }
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

/* The ends of roofs. Roofs as high as each other that touch are one: nothing bends at their common wall. */
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
            RCITY_TRY(add_point(context, profile, roof.from_m, roof.z, roof.from_prism));
        }
        if (roof.to_m < length_m) {
            RCITY_TRY(add_point(context, profile, roof.to_m, roof.z, roof.to_prism));
        }
    }
    return RCITY_OK;
}

/* Prisms near the line, cell by cell of their index. One may come more than once: its roofs are merged. */
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

/* Where the line passes one family of parallel grid lines: place / cell is a whole number there. */
static rcity_status add_family(rcity_context *context, const rcity_trace_world *world, const plan_line *line,
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
            RCITY_TRY(add_point(context, profile, at, ground_at(terrain, x, y), RCITY_PROFILE_GROUND));
        }
    }
    return RCITY_OK;
}

static rcity_status add_terrain(rcity_context *context, const rcity_trace_world *world, const plan_line *line,
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

rcity_status rcity_profile_build(rcity_context *context, const rcity_trace_world *world,
                                 const rcity_plan_index *prism_index, rcity_place3 tx, rcity_place3 rx,
                                 rcity_profile *profile)
{
    profile->count = 0;
    profile->roof_count = 0;
    plan_line line = {tx.x, tx.y, rx.x - tx.x, rx.y - tx.y, 0.0};
    line.length = hypot(line.dx, line.dy);
    if (line.length < TOP_GAP_M) {
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

/* Does b lie below the line from a to c? */
static bool lies_under(const rcity_profile_point *a, const rcity_profile_point *b, const rcity_profile_point *c)
{
    double above = (b->z - a->z) * (c->distance_m - a->distance_m) - (c->z - a->z) * (b->distance_m - a->distance_m);
    return above <= 1e-9;
}

/* How far b reaches over the line from a to c, in the measure of the Fresnel zone that kernel/wave calls p. */
static double reach_over(const rcity_trace_world *world, const rcity_profile_point *a, const rcity_profile_point *b,
                         const rcity_profile_point *c)
{
    double left = b->distance_m - a->distance_m;
    double right = c->distance_m - b->distance_m;
    double rise = b->z - (a->z * right + c->z * left) / (left + right);
    return rise * sqrt(RCITY_TRACE_PI / world->wavelength_m * (left + right) / (left * right));
}

static int remove_at(rcity_profile_point *tops, int count, int index)
{
    memmove(&tops[index], &tops[index + 1], (size_t)(count - index - 1) * sizeof *tops);
    return count - 1;
}

/* The string: the upper hull from end to end, both ends included. */
static int pull_string(const rcity_profile *profile, rcity_profile_point start, rcity_profile_point end,
                       rcity_profile_point *hull)
{
    int count = 0;
    hull[count++] = start;
    for (size_t i = 0; i <= profile->count; i++) {
        rcity_profile_point next = i < profile->count ? profile->points[i] : end;
        while (count > 1 && lies_under(&hull[count - 2], &hull[count - 1], &next)) {
            count--;
        }
        hull[count++] = next;
    }
    return count;
}

/* The ends of roofs are tops; grounds bend everywhere a little, there only summits are. */
static bool is_top(const rcity_profile *profile, size_t index)
{
    const rcity_profile_point *p = &profile->points[index];
    return p->prism != RCITY_PROFILE_GROUND || ((index == 0 || profile->points[index - 1].z <= p->z) &&
                                                (index + 1 == profile->count || profile->points[index + 1].z <= p->z));
}

/* Tops below the string that reach into its zone join it; merged from profile and hull, in order. */
static int add_near_tops(const rcity_trace_world *world, const rcity_profile *profile, int hull_count,
                         rcity_profile_point *tops)
{
    int count = hull_count;
    int next = 1; /* bend of the string not before the point */
    rcity_profile_point last = tops[0];
    for (size_t i = 0; i < profile->count; i++) {
        const rcity_profile_point p = profile->points[i];
        while (next + 1 < count && tops[next].distance_m < p.distance_m) {
            last = tops[next++];
        }
        bool is_apart =
            p.distance_m - tops[next - 1].distance_m >= TOP_GAP_M && tops[next].distance_m - p.distance_m >= TOP_GAP_M;
        if (is_apart && is_top(profile, i) && reach_over(world, &last, &p, &tops[next]) > ZONE_LOWEST) {
            memmove(&tops[next + 1], &tops[next], (size_t)(count - next) * sizeof *tops);
            tops[next++] = p;
            count++;
        }
    }
    return count;
}

/* Tops at an end or beside each other: the higher of the two stays. */
static int join_neighbours(rcity_profile_point *tops, int count)
{
    for (int i = 1; i + 1 < count;) {
        bool is_near_next = tops[i + 1].distance_m - tops[i].distance_m < TOP_GAP_M;
        bool is_near_last = tops[i].distance_m - tops[i - 1].distance_m < TOP_GAP_M;
        if (is_near_last || (is_near_next && i + 2 == count)) {
            count = remove_at(tops, count, i);
        } else if (is_near_next) {
            count = remove_at(tops, count, tops[i].z >= tops[i + 1].z ? i + 1 : i);
        } else {
            i++;
        }
    }
    return count;
}

static int keep_strongest(const rcity_trace_world *world, rcity_profile_point *tops, int count)
{
    while (count - 2 > RCITY_OVER_ROOFS_TOP_MAX) {
        int least = 1;
        for (int i = 2; i + 1 < count; i++) {
            double reach = reach_over(world, &tops[i - 1], &tops[i], &tops[i + 1]);
            least = reach < reach_over(world, &tops[least - 1], &tops[least], &tops[least + 1]) ? i : least;
        }
        count = remove_at(tops, count, least);
    }
    return count;
}

int rcity_over_roofs_gather(const rcity_trace_world *world, const rcity_profile *profile, rcity_place3 tx,
                            rcity_place3 rx, rcity_profile_point *tops)
{
    rcity_profile_point start = {0.0, tx.z, RCITY_PROFILE_END};
    rcity_profile_point end = {hypot(rx.x - tx.x, rx.y - tx.y), rx.z, RCITY_PROFILE_END};
    int count = join_neighbours(tops, pull_string(profile, start, end, tops));
    return add_near_tops(world, profile, count, tops);
}

bool rcity_over_roofs_needs_chain(const rcity_profile_point *tops, int count, int max_diffractions)
{
    for (int i = 1; i + 1 < count; i++) {
        if (tops[i].prism == RCITY_PROFILE_GROUND) {
            return true;
        }
    }
    return count - 2 > max_diffractions;
}

rcity_trace_path rcity_over_roofs_chain(const rcity_trace_world *world, const rcity_profile_point *tops, int count,
                                        rcity_place3 tx, rcity_place3 rx, rcity_profile_point *scratch)
{
    memcpy(scratch, tops, (size_t)count * sizeof *tops);
    count = keep_strongest(world, scratch, count);
    rcity_trace_path path;
    path.tx = tx;
    path.rx = rx;
    path.event_count = 0;
    for (int i = 1; i + 1 < count; i++) {
        double part = scratch[i].distance_m / scratch[count - 1].distance_m;
        rcity_place3 at = {tx.x + part * (rx.x - tx.x), tx.y + part * (rx.y - tx.y), scratch[i].z};
        int32_t object = scratch[i].prism == RCITY_PROFILE_GROUND ? RCITY_TRACE_TERRAIN : RCITY_TRACE_ROOF;
        path.event[path.event_count++] = (rcity_trace_event){RCITY_EVENT_OVER_ROOFS, object, at};
    }
    return path;
}

static bool is_among(const rcity_profile_point *tops, int count, const rcity_bend *bend)
{
    for (int i = 1; i + 1 < count; i++) {
        if (!bend->is_vertical && tops[i].prism == bend->prism) {
            return true;
        }
    }
    return false;
}

bool rcity_over_roofs_tells(const rcity_trace_world *world, const rcity_profile_point *tops, int count,
                            const rcity_trace_path *path)
{
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind != RCITY_EVENT_DIFFRACTION ||
            !is_among(tops, count, &world->bends[path->event[i].object])) {
            return false;
        }
    }
    return path->event_count > 0;
}
