/* Walls in plan with their tree, and the vertical edges at their ends. */
#include "method/beams/beams_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_corners(const void *left, const void *right)
{
    const rcity_beams_corner *a = left;
    const rcity_beams_corner *b = right;
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    if (a->y != b->y) {
        return a->y < b->y ? -1 : 1;
    }
    return (a->item > b->item) - (a->item < b->item);
}

/* The first of the sorted items that does not come before a corner. */
static int64_t find_corner(const rcity_beams_corner *items, int64_t count, rcity_grid_point corner)
{
    rcity_beams_corner wanted = {corner.x, corner.y, -1};
    int64_t low = 0;
    int64_t high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compare_corners(&items[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool stands_at(const rcity_beams_corner *item, rcity_grid_point corner)
{
    return item->x == corner.x && item->y == corner.y;
}

/* Do the heights of an edge and of a wall that ends there overlap? */
static bool stands_beside(const rcity_facet_table *facets, const rcity_facet_edge *edge, int32_t wall)
{
    const rcity_mirror *mirror = &facets->mirrors[wall];
    return edge->a.z < mirror->top && edge->b.z > mirror->bottom;
}

/* List the edges at all ends of walls; `list` false only counts them. */
static int64_t list_edges(const rcity_facet_table *facets, const rcity_beams_corner *corners, int64_t corner_count,
                          bool lists, rcity_beams_world *world)
{
    int64_t count = 0;
    for (int32_t i = 0; i < 2 * (int32_t)facets->wall_count; i++) {
        const rcity_mirror *wall = &facets->mirrors[i / 2];
        rcity_grid_point corner = i % 2 == 0 ? wall->corner_p : wall->corner_q;
        bool is_corner = i % 2 == 0 ? wall->starts_at_corner : wall->ends_at_corner;
        if (lists) {
            world->edge_first[i] = (int32_t)count;
        }
        int64_t k = is_corner ? find_corner(corners, corner_count, corner) : corner_count;
        for (; k < corner_count && stands_at(&corners[k], corner); k++) {
            if (stands_beside(facets, &facets->edges[corners[k].item], i / 2)) {
                if (lists) {
                    world->edge_of[count] = corners[k].item;
                }
                count++;
            }
        }
    }
    if (lists) {
        world->edge_first[2 * facets->wall_count] = (int32_t)count;
    }
    return count;
}

static rcity_status find_edges(rcity_context *context, const rcity_facet_table *facets, rcity_beams_world *world)
{
    int64_t vertical_count = facets->edge_count - facets->roof_edge_count;
    double units = facets->shapes->units_per_m;
    rcity_beams_corner *corners = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)vertical_count + 1, sizeof *corners, "the corners", &corners));
    for (int64_t i = 0; i < vertical_count; i++) {
        const rcity_facet_edge *edge = &facets->edges[facets->roof_edge_count + i];
        corners[i] = (rcity_beams_corner){(int32_t)lround(edge->a.x * units), (int32_t)lround(edge->a.y * units),
                                          (int32_t)(facets->roof_edge_count + i)};
    }
    qsort(corners, (size_t)vertical_count, sizeof *corners, compare_corners);
    int64_t count = list_edges(facets, corners, vertical_count, false, world);
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *world->edge_of, "the corners", &world->edge_of));
    list_edges(facets, corners, vertical_count, true, world);
done:
    rcity_release(context, corners);
    return status;
}

/* Sort the ends of walls by their corners. */
static rcity_status sort_ends(rcity_context *context, const rcity_facet_table *facets, rcity_beams_world *world)
{
    RCITY_TRY(
        rcity_alloc(context, 2 * (size_t)facets->wall_count + 1, sizeof *world->ends, "the corners", &world->ends));
    for (int32_t i = 0; i < (int32_t)facets->wall_count; i++) {
        const rcity_mirror *wall = &facets->mirrors[i];
        if (wall->starts_at_corner) {
            world->ends[world->end_count++] = (rcity_beams_corner){wall->corner_p.x, wall->corner_p.y, 2 * i};
        }
        if (wall->ends_at_corner) {
            world->ends[world->end_count++] = (rcity_beams_corner){wall->corner_q.x, wall->corner_q.y, 2 * i + 1};
        }
    }
    qsort(world->ends, (size_t)world->end_count, sizeof *world->ends, compare_corners);
    return RCITY_OK;
}

int64_t rcity_beams_world_ends(const rcity_beams_world *world, rcity_grid_point corner, const rcity_beams_corner **ends)
{
    int64_t first = find_corner(world->ends, world->end_count, corner);
    int64_t end = first;
    while (end < world->end_count && stands_at(&world->ends[end], corner)) {
        end++;
    }
    *ends = world->ends + first;
    return end - first;
}

rcity_status rcity_beams_world_init(rcity_context *context, const rcity_facet_table *facets, rcity_beams_world *world)
{
    memset(world, 0, sizeof *world);
    world->facets = facets;
    int32_t count = (int32_t)facets->wall_count;
    float *tops = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *tops, "the tops of walls", &tops));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count + 1, sizeof *world->walls, "the plan of walls", &world->walls));
    RCITY_TRY_DONE(
        rcity_alloc(context, 2 * (size_t)count + 1, sizeof *world->edge_first, "the corners", &world->edge_first));
    world->x_min = world->y_min = HUGE_VAL;
    world->x_max = world->y_max = -HUGE_VAL;
    for (int32_t i = 0; i < count; i++) {
        const rcity_mirror *wall = &facets->mirrors[i];
        world->walls[i] = (rcity_plan_segment){wall->x1, wall->y1, wall->x2, wall->y2};
        world->x_min = fmin(world->x_min, fmin(wall->x1, wall->x2));
        world->y_min = fmin(world->y_min, fmin(wall->y1, wall->y2));
        world->x_max = fmax(world->x_max, fmax(wall->x1, wall->x2));
        world->y_max = fmax(world->y_max, fmax(wall->y1, wall->y2));
        tops[i] = nextafterf((float)wall->top, HUGE_VALF);
    }
    RCITY_TRY_DONE(rcity_plan_tree_init(context, count, world->walls, tops, &world->wall_tree));
    RCITY_TRY_DONE(rcity_beams_cells_init(context, count, world->walls, &world->cells));
    RCITY_TRY_DONE(find_edges(context, facets, world));
    RCITY_TRY_DONE(sort_ends(context, facets, world));
done:
    rcity_release(context, tops);
    if (status != RCITY_OK) {
        rcity_beams_world_deinit(context, world);
    }
    return status;
}

void rcity_beams_world_deinit(rcity_context *context, rcity_beams_world *world)
{
    rcity_beams_cells_deinit(context, &world->cells);
    rcity_plan_tree_deinit(context, &world->wall_tree);
    rcity_release(context, world->ends);
    rcity_release(context, world->edge_of);
    rcity_release(context, world->edge_first);
    rcity_release(context, world->walls);
    memset(world, 0, sizeof *world);
}
