/* A transmitter that is dragged over a city: the time in milliseconds for a moved mast, a turned sector and new
   coefficients, compared with a new prediction of each.

       drag [SCENE.res|SCENE.rcity [DEVICE [X,Y]]]     without a scene: a synthetic city; without a device: the best */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "radiocity/radiocity.h"

enum { STEP_COUNT = 9 };

static double now_ms(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values)
{
    qsort(values, STEP_COUNT, sizeof *values, compare);
    return values[STEP_COUNT / 2];
}

/* The data of the repeated predictions. */
typedef struct session {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    rcity_request request;
    rcity_predictor *predictor;
    int index; /* of the transmitter */
} session;

static rcity_status load_scene(session *run, const char *path)
{
    if (path == NULL) {
        rcity_city_options options = rcity_city_options_default();
        options.area_km2 = 2.0;
        return rcity_city_make(run->context, &options, &run->scene);
    }
    size_t length = strlen(path);
    bool is_walls = length > 4 && strcmp(path + length - 4, ".res") == 0;
    if (!is_walls) {
        return rcity_scene_load(run->context, path, &run->scene);
    }
    rcity_scene_options options = rcity_scene_options_default();
    return rcity_res_load(run->context, path, &options, &run->scene);
}

static rcity_status open_session(session *run, const char *path, const char *device, const char *place)
{
    rcity_scene_info info;
    rcity_context_options options = rcity_context_options_default();
    rcity_status status = rcity_context_create(&options, &run->context);
    status = status == RCITY_OK ? load_scene(run, path) : status;
    status = status == RCITY_OK ? rcity_scene_describe(run->scene, &info) : status;
    status = status == RCITY_OK ? rcity_device_open(run->context, device, &run->device) : status;
    status = status == RCITY_OK ? rcity_antenna_create(run->context, "3gpp", &run->antenna) : status;
    if (status != RCITY_OK) {
        return status;
    }
    run->request = rcity_request_default();
    rcity_transmitter *tx = &run->request.transmitter;
    tx->x_m = 0.5 * (info.x_min_m + info.x_max_m);
    tx->y_m = 0.5 * (info.y_min_m + info.y_max_m);
    if (place != NULL) {
        char *end = NULL;
        tx->x_m = strtod(place, &end);
        tx->y_m = *end == ',' ? strtod(end + 1, NULL) : tx->y_m;
    }
    tx->height_m = place != NULL ? 13.0 : info.height_max_m + 5.0;
    tx->is_absolute = place == NULL;
    tx->frequency_hz = 947e6;
    tx->power_dbm = 43.0;
    tx->antenna = run->antenna;
    run->request.receivers.cell_m = 5.0;
    status = rcity_predictor_open(run->context, run->scene, run->device, &run->request, &run->predictor);
    return status == RCITY_OK ? rcity_predictor_add_transmitter(run->predictor, run->context, tx, &run->index) : status;
}

static void close_session(session *run)
{
    rcity_predictor_close(&run->predictor);
    rcity_antenna_destroy(&run->antenna);
    rcity_device_close(&run->device);
    rcity_scene_destroy(&run->scene);
    rcity_context_destroy(&run->context);
}

/* One kind of change: the time of the predictor, and of a new prediction. */
typedef enum change { MOVE, TURN, WEIGH } change;

static rcity_status apply(session *run, change what, int step, char *value, const char **names, const char **values)
{
    rcity_transmitter *tx = &run->request.transmitter;
    switch (what) {
    case MOVE:
        tx->x_m += step % 2 == 0 ? 2.0 : -1.5;
        return rcity_predictor_set_transmitter(run->predictor, run->context, run->index, tx);
    case TURN:
        tx->azimuth_deg = 20.0 * step;
        return rcity_predictor_set_transmitter(run->predictor, run->context, run->index, tx);
    case WEIGH:
        break;
    }
    snprintf(value, 32, "%.2f", -2.0 + 0.1 * step);
    run->request.option_count = 1;
    run->request.option_name = names;
    run->request.option_value = values;
    return rcity_predictor_set_options(run->predictor, run->context, 1, names, values, NULL);
}

static rcity_status measure(session *run, const char *text, change what)
{
    double kept_ms[STEP_COUNT], fresh_ms[STEP_COUNT];
    char value[32];
    const char *names[1] = {"line-of-sight-offset-db"};
    const char *values[1] = {value};
    rcity_status status = RCITY_OK;
    for (int i = 0; i < STEP_COUNT && status == RCITY_OK; i++) {
        rcity_map *map = NULL;
        double start = now_ms();
        status = apply(run, what, i, value, names, values);
        status = status == RCITY_OK ? rcity_predictor_evaluate_raster(run->predictor, run->context, run->index, &map)
                                    : status;
        kept_ms[i] = now_ms() - start;
        rcity_map_destroy(&map);
        start = now_ms();
        status =
            status == RCITY_OK ? rcity_predict(run->context, run->scene, run->device, &run->request, &map) : status;
        fresh_ms[i] = now_ms() - start;
        rcity_map_destroy(&map);
    }
    if (status == RCITY_OK) {
        printf("%-20s %9.2f ms, fresh %9.2f ms\n", text, median(kept_ms), median(fresh_ms));
    }
    run->request.option_count = 0; /* the array it pointed to ends here */
    return status;
}

int main(int argc, char **argv)
{
    session run;
    memset(&run, 0, sizeof run);
    rcity_map *map = NULL;
    rcity_status status =
        open_session(&run, argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL, argc > 3 ? argv[3] : NULL);
    double start = now_ms();
    status = status == RCITY_OK ? rcity_predictor_evaluate_raster(run.predictor, run.context, run.index, &map) : status;
    if (status == RCITY_OK) {
        rcity_device_info info;
        rcity_raster raster = rcity_map_raster(map);
        rcity_device_describe(run.device, &info);
        printf("%s, %lld x %lld cells; medians of %d\n", info.name, (long long)raster.column_count,
               (long long)raster.row_count, STEP_COUNT);
        printf("%-20s %9.2f ms\n", "first map", now_ms() - start);
    }
    rcity_map_destroy(&map);
    status = status == RCITY_OK ? measure(&run, "moved transmitter", MOVE) : status;
    status = status == RCITY_OK ? measure(&run, "turned sector", TURN) : status;
    status = status == RCITY_OK ? measure(&run, "new coefficient", WEIGH) : status;
    if (status != RCITY_OK) {
        fprintf(stderr, "drag: %s\n", run.context != NULL ? rcity_context_message(run.context) : "no context");
    }
    close_session(&run);
    return status == RCITY_OK ? 0 : 1;
}
