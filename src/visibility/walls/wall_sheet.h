/* One source and one raster: where rows, columns, walls and heights lie relative to the source. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_SHEET_H
#define RCITY_VISIBILITY_WALLS_WALL_SHEET_H

#include <stdatomic.h>

#include "visibility/los/los_plane.h"
#include "visibility/walls/wall_pieces.h"

/* Plan units across a border: more than the error of the arithmetic; see wall_border.c. */
#define RCITY_WALL_SLACK (1.0 / 1048576.0)

/* A raster's rows and columns as if evenly spaced, and their largest deviation from that. */
typedef struct rcity_wall_lattice {
    const rcity_los_plane *plane;
    double x, y;         /* of the first column and row */
    double width, depth; /* of a column and a row */
    double blur_x, blur_y;
} rcity_wall_lattice;

/* One source and one plane. */
typedef struct rcity_wall_sheet {
    const rcity_wall_lattice *lattice;
    const rcity_wall_pieces *pieces;
    rcity_grid_point3 source;
    _Atomic uint64_t *asked; /* pixels to be tested, a bit per pixel, as the plane's masks */
} rcity_wall_sheet;

rcity_wall_lattice rcity_wall_lattice_make(const rcity_los_plane *plane);

/* The first row that is not north of a place; the first column east of it. */
int32_t rcity_wall_first_row(const rcity_wall_lattice *lattice, double y);
int32_t rcity_wall_first_column(const rcity_wall_lattice *lattice, double x);

/* Note the pixels of a row from west to east, both included, to be tested. */
void rcity_wall_ask(const rcity_wall_sheet *sheet, int32_t row, double west, double east);

/* How many times as far away as the wall a receiver is whose line passes a height at the wall; 1 where that would be
   beyond the receiver. */
double rcity_wall_scale_of(const rcity_wall_sheet *sheet, int32_t height);

/* The scales between which a wall between two heights is crossed. @return false for none. */
bool rcity_wall_find_scales(const rcity_wall_sheet *sheet, int32_t low, int32_t high, double *near, double *far);

/* The side of a piece on which the source lies: the sign of the turn from the source to its start to its end. */
int rcity_wall_side(const rcity_wall_sheet *sheet, int32_t piece);

/* An upper limit of how many times as far as a place (dx, dy from the source) the raster's farthest pixel behind it
   is. */
double rcity_wall_reach(const rcity_wall_sheet *sheet, double dx, double dy, double far);

/* A coordinate, scaled about the source. */
static inline double rcity_wall_scaled(double source, double at, double scale)
{
    return at == source ? source : source + scale * (at - source);
}

/* Twice the area of the triangle of the source and both ends of the wall. */
static inline int64_t rcity_wall_area(const rcity_wall_sheet *sheet, const rcity_wall_piece *piece)
{
    return ((int64_t)piece->px - sheet->source.x) * piece->ey - ((int64_t)piece->py - sheet->source.y) * piece->ex;
}

#endif
