/* The contents of an antenna, and its conversion to numbers for a kernel. */
#ifndef RCITY_SCENE_ANTENNA_DATA_H
#define RCITY_SCENE_ANTENNA_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "kernel/antenna.h"
#include "radiocity/antenna.h"

struct rcity_antenna {
    rcity_context *context;
    char *name;
    char *path; /* of the file it was loaded from; NULL: of none */
    rcity_i32 kind; /* RCITY_ANTENNA_KIND_... */
    double gain_dbi;
    double tilt_rad;     /* electrical tilt contained in the pattern, down positive */
    double peak_rad;     /* how far below the horizon the vertical cut is strongest, in its front half */
    double frequency_hz; /* NAN: unknown or any */
    int64_t table_count; /* 1 where the kind has no table */
    float table_db[RCITY_ANTENNA_TABLE_COUNT];
};

/* The numbers of an antenna (NULL: isotropic) with an azimuth, clockwise from the y axis of the frame.
   `electrical_tilt_rad` is the whole electrical tilt; NAN: the pattern's own. */
void rcity_antenna_mount(const rcity_antenna *antenna, double azimuth_rad, double mechanical_tilt_rad,
                         double electrical_tilt_rad, rcity_antenna_job *job);

/* The table that a kernel needs in addition to the numbers: never NULL, `*count` at least 1, also for a NULL antenna.
   Borrowed until the antenna is destroyed. */
const float *rcity_antenna_table(const rcity_antenna *antenna, int64_t *count);

/* Is the mounted pattern independent of the azimuth? Then true north need not be known. */
bool rcity_antenna_is_round(const rcity_antenna *antenna, double mechanical_tilt_rad);

#endif
