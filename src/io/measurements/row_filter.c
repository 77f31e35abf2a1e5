#include "io/measurements/row_filter.h"

#include <string.h>

/* Copy a part of a text without the spaces around it. @return whether it fits and something is left. */
static bool copy_trimmed(const char *begin, const char *end, char copy[RCITY_ROW_FILTER_BYTES])
{
    while (begin < end && (*begin == ' ' || *begin == '\t')) {
        begin++;
    }
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    size_t length = (size_t)(end - begin);
    if (length == 0 || length >= RCITY_ROW_FILTER_BYTES) {
        return false;
    }
    memcpy(copy, begin, length);
    copy[length] = '\0';
    return true;
}

rcity_status rcity_row_filter_read(rcity_records *records, const char *where, rcity_row_filter *filter)
{
    /* the longer operator first */
    static const struct {
        const char *sign;
        rcity_row_relation relation;
    } relations[] = {{"<=", RCITY_ROW_LESS_OR_EQUAL}, {">=", RCITY_ROW_GREATER_OR_EQUAL},
                     {"!=", RCITY_ROW_NOT_EQUAL},     {"==", RCITY_ROW_EQUAL},
                     {"<", RCITY_ROW_LESS},           {">", RCITY_ROW_GREATER},
                     {"=", RCITY_ROW_EQUAL}};
    rcity_context *context = records->context;
    const char *at = where + strcspn(where, "<>=!");
    size_t length = 0;
    for (size_t i = 0; i < sizeof relations / sizeof relations[0] && length == 0; i++) {
        size_t sign_length = strlen(relations[i].sign);
        if (strncmp(at, relations[i].sign, sign_length) == 0) {
            length = sign_length;
            filter->relation = relations[i].relation;
        }
    }
    char column[RCITY_ROW_FILTER_BYTES];
    bool is_whole = length > 0 && copy_trimmed(where, at, column) &&
                    copy_trimmed(at + length, at + strlen(at), filter->text) && strchr(column, '|') == NULL;
    RCITY_CHECK(context, is_whole, RCITY_ERR_ARGUMENT,
                "the condition '%.100s' is not COLUMN<VALUE (or <=, >, >=, =, !=), such as \"ID<54638\"", where);
    filter->column = rcity_records_find(records, column);
    char list[RCITY_RECORDS_LIST_BYTES];
    RCITY_CHECK(context, filter->column >= 0, RCITY_ERR_ARGUMENT,
                "the condition '%.100s' names a column that '%s' does not have; it has: %s", where,
                rcity_csv_name(records->table), rcity_records_list_columns(records, list));
    filter->is_number = rcity_csv_read_number(filter->text, true, &filter->number);
    RCITY_CHECK(context,
                filter->is_number || filter->relation == RCITY_ROW_EQUAL || filter->relation == RCITY_ROW_NOT_EQUAL,
                RCITY_ERR_ARGUMENT, "the condition '%.100s' compares with a word; only = and != can", where);
    return RCITY_OK;
}

static bool compare(rcity_row_relation relation, double a, double b)
{
    switch (relation) {
    case RCITY_ROW_LESS:
        return a < b;
    case RCITY_ROW_LESS_OR_EQUAL:
        return a <= b;
    case RCITY_ROW_GREATER:
        return a > b;
    case RCITY_ROW_GREATER_OR_EQUAL:
        return a >= b;
    case RCITY_ROW_EQUAL:
        return a == b;
    default:
        return a != b;
    }
}

rcity_status rcity_row_filter_test(const rcity_records *records, const rcity_row_filter *filter, int64_t row,
                                   bool *is_met)
{
    const char *text = rcity_records_text(records, row, filter->column);
    *is_met = false;
    if (text[0] == '\0') {
        return RCITY_OK;
    }
    bool may_use_comma = records->is_vector || rcity_csv_separator(records->table) != ',';
    double number;
    if (filter->is_number && rcity_csv_read_number(text, may_use_comma, &number)) {
        *is_met = compare(filter->relation, number, filter->number);
        return RCITY_OK;
    }
    char place[RCITY_RECORDS_PLACE_BYTES];
    RCITY_CHECK(records->context, filter->relation == RCITY_ROW_EQUAL || filter->relation == RCITY_ROW_NOT_EQUAL,
                RCITY_ERR_FORMAT, "'%s' %s, column '%.60s': '%.40s' is not a number that can be compared with %s",
                rcity_csv_name(records->table), rcity_records_place(records, row, place),
                rcity_csv_column_name(records->table, filter->column), text, filter->text);
    *is_met = (strcmp(text, filter->text) == 0) == (filter->relation == RCITY_ROW_EQUAL);
    return RCITY_OK;
}
