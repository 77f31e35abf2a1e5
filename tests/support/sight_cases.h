/* Segments that make trouble: along walls, through corners, level with roofs, on the edges of the terrain. */
#ifndef RCITY_TEST_SIGHT_CASES_H
#define RCITY_TEST_SIGHT_CASES_H

#include "rcity_test.h"
#include "scene/place/segment_test.h"

/* Every family of segments: enum value, name. */
#define SIGHT_FAMILY_LIST(X)                                                                                           \
    X(SIGHT_RANDOM, "random")                                                                                          \
    X(SIGHT_ALONG_WALL, "along walls")                                                                                 \
    X(SIGHT_THROUGH_CORNER, "through corners")                                                                         \
    X(SIGHT_CORNER_TO_CORNER, "from corner to corner")                                                                 \
    X(SIGHT_GRAZE_ROOF, "grazing roofs")                                                                               \
    X(SIGHT_END_ON_WALL, "ending on walls")                                                                            \
    X(SIGHT_VERTICAL, "vertical or of no length")                                                                      \
    X(SIGHT_ALONG_GROUND, "along edges of the terrain")                                                                \
    X(SIGHT_TOUCH_GROUND, "through points on the ground")                                                              \
    X(SIGHT_LEVEL, "level or along an axis")                                                                           \
    X(SIGHT_FAR, "from far outside")

typedef enum sight_family {
#define SIGHT_FAMILY_ENUM(value, name) value,
    SIGHT_FAMILY_LIST(SIGHT_FAMILY_ENUM)
#undef SIGHT_FAMILY_ENUM
        SIGHT_FAMILY_COUNT
} sight_family;

const char *sight_family_name(sight_family family);

/* The i-th segment of a seed in a family: the same everywhere. Random ends are up to `reach_m` apart. A family the
   scene has nothing for (terrain, walls) gives random segments. */
void sight_case(const rcity_shapes *shapes, sight_family family, uint64_t seed, uint64_t i, double reach_m,
                rcity_grid_point3 *from, rcity_grid_point3 *to);

/* A scene of random polygons with corners on a lattice of whole metres: they overlap, share walls and corners, lie
   within each other, have holes that touch their outlines. With terrain on every second seed, and some vegetation. */
rcity_scene *sight_messy_scene(rcity_context *context, uint64_t seed);

/* A made city of a kind; "highrise" stands on hills. */
rcity_scene *sight_city(rcity_context *context, rcity_city_kind kind, uint64_t seed, double area_km2);

#endif
