/* Measurements with their routes and transmitters. */
#include "result/measurements.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"

#define WHAT "measurements" /* for the message of a failed allocation */

rcity_status rcity_measurements_create(rcity_context *context, rcity_measured_kind kind,
                                       rcity_measurements **measurements)
{
    rcity_measurements *made = NULL;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, WHAT, &made));
    made->context = context;
    made->kind = kind;
    *measurements = made;
    return RCITY_OK;
}

static void release_transmitters(rcity_measurements *measurements)
{
    for (size_t i = 0; i < measurements->transmitter_count; i++) {
        rcity_release(measurements->context, measurements->transmitter_names[i]);
    }
    rcity_release(measurements->context, measurements->transmitter_names);
    rcity_release(measurements->context, measurements->transmitters);
}

void rcity_measurements_destroy(rcity_measurements **measurements)
{
    if (measurements == NULL || *measurements == NULL) {
        return;
    }
    rcity_measurements *gone = *measurements;
    for (size_t i = 0; i < gone->route_count; i++) {
        rcity_release(gone->context, gone->route_names[i]);
    }
    rcity_release(gone->context, gone->route_names);
    release_transmitters(gone);
    rcity_release(gone->context, gone->list);
    rcity_release(gone->context, gone);
    *measurements = NULL;
}

rcity_status rcity_measurements_add(rcity_measurements *measurements, const rcity_measurement *measurement)
{
    RCITY_TRY(rcity_reserve(measurements->context, measurements->count + 1, sizeof *measurements->list,
                            &measurements->capacity, WHAT, &measurements->list));
    measurements->list[measurements->count++] = *measurement;
    return RCITY_OK;
}

rcity_status rcity_measurements_add_route(rcity_measurements *measurements, const char *name, int *index)
{
    RCITY_CHECK(measurements->context, measurements->route_count < INT_MAX, RCITY_ERR_ARGUMENT,
                "there are more than %d routes", INT_MAX);
    RCITY_TRY(rcity_reserve(measurements->context, measurements->route_count + 1, sizeof *measurements->route_names,
                            &measurements->route_capacity, WHAT, &measurements->route_names));
    RCITY_TRY(rcity_copy_text(measurements->context, name, &measurements->route_names[measurements->route_count]));
    *index = (int)measurements->route_count++;
    return RCITY_OK;
}

rcity_status rcity_measurements_add_transmitter(rcity_measurements *measurements, const rcity_transmitter *transmitter,
                                                int *index)
{
    rcity_context *context = measurements->context;
    size_t count = measurements->transmitter_count;
    RCITY_CHECK(context, count < INT_MAX, RCITY_ERR_ARGUMENT, "there are more than %d transmitters", INT_MAX);
    RCITY_TRY(rcity_reserve(context, count + 1, sizeof *measurements->transmitters, &measurements->transmitter_capacity,
                            WHAT, &measurements->transmitters));
    RCITY_TRY(rcity_reserve(context, count + 1, sizeof *measurements->transmitter_names, &measurements->name_capacity,
                            WHAT, &measurements->transmitter_names));
    char *name = NULL;
    RCITY_TRY(rcity_copy_text(context, transmitter->name, &name));
    measurements->transmitter_names[count] = name;
    measurements->transmitters[count] = *transmitter;
    measurements->transmitters[count].name = name;
    measurements->transmitter_count++;
    *index = (int)count;
    return RCITY_OK;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Do two transmitters agree in everything that is known about them? */
static bool is_same_transmitter(const rcity_transmitter *a, const rcity_transmitter *b)
{
    bool has_same_name = a->name == b->name || (a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0);
    return has_same_name && is_same(a->x_m, b->x_m) && is_same(a->y_m, b->y_m) && is_same(a->height_m, b->height_m) &&
           a->is_absolute == b->is_absolute && is_same(a->frequency_hz, b->frequency_hz) &&
           a->power_kind == b->power_kind && is_same(a->power_dbm, b->power_dbm) &&
           is_same(a->cable_loss_db, b->cable_loss_db) && a->antenna == b->antenna &&
           is_same(a->azimuth_deg, b->azimuth_deg) && is_same(a->mechanical_tilt_deg, b->mechanical_tilt_deg) &&
           is_same(a->electrical_tilt_deg, b->electrical_tilt_deg) && a->polarization == b->polarization &&
           is_same(a->load, b->load);
}

rcity_status rcity_measurements_find_transmitter(rcity_measurements *measurements, const rcity_transmitter *transmitter,
                                                 int *index)
{
    for (size_t i = 0; i < measurements->transmitter_count; i++) {
        if (is_same_transmitter(&measurements->transmitters[i], transmitter)) {
            *index = (int)i;
            return RCITY_OK;
        }
    }
    return rcity_measurements_add_transmitter(measurements, transmitter, index);
}

static void add_tally(rcity_measurement_tally *sum, const rcity_measurement_tally *more)
{
    sum->row_count += more->row_count;
    sum->left_out_count += more->left_out_count;
    sum->gap_count += more->gap_count;
    sum->duplicate_count += more->duplicate_count;
    sum->floor_count += more->floor_count;
    sum->saturated_count += more->saturated_count;
    sum->outside_count += more->outside_count;
    sum->kept_count += more->kept_count;
}

/* Append to a list that is discarded on failure. */
static rcity_status append_all(rcity_measurements *measurements, const rcity_measurements *more)
{
    int first_route = (int)measurements->route_count;
    for (size_t i = 0; i < more->route_count; i++) {
        int route;
        RCITY_TRY(rcity_measurements_add_route(measurements, more->route_names[i], &route));
    }
    int *transmitter = NULL; /* the new index of each */
    RCITY_TRY(rcity_alloc(measurements->context, more->transmitter_count + 1, sizeof *transmitter, WHAT, &transmitter));
    rcity_status status = RCITY_OK;
    for (size_t i = 0; i < more->transmitter_count; i++) {
        RCITY_TRY_DONE(rcity_measurements_find_transmitter(measurements, &more->transmitters[i], &transmitter[i]));
    }
    for (size_t i = 0; i < more->count; i++) {
        rcity_measurement copy = more->list[i];
        copy.route += first_route;
        copy.transmitter = copy.transmitter >= 0 ? transmitter[copy.transmitter] : -1;
        RCITY_TRY_DONE(rcity_measurements_add(measurements, &copy));
    }
    add_tally(&measurements->tally, &more->tally);
done:
    rcity_release(measurements->context, transmitter);
    return status;
}

rcity_status rcity_measurements_append(rcity_context *context, rcity_measurements **measurements,
                                       const rcity_measurements *more)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, measurements);
    RCITY_NEED(context, more);
    const rcity_measurements *old = *measurements;
    RCITY_CHECK(context, old == NULL || old->kind == more->kind, RCITY_ERR_ARGUMENT,
                "losses cannot stand beside received powers: '%.100s' has %s, '%.100s' has %s; score them one by one",
                old->route_count > 0 ? old->route_names[0] : "", old->kind == RCITY_MEASURED_LOSS ? "losses" : "powers",
                more->route_count > 0 ? more->route_names[0] : "",
                more->kind == RCITY_MEASURED_LOSS ? "losses" : "powers");
    rcity_measurements *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_measurements_create(context, more->kind, &made));
    RCITY_TRY_DONE(old != NULL ? append_all(made, old) : RCITY_OK);
    RCITY_TRY_DONE(append_all(made, more));
    rcity_measurements_destroy(measurements);
    *measurements = made;
    made = NULL;
done:
    rcity_measurements_destroy(&made);
    return status;
}

/* Take over the transmitters of another list. */
static void exchange_transmitters(rcity_measurements *measurements, rcity_measurements *other)
{
    rcity_measurements old = *measurements;
    measurements->transmitter_count = other->transmitter_count;
    measurements->transmitter_capacity = other->transmitter_capacity;
    measurements->name_capacity = other->name_capacity;
    measurements->transmitters = other->transmitters;
    measurements->transmitter_names = other->transmitter_names;
    other->transmitter_count = old.transmitter_count;
    other->transmitter_capacity = old.transmitter_capacity;
    other->name_capacity = old.name_capacity;
    other->transmitters = old.transmitters;
    other->transmitter_names = old.transmitter_names;
}

rcity_status rcity_measurements_set_transmitter(rcity_measurements *measurements, const rcity_transmitter *transmitter)
{
    RCITY_NEED(NULL, measurements);
    RCITY_NEED(measurements->context, transmitter);
    RCITY_TRY(RCITY_CHECK_FIXED(measurements->context, rcity_transmitter, transmitter));
    rcity_measurements *bearer = NULL;
    int index = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_measurements_create(measurements->context, measurements->kind, &bearer));
    RCITY_TRY_DONE(rcity_measurements_add_transmitter(bearer, transmitter, &index));
    exchange_transmitters(measurements, bearer);
    for (size_t i = 0; i < measurements->count; i++) {
        measurements->list[i].transmitter = index;
    }
done:
    rcity_measurements_destroy(&bearer);
    return status;
}

/* Index of a name in a list of transmitters, or -1. */
static int find_name(const char *name, int count, const rcity_transmitter *transmitters)
{
    for (int i = 0; i < count; i++) {
        if (name != NULL && transmitters[i].name != NULL && strcmp(transmitters[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Append names that are (or are not) in another list to a text, until it is full. */
static void list_names(char *text, size_t room, int count, const rcity_transmitter *transmitters, int other_count,
                       const rcity_transmitter *others)
{
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        const char *name = transmitters[i].name != NULL ? transmitters[i].name : "(without a name)";
        if (find_name(name, other_count, others) >= 0) {
            continue;
        }
        if (used + strlen(name) + 8 > room) {
            snprintf(text + used, room - used, ", ...");
            return;
        }
        snprintf(text + used, room - used, "%s%s", used > 0 ? ", " : "", name);
    }
}

static rcity_status fail_names(rcity_context *context, const rcity_measurements *measurements, int transmitter_count,
                               const rcity_transmitter *transmitters)
{
    char unknown[300];
    char known[300];
    list_names(unknown, sizeof unknown, (int)measurements->transmitter_count, measurements->transmitters,
               transmitter_count, transmitters);
    list_names(known, sizeof known, transmitter_count, transmitters, 0, NULL);
    return rcity_fail(context, RCITY_ERR_ARGUMENT,
                      "the measurements are of transmitters that are not known: %s; known are: %s", unknown, known);
}

rcity_status rcity_measurements_name_transmitters(rcity_context *context, rcity_measurements *measurements,
                                                  int transmitter_count, const rcity_transmitter *transmitters)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, measurements);
    RCITY_CHECK_FIXED_ALL(context, rcity_transmitter, transmitters, transmitter_count);
    RCITY_CHECK(context, measurements->transmitter_count > 0, RCITY_ERR_ARGUMENT,
                "the measurements do not say which of %d transmitters they are of; give them a column site (and "
                "sector), or give the one transmitter",
                transmitter_count);
    for (size_t i = 0; i < measurements->count; i++) {
        RCITY_CHECK(context, measurements->list[i].transmitter >= 0, RCITY_ERR_ARGUMENT,
                    "the measurement in row %lld does not say which transmitter it is of",
                    (long long)measurements->list[i].row);
    }
    rcity_measurements *bearer = NULL;
    int *index = NULL; /* the new index of each; two of one name become one */
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, measurements->transmitter_count, sizeof *index, WHAT, &index));
    RCITY_TRY_DONE(rcity_measurements_create(context, measurements->kind, &bearer));
    for (size_t i = 0; i < measurements->transmitter_count; i++) {
        int found = find_name(measurements->transmitter_names[i], transmitter_count, transmitters);
        RCITY_TRY_DONE(found >= 0 ? RCITY_OK : fail_names(context, measurements, transmitter_count, transmitters));
        RCITY_TRY_DONE(rcity_measurements_find_transmitter(bearer, &transmitters[found], &index[i]));
    }
    exchange_transmitters(measurements, bearer);
    for (size_t i = 0; i < measurements->count; i++) {
        measurements->list[i].transmitter = index[measurements->list[i].transmitter];
    }
done:
    rcity_release(context, index);
    rcity_measurements_destroy(&bearer);
    return status;
}

rcity_measured_kind rcity_measurements_kind(const rcity_measurements *measurements)
{
    return measurements != NULL ? measurements->kind : RCITY_MEASURED_AUTO;
}

int64_t rcity_measurements_count(const rcity_measurements *measurements)
{
    if (measurements == NULL) {
        return 0;
    }
    return (int64_t)measurements->count;
}

const rcity_measurement *rcity_measurements_all(const rcity_measurements *measurements)
{
    if (measurements == NULL) {
        return NULL;
    }
    return measurements->list;
}

static rcity_measurement_tally measurements_tally(const rcity_measurements *measurements)
{
    return measurements->tally;
}

void rcity_measurements_tally_sized(const rcity_measurements *measurements, size_t tally_bytes,
                                    rcity_measurement_tally *tally)
{
    if (tally == NULL) {
        return;
    }
    rcity_measurement_tally made = {0};
    if (measurements != NULL) {
        made = measurements_tally(measurements);
    }
    rcity_copy_struct(&made, sizeof made, tally_bytes, tally);
}

int rcity_measurements_route_count(const rcity_measurements *measurements)
{
    if (measurements == NULL) {
        return 0;
    }
    return (int)measurements->route_count;
}

const char *rcity_measurements_route_name(const rcity_measurements *measurements, int route_index)
{
    if (measurements == NULL || route_index < 0 || (size_t)route_index >= measurements->route_count) {
        return NULL;
    }
    return measurements->route_names[route_index];
}

int rcity_measurements_transmitter_count(const rcity_measurements *measurements)
{
    if (measurements == NULL) {
        return 0;
    }
    return (int)measurements->transmitter_count;
}

const rcity_transmitter *rcity_measurements_transmitters(const rcity_measurements *measurements)
{
    if (measurements == NULL) {
        return NULL;
    }
    return measurements->transmitters;
}
