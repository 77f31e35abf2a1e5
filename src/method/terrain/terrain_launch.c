/* The kernels over terrain on the host and on devices. The host's threads have one profile each, on their stack; on a
   device each item of a launch has one, so receivers go there in pieces. */
#include "method/terrain/terrain_launch.h"

#include <string.h>

#include "embedded/terrain_loss_cl.h"

/* Bytes for profiles on a device: enough items to fill a large one with profiles of 1000 points. */
#define ROOM_BYTES ((uint64_t)1 << 30)
#define SLOTS_MAX  ((int64_t)1 << 18)

/* Buffers of both kernels. */
enum {
    BUFFER_RX,
    BUFFER_GROUND,
    BUFFER_COVER,
    BUFFER_ROOM,
    BUFFER_LOSS,
    BUFFER_DIFFRACTION,
    BUFFER_VISIBLE,
    BUFFER_MECHANISM,
    BUFFER_COUNT
};

/* Memory for the profile of one thread. */
typedef struct host_room {
    float height_m[RCITY_GROUND_PROFILE_MAX];
    float cover_m[RCITY_GROUND_PROFILE_MAX];
} host_room;

static void store(const rcity_launch_buffer *buffers, int64_t i, rcity_terrain_answer answer)
{
    ((float *)buffers[BUFFER_LOSS].out)[i] = answer.loss_db;
    ((float *)buffers[BUFFER_DIFFRACTION].out)[i] = answer.diffraction_db;
    ((float *)buffers[BUFFER_VISIBLE].out)[i] = answer.is_visible;
    ((float *)buffers[BUFFER_MECHANISM].out)[i] = answer.mechanism;
}

static void run_cells(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_terrain_job numbers;
    host_room room;
    memcpy(&numbers, job, sizeof numbers);
    const float *z_m = buffers[BUFFER_RX].in;
    for (int64_t i = begin; i < end; i++) {
        store(buffers, i,
              rcity_terrain_answer_cell(&numbers, z_m[i], numbers.first_item + i, buffers[BUFFER_GROUND].in,
                                        buffers[BUFFER_COVER].in, room.height_m, room.cover_m, 1));
    }
}

static void run_points(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_terrain_job numbers;
    host_room room;
    memcpy(&numbers, job, sizeof numbers);
    const rcity_link_point *rx = buffers[BUFFER_RX].in;
    for (int64_t i = begin; i < end; i++) {
        store(buffers, i,
              rcity_terrain_answer_point(&numbers, rx[i], buffers[BUFFER_GROUND].in, buffers[BUFFER_COVER].in,
                                         room.height_m, room.cover_m, 1));
    }
}

#define TERRAIN_BUFFERS(rx_type)                                                                                       \
    .buffer_count = BUFFER_COUNT,                                                                                      \
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rx_type)}, {RCITY_BUFFER_SHARED_IN, sizeof(float)},                       \
               {RCITY_BUFFER_SHARED_IN, sizeof(float)}, {RCITY_BUFFER_ON_DEVICE, sizeof(float)},                       \
               {RCITY_BUFFER_ITEM_OUT, sizeof(float)},  {RCITY_BUFFER_ITEM_OUT, sizeof(float)},                        \
               {RCITY_BUFFER_ITEM_OUT, sizeof(float)},  {RCITY_BUFFER_ITEM_OUT, sizeof(float)}}

static const rcity_kernel cells_kernel = {
    .name = "rcity_terrain_cells",
    .source = rcity_terrain_loss_cl,
    .job_bytes = sizeof(rcity_terrain_job),
    TERRAIN_BUFFERS(float),
    .host_run = run_cells,
};

static const rcity_kernel points_kernel = {
    .name = "rcity_terrain_points",
    .source = rcity_terrain_loss_cl,
    .job_bytes = sizeof(rcity_terrain_job),
    TERRAIN_BUFFERS(rcity_link_point),
    .host_run = run_points,
};

/* How many profiles lie on a device at once: what memory allows, and no more than there are receivers. */
static int64_t count_slots(rcity_device *device, int64_t point_max, bool has_cover, int64_t count)
{
    uint64_t bytes = rcity_device_buffer_bytes(device);
    bytes = bytes < ROOM_BYTES ? bytes : ROOM_BYTES;
    int64_t slots = (int64_t)(bytes / sizeof(float)) / (point_max * (has_cover ? 2 : 1));
    slots = slots < SLOTS_MAX ? slots : SLOTS_MAX;
    slots = slots < count ? slots : count;
    return slots > 1 ? slots : 1;
}

/* One piece of the receivers, from `first` on. */
static rcity_status launch_piece(const rcity_job *job, rcity_launch *launch, const void *receivers, size_t rx_bytes,
                                 const rcity_terrain_bands *bands, int64_t first)
{
    launch->buffer[BUFFER_RX].in = (const char *)receivers + (size_t)first * rx_bytes;
    launch->buffer[BUFFER_LOSS].out = bands->loss_db + first;
    launch->buffer[BUFFER_DIFFRACTION].out = bands->diffraction_db + first;
    launch->buffer[BUFFER_VISIBLE].out = bands->is_visible + first;
    launch->buffer[BUFFER_MECHANISM].out = bands->mechanism + first;
    return rcity_device_run(job->context, job->device, launch);
}

static int64_t node_count(const rcity_terrain_raster *raster)
{
    return raster->column_count > 0 ? (int64_t)raster->column_count * raster->row_count : 1;
}

rcity_status rcity_terrain_launch(const rcity_job *job, const rcity_terrain_ground *ground,
                                  const rcity_terrain_job *numbers, bool is_points, int64_t count,
                                  const void *receivers, const rcity_terrain_bands *bands)
{
    rcity_context *context = job->context;
    rcity_device *device = job->device;
    bool is_host = rcity_device_local_bytes(device) == 0;
    bool has_cover = numbers->cover.column_count > 0;
    int64_t slots = is_host ? 1 : count_slots(device, numbers->point_max, has_cover, count);
    int64_t room = is_host ? 1 : slots * numbers->point_max * (has_cover ? 2 : 1);
    int64_t piece = is_host ? count : slots;
    rcity_terrain_job whole = *numbers;
    rcity_resident *kept[BUFFER_COUNT] = {NULL};
    rcity_launch launch;
    rcity_status status;
    memset(&launch, 0, sizeof launch);
    RCITY_TRY_DONE(rcity_resident_create(context, device, ground->ground.node_m, node_count(&ground->ground),
                                         sizeof(float), "the ground", &kept[BUFFER_GROUND]));
    RCITY_TRY_DONE(rcity_resident_create(context, device, ground->cover.node_m, node_count(&ground->cover),
                                         sizeof(float), "the cover", &kept[BUFFER_COVER]));
    RCITY_TRY_DONE(rcity_resident_create_empty(context, device, room, sizeof(float), "profiles", &kept[BUFFER_ROOM]));
    whole.slot_count = slots;
    launch.kernel = is_points ? &points_kernel : &cells_kernel;
    launch.job = &whole;
    launch.task = is_host ? job->method->info.name : NULL;
    for (int i = BUFFER_GROUND; i <= BUFFER_ROOM; i++) {
        launch.resident[i] = kept[i];
    }
    for (int64_t first = 0; first < count; first += piece) {
        whole.first_item = first;
        launch.item_count = count - first < piece ? count - first : piece;
        if (!is_host) {
            RCITY_TRY_DONE(rcity_progress(context, job->method->info.name, (double)first, (double)count));
        }
        RCITY_TRY_DONE(
            launch_piece(job, &launch, receivers, is_points ? sizeof(rcity_link_point) : sizeof(float), bands, first));
    }
    status = is_host ? RCITY_OK : rcity_progress(context, job->method->info.name, (double)count, (double)count);
done:
    rcity_resident_destroy(&kept[BUFFER_ROOM]);
    rcity_resident_destroy(&kept[BUFFER_COVER]);
    rcity_resident_destroy(&kept[BUFFER_GROUND]);
    return status;
}
