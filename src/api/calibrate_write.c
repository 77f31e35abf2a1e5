/* What is written down of a calibration. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/calibrate_run.h"
#include "api/coefficients_span.h"

/* Of the span between its bounds: a coefficient is its default. */
#define DEFAULT_TOLERANCE 1e-6

#define NAME_BYTES          96
#define OFFSET_DOUBTED_DB   8.0 /* width of an offset's confidence */
#define TRANSMITTERS_WANTED 3   /* fewer say too little of the spread between them */

/* A bound that is NAN yet becomes the value. */
static void include(double value, double *low, double *high)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* Spans of what was fitted on: transmitters and the points that have a prediction (`values_db` is NAN elsewhere). */
static void find_spans(rcity_calibration *run)
{
    const rcity_calibrate_world *world = &run->world;
    rcity_fit_summary *summary = &run->made->summary;
    for (int p = 0; p < world->part_count; p++) {
        const rcity_transmitter *transmitter = &world->parts[p].request.transmitter;
        include(transmitter->frequency_hz, &summary->frequency_min_hz, &summary->frequency_max_hz);
        include(rcity_tx_height_above_ground_m(run->context, world->scene, transmitter), &summary->tx_height_min_m,
                &summary->tx_height_max_m);
    }
    for (int64_t i = 0; i < world->count; i++) {
        if (!isnan(run->values_db[i])) {
            include(world->distance_m[i], &summary->distance_min_m, &summary->distance_max_m);
            include(world->elevation_deg[i], &summary->elevation_min_deg, &summary->elevation_max_deg);
        }
    }
    summary->transmitter_count = world->part_count;
    summary->level_spread_db = world->level_spread_db;
    summary->is_level_spread_estimated = world->is_level_estimated;
    summary->point_count = run->solution.used_count;
    summary->outlier_count = run->solution.outlier_count;
}

/* Errors of one transmitter have something in common, which one transmitter cannot tell from the law. */
static rcity_status warn_few(rcity_calibration *run)
{
    int count = run->world.part_count;
    double spread_db = run->world.level_spread_db;
    const char *measured = count == 1 ? "transmitter was measured" : "transmitters were measured";
    if (count >= TRANSMITTERS_WANTED) {
        return RCITY_OK;
    }
    if (spread_db > 0.0) {
        return rcity_coefficients_warn(run->made,
                                       "%d %s: that levels of transmitters differ by %.1f dB is assumed, and the "
                                       "intervals know %s of other differences between them; measure %d or more",
                                       count, measured, spread_db, count == 1 ? "nothing" : "little",
                                       TRANSMITTERS_WANTED);
    }
    return rcity_coefficients_warn(run->made,
                                   "%d %s: the intervals know %s of the spread between transmitters, and another "
                                   "one may be missed by far more than they say; measure %d or more",
                                   count, measured, count == 1 ? "nothing" : "little", TRANSMITTERS_WANTED);
}

/* Options of the request that are no coefficients, then all coefficients. */
static rcity_status write_options(rcity_calibration *run, const double *coefficients)
{
    const rcity_method *method = run->world.method;
    rcity_notes *options = &run->made->options;
    for (int i = 0; i < run->request->option_count; i++) {
        bool is_coefficient = false;
        for (int k = 0; k < method->fit->coefficient_count; k++) {
            const char *name = method->options[method->fit->coefficients[k].option].name;
            is_coefficient = is_coefficient || strcmp(name, run->request->option_name[i]) == 0;
        }
        if (!is_coefficient) {
            RCITY_TRY(rcity_notes_add(options, run->request->option_name[i], "%s", run->request->option_value[i]));
        }
    }
    for (int k = 0; k < method->fit->coefficient_count; k++) {
        const char *name = method->options[method->fit->coefficients[k].option].name;
        RCITY_TRY(rcity_notes_add(options, name, "%.9g", coefficients[k]));
    }
    return RCITY_OK;
}

/* What was found of a coefficient, and a warning where it is none. */
static rcity_status write_number(rcity_calibration *run, const char *name, const char *unit,
                                 const rcity_fit_number *number, const rcity_fit_parameter *parameter)
{
    rcity_coefficient made = {.name = name,
                              .unit = unit,
                              .value = number->value,
                              .low = number->low,
                              .high = number->high,
                              .bound_low = parameter->low,
                              .bound_high = parameter->high,
                              .is_fitted = true,
                              .is_at_bound = number->is_at_bound,
                              .is_known = number->is_known};
    return rcity_coefficients_add(run->made, &made);
}

/* An offset shifts against all first terms: what it is not sure of, predictions are not sure of either. Predictions of
   other transmitters know nothing of a level. */
static rcity_status write_constants(rcity_calibration *run)
{
    const rcity_calibrate_world *world = &run->world;
    for (int k = world->free_count; k < world->parameter_count; k++) {
        const rcity_fit_number *number = &run->solution.numbers[k];
        const char *name = world->parameters[k].name;
        RCITY_TRY(write_number(run, name, "dB", number, &world->parameters[k]));
        if (world->fits_offset && number->high - number->low > OFFSET_DOUBTED_DB) {
            RCITY_TRY(rcity_coefficients_warn(run->made,
                                              "'%s' lies anywhere between %.1f and %.1f dB, and what these "
                                              "coefficients predict is as uncertain: state "
                                              "the transmitter's power if it can be known",
                                              name, number->low, number->high));
        }
    }
    return RCITY_OK;
}

/* Does a coefficient rest at a bound that is what it has without any measurement? The data then merely do not speak
   against the default, and there is nothing to warn of. */
static bool rests_at_default(const rcity_method_option *option, const rcity_method_coefficient *info,
                             const rcity_fit_number *number)
{
    double usual = strtod(option->default_value, NULL);
    return number->is_at_bound && fabs(number->value - usual) <= DEFAULT_TOLERANCE * (info->high - info->low);
}

static rcity_status write_coefficients(rcity_calibration *run)
{
    const rcity_calibrate_world *world = &run->world;
    const rcity_method *method = world->method;
    double coefficients[RCITY_FIT_PARAMETER_MAX];
    memcpy(coefficients, world->coefficients, sizeof coefficients);
    int unknown_count = 0;
    int bound_count = 0;
    for (int k = 0, next = 0; k < method->fit->coefficient_count; k++) {
        const rcity_method_coefficient *info = &method->fit->coefficients[k];
        const rcity_method_option *option = &method->options[info->option];
        if (next < world->free_count && world->free_index[next] == k) {
            rcity_fit_number told = run->solution.numbers[next];
            const rcity_fit_number *number = &told;
            bool is_default = rests_at_default(option, info, number);
            told.is_at_bound = told.is_at_bound && !is_default;
            told.is_known = told.is_known || is_default; /* what was known before */
            coefficients[k] = number->value;
            unknown_count += number->is_known || number->is_at_bound ? 0 : 1; /* one word for each in a report */
            bound_count += number->is_at_bound ? 1 : 0;
            RCITY_TRY(write_number(run, option->name, option->unit, number, &world->parameters[next]));
            next++;
        } else {
            rcity_coefficient fixed = {.name = option->name,
                                       .unit = option->unit,
                                       .value = coefficients[k],
                                       .low = (double)NAN,
                                       .high = (double)NAN,
                                       .bound_low = info->low,
                                       .bound_high = info->high,
                                       .is_known = true};
            RCITY_TRY(rcity_coefficients_add(run->made, &fixed));
        }
    }
    RCITY_TRY(write_constants(run));
    if (unknown_count > 0) {
        RCITY_TRY(rcity_coefficients_warn(run->made, "%d of %d coefficients are hardly told by these measurements: %s",
                                          unknown_count, world->free_count,
                                          run->made->summary.left_out_count > 0
                                              ? "they stay near what was known before, or transmitters contradict each "
                                                "other"
                                              : "they stay near what was known before"));
    }
    if (bound_count > 0) {
        RCITY_TRY(rcity_coefficients_warn(run->made, "%d of %d coefficients lie at a bound of what physics allows",
                                          bound_count, world->free_count));
    }
    if (!run->solution.has_converged) {
        RCITY_TRY(rcity_coefficients_warn(run->made,
                                          "the choice of paths and the fit did not converge; the best of %d "
                                          "rounds was taken",
                                          run->solution.round_count));
    }
    return write_options(run, coefficients);
}

static rcity_status write_shifts(rcity_calibration *run)
{
    static const char *const axis[3] = {"x", "y", "height"};
    for (int p = 0; run->shifts != NULL && p < run->world.part_count; p++) {
        const rcity_calibrate_shift *shift = &run->shifts[p];
        const char *name = run->world.parts[p].request.transmitter.name;
        for (int i = 0; i < 3; i++) {
            char text[NAME_BYTES];
            snprintf(text, sizeof text, "%s %.60s", axis[i], name != NULL ? name : "Tx");
            if (shift->reach[i] > 0.0) {
                rcity_coefficient made = {.name = text,
                                          .unit = "m",
                                          .value = shift->value[i],
                                          .low = shift->low[i],
                                          .high = shift->high[i],
                                          .bound_low = -shift->reach[i],
                                          .bound_high = shift->reach[i],
                                          .is_fitted = true,
                                          .is_at_bound = fabs(shift->value[i]) >= 0.99 * shift->reach[i],
                                          .is_known = shift->high[i] - shift->low[i] < 1.6 * shift->reach[i]};
                RCITY_TRY(rcity_coefficients_add(run->made, &made));
                if (made.is_at_bound) {
                    RCITY_TRY(rcity_coefficients_warn(
                        run->made, "'%s' went as far as it may, %.1f m: is the transmitter elsewhere?", text,
                        made.value));
                }
            }
        }
    }
    return RCITY_OK;
}

/* What it was fitted on, for people. */
static rcity_status write_sources(rcity_calibration *run)
{
    rcity_scene_info info;
    RCITY_TRY(rcity_scene_describe(run->world.scene, &info));
    rcity_notes *sources = &run->made->sources;
    RCITY_TRY(rcity_notes_add(sources, "scene", "%s", info.hash));
    for (int p = 0; p < run->world.part_count; p++) {
        const rcity_calibrate_part *part = &run->world.parts[p];
        char text[512];
        rcity_predictor_describe_transmitter(&part->predictor->slots[RCITY_PREDICTOR_ONLY].tx, text, sizeof text);
        RCITY_TRY(rcity_notes_add(sources, "transmitter", "%s; %lld measurements", text, (long long)part->count));
    }
    if (run->world.level_spread_db > 0.0) {
        RCITY_TRY(rcity_notes_add(sources, "levels", "of transmitters differ by %.2f dB (%s)",
                                  run->world.level_spread_db,
                                  run->made->summary.is_level_spread_estimated ? "estimated" : "assumed"));
    }
    return RCITY_OK;
}

rcity_status rcity_calibrate_write(rcity_calibration *run)
{
    find_spans(run);
    RCITY_TRY(warn_few(run));
    RCITY_TRY(write_coefficients(run));
    RCITY_TRY(write_shifts(run));
    return write_sources(run);
}
