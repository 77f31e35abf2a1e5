/* The compiled scene. */
#ifndef RCITY_IO_RCITY_FILE_H
#define RCITY_IO_RCITY_FILE_H

#include "radiocity/scene.h"
#include "store/store.h"

#define RCITY_SCENE_FILE_KIND    "scene"
#define RCITY_SCENE_FILE_VERSION 2u /* 2: vegetation, land cover, materials */

/* Terrain of this many nodes and more is used where a mapped file has it, not copied: docs/adr/0039. */
#define RCITY_MAPPED_NODES_MIN ((uint64_t)1 << 22)

/* Read a scene from an open store; rcity_scene_load() without opening the file. The scene takes the store over when it
   uses blocks in place; `*store` is NULL then. */
rcity_status rcity_scene_read(rcity_context *context, const char *name, rcity_store **store, rcity_scene **scene);

#endif
