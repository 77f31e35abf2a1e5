/* Paths: the list that a tracer fills, sorted and summed by receiver. */
#include "result/rays_data.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "result/ray_summary.h"

struct rcity_rays {
    rcity_context *context;
    char *crs;
    rcity_point transmitter;
    double frequency_hz, input_dbm;
    double progress_first, progress_total;
    size_t receiver_count;
    rcity_receiver_summary *receivers;
    char **names; /* NULL until one has a name */
    size_t path_count, path_capacity;
    rcity_path *paths; /* their events point into `events` once they are finished */
    size_t event_count, event_capacity;
    rcity_ray_event *events;
    int64_t last_receiver; /* the last receiver that paths were added to */
    int event_max;
    bool is_finished;
    rcity_notes notes;
};

static void clear_summary(rcity_receiver_summary *summary)
{
    const double none = (double)NAN;
    summary->gain_db = summary->coherent_gain_db = none;
    summary->loss_db = summary->coherent_loss_db = none;
    summary->received_dbm = none;
    summary->mean_delay_s = summary->delay_spread_s = none;
    summary->departure_azimuth_spread_deg = summary->departure_elevation_spread_deg = none;
    summary->arrival_azimuth_spread_deg = summary->arrival_elevation_spread_deg = none;
    summary->k_factor_db = none;
    summary->grouped_gain_db = summary->grouped_loss_db = none;
    summary->scattered_gain_db = summary->scattered_loss_db = none;
}

rcity_status rcity_rays_create(rcity_context *context, const rcity_rays_setup *setup, rcity_rays **rays)
{
    rcity_rays *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "paths", &made));
    made->context = context;
    made->transmitter = setup->transmitter;
    made->frequency_hz = setup->frequency_hz;
    made->input_dbm = setup->input_dbm;
    made->progress_first = setup->progress_first;
    made->progress_total = setup->progress_total > 0.0 ? setup->progress_total : (double)setup->receiver_count;
    rcity_notes_init(context, &made->notes);
    RCITY_TRY_DONE(rcity_copy_text(context, setup->crs != NULL ? setup->crs : "none", &made->crs));
    size_t count = (size_t)setup->receiver_count;
    RCITY_TRY_DONE(rcity_alloc(context, count, sizeof *made->receivers, "receivers", &made->receivers));
    made->receiver_count = count;
    for (size_t i = 0; i < count; i++) {
        made->receivers[i].state = setup->states != NULL ? setup->states[i] : RCITY_RECEIVER_NO_PATH;
        made->receivers[i].position = setup->positions[i];
        clear_summary(&made->receivers[i]);
    }
    *rays = made;
    return RCITY_OK;
done:
    rcity_rays_destroy(&made);
    return status;
}

void rcity_rays_destroy(rcity_rays **rays)
{
    if (rays == NULL || *rays == NULL) {
        return;
    }
    rcity_rays *ended = *rays;
    rcity_context *context = ended->context;
    for (size_t i = 0; ended->names != NULL && i < ended->receiver_count; i++) {
        rcity_release(context, ended->names[i]);
    }
    rcity_release(context, ended->names);
    rcity_release(context, ended->events);
    rcity_release(context, ended->paths);
    rcity_release(context, ended->receivers);
    rcity_notes_deinit(&ended->notes);
    rcity_release(context, ended->crs);
    rcity_release(context, ended);
    *rays = NULL;
}

static rcity_status make_room(rcity_rays *rays, int64_t receiver_index, size_t path_count, size_t event_count)
{
    rcity_context *context = rays->context;
    rcity_status status = rcity_reserve(context, rays->path_count + path_count, sizeof *rays->paths,
                                        &rays->path_capacity, "paths", &rays->paths);
    if (status == RCITY_OK) {
        status = rcity_reserve(context, rays->event_count + event_count, sizeof *rays->events, &rays->event_capacity,
                               "interactions of paths", &rays->events);
    }
    if (status == RCITY_OK) {
        return RCITY_OK;
    }
    return rcity_fail_prefix(context, status,
                             "%zu paths were found up to receiver %lld of %zu; lower the orders or ask for fewer "
                             "receivers; ",
                             rays->path_count + path_count, (long long)receiver_index + 1, rays->receiver_count);
}

/* A field that is not a number would spoil every sum it goes into. */
static bool is_sound(const rcity_path *path)
{
    bool is_finite = isfinite(path->length_m) && path->length_m > 0.0 && isfinite(rcity_path_power(path)) &&
                     !isnan(path->loss_db) && path->loss_db > -HUGE_VAL;
    is_finite = is_finite && isfinite(path->departure_azimuth_deg) && isfinite(path->departure_elevation_deg) &&
                isfinite(path->arrival_azimuth_deg) && isfinite(path->arrival_elevation_deg);
    for (int i = 0; i < 4; i++) {
        const rcity_phasor *entry = &path->transfer[i / 2][i % 2];
        is_finite = is_finite && isfinite(entry->re) && isfinite(entry->im);
    }
    return is_finite;
}

static void add_path(rcity_rays *rays, int64_t receiver_index, const rcity_path *path)
{
    rcity_path *made = &rays->paths[rays->path_count++];
    *made = *path;
    made->receiver_index = receiver_index;
    made->events = NULL;
    made->delay_s = path->length_m / RCITY_LIGHT_EXACT_M_PER_S;
    made->gain_db = 10.0 * log10(rcity_path_power(path));
    made->received_dbm = rays->input_dbm + made->gain_db;
    for (int i = 0; i < path->event_count; i++) {
        rays->events[rays->event_count++] = path->events[i];
    }
    rays->event_max = path->event_count > rays->event_max ? path->event_count : rays->event_max;
}

rcity_status rcity_rays_add_paths(rcity_rays *rays, int64_t receiver_index, int64_t path_count, const rcity_path *paths)
{
    assert(!rays->is_finished && receiver_index >= rays->last_receiver);
    assert((size_t)receiver_index < rays->receiver_count);
    rcity_receiver_summary *receiver = &rays->receivers[receiver_index];
    assert(receiver->state == RCITY_RECEIVER_NO_PATH || receiver->state == RCITY_RECEIVER_REACHED);
    size_t event_count = 0;
    for (int64_t i = 0; i < path_count; i++) {
        assert(paths[i].event_count >= 0 && paths[i].event_count <= RCITY_RAY_EVENT_MAX);
        char word[RCITY_PATH_WORD_BYTES];
        RCITY_CHECK(
            rays->context, is_sound(&paths[i]), RCITY_ERR_STATE,
            "the path '%s' of %g m to receiver %lld has a field or an angle that is no number; please report it",
            rcity_path_describe(&paths[i], word), paths[i].length_m, (long long)receiver_index + 1);
        event_count += (size_t)paths[i].event_count;
    }
    RCITY_TRY(make_room(rays, receiver_index, (size_t)path_count, event_count));
    for (int64_t i = 0; i < path_count; i++) {
        add_path(rays, receiver_index, &paths[i]);
    }
    if (path_count > 0) {
        receiver->state = RCITY_RECEIVER_REACHED;
        receiver->path_count += path_count;
        rays->last_receiver = receiver_index;
    }
    return RCITY_OK;
}

void rcity_rays_set_grouped(rcity_rays *rays, int64_t receiver_index, double gain, double isotropic_gain)
{
    assert(receiver_index >= 0 && (size_t)receiver_index < rays->receiver_count);
    rays->receivers[receiver_index].grouped_gain_db = 10.0 * log10(gain);
    rays->receivers[receiver_index].grouped_loss_db = -10.0 * log10(isotropic_gain);
}

void rcity_rays_set_scattered(rcity_rays *rays, int64_t receiver_index, double gain, double isotropic_gain)
{
    assert(receiver_index >= 0 && (size_t)receiver_index < rays->receiver_count);
    rcity_receiver_summary *receiver = &rays->receivers[receiver_index];
    if (gain > 0.0) {
        receiver->scattered_gain_db = 10.0 * log10(gain);
        receiver->scattered_loss_db = -10.0 * log10(isotropic_gain);
        receiver->state = RCITY_RECEIVER_REACHED;
    }
}

void rcity_rays_set_state(rcity_rays *rays, int64_t receiver_index, rcity_receiver_state state)
{
    assert(receiver_index >= 0 && (size_t)receiver_index < rays->receiver_count);
    assert(rays->receivers[receiver_index].path_count == 0);
    rays->receivers[receiver_index].state = state;
}

static int compare_numbers(double a, double b)
{
    return a < b ? -1 : a > b ? 1 : 0;
}

static int compare_events(const rcity_ray_event *a, const rcity_ray_event *b)
{
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->place != b->place) {
        return a->place < b->place ? -1 : 1;
    }
    if (a->building_id != b->building_id) {
        return a->building_id < b->building_id ? -1 : 1;
    }
    int order = compare_numbers(a->position.x_m, b->position.x_m);
    order = order != 0 ? order : compare_numbers(a->position.y_m, b->position.y_m);
    return order != 0 ? order : compare_numbers(a->position.z_m, b->position.z_m);
}

static int compare_paths(const void *a, const void *b)
{
    const rcity_path *first = a;
    const rcity_path *second = b;
    int order = compare_numbers(rcity_path_power(second), rcity_path_power(first));
    order = order != 0 ? order : compare_numbers(first->length_m, second->length_m);
    order = order != 0 ? order : compare_numbers(first->event_count, second->event_count);
    for (int i = 0; order == 0 && i < first->event_count; i++) {
        order = compare_events(&first->events[i], &second->events[i]);
    }
    return order;
}

/* The events no longer move now. */
static void point_at_events(rcity_rays *rays)
{
    size_t first = 0;
    for (size_t i = 0; i < rays->path_count; i++) {
        rays->paths[i].events = rays->paths[i].event_count > 0 ? &rays->events[first] : NULL;
        first += (size_t)rays->paths[i].event_count;
    }
}

rcity_status rcity_rays_finish(rcity_rays *rays)
{
    assert(!rays->is_finished);
    int64_t most = 0;
    for (size_t i = 0; i < rays->receiver_count; i++) {
        most = rays->receivers[i].path_count > most ? rays->receivers[i].path_count : most;
    }
    rcity_weighted *scratch = NULL;
    RCITY_TRY(rcity_alloc(rays->context, (size_t)most + 1, sizeof *scratch, "angles of paths", &scratch));
    point_at_events(rays);
    int64_t first = 0;
    for (size_t i = 0; i < rays->receiver_count; i++) {
        rcity_receiver_summary *receiver = &rays->receivers[i];
        receiver->path_first = first;
        if (receiver->path_count > 0) {
            rcity_path *paths = &rays->paths[first];
            qsort(paths, (size_t)receiver->path_count, sizeof *paths, compare_paths);
            rcity_ray_summary_fill(paths, rays->input_dbm, scratch, receiver);
        } else if (receiver->state == RCITY_RECEIVER_REACHED) { /* by scattering alone */
            rcity_ray_summary_fill(NULL, rays->input_dbm, scratch, receiver);
        }
        first += receiver->path_count;
    }
    rcity_release(rays->context, scratch);
    rays->is_finished = true;
    return RCITY_OK;
}

rcity_status rcity_rays_report(const rcity_rays *rays, double done)
{
    return rcity_progress(rays->context, "paths", rays->progress_first + done, rays->progress_total);
}

rcity_notes *rcity_rays_notes(rcity_rays *rays)
{
    return &rays->notes;
}

const char *rcity_rays_find_note(const rcity_rays *rays, const char *key)
{
    return rcity_notes_find(&rays->notes, key);
}

rcity_context *rcity_rays_context(const rcity_rays *rays)
{
    return rays->context;
}

int rcity_rays_event_max(const rcity_rays *rays)
{
    return rays->event_max;
}

int64_t rcity_rays_event_count(const rcity_rays *rays)
{
    return (int64_t)rays->event_count;
}

int64_t rcity_rays_count_state(const rcity_rays *rays, rcity_receiver_state state)
{
    int64_t count = 0;
    for (size_t i = 0; i < rays->receiver_count; i++) {
        count += rays->receivers[i].state == state;
    }
    return count;
}

int64_t rcity_rays_path_count(const rcity_rays *rays)
{
    if (rays == NULL) {
        return 0;
    }
    return (int64_t)rays->path_count;
}

int64_t rcity_rays_receiver_count(const rcity_rays *rays)
{
    if (rays == NULL) {
        return 0;
    }
    return (int64_t)rays->receiver_count;
}

rcity_status rcity_rays_get_path_sized(const rcity_rays *rays, int64_t path_index, size_t path_bytes, rcity_path *path)
{
    RCITY_NEED(NULL, rays);
    RCITY_NEED(NULL, path);
    RCITY_CHECK_BYTES(NULL, rcity_path, path_bytes);
    if (path_index < 0 || (size_t)path_index >= rays->path_count) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&rays->paths[path_index], sizeof *rays->paths, path_bytes, path);
    return RCITY_OK;
}

static bool is_receiver(const rcity_rays *rays, int64_t receiver_index)
{
    return receiver_index >= 0 && (size_t)receiver_index < rays->receiver_count;
}

rcity_status rcity_rays_get_receiver_sized(const rcity_rays *rays, int64_t receiver_index, size_t summary_bytes,
                                           rcity_receiver_summary *summary)
{
    RCITY_NEED(NULL, rays);
    RCITY_NEED(NULL, summary);
    RCITY_CHECK_BYTES(NULL, rcity_receiver_summary, summary_bytes);
    if (!is_receiver(rays, receiver_index)) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&rays->receivers[receiver_index], sizeof *rays->receivers, summary_bytes, summary);
    return RCITY_OK;
}

rcity_status rcity_rays_set_name(rcity_rays *rays, int64_t receiver_index, const char *name)
{
    RCITY_NEED(NULL, rays);
    RCITY_CHECK(rays->context, is_receiver(rays, receiver_index), RCITY_ERR_ARGUMENT,
                "there is no receiver %lld; there are %zu, counted from 0", (long long)receiver_index,
                rays->receiver_count);
    char *copy = NULL;
    RCITY_TRY(rcity_copy_text(rays->context, name, &copy));
    rcity_status status = RCITY_OK;
    if (rays->names == NULL) {
        status = rcity_alloc(rays->context, rays->receiver_count, sizeof *rays->names, "names", &rays->names);
    }
    if (status != RCITY_OK) {
        rcity_release(rays->context, copy);
        return status;
    }
    rcity_release(rays->context, rays->names[receiver_index]);
    rays->names[receiver_index] = copy;
    return RCITY_OK;
}

const char *rcity_rays_name(const rcity_rays *rays, int64_t receiver_index)
{
    if (rays == NULL || !is_receiver(rays, receiver_index)) {
        return NULL;
    }
    return rays->names != NULL ? rays->names[receiver_index] : NULL;
}

const char *rcity_rays_label(const rcity_rays *rays, int64_t receiver_index, char *number)
{
    const char *name = rcity_rays_name(rays, receiver_index);
    snprintf(number, 24, "%lld", (long long)receiver_index + 1);
    return name != NULL && name[0] != '\0' ? name : number;
}

rcity_point rcity_rays_transmitter(const rcity_rays *rays)
{
    const rcity_point nowhere = {(double)NAN, (double)NAN, (double)NAN};
    return rays != NULL ? rays->transmitter : nowhere;
}

double rcity_rays_frequency_hz(const rcity_rays *rays)
{
    if (rays == NULL) {
        return (double)NAN;
    }
    return rays->frequency_hz;
}

const char *rcity_rays_crs(const rcity_rays *rays)
{
    if (rays == NULL) {
        return NULL;
    }
    return rays->crs;
}

int rcity_rays_note_count(const rcity_rays *rays)
{
    return rays != NULL ? (int)rays->notes.count : 0;
}

rcity_status rcity_rays_get_note(const rcity_rays *rays, int pair_index, const char **key, const char **value)
{
    RCITY_NEED(NULL, rays);
    RCITY_NEED(NULL, key);
    RCITY_NEED(NULL, value);
    return rcity_notes_get(&rays->notes, pair_index, key, value) ? RCITY_OK : RCITY_ERR_ARGUMENT;
}
