/* Which roofs and grounds a path may bounce off between two of its points. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_LEVEL_TABLE_H
#define RCITY_METHOD_IMAGES_SEARCH_LEVEL_TABLE_H

#include "method/images/search/path_search.h"

/* Levels for each meeting of a tree that starts at a place. */
rcity_status rcity_level_table_build(rcity_context *context, const rcity_search *search, rcity_place3 from,
                                     const rcity_reach *reach, rcity_level_table *table);
void rcity_level_table_deinit(rcity_context *context, rcity_level_table *table);

/* Levels between two places, with walls between. @return how many there are. `levels` has room for all. */
int32_t rcity_levels_to_place(const rcity_search *search, rcity_place3 from, const rcity_stretch *stretch,
                              rcity_place3 to, int32_t *levels);

/* A part of an edge: its plan, and the range of its heights. */
typedef struct rcity_edge_part {
    rcity_plan_segment plan;
    double z_low, z_high;
} rcity_edge_part;

/* Levels between two edges, with walls between. The first edge is given as its image in those walls, as the second edge
   sees it. */
int32_t rcity_levels_between(const rcity_search *search, const rcity_edge_part *from_image,
                             const rcity_stretch *stretch, const rcity_edge_part *to, int32_t *levels);

/* May a path between parts of two edges bounce off a level there? */
bool rcity_level_may_bounce(const rcity_search *search, int32_t level, const rcity_edge_part *from_image,
                            const rcity_stretch *stretch, const rcity_edge_part *to);

#endif
