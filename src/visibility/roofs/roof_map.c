/* Roofs in cells. */
#include "visibility/roofs/roof_map.h"

#include <stdlib.h>
#include <string.h>

void rcity_roof_map_deinit(rcity_context *context, rcity_roof_map *map)
{
    rcity_release(context, map->corners);
    rcity_release(context, map->walls);
    rcity_release(context, map->first);
    rcity_release(context, map->levels);
    memset(map, 0, sizeof *map);
}

/* The walls in a cell's list; writes their numbers unless `walls` is NULL. */
static uint32_t list_walls(const rcity_sight_view *view, int64_t cell, uint32_t *walls)
{
    if (view->raster[cell] == 0) {
        return 0;
    }
    uint32_t place = rcity_sight_list(view, (uint32_t)cell);
    uint32_t end = place + view->lists[place] / RCITY_SIGHT_REFERENCE_COUNT;
    uint32_t count = 0;
    while (place < end) {
        uint32_t entry = view->lists[++place];
        if ((entry & RCITY_SIGHT_ENTRY_IS_COVER) == 0) {
            if (walls != NULL) {
                walls[count] = RCITY_SIGHT_ENTRY_WALL(entry);
            }
            count++;
        }
    }
    return count;
}

/* Sorts by the roof's height, the highest first; by insertion, since there are few. */
static void sort_walls(const rcity_sight_view *view, uint32_t *walls, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t wall = walls[i];
        int32_t roof = rcity_sight_roof(0, view->walls[wall]);
        uint32_t at = i;
        for (; at > 0 && rcity_sight_roof(0, view->walls[walls[at - 1]]) < roof; at--) {
            walls[at] = walls[at - 1];
        }
        walls[at] = wall;
    }
}

/* Counts the walls of all cells; `most` is the largest number in a cell. */
static rcity_status count_walls(rcity_context *context, const rcity_sight_view *view, rcity_roof_map *map,
                                uint32_t *most)
{
    *most = 0;
    for (int64_t cell = 0; cell < map->cell_count; cell++) {
        uint32_t count = list_walls(view, cell, NULL);
        *most = count > *most ? count : *most;
        map->wall_count += count;
        RCITY_CHECK(context, map->wall_count < INT32_MAX / 2, RCITY_ERR_MEMORY,
                    "the scene has too many walls for paths over roofs; cut it into parts");
        map->first[cell + 1] = (uint32_t)map->wall_count;
    }
    return RCITY_OK;
}

/* A cell's walls, its level and that of its patch. */
static void fill_cell(const rcity_sight_view *view, int64_t cell, uint32_t *numbers, rcity_roof_map *map)
{
    uint32_t count = list_walls(view, cell, numbers);
    int32_t width = view->map.cells.column_count;
    int32_t patch_width = (width - 1) / (1 << RCITY_ROOF_PATCH_SHIFT) + 1;
    int64_t patch = (cell / width >> RCITY_ROOF_PATCH_SHIFT) * patch_width + (cell % width >> RCITY_ROOF_PATCH_SHIFT);
    sort_walls(view, numbers, count);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t *detail = &view->details[numbers[i] * RCITY_SIGHT_DETAIL_COUNT];
        map->walls[map->first[cell] + i] = view->walls[numbers[i]];
        map->corners[map->first[cell] + i] =
            (rcity_roof_corner){detail[RCITY_SIGHT_DETAIL_X], detail[RCITY_SIGHT_DETAIL_Y]};
    }
    if (count > 0) {
        int32_t highest = rcity_sight_roof(0, view->walls[numbers[0]]);
        int32_t part = (1 << map->view.level_shift) - 1;
        uint16_t level = (uint16_t)((highest + part) >> map->view.level_shift);
        uint16_t *patch_level = &map->levels[map->view.patch_first + patch];
        map->levels[cell] = level;
        *patch_level = level > *patch_level ? level : *patch_level;
    }
}

rcity_status rcity_roof_map_init(rcity_context *context, const rcity_sight *sight, rcity_roof_map *map)
{
    const rcity_sight_view *view = &sight->view;
    const rcity_sight_grid *cells = &view->map.cells;
    uint32_t *numbers = NULL;
    uint32_t most;
    rcity_status status;
    memset(map, 0, sizeof *map);
    map->cell_count = sight->cell_count;
    map->view.map = view->map;
    map->view.ground = view->ground;
    map->view.patch_first = (int32_t)sight->cell_count;
    int64_t side = 1 << RCITY_ROOF_PATCH_SHIFT;
    map->level_count =
        map->cell_count + (cells->column_count + side - 1) / side * ((cells->row_count + side - 1) / side);
    while (sight->cell_count > 0 && (view->map.top - view->map.floor) >> map->view.level_shift >= UINT16_MAX) {
        map->view.level_shift++;
    }
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)map->level_count + 1, sizeof *map->levels, "paths over roofs", &map->levels));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)map->cell_count + 1, sizeof *map->first, "paths over roofs", &map->first));
    RCITY_TRY_DONE(count_walls(context, view, map, &most));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)most + 1, sizeof *numbers, "paths over roofs", &numbers));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)map->wall_count + 1, sizeof *map->walls, "paths over roofs", &map->walls));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)map->wall_count + 1, sizeof *map->corners, "paths over roofs", &map->corners));
    for (int64_t cell = 0; cell < map->cell_count; cell++) {
        fill_cell(view, cell, numbers, map);
    }
    map->view.levels = map->levels;
    map->view.first = map->first;
    map->view.walls = map->walls;
    map->view.corners = map->corners;
done:
    rcity_release(context, numbers);
    if (status != RCITY_OK) {
        rcity_roof_map_deinit(context, map);
    }
    return status;
}
