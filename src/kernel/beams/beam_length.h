/* Lengths in whole units: a path of kilometres has its phase to a degree at 28 GHz, and no number is a double. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_LENGTH_H
#define RCITY_KERNEL_BEAMS_BEAM_LENGTH_H

#include "kernel/portable.h"

#define RCITY_BEAM_UNITS_PER_M 32768.0
#define RCITY_BEAM_UNIT_M      3.0517578125e-5f
#define RCITY_BEAM_FINE_BITS   16      /* of places of cells below a unit: a sum of many steps stays exact */
#define RCITY_BEAM_LONGEST_M   65000.0 /* of a leg: its square fits 63 bits */

/* A straight line in plan. */
typedef struct rcity_beam_leg {
    rcity_i64 units;
    float m;
    float x, y; /* unit vector */
} rcity_beam_leg;

/* The float root is near; what is left of the square, which is exact, corrects it. */
RCITY_KERNEL rcity_beam_leg rcity_beam_leg_make(rcity_i64 dx, rcity_i64 dy)
{
    rcity_beam_leg leg;
    float x = (float)dx;
    float y = (float)dy;
    float near = rcity_sqrt(x * x + y * y);
    near = near < 1.0f ? 1.0f : near;
    rcity_i64 whole = (rcity_i64)near;
    rcity_i64 rest = dx * dx + dy * dy - whole * whole;
    float more = (float)rest * 0.5f / near;
    leg.units = whole + (rcity_i64)(more < 0.0f ? more - 0.5f : more + 0.5f);
    leg.m = near * RCITY_BEAM_UNIT_M;
    leg.x = x / near;
    leg.y = y / near;
    return leg;
}

/* Cosine and sine of an angle in turns from -0.5 to 1.5; to 3e-7. */
RCITY_KERNEL void rcity_beam_rotation(float turns, float *cosine, float *sine)
{
    float quarter = rcity_floor(4.0f * turns + 0.5f);
    float x = 6.2831853072f * (turns - 0.25f * quarter);
    float square = x * x;
    float s = x * (1.0f + square * (-1.6666667e-1f + square * (8.3333333e-3f - square * 1.9841270e-4f)));
    float c = 1.0f + square * (-0.5f + square * (4.1666667e-2f + square * (-1.3888889e-3f + square * 2.4801587e-5f)));
    rcity_i32 number = (rcity_i32)quarter & 3;
    float across = (number & 1) != 0 ? s : c;
    float along = (number & 1) != 0 ? c : s;
    *cosine = number == 1 || number == 2 ? -across : across;
    *sine = number >= 2 ? -along : along;
}

/* The turns of the phase of a path, from 0 to 1, less those that its rise adds. */
RCITY_KERNEL float rcity_beam_turns(rcity_i64 units, rcity_u64 turns_per_unit)
{
    rcity_u64 turns = (rcity_u64)units * turns_per_unit;
    return (float)(rcity_u32)(turns >> 40) * 5.9604644775390625e-8f; /* 2^-24 */
}

#endif
