/* The ends of all beams as areas of a raster, for devices that find out which cells they hold. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_AREAS_H
#define RCITY_METHOD_BEAMS_FAST_FAST_AREAS_H

#include "kernel/beams/beam_area.h"
#include "method/beams/fast/fast_plane.h"

typedef struct rcity_fast_areas {
    rcity_beam_area *areas;
    rcity_beams_way_end *ends; /* the part of each, in the order of trees, nodes and parts */
    int64_t count;             /* those that hold no place of the raster included */
} rcity_fast_areas;

/* Of all parts. */
rcity_status rcity_fast_areas_init(const rcity_fast_plane *plane, rcity_fast_areas *areas);
void rcity_fast_areas_deinit(rcity_context *context, rcity_fast_areas *areas);

#endif
