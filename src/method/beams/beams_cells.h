/* The walls of a plan by square cells: narrow beams go through few of them. */
#ifndef RCITY_METHOD_BEAMS_CELLS_H
#define RCITY_METHOD_BEAMS_CELLS_H

#include "scene/facets/plan_tree.h"

typedef struct rcity_beams_cells {
    double west_m, south_m, cell_m;
    double per_m; /* cells */
    int32_t column_count, row_count;
    int32_t *first; /* of each cell, row by row from the south, and one more: its walls in `walls` */
    int32_t *walls;
} rcity_beams_cells;

/* Every wall is in all cells that it touches. */
rcity_status rcity_beams_cells_init(rcity_context *context, int32_t wall_count, const rcity_plan_segment *walls,
                                    rcity_beams_cells *cells);
void rcity_beams_cells_deinit(rcity_context *context, rcity_beams_cells *cells);

#endif
