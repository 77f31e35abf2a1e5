/* From an antenna to one receiver: distances and heights, the same for every formula. */
#ifndef RCITY_KERNEL_LINK_H
#define RCITY_KERNEL_LINK_H

#include "kernel/portable.h"

/* Formulas in the distance tend to minus infinity at the antenna's foot, those in the height do so on the ground:
   smaller distances and heights are raised to these. Both lie outside every published range, so only extrapolation
   meets them. */
#define RCITY_LINK_DISTANCE_MIN_M 1.0f
#define RCITY_LINK_HEIGHT_MIN_M   0.1f

/* The antenna is the origin in plan. Points are given as differences taken in double precision, so that near ones keep
   their digits. Cells are not: west_m + cell_m * column cancels near the antenna and keeps the rounding of the raster's
   span, 0.0006 m over 16 km, which changes a loss by 0.006 dB at 1 m and by a negligible amount beyond 100 m. Rows run
   from north to south. */
typedef struct rcity_link_frame {
    rcity_i64 column_count;
    float west_m, north_m; /* centre of cell 0 */
    float cell_m;
    float tx_z_m;      /* scene height of the antenna: raster receivers have scene heights, points are relative to it */
    float tx_height_m; /* of the antenna above the ground at its foot */
    float rx_height_m; /* of the raster's receivers above the ground at theirs */
} rcity_link_frame;

/* A receiver of a list: its position relative to the antenna, and its height above ground. z_m is NaN where there is
   none. */
typedef struct rcity_link_point {
    float x_m, y_m, z_m;
    float height_m;
} rcity_link_point;

typedef struct rcity_link {
    float east_m, north_m;          /* of the receiver, from the antenna */
    float plan_m;                   /* distance on the map */
    float distance_m;               /* in space */
    float rise_m;                   /* from the receiver up to the antenna */
    float tx_height_m, rx_height_m; /* above ground */
} rcity_link;

RCITY_KERNEL rcity_link rcity_link_make(float east_m, float north_m, float rise_m, float tx_height_m, float rx_height_m)
{
    rcity_link link;
    link.east_m = east_m;
    link.north_m = north_m;
    link.rise_m = rise_m;
    link.plan_m = rcity_sqrt(east_m * east_m + north_m * north_m);
    link.distance_m = rcity_sqrt(east_m * east_m + north_m * north_m + rise_m * rise_m);
    link.tx_height_m = tx_height_m;
    link.rx_height_m = rx_height_m;
    return link;
}

/* To one cell of a raster; z_m is the receiver's scene height. */
RCITY_KERNEL rcity_link rcity_link_to_cell(rcity_link_frame frame, float z_m, rcity_i64 cell)
{
    float east_m = frame.west_m + frame.cell_m * (float)(cell % frame.column_count);
    float north_m = frame.north_m - frame.cell_m * (float)(cell / frame.column_count);
    return rcity_link_make(east_m, north_m, frame.tx_z_m - z_m, frame.tx_height_m, frame.rx_height_m);
}

/* To one receiver of a list. */
RCITY_KERNEL rcity_link rcity_link_to_point(rcity_link_frame frame, rcity_link_point rx)
{
    return rcity_link_make(rx.x_m, rx.y_m, -rx.z_m, frame.tx_height_m, rx.height_m);
}

#endif
