/* The cells: laid over the buildings, each with the walls near it and the roof that covers it wholly. */
#include <math.h>

#include "scene/shape/prism.h"
#include "visibility/sight/sight_data.h"

/* Walls are entered into all cells that they pass within this many units, and the grid reaches farther than the
   buildings. Then probes rounded to whole units can stand for the line itself. */
#define MARGIN 4

/* More cells than this for each wall, or altogether, cost memory and gain nothing. */
#define CELLS_PER_WALL 64.0
#define CELL_COUNT_MIN (1 << 16)
#define CELL_COUNT_MAX (1 << 26)

void rcity_sight_lay_out(rcity_sight_work *work)
{
    const rcity_shapes *shapes = work->shapes;
    rcity_sight_map *map = &work->sight->view.map;
    if (shapes->prism_count == 0) {
        return;
    }
    rcity_plan_box box = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    int32_t lowest = INT32_MAX;
    int32_t highest = INT32_MIN;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        box.x_min = prism->x_min < box.x_min ? prism->x_min : box.x_min;
        box.y_min = prism->y_min < box.y_min ? prism->y_min : box.y_min;
        box.x_max = prism->x_max > box.x_max ? prism->x_max : box.x_max;
        box.y_max = prism->y_max > box.y_max ? prism->y_max : box.y_max;
        lowest = prism->roof < lowest ? prism->roof : lowest;
        highest = prism->roof > highest ? prism->roof : highest;
    }
    rcity_sight_grid *cells = &map->cells;
    map->floor = lowest - 1;
    map->top = highest;
    while (((highest - map->floor) >> map->level_shift) >= 255) {
        map->level_shift++;
    }
    double most = fmin(fmax(CELLS_PER_WALL * (double)shapes->point_count, CELL_COUNT_MIN), CELL_COUNT_MAX);
    cells->shift = 4;
    do { /* borders on round numbers: walls lie on them no more often than elsewhere, and tests cover that */
        cells->shift++;
        cells->cell = 1 << cells->shift;
        cells->west = ((box.x_min - 2 * MARGIN) >> cells->shift) * cells->cell;
        cells->south = ((box.y_min - 2 * MARGIN) >> cells->shift) * cells->cell;
        cells->column_count = (box.x_max + 2 * MARGIN - cells->west) / cells->cell + 1;
        cells->row_count = (box.y_max + 2 * MARGIN - cells->south) / cells->cell + 1;
    } while (cells->cell < work->cell_m * shapes->units_per_m || (double)cells->column_count * cells->row_count > most);
    rcity_sight_finish_grid(cells);
    work->sight->cell_count = (int64_t)cells->column_count * cells->row_count;
    map->blocks = rcity_sight_blocks_over(*cells, (int32_t)work->sight->cell_count);
    map->probes = *cells;
    map->probes.shift--;
    map->probes.cell /= 2;
    map->probes.column_count *= 2;
    map->probes.row_count *= 2;
    rcity_sight_finish_grid(&map->probes);
}

void rcity_sight_finish_grid(rcity_sight_grid *grid)
{
    grid->stride = grid->column_count;
    grid->width = grid->column_count * grid->cell;
    grid->depth = grid->row_count * grid->cell;
    grid->gain = (float)grid->cell * 65536.0f * (1.0f - 1.0f / 1048576.0f);
}

rcity_sight_grid rcity_sight_blocks_over(rcity_sight_grid cells, int32_t first)
{
    rcity_sight_grid blocks = cells;
    blocks.cell = cells.cell << RCITY_SIGHT_BLOCK_SHIFT;
    blocks.shift = cells.shift >= 0 ? cells.shift + RCITY_SIGHT_BLOCK_SHIFT : -1;
    blocks.column_count = rcity_sight_blocks_in(cells.column_count);
    blocks.row_count = rcity_sight_blocks_in(cells.row_count);
    blocks.first = first;
    rcity_sight_finish_grid(&blocks);
    return blocks;
}

static int32_t cell_of(double at, int32_t origin, int32_t shift, int32_t count)
{
    double index = floor((at - origin) / (1 << shift));
    return (int32_t)fmin(fmax(index, 0.0), count - 1.0);
}

/* Columns that a wall comes near in a row of cells, from its part within the row. Doubles are exact to far below a
   unit. */
static void columns_of(const rcity_sight_grid *grid, rcity_grid_point p, rcity_grid_point q, int32_t row,
                       int32_t *begin, int32_t *end)
{
    double south = grid->south + (double)row * (1 << grid->shift) - MARGIN;
    double north = south + (1 << grid->shift) + 2 * MARGIN;
    double x_p = p.x;
    double x_q = q.x;
    if (p.y != q.y) {
        double slope = ((double)q.x - p.x) / ((double)q.y - p.y);
        double low = fmin(p.y, q.y);
        double high = fmax(p.y, q.y);
        x_p = p.x + (fmin(fmax(south, low), high) - p.y) * slope;
        x_q = p.x + (fmin(fmax(north, low), high) - p.y) * slope;
    }
    *begin = cell_of(fmin(x_p, x_q) - MARGIN - 1, grid->west, grid->shift, grid->column_count);
    *end = cell_of(fmax(x_p, x_q) + MARGIN + 1, grid->west, grid->shift, grid->column_count);
}

/* Call `visit` for every cell that a wall comes near. */
typedef void (*cell_visit)(void *user, int64_t cell);

static void visit_cells(const rcity_sight_work *work, const rcity_sight_grid *grid, int32_t wall, cell_visit visit,
                        void *user)
{
    rcity_grid_point p = work->shapes->points[wall];
    rcity_grid_point q = work->shapes->points[work->notes[wall].next];
    int32_t row = cell_of((p.y < q.y ? p.y : q.y) - MARGIN, grid->south, grid->shift, grid->row_count);
    int32_t row_end = cell_of((p.y < q.y ? q.y : p.y) + MARGIN, grid->south, grid->shift, grid->row_count);
    for (; row <= row_end; row++) {
        int32_t column;
        int32_t column_end;
        columns_of(grid, p, q, row, &column, &column_end);
        for (; column <= column_end; column++) {
            visit(user, (int64_t)row * grid->column_count + column);
        }
    }
}

static void count_entry(void *user, int64_t cell)
{
    uint32_t *first = user;
    first[cell + 1]++;
}

/* Sum the counts, so that each cell knows where its items start, and allocate `items`. */
static rcity_status start_items(rcity_sight_work *work, uint32_t *first, int32_t **items)
{
    uint64_t count = 0;
    for (int64_t cell = 0; cell < work->sight->cell_count; cell++) {
        count += first[cell + 1];
        RCITY_CHECK(work->context, count < INT32_MAX / 8, RCITY_ERR_MEMORY,
                    "the scene has too many walls for the sight structure; cut it into parts");
        first[cell + 1] += first[cell];
    }
    return rcity_alloc(work->context, (size_t)count, sizeof **items, "the sight structure", items);
}

/* Filling has moved each start to its end; move it back. */
static void shift_back(uint32_t *first, int64_t cell_count)
{
    for (int64_t cell = cell_count; cell > 0; cell--) {
        first[cell] = first[cell - 1];
    }
    first[0] = 0;
}

typedef struct entry_filling {
    rcity_sight_work *work;
    int32_t wall;
} entry_filling;

static void fill_entry(void *user, int64_t cell)
{
    entry_filling *filling = user;
    filling->work->entry_wall[filling->work->entry_first[cell]++] = filling->wall;
}

rcity_status rcity_sight_enter_walls(rcity_sight_work *work)
{
    const rcity_sight_grid *cells = &work->sight->view.map.cells;
    int32_t wall_count = (int32_t)work->shapes->point_count;
    RCITY_TRY(rcity_alloc(work->context, (size_t)work->sight->cell_count + 1, sizeof *work->entry_first,
                          "the sight structure", &work->entry_first));
    for (int32_t wall = 0; wall < wall_count; wall++) {
        visit_cells(work, cells, wall, count_entry, work->entry_first);
    }
    RCITY_TRY(start_items(work, work->entry_first, &work->entry_wall));
    entry_filling filling = {work, 0};
    for (; filling.wall < wall_count; filling.wall++) {
        visit_cells(work, cells, filling.wall, fill_entry, &filling);
    }
    shift_back(work->entry_first, work->sight->cell_count);
    return RCITY_OK;
}

static void count_cover(void *user, int64_t cell, int32_t prism)
{
    rcity_sight_work *work = user;
    (void)prism;
    work->cover_first[cell + 1]++;
}

static void fill_cover(void *user, int64_t cell, int32_t prism)
{
    rcity_sight_work *work = user;
    work->cover_prism[work->cover_first[cell]++] = prism;
}

rcity_status rcity_sight_enter_covers(rcity_sight_work *work)
{
    const rcity_sight_grid *cells = &work->sight->view.map.cells;
    RCITY_TRY(rcity_alloc(work->context, (size_t)work->sight->cell_count + 1, sizeof *work->cover_first,
                          "the sight structure", &work->cover_first));
    RCITY_TRY(rcity_sight_find_covers(work, cells, count_cover, work));
    RCITY_TRY(start_items(work, work->cover_first, &work->cover_prism));
    RCITY_TRY(rcity_sight_find_covers(work, cells, fill_cover, work));
    shift_back(work->cover_first, work->sight->cell_count);
    return RCITY_OK;
}

/* State while covers of a grid are found. */
typedef struct cell_covering {
    const rcity_sight_grid *grid;
    int32_t *marks; /* for each cell the last prism with a wall near it, plus 1 */
    int32_t prism;
} cell_covering;

static void mark_cell(void *user, int64_t cell)
{
    cell_covering *covering = user;
    covering->marks[cell] = covering->prism + 1;
}

/* The cells that a prism covers wholly: those without walls of it whose corner it owns. Along a row that changes only
   across cells with walls. */
static void cover_cells(const rcity_shapes *shapes, const cell_covering *covering, rcity_sight_cover_function visit,
                        void *user)
{
    const rcity_prism *prism = &shapes->prisms[covering->prism];
    const rcity_sight_grid *grid = covering->grid;
    int32_t column_begin = cell_of(prism->x_min, grid->west, grid->shift, grid->column_count);
    int32_t column_end = cell_of(prism->x_max, grid->west, grid->shift, grid->column_count);
    int32_t row = cell_of(prism->y_min, grid->south, grid->shift, grid->row_count);
    int32_t row_end = cell_of(prism->y_max, grid->south, grid->shift, grid->row_count);
    for (; row <= row_end; row++) {
        bool is_known = false;
        bool is_inside = false;
        for (int32_t column = column_begin; column <= column_end; column++) {
            int64_t cell = (int64_t)row * grid->column_count + column;
            if (covering->marks[cell] == covering->prism + 1) {
                is_known = false;
                continue;
            }
            if (!is_known) {
                rcity_grid_point at = {grid->west + column * grid->cell, grid->south + row * grid->cell};
                is_inside = rcity_prism_owns(shapes, prism, at);
                is_known = true;
            }
            if (is_inside) {
                visit(user, cell, covering->prism);
            }
        }
    }
}

rcity_status rcity_sight_find_covers(rcity_sight_work *work, const rcity_sight_grid *grid,
                                     rcity_sight_cover_function visit, void *user)
{
    const rcity_shapes *shapes = work->shapes;
    size_t cell_count = (size_t)grid->column_count * (size_t)grid->row_count;
    cell_covering covering = {.grid = grid};
    RCITY_TRY(rcity_alloc(work->context, cell_count, sizeof *covering.marks, "the sight structure", &covering.marks));
    for (; covering.prism < shapes->prism_count; covering.prism++) {
        const rcity_prism *prism = &shapes->prisms[covering.prism];
        int32_t wall_end = shapes->ring_first[prism->first_ring + prism->ring_count];
        for (int32_t wall = shapes->ring_first[prism->first_ring]; wall < wall_end; wall++) {
            visit_cells(work, grid, wall, mark_cell, &covering);
        }
        cover_cells(shapes, &covering, visit, user);
    }
    rcity_release(work->context, covering.marks);
    return RCITY_OK;
}
