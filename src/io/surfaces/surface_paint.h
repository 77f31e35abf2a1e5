/* The colours of tiles: those that pictures of maps give to the same values. */
#ifndef RCITY_IO_SURFACES_SURFACE_PAINT_H
#define RCITY_IO_SURFACES_SURFACE_PAINT_H

#include "io/picture/picture_values.h"
#include "radiocity/surfaces.h"

typedef struct rcity_surface_paint {
    bool has_band;   /* surfaces may have none: then no tile has a value */
    rcity_band band; /* borrowed from the surfaces */
    rcity_picture_values values;
} rcity_surface_paint;

/* Choose the band and the ends of its colours. @return RCITY_ERR_ARGUMENT for a band that does not exist and ends that
   are no range. */
rcity_status rcity_surface_paint_init(rcity_context *context, const rcity_surfaces *surfaces,
                                      const rcity_surfaces_save_options *options, rcity_surface_paint *paint);

/* Has a tile a value in this band? */
bool rcity_surface_paint_has_value(const rcity_surface_paint *paint, int64_t tile_index);

/* The colour of a tile; grey without a value. */
rcity_colour rcity_surface_paint_colour(const rcity_surface_paint *paint, int64_t tile_index);
rcity_colour rcity_surface_paint_missing(void);

#endif
