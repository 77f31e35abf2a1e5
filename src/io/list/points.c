/* Points of receivers from lists. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/list/quantities.h"
#include "radiocity/site.h"

#define NAMES_NAME   "name|id|point|point_name"
#define NAMES_HEIGHT "height_m|height|h|h_rx__meter|rx_height|antenna_height|height_agl|agl"

/* Columns of the tables of points that we write. */
#define NAMES_RESULT "path_loss_db"
#define NAMES_POWER  "received_power_dbm"
#define NAMES_SIGHT  "line_of_sight"
#define NAMES_HIT    "obstacle"
#define NAMES_REASON "reason"
#define NAMES_SERVER "best_server"

struct rcity_points {
    rcity_context *context;
    int64_t count;
    double *xyh_m;
    char *names;   /* one after the other, each with its terminating 0 */
    size_t *first; /* offset of each name */
};

/* The names one after the other; a point without a name is named by its number. */
static rcity_status copy_names(rcity_points *points, const rcity_records *records, int column)
{
    size_t bytes = 0;
    char number[32];
    RCITY_TRY(rcity_alloc(points->context, (size_t)points->count, sizeof *points->first, "points", &points->first));
    for (int pass = 0; pass < 2; pass++) { /* the first pass only counts */
        size_t filled = 0;
        for (int64_t row = 0; row < points->count; row++) {
            const char *name = rcity_records_text(records, row, column);
            snprintf(number, sizeof number, "%lld", (long long)row + 1);
            name = name[0] != '\0' ? name : number;
            size_t length = strlen(name) + 1;
            if (pass == 1) {
                memcpy(points->names + filled, name, length);
                points->first[row] = filled;
            }
            filled += length;
        }
        bytes = filled;
        if (pass == 0) {
            RCITY_TRY(rcity_alloc(points->context, bytes, 1, "points", &points->names));
        }
    }
    return RCITY_OK;
}

/* A table of our own may come back: the levels in it are no news. */
static void skip_results(rcity_records *records)
{
    (void)rcity_records_find(records, NAMES_RESULT);
    (void)rcity_records_find(records, NAMES_POWER);
    (void)rcity_records_find(records, NAMES_SIGHT);
    (void)rcity_records_find(records, NAMES_HIT);
    (void)rcity_records_find(records, NAMES_REASON);
    (void)rcity_records_find(records, NAMES_SERVER);
    for (int i = 0; i < rcity_csv_column_count(records->table); i++) {
        const char *name = rcity_csv_column_name(records->table, i);
        records->is_used[i] = records->is_used[i] || strncmp(name, NAMES_POWER " ", sizeof NAMES_POWER) == 0;
    }
}

/* A height under a name that is not understood must not become the default. */
static rcity_status check_heights(const rcity_records *records)
{
    char list[RCITY_RECORDS_LIST_BYTES];
    int count = 0;
    RCITY_CHECK(records->context, !rcity_records_list_heights(records, list, &count), RCITY_ERR_FORMAT,
                "'%s': %d %s not understood: %s; the height of a receiver above ground is height_m (or another unit, "
                "such as height_ft); rename or remove %s",
                rcity_csv_name(records->table), count, count > 1 ? "columns of heights are" : "column of heights is",
                list, count > 1 ? "them" : "it");
    return RCITY_OK;
}

static rcity_status fill(rcity_points *points, rcity_records *records, const rcity_scene *scene, double height_m)
{
    rcity_context *context = points->context;
    points->count = rcity_records_count(records);
    RCITY_CHECK(context, points->count > 0, RCITY_ERR_FORMAT,
                "'%s' lists no point; give one a line, below the names of the columns", rcity_csv_name(records->table));
    RCITY_TRY(rcity_alloc(context, (size_t)points->count, 3 * sizeof *points->xyh_m, "points", &points->xyh_m));
    int name_column = rcity_records_find_quantity(records, NAMES_NAME, RCITY_QUANTITY_WORD);
    int height_column = rcity_records_find_quantity(records, NAMES_HEIGHT, RCITY_QUANTITY_LENGTH);
    skip_results(records);
    RCITY_TRY(height_column < 0 ? check_heights(records) : RCITY_OK);
    double *xy = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)points->count, 2 * sizeof *xy, "points", &xy));
    RCITY_TRY_DONE(rcity_records_locate(records, scene, NULL, xy));
    for (int64_t row = 0; row < points->count; row++) {
        double *xyh_m = points->xyh_m + 3 * row;
        xyh_m[0] = xy[2 * row];
        xyh_m[1] = xy[2 * row + 1];
        xyh_m[2] = height_m;
        RCITY_TRY_DONE(rcity_records_number(records, row, height_column, 0.0, RCITY_RX_HEIGHT_MAX_M, &xyh_m[2]));
    }
    RCITY_TRY_DONE(copy_names(points, records, name_column));
done:
    rcity_release(context, xy);
    return status;
}

rcity_status rcity_points_load(rcity_context *context, const rcity_scene *scene, const char *path, double height_m,
                               rcity_points **points)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, path);
    RCITY_NEED(context, points);
    RCITY_CHECK(context, height_m >= 0.0 && height_m <= RCITY_RX_HEIGHT_MAX_M, RCITY_ERR_ARGUMENT,
                "the receiver height is %g m, must be 0 to %g m above ground", height_m, RCITY_RX_HEIGHT_MAX_M);
    rcity_records records;
    memset(&records, 0, sizeof records);
    rcity_points *made = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 1, sizeof *made, "points", &made));
    made->context = context;
    RCITY_TRY_DONE(rcity_records_load(context, path, &records));
    RCITY_TRY_DONE(fill(made, &records, scene, height_m));
    rcity_records_report_unused(&records);
    *points = made;
    made = NULL;
done:
    rcity_points_destroy(&made);
    rcity_records_deinit(&records);
    return status;
}

void rcity_points_destroy(rcity_points **points)
{
    if (points == NULL || *points == NULL) {
        return;
    }
    rcity_points *old = *points;
    rcity_release(old->context, old->first);
    rcity_release(old->context, old->names);
    rcity_release(old->context, old->xyh_m);
    rcity_release(old->context, old);
    *points = NULL;
}

int64_t rcity_points_count(const rcity_points *points)
{
    if (points == NULL) {
        return 0;
    }
    return points->count;
}

const double *rcity_points_xyh(const rcity_points *points)
{
    if (points == NULL) {
        return NULL;
    }
    return points->xyh_m;
}

const char *rcity_points_name(const rcity_points *points, int64_t point_index)
{
    if (points == NULL || point_index < 0 || point_index >= points->count) {
        return NULL;
    }
    return points->names + points->first[point_index];
}
