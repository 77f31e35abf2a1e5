/* The steps of a field that is followed by tables. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_FIELD_H
#define RCITY_KERNEL_BEAMS_BEAM_FIELD_H

#include "kernel/beams/beam_tables.h"

#define RCITY_BEAM_NORMAL 1e-12f

RCITY_KERNEL rcity_beam_complex rcity_beam_complex_make(float re, float im)
{
    rcity_beam_complex z;
    z.re = re;
    z.im = im;
    return z;
}

RCITY_KERNEL rcity_beam_complex rcity_beam_scale(rcity_beam_complex a, float factor)
{
    return rcity_beam_complex_make(a.re * factor, a.im * factor);
}

RCITY_KERNEL rcity_beam_complex rcity_beam_add(rcity_beam_complex a, rcity_beam_complex b)
{
    return rcity_beam_complex_make(a.re + b.re, a.im + b.im);
}

RCITY_KERNEL rcity_beam_complex rcity_beam_multiply(rcity_beam_complex a, rcity_beam_complex b)
{
    return rcity_beam_complex_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

RCITY_KERNEL rcity_beam_complex rcity_beam_between(rcity_beam_complex a, rcity_beam_complex b, float part)
{
    return rcity_beam_complex_make(a.re + part * (b.re - a.re), a.im + part * (b.im - a.im));
}

/* What a face reflects at an angle. */
RCITY_KERNEL rcity_beam_face rcity_beam_face_at(RCITY_GLOBAL const rcity_beam_face *face, float incidence)
{
    float at = incidence * (float)RCITY_BEAM_FACE_STEPS;
    rcity_i32 step = (rcity_i32)at;
    step = step < RCITY_BEAM_FACE_STEPS ? step : RCITY_BEAM_FACE_STEPS - 1;
    float part = at - (float)step;
    rcity_beam_face below = face[step];
    rcity_beam_face above = face[step + 1];
    rcity_beam_face between;
    between.te = rcity_beam_between(below.te, above.te, part);
    between.tm = rcity_beam_between(below.tm, above.tm, part);
    return between;
}

/* Reflect a field off level ground, in the unfolded frame. */
RCITY_KERNEL rcity_beam_field rcity_beam_field_bounce(RCITY_GLOBAL const rcity_beam_face *face, float slope_sine,
                                                      rcity_beam_field field)
{
    rcity_beam_face at = rcity_beam_face_at(face, rcity_fabs(slope_sine));
    rcity_beam_field out;
    out.theta = rcity_beam_multiply(rcity_beam_scale(at.tm, -1.0f), field.theta);
    out.phi = rcity_beam_multiply(at.te, field.phi);
    return out;
}

/* Reflect a field off a vertical wall. In the unfolded frame the ray goes straight on and the two components keep their
   directions; the wall acts on the part across the plane of incidence and on the part in it. `cosine` and `sine` are those
   of the angle in plan between ray and normal, `slope_sine` and `level` sine and cosine of the ray's elevation. */
RCITY_KERNEL_WITHIN rcity_beam_field rcity_beam_field_reflect(RCITY_GLOBAL const rcity_beam_face *face, float cosine,
                                                              float sine, float slope_sine, float level,
                                                              rcity_beam_field field)
{
    float incidence = rcity_fabs(cosine) * level;
    rcity_beam_face at = rcity_beam_face_at(face, incidence);
    float rising = slope_sine * cosine;
    float square = sine * sine + rising * rising; /* of the sine of incidence */
    float per_size = 1.0f / rcity_sqrt(square > RCITY_BEAM_NORMAL ? square : RCITY_BEAM_NORMAL);
    /* the unit vector across the plane: its parts along theta and phi; straight at the wall any one will do */
    float along = square > RCITY_BEAM_NORMAL ? -sine * per_size : 1.0f;
    float aside = square > RCITY_BEAM_NORMAL ? rising * per_size : 0.0f;
    rcity_beam_complex across = rcity_beam_multiply(
        at.te, rcity_beam_add(rcity_beam_scale(field.theta, along), rcity_beam_scale(field.phi, aside)));
    rcity_beam_complex within = rcity_beam_multiply(
        at.tm, rcity_beam_add(rcity_beam_scale(field.theta, -aside), rcity_beam_scale(field.phi, along)));
    rcity_beam_field out;
    out.theta = rcity_beam_add(rcity_beam_scale(across, along), rcity_beam_scale(within, aside));
    out.phi = rcity_beam_add(rcity_beam_scale(across, aside), rcity_beam_scale(within, -along));
    return out;
}

/* The field behind an edge by its parameter, 0 or more: kernel/wave/edge_transition.h. */
RCITY_KERNEL rcity_beam_complex rcity_beam_edge_field(RCITY_GLOBAL const rcity_beam_complex *table, float p)
{
    float at = p * RCITY_BEAM_FIELD_PER_UNIT;
    if (at < (float)RCITY_BEAM_FIELD_STEPS) {
        rcity_i32 step = (rcity_i32)at;
        return rcity_beam_between(table[step], table[step + 1], at - (float)step);
    }
    const float root = 0.19947114f; /* 1 / (2 sqrt(2 pi)): 1 / (2 sqrt(j pi) p) is root (1 - j) / p */
    float beyond = 0.5f / (p * p);
    return rcity_beam_multiply(rcity_beam_complex_make(root / p, -root / p),
                               rcity_beam_complex_make(1.0f - 3.0f * beyond * beyond, beyond));
}

/* Does a term's angle go on from the other end between two tabled directions? Both sines are then large and of opposite
   signs; where the term's boundary lies between they are small. What the term brings is 0 there, and goes on with the other
   sign. */
RCITY_KERNEL int rcity_beam_turns_over(float below, float above)
{
    return below * above < -0.05f;
}

/* A direction between two tabled ones where some terms turn over: `same` is -1 for these. */
RCITY_KERNEL rcity_beam_direction rcity_beam_direction_over(RCITY_GLOBAL const rcity_beam_direction *below,
                                                            RCITY_GLOBAL const rcity_beam_direction *above, float part,
                                                            const float *same, rcity_beam_direction between)
{
    for (int i = 0; i < RCITY_BEAM_WEIGHTS; i++) {
        between.level_re[i] = below->level_re[i] + part * (same[i] * above->level_re[i] - below->level_re[i]);
        between.level_im[i] = below->level_im[i] + part * (same[i] * above->level_im[i] - below->level_im[i]);
        between.sloping_re[i] = below->sloping_re[i] + part * (same[i] * above->sloping_re[i] - below->sloping_re[i]);
        between.sloping_im[i] = below->sloping_im[i] + part * (same[i] * above->sloping_im[i] - below->sloping_im[i]);
        between.turning_re[i] = below->turning_re[i] + part * (same[i] * above->turning_re[i] - below->turning_re[i]);
        between.turning_im[i] = below->turning_im[i] + part * (same[i] * above->turning_im[i] - below->turning_im[i]);
    }
    return between;
}

/* A direction between two tabled ones. */
RCITY_KERNEL_WITHIN rcity_beam_direction rcity_beam_direction_at(RCITY_GLOBAL const rcity_beam_direction *directions,
                                                                 RCITY_GLOBAL const rcity_beam_way *way, float turn)
{
    float at = turn * (float)RCITY_BEAM_QUADRANT_STEPS;
    rcity_i32 last = way->direction_steps - 1;
    rcity_i32 step = (rcity_i32)at;
    step = step < last ? step : last;
    float part = at - (float)step;
    part = step == last ? part * way->last_stretch : part;
    part = part < 1.0f ? part : 1.0f;
    RCITY_GLOBAL const rcity_beam_direction *below = &directions[way->direction_first + step];
    RCITY_GLOBAL const rcity_beam_direction *above = below + 1;
    rcity_beam_direction between;
    float same[RCITY_BEAM_WEIGHTS];
    int turns_over = 0;
    for (int i = 0; i < RCITY_BEAM_TERMS; i++) {
        int turns = rcity_beam_turns_over(below->sine[i], above->sine[i]);
        turns_over = turns_over || turns;
        same[i] = same[i + RCITY_BEAM_TERMS] = turns ? -1.0f : 1.0f;
        between.sine[i] = below->sine[i] + part * (same[i] * above->sine[i] - below->sine[i]);
    }
    if (turns_over) {
        return rcity_beam_direction_over(below, above, part, same, between);
    }
    for (int i = 0; i < RCITY_BEAM_WEIGHTS; i++) {
        between.level_re[i] = below->level_re[i] + part * (above->level_re[i] - below->level_re[i]);
        between.level_im[i] = below->level_im[i] + part * (above->level_im[i] - below->level_im[i]);
        between.sloping_re[i] = below->sloping_re[i] + part * (above->sloping_re[i] - below->sloping_re[i]);
        between.sloping_im[i] = below->sloping_im[i] + part * (above->sloping_im[i] - below->sloping_im[i]);
        between.turning_re[i] = below->turning_re[i] + part * (above->turning_re[i] - below->turning_re[i]);
        between.turning_im[i] = below->turning_im[i] + part * (above->turning_im[i] - below->turning_im[i]);
    }
    return between;
}

/* Diffract a field that arrives at an edge. `reach` is sqrt(2 k L), `sloped` the sine of elevation over that of the table.
   Without spreading. */
RCITY_KERNEL_WITHIN rcity_beam_field rcity_beam_field_diffract(const rcity_beam_direction *direction,
                                                               RCITY_GLOBAL const rcity_beam_complex *edge_field,
                                                               float reach, float sloped, rcity_beam_field field)
{
    float beyond_re[RCITY_BEAM_WEIGHTS], beyond_im[RCITY_BEAM_WEIGHTS];
    for (int term = 0; term < RCITY_BEAM_TERMS; term++) {
        float sine = direction->sine[term];
        rcity_beam_complex beyond = rcity_beam_edge_field(edge_field, reach * rcity_fabs(sine));
        float sign = sine > 0.0f ? 1.0f : -1.0f;
        beyond_re[term] = beyond_re[term + RCITY_BEAM_TERMS] = sign * beyond.re;
        beyond_im[term] = beyond_im[term + RCITY_BEAM_TERMS] = sign * beyond.im;
    }
    float sum_re[RCITY_BEAM_WEIGHTS], sum_im[RCITY_BEAM_WEIGHTS];
    float turned_re[RCITY_BEAM_WEIGHTS], turned_im[RCITY_BEAM_WEIGHTS];
    float square = sloped * sloped;
    for (int i = 0; i < RCITY_BEAM_WEIGHTS; i++) {
        float re = direction->level_re[i] + square * (direction->sloping_re[i] - direction->level_re[i]);
        float im = direction->level_im[i] + square * (direction->sloping_im[i] - direction->level_im[i]);
        sum_re[i] = beyond_re[i] * re - beyond_im[i] * im;
        sum_im[i] = beyond_re[i] * im + beyond_im[i] * re;
        turned_re[i] = beyond_re[i] * direction->turning_re[i] - beyond_im[i] * direction->turning_im[i];
        turned_im[i] = beyond_re[i] * direction->turning_im[i] + beyond_im[i] * direction->turning_re[i];
    }
    rcity_beam_complex kept[2], turned[2];
    for (int k = 0; k < 2; k++) {
        int i = k * RCITY_BEAM_TERMS;
        kept[k] = rcity_beam_complex_make((sum_re[i] + sum_re[i + 1]) + (sum_re[i + 2] + sum_re[i + 3]),
                                          (sum_im[i] + sum_im[i + 1]) + (sum_im[i + 2] + sum_im[i + 3]));
        turned[k] = rcity_beam_complex_make((turned_re[i] + turned_re[i + 1]) + (turned_re[i + 2] + turned_re[i + 3]),
                                            (turned_im[i] + turned_im[i + 1]) + (turned_im[i + 2] + turned_im[i + 3]));
    }
    rcity_beam_field out;
    out.theta = rcity_beam_add(rcity_beam_multiply(kept[0], field.theta),
                               rcity_beam_scale(rcity_beam_multiply(turned[0], field.phi), sloped));
    out.phi = rcity_beam_add(rcity_beam_multiply(kept[1], field.phi),
                             rcity_beam_scale(rcity_beam_multiply(turned[1], field.theta), sloped));
    return out;
}

#endif
