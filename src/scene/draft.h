/* Everything as it was added, until commit. */
#ifndef RCITY_SCENE_DRAFT_H
#define RCITY_SCENE_DRAFT_H

#include "scene/shapes.h"

/* Rings of polygons one after the other; ring r holds points ring_first[r] .. ring_first[r + 1] - 1. */
typedef struct rcity_draft_rings {
    size_t *ring_first; /* ring_count + 1 once there is one */
    size_t ring_count, ring_capacity;
    double *xy_m;
    size_t point_count, point_capacity; /* points; xy_m holds twice as many numbers */
} rcity_draft_rings;

/* A polygon from a caller. */
typedef struct rcity_draft_polygon {
    const char *noun; /* "building", for messages */
    int64_t id;
    int ring_count;
    const int *ring_point_count;
    const double *xy_m;
} rcity_draft_polygon;

/* A building as it was added. */
typedef struct rcity_draft_building {
    int64_t id;
    size_t first_ring, ring_count;
    double height_m, ground_m;
    char material[RCITY_MATERIAL_BYTES];
} rcity_draft_building;

/* Vegetation as it was added. */
typedef struct rcity_draft_vegetation {
    int64_t id;
    size_t first_ring, ring_count;
    double height_m;
} rcity_draft_vegetation;

typedef struct rcity_draft {
    rcity_draft_building *buildings;
    size_t building_count, building_capacity;
    rcity_draft_rings building_rings;
    int64_t dropped_count;
    rcity_draft_vegetation *vegetation;
    size_t vegetation_count, vegetation_capacity;
    rcity_draft_rings vegetation_rings;
    int64_t dropped_vegetation_count;
    rcity_terrain terrain; /* column_count 0: none */
    float *terrain_height_m;
    rcity_land_grid land_cover; /* column_count 0: none */
    rcity_material *materials;
    size_t material_count, material_capacity;
} rcity_draft;

void rcity_draft_deinit(rcity_context *context, rcity_draft *draft);

/* Are rings and coordinates within their limits? @return RCITY_ERR_GEOMETRY with ring, point and value. */
rcity_status rcity_draft_check_polygon(rcity_context *context, const rcity_draft_polygon *polygon);

/* Make room for a polygon's rings, so that adding them cannot fail. */
rcity_status rcity_draft_reserve_rings(rcity_context *context, const rcity_draft_polygon *polygon,
                                       rcity_draft_rings *rings);

/* Copy a polygon's rings, closing points left out. */
void rcity_draft_add_rings(const rcity_draft_polygon *polygon, rcity_draft_rings *rings);

#endif
