/* The tables of points that `predict --points` writes: CSV, or points with the same columns for a GIS. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"
#include "outputs.h"
#include "point_sight.h"
#include "predict_files.h"

static void add_header(csv_text *made, const predict_world *world, bool has_lonlat)
{
    csv_add(made, "name,x,y%s,height_m,path_loss_db,received_power_dbm,line_of_sight,obstacle,reason",
            has_lonlat ? ",lon,lat" : "");
    if (world->transmitter_count > 1) {
        csv_add(made, ",best_server");
        for (int i = 0; i < world->transmitter_count; i++) {
            char column[256];
            const char *name = world->transmitters[i].name;
            snprintf(column, sizeof column, "received_power_dbm %s", name != NULL ? name : "");
            csv_add(made, ",");
            csv_add_name(made, column);
        }
    }
    csv_add(made, "\n");
}

/* Index of the strongest transmitter at a point; -1 when none has a value. Those without power are only compared with
   each other, by their losses. */
static int find_best(const predict_world *world, int64_t count, int64_t point, const float *loss_db,
                     const float *received_dbm)
{
    int best = -1;
    for (int i = 0; i < world->transmitter_count; i++) {
        int64_t at = i * count + point;
        int64_t best_at = (best >= 0 ? best : i) * count + point;
        bool has_power = !isnan(received_dbm[at]);
        bool best_has_power = !isnan(received_dbm[best_at]);
        bool is_better = has_power != best_has_power ? has_power
                         : has_power                 ? received_dbm[at] > received_dbm[best_at]
                                                     : loss_db[at] < loss_db[best_at];
        best = !isnan(loss_db[at]) && (best < 0 || is_better) ? i : best;
    }
    return best;
}

static void add_point(csv_text *made, const predict_world *world, int64_t point, const double *lonlat,
                      const float *loss_db, const float *received_dbm, const point_sight *sight)
{
    int64_t count = rcity_points_count(world->points);
    const double *xyh_m = rcity_points_xyh(world->points) + 3 * point;
    int best = find_best(world, count, point, loss_db, received_dbm);
    int64_t at = (best >= 0 ? best : 0) * count + point;
    csv_add_name(made, rcity_points_name(world->points, point));
    csv_add(made, ",%.3f,%.3f", xyh_m[0], xyh_m[1]);
    if (lonlat != NULL) {
        csv_add(made, ",%.9f,%.9f", lonlat[2 * point], lonlat[2 * point + 1]);
    }
    csv_add(made, ",%.10g", xyh_m[2]);
    csv_add_value(made, (double)loss_db[at]);
    csv_add_value(made, (double)received_dbm[at]);
    csv_add(made, isnan(sight->line_of_sight) ? "," : sight->line_of_sight > 0.0 ? ",1" : ",0");
    csv_add(made, ",%s,", sight->obstacle);
    csv_add_name(made, sight->reason);
    if (world->transmitter_count > 1) {
        csv_add(made, ",");
        const char *name = best >= 0 ? world->transmitters[best].name : "";
        csv_add_name(made, name != NULL ? name : "");
        for (int i = 0; i < world->transmitter_count; i++) {
            csv_add_value(made, (double)received_dbm[i * count + point]);
        }
    }
    csv_add(made, "\n");
}

/* Longitudes and latitudes of all points; NULL without CRS or memory. */
static double *find_lonlat(rcity_context *context, const char *crs, const rcity_points *points)
{
    int64_t count = rcity_points_count(points);
    double *lonlat = strcmp(crs, "none") != 0 ? malloc(2 * (size_t)count * sizeof *lonlat) : NULL;
    for (int64_t i = 0; lonlat != NULL && i < count; i++) {
        lonlat[2 * i] = rcity_points_xyh(points)[3 * i];
        lonlat[2 * i + 1] = rcity_points_xyh(points)[3 * i + 1];
    }
    if (lonlat != NULL && rcity_crs_transform(context, crs, RCITY_CRS_LONLAT, count, lonlat) != RCITY_OK) {
        free(lonlat);
        lonlat = NULL;
    }
    return lonlat;
}

/* The table as CSV. */
static rcity_status write_csv(rcity_context *context, const char *crs, const predict_input *input,
                              const predict_world *world, const float *loss_db, const float *received_dbm,
                              const point_sight *sights)
{
    double *lonlat = find_lonlat(context, crs, world->points);
    csv_text made = {NULL, 0, 0, false};
    add_header(&made, world, lonlat != NULL);
    for (int64_t i = 0; i < rcity_points_count(world->points); i++) {
        add_point(&made, world, i, lonlat, loss_db, received_dbm, &sights[i]);
    }
    free(lonlat);
    rcity_status status = made.is_broken ? RCITY_ERR_MEMORY : rcity_text_save(context, input->output_path, made.text);
    free(made.text);
    return status;
}

/* Columns of a vector, being filled. */
typedef struct point_columns {
    int64_t count;
    double *number;
    const char **text;
    rcity_place_table *table;
    rcity_status status;
} point_columns;

static void add_numbers(point_columns *columns, const char *name)
{
    columns->status = columns->status == RCITY_OK ? rcity_place_table_add_numbers(columns->table, name, columns->number)
                                                  : columns->status;
}

static void add_texts(point_columns *columns, const char *name)
{
    columns->status = columns->status == RCITY_OK ? rcity_place_table_add_texts(columns->table, name, columns->text)
                                                  : columns->status;
}

static void fill_columns(point_columns *columns, const predict_world *world, const float *loss_db,
                         const float *received_dbm, const int *server, const point_sight *sights)
{
    int64_t count = columns->count;
    const double *xyh_m = rcity_points_xyh(world->points);
    for (int64_t i = 0; i < count; i++) {
        columns->text[i] = rcity_points_name(world->points, i);
        columns->number[i] = xyh_m[3 * i + 2];
    }
    add_texts(columns, "name");
    add_numbers(columns, "height_m");
    for (int64_t i = 0; i < count; i++) {
        columns->number[i] = (double)loss_db[(server[i] >= 0 ? server[i] : 0) * count + i];
    }
    add_numbers(columns, "path_loss_db");
    for (int64_t i = 0; i < count; i++) {
        columns->number[i] = (double)received_dbm[(server[i] >= 0 ? server[i] : 0) * count + i];
    }
    add_numbers(columns, "received_power_dbm");
    for (int64_t i = 0; i < count; i++) {
        columns->number[i] = sights[i].line_of_sight;
        columns->text[i] = sights[i].obstacle;
    }
    add_numbers(columns, "line_of_sight");
    add_texts(columns, "obstacle");
    for (int64_t i = 0; i < count; i++) {
        columns->text[i] = sights[i].reason;
    }
    add_texts(columns, "reason");
    for (int64_t i = 0; i < count; i++) {
        columns->text[i] = server[i] >= 0 ? world->transmitters[server[i]].name : NULL;
    }
    if (world->transmitter_count > 1) {
        add_texts(columns, "best_server");
    }
    for (int k = 0; k < world->transmitter_count && world->transmitter_count > 1; k++) {
        char name[256];
        snprintf(name, sizeof name, "received_power_dbm %s",
                 world->transmitters[k].name != NULL ? world->transmitters[k].name : "");
        for (int64_t i = 0; i < count; i++) {
            columns->number[i] = (double)received_dbm[k * count + i];
        }
        add_numbers(columns, name);
    }
}

/* The table as points. */
static rcity_status write_vector(rcity_context *context, const char *crs, const predict_input *input,
                                 const predict_world *world, const float *loss_db, const float *received_dbm,
                                 const int *server, const point_sight *sights)
{
    point_columns columns = {.count = rcity_points_count(world->points)};
    size_t room = (size_t)columns.count + 1;
    columns.number = calloc(2 * room, sizeof *columns.number);
    columns.text = calloc(room, sizeof *columns.text);
    columns.status = columns.number != NULL && columns.text != NULL ? RCITY_OK : RCITY_ERR_MEMORY;
    for (int64_t i = 0; columns.status == RCITY_OK && i < columns.count; i++) {
        columns.number[2 * i] = rcity_points_xyh(world->points)[3 * i];
        columns.number[2 * i + 1] = rcity_points_xyh(world->points)[3 * i + 1];
    }
    if (columns.status == RCITY_OK) {
        columns.status = rcity_place_table_create(context, crs, columns.count, columns.number, &columns.table);
    }
    if (columns.status == RCITY_OK) {
        fill_columns(&columns, world, loss_db, received_dbm, server, sights);
    }
    if (columns.status == RCITY_OK) {
        columns.status = rcity_place_table_save(columns.table, input->output_path);
    }
    rcity_place_table_destroy(&columns.table);
    free(columns.text);
    free(columns.number);
    return columns.status;
}

rcity_status predict_files_write_points(rcity_context *context, const rcity_scene *scene, rcity_device *device,
                                        const predict_input *input, const predict_world *world, const float *loss_db,
                                        const float *received_dbm, output_set *set)
{
    rcity_scene_info info;
    int64_t count = rcity_points_count(world->points);
    point_sight *sights = calloc((size_t)count + 1, sizeof *sights);
    int *server = calloc((size_t)count + 1, sizeof *server);
    bool *has_value = calloc((size_t)count + 1, sizeof *has_value);
    bool is_csv = path_ends_with(input->output_path, ".csv");
    rcity_status status =
        sights != NULL && server != NULL && has_value != NULL && output_set_add(set, input->output_path)
            ? rcity_scene_describe(scene, &info)
            : RCITY_ERR_MEMORY;
    for (int64_t i = 0; status == RCITY_OK && i < count; i++) {
        server[i] = find_best(world, count, i, loss_db, received_dbm);
        has_value[i] = server[i] >= 0;
    }
    if (status == RCITY_OK) {
        status = point_sight_find(context, scene, device, count, rcity_points_xyh(world->points), server, has_value,
                                  world->transmitter_count, world->transmitters, input->skips_out_of_range, sights);
    }
    if (status == RCITY_OK) {
        status = is_csv ? write_csv(context, info.crs, input, world, loss_db, received_dbm, sights)
                        : write_vector(context, info.crs, input, world, loss_db, received_dbm, server, sights);
    }
    free(has_value);
    free(server);
    free(sights);
    return status;
}
