/* COST 231 wall lists. */
#ifndef RCITY_IO_RES_H
#define RCITY_IO_RES_H

#include <stddef.h>

#include "radiocity/scene.h"

/* Read a wall list from memory; `name` stands for the path in messages. rcity_res_load() without reading the file. */
rcity_status rcity_res_read(rcity_context *context, const char *name, const char *text, size_t bytes,
                            const rcity_scene_options *options, rcity_scene **scene);

#endif
