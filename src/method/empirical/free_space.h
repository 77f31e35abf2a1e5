/* Free space: the first row of the table. */
#ifndef RCITY_METHOD_FREE_SPACE_H
#define RCITY_METHOD_FREE_SPACE_H

#include "method/empirical/empirical_run.h"

extern const rcity_empirical rcity_free_space_method;

#endif
