/* Hills: terrain only, with ridges and valleys as if eroded by water; ranges of them in a whole region. */
#include <inttypes.h>

#include "scene/city/city_noise.h"
#include "scene/city/city_random.h"
#include "scene/city/city_terrain.h"
#include "scene/frame.h"

enum { KEY_WARP = 70, KEY_ROUGH, KEY_RIDGE, KEY_RANGE };

#define OCTAVE_MAX    8
#define FINEST_WAVE_M 40.0

/* Ranges of mountains with plains between them, in regions that are wider than a city. */
#define RANGE_WAVE_M   22000.0
#define RANGE_FINEST_M 2600.0  /* finer than that, the hills themselves */
#define RANGE_BEGIN_M  7100.0  /* a side, just above that of the largest city */
#define RANGE_FULL_M   40000.0 /* a side from which on ranges are as high as any */

typedef struct hill_country {
    uint64_t seed;
    double wave_m; /* of the largest hills */
    double ranges; /* how much the ranges count, from 0 to 1 */
} hill_country;

/* Value noise of several octaves; where the ground is already steep the finer ones are damped, which leaves smooth
   slopes and rough tops. */
static double eroded_noise(uint64_t key, double x, double y, double wave_m, double finest_m)
{
    double height = 0.0;
    double amplitude = 1.0;
    double dx = 0.0;
    double dy = 0.0;
    for (int i = 0; i < OCTAVE_MAX && wave_m > finest_m; i++) {
        rcity_city_noise_value noise = rcity_city_noise_slope(rcity_city_key(key, i), x, y);
        height += amplitude * noise.value / (1.0 + dx * dx + dy * dy);
        dx += noise.dx;
        dy += noise.dy;
        amplitude *= 0.45;
        double turned = 1.6 * x - 1.2 * y; /* twice as fine, and rotated so that the lattices do not show */
        y = 1.2 * x + 1.6 * y;
        x = turned;
        wave_m *= 0.5;
    }
    return height;
}

static double country_height(const void *user, rcity_city_point at)
{
    const hill_country *country = user;
    double x = at.x / country->wave_m;
    double y = at.y / country->wave_m;
    uint64_t warp_key = rcity_city_key(country->seed, KEY_WARP);
    double warped_x = x + 0.18 * rcity_city_noise(rcity_city_key(warp_key, 0), 1.3 * x, 1.3 * y);
    double warped_y = y + 0.18 * rcity_city_noise(rcity_city_key(warp_key, 1), 1.3 * x, 1.3 * y);
    double rough =
        eroded_noise(rcity_city_key(country->seed, KEY_ROUGH), warped_x, warped_y, country->wave_m, FINEST_WAVE_M);
    double ridge =
        2.0 * rcity_city_noise(rcity_city_key(country->seed, KEY_RIDGE), 0.9 * warped_x, 0.9 * warped_y) - 1.0;
    ridge = 1.0 - (ridge < 0.0 ? -ridge : ridge);
    double hills = rough + 0.3 * ridge * ridge * (3.0 - 2.0 * ridge);
    if (country->ranges <= 0.0) {
        return hills;
    }
    double range = eroded_noise(rcity_city_key(country->seed, KEY_RANGE), at.x / RANGE_WAVE_M, at.y / RANGE_WAVE_M,
                                RANGE_WAVE_M, RANGE_FINEST_M);
    return hills * (1.0 - 0.75 * country->ranges * (1.0 - range)) + 3.0 * country->ranges * range;
}

/* The distance of nodes: as asked, or by the area. Refused before anything is computed. */
static rcity_status choose_cell(const rcity_city_draft *draft, double area_km2, double *cell_m)
{
    *cell_m = draft->terrain_cell_m;
    if (isnan(*cell_m)) {
        *cell_m = area_km2 < 5.01 ? 10.0 : area_km2 < 20.01 ? 20.0 : 30.0;
    }
    int32_t units_per_m = rcity_plan_units_per_m(draft->side_m + *cell_m + 1.0);
    double units = *cell_m * units_per_m;
    RCITY_CHECK(draft->context, floor(units) == units, RCITY_ERR_ARGUMENT,
                "the terrain's cell is to be %.9g m, must be a multiple of 1/%d m in a scene of this size", *cell_m,
                units_per_m);
    double side_count = ceil(draft->side_m / *cell_m) + 1.0;
    RCITY_CHECK(draft->context, side_count * side_count <= INT32_MAX, RCITY_ERR_ARGUMENT,
                "the terrain has %.0f x %.0f nodes, must be at most %" PRId32
                " in all; take a larger cell (`terrain-cell-m`)",
                side_count, side_count, INT32_MAX);
    return RCITY_OK;
}

rcity_status rcity_city_make_hills(rcity_city_draft *draft)
{
    double side = draft->side_m;
    hill_country country = {.seed = draft->seed};
    country.wave_m = 0.7 * side < 550.0 ? 550.0 : 0.7 * side > 2600.0 ? 2600.0 : 0.7 * side;
    double area_km2 = side * side * 1e-6;
    double cell_m;
    RCITY_TRY(choose_cell(draft, area_km2, &cell_m));
    double ranges = (side - RANGE_BEGIN_M) / (RANGE_FULL_M - RANGE_BEGIN_M);
    country.ranges = ranges < 0.0 ? 0.0 : ranges > 1.0 ? 1.0 : ranges;
    double part = side / 5000.0 < 1.0 ? side / 5000.0 : 1.0;
    double relief_m = 80.0 + 320.0 * part + 1400.0 * country.ranges + rcity_city_between(draft->seed, 0, 0.0, 20.0);
    double low_m = rcity_city_between(draft->seed, 1, 60.0, 500.0);
    return rcity_city_terrain_set(draft, cell_m, country_height, &country, low_m, low_m + relief_m);
}
