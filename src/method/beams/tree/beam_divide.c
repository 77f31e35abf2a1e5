/* A span of a beam, which one wall ends, is cut where lower walls begin and end before it. */
#include "method/beams/tree/beam_divide.h"

#include <stdlib.h>

#include "method/beams/tree/beam_across.h"

/* A wall between two directions, met after the first `passed_count` of some lower walls. */
static rcity_status add_hit(rcity_context *context, const rcity_beam_sighting *seen, double right, double left,
                            int32_t passed_first, int32_t passed_count, rcity_beam_sight *sight)
{
    RCITY_TRY(rcity_reserve(context, sight->hit_count + 1, sizeof *sight->hits, &sight->hit_capacity,
                            "the walls that a beam meets", &sight->hits));
    sight->hits[sight->hit_count++] =
        (rcity_beam_hit){right,
                         left,
                         seen->wall,
                         passed_first,
                         passed_count,
                         rcity_beam_is_same(right, seen->right) ? seen->right_end : (int8_t)-1,
                         rcity_beam_is_same(left, seen->left) ? seen->left_end : (int8_t)-1};
    return RCITY_OK;
}

/* A part of the beam with the lower walls of `order`, and the hit at its end. */
static rcity_status add_part(rcity_context *context, const rcity_beam_span *span, double right, double left,
                             int32_t low_count, rcity_beam_sight *sight)
{
    int32_t first = (int32_t)sight->passed_count;
    RCITY_TRY(rcity_reserve(context, sight->part_count + 1, sizeof *sight->parts, &sight->part_capacity,
                            "the parts of a beam", &sight->parts));
    RCITY_TRY(rcity_reserve(context, sight->passed_count + (size_t)low_count, sizeof *sight->passed,
                            &sight->passed_capacity, "the walls that a beam passes", &sight->passed));
    for (int32_t i = 0; i < low_count; i++) {
        sight->passed[sight->passed_count++] = sight->low[sight->order[i]].wall;
    }
    int32_t wall = span->sighting < 0 ? -1 : sight->sightings[span->sighting].wall;
    sight->parts[sight->part_count++] = (rcity_beam_part){right, left, wall, first, low_count};
    if (wall < 0) {
        return RCITY_OK;
    }
    return add_hit(context, &sight->sightings[span->sighting], right, left, first, low_count, sight);
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The part of a lower wall in a span and in front of it. */
static bool lies_before(const rcity_beam_sight *sight, const rcity_beam_span *span, const rcity_beam_sighting *low,
                        double *right, double *left)
{
    *right = low->right > span->right ? low->right : span->right;
    *left = low->left < span->left ? low->left : span->left;
    double at = rcity_beam_middle(*right, *left);
    return *left - *right > RCITY_BEAM_ACROSS_MIN &&
           rcity_beam_line_at(low->line, at) > rcity_beam_span_nearness(sight, span, at);
}

/* Does a wall, seen from an eye, hide one behind it between two directions? The line of sight over its top passes the
   other top there if it does at both ends. */
static bool hides(const rcity_beams_world *world, const rcity_beam_sighting *near, const rcity_beam_sighting *far,
                  double eye_m, double right, double left)
{
    double near_rise = world->facets->mirrors[near->wall].top - eye_m;
    double far_rise = world->facets->mirrors[far->wall].top - eye_m;
    return near_rise * rcity_beam_line_at(near->line, right) >= far_rise * rcity_beam_line_at(far->line, right) &&
           near_rise * rcity_beam_line_at(near->line, left) >= far_rise * rcity_beam_line_at(far->line, left);
}

/* The lower walls between two directions, nearest first, into `order`. Those below the line from the eye over an earlier one
   are left out: rays that pass that one pass them too, and so do rays that start lower. */
static int32_t order_low(const rcity_beams_world *world, const rcity_beam_span *span, const rcity_beam_limits *limits,
                         double right, double left, rcity_beam_sight *sight)
{
    double at = rcity_beam_middle(right, left);
    int32_t count = 0;
    for (size_t i = 0; i < sight->low_count; i++) {
        const rcity_beam_sighting *low = &sight->low[i];
        double nearness = rcity_beam_line_at(low->line, at);
        if (low->right > at || low->left < at || nearness <= rcity_beam_span_nearness(sight, span, at)) {
            continue;
        }
        int32_t k = count++;
        for (; k > 0; k--) {
            const rcity_beam_sighting *before = &sight->low[sight->order[k - 1]];
            double other = rcity_beam_line_at(before->line, at);
            if (other > nearness || (other == nearness && before->wall < low->wall)) {
                break;
            }
            sight->order[k] = sight->order[k - 1];
        }
        sight->order[k] = (int32_t)i;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = 0;
        while (k < kept &&
               !hides(world, &sight->low[sight->order[k]], &sight->low[sight->order[i]], limits->eye_m, right, left)) {
            k++;
        }
        if (k == kept) {
            sight->order[kept++] = sight->order[i];
        }
    }
    return kept;
}

/* The hits of the lower walls of the last part. A hit of the part before goes on where it met the same walls. */
static rcity_status hit_low(rcity_context *context, double right, double left, int32_t low_count,
                            rcity_beam_sight *sight)
{
    const rcity_beam_part *part = &sight->parts[sight->part_count - 1];
    for (int32_t i = 0; i < low_count; i++) {
        int32_t index = sight->order[i];
        const rcity_beam_sighting *low = &sight->low[index];
        int32_t open = sight->open_hits[index];
        rcity_beam_hit *before = open >= 0 ? &sight->hits[open] : NULL;
        if (before != NULL && before->left == right && before->passed_count == i &&
            memcmp(sight->passed + before->passed_first, sight->passed + part->passed_first,
                   (size_t)i * sizeof *sight->passed) == 0) {
            before->left = left;
            before->left_end = rcity_beam_is_same(left, low->left) ? low->left_end : (int8_t)-1;
            continue;
        }
        sight->open_hits[index] = (int32_t)sight->hit_count;
        RCITY_TRY(add_hit(context, low, right, left, part->passed_first, i, sight));
    }
    return RCITY_OK;
}

/* Does the next part go on as the last one? */
static bool goes_on(const rcity_beam_sight *sight, size_t first_part, double right, int32_t low_count)
{
    if (sight->part_count == first_part) {
        return false;
    }
    const rcity_beam_part *last = &sight->parts[sight->part_count - 1];
    if (last->left != right || last->passed_count != low_count) {
        return false;
    }
    for (int32_t i = 0; i < low_count; i++) {
        if (sight->passed[last->passed_first + i] != sight->low[sight->order[i]].wall) {
            return false;
        }
    }
    return true;
}

/* Extend the last part, the hit at its end, and those of its lower walls. */
static void extend_part(const rcity_beam_span *span, double left, int32_t low_count, size_t end_hit,
                        rcity_beam_sight *sight)
{
    sight->parts[sight->part_count - 1].left = left;
    if (span->sighting >= 0) {
        const rcity_beam_sighting *seen = &sight->sightings[span->sighting];
        sight->hits[end_hit].left = left;
        sight->hits[end_hit].left_end = rcity_beam_is_same(left, seen->left) ? seen->left_end : (int8_t)-1;
    }
    for (int32_t i = 0; i < low_count; i++) {
        const rcity_beam_sighting *low = &sight->low[sight->order[i]];
        rcity_beam_hit *hit = &sight->hits[sight->open_hits[sight->order[i]]];
        hit->left = left;
        hit->left_end = rcity_beam_is_same(left, low->left) ? low->left_end : (int8_t)-1;
    }
}

rcity_status rcity_beam_divide(rcity_context *context, const rcity_beams_world *world, const rcity_beam_limits *limits,
                               const rcity_beam_span *span, rcity_beam_sight *sight)
{
    size_t end_count = 0;
    RCITY_TRY(rcity_reserve(context, 2 * sight->low_count + 2, sizeof *sight->ends, &sight->end_capacity,
                            "the parts of a beam", &sight->ends));
    for (size_t i = 0; i < sight->low_count; i++) {
        double right, left;
        if (lies_before(sight, span, &sight->low[i], &right, &left)) {
            sight->ends[end_count++] = right;
            sight->ends[end_count++] = left;
        }
    }
    sight->ends[end_count++] = span->right;
    sight->ends[end_count++] = span->left;
    qsort(sight->ends, end_count, sizeof *sight->ends, compare_numbers);
    size_t first_part = sight->part_count;
    size_t end_hit = 0;
    double right = span->right;
    for (size_t i = 1; i < end_count; i++) {
        double left = sight->ends[i];
        if (!(left - right > RCITY_BEAM_ACROSS_MIN) && i + 1 < end_count) {
            continue;
        }
        left = span->left - left > RCITY_BEAM_ACROSS_MIN ? left : span->left;
        int32_t count = order_low(world, span, limits, right, left, sight);
        if (goes_on(sight, first_part, right, count)) {
            extend_part(span, left, count, end_hit, sight);
        } else {
            end_hit = sight->hit_count;
            RCITY_TRY(add_part(context, span, right, left, count, sight));
            RCITY_TRY(hit_low(context, right, left, count, sight));
        }
        right = left;
        if (left == span->left) {
            break;
        }
    }
    return RCITY_OK;
}
