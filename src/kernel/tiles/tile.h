/* A tile: a small rectangle of a wall, a roof or the ground, with one layout on host and devices. */
#ifndef RCITY_KERNEL_TILES_TILE_H
#define RCITY_KERNEL_TILES_TILE_H

#include "kernel/portable.h"

/* Metres of the local frame; z is scene height. The second side of the rectangle runs along normal x u. */
typedef struct rcity_tile {
    float x, y, z;        /* centre, on the surface */
    float nx, ny, nz;     /* normal, of length 1, into the air */
    float ux, uy, uz;     /* along the first side, of length 1; level on walls */
    float half_u, half_v; /* half of each side */
    rcity_i32 surface;    /* the mirror of the facet table that it is cut from; RCITY_TILE_TERRAIN for the terrain */
    float low_u, high_u, low_v, high_v; /* where its surface begins and ends along both sides, from the centre */
} rcity_tile;

/* Where a surface has no end. */
#define RCITY_TILE_ENDLESS_M 1e9f

/* Places so far beyond the end of a surface count as on it: more than rounding. */
#define RCITY_TILE_END_M 0.02f

#define RCITY_TILE_TERRAIN (-1)

/* The place that stands for a tile in tests of sight, on the scene's grid: its centre, RCITY_TILE_LIFT_M off the
   surface. */
typedef struct rcity_tile_place {
    rcity_i32 x, y, z; /* plan units, height units */
} rcity_tile_place;

/* Off the surface by more than the grid's rounding, so that a place is in the air and its own wall hides nothing. */
#define RCITY_TILE_LIFT_M 0.03125f

/* Places nearer to a tile's plane than this, or behind it, are not in front of it: those of its own wall are not. */
#define RCITY_TILE_FRONT_M 0.0625f

/* What decides whether a place is in front of a tile: its normal, scaled to metres per unit of the grid. A point in the
   air has no normal, and everything is in front of it. */
typedef struct rcity_tile_front {
    float nx, ny, nz;
    float all_m; /* 0; of points RCITY_TILE_ALL_M: added to the distance from the plane */
} rcity_tile_front;

#define RCITY_TILE_ALL_M 1.0f

RCITY_KERNEL rcity_tile_front rcity_tile_front_make(rcity_tile tile, float plan_unit_m, float height_unit_m)
{
    rcity_tile_front front;
    front.nx = tile.nx * plan_unit_m;
    front.ny = tile.ny * plan_unit_m;
    front.nz = tile.nz * height_unit_m;
    front.all_m = 0.0f;
    return front;
}

/* That of a point in the air. */
RCITY_KERNEL rcity_tile_front rcity_tile_front_all(void)
{
    rcity_tile_front front;
    front.nx = 0.0f;
    front.ny = 0.0f;
    front.nz = 0.0f;
    front.all_m = RCITY_TILE_ALL_M;
    return front;
}

/* Is `to` in front of the tile at `at`? Three products and three sums, each rounded by itself: the same on every device,
   and the differences of places are exact within 16 km. */
RCITY_KERNEL int rcity_tile_faces(rcity_tile_front front, rcity_tile_place at, rcity_tile_place to)
{
    float x = (float)(to.x - at.x) * front.nx;
    float y = (float)(to.y - at.y) * front.ny;
    float z = (float)(to.z - at.z) * front.nz;
    return x + y + z + front.all_m > RCITY_TILE_FRONT_M;
}

/* A piece of a diffracting edge, between two tiles. As rcity_facet_edge: face o is that of `tile_o`, phi counts from it
   through the air around the unit vector a -> b, and `in_o` points into it, away from the edge. */
typedef struct rcity_tile_edge {
    float ax, ay, az, bx, by, bz; /* its ends */
    float nox, noy, noz;          /* normal of face o, into the air */
    float iox, ioy, ioz;          /* unit vector in face o, away from the edge */
    float exterior_rad;           /* angle of the air */
    rcity_i32 tile_o, tile_n;     /* its parents: the tiles beside it on both faces; -1: that face has none */
    rcity_i32 facet; /* the edge of the facet table that it is cut from; RCITY_TILE_TERRAIN: a ridge of the terrain */
    float before_m, after_m; /* how far the whole edge goes on before a and after b */
} rcity_tile_edge;

#endif
