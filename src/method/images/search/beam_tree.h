/* Where rays from a source can get by reflections alone: a tree of beams over the plan, unfolded at each wall, and the
   edges that each beam meets. The tree is conservative and deterministic: a beam that carries no ray may be kept, one
   that carries a ray is never dropped. Level mirrors (ground and roofs) do not change a beam in plan. Rays that bounce
   off them stay below the straight ones, so what is hidden from those is hidden from them. */
#ifndef RCITY_METHOD_IMAGES_SEARCH_BEAM_TREE_H
#define RCITY_METHOD_IMAGES_SEARCH_BEAM_TREE_H

#include "scene/facets/facet_table.h"
#include "visibility/horizon.h"

#define RCITY_REFLECTION_MAX 8 /* the largest number of reflections of a path */

/* One beam: an image of the source behind a window. */
typedef struct rcity_beam {
    rcity_plan_segment source; /* a point has equal ends */
    rcity_plan_segment window; /* part of the wall that reflects it; first end to the right, seen from the source */
    int32_t wall;              /* that wall; -1: the source itself, all around */
    int32_t parent;
    int32_t depth; /* reflections so far */
} rcity_beam;

/* An edge that a beam meets. */
typedef struct rcity_meeting {
    int32_t facet_edge, beam;
} rcity_meeting;

/* What beams can meet, prepared once. */
typedef struct rcity_reach_world {
    const rcity_facet_table *world;
    rcity_plan_segment *walls; /* of each wall */
    rcity_plan_tree wall_tree;
    rcity_plan_segment *vertical_edges; /* each a point of the plan */
    rcity_plan_tree vertical_edge_tree;
    bool sees_through; /* rays may pass through walls: nothing is hidden */
} rcity_reach_world;

rcity_status rcity_reach_world_init(rcity_context *context, const rcity_facet_table *world, bool sees_through,
                                    rcity_reach_world *reach_world);
void rcity_reach_world_deinit(rcity_context *context, rcity_reach_world *reach_world);

/* An entry of a sweep's heap: a node of a tree, a wall or a vertical edge. */
typedef struct rcity_sweep_entry {
    double distance_m;
    int kind;
    rcity_horizon_extent extent;
} rcity_sweep_entry;

/* A heap, least distance first; at equal distances the lower kind, then the lower item, so that the order is always the
   same. */
typedef struct rcity_sweep_heap {
    rcity_sweep_entry *entries;
    size_t count, capacity;
} rcity_sweep_heap;

/* Rays keep their slope at a vertical edge: behind it they seem to start at an eye. */
typedef struct rcity_reach_eye {
    double z;
    double behind_m;
    double slope_least, slope_most; /* of rays that pass the edge between its ends */
} rcity_reach_eye;

/* A tree and its meetings, sorted by edge, and the scratch memory to build it. Grows as needed, kept between builds. */
typedef struct rcity_reach {
    rcity_beam *beams;
    size_t beam_count, beam_capacity;
    rcity_meeting *meetings;
    size_t meeting_count, meeting_capacity;

    rcity_reach_eye eye;
    rcity_status (*pause)(void *user, double done, double total); /* called now and then; its failure ends the build */
    void *pause_user;
    rcity_horizon horizon;
    rcity_sweep_heap waiting, passing;
    int32_t *found;
    int32_t *walls, *vertical_edges; /* what the current beam sees, by number */
    int32_t wall_count, vertical_edge_count;
} rcity_reach;

rcity_status rcity_reach_init(rcity_context *context, const rcity_reach_world *reach_world, rcity_reach *reach);
void rcity_reach_deinit(rcity_context *context, rcity_reach *reach);

/* Which edges to meet: edge e at depths up to depth[e], -1 for never. NULL: all edges at all depths. `listed` holds the
   edges with depth 0 or more, and the tree their places in plan. */
typedef struct rcity_reach_filter {
    const int8_t *depth;
    const int32_t *listed;
    const rcity_plan_tree *listed_tree;
} rcity_reach_filter;

/* Where an edge lies in plan: a vertical one is a point. */
const rcity_plan_segment *rcity_reach_edge_plan(const rcity_reach_world *reach_world, int32_t facet_edge);

/* Build the tree from a vertical edge in plan, as seen from an eye, to a depth; without meetings. */
rcity_status rcity_reach_build_behind(rcity_context *context, const rcity_reach_world *reach_world, double x, double y,
                                      const rcity_reach_eye *eye, int depth, rcity_reach *reach);

/* Build the tree from a source, a point or a level segment in plan, no higher than z, to a depth. With `meets_edges` it
   has meetings as well. */
rcity_status rcity_reach_build(rcity_context *context, const rcity_reach_world *reach_world, rcity_plan_segment source,
                               double z, int depth, bool meets_edges, const rcity_reach_filter *filter,
                               rcity_reach *reach);

/* The same tree, in the same order, without a filter, on all threads of the context: for the transmitter's own tree.
   The caller's thread calls `reach->pause`. */
rcity_status rcity_reach_build_wide(rcity_context *context, const rcity_reach_world *reach_world,
                                    rcity_plan_segment source, double z, int depth, bool meets_edges,
                                    rcity_reach *reach);

/* For both builds: what one beam of a tree sees. It is mirrored there unless its depth is `max_depth`, and the new
   beams are appended. */
rcity_status rcity_reach_expand(rcity_context *context, const rcity_reach_world *reach_world, size_t beam_index,
                                double z, int max_depth, bool meets_edges, const rcity_reach_filter *filter,
                                rcity_reach *reach);
void rcity_reach_sort_meetings(rcity_reach *reach);

/* The region of the plan that a beam can reach. */
rcity_region rcity_beam_region(const rcity_facet_table *world, const rcity_beam *beam);

/* A beam reflected off the part of a wall in its region, where it meets the wall's front. @return false when it does
   not. */
bool rcity_beam_reflect(const rcity_reach_world *reach_world, const rcity_beam *beam, int32_t beam_index,
                        int32_t wall_index, const rcity_region *region, rcity_beam *child);

/* Can a beam reach a place? */
bool rcity_beam_contains(const rcity_facet_table *world, const rcity_beam *beam, double x, double y);

/* The walls that reflected a beam, in order from the source. */
int rcity_beam_walls(const rcity_beam *beams, int32_t beam, int32_t walls[RCITY_REFLECTION_MAX]);

/* The first meeting of an edge, and the one after its last, in sorted meetings. */
void rcity_reach_find(const rcity_reach *reach, int32_t facet_edge, size_t *first, size_t *end);

#endif
