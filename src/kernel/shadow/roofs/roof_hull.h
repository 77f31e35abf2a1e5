/* A string from the source to the receiver, pulled tight over the tops it is given, in any order. */
#ifndef RCITY_KERNEL_SHADOW_ROOFS_ROOF_HULL_H
#define RCITY_KERNEL_SHADOW_ROOFS_ROOF_HULL_H

#include "kernel/shadow/roofs/roof_line.h"

/* Tops that are kept, both ends among them. The host makes room for more before it includes this. */
#ifndef RCITY_ROOF_EDGE_MAX
#define RCITY_ROOF_EDGE_MAX 32
#endif

/* What a top is, where it is no wall. */
#define RCITY_ROOF_EDGE_END    (-2)
#define RCITY_ROOF_EDGE_GROUND (-1)

/* The string: tops in order, each strictly above the line through its neighbours. What lies on that line is none. */
typedef struct rcity_roof_hull {
    rcity_i32 place[RCITY_ROOF_EDGE_MAX];
    rcity_i32 height[RCITY_ROOF_EDGE_MAX];
    rcity_i32 wall[RCITY_ROOF_EDGE_MAX];
    rcity_i32 count;
    rcity_i32 is_full; /* a top found no room: the string is not to be believed */
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

/* Does b lie strictly above the line from a to c? Places are below 2^30, heights below 2^30: products fit. */
RCITY_KERNEL int rcity_roof_is_above(rcity_i32 a_place, rcity_i32 a_height, rcity_i32 b_place, rcity_i32 b_height,
                                     rcity_i32 c_place, rcity_i32 c_height)
{
    return (rcity_i64)(c_place - a_place) * (b_height - a_height) >
           (rcity_i64)(b_place - a_place) * (c_height - a_height);
}

/* Give the string a top; returns 1 when it bends over it. */
RCITY_KERNEL int rcity_roof_hull_add(rcity_roof_hull *hull, rcity_i32 place, rcity_i32 height, rcity_i32 wall)
{
    rcity_i32 last = hull->count - 1;
    rcity_i32 before = 0; /* the last top not beyond the new one, never the receiver */
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
    /* tops that the string no longer touches */
    while (after < last && !rcity_roof_is_above(place, height, hull->place[after], hull->height[after],
                                                hull->place[after + 1], hull->height[after + 1])) {
        after++;
    }
    while (before > 0 && !rcity_roof_is_above(hull->place[before - 1], hull->height[before - 1], hull->place[before],
                                              hull->height[before], place, height)) {
        before--;
    }
    rcity_i32 moved = before + 2 - after; /* 1: room is made for one; else gone tops leave some */
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

/* A leg of the string, by which its height is followed along the line. */
typedef struct rcity_roof_leg {
    rcity_i32 index; /* its first top */
    rcity_i32 place, end;
    rcity_i32 height; /* at its start, less than the error of what follows */
    float slope;
} rcity_roof_leg;

/* A height that the string is not below at a place; places come in order, until the string changes. */
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
        /* slope and product are off by some 2^-22 of the rise, and a level leg not at all */
        leg->height -= rise != 0 ? 2 + ((rise < 0 ? -rise : rise) >> 20) : 0;
    }
    return leg->height + (rcity_i32)(leg->slope * (float)(place - leg->place));
}

/* From the string's start. */
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
