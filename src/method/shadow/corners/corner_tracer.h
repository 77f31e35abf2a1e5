/* Paths around corners into streets: from the source to a corner that it sees, on to what the corner sees and the
   source does not, and so on (Rick and Kuhlen, section 5.3). */
#ifndef RCITY_METHOD_SHADOW_CORNERS_CORNER_TRACER_H
#define RCITY_METHOD_SHADOW_CORNERS_CORNER_TRACER_H

#include "method/shadow/corners/corner_chains.h"
#include "visibility/los/los_raster.h"

void rcity_corner_paths_deinit(rcity_context *context, rcity_corner_paths *corner_paths);

/* What the trace of every source of a plane needs; one trace at a time. */
typedef struct rcity_corner_tracer {
    const rcity_los_plane *plane;
    rcity_corner_table corners;
    struct rcity_low_corners *low; /* for sources below the receivers; NULL until there is one */
    int32_t *view_of;              /* of each corner, while a source is traced; otherwise -1 */
    rcity_los_worker *workers;     /* one per thread */
    uint64_t *masks;               /* of corners, reused between traces */
    size_t mask_capacity;
} rcity_corner_tracer;

rcity_status rcity_corner_tracer_init(rcity_context *context, const rcity_los_plane *plane,
                                      rcity_corner_tracer *tracer);
void rcity_corner_tracer_deinit(rcity_context *context, rcity_corner_tracer *tracer);

/* Traces a source, to `max-corners` corners. `visible` gets what the source itself sees. Threads share the work; the
   result does not depend on their number. */
rcity_status rcity_corner_tracer_trace(rcity_context *context, rcity_corner_tracer *tracer, rcity_grid_point3 source,
                                       int order, uint64_t *visible, rcity_corner_paths *corner_paths);

#endif
