/* Paths in HDF5, read back through HDF5 itself: the same numbers, the same bytes each time. */
#include "rays_stage.h"

#include <hdf5.h>
#include <unistd.h>

#include "base/file.h"
#include "io/hdf5/hdf5_file.h"

static hid_t open_file(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* A whole column of a number type, row by row; its size is checked. */
static void read_column(hid_t file, const char *name, hid_t type, hsize_t item_count, void *values)
{
    hid_t column = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(column >= 0);
    hid_t space = H5Dget_space(column);
    assert_int_equal(H5Sget_simple_extent_npoints(space), item_count);
    assert_true(H5Dread(column, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(column);
}

static void read_doubles(hid_t file, const char *name, hsize_t count, double *values)
{
    read_column(file, name, H5T_NATIVE_DOUBLE, count, values);
}

static void read_integers(hid_t file, const char *name, hsize_t count, int64_t *values)
{
    read_column(file, name, H5T_NATIVE_INT64, count, values);
}

static void read_phasors(hid_t file, const char *name, hsize_t count, rcity_phasor *values)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(rcity_phasor));
    H5Tinsert(type, "r", offsetof(rcity_phasor, re), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "i", offsetof(rcity_phasor, im), H5T_NATIVE_DOUBLE);
    read_column(file, name, type, count, values);
    H5Tclose(type);
}

/* The names of an enumeration's values, by number. */
static void read_words(hid_t file, const char *name, hsize_t count, char words[][40])
{
    hid_t column = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(column >= 0);
    hid_t type = H5Dget_type(column);
    assert_int_equal(H5Tget_class(type), H5T_ENUM);
    assert_int_equal(H5Tget_size(type), 1);
    int8_t values[64];
    assert_true(count <= 64);
    assert_true(H5Dread(column, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    for (hsize_t i = 0; i < count; i++) {
        assert_true(H5Tenum_nameof(type, &values[i], words[i], 40) >= 0);
    }
    H5Tclose(type);
    H5Dclose(column);
}

static void read_text(hid_t object, const char *key, char *text, size_t room)
{
    hid_t attribute = H5Aopen(object, key, H5P_DEFAULT);
    assert_true(attribute >= 0);
    hid_t type = H5Aget_type(attribute);
    size_t bytes = H5Tget_size(type);
    assert_true(bytes < room);
    memset(text, 0, room);
    assert_true(H5Aread(attribute, type, text) >= 0);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void test_receivers_are_saved_bit_by_bit(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = stage_rays(context, &placed_stage);
    const char *path = test_path("receivers.h5");
    assert_ok(context, rcity_rays_save(context, rays, path));
    hid_t file = open_file(path);
    static const struct {
        const char *name;
        size_t offset;
    } columns[] = {
        {"receivers/x_m", offsetof(rcity_receiver_summary, position.x_m)},
        {"receivers/y_m", offsetof(rcity_receiver_summary, position.y_m)},
        {"receivers/z_m", offsetof(rcity_receiver_summary, position.z_m)},
        {"receivers/gain_db", offsetof(rcity_receiver_summary, gain_db)},
        {"receivers/coherent_gain_db", offsetof(rcity_receiver_summary, coherent_gain_db)},
        {"receivers/path_loss_db", offsetof(rcity_receiver_summary, loss_db)},
        {"receivers/coherent_path_loss_db", offsetof(rcity_receiver_summary, coherent_loss_db)},
        {"receivers/received_power_dbm", offsetof(rcity_receiver_summary, received_dbm)},
        {"receivers/mean_delay_s", offsetof(rcity_receiver_summary, mean_delay_s)},
        {"receivers/delay_spread_s", offsetof(rcity_receiver_summary, delay_spread_s)},
        {"receivers/departure_azimuth_spread_deg", offsetof(rcity_receiver_summary, departure_azimuth_spread_deg)},
        {"receivers/departure_elevation_spread_deg", offsetof(rcity_receiver_summary, departure_elevation_spread_deg)},
        {"receivers/arrival_azimuth_spread_deg", offsetof(rcity_receiver_summary, arrival_azimuth_spread_deg)},
        {"receivers/arrival_elevation_spread_deg", offsetof(rcity_receiver_summary, arrival_elevation_spread_deg)},
        {"receivers/k_factor_db", offsetof(rcity_receiver_summary, k_factor_db)},
    };
    int64_t first[STAGE_RECEIVERS];
    int64_t count[STAGE_RECEIVERS];
    char words[STAGE_RECEIVERS][40];
    read_integers(file, "receivers/path_first", STAGE_RECEIVERS, first);
    read_integers(file, "receivers/path_count", STAGE_RECEIVERS, count);
    read_words(file, "receivers/state", STAGE_RECEIVERS, words);
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        double values[STAGE_RECEIVERS];
        read_doubles(file, columns[k].name, STAGE_RECEIVERS, values);
        for (int i = 0; i < STAGE_RECEIVERS; i++) {
            rcity_receiver_summary receiver;
            double expected;
            assert_ok(context, rcity_rays_get_receiver(rays, i, &receiver));
            memcpy(&expected, (const char *)&receiver + columns[k].offset, sizeof expected);
            assert_memory_equal(&values[i], &expected, sizeof expected); /* bit by bit, NaN too */
            assert_int_equal(first[i], receiver.path_first);
            assert_int_equal(count[i], receiver.path_count);
            assert_string_equal(words[i], rcity_receiver_state_name(receiver.state));
        }
    }
    char names[STAGE_RECEIVERS][sizeof stage_name - 1]; /* as long as the longest, filled up with zeros */
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, sizeof names[0]);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    read_column(file, "receivers/name", type, STAGE_RECEIVERS, names);
    assert_memory_equal(names[3], stage_name, sizeof names[0]);
    assert_memory_equal(names[1], "2\0\0\0", 4);
    H5Tclose(type);
    H5Fclose(file);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

static void check_path_numbers(hid_t file, const rcity_rays *rays, rcity_context *context)
{
    static const struct {
        const char *name;
        size_t offset;
    } columns[] = {
        {"paths/length_m", offsetof(rcity_path, length_m)},
        {"paths/delay_s", offsetof(rcity_path, delay_s)},
        {"paths/departure_azimuth_deg", offsetof(rcity_path, departure_azimuth_deg)},
        {"paths/departure_elevation_deg", offsetof(rcity_path, departure_elevation_deg)},
        {"paths/arrival_azimuth_deg", offsetof(rcity_path, arrival_azimuth_deg)},
        {"paths/arrival_elevation_deg", offsetof(rcity_path, arrival_elevation_deg)},
        {"paths/gain_db", offsetof(rcity_path, gain_db)},
        {"paths/path_loss_db", offsetof(rcity_path, loss_db)},
        {"paths/received_power_dbm", offsetof(rcity_path, received_dbm)},
    };
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        double values[STAGE_PATHS];
        read_doubles(file, columns[k].name, STAGE_PATHS, values);
        for (int i = 0; i < STAGE_PATHS; i++) {
            rcity_path path;
            double expected;
            assert_ok(context, rcity_rays_get_path(rays, i, &path));
            memcpy(&expected, (const char *)&path + columns[k].offset, sizeof expected);
            assert_memory_equal(&values[i], &expected, sizeof expected);
        }
    }
}

static void test_paths_and_events(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = stage_rays(context, &plain_stage);
    const char *path_name = test_path("paths.h5");
    assert_ok(context, rcity_rays_save(context, rays, path_name));
    hid_t file = open_file(path_name);
    check_path_numbers(file, rays, context);
    enum { EVENTS = 5 };
    rcity_phasor transfer[STAGE_PATHS][2][2];
    rcity_phasor amplitude[STAGE_PATHS];
    rcity_phasor cross[STAGE_PATHS];
    int64_t receiver[STAGE_PATHS];
    int64_t first[STAGE_PATHS];
    int64_t count[STAGE_PATHS];
    int64_t building[EVENTS];
    double position[EVENTS][3];
    char kinds[EVENTS][40];
    char places[EVENTS][40];
    read_phasors(file, "paths/transfer", 4 * STAGE_PATHS, &transfer[0][0][0]);
    read_phasors(file, "paths/amplitude", STAGE_PATHS, amplitude);
    read_phasors(file, "paths/cross_amplitude", STAGE_PATHS, cross);
    read_integers(file, "paths/receiver", STAGE_PATHS, receiver);
    read_integers(file, "paths/event_first", STAGE_PATHS, first);
    read_integers(file, "paths/event_count", STAGE_PATHS, count);
    read_integers(file, "events/building_id", EVENTS, building);
    read_doubles(file, "events/position_m", 3 * EVENTS, &position[0][0]);
    read_words(file, "events/kind", EVENTS, kinds);
    read_words(file, "events/place", EVENTS, places);
    for (int i = 0; i < STAGE_PATHS; i++) {
        rcity_path path;
        assert_ok(context, rcity_rays_get_path(rays, i, &path));
        assert_memory_equal(transfer[i], path.transfer, sizeof path.transfer);
        assert_memory_equal(&amplitude[i], &path.amplitude, sizeof path.amplitude);
        assert_memory_equal(&cross[i], &path.cross_amplitude, sizeof path.cross_amplitude);
        assert_int_equal(receiver[i], path.receiver_index);
        assert_int_equal(count[i], path.event_count);
        for (int k = 0; k < path.event_count; k++) {
            int64_t row = first[i] + k;
            assert_string_equal(kinds[row], rcity_event_kind_name(path.events[k].kind));
            assert_string_equal(places[row], rcity_event_place_name(path.events[k].place));
            assert_int_equal(building[row], path.events[k].building_id);
            assert_memory_equal(position[row], &path.events[k].position, sizeof position[row]);
        }
    }
    H5Fclose(file);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

static void test_how_it_was_made(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = stage_rays(context, &placed_stage);
    const char *path = test_path("notes.h5");
    assert_ok(context, rcity_rays_save(context, rays, path));
    hid_t file = open_file(path);
    char text[200];
    read_text(file, "format", text, sizeof text);
    assert_string_equal(text, "radiocity rays");
    read_text(file, "crs", text, sizeof text);
    assert_string_equal(text, "EPSG:32632");
    read_text(file, "method", text, sizeof text);
    assert_string_equal(text, "images");
    read_text(file, "tx_name", text, sizeof text);
    assert_string_equal(text, "Tower \"A\"");
    hid_t attribute = H5Aopen(file, "frequency_hz", H5P_DEFAULT);
    double frequency_hz = 0.0;
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, &frequency_hz) >= 0);
    assert_true(frequency_hz == 947e6);
    H5Aclose(attribute);
    static const char *const columns[][2] = {
        {"receivers/gain_db", "dB"}, {"paths/delay_s", "s"}, {"events/position_m", "m"}, {"paths/transfer", ""}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        hid_t column = H5Dopen2(file, columns[i][0], H5P_DEFAULT);
        read_text(column, "unit", text, sizeof text);
        assert_string_equal(text, columns[i][1]);
        read_text(column, "text", text, sizeof text);
        assert_true(strlen(text) > 10);
        H5Dclose(column);
    }
    H5Fclose(file);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

/* No paths at all: empty columns, not absent ones. */
static void test_nothing_found(void **state)
{
    (void)state;
    static const rcity_point position = {3.0, 4.0, 1.0};
    rcity_context *context = test_context(1);
    rcity_rays_setup setup = {
        .frequency_hz = 1e9, .input_dbm = (double)NAN, .receiver_count = 1, .positions = &position};
    rcity_rays *rays = NULL;
    assert_ok(context, rcity_rays_create(context, &setup, &rays));
    assert_ok(context, rcity_rays_finish(rays));
    const char *path = test_path("empty.h5");
    assert_ok(context, rcity_rays_save(context, rays, path));
    hid_t file = open_file(path);
    double none[1];
    read_doubles(file, "paths/length_m", 0, none);
    read_doubles(file, "events/position_m", 0, none);
    H5Fclose(file);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

/* A second later, by another context: HDF5 would put the time into every object. */
static void test_same_bytes(void **state)
{
    (void)state;
    char *bytes[2];
    size_t count[2];
    rcity_context *contexts[2];
    for (int i = 0; i < 2; i++) {
        contexts[i] = test_context(i + 1);
        rcity_rays *rays = stage_rays(contexts[i], &placed_stage);
        const char *path = test_path(i == 0 ? "one.h5" : "two.h5");
        assert_ok(contexts[i], rcity_rays_save(contexts[i], rays, path));
        assert_ok(contexts[i], rcity_file_load(contexts[i], path, &bytes[i], &count[i]));
        rcity_rays_destroy(&rays);
        if (i == 0) {
            sleep(1);
        }
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(bytes[0], bytes[1], count[0]);
    for (int i = 0; i < 2; i++) {
        rcity_release(contexts[i], bytes[i]);
        rcity_context_destroy(&contexts[i]);
    }
}

static herr_t hear(hid_t stack, void *user)
{
    (void)stack;
    (*(int *)user)++;
    return 0;
}

/* What the caller's program does with HDF5's complaints stays as it was. */
static void test_complaints_are_left_alone(void **state)
{
    (void)state;
    int heard = 0;
    H5E_auto2_t old_hear;
    void *old_user;
    H5Eget_auto2(H5E_DEFAULT, &old_hear, &old_user);
    H5Eset_auto2(H5E_DEFAULT, hear, &heard);
    rcity_context *context = test_context(1);
    rcity_rays *rays = stage_rays(context, &plain_stage);
    assert_ok(context, rcity_rays_save(context, rays, test_path("complaints.h5")));
    assert_status(context, rcity_rays_save(context, rays, "/nowhere/rays.h5"), RCITY_ERR_FILE);
    assert_int_equal(heard, 0);
    assert_true(H5Fopen("/nowhere/rays.h5", H5F_ACC_RDONLY, H5P_DEFAULT) < 0);
    assert_int_equal(heard, 1);
    H5Eset_auto2(H5E_DEFAULT, old_hear, old_user);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

/* HDF5 refuses two columns of one name: our words, not its own on stderr, and no file. */
static void test_failure_inside(void **state)
{
    (void)state;
    static const double values[2] = {1.0, 2.0};
    int heard = 0;
    H5E_auto2_t old_hear;
    void *old_user;
    H5Eget_auto2(H5E_DEFAULT, &old_hear, &old_user);
    H5Eset_auto2(H5E_DEFAULT, hear, &heard);
    rcity_context *context = test_context(1);
    rcity_hdf5 *file = NULL;
    const char *path = test_path("twice.h5");
    assert_ok(context, rcity_hdf5_create(context, path, 0.0, &file));
    rcity_hdf5_column column = {.name = "x", .unit = "m", .text = "twice", .count = 2, .data = values};
    rcity_hdf5_add_column(file, &column);
    rcity_hdf5_note_text(file, "word", "first");
    rcity_hdf5_note_text(file, "word", "second"); /* the first counts */
    rcity_hdf5_add_column(file, &column);
    rcity_hdf5_add_group(file, "late", "nothing happens any more");
    assert_status(context, rcity_hdf5_save(file), RCITY_ERR_FILE);
    assert_message(context, "HDF5 fails at x (");
    assert_int_equal(heard, 0);
    rcity_hdf5_destroy(&file);
    assert_int_equal(access(path, F_OK), -1);
    assert_true(rcity_context_memory_used(context) == 0);
    H5Eset_auto2(H5E_DEFAULT, old_hear, old_user);
    rcity_context_destroy(&context);
}

static void test_memory_limit(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.memory_bytes = 500000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_rays *rays = stage_rays(context, &plain_stage);
    const char *path = test_path("limited.h5");
    assert_status(context, rcity_rays_save(context, rays, path), RCITY_ERR_MEMORY);
    assert_message(context, "the limit is 500.0 kB");
    assert_int_equal(access(path, F_OK), -1);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

TEST_SUITE(rays_hdf5)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_receivers_are_saved_bit_by_bit),
        cmocka_unit_test(test_paths_and_events),
        cmocka_unit_test(test_how_it_was_made),
        cmocka_unit_test(test_nothing_found),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_complaints_are_left_alone),
        cmocka_unit_test(test_failure_inside),
        cmocka_unit_test(test_memory_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
