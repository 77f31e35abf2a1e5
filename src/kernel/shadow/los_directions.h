/* Directions around the source in bins: from which distance on each is dark, for a single wall as high as the source covers
   all of it. What lies beyond needs no drawing, and walls beyond throw no shadow that matters: from a street almost all of
   the city goes this way.

   A direction is measured along the square |u| + |v| = 1, and so is distance: then a wall's distance along a direction is a
   number over a straight line within a quadrant, largest at the ends of a bin. Floats, rounded so that a bin is called dark
   too late, never too early; bins overlap by a margin that is wider than the error of a direction. */
#ifndef RCITY_KERNEL_SHADOW_LOS_DIRECTIONS_H
#define RCITY_KERNEL_SHADOW_LOS_DIRECTIONS_H

#include "kernel/shadow/los_board.h"

#define RCITY_LOS_QUADRANT_BINS (RCITY_LOS_BIN_COUNT / 4)
#define RCITY_LOS_SECTOR_BINS   (RCITY_LOS_BIN_COUNT / RCITY_LOS_SECTOR_COUNT)
#define RCITY_LOS_MARGIN        0.02f       /* in bins; a direction is off by less than a thousandth */
#define RCITY_LOS_OPEN          0x7fffffffu /* a bin that no wall closes */

/* A wall as a source sees it: from the source, a on the right. Its shadow begins at the wall and ends at far_num / far_den
   of the way to it (far_den 0: nowhere). */
typedef struct rcity_los_cast {
    rcity_i32 au, av, bu, bv;
    rcity_i64 area; /* a x b: positive */
    rcity_i32 far_num, far_den;
    rcity_i32 is_doubtful;
} rcity_los_cast;

/* @return 0 when the wall throws no shadow: of the two walls that a line passes through a building, the one that faces its
   lower end decides. */
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
    cast->is_doubtful = roof & 1;
    cast->far_num = 1;
    cast->far_den = 0;
    if (falls) {
        rcity_i32 clearance = board->item.z - (roof >> 1);
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

/* Where a direction is on its way around, in bins. Not for the source itself. */
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

/* The bins between two directions less than half a turn apart, `high` from `low` on counter-clockwise. */
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
        arc.high = arc.low; /* rounding turned a thin one around */
    }
    return arc;
}

/* How far away the wall's line is in a direction, not less; RCITY_LOS_OPEN when it may be any distance. */
RCITY_KERNEL rcity_u32 rcity_los_line_reach(const rcity_los_cast *cast, float turn)
{
    float at = turn / (float)RCITY_LOS_QUADRANT_BINS;
    float quadrant = rcity_floor(at);
    float part = at - quadrant;
    float rest = 1.0f - part;
    float eu = (float)(cast->bu - cast->au);
    float ev = (float)(cast->bv - cast->av);
    rcity_i32 number = (rcity_i32)quadrant & 3;
    float u = number == 0 ? rest : number == 1 ? -part : number == 2 ? -rest : part;
    float v = number == 0 ? part : number == 1 ? rest : number == 2 ? -part : -rest;
    float across = u * ev - v * eu - 2e-6f * (rcity_fabs(eu) + rcity_fabs(ev));
    float reach = (float)cast->area * 1.00001f;
    return across <= 0.0f || reach >= across * 1e9f ? RCITY_LOS_OPEN : (rcity_u32)(reach / across) + 4u;
}

/* Close the bins that a wall covers whole. @return how many. */
RCITY_KERNEL rcity_i32 rcity_los_close_bins(const rcity_los_board *board, const rcity_los_cast *cast)
{
    rcity_los_arc arc = rcity_los_arc_make(cast);
    rcity_i32 first = (rcity_i32)(arc.low + RCITY_LOS_MARGIN) + 1;
    rcity_i32 end = (rcity_i32)(arc.high - RCITY_LOS_MARGIN);
    rcity_i32 closed_count = 0;
    for (rcity_i32 bin = first; bin < end; bin++) {
        rcity_u32 right = rcity_los_line_reach(cast, (float)bin - RCITY_LOS_MARGIN);
        rcity_u32 left = rcity_los_line_reach(cast, (float)(bin + 1) + RCITY_LOS_MARGIN);
        rcity_u32 reach = right > left ? right : left;
        if (reach < RCITY_LOS_OPEN) {
            rcity_local_min(&board->bins[bin & (RCITY_LOS_BIN_COUNT - 1)], reach);
            closed_count++;
        }
    }
    return closed_count;
}

/* The distance from which on all directions that a wall touches are dark. */
RCITY_KERNEL rcity_u32 rcity_los_arc_reach(const rcity_los_board *board, const rcity_los_cast *cast)
{
    rcity_los_arc arc = rcity_los_arc_make(cast);
    rcity_i32 bin = (rcity_i32)rcity_floor(arc.low - RCITY_LOS_MARGIN);
    rcity_i32 last = (rcity_i32)rcity_floor(arc.high + RCITY_LOS_MARGIN);
    rcity_u32 reach = 0;
    for (; bin <= last && reach < RCITY_LOS_OPEN; bin++) {
        rcity_u32 here = board->bins[bin & (RCITY_LOS_BIN_COUNT - 1)];
        reach = here > reach ? here : reach;
    }
    return reach;
}

/* How near a wall comes, not more. */
RCITY_KERNEL rcity_u32 rcity_los_nearest(const rcity_los_cast *cast)
{
    rcity_i32 u_low = cast->au < cast->bu ? cast->au : cast->bu;
    rcity_i32 v_low = cast->av < cast->bv ? cast->av : cast->bv;
    rcity_i32 u_high = cast->au < cast->bu ? cast->bu : cast->au;
    rcity_i32 v_high = cast->av < cast->bv ? cast->bv : cast->av;
    rcity_i32 u = u_low > 0 ? u_low : u_high < 0 ? -u_high : 0;
    rcity_i32 v = v_low > 0 ? v_low : v_high < 0 ? -v_high : 0;
    return (rcity_u32)(u + v);
}

/* Is a place dark by its bin? */
RCITY_KERNEL int rcity_los_is_closed(const rcity_los_board *board, rcity_i32 u, rcity_i32 v)
{
    rcity_u32 distance = (rcity_u32)((u < 0 ? -u : u) + (v < 0 ? -v : v));
    return distance > 0 && distance > board->bins[(rcity_i32)rcity_los_turn(u, v) & (RCITY_LOS_BIN_COUNT - 1)];
}

/* Are all places of a row from u to u_end dark by the sectors of their bins? v is not 0. */
RCITY_KERNEL int rcity_los_are_closed(const rcity_los_board *board, rcity_i32 u, rcity_i32 u_end, rcity_i32 v)
{
    float first = rcity_los_turn(u, v);
    float last = rcity_los_turn(u_end, v);
    float low = (first < last ? first : last) - 1.0f;
    float high = (first < last ? last : first) + 1.0f;
    rcity_i32 nearest = u > 0 ? u : u_end < 0 ? -u_end : 0;
    rcity_u32 distance = (rcity_u32)(nearest + (v < 0 ? -v : v));
    rcity_i32 sector = (rcity_i32)rcity_floor(low / (float)RCITY_LOS_SECTOR_BINS);
    rcity_i32 sector_last = (rcity_i32)rcity_floor(high / (float)RCITY_LOS_SECTOR_BINS);
    int are_closed = 1;
    for (; sector <= sector_last && are_closed; sector++) {
        are_closed = distance > board->sectors[sector & (RCITY_LOS_SECTOR_COUNT - 1)];
    }
    return are_closed;
}

#endif
