/* Options of the method over terrain. */
#ifndef RCITY_METHOD_TERRAIN_OPTIONS_H
#define RCITY_METHOD_TERRAIN_OPTIONS_H

#include "kernel/terrain/terrain_loss.h"
#include "method/method.h"
#include "method/range.h"

enum {
    RCITY_TERRAIN_OPTION_LOSS,
    RCITY_TERRAIN_OPTION_K_FACTOR,
    RCITY_TERRAIN_OPTION_STEP,
    RCITY_TERRAIN_OPTION_COVER,
    RCITY_TERRAIN_OPTION_ENVIRONMENT,
    RCITY_TERRAIN_OPTION_LAND_COVER,
    RCITY_TERRAIN_OPTION_TIME,
    RCITY_TERRAIN_OPTION_LOCATION,
    RCITY_TERRAIN_OPTION_GRADIENT,
    RCITY_TERRAIN_OPTION_REFRACTIVITY,
    RCITY_TERRAIN_OPTION_LATITUDE,
    RCITY_TERRAIN_OPTION_CLEAR,
    RCITY_TERRAIN_OPTION_SEARCH,
    RCITY_TERRAIN_OPTION_AZIMUTH_STEP,
    RCITY_TERRAIN_OPTION_TRIANGLE_CELLS,
    RCITY_TERRAIN_OPTION_MAX_REFLECTIONS,
    RCITY_TERRAIN_OPTION_TRIANGLE_HEIGHTS,
    RCITY_TERRAIN_OPTION_LOSS_LIMIT,
    RCITY_TERRAIN_OPTION_REQUIRED_HEIGHT,
    RCITY_TERRAIN_OPTION_CLEARANCE,
    RCITY_TERRAIN_OPTION_COUNT
};

extern const rcity_method_option rcity_terrain_options[RCITY_TERRAIN_OPTION_COUNT];

/* Is an option set to a word? */
bool rcity_terrain_option_is(const rcity_job *job, int option_index, const char *word);

/* The published range of the loss that is asked for. @return false where it has none */
bool rcity_terrain_get_range(const rcity_job *job, rcity_model_range *range);

/* Metres between points of profiles. */
double rcity_terrain_step_m(const rcity_job *job);

/* The effective earth's radius over the earth's own; very large over a flat earth. */
double rcity_terrain_k_factor(const rcity_job *job);

/* What the options say into a job of the kernel. */
void rcity_terrain_fill_options(const rcity_job *job, const rcity_tx *tx, rcity_terrain_job *numbers);

#endif
