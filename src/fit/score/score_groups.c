/* Groups of measurements, and how well each model agrees with them. */
#include <assert.h>
#include <string.h>

#include "fit/score/score_data.h"

/* Measurements put in the order of their groups: those of group k are order[first[k]] .. order[first[k + 1] - 1].
   `pairs` has room for the measured and the predicted losses of one group. */
typedef struct grouped {
    int64_t *first, *order;
    double *measured_db, *predicted_db;
} grouped;

static void release_grouped(rcity_context *context, grouped *by)
{
    rcity_release(context, by->first);
    rcity_release(context, by->order);
    rcity_release(context, by->measured_db);
    rcity_release(context, by->predicted_db);
}

static rcity_status alloc_grouped(const rcity_score *score, int name_count, grouped *by)
{
    rcity_context *context = score->context;
    size_t count = (size_t)score->point_count;
    RCITY_TRY(rcity_alloc(context, (size_t)name_count + 1, sizeof *by->first, "groups", &by->first));
    RCITY_TRY(rcity_alloc(context, count, sizeof *by->order, "groups", &by->order));
    RCITY_TRY(rcity_alloc(context, count, sizeof *by->measured_db, "groups", &by->measured_db));
    return rcity_alloc(context, count, sizeof *by->predicted_db, "groups", &by->predicted_db);
}

/* A counting sort: within a group measurements keep their order. */
static void sort_points(const rcity_score *score, int name_count, const int32_t *key, grouped *by)
{
    for (int64_t i = 0; i < score->point_count; i++) {
        assert(key[i] < name_count);
        if (key[i] >= 0) {
            by->first[key[i] + 1]++;
        }
    }
    for (int k = 0; k < name_count; k++) {
        by->first[k + 1] += by->first[k];
    }
    for (int64_t i = 0; i < score->point_count; i++) {
        if (key[i] >= 0) {
            by->order[by->first[key[i]]++] = i; /* first[k] becomes the end of group k */
        }
    }
    memmove(by->first + 1, by->first, (size_t)name_count * sizeof *by->first);
    by->first[0] = 0;
}

static rcity_status make_figures(const rcity_score *score, const int64_t *members, int64_t count, grouped *by,
                                 rcity_score_figures *figures)
{
    for (size_t model = 0; model < score->model_count; model++) {
        int64_t pair_count = 0;
        for (int64_t i = 0; i < count; i++) {
            if (score->points[members[i]].left_out[0] == '\0') {
                by->measured_db[pair_count] = score->measured_db[members[i]];
                by->predicted_db[pair_count++] = score->models[model].predicted_db[members[i]];
            }
        }
        RCITY_TRY(
            rcity_score_figures_make(score->context, pair_count, by->measured_db, by->predicted_db, &figures[model]));
    }
    return RCITY_OK;
}

static rcity_status add_group(rcity_score *score, const char *kind, const char *name, const int64_t *members,
                              int64_t count, grouped *by)
{
    rcity_context *context = score->context;
    rcity_score_group_data made = {kind, NULL, count, NULL};
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, score->group_count + 1, sizeof *score->groups, &score->group_capacity,
                                 "groups of a score", &score->groups));
    RCITY_TRY_DONE(rcity_copy_text(context, name, &made.name));
    RCITY_TRY_DONE(rcity_alloc(context, score->model_count, sizeof *made.figures, "figures", &made.figures));
    RCITY_TRY_DONE(make_figures(score, members, count, by, made.figures));
    score->groups[score->group_count++] = made;
    return RCITY_OK;
done:
    rcity_release(context, made.name);
    rcity_release(context, made.figures);
    return status;
}

rcity_status rcity_score_add_groups(rcity_score *score, const char *kind, int name_count, const char *const *names,
                                    const int32_t *key)
{
    grouped by = {NULL, NULL, NULL, NULL};
    rcity_status status;
    RCITY_TRY_DONE(alloc_grouped(score, name_count, &by));
    sort_points(score, name_count, key, &by);
    for (int k = 0; k < name_count; k++) {
        int64_t count = by.first[k + 1] - by.first[k];
        if (count > 0) {
            RCITY_TRY_DONE(add_group(score, kind, names[k], by.order + by.first[k], count, &by));
        }
    }
done:
    release_grouped(score->context, &by);
    return status;
}
