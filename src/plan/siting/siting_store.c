/* A hash table of settings over rows of levels, used in turn. */
#include "plan/siting/siting_store.h"

#include <string.h>

#define FIRST_ROWS 256

typedef struct kept_row {
    rcity_siting_setting at;
    float *level_dbm;
    int64_t next; /* row of the same bucket; -1: none */
} kept_row;

struct rcity_siting_store {
    const rcity_siting_task *task;
    int64_t most, row_count, oldest; /* once `most` rows are used, the oldest makes room */
    size_t capacity;
    kept_row *rows;
    int64_t bucket_count; /* a power of two */
    int64_t *buckets;     /* first row; -1: none */

    size_t missing_capacity;
    int *missing;              /* of one call: their places in its list */
    rcity_siting_setting *ask; /* and what is asked for */
    float **answer;
    rcity_siting_effort effort;
};

static uint64_t hash(const rcity_siting_setting *at)
{
    const int32_t parts[] = {at->x, at->y, at->height, at->azimuth, at->tilt};
    uint64_t z = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        z = (z ^ (uint32_t)parts[i]) * 0x9e3779b97f4a7c15u;
        z ^= z >> 29;
    }
    return z;
}

static bool is_same(const rcity_siting_setting *a, const rcity_siting_setting *b)
{
    return a->x == b->x && a->y == b->y && a->height == b->height && a->azimuth == b->azimuth && a->tilt == b->tilt;
}

rcity_status rcity_siting_store_create(const rcity_siting_task *task, int64_t most, rcity_siting_store **store)
{
    rcity_siting_store *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(task->context, 1, sizeof *made, "predicted levels", &made));
    made->task = task;
    made->most = most > 0 ? most : 1;
    made->bucket_count = 1024;
    while (made->bucket_count < made->most && made->bucket_count < (int64_t)1 << 22) {
        made->bucket_count *= 2;
    }
    RCITY_TRY_DONE(rcity_alloc(task->context, (size_t)made->bucket_count, sizeof *made->buckets, "predicted levels",
                               &made->buckets));
    for (int64_t i = 0; i < made->bucket_count; i++) {
        made->buckets[i] = -1;
    }
    *store = made;
    made = NULL;
done:
    rcity_siting_store_destroy(&made);
    return status;
}

void rcity_siting_store_destroy(rcity_siting_store **store)
{
    if (store == NULL || *store == NULL) {
        return;
    }
    rcity_siting_store *old = *store;
    rcity_context *context = old->task->context;
    for (int64_t i = 0; i < old->row_count; i++) {
        rcity_release(context, old->rows[i].level_dbm);
    }
    rcity_release(context, old->rows);
    rcity_release(context, old->buckets);
    rcity_release(context, old->missing);
    rcity_release(context, old->ask);
    rcity_release(context, old->answer);
    rcity_release(context, old);
    *store = NULL;
}

static int64_t *bucket_of(const rcity_siting_store *store, const rcity_siting_setting *at)
{
    return &store->buckets[hash(at) & (uint64_t)(store->bucket_count - 1)];
}

static const kept_row *find(const rcity_siting_store *store, const rcity_siting_setting *at)
{
    for (int64_t i = *bucket_of(store, at); i >= 0; i = store->rows[i].next) {
        if (is_same(&store->rows[i].at, at)) {
            return &store->rows[i];
        }
    }
    return NULL;
}

static void take_out(const rcity_siting_store *store, int64_t row)
{
    int64_t *link = bucket_of(store, &store->rows[row].at);
    while (*link != row) {
        link = &store->rows[*link].next;
    }
    *link = store->rows[row].next;
}

static size_t level_bytes(const rcity_siting_store *store)
{
    return (size_t)store->task->point_count * sizeof(float);
}

/* Keep levels; without memory for another row, in the place of the oldest one. */
static rcity_status keep(rcity_siting_store *store, const rcity_siting_setting *at, const float *level_dbm)
{
    rcity_context *context = store->task->context;
    float *levels = NULL;
    if (find(store, at) != NULL) {
        return RCITY_OK; /* asked for twice in one call */
    }
    if (store->row_count < store->most) {
        rcity_status status = rcity_reserve(context, (size_t)store->row_count + 1, sizeof *store->rows,
                                            &store->capacity, "predicted levels", &store->rows);
        if (status == RCITY_OK) {
            status =
                rcity_alloc(context, (size_t)store->task->point_count, sizeof *levels, "predicted levels", &levels);
        }
        if (status != RCITY_OK && store->row_count < FIRST_ROWS) {
            return status;
        }
        store->most = status == RCITY_OK ? store->most : store->row_count;
    }
    int64_t row = store->row_count;
    if (levels != NULL) {
        store->row_count++;
    } else {
        row = store->oldest;
        store->oldest = (store->oldest + 1) % store->row_count;
        take_out(store, row);
        levels = store->rows[row].level_dbm;
    }
    int64_t *bucket = bucket_of(store, at);
    memcpy(levels, level_dbm, level_bytes(store));
    store->rows[row] = (kept_row){*at, levels, *bucket};
    *bucket = row;
    return RCITY_OK;
}

static rcity_status reserve_lists(rcity_siting_store *store, int count)
{
    rcity_context *context = store->task->context;
    size_t needed = (size_t)count;
    if (needed <= store->missing_capacity) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_resize(context, needed, sizeof *store->missing, "predicted levels", &store->missing));
    RCITY_TRY(rcity_resize(context, needed, sizeof *store->ask, "predicted levels", &store->ask));
    RCITY_TRY(rcity_resize(context, needed, sizeof *store->answer, "predicted levels", &store->answer));
    store->missing_capacity = needed;
    return RCITY_OK;
}

/* Predict what is missing into `fresh`, rows of levels. */
static rcity_status predict(rcity_siting_store *store, int count, float *fresh)
{
    const rcity_siting_task *task = store->task;
    for (int i = 0; i < count; i++) {
        store->answer[i] = fresh + (size_t)i * (size_t)task->point_count;
    }
    double start_s = rcity_clock_s();
    RCITY_TRY(task->world.predict(task->world.user, count, store->ask, store->answer));
    store->effort.predict_s += rcity_clock_s() - start_s;
    store->effort.predicted_count += count;
    return RCITY_OK;
}

rcity_status rcity_siting_store_get(rcity_siting_store *store, int count, const rcity_siting_setting *settings,
                                    float *const *level_dbm)
{
    const rcity_siting_task *task = store->task;
    float *fresh = NULL;
    int missing_count = 0;
    rcity_status status;
    RCITY_TRY(reserve_lists(store, count));
    for (int i = 0; i < count; i++) {
        const kept_row *row = find(store, &settings[i]);
        if (row != NULL && level_dbm != NULL) {
            memcpy(level_dbm[i], row->level_dbm, level_bytes(store));
        } else if (row == NULL) {
            store->ask[missing_count] = settings[i];
            store->missing[missing_count++] = i;
        }
    }
    store->effort.reused_count += count - missing_count;
    if (missing_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(rcity_alloc(task->context, (size_t)missing_count * (size_t)task->point_count, sizeof *fresh,
                               "predicted levels", &fresh));
    RCITY_TRY_DONE(predict(store, missing_count, fresh));
    for (int i = 0; i < missing_count; i++) {
        if (level_dbm != NULL) {
            memcpy(level_dbm[store->missing[i]], store->answer[i], level_bytes(store));
        }
        RCITY_TRY_DONE(keep(store, &store->ask[i], store->answer[i]));
    }
done:
    rcity_release(task->context, fresh);
    return status;
}

rcity_siting_effort rcity_siting_store_effort(const rcity_siting_store *store)
{
    return store->effort;
}
