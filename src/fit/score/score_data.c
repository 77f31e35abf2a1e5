#include "fit/score/score_data.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"

#define SENTENCE_BYTES 1024

rcity_status rcity_score_open(rcity_context *context, int64_t point_count, rcity_score **score)
{
    rcity_score *made = NULL;
    size_t count = (size_t)point_count;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "a score", &made));
    made->context = context;
    made->point_count = point_count;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *made->measured_db, "measured losses", &made->measured_db));
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *made->points, "points of a score", &made->points));
    for (size_t i = 0; i < count; i++) {
        made->points[i] = (rcity_score_point){.mechanism = "", .distance_m = (double)NAN, .left_out = ""};
    }
    *score = made;
    return RCITY_OK;
done:
    rcity_score_destroy(&made);
    return status;
}

static void release_texts(rcity_context *context, rcity_score_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        rcity_release(context, texts->list[i]);
    }
    rcity_release(context, texts->list);
}

static void release_model(rcity_context *context, rcity_score_model_data *model)
{
    rcity_release(context, model->name);
    rcity_release(context, model->fitted_on);
    rcity_release(context, model->predicted_db);
}

void rcity_score_destroy(rcity_score **score)
{
    if (score == NULL || *score == NULL) {
        return;
    }
    rcity_score *gone = *score;
    rcity_context *context = gone->context;
    for (size_t i = 0; i < gone->model_count; i++) {
        release_model(context, &gone->models[i]);
    }
    for (size_t i = 0; i < gone->group_count; i++) {
        rcity_release(context, gone->groups[i].name);
        rcity_release(context, gone->groups[i].figures);
    }
    release_texts(context, &gone->warnings);
    release_texts(context, &gone->remarks);
    rcity_release(context, gone->models);
    rcity_release(context, gone->groups);
    rcity_release(context, gone->points);
    rcity_release(context, gone->measured_db);
    rcity_release(context, gone);
    *score = NULL;
}

rcity_status rcity_score_add_model(rcity_score *score, const char *name, const char *fitted_on, double **predicted_db)
{
    rcity_context *context = score->context;
    rcity_score_model_data made = {NULL, NULL, false, NULL};
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, score->model_count + 1, sizeof *score->models, &score->model_capacity,
                                 "models of a score", &score->models));
    RCITY_TRY_DONE(rcity_copy_text(context, name, &made.name));
    RCITY_TRY_DONE(rcity_copy_text(context, fitted_on, &made.fitted_on));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)score->point_count, sizeof *made.predicted_db, "predicted losses",
                               &made.predicted_db));
    for (int64_t i = 0; i < score->point_count; i++) {
        made.predicted_db[i] = (double)NAN;
    }
    score->models[score->model_count++] = made;
    if (predicted_db != NULL) {
        *predicted_db = made.predicted_db;
    }
    return RCITY_OK;
done:
    release_model(context, &made);
    return status;
}

void rcity_score_drop_model(rcity_score *score, size_t model_index)
{
    assert(model_index < score->model_count);
    release_model(score->context, &score->models[model_index]);
    score->model_count--;
    memmove(&score->models[model_index], &score->models[model_index + 1],
            (score->model_count - model_index) * sizeof *score->models);
}

static rcity_status add_text(rcity_context *context, rcity_score_texts *texts, const char *format, va_list arguments)
{
    char text[SENTENCE_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    RCITY_TRY(rcity_reserve(context, texts->count + 1, sizeof *texts->list, &texts->capacity, "remarks", &texts->list));
    RCITY_TRY(rcity_copy_text(context, text, &texts->list[texts->count]));
    texts->count++;
    return RCITY_OK;
}

rcity_status rcity_score_warn(rcity_score *score, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rcity_status status = add_text(score->context, &score->warnings, format, arguments);
    va_end(arguments);
    return status;
}

rcity_status rcity_score_say(rcity_score *score, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    rcity_status status = add_text(score->context, &score->remarks, format, arguments);
    va_end(arguments);
    return status;
}

int rcity_score_model_count(const rcity_score *score)
{
    if (score == NULL) {
        return 0;
    }
    return (int)score->model_count;
}

rcity_status rcity_score_get_model_sized(const rcity_score *score, int model_index, size_t model_bytes,
                                         rcity_score_model *model)
{
    RCITY_NEED(NULL, score);
    RCITY_NEED(NULL, model);
    RCITY_CHECK_BYTES(NULL, rcity_score_model, model_bytes);
    if (model_index < 0 || (size_t)model_index >= score->model_count) {
        return RCITY_ERR_ARGUMENT;
    }
    const rcity_score_model_data *found = &score->models[model_index];
    const rcity_score_model made = {found->name, found->fitted_on, found->is_extrapolated};
    rcity_copy_struct(&made, sizeof made, model_bytes, model);
    return RCITY_OK;
}

int rcity_score_group_count(const rcity_score *score)
{
    if (score == NULL) {
        return 0;
    }
    return (int)score->group_count;
}

rcity_status rcity_score_get_group_sized(const rcity_score *score, int group_index, size_t group_bytes,
                                         rcity_score_group *group)
{
    RCITY_NEED(NULL, score);
    RCITY_NEED(NULL, group);
    RCITY_CHECK_BYTES(NULL, rcity_score_group, group_bytes);
    if (group_index < 0 || (size_t)group_index >= score->group_count) {
        return RCITY_ERR_ARGUMENT;
    }
    const rcity_score_group_data *found = &score->groups[group_index];
    const rcity_score_group made = {found->kind, found->name, found->count};
    rcity_copy_struct(&made, sizeof made, group_bytes, group);
    return RCITY_OK;
}

rcity_status rcity_score_get_figures(const rcity_score *score, int model_index, int group_index,
                                     rcity_score_figures *figures)
{
    RCITY_NEED(NULL, score);
    RCITY_NEED(NULL, figures);
    if (model_index < 0 || (size_t)model_index >= score->model_count || group_index < 0 ||
        (size_t)group_index >= score->group_count) {
        return RCITY_ERR_ARGUMENT;
    }
    *figures = score->groups[group_index].figures[model_index];
    return RCITY_OK;
}

const double *rcity_score_measured_db(const rcity_score *score)
{
    if (score == NULL) {
        return NULL;
    }
    return score->measured_db;
}

const double *rcity_score_predicted_db(const rcity_score *score, int model_index)
{
    if (score == NULL || model_index < 0 || (size_t)model_index >= score->model_count) {
        return NULL;
    }
    return score->models[model_index].predicted_db;
}

rcity_status rcity_score_get_point_sized(const rcity_score *score, int64_t measurement_index, size_t point_bytes,
                                         rcity_score_point *point)
{
    RCITY_NEED(NULL, score);
    RCITY_NEED(NULL, point);
    RCITY_CHECK_BYTES(NULL, rcity_score_point, point_bytes);
    if (measurement_index < 0 || measurement_index >= score->point_count) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&score->points[measurement_index], sizeof *score->points, point_bytes, point);
    return RCITY_OK;
}

static const char *text_at(const rcity_score_texts *texts, int index)
{
    return index >= 0 && (size_t)index < texts->count ? texts->list[index] : NULL;
}

const char *rcity_score_warning(const rcity_score *score, int index)
{
    if (score == NULL) {
        return NULL;
    }
    return text_at(&score->warnings, index);
}

const char *rcity_score_remark(const rcity_score *score, int index)
{
    if (score == NULL) {
        return NULL;
    }
    return text_at(&score->remarks, index);
}
