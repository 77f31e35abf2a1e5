/* The formats paths are saved in, one writer each. Every file appears whole or not at all. */
#ifndef RCITY_IO_RAYS_RAYS_SAVE_H
#define RCITY_IO_RAYS_RAYS_SAVE_H

#include "base/base.h"
#include "radiocity/rays.h"

/* export/rays_geojson.c */
rcity_status rcity_rays_save_geojson(rcity_context *context, const rcity_rays *rays, const char *path);

/* export/rays_csv.c: the receivers. */
rcity_status rcity_rays_save_csv(rcity_context *context, const rcity_rays *rays, const char *path);

/* hdf5/rays_hdf5.c, or its twin that is absent. */
rcity_status rcity_rays_save_hdf5(rcity_context *context, const rcity_rays *rays, const char *path);

#endif
