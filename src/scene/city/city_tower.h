/* High buildings: a tower on its podium, with setbacks. */
#ifndef RCITY_CITY_TOWER_H
#define RCITY_CITY_TOWER_H

#include "scene/city/city_block.h"

/* Add a house as a building of `height_m`. Where its core has room and the height is well above `podium_m`, it is a
   podium with a tower of one or two receding tiers; elsewhere one prism, no higher than `slender_m`. */
rcity_status rcity_city_tower_build(rcity_city_draft *draft, const rcity_city_house *house, double height_m,
                                    double podium_m, double slender_m);

#endif
