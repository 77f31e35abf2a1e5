/* Do the legs of a path run through air? A tube was followed through the centres of tiles, and the path to a place runs
   beside them: a corner that the centres clear may block it. */
#ifndef RCITY_KERNEL_TILES_TILE_LEGS_H
#define RCITY_KERNEL_TILES_TILE_LEGS_H

#include "kernel/tiles/tile_path.h"
#include "kernel/tiles/tile_segment.h"
#include "kernel/visibility/sight/sight_walk.h"

/* Points on walls and edges are moved off them by more than rounding to the grid and single precision move a point; not
   by a half, so that walls along the axes leave no choice of rounding. */
#define RCITY_TILE_LEG_OFF_UNITS RCITY_REAL(1.6)

/* The scene's grid. Numbers only. */
typedef struct rcity_tile_snap {
    float plan_units_per_m, height_units_per_m;
} rcity_tile_snap;

RCITY_KERNEL rcity_i32 rcity_tile_snap_round(rcity_real value)
{
    return (rcity_i32)rcity_real_floor(value + RCITY_REAL(0.5));
}

/* What moves a point of an event into the air, in plan. Roofs and the ground do not: a line is free at their height. */
RCITY_KERNEL rcity_real3 rcity_tile_event_outward(rcity_tile_world world, rcity_i32 event)
{
    rcity_real3 outward = rcity_real3_make(RCITY_REAL(0.0), RCITY_REAL(0.0), RCITY_REAL(0.0));
    if (rcity_event_is_edge(event)) {
        rcity_tile_edge edge = world.edges[~event];
        if (edge.facet != RCITY_TILE_TERRAIN) { /* halfway through the air around the edge */
            rcity_real half_rad = RCITY_REAL(0.5) * (rcity_real)edge.exterior_rad;
            rcity_real along = rcity_real_cos(half_rad);
            rcity_real off = rcity_real_sin(half_rad);
            outward.x = along * (rcity_real)edge.iox + off * (rcity_real)edge.nox;
            outward.y = along * (rcity_real)edge.ioy + off * (rcity_real)edge.noy;
            outward = rcity_real3_unit(outward);
        }
    } else {
        rcity_tile tile = world.tiles[event];
        if (rcity_fabs(tile.nz) < 0.5f) {
            outward.x = (rcity_real)tile.nx;
            outward.y = (rcity_real)tile.ny;
        }
    }
    return outward;
}

/* Does an event lie on the terrain, whose tiles and ridges are only near it? */
RCITY_KERNEL int rcity_tile_event_is_terrain(rcity_tile_world world, rcity_i32 event)
{
    return rcity_event_is_edge(event) ? world.edges[~event].facet == RCITY_TILE_TERRAIN
                                      : world.tiles[event].surface == RCITY_TILE_TERRAIN;
}

/* The point of event `i` on the scene's grid, in the air. */
RCITY_KERNEL rcity_tile_place rcity_tile_leg_place(rcity_tile_world world, const rcity_sight_view *view,
                                                   rcity_tile_snap snap, const rcity_tube *tube,
                                                   const rcity_tile_path *path, rcity_i32 i)
{
    rcity_i32 event = tube->event[i];
    rcity_real3 outward = rcity_tile_event_outward(world, event);
    rcity_real3 point = path->point[i + 1];
    rcity_tile_place place;
    rcity_i32 ground;
    place.x = rcity_tile_snap_round(point.x * (rcity_real)snap.plan_units_per_m + RCITY_TILE_LEG_OFF_UNITS * outward.x);
    place.y = rcity_tile_snap_round(point.y * (rcity_real)snap.plan_units_per_m + RCITY_TILE_LEG_OFF_UNITS * outward.y);
    place.z = rcity_tile_snap_round(point.z * (rcity_real)snap.height_units_per_m);
    if (rcity_sight_ground_height(view, place.x, place.y, &ground) && place.z < ground &&
        (ground - place.z <= 1 || rcity_tile_event_is_terrain(world, event))) {
        place.z = ground;
    }
    return place;
}

/* All legs of a path between two places, the last one first: it is the one that centres of tiles say least of. A leg
   that only the host can decide counts where no other is blocked. */
RCITY_KERNEL rcity_sight_answer rcity_tile_legs_test(rcity_tile_world world, const rcity_sight_view *view,
                                                     rcity_tile_snap snap, const rcity_tube *tube,
                                                     const rcity_tile_path *path, rcity_tile_place tx,
                                                     rcity_tile_place to)
{
    rcity_sight_answer all = RCITY_SIGHT_FREE;
    rcity_tile_place end = to;
    for (rcity_i32 i = path->event_count - 1; i >= -1 && all != RCITY_SIGHT_BLOCKED; i--) {
        rcity_tile_place begin = i >= 0 ? rcity_tile_leg_place(world, view, snap, tube, path, i) : tx;
        rcity_sight_answer one = rcity_sight_test(view, rcity_tile_segment(begin, end));
        all = one == RCITY_SIGHT_FREE ? all : one;
        end = begin;
    }
    return all;
}

#endif
