/* COST 231-Walfisch-Ikegami, with streets and roofs taken from the scene around each receiver. */
#include "method/empirical/walfisch_ikegami.h"

#include <math.h>

#include "base/angle.h"
#include "embedded/walfisch_ikegami_cl.h"
#include "kernel/walfisch_ikegami.h"
#include "method/empirical/formula_kernels.h"
#include "method/empirical/surroundings.h"

enum {
    OPTION_ENVIRONMENT,
    OPTION_STREET_WIDTH,
    OPTION_BUILDING_SEPARATION,
    OPTION_ROOF_HEIGHT,
    OPTION_ORIENTATION,
    OPTION_LAND_COVER,
    OPTION_COUNT
};

static const rcity_method_option options[OPTION_COUNT] = {
    {"environment", "medium", "metropolitan|medium", 0.0, 0.0, "",
     "metropolitan centre, or medium-sized city and suburban centre"},
    {"street-width-m", "scene", "scene", 1.0, 500.0, "m", "from wall to wall across the street"},
    {"building-separation-m", "scene", "scene", 1.0, 1000.0, "m", "from row to row of buildings"},
    {"roof-height-m", "scene", "scene", 0.0, 500.0, "m", "mean roof above ground"},
    {"street-orientation-deg", "scene", "scene", 0.0, 90.0, "deg", "between the incoming wave and the street"},
    {"land-cover", "ignore", "ignore|add", 0.0, 0.0, "", RCITY_LAND_COVER_TEXT},
};

static const rcity_model_range range = {
    .frequency_min_hz = RCITY_WALFISCH_FREQUENCY_MIN_HZ,
    .frequency_max_hz = RCITY_WALFISCH_FREQUENCY_MAX_HZ,
    .tx_height_min_m = RCITY_WALFISCH_TX_HEIGHT_MIN_M,
    .tx_height_max_m = RCITY_WALFISCH_TX_HEIGHT_MAX_M,
    .rx_height_min_m = RCITY_WALFISCH_RX_HEIGHT_MIN_M,
    .rx_height_max_m = RCITY_WALFISCH_RX_HEIGHT_MAX_M,
    .distance_min_m = RCITY_WALFISCH_DISTANCE_MIN_M,
    .distance_max_m = RCITY_WALFISCH_DISTANCE_MAX_M,
};

RCITY_FORMULA_KERNELS(walfisch, rcity_walfisch_ikegami_cl, STREETS)

static rcity_sight_use sight(const rcity_job *job)
{
    (void)job;
    return RCITY_SIGHT_TESTED;
}

static void fill(const rcity_job *job, const rcity_tx *tx, void *numbers)
{
    rcity_walfisch_job *walfisch = numbers;
    walfisch->frequency_mhz = (float)(tx->stated.frequency_hz * 1e-6);
    walfisch->orientation_rad = (float)rcity_angle_rad(job->number[OPTION_ORIENTATION]);
    walfisch->is_metropolitan = rcity_empirical_option_is(job, OPTION_ENVIRONMENT, "metropolitan");
}

/* Streets do not depend on the transmitter: they are found once for all of them. */
static rcity_status prepare(const rcity_job *job, void **prepared)
{
    rcity_street_override override = {job->number[OPTION_STREET_WIDTH], job->number[OPTION_BUILDING_SEPARATION],
                                      job->number[OPTION_ROOF_HEIGHT]};
    int64_t point_count = job->receivers->point_count;
    int64_t count = point_count > 0 ? point_count : job->raster.column_count * job->raster.row_count;
    rcity_street *streets = NULL;
    RCITY_TRY(rcity_alloc(job->context, (size_t)count, sizeof *streets, "streets", &streets));
    rcity_status status = rcity_surroundings_fill(job, &override, streets);
    if (status != RCITY_OK) {
        rcity_release(job->context, streets);
        return status;
    }
    *prepared = streets;
    return RCITY_OK;
}

static void release_prepared(rcity_context *context, void *prepared)
{
    rcity_release(context, prepared);
}

const rcity_empirical rcity_walfisch_ikegami_method = {
    .row =
        {
            .info =
                {
                    .name = "walfisch-ikegami",
                    .text = "COST 231-Walfisch-Ikegami: over the roofs and down into the street, 800 to 2000 MHz",
                    .effects = RCITY_EFFECT_LINE_OF_SIGHT | RCITY_EFFECT_DIFFRACTION,
                    .serves = RCITY_SERVES_RASTER | RCITY_SERVES_POINTS,
                    .option_count = OPTION_COUNT,
                },
            .options = options,
            .baseline = {.place = 3, .label = "Walfisch-Ikegami"},
            RCITY_EMPIRICAL_STAGES,
            .prepare_options = RCITY_OPTION_BIT(OPTION_STREET_WIDTH) | RCITY_OPTION_BIT(OPTION_BUILDING_SEPARATION) |
                               RCITY_OPTION_BIT(OPTION_ROOF_HEIGHT),
            .prepare = prepare,
            .release_prepared = release_prepared,
        },
    .cells = &cells_kernel,
    .points = &points_kernel,
    .band_text = "median basic transmission loss after COST 231-Walfisch-Ikegami",
    .range = &range,
    .takes_sight = true,
    .takes_streets = true,
    .receiver_s = 60e-9,
    .sight = sight,
    .fill = fill,
};
