/* HDF5 files, read again. */
#include "io/hdf5/hdf5_input.h"

#include <hdf5.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "io/hdf5/hdf5_seal.h"

#define TEXT_MAX_BYTES 1048576          /* of an attribute */
#define NAME_MAX_BYTES 4096             /* of a file; longer ones are compared so far */
#define COUNT_MAX      9007199254740992 /* 2^53: whole numbers that a double holds */

struct rcity_hdf5_input {
    rcity_context *context;
    char *path;
    hid_t file;
    H5E_auto2_t old_hear; /* HDF5's previous error handler */
    void *old_user;
};

static rcity_status fail(rcity_hdf5_input *input, const char *name, const char *what)
{
    (void)rcity_fail(input->context, RCITY_ERR_FORMAT, "'%s' does not follow its format: %s %s", input->path, name,
                     what);
    return RCITY_ERR_FORMAT;
}

/* Every byte, before HDF5 sees one. */
static rcity_status check_seal(rcity_context *context, const char *path)
{
    char *data = NULL;
    size_t bytes = 0;
    RCITY_TRY(rcity_file_load(context, path, &data, &bytes));
    rcity_status status = rcity_hdf5_seal_check(context, path, (const unsigned char *)data, bytes);
    rcity_release(context, data);
    return status;
}

static rcity_status check_format(rcity_hdf5_input *input, const char *format, double version)
{
    char *text = NULL;
    double number = 0.0;
    RCITY_TRY(rcity_hdf5_read_text(input, "format", &text));
    rcity_status status = RCITY_OK;
    if (strcmp(text, format) != 0) {
        status = rcity_fail(input->context, RCITY_ERR_FORMAT, "'%s' is '%s', not '%s'", input->path, text, format);
    }
    rcity_release(input->context, text);
    RCITY_TRY(status);
    RCITY_TRY(rcity_hdf5_read_number(input, "format_version", &number));
    RCITY_CHECK(input->context, number == version, RCITY_ERR_FORMAT,
                "'%s' has version %g of its format, this program reads version %g; make it again with it", input->path,
                number, version);
    return RCITY_OK;
}

rcity_status rcity_hdf5_open(rcity_context *context, const char *path, const char *format, double version,
                             rcity_hdf5_input **input)
{
    rcity_hdf5_input *made = NULL;
    rcity_status status;
    RCITY_TRY(check_seal(context, path));
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "an HDF5 file", &made));
    made->context = context;
    made->file = H5I_INVALID_HID;
    H5open();
    H5Eget_auto2(H5E_DEFAULT, &made->old_hear, &made->old_user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors go into our message, not to stderr */
    RCITY_TRY_DONE(rcity_copy_text(context, path, &made->path));
    made->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    status = made->file >= 0 ? RCITY_OK : rcity_fail(context, RCITY_ERR_FILE, "HDF5 cannot open '%s'", path);
    RCITY_TRY_DONE(status);
    RCITY_TRY_DONE(check_format(made, format, version));
    *input = made;
    return RCITY_OK;
done:
    rcity_hdf5_close(&made);
    return status;
}

void rcity_hdf5_close(rcity_hdf5_input **input)
{
    rcity_hdf5_input *ended = *input;
    if (ended == NULL) {
        return;
    }
    H5Fclose(ended->file);
    H5Eset_auto2(H5E_DEFAULT, ended->old_hear, ended->old_user);
    rcity_context *context = ended->context;
    rcity_release(context, ended->path);
    rcity_release(context, ended);
    *input = NULL;
}

/* A text of fixed length into memory with a terminating 0. */
static rcity_status read_text(rcity_hdf5_input *input, const char *key, hid_t attribute, char **text)
{
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    char *made = NULL;
    bool is_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                   H5Sget_simple_extent_npoints(space) == 1 && H5Tget_size(type) <= TEXT_MAX_BYTES;
    rcity_status status = is_text ? RCITY_OK : fail(input, key, "is not a text");
    if (status == RCITY_OK) {
        status = rcity_alloc(input->context, H5Tget_size(type) + 1, 1, "a text of an HDF5 file", &made);
    }
    if (status == RCITY_OK && H5Aread(attribute, type, made) < 0) {
        status = fail(input, key, "cannot be read");
    }
    H5Sclose(space);
    H5Tclose(type);
    if (status != RCITY_OK) {
        rcity_release(input->context, made);
        return status;
    }
    *text = made;
    return RCITY_OK;
}

rcity_status rcity_hdf5_read_text(rcity_hdf5_input *input, const char *key, char **text)
{
    hid_t attribute = H5Aexists(input->file, key) > 0 ? H5Aopen(input->file, key, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0) {
        return fail(input, key, "is missing");
    }
    rcity_status status = read_text(input, key, attribute, text);
    H5Aclose(attribute);
    return status;
}

rcity_status rcity_hdf5_read_number(rcity_hdf5_input *input, const char *key, double *number)
{
    hid_t attribute = H5Aexists(input->file, key) > 0 ? H5Aopen(input->file, key, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0) {
        return fail(input, key, "is missing");
    }
    hid_t type = H5Aget_type(attribute);
    hid_t space = H5Aget_space(attribute);
    bool is_number = H5Tget_class(type) == H5T_FLOAT && H5Sget_simple_extent_npoints(space) == 1;
    rcity_status status = RCITY_OK;
    if (!is_number || H5Aread(attribute, H5T_NATIVE_DOUBLE, number) < 0) {
        status = fail(input, key, "is not a number");
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return status;
}

rcity_status rcity_hdf5_read_count(rcity_hdf5_input *input, const char *key, int64_t least, int64_t *count)
{
    double number = 0.0;
    RCITY_TRY(rcity_hdf5_read_number(input, key, &number));
    if (!(number >= (double)least && number <= (double)COUNT_MAX) || number != floor(number)) {
        return fail(input, key, "is not a count");
    }
    *count = (int64_t)number;
    return RCITY_OK;
}

/* Does this file hold a column's values? Links and plans of storage may lead to other files, which no seal is of. */
static bool is_inside(const rcity_hdf5_input *input, hid_t column)
{
    char own[NAME_MAX_BYTES];
    char other[NAME_MAX_BYTES];
    hid_t plan = H5Dget_create_plist(column);
    bool is_stored_here = H5Pget_external_count(plan) == 0 && H5Pget_layout(plan) != H5D_VIRTUAL;
    H5Pclose(plan);
    return is_stored_here && H5Fget_name(input->file, own, sizeof own) > 0 &&
           H5Fget_name(column, other, sizeof other) > 0 && strcmp(own, other) == 0;
}

/* The column; it must be a plain list. */
static rcity_status open_column(rcity_hdf5_input *input, const char *name, hid_t *column, int64_t *count, size_t *bytes)
{
    hid_t found = H5Dopen2(input->file, name, H5P_DEFAULT);
    if (found < 0) {
        return fail(input, name, "is missing");
    }
    if (!is_inside(input, found)) {
        H5Dclose(found);
        return fail(input, name, "lies in another file");
    }
    hid_t space = H5Dget_space(found);
    hid_t type = H5Dget_type(found);
    hsize_t rows = 0;
    bool is_list = H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &rows, NULL) == 1;
    *bytes = H5Tget_size(type);
    H5Tclose(type);
    H5Sclose(space);
    if (!is_list || rows > COUNT_MAX) {
        H5Dclose(found);
        return fail(input, name, "is not a list");
    }
    *count = (int64_t)rows;
    *column = found;
    return RCITY_OK;
}

rcity_status rcity_hdf5_count_rows(rcity_hdf5_input *input, const char *column_name, int64_t *count, size_t *bytes)
{
    hid_t column;
    RCITY_TRY(open_column(input, column_name, &column, count, bytes));
    H5Dclose(column);
    return RCITY_OK;
}

/* The type in memory; not to be closed but for texts. */
static hid_t memory_type(rcity_hdf5_type type)
{
    switch (type) {
    case RCITY_HDF5_DOUBLE:
        return H5T_NATIVE_DOUBLE;
    case RCITY_HDF5_FLOAT:
        return H5T_NATIVE_FLOAT;
    case RCITY_HDF5_INT32:
        return H5T_NATIVE_INT32;
    case RCITY_HDF5_INT64:
        return H5T_NATIVE_INT64;
    case RCITY_HDF5_COMPLEX:
    case RCITY_HDF5_WORD:
    case RCITY_HDF5_TEXT:
        break;
    }
    return H5I_INVALID_HID;
}

/* Is what is stored of the same class and size? Then nothing is converted but the order of bytes. */
static bool has_type(hid_t stored, rcity_hdf5_type type)
{
    if (type == RCITY_HDF5_TEXT) {
        return H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0;
    }
    hid_t wanted = memory_type(type);
    return wanted >= 0 && H5Tget_class(stored) == H5Tget_class(wanted) && H5Tget_size(stored) == H5Tget_size(wanted);
}

rcity_status rcity_hdf5_read_column(rcity_hdf5_input *input, const char *column_name, rcity_hdf5_type type,
                                    int64_t count, void *values)
{
    hid_t column;
    int64_t rows = 0;
    size_t bytes = 0;
    RCITY_TRY(open_column(input, column_name, &column, &rows, &bytes));
    hid_t stored = H5Dget_type(column);
    rcity_status status = RCITY_OK;
    if (rows != count || !has_type(stored, type)) {
        status = fail(input, column_name, rows != count ? "has another number of rows" : "has another type");
    } else if (count > 0) {
        hid_t wanted = type == RCITY_HDF5_TEXT ? stored : memory_type(type);
        bool is_read = H5Dread(column, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
        status = is_read ? RCITY_OK : fail(input, column_name, "cannot be read");
    }
    H5Tclose(stored);
    H5Dclose(column);
    return status;
}
