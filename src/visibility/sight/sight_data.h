/* The inside of the sight structure, and the steps that build it. */
#ifndef RCITY_VISIBILITY_SIGHT_SIGHT_DATA_H
#define RCITY_VISIBILITY_SIGHT_SIGHT_DATA_H

#include "kernel/visibility/sight/sight_measure.h"
#include "kernel/visibility/sight/sight_walk.h"
#include "scene/shape/exact.h"
#include "scene/shape/side_cover.h"
#include "visibility/sight/sight.h"

struct rcity_sight {
    const rcity_shapes *shapes; /* Borrowed; for trees it is `own`. */
    rcity_shapes own;           /* vegetation as prisms; only these are owned */
    rcity_sight_view view;      /* what walks read: the arrays below */
    uint8_t *raster;            /* levels of cells and blocks, offsets, solids */
    uint32_t *lists;
    rcity_sight_wall *walls;
    int32_t *details;
    int32_t *ground;
    int32_t *wall_prism;
    bool *is_tangled; /* by prism: its walls overlap, so that the left of a wall need not be solid */
    int64_t cell_count, raster_count, run_count, list_count, wall_count, detail_count, ground_count;
};

/* Does a prism touch itself at one of its points, so that lines may pass between? */
static inline bool rcity_sight_is_knot(const rcity_sight *sight, int32_t point)
{
    const int32_t *detail = &sight->details[(size_t)point * RCITY_SIGHT_DETAIL_COUNT];
    return detail[RCITY_SIGHT_DETAIL_TURN] == RCITY_SIGHT_TURN_KNOT;
}

/* What is known about a wall while the structure is built; a wall has the number of the point where it starts. */
typedef struct rcity_sight_note {
    int32_t prism;
    int32_t before, next; /* neighbouring walls of the ring */
    int32_t turn;         /* as in RCITY_SIGHT_DETAIL_TURN */
    int32_t seam_first, seam_count;
} rcity_sight_note;

/* A stretch that two walls have in common, seen from one of them. */
typedef struct rcity_sight_seam {
    int32_t wall;
    int32_t height;     /* the lower of the two roofs */
    int64_t begin, end; /* along the wall, times its length, from the wall's start */
    rcity_grid_point from, to;
} rcity_sight_seam;

/* Working memory of the build. */
typedef struct rcity_sight_work {
    rcity_context *context;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    double cell_m;
    rcity_sight_note *notes;
    bool *is_tangled;      /* by prism */
    uint32_t *entry_first; /* by cell, one more at the end */
    int32_t *entry_wall;   /* sorted within a cell, so that the walls of a prism are consecutive */
    uint32_t *cover_first; /* by cell, one more at the end */
    int32_t *cover_prism;  /* those that cover the cell wholly, without walls in it */
    rcity_sight_seam *seams;
    size_t seam_count, seam_capacity;
} rcity_sight_work;

/* Narrow enough that few cells have more than two walls, wide enough that walks are short and the raster stays in the
   processor's cache; measured. */
#define RCITY_SIGHT_CELL_M 8.0

/* rcity_sight_create() with cells of another width, or wider where there would be too many; for tests. */
rcity_status rcity_sight_create_cells(rcity_context *context, const rcity_shapes *shapes, double cell_m,
                                      rcity_sight **sight);

/* The structure of the vegetation of shapes, as prisms whose roofs are heights above ground. */
rcity_status rcity_sight_create_trees(rcity_context *context, const rcity_shapes *shapes, rcity_sight **trees);

/* sight_cells.c: choose the cells, enter walls into the cells near them, find the prisms that cover cells wholly. */
void rcity_sight_lay_out(rcity_sight_work *work);
rcity_status rcity_sight_enter_walls(rcity_sight_work *work);
rcity_status rcity_sight_enter_covers(rcity_sight_work *work);

/* Call `visit` for every cell of a grid and every prism that covers it wholly. */
typedef void (*rcity_sight_cover_function)(void *user, int64_t cell, int32_t prism);
rcity_status rcity_sight_find_covers(rcity_sight_work *work, const rcity_sight_grid *grid,
                                     rcity_sight_cover_function visit, void *user);

/* sight_seams.c: where walls meet others of their own prism irregularly, and those of other prisms. */
rcity_status rcity_sight_find_seams(rcity_sight_work *work);

/* sight_lists.c, sight_details.c: the arrays that walks read. */
rcity_status rcity_sight_build_lists(rcity_sight_work *work);
rcity_status rcity_sight_build_details(rcity_sight_work *work);
rcity_status rcity_sight_build_ground(rcity_sight_work *work);

/* sight_close.c: do buildings block the line? For the rare line that the walk defers; needs no memory. */
bool rcity_sight_buildings_block(const rcity_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to);

/* sight_measure_close.c: what a segment meets. `trees` is made by rcity_sight_create_trees(). */
rcity_sight_measure rcity_sight_measure_one(const rcity_sight *sight, const rcity_sight *trees,
                                            rcity_sight_segment segment);

/* The same for segments that the kernel defers. */
rcity_sight_measure rcity_sight_measure_closely(const rcity_sight *sight, const rcity_sight *trees,
                                                rcity_sight_segment segment);

/* sight_many.c: the answers of rcity_sight_test() for many segments, faster than one by one. */
void rcity_sight_test_many(const rcity_sight_view *view, const rcity_sight_segment *segments, int64_t count,
                           uint8_t *answers);

/* The average work of tests, for benchmarks. */
typedef struct rcity_sight_effort {
    double probed_fraction; /* of the segments that probes decide */
    double cells_per_segment, walls_per_segment;
} rcity_sight_effort;

rcity_sight_effort rcity_sight_count_effort(const rcity_sight *sight, const rcity_sight_segment *segments,
                                            int64_t count);

/* Fill in what follows from the cells of a grid and their number. */
void rcity_sight_finish_grid(rcity_sight_grid *grid);

/* The grid of blocks over a grid of cells. */
rcity_sight_grid rcity_sight_blocks_over(rcity_sight_grid cells, int32_t first);

/* How many blocks a number of cells makes. */
static inline int32_t rcity_sight_blocks_in(int32_t cell_count)
{
    return (cell_count + RCITY_SIGHT_BLOCK_CELLS - 1) / RCITY_SIGHT_BLOCK_CELLS;
}

#endif
