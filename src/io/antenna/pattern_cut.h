/* One cut of an antenna pattern as in a file: angles in any order and step, resampled to whole degrees. */
#ifndef RCITY_IO_PATTERN_CUT_H
#define RCITY_IO_PATTERN_CUT_H

#include "base/base.h"
#include "radiocity/antenna.h"

#define RCITY_CUT_GAP_MAX_DEG  5.0   /* largest gap between angles */
#define RCITY_CUT_STEP_MAX_DEG 15.0  /* largest gap when all angles are equally spaced */
#define RCITY_CUT_POINT_MAX    36000 /* steps of a hundredth of a degree */

typedef struct rcity_cut_point {
    double angle_deg; /* 0 up to below 360 */
    double given_deg; /* the same as the file writes it */
    double loss_db;
    int64_t line;
} rcity_cut_point;

/* Initialise with zeros; release `point` at the end. */
typedef struct rcity_pattern_cut {
    rcity_cut_point *point;
    size_t point_count, point_capacity;
} rcity_pattern_cut;

/* Add a value of line `line`; the angle may be -360 to 360. `file` and `what` ("horizontal") are for messages. @return
   RCITY_ERR_FORMAT for an angle or loss out of range, RCITY_ERR_MEMORY. */
rcity_status rcity_pattern_cut_add(rcity_context *context, rcity_pattern_cut *cut, const char *file, const char *what,
                                   int64_t line, double angle_deg, double loss_db);

/* Values at 0, 1, ... 359 degrees, interpolated linearly and shifted so that the strongest is 0; a larger shift is
   logged. Both ends of a cut from -180 to 180 or from 0 to 360 may occur if they have the same loss.
   @return RCITY_ERR_FORMAT for an angle given twice, for angles that are missing, for none at all. */
rcity_status rcity_pattern_cut_finish(rcity_context *context, rcity_pattern_cut *cut, const char *file,
                                      const char *what, float loss_db[360]);

/* Make the antenna from two finished cuts in `cuts`, whose `electrical_tilt_deg` is the tilt that the file states, or
   NAN. A tilt that contradicts the vertical cut is ignored, and that is logged. */
rcity_status rcity_pattern_make(rcity_context *context, const char *file, rcity_antenna_cuts *cuts,
                                rcity_antenna **antenna);

#endif
