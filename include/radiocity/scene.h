/** @file scene.h  The world a prediction runs in: buildings, terrain, vegetation, land cover, materials.
 *
 *  Life cycle: create, add, commit, query. Committing cleans the shapes, closes small gaps, snaps everything to a fine
 *  grid and freezes the scene; from then on it is read-only and may be shared by threads.
 *
 *  Frame: x east, y north, z up, in metres. Coordinates are those of the scene's CRS. Heights are metres above the
 *  datum of the terrain; without terrain the ground is flat and lies at 0. */
#ifndef RADIOCITY_SCENE_H
#define RADIOCITY_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "radiocity/context.h"
#include "radiocity/material.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A scene. Opaque; see rcity_scene_create(). */
typedef struct rcity_scene rcity_scene;

/** Limits of what a scene takes; a call with a value outside them fails and names it. */
#define RCITY_HEIGHT_MIN_M       0.5      /**< a building lower than this is a mistake in the data */
#define RCITY_HEIGHT_MAX_M       1000.0   /**< a higher one too */
#define RCITY_COORDINATE_MAX_M   1e8      /**< largest coordinate in any CRS */
#define RCITY_ELEVATION_MIN_M    (-500.0) /**< lowest ground */
#define RCITY_ELEVATION_MAX_M    9000.0   /**< highest ground */
#define RCITY_GAP_MAX_M          5.0      /**< largest gap between buildings that may be closed */
#define RCITY_TERRAIN_CELL_MAX_M 10000.0  /**< largest distance of terrain nodes */
#define RCITY_VEGETATION_MAX_M   150.0    /**< higher than any tree */

/** Options for rcity_scene_create(). Start from rcity_scene_options_default(). */
typedef struct rcity_scene_options {
    size_t struct_bytes;  /**< size of this struct, set by rcity_scene_options_default() */
    const char *crs;      /**< "EPSG:26912", WKT or PROJ text of a projected CRS in metres; NULL: none. Copied. */
    double gap_m;         /**< gaps between buildings narrower than this are closed; 0 to RCITY_GAP_MAX_M; 0.5 */
    bool drop_invalid;    /**< leave out buildings that cannot be repaired, and count them, instead of failing */
    uint64_t reserved[4]; /**< 0; for later versions */
} rcity_scene_options;

/** rcity_scene_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_scene_options_init(rcity_scene_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_scene_options)

/** A point in the scene's CRS. */
typedef struct rcity_point {
    double x_m, y_m, z_m;
} rcity_point;

/** A building: a right prism over a polygon with holes. Parts of different height are added as several buildings of one
 *  id; where they overlap, the higher roof counts. Rings may run in either direction; the closing point is optional. */
typedef struct rcity_building {
    size_t struct_bytes;         /**< size of this struct, set by rcity_building_default() */
    int64_t id;                  /**< the number users know it by; printed in messages */
    int ring_count;              /**< at least 1; the first ring is the outline, the others are holes */
    const int *ring_point_count; /**< points of each ring */
    const double *xy_m;          /**< x, y of all points of all rings, one after the other */
    double height_m;             /**< roof above ground; RCITY_HEIGHT_MIN_M to RCITY_HEIGHT_MAX_M */
    double ground_m;             /**< height of the ground; NAN: the lowest terrain under the footprint */
    const char *material;        /**< name of the wall material; NULL: the default. Copied; at most 31 bytes. */
} rcity_building;

/** rcity_building_default() with the size of the struct that the program knows. */
RCITY_API void rcity_building_init(rcity_building *building, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_building)

/** A regular grid of ground heights. Node (column, row) lies at (west + column * cell, south + row * cell); every cell
 *  is split along its south-west to north-east diagonal into two triangles. */
typedef struct rcity_terrain {
    int column_count, row_count; /**< nodes, at least 2 each */
    double west_m, south_m;      /**< position of node (0, 0) */
    double cell_m;               /**< distance of nodes; a multiple of the scene's plan unit, 1/128 m up to 16 km */
    const float *height_m;       /**< row by row from the south; RCITY_ELEVATION_MIN_M to RCITY_ELEVATION_MAX_M */
} rcity_terrain;

/** Trees over a polygon with holes, with the same height above the ground everywhere. Where polygons overlap, the
 *  higher is used. */
typedef struct rcity_vegetation {
    int64_t id;     /**< the number users know it by; printed in messages */
    int ring_count; /**< as in rcity_building */
    const int *ring_point_count;
    const double *xy_m;
    double height_m; /**< above ground; RCITY_HEIGHT_MIN_M to RCITY_VEGETATION_MAX_M */
} rcity_vegetation;

/** A class of land cover. */
typedef struct rcity_land_class {
    int code;         /**< 0 to 255, as in the raster */
    const char *name; /**< at most 31 bytes. Copied. */
    double height_m;  /**< its typical height; 0 to RCITY_VEGETATION_MAX_M */
    double loss_db;   /**< added to the loss of a receiver in it, by methods that use it; -50 to 100 */
} rcity_land_class;

/** A raster of land-cover classes; cell (column, row) covers (west + column * cell, south + row * cell) up to the
 *  next. */
typedef struct rcity_land_cover {
    int column_count, row_count; /**< cells, at least 1 each */
    double west_m, south_m;      /**< outer corner of cell (0, 0) */
    double cell_m;
    const uint8_t *code; /**< row by row from the south; every code must be in the table */
    int class_count;     /**< 1 to 256 */
    const rcity_land_class *classes;
} rcity_land_cover;

/** Create an empty scene. Owned by the caller; release with rcity_scene_destroy(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_create(rcity_context *context, const rcity_scene_options *options,
                                                           rcity_scene **scene);

/** Destroy a scene and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_scene_destroy(rcity_scene **scene);

/** Add a building; everything is copied.
 *  @return RCITY_ERR_GEOMETRY for a height or coordinate outside its limits (NaN included) or a ring without 3 points,
 *  RCITY_ERR_MEMORY, RCITY_ERR_STATE after commit. With `drop_invalid` a building with such a defect is counted and
 *  left out instead. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_add_building(rcity_scene *scene, const rcity_building *building);

/** Set the terrain, replacing an earlier one; everything is copied.
 *  @return RCITY_ERR_ARGUMENT for a bad grid or height, RCITY_ERR_MEMORY, RCITY_ERR_STATE after commit. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_set_terrain_sized(rcity_scene *scene, size_t terrain_bytes,
                                                                      const rcity_terrain *terrain);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_set_terrain(rcity_scene *scene, const rcity_terrain *terrain)
{
    return rcity_scene_set_terrain_sized(scene, sizeof *terrain, terrain);
}

/** Add vegetation; everything is copied. @return as rcity_scene_add_building(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_add_vegetation_sized(rcity_scene *scene, size_t vegetation_bytes,
                                                                         const rcity_vegetation *vegetation);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_add_vegetation(rcity_scene *scene,
                                                                       const rcity_vegetation *vegetation)
{
    return rcity_scene_add_vegetation_sized(scene, sizeof *vegetation, vegetation);
}

/** Set the land cover, replacing an earlier one; everything is copied.
 *  @return RCITY_ERR_ARGUMENT for a bad raster, table or code, RCITY_ERR_MEMORY, RCITY_ERR_STATE after commit. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_set_land_cover_sized(rcity_scene *scene, size_t land_cover_bytes,
                                                                         const rcity_land_cover *land_cover);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_set_land_cover(rcity_scene *scene,
                                                                       const rcity_land_cover *land_cover)
{
    return rcity_scene_set_land_cover_sized(scene, sizeof *land_cover, land_cover);
}

/** Add a material to this scene, or replace the built-in one of the same name. Buildings refer to it by name; names
 *  that neither the scene nor rcity_material_find() knows fail the commit.
 *  @return RCITY_ERR_ARGUMENT for a number outside its range, RCITY_ERR_MEMORY, RCITY_ERR_STATE after commit. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_add_material_sized(rcity_scene *scene, size_t material_bytes,
                                                                       const rcity_material *material);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_add_material(rcity_scene *scene, const rcity_material *material)
{
    return rcity_scene_add_material_sized(scene, sizeof *material, material);
}

/** Set a line of text about the origin of the scene; files made from the scene contain it. Copied.
 *  @return RCITY_ERR_ARGUMENT for a text over 255 bytes or with control characters. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_set_source(rcity_scene *scene, const char *source);

/** Clean, snap and freeze the scene, and build the index of its walls. Needed once, before any query.
 *  @return RCITY_ERR_STATE if committed already; RCITY_ERR_GEOMETRY, unless `drop_invalid`, for a ring that crosses
 *  itself or has no area, for a building that is not wholly on the terrain, and for vegetation far outside the scene;
 *  RCITY_ERR_ARGUMENT for an empty scene, one that is too large, or a building of an unknown material;
 *  RCITY_ERR_MEMORY, RCITY_ERR_CANCELLED. On failure the scene stays as it was. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_commit(rcity_scene *scene);

/** Every kind of repair in one list: enum value, name in reports, sentence. */
#define RCITY_REPAIR_LIST(X)                                                                                           \
    X(RCITY_REPAIR_DUPLICATE_POINTS, "duplicate_points", "points that repeat their neighbour were removed")            \
    X(RCITY_REPAIR_SPIKES, "spikes", "points where an outline runs back on itself were removed")                       \
    X(RCITY_REPAIR_REVERSED_RINGS, "reversed_rings", "rings that ran the wrong way were turned")                       \
    X(RCITY_REPAIR_SPLIT_RINGS, "split_rings", "rings that touch themselves were split")                               \
    X(RCITY_REPAIR_SLIVERS, "slivers", "pieces without area were removed")                                             \
    X(RCITY_REPAIR_STRAY_HOLES, "stray_holes", "holes outside their building were removed")                            \
    X(RCITY_REPAIR_CLOSED_GAPS, "closed_gaps", "corners were moved onto a neighbour to close a small gap")             \
    X(RCITY_REPAIR_KEPT_GAPS, "kept_gaps", "buildings kept their small gaps: closing them would break the outline")    \
    X(RCITY_REPAIR_DROPPED_BUILDINGS, "dropped_buildings",                                                             \
      "buildings that cannot be repaired or lie outside the terrain were left out")                                    \
    X(RCITY_REPAIR_DROPPED_VEGETATION, "dropped_vegetation",                                                           \
      "polygons of vegetation that cannot be repaired were left out")

typedef enum rcity_repair {
#define RCITY_REPAIR_ENUM(value, name, text) value,
    RCITY_REPAIR_LIST(RCITY_REPAIR_ENUM)
#undef RCITY_REPAIR_ENUM
        RCITY_REPAIR_COUNT
} rcity_repair;

#define RCITY_REPAIR_ROOM 16 /**< size of repair_count, with room for kinds of later versions */

/** Name of a repair in reports, such as "closed_gaps"; NULL when out of range. */
RCITY_API const char *rcity_repair_name(rcity_repair repair);

/** One sentence that says what the repair did; NULL when out of range. */
RCITY_API const char *rcity_repair_text(rcity_repair repair);

/** Figures of a committed scene. Texts are borrowed until the scene is destroyed. */
typedef struct rcity_scene_info {
    int64_t building_count;        /**< as read, less those dropped */
    int64_t wall_count;            /**< walls as read, less those of dropped buildings */
    int64_t outer_wall_count;      /**< walls as read that no touching neighbour covers up to the top; walls of nested
                                        buildings count */
    int64_t exposed_wall_count;    /**< walls as read of which some part is open to the air */
    int64_t nested_building_count; /**< buildings that lie within another one's outline */
    int64_t prism_count;           /**< solids after cleaning */
    int64_t edge_count;            /**< their walls after cleaning and closing of gaps */
    int64_t facade_count;          /**< pieces of wall open to the air, each with its own lower rim */
    double x_min_m, y_min_m, x_max_m, y_max_m;          /**< bounds of buildings and terrain; vegetation counts only
                                                             where there is neither */
    double area_km2;                                    /**< of these bounds */
    double built_area_km2;                              /**< sum of the footprints */
    double height_min_m, height_median_m, height_max_m; /**< of the buildings, above ground; 0 without buildings */
    bool has_terrain;
    int terrain_column_count, terrain_row_count;
    double terrain_cell_m;
    double ground_min_m, ground_max_m; /**< of the terrain, 0 without */
    int64_t vegetation_count;          /**< polygons after cleaning */
    double vegetation_area_km2;        /**< sum of them */
    int land_class_count;              /**< classes of the land cover, 0 without */
    int land_cover_column_count, land_cover_row_count;
    double land_cover_cell_m;
    int material_count;                      /**< materials added to the scene, without the built-in ones */
    double plan_unit_m, height_unit_m;       /**< the grid that coordinates were snapped to */
    int64_t repair_count[RCITY_REPAIR_ROOM]; /**< by rcity_repair; 0 beyond RCITY_REPAIR_COUNT */
    const char *crs;                         /**< as given, or "none" */
    const char *source;                      /**< as given, or "" */
    char hash[65];                           /**< SHA-256 of the committed scene in hex: equal scenes have equal
                                                  hashes */
} rcity_scene_info;

/** Describe a committed scene; safe from several threads at once. @return RCITY_ERR_STATE before commit. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_describe_sized(const rcity_scene *scene, size_t info_bytes,
                                                                   rcity_scene_info *info);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_describe(const rcity_scene *scene, rcity_scene_info *info)
{
    return rcity_scene_describe_sized(scene, sizeof *info, info);
}

/** Height of the ground at a place; 0 without terrain.
 *  @return RCITY_ERR_ARGUMENT outside the terrain, RCITY_ERR_STATE before commit. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_get_ground(rcity_context *context, const rcity_scene *scene,
                                                               double x_m, double y_m, double *ground_m);

/** A building that covers a place. */
typedef struct rcity_cover {
    bool is_covered;
    int64_t building_id; /**< of the highest building there */
    double roof_m;       /**< its roof, in scene height */
} rcity_cover;

/** The highest building over a place; a point on a wall belongs to the building north or east of it. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_get_cover_sized(rcity_context *context, const rcity_scene *scene,
                                                                    double x_m, double y_m, size_t cover_bytes,
                                                                    rcity_cover *cover);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_get_cover(rcity_context *context, const rcity_scene *scene,
                                                                  double x_m, double y_m, rcity_cover *cover)
{
    return rcity_scene_get_cover_sized(context, scene, x_m, y_m, sizeof *cover, cover);
}

/** Vegetation and land cover at a place. */
typedef struct rcity_ground_cover {
    double vegetation_m;                            /**< height of the highest vegetation there, 0 without */
    int land_class_code;                            /**< -1 where the land cover has no cell */
    const char *land_class_name;                    /**< borrowed until the scene is destroyed; "" without */
    double land_class_height_m, land_class_loss_db; /**< 0 without */
} rcity_ground_cover;

/** Vegetation and land cover at a place. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_get_ground_cover_sized(rcity_context *context,
                                                                           const rcity_scene *scene, double x_m,
                                                                           double y_m, size_t cover_bytes,
                                                                           rcity_ground_cover *cover);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_get_ground_cover(rcity_context *context,
                                                                         const rcity_scene *scene, double x_m,
                                                                         double y_m, rcity_ground_cover *cover)
{
    return rcity_scene_get_ground_cover_sized(context, scene, x_m, y_m, sizeof *cover, cover);
}

/** A material of the scene by name: its own first, then the built-in ones; "" gives the default of the surface.
 *  @return RCITY_ERR_ARGUMENT with the name, RCITY_ERR_STATE before commit. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_get_material_sized(rcity_context *context, const rcity_scene *scene,
                                                                       const char *name, rcity_surface surface,
                                                                       size_t material_bytes, rcity_material *material);
RCITY_MUST_CHECK static inline rcity_status rcity_scene_get_material(rcity_context *context, const rcity_scene *scene,
                                                                     const char *name, rcity_surface surface,
                                                                     rcity_material *material)
{
    return rcity_scene_get_material_sized(context, scene, name, surface, sizeof *material, material);
}

/** Is the straight line between two points free of buildings and terrain?
 *
 *  This is the simple, exact test that all fast tests are checked against. Points are snapped to the scene's grid (one
 *  on or above the ground is not put below it), everything else is integer arithmetic, so the answer has no tolerance
 *  and does not change when the ends are swapped. In the terms of geometry, buildings and ground are open sets:
 *  touching a wall, a corner, a roof or the ground does not block; a line inside the common wall of two buildings is
 *  blocked up to the lower of the two roofs. A vertical line that only touches a wall is free. Its time grows with the
 *  number of buildings.
 *  @return RCITY_ERR_ARGUMENT for a point that is not finite or far outside the scene, RCITY_ERR_STATE before commit,
 *  RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_test_segment(rcity_context *context, const rcity_scene *scene,
                                                                 const rcity_point *from, const rcity_point *to,
                                                                 bool *is_free);

#ifdef __cplusplus
}
#endif

#endif
