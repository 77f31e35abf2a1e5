/* The positions of a list's rows in a scene. Rows are transformed all at once, since creating a transformation takes
   far longer than using it; rows are checked one by one only when it fails. */
#include <math.h>
#include <string.h>

#include "io/list/quantities.h"
#include "radiocity/crs.h"
#include "scene/place/scene_distance.h"
#include "scene/shapes.h"

#define NAMES_X   "x|easting|x_m|easting_m|x_coordinate|coord_x|utm_x"
#define NAMES_Y   "y|northing|y_m|northing_m|y_coordinate|coord_y|utm_y"
#define NAMES_LON "lon|longitude|lng|long|lon_deg|longitude_deg|lon_wgs84|rxlon"
#define NAMES_LAT "lat|latitude|lat_deg|latitude_deg|lat_wgs84|rxlat"

/* The meaning of the two numbers of a row. */
enum { PLACE_METRES, PLACE_LONLAT, PLACE_GEOMETRY, PLACE_NONE };

typedef struct locator {
    rcity_records *records;
    const rcity_scene *scene;
    rcity_scene_info info;
    const rcity_place_options *options;
    const char *input_crs; /* of the numbers */
    unsigned char *kind;   /* of each row */
    double *xy;            /* of each row */
} locator;

rcity_place_options rcity_place_options_default(void)
{
    return (rcity_place_options){.x = NAMES_X, .y = NAMES_Y, .lon = NAMES_LON, .lat = NAMES_LAT, .uses_geometry = true};
}

static rcity_status prefix(const locator *at, rcity_status status, int64_t row)
{
    char place[RCITY_RECORDS_PLACE_BYTES];
    return rcity_fail_prefix(at->records->context, status, "'%s' %s: ", rcity_csv_name(at->records->table),
                             rcity_records_place(at->records, row, place));
}

/* Two values of a row; both or none. */
static rcity_status read_pair(const locator *at, int64_t row, const int column[2], const double limit[2],
                              double value[2])
{
    value[0] = value[1] = (double)NAN;
    for (int i = 0; i < 2; i++) {
        RCITY_TRY(rcity_records_number(at->records, row, column[i], -limit[i], limit[i], &value[i]));
    }
    if (isnan(value[0]) == isnan(value[1])) {
        return RCITY_OK;
    }
    if (at->options->may_lack) {
        value[0] = value[1] = (double)NAN;
        return RCITY_OK;
    }
    int filled = isnan(value[0]) ? 1 : 0;
    const rcity_csv *table = at->records->table;
    const char *other = column[1 - filled] >= 0 ? rcity_csv_column_name(table, column[1 - filled]) : "the other one";
    (void)rcity_fail(at->records->context, RCITY_ERR_FORMAT, "'%.60s' is filled and %.60s is not; give both",
                     rcity_csv_column_name(table, column[filled]), other);
    return prefix(at, RCITY_ERR_FORMAT, row);
}

/* The numbers of one row and their meaning. The geometry of a feature has precedence over its fields; only if it is in
   degrees and the scene has no CRS are the fields used. */
static rcity_status read_row(locator *at, int64_t row, const int metre_column[2], const int degree_column[2])
{
    /* latitudes beyond 90 pass here: rcity_scene_place_lonlat() has a better message for them */
    const double metre_limit[2] = {RCITY_COORDINATE_MAX_M, RCITY_COORDINATE_MAX_M};
    const double degree_limit[2] = {360.0, 360.0};
    const rcity_records *records = at->records;
    bool has_crs = strcmp(at->info.crs, "none") != 0;
    bool has_geometry = at->options->uses_geometry && records->xy != NULL && !isnan(records->xy[2 * row]);
    double *xy = at->xy + 2 * row;
    double metres[2];
    double degrees[2];
    if (has_geometry && (has_crs || !records->is_lonlat)) {
        at->kind[row] = PLACE_GEOMETRY;
        memcpy(xy, records->xy + 2 * row, 2 * sizeof *xy);
        return RCITY_OK;
    }
    RCITY_TRY(read_pair(at, row, metre_column, metre_limit, metres));
    RCITY_TRY(read_pair(at, row, degree_column, degree_limit, degrees));
    bool has_metres = !isnan(metres[0]);
    bool has_degrees = !isnan(degrees[0]);
    if (has_degrees && (has_crs || !has_metres)) {
        at->kind[row] = PLACE_LONLAT;
        memcpy(xy, degrees, sizeof degrees);
        return RCITY_OK;
    }
    if (has_metres) {
        bool is_lonlat = at->input_crs != NULL && strcmp(at->input_crs, RCITY_CRS_LONLAT) == 0;
        at->kind[row] = is_lonlat ? PLACE_LONLAT : PLACE_METRES;
        memcpy(xy, metres, sizeof metres);
        return RCITY_OK;
    }
    if (has_geometry) {
        at->kind[row] = PLACE_GEOMETRY;
        memcpy(xy, records->xy + 2 * row, 2 * sizeof *xy);
        return RCITY_OK;
    }
    if (at->options->may_lack) {
        at->kind[row] = PLACE_NONE;
        return RCITY_OK;
    }
    (void)rcity_fail(records->context, RCITY_ERR_ARGUMENT,
                     records->is_vector ? "there is no place; give it a point, or fields x and y or lon and lat"
                                        : "there is no place; fill x and y, or lon and lat");
    return prefix(at, RCITY_ERR_ARGUMENT, row);
}

static bool is_beyond_degrees(const double xy[2])
{
    return fabs(xy[0]) > 360.0 || fabs(xy[1]) > 360.0;
}

/* The same for a place that is read as degrees only because the file states no CRS: it may contain metres. */
static rcity_status prefix_degrees(const locator *at, rcity_status status, int64_t row)
{
    if (at->kind[row] != PLACE_GEOMETRY || !at->records->is_unsaid) {
        return prefix(at, status, row);
    }
    (void)rcity_fail_prefix(at->records->context, status,
                            "GeoJSON that states no CRS is in degrees (RFC 7946), metres go into a CSV with columns x "
                            "and y: ");
    return prefix(at, status, row);
}

/* Check one place as longitude and latitude: valid, not swapped, and not on another continent. */
static rcity_status judge_place(const locator *at, int64_t row)
{
    rcity_context *context = at->records->context;
    const double *degrees = at->xy + 2 * row;
    bool has_crs = strcmp(at->info.crs, "none") != 0;
    double there[2];
    rcity_status status = rcity_scene_place_lonlat(context, at->scene, degrees[0], degrees[1], &there[0], &there[1]);
    if (status != RCITY_OK) {
        bool may_be_metres = !has_crs || is_beyond_degrees(degrees);
        return may_be_metres ? prefix_degrees(at, status, row) : prefix(at, status, row);
    }
    double distance_m = rcity_scene_distance_m(&at->info, there);
    if (distance_m > RCITY_SCENE_NEAR_M && !at->options->may_lack) {
        status = rcity_fail(context, RCITY_ERR_ARGUMENT,
                            "longitude %.10g, latitude %.10g lies %.0f km from the scene; correct it or leave it out",
                            degrees[0], degrees[1], distance_m * 1e-3);
        return prefix_degrees(at, status, row);
    }
    return RCITY_OK;
}

/* Check every row as longitude and latitude; fails at the first that cannot be transformed. */
static rcity_status judge_lonlat(const locator *at, int kind, const double *moved)
{
    int64_t next = 0;
    for (int64_t row = 0; row < rcity_records_count(at->records); row++) {
        if (at->kind[row] != kind) {
            continue;
        }
        const double *there = moved != NULL ? moved + 2 * next : NULL;
        next++;
        if (there != NULL && rcity_scene_distance_m(&at->info, there) <= RCITY_SCENE_NEAR_M) {
            continue;
        }
        RCITY_TRY(judge_place(at, row));
        if (there != NULL && at->options->may_lack) {
            break; /* one row shows whether they are swapped */
        }
    }
    return RCITY_OK;
}

/* Find the row that cannot be transformed. */
static rcity_status judge_metres(const locator *at, int kind, const char *from)
{
    for (int64_t row = 0; row < rcity_records_count(at->records); row++) {
        double xy[2] = {at->xy[2 * row], at->xy[2 * row + 1]};
        rcity_status status =
            at->kind[row] == kind ? rcity_crs_transform(at->records->context, from, at->info.crs, 1, xy) : RCITY_OK;
        if (status != RCITY_OK) {
            return prefix(at, status, row);
        }
    }
    return RCITY_OK;
}

/* Transform all rows of a kind from a CRS to the scene's. */
static rcity_status move_rows(locator *at, int kind, const char *from, bool is_lonlat)
{
    rcity_context *context = at->records->context;
    int64_t count = 0;
    for (int64_t row = 0; row < rcity_records_count(at->records); row++) {
        count += at->kind[row] == kind;
    }
    if (count == 0 || strcmp(from, at->info.crs) == 0) {
        return RCITY_OK;
    }
    double *moved = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 2 * (size_t)count, sizeof *moved, "a list", &moved));
    int64_t next = 0;
    for (int64_t row = 0; row < rcity_records_count(at->records); row++) {
        if (at->kind[row] == kind) {
            memcpy(moved + 2 * next++, at->xy + 2 * row, 2 * sizeof *moved);
        }
    }
    status = rcity_crs_transform(context, from, at->info.crs, count, moved);
    if (status == RCITY_ERR_MEMORY) {
        goto done;
    }
    if (status != RCITY_OK || is_lonlat) {
        rcity_status judged =
            is_lonlat ? judge_lonlat(at, kind, status == RCITY_OK ? moved : NULL) : judge_metres(at, kind, from);
        status = judged != RCITY_OK ? judged : status;
    }
    next = 0;
    for (int64_t row = 0; row < rcity_records_count(at->records) && status == RCITY_OK; row++) {
        if (at->kind[row] == kind) {
            memcpy(at->xy + 2 * row, moved + 2 * next++, 2 * sizeof *moved);
        }
    }
done:
    rcity_release(context, moved);
    return status;
}

/* Does the geometry look like metres, whatever its CRS? GeoJSON without a CRS means longitude and latitude, but some
   files contain local metres. */
static bool looks_like_metres(const locator *at)
{
    for (int64_t row = 0; row < rcity_records_count(at->records); row++) {
        if (at->kind[row] == PLACE_GEOMETRY && is_beyond_degrees(at->xy + 2 * row)) {
            return true;
        }
    }
    return false;
}

static rcity_status move_all(locator *at)
{
    const rcity_records *records = at->records;
    RCITY_TRY(move_rows(at, PLACE_LONLAT, RCITY_CRS_LONLAT, true));
    if (at->input_crs != NULL) {
        RCITY_TRY(move_rows(at, PLACE_METRES, at->input_crs, false));
    }
    bool is_plain = records->is_lonlat && strcmp(at->info.crs, "none") == 0 && looks_like_metres(at);
    if (is_plain) {
        rcity_log(records->context, RCITY_LOG_WARNING,
                  "'%s' states no CRS, which means degrees in GeoJSON, but some of its coordinates are none; they are "
                  "taken as metres, since the scene has no CRS either",
                  rcity_csv_name(records->table));
    }
    if (records->crs != NULL && !is_plain) {
        return move_rows(at, PLACE_GEOMETRY, records->crs, records->is_lonlat);
    }
    if (records->crs == NULL && at->input_crs != NULL) {
        return move_rows(at, PLACE_GEOMETRY, at->input_crs, strcmp(at->input_crs, RCITY_CRS_LONLAT) == 0);
    }
    return RCITY_OK;
}

/* A table whose first line names no columns of positions, or no columns at all. */
static rcity_status fail_columns(const rcity_records *records)
{
    char names[RCITY_RECORDS_LIST_BYTES];
    return rcity_fail(
        records->context, RCITY_ERR_FORMAT,
        "'%s' has neither columns x and y nor lon and lat; its first line must name the columns, and has: %s",
        rcity_csv_name(records->table), rcity_records_list_columns(records, names));
}

/* Are the numbers of a row degrees before the transformation? */
static bool is_in_degrees(const locator *at, int64_t row)
{
    bool takes_lonlat = at->input_crs != NULL && strcmp(at->input_crs, RCITY_CRS_LONLAT) == 0;
    return at->kind[row] == PLACE_LONLAT ||
           (at->kind[row] == PLACE_GEOMETRY && (at->records->crs != NULL ? at->records->is_lonlat : takes_lonlat));
}

/* Add the offset to the rows in metres, or to those in degrees. */
static void add_offset(const locator *at, bool to_degrees)
{
    for (int64_t row = 0; row < rcity_records_count(at->records); row++) {
        bool is_meant = at->kind[row] != PLACE_NONE && is_in_degrees(at, row) == to_degrees;
        for (int i = 0; i < 2 && is_meant; i++) {
            at->xy[2 * row + i] += at->options->offset_m[i];
        }
    }
}

/* Coordinates are metres or degrees; another unit is another name. */
static int find(rcity_records *records, const char *names)
{
    return rcity_records_find_quantity(records, names, RCITY_QUANTITY_WORD);
}

rcity_status rcity_records_locate_by(rcity_records *records, const rcity_scene *scene,
                                     const rcity_place_options *options, double *xy)
{
    locator at = {.records = records, .scene = scene, .options = options, .input_crs = options->input_crs, .xy = xy};
    RCITY_TRY(rcity_scene_find_info(records->context, scene, &at.info));
    const int metre_column[2] = {find(records, options->x), find(records, options->y)};
    const int degree_column[2] = {find(records, options->lon), find(records, options->lat)};
    size_t count = (size_t)rcity_records_count(records);
    bool has_columns =
        (metre_column[0] >= 0 && metre_column[1] >= 0) || (degree_column[0] >= 0 && degree_column[1] >= 0);
    RCITY_TRY(records->is_vector || has_columns ? RCITY_OK : fail_columns(records));
    RCITY_TRY(rcity_alloc(records->context, count, sizeof *at.kind, "a list", &at.kind));
    rcity_status status = RCITY_OK;
    for (int64_t row = 0; row < (int64_t)count; row++) {
        xy[2 * row] = xy[2 * row + 1] = (double)NAN;
        at.kind[row] = PLACE_NONE;
        if (options->is_wanted == NULL || options->is_wanted[row]) {
            RCITY_TRY_DONE(read_row(&at, row, metre_column, degree_column));
        }
    }
    add_offset(&at, false);
    RCITY_TRY_DONE(move_all(&at));
    add_offset(&at, true);
done:
    rcity_release(records->context, at.kind);
    return status;
}

rcity_status rcity_records_locate(rcity_records *records, const rcity_scene *scene, const char *input_crs, double *xy)
{
    rcity_place_options options = rcity_place_options_default();
    options.input_crs = input_crs;
    return rcity_records_locate_by(records, scene, &options, xy);
}
