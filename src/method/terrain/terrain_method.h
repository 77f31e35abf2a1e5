/* The method over terrain: losses from the profile of the ground under each line. */
#ifndef RCITY_METHOD_TERRAIN_METHOD_H
#define RCITY_METHOD_TERRAIN_METHOD_H

#include "method/method.h"

extern const rcity_method rcity_terrain_method;

#endif
