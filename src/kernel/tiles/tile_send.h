/* What a rough tile sends over roofs: the power that it scatters in the direction in which the path leaves. */
#ifndef RCITY_KERNEL_TILES_TILE_SEND_H
#define RCITY_KERNEL_TILES_TILE_SEND_H

#include "kernel/tiles/roofs/tile_roof_path.h"
#include "kernel/tiles/tile_echo.h"

/* The same path from its other end: it loses the same. */
RCITY_KERNEL rcity_tile_roof_path rcity_tile_roof_path_turn(rcity_tile_roof_path path)
{
    rcity_tile_roof_path back = path;
    back.departure_x = -path.arrival_x;
    back.departure_y = -path.arrival_y;
    back.departure_z = -path.arrival_z;
    back.arrival_x = -path.departure_x;
    back.arrival_y = -path.departure_y;
    back.arrival_z = -path.departure_z;
    return back;
}

/* The power that one cell of a tile brings to a place by a path that begins at the tile, of both polarizations as a
   receiver takes them; 0 where there is no path. A wave keeps its polarization, and its power spreads over the length of
   the path. Near the tile its solid angle is that of a disc of its area. */
RCITY_KERNEL float rcity_tile_send_power(rcity_tile_glow_job job, const rcity_tile_glow *glow, rcity_tile tile,
                                         rcity_tile_roof_path path)
{
    if (rcity_isnan(path.excess_db)) {
        return 0.0f;
    }
    rcity_real3 departure =
        rcity_real3_make((rcity_real)path.departure_x, (rcity_real)path.departure_y, (rcity_real)path.departure_z);
    float area_m2 = 4.0f * tile.half_u * tile.half_v;
    float spread = area_m2 / (path.length_m * path.length_m + area_m2 / RCITY_PI);
    return rcity_tile_glow_pattern(glow, job.bounce.rough, tile, departure) * spread *
           rcity_pow(10.0f, -0.1f * path.excess_db) * (glow->theta * job.rx_share[0] + glow->phi * job.rx_share[1]);
}

/* What such a power adds to the sums of the place. */
RCITY_KERNEL rcity_tile_units_of rcity_tile_send_units(const rcity_tile_glow *glow, rcity_tile_roof_path path,
                                                       float power, rcity_tile_place_scale scale)
{
    return rcity_tile_units_make(scale, power, power * glow->isotropic, glow->length_m + path.length_m, path.arrival_x,
                                 path.arrival_y, path.arrival_z);
}

/* What a path could bring at most that begins so steeply: for finding out which tiles are worth a path. `x`, `y` is the
   offset in plan from the tile to the place. */
#define RCITY_TILE_SEND_RISE 0.34f /* sine of 20 degrees */
#define RCITY_TILE_SEND_RUN  0.94f

RCITY_KERNEL float rcity_tile_send_guess(rcity_tile_glow_job job, const rcity_tile_glow *glow, rcity_tile tile, float x,
                                         float y)
{
    float square_m2 = x * x + y * y;
    float run = square_m2 > 0.0f ? RCITY_TILE_SEND_RUN / rcity_sqrt(square_m2) : 0.0f;
    rcity_real3 departure =
        rcity_real3_make((rcity_real)(x * run), (rcity_real)(y * run), (rcity_real)RCITY_TILE_SEND_RISE);
    float area_m2 = 4.0f * tile.half_u * tile.half_v;
    return rcity_tile_glow_pattern(glow, job.bounce.rough, tile, departure) * area_m2 /
           (square_m2 + area_m2 / RCITY_PI) * (glow->theta * job.rx_share[0] + glow->phi * job.rx_share[1]);
}

#endif
