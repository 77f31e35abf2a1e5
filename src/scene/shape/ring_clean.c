/* Cleaning rings: repeated points, spikes, touches, orientation, nesting. */
#include "scene/shape/ring_clean.h"

#include <stdlib.h>
#include <string.h>

#include "scene/shape/prism.h"

void rcity_ring_cleaner_init(rcity_context *context, rcity_ring_cleaner *cleaner)
{
    memset(cleaner, 0, sizeof *cleaner);
    cleaner->context = context;
}

void rcity_ring_cleaner_deinit(rcity_ring_cleaner *cleaner)
{
    rcity_context *context = cleaner->context;
    rcity_ring_pairs_deinit(context, &cleaner->pairs);
    rcity_outline_deinit(context, &cleaner->tidy);
    rcity_outline_deinit(context, &cleaner->simple);
    rcity_release(context, cleaner->ring);
    rcity_release(context, cleaner->sorted);
    rcity_release(context, cleaner->depth);
    memset(cleaner, 0, sizeof *cleaner);
}

/* Does the outline run back on itself at b, between a and c? */
static bool is_spike(rcity_grid_point a, rcity_grid_point b, rcity_grid_point c)
{
    int64_t dot = ((int64_t)b.x - a.x) * ((int64_t)c.x - b.x) + ((int64_t)b.y - a.y) * ((int64_t)c.y - b.y);
    return rcity_orient(a, b, c) == 0 && dot < 0;
}

size_t rcity_ring_tidy(rcity_outline_point *points, size_t count, int64_t *duplicate_count, int64_t *spike_count)
{
    size_t end = 0; /* points before it are kept; each new one may remove some of them */
    for (size_t i = 0; i < count; i++) {
        rcity_outline_point point = points[i];
        while (end >= 2 && is_spike(points[end - 2].at, points[end - 1].at, point.at)) {
            (*spike_count)++;
            end--;
        }
        if (end >= 1 && rcity_grid_point_equal(points[end - 1].at, point.at)) {
            (*duplicate_count)++;
            end--;
        }
        points[end++] = point;
    }
    size_t begin = 0; /* then at the ring's closing point */
    while (end - begin >= 2) {
        rcity_grid_point first = points[begin].at;
        rcity_grid_point last = points[end - 1].at;
        if (rcity_grid_point_equal(last, first)) {
            (*duplicate_count)++;
            end--;
        } else if (is_spike(points[end - 2].at, last, first)) {
            (*spike_count)++;
            end--;
        } else if (is_spike(last, first, points[begin + 1].at)) {
            (*spike_count)++;
            begin++;
        } else {
            break;
        }
    }
    memmove(points, points + begin, (end - begin) * sizeof *points);
    return end - begin;
}

/* Step 1: copy the rings without repeated points and spikes. The first ring must survive. `outline_count` is how many
   rings of `tidy` come from the outline: one or none. */
static rcity_status tidy_rings(rcity_ring_cleaner *cleaner, const rcity_outline *rings, size_t *outline_count)
{
    rcity_outline_clear(&cleaner->tidy);
    *outline_count = 0;
    for (size_t ring = 0; ring < rings->ring_count; ring++) {
        const rcity_outline_point *points = rings->points + rings->ring_first[ring];
        size_t count = (size_t)(rings->ring_first[ring + 1] - rings->ring_first[ring]);
        RCITY_TRY(rcity_reserve(cleaner->context, count, sizeof *cleaner->ring, &cleaner->ring_capacity, "outlines",
                                &cleaner->ring));
        memcpy(cleaner->ring, points, count * sizeof *points);
        count = rcity_ring_tidy(cleaner->ring, count, &cleaner->repair_count[RCITY_REPAIR_DUPLICATE_POINTS],
                                &cleaner->repair_count[RCITY_REPAIR_SPIKES]);
        /* an outline whose areas cancel is kept: it crosses itself, which the next step reports */
        if (count < 3 || (ring > 0 && rcity_ring_area2(cleaner->ring, count) == 0)) {
            cleaner->repair_count[RCITY_REPAIR_SLIVERS] += ring > 0;
            continue;
        }
        RCITY_TRY(rcity_outline_add_ring(cleaner->context, &cleaner->tidy, cleaner->ring, count));
        *outline_count += ring == 0;
    }
    return RCITY_OK;
}

rcity_status rcity_ring_weave(rcity_ring_cleaner *cleaner, const rcity_outline *rings, size_t ring,
                              const rcity_grid_point *moved, const rcity_ring_pairs *inserts, bool takes_inserts,
                              size_t *next_insert, size_t *count)
{
    size_t made = 0;
    for (int32_t point = rings->ring_first[ring]; point < rings->ring_first[ring + 1]; point++) {
        size_t insert_end = *next_insert;
        while (insert_end < inserts->insert_count && inserts->inserts[insert_end].edge == point) {
            insert_end++;
        }
        RCITY_TRY(rcity_reserve(cleaner->context, made + 1 + (insert_end - *next_insert), sizeof *cleaner->ring,
                                &cleaner->ring_capacity, "outlines", &cleaner->ring));
        rcity_outline_point corner = rings->points[point];
        corner.at = moved != NULL ? moved[point] : corner.at;
        cleaner->ring[made++] = corner;
        for (; *next_insert < insert_end; (*next_insert)++) {
            if (takes_inserts) {
                rcity_outline_point inserted = {inserts->inserts[*next_insert].at, corner.wall};
                cleaner->ring[made++] = inserted;
            }
        }
    }
    *count = made;
    return RCITY_OK;
}

static rcity_status add_loop(rcity_ring_cleaner *cleaner, const rcity_outline_point *points, size_t count)
{
    if (count < 3 || rcity_ring_area2(points, count) == 0) {
        cleaner->repair_count[RCITY_REPAIR_SLIVERS]++;
        return RCITY_OK;
    }
    return rcity_outline_add_ring(cleaner->context, &cleaner->simple, points, count);
}

static int compare_points(const void *left, const void *right)
{
    const rcity_grid_point *a = left;
    const rcity_grid_point *b = right;
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    return (a->y > b->y) - (a->y < b->y);
}

static rcity_status has_repeated_point(rcity_ring_cleaner *cleaner, const rcity_outline_point *points, size_t count,
                                       bool *is_repeated)
{
    RCITY_TRY(rcity_reserve(cleaner->context, count, sizeof *cleaner->sorted, &cleaner->sorted_capacity, "outlines",
                            &cleaner->sorted));
    for (size_t i = 0; i < count; i++) {
        cleaner->sorted[i] = points[i].at;
    }
    qsort(cleaner->sorted, count, sizeof *cleaner->sorted, compare_points);
    *is_repeated = false;
    for (size_t i = 1; i < count; i++) {
        *is_repeated = *is_repeated || rcity_grid_point_equal(cleaner->sorted[i - 1], cleaner->sorted[i]);
    }
    return RCITY_OK;
}

/* Step 3: cut the ring in cleaner->ring wherever it returns to a point it has visited. The part of the array before
   `kept` serves as the stack of points not yet cut off. */
static rcity_status split_ring(rcity_ring_cleaner *cleaner, size_t count)
{
    bool is_repeated;
    RCITY_TRY(has_repeated_point(cleaner, cleaner->ring, count, &is_repeated));
    if (!is_repeated) {
        return add_loop(cleaner, cleaner->ring, count);
    }
    rcity_outline_point *stack = cleaner->ring;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        rcity_outline_point point = cleaner->ring[i];
        size_t seen = kept;
        for (size_t k = 0; k < kept; k++) {
            if (rcity_grid_point_equal(stack[k].at, point.at)) {
                seen = k;
                break;
            }
        }
        if (seen < kept) {
            RCITY_TRY(add_loop(cleaner, stack + seen, kept - seen));
            kept = seen;
        }
        stack[kept++] = point;
    }
    cleaner->repair_count[RCITY_REPAIR_SPLIT_RINGS]++;
    return add_loop(cleaner, stack, kept);
}

/* Where the middle of the wall from `a` to `b` lies relative to a ring; coordinates are doubled to have it on the
   grid. */
static rcity_place locate_middle(const rcity_outline *rings, size_t ring, rcity_grid_point a, rcity_grid_point b)
{
    const rcity_grid_point at = {a.x + b.x, a.y + b.y};
    bool is_inside = false;
    int32_t end = rings->ring_first[ring + 1];
    rcity_grid_point p = {2 * rings->points[end - 1].at.x, 2 * rings->points[end - 1].at.y};
    for (int32_t point = rings->ring_first[ring]; point < end; point++) {
        rcity_grid_point q = {2 * rings->points[point].at.x, 2 * rings->points[point].at.y};
        if (rcity_grid_point_equal(q, at) || (rcity_orient(p, q, at) == 0 && rcity_strictly_between(p, q, at))) {
            return RCITY_PLACE_ON_WALL;
        }
        if (rcity_edge_crosses_level(p, q, at.y) && rcity_edge_is_west(p, q, at)) {
            is_inside = !is_inside;
        }
        p = q;
    }
    return is_inside ? RCITY_PLACE_INSIDE : RCITY_PLACE_OUTSIDE;
}

/* Does ring `outer` contain ring `inner`? Their walls do not cross and touch in common corners only, so each wall of
   `inner` is wholly inside, outside or on `outer`, and the first one off it decides. When a crossing is wanted, all
   walls are tested: rings can cross in a common corner, and then their walls disagree. Rings that have all walls in
   common are not nested. */
static bool lies_around(const rcity_outline *rings, size_t outer, size_t inner, rcity_ring_defect *crossing)
{
    rcity_place side = RCITY_PLACE_ON_WALL;
    for (int32_t point = rings->ring_first[inner]; point < rings->ring_first[inner + 1]; point++) {
        rcity_grid_point a = rings->points[point].at;
        rcity_grid_point b = rings->points[rcity_ring_next(rings->ring_first, (int32_t)inner, point)].at;
        rcity_place place = locate_middle(rings, outer, a, b);
        if (place == RCITY_PLACE_ON_WALL) {
            continue;
        }
        if (side != RCITY_PLACE_ON_WALL && place != side) {
            crossing->fault = RCITY_RING_CROSSES;
            crossing->at = a;
            break;
        }
        side = place;
        if (crossing == NULL) {
            break;
        }
    }
    return side == RCITY_PLACE_INSIDE;
}

/* Append one simple ring, oriented counter-clockwise (outline) or clockwise (hole). */
static rcity_status add_turned(rcity_ring_cleaner *cleaner, size_t ring, bool is_outline, rcity_outline *cleaned)
{
    const rcity_outline *simple = &cleaner->simple;
    const rcity_outline_point *points = simple->points + simple->ring_first[ring];
    size_t count = (size_t)(simple->ring_first[ring + 1] - simple->ring_first[ring]);
    if ((rcity_ring_area2(points, count) > 0) == is_outline) {
        return rcity_outline_add_ring(cleaner->context, cleaned, points, count);
    }
    cleaner->repair_count[RCITY_REPAIR_REVERSED_RINGS]++;
    RCITY_TRY(rcity_reserve(cleaner->context, count, sizeof *cleaner->ring, &cleaner->ring_capacity, "outlines",
                            &cleaner->ring));
    for (size_t i = 0; i < count; i++) {
        cleaner->ring[i].at = points[count - 1 - i].at;
        cleaner->ring[i].wall =
            points[i + 1 < count ? count - 2 - i : count - 1].wall; /* a wall starts at its other end */
    }
    return rcity_outline_add_ring(cleaner->context, cleaned, cleaner->ring, count);
}

/* Step 4: outlines lie inside an even number of rings, holes inside an odd one. A ring from a hole that is an outline
   by that count lies outside its building. */
static rcity_status nest_rings(rcity_ring_cleaner *cleaner, size_t outline_count, rcity_outline *cleaned,
                               rcity_ring_defect *defect)
{
    const rcity_outline *simple = &cleaner->simple;
    size_t ring_count_before = cleaned->ring_count;
    bool is_touching;
    RCITY_TRY(has_repeated_point(cleaner, simple->points, simple->point_count, &is_touching));
    RCITY_TRY(rcity_reserve(cleaner->context, simple->ring_count, sizeof *cleaner->depth, &cleaner->depth_capacity,
                            "outlines", &cleaner->depth));
    for (size_t ring = 0; ring < simple->ring_count; ring++) {
        cleaner->depth[ring] = 0;
        for (size_t other = 0; other < simple->ring_count; other++) {
            cleaner->depth[ring] += other != ring && lies_around(simple, other, ring, is_touching ? defect : NULL);
        }
    }
    if (defect->fault != RCITY_RING_SOUND) {
        return RCITY_OK;
    }
    for (size_t ring = 0; ring < simple->ring_count; ring++) {
        if (cleaner->depth[ring] % 2 != 0) {
            continue;
        }
        if (ring >= outline_count) {
            cleaner->repair_count[RCITY_REPAIR_STRAY_HOLES]++;
            continue;
        }
        RCITY_TRY(add_turned(cleaner, ring, true, cleaned));
        for (size_t hole = 0; hole < simple->ring_count; hole++) {
            if (cleaner->depth[hole] == cleaner->depth[ring] + 1 && lies_around(simple, ring, hole, NULL)) {
                RCITY_TRY(add_turned(cleaner, hole, false, cleaned));
            }
        }
    }
    if (cleaned->ring_count == ring_count_before) {
        defect->fault = RCITY_RING_NO_AREA; /* a hole contains the outline */
    }
    return RCITY_OK;
}

rcity_status rcity_ring_clean(rcity_ring_cleaner *cleaner, const rcity_outline *rings, rcity_outline *cleaned,
                              rcity_ring_defect *defect)
{
    defect->fault = RCITY_RING_SOUND;
    defect->at = rings->points[0].at;
    size_t tidy_outline_count;
    RCITY_TRY(tidy_rings(cleaner, rings, &tidy_outline_count));
    if (tidy_outline_count == 0) {
        defect->fault = RCITY_RING_NO_AREA;
        return RCITY_OK;
    }
    RCITY_TRY(rcity_ring_pairs_find(cleaner->context, &cleaner->tidy, &cleaner->pairs));
    if (cleaner->pairs.has_crossing) {
        defect->fault = RCITY_RING_CROSSES;
        defect->at = cleaner->pairs.crossing_at;
        return RCITY_OK;
    }
    rcity_outline_clear(&cleaner->simple);
    size_t next_insert = 0;
    size_t outline_count = 0;
    for (size_t ring = 0; ring < cleaner->tidy.ring_count; ring++) {
        size_t count = 0;
        /* step 2: insert corners that lie on edges of the ring */
        RCITY_TRY(rcity_ring_weave(cleaner, &cleaner->tidy, ring, NULL, &cleaner->pairs, true, &next_insert, &count));
        RCITY_TRY(split_ring(cleaner, count));
        if (ring == 0) {
            outline_count = cleaner->simple.ring_count;
        }
    }
    if (outline_count == 0) {
        defect->fault = RCITY_RING_NO_AREA;
        return RCITY_OK;
    }
    return nest_rings(cleaner, outline_count, cleaned, defect);
}

rcity_status rcity_rings_are_simple(rcity_ring_cleaner *cleaner, const rcity_outline *rings, bool *is_simple)
{
    *is_simple = false;
    for (size_t ring = 0; ring < rings->ring_count; ring++) {
        const rcity_outline_point *points = rings->points + rings->ring_first[ring];
        size_t count = (size_t)(rings->ring_first[ring + 1] - rings->ring_first[ring]);
        bool is_repeated;
        RCITY_TRY(has_repeated_point(cleaner, points, count, &is_repeated));
        if (count < 3 || rcity_ring_area2(points, count) == 0 || is_repeated) {
            return RCITY_OK;
        }
    }
    RCITY_TRY(rcity_ring_pairs_find(cleaner->context, rings, &cleaner->pairs));
    *is_simple = !cleaner->pairs.has_crossing && cleaner->pairs.insert_count == 0;
    return RCITY_OK;
}
