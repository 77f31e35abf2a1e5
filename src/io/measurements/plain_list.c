/* Plain lists are rewritten line by line as CSV with column names of our own, so that the rest of the code reads one
   kind of table. The separator is a semicolon, since commas may be decimal points. */
#include "io/measurements/plain_list.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define VALUE_MIN  3
#define VALUE_MAX  4
#define PEEK_BYTES 8192 /* enough for comments and one line */

static const char *const heading[VALUE_MAX + 1] = {[3] = "x;y;value\n", [4] = "x;y;value;height_m\n"};

/* A part of the text. */
typedef struct plain_line {
    const char *begin, *end;
} plain_line;

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

/* The line at `at`, without blanks around it. */
static plain_line cut_line(const char *at, const char *end)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    plain_line line = {at, line_end != NULL ? line_end : end};
    while (line.begin < line.end && is_blank(*line.begin)) {
        line.begin++;
    }
    while (line.end > line.begin && is_blank(line.end[-1])) {
        line.end--;
    }
    return line;
}

static bool is_comment(plain_line line)
{
    return line.begin < line.end && (line.begin[0] == '#' || line.begin[0] == '%' ||
                                     (line.end - line.begin >= 2 && line.begin[0] == '/' && line.begin[1] == '/'));
}

/* Take the first value of a line, with the separator after it: ',', ';', or ' ' for any number of blanks. */
static plain_line next_value(plain_line *line, char separator)
{
    plain_line value = {line->begin, line->begin};
    while (value.end < line->end && (separator == ' ' ? !is_blank(*value.end) : *value.end != separator)) {
        value.end++;
    }
    line->begin = value.end;
    if (separator == ' ') {
        while (line->begin < line->end && is_blank(*line->begin)) {
            line->begin++;
        }
    } else if (line->begin < line->end) {
        line->begin++;
    }
    while (value.begin < value.end && is_blank(*value.begin)) {
        value.begin++;
    }
    while (value.end > value.begin && is_blank(value.end[-1])) {
        value.end--;
    }
    return value;
}

/* Number of values of a line; 0 when one of them is no number. */
static int count_numbers(plain_line line, char separator)
{
    int count = 0;
    while (line.begin < line.end) {
        plain_line value = next_value(&line, separator);
        char text[64];
        size_t length = (size_t)(value.end - value.begin);
        double number;
        if (length >= sizeof text) {
            return 0;
        }
        memcpy(text, value.begin, length);
        text[length] = '\0';
        if (!rcity_csv_read_number(text, separator != ',', &number)) {
            return 0;
        }
        count++;
    }
    return count;
}

/* The format of a plain list, from its first line with values; false when there is none. */
static bool find_form(const char *bytes, size_t byte_count, char *separator, int *value_count)
{
    const char *end = bytes + byte_count;
    const char *at = byte_count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? bytes + 3 : bytes;
    while (at < end) {
        plain_line line = cut_line(at, end);
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        at = line_end != NULL ? line_end + 1 : end;
        if (line.begin == line.end || is_comment(line)) {
            continue;
        }
        for (const char *candidate = "; ,"; *candidate != '\0'; candidate++) {
            int count = count_numbers(line, *candidate);
            if (count >= VALUE_MIN && count <= VALUE_MAX) {
                *separator = *candidate;
                *value_count = count;
                return true;
            }
        }
        return false;
    }
    return false;
}

bool rcity_plain_list_is(const char *bytes, size_t byte_count)
{
    char separator;
    int value_count;
    return find_form(bytes, byte_count, &separator, &value_count);
}

bool rcity_plain_list_is_file(const char *path)
{
    char bytes[PEEK_BYTES];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    size_t byte_count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (byte_count == sizeof bytes) { /* the last line may be cut */
        while (byte_count > 0 && bytes[byte_count - 1] != '\n') {
            byte_count--;
        }
    }
    return rcity_plain_list_is(bytes, byte_count);
}

/* One line as CSV, in no more space than it had; a comment or an empty line becomes an empty line. */
static rcity_status rewrite_line(rcity_context *context, const char *name, int64_t number, plain_line line,
                                 char separator, int value_count, char **to)
{
    int count = 0;
    while (line.begin < line.end && !is_comment(line)) {
        plain_line value = next_value(&line, separator);
        size_t length = (size_t)(value.end - value.begin);
        RCITY_CHECK(context, memchr(value.begin, ';', length) == NULL && memchr(value.begin, '"', length) == NULL,
                    RCITY_ERR_FORMAT, "'%s' line %lld: '%.*s' is not a number", name, (long long)number,
                    length < 40 ? (int)length : 40, value.begin);
        if (count > 0) {
            *(*to)++ = ';';
        }
        memcpy(*to, value.begin, length);
        *to += length;
        count++;
    }
    RCITY_CHECK(context, count <= value_count, RCITY_ERR_FORMAT,
                "'%s' line %lld has %d values, the first line has %d: x, y, value and height at most", name,
                (long long)number, count, value_count);
    *(*to)++ = '\n';
    return RCITY_OK;
}

rcity_status rcity_plain_list_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                    rcity_records *records)
{
    while (byte_count > 0 && bytes[byte_count - 1] == 0x1a) {
        byte_count--; /* the end-of-file mark of old systems */
    }
    char separator = ' ';
    int value_count = VALUE_MIN;
    RCITY_CHECK(context, find_form(bytes, byte_count, &separator, &value_count), RCITY_ERR_FORMAT,
                "'%s' is no list of x, y and value", name);
    char *text = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, byte_count + strlen(heading[VALUE_MAX]) + 2, 1, name, &text));
    memcpy(text, heading[value_count], strlen(heading[value_count]));
    char *to = text + strlen(heading[value_count]);
    const char *end = bytes + byte_count;
    const char *at = byte_count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? bytes + 3 : bytes;
    for (int64_t number = 1; at < end; number++) {
        plain_line line = cut_line(at, end);
        RCITY_TRY_DONE(rewrite_line(context, name, number, line, separator, value_count, &to));
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        at = line_end != NULL ? line_end + 1 : end;
    }
    RCITY_TRY_DONE(rcity_records_parse_named(context, name, text, (size_t)(to - text), records));
done:
    rcity_release(context, text);
    return status;
}

rcity_status rcity_plain_list_load(rcity_context *context, const char *path, rcity_records *records)
{
    char *bytes = NULL;
    size_t byte_count = 0;
    RCITY_TRY(rcity_file_load(context, path, &bytes, &byte_count));
    rcity_status status = rcity_plain_list_parse(context, path, bytes, byte_count, records);
    rcity_release(context, bytes);
    return status;
}
