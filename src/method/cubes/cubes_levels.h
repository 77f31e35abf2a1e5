/* Levels at receivers from the paths of a trace: what paths lose, the path over all roofs, the surroundings. */
#ifndef RCITY_METHOD_CUBES_LEVELS_H
#define RCITY_METHOD_CUBES_LEVELS_H

#include "method/cubes/cubes_trace.h"
#include "method/link_ends.h"
#include "method/surroundings/mean_source.h"

/* Coefficients of the laws, in the order of a fit: what is added to a path once, at each deflection, and with its change
   of direction. */
typedef enum rcity_cubes_coefficient {
    RCITY_CUBES_OF_DIRECT,
    RCITY_CUBES_OF_REFLECTION,
    RCITY_CUBES_OF_REFLECTION_NORMAL,
    RCITY_CUBES_OF_VERTICAL,
    RCITY_CUBES_OF_VERTICAL_RAD,
    RCITY_CUBES_OF_HORIZONTAL,
    RCITY_CUBES_OF_HORIZONTAL_RAD,
    RCITY_CUBES_OF_OVER_ROOFS,
    RCITY_CUBES_LAW_COUNT
} rcity_cubes_coefficient;

/* A path as the laws see it. Its loss is base_db + the sum of coefficients times parts. */
typedef struct rcity_cubes_item {
    double base_db; /* free space, and what edges take as knife edges */
    double part[RCITY_CUBES_LAW_COUNT];
    double gain_db; /* of the transmitting antenna in its direction */
    int mechanism;
    int reflections, verticals, horizontals;
} rcity_cubes_item;

#define RCITY_CUBES_ITEM_MAX (RCITY_CUBE_CLASS_COUNT + 1)

/* The paths of a receiver, and what its surroundings say; item_count 0 and a weight of 0: nothing arrives. */
typedef struct rcity_cubes_link {
    rcity_mean_link mean; /* its weight is 0 without surroundings */
    int item_count;
    rcity_cubes_item items[RCITY_CUBES_ITEM_MAX];
    bool is_seen;
} rcity_cubes_link;

/* The result at a receiver. Losses are NAN, and the mechanism is -1, where nothing arrives. */
typedef struct rcity_cubes_level {
    double loss_db;   /* between isotropic antennas */
    double gained_db; /* less the gain of the transmitting antenna */
    int mechanism;
    int reflections, verticals, horizontals; /* of the strongest path */
    bool is_seen;
} rcity_cubes_level;

/* Read-only once made; for any number of threads. */
typedef struct rcity_cubes_levels {
    const rcity_job *job;
    const rcity_cubes_traced *traced;
    rcity_path_ends ends;
    double wavelength_m, spread_db;
    double coefficients[RCITY_CUBES_LAW_COUNT];
    bool has_mean, adds_powers, goes_over;
    rcity_mean_source source;   /* where there are surroundings */
    rcity_tile_roof_path *over; /* of each open receiver; NaN: none */
    float *left;                /* what edges near the line leave of its power, where it is free; 0: it is not */
} rcity_cubes_levels;

/* The coefficients of a job, words resolved. */
rcity_status rcity_cubes_read_coefficients(const rcity_job *job, const rcity_tx *tx,
                                           double coefficients[RCITY_CUBES_LAW_COUNT]);

/* Zeroed on failure; rcity_cubes_levels_deinit() in any case. */
rcity_status rcity_cubes_levels_init(const rcity_job *job, const rcity_cubes_traced *traced, const rcity_tx *tx,
                                     rcity_cubes_levels *levels);
void rcity_cubes_levels_deinit(rcity_cubes_levels *levels);

/* Is an open receiver in the transmitter's near field, where there are no levels? */
bool rcity_cubes_levels_is_near(const rcity_cubes_levels *levels, int64_t open);

/* All about an open receiver that does not depend on coefficients. */
void rcity_cubes_levels_link(const rcity_cubes_levels *levels, int64_t open, rcity_cubes_link *link);

/* The loss of a path; `with_antenna`: less the antenna's gain. */
double rcity_cubes_item_db(const rcity_cubes_item *item, const double coefficients[RCITY_CUBES_LAW_COUNT],
                           bool with_antenna);

/* The strongest path of a link, -1 without one, and the loss of it, or of the sum of all. */
int rcity_cubes_link_weigh(const rcity_cubes_link *link, const double coefficients[RCITY_CUBES_LAW_COUNT],
                           bool with_antenna, bool adds_powers, double *loss_db);

rcity_cubes_level rcity_cubes_levels_weigh(const rcity_cubes_levels *levels, const rcity_cubes_link *link);

#endif
