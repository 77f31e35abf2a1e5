/* Hits and passed walls are moved forward in their lists, over those that nothing names. */
#include "method/beams/tree/beams_compact.h"

#include <string.h>

/* Keep the hits that are named. `before` has room for one more than there are: how many are kept before each. */
static void keep_hits(rcity_beams_tree *tree, int32_t *before)
{
    for (size_t i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].hit >= 0) {
            before[tree->nodes[i].hit] = 1;
        }
    }
    for (size_t i = 0; i < tree->meeting_count; i++) {
        if (tree->meetings[i].hit >= 0) { /* not along a wall */
            before[tree->meetings[i].hit] = 1;
        }
    }
    int32_t kept = 0;
    for (size_t i = 0; i < tree->hit_count; i++) {
        bool is_named = before[i] != 0;
        before[i] = kept;
        tree->hits[kept] = tree->hits[i];
        kept += is_named;
    }
    before[tree->hit_count] = kept;
    tree->hit_count = (size_t)kept;
    for (size_t i = 0; i < tree->node_count; i++) {
        rcity_beams_node *node = &tree->nodes[i];
        int32_t end = before[node->hit_first + node->hit_count];
        node->hit_first = before[node->hit_first];
        node->hit_count = end - node->hit_first;
        node->hit = node->hit >= 0 ? before[node->hit] : node->hit;
    }
    for (size_t i = 0; i < tree->meeting_count; i++) {
        tree->meetings[i].hit = tree->meetings[i].hit >= 0 ? before[tree->meetings[i].hit] : -1;
    }
}

static void name_passed(int32_t first, int32_t count, int32_t *named)
{
    named[first] = count > named[first] ? count : named[first];
}

/* Keep the passed walls that are named. `moved` has room for one more than there are: how many are named from each place
   on, then where they are. */
static void keep_passed(rcity_beams_tree *tree, int32_t *moved)
{
    for (size_t i = 0; i < tree->part_count; i++) {
        name_passed(tree->parts[i].passed_first, tree->parts[i].passed_count, moved);
    }
    for (size_t i = 0; i < tree->hit_count; i++) {
        name_passed(tree->hits[i].passed_first, tree->hits[i].passed_count, moved);
    }
    int32_t kept = 0;
    for (size_t first = 0; first <= tree->passed_count; first++) {
        int32_t count = moved[first];
        if (count > 0) {
            memmove(tree->passed + kept, tree->passed + first, (size_t)count * sizeof *tree->passed);
        }
        moved[first] = kept;
        kept += count;
    }
    tree->passed_count = (size_t)kept;
    for (size_t i = 0; i < tree->part_count; i++) {
        tree->parts[i].passed_first = moved[tree->parts[i].passed_first];
    }
    for (size_t i = 0; i < tree->hit_count; i++) {
        tree->hits[i].passed_first = moved[tree->hits[i].passed_first];
    }
}

static rcity_status fit(rcity_context *context, size_t count, size_t size, size_t *capacity, void *memory)
{
    size_t wanted = count > 0 ? count : 1;
    if (wanted < *capacity) {
        RCITY_TRY(rcity_resize(context, wanted, size, "the tree of beams", memory));
        *capacity = wanted;
    }
    return RCITY_OK;
}

rcity_status rcity_beams_tree_compact(rcity_context *context, rcity_beams_tree *tree)
{
    int32_t *before = NULL;
    int32_t *moved = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, tree->hit_count + 1, sizeof *before, "the tree of beams", &before));
    RCITY_TRY_DONE(rcity_alloc(context, tree->passed_count + 1, sizeof *moved, "the tree of beams", &moved));
    keep_hits(tree, before);
    keep_passed(tree, moved);
    RCITY_TRY_DONE(fit(context, tree->node_count, sizeof *tree->nodes, &tree->node_capacity, &tree->nodes));
    RCITY_TRY_DONE(fit(context, tree->part_count, sizeof *tree->parts, &tree->part_capacity, &tree->parts));
    RCITY_TRY_DONE(fit(context, tree->hit_count, sizeof *tree->hits, &tree->hit_capacity, &tree->hits));
    RCITY_TRY_DONE(fit(context, tree->passed_count, sizeof *tree->passed, &tree->passed_capacity, &tree->passed));
    status = fit(context, tree->meeting_count, sizeof *tree->meetings, &tree->meeting_capacity, &tree->meetings);
done:
    rcity_release(context, moved);
    rcity_release(context, before);
    return status;
}
