/* The close test of a line: all crossings of all prisms along it, found again each time instead of being stored. */
#ifndef RCITY_VISIBILITY_SIGHT_SIGHT_LOOK_H
#define RCITY_VISIBILITY_SIGHT_SIGHT_LOOK_H

#include "visibility/sight/sight_data.h"

typedef struct rcity_sight_look {
    const rcity_sight *sight;
    const rcity_shapes *shapes;
    rcity_sight_line line; /* from its lower end */
    rcity_grid_point a, b; /* its ends in plan */
    rcity_ratio at;        /* the place tested */
    void *user;
} rcity_sight_look;

rcity_sight_look rcity_sight_look_make(const rcity_sight *sight, rcity_sight_segment segment);

/* Called for every prism with something in the cells of the line, for some more than once, until it returns true. */
typedef bool (*rcity_sight_prism_function)(rcity_sight_look *look, int32_t prism);
bool rcity_sight_look_visit(rcity_sight_look *look, rcity_sight_prism_function visit);

/* Called for every wall of a prism that crosses the line, shifted slightly to one side, until it returns true. */
typedef bool (*rcity_sight_crossing_function)(rcity_sight_look *look, int32_t prism, int32_t wall, rcity_ratio where);
bool rcity_sight_look_cross(rcity_sight_look *look, int32_t prism, rcity_side side,
                            rcity_sight_crossing_function visit);

/* Does the prism lie along a side of the line just beyond the place? */
bool rcity_sight_look_covers(rcity_sight_look *look, int32_t prism, rcity_side side);

/* Is the line below a height at the place? */
bool rcity_sight_look_is_below(const rcity_sight_look *look, int32_t roof);

#endif
