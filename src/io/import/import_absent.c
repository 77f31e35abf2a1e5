/* GIS data in a build without GDAL: a sentence instead of a scene. */
#include "base/base.h"
#include "radiocity/import.h"

rcity_status rcity_scene_import(rcity_context *context, const rcity_import_options *options, rcity_scene **scene,
                                rcity_import_report *report)
{
    (void)options;
    (void)scene;
    (void)report;
    return rcity_fail(context, RCITY_ERR_UNSUPPORTED,
                      "cannot import GIS data: this build has no GDAL; install libgdal-dev and build again");
}
