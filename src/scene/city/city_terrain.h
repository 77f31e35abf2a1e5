/* Ground for cities: hills as smooth bumps, and terrain from any height function. */
#ifndef RCITY_CITY_TERRAIN_H
#define RCITY_CITY_TERRAIN_H

#include "scene/city/city_draft.h"

#define RCITY_CITY_HILL_MAX 80

typedef struct rcity_city_hill {
    rcity_city_point at, axis;
    double height_m, half_length_m, half_width_m; /* along the axis and across */
} rcity_city_hill;

/* Several hills around a flat place. */
typedef struct rcity_city_hills {
    uint64_t key;
    int count;
    rcity_city_hill hill[RCITY_CITY_HILL_MAX];
    rcity_city_point flat_at;
    double flat_reach_m;
    double scale; /* of all heights, so that no slope is too steep */
    double top_m; /* height of the highest place */
} rcity_city_hills;

/* Hills for a city, nowhere steeper than `slope_max`. */
rcity_city_hills rcity_city_hills_make(const rcity_city_draft *draft, uint64_t key, rcity_city_point flat_at,
                                       double flat_reach_m, double slope_max);

/* Height of the ground; `user` is the rcity_city_hills. */
double rcity_city_hills_height(const void *user, rcity_city_point at);

/* Set the scene's terrain from a function: nodes every `cell_m` from the city's south-west corner to beyond the
   opposite one. The heights are shifted and scaled to lie between `low_m` and `high_m`, unless these are equal. */
rcity_status rcity_city_terrain_set(rcity_city_draft *draft, double cell_m,
                                    double (*height)(const void *user, rcity_city_point at), const void *user,
                                    double low_m, double high_m);

#endif
