/* One plane of receivers: all that its maps are made from, on the host or on a device. */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_PLANE_H
#define RCITY_METHOD_BEAMS_FAST_FAST_PLANE_H

#include "kernel/beams/beam_job.h"
#include "kernel/beams/beam_sum.h"
#include "method/beams/beams_raster.h"
#include "method/beams/fast/fast_chain.h"
#include "method/beams/fast/fast_tables.h"
#include "method/beams/raster/beam_bins.h"

typedef struct rcity_fast_plane {
    const rcity_job *job;
    const rcity_beams_levels *own; /* what levels need beside beams */
    const rcity_beams_traced *traced;
    const rcity_beams_forest *forest;
    const rcity_facet_table *facets;
    double height_m;
    double dx, dy; /* where in a cell its receiver stands, beside the centre */
    bool ground_reflects;
    rcity_tile_roof_path *over; /* of each cell; NULL where no cell has one */
    rcity_beams_grid grid;
    int64_t strip_rows, strip_count;
    rcity_beams_bins bins; /* these two on the host */
    int32_t *strip_order;  /* strips of many beams first, so that no thread is left with one in the end */
    rcity_fast_tables tables;
    rcity_beam_job path_job;
    rcity_beam_sum_job sum_job;
} rcity_fast_plane;

/* `bin_s` is of histograms; 0: none are wanted. rcity_fast_plane_deinit() in any case. */
rcity_status rcity_fast_plane_init(const rcity_beams_levels *own, int height_index, double bin_s,
                                   rcity_fast_plane *plane);
void rcity_fast_plane_deinit(rcity_fast_plane *plane);

/* What the host needs besides: the tables of directions, and the parts of beams by strips, as it goes through them. */
rcity_status rcity_fast_plane_list(rcity_fast_plane *plane);

/* Cells that follow each other. Grows as needed, kept between uses; zeroed before the first. */
typedef struct rcity_fast_cells {
    int64_t first, count;
    rcity_point *positions; /* of each cell's receiver */
    size_t position_capacity;
    rcity_u8 *is_wanted; /* of each: has it a receiver that rays can come to? */
    size_t wanted_capacity;
    int64_t near_count; /* receivers in the transmitter's near field */
} rcity_fast_cells;

rcity_status rcity_fast_cells_fill(const rcity_fast_plane *plane, int64_t first, int64_t count,
                                   rcity_fast_cells *cells);
void rcity_fast_cells_deinit(rcity_context *context, rcity_fast_cells *cells);

/* Parts of beams as kernels take them. Grows as needed; zeroed before the first use. */
typedef struct rcity_fast_leaves {
    rcity_fast_chain chain;
    rcity_beam_leaf *leaves;
    size_t leaf_count, leaf_capacity;
    rcity_beam_wall *walls;
    size_t wall_count, wall_capacity;
} rcity_fast_leaves;

rcity_status rcity_fast_leaves_add(const rcity_fast_plane *plane, const rcity_beams_way_end *end,
                                   rcity_fast_leaves *leaves);
void rcity_fast_leaves_deinit(rcity_context *context, rcity_fast_leaves *leaves);

/* The cells of a strip of rows, and the leaves that hold them. Kept between strips; zeroed before the first. */
typedef struct rcity_fast_strip {
    rcity_beams_strip found; /* pairs of cell and leaf, in the order of leaves */
    rcity_fast_cells cells;
    rcity_fast_leaves ends;
} rcity_fast_strip;

rcity_status rcity_fast_strip_fill(const rcity_fast_plane *plane, int64_t strip_index, rcity_fast_strip *strip);
void rcity_fast_strip_deinit(rcity_context *context, rcity_fast_strip *strip);

/* Does anything come beside beams, or does the law draw levels? Else the link of every cell is nothing. */
bool rcity_fast_needs_links(const rcity_fast_plane *plane);

/* What comes to a cell beside its beams. `link` keeps what its level needs in the end. */
rcity_beam_beside rcity_fast_beside(const rcity_fast_plane *plane, const rcity_fast_cells *cells, int64_t cell,
                                    rcity_beams_link *link);

/* The level of a cell by its sum. */
void rcity_fast_level(const rcity_fast_plane *plane, const rcity_beam_sum *sum, const rcity_beam_beside *beside,
                      const rcity_beams_link *link, rcity_beams_level *level);

#endif
