/* High buildings: a tower on its podium, with setbacks. */
#ifndef RCITY_CITY_TOWER_H
#define RCITY_CITY_TOWER_H

#include "scene/city/city_block.h"

/* Hand a house over as a building of `height_m`. Where the lot has room the height is a tower's, one or two tiers that step
   back from a podium of `podium_m`; where it has not, the building ends at `slender_m`. */
rcity_status rcity_city_tower_build(rcity_city_draft *draft, const rcity_city_house *house, double height_m,
                                    double podium_m, double slender_m);

#endif
