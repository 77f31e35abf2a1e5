/* A scene of made hills, and predictions over it. */
#ifndef RCITY_TEST_TERRAIN_STAGE_H
#define RCITY_TEST_TERRAIN_STAGE_H

#include "rcity_test.h"

typedef struct terrain_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
} terrain_stage;

/* Hills: waves along both axes, and noise. */
typedef struct terrain_hills {
    int node_count; /* along each axis */
    double cell_m;
    double relief_m, wave_x, wave_y; /* radians from node to node */
    double noise_m;
    uint64_t seed;
} terrain_hills;

static inline void terrain_hills_fill(const terrain_hills *hills, float *height_m)
{
    for (int i = 0; i < hills->node_count * hills->node_count; i++) {
        double wave = sin(hills->wave_x * (i % hills->node_count)) * cos(hills->wave_y * (i / hills->node_count));
        height_m[i] = (float)(200.0 + hills->relief_m * wave +
                              test_uniform(hills->seed, (uint64_t)i, -hills->noise_m, hills->noise_m));
    }
}

/* A scene without anything, still open. */
static inline void terrain_stage_begin(int thread_count, terrain_stage *stage)
{
    rcity_scene_options options = rcity_scene_options_default();
    memset(stage, 0, sizeof *stage);
    stage->context = test_context(thread_count);
    assert_ok(stage->context, rcity_scene_create(stage->context, &options, &stage->scene));
    assert_ok(stage->context, rcity_device_open(stage->context, "host", &stage->device));
}

static inline void terrain_stage_set(terrain_stage *stage, const terrain_hills *hills, float *height_m)
{
    const rcity_terrain terrain = {.column_count = hills->node_count,
                                   .row_count = hills->node_count,
                                   .cell_m = hills->cell_m,
                                   .height_m = height_m};
    assert_ok(stage->context, rcity_scene_set_terrain(stage->scene, &terrain));
}

/* The hills alone, committed. */
static inline terrain_stage terrain_stage_open(int thread_count, const terrain_hills *hills)
{
    terrain_stage stage;
    float *height_m = malloc((size_t)hills->node_count * (size_t)hills->node_count * sizeof *height_m);
    assert_non_null(height_m);
    terrain_hills_fill(hills, height_m);
    terrain_stage_begin(thread_count, &stage);
    terrain_stage_set(&stage, hills, height_m);
    assert_ok(stage.context, rcity_scene_commit(stage.scene));
    free(height_m);
    return stage;
}

/* The values of a band that the map must have. */
static inline const float *terrain_stage_band(const terrain_stage *stage, const rcity_map *map, const char *name)
{
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        assert_ok(stage->context, rcity_map_get_band(map, i, &band));
        if (strcmp(band.name, name) == 0) {
            return band.value;
        }
    }
    print_error("the map has no band %s\n", name);
    fail();
    return NULL;
}

#endif
