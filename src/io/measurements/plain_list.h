/* Plain lists: lines of x, y, a value and optionally a height, nothing but numbers. */
#ifndef RCITY_IO_MEASUREMENTS_PLAIN_LIST_H
#define RCITY_IO_MEASUREMENTS_PLAIN_LIST_H

#include "io/list/records.h"

/* Does the first line that is neither empty nor a comment contain three or four numbers and nothing else? The
   separators are blanks, tabs, commas or semicolons; commas that do not separate may be decimal points. */
bool rcity_plain_list_is(const char *bytes, size_t byte_count);

/* The same for a file; false if it cannot be read. */
bool rcity_plain_list_is_file(const char *path);

/* Make records of a plain list, with columns x, y, value and, for four numbers, height_m. Lines that start with #, % or
   // are comments.
   @return RCITY_ERR_FORMAT with the line for one with more values than the first, RCITY_ERR_MEMORY, and as
   rcity_records_parse(). */
rcity_status rcity_plain_list_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                    rcity_records *records);

/* The same for a file. */
rcity_status rcity_plain_list_load(rcity_context *context, const char *path, rcity_records *records);

#endif
