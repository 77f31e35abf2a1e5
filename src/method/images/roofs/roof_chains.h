/* All chains over roofs and hills between two antennas: straight over everything, and with a reflection off a wall or
   the ground at either end. In a street behind many roofs, the reflections off the opposite wall and off the ground are
   as strong as the path from the last roof. */
#ifndef RCITY_METHOD_IMAGES_ROOFS_ROOF_CHAINS_H
#define RCITY_METHOD_IMAGES_ROOFS_ROOF_CHAINS_H

#include "method/images/roofs/over_roofs.h"
#include "method/images/search/path_search.h"

/* One end of a chain: the antenna, or its image in a wall. */
typedef struct rcity_chain_end {
    double x, y;  /* of the antenna or its image */
    int32_t beam; /* the beam whose image it is; -1: the antenna itself */
    int32_t wall; /* -1: none */
} rcity_chain_end;

/* One chain, and the paths that it replaces. */
typedef struct rcity_roof_chain_path {
    rcity_trace_path path;         /* with all diffracting edges that count */
    size_t first_edge, edge_count; /* all near edges and both ends; the chain covers single edges among them */
    int32_t start_wall, end_wall;
    bool start_bounces, end_bounces; /* reflection off the ground */
} rcity_roof_chain_path;

/* The chains of one receiver, and the memory to find them; one for each thread, grown as needed. */
typedef struct rcity_roof_chains {
    size_t count, capacity;
    rcity_roof_chain_path *chains;
    size_t edge_count, edge_capacity;
    rcity_profile_point *edges;

    rcity_profile profile;
    rcity_profile ridges; /* the same with gables */
    rcity_reach rx_reach;
    size_t start_count, start_capacity, end_count, end_capacity;
    rcity_chain_end *starts, *ends;
} rcity_roof_chains;

rcity_status rcity_roof_chains_init(rcity_context *context, const rcity_search *search, rcity_roof_chains *chains);

/* Call before another transmitter's search is used: the ends at the transmitter are kept between receivers. */
void rcity_roof_chains_restart(rcity_roof_chains *chains);
void rcity_roof_chains_deinit(rcity_context *context, rcity_roof_chains *chains);

/* Find the chains to a receiver. Reflections at the ends count towards the chosen orders. */
rcity_status rcity_roof_chains_find(rcity_context *context, const rcity_search *search, rcity_place3 rx,
                                    rcity_roof_chains *chains);

/* The weight of a path beside the chains: 0 where a chain with the same mirrors at its ends covers it, 1 where none
   does (over_roofs.h). The straight line is covered where a chain runs along it. */
double rcity_roof_chains_share(const rcity_search *search, const rcity_roof_chains *chains,
                               const rcity_trace_path *path);

#endif
