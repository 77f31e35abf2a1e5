/* Simulated annealing. S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science 220
   (1983). Proposals of a batch come from the configuration before it, so that all of them can be predicted together;
   they are then taken or left one by one, in their order. Neither threads nor devices change the course. */
#include <math.h>
#include <string.h>

#include "plan/siting/siting_move.h"
#include "plan/siting/siting_random.h"
#include "plan/siting/siting_search.h"

#define PURPOSE_TAKE    3
#define HEAT_FIRST      0.03 /* of the whole weight: a change for the worse by this much is often taken at first */
#define HEAT_FIRST_ONE  1.0  /* and at least this much of a mean point */
#define HEAT_LAST_ONE   0.1  /* of a mean point: hardly any is given up at last */
#define REACH_FIRST     0.2  /* of the area's longer side: shifts at first, and at last in steps of the lattice */
#define REACH_LAST      1.5
#define QUENCH_SHARE    0.25 /* the last part of the search takes nothing that is worse */
#define REPORT_SHARE    0.1
#define EXCHANGE_WORK   1e9 /* levels that a round of exchanges may compare */
#define EXCHANGE_ROUNDS 3
#define EXCHANGE_TIMES  8   /* in equal distances up to the end */
#define EXCHANGE_SHARE  0.5 /* of the search, from the first of them on */

rcity_status rcity_siting_search_init(const rcity_siting_task *task, int64_t kept_count, rcity_siting_search *search)
{
    memset(search, 0, sizeof *search);
    search->task = task;
    RCITY_TRY(rcity_siting_store_create(task, kept_count, &search->store));
    RCITY_TRY(rcity_siting_state_create(task, &search->now));
    RCITY_TRY(rcity_siting_state_create(task, &search->best));
    RCITY_TRY(rcity_siting_state_create(task, &search->baseline));
    RCITY_TRY(rcity_alloc(task->context, RCITY_SITING_SEEN_MAX, sizeof *search->seen, "the course of a search",
                          &search->seen));
    return rcity_alloc(task->context, RCITY_SITING_STEP_COUNT + 2, sizeof *search->steps, "the course of a search",
                       &search->steps);
}

void rcity_siting_search_deinit(rcity_siting_search *search)
{
    if (search->task == NULL) {
        return;
    }
    rcity_siting_state_destroy(search->task, &search->now);
    rcity_siting_state_destroy(search->task, &search->best);
    rcity_siting_state_destroy(search->task, &search->baseline);
    rcity_siting_store_destroy(&search->store);
    rcity_release(search->task->context, search->seen);
    rcity_release(search->task->context, search->steps);
    memset(search, 0, sizeof *search);
}

/* The levels of all stations of a configuration. */
static rcity_status predict_state(rcity_siting_search *search, rcity_siting_state *state)
{
    const rcity_siting_task *task = search->task;
    rcity_siting_setting *settings = NULL;
    float **levels = NULL;
    float *rows = NULL;
    size_t count = (size_t)task->station_count;
    size_t points = (size_t)task->point_count;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(task->context, count, sizeof *settings, "a configuration", &settings));
    RCITY_TRY_DONE(rcity_alloc(task->context, count, sizeof *levels, "a configuration", &levels));
    RCITY_TRY_DONE(rcity_alloc(task->context, count * points, sizeof *rows, "a configuration", &rows));
    for (size_t i = 0; i < count; i++) {
        settings[i] = state->stations[i].at;
        levels[i] = rows + i * points;
    }
    RCITY_TRY_DONE(rcity_siting_store_get(search->store, task->station_count, settings, levels));
    for (int i = 0; i < task->station_count; i++) {
        rcity_siting_station station = state->stations[i];
        rcity_siting_state_set(task, state, i, &station, levels[i]);
    }
done:
    rcity_release(task->context, rows);
    rcity_release(task->context, levels);
    rcity_release(task->context, settings);
    return status;
}

static void note_step(rcity_siting_search *search, double cost)
{
    rcity_siting_position *position = &search->position;
    search->steps[position->step_count++] = (rcity_siting_step){position->move_count, cost, position->best.cost};
}

rcity_status rcity_siting_search_begin(rcity_siting_search *search)
{
    const rcity_siting_task *task = search->task;
    RCITY_TRY(rcity_siting_place_first(task, search->now));
    RCITY_TRY(predict_state(search, search->now));
    rcity_siting_state_copy(task, search->now, search->best);
    search->position.best = rcity_siting_value_of(task, search->now);
    search->position.start = rcity_siting_cover(task, search->now);
    note_step(search, search->position.best.cost);
    return RCITY_OK;
}

rcity_status rcity_siting_search_restore(rcity_siting_search *search)
{
    RCITY_TRY(predict_state(search, search->now));
    RCITY_TRY(predict_state(search, search->best));
    return search->position.has_baseline ? predict_state(search, search->baseline) : RCITY_OK;
}

/* How hot the search is at a move, and how far shifts go. */
typedef struct schedule {
    double heat, reach_m;
    bool is_last;
} schedule;

static schedule schedule_at(const rcity_siting_task *task, int64_t move)
{
    double done = (double)move / (double)task->move_count / (1.0 - QUENCH_SHARE);
    bool is_last = done >= 1.0;
    double extent_m = fmax(task->x_max_m - task->x_min_m, task->y_max_m - task->y_min_m);
    double first_m = fmax(REACH_FIRST * extent_m, task->step_m);
    double last_m = fmin(REACH_LAST * task->step_m, first_m);
    double part = is_last ? (done - 1.0) * (1.0 - QUENCH_SHARE) / QUENCH_SHARE : done;
    /* the quench begins with wider shifts again, since they cost nothing and may find what heat has hidden */
    double from_m = is_last ? sqrt(first_m * last_m) : first_m;
    double one = task->weight / (double)task->point_count;
    double first = fmax(HEAT_FIRST * task->weight, HEAT_FIRST_ONE * one);
    return (schedule){.heat = is_last ? 0.0 : first * pow(HEAT_LAST_ONE * one / first, done),
                      .reach_m = from_m * pow(last_m / from_m, part),
                      .is_last = is_last};
}

/* Room of one batch. */
typedef struct batch_room {
    rcity_siting_move *moves;
    rcity_siting_setting *settings;
    float **levels;
    float *rows, *before; /* the second: of the station that a change replaces */
} batch_room;

static rcity_status make_room(const rcity_siting_task *task, batch_room *room)
{
    size_t count = (size_t)task->batch_count;
    size_t points = (size_t)task->point_count;
    const char *what = "a batch of changes";
    RCITY_TRY(rcity_alloc(task->context, count, sizeof *room->moves, what, &room->moves));
    RCITY_TRY(rcity_alloc(task->context, count, sizeof *room->settings, what, &room->settings));
    RCITY_TRY(rcity_alloc(task->context, count, sizeof *room->levels, what, &room->levels));
    RCITY_TRY(rcity_alloc(task->context, count * points, sizeof *room->rows, what, &room->rows));
    return rcity_alloc(task->context, points, sizeof *room->before, what, &room->before);
}

static void release_room(rcity_context *context, batch_room *room)
{
    rcity_release(context, room->moves);
    rcity_release(context, room->settings);
    rcity_release(context, room->levels);
    rcity_release(context, room->rows);
    rcity_release(context, room->before);
}

/* Take a change or leave it. `value` is that of the present configuration. */
static void try_move(rcity_siting_search *search, const rcity_siting_move *move, int64_t number, const float *level_dbm,
                     float *before, rcity_siting_value *value)
{
    const rcity_siting_task *task = search->task;
    rcity_siting_state *now = search->now;
    rcity_siting_station old = now->stations[move->station];
    bool is_switch = move->to.is_on != old.is_on; /* another change may have switched it since it was proposed */
    int on = 0;
    for (int i = 0; i < task->station_count; i++) {
        on += now->stations[i].is_on ? 1 : 0;
    }
    if ((is_switch && !move->to.is_on && on <= task->station_count_least) ||
        (move->to.is_on && !rcity_siting_is_apart(task, now, move->station, &move->to.at))) {
        return;
    }
    memcpy(before, now->spare_dbm[move->station], (size_t)task->point_count * sizeof *before);
    rcity_siting_state_set(task, now, move->station, &move->to, level_dbm);
    rcity_siting_value made = rcity_siting_value_of(task, now);
    search->position.evaluated_count++;
    search->position.station_sum += on + (is_switch ? (move->to.is_on ? 1 : -1) : 0);
    double heat = schedule_at(task, number).heat;
    double worse = made.guided - value->guided;
    rcity_siting_random random = rcity_siting_random_make(task->seed, PURPOSE_TAKE, (uint64_t)number);
    if (worse > 0.0 && (heat <= 0.0 || rcity_siting_draw(&random) >= exp(-worse / heat))) {
        rcity_siting_state_set(task, now, move->station, &old, before);
        return;
    }
    search->position.accept_count++;
    *value = made;
    if (rcity_siting_is_better(made, search->position.best)) {
        search->position.best = made;
        rcity_siting_state_copy(task, now, search->best);
    }
}

/* How many places exchanges may try, and one of how many is remembered for them. */
static int64_t seen_most(const rcity_siting_task *task)
{
    double sites = rcity_siting_site_count(task);
    double most = EXCHANGE_WORK / (sites * task->station_count * (double)task->point_count);
    return most < 64.0 ? 64 : most > RCITY_SITING_SEEN_MAX ? RCITY_SITING_SEEN_MAX : (int64_t)most;
}

static void remember(rcity_siting_search *search, int64_t number, const rcity_siting_setting *setting)
{
    int64_t most = seen_most(search->task);
    int64_t stride = (search->task->move_count - 1) / most + 1;
    if (number % stride == 0 && search->position.seen_count < most) {
        search->seen[search->position.seen_count++] = *setting;
    }
}

static void take_best(rcity_siting_search *search)
{
    rcity_siting_value value = rcity_siting_value_of(search->task, search->now);
    if (rcity_siting_is_better(value, search->position.best)) {
        search->position.best = value;
        rcity_siting_state_copy(search->task, search->now, search->best);
    }
}

/* The best configuration, its stations tried in all places that were seen, is where the search goes on. */
static rcity_status exchange_seen(rcity_siting_search *search)
{
    rcity_siting_state_copy(search->task, search->best, search->now);
    RCITY_TRY(
        rcity_siting_exchange(search, search->now, search->position.seen_count, search->seen, true, EXCHANGE_ROUNDS));
    take_best(search);
    return RCITY_OK;
}

/* Are exchanges due before the batch that begins with this move? The last ones come at the end of the search. */
static bool is_exchange_due(const rcity_siting_task *task, int64_t first)
{
    for (int i = 0; i + 1 < EXCHANGE_TIMES; i++) {
        double share = 1.0 - EXCHANGE_SHARE * (1.0 - (double)i / (EXCHANGE_TIMES - 1));
        int64_t at = (int64_t)(share * (double)task->move_count);
        if (first >= at && first - task->batch_count < at) {
            return true;
        }
    }
    return false;
}

static rcity_status run_batch(rcity_siting_search *search, batch_room *room)
{
    const rcity_siting_task *task = search->task;
    int64_t first = search->position.move_count;
    int64_t left = task->move_count - first;
    int count = left < task->batch_count ? (int)left : task->batch_count;
    int valid = 0;
    if (is_exchange_due(task, first)) {
        RCITY_TRY(exchange_seen(search));
    }
    for (int i = 0; i < count; i++) {
        schedule at = schedule_at(task, first + i);
        room->moves[i] = rcity_siting_propose(task, search->now, first + i, at.reach_m);
        if (room->moves[i].is_valid) {
            room->settings[valid] = room->moves[i].to.at;
            room->levels[valid] = room->rows + (size_t)valid * (size_t)task->point_count;
            valid++;
        }
    }
    RCITY_TRY(rcity_siting_store_get(search->store, valid, room->settings, room->levels));
    rcity_siting_value value = rcity_siting_value_of(task, search->now);
    valid = 0;
    for (int i = 0; i < count; i++) {
        if (room->moves[i].is_valid) {
            try_move(search, &room->moves[i], first + i, room->levels[valid++], room->before, &value);
            remember(search, first + i, &room->moves[i].to.at);
        }
    }
    search->position.move_count += count;
    int64_t next = search->position.step_count * task->move_count / RCITY_SITING_STEP_COUNT;
    if (search->position.move_count >= next && search->position.step_count <= RCITY_SITING_STEP_COUNT) {
        note_step(search, value.cost);
    }
    return RCITY_OK;
}

/* A line in the log for every tenth of the search. */
static void report(const rcity_siting_search *search, int64_t before)
{
    const rcity_siting_task *task = search->task;
    int64_t part = (int64_t)ceil(REPORT_SHARE * (double)task->move_count);
    int64_t done = search->position.move_count;
    if (done / part != before / part || done == task->move_count) {
        rcity_siting_coverage covered = rcity_siting_cover(task, search->best);
        rcity_log(task->context, RCITY_LOG_INFO, "siting: move %lld of %lld, the best covers %.2f %%, cost %.6g",
                  (long long)done, (long long)task->move_count, 100.0 * covered.covered_share,
                  search->position.best.cost);
    }
}

rcity_status rcity_siting_search_run(rcity_siting_search *search)
{
    const rcity_siting_task *task = search->task;
    batch_room room;
    rcity_status status;
    memset(&room, 0, sizeof room);
    RCITY_TRY_DONE(make_room(task, &room));
    while (search->position.move_count < task->move_count) {
        int64_t before = search->position.move_count;
        RCITY_TRY_DONE(rcity_progress(task->context, "siting", (double)before, (double)task->move_count));
        RCITY_TRY_DONE(run_batch(search, &room));
        report(search, before);
        if (search->on_batch != NULL) {
            RCITY_TRY_DONE(search->on_batch(search->user, search));
        }
    }
    if (!search->position.is_done) {
        RCITY_TRY_DONE(exchange_seen(search));
        search->position.is_done = 1;
    }
    status = rcity_progress(task->context, "siting", 1.0, 1.0);
    status = status == RCITY_ERR_CANCELLED ? RCITY_OK : status; /* all was done */
done:
    release_room(task->context, &room);
    return status;
}
