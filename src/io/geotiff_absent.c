/* GeoTIFF in a build without GDAL: a sentence instead of a file. */
#include "base/base.h"
#include "radiocity/io.h"

rcity_status rcity_map_save_geotiff(rcity_context *context, const rcity_map *map, const char *path)
{
    (void)map;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot write '%s': this build has no GDAL; install libgdal-dev and build again", path);
}

rcity_status rcity_crs_check(rcity_context *context, const char *crs)
{
    (void)context;
    (void)crs;
    return RCITY_OK;
}
