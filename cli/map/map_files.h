/* Maps from files, and bands by the user's words. */
#ifndef CLI_MAP_FILES_H
#define CLI_MAP_FILES_H

#include "radiocity/radiocity.h"

/* Index of a band: `wish` is its number from 1, its name, or name@height ("received_power@10"); NULL: received_power,
   else path_loss, else the first. `path` names the map in the message.
   @return 0, or an exit status after a message that lists the bands. */
int map_band_find(const char *command, const rcity_map *map, const char *path, const char *wish, int *band_index);

/* "received_power at 10 m", or only the name if no height is known. Returns `text`. */
char *map_band_text(const rcity_band *band, char *text, size_t room);

/* The unit of the raster's cells: "m", or the unit that the file states. */
const char *map_cell_unit(const rcity_map *map);

#endif
