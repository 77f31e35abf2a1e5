/* HDF5 in a build without it: a sentence instead of a file. */
#include "io/rays_save.h"

rcity_status rcity_rays_save_hdf5(rcity_context *context, const rcity_rays *rays, const char *path)
{
    (void)rays;
    return rcity_fail(
        context, RCITY_ERR_UNSUPPORTED,
        "cannot write '%s': this build has no HDF5; install libhdf5-dev and build again, or write .geojson", path);
}
