/* Names of materials, and the check of a user's material. */
#ifndef RCITY_SCENE_MATERIAL_H
#define RCITY_SCENE_MATERIAL_H

#include "base/base.h"
#include "radiocity/material.h"

/* Are two names equal? Case is ignored, '-', '_' and spaces are alike, and a leading "itu_" is ignored. */
bool rcity_material_is_named(const char *left, const char *right);

/* A material as in files and hashes, independent of what the public struct has in addition. */
typedef struct rcity_material_record {
    char name[RCITY_MATERIAL_NAME_BYTES];
    double a, b, c, d;
    double frequency_min_hz, frequency_max_hz;
    double thickness_m, scattering;
} rcity_material_record;

rcity_material_record rcity_material_to_record(const rcity_material *material);
rcity_material rcity_material_from_record(const rcity_material_record *record);

/* Is every number of a material in its range, and does its name fit? @return RCITY_ERR_ARGUMENT with value and
   limit. */
rcity_status rcity_material_check(rcity_context *context, const rcity_material *material);

#endif
