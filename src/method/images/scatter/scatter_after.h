/* Scattering at the end of other paths: walls near a receiver scatter to it what reaches them reflected, diffracted or
   over roofs. Walls are divided into patches; the paths to the centre of a patch light all of it, and serve all
   receivers near it. */
#ifndef RCITY_METHOD_IMAGES_SCATTER_SCATTER_AFTER_H
#define RCITY_METHOD_IMAGES_SCATTER_SCATTER_AFTER_H

#include <stdatomic.h>

#include "method/images/images_kept.h"
#include "method/images/scatter/scatter.h"

#define RCITY_SCATTER_ARRIVAL_MAX 24 /* of a patch; the power of weaker ones is added to the strongest */

/* A path that lights a patch, with the transmitter's antenna. */
typedef struct rcity_scatter_arrival {
    rcity_place3 travel;         /* unit vector */
    double theta_gain, phi_gain; /* powers that isotropic antennas would receive at the patch */
    double isotropic_factor;     /* power without the transmitter's gain over power with it */
} rcity_scatter_arrival;

/* A rectangle of a wall. */
typedef struct rcity_scatter_patch {
    int32_t wall;
    double from, to; /* shares of the wall's length */
    double bottom, top;
    bool is_lit; /* its arrivals are known */
    int arrival_count;
    rcity_scatter_arrival *arrivals;
} rcity_scatter_patch;

/* The patches of all walls, in their order. */
typedef struct rcity_scatter_patches {
    int64_t count;
    rcity_scatter_patch *patches;
    int64_t *first;          /* of each wall, and one entry more */
    atomic_uchar *is_wanted; /* for each patch: a receiver of the group needs it */
} rcity_scatter_patches;

rcity_status rcity_scatter_patches_init(rcity_context *context, const rcity_facet_table *world, double patch_m,
                                        rcity_scatter_patches *patches);
void rcity_scatter_patches_deinit(rcity_context *context, rcity_scatter_patches *patches);

/* Want the patches that a receiver needs. Safe in several threads. */
void rcity_scatter_want(const rcity_path_checker *checker, const rcity_scatter_options *options,
                        rcity_scatter_patches *patches, rcity_place3 rx);

/* The place at which the paths to a patch are found. */
rcity_place3 rcity_scatter_patch_place(const rcity_facet_table *world, const rcity_scatter_patch *patch);

/* Light a patch by the paths found to its place. The direct ray is left out (rcity_scatter_add() has it), and so are
   rays off the wall itself. */
rcity_status rcity_scatter_light(rcity_context *context, const rcity_facet_table *world, const rcity_path_ends *ends,
                                 const rcity_found_paths *found, rcity_scatter_patch *patch);

/* Add what lit patches scatter to a receiver. */
void rcity_scatter_add_after(const rcity_path_checker *checker, const rcity_scatter_options *options,
                             const rcity_path_ends *ends, const rcity_scatter_patches *patches, rcity_place3 rx,
                             rcity_scatter_sum *sum);

#endif
