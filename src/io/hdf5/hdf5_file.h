/* An HDF5 file while it is filled. The first failure is kept and all later calls do nothing, so that a writer checks
   once, at its end. */
#ifndef RCITY_IO_HDF5_HDF5_FILE_H
#define RCITY_IO_HDF5_HDF5_FILE_H

#include "base/base.h"

typedef struct rcity_hdf5 rcity_hdf5;

/* The type of a column's items. */
typedef enum rcity_hdf5_type {
    RCITY_HDF5_DOUBLE,
    RCITY_HDF5_FLOAT,
    RCITY_HDF5_INT32,
    RCITY_HDF5_INT64,
    RCITY_HDF5_COMPLEX, /* two doubles each, r and i, which NumPy reads as a complex number */
    RCITY_HDF5_WORD,    /* int32_t in memory, one byte in the file, with a name for each value */
    RCITY_HDF5_TEXT     /* `text_bytes` each, filled up with zeros; UTF-8 */
} rcity_hdf5_type;

typedef struct rcity_hdf5_column {
    const char *name; /* with its group: "receivers/x_m" */
    const char *unit; /* "" for none */
    const char *text; /* a sentence */
    rcity_hdf5_type type;
    int64_t count;     /* rows */
    int width, height; /* further dimensions of a row; 0 for none */
    size_t text_bytes; /* of RCITY_HDF5_TEXT; at least 1 */
    int word_count;    /* of RCITY_HDF5_WORD: values 0 to word_count - 1 */
    const char *(*word)(int value);
    bool is_compressed; /* in chunks; of columns without further dimensions */
    const void *data;
} rcity_hdf5_column;

/* Start a file that will be `path`. `need_bytes` is its approximate size: HDF5's memory is outside the context's
   account. */
rcity_status rcity_hdf5_create(rcity_context *context, const char *path, double need_bytes, rcity_hdf5 **file);

/* Discard a file that was not saved; accepts a pointer to NULL. */
void rcity_hdf5_destroy(rcity_hdf5 **file);

void rcity_hdf5_add_group(rcity_hdf5 *file, const char *name, const char *text);
void rcity_hdf5_add_column(rcity_hdf5 *file, const rcity_hdf5_column *column);

/* Further attributes of a column: a text, and a list of at least one. */
void rcity_hdf5_note_column(rcity_hdf5 *file, const char *column_name, const char *key, const char *value);
void rcity_hdf5_note_column_list(rcity_hdf5 *file, const char *column_name, const char *key, int count,
                                 const char *const *values);

/* Attributes of the file itself. */
void rcity_hdf5_note_text(rcity_hdf5 *file, const char *key, const char *value);
void rcity_hdf5_note_numbers(rcity_hdf5 *file, const char *key, int count, const double *values);

/* Write the file whole, or return the first failure. */
rcity_status rcity_hdf5_save(rcity_hdf5 *file);

/* The same with a seal at its end (hdf5_seal.h), for files that are read again (hdf5_input.h). */
rcity_status rcity_hdf5_save_sealed(rcity_hdf5 *file);

#endif
