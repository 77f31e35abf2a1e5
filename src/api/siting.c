/* The search for sites in a scene, from options to a result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/siting_run.h"
#include "base/abi.h"
#include "plan/siting/demand.h"

#define SAVE_S      5.0  /* between checkpoints */
#define STORE_SHARE 0.25 /* of the memory that is left, for levels that were predicted */
#define STORE_MOST  4e6  /* settings */

/* How many settings are kept. */
static int64_t count_kept(const rcity_siting_run_data *run)
{
    uint64_t limit = rcity_context_memory_limit(run->context);
    uint64_t used = rcity_context_memory_used(run->context);
    double left = limit > used ? (double)(limit - used) : 0.0;
    double row_bytes = (double)run->task.point_count * sizeof(float) + 64.0;
    return (int64_t)fmin(STORE_MOST, fmax(1024.0, STORE_SHARE * left / row_bytes));
}

static rcity_status save_batch(void *user, const rcity_siting_search *search)
{
    rcity_siting_run_data *run = user;
    double now_s = rcity_clock_s();
    if (now_s - run->saved_s < SAVE_S) {
        return RCITY_OK;
    }
    run->saved_s = now_s;
    return rcity_siting_checkpoint_save(search, run->hash, run->options->checkpoint_path);
}

static rcity_status run_baseline(rcity_siting_run_data *run)
{
    rcity_siting_setting *settings = NULL;
    int64_t count = 0;
    rcity_status status =
        rcity_siting_places_list(&run->places, run->context, run->options->baseline_m, &count, &settings);
    if (status == RCITY_OK) {
        status = rcity_siting_search_greedy(&run->search, count, settings);
    }
    rcity_release(run->context, settings);
    return status;
}

/* Where the search begins, or goes on. */
static rcity_status begin(rcity_siting_run_data *run)
{
    const rcity_siting_options *options = run->options;
    RCITY_TRY(rcity_siting_search_init(&run->task, count_kept(run), &run->search));
    if (options->checkpoint_path != NULL) {
        run->search.on_batch = save_batch;
        run->search.user = run;
        run->saved_s = rcity_clock_s();
    }
    if (options->resumes) {
        RCITY_TRY(rcity_siting_checkpoint_load(&run->search, run->hash, options->checkpoint_path));
        return rcity_siting_search_restore(&run->search);
    }
    RCITY_TRY(rcity_siting_search_begin(&run->search));
    return options->baseline_m > 0.0 ? run_baseline(run) : RCITY_OK;
}

static void fill_effort(const rcity_siting_run_data *run, rcity_siting_info *info)
{
    rcity_siting_effort effort = rcity_siting_store_effort(run->search.store);
    info->prediction_count = effort.predicted_count;
    info->reused_count = effort.reused_count;
    info->naive_count = run->search.position.station_sum;
    info->prediction_s = effort.predict_s;
}

static rcity_status fill_info(const rcity_siting_run_data *run, const rcity_siting_state *state, rcity_siting *made)
{
    const rcity_siting_task *task = &run->task;
    const rcity_siting_position *position = &run->search.position;
    rcity_siting_info *info = &made->info;
    rcity_siting_state *none = NULL;
    RCITY_TRY(rcity_siting_state_create(task, &none)); /* all its stations are off */
    info->before = rcity_siting_cover(task, none);
    rcity_siting_state_destroy(task, &none);
    info->weight = task->weight;
    info->is_complete = position->is_done != 0;
    info->is_baseline = state == run->search.baseline;
    info->has_bound = position->has_baseline && position->is_bound;
    info->move_count = position->move_count;
    info->accept_count = position->accept_count;
    info->candidate_count = position->candidate_count;
    info->baseline_bound = info->has_bound ? position->bound : (double)NAN;
    info->greedy_weight = position->has_baseline ? position->greedy_weight : (double)NAN;
    info->start = position->start;
    info->baseline.cost = (double)NAN;
    if (position->has_baseline) {
        info->baseline = rcity_siting_cover(task, run->search.baseline);
    }
    info->found = rcity_siting_cover(task, state);
    fill_effort(run, info);
    return RCITY_OK;
}

/* A name that no site has yet. */
static void name_station(rcity_siting *made, int count, int *number)
{
    bool is_taken = true;
    while (is_taken) {
        is_taken = false;
        snprintf(made->names[count], sizeof made->names[0], "plan-%d", ++*number);
        for (int i = 0; i < count && !is_taken; i++) {
            is_taken = strcmp(made->names[i], made->names[count]) == 0;
        }
    }
}

static rcity_status fill_sites(rcity_siting_run_data *run, const rcity_siting_state *state, rcity_siting *made)
{
    const rcity_siting_options *options = run->options;
    rcity_context *context = run->context;
    size_t most = (size_t)rcity_siting_site_count(&run->task);
    RCITY_TRY(rcity_alloc(context, most + 1, sizeof *made->transmitters, "sites", &made->transmitters));
    RCITY_TRY(rcity_alloc(context, most + 1, sizeof *made->names, "sites", &made->names));
    int count = 0;
    int number = 0;
    for (int i = 0; i < options->existing_count; i++) {
        made->transmitters[count] = options->existing[i];
        if (options->existing[i].name != NULL) {
            snprintf(made->names[count], sizeof made->names[0], "%s", options->existing[i].name);
        } else {
            snprintf(made->names[count], sizeof made->names[0], "existing-%d", i + 1);
        }
        count++;
    }
    for (int i = 0; i < options->station_count; i++) {
        const rcity_siting_station *station = &state->stations[i];
        if (station->is_on) {
            (void)rcity_siting_places_fill(&run->places, &station->at, &made->transmitters[count]);
            made->transmitters[count].power_dbm += run->task.power_db[station->power];
            name_station(made, count, &number);
            count++;
        }
    }
    for (int i = 0; i < count; i++) {
        made->transmitters[i].name = made->names[i];
    }
    made->site_count = count;
    return RCITY_OK;
}

/* What each point gets; sites that are not built have no number. */
static rcity_status fill_points(const rcity_siting_run_data *run, const rcity_siting_state *state, rcity_siting *made)
{
    const rcity_siting_task *task = &run->task;
    int numbers[2 * RCITY_SITING_STATION_MAX];
    int count = 0;
    for (int i = 0; i < state->site_count; i++) {
        bool is_on = i < task->existing_count || state->stations[i - task->existing_count].is_on;
        numbers[i] = is_on ? count++ : -1;
    }
    made->point_count = task->point_count;
    RCITY_TRY(rcity_alloc(run->context, (size_t)task->point_count, sizeof *made->points, "points", &made->points));
    for (int64_t i = 0; i < task->point_count; i++) {
        rcity_siting_point *point = &made->points[i];
        (void)rcity_siting_serve(task, state, i, point);
        point->server = point->server >= 0 ? numbers[point->server] : -1;
        point->second = point->second >= 0 ? numbers[point->second] : -1;
    }
    return RCITY_OK;
}

static rcity_status make_result(rcity_siting_run_data *run, rcity_siting *made)
{
    const rcity_siting_search *search = &run->search;
    const rcity_siting_state *state = search->best;
    if (search->position.has_baseline &&
        rcity_siting_value_of(&run->task, search->baseline).cost < search->position.best.cost) {
        state = search->baseline;
    }
    made->step_count = (int)search->position.step_count;
    RCITY_TRY(rcity_alloc(run->context, (size_t)made->step_count + 1, sizeof *made->steps, "the course of a search",
                          &made->steps));
    memcpy(made->steps, search->steps, (size_t)made->step_count * sizeof *made->steps);
    RCITY_TRY(fill_sites(run, state, made));
    RCITY_TRY(fill_points(run, state, made));
    return fill_info(run, state, made);
}

static rcity_status search_sites(rcity_siting_run_data *run, rcity_siting *made)
{
    double start_s = rcity_clock_s();
    RCITY_TRY(rcity_siting_run_prepare(run));
    RCITY_TRY(begin(run));
    rcity_status status = rcity_siting_search_run(&run->search);
    if (status != RCITY_OK && status != RCITY_ERR_CANCELLED) {
        return status;
    }
    if (run->options->checkpoint_path != NULL) {
        RCITY_TRY(rcity_siting_checkpoint_save(&run->search, run->hash, run->options->checkpoint_path));
    }
    RCITY_TRY(make_result(run, made));
    made->info.run_s = rcity_clock_s() - start_s;
    return RCITY_OK;
}

rcity_status rcity_siting_run(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                              const rcity_request *request, const rcity_demand *demand,
                              const rcity_siting_options *options, rcity_siting **siting)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, device);
    RCITY_NEED(context, demand);
    rcity_request known_request;
    RCITY_TAKE(context, rcity_request, coefficients, request, &known_request);
    rcity_siting_options known;
    RCITY_TAKE(context, rcity_siting_options, resumes, options, &known);
    RCITY_NEED(context, siting);
    RCITY_TRY(rcity_siting_check(context, &known));
    rcity_siting_run_data run = {.context = context,
                                 .scene = scene,
                                 .device = device,
                                 .request = &known_request,
                                 .demand = demand,
                                 .options = &known};
    rcity_siting *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "sites", &made));
    made->context = context;
    RCITY_TRY_DONE(search_sites(&run, made));
    *siting = made;
    made = NULL;
done:
    rcity_siting_destroy(&made);
    rcity_siting_run_release(&run);
    return status;
}

void rcity_siting_destroy(rcity_siting **siting)
{
    if (siting == NULL || *siting == NULL) {
        return;
    }
    rcity_siting *old = *siting;
    rcity_release(old->context, old->steps);
    rcity_release(old->context, old->points);
    rcity_release(old->context, old->names);
    rcity_release(old->context, old->transmitters);
    rcity_release(old->context, old);
    *siting = NULL;
}

void rcity_siting_describe_sized(const rcity_siting *siting, size_t info_bytes, rcity_siting_info *info)
{
    if (siting != NULL && info != NULL) {
        rcity_copy_struct(&siting->info, sizeof siting->info, info_bytes, info);
    }
}

int rcity_siting_count(const rcity_siting *siting)
{
    return siting != NULL ? siting->site_count : 0;
}

const rcity_transmitter *rcity_siting_transmitters(const rcity_siting *siting)
{
    return siting != NULL ? siting->transmitters : NULL;
}

rcity_status rcity_siting_get_point_sized(const rcity_siting *siting, int64_t point_index, size_t point_bytes,
                                          rcity_siting_point *point)
{
    if (siting == NULL || point == NULL || point_index < 0 || point_index >= siting->point_count) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&siting->points[point_index], sizeof *siting->points, point_bytes, point);
    return RCITY_OK;
}

int rcity_siting_step_count(const rcity_siting *siting)
{
    return siting != NULL ? siting->step_count : 0;
}

const rcity_siting_step *rcity_siting_steps(const rcity_siting *siting)
{
    return siting != NULL ? siting->steps : NULL;
}
