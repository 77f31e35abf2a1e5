/* The polygons of one feature as rings of points in the scene's CRS. */
#ifndef RCITY_IO_IMPORT_VECTOR_POLYGONS_H
#define RCITY_IO_IMPORT_VECTOR_POLYGONS_H

#include "io/import/vector/vector.h"

/* Growing lists, reused for many features. Polygon p has rings polygon_first_ring[p] up to that of the next. */
typedef struct rcity_polygons {
    rcity_context *context;
    double *xy_m;
    size_t point_count, point_capacity;
    int *ring_point_count;
    size_t ring_count, ring_capacity;
    size_t *polygon_first_ring; /* polygon_count + 1 entries once there is one */
    size_t polygon_count, polygon_capacity;
    int64_t sliver_count; /* rings without width left out of this feature */
    bool has_polygon;     /* the feature had a polygon, even if it was a sliver */
    double box[4];        /* around this feature's points: least x and y, greatest x and y */
} rcity_polygons;

void rcity_polygons_init(rcity_context *context, rcity_polygons *polygons);
void rcity_polygons_deinit(rcity_polygons *polygons);

/* Read a feature's geometry, replacing the previous one: polygons, parts of multi-polygons, polygons in collections;
   curves become short lines, z is dropped. Outlines run counter-clockwise and holes clockwise from their first point,
   without a closing point, whatever the format's convention. Rings narrower than two centimetres are left out and
   counted: they are artefacts of cut shapes and would collapse on the scene's grid.
   @return RCITY_ERR_ARGUMENT for a point that cannot be transformed to the scene's CRS, RCITY_ERR_GEOMETRY for one that
   is not finite, RCITY_ERR_MEMORY. */
rcity_status rcity_polygons_read(const rcity_vector *vector, OGRFeatureH feature, rcity_polygons *polygons);

/* One polygon: its rings, and their points one after the other. Initialise with zeros. */
typedef struct rcity_polygon_part {
    int ring_count;
    const int *ring_point_count; /* borrowed, like the points, until the next feature is read */
    const double *xy_m;
    size_t next;
} rcity_polygon_part;

/* Move to the next polygon. @return false after the last. */
bool rcity_polygons_next(const rcity_polygons *polygons, rcity_polygon_part *part);

#endif
