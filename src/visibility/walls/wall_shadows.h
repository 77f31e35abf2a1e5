/* The number of walls on the straight line to every pixel of a flat plane, by shadows that are added up. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_SHADOWS_H
#define RCITY_VISIBILITY_WALLS_WALL_SHADOWS_H

#include "visibility/walls/wall_border.h"

#define RCITY_WALL_LIST_ITEMS 512 /* pieces or corners whose borders form a list */

/* The rows of a piece's shadow, and the places where it begins and ends, known up to an error. */
typedef struct rcity_wall_rows {
    int32_t begin, end;
    double north, south;
    double error;
} rcity_wall_rows;

/* What a plane needs for any source, and working memory for one source at a time. */
typedef struct rcity_wall_shadows {
    const rcity_los_plane *plane; /* Borrowed. */
    rcity_wall_pieces pieces;
    rcity_wall_lattice lattice;
    int8_t *sides; /* of the pieces */
    rcity_wall_border *borders;
    rcity_wall_list *lists; /* of borders: RCITY_WALL_LIST_ITEMS pieces each, then as many corners each */
    int32_t list_count;
    _Atomic uint64_t *asked;
    int32_t band_rows;
    int32_t *steps; /* of a band, per thread */
    int32_t *west;
    rcity_wall_rows *rows; /* of the pieces, for metres */
    double *sums;          /* of a band, per thread, for metres */
} rcity_wall_shadows;

rcity_status rcity_wall_shadows_init(rcity_context *context, const rcity_los_plane *plane, rcity_wall_shadows *shadows);
void rcity_wall_shadows_deinit(rcity_context *context, rcity_wall_shadows *shadows);

/* As rcity_walls_trace(). Adds to the numbers of borders and of tested pixels. */
void rcity_wall_shadows_trace(rcity_context *context, rcity_wall_shadows *shadows, rcity_grid_point3 source,
                              const uint64_t *visible, int32_t *count, int64_t *border_count, int64_t *asked_count);

/* How many lists a number of pieces or corners has. */
static inline int32_t rcity_wall_lists_for(size_t items)
{
    return (int32_t)((items + RCITY_WALL_LIST_ITEMS - 1) / RCITY_WALL_LIST_ITEMS);
}

/* Draw the first lists of borders into a band of rows, as rcity_wall_draw(), replacing what was there. */
void rcity_wall_shadows_draw(const rcity_wall_shadows *shadows, int32_t list_count, const rcity_wall_sheet *sheet,
                             int32_t row_begin, int32_t row_end, int32_t *steps, int32_t *west);

/* The walls between two points and the fraction of the line inside, by the exact measure. */
typedef struct rcity_wall_measure {
    int32_t count;
    float in_buildings;
} rcity_wall_measure;

rcity_wall_measure rcity_wall_measure_one(const rcity_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to);

#endif
