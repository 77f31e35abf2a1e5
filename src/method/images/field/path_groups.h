/* Groups of paths whose fields are added before powers are: docs/adr/0029-groups-of-fields.md.

   A group is an image of the transmitter: all paths that meet the same mirrors in the same order. Edges do not count,
   so that a geometric ray and the diffracted rays that go on where it ends are in one group. A diffracted ray belongs
   to several: three rays end at an edge, the one past it and those off its two faces. It is divided among their groups,
   in shares whose squares add up to 1; on the boundary of one of them, all of it belongs there. */
#ifndef RCITY_METHOD_IMAGES_FIELD_PATH_GROUPS_H
#define RCITY_METHOD_IMAGES_FIELD_PATH_GROUPS_H

#include <stddef.h>

#include "base/base.h"
#include "method/images/path/trace_path.h"

#define RCITY_GROUP_SHARE_MAX 9 /* three rays end at each of two edges */

/* Over this many wavelengths, the standard deviation of a place at either end, the fields of a group are averaged: what
   interferes more closely than that adds in power. */
#define RCITY_GROUP_EXTENT_WAVELENGTHS 2.0

/* The group of the direct ray. */
#define RCITY_GROUP_DIRECT UINT64_C(0xcbf29ce484222325)

/* A path's share in one group. */
typedef struct rcity_group_share {
    uint64_t group;
    double factor; /* of its field */
} rcity_group_share;

typedef struct rcity_group_shares {
    int count;
    rcity_group_share share[RCITY_GROUP_SHARE_MAX];
} rcity_group_shares;

/* The code of the group after one more mirror of the table. */
uint64_t rcity_group_code_next(const rcity_facet_table *world, uint64_t code, int32_t mirror);

/* Divide the field of a diffracted ray among the three rays that end at its edge, by the sines of half the angles to where
   they end: past it, off face o, off face n. The squares of the factors add up to 1. */
void rcity_group_divide(const double off[3], double factor[3]);

/* The groups of a path. */
rcity_group_shares rcity_path_group(const rcity_facet_table *world, const rcity_trace_path *path);

/* A share of a path as it is received, with the directions in which the path leaves and arrives (unit vectors). */
typedef struct rcity_group_item {
    uint64_t group;
    size_t order; /* of the path: items of a group are added in this order */
    rcity_phasor amplitude, cross_amplitude;
    double isotropic_factor; /* field without the gains of the antennas over field with them */
    rcity_place3 departure, arrival;
} rcity_group_item;

/* Powers relative to the power into the transmitting antenna. */
typedef struct rcity_group_sum {
    double gain;
    double isotropic_gain; /* without the gains of both antennas */
} rcity_group_sum;

/* Sort items by groups. */
void rcity_groups_sort(rcity_group_item *items, size_t count);

/* What two items of one group, or one with itself, bring to the power of the group. */
double rcity_groups_pair(const rcity_group_item *a, const rcity_group_item *b);

/* Add fields in each group and the powers of the groups. Sorts the items. */
rcity_group_sum rcity_groups_add(rcity_group_item *items, size_t count);

#endif
