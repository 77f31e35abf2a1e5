/* HDF5 in a build without it: an error message instead of a file. */
#include "absent/absent.h"
#include "io/rays/rays_save.h"
#include "io/surfaces/surfaces_save.h"
#include "radiocity/delays.h"

rcity_status rcity_rays_save_hdf5(rcity_context *context, const rcity_rays *rays, const char *path)
{
    (void)rays;
    return rcity_refuse_absent(context, "HDF5", "libhdf5-dev", "write", path, "write .geojson");
}

rcity_status rcity_surfaces_save_hdf5(rcity_context *context, const rcity_surfaces *surfaces,
                                      const rcity_surface_paint *paint, const char *path)
{
    (void)surfaces;
    (void)paint;
    return rcity_refuse_absent(context, "HDF5", "libhdf5-dev", "write", path, "write .csv, .ply or .glb");
}

rcity_status rcity_delays_save_hdf5(rcity_context *context, const rcity_delays *delays, const char *path)
{
    (void)delays;
    return rcity_refuse_absent(context, "HDF5", "libhdf5-dev", "write", path, NULL);
}

rcity_status rcity_delays_load_hdf5(rcity_context *context, const char *path, rcity_delays **delays)
{
    (void)delays;
    return rcity_refuse_absent(context, "HDF5", "libhdf5-dev", "read", path, NULL);
}
