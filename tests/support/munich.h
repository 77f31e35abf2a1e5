/* The real city that tests read: Munich, of the COST 231 data. */
#ifndef RCITY_TEST_MUNICH_H
#define RCITY_TEST_MUNICH_H

#include "rcity_test.h"

/* A context with a number of threads, and its scene; the caller destroys both. Where the data are absent a line says
   so, and the test is skipped. */
rcity_context *test_munich_open(int thread_count, rcity_scene **scene);

#endif
