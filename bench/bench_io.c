/* Files: load, save and draw a city, compared with plain reads and writes of the same bytes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "bench/bench_data.h"
#include "radiocity/city.h"
#include "radiocity/io.h"

/* A city in memory and on disk. */
typedef struct io_city {
    rcity_context *context;
    rcity_scene *scene;
    char scene_path[256];
    char picture_path[256];
    char copy_path[256];
    char *bytes;
    size_t byte_count;
} io_city;

static void io_city_deinit(io_city *city)
{
    unlink(city->scene_path);
    unlink(city->picture_path);
    unlink(city->copy_path);
    rcity_release(city->context, city->bytes);
    rcity_scene_destroy(&city->scene);
}

static rcity_status io_city_init(const rcity_bench_run_data *run, io_city *city)
{
    memset(city, 0, sizeof *city);
    city->context = run->context;
    const char *folder = getenv("TMPDIR");
    folder = folder != NULL && strlen(folder) < 128 ? folder : "/tmp";
    snprintf(city->scene_path, sizeof city->scene_path, "%s/radiocity-bench-%ld.rcity", folder, (long)getpid());
    snprintf(city->picture_path, sizeof city->picture_path, "%s/radiocity-bench-%ld.png", folder, (long)getpid());
    snprintf(city->copy_path, sizeof city->copy_path, "%s/radiocity-bench-%ld.bytes", folder, (long)getpid());
    rcity_status status;
    if (run->options->scene_path != NULL) {
        RCITY_TRY_DONE(rcity_scene_load(run->context, run->options->scene_path, &city->scene));
    } else {
        rcity_city_options options = rcity_city_options_default();
        options.kind = RCITY_CITY_HIGHRISE;
        options.area_km2 = run->options->area_km2;
        RCITY_TRY_DONE(rcity_city_make(run->context, &options, &city->scene));
    }
    RCITY_TRY_DONE(rcity_scene_save(run->context, city->scene, city->scene_path));
    RCITY_TRY_DONE(rcity_file_load(run->context, city->scene_path, &city->bytes, &city->byte_count));
done:
    if (status != RCITY_OK) {
        io_city_deinit(city);
    }
    return status;
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const io_city *city, double amount,
                   const char *unit, const rcity_bench_times *times, const char *yardstick,
                   const rcity_bench_times *yardstick_times)
{
    char scene[300];
    rcity_scene_info scene_info;
    if (rcity_scene_describe(city->scene, &scene_info) == RCITY_OK) {
        snprintf(scene, sizeof scene, "%s", scene_info.source);
    } else {
        snprintf(scene, sizeof scene, "unknown");
    }
    rcity_bench_result result;
    memset(&result, 0, sizeof result);
    result.name = info->name;
    result.item = info->item;
    result.device = "host";
    result.scene = scene;
    result.thread_count = 1;
    result.best_s = rcity_bench_times_best(times);
    result.median_s = rcity_bench_times_median(times);
    result.value = amount / result.best_s;
    result.unit = unit;
    result.yardstick = yardstick;
    result.yardstick_value = yardstick != NULL ? amount / rcity_bench_times_best(yardstick_times) : (double)NAN;
    result.ratio = result.value / result.yardstick_value;
    run->report(run->user, &result);
}

rcity_status rcity_bench_io_load(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    io_city city;
    RCITY_TRY(io_city_init(run, &city));
    rcity_bench_times times = {.count = 0};
    rcity_bench_times yardstick = {.count = 0};
    rcity_status status = RCITY_OK;
    for (int i = 0; i < run->options->repeat_count; i++) {
        rcity_scene *scene = NULL;
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_scene_load(run->context, city.scene_path, &scene));
        rcity_bench_times_add(&times, rcity_clock_s() - start_s);
        rcity_scene_destroy(&scene);
        char *bytes = NULL;
        size_t byte_count;
        start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_file_load(run->context, city.scene_path, &bytes, &byte_count));
        rcity_bench_times_add(&yardstick, rcity_clock_s() - start_s);
        rcity_release(run->context, bytes);
    }
    report(run, info, &city, (double)city.byte_count * 1e-6, "MB/s", &times, "read of the same bytes", &yardstick);
done:
    io_city_deinit(&city);
    return status;
}

rcity_status rcity_bench_io_save(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    io_city city;
    RCITY_TRY(io_city_init(run, &city));
    rcity_bench_times times = {.count = 0};
    rcity_bench_times yardstick = {.count = 0};
    rcity_status status = RCITY_OK;
    for (int i = 0; i < run->options->repeat_count; i++) {
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_scene_save(run->context, city.scene, city.scene_path));
        rcity_bench_times_add(&times, rcity_clock_s() - start_s);
        start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_file_save(run->context, city.copy_path, city.bytes, city.byte_count));
        rcity_bench_times_add(&yardstick, rcity_clock_s() - start_s);
    }
    report(run, info, &city, (double)city.byte_count * 1e-6, "MB/s", &times, "write of the same bytes", &yardstick);
done:
    io_city_deinit(&city);
    return status;
}

rcity_status rcity_bench_io_draw(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    if (!rcity_build_features_get().has_pictures) {
        rcity_log(run->context, RCITY_LOG_WARNING, "io draw is left out: this build has no Cairo");
        return RCITY_OK;
    }
    io_city city;
    RCITY_TRY(io_city_init(run, &city));
    rcity_bench_times times = {.count = 0};
    rcity_status status = RCITY_OK;
    rcity_picture_options options = rcity_picture_options_default();
    options.width_px = 1600;
    for (int i = 0; i < run->options->repeat_count; i++) {
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_picture_save(run->context, city.scene, NULL, &options, city.picture_path));
        rcity_bench_times_add(&times, rcity_clock_s() - start_s);
    }
    report(run, info, &city, 1.0, "pictures/s", &times, NULL, NULL);
done:
    io_city_deinit(&city);
    return status;
}
