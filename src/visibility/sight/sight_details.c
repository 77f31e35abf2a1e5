/* What walks look up outside the cells: details of corners, seams, the ground. */
#include <string.h>

#include "visibility/sight/sight_data.h"

rcity_status rcity_sight_build_details(rcity_sight_work *work)
{
    rcity_sight *sight = work->sight;
    const rcity_grid_point *points = work->shapes->points;
    int64_t seam_first = work->shapes->point_count * RCITY_SIGHT_DETAIL_COUNT;
    sight->detail_count = seam_first + (int64_t)work->seam_count * RCITY_SIGHT_SEAM_COUNT;
    RCITY_CHECK(work->context, sight->detail_count < INT32_MAX, RCITY_ERR_MEMORY,
                "the scene has too many walls for the sight structure; cut it into parts");
    RCITY_TRY(rcity_alloc(work->context, (size_t)sight->detail_count, sizeof *sight->details, "the sight structure",
                          &sight->details));
    int32_t *detail = sight->details;
    for (int32_t wall = 0; wall < work->shapes->point_count; wall++, detail += RCITY_SIGHT_DETAIL_COUNT) {
        const rcity_sight_note *note = &work->notes[wall];
        detail[RCITY_SIGHT_DETAIL_X] = points[note->before].x;
        detail[RCITY_SIGHT_DETAIL_Y] = points[note->before].y;
        detail[RCITY_SIGHT_DETAIL_TURN] = note->turn;
        detail[RCITY_SIGHT_DETAIL_SEAM] = (int32_t)seam_first + note->seam_first * RCITY_SIGHT_SEAM_COUNT;
        detail[RCITY_SIGHT_DETAIL_SEAM_COUNT] = note->seam_count;
        detail[RCITY_SIGHT_DETAIL_PRISM] = note->prism;
    }
    for (size_t i = 0; i < work->seam_count; i++, detail += RCITY_SIGHT_SEAM_COUNT) {
        const rcity_sight_seam *seam = &work->seams[i];
        const int32_t numbers[RCITY_SIGHT_SEAM_COUNT] = {seam->from.x, seam->from.y, seam->to.x, seam->to.y,
                                                         seam->height};
        memcpy(detail, numbers, sizeof numbers);
    }
    return RCITY_OK;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Highest nodes of cells and blocks, then the nodes themselves. */
static void fill_ground(rcity_sight *sight, const rcity_terrain_grid *terrain, int64_t node_first)
{
    const rcity_sight_grid *cells = &sight->view.map.ground_cells;
    const rcity_sight_grid *blocks = &sight->view.map.ground_blocks;
    size_t node_count = (size_t)terrain->column_count * (size_t)terrain->row_count;
    int32_t highest = INT32_MIN;
    for (int64_t i = blocks->first; i < node_first; i++) {
        sight->ground[i] = INT32_MIN;
    }
    for (int32_t row = 0; row < cells->row_count; row++) {
        for (int32_t column = 0; column < cells->column_count; column++) {
            const int32_t *south = terrain->height + (int64_t)row * terrain->column_count + column;
            const int32_t *north = south + terrain->column_count;
            int32_t top = larger(larger(south[0], south[1]), larger(north[0], north[1]));
            int64_t block = blocks->first + (int64_t)(row >> RCITY_SIGHT_BLOCK_SHIFT) * blocks->stride +
                            (column >> RCITY_SIGHT_BLOCK_SHIFT);
            sight->ground[(int64_t)row * cells->stride + column] = top;
            sight->ground[block] = larger(sight->ground[block], top);
            highest = larger(highest, top);
        }
    }
    memcpy(sight->ground + node_first, terrain->height, node_count * sizeof *terrain->height);
    sight->view.map.ground_top = highest;
}

rcity_status rcity_sight_build_ground(rcity_sight_work *work)
{
    rcity_sight *sight = work->sight;
    rcity_sight_map *map = &sight->view.map;
    const rcity_terrain_grid *terrain = &work->shapes->terrain;
    if (terrain->column_count == 0) {
        return RCITY_OK;
    }
    rcity_sight_grid cells = {.west = terrain->west,
                              .south = terrain->south,
                              .cell = terrain->cell,
                              .shift = -1,
                              .column_count = terrain->column_count - 1,
                              .row_count = terrain->row_count - 1};
    rcity_sight_finish_grid(&cells);
    int64_t node_count = (int64_t)terrain->column_count * terrain->row_count;
    RCITY_CHECK(work->context, node_count < INT32_MAX / 4, RCITY_ERR_MEMORY,
                "the terrain has %lld nodes, too many for the sight structure; give it a wider cell",
                (long long)node_count);
    map->ground_cells = cells;
    map->ground_blocks = rcity_sight_blocks_over(cells, cells.column_count * cells.row_count);
    int64_t node_first =
        map->ground_blocks.first + (int64_t)map->ground_blocks.column_count * map->ground_blocks.row_count;
    sight->ground_count = node_first + node_count;
    RCITY_TRY(rcity_alloc(work->context, (size_t)sight->ground_count, sizeof *sight->ground, "the sight structure",
                          &sight->ground));
    fill_ground(sight, terrain, node_first);
    return RCITY_OK;
}
