/* Which places are under a roof: single places and whole rasters. */
#ifndef RCITY_SCENE_COVER_H
#define RCITY_SCENE_COVER_H

#include "radiocity/radio.h"
#include "scene/shapes.h"

/* For each cell of a raster the highest roof over its centre in scene height, or -INFINITY in the open. Centres are
   snapped to the scene's grid; a centre on a wall belongs to the building north or east of it. */
rcity_status rcity_raster_cover(rcity_context *context, const rcity_shapes *shapes, const rcity_raster *raster,
                                float *roof_m);

/* Centre of a column or row on the scene's grid. */
int32_t rcity_raster_column_x(const rcity_shapes *shapes, const rcity_raster *raster, int64_t column);
int32_t rcity_raster_row_y(const rcity_shapes *shapes, const rcity_raster *raster, int64_t row);

#endif
