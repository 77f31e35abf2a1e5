/* What arrives at a place, added up: whole numbers, so that sums do not depend on the order of rays. */
#ifndef RCITY_KERNEL_TILES_TILE_SUMS_H
#define RCITY_KERNEL_TILES_TILE_SUMS_H

#include "kernel/tiles/tile_arrival.h"

/* Classes of paths whose powers are kept apart. */
#define RCITY_TILE_DIRECT      0
#define RCITY_TILE_REFLECTED   1
#define RCITY_TILE_DIFFRACTED  2 /* with or without reflections */
#define RCITY_TILE_ROOFS       3
#define RCITY_TILE_SCATTERED   4
#define RCITY_TILE_CLASS_COUNT 5

/* Powers are counted in units of 2^-50 of what free space brings over the straight distance in the direction of the
   antenna's largest gain, fields in 2^-36 of its field, delays in kilometres of detour. The largest sum is 2^62 units:
   4096 times the power of free space; single rays weaker than it by 150 dB are lost. */
#define RCITY_TILE_POWER_UNITS 1125899906842624.0f
#define RCITY_TILE_FIELD_UNITS 68719476736.0f
#define RCITY_TILE_DETOUR_M    1000.0f
#define RCITY_TILE_UNITS_MAX   4.0e18f

typedef struct rcity_tile_sums {
    rcity_i64 power[RCITY_TILE_CLASS_COUNT];
    rcity_i64 isotropic_power[RCITY_TILE_CLASS_COUNT]; /* without the transmitter's gain */
    rcity_i64 field[4];                                /* first port: real, imaginary; second port */
    rcity_i64 isotropic_field[4];
    rcity_i64 detour, detour_square; /* powers times the detour and its square */
    rcity_i64 arrival[3];            /* powers times the direction of travel */
    rcity_i64 ray_count;
} rcity_tile_sums;

#define RCITY_TILE_SUM_WORDS 24

/* A place that sums belong to. */
typedef struct rcity_tile_place_scale {
    float distance_m; /* from the transmitter, straight */
    float power;      /* units per power (tile_arrival.h) */
    float field;      /* units per field */
} rcity_tile_place_scale;

/* `gain` is the antenna's largest, not in dB. */
RCITY_KERNEL rcity_tile_place_scale rcity_tile_place_scale_make(float distance_m, float gain)
{
    rcity_tile_place_scale scale;
    scale.distance_m = distance_m;
    scale.power = RCITY_TILE_POWER_UNITS * distance_m * distance_m / gain;
    scale.field = RCITY_TILE_FIELD_UNITS * distance_m / rcity_sqrt(gain);
    return scale;
}

RCITY_KERNEL rcity_i64 rcity_tile_units(float value)
{
    float limited = value > -RCITY_TILE_UNITS_MAX ? value : -RCITY_TILE_UNITS_MAX; /* hosts would call fmax() */
    return (rcity_i64)(limited < RCITY_TILE_UNITS_MAX ? limited : RCITY_TILE_UNITS_MAX);
}

/* What the power of a ray adds to the sums of a place. */
typedef struct rcity_tile_units_of {
    rcity_i64 power, isotropic, detour, detour_square;
    rcity_i64 arrival[3];
} rcity_tile_units_of;

RCITY_KERNEL rcity_tile_units_of rcity_tile_units_make(rcity_tile_place_scale scale, float power, float isotropic_power,
                                                       float length_m, float tx, float ty, float tz)
{
    rcity_tile_units_of made;
    float units = power * scale.power;
    float more_m = length_m - scale.distance_m;
    float detour = more_m > 0.0f ? more_m / RCITY_TILE_DETOUR_M : 0.0f;
    made.power = rcity_tile_units(units);
    made.isotropic = rcity_tile_units(isotropic_power * scale.power);
    made.detour = rcity_tile_units(units * detour);
    made.detour_square = rcity_tile_units(units * detour * detour);
    made.arrival[0] = rcity_tile_units(units * tx);
    made.arrival[1] = rcity_tile_units(units * ty);
    made.arrival[2] = rcity_tile_units(units * tz);
    return made;
}

RCITY_KERNEL rcity_tile_units_of rcity_tile_units_none(void)
{
    rcity_tile_units_of none;
    none.power = none.isotropic = none.detour = none.detour_square = 0;
    none.arrival[0] = none.arrival[1] = none.arrival[2] = 0;
    return none;
}

RCITY_KERNEL void rcity_tile_units_add(rcity_tile_units_of *sum, rcity_tile_units_of more)
{
    sum->power += more.power;
    sum->isotropic += more.isotropic;
    sum->detour += more.detour;
    sum->detour_square += more.detour_square;
    sum->arrival[0] += more.arrival[0];
    sum->arrival[1] += more.arrival[1];
    sum->arrival[2] += more.arrival[2];
}

/* Add `ray_count` rays of the class `kind`. */
RCITY_KERNEL void rcity_tile_sums_add(RCITY_GLOBAL rcity_tile_sums *sums, rcity_i32 kind, rcity_tile_units_of units,
                                      rcity_i64 ray_count)
{
    rcity_global_add64(&sums->power[kind], units.power);
    rcity_global_add64(&sums->isotropic_power[kind], units.isotropic);
    rcity_global_add64(&sums->detour, units.detour);
    rcity_global_add64(&sums->detour_square, units.detour_square);
    rcity_global_add64(&sums->arrival[0], units.arrival[0]);
    rcity_global_add64(&sums->arrival[1], units.arrival[1]);
    rcity_global_add64(&sums->arrival[2], units.arrival[2]);
    rcity_global_add64(&sums->ray_count, ray_count);
}

/* Add the power of one ray. */
RCITY_KERNEL void rcity_tile_sums_add_power(RCITY_GLOBAL rcity_tile_sums *sums, rcity_tile_place_scale scale,
                                            rcity_i32 kind, float power, float isotropic_power, float length_m,
                                            float tx, float ty, float tz)
{
    rcity_tile_sums_add(sums, kind, rcity_tile_units_make(scale, power, isotropic_power, length_m, tx, ty, tz), 1);
}

/* Add a ray with its phase. */
RCITY_KERNEL void rcity_tile_sums_add_ray(RCITY_GLOBAL rcity_tile_sums *sums, rcity_tile_place_scale scale,
                                          rcity_i32 kind, const rcity_tile_arrival *ray)
{
    float power = (float)(rcity_complex_square(ray->port[0]) + rcity_complex_square(ray->port[1]));
    float gain = (float)ray->antenna_gain;
    float bare = gain > 0.0f ? 1.0f / rcity_sqrt(gain) : 0.0f;
    rcity_tile_sums_add(sums, kind,
                        rcity_tile_units_make(scale, power, power * bare * bare, (float)ray->length_m,
                                              (float)ray->travel.x, (float)ray->travel.y, (float)ray->travel.z),
                        1);
    for (int i = 0; i < 4; i++) {
        float field = (float)(i % 2 == 0 ? ray->port[i / 2].re : ray->port[i / 2].im) * scale.field;
        rcity_global_add64(&sums->field[i], rcity_tile_units(field));
        rcity_global_add64(&sums->isotropic_field[i], rcity_tile_units(field * bare));
    }
}

#endif
