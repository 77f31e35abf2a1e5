/* Paths as JSON, with all their properties. */
#ifndef CLI_RAYS_JSON_H
#define CLI_RAYS_JSON_H

#include "radiocity/radiocity.h"

/* Print one JSON object on standard output. */
void rays_json_print(const rcity_rays *rays);

#endif
