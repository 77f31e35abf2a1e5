/* A tile as a window: which places the wave of a point reaches through it. Reflection turns a tile into such a window
   for the source behind it; the test is the back-projection of J. S. Lu et al. 2019, section III.C.

   With h the height of a place over the tile's plane, b the depth of the source behind it, and u, s their coordinates
   along a side, the line between them crosses the plane at (u b + s h) / (b + h). That lies within half a side, -half
   <= ... < half, if
       (u + half) / h + (s + half) / b >= 0   and   (u - half) / h + (s - half) / b < 0,
   so that a place is two numbers a side, a source two, and the test compares them. A source is the mirror image of a
   place before the tile, and its numbers are those of that place. */
#ifndef RCITY_KERNEL_TILES_TILE_WINDOW_H
#define RCITY_KERNEL_TILES_TILE_WINDOW_H

#include "kernel/tiles/tube.h"

/* A tile with both sides. */
typedef struct rcity_tile_frame {
    float cx, cy, cz; /* its centre */
    float nx, ny, nz; /* its normal */
    float ux, uy, uz; /* along its first side */
    float vx, vy, vz; /* along its second side */
    float half_u, half_v;
} rcity_tile_frame;

/* A place before a tile, as the tile's windows take it. */
typedef struct rcity_tile_view {
    float u_high, u_low, v_high, v_low;
} rcity_tile_view;

#define RCITY_TILE_VIEW_NONE 3.0e38f

RCITY_KERNEL rcity_tile_frame rcity_tile_frame_make(rcity_tile tile)
{
    rcity_tile_frame frame;
    frame.cx = tile.x;
    frame.cy = tile.y;
    frame.cz = tile.z;
    frame.nx = tile.nx;
    frame.ny = tile.ny;
    frame.nz = tile.nz;
    frame.ux = tile.ux;
    frame.uy = tile.uy;
    frame.uz = tile.uz;
    frame.vx = tile.ny * tile.uz - tile.nz * tile.uy;
    frame.vy = tile.nz * tile.ux - tile.nx * tile.uz;
    frame.vz = tile.nx * tile.uy - tile.ny * tile.ux;
    frame.half_u = tile.half_u;
    frame.half_v = tile.half_v;
    return frame;
}

/* `side` is 1 for places before the tile, -1 for sources behind it; a place on the other side passes no window. No
   branches: hosts take several places at once. */
RCITY_KERNEL rcity_tile_view rcity_tile_view_make(const rcity_tile_frame *frame, float side, float px, float py,
                                                  float pz)
{
    float x = px - frame->cx;
    float y = py - frame->cy;
    float z = pz - frame->cz;
    float before = (x * frame->nx + y * frame->ny + z * frame->nz) * side;
    float u = x * frame->ux + y * frame->uy + z * frame->uz;
    float v = x * frame->vx + y * frame->vy + z * frame->vz;
    int is_before = before > 0.0f;
    float scale = 1.0f / (is_before ? before : 1.0f);
    rcity_tile_view view;
    view.u_high = is_before ? (u + frame->half_u) * scale : -RCITY_TILE_VIEW_NONE;
    view.u_low = is_before ? (u - frame->half_u) * scale : RCITY_TILE_VIEW_NONE;
    view.v_high = is_before ? (v + frame->half_v) * scale : -RCITY_TILE_VIEW_NONE;
    view.v_low = is_before ? (v - frame->half_v) * scale : RCITY_TILE_VIEW_NONE;
    return view;
}

/* Does the straight line from the source to a place pass the window? Of two tiles side by side exactly one is passed.
   The same for the source's image and the place's: a reflection can be turned round. */
RCITY_KERNEL int rcity_tile_view_passes(rcity_tile_view source, rcity_tile_view place)
{
    return (place.u_high >= -source.u_high) & (place.u_low < -source.u_low) & (place.v_high >= -source.v_high) &
           (place.v_low < -source.v_low);
}

/* A tile, and the source behind it. */
typedef struct rcity_tile_window {
    rcity_tile_frame frame;
    rcity_tile_view source;
} rcity_tile_window;

RCITY_KERNEL rcity_tile_window rcity_tile_window_make(rcity_tile tile, float sx, float sy, float sz)
{
    rcity_tile_window window;
    window.frame = rcity_tile_frame_make(tile);
    window.source = rcity_tile_view_make(&window.frame, -1.0f, sx, sy, sz);
    return window;
}

RCITY_KERNEL int rcity_tile_window_passes(const rcity_tile_window *window, float px, float py, float pz)
{
    return rcity_tile_view_passes(window->source, rcity_tile_view_make(&window->frame, 1.0f, px, py, pz));
}

/* A tube over an edge: Keller's cone, unfolded around the edge, as linear forms. With `at` and `off` the places' metres
   along the edge and off it, the ray meets the edge at (at_source off + at off_source) / (off_source + off). */
typedef struct rcity_tile_cone {
    float ax, ay, az; /* where the edge begins, unfolded */
    float dx, dy, dz; /* along it */
    float edge_m;
    float source_at, source_off;
    rcity_i32 has_tile; /* a reflection is the last event: the ray from the edge passes its tile */
    rcity_tile_frame frame;
    float depth, u, v;                   /* where the edge begins: behind the tile, and along its sides */
    float depth_per_m, u_per_m, v_per_m; /* and along the edge */
} rcity_tile_cone;

/* `tile` is that of the last event, where that is a reflection. */
RCITY_KERNEL rcity_tile_cone rcity_tile_cone_make(const rcity_tube *tube, rcity_tile tile)
{
    rcity_tile_cone cone;
    float x = tube->sx - tube->ax;
    float y = tube->sy - tube->ay;
    float z = tube->sz - tube->az;
    cone.ax = tube->ax;
    cone.ay = tube->ay;
    cone.az = tube->az;
    cone.dx = tube->dx;
    cone.dy = tube->dy;
    cone.dz = tube->dz;
    cone.edge_m = tube->edge_m;
    cone.source_at = x * cone.dx + y * cone.dy + z * cone.dz;
    x -= cone.dx * cone.source_at;
    y -= cone.dy * cone.source_at;
    z -= cone.dz * cone.source_at;
    cone.source_off = rcity_sqrt(x * x + y * y + z * z);
    cone.has_tile = !rcity_event_is_edge(tube->event[tube->event_count - 1]);
    cone.frame = rcity_tile_frame_make(tile);
    x = cone.ax - tile.x;
    y = cone.ay - tile.y;
    z = cone.az - tile.z;
    cone.depth = -(x * tile.nx + y * tile.ny + z * tile.nz);
    cone.u = x * tile.ux + y * tile.uy + z * tile.uz;
    cone.v = x * cone.frame.vx + y * cone.frame.vy + z * cone.frame.vz;
    cone.depth_per_m = -(cone.dx * tile.nx + cone.dy * tile.ny + cone.dz * tile.nz);
    cone.u_per_m = cone.dx * tile.ux + cone.dy * tile.uy + cone.dz * tile.uz;
    cone.v_per_m = cone.dx * cone.frame.vx + cone.dy * cone.frame.vy + cone.dz * cone.frame.vz;
    return cone;
}

/* Where a ray to a place meets the edge, times `*both`. */
RCITY_KERNEL float rcity_tile_cone_meet(const rcity_tile_cone *cone, float px, float py, float pz, float *both)
{
    float x = px - cone->ax;
    float y = py - cone->ay;
    float z = pz - cone->az;
    float at = x * cone->dx + y * cone->dy + z * cone->dz;
    x -= cone->dx * at;
    y -= cone->dy * at;
    z -= cone->dz * at;
    float off = rcity_sqrt(x * x + y * y + z * z);
    *both = cone->source_off + off;
    return cone->source_at * off + at * cone->source_off;
}

/* Does a tube that ends at its edge reach a place? No branches, as below. */
RCITY_KERNEL int rcity_tile_cone_reaches(const rcity_tile_cone *cone, float px, float py, float pz)
{
    float both;
    float meet = rcity_tile_cone_meet(cone, px, py, pz, &both);
    return (meet >= 0.0f) & (meet < cone->edge_m * both);
}

/* And one that is reflected off a tile after the edge: the ray passes the tile, wherever it meets the edge's line (see
   rcity_tube_reaches()). */
RCITY_KERNEL int rcity_tile_cone_passes(const rcity_tile_cone *cone, float px, float py, float pz)
{
    const rcity_tile_frame *frame = &cone->frame;
    float both;
    float meet = rcity_tile_cone_meet(cone, px, py, pz, &both);
    float at = meet / (both > 0.0f ? both : 1.0f);
    float behind = cone->depth + cone->depth_per_m * at;
    float from_u = cone->u + cone->u_per_m * at;
    float from_v = cone->v + cone->v_per_m * at;
    float x = px - frame->cx;
    float y = py - frame->cy;
    float z = pz - frame->cz;
    float before = x * frame->nx + y * frame->ny + z * frame->nz;
    float u = (x * frame->ux + y * frame->uy + z * frame->uz) * behind + from_u * before;
    float v = (x * frame->vx + y * frame->vy + z * frame->vz) * behind + from_v * before;
    float most_u = frame->half_u * (behind + before);
    float most_v = frame->half_v * (behind + before);
    return (behind > 0.0f) & (before > 0.0f) & (u >= -most_u) & (u < most_u) & (v >= -most_v) & (v < most_v);
}

/* Which places a tube reaches: through the window of its last tile, over its last edge, or both. */
typedef struct rcity_tile_aim {
    rcity_i32 is_window;      /* no edge was met */
    rcity_tile_window window; /* then */
    rcity_tile_cone cone;     /* else */
} rcity_tile_aim;

/* `tile` is that of the last event, or any where that is an edge. */
RCITY_KERNEL rcity_tile_aim rcity_tile_aim_make(const rcity_tube *tube, rcity_tile tile)
{
    rcity_tile_aim aim;
    aim.is_window = tube->edge_count == 0;
    aim.window = rcity_tile_window_make(tile, tube->sx, tube->sy, tube->sz);
    aim.cone = rcity_tile_cone_make(tube, tile);
    return aim;
}

RCITY_KERNEL int rcity_tile_aim_reaches(const rcity_tile_aim *aim, float px, float py, float pz)
{
    return aim->is_window       ? rcity_tile_window_passes(&aim->window, px, py, pz)
           : aim->cone.has_tile ? rcity_tile_cone_passes(&aim->cone, px, py, pz)
                                : rcity_tile_cone_reaches(&aim->cone, px, py, pz);
}

#endif
