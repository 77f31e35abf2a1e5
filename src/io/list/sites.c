/* Sites with sectors as transmitters. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "io/list/quantities.h"
#include "io/list/site_fields.h"
#include "radiocity/site.h"

/* An antenna that one or more sectors of the list use. */
typedef struct site_antenna {
    char *path; /* or built-in name */
    rcity_antenna *antenna;
} site_antenna;

struct rcity_sites {
    rcity_context *context;
    int count;
    rcity_transmitter *transmitters;
    char (*names)[RCITY_SITE_NAME_BYTES];
    site_antenna *antennas;
    size_t antenna_count, antenna_capacity;
};

void rcity_sites_options_init(rcity_sites_options *options, size_t struct_bytes)
{
    rcity_sites_options made;
    memset(&made, 0, sizeof made);
    made.defaults = rcity_transmitter_default();
    made.defaults.frequency_hz = (double)NAN;
    made.defaults.power_dbm = (double)NAN;
    made.defaults.height_m = (double)NAN;
    rcity_give_defaults(&made, sizeof made, struct_bytes, options);
}

/* The path of an antenna file named in a list: relative to the list's folder unless it is absolute. */
static rcity_status find_path(rcity_context *context, const char *list_path, const char *name, char **path)
{
    const char *slash = strrchr(list_path, '/');
    size_t folder_length = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - list_path) + 1;
    size_t bytes = folder_length + strlen(name) + 1;
    RCITY_TRY(rcity_alloc(context, bytes, 1, "a path", path));
    snprintf(*path, bytes, "%.*s%s", (int)folder_length, list_path, name);
    return RCITY_OK;
}

/* A built-in antenna by that name, or the file. */
static rcity_status open_antenna(rcity_context *context, const char *name, const char *path,
                                 rcity_antenna_synthesis synthesis, rcity_antenna **antenna)
{
    rcity_status status = rcity_antenna_create(context, name, antenna);
    if (status != RCITY_ERR_ARGUMENT) {
        return status;
    }
    status = rcity_antenna_load(context, path, synthesis, antenna);
    if (status == RCITY_ERR_FILE) {
        return rcity_fail_prefix(
            context, status, "the antenna '%.100s' is neither built in (isotropic, dipole, 3gpp) nor a file: ", name);
    }
    return status;
}

/* The antenna of a row, loaded once for all rows that name it. */
static rcity_status find_antenna(rcity_sites *sites, const char *list_path, const char *name,
                                 rcity_antenna_synthesis synthesis, const rcity_antenna **antenna)
{
    rcity_context *context = sites->context;
    char *path = NULL;
    rcity_antenna *opened = NULL;
    RCITY_TRY(find_path(context, list_path, name, &path));
    for (size_t i = 0; i < sites->antenna_count; i++) {
        if (strcmp(sites->antennas[i].path, path) == 0) {
            rcity_release(context, path);
            *antenna = sites->antennas[i].antenna;
            return RCITY_OK;
        }
    }
    rcity_status status;
    RCITY_TRY_DONE(rcity_reserve(context, sites->antenna_count + 1, sizeof *sites->antennas, &sites->antenna_capacity,
                                 "antennas", &sites->antennas));
    RCITY_TRY_DONE(open_antenna(context, name, path, synthesis, &opened));
    sites->antennas[sites->antenna_count].path = path;
    sites->antennas[sites->antenna_count++].antenna = opened;
    *antenna = opened;
    path = NULL;
done:
    rcity_release(context, path);
    return status;
}

static rcity_status read_row(rcity_sites *sites, const rcity_records *records, const rcity_site_columns *columns,
                             int row, const rcity_sites_options *options)
{
    rcity_transmitter *transmitter = &sites->transmitters[row];
    *transmitter = options->defaults;
    RCITY_TRY(rcity_site_read_name(records, columns, row, sites->names[row]));
    transmitter->name = sites->names[row];
    RCITY_TRY(rcity_site_read_row(records, columns, row, sites->names[row], transmitter));
    const char *antenna = rcity_site_antenna(records, columns, row);
    if (antenna[0] == '\0') {
        return RCITY_OK;
    }
    const char *list_path = rcity_csv_name(records->table);
    rcity_status status = find_antenna(sites, list_path, antenna, options->synthesis, &transmitter->antenna);
    if (status != RCITY_OK && status != RCITY_ERR_MEMORY) {
        char place[RCITY_RECORDS_PLACE_BYTES];
        return rcity_fail_prefix(sites->context, status, "'%s' %s: ", list_path,
                                 rcity_records_place(records, row, place));
    }
    return status;
}

/* A name and its row. */
typedef struct sector_name {
    const char *name;
    int row;
} sector_name;

static int compare_names(const void *a, const void *b)
{
    const sector_name *first = a;
    const sector_name *second = b;
    int order = strcmp(first->name, second->name);
    return order != 0 ? order : (first->row > second->row) - (first->row < second->row);
}

/* Refuse two sectors with the same name: maps and files are named after them. */
static rcity_status check_names(const rcity_sites *sites, const rcity_records *records)
{
    sector_name *sorted = NULL;
    RCITY_TRY(rcity_alloc(sites->context, (size_t)sites->count, sizeof *sorted, "a list", &sorted));
    for (int i = 0; i < sites->count; i++) {
        sorted[i].name = sites->names[i];
        sorted[i].row = i;
    }
    qsort(sorted, (size_t)sites->count, sizeof *sorted, compare_names);
    rcity_status status = RCITY_OK;
    for (int i = 1; i < sites->count && status == RCITY_OK; i++) {
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0) {
            char place[2][RCITY_RECORDS_PLACE_BYTES];
            status =
                rcity_fail(sites->context, RCITY_ERR_FORMAT,
                           "'%s': %s and %s are both called '%s'; give them different names in the column sector",
                           rcity_csv_name(records->table), rcity_records_place(records, sorted[i - 1].row, place[0]),
                           rcity_records_place(records, sorted[i].row, place[1]), sorted[i].name);
        }
    }
    rcity_release(sites->context, sorted);
    return status;
}

/* A column that nobody understands may be a height or a power under another name: a prediction without it is wrong
   without a word. */
static rcity_status check_columns(const rcity_records *records, const rcity_sites_options *options)
{
    char list[RCITY_RECORDS_LIST_BYTES];
    int count = 0;
    if (options->ignores_unknown_columns || !rcity_records_list_unknown(records, list, &count)) {
        return RCITY_OK;
    }
    return rcity_fail(records->context, RCITY_ERR_FORMAT,
                      "'%s': %d %s not understood: %s; rename %s as the guide has it (sites), remove %s, or go on with "
                      "`accept-unusual`",
                      rcity_csv_name(records->table), count, count > 1 ? "columns are" : "column is", list,
                      count > 1 ? "them" : "it", count > 1 ? "them" : "it");
}

static rcity_status check_heights(const rcity_sites *sites, const rcity_records *records)
{
    for (int row = 0; row < sites->count; row++) {
        char place[RCITY_RECORDS_PLACE_BYTES];
        RCITY_CHECK(sites->context, !isnan(sites->transmitters[row].height_m), RCITY_ERR_ARGUMENT,
                    "'%s' %s: '%s' has no height; fill the column height_m, or give `sites-height-m` for all",
                    rcity_csv_name(records->table), rcity_records_place(records, row, place), sites->names[row]);
    }
    return RCITY_OK;
}

static rcity_status fill(rcity_sites *sites, rcity_records *records, const rcity_scene *scene,
                         const rcity_sites_options *options)
{
    rcity_context *context = sites->context;
    int64_t count = rcity_records_count(records);
    RCITY_CHECK(context, count > 0, RCITY_ERR_FORMAT, "'%s' lists no sector", rcity_csv_name(records->table));
    RCITY_CHECK(context, count <= INT_MAX, RCITY_ERR_FORMAT, "'%s' lists %lld sectors, at most %d are taken",
                rcity_csv_name(records->table), (long long)count, INT_MAX);
    sites->count = (int)count;
    RCITY_TRY(rcity_alloc(context, (size_t)count, sizeof *sites->transmitters, "sectors", &sites->transmitters));
    RCITY_TRY(rcity_alloc(context, (size_t)count, sizeof *sites->names, "sectors", &sites->names));
    rcity_site_columns columns;
    rcity_site_find_columns(records, &columns);
    for (int row = 0; row < sites->count; row++) {
        RCITY_TRY(read_row(sites, records, &columns, row, options));
    }
    RCITY_TRY(check_names(sites, records));
    double *xy = NULL;
    RCITY_TRY(rcity_alloc(context, 2 * (size_t)count, sizeof *xy, "sectors", &xy));
    rcity_status status = rcity_records_locate(records, scene, options->input_crs, xy);
    for (int row = 0; row < sites->count; row++) {
        sites->transmitters[row].x_m = xy[2 * row];
        sites->transmitters[row].y_m = xy[2 * row + 1];
    }
    rcity_release(context, xy);
    RCITY_TRY(status);
    RCITY_TRY(check_columns(records, options));
    return check_heights(sites, records);
}

rcity_status rcity_sites_load(rcity_context *context, const rcity_scene *scene, const char *path,
                              const rcity_sites_options *options, rcity_sites **sites)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, path);
    rcity_sites_options known;
    RCITY_TAKE(context, rcity_sites_options, synthesis, options, &known);
    options = &known;
    RCITY_TRY(RCITY_CHECK_FIXED(context, rcity_transmitter, &known.defaults));
    RCITY_NEED(context, sites);
    rcity_records records;
    memset(&records, 0, sizeof records);
    rcity_sites *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "sectors", &made));
    made->context = context;
    RCITY_TRY_DONE(rcity_records_load(context, path, &records));
    RCITY_TRY_DONE(fill(made, &records, scene, options));
    rcity_records_report_unused(&records);
    *sites = made;
    made = NULL;
done:
    rcity_sites_destroy(&made);
    rcity_records_deinit(&records);
    return status;
}

void rcity_sites_destroy(rcity_sites **sites)
{
    if (sites == NULL || *sites == NULL) {
        return;
    }
    rcity_sites *old = *sites;
    for (size_t i = 0; i < old->antenna_count; i++) {
        rcity_antenna_destroy(&old->antennas[i].antenna);
        rcity_release(old->context, old->antennas[i].path);
    }
    rcity_release(old->context, old->antennas);
    rcity_release(old->context, old->names);
    rcity_release(old->context, old->transmitters);
    rcity_release(old->context, old);
    *sites = NULL;
}

int rcity_sites_count(const rcity_sites *sites)
{
    if (sites == NULL) {
        return 0;
    }
    return sites->count;
}

const rcity_transmitter *rcity_sites_transmitters(const rcity_sites *sites)
{
    if (sites == NULL) {
        return NULL;
    }
    return sites->transmitters;
}
