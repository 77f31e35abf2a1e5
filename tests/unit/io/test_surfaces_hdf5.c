/* Surfaces in HDF5, read back through HDF5 itself. */
#include "surfaces_stage.h"

#include <hdf5.h>

static hid_t open_file(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* A whole column in the type it is stored in, which is checked. */
static void read_column(hid_t file, const char *name, hid_t file_type, hid_t type, hsize_t item_count, void *values)
{
    hid_t column = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(column >= 0);
    hid_t space = H5Dget_space(column);
    hid_t stored = H5Dget_type(column);
    assert_true(H5Tequal(stored, file_type) > 0);
    assert_int_equal(H5Sget_simple_extent_npoints(space), item_count);
    assert_true(H5Dread(column, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Tclose(stored);
    H5Sclose(space);
    H5Dclose(column);
}

static void read_floats(hid_t file, const char *name, hsize_t count, float *values)
{
    read_column(file, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, count, values);
}

static void read_text(hid_t object, const char *key, char *text, size_t room)
{
    hid_t attribute = H5Aopen(object, key, H5P_DEFAULT);
    assert_true(attribute >= 0);
    hid_t type = H5Aget_type(attribute);
    memset(text, 0, room);
    assert_true(H5Aget_storage_size(attribute) < room);
    assert_true(H5Aread(attribute, type, text) >= 0);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void test_tiles_are_saved_bit_by_bit(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &placed_surfaces);
    const char *path = test_path("tiles.h5");
    assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path));
    hid_t file = open_file(path);
    hsize_t count = (hsize_t)rcity_surfaces_tile_count(surfaces);
    static double places_m[3][STAGE_TILES];
    static float normals[STAGE_TILES][3], sides[STAGE_TILES][3], halves_m[STAGE_TILES][2];
    static int64_t buildings[STAGE_TILES];
    static int8_t kinds[STAGE_TILES];
    static const char *const names[3] = {"tiles/x_m", "tiles/y_m", "tiles/z_m"};
    for (int i = 0; i < 3; i++) {
        read_column(file, names[i], H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, places_m[i]);
    }
    read_floats(file, "tiles/normal", 3 * count, normals[0]);
    read_floats(file, "tiles/side", 3 * count, sides[0]);
    read_floats(file, "tiles/half_side_m", 2 * count, halves_m[0]);
    read_column(file, "tiles/building_id", H5T_STD_I64LE, H5T_NATIVE_INT64, count, buildings);
    hid_t column = H5Dopen2(file, "tiles/kind", H5P_DEFAULT);
    hid_t type = H5Dget_type(column);
    assert_true(H5Dread(column, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, kinds) >= 0);
    for (hsize_t i = 0; i < count; i++) {
        rcity_surface_tile tile;
        char word[20];
        assert_ok(context, rcity_surfaces_get_tile(surfaces, (int64_t)i, &tile));
        assert_true(places_m[0][i] == tile.centre.x_m && places_m[1][i] == tile.centre.y_m &&
                    places_m[2][i] == tile.centre.z_m);
        assert_memory_equal(normals[i], tile.normal, sizeof tile.normal);
        assert_memory_equal(sides[i], tile.side, sizeof tile.side);
        assert_memory_equal(halves_m[i], tile.half_side_m, sizeof tile.half_side_m);
        assert_int_equal(buildings[i], tile.building_id);
        assert_true(H5Tenum_nameof(type, &kinds[i], word, sizeof word) >= 0);
        assert_string_equal(word, rcity_surface_name(tile.kind));
    }
    H5Tclose(type);
    H5Dclose(column);
    H5Fclose(file);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

static void test_bands_have_kinds_and_classes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &placed_surfaces);
    const char *path = test_path("bands.h5");
    assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path));
    hid_t file = open_file(path);
    rcity_band band;
    for (int k = 0; rcity_surfaces_get_band(surfaces, k, &band) == RCITY_OK; k++) {
        static float values[STAGE_TILES];
        char name[80];
        char text[200];
        hsize_t count = (hsize_t)rcity_surfaces_tile_count(surfaces);
        snprintf(name, sizeof name, "bands/%s", band.name);
        read_floats(file, name, count, values);
        assert_memory_equal(values, band.value, count * sizeof values[0]); /* NaN too */
        hid_t column = H5Dopen2(file, name, H5P_DEFAULT);
        read_text(column, "unit", text, sizeof text);
        assert_string_equal(text, band.unit);
        read_text(column, "text", text, sizeof text);
        assert_string_equal(text, band.text);
        read_text(column, "kind", text, sizeof text);
        assert_string_equal(text, rcity_band_kind_word(band.kind));
        assert_int_equal(H5Aexists(column, "classes") > 0, band.class_count > 0);
        if (band.class_count > 0) { /* three texts, as long as the longest */
            read_text(column, "classes", text, sizeof text);
            assert_string_equal(text, "direct");
            assert_string_equal(text + 14, "");
            assert_string_equal(text + 28, "around corners");
        }
        H5Dclose(column);
    }
    H5Fclose(file);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

static void test_how_it_was_made(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_surfaces *surfaces = stage_surfaces(context, &placed_surfaces);
    const char *path = test_path("notes.h5");
    char text[200];
    double transmitter_m[3];
    assert_ok(context, rcity_surfaces_save(context, surfaces, NULL, path));
    hid_t file = open_file(path);
    read_text(file, "format", text, sizeof text);
    assert_string_equal(text, "radiocity surfaces");
    read_text(file, "crs", text, sizeof text);
    assert_string_equal(text, "EPSG:32632");
    read_text(file, "tx_name", text, sizeof text);
    assert_string_equal(text, "Tower \"A\"\nsecond line");
    hid_t attribute = H5Aopen(file, "transmitter_m", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, transmitter_m) >= 0);
    assert_true(transmitter_m[2] == placed_surfaces.ground_m + 25.0);
    H5Aclose(attribute);
    H5Fclose(file);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

/* What HDF5 takes besides the surfaces is counted before it starts. */
static void test_memory_is_counted(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.memory_bytes = 3000000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_surfaces *surfaces = stage_surfaces(context, &plain_surfaces);
    assert_status(context, rcity_surfaces_save(context, surfaces, NULL, test_path("large.h5")), RCITY_ERR_MEMORY);
    assert_message(context, "raise `memory`");
    assert_true(rcity_surfaces_hdf5_bytes(1000000, 4) > 97e6);
    rcity_surfaces_destroy(&surfaces);
    rcity_context_destroy(&context);
}

TEST_SUITE(surfaces_hdf5)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_are_saved_bit_by_bit),
        cmocka_unit_test(test_bands_have_kinds_and_classes),
        cmocka_unit_test(test_how_it_was_made),
        cmocka_unit_test(test_memory_is_counted),
    };
    return cmocka_run_group_tests_name("surfaces_hdf5", tests, NULL, NULL);
}
