/* Free space, ITU-R P.525: the loss of distance alone, optionally only where the straight line is free. */
#include "method/empirical/free_space.h"

#include "embedded/free_space_cl.h"
#include "kernel/free_space.h"
#include "method/empirical/formula_kernels.h"

enum { OPTION_LINE_OF_SIGHT, OPTION_COUNT };

static const rcity_method_option options[OPTION_COUNT] = {
    {"line-of-sight", "ignore", "ignore|exact", 0.0, 0.0, "",
     "exact: receivers whose straight line to the transmitter is not free get no loss, and a band says which"},
};

RCITY_FORMULA_KERNELS(free_space, rcity_free_space_cl, NONE)

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
                },
            .options = options,
            .baseline = {.place = 1, .label = "free space"},
            RCITY_EMPIRICAL_STAGES,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "free-space basic transmission loss",
    .receiver_s = 5e-9,
    .sight = sight,
    .fill = fill,
};
