#include "score_files.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"
#include "fit_items.h"
#include "outputs.h"
#include "score_report.h"

#define LABEL_BYTES   200
#define BASELINE_NAME "log-distance" /* the one that is drawn beside the method: it needs no map */

int score_files_check(rcity_context *context, const score_input *input)
{
    const char *const outputs[] = {input->points_path, input->plot_path, input->scatter_path};
    const char *const inputs[] = {input->scene_path, input->measured.sites_path, input->coefficients.path,
                                  input->tx.antenna};
    const text_list *measured = &input->measured.paths;
    int result = 0;
    for (size_t i = 0; result == 0 && i < sizeof outputs / sizeof outputs[0]; i++) {
        result = output_check_inputs("score", outputs[i], sizeof inputs / sizeof inputs[0], inputs);
        result =
            result != 0 ? result : output_check_all(context, "score", outputs[i], measured->count, measured->value);
    }
    return result;
}

/* "free space + offset (fitted on these points)" becomes "free_space_offset_fitted_on_these_points_db". */
static void name_column(const rcity_score *score, int model_index, char column[LABEL_BYTES])
{
    char label[LABEL_BYTES - 4];
    size_t used = 0;
    score_model_label(score, model_index, label, sizeof label);
    for (const char *at = label; *at != '\0'; at++) {
        if (isalnum((unsigned char)*at) || (unsigned char)*at >= 128) {
            column[used++] = (char)tolower((unsigned char)*at);
        } else if (used > 0 && column[used - 1] != '_') {
            column[used++] = '_';
        }
    }
    used -= used > 0 && column[used - 1] == '_';
    memcpy(column + used, "_db", 4);
}

static void add_header(csv_text *made, const rcity_score *score)
{
    csv_add(made, "route,transmitter,row,x,y,height_m,travelled_m,distance_m,measured_db");
    for (int i = 0; i < rcity_score_model_count(score); i++) {
        char column[LABEL_BYTES];
        name_column(score, i, column);
        csv_add(made, ",%s", column);
    }
    csv_add(made, ",error_db,in_sight,mechanism,left_out,samples\n");
}

static void add_point(csv_text *made, const rcity_score *score, const measurement_world *world, int64_t i)
{
    const rcity_measurement *one = &rcity_measurements_all(world->measurements)[i];
    const char *tx_name = rcity_measurements_transmitters(world->measurements)[one->transmitter].name;
    rcity_score_point point = score_point_at(score, i);
    double measured_db = rcity_score_measured_db(score)[i];
    csv_add_name(made, rcity_measurements_route_name(world->measurements, one->route));
    csv_add(made, ",");
    csv_add_name(made, tx_name != NULL ? tx_name : "");
    csv_add(made, ",%lld,%.3f,%.3f,%.10g,%.3f", (long long)one->row, one->x_m, one->y_m, one->height_m,
            one->travelled_m);
    csv_add_value(made, point.distance_m);
    csv_add_value(made, measured_db);
    for (int k = 0; k < rcity_score_model_count(score); k++) {
        csv_add_value(made, rcity_score_predicted_db(score, k)[i]);
    }
    csv_add_value(made, measured_db - rcity_score_predicted_db(score, 0)[i]);
    csv_add(made, ",%d,%s,%s,%lld\n", point.is_in_sight, point.mechanism, point.left_out, (long long)one->sample_count);
}

static rcity_status write_points(rcity_context *context, const rcity_score *score, const measurement_world *world,
                                 const char *path)
{
    csv_text made = {NULL, 0, 0, false};
    add_header(&made, score);
    for (int64_t i = 0; i < rcity_measurements_count(world->measurements); i++) {
        add_point(&made, score, world, i);
    }
    rcity_status status = made.is_broken ? RCITY_ERR_MEMORY : rcity_text_save(context, path, made.text);
    free(made.text);
    return status;
}

/* The columns of a vector of points, being filled. */
typedef struct error_columns {
    int64_t count;
    double *number;
    const char **text;
    rcity_place_table *table;
    rcity_status status;
} error_columns;

static void add_numbers(error_columns *columns, const char *name)
{
    columns->status = columns->status == RCITY_OK ? rcity_place_table_add_numbers(columns->table, name, columns->number)
                                                  : columns->status;
}

static void add_texts(error_columns *columns, const char *name)
{
    columns->status = columns->status == RCITY_OK ? rcity_place_table_add_texts(columns->table, name, columns->text)
                                                  : columns->status;
}

static void fill_columns(error_columns *columns, const rcity_score *score, const measurement_world *world)
{
    const rcity_measurement *all = rcity_measurements_all(world->measurements);
    const rcity_transmitter *transmitters = rcity_measurements_transmitters(world->measurements);
    const double *measured_db = rcity_score_measured_db(score);
    int64_t count = columns->count;
    for (int64_t i = 0; i < count; i++) {
        columns->text[i] = rcity_measurements_route_name(world->measurements, all[i].route);
        columns->number[i] = measured_db[i] - rcity_score_predicted_db(score, 0)[i];
    }
    add_texts(columns, "route");
    add_numbers(columns, "error_db");
    for (int64_t i = 0; i < count; i++) {
        columns->text[i] = transmitters[all[i].transmitter].name;
        columns->number[i] = measured_db[i];
    }
    add_texts(columns, "transmitter");
    add_numbers(columns, "measured_db");
    for (int k = 0; k < rcity_score_model_count(score); k++) {
        char name[LABEL_BYTES];
        name_column(score, k, name);
        for (int64_t i = 0; i < count; i++) {
            columns->number[i] = rcity_score_predicted_db(score, k)[i];
        }
        add_numbers(columns, name);
    }
    for (int64_t i = 0; i < count; i++) {
        columns->number[i] = all[i].height_m;
    }
    add_numbers(columns, "height_m");
    for (int64_t i = 0; i < count; i++) {
        rcity_score_point point = score_point_at(score, i);
        columns->number[i] = point.distance_m;
        columns->text[i] = point.mechanism;
    }
    add_numbers(columns, "distance_m");
    add_texts(columns, "mechanism");
    for (int64_t i = 0; i < count; i++) {
        rcity_score_point point = score_point_at(score, i);
        columns->number[i] = point.is_in_sight ? 1.0 : 0.0;
        columns->text[i] = point.left_out;
    }
    add_numbers(columns, "in_sight");
    add_texts(columns, "left_out");
}

/* The points with their errors, for a GIS. */
static rcity_status write_vector(rcity_context *context, const rcity_scene *scene, const rcity_score *score,
                                 const measurement_world *world, const char *path)
{
    error_columns columns = {.count = rcity_measurements_count(world->measurements)};
    rcity_scene_info info;
    size_t room = (size_t)columns.count + 1;
    columns.number = calloc(2 * room, sizeof *columns.number);
    columns.text = calloc(room, sizeof *columns.text);
    columns.status =
        columns.number != NULL && columns.text != NULL ? rcity_scene_describe(scene, &info) : RCITY_ERR_MEMORY;
    for (int64_t i = 0; columns.status == RCITY_OK && i < columns.count; i++) {
        const rcity_measurement *one = &rcity_measurements_all(world->measurements)[i];
        columns.number[2 * i] = one->x_m;
        columns.number[2 * i + 1] = one->y_m;
    }
    if (columns.status == RCITY_OK) {
        columns.status = rcity_place_table_create(context, info.crs, columns.count, columns.number, &columns.table);
    }
    if (columns.status == RCITY_OK) {
        fill_columns(&columns, score, world);
    }
    if (columns.status == RCITY_OK) {
        columns.status = rcity_place_table_save(columns.table, path);
    }
    rcity_place_table_destroy(&columns.table);
    free(columns.text);
    free(columns.number);
    return columns.status;
}

/* What the plots show of each point, and the names of its kinds. */
typedef struct plot_data {
    double *travelled_m;
    bool *is_start;
    int *category;
    int category_count;
    const char *category_name[RCITY_PLOT_CATEGORY_MAX];
    rcity_plot_route *routes;
} plot_data;

/* Mechanisms where the method has some, else in sight or not. */
static void list_categories(const rcity_score *score, plot_data *data)
{
    static const char *const kinds[] = {"mechanism", "sight"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && data->category_count == 0; k++) {
        for (int i = 0; i < rcity_score_group_count(score); i++) {
            rcity_score_group group = score_group_at(score, i);
            if (strcmp(group.kind, kinds[k]) == 0 && data->category_count < RCITY_PLOT_CATEGORY_MAX) {
                data->category_name[data->category_count++] = group.name;
            }
        }
    }
}

static int find_category(const plot_data *data, const rcity_score_point *point)
{
    const char *sight = point->is_in_sight ? "line of sight" : "no line of sight";
    for (int i = 0; i < data->category_count; i++) {
        if (strcmp(data->category_name[i], point->mechanism) == 0 || strcmp(data->category_name[i], sight) == 0) {
            return i;
        }
    }
    return -1;
}

static int find_baseline(const rcity_score *score)
{
    for (int i = 1; i < rcity_score_model_count(score); i++) {
        rcity_score_model model = score_model_at(score, i);
        if (strcmp(model.name, BASELINE_NAME) == 0 && model.fitted_on[0] != '\0') {
            return i;
        }
    }
    return 0;
}

/* Figures of a route: its group, or all where it is the only one. */
static rcity_score_figures find_figures(const rcity_score *score, const char *route)
{
    for (int i = 1; i < rcity_score_group_count(score); i++) {
        rcity_score_group group = score_group_at(score, i);
        if (strcmp(group.kind, "route") == 0 && strcmp(group.name, route) == 0) {
            return score_figures_at(score, 0, i);
        }
    }
    return score_figures_at(score, 0, 0);
}

/* Measurements come route after route. */
static void list_routes(const rcity_score *score, const measurement_world *world, plot_data *data)
{
    const rcity_measurement *all = rcity_measurements_all(world->measurements);
    int64_t count = rcity_measurements_count(world->measurements);
    int baseline = find_baseline(score);
    for (int64_t first = 0, end = 0; first < count; first = end) {
        for (end = first; end < count && all[end].route == all[first].route; end++) {
        }
        rcity_plot_route *route = &data->routes[all[first].route];
        route->name = rcity_measurements_route_name(world->measurements, all[first].route);
        route->count = end - first;
        route->travelled_m = data->travelled_m + first;
        route->measured_db = rcity_score_measured_db(score) + first;
        route->predicted_db = rcity_score_predicted_db(score, 0) + first;
        route->baseline_db = baseline > 0 ? rcity_score_predicted_db(score, baseline) + first : NULL;
        route->is_start = data->is_start + first;
        route->category = data->category + first;
        route->figures = find_figures(score, route->name);
    }
}

static bool fill_plot(const rcity_score *score, const measurement_world *world, plot_data *data)
{
    size_t count = (size_t)rcity_measurements_count(world->measurements);
    const rcity_measurement *all = rcity_measurements_all(world->measurements);
    data->travelled_m = calloc(count, sizeof *data->travelled_m);
    data->is_start = calloc(count, sizeof *data->is_start);
    data->category = calloc(count, sizeof *data->category);
    data->routes = calloc((size_t)rcity_measurements_route_count(world->measurements), sizeof *data->routes);
    if (data->travelled_m == NULL || data->is_start == NULL || data->category == NULL || data->routes == NULL) {
        return false;
    }
    list_categories(score, data);
    for (size_t i = 0; i < count; i++) {
        rcity_score_point point = score_point_at(score, (int64_t)i);
        data->travelled_m[i] = all[i].travelled_m;
        data->is_start[i] = all[i].is_after_gap;
        data->category[i] = find_category(data, &point);
    }
    list_routes(score, world, data);
    return true;
}

static rcity_status draw_plots(rcity_context *context, const rcity_score *score, const score_input *input,
                               const measurement_world *world, const plot_data *data)
{
    rcity_plot_options options = rcity_plot_options_default();
    char label[LABEL_BYTES];
    score_model_label(score, 0, label, sizeof label);
    options.predicted_name = label;
    options.baseline_name = BASELINE_NAME ", fitted";
    options.category_count = data->category_count;
    options.category_name = data->category_name;
    rcity_status status = RCITY_OK;
    if (input->plot_path != NULL) {
        status = rcity_plot_routes_save(context, rcity_measurements_route_count(world->measurements), data->routes,
                                        &options, input->plot_path);
    }
    if (status == RCITY_OK && input->scatter_path != NULL) {
        rcity_plot_points points = {
            .count = rcity_measurements_count(world->measurements),
            .measured_db = rcity_score_measured_db(score),
            .predicted_db = rcity_score_predicted_db(score, 0),
            .category = data->category,
            .figures = score_figures_at(score, 0, 0),
        };
        status = rcity_plot_scatter_save(context, &points, &options, input->scatter_path);
    }
    return status;
}

rcity_status score_files_write(rcity_context *context, const rcity_scene *scene, const rcity_score *score,
                               const score_input *input, const measurement_world *world, output_set *set)
{
    const char *const paths[] = {input->points_path, input->plot_path, input->scatter_path};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (paths[i] != NULL && !output_set_add(set, paths[i])) {
            return RCITY_ERR_MEMORY;
        }
    }
    rcity_status status = RCITY_OK;
    if (input->points_path != NULL) {
        status = path_ends_with(input->points_path, ".csv")
                     ? write_points(context, score, world, input->points_path)
                     : write_vector(context, scene, score, world, input->points_path);
    }
    if (status == RCITY_OK && (input->plot_path != NULL || input->scatter_path != NULL)) {
        plot_data data;
        memset(&data, 0, sizeof data);
        status = fill_plot(score, world, &data) ? draw_plots(context, score, input, world, &data) : RCITY_ERR_MEMORY;
        free(data.travelled_m);
        free(data.is_start);
        free(data.category);
        free(data.routes);
    }
    return status;
}
