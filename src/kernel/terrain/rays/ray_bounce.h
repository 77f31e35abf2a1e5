/* Secondary rays: mirrored at the plane of the triangle that a ray comes down on, again and again to a depth. */
#ifndef RCITY_KERNEL_TERRAIN_RAYS_RAY_BOUNCE_H
#define RCITY_KERNEL_TERRAIN_RAYS_RAY_BOUNCE_H

#include "kernel/terrain/rays/ray_loss.h"

/* A ray steeper than this leaves its cell upwards, or comes back to it. */
#define RCITY_RAY_STEEP 100.0f

/* A direction or a way in metres, in single precision whatever the waves are in. */
typedef struct rcity_ray_way {
    float x, y, z;
} rcity_ray_way;

RCITY_KERNEL float rcity_ray_dot(rcity_ray_way a, rcity_ray_way b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* A ray in space that starts on the ground. */
typedef struct rcity_ray_flight {
    rcity_i64 x, y;   /* 1 / 2^18 of a cell from the grid's south-west node */
    rcity_i64 height; /* as in rcity_ray_point */
    rcity_i64 climb;  /* height for a time of 1 */
    rcity_i32 dx, dy;
    rcity_i32 triangle; /* that it starts from */
    float metres_per_time;
    float length_m, plan_m; /* of all legs before */
    float lost_db;          /* at the reflections before */
} rcity_ray_flight;

RCITY_KERNEL rcity_i64 rcity_ray_bound(rcity_i64 value, rcity_i64 most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The whole root of value, which is below 2^44: the same on every device, whatever its root of floats is. */
RCITY_KERNEL rcity_i64 rcity_ray_root(rcity_i64 value)
{
    rcity_i64 root = (rcity_i64)rcity_sqrt((float)value);
    while (root * root > value) {
        root--;
    }
    while ((root + 1) * (root + 1) <= value) {
        root++;
    }
    return root;
}

/* How far east and north of the transmitter a flight is at a time, in cells. */
RCITY_KERNEL void rcity_ray_offset(rcity_ray_job job, const rcity_ray_flight *flight, rcity_i64 time, float *east,
                                   float *north)
{
    const float part = 1.0f / (float)(1 << RCITY_RAY_TIME_BITS);
    *east = (float)(flight->x - job.source_x_part + ((flight->dx * time) >> RCITY_RAY_ONE_BITS)) * part;
    *north = (float)(flight->y - job.source_y_part + ((flight->dy * time) >> RCITY_RAY_ONE_BITS)) * part;
}

/* What the plane of the triangle takes of a ray along `way`, whose product with the upward normal is `fall`. */
RCITY_KERNEL float rcity_ray_reflection_db(rcity_ray_job job, rcity_ray_way way, rcity_ray_way normal, float fall)
{
    float size = rcity_sqrt(rcity_ray_dot(way, way) * rcity_ray_dot(normal, normal));
    rcity_face_response field =
        rcity_face_reflect(job.ground, 2.0f * RCITY_PI / job.wavelength_m, rcity_fabs(fall) / size);
    return -10.0f * rcity_log10(rcity_ray_power(field, job.te_share));
}

/* Turn a flight that came along `way`, in metres, into the reflected one. @return 0 where there is none. The direction is
   computed by sums and products of floats alone, which all devices round alike. */
RCITY_KERNEL int rcity_ray_reflect(rcity_ray_job job, RCITY_GLOBAL const rcity_i32 *height, rcity_ray_way way,
                                   rcity_ray_flight *flight)
{
    rcity_i32 east;
    rcity_i32 north;
    rcity_ray_gradient(job.grid, height, flight->triangle, &east, &north);
    float x;
    float y;
    rcity_ray_offset(job, flight, 0, &x, &y);
    rcity_ray_way normal;
    normal.x = job.tilt_per_cell * x - job.slope_per_unit * (float)east;
    normal.y = job.tilt_per_cell * y - job.slope_per_unit * (float)north;
    normal.z = 1.0f;
    float fall = rcity_ray_dot(way, normal);
    float square = rcity_ray_dot(normal, normal);
    rcity_ray_way out;
    out.x = way.x * square - normal.x * (2.0f * fall);
    out.y = way.y * square - normal.y * (2.0f * fall);
    out.z = way.z * square - normal.z * (2.0f * fall);
    float widest = rcity_fmax(rcity_fabs(out.x), rcity_fabs(out.y));
    if (!(fall < 0.0f) || !(widest * RCITY_RAY_STEEP > rcity_fabs(out.z)) || !(widest > 1e-30f)) {
        return 0;
    }
    rcity_u32 exponent = rcity_float_bits(widest) >> 23; /* a power of 2 makes it RCITY_RAY_ONE / 2 to RCITY_RAY_ONE */
    float factor = rcity_bits_float((127u + RCITY_RAY_ONE_BITS - 1u + 127u - exponent) << 23);
    flight->lost_db += rcity_ray_reflection_db(job, way, normal, fall);
    flight->dx = (rcity_i32)(out.x * factor);
    flight->dy = (rcity_i32)(out.y * factor);
    float cell_per_time_m = job.cell_m / (float)RCITY_RAY_ONE;
    flight->climb = (rcity_i64)(out.z * factor * cell_per_time_m * (1.0f / RCITY_RAY_HEIGHT_UNIT_M));
    rcity_i64 length2 = (rcity_i64)flight->dx * flight->dx + (rcity_i64)flight->dy * flight->dy;
    flight->metres_per_time =
        (float)rcity_ray_root(length2) * cell_per_time_m * (1.0f / (float)(1 << RCITY_RAY_TIME_BITS));
    return 1;
}

/* Follow a flight to where it comes down. @return 0 when it does not; else the flight is at that place, `way` is how it came.
   The triangle that it starts from cannot be hit, whatever was rounded. */
RCITY_KERNEL int rcity_ray_fly(rcity_ray_job job, RCITY_GLOBAL const rcity_i32 *height, rcity_ray_flight *flight,
                               rcity_ray_way *way)
{
    const rcity_i64 cell = (rcity_i64)1 << RCITY_RAY_TIME_BITS;
    rcity_ray_walk walk = rcity_ray_walk_start(flight->x, flight->y, cell, flight->dx, flight->dy,
                                               job.grid.column_count, job.grid.row_count);
    rcity_i64 highest = (rcity_i64)job.grid.highest * (1 << RCITY_RAY_HEIGHT_BITS);
    rcity_i64 last_over = 0;
    rcity_i64 last_time = 0;
    int is_first = 1;
    while (rcity_ray_walk_is_inside(&walk, job.grid.column_count, job.grid.row_count)) {
        rcity_ray_walk_find(&walk);
        rcity_i64 above = flight->height + ((flight->climb * walk.time) >> RCITY_RAY_TIME_BITS);
        rcity_i64 over = above - rcity_ray_ground_at(job.grid, height, &walk);
        if (job.drop_per_cell2 > 0.0f) {
            float x;
            float y;
            rcity_ray_offset(job, flight, walk.time, &x, &y);
            over += (rcity_i64)((x * x + y * y) * job.drop_per_cell2);
        }
        if (over < 0 && !is_first) {
            rcity_i64 time =
                last_over > 0 ? last_time + (walk.time - last_time) * last_over / (last_over - over) : last_time;
            float plan_m = (float)time * flight->metres_per_time;
            rcity_i64 climb = (flight->climb * time) >> RCITY_RAY_TIME_BITS;
            float rise_m = (float)climb * RCITY_RAY_HEIGHT_UNIT_M;
            float scale = job.cell_m / (float)RCITY_RAY_ONE * (float)time / (float)cell;
            way->x = (float)flight->dx * scale;
            way->y = (float)flight->dy * scale;
            way->z = rise_m;
            flight->x = rcity_ray_bound(flight->x + ((flight->dx * time) >> RCITY_RAY_ONE_BITS),
                                        (job.grid.column_count - 1) * cell);
            flight->y = rcity_ray_bound(flight->y + ((flight->dy * time) >> RCITY_RAY_ONE_BITS),
                                        (job.grid.row_count - 1) * cell);
            flight->height += climb;
            flight->plan_m += plan_m;
            flight->length_m += rcity_sqrt(plan_m * plan_m + rise_m * rise_m);
            flight->triangle = rcity_ray_triangle(job.grid, &walk);
            return flight->plan_m <= job.range_m;
        }
        if ((above > highest && flight->climb >= 0) ||
            flight->plan_m + (float)walk.time * flight->metres_per_time > job.range_m) {
            return 0;
        }
        rcity_ray_walk_pass(&walk);
        last_over = over;
        last_time = walk.time;
        is_first = 0;
    }
    return 0;
}

/* All reflections of the ray from the transmitter to a point on the ground of a triangle. */
RCITY_KERNEL void rcity_ray_bounce(rcity_ray_job job, RCITY_GLOBAL const rcity_i32 *height, rcity_ray ray,
                                   rcity_ray_point at, rcity_i32 triangle, RCITY_GLOBAL rcity_u32 *strongest)
{
    const rcity_i64 cell = (rcity_i64)1 << RCITY_RAY_TIME_BITS;
    rcity_ray_flight flight;
    float scale = job.cell_m / (float)RCITY_RAY_ONE * (float)at.time / (float)cell;
    rcity_ray_way way;
    way.x = (float)ray.dx * scale;
    way.y = (float)ray.dy * scale;
    way.z = (float)at.height * RCITY_RAY_HEIGHT_UNIT_M;
    flight.x = rcity_ray_bound(job.source_x_part + ((ray.dx * at.time) >> RCITY_RAY_ONE_BITS),
                               (job.grid.column_count - 1) * cell);
    flight.y = rcity_ray_bound(job.source_y_part + ((ray.dy * at.time) >> RCITY_RAY_ONE_BITS),
                               (job.grid.row_count - 1) * cell);
    flight.height = at.height;
    flight.climb = 0;
    flight.dx = 0;
    flight.dy = 0;
    flight.metres_per_time = 0.0f;
    flight.triangle = triangle;
    flight.plan_m = (float)at.time * ray.metres_per_time;
    flight.length_m = rcity_sqrt(flight.plan_m * flight.plan_m + way.z * way.z);
    flight.lost_db = 0.0f;
    for (rcity_i32 depth = 0; depth < job.depth; depth++) {
        if (!rcity_ray_reflect(job, height, way, &flight) || !rcity_ray_fly(job, height, &flight, &way)) {
            return;
        }
        rcity_ray_keep(job, strongest, flight.triangle,
                       rcity_ray_free_space_db(flight.length_m, job.wavelength_m) + flight.lost_db);
    }
}

#endif
