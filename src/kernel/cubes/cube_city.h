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

#endif
