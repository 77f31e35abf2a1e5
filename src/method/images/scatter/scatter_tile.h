/* Tiles of surfaces and what one scatters, in double precision: define RCITY_REAL_IS_DOUBLE before including it. */
#ifndef RCITY_METHOD_IMAGES_SCATTER_SCATTER_TILE_H
#define RCITY_METHOD_IMAGES_SCATTER_SCATTER_TILE_H

#include "kernel/wave/polarization.h"
#include "kernel/wave/roughness.h"
#include "method/images/scatter/scatter_patches.h"

#define RCITY_SCATTER_STACK_MAX  64   /* each division leaves one tile behind; 2 log2(100 km / 0.1 m) of them */
#define RCITY_SCATTER_IN_FRONT_M 1e-6 /* an antenna nearer to a plane than this, or behind it, does not see it */

/* A rectangle: its corner and its two sides. */
typedef struct rcity_scatter_tile {
    rcity_real3 corner, side_u, side_v;
} rcity_scatter_tile;

/* The antenna that sees tiles straight: the receiver, or the transmitter where its surroundings scatter. */
typedef struct rcity_scatter_link {
    const rcity_path_checker *checker;
    const rcity_scatter_options *options;
    const rcity_path_ends *ends;
    rcity_roughness rough;
    rcity_real3 antenna;
    rcity_grid_point3 antenna_snapped;
} rcity_scatter_link;

rcity_scatter_link rcity_scatter_link_make(const rcity_path_checker *checker, const rcity_scatter_options *options,
                                           const rcity_path_ends *ends, rcity_place3 antenna);

/* A whole wall, or the box around a roof: of its tiles only those count that lie on the roof. */
rcity_scatter_tile rcity_scatter_surface(const rcity_facet_table *world, const rcity_mirror *mirror);

/* The rectangle of a patch. */
rcity_scatter_tile rcity_scatter_patch_tile(const rcity_scatter_patch *patch);

/* The point at these shares of both sides. */
rcity_real3 rcity_scatter_tile_point(rcity_scatter_tile tile, double u, double v);

/* Put both halves of a tile onto a stack of RCITY_SCATTER_STACK_MAX, divided across its longer side, unless that is
   `largest_m` or less. */
bool rcity_scatter_divide(rcity_scatter_tile tile, double largest_m, rcity_scatter_tile *stack, int *count);

/* The scattered power at a metre over the incident power density, `in` and `out` directions of travel. */
double rcity_scatter_cross_m2(const rcity_scatter_link *link, const rcity_mirror *mirror, double area_m2,
                              rcity_real3 in, rcity_real3 out);

#endif
