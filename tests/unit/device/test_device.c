/* Devices as callers see them: the same answers on every device, however a launch is cut; clear refusals. */
#include "rcity_test.h"

#include "mix_kernel.h"

/* ---- the host ---- */

static void count_visits(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    (void)job;
    uint8_t *visits = buffers[0].out;
    for (int64_t i = begin; i < end; i++) {
        visits[i]++;
    }
}

static void test_host_covers_every_item_once(void **state)
{
    (void)state;
    static const int64_t counts[] = {0, 1, 2, 63, 64, 65, 1023, 1024, 1025, 10007};
    static const int threads[] = {1, 2, 3, 8};
    static uint8_t visits[10008];
    rcity_kernel kernel = {.name = "count", .job_bytes = 1, .buffer_count = 1, .host_run = count_visits};
    kernel.buffer[0].use = RCITY_BUFFER_ITEM_OUT;
    kernel.buffer[0].element_bytes = 1;
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        rcity_context *context = make_context(threads[t]);
        rcity_device *device = open_device(context, "host");
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            memset(visits, 0, sizeof visits);
            rcity_launch launch = {.kernel = &kernel, .job = "", .item_count = counts[c], .task = "count"};
            launch.buffer[0].out = visits;
            assert_int_equal(rcity_device_run(context, device, &launch), RCITY_OK);
            for (int64_t i = 0; i < (int64_t)sizeof visits; i++) {
                assert_int_equal(visits[i], i < counts[c]);
            }
        }
        rcity_device_close(&device);
        rcity_context_destroy(&context);
    }
}

static void test_host_describes_itself(void **state)
{
    (void)state;
    rcity_context *context = make_context(3);
    rcity_device *device = open_device(context, "host");
    rcity_device_info info;
    rcity_device_describe(device, &info);
    assert_string_equal(info.id, "host");
    assert_string_equal(info.kind, "host");
    assert_true(info.name[0] != '\0');
    assert_true(info.is_usable && info.has_fp64 && info.has_int64_atomics);
    assert_true(info.compute_units == 3 || info.compute_units == 1); /* 1 when built without OpenMP */
    assert_true(info.memory_bytes > 0 && info.buffer_max_bytes > 0);
    rcity_device_close(&device);
    assert_null(device);
    rcity_device_close(&device);
    rcity_device_close(NULL);
    rcity_context_destroy(&context);
}

/* ---- every device gives the host's answers ---- */

static void run_counts(rcity_context *context, const char *id, int32_t table_count)
{
    static const int64_t counts[] = {0, 1, 63, 64, 65, 10007};
    rcity_device *device = open_device(context, id);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        mix_run run = mix_init(counts[c]);
        run.job.table_count = table_count;
        assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_OK);
        assert_mixed(&run);
        mix_deinit(&run);
    }
    rcity_device_close(&device);
}

static void test_all_devices_agree(void **state)
{
    (void)state;
    for (int thread_count = 1; thread_count <= 3; thread_count++) {
        rcity_context *context = make_context(thread_count);
        run_counts(context, "host", TABLE_COUNT);
        for (int i = 0; i < usable_count; i++) {
            run_counts(context, usable_id[i], TABLE_COUNT);
            run_counts(context, usable_id[i], 0); /* an empty shared buffer, without memory on the host */
        }
        rcity_context_destroy(&context);
    }
}

static void test_pieces_do_not_show(void **state)
{
    (void)state;
    need_opencl();
    static const uint64_t limits[] = {24, 64, 1000, 80048, 80056, 1 << 20, 0};
    rcity_context *context = make_context(1);
    rcity_device *device = open_device(context, usable_id[0]);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        mix_run run = mix_init(limits[i] == 24 ? 1001 : 10007);
        rcity_device_limit_buffer(device, limits[i]);
        rcity_device_times before = times_of(device);
        assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_OK);
        assert_mixed(&run);
        int64_t fitting = limits[i] == 0 ? run.count : (int64_t)(limits[i] / 8); /* the largest element has 8 bytes */
        rcity_device_times after = times_of(device);
        assert_int_equal(after.launch_count - before.launch_count, (run.count + fitting - 1) / fitting);
        assert_int_equal(after.upload_bytes - before.upload_bytes, 4 * (run.count + TABLE_COUNT));
        assert_int_equal(after.download_bytes - before.download_bytes, 10 * run.count);
        assert_true(after.kernel_s > before.kernel_s);
        mix_deinit(&run);
    }
    rcity_device_close(&device);
    rcity_context_destroy(&context);
}

/* What was written and read before is there, whatever memory the copies go through. */
static void test_finished_copies(void **state)
{
    (void)state;
    need_opencl();
    enum { WINDOW = 4 << 20, COUNT = 3 * WINDOW };
    static const size_t pins[] = {0, 1, WINDOW};
    uint8_t *sent = malloc(COUNT);
    uint8_t *found = malloc(COUNT);
    assert_non_null(sent);
    assert_non_null(found);
    for (size_t p = 0; p < sizeof pins / sizeof pins[0]; p++) {
        rcity_context *context = make_context(2);
        rcity_device *device = open_device(context, usable_id[0]);
        rcity_device_pin_from(device, pins[p]);
        rcity_resident *kept = NULL;
        assert_int_equal(rcity_resident_create_empty(context, device, COUNT, 1, "bytes", &kept), RCITY_OK);
        for (int64_t bytes = 1000; bytes <= COUNT; bytes = 11 * bytes + 7) {
            memset(sent, (int)(bytes % 251), (size_t)bytes);
            memset(found, 0, (size_t)bytes);
            assert_int_equal(rcity_resident_write(context, kept, 0, bytes, sent), RCITY_OK);
            assert_int_equal(rcity_resident_read(context, kept, 0, bytes, found), RCITY_OK);
            assert_int_equal(rcity_device_finish_copies(context, device), RCITY_OK);
            assert_memory_equal(found, sent, (size_t)bytes);
        }
        assert_true(times_of(device).upload_s > 0.0);
        assert_int_equal(times_of(device).upload_bytes, times_of(device).download_bytes);
        rcity_resident_destroy(&kept);
        rcity_device_close(&device);
        rcity_context_destroy(&context);
    }
    free(found);
    free(sent);
}

/* Blocks that come home through windows of 4 MiB, of sizes around those; and residents read from anywhere. */
static void test_pinned_windows(void **state)
{
    (void)state;
    need_opencl();
    enum { WINDOW = 4 << 20, MOST = 4 * WINDOW + 3 };
    static const int64_t counts[] = {1, WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW, MOST};
    uint8_t *sent = malloc(MOST);
    uint8_t *found = malloc(MOST);
    assert_non_null(sent);
    assert_non_null(found);
    for (size_t i = 0; i < MOST; i++) {
        sent[i] = (uint8_t)(i * 2654435761u >> 13);
    }
    for (int threads = 1; threads <= 3; threads += 2) {
        rcity_context *context = make_context(threads);
        rcity_device *device = open_device(context, usable_id[0]);
        rcity_device_pin_from(device, threads == 1 ? 1 : WINDOW); /* smaller ones take the kernels' queue */
        rcity_resident *kept = NULL;
        assert_int_equal(rcity_resident_create_empty(context, device, MOST, 1, "bytes", &kept), RCITY_OK);
        assert_int_equal(rcity_resident_write(context, kept, 0, MOST, sent), RCITY_OK);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (int64_t first = 0; first <= MOST - counts[c]; first += 5 * WINDOW / 3 + 1) {
                uint64_t before = times_of(device).download_bytes;
                memset(found, 0, MOST);
                assert_int_equal(rcity_resident_read(context, kept, first, counts[c], found), RCITY_OK);
                assert_int_equal(rcity_device_finish(context, device), RCITY_OK);
                assert_memory_equal(found, sent + first, (size_t)counts[c]);
                assert_int_equal(times_of(device).download_bytes - before, counts[c]);
            }
        }
        assert_true(times_of(device).download_s > 0.0);
        mix_run run = mix_init(600000); /* results of a launch, too */
        assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_OK);
        assert_mixed(&run);
        mix_deinit(&run);
        rcity_resident_destroy(&kept);
        rcity_device_close(&device);
        rcity_context_destroy(&context);
    }
    free(sent);
    free(found);
}

/* ---- data that stay ---- */

static uint64_t reused_bytes(const rcity_device *device)
{
    rcity_device_load load;
    rcity_device_get_load(device, &load);
    return load.reused_bytes;
}

/* Memory that a resident leaves is taken by the next one of about its size, while copies out of it are pending; and all of
   it is gone when the device closes. */
static void test_memory_is_reused(void **state)
{
    (void)state;
    need_opencl();
    enum { COUNT = 1 << 20, MANY = 100 };
    rcity_context *context = make_context(2);
    uint64_t used = rcity_context_memory_used(context);
    rcity_device *device = open_device(context, usable_id[0]);
    uint8_t *sent = malloc(COUNT);
    uint8_t *found = malloc((size_t)COUNT * 2);
    assert_non_null(sent);
    assert_non_null(found);
    rcity_resident *kept = NULL;
    for (int round = 0; round < 4; round++) {
        int64_t count = COUNT - round * (COUNT / 8);
        memset(sent, 1 + round, COUNT);
        assert_int_equal(rcity_resident_create_empty(context, device, count, 1, "bytes", &kept), RCITY_OK);
        assert_int_equal(reused_bytes(device) > 0, round > 0);
        assert_int_equal(rcity_resident_write(context, kept, 0, count, sent), RCITY_OK);
        assert_int_equal(rcity_resident_read(context, kept, 0, count, found), RCITY_OK);
        rcity_resident_destroy(&kept); /* the copies above may be pending */
        assert_int_equal(rcity_resident_create_empty(context, device, count, 1, "bytes", &kept), RCITY_OK);
        memset(found + COUNT, 99, COUNT);
        assert_int_equal(rcity_resident_write(context, kept, 0, count, found + COUNT), RCITY_OK);
        assert_int_equal(rcity_device_finish(context, device), RCITY_OK);
        assert_memory_equal(found, sent, (size_t)count);
        rcity_resident_destroy(&kept);
    }
    uint64_t before = reused_bytes(device);
    assert_int_equal(rcity_resident_create_empty(context, device, COUNT / 4, 1, "bytes", &kept), RCITY_OK);
    assert_int_equal(reused_bytes(device), before); /* what there is is far too large */
    rcity_resident_destroy(&kept);
    rcity_resident *many[MANY] = {NULL};
    for (int i = 0; i < MANY; i++) { /* more than are kept */
        assert_int_equal(rcity_resident_create_empty(context, device, COUNT, 1, "bytes", &many[i]), RCITY_OK);
    }
    for (int i = 0; i < MANY; i++) {
        rcity_resident_destroy(&many[i]);
    }
    rcity_device_close(&device);
    assert_int_equal(rcity_context_memory_used(context), used);
    free(sent);
    free(found);
    rcity_context_destroy(&context);
}

static void run_resident(rcity_context *context, const char *id, int32_t table_count)
{
    uint64_t used = rcity_context_memory_used(context);
    rcity_device *device = open_device(context, id);
    mix_run run = mix_init(1000);
    rcity_resident *table = NULL;
    run.job.table_count = table_count;
    const int32_t *data = table_count > 0 ? run.table : NULL;
    assert_int_equal(rcity_resident_create(context, device, data, table_count, sizeof run.table[0], "a table", &table),
                     RCITY_OK);
    run.resident = table;
    uint64_t upload_bytes = times_of(device).upload_bytes;
    for (int round = 1; round <= 3; round++) {
        assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_OK);
        assert_mixed(&run);
        bool is_host = strcmp(id, "host") == 0; /* only the items travel */
        assert_int_equal(times_of(device).upload_bytes - upload_bytes, is_host ? 0 : 4000 * round);
    }
    rcity_resident_destroy(&table);
    assert_null(table);
    rcity_resident_destroy(&table);
    rcity_resident_destroy(NULL);
    mix_deinit(&run);
    rcity_device_close(&device);
    assert_int_equal(rcity_context_memory_used(context), used);
}

static void test_resident_table_is_uploaded_once(void **state)
{
    (void)state;
    rcity_context *context = make_context(2);
    run_resident(context, "host", TABLE_COUNT);
    for (int i = 0; i < usable_count; i++) {
        run_resident(context, usable_id[i], TABLE_COUNT);
        run_resident(context, usable_id[i], 0);
        const int32_t data[TABLE_COUNT] = {0};
        rcity_device *device = open_device(context, usable_id[i]);
        rcity_resident *table = NULL;
        rcity_device_limit_buffer(device, sizeof data - 1);
        assert_int_equal(rcity_resident_create(context, device, data, TABLE_COUNT, sizeof data[0], "a table", &table),
                         RCITY_ERR_MEMORY);
        assert_null(table);
        assert_non_null(strstr(rcity_context_message(context), "a table: needs 20 B in one block"));
        rcity_device_close(&device);
    }
    rcity_context_destroy(&context);
}

/* ---- data that kernels write and later kernels read ---- */

typedef struct fold_job {
    uint64_t step;
} fold_job;

/* Items of one launch touch neighbours that the launch before wrote: only in their order does the sum come out. */
static const char fold_source[] = "typedef struct fold_job { ulong step; } fold_job;\n"
                                  "__kernel void test_fold(fold_job job, long item_begin, long item_count,\n"
                                  "    __global const ulong *from, __global ulong *to)\n"
                                  "{\n"
                                  "    long i = get_global_id(0);\n"
                                  "    if (i >= item_count) return;\n"
                                  "    long item = item_begin + i;\n"
                                  "    to[item] = 3 * from[item] + from[item + 1] + job.step;\n"
                                  "}\n";

static void fold_host(const void *job_memory, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    const fold_job *job = job_memory;
    const uint64_t *from = buffers[0].in;
    uint64_t *to = buffers[1].out;
    for (int64_t i = begin; i < end; i++) {
        to[i] = 3 * from[i] + from[i + 1] + job->step;
    }
}

static const rcity_kernel fold_kernel = {
    .name = "test_fold",
    .source = fold_source,
    .job_bytes = sizeof(fold_job),
    .buffer_count = 2,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(uint64_t)}, {RCITY_BUFFER_ON_DEVICE, sizeof(uint64_t)}},
    .host_run = fold_host,
};

#define FOLD_COUNT 5000
#define FOLD_STEPS 300 /* more than a queue remembers */

static void run_on_device(rcity_context *context, const char *id, const char *task)
{
    rcity_device *device = open_device(context, id);
    rcity_resident *sides[2] = {NULL, NULL};
    uint64_t *expected = calloc(FOLD_COUNT, sizeof *expected);
    uint64_t *found = calloc(FOLD_COUNT, sizeof *found);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(rcity_resident_create_empty(context, device, FOLD_COUNT, sizeof *found, "a row", &sides[side]),
                         RCITY_OK);
        assert_int_equal(rcity_resident_count(sides[side]), FOLD_COUNT);
    }
    for (int64_t i = 0; i < FOLD_COUNT; i++) {
        expected[i] = (uint64_t)(i * i % 1009);
    }
    memcpy(found, expected, FOLD_COUNT * sizeof *found);
    int64_t half = FOLD_COUNT / 2 + 1; /* both ends of a partial write */
    rcity_device_times before = times_of(device);
    assert_int_equal(rcity_resident_write(context, sides[0], half, FOLD_COUNT - half, found + half), RCITY_OK);
    assert_int_equal(rcity_resident_write(context, sides[0], 0, half, found), RCITY_OK);
    for (int64_t step = 0; step < FOLD_STEPS; step++) {
        fold_job job = {(uint64_t)step};
        rcity_launch launch = {.kernel = &fold_kernel, .job = &job, .item_count = FOLD_COUNT - 1 - step, .task = task};
        launch.resident[0] = sides[step % 2];
        launch.resident[1] = sides[(step + 1) % 2];
        assert_int_equal(rcity_device_run(context, device, &launch), RCITY_OK);
        job.step = 1000; /* the launch has its own */
        for (int64_t i = 0; i < launch.item_count; i++) {
            expected[i] = 3 * expected[i] + expected[i + 1] + (uint64_t)step;
        }
    }
    memset(found, 0, FOLD_COUNT * sizeof *found);
    assert_int_equal(rcity_resident_read(context, sides[0], 10, FOLD_COUNT - FOLD_STEPS - 10, found + 10), RCITY_OK);
    assert_int_equal(rcity_resident_read(context, sides[0], 0, 0, NULL), RCITY_OK);
    assert_int_equal(rcity_device_finish(context, device), RCITY_OK);
    assert_memory_equal(found + 10, expected + 10, (FOLD_COUNT - FOLD_STEPS - 10) * sizeof *found);
    assert_true(found[0] == 0 && found[9] == 0);
    rcity_device_times after = times_of(device);
    assert_true(after.launch_count - before.launch_count >= FOLD_STEPS);
    assert_true(after.kernel_s > before.kernel_s);
    if (strcmp(id, "host") != 0) { /* nothing travels but what was asked for */
        assert_int_equal(after.upload_bytes - before.upload_bytes, 8 * FOLD_COUNT);
        assert_int_equal(after.download_bytes - before.download_bytes, 8 * (FOLD_COUNT - FOLD_STEPS - 10));
    }
    free(found);
    free(expected);
    rcity_resident_destroy(&sides[1]);
    rcity_resident_destroy(&sides[0]);
    rcity_device_close(&device);
}

static void test_later_kernels_read_earlier_results(void **state)
{
    (void)state;
    rcity_context *context = make_context(2);
    uint64_t used = rcity_context_memory_used(context);
    run_on_device(context, "host", NULL);
    for (int i = 0; i < usable_count; i++) {
        run_on_device(context, usable_id[i], NULL);
        run_on_device(context, usable_id[i], "folding"); /* waits after each piece */
        rcity_device *device = open_device(context, usable_id[i]);
        rcity_resident *row = NULL;
        rcity_device_limit_buffer(device, 8 * FOLD_COUNT - 1);
        assert_int_equal(rcity_resident_create_empty(context, device, FOLD_COUNT, 8, "a row", &row), RCITY_ERR_MEMORY);
        assert_non_null(strstr(rcity_context_message(context), "a row: needs"));
        rcity_device_close(&device);
    }
    assert_int_equal(rcity_context_memory_used(context), used);
    rcity_context_destroy(&context);
}

static void test_what_cannot_be_split_is_refused(void **state)
{
    (void)state;
    need_opencl();
    rcity_context *context = make_context(1);
    rcity_device *device = open_device(context, usable_id[0]);
    mix_run run = mix_init(100);
    rcity_device_limit_buffer(device, 4 * TABLE_COUNT - 1);
    assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_ERR_MEMORY);
    assert_non_null(strstr(rcity_context_message(context), "buffer 2 needs 20 B"));
    assert_non_null(strstr(rcity_context_message(context), "offers 19 B"));
    rcity_device_limit_buffer(device, 7);
    assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_ERR_MEMORY);
    assert_non_null(strstr(rcity_context_message(context), "buffer 1 needs 8 B"));
    rcity_device_limit_buffer(device, 0);
    assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_OK);
    assert_mixed(&run);
    mix_deinit(&run);
    rcity_device_close(&device);
    rcity_context_destroy(&context);
}

/* ---- kernels that cannot run ---- */

static void check_refused_kernel(rcity_kernel kernel, const char *words)
{
    rcity_context *context = make_context(1);
    rcity_device *device = open_device(context, usable_id[0]);
    uint64_t used = rcity_context_memory_used(context);
    mix_run run = mix_init(10);
    assert_int_equal(mix_launch(context, device, &kernel, &run), RCITY_ERR_UNSUPPORTED);
    if (strstr(rcity_context_message(context), words) == NULL) {
        fail_msg("'%s' is not in '%s'", words, rcity_context_message(context));
    }
    assert_non_null(strstr(rcity_context_message(context), usable_id[0]));
    assert_int_equal(mix_launch(context, device, &mix_kernel, &run), RCITY_OK); /* the device is still good */
    assert_mixed(&run);
    mix_deinit(&run);
    assert_true(rcity_context_memory_used(context) >= used);
    rcity_device_close(&device);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_bad_kernels_are_explained(void **state)
{
    (void)state;
    need_opencl();
    rcity_kernel kernel = mix_kernel;
    kernel.source = "__kernel void test_mix(__global int *a) { a[0] = undeclared_thing; }\n";
    check_refused_kernel(kernel, "undeclared_thing");
    kernel = mix_kernel;
    kernel.name = "test_absent";
    check_refused_kernel(kernel, "CL_INVALID_KERNEL_NAME");
    kernel = mix_kernel;
    kernel.job_bytes = 1 << 20;
    check_refused_kernel(kernel, "its arguments take");
}

/* ---- listing and choosing ---- */

static void test_devices_are_listed_with_one_default(void **state)
{
    (void)state;
    rcity_context *context = make_context(1);
    rcity_device_info infos[DEVICE_MAX];
    int count = 0;
    int same = 0;
    assert_int_equal(rcity_device_list(context, DEVICE_MAX, infos, &count), RCITY_OK);
    assert_true(count >= 1);
    int default_count = 0;
    char default_id[32] = "";
    for (int i = 0; i < count && i < DEVICE_MAX; i++) {
        assert_true(infos[i].id[0] != '\0' && infos[i].name[0] != '\0');
        assert_int_equal(infos[i].is_usable, infos[i].refusal[0] == '\0');
        default_count += infos[i].is_default;
        if (infos[i].is_default) {
            memcpy(default_id, infos[i].id, sizeof default_id);
        }
    }
    assert_string_equal(infos[0].id, "host");
    assert_int_equal(default_count, 1);
    memset(&infos[1], 0x55, sizeof infos[1]);
    assert_int_equal(rcity_device_list(context, 1, infos, &same), RCITY_OK);
    assert_int_equal(same, count);
    assert_int_equal(infos[1].id[0], 0x55);
    assert_int_equal(rcity_device_list(context, 0, NULL, &same), RCITY_OK);
    assert_int_equal(same, count);

    rcity_device *device = open_device(context, NULL);
    rcity_device_info info;
    rcity_device_describe(device, &info);
    assert_string_equal(info.id, default_id);
    assert_non_null(strstr(logged.info, default_id));
    assert_non_null(strstr(logged.info, info.name));
    rcity_device_close(&device);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_bad_ids(void **state)
{
    (void)state;
    static const char *const bad[] = {"",          "gpu",      "opencl",   "opencl:", "opencl:x", "opencl:-1",
                                      "opencl:1x", "opencl 0", "opencl::", "HOST",    " host",    "host "};
    static const char *const absent[] = {"opencl:99", "opencl:99999999999999999999999"};
    rcity_context *context = make_context(1);
    rcity_device *device = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(rcity_device_open(context, bad[i], &device), RCITY_ERR_ARGUMENT);
        assert_non_null(strstr(rcity_context_message(context), bad[i]));
        assert_non_null(strstr(rcity_context_message(context), "'host' or 'opencl:N'"));
    }
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        assert_int_equal(rcity_device_open(context, absent[i], &device), RCITY_ERR_NO_DEVICE);
        assert_non_null(strstr(rcity_context_message(context), absent[i]));
        assert_non_null(strstr(rcity_context_message(context), "radiocity devices"));
    }
    assert_null(device);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* ---- progress ---- */

typedef struct progress_record {
    int call_count, call_limit; /* stops at the limit; 0 never stops */
    double last, total;
} progress_record;

static bool keep_progress(void *user, const char *task, double done, double total)
{
    progress_record *record = user;
    assert_string_equal(task, "mixing");
    assert_true(done > record->last && done <= total);
    record->last = done;
    record->total = total;
    record->call_count++;
    return record->call_limit == 0 || record->call_count < record->call_limit;
}

static void check_progress(const char *id, int call_limit)
{
    progress_record record = {.call_limit = call_limit};
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 2;
    options.progress = keep_progress;
    options.progress_user = &record;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_device *device = open_device(context, id);
    rcity_device_limit_buffer(device, 8192);
    mix_run run = mix_init(10007);
    run.task = "mixing";
    rcity_status status = mix_launch(context, device, &mix_kernel, &run);
    if (call_limit == 0) {
        assert_int_equal(status, RCITY_OK);
        assert_true(record.call_count >= 1 && record.call_count <= 65);
        assert_true(record.last == 10007.0 && record.total == 10007.0);
        assert_mixed(&run);
    } else {
        assert_int_equal(status, RCITY_ERR_CANCELLED);
        assert_int_equal(record.call_count, call_limit);
    }
    mix_deinit(&run);
    rcity_device_close(&device);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_progress_and_stopping(void **state)
{
    (void)state;
    for (int i = -1; i < usable_count; i++) {
        const char *id = i < 0 ? "host" : usable_id[i];
        check_progress(id, 0);
        check_progress(id, 1);
    }
}

TEST_SUITE(device)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_covers_every_item_once),
        cmocka_unit_test(test_host_describes_itself),
        cmocka_unit_test(test_all_devices_agree),
        cmocka_unit_test(test_pieces_do_not_show),
        cmocka_unit_test(test_finished_copies),
        cmocka_unit_test(test_pinned_windows),
        cmocka_unit_test(test_memory_is_reused),
        cmocka_unit_test(test_resident_table_is_uploaded_once),
        cmocka_unit_test(test_later_kernels_read_earlier_results),
        cmocka_unit_test(test_what_cannot_be_split_is_refused),
        cmocka_unit_test(test_bad_kernels_are_explained),
        cmocka_unit_test(test_devices_are_listed_with_one_default),
        cmocka_unit_test(test_bad_ids),
        cmocka_unit_test(test_progress_and_stopping),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
