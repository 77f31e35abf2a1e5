/* Rays over terrain: the field of one transmitter on all triangles of made hills, beside the search that follows every ray from
   the transmitter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench_scene.h"
#include "method/terrain/rays/terrain_rays.h"
#include "scene/place/terrain.h"

#define TX_HEIGHT_M 30.0
#define RECEIVER_M  1.5
#define FREQUENCY   900e6

typedef struct rays_stage {
    rcity_scene *scene;
    rcity_device *device, *host;
    rcity_device_info device_info;
    rcity_grid_point3 source; /* in the middle */
    rcity_terrain_rays_field field;
} rays_stage;

static void stage_deinit(rcity_context *context, rays_stage *stage)
{
    rcity_terrain_rays_field_deinit(context, &stage->field);
    rcity_device_close(&stage->host);
    rcity_device_close(&stage->device);
    rcity_scene_destroy(&stage->scene);
}

static rcity_status stage_init(const rcity_bench_run_data *run, rays_stage *stage)
{
    const rcity_shapes *shapes = rcity_scene_shapes(stage->scene);
    const rcity_terrain_grid *grid = &shapes->terrain;
    RCITY_TRY(rcity_device_open(run->context, run->options->device, &stage->device));
    RCITY_TRY(rcity_device_open(run->context, "host", &stage->host));
    rcity_device_describe(stage->device, &stage->device_info);
    RCITY_CHECK(run->context, grid->column_count > 1 && grid->row_count > 1, RCITY_ERR_ARGUMENT,
                "the scene has no terrain to trace rays over");
    stage->source.x = grid->west + (grid->column_count - 1) / 2 * grid->cell + grid->cell / 3;
    stage->source.y = grid->south + (grid->row_count - 1) / 2 * grid->cell + grid->cell / 4;
    double ground = rcity_terrain_height(grid, stage->source.x, stage->source.y);
    stage->source.z = (int32_t)ceil(ground + TX_HEIGHT_M * RCITY_HEIGHT_UNITS_PER_M);
    return RCITY_OK;
}

/* Times of whole traces, and of the kernel alone. */
static rcity_status measure(const rcity_bench_run_data *run, rays_stage *stage, rcity_device *device,
                            const rcity_terrain_rays_options *options, int count, rcity_bench_times *whole,
                            rcity_bench_times *kernel)
{
    rcity_terrain_rays *rays = NULL;
    rcity_status status = RCITY_OK;
    RCITY_TRY(rcity_terrain_rays_open(run->context, device, rcity_scene_shapes(stage->scene), options, &rays));
    for (int i = -1; i < count; i++) { /* the first builds the kernel */
        rcity_device_times before;
        rcity_device_times after;
        rcity_terrain_rays_field_deinit(run->context, &stage->field);
        rcity_device_get_times(device, &before);
        double start_s = rcity_clock_s();
        RCITY_TRY_DONE(rcity_terrain_rays_trace(rays, stage->source, &stage->field));
        double whole_s = rcity_clock_s() - start_s;
        rcity_device_get_times(device, &after);
        if (i >= 0) {
            rcity_bench_times_add(whole, whole_s);
            rcity_bench_times_add(kernel, after.kernel_s - before.kernel_s);
        }
    }
done:
    rcity_terrain_rays_close(&rays);
    return status;
}

static void describe(const rays_stage *stage, int reflections, char *note, size_t note_bytes)
{
    int64_t value_count = 0;
    for (int64_t i = 0; i < stage->field.triangle_count; i++) {
        value_count += !isnan(stage->field.loss_db[i]);
    }
    snprintf(note, note_bytes, "%lld triangles, %lld azimuths, range %.0f m, %d reflections: %.1f %% have a value",
             (long long)stage->field.triangle_count, (long long)stage->field.ray_count, stage->field.range_m,
             reflections, 100.0 * (double)value_count / (double)stage->field.triangle_count);
}

static void report(const rcity_bench_run_data *run, const rcity_bench_info *info, const rays_stage *stage,
                   const char *unit, const rcity_bench_times *times, double plain_s, const char *note)
{
    double best_s = rcity_bench_times_best(times);
    rcity_bench_result result = {
        .name = info->name,
        .item = info->item,
        .device = stage->device_info.id,
        .scene = rcity_scene_source(stage->scene),
        .thread_count = rcity_context_thread_count(run->context),
        .value = 1.0 / best_s,
        .unit = unit,
        .best_s = best_s,
        .median_s = rcity_bench_times_median(times),
        .yardstick = plain_s > 0.0 ? "each ray followed, host" : NULL,
        .yardstick_value = plain_s > 0.0 ? 1.0 / plain_s : (double)NAN,
        .ratio = plain_s > 0.0 ? plain_s / best_s : (double)NAN,
        .note = note,
    };
    run->report(run->user, &result);
}

rcity_status rcity_bench_terrain_rays(const rcity_bench_run_data *run, const rcity_bench_info *info)
{
    rays_stage stage;
    memset(&stage, 0, sizeof stage);
    rcity_status status;
    RCITY_TRY(rcity_bench_open_scene(run, info, &stage.scene));
    RCITY_TRY_DONE(stage_init(run, &stage));
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    options.frequency_hz = FREQUENCY;
    options.receiver_height_m = RECEIVER_M;
    rcity_bench_times plain;
    rcity_bench_times plain_kernel;
    memset(&plain, 0, sizeof plain);
    memset(&plain_kernel, 0, sizeof plain_kernel);
    options.plain = true;
    RCITY_TRY_DONE(measure(run, &stage, stage.host, &options, 1, &plain, &plain_kernel));
    options.plain = false;
    for (options.reflections = 0; options.reflections < 2; options.reflections++) {
        rcity_bench_times whole;
        rcity_bench_times kernel;
        char note[200];
        memset(&whole, 0, sizeof whole);
        memset(&kernel, 0, sizeof kernel);
        RCITY_TRY_DONE(measure(run, &stage, stage.device, &options, run->options->repeat_count, &whole, &kernel));
        describe(&stage, options.reflections, note, sizeof note);
        double plain_s = options.reflections == 0 ? rcity_bench_times_best(&plain) : 0.0;
        report(run, info, &stage, options.reflections == 0 ? "maps/s" : "maps/s reflected", &whole, plain_s, note);
        if (strcmp(stage.device_info.kind, "host") != 0) { /* without the copies */
            report(run, info, &stage, options.reflections == 0 ? "maps/s kernel" : "maps/s reflected kernel", &kernel,
                   0.0, note);
        }
    }
done:
    stage_deinit(run->context, &stage);
    return status;
}
