/* The number of walls on the path to every pixel of a flat plane, by shadows that are added up. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_SHADOWS_H
#define RCITY_VISIBILITY_WALLS_WALL_SHADOWS_H

#include "visibility/walls/wall_border.h"

#define RCITY_WALL_LIST_ITEMS 512 /* pieces or corners whose borders make a list */

/* The rows of a piece's shadow, and the places where it begins and ends, which are known but for an error. */
typedef struct rcity_wall_rows {
    int32_t begin, end;
    double north, south;
    double error;
} rcity_wall_rows;

/* Everything a plane needs for any source, and working memory for one at a time. */
typedef struct rcity_wall_shadows {
    const rcity_los_plane *plane; /* Borrowed. */
    rcity_wall_pieces pieces;
    rcity_wall_lattice lattice;
    int8_t *sides; /* of the pieces */
    rcity_wall_border *borders;
    rcity_wall_list *lists; /* of the borders: so many pieces each, then so many corners */
    int32_t list_count;
    _Atomic uint64_t *asked;
    int32_t band_rows;
    int32_t *steps; /* of a band, a thread */
    int32_t *west;
    rcity_wall_rows *rows; /* of the pieces, for metres */
    double *sums;          /* of a band, a thread, for metres */
} rcity_wall_shadows;

rcity_status rcity_wall_shadows_init(rcity_context *context, const rcity_los_plane *plane, rcity_wall_shadows *shadows);
void rcity_wall_shadows_deinit(rcity_context *context, rcity_wall_shadows *shadows);

/* As rcity_walls_trace(). Adds to the numbers of borders and of asked pixels. */
void rcity_wall_shadows_trace(rcity_context *context, rcity_wall_shadows *shadows, rcity_grid_point3 source,
                              const uint64_t *visible, int32_t *count, int64_t *border_count, int64_t *asked_count);

/* Lists that so many pieces or corners have. */
static inline int32_t rcity_wall_lists_for(size_t items)
{
    return (int32_t)((items + RCITY_WALL_LIST_ITEMS - 1) / RCITY_WALL_LIST_ITEMS);
}

/* Draw the first lists of borders into a band of rows, as rcity_wall_draw(), over what was there. */
void rcity_wall_shadows_draw(const rcity_wall_shadows *shadows, int32_t list_count, const rcity_wall_sheet *sheet,
                             int32_t row_begin, int32_t row_end, int32_t *steps, int32_t *west);

/* The walls between two points and the part of the line inside, by the exact measure. */
typedef struct rcity_wall_measure {
    int32_t count;
    float in_buildings;
} rcity_wall_measure;

rcity_wall_measure rcity_wall_measure_one(const rcity_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to);

#endif
