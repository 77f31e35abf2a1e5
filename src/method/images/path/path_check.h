/* Is a solved path real? Its points lie on their surfaces and edges, its legs run through air. */
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
    int max_transmissions; /* walls and roofs that one path may pass */
} rcity_path_checker;

/* Check a path; where walls may be passed, the passages become events of it. `found` has room for all walls; it may be
   NULL where none may be passed. Walls between buildings that touch are no surfaces: they are passed unseen. The points
   of a path do not lie on the scene's grid: one on a wall or an edge is moved into the air by 1.5 grid units (12 mm)
   and snapped before a leg is tested. */
bool rcity_path_check(const rcity_path_checker *checker, int32_t *found, rcity_trace_path *path);

/* The first half of it: do its points lie on their surfaces and edges, and its legs leave them into the air? The mirror
   of event `but` is taken for larger than it is, -1 for none. */
bool rcity_path_is_sound(const rcity_path_checker *checker, const rcity_trace_path *path, int but);

/* Edges that legs of a path pass so near that sight, on its grid, cannot tell the side. In the order of the way. */
#define RCITY_PATH_DETOUR_MAX 8
typedef struct rcity_path_detours {
    int count;
    int leg[RCITY_PATH_DETOUR_MAX]; /* leg i leads to event i */
    rcity_trace_event edge[RCITY_PATH_DETOUR_MAX];
} rcity_path_detours;

/* Gather one; those beyond the room are left out, and sight decides about them. */
void rcity_path_detour_add(rcity_path_detours *detours, int leg, const rcity_trace_event *edge);

/* The second half without passages: do its legs run through air? They go round the edges of `detours`. */
bool rcity_path_is_free(const rcity_path_checker *checker, const rcity_trace_path *path,
                        const rcity_path_detours *detours);

/* Give a checked path the points of the same path between other ends, the passages included. @return false, and nothing
   is changed, when it does not meet the same things in the same order. */
bool rcity_path_move(const rcity_facet_table *world, const rcity_trace_path *exact, rcity_trace_path *path);

/* Where a point of a path lies on the scene's grid. `outward` moves it away from what it lies on; NULL: it stands free.
   */
rcity_grid_point3 rcity_path_snap(const rcity_shapes *shapes, rcity_place3 point, const rcity_place3 *outward);

/* The same of a point of a path: -1 is the transmitter, event_count the receiver. Not for tops of a chain over roofs. */
rcity_grid_point3 rcity_path_snap_event(const rcity_path_checker *checker, const rcity_trace_path *path, int index);

/* Is the roof of a prism open at a place: no higher prism stands there, nor one as high that comes before it? */
bool rcity_roof_is_open(const rcity_shapes *shapes, const rcity_plan_index *prism_index, int32_t prism,
                        rcity_grid_point at);

#endif
