/* Plain lists: x, y, a value and sometimes a height a line, nothing but numbers. */
#ifndef RCITY_IO_MEASUREMENTS_PLAIN_LIST_H
#define RCITY_IO_MEASUREMENTS_PLAIN_LIST_H

#include "io/list/records.h"

/* Does the first line with something in it, comments aside, hold three or four numbers and nothing else? They are
   separated by blanks, tabs, commas or semicolons; where commas do not separate they may stand for decimal points. */
bool rcity_plain_list_is(const char *bytes, size_t byte_count);

/* Does a file look so? One that cannot be read does not. */
bool rcity_plain_list_is_file(const char *path);

/* Make records of one, with columns x, y, value and, of four, height_m. Lines that start with #, % or // are comments.
   @return RCITY_ERR_FORMAT with the line for one with more values than the first, RCITY_ERR_MEMORY, and as
   rcity_records_parse(). */
rcity_status rcity_plain_list_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                    rcity_records *records);

/* The same for a file. */
rcity_status rcity_plain_list_load(rcity_context *context, const char *path, rcity_records *records);

#endif
