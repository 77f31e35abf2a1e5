/* What a rough tile scatters, on its way: straight to a place, or reflected off other tiles. Power only. */
#ifndef RCITY_KERNEL_TILES_TILE_ECHO_H
#define RCITY_KERNEL_TILES_TILE_ECHO_H

#include "kernel/tiles/tile_bounce.h"

/* A source of scattered power, seen in mirrors. */
typedef struct rcity_tile_echo {
    float sx, sy, sz;      /* the centre of the tile, unfolded */
    rcity_i32 source;      /* the tile */
    rcity_u32 cells;       /* bit c: its cell c is worth following */
    rcity_i32 event_count; /* reflections so far */
    rcity_i32 event[RCITY_TUBE_EVENT_MAX];
} rcity_tile_echo;

/* What scattered waves of a transmitter have in common. */
typedef struct rcity_tile_glow_job {
    rcity_tile_bounce bounce;
    float rx_share[2]; /* of the power, theta and phi, that a receiver takes */
    rcity_i32 tile_count;
} rcity_tile_glow_job;

/* Glows of all tiles: those of rays that may be reflected `again` more times, by cell. */
RCITY_KERNEL rcity_i64 rcity_tile_glow_index(rcity_tile_glow_job job, rcity_i32 again, rcity_i32 cell, rcity_i32 tile)
{
    return ((rcity_i64)again * job.bounce.rough.cell_count + cell) * job.tile_count + tile;
}

/* How often power that a tile scatters may be reflected, at most: an event each before it was scattered, for that, and
   for each reflection. */
RCITY_KERNEL rcity_i32 rcity_tile_glow_again_max(rcity_tile_bounce bounce)
{
    rcity_i32 most = bounce.rough.depth_count - 1;
    return most < bounce.limits.max_reflections ? most : bounce.limits.max_reflections;
}

/* The power that leaves a tile towards its strongest direction, over that of an isotropic source: at the distance
   where its density is `power_min`, it is not reflected any more. 0 for one that is dark. */
RCITY_KERNEL float rcity_tile_glow_whole(const rcity_tile_glow *glow, rcity_tile tile)
{
    return (glow->theta + glow->phi) * 4.0f * tile.half_u * tile.half_v * glow->per_lobe;
}

RCITY_KERNEL rcity_tile_glow rcity_tile_glow_none(void)
{
    rcity_tile_glow glow;
    glow.theta = glow.phi = glow.isotropic = glow.length_m = glow.per_lobe = 0.0f;
    glow.travel = rcity_real3_make(RCITY_REAL(0.0), RCITY_REAL(0.0), RCITY_REAL(0.0));
    return glow;
}

RCITY_KERNEL int rcity_tile_glow_is_lit(const rcity_tile_glow *glow)
{
    return glow->theta + glow->phi > 0.0f;
}

/* Is power of `whole` worth reflecting at a tile that it reaches from a place? */
RCITY_KERNEL int rcity_tile_glow_goes_on(rcity_tile_limits limits, float whole, float sx, float sy, float sz, float x,
                                         float y, float z)
{
    float dx = x - sx;
    float dy = y - sy;
    float dz = z - sz;
    return whole > 0.0f && whole >= limits.power_min * (dx * dx + dy * dy + dz * dz);
}

/* What arrives straight from a tile, by its reach of the place. A wave keeps its polarization: theta arrives as theta.
   */
RCITY_KERNEL rcity_tile_units_of rcity_tile_glow_straight(rcity_tile_glow_job job, const rcity_tile_glow *glow,
                                                          rcity_tile tile, rcity_tile_reach reach, rcity_real3 to,
                                                          rcity_tile_place_scale scale)
{
    float length_m = (float)rcity_real3_length(rcity_real3_subtract(to, rcity_tile_centre(tile)));
    float power = reach.power * (glow->theta * job.rx_share[0] + glow->phi * job.rx_share[1]);
    float per_power = reach.power > 0.0f ? 1.0f / reach.power : 0.0f;
    return rcity_tile_units_make(scale, power, power * glow->isotropic, glow->length_m + length_m,
                                 (float)reach.flux.x * per_power, (float)reach.flux.y * per_power,
                                 (float)reach.flux.z * per_power);
}

/* The tube of an echo, and the tube's channel to a place. @return 0 where it does not get there. */
RCITY_KERNEL int rcity_tile_echo_channel(rcity_tile_world world, rcity_tile_faces_table table,
                                         const rcity_tile_echo *echo, rcity_real3 to, rcity_tile_channel *channel)
{
    rcity_tile_path path;
    rcity_real3 centre = rcity_tile_centre(world.tiles[echo->source]);
    rcity_tube tube = rcity_tube_make(centre);
    tube.event_count = echo->event_count;
    for (int i = 0; i < RCITY_TUBE_EVENT_MAX; i++) {
        tube.event[i] = echo->event[i];
    }
    if (!rcity_tile_path_make(world, &tube, centre, to, &path)) {
        return 0;
    }
    *channel = rcity_tile_channel_make(world, table, &tube, &path, 0); /* echoes meet no edges */
    return 1;
}

/* What a cell of the source brings to a place. Near the tile its solid angle is that of a disc of its area. */
RCITY_KERNEL rcity_tile_units_of rcity_tile_echo_units(rcity_tile_glow_job job, const rcity_tile_glow *glow,
                                                       rcity_tile tile, const rcity_tile_channel *channel,
                                                       rcity_tile_place_scale scale)
{
    float area_m2 = 4.0f * tile.half_u * tile.half_v;
    float length_m = (float)channel->length_m;
    float square_m2 = length_m * length_m;
    float sent = rcity_tile_glow_pattern(glow, job.bounce.rough, tile, channel->departure) * area_m2 * square_m2 /
                 (square_m2 + area_m2 / RCITY_PI);
    float part[2];
    for (int i = 0; i < 2; i++) {
        part[i] = sent * ((float)rcity_complex_square(channel->transfer.m[i][0]) * glow->theta +
                          (float)rcity_complex_square(channel->transfer.m[i][1]) * glow->phi);
    }
    float power = part[0] * job.rx_share[0] + part[1] * job.rx_share[1];
    return rcity_tile_units_make(scale, power, power * glow->isotropic, glow->length_m + length_m,
                                 (float)channel->arrival.x, (float)channel->arrival.y, (float)channel->arrival.z);
}

/* An echo before any reflection. */
RCITY_KERNEL rcity_tile_echo rcity_tile_echo_make(rcity_tile tile, rcity_i32 number, rcity_u32 cells)
{
    rcity_tile_echo echo;
    echo.sx = tile.x;
    echo.sy = tile.y;
    echo.sz = tile.z;
    echo.source = number;
    echo.cells = cells;
    echo.event_count = 0;
    for (int i = 0; i < RCITY_TUBE_EVENT_MAX; i++) {
        echo.event[i] = 0;
    }
    return echo;
}

RCITY_KERNEL rcity_tile_echo rcity_tile_echo_reflect(rcity_tile_echo echo, rcity_tile tile, rcity_i32 number)
{
    rcity_real3 source =
        rcity_tile_mirror(tile, rcity_real3_make((rcity_real)echo.sx, (rcity_real)echo.sy, (rcity_real)echo.sz));
    echo.sx = (float)source.x;
    echo.sy = (float)source.y;
    echo.sz = (float)source.z;
    echo.event[echo.event_count++] = number;
    return echo;
}

/* The cells of an echo that are worth reflecting at a tile that it reaches. */
RCITY_KERNEL rcity_u32 rcity_tile_echo_cells(rcity_tile_glow_job job, RCITY_GLOBAL const rcity_tile_glow *glows,
                                             const rcity_tile_echo *echo, rcity_tile source, rcity_tile at)
{
    rcity_u32 cells = 0;
    rcity_i32 again = echo->event_count + 1;
    if (again > rcity_tile_glow_again_max(job.bounce)) {
        return 0;
    }
    for (rcity_i32 cell = 0; cell < job.bounce.rough.cell_count; cell++) {
        if ((echo->cells >> cell & 1) != 0) {
            rcity_tile_glow glow = glows[rcity_tile_glow_index(job, again, cell, echo->source)];
            float whole = rcity_tile_glow_whole(&glow, source);
            cells |= (rcity_u32)rcity_tile_glow_goes_on(job.bounce.limits, whole, echo->sx, echo->sy, echo->sz, at.x,
                                                        at.y, at.z)
                     << cell;
        }
    }
    return cells;
}

/* What an echo brings to a place, of all its cells that are worth it. @return how many. */
RCITY_KERNEL rcity_i64 rcity_tile_echo_take(rcity_tile_glow_job job, rcity_tile_world world,
                                            rcity_tile_faces_table table, RCITY_GLOBAL const rcity_tile_glow *glows,
                                            const rcity_tile_echo *echo, rcity_real3 to, rcity_tile_place_scale scale,
                                            RCITY_GLOBAL rcity_tile_sums *sums)
{
    rcity_tile_channel channel;
    rcity_tile_units_of sum = rcity_tile_units_none();
    rcity_i64 count = 0;
    if (rcity_tile_echo_channel(world, table, echo, to, &channel)) {
        rcity_tile source = world.tiles[echo->source];
        for (rcity_i32 cell = 0; cell < job.bounce.rough.cell_count; cell++) {
            if ((echo->cells >> cell & 1) != 0) {
                rcity_tile_glow glow = glows[rcity_tile_glow_index(job, echo->event_count, cell, echo->source)];
                rcity_tile_units_add(&sum, rcity_tile_echo_units(job, &glow, source, &channel, scale));
                count++;
            }
        }
        rcity_tile_sums_add(sums, RCITY_TILE_SCATTERED, sum, count);
    }
    return count;
}

/* The echo of a tile in its first mirror, with the cells for which that is worth it. */
RCITY_KERNEL rcity_tile_echo rcity_tile_echo_first(rcity_tile_glow_job job, rcity_tile_world world,
                                                   RCITY_GLOBAL const rcity_tile_glow *glows, rcity_i32 source,
                                                   rcity_i32 mirror)
{
    rcity_tile from = world.tiles[source];
    rcity_tile at = world.tiles[mirror];
    rcity_u32 all = ((rcity_u32)1 << job.bounce.rough.cell_count) - 1;
    rcity_tile_echo echo = rcity_tile_echo_make(from, source, all);
    echo.cells = rcity_tile_echo_cells(job, glows, &echo, from, at);
    return rcity_tile_echo_reflect(echo, at, mirror);
}

/* Reflect an echo off a tile that it reaches. @return 0 where that is not worth it. */
RCITY_KERNEL int rcity_tile_echo_go_on(rcity_tile_glow_job job, rcity_tile_world world,
                                       RCITY_GLOBAL const rcity_tile_glow *glows, rcity_tile_echo *echo,
                                       rcity_i32 number)
{
    rcity_tile at = world.tiles[number];
    echo->cells = rcity_tile_echo_cells(job, glows, echo, world.tiles[echo->source], at);
    if (echo->cells == 0) {
        return 0;
    }
    *echo = rcity_tile_echo_reflect(*echo, at, number);
    return 1;
}

/* The sources that the cells of a tile are, for rays that may be reflected again 0, 1, ... times; and of each the
   largest power of all cells. `lit` are all cells of the tile; NULL on the host for a smooth one. */
RCITY_KERNEL void rcity_tile_glows_fill(rcity_tile_glow_job job, rcity_tile tile, rcity_i32 number, int is_rough,
                                        RCITY_GLOBAL const rcity_tile_lit *lit, RCITY_GLOBAL rcity_tile_glow *glows,
                                        RCITY_GLOBAL float *whole)
{
    rcity_tile_rough rough = job.bounce.rough;
    rcity_tile_place_scale scale = rcity_tile_scale_of(job.bounce.link, job.bounce.gain, rcity_tile_centre(tile));
    for (rcity_i32 again = 0; again <= rcity_tile_glow_again_max(job.bounce); again++) {
        float most = 0.0f;
        for (rcity_i32 cell = 0; cell < rough.cell_count; cell++) {
            rcity_tile_glow glow = rcity_tile_glow_none();
            if (is_rough && rcity_tile_glow_make(lit + cell, rough.depth_count - again, rough.cell_count, scale, rough,
                                                 tile, &glow)) {
                most = rcity_fmax(most, rcity_tile_glow_whole(&glow, tile));
            }
            glows[rcity_tile_glow_index(job, again, cell, number)] = glow;
        }
        whole[(rcity_i64)again * job.tile_count + number] = most;
    }
}

/* What all cells of a tile send straight to a receiver. @return of how many cells anything arrives. */
RCITY_KERNEL rcity_i64 rcity_tile_straight_to_place(rcity_tile_glow_job job, RCITY_GLOBAL const rcity_tile_glow *glows,
                                                    rcity_tile tile, rcity_i32 number, rcity_real3 to,
                                                    rcity_tile_place_scale scale, rcity_tile_units_of *sum)
{
    rcity_i64 count = 0;
    for (rcity_i32 cell = 0; cell < job.bounce.rough.cell_count; cell++) {
        rcity_tile_glow glow = glows[rcity_tile_glow_index(job, 0, cell, number)];
        if (rcity_tile_glow_is_lit(&glow)) {
            rcity_tile_reach reach = rcity_tile_glow_reach(&glow, job.bounce.rough, tile, to);
            if (reach.power > 0.0f) {
                rcity_tile_units_add(sum, rcity_tile_glow_straight(job, &glow, tile, reach, to, scale));
                count++;
            }
        }
    }
    return count;
}

/* And to another tile. */
RCITY_KERNEL rcity_i64 rcity_tile_straight_to_tile(rcity_tile_glow_job job, RCITY_GLOBAL const rcity_tile_glow *glows,
                                                   rcity_tile tile, rcity_i32 number, rcity_tile target,
                                                   rcity_tile_place_scale scale, rcity_tile_units_of *sum)
{
    rcity_i64 count = 0;
    for (rcity_i32 cell = 0; cell < job.bounce.rough.cell_count; cell++) {
        rcity_tile_glow glow = glows[rcity_tile_glow_index(job, 0, cell, number)];
        if (rcity_tile_glow_is_lit(&glow)) {
            rcity_tile_reach reach = rcity_tile_glow_reach_tile(&glow, job.bounce.rough, tile, target);
            if (reach.power > 0.0f) {
                rcity_tile_units_add(
                    sum, rcity_tile_glow_straight(job, &glow, tile, reach, rcity_tile_centre(target), scale));
                count++;
            }
        }
    }
    return count;
}

#endif
