/* Places with columns of values, on their way to a file for a GIS. */
#ifndef RCITY_IO_EXPORT_PLACE_TABLE_H
#define RCITY_IO_EXPORT_PLACE_TABLE_H

#include "base/base.h"
#include "radiocity/io.h"

typedef struct rcity_place_column {
    char *name;
    double *number;    /* NULL for texts */
    size_t *text_from; /* offset of each text */
    char *text;        /* one after the other, each with its terminating 0 */
} rcity_place_column;

struct rcity_place_table {
    rcity_context *context;
    char *crs;
    int64_t count;
    double *xy;
    rcity_place_column *columns;
    size_t column_count, column_capacity;
};

#endif
