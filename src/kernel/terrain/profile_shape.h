/* What a profile is to the formulas of ITU-R P.1812 and P.526, found in one pass over its points: the horizons of both
   ends, the steepest lines and the worst clearance over two Earths, the straight line that fits the ground.

   Distances are kilometres and heights metres, so that a slope in metres per kilometre is an angle in milliradians. The
   bulge of an Earth of the radius a in kilometres is 500 / a: at x and y from the ends the ground stands bulge x y metres
   higher than on a flat one. */
#ifndef RCITY_KERNEL_TERRAIN_PROFILE_SHAPE_H
#define RCITY_KERNEL_TERRAIN_PROFILE_SHAPE_H

#include "kernel/terrain/ground_profile.h"
#include "kernel/terrain/terrain_math.h"

/* Less than any slope or clearance: what a maximum over no points is. */
#define RCITY_PROFILE_NOTHING RCITY_REAL(-1e30)

/* A path shorter than this counts as this long, and no point of it is between its ends. */
#define RCITY_PROFILE_LEAST_KM RCITY_REAL(0.001)

/* The extremes that Bullington's construction starts from, over one Earth. Slopes are of lines from an end over the
   points between the ends, without the bulge's bulge * distance, which is the same for all. */
typedef struct rcity_bullington_extremes {
    rcity_real up_m_per_km;   /* from the first end */
    rcity_real down_m_per_km; /* from the second end */
    rcity_real worst;         /* height over the straight line / sqrt(x y), metres per kilometre */
} rcity_bullington_extremes;

typedef struct rcity_profile_shape {
    rcity_real distance_km;
    rcity_real tx_ground_m, rx_ground_m; /* above the sea */
    rcity_real tx_m, rx_m;               /* the antennas above the sea */
    rcity_bullington_extremes over[2];   /* with what stands on the ground, over the two Earths */
    /* Of the ground alone: */
    rcity_bullington_extremes bare;                        /* over the first Earth */
    rcity_i32 tx_horizon, rx_horizon, nearest;             /* points that have them; 0: no point is between the ends */
    rcity_real steepest_tx_m_per_km, steepest_rx_m_per_km; /* over a flat Earth, above the line between the antennas */
    rcity_real highest_m;                                  /* above that line */
    rcity_real fit_tx_m, fit_rx_m;                         /* the smooth surface at the ends, above the sea */
} rcity_profile_shape;

RCITY_KERNEL rcity_real rcity_profile_height_m(const rcity_ground_profile *ground, rcity_i32 i)
{
    return (rcity_real)rcity_ground_profile_height_m(ground, i);
}

RCITY_KERNEL rcity_real rcity_profile_km(const rcity_ground_profile *ground, rcity_i32 i)
{
    return (rcity_real)rcity_ground_profile_distance_m(ground, i) * RCITY_REAL(0.001);
}

RCITY_KERNEL rcity_real rcity_profile_length_km(const rcity_ground_profile *ground)
{
    return rcity_terrain_max(rcity_profile_km(ground, ground->count - 1), RCITY_PROFILE_LEAST_KM);
}

/* The last point before `km` that has one behind it between the ends. Where a quantity rises up to `km` and falls behind
   it, this point or the next has the largest value between the ends. There are three points at least. */
RCITY_KERNEL rcity_i32 rcity_profile_find(const rcity_ground_profile *ground, rcity_real km)
{
    rcity_i32 low = 1;
    rcity_i32 high = ground->count - 2;
    while (high - low > 1) {
        rcity_i32 middle = low + (high - low) / 2;
        if (rcity_profile_km(ground, middle) <= km) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A point between the ends as every extreme needs it. */
typedef struct rcity_profile_point {
    rcity_real x_km, y_km;           /* from the ends */
    rcity_real tx_slope, rx_slope;   /* of the lines from the antennas over it, flat Earth */
    rcity_real over_m;               /* over the line between the antennas, flat Earth */
    rcity_real per_x, per_y, per_xy; /* 1 / x, 1 / y, 1 / sqrt(x y) */
} rcity_profile_point;

RCITY_KERNEL rcity_profile_point rcity_profile_point_at(const rcity_profile_shape *shape, rcity_real x_km,
                                                        rcity_real height_m)
{
    rcity_profile_point point;
    point.x_km = x_km;
    point.y_km = shape->distance_km - x_km;
    rcity_real per_square = RCITY_REAL(1.0) / rcity_terrain_max(x_km * point.y_km, RCITY_REAL(1e-12));
    point.per_x = point.y_km * per_square;
    point.per_y = x_km * per_square;
    point.per_xy = rcity_real_sqrt(per_square);
    point.tx_slope = (height_m - shape->tx_m) * point.per_x;
    point.rx_slope = (height_m - shape->rx_m) * point.per_y;
    point.over_m = (height_m - shape->tx_m) - (shape->rx_m - shape->tx_m) * x_km / shape->distance_km;
    return point;
}

/* Take a point that is `cover_m` higher into the extremes over an Earth. */
RCITY_KERNEL void rcity_bullington_take(rcity_bullington_extremes *extremes, const rcity_profile_point *point,
                                        rcity_real cover_m, rcity_real bulge)
{
    rcity_real up = point->tx_slope + cover_m * point->per_x - bulge * point->x_km;
    rcity_real down = point->rx_slope + cover_m * point->per_y - bulge * point->y_km;
    rcity_real worst = (point->over_m + cover_m + bulge * point->x_km * point->y_km) * point->per_xy;
    extremes->up_m_per_km = rcity_terrain_max(extremes->up_m_per_km, up);
    extremes->down_m_per_km = rcity_terrain_max(extremes->down_m_per_km, down);
    extremes->worst = rcity_terrain_max(extremes->worst, worst);
}

/* The same of the ground alone, which also remembers the points: the first of equals as each end sees them. */
RCITY_KERNEL void rcity_profile_take_bare(rcity_profile_shape *shape, const rcity_profile_point *point,
                                          rcity_real bulge, rcity_i32 i)
{
    rcity_real up = point->tx_slope - bulge * point->x_km;
    rcity_real down = point->rx_slope - bulge * point->y_km;
    rcity_real worst = (point->over_m + bulge * point->x_km * point->y_km) * point->per_xy;
    if (up > shape->bare.up_m_per_km) {
        shape->bare.up_m_per_km = up;
        shape->tx_horizon = i;
    }
    if (down >= shape->bare.down_m_per_km) {
        shape->bare.down_m_per_km = down;
        shape->rx_horizon = i;
    }
    if (worst > shape->bare.worst) {
        shape->bare.worst = worst;
        shape->nearest = i;
    }
    shape->steepest_tx_m_per_km = rcity_terrain_max(shape->steepest_tx_m_per_km, point->tx_slope);
    shape->steepest_rx_m_per_km = rcity_terrain_max(shape->steepest_rx_m_per_km, point->rx_slope);
    shape->highest_m = rcity_terrain_max(shape->highest_m, point->over_m);
}

RCITY_KERNEL rcity_bullington_extremes rcity_bullington_no_extremes(void)
{
    rcity_bullington_extremes extremes;
    extremes.up_m_per_km = RCITY_PROFILE_NOTHING;
    extremes.down_m_per_km = RCITY_PROFILE_NOTHING;
    extremes.worst = RCITY_PROFILE_NOTHING;
    return extremes;
}

/* The ends alone, all maxima over no points. */
RCITY_KERNEL rcity_profile_shape rcity_profile_ends(const rcity_ground_profile *ground, rcity_real tx_height_m,
                                                    rcity_real rx_height_m)
{
    rcity_profile_shape shape;
    shape.distance_km = rcity_profile_length_km(ground);
    shape.tx_ground_m = rcity_profile_height_m(ground, 0);
    shape.rx_ground_m = rcity_profile_height_m(ground, ground->count - 1);
    shape.tx_m = shape.tx_ground_m + tx_height_m;
    shape.rx_m = shape.rx_ground_m + rx_height_m;
    shape.over[0] = rcity_bullington_no_extremes();
    shape.over[1] = shape.over[0];
    shape.bare = shape.over[0];
    shape.tx_horizon = 0;
    shape.rx_horizon = 0;
    shape.nearest = 0;
    shape.steepest_tx_m_per_km = RCITY_PROFILE_NOTHING;
    shape.steepest_rx_m_per_km = RCITY_PROFILE_NOTHING;
    shape.highest_m = RCITY_PROFILE_NOTHING;
    shape.fit_tx_m = shape.tx_ground_m;
    shape.fit_rx_m = shape.rx_ground_m;
    return shape;
}

/* The shape of a profile under antennas at heights above the ground, over Earths of two bulges. What stands nearer than
   `clear_m` to an end, and at the ends themselves, does not count. The fitted line is that of P.1812-6, equations (83)
   to (86), summed up above the first point, so that single precision keeps its digits. */
RCITY_KERNEL rcity_profile_shape rcity_profile_shape_of(const rcity_ground_profile *ground, rcity_real tx_height_m,
                                                        rcity_real rx_height_m, rcity_real first_bulge,
                                                        rcity_real second_bulge, rcity_real clear_m)
{
    rcity_profile_shape shape = rcity_profile_ends(ground, tx_height_m, rx_height_m);
    rcity_real clear_km = clear_m * RCITY_REAL(0.001);
    rcity_real area = RCITY_REAL(0.0);
    rcity_real moment = RCITY_REAL(0.0);
    rcity_real last_x = RCITY_REAL(0.0);
    rcity_real last_h = RCITY_REAL(0.0);
    if (rcity_profile_km(ground, ground->count - 1) < RCITY_PROFILE_LEAST_KM) {
        return shape;
    }
    for (rcity_i32 i = 1; i < ground->count; i++) {
        rcity_real x = rcity_profile_km(ground, i);
        rcity_real height_m = rcity_profile_height_m(ground, i);
        rcity_real h = height_m - shape.tx_ground_m;
        area += (x - last_x) * (h + last_h);
        moment += (x - last_x) * (h * (x + x + last_x) + last_h * (x + last_x + last_x));
        last_x = x;
        last_h = h;
        if (i < ground->count - 1) {
            rcity_profile_point point = rcity_profile_point_at(&shape, x, height_m);
            rcity_real cover_m = (rcity_real)rcity_ground_profile_cover_m(ground, i);
            cover_m = rcity_terrain_min(x, point.y_km) < clear_km ? RCITY_REAL(0.0) : cover_m;
            rcity_profile_take_bare(&shape, &point, first_bulge, i);
            rcity_bullington_take(&shape.over[0], &point, cover_m, first_bulge);
            rcity_bullington_take(&shape.over[1], &point, cover_m, second_bulge);
        }
    }
    rcity_real slope = (shape.rx_m - shape.tx_m) / shape.distance_km;
    area /= shape.distance_km;
    moment /= rcity_terrain_square(shape.distance_km);
    shape.fit_tx_m = shape.tx_ground_m + area + area - moment;
    shape.fit_rx_m = shape.tx_ground_m + moment - area;
    shape.steepest_tx_m_per_km -= slope;
    shape.steepest_rx_m_per_km += slope;
    return shape;
}

#endif
