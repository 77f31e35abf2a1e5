/* Log-distance: free space to a reference distance, then a power law; the baseline that is fitted most often. */
#include "method/empirical/log_distance.h"

#include <math.h>

#include "embedded/log_distance_cl.h"
#include "kernel/free_space.h"
#include "kernel/log_distance.h"
#include "method/empirical/formula_kernels.h"
#include "method/empirical/log_distance_fit.h"

static const rcity_method_option options[RCITY_LOG_DISTANCE_OPTION_COUNT] = {
    {"exponent", "3.5", NULL, 1.0, 8.0, "", "loss grows by ten times this for every tenfold distance"},
    {"reference-distance-m", "100", NULL, 1.0, 1e4, "m", "up to here the loss is that of free space"},
    {"reference-loss-db", "free-space", "free-space", 0.0, 300.0, "dB", "loss at the reference distance"},
    {"land-cover", "ignore", "ignore|add", 0.0, 0.0, "", RCITY_LAND_COVER_TEXT},
};

RCITY_FORMULA_KERNELS(log_distance, rcity_log_distance_cl, NONE)

static void fill(const rcity_job *job, const rcity_tx *tx, void *numbers)
{
    rcity_log_distance_job *log_distance = numbers;
    float wavelength_m = (float)((double)RCITY_LIGHT_M_PER_S / tx->stated.frequency_hz);
    float reference_m = (float)job->number[RCITY_LOG_DISTANCE_OPTION_REFERENCE_DISTANCE];
    double given_db = job->number[RCITY_LOG_DISTANCE_OPTION_REFERENCE_LOSS];
    log_distance->exponent = (float)job->number[RCITY_LOG_DISTANCE_OPTION_EXPONENT];
    log_distance->reference_distance_m = reference_m;
    log_distance->reference_loss_db =
        isnan(given_db) ? rcity_free_space_loss_db(reference_m, wavelength_m) : (float)given_db;
}

const rcity_empirical rcity_log_distance_method = {
    .row =
        {
            .info =
                {
                    .name = "log-distance",
                    .text = "log-distance: free space to a reference distance, a chosen exponent beyond it",
                    .effects = 0,
                    .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
                    .option_count = RCITY_LOG_DISTANCE_OPTION_COUNT,
                },
            .options = options,
            .fit = &rcity_log_distance_fit,
            RCITY_EMPIRICAL_STAGES,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "loss of the log-distance model",
    .receiver_s = 10e-9,
    .fill = fill,
};
