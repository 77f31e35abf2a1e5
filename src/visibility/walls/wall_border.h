/* Borders of shadows that are added up: each changes the number of walls by its step for all pixels east of it.

   A pixel's line crosses a piece of wall below its high and not below its low roof exactly if the pixel lies in a
   quadrilateral: between the rays through the piece's ends, and between two copies of the piece, scaled about the
   source. Sums of steps along each row give the number of walls. Borders are straight; where they cross a row is known
   to a small error, and pixels that lie nearer to a border than that are noted, to be asked one by one. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_BORDER_H
#define RCITY_VISIBILITY_WALLS_WALL_BORDER_H

#include "visibility/walls/wall_sheet.h"

/* A border: x = offset + slope (y - the source's y), in rows begin .. end - 1 about the raster's columns, in rows
   west_begin .. west_end - 1 west of them. */
typedef struct rcity_wall_border {
    double offset, slope;
    int32_t begin, end, west_begin, west_end;
    int32_t exact_begin, exact_end; /* rows in which pixels on the border have the number of its lower side */
    int32_t line;                   /* in these: the piece that it is, or ~ the corner that it is behind */
    int32_t step;
    float error; /* of x, plan units */
} rcity_wall_border;

/* Borders of some pieces, corners. */
typedef struct rcity_wall_list {
    rcity_wall_border *borders;
    int32_t count;
} rcity_wall_list;

/* Add a piece's borders, at most two: its near copy and its far one. `side` is not 0. */
void rcity_wall_add_copies(const rcity_wall_sheet *sheet, int32_t index, int side, rcity_wall_list *list);

/* Add the ray behind a corner, whose pieces' sides are known, if any border is left there. */
void rcity_wall_add_ray(const rcity_wall_sheet *sheet, const int8_t *sides, int32_t index, rcity_wall_list *list);

/* Fractions of a line, as steps have them. A line that passes through more than 500 roofs is beyond them. */
#define RCITY_WALL_FRACTION_ONE 4194304.0

/* Add the borders of the places behind a piece's two roofs whose line passes through the roof, at most two; their steps
   are how far along the line that is, negative where the line comes into the building. */
void rcity_wall_add_roofs(const rcity_wall_sheet *sheet, int32_t index, rcity_wall_list *list);

/* Columns before the first and after the last that a step may be put into. */
#define RCITY_WALL_MARGIN 3

/* Put a border's steps into rows row_begin .. row_end - 1: `steps` has the columns and the margins of each, `west`
   the rows and one more, whose steps hold for all rows from there on. */
void rcity_wall_draw(const rcity_wall_sheet *sheet, const rcity_wall_border *border, int32_t row_begin, int32_t row_end,
                     int32_t *steps, int32_t *west);

#endif
