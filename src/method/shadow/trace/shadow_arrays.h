/* What was traced from one source on the host: the arrays behind rcity_shadow_paths, for any kind of receivers. */
#ifndef RCITY_METHOD_SHADOW_TRACE_SHADOW_ARRAYS_H
#define RCITY_METHOD_SHADOW_TRACE_SHADOW_ARRAYS_H

#include "base/lane_math.h"
#include "method/shadow/shadow_choice.h"
#include "method/shadow/shadow_weigh.h"
#include "method/surroundings/built_up.h"

typedef struct rcity_shadow_arrays {
    size_t count; /* receivers */
    uint8_t *states;
    float *log_lengths;
    rcity_shadow_line *lines;
    rcity_corner_paths corner_paths;
    rcity_shadow_roof *roofs; /* NULL if not chosen, as are all that follow */
    float *roof_log_lengths;
    rcity_shadow_walls walls;
    rcity_surroundings_end source;
    rcity_surroundings_line *node_lines;       /* to the nodes of the surroundings */
    float *built_m, *hill_root_m, *hill_slope; /* of the lines to receivers */
    bool reaches_indoor;
} rcity_shadow_arrays;

/* A source in its surroundings. */
rcity_surroundings_end rcity_shadow_source_end(const rcity_shapes *shapes, const rcity_shadow_choice *choice,
                                               rcity_grid_point3 source);

/* Sets the source, and measures its lines to the nodes of the surroundings, if these are known. */
void rcity_shadow_arrays_begin(rcity_context *context, const rcity_shapes *shapes, const rcity_shadow_choice *choice,
                               rcity_grid_point3 source, rcity_shadow_arrays *arrays);

/* Allocates what is chosen; the paths around corners allocate their own memory. On failure everything is released. */
rcity_status rcity_shadow_arrays_init(rcity_context *context, const rcity_shadow_choice *choice, size_t count,
                                      rcity_shadow_arrays *arrays);
void rcity_shadow_arrays_deinit(rcity_context *context, rcity_shadow_arrays *arrays);

/* Sets the straight lines to `count` receivers from `first` on, given by their places; their over-roof paths are known
   already. */
void rcity_shadow_arrays_set_lines(rcity_shadow_arrays *arrays, float unit_m, rcity_grid_point3 source, size_t first,
                                   size_t count, const rcity_grid_point3 *places);

/* What lies under the line to a receiver. */
static inline void rcity_shadow_arrays_set_built(rcity_shadow_arrays *arrays, const rcity_built_up *built_up, size_t i,
                                                 rcity_grid_point3 at)
{
    rcity_surroundings_place place = rcity_surroundings_locate(&built_up->lattice, at.x, at.y);
    rcity_surroundings_line line = rcity_surroundings_line_at(&built_up->lattice, arrays->node_lines, place);
    arrays->built_m[i] = line.built_m;
    arrays->hill_root_m[i] = line.hill_root_m;
    arrays->hill_slope[i] = line.hill_slope;
}

/* The view that is weighed; borrowed. `here` is what lies around the receivers, or NULL. */
rcity_shadow_paths rcity_shadow_arrays_paths(const rcity_shadow_arrays *arrays, const rcity_surroundings_node *here);

#endif
