/* The committed scene: prisms on an integer grid, the facades cut from them, the terrain. Read-only after commit. One
   plan unit is 1/128 m unless the scene is larger than 16 km; one height unit is 1/64 m. Plan coordinates are relative
   to the local origin, which lies on whole metres of the scene's CRS. */
#ifndef RCITY_SCENE_SHAPES_H
#define RCITY_SCENE_SHAPES_H

#include <stdint.h>

#include "base/base.h"
#include "radiocity/scene.h"

#define RCITY_HEIGHT_UNITS_PER_M 64
#define RCITY_MATERIAL_BYTES     RCITY_MATERIAL_NAME_BYTES
#define RCITY_SCENE_MATERIAL_MAX 4096 /* materials that a scene may bring along */

typedef struct rcity_grid_point {
    int32_t x, y; /* plan units */
} rcity_grid_point;

/* A solid from unlimited depth up to its roof, over one outline with holes. Ring r of the scene holds points
   ring_first[r] .. ring_first[r + 1] - 1; outlines run counter-clockwise, holes clockwise, so the solid is on the
   left. */
typedef struct rcity_prism {
    int32_t first_ring, ring_count;
    int32_t building;     /* index of its building */
    int32_t ground, roof; /* height units */
    int32_t x_min, y_min, x_max, y_max;
} rcity_prism;

/* What is known about a building as read. */
typedef struct rcity_building_record {
    int64_t id;
    int32_t wall_count;                  /* as read */
    int32_t height;                      /* roof above ground, height units */
    char material[RCITY_MATERIAL_BYTES]; /* "" for the default */
} rcity_building_record;

/* A piece of wall open to the air, seen from its right side (the outside) as one rectangle. */
typedef struct rcity_facade {
    float x1_m, y1_m, x2_m, y2_m; /* local frame, metres; the solid is on the left */
    float bottom_m, top_m;        /* scene height */
    int32_t prism;
    int32_t edge; /* index of the point where its wall starts */
} rcity_facade;

/* The elevation grid in units; node (column, row) at (west + column * cell, south + row * cell). */
typedef struct rcity_terrain_grid {
    int32_t column_count, row_count; /* 0 without terrain */
    int32_t west, south, cell;       /* plan units */
    int32_t *height;                 /* height units, row by row from the south */
} rcity_terrain_grid;

/* Trees over one outline with holes, with one height above the ground; the rings are the vegetation's own. */
typedef struct rcity_vegetation_record {
    int64_t id;
    int32_t first_ring, ring_count;
    int32_t height; /* above ground, height units */
    int32_t ground; /* lowest terrain in its box, height units: no tree starts below; 0 without terrain */
    int32_t x_min, y_min, x_max, y_max;
} rcity_vegetation_record;

/* A class of land cover. */
typedef struct rcity_land_class_record {
    int32_t code; /* 0 to 255 */
    int32_t reserved;
    double height_m, loss_db;
    char name[RCITY_MATERIAL_BYTES];
} rcity_land_class_record;

#define RCITY_LAND_CELL_MIN_M 0.01 /* finer than any survey */

/* Land cover; cell (column, row) covers (west + column * cell, south + row * cell) up to the next. */
typedef struct rcity_land_grid {
    int32_t column_count, row_count; /* 0 without */
    double west_m, south_m, cell_m;  /* in the scene's CRS: a raster need not fit the grid of the plan */
    uint8_t *code;                   /* row by row from the south; every code is in the table */
    int64_t class_count;
    rcity_land_class_record *classes;
} rcity_land_grid;

/* Memory that shapes point into and did not allocate, such as a mapped file: released with them. */
typedef struct rcity_shapes_lender {
    void *owner; /* NULL: none */
    void (*release)(void *owner);
} rcity_shapes_lender;

typedef struct rcity_shapes {
    double origin_x_m, origin_y_m;      /* local origin in the scene's CRS */
    int32_t units_per_m;                /* plan units; a power of two, at most 128 */
    int32_t x_min, y_min, x_max, y_max; /* bounds of buildings and terrain; of vegetation where there is neither */

    int64_t building_count;
    rcity_building_record *buildings;
    int64_t prism_count;
    rcity_prism *prisms;
    int64_t ring_count;
    int32_t *ring_first; /* ring_count + 1 */
    int64_t point_count;
    rcity_grid_point *points; /* edge i runs from point i to the next point of its ring */
    int64_t facade_count;
    rcity_facade *facades;
    rcity_terrain_grid terrain;
    rcity_shapes_lender height_lender; /* of terrain.height; without an owner the heights are the shapes' own */

    int64_t vegetation_count; /* may reach beyond the bounds */
    rcity_vegetation_record *vegetation;
    int64_t vegetation_ring_count;
    int32_t *vegetation_ring_first; /* vegetation_ring_count + 1; NULL without vegetation */
    int64_t vegetation_point_count;
    rcity_grid_point *vegetation_points;
    rcity_land_grid land_cover;
    int64_t material_count; /* materials that the scene brings along */
    rcity_material *materials;

    int64_t wall_count;       /* as read */
    int64_t outer_wall_count; /* not covered by a touching neighbour; those of nested buildings count */
    int64_t exposed_wall_count;
    int64_t nested_building_count;
    int64_t repair_count[RCITY_REPAIR_COUNT];
    char hash[65];
} rcity_shapes;

/* The shapes of a committed scene; NULL before commit. Borrowed until the scene is destroyed. */
const rcity_shapes *rcity_scene_shapes(const rcity_scene *scene);

/* The CRS as given, or "none", and the source line. Borrowed until the scene is destroyed. */
const char *rcity_scene_crs(const rcity_scene *scene);

/* rcity_scene_describe() with a message for a scene that is not committed. */
rcity_status rcity_scene_find_info(rcity_context *context, const rcity_scene *scene, rcity_scene_info *info);
const char *rcity_scene_source(const rcity_scene *scene);

/* The context a scene was made with. */
rcity_context *rcity_scene_context(const rcity_scene *scene);

/* What was added so far, for readers that cut rasters to it: the box of the buildings (west, south, east, north), false
   if there are none; the terrain, NULL if there is none. */
bool rcity_scene_bound_buildings(const rcity_scene *scene, double box[4]);
const rcity_terrain *rcity_scene_draft_terrain(const rcity_scene *scene);

/* rcity_scene_set_terrain() without a copy: on success the scene owns `*height_m`, which must be the terrain's heights
   and come from the scene's context, and `*height_m` is NULL. */
rcity_status rcity_scene_take_terrain(rcity_scene *scene, const rcity_terrain *terrain, float **height_m);

/* Count a building or a polygon of vegetation that a reader left out because of `drop_invalid`. */
void rcity_scene_note_dropped(rcity_scene *scene);
void rcity_scene_note_dropped_vegetation(rcity_scene *scene);

/* Does the scene leave invalid shapes out? */
bool rcity_scene_drops_invalid(const rcity_scene *scene);

/* Index of the point after `point` in a ring. */
static inline int32_t rcity_ring_next(const int32_t *ring_first, int32_t ring, int32_t point)
{
    return point + 1 < ring_first[ring + 1] ? point + 1 : ring_first[ring];
}

/* A committed scene from finished shapes, as a file loader has them. Takes over the memory of `shapes`, which must come
   from the same context, also on failure. Builds the wall index. */
rcity_status rcity_scene_create_from_shapes(rcity_context *context, const char *crs, const char *source,
                                            rcity_shapes *shapes, rcity_scene **scene);

/* A material by name from a list, or NULL. */
const rcity_material *rcity_shapes_find_material(const rcity_material *materials, int64_t count, const char *name);

/* Is there such a material, in the list or built in? "" is the default and known. */
bool rcity_shapes_know_material(const rcity_material *materials, int64_t count, const char *name);

void rcity_land_grid_deinit(rcity_context *context, rcity_land_grid *land);

/* The row of a code, or NULL. */
const rcity_land_class_record *rcity_land_grid_find(const rcity_land_grid *land, int code);

/* Release what shapes own. */
void rcity_shapes_deinit(rcity_context *context, rcity_shapes *shapes);

#endif
