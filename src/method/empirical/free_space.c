/* Free space, ITU-R P.525: the loss of distance alone, optionally only where the straight line is free. */
#include "method/empirical/free_space.h"

#include <math.h>
#include <string.h>

#include "embedded/free_space_cl.h"
#include "kernel/free_space.h"
#include "method/receiver_plane.h"
#include "scene/cover.h"

enum { OPTION_LINE_OF_SIGHT, OPTION_COUNT };

static const rcity_method_option options[OPTION_COUNT] = {
    {"line-of-sight", "ignore", "ignore|exact", 0.0, 0.0, "",
     "exact: cells whose straight line to the transmitter is not free get no loss, and a band says which (slow)"},
};

static void run_cells(const void *job, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_free_space_job numbers;
    memcpy(&numbers, job, sizeof numbers);
    const float *z_m = buffers[0];
    float *loss_db = buffers[1];
    for (int64_t cell = begin; cell < end; cell++) {
        loss_db[cell] = rcity_free_space_cell(numbers, z_m[cell], cell);
    }
}

static void run_points(const void *job, void *const *buffers, int64_t begin, int64_t end)
{
    rcity_free_space_job numbers;
    memcpy(&numbers, job, sizeof numbers);
    const rcity_vec3 *rx_m = buffers[0];
    float *loss_db = buffers[1];
    for (int64_t point = begin; point < end; point++) {
        loss_db[point] = rcity_free_space_point(numbers, rx_m[point]);
    }
}

static const rcity_kernel cells_kernel = {
    .name = "rcity_free_space_cells",
    .source = rcity_free_space_cl,
    .job_bytes = sizeof(rcity_free_space_job),
    .buffer_count = 2,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(float)}, {RCITY_BUFFER_ITEM_OUT, sizeof(float)}},
    .host_run = run_cells,
};

static const rcity_kernel points_kernel = {
    .name = "rcity_free_space_points",
    .source = rcity_free_space_cl,
    .job_bytes = sizeof(rcity_free_space_job),
    .buffer_count = 2,
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_vec3)}, {RCITY_BUFFER_ITEM_OUT, sizeof(float)}},
    .host_run = run_points,
};

static bool wants_sight(const rcity_job *job)
{
    return strcmp(job->option[OPTION_LINE_OF_SIGHT], "exact") == 0;
}

/* The kernel's frame has the antenna in its origin in plan, so that near distances keep all their digits. */
static rcity_free_space_job make_job(const rcity_job *job, int tx_index)
{
    const rcity_point *tx = &job->tx_position[tx_index];
    rcity_free_space_job numbers;
    memset(&numbers, 0, sizeof numbers);
    numbers.column_count = job->raster.column_count;
    numbers.west_m = (float)(job->raster.west_m + 0.5 * job->raster.cell_m - tx->x_m);
    numbers.north_m = (float)(job->raster.north_m - 0.5 * job->raster.cell_m - tx->y_m);
    numbers.cell_m = (float)job->raster.cell_m;
    numbers.wavelength_m = (float)((double)RCITY_LIGHT_M_PER_S / job->transmitters[tx_index].frequency_hz);
    numbers.tx_m.z = (float)tx->z_m;
    return numbers;
}

static rcity_status estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds)
{
    double cells = (double)job->raster.column_count * (double)job->raster.row_count;
    double planes = (double)job->receivers->height_count;
    /* 25 ns a cell for roofs, heights and loss; the plain segment test looks at every building, about 1 ns each */
    double cell_s = 25e-9 + (wants_sight(job) ? 1e-9 * (double)job->shapes->prism_count : 0.0);
    double points = (double)job->receivers->point_count;
    *memory_bytes = (uint64_t)(cells * 2.0 * sizeof(float) + points * (sizeof(rcity_point) + sizeof(rcity_vec3)));
    *seconds = cells * planes * cell_s / rcity_context_thread_count(job->context);
    return RCITY_OK;
}

/* The bands of one receiver plane. */
static rcity_status evaluate_plane(const rcity_job *job, int tx_index, double height_m, const float *roof_m, float *z_m,
                                   rcity_map *map)
{
    rcity_receiver_plane_fill(job->context, job->shapes, &job->raster, height_m, roof_m, z_m);
    float *loss_db = NULL;
    RCITY_TRY(rcity_map_add_band(map, "path_loss", "dB", "free-space basic transmission loss", height_m, &loss_db));
    rcity_free_space_job numbers = make_job(job, tx_index);
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &cells_kernel;
    launch.job = &numbers;
    launch.item_count = job->raster.column_count * job->raster.row_count;
    launch.buffer[0] = z_m;
    launch.buffer[1] = loss_db;
    launch.task = "free space";
    RCITY_TRY(rcity_device_run(job->context, job->device, &launch));
    if (!wants_sight(job)) {
        return RCITY_OK;
    }
    float *is_visible = NULL;
    RCITY_TRY(rcity_map_add_band(map, "line_of_sight", "",
                                 "1 where the straight line to the transmitter is free, else 0", height_m,
                                 &is_visible));
    RCITY_TRY(rcity_receiver_plane_test_sight(job, &job->tx_position[tx_index], z_m, is_visible));
    for (int64_t cell = 0; cell < launch.item_count; cell++) {
        loss_db[cell] = is_visible[cell] == 1.0f ? loss_db[cell] : NAN;
    }
    return RCITY_OK;
}

static rcity_status evaluate_raster(const rcity_job *job, const void *traced, int tx_index, rcity_map *map)
{
    (void)traced;
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    float *roof_m = NULL;
    float *z_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, cell_count, sizeof *roof_m, "the roof raster", &roof_m));
    RCITY_TRY_DONE(rcity_alloc(job->context, cell_count, sizeof *z_m, "receiver heights", &z_m));
    RCITY_TRY_DONE(rcity_raster_cover(job->context, job->shapes, &job->raster, roof_m));
    for (int i = 0; i < job->receivers->height_count; i++) {
        RCITY_TRY_DONE(evaluate_plane(job, tx_index, job->receivers->height_m[i], roof_m, z_m, map));
    }
done:
    rcity_release(job->context, z_m);
    rcity_release(job->context, roof_m);
    return status;
}

static rcity_status evaluate_points(const rcity_job *job, const void *traced, int tx_index, float *loss_db)
{
    (void)traced;
    rcity_context *context = job->context;
    size_t count = (size_t)job->receivers->point_count;
    rcity_point *positions = NULL;
    rcity_vec3 *rx_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *positions, "receivers", &positions));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *rx_m, "receivers", &rx_m));
    RCITY_TRY_DONE(rcity_receiver_points_fill(job, &job->tx_position[tx_index], positions));
    for (size_t i = 0; i < count; i++) {
        rx_m[i].x = (float)positions[i].x_m;
        rx_m[i].y = (float)positions[i].y_m;
        rx_m[i].z = (float)positions[i].z_m;
    }
    rcity_free_space_job numbers = make_job(job, tx_index);
    numbers.tx_m.z = 0.0f; /* points come relative to the antenna in height too */
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = &points_kernel;
    launch.job = &numbers;
    launch.item_count = (int64_t)count;
    launch.buffer[0] = rx_m;
    launch.buffer[1] = loss_db;
    RCITY_TRY_DONE(rcity_device_run(context, job->device, &launch));
done:
    rcity_release(context, rx_m);
    rcity_release(context, positions);
    return status;
}

static rcity_status check(const rcity_job *job)
{
    RCITY_CHECK(job->context, job->receivers->point_count == 0 || !wants_sight(job), RCITY_ERR_UNSUPPORTED,
                "--line-of-sight exact works on rasters only; ask rcity_scene_test_segment() for points");
    return RCITY_OK;
}

const rcity_method rcity_free_space_method = {
    .info =
        {
            .name = "free-space",
            .text = "free space (ITU-R P.525): the loss of distance alone",
            .effects = RCITY_EFFECT_LINE_OF_SIGHT,
            .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
            .option_count = OPTION_COUNT,
            .options = options,
        },
    .keeps = "nothing",
    .check = check,
    .estimate = estimate,
    .evaluate_raster = evaluate_raster,
    .evaluate_points = evaluate_points,
};
