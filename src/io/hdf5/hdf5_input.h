/* Reading an HDF5 file that was saved with a seal (hdf5_file.h). Messages name the file and the column or attribute. */
#ifndef RCITY_IO_HDF5_HDF5_INPUT_H
#define RCITY_IO_HDF5_HDF5_INPUT_H

#include "io/hdf5/hdf5_file.h"

typedef struct rcity_hdf5_input rcity_hdf5_input;

/* Open a file whose attributes `format` and `format_version` are these. @return RCITY_ERR_FILE where it cannot be read,
   RCITY_ERR_FORMAT where it is damaged or another one. */
rcity_status rcity_hdf5_open(rcity_context *context, const char *path, const char *format, double version,
                             rcity_hdf5_input **input);

/* Close it; accepts a pointer to NULL. */
void rcity_hdf5_close(rcity_hdf5_input **input);

/* Attributes of the file itself. A text is released with rcity_release(). */
rcity_status rcity_hdf5_read_text(rcity_hdf5_input *input, const char *key, char **text);
rcity_status rcity_hdf5_read_number(rcity_hdf5_input *input, const char *key, double *number);

/* A number without fraction from `least` to 2^53. */
rcity_status rcity_hdf5_read_count(rcity_hdf5_input *input, const char *key, int64_t least, int64_t *count);

/* Rows of a column without further dimensions, and the bytes of each: of a text, all it may take. */
rcity_status rcity_hdf5_count_rows(rcity_hdf5_input *input, const char *column_name, int64_t *count, size_t *bytes);

/* All values of a column, which has this type and as many rows. Texts fill their bytes, without a terminating 0. */
rcity_status rcity_hdf5_read_column(rcity_hdf5_input *input, const char *column_name, rcity_hdf5_type type,
                                    int64_t count, void *values);

#endif
