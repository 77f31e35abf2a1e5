/* Walls and edges sorted into columns: counted first, then listed. */
#include "visibility/city_cubes/cube_sources.h"

#include <math.h>

#define BESIDE_M 1e-3 /* a wall this near to a column passes through it: rays are rounded */

/* What is done with a column that an item lies in. */
typedef struct source_sorter {
    rcity_city_cubes *cubes;
    bool of_edges, lists; /* else it only counts */
} source_sorter;

/* Count in the next column's first, so that sums make firsts; lists go backward from there. */
static void take(const source_sorter *sorter, int64_t column, int64_t row, rcity_i32 item)
{
    rcity_city_cubes *cubes = sorter->cubes;
    const rcity_cube_map *map = &cubes->map;
    if (column < 0 || column >= map->column_count || row < 0 || row >= map->row_count) {
        return;
    }
    rcity_cube_column *at = &cubes->columns[row * map->column_count + column];
    rcity_i32 *first = sorter->of_edges ? &at->edge_first : &at->wall_first;
    if (!sorter->lists) {
        (*first)++;
    } else if (sorter->of_edges) {
        cubes->column_edges[--*first] = item;
    } else {
        cubes->column_walls[--*first] = item;
    }
}

/* From counts to the ends of lists. */
static void add_up(rcity_city_cubes *cubes, int64_t column_count)
{
    rcity_i32 walls = 0;
    rcity_i32 edges = 0;
    for (int64_t i = 0; i <= column_count; i++) {
        walls += cubes->columns[i].wall_first;
        edges += cubes->columns[i].edge_first;
        cubes->columns[i].wall_first = walls;
        cubes->columns[i].edge_first = edges;
    }
}

static int64_t column_of(double m, double low_m, double edge_m)
{
    return (int64_t)floor((m - low_m) / edge_m);
}

/* All columns that a wall comes within BESIDE_M of: row by row what lies between its ends. */
static void sort_wall(const source_sorter *sorter, rcity_i32 item)
{
    const rcity_cube_wall *wall = &sorter->cubes->walls[item];
    const rcity_cube_map *map = &sorter->cubes->map;
    double edge_m = (double)map->edge_m;
    double west = (double)map->west_m;
    double south = (double)map->south_m;
    bool is_up = wall->y1 <= wall->y2;
    double x1 = (double)(is_up ? wall->x1 : wall->x2), y1 = (double)(is_up ? wall->y1 : wall->y2);
    double x2 = (double)(is_up ? wall->x2 : wall->x1), y2 = (double)(is_up ? wall->y2 : wall->y1);
    double slope = y2 > y1 ? (x2 - x1) / (y2 - y1) : 0.0;
    int64_t row_last = column_of(y2 + BESIDE_M, south, edge_m);
    for (int64_t row = column_of(y1 - BESIDE_M, south, edge_m); row <= row_last; row++) {
        double low = fmax(y1, south + (double)row * edge_m - BESIDE_M);
        double high = fmin(y2, south + (double)(row + 1) * edge_m + BESIDE_M);
        double from = y2 > y1 ? x1 + (low - y1) * slope : x1;
        double to = y2 > y1 ? x1 + (high - y1) * slope : x2;
        int64_t last = column_of(fmin(fmax(from, to), fmax(x1, x2)) + BESIDE_M, west, edge_m);
        for (int64_t column = column_of(fmax(fmin(from, to), fmin(x1, x2)) - BESIDE_M, west, edge_m); column <= last;
             column++) {
            take(sorter, column, row, item);
        }
    }
}

/* A ray within one edge length of a vertical edge passes its column or one beside it. */
static void sort_edge(const source_sorter *sorter, rcity_i32 item)
{
    const rcity_cube_edge *edge = &sorter->cubes->edges[item];
    const rcity_cube_map *map = &sorter->cubes->map;
    int64_t column = column_of((double)edge->x, (double)map->west_m, (double)map->edge_m);
    int64_t row = column_of((double)edge->y, (double)map->south_m, (double)map->edge_m);
    for (int64_t i = 0; i < 9; i++) {
        take(sorter, column - 1 + i % 3, row - 1 + i / 3, item);
    }
}

static void sort_all(rcity_city_cubes *cubes, bool lists)
{
    source_sorter walls = {cubes, false, lists};
    source_sorter edges = {cubes, true, lists};
    for (int64_t i = cubes->wall_count - 1; i >= 0; i--) { /* lists are filled from their ends */
        sort_wall(&walls, (rcity_i32)i);
    }
    for (int64_t i = cubes->edge_count - 1; i >= 0; i--) {
        sort_edge(&edges, (rcity_i32)i);
    }
}

static rcity_status copy_sources(rcity_context *context, const rcity_facet_table *facets, rcity_city_cubes *cubes)
{
    int64_t vertical_count = facets->edge_count - facets->roof_edge_count;
    RCITY_TRY(rcity_alloc(context, (size_t)facets->wall_count + 1, sizeof *cubes->walls, "the walls of cubes",
                          &cubes->walls));
    RCITY_TRY(
        rcity_alloc(context, (size_t)vertical_count + 1, sizeof *cubes->edges, "the edges of cubes", &cubes->edges));
    cubes->wall_count = facets->wall_count;
    for (int64_t i = 0; i < facets->wall_count; i++) {
        const rcity_mirror *from = &facets->mirrors[i];
        cubes->walls[i] =
            (rcity_cube_wall){(float)from->x1,       (float)from->y1,       (float)from->x2,     (float)from->y2,
                              (float)from->normal.x, (float)from->normal.y, (float)from->bottom, (float)from->top};
    }
    for (int64_t i = 0; i < vertical_count; i++) {
        const rcity_facet_edge *from = &facets->edges[facets->roof_edge_count + i];
        if (from->exterior_rad > RCITY_TRACE_PI) {
            cubes->edges[cubes->edge_count++] = (rcity_cube_edge){
                (float)from->a.x,          (float)from->a.y, (float)from->in_face_o.x, (float)from->in_face_o.y,
                (float)from->exterior_rad, (float)from->a.z, (float)from->b.z};
        }
    }
    return RCITY_OK;
}

rcity_status rcity_cube_sources_list(rcity_context *context, const rcity_facet_table *facets, rcity_city_cubes *cubes)
{
    int64_t column_count = (int64_t)cubes->map.column_count * cubes->map.row_count;
    RCITY_TRY(copy_sources(context, facets, cubes));
    sort_all(cubes, false);
    add_up(cubes, column_count);
    const rcity_cube_column *end = &cubes->columns[column_count];
    RCITY_TRY(rcity_alloc(context, (size_t)end->wall_first + 1, sizeof *cubes->column_walls, "the walls of cubes",
                          &cubes->column_walls));
    RCITY_TRY(rcity_alloc(context, (size_t)end->edge_first + 1, sizeof *cubes->column_edges, "the edges of cubes",
                          &cubes->column_edges));
    sort_all(cubes, true);
    return RCITY_OK;
}
