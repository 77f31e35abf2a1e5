/* The lines from the middle of a square to all of its cells as bundles, and as plain loops, for the benchmark `lines`. */
#ifndef RCITY_BENCH_LINE_BUNDLES_H
#define RCITY_BENCH_LINE_BUNDLES_H

#include "base/base.h"
#include "kernel/cubes/line_sums.h"

/* All bundles of a square that reaches so far from its source, at most RCITY_LINE_BUNDLE_STEPS. Neighbours in the list have
   neighbouring slopes and about the same length. Released by the caller. */
rcity_status rcity_line_bundles_make(rcity_context *context, int32_t reach, rcity_line_bundle **bundles,
                                     int64_t *bundle_count);

/* The yardstick and the check, cube by cube along rcity_cube_line: the lines of one source to a row of its square.
   With supercubes (edge below the reach) a line starts with the sums of the cell before its supercube: rows in any order
   do then not do, so rcity_line_plain_ring() does the cells of a ring. `view` has rows of one source only. */
void rcity_line_plain_row(rcity_line_job job, rcity_line_view view, int32_t source, int32_t row);
void rcity_line_plain_ring(rcity_line_job job, rcity_line_view view, int32_t source, int32_t ring);

#endif
