/* Models to fit: straight ones, and ones that take the least of several paths. */
#ifndef FIT_MODELS_H
#define FIT_MODELS_H

#include "fit/fit_solve.h"
#include "rcity_test.h"

#define MODEL_PATHS 4

/* The value of a point is the least over its paths of offset + slopes . parameters. */
typedef struct fit_model {
    int n, path_count;
    int64_t point_count;
    double *offset; /* [point * path_count + path]; NAN: the point has no value */
    double *slope;  /* [(point * path_count + path) * n + parameter] */
    int64_t call_count;
} fit_model;

fit_model fit_model_make(int n, int path_count, int64_t point_count);
void fit_model_free(fit_model *model);

/* An rcity_fit_evaluate of a fit_model. */
void fit_model_evaluate(void *user, const double *parameters, double *values_db, double *slopes);

/* Standard normal, the i-th of a seed. */
double test_normal(uint64_t seed, uint64_t i);

/* A city in small: paths in sight (offset and a slope with distance), around corners (a loss a turn, one with the
   angle, one with its square) and over roofs (the same), the least counts. Six parameters: a constant, turn, angle,
   angle squared, roof, roof angle. */
#define CITY_PARAMETERS 6
fit_model fit_city_make(uint64_t seed, int64_t point_count);

rcity_fit_parameter parameter_of(double start, double low, double high, double spread);

/* The city measured, with normal noise and outliers of 30 dB; blocks of 20 points; robust. */
typedef struct city {
    fit_model model;
    double *measured_db;
    int32_t *block;
    rcity_fit_parameter parameters[CITY_PARAMETERS];
    rcity_fit_constraint constraint;
    rcity_fit_problem problem;
} city;

extern const double city_truth[CITY_PARAMETERS];

void city_make(uint64_t seed, int64_t count, double noise_db, double outlier_share, city *made);
void city_free(city *made);

#endif
