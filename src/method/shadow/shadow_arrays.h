/* What was traced of one source on the host: the arrays behind rcity_shadow_ways, whatever the receivers are. */
#ifndef RCITY_METHOD_SHADOW_ARRAYS_H
#define RCITY_METHOD_SHADOW_ARRAYS_H

#include "method/shadow/shadow_choice.h"
#include "method/shadow/shadow_weigh.h"

typedef struct rcity_shadow_arrays {
    size_t count; /* receivers */
    uint8_t *states;
    float *log_lengths;
    rcity_shadow_line *lines;
    rcity_canyon canyon;
    rcity_shadow_roof *roofs; /* NULL without, as all that follow */
    float *roof_log_lengths;
    rcity_shadow_walls walls;
    bool reaches_indoor;
} rcity_shadow_arrays;

/* Make room for what is chosen; the canyon makes its own. On failure what is there is released. */
rcity_status rcity_shadow_arrays_init(rcity_context *context, const rcity_shadow_choice *choice, size_t count,
                                      rcity_shadow_arrays *arrays);
void rcity_shadow_arrays_deinit(rcity_context *context, rcity_shadow_arrays *arrays);

/* What the straight line to a receiver is, and what the receiver is to the source; its way over roofs is known by now. */
void rcity_shadow_arrays_set_line(rcity_shadow_arrays *arrays, size_t i, const rcity_shapes *shapes,
                                  rcity_grid_point3 source, rcity_grid_point3 at, rcity_shadow_state state);

/* As they are weighed; borrowed. */
rcity_shadow_ways rcity_shadow_arrays_ways(const rcity_shadow_arrays *arrays);

#endif
