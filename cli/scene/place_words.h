/* Where on Earth a scene lies, in degrees and in words that a person can check. */
#ifndef CLI_SCENE_PLACE_WORDS_H
#define CLI_SCENE_PLACE_WORDS_H

#include <stdbool.h>

#include "radiocity/radiocity.h"

#define PLACE_WORDS_BYTES 160

typedef struct scene_place {
    double west_deg, south_deg, east_deg, north_deg; /* of its corners */
    char words[PLACE_WORDS_BYTES];                   /* of its middle: "about 12 km north of Vienna, Austria" */
} scene_place;

/* @return false for a scene without CRS. */
bool scene_place_find(rcity_context *context, const rcity_scene_info *info, scene_place *place);

/* The nearest large city to a place, and how it lies from there. */
const char *place_words(double lon_deg, double lat_deg, char words[PLACE_WORDS_BYTES]);

#endif
