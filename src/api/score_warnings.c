/* What a reader of a score must know, in sentences: warnings first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/score_run.h"
#include "scene/shapes.h"

#define FEW_COUNT          30   /* fewer measurements say little */
#define CORRELATION_MIN    0.1  /* below this the two have nothing to do with each other */
#define MEAN_MAX_DB        25.0 /* no model is that far off by itself */
#define IN_BUILDING_SHARES 5    /* more than one in so many inside buildings: map and places do not fit */

static const char *name_of(const rcity_transmitter *transmitter)
{
    return transmitter->name != NULL ? transmitter->name : "Tx";
}

/* @return whether one was missing. */
static rcity_status warn_powers(rcity_score_run *run, bool *is_unknown)
{
    const rcity_transmitter *transmitters = rcity_measurements_transmitters(run->measurements);
    bool has_powers = rcity_measurements_kind(run->measurements) == RCITY_MEASURED_POWER;
    for (int i = 0; has_powers && i < rcity_measurements_transmitter_count(run->measurements); i++) {
        if (isnan(transmitters[i].power_dbm)) {
            *is_unknown = true;
            RCITY_TRY(
                rcity_score_warn(run->score,
                                 "received powers were measured, and the transmitter '%s' states no power: 0 dBm "
                                 "EIRP is taken; the mean error and the rmse mean nothing, the standard deviation "
                                 "and the correlation do",
                                 name_of(&transmitters[i])));
        }
    }
    return RCITY_OK;
}

static rcity_status warn_places(rcity_score_run *run)
{
    int64_t count = 0;
    for (int64_t i = 0; i < run->score->point_count; i++) {
        count += run->score->points[i].is_in_building;
    }
    return count * IN_BUILDING_SHARES <= run->score->point_count
               ? RCITY_OK
               : rcity_score_warn(run->score,
                                  "%lld of %lld measurements lie inside buildings: do the map and the measurements "
                                  "have the same coordinates?",
                                  (long long)count, (long long)run->score->point_count);
}

/* Is a model's correlation missing because nothing was measured that varies? */
static bool is_constant(const rcity_score *score)
{
    double low_db = HUGE_VAL;
    double high_db = -HUGE_VAL;
    for (int64_t i = 0; i < score->point_count; i++) {
        if (score->points[i].left_out[0] == '\0') {
            low_db = fmin(low_db, score->measured_db[i]);
            high_db = fmax(high_db, score->measured_db[i]);
        }
    }
    return high_db - low_db < 1e-6;
}

rcity_status rcity_score_add_warnings(rcity_score_run *run)
{
    rcity_score *score = run->score;
    const rcity_score_figures *figures = &score->groups[0].figures[RCITY_SCORE_METHOD];
    bool is_power_unknown = false;
    RCITY_TRY(warn_powers(run, &is_power_unknown));
    RCITY_TRY(warn_places(run));
    if (figures->count < FEW_COUNT) {
        RCITY_TRY(rcity_score_warn(score, "only %lld %s can be compared, which says little; %d or more are wanted",
                                   (long long)figures->count, figures->count == 1 ? "measurement" : "measurements",
                                   FEW_COUNT));
    }
    if (rcity_measurements_kind(run->measurements) == RCITY_MEASURED_LOSS && is_constant(score)) {
        RCITY_TRY(rcity_score_warn(score, "all measured values are the same: is it the right column?"));
    } else if (figures->correlation < CORRELATION_MIN) {
        RCITY_TRY(rcity_score_warn(score,
                                   "measured and predicted losses have little to do with each other (correlation "
                                   "%.2f): is it the right transmitter, column, coordinate system?",
                                   figures->correlation));
    }
    if (!is_power_unknown && fabs(figures->mean_db) > MEAN_MAX_DB) {
        RCITY_TRY(rcity_score_warn(score,
                                   "the mean error is %.1f dB: is the value a loss or a power, in dB, of this "
                                   "transmitter, frequency and power?",
                                   figures->mean_db));
    }
    return RCITY_OK;
}

/* How far a place lies outside of a box of plan units, in metres. */
static double distance_outside_m(const rcity_shapes *shapes, const rcity_transmitter *transmitter, double west,
                                 double south, double east, double north)
{
    double x = (transmitter->x_m - shapes->origin_x_m) * shapes->units_per_m;
    double y = (transmitter->y_m - shapes->origin_y_m) * shapes->units_per_m;
    double dx = fmax(fmax(west - x, x - east), 0.0);
    double dy = fmax(fmax(south - y, y - north), 0.0);
    return hypot(dx, dy) / shapes->units_per_m;
}

/* Outside the buildings the path is free, or over terrain as far as there is some. */
static rcity_status remark_outside(rcity_score *score, const rcity_shapes *shapes, const rcity_transmitter *transmitter)
{
    double west = HUGE_VAL;
    double south = HUGE_VAL;
    double east = -HUGE_VAL;
    double north = -HUGE_VAL;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        west = fmin(west, shapes->prisms[i].x_min);
        south = fmin(south, shapes->prisms[i].y_min);
        east = fmax(east, shapes->prisms[i].x_max);
        north = fmax(north, shapes->prisms[i].y_max);
    }
    double outside_m = distance_outside_m(shapes, transmitter, west, south, east, north);
    if (shapes->prism_count == 0 || outside_m <= 0.0) {
        return RCITY_OK;
    }
    bool has_terrain = shapes->terrain.column_count > 0;
    double beyond_m =
        distance_outside_m(shapes, transmitter, shapes->x_min, shapes->y_min, shapes->x_max, shapes->y_max);
    return rcity_score_say(score,
                           "the transmitter '%s' stands %.0f m outside the building map; outside the building map the "
                           "path %s",
                           name_of(transmitter), outside_m,
                           !has_terrain     ? "is free (no terrain there)"
                           : beyond_m > 0.0 ? "is over terrain as far as that reaches, free beyond it"
                                            : "is over terrain");
}

/* Where the coefficients are used outside what they were fitted on. */
static rcity_status check_span(rcity_score_run *run)
{
    char *remark = run->remark[RCITY_SCORE_METHOD];
    for (int kind = 0; run->coefficients != NULL && kind < RCITY_SPAN_COUNT; kind++) {
        char text[RCITY_SPAN_TEXT_BYTES];
        if (rcity_span_is_left(&run->span, (rcity_span_kind)kind)) {
            size_t used = strlen(remark);
            snprintf(remark + used, RCITY_SCORE_REMARK_BYTES - used, "%s%s",
                     used == 0 ? "its coefficients were not fitted at this " : ", ",
                     rcity_span_name((rcity_span_kind)kind));
            run->score->models[RCITY_SCORE_METHOD].is_extrapolated = true;
            RCITY_TRY(rcity_score_warn(run->score, "%s", rcity_span_describe(&run->span, (rcity_span_kind)kind, text)));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_score_add_remarks(rcity_score_run *run)
{
    RCITY_TRY(check_span(run));
    const rcity_transmitter *transmitters = rcity_measurements_transmitters(run->measurements);
    for (int i = 0; i < rcity_measurements_transmitter_count(run->measurements); i++) {
        RCITY_TRY(remark_outside(run->score, rcity_scene_shapes(run->scene), &transmitters[i]));
    }
    for (int i = 0; i < run->model_count; i++) {
        if (run->remark[i][0] != '\0' && !run->is_failed[i]) {
            RCITY_TRY(
                rcity_score_say(run->score, "%s is extrapolated: %s", run->score->models[i].name, run->remark[i]));
        }
    }
    return RCITY_OK;
}
