/* Lists of places with named values. */
#include "io/list/records.h"

#include <stdio.h>
#include <string.h>

#include "io/list/quantities.h"

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t ending_length = strlen(ending);
    if (length < ending_length) {
        return false;
    }
    for (size_t i = 0; i < ending_length; i++) {
        char letter = path[length - ending_length + i];
        letter = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
        if (letter != ending[i]) {
            return false;
        }
    }
    return true;
}

/* Allocate the flags of the columns for a loaded table; on failure everything is released. */
static rcity_status finish(rcity_context *context, rcity_status status, rcity_records *made, rcity_records *records)
{
    if (status == RCITY_OK) {
        status = rcity_alloc(context, (size_t)rcity_csv_column_count(made->table), sizeof *made->is_used, "a list",
                             &made->is_used);
    }
    if (status == RCITY_OK) {
        status = rcity_alloc(context, (size_t)rcity_csv_column_count(made->table), sizeof *made->unit, "a list",
                             &made->unit);
    }
    if (status != RCITY_OK) {
        rcity_records_deinit(made);
        return status;
    }
    *records = *made;
    return RCITY_OK;
}

rcity_status rcity_records_load(rcity_context *context, const char *path, rcity_records *records)
{
    rcity_records made;
    memset(&made, 0, sizeof made);
    made.context = context;
    bool is_text = ends_with(path, ".csv") || ends_with(path, ".tsv") || ends_with(path, ".txt");
    rcity_status status =
        is_text ? rcity_csv_load(context, path, &made.table) : rcity_records_read_vector(context, path, &made);
    return finish(context, status, &made, records);
}

rcity_status rcity_records_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                 rcity_records *records)
{
    rcity_records made;
    memset(&made, 0, sizeof made);
    made.context = context;
    return finish(context, rcity_csv_parse(context, name, bytes, byte_count, &made.table), &made, records);
}

rcity_status rcity_records_parse_named(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                       rcity_records *records)
{
    rcity_records made;
    memset(&made, 0, sizeof made);
    made.context = context;
    return finish(context, rcity_csv_parse_named(context, name, bytes, byte_count, &made.table), &made, records);
}

void rcity_records_deinit(rcity_records *records)
{
    rcity_release(records->context, records->crs);
    rcity_release(records->context, records->xy);
    rcity_release(records->context, records->unit);
    rcity_release(records->context, records->is_used);
    rcity_csv_destroy(&records->table);
    memset(records, 0, sizeof *records);
}

int64_t rcity_records_count(const rcity_records *records)
{
    return rcity_csv_row_count(records->table);
}

/* Cut each of the names to ten letters. */
static void cut_names(const char *names, char *cut, size_t room)
{
    size_t filled = 0;
    int letters = 0;
    for (; *names != '\0' && filled + 1 < room; names++) {
        letters = *names == '|' ? 0 : letters + 1;
        if (letters <= 10) {
            cut[filled++] = *names;
        }
    }
    cut[filled] = '\0';
}

int rcity_records_find(rcity_records *records, const char *names)
{
    int column = rcity_csv_find_column(records->table, names);
    if (column < 0 && records->is_vector) {
        char cut[256];
        cut_names(names, cut, sizeof cut);
        column = rcity_csv_find_column(records->table, cut);
    }
    if (column >= 0) {
        records->is_used[column] = true;
    }
    return column;
}

void rcity_records_list_name(char list[RCITY_RECORDS_LIST_BYTES], const char *name)
{
    size_t length = strlen(list);
    bool fits = length + strlen(name) + 8 < RCITY_RECORDS_LIST_BYTES;
    bool is_cut = length >= 3 && strcmp(list + length - 3, "...") == 0;
    if (!is_cut) {
        snprintf(list + length, RCITY_RECORDS_LIST_BYTES - length, "%s%s", length > 0 ? ", " : "", fits ? name : "...");
    }
}

static bool has_name(const rcity_records *records, int column)
{
    const char *name = rcity_csv_column_name(records->table, column);
    return name[0] != '\0' && strcmp(name, RCITY_RECORDS_FEATURE) != 0;
}

const char *rcity_records_list_columns(const rcity_records *records, char list[RCITY_RECORDS_LIST_BYTES])
{
    list[0] = '\0';
    for (int i = 0; i < rcity_csv_column_count(records->table); i++) {
        if (has_name(records, i)) {
            rcity_records_list_name(list, rcity_csv_column_name(records->table, i));
        }
    }
    return list;
}

void rcity_records_report_unused(const rcity_records *records)
{
    char list[RCITY_RECORDS_LIST_BYTES] = "";
    int count = 0;
    for (int i = 0; i < rcity_csv_column_count(records->table); i++) {
        if (!records->is_used[i] && has_name(records, i)) {
            rcity_records_list_name(list, rcity_csv_column_name(records->table, i));
            count++;
        }
    }
    if (count > 0) {
        rcity_log(records->context, RCITY_LOG_WARNING, "'%s': %d %s not used: %s", rcity_csv_name(records->table),
                  count, count > 1 ? "columns are" : "column is", list);
    }
}

const char *rcity_records_text(const rcity_records *records, int64_t row, int column)
{
    return rcity_csv_text(records->table, row, column);
}

const char *rcity_records_place(const rcity_records *records, int64_t row, char place[RCITY_RECORDS_PLACE_BYTES])
{
    if (records->is_vector) {
        snprintf(place, RCITY_RECORDS_PLACE_BYTES, "feature %.32s", rcity_csv_text(records->table, row, 0));
    } else {
        snprintf(place, RCITY_RECORDS_PLACE_BYTES, "line %lld", (long long)rcity_csv_line(records->table, row));
    }
    return place;
}

rcity_status rcity_records_number(const rcity_records *records, int64_t row, int column, double low, double high,
                                  double *value)
{
    const char *text = rcity_records_text(records, row, column);
    if (text[0] == '\0') {
        return RCITY_OK;
    }
    char place[RCITY_RECORDS_PLACE_BYTES];
    bool may_use_comma = records->is_vector || rcity_csv_separator(records->table) != ',';
    double read = 0.0;
    RCITY_CHECK(records->context, rcity_csv_read_number(text, may_use_comma, &read), RCITY_ERR_FORMAT,
                "'%s' %s, column '%.60s': '%.40s' is not a number", rcity_csv_name(records->table),
                rcity_records_place(records, row, place), rcity_csv_column_name(records->table, column), text);
    double converted = rcity_quantity_convert(records->unit[column], read);
    char meaning[48] = "";
    if (converted != read) {
        snprintf(meaning, sizeof meaning, " (%.6g)", converted);
    }
    RCITY_CHECK(records->context, converted >= low && converted <= high, RCITY_ERR_FORMAT,
                "'%s' %s, column '%.60s': %.40s%s is out of range, must be %g to %g", rcity_csv_name(records->table),
                rcity_records_place(records, row, place), rcity_csv_column_name(records->table, column), text, meaning,
                low, high);
    *value = converted;
    return RCITY_OK;
}
