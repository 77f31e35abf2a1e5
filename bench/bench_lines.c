/* Benchmark lines: the experiment of T. Rick and R. Mathar 2007, section VI: lines from the middle of a square to each of its
   cells, with a look at filled cells and four sums at every step; on their CPU 0.21 million lines a second, on their GPU 29
   million. The result of the first and of the last source is compared with plain loops, bit by bit.

   Lower limit on a device, 512 x 512 cells: a line has 170.7 steps, each with 16 bytes of numbers and 4 bytes of `filled`.
   Read one by one from the memories next to the units, 132 of them with 128 bytes a cycle at 1.98 GHz, that is 33.4 TB/s
   or 1.67e12 steps a second, 9.8e9 lines. So lines share what they read: a bundle of 8 lines (kernel/cubes/line_sums.h)
   reads 40 bytes for 8 steps, 3.9e10 lines a second. Its operations: for a line's step a product, a comparison with a
   choice and five products added, 8; for the bundle some 31, 3.9 a line (counted in the code that clang makes for such
   devices): 11.9 instructions of the 132 x 128 x 1.98e9 a second are 2.8e12 steps or 1.6e10 lines. Out: 20 bytes a line;
   1e10 lines are 200 GB/s. Supercubes walk 17.1 steps a line instead of 170.7 and read each for itself: 1e11 lines a
   second, and 2e12 bytes out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/uniform.h"
#include "bench/bench_data.h"
#include "bench/line_bundles.h"
#include "device/device.h"
#include "embedded/lines_cl.h"

#define SUPERCUBE_EDGE 32
#define FIRST_RANDOM   ((uint64_t)7 << 32)
#define FILLED_SHARE   0.25
#define VALUE_COUNT    8   /* 0 .. 7: sums of whole numbers are exact in any order */
#define SPREAD         512 /* the sources of a batch are so many cells apart at most */
#define MARGIN         2   /* a bundle reads a cell beyond the square */
#define DIRECT_SIDE    512
#define GPU_SOURCES    64
#define HOST_SOURCES   4

/* The data of one case. */
typedef struct lines_stage {
    rcity_context *context;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_line_job job;
    bool is_super;
    double apart_share;               /* mean difference of supercubes' sums from those of direct lines */
    int64_t source_count, cell_count; /* cells of a square */
    size_t map_count;                 /* cells of the map */
    rcity_float4 *values;
    float *filled;
    int32_t *sources;
    rcity_line_bundle *bundles;
    rcity_resident *on_device[6]; /* values, filled, sources, bundles, sums, counts */
    rcity_float4 *sums, *plain_sums, *direct_sums;
    float *counts, *plain_counts, *direct_counts;
    double plain_s;
    int64_t wrong_count;
    rcity_bench_times whole, kernel;
} lines_stage;

static rcity_line_view view_of(const rcity_launch_buffer *buffers, int output)
{
    return (rcity_line_view){buffers[0].in, buffers[1].in, buffers[2].in, buffers[output].out, buffers[output + 1].out};
}

RCITY_WIDE static void run_bundles(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_line_job lines;
    memcpy(&lines, job, sizeof lines);
    for (int64_t i = begin; i < end; i++) {
        rcity_line_bundle_item(lines, view_of(buffers, 4), buffers[3].in, i);
    }
}

/* The items row by row: what is the same for the cells of a row is worked out once. */
static void run_rings(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_line_job lines;
    memcpy(&lines, job, sizeof lines);
    rcity_line_view view = view_of(buffers, 3);
    for (int64_t item = begin; item < end;) {
        rcity_line_row row = rcity_line_row_make(lines, item / lines.edge);
        rcity_line_strides strides = rcity_line_strides_make(lines, view, row.source, row.octant);
        int64_t row_end = (item / lines.edge + 1) * lines.edge;
        for (; item < row_end && item < end; item++) {
            int32_t across = row.first_across + (int32_t)(item % lines.edge);
            if (rcity_line_is_in_square(lines, row.octant, row.along, across)) {
                rcity_line_walk(lines, view, strides, row.source, row.octant, row.along, across,
                                lines.ring * lines.edge);
            }
        }
    }
}

static const rcity_kernel kernel_bundles = {
    .name = "rcity_line_bundles",
    .source = rcity_lines_cl,
    .job_bytes = sizeof(rcity_line_job),
    .buffer_count = 6,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_float4)},
               {RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(rcity_line_bundle)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(rcity_float4)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(float)}},
    .host_run = run_bundles,
};

static const rcity_kernel kernel_rings = {
    .name = "rcity_line_rings",
    .source = rcity_lines_cl,
    .job_bytes = sizeof(rcity_line_job),
    .buffer_count = 5,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(rcity_float4)},
               {RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(rcity_float4)},
               {RCITY_BUFFER_ON_DEVICE, sizeof(float)}},
    .host_run = run_rings,
};

static void stage_deinit(lines_stage *stage)
{
    rcity_context *context = stage->context;
    void *blocks[] = {stage->values,     stage->filled, stage->sources,      stage->bundles,     stage->sums,
                      stage->plain_sums, stage->counts, stage->plain_counts, stage->direct_sums, stage->direct_counts};
    for (size_t i = 6; i > 0; i--) {
        rcity_resident_destroy(&stage->on_device[i - 1]);
    }
    rcity_device_close(&stage->device);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        rcity_release(context, blocks[i]);
    }
}

/* Numbers of the map, stored row by row, then column by column. */
static void fill_map(lines_stage *stage)
{
    size_t side = (size_t)stage->job.side;
    for (size_t i = 0; i < side * side; i++) {
        uint64_t next = FIRST_RANDOM + 2 * i;
        int32_t number = (int32_t)(rcity_uniform(next) * (VALUE_COUNT * VALUE_COUNT * VALUE_COUNT * VALUE_COUNT));
        size_t turned = side * side + i % side * side + i / side;
        rcity_float4 value = rcity_float4_make((float)(number % VALUE_COUNT), (float)(number / 8 % VALUE_COUNT),
                                               (float)(number / 64 % VALUE_COUNT), (float)(number / 512 % VALUE_COUNT));
        stage->values[i] = value;
        stage->values[turned] = value;
        stage->filled[i] = rcity_uniform(next + 1) < FILLED_SHARE ? 1.0f : 0.0f;
        stage->filled[turned] = stage->filled[i];
    }
}

static void place_sources(lines_stage *stage, int32_t spread)
{
    for (int64_t i = 0; i < stage->source_count; i++) {
        uint64_t next = FIRST_RANDOM + ((uint64_t)1 << 31) + 2 * (uint64_t)i;
        int32_t first = stage->job.reach + MARGIN;
        stage->sources[2 * i] = first + (int32_t)(rcity_uniform(next) * spread);
        stage->sources[2 * i + 1] = first + (int32_t)(rcity_uniform(next + 1) * spread);
    }
}

static rcity_status send(lines_stage *stage)
{
    rcity_context *context = stage->context;
    rcity_device *device = stage->device;
    int64_t result_count = 2 * stage->source_count * stage->cell_count; /* in two orders */
    RCITY_TRY(rcity_resident_create(context, device, stage->values, (int64_t)stage->map_count, sizeof *stage->values,
                                    "numbers of cells", &stage->on_device[0]));
    RCITY_TRY(rcity_resident_create(context, device, stage->filled, (int64_t)stage->map_count, sizeof *stage->filled,
                                    "filled cells", &stage->on_device[1]));
    RCITY_TRY(rcity_resident_create(context, device, stage->sources, 2 * stage->source_count, sizeof *stage->sources,
                                    "sources of lines", &stage->on_device[2]));
    if (!stage->is_super) {
        RCITY_TRY(rcity_resident_create(context, device, stage->bundles, stage->job.bundle_count,
                                        sizeof *stage->bundles, "bundles of lines", &stage->on_device[3]));
    }
    RCITY_TRY(rcity_resident_create_empty(context, device, result_count, sizeof *stage->sums, "sums of lines",
                                          &stage->on_device[4]));
    return rcity_resident_create_empty(context, device, result_count, sizeof *stage->counts, "filled cells of lines",
                                       &stage->on_device[5]);
}

static rcity_status stage_init(const rcity_bench_run_data *run, const rcity_bench_info *info, lines_stage *stage)
{
    rcity_context *context = run->context;
    int side = 0;
    (void)sscanf(info->item, "%d", &side);
    stage->is_super = strstr(info->item, "-super") != NULL;
    bool is_batch = strstr(info->item, "-batch") != NULL;
    RCITY_TRY(rcity_device_open(context, run->options->device, &stage->device));
    rcity_device_describe(stage->device, &stage->device_info);
    stage->source_count = !is_batch ? 1 : strcmp(stage->device_info.kind, "gpu") == 0 ? GPU_SOURCES : HOST_SOURCES;
    int32_t spread = is_batch ? SPREAD : 0;
    stage->job.reach = side / 2;
    stage->job.source_count = (int32_t)stage->source_count;
    stage->job.edge = stage->is_super ? SUPERCUBE_EDGE : stage->job.reach;
    stage->job.side = side + spread + 2 * MARGIN;
    stage->cell_count = (int64_t)side * side;
    stage->map_count = 2 * (size_t)stage->job.side * (size_t)stage->job.side;
    size_t cells = (size_t)stage->cell_count;
    RCITY_TRY(rcity_alloc(context, stage->map_count, sizeof *stage->values, "numbers of cells", &stage->values));
    RCITY_TRY(rcity_alloc(context, stage->map_count, sizeof *stage->filled, "filled cells", &stage->filled));
    RCITY_TRY(
        rcity_alloc(context, 2 * (size_t)stage->source_count, sizeof *stage->sources, "sources", &stage->sources));
    RCITY_TRY(rcity_alloc(context, 2 * cells, sizeof *stage->sums, "sums of lines", &stage->sums));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *stage->plain_sums, "sums of lines", &stage->plain_sums));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *stage->direct_sums, "sums of lines", &stage->direct_sums));
    RCITY_TRY(rcity_alloc(context, 2 * cells, sizeof *stage->counts, "filled cells of lines", &stage->counts));
    RCITY_TRY(rcity_alloc(context, cells, sizeof *stage->plain_counts, "filled cells of lines", &stage->plain_counts));
    RCITY_TRY(
        rcity_alloc(context, cells, sizeof *stage->direct_counts, "filled cells of lines", &stage->direct_counts));
    fill_map(stage);
    place_sources(stage, spread);
    if (!stage->is_super) {
        int64_t bundle_count = 0;
        RCITY_TRY(rcity_line_bundles_make(context, stage->job.reach, &stage->bundles, &bundle_count));
        stage->job.bundle_count = (int32_t)bundle_count;
    }
    return send(stage);
}

/* All lines of all sources: one launch, or one for each ring of supercubes. */
static rcity_status trace(lines_stage *stage)
{
    rcity_launch launch;
    rcity_line_job job = stage->job;
    memset(&launch, 0, sizeof launch);
    launch.kernel = stage->is_super ? &kernel_rings : &kernel_bundles;
    launch.job = &job;
    for (int i = 0; i < launch.kernel->buffer_count; i++) {
        launch.resident[i] = stage->on_device[stage->is_super && i >= 3 ? i + 1 : i];
    }
    launch.item_count = stage->source_count * job.bundle_count;
    for (job.ring = 0; job.ring * job.edge < job.reach; job.ring++) {
        if (stage->is_super) {
            launch.item_count = stage->source_count * 4 * rcity_line_blocks_across(job) * job.edge * job.edge;
        }
        RCITY_TRY(rcity_device_run(stage->context, stage->device, &launch));
    }
    return rcity_device_finish(stage->context, stage->device);
}

/* Of large squares, direct lines to every so many rows only are the yardstick. */
static int32_t row_step_of(const lines_stage *stage)
{
    int32_t step = 2 * stage->job.reach / DIRECT_SIDE;
    return step > 1 ? step * step : 1;
}

/* The plain lines of one source, on the host. */
typedef struct plain_work {
    rcity_line_job job;
    rcity_line_view view;
    int32_t source;
    int32_t row_step;
} plain_work;

/* An rcity_parallel_function. */
static void trace_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const plain_work *work = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_line_plain_row(work->job, work->view, work->source, (int32_t)i * work->row_step - work->job.reach);
    }
}

/* Direct lines of a source, and with supercubes those that start at their borders. @return the time of the direct ones. */
static double trace_plainly(lines_stage *stage, int64_t source)
{
    rcity_line_view view = {stage->values, stage->filled, stage->sources, stage->direct_sums, stage->direct_counts};
    plain_work work = {stage->job, view, (int32_t)source, row_step_of(stage)};
    work.job.edge = stage->job.reach;
    double start_s = rcity_clock_s();
    rcity_parallel(stage->context, 2 * (int64_t)stage->job.reach / work.row_step, 4, trace_rows, &work);
    double direct_s = rcity_clock_s() - start_s;
    view.sums = stage->plain_sums;
    view.counts = stage->plain_counts;
    size_t middle = (size_t)stage->job.reach * (size_t)(2 * stage->job.reach + 1);
    stage->plain_sums[middle] = rcity_float4_make(0.0f, 0.0f, 0.0f, 0.0f);
    stage->plain_counts[middle] = 0.0f;
    for (int32_t ring = 0; ring * stage->job.edge < stage->job.reach; ring++) {
        rcity_line_plain_ring(stage->job, view, (int32_t)source, ring);
    }
    return direct_s;
}

static bool are_equal(const rcity_float4 *a, const rcity_float4 *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Where a cell of the square, counted row by row, has its sums among those that were read. */
static int64_t place_of(const lines_stage *stage, int64_t index)
{
    int64_t side = 2 * (int64_t)stage->job.reach;
    int64_t column = index % side;
    int64_t row = index / side;
    bool is_along_x = llabs(column - stage->job.reach) >= llabs(row - stage->job.reach);
    return is_along_x ? stage->cell_count + column * side + row : index;
}

/* The difference of a line's first sum from that of the direct line, over the latter, on the average. */
static double difference_from_direct(const lines_stage *stage)
{
    int64_t side = 2 * (int64_t)stage->job.reach;
    double apart = 0.0;
    double all = 0.0;
    for (int64_t row = 0; row < side; row += row_step_of(stage)) {
        for (int64_t i = row * side; i < (row + 1) * side; i++) {
            apart += fabs((double)rcity_x(stage->direct_sums[i]) - (double)rcity_x(stage->plain_sums[i]));
            all += (double)rcity_x(stage->direct_sums[i]);
        }
    }
    return apart / all;
}

/* Compare a source's results, all but its own cell's, with the plain ones, and these with direct lines. */
static rcity_status check_source(lines_stage *stage, int64_t source)
{
    double plain_s = trace_plainly(stage, source);
    stage->plain_s = stage->plain_s > 0.0 && stage->plain_s < plain_s ? stage->plain_s : plain_s;
    int64_t first = source * stage->cell_count;
    for (int64_t order = 0; order < 2; order++) {
        int64_t from = first + order * stage->source_count * stage->cell_count;
        int64_t to = order * stage->cell_count;
        RCITY_TRY(rcity_resident_read(stage->context, stage->on_device[4], from, stage->cell_count, stage->sums + to));
        RCITY_TRY(
            rcity_resident_read(stage->context, stage->on_device[5], from, stage->cell_count, stage->counts + to));
    }
    RCITY_TRY(rcity_device_finish(stage->context, stage->device));
    int64_t middle = (int64_t)stage->job.reach * (2 * stage->job.reach + 1);
    for (int64_t i = 0; i < stage->cell_count; i++) {
        int64_t place = place_of(stage, i);
        bool is_right = memcmp(&stage->counts[place], &stage->plain_counts[i], sizeof(float)) == 0 &&
                        are_equal(&stage->sums[place], &stage->plain_sums[i]);
        stage->wrong_count += i != middle && !is_right;
    }
    stage->apart_share = difference_from_direct(stage);
    return RCITY_OK;
}

static rcity_status measure(const rcity_bench_run_data *run, lines_stage *stage)
{
    RCITY_TRY(trace(stage)); /* builds kernels */
    RCITY_TRY(check_source(stage, stage->source_count - 1));
    for (int i = 0; i < run->options->repeat_count; i++) {
        rcity_device_times before, after;
        rcity_device_get_times(stage->device, &before);
        double start_s = rcity_clock_s();
        RCITY_TRY(trace(stage));
        rcity_bench_times_add(&stage->whole, rcity_clock_s() - start_s);
        rcity_device_get_times(stage->device, &after);
        rcity_bench_times_add(&stage->kernel, after.kernel_s - before.kernel_s);
    }
    RCITY_TRY(check_source(stage, 0));
    RCITY_CHECK(run->context, stage->wrong_count == 0, RCITY_ERR_STATE,
                "the sums of %lld lines differ from those of plain loops", (long long)stage->wrong_count);
    return RCITY_OK;
}

/* Cells that the lines of a square have, and the steps that are taken. */
static void count_steps(const lines_stage *stage, double *line_steps, double *walked_steps)
{
    int64_t all = 0;
    int64_t walked = 0;
    for (int32_t y = -stage->job.reach; y < stage->job.reach; y++) {
        for (int32_t x = -stage->job.reach; x < stage->job.reach; x++) {
            int32_t length = rcity_cube_distance((rcity_cube){0, 0, 0}, (rcity_cube){x, y, 0});
            all += length;
            walked += length > 0 ? (length - 1) % stage->job.edge + 1 : 0;
        }
    }
    *line_steps = (double)all / (double)(stage->cell_count - 1);
    *walked_steps = (double)walked / (double)(stage->cell_count - 1);
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const lines_stage *stage,
                   const char *unit, const rcity_bench_times *times)
{
    char note[600];
    char scene[80];
    double line_steps, walked_steps;
    count_steps(stage, &line_steps, &walked_steps);
    double best_s = rcity_bench_times_best(times);
    double lines = (double)stage->source_count * (double)(stage->cell_count - 1);
    double sum = 0.0;
    for (int64_t i = 0; i < stage->cell_count; i++) {
        rcity_float4 sums = stage->sums[place_of(stage, i)];
        sum += (double)(rcity_x(sums) + rcity_y(sums) + rcity_z(sums) + rcity_w(sums));
    }
    int used = snprintf(note, sizeof note,
                        "%lld sources, %.1f steps a line, %.1f of them walked: %.3g steps/s of 20 bytes and four sums, "
                        "%.3g GB/s out; sums equal to plain loops, bit for bit; checksum of the first source %.0f",
                        (long long)stage->source_count, line_steps, walked_steps, lines * walked_steps / best_s,
                        1e-9 * 20.0 * lines / best_s, sum);
    if (stage->is_super) {
        snprintf(note + used, sizeof note - (size_t)used,
                 "; the sums differ from those of direct lines by %.2f %% on the average", 100.0 * stage->apart_share);
    } else {
        snprintf(note + used, sizeof note - (size_t)used, "; %d bundles of %d lines a source", stage->job.bundle_count,
                 RCITY_LINE_BUNDLE);
    }
    snprintf(scene, sizeof scene, "%d x %d cells, a quarter of them filled", 2 * stage->job.reach,
             2 * stage->job.reach);
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = stage->device_info.id,
        .scene = scene,
        .thread_count = rcity_context_thread_count(run->context),
        .value = 1e-6 * lines / best_s,
        .unit = unit,
        .best_s = best_s,
        .median_s = rcity_bench_times_median(times),
        .yardstick = "plain loops of direct lines on the host",
        .yardstick_value = 1e-6 * (double)(stage->cell_count - 1) / row_step_of(stage) / stage->plain_s,
        .note = note,
    };
    result.ratio = result.value / result.yardstick_value;
    run->report(run->user, &result);
}

rcity_status rcity_bench_lines(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    lines_stage stage;
    memset(&stage, 0, sizeof stage);
    stage.context = run->context;
    rcity_status status;
    RCITY_TRY_DONE(stage_init(run, info, &stage));
    RCITY_TRY_DONE(measure(run, &stage));
    report(run, info, &stage, "M lines/s", &stage.whole);
    if (strcmp(stage.device_info.kind, "host") != 0) { /* without launching and waiting */
        report(run, info, &stage, "M lines/s kernel", &stage.kernel);
    }
done:
    stage_deinit(&stage);
    return status;
}
