#include "bench/line_bundles.h"

#include <string.h>

/* The targets of one octant, by bands, in each band the furthest first. */
typedef struct octant_targets {
    uint32_t *target;
    int64_t first[RCITY_LINE_BANDS + 1];
} octant_targets;

static int32_t band_of(int32_t along, int32_t across)
{
    int32_t band = across * RCITY_LINE_BANDS / along;
    return band < RCITY_LINE_BANDS ? band : RCITY_LINE_BANDS - 1; /* the diagonal */
}

/* Count the targets of each band, or put them in order when `next` has the place of each band's next one. */
static void visit_targets(int32_t reach, int32_t octant, int64_t *next, uint32_t *target)
{
    rcity_line_job job = {.reach = reach};
    bool goes_down = (octant & RCITY_OCTANT_ACROSS_DOWN) != 0;
    for (int32_t along = reach; along >= 1; along--) {
        for (int32_t across = goes_down; across <= along; across++) {
            if (rcity_line_is_in_square(job, octant, along, goes_down ? -across : across)) {
                int64_t place = next[band_of(along, across)]++;
                if (target != NULL) {
                    target[place] = (uint32_t)along + ((uint32_t)across << 16);
                }
            }
        }
    }
}

static rcity_line_bundle bundle_of(int32_t octant, int32_t band, const uint32_t *target, int64_t count)
{
    rcity_line_bundle bundle;
    memset(&bundle, 0, sizeof bundle);
    bundle.octant = octant;
    bundle.band = band;
    for (int64_t i = 0; i < count && i < RCITY_LINE_BUNDLE; i++) {
        int32_t along = (int32_t)(target[i] & 0xffff);
        int64_t beyond = (int64_t)(target[i] >> 16) * RCITY_LINE_BANDS - (int64_t)band * along;
        bundle.target[i] = target[i];
        bundle.slope[i] = (float)((beyond * 65536 + along - 1) / along) * 0x1p-24f;
        bundle.length[i] = (float)along;
        bundle.common = along;
        bundle.longest = i == 0 ? along : bundle.longest;
    }
    return bundle;
}

static int64_t add_bundles(int32_t octant, const octant_targets *targets, rcity_line_bundle *bundles)
{
    int64_t bundle_count = 0;
    bool has_more = true;
    for (int64_t done = 0; has_more; done += RCITY_LINE_BUNDLE) {
        has_more = false;
        for (int32_t band = 0; band < RCITY_LINE_BANDS; band++) {
            int64_t first = targets->first[band] + done;
            int64_t left = targets->first[band + 1] - first;
            if (left > 0) {
                bundles[bundle_count++] = bundle_of(octant, band, targets->target + first, left);
                has_more = true;
            }
        }
    }
    return bundle_count;
}

rcity_status rcity_line_bundles_make(rcity_context *context, int32_t reach, rcity_line_bundle **bundles,
                                     int64_t *bundle_count)
{
    RCITY_CHECK(context, reach >= 1 && reach <= RCITY_LINE_BUNDLE_STEPS, RCITY_ERR_ARGUMENT,
                "lines of %d steps in bundles, must have 1 to %d", reach, RCITY_LINE_BUNDLE_STEPS);
    rcity_line_bundle *made = NULL;
    octant_targets targets = {NULL, {0}};
    rcity_status status;
    int64_t count = 0;
    size_t target_max = (size_t)reach * (size_t)(reach + 1);
    size_t bundle_max = 8 * (target_max / RCITY_LINE_BUNDLE + RCITY_LINE_BANDS);
    RCITY_TRY_DONE(rcity_alloc(context, target_max, sizeof *targets.target, "targets of lines", &targets.target));
    RCITY_TRY_DONE(rcity_alloc(context, bundle_max, sizeof *made, "bundles of lines", &made));
    for (int32_t octant = 0; octant < 8; octant++) {
        int64_t next[RCITY_LINE_BANDS];
        memset(next, 0, sizeof next);
        visit_targets(reach, octant, next, NULL);
        targets.first[0] = 0;
        for (int32_t band = 0; band < RCITY_LINE_BANDS; band++) {
            targets.first[band + 1] = targets.first[band] + next[band];
            next[band] = targets.first[band];
        }
        visit_targets(reach, octant, next, targets.target);
        count += add_bundles(octant, &targets, made + count);
    }
    *bundles = made;
    *bundle_count = count;
    made = NULL;
done:
    rcity_release(context, made);
    rcity_release(context, targets.target);
    return status;
}

/* A line of a plane, its columns and rows counted from the source's. */
static void walk_plainly(rcity_line_job job, rcity_line_view view, int32_t source, int32_t column, int32_t row)
{
    rcity_cube from = {0, 0, 0};
    rcity_cube to = {column, row, 0};
    int32_t side = 2 * job.reach;
    int32_t length = rcity_cube_distance(from, to);
    int32_t begin = length > 0 ? (length - 1) / job.edge * job.edge : 0;
    rcity_cube_line line = rcity_cube_line_start(from, to, begin);
    rcity_float4 sum = rcity_float4_make(0.0f, 0.0f, 0.0f, 0.0f);
    float count = 0.0f;
    if (begin > 0) {
        int32_t before = (line.y.place + job.reach) * side + line.x.place + job.reach;
        sum = view.sums[before];
        count = view.counts[before];
    }
    while (line.step < length) {
        rcity_cube_line_next(&line);
        int32_t index =
            (view.sources[2 * source + 1] + line.y.place) * job.side + view.sources[2 * source] + line.x.place;
        sum += view.values[index];
        count += view.filled[index];
    }
    int32_t result = (row + job.reach) * side + column + job.reach;
    view.sums[result] = sum;
    view.counts[result] = count;
}

void rcity_line_plain_row(rcity_line_job job, rcity_line_view view, int32_t source, int32_t row)
{
    for (int32_t column = -job.reach; column < job.reach; column++) {
        walk_plainly(job, view, source, column, row);
    }
}

void rcity_line_plain_ring(rcity_line_job job, rcity_line_view view, int32_t source, int32_t ring)
{
    for (int32_t row = -job.reach; row < job.reach; row++) {
        for (int32_t column = -job.reach; column < job.reach; column++) {
            int32_t length = rcity_cube_distance((rcity_cube){0, 0, 0}, (rcity_cube){column, row, 0});
            if (length > ring * job.edge && length <= (ring + 1) * job.edge) {
                walk_plainly(job, view, source, column, row);
            }
        }
    }
}
