/* Runs on an OpenCL device: what depends on the scene stays there, lists of rays are worked off level by level, in
   pieces that fit. The sums are the host's. */
#ifndef RCITY_METHOD_TILES_DEVICE_H
#define RCITY_METHOD_TILES_DEVICE_H

#include "device/device.h"
#include "kernel/tiles/tile_hit.h"
#include "method/tiles/senders/tile_senders.h"

/* Buffers. The first ones belong to the scene and its receivers, the others to a run; these are kept for the next. */
typedef enum rcity_tiles_buffer {
    RCITY_TILES_TILES,
    RCITY_TILES_EDGES,
    RCITY_TILES_EDGE_FIRST,
    RCITY_TILES_EDGE_OF,
    RCITY_TILES_CENTRES,
    RCITY_TILES_ROW_FIRST,
    RCITY_TILES_CHUNK_END,
    RCITY_TILES_COLUMN,
    RCITY_TILES_VIEW_FIRST,
    RCITY_TILES_VIEW_RECEIVER,
    RCITY_TILES_RECEIVERS_M,
    RCITY_TILES_PLACES,
    RCITY_TILES_SURFACE_ROWS,
    RCITY_TILES_RECEIVER_PLACES,
    RCITY_TILES_TILE_FACE,
    RCITY_TILES_EDGE_FACE,
    RCITY_TILES_SIGHT_RASTER, /* from here on: the sight structure, in the order of rcity_sight_array; that of
                                 prepared->first, borrowed */
    RCITY_TILES_SIGHT_LISTS,
    RCITY_TILES_SIGHT_WALLS,
    RCITY_TILES_SIGHT_DETAILS,
    RCITY_TILES_SIGHT_GROUND,
    RCITY_TILES_SCENE_COUNT,

    RCITY_TILES_FACES = RCITY_TILES_SCENE_COUNT,
    RCITY_TILES_ANTENNA,
    RCITY_TILES_TILE_SUMS,
    RCITY_TILES_RECEIVER_SUMS,
    RCITY_TILES_LIT,
    RCITY_TILES_GLOWS,
    RCITY_TILES_WHOLE,
    RCITY_TILES_COUNTS,
    RCITY_TILES_OVER_LIST,
    RCITY_TILES_OVER_PATHS,
    RCITY_TILES_EFFORT,
    RCITY_TILES_FREE_LEGS,
    RCITY_TILES_DEFERRED,
    RCITY_TILES_GATHERED,
    RCITY_TILES_LEVELS, /* from here on: those of each level */

    RCITY_TILES_TUBES = RCITY_TILES_LEVELS,
    RCITY_TILES_HITS = RCITY_TILES_TUBES + RCITY_TUBE_EVENT_MAX + 2,
    RCITY_TILES_ECHOES = RCITY_TILES_HITS + RCITY_TUBE_EVENT_MAX + 1,
    RCITY_TILES_ECHO_HITS = RCITY_TILES_ECHOES + RCITY_TUBE_EVENT_MAX + 2,
    RCITY_TILES_BUFFER_COUNT = RCITY_TILES_ECHO_HITS + RCITY_TUBE_EVENT_MAX + 1
} rcity_tiles_buffer;

typedef struct rcity_tiles_device {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;
    const rcity_tiles_prepared *prepared;
    float *centres; /* x, y, z, 0 of each tile */
    rcity_resident *resident[RCITY_TILES_BUFFER_COUNT];
    size_t element_bytes[RCITY_TILES_BUFFER_COUNT];
    int64_t tube_room, hit_room; /* of each level; a level's tubes make at most as many new ones as they have room */
} rcity_tiles_device;

/* Send a scene to the job's device. `*device` stays NULL where the host does the work: the device is the host, cannot
   add 64-bit numbers, or has no room; the log says so. @return RCITY_ERR_NO_DEVICE, RCITY_ERR_MEMORY of the host. */
rcity_status rcity_tiles_device_open(const rcity_job *job, const rcity_tiles_prepared *prepared,
                                     rcity_tiles_device **device);
void rcity_tiles_device_close(rcity_tiles_device **device);

/* Has it room for what a run writes, in its largest buffer? */
bool rcity_tiles_device_holds(const rcity_tiles_device *device, const rcity_tiles_run *run);

/* Bounce, scatter, and copy the sums to the run. @return as rcity_device_run(). */
rcity_status rcity_tiles_device_run(rcity_tiles_device *device, rcity_tiles_run *run);

/* A kernel, and the buffers that it takes. */
typedef struct rcity_tiles_kernel {
    const char *name, *source;
    size_t job_bytes, group_items; /* as those of rcity_kernel */
    int buffer_count;
    rcity_tiles_buffer buffer[RCITY_KERNEL_BUFFER_MAX];
} rcity_tiles_kernel;

/* Queue a kernel over items. Of buffers that each level has it takes those of `level`; one more than the first of them
   is that of the next level. */
rcity_status rcity_tiles_device_launch(rcity_tiles_device *device, rcity_context *context,
                                       const rcity_tiles_kernel *kernel, const void *job, int64_t item_count, int level,
                                       size_t local_bytes);

/* Room for `count` elements in a buffer of a run. */
rcity_status rcity_tiles_device_reserve(rcity_tiles_device *device, rcity_context *context, rcity_tiles_buffer buffer,
                                        int64_t count, size_t element_bytes);

/* Set elements to 0. */
rcity_status rcity_tiles_device_clear(rcity_tiles_device *device, rcity_context *context, rcity_tiles_buffer buffer,
                                      int64_t count, size_t element_bytes);

/* Set the counters of a piece to 0; wait, and read one. */
rcity_status rcity_tiles_device_count_anew(rcity_tiles_device *device, rcity_context *context);
rcity_status rcity_tiles_device_get_count(rcity_tiles_device *device, rcity_context *context, int counter,
                                          int64_t *count);

/* Which rays of a piece have free legs, `count` of them from `first` on: bytes in RCITY_TILES_FREE_LEGS. */
rcity_status rcity_tiles_device_reserve_legs(rcity_tiles_device *device, rcity_context *context);
rcity_status rcity_tiles_device_test_legs(rcity_tiles_device *device, rcity_tiles_run *run, int level, int64_t first,
                                          int64_t count);

/* A piece of a scene's work. */
rcity_tile_piece rcity_tiles_device_piece(const rcity_tiles_device *device, int64_t first);

/* Reflections and diffractions; paths over roofs; then scattering. The sums on the device grow. */
rcity_status rcity_tiles_device_bounce(rcity_tiles_device *device, rcity_tiles_run *run);
rcity_status rcity_tiles_device_go_over_roofs(rcity_tiles_device *device, rcity_tiles_run *run);
rcity_status rcity_tiles_device_glow(rcity_tiles_device *device, rcity_tiles_run *run);

/* What tiles would scatter now: a list on the host. */
rcity_status rcity_tiles_device_list_senders(rcity_tiles_device *device, rcity_tiles_run *run,
                                             rcity_tile_senders *senders);

#endif
