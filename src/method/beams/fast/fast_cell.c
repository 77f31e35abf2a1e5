/* Shares of the same group lie in one bucket, each with the one before it. */
#include "method/beams/fast/fast_cell.h"

#include <string.h>

#define BUCKETS_MIN 64

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
static void add_share(const rcity_beam_record *records, size_t bucket_count, int32_t number, rcity_fast_groups *groups,
                      rcity_beam_sum *sum)
{
    rcity_fast_share *share = &groups->shares[number];
    int32_t *last = &groups->last[bucket_of(share->code, bucket_count)];
    share->before = *last;
    *last = number;
    for (int32_t other = share->before; other >= 0; other = groups->shares[other].before) {
        const rcity_fast_share *earlier = &groups->shares[other];
        if (earlier->code == share->code && earlier->record != share->record) {
            rcity_beam_sum_add_pair(sum, &records[share->record], &records[earlier->record],
                                    share->part * earlier->part);
        }
    }
}

rcity_status rcity_fast_cell_sum(rcity_context *context, const rcity_beam_sum_job *job, const rcity_beam_beside *beside,
                                 const rcity_beam_record *records, rcity_i64 first, rcity_i64 end,
                                 rcity_fast_groups *groups, rcity_beam_sum *sum)
{
    const rcity_beam_record *own = records + first;
    size_t count = (size_t)(end - first);
    size_t bucket_count;
    int32_t share_count = 0;
    *sum = rcity_beam_sum_begin(records, first, end);
    RCITY_TRY(make_room(context, count, &bucket_count, groups)); /* small where there are no paths */
    for (size_t i = 0; i < count; i++) {
        float power = rcity_beam_power(&own[i]);
        rcity_beam_sum_add_self(job, beside, &own[i], power, sum);
        if (!rcity_beam_is_grouped(job, sum, power)) {
            continue;
        }
        for (int k = 0; k < RCITY_BEAM_RAYS; k++) {
            if (own[i].share[k] >= RCITY_BEAM_SHARE_MIN && !rcity_beam_is_direct_group(job, sum, own[i].code[k])) {
                groups->shares[share_count] =
                    (rcity_fast_share){own[i].code[k], (rcity_u32)i, -1, (float)own[i].share[k] / RCITY_BEAM_SHARE};
                add_share(own, bucket_count, share_count++, groups, sum);
            }
        }
    }
    rcity_beam_sum_end(job, beside, records, first, end, sum);
    return RCITY_OK;
}

void rcity_fast_groups_deinit(rcity_context *context, rcity_fast_groups *groups)
{
    rcity_release(context, groups->shares);
    rcity_release(context, groups->last);
    memset(groups, 0, sizeof *groups);
}
