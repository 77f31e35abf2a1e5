/* A score as one JSON object. */
#include <stdio.h>
#include <string.h>

#include "figures_json.h"
#include "fit_items.h"
#include "score_report.h"

static void print_model(json_writer *json, const rcity_score *score, int model_index)
{
    rcity_score_model model = score_model_at(score, model_index);
    json_begin_object(json, NULL);
    json_text(json, "name", model.name);
    json_text(json, "fitted_on", model.fitted_on[0] != '\0' ? model.fitted_on : NULL);
    json_boolean(json, "is_extrapolated", model.is_extrapolated);
    json_begin_array(json, "groups");
    for (int i = 0; i < rcity_score_group_count(score); i++) {
        rcity_score_group group = score_group_at(score, i);
        json_begin_object(json, NULL);
        json_text(json, "kind", group.kind);
        json_text(json, "name", group.name);
        json_integer(json, "measurements", group.count);
        rcity_score_figures figures = score_figures_at(score, model_index, i);
        figures_json(json, "compared", &figures);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void print_tally(json_writer *json, const rcity_score *score, const measurement_world *world)
{
    rcity_measurement_tally tally = rcity_measurements_tally(world->measurements);
    int64_t counts[SCORE_REASON_COUNT];
    json_begin_object(json, "rows");
    json_integer(json, "read", tally.row_count);
    json_integer(json, "left_out_by_where", tally.left_out_count);
    json_integer(json, "gaps", tally.gap_count);
    json_integer(json, "duplicates", tally.duplicate_count);
    json_integer(json, "too_weak", tally.floor_count);
    json_integer(json, "too_strong", tally.saturated_count);
    json_integer(json, "outside_scene", tally.outside_count);
    json_integer(json, "kept", tally.kept_count);
    json_end_object(json);
    score_count_left_out(score, world, counts);
    json_begin_object(json, "left_out");
    for (int i = 0; i < SCORE_REASON_COUNT; i++) {
        json_integer(json, score_reasons[i], counts[i]);
    }
    json_end_object(json);
}

static void print_sentences(json_writer *json, const char *key, const rcity_score *score,
                            const char *(*sentence)(const rcity_score *, int))
{
    json_begin_array(json, key);
    for (int i = 0; sentence(score, i) != NULL; i++) {
        json_text(json, NULL, sentence(score, i));
    }
    json_end_array(json);
}

void score_json_print(const rcity_score *score, const score_input *input, const measurement_world *world)
{
    json_writer json = json_writer_make(stdout);
    bool is_power = rcity_measurements_kind(world->measurements) == RCITY_MEASURED_POWER;
    json_begin_object(&json, NULL);
    json_text(&json, "method", input->request.method);
    json_text(&json, "coefficients", input->coefficients.path);
    json_text(&json, "measured", is_power ? "received power" : "loss");
    json_integer(&json, "measurements", rcity_measurements_count(world->measurements));
    json_integer(&json, "samples", world->sample_count);
    json_number(&json, "average_m", world->average_m);
    print_tally(&json, score, world);
    json_begin_array(&json, "models");
    for (int i = 0; i < rcity_score_model_count(score); i++) {
        print_model(&json, score, i);
    }
    json_end_array(&json);
    print_sentences(&json, "warnings", score, rcity_score_warning);
    print_sentences(&json, "remarks", score, rcity_score_remark);
    json_end_object(&json);
    json_end_line(&json);
}
