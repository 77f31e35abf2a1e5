/* What an edge diffracts of the rays of one way to it, by the direction in which they leave: the table of a way's
   directions, and how strong its rays may be. One source for the host, which makes it way by way, and for devices with
   double precision. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_EDGE_H
#define RCITY_KERNEL_BEAMS_BEAM_EDGE_H

#include "kernel/beams/beam_field.h"
#include "kernel/wave/wedge.h"

#define RCITY_BEAM_FRONT_MIN_M RCITY_REAL(1e-3)

/* The edge that a way leads to; materials by number. */
typedef struct rcity_beam_edge {
    rcity_real exterior_rad;
    rcity_i32 material_o, material_n;
} rcity_beam_edge;

typedef struct rcity_beam_edge_job {
    rcity_real wavenumber_per_m;
} rcity_beam_edge_job;

/* How rays of one elevation come to the faces of an edge: as long as the nearer ray to a face is the one that comes, what
   the face does is the same for all directions. */
typedef struct rcity_beam_elevation {
    rcity_real beta_rad;
    rcity_real angle_o, angle_n; /* of what is known; below 0 at first */
    rcity_wedge_facing facing_o, facing_n;
} rcity_beam_elevation;

/* All directions of a way, made one after the other. */
typedef struct rcity_beam_fan {
    rcity_wedge wedge;
    rcity_wedge_ray ray;
    rcity_beam_elevation sloping, level;
} rcity_beam_fan;

/* The angle of a direction by its number; see rcity_beam_turn(). */
RCITY_KERNEL rcity_real rcity_beam_turn_rad(rcity_real turn)
{
    int is_first = turn <= RCITY_REAL(2.0);
    rcity_real along = is_first ? RCITY_REAL(1.0) - turn : turn - RCITY_REAL(3.0);
    rcity_real off = (is_first ? RCITY_REAL(1.0) : RCITY_REAL(-1.0)) * (RCITY_REAL(1.0) - rcity_real_fabs(along));
    rcity_real angle_rad = rcity_real_atan2(off, along);
    return is_first ? angle_rad : angle_rad + RCITY_REAL(2.0) * RCITY_REAL_PI;
}

RCITY_KERNEL rcity_beam_elevation rcity_beam_elevation_of(rcity_real slope_sine)
{
    rcity_beam_elevation elevation;
    elevation.beta_rad = rcity_real_acos(slope_sine);
    elevation.angle_o = elevation.angle_n = RCITY_REAL(-1.0);
    return elevation;
}

RCITY_KERNEL rcity_beam_fan rcity_beam_fan_make(const rcity_beam_edge_job *job, RCITY_GLOBAL const rcity_beam_way *way,
                                                RCITY_GLOBAL const rcity_beam_edge *edge,
                                                RCITY_GLOBAL const rcity_face *faces)
{
    rcity_beam_fan fan;
    fan.wedge.exterior_rad = edge->exterior_rad;
    fan.wedge.face_o = faces[edge->material_o];
    fan.wedge.face_n = faces[edge->material_n];
    fan.ray.wavenumber_per_m = job->wavenumber_per_m;
    fan.ray.beta_rad = RCITY_REAL(0.0);
    fan.ray.phi_in_rad = rcity_real_fmin(rcity_beam_turn_rad((rcity_real)way->turn_in), edge->exterior_rad);
    fan.ray.phi_out_rad = RCITY_REAL(0.0);
    fan.ray.distance_m = RCITY_REAL(1.0);
    fan.sloping = rcity_beam_elevation_of((rcity_real)way->slope_sine);
    fan.level = rcity_beam_elevation_of(RCITY_REAL(0.0));
    return fan;
}

/* The weights of the terms in one direction, for an elevation; the factor -sqrt(L) / sin(beta) is left to the caller but for
   its sign, and so is the sign of the field that an edge's own frame has. */
RCITY_KERNEL void rcity_beam_fan_weigh(const rcity_wedge *wedge, rcity_wedge_ray ray, const rcity_real *shape,
                                       rcity_beam_elevation *elevation, float *re, float *im, float *turning_re,
                                       float *turning_im)
{
    ray.beta_rad = elevation->beta_rad;
    rcity_real angle_o = rcity_wedge_angle_o(ray);
    rcity_real angle_n = rcity_wedge_angle_n(*wedge, ray);
    if (angle_o != elevation->angle_o) {
        elevation->angle_o = angle_o;
        elevation->facing_o = rcity_wedge_face(wedge->face_o, ray, angle_o);
    }
    if (angle_n != elevation->angle_n) {
        elevation->angle_n = angle_n;
        elevation->facing_n = rcity_wedge_face(wedge->face_n, ray, angle_n);
    }
    rcity_wedge_weights of = rcity_wedge_weigh_by(elevation->facing_o, elevation->facing_n, ray);
    for (int term = 0; term < RCITY_BEAM_TERMS; term++) {
        for (int k = 0; k < 2; k++) {
            int at = k * RCITY_BEAM_TERMS + term;
            rcity_complex kept = rcity_complex_scale(of.of[term].m[k][k], shape[term]);
            rcity_complex turned = rcity_complex_scale(of.of[term].m[k][1 - k], shape[term]);
            re[at] = (float)kept.re;
            im[at] = (float)kept.im;
            turning_re[at] = (float)turned.re;
            turning_im[at] = (float)turned.im;
        }
    }
}

/* One direction of a way by its number: the shape of each term, the sine that it is looked up by, and the weights. */
RCITY_KERNEL rcity_beam_direction rcity_beam_fan_direction(RCITY_GLOBAL const rcity_beam_way *way, rcity_i32 index,
                                                           rcity_beam_fan *fan)
{
    rcity_real shape[RCITY_BEAM_TERMS];
    float none_re[RCITY_BEAM_WEIGHTS]; /* level rays keep their polarization */
    float none_im[RCITY_BEAM_WEIGHTS];
    rcity_beam_direction made;
    fan->ray.phi_out_rad = index == way->direction_steps
                               ? fan->wedge.exterior_rad
                               : rcity_beam_turn_rad((rcity_real)index / (rcity_real)RCITY_BEAM_QUADRANT_STEPS);
    for (int term = 0; term < RCITY_BEAM_TERMS; term++) {
        rcity_real shadow_rad = rcity_wedge_shadow_rad(fan->wedge, fan->ray, term);
        shape[term] = rcity_real_fabs(rcity_wedge_shape(fan->wedge, shadow_rad));
        made.sine[term] = (float)rcity_real_sin(RCITY_REAL(0.5) * shadow_rad);
    }
    rcity_beam_fan_weigh(&fan->wedge, fan->ray, shape, &fan->sloping, made.sloping_re, made.sloping_im, made.turning_re,
                         made.turning_im);
    rcity_beam_fan_weigh(&fan->wedge, fan->ray, shape, &fan->level, made.level_re, made.level_im, none_re, none_im);
    return made;
}

/* The greatest share of the power in free space, without antennas, that a way brings to its edge with any slope. */
RCITY_KERNEL rcity_real rcity_beam_way_brings(RCITY_GLOBAL const rcity_beam_way *way,
                                              RCITY_GLOBAL const rcity_beam_slope *slopes)
{
    rcity_real most = RCITY_REAL(0.0);
    for (int variant = 0; variant < 2; variant++) {
        for (int i = 0; i <= RCITY_BEAM_SLOPE_STEPS; i++) {
            rcity_beam_field field = slopes[way->slope_first[variant] + i].field;
            most =
                rcity_real_fmax(most, (rcity_real)(field.theta.re * field.theta.re + field.theta.im * field.theta.im +
                                                   field.phi.re * field.phi.re + field.phi.im * field.phi.im));
        }
    }
    return most;
}

RCITY_KERNEL rcity_real rcity_beam_weight_size(float re, float im)
{
    return rcity_real_hypot((rcity_real)re, (rcity_real)im);
}

/* The greatest weight of a term at a direction: of fields along the edge or around it, level or sloping up to the steepest;
   and what turns over from one into the other. */
RCITY_KERNEL rcity_real rcity_beam_weight_most(RCITY_GLOBAL const rcity_beam_direction *at, int term, rcity_real sloped)
{
    rcity_real most = RCITY_REAL(0.0);
    for (int i = term; i < RCITY_BEAM_WEIGHTS; i += RCITY_BEAM_TERMS) {
        rcity_real level = rcity_beam_weight_size(at->level_re[i], at->level_im[i]);
        rcity_real sloping = rcity_beam_weight_size(at->sloping_re[i], at->sloping_im[i]);
        rcity_real square = sloped * sloped;
        rcity_real kept = square > RCITY_REAL(1.0) ? (square - RCITY_REAL(1.0)) * level + square * sloping
                                                   : rcity_real_fmax(level, sloping);
        most = rcity_real_fmax(most, kept + sloped * rcity_beam_weight_size(at->turning_re[i], at->turning_im[i]));
    }
    return most;
}

/* How strong the rays of a way may be from one of its directions to the next, far from shadow boundaries: a term is at most
   its greatest weight over the least sine, since |W(p)| is at most 1 / (2 sqrt(pi) p). */
RCITY_KERNEL float rcity_beam_way_share(const rcity_beam_edge_job *job, RCITY_GLOBAL const rcity_beam_way *way,
                                        RCITY_GLOBAL const rcity_beam_direction *directions, rcity_i32 index,
                                        rcity_real brought)
{
    const rcity_real half_root_pi = RCITY_REAL(0.28209479177387814347);
    rcity_real steepest = rcity_real_fmax((rcity_real)way->slope_max[0], (rcity_real)way->slope_max[1]);
    rcity_real sloped =
        rcity_real_fmax(steepest / rcity_real_sqrt(RCITY_REAL(1.0) + steepest * steepest) / (rcity_real)way->slope_sine,
                        RCITY_REAL(1.0));
    RCITY_GLOBAL const rcity_beam_direction *here = &directions[way->direction_first + index];
    RCITY_GLOBAL const rcity_beam_direction *next = index < way->direction_steps ? here + 1 : here;
    rcity_real sum = RCITY_REAL(0.0);
    for (int term = 0; term < RCITY_BEAM_TERMS; term++) {
        int crosses =
            here->sine[term] * next->sine[term] <= 0.0f && !rcity_beam_turns_over(here->sine[term], next->sine[term]);
        rcity_real least = rcity_real_fmin(rcity_real_fabs((rcity_real)here->sine[term]),
                                           rcity_real_fabs((rcity_real)next->sine[term]));
        rcity_real most =
            rcity_real_fmax(rcity_beam_weight_most(here, term, sloped), rcity_beam_weight_most(next, term, sloped));
        sum += half_root_pi * most / rcity_real_fmax(crosses ? RCITY_REAL(0.0) : least, RCITY_REAL(1e-6));
    }
    return (float)(brought * sum * sum /
                   (RCITY_REAL(2.0) * job->wavenumber_per_m *
                    rcity_real_fmax((rcity_real)way->plan_m, RCITY_BEAM_FRONT_MIN_M)));
}

/* The same of all ways to an edge, those from one way up to before another; they have the same directions. */
RCITY_KERNEL float rcity_beam_tree_share(RCITY_GLOBAL const rcity_beam_way *ways, RCITY_GLOBAL const float *shares,
                                         rcity_i32 way_first, rcity_i32 way_end, rcity_i32 index)
{
    float most = 0.0f;
    for (rcity_i32 k = way_first; k < way_end; k++) {
        float own = shares[ways[k].direction_first + index];
        most = own > most ? own : most;
    }
    return most;
}

#endif
