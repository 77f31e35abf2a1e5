/* Scattering at either end of other paths: walls and roofs near a receiver scatter to it what reaches them reflected,
   diffracted or over roofs, and those near the transmitter scatter what reaches receivers on such paths. */
#ifndef RCITY_METHOD_IMAGES_SCATTER_SCATTER_NEAR_H
#define RCITY_METHOD_IMAGES_SCATTER_SCATTER_NEAR_H

#include "method/images/scatter/scatter_patches.h"

/* Add what the patches near a receiver scatter to it: each lit by paths from the transmitter. */
void rcity_scatter_add_after(const rcity_path_checker *checker, const rcity_scatter_options *options,
                             const rcity_path_ends *ends, const rcity_scatter_patches *patches, rcity_place3 rx,
                             rcity_scatter_sum *sum);

/* Add what one patch near the transmitter scatters into the paths to a receiver, which are the patch's arrivals, found
   from the receiver. */
void rcity_scatter_add_before(const rcity_path_checker *checker, const rcity_scatter_options *options,
                              const rcity_path_ends *ends, const rcity_scatter_patch *patch, rcity_place3 tx,
                              rcity_scatter_sum *sum);

#endif
