/* Smooth random fields over the plan: value noise on a square lattice, with its slope. */
#ifndef RCITY_CITY_NOISE_H
#define RCITY_CITY_NOISE_H

#include <math.h>
#include <stdint.h>

#include "scene/city/city_random.h"

typedef struct rcity_city_noise_value {
    double value;  /* 0 to 1 */
    double dx, dy; /* its slope */
} rcity_city_noise_value;

static inline double rcity_city_noise_node(uint64_t key, int64_t column, int64_t row)
{
    return rcity_city_uniform(rcity_city_key(key, column), (int)row);
}

/* The field at (x, y), in units of the lattice; quintic between the nodes, so slope and curvature are continuous. */
static inline rcity_city_noise_value rcity_city_noise_slope(uint64_t key, double x, double y)
{
    double column = floor(x);
    double row = floor(y);
    double u = x - column;
    double v = y - row;
    double su = u * u * u * (u * (u * 6.0 - 15.0) + 10.0);
    double sv = v * v * v * (v * (v * 6.0 - 15.0) + 10.0);
    double du = 30.0 * u * u * (u * (u - 2.0) + 1.0);
    double dv = 30.0 * v * v * (v * (v - 2.0) + 1.0);
    double a = rcity_city_noise_node(key, (int64_t)column, (int64_t)row);
    double b = rcity_city_noise_node(key, (int64_t)column + 1, (int64_t)row);
    double c = rcity_city_noise_node(key, (int64_t)column, (int64_t)row + 1);
    double d = rcity_city_noise_node(key, (int64_t)column + 1, (int64_t)row + 1);
    double k = a - b - c + d;
    rcity_city_noise_value noise;
    noise.value = a + (b - a) * su + (c - a) * sv + k * su * sv;
    noise.dx = du * ((b - a) + k * sv);
    noise.dy = dv * ((c - a) + k * su);
    return noise;
}

static inline double rcity_city_noise(uint64_t key, double x, double y)
{
    return rcity_city_noise_slope(key, x, y).value;
}

#endif
