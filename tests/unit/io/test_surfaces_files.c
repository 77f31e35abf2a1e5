/* Surfaces as CSV and PLY, and what holds for files of all formats: endings, bands, bytes, failures. */
#include "surfaces_stage.h"

#include <unistd.h>

#include "base/file.h"
#include "comma_locale.h"
#include "io/surfaces/surface_paint.h"

static const char *const endings[] = {"csv", "ply", "glb", "h5"};

static int ending_count(void)
{
    return rcity_build_features_get().has_hdf5 ? 4 : 3;
}

static const char *path_of(const char *name, int ending)
{
    char file[80];
    snprintf(file, sizeof file, "%s.%s", name, endings[ending]);
    return test_path(file);
}

static char *load(rcity_context *context, const char *path, size_t *bytes)
{
    char *text = NULL;
    assert_ok(context, rcity_file_load(context, path, &text, bytes));
    return text;
}

static void test_one_line_a_tile(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &placed_surfaces);
    const char *path = test_path("tiles.CSV"); /* letters of either case */
    size_t bytes = 0;
    assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path));
    char *text = load(context, path, &bytes);
    static const char header[] =
        "x,y,z_m,kind,building_id,normal_x,normal_y,normal_z,side_x,side_y,side_z,first_side_m,"
        "second_side_m,path_loss_db,received_power_dbm,mean_delay_ns,mechanism\n";
    assert_int_equal(strncmp(text, header, sizeof header - 1), 0);
    char *line = text + sizeof header - 1;
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces); i++) {
        rcity_surface_tile tile;
        char expected[400];
        assert_ok(context, rcity_surfaces_get_tile(surfaces, i, &tile));
        int used = snprintf(expected, sizeof expected, "%.3f,%.3f,%.3f,%s,%lld,", tile.centre.x_m, tile.centre.y_m,
                            tile.centre.z_m, rcity_surface_name(tile.kind), (long long)tile.building_id);
        assert_int_equal(strncmp(line, expected, (size_t)used), 0);
        char *end = strchr(line, '\n');
        assert_non_null(end);
        *end = '\0';
        snprintf(expected, sizeof expected, ",%g,%g,%.7g,%d", (double)stage_loss_db(i), (double)stage_power_dbm(i),
                 33.25 * (double)i, (int)(i % 3));
        assert_string_equal(line + strlen(line) - (i % 7 == 6 ? 4 : strlen(expected)), i % 7 == 6 ? ",,,," : expected);
        line = end + 1;
    }
    assert_int_equal(line - text, bytes);
    assert_non_null(strstr(text, ",0.000000,-1.000000,0.000000,1.000000,0.000000,0.000000,10.000,3.000,80,-50,0,0"));
    rcity_release(context, text);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* ---- PLY ---- */

/* A property of an element: its place in a row. */
typedef struct ply_property {
    char type[16], name[80];
    int offset;
} ply_property;

typedef struct ply_element {
    char name[16];
    long count;
    int property_count, row_bytes; /* lists have four items */
    ply_property properties[24];
} ply_element;

typedef struct ply_file {
    char *bytes;
    size_t size;
    int element_count;
    ply_element elements[2];
    const char *rows[2];
} ply_file;

static int size_of(const char *type)
{
    return strcmp(type, "uchar") == 0                               ? 1
           : strcmp(type, "float") == 0 || strcmp(type, "int") == 0 ? 4
           : strcmp(type, "double") == 0                            ? 8
                                                                    : 1000000;
}

static void read_property(ply_element *element, const char *line)
{
    ply_property *property = &element->properties[element->property_count++];
    char count_type[16];
    if (sscanf(line, "property list %15s %15s %79s", count_type, property->type, property->name) == 3) {
        property->offset = element->row_bytes + 1; /* past the number of items, a uchar */
        assert_string_equal(count_type, "uchar");
        element->row_bytes += 1 + 4 * size_of(property->type);
        return;
    }
    assert_int_equal(sscanf(line, "property %15s %79s", property->type, property->name), 2);
    property->offset = element->row_bytes;
    element->row_bytes += size_of(property->type);
}

static ply_file open_ply(rcity_context *context, const char *path)
{
    ply_file file = {.element_count = 0};
    file.bytes = load(context, path, &file.size);
    const char *line = file.bytes;
    assert_int_equal(strncmp(line, "ply\nformat binary_little_endian 1.0\n", 36), 0);
    for (; strncmp(line, "end_header\n", 11) != 0; line = strchr(line, '\n') + 1) {
        ply_element *element = &file.elements[file.element_count];
        if (sscanf(line, "element %15s %ld", element->name, &element->count) == 2) {
            file.element_count++;
        } else if (strncmp(line, "property ", 9) == 0) {
            read_property(element - 1, line);
        } else {
            assert_true(strncmp(line, "comment ", 8) == 0 || line < file.bytes + 36);
        }
    }
    file.rows[0] = line + 11;
    file.rows[1] = file.rows[0] + file.elements[0].count * file.elements[0].row_bytes;
    assert_int_equal(file.rows[1] + file.elements[1].count * file.elements[1].row_bytes - file.bytes, file.size);
    return file;
}

/* A number of a row, by its name; item 0 of a list. */
static double get_number(const ply_file *file, int element_index, long row, const char *name, int item)
{
    const ply_element *element = &file->elements[element_index];
    for (int i = 0; i < element->property_count; i++) {
        const ply_property *property = &element->properties[i];
        if (strcmp(property->name, name) == 0) {
            const char *at = file->rows[element_index] + row * element->row_bytes + property->offset;
            float single;
            int32_t whole;
            double number;
            at += item * size_of(property->type);
            memcpy(&single, at, sizeof single);
            memcpy(&whole, at, sizeof whole);
            memcpy(&number, at, size_of(property->type) == 8 ? sizeof number : 1);
            return strcmp(property->type, "uchar") == 0   ? (double)*(const unsigned char *)at
                   : strcmp(property->type, "int") == 0   ? (double)whole
                   : strcmp(property->type, "float") == 0 ? (double)single
                                                          : number;
        }
    }
    fail_msg("no property '%s'", name);
    return 0.0;
}

static void check_rectangle(const ply_file *file, long face, const rcity_surface_tile *tile)
{
    static const char *const axes[] = {"x", "y", "z"};
    const double centre_m[3] = {tile->centre.x_m, tile->centre.y_m, tile->centre.z_m};
    for (int i = 0; i < 3; i++) {
        double corner_m[4];
        double middle_m = 0.0;
        for (int k = 0; k < 4; k++) {
            long vertex = (long)get_number(file, 1, face, "vertex_indices", k);
            assert_true(vertex >= 0 && vertex < file->elements[0].count);
            corner_m[k] = get_number(file, 0, vertex, axes[i], 0);
            middle_m += 0.25 * corner_m[k];
        }
        assert_near(middle_m, centre_m[i], 1e-8);
        assert_near(corner_m[1] - corner_m[0], 2.0 * (double)tile->half_side_m[0] * (double)tile->side[i], 1e-8);
        assert_near(corner_m[2] - corner_m[3], corner_m[1] - corner_m[0], 1e-8);
    }
}

static bool is_same(double value, float expected)
{
    return isnan(expected) ? isnan(value) : value == (double)expected;
}

static void test_quads_with_values(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &placed_surfaces);
    rcity_surfaces_save_options options = rcity_surfaces_save_options_default();
    rcity_surface_paint paint;
    const char *path = test_path("tiles.ply");
    options.band = "mean_delay";
    assert_ok(context, rcity_surfaces_save(context, surfaces, &options, path));
    assert_ok(context, rcity_surface_paint_init(context, surfaces, &options, &paint));
    ply_file file = open_ply(context, path);
    assert_int_equal(file.element_count, 2);
    assert_int_equal(file.elements[0].count, 4 * rcity_surfaces_tile_count(surfaces));
    assert_int_equal(file.elements[1].count, rcity_surfaces_tile_count(surfaces));
    for (long i = 0; i < file.elements[1].count; i++) {
        rcity_surface_tile tile;
        assert_ok(context, rcity_surfaces_get_tile(surfaces, i, &tile));
        check_rectangle(&file, i, &tile);
        uint32_t rgb = rcity_colour_pack(rcity_surface_paint_colour(&paint, i));
        assert_true(get_number(&file, 1, i, "red", 0) == (double)(rgb >> 16));
        assert_true(get_number(&file, 0, 4 * i + 3, "blue", 0) == (double)(rgb & 0xff));
        assert_true(get_number(&file, 1, i, "kind", 0) == (double)tile.kind);
        assert_true(get_number(&file, 1, i, "building_id", 0) == (double)tile.building_id);
        assert_true(is_same(get_number(&file, 1, i, "path_loss", 0), stage_loss_db(i)));
        assert_true(is_same(get_number(&file, 1, i, "received_power", 0), stage_power_dbm(i)));
        assert_true(is_same(get_number(&file, 0, 4 * i + 1, "mean_delay", 0), paint.band.value[i]));
    }
    assert_non_null(strstr(file.bytes, "\ncomment tx_name Tower \"A\" second line\n"));
    assert_non_null(strstr(file.bytes, "\ncomment crs EPSG:32632\n"));
    assert_non_null(strstr(file.bytes, "\ncomment colours mean_delay\n"));
    rcity_release(context, file.bytes);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* ---- all formats ---- */

static void test_colours_are_those_of_pictures(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    rcity_surfaces_save_options options = rcity_surfaces_save_options_default();
    rcity_surface_paint paint;
    rcity_picture_values values;
    assert_ok(context, rcity_surface_paint_init(context, surfaces, &options, &paint));
    assert_string_equal(paint.band.name, "received_power");
    memset(&values, 0, sizeof values);
    assert_ok(context, rcity_picture_measure_band(context, &paint.band, rcity_surfaces_tile_count(surfaces),
                                                  (double)NAN, (double)NAN, &values));
    for (int64_t i = 0; i < rcity_surfaces_tile_count(surfaces); i++) {
        float value = paint.band.value[i];
        rcity_colour expected =
            isnan(value) ? rcity_surface_paint_missing() : rcity_picture_value_colour(&values, (double)value);
        assert_int_equal(rcity_colour_pack(rcity_surface_paint_colour(&paint, i)), rcity_colour_pack(expected));
    }
    options.value_min = -70.0;
    options.value_max = -60.0;
    assert_ok(context, rcity_surface_paint_init(context, surfaces, &options, &paint));
    assert_true(paint.values.low == -70.0 && paint.values.high == -60.0);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* A band of power without a value does not count. */
static void test_colours_come_from_a_band_with_values(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const rcity_surfaces_setup setup = {.tile_count = 2};
    rcity_surfaces_save_options options = rcity_surfaces_save_options_default();
    rcity_surfaces *surfaces = NULL;
    rcity_surface_paint paint;
    float *power_dbm = NULL;
    float *loss_db = NULL;
    assert_ok(context, rcity_surfaces_create(context, &setup, &surfaces));
    assert_ok(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_POWER, "received_power", "dBm", NULL, &power_dbm));
    assert_ok(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_LOSS, "path_loss", "dB", NULL, &loss_db));
    loss_db[1] = 90.0f;
    assert_ok(context, rcity_surface_paint_init(context, surfaces, &options, &paint));
    assert_string_equal(paint.band.name, "path_loss");
    power_dbm[0] = -60.0f;
    assert_ok(context, rcity_surface_paint_init(context, surfaces, &options, &paint));
    assert_string_equal(paint.band.name, "received_power");
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

static void test_requests_that_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    static const char *const bad[] = {"tiles.gltf", "tiles", ".glb", "tiles.glb.txt"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_status(context, rcity_surfaces_save(context, surfaces, NULL, bad[i]), RCITY_ERR_ARGUMENT);
        assert_message(context, "ends in none of .h5 (tables), .glb");
    }
    for (int i = 0; i < ending_count(); i++) {
        rcity_surfaces_save_options options = rcity_surfaces_save_options_default();
        char nowhere[40];
        const char *path = path_of("refused", i);
        snprintf(nowhere, sizeof nowhere, "/nowhere/tiles.%s", endings[i]);
        assert_status(context, rcity_surfaces_save(context, surfaces, NULL, nowhere), RCITY_ERR_FILE);
        options.band = "delay";
        assert_status(context, rcity_surfaces_save(context, surfaces, &options, path), RCITY_ERR_ARGUMENT);
        assert_message(context, "the surfaces have no band 'delay'; they have: path_loss, received_power, mean_delay, "
                                "mechanism");
        options.band = NULL;
        options.value_min = options.value_max = -60.0;
        assert_status(context, rcity_surfaces_save(context, surfaces, &options, path), RCITY_ERR_ARGUMENT);
        assert_message(context, "colours from -60 to -60 are no range");
        options.value_min = -HUGE_VAL;
        assert_status(context, rcity_surfaces_save(context, surfaces, &options, path), RCITY_ERR_ARGUMENT);
        options.struct_bytes = 3;
        assert_status(context, rcity_surfaces_save(context, surfaces, &options, path), RCITY_ERR_ARGUMENT);
        assert_message(context, "rcity_surfaces_save_options_default()");
        assert_int_equal(access(path, F_OK), -1);
    }
    if (ending_count() < 4) {
        assert_status(context, rcity_surfaces_save(context, surfaces, NULL, test_path("a.h5")), RCITY_ERR_UNSUPPORTED);
        assert_message(context, "HDF5");
    }
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* No tile, and no band either. */
static void test_nothing_at_all(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const rcity_surfaces_setup setup = {.frequency_hz = 1e9};
    rcity_surfaces *bare = NULL;
    rcity_surfaces *surfaces = stage_nothing(context);
    size_t bytes = 0;
    assert_ok(context, rcity_surfaces_create(context, &setup, &bare));
    for (int i = 0; i < ending_count(); i++) {
        assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path_of("nothing", i)));
        assert_ok(context, rcity_surfaces_save(context, bare, NULL, path_of("bare", i)));
    }
    ply_file file = open_ply(context, path_of("nothing", 1));
    assert_int_equal(file.elements[1].count, 0);
    rcity_release(context, file.bytes);
    char *text = load(context, path_of("bare", 0), &bytes);
    assert_int_equal(bytes, strchr(text, '\n') + 1 - text);
    rcity_release(context, text);
    rcity_surfaces_destroy(&bare);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* The bytes do not depend on threads, on the locale, on the run or on the second in which it happens. */
static void test_same_bytes(void **state)
{
    (void)state;
    rcity_context *contexts[2] = {test_context(1), test_context(3)};
    for (int i = 0; i < ending_count(); i++) {
        char *bytes[2];
        size_t count[2];
        for (int k = 0; k < 2; k++) {
            rcity_surfaces *surfaces = stage_surfaces(contexts[k], &placed_surfaces);
            const char *path = path_of(k == 0 ? "one" : "two", i);
            if (k == 1) {
                comma_locale_enter();
                sleep(i == 3 ? 1 : 0); /* HDF5 would write the time */
            }
            assert_ok(contexts[k], rcity_surfaces_save(contexts[k], surfaces, NULL, path));
            comma_locale_leave();
            bytes[k] = load(contexts[k], path, &count[k]);
            rcity_surfaces_destroy(&surfaces);
        }
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(bytes[0], bytes[1], count[0]);
        rcity_release(contexts[0], bytes[0]);
        rcity_release(contexts[1], bytes[1]);
    }
    rcity_context_destroy(&contexts[0]);
    rcity_context_destroy(&contexts[1]);
}

static bool stop(void *user, const char *task, double done, double total)
{
    assert_true(done <= total);
    return strcmp(task, "writing surfaces") != 0 || *(const bool *)user;
}

static void test_stopping_leaves_nothing(void **state)
{
    (void)state;
    bool goes_on = false;
    rcity_context_options options = rcity_context_options_default();
    options.progress = stop;
    options.progress_user = &goes_on;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    for (int i = 0; i < ending_count(); i++) {
        const char *path = path_of("stopped", i);
        goes_on = false;
        assert_status(context, rcity_surfaces_save(context, surfaces, NULL, path), RCITY_ERR_CANCELLED);
        assert_int_equal(access(path, F_OK), -1);
        goes_on = true;
        assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path));
    }
    rcity_surfaces_destroy(&surfaces);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    for (int i = 0; i < ending_count(); i++) {
        rcity_status status = RCITY_ERR_MEMORY;
        long n = 0;
        while (status != RCITY_OK) {
            failing_allocator failing = {.fail_at = ++n};
            rcity_context *context = test_context_failing(&failing, 1);
            rcity_surfaces *surfaces = NULL;
            const char *path = path_of("failing", i);
            unlink(path);
            status = stage_build(context, &plain_surfaces, &surfaces);
            status = status == RCITY_OK ? rcity_surfaces_save(context, surfaces, NULL, path) : status;
            assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
            assert_int_equal(access(path, F_OK), status == RCITY_OK ? 0 : -1);
            rcity_surfaces_destroy(&surfaces);
            assert_int_equal(rcity_context_memory_used(context), 0);
            failing.fail_at = 0;
            rcity_context_destroy(&context);
            assert_int_equal(failing.live_count, 0);
            assert_true(n < 500);
        }
        assert_true(n > 25);
    }
}

/* More tiles than a block of the writer and a report of progress take: all of them are there. */
static void test_many_tiles(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    rcity_context *context = test_context(1);
    const rcity_surfaces_setup setup = {.tile_count = COUNT};
    rcity_surfaces *surfaces = NULL;
    float *value = NULL;
    size_t bytes = 0;
    assert_ok(context, rcity_surfaces_create(context, &setup, &surfaces));
    assert_ok(context, rcity_surfaces_add_band(surfaces, RCITY_BAND_COUNT, "number", NULL, NULL, &value));
    rcity_surface_tile *tiles = rcity_surfaces_edit_tiles(surfaces);
    for (int i = 0; i < COUNT; i++) {
        tiles[i] = (rcity_surface_tile){.centre = {(double)i, 0.0, 0.0},
                                        .normal = {0.0f, 0.0f, 1.0f},
                                        .side = {1.0f, 0.0f, 0.0f},
                                        .half_side_m = {0.5f, 0.5f},
                                        .kind = RCITY_SURFACE_GROUND,
                                        .building_id = -1};
        value[i] = (float)i;
    }
    uint64_t before = rcity_context_memory_used(context);
    for (int i = 0; i < 3; i++) {
        assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path_of("many", i)));
    }
    assert_true(rcity_context_memory_peak(context) - before < 3000000); /* a file has more: it is never held whole */
    ply_file file = open_ply(context, path_of("many", 1));
    for (long i = 0; i < COUNT; i++) {
        assert_true(get_number(&file, 1, i, "number", 0) == (double)i);
        assert_true(get_number(&file, 0, 4 * i, "x", 0) == (double)i - 0.5);
    }
    rcity_release(context, file.bytes);
    char *text = load(context, path_of("many", 0), &bytes);
    assert_string_equal(text + bytes - 7, ",39999\n");
    rcity_release(context, text);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

TEST_SUITE(surfaces_files)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_line_a_tile),
        cmocka_unit_test(test_quads_with_values),
        cmocka_unit_test(test_colours_are_those_of_pictures),
        cmocka_unit_test(test_colours_come_from_a_band_with_values),
        cmocka_unit_test(test_requests_that_are_refused),
        cmocka_unit_test(test_nothing_at_all),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_stopping_leaves_nothing),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_many_tiles),
    };
    return cmocka_run_group_tests_name("surfaces_files", tests, NULL, NULL);
}
