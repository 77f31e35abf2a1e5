/* The formulas over terrain, numbers in and numbers out: one source for the device and for the host in both precisions
   (terrain_double.c). Profiles lie side by side, as maps have them. */
#include "kernel/terrain/p1812/p1812_loss.h"

#define RCITY_TERRAIN_IN  20 /* numbers of a link: those of rcity_p1812_link, then of its profile */
#define RCITY_TERRAIN_OUT 8

typedef struct rcity_terrain_job {
    rcity_i64 profile_count;
} rcity_terrain_job;

RCITY_KERNEL rcity_p1812_link rcity_terrain_link(RCITY_GLOBAL const rcity_real *in)
{
    rcity_p1812_link link;
    link.frequency_ghz = in[0];
    link.tx_height_m = in[1];
    link.rx_height_m = in[2];
    link.time_percent = in[3];
    link.location_percent = in[4];
    link.location_width_m = in[5];
    link.gradient = in[6];
    link.refractivity = in[7];
    link.latitude_deg = in[8];
    link.sea_share = in[9];
    link.land_km = in[10];
    link.inland_km = in[11];
    link.tx_coast_km = in[12];
    link.rx_coast_km = in[13];
    link.clear_m = in[14];
    link.is_vertical = in[15] > RCITY_REAL(0.5);
    return link;
}

/* Behind the link: the points of the profile, their step, whether they are evenly spaced and something stands on them. */
RCITY_KERNEL rcity_ground_profile rcity_terrain_profile(rcity_terrain_job job, RCITY_GLOBAL const rcity_real *in,
                                                        RCITY_GLOBAL const float *height_m,
                                                        RCITY_GLOBAL const float *cover_m,
                                                        RCITY_GLOBAL const float *distance_m, rcity_i64 item)
{
    rcity_ground_profile ground;
    ground.height_m = height_m + item;
    ground.cover_m = in[19] > RCITY_REAL(0.5) ? cover_m + item : 0;
    ground.distance_m = in[18] > RCITY_REAL(0.5) ? 0 : distance_m + item;
    ground.stride = job.profile_count;
    ground.count = (rcity_i32)in[16];
    ground.step_m = (float)in[17];
    return ground;
}

RCITY_KERNEL void rcity_terrain_item(rcity_p1812_link link, rcity_ground_profile ground, RCITY_GLOBAL rcity_real *out)
{
    rcity_p1812_result loss = rcity_p1812_loss(link, ground);
    rcity_diffraction_link edge;
    edge.tx_height_m = link.tx_height_m;
    edge.rx_height_m = link.rx_height_m;
    edge.frequency_ghz = link.frequency_ghz;
    edge.radius_km = loss.radius_km;
    edge.sea_share = link.sea_share;
    edge.clear_m = link.clear_m;
    edge.is_vertical = link.is_vertical;
    out[0] = rcity_p1812_loss_db(link, ground);
    out[1] = rcity_bullington_loss_db(edge, ground);
    out[2] = rcity_delta_bullington_loss_db(edge, ground);
    out[3] = loss.loss_db;
    out[4] = loss.ducting_db;
    out[5] = loss.troposcatter_db;
    out[6] = loss.sight_db;
    out[7] = loss.diffraction_db;
}

#ifdef __OPENCL_VERSION__
__kernel void rcity_terrain(rcity_terrain_job job, long item_begin, long item_count, __global const float *in,
                            __global const float *height_m, __global const float *cover_m,
                            __global const float *distance_m, __global float *out)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_ground_profile ground =
            rcity_terrain_profile(job, in + RCITY_TERRAIN_IN * i, height_m, cover_m, distance_m, item_begin + i);
        rcity_terrain_item(rcity_terrain_link(in + RCITY_TERRAIN_IN * i), ground, out + RCITY_TERRAIN_OUT * i);
    }
}
#endif
