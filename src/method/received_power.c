/* From loss to received power. */
#include "method/received_power.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "embedded/received_power_cl.h"
#include "kernel/received_power.h"
#include "method/receiver_plane.h"
#include "scene/antenna_data.h"

static void run_cells(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_received_power_job numbers;
    memcpy(&numbers, job, sizeof numbers);
    const float *pattern = buffers[0].in;
    const float *z_m = buffers[1].in;
    const float *loss_db = buffers[2].in;
    float *received_dbm = buffers[3].out;
    for (int64_t cell = begin; cell < end; cell++) {
        received_dbm[cell] = rcity_received_power_cell(numbers, pattern, z_m[cell], loss_db[cell], cell);
    }
}

static void run_points(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)
{
    rcity_received_power_job numbers;
    memcpy(&numbers, job, sizeof numbers);
    const float *pattern = buffers[0].in;
    const rcity_vec3 *rx_m = buffers[1].in;
    const float *loss_db = buffers[2].in;
    float *received_dbm = buffers[3].out;
    for (int64_t point = begin; point < end; point++) {
        received_dbm[point] = rcity_received_power_point(numbers, pattern, rx_m[point], loss_db[point]);
    }
}

static const rcity_kernel cells_kernel = {
    .name = "rcity_received_power_cells",
    .source = rcity_received_power_cl,
    .job_bytes = sizeof(rcity_received_power_job),
    .buffer_count = 4,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_ITEM_IN, sizeof(float)},
               {RCITY_BUFFER_ITEM_IN, sizeof(float)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(float)}},
    .host_run = run_cells,
};

static const rcity_kernel points_kernel = {
    .name = "rcity_received_power_points",
    .source = rcity_received_power_cl,
    .job_bytes = sizeof(rcity_received_power_job),
    .buffer_count = 4,
    .buffer = {{RCITY_BUFFER_SHARED_IN, sizeof(float)},
               {RCITY_BUFFER_ITEM_IN, sizeof(rcity_vec3)},
               {RCITY_BUFFER_ITEM_IN, sizeof(float)},
               {RCITY_BUFFER_ITEM_OUT, sizeof(float)}},
    .host_run = run_points,
};

static rcity_received_power_job make_job(const rcity_job *job, const rcity_tx *tx)
{
    const rcity_transmitter *transmitter = &tx->stated;
    const rcity_point *from = &tx->position;
    rcity_received_power_job numbers;
    memset(&numbers, 0, sizeof numbers);
    numbers.column_count = job->raster.column_count;
    numbers.west_m = (float)(job->raster.west_m + 0.5 * job->raster.cell_m - from->x_m);
    numbers.north_m = (float)(job->raster.north_m - 0.5 * job->raster.cell_m - from->y_m);
    numbers.cell_m = (float)job->raster.cell_m;
    numbers.tx_z_m = (float)from->z_m;
    rcity_antenna_mount(transmitter->antenna, tx->azimuth_rad, rcity_angle_rad(transmitter->mechanical_tilt_deg),
                        rcity_angle_rad(transmitter->electrical_tilt_deg), &numbers.antenna);
    double eirp_dbm = rcity_transmitter_eirp_dbm(transmitter);
    numbers.level_dbm = (float)(eirp_dbm - (double)numbers.antenna.gain_dbi + job->receivers->gain_dbi);
    return numbers;
}

static rcity_launch make_launch(const rcity_tx *tx, const rcity_kernel *kernel, const rcity_received_power_job *numbers)
{
    rcity_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.kernel = kernel;
    launch.job = numbers;
    launch.buffer[0].in = rcity_antenna_table(tx->stated.antenna, &launch.shared_count[0]);
    return launch;
}

/* The band of received power that belongs to a band of losses. */
static rcity_status add_band(const rcity_job *job, const rcity_tx *tx, const rcity_band *loss, float *z_m,
                             rcity_map *map)
{
    float *received_dbm = NULL;
    RCITY_TRY(rcity_map_add_band(map, RCITY_BAND_POWER, "received_power", "dBm", "received power of the transmitter",
                                 loss->rx_height_m, &received_dbm));
    rcity_receiver_plane_fill(job->context, job->shapes, &job->raster, loss->rx_height_m, job->roof_m, z_m);
    rcity_received_power_job numbers = make_job(job, tx);
    rcity_launch launch = make_launch(tx, &cells_kernel, &numbers);
    launch.item_count = job->raster.column_count * job->raster.row_count;
    launch.buffer[1].in = z_m;
    launch.buffer[2].in = loss->value;
    launch.buffer[3].out = received_dbm;
    return rcity_device_run(job->context, job->device, &launch);
}

rcity_status rcity_received_power_add_bands(const rcity_job *job, const rcity_tx *tx, rcity_map *map)
{
    if (isnan(tx->stated.power_dbm)) {
        return RCITY_OK;
    }
    size_t cell_count = (size_t)(job->raster.column_count * job->raster.row_count);
    float *z_m = NULL;
    rcity_status status = RCITY_OK;
    RCITY_TRY(rcity_alloc(job->context, cell_count, sizeof *z_m, "receiver heights", &z_m));
    int band_count = rcity_map_band_count(map); /* bands added here are not visited */
    for (int i = 0; i < band_count; i++) {
        rcity_band band = {.name = ""};
        RCITY_TRY_DONE(rcity_map_get_band(map, i, &band));
        if (band.kind == RCITY_BAND_LOSS) {
            RCITY_TRY_DONE(add_band(job, tx, &band, z_m, map));
        }
    }
done:
    rcity_release(job->context, z_m);
    return status;
}

/* At places relative to the antenna. `rx_m` is room for the launch. */
static rcity_status launch_points(const rcity_job *job, const rcity_tx *tx, const rcity_point *positions,
                                  rcity_vec3 *rx_m, const float *loss_db, float *received_dbm)
{
    int64_t count = job->receivers->point_count;
    for (int64_t i = 0; i < count; i++) {
        rx_m[i].x = (float)positions[i].x_m;
        rx_m[i].y = (float)positions[i].y_m;
        rx_m[i].z = (float)positions[i].z_m;
    }
    rcity_received_power_job numbers = make_job(job, tx);
    rcity_launch launch = make_launch(tx, &points_kernel, &numbers);
    launch.item_count = count;
    launch.buffer[1].in = rx_m;
    launch.buffer[2].in = loss_db;
    launch.buffer[3].out = received_dbm;
    return rcity_device_run(job->context, job->device, &launch);
}

/* Without a power no level is known. @return whether the power is unknown. */
static bool clear_unknown(const rcity_job *job, const rcity_tx *tx, float *received_dbm)
{
    bool is_unknown = isnan(tx->stated.power_dbm);
    for (int64_t i = 0; is_unknown && i < job->receivers->point_count; i++) {
        received_dbm[i] = NAN;
    }
    return is_unknown;
}

rcity_status rcity_received_power_fill_points(const rcity_job *job, const rcity_tx *tx, const float *loss_db,
                                              float *received_dbm)
{
    rcity_context *context = job->context;
    size_t count = (size_t)job->receivers->point_count;
    rcity_point *positions = NULL;
    rcity_vec3 *rx_m = NULL;
    rcity_status status;
    if (clear_unknown(job, tx, received_dbm)) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *positions, "receivers", &positions));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *rx_m, "receivers", &rx_m));
    RCITY_TRY_DONE(rcity_receiver_points_fill(job, &tx->position, positions));
    status = launch_points(job, tx, positions, rx_m, loss_db, received_dbm);
done:
    rcity_release(context, rx_m);
    rcity_release(context, positions);
    return status;
}

rcity_status rcity_received_power_fill_levels(const rcity_job *job, const rcity_tx *tx, const rcity_point *positions,
                                              float *level_dbm)
{
    rcity_context *context = job->context;
    const rcity_point *from = &tx->position;
    size_t count = (size_t)job->receivers->point_count;
    rcity_point *seen = NULL;
    rcity_vec3 *rx_m = NULL;
    float *no_loss_db = NULL;
    rcity_status status;
    if (clear_unknown(job, tx, level_dbm)) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *seen, "receivers", &seen));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *rx_m, "receivers", &rx_m));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *no_loss_db, "levels", &no_loss_db));
    for (size_t i = 0; i < count; i++) {
        bool is_known = !isnan(positions[i].z_m);
        seen[i] = (rcity_point){positions[i].x_m - from->x_m, positions[i].y_m - from->y_m,
                                is_known ? positions[i].z_m - from->z_m : 0.0};
        no_loss_db[i] = is_known ? 0.0f : NAN;
    }
    status = launch_points(job, tx, seen, rx_m, no_loss_db, level_dbm);
done:
    rcity_release(context, no_loss_db);
    rcity_release(context, rx_m);
    rcity_release(context, seen);
    return status;
}
