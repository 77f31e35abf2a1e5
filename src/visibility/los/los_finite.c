/* For each bin of directions, the range of distances that drawn shadows hide without a gap. It is rounded so that it is
   never too long: a bin counts when a chain of walls covers all of it; the range begins behind the farthest part of
   these walls in it and ends before the first of their shadows does. Pixels exactly behind a corner between two walls
   of a chain are not hidden but noted, here as everywhere. So all pixels of the range are decided, and shadows need not
   be drawn in it. */
#include "visibility/los/los_finite.h"

#include <math.h>

#include "visibility/los/los_bits.h"
#include "visibility/los/los_raster.h"

#define QUADRANT_BINS (RCITY_LOS_HALF_BINS / 2)
#define MARGIN        1e-4 /* in bins: more than the rounding of directions */
#define CLOSE         1e-6 /* relative, of distances: likewise */
#define ENDLESS       1e18

/* Where a direction lies between east and west, in bins. */
static double turn_of(int64_t u, int64_t v)
{
    double fu = (double)u;
    double fv = (double)v;
    if (v <= 0) {
        return u > 0 ? 0.0 : RCITY_LOS_HALF_BINS;
    }
    return u > 0 ? QUADRANT_BINS * fv / (fu + fv) : QUADRANT_BINS - QUADRANT_BINS * fu / (fv - fu);
}

/* The distance of the wall's line in a direction; beyond everything when it does not lie that way. */
static double distance_to(const rcity_los_shade *shade, double turn)
{
    double part = turn / QUADRANT_BINS;
    double u = 1.0 - part; /* a direction with |u| + v = 1 */
    double v = part < 1.0 ? part : 2.0 - part;
    double across = u * (double)(shade->bv - shade->av) - v * (double)(shade->bu - shade->au);
    double area = (double)shade->area;
    return across * 1e12 > area ? area / across : 1e12;
}

static double far_part(const rcity_los_shade *shade)
{
    return shade->far_den > 0 ? (double)shade->far_num / (double)shade->far_den : 1e12;
}

/* The directions of a wall in this half. */
static void find_arc(const rcity_los_shade *shade, double *low, double *high)
{
    *low = turn_of(shade->au, shade->av);
    *high = turn_of(shade->bu, shade->bv);
    *low = shade->av > 0 ? *low : 0.0;
    *high = shade->bv > 0 ? *high : RCITY_LOS_HALF_BINS;
}

/* The bins that a range of directions touches. */
static void find_bins(double low, double high, int32_t *first, int32_t *last)
{
    low -= MARGIN;
    high += MARGIN;
    *first = low <= 0.0 ? 0 : (int32_t)low;
    *last = high >= RCITY_LOS_HALF_BINS ? RCITY_LOS_HALF_BINS - 1 : (int32_t)high;
}

/* The distances of the wall's line and of its shadow's end in a part of a bin, at both sides of it: within the bin they
   lie between these. */
static void find_stretch(const rcity_los_shade *shade, double low, double high, int32_t bin, double *near, double *far)
{
    double at = bin - MARGIN > low ? bin - MARGIN : low;
    double at_end = bin + 1 + MARGIN < high ? bin + 1 + MARGIN : high;
    double one = distance_to(shade, at);
    double other = distance_to(shade, at_end);
    double least = one < other ? one : other;
    *near = (one < other ? other : one) * (1.0 + CLOSE) + 2.0;
    *far = least * far_part(shade) * (1.0 - CLOSE) - 2.0;
}

/* The largest distance of a wall: at an end, or at the border of the half where the end lies beyond it. */
static double furthest_end(const rcity_los_shade *shade, double low, double high)
{
    double a = shade->av > 0 ? fabs((double)shade->au) + (double)shade->av : distance_to(shade, low);
    double b = shade->bv > 0 ? fabs((double)shade->bu) + (double)shade->bv : distance_to(shade, high);
    return a > b ? a : b;
}

/* The distance up to which a wall's shadow must be drawn: to its end, or to where all its bins are hidden from there
   on. */
static double find_limit(const rcity_los_worker *worker, const rcity_los_shade *shade, double low, double high)
{
    int32_t first, last;
    double limit = 0.0;
    double end = furthest_end(shade, low, high) * far_part(shade) * (1.0 + CLOSE) + 2.0;
    find_bins(low, high, &first, &last);
    for (int32_t bin = first; bin <= last; bin++) {
        const rcity_los_reach *reach = &worker->reaches[bin];
        if (end > reach->to) {
            return 1e12;
        }
        double begin = reach->from < end ? reach->from : end;
        limit = begin > limit ? begin : limit;
    }
    return limit;
}

/* Draw the rows of a shadow, up to a limit. */
static void draw_shade(rcity_los_half *half, const rcity_los_shade *shade, double limit, int32_t first_row,
                       int32_t row_step, int32_t last_row)
{
    const rcity_los_plane *plane = half->plane;
    double near = (double)(shade->av < shade->bv ? shade->av : shade->bv);
    double far = (double)(shade->av > shade->bv ? shade->av : shade->bv);
    far = shade->far_den > 0 ? far * far_part(shade) + 1.0 : 1e12;
    far = limit < far ? limit : far;
    int32_t row = first_row;
    double skipped = (near - (double)rcity_los_row_v(half, row)) / half->pitch - 1.0;
    if (skipped > 0.0) {
        int32_t left = (last_row - first_row) * row_step;
        row = skipped < left ? first_row + row_step * (int32_t)skipped : last_row;
    }
    for (; row != last_row; row += row_step) {
        int64_t v = rcity_los_row_v(half, row);
        if ((double)v <= near) {
            continue;
        }
        if ((double)v > far) {
            break;
        }
        int32_t begin, end;
        rcity_los_shade_find(half, shade, v, row, &begin, &end);
        if (!shade->is_doubtful) {
            rcity_los_clear_bits(half->mask + (size_t)row * plane->row_words, begin, end);
        }
        for (int32_t column = begin; column < end && shade->is_doubtful; column++) {
            rcity_los_note_undecided(half, column, row);
        }
    }
}

/* The largest fraction v / (|u| + v) between two directions. */
static double steepest(double low, double high)
{
    if (low <= QUADRANT_BINS && high >= QUADRANT_BINS) {
        return 1.0;
    }
    return high < QUADRANT_BINS ? high / QUADRANT_BINS : 2.0 - low / QUADRANT_BINS;
}

/* A chain is drawn: its bins are hidden from its walls on. The range of each bin is first the one that its walls have
   in common. */
static void remember(rcity_los_worker *worker, const rcity_los_chain *chain)
{
    int32_t bin_first, bin_last;
    find_bins(chain->low, chain->high, &bin_first, &bin_last);
    for (int32_t bin = bin_first; bin <= bin_last; bin++) {
        worker->chain_reaches[bin] = (rcity_los_reach){0.0, 1e18};
    }
    for (int32_t i = chain->first; i < chain->end; i++) {
        const rcity_los_shade *shade = &worker->finite[i];
        double low, high;
        int32_t first, last;
        find_arc(shade, &low, &high);
        find_bins(low, high, &first, &last);
        for (int32_t bin = first; bin <= last; bin++) {
            rcity_los_reach *common = &worker->chain_reaches[bin];
            double near, far;
            find_stretch(shade, low, high, bin, &near, &far);
            common->from = near > common->from ? near : common->from;
            common->to = far < common->to ? far : common->to;
        }
    }
    for (int32_t bin = bin_first; bin <= bin_last; bin++) {
        const rcity_los_reach *made = &worker->chain_reaches[bin];
        rcity_los_reach *reach = &worker->reaches[bin];
        bool is_whole = (bin - MARGIN >= chain->low || chain->low <= 0.0) &&
                        (bin + 1 + MARGIN <= chain->high || chain->high >= RCITY_LOS_HALF_BINS);
        if (!is_whole || made->to <= made->from || made->to > 1e17) {
            continue;
        }
        if (made->to < reach->from ||
            made->from > reach->to) { /* separate ranges: keep the nearer one, since walls to come are nearer still */
            *reach = made->from < reach->from || reach->to <= reach->from ? *made : *reach;
        } else {
            reach->from = made->from < reach->from ? made->from : reach->from;
            reach->to = made->to > reach->to ? made->to : reach->to;
        }
    }
}

static void draw_chain(rcity_los_half *half, const rcity_los_chain *chain, int32_t first_row, int32_t row_step,
                       int32_t last_row)
{
    rcity_los_worker *worker = half->worker;
    for (int32_t i = chain->first; i < chain->end; i++) {
        const rcity_los_shade *shade = &worker->finite[i];
        double low, high;
        find_arc(shade, &low, &high);
        double limit = shade->is_doubtful ? 1e12 : find_limit(worker, shade, low, high);
        draw_shade(half, shade, limit * steepest(low, high) + 2.0, first_row, row_step, last_row);
    }
    if (!worker->finite[chain->first].is_doubtful) {
        remember(worker, chain);
    }
}

/* Does a wall continue where the one before it ends? */
static bool goes_on(const rcity_los_shade *before, const rcity_los_shade *shade)
{
    return before->is_doubtful == shade->is_doubtful &&
           ((before->b == shade->a && shade->a >= 0) || (before->a == shade->b && shade->b >= 0));
}

/* Cut the walls into chains, and sort these by distance. The heads of the lists are in worker->rings. */
static void list_chains(rcity_los_half *half, double ring)
{
    rcity_los_worker *worker = half->worker;
    for (int32_t i = 0; i < RCITY_LOS_RING_COUNT; i++) {
        worker->rings[i] = -1;
    }
    worker->chain_count = 0;
    for (int32_t i = 0; i < worker->finite_count;) {
        rcity_los_chain chain = {i, i, -1, RCITY_LOS_HALF_BINS, 0.0};
        double nearest = 1e18;
        do {
            const rcity_los_shade *shade = &worker->finite[chain.end];
            double low, high;
            find_arc(shade, &low, &high);
            chain.low = low < chain.low ? low : chain.low;
            chain.high = high > chain.high ? high : chain.high;
            double distance = fabs((double)(shade->au + shade->bu)) + fabs((double)(shade->av + shade->bv));
            nearest = fmin(nearest, 0.5 * distance);
            chain.end++;
        } while (chain.end < worker->finite_count &&
                 goes_on(&worker->finite[chain.end - 1], &worker->finite[chain.end]));
        i = chain.end;
        double at = nearest / ring;
        int32_t place = at < RCITY_LOS_RING_COUNT - 1 ? (int32_t)at : RCITY_LOS_RING_COUNT - 1;
        chain.next = worker->rings[place];
        worker->rings[place] = worker->chain_count;
        worker->chains[worker->chain_count++] = chain;
    }
}

void rcity_los_finite_begin(rcity_los_worker *worker)
{
    for (int32_t i = 0; i < RCITY_LOS_HALF_BINS; i++) {
        worker->reaches[i] = (rcity_los_reach){0.0, 0.0};
    }
}

void rcity_los_finite_close(rcity_los_worker *worker, const rcity_los_shade *shade)
{
    double low, high;
    find_arc(shade, &low, &high);
    double near = furthest_end(shade, low, high) * (1.0 + CLOSE) + 2.0;
    int32_t first = low <= 0.0 ? 0 : (int32_t)(low + MARGIN) + 1;
    int32_t end = high >= RCITY_LOS_HALF_BINS ? RCITY_LOS_HALF_BINS : (int32_t)(high - MARGIN);
    for (int32_t bin = first; bin < end && near < 1e11; bin++) {
        rcity_los_reach *reach = &worker->reaches[bin];
        if (reach->to < ENDLESS || near < reach->from) {
            *reach = (rcity_los_reach){near, ENDLESS};
        }
    }
}

void rcity_los_finite_draw(rcity_los_half *half, int32_t first_row, int32_t row_step, int32_t last_row)
{
    rcity_los_worker *worker = half->worker;
    const rcity_los_plane *plane = half->plane;
    if (worker->finite_count == 0) {
        return;
    }
    double width = (double)plane->x[plane->column_count - 1] - plane->x[0];
    double depth = (double)plane->y[0] - plane->y[plane->row_count - 1];
    list_chains(half, (width + depth + 1.0) / RCITY_LOS_RING_COUNT);
    for (int32_t ring = RCITY_LOS_RING_COUNT - 1; ring >= 0; ring--) {
        for (int32_t i = worker->rings[ring]; i >= 0; i = worker->chains[i].next) {
            draw_chain(half, &worker->chains[i], first_row, row_step, last_row);
        }
    }
}
