/* ITU-R P.1411, site-general models within street canyons and over rooftops. */
#ifndef RCITY_METHOD_P1411_H
#define RCITY_METHOD_P1411_H

#include "kernel/p1411.h"
#include "method/empirical/empirical_run.h"

/* Where a link lies. */
typedef enum rcity_p1411_environment {
    RCITY_P1411_HIGH_RISE,  /* both ends below the rooftops, urban high-rise: table 4 */
    RCITY_P1411_LOW_RISE,   /* both ends below the rooftops, urban low-rise and suburban: table 4 */
    RCITY_P1411_ABOVE_ROOFS /* one end above the rooftops, urban high-rise: table 8 */
} rcity_p1411_environment;

/* A row of the tables. */
typedef struct rcity_p1411_row {
    double frequency_min_hz, frequency_max_hz;
    double distance_min_m, distance_max_m;
    rcity_p1411_coefficients coefficients;
    float deviation_db; /* sigma: of places around the median */
} rcity_p1411_row;

const rcity_p1411_row *rcity_p1411_get(rcity_p1411_environment environment, bool is_visible);

extern const rcity_empirical rcity_p1411_method;

#endif
