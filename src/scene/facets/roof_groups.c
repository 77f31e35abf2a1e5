#include "scene/facets/roof_groups.h"

#include <stdlib.h>

/* An end of a roof edge. */
typedef struct roof_corner {
    rcity_place3 at;
    int32_t prism;
} roof_corner;

static int compare_corners(const void *left, const void *right)
{
    const roof_corner *a = left;
    const roof_corner *b = right;
    if (a->at.x != b->at.x) {
        return a->at.x < b->at.x ? -1 : 1;
    }
    if (a->at.y != b->at.y) {
        return a->at.y < b->at.y ? -1 : 1;
    }
    if (a->at.z != b->at.z) {
        return a->at.z < b->at.z ? -1 : 1;
    }
    return (a->prism > b->prism) - (a->prism < b->prism);
}

/* The first of a group; all prisms visited are made to point to it. */
static int32_t find_first(int32_t *roof_of, int32_t prism)
{
    int32_t first = prism;
    while (roof_of[first] != first) {
        first = roof_of[first];
    }
    while (roof_of[prism] != first) {
        int32_t next = roof_of[prism];
        roof_of[prism] = first;
        prism = next;
    }
    return first;
}

static void join(int32_t *roof_of, int32_t a, int32_t b)
{
    int32_t first_a = find_first(roof_of, a);
    int32_t first_b = find_first(roof_of, b);
    if (first_a < first_b) {
        roof_of[first_b] = first_a;
    } else {
        roof_of[first_a] = first_b;
    }
}

rcity_status rcity_roof_groups_make(rcity_context *context, rcity_facet_table *world)
{
    int32_t prism_count = (int32_t)world->shapes->prism_count;
    size_t corner_count = 2 * (size_t)world->roof_edge_count;
    roof_corner *corners = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)prism_count + 1, sizeof *world->roof_of, "the roofs", &world->roof_of));
    RCITY_TRY(rcity_alloc(context, corner_count + 1, sizeof *corners, "the roofs", &corners));
    for (int32_t i = 0; i < prism_count; i++) {
        world->roof_of[i] = i;
    }
    for (int64_t i = 0; i < world->roof_edge_count; i++) {
        const rcity_facet_edge *facet_edge = &world->edges[i];
        corners[2 * i] = (roof_corner){facet_edge->a, facet_edge->prism};
        corners[2 * i + 1] = (roof_corner){facet_edge->b, facet_edge->prism};
    }
    qsort(corners, corner_count, sizeof *corners, compare_corners);
    for (size_t i = 1; i < corner_count; i++) {
        const rcity_place3 *a = &corners[i - 1].at;
        const rcity_place3 *b = &corners[i].at;
        if (a->x == b->x && a->y == b->y && a->z == b->z) {
            join(world->roof_of, corners[i - 1].prism, corners[i].prism);
        }
    }
    for (int32_t i = 0; i < prism_count; i++) {
        world->roof_of[i] = find_first(world->roof_of, i);
    }
    rcity_release(context, corners);
    return RCITY_OK;
}
