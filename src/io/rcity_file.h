/* The compiled scene. */
#ifndef RCITY_IO_RCITY_FILE_H
#define RCITY_IO_RCITY_FILE_H

#include "radiocity/scene.h"
#include "store/store.h"

#define RCITY_SCENE_FILE_KIND    "scene"
#define RCITY_SCENE_FILE_VERSION 2u /* 2: vegetation, land cover, materials */

/* Read a scene from an open store; rcity_scene_load() without opening the file. */
rcity_status rcity_scene_read(rcity_context *context, const char *name, const rcity_store *store, rcity_scene **scene);

#endif
