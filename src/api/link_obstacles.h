/* What a profile says about its link. */
#ifndef RCITY_API_LINK_OBSTACLES_H
#define RCITY_API_LINK_OBSTACLES_H

#include "result/link_profile_data.h"
#include "result/rays_data.h"

/* Find the least clearance and the obstacles of a profile whose points, ends and options are filled already. */
rcity_status rcity_link_profile_find_obstacles(rcity_link_profile *profile);

/* The radius of the first Fresnel zone at a place between the ends of a link; distances in plan. */
double rcity_link_fresnel_m(double wavelength_m, double before_m, double behind_m);

#endif
