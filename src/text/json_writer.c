/* Writing JSON (RFC 8259). */
#include "text/json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "text/number_text.h"
#include "text/utf8.h"

static bool is_plain(unsigned char letter)
{
    return letter >= 0x20 && letter != 0x7f && letter != '"' && letter != '\\';
}

static void put_escaped(const rcity_text_sink *sink, unsigned char letter)
{
    char escaped[8];
    snprintf(escaped, sizeof escaped, letter == '"' || letter == '\\' ? "\\%c" : "\\u%04x", letter);
    rcity_text_put(sink, escaped);
}

void rcity_json_put_text(const rcity_text_sink *sink, const char *text)
{
    if (text == NULL) {
        rcity_text_put(sink, "null");
        return;
    }
    rcity_text_put(sink, "\"");
    while (*text != '\0') {
        size_t run = 0; /* length of the bytes that need no escape */
        size_t bytes = rcity_utf8_bytes(text);
        while (text[run] != '\0' && bytes > 0 && is_plain((unsigned char)text[run])) {
            run += bytes;
            bytes = rcity_utf8_bytes(text + run);
        }
        sink->put(sink->user, text, run);
        text += run;
        if (*text != '\0' && bytes == 0) {
            rcity_text_put(sink, RCITY_UTF8_REPLACEMENT);
            text++;
        } else if (*text != '\0') {
            put_escaped(sink, (unsigned char)*text++);
        }
    }
    rcity_text_put(sink, "\"");
}

void rcity_json_put_number(const rcity_text_sink *sink, double value)
{
    if (isfinite(value)) {
        rcity_text_put_number(sink, value);
    } else {
        rcity_text_put(sink, "null");
    }
}

static void put_break(rcity_json_writer *writer)
{
    if (writer->breaks_line) {
        rcity_text_put(&writer->sink, "\n");
        writer->breaks_line = false;
    }
}

static void begin_value(rcity_json_writer *writer, const char *key)
{
    if (writer->needs_comma) {
        rcity_text_put(&writer->sink, writer->is_compact || writer->breaks_line ? "," : ", ");
    }
    put_break(writer);
    if (key != NULL) {
        rcity_json_put_text(&writer->sink, key);
        rcity_text_put(&writer->sink, writer->is_compact ? ":" : ": ");
    }
    writer->needs_comma = true;
}

static void begin(rcity_json_writer *writer, const char *key, const char *bracket)
{
    begin_value(writer, key);
    rcity_text_put(&writer->sink, bracket);
    writer->needs_comma = false;
}

static void end(rcity_json_writer *writer, const char *bracket)
{
    put_break(writer);
    rcity_text_put(&writer->sink, bracket);
    writer->needs_comma = true;
}

void rcity_json_begin_object(rcity_json_writer *writer, const char *key)
{
    begin(writer, key, "{");
}

void rcity_json_end_object(rcity_json_writer *writer)
{
    end(writer, "}");
}

void rcity_json_begin_array(rcity_json_writer *writer, const char *key)
{
    begin(writer, key, "[");
}

void rcity_json_end_array(rcity_json_writer *writer)
{
    end(writer, "]");
}

void rcity_json_text(rcity_json_writer *writer, const char *key, const char *value)
{
    begin_value(writer, key);
    rcity_json_put_text(&writer->sink, value);
}

void rcity_json_number(rcity_json_writer *writer, const char *key, double value)
{
    begin_value(writer, key);
    rcity_json_put_number(&writer->sink, value);
}

void rcity_json_integer(rcity_json_writer *writer, const char *key, int64_t value)
{
    char digits[24];
    begin_value(writer, key);
    snprintf(digits, sizeof digits, "%" PRId64, value);
    rcity_text_put(&writer->sink, digits);
}

void rcity_json_boolean(rcity_json_writer *writer, const char *key, bool value)
{
    begin_value(writer, key);
    rcity_text_put(&writer->sink, value ? "true" : "false");
}

void rcity_json_fixed(rcity_json_writer *writer, const char *key, double value, int decimal_count)
{
    begin_value(writer, key);
    rcity_text_put_fixed(&writer->sink, value, decimal_count);
}

void rcity_json_key(rcity_json_writer *writer, const char *key)
{
    begin_value(writer, key);
    writer->needs_comma = false;
}

void rcity_json_break_line(rcity_json_writer *writer)
{
    writer->breaks_line = true;
}

void rcity_json_end_line(rcity_json_writer *writer)
{
    rcity_text_put(&writer->sink, "\n");
    writer->needs_comma = false;
}
