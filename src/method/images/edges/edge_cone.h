/* Keller's law as a test: of an edge and an eye, can the shortest way from the eye over the edge to a thing pass the
   edge between its ends? Unfolded around the edge's line the way is straight, so a point at u along the line and r off
   it is reached over u_eye + (u - u_eye) r_eye / (r_eye + r). Conservative: a thing is refused only when none of its
   points is reached over the edge. */
#ifndef RCITY_METHOD_IMAGES_EDGES_EDGE_CONE_H
#define RCITY_METHOD_IMAGES_EDGES_EDGE_CONE_H

#include "scene/facets/facet_table.h"
#include "scene/facets/plan_tree.h"

/* An edge, level or vertical, as some eye sees it. */
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
void rcity_edge_cone_look_from(rcity_edge_cone *cone, rcity_place3 eye);

/* May the eye reach something that stands over a plan segment between two heights? */
bool rcity_edge_cone_meets(const rcity_edge_cone *cone, const rcity_plan_segment *segment, double z_low, double z_high);

/* The same, and over which part of the edge: fractions of its length, a bit more than the truth. */
bool rcity_edge_cone_narrow(const rcity_edge_cone *cone, const rcity_plan_segment *segment, double z_low, double z_high,
                            double *from, double *to);

/* The same for a box of the plan. */
bool rcity_edge_cone_meets_box(const rcity_edge_cone *cone, const rcity_plan_tree_node *box, double z_low,
                               double z_high);

#endif
