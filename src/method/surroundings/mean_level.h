/* The law of the mean of the surroundings on the host, in double precision: the level of a link, and the slopes that a
   calibration asks for. kernel/surroundings/surroundings_mean.h is the same in single precision. */
#ifndef RCITY_METHOD_SURROUNDINGS_MEAN_LEVEL_H
#define RCITY_METHOD_SURROUNDINGS_MEAN_LEVEL_H

#include <stdbool.h>

#include "kernel/surroundings/surroundings_mean.h"

/* A link in its surroundings. */
typedef struct rcity_mean_link {
    rcity_surroundings_end source, receiver;
    float free_db, length_m, rise_m,
        built_m;      /* of the straight line, free_db its free-space loss and what hills take */
    float gain_db;    /* of the transmitting antenna along it */
    float weight;     /* rcity_surroundings_city_weight(); 0: the surroundings do not count */
    float doubt_left; /* the share of the doubt that counts here, usually 1 */
} rcity_mean_link;

/* What a calibration may change of the law. */
typedef struct rcity_mean_values {
    double diffuse_db, roof_m, doubt;
} rcity_mean_values;

/* The result and how it follows what it is made of. */
typedef struct rcity_mean_level {
    double loss_db;
    double map_share;  /* slope of the loss with that of the paths on the map */
    double mean_share; /* and with that of the mean, so with diffuse_db */
    double doubt_slope, roof_slope;
    bool is_diffuse; /* the diffuse path is stronger than all on the map */
} rcity_mean_level;

/* `map_db` is the loss of the paths on the map. `values` stand for those of the law. `with_antenna`: losses less the
   transmitting antenna's gain. */
rcity_mean_level rcity_mean_level_of(const rcity_surroundings_law *law, const rcity_mean_link *link,
                                     rcity_mean_values values, bool with_antenna, double map_db);

#endif
