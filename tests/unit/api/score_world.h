/* What the tests of scores share: a small town, a transmitter, points, and measurements made from predictions. */
#ifndef TEST_SCORE_WORLD_H
#define TEST_SCORE_WORLD_H

#include "rcity_test.h"
#include "result/measurements.h"

#define SCORE_POINT_COUNT 120
#define SCORE_BOX_COUNT   9

extern const test_box score_boxes[SCORE_BOX_COUNT];

/* What a test works with. The transmitter stands in a street, points all over the place, some of them in buildings. */
typedef struct score_world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_request request;
    double xyh_m[3 * SCORE_POINT_COUNT];
    float loss_db[SCORE_POINT_COUNT], received_dbm[SCORE_POINT_COUNT];
} score_world;

void score_world_open(score_world *w, rcity_context *context, const char *method, uint64_t seed);
void score_world_close(score_world *w);

/* What the library predicts at the points, by a plain call. */
void score_world_predict(score_world *w, const char *method, float *loss_db, float *received_dbm);

/* The error of a measurement, in dB. */
double score_world_error(uint64_t i);

/* Measurements of the request's transmitter: the values plus errors; those without a value get one nobody compares. */
rcity_measurements *score_world_measure(score_world *w, rcity_measured_kind kind, const float *values, double sign);

/* The same at the first points only. */
rcity_measurements *score_world_measure_first(score_world *w, rcity_measured_kind kind, const float *values,
                                              double sign, uint64_t count);

rcity_score *score_world_score(score_world *w, const rcity_measurements *measurements,
                               const rcity_coefficients *coefficients);

/* Indices by name; -1 without. */
int score_find_group(const rcity_score *score, const char *name);
int score_find_model(const rcity_score *score, const char *name, const char *fitted_on);

/* Is there a sentence with these words? `sentence` is rcity_score_warning or rcity_score_remark. */
bool score_says(const char *(*sentence)(const rcity_score *, int), const rcity_score *score, const char *words);

#endif
