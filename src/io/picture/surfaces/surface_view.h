/* Where things in space lie in a picture in parallel projection. Needs no Cairo. */
#ifndef RCITY_IO_SURFACE_VIEW_H
#define RCITY_IO_SURFACE_VIEW_H

#include <stdbool.h>

#include "radiocity/surfaces.h"

/* A view: three directions of length 1 in space, at right angles. Places are in metres from the origin, along `right`
   and `up` in the plane of the picture, and along `toward`, to the viewer. */
typedef struct rcity_surface_view {
    rcity_point origin;
    double axes[3][3]; /* right, up, toward */
} rcity_surface_view;

/* Seen from `azimuth_deg`, clockwise from the y axis, and `elevation_deg` above the horizon. */
rcity_surface_view rcity_surface_view_make(rcity_point origin, double azimuth_deg, double elevation_deg);

/* A direction, and a place, of space in the view. */
void rcity_surface_view_turn(const rcity_surface_view *view, const double direction[3], double turned[3]);
void rcity_surface_view_place(const rcity_surface_view *view, const rcity_point *place, double placed_m[3]);

/* A tile in the view: its centre and half of both sides. */
typedef struct rcity_viewed_tile {
    double centre_m[3], first_m[3], second_m[3];
    double area; /* of the parallelogram of the halves in the plane of the picture; signed */
} rcity_viewed_tile;

/* @return false for a tile that faces away or is seen edge-on. */
bool rcity_surface_view_tile(const rcity_surface_view *view, const rcity_surface_tile *tile, rcity_viewed_tile *viewed);

/* Make both sides `factor` times as long. */
void rcity_viewed_tile_grow(rcity_viewed_tile *viewed, double factor);

/* Farthest from the centre, to the right or left, and up or down. */
double rcity_viewed_tile_reach(const rcity_viewed_tile *viewed, int axis);

/* The distance to the viewer of the point of a tile that is seen at a place of the picture. @return false where the
   tile is not. */
bool rcity_viewed_tile_depth(const rcity_viewed_tile *viewed, double right_m, double up_m, double *depth_m);

#endif
