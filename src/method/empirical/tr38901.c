/* 3GPP TR 38.901: urban macrocell and urban microcell. */
#include "method/empirical/tr38901.h"

#include "embedded/tr38901_cl.h"
#include "kernel/tr38901.h"
#include "method/empirical/formula_kernels.h"

enum { OPTION_LINE_OF_SIGHT, OPTION_LAND_COVER, OPTION_COUNT };

static const rcity_method_option options[OPTION_COUNT] = {
    {"line-of-sight", "exact", "exact|los|nlos|probability", 0.0, 0.0, "",
     "exact: the scene decides for each receiver; los, nlos: free or blocked everywhere; probability: mean loss over "
     "the "
     "published probability"},
    {"land-cover", "ignore", "ignore|add", 0.0, 0.0, "", RCITY_LAND_COVER_TEXT},
};

static const rcity_model_range uma_range = {
    .frequency_min_hz = RCITY_TR38901_FREQUENCY_MIN_HZ,
    .frequency_max_hz = RCITY_TR38901_FREQUENCY_MAX_HZ,
    .tx_height_min_m = RCITY_TR38901_UMA_TX_HEIGHT_M,
    .tx_height_max_m = RCITY_TR38901_UMA_TX_HEIGHT_M,
    .rx_height_min_m = RCITY_TR38901_RX_HEIGHT_MIN_M,
    .rx_height_max_m = RCITY_TR38901_RX_HEIGHT_MAX_M,
    .distance_min_m = RCITY_TR38901_DISTANCE_MIN_M,
    .distance_max_m = RCITY_TR38901_DISTANCE_MAX_M,
};

static const rcity_model_range umi_range = {
    .frequency_min_hz = RCITY_TR38901_FREQUENCY_MIN_HZ,
    .frequency_max_hz = RCITY_TR38901_FREQUENCY_MAX_HZ,
    .tx_height_min_m = RCITY_TR38901_UMI_TX_HEIGHT_M,
    .tx_height_max_m = RCITY_TR38901_UMI_TX_HEIGHT_M,
    .rx_height_min_m = RCITY_TR38901_RX_HEIGHT_MIN_M,
    .rx_height_max_m = RCITY_TR38901_RX_HEIGHT_MAX_M,
    .distance_min_m = RCITY_TR38901_DISTANCE_MIN_M,
    .distance_max_m = RCITY_TR38901_DISTANCE_MAX_M,
};

RCITY_FORMULA_KERNELS(tr38901, rcity_tr38901_cl, SIGHT)

static rcity_sight_use sight(const rcity_job *job)
{
    if (rcity_empirical_option_is(job, OPTION_LINE_OF_SIGHT, "exact")) {
        return RCITY_SIGHT_TESTED;
    }
    return rcity_empirical_option_is(job, OPTION_LINE_OF_SIGHT, "los") ? RCITY_SIGHT_CLEAR : RCITY_SIGHT_BLOCKED;
}

static void fill_scenario(const rcity_job *job, const rcity_tx *tx, rcity_i32 scenario, rcity_tr38901_job *numbers)
{
    numbers->frequency_ghz = (float)(tx->stated.frequency_hz * 1e-9);
    numbers->scenario = scenario;
    numbers->sight = rcity_empirical_option_is(job, OPTION_LINE_OF_SIGHT, "probability") ? RCITY_TR38901_SIGHT_EXPECTED
                                                                                         : RCITY_TR38901_SIGHT_GIVEN;
}

static void fill_uma(const rcity_job *job, const rcity_tx *tx, void *numbers)
{
    fill_scenario(job, tx, RCITY_TR38901_UMA, numbers);
}

static void fill_umi(const rcity_job *job, const rcity_tx *tx, void *numbers)
{
    fill_scenario(job, tx, RCITY_TR38901_UMI, numbers);
}

const rcity_empirical rcity_3gpp_uma_method = {
    .row =
        {
            .info =
                {
                    .name = "3gpp-uma",
                    .text = "3GPP TR 38.901 urban macrocell, antennas above the roofs, 0.5 to 100 GHz",
                    .effects = RCITY_EFFECT_LINE_OF_SIGHT,
                    .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
                    .option_count = OPTION_COUNT,
                },
            .options = options,
            RCITY_EMPIRICAL_STAGES,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "path loss of the urban macrocell",
    .range = &uma_range,
    .takes_sight = true,
    .receiver_s = 40e-9,
    .sight = sight,
    .fill = fill_uma,
};

const rcity_empirical rcity_3gpp_umi_method = {
    .row =
        {
            .info =
                {
                    .name = "3gpp-umi",
                    .text = "3GPP TR 38.901 urban microcell, antennas below the roofs, 0.5 to 100 GHz",
                    .effects = RCITY_EFFECT_LINE_OF_SIGHT,
                    .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
                    .option_count = OPTION_COUNT,
                },
            .options = options,
            RCITY_EMPIRICAL_STAGES,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "path loss of the urban microcell in a street canyon",
    .range = &umi_range,
    .takes_sight = true,
    .receiver_s = 40e-9,
    .sight = sight,
    .fill = fill_umi,
};
