/* Streets: the nearest wall by growing boxes, the opposite wall by a ray through the place. */
#include "scene/place/street.h"

#include <math.h>
#include <string.h>

#include "scene/shape/exact.h"

#define PI 3.14159265358979323846

/* A ray that starts on a wall does not hit it. In plan units. */
#define RAY_START 1e-6

rcity_status rcity_street_finder_init(rcity_context *context, const rcity_shapes *shapes,
                                      const rcity_plan_index *wall_index, rcity_street_finder *finder)
{
    memset(finder, 0, sizeof *finder);
    finder->shapes = shapes;
    finder->wall_index = wall_index;
    RCITY_TRY(rcity_alloc(context, (size_t)shapes->point_count, sizeof *finder->edge_end, "the ends of walls",
                          &finder->edge_end));
    for (int32_t ring = 0; ring < shapes->ring_count; ring++) {
        for (int32_t point = shapes->ring_first[ring]; point < shapes->ring_first[ring + 1]; point++) {
            finder->edge_end[point] = rcity_ring_next(shapes->ring_first, ring, point);
        }
    }
    return RCITY_OK;
}

void rcity_street_finder_deinit(rcity_context *context, rcity_street_finder *finder)
{
    rcity_release(context, finder->edge_end);
    memset(finder, 0, sizeof *finder);
}

/* The best wall so far; lengths in plan units. */
typedef struct nearest_wall {
    int32_t edge;          /* -1: none yet */
    double squared;        /* distance, squared */
    double facing;         /* 1 where the wall is seen face on, 0 where it is seen end on */
    double foot_x, foot_y; /* its nearest point */
} nearest_wall;

/* Distances to corners are integers, so that the two walls of a corner are exactly equally near. */
static nearest_wall measure_wall(const rcity_street_finder *finder, int32_t edge, rcity_grid_point at)
{
    rcity_grid_point p = finder->shapes->points[edge];
    rcity_grid_point q = finder->shapes->points[finder->edge_end[edge]];
    int64_t dx = (int64_t)q.x - p.x;
    int64_t dy = (int64_t)q.y - p.y;
    int64_t length_squared = dx * dx + dy * dy;
    int64_t along = ((int64_t)at.x - p.x) * dx + ((int64_t)at.y - p.y) * dy;
    double off = (double)rcity_orient(p, q, at); /* distance from the wall's line times the wall's length */
    nearest_wall wall = {edge, 0.0, 1.0, 0.0, 0.0};
    if (along > 0 && along < length_squared) {
        double fraction = (double)along / (double)length_squared;
        wall.squared = off * off / (double)length_squared;
        wall.foot_x = p.x + fraction * (double)dx;
        wall.foot_y = p.y + fraction * (double)dy;
        return wall;
    }
    rcity_grid_point corner = along <= 0 ? p : q;
    int64_t to_x = (int64_t)at.x - corner.x;
    int64_t to_y = (int64_t)at.y - corner.y;
    wall.squared = (double)(to_x * to_x + to_y * to_y);
    wall.foot_x = corner.x;
    wall.foot_y = corner.y;
    wall.facing = wall.squared > 0.0 ? fabs(off) / sqrt((double)length_squared * wall.squared) : 1.0;
    return wall;
}

/* Which of two walls counts does not depend on the order in which they come. */
static bool is_nearer(const nearest_wall *wall, const nearest_wall *best)
{
    if (best->edge < 0 || wall->squared != best->squared) {
        return best->edge < 0 || wall->squared < best->squared;
    }
    return wall->facing != best->facing ? wall->facing > best->facing : wall->edge < best->edge;
}

static nearest_wall find_nearest(const rcity_street_finder *finder, rcity_grid_point at, double reach)
{
    nearest_wall best = {-1, 0.0, 0.0, 0.0, 0.0};
    double half = fmin((double)finder->wall_index->cell, reach);
    for (;;) {
        int32_t margin = (int32_t)ceil(half);
        rcity_plan_box box = {at.x - margin, at.y - margin, at.x + margin, at.y + margin};
        rcity_plan_walk walk;
        rcity_plan_walk_init(finder->wall_index, box, &walk);
        for (int32_t edge = rcity_plan_walk_next(&walk); edge >= 0; edge = rcity_plan_walk_next(&walk)) {
            nearest_wall wall = measure_wall(finder, edge, at);
            best = is_nearer(&wall, &best) ? wall : best;
        }
        /* everything as near as the box is large has been tested */
        bool is_nearest = best.edge >= 0 && best.squared <= half * half;
        if (is_nearest || half >= reach) {
            best.edge = is_nearest ? best.edge : -1;
            return best;
        }
        half = fmin(2.0 * half, reach);
    }
}

/* How far a ray gets before it meets a wall, or HUGE_VAL. */
static double measure_ray(const rcity_street_finder *finder, int32_t edge, rcity_grid_point at, double ux, double uy)
{
    rcity_grid_point p = finder->shapes->points[edge];
    rcity_grid_point q = finder->shapes->points[finder->edge_end[edge]];
    double dx = (double)q.x - p.x;
    double dy = (double)q.y - p.y;
    double to_x = (double)p.x - at.x;
    double to_y = (double)p.y - at.y;
    double turn = ux * dy - uy * dx;
    if (fabs(turn) <= 1e-12 * (fabs(dx) + fabs(dy))) {
        return HUGE_VAL;
    }
    double t = (to_x * dy - to_y * dx) / turn;
    double s = (to_x * uy - to_y * ux) / turn;
    return t > RAY_START && s >= -1e-12 && s <= 1.0 + 1e-12 ? t : HUGE_VAL;
}

/* The first wall along a ray, not beyond `reach`; searched in stretches, since most streets are narrow. */
static double find_across(const rcity_street_finder *finder, rcity_grid_point at, double ux, double uy, double reach)
{
    double stretch = 0.25 * RCITY_STREET_REACH_M * finder->shapes->units_per_m;
    double best = HUGE_VAL;
    for (double begin = 0.0; begin < reach && best > begin; begin += stretch) {
        double end = fmin(begin + stretch, reach);
        double x0 = at.x + begin * ux;
        double y0 = at.y + begin * uy;
        double x1 = at.x + end * ux;
        double y1 = at.y + end * uy;
        rcity_plan_box box = {(int32_t)floor(fmin(x0, x1)) - 1, (int32_t)floor(fmin(y0, y1)) - 1,
                              (int32_t)ceil(fmax(x0, x1)) + 1, (int32_t)ceil(fmax(y0, y1)) + 1};
        rcity_plan_walk walk;
        rcity_plan_walk_init(finder->wall_index, box, &walk);
        for (int32_t edge = rcity_plan_walk_next(&walk); edge >= 0; edge = rcity_plan_walk_next(&walk)) {
            best = fmin(best, measure_ray(finder, edge, at, ux, uy));
        }
    }
    return fmin(best, reach);
}

rcity_street_place rcity_street_find(const rcity_street_finder *finder, rcity_grid_point at)
{
    double units_per_m = finder->shapes->units_per_m;
    double reach = RCITY_STREET_REACH_M * units_per_m;
    rcity_street_place place = {false, false, 0.0, 0.0, 0.0};
    if (finder->shapes->point_count == 0) {
        return place;
    }
    nearest_wall wall = find_nearest(finder, at, reach);
    if (wall.edge < 0) {
        return place;
    }
    rcity_grid_point p = finder->shapes->points[wall.edge];
    rcity_grid_point q = finder->shapes->points[finder->edge_end[wall.edge]];
    double dx = (double)q.x - p.x;
    double dy = (double)q.y - p.y;
    double distance = sqrt(wall.squared);
    double away_x = at.x - wall.foot_x;
    double away_y = at.y - wall.foot_y;
    if (distance == 0.0) { /* on the wall: straight away from it; the solid is on its left */
        away_x = dy;
        away_y = -dx;
    }
    double length = sqrt(away_x * away_x + away_y * away_y);
    double across = find_across(finder, at, away_x / length, away_y / length, reach - distance);
    double axis_rad = atan2(dy, dx);
    place.has_wall = true;
    place.is_street = across < reach - distance;
    place.wall_m = distance / units_per_m;
    place.width_m = (distance + across) / units_per_m;
    place.axis_rad = axis_rad < 0.0 ? axis_rad + PI : axis_rad >= PI ? axis_rad - PI : axis_rad;
    return place;
}
