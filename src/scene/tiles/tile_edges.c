/* Pieces of the edges of the facet table, and of ridges of the terrain, with the tiles on both sides. */
#include "scene/tiles/tile_edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where edges are collected. */
typedef struct edge_list {
    rcity_context *context;
    const rcity_tile_grids *grids;
    rcity_tiling *tiling;
    size_t capacity;
    int32_t *walls; /* walls sorted by the wall of the plan that they are pieces of */
} edge_list;

static double facet_length(const rcity_facet_edge *facet)
{
    rcity_place3 whole = rcity_place3_add(facet->b, -1.0, facet->a);
    return sqrt(rcity_place3_dot(whole, whole));
}

static rcity_status add_piece(edge_list *list, const rcity_facet_edge *facet, int32_t number, double from, double to,
                              int32_t tile_o, int32_t tile_n)
{
    rcity_tiling *tiling = list->tiling;
    if (tile_o < 0 && tile_n < 0) {
        tiling->dropped_edge_count++;
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(list->context, (size_t)tiling->edge_count + 1, sizeof *tiling->edges, &list->capacity,
                            "the edges of tiles", &tiling->edges));
    rcity_place3 whole = rcity_place3_add(facet->b, -1.0, facet->a);
    rcity_place3 a = rcity_place3_add(facet->a, from, whole);
    rcity_place3 b = rcity_place3_add(facet->a, to, whole);
    rcity_tile_edge piece = {(float)a.x,
                             (float)a.y,
                             (float)a.z,
                             (float)b.x,
                             (float)b.y,
                             (float)b.z,
                             (float)facet->normal_o.x,
                             (float)facet->normal_o.y,
                             (float)facet->normal_o.z,
                             (float)facet->in_face_o.x,
                             (float)facet->in_face_o.y,
                             (float)facet->in_face_o.z,
                             (float)facet->exterior_rad,
                             tile_o,
                             tile_n,
                             number,
                             RCITY_TILE_ENDLESS_M,
                             RCITY_TILE_ENDLESS_M};
    if (number != RCITY_TILE_TERRAIN) {
        piece.before_m = (float)(from * facet_length(facet));
        piece.after_m = (float)((1.0 - to) * facet_length(facet));
    }
    tiling->edges[tiling->edge_count++] = piece;
    return RCITY_OK;
}

/* The top of a wall, in the pieces of its tiles: from the wall's end to its start. */
static rcity_status cut_roof_edge(edge_list *list, int32_t number)
{
    const rcity_tile_grids *grids = list->grids;
    const rcity_facet_edge *facet = &grids->world->edges[number];
    const rcity_tile_grid *wall = &grids->grids[facet->mirror_o];
    const rcity_tile_grid *roof = &grids->grids[facet->mirror_n];
    double inward_m = 0.25 * sqrt(grids->options->roof_area_m2);
    int32_t count = wall->count_u > 0
                        ? wall->count_u
                        : (int32_t)rcity_tile_side_count(facet_length(facet), sqrt(grids->options->wall_area_m2));
    for (int32_t i = 0; i < count; i++) {
        int32_t tile_o = -1;
        if (wall->count_u > 0) {
            tile_o = grids->cell_tile[wall->first + (int64_t)(wall->count_v - 1) * wall->count_u + (count - 1 - i)];
        }
        rcity_place3 middle = rcity_place3_add(facet->a, (i + 0.5) / count * facet_length(facet), facet->along);
        int32_t tile_n = rcity_tile_grid_find(grids, roof, rcity_place3_add(middle, -inward_m, facet->outward));
        RCITY_TRY(add_piece(list, facet, number, (double)i / count, (i + 1.0) / count, tile_o, tile_n));
    }
    return RCITY_OK;
}

/* Order of pieces of one wall of the plan. */
static int compare_walls(const rcity_mirror *a, const rcity_mirror *b)
{
    const int32_t keys[4][2] = {{a->corner_p.x, b->corner_p.x},
                                {a->corner_p.y, b->corner_p.y},
                                {a->corner_q.x, b->corner_q.x},
                                {a->corner_q.y, b->corner_q.y}};
    for (int i = 0; i < 4; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

/* A wall with its number, for sorting. */
typedef struct sorted_wall {
    const rcity_mirror *wall;
    int32_t number;
} sorted_wall;

static int compare_sorted_walls(const void *left, const void *right)
{
    const sorted_wall *a = left;
    const sorted_wall *b = right;
    int order = compare_walls(a->wall, b->wall);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static rcity_status sort_walls(edge_list *list)
{
    const rcity_facet_table *world = list->grids->world;
    sorted_wall *sorted = NULL;
    size_t room = (size_t)world->wall_count + 1;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(list->context, room, sizeof *sorted, "the edges of tiles", &sorted));
    RCITY_TRY_DONE(rcity_alloc(list->context, room, sizeof *list->walls, "the edges of tiles", &list->walls));
    for (int32_t i = 0; i < world->wall_count; i++) {
        sorted[i] = (sorted_wall){&world->mirrors[i], i};
    }
    qsort(sorted, (size_t)world->wall_count, sizeof *sorted, compare_sorted_walls);
    for (int32_t i = 0; i < world->wall_count; i++) {
        list->walls[i] = sorted[i].number;
    }
    status = RCITY_OK;
done:
    rcity_release(list->context, sorted);
    return status;
}

/* The tile beside a corner at a height, on a wall of the plan that begins or ends there; a wall may be in pieces above
   each other. */
static int32_t find_tile_at_corner(const edge_list *list, int32_t mirror, bool is_start, double height_m)
{
    const rcity_facet_table *world = list->grids->world;
    const rcity_mirror *like = &world->mirrors[mirror];
    int64_t low = 0;
    int64_t high = world->wall_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (compare_walls(&world->mirrors[list->walls[middle]], like) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < world->wall_count && compare_walls(&world->mirrors[list->walls[low]], like) == 0; low++) {
        const rcity_mirror *wall = &world->mirrors[list->walls[low]];
        const rcity_tile_grid *grid = &list->grids->grids[list->walls[low]];
        if (!(is_start ? wall->starts_at_corner : wall->ends_at_corner) || height_m < wall->bottom ||
            height_m > wall->top || grid->count_u == 0) {
            continue;
        }
        int32_t row = (int32_t)((height_m - wall->bottom) / grid->length_v * grid->count_v);
        row = row < grid->count_v ? row : grid->count_v - 1;
        int32_t column = is_start ? 0 : grid->count_u - 1;
        return list->grids->cell_tile[grid->first + (int64_t)row * grid->count_u + column];
    }
    return -1;
}

/* A corner, bottom to top: face o is the wall that ends there, face n the one that starts. */
static rcity_status cut_corner(edge_list *list, int32_t number)
{
    const rcity_facet_edge *facet = &list->grids->world->edges[number];
    int64_t count = rcity_tile_side_count(facet_length(facet), sqrt(list->grids->options->wall_area_m2));
    for (int64_t i = 0; i < count; i++) {
        double height_m = facet->a.z + ((double)i + 0.5) / (double)count * (facet->b.z - facet->a.z);
        int32_t tile_o = find_tile_at_corner(list, facet->mirror_o, false, height_m);
        int32_t tile_n = find_tile_at_corner(list, facet->mirror_n, true, height_m);
        RCITY_TRY(add_piece(list, facet, number, (double)i / (double)count, ((double)i + 1.0) / (double)count, tile_o,
                            tile_n));
    }
    return RCITY_OK;
}

static rcity_place3 tile_centre(const rcity_tile *tile)
{
    return (rcity_place3){(double)tile->x, (double)tile->y, (double)tile->z};
}

static rcity_place3 unit(rcity_place3 a)
{
    rcity_place3 none = {0.0, 0.0, 0.0};
    return rcity_place3_add(none, 1.0 / sqrt(rcity_place3_dot(a, a)), a);
}

/* The part of a vector across a unit vector, of length 1. */
static rcity_place3 across(rcity_place3 vector, rcity_place3 along)
{
    return unit(rcity_place3_add(vector, -rcity_place3_dot(vector, along), along));
}

/* The side that two tiles of the terrain share, where the ground turns downward there. `side` runs along it, level
   or not. */
static rcity_status cut_ridge(edge_list *list, int32_t tile_o, int32_t tile_n, rcity_place3 side, double half_m)
{
    const rcity_tiling *tiling = list->tiling;
    const rcity_tile *o = &tiling->tiles[tile_o];
    const rcity_tile *n = &tiling->tiles[tile_n];
    rcity_place3 from = tile_centre(o);
    rcity_place3 to = tile_centre(n);
    rcity_place3 normal_o = {(double)o->nx, (double)o->ny, (double)o->nz};
    rcity_place3 normal_n = {(double)n->nx, (double)n->ny, (double)n->nz};
    rcity_place3 step = rcity_place3_add(to, -1.0, from);
    if (!(rcity_place3_dot(step, normal_o) < 0.0 && rcity_place3_dot(step, normal_n) > 0.0)) {
        return RCITY_OK; /* a valley, or level */
    }
    /* where the planes of both tiles meet above the line between their centres */
    double drop_o = -rcity_place3_dot(step, normal_o) / normal_o.z;
    double rise_n = rcity_place3_dot(step, normal_n) / normal_n.z;
    double share = rise_n / (drop_o + rise_n);
    rcity_place3 middle = rcity_place3_add(from, share, step);
    middle.z += share * drop_o;
    rcity_facet_edge facet;
    memset(&facet, 0, sizeof facet);
    facet.along = unit(side);
    facet.in_face_o = across(rcity_place3_add(from, -1.0, middle), facet.along);
    if (rcity_place3_cross(facet.along, facet.in_face_o).z < 0.0) {
        facet.along = rcity_place3_add((rcity_place3){0.0, 0.0, 0.0}, -1.0, facet.along);
    }
    rcity_place3 in_face_n = across(rcity_place3_add(to, -1.0, middle), facet.along);
    facet.normal_o = rcity_place3_cross(facet.along, facet.in_face_o);
    double solid_rad = acos(rcity_larger(-1.0, rcity_smaller(1.0, rcity_place3_dot(facet.in_face_o, in_face_n))));
    facet.exterior_rad = 2.0 * RCITY_TRACE_PI - solid_rad;
    facet.a = rcity_place3_add(middle, -half_m, facet.along);
    facet.b = rcity_place3_add(middle, half_m, facet.along);
    if (facet.exterior_rad - RCITY_TRACE_PI < list->grids->options->ridge_min_rad) {
        return RCITY_OK;
    }
    return add_piece(list, &facet, RCITY_TILE_TERRAIN, 0.0, 1.0, tile_o, tile_n);
}

static rcity_status cut_ridges(edge_list *list)
{
    const rcity_tile_grids *grids = list->grids;
    const rcity_tile_grid *ground = &grids->grids[grids->grid_count - 1];
    for (int32_t v = 0; v < ground->count_v; v++) {
        for (int32_t u = 0; u < ground->count_u; u++) {
            const int32_t *cell = &grids->cell_tile[ground->first + (int64_t)v * ground->count_u + u];
            if (*cell >= 0 && u + 1 < ground->count_u && cell[1] >= 0) {
                const rcity_tile *a = &list->tiling->tiles[cell[0]];
                rcity_place3 normal = {(double)a->nx, (double)a->ny, (double)a->nz};
                rcity_place3 side =
                    rcity_place3_cross(normal, (rcity_place3){(double)a->ux, (double)a->uy, (double)a->uz});
                RCITY_TRY(cut_ridge(list, cell[0], cell[1], side, (double)a->half_v));
            }
            if (*cell >= 0 && v + 1 < ground->count_v && cell[ground->count_u] >= 0) {
                const rcity_tile *a = &list->tiling->tiles[cell[0]];
                rcity_place3 side = {(double)a->ux, (double)a->uy, (double)a->uz};
                RCITY_TRY(cut_ridge(list, cell[0], cell[ground->count_u], side, (double)a->half_u));
            }
        }
    }
    return RCITY_OK;
}

static int32_t first_parent(const rcity_tile_edge *edge)
{
    bool takes_o = edge->tile_n < 0 || (edge->tile_o >= 0 && edge->tile_o < edge->tile_n);
    return takes_o ? edge->tile_o : edge->tile_n;
}

/* Sort the edges by their first parents, and list for each tile those on its border. */
static rcity_status list_by_tile(edge_list *list)
{
    rcity_tiling *tiling = list->tiling;
    rcity_context *context = list->context;
    size_t tile_room = (size_t)tiling->tile_count + 2;
    rcity_tile_edge *sorted = NULL;
    int32_t *next = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)tiling->edge_count + 1, sizeof *sorted, "the edges of tiles", &sorted));
    RCITY_TRY_DONE(rcity_alloc(context, tile_room, sizeof *next, "the edges of tiles", &next));
    RCITY_TRY_DONE(
        rcity_alloc(context, tile_room, sizeof *tiling->edge_first, "the edges of tiles", &tiling->edge_first));
    RCITY_TRY_DONE(rcity_alloc(context, 2 * (size_t)tiling->edge_count + 1, sizeof *tiling->edge_of,
                               "the edges of tiles", &tiling->edge_of));
    for (int64_t i = 0; i < tiling->edge_count; i++) {
        next[first_parent(&tiling->edges[i]) + 1]++;
    }
    for (int64_t t = 0; t < tiling->tile_count; t++) {
        next[t + 1] += next[t];
    }
    for (int64_t i = 0; i < tiling->edge_count; i++) {
        sorted[next[first_parent(&tiling->edges[i])]++] = tiling->edges[i];
    }
    rcity_release(context, tiling->edges);
    tiling->edges = sorted;
    sorted = NULL;
    int32_t *first = tiling->edge_first;
    for (int64_t i = 0; i < tiling->edge_count; i++) {
        const rcity_tile_edge *piece = &tiling->edges[i];
        first[piece->tile_o + 1] += piece->tile_o >= 0;
        first[piece->tile_n + 1] += piece->tile_n >= 0;
    }
    for (int64_t t = 0; t < tiling->tile_count; t++) {
        first[t + 1] += first[t];
    }
    memcpy(next, first, tile_room * sizeof *next);
    for (int32_t i = 0; i < tiling->edge_count; i++) {
        const int32_t parent[2] = {tiling->edges[i].tile_o, tiling->edges[i].tile_n};
        for (int k = 0; k < 2; k++) {
            if (parent[k] >= 0) {
                tiling->edge_of[next[parent[k]]++] = i;
            }
        }
    }
    status = RCITY_OK;
done:
    rcity_release(context, next);
    rcity_release(context, sorted);
    return status;
}

rcity_status rcity_tile_edges_cut(rcity_context *context, const rcity_tile_grids *grids, rcity_tiling *tiling)
{
    edge_list list = {context, grids, tiling, 0, NULL};
    const rcity_facet_table *world = grids->world;
    rcity_status status;
    RCITY_TRY_DONE(sort_walls(&list));
    for (int32_t i = 0; i < world->edge_count; i++) {
        RCITY_TRY_DONE(world->edges[i].is_vertical ? cut_corner(&list, i) : cut_roof_edge(&list, i));
    }
    if (grids->shapes->terrain.column_count > 0) {
        RCITY_TRY_DONE(cut_ridges(&list));
    }
    status = list_by_tile(&list);
done:
    rcity_release(context, list.walls);
    return status;
}
