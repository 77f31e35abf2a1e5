/* What stands between points and the transmitters that serve them, and why a point has no value. */
#ifndef CLI_PREDICT_POINT_SIGHT_H
#define CLI_PREDICT_POINT_SIGHT_H

#include "radiocity/radiocity.h"

typedef struct point_sight {
    double line_of_sight; /* 1 or 0; NAN where it cannot be told */
    const char *obstacle; /* the first: "wall", "roof", "ground", "inside"; "" for none */
    const char *reason;   /* why there is no value; "" where there is one */
} point_sight;

/* For each point: the line to its transmitter, `server[i]` of `transmitters` (-1: none, then the nearest is taken).
   `has_value[i]`: the method gave one. `skips` says that points outside a model's range are left empty. */
rcity_status point_sight_find(rcity_context *context, const rcity_scene *scene, rcity_device *device, int64_t count,
                              const double *xyh_m, const int *server, const bool *has_value, int transmitter_count,
                              const rcity_transmitter *transmitters, bool skips, point_sight *sights);

#endif
