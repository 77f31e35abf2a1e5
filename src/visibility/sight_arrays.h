/* The arrays of a sight structure on a device, for every kernel that walks along lines: sent once, shared by launches. */
#ifndef RCITY_VISIBILITY_SIGHT_ARRAYS_H
#define RCITY_VISIBILITY_SIGHT_ARRAYS_H

#include "device/device.h"
#include "visibility/sight/sight_data.h"

/* In the order in which kernels take them. Those before the ground belong to buildings, or to trees. */
typedef enum rcity_sight_array {
    RCITY_SIGHT_ARRAY_RASTER,
    RCITY_SIGHT_ARRAY_LISTS,
    RCITY_SIGHT_ARRAY_WALLS,
    RCITY_SIGHT_ARRAY_DETAILS,
    RCITY_SIGHT_ARRAY_GROUND,
    RCITY_SIGHT_ARRAY_COUNT
} rcity_sight_array;

/* Their buffers in an rcity_kernel: those of buildings, and all. */
#define RCITY_SIGHT_BUILDING_BUFFERS                                                                                   \
    {RCITY_BUFFER_SHARED_IN, sizeof(uint8_t)}, {RCITY_BUFFER_SHARED_IN, sizeof(uint32_t)},                             \
        {RCITY_BUFFER_SHARED_IN, sizeof(rcity_sight_wall)},                                                            \
    {                                                                                                                  \
        RCITY_BUFFER_SHARED_IN, sizeof(int32_t)                                                                        \
    }
#define RCITY_SIGHT_BUFFERS                                                                                            \
    RCITY_SIGHT_BUILDING_BUFFERS,                                                                                      \
    {                                                                                                                  \
        RCITY_BUFFER_SHARED_IN, sizeof(int32_t)                                                                        \
    }

/* Bytes of an element. */
size_t rcity_sight_array_bytes(rcity_sight_array array);

/* Send the first `count` arrays to a device, into resident[0] and those after it; on the host they are borrowed. After
   a failure those that were sent are there too: the caller destroys them. @return as rcity_resident_create(). */
rcity_status rcity_sight_arrays_send(rcity_context *context, rcity_device *device, const rcity_sight *sight, int count,
                                     rcity_resident **resident);

/* What walks on the host read, from the buffers of a launch that hold all arrays. */
rcity_sight_view rcity_sight_arrays_view(rcity_sight_map map, const rcity_launch_buffer *buffers);

#endif
