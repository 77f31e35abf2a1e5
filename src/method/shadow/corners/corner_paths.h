/* Paths around corners to the pixels of a raster, from what the corners of chains see. */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_PATHS_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_PATHS_H

#include "method/shadow/corners/corner_chains.h"

/* What a chain's last corner sees, and the corner before it: masks as from rcity_los_trace(); NULL: the source comes
   before. */
typedef struct rcity_corner_sight {
    const uint64_t *last, *before;
} rcity_corner_sight;

/* Makes the paths of all chains, whose masks are `sights`: to what the last corner sees, but neither the source
   (`visible`) nor the corner before. Pixel by pixel, those of a pixel in the order of chains. The result does not
   depend on the number of threads. */
rcity_status rcity_corner_paths_make(rcity_context *context, const rcity_los_plane *plane, rcity_grid_point3 source,
                                     const uint64_t *visible, const rcity_corner_sight *sights,
                                     rcity_corner_paths *corner_paths);

#endif
