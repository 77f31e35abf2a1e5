/* A city while it is being made: its scene, its size and seed, and how buildings are added. */
#ifndef RCITY_CITY_DRAFT_H
#define RCITY_CITY_DRAFT_H

#include <stdint.h>

#include "base/base.h"
#include "radiocity/city.h"
#include "scene/city/city_polygon.h"

/* Corners of one outline, at most. */
#define RCITY_CITY_OUTLINE_MAX 96

typedef struct rcity_city_draft {
    rcity_context *context;
    rcity_scene *scene;
    uint64_t seed;
    double side_m; /* of the square, a multiple of 1/128 m */
    double origin_x_m, origin_y_m;
    double terrain_cell_m; /* NAN: chosen by the kind */
    int64_t next_id;
} rcity_city_draft;

/* A ring under construction. Points are snapped when they are added, and a point equal to its neighbour is left out:
   where two houses meet they add the same points. */
typedef struct rcity_city_outline {
    int count;
    rcity_city_point point[RCITY_CITY_OUTLINE_MAX];
} rcity_city_outline;

void rcity_city_outline_push(rcity_city_outline *outline, rcity_city_point point);

/* The corners of a polygon as an outline. */
rcity_city_outline rcity_city_outline_from(const rcity_city_polygon *polygon);

/* Number of the next building; towers share the number of the building they stand on. */
int64_t rcity_city_next_id(rcity_city_draft *draft);

/* Add a building; `hole` may be NULL. Both rings run counter-clockwise here. Outlines without area are left out. */
rcity_status rcity_city_add(rcity_city_draft *draft, int64_t id, const rcity_city_outline *outline,
                            const rcity_city_outline *hole, double height_m);

/* Add a building of one convex polygon under a new number. */
rcity_status rcity_city_add_polygon(rcity_city_draft *draft, const rcity_city_polygon *polygon, double height_m);

/* Report how much of the city is made, from 0 to 1. */
rcity_status rcity_city_progress(rcity_city_draft *draft, double fraction);

/* The kinds; each fills the scene of the draft. */
rcity_status rcity_city_make_grid(rcity_city_draft *draft);
rcity_status rcity_city_make_core(rcity_city_draft *draft);
rcity_status rcity_city_make_highrise(rcity_city_draft *draft);
rcity_status rcity_city_make_hills(rcity_city_draft *draft);

#endif
