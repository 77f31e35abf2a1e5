/* Other programs that tell what is visible over a grid of heights, run on the same grid. */
#ifndef RCITY_BENCH_TERRAIN_YARDSTICK_H
#define RCITY_BENCH_TERRAIN_YARDSTICK_H

#include "base/base.h"
#include "scene/shapes.h"

typedef struct rcity_terrain_yardstick {
    const char *name;
    double seconds;    /* 0: it is not installed, or failed */
    double agreement;  /* share of nodes with equal answers */
    double more, less; /* visible there only, here only */
} rcity_terrain_yardstick;

/* Run GDAL's gdal_viewshed or GRASS's r.viewshed from the node in the middle and compare with `seen`, a byte for each node
   row by row from the south. Files are written to a folder of their own under TMPDIR or /tmp. */
rcity_status rcity_terrain_yardstick_run(rcity_context *context, const rcity_terrain_grid *terrain, int cell_m,
                                         double source_m, double target_m, bool is_gdal, const uint8_t *seen,
                                         rcity_terrain_yardstick *yardstick);

#endif
