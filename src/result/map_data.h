/* The inside of a map: bands over one raster, with notes on how it was made. */
#ifndef RCITY_RESULT_MAP_DATA_H
#define RCITY_RESULT_MAP_DATA_H

#include "base/base.h"
#include "radiocity/map.h"

/* Create a map without bands. */
rcity_status rcity_map_create(rcity_context *context, const rcity_raster *raster, const char *crs, rcity_map **map);

/* Add a band and hand out its values, all NAN, for filling. `name` and `text` are copied. Borrowed until the map is
   destroyed. */
rcity_status rcity_map_add_band(rcity_map *map, const char *name, const char *unit, const char *text,
                                double rx_height_m, float **value);

/* Note one fact about how the map was made; the order of calls is kept. */
rcity_status rcity_map_add_note(rcity_map *map, const char *key, const char *format, ...) RCITY_PRINTF(3, 4);

/* The value of a note, or NULL. */
const char *rcity_map_find_note(const rcity_map *map, const char *key);

#endif
