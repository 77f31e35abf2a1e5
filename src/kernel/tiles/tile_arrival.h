/* What a tube brings to a place: the field in a receiver's ports, with the transmitter's antenna. */
#ifndef RCITY_KERNEL_TILES_TILE_ARRIVAL_H
#define RCITY_KERNEL_TILES_TILE_ARRIVAL_H

#include "kernel/tiles/tile_channel.h"

/* A transmitter and the polarization of its receivers; numbers only. */
typedef struct rcity_tile_link {
    float x, y, z; /* of the transmitter, as tiles have it */
    rcity_mount mount;
    rcity_antenna_job antenna;
    rcity_real wavenumber_per_m;
    rcity_i32 rx_polarization; /* RCITY_RX_VERTICAL ... */
} rcity_tile_link;

/* Fields over that of an isotropic source at 1 m: a receiver's power is (wavelength / 4 pi)^2 times their squares. */
typedef struct rcity_tile_arrival {
    rcity_complex port[2];             /* with the gain of the transmitter's antenna */
    rcity_real theta_power, phi_power; /* of the arriving field, whatever the receiver takes of it */
    rcity_real antenna_gain;           /* in the direction of departure */
    rcity_real length_m;
    rcity_real3 travel; /* direction in which it arrives */
} rcity_tile_arrival;

/* What a tube brings along its path; `to_surface`: to a tile or an edge, not to a receiver. Inlined it made kernels that
   read outside their buffers with NVIDIA's driver 580; without optimization, or called, they are right. */
RCITY_KERNEL_CALLED void rcity_tile_arrive_along(rcity_tile_world world, rcity_tile_faces_table table,
                                                 rcity_tile_link link, RCITY_GLOBAL const float *antenna_table,
                                                 const rcity_tube *tube, const rcity_tile_path *path, int to_surface,
                                                 rcity_tile_arrival *arrival)
{
    rcity_tile_channel channel = rcity_tile_channel_make(world, table, tube, path, to_surface);
    rcity_jones sent = rcity_mount_field(link.mount, link.antenna, antenna_table, channel.departure);
    rcity_real turns = channel.length_m * link.wavenumber_per_m / (RCITY_REAL(2.0) * RCITY_REAL_PI);
    rcity_complex phase =
        rcity_complex_polar(RCITY_REAL(1.0), RCITY_REAL(-2.0) * RCITY_REAL_PI * (turns - rcity_real_floor(turns)));
    rcity_complex field[2];
    for (int i = 0; i < 2; i++) {
        rcity_complex sum = rcity_complex_add(rcity_complex_scale(channel.transfer.m[i][0], sent.theta),
                                              rcity_complex_scale(channel.transfer.m[i][1], sent.phi));
        field[i] = rcity_complex_multiply(sum, phase);
    }
    rcity_receive(link.rx_polarization, field[0], field[1], arrival->port);
    arrival->theta_power = rcity_complex_square(field[0]);
    arrival->phi_power = rcity_complex_square(field[1]);
    arrival->antenna_gain = sent.theta * sent.theta + sent.phi * sent.phi;
    arrival->length_m = channel.length_m;
    arrival->travel = channel.arrival;
}

RCITY_KERNEL rcity_real3 rcity_tile_link_place(rcity_tile_link link)
{
    return rcity_real3_make((rcity_real)link.x, (rcity_real)link.y, (rcity_real)link.z);
}

/* The same from the start. `to` is the place; @return 0 where the tube has no path to it. */
RCITY_KERNEL int rcity_tile_arrive(rcity_tile_world world, rcity_tile_faces_table table, rcity_tile_link link,
                                   RCITY_GLOBAL const float *antenna_table, const rcity_tube *tube, rcity_real3 to,
                                   int to_surface, rcity_tile_arrival *arrival)
{
    rcity_tile_path path;
    if (!rcity_tile_path_make(world, tube, rcity_tile_link_place(link), to, &path)) {
        return 0;
    }
    rcity_tile_arrive_along(world, table, link, antenna_table, tube, &path, to_surface, arrival);
    return 1;
}

#endif
