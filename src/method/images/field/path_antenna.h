/* The course of a path, as antennas see it. */
#ifndef RCITY_METHOD_IMAGES_FIELD_PATH_ANTENNA_H
#define RCITY_METHOD_IMAGES_FIELD_PATH_ANTENNA_H

#include "method/images/path/trace_path.h"

/* Measure a path; a chain over roofs is measured along its over-roof path (path_chain.h). */
rcity_path_course rcity_path_measure(const rcity_trace_path *path);

#endif
