/* Names of materials, and the check of one that a user brings. */
#ifndef RCITY_SCENE_MATERIAL_H
#define RCITY_SCENE_MATERIAL_H

#include "base/base.h"
#include "radiocity/material.h"

/* Are two names the same to a reader? Letters of either case, '-', '_' and spaces alike, "itu_" before it or not. */
bool rcity_material_is_named(const char *left, const char *right);

/* Every number of a material in its range, and a name that fits. @return RCITY_ERR_ARGUMENT with value and limit. */
rcity_status rcity_material_check(rcity_context *context, const rcity_material *material);

#endif
