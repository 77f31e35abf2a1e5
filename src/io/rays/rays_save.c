/* Chooses the writer by the ending of the file's name. */
#include "io/rays/rays_save.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t ending_length = strlen(ending);
    return length > ending_length && strcasecmp(path + length - ending_length, ending) == 0;
}

rcity_status rcity_rays_save(rcity_context *context, const rcity_rays *rays, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, rays);
    RCITY_NEED(context, path);
    static const struct {
        const char *ending;
        rcity_status (*save)(rcity_context *context, const rcity_rays *rays, const char *path);
    } writers[] = {
        {".geojson", rcity_rays_save_geojson},
        {".h5", rcity_rays_save_hdf5},
        {".csv", rcity_rays_save_csv},
    };
    assert(context != NULL && rays != NULL && path != NULL);
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if (ends_with(path, writers[i].ending)) {
            return writers[i].save(context, rays, path);
        }
    }
    return rcity_fail(context, RCITY_ERR_ARGUMENT,
                      "'%s' ends in none of .geojson (lines), .h5 (tables of paths) and .csv (receivers)", path);
}
