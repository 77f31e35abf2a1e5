/* What stays on the device, and the launches of a trace: those of the host's, with lists in between. */
#include "method/cubes/cubes_device.h"

#include <math.h>
#include <string.h>

#include "embedded/cubes_cl.h"
#include "kernel/cubes/cube_pick.h"
#include "method/cubes/cubes.h"

#define PIECE_S        0.1  /* about what a launch takes: between launches a user may cancel */
#define PIECE_UNIT     2048 /* rays of a first launch for each compute unit: so many it holds at a time */
#define PIECE_GROWTH   8.0  /* at most, from one launch to the next */
#define PIECE_MIN_RAYS 256
#define BRANCH_MAX     ((int64_t)1 << 20) /* reflected rays that wait: what finds no room is followed at once */
#define MEMORY_PART    32                 /* of the device's memory is for a list of them */

/* Items whose reflected rays are followed together: enough to fill a device. */
#define ITEMS_AT_A_TIME ((int64_t)1 << 18)

typedef enum cubes_buffer {
    COLUMNS,
    WALLS,
    EDGES,
    COLUMN_WALLS,
    COLUMN_EDGES,
    RECEIVER_FIRST,
    RECEIVERS,
    PLACED, /* of each open receiver its number in the order of columns, -1 outside of the map */
    SCENE_COUNT,

    SOURCES = SCENE_COUNT, /* from here on: those of a trace, kept for the next */
    BOUNDS,                /* of columns */
    RECEIVER_KEYS,
    EDGE_KEYS,
    PATHS,
    ARRIVALS,
    BRANCHES, /* of even levels */
    BRANCHES_ODD,
    BRANCH_COUNT,
    WINS,   /* a bit for each item */
    COUNT,  /* of picked items */
    PICKED, /* the items that won, in any order */
    LISTED, /* the arrivals that are */
    CLASSES,
    PATH_FIRST,
    FOUND,
    BUFFER_COUNT
} cubes_buffer;

struct rcity_cubes_device {
    rcity_context *context; /* Borrowed, as the next two. */
    rcity_device *device;   /* NULL: the host does the work */
    const rcity_cubes_prepared *prepared;
    int32_t *placed;
    rcity_resident *resident[BUFFER_COUNT];
    size_t element_bytes[BUFFER_COUNT];
    int64_t branch_room;
    double piece_items, piece_branches; /* of the next launches */
};

/* A kernel of cubes.cl, and the buffers that it takes. */
typedef struct cubes_kernel {
    const char *name;
    size_t job_bytes;
    int buffer_count;
    cubes_buffer buffer[RCITY_KERNEL_BUFFER_MAX];
} cubes_kernel;

#define RAY_BUFFERS                                                                                                    \
    COLUMNS, WALLS, EDGES, COLUMN_WALLS, COLUMN_EDGES, RECEIVER_FIRST, RECEIVERS, BOUNDS, RECEIVER_KEYS, EDGE_KEYS
#define EVEN_TO_ODD RAY_BUFFERS, BRANCHES_ODD, BRANCH_COUNT, BRANCHES
#define ODD_TO_EVEN RAY_BUFFERS, BRANCHES, BRANCH_COUNT, BRANCHES_ODD

/* The kernels of a pass: items, then the rays that these hand over, and those that come of them in turn. */
typedef struct cubes_pass {
    cubes_kernel items, even, odd;
} cubes_pass;

static const cubes_pass offering = {
    {"rcity_cubes_offer", sizeof(rcity_cube_piece_job), 13, {RAY_BUFFERS, BRANCHES, BRANCH_COUNT, SOURCES}},
    {"rcity_cubes_offer_branches", sizeof(rcity_cube_piece_job), 13, {EVEN_TO_ODD}},
    {"rcity_cubes_offer_branches", sizeof(rcity_cube_piece_job), 13, {ODD_TO_EVEN}}};

static const cubes_pass keeping = {
    {"rcity_cubes_keep",
     sizeof(rcity_cube_piece_job),
     16,
     {RAY_BUFFERS, BRANCHES, BRANCH_COUNT, SOURCES, PICKED, PATHS, ARRIVALS}},
    {"rcity_cubes_keep_branches", sizeof(rcity_cube_piece_job), 15, {EVEN_TO_ODD, PATHS, ARRIVALS}},
    {"rcity_cubes_keep_branches", sizeof(rcity_cube_piece_job), 15, {ODD_TO_EVEN, PATHS, ARRIVALS}}};

/* A trace that is being made. */
typedef struct device_run {
    rcity_cubes_device *device;
    const rcity_job *job;
    rcity_cubes_traced *made;
    rcity_cube_job launch;
    int64_t source_count, item_count; /* of the generation */
    int64_t receiver_count, edge_count;
    double done, total;
} device_run;

static rcity_status keep(rcity_cubes_device *made, cubes_buffer buffer, const void *data, int64_t count,
                         size_t element_bytes)
{
    made->element_bytes[buffer] = element_bytes;
    return rcity_resident_create(made->context, made->device, data, count, element_bytes, "the scene as cubes",
                                 &made->resident[buffer]);
}

static rcity_status reserve(const device_run *run, cubes_buffer buffer, int64_t count, size_t element_bytes)
{
    rcity_cubes_device *device = run->device;
    device->element_bytes[buffer] = element_bytes;
    return rcity_resident_reserve(run->job->context, device->device, count > 0 ? count : 1, element_bytes,
                                  "rays through cubes", &device->resident[buffer]);
}

/* Queue a kernel over items. */
static rcity_status launch_kernel(const device_run *run, const cubes_kernel *kernel, const void *job,
                                  int64_t item_count)
{
    const rcity_cubes_device *device = run->device;
    rcity_kernel made;
    rcity_launch launch;
    memset(&made, 0, sizeof made);
    memset(&launch, 0, sizeof launch);
    made.name = kernel->name;
    made.source = rcity_cubes_cl;
    made.job_bytes = kernel->job_bytes;
    made.buffer_count = kernel->buffer_count;
    for (int i = 0; i < kernel->buffer_count; i++) {
        cubes_buffer buffer = kernel->buffer[i];
        launch.resident[i] = device->resident[buffer];
        made.buffer[i].use = buffer < SCENE_COUNT ? RCITY_BUFFER_SHARED_IN : RCITY_BUFFER_ON_DEVICE;
        made.buffer[i].element_bytes = device->element_bytes[buffer];
    }
    launch.kernel = &made;
    launch.job = job;
    launch.item_count = item_count;
    return rcity_device_run(run->job->context, device->device, &launch);
}

/* A kernel that looks at keys. */
static rcity_status launch_pick(const device_run *run, const char *name, int64_t item_count, int buffer_count,
                                const cubes_buffer *buffers)
{
    cubes_kernel kernel = {name, sizeof(rcity_cube_pick_job), buffer_count, {COLUMNS}};
    rcity_cube_pick_job job = {run->launch.first_item, (rcity_i32)run->item_count};
    memcpy(kernel.buffer, buffers, (size_t)buffer_count * sizeof *buffers);
    return launch_kernel(run, &kernel, &job, item_count);
}

#define LAUNCH_PICK(run, name, item_count, ...)                                                                        \
    launch_pick(run, name, item_count, (int)(sizeof((cubes_buffer[]){__VA_ARGS__}) / sizeof(cubes_buffer)),            \
                (const cubes_buffer[]){__VA_ARGS__})

static rcity_status read_now(const device_run *run, cubes_buffer buffer, int64_t count, void *to)
{
    RCITY_TRY(rcity_resident_read(run->job->context, run->device->resident[buffer], 0, count, to));
    return rcity_device_finish(run->job->context, run->device->device);
}

/* Launch a list of rays, so many at a time that a launch takes about as long as it may. What they hand over is appended
   to another list, of which `*handed_over` becomes the length. */
static rcity_status launch_list(const device_run *run, const cubes_kernel *kernel, int64_t begin, int64_t count,
                                double *piece_rays, int64_t *handed_over)
{
    static const uint32_t none = 0;
    rcity_cubes_device *device = run->device;
    rcity_context *context = run->job->context;
    uint32_t made = 0;
    RCITY_TRY(rcity_resident_write(context, device->resident[BRANCH_COUNT], 0, 1, &none));
    for (int64_t end = begin + count; begin < end;) {
        int64_t piece = (int64_t)*piece_rays < end - begin ? (int64_t)*piece_rays : end - begin;
        rcity_cube_piece_job job = {run->launch, (rcity_i32)begin};
        double start_s = rcity_clock_s();
        RCITY_TRY(launch_kernel(run, kernel, &job, piece));
        RCITY_TRY(read_now(run, BRANCH_COUNT, 1, &made));
        double pace = (double)piece * PIECE_S / (rcity_clock_s() - start_s + 1e-6);
        begin += piece;
        if (begin < end || pace < *piece_rays) { /* a short rest says little */
            *piece_rays = fmax(PIECE_MIN_RAYS, fmin(pace, PIECE_GROWTH * *piece_rays));
        }
        RCITY_TRY(rcity_progress(context, "rays", run->done, run->total));
    }
    *handed_over = made < (uint32_t)device->branch_room ? made : device->branch_room;
    return RCITY_OK;
}

/* A pass over `count` items, some at a time, and then over what these hand over. */
static rcity_status launch_rays(device_run *run, const cubes_pass *pass, int64_t count)
{
    rcity_cubes_device *device = run->device;
    double done = run->done;
    run->launch.branch_room = (rcity_i32)device->branch_room;
    for (int64_t begin = 0; begin < count;) {
        int64_t piece = ITEMS_AT_A_TIME < count - begin ? ITEMS_AT_A_TIME : count - begin;
        int64_t waiting = 0;
        RCITY_TRY(launch_list(run, &pass->items, begin, piece, &device->piece_items, &waiting));
        for (int level = 0; waiting > 0; level++) {
            RCITY_TRY(launch_list(run, level % 2 == 0 ? &pass->even : &pass->odd, 0, waiting, &device->piece_branches,
                                  &waiting));
        }
        begin += piece;
        run->done = done + (double)run->item_count * (double)begin / (double)count;
        RCITY_TRY(rcity_progress(run->job->context, "rays", run->done, run->total));
    }
    run->done = done + (double)run->item_count;
    return RCITY_OK;
}

/* List the items of the generation whose keys were the least. */
static rcity_status list_wins(const device_run *run, int64_t *picked_count)
{
    int64_t words = run->item_count / 32 + 1;
    uint32_t count = 0;
    RCITY_TRY(reserve(run, WINS, words, sizeof(uint32_t)));
    RCITY_TRY(reserve(run, PICKED, run->item_count, sizeof(int32_t)));
    RCITY_TRY(LAUNCH_PICK(run, "rcity_cubes_clear_wins", words, WINS, COUNT));
    RCITY_TRY(LAUNCH_PICK(run, "rcity_cubes_mark", run->receiver_count * RCITY_CUBE_CLASS_COUNT, RECEIVER_KEYS, WINS));
    RCITY_TRY(LAUNCH_PICK(run, "rcity_cubes_mark", run->edge_count * RCITY_CUBE_STATE_COUNT, EDGE_KEYS, WINS));
    RCITY_TRY(LAUNCH_PICK(run, "rcity_cubes_list", words, WINS, COUNT, PICKED));
    RCITY_TRY(read_now(run, COUNT, 1, &count));
    *picked_count = count;
    return RCITY_OK;
}

static rcity_status launch_generation(device_run *run)
{
    int64_t picked_count = 0;
    RCITY_TRY(rcity_cubes_count_rays(run->job, &run->launch, run->source_count, &run->item_count));
    run->made->source_count += run->source_count;
    run->made->ray_count += run->item_count;
    run->total = run->done + 2.0 * (double)run->item_count;
    RCITY_TRY(launch_rays(run, &offering, run->item_count));
    RCITY_TRY(list_wins(run, &picked_count));
    RCITY_TRY(launch_rays(run, &keeping, picked_count));
    run->launch.first_item += (rcity_i32)run->item_count;
    return RCITY_OK;
}

/* The arrivals of a finished generation become the sources of the next, chosen from their keys on the host. */
static rcity_status promote(device_run *run)
{
    rcity_context *context = run->job->context;
    rcity_device *device = run->device->device;
    int64_t slots = run->edge_count * RCITY_CUBE_STATE_COUNT;
    rcity_u64 *keys = NULL;
    int32_t *listed = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)slots + 1, sizeof *keys, "edges reached", &keys));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)slots + 1, sizeof *listed, "edges reached", &listed));
    RCITY_TRY_DONE(read_now(run, EDGE_KEYS, slots, keys));
    RCITY_TRY_DONE(rcity_cubes_list_sources(context, keys, run->edge_count, listed, &run->source_count));
    RCITY_TRY_DONE(reserve(run, LISTED, run->source_count, sizeof *listed));
    RCITY_TRY_DONE(reserve(run, SOURCES, run->source_count, sizeof(rcity_cube_ray_source)));
    RCITY_TRY_DONE(rcity_resident_write(context, run->device->resident[LISTED], 0, run->source_count, listed));
    RCITY_TRY_DONE(LAUNCH_PICK(run, "rcity_cubes_promote", run->source_count, LISTED, ARRIVALS, SOURCES));
    RCITY_TRY_DONE(LAUNCH_PICK(run, "rcity_cubes_clear_keys", slots, EDGE_KEYS));
    RCITY_TRY_DONE(rcity_device_finish(context, device)); /* the list is borrowed until then */
done:
    rcity_release(context, listed);
    rcity_release(context, keys);
    return status;
}

/* What a path to each column may cost, from what is found so far. */
static rcity_status bound_columns(const device_run *run)
{
    static const cubes_kernel kernel = {
        "rcity_cubes_bound", sizeof(rcity_cube_bound_job), 3, {RECEIVER_FIRST, RECEIVER_KEYS, BOUNDS}};
    rcity_cube_bound_job job = {run->launch.map, (float)run->made->from.x, (float)run->made->from.y};
    return launch_kernel(run, &kernel, &job, (int64_t)job.map.column_count * job.map.row_count);
}

/* Where the paths of each receiver begin, from their classes; and the class of each. */
static rcity_status place_paths(const device_run *run, const uint8_t *classes)
{
    rcity_context *context = run->job->context;
    rcity_cubes_traced *made = run->made;
    int64_t count = run->receiver_count;
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *made->path_first, "paths", &made->path_first));
    for (int64_t i = 0; i < count; i++) {
        made->path_first[i + 1] = made->path_first[i] + __builtin_popcount(classes[i]);
    }
    size_t room = (size_t)made->path_first[count] + 1;
    RCITY_TRY(rcity_alloc(context, room, sizeof *made->paths, "paths", &made->paths));
    RCITY_TRY(rcity_alloc(context, room, sizeof *made->path_class, "paths", &made->path_class));
    for (int64_t i = 0; i < count; i++) {
        int64_t to = made->path_first[i];
        for (int k = 0; k < RCITY_CUBE_CLASS_COUNT; k++) {
            if (classes[i] >> k & 1) {
                made->path_class[to++] = (uint8_t)k;
            }
        }
    }
    return RCITY_OK;
}

/* Copy the paths that were kept, in the order of the open receivers. */
static rcity_status copy_paths(const device_run *run)
{
    rcity_context *context = run->job->context;
    rcity_resident **resident = run->device->resident;
    int64_t count = run->receiver_count;
    uint8_t *classes = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *classes, "paths", &classes));
    RCITY_TRY_DONE(reserve(run, CLASSES, count, sizeof *classes));
    RCITY_TRY_DONE(LAUNCH_PICK(run, "rcity_cubes_classes", count, PLACED, RECEIVER_KEYS, CLASSES));
    RCITY_TRY_DONE(read_now(run, CLASSES, count, classes));
    RCITY_TRY_DONE(place_paths(run, classes));
    int64_t path_count = run->made->path_first[count];
    RCITY_TRY_DONE(reserve(run, PATH_FIRST, count, sizeof(int64_t)));
    RCITY_TRY_DONE(reserve(run, FOUND, path_count, sizeof(rcity_cube_path)));
    RCITY_TRY_DONE(rcity_resident_write(context, resident[PATH_FIRST], 0, count, run->made->path_first));
    RCITY_TRY_DONE(LAUNCH_PICK(run, "rcity_cubes_gather", count, PLACED, CLASSES, PATH_FIRST, PATHS, FOUND));
    RCITY_TRY_DONE(read_now(run, FOUND, path_count, run->made->paths));
done:
    rcity_release(context, classes);
    return status;
}

/* No path yet, and the transmitter as the only source. */
static rcity_status start(device_run *run)
{
    rcity_context *context = run->job->context;
    int64_t slots = run->receiver_count * RCITY_CUBE_CLASS_COUNT;
    int64_t edge_slots = run->edge_count * RCITY_CUBE_STATE_COUNT;
    rcity_cube_ray_source source;
    memset(&source, 0, sizeof source);
    run->launch = rcity_cubes_first_launch(run->job, run->made, &source);
    run->source_count = 1;
    RCITY_TRY(reserve(run, RECEIVER_KEYS, slots, sizeof(rcity_u64)));
    RCITY_TRY(reserve(run, BOUNDS, (int64_t)run->launch.map.column_count * run->launch.map.row_count, sizeof(float)));
    RCITY_TRY(reserve(run, PATHS, slots, sizeof(rcity_cube_path)));
    RCITY_TRY(reserve(run, EDGE_KEYS, edge_slots, sizeof(rcity_u64)));
    RCITY_TRY(reserve(run, ARRIVALS, edge_slots, sizeof(rcity_cube_ray_source)));
    RCITY_TRY(reserve(run, SOURCES, 1, sizeof source));
    RCITY_TRY(reserve(run, COUNT, 1, sizeof(uint32_t)));
    RCITY_TRY(reserve(run, BRANCHES, run->device->branch_room, sizeof(rcity_cube_branch)));
    RCITY_TRY(reserve(run, BRANCHES_ODD, run->device->branch_room, sizeof(rcity_cube_branch)));
    RCITY_TRY(reserve(run, BRANCH_COUNT, 1, sizeof(uint32_t)));
    RCITY_TRY(LAUNCH_PICK(run, "rcity_cubes_clear_keys", slots, RECEIVER_KEYS));
    RCITY_TRY(LAUNCH_PICK(run, "rcity_cubes_clear_keys", edge_slots, EDGE_KEYS));
    RCITY_TRY(rcity_resident_write(context, run->device->resident[SOURCES], 0, 1, &source));
    return rcity_device_finish(context, run->device->device);
}

rcity_status rcity_cubes_device_trace(rcity_cubes_device *device, const rcity_job *job, rcity_cubes_traced *traced)
{
    const rcity_cubes_prepared *prepared = device->prepared;
    device_run run = {.device = device, .job = job, .made = traced};
    run.receiver_count = prepared->receivers.open_count;
    run.edge_count = job->number[RCITY_CUBES_MAX_VERTICAL] > 0.0 ? prepared->cubes.edge_count : 0;
    RCITY_TRY(start(&run));
    for (int generation = 0; run.source_count > 0; generation++) {
        RCITY_TRY(launch_generation(&run));
        if (generation == run.launch.corner_max) {
            break;
        }
        RCITY_TRY(promote(&run));
        RCITY_TRY(bound_columns(&run));
        rcity_cubes_next_launch(job, traced, &run.launch);
    }
    return copy_paths(&run);
}

static rcity_status keep_scene(rcity_cubes_device *made)
{
    const rcity_cubes_prepared *prepared = made->prepared;
    const rcity_city_cubes *cubes = &prepared->cubes;
    int64_t columns = (int64_t)cubes->map.column_count * cubes->map.row_count;
    int64_t receivers = prepared->receivers.open_count;
    RCITY_TRY(keep(made, COLUMNS, cubes->columns, columns + 1, sizeof *cubes->columns));
    RCITY_TRY(keep(made, WALLS, cubes->walls, cubes->wall_count, sizeof *cubes->walls));
    RCITY_TRY(keep(made, EDGES, cubes->edges, cubes->edge_count, sizeof *cubes->edges));
    RCITY_TRY(keep(made, COLUMN_WALLS, cubes->column_walls, cubes->columns[columns].wall_first, sizeof(rcity_i32)));
    RCITY_TRY(keep(made, COLUMN_EDGES, cubes->column_edges, cubes->columns[columns].edge_first, sizeof(rcity_i32)));
    RCITY_TRY(keep(made, RECEIVER_FIRST, prepared->receiver_first, columns + 1, sizeof(int32_t)));
    RCITY_TRY(keep(made, RECEIVERS, prepared->receiver_xyz_m, 3 * receivers, sizeof(float)));
    return keep(made, PLACED, made->placed, receivers, sizeof *made->placed);
}

static rcity_status fill(rcity_cubes_device *made)
{
    const rcity_cubes_prepared *prepared = made->prepared;
    const rcity_cube_map *map = &prepared->cubes.map;
    int64_t receivers = prepared->receivers.open_count;
    int64_t placed = prepared->receiver_first[(int64_t)map->column_count * map->row_count];
    rcity_device_info info;
    rcity_device_describe(made->device, &info);
    made->piece_items = made->piece_branches = PIECE_UNIT * fmax(1.0, info.compute_units);
    double most = fmin((double)rcity_device_buffer_bytes(made->device), (double)info.memory_bytes / MEMORY_PART);
    made->branch_room = (int64_t)fmin((double)BRANCH_MAX, most / sizeof(rcity_cube_branch));
    RCITY_TRY(rcity_alloc(made->context, (size_t)receivers + 1, sizeof *made->placed, "receivers", &made->placed));
    for (int64_t i = 0; i < receivers; i++) {
        made->placed[i] = -1;
    }
    for (int64_t i = 0; i < placed; i++) {
        made->placed[prepared->receiver_open[i]] = (int32_t)i;
    }
    return keep_scene(made);
}

static void empty(rcity_cubes_device *device)
{
    for (int i = 0; i < BUFFER_COUNT; i++) {
        rcity_resident_destroy(&device->resident[i]);
    }
    rcity_release(device->context, device->placed);
    device->placed = NULL;
    device->device = NULL;
}

rcity_status rcity_cubes_device_open(const rcity_job *job, const rcity_cubes_prepared *prepared,
                                     rcity_cubes_device **device)
{
    rcity_context *context = job->context;
    rcity_cubes_device *made = NULL;
    rcity_status status = RCITY_OK;
    rcity_device_info info;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "rays through cubes", &made));
    made->context = context;
    made->prepared = prepared;
    rcity_device_describe(job->device, &info);
    bool is_host = strcmp(info.kind, "host") == 0;
    if (!is_host && !rcity_device_has_minimum64(job->device)) {
        rcity_log(context, RCITY_LOG_INFO, "device %s has no minimum of 64-bit numbers: rays are launched on the host",
                  info.id);
    } else if (!is_host) {
        made->device = job->device;
        status = fill(made);
    }
    if (status == RCITY_ERR_MEMORY) {
        rcity_log(context, RCITY_LOG_INFO, "rays are launched on the host: %s", rcity_context_message(context));
        empty(made);
        status = RCITY_OK;
    }
    if (status != RCITY_OK) {
        rcity_cubes_device_close(&made);
        return status;
    }
    *device = made;
    return RCITY_OK;
}

void rcity_cubes_device_close(rcity_cubes_device **device)
{
    rcity_cubes_device *ended = *device;
    if (ended != NULL) {
        empty(ended);
        rcity_release(ended->context, ended);
        *device = NULL;
    }
}

bool rcity_cubes_device_traces(const rcity_cubes_device *device)
{
    return device != NULL && device->device != NULL;
}
