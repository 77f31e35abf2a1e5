/* Writing JSON (RFC 8259). */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_writer json_writer_make(FILE *file)
{
    json_writer writer = {file, false};
    return writer;
}

/* Bytes of the UTF-8 sequence at `text`, or 0 when it is none (overlong forms and surrogates pass: readers
   take them). */
static int sequence_length(const char *text)
{
    unsigned char lead = (unsigned char)text[0];
    int length = lead < 0x80                   ? 1
                 : lead >= 0xc2 && lead < 0xe0 ? 2
                 : lead >= 0xe0 && lead < 0xf0 ? 3
                 : lead >= 0xf0 && lead < 0xf5 ? 4
                                               : 0;
    for (int i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

static void write_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char letter = (unsigned char)*text;
        int length = sequence_length(text);
        if (length == 0) {
            fputs("\\ufffd", file); /* file names come in any encoding, JSON does not */
            continue;
        }
        if (length > 1) {
            fwrite(text, 1, (size_t)length, file);
            text += length - 1;
            continue;
        }
        if (letter == '"' || letter == '\\') {
            fprintf(file, "\\%c", letter);
        } else if (letter < 0x20) {
            fprintf(file, "\\u%04x", letter);
        } else {
            fputc(letter, file);
        }
    }
    fputc('"', file);
}

static void begin_value(json_writer *writer, const char *key)
{
    if (writer->needs_comma) {
        fputs(", ", writer->file);
    }
    if (key != NULL) {
        write_quoted(writer->file, key);
        fputs(": ", writer->file);
    }
    writer->needs_comma = true;
}

void json_begin_object(json_writer *writer, const char *key)
{
    begin_value(writer, key);
    fputc('{', writer->file);
    writer->needs_comma = false;
}

void json_end_object(json_writer *writer)
{
    fputc('}', writer->file);
    writer->needs_comma = true;
}

void json_begin_array(json_writer *writer, const char *key)
{
    begin_value(writer, key);
    fputc('[', writer->file);
    writer->needs_comma = false;
}

void json_end_array(json_writer *writer)
{
    fputc(']', writer->file);
    writer->needs_comma = true;
}

void json_text(json_writer *writer, const char *key, const char *value)
{
    begin_value(writer, key);
    if (value == NULL) {
        fputs("null", writer->file);
    } else {
        write_quoted(writer->file, value);
    }
}

void json_number(json_writer *writer, const char *key, double value)
{
    begin_value(writer, key);
    if (isfinite(value)) {
        fprintf(writer->file, "%.10g", value == 0.0 ? 0.0 : value); /* never "-0" */
    } else {
        fputs("null", writer->file);
    }
}

void json_integer(json_writer *writer, const char *key, int64_t value)
{
    begin_value(writer, key);
    fprintf(writer->file, "%" PRId64, value);
}

void json_boolean(json_writer *writer, const char *key, bool value)
{
    begin_value(writer, key);
    fputs(value ? "true" : "false", writer->file);
}

/* Notes that people's names stand in: tx_name, server_1, server_2 and so on. */
static bool is_name(const char *key)
{
    static const char server[] = "server_";
    size_t length = strlen(server);
    bool is_server = strncmp(key, server, length) == 0 && key[length + strspn(key + length, "0123456789")] == '\0';
    return is_server || strcmp(key, "tx_name") == 0;
}

void json_note(json_writer *writer, const char *key, const char *value)
{
    char *end;
    double number = strtod(value, &end);
    /* a hash of digits stays a text, and so does what people named */
    bool is_number = end != value && *end == '\0' && strlen(value) < 20 && !is_name(key);
    if (is_number) {
        json_number(writer, key, number);
    } else {
        json_text(writer, key, value);
    }
}

void json_end_line(json_writer *writer)
{
    fputc('\n', writer->file);
    writer->needs_comma = false;
}
