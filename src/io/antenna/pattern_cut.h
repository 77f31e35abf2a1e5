/* One cut of an antenna pattern as files give it: angles in any order and step, brought to whole degrees. */
#ifndef RCITY_IO_PATTERN_CUT_H
#define RCITY_IO_PATTERN_CUT_H

#include "base/base.h"
#include "radiocity/antenna.h"

#define RCITY_CUT_GAP_MAX_DEG  5.0   /* angles may be missing up to this distance */
#define RCITY_CUT_STEP_MAX_DEG 15.0  /* or lie this far apart when they all do */
#define RCITY_CUT_POINT_MAX    36000 /* a hundredth of a degree */

typedef struct rcity_cut_point {
    double angle_deg; /* 0 up to below 360 */
    double given_deg; /* the same as the file writes it */
    double loss_db;
    int64_t line;
} rcity_cut_point;

/* Start with zeros; release `point`. */
typedef struct rcity_pattern_cut {
    rcity_cut_point *point;
    size_t point_count, point_capacity;
} rcity_pattern_cut;

/* Add a value of line `line`; the angle may be anywhere from -360 to 360. `file` and `what` ("horizontal") stand in
   messages. @return RCITY_ERR_FORMAT for an angle or loss out of range, RCITY_ERR_MEMORY. */
rcity_status rcity_pattern_cut_add(rcity_context *context, rcity_pattern_cut *cut, const char *file, const char *what,
                                   int64_t line, double angle_deg, double loss_db);

/* Values at 0, 1, ... 359 degrees, linear between those given, lowered so that the strongest is 0; that is logged when
   it was not nearly so. Both ends of a cut from -180 to 180 or from 0 to 360 may be there when they say the same.
   @return RCITY_ERR_FORMAT for an angle given twice, for angles that are missing, for none at all. */
rcity_status rcity_pattern_cut_finish(rcity_context *context, rcity_pattern_cut *cut, const char *file,
                                      const char *what, float loss_db[360]);

/* Make the antenna of two finished cuts in `cuts`, whose `electrical_tilt_deg` is what the file states or NAN: one that
   the vertical cut contradicts is not believed, and that is logged. */
rcity_status rcity_pattern_make(rcity_context *context, const char *file, rcity_antenna_cuts *cuts,
                                rcity_antenna **antenna);

#endif
