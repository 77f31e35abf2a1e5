/* Demand from lists: points with weights and needs. */
#include <math.h>
#include <string.h>

#include "io/list/records.h"
#include "radiocity/siting.h"

#define NAMES_HEIGHT  "height_m|height|h"
#define NAMES_WEIGHT  "weight|users|traffic|population|demand"
#define NAMES_LEAST   "least_dbm|min_dbm"
#define NAMES_SINR    "least_sinr_db|min_sinr_db"
#define NAMES_SERVERS "servers|server_count"
#define WEIGHT_MAX    1e15
#define LEVEL_MAX     300.0

static rcity_status read_point(rcity_records *records, int64_t row, const int *columns, rcity_demand_point *point)
{
    double servers = 0.0;
    char place[RCITY_RECORDS_PLACE_BYTES];
    RCITY_TRY(rcity_records_number(records, row, columns[0], 0.0, RCITY_RX_HEIGHT_MAX_M, &point->height_m));
    RCITY_TRY(rcity_records_number(records, row, columns[1], 0.0, WEIGHT_MAX, &point->weight));
    RCITY_TRY(rcity_records_number(records, row, columns[2], -LEVEL_MAX, LEVEL_MAX, &point->least_dbm));
    RCITY_TRY(rcity_records_number(records, row, columns[3], -LEVEL_MAX, LEVEL_MAX, &point->least_sinr_db));
    RCITY_TRY(rcity_records_number(records, row, columns[4], 0.0, RCITY_DEMAND_SERVER_MAX, &servers));
    RCITY_CHECK(records->context, servers == floor(servers), RCITY_ERR_FORMAT,
                "'%s', %s: `servers` is %g, must be a whole number", rcity_csv_name(records->table),
                rcity_records_place(records, row, place), servers);
    point->server_count = (int)servers;
    return RCITY_OK;
}

static rcity_status read_points(rcity_records *records, const rcity_scene *scene, double height_m,
                                rcity_demand **demand)
{
    rcity_context *context = records->context;
    int64_t count = rcity_records_count(records);
    const int columns[] = {rcity_records_find(records, NAMES_HEIGHT), rcity_records_find(records, NAMES_WEIGHT),
                           rcity_records_find(records, NAMES_LEAST), rcity_records_find(records, NAMES_SINR),
                           rcity_records_find(records, NAMES_SERVERS)};
    rcity_demand_point *points = NULL;
    double *xy = NULL;
    rcity_status status;
    RCITY_CHECK(context, count > 0, RCITY_ERR_FORMAT,
                "'%s' lists no point of demand; give one a line, below the names of the columns",
                rcity_csv_name(records->table));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count, sizeof *points, "demand", &points));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)count, 2 * sizeof *xy, "demand", &xy));
    RCITY_TRY_DONE(rcity_records_locate(records, scene, NULL, xy));
    for (int64_t row = 0; row < count; row++) {
        points[row] = rcity_demand_point_default();
        points[row].x_m = xy[2 * row];
        points[row].y_m = xy[2 * row + 1];
        points[row].height_m = height_m;
        RCITY_TRY_DONE(read_point(records, row, columns, &points[row]));
    }
    rcity_records_report_unused(records);
    status = rcity_demand_create(context, count, points, demand);
    if (status != RCITY_OK) {
        status = rcity_fail_prefix(context, status, "'%s': ", rcity_csv_name(records->table));
    }
done:
    rcity_release(context, xy);
    rcity_release(context, points);
    return status;
}

rcity_status rcity_demand_load(rcity_context *context, const rcity_scene *scene, const char *path, double height_m,
                               rcity_demand **demand)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, path);
    RCITY_NEED(context, demand);
    rcity_records records;
    memset(&records, 0, sizeof records);
    rcity_status status = rcity_records_load(context, path, &records);
    if (status == RCITY_OK) {
        status = read_points(&records, scene, height_m, demand);
    }
    rcity_records_deinit(&records);
    return status;
}
