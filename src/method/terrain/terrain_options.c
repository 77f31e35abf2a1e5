/* Options of the method over terrain, and what they become in the kernel's job. */
#include "method/terrain/terrain_options.h"

#include <math.h>
#include <string.h>

#include "method/terrain/rays/terrain_rays.h"
#include "method/terrain/terrain_ground.h"

/* Formulas of a smooth earth need a radius: that of the flattest one. */
#define K_FACTOR_MAX 1e4

/* The gradient of refractivity, in N-units a kilometre, at which lines bend with the earth, ITU-R P.1812-6, equation (6). */
#define UNIT_GRADIENT 157.0

/* A number as text. */
#define TEXT_OF_IT(x) #x
#define TEXT_OF(x)    TEXT_OF_IT(x)

const rcity_method_option rcity_terrain_options[RCITY_TERRAIN_OPTION_COUNT] = {
    {"loss", "p1812", "free-space|two-ray|knife-edge|bullington|deygout|delta-bullington|hata|p1812", 0.0, 0.0, "",
     "formula over the profile: free space, plane earth, the strongest edge, Bullington's, three edges, "
     "delta-Bullington (ITU-R P.526), Okumura-Hata with the height over the mean ground, ITU-R P.1812"},
    {"k-factor", "auto", "auto|flat", 0.3, 100.0, "",
     "radius of the effective earth over the earth's own; auto: 4/3, for p1812 from `dn`; flat: a flat earth"},
    {"profile-step-m", "cell", "cell", 0.5, 10000.0, "m",
     "between points of a profile; cell: as the elevation grid, 30 m in scenes without one"},
    {"cover", "scene", "none|scene", 0.0, 0.0, "",
     "scene: buildings, vegetation and land classes with heights stand on the profile"},
    {"environment", "open", "urban-large|urban|suburban|open", 0.0, 0.0, "",
     "of hata: large city, small or medium-sized city, suburbs, open country"},
    {"land-cover", "ignore", "ignore|add", 0.0, 0.0, "", "add: the loss of the land class at the receiver is added"},
    {"time-percent", "50", NULL, RCITY_P1812_TIME_MIN_PERCENT, RCITY_P1812_TIME_MAX_PERCENT, "%",
     "of p1812: of an average year, in which the loss is not exceeded"},
    {"location-percent", "50", NULL, RCITY_P1812_LOCATION_MIN_PERCENT, RCITY_P1812_LOCATION_MAX_PERCENT, "%",
     "of p1812: of places in a cell, or around a point as wide as a step, where it is not exceeded"},
    {"dn", TEXT_OF(RCITY_P1812_GRADIENT_DEFAULT), NULL, RCITY_P1812_GRADIENT_MIN, RCITY_P1812_GRADIENT_MAX, "N-units",
     "of p1812: by how much refractivity falls in the lowest kilometre"},
    {"n0", TEXT_OF(RCITY_P1812_REFRACTIVITY_DEFAULT), NULL, RCITY_P1812_REFRACTIVITY_MIN, RCITY_P1812_REFRACTIVITY_MAX,
     "N-units", "of p1812: refractivity at the sea"},
    {"latitude-deg", "auto", "auto", -90.0, 90.0, "degrees",
     "of p1812: how often there are ducts; auto: of the transmitter by the scene's CRS, " TEXT_OF(
         RCITY_P1812_LATITUDE_DEFAULT_DEG) " without one"},
    {"clear-m", "0", NULL, 0.0, 1000.0, "m",
     "of bullington, delta-bullington, p1812: cover nearer than this to an end does not count"},
    {"search", "profile", "profile|rays", 0.0, 0.0, "",
     "rays: for free-space, two-ray and knife-edge, traced over the triangles of the bare ground; faster, and "
     "receivers take the value of their triangle"},
    {"azimuth-step-deg", "auto", "auto", 0.001, 360.0, "degrees",
     "of rays: between azimuths; auto: so that no triangle is missed"},
    {"triangle-cells", "1", NULL, 1.0, RCITY_TERRAIN_RAYS_COARSEN_MAX, "",
     "of rays: cells of the elevation grid in one of theirs, to each side"},
    {"max-reflections", "0", NULL, 0.0, RCITY_TERRAIN_RAYS_DEPTH_MAX, "", "of rays: off the ground"},
    {"triangle-heights", "nodes", "nodes|mean", 0.0, 0.0, "",
     "of rays with larger triangles: heights of the nodes at the same places, or means of those around"},
    {"loss-limit-db", "none", "none", 20.0, 400.0, "dB",
     "of rays: they end where nothing can have less loss, and what has more has no value"},
    {"required-height", "off", "off|on", 0.0, 0.0, "",
     "on: maps say how high above the ground a receiver sees the antenna over bare ground"},
    {"fresnel-clearance", "off", "off|on", 0.0, 0.0, "",
     "on: maps say how far lines clear the first Fresnel zone over bare ground"},
};

static const struct {
    const char *word;
    rcity_i32 loss;
} losses[] = {
    {"free-space", RCITY_TERRAIN_FREE_SPACE},
    {"two-ray", RCITY_TERRAIN_TWO_RAY},
    {"knife-edge", RCITY_TERRAIN_KNIFE_EDGE},
    {"bullington", RCITY_TERRAIN_BULLINGTON},
    {"deygout", RCITY_TERRAIN_DEYGOUT},
    {"delta-bullington", RCITY_TERRAIN_DELTA_BULLINGTON},
    {"hata", RCITY_TERRAIN_HATA},
    {"p1812", RCITY_TERRAIN_P1812},
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

/* Nearer than its least distance P.1812 goes on without a step (kernel/terrain/p1812/p1812_loss.h). */
static const rcity_model_range p1812_range = {
    .frequency_min_hz = RCITY_P1812_FREQUENCY_MIN_GHZ * 1e9,
    .frequency_max_hz = RCITY_P1812_FREQUENCY_MAX_GHZ * 1e9,
    .tx_height_min_m = RCITY_P1812_HEIGHT_MIN_M,
    .tx_height_max_m = RCITY_P1812_HEIGHT_MAX_M,
    .rx_height_min_m = RCITY_P1812_HEIGHT_MIN_M,
    .rx_height_max_m = RCITY_P1812_HEIGHT_MAX_M,
    .distance_min_m = 0.0,
    .distance_max_m = RCITY_P1812_DISTANCE_MAX_KM * 1e3,
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
    rcity_i32 loss = find_loss(job);
    if (loss != RCITY_TERRAIN_HATA && loss != RCITY_TERRAIN_P1812) {
        return false;
    }
    *range = loss == RCITY_TERRAIN_HATA ? hata_range : p1812_range;
    return true;
}

double rcity_terrain_step_m(const rcity_job *job)
{
    double step_m = job->number[RCITY_TERRAIN_OPTION_STEP];
    return isnan(step_m) ? rcity_terrain_default_step_m(job) : step_m;
}

double rcity_terrain_k_factor(const rcity_job *job)
{
    double k = job->number[RCITY_TERRAIN_OPTION_K_FACTOR];
    if (rcity_terrain_option_is(job, RCITY_TERRAIN_OPTION_K_FACTOR, "flat")) {
        return K_FACTOR_MAX;
    }
    if (isnan(k) && find_loss(job) == RCITY_TERRAIN_P1812) {
        return UNIT_GRADIENT / (UNIT_GRADIENT - job->number[RCITY_TERRAIN_OPTION_GRADIENT]);
    }
    return isnan(k) ? 4.0 / 3.0 : k;
}

/* The numbers of P.1812, of which the losses by diffraction take some too. */
static void fill_p1812(const rcity_job *job, const rcity_tx *tx, double k_factor, rcity_p1812_link *link)
{
    *link = rcity_p1812_link_default();
    link->frequency_ghz = (float)(tx->stated.frequency_hz * 1e-9);
    link->time_percent = (float)job->number[RCITY_TERRAIN_OPTION_TIME];
    link->location_percent = (float)job->number[RCITY_TERRAIN_OPTION_LOCATION];
    link->location_width_m = (float)(rcity_job_is_raster(job) ? job->raster.cell_m : rcity_terrain_step_m(job));
    link->gradient = (float)(UNIT_GRADIENT * (1.0 - 1.0 / k_factor));
    link->refractivity = (float)job->number[RCITY_TERRAIN_OPTION_REFRACTIVITY];
    if (!isnan(job->number[RCITY_TERRAIN_OPTION_LATITUDE])) {
        link->latitude_deg = (float)job->number[RCITY_TERRAIN_OPTION_LATITUDE];
    } else if (tx->has_latitude) {
        link->latitude_deg = (float)tx->latitude_deg;
    }
    link->clear_m = (float)job->number[RCITY_TERRAIN_OPTION_CLEAR];
    link->is_vertical = tx->stated.polarization != RCITY_POLARIZATION_HORIZONTAL;
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
    double k_factor = rcity_terrain_k_factor(job);
    numbers->curvature_per_m = (float)(1.0 / (RCITY_EARTH_RADIUS_M * k_factor));
    fill_p1812(job, tx, k_factor, &numbers->p1812);
}
