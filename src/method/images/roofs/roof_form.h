/* What roofs look like to chains over them (facet_table.h): which edges a roof has, and whether it joins them. */
#ifndef RCITY_METHOD_IMAGES_ROOFS_ROOF_FORM_H
#define RCITY_METHOD_IMAGES_ROOFS_ROOF_FORM_H

#include "visibility/profile.h"

/* Replace the two ends of every roof of a profile by one ridge, in the middle between them and as high. A roof of which
   the profile shows one end only keeps that. */
void rcity_roof_form_ridges(rcity_profile *profile);

/* Does a flat roof reach from one diffracting edge of a chain to the next? */
bool rcity_roof_form_joins(const rcity_profile_point *edge, const rcity_profile_point *next);

#endif
