/* Is a solved path real? Its points must lie on their surfaces and edges, and its legs must run through air. */
#ifndef RCITY_METHOD_IMAGES_PATH_PATH_CHECK_H
#define RCITY_METHOD_IMAGES_PATH_PATH_CHECK_H

#include "method/images/path/trace_path.h"
#include "scene/facets/plan_tree.h"
#include "scene/shape/plan_index.h"
#include "visibility/sight/sight.h"

typedef struct rcity_path_checker {
    const rcity_facet_table *world;
    const rcity_sight *sight;
    const rcity_plan_index *prism_index;
    const rcity_plan_tree *wall_tree; /* of the walls of the world, for transmissions only */
    const rcity_plan_segment *walls;
    int max_transmissions; /* walls and roofs that one path may pass through */
} rcity_path_checker;

/* Check a path. Where transmission is allowed, the passages become events of the path. `found` has room for all walls;
   it may be NULL where transmission is not allowed. Walls between buildings that touch are no surfaces: passing them
   makes no event. The points of a path do not lie on the scene's grid: one on a wall or an edge is moved into the air
   by 1.5 grid units (12 mm) and snapped before a leg is tested. */
bool rcity_path_check(const rcity_path_checker *checker, int32_t *found, rcity_trace_path *path);

/* Put all passages of a path into it whose legs are known to be possible otherwise, without a question to sight.
   @return false where they are more than allowed; the path is then of no use. */
bool rcity_path_pass(const rcity_path_checker *checker, int32_t *found, rcity_trace_path *path);

/* Is a place inside a building, below its roof? */
bool rcity_path_is_inside(const rcity_path_checker *checker, rcity_place3 place);

/* Does a path enter a building at event `index`, a passage? Else it leaves one. */
bool rcity_path_enters(const rcity_facet_table *world, const rcity_trace_path *path, int index);

/* The metres of a path with its passages that lie inside buildings. */
double rcity_path_inside_m(const rcity_facet_table *world, const rcity_trace_path *path);

/* The first half of the check: do the points lie on their surfaces and edges, and do the legs leave them into the air?
   The mirror of event `but` is taken to be larger than it is; -1 for none. */
bool rcity_path_is_sound(const rcity_path_checker *checker, const rcity_trace_path *path, int but);

/* Edges that legs of a path pass so near that sight, on its grid, cannot tell the side; in order along the path. */
#define RCITY_PATH_DETOUR_MAX 8
typedef struct rcity_path_detours {
    int count;
    int leg[RCITY_PATH_DETOUR_MAX]; /* leg i leads to event i */
    rcity_trace_event edge[RCITY_PATH_DETOUR_MAX];
} rcity_path_detours;

/* Add one; those beyond the room are left out, and sight decides about them. */
void rcity_path_detour_add(rcity_path_detours *detours, int leg, const rcity_trace_event *edge);

/* The second half, without transmissions: do the legs run through air? They go around the edges of `detours`. */
bool rcity_path_is_free(const rcity_path_checker *checker, const rcity_trace_path *path,
                        const rcity_path_detours *detours);

/* Move a checked path to other ends: give it the points of the path `exact`, passages included. @return false, and
   change nothing, when that does not meet the same objects in the same order. */
bool rcity_path_move(const rcity_facet_table *world, const rcity_trace_path *exact, rcity_trace_path *path);

/* Where a point of a path lies on the scene's grid. `outward` moves it away from the surface it lies on; NULL where it
   lies on none. */
rcity_grid_point3 rcity_path_snap(const rcity_shapes *shapes, rcity_place3 point, const rcity_place3 *outward);

/* The same for point `index` of a path: -1 is the transmitter, event_count the receiver. Not for the diffracting edges
   of a chain over roofs. */
rcity_grid_point3 rcity_path_snap_event(const rcity_path_checker *checker, const rcity_trace_path *path, int index);

/* Is the roof of a prism open at a place? That is, no higher prism stands there, and none of equal height comes before
   it. */
bool rcity_roof_is_open(const rcity_shapes *shapes, const rcity_plan_index *prism_index, int32_t prism,
                        rcity_grid_point at);

#endif
