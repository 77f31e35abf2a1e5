/* Visibility of cubes from a source by supercubes (T. Rick and R. Mathar 2007, algorithms 1 and 2): a line to a far cube
   does not start at the source but at a cube that the lines before have finished.

   The source lies on the corner of four supercubes of M x M cubes in plan, with all their layers. They and those around
   them form rings: ring j has the cubes that a line reaches at its steps jM + 1 .. (j+1)M, counted along the longer of its
   directions in plan. A line enters ring j from the cube of its step jM, a border cube; rings are done outward, all supercubes
   of a ring at once. The paper's formula for that cube, T + (lambda - 1) d with d of length 1 and lambda the larger of the
   two distances to the sides of the supercube, is not taken: a step back by one unit of length is less than a cube along
   the line's longer direction, so for lines that come in through the other side it can end in the supercube itself, which is not
   finished; it divides by zero along the axes; and a supercube then waits for two others instead of for the ring before it.
   As in the paper a line walks at most M cubes from its border cube.

   What a border cube hands on. The line T -> r passes the border cube q, but not through its middle: the answer of the line
   T -> q is that of a neighbouring line, half a cube away at q, which is several cubes at r when q is near the source and r is
   far. So a border cube hands on one of three answers about ALL lines that pass it: free, hidden, or undecided. At each
   step before q such lines pass at most 2 cubes in row and 2 in layer, since the interval of slopes of q is narrower than
   that of the cubes before it (cube_line.h). All of them empty at every step: free. All of them filled at some step: hidden. A
   line that comes from an undecided border cube takes its own steps back to the border before, and so on. The answer is
   that of the direct line, for every cube. With RCITY_SUPERCUBES_PAPER a border cube hands on the answer of the line T -> q, as
   in the paper.

   Heights: a border cube is a cube in space, not a column; the slope of the line in height chooses it as that in plan
   does. Lines steeper than 45 degrees, counted in cubes, are no longer than there are layers and are walked directly. */
#ifndef RCITY_KERNEL_CUBES_SUPERCUBE_H
#define RCITY_KERNEL_CUBES_SUPERCUBE_H

#include "kernel/cubes/cube_skip.h"
#include "kernel/cubes/cube_touch.h"

#define RCITY_SUPERCUBE_FREE      0
#define RCITY_SUPERCUBE_HIDDEN    1
#define RCITY_SUPERCUBE_UNDECIDED 2

/* How lines are followed. */
#define RCITY_LINES_PLAIN      0 /* cube by cube from the source */
#define RCITY_LINES_SKIP       1 /* the same, jumping over empty blocks; the same answers */
#define RCITY_LINES_TOUCHED    2 /* every cube that the straight line passes through */
#define RCITY_SUPERCUBES       3 /* the answers of RCITY_LINES_PLAIN */
#define RCITY_SUPERCUBES_PAPER 4 /* neighbouring lines taken for the line itself */

#define RCITY_CUBE_ANY_SQUARES 2.0f /* beyond 1 by more than rounding */

/* A source, and what it looks at: cubes whose direction makes an angle with the axis between two limits, up to a range.
   The limits are cosines times their magnitudes, since squares need no root. */
typedef struct rcity_cube_source {
    rcity_cube cube;
    float axis_x, axis_y, axis_z;   /* length 1 */
    float squares_min, squares_max; /* -RCITY_CUBE_ANY_SQUARES and RCITY_CUBE_ANY_SQUARES: all directions */
    float range_m;                  /* 0: any distance */
} rcity_cube_source;

typedef struct rcity_cube_sight_job {
    rcity_cube_map map;
    rcity_i32 mode;
    rcity_i32 edge;                   /* M */
    rcity_i32 ring;                   /* whose border is filled */
    rcity_i32 ring_count;             /* borders at the steps M, 2M ... ring_count M */
    rcity_i32 layer_low, layer_count; /* of the borders */
    rcity_i32 target_low, target_end; /* layers asked for */
    rcity_i32 cube_count;             /* in a list of targets */
    rcity_i32 reach;                  /* steps in plan to the furthest target of any source */
    rcity_i64 border_count;           /* of one source, all rings */
} rcity_cube_sight_job;

/* The cubes and what is known of them. */
typedef struct rcity_cube_sight_view {
    RCITY_GLOBAL const rcity_u32 *words, *block_words;
    RCITY_GLOBAL rcity_u8 *borders; /* of the source in question */
} rcity_cube_sight_view;

/* Lines in four wedges by their longer direction in plan: along +x, -x, +y, -y. On a diagonal it is x. */
RCITY_KERNEL rcity_i32 rcity_supercube_wedge(rcity_cube from, rcity_cube to)
{
    rcity_i32 x = to.column - from.column, y = to.row - from.row;
    if (rcity_cube_magnitude(x) >= rcity_cube_magnitude(y)) {
        return x < 0;
    }
    return 2 + (y < 0);
}

/* The cube at `along` steps from the source in a wedge, `across` and `up` of it. */
RCITY_KERNEL rcity_cube rcity_supercube_cube(rcity_cube from, rcity_i32 wedge, rcity_i32 along, rcity_i32 across,
                                             rcity_i32 up)
{
    rcity_cube cube;
    rcity_i32 signed_along = wedge & 1 ? -along : along;
    cube.column = from.column + (wedge < 2 ? signed_along : across);
    cube.row = from.row + (wedge < 2 ? across : signed_along);
    cube.layer = from.layer + up;
    return cube;
}

/* Border cubes of a source in rings before this one; those of ring j are at step (j+1)M, counted from 0. */
RCITY_KERNEL rcity_i64 rcity_supercube_borders_before(rcity_i32 edge, rcity_i32 layer_count, rcity_i32 ring)
{
    return (4 * (rcity_i64)edge * ring * (ring + 1) + 4 * (rcity_i64)ring) * layer_count;
}

/* Place of a border cube at step (ring + 1) M among those of its source. */
RCITY_KERNEL rcity_i64 rcity_supercube_border_index(const rcity_cube_sight_job *job, rcity_i32 ring, rcity_i32 wedge,
                                                    rcity_i32 across, rcity_i32 layer)
{
    rcity_i32 along = (ring + 1) * job->edge;
    rcity_i64 place = (rcity_i64)wedge * (2 * along + 1) + across + along;
    return rcity_supercube_borders_before(job->edge, job->layer_count, ring) + place * job->layer_count + layer -
           job->layer_low;
}

/* Is a cube within what a source looks at? The source's own cube always is. */
RCITY_KERNEL int rcity_cube_source_has(rcity_cube_map map, rcity_cube_source source, rcity_cube to)
{
    float x = (float)(to.column - source.cube.column) * map.edge_m;
    float y = (float)(to.row - source.cube.row) * map.edge_m;
    float z = (float)(to.layer - source.cube.layer) * map.height_m;
    float distance2 = x * x + y * y + z * z;
    float along = x * source.axis_x + y * source.axis_y + z * source.axis_z;
    float squares = along * rcity_fabs(along);
    return !(source.range_m > 0.0f && distance2 > source.range_m * source.range_m) &&
           squares >= source.squares_min * distance2 && squares <= source.squares_max * distance2;
}

/* The cubes that the lines through one border cube pass: from the first to the last in both directions. */
typedef struct rcity_supercube_fan {
    rcity_cube_axis first_across, last_across, first_up, last_up;
    rcity_i32 denominator;
} rcity_supercube_fan;

/* At a step of the lines through (along, across, up); `is_wide` is 0 for the line to its middle alone. */
RCITY_KERNEL rcity_supercube_fan rcity_supercube_fan_start(rcity_i32 along, rcity_i32 across, rcity_i32 up,
                                                           rcity_i32 step, int is_wide)
{
    rcity_supercube_fan fan;
    rcity_i32 last = is_wide ? along - 1 : along; /* the upper limit of the slopes is not in the interval */
    fan.denominator = 2 * along;
    fan.first_across =
        rcity_cube_axis_start(step * (2 * across - is_wide) + along, 2 * across - is_wide, fan.denominator);
    fan.last_across =
        rcity_cube_axis_start(step * (2 * across + is_wide) + last, 2 * across + is_wide, fan.denominator);
    fan.first_up = rcity_cube_axis_start(step * (2 * up - is_wide) + along, 2 * up - is_wide, fan.denominator);
    fan.last_up = rcity_cube_axis_start(step * (2 * up + is_wide) + last, 2 * up + is_wide, fan.denominator);
    return fan;
}

RCITY_KERNEL void rcity_supercube_fan_next(rcity_supercube_fan *fan)
{
    rcity_cube_axis_move(&fan->first_across, fan->first_across.whole, fan->first_across.part, fan->denominator);
    rcity_cube_axis_move(&fan->last_across, fan->last_across.whole, fan->last_across.part, fan->denominator);
    rcity_cube_axis_move(&fan->first_up, fan->first_up.whole, fan->first_up.part, fan->denominator);
    rcity_cube_axis_move(&fan->last_up, fan->last_up.whole, fan->last_up.part, fan->denominator);
}

/* What the cubes of one step say of the lines. */
RCITY_KERNEL rcity_i32 rcity_supercube_fan_look(const rcity_supercube_fan *fan, const rcity_cube_sight_job *job,
                                                const rcity_cube_sight_view *view, rcity_cube from, rcity_i32 wedge,
                                                rcity_i32 step)
{
    rcity_i32 filled_count = 0, count = 0;
    for (rcity_i32 across = fan->first_across.place; across <= fan->last_across.place; across++) {
        for (rcity_i32 up = fan->first_up.place; up <= fan->last_up.place; up++) {
            filled_count +=
                rcity_cube_is_filled(job->map, view->words, rcity_supercube_cube(from, wedge, step, across, up));
            count++;
        }
    }
    return filled_count == 0       ? RCITY_SUPERCUBE_FREE
           : filled_count == count ? RCITY_SUPERCUBE_HIDDEN
                                   : RCITY_SUPERCUBE_UNDECIDED;
}

/* The same of the border before, at its step. */
RCITY_KERNEL rcity_i32 rcity_supercube_fan_ask(const rcity_supercube_fan *fan, const rcity_cube_sight_job *job,
                                               const rcity_cube_sight_view *view, rcity_cube from, rcity_i32 ring,
                                               rcity_i32 wedge)
{
    rcity_i32 first = -1;
    for (rcity_i32 across = fan->first_across.place; across <= fan->last_across.place; across++) {
        for (rcity_i32 up = fan->first_up.place; up <= fan->last_up.place; up++) {
            rcity_i32 state = view->borders[rcity_supercube_border_index(job, ring, wedge, across, from.layer + up)];
            if (first >= 0 && state != first) {
                return RCITY_SUPERCUBE_UNDECIDED;
            }
            first = state;
        }
    }
    return first;
}

/* Does a line from a source to a target pass a border cube, `up` of the source at `along` steps? A line to the layer l after n
   steps does so at up = (l - layer) along / n, n from `along` to the reach; beside that, the source's own limits for the
   middle of the cube. Where the answer is no the cube may stay undecided: no line is wrong for it. */
RCITY_KERNEL int rcity_supercube_is_asked(const rcity_cube_sight_job *job, rcity_cube_source source, rcity_cube cube,
                                          rcity_i32 along, rcity_i32 up)
{
    rcity_i32 low = job->target_low - source.cube.layer, high = job->target_end - 1 - source.cube.layer;
    low = low < 0 ? low : low * along / job->reach - 1;
    high = high > 0 ? high : high * along / job->reach + 1;
    return up >= low && up <= high && rcity_cube_source_has(job->map, source, cube);
}

/* The answer of a border cube, from those of the border before it. */
RCITY_KERNEL rcity_i32 rcity_supercube_border(const rcity_cube_sight_job *job, const rcity_cube_sight_view *view,
                                              rcity_cube_source source, rcity_i32 wedge, rcity_i32 across,
                                              rcity_i32 layer)
{
    rcity_cube from = source.cube;
    rcity_i32 along = (job->ring + 1) * job->edge, begin = job->ring * job->edge, up = layer - from.layer;
    rcity_cube cube = rcity_supercube_cube(from, wedge, along, across, up);
    rcity_i32 answer = RCITY_SUPERCUBE_FREE;
    if (cube.column < 0 || cube.column >= job->map.column_count || cube.row < 0 || cube.row >= job->map.row_count ||
        rcity_cube_magnitude(up) > along) {
        return RCITY_SUPERCUBE_HIDDEN; /* no line to a cube of the map passes here */
    }
    if (job->mode == RCITY_SUPERCUBES && !rcity_supercube_is_asked(job, source, cube, along, up)) {
        return RCITY_SUPERCUBE_UNDECIDED;
    }
    rcity_supercube_fan fan = rcity_supercube_fan_start(along, across, up, begin, job->mode == RCITY_SUPERCUBES);
    if (job->ring > 0) {
        answer = rcity_supercube_fan_ask(&fan, job, view, from, job->ring - 1, wedge);
    }
    for (rcity_i32 step = begin + 1; step <= along && answer != RCITY_SUPERCUBE_HIDDEN; step++) {
        rcity_supercube_fan_next(&fan);
        rcity_i32 seen = rcity_supercube_fan_look(&fan, job, view, from, wedge, step);
        answer = seen != RCITY_SUPERCUBE_FREE ? seen : answer;
    }
    return answer;
}

/* One border cube of all sources: item by item for each source, wedge, cube across and layer. */
RCITY_KERNEL void rcity_supercube_border_item(const rcity_cube_sight_job *job, rcity_cube_sight_view view,
                                              RCITY_GLOBAL const rcity_cube_source *sources, rcity_i64 item)
{
    rcity_i32 along = (job->ring + 1) * job->edge;
    rcity_i64 each = 4 * (rcity_i64)(2 * along + 1) * job->layer_count;
    rcity_i32 source = (rcity_i32)(item / each);
    rcity_i32 rest = (rcity_i32)(item - source * each);
    rcity_i32 layer = job->layer_low + rest % job->layer_count;
    rcity_i32 across = rest / job->layer_count % (2 * along + 1) - along;
    rcity_i32 wedge = rest / job->layer_count / (2 * along + 1);
    view.borders += source * job->border_count;
    view.borders[rcity_supercube_border_index(job, job->ring, wedge, across, layer)] =
        (rcity_u8)rcity_supercube_border(job, &view, sources[source], wedge, across, layer);
}

/* Is the line from the source to a cube free, as its border cubes say? */
RCITY_KERNEL int rcity_supercube_is_free(const rcity_cube_sight_job *job, const rcity_cube_sight_view *view,
                                         rcity_cube from, rcity_cube to)
{
    rcity_i32 length = rcity_cube_distance(from, to), end = length;
    rcity_i32 wedge = rcity_supercube_wedge(from, to);
    int is_steep = rcity_cube_magnitude(to.layer - from.layer) == length;
    for (rcity_i32 ring = is_steep ? -1 : (length - 1) / job->edge - 1; ring >= 0; ring--) {
        rcity_i32 step = (ring + 1) * job->edge;
        rcity_i32 across = rcity_cube_place(wedge < 2 ? to.row - from.row : to.column - from.column, step, length);
        rcity_i32 layer = from.layer + rcity_cube_place(to.layer - from.layer, step, length);
        rcity_i32 answer = view->borders[rcity_supercube_border_index(job, ring, wedge, across, layer)];
        if (answer == RCITY_SUPERCUBE_HIDDEN ||
            !rcity_cube_steps_are_free(job->map, view->words, from, to, step + 1, end)) {
            return 0;
        }
        if (answer == RCITY_SUPERCUBE_FREE) {
            return 1;
        }
        end = step + 1;
    }
    return rcity_cube_steps_are_free(job->map, view->words, from, to, 1, end);
}

/* Does a source see a cube: within its limits, and along a free line? */
RCITY_KERNEL int rcity_cube_source_sees(const rcity_cube_sight_job *job, const rcity_cube_sight_view *view,
                                        rcity_cube_source source, rcity_cube to)
{
    if (!rcity_cube_source_has(job->map, source, to)) {
        return 0;
    }
    if (job->mode == RCITY_LINES_PLAIN) {
        return rcity_cube_line_is_free(job->map, view->words, source.cube, to);
    }
    if (job->mode == RCITY_LINES_SKIP) {
        return rcity_cube_skip_is_free(job->map, view->words, rcity_cube_map_of_blocks(job->map), view->block_words,
                                       source.cube, to);
    }
    if (job->mode == RCITY_LINES_TOUCHED) {
        return rcity_cube_touch_is_free(job->map, view->words, source.cube, to);
    }
    return rcity_supercube_is_free(job, view, source.cube, to);
}

/* One column of cubes of one source: a bit for each layer. */
RCITY_KERNEL void rcity_cube_sight_column(const rcity_cube_sight_job *job, rcity_cube_sight_view view,
                                          RCITY_GLOBAL const rcity_cube_source *sources, rcity_i64 item,
                                          RCITY_GLOBAL rcity_u32 *visible)
{
    rcity_i64 each = (rcity_i64)job->map.column_count * job->map.row_count;
    rcity_i32 source = (rcity_i32)(item / each);
    rcity_i32 place = (rcity_i32)(item - source * each);
    rcity_cube to;
    to.column = place % job->map.column_count;
    to.row = place / job->map.column_count;
    view.borders += source * job->border_count;
    for (rcity_i32 word = 0; word < job->map.word_count; word++) {
        rcity_u32 bits = 0;
        rcity_i32 first = word * RCITY_CUBE_WORD_LAYERS, end = first + RCITY_CUBE_WORD_LAYERS;
        to.layer = first > job->target_low ? first : job->target_low;
        end = end < job->target_end ? end : job->target_end;
        for (; to.layer < end; to.layer++) {
            bits |= (rcity_u32)rcity_cube_source_sees(job, &view, sources[source], to) << (to.layer - first);
        }
        visible[word] = bits;
    }
}

/* One cube of the list, for one source. */
RCITY_KERNEL int rcity_cube_sight_listed(const rcity_cube_sight_job *job, rcity_cube_sight_view view,
                                         RCITY_GLOBAL const rcity_cube_source *sources,
                                         RCITY_GLOBAL const rcity_cube *cubes, rcity_i64 item)
{
    rcity_i32 source = (rcity_i32)(item / job->cube_count);
    view.borders += source * job->border_count;
    return rcity_cube_source_sees(job, &view, sources[source], cubes[item - source * (rcity_i64)job->cube_count]);
}

#endif
