/* Which walls and vertical edges lie in each column of cubes. */
#ifndef RCITY_VISIBILITY_CUBE_SOURCES_H
#define RCITY_VISIBILITY_CUBE_SOURCES_H

#include "visibility/city_cubes/city_cubes.h"

/* Fills the lists of cubes whose columns are laid out. On failure what was made stays with the cubes. */
rcity_status rcity_cube_sources_list(rcity_context *context, const rcity_facet_table *facets, rcity_city_cubes *cubes);

#endif
