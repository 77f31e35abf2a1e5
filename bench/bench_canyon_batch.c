/* Complete predictions of many transmitters at once, levels copied to the host: traced and weighted in batches of
   several sizes.

   Lower limit of a prediction of Munich (326,000 pixels, two corners, roofs, walls counted) on an H200. Copy to the
   host: four bands, 5.2 MB, 0.1 to 0.2 ms at 25 to 50 GB/s, in parallel with kernels. Kernels: 245 rasters of line of
   sight, fewer if transmitters share corners; an over-roof path to every hidden pixel, which is most of the time; the
   rest together takes a few tenths of a millisecond. Launches and waits: as many for a batch as for one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/uniform.h"
#include "bench/bench_canyon.h"
#include "bench/bench_scene.h"
#include "scene/place/terrain.h"

#define BATCH_MAX    128
#define CPU_MAX      8                   /* without a GPU larger batches take long and show nothing new */
#define FIRST_RANDOM ((uint64_t)1 << 32) /* seed 1 */
#define SKY          ((int32_t)1200000)  /* height units; above everything */
#define KERNEL_MAX   32

typedef struct batch_stage {
    rcity_bench_corner_stage city;
    int count; /* transmitters of a batch */
    rcity_grid_point3 sources[BATCH_MAX];
    rcity_shadow_trace *traces[BATCH_MAX];
    rcity_shadow_weighing weighings[BATCH_MAX];
    float *levels;              /* of all bands of all weightings */
    rcity_shadow_effort effort; /* of all transmitters of the last batch */
} batch_stage;

/* Times of a batch: wall clock, kernels, and the other work of the host and the bus in the fastest run. */
typedef struct batch_times {
    rcity_bench_times whole, traced, kernel;
    double best_s;
    rcity_device_times device;
    rcity_device_load load;
    int kernel_count;
    rcity_kernel_times kernels[KERNEL_MAX];
} batch_times;

/* The transmitter of the measurements, and random places in streets. */
static void place_sources(batch_stage *stage)
{
    const rcity_shapes *shapes = stage->city.plane.shapes;
    uint64_t next = FIRST_RANDOM;
    stage->sources[0] = stage->city.source;
    for (int i = 1; i < BATCH_MAX; next += 2) {
        double width = (double)shapes->x_max - shapes->x_min;
        double depth = (double)shapes->y_max - shapes->y_min;
        int32_t x = (int32_t)lround(shapes->x_min + rcity_uniform(next) * width);
        int32_t y = (int32_t)lround(shapes->y_min + rcity_uniform(next + 1) * depth);
        double ground = rcity_terrain_height(&shapes->terrain, x, y);
        rcity_grid_point3 foot = {x, y, (int32_t)ceil(ground)};
        double height = RCITY_BENCH_CORNER_HEIGHT_M * RCITY_HEIGHT_UNITS_PER_M;
        if (rcity_sight_is_free(stage->city.sight, foot, (rcity_grid_point3){x, y, SKY})) {
            stage->sources[i++] = (rcity_grid_point3){x, y, (int32_t)lround(ground + height)};
        }
    }
}

static rcity_status prepare(rcity_context *context, int most, batch_stage *stage)
{
    size_t band = stage->city.pixel_count;
    size_t count = (size_t)most * 4 * band;
    place_sources(stage);
    RCITY_TRY(rcity_alloc(context, count, sizeof *stage->levels, "levels", &stage->levels));
    for (size_t i = 0; i < count; i++) {
        stage->levels[i] = 0.0f; /* touches the memory, as a caller's is after the first batch */
    }
    for (size_t i = 0; i < (size_t)most; i++) {
        float *first = stage->levels + 4 * i * band;
        stage->weighings[i].weights = rcity_bench_corner_weights(false, 0.0);
        stage->weighings[i].bands = (rcity_shadow_bands){first, first + band, first + 2 * band, first + 3 * band};
    }
    return RCITY_OK;
}

static void drop_traces(batch_stage *stage)
{
    for (int i = 0; i < stage->count; i++) {
        rcity_shadow_trace_destroy(&stage->traces[i]);
    }
}

static void take_difference(const batch_times *before, batch_times *times)
{
    rcity_device_times *device = &times->device;
    device->kernel_s -= before->device.kernel_s;
    device->upload_s -= before->device.upload_s;
    device->download_s -= before->device.download_s;
    device->upload_bytes -= before->device.upload_bytes;
    device->download_bytes -= before->device.download_bytes;
    device->launch_count -= before->device.launch_count;
    times->load.wait_s -= before->load.wait_s;
    times->load.wait_count -= before->load.wait_count;
    for (int i = 0; i < before->kernel_count && i < KERNEL_MAX; i++) {
        times->kernels[i].seconds -= before->kernels[i].seconds;
    }
}

static void read_device(const rcity_device *device, batch_times *times)
{
    rcity_device_get_times(device, &times->device);
    rcity_device_get_load(device, &times->load);
    times->kernel_count = rcity_device_get_kernel_times(device, KERNEL_MAX, times->kernels);
    times->kernel_count = times->kernel_count < KERNEL_MAX ? times->kernel_count : KERNEL_MAX;
}

/* A batch from the start to levels on the host. */
static rcity_status run_once(batch_stage *stage, bool keeps_corners, bool is_counted, batch_times *times)
{
    batch_times before;
    batch_times now;
    if (!keeps_corners) {
        rcity_shadow_tracer_forget(stage->city.stage);
    }
    memset(&stage->effort, 0, sizeof stage->effort);
    memset(&now, 0, sizeof now);
    memset(&before, 0, sizeof before);
    read_device(stage->city.device, &before);
    double start_s = rcity_clock_s();
    RCITY_TRY(rcity_shadow_tracer_trace(stage->city.stage, stage->count, stage->sources, stage->traces));
    double traced_s = rcity_clock_s() - start_s;
    for (int i = 0; i < stage->count; i++) {
        rcity_shadow_effort effort = rcity_shadow_trace_effort(stage->traces[i]);
        stage->weighings[i].trace = stage->traces[i];
        stage->effort.raster_count += effort.raster_count;
        stage->effort.chain_count += effort.chain_count;
        stage->effort.path_count += effort.path_count;
    }
    RCITY_TRY(rcity_shadow_traces_weigh(stage->count, stage->weighings));
    double whole_s = rcity_clock_s() - start_s;
    read_device(stage->city.device, &now);
    drop_traces(stage);
    take_difference(&before, &now);
    if (is_counted) {
        rcity_bench_times_add(&times->whole, whole_s);
        rcity_bench_times_add(&times->traced, traced_s);
        rcity_bench_times_add(&times->kernel, now.device.kernel_s);
    }
    if (is_counted && (times->best_s == 0.0 || whole_s < times->best_s)) {
        times->best_s = whole_s;
        times->device = now.device;
        times->load = now.load;
        times->kernel_count = now.kernel_count;
        memcpy(times->kernels, now.kernels, sizeof now.kernels);
    }
    return RCITY_OK;
}

static void describe(const batch_stage *stage, const batch_times *times, bool keeps_corners, char *note, size_t bytes)
{
    const rcity_device_times *device = &times->device;
    double each = 1e3 / stage->count; /* milliseconds for each prediction */
    double traced_s = rcity_bench_times_best(&times->traced);
    int used = snprintf(note, bytes,
                        "%d at once%s, %d x %d pixels, 4 bands copied to the host; a prediction: %.0f rasters of "
                        "sight, %.0f chains, %.0f paths around "
                        "corners, %.3f ms, traced %.3f, "
                        "kernels %.3f, host "
                        "waits %.3f and works %.3f, copied to the host %.3f (%.2f MB), to the device %.3f (%.2f MB), "
                        "%.1f launches, %.2f "
                        "waits; device memory %.0f MB, at most %.0f",
                        stage->count, keeps_corners ? ", corners known" : "", stage->city.plane.column_count,
                        stage->city.plane.row_count, (double)stage->effort.raster_count / stage->count,
                        (double)stage->effort.chain_count / stage->count,
                        (double)stage->effort.path_count / stage->count, each * times->best_s, each * traced_s,
                        each * device->kernel_s, each * times->load.wait_s, each * (times->best_s - times->load.wait_s),
                        each * device->download_s, 1e-6 * (double)device->download_bytes / stage->count,
                        each * device->upload_s, 1e-6 * (double)device->upload_bytes / stage->count,
                        (double)device->launch_count / stage->count, (double)times->load.wait_count / stage->count,
                        1e-6 * (double)times->load.resident_bytes, 1e-6 * (double)times->load.resident_peak_bytes);
    for (int i = 0; i < times->kernel_count && used > 0 && (size_t)used < bytes; i++) {
        const rcity_kernel_times *kernel = &times->kernels[i];
        used += snprintf(note + used, bytes - (size_t)used, "%s%s %.3f", i == 0 ? "; ms: " : ", ", kernel->name,
                         each * kernel->seconds);
    }
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const batch_stage *stage,
                   const char *unit, const rcity_bench_times *times, const char *note)
{
    rcity_bench_result result;
    memset(&result, 0, sizeof result);
    result.name = info->name;
    result.item = info->item;
    result.device = stage->city.device_info.id;
    result.scene = rcity_scene_source(stage->city.scene);
    result.thread_count = rcity_context_thread_count(run->context);
    result.best_s = rcity_bench_times_best(times);
    result.median_s = rcity_bench_times_median(times);
    result.value = stage->count / result.best_s;
    result.unit = unit;
    result.yardstick_value = (double)NAN;
    result.ratio = (double)NAN;
    result.note = note;
    run->report(run->user, &result);
}

static rcity_status run_size(const rcity_bench_run_data *run, const rcity_bench_info *info, batch_stage *stage,
                             bool keeps_corners)
{
    batch_times times;
    char note[2000];
    memset(&times, 0, sizeof times);
    for (int i = -2; i < run->options->repeat_count; i++) { /* the first builds kernels, the second allocates memory */
        RCITY_TRY(run_once(stage, keeps_corners, i >= 0, &times));
    }
    describe(stage, &times, keeps_corners, note, sizeof note);
    report(run, info, stage, "maps/s", &times.whole, note);
    if (strcmp(stage->city.device_info.kind, "host") != 0) {
        report(run, info, stage, "maps/s kernel", &times.kernel, note);
    }
    return RCITY_OK;
}

rcity_status rcity_bench_corner_batch(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    static const int sizes[] = {1, 8, 32, BATCH_MAX};
    const rcity_shadow_choice choice = {2, RCITY_SHADOW_ROOFS_EDGES, RCITY_SHADOW_WALLS_COUNT, false, NULL};
    batch_stage *stage = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(run->context, 1, sizeof *stage, "a benchmark", &stage));
    RCITY_TRY_DONE(rcity_bench_open_munich(run, info, &stage->city.scene));
    if (stage->city.scene == NULL) {
        goto done;
    }
    RCITY_TRY_DONE(rcity_bench_corner_open(run, &choice, &stage->city));
    int most = strcmp(stage->city.device_info.kind, "gpu") == 0 ? BATCH_MAX : CPU_MAX;
    RCITY_TRY_DONE(prepare(run->context, most, stage));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && sizes[i] <= most; i++) {
        stage->count = sizes[i];
        RCITY_TRY_DONE(run_size(run, info, stage, false));
    }
    RCITY_TRY_DONE(run_size(run, info, stage, true));
done:
    drop_traces(stage);
    rcity_release(run->context, stage->levels);
    rcity_bench_corner_close(run->context, &stage->city);
    rcity_release(run->context, stage);
    return status;
}
