/* The edges just below a path over roofs: those that reach into its Fresnel zone and so change the field over it. They
   are found by a second walk along the line, when the path is known. */
#ifndef RCITY_KERNEL_TILES_ROOFS_ROOF_NEAR_H
#define RCITY_KERNEL_TILES_ROOFS_ROOF_NEAR_H

#include "kernel/tiles/roofs/roof_trail.h"
#include "kernel/visibility/roofs/roof_ground.h"
#include "kernel/visibility/roofs/roof_walk.h"

#define RCITY_ROOF_NEAR_MAX   48
#define RCITY_ROOF_NEAR_RUN_M 1e-4f /* keeps the slope of a vertical leg finite */

/* Clearances p, as in kernel/wave/edge_transition.h, from which on an edge counts fully, and up to which not at all:
   over the straight leg of the path that it lies under, and relative to the zone from end to end. */
#define RCITY_ROOF_NEAR_FULL      -0.85f
#define RCITY_ROOF_NEAR_NONE      -1.10f
#define RCITY_ROOF_NEAR_WIDE_FULL -3.0f
#define RCITY_ROOF_NEAR_WIDE_NONE -4.0f

/* Which sides of an edge a roof lies on. Where it is both, two roofs of one height touch, and there is no edge. */
#define RCITY_ROOF_NEAR_BEFORE 1
#define RCITY_ROOF_NEAR_BEHIND 2

/* The edges found, in any order. */
typedef struct rcity_roof_near {
    rcity_i32 count;
    rcity_i32 place[RCITY_ROOF_NEAR_MAX];
    rcity_i32 height[RCITY_ROOF_NEAR_MAX];
    rcity_i32 sides[RCITY_ROOF_NEAR_MAX];
    float p[RCITY_ROOF_NEAR_MAX];     /* its clearance, 0 or negative */
    float share[RCITY_ROOF_NEAR_MAX]; /* with which it counts */
} rcity_roof_near;

/* An edge that was met. */
typedef struct rcity_roof_near_edge {
    rcity_i32 place, height;
    rcity_i32 side;
    float p, share;
} rcity_roof_near_edge;

/* 1 from `full` on, 0 up to `none`, smooth between them. */
RCITY_KERNEL float rcity_roof_near_fade(float value, float none, float full)
{
    float part = rcity_fmin(rcity_fmax((value - none) / (full - none), 0.0f), 1.0f);
    return part * part * (3.0f - 2.0f * part);
}

/* The weight with which an edge counts that has a clearance p, in a Fresnel zone that is so much longer from end to
   end. */
RCITY_KERNEL float rcity_roof_near_weigh(float p, float zone_over_local)
{
    return rcity_roof_near_fade(p, RCITY_ROOF_NEAR_NONE, RCITY_ROOF_NEAR_FULL) *
           rcity_roof_near_fade(p * rcity_sqrt(zone_over_local), RCITY_ROOF_NEAR_WIDE_NONE, RCITY_ROOF_NEAR_WIDE_FULL);
}

/* The clearance and the weight of an edge under leg `leg` of the path, the one to that turn: `at_m` in plan from the
   source, `gap_m` straight below. */
RCITY_KERNEL void rcity_roof_near_measure(const rcity_roof_trail *trail, rcity_i32 leg, float at_m, float gap_m,
                                          float wavelength_m, rcity_roof_near_edge *edge)
{
    float run_m = trail->at_m[leg] - trail->at_m[leg - 1];
    float length_m = trail->along_m[leg] - trail->along_m[leg - 1];
    float whole_m = trail->along_m[trail->count - 1];
    float part = (at_m - trail->at_m[leg - 1]) / run_m;
    float local_m = part * (1.0f - part) * length_m;
    float from_m = trail->along_m[leg - 1] + part * length_m;
    float zone_m = from_m * (whole_m - from_m) / whole_m;
    edge->p = -gap_m * run_m / length_m * rcity_sqrt(RCITY_PI / (wavelength_m * local_m));
    edge->share = rcity_roof_near_weigh(edge->p, zone_m / local_m);
}

/* Adds an edge. The same edge may come from two cells, and the edges of two roofs that touch are one place. */
RCITY_KERNEL void rcity_roof_near_add(rcity_roof_near *near, rcity_roof_near_edge edge)
{
    const rcity_i32 same = 2; /* units: places are rounded down */
    rcity_i32 at = near->count;
    for (rcity_i32 i = 0; i < near->count; i++) {
        rcity_i32 apart = near->place[i] - edge.place;
        if (near->height[i] == edge.height && apart <= same && apart >= -same) {
            near->sides[i] |= edge.side;
            return;
        }
    }
    if (at == RCITY_ROOF_NEAR_MAX) { /* instead of the one farthest below the path */
        at = 0;
        for (rcity_i32 i = 1; i < near->count; i++) {
            at = near->p[i] < near->p[at] ? i : at;
        }
        if (near->p[at] >= edge.p) {
            return;
        }
    } else {
        near->count++;
    }
    near->place[at] = edge.place;
    near->height[at] = edge.height;
    near->sides[at] = edge.side;
    near->p[at] = edge.p;
    near->share[at] = edge.share;
}

/* A second walk in progress. */
typedef struct rcity_roof_near_walk {
    rcity_roof_walk walk;
    rcity_roof_measure measure;
    float run_m;          /* in plan, for a unit along the line's longer axis */
    rcity_i32 leg;        /* of the path, where the walk is */
    float begin_m, end_m; /* that leg in plan */
    float depth_per_m;    /* how far below it edges count is this times the root of the distances to both ends */
} rcity_roof_near_walk;

RCITY_KERNEL void rcity_roof_near_enter(const rcity_roof_trail *trail, rcity_i32 leg, rcity_roof_near_walk *near_walk)
{
    float length_m = trail->along_m[leg] - trail->along_m[leg - 1];
    near_walk->leg = leg;
    near_walk->begin_m = trail->at_m[leg - 1];
    near_walk->end_m = trail->at_m[leg];
    float stretch = length_m / (near_walk->end_m - near_walk->begin_m + RCITY_ROOF_NEAR_RUN_M);
    float zone_m = near_walk->measure.wavelength_m / RCITY_PI * length_m;
    near_walk->depth_per_m = -RCITY_ROOF_NEAR_NONE * rcity_sqrt(zone_m) * stretch /
                             (near_walk->end_m - near_walk->begin_m + RCITY_ROOF_NEAR_RUN_M);
}

/* The largest such depth on the part of the leg between two distances. */
RCITY_KERNEL float rcity_roof_near_depth_m(const rcity_roof_near_walk *near_walk, float begin_m, float end_m)
{
    float from_m = begin_m > near_walk->begin_m ? begin_m : near_walk->begin_m;
    float to_m = end_m < near_walk->end_m ? end_m : near_walk->end_m;
    float half_m = 0.5f * (near_walk->end_m - near_walk->begin_m);
    float before_m = to_m - near_walk->begin_m;
    float after_m = near_walk->end_m - from_m;
    float square = before_m * after_m;
    square = square < half_m * half_m ? square : half_m * half_m;
    return near_walk->depth_per_m * rcity_sqrt(square > 0.0f ? square : 0.0f);
}

/* A lower bound of the heights from which on edges count, in a stretch of the line whose path is at least so high. */
RCITY_KERNEL rcity_i32 rcity_roof_near_lowest(const rcity_roof_trail *trail, rcity_roof_near_walk *near_walk,
                                              rcity_i32 run, rcity_i32 run_end, rcity_i32 height)
{
    float begin_m = (float)run * near_walk->run_m;
    float end_m = (float)run_end * near_walk->run_m;
    while (near_walk->leg + 1 < trail->count && near_walk->end_m <= begin_m) {
        rcity_roof_near_enter(trail, near_walk->leg + 1, near_walk);
    }
    float depth_m = rcity_roof_near_depth_m(near_walk, begin_m, end_m);
    rcity_i32 leg = near_walk->leg;
    if (near_walk->end_m < end_m && leg + 1 < trail->count) { /* rare: the path turns here */
        for (rcity_i32 i = leg + 1; i < trail->count && trail->at_m[i - 1] < end_m; i++) {
            rcity_roof_near_enter(trail, i, near_walk);
            depth_m = rcity_fmax(depth_m, rcity_roof_near_depth_m(near_walk, begin_m, end_m));
        }
        rcity_roof_near_enter(trail, leg, near_walk);
    }
    return height - (rcity_i32)(depth_m * near_walk->measure.height_units_per_m) - 1;
}

/* The edges of a cell that cross the line between two distances along its longer axis. */
RCITY_KERNEL void rcity_roof_near_cell(const rcity_roof_view *view, const rcity_roof_near_walk *near_walk,
                                       const rcity_roof_trail *trail, rcity_i32 cell, rcity_i32 run, rcity_i32 run_end,
                                       rcity_i32 lowest, rcity_roof_near *near)
{
    const rcity_roof_line *line = &near_walk->walk.line;
    rcity_u32 end = view->first[cell + 1];
    for (rcity_u32 i = view->first[cell]; i < end; i++) {
        rcity_sight_wall wall = view->walls[i];
        rcity_i32 roof = rcity_sight_roof(view->map.floor, wall) * (1 << RCITY_ROOF_HEIGHT_SHIFT);
        rcity_roof_crossing crossing = {0, 0};
        if (roof <= lowest) {
            break;
        }
        if (!rcity_roof_cross(line, wall, RCITY_ROOF_CROSS_BOTH, &crossing) ||
            crossing.place < run << RCITY_ROOF_PLACE_SHIFT || crossing.place >= run_end << RCITY_ROOF_PLACE_SHIFT) {
            continue;
        }
        float at_m = (float)crossing.place * near_walk->measure.place_m;
        rcity_i32 leg = near_walk->leg;
        while (leg + 1 < trail->count && trail->at_m[leg] <= at_m) {
            leg++;
        }
        float before_m = at_m - trail->at_m[leg - 1];
        float after_m = trail->at_m[leg] - at_m;
        if (before_m < RCITY_ROOF_TRAIL_JOIN_M || after_m < RCITY_ROOF_TRAIL_JOIN_M) {
            continue;
        }
        float path_m = (trail->z_m[leg - 1] * after_m + trail->z_m[leg] * before_m) / (before_m + after_m);
        float gap_m =
            path_m - ((float)roof - (float)line->az * (1 << RCITY_ROOF_HEIGHT_SHIFT)) * near_walk->measure.height_m;
        rcity_roof_near_edge edge;
        edge.place = crossing.place;
        edge.height = roof;
        edge.side = crossing.enters ? RCITY_ROOF_NEAR_BEHIND : RCITY_ROOF_NEAR_BEFORE;
        rcity_roof_near_measure(trail, leg, at_m, rcity_fmax(gap_m, 0.0f), near_walk->measure.wavelength_m, &edge);
        if (edge.share > 0.0f) {
            rcity_roof_near_add(near, edge);
        }
    }
}

/* The cells of one column of patches. */
RCITY_KERNEL void rcity_roof_near_patch(const rcity_roof_view *view, rcity_roof_near_walk *near_walk,
                                        rcity_roof_columns columns, rcity_roof_leg leg, const rcity_roof_hull *hull,
                                        const rcity_roof_trail *trail, rcity_roof_near *near)
{
    const rcity_roof_line *line = &near_walk->walk.line;
    const rcity_roof_grid *grid = &near_walk->walk.cells;
    rcity_i32 run = rcity_roof_column_begin(line, grid, columns.first);
    rcity_i32 row = rcity_roof_row(line, grid, run);
    rcity_i32 height = rcity_roof_height(hull, &leg, run);
    for (rcity_i32 column = columns.first; (columns.last - column) * line->sign >= 0; column += line->sign) {
        rcity_i32 run_end = rcity_roof_column_end(line, grid, column);
        rcity_i32 row_end = rcity_roof_row(line, grid, run_end);
        rcity_i32 height_end = rcity_roof_height(hull, &leg, run_end);
        rcity_i32 lowest =
            rcity_roof_near_lowest(trail, near_walk, run, run_end, height < height_end ? height : height_end);
        rcity_i32 level = rcity_roof_level(&near_walk->walk, lowest);
        for (rcity_i32 i = 0; i < (row_end != row ? 2 : 1); i++) {
            rcity_i32 at = i == 0 ? row : row_end;
            if (rcity_roof_rises(view->levels, grid, column, at, level)) {
                rcity_roof_near_cell(view, near_walk, trail, column * grid->to_column + at * grid->to_row, run, run_end,
                                     lowest, near);
            }
        }
        run = run_end;
        height = height_end;
        row = row_end;
    }
}

/* All edges along the line that lie below the path and count. */
RCITY_KERNEL void rcity_roof_near_find(const rcity_roof_view *view, rcity_roof_line line, rcity_roof_measure measure,
                                       const rcity_roof_hull *hull, const rcity_roof_trail *trail,
                                       rcity_roof_near *near)
{
    near->count = 0;
    if (view->map.cells.column_count == 0 || line.length == 0) {
        return;
    }
    rcity_roof_near_walk near_walk;
    rcity_roof_walk_begin(view, line, &near_walk.walk);
    near_walk.measure = measure;
    near_walk.run_m = measure.place_m * (float)(1 << RCITY_ROOF_PLACE_SHIFT);
    rcity_roof_near_enter(trail, 1, &near_walk);
    const rcity_roof_grid *grid = &near_walk.walk.patches;
    RCITY_GLOBAL const rcity_u16 *levels = view->levels + view->patch_first;
    rcity_roof_columns columns = rcity_roof_columns_make(&line, grid);
    rcity_roof_leg leg = rcity_roof_leg_begin();
    rcity_i32 run = rcity_roof_column_begin(&line, grid, columns.first);
    rcity_i32 row = rcity_roof_row(&line, grid, run);
    rcity_i32 height = rcity_roof_height(hull, &leg, run);
    for (rcity_i32 column = columns.first; (columns.last - column) * line.sign >= 0; column += line.sign) {
        rcity_roof_leg begun = leg;
        rcity_i32 run_end = rcity_roof_column_end(&line, grid, column);
        rcity_i32 row_end = rcity_roof_row(&line, grid, run_end);
        rcity_i32 height_end = rcity_roof_height(hull, &leg, run_end);
        rcity_i32 lowest =
            rcity_roof_near_lowest(trail, &near_walk, run, run_end, height < height_end ? height : height_end);
        rcity_i32 level = rcity_roof_level(&near_walk.walk, lowest);
        if (rcity_roof_rises(levels, grid, column, row, level) |
            rcity_roof_rises(levels, grid, column, row_end, level)) {
            rcity_roof_near_patch(view, &near_walk, rcity_roof_columns_in(&line, &near_walk.walk.cell_columns, column),
                                  begun, hull, trail, near);
        }
        run = run_end;
        height = height_end;
        row = row_end;
    }
}

#endif
