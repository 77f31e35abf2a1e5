/* Counting the work of walks: the same steps that rcity_sight_test() takes on short lines. */
#include "visibility/sight/sight_data.h"

rcity_sight_effort rcity_sight_count_effort(const rcity_sight *sight, const rcity_sight_segment *segments,
                                            int64_t count)
{
    const rcity_sight_view *view = &sight->view;
    int64_t probed_count = 0;
    int64_t cell_count = 0;
    int64_t wall_count = 0;
    for (int64_t i = 0; i < count; i++) {
        rcity_sight_line line = rcity_sight_line_make(segments[i]);
        if (rcity_sight_probes_block(view, &line)) {
            probed_count++;
            continue;
        }
        rcity_sight_steps walk = rcity_sight_walk_begin(view, &line);
        rcity_sight_answer answer = RCITY_SIGHT_FREE;
        int64_t whole = (int64_t)walk.left + 1;
        int32_t cell = rcity_sight_walk_on(view, &walk);
        while (cell >= 0 && answer == RCITY_SIGHT_FREE) {
            wall_count += view->lists[rcity_sight_list(view, (uint32_t)cell)] / RCITY_SIGHT_REFERENCE_COUNT;
            answer = rcity_sight_walk_cell(view, &line, &walk, cell);
            cell = answer == RCITY_SIGHT_FREE ? rcity_sight_walk_on(view, &walk) : -1;
        }
        cell_count += whole - (walk.left + 1);
    }
    double each = count > 0 ? 1.0 / (double)count : 0.0;
    rcity_sight_effort effort = {(double)probed_count * each, (double)cell_count * each, (double)wall_count * each};
    return effort;
}
