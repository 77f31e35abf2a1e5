/* The one list of column names of measured values, their heights, times and routes; docs/guide/measurements.md
   documents it for users. */
#include "io/measurements/measurement_columns.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/list/quantities.h"

#define NAMES_LOSS                                                                                                     \
    "path_loss_db|path_loss|pathloss_db|pathloss|loss_db|loss|l_btl__db|l_meas__db|basic_transmission_loss_db|"        \
    "basic_transmission_loss|btl_db|btl|transmission_loss_db|transmission_loss|measured_loss_db|measured_loss|"        \
    "propagation_loss_db|propagation_loss"
#define NAMES_POWER                                                                                                    \
    "received_power_dbm|received_power|rx_power_dbm|rx_power|prx_dbm|prx|power_dbm|power|level_dbm|level|rx_level_"    \
    "dbm|"                                                                                                             \
    "rx_level|rsrp_dbm|rsrp|rssi_dbm|rssi|rscp_dbm|rscp|signal_dbm|signal|signal_strength_dbm|signal_strength|"        \
    "measured_power_dbm|measured_power"
#define NAMES_HEIGHT "height_m|height|h_rx__meter|rx_height_m|rx_height|h_rx_m|h_rx|rx_h"
#define NAMES_TIME                                                                                                     \
    "time_s|time|timestamp|timeoffset__sec|time_offset_s|time_sec|datetime|date_time|utc_time|utc|seconds|epoch|"      \
    "unix_time"
#define NAMES_ROUTE "route|route_name|route_id|track|track_id|drive|drive_id|run|run_id|trip"

#define CANDIDATE_MAX 64

/* Columns that may hold the value. */
typedef struct value_candidates {
    int count;
    int column[CANDIDATE_MAX];
    rcity_measured_kind kind[CANDIDATE_MAX];
} value_candidates;

static void add_candidates(rcity_records *records, const char *names, rcity_measured_kind kind, value_candidates *found)
{
    while (*names != '\0') {
        char name[64];
        size_t length = strcspn(names, "|");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        names += length + (names[length] == '|');
        int column = rcity_records_find(records, name);
        bool is_new = column >= 0;
        for (int i = 0; i < found->count; i++) {
            is_new = is_new && found->column[i] != column;
        }
        if (is_new && found->count < CANDIDATE_MAX) {
            found->column[found->count] = column;
            found->kind[found->count++] = kind;
        }
    }
}

/* Keep only those of a kind, if there are any. */
static void prefer_kind(rcity_measured_kind kind, value_candidates *found)
{
    int count = 0;
    for (int i = 0; i < found->count; i++) {
        if (found->kind[i] == kind) {
            found->column[count] = found->column[i];
            found->kind[count++] = kind;
        }
    }
    found->count = count > 0 ? count : found->count;
}

/* A column by the name that the user gave. */
static rcity_status find_given(rcity_records *records, const char *option, const char *name, int *column)
{
    *column = strchr(name, '|') == NULL ? rcity_records_find(records, name) : -1;
    char list[RCITY_RECORDS_LIST_BYTES];
    RCITY_CHECK(records->context, *column >= 0, RCITY_ERR_ARGUMENT,
                "'%s' has no column '%.60s', which `%s` names; it has: %s", rcity_csv_name(records->table), name,
                option, rcity_records_list_columns(records, list));
    return RCITY_OK;
}

static rcity_status fail_candidates(const rcity_records *records, const value_candidates *found)
{
    char list[RCITY_RECORDS_LIST_BYTES];
    if (found->count == 0) {
        return rcity_fail(records->context, RCITY_ERR_ARGUMENT,
                          "'%s' has no column whose name says path loss or received power (such as path_loss_db, "
                          "received_power_dbm, rsrp); name it with `value-column` and `kind=loss` or power; it has: %s",
                          rcity_csv_name(records->table), rcity_records_list_columns(records, list));
    }
    char names[RCITY_RECORDS_LIST_BYTES] = "";
    for (int i = 0; i < found->count; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%.60s", i > 0 ? ", " : "",
                 rcity_csv_column_name(records->table, found->column[i]));
    }
    return rcity_fail(records->context, RCITY_ERR_ARGUMENT,
                      "'%s' has %d columns that may be the measured value: %s; name one with `value-column`",
                      rcity_csv_name(records->table), found->count, names);
}

static rcity_status find_value(rcity_records *records, const rcity_measurements_options *options, bool is_plain,
                               rcity_measurement_columns *columns)
{
    if (is_plain && options->value_column == NULL) {
        columns->value = rcity_records_find(records, "value");
        columns->kind = options->kind == RCITY_MEASURED_AUTO ? RCITY_MEASURED_LOSS : options->kind;
        return RCITY_OK;
    }
    value_candidates found = {.count = 0};
    add_candidates(records, NAMES_LOSS, RCITY_MEASURED_LOSS, &found);
    add_candidates(records, NAMES_POWER, RCITY_MEASURED_POWER, &found);
    if (options->value_column == NULL) {
        prefer_kind(options->kind, &found);
        RCITY_TRY(found.count == 1 ? RCITY_OK : fail_candidates(records, &found));
        columns->value = found.column[0];
        columns->kind = options->kind == RCITY_MEASURED_AUTO ? found.kind[0] : options->kind;
        return RCITY_OK;
    }
    RCITY_TRY(find_given(records, "value-column", options->value_column, &columns->value));
    columns->kind = options->kind;
    for (int i = 0; i < found.count && columns->kind == RCITY_MEASURED_AUTO; i++) {
        columns->kind = found.column[i] == columns->value ? found.kind[i] : RCITY_MEASURED_AUTO;
    }
    RCITY_CHECK(records->context, columns->kind != RCITY_MEASURED_AUTO, RCITY_ERR_ARGUMENT,
                "the name of the column '%.60s' of '%s' does not say whether it is path loss or received power; give "
                "`kind=loss` or `kind=power`",
                options->value_column, rcity_csv_name(records->table));
    return RCITY_OK;
}

/* A column that may be absent: as given, by its usual names, or none. */
static rcity_status find_optional(rcity_records *records, const char *option, const char *given, const char *names,
                                  rcity_quantity quantity, int *column)
{
    *column = -1;
    if (given == NULL) {
        *column = rcity_records_find_quantity(records, names, quantity);
    } else if (given[0] != '\0') {
        RCITY_TRY(find_given(records, option, given, column));
        rcity_records_read_unit(records, *column, quantity);
    }
    return RCITY_OK;
}

/* The first column whose name starts with "time"; there are many, such as timeOffset__sec. */
static int find_time_like(rcity_records *records)
{
    for (int i = 0; i < rcity_csv_column_count(records->table); i++) {
        const char *name = rcity_csv_column_name(records->table, i);
        if (strncasecmp(name, "time", 4) == 0 && strncasecmp(name, "timezone", 8) != 0 &&
            strncasecmp(name, "time_zone", 9) != 0) {
            return strchr(name, '|') == NULL ? rcity_records_find(records, name) : -1;
        }
    }
    return -1;
}

rcity_status rcity_measurement_find_columns(rcity_records *records, const rcity_measurements_options *options,
                                            bool is_plain, rcity_measurement_columns *columns)
{
    RCITY_TRY(find_value(records, options, is_plain, columns));
    RCITY_TRY(find_optional(records, "height-column", options->height_column, NAMES_HEIGHT, RCITY_QUANTITY_LENGTH,
                            &columns->height));
    RCITY_TRY(find_optional(records, "route-column", options->route_column, NAMES_ROUTE, RCITY_QUANTITY_WORD,
                            &columns->route));
    RCITY_TRY(
        find_optional(records, "time-column", options->time_column, NAMES_TIME, RCITY_QUANTITY_WORD, &columns->time));
    if (columns->time < 0 && options->time_column == NULL) {
        columns->time = find_time_like(records);
    }
    columns->time_unit_s = 1.0;
    if (columns->time >= 0) {
        const char *name = rcity_csv_column_name(records->table, columns->time);
        size_t length = strlen(name);
        bool is_in_ms = length > 3 && strcasecmp(name + length - 3, "_ms") == 0;
        columns->time_unit_s = is_in_ms ? 1e-3 : 1.0;
    }
    return RCITY_OK;
}
