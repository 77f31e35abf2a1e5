/* Levels from sums. */
#include "method/tiles/tiles_levels.h"

#include <math.h>
#include <string.h>

#include "method/tiles/tiles.h"
#include "result/rays_data.h"

#define FOUR_PI 12.56637061435917295385

double rcity_tiles_spread_db(double frequency_hz)
{
    return 20.0 * log10(FOUR_PI * frequency_hz / RCITY_LIGHT_EXACT_M_PER_S);
}

rcity_tiles_weights rcity_tiles_weights_make(const rcity_job *job, const rcity_tx *tx)
{
    rcity_tiles_weights weights;
    weights.spread_db = rcity_tiles_spread_db(tx->stated.frequency_hz);
    weights.input_dbm = rcity_link_input_dbm(tx);
    weights.rx_gain_dbi = job->receivers->gain_dbi;
    for (int i = 0; i < RCITY_TILE_CLASS_COUNT; i++) {
        weights.factor[i] = pow(10.0, 0.1 * job->number[RCITY_TILES_DIRECT_DB + i]);
    }
    weights.is_coherent = strcmp(job->option[RCITY_TILES_SUM], "coherent") == 0;
    return weights;
}

static double field_power(const rcity_i64 field[4], rcity_tile_place_scale scale)
{
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        double part = (double)field[i] / (double)scale.field;
        sum += part * part;
    }
    return sum;
}

int rcity_tiles_strongest(const double power[RCITY_TILE_CLASS_COUNT])
{
    static const int mechanisms[RCITY_TILE_CLASS_COUNT] = {
        [RCITY_TILE_DIRECT] = RCITY_MECHANISM_DIRECT,          [RCITY_TILE_REFLECTED] = RCITY_MECHANISM_REFLECTION,
        [RCITY_TILE_DIFFRACTED] = RCITY_MECHANISM_DIFFRACTION, [RCITY_TILE_ROOFS] = RCITY_MECHANISM_ROOF,
        [RCITY_TILE_SCATTERED] = RCITY_MECHANISM_DIFFUSE,
    };
    int strongest = 0;
    for (int i = 1; i < RCITY_TILE_CLASS_COUNT; i++) {
        strongest = power[i] > power[strongest] ? i : strongest;
    }
    return mechanisms[strongest];
}

static int strongest_class(const rcity_tiles_weights *weights, const rcity_tile_sums *sums)
{
    double weighed[RCITY_TILE_CLASS_COUNT];
    for (int i = 0; i < RCITY_TILE_CLASS_COUNT; i++) {
        weighed[i] = weights->factor[i] * (double)sums->power[i];
    }
    return rcity_tiles_strongest(weighed);
}

/* The weighed sum over the classes from `first` on. */
static double add_classes(const rcity_tiles_weights *weights, const rcity_i64 *power, int first)
{
    double sum = 0.0;
    for (int i = first; i < RCITY_TILE_CLASS_COUNT; i++) {
        sum += weights->factor[i] * (double)power[i];
    }
    return sum;
}

static void measure_delays(const rcity_tile_sums *sums, double units, rcity_tile_place_scale scale,
                           rcity_tiles_level *level)
{
    double detour = (double)sums->detour / units;
    double square = fmax((double)sums->detour_square / units - detour * detour, 0.0);
    level->mean_delay_s = ((double)scale.distance_m + detour * (double)RCITY_TILE_DETOUR_M) / RCITY_LIGHT_EXACT_M_PER_S;
    level->delay_spread_s = sqrt(square) * (double)RCITY_TILE_DETOUR_M / RCITY_LIGHT_EXACT_M_PER_S;
    rcity_direction_angles(-(double)sums->arrival[0], -(double)sums->arrival[1], -(double)sums->arrival[2],
                           &level->arrival_azimuth_deg, &level->arrival_elevation_deg);
}

static double to_loss_db(const rcity_tiles_weights *weights, double power)
{
    return power > 0.0 ? weights->spread_db - 10.0 * log10(power) : (double)NAN;
}

rcity_tiles_level rcity_tiles_level_of(const rcity_tiles_weights *weights, const rcity_tile_sums *sums,
                                       rcity_tile_place_scale scale)
{
    rcity_tiles_level level = {.loss_db = (double)NAN,
                               .gained_db = (double)NAN,
                               .received_dbm = (double)NAN,
                               .mean_delay_s = (double)NAN,
                               .delay_spread_s = (double)NAN,
                               .arrival_azimuth_deg = (double)NAN,
                               .arrival_elevation_deg = (double)NAN,
                               .coherent_loss_db = (double)NAN,
                               .mechanism = -1,
                               .ray_count = sums->ray_count};
    double units = 0.0;
    for (int i = 0; i < RCITY_TILE_CLASS_COUNT; i++) {
        units += (double)sums->power[i];
    }
    double scale_power = (double)scale.power;
    double isotropic = field_power(sums->isotropic_field, scale) +
                       add_classes(weights, sums->isotropic_power, RCITY_TILE_ROOFS) / scale_power;
    level.coherent_loss_db = to_loss_db(weights, isotropic);
    if (!(units > 0.0)) {
        return level;
    }
    double power = add_classes(weights, sums->power, 0) / scale_power;
    if (weights->is_coherent) {
        power = field_power(sums->field, scale) + add_classes(weights, sums->power, RCITY_TILE_ROOFS) / scale_power;
    } else {
        isotropic = add_classes(weights, sums->isotropic_power, 0) / scale_power;
    }
    level.loss_db = to_loss_db(weights, isotropic);
    level.gained_db = to_loss_db(weights, power);
    level.received_dbm = weights->input_dbm + weights->rx_gain_dbi - level.gained_db;
    level.mechanism = strongest_class(weights, sums);
    measure_delays(sums, units, scale, &level);
    return level;
}
