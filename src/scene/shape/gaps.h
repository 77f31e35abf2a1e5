/* Closing small gaps: corners within reach of another building are moved onto it. */
#ifndef RCITY_SCENE_GAPS_H
#define RCITY_SCENE_GAPS_H

#include "scene/shape/ring_clean.h"

/* Rings of all prisms in order; `ring_prism` is the prism of each ring. */
typedef struct rcity_prism_rings {
    rcity_outline outline;
    int32_t *ring_prism;
    size_t ring_prism_capacity;
} rcity_prism_rings;

/* Close gaps up to `reach` plan units between different prisms. Corners near another prism's corner move there; those
   near its wall move onto the wall, and the wall receives them as corners, so that both share their ends exactly.
   Corners of several prisms at one place move together. A corner inside the other prism has no gap to close and stays.
   A prism whose outline would become invalid keeps its corners. Moves are counted in the cleaner's repairs. */
rcity_status rcity_gaps_close(rcity_ring_cleaner *cleaner, rcity_prism_rings *rings, int32_t reach);

#endif
