/* A picture of tiles in space. */
#ifndef RCITY_IO_PICTURE_SURFACES_H
#define RCITY_IO_PICTURE_SURFACES_H

#include "io/picture/picture_data.h"
#include "io/picture/surfaces/surface_view.h"
#include "io/surfaces/surface_paint.h"

#define RCITY_PICTURE_MAST_POINTS 33 /* at which it is found whether the mast is seen */

typedef struct rcity_picture_surfaces {
    const rcity_surfaces *surfaces;
    const rcity_surfaces_draw_options *options;
    rcity_surface_paint paint;
    rcity_surface_view view;
    rcity_transmitter mark;                  /* of the picture's options; its place is in the plane of the picture */
    double west_m, south_m, east_m, north_m; /* of all tiles, in plan */
    int64_t count_of[RCITY_SURFACE_COUNT];
    bool has_mast;                             /* the transmitter stands over a roof or the ground */
    double foot_z_m;                           /* there */
    bool is_hidden[RCITY_PICTURE_MAST_POINTS]; /* from the foot to the transmitter, which is the last */
} rcity_picture_surfaces;

/* picture_surfaces.c: the page's bounds are in the plane of the picture, `west_m` to the left and `south_m` below. */
rcity_status rcity_picture_measure_surfaces(rcity_picture *picture);
rcity_status rcity_picture_draw_surfaces(rcity_picture *picture);
bool rcity_picture_is_mast_hidden(const rcity_picture *picture); /* its top */

/* The colour of a wall that leans to the left (-1) to right (1) as it is seen. */
rcity_colour rcity_picture_light_wall(rcity_colour colour, double lean);

/* picture_surface_tiles.c: fill the frame; the surface must be flushed before, and marked dirty after. */
rcity_status rcity_picture_draw_tiles(rcity_picture *picture);

/* picture_surface_labels.c */
void rcity_picture_make_surface_words(rcity_picture *picture);

#endif
