/* Proposals: shifts, jumps to points that get too little, jumps to anywhere, other heights, directions and powers, and
   stations that come and go. */
#include "plan/siting/siting_move.h"

#include <math.h>

#include "plan/siting/siting_random.h"

#define PURPOSE_START 1
#define PURPOSE_MOVE  2
#define START_TRIES   2000 /* places that are tried for a station of the start */

/* Shares of the kinds of changes; a kind that the task does not have becomes a shift. */
#define SHARE_NEED     0.25
#define SHARE_ANYWHERE 0.07
#define SHARE_WIDE     0.2 /* shifts beyond the reach of the moment */
#define SHARE_OTHER    0.2 /* a height, a direction, a power */
#define SHARE_SWITCH   0.08
#define WIDEST_SHARE   0.1 /* of the area's longer side */

static bool snap(const rcity_siting_task *task, double x_m, double y_m, rcity_siting_setting *setting)
{
    double x = fmin(fmax(x_m, task->x_min_m), task->x_max_m);
    double y = fmin(fmax(y_m, task->y_min_m), task->y_max_m);
    return task->world.snap(task->world.user, x, y, setting);
}

static bool snap_anywhere(const rcity_siting_task *task, rcity_siting_random *random, rcity_siting_setting *setting)
{
    double x_m = task->x_min_m + (task->x_max_m - task->x_min_m) * rcity_siting_draw(random);
    double y_m = task->y_min_m + (task->y_max_m - task->y_min_m) * rcity_siting_draw(random);
    return snap(task, x_m, y_m, setting);
}

static bool snap_near(const rcity_siting_task *task, rcity_siting_random *random, double x_m, double y_m,
                      double reach_m, rcity_siting_setting *setting)
{
    double normal[2];
    rcity_siting_draw_normal(random, normal);
    return snap(task, x_m + reach_m * normal[0], y_m + reach_m * normal[1], setting);
}

/* A point by its weight, times what it lacks when there is a configuration; any point when all get enough. */
static const rcity_siting_need *draw_point(const rcity_siting_task *task, const rcity_siting_state *state,
                                           rcity_siting_random *random)
{
    double total = 0.0;
    double drawn = rcity_siting_draw(random);
    rcity_siting_point served;
    for (int pass = 0; pass < 2; pass++) {
        double sum = 0.0;
        for (int64_t i = 0; i < task->point_count; i++) {
            double lack = state != NULL ? 1.0 - rcity_siting_serve(task, state, i, &served) : 1.0;
            sum += task->needs[i].weight * lack;
            if (pass == 1 && sum > drawn * total) {
                return &task->needs[i];
            }
        }
        total = sum;
        if (total <= 0.0) {
            break;
        }
    }
    return &task->needs[(int64_t)(drawn * (double)task->point_count)];
}

/* Heights, azimuths and tilts, as far as there is a choice. */
static void draw_choices(const rcity_siting_task *task, rcity_siting_random *random, rcity_siting_station *station)
{
    station->at.height = (int32_t)rcity_siting_draw_index(random, task->height_count);
    station->at.azimuth = (int32_t)rcity_siting_draw_index(random, task->azimuth_count);
    station->at.tilt = (int32_t)rcity_siting_draw_index(random, task->tilt_count);
    station->power = task->power_count - 1;
}

static bool place_one(const rcity_siting_task *task, rcity_siting_state *state, int station,
                      rcity_siting_random *random, double extent_m)
{
    for (int k = 0; k < START_TRIES; k++) {
        rcity_siting_station *made = &state->stations[station];
        draw_choices(task, random, made);
        bool is_found;
        if (k < START_TRIES / 2) {
            const rcity_siting_need *need = draw_point(task, NULL, random);
            double reach_m = extent_m * (0.02 + 0.3 * k / START_TRIES);
            is_found = snap_near(task, random, need->x_m, need->y_m, reach_m, &made->at);
        } else {
            is_found = snap_anywhere(task, random, &made->at);
        }
        if (is_found && rcity_siting_is_apart(task, state, station, &made->at)) {
            made->is_on = 1;
            return true;
        }
    }
    return false;
}

rcity_status rcity_siting_place_first(const rcity_siting_task *task, rcity_siting_state *state)
{
    rcity_siting_random random = rcity_siting_random_make(task->seed, PURPOSE_START, 0);
    double extent_m = fmax(task->x_max_m - task->x_min_m, task->y_max_m - task->y_min_m);
    for (int i = 0; i < task->station_count; i++) {
        state->stations[i].is_on = 0;
    }
    for (int i = 0; i < task->station_count; i++) {
        bool is_found = place_one(task, state, i, &random, extent_m);
        RCITY_CHECK(task->context, is_found || i > 0, RCITY_ERR_ARGUMENT,
                    "no place is allowed for a station; widen `area` or allow other places");
        RCITY_CHECK(task->context, is_found, RCITY_ERR_ARGUMENT,
                    "there is room for %d of %d stations only; lower `stations` or `spacing-m`, or widen `area`", i,
                    task->station_count);
    }
    return RCITY_OK;
}

static int32_t draw_other(rcity_siting_random *random, int32_t now, int count)
{
    int32_t drawn = (int32_t)rcity_siting_draw_index(random, count - 1);
    return drawn >= now ? drawn + 1 : drawn;
}

/* A neighbour on a circle: small turns are as frequent as all others. */
static int32_t draw_turn(rcity_siting_random *random, int32_t now, int count)
{
    if (rcity_siting_draw(random) < 0.5) {
        return draw_other(random, now, count);
    }
    int32_t step = rcity_siting_draw(random) < 0.5 ? 1 : count - 1;
    return (now + step) % count;
}

/* Another height, azimuth, tilt or power. @return false when the task has one of each only. */
static bool change_other(const rcity_siting_task *task, rcity_siting_random *random, rcity_siting_move *move)
{
    const int counts[] = {task->height_count, task->azimuth_count, task->tilt_count, task->power_count};
    int32_t *values[] = {&move->to.at.height, &move->to.at.azimuth, &move->to.at.tilt, &move->to.power};
    int kinds[4];
    int kind_count = 0;
    for (int i = 0; i < 4; i++) {
        if (counts[i] > 1) {
            kinds[kind_count++] = i;
        }
    }
    if (kind_count == 0) {
        return false;
    }
    int kind = kinds[rcity_siting_draw_index(random, kind_count)];
    *values[kind] =
        kind == 1 ? draw_turn(random, *values[kind], counts[kind]) : draw_other(random, *values[kind], counts[kind]);
    move->is_valid = task->world.is_allowed(task->world.user, &move->to.at);
    return true;
}

/* A station more or less. @return false when their number is fixed. */
static bool change_number(const rcity_siting_task *task, const rcity_siting_state *state, rcity_siting_move *move)
{
    int on = 0;
    for (int i = 0; i < task->station_count; i++) {
        on += state->stations[i].is_on ? 1 : 0;
    }
    if (task->station_count_least >= task->station_count) {
        return false;
    }
    move->to.is_on = !move->to.is_on;
    move->is_valid = move->to.is_on || on > task->station_count_least;
    return true;
}

/* A reach between this one and the widest, all orders of magnitude alike. */
static double draw_reach(const rcity_siting_task *task, rcity_siting_random *random, double reach_m)
{
    double widest_m = WIDEST_SHARE * fmax(task->x_max_m - task->x_min_m, task->y_max_m - task->y_min_m);
    return reach_m < widest_m ? reach_m * pow(widest_m / reach_m, rcity_siting_draw(random)) : reach_m;
}

static bool shift(const rcity_siting_task *task, const rcity_siting_state *state, rcity_siting_random *random,
                  double reach_m, rcity_siting_setting *setting)
{
    double kind = rcity_siting_draw(random);
    double at[2];
    if (kind < SHARE_ANYWHERE) {
        return snap_anywhere(task, random, setting);
    }
    if (kind < SHARE_ANYWHERE + SHARE_NEED) {
        const rcity_siting_need *need = draw_point(task, state, random);
        return snap_near(task, random, need->x_m, need->y_m, draw_reach(task, random, reach_m), setting);
    }
    task->world.locate(task->world.user, setting, at);
    double own_m = kind > 1.0 - SHARE_WIDE ? draw_reach(task, random, reach_m) : reach_m;
    return snap_near(task, random, at[0], at[1], own_m, setting);
}

rcity_siting_move rcity_siting_propose(const rcity_siting_task *task, const rcity_siting_state *state, int64_t number,
                                       double reach_m)
{
    rcity_siting_random random = rcity_siting_random_make(task->seed, PURPOSE_MOVE, (uint64_t)number);
    rcity_siting_move move = {.station = (int)rcity_siting_draw_index(&random, task->station_count)};
    move.to = state->stations[move.station];
    double kind = rcity_siting_draw(&random);
    if (kind < SHARE_SWITCH && change_number(task, state, &move)) {
        return move;
    }
    if (kind >= SHARE_SWITCH && kind < SHARE_SWITCH + SHARE_OTHER && change_other(task, &random, &move)) {
        return move;
    }
    move.is_valid = shift(task, state, &random, reach_m, &move.to.at);
    return move;
}
