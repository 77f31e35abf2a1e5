/* One bin of directions of an octant, ring by ring, for one work item: bounds of its horizon, and the targets within it. The
   host goes through many bins at once (visibility/terrain/ground_fan.c); both leave the rest to ground_line.h.

   Above: the highest slope of everything nearer than the ring. The ground within a bin and between two rings is made of
   triangles; seen from the source the highest place of each lies at a corner, which is a node within the bin or a crossing
   of one of the bin's two rays. Below: no direction of the bin has a lower horizon than its lowest place of a ring. */
#ifndef RCITY_KERNEL_VISIBILITY_GROUND_GROUND_BIN_H
#define RCITY_KERNEL_VISIBILITY_GROUND_GROUND_BIN_H

#include "kernel/visibility/ground/ground_ray.h"
#include "kernel/visibility/ground/ground_target.h"

/* Where nodes and targets are and answers go. The list of targets that stay undecided has their number first. */
typedef struct rcity_ground_view {
    RCITY_GLOBAL const rcity_i32 *nodes;
    RCITY_GLOBAL const rcity_i32 *x, *y, *z;
    RCITY_GLOBAL rcity_u8 *seen;
    RCITY_GLOBAL rcity_u32 *undecided;
} rcity_ground_view;

typedef struct rcity_ground_bin {
    rcity_ground_octant octant;
    float left_away, left_aside;
    rcity_i32 number;
    int is_steep;
    rcity_ground_ray ray[2];
    float above;      /* of what is nearer than the ring */
    float surely;     /* the same from below */
    float ring_above; /* of the ring on the two rays */
    float ring_below; /* of the ring on the two rays and its nodes between them */
} rcity_ground_bin;

/* The first coordinate that is at least `least`, near a guess. */
RCITY_KERNEL rcity_i32 rcity_ground_first_near(RCITY_GLOBAL const rcity_i32 *coordinates, rcity_i32 count,
                                               rcity_i64 least, rcity_i32 guess)
{
    guess = guess < 0 ? 0 : guess < count ? guess : count;
    while (guess > 0 && coordinates[guess - 1] >= least) {
        guess--;
    }
    while (guess < count && coordinates[guess] < least) {
        guess++;
    }
    return guess;
}

/* As rcity_ground_range_of(), for coordinates that are evenly spaced, or nearly. */
RCITY_KERNEL rcity_ground_range rcity_ground_range_near(RCITY_GLOBAL const rcity_i32 *coordinates, rcity_i32 count,
                                                        rcity_i32 origin, rcity_i32 sign, rcity_i64 begin,
                                                        rcity_i64 end)
{
    begin = sign < 0 && begin < 1 ? 1 : begin;
    rcity_i64 low = sign > 0 ? origin + begin : origin - end + 1;
    rcity_i64 high = sign > 0 ? origin + end : origin - begin + 1;
    float spacing = count > 1 ? (float)(coordinates[count - 1] - coordinates[0]) / (float)(count - 1) : 1.0f;
    float offset = (float)(low - coordinates[0]);
    float guess = offset > 0.0f && spacing > 0.0f ? offset / spacing : 0.0f;
    rcity_ground_range range;
    range.first = rcity_ground_first_near(coordinates, count, low, guess < (float)count ? (rcity_i32)guess : count);
    range.last = range.first;
    while (range.last < count && coordinates[range.last] < high) {
        range.last++;
    }
    return range;
}

RCITY_KERNEL rcity_ground_bin rcity_ground_bin_make(const rcity_ground_job *job, int octant, rcity_i32 number)
{
    rcity_ground_bin bin;
    bin.octant = rcity_ground_octant_make(job, octant);
    bin.left_away = (float)bin.octant.left_away / (float)job->cell;
    bin.left_aside = (float)bin.octant.left_aside / (float)job->cell;
    bin.number = number;
    bin.is_steep = bin.octant.is_along && 2 * number >= job->bin_count;
    float width = 1.0f / (float)job->bin_count;
    for (int i = 0; i < 2; i++) {
        bin.ray[i] = rcity_ground_ray_make(job, &bin.octant, (float)(number + i) * width,
                                           (float)(job->bin_count - number - i) * width);
    }
    bin.above = bin.surely = RCITY_GROUND_NOTHING;
    bin.ring_above = bin.ring_below = RCITY_GROUND_NOTHING;
    return bin;
}

/* The two rays reach a ring. */
RCITY_KERNEL void rcity_ground_bin_step(const rcity_ground_job *job, RCITY_GLOBAL const rcity_i32 *nodes,
                                        rcity_ground_bin *bin, rcity_i32 ring, float away)
{
    RCITY_GLOBAL const rcity_i32 *near = rcity_ground_ring(nodes, &bin->octant, ring - 1);
    bin->ring_above = RCITY_GROUND_NOTHING;
    bin->ring_below = -RCITY_GROUND_NOTHING;
    for (int i = 0; i < 2; i++) {
        rcity_ground_ray ray = bin->ray[i];
        rcity_ground_place at =
            rcity_ground_ray_place(ray.slope, bin->left_away, bin->left_aside, ring, away, bin->is_steep);
        rcity_ground_step step =
            rcity_ground_ray_step(near, job->z, &bin->octant, ray, at, bin->octant.is_along, bin->is_steep);
        float between = rcity_ground_slope_between(step, ray, away, bin->octant.is_along);
        float above = rcity_ground_slope(step.ring + ray.error, away, ray.fall);
        float below = rcity_ground_slope(step.ring - ray.error, away, ray.fall);
        bin->above = between > bin->above ? between : bin->above;
        bin->ring_above = above > bin->ring_above ? above : bin->ring_above;
        bin->ring_below = below < bin->ring_below ? below : bin->ring_below;
    }
}

/* The nodes of a ring between the two rays, those that rounding may put there too. */
RCITY_KERNEL void rcity_ground_bin_take_nodes(const rcity_ground_job *job, RCITY_GLOBAL const rcity_i32 *nodes,
                                              rcity_ground_bin *bin, rcity_i32 ring, float away)
{
    RCITY_GLOBAL const rcity_i32 *row = rcity_ground_ring(nodes, &bin->octant, ring);
    float reach = (away + 1.0f) * (1.0f / 2097152.0f);
    float low = bin->left_aside + bin->ray[0].slope * away - reach;
    float high = bin->left_aside + bin->ray[1].slope * away + reach;
    float error = job->reach * (1.0f / 262144.0f) + 4.0f * job->fall;
    rcity_i32 aside = low > 0.0f ? (rcity_i32)low : 0;
    aside += (float)aside < low;
    for (; (float)aside <= high && aside <= bin->octant.side_count; aside++) {
        float height = rcity_ground_node(row, aside, &bin->octant, job->z);
        float tilt = ((float)aside - bin->left_aside) / away;
        float fall = job->fall * (1.0f + tilt * tilt);
        float above = rcity_ground_slope(height + error, away, fall);
        float below = rcity_ground_slope(height - error, away, fall);
        bin->above = above > bin->above ? above : bin->above;
        bin->ring_below = below < bin->ring_below ? below : bin->ring_below;
    }
}

/* The bounds decide, or not. */
RCITY_KERNEL int rcity_ground_bin_judge(const rcity_ground_job *job, const rcity_ground_bin *bin, rcity_i32 rise,
                                        rcity_i32 away, rcity_i32 aside)
{
    float part = (float)job->cell / (float)away;
    float tilt = (float)aside / (float)away;
    float slope = (float)rise * part - job->fall * (1.0f + tilt * tilt) / part;
    float error = (job->reach + rcity_fabs((float)rise)) * (1.0f / 262144.0f) * part;
    if (rcity_ground_is_too_near(job, away)) {
        return RCITY_GROUND_UNDECIDED;
    }
    if (slope + error < bin->surely) {
        return RCITY_GROUND_HIDDEN;
    }
    return slope - error >= bin->above ? RCITY_GROUND_VISIBLE : RCITY_GROUND_UNDECIDED;
}

/* The targets on one line along the ring, `away` plan units from the source. */
RCITY_KERNEL void rcity_ground_bin_judge_line(const rcity_ground_job *job, const rcity_ground_view *view,
                                              const rcity_ground_bin *bin, rcity_i32 ring, rcity_i32 line,
                                              rcity_i32 away)
{
    const rcity_ground_octant *octant = &bin->octant;
    rcity_i32 last = bin->number + 1;
    rcity_i64 begin = ((rcity_i64)bin->number * away + job->bin_count - 1) / job->bin_count;
    rcity_i64 end = last == job->bin_count ? (rcity_i64)away + !octant->is_swapped
                                           : ((rcity_i64)last * away + job->bin_count - 1) / job->bin_count;
    RCITY_GLOBAL const rcity_i32 *coordinates = octant->is_swapped ? view->x : view->y;
    rcity_i32 count = octant->is_swapped ? job->target_columns : job->target_rows;
    rcity_i32 origin = octant->is_swapped ? job->x : job->y;
    rcity_ground_range range = rcity_ground_range_near(coordinates, count, origin, octant->sign_aside, begin, end);
    for (rcity_i32 i = range.first; i < range.last; i++) {
        rcity_i32 column = octant->is_swapped ? i : line;
        rcity_i32 row = octant->is_swapped ? line : i;
        rcity_i32 x = view->x[column];
        rcity_i32 y = view->y[row];
        if (!rcity_ground_contains(job, x, y)) {
            continue;
        }
        rcity_i32 target = rcity_ground_target_index(job, column, row);
        rcity_i32 aside = octant->sign_aside * (coordinates[i] - origin);
        rcity_i32 ground = rcity_ground_height_at(job, octant, view->nodes, ring, away, aside, x, y);
        rcity_i32 rise = rcity_ground_target_rise(job, view->z, ground, target);
        int answer =
            rise == RCITY_GROUND_LEAST ? RCITY_GROUND_HIDDEN : rcity_ground_bin_judge(job, bin, rise, away, aside);
        view->seen[target] = (rcity_u8)answer;
        if (answer == RCITY_GROUND_UNDECIDED) {
            view->undecided[1 + rcity_global_add(view->undecided, 1u)] = (rcity_u32)target;
        }
    }
}

/* The lines of targets, from `*line` on in the octant's direction, that are nearer than `end` plan units. */
RCITY_KERNEL void rcity_ground_bin_judge_lines(const rcity_ground_job *job, const rcity_ground_view *view,
                                               const rcity_ground_bin *bin, rcity_i32 ring, rcity_i32 *line,
                                               rcity_i32 end)
{
    const rcity_ground_octant *octant = &bin->octant;
    RCITY_GLOBAL const rcity_i32 *coordinates = octant->is_swapped ? view->y : view->x;
    rcity_i32 count = octant->is_swapped ? job->target_rows : job->target_columns;
    rcity_i32 origin = octant->is_swapped ? job->y : job->x;
    for (; *line >= 0 && *line < count; *line += octant->sign_away) {
        rcity_i32 away = octant->sign_away * (coordinates[*line] - origin);
        if (away >= end) {
            return;
        }
        rcity_ground_bin_judge_line(job, view, bin, ring, *line, away);
    }
}

/* The whole bin. */
RCITY_KERNEL void rcity_ground_bin_run(const rcity_ground_job *job, const rcity_ground_view *view, int number,
                                       rcity_i32 index)
{
    rcity_ground_bin bin = rcity_ground_bin_make(job, number, index);
    const rcity_ground_octant *octant = &bin.octant;
    /* the first line that lies away from the source */
    rcity_i32 line =
        octant->is_swapped
            ? rcity_ground_first_at(view->y, job->target_rows, (rcity_i64)job->y + (octant->sign_away > 0))
            : rcity_ground_first_at(view->x, job->target_columns, (rcity_i64)job->x + (octant->sign_away > 0));
    line -= octant->sign_away < 0;
    for (rcity_i32 ring = 1; ring <= octant->ring_count; ring++) {
        rcity_i32 units = ring * job->cell - octant->left_away;
        float away = (float)units / (float)job->cell;
        float nearer = away > 1.0f ? away - 1.0f : 0.0f;
        if (bin.left_aside + bin.ray[0].slope * nearer > (float)octant->side_count + 0.5f) {
            return;
        }
        rcity_ground_bin_step(job, view->nodes, &bin, ring, away);
        float before = bin.above; /* without the ring's nodes: they do not hide what stands on them */
        rcity_ground_bin_take_nodes(job, view->nodes, &bin, ring, away);
        rcity_ground_bin_judge_lines(job, view, &bin, ring, &line, units);
        float after = bin.above;
        bin.above = before;
        rcity_ground_bin_judge_lines(job, view, &bin, ring, &line, units + 1);
        bin.above = after > bin.ring_above ? after : bin.ring_above;
        bin.surely = bin.ring_below > bin.surely ? bin.ring_below : bin.surely;
    }
}

#endif
