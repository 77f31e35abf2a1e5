/* Vector files and elevation models in a build without GDAL: a sentence instead of a file. */
#include "base/base.h"
#include "radiocity/import.h"

static rcity_status refuse(rcity_context *context, const char *path)
{
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot write '%s': this build has no GDAL; install libgdal-dev and build again", path);
}

rcity_status rcity_scene_export(rcity_context *context, const rcity_scene *scene, const char *crs, const char *path)
{
    (void)scene;
    (void)crs;
    return refuse(context, path);
}

rcity_status rcity_scene_export_terrain(rcity_context *context, const rcity_scene *scene, const char *path)
{
    (void)scene;
    return refuse(context, path);
}
