/* The loss along a ray, and the strongest of all that reach a triangle. */
#ifndef RCITY_KERNEL_TERRAIN_RAYS_RAY_LOSS_H
#define RCITY_KERNEL_TERRAIN_RAYS_RAY_LOSS_H

#include "kernel/terrain/rays/ray_ground.h"
#include "kernel/wave/knife_edge.h"
#include "kernel/wave/two_ray.h"

/* What is taken into account. */
#define RCITY_RAYS_DIRECT     1
#define RCITY_RAYS_TWO_RAY    2 /* the direct ray and its reflection off flat ground; else free space */
#define RCITY_RAYS_KNIFE_EDGE 4 /* hidden triangles have the loss of the horizon before them as a knife edge */

/* A loss is kept as a number that is smaller for a stronger field: the same bits in any order. */
#define RCITY_RAYS_CODE_NONE     0xFFFFFFFFu
#define RCITY_RAYS_CODE_PER_DB   65536.0f
#define RCITY_RAYS_CODE_LEAST_DB (-200.0f)
#define RCITY_RAYS_CODE_MOST_DB  20000.0f

/* Nearer there is no far field. */
#define RCITY_RAYS_DISTANCE_MIN_M 0.1f

typedef struct rcity_ray_job {
    rcity_i64 source_x, source_y;           /* units from the grid's south-west node */
    rcity_i64 source_x_part, source_y_part; /* the same in 1 / 2^18 of a cell, for reflected rays */
    rcity_i64 foot;                         /* of the antenna, on the ground */
    rcity_i64 raise;                        /* of receivers over the ground */
    rcity_ray_grid grid;
    rcity_i32 cell; /* units */
    rcity_i32 effects;
    rcity_i32 depth; /* reflections, at most */
    float cell_m;
    float slope_per_unit; /* from a difference of the grid's heights between neighbours to a slope */
    float wavelength_m;
    float te_share; /* of the power that is polarized across the plane of incidence */
    float loss_max_db;
    float range_m;                  /* of a track, reflections included */
    float tx_height_m, rx_height_m; /* above the ground */
    float
        drop_per_cell2; /* of the ground below the transmitter's horizontal plane, by the square of the distance; 0: flat */
    float tilt_per_cell; /* the same as a slope */
    rcity_face ground;
} rcity_ray_job;

/* One azimuth. */
typedef struct rcity_ray {
    rcity_i32 dx, dy;
    float metres_per_time;
    float drop_per_time2; /* as in the job */
    rcity_i64 end_time;   /* nothing is aimed at from here on */
} rcity_ray;

/* Free space, ITU-R P.525-5, equation (5). */
RCITY_KERNEL float rcity_ray_free_space_db(float distance_m, float wavelength_m)
{
    return 20.0f * rcity_log10(4.0f * RCITY_PI * rcity_fmax(distance_m, RCITY_RAYS_DISTANCE_MIN_M) / wavelength_m);
}

/* The share of the power that both polarizations of a response leave. */
RCITY_KERNEL float rcity_ray_power(rcity_face_response field, float te_share)
{
    return te_share * (float)rcity_complex_square(field.te) + (1.0f - te_share) * (float)rcity_complex_square(field.tm);
}

/* A triangle whose middle lies `plan_m` away on the map, and `rise_m` above the transmitter's antenna. */
RCITY_KERNEL float rcity_ray_direct_db(rcity_ray_job job, float plan_m, float rise_m)
{
    float loss_db = rcity_ray_free_space_db(rcity_sqrt(plan_m * plan_m + rise_m * rise_m), job.wavelength_m);
    if (job.effects & RCITY_RAYS_TWO_RAY) {
        rcity_two_ray link;
        link.plan_m = plan_m;
        link.tx_height_m = job.tx_height_m;
        link.rx_height_m = job.rx_height_m;
        link.wavenumber_per_m = 2.0f * RCITY_PI / job.wavelength_m;
        link.ground = job.ground;
        loss_db -= 10.0f * rcity_log10(rcity_ray_power(rcity_two_ray_field(link), job.te_share));
    }
    return loss_db;
}

/* What the horizon takes, as one knife edge under the line from the transmitter to the target. */
RCITY_KERNEL float rcity_ray_edge_db(rcity_ray_job job, float metres_per_time, rcity_ray_point edge,
                                     rcity_ray_point target)
{
    rcity_i64 behind = target.time - edge.time < 1 ? 1 : target.time - edge.time;
    float line = (float)target.height * ((float)edge.time / (float)target.time);
    float height_m = ((float)edge.height - line) * RCITY_RAY_HEIGHT_UNIT_M;
    return (float)rcity_knife_edge_loss_db(rcity_knife_edge_parameter(
        height_m, (float)edge.time * metres_per_time, (float)behind * metres_per_time, job.wavelength_m));
}

/* A loss as it is kept; a NaN, an infinite one or one above the limit is none. */
RCITY_KERNEL void rcity_ray_keep(rcity_ray_job job, RCITY_GLOBAL rcity_u32 *strongest, rcity_i32 triangle,
                                 float loss_db)
{
    if (loss_db <= job.loss_max_db && loss_db <= RCITY_RAYS_CODE_MOST_DB) {
        float above = rcity_fmax(loss_db - RCITY_RAYS_CODE_LEAST_DB, 0.0f);
        rcity_global_min(&strongest[triangle], (rcity_u32)(above * RCITY_RAYS_CODE_PER_DB));
    }
}

#endif
