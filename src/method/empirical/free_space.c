/* Free space, ITU-R P.525: the loss of distance alone, optionally only where the straight line is free. */
#include "method/empirical/free_space.h"

#include <string.h>

#include "embedded/free_space_cl.h"
#include "kernel/free_space.h"

enum { OPTION_LINE_OF_SIGHT, OPTION_COUNT };

static const rcity_method_option options[OPTION_COUNT] = {
    {"line-of-sight", "ignore", "ignore|exact", 0.0, 0.0, "",
     "exact: receivers whose straight line to the transmitter is not free get no loss, and a band says which"},
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
    const rcity_link_point *rx = buffers[0];
    float *loss_db = buffers[1];
    for (int64_t point = begin; point < end; point++) {
        loss_db[point] = rcity_free_space_point(numbers, rx[point]);
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
    .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rcity_link_point)}, {RCITY_BUFFER_ITEM_OUT, sizeof(float)}},
    .host_run = run_points,
};

static rcity_sight_use sight(const rcity_job *job)
{
    return rcity_empirical_option_is(job, OPTION_LINE_OF_SIGHT, "exact") ? RCITY_SIGHT_TESTED : RCITY_SIGHT_UNUSED;
}

static void fill(const rcity_job *job, const rcity_tx *tx, void *numbers)
{
    (void)job;
    rcity_free_space_job *free_space = numbers;
    free_space->wavelength_m = (float)((double)RCITY_LIGHT_M_PER_S / tx->stated.frequency_hz);
}

const rcity_empirical rcity_free_space_method = {
    .row =
        {
            .info =
                {
                    .name = "free-space",
                    .text = "free space (ITU-R P.525): the loss of distance alone",
                    .effects = RCITY_EFFECT_LINE_OF_SIGHT,
                    .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
                    .option_count = OPTION_COUNT,
                    .options = options,
                },
            RCITY_EMPIRICAL_STAGES,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "free-space basic transmission loss",
    .receiver_s = 5e-9,
    .sight = sight,
    .fill = fill,
};
