/* A line over the plan from a source to a receiver, and where walls cross it.

   A place is a position on the line as a whole number: 64 to a plan unit along the axis in which the line is longer,
   rounded down. Heights of diffracting edges are whole numbers too, 256 to a height unit. So an edge is a point of an
   integer grid, a tenth of a millimetre fine, and every comparison of edges is exact in 64 bits, the same on every
   device.

   A wall crosses the line if it crosses the line moved to its left by an infinitesimal distance. So a corner exactly on
   the line needs no rule of its own: its two walls together cross once, or twice, or not at all. */
#ifndef RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_LINE_H
#define RCITY_KERNEL_VISIBILITY_ROOFS_ROOF_LINE_H

#include "kernel/visibility/sight/sight_walls.h"

#define RCITY_ROOF_PLACE_SHIFT  6
#define RCITY_ROOF_HEIGHT_SHIFT 8

typedef struct rcity_roof_line {
    rcity_i32 ax, ay;   /* the source */
    rcity_i32 dx, dy;   /* from there to the receiver; |.| < 2^24 */
    rcity_i32 az, bz;   /* heights of both */
    rcity_i32 length;   /* along the longer axis, plan units */
    rcity_i32 sign;     /* 1: that coordinate grows along the line; -1: it falls */
    rcity_i32 is_steep; /* the longer axis is y */
    rcity_i32 end;      /* the receiver's place */
    rcity_i64 slope;    /* of the other coordinate, times 2^32 */
} rcity_roof_line;

RCITY_KERNEL rcity_roof_line rcity_roof_line_make(rcity_sight_segment s)
{
    rcity_roof_line line;
    rcity_i32 width, depth, along, across;
    line.ax = s.ax;
    line.ay = s.ay;
    line.dx = s.bx - s.ax;
    line.dy = s.by - s.ay;
    line.az = s.az;
    line.bz = s.bz;
    width = line.dx < 0 ? -line.dx : line.dx;
    depth = line.dy < 0 ? -line.dy : line.dy;
    line.is_steep = depth > width;
    along = line.is_steep ? line.dy : line.dx;
    across = line.is_steep ? line.dx : line.dy;
    line.length = line.is_steep ? depth : width;
    line.sign = along < 0 ? -1 : 1;
    line.end = line.length << RCITY_ROOF_PLACE_SHIFT;
    line.slope = line.length > 0 ? (rcity_i64)across * ((rcity_i64)1 << 32) / line.length : 0;
    return line;
}

/* Metres per unit of a place and per unit of an edge's height. */
typedef struct rcity_roof_scale {
    float place_m, height_m;
} rcity_roof_scale;

RCITY_KERNEL rcity_roof_scale rcity_roof_scale_make(const rcity_roof_line *line, float unit_m, float height_unit_m)
{
    float dx = (float)line->dx;
    float dy = (float)line->dy;
    rcity_roof_scale scale;
    scale.place_m = line->end > 0 ? rcity_sqrt(dx * dx + dy * dy) / (float)line->end * unit_m : 0.0f;
    scale.height_m = height_unit_m / (float)(1 << RCITY_ROOF_HEIGHT_SHIFT);
    return scale;
}

/* a / b rounded down; b > 0, the quotient below 2^31. Where a division of 64 bits is slow, floats estimate the quotient
   and integers correct it. */
RCITY_KERNEL rcity_i64 rcity_roof_divide(rcity_i64 a, rcity_i64 b)
{
#if RCITY_HAS_DIVIDE
    rcity_i64 whole = a / b;
    return whole - (whole * b > a);
#else
    float part = 1.0f / (float)b;
    rcity_i64 whole = (rcity_i64)((float)a * part);
    rcity_i64 rest = a - whole * b;
    rcity_i64 more = (rcity_i64)((float)rest * part);
    whole += more;
    rest -= more * b;
    while (rest < 0) {
        whole--;
        rest += b;
    }
    while (rest >= b) {
        whole++;
        rest -= b;
    }
    return whole;
#endif
}

/* room * part / whole rounded down, where the product may need more than 64 bits: computed in digits of 12 bits. It
   must be that 0 <= part <= whole < 2^50 and |room| < 2^36. */
RCITY_KERNEL_APART rcity_i64 rcity_roof_share(rcity_i64 room, rcity_i64 part, rcity_i64 whole)
{
    rcity_i64 size = room < 0 ? -room : room;
    rcity_i64 share = 0;
    rcity_i64 rest = 0;
    for (int shift = 24; shift >= 0; shift -= 12) {
        rcity_i64 value = rest * 4096 + ((size >> shift) & 4095) * part;
        rcity_i64 digit = rcity_roof_divide(value, whole);
        share = share * 4096 + digit;
        rest = value - digit * whole;
    }
    return room < 0 ? -share - (rest > 0) : share;
}

typedef struct rcity_roof_crossing {
    rcity_i32 place;
    rcity_i32 enters; /* 1: into the prism, 0: out of it */
} rcity_roof_crossing;

#define RCITY_ROOF_CROSS_BOTH (-1)

/* Where a wall crosses the line strictly between its ends; returns 0 when it does not. `kind` is 1 for walls where the
   line enters a prism, 0 for walls where it leaves one, or RCITY_ROOF_CROSS_BOTH. Roofs straight above an end:
   roof_end.h. */
RCITY_KERNEL int rcity_roof_cross(const rcity_roof_line *line, rcity_sight_wall wall, int kind,
                                  rcity_roof_crossing *crossing)
{
    rcity_i32 px = (wall.px >> 8) - line->ax;
    rcity_i32 py = (wall.py >> 8) - line->ay;
    rcity_i32 qx = (wall.qx >> 8) - line->ax;
    rcity_i32 qy = (wall.qy >> 8) - line->ay;
    rcity_i64 p_side = (rcity_i64)line->dx * py - (rcity_i64)line->dy * px;
    rcity_i64 q_side = (rcity_i64)line->dx * qy - (rcity_i64)line->dy * qx;
    crossing->enters = p_side > q_side;
    if ((p_side > 0) == (q_side > 0) || (kind != RCITY_ROOF_CROSS_BOTH && kind != crossing->enters)) {
        return 0;
    }
    rcity_i32 p_along = line->is_steep ? py : px;
    rcity_i32 q_along = line->is_steep ? qy : qx;
    p_along = line->sign < 0 ? -p_along : p_along;
    q_along = line->sign < 0 ? -q_along : q_along;
    rcity_i64 room = (rcity_i64)(q_along - p_along) * (1 << RCITY_ROOF_PLACE_SHIFT);
    rcity_i64 part = p_side < 0 ? -p_side : p_side;
    rcity_i64 whole = part + (q_side < 0 ? -q_side : q_side);
    /* fits 64 bits unless both the line and the wall are long */
    int is_narrow = room > -(1 << 22) && room < 1 << 22 && whole < (rcity_i64)1 << 40;
    rcity_i64 place = (rcity_i64)p_along * (1 << RCITY_ROOF_PLACE_SHIFT) +
                      (is_narrow ? rcity_roof_divide(room * part, whole) : rcity_roof_share(room, part, whole));
    crossing->place = (rcity_i32)place;
    if (place == 0) { /* at the source, or just beyond it? */
        rcity_i64 side = (rcity_i64)qx * py - (rcity_i64)qy * px;
        return crossing->enters ? side > 0 : side < 0;
    }
    return place > 0 && place < line->end;
}

#endif
