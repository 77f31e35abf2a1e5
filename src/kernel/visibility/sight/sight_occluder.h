/* Occluders: vertical rectangles within one prism, up to its roof. A line that crosses one is blocked, so a few of them
   decide for most lines between two places without a walk. Which ones are tried changes no answer. */
#ifndef RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_OCCLUDER_H
#define RCITY_KERNEL_VISIBILITY_SIGHT_SIGHT_OCCLUDER_H

#include "kernel/visibility/sight/sight_walk.h"

/* Over the segment p - q, up to the roof: a wall, or a diagonal inside of a prism. Without length where there is
   none. */
typedef struct rcity_sight_occluder {
    rcity_i32 px, py, qx, qy, roof;
} rcity_sight_occluder;

/* Each prism has one for each of these directions of lines, as wide across them as it can be. The walls follow. */
#define RCITY_SIGHT_WAY_COUNT 8

/* Directions are told apart by sector; the first one begins in the east. */
#define RCITY_SIGHT_SECTOR_COUNT 32

/* The sector of a direction in plan. */
RCITY_KERNEL rcity_i32 rcity_sight_sector(rcity_i32 dx, rcity_i32 dy)
{
    rcity_i32 quarter = dx > 0 && dy >= 0 ? 0 : dx <= 0 && dy > 0 ? 1 : dx < 0 ? 2 : 3;
    float x = (float)(quarter == 0 ? dx : quarter == 1 ? dy : quarter == 2 ? -dx : -dy);
    float y = (float)(quarter == 0 ? dy : quarter == 1 ? -dx : quarter == 2 ? -dy : dx);
    float low = y < x ? y : x;
    float high = y < x ? x : y;
    rcity_i32 part =
        (low > 0.1989f * high) + (low > 0.4142f * high) + (low > 0.6682f * high); /* 11.25, 22.5, 33.75 deg */
    return 8 * quarter + (y < x ? part : 7 - part);
}

/* The direction of lines, either way, that a sector belongs to. */
RCITY_KERNEL rcity_i32 rcity_sight_way(rcity_i32 sector)
{
    return sector % (RCITY_SIGHT_SECTOR_COUNT / 2) / (RCITY_SIGHT_SECTOR_COUNT / 2 / RCITY_SIGHT_WAY_COUNT);
}

/* An occluder as seen from a point. Differences of coordinates are exact in single precision. */
typedef struct rcity_sight_shadow {
    float px, py, qx, qy; /* relative to the point; p is on the left, q on the right */
    float gap;            /* qx * py - qy * px, which is positive */
    float room;           /* the roof's height above the point */
    float size;           /* the largest coordinate */
    float least;          /* more than all rounding in `gap`, and in comparisons with it */
} rcity_sight_shadow;

/* Rounding: each product and sum is off by 2^-24 of itself, and there are up to eight one after the other. */
#define RCITY_SIGHT_SHADOW_SIDE (1.0f / 1048576.0f)
#define RCITY_SIGHT_SHADOW_PART (1.0f / 262144.0f)

RCITY_KERNEL rcity_sight_shadow rcity_sight_shadow_make(rcity_sight_occluder occluder, rcity_i32 x, rcity_i32 y,
                                                        rcity_i32 z)
{
    rcity_sight_shadow shadow;
    float px = (float)(occluder.px - x);
    float py = (float)(occluder.py - y);
    float qx = (float)(occluder.qx - x);
    float qy = (float)(occluder.qy - y);
    float gap = qx * py - qy * px;
    int is_turned = gap < 0.0f;
    shadow.px = is_turned ? qx : px;
    shadow.py = is_turned ? qy : py;
    shadow.qx = is_turned ? px : qx;
    shadow.qy = is_turned ? py : qy;
    shadow.gap = is_turned ? -gap : gap;
    shadow.room = (float)(occluder.roof - z);
    float p = rcity_fmax(rcity_fabs(px), rcity_fabs(py));
    float q = rcity_fmax(rcity_fabs(qx), rcity_fabs(qy));
    shadow.size = p > q ? p : q;
    shadow.least = shadow.size * shadow.size * RCITY_SIGHT_SHADOW_PART;
    return shadow;
}

/* Does the line from the point to another, this far away, cross the occluder strictly below its roof, its ends strictly
   on both sides of it? 0 where rounding leaves a doubt. Without branches. */
RCITY_KERNEL int rcity_sight_shadow_hides(rcity_sight_shadow shadow, float dx, float dy, float dz)
{
    float reach = (rcity_fabs(dx) + rcity_fabs(dy)) * shadow.size;
    float side = reach * RCITY_SIGHT_SHADOW_SIDE;
    float p_side = dx * shadow.py - dy * shadow.px;
    float q_side = dx * shadow.qy - dy * shadow.qx;
    float whole = p_side - q_side;
    float below = shadow.room * whole - dz * shadow.gap;
    float heights = rcity_fabs(shadow.room) * reach + rcity_fabs(dz) * shadow.size * shadow.size;
    return (p_side > side) & (q_side < -side) & (shadow.gap > shadow.least) &
           (whole - shadow.gap > shadow.least + reach * RCITY_SIGHT_SHADOW_PART) &
           (below > heights * RCITY_SIGHT_SHADOW_PART);
}

/* Does an occluder block a segment? */
RCITY_KERNEL int rcity_sight_occluder_blocks(rcity_sight_occluder occluder, rcity_sight_segment s)
{
    rcity_sight_shadow shadow = rcity_sight_shadow_make(occluder, s.ax, s.ay, s.az);
    return rcity_sight_shadow_hides(shadow, (float)(s.bx - s.ax), (float)(s.by - s.ay), (float)(s.bz - s.az));
}

/* rcity_sight_test() without probes, and in *found the number of an occluder that blocks the segment, -1 where there is
   none. The occluders of walls begin at `wall_first`. */
RCITY_KERNEL rcity_sight_answer rcity_sight_find_occluder(const rcity_sight_view *view,
                                                          RCITY_GLOBAL const rcity_sight_occluder *occluders,
                                                          rcity_i32 wall_first, rcity_sight_segment segment,
                                                          rcity_i32 *found)
{
    rcity_sight_line line = rcity_sight_line_make(segment);
    rcity_i32 met = -1;
    rcity_sight_answer answer = rcity_sight_walk(view, &line, &met);
    rcity_i32 wall =
        answer == RCITY_SIGHT_BLOCKED && met >= 0 ? rcity_sight_cell_wall(view, &line, (rcity_u32)met) : -1;
    *found = -1;
    if (wall >= 0) {
        rcity_i32 prism = view->details[wall * RCITY_SIGHT_DETAIL_COUNT + RCITY_SIGHT_DETAIL_PRISM];
        rcity_i32 wide = prism * RCITY_SIGHT_WAY_COUNT + rcity_sight_way(rcity_sight_sector(line.dx, line.dy));
        *found = rcity_sight_occluder_blocks(occluders[wide], segment)                ? wide
                 : rcity_sight_occluder_blocks(occluders[wall_first + wall], segment) ? wall_first + wall
                                                                                      : -1;
    }
    return answer;
}

#endif
