/* Rows of the visibility matrix: which tiles a tile sees. And those of views: which receivers it sees. */
#ifndef RCITY_KERNEL_TILES_TILE_ROW_H
#define RCITY_KERNEL_TILES_TILE_ROW_H

#include "kernel/tiles/tile.h"

/* Tiles in a chunk: an entry names a tile by the lower 16 bits of its number. */
#define RCITY_TILE_CHUNK_SHIFT 16
#define RCITY_TILE_CHUNK       (1 << RCITY_TILE_CHUNK_SHIFT)

/* A matrix; see visibility/tiles/tile_matrix.h. */
typedef struct rcity_tile_rows_view {
    rcity_i32 chunk_count;
    RCITY_GLOBAL const rcity_u64 *row_first;
    RCITY_GLOBAL const rcity_u32 *chunk_end;
    RCITY_GLOBAL const rcity_u16 *column;
} rcity_tile_rows_view;

/* One row of it. */
typedef struct rcity_tile_row {
    RCITY_GLOBAL const rcity_u32 *chunk_end;
    RCITY_GLOBAL const rcity_u16 *column;
    rcity_i32 count;
} rcity_tile_row;

RCITY_KERNEL rcity_tile_row rcity_tile_row_of(rcity_tile_rows_view rows, rcity_i32 tile)
{
    rcity_tile_row row;
    row.chunk_end = rows.chunk_end + (rcity_u64)tile * (rcity_u64)rows.chunk_count;
    row.column = rows.column + rows.row_first[tile];
    row.count = (rcity_i32)row.chunk_end[rows.chunk_count - 1];
    return row;
}

/* The tile of entry `index`. `*chunk` is 0 before the first call for a row; `index` only grows. */
RCITY_KERNEL rcity_i32 rcity_tile_row_get(rcity_tile_row row, rcity_i32 index, rcity_i32 *chunk)
{
    while ((rcity_u32)index >= row.chunk_end[*chunk]) {
        (*chunk)++;
    }
    return (*chunk << RCITY_TILE_CHUNK_SHIFT) + (rcity_i32)row.column[index];
}

/* Does a row have a tile? */
RCITY_KERNEL int rcity_tile_row_has(rcity_tile_row row, rcity_i32 tile)
{
    rcity_i32 chunk = tile >> RCITY_TILE_CHUNK_SHIFT;
    rcity_i32 column = tile & (RCITY_TILE_CHUNK - 1);
    rcity_u32 low = chunk > 0 ? row.chunk_end[chunk - 1] : 0;
    rcity_u32 end = row.chunk_end[chunk];
    rcity_u32 high = end;
    while (low < high) {
        rcity_u32 middle = (low + high) / 2;
        if ((rcity_i32)row.column[middle] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < end && (rcity_i32)row.column[low] == column;
}

/* An entry of a row of views is a receiver that the tile's centre sees, or one that only a tile beside it sees: rays
   that meet the tile off its centre may reach it. */
#define RCITY_TILE_VIEW_BESIDE ((rcity_i32)1 << 30)

RCITY_KERNEL rcity_i32 rcity_tile_view_receiver(rcity_i32 entry)
{
    return entry & ~RCITY_TILE_VIEW_BESIDE;
}

RCITY_KERNEL int rcity_tile_view_is_beside(rcity_i32 entry)
{
    return (entry & RCITY_TILE_VIEW_BESIDE) != 0;
}

/* The entry of a receiver among those from `low` to `high`, whose receivers increase; -1: there is none. */
RCITY_KERNEL rcity_i32 rcity_tile_views_find(RCITY_GLOBAL const rcity_i32 *entries, rcity_u64 low, rcity_u64 high,
                                             rcity_i32 receiver)
{
    rcity_u64 end = high;
    while (low < high) {
        rcity_u64 middle = (low + high) / 2;
        if (rcity_tile_view_receiver(entries[middle]) < receiver) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < end && rcity_tile_view_receiver(entries[low]) == receiver ? entries[low] : -1;
}

/* Is a receiver among them? */
RCITY_KERNEL int rcity_tile_views_have(RCITY_GLOBAL const rcity_i32 *entries, rcity_u64 low, rcity_u64 high,
                                       rcity_i32 receiver)
{
    return rcity_tile_views_find(entries, low, high, receiver) >= 0;
}

/* The rows that an edge looks through: of its parents, each of which may be missing. What the first one sees is not
   taken again. */
typedef struct rcity_tile_rows_pair {
    rcity_i32 tile[2]; /* -1: none */
} rcity_tile_rows_pair;

RCITY_KERNEL rcity_tile_rows_pair rcity_tile_rows_of_edge(rcity_tile_edge edge)
{
    rcity_tile_rows_pair pair;
    pair.tile[0] = edge.tile_o >= 0 ? edge.tile_o : edge.tile_n;
    pair.tile[1] = edge.tile_o >= 0 ? edge.tile_n : -1;
    return pair;
}

/* Is an edge on the border of a tile of a row? The row's count is -1 where there is none. */
RCITY_KERNEL int rcity_tile_edge_is_in_row(rcity_tile_edge edge, rcity_tile_row row)
{
    return row.count >= 0 && ((edge.tile_o >= 0 && rcity_tile_row_has(row, edge.tile_o)) ||
                              (edge.tile_n >= 0 && rcity_tile_row_has(row, edge.tile_n)));
}

/* An edge that is found on the border of tile `parent` of a row: it belongs to its first parent, unless only the second
   one is seen; and to the first of two rows (`other` then, that of the first; else no row, count -1). */
RCITY_KERNEL int rcity_tile_edge_is_due(rcity_tile_edge edge, rcity_i32 parent, rcity_tile_row row,
                                        rcity_tile_row other)
{
    if (parent != edge.tile_o && edge.tile_o >= 0 && rcity_tile_row_has(row, edge.tile_o)) {
        return 0;
    }
    return !rcity_tile_edge_is_in_row(edge, other);
}

#endif
