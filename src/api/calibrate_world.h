/* Measurements as the points of a fit: transmitter after transmitter, each traced once, weighed by any coefficients. */
#ifndef RCITY_API_CALIBRATE_WORLD_H
#define RCITY_API_CALIBRATE_WORLD_H

#include "api/predictor.h"
#include "fit/fit_solve.h"
#include "method/method_fit.h"
#include "radiocity/fit.h"

/* What was measured of one transmitter. */
typedef struct rcity_calibrate_part {
    rcity_request request;
    rcity_predictor *predictor; /* of these points, with this transmitter */
    void *listed;               /* by the method's fit; owned */
    int64_t first, count;
} rcity_calibrate_part;

typedef struct rcity_calibrate_world {
    rcity_context *context;
    const rcity_scene *scene;
    rcity_device *device;
    const rcity_method *method;
    bool with_antenna; /* powers were measured, not losses */
    bool is_quiet;     /* another world of the same points has said what the method remarks */

    int part_count;
    rcity_calibrate_part *parts;
    int64_t count; /* of points, in the order of their transmitters, then of their routes */
    double *xyh_m;
    double *measured_db; /* losses; of powers: less the antenna's gain into the direction in which the path leaves */
    double *straight_db; /* losses, as if the path left along the straight line: what a score holds models against */
    double *distance_m;
    double *elevation_deg; /* of the transmitter, seen from the point, along the straight line */
    double *free_space_db;
    int32_t *block; /* pieces of route within which errors are correlated */
    int32_t block_count;
    int32_t *group; /* of transmitters: with few one each, else every so many together */
    int32_t group_count;

    int parameter_count; /* free coefficients, then a constant for each transmitter: its offset or its level */
    rcity_fit_parameter parameters[RCITY_FIT_PARAMETER_MAX];
    int constraint_count;
    rcity_fit_constraint constraints[RCITY_FIT_PARAMETER_MAX];
    int free_count;                               /* coefficients among the parameters */
    int free_index[RCITY_FIT_PARAMETER_MAX];      /* parameter to coefficient */
    double coefficients[RCITY_FIT_PARAMETER_MAX]; /* all, where they start */
    uint64_t on_request;                          /* rcity_method_start */
    bool fits_offset;                             /* powers are unknown */
    double level_spread_db;                       /* of the transmitters' levels; 0: none are fitted */
    bool is_level_estimated;
    char constant_name[RCITY_FIT_PARAMETER_MAX][64];
    double *all_slopes; /* room for those of all coefficients */
} rcity_calibrate_world;

/* Place and trace all measurements. `world` need not be set; release with rcity_calibrate_world_deinit() in any case.
   */
rcity_status rcity_calibrate_world_init(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                        const rcity_request *request, const rcity_measurements *measurements,
                                        rcity_calibrate_world *world);
void rcity_calibrate_world_deinit(rcity_calibrate_world *world);

/* Every `stride`-th point of another world, traced anew: a search that asks often needs no more. */
rcity_status rcity_calibrate_world_thin(const rcity_calibrate_world *from, int64_t stride,
                                        rcity_calibrate_world *world);

/* Standard deviation of the levels of a city's transmitters around the law, while they do not tell it themselves. */
#define RCITY_CALIBRATE_LEVEL_SPREAD_DB 4.0

/* Levels are fitted of at most so many transmitters; with more they average out. */
#define RCITY_CALIBRATE_LEVEL_MAX 40

/* Choose what is fitted. @return RCITY_ERR_ARGUMENT for a name that is none of the coefficients. */
rcity_status rcity_calibrate_world_choose(rcity_calibrate_world *world, const rcity_calibrate_options *options);

/* Trace a part again with its transmitter at another place, x, y and height shifted.
   @return RCITY_ERR_ARGUMENT where it cannot stand; the part is as before then. */
rcity_status rcity_calibrate_world_move(rcity_calibrate_world *world, int part_index, const rcity_transmitter *from,
                                        const double shift[3]);

/* The problem of rcity_fit_solve() that this is; borrowed from the world. */
rcity_fit_problem rcity_calibrate_world_problem(rcity_calibrate_world *world, bool is_robust);

/* By how much errors that hang together within blocks widen what independent ones would tell: at least 1. Errors of
   limit_db or more do not count. */
double rcity_calibrate_world_widening(const rcity_calibrate_world *world, const double *values_db, double limit_db);

/* An rcity_fit_evaluate. */
void rcity_calibrate_world_evaluate(void *user, const double *parameters, double *values_db, double *slopes);

#endif
