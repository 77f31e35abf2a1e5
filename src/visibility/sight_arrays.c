#include "visibility/sight_arrays.h"

#include <assert.h>

static const size_t array_bytes[RCITY_SIGHT_ARRAY_COUNT] = {
    [RCITY_SIGHT_ARRAY_RASTER] = sizeof(uint8_t),         [RCITY_SIGHT_ARRAY_LISTS] = sizeof(uint32_t),
    [RCITY_SIGHT_ARRAY_WALLS] = sizeof(rcity_sight_wall), [RCITY_SIGHT_ARRAY_DETAILS] = sizeof(int32_t),
    [RCITY_SIGHT_ARRAY_GROUND] = sizeof(int32_t),
};

size_t rcity_sight_array_bytes(rcity_sight_array array)
{
    return array_bytes[array];
}

rcity_status rcity_sight_arrays_send(rcity_context *context, rcity_device *device, const rcity_sight *sight, int count,
                                     rcity_resident **resident)
{
    const struct {
        const void *data;
        int64_t count;
    } sent[RCITY_SIGHT_ARRAY_COUNT] = {
        [RCITY_SIGHT_ARRAY_RASTER] = {sight->raster, sight->raster_count},
        [RCITY_SIGHT_ARRAY_LISTS] = {sight->lists, sight->list_count},
        [RCITY_SIGHT_ARRAY_WALLS] = {sight->walls, sight->wall_count},
        [RCITY_SIGHT_ARRAY_DETAILS] = {sight->details, sight->detail_count},
        [RCITY_SIGHT_ARRAY_GROUND] = {sight->ground, sight->ground_count},
    };
    assert(count <= RCITY_SIGHT_ARRAY_COUNT);
    for (int i = 0; i < count; i++) {
        RCITY_TRY(rcity_resident_create(context, device, sent[i].data, sent[i].count, array_bytes[i],
                                        "the sight structure", &resident[i]));
    }
    return RCITY_OK;
}

rcity_sight_view rcity_sight_arrays_view(rcity_sight_map map, const rcity_launch_buffer *buffers)
{
    rcity_sight_view view =
        rcity_sight_view_make(map, buffers[RCITY_SIGHT_ARRAY_RASTER].in, buffers[RCITY_SIGHT_ARRAY_LISTS].in,
                              buffers[RCITY_SIGHT_ARRAY_WALLS].in, buffers[RCITY_SIGHT_ARRAY_DETAILS].in,
                              buffers[RCITY_SIGHT_ARRAY_GROUND].in);
    return view;
}
