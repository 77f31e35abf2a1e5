/* The directions in which rays leave edges, as tables: on the host's threads, or on a device that has double precision. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_DIRECTIONS_H
#define RCITY_METHOD_BEAMS_FAST_FAST_DIRECTIONS_H

#include "device/device.h"
#include "method/beams/fast/fast_tables.h"

/* Fill the directions and shares of tables. */
rcity_status rcity_fast_directions_fill(const rcity_beams_forest *forest, const rcity_facet_table *facets,
                                        rcity_fast_tables *tables);

/* What a device makes them from, and for. Zeroed, then all but the last two set; rcity_fast_directions_forget() in any
   case. */
typedef struct rcity_fast_directions {
    rcity_device *device;
    const rcity_resident *ways, *slopes;
    const rcity_resident *directions, *shares; /* with room for all */
    rcity_resident *own[4];                    /* until the kernels have run */
    void *memory[2];                           /* the same */
} rcity_fast_directions;

bool rcity_fast_directions_serves(const rcity_device *device);

/* Make them on the device: queued, so that what is in `made` stays until rcity_device_finish(). */
rcity_status rcity_fast_directions_send(const rcity_beams_forest *forest, const rcity_facet_table *facets,
                                        const rcity_fast_tables *tables, rcity_fast_directions *made);
void rcity_fast_directions_forget(rcity_context *context, rcity_fast_directions *made);

#endif
