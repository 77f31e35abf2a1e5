/* Each wall that reflects mirrors all that came before it. */
#include "method/beams/fast/fast_chain.h"

static rcity_status add_wall(rcity_context *context, const rcity_facet_table *facets, int32_t index, bool is_passed,
                             rcity_fast_chain *chain)
{
    const rcity_mirror *wall = &facets->mirrors[index];
    RCITY_TRY(rcity_reserve(context, chain->wall_count + 1, sizeof *chain->walls, &chain->wall_capacity,
                            "the walls of a beam", &chain->walls));
    chain->walls[chain->wall_count++] =
        (rcity_fast_wall){wall->normal.x, wall->normal.y, wall->offset, wall->bottom, wall->top, index, is_passed};
    return RCITY_OK;
}

static rcity_status add_passed(rcity_context *context, const rcity_facet_table *facets, const rcity_beams_tree *tree,
                               int32_t first, int32_t count, rcity_fast_chain *chain)
{
    for (int32_t i = first; i < first + count; i++) {
        RCITY_TRY(add_wall(context, facets, tree->passed[i], true, chain));
    }
    return RCITY_OK;
}

/* Until the end `ahead_m` is the offset of a line: normal . p on it. */
static void mirror_all(const rcity_mirror *mirror, rcity_fast_chain *chain)
{
    for (size_t i = 0; i < chain->wall_count; i++) {
        rcity_fast_wall *wall = &chain->walls[i];
        double across = wall->x * mirror->normal.x + wall->y * mirror->normal.y;
        wall->x -= 2.0 * across * mirror->normal.x;
        wall->y -= 2.0 * across * mirror->normal.y;
        wall->ahead_m -= 2.0 * across * mirror->offset;
    }
    for (int i = 0; i < 2; i++) { /* back = back mirror */
        double across = chain->back[i][0] * mirror->normal.x + chain->back[i][1] * mirror->normal.y;
        chain->back[i][0] -= 2.0 * across * mirror->normal.x;
        chain->back[i][1] -= 2.0 * across * mirror->normal.y;
    }
}

rcity_status rcity_fast_chain_fill(rcity_context *context, const rcity_beams_forest *forest,
                                   const rcity_beams_tree *tree, int32_t node, int32_t passed_first,
                                   int32_t passed_count, rcity_fast_chain *chain)
{
    const rcity_facet_table *facets = forest->growth.world->facets;
    int32_t nodes[RCITY_BEAMS_REFLECTION_MAX];
    double x = tree->nodes[node].x;
    double y = tree->nodes[node].y;
    chain->depth = tree->nodes[node].depth;
    chain->wall_count = 0;
    chain->back[0][0] = chain->back[1][1] = 1.0;
    chain->back[0][1] = chain->back[1][0] = 0.0;
    for (int i = chain->depth - 1; i >= 0; i--) {
        nodes[i] = node;
        node = tree->nodes[node].parent;
    }
    for (int i = 0; i < chain->depth; i++) {
        const rcity_beams_node *at = &tree->nodes[nodes[i]];
        const rcity_beam_hit *hit = &tree->hits[at->hit];
        RCITY_TRY(add_passed(context, facets, tree, hit->passed_first, hit->passed_count, chain));
        RCITY_TRY(add_wall(context, facets, at->wall, false, chain));
        mirror_all(&facets->mirrors[at->wall], chain);
    }
    RCITY_TRY(add_passed(context, facets, tree, passed_first, passed_count, chain));
    for (size_t i = 0; i < chain->wall_count; i++) {
        rcity_fast_wall *wall = &chain->walls[i];
        wall->ahead_m -= wall->x * x + wall->y * y;
        if (wall->ahead_m < 0.0) {
            wall->x = -wall->x;
            wall->y = -wall->y;
            wall->ahead_m = -wall->ahead_m;
        }
    }
    return RCITY_OK;
}
