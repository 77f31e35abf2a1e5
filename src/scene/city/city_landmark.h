/* Single large buildings on a block of their own. */
#ifndef RCITY_CITY_LANDMARK_H
#define RCITY_CITY_LANDMARK_H

#include "scene/city/city_draft.h"

/* A church with its towers, free-standing and about `length_m` long; shorter where the block is small. The rest of the
   block is a square, and so is all of it when there is no room. */
rcity_status rcity_city_church_build(rcity_city_draft *draft, const rcity_city_polygon *block, double length_m,
                                     uint64_t key);

/* A palace, ministry or school: one building all around a courtyard, some with a tower. Reports whether there was
   room. */
rcity_status rcity_city_palace_build(rcity_city_draft *draft, const rcity_city_polygon *block, uint64_t key,
                                     bool *is_built);

/* Free-standing parallel slabs in green space, as built from the 1930s on. */
rcity_status rcity_city_slabs_build(rcity_city_draft *draft, const rcity_city_polygon *block, uint64_t key);

/* High cross-shaped housing in green space. */
rcity_status rcity_city_crosses_build(rcity_city_draft *draft, const rcity_city_polygon *block, uint64_t key);

#endif
