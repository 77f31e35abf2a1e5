/* Which prisms have one roof together: a house drawn in four pieces is one house. */
#ifndef RCITY_SCENE_FACETS_ROOF_GROUPS_H
#define RCITY_SCENE_FACETS_ROOF_GROUPS_H

#include "scene/facets/facet_table.h"

/* Fill world->roof_of: for each prism a number that all prisms of one roof share. Roof edges that meet in a point
   belong to one roof, and so do all edges of a prism. */
rcity_status rcity_roof_groups_make(rcity_context *context, rcity_facet_table *world);

#endif
