/* Keller's law as a test: given an edge and an eye, can the shortest path from the eye over the edge to a target pass
   the edge between its ends? Unfolded around the edge's line the path is straight, so a point at u along the line and r
   off it is reached over u_eye + (u - u_eye) r_eye / (r_eye + r). The test is conservative: a target is refused only
   when none of its points is reached over the edge. */
#ifndef RCITY_METHOD_IMAGES_EDGES_EDGE_CONE_H
#define RCITY_METHOD_IMAGES_EDGES_EDGE_CONE_H

#include "scene/facets/facet_table.h"
#include "scene/facets/plan_tree.h"

/* A level or vertical edge as seen from one eye. */
typedef struct rcity_edge_cone {
    rcity_place3 origin;
    double along_x, along_y; /* unit vector along a level edge */
    double length;           /* 0: too short to have a direction; then everything is reached */
    bool is_vertical;
    double eye_u, eye_off;
} rcity_edge_cone;

/* A level edge over a plan segment at a height. */
rcity_edge_cone rcity_edge_cone_level(rcity_plan_segment segment, double z);

/* A vertical edge from `low` up. */
rcity_edge_cone rcity_edge_cone_vertical(rcity_place3 low, double length);

/* Set the eye. */
void rcity_edge_cone_set_eye(rcity_edge_cone *cone, rcity_place3 eye);

/* May a path from the eye reach something that stands over a plan segment between two heights? */
bool rcity_edge_cone_meets(const rcity_edge_cone *cone, const rcity_plan_segment *segment, double z_low, double z_high);

/* The same, and over which part of the edge: fractions of its length, slightly wider than exact. */
bool rcity_edge_cone_narrow(const rcity_edge_cone *cone, const rcity_plan_segment *segment, double z_low, double z_high,
                            double *from, double *to);

/* The same for a box of the plan. */
bool rcity_edge_cone_meets_box(const rcity_edge_cone *cone, const rcity_plan_tree_node *box, double z_low,
                               double z_high);

#endif
