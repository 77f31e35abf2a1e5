/* Options of the method over terrain, and what they become in the kernel's job. */
#include "method/terrain/terrain_options.h"

#include <math.h>
#include <string.h>

#include "method/terrain/terrain_ground.h"

#define EARTH_RADIUS_M 6371000.0

const rcity_method_option rcity_terrain_options[RCITY_TERRAIN_OPTION_COUNT] = {
    {"loss", "deygout", "free-space|two-ray|knife-edge|deygout|hata", 0.0, 0.0, "",
     "formula over the profile: free space, plane earth, the strongest edge, three edges, or Okumura-Hata with the "
     "height over the mean ground"},
    {"k-factor", "4/3", "4/3|flat", 0.3, 100.0, "",
     "radius of the effective earth over the earth's own; flat: lines over a flat earth"},
    {"profile-step-m", "cell", "cell", 0.5, 10000.0, "m",
     "between points of a profile; cell: as the elevation grid, 30 m in scenes without one"},
    {"cover", "scene", "none|scene", 0.0, 0.0, "",
     "scene: buildings, vegetation and land classes with heights stand on the profile"},
    {"environment", "open", "urban-large|urban|suburban|open", 0.0, 0.0, "",
     "of Okumura-Hata: large city, small or medium-sized city, suburbs, open country"},
    {"land-cover", "ignore", "ignore|add", 0.0, 0.0, "", "add: the loss of the land class at the receiver is added"},
};

static const struct {
    const char *word;
    rcity_i32 loss;
} losses[] = {
    {"free-space", RCITY_TERRAIN_FREE_SPACE},
    {"two-ray", RCITY_TERRAIN_TWO_RAY},
    {"knife-edge", RCITY_TERRAIN_KNIFE_EDGE},
    {"deygout", RCITY_TERRAIN_DEYGOUT},
    {"hata", RCITY_TERRAIN_HATA},
};

static const struct {
    const char *word;
    rcity_i32 environment;
} environments[] = {
    {"urban-large", RCITY_HATA_URBAN_LARGE},
    {"urban", RCITY_HATA_URBAN},
    {"suburban", RCITY_HATA_SUBURBAN},
    {"open", RCITY_HATA_OPEN},
};

/* Hata's, except for the height of the antenna: over real ground it is one number for each receiver. */
static const rcity_model_range hata_range = {
    .frequency_min_hz = RCITY_HATA_FREQUENCY_MIN_HZ,
    .frequency_max_hz = RCITY_HATA_FREQUENCY_MAX_HZ,
    .tx_height_min_m = -HUGE_VAL,
    .tx_height_max_m = HUGE_VAL,
    .rx_height_min_m = RCITY_HATA_RX_HEIGHT_MIN_M,
    .rx_height_max_m = RCITY_HATA_RX_HEIGHT_MAX_M,
    .distance_min_m = RCITY_HATA_DISTANCE_MIN_M,
    .distance_max_m = RCITY_HATA_DISTANCE_MAX_M,
};

bool rcity_terrain_option_is(const rcity_job *job, int option_index, const char *word)
{
    return strcmp(job->option[option_index], word) == 0;
}

static rcity_i32 find_loss(const rcity_job *job)
{
    for (size_t i = 0; i + 1 < sizeof losses / sizeof losses[0]; i++) {
        if (rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_LOSS, losses[i].word)) {
            return losses[i].loss;
        }
    }
    return losses[sizeof losses / sizeof losses[0] - 1].loss;
}

static rcity_i32 find_environment(const rcity_job *job)
{
    for (size_t i = 0; i + 1 < sizeof environments / sizeof environments[0]; i++) {
        if (rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_ENVIRONMENT, environments[i].word)) {
            return environments[i].environment;
        }
    }
    return RCITY_HATA_OPEN;
}

bool rcity_terrain_get_range(const rcity_job *job, rcity_model_range *range)
{
    if (find_loss(job) == RCITY_TERRAIN_HATA) {
        *range = hata_range;
        return true;
    }
    return false;
}

double rcity_terrain_step_m(const rcity_job *job)
{
    double step_m = job->number[RCITY_TERRAIN_OPTION_STEP];
    return isnan(step_m) ? rcity_terrain_default_step_m(job) : step_m;
}

/* The effective earth's radius over the earth's own; infinite over a flat earth. */
static double find_k_factor(const rcity_job *job)
{
    double k = job->number[RCITY_TERRAIN_OPTION_K_FACTOR];
    if (rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_K_FACTOR, "flat")) {
        return HUGE_VAL;
    }
    return isnan(k) ? 4.0 / 3.0 : k;
}

void rcity_terrain_fill_options(const rcity_job *job, const rcity_tx *tx, rcity_terrain_job *numbers)
{
    numbers->mechanisms.direct = (float)RCITY_MECHANISM_DIRECT;
    numbers->mechanisms.roof = (float)RCITY_MECHANISM_ROOF;
    numbers->mechanisms.hill = (float)RCITY_MECHANISM_HILL;
    numbers->loss = find_loss(job);
    numbers->environment = find_environment(job);
    numbers->step_m = (float)rcity_terrain_step_m(job);
    numbers->wavelength_m = (float)((double)RCITY_LIGHT_M_PER_S / tx->stated.frequency_hz);
    numbers->frequency_mhz = (float)(tx->stated.frequency_hz * 1e-6);
    numbers->curvature_per_m = (float)(1.0 / (EARTH_RADIUS_M * find_k_factor(job)));
}
