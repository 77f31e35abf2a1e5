#include "io/measurements/measurement_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/measurements/measurement_transmitters.h"
#include "io/measurements/row_filter.h"
#include "io/measurements/time_text.h"
#include "scene/shapes.h"

#define NAME_BYTES 256 /* of a route */

/* A route: the text of its column and the transmitter. */
typedef struct row_route {
    const char *text;
    int transmitter;
} row_route;

typedef struct row_reader {
    rcity_context *context;
    rcity_records *records;
    const rcity_scene *scene;
    rcity_scene_info info;
    const rcity_measurements_options *options;
    const rcity_measurement_columns *columns;
    bool *is_wanted;            /* of each row: the condition is met */
    double *xy;                 /* of each row, NAN without a place */
    int *transmitter;           /* of each row: index into those of `bearer` */
    rcity_measurements *bearer; /* holds all transmitters that rows state */
    row_route *routes;
    size_t route_count, route_capacity;
    rcity_measurements *made;
} row_reader;

static rcity_status choose_rows(row_reader *reader)
{
    int64_t count = rcity_records_count(reader->records);
    rcity_row_filter filter;
    if (reader->options->where != NULL) {
        RCITY_TRY(rcity_row_filter_read(reader->records, reader->options->where, &filter));
    }
    for (int64_t row = 0; row < count; row++) {
        reader->is_wanted[row] = true;
        if (reader->options->where != NULL) {
            RCITY_TRY(rcity_row_filter_test(reader->records, &filter, row, &reader->is_wanted[row]));
        }
    }
    return RCITY_OK;
}

static rcity_status read_time(const row_reader *reader, int64_t row, double *time_s)
{
    const rcity_records *records = reader->records;
    const char *text = rcity_records_text(records, row, reader->columns->time);
    *time_s = (double)NAN;
    if (text[0] == '\0') {
        return RCITY_OK;
    }
    char place[RCITY_RECORDS_PLACE_BYTES];
    bool may_use_comma = records->is_vector || rcity_csv_separator(records->table) != ',';
    RCITY_CHECK(reader->context, rcity_time_read(text, may_use_comma, time_s), RCITY_ERR_FORMAT,
                "'%s' %s, column '%.60s': '%.40s' is no time; give seconds or ISO 8601 (2023-07-10T14:03:05Z), or "
                "another column with `time-column` (\"\" for none)",
                rcity_csv_name(records->table), rcity_records_place(records, row, place),
                rcity_csv_column_name(records->table, reader->columns->time), text);
    *time_s *= reader->columns->time_unit_s;
    return RCITY_OK;
}

/* Line or number of a feature, for messages. */
static int64_t find_number(const rcity_records *records, int64_t row)
{
    double number = 0.0;
    if (!records->is_vector) {
        return rcity_csv_line(records->table, row);
    }
    return rcity_csv_read_number(rcity_records_text(records, row, 0), false, &number) ? (int64_t)number : row;
}

/* Texts that programs write for "no value". */
static bool is_missing(const char *text)
{
    static const char *const words[] = {"nan", "na", "n/a", "null", "none", "-"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* One row as in the file; value and place are NAN if they are missing. */
static rcity_status read_row(const row_reader *reader, int64_t row, rcity_measurement *sample)
{
    memset(sample, 0, sizeof *sample);
    sample->x_m = reader->xy[2 * row];
    sample->y_m = reader->xy[2 * row + 1];
    sample->value = (double)NAN;
    sample->height_m = reader->options->height_m;
    sample->transmitter = reader->transmitter[row];
    sample->sample_count = 1;
    sample->row = find_number(reader->records, row);
    if (!is_missing(rcity_records_text(reader->records, row, reader->columns->value))) {
        RCITY_TRY(rcity_records_number(reader->records, row, reader->columns->value, -RCITY_MEASURED_LIMIT_DB,
                                       RCITY_MEASURED_LIMIT_DB, &sample->value));
    }
    RCITY_TRY(rcity_records_number(reader->records, row, reader->columns->height, 0.0, RCITY_RX_HEIGHT_MAX_M,
                                   &sample->height_m));
    return read_time(reader, row, &sample->time_s);
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool is_duplicate(const rcity_measurement *sample, const rcity_measurement *before)
{
    return sample->x_m == before->x_m && sample->y_m == before->y_m && sample->value == before->value &&
           is_same(sample->time_s, before->time_s) && sample->height_m == before->height_m &&
           sample->transmitter == before->transmitter;
}

static bool is_outside(const rcity_scene_info *info, double x_m, double y_m)
{
    return !(x_m >= info->x_min_m && x_m <= info->x_max_m && y_m >= info->y_min_m && y_m <= info->y_max_m);
}

/* Does a value reach a limit of the receiver? */
static bool is_at_floor(const row_reader *reader, double value)
{
    double weakest = reader->options->weakest;
    return reader->columns->kind == RCITY_MEASURED_LOSS ? value >= weakest : value <= weakest;
}

static bool is_saturated(const row_reader *reader, double value)
{
    double strongest = reader->options->strongest;
    return reader->columns->kind == RCITY_MEASURED_LOSS ? value <= strongest : value >= strongest;
}

/* Count a row and decide whether it is kept. */
static bool judge_row(const row_reader *reader, const rcity_measurement *sample, const rcity_measurement *before)
{
    rcity_measurement_tally *tally = &reader->made->tally;
    if (isnan(sample->value) || isnan(sample->x_m)) {
        tally->gap_count++;
        return false;
    }
    if (is_duplicate(sample, before)) {
        tally->duplicate_count++;
        return false;
    }
    if (is_at_floor(reader, sample->value)) {
        tally->floor_count++;
        return false;
    }
    if (is_saturated(reader, sample->value)) {
        tally->saturated_count++;
        return false;
    }
    bool lies_outside = is_outside(&reader->info, sample->x_m, sample->y_m);
    tally->outside_count += lies_outside;
    return !lies_outside || reader->options->keeps_outside;
}

/* The route of a row; it is often that of the row before. */
static rcity_status find_route(row_reader *reader, int64_t row, int transmitter, int *route)
{
    const char *text = rcity_records_text(reader->records, row, reader->columns->route);
    for (size_t i = reader->route_count; i-- > 0;) {
        if (reader->routes[i].transmitter == transmitter && strcmp(reader->routes[i].text, text) == 0) {
            *route = (int)i;
            return RCITY_OK;
        }
    }
    RCITY_CHECK(reader->context, reader->route_count < RCITY_MEASUREMENT_ROUTE_MAX, RCITY_ERR_ARGUMENT,
                "'%s' has more than %d routes; the column '%.60s' counts something else, name another with "
                "`route-column` (\"\" for none)",
                rcity_csv_name(reader->records->table), RCITY_MEASUREMENT_ROUTE_MAX,
                reader->columns->route >= 0 ? rcity_csv_column_name(reader->records->table, reader->columns->route)
                                            : "of the transmitter");
    RCITY_TRY(rcity_reserve(reader->context, reader->route_count + 1, sizeof *reader->routes, &reader->route_capacity,
                            "measurements", &reader->routes));
    *route = (int)reader->route_count;
    reader->routes[reader->route_count++] = (row_route){text, transmitter};
    return RCITY_OK;
}

static rcity_status keep_rows(row_reader *reader)
{
    rcity_measurement before = {.value = (double)NAN};
    rcity_measurement_tally *tally = &reader->made->tally;
    tally->row_count = rcity_records_count(reader->records);
    for (int64_t row = 0; row < tally->row_count; row++) {
        rcity_measurement sample;
        if (!reader->is_wanted[row]) {
            tally->left_out_count++;
            continue;
        }
        RCITY_TRY(read_row(reader, row, &sample));
        bool is_kept = judge_row(reader, &sample, &before);
        before = sample;
        if (is_kept) {
            tally->kept_count++;
            sample.value += reader->options->value_offset_db;
            RCITY_TRY(find_route(reader, row, sample.transmitter, &sample.route));
            RCITY_TRY(rcity_measurements_add(reader->made, &sample));
        }
    }
    return RCITY_OK;
}

/* Would most rows lie in the scene if x and y, or longitude and latitude, were exchanged? */
static rcity_status find_swapped(row_reader *reader, bool *is_swapped)
{
    rcity_place_options place = rcity_place_options_default();
    rcity_place_options swapped = {.x = place.y,
                                   .y = place.x,
                                   .lon = place.lat,
                                   .lat = place.lon,
                                   .input_crs = reader->options->input_crs,
                                   .offset_m = {reader->options->x_offset_m, reader->options->y_offset_m},
                                   .is_wanted = reader->is_wanted,
                                   .may_lack = true};
    rcity_status status = rcity_records_locate_by(reader->records, reader->scene, &swapped, reader->xy);
    int64_t inside_count = 0;
    for (int64_t row = 0; row < rcity_records_count(reader->records) && status == RCITY_OK; row++) {
        inside_count += !is_outside(&reader->info, reader->xy[2 * row], reader->xy[2 * row + 1]);
    }
    *is_swapped = 2 * inside_count > reader->made->tally.outside_count;
    return status == RCITY_ERR_MEMORY ? status : RCITY_OK; /* invalid when exchanged: not swapped */
}

/* Append a count that is above 0 to a list for a message. */
static void list_count(char *list, size_t room, int64_t count, const char *what)
{
    size_t used = strlen(list);
    if (count > 0) {
        snprintf(list + used, room - used, "%s%lld %s", used > 0 ? ", " : "", (long long)count, what);
    }
}

/* No row is left: fail with the reasons. */
static rcity_status fail_empty(row_reader *reader)
{
    const rcity_measurement_tally *tally = &reader->made->tally;
    const char *name = rcity_csv_name(reader->records->table);
    double at[2] = {(double)NAN, (double)NAN};
    for (int64_t row = 0; row < tally->row_count && isnan(at[0]); row++) {
        memcpy(at, reader->xy + 2 * row, sizeof at);
    }
    bool is_swapped = false;
    RCITY_TRY(tally->outside_count > 0 ? find_swapped(reader, &is_swapped) : RCITY_OK);
    RCITY_CHECK(reader->context, !is_swapped, RCITY_ERR_ARGUMENT,
                "all measurements of '%s' lie outside the scene, the first at (%.2f, %.2f), but with x and y (or "
                "longitude and latitude) exchanged they lie in it: exchange the names of the columns",
                name, at[0], at[1]);
    char list[400] = "";
    list_count(list, sizeof list, tally->left_out_count, "that do not meet the condition");
    list_count(list, sizeof list, tally->gap_count, "without a value or a place");
    list_count(list, sizeof list, tally->duplicate_count, "repeated");
    list_count(list, sizeof list, tally->floor_count, "at the weak end");
    list_count(list, sizeof list, tally->saturated_count, "at the strong end");
    list_count(list, sizeof list, tally->outside_count, "outside the scene");
    char where[200] = "";
    if (tally->outside_count > 0) {
        snprintf(where, sizeof where, "; the first lies at (%.2f, %.2f), the scene is x %.2f to %.2f, y %.2f to %.2f",
                 at[0], at[1], reader->info.x_min_m, reader->info.x_max_m, reader->info.y_min_m, reader->info.y_max_m);
    }
    return rcity_fail(reader->context, RCITY_ERR_ARGUMENT, "no measurement of '%s' is left of %lld: %s%s", name,
                      (long long)tally->row_count, list, where);
}

/* Move the transmitters that are still used, in the order of the file. */
static rcity_status add_transmitters(row_reader *reader)
{
    rcity_measurements *made = reader->made;
    for (size_t i = 0; i < reader->route_count; i++) {
        int stated = reader->routes[i].transmitter;
        if (stated >= 0) {
            RCITY_TRY(rcity_measurements_find_transmitter(made, &reader->bearer->transmitters[stated],
                                                          &reader->routes[i].transmitter));
        }
    }
    for (size_t i = 0; i < made->count; i++) {
        made->list[i].transmitter = reader->routes[made->list[i].route].transmitter;
    }
    return RCITY_OK;
}

/* A route without a name is named after the file, without folder and ending. */
static void find_base(const char *path, char base[NAME_BYTES])
{
    const char *slash = strrchr(path, '/');
    snprintf(base, NAME_BYTES, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(base, '.');
    if (dot != NULL && dot != base) {
        *dot = '\0';
    }
}

/* Routes with the same name are distinguished by their transmitters. */
static rcity_status add_routes(row_reader *reader)
{
    char base[NAME_BYTES];
    find_base(rcity_csv_name(reader->records->table), base);
    for (size_t i = 0; i < reader->route_count; i++) {
        const row_route *route = &reader->routes[i];
        bool is_alone = true;
        for (size_t k = 0; k < reader->route_count && is_alone; k++) {
            is_alone = k == i || strcmp(reader->routes[k].text, route->text) != 0;
        }
        const char *transmitter =
            is_alone || route->transmitter < 0 ? "" : reader->made->transmitter_names[route->transmitter];
        char name[2 * NAME_BYTES];
        int index;
        snprintf(name, sizeof name, "%.*s%s%s", NAME_BYTES - 1, route->text[0] != '\0' ? route->text : base,
                 transmitter[0] != '\0' ? ", " : "", transmitter);
        RCITY_TRY(rcity_measurements_add_route(reader->made, name, &index));
    }
    return RCITY_OK;
}

static rcity_status read_all(row_reader *reader)
{
    rcity_context *context = reader->context;
    size_t count = (size_t)rcity_records_count(reader->records);
    rcity_place_options place = rcity_place_options_default();
    place.input_crs = reader->options->input_crs;
    place.offset_m[0] = reader->options->x_offset_m;
    place.offset_m[1] = reader->options->y_offset_m;
    place.may_lack = true;
    RCITY_CHECK(context, count > 0, RCITY_ERR_FORMAT, "'%s' lists no measurement",
                rcity_csv_name(reader->records->table));
    RCITY_TRY(rcity_scene_find_info(reader->context, reader->scene, &reader->info));
    RCITY_TRY(rcity_alloc(context, count, sizeof *reader->is_wanted, "measurements", &reader->is_wanted));
    RCITY_TRY(rcity_alloc(context, count, 2 * sizeof *reader->xy, "measurements", &reader->xy));
    RCITY_TRY(rcity_alloc(context, count, sizeof *reader->transmitter, "measurements", &reader->transmitter));
    RCITY_TRY(rcity_measurements_create(context, reader->columns->kind, &reader->bearer));
    RCITY_TRY(choose_rows(reader));
    place.is_wanted = reader->is_wanted;
    RCITY_TRY(rcity_records_locate_by(reader->records, reader->scene, &place, reader->xy));
    RCITY_TRY(rcity_measurement_read_transmitters(reader->records, reader->scene, reader->options, reader->is_wanted,
                                                  reader->bearer, reader->transmitter));
    RCITY_TRY(keep_rows(reader));
    RCITY_TRY(reader->made->count > 0 ? RCITY_OK : fail_empty(reader));
    RCITY_TRY(add_transmitters(reader));
    RCITY_TRY(add_routes(reader));
    return rcity_measurements_arrange(reader->made);
}

rcity_status rcity_measurement_read_rows(rcity_records *records, const rcity_scene *scene,
                                         const rcity_measurements_options *options,
                                         const rcity_measurement_columns *columns, rcity_measurements *made)
{
    row_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.context = records->context;
    reader.records = records;
    reader.scene = scene;
    reader.options = options;
    reader.columns = columns;
    reader.made = made;
    rcity_status status = read_all(&reader);
    rcity_measurements_destroy(&reader.bearer);
    rcity_release(reader.context, reader.routes);
    rcity_release(reader.context, reader.transmitter);
    rcity_release(reader.context, reader.xy);
    rcity_release(reader.context, reader.is_wanted);
    return status;
}
