/* Towers on podiums. */
#include "scene/city/city_tower.h"

#include "scene/city/city_random.h"

/* Width of the lowest tier. */
#define TIER_WIDTH_MIN_M 11.0
#define TIER_WIDTH_MAX_M 44.0

#define EDGE_MIN_M 3.0

/* A building without tiers is no higher than this many times its width. */
#define SLENDERNESS_MAX 3.5

rcity_status rcity_city_tower_build(rcity_city_draft *draft, const rcity_city_house *house, double height_m,
                                    double podium_m, double slender_m)
{
    int64_t id = rcity_city_next_id(draft);
    double setback_m = rcity_city_between(house->key, 100, 1.5, 6.0);
    double width_m = rcity_city_polygon_width(&house->core);
    if (width_m - 2.0 * setback_m > TIER_WIDTH_MAX_M) {
        setback_m = 0.5 * (width_m - TIER_WIDTH_MAX_M);
    }
    rcity_city_polygon tier = rcity_city_polygon_shrink(&house->core, setback_m);
    rcity_city_polygon_simplify(&tier, EDGE_MIN_M);
    if (rcity_city_polygon_width(&tier) < TIER_WIDTH_MIN_M || height_m < 1.5 * podium_m) {
        double limit_m = width_m > 0.0 && SLENDERNESS_MAX * width_m < slender_m ? SLENDERNESS_MAX * width_m : slender_m;
        return rcity_city_add(draft, id, house->outline, house->hole, height_m < limit_m ? height_m : limit_m);
    }
    RCITY_TRY(rcity_city_add(draft, id, house->outline, house->hole, podium_m));
    rcity_city_polygon upper = rcity_city_polygon_shrink(&tier, rcity_city_between(house->key, 101, 2.0, 5.0));
    rcity_city_polygon_simplify(&upper, EDGE_MIN_M);
    bool has_upper = rcity_city_polygon_width(&upper) >= TIER_WIDTH_MIN_M && rcity_city_chance(house->key, 102, 0.5);
    rcity_city_outline outline = rcity_city_outline_from(&tier);
    double shoulder_m = podium_m + (height_m - podium_m) * rcity_city_between(house->key, 103, 0.4, 0.8);
    RCITY_TRY(rcity_city_add(draft, id, &outline, NULL, has_upper ? shoulder_m : height_m));
    if (has_upper) {
        outline = rcity_city_outline_from(&upper);
        RCITY_TRY(rcity_city_add(draft, id, &outline, NULL, height_m));
    }
    return RCITY_OK;
}
