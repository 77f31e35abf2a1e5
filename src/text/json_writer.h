/* Writing JSON (RFC 8259): escapes, numbers, and the commas between values. The caller makes sure that begin and end
   match. */
#ifndef RCITY_TEXT_JSON_WRITER_H
#define RCITY_TEXT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "text/text_sink.h"

typedef struct rcity_json_writer {
    rcity_text_sink sink;
    bool is_compact;  /* no spaces after commas and colons */
    bool needs_comma; /* before the next value */
    bool breaks_line; /* before the next value or end */
} rcity_json_writer;

/* `key` is NULL inside arrays and for the outermost value. */
void rcity_json_begin_object(rcity_json_writer *writer, const char *key);
void rcity_json_end_object(rcity_json_writer *writer);
void rcity_json_begin_array(rcity_json_writer *writer, const char *key);
void rcity_json_end_array(rcity_json_writer *writer);
void rcity_json_text(rcity_json_writer *writer, const char *key, const char *value); /* NULL gives null */
void rcity_json_number(rcity_json_writer *writer, const char *key, double value);    /* NaN and infinity give null */
void rcity_json_integer(rcity_json_writer *writer, const char *key, int64_t value);
void rcity_json_boolean(rcity_json_writer *writer, const char *key, bool value);

/* A finite number with a fixed count of decimals, for coordinates. */
void rcity_json_fixed(rcity_json_writer *writer, const char *key, double value, int decimal_count);

/* A key; the next call, without a key of its own, writes its value. */
void rcity_json_key(rcity_json_writer *writer, const char *key);

/* Start the next value, or the end of this object or array, on a line of its own. */
void rcity_json_break_line(rcity_json_writer *writer);

/* End the outermost value with a line end. */
void rcity_json_end_line(rcity_json_writer *writer);

/* A string with its quotes, alone; NULL gives null. Bytes that are not UTF-8 become the replacement character, since
   file names can have any encoding and JSON cannot. */
void rcity_json_put_text(const rcity_text_sink *sink, const char *text);

/* A number alone, as short as possible at ten digits; null when it is not finite, as JSON has no other word. */
void rcity_json_put_number(const rcity_text_sink *sink, double value);

#endif
