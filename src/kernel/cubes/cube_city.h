/* What lies in a column of cubes: how high it is filled, and the walls and vertical edges that deflect rays there. */
#ifndef RCITY_KERNEL_CUBES_CUBE_CITY_H
#define RCITY_KERNEL_CUBES_CUBE_CITY_H

#include "kernel/portable.h"

/* A column over one square of the plan. Lists go up to those of the next column. */
typedef struct rcity_cube_column {
    float top_m; /* of what fills it, scene height: the roof or the ground at its centre, whichever is higher */
    rcity_i32 wall_first, edge_first; /* in the lists of items */
} rcity_cube_column;

/* A wall as a reflection source, seen from the side that its normal points to. Local frame, metres. */
typedef struct rcity_cube_wall {
    float x1, y1, x2, y2;
    float normal_x, normal_y;
    float bottom_m, top_m;
} rcity_cube_wall;

/* A vertical edge as a diffraction source: the air around it begins at the direction (face_x, face_y) and goes
   counter-clockwise, seen from above, for `exterior_rad`. */
typedef struct rcity_cube_edge {
    float x, y;
    float face_x, face_y;
    float exterior_rad;
    float bottom_m, top_m;
} rcity_cube_edge;

/* Is a direction in the air around an edge? */
RCITY_KERNEL int rcity_cube_edge_is_open(rcity_cube_edge edge, float dx, float dy)
{
    float angle = rcity_atan2(edge.face_x * dy - edge.face_y * dx, edge.face_x * dx + edge.face_y * dy);
    angle = angle < 0.0f ? angle + 2.0f * RCITY_PI : angle;
    return angle <= edge.exterior_rad;
}

/* What a vertical edge takes of a wave that comes from one direction of the air around it and leaves in another. */
typedef struct rcity_cube_turn {
    float root;  /* of a knife edge, for L = 1 m: see rcity_cube_edge_root() */
    float ratio; /* of powers, beside that: where the wave leaves as a continuation of what the wall reflects */
} rcity_cube_turn;

/* The angle from the face of an edge to a direction, through the air. */
RCITY_KERNEL float rcity_cube_edge_angle(rcity_cube_edge edge, float dx, float dy)
{
    float angle = rcity_atan2(edge.face_x * dy - edge.face_y * dx, edge.face_x * dx + edge.face_y * dy);
    angle = angle < 0.0f ? angle + 2.0f * RCITY_PI : angle;
    return rcity_fmin(angle, edge.exterior_rad);
}

/* The reflection coefficient of a wall for waves whose electric field is vertical, by the cosine of incidence. */
RCITY_KERNEL float rcity_cube_reflection(float permittivity, float cosine)
{
    float root = rcity_sqrt(permittivity - 1.0f + cosine * cosine);
    return (cosine - root) / (cosine + root);
}

RCITY_KERNEL float rcity_cube_cotangent(float angle)
{
    float sine = rcity_sin(angle);
    sine = rcity_fabs(sine) < 1e-4f ? (sine < 0.0f ? -1e-4f : 1e-4f) : sine;
    return rcity_cos(angle) / sine;
}

/* Keller's diffraction by a wedge of exterior angle n pi with reflecting faces (J. B. Keller, 1962; faces as R. J. Luebbers,
   1984, has them): the field is the square root of lambda / L over 4 pi n, times T, the sum of two cotangents for the border
   of the shadow and two, times the faces' reflection coefficients, for the borders of what they reflect. A knife edge has the
   same field far from its border with v^2 = 8 n^2 L / (T^2 lambda), and joins it to the border, so that is what is kept. The
   angle of incidence at a face is the smaller one of both ways, so that the edge is the same both ways. */
RCITY_KERNEL rcity_cube_turn rcity_cube_edge_turn(rcity_cube_edge edge, float permittivity, float from, float to)
{
    float n = edge.exterior_rad / RCITY_PI;
    float per = 0.5f / n;
    float less = to - from;
    float sum = to + from;
    float face_o =
        rcity_cube_reflection(permittivity, rcity_fmin(rcity_fabs(rcity_sin(from)), rcity_fabs(rcity_sin(to))));
    float face_n = rcity_cube_reflection(permittivity, rcity_fmin(rcity_fabs(rcity_sin(edge.exterior_rad - from)),
                                                                  rcity_fabs(rcity_sin(edge.exterior_rad - to))));
    float shadow = rcity_cube_cotangent((RCITY_PI + less) * per) + rcity_cube_cotangent((RCITY_PI - less) * per);
    float at_o = rcity_cube_cotangent((RCITY_PI - sum) * per);
    float at_n = rcity_cube_cotangent((RCITY_PI + sum) * per);
    float reflected = face_o * at_o + face_n * at_n;
    float total = rcity_fmax(rcity_fabs(shadow + reflected), 0.02f);
    float whole = rcity_fabs(shadow) + rcity_fabs(at_o) + rcity_fabs(at_n);
    float share =
        (rcity_fabs(shadow) + rcity_fabs(face_o * at_o) + rcity_fabs(face_n * at_n)) / rcity_fmax(whole, 1e-6f);
    rcity_cube_turn turn;
    share = rcity_fmin(rcity_fmax(share, 0.05f), 1.0f);
    turn.root = 2.82842712f * n * share / total;
    turn.ratio = 1.0f / (share * share);
    return turn;
}

#endif
