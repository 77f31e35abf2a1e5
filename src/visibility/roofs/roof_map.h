/* The roofs of a city in cells, as walks along lines read them; see kernel/visibility/roofs/roof_map.h. */
#ifndef RCITY_VISIBILITY_ROOFS_ROOF_MAP_H
#define RCITY_VISIBILITY_ROOFS_ROOF_MAP_H

#include "kernel/visibility/roofs/roof_map.h"
#include "visibility/sight/sight_data.h"

typedef struct rcity_roof_map {
    rcity_roof_view view; /* of the arrays below; map and ground are borrowed from sight */
    uint16_t *levels;
    uint32_t *first;
    rcity_sight_wall *walls;
    rcity_roof_corner *corners;
    int64_t level_count, cell_count, wall_count;
} rcity_roof_map;

/* Builds the map from `sight`, which is borrowed. */
rcity_status rcity_roof_map_init(rcity_context *context, const rcity_sight *sight, rcity_roof_map *map);
void rcity_roof_map_deinit(rcity_context *context, rcity_roof_map *map);

#endif
