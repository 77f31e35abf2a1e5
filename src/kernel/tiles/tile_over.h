/* What a path over roofs brings to a receiver, or to a tile that scatters it on. Power without a phase. */
#ifndef RCITY_KERNEL_TILES_TILE_OVER_H
#define RCITY_KERNEL_TILES_TILE_OVER_H

#include "kernel/tiles/roofs/tile_roof_path.h"
#include "kernel/tiles/tile_bounce.h"

/* Power of theta and phi, and the antenna's gain. */
typedef struct rcity_tile_over {
    float theta, phi, gain;
    float length_m;
    rcity_real3 arrival;
} rcity_tile_over;

/* @return 0 where there is no path, or one within the antenna's near field. */
RCITY_KERNEL int rcity_tile_over_make(rcity_tile_bounce bounce, RCITY_GLOBAL const float *antenna_table,
                                      rcity_tile_roof_path path, rcity_tile_over *over)
{
    if (rcity_isnan(path.excess_db) || path.length_m < bounce.limits.far_m) {
        return 0;
    }
    rcity_real3 departure =
        rcity_real3_make((rcity_real)path.departure_x, (rcity_real)path.departure_y, (rcity_real)path.departure_z);
    rcity_jones sent = rcity_mount_field(bounce.link.mount, bounce.link.antenna, antenna_table, departure);
    float spread = rcity_pow(10.0f, -0.1f * path.excess_db) / (path.length_m * path.length_m);
    over->theta = (float)(sent.theta * sent.theta) * spread;
    over->phi = (float)(sent.phi * sent.phi) * spread;
    over->gain = (float)(sent.theta * sent.theta + sent.phi * sent.phi);
    over->length_m = path.length_m;
    over->arrival =
        rcity_real3_make((rcity_real)path.arrival_x, (rcity_real)path.arrival_y, (rcity_real)path.arrival_z);
    return 1;
}

/* A path over one roof was also found as a diffracted ray: the place takes what is more than that. */
RCITY_KERNEL void rcity_tile_over_add(RCITY_GLOBAL rcity_tile_sums *sums, rcity_tile_place_scale scale,
                                      const rcity_tile_over *over, float theta_share, float phi_share)
{
    float whole = over->theta * theta_share + over->phi * phi_share;
    float received = whole - (float)sums->power[RCITY_TILE_DIFFRACTED] / scale.power;
    float bare = over->gain > 0.0f ? 1.0f / over->gain : 0.0f;
    if (received > 0.0f) {
        rcity_tile_sums_add(sums, RCITY_TILE_ROOFS,
                            rcity_tile_units_make(scale, received, received * bare, over->length_m,
                                                  (float)over->arrival.x, (float)over->arrival.y,
                                                  (float)over->arrival.z),
                            1);
    }
}

/* As for sums: the tile takes what is more than it has collected so far, of all rays. `lit` are all of its cells. */
RCITY_KERNEL void rcity_tile_over_light(rcity_tile_bounce bounce, rcity_face face, rcity_tile tile,
                                        rcity_tile_place_scale scale, const rcity_tile_over *over,
                                        RCITY_GLOBAL rcity_tile_lit *lit)
{
    float cos_in = -(float)rcity_real3_dot(over->arrival, rcity_tile_normal(tile));
    if (!(cos_in > 0.0f)) {
        return;
    }
    float share = rcity_tile_rough_share(bounce.rough, face, bounce.link.wavenumber_per_m, cos_in);
    float brought = (over->theta + over->phi) * share * cos_in * scale.power;
    float sum = 0.0f;
    for (rcity_i32 i = 0; i < bounce.rough.depth_count * bounce.rough.cell_count; i++) {
        sum += (float)lit[i].theta + (float)lit[i].phi;
    }
    float rest = brought > 0.0f ? 1.0f - sum / brought : 0.0f;
    if (rest > 0.0f) {
        rcity_tile_lit_add(lit + rcity_tile_lit_cell(bounce.rough, tile, over->arrival), scale, share, cos_in,
                           over->theta * rest, over->phi * rest, over->gain, over->length_m, over->arrival);
    }
}

#endif
