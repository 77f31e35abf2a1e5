/* What the tests of devices share: one kernel with every use of a buffer, in C and in OpenCL C; contexts that keep
   their log; the list of usable devices; a folder of their own for the program cache. Include after cmocka.h. */
#ifndef RCITY_TESTS_DEVICE_MIX_KERNEL_H
#define RCITY_TESTS_DEVICE_MIX_KERNEL_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/device.h"

#define TABLE_COUNT 5
#define DEVICE_MAX  16

/* ---- one kernel with every use of a buffer, in C and in OpenCL C ---- */

typedef struct mix_job {
    int64_t factor;
    int32_t offset;
    int32_t table_count;
} mix_job;

static const char mix_source[] = "typedef struct mix_job { long factor; int offset; int table_count; } mix_job;\n"
                                 "__kernel void test_mix(mix_job job, long item_begin, long item_count,\n"
                                 "    __global const int *in, __global long *out, __global const int *table,\n"
                                 "    __global short *item_low)\n"
                                 "{\n"
                                 "    long i = get_global_id(0);\n"
                                 "    if (i >= item_count) return;\n"
                                 "    long item = item_begin + i;\n"
                                 "    long sum = job.factor * in[i] + job.offset;\n"
                                 "    if (job.table_count > 0) sum += table[item % job.table_count];\n"
                                 "    out[i] = sum;\n"
                                 "    item_low[i] = (short)(item & 0x7fff);\n"
                                 "}\n";

static inline void mix_host(const void *job_memory, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    const mix_job *job = job_memory;
    const int32_t *in = buffers[0].in;
    int64_t *out = buffers[1].out;
    const int32_t *table = buffers[2].in;
    int16_t *item_low = buffers[3].out;
    for (int64_t item = begin; item < end; item++) {
        int64_t sum = job->factor * in[item] + job->offset;
        if (job->table_count > 0) {
            sum += table[item % job->table_count];
        }
        out[item] = sum;
        item_low[item] = (int16_t)(item & 0x7fff);
    }
}

static const rcity_kernel mix_kernel = {
    .name = "test_mix",
    .source = mix_source,
    .job_bytes = sizeof(mix_job),
    .buffer_count = 4,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(int32_t)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(int64_t)},
               {RCITY_BUFFER_SHARED_IN, sizeof(int32_t)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(int16_t)}},
    .host_run = mix_host,
};

/* Memory of one launch. */
typedef struct mix_run {
    int64_t count;
    int32_t *in;
    int64_t *out;
    int16_t *item_low;
    int32_t table[TABLE_COUNT];
    mix_job job;
    const char *task;
    const rcity_resident *resident; /* NULL, or the table kept on the device */
} mix_run;

static inline mix_run mix_init(int64_t count)
{
    mix_run run = {.count = count, .table = {11, 7, -5, 3, 2}, .job = {3000000000, -17, TABLE_COUNT}};
    run.in = calloc((size_t)count + 1, sizeof *run.in);
    run.out = calloc((size_t)count + 1, sizeof *run.out);
    run.item_low = calloc((size_t)count + 1, sizeof *run.item_low);
    for (int64_t i = 0; i < count; i++) {
        run.in[i] = (int32_t)((i * 2654435761) & 0xffff) - 1234;
    }
    return run;
}

static inline void mix_deinit(mix_run *run)
{
    free(run->in);
    free(run->out);
    free(run->item_low);
}

static inline rcity_status mix_launch(rcity_context *context, rcity_device *device, const rcity_kernel *kernel,
                                      mix_run *run)
{
    rcity_launch launch = {.kernel = kernel, .job = &run->job, .item_count = run->count, .task = run->task};
    launch.buffer[0].in = run->in;
    launch.buffer[1].out = run->out;
    launch.buffer[2].in = run->job.table_count > 0 ? run->table : NULL;
    launch.buffer[3].out = run->item_low;
    launch.shared_count[2] = run->job.table_count;
    launch.resident[2] = run->resident;
    if (run->resident != NULL) {
        launch.buffer[2].in = NULL; /* it alone has to do */
        launch.shared_count[2] = 0;
    }
    memset(run->out, 0xee, (size_t)run->count * sizeof *run->out);
    memset(run->item_low, 0xee, (size_t)run->count * sizeof *run->item_low);
    return rcity_device_run(context, device, &launch);
}

/* Against the plain formula, not against the host device. */
static inline void assert_mixed(const mix_run *run)
{
    for (int64_t i = 0; i < run->count; i++) {
        int64_t sum = run->job.factor * run->in[i] + run->job.offset;
        sum += run->job.table_count > 0 ? run->table[i % run->job.table_count] : 0;
        assert_int_equal(run->out[i], sum);
        assert_int_equal(run->item_low[i], i & 0x7fff);
    }
    assert_int_equal(run->out[run->count], 0); /* one past the end stays as it was */
    assert_int_equal(run->item_low[run->count], 0);
}

/* ---- contexts, devices and the cache's folder ---- */

typedef struct log_text {
    char info[1024]; /* last line of each level */
    char debug[2048];
} log_text;

static inline void keep_log(void *user, rcity_log_level level, const char *text)
{
    log_text *kept = user;
    if (level == RCITY_LOG_INFO) {
        snprintf(kept->info, sizeof kept->info, "%s", text);
    } else if (level == RCITY_LOG_DEBUG) {
        snprintf(kept->debug, sizeof kept->debug, "%s", text);
    }
}

static log_text logged;

static inline rcity_context *make_context(int thread_count)
{
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = thread_count;
    options.log = keep_log;
    options.log_user = &logged;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    return context;
}

static char cache_folder[64];
static char usable_id[DEVICE_MAX][32];
static int usable_count;

static inline void cache_path(const char *name, char *path, size_t bytes)
{
    assert_true(snprintf(path, bytes, "%s/%s", cache_folder, name) < (int)bytes);
}

/* Remove all programs; returns how many there were. The last one's path is left in `path` when given. */
static inline int visit_cache(bool is_removing, char *path, size_t path_bytes)
{
    int count = 0;
    DIR *folder = opendir(cache_folder);
    struct dirent *item;
    while (folder != NULL && (item = readdir(folder)) != NULL) {
        char found[512];
        if (item->d_name[0] == '.') {
            continue;
        }
        cache_path(item->d_name, found, sizeof found);
        count++;
        if (is_removing) {
            assert_int_equal(unlink(found), 0);
        } else {
            snprintf(path, path_bytes, "%s", found);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

static inline void clear_cache(void)
{
    visit_cache(true, NULL, 0);
}

static inline int set_up(void **state)
{
    (void)state;
    snprintf(cache_folder, sizeof cache_folder, "/tmp/rcity_test_cache_XXXXXX");
    assert_non_null(mkdtemp(cache_folder));
    assert_int_equal(setenv("RADIOCITY_CACHE_DIR", cache_folder, 1), 0);
    rcity_context *context = make_context(2);
    rcity_device_info infos[DEVICE_MAX];
    int count = 0;
    assert_int_equal(rcity_device_list(context, DEVICE_MAX, infos, &count), RCITY_OK);
    for (int i = 1; i < count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            memcpy(usable_id[usable_count++], infos[i].id, sizeof infos[i].id);
        }
    }
    if (usable_count == 0) {
        printf("skipped: no usable OpenCL device here, its tests do nothing (%s)\n", count > 1 ? infos[1].refusal : "");
    }
    rcity_context_destroy(&context);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    clear_cache();
    return rmdir(cache_folder);
}

/* Skips the test that calls it, visibly, on a machine without OpenCL. */
static inline void need_opencl(void)
{
    if (usable_count == 0) {
        skip();
    }
}

static inline rcity_device *open_device(rcity_context *context, const char *id)
{
    rcity_device *device = NULL;
    if (rcity_device_open(context, id, &device) != RCITY_OK) {
        fail_msg("%s", rcity_context_message(context));
    }
    return device;
}

static inline rcity_device_times times_of(const rcity_device *device)
{
    rcity_device_times times;
    rcity_device_get_times(device, &times);
    return times;
}

#endif
