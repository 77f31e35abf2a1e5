/* What else a line meets: the first obstacle, walls, metres in buildings and in foliage. The positions of crossings are
   exact; lengths are single precision. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_MEASURE_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_MEASURE_H

#include "kernel/visibility/sight/sight_ground.h"
#include "kernel/visibility/sight/sight_sweep.h"

#define RCITY_SIGHT_TIE 1e-5f /* fraction of a line: hits closer than this are at one point */

/* What is hit; numbered as rcity_hit_kind. */
#define RCITY_SIGHT_HIT_NONE   0
#define RCITY_SIGHT_HIT_INSIDE 1 /* the line starts in a building */
#define RCITY_SIGHT_HIT_WALL   2
#define RCITY_SIGHT_HIT_ROOF   3
#define RCITY_SIGHT_HIT_GROUND 4

typedef struct rcity_sight_hit {
    float at; /* fraction of the line */
    rcity_i32 kind;
    rcity_i32 wall; /* the wall hit, or any wall of the prism that was hit; -1 for the ground */
} rcity_sight_hit;

/* The result for a segment. Fractions count from its first end. */
typedef struct rcity_sight_measure {
    float in_buildings, in_foliage; /* fractions of its length */
    rcity_sight_hit hit;            /* the first */
    rcity_i32 wall_count;
    rcity_i32 is_deferred; /* 1: the host decides */
    rcity_i32 padding;
} rcity_sight_measure;

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_sight_measure_job {
    rcity_sight_map map, trees;
} rcity_sight_measure_job;

/* The stretches of a line inside buildings, from its lower end on. */
typedef struct rcity_sight_tally {
    float inside;
    rcity_sight_hit first, last; /* where the line first enters something, where it last leaves it */
    rcity_i32 wall_count;
} rcity_sight_tally;

RCITY_KERNEL rcity_sight_hit rcity_sight_hit_make(float at, rcity_i32 kind, rcity_i32 wall)
{
    rcity_sight_hit hit;
    hit.at = at;
    hit.kind = kind;
    hit.wall = wall;
    return hit;
}

RCITY_KERNEL void rcity_sight_tally_begin(rcity_sight_tally *tally)
{
    tally->inside = 0.0f;
    tally->wall_count = 0;
    tally->first = rcity_sight_hit_make(2.0f, RCITY_SIGHT_HIT_NONE, -1);
    tally->last = rcity_sight_hit_make(-1.0f, RCITY_SIGHT_HIT_NONE, -1);
}

/* A stretch under one roof, from the position of the sweep: the line is inside until the stretch ends or the line rises
   through the roof. */
RCITY_KERNEL void rcity_sight_tally_stretch(const rcity_sight_line *line, const rcity_sight_sweep *sweep,
                                            rcity_sight_ratio to, rcity_i32 roof, int is_end, rcity_sight_tally *tally)
{
    if (!rcity_sight_is_below(line, sweep->at.num, sweep->at.den, roof)) {
        return;
    }
    float begin = rcity_sight_ratio_value(sweep->at);
    float end = rcity_sight_ratio_value(to);
    rcity_i32 wall = rcity_sight_sweep_wall(sweep);
    if (!rcity_sight_is_below(line, to.num, to.den, roof)) {
        float rise = (float)(roof - line->az) / (float)line->dz;
        end = rise < end ? rise : end;
        end = end > begin ? end : begin;
        tally->last = rcity_sight_hit_make(end, RCITY_SIGHT_HIT_ROOF, wall);
    } else if (is_end) {
        tally->last = rcity_sight_hit_make(1.0f, RCITY_SIGHT_HIT_INSIDE, wall);
    }
    tally->inside += end - begin;
}

/* Buildings along the line. */
RCITY_KERNEL int rcity_sight_tally_buildings(const rcity_sight_view *view, const rcity_sight_line *line,
                                             rcity_sight_sweep *sweep, rcity_sight_tally *tally)
{
    rcity_i32 lowest = view->map.floor < line->az ? view->map.floor : line->az;
    rcity_sight_sweep_begin(view, line, 0, sweep);
    rcity_i32 roof = rcity_sight_sweep_roof(sweep, lowest);
    if (roof > line->az) {
        tally->first = rcity_sight_hit_make(0.0f, RCITY_SIGHT_HIT_INSIDE, rcity_sight_sweep_wall(sweep));
    }
    int is_found = 1;
    while (is_found && !sweep->is_deferred) {
        rcity_sight_ratio to;
        is_found = rcity_sight_sweep_seek(view, line, sweep, &to);
        rcity_sight_tally_stretch(line, sweep, to, roof, !is_found, tally);
        if (is_found) {
            int is_inside = rcity_sight_is_below(line, to.num, to.den, roof);
            rcity_i32 wall = rcity_sight_sweep_cross(sweep);
            roof = rcity_sight_sweep_roof(sweep, lowest);
            int is_inside_now = rcity_sight_is_below(line, to.num, to.den, roof);
            rcity_sight_hit hit = rcity_sight_hit_make(rcity_sight_ratio_value(to), RCITY_SIGHT_HIT_WALL, wall);
            tally->wall_count += is_inside != is_inside_now;
            tally->last = is_inside && !is_inside_now ? hit : tally->last;
            tally->first =
                is_inside_now && !is_inside && tally->first.kind == RCITY_SIGHT_HIT_NONE ? hit : tally->first;
        }
    }
    return !sweep->is_deferred;
}

/* Height of a line above the ground of one terrain cell, at a fraction of the line. */
RCITY_KERNEL float rcity_sight_patch_height(const rcity_sight_line *line, const rcity_sight_patch *patch, float at)
{
    float x = ((float)patch->x + (float)line->dx * at) / (float)patch->cell;
    float y = ((float)patch->y + (float)line->dy * at) / (float)patch->cell;
    float ground = x >= y ? (float)patch->south_east * x + (float)(patch->north_east - patch->south_east) * y
                          : (float)patch->north_west * y + (float)(patch->north_east - patch->north_west) * x;
    return (float)patch->z + (float)line->dz * at - ground;
}

/* The three positions that divide the line's part in a terrain cell into pieces over one triangle each. */
RCITY_KERNEL void rcity_sight_patch_cuts(const rcity_sight_line *line, const rcity_sight_patch *patch,
                                         const rcity_sight_tour *tour, float *cuts)
{
    float out = rcity_sight_ratio_value(rcity_sight_tour_out(tour));
    float step = (float)(line->dx - line->dy);
    float diagonal = step != 0.0f ? (float)(patch->y - patch->x) / step : 0.0f;
    cuts[0] = rcity_sight_ratio_value(tour->in);
    cuts[2] = out < 1.0f ? out : 1.0f;
    cuts[2] = cuts[2] > cuts[0] ? cuts[2] : cuts[0];
    cuts[1] = diagonal < cuts[0] ? cuts[0] : diagonal > cuts[2] ? cuts[2] : diagonal;
}

/* The last cell of a line that leaves the terrain ends at the border. */
RCITY_KERNEL float rcity_sight_ground_end(const rcity_sight_line *line, const rcity_sight_grid *grid)
{
    rcity_sight_course course = rcity_sight_course_of(line, grid);
    float end = 1.0f;
    float by_x = course.dx > 0 ? (float)(grid->width - course.x) / (float)course.dx : 1.0f;
    float by_y = course.dy > 0 ? (float)(grid->depth - course.y) / (float)course.dy : 1.0f;
    end = by_x < end ? by_x : end;
    return by_y < end ? by_y : end;
}

/* And the first cell of a line that enters it begins there. */
RCITY_KERNEL float rcity_sight_ground_begin(const rcity_sight_line *line, const rcity_sight_grid *grid)
{
    rcity_sight_course course = rcity_sight_course_of(line, grid);
    float by_x = course.dx > 0 ? (float)-course.x / (float)course.dx : 0.0f;
    float by_y = course.dy > 0 ? (float)-course.y / (float)course.dy : 0.0f;
    float begin = by_x > by_y ? by_x : by_y;
    return begin > 0.0f ? begin : 0.0f;
}

/* More than the error of a float height above the ground, in height units: a line closer to the ground touches it. */
#define RCITY_SIGHT_HEIGHT_ERROR 0.03125f

/* Where the line is below the ground in a cell, first and last; `is_blocked` says that it is. */
RCITY_KERNEL void rcity_sight_tally_dip(const rcity_sight_line *line, const rcity_sight_patch *patch, const float *cuts,
                                        int is_blocked, rcity_sight_tally *tally)
{
    float height[3];
    int lowest = 0;
    float first = 2.0f;
    float last = -1.0f;
    for (int i = 0; i < 3; i++) {
        height[i] = rcity_sight_patch_height(line, patch, cuts[i]);
        height[i] = rcity_fabs(height[i]) < RCITY_SIGHT_HEIGHT_ERROR ? 0.0f : height[i];
        lowest = height[i] < height[lowest] ? i : lowest;
    }
    for (int i = 0; i < 3; i++) {
        if (height[i] < 0.0f) {
            float in = i > 0 && height[i - 1] >= 0.0f
                           ? cuts[i - 1] + (cuts[i] - cuts[i - 1]) * height[i - 1] / (height[i - 1] - height[i])
                           : cuts[i];
            float out = i < 2 && height[i + 1] >= 0.0f
                            ? cuts[i] + (cuts[i + 1] - cuts[i]) * height[i] / (height[i] - height[i + 1])
                            : cuts[i];
            first = in < first ? in : first;
            last = out > last ? out : last;
        }
    }
    if (last < 0.0f && is_blocked) { /* by less than that error */
        first = cuts[lowest];
        last = cuts[lowest];
    }
    /* At the foot of a wall the line meets both at once, and devices round differently: there it is the wall. */
    if (first < tally->first.at - RCITY_SIGHT_TIE) {
        tally->first = rcity_sight_hit_make(first, RCITY_SIGHT_HIT_GROUND, -1);
    }
    if (last > tally->last.at + RCITY_SIGHT_TIE) {
        tally->last = rcity_sight_hit_make(last, RCITY_SIGHT_HIT_GROUND, -1);
    }
}

/* The ground along the line; `is_narrow` says that comparisons are exact. */
RCITY_KERNEL void rcity_sight_tally_ground(const rcity_sight_view *view, const rcity_sight_line *line, int is_narrow,
                                           rcity_sight_tally *tally)
{
    const rcity_sight_grid *grid = &view->map.ground_cells;
    if (grid->column_count == 0 || line->az >= view->map.ground_top) {
        return;
    }
    float begin = rcity_sight_ground_begin(line, grid);
    float end = rcity_sight_ground_end(line, grid);
    for (rcity_sight_tour tour = rcity_sight_tour_begin(line, grid, 0); tour.steps.left >= 0;
         rcity_sight_tour_next(&tour)) {
        rcity_i32 cell = tour.steps.cell;
        if (view->ground[cell] > rcity_sight_steps_height(tour.steps) >> 16) {
            rcity_sight_patch patch = rcity_sight_patch_make(view, line, cell % grid->stride, cell / grid->stride);
            if (!is_narrow || rcity_sight_patch_blocks(line, &patch, 1)) {
                float cuts[3];
                rcity_sight_patch_cuts(line, &patch, &tour, cuts);
                for (int i = 0; i < 3; i++) {
                    cuts[i] = cuts[i] < begin ? begin : cuts[i] > end ? end : cuts[i];
                }
                rcity_sight_tally_dip(line, &patch, cuts, is_narrow, tally);
            }
        }
    }
}

/* The fraction of a piece, along which the height goes linearly from `from` to `to`, that lies between 0 and `top`. */
RCITY_KERNEL float rcity_sight_band(float from, float to, float top)
{
    if (from == to) {
        return from >= 0.0f && from < top ? 1.0f : 0.0f;
    }
    float at_ground = -from / (to - from);
    float at_top = (top - from) / (to - from);
    float begin = at_ground < at_top ? at_ground : at_top;
    float end = at_ground < at_top ? at_top : at_ground;
    begin = begin > 0.0f ? begin : 0.0f;
    end = end < 1.0f ? end : 1.0f;
    return end > begin ? end - begin : 0.0f;
}

/* The fraction of the line between two positions that runs above ground and below trees of a height. Without terrain
   the ground is flat at 0; outside of the terrain there are no trees. */
RCITY_KERNEL float rcity_sight_foliage(const rcity_sight_view *view, const rcity_sight_line *line, float begin,
                                       float end, float top)
{
    const rcity_sight_grid *grid = &view->map.ground_cells;
    float sum = 0.0f;
    if (grid->column_count == 0) {
        float from = (float)line->az + (float)line->dz * begin;
        float to = (float)line->az + (float)line->dz * end;
        return (end - begin) * rcity_sight_band(from, to, top);
    }
    float rim_begin = rcity_sight_ground_begin(line, grid);
    float rim_end = rcity_sight_ground_end(line, grid);
    begin = begin > rim_begin ? begin : rim_begin;
    end = end < rim_end ? end : rim_end;
    for (rcity_sight_tour tour = rcity_sight_tour_begin(line, grid, 0);
         tour.steps.left >= 0 && rcity_sight_ratio_value(tour.in) < end; rcity_sight_tour_next(&tour)) {
        rcity_i32 cell = tour.steps.cell;
        rcity_sight_patch patch = rcity_sight_patch_make(view, line, cell % grid->stride, cell / grid->stride);
        float cuts[3];
        rcity_sight_patch_cuts(line, &patch, &tour, cuts);
        for (int i = 0; i < 2; i++) {
            float from = cuts[i] > begin ? cuts[i] : begin;
            float to = cuts[i + 1] < end ? cuts[i + 1] : end;
            if (from < to) {
                sum += (to - from) * rcity_sight_band(rcity_sight_patch_height(line, &patch, from),
                                                      rcity_sight_patch_height(line, &patch, to), top);
            }
        }
    }
    return sum;
}

/* Foliage along the line: `trees` holds vegetation, with heights above the ground. A vertical line stands at one
   point. */
RCITY_KERNEL int rcity_sight_tally_foliage(const rcity_sight_view *view, const rcity_sight_view *trees,
                                           const rcity_sight_line *line, rcity_sight_sweep *sweep, float *in_foliage)
{
    int is_found = 1;
    *in_foliage = 0.0f;
    if (trees->map.cells.column_count == 0) {
        return 1;
    }
    rcity_sight_sweep_begin(trees, line, 1, sweep);
    while (is_found && !sweep->is_deferred) {
        rcity_sight_ratio to;
        is_found = rcity_sight_sweep_seek(trees, line, sweep, &to);
        rcity_i32 top = rcity_sight_sweep_roof(sweep, 0);
        if (top > 0) {
            *in_foliage += rcity_sight_foliage(view, line, rcity_sight_ratio_value(sweep->at),
                                               rcity_sight_ratio_value(to), (float)top);
        }
        if (is_found) {
            rcity_sight_sweep_cross(sweep);
        }
    }
    return !sweep->is_deferred;
}

RCITY_KERNEL rcity_sight_measure rcity_sight_measure_make(const rcity_sight_tally *tally, float in_foliage,
                                                          int is_turned, int is_deferred)
{
    rcity_sight_measure measure;
    measure.in_foliage = in_foliage;
    measure.in_buildings = tally->inside;
    measure.wall_count = tally->wall_count;
    measure.hit = is_turned ? tally->last : tally->first;
    measure.hit.at = measure.hit.kind == RCITY_SIGHT_HIT_NONE ? 2.0f
                     : is_turned                              ? 1.0f - measure.hit.at
                                                              : measure.hit.at;
    measure.is_deferred = is_deferred;
    measure.padding = 0;
    return measure;
}

/* Does the line run in the opposite direction of the segment? */
RCITY_KERNEL int rcity_sight_line_is_turned(const rcity_sight_line *line, rcity_sight_segment segment)
{
    return line->ax != segment.ax || line->ay != segment.ay || line->az != segment.az;
}

/* Everything about one segment. */
RCITY_KERNEL rcity_sight_measure rcity_sight_measure_segment(const rcity_sight_view *view,
                                                             const rcity_sight_view *trees, rcity_sight_segment segment)
{
    rcity_sight_line line = rcity_sight_line_make(segment);
    int is_turned = rcity_sight_line_is_turned(&line, segment);
    rcity_sight_sweep sweep;
    rcity_sight_tally tally;
    rcity_sight_tally_begin(&tally);
    float in_foliage = 0.0f;
    int is_done = rcity_sight_ground_is_narrow(view, &line) &&
                  rcity_sight_tally_buildings(view, &line, &sweep, &tally) &&
                  rcity_sight_tally_foliage(view, trees, &line, &sweep, &in_foliage);
    rcity_sight_tally_ground(view, &line, is_done, &tally);
    return rcity_sight_measure_make(&tally, in_foliage, is_turned, !is_done);
}

#endif
