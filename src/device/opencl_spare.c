/* Memory of an OpenCL device that residents have left, for the next ones: a driver takes as long to find room for a large
   block, and to give it back, as a kernel needs to fill it. */
#include "device/opencl_device.h"

#define FITS_WITHIN  2                  /* a block this many times too large is not taken */
#define SMALL_BYTES  ((size_t)64 << 10) /* smaller ones are as good as each other */
#define MEMORY_SHARE 8                  /* of the device's memory lies idle at most */

/* Remove one from the list, in which the oldest stays first. */
static cl_mem unlist(rcity_opencl_device *state, int index)
{
    cl_mem memory = state->spares[index].memory;
    state->spare_bytes -= state->spares[index].bytes;
    state->spare_count--;
    for (int i = index; i < state->spare_count; i++) {
        state->spares[i] = state->spares[i + 1];
    }
    return memory;
}

cl_mem rcity_opencl_take_spare(rcity_opencl_device *state, size_t bytes, size_t *found_bytes)
{
    size_t most = bytes > SMALL_BYTES ? FITS_WITHIN * bytes : FITS_WITHIN * SMALL_BYTES;
    int best = -1;
    for (int i = 0; i < state->spare_count; i++) {
        size_t own = state->spares[i].bytes;
        if (own >= bytes && own <= most && (best < 0 || own < state->spares[best].bytes)) {
            best = i;
        }
    }
    if (best < 0) {
        return NULL;
    }
    *found_bytes = state->spares[best].bytes;
    return unlist(state, best);
}

void rcity_opencl_give_spare(const rcity_device *device, cl_mem memory, size_t bytes)
{
    rcity_opencl_device *state = device->state;
    uint64_t most = device->info.memory_bytes / MEMORY_SHARE;
    if (bytes > most) {
        state->cl.clReleaseMemObject(memory);
        return;
    }
    while (state->spare_count == RCITY_OPENCL_SPARE_COUNT ||
           (state->spare_count > 0 && state->spare_bytes + bytes > most)) {
        state->cl.clReleaseMemObject(unlist(state, 0));
    }
    state->spares[state->spare_count++] = (rcity_opencl_spare){memory, bytes};
    state->spare_bytes += bytes;
}

void rcity_opencl_drop_spares(rcity_opencl_device *state)
{
    while (state->spare_count > 0) {
        state->cl.clReleaseMemObject(unlist(state, state->spare_count - 1));
    }
}
