/* A tile as a window: which places the wave of a point reaches through it. Reflection turns a tile into such a window
   for the source behind it; the test is the back-projection of J. S. Lu et al. 2019, section III.C, as linear forms. */
#ifndef RCITY_KERNEL_TILES_TILE_WINDOW_H
#define RCITY_KERNEL_TILES_TILE_WINDOW_H

#include "kernel/tiles/tube.h"

typedef struct rcity_tile_window {
    float cx, cy, cz; /* the tile's centre */
    float nx, ny, nz; /* its normal */
    float ux, uy, uz; /* along its first side */
    float vx, vy, vz; /* along its second side */
    float behind;     /* metres of the source behind the plane, above 0; else no place is reached */
    float source_u;   /* where it stands along the sides, from the centre */
    float source_v;
    float half_u, half_v; /* of the sides */
} rcity_tile_window;

RCITY_KERNEL rcity_tile_window rcity_tile_window_make(rcity_tile tile, float sx, float sy, float sz)
{
    rcity_tile_window window;
    float x = sx - tile.x;
    float y = sy - tile.y;
    float z = sz - tile.z;
    window.cx = tile.x;
    window.cy = tile.y;
    window.cz = tile.z;
    window.nx = tile.nx;
    window.ny = tile.ny;
    window.nz = tile.nz;
    window.ux = tile.ux;
    window.uy = tile.uy;
    window.uz = tile.uz;
    window.vx = tile.ny * tile.uz - tile.nz * tile.uy;
    window.vy = tile.nz * tile.ux - tile.nx * tile.uz;
    window.vz = tile.nx * tile.uy - tile.ny * tile.ux;
    window.behind = -(x * tile.nx + y * tile.ny + z * tile.nz);
    window.source_u = x * tile.ux + y * tile.uy + z * tile.uz;
    window.source_v = x * window.vx + y * window.vy + z * window.vz;
    window.half_u = tile.half_u;
    window.half_v = tile.half_v;
    return window;
}

/* Does the straight line from the source to a place pass the window? Of two tiles side by side exactly one is passed.
   No branches: hosts test several places at once. */
RCITY_KERNEL int rcity_tile_window_passes(const rcity_tile_window *window, float px, float py, float pz)
{
    float x = px - window->cx;
    float y = py - window->cy;
    float z = pz - window->cz;
    float before = x * window->nx + y * window->ny + z * window->nz;
    float u = (x * window->ux + y * window->uy + z * window->uz) * window->behind + window->source_u * before;
    float v = (x * window->vx + y * window->vy + z * window->vz) * window->behind + window->source_v * before;
    float whole = window->behind + before;
    float most_u = window->half_u * whole;
    float most_v = window->half_v * whole;
    return (window->behind > 0.0f) & (before > 0.0f) & (u >= -most_u) & (u < most_u) & (v >= -most_v) & (v < most_v);
}

#endif
