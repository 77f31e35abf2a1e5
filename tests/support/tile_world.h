/* A scene cut into tiles, with what finds out which of them see each other; and the plain answer. */
#ifndef RCITY_TEST_TILE_WORLD_H
#define RCITY_TEST_TILE_WORLD_H

#include "rcity_test.h"
#include "scene/tiles/tiling.h"
#include "visibility/sight/sight.h"
#include "visibility/tiles/tile_matrix.h"

typedef struct tile_world {
    rcity_context *context; /* Borrowed. */
    rcity_scene *scene;
    rcity_device *device;
    rcity_facet_table table;
    rcity_tiling tiling;
    rcity_sight *sight;
    rcity_segment_scratch scratch;
} tile_world;

/* Cut a scene, which the world takes over, into tiles of so many square metres. The device is the host's threads. */
void tile_world_init(tile_world *world, rcity_context *context, rcity_scene *scene, double tile_m2);

/* Nothing is left in the context's memory. */
void tile_world_deinit(tile_world *world);

/* Another device instead. */
void tile_world_use_device(tile_world *world, const char *id);

/* By the plain test: does tile `a` see tile `b`? Does it see a point? Both ends of the line within the range (0: any),
   in metres; nothing is shared with what is tested but the rule of rcity_tile_faces(). */
bool tile_world_sees(tile_world *world, int64_t a, int64_t b, double range_m);
bool tile_world_sees_point(tile_world *world, int64_t a, rcity_tile_place point, double range_m);

/* By the plain test: is the line free? */
bool tile_world_is_free(tile_world *world, rcity_tile_place a, rcity_tile_place b);

/* Make the matrix; `path` may be NULL. */
rcity_status tile_world_build(tile_world *world, const rcity_tile_matrix_options *options, const char *path,
                              rcity_tile_matrix **matrix);

/* Does the matrix say that a tile sees another one? */
bool tile_matrix_holds(const rcity_tile_matrix *matrix, int32_t row, int32_t tile);

/* The same rows, wherever their strips begin. */
void assert_same_matrix(const rcity_tile_matrix *actual, const rcity_tile_matrix *expected);

/* A random point of the scene: mostly near the ground, also in houses, above them, at a tile, outside. */
rcity_tile_place tile_world_point(const tile_world *world, uint64_t seed, uint64_t i);

#endif
