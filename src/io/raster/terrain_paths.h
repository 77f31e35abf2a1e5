/* The list of elevation rasters: folders and patterns become files, and tiles that lie elsewhere are left out. */
#ifndef RCITY_IO_RASTER_TERRAIN_PATHS_H
#define RCITY_IO_RASTER_TERRAIN_PATHS_H

#include "io/import/import_data.h"

typedef struct rcity_terrain_paths {
    char **paths;
    int count;
    size_t capacity;
} rcity_terrain_paths;

/* List the files that options->terrain_paths name. A folder stands for the rasters in it (by their endings, not those of
   folders in it), a pattern with *, ? or [ for the files it matches; finer .hgt tiles come before coarser ones, then the
   names decide. Tiles of one degree that options->terrain_area_lonlat does not meet are left out. `list` must be all
   zero before.
   @return RCITY_ERR_FILE for a folder that cannot be read or holds no raster, and for a pattern without files;
   RCITY_ERR_FORMAT for a .hgt file whose name does not say where it is; RCITY_ERR_ARGUMENT for tiles of the area that
   are missing while voids are not to be filled: their names. */
rcity_status rcity_terrain_list_paths(rcity_import *import, rcity_terrain_paths *list);
void rcity_terrain_paths_deinit(rcity_context *context, rcity_terrain_paths *list);

/* Is the terrain limited to an area? */
bool rcity_terrain_has_area(const rcity_import_options *options);

/* The largest upright box (west, south, east, north) of the scene's CRS inside options->terrain_area_lonlat. */
rcity_status rcity_terrain_place_area(rcity_import *import, double box_m[4]);

#endif
