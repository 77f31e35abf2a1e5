/* Columns by names that are nearly ours. Names are compared squashed: letters and digits in lower case, nothing else, so
   that "Height (m)", "height_m", "HeightM" and "Height [m]" are one. */
#include "io/list/quantities.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SQUASHED_BYTES 96

typedef enum conversion { SCALED, WATTS_TO_DBM, DBW_TO_DBM } conversion;

/* The units of all quantities; a column's unit is its index here plus 1. */
static const struct {
    rcity_quantity quantity;
    const char *name; /* squashed */
    conversion how;
    double factor;
} units[] = {
    {RCITY_QUANTITY_LENGTH, "m", SCALED, 1.0},
    {RCITY_QUANTITY_LENGTH, "metre", SCALED, 1.0},
    {RCITY_QUANTITY_LENGTH, "metres", SCALED, 1.0},
    {RCITY_QUANTITY_LENGTH, "meter", SCALED, 1.0},
    {RCITY_QUANTITY_LENGTH, "meters", SCALED, 1.0},
    {RCITY_QUANTITY_LENGTH, "cm", SCALED, 0.01},
    {RCITY_QUANTITY_LENGTH, "km", SCALED, 1000.0},
    {RCITY_QUANTITY_LENGTH, "ft", SCALED, 0.3048}, /* the international foot, exact */
    {RCITY_QUANTITY_LENGTH, "foot", SCALED, 0.3048},
    {RCITY_QUANTITY_LENGTH, "feet", SCALED, 0.3048},
    {RCITY_QUANTITY_FREQUENCY, "mhz", SCALED, 1.0},
    {RCITY_QUANTITY_FREQUENCY, "ghz", SCALED, 1e3},
    {RCITY_QUANTITY_FREQUENCY, "khz", SCALED, 1e-3},
    {RCITY_QUANTITY_FREQUENCY, "hz", SCALED, 1e-6},
    {RCITY_QUANTITY_ANGLE, "deg", SCALED, 1.0},
    {RCITY_QUANTITY_ANGLE, "degs", SCALED, 1.0},
    {RCITY_QUANTITY_ANGLE, "degree", SCALED, 1.0},
    {RCITY_QUANTITY_ANGLE, "degrees", SCALED, 1.0},
    {RCITY_QUANTITY_ANGLE, "degn", SCALED, 1.0}, /* from north */
    {RCITY_QUANTITY_LEVEL, "dbm", SCALED, 1.0},
    {RCITY_QUANTITY_LEVEL, "dbw", DBW_TO_DBM, 1.0},
    {RCITY_QUANTITY_LEVEL, "w", WATTS_TO_DBM, 1.0},
    {RCITY_QUANTITY_LEVEL, "watt", WATTS_TO_DBM, 1.0},
    {RCITY_QUANTITY_LEVEL, "watts", WATTS_TO_DBM, 1.0},
    {RCITY_QUANTITY_LEVEL, "kw", WATTS_TO_DBM, 1e3},
    {RCITY_QUANTITY_LEVEL, "mw", WATTS_TO_DBM, 1e-3},
    {RCITY_QUANTITY_POWER, "w", SCALED, 1.0},
    {RCITY_QUANTITY_POWER, "watt", SCALED, 1.0},
    {RCITY_QUANTITY_POWER, "watts", SCALED, 1.0},
    {RCITY_QUANTITY_LOSS, "db", SCALED, 1.0},
    {RCITY_QUANTITY_SHARE, "fraction", SCALED, 1.0},
    {RCITY_QUANTITY_SHARE, "share", SCALED, 1.0},
    {RCITY_QUANTITY_SHARE, "percent", SCALED, 0.01},
    {RCITY_QUANTITY_SHARE, "pct", SCALED, 0.01},
};

#define UNIT_COUNT (sizeof units / sizeof units[0])

static void squash(const char *name, size_t length, char squashed[SQUASHED_BYTES])
{
    size_t filled = 0;
    for (size_t i = 0; i < length && filled + 8 < SQUASHED_BYTES; i++) {
        char letter = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) {
            squashed[filled++] = letter;
        } else if (letter == '%') {
            memcpy(squashed + filled, "percent", 7);
            filled += 7;
        }
    }
    squashed[filled] = '\0';
}

/* Is a squashed column name one of the names, with a unit behind it or without? `*unit` is the unit's index plus 1, 0
   without one. */
static bool is_like(const char *column, const char *name, rcity_quantity quantity, int *unit)
{
    size_t length = strlen(name);
    *unit = 0;
    if (strncmp(column, name, length) != 0) {
        return false;
    }
    for (size_t i = 0; i < UNIT_COUNT && column[length] != '\0'; i++) {
        if (units[i].quantity == quantity && strcmp(column + length, units[i].name) == 0) {
            *unit = (int)i + 1;
            return true;
        }
    }
    return column[length] == '\0';
}

int rcity_records_find_quantity(rcity_records *records, const char *names, rcity_quantity quantity)
{
    int column = rcity_records_find(records, names);
    for (const char *at = names; column < 0 && *at != '\0';) {
        size_t length = strcspn(at, "|");
        char name[SQUASHED_BYTES];
        squash(at, length, name);
        at += length + (at[length] == '|');
        for (int i = 0; column < 0 && i < rcity_csv_column_count(records->table); i++) {
            const char *given = rcity_csv_column_name(records->table, i);
            char squashed[SQUASHED_BYTES];
            int unit = 0;
            squash(given, strlen(given), squashed);
            if (!records->is_used[i] && is_like(squashed, name, quantity, &unit)) {
                column = i;
                records->is_used[i] = true;
                records->unit[i] = unit;
            }
        }
    }
    return column;
}

void rcity_records_read_unit(rcity_records *records, int column, rcity_quantity quantity)
{
    const char *name = rcity_csv_column_name(records->table, column);
    static const char marks[] = " _-.,/()[]{}";
    const char *end = name + strlen(name);
    while (end > name && strchr(marks, end[-1]) != NULL) {
        end--;
    }
    const char *start = end;
    while (start > name && strchr(marks, start[-1]) == NULL) {
        start--;
    }
    char squashed[SQUASHED_BYTES];
    squash(start, (size_t)(end - start), squashed);
    int unit = 0;
    if (start > name && is_like(squashed, "", quantity, &unit)) {
        records->unit[column] = unit;
    }
}

double rcity_quantity_convert(int unit, double value)
{
    if (unit <= 0 || unit > (int)UNIT_COUNT) {
        return value;
    }
    double scaled = value * units[unit - 1].factor;
    switch (units[unit - 1].how) {
    case WATTS_TO_DBM:
        return 10.0 * log10(1000.0 * scaled);
    case DBW_TO_DBM:
        return scaled + 30.0;
    case SCALED:
        break;
    }
    return scaled;
}

/* Does a list of squashed words hold this one? */
static bool holds_word(const char *const *words, const char *word)
{
    while (*words != NULL && strcmp(*words, word) != 0) {
        words++;
    }
    return *words != NULL;
}

/* Words about a place that no prediction depends on, or that a program that made the file added. */
static bool is_description(const char *squashed)
{
    static const char *const words[] = {
        "address",  "street", "city",    "town",     "county", "state",       "country", "region",   "postcode",
        "zip",      "owner",  "vendor",  "operator", "tenant", "description", "comment", "comments", "note",
        "notes",    "remark", "remarks", "status",   "date",   "time",        "created", "modified", "fid",
        "objectid", "ogcfid", "gid",     "uuid",     "link",   "url",         "photo",   NULL};
    return squashed[0] == '\0' || holds_word(words, squashed);
}

/* A height, but not that of a transmitter, of a building or of the ground. */
static bool speaks_of_height(const char *squashed)
{
    static const char *const parts[] = {"height", "hgt", "agl", NULL};
    static const char *const others[] = {"tx", "transmitter", "building", "roof", "terr", "ground", "clutter", NULL};
    bool found = false;
    for (int i = 0; parts[i] != NULL && !found; i++) {
        found = strstr(squashed, parts[i]) != NULL;
    }
    for (int i = 0; others[i] != NULL && found; i++) {
        found = strstr(squashed, others[i]) == NULL;
    }
    return found;
}

/* Unused columns whose names a test holds for. */
static bool list_unused(const rcity_records *records, bool only_heights, char list[RCITY_RECORDS_LIST_BYTES],
                        int *count)
{
    *count = 0;
    list[0] = '\0';
    for (int i = 0; i < rcity_csv_column_count(records->table); i++) {
        const char *name = rcity_csv_column_name(records->table, i);
        char squashed[SQUASHED_BYTES];
        squash(name, strlen(name), squashed);
        bool is_counted = only_heights ? speaks_of_height(squashed) : !is_description(squashed);
        if (!records->is_used[i] && strcmp(name, RCITY_RECORDS_FEATURE) != 0 && is_counted) {
            rcity_records_list_name(list, name);
            (*count)++;
        }
    }
    return *count > 0;
}

bool rcity_records_list_unknown(const rcity_records *records, char list[RCITY_RECORDS_LIST_BYTES], int *count)
{
    return list_unused(records, false, list, count);
}

bool rcity_records_list_heights(const rcity_records *records, char list[RCITY_RECORDS_LIST_BYTES], int *count)
{
    return list_unused(records, true, list, count);
}
