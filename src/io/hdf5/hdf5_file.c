/* HDF5 files, made in memory. */
#include "io/hdf5/hdf5_file.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "io/hdf5/hdf5_seal.h"

#define BLOCK_BYTES 1048576 /* increment of HDF5's memory */
#define CHUNK_BYTES 262144  /* of a compressed column, about */
#define DEFLATE     4

struct rcity_hdf5 {
    rcity_context *context;
    char *path;
    rcity_status status;
    hid_t file;
    hid_t group_plan, column_plan; /* creation properties of groups and columns: without time stamps */
    H5E_auto2_t old_hear;          /* HDF5's previous error handler */
    void *old_user;
};

static herr_t take_reason(unsigned depth, const H5E_error2_t *error, void *user)
{
    char *reason = user;
    if (depth == 0 && error->desc != NULL) {
        snprintf(reason, 200, "%s", error->desc);
    }
    return 0;
}

/* Keep the first failure. */
static bool is_fine(rcity_hdf5 *file, bool holds, const char *what)
{
    if (file->status == RCITY_OK && !holds) {
        char reason[200] = "no reason given";
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, reason);
        file->status = rcity_fail(file->context, RCITY_ERR_FILE, "cannot write '%s': HDF5 fails at %s (%s)", file->path,
                                  what, reason);
    }
    return file->status == RCITY_OK;
}

static hid_t make_plan(hid_t kind)
{
    hid_t plan = H5Pcreate(kind);
    if (plan >= 0) {
        H5Pset_obj_track_times(plan, false);
    }
    return plan;
}

/* The file exists only in memory; its image is saved. */
static hid_t open_in_memory(const char *name)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t creation = make_plan(H5P_FILE_CREATE);
    hid_t file = H5I_INVALID_HID;
    if (access >= 0 && creation >= 0 && H5Pset_fapl_core(access, BLOCK_BYTES, false) >= 0) {
        file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
    }
    H5Pclose(creation);
    H5Pclose(access);
    return file;
}

rcity_status rcity_hdf5_create(rcity_context *context, const char *path, double need_bytes, rcity_hdf5 **file)
{
    rcity_hdf5 *made = NULL;
    RCITY_TRY(rcity_check_output_memory(context, need_bytes, path, "raise `memory` or make the result smaller"));
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "an HDF5 file", &made));
    made->context = context;
    made->status = rcity_copy_text(context, path, &made->path);
    H5open();
    H5Eget_auto2(H5E_DEFAULT, &made->old_hear, &made->old_user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors go into our message, not to stderr */
    char name[64];                         /* never on disk; unique among the files that are open now */
    snprintf(name, sizeof name, "radiocity-%p", (void *)made);
    made->file = made->status == RCITY_OK ? open_in_memory(name) : H5I_INVALID_HID;
    made->group_plan = make_plan(H5P_GROUP_CREATE);
    made->column_plan = make_plan(H5P_DATASET_CREATE);
    if (!is_fine(made, made->file >= 0 && made->group_plan >= 0 && made->column_plan >= 0, "its start")) {
        rcity_status status = made->status;
        rcity_hdf5_destroy(&made);
        return status;
    }
    *file = made;
    return RCITY_OK;
}

void rcity_hdf5_destroy(rcity_hdf5 **file)
{
    rcity_hdf5 *ended = *file;
    if (ended == NULL) {
        return;
    }
    H5Pclose(ended->column_plan);
    H5Pclose(ended->group_plan);
    H5Fclose(ended->file);
    H5Eset_auto2(H5E_DEFAULT, ended->old_hear, ended->old_user);
    rcity_context *context = ended->context;
    rcity_release(context, ended->path);
    rcity_release(context, ended);
    *file = NULL;
}

static hid_t text_type(size_t bytes)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void add_attribute(rcity_hdf5 *file, hid_t object, const char *key, hid_t file_type, hid_t memory_type,
                          hid_t space, const void *data)
{
    if (H5Aexists(object, key) > 0) {
        return; /* the first value of an attribute is kept */
    }
    hid_t attribute = H5Acreate2(object, key, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (is_fine(file, attribute >= 0, key)) {
        is_fine(file, H5Awrite(attribute, memory_type, data) >= 0, key);
        H5Aclose(attribute);
    }
}

static void add_text(rcity_hdf5 *file, hid_t object, const char *key, const char *value)
{
    if (file->status != RCITY_OK) {
        return;
    }
    size_t bytes = strlen(value);
    hid_t type = text_type(bytes > 0 ? bytes : 1); /* HDF5 has no text of 0 bytes; a single 0 reads as "" */
    hid_t space = H5Screate(H5S_SCALAR);
    add_attribute(file, object, key, type, type, space, value);
    H5Sclose(space);
    H5Tclose(type);
}

void rcity_hdf5_note_text(rcity_hdf5 *file, const char *key, const char *value)
{
    add_text(file, file->file, key, value);
}

void rcity_hdf5_note_numbers(rcity_hdf5 *file, const char *key, int count, const double *values)
{
    if (file->status != RCITY_OK) {
        return;
    }
    hsize_t room = (hsize_t)count;
    hid_t space = count > 1 ? H5Screate_simple(1, &room, NULL) : H5Screate(H5S_SCALAR);
    add_attribute(file, file->file, key, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, values);
    H5Sclose(space);
}

void rcity_hdf5_add_group(rcity_hdf5 *file, const char *name, const char *text)
{
    if (file->status != RCITY_OK) {
        return;
    }
    hid_t group = H5Gcreate2(file->file, name, H5P_DEFAULT, file->group_plan, H5P_DEFAULT);
    if (is_fine(file, group >= 0, name)) {
        add_text(file, group, "text", text);
        H5Gclose(group);
    }
}

static hid_t complex_type(hid_t number)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, 2 * sizeof(double));
    H5Tinsert(type, "r", 0, number);
    H5Tinsert(type, "i", sizeof(double), number);
    return type;
}

/* An enumeration: 32 bits in memory, 8 in the file. */
static hid_t word_type(const rcity_hdf5_column *column, hid_t number)
{
    hid_t type = H5Tenum_create(number);
    for (int32_t i = 0; i < column->word_count; i++) {
        int8_t byte = (int8_t)i;
        H5Tenum_insert(type, column->word(i), H5Tget_size(number) == 1 ? (const void *)&byte : (const void *)&i);
    }
    return type;
}

static hid_t make_type(const rcity_hdf5_column *column, bool is_in_file)
{
    switch (column->type) {
    case RCITY_HDF5_DOUBLE:
        return H5Tcopy(is_in_file ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    case RCITY_HDF5_FLOAT:
        return H5Tcopy(is_in_file ? H5T_IEEE_F32LE : H5T_NATIVE_FLOAT);
    case RCITY_HDF5_INT32:
        return H5Tcopy(is_in_file ? H5T_STD_I32LE : H5T_NATIVE_INT32);
    case RCITY_HDF5_INT64:
        return H5Tcopy(is_in_file ? H5T_STD_I64LE : H5T_NATIVE_INT64);
    case RCITY_HDF5_COMPLEX:
        return complex_type(is_in_file ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    case RCITY_HDF5_WORD:
        return word_type(column, is_in_file ? H5T_STD_I8LE : H5T_NATIVE_INT32);
    case RCITY_HDF5_TEXT:
        return text_type(column->text_bytes);
    }
    return H5I_INVALID_HID;
}

/* How a column is stored; without compression where HDF5 has none. */
static hid_t plan_column(const rcity_hdf5 *file, const rcity_hdf5_column *column, hid_t type)
{
    hid_t plan = H5Pcopy(file->column_plan);
    if (column->is_compressed && column->count > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        hsize_t most = CHUNK_BYTES / H5Tget_size(type);
        hsize_t rows = (hsize_t)column->count < most ? (hsize_t)column->count : most;
        rows = rows > 0 ? rows : 1;
        H5Pset_chunk(plan, 1, &rows);
        H5Pset_shuffle(plan);
        H5Pset_deflate(plan, DEFLATE);
    }
    return plan;
}

void rcity_hdf5_add_column(rcity_hdf5 *file, const rcity_hdf5_column *column)
{
    if (file->status != RCITY_OK) {
        return;
    }
    const hsize_t room[3] = {(hsize_t)column->count, (hsize_t)column->width, (hsize_t)column->height};
    int rank = column->height > 0 ? 3 : column->width > 0 ? 2 : 1;
    hid_t space = H5Screate_simple(rank, room, NULL);
    hid_t file_type = make_type(column, true);
    hid_t memory_type = make_type(column, false);
    hid_t plan = file_type >= 0 ? plan_column(file, column, file_type) : H5I_INVALID_HID;
    hid_t made = H5I_INVALID_HID;
    if (is_fine(file, space >= 0 && file_type >= 0 && memory_type >= 0 && plan >= 0, column->name)) {
        made = H5Dcreate2(file->file, column->name, file_type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    }
    if (is_fine(file, made >= 0, column->name)) {
        bool is_written =
            column->count == 0 || H5Dwrite(made, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, column->data) >= 0;
        is_fine(file, is_written, column->name);
        add_text(file, made, "unit", column->unit);
        add_text(file, made, "text", column->text);
        H5Dclose(made);
    }
    H5Pclose(plan);
    H5Tclose(memory_type);
    H5Tclose(file_type);
    H5Sclose(space);
}

void rcity_hdf5_note_column(rcity_hdf5 *file, const char *column_name, const char *key, const char *value)
{
    if (file->status != RCITY_OK) {
        return;
    }
    hid_t column = H5Dopen2(file->file, column_name, H5P_DEFAULT);
    if (is_fine(file, column >= 0, column_name)) {
        add_text(file, column, key, value);
        H5Dclose(column);
    }
}

/* Texts of one length, filled up with zeros; to be released. */
static char *pack_texts(rcity_hdf5 *file, int count, const char *const *values, size_t *bytes)
{
    char *packed = NULL;
    *bytes = 1;
    for (int i = 0; i < count; i++) {
        *bytes = strlen(values[i]) > *bytes ? strlen(values[i]) : *bytes;
    }
    file->status = rcity_alloc(file->context, (size_t)count, *bytes, "texts of an HDF5 file", &packed);
    for (int i = 0; file->status == RCITY_OK && i < count; i++) {
        memcpy(packed + (size_t)i * *bytes, values[i], strlen(values[i]));
    }
    return packed;
}

void rcity_hdf5_note_column_list(rcity_hdf5 *file, const char *column_name, const char *key, int count,
                                 const char *const *values)
{
    size_t bytes = 1;
    if (file->status != RCITY_OK) {
        return;
    }
    char *packed = pack_texts(file, count, values, &bytes);
    if (file->status != RCITY_OK) {
        return;
    }
    hsize_t room = (hsize_t)count;
    hid_t column = H5Dopen2(file->file, column_name, H5P_DEFAULT);
    hid_t type = text_type(bytes);
    hid_t space = H5Screate_simple(1, &room, NULL);
    if (is_fine(file, column >= 0 && type >= 0 && space >= 0, column_name)) {
        add_attribute(file, column, key, type, type, space, packed);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(column);
    rcity_release(file->context, packed);
}

static rcity_status save(rcity_hdf5 *file, size_t seal_bytes)
{
    RCITY_TRY(file->status);
    unsigned char *image = NULL;
    is_fine(file, H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0, "its end");
    ssize_t bytes = file->status == RCITY_OK ? H5Fget_file_image(file->file, NULL, 0) : 0;
    is_fine(file, bytes >= 0, "its end");
    RCITY_TRY(file->status);
    RCITY_TRY(rcity_alloc(file->context, (size_t)bytes + seal_bytes, 1, "an HDF5 file", &image));
    bool is_read = H5Fget_file_image(file->file, image, (size_t)bytes) == bytes;
    if (is_fine(file, is_read, "its end")) {
        if (seal_bytes > 0) {
            rcity_hdf5_seal_make(image, (size_t)bytes, image + bytes);
        }
        file->status = rcity_file_save(file->context, file->path, image, (size_t)bytes + seal_bytes);
    }
    rcity_release(file->context, image);
    return file->status;
}

rcity_status rcity_hdf5_save(rcity_hdf5 *file)
{
    return save(file, 0);
}

rcity_status rcity_hdf5_save_sealed(rcity_hdf5 *file)
{
    return save(file, RCITY_HDF5_SEAL_BYTES);
}
