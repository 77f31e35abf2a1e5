/* The file formats of paths, one writer each. Every file appears whole or not at all. */
#ifndef RCITY_IO_RAYS_RAYS_SAVE_H
#define RCITY_IO_RAYS_RAYS_SAVE_H

#include "base/base.h"
#include "radiocity/rays.h"

/* rays_geojson.c */
rcity_status rcity_rays_save_geojson(rcity_context *context, const rcity_rays *rays, const char *path);

/* rays_csv.c: the receivers. */
rcity_status rcity_rays_save_csv(rcity_context *context, const rcity_rays *rays, const char *path);

/* rays_hdf5.c, or src/absent/hdf5.c. */
rcity_status rcity_rays_save_hdf5(rcity_context *context, const rcity_rays *rays, const char *path);

#endif
