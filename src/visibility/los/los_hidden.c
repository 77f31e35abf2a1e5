#include "visibility/los/los_hidden.h"

static const rcity_los_ray east = {1, 0, -1};
static const rcity_los_ray west = {-1, 0, -1};

/* Does a direction come before another, counter-clockwise from the axis u? */
static bool is_before(const rcity_los_ray *a, const rcity_los_ray *b)
{
    if (a->v == 0 && b->v == 0) {
        return a->u > 0 && b->u < 0;
    }
    return a->u * b->v - a->v * b->u > 0;
}

/* Do two intervals overlap, or meet at one corner of one building, which hides as its walls do? */
static bool is_joined(const rcity_los_hidden_sector *a, const rcity_los_hidden_sector *b)
{
    if (is_before(&a->low, &b->high) && is_before(&b->low, &a->high)) {
        return true;
    }
    return (a->high.corner == b->low.corner && a->high.corner >= 0) ||
           (b->high.corner == a->low.corner && b->high.corner >= 0);
}

void rcity_los_hidden_sectors_add(rcity_los_hidden_sectors *sectors, const rcity_los_shade *shade)
{
    rcity_los_hidden_sector made = {east, west};
    if (shade->av > 0) {
        made.low = (rcity_los_ray){shade->au, shade->av, shade->a};
    }
    if (shade->bv > 0) {
        made.high = (rcity_los_ray){shade->bu, shade->bv, shade->b};
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < sectors->count; i++) {
        const rcity_los_hidden_sector *other = &sectors->items[i];
        if (is_joined(other, &made)) {
            made.low = is_before(&other->low, &made.low) ? other->low : made.low;
            made.high = is_before(&made.high, &other->high) ? other->high : made.high;
        } else {
            sectors->items[kept++] = *other;
        }
    }
    int32_t at = kept;
    while (at > 0 && is_before(&made.low, &sectors->items[at - 1].low)) {
        sectors->items[at] = sectors->items[at - 1];
        at--;
    }
    sectors->items[at] = made;
    sectors->count = kept + 1;
}

bool rcity_los_hidden_sectors_get_gap(const rcity_los_hidden_sectors *sectors, int32_t index, rcity_los_ray *low,
                                      rcity_los_ray *high)
{
    *low = index > 0 ? sectors->items[index - 1].high : east;
    *high = index < sectors->count ? sectors->items[index].low : west;
    return !(low->v == 0 && high->v == 0 && (low->u < 0 || high->u > 0));
}
