/* Levels drawn toward the mean, with slopes. */
#include "method/surroundings/mean_level.h"

#include <math.h>

#define NEPER 0.23025850929940457 /* ln(10) / 10 */

rcity_mean_level rcity_mean_level_of(const rcity_surroundings_law *law, const rcity_mean_link *link,
                                     rcity_mean_values values, bool with_antenna, double map_db)
{
    rcity_mean_level level = {map_db, 1.0, 0.0, 0.0, 0.0, false};
    if (!(link->weight > 0.0f)) {
        return level;
    }
    float over_m = fmaxf(rcity_surroundings_clearance_m(link->source, link->receiver, -link->rise_m),
                         rcity_surroundings_clearance_m(link->receiver, link->source, link->rise_m));
    double elevation = (double)(over_m / link->length_m * law->per_elevation);
    double built_m = fmax((double)link->built_m, 1e-2);
    double built = values.roof_m / built_m;
    double power = fmax(pow(elevation, 4.0) + pow(built, 4.0), 1e-20);
    double mean_db = (double)link->free_db + values.diffuse_db + 5.0 * log10(1.0 + 1.0 / power) -
                     (with_antenna ? (double)link->gain_db : 0.0);
    double diffuse_db = mean_db - 20.0 * log10((double)link->weight);
    double least_db = fmin(map_db, diffuse_db);
    double map_power = exp(-NEPER * (map_db - least_db));
    double diffuse_power = exp(-NEPER * (diffuse_db - least_db));
    double both_db = least_db - 10.0 * log10(map_power + diffuse_power);
    double reach = (double)(link->weight * link->doubt_left) * (double)link->length_m /
                   ((double)link->length_m + (double)law->doubt_m);
    double doubt = values.doubt * reach;
    double diffuse_share = diffuse_power / (map_power + diffuse_power);
    level.loss_db = both_db + doubt * (mean_db - both_db);
    level.map_share = (1.0 - doubt) * (1.0 - diffuse_share);
    level.mean_share = doubt + (1.0 - doubt) * diffuse_share;
    level.doubt_slope = reach * (mean_db - both_db);
    level.roof_slope = -2.0 * pow(built, 3.0) / (NEPER * power * (power + 1.0) * built_m);
    level.is_diffuse = diffuse_db < map_db;
    return level;
}
