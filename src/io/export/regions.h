/* Regions of a raster as polygons along the edges of its cells: exact, valid, and with the area of their cells. */
#ifndef RCITY_IO_EXPORT_REGIONS_H
#define RCITY_IO_EXPORT_REGIONS_H

#include "base/base.h"
#include "radiocity/radio.h"

/* A closed chain of corners; the first is not repeated. Seen with north up, outer rings run counter-clockwise and holes
   clockwise: the region lies on the left. No ring meets itself; rings may touch each other in corners. */
typedef struct rcity_region_ring {
    size_t first, count; /* of its corners */
    size_t polygon;
    bool is_outer;
} rcity_region_ring;

/* Each polygon is one set of cells that are connected by their sides; cells that touch only in a corner are not
   connected. Rings come polygon by polygon, the outer one first. */
typedef struct rcity_regions {
    rcity_context *context;
    int64_t cell_count;      /* inside */
    int64_t value_count;     /* with a value, inside or not */
    int32_t *corner;         /* column, row of each corner, counted from the north-west of the raster */
    size_t corner_count;     /* pairs */
    rcity_region_ring *ring; /* in order */
    size_t ring_count, polygon_count;
} rcity_regions;

/* Find the cells at or above a threshold (at or below it when `is_loss`). @return RCITY_ERR_MEMORY, RCITY_ERR_ARGUMENT
   for rasters of over 2^31 cells. */
rcity_status rcity_regions_find(rcity_context *context, const float *value, int64_t column_count, int64_t row_count,
                                double threshold, bool is_loss, rcity_regions *regions);
void rcity_regions_deinit(rcity_regions *regions);

/* The rings of regions as coordinates, in the same order; each still without its first point repeated. */
typedef struct rcity_outlines {
    rcity_context *context;
    double *xy;
    size_t point_count;
    size_t *ring_first; /* ring_count + 1 */
} rcity_outlines;

/* Compute the coordinates of the corners, in `to_crs` or, if that is NULL, in the map's CRS. In another CRS straight
   sides become curves, so sides longer than RCITY_OUTLINE_PIECE_CELLS get points between.
   @return RCITY_ERR_ARGUMENT for degrees on both sides of the date line, and as rcity_crs_transform(). */
#define RCITY_OUTLINE_PIECE_CELLS 256
rcity_status rcity_outlines_make(rcity_context *context, const rcity_regions *regions, const rcity_raster *raster,
                                 const char *from_crs, const char *to_crs, rcity_outlines *outlines);
void rcity_outlines_deinit(rcity_outlines *outlines);

#endif
