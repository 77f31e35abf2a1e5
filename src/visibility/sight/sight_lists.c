/* The raster and the lists of its cells. */
#include <stdlib.h>
#include <string.h>

#include "scene/shape/prism.h"
#include "visibility/sight/sight_data.h"

static rcity_grid_point doubled(rcity_grid_point point)
{
    rcity_grid_point twice = {2 * point.x, 2 * point.y};
    return twice;
}

/* A reference point that lies on the line of none of the cell's walls. @return its number, or -1. */
static int32_t find_reference(const rcity_sight_work *work, int64_t cell, rcity_grid_point *reference)
{
    const rcity_sight_grid *cells = &work->sight->view.map.cells;
    const rcity_grid_point *points = work->shapes->points;
    int32_t west = cells->west + (int32_t)(cell % cells->stride) * cells->cell;
    int32_t south = cells->south + (int32_t)(cell / cells->stride) * cells->cell;
    for (int32_t number = 0; number < (int32_t)RCITY_SIGHT_REFERENCE_COUNT; number++) {
        reference->x = rcity_sight_reference(west, cells->shift, number, RCITY_SIGHT_REFERENCE_STEP_X);
        reference->y = rcity_sight_reference(south, cells->shift, number, RCITY_SIGHT_REFERENCE_STEP_Y);
        bool is_clear = true;
        for (uint32_t i = work->entry_first[cell]; i < work->entry_first[cell + 1] && is_clear; i++) {
            int32_t wall = work->entry_wall[i];
            is_clear = rcity_orient(doubled(points[wall]), doubled(points[work->notes[wall].next]), *reference) != 0;
        }
        if (is_clear) {
            return number;
        }
    }
    return -1;
}

/* Does a prism cover a point, in doubled units, that is on none of its walls? */
static bool covers(const rcity_shapes *shapes, const rcity_prism *prism, rcity_grid_point at)
{
    bool is_inside = false;
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        int32_t end = shapes->ring_first[ring + 1];
        rcity_grid_point p = doubled(shapes->points[end - 1]);
        for (int32_t point = shapes->ring_first[ring]; point < end; point++) {
            rcity_grid_point q = doubled(shapes->points[point]);
            if (rcity_edge_crosses_level(p, q, at.y) && rcity_edge_is_west(p, q, at)) {
                is_inside = !is_inside;
            }
            p = q;
        }
    }
    return is_inside;
}

/* Words that a cell's list takes. */
static uint32_t list_words(const rcity_sight_work *work, int64_t cell)
{
    uint32_t count = work->entry_first[cell + 1] - work->entry_first[cell];
    count += work->cover_first[cell + 1] - work->cover_first[cell];
    return count > 0 ? count + 1 : 0;
}

/* The cells of a run, and the words that their lists take. Few runs need more than 8 bits for the offset from their
   base; those have a table of places there. */
typedef struct list_run {
    int64_t begin, end;
    uint32_t words;
    bool is_far;
} list_run;

static list_run measure_run(const rcity_sight_work *work, int64_t run)
{
    list_run made = {run << RCITY_SIGHT_RUN_SHIFT, (run + 1) << RCITY_SIGHT_RUN_SHIFT, 0, false};
    made.end = made.end < work->sight->cell_count ? made.end : work->sight->cell_count;
    for (int64_t cell = made.begin; cell < made.end; cell++) {
        made.words += list_words(work, cell);
    }
    made.is_far = made.words >= RCITY_SIGHT_FAR_LIST;
    made.words += made.is_far ? RCITY_SIGHT_RUN_CELLS : 0;
    return made;
}

static rcity_status place_lists(rcity_sight_work *work)
{
    rcity_sight *sight = work->sight;
    sight->run_count = (sight->cell_count + RCITY_SIGHT_RUN_CELLS - 1) >> RCITY_SIGHT_RUN_SHIFT;
    sight->list_count = sight->run_count;
    for (int64_t run = 0; run < sight->run_count; run++) {
        sight->list_count += measure_run(work, run).words;
    }
    RCITY_CHECK(work->context, sight->list_count < UINT32_MAX / 2, RCITY_ERR_MEMORY,
                "the scene has too many walls for the sight structure; cut it into parts");
    RCITY_TRY(rcity_alloc(work->context, (size_t)sight->list_count, sizeof *sight->lists, "the sight structure",
                          &sight->lists));
    int64_t place = sight->run_count;
    for (int64_t run = 0; run < sight->run_count; run++) {
        sight->lists[run] = (uint32_t)place;
        place += measure_run(work, run).words;
    }
    return RCITY_OK;
}

static int32_t first_wall(const rcity_shapes *shapes, int32_t prism)
{
    return shapes->ring_first[shapes->prisms[prism].first_ring];
}

/* Fill one list. @return the highest roof over a wall in it, or the floor. */
static int32_t fill_list(const rcity_sight_work *work, int64_t cell, uint32_t *list)
{
    const rcity_shapes *shapes = work->shapes;
    rcity_grid_point reference = {0, 0};
    int32_t number = find_reference(work, cell, &reference);
    uint32_t count = 0;
    int32_t top = work->sight->view.map.floor;
    int32_t last_prism = -1;
    uint32_t flags = 0;
    for (uint32_t i = work->entry_first[cell]; i < work->entry_first[cell + 1]; i++) {
        int32_t wall = work->entry_wall[i];
        int32_t prism = work->notes[wall].prism;
        uint32_t begins = 0;
        if (prism != last_prism) {
            flags = work->is_tangled[prism] || number < 0 ? RCITY_SIGHT_ENTRY_IS_TANGLED : 0;
            begins = RCITY_SIGHT_ENTRY_BEGINS_PRISM;
            begins |= covers(shapes, &shapes->prisms[prism], reference) ? RCITY_SIGHT_ENTRY_HAS_POINT : 0;
        }
        list[++count] = (uint32_t)wall | flags | begins;
        top = shapes->prisms[prism].roof > top ? shapes->prisms[prism].roof : top;
        last_prism = prism;
    }
    for (uint32_t i = work->cover_first[cell]; i < work->cover_first[cell + 1]; i++) {
        list[++count] = (uint32_t)first_wall(shapes, work->cover_prism[i]) | RCITY_SIGHT_ENTRY_IS_COVER |
                        RCITY_SIGHT_ENTRY_BEGINS_PRISM | RCITY_SIGHT_ENTRY_HAS_POINT;
    }
    list[0] = count * RCITY_SIGHT_REFERENCE_COUNT + (number > 0 ? (uint32_t)number : 0);
    return top;
}

/* The lists of a run of cells, and the cells. */
static void build_run(const rcity_sight_work *work, int64_t run)
{
    rcity_sight *sight = work->sight;
    const rcity_sight_map *map = &sight->view.map;
    list_run cells = measure_run(work, run);
    uint32_t base = sight->lists[run];
    uint32_t place = base + (cells.is_far ? RCITY_SIGHT_RUN_CELLS : 0);
    for (int64_t cell = cells.begin; cell < cells.end; cell++) {
        if (list_words(work, cell) == 0) {
            continue;
        }
        int32_t top = fill_list(work, cell, sight->lists + place);
        uint32_t round_up = (1u << map->level_shift) - 1;
        sight->raster[cell] = (uint8_t)(((uint32_t)(top - map->floor) + round_up) >> map->level_shift);
        sight->raster[map->offset_first + cell] = (uint8_t)(cells.is_far ? RCITY_SIGHT_FAR_LIST : place - base + 1);
        if (cells.is_far) {
            sight->lists[base + (uint32_t)(cell - cells.begin)] = place;
        }
        place += list_words(work, cell);
    }
}

/* The highest level of each block of cells. */
static void build_blocks(rcity_sight *sight)
{
    const rcity_sight_grid *cells = &sight->view.map.cells;
    const rcity_sight_grid *blocks = &sight->view.map.blocks;
    for (int32_t row = 0; row < cells->row_count; row++) {
        for (int32_t column = 0; column < cells->column_count; column++) {
            int64_t block = blocks->first + (int64_t)(row >> RCITY_SIGHT_BLOCK_SHIFT) * blocks->stride +
                            (column >> RCITY_SIGHT_BLOCK_SHIFT);
            uint8_t level = sight->raster[(int64_t)row * cells->stride + column];
            sight->raster[block] = level > sight->raster[block] ? level : sight->raster[block];
        }
    }
}

/* The height below which seven of eight blocks with roofs stay. */
static int32_t find_crowd(const rcity_sight *sight)
{
    const rcity_sight_map *map = &sight->view.map;
    int64_t count[256] = {0};
    int64_t block_count = (int64_t)map->blocks.column_count * map->blocks.row_count;
    for (int64_t i = 0; i < block_count; i++) {
        count[sight->raster[map->blocks.first + i]]++;
    }
    int64_t left = (block_count - count[0]) / 8;
    int32_t level = 255;
    while (level > 0 && count[level] <= left) {
        left -= count[level--];
    }
    return map->floor + (level << map->level_shift);
}

/* Walls with their roofs, packed. */
static rcity_status pack_walls(rcity_sight_work *work)
{
    rcity_sight *sight = work->sight;
    const rcity_shapes *shapes = work->shapes;
    size_t wall_count = (size_t)shapes->point_count;
    RCITY_TRY(rcity_alloc(work->context, wall_count, sizeof *sight->walls, "the sight structure", &sight->walls));
    sight->wall_count = shapes->point_count;
    RCITY_TRY(
        rcity_alloc(work->context, wall_count, sizeof *sight->wall_prism, "the sight structure", &sight->wall_prism));
    int64_t longest = 1;
    for (size_t wall = 0; wall < wall_count; wall++) {
        const rcity_sight_note *note = &work->notes[wall];
        rcity_grid_point p = shapes->points[wall];
        rcity_grid_point q = shapes->points[note->next];
        int32_t roof = shapes->prisms[note->prism].roof - sight->view.map.floor;
        rcity_sight_wall packed = {p.x * 256 + (roof & 255), p.y * 256 + (roof >> 8 & 255), q.x * 256 + (roof >> 16),
                                   q.y * 256};
        int64_t length = llabs((int64_t)q.x - p.x) + llabs((int64_t)q.y - p.y);
        longest = length > longest ? length : longest;
        sight->walls[wall] = packed;
        sight->wall_prism[wall] = note->prism;
    }
    /* a wall of a cell is no farther from the line's start than the lengths of both and of the cell together */
    int64_t reach = RCITY_SIGHT_NARROW / longest - longest - 4 * (int64_t)sight->view.map.cells.cell;
    sight->view.map.narrow = reach > 0 ? reach * sight->view.map.cells.cell : -1;
    return RCITY_OK;
}

/* The level up to which a cell of the probes is solid: that of the highest prism. */
static void raise_solid(void *user, int64_t cell, int32_t prism)
{
    rcity_sight_work *work = user;
    const rcity_sight_map *map = &work->sight->view.map;
    uint8_t *solid = work->sight->raster + map->probes.first + cell;
    int32_t level = (work->shapes->prisms[prism].roof - map->floor) >> map->level_shift;
    *solid = level > *solid ? (uint8_t)level : *solid;
}

rcity_status rcity_sight_build_lists(rcity_sight_work *work)
{
    rcity_sight *sight = work->sight;
    rcity_sight_map *map = &sight->view.map;
    const rcity_sight_grid *blocks = &map->blocks;
    RCITY_CHECK(work->context, RCITY_SIGHT_ENTRY_WALL((uint32_t)work->shapes->point_count) == work->shapes->point_count,
                RCITY_ERR_MEMORY, "the scene has too many walls for the sight structure; cut it into parts");
    RCITY_TRY(pack_walls(work));
    map->offset_first = (int32_t)sight->cell_count + blocks->column_count * blocks->row_count;
    map->probes.first = map->offset_first + (int32_t)sight->cell_count;
    sight->raster_count = map->probes.first + (int64_t)map->probes.column_count * map->probes.row_count;
    RCITY_TRY(rcity_alloc(work->context, (size_t)sight->raster_count, sizeof *sight->raster, "the sight structure",
                          &sight->raster));
    RCITY_TRY(place_lists(work));
    for (int64_t run = 0; run < sight->run_count; run++) {
        build_run(work, run);
    }
    build_blocks(sight);
    map->crowd = find_crowd(sight);
    return rcity_sight_find_covers(work, &map->probes, raise_solid, work);
}
