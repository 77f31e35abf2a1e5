/* Surfaces as binary glTF, read back by the words of its specification: chunks, views, bounds, triangles, colours. */
#include "surfaces_stage.h"

#include "base/file.h"
#include "io/surfaces/surface_paint.h"
#include "json_path.h"

/* A file in memory: its JSON with a terminating 0, and its buffer. */
typedef struct glb_file {
    char *bytes, *json;
    const unsigned char *buffer;
    size_t buffer_bytes;
} glb_file;

static uint32_t word_at(const void *bytes)
{
    const unsigned char *at = bytes;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float float_at(const void *bytes)
{
    uint32_t bits = word_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Header and chunks: 4.4 of the specification. */
static glb_file open_glb(rcity_context *context, const char *path)
{
    glb_file file = {.buffer_bytes = 0};
    size_t count = 0;
    assert_ok(context, rcity_file_load(context, path, &file.bytes, &count));
    assert_true(count >= 20 && memcmp(file.bytes, "glTF", 4) == 0);
    assert_int_equal(word_at(file.bytes + 4), 2);
    assert_int_equal(word_at(file.bytes + 8), count);
    size_t json_bytes = word_at(file.bytes + 12);
    assert_memory_equal(file.bytes + 16, "JSON", 4);
    assert_int_equal(json_bytes % 4, 0);
    file.json = calloc(json_bytes + 1, 1);
    memcpy(file.json, file.bytes + 20, json_bytes);
    if (20 + json_bytes < count) {
        const char *chunk = file.bytes + 20 + json_bytes;
        file.buffer_bytes = word_at(chunk);
        assert_memory_equal(chunk + 4, "BIN\0", 4);
        assert_int_equal(file.buffer_bytes % 4, 0);
        assert_int_equal(20 + json_bytes + 8 + file.buffer_bytes, count);
        file.buffer = (const unsigned char *)chunk + 8;
        assert_int_equal((int64_t)json_number(file.json, "buffers.0.byteLength"), file.buffer_bytes);
    }
    assert_true(json_holds(file.json, "asset.version", "\"2.0\""));
    return file;
}

static void close_glb(rcity_context *context, glb_file *file)
{
    free(file->json);
    rcity_release(context, file->bytes);
}

/* An accessor: where its data are, after its bounds were checked. */
typedef struct glb_accessor {
    const unsigned char *data;
    int64_t count, stride;
    int component;
} glb_accessor;

static glb_accessor get_accessor(const glb_file *file, int number, const char *type, int component, int size)
{
    const char *json = file->json;
    char path[60];
    glb_accessor made = {.count = (int64_t)json_number(json, "accessors.%d.count", number)};
    int view = (int)json_number(json, "accessors.%d.bufferView", number);
    int64_t offset = (int64_t)json_number(json, "accessors.%d.byteOffset", number);
    int64_t view_first = (int64_t)json_number(json, "bufferViews.%d.byteOffset", view);
    int64_t view_bytes = (int64_t)json_number(json, "bufferViews.%d.byteLength", view);
    made.component = (int)json_number(json, "accessors.%d.componentType", number);
    assert_int_equal(made.component, component);
    snprintf(path, sizeof path, "accessors.%d.type", number);
    assert_true(json_holds(json, path, type));
    snprintf(path, sizeof path, "bufferViews.%d.byteStride", view);
    bool is_index = (int)json_number(json, "bufferViews.%d.target", view) == 34963;
    assert_int_equal(is_index, json_find(json, path) == NULL);
    made.stride = is_index ? size : (int64_t)json_number(json, "%s", path);
    assert_true(made.stride >= size && made.stride % 4 == 0);
    assert_true(offset % 4 == 0 && view_first % 4 == 0 && made.count > 0);
    assert_true(offset + made.stride * (made.count - 1) + size <= view_bytes);
    assert_true(view_first + view_bytes <= (int64_t)file->buffer_bytes);
    made.data = file->buffer + view_first + offset;
    return made;
}

/* The bounds are those of the data, as floats. */
static void check_bounds(const glb_file *file, int number, const glb_accessor *accessor, int part_count)
{
    for (int k = 0; k < part_count; k++) {
        float low = HUGE_VALF;
        float high = -HUGE_VALF;
        for (int64_t i = 0; i < accessor->count; i++) {
            float value = float_at(accessor->data + i * accessor->stride + 4 * k);
            assert_true(isfinite(value));
            low = fminf(low, value);
            high = fmaxf(high, value);
        }
        assert_true((float)json_number(file->json, "accessors.%d.min.%d", number, k) == low);
        assert_true((float)json_number(file->json, "accessors.%d.max.%d", number, k) == high);
    }
}

static double to_linear(double part)
{
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

/* What a file must hold: the surfaces, and the band of its colours. */
typedef struct glb_truth {
    const surfaces_stage *on;
    const rcity_surface_tile *tiles;
    rcity_surface_paint paint;
    double origin_m[3];
    int tile_count;
    bool is_found[STAGE_TILES];
} glb_truth;

static void place_of(const glb_truth *truth, const unsigned char *vertex, double place_m[3])
{
    place_m[0] = (double)float_at(vertex) + truth->origin_m[0];
    place_m[1] = truth->origin_m[1] - (double)float_at(vertex + 8);
    place_m[2] = (double)float_at(vertex + 4);
}

/* The tile whose centre is the middle of four vertices. */
static int find_tile(const glb_truth *truth, const glb_accessor *positions, int64_t first)
{
    double middle_m[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        double place_m[3];
        place_of(truth, positions->data + (first + k) * positions->stride, place_m);
        for (int i = 0; i < 3; i++) {
            middle_m[i] += 0.25 * place_m[i];
        }
    }
    for (int t = 0; t < truth->tile_count; t++) {
        const rcity_point *centre = &truth->tiles[t].centre;
        if (fabs(centre->x_m - middle_m[0]) < 1e-3 && fabs(centre->y_m - middle_m[1]) < 1e-3 &&
            fabs(centre->z_m - middle_m[2]) < 1e-3) {
            return t;
        }
    }
    fail_msg("no tile has its centre at (%g, %g, %g)", middle_m[0], middle_m[1], middle_m[2]);
    return -1;
}

/* Sides, and the turn of both triangles: the tile's normal is up from where they run counter-clockwise. */
static void check_shape(const glb_truth *truth, const rcity_surface_tile *tile, const glb_accessor *positions,
                        const uint32_t *index)
{
    double places_m[4][3];
    for (int k = 0; k < 4; k++) {
        place_of(truth, positions->data + (int64_t)(index[0] + (uint32_t)k) * positions->stride, places_m[k]);
    }
    assert_true(index[1] == index[0] + 1 && index[2] == index[0] + 2);
    assert_true(index[3] == index[0] && index[4] == index[0] + 2 && index[5] == index[0] + 3);
    double first_m = 0.0;
    double turn[3];
    for (int i = 0; i < 3; i++) {
        first_m += (places_m[1][i] - places_m[0][i]) * (double)tile->side[i];
        int a = (i + 1) % 3;
        int b = (i + 2) % 3;
        turn[i] = (places_m[1][a] - places_m[0][a]) * (places_m[2][b] - places_m[0][b]) -
                  (places_m[1][b] - places_m[0][b]) * (places_m[2][a] - places_m[0][a]);
    }
    double area_m2 = 4.0 * (double)tile->half_side_m[0] * (double)tile->half_side_m[1];
    assert_near(first_m, 2.0 * (double)tile->half_side_m[0], 1e-3);
    for (int i = 0; i < 3; i++) {
        assert_near(turn[i], area_m2 * (double)tile->normal[i], 0.02);
    }
}

static void check_values(const glb_file *file, const glb_truth *truth, int tile, const glb_accessor *colours,
                         const glb_accessor *values, int64_t vertex)
{
    (void)file;
    rcity_colour colour = rcity_surface_paint_colour(&truth->paint, tile);
    const double parts[4] = {colour.red, colour.green, colour.blue, 1.0};
    for (int k = 0; k < 4; k++) {
        const unsigned char *at = colours->data + (vertex + k) * colours->stride;
        assert_true(float_at(values->data + (vertex + k) * values->stride) == truth->paint.band.value[tile]);
        for (int i = 0; i < 4; i++) {
            double part = (double)(at[2 * i] | at[2 * i + 1] << 8) / 65535.0;
            assert_near(part, i < 3 ? to_linear(parts[i]) : 1.0, 1e-5);
        }
    }
}

static void check_primitive(const glb_file *file, glb_truth *truth, rcity_surface kind, int mesh, int primitive)
{
    char path[100];
    const char *json = file->json;
    snprintf(path, sizeof path, "meshes.%d.primitives.%d.attributes._VALUE", mesh, primitive);
    bool has_value = json_find(json, path) != NULL;
    snprintf(path, sizeof path, "meshes.%d.primitives.%d.attributes", mesh, primitive);
    int number = (int)json_number(json, "%s.POSITION", path);
    glb_accessor positions = get_accessor(file, number, "\"VEC3\"", 5126, 12);
    check_bounds(file, number, &positions, 3);
    glb_accessor normals = get_accessor(file, (int)json_number(json, "%s.NORMAL", path), "\"VEC3\"", 5126, 12);
    glb_accessor colours = {.count = 0};
    glb_accessor values = {.count = 0};
    if (has_value) {
        colours = get_accessor(file, (int)json_number(json, "%s.COLOR_0", path), "\"VEC4\"", 5123, 8);
        number = (int)json_number(json, "%s._VALUE", path);
        values = get_accessor(file, number, "\"SCALAR\"", 5126, 4);
        check_bounds(file, number, &values, 1);
        assert_true(colours.count == positions.count && values.count == positions.count);
    }
    number = (int)json_number(json, "meshes.%d.primitives.%d.indices", mesh, primitive);
    glb_accessor indices = get_accessor(file, number, "\"SCALAR\"", 5125, 4);
    assert_true(normals.count == positions.count && indices.count * 4 == positions.count * 6);
    for (int64_t i = 0; i < positions.count / 4; i++) {
        uint32_t index[6];
        for (int k = 0; k < 6; k++) {
            index[k] = word_at(indices.data + 4 * (6 * i + k));
            assert_true(index[k] < (uint64_t)positions.count);
        }
        int tile = find_tile(truth, &positions, index[0]);
        assert_false(truth->is_found[tile]);
        truth->is_found[tile] = true;
        assert_int_equal(truth->tiles[tile].kind, kind);
        check_shape(truth, &truth->tiles[tile], &positions, index);
        assert_int_equal(has_value, rcity_surface_paint_has_value(&truth->paint, tile));
        if (has_value) {
            check_values(file, truth, tile, &colours, &values, index[0]);
        }
        const unsigned char *normal = normals.data + (int64_t)index[0] * normals.stride;
        assert_near((double)float_at(normal + 4), (double)truth->tiles[tile].normal[2], 1e-6);
        assert_near((double)float_at(normal + 8), -(double)truth->tiles[tile].normal[1], 1e-6);
    }
}

static void check_file(rcity_context *context, const rcity_surfaces *surfaces, const surfaces_stage *on,
                       const rcity_surfaces_save_options *options, const char *path)
{
    rcity_surface_tile tiles[STAGE_TILES];
    glb_truth truth = {.on = on, .tiles = tiles, .tile_count = stage_tiles(on, tiles)};
    assert_ok(context, rcity_surface_paint_init(context, surfaces, options, &truth.paint));
    glb_file file = open_glb(context, path);
    for (int i = 0; i < 3; i++) {
        truth.origin_m[i] = json_number(file.json, "scenes.0.extras.origin_m.%d", i);
    }
    assert_near(truth.origin_m[0], on->x0_m + 20.0, 30.0); /* near the tiles, so that floats are exact enough */
    assert_true(truth.origin_m[2] == 0.0);
    int node_count = json_count(file.json, "scenes.0.nodes");
    assert_int_equal(node_count, json_count(file.json, "nodes"));
    assert_int_equal(node_count, RCITY_SURFACE_COUNT);
    for (int node = 0; node < node_count; node++) {
        char primitives[60];
        char name[60];
        int mesh = (int)json_number(file.json, "nodes.%d.mesh", node);
        snprintf(name, sizeof name, "meshes.%d.name", mesh);
        snprintf(primitives, sizeof primitives, "meshes.%d.primitives", mesh);
        assert_true(json_holds(file.json, name + 0, node == 0 ? "\"wall\"" : node == 1 ? "\"roof\"" : "\"ground\""));
        for (int k = 0; k < json_count(file.json, primitives); k++) {
            check_primitive(&file, &truth, (rcity_surface)node, mesh, k);
        }
    }
    for (int t = 0; t < truth.tile_count; t++) {
        assert_true(truth.is_found[t]);
    }
    close_glb(context, &file);
}

static void test_tiles_come_back(void **state)
{
    (void)state;
    const surfaces_stage *const stages[] = {&plain_surfaces, &placed_surfaces};
    rcity_context *context = test_context(1);
    for (int i = 0; i < 2; i++) {
        rcity_surfaces_save_options options = rcity_surfaces_save_options_default();
        rcity_surfaces *surfaces = stage_surfaces(context, stages[i]);
        const char *path = test_path("tiles.glb");
        assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path));
        check_file(context, surfaces, stages[i], &options, path);
        options.band = "mechanism";
        assert_ok(context, rcity_surfaces_save(context, surfaces, &options, path));
        check_file(context, surfaces, stages[i], &options, path);
        options.band = "path_loss";
        options.value_min = 90.0;
        options.value_max = 100.0;
        assert_ok(context, rcity_surfaces_save(context, surfaces, &options, path));
        check_file(context, surfaces, stages[i], &options, path);
        rcity_surfaces_destroy(&surfaces);
    }
    rcity_context_destroy(&context);
}

static void test_how_it_was_made(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &placed_surfaces);
    const char *path = test_path("notes.glb");
    assert_ok(context, rcity_notes_add(rcity_surfaces_notes(surfaces), "method", "%s", "again"));
    assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path));
    glb_file file = open_glb(context, path);
    assert_true(json_holds(file.json, "scenes.0.extras.format", "\"radiocity surfaces\""));
    assert_true(json_holds(file.json, "scenes.0.extras.crs", "\"EPSG:32632\""));
    assert_true(json_holds(file.json, "scenes.0.extras.notes.method", "\"made by hand\""));
    assert_null(strstr(file.json, "again"));
    assert_true(json_holds(file.json, "scenes.0.extras.notes.tx_name", "\"Tower \\\"A\\\"\\u000asecond line\""));
    assert_true(json_holds(file.json, "scenes.0.extras.band.name", "\"received_power\""));
    assert_true(json_holds(file.json, "scenes.0.extras.band.unit", "\"dBm\""));
    assert_near(json_number(file.json, "scenes.0.extras.transmitter_m.2"), placed_surfaces.ground_m + 25.0, 1e-6);
    assert_near(json_number(file.json, "scenes.0.extras.frequency_hz"), 3.5e9, 0.0);
    assert_true(json_number(file.json, "scenes.0.extras.band.colour_min") <
                json_number(file.json, "scenes.0.extras.band.colour_max"));
    assert_true(json_holds(file.json, "extensionsUsed.0", "\"KHR_materials_unlit\""));
    close_glb(context, &file);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* No tile, no value at all, all values: lists that would be empty are left out. */
static void test_nothing_to_show(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = test_path("nothing.glb");
    rcity_surfaces *surfaces = stage_nothing(context);
    assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path));
    glb_file file = open_glb(context, path);
    assert_int_equal(file.buffer_bytes, 0);
    static const char *const absent[] = {"nodes",       "meshes",  "materials",      "accessors",
                                         "bufferViews", "buffers", "scenes.0.nodes", "extensionsUsed"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        assert_null(json_find(file.json, absent[i]));
    }
    close_glb(context, &file);
    rcity_surfaces_destroy(&surfaces);
    for (int has_values = 0; has_values < 2; has_values++) {
        rcity_surface_tile tiles[STAGE_TILES];
        const rcity_surfaces_setup setup = {.tile_count = stage_tiles(&plain_surfaces, tiles), .tiles = tiles};
        float *value = NULL;
        assert_ok(context, rcity_surfaces_create(context, &setup, &surfaces));
        assert_ok(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_LOSS, "path_loss", "dB", NULL, &value));
        for (int i = 0; i < setup.tile_count && has_values; i++) {
            value[i] = (float)i;
        }
        rcity_surfaces_save_options options = rcity_surfaces_save_options_default();
        assert_ok(context, rcity_surfaces_save(context, surfaces, &options, path));
        check_file(context, surfaces, &plain_surfaces, &options, path);
        file = open_glb(context, path);
        assert_int_equal(json_count(file.json, "materials"), 1);
        assert_int_equal(json_count(file.json, "bufferViews"), has_values ? 5 : 3);
        close_glb(context, &file);
        rcity_surfaces_destroy(&surfaces);
    }
    rcity_context_destroy(&context);
}

static void test_tiles_that_lie_nowhere(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    rcity_surfaces_edit_tiles(surfaces)[5].centre.z_m = (double)NAN;
    assert_status(context, rcity_surfaces_save(context, surfaces, NULL, test_path("nowhere.glb")), RCITY_ERR_STATE);
    assert_message(context, "tile 5 has a place that is no number");
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

TEST_SUITE(surfaces_glb)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_come_back),
        cmocka_unit_test(test_how_it_was_made),
        cmocka_unit_test(test_nothing_to_show),
        cmocka_unit_test(test_tiles_that_lie_nowhere),
    };
    return cmocka_run_group_tests_name("surfaces_glb", tests, NULL, NULL);
}
