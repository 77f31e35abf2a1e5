/* What `score` prints: tables for people, JSON for scripts. */
#ifndef CLI_SCORE_REPORT_H
#define CLI_SCORE_REPORT_H

#include "score_input.h"

/* "shadow (fitted on METRO200)". */
void score_model_label(const rcity_score *score, int model_index, char *text, size_t room);

/* Measurements that no figure counts, by reason: "inside a building" and so on. */
#define SCORE_REASON_COUNT 4
extern const char *const score_reasons[SCORE_REASON_COUNT];
void score_count_left_out(const rcity_score *score, const measurement_world *world, int64_t counts[SCORE_REASON_COUNT]);

/* Doubts, on standard error; nothing when the user wants quiet. */
void score_report_warnings(const rcity_score *score);

/* Tables of figures on standard output. */
void score_report(const rcity_score *score, const score_input *input, const measurement_world *world);

/* The same as one JSON object. */
void score_json_print(const rcity_score *score, const score_input *input, const measurement_world *world);

#endif
