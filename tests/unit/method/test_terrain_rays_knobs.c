/* What the tracer's knobs cost and change: triangle size, azimuth step, effects, against exact lines of sight. Quick over made
   hills; in full size over 10 x 10 km of real ones, as the table of docs/methods/terrain-rays.md has it. */
#include "rcity_test.h"

#include <time.h>

#include "base/parallel.h"
#include "ray_hills.h"

#define RECEIVER_M 1.5
#define REPEATS    5

/* Of the processor, since others use it too; one thread. */
static double processor_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* The receivers are the centres of the finest triangles. */
typedef struct knob_stage {
    const rcity_shapes *shapes;
    rcity_grid_point3 source;
    int64_t receiver_count;
    rcity_grid_point3 *receivers;
    uint8_t *is_free;
    double exact_s;
} knob_stage;

/* An rcity_parallel_function. */
static void test_receivers(void *user, int64_t begin, int64_t end, int thread_index)
{
    knob_stage *stage = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        stage->is_free[i] = !rcity_terrain_blocks(&stage->shapes->terrain, stage->source, stage->receivers[i]);
    }
}

static void open_stage(rcity_context *context, const rcity_shapes *shapes, rcity_grid_point3 source, knob_stage *stage)
{
    const rcity_terrain_grid *grid = &shapes->terrain;
    stage->shapes = shapes;
    stage->source = source;
    stage->receiver_count = (int64_t)2 * (grid->column_count - 1) * (grid->row_count - 1);
    stage->receivers = malloc((size_t)stage->receiver_count * sizeof *stage->receivers);
    stage->is_free = malloc((size_t)stage->receiver_count);
    for (int64_t k = 0; k < stage->receiver_count; k++) {
        int32_t corner[3][2];
        ray_hills_corners(grid, k, corner);
        int64_t x = ((int64_t)corner[0][0] + corner[1][0] + corner[2][0]) * grid->cell / 3;
        int64_t y = ((int64_t)corner[0][1] + corner[1][1] + corner[2][1]) * grid->cell / 3;
        rcity_grid_point3 at = {grid->west + (int32_t)x, grid->south + (int32_t)y, 0};
        at.z = (int32_t)lround(rcity_terrain_height(grid, at.x, at.y) + RECEIVER_M * RCITY_HEIGHT_UNITS_PER_M);
        stage->receivers[k] = at;
    }
    double start_s = processor_s();
    rcity_parallel(context, stage->receiver_count, 256, test_receivers, stage);
    stage->exact_s = processor_s() - start_s;
}

static void close_stage(knob_stage *stage)
{
    free(stage->receivers);
    free(stage->is_free);
}

/* @return the share of receivers that the tracer and the exact test disagree on. */
static double run(rcity_context *context, const knob_stage *stage, const char *what,
                  const rcity_terrain_rays_options *options, rcity_terrain_rays_field *field)
{
    rcity_device *device = ray_hills_device(context, "host");
    rcity_terrain_rays *rays = NULL;
    double best_s = 1e9;
    assert_ok(context, rcity_terrain_rays_open(context, device, stage->shapes, options, &rays));
    for (int i = 0; i < (options->plain ? 1 : REPEATS); i++) {
        rcity_terrain_rays_field_deinit(context, field);
        double start_s = processor_s();
        assert_ok(context, rcity_terrain_rays_trace(rays, stage->source, field));
        best_s = fmin(best_s, processor_s() - start_s);
    }
    int64_t count[2][2] = {{0, 0}, {0, 0}}; /* [is in sight][is seen] */
    int64_t value_count = 0;
    for (int64_t i = 0; i < stage->receiver_count; i++) {
        int64_t triangle = rcity_terrain_rays_triangle(&field->grid, stage->receivers[i].x, stage->receivers[i].y);
        if (triangle >= 0) {
            count[stage->is_free[i]][ray_hills_is_seen(field, triangle) ? 1 : 0]++;
            value_count += !isnan(field->loss_db[triangle]);
        }
    }
    double free_count = (double)(count[1][0] + count[1][1]);
    double hidden_count = (double)(count[0][0] + count[0][1]);
    double wrong = (double)(count[0][1] + count[1][0]) / (free_count + hidden_count);
    print_message("%-36s %6lld azimuths %8.4f s  missed %6.2f %%  extra %6.2f %%  agree %6.2f %%  valued %6.2f %%\n",
                  what, (long long)field->ray_count, best_s, 100.0 * (double)count[1][0] / free_count,
                  100.0 * (double)count[0][1] / hidden_count, 100.0 * (1.0 - wrong),
                  100.0 * (double)value_count / (free_count + hidden_count));
    field->grid.height = NULL;
    rcity_terrain_rays_close(&rays);
    rcity_device_close(&device);
    return wrong;
}

/* All knobs in turn. @return as run(), for the defaults. */
static double turn_knobs(rcity_context *context, const rcity_shapes *shapes, rcity_grid_point3 source)
{
    static const double step_deg[] = {0.25, 0.5, 1.0, 2.0};
    const rcity_terrain_rays_options defaults = {.receiver_height_m = RECEIVER_M};
    rcity_terrain_rays_options options = rcity_terrain_rays_options_default();
    rcity_terrain_rays_field field = {0};
    char what[64];
    knob_stage stage;
    open_stage(context, shapes, source, &stage);
    int64_t free_count = 0;
    for (int64_t i = 0; i < stage.receiver_count; i++) {
        free_count += stage.is_free[i];
    }
    print_message("exact lines of sight to %lld receivers: %.2f s, %.2f %% free\n", (long long)stage.receiver_count,
                  stage.exact_s, 100.0 * (double)free_count / (double)stage.receiver_count);
    options.receiver_height_m = defaults.receiver_height_m;
    double wrong = run(context, &stage, "30 m", &options, &field);
    options.plain = true;
    (void)run(context, &stage, "30 m, a ray for each middle", &options, &field);
    options.plain = false;
    for (int i = 0; i < 4; i++) {
        options.azimuth_step_rad = step_deg[i] * acos(-1.0) / 180.0;
        snprintf(what, sizeof what, "30 m, %g degrees", step_deg[i]);
        (void)run(context, &stage, what, &options, &field);
    }
    options.azimuth_step_rad = 0.0;
    for (int k = 2; k <= 4; k += 2) {
        options.coarsen = k;
        for (int rule = 0; rule < 2; rule++) {
            options.coarsening = (rcity_terrain_rays_coarsening)rule;
            snprintf(what, sizeof what, "%d m, %s", 30 * k, rule == 0 ? "subsampled" : "mean");
            (void)run(context, &stage, what, &options, &field);
        }
    }
    options.coarsen = 1;
    for (int depth = 1; depth <= 3; depth++) {
        options.reflections = depth;
        snprintf(what, sizeof what, "30 m, %d reflections", depth);
        (void)run(context, &stage, what, &options, &field);
    }
    options.reflections = 0;
    options.two_ray = true;
    (void)run(context, &stage, "30 m, two-ray", &options, &field);
    options.two_ray = false;
    options.knife_edge = true;
    (void)run(context, &stage, "30 m, knife edge", &options, &field);
    rcity_terrain_rays_field_deinit(context, &field);
    close_stage(&stage);
    return wrong;
}

static void test_made_hills(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    ray_hills_waves waves = {74, 80.0, 5.0};
    rcity_shapes hills = ray_hills_make(65, 65, 30, ray_hills_rough, &waves);
    rcity_grid_point3 source = ray_hills_source(&hills, 12, 20.0);
    assert_true(turn_knobs(context, &hills, source) < 0.05);
    ray_hills_free(&hills);
    rcity_context_destroy(&context);
}

/* 10 x 10 km around (columns, rows) of the grid. */
static rcity_shapes cut_out(const rcity_shapes *whole, int west, int south, int size)
{
    rcity_shapes cut = *whole;
    cut.terrain.column_count = size;
    cut.terrain.row_count = size;
    cut.terrain.west += west * whole->terrain.cell;
    cut.terrain.south += south * whole->terrain.cell;
    cut.terrain.height = malloc((size_t)size * (size_t)size * sizeof *cut.terrain.height);
    for (int row = 0; row < size; row++) {
        memcpy(cut.terrain.height + (int64_t)row * size,
               whole->terrain.height + (int64_t)(south + row) * whole->terrain.column_count + west,
               (size_t)size * sizeof *cut.terrain.height);
    }
    return cut;
}

static void test_real_hills(void **state)
{
    (void)state;
    const char *path = test_is_called_with("long") ? test_data("terrain/bigtujunga.tif") : NULL;
    if (path == NULL) {
        return;
    }
    rcity_context *context = test_context(1);
    rcity_import_options import = rcity_import_options_default();
    rcity_import_report report;
    rcity_scene *scene = NULL;
    import.terrain_path_count = 1;
    import.terrain_paths = &path;
    rcity_status status = rcity_scene_import(context, &import, &scene, &report);
    if (status == RCITY_ERR_UNSUPPORTED) {
        print_message("SKIPPED: this build does not read rasters\n");
        rcity_context_destroy(&context);
        return;
    }
    assert_int_equal(status, RCITY_OK);
    const rcity_shapes *whole = rcity_scene_shapes(scene);
    rcity_shapes cut = cut_out(whole, 430, 150, 334);
    const rcity_terrain_grid *grid = &cut.terrain;
    rcity_grid_point3 source = {grid->west + 166 * grid->cell + grid->cell / 3,
                                grid->south + 166 * grid->cell + grid->cell / 4, 0};
    source.z = (int32_t)ceil(rcity_terrain_height(grid, source.x, source.y)) + 30 * RCITY_HEIGHT_UNITS_PER_M;
    assert_true(turn_knobs(context, &cut, source) < 0.05);
    ray_hills_free(&cut);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(terrain_rays_knobs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_hills),
        cmocka_unit_test(test_real_hills),
    };
    return cmocka_run_group_tests_name("terrain_rays_knobs", tests, NULL, NULL);
}
