/* Shares of the same group lie in one bucket, each with the one before it. */
#include "method/beams/fast/fast_cell.h"

#include <string.h>

#define BUCKETS_MIN 64

/* One cell. */
typedef struct cell_sum {
    const rcity_beam_record *records;
    size_t count;
    const rcity_beam_rule *rule;
    rcity_beam_extent extent;
} cell_sum;

/* The bucket of a code; the codes' upper bits are mixed best. */
static size_t bucket_of(rcity_u32 code, size_t bucket_count)
{
    const int half = 16;
    return (code ^ (code >> half)) & (bucket_count - 1);
}

static rcity_status make_room(rcity_context *context, size_t record_count, size_t *bucket_count,
                              rcity_fast_groups *groups)
{
    size_t share_count = record_count * RCITY_BEAM_RAYS;
    *bucket_count = BUCKETS_MIN;
    while (*bucket_count < 2 * record_count) {
        *bucket_count *= 2;
    }
    RCITY_TRY(rcity_reserve(context, share_count + 1, sizeof *groups->shares, &groups->share_capacity,
                            "groups of paths", &groups->shares));
    RCITY_TRY(rcity_reserve(context, *bucket_count, sizeof *groups->last, &groups->bucket_capacity, "groups of paths",
                            &groups->last));
    memset(groups->last, 0xff, *bucket_count * sizeof *groups->last);
    return RCITY_OK;
}

/* Each share with all earlier ones of its group. */
static void add_share(const cell_sum *cell, size_t bucket_count, int32_t number, rcity_fast_groups *groups,
                      rcity_beam_totals *totals)
{
    rcity_fast_share *share = &groups->shares[number];
    int32_t *last = &groups->last[bucket_of(share->code, bucket_count)];
    share->before = *last;
    *last = number;
    for (int32_t other = share->before; other >= 0; other = groups->shares[other].before) {
        const rcity_fast_share *earlier = &groups->shares[other];
        if (earlier->code == share->code && earlier->record != share->record) {
            rcity_beam_totals_add_pair(cell->rule, &cell->extent, &cell->records[share->record],
                                       &cell->records[earlier->record], share->part * earlier->part, totals);
        }
    }
}

/* All pairs of paths that share a group. */
static rcity_status add_pairs(rcity_context *context, const rcity_beam_sum_job *job, const cell_sum *cell,
                              rcity_fast_groups *groups, rcity_beam_totals *totals)
{
    size_t bucket_count;
    int32_t share_count = 0;
    RCITY_TRY(make_room(context, cell->count, &bucket_count, groups));
    for (size_t i = 0; i < cell->count; i++) {
        const rcity_beam_record *record = &cell->records[i];
        float power = rcity_beam_power(record);
        if (power < cell->rule->floor || !rcity_beam_is_grouped(job, cell->rule, power)) {
            continue;
        }
        for (int k = 0; k < RCITY_BEAM_RAYS; k++) {
            if (record->share[k] >= RCITY_BEAM_SHARE_MIN &&
                !rcity_beam_is_direct_group(job, cell->rule, record->code[k])) {
                groups->shares[share_count] =
                    (rcity_fast_share){record->code[k], (rcity_u32)i, -1, (float)record->share[k] / RCITY_BEAM_SHARE};
                add_share(cell, bucket_count, share_count++, groups, totals);
            }
        }
    }
    return RCITY_OK;
}

/* Which paths count, and what is greatest among them. */
static void measure(const rcity_beam_sum_job *job, const rcity_beam_beside *beside, rcity_beam_rule *rule,
                    cell_sum *cell)
{
    float strongest = 0.0f;
    rcity_i32 has_direct = 0;
    for (size_t i = 0; i < cell->count; i++) {
        float power = rcity_beam_power(&cell->records[i]);
        strongest = power > strongest ? power : strongest;
        has_direct = has_direct || cell->records[i].kind == RCITY_BEAM_DIRECT;
    }
    *rule = rcity_beam_rule_make(job, beside, strongest, has_direct);
    cell->rule = rule;
    cell->extent = rcity_beam_extent_begin(job, beside, rule);
    for (size_t i = 0; i < cell->count; i++) {
        if (rcity_beam_counts(rule, &cell->records[i])) {
            rcity_beam_extent_add(job, beside, rule, &cell->records[i], &cell->extent);
        }
    }
}

rcity_status rcity_fast_cell_sum(rcity_context *context, const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                 const rcity_beam_record *records, size_t count, rcity_fast_groups *groups,
                                 rcity_beam_rule *rule, rcity_beam_sum *sum)
{
    cell_sum cell = {records, count, NULL, {0.0f, 0.0f, 0.0f, 0.0f}};
    rcity_beam_totals totals;
    measure(job, beside, rule, &cell);
    rcity_beam_totals_begin(job, beside, rule, &cell.extent, &totals);
    for (size_t i = 0; i < count; i++) {
        if (rcity_beam_counts(rule, &records[i])) {
            rcity_beam_totals_add(job, beside, rule, &cell.extent, &records[i], &totals);
        }
    }
    if (count > 1 && !job->adds_powers) {
        RCITY_TRY(add_pairs(context, job, &cell, groups, &totals));
    }
    float mean_place = rcity_beam_mean_place(&totals);
    rcity_beam_tail tail = rcity_beam_tail_begin(job, beside, rule, &cell.extent, mean_place);
    for (size_t i = 0; i < count; i++) {
        if (rcity_beam_counts(rule, &records[i])) {
            rcity_beam_tail_put(job, &cell.extent, mean_place, rcity_beam_weight(job, beside, rule, &records[i]),
                                records[i].length_m, &tail);
        }
    }
    *sum = rcity_beam_sum_close(job, beside, rule, &cell.extent, &totals, &tail);
    return RCITY_OK;
}

void rcity_fast_groups_deinit(rcity_context *context, rcity_fast_groups *groups)
{
    rcity_release(context, groups->shares);
    rcity_release(context, groups->last);
    memset(groups, 0, sizeof *groups);
}
