/* The value of a configuration, point by point in a fixed order. */
#include "plan/siting/siting_cost.h"

#include <math.h>
#include <string.h>

#define GUIDE_SHARE 0.02 /* of the weight: the slope is never worth more than a fiftieth of what it leads to */
#define GUIDE_DB    10.0 /* a point that misses its need by this draws half as much as one that just misses it */
#define SPARE_SHARE                                                                                                    \
    0.01 /* of the weight, for one server more than needed: what others could take over leaves a station
                            free to go where it is needed */

static rcity_status make_rows(const rcity_siting_task *task, rcity_siting_state *made)
{
    size_t sites = (size_t)made->site_count;
    size_t points = (size_t)task->point_count;
    const char *what = "levels of a configuration";
    RCITY_TRY(rcity_alloc(task->context, sites + 1, sizeof *made->level_dbm, what, &made->level_dbm));
    RCITY_TRY(rcity_alloc(task->context, sites + 1, sizeof *made->power_mw, what, &made->power_mw));
    RCITY_TRY(
        rcity_alloc(task->context, (size_t)task->station_count + 1, sizeof *made->spare_dbm, what, &made->spare_dbm));
    RCITY_TRY(
        rcity_alloc(task->context, (size_t)task->station_count + 1, sizeof *made->stations, what, &made->stations));
    for (int i = 0; i < made->site_count; i++) {
        int station = i - task->existing_count;
        if (station >= 0) {
            RCITY_TRY(rcity_alloc(task->context, points, sizeof(float), what, &made->spare_dbm[station]));
        }
        if (task->has_sinr) {
            RCITY_TRY(rcity_alloc(task->context, points, sizeof(double), what, &made->power_mw[i]));
        }
    }
    return RCITY_OK;
}

static void fill_power(const rcity_siting_task *task, rcity_siting_state *state, int site, double offset_db)
{
    for (int64_t i = 0; task->has_sinr && i < task->point_count; i++) {
        state->power_mw[site][i] = pow(10.0, 0.1 * ((double)state->level_dbm[site][i] + offset_db));
    }
}

rcity_status rcity_siting_state_create(const rcity_siting_task *task, rcity_siting_state **state)
{
    rcity_siting_state *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(task->context, 1, sizeof *made, "a configuration", &made));
    made->site_count = rcity_siting_site_count(task);
    RCITY_TRY_DONE(make_rows(task, made));
    for (int i = 0; i < task->existing_count; i++) {
        made->level_dbm[i] = task->existing_dbm[i];
        fill_power(task, made, i, 0.0);
    }
    for (int i = 0; i < task->station_count; i++) {
        made->level_dbm[task->existing_count + i] = made->spare_dbm[i];
    }
    *state = made;
    made = NULL;
done:
    rcity_siting_state_destroy(task, &made);
    return status;
}

void rcity_siting_state_destroy(const rcity_siting_task *task, rcity_siting_state **state)
{
    if (state == NULL || *state == NULL) {
        return;
    }
    rcity_siting_state *old = *state;
    for (int i = 0; i < old->site_count && old->power_mw != NULL; i++) {
        rcity_release(task->context, old->power_mw[i]);
    }
    for (int i = 0; i < task->station_count && old->spare_dbm != NULL; i++) {
        rcity_release(task->context, old->spare_dbm[i]);
    }
    rcity_release(task->context, old->stations);
    rcity_release(task->context, old->spare_dbm);
    rcity_release(task->context, old->power_mw);
    rcity_release(task->context, old->level_dbm);
    rcity_release(task->context, old);
    *state = NULL;
}

void rcity_siting_state_copy(const rcity_siting_task *task, const rcity_siting_state *from, rcity_siting_state *to)
{
    memcpy(to->stations, from->stations, (size_t)task->station_count * sizeof *to->stations);
    for (int i = 0; i < task->station_count; i++) {
        memcpy(to->spare_dbm[i], from->spare_dbm[i], (size_t)task->point_count * sizeof(float));
        int site = task->existing_count + i;
        if (task->has_sinr) {
            memcpy(to->power_mw[site], from->power_mw[site], (size_t)task->point_count * sizeof(double));
        }
    }
}

void rcity_siting_state_set(const rcity_siting_task *task, rcity_siting_state *state, int station,
                            const rcity_siting_station *to, const float *level_dbm)
{
    state->stations[station] = *to;
    memcpy(state->spare_dbm[station], level_dbm, (size_t)task->point_count * sizeof *level_dbm);
    fill_power(task, state, task->existing_count + station, task->power_db[to->power]);
}

static bool is_on(const rcity_siting_task *task, const rcity_siting_state *state, int site)
{
    return site < task->existing_count || state->stations[site - task->existing_count].is_on != 0;
}

static float offset_db(const rcity_siting_task *task, const rcity_siting_state *state, int site)
{
    return site < task->existing_count ? 0.0f
                                       : (float)task->power_db[state->stations[site - task->existing_count].power];
}

/* Signal over noise and what the other sites send. */
static double find_sinr_db(const rcity_siting_task *task, const rcity_siting_state *state, int64_t point, int server,
                           float level_dbm)
{
    double unwanted_mw = pow(10.0, 0.1 * task->noise_dbm);
    for (int i = 0; i < state->site_count; i++) {
        if (i != server && is_on(task, state, i)) {
            double share = task->share != NULL ? task->share[server * state->site_count + i] : task->load;
            unwanted_mw += share * state->power_mw[i][point];
        }
    }
    return (double)level_dbm - 10.0 * log10(unwanted_mw);
}

/* The strongest levels of a point, in falling order. */
typedef struct top_levels {
    int count;
    int site[RCITY_DEMAND_SERVER_MAX + 1];
    float dbm[RCITY_DEMAND_SERVER_MAX + 1];
} top_levels;

static void find_top(const rcity_siting_task *task, const rcity_siting_state *state, int64_t point, int most,
                     top_levels *top)
{
    top->count = 0;
    for (int i = 0; i < state->site_count; i++) {
        float level_dbm = state->level_dbm[i][point] + offset_db(task, state, i);
        if (!is_on(task, state, i) || !(level_dbm > -HUGE_VALF)) {
            continue;
        }
        int k = top->count < most ? top->count++ : most;
        for (; k > 0 && top->dbm[k - 1] < level_dbm; k--) {
            if (k < most) {
                top->dbm[k] = top->dbm[k - 1];
                top->site[k] = top->site[k - 1];
            }
        }
        if (k < most) {
            top->dbm[k] = level_dbm;
            top->site[k] = i;
        }
    }
}

/* By how much a point gets more than it needs: the least of all its needs; negative: it lacks that much. */
static double find_margin_db(const rcity_siting_task *task, const rcity_siting_state *state, int64_t point,
                             const top_levels *top)
{
    const rcity_siting_need *need = &task->needs[point];
    if (top->count < need->server_count) {
        return -HUGE_VAL;
    }
    double margin_db = (double)(top->dbm[need->server_count - 1] - need->least_dbm);
    if (task->has_sinr && !isnan(need->least_sinr_db)) {
        double sinr_db = find_sinr_db(task, state, point, top->site[0], top->dbm[0]);
        margin_db = fmin(margin_db, sinr_db - (double)need->least_sinr_db);
    }
    return margin_db;
}

/* The share of a point that counts as served. */
static double credit_of(const rcity_siting_task *task, double margin_db)
{
    if (margin_db >= 0.0) {
        return 1.0;
    }
    return task->soft_db > 0.0 && margin_db > -task->soft_db ? 1.0 + margin_db / task->soft_db : 0.0;
}

/* How much a margin lacks, 0 to 1. */
static double lack_of(double margin_db)
{
    return margin_db < 0.0 ? 1.0 - 1.0 / (1.0 - margin_db / GUIDE_DB) : 0.0;
}

/* What one point adds: missed weight, and the slope. */
static void add_point(const rcity_siting_task *task, const rcity_siting_need *need, double margin_db, double spare_db,
                      double *missed, double *pull)
{
    *missed += need->weight * (1.0 - credit_of(task, margin_db));
    *pull += GUIDE_SHARE * need->weight * lack_of(margin_db);
    if (!task->has_sinr) { /* there another server disturbs */
        *pull += SPARE_SHARE * need->weight * lack_of(spare_db);
    }
}

static double station_cost(const rcity_siting_task *task, int32_t power)
{
    return task->station_cost + task->power_cost_per_db * (task->power_db[power] - task->power_db[0]);
}

/* What all stations cost but one; -1: all of them. */
static double sum_costs(const rcity_siting_task *task, const rcity_siting_state *state, int but)
{
    double sites = 0.0;
    for (int i = 0; i < task->station_count; i++) {
        const rcity_siting_station *station = &state->stations[i];
        sites += station->is_on && i != but ? station_cost(task, station->power) : 0.0;
    }
    return sites;
}

rcity_siting_value rcity_siting_value_of(const rcity_siting_task *task, const rcity_siting_state *state)
{
    double missed = 0.0;
    double pull = 0.0;
    for (int64_t i = 0; i < task->point_count; i++) {
        const rcity_siting_need *need = &task->needs[i];
        top_levels top;
        find_top(task, state, i, need->server_count + 1, &top);
        double margin_db = find_margin_db(task, state, i, &top);
        bool has_spare = top.count > need->server_count;
        double spare_db = has_spare ? (double)(top.dbm[need->server_count] - need->least_dbm) : -HUGE_VAL;
        add_point(task, need, margin_db, spare_db, &missed, &pull);
    }
    double sites = sum_costs(task, state, -1);
    return (rcity_siting_value){missed + sites, missed + sites + pull};
}

rcity_status rcity_siting_rest_create(const rcity_siting_task *task, rcity_siting_rest *rest)
{
    return rcity_alloc(task->context, (size_t)task->point_count, 3 * sizeof *rest->level_dbm, "exchanges",
                       &rest->level_dbm);
}

void rcity_siting_rest_release(const rcity_siting_task *task, rcity_siting_rest *rest)
{
    rcity_release(task->context, rest->level_dbm);
    rest->level_dbm = NULL;
}

void rcity_siting_rest_fill(const rcity_siting_task *task, const rcity_siting_state *state, int station,
                            rcity_siting_rest *rest)
{
    rcity_siting_station *mine = &state->stations[station];
    int32_t was_on = mine->is_on;
    mine->is_on = 0;
    for (int64_t i = 0; i < task->point_count; i++) {
        int needed = task->needs[i].server_count;
        top_levels top;
        find_top(task, state, i, needed + 1, &top);
        for (int k = 0; k < 3; k++) {
            int rank = needed - 2 + k;
            rest->level_dbm[3 * i + k] = rank < 0 ? HUGE_VALF : rank < top.count ? top.dbm[rank] : -HUGE_VALF;
        }
    }
    mine->is_on = was_on;
    rest->others = sum_costs(task, state, station);
}

rcity_siting_value rcity_siting_rest_value(const rcity_siting_task *task, const rcity_siting_rest *rest, int32_t power,
                                           const float *level_dbm)
{
    double missed = 0.0;
    double pull = 0.0;
    float offset = (float)task->power_db[power];
    for (int64_t i = 0; i < task->point_count; i++) {
        const rcity_siting_need *need = &task->needs[i];
        const float *others = rest->level_dbm + 3 * i;
        float level = level_dbm[i] + offset;
        float nth = fmaxf(others[1], fminf(level, others[0]));
        float next = fmaxf(others[2], fminf(level, others[1]));
        add_point(task, need, (double)(nth - need->least_dbm), (double)(next - need->least_dbm), &missed, &pull);
    }
    double sites = rest->others + station_cost(task, power);
    return (rcity_siting_value){missed + sites, missed + sites + pull};
}

bool rcity_siting_is_better(rcity_siting_value a, rcity_siting_value b)
{
    return a.cost < b.cost || (a.cost == b.cost && a.guided < b.guided);
}

double rcity_siting_serve(const rcity_siting_task *task, const rcity_siting_state *state, int64_t point,
                          rcity_siting_point *served)
{
    const rcity_siting_need *need = &task->needs[point];
    top_levels top;
    find_top(task, state, point, need->server_count > 2 ? need->server_count : 2, &top);
    double margin_db = find_margin_db(task, state, point, &top);
    int reached = 0;
    for (int i = 0; i < state->site_count; i++) {
        float level_dbm = state->level_dbm[i][point] + offset_db(task, state, i);
        reached += is_on(task, state, i) && level_dbm >= need->least_dbm ? 1 : 0;
    }
    *served = (rcity_siting_point){
        .server = top.count > 0 ? top.site[0] : -1,
        .second = top.count > 1 ? top.site[1] : -1,
        .received_dbm = top.count > 0 ? top.dbm[0] : NAN,
        .second_dbm = top.count > 1 ? top.dbm[1] : NAN,
        .sinr_db =
            task->has_sinr && top.count > 0 ? (float)find_sinr_db(task, state, point, top.site[0], top.dbm[0]) : NAN,
        .server_count = reached,
        .is_covered = margin_db >= 0.0,
    };
    return credit_of(task, margin_db);
}

rcity_siting_coverage rcity_siting_cover(const rcity_siting_task *task, const rcity_siting_state *state)
{
    rcity_siting_coverage made = {.cost = rcity_siting_value_of(task, state).cost};
    for (int i = 0; i < state->site_count; i++) {
        made.site_count += is_on(task, state, i) ? 1 : 0;
    }
    for (int64_t i = 0; i < task->point_count; i++) {
        rcity_siting_point point;
        (void)rcity_siting_serve(task, state, i, &point);
        if (point.is_covered) {
            double weight = task->needs[i].weight;
            bool overlaps = point.second >= 0 && (double)(point.received_dbm - point.second_dbm) <= task->handover_db;
            made.covered_weight += weight;
            made.overlap_weight += overlaps ? weight : 0.0;
            made.covered_count++;
        }
    }
    made.covered_share = task->weight > 0.0 ? made.covered_weight / task->weight : 0.0;
    return made;
}

bool rcity_siting_is_apart(const rcity_siting_task *task, const rcity_siting_state *state, int station,
                           const rcity_siting_setting *setting)
{
    double at[2];
    double other[2];
    if (task->spacing_m <= 0.0) {
        return true;
    }
    task->world.locate(task->world.user, setting, at);
    for (int i = 0; i < state->site_count; i++) {
        if (!is_on(task, state, i) || i == task->existing_count + station) {
            continue;
        }
        if (i < task->existing_count) {
            memcpy(other, task->existing_xy_m + 2 * i, sizeof other);
        } else {
            task->world.locate(task->world.user, &state->stations[i - task->existing_count].at, other);
        }
        if (hypot(at[0] - other[0], at[1] - other[1]) < task->spacing_m) {
            return false;
        }
    }
    return true;
}
