/* Tables of figures: all models over all measurements, then the method in each part of them. */
#include "score_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit_items.h"
#include "session.h"
#include "shown_text.h"

#define LABEL_BYTES     200
#define LABEL_WIDTH_MAX 72

const char *const score_reasons[SCORE_REASON_COUNT] = {"inside a building", "outside the terrain", "no path",
                                                       "out of range"};

void score_count_left_out(const rcity_score *score, const measurement_world *world, int64_t counts[SCORE_REASON_COUNT])
{
    memset(counts, 0, SCORE_REASON_COUNT * sizeof counts[0]);
    for (int64_t i = 0; i < rcity_measurements_count(world->measurements); i++) {
        const char *reason = score_point_at(score, i).left_out;
        for (int k = 0; k < SCORE_REASON_COUNT; k++) {
            counts[k] += strcmp(reason, score_reasons[k]) == 0;
        }
    }
}

void score_model_label(const rcity_score *score, int model_index, char *text, size_t room)
{
    rcity_score_model model = score_model_at(score, model_index);
    bool is_fitted = model.fitted_on[0] != '\0';
    snprintf(text, room, "%s%s%s%s", model.name, is_fitted ? " (fitted on " : "", model.fitted_on,
             is_fitted ? ")" : "");
}

void score_report_warnings(const rcity_score *score)
{
    for (int i = 0; rcity_score_warning(score, i) != NULL; i++) {
        session_warn(rcity_score_warning(score, i));
    }
}

static void print_head(const char *what, int width)
{
    printf("%-*s %8s %8s %10s %12s %7s %8s\n", width, what, "mean", "rmse", "std. dev.", "median |e|", "corr.",
           "count");
}

static void print_number(double value, int width, int decimal_count)
{
    if (isfinite(value)) {
        bool is_nothing = fabs(value) < 0.5 * pow(10.0, -decimal_count); /* without a sign */
        printf(" %*.*f", width, decimal_count, is_nothing ? 0.0 : value);
    } else {
        printf(" %*s", width, "-");
    }
}

static void print_figures(const char *label, int width, rcity_score_figures figures)
{
    printf("%-*s", width, label);
    print_number(figures.mean_db, 8, 2);
    print_number(figures.rmse_db, 8, 2);
    print_number(figures.standard_deviation_db, 10, 2);
    print_number(figures.median_absolute_db, 12, 2);
    print_number(figures.correlation, 7, 3);
    printf(" %8" PRId64 "\n", figures.count);
}

/* A model in the table: a star where it was used outside its range. */
static void label_model(const rcity_score *score, int index, char label[LABEL_BYTES])
{
    char name[LABEL_BYTES - 2];
    score_model_label(score, index, name, sizeof name);
    snprintf(label, LABEL_BYTES, "%s%s", name, score_model_at(score, index).is_extrapolated ? " *" : "");
}

static void label_group(const rcity_score *score, int index, char label[LABEL_BYTES])
{
    rcity_score_group group = score_group_at(score, index);
    bool is_plain = strcmp(group.kind, "sight") == 0;
    snprintf(label, LABEL_BYTES, "%s%s%s", is_plain ? "" : group.kind, is_plain ? "" : ": ", shown(group.name));
}

/* As wide as the widest, within reason. */
static int find_width(const rcity_score *score, const char *head, int first, int count,
                      void (*make_label)(const rcity_score *, int, char *))
{
    int width = (int)strlen(head);
    for (int i = first; i < count; i++) {
        char label[LABEL_BYTES];
        make_label(score, i, label);
        width = (int)strlen(label) > width ? (int)strlen(label) : width;
    }
    return width < LABEL_WIDTH_MAX ? width : LABEL_WIDTH_MAX;
}

static void print_models(const rcity_score *score)
{
    const char *head = "model, errors in dB";
    int width = find_width(score, head, 0, rcity_score_model_count(score), label_model);
    bool has_star = false;
    print_head(head, width);
    for (int i = 0; i < rcity_score_model_count(score); i++) {
        char label[LABEL_BYTES];
        label_model(score, i, label);
        has_star = has_star || score_model_at(score, i).is_extrapolated;
        print_figures(label, width, score_figures_at(score, i, 0));
    }
    if (has_star) {
        printf("* used outside the range it was published or fitted for, see below\n");
    }
}

static void print_groups(const rcity_score *score)
{
    char head[LABEL_BYTES];
    snprintf(head, sizeof head, "%s in parts", score_model_at(score, 0).name);
    int width = find_width(score, head, 1, rcity_score_group_count(score), label_group);
    if (rcity_score_group_count(score) < 2) {
        return;
    }
    printf("\n");
    print_head(head, width);
    for (int i = 1; i < rcity_score_group_count(score); i++) {
        char label[LABEL_BYTES];
        label_group(score, i, label);
        print_figures(label, width, score_figures_at(score, 0, i));
    }
}

static void print_left_out(const rcity_score *score, const measurement_world *world)
{
    int64_t counts[SCORE_REASON_COUNT];
    bool is_first = true;
    score_count_left_out(score, world, counts);
    for (int i = 0; i < SCORE_REASON_COUNT; i++) {
        if (counts[i] > 0) {
            printf("%s%" PRId64 " %s", is_first ? "left out: " : ", ", counts[i], score_reasons[i]);
            is_first = false;
        }
    }
    printf("%s", is_first ? "" : "\n");
}

static void print_average(const measurement_world *world)
{
    if (world->average_m > 0.0) {
        printf("averages over %.2f m of route from %" PRId64 " samples\n", world->average_m, world->sample_count);
    }
}

void score_report(const rcity_score *score, const score_input *input, const measurement_world *world)
{
    char label[LABEL_BYTES];
    int64_t count = rcity_measurements_count(world->measurements);
    int route_count = rcity_measurements_route_count(world->measurements);
    int tx_count = rcity_measurements_transmitter_count(world->measurements);
    score_model_label(score, 0, label, sizeof label);
    printf("%s against %" PRId64 " measured %s of %d %s and %d %s\n", label, count,
           rcity_measurements_kind(world->measurements) == RCITY_MEASURED_POWER ? "powers" : "losses", route_count,
           route_count == 1 ? "route" : "routes", tx_count, tx_count == 1 ? "transmitter" : "transmitters");
    print_average(world);
    print_left_out(score, world);
    printf("\n");
    print_models(score);
    print_groups(score);
    if (rcity_score_remark(score, 0) != NULL) {
        printf("\n");
    }
    for (int i = 0; rcity_score_remark(score, i) != NULL; i++) {
        printf("%s\n", rcity_score_remark(score, i));
    }
    const char *const paths[] = {input->points_path, input->plot_path, input->scatter_path};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (paths[i] != NULL) {
            printf("%s\n", paths[i]);
        }
    }
}
