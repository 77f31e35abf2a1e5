/* A ray tube: what a chain of reflections and diffractions makes of a transmitter's wave, and which places it reaches.
   J. S. Lu et al. 2019, sections II.B and III.C. A tube leaves the tile or the edge of its last event. What came before
   is unfolded: each reflection mirrors the source, and with it the last edge, in the tile's plane, so that a place is
   reached along straight lines from the source, over the edge if there is one, through the last tile. */
#ifndef RCITY_KERNEL_TILES_TUBE_H
#define RCITY_KERNEL_TILES_TUBE_H

#include "kernel/tiles/tile.h"
#include "kernel/wave/ray_field.h"

#define RCITY_TUBE_EVENT_MAX 6
#define RCITY_TUBE_EDGE_MAX  2

typedef struct rcity_tube {
    float sx, sy, sz; /* the source, unfolded; of a second edge the place from which the wave comes to it */
    float ax, ay, az; /* where the last edge begins, unfolded */
    float dx, dy, dz; /* unit vector along it */
    float edge_m;     /* its length; 0: no edge was met */
    rcity_i32 edge_count;
    rcity_i32 event_count;
    rcity_i32 event[RCITY_TUBE_EVENT_MAX]; /* from the transmitter on: the number of a tile, or ~ that of an edge */
} rcity_tube;

RCITY_KERNEL int rcity_event_is_edge(rcity_i32 event)
{
    return event < 0;
}

RCITY_KERNEL rcity_real3 rcity_tile_centre(rcity_tile tile)
{
    return rcity_real3_make((rcity_real)tile.x, (rcity_real)tile.y, (rcity_real)tile.z);
}

RCITY_KERNEL rcity_real3 rcity_tile_normal(rcity_tile tile)
{
    return rcity_real3_make((rcity_real)tile.nx, (rcity_real)tile.ny, (rcity_real)tile.nz);
}

RCITY_KERNEL rcity_real3 rcity_tile_edge_start(rcity_tile_edge edge)
{
    return rcity_real3_make((rcity_real)edge.ax, (rcity_real)edge.ay, (rcity_real)edge.az);
}

RCITY_KERNEL rcity_real3 rcity_tile_edge_end(rcity_tile_edge edge)
{
    return rcity_real3_make((rcity_real)edge.bx, (rcity_real)edge.by, (rcity_real)edge.bz);
}

RCITY_KERNEL rcity_real3 rcity_tile_edge_middle(rcity_tile_edge edge)
{
    return rcity_real3_scale(rcity_real3_add(rcity_tile_edge_start(edge), rcity_tile_edge_end(edge)), RCITY_REAL(0.5));
}

/* A place mirrored in the plane of a tile. */
RCITY_KERNEL rcity_real3 rcity_tile_mirror(rcity_tile tile, rcity_real3 place)
{
    rcity_real3 normal = rcity_tile_normal(tile);
    rcity_real off = rcity_real3_dot(rcity_real3_subtract(place, rcity_tile_centre(tile)), normal);
    return rcity_real3_subtract(place, rcity_real3_scale(normal, RCITY_REAL(2.0) * off));
}

/* Where the straight line from behind a tile's plane to a place before it crosses the plane, as the share of the line
   before the crossing; below 0 where it does not. */
RCITY_KERNEL rcity_real rcity_tile_cross(rcity_tile tile, rcity_real3 from, rcity_real3 to)
{
    rcity_real3 normal = rcity_tile_normal(tile);
    rcity_real3 centre = rcity_tile_centre(tile);
    rcity_real behind = -rcity_real3_dot(rcity_real3_subtract(from, centre), normal);
    rcity_real before = rcity_real3_dot(rcity_real3_subtract(to, centre), normal);
    return behind > RCITY_REAL(0.0) && before > RCITY_REAL(0.0) ? behind / (behind + before) : RCITY_REAL(-1.0);
}

/* Is a place of a tile's plane within the tile? Of two tiles side by side exactly one holds the border between them. */
RCITY_KERNEL int rcity_tile_holds(rcity_tile tile, rcity_real3 place)
{
    rcity_real3 off = rcity_real3_subtract(place, rcity_tile_centre(tile));
    rcity_real3 along_u = rcity_real3_make((rcity_real)tile.ux, (rcity_real)tile.uy, (rcity_real)tile.uz);
    rcity_real u = rcity_real3_dot(off, along_u);
    rcity_real v = rcity_real3_dot(off, rcity_real3_cross(rcity_tile_normal(tile), along_u));
    return u >= -(rcity_real)tile.half_u && u < (rcity_real)tile.half_u && v >= -(rcity_real)tile.half_v &&
           v < (rcity_real)tile.half_v;
}

/* Where the ray from one place over a straight edge to another meets the edge: metres from the edge's start. Keller's
   cone: unfolded around the edge, the ray is straight. */
RCITY_KERNEL rcity_real rcity_edge_meet(rcity_real3 start, rcity_real3 along, rcity_real3 from, rcity_real3 to)
{
    rcity_real3 a = rcity_real3_subtract(from, start);
    rcity_real3 b = rcity_real3_subtract(to, start);
    rcity_real at_a = rcity_real3_dot(a, along);
    rcity_real at_b = rcity_real3_dot(b, along);
    rcity_real off_a = rcity_real3_length(rcity_real3_subtract(a, rcity_real3_scale(along, at_a)));
    rcity_real off_b = rcity_real3_length(rcity_real3_subtract(b, rcity_real3_scale(along, at_b)));
    rcity_real both = off_a + off_b;
    return both > RCITY_REAL(0.0) ? at_a + (at_b - at_a) * off_a / both : at_a;
}

RCITY_KERNEL rcity_real3 rcity_tube_source(const rcity_tube *tube)
{
    return rcity_real3_make((rcity_real)tube->sx, (rcity_real)tube->sy, (rcity_real)tube->sz);
}

/* The straight last leg of a tube to a place: where it starts, unfolded. @return 0 where that is not on the edge. */
RCITY_KERNEL int rcity_tube_aim(const rcity_tube *tube, rcity_real3 to, rcity_real3 *from)
{
    *from = rcity_tube_source(tube);
    if (tube->edge_count > 0) {
        rcity_real3 start = rcity_real3_make((rcity_real)tube->ax, (rcity_real)tube->ay, (rcity_real)tube->az);
        rcity_real3 along = rcity_real3_make((rcity_real)tube->dx, (rcity_real)tube->dy, (rcity_real)tube->dz);
        rcity_real at = rcity_edge_meet(start, along, *from, to);
        *from = rcity_real3_add(start, rcity_real3_scale(along, at));
        return at >= RCITY_REAL(0.0) && at < (rcity_real)tube->edge_m;
    }
    return 1;
}

/* Does a tube reach a place? `tile` is that of its last event where that is a reflection. Sight is not asked. Only the
   last event has borders: those before it were passed on the way to the last tile's centre, and the ray to a place
   beside the ray through the centre may pass their neighbours. Were these asked for, both would refuse it. */
RCITY_KERNEL int rcity_tube_reaches(const rcity_tube *tube, rcity_tile tile, rcity_real3 to)
{
    rcity_real3 from;
    int meets_edge = rcity_tube_aim(tube, to, &from);
    if (rcity_event_is_edge(tube->event[tube->event_count - 1])) {
        return meets_edge;
    }
    rcity_real share = rcity_tile_cross(tile, from, to);
    return share >= RCITY_REAL(0.0) &&
           rcity_tile_holds(tile, rcity_real3_add(from, rcity_real3_scale(rcity_real3_subtract(to, from), share)));
}

/* The tube of a transmitter, before any event. */
RCITY_KERNEL rcity_tube rcity_tube_make(rcity_real3 source)
{
    rcity_tube tube;
    tube.sx = (float)source.x;
    tube.sy = (float)source.y;
    tube.sz = (float)source.z;
    tube.ax = tube.ay = tube.az = 0.0f;
    tube.dx = tube.dy = tube.dz = 0.0f;
    tube.edge_m = 0.0f;
    tube.edge_count = 0;
    tube.event_count = 0;
    for (int i = 0; i < RCITY_TUBE_EVENT_MAX; i++) {
        tube.event[i] = 0;
    }
    return tube;
}

/* The tube that a reflection off a tile makes of another. */
RCITY_KERNEL rcity_tube rcity_tube_reflect(rcity_tube tube, rcity_tile tile, rcity_i32 number)
{
    rcity_real3 source = rcity_tile_mirror(tile, rcity_tube_source(&tube));
    tube.sx = (float)source.x;
    tube.sy = (float)source.y;
    tube.sz = (float)source.z;
    if (tube.edge_count > 0) {
        rcity_real3 start =
            rcity_tile_mirror(tile, rcity_real3_make((rcity_real)tube.ax, (rcity_real)tube.ay, (rcity_real)tube.az));
        rcity_real3 along = rcity_real3_mirror(
            rcity_real3_make((rcity_real)tube.dx, (rcity_real)tube.dy, (rcity_real)tube.dz), rcity_tile_normal(tile));
        tube.ax = (float)start.x;
        tube.ay = (float)start.y;
        tube.az = (float)start.z;
        tube.dx = (float)along.x;
        tube.dy = (float)along.y;
        tube.dz = (float)along.z;
    }
    tube.event[tube.event_count++] = number;
    return tube;
}

/* The tube that an edge makes of another, which reaches its middle. After an edge before it the wave comes from as far
   behind that one as the source is, along the ray to the middle. */
RCITY_KERNEL rcity_tube rcity_tube_diffract(rcity_tube tube, rcity_tile_edge edge, rcity_i32 number)
{
    rcity_real3 start = rcity_tile_edge_start(edge);
    rcity_real3 whole = rcity_real3_subtract(rcity_tile_edge_end(edge), start);
    rcity_real length = rcity_real3_length(whole);
    if (tube.edge_count > 0) {
        rcity_real3 bend;
        rcity_real3 middle = rcity_tile_edge_middle(edge);
        (void)rcity_tube_aim(&tube, middle, &bend);
        rcity_real3 back = rcity_real3_subtract(bend, middle);
        rcity_real before = rcity_real3_length(rcity_real3_subtract(rcity_tube_source(&tube), bend));
        rcity_real leg = rcity_real_fmax(rcity_real3_length(back), RCITY_REAL(1e-3));
        rcity_real3 source = rcity_real3_add(bend, rcity_real3_scale(back, before / leg));
        tube.sx = (float)source.x;
        tube.sy = (float)source.y;
        tube.sz = (float)source.z;
    }
    tube.ax = (float)start.x;
    tube.ay = (float)start.y;
    tube.az = (float)start.z;
    tube.dx = (float)(whole.x / length);
    tube.dy = (float)(whole.y / length);
    tube.dz = (float)(whole.z / length);
    tube.edge_m = (float)length;
    tube.edge_count++;
    tube.event[tube.event_count++] = ~number;
    return tube;
}

#endif
