/* Planes of receivers in scenes that make trouble, and sources to match. */
#ifndef RCITY_TEST_LOS_CASES_H
#define RCITY_TEST_LOS_CASES_H

#include "rcity_test.h"
#include "visibility/los/los_raster.h"

typedef struct los_stage {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_los_plane plane;
    rcity_los_worker worker;
    size_t mask_words;
} los_stage;

/* Takes the scene over; receivers 1.5 m above ground. */
void los_stage_open(rcity_context *context, rcity_scene *scene, double cell_m, los_stage *stage);
void los_stage_close(los_stage *stage);

/* The i-th source of a seed: anywhere and outside, on corners, on walls, on pixels, in line with corners and pixels,
   low and high, level with receivers and with roofs. */
rcity_grid_point3 los_source(const los_stage *stage, uint64_t seed, int i);

/* Two masks of a source are the same; the first pixel that is not ends the test. @return how many pixels are
   visible. */
int64_t los_compare(const los_stage *stage, rcity_grid_point3 source, const char *what, const uint64_t *actual,
                    const uint64_t *expected);

/* A courtyard that touches the street front in one point, of one building or where two meet: from within, the street
   is seen through that point, and nothing else of it. @return a source in the courtyard. */
rcity_grid_point3 los_knot_open(rcity_context *context, bool is_two, los_stage *stage);
void los_knot_check(const los_stage *stage, rcity_grid_point3 source, const uint64_t *mask);

#endif
