/* How near a free line comes to a diffracting edge: to a roof that it passes over, to a corner that it passes by, to the
   ground. Near the edge of sight a line loses up to 6 dB, since part of its first Fresnel zone is covered. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_CLEARANCE_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_CLEARANCE_H

#include "kernel/visibility/roofs/roof_ground.h"
#include "kernel/visibility/roofs/roof_walk.h"

/* The line in metres, and the nearest edge so far. */
typedef struct rcity_roof_clearance {
    float length_m;             /* in plan */
    float source_m, rise_per_m; /* its height at the source, and along the plan */
    float root_m;               /* of the nearest edge: v of a knife edge times the root of the wavelength, 0 or less */
    int is_corner;              /* that edge is a corner */
    float ground_root_m;        /* of the ground where that is nearest */
} rcity_roof_clearance;

/* The distance from the line at which an edge would be as near as the nearest so far, `at_m` from the source. */
RCITY_KERNEL float rcity_roof_clearance_bow(const rcity_roof_clearance *clearance, float at_m)
{
    float both = at_m * (clearance->length_m - at_m) / (2.0f * clearance->length_m);
    return -clearance->root_m * rcity_sqrt(rcity_fmax(both, 0.0f));
}

/* Its largest value between two distances: it is largest in the middle of the line. */
RCITY_KERNEL float rcity_roof_clearance_most(const rcity_roof_clearance *clearance, float begin_m, float end_m)
{
    float middle_m = 0.5f * clearance->length_m;
    return rcity_roof_clearance_bow(clearance, middle_m < begin_m ? begin_m : middle_m > end_m ? end_m : middle_m);
}

/* An edge, `away_m` from the line at a distance from the source. */
RCITY_KERNEL void rcity_roof_clearance_take(rcity_roof_clearance *clearance, float at_m, float away_m, int is_corner)
{
    float both = at_m * (clearance->length_m - at_m);
    if (at_m > 0.0f && both > 0.0f) {
        float root_m = -away_m * rcity_sqrt(2.0f * clearance->length_m / both);
        if (root_m > clearance->root_m) {
            clearance->root_m = root_m;
            clearance->is_corner = is_corner;
        }
    }
}

/* The corner where a wall begins: its place along the line and its distance from it, in plan. Returns 0 where the walls
   there lead on in one direction across the line, so that the corner is not nearer to it than its neighbours. This is
   the same seen from both ends. `before` is the start of the wall before it. */
RCITY_KERNEL int rcity_roof_clearance_corner(const rcity_roof_line *line, float unit_m, float length_m,
                                             rcity_sight_wall wall, rcity_roof_corner before, float *at_m,
                                             float *across_m)
{
    rcity_i64 px = (wall.px >> 8) - line->ax;
    rcity_i64 py = (wall.py >> 8) - line->ay;
    rcity_i64 dx_units = line->dx;
    rcity_i64 dy_units = line->dy;
    rcity_i64 toward = dx_units * ((wall.qy >> 8) - (wall.py >> 8)) - dy_units * ((wall.qx >> 8) - (wall.px >> 8));
    rcity_i64 came = dx_units * ((wall.py >> 8) - before.y) - dy_units * ((wall.px >> 8) - before.x);
    float dx = (float)line->dx * unit_m / length_m;
    float dy = (float)line->dy * unit_m / length_m;
    float x_m = (float)px * unit_m;
    float y_m = (float)py * unit_m;
    *at_m = x_m * dx + y_m * dy;
    *across_m = x_m * dy - y_m * dx;
    return !((toward > 0 && came > 0) || (toward < 0 && came < 0));
}

/* A wall: where the line passes over it, and the corner where it begins. */
RCITY_KERNEL void rcity_roof_clearance_wall(const rcity_roof_line *line, rcity_roof_scale scale, float unit_m,
                                            float height_unit_m, rcity_sight_wall wall, rcity_roof_corner before,
                                            rcity_i32 roof, rcity_roof_clearance *clearance)
{
    float roof_m = (float)roof * height_unit_m;
    rcity_roof_crossing crossing;
    if (rcity_roof_cross(line, wall, RCITY_ROOF_CROSS_BOTH, &crossing)) {
        float at_m = (float)crossing.place * scale.place_m;
        float line_m = clearance->source_m + clearance->rise_per_m * at_m;
        rcity_roof_clearance_take(clearance, at_m, rcity_fmax(line_m - roof_m, 0.0f), 0);
    }
    float at_m;
    float across_m;
    if (!rcity_roof_clearance_corner(line, unit_m, clearance->length_m, wall, before, &at_m, &across_m)) {
        return;
    }
    float over_m = rcity_fmax(clearance->source_m + clearance->rise_per_m * at_m - roof_m, 0.0f);
    rcity_roof_clearance_take(clearance, at_m, rcity_sqrt(across_m * across_m + over_m * over_m), 1);
}

/* The walls of a cell whose roofs rise above a height. */
RCITY_KERNEL void rcity_roof_clearance_cell(const rcity_roof_view *view, const rcity_roof_line *line,
                                            rcity_roof_scale scale, float unit_m, float height_unit_m, rcity_i32 cell,
                                            float height_m, rcity_roof_clearance *clearance)
{
    rcity_u32 end = view->first[cell + 1];
    for (rcity_u32 i = view->first[cell]; i < end; i++) {
        rcity_sight_wall wall = view->walls[i];
        rcity_i32 roof = rcity_sight_roof(view->map.floor, wall);
        if (!((float)roof * height_unit_m > height_m)) {
            break;
        }
        rcity_roof_clearance_wall(line, scale, unit_m, height_unit_m, wall, view->corners[i], roof, clearance);
    }
}

/* The cells that the line passes, and their neighbours across it. */
RCITY_KERNEL void rcity_roof_clearance_walls(const rcity_roof_view *view, const rcity_roof_line *line,
                                             rcity_roof_scale scale, float unit_m, float height_unit_m,
                                             rcity_roof_clearance *clearance)
{
    rcity_roof_walk walk;
    rcity_roof_walk_begin(view, *line, &walk);
    const rcity_roof_grid *grid = &walk.cells;
    float run_m = clearance->length_m / (float)line->length; /* metres of the line for a unit along its longer axis */
    rcity_roof_columns columns = walk.cell_columns;
    for (rcity_i32 column = columns.first; (columns.last - column) * line->sign >= 0; column += line->sign) {
        rcity_i32 run = rcity_roof_column_begin(line, grid, column);
        rcity_i32 run_end = rcity_roof_column_end(line, grid, column);
        rcity_i32 row = rcity_roof_row(line, grid, run);
        rcity_i32 row_end = rcity_roof_row(line, grid, run_end);
        rcity_i32 first = (row < row_end ? row : row_end) - 1;
        rcity_i32 last = (row < row_end ? row_end : row) + 1;
        float begin_m = (float)run * run_m;
        float end_m = (float)run_end * run_m;
        float low_m = clearance->source_m + rcity_fmin(clearance->rise_per_m * begin_m, clearance->rise_per_m * end_m) -
                      rcity_roof_clearance_most(clearance, begin_m, end_m);
        rcity_i32 level = rcity_roof_level(&walk, (rcity_i32)(low_m / scale.height_m) - 1);
        for (rcity_i32 at = first; at <= last; at++) {
            if (rcity_roof_rises(view->levels, grid, column, at, level)) {
                rcity_roof_clearance_cell(view, line, scale, unit_m, height_unit_m,
                                          column * grid->to_column + at * grid->to_row, low_m, clearance);
            }
        }
    }
}

/* How far the line keeps in plan from the nearest corner, however high: as root_m, but positive, at most
   `near_root_m`; 0 where it crosses a wall, in plan. Along a street no roof lies below the line, and what a map does not
   know of roofs does not matter. */
RCITY_KERNEL float rcity_roof_clearance_street(const rcity_roof_view *view, const rcity_roof_line *line, float unit_m,
                                               float length_m, float near_root_m)
{
    rcity_roof_clearance street = {length_m, 0.0f, 0.0f, -near_root_m, 0, -near_root_m};
    rcity_roof_walk walk;
    rcity_roof_walk_begin(view, *line, &walk);
    const rcity_roof_grid *grid = &walk.cells;
    rcity_roof_columns columns = walk.cell_columns;
    for (rcity_i32 column = columns.first; (columns.last - column) * line->sign >= 0; column += line->sign) {
        rcity_i32 row = rcity_roof_row(line, grid, rcity_roof_column_begin(line, grid, column));
        rcity_i32 row_end = rcity_roof_row(line, grid, rcity_roof_column_end(line, grid, column));
        rcity_i32 first = (row < row_end ? row : row_end) - 1;
        rcity_i32 last = (row < row_end ? row_end : row) + 1;
        for (rcity_i32 at = first; at <= last; at++) {
            if (!rcity_roof_rises(view->levels, grid, column, at, 0)) {
                continue;
            }
            rcity_i32 cell = column * grid->to_column + at * grid->to_row;
            rcity_u32 end = view->first[cell + 1];
            for (rcity_u32 i = view->first[cell]; i < end; i++) {
                rcity_sight_wall wall = view->walls[i];
                rcity_roof_crossing crossing;
                float at_m;
                float across_m;
                if (rcity_roof_cross(line, wall, RCITY_ROOF_CROSS_BOTH, &crossing)) {
                    return 0.0f;
                }
                if (rcity_roof_clearance_corner(line, unit_m, length_m, wall, view->corners[i], &at_m, &across_m)) {
                    rcity_roof_clearance_take(&street, at_m, rcity_fabs(across_m), 1);
                }
            }
        }
    }
    return -street.root_m;
}

/* The ground where the line crosses the columns of the elevation grid. */
RCITY_KERNEL void rcity_roof_clearance_walk_ground(const rcity_roof_view *view, const rcity_roof_line *line,
                                                   rcity_roof_scale scale, rcity_roof_clearance *clearance)
{
    const rcity_sight_grid *cells = &view->map.ground_cells;
    rcity_roof_ground ground = rcity_roof_ground_make(line, cells);
    rcity_roof_columns columns = rcity_roof_ground_columns(line, &ground);
    for (rcity_i32 column = columns.first; (columns.last - column) * line->sign >= 0; column += line->sign) {
        rcity_i64 along = (rcity_i64)column * ground.cell - ground.along;
        rcity_i64 place = line->sign * along * (1 << RCITY_ROOF_PLACE_SHIFT);
        rcity_i32 height;
        if (rcity_roof_ground_height(view, line, &ground, place, &height)) {
            float at_m = (float)place * scale.place_m;
            float line_m = clearance->source_m + clearance->rise_per_m * at_m;
            rcity_roof_clearance_take(clearance, at_m, rcity_fmax(line_m - (float)height * scale.height_m, 0.0f), 0);
        }
    }
}

/* A line that has a length in plan; nothing is near to it yet. */
RCITY_KERNEL rcity_roof_clearance rcity_roof_clearance_begin(const rcity_roof_line *line, rcity_roof_scale scale,
                                                             float height_unit_m, float near_root_m)
{
    rcity_roof_clearance clearance;
    clearance.length_m = (float)line->end * scale.place_m;
    clearance.source_m = (float)line->az * height_unit_m;
    clearance.rise_per_m = (float)(line->bz - line->az) * height_unit_m / clearance.length_m;
    clearance.root_m = -near_root_m;
    clearance.is_corner = 0;
    clearance.ground_root_m = -near_root_m;
    return clearance;
}

/* How near the bare ground comes to such a line, as root_m. */
RCITY_KERNEL float rcity_roof_clearance_ground(const rcity_roof_view *view, const rcity_roof_line *line,
                                               rcity_roof_scale scale, float height_unit_m, float near_root_m)
{
    rcity_roof_clearance clearance = rcity_roof_clearance_begin(line, scale, height_unit_m, near_root_m);
    rcity_roof_clearance_walk_ground(view, line, scale, &clearance);
    return clearance.root_m;
}

/* The edge nearest to a free line, which has a length in plan. Edges are looked for up to `near_root_m`, as root_m but
   positive. */
RCITY_KERNEL rcity_roof_clearance rcity_roof_clearance_find(const rcity_roof_view *view, const rcity_roof_line *line,
                                                            rcity_roof_scale scale, float unit_m, float height_unit_m,
                                                            float near_root_m)
{
    rcity_roof_clearance clearance = rcity_roof_clearance_begin(line, scale, height_unit_m, near_root_m);
    if (view->map.ground_cells.column_count > 0) {
        rcity_roof_clearance_walk_ground(view, line, scale, &clearance);
        clearance.ground_root_m = clearance.root_m;
    }
    if (view->map.cells.column_count > 0) {
        rcity_roof_clearance_walls(view, line, scale, unit_m, height_unit_m, &clearance);
    }
    return clearance;
}

#endif
