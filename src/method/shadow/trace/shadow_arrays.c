#include "method/shadow/trace/shadow_arrays.h"

#include <string.h>

static rcity_status reserve(rcity_context *context, const rcity_shadow_choice *choice, rcity_shadow_arrays *arrays)
{
    const char *what = "paths to receivers";
    size_t count = arrays->count;
    RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->states, what, &arrays->states));
    RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->log_lengths, what, &arrays->log_lengths));
    RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->lines, what, &arrays->lines));
    if (choice->roofs != RCITY_SHADOW_ROOFS_OFF) {
        RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->roofs, what, &arrays->roofs));
        RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->roof_log_lengths, what, &arrays->roof_log_lengths));
    }
    if (choice->walls != RCITY_SHADOW_WALLS_OFF) {
        RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->walls.count, what, &arrays->walls.count));
    }
    if (choice->built_up != NULL) {
        RCITY_TRY(rcity_alloc(context, rcity_built_up_node_count(choice->built_up), sizeof *arrays->node_lines, what,
                              &arrays->node_lines));
        RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->built_m, what, &arrays->built_m));
        RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->hill_root_m, what, &arrays->hill_root_m));
        RCITY_TRY(rcity_alloc(context, count, sizeof *arrays->hill_slope, what, &arrays->hill_slope));
    }
    if (choice->walls == RCITY_SHADOW_WALLS_METRES) {
        RCITY_TRY(rcity_alloc(context, count, sizeof(float), what, &arrays->walls.building_m));
        RCITY_TRY(rcity_alloc(context, count, sizeof(float), what, &arrays->walls.foliage_m));
    }
    return RCITY_OK;
}

rcity_status rcity_shadow_arrays_init(rcity_context *context, const rcity_shadow_choice *choice, size_t count,
                                      rcity_shadow_arrays *arrays)
{
    memset(arrays, 0, sizeof *arrays);
    arrays->count = count;
    arrays->reaches_indoor = choice->reaches_indoor;
    rcity_status status = reserve(context, choice, arrays);
    if (status != RCITY_OK) {
        rcity_shadow_arrays_deinit(context, arrays);
    }
    return status;
}

void rcity_shadow_arrays_deinit(rcity_context *context, rcity_shadow_arrays *arrays)
{
    rcity_release(context, arrays->hill_slope);
    rcity_release(context, arrays->hill_root_m);
    rcity_release(context, arrays->built_m);
    rcity_release(context, arrays->node_lines);
    rcity_release(context, arrays->walls.foliage_m);
    rcity_release(context, arrays->walls.building_m);
    rcity_release(context, arrays->walls.count);
    rcity_release(context, arrays->roof_log_lengths);
    rcity_release(context, arrays->roofs);
    rcity_corner_paths_deinit(context, &arrays->corner_paths);
    rcity_release(context, arrays->lines);
    rcity_release(context, arrays->log_lengths);
    rcity_release(context, arrays->states);
    memset(arrays, 0, sizeof *arrays);
}

rcity_surroundings_end rcity_shadow_source_end(const rcity_shapes *shapes, const rcity_shadow_choice *choice,
                                               rcity_grid_point3 source)
{
    rcity_surroundings_end end = {rcity_built_up_height(shapes, source.x, source.y, source.z), {0.0f, 0.0f}};
    if (choice->built_up != NULL) {
        end.here = rcity_built_up_at(choice->built_up, source.x, source.y);
    }
    return end;
}

void rcity_shadow_arrays_begin(rcity_context *context, const rcity_shapes *shapes, const rcity_shadow_choice *choice,
                               rcity_grid_point3 source, rcity_shadow_arrays *arrays)
{
    arrays->source = rcity_shadow_source_end(shapes, choice, source);
    if (choice->built_up != NULL) {
        rcity_built_up_measure(context, choice->built_up, source, arrays->node_lines);
    }
}

/* Loops without branches or calls, which the compiler vectorizes. */
RCITY_WIDE static void make_lines(size_t count, const rcity_grid_point3 *places, rcity_grid_point3 source, float unit_m,
                                  rcity_shadow_line *lines, float *log_lengths)
{
    const float least_m2 = RCITY_SHADOW_LENGTH_MIN_M * RCITY_SHADOW_LENGTH_MIN_M;
    for (size_t i = 0; i < count; i++) {
        float dx_m = (float)(places[i].x - source.x) * unit_m;
        float dy_m = (float)(places[i].y - source.y) * unit_m;
        float rise_m = (float)(places[i].z - source.z) / (float)RCITY_HEIGHT_UNITS_PER_M;
        float square_m2 = dx_m * dx_m + dy_m * dy_m + rise_m * rise_m;
        lines[i] = rcity_shadow_line_make(dx_m, dy_m, rise_m);
        log_lengths[i] = 0.5f * rcity_lane_log10(square_m2 > least_m2 ? square_m2 : least_m2);
    }
}

/* 0 where there is no path. */
RCITY_WIDE static void take_logarithms(size_t count, const rcity_shadow_roof *roofs, float *log_lengths)
{
    for (size_t i = 0; i < count; i++) {
        float length_m = roofs[i].turns.length_m;
        log_lengths[i] = rcity_lane_log10(length_m > 0.0f ? length_m : 1.0f);
    }
}

void rcity_shadow_arrays_set_lines(rcity_shadow_arrays *arrays, float unit_m, rcity_grid_point3 source, size_t first,
                                   size_t count, const rcity_grid_point3 *places)
{
    make_lines(count, places, source, unit_m, arrays->lines + first, arrays->log_lengths + first);
    if (arrays->roofs != NULL) {
        take_logarithms(count, arrays->roofs + first, arrays->roof_log_lengths + first);
    }
}

rcity_shadow_paths rcity_shadow_arrays_paths(const rcity_shadow_arrays *arrays, const rcity_surroundings_node *here)
{
    return (rcity_shadow_paths){
        .count = arrays->count,
        .states = arrays->states,
        .log_lengths = arrays->log_lengths,
        .lines = arrays->lines,
        .corner_paths = &arrays->corner_paths,
        .roofs = arrays->roofs,
        .roof_log_lengths = arrays->roof_log_lengths,
        .walls = arrays->walls,
        .source = arrays->source,
        .here = here,
        .built_m = arrays->built_m,
        .hill_root_m = arrays->hill_root_m,
        .hill_slope = arrays->hill_slope,
        .reaches_indoor = arrays->reaches_indoor,
    };
}
