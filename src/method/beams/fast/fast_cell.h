/* The sum of the paths to a cell on the host: pairs are found by the codes of their groups, not tried one by one. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_CELL_H
#define RCITY_METHOD_BEAMS_FAST_FAST_CELL_H

#include "base/base.h"
#include "kernel/beams/beam_sum.h"

/* A path's share in a group. */
typedef struct rcity_fast_share {
    rcity_u32 code;
    rcity_u32 record; /* of the cell */
    int32_t before;   /* an earlier share in the same bucket; -1 */
    float part;
} rcity_fast_share;

/* Working memory. Grows as needed, kept between cells; zeroed before the first. */
typedef struct rcity_fast_groups {
    rcity_fast_share *shares;
    size_t share_capacity;
    int32_t *last; /* share of each bucket; -1 */
    size_t bucket_capacity;
} rcity_fast_groups;

/* `rule` becomes that by which the paths were chosen. */
rcity_status rcity_fast_cell_sum(rcity_context *context, const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                 const rcity_beam_record *records, size_t count, rcity_fast_groups *groups,
                                 rcity_beam_rule *rule, rcity_beam_sum *sum);
void rcity_fast_groups_deinit(rcity_context *context, rcity_fast_groups *groups);

#endif
