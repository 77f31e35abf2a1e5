/* Files of delays from anywhere. Raw bytes end at the checksum; behind it HDF5 trusts what it reads. So the input is taken as
   a plan of a whole HDF5 file with its checksum, in which each attribute and each column is as it should be, missing, of
   another type or shape, or filled from the input: what a program that writes such files could write. */
#include <hdf5.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_scene.h"
#include "io/hdf5/hdf5_seal.h"

#define NUMBER_COUNT 9
#define COLUMN_COUNT 5
#define ROWS_MAX     64
#define TEXT_BYTES   12
#define CELLS_MAX    4096 /* that are looked at */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input, read from its start; behind its end there are zeros. */
typedef struct plan {
    const uint8_t *data;
    size_t left;
} plan;

static void take(plan *from, size_t bytes, void *to)
{
    size_t got = bytes < from->left ? bytes : from->left;
    memset(to, 0, bytes);
    if (got > 0) {
        memcpy(to, from->data, got);
    }
    from->data += got;
    from->left -= got;
}

static unsigned take_byte(plan *from)
{
    uint8_t byte;
    take(from, 1, &byte);
    return byte;
}

/* What becomes of an attribute. */
typedef enum attribute_choice {
    AS_IT_IS,
    MISSING,
    AS_NUMBER,
    AS_SMALL_COUNT,
    AS_TEXT,
    AS_LONG_TEXT, /* of variable length, as other programs write it */
    AS_LIST,
    AS_WHOLE_NUMBER,
    ATTRIBUTE_CHOICES
} attribute_choice;

static hid_t text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    return type;
}

static void write_attribute(hid_t file, const char *key, hid_t type, hsize_t count, const void *value)
{
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    hid_t attribute = H5Acreate2(file, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    H5Sclose(space);
}

static void add_texts(hid_t file, const char *key, bool is_long, const char *text)
{
    hid_t type = text_type(is_long ? H5T_VARIABLE : strlen(text) + 1);
    write_attribute(file, key, type, 1, is_long ? (const void *)&text : (const void *)text);
    H5Tclose(type);
}

/* A text or a number as it should be, or what the input says instead. */
static void add_attribute(hid_t file, plan *from, const char *key, const char *text, double number)
{
    double numbers[2] = {number, number};
    int64_t whole = 0;
    char own[TEXT_BYTES + 1] = "";
    attribute_choice choice = (attribute_choice)(take_byte(from) % ATTRIBUTE_CHOICES);
    switch (choice) {
    case AS_IT_IS:
    case AS_LIST:
        if (text != NULL) {
            add_texts(file, key, choice == AS_LIST, text);
        } else {
            write_attribute(file, key, H5T_NATIVE_DOUBLE, choice == AS_LIST ? 2 : 1, numbers);
        }
        break;
    case AS_NUMBER:
        take(from, sizeof numbers[0], &numbers[0]);
        write_attribute(file, key, H5T_NATIVE_DOUBLE, 1, numbers);
        break;
    case AS_SMALL_COUNT:
        numbers[0] = take_byte(from);
        write_attribute(file, key, H5T_NATIVE_DOUBLE, 1, numbers);
        break;
    case AS_TEXT:
    case AS_LONG_TEXT:
        take(from, TEXT_BYTES, own);
        add_texts(file, key, choice == AS_LONG_TEXT, own);
        break;
    case AS_WHOLE_NUMBER:
        take(from, sizeof whole, &whole);
        write_attribute(file, key, H5T_NATIVE_INT64, 1, &whole);
        break;
    case MISSING:
    case ATTRIBUTE_CHOICES:
        break;
    }
}

/* A column as it should be. */
typedef struct column_row {
    const char *name;
    int type; /* of those below */
    hsize_t count;
    const void *data;
} column_row;

enum { INT32, INT64, FLOAT, DOUBLE, TEXT, LONG_TEXT, UNSIGNED, TYPE_COUNT };

/* What becomes of a column. */
typedef enum column_choice {
    WHOLE,
    ABSENT,
    FILLED,     /* with so many rows, from the input */
    OF_TYPE,    /* the same with another type */
    COMPRESSED, /* as filled, in chunks */
    HUGE,       /* with rows that nobody wrote */
    ONE_VALUE,  /* without rows */
    TABLE,      /* with two dimensions */
    GROUP,      /* in place of the column */
    IN_ANOTHER, /* its values in another file */
    LINKED,     /* in another file as a whole */
    COLUMN_CHOICES
} column_choice;

static hid_t make_type(int type)
{
    switch (type) {
    case INT32:
        return H5Tcopy(H5T_STD_I32LE);
    case INT64:
        return H5Tcopy(H5T_STD_I64LE);
    case FLOAT:
        return H5Tcopy(H5T_IEEE_F32LE);
    case DOUBLE:
        return H5Tcopy(H5T_IEEE_F64LE);
    case UNSIGNED:
        return H5Tcopy(H5T_STD_U64LE);
    case LONG_TEXT:
        return text_type(H5T_VARIABLE);
    default:
        return text_type(4);
    }
}

static void write_column(hid_t file, const char *name, int type, int rank, const hsize_t room[2], hid_t layout,
                         const void *data)
{
    hid_t stored = make_type(type);
    hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, room, NULL);
    hid_t column = H5Dcreate2(file, name, stored, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    if (column >= 0) {
        if (data != NULL) {
            H5Dwrite(column, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
        }
        H5Dclose(column);
    }
    H5Sclose(space);
    H5Tclose(stored);
}

static void add_column(hid_t file, plan *from, const column_row *row)
{
    uint64_t values[2 * ROWS_MAX];
    const hsize_t far = (hsize_t)1 << 40;
    column_choice choice = (column_choice)(take_byte(from) % COLUMN_CHOICES);
    hsize_t room[2] = {choice == WHOLE ? row->count : take_byte(from) % ROWS_MAX, 2};
    int type = choice == OF_TYPE ? (int)take_byte(from) % TYPE_COUNT : row->type;
    int rank = choice == ONE_VALUE ? 0 : choice == TABLE ? 2 : 1;
    bool is_filled = type != LONG_TEXT && (choice == FILLED || choice == OF_TYPE || choice == COMPRESSED ||
                                           choice == ONE_VALUE || choice == TABLE);
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    memset(values, 0, sizeof values);
    if (is_filled) {
        size_t width = type == INT64 || type == DOUBLE || type == UNSIGNED ? 8 : 4;
        take(from, (rank == 0 ? 1 : room[0] * (rank == 2 ? 2 : 1)) * width, values);
    }
    if (choice == COMPRESSED && room[0] > 0) {
        hsize_t chunk = 1 + take_byte(from) % room[0];
        H5Pset_chunk(layout, 1, &chunk);
        H5Pset_deflate(layout, 6);
    }
    if (choice == IN_ANOTHER) {
        H5Pset_external(layout, "/proc/self/exe", 0, H5F_UNLIMITED);
    }
    room[0] = choice == HUGE ? (room[0] + 1) * far : room[0];
    if (choice == GROUP) {
        H5Gclose(H5Gcreate2(file, row->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    } else if (choice == LINKED) {
        H5Lcreate_external("/proc/self/exe", "/x", file, row->name, H5P_DEFAULT, H5P_DEFAULT);
    } else if (choice != ABSENT) {
        write_column(file, row->name, type, rank, room, layout,
                     choice == WHOLE ? row->data
                     : is_filled     ? (const void *)values
                                     : NULL);
    }
    H5Pclose(layout);
}

/* The file in memory, with its seal. */
static uint8_t *make_image(plan *from, size_t *bytes)
{
    static const struct {
        const char *key;
        double number;
    } numbers[NUMBER_COUNT] = {{"format_version", 1.0}, {"column_count", 2.0}, {"row_count", 1.0},
                               {"west_m", 0.0},         {"north_m", 5.0},      {"cell_m", 5.0},
                               {"rx_height_m", 1.5},    {"first_s", 0.0},      {"bin_s", 2e-8}};
    static const int64_t first[3] = {0, 1, 3};
    static const int32_t bins[3] = {4, 7, 9};
    static const float gains[3] = {1e-9f, 1e-9f, 1e-10f};
    static const column_row rows[COLUMN_COUNT] = {{"cells/first", INT64, 3, first},
                                                  {"entries/bin", INT32, 3, bins},
                                                  {"entries/gain", FLOAT, 3, gains},
                                                  {"notes/key", TEXT, 1, "key1"},
                                                  {"notes/value", TEXT, 1, "text"}};
    static const char *const groups[3] = {"cells", "entries", "notes"};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 65536, false);
    hid_t file = H5Fcreate("fuzz.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    fuzz_demand(file >= 0);
    add_attribute(file, from, "format", "radiocity delays", 0.0);
    add_attribute(file, from, "crs", "none", 0.0);
    for (int i = 0; i < NUMBER_COUNT; i++) {
        add_attribute(file, from, numbers[i].key, NULL, numbers[i].number);
    }
    for (int i = 0; i < 3; i++) {
        H5Gclose(H5Gcreate2(file, groups[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    for (int i = 0; i < COLUMN_COUNT; i++) {
        add_column(file, from, &rows[i]);
    }
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t image_bytes = H5Fget_file_image(file, NULL, 0);
    fuzz_demand(image_bytes > 0);
    uint8_t *image = malloc((size_t)image_bytes + RCITY_HDF5_SEAL_BYTES);
    fuzz_demand(image != NULL && H5Fget_file_image(file, image, (size_t)image_bytes) == image_bytes);
    rcity_hdf5_seal_make(image, (size_t)image_bytes, image + image_bytes);
    *bytes = (size_t)image_bytes + RCITY_HDF5_SEAL_BYTES;
    H5Fclose(file);
    H5Pclose(access);
    return image;
}

static char path[1024]; /* of the file that HDF5 reads; it goes when the program ends, or with its folder */

static void remove_file(void)
{
    unlink(path);
}

static void write_file(const uint8_t *bytes, size_t size)
{
    static int number = -1;
    if (number < 0) {
        const char *folder = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/radiocity-fuzz-XXXXXX", folder != NULL ? folder : "/tmp");
        number = mkstemp(path);
        fuzz_demand(number >= 0 && atexit(remove_file) == 0);
    }
    fuzz_demand(ftruncate(number, 0) == 0 && pwrite(number, bytes, size, 0) == (ssize_t)size);
}

static void look_at_cell(rcity_context *context, const rcity_delays *delays, const rcity_delays_info *info,
                         int64_t cell_index)
{
    rcity_delay_cell cell;
    rcity_delay_summary at;
    int64_t found = -1;
    fuzz_demand(rcity_delays_get_cell(delays, cell_index, &cell) == RCITY_OK);
    fuzz_demand(isfinite(cell.x_m) && isfinite(cell.y_m) && cell.entry_count >= 0);
    for (int64_t i = 0; i < cell.entry_count; i++) {
        fuzz_demand(cell.bin[i] >= 0 && cell.bin[i] < info->bin_count && (i == 0 || cell.bin[i] > cell.bin[i - 1]));
        fuzz_demand(cell.gain[i] >= 0.0f && !isinf(cell.gain[i]));
    }
    for (double threshold_db = 0.0; threshold_db <= RCITY_DELAY_THRESHOLD_MAX_DB; threshold_db += 150.0) {
        fuzz_demand(rcity_delays_summarize(context, delays, cell_index, threshold_db, &at) == RCITY_OK);
        fuzz_demand(at.entry_count == cell.entry_count && !(at.delay_spread_s < 0.0) && !(at.excess_delay_s < 0.0));
        fuzz_demand(isnan(at.gain_db) || at.gain_db >= at.strongest_db - 1e-9);
    }
    if (rcity_delays_find_cell(context, delays, cell.x_m, cell.y_m, &found) == RCITY_OK) {
        fuzz_demand(found >= 0 && found < info->cell_count);
    } else {
        fuzz_demand_sentence(context); /* where cells are smaller than the places of a double are apart */
    }
}

/* What got through is sound, and used as the program would use it. */
static void look_at(rcity_context *context, const rcity_delays *delays)
{
    rcity_delays_info info;
    int64_t cell = -1;
    fuzz_demand(rcity_delays_describe(delays, &info) == RCITY_OK);
    fuzz_demand(info.cell_count == info.raster.column_count * info.raster.row_count && info.crs != NULL);
    fuzz_demand(info.reached_count <= info.cell_count && info.reached_count <= info.entry_count);
    for (int64_t i = 0; i < info.cell_count && i < CELLS_MAX; i++) {
        look_at_cell(context, delays, &info, i);
    }
    const double ends_m[] = {info.raster.west_m,
                             info.raster.west_m + (double)info.raster.column_count * info.raster.cell_m,
                             (double)INFINITY, (double)NAN};
    for (size_t i = 0; i < sizeof ends_m / sizeof ends_m[0]; i++) {
        if (rcity_delays_find_cell(context, delays, ends_m[i], info.raster.north_m, &cell) == RCITY_OK) {
            fuzz_demand(cell >= 0 && cell < info.cell_count);
        }
    }
    for (int i = 0; i < rcity_delays_note_count(delays); i++) {
        const char *key = NULL;
        const char *value = NULL;
        fuzz_demand(rcity_delays_get_note(delays, i, &key, &value) == RCITY_OK && key != NULL && value != NULL);
    }
}

static bool load(const uint8_t *bytes, size_t size)
{
    rcity_context *context = fuzz_context();
    rcity_delays *delays = NULL;
    write_file(bytes, size);
    bool is_loaded = rcity_delays_load_hdf5(context, path, &delays) == RCITY_OK;
    if (is_loaded) {
        look_at(context, delays);
    } else {
        fuzz_demand_sentence(context);
        fuzz_demand(delays == NULL);
    }
    rcity_delays_destroy(&delays);
    fuzz_demand(rcity_context_memory_used(context) == 0);
    fuzz_demand(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0); /* no handle is left open */
    rcity_context_destroy(&context);
    return is_loaded;
}

static bool load_plan(const uint8_t *data, size_t size)
{
    plan from = {data, size};
    size_t bytes = 0;
    uint8_t *image = make_image(&from, &bytes);
    bool is_loaded = load(image, bytes);
    free(image);
    return is_loaded;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_ready = false;
    if (!is_ready) {
        is_ready = true;
        H5open();
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
        fuzz_demand(load_plan((const uint8_t *)"", 0)); /* a file as it should be */
    }
    load(data, size);
    load_plan(data, size);
    return 0;
}
