/* Scenes from the user's paths. */
#ifndef CLI_SCENE_FILES_H
#define CLI_SCENE_FILES_H

#include "radiocity/radiocity.h"

/* Load a compiled scene, or a wall list (.res) with default options. */
rcity_status scene_file_load(rcity_context *context, const char *path, rcity_scene **scene);

/* "2 buildings, 8 walls" on stdout. */
void scene_print_counts(const rcity_scene_info *info);

/* One line on stderr for each kind of repair, unless --quiet. */
void scene_print_repairs(const rcity_scene_info *info);

#endif
