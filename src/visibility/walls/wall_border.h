/* Borders of shadows that are added up: each changes the number of walls by its step for all pixels east of it.

   A pixel's line crosses a piece of wall below its high and not below its low roof exactly if the pixel lies in a
   quadrilateral: between the rays through the piece's ends, and between two copies of the piece, scaled about the
   source. Sums of steps along each row give the number of walls. Borders are straight; where they cross a row is known
   up to a small error, and pixels nearer to a border than that are noted, to be tested one by one. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_BORDER_H
#define RCITY_VISIBILITY_WALLS_WALL_BORDER_H

#include "visibility/walls/wall_sheet.h"

/* A border: x = offset + slope (y - the source's y). In rows begin .. end - 1 it lies among the raster's columns, in
   rows west_begin .. west_end - 1 west of them. */
typedef struct rcity_wall_border {
    double offset, slope;
    int32_t begin, end, west_begin, west_end;
    int32_t exact_begin, exact_end; /* rows in which pixels on the border have the number of its lower side */
    int32_t line;                   /* in these rows: the piece that it is, or ~ of the corner that it is behind */
    int32_t step;
    float error; /* error of x, plan units */
} rcity_wall_border;

/* Borders of some pieces or corners. */
typedef struct rcity_wall_list {
    rcity_wall_border *borders;
    int32_t count;
} rcity_wall_list;

/* Add a piece's borders, at most two: its near copy and its far one. `side` is not 0. */
void rcity_wall_add_copies(const rcity_wall_sheet *sheet, int32_t index, int side, rcity_wall_list *list);

/* Add the ray behind a corner, if any border remains there; the sides of its pieces are known. */
void rcity_wall_add_ray(const rcity_wall_sheet *sheet, const int8_t *sides, int32_t index, rcity_wall_list *list);

/* Fractions of a line are stored in steps as multiples of 1 / this. A line that passes more than 500 roofs does not
   fit. */
#define RCITY_WALL_FRACTION_ONE 4194304.0

/* Add the borders of the pixels behind a piece's two roofs whose line passes through the roof, at most two. Their steps
   are the fraction of the line at which that is, negative where the line enters the building. */
void rcity_wall_add_roofs(const rcity_wall_sheet *sheet, int32_t index, rcity_wall_list *list);

/* Columns before the first and after the last that may receive a step. */
#define RCITY_WALL_MARGIN 3

/* Put a border's steps into rows row_begin .. row_end - 1. For each row `steps` has the columns and the margins. `west`
   has the rows and one more; its steps hold for all rows from there on. */
void rcity_wall_draw(const rcity_wall_sheet *sheet, const rcity_wall_border *border, int32_t row_begin, int32_t row_end,
                     int32_t *steps, int32_t *west);

#endif
