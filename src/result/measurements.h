/* Measurements with their routes and transmitters, and how lists are combined. */
#ifndef RCITY_RESULT_MEASUREMENTS_H
#define RCITY_RESULT_MEASUREMENTS_H

#include "base/base.h"
#include "radiocity/measure.h"

struct rcity_measurements {
    rcity_context *context; /* Borrowed. */
    rcity_measured_kind kind;
    size_t count, capacity;
    rcity_measurement *list;
    size_t route_count, route_capacity;
    char **route_names;
    size_t transmitter_count, transmitter_capacity, name_capacity;
    rcity_transmitter *transmitters; /* their names are in transmitter_names */
    char **transmitter_names;        /* NULL where one has none */
    rcity_measurement_tally tally;
};

/* An empty list. Owned by the caller; release with rcity_measurements_destroy(). */
rcity_status rcity_measurements_create(rcity_context *context, rcity_measured_kind kind,
                                       rcity_measurements **measurements);

/* Append one as it is; call rcity_measurements_arrange() when all are added. */
rcity_status rcity_measurements_add(rcity_measurements *measurements, const rcity_measurement *measurement);

/* Append a route; its name is copied. `*index` is untouched on failure, also below. */
rcity_status rcity_measurements_add_route(rcity_measurements *measurements, const char *name, int *index);

/* Append a transmitter; its name is copied, its antenna borrowed. */
rcity_status rcity_measurements_add_transmitter(rcity_measurements *measurements, const rcity_transmitter *transmitter,
                                                int *index);

/* The same for one that may be listed already: then nothing is appended. */
rcity_status rcity_measurements_find_transmitter(rcity_measurements *measurements, const rcity_transmitter *transmitter,
                                                 int *index);

/* Sort measurements by route, each route in its original order, and fill travelled_m and is_after_gap
   (route_travel.c). */
rcity_status rcity_measurements_arrange(rcity_measurements *measurements);

#endif
