#include "method/empirical/log_distance_fit.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "kernel/antenna.h"
#include "kernel/log_distance.h"
#include "method/empirical/log_distance.h"
#include "method/receiver_plane.h"
#include "scene/antenna_data.h"

enum { EXPONENT, REFERENCE_LOSS, COEFFICIENT_COUNT };

static const rcity_method_coefficient coefficients[COEFFICIENT_COUNT] = {
    [EXPONENT] = {RCITY_LOG_DISTANCE_OPTION_EXPONENT, 1.0, 8.0, 1.0},
    [REFERENCE_LOSS] = {RCITY_LOG_DISTANCE_OPTION_REFERENCE_LOSS, 0.0, 300.0, 15.0},
};

/* What the coefficients need to know about a point. */
typedef struct fit_point {
    double decades;  /* beyond the reference distance; negative before it, where the exponent is always 2 */
    double added_db; /* added to the law by land cover; NAN where the point is not served */
    double gain_db;  /* of the transmitting antenna along the straight line */
} fit_point;

typedef struct fit_points {
    int64_t count;
    fit_point *points;
} fit_points;

/* The method's own numbers, with words resolved. */
static rcity_log_distance_job read_law(const rcity_job *job, const rcity_tx *tx)
{
    rcity_log_distance_job law;
    memset(&law, 0, sizeof law);
    rcity_log_distance_method.fill(job, tx, &law);
    return law;
}

static rcity_status start(const rcity_job *job, const rcity_tx *tx, rcity_method_start *made)
{
    double *values = made->coefficients;
    double given_db = job->number[RCITY_LOG_DISTANCE_OPTION_REFERENCE_LOSS];
    values[EXPONENT] = job->number[RCITY_LOG_DISTANCE_OPTION_EXPONENT];
    values[REFERENCE_LOSS] = isnan(given_db) ? (double)read_law(job, tx).reference_loss_db : given_db;
    return RCITY_OK;
}

static void release(rcity_context *context, void *listed)
{
    fit_points *made = listed;
    if (made != NULL) {
        rcity_release(context, made->points);
        rcity_release(context, made);
    }
}

/* Split the method's losses into their parts; positions are relative to the antenna. */
static void take_apart(const rcity_job *job, const rcity_tx *tx, const rcity_point *positions, const float *loss_db,
                       fit_points *made)
{
    const rcity_transmitter *transmitter = &tx->stated;
    rcity_log_distance_job law = read_law(job, tx);
    rcity_antenna_job antenna;
    int64_t pattern_count;
    const float *pattern = rcity_antenna_table(transmitter->antenna, &pattern_count);
    rcity_antenna_mount(transmitter->antenna, tx->azimuth_rad, rcity_angle_rad(transmitter->mechanical_tilt_deg),
                        rcity_angle_rad(transmitter->electrical_tilt_deg), &antenna);
    for (int64_t i = 0; i < made->count; i++) {
        fit_point *point = &made->points[i];
        if (isnan(loss_db[i])) {
            point->added_db = (double)NAN;
            continue;
        }
        rcity_vec3 direction = {(float)positions[i].x_m, (float)positions[i].y_m, (float)positions[i].z_m};
        rcity_link link = rcity_link_make(direction.x, direction.y, -direction.z, 0.0f, 0.0f);
        double distance_m = (double)rcity_fmax(link.distance_m, RCITY_LINK_DISTANCE_MIN_M);
        point->decades = log10(distance_m / (double)law.reference_distance_m);
        point->added_db = (double)loss_db[i] - (double)rcity_log_distance_link(law, link);
        point->gain_db = (double)rcity_antenna_gain(antenna, pattern, direction);
    }
}

static rcity_status list(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                         void **listed)
{
    rcity_context *context = job->context;
    size_t count = (size_t)job->receivers->point_count;
    const char *what = "measured points";
    rcity_point *positions = NULL;
    float *loss_db = NULL;
    fit_points *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *positions, what, &positions));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *loss_db, what, &loss_db));
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, what, &made));
    made->count = job->receivers->point_count;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *made->points, what, &made->points));
    RCITY_TRY_DONE(rcity_receiver_points_fill(job, &tx->position, positions));
    const rcity_point_levels levels = {.loss_db = loss_db};
    RCITY_TRY_DONE(job->method->evaluate_points(job, prepared, trace, tx, &levels));
    take_apart(job, tx, positions, loss_db, made);
    *listed = made;
    made = NULL;
done:
    release(context, made);
    rcity_release(context, loss_db);
    rcity_release(context, positions);
    return status;
}

/* The law of kernel/log_distance.h. A reference loss other than that of free space also shifts the losses before the
   reference distance. */
static void weigh(const void *listed, const double *values, bool with_antenna, double *loss_db, double *slopes,
                  int8_t *mechanisms)
{
    const fit_points *made = listed;
    for (int64_t i = 0; i < made->count; i++) {
        const fit_point *point = &made->points[i];
        bool is_served = !isnan(point->added_db);
        bool is_before = point->decades < 0.0;
        double exponent = is_before ? 2.0 : values[EXPONENT];
        loss_db[i] = values[REFERENCE_LOSS] + 10.0 * exponent * point->decades + point->added_db -
                     (with_antenna ? point->gain_db : 0.0);
        if (slopes != NULL) {
            slopes[i * COEFFICIENT_COUNT + EXPONENT] = is_served && !is_before ? 10.0 * point->decades : 0.0;
            slopes[i * COEFFICIENT_COUNT + REFERENCE_LOSS] = is_served ? 1.0 : 0.0;
        }
        if (mechanisms != NULL) {
            mechanisms[i] = -1; /* a formula knows no mechanism */
        }
    }
}

const rcity_method_fit rcity_log_distance_fit = {
    .coefficient_count = COEFFICIENT_COUNT,
    .coefficients = coefficients,
    .start = start,
    .list = list,
    .release = release,
    .weigh = weigh,
};
