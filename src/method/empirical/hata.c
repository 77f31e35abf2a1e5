/* Okumura-Hata and COST 231-Hata: one family of formulas, two frequency ranges. */
#include "method/empirical/hata.h"

#include "embedded/hata_cl.h"
#include "kernel/hata.h"
#include "method/empirical/formula_kernels.h"

enum { OPTION_ENVIRONMENT, OPTION_LAND_COVER, OPTION_COUNT };

static const rcity_method_option hata_options[OPTION_COUNT] = {
    {"environment", "urban", "urban-large|urban|suburban|open", 0.0, 0.0, "",
     "large city, small or medium-sized city, suburbs, open country"},
    {"land-cover", "ignore", "ignore|add", 0.0, 0.0, "", RCITY_LAND_COVER_TEXT},
};

static const rcity_method_option cost231_options[OPTION_COUNT] = {
    {"environment", "urban", "metropolitan|urban", 0.0, 0.0, "",
     "metropolitan centre, or medium-sized city and suburban centre"},
    {"land-cover", "ignore", "ignore|add", 0.0, 0.0, "", RCITY_LAND_COVER_TEXT},
};

static const rcity_model_range hata_range = {
    .frequency_min_hz = RCITY_HATA_FREQUENCY_MIN_HZ,
    .frequency_max_hz = RCITY_HATA_FREQUENCY_MAX_HZ,
    .tx_height_min_m = RCITY_HATA_TX_HEIGHT_MIN_M,
    .tx_height_max_m = RCITY_HATA_TX_HEIGHT_MAX_M,
    .rx_height_min_m = RCITY_HATA_RX_HEIGHT_MIN_M,
    .rx_height_max_m = RCITY_HATA_RX_HEIGHT_MAX_M,
    .distance_min_m = RCITY_HATA_DISTANCE_MIN_M,
    .distance_max_m = RCITY_HATA_DISTANCE_MAX_M,
};

static const rcity_model_range cost231_range = {
    .frequency_min_hz = RCITY_COST231_HATA_FREQUENCY_MIN_HZ,
    .frequency_max_hz = RCITY_COST231_HATA_FREQUENCY_MAX_HZ,
    .tx_height_min_m = RCITY_HATA_TX_HEIGHT_MIN_M,
    .tx_height_max_m = RCITY_HATA_TX_HEIGHT_MAX_M,
    .rx_height_min_m = RCITY_HATA_RX_HEIGHT_MIN_M,
    .rx_height_max_m = RCITY_HATA_RX_HEIGHT_MAX_M,
    .distance_min_m = RCITY_HATA_DISTANCE_MIN_M,
    .distance_max_m = RCITY_HATA_DISTANCE_MAX_M,
};

RCITY_FORMULA_KERNELS(hata, rcity_hata_cl, NONE)

/* The words of both option lists. */
static rcity_i32 find_environment(const rcity_job *job)
{
    bool is_cost231 = job->method == &rcity_cost231_hata_method.row;
    if (is_cost231) {
        return rcity_empirical_option_is(job, OPTION_ENVIRONMENT, "metropolitan") ? RCITY_COST231_METROPOLIS
                                                                                  : RCITY_COST231_URBAN;
    }
    static const struct {
        const char *word;
        rcity_i32 environment;
    } words[] = {
        {"urban-large", RCITY_HATA_URBAN_LARGE},
        {"suburban", RCITY_HATA_SUBURBAN},
        {"open", RCITY_HATA_OPEN},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (rcity_empirical_option_is(job, OPTION_ENVIRONMENT, words[i].word)) {
            return words[i].environment;
        }
    }
    return RCITY_HATA_URBAN;
}

static void fill(const rcity_job *job, const rcity_tx *tx, void *numbers)
{
    rcity_hata_job *hata = numbers;
    hata->frequency_mhz = (float)(tx->stated.frequency_hz * 1e-6);
    hata->environment = find_environment(job);
}

const rcity_empirical rcity_hata_method = {
    .row =
        {
            .info =
                {
                    .name = "hata",
                    .text = "Okumura-Hata: measured curves of macrocells, 150 to 1500 MHz, 1 to 20 km",
                    .effects = 0,
                    .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
                    .option_count = OPTION_COUNT,
                },
            .options = hata_options,
            .baseline = {.place = 2, .label = "Hata", .frequency_max_hz = RCITY_HATA_FREQUENCY_MAX_HZ},
            RCITY_EMPIRICAL_STAGES,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "median basic transmission loss after Hata",
    .range = &hata_range,
    .receiver_s = 30e-9,
    .fill = fill,
};

const rcity_empirical rcity_cost231_hata_method = {
    .row =
        {
            .info =
                {
                    .name = "cost231-hata",
                    .text = "COST 231-Hata: the same for 1500 to 2000 MHz",
                    .effects = 0,
                    .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
                    .option_count = OPTION_COUNT,
                },
            .options = cost231_options,
            .baseline = {.place = 2, .label = "COST 231-Hata"},
            RCITY_EMPIRICAL_STAGES,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "median basic transmission loss after COST 231-Hata",
    .range = &cost231_range,
    .receiver_s = 30e-9,
    .fill = fill,
};
