/* Streets and roofs around each receiver, as the Walfisch-Ikegami model wants them. */
#ifndef RCITY_METHOD_SURROUNDINGS_H
#define RCITY_METHOD_SURROUNDINGS_H

#include "kernel/walfisch_ikegami.h"
#include "method/method.h"
#include "scene/place/roof_window.h"
#include "scene/place/street.h"

/* COST 231 recommends a building separation of 20 to 50 m where nothing is known. Values from the scene are limited to
   the range from the lower of these to the width of the window they come from. */
#define RCITY_SEPARATION_MIN_M 20.0
#define RCITY_SEPARATION_MAX_M (2.0 * RCITY_ROOF_WINDOW_HALF_M)

/* Values that the user sets; NAN for those taken from the scene. */
typedef struct rcity_street_override {
    double width_m, building_separation_m, roof_height_m;
} rcity_street_override;

/* The distance between rows of buildings, from street width and built fraction. In a city of square blocks of side s in
   streets of width w the period is b = s + w and the built fraction (s / b)^2, so b = w / (1 - sqrt(fraction)). */
double rcity_building_separation_m(double street_width_m, double built_fraction);

/* Bytes that filling needs beyond the streets themselves. */
uint64_t rcity_surroundings_bytes(const rcity_job *job);

/* Fill one street for each cell of the job's raster, or for each of its points. Cells without a receiver at any of the
   job's heights are not written. */
rcity_status rcity_surroundings_fill(const rcity_job *job, const rcity_street_override *override,
                                     rcity_street *streets);

#endif
