/* The walls and vertical edges of a scene as beams meet them, prepared once. */
#ifndef RCITY_METHOD_BEAMS_WORLD_H
#define RCITY_METHOD_BEAMS_WORLD_H

#include "method/beams/beams_cells.h"
#include "scene/facets/facet_table.h"

/* An item at a corner of the scene's grid. */
typedef struct rcity_beams_corner {
    int32_t x, y; /* grid units */
    int32_t item;
} rcity_beams_corner;

typedef struct rcity_beams_world {
    const rcity_facet_table *facets; /* borrowed */
    rcity_plan_segment *walls;       /* the plan of each wall */
    rcity_plan_tree wall_tree;
    rcity_beams_cells cells;
    int32_t *edge_first; /* the vertical edges at end k of wall w: edge_of[edge_first[2 w + k]] and so on */
    int32_t *edge_of;
    rcity_beams_corner *ends; /* end k of wall w at its corner as item 2 w + k, sorted by corners */
    int64_t end_count;
    double x_min, y_min, x_max, y_max; /* of all walls */
} rcity_beams_world;

rcity_status rcity_beams_world_init(rcity_context *context, const rcity_facet_table *facets, rcity_beams_world *world);
void rcity_beams_world_deinit(rcity_context *context, rcity_beams_world *world);

/* Does a wall begin at the ground? Else it stands on the roof of a lower building, which rays below it do not leave. */
static inline bool rcity_beams_world_is_grounded(const rcity_beams_world *world, int32_t wall)
{
    const double rounding_m = 1e-3;
    const rcity_mirror *mirror = &world->facets->mirrors[wall];
    const rcity_shapes *shapes = world->facets->shapes;
    return mirror->bottom <= (double)shapes->prisms[mirror->prism].ground / RCITY_HEIGHT_UNITS_PER_M + rounding_m;
}
/* The ends of walls at a corner. @return how many. */
int64_t rcity_beams_world_ends(const rcity_beams_world *world, rcity_grid_point corner,
                               const rcity_beams_corner **ends);

/* The vertical edges at one end of a wall. */
static inline int32_t rcity_beams_world_edges(const rcity_beams_world *world, int32_t wall, int end,
                                              const int32_t **edges)
{
    int32_t first = world->edge_first[2 * wall + end];
    *edges = world->edge_of + first;
    return world->edge_first[2 * wall + end + 1] - first;
}

#endif
