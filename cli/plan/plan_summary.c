/* The figures of a plan. */
#include <inttypes.h>
#include <math.h>

#include "json.h"
#include "plan_files.h"

static void add_coverage(json_writer *json, const char *key, const rcity_siting_coverage *coverage)
{
    json_begin_object(json, key);
    json_integer(json, "sites", coverage->site_count);
    json_number(json, "cost", coverage->cost);
    json_number(json, "covered_weight", coverage->covered_weight);
    json_number(json, "covered_share", coverage->covered_share);
    json_integer(json, "covered_points", coverage->covered_count);
    json_number(json, "overlap_weight", coverage->overlap_weight);
    json_end_object(json);
}

static void add_search(json_writer *json, const rcity_siting_info *info)
{
    json_begin_object(json, "search");
    json_integer(json, "moves", info->move_count);
    json_integer(json, "accepted", info->accept_count);
    json_integer(json, "predictions", info->prediction_count);
    json_integer(json, "reused", info->reused_count);
    json_integer(json, "without_reuse", info->naive_count);
    json_number(json, "prediction_s", info->prediction_s);
    json_number(json, "predictions_per_s", (double)info->prediction_count / info->prediction_s);
    json_number(json, "run_s", info->run_s);
    json_end_object(json);
}

static void add_baseline(json_writer *json, const rcity_siting_info *info)
{
    if (isnan(info->baseline.cost)) {
        return;
    }
    json_begin_object(json, "baseline");
    json_integer(json, "candidates", info->candidate_count);
    json_number(json, "greedy_weight", info->greedy_weight);
    json_number(json, "covered_weight", info->baseline.covered_weight);
    json_number(json, "covered_share", info->baseline.covered_share);
    json_number(json, "cost", info->baseline.cost);
    json_number(json, "bound", info->baseline_bound);
    rcity_json_boolean(json, "is_result", info->is_baseline);
    json_end_object(json);
}

static void add_site(json_writer *json, const plan_result *result, int site)
{
    const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[site];
    double weight = 0.0;
    double covered = 0.0;
    for (int64_t i = 0; i < rcity_demand_count(result->world->demand); i++) {
        rcity_siting_point got;
        rcity_demand_point point;
        if (rcity_siting_get_point(result->siting, i, &got) == RCITY_OK && got.server == site &&
            rcity_demand_get_point(result->world->demand, i, &point) == RCITY_OK) {
            weight += point.weight;
            covered += got.is_covered ? point.weight : 0.0;
        }
    }
    rcity_json_break_line(json);
    json_begin_object(json, NULL);
    json_text(json, "name", tx->name);
    rcity_json_boolean(json, "exists", site < result->input->options.existing_count);
    rcity_json_fixed(json, "x", tx->x_m, 3);
    rcity_json_fixed(json, "y", tx->y_m, 3);
    json_number(json, "height_m", tx->height_m);
    json_text(json, "height_above", tx->is_absolute ? "sea" : "ground");
    json_number(json, "azimuth_deg", tx->azimuth_deg);
    json_number(json, "eirp_dbm", rcity_transmitter_eirp_dbm(tx));
    json_number(json, "served_weight", weight);
    json_number(json, "covered_weight", covered);
    json_end_object(json);
}

void plan_summary_json(const plan_result *result, FILE *file)
{
    const rcity_siting_info *info = &result->info;
    json_writer json = json_writer_make(file);
    json_begin_object(&json, NULL);
    json_text(&json, "method", result->input->request.method);
    rcity_json_boolean(&json, "is_complete", info->is_complete);
    json_integer(&json, "points", rcity_demand_count(result->world->demand));
    json_number(&json, "weight", info->weight);
    add_coverage(&json, "before", &info->before);
    add_coverage(&json, "start", &info->start);
    add_coverage(&json, "found", &info->found);
    add_baseline(&json, info);
    json_begin_array(&json, "sites");
    for (int i = 0; i < rcity_siting_count(result->siting); i++) {
        add_site(&json, result, i);
    }
    json_end_array(&json);
    json_begin_array(&json, "course");
    const rcity_siting_step *steps = rcity_siting_steps(result->siting);
    for (int i = 0; i < rcity_siting_step_count(result->siting); i++) {
        json_begin_array(&json, NULL);
        json_integer(&json, NULL, steps[i].move);
        json_number(&json, NULL, steps[i].cost);
        json_number(&json, NULL, steps[i].best);
        json_end_array(&json);
    }
    json_end_array(&json);
    add_search(&json, info);
    json_end_object(&json);
    json_end_line(&json);
}

static void print_coverage(const char *name, const rcity_siting_coverage *coverage)
{
    printf("%-22s %5" PRId64 " sites  %7.2f %% of the weight  %8" PRId64 " points  overlap %.4g\n", name,
           coverage->site_count, 100.0 * coverage->covered_share, coverage->covered_count, coverage->overlap_weight);
}

void plan_summary_print(const plan_result *result)
{
    const rcity_siting_info *info = &result->info;
    printf("demand                 %" PRId64 " points, weight %.6g\n", rcity_demand_count(result->world->demand),
           info->weight);
    if (result->input->options.existing_count > 0) {
        print_coverage("before", &info->before);
    }
    print_coverage("start of the search", &info->start);
    if (!isnan(info->baseline.cost)) {
        print_coverage("greedy and exchanges", &info->baseline);
        printf("                       greedy alone %.2f %%, of %" PRId64 " candidates",
               100.0 * info->greedy_weight / info->weight, info->candidate_count);
        if (info->has_bound) {
            printf("; no choice of them covers more than %.2f %%", 100.0 * info->baseline_bound / info->weight);
        }
        printf("\n");
    }
    print_coverage(info->is_baseline ? "found (the baseline's)" : "found", &info->found);
    for (int i = 0; i < rcity_siting_count(result->siting); i++) {
        const rcity_transmitter *tx = &rcity_siting_transmitters(result->siting)[i];
        printf("  %-20s %.1f, %.1f  height %.1f m%s  azimuth %.0f  EIRP %.1f dBm\n", tx->name, tx->x_m, tx->y_m,
               tx->height_m, tx->is_absolute ? " above 0" : "", tx->azimuth_deg, rcity_transmitter_eirp_dbm(tx));
    }
    printf("moves                  %" PRId64 ", %" PRId64 " taken%s\n", info->move_count, info->accept_count,
           info->is_complete ? "" : "; stopped before the end");
    printf("predictions            %" PRId64 " in %.2f s (%.0f a second), %" PRId64
           " reused; each configuration anew would "
           "take %" PRId64 "\n",
           info->prediction_count, info->prediction_s, (double)info->prediction_count / fmax(info->prediction_s, 1e-9),
           info->reused_count, info->naive_count);
    printf("time                   %.2f s\n", info->run_s);
}
