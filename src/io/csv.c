/* Tables of text. The file stays in memory; values are terminated in place. */
#include "io/csv.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"

struct rcity_csv {
    rcity_context *context;
    char *name;
    char *text; /* each value ends with a 0 in place of its separator */
    char separator;
    const char **cell; /* of all rows in order, the names first */
    size_t cell_count, cell_capacity;
    size_t *row_first_cell; /* the names are row 0; one more entry than rows */
    size_t row_count, row_capacity;
    int64_t *row_line;
    size_t line_capacity;
    const char **note; /* lines that start with '#', without the '#' */
    size_t note_count, note_capacity;
};

/* The position of the reader. */
typedef struct csv_reader {
    rcity_context *context;
    rcity_csv *csv;
    char *at, *end;
    int64_t line;
} csv_reader;

static bool is_line_end(char letter)
{
    return letter == '\n' || letter == '\r';
}

static bool is_space(char letter)
{
    return letter == ' ' || letter == '\t';
}

/* Independent of the locale. */
static char to_lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* The separator that occurs most often among the names; a comma when there is none. */
static char find_separator(const char *at, const char *end)
{
    static const char candidates[] = {',', ';', '\t'};
    size_t count[sizeof candidates] = {0};
    bool is_quoted = false;
    for (; at < end && (is_quoted || !is_line_end(*at)); at++) {
        is_quoted = *at == '"' ? !is_quoted : is_quoted;
        for (size_t i = 0; i < sizeof candidates; i++) {
            count[i] += !is_quoted && *at == candidates[i];
        }
    }
    size_t best = 0;
    for (size_t i = 1; i < sizeof candidates; i++) {
        best = count[i] > count[best] ? i : best;
    }
    return candidates[best];
}

static void skip_line_end(csv_reader *reader)
{
    if (reader->at < reader->end) {
        bool is_pair = reader->at[0] == '\r' && reader->at + 1 < reader->end && reader->at[1] == '\n';
        reader->at += is_pair ? 2 : 1;
        reader->line++;
    }
}

static char *find_line_end(const csv_reader *reader)
{
    char *at = reader->at;
    while (at < reader->end && !is_line_end(*at)) {
        at++;
    }
    return at;
}

/* Trim spaces at both ends; the 0 is written at `end`. */
static const char *trim(char *begin, char *end)
{
    while (begin < end && (is_space(*begin) || is_line_end(*begin))) {
        begin++;
    }
    while (end > begin && (is_space(end[-1]) || is_line_end(end[-1]))) {
        end--;
    }
    *end = '\0';
    return begin;
}

static rcity_status add_cell(csv_reader *reader, const char *value)
{
    rcity_csv *csv = reader->csv;
    RCITY_TRY(rcity_reserve(reader->context, csv->cell_count + 1, sizeof *csv->cell, &csv->cell_capacity, csv->name,
                            &csv->cell));
    csv->cell[csv->cell_count++] = value;
    return RCITY_OK;
}

/* A value in quotes, with doubled quotes made single; leaves the reader after the closing quote. */
static rcity_status read_quoted(csv_reader *reader, char **begin, char **end)
{
    int64_t first_line = reader->line;
    char *from = reader->at + 1;
    char *to = from;
    *begin = from;
    for (; from < reader->end; from++) {
        if (*from == '"') {
            if (from + 1 >= reader->end || from[1] != '"') {
                break;
            }
            from++;
        }
        reader->line += *from == '\n' || (*from == '\r' && !(from + 1 < reader->end && from[1] == '\n'));
        *to++ = *from;
    }
    RCITY_CHECK(reader->context, from < reader->end, RCITY_ERR_FORMAT,
                "'%s' line %lld: a quote (\") is opened and never closed; close it, or leave it out", reader->csv->name,
                (long long)first_line);
    *end = to;
    reader->at = from + 1;
    while (reader->at < reader->end && is_space(*reader->at) && *reader->at != reader->csv->separator) {
        reader->at++;
    }
    RCITY_CHECK(
        reader->context, reader->at == reader->end || is_line_end(*reader->at) || *reader->at == reader->csv->separator,
        RCITY_ERR_FORMAT, "'%s' line %lld: there is text behind a closing quote; double a quote (\"\") inside a value",
        reader->csv->name, (long long)reader->line);
    return RCITY_OK;
}

/* One value; `*is_last` is set when the line ends after it. */
static rcity_status read_cell(csv_reader *reader, bool *is_last)
{
    char separator = reader->csv->separator;
    while (reader->at < reader->end && is_space(*reader->at) && *reader->at != separator) {
        reader->at++;
    }
    char *begin = reader->at;
    char *end;
    if (begin < reader->end && *begin == '"') {
        RCITY_TRY(read_quoted(reader, &begin, &end));
    } else {
        while (reader->at < reader->end && !is_line_end(*reader->at) && *reader->at != separator) {
            reader->at++;
        }
        end = reader->at;
    }
    *is_last = reader->at == reader->end || *reader->at != separator;
    if (*is_last) {
        skip_line_end(reader);
    } else {
        reader->at++;
    }
    return add_cell(reader, trim(begin, end));
}

/* One line of values. An empty line is skipped; empty values beyond the last name are ignored. */
static rcity_status read_row(csv_reader *reader)
{
    rcity_csv *csv = reader->csv;
    size_t first_cell = csv->cell_count;
    int64_t line = reader->line;
    for (bool is_last = false; !is_last;) {
        RCITY_TRY(read_cell(reader, &is_last));
    }
    while (csv->cell_count > first_cell && csv->cell[csv->cell_count - 1][0] == '\0') {
        csv->cell_count--;
    }
    if (csv->cell_count == first_cell) {
        return RCITY_OK;
    }
    RCITY_CHECK(
        reader->context, csv->row_count == 0 || csv->cell_count - first_cell <= csv->row_first_cell[1],
        RCITY_ERR_FORMAT,
        "'%s' line %lld has %zu values, the first line names %zu columns; put values that contain the separator "
        "'%s' into quotes%s",
        csv->name, (long long)line, csv->cell_count - first_cell, csv->row_first_cell[1],
        csv->separator == '\t'  ? "tab"
        : csv->separator == ';' ? ";"
                                : ",",
        csv->separator == ',' ? ", and where numbers have a decimal comma separate them by semicolons" : "");
    RCITY_TRY(rcity_reserve(reader->context, csv->row_count + 2, sizeof *csv->row_first_cell, &csv->row_capacity,
                            csv->name, &csv->row_first_cell));
    RCITY_TRY(rcity_reserve(reader->context, csv->row_count + 1, sizeof *csv->row_line, &csv->line_capacity, csv->name,
                            &csv->row_line));
    csv->row_first_cell[csv->row_count] = first_cell;
    csv->row_first_cell[csv->row_count + 1] = csv->cell_count;
    csv->row_line[csv->row_count++] = line;
    return RCITY_OK;
}

static rcity_status read_note(csv_reader *reader)
{
    rcity_csv *csv = reader->csv;
    char *end = find_line_end(reader);
    char *begin = reader->at + 1;
    RCITY_TRY(rcity_reserve(reader->context, csv->note_count + 1, sizeof *csv->note, &csv->note_capacity, csv->name,
                            &csv->note));
    reader->at = end;
    skip_line_end(reader);
    csv->note[csv->note_count++] = trim(begin, end);
    return RCITY_OK;
}

static bool is_equal_word(const char *a, const char *b, size_t b_length)
{
    size_t i = 0;
    for (; i < b_length && a[i] != '\0'; i++) {
        if (to_lower(a[i]) != to_lower(b[i])) {
            return false;
        }
    }
    return i == b_length && a[i] == '\0';
}

static rcity_status check_names(csv_reader *reader)
{
    rcity_csv *csv = reader->csv;
    RCITY_CHECK(reader->context, csv->row_first_cell[1] <= RCITY_CSV_COLUMN_MAX, RCITY_ERR_FORMAT,
                "'%s' line %lld names %zu columns, at most %d are read", csv->name, (long long)csv->row_line[0],
                csv->row_first_cell[1], RCITY_CSV_COLUMN_MAX);
    for (size_t i = 0; i < csv->row_first_cell[1]; i++) {
        for (size_t k = 0; k < i; k++) {
            RCITY_CHECK(reader->context,
                        csv->cell[i][0] == '\0' || !is_equal_word(csv->cell[k], csv->cell[i], strlen(csv->cell[i])),
                        RCITY_ERR_FORMAT, "'%s' line %lld names the column '%.60s' twice; rename or remove one",
                        csv->name, (long long)csv->row_line[0], csv->cell[i]);
        }
    }
    return RCITY_OK;
}

/* Refuse a 0 byte in the text: it means UTF-16 or a spreadsheet's binary format. */
static rcity_status check_bytes(csv_reader *reader)
{
    const char *zero = memchr(reader->at, 0, (size_t)(reader->end - reader->at));
    if (zero == NULL) {
        return RCITY_OK;
    }
    int64_t line = 1;
    for (const char *at = reader->at; at < zero; at++) {
        line += *at == '\n';
    }
    return rcity_fail(reader->context, RCITY_ERR_FORMAT,
                      "'%s' line %lld holds a NUL byte: it is no plain text; save it as CSV in UTF-8",
                      reader->csv->name, (long long)line);
}

static rcity_status read_table(csv_reader *reader)
{
    RCITY_TRY(check_bytes(reader));
    if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xef\xbb\xbf", 3) == 0) {
        reader->at += 3; /* byte-order mark of UTF-8 */
    }
    while (reader->end > reader->at && reader->end[-1] == 0x1a) {
        reader->end--; /* the end-of-file mark of old systems */
    }
    while (reader->at < reader->end) {
        if (*reader->at == '#') {
            RCITY_TRY(read_note(reader));
            continue;
        }
        if (reader->csv->row_count == 0) {
            reader->csv->separator = find_separator(reader->at, reader->end);
        }
        bool is_named = reader->csv->row_count > 0;
        RCITY_TRY(read_row(reader));
        if (!is_named && reader->csv->row_count > 0) {
            RCITY_TRY(check_names(reader));
        }
    }
    RCITY_CHECK(reader->context, reader->csv->row_count > 0, RCITY_ERR_FORMAT,
                "'%s' has no columns; its first line must name them", reader->csv->name);
    return RCITY_OK;
}

/* The table takes ownership of `text`, also on failure. */
static rcity_status parse(rcity_context *context, const char *name, char *text, size_t byte_count, int64_t first_line,
                          rcity_csv **csv)
{
    rcity_csv *made = NULL;
    rcity_status status = rcity_alloc(context, 1, sizeof *made, name, &made);
    if (status != RCITY_OK) {
        rcity_release(context, text);
        return status;
    }
    made->context = context;
    made->text = text;
    made->separator = ',';
    csv_reader reader = {context, made, text, text + byte_count, first_line};
    RCITY_TRY_DONE(rcity_copy_text(context, name, &made->name));
    RCITY_TRY_DONE(read_table(&reader));
    *csv = made;
    made = NULL;
done:
    rcity_csv_destroy(&made);
    return status;
}

static rcity_status copy_and_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                   int64_t first_line, rcity_csv **csv)
{
    char *text = NULL;
    RCITY_TRY(rcity_alloc(context, byte_count + 1, 1, name, &text));
    if (byte_count > 0) {
        memcpy(text, bytes, byte_count);
    }
    return parse(context, name, text, byte_count, first_line, csv);
}

rcity_status rcity_csv_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                             rcity_csv **csv)
{
    return copy_and_parse(context, name, bytes, byte_count, 1, csv);
}

rcity_status rcity_csv_parse_named(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                   rcity_csv **csv)
{
    return copy_and_parse(context, name, bytes, byte_count, 0, csv);
}

rcity_status rcity_csv_load(rcity_context *context, const char *path, rcity_csv **csv)
{
    char *text = NULL;
    size_t byte_count = 0;
    RCITY_TRY(rcity_file_load(context, path, &text, &byte_count));
    return parse(context, path, text, byte_count, 1, csv);
}

void rcity_csv_destroy(rcity_csv **csv)
{
    if (csv == NULL || *csv == NULL) {
        return;
    }
    rcity_csv *old = *csv;
    rcity_release(old->context, old->note);
    rcity_release(old->context, old->row_line);
    rcity_release(old->context, old->row_first_cell);
    rcity_release(old->context, old->cell);
    rcity_release(old->context, old->text);
    rcity_release(old->context, old->name);
    rcity_release(old->context, old);
    *csv = NULL;
}

int64_t rcity_csv_row_count(const rcity_csv *csv)
{
    return (int64_t)csv->row_count - 1;
}

int rcity_csv_column_count(const rcity_csv *csv)
{
    return (int)csv->row_first_cell[1];
}

const char *rcity_csv_column_name(const rcity_csv *csv, int column)
{
    assert(column >= 0 && column < rcity_csv_column_count(csv));
    return csv->cell[column];
}

const char *rcity_csv_name(const rcity_csv *csv)
{
    return csv->name;
}

char rcity_csv_separator(const rcity_csv *csv)
{
    return csv->separator;
}

int rcity_csv_find_column(const rcity_csv *csv, const char *names)
{
    while (*names != '\0') {
        size_t length = strcspn(names, "|");
        for (int i = 0; i < rcity_csv_column_count(csv); i++) {
            if (is_equal_word(csv->cell[i], names, length)) {
                return i;
            }
        }
        names += length + (names[length] == '|');
    }
    return -1;
}

const char *rcity_csv_note(const rcity_csv *csv, const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < csv->note_count; i++) {
        const char *note = csv->note[i];
        size_t key_length = strcspn(note, ":= \t");
        size_t mark = key_length + strspn(note + key_length, " \t");
        bool is_key = key_length == length && (note[mark] == ':' || note[mark] == '=');
        for (size_t k = 0; is_key && k < length; k++) {
            is_key = to_lower(note[k]) == to_lower(key[k]);
        }
        if (is_key) {
            return note + mark + 1 + strspn(note + mark + 1, " \t");
        }
    }
    return "";
}

const char *rcity_csv_text(const rcity_csv *csv, int64_t row, int column)
{
    assert(row >= 0 && row < rcity_csv_row_count(csv) && column >= -1 && column < rcity_csv_column_count(csv));
    size_t first_cell = csv->row_first_cell[row + 1];
    size_t count = csv->row_first_cell[row + 2] - first_cell;
    return column >= 0 && (size_t)column < count ? csv->cell[first_cell + (size_t)column] : "";
}

int64_t rcity_csv_line(const rcity_csv *csv, int64_t row)
{
    assert(row >= 0 && row < rcity_csv_row_count(csv));
    return csv->row_line[row + 1];
}

bool rcity_csv_read_number(const char *text, bool may_use_comma, double *value)
{
    char copy[64];
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, length + 1);
    char *comma = may_use_comma && strchr(copy, '.') == NULL ? strchr(copy, ',') : NULL;
    if (comma != NULL) {
        *comma = '.';
    }
    const char *at = copy;
    double read;
    if (!rcity_number_read(&at, copy + length, &read) || at != copy + length || !isfinite(read)) {
        return false;
    }
    *value = read;
    return true;
}

rcity_status rcity_csv_number(rcity_context *context, const rcity_csv *csv, int64_t row, int column, double *value)
{
    const char *text = rcity_csv_text(csv, row, column);
    if (*text == '\0') {
        return RCITY_OK;
    }
    RCITY_CHECK(context, rcity_csv_read_number(text, csv->separator != ',', value), RCITY_ERR_FORMAT,
                "'%s' line %lld, column '%.60s': '%.40s' is not a number", csv->name,
                (long long)rcity_csv_line(csv, row), csv->cell[column], text);
    return RCITY_OK;
}
