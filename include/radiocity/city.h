/** @file city.h  Synthetic cities: the same seed gives the same city on every machine. */
#ifndef RADIOCITY_CITY_H
#define RADIOCITY_CITY_H

#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_CITY_AREA_MIN_KM2  0.1
#define RCITY_CITY_AREA_MAX_KM2  50.0
#define RCITY_CITY_HILLS_MAX_KM2 100000.0 /* of RCITY_CITY_HILLS, which needs no buildings */
#define RCITY_CITY_CELL_MIN_M    1.0
#define RCITY_CITY_CELL_MAX_M    1000.0

/** Every kind of city in one list: enum value, name, sentence. */
#define RCITY_CITY_LIST(X)                                                                                             \
    X(RCITY_CITY_GRID, "grid", "Manhattan: straight avenues and streets, lots of many heights, flat")                  \
    X(RCITY_CITY_CORE, "core", "European centre: irregular blocks, courtyards, winding streets, flat")                 \
    X(RCITY_CITY_HIGHRISE, "highrise", "towers around a centre and low houses on steep hills, straight streets")       \
    X(RCITY_CITY_HILLS, "hills", "terrain alone, no buildings")

typedef enum rcity_city_kind {
#define RCITY_CITY_ENUM(value, name, text) value,
    RCITY_CITY_LIST(RCITY_CITY_ENUM)
#undef RCITY_CITY_ENUM
        RCITY_CITY_KIND_COUNT
} rcity_city_kind;

/** Name of a kind, such as "core"; NULL when out of range. */
RCITY_API const char *rcity_city_kind_name(rcity_city_kind kind);

/** One sentence that describes a kind; NULL when out of range. */
RCITY_API const char *rcity_city_kind_text(rcity_city_kind kind);

/** Options for rcity_city_make(). Start from rcity_city_options_default(). */
typedef struct rcity_city_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_city_options_default() */
    rcity_city_kind kind;
    uint64_t seed;
    double area_km2;               /**< RCITY_CITY_AREA_MIN_KM2 to RCITY_CITY_AREA_MAX_KM2, of hills to
                                        RCITY_CITY_HILLS_MAX_KM2; a square of this area */
    double origin_x_m, origin_y_m; /**< south-west corner in the scene's CRS */
    const char *crs;               /**< as in rcity_scene_options; NULL: none */
    double terrain_cell_m;         /**< distance of the nodes of RCITY_CITY_HILLS, RCITY_CITY_CELL_MIN_M to
                                        RCITY_CITY_CELL_MAX_M; NAN: 10 to 30, by the area */
} rcity_city_options;

/** rcity_city_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_city_options_init(rcity_city_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_city_options)

/** Make a city and commit it. Owned by the caller; release with rcity_scene_destroy().
 *  @return RCITY_ERR_ARGUMENT for an option outside its range, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_city_make(rcity_context *context, const rcity_city_options *options,
                                                        rcity_scene **scene);

#ifdef __cplusplus
}
#endif

#endif
