/* The street around a place: from the nearest wall to the opposite wall. */
#ifndef RCITY_SCENE_STREET_H
#define RCITY_SCENE_STREET_H

#include "scene/shape/plan_index.h"
#include "scene/shapes.h"

/* Limit of a street: walls farther away are not searched, and open squares count as this wide. */
#define RCITY_STREET_REACH_M 100.0

/* Finds streets through the index of walls. */
typedef struct rcity_street_finder {
    const rcity_shapes *shapes;
    const rcity_plan_index *wall_index;
    int32_t *edge_end; /* for each edge its end point */
} rcity_street_finder;

/* What was found. */
typedef struct rcity_street_place {
    bool has_wall;   /* is there a wall within RCITY_STREET_REACH_M? */
    bool is_street;  /* and an opposite one, so that both are no farther apart than that? */
    double wall_m;   /* distance of the nearest wall */
    double width_m;  /* from it through the place to the opposite wall, at most RCITY_STREET_REACH_M */
    double axis_rad; /* direction of the nearest wall, 0 to pi counter-clockwise from the x axis */
} rcity_street_place;

/* Borrows shapes and index until rcity_street_finder_deinit(). */
rcity_status rcity_street_finder_init(rcity_context *context, const rcity_shapes *shapes,
                                      const rcity_plan_index *wall_index, rcity_street_finder *finder);
void rcity_street_finder_deinit(rcity_context *context, rcity_street_finder *finder);

/* The street around a place. Of equally near walls, such as those of a corner, the one that faces the place most
   counts. Safe from several threads at once. */
rcity_street_place rcity_street_find(const rcity_street_finder *finder, rcity_grid_point at);

#endif
