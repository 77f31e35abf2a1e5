/* Walls on the straight line: for one source and every pixel of a plane, how often the line passes between air and the
   inside of buildings through a wall, exactly `wall_count` of rcity_sight_measure_one(); and metres on request. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_RASTER_H
#define RCITY_VISIBILITY_WALLS_WALL_RASTER_H

#include "device/device.h"
#include "visibility/los/los_plane.h"

/* What a plane needs for any source. It serves one thread at a time. */
typedef struct rcity_walls rcity_walls;

/* Prepare a plane on a device; context, device and plane are borrowed until close. @return as
   rcity_resident_create(). */
rcity_status rcity_walls_open(rcity_context *context, rcity_device *device, const rcity_los_plane *plane,
                              rcity_walls **walls);
void rcity_walls_close(rcity_walls **walls);

/* Count the walls on the straight line to every pixel, row by row from the north; 0 for pixels whose bit in `visible`
   is set (a mask as from rcity_los_trace(); NULL for none). Pixels inside buildings are counted like all others.

   building_m, foliage_m: metres of the line inside buildings and inside vegetation, in single precision, 0 for visible
   pixels; or both NULL. On the host and without terrain, counts and metres in buildings come from added shadows; else
   each line is walked.

   The same values for any number of threads, the same counts on every device. @return as rcity_device_run(). */
rcity_status rcity_walls_trace(rcity_walls *walls, rcity_grid_point3 source, const uint64_t *visible, int32_t *count,
                               float *building_m, float *foliage_m);

/* Visible pixels on a device, in words of 32 bits; all NULL and 0 for none. */
typedef struct rcity_walls_visible {
    const rcity_resident *words;
    bool is_shared; /* one mask for all sources; else one each, one after the other */
} rcity_walls_visible;

/* The same for several sources, walking each line, queued. Visible pixels and results are on the device; the results
   are one rcity_wall_path per pixel, source by source. Metres in buildings are always filled, those in foliage where
   `has_foliage`. */
rcity_status rcity_walls_trace_on_device(rcity_walls *walls, int source_count, const rcity_grid_point3 *sources,
                                         rcity_walls_visible visible, bool has_foliage, rcity_resident *paths);

/* Queue, after other kernels: fetch which pixels the device deferred. */
rcity_status rcity_walls_fetch_from_device(rcity_walls *walls);

/* After rcity_device_finish(): decide the deferred pixels here and queue them for the results. Not again before the
   next rcity_device_finish(). */
rcity_status rcity_walls_decide_on_device(rcity_walls *walls, rcity_resident *paths);

/* The same, pixel by pixel with the exact measure. */
void rcity_walls_trace_plainly(const rcity_walls *walls, rcity_grid_point3 source, const uint64_t *visible,
                               int32_t *count, float *building_m, float *foliage_m);

/* Totals of all calls so far. */
typedef struct rcity_walls_effort {
    int64_t border_count;   /* borders drawn */
    int64_t asked_count;    /* pixels so near to a border that their line was walked */
    int64_t measured_count; /* the same for metres */
    int64_t close_count;    /* pixels that a device deferred to the host */
} rcity_walls_effort;

rcity_walls_effort rcity_walls_get_effort(const rcity_walls *walls);

#endif
