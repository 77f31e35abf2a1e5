/* The walls that a line can pass through, cut into pieces. Where the highest roof on one side of a wall is `low` and on
   the other `high`, a line that crosses the wall between these heights passes between air and the inside. And the
   corners of the pieces, where their shadows meet. */
#ifndef RCITY_VISIBILITY_WALLS_WALL_PIECES_H
#define RCITY_VISIBILITY_WALLS_WALL_PIECES_H

#include "visibility/sight/sight.h"

/* Pieces end at corners of buildings, which lie on the grid, and where walls meet elsewhere; those ends are rounded to
   this fraction of a unit. */
#define RCITY_WALL_ROUNDING (1.0 / 1048576.0)

typedef struct rcity_wall_piece {
    double ax, ay, bx, by;  /* its ends; the wall runs from a to b, perhaps farther */
    int32_t px, py, ex, ey; /* the start and the extent of its wall */
    int32_t low, high;      /* height units; low is INT32_MIN where one side is open to the ground */
    bool is_cut;            /* an end was rounded */
    bool is_high_left;      /* as seen along the wall */
} rcity_wall_piece;

/* A corner, in a range of heights in which the same pieces end there. */
typedef struct rcity_wall_corner {
    double x, y;
    int32_t low, high;
    int32_t first; /* its pieces are first .. the next corner's first - 1 */
    bool is_cut;
} rcity_wall_corner;

typedef struct rcity_wall_pieces {
    rcity_wall_piece *pieces;
    size_t piece_count, piece_capacity;
    rcity_wall_corner *corners; /* and one entry more */
    size_t corner_count, corner_capacity;
    int32_t *ends; /* of the corners: 2 * piece, + 1 where the piece ends there instead of starting */
    size_t end_count, end_capacity;
} rcity_wall_pieces;

/* Cut the walls of shapes that `sight` was built for. */
rcity_status rcity_wall_pieces_init(rcity_context *context, const rcity_shapes *shapes, const rcity_sight *sight,
                                    rcity_wall_pieces *pieces);
void rcity_wall_pieces_deinit(rcity_context *context, rcity_wall_pieces *pieces);

#endif
