/* GeoTIFF in a build without GDAL: a sentence instead of a file. */
#include "base/base.h"
#include "radiocity/io.h"

rcity_geotiff_options rcity_geotiff_options_default(void)
{
    return (rcity_geotiff_options){.crs = NULL};
}

rcity_status rcity_map_save_geotiff(rcity_context *context, const rcity_map *map, const rcity_geotiff_options *options,
                                    const char *path)
{
    (void)map;
    (void)options;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot write '%s': this build has no GDAL; install libgdal-dev and build again", path);
}

rcity_status rcity_map_load_geotiff(rcity_context *context, const char *path, rcity_map **map)
{
    (void)map;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot read '%s': this build has no GDAL; install libgdal-dev and build again", path);
}
