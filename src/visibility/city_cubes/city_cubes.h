/* A committed scene as cubes: which are filled, which hold a piece of wall that reflects, and which an edge that
   diffracts. */
#ifndef RCITY_VISIBILITY_CITY_CUBES_H
#define RCITY_VISIBILITY_CITY_CUBES_H

#include "kernel/cubes/cube_city.h"
#include "kernel/cubes/cube_map.h"
#include "scene/facets/facet_table.h"

#define RCITY_CITY_CUBES_COLUMN_MAX ((int64_t)1 << 28) /* so that lists of what columns hold have 32-bit numbers */

/* What a cube is; a set. The sources of a column reach from the bottom to the top of their wall or edge. */
#define RCITY_CUBE_FILLED     1u /* its centre lies in a building or under the ground */
#define RCITY_CUBE_REFLECTS   2u /* a wall passes through it */
#define RCITY_CUBE_VERTICAL   4u /* a vertical edge passes through it */
#define RCITY_CUBE_HORIZONTAL 8u /* the top of a wall passes through it */

/* Read-only once made; for any number of threads. */
typedef struct rcity_city_cubes {
    rcity_cube_map map;
    rcity_u32 *words;           /* a bit for each cube, as kernel/cubes/cube_map.h has them */
    rcity_cube_column *columns; /* row by row from the south, and one more to end the lists */
    int64_t wall_count, edge_count;
    rcity_cube_wall *walls;
    rcity_cube_edge *edges;
    rcity_i32 *column_walls; /* numbers of the walls that pass through each column */
    rcity_i32 *column_edges; /* numbers of the edges in each column and in the eight around it */
    float highest_m;         /* of all tops */
} rcity_city_cubes;

/* A box in plan in the local frame of the shapes, metres. */
typedef struct rcity_cube_box {
    double west_m, south_m, east_m, north_m;
} rcity_cube_box;

/* The plan of a scene, widened to hold `also`, which may be empty (east below west). */
rcity_cube_box rcity_city_cubes_bound(const rcity_shapes *shapes, rcity_cube_box also);

/* The number of columns of a box, and the bytes of its cubes, where walls and edges count by the scene. */
double rcity_city_cubes_count(rcity_cube_box box, double edge_m);
double rcity_city_cubes_bytes(const rcity_shapes *shapes, rcity_cube_box box, double edge_m);

/* Cubes of an edge length in plan over a box. Layers are no higher than that, and as high as whole words of bits ask
   for. Walls and edges come from `facets`, which is not needed afterwards. Zeroed on failure.
   @return RCITY_ERR_ARGUMENT for an edge length that makes more than RCITY_CITY_CUBES_COLUMN_MAX columns,
   RCITY_ERR_MEMORY. */
rcity_status rcity_city_cubes_init(rcity_context *context, const rcity_facet_table *facets, rcity_cube_box box,
                                   double edge_m, rcity_city_cubes *cubes);
void rcity_city_cubes_deinit(rcity_context *context, rcity_city_cubes *cubes);

/* The class of a cube of the map. */
unsigned rcity_city_cubes_class(const rcity_city_cubes *cubes, rcity_cube cube);

/* The number of the column that holds a place, -1 outside of the map. */
int64_t rcity_city_cubes_column(const rcity_city_cubes *cubes, double x_m, double y_m);

/* The share of open columns that have a filled one on both sides, west and east or south and north: of streets no wider
   than a cube. */
double rcity_city_cubes_narrow_share(const rcity_city_cubes *cubes);

#endif
