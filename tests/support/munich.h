/* The real city that tests read: Munich, of the COST 231 data. */
#ifndef RCITY_TEST_MUNICH_H
#define RCITY_TEST_MUNICH_H

#include "rcity_test.h"

/* A context with a number of threads, and its scene; the caller destroys both. Where the data are absent a line says
   so, and the test is skipped. */
rcity_context *test_munich_open(int thread_count, rcity_scene **scene);

/* The buildings that lie wholly in a square around the middle of a scene without terrain, as a scene of their own; and
   where the square begins. */
rcity_scene *test_munich_crop(rcity_context *context, const rcity_scene *whole, double side_m, double *east_m,
                              double *north_m);

#endif
