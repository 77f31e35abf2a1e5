/* Tiles of pixels, for launches over several sources. Neighbouring work items do a tile of 8 x 4 pixels: their lines
   pass the same cells, nearly to the end. One launch finds the path to the middle of each tile; in the next one the
   pixels begin with the walls of that path and of those next to it. */
#ifndef RCITY_KERNEL_SHADOW_ROOFS_ROOF_TILE_H
#define RCITY_KERNEL_SHADOW_ROOFS_ROOF_TILE_H

#include "kernel/shadow/roofs/roof_item.h"
#include "kernel/visibility/roofs/roof_gather.h"
#include "kernel/visibility/roofs/roof_hints.h"

#define RCITY_ROOF_TILE_WIDTH  8 /* pixels */
#define RCITY_ROOF_TILE_HEIGHT 4
#define RCITY_ROOF_TILE_PIXELS (RCITY_ROOF_TILE_WIDTH * RCITY_ROOF_TILE_HEIGHT)

/* What a tile passes on: the number of its hints, then the walls. */
#define RCITY_ROOF_TILE_WORDS 16

/* Tiles along a row of a raster, and along a column. */
RCITY_KERNEL rcity_i32 rcity_roof_tile_columns(rcity_i32 column_count)
{
    return (column_count + RCITY_ROOF_TILE_WIDTH - 1) / RCITY_ROOF_TILE_WIDTH;
}

RCITY_KERNEL rcity_i32 rcity_roof_tile_rows(rcity_i32 row_count)
{
    return (row_count + RCITY_ROOF_TILE_HEIGHT - 1) / RCITY_ROOF_TILE_HEIGHT;
}

/* The number of items of a raster, those beyond its last column and row included. The launch that finds hints has the
   tiles for pixels. */
RCITY_KERNEL rcity_i64 rcity_roof_tile_items(rcity_i32 column_count, rcity_i32 row_count)
{
    return (rcity_i64)rcity_roof_tile_columns(column_count) * rcity_roof_tile_rows(row_count) * RCITY_ROOF_TILE_PIXELS;
}

/* What an item of a launch over several sources does. */
typedef struct rcity_roof_tile_place {
    rcity_i64 source;
    rcity_i32 column, row;
    int is_used; /* 0: beyond the raster, or of a source inside a building, from which no path leads over roofs */
} rcity_roof_tile_place;

RCITY_KERNEL rcity_roof_tile_place rcity_roof_tile_find(rcity_i32 column_count, rcity_i32 row_count,
                                                        rcity_i32 source_first, rcity_i64 item,
                                                        RCITY_GLOBAL const rcity_roof_source *sources)
{
    rcity_i64 items = rcity_roof_tile_items(column_count, row_count);
    rcity_i64 at = item % items;
    rcity_i32 tile = (rcity_i32)(at / RCITY_ROOF_TILE_PIXELS);
    rcity_i32 pixel = (rcity_i32)(at % RCITY_ROOF_TILE_PIXELS);
    rcity_i32 columns = rcity_roof_tile_columns(column_count);
    rcity_roof_tile_place place;
    place.source = source_first + item / items;
    place.column = tile % columns * RCITY_ROOF_TILE_WIDTH + pixel % RCITY_ROOF_TILE_WIDTH;
    place.row = tile / columns * RCITY_ROOF_TILE_HEIGHT + pixel / RCITY_ROOF_TILE_WIDTH;
    place.is_used = place.column < column_count && place.row < row_count &&
                    sources[place.source].kind != RCITY_ROOF_SOURCE_ENCLOSED;
    return place;
}

/* Words of the hints of one source. */
RCITY_KERNEL rcity_i64 rcity_roof_tile_words(const rcity_roof_job *job)
{
    return (rcity_i64)rcity_roof_tile_columns(job->column_count) * rcity_roof_tile_rows(job->row_count) *
           RCITY_ROOF_TILE_WORDS;
}

/* Is there a pixel in the tile whose path leads over roofs? */
RCITY_KERNEL int rcity_roof_tile_is_used(const rcity_roof_job *job, const rcity_roof_plane *plane,
                                         rcity_i32 tile_column, rcity_i32 tile_row)
{
    rcity_i32 width = job->column_count - tile_column * RCITY_ROOF_TILE_WIDTH;
    rcity_i32 first = tile_row * RCITY_ROOF_TILE_HEIGHT;
    rcity_u32 pixels = width < RCITY_ROOF_TILE_WIDTH ? (1u << width) - 1u : 255u; /* a tile is a byte wide */
    for (rcity_i32 row = first; row < first + RCITY_ROOF_TILE_HEIGHT && row < job->row_count; row++) {
        rcity_u32 word = (rcity_u32)row * (rcity_u32)job->row_words + (rcity_u32)tile_column / 8u;
        rcity_u64 done = plane->masks[word] | (job->has_visible ? plane->visible[word] : 0u);
        if (((rcity_u32)(done >> (tile_column % 8 * 8)) & pixels) != pixels) {
            return 1;
        }
    }
    return 0;
}

/* The hints of a tile: the walls that the path to its middle goes over. `hints` are those of its source. */
RCITY_KERNEL void rcity_roof_tile_run(const rcity_roof_view *view, const rcity_roof_job *job,
                                      const rcity_roof_plane *plane, rcity_i32 tile_column, rcity_i32 tile_row,
                                      RCITY_GLOBAL rcity_i32 *hints, rcity_roof_hull *hull)
{
    rcity_i32 column = tile_column * RCITY_ROOF_TILE_WIDTH + RCITY_ROOF_TILE_WIDTH / 2;
    rcity_i32 row = tile_row * RCITY_ROOF_TILE_HEIGHT + RCITY_ROOF_TILE_HEIGHT / 2;
    hints += (tile_row * rcity_roof_tile_columns(job->column_count) + tile_column) * RCITY_ROOF_TILE_WORDS;
    hints[0] = 0;
    if (!rcity_roof_tile_is_used(job, plane, tile_column, tile_row)) {
        return;
    }
    rcity_roof_line line = rcity_roof_item_line(job, plane, column < job->column_count ? column : job->column_count - 1,
                                                row < job->row_count ? row : job->row_count - 1);
    rcity_roof_hull_begin(&line, hull);
    rcity_roof_gather_roofs(view, line, RCITY_ROOF_AHEAD, hull);
    hints[0] = rcity_roof_hints_leave(hull, RCITY_ROOF_TILE_WORDS - 1, hints + 1);
}

/* Begin a hull with the hints of a pixel's tile and of the four tiles next to it; returns their number. A loop, so that
   the long code of a crossing stands in the program once: it has to fit the instruction cache of a compute unit. */
RCITY_KERNEL rcity_i32 rcity_roof_tile_take(const rcity_roof_view *view, const rcity_roof_job *job,
                                            const rcity_roof_line *line, rcity_i32 column, rcity_i32 row,
                                            RCITY_GLOBAL const rcity_i32 *hints, rcity_roof_hull *hull)
{
    rcity_i32 columns = rcity_roof_tile_columns(job->column_count);
    rcity_i32 rows = rcity_roof_tile_rows(job->row_count);
    rcity_i32 count = 0;
    for (rcity_i32 i = 0; i < 5; i++) {
        rcity_i32 tile_column = column / RCITY_ROOF_TILE_WIDTH + (i == 1 ? -1 : i == 2 ? 1 : 0);
        rcity_i32 tile_row = row / RCITY_ROOF_TILE_HEIGHT + (i == 3 ? -1 : i == 4 ? 1 : 0);
        if (tile_column >= 0 && tile_row >= 0 && tile_column < columns && tile_row < rows) {
            RCITY_GLOBAL const rcity_i32 *tile = hints + (tile_row * columns + tile_column) * RCITY_ROOF_TILE_WORDS;
            rcity_roof_hints_take(view, line, tile + 1, tile[0], hull);
            count += tile[0];
        }
    }
    return count;
}

/* A pixel with the hints of its source. `is_flat` says that there is no ground and that no roofs are to be counted;
   where it is a constant after inlining, the code is smaller. */
RCITY_KERNEL rcity_roof_path rcity_roof_tile_item(const rcity_roof_view *view, const rcity_roof_job *job,
                                                  const rcity_roof_plane *plane, rcity_i32 column, rcity_i32 row,
                                                  int is_flat, RCITY_GLOBAL const rcity_i32 *hints,
                                                  rcity_roof_hull *hull)
{
    rcity_roof_item item;
    if (rcity_roof_item_begin(view, job, plane, column, row, &item)) {
        return item.path;
    }
    if (!is_flat && job->counts) {
        return rcity_roof_item_count(view, job, &item);
    }
    rcity_roof_hull_begin(&item.line, hull);
    float ground_root_m = is_flat ? RCITY_SHADOW_CLEAR_ROOT_M : rcity_roof_item_ground(view, job, &item, hull);
    rcity_i32 hint_count = rcity_roof_tile_take(view, job, &item.line, column, row, hints, hull);
    for (int is_source = 0; is_source < 2; is_source++) {
        if (is_source ? job->is_on_wall : item.is_on_wall) {
            rcity_roof_rise(view, &item.line, is_source, hull);
        }
    }
    rcity_roof_gather_roofs(view, item.line, hint_count > 0 ? 0 : RCITY_ROOF_AHEAD, hull);
    rcity_roof_path path = rcity_roof_path_sum(hull, item.scale);
    path.ground_root_m = ground_root_m;
    return path;
}

#endif
