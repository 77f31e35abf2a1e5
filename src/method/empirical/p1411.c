/* ITU-R P.1411: the site-general models of short outdoor links. */
#include "method/empirical/p1411.h"

#include <math.h>

#include "embedded/p1411_cl.h"
#include "method/empirical/formula_kernels.h"

enum { OPTION_ENVIRONMENT, OPTION_LINE_OF_SIGHT, OPTION_LAND_COVER, OPTION_COUNT };

static const rcity_method_option options[OPTION_COUNT] = {
    {"environment", "high-rise", "high-rise|low-rise|above-roofs", 0.0, 0.0, "",
     "transmitter below the rooftops of an urban high-rise, or of an urban low-rise or suburban area; transmitter "
     "above "
     "the rooftops"},
    {"line-of-sight", "exact", "exact|los|nlos", 0.0, 0.0, "",
     "exact: the scene decides for each receiver; los, nlos: free or blocked everywhere"},
    {"land-cover", "ignore", "ignore|add", 0.0, 0.0, "", RCITY_LAND_COVER_TEXT},
};

/* ITU-R P.1411-12 (2023), table 4 in section 4.1.1 and table 8 in section 4.2.1, as in P.1411-11 (2021). P.1411-10 has
   the same coefficients, but ends at 73 and 38 GHz in high-rise, in sight and not; P.1411-13 (2025) is not used here.
   Table 4 has one more row, residential and hidden, with none in sight beside it. */
static const rcity_p1411_row hidden_rows[] = {
    [RCITY_P1411_HIGH_RISE] = {0.8e9, 82e9, 30, 715, {4.00f, 10.2f, 2.36f}, 7.60f},
    [RCITY_P1411_LOW_RISE] = {10e9, 73e9, 30, 250, {5.06f, -4.68f, 2.02f}, 9.33f},
    [RCITY_P1411_ABOVE_ROOFS] = {2.2e9, 66.5e9, 260, 1200, {4.39f, -6.27f, 2.30f}, 6.89f},
};

static const rcity_p1411_row visible_rows[] = {
    [RCITY_P1411_HIGH_RISE] = {0.8e9, 82e9, 5, 660, {2.12f, 29.2f, 2.11f}, 5.06f},
    [RCITY_P1411_LOW_RISE] = {0.8e9, 82e9, 5, 660, {2.12f, 29.2f, 2.11f}, 5.06f},
    [RCITY_P1411_ABOVE_ROOFS] = {2.2e9, 73e9, 55, 1200, {2.29f, 28.6f, 1.96f}, 3.48f},
};

RCITY_FORMULA_KERNELS(p1411, rcity_p1411_cl, SIGHT)

const rcity_p1411_row *rcity_p1411_get(rcity_p1411_environment environment, bool is_visible)
{
    return is_visible ? &visible_rows[environment] : &hidden_rows[environment];
}

static rcity_sight_use sight(const rcity_job *job)
{
    if (rcity_empirical_option_is(job, OPTION_LINE_OF_SIGHT, "exact")) {
        return RCITY_SIGHT_TESTED;
    }
    return rcity_empirical_option_is(job, OPTION_LINE_OF_SIGHT, "los") ? RCITY_SIGHT_CLEAR : RCITY_SIGHT_BLOCKED;
}

static const rcity_p1411_row *row_of(const rcity_job *job, bool is_visible)
{
    rcity_p1411_environment environment = RCITY_P1411_HIGH_RISE;
    if (rcity_empirical_option_is(job, OPTION_ENVIRONMENT, "low-rise")) {
        environment = RCITY_P1411_LOW_RISE;
    } else if (rcity_empirical_option_is(job, OPTION_ENVIRONMENT, "above-roofs")) {
        environment = RCITY_P1411_ABOVE_ROOFS;
    }
    return rcity_p1411_get(environment, is_visible);
}

/* The models hold whatever the heights of the antennas are. Where the scene decides on the line of sight, a distance is
   inside the range if both rows were published for it. */
static void find_range(const rcity_job *job, rcity_model_range *range)
{
    const rcity_p1411_row *visible = row_of(job, sight(job) != RCITY_SIGHT_BLOCKED);
    const rcity_p1411_row *hidden = row_of(job, sight(job) == RCITY_SIGHT_CLEAR);
    range->frequency_min_hz = fmax(visible->frequency_min_hz, hidden->frequency_min_hz);
    range->frequency_max_hz = fmin(visible->frequency_max_hz, hidden->frequency_max_hz);
    range->tx_height_min_m = range->rx_height_min_m = -HUGE_VAL;
    range->tx_height_max_m = range->rx_height_max_m = HUGE_VAL;
    range->distance_min_m = fmax(visible->distance_min_m, hidden->distance_min_m);
    range->distance_max_m = fmin(visible->distance_max_m, hidden->distance_max_m);
}

static void fill(const rcity_job *job, const rcity_tx *tx, void *numbers)
{
    rcity_p1411_job *p1411 = numbers;
    p1411->frequency_ghz = (float)(tx->stated.frequency_hz * 1e-9);
    p1411->sight = row_of(job, true)->coefficients;
    p1411->hidden = row_of(job, false)->coefficients;
}

const rcity_empirical rcity_p1411_method = {
    .row =
        {
            .info =
                {
                    .name = "p1411",
                    .text = "ITU-R P.1411 site-general model, short links in cities, 0.8 to 82 GHz",
                    .effects = RCITY_EFFECT_LINE_OF_SIGHT,
                    .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
                    .option_count = OPTION_COUNT,
                },
            .options = options,
            RCITY_EMPIRICAL_STAGES,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "median basic transmission loss after ITU-R P.1411",
    .find_range = find_range,
    .takes_sight = true,
    .receiver_s = 30e-9,
    .sight = sight,
    .fill = fill,
};
