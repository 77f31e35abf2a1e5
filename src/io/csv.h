/* Tables of text: CSV after RFC 4180 and its common variants: a byte-order mark, semicolons or tabs between the
   columns, spaces around values, empty lines, lines that start with '#'. */
#ifndef RCITY_IO_CSV_H
#define RCITY_IO_CSV_H

#include "base/base.h"

#define RCITY_CSV_COLUMN_MAX 4096

/* A whole table in memory; the first line names the columns. Read-only once made. */
typedef struct rcity_csv rcity_csv;

/* Load a file. @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with the line for a quote that never ends, a line with more
   columns than the first, text after a closing quote, a NUL byte, a column named twice, more than RCITY_CSV_COLUMN_MAX
   columns or none at all; RCITY_ERR_MEMORY. */
rcity_status rcity_csv_load(rcity_context *context, const char *path, rcity_csv **csv);

/* The same over bytes in memory, which are copied; `name` stands for the path. */
rcity_status rcity_csv_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                             rcity_csv **csv);

/* The same for bytes that start with a line of names which is not in the file: the line after it counts as line 1. */
rcity_status rcity_csv_parse_named(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                   rcity_csv **csv);

void rcity_csv_destroy(rcity_csv **csv);

int64_t rcity_csv_row_count(const rcity_csv *csv);
int rcity_csv_column_count(const rcity_csv *csv);
const char *rcity_csv_column_name(const rcity_csv *csv, int column);

/* Path or name it was loaded from, for messages. */
const char *rcity_csv_name(const rcity_csv *csv);

/* Index of a column by one of several names separated by '|', case ignored, or -1. */
int rcity_csv_find_column(const rcity_csv *csv, const char *names);

/* A value without surrounding spaces; "" if the row is shorter or `column` is -1. */
const char *rcity_csv_text(const rcity_csv *csv, int64_t row, int column);

/* The value of the key in a line "# key: value" (or "# key = value"); "" when there is none. */
const char *rcity_csv_note(const rcity_csv *csv, const char *key);

/* Line of the file in which a row starts, counted from 1. */
int64_t rcity_csv_line(const rcity_csv *csv, int64_t row);

/* A whole text as a finite number. A comma may be the decimal point if it does not separate values. */
bool rcity_csv_read_number(const char *text, bool may_use_comma, double *value);

/* The separator of values in the file. */
char rcity_csv_separator(const rcity_csv *csv);

/* A value as a finite number, with a decimal comma unless commas separate values; an empty one leaves `*value`
   unchanged. @return RCITY_ERR_FORMAT with file, line, column and text for anything else. */
rcity_status rcity_csv_number(rcity_context *context, const rcity_csv *csv, int64_t row, int column, double *value);

#endif
