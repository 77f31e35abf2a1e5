/* The steps of a field that is followed by tables. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_FIELD_H
#define RCITY_METHOD_BEAMS_FAST_FAST_FIELD_H

#include <math.h>

#include "method/beams/fast/fast_tables.h"

static inline rcity_fast_complex rcity_fast_scale(rcity_fast_complex a, float factor)
{
    return (rcity_fast_complex){a.re * factor, a.im * factor};
}

static inline rcity_fast_complex rcity_fast_add(rcity_fast_complex a, rcity_fast_complex b)
{
    return (rcity_fast_complex){a.re + b.re, a.im + b.im};
}

static inline rcity_fast_complex rcity_fast_multiply(rcity_fast_complex a, rcity_fast_complex b)
{
    return (rcity_fast_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline rcity_fast_complex rcity_fast_between(rcity_fast_complex a, rcity_fast_complex b, float part)
{
    return (rcity_fast_complex){a.re + part * (b.re - a.re), a.im + part * (b.im - a.im)};
}

/* What a face reflects at an angle. */
static inline rcity_fast_face rcity_fast_face_at(const rcity_fast_face *face, float incidence)
{
    float at = incidence * (float)RCITY_FAST_FACE_STEPS;
    int step = (int)at;
    step = step < RCITY_FAST_FACE_STEPS ? step : RCITY_FAST_FACE_STEPS - 1;
    float part = at - (float)step;
    return (rcity_fast_face){rcity_fast_between(face[step].te, face[step + 1].te, part),
                             rcity_fast_between(face[step].tm, face[step + 1].tm, part)};
}

/* Reflect a field off level ground, in the unfolded frame. */
static inline rcity_fast_field rcity_fast_bounce(const rcity_fast_face *face, float slope_sine, rcity_fast_field field)
{
    rcity_fast_face at = rcity_fast_face_at(face, fabsf(slope_sine));
    return (rcity_fast_field){rcity_fast_multiply(rcity_fast_scale(at.tm, -1.0f), field.theta),
                              rcity_fast_multiply(at.te, field.phi)};
}

/* Reflect a field off a vertical wall. In the unfolded frame the ray goes straight on and the two components keep their
   directions; the wall acts on the part across the plane of incidence and on the part in it. `cosine` and `sine` are those of
   the angle in plan between ray and normal, `slope_sine` of the ray's elevation. */
static inline rcity_fast_field rcity_fast_reflect(const rcity_fast_face *face, float cosine, float sine,
                                                  float slope_sine, rcity_fast_field field)
{
    float incidence = fabsf(cosine) * sqrtf(1.0f - slope_sine * slope_sine);
    rcity_fast_face at = rcity_fast_face_at(face, incidence);
    float size = sqrtf(fmaxf(1.0f - incidence * incidence, 1e-12f));
    float along = -sine / size; /* of the unit vector across the plane: its parts along theta and phi */
    float aside = slope_sine * cosine / size;
    rcity_fast_complex across = rcity_fast_multiply(
        at.te, rcity_fast_add(rcity_fast_scale(field.theta, along), rcity_fast_scale(field.phi, aside)));
    rcity_fast_complex within =
        rcity_fast_multiply(rcity_fast_scale(at.tm, -1.0f),
                            rcity_fast_add(rcity_fast_scale(field.theta, aside), rcity_fast_scale(field.phi, -along)));
    return (rcity_fast_field){
        rcity_fast_add(rcity_fast_scale(across, along), rcity_fast_scale(within, aside)),
        rcity_fast_add(rcity_fast_scale(across, aside), rcity_fast_scale(within, -along)),
    };
}

/* The field behind an edge by its parameter, 0 or more: kernel/wave/edge_transition.h. */
static inline rcity_fast_complex rcity_fast_edge_field(const rcity_fast_complex *table, float p)
{
    float at = p * RCITY_FAST_FIELD_PER_UNIT;
    if (at < (float)RCITY_FAST_FIELD_STEPS) {
        int step = (int)at;
        return rcity_fast_between(table[step], table[step + 1], at - (float)step);
    }
    const float root = 0.19947114f; /* 1 / (2 sqrt(2 pi)): 1 / (2 sqrt(j pi) p) is root (1 - j) / p */
    float beyond = 0.5f / (p * p);
    rcity_fast_complex leading = {root / p, -root / p};
    return rcity_fast_multiply(leading, (rcity_fast_complex){1.0f - 3.0f * beyond * beyond, beyond});
}

/* Diffract a field that arrives at an edge, between two tabled directions. `reach` is sqrt(2 k L), `sloped` the sine of
   elevation over that of the table. Without spreading. */
static inline rcity_fast_field rcity_fast_diffract(const rcity_fast_edge *edge, float part,
                                                   const rcity_fast_complex *edge_field, float reach, float sloped,
                                                   rcity_fast_field field)
{
    rcity_fast_complex sum[2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    rcity_fast_complex turned[2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    for (int term = 0; term < RCITY_FAST_EDGE_TERMS; term++) {
        float sine = edge[0].sine[term] + part * (edge[1].sine[term] - edge[0].sine[term]);
        rcity_fast_complex beyond = rcity_fast_edge_field(edge_field, reach * fabsf(sine));
        beyond = rcity_fast_scale(beyond, sine > 0.0f ? 1.0f : -1.0f);
        for (int k = 0; k < 2; k++) {
            rcity_fast_complex level = rcity_fast_between(edge[0].level[term][k], edge[1].level[term][k], part);
            rcity_fast_complex sloping = rcity_fast_between(edge[0].sloping[term][k], edge[1].sloping[term][k], part);
            rcity_fast_complex turning = rcity_fast_between(edge[0].turning[term][k], edge[1].turning[term][k], part);
            sum[k] = rcity_fast_add(sum[k],
                                    rcity_fast_multiply(beyond, rcity_fast_between(level, sloping, sloped * sloped)));
            turned[k] = rcity_fast_add(turned[k], rcity_fast_multiply(beyond, turning));
        }
    }
    return (rcity_fast_field){
        rcity_fast_add(rcity_fast_multiply(sum[0], field.theta),
                       rcity_fast_scale(rcity_fast_multiply(turned[0], field.phi), sloped)),
        rcity_fast_add(rcity_fast_multiply(sum[1], field.phi),
                       rcity_fast_scale(rcity_fast_multiply(turned[1], field.theta), sloped)),
    };
}

#endif
