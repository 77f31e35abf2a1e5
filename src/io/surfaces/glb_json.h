/* The JSON of a binary glTF file. */
#ifndef RCITY_IO_SURFACES_GLB_JSON_H
#define RCITY_IO_SURFACES_GLB_JSON_H

#include "io/export/text_block.h"
#include "io/surfaces/glb_layout.h"

/* Describe the scene: a node, a mesh and up to two parts for each kind of tile, and in its `extras` how it was made. */
void rcity_glb_put_json(const rcity_glb_layout *layout, rcity_text_block *text);

/* A part of a colour, sRGB, as glTF wants it: linear. */
double rcity_glb_linear(double part);

#endif
