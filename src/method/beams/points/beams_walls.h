/* The walls that a way goes through: its beams know them, and most paths need no search for others. */
#ifndef RCITY_METHOD_BEAMS_POINTS_BEAMS_WALLS_H
#define RCITY_METHOD_BEAMS_POINTS_BEAMS_WALLS_H

#include "method/images/path/path_check.h"

/* Where a path goes through a wall: on leg i, which leads to event i, and how far along it. */
typedef struct rcity_beams_passage {
    int leg;
    double part;
    int32_t wall;
} rcity_beams_passage;

typedef struct rcity_beams_walls {
    int count;
    rcity_beams_passage at[RCITY_RAY_EVENT_MAX];
} rcity_beams_walls;

/* Add a passage; those beyond the room are only counted. */
void rcity_beams_walls_add(rcity_beams_walls *walls, const rcity_beams_passage *passage);

/* Make the passages events of a path over flat ground. Where they do not lead in and out of buildings in turn the path has
   come through roofs: then all passages are searched for, with `found` as for rcity_path_pass(). @return false where they
   are more than the checker allows. */
bool rcity_beams_walls_insert(const rcity_path_checker *checker, int32_t *found, const rcity_beams_walls *walls,
                              rcity_trace_path *path);

#endif
