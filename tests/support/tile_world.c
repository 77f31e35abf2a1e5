/* A scene cut into tiles. */
#include "tile_world.h"

#include "scene/place/terrain.h"
#include "scene/scene_data.h"

#define FEW_PRISMS 100 /* so few that looking at all of them takes no time */

void tile_world_init(tile_world *world, rcity_context *context, rcity_scene *scene, double tile_m2)
{
    memset(world, 0, sizeof *world);
    world->context = context;
    world->scene = scene;
    rcity_tiling_options options = rcity_tiling_options_default();
    options.wall_area_m2 = options.roof_area_m2 = options.ground_area_m2 = tile_m2;
    options.ground_margin_m = 20.0;
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_facet_table_init(context, scene, 2e9, &world->table));
    assert_ok(context, rcity_tiling_init(context, scene, &world->table, &options, &world->tiling));
    assert_ok(context, rcity_sight_create(context, shapes, &world->sight));
    assert_ok(context, rcity_segment_scratch_init(context, shapes, &world->scratch));
    assert_ok(context, rcity_device_open(context, "host", &world->device));
}

void tile_world_deinit(tile_world *world)
{
    rcity_segment_scratch_deinit(world->context, &world->scratch);
    rcity_device_close(&world->device);
    rcity_sight_destroy(world->context, &world->sight);
    rcity_tiling_deinit(world->context, &world->tiling);
    rcity_facet_table_deinit(world->context, &world->table);
    rcity_scene_destroy(&world->scene);
    assert_int_equal(rcity_context_memory_used(world->context), 0);
}

void tile_world_use_device(tile_world *world, const char *id)
{
    rcity_device_close(&world->device);
    assert_ok(world->context, rcity_device_open(world->context, id, &world->device));
}

static rcity_tile_front front_of(const tile_world *world, int64_t tile)
{
    return rcity_tile_front_make(world->tiling.tiles[tile], 1.0f / (float)world->table.shapes->units_per_m,
                                 1.0f / (float)RCITY_HEIGHT_UNITS_PER_M);
}

static bool is_near(const tile_world *world, rcity_tile_place a, rcity_tile_place b, double range_m)
{
    double plan_m = 1.0 / world->table.shapes->units_per_m;
    double height_m = 1.0 / RCITY_HEIGHT_UNITS_PER_M;
    double x = ((double)a.x - b.x) * plan_m;
    double y = ((double)a.y - b.y) * plan_m;
    double z = ((double)a.z - b.z) * height_m;
    return range_m == 0.0 || x * x + y * y + z * z <= range_m * range_m;
}

bool tile_world_is_free(tile_world *world, rcity_tile_place a, rcity_tile_place b)
{
    rcity_grid_point3 from = {a.x, a.y, a.z};
    rcity_grid_point3 to = {b.x, b.y, b.z};
    const rcity_shapes *shapes = world->table.shapes;
    return shapes->prism_count < FEW_PRISMS
               ? rcity_segment_is_free(shapes, &world->scratch, from, to)
               : rcity_segment_is_free_indexed(shapes, &world->scene->prism_index, &world->scratch, from, to);
}

bool tile_world_sees(tile_world *world, int64_t a, int64_t b, double range_m)
{
    rcity_tile_place from = world->tiling.places[a];
    rcity_tile_place to = world->tiling.places[b];
    return rcity_tile_faces(front_of(world, b), to, from) && tile_world_sees_point(world, a, to, range_m);
}

bool tile_world_sees_point(tile_world *world, int64_t a, rcity_tile_place point, double range_m)
{
    rcity_tile_place from = world->tiling.places[a];
    return rcity_tile_faces(front_of(world, a), from, point) && is_near(world, from, point, range_m) &&
           tile_world_is_free(world, from, point);
}

rcity_status tile_world_build(tile_world *world, const rcity_tile_matrix_options *options, const char *path,
                              rcity_tile_matrix **matrix)
{
    return rcity_tile_matrix_build(world->context, world->device, world->sight, &world->tiling, options, path, matrix);
}

bool tile_matrix_holds(const rcity_tile_matrix *matrix, int32_t row, int32_t tile)
{
    const uint32_t *ends = &matrix->chunk_end[(size_t)row * (size_t)matrix->chunk_count];
    const uint16_t *column = matrix->column + matrix->row_first[row];
    int32_t chunk = tile / RCITY_TILE_CHUNK;
    for (uint32_t k = chunk > 0 ? ends[chunk - 1] : 0; k < ends[chunk]; k++) {
        if (column[k] == tile % RCITY_TILE_CHUNK) {
            return true;
        }
    }
    return false;
}

void assert_same_matrix(const rcity_tile_matrix *actual, const rcity_tile_matrix *expected)
{
    assert_int_equal(actual->tile_count, expected->tile_count);
    assert_int_equal(actual->entry_count, expected->entry_count);
    assert_memory_equal(actual->chunk_end, expected->chunk_end,
                        (size_t)actual->tile_count * (size_t)actual->chunk_count * sizeof *actual->chunk_end);
    for (int32_t row = 0; row < actual->tile_count; row++) {
        assert_memory_equal(actual->column + actual->row_first[row], expected->column + expected->row_first[row],
                            rcity_tile_matrix_row_count(actual, row) * sizeof *actual->column);
    }
}

rcity_tile_place tile_world_point(const tile_world *world, uint64_t seed, uint64_t i)
{
    const rcity_shapes *shapes = world->table.shapes;
    double margin = (i % 16 == 0 ? 500.0 : 10.0) * shapes->units_per_m;
    if (i % 16 == 1 && world->tiling.tile_count > 0) {
        return world->tiling.places[test_random(seed, 5 * i) % (uint64_t)world->tiling.tile_count];
    }
    rcity_tile_place place;
    place.x = (int32_t)test_uniform(seed, 5 * i + 1, shapes->x_min - margin, shapes->x_max + margin);
    place.y = (int32_t)test_uniform(seed, 5 * i + 2, shapes->y_min - margin, shapes->y_max + margin);
    double ground = 0.0;
    if (shapes->terrain.column_count > 0 && rcity_terrain_contains(&shapes->terrain, place.x, place.y)) {
        ground = rcity_terrain_height(&shapes->terrain, place.x, place.y);
    }
    double above_m = i % 4 == 0 ? test_uniform(seed, 5 * i + 3, -2.0, 60.0) : 1.5;
    place.z = (int32_t)(ground + above_m * RCITY_HEIGHT_UNITS_PER_M);
    return place;
}
