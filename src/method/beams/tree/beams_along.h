/* Vertical edges that rays of an edge come to along walls. Rays along a wall have no width, so no beam meets the edge where
   it ends. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAMS_ALONG_H
#define RCITY_METHOD_BEAMS_TREE_BEAMS_ALONG_H

#include "method/beams/tree/beams_tree.h"

/* Add to the meetings of a node, which begin at `first_meeting`, those without a hit:
   - along the faces of the tree's edge, where they bound the node's beam or what it was reflected from;
   - along walls that begin at an edge which the node meets and lie in its direction.
   Walls that follow each other in a straight line count as one. Whether anything hides these edges is not looked at. */
rcity_status rcity_beams_along_meet(rcity_context *context, const rcity_beams_world *world,
                                    const rcity_beams_tree *tree, int32_t node, size_t first_meeting,
                                    rcity_beams_tree *grown);

/* Beams side by side may meet an edge between them both, by the same walls. Of such meetings of a tree all but one have no
   edge (-1) from then on; the one that is left has a hit, if any has. Meetings that were looked at before stay. */
rcity_status rcity_beams_along_drop_repeated(rcity_context *context, size_t first_meeting, rcity_beams_tree *tree);

#endif
