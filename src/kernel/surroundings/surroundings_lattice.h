/* What lies around a receiver, from a lattice of nodes over the city: how much of the ground is built on, how high the
   roofs are, and how many metres of the straight line from the source lie over buildings. All three are means over
   some hundred metres, so that they hardly depend on the details of the map. */
#ifndef RCITY_KERNEL_SURROUNDINGS_SURROUNDINGS_LATTICE_H
#define RCITY_KERNEL_SURROUNDINGS_SURROUNDINGS_LATTICE_H

#include "kernel/decibels.h"

/* Numbers only, so that it can be part of a kernel argument. */
typedef struct rcity_surroundings_lattice {
    rcity_i32 west, south;             /* of the first node, in plan units */
    rcity_i32 column_count, row_count; /* of nodes; 0: there is no lattice */
    float nodes_per_unit;
} rcity_surroundings_lattice;

/* What is known at a node whatever the source. */
typedef struct rcity_surroundings_node {
    float built_share; /* of the ground, 0 to 1 */
    float roof_m;      /* mean height of the roofs above the ground; 0 where there are none */
} rcity_surroundings_node;

typedef struct rcity_surroundings {
    rcity_surroundings_node here;
    float built_m; /* of the straight line from the source: its metres over buildings */
} rcity_surroundings;

/* What lies under the straight line from a source to a node. */
typedef struct rcity_surroundings_line {
    float built_m; /* its metres over buildings */
    float
        hill_root_m; /* of the ground that rises highest over the line between the roofs at both ends: v of ITU-R P.526
                          times the root of the wavelength, negative below the line */
    float
        hill_slope; /* of the line from the roofs at the node up to the ground that stands highest before them; 0 where
                          nothing stands higher */
} rcity_surroundings_line;

/* The hill_root_m of a line that nothing comes near to. */
#define RCITY_SURROUNDINGS_NO_HILL (-1e3f)

/* A place between four nodes. */
typedef struct rcity_surroundings_place {
    rcity_i32 node;    /* the south-western of the four */
    float east, north; /* 0 to 1 */
} rcity_surroundings_place;

/* Beyond the lattice a place counts as at its border, where nothing is built. */
RCITY_KERNEL rcity_surroundings_place rcity_surroundings_locate(const rcity_surroundings_lattice *lattice, rcity_i32 x,
                                                                rcity_i32 y)
{
    float column = (float)(x - lattice->west) * lattice->nodes_per_unit;
    float row = (float)(y - lattice->south) * lattice->nodes_per_unit;
    column = rcity_min(rcity_max(column, 0.0f), (float)(lattice->column_count - 1));
    row = rcity_min(rcity_max(row, 0.0f), (float)(lattice->row_count - 1));
    rcity_i32 i = (rcity_i32)column;
    rcity_i32 k = (rcity_i32)row;
    i = i < lattice->column_count - 2 ? i : lattice->column_count - 2;
    k = k < lattice->row_count - 2 ? k : lattice->row_count - 2;
    rcity_surroundings_place place;
    place.node = k * lattice->column_count + i;
    place.east = column - (float)i;
    place.north = row - (float)k;
    return place;
}

RCITY_KERNEL float rcity_surroundings_blend(rcity_surroundings_place place, float sw, float se, float nw, float ne)
{
    float south = sw + place.east * (se - sw);
    float north = nw + place.east * (ne - nw);
    return south + place.north * (north - south);
}

RCITY_KERNEL rcity_surroundings_node rcity_surroundings_node_at(const rcity_surroundings_lattice *lattice,
                                                                RCITY_GLOBAL const rcity_surroundings_node *nodes,
                                                                rcity_surroundings_place place)
{
    rcity_surroundings_node sw = nodes[place.node];
    rcity_surroundings_node se = nodes[place.node + 1];
    rcity_surroundings_node nw = nodes[place.node + lattice->column_count];
    rcity_surroundings_node ne = nodes[place.node + lattice->column_count + 1];
    rcity_surroundings_node node;
    node.built_share = rcity_surroundings_blend(place, sw.built_share, se.built_share, nw.built_share, ne.built_share);
    node.roof_m = rcity_surroundings_blend(place, sw.roof_m, se.roof_m, nw.roof_m, ne.roof_m);
    return node;
}

/* `lines` are the source's lines to all nodes. */
RCITY_KERNEL rcity_surroundings_line rcity_surroundings_line_at(const rcity_surroundings_lattice *lattice,
                                                                RCITY_GLOBAL const rcity_surroundings_line *lines,
                                                                rcity_surroundings_place place)
{
    rcity_surroundings_line sw = lines[place.node];
    rcity_surroundings_line se = lines[place.node + 1];
    rcity_surroundings_line nw = lines[place.node + lattice->column_count];
    rcity_surroundings_line ne = lines[place.node + lattice->column_count + 1];
    rcity_surroundings_line line;
    line.built_m = rcity_surroundings_blend(place, sw.built_m, se.built_m, nw.built_m, ne.built_m);
    line.hill_slope = rcity_surroundings_blend(place, sw.hill_slope, se.hill_slope, nw.hill_slope, ne.hill_slope);
    line.hill_root_m = rcity_surroundings_blend(place, sw.hill_root_m, se.hill_root_m, nw.hill_root_m, ne.hill_root_m);
    return line;
}

#endif
