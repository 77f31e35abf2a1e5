/* What paths still need of a tree that is grown: most of the walls that its beams met led nowhere. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAMS_COMPACT_H
#define RCITY_METHOD_BEAMS_TREE_BEAMS_COMPACT_H

#include "method/beams/tree/beams_tree.h"

/* Drop the hits that no beam and no meeting with an edge goes on from, and the passed walls that only they name; give the
   rest of the memory back. The tree cannot grow any more. */
rcity_status rcity_beams_tree_compact(rcity_context *context, rcity_beams_tree *tree);

#endif
