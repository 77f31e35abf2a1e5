/* A launched ray in its unfolded vertical plane. Walls and vertical edges deflect rays in plan and keep their elevation,
   so a ray of the plan stands for rays of all elevations: straight down the unfolded length the heights of a path are a
   string that is pulled tight over the roofs it has passed, and that has to pass each deflection below the top of its
   wall or edge. */
#ifndef RCITY_KERNEL_CUBES_CUBE_RAY_H
#define RCITY_KERNEL_CUBES_CUBE_RAY_H

#include "kernel/portable.h"

#define RCITY_CUBE_REFLECTION_MAX 4
#define RCITY_CUBE_CORNER_MAX     2 /* vertical diffractions of a path */
#define RCITY_CUBE_ROOF_MAX       4 /* horizontal ones */
#define RCITY_CUBE_PASS_MAX       (RCITY_CUBE_REFLECTION_MAX + RCITY_CUBE_CORNER_MAX)

/* A point of the unfolded plane. */
typedef struct rcity_cube_point {
    float s, z; /* length from the transmitter in plan, and height */
} rcity_cube_point;

typedef struct rcity_cube_ray {
    float x, y, dx, dy;     /* a place on it in plan and its direction, of length 1 */
    float s;                /* unfolded length there */
    float image_x, image_y; /* it comes from there, straight: a transmitter, an edge, or their mirror image */
    float before_m;         /* unfolded length there */
    float source_z;         /* of the transmitter, at length 0 */
    float departure_x,
        departure_y;   /* in plan, from the transmitter; 0 for a ray that goes round an edge in its place */
    float reflect_sum; /* of the sine of half the change of direction at each wall */
    float metric;      /* ratio of powers that reflections and corners cost in the choice of paths */
    float corner_root_m[RCITY_CUBE_CORNER_MAX]; /* see rcity_cube_edge_root(); of the last one without its length */
    float corner_s[RCITY_CUBE_CORNER_MAX];      /* where they are */
    float corner_angle;                         /* sum */
    float corner_ratio;                         /* of powers, beside their knife edges */
    rcity_i32 reflections, corners;
    rcity_i32 roof_count; /* of the hull; one more than the path may have stands for all that hides behind it */
    rcity_cube_point roofs[RCITY_CUBE_ROOF_MAX + 1];
    rcity_i32 pass_count; /* deflections: the path passes below these heights */
    rcity_cube_point passes[RCITY_CUBE_PASS_MAX];
} rcity_cube_ray;

/* A path along a ray to a receiver, kept for any coefficients, antenna and frequency. */
typedef struct rcity_cube_path {
    float length_m;
    float departure_x, departure_y, departure_slope;
    float reflect_sum;
    float corner_root_m[RCITY_CUBE_CORNER_MAX], roof_root_m[RCITY_CUBE_ROOF_MAX];
    float corner_angle, roof_angle; /* sums of changes of direction */
    float corner_ratio;             /* of powers, beside the knife edges of corners */
    float roof_whole_root_m;        /* of all roofs as one knife edge where the ends of the string meet (Bullington) */
    float roof_spread;              /* ratio of powers that a chain of roofs takes beyond its edges, see below */
    rcity_i32 reflections, corners, roofs;
} rcity_cube_path;

/* The square of the sine of half the angle between two directions of length 1, by their dot and cross products. */
RCITY_KERNEL float rcity_cube_half_sine2(float dot, float cross)
{
    return dot > 0.0f ? cross * cross / (2.0f * (1.0f + dot)) : 0.5f * (1.0f - dot);
}

/* An edge that turns a path as a knife edge: v times the square root of the wavelength, from the square of the sine of
   half the turn and the lengths to the neighbouring edges or ends. Far in the shadow of an absorbing half-plane the
   field of the geometrical theory of diffraction is that of the knife edge with v = 2 sin(angle / 2) sqrt(2 L / lambda),
   L = a b / (a + b); near its border, where the sine is half the angle, so is that of Fresnel. */
RCITY_KERNEL float rcity_cube_edge_root(float half_sine2, float before_m, float after_m)
{
    float sum_m = rcity_fmax(before_m + after_m, 1e-3f);
    return rcity_sqrt(8.0f * half_sine2 * before_m * after_m / sum_m);
}

/* J(v) as a ratio of powers (ITU-R P.526-15, equation 31). */
RCITY_KERNEL float rcity_cube_edge_ratio(float v)
{
    float w = v - 0.1f;
    float root = rcity_sqrt(w * w + 1.0f) + w;
    return rcity_fmax(4.89778819f * root * root, 1.0f); /* 6.9 dB */
}

RCITY_KERNEL float rcity_cube_slope(rcity_cube_point from, rcity_cube_point to)
{
    return (to.z - from.z) / rcity_fmax(to.s - from.s, 1e-3f);
}

/* Where the string of a ray begins to run to its k-th roof. */
RCITY_KERNEL rcity_cube_point rcity_cube_ray_start(const rcity_cube_ray *ray, rcity_i32 k)
{
    rcity_cube_point start;
    start.s = k > 0 ? ray->roofs[k - 1].s : 0.0f;
    start.z = k > 0 ? ray->roofs[k - 1].z : ray->source_z;
    return start;
}

/* Something that stands in the way from then on. `roof_max` is what a path may have. */
RCITY_KERNEL void rcity_cube_ray_raise(rcity_cube_ray *ray, rcity_i32 roof_max, rcity_cube_point top)
{
    rcity_i32 k = 0;
    while (k < ray->roof_count) {
        rcity_cube_point start = rcity_cube_ray_start(ray, k);
        if (rcity_cube_slope(start, top) >= rcity_cube_slope(start, ray->roofs[k])) {
            break;
        }
        k++;
    }
    if (k <= roof_max) {
        ray->roofs[k] = top;
        ray->roof_count = k + 1;
    }
}

/* The number of roofs that the string to a point turns at, up to `roof_max`; -1: more. */
RCITY_KERNEL rcity_i32 rcity_cube_ray_roofs(const rcity_cube_ray *ray, rcity_i32 roof_max, rcity_cube_point to)
{
    rcity_i32 k = 0;
    while (k < ray->roof_count) {
        rcity_cube_point start = rcity_cube_ray_start(ray, k);
        if (rcity_cube_slope(start, to) >= rcity_cube_slope(start, ray->roofs[k])) {
            break;
        }
        k++;
    }
    return k <= roof_max ? k : -1;
}

/* Does the string over so many roofs to a point pass all deflections below their tops? */
RCITY_KERNEL int rcity_cube_ray_passes(const rcity_cube_ray *ray, rcity_i32 roofs, rcity_cube_point to)
{
    const float slack_m = 0.02f;
    for (rcity_i32 i = 0; i < ray->pass_count; i++) {
        rcity_cube_point pass = ray->passes[i];
        if (pass.s > to.s) {
            continue;
        }
        rcity_i32 k = 0;
        while (k < roofs && ray->roofs[k].s < pass.s) {
            k++;
        }
        rcity_cube_point start = rcity_cube_ray_start(ray, k);
        rcity_cube_point end = k < roofs ? ray->roofs[k] : to;
        if (start.z + (pass.s - start.s) * rcity_cube_slope(start, end) > pass.z + slack_m) {
            return 0;
        }
    }
    return 1;
}

/* Is there no receiver left that a path on this ray could reach, none being higher than `highest_m`? What hides behind the
   last roof stays hidden, whatever deflects the ray later on: down to `end_s` it lies above all receivers. And no string is
   lower than that over all roofs: where it passes a wall or an edge above its top, every one does. */
RCITY_KERNEL int rcity_cube_ray_is_spent(const rcity_cube_ray *ray, rcity_i32 roof_max, float highest_m, float end_s)
{
    rcity_i32 count = ray->roof_count;
    if (count == 0) {
        return 0;
    }
    rcity_cube_point last = ray->roofs[count - 1];
    if (!rcity_cube_ray_passes(ray, count - 1, last)) {
        return 1;
    }
    float slope = rcity_cube_slope(rcity_cube_ray_start(ray, count - 1), last);
    return count > roof_max && last.z >= highest_m && last.z + slope * (end_s - last.s) >= highest_m;
}

/* A corner's root with the length to the next corner or the end. */
RCITY_KERNEL float rcity_cube_ray_corner(const rcity_cube_ray *ray, rcity_i32 corner, float end_s)
{
    float from = corner > 0 ? ray->corner_s[corner - 1] : 0.0f;
    float to = corner + 1 < ray->corners ? ray->corner_s[corner + 1] : end_s;
    float at = ray->corner_s[corner];
    float after_m = rcity_fmax(to - at, 0.0f);
    return ray->corner_root_m[corner] * rcity_sqrt((at - from) * after_m / rcity_fmax(at - from + after_m, 1e-3f));
}

/* All roofs of a string as one edge: it leaves the source with one slope and comes to the receiver with another. */
RCITY_KERNEL float rcity_cube_whole_root(float source_z, float first_slope, float last_slope, rcity_cube_point to)
{
    float s = (to.z - last_slope * to.s - source_z) / rcity_fmin(last_slope - first_slope, -1e-6f) * -1.0f;
    s = rcity_fmin(rcity_fmax(s, 0.0f), to.s);
    float first = rcity_sqrt(1.0f + first_slope * first_slope);
    float last = rcity_sqrt(1.0f + last_slope * last_slope);
    float dot = (1.0f + first_slope * last_slope) / (first * last);
    float cross = (first_slope - last_slope) / (first * last);
    return rcity_cube_edge_root(rcity_cube_half_sine2(dot, cross), s * first, (to.s - s) * last);
}

/* The path to a receiver over so many roofs. Edges far in each other's shadow spread the field more than each alone
   (ITU-R P.526-15, equation 46): the ratio is the product of neighbouring lengths added, over that of the lengths between
   edges and the whole length. */
RCITY_KERNEL void rcity_cube_ray_path(const rcity_cube_ray *ray, rcity_i32 roofs, rcity_cube_point to,
                                      rcity_cube_path *path)
{
    path->length_m = 0.0f;
    path->departure_x = ray->departure_x;
    path->departure_y = ray->departure_y;
    path->departure_slope = 0.0f;
    path->reflect_sum = ray->reflect_sum;
    path->corner_angle = ray->corner_angle;
    path->corner_ratio = ray->corner_ratio;
    path->roof_angle = 0.0f;
    path->roof_spread = 1.0f;
    path->reflections = ray->reflections;
    path->corners = ray->corners;
    path->roofs = roofs;
    for (rcity_i32 i = 0; i < RCITY_CUBE_CORNER_MAX; i++) {
        path->corner_root_m[i] = i < ray->corners ? rcity_cube_ray_corner(ray, i, to.s) : 0.0f;
    }
    for (rcity_i32 i = 0; i < RCITY_CUBE_ROOF_MAX; i++) {
        path->roof_root_m[i] = 0.0f;
    }
    float length_before_m = 0.0f;
    float slope_before = 0.0f;
    for (rcity_i32 k = 0; k <= roofs; k++) {
        rcity_cube_point start = rcity_cube_ray_start(ray, k);
        rcity_cube_point end = k < roofs ? ray->roofs[k] : to;
        float run_m = rcity_fmax(end.s - start.s, 1e-3f);
        float slope = (end.z - start.z) / run_m;
        float length_m = run_m * rcity_sqrt(1.0f + slope * slope);
        if (k == 0) {
            path->departure_slope = slope;
        } else {
            float scale = 1.0f / rcity_sqrt((1.0f + slope * slope) * (1.0f + slope_before * slope_before));
            float dot = (1.0f + slope * slope_before) * scale;
            float cross = (slope_before - slope) * scale;
            path->roof_root_m[k - 1] =
                rcity_cube_edge_root(rcity_cube_half_sine2(dot, cross), length_before_m, length_m);
            path->roof_angle += rcity_atan2(cross, dot);
        }
        path->length_m += length_m;
        path->roof_spread *= k == 0 ? 1.0f : length_before_m + length_m;
        path->roof_spread /= k == 0 || k == roofs ? 1.0f : length_m;
        length_before_m = length_m;
        slope_before = slope;
    }
    path->roof_spread = roofs > 1 ? path->roof_spread / path->length_m : 1.0f;
    path->roof_whole_root_m =
        roofs > 1 ? rcity_cube_whole_root(ray->source_z, path->departure_slope, slope_before, to) : 0.0f;
}

/* A number that grows with the loss of a path at about 1.5 GHz: the choice of paths does not depend on the frequency, so
   that a trace serves all. */
RCITY_KERNEL float rcity_cube_path_metric(const rcity_cube_ray *ray, const rcity_cube_path *path)
{
    const float per_root_wavelength = 2.236f; /* of 0.2 m */
    float metric = path->length_m * path->length_m * ray->metric * path->corner_ratio;
    for (rcity_i32 i = 0; i < path->corners; i++) {
        metric *= rcity_cube_edge_ratio(path->corner_root_m[i] * per_root_wavelength);
    }
    float roofs = 1.0f;
    for (rcity_i32 i = 0; i < path->roofs; i++) {
        roofs *= rcity_cube_edge_ratio(path->roof_root_m[i] * per_root_wavelength);
    }
    if (path->roofs > 1) {
        roofs = rcity_fmax(roofs, rcity_cube_edge_ratio(path->roof_whole_root_m * per_root_wavelength));
    }
    return rcity_fmin(metric * roofs, 1e37f);
}

#endif
