/* All beams of one source, a transmitter or a vertical edge: what it sees, and what is seen in the walls that reflect
   it, to a number of reflections. A beam is divided, exactly, into parts that end at different walls; each part that
   meets the front of a wall continues as a beam of its own, from the mirrored source, and on request behind the wall, from
   the same source. The paper's two levels of its tree are these: nodes, and their parts. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAMS_TREE_H
#define RCITY_METHOD_BEAMS_TREE_BEAMS_TREE_H

#include "method/beams/tree/beam_sight.h"
#include "method/beams/tree/beam_strength.h"

#define RCITY_BEAMS_REFLECTION_MAX 8

/* A beam: the source or an image of it, behind a window. */
typedef struct rcity_beams_node {
    double x, y;
    rcity_plan_segment window; /* its right end first, as seen from the source */
    int32_t parent;            /* -1: one of the sectors around the source itself */
    int32_t hit;               /* the hit of its parent that it goes on from */
    int32_t wall;              /* that reflects it, or that it goes through; -1 */
    int32_t depth;             /* reflections */
    int16_t transmissions;     /* walls that it goes through, at least */
    bool passes;               /* its wall, with the source of its parent, instead of being reflected */
    double stop_m;             /* walls this high stop it: none of its rays is higher */
    int32_t part_first, part_count;
    int32_t hit_first, hit_count;
    float loss_db;          /* that its walls take at least */
    float near_m;           /* from its source to its window, at least */
    float from_rad, to_rad; /* how the rays of its right and left edge left the source: of an edge, from face o on */
    double least_m; /* no receiver nearer than this to its source, unfolded, has a ray that was high enough before */
    double reach_m; /* no receiver farther than this from its source, unfolded, has a ray that was low enough before */
} rcity_beams_node;

/* A vertical edge that a beam meets. */
typedef struct rcity_beams_meeting {
    int32_t facet_edge; /* -1: another meeting stands for this one */
    int32_t node;
    int32_t hit; /* the hit that ends at the edge; -1: the edge stands along a face of the tree's edge */
} rcity_beams_meeting;

/* What was not followed, and the least loss that any of it can have. */
typedef struct rcity_beams_cuts {
    int64_t by_count, by_width, by_loss, by_range;
    double least_db; /* HUGE_VAL where nothing was cut */
} rcity_beams_cuts;

/* A cut beam or way with this least loss. */
static inline void rcity_beams_cuts_note(rcity_beams_cuts *cuts, double loss_db)
{
    cuts->least_db = loss_db < cuts->least_db ? loss_db : cuts->least_db;
}

/* Add what another one counted. */
static inline void rcity_beams_cuts_add(rcity_beams_cuts *cuts, const rcity_beams_cuts *other)
{
    cuts->by_count += other->by_count;
    cuts->by_width += other->by_width;
    cuts->by_loss += other->by_loss;
    cuts->by_range += other->by_range;
    rcity_beams_cuts_note(cuts, other->least_db);
}

/* What is known of all ways to an edge that leave enough reflections for a beam. */
typedef struct rcity_beams_before {
    double shortest_m, longest_m; /* in plan */
    double loss_db;               /* that the reflections of any take at least */
    double least_m, most_m;       /* no receiver nearer to the edge or farther from it has a ray that comes to it */
} rcity_beams_before;

typedef struct rcity_beams_tree {
    double x, y;        /* the source */
    double height_m;    /* of the source; of an edge the highest place at which rays leave it */
    int32_t facet_edge; /* -1: a transmitter */
    rcity_beams_before
        before[RCITY_BEAMS_REFLECTION_MAX + 1]; /* by depth: of the ways that leave as many reflections */
    rcity_beam_strength *strength; /* of an edge: of the same, by depth; NULL: not known, or a transmitter */
    int max_transmissions;         /* of its beams; set before it is grown */
    int depth;                     /* grown so far; -1: nothing but sectors */
    rcity_beams_node *nodes;
    size_t node_count, node_capacity;
    size_t level_first; /* the nodes of the depth grown last start here */
    rcity_beam_part *parts;
    size_t part_count, part_capacity;
    rcity_beam_hit *hits;
    size_t hit_count, hit_capacity;
    int32_t *passed; /* walls that parts and hits have passed over */
    size_t passed_count, passed_capacity;
    rcity_beams_meeting *meetings; /* in the order of nodes */
    size_t meeting_count, meeting_capacity;
    rcity_beams_cuts cuts;
} rcity_beams_tree;

/* What trees are grown by. */
typedef struct rcity_beams_growth {
    const rcity_beams_world *world;
    const rcity_facet_table *facets; /* the walls' materials at the frequency */
    double height_max_m;             /* no ray is higher: the higher of transmitter and receivers */
    double rx_max_m;                 /* the highest receiver */
    double tx_height_m;
    double low_m;  /* no ray ends lower; a ray that the ground reflects ends at its image */
    double high_m; /* no receiver is higher, so that beams too high to come down to one may be left out; HUGE_VAL */
    bool meets_edges;
    bool is_final;               /* trees grow to their depth once, and not deeper later */
    double width_min_rad;        /* narrower beams are not followed; 0 */
    size_t node_max;             /* of a tree */
    double loss_limit_db;        /* beams that must lose more are not followed; HUGE_VAL */
    bool turns_into_shadow_only; /* edges diffract only behind their shadow boundary */
    double range_m;              /* of rays that walls reflect or edges diffract, in plan; HUGE_VAL */
} rcity_beams_growth;

/* Plant a tree at a transmitter, or at a vertical edge. */
rcity_status rcity_beams_tree_plant(rcity_context *context, const rcity_beams_growth *growth, double x, double y,
                                    double height_m, rcity_beams_tree *tree);
rcity_status rcity_beams_tree_plant_edge(rcity_context *context, const rcity_beams_growth *growth, int32_t facet_edge,
                                         rcity_beams_tree *tree);

void rcity_beams_tree_deinit(rcity_context *context, rcity_beams_tree *tree);

/* Grow it to a depth, on this thread or on all of the context's; the same tree in either case. */
rcity_status rcity_beams_tree_grow(rcity_context *context, const rcity_beams_growth *growth, int depth, bool is_wide,
                                   rcity_beams_tree *tree);

/* The frame of a node's beam. @return false for a beam too narrow to have one. */
bool rcity_beams_node_frame(const rcity_beams_node *node, rcity_beam_frame *frame);

/* The walls that reflected a node's beam, in order from the source; not those that it went through. @return how many. */
int rcity_beams_node_walls(const rcity_beams_tree *tree, int32_t node, int32_t walls[RCITY_BEAMS_REFLECTION_MAX]);

#endif
