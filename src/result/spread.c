/* Weighted spreads. */
#include "result/spread.h"

#include <math.h>
#include <stdlib.h>

static const double full_turn_rad = 6.283185307179586;

/* Differences are taken from one of the values, so that equal values leave no rounding error. */
double rcity_spread_plain(const rcity_weighted *items, size_t count, double *mean)
{
    double weight = 0.0;
    double sum = 0.0;
    double origin = count > 0 ? items[0].value : 0.0;
    for (size_t i = 0; i < count; i++) {
        weight += items[i].weight;
        sum += items[i].weight * (items[i].value - origin);
    }
    double middle = weight > 0.0 ? sum / weight : (double)NAN;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        double off = items[i].value - origin - middle;
        squares += items[i].weight * off * off;
    }
    if (mean != NULL) {
        *mean = origin + middle;
    }
    return weight > 0.0 ? sqrt(squares / weight) : (double)NAN;
}

static int compare_values(const void *a, const void *b)
{
    const rcity_weighted *first = a;
    const rcity_weighted *second = b;
    if (first->value != second->value) {
        return first->value < second->value ? -1 : 1;
    }
    return first->weight > second->weight ? -1 : first->weight < second->weight ? 1 : 0;
}

static void sort_on_circle(rcity_weighted *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double turns = floor(items[i].value / full_turn_rad);
        items[i].value -= turns * full_turn_rad;
    }
    qsort(items, count, sizeof *items, compare_values);
}

/* How many of the sorted values, from the first on, to move behind the last one by a full turn so that the plain spread
   is smallest. */
static size_t find_cut(const rcity_weighted *items, size_t count)
{
    double weight = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        weight += items[i].weight;
        sum += items[i].weight * items[i].value;
        squares += items[i].weight * items[i].value * items[i].value;
    }
    double least = HUGE_VAL;
    size_t cut = 0;
    for (size_t i = 0; i < count; i++) {
        double variance = squares / weight - sum / weight * (sum / weight);
        if (variance < least) {
            least = variance;
            cut = i;
        }
        sum += items[i].weight * full_turn_rad;
        squares += items[i].weight * full_turn_rad * (2.0 * items[i].value + full_turn_rad);
    }
    return cut;
}

/* The annex defines the smallest spread over all turns of the circle, with differences from the mean wrapped to half a
   turn. A turn matters only by where it cuts the circle open, so there are as many cases as values. Wrapping does not
   change the minimum: from the mean with the smallest mean square of wrapped differences, a cut on the opposite side
   leaves all of them unwrapped, and no cut has less than its own wrapped differences. */
double rcity_spread_circle(rcity_weighted *items, size_t count)
{
    sort_on_circle(items, count);
    size_t cut = find_cut(items, count);
    for (size_t i = 0; i < cut; i++) {
        items[i].value += full_turn_rad;
    }
    return rcity_spread_plain(items, count, NULL);
}
