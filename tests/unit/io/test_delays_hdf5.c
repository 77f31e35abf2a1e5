/* Histograms of delays in HDF5: what is saved comes back bit by bit, everything else is refused with a sentence. */
#include "delays_stage.h"
#include "output_folder.h"

#include <hdf5.h>

#include "io/hdf5/hdf5_file.h"
#include "io/hdf5/hdf5_seal.h"

static void write_bytes(const char *path, const unsigned char *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void refuse(rcity_context *context, const char *path, rcity_status expected, const char *words)
{
    rcity_delays *delays = NULL;
    uint64_t used = rcity_context_memory_used(context);
    assert_status(context, rcity_delays_load_hdf5(context, path, &delays), expected);
    assert_message(context, path);
    assert_message(context, words);
    assert_null(delays);
    assert_int_equal(rcity_context_memory_used(context), used);
}

static void test_round_trips(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = output_path("round.h5");
    for (uint64_t seed = 1; seed <= 30; seed++) {
        rcity_delays *delays = stage_delays(context, seed);
        rcity_delays *loaded = NULL;
        assert_ok(context, rcity_delays_save_hdf5(context, delays, path));
        assert_ok(context, rcity_delays_load_hdf5(context, path, &loaded));
        stage_compare(context, delays, loaded);
        const char *again = output_path("again.h5"); /* the same bytes from what was loaded */
        assert_ok(context, rcity_delays_save_hdf5(context, loaded, again));
        assert_true(same_outputs(path, again));
        rcity_delays_destroy(&loaded);
        rcity_delays_destroy(&delays);
    }
    assert_int_equal(count_outputs(true), 2);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_nothing_arrives_anywhere(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = output_path("nothing.h5");
    rcity_delays *delays = NULL;
    rcity_delays *loaded = NULL;
    assert_ok(context, rcity_delays_create(context, &stage_raster, NULL, 1.5, -1e-9, 1e-12, &delays));
    assert_ok(context, rcity_delays_finish(delays));
    assert_ok(context, rcity_delays_save_hdf5(context, delays, path));
    assert_ok(context, rcity_delays_load_hdf5(context, path, &loaded));
    stage_compare(context, delays, loaded);
    rcity_delays_destroy(&loaded);
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

/* A street of 300 x 300 cells with 20 bins each: chunks, and far fewer bytes than numbers. */
static void test_large_one_is_compressed(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = output_path("large.h5");
    const rcity_raster raster = {300, 300, 0.0, 1500.0, 5.0};
    rcity_delays *delays = NULL;
    rcity_delays *loaded = NULL;
    assert_ok(context, rcity_delays_create(context, &raster, NULL, 1.5, 0.0, 2e-8, &delays));
    for (int64_t cell = 0; cell < 90000; cell++) {
        int32_t bins[20];
        float gains[20];
        for (int k = 0; k < 20; k++) {
            bins[k] = (int32_t)(cell / 300) + 2 * k;
            gains[k] = 1e-9f / (float)(1 << k);
        }
        assert_ok(context, rcity_delays_add_cell(delays, cell, 20, bins, gains));
    }
    assert_ok(context, rcity_delays_finish(delays));
    assert_ok(context, rcity_delays_save_hdf5(context, delays, path));
    assert_ok(context, rcity_delays_load_hdf5(context, path, &loaded));
    stage_compare(context, delays, loaded);
    size_t bytes = 0;
    free(read_output(path, &bytes));
    assert_true(bytes < 1000000); /* of 15 MB */
    assert_true((double)bytes < rcity_delays_hdf5_bytes(90000, 1800000));
    rcity_delays_destroy(&loaded);
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

static hid_t open_object(hid_t file, const char *name, const char *unit)
{
    char text[200] = "";
    hid_t column = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(column >= 0);
    hid_t attribute = H5Aopen(column, "unit", H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute);
    assert_true(H5Aread(attribute, type, text) >= 0);
    assert_string_equal(text, unit);
    H5Tclose(type);
    H5Aclose(attribute);
    return column;
}

/* HDF5 itself reads the file as any other, whatever stands behind its end. */
static void test_other_programs_can_read_it(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = output_path("others.h5");
    rcity_delays *delays = stage_delays(context, 3);
    rcity_delays_info info;
    double bin_s = 0.0;
    int64_t first[21];
    assert_ok(context, rcity_delays_save_hdf5(context, delays, path));
    assert_ok(context, rcity_delays_describe(delays, &info));
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t attribute = H5Aopen(file, "bin_s", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, &bin_s) >= 0);
    H5Aclose(attribute);
    assert_true(bin_s == 2e-8);
    hid_t column = open_object(file, "cells/first", "");
    assert_true(H5Dread(column, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, first) >= 0);
    assert_int_equal(first[20], info.entry_count);
    H5Dclose(column);
    column = open_object(file, "entries/gain", "");
    hid_t plan = H5Dget_create_plist(column);
    assert_int_equal(H5Pget_layout(plan), H5D_CHUNKED);
    H5Pclose(plan);
    H5Dclose(column);
    H5Dclose(open_object(file, "entries/bin", "bin_s"));
    H5Fclose(file);
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

/* Any byte that has changed and any cut is found before HDF5 sees the file. */
static void test_damaged_files_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = output_path("whole.h5");
    const char *broken = output_path("broken.h5");
    rcity_delays *delays = stage_delays(context, 5);
    size_t bytes = 0;
    assert_ok(context, rcity_delays_save_hdf5(context, delays, path));
    rcity_delays_destroy(&delays);
    unsigned char *data = read_output(path, &bytes);
    for (uint64_t i = 0; i < 300; i++) {
        size_t at = i < 40 ? bytes - 1 - i : (size_t)(test_random(11, 2 * i) % bytes);
        unsigned char flipped = (unsigned char)(1u << test_random(11, 2 * i + 1) % 8);
        data[at] ^= flipped;
        write_bytes(broken, data, bytes);
        refuse(context, broken, RCITY_ERR_FORMAT,
               at < 8                                ? "is not an HDF5 file"
               : at >= bytes - 20 && at < bytes - 12 ? "has no checksum at its end"
                                                     : "is damaged");
        data[at] ^= flipped;
    }
    for (uint64_t i = 0; i < 100; i++) {
        size_t left = i < 30 ? bytes - 1 - i : (size_t)(test_random(12, i) % bytes);
        write_bytes(broken, data, left);
        refuse(context, broken, RCITY_ERR_FORMAT, left < 8 ? "is not an HDF5 file" : "has no checksum at its end");
    }
    unsigned char *longer = malloc(2 * bytes);
    assert_non_null(longer);
    memcpy(longer, data, bytes);
    memcpy(longer + bytes, data, bytes);
    write_bytes(broken, longer, 2 * bytes); /* twice: the last seal is of half of it */
    refuse(context, broken, RCITY_ERR_FORMAT, "bytes before its checksum, which is of");
    free(longer);
    free(data);
    rcity_context_destroy(&context);
}

static void test_foreign_files_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    refuse(context, output_path("missing.h5"), RCITY_ERR_FILE, "No such file");
    refuse(context, output_folder, RCITY_ERR_FILE, "is not a plain file");
    const char *path = output_path("foreign.h5");
    write_bytes(path, (const unsigned char *)"x,y\n1,2\n", 8);
    refuse(context, path, RCITY_ERR_FORMAT, "is not an HDF5 file");
    write_bytes(path, (const unsigned char *)"", 0);
    refuse(context, path, RCITY_ERR_FORMAT, "is not an HDF5 file");
    rcity_hdf5 *file = NULL; /* HDF5, but not read again by us */
    assert_ok(context, rcity_hdf5_create(context, path, 1e6, &file));
    rcity_hdf5_note_text(file, "format", "radiocity delays");
    assert_ok(context, rcity_hdf5_save(file));
    rcity_hdf5_destroy(&file);
    refuse(context, path, RCITY_ERR_FORMAT, "has no checksum at its end: it is cut short, or another program wrote it");
    rcity_context_destroy(&context);
}

/* ---- whole files whose contents are wrong ---- */

typedef enum fault {
    FINE,
    NO_FORMAT,
    OTHER_FORMAT,
    OTHER_VERSION,
    NUMBER_IS_TEXT,
    TEXT_IS_NUMBER,
    HALF_A_COLUMN,
    NO_COLUMNS,
    HUGE_RASTER,
    NO_BIN,
    NO_FIRST,
    FIRST_IS_SHORT,
    FIRST_IS_FLOAT,
    FIRST_ENDS_EARLY,
    BINS_DESCEND,
    BINS_ARE_SHORT,
    GAIN_IS_NAN,
    NO_NOTES,
    MORE_KEYS,
    ENDLESS,
    FAULT_COUNT
} fault;

static void note(rcity_hdf5 *file, const char *key, double value)
{
    rcity_hdf5_note_numbers(file, key, 1, &value);
}

static void add(rcity_hdf5 *file, const char *name, rcity_hdf5_type type, int64_t count, const void *data)
{
    const rcity_hdf5_column column = {
        .name = name, .unit = "", .text = "", .type = type, .text_bytes = 4, .count = count, .data = data};
    rcity_hdf5_add_column(file, &column);
}

static void write_faulty(rcity_context *context, const char *path, fault what)
{
    int64_t first[] = {0, 1, what == FIRST_ENDS_EARLY ? 2 : 3};
    const double first_numbers[] = {0.0, 1.0, 3.0};
    const int32_t bins[] = {4, 7, what == BINS_DESCEND ? 6 : 9};
    const float gains[] = {1e-9f, 1e-9f, what == GAIN_IS_NAN ? NAN : 1e-10f};
    rcity_hdf5 *file = NULL;
    assert_ok(context, rcity_hdf5_create(context, path, 1e6, &file));
    if (what != NO_FORMAT) {
        rcity_hdf5_note_text(file, "format", what == OTHER_FORMAT ? "radiocity rays" : "radiocity delays");
    }
    note(file, "format_version", what == OTHER_VERSION ? 2.0 : 1.0);
    if (what == TEXT_IS_NUMBER) {
        note(file, "crs", 32632.0);
    }
    rcity_hdf5_note_text(file, "crs", "none");
    note(file, "column_count",
         what == HALF_A_COLUMN ? 2.5
         : what == NO_COLUMNS  ? 0.0
         : what == HUGE_RASTER ? 9e15
                               : 2.0);
    note(file, "row_count", what == HUGE_RASTER ? 9e15 : 1.0);
    if (what == NUMBER_IS_TEXT) {
        rcity_hdf5_note_text(file, "west_m", "0");
    }
    note(file, "west_m", 0.0);
    note(file, "north_m", 5.0);
    note(file, "cell_m", what == ENDLESS ? 1.7e308 : 5.0);
    note(file, "rx_height_m", 1.5);
    note(file, "first_s", 0.0);
    note(file, "bin_s", what == NO_BIN ? 0.0 : 2e-8);
    rcity_hdf5_add_group(file, "cells", "");
    if (what == FIRST_IS_FLOAT) {
        add(file, "cells/first", RCITY_HDF5_DOUBLE, 3, first_numbers);
    } else if (what != NO_FIRST) {
        add(file, "cells/first", RCITY_HDF5_INT64, what == FIRST_IS_SHORT ? 2 : 3, first);
    }
    rcity_hdf5_add_group(file, "entries", "");
    add(file, "entries/bin", RCITY_HDF5_INT32, what == BINS_ARE_SHORT ? 2 : 3, bins);
    add(file, "entries/gain", RCITY_HDF5_FLOAT, 3, gains);
    rcity_hdf5_add_group(file, "notes", "");
    if (what != NO_NOTES) {
        add(file, "notes/key", RCITY_HDF5_TEXT, what == MORE_KEYS ? 2 : 1, "key1key2");
        add(file, "notes/value", RCITY_HDF5_TEXT, 1, "text");
    }
    assert_ok(context, rcity_hdf5_save_sealed(file));
    rcity_hdf5_destroy(&file);
}

static void test_contents_that_cannot_be(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = output_path("faulty.h5");
    static const char *const words[FAULT_COUNT] = {
        [NO_FORMAT] = "format is missing",
        [OTHER_FORMAT] = "is 'radiocity rays', not 'radiocity delays'",
        [OTHER_VERSION] = "has version 2 of its format, this program reads version 1",
        [NUMBER_IS_TEXT] = "west_m is not a number",
        [TEXT_IS_NUMBER] = "crs is not a text",
        [HALF_A_COLUMN] = "column_count is not a count",
        [NO_COLUMNS] = "column_count is not a count",
        [HUGE_RASTER] = "are larger than any machine",
        [NO_BIN] = "bins of delays from 0 s on are 0 s wide",
        [NO_FIRST] = "cells/first is missing",
        [FIRST_IS_SHORT] = "cells/first has another number of rows",
        [FIRST_IS_FLOAT] = "cells/first has another type",
        [FIRST_ENDS_EARLY] = "cells/first ends at 2, but there are 3 entries",
        [BINS_DESCEND] = "cell 1 of 2: its bins do not ascend",
        [BINS_ARE_SHORT] = "entries/gain has another number of rows",
        [GAIN_IS_NAN] = "cell 1 of 2: a gain is below 0 or no number",
        [NO_NOTES] = "notes/key is missing",
        [MORE_KEYS] = "notes/key has 2 rows, but notes/value has 1",
        [ENDLESS] = "end beyond all numbers",
    };
    rcity_delays *delays = NULL;
    write_faulty(context, path, FINE);
    assert_ok(context, rcity_delays_load_hdf5(context, path, &delays));
    assert_string_equal(rcity_delays_find_note(delays, "key1"), "text");
    rcity_delays_destroy(&delays);
    for (int what = FINE + 1; what < FAULT_COUNT; what++) {
        write_faulty(context, path, (fault)what);
        refuse(context, path, RCITY_ERR_FORMAT, words[what]);
    }
    rcity_context_destroy(&context);
}

/* Give a file that HDF5 has changed a new seal. */
static void seal_again(const char *path)
{
    size_t bytes = 0;
    unsigned char *data = read_output(path, &bytes);
    unsigned char *sealed = malloc(bytes + RCITY_HDF5_SEAL_BYTES);
    assert_non_null(sealed);
    memcpy(sealed, data, bytes);
    rcity_hdf5_seal_make(sealed, bytes, sealed + bytes);
    write_bytes(path, sealed, bytes + RCITY_HDF5_SEAL_BYTES);
    free(sealed);
    free(data);
}

/* HDF5 may be told to look into another file, which the checksum is not of: by a link, or for the values alone. */
static void test_columns_of_other_files(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    const char *path = output_path("inside.h5");
    const char *other = output_path("other.h5");
    const hsize_t room = 3;
    write_faulty(context, other, FINE);
    for (int i = 0; i < 2; i++) {
        write_faulty(context, path, FINE);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0 && H5Ldelete(file, "entries/bin", H5P_DEFAULT) >= 0);
        if (i == 0) {
            assert_true(H5Lcreate_external(other, "/entries/bin", file, "entries/bin", H5P_DEFAULT, H5P_DEFAULT) >= 0);
        } else {
            hid_t space = H5Screate_simple(1, &room, NULL);
            hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
            assert_true(H5Pset_external(plan, other, 0, 12) >= 0);
            hid_t column = H5Dcreate2(file, "entries/bin", H5T_STD_I32LE, space, H5P_DEFAULT, plan, H5P_DEFAULT);
            assert_true(column >= 0);
            H5Dclose(column);
            H5Pclose(plan);
            H5Sclose(space);
        }
        H5Fclose(file);
        seal_again(path);
        refuse(context, path, RCITY_ERR_FORMAT, "entries/bin lies in another file");
    }
    rcity_context_destroy(&context);
}

/* Whole or not at all: no memory, no file. */
static void test_memory_gives_out(void **state)
{
    (void)state;
    const char *path = output_path("memory.h5");
    rcity_status status = RCITY_ERR_MEMORY;
    long n = 0;
    count_outputs(true);
    while (status != RCITY_OK) {
        failing_allocator failing = {.fail_at = 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_delays *delays = stage_delays(context, 7);
        rcity_delays *loaded = NULL;
        failing.fail_at = failing.call_count + ++n;
        status = rcity_delays_save_hdf5(context, delays, path);
        assert_int_equal(count_outputs(false), status == RCITY_OK ? 1 : 0);
        if (status == RCITY_OK) {
            status = rcity_delays_load_hdf5(context, path, &loaded);
            count_outputs(true);
        }
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        assert_int_equal(status == RCITY_OK, loaded != NULL);
        failing.fail_at = 0;
        rcity_delays_destroy(&loaded);
        rcity_delays_destroy(&delays);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
        assert_true(n < 500);
    }
    assert_true(n > 15);
}

static void test_memory_is_counted(void **state)
{
    (void)state;
    rcity_context *context = make_context(NULL, 1, 3000000);
    rcity_delays *delays = stage_delays(context, 7);
    assert_status(context, rcity_delays_save_hdf5(context, delays, output_path("large.h5")), RCITY_ERR_MEMORY);
    assert_message(context, "raise `memory`");
    assert_status(context, rcity_delays_save_hdf5(context, delays, NULL), RCITY_ERR_ARGUMENT);
    rcity_delays_destroy(&delays);
    rcity_context_destroy(&context);
}

TEST_SUITE(delays_hdf5)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_nothing_arrives_anywhere),
        cmocka_unit_test(test_large_one_is_compressed),
        cmocka_unit_test(test_other_programs_can_read_it),
        cmocka_unit_test(test_damaged_files_are_refused),
        cmocka_unit_test(test_foreign_files_are_refused),
        cmocka_unit_test(test_contents_that_cannot_be),
        cmocka_unit_test(test_columns_of_other_files),
        cmocka_unit_test(test_memory_gives_out),
        cmocka_unit_test(test_memory_is_counted),
    };
    return cmocka_run_group_tests_name("delays_hdf5", tests, open_output_folder, close_output_folder);
}
