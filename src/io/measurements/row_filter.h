/* Which rows of a list are wanted: "COLUMN<VALUE". */
#ifndef RCITY_IO_MEASUREMENTS_ROW_FILTER_H
#define RCITY_IO_MEASUREMENTS_ROW_FILTER_H

#include "io/list/records.h"

typedef enum rcity_row_relation {
    RCITY_ROW_LESS,
    RCITY_ROW_LESS_OR_EQUAL,
    RCITY_ROW_GREATER,
    RCITY_ROW_GREATER_OR_EQUAL,
    RCITY_ROW_EQUAL,
    RCITY_ROW_NOT_EQUAL,
} rcity_row_relation;

#define RCITY_ROW_FILTER_BYTES 128 /* size of a column or a value */

typedef struct rcity_row_filter {
    int column;
    rcity_row_relation relation;
    bool is_number;
    double number;
    char text[RCITY_ROW_FILTER_BYTES];
} rcity_row_filter;

/* Read a condition: a column, one of < <= > >= = !=, and a number, or a word for the last two.
   @return RCITY_ERR_ARGUMENT with the condition for anything else, and for a column that does not exist. */
rcity_status rcity_row_filter_read(rcity_records *records, const char *where, rcity_row_filter *filter);

/* Does a row meet the condition? A row with an empty value does not.
   @return RCITY_ERR_FORMAT for a word where only a number can be compared. */
rcity_status rcity_row_filter_test(const rcity_records *records, const rcity_row_filter *filter, int64_t row,
                                   bool *is_met);

#endif
