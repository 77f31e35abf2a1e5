/* Directions around the source in bins, with rings of distance in each. A ring of a bin is hidden when a single wall
   covers the whole bin and its shadow the whole ring. Pixels there need no drawing. So shadows are drawn only up to
   where the rings of all their bins are hidden, and those of walls in such rings are not drawn at all. From a street
   this hides almost all of the city, and from above still the greater part of the shadows.

   A direction is measured along the square |u| + |v| = 1, and so is distance. Within a quadrant a wall's distance along
   a direction is then a number divided by a linear function, smallest and largest at the ends of a bin. Floats are
   rounded so that too little is called hidden, never too much; bins overlap by a margin that is wider than the error of
   a direction. */
#ifndef RCITY_KERNEL_VISIBILITY_LOS_LOS_DIRECTIONS_H
#define RCITY_KERNEL_VISIBILITY_LOS_LOS_DIRECTIONS_H

#include "kernel/visibility/los/los_board.h"

#define RCITY_LOS_QUADRANT_BINS (RCITY_LOS_BIN_COUNT / 4)
#define RCITY_LOS_SECTOR_BINS   (RCITY_LOS_BIN_COUNT / RCITY_LOS_SECTOR_COUNT)
#define RCITY_LOS_MARGIN        0.02f       /* in bins; a direction is off by less than a thousandth */
#define RCITY_LOS_UNBOUNDED     0x7fffffffu /* larger than any distance */
#define RCITY_LOS_FOLLOWERS     4           /* walls that may follow in a corner's bin on the left */
#define RCITY_LOS_RING_LAST     63          /* the outermost is unbounded */
#define RCITY_LOS_RING_SHIFT    20          /* of a float's bits: 8 rings per doubling of distance */

/* A wall relative to the source, with a on the right. Its shadow begins at the wall and ends at far_num / far_den times
   the distance to it (far_den 0: it does not end). */
typedef struct rcity_los_cast {
    rcity_i32 au, av, bu, bv;
    rcity_i64 area; /* a x b: positive */
    rcity_i32 far_num, far_den;
    rcity_i32 is_doubtful;
    rcity_i32 is_loose; /* on the left: no wall follows there, or the corner is undecided */
} rcity_los_cast;

/* @return 0 when the wall casts no shadow: of the two walls where a line enters and leaves a building, the one that
   faces the line's lower end decides. */
RCITY_KERNEL int rcity_los_cast_make(const rcity_los_board *board, rcity_i32 index, rcity_los_cast *cast)
{
    rcity_los_line wall = board->walls[index];
    rcity_i32 au = wall.ax - board->item.x;
    rcity_i32 av = wall.ay - board->item.y;
    rcity_i32 bu = wall.bx - board->item.x;
    rcity_i32 bv = wall.by - board->item.y;
    rcity_i64 area = (rcity_i64)au * bv - (rcity_i64)av * bu;
    int falls = board->item.z > board->job.level;
    rcity_i32 roof = board->roofs[index];
    cast->is_doubtful = roof & RCITY_LOS_ROOF_UNDECIDED;
    cast->is_loose = roof & (falls ? RCITY_LOS_ROOF_LOOSE_B : RCITY_LOS_ROOF_LOOSE_A);
    cast->far_num = 1;
    cast->far_den = 0;
    if (falls) {
        rcity_i32 clearance = board->item.z - (roof >> RCITY_LOS_ROOF_SHIFT);
        cast->au = au;
        cast->av = av;
        cast->bu = bu;
        cast->bv = bv;
        cast->area = area;
        if (clearance > 0) {
            cast->far_num = board->item.z - board->job.level;
            cast->far_den = clearance;
        }
    } else {
        cast->au = bu;
        cast->av = bv;
        cast->bu = au;
        cast->bv = av;
        cast->area = -area;
    }
    return cast->area > 0;
}

/* The angle of a direction around the source, in bins. Not for the source itself. */
RCITY_KERNEL float rcity_los_turn(rcity_i32 u, rcity_i32 v)
{
    float fu = (float)u;
    float fv = (float)v;
    float part = (float)RCITY_LOS_QUADRANT_BINS / (rcity_fabs(fu) + rcity_fabs(fv));
    if (v >= 0) {
        return u > 0 ? fv * part : (float)RCITY_LOS_QUADRANT_BINS - fu * part;
    }
    return u < 0 ? (float)(2 * RCITY_LOS_QUADRANT_BINS) - fv * part : (float)(3 * RCITY_LOS_QUADRANT_BINS) + fu * part;
}

/* The bins between two directions less than half a turn apart, counter-clockwise from `low` to `high`. */
typedef struct rcity_los_arc {
    float low, high; /* high may go beyond a full turn */
} rcity_los_arc;

RCITY_KERNEL rcity_los_arc rcity_los_arc_make(const rcity_los_cast *cast)
{
    rcity_los_arc arc;
    arc.low = rcity_los_turn(cast->au, cast->av);
    arc.high = rcity_los_turn(cast->bu, cast->bv);
    arc.high += arc.high < arc.low ? (float)RCITY_LOS_BIN_COUNT : 0.0f;
    if (arc.high - arc.low > (float)(RCITY_LOS_BIN_COUNT / 2 + 1)) {
        arc.high = arc.low; /* rounding reversed a thin one */
    }
    return arc;
}

/* The ring of a distance. The first contains all distances below the base. */
RCITY_KERNEL rcity_i32 rcity_los_ring(const rcity_los_board *board, float distance)
{
    rcity_i32 ring = (rcity_i32)(rcity_float_bits(distance) >> RCITY_LOS_RING_SHIFT) - board->job.ring_base;
    return ring < 0 ? 0 : ring < RCITY_LOS_RING_LAST ? ring : RCITY_LOS_RING_LAST;
}

/* Where a ring ends. */
RCITY_KERNEL rcity_u32 rcity_los_ring_end(const rcity_los_board *board, rcity_i32 ring)
{
    return ring >= RCITY_LOS_RING_LAST
               ? RCITY_LOS_UNBOUNDED
               : (rcity_u32)rcity_bits_float((rcity_u32)(ring + 1 + board->job.ring_base) << RCITY_LOS_RING_SHIFT) + 1u;
}

/* The rings from `first` to `last`, both included; none when the last is before the first. */
RCITY_KERNEL rcity_u64 rcity_los_rings(rcity_i32 first, rcity_i32 last)
{
    rcity_u64 all = ~(rcity_u64)0;
    return first > last ? 0 : (all << first) & (all >> (RCITY_LOS_RING_LAST - last));
}

/* The rings of a bin in which the strip has no pixels: beyond its border in all directions of the bin. */
RCITY_KERNEL rcity_u64 rcity_los_outside(const rcity_los_board *board, rcity_i32 bin)
{
    rcity_i32 quadrant = bin / RCITY_LOS_QUADRANT_BINS;
    rcity_i32 east = board->x[board->job.column_count - 1] - board->item.x;
    rcity_i32 west = board->item.x - board->x[0];
    rcity_i32 north = board->y[board->item.first_row] - board->item.y;
    rcity_i32 south = board->item.y - board->y[board->row_end - 1];
    float width = (float)(quadrant == 0 || quadrant == 3 ? east : west);
    float depth = (float)(quadrant < 2 ? north : south);
    /* lower and upper bound of how far the bin's directions are from the axis where the quadrant begins */
    float part = (float)(bin % RCITY_LOS_QUADRANT_BINS) / (float)RCITY_LOS_QUADRANT_BINS;
    float least = part - 1e-4f;
    float rest = 1.0f - part - 1.0f / (float)RCITY_LOS_QUADRANT_BINS - 1e-4f;
    float u = quadrant == 0 || quadrant == 2 ? rest : least;
    float v = quadrant == 0 || quadrant == 2 ? least : rest;
    float far = 1e9f;
    far = width < far * u ? rcity_fmax(width, 0.0f) / u : far;
    far = depth < far * v ? rcity_fmin(far, rcity_fmax(depth, 0.0f) / v) : far;
    return rcity_los_rings(rcity_los_ring(board, far * 1.0001f + 4.0f) + 1, RCITY_LOS_RING_LAST);
}

/* How fast a direction crosses the wall's line: the wall's area divided by it is the distance of the line. */
RCITY_KERNEL float rcity_los_across(const rcity_los_cast *cast, float turn)
{
    float at = turn / (float)RCITY_LOS_QUADRANT_BINS;
    float quadrant = rcity_floor(at);
    float part = at - quadrant;
    float rest = 1.0f - part;
    rcity_i32 number = (rcity_i32)quadrant & 3;
    float u = number == 0 ? rest : number == 1 ? -part : number == 2 ? -rest : part;
    float v = number == 0 ? part : number == 1 ? rest : number == 2 ? -part : -rest;
    return u * (float)(cast->bv - cast->av) - v * (float)(cast->bu - cast->au);
}

/* The rings that a wall's shadow fills in a bin which the wall covers as a whole. */
RCITY_KERNEL rcity_u64 rcity_los_fill(const rcity_los_board *board, const rcity_los_cast *cast, rcity_i32 bin)
{
    float right = rcity_los_across(cast, (float)bin - RCITY_LOS_MARGIN);
    float left = rcity_los_across(cast, (float)(bin + 1) + RCITY_LOS_MARGIN);
    float error = 2e-6f * (rcity_fabs((float)(cast->bu - cast->au)) + rcity_fabs((float)(cast->bv - cast->av)));
    float least = rcity_fmin(right, left) - error;
    float most = rcity_fmax(right, left) + error;
    float area = (float)cast->area;
    if (least <= 0.0f || area >= least * 1e9f) {
        return 0;
    }
    rcity_i32 first = rcity_los_ring(board, area / least * 1.0003f + 4.0f) + 1;
    if (cast->far_den == 0) {
        return rcity_los_rings(first, RCITY_LOS_RING_LAST);
    }
    float far = area / most * 0.9997f * ((float)cast->far_num / (float)cast->far_den) - 4.0f;
    rcity_i32 last = far > 0.0f ? rcity_los_ring(board, far) - 1 : 0;
    return rcity_los_rings(first, last);
}

RCITY_KERNEL void rcity_los_mark(const rcity_los_board *board, rcity_i32 bin, rcity_u64 rings)
{
    RCITY_LOCAL rcity_u32 *words = board->bins + 2 * (bin & (RCITY_LOS_BIN_COUNT - 1));
    rcity_u32 low = (rcity_u32)rings;
    rcity_u32 high = (rcity_u32)(rings >> 32);
    if (low & ~words[0]) {
        rcity_local_or(&words[0], low);
    }
    if (high & ~words[1]) {
        rcity_local_or(&words[1], high);
    }
}

/* The bin in which a wall ends on the left, covered by it and the walls that follow around the building: hidden is what
   all of their shadows fill. A corner between two walls that cast shadows is hidden as they are. */
RCITY_KERNEL rcity_u64 rcity_los_fill_corner(const rcity_los_board *board, rcity_i32 index, const rcity_los_cast *cast,
                                             rcity_i32 bin)
{
    rcity_u64 rings = rcity_los_fill(board, cast, bin);
    rcity_i32 step = board->item.z > board->job.level ? 1 : -1;
    rcity_los_cast last = *cast;
    for (rcity_i32 i = 0; i < RCITY_LOS_FOLLOWERS && rings != 0 && !last.is_loose; i++) {
        rcity_los_cast next;
        index += step;
        if (index < 0 || index >= board->job.wall_count || !rcity_los_cast_make(board, index, &next) ||
            next.is_doubtful) {
            return 0;
        }
        rings &= rcity_los_fill(board, &next, bin);
        rcity_los_arc arc = rcity_los_arc_make(&next);
        float high = arc.high + (arc.high < (float)bin ? (float)RCITY_LOS_BIN_COUNT : 0.0f);
        if (high - (float)(RCITY_LOS_BIN_COUNT / 2) > (float)bin) {
            return 0; /* so far around that it may be a rounding error */
        }
        if (high >= (float)(bin + 1) + RCITY_LOS_MARGIN) {
            return rings;
        }
        last = next;
    }
    return 0;
}

/* A wall covers the bins first .. end - 1 as a whole. It ends on the left in `end`, if that is not before them. */
typedef struct rcity_los_cover {
    rcity_i32 first, end;
} rcity_los_cover;

RCITY_KERNEL rcity_los_cover rcity_los_cover_make(const rcity_los_cast *cast)
{
    rcity_los_arc arc = rcity_los_arc_make(cast);
    rcity_los_cover cover;
    cover.first = (rcity_i32)(arc.low + RCITY_LOS_MARGIN) + 1;
    cover.end = (rcity_i32)(arc.high - RCITY_LOS_MARGIN);
    return cover;
}

/* Marks the rings that a wall's shadow fills in the bins of one lane; all lanes together do all bins. @return how many
   bins. */
RCITY_KERNEL rcity_i32 rcity_los_close_cover(const rcity_los_board *board, rcity_i32 index, const rcity_los_cast *cast,
                                             rcity_los_cover cover, rcity_i32 lane, rcity_i32 lane_count)
{
    rcity_i32 closed_count = 0;
    for (rcity_i32 bin = cover.first + lane; bin < cover.end; bin += lane_count) {
        rcity_u64 rings = rcity_los_fill(board, cast, bin);
        rcity_los_mark(board, bin, rings);
        closed_count += rings != 0;
    }
    if (lane == 0 && cover.end >= cover.first) {
        rcity_u64 rings = rcity_los_fill_corner(board, index, cast, cover.end);
        rcity_los_mark(board, cover.end, rings);
        closed_count += rings != 0;
    }
    return closed_count;
}

/* Marks the rings that a wall's shadow fills in the bins it covers alone or with the walls that follow. @return how
   many bins. */
RCITY_KERNEL rcity_i32 rcity_los_close_bins(const rcity_los_board *board, rcity_i32 index, const rcity_los_cast *cast)
{
    return rcity_los_close_cover(board, index, cast, rcity_los_cover_make(cast), 0, 1);
}

RCITY_KERNEL rcity_u64 rcity_los_pair(RCITY_LOCAL const rcity_u32 *words)
{
    return (rcity_u64)words[1] << 32 | words[0];
}

RCITY_KERNEL float rcity_los_distance(rcity_i32 u, rcity_i32 v)
{
    return (float)((u < 0 ? -u : u) + (v < 0 ? -v : v));
}

/* A lower bound of a wall's distance. */
RCITY_KERNEL float rcity_los_nearest(const rcity_los_cast *cast)
{
    rcity_i32 u_low = cast->au < cast->bu ? cast->au : cast->bu;
    rcity_i32 v_low = cast->av < cast->bv ? cast->av : cast->bv;
    rcity_i32 u_high = cast->au < cast->bu ? cast->bu : cast->au;
    rcity_i32 v_high = cast->av < cast->bv ? cast->bv : cast->av;
    rcity_i32 u = u_low > 0 ? u_low : u_high < 0 ? u_high : 0;
    rcity_i32 v = v_low > 0 ? v_low : v_high < 0 ? v_high : 0;
    return rcity_los_distance(u, v);
}

/* The rings of a wall's shadow that are not hidden in all of its bins: it must be drawn there. */
RCITY_KERNEL rcity_u64 rcity_los_visible_rings(const rcity_los_board *board, const rcity_los_cast *cast)
{
    rcity_los_arc arc = rcity_los_arc_make(cast);
    rcity_i32 bin = (rcity_i32)rcity_floor(arc.low - RCITY_LOS_MARGIN);
    rcity_i32 last = (rcity_i32)rcity_floor(arc.high + RCITY_LOS_MARGIN);
    rcity_i32 ring_last = RCITY_LOS_RING_LAST;
    if (cast->far_den > 0) { /* the shadow reaches farthest behind an end of the wall */
        float far = rcity_fmax(rcity_los_distance(cast->au, cast->av), rcity_los_distance(cast->bu, cast->bv));
        ring_last = rcity_los_ring(board, far * ((float)cast->far_num / (float)cast->far_den) * 1.0003f + 4.0f);
    }
    rcity_u64 met = rcity_los_rings(rcity_los_ring(board, rcity_los_nearest(cast)), ring_last);
    rcity_u64 visible = 0;
    for (; bin <= last && visible != met; bin++) {
        visible |= met & ~rcity_los_pair(board->bins + 2 * (bin & (RCITY_LOS_BIN_COUNT - 1)));
    }
    return visible;
}

/* Is a point hidden by its bin? */
RCITY_KERNEL int rcity_los_is_closed(const rcity_los_board *board, rcity_i32 u, rcity_i32 v)
{
    if ((u | v) == 0) {
        return 0;
    }
    rcity_i32 bin = (rcity_i32)rcity_los_turn(u, v) & (RCITY_LOS_BIN_COUNT - 1);
    rcity_i32 ring = rcity_los_ring(board, rcity_los_distance(u, v));
    return (int)(board->bins[2 * bin + (ring >> 5)] >> (ring & 31) & 1u);
}

/* Are all points of a row from u to u_end hidden by the sectors of their bins? v is not 0. */
RCITY_KERNEL int rcity_los_are_closed(const rcity_los_board *board, rcity_i32 u, rcity_i32 u_end, rcity_i32 v)
{
    float first = rcity_los_turn(u, v);
    float last = rcity_los_turn(u_end, v);
    float low = (first < last ? first : last) - 1.0f;
    float high = (first < last ? last : first) + 1.0f;
    rcity_i32 nearest = u > 0 ? u : u_end < 0 ? u_end : 0;
    rcity_u64 met =
        rcity_los_rings(rcity_los_ring(board, rcity_los_distance(nearest, v)),
                        rcity_los_ring(board, rcity_fmax(rcity_los_distance(u, v), rcity_los_distance(u_end, v))));
    rcity_i32 sector = (rcity_i32)rcity_floor(low / (float)RCITY_LOS_SECTOR_BINS);
    rcity_i32 sector_last = (rcity_i32)rcity_floor(high / (float)RCITY_LOS_SECTOR_BINS);
    rcity_u64 visible = 0;
    for (; sector <= sector_last && visible == 0; sector++) {
        visible = met & ~rcity_los_pair(board->sectors + 2 * (sector & (RCITY_LOS_SECTOR_COUNT - 1)));
    }
    return visible == 0;
}

#endif
