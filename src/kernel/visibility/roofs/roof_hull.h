/* The shortest path from the source to the receiver over the diffracting edges it is given, in any order: their upper
   convex hull. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_HULL_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_HULL_H

#include "kernel/visibility/roofs/roof_line.h"

/* Edges that are kept, both ends included. The host defines a larger number before it includes this. */
#ifndef RCITY_ROOF_EDGE_MAX
#define RCITY_ROOF_EDGE_MAX 32
#endif

/* What an edge is when it is not a wall. */
#define RCITY_ROOF_EDGE_END    (-2)
#define RCITY_ROOF_EDGE_GROUND (-1)

/* The over-roof path: edges in order, each strictly above the line through its neighbours. A point on that line is not
   an edge. */
typedef struct rcity_roof_hull {
    rcity_i32 place[RCITY_ROOF_EDGE_MAX];
    rcity_i32 height[RCITY_ROOF_EDGE_MAX];
    rcity_i32 wall[RCITY_ROOF_EDGE_MAX];
    rcity_i32 count;
    rcity_i32 is_full; /* there was no room for an edge: the path is not valid */
} rcity_roof_hull;

RCITY_KERNEL void rcity_roof_hull_begin(const rcity_roof_line *line, rcity_roof_hull *hull)
{
    hull->count = 2;
    hull->is_full = 0;
    hull->place[0] = 0;
    hull->height[0] = line->az * (1 << RCITY_ROOF_HEIGHT_SHIFT);
    hull->wall[0] = RCITY_ROOF_EDGE_END;
    hull->place[1] = line->end;
    hull->height[1] = line->bz * (1 << RCITY_ROOF_HEIGHT_SHIFT);
    hull->wall[1] = RCITY_ROOF_EDGE_END;
}

/* Does b lie strictly above the line from a to c? Places and heights are below 2^30, so the products fit. */
RCITY_KERNEL int rcity_roof_is_above(rcity_i32 a_place, rcity_i32 a_height, rcity_i32 b_place, rcity_i32 b_height,
                                     rcity_i32 c_place, rcity_i32 c_height)
{
    return (rcity_i64)(c_place - a_place) * (b_height - a_height) >
           (rcity_i64)(b_place - a_place) * (c_height - a_height);
}

/* Adds an edge; returns 1 when the path goes over it. */
RCITY_KERNEL int rcity_roof_hull_add(rcity_roof_hull *hull, rcity_i32 place, rcity_i32 height, rcity_i32 wall)
{
    rcity_i32 last = hull->count - 1;
    rcity_i32 before = 0; /* the last edge not beyond the new one, never the receiver */
    rcity_i32 after;
    while (before + 1 < last && hull->place[before + 1] <= place) {
        before++;
    }
    after = before + 1;
    if (hull->place[before] == hull->place[after]
            ? height <= hull->height[before]
            : !rcity_roof_is_above(hull->place[before], hull->height[before], place, height, hull->place[after],
                                   hull->height[after])) {
        return 0;
    }
    /* edges that the path no longer touches */
    while (after < last && !rcity_roof_is_above(place, height, hull->place[after], hull->height[after],
                                                hull->place[after + 1], hull->height[after + 1])) {
        after++;
    }
    while (before > 0 && !rcity_roof_is_above(hull->place[before - 1], hull->height[before - 1], hull->place[before],
                                              hull->height[before], place, height)) {
        before--;
    }
    rcity_i32 moved = before + 2 - after; /* 1: later edges move up by one; otherwise edges have been removed */
    if (hull->count + moved > RCITY_ROOF_EDGE_MAX) {
        hull->is_full = 1;
        return 0;
    }
    if (moved > 0) {
        for (rcity_i32 i = last; i >= after; i--) {
            hull->place[i + 1] = hull->place[i];
            hull->height[i + 1] = hull->height[i];
            hull->wall[i + 1] = hull->wall[i];
        }
    } else if (moved < 0) {
        for (rcity_i32 i = after; i <= last; i++) {
            hull->place[i + moved] = hull->place[i];
            hull->height[i + moved] = hull->height[i];
            hull->wall[i + moved] = hull->wall[i];
        }
    }
    hull->count += moved;
    hull->place[before + 1] = place;
    hull->height[before + 1] = height;
    hull->wall[before + 1] = wall;
    return 1;
}

/* A leg of the path, used to follow its height along the line. */
typedef struct rcity_roof_leg {
    rcity_i32 index; /* its first edge */
    rcity_i32 place, end;
    rcity_i32 height; /* at its start, less the rounding error of rcity_roof_leg_height() */
    float slope;
} rcity_roof_leg;

/* A lower bound of the path's height at a place. Places must come in order until the path changes. */
RCITY_KERNEL rcity_i32 rcity_roof_leg_height(const rcity_roof_hull *hull, rcity_roof_leg *leg, rcity_i32 place)
{
    if (place >= leg->end) {
        rcity_i32 i = leg->index;
        while (i + 2 < hull->count && hull->place[i + 1] <= place) {
            i++;
        }
        rcity_i32 room = hull->place[i + 1] - hull->place[i];
        rcity_i32 rise = room > 0 ? hull->height[i + 1] - hull->height[i] : 0;
        leg->index = i;
        leg->place = hull->place[i];
        leg->height = hull->height[room > 0 ? i : i + 1];
        leg->end = i + 2 < hull->count ? hull->place[i + 1] : 0x7fffffff;
        leg->slope = room > 0 ? (float)rise / (float)room : 0.0f;
        /* slope and product are off by about 2^-22 of the rise; a level leg is exact */
        leg->height -= rise != 0 ? 2 + ((rise < 0 ? -rise : rise) >> 20) : 0;
    }
    return leg->height + (rcity_i32)(leg->slope * (float)(place - leg->place));
}

/* The start of the path. */
RCITY_KERNEL rcity_roof_leg rcity_roof_leg_begin(void)
{
    rcity_roof_leg leg;
    leg.index = 0;
    leg.end = -1;
    leg.place = 0;
    leg.height = 0;
    leg.slope = 0.0f;
    return leg;
}

#endif
