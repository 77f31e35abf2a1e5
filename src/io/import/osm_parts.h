/* Buildings of OpenStreetMap that are drawn as parts. A scene holds prisms that stand on the ground, so that
   - an outline whose parts cover most of it is left out: the parts are the building;
   - a part that begins above the ground stays where it rests on what is kept below it, and then reaches down into that;
     where it hangs in the air, over a street or between towers, it is left out: a tower down to the street would be
     wrong. */
#ifndef RCITY_IO_IMPORT_OSM_PARTS_H
#define RCITY_IO_IMPORT_OSM_PARTS_H

#include "base/base.h"
#include "radiocity/scene.h"
#include "scene/material.h"

typedef enum rcity_osm_fate {
    RCITY_OSM_KEPT,
    RCITY_OSM_REPLACED, /* by its parts */
    RCITY_OSM_FLOATING,
} rcity_osm_fate;

/* One polygon. */
typedef struct rcity_osm_shape {
    rcity_building building; /* its rings are in the list */
    char material[RCITY_MATERIAL_NAME_BYTES];
    double base_m; /* where it begins, above the ground */
    bool is_part;  /* building:part */
    size_t first_ring, first_point;
    double box[4]; /* least x and y, greatest x and y */
    double area_m2;
    rcity_osm_fate fate;
} rcity_osm_shape;

/* Initialise with zeros and a context; release with rcity_osm_parts_deinit(). */
typedef struct rcity_osm_parts {
    rcity_context *context;
    rcity_osm_shape *shapes;
    int *ring_point_count;
    double *xy_m;
    size_t count, capacity, ring_count, ring_capacity, point_count, point_capacity;
} rcity_osm_parts;

void rcity_osm_parts_deinit(rcity_osm_parts *parts);

/* Copy a building and the rings it points to. */
rcity_status rcity_osm_parts_add(rcity_osm_parts *parts, const rcity_building *building, double base_m, bool is_part);

/* Decide the fate of each shape. */
rcity_status rcity_osm_parts_settle(rcity_osm_parts *parts);

/* A shape with its rings and material, borrowed until the next one is added. */
rcity_building rcity_osm_parts_building(const rcity_osm_parts *parts, size_t index);

#endif
