/* Patches of walls and roofs: rectangles small enough that the paths which reach one place of a patch reach all of it.
   One antenna sees a patch straight; to the other lead reflected, diffracted or over-roof paths, found once for the
   patch's place. */
#ifndef RCITY_METHOD_IMAGES_SCATTER_SCATTER_PATCHES_H
#define RCITY_METHOD_IMAGES_SCATTER_SCATTER_PATCHES_H

#include <stdatomic.h>

#include "method/images/images_kept.h"
#include "method/images/scatter/scatter.h"

#define RCITY_SCATTER_ARRIVAL_MAX 24 /* of a patch; what weaker ones bring is added to the strongest */

/* A path that reaches a patch, with the antenna at its other end. */
typedef struct rcity_scatter_arrival {
    rcity_place3 travel;         /* unit vector, towards the patch */
    double theta_gain, phi_gain; /* powers that isotropic antennas would receive at the patch */
    double isotropic_factor;     /* power without the antenna's gain over power with it */
} rcity_scatter_arrival;

/* A rectangle of a wall, or of the box around a roof. */
typedef struct rcity_scatter_patch {
    int32_t mirror;
    rcity_place3 corner, side_u, side_v;
    rcity_place3 place; /* where paths to it end, a little off the surface */
    bool is_lit;        /* its arrivals are known */
    int arrival_count;
    rcity_scatter_arrival *arrivals;
} rcity_scatter_patch;

/* The patches of all walls and roofs, in the order of the mirrors. */
typedef struct rcity_scatter_patches {
    int64_t count;
    rcity_scatter_patch *patches;
    int64_t *first;          /* of each mirror, and one entry more */
    atomic_uchar *is_wanted; /* for each patch: an antenna of the current group needs it */
} rcity_scatter_patches;

rcity_status rcity_scatter_patches_init(rcity_context *context, const rcity_path_checker *checker, double patch_m,
                                        rcity_scatter_patches *patches);
void rcity_scatter_patches_deinit(rcity_context *context, rcity_scatter_patches *patches);

/* The patches that an antenna at a place sees near it, one after the other. Start with -1.
   @return the next patch, or the number of all. */
int64_t rcity_scatter_next_near(const rcity_path_checker *checker, const rcity_scatter_options *options,
                                const rcity_scatter_patches *patches, rcity_place3 antenna, int64_t patch);

/* Is a place on a surface free of other buildings, and does an antenna see it? `from` is the snapped antenna. */
bool rcity_scatter_sees(const rcity_path_checker *checker, const rcity_mirror *mirror, rcity_grid_point3 from,
                        rcity_place3 place);

/* The antenna from which paths to patches start. */
typedef enum rcity_scatter_source {
    RCITY_SCATTER_FROM_TRANSMITTER,
    RCITY_SCATTER_FROM_RECEIVER, /* the paths are the same both ways, but were found from the receiver */
} rcity_scatter_source;

/* Replace the arrivals of a patch by the paths found to its place. The direct ray is left out (rcity_scatter_add() has
   it), and so are rays off the surface itself. */
rcity_status rcity_scatter_light(rcity_context *context, const rcity_facet_table *world, const rcity_path_ends *ends,
                                 rcity_scatter_source source, const rcity_found_paths *found,
                                 rcity_scatter_patch *patch);

#endif
