/* The figures of a score as members of a JSON object. */
#ifndef CLI_FIGURES_JSON_H
#define CLI_FIGURES_JSON_H

#include "json.h"
#include "radiocity/radiocity.h"

/* `count_key` is the key of the number of pairs. */
void figures_json(json_writer *json, const char *count_key, const rcity_score_figures *figures);

#endif
