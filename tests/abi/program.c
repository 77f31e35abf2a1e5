/* A program that hands structs of every kind to the library and takes them back: results to stdout, sizes to stderr. It
   is built against headers of one version and run with libraries of another. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "radiocity/radiocity.h"

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        rcity_status try_status = (call);                                                                              \
        if (try_status != RCITY_OK) {                                                                                  \
            return try_status;                                                                                         \
        }                                                                                                              \
    } while (0)

/* What the library fills, and bytes behind it that it must leave alone. */
#define GUARDED(type, name)                                                                                            \
    struct {                                                                                                           \
        type value;                                                                                                    \
        unsigned char guard[GUARD_BYTES];                                                                              \
    } name;                                                                                                            \
    memset(&(name), GUARD_BYTE, sizeof(name))
#define GUARD_BYTES 128
#define GUARD_BYTE  0xa5

/* As TRY, and nothing was written behind a GUARDED struct. */
#define TRY_GUARDED(call, name)                                                                                        \
    do {                                                                                                               \
        TRY(call);                                                                                                     \
        TRY(check_guard(#name, (name).guard));                                                                         \
    } while (0)

static rcity_status check_guard(const char *name, const unsigned char *guard)
{
    for (int i = 0; i < GUARD_BYTES; i++) {
        if (guard[i] != GUARD_BYTE) {
            fprintf(stderr, "the library wrote beyond %s\n", name);
            return RCITY_ERR_STATE;
        }
    }
    return RCITY_OK;
}

typedef rcity_device_info device_infos[3];
typedef rcity_point_result point_results[3];
typedef rcity_line_measure line_measures[2];

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_map *map, *network;
    rcity_delays *delays;
    rcity_link_profile *profile;
    rcity_predictor *predictor;
    rcity_visibility *visibility;
} world;

static rcity_status open_world(world *w)
{
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 1;
    TRY(rcity_context_create(&options, &w->context));
    rcity_city_options city = rcity_city_options_default();
    city.area_km2 = 0.1;
    TRY(rcity_city_make(w->context, &city, &w->scene));
    GUARDED(device_infos, devices);
    int count = 0;
    TRY_GUARDED(rcity_device_list(w->context, 3, devices.value, &count), devices);
    printf("first of %s devices: %s %s\n", count > 0 ? "some" : "no", devices.value[0].id, devices.value[0].kind);
    return rcity_device_open(w->context, "host", &w->device);
}

static rcity_status describe(world *w)
{
    GUARDED(rcity_scene_info, info);
    TRY_GUARDED(rcity_scene_describe(w->scene, &info.value), info);
    printf("scene %lld %lld %.6f %s\n", (long long)info.value.building_count, (long long)info.value.wall_count,
           info.value.height_max_m, info.value.hash);
    for (int i = 0; i < rcity_method_count(); i++) {
        GUARDED(rcity_method_info, method);
        TRY_GUARDED(rcity_method_get(i, &method.value), method);
        for (int k = 0; k < method.value.option_count; k++) {
            GUARDED(rcity_method_option, option);
            TRY_GUARDED(rcity_method_get_option(i, k, &option.value), option);
            printf("%s %s %s\n", method.value.name, option.value.name, option.value.default_value);
        }
    }
    GUARDED(rcity_material, material);
    TRY_GUARDED(rcity_material_get(3, &material.value), material);
    rcity_permittivity permittivity = rcity_material_evaluate(&material.value, 2e9);
    printf("%s %.9f %.9f\n", material.value.name, permittivity.real, permittivity.imaginary);
    return RCITY_OK;
}

static rcity_request ask(const char *method)
{
    rcity_request request = rcity_request_default();
    request.method = method;
    request.transmitter.x_m = request.transmitter.y_m = -50.0;
    request.transmitter.height_m = 40.0;
    request.transmitter.power_dbm = 43.0;
    request.receivers.cell_m = 10.0;
    return request;
}

static rcity_status print_map(rcity_context *context, const rcity_map *map)
{
    rcity_raster raster = rcity_map_raster(map);
    printf("map %lld x %lld\n", (long long)raster.column_count, (long long)raster.row_count);
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        GUARDED(rcity_band, band);
        GUARDED(rcity_band_summary, summary);
        TRY_GUARDED(rcity_map_get_band(map, i, &band.value), band);
        TRY_GUARDED(rcity_map_summarize(context, map, i, &summary.value), summary);
        printf("%s %s %d %lld %.6f %.6f %.6f\n", band.value.name, band.value.unit, (int)band.value.kind,
               (long long)summary.value.value_count, summary.value.minimum, summary.value.median,
               summary.value.maximum);
        for (int k = 0; k < band.value.class_count; k++) {
            printf("  class %s\n", band.value.class_names[k]);
        }
    }
    return RCITY_OK;
}

static rcity_status predict(world *w)
{
    rcity_request request = ask("shadow");
    GUARDED(rcity_estimate, estimate);
    TRY_GUARDED(rcity_predict_estimate(w->context, w->scene, &request, &estimate.value), estimate);
    printf("estimate %lld %.6f\n", (long long)estimate.value.receiver_count, estimate.value.transmitter.z_m);
    TRY(rcity_predict(w->context, w->scene, w->device, &request, &w->map));
    TRY(print_map(w->context, w->map));
    GUARDED(rcity_coverage, coverage);
    TRY_GUARDED(rcity_map_get_coverage(w->context, w->map, 0, 100.0, 8.0, &coverage.value), coverage);
    printf("coverage %lld %.9f %.9f\n", (long long)coverage.value.covered_count, coverage.value.covered_fraction,
           coverage.value.fading_fraction);
    rcity_transmitter sectors[2] = {request.transmitter, request.transmitter};
    sectors[1].x_m = 300.0;
    sectors[1].y_m = 350.0;
    rcity_network_options options = rcity_network_options_default();
    options.bandwidth_hz = 10e6;
    TRY(rcity_predict_network(w->context, w->scene, w->device, &request, 2, sectors, &options, &w->network));
    return print_map(w->context, w->network);
}

/* Bins and figures of the first cell in which something arrives. */
static rcity_status predict_delays(world *w)
{
    const char *const names[] = {"max-reflections", "max-diffractions", "over-roofs", "surroundings"};
    const char *const values[] = {"1", "0", "off", "off"};
    rcity_request request = ask("beams");
    request.option_count = 4;
    request.option_name = names;
    request.option_value = values;
    TRY(rcity_predict_delays(w->context, w->scene, w->device, &request, 0, 20e-9, NULL, &w->delays));
    GUARDED(rcity_delays_info, info);
    TRY_GUARDED(rcity_delays_describe(w->delays, &info.value), info);
    printf("delays %lld cells, %lld reached, %lld entries, %s\n", (long long)info.value.cell_count,
           (long long)info.value.reached_count, (long long)info.value.entry_count, info.value.crs);
    GUARDED(rcity_delay_cell, cell);
    GUARDED(rcity_delay_summary, summary);
    int64_t index = -1;
    do {
        TRY_GUARDED(rcity_delays_get_cell(w->delays, ++index, &cell.value), cell);
    } while (cell.value.entry_count < 2);
    TRY_GUARDED(rcity_delays_summarize(w->context, w->delays, index, (double)NAN, &summary.value), summary);
    printf("cell %lld %lld, bins %d to %d, %.3f dB, %.2f ns, %.2f dB\n", (long long)cell.value.row,
           (long long)cell.value.column, cell.value.bin[0], cell.value.bin[cell.value.entry_count - 1],
           summary.value.gain_db, 1e9 * summary.value.delay_spread_s, summary.value.threshold_db);
    rcity_delays_draw_options options = rcity_delays_draw_options_default();
    printf("picture %d pixels wide\n", options.width_px);
    return RCITY_OK;
}

static rcity_status count_tiles(world *w)
{
    const char *const names[] = {"tile-area-m2"};
    const char *const values[] = {"400"};
    rcity_tile_visibility_options options = rcity_tile_visibility_options_default();
    GUARDED(rcity_tile_visibility_info, info);
    options.option_count = 1;
    options.option_name = names;
    options.option_value = values;
    options.only_tiles = true;
    TRY_GUARDED(rcity_tile_visibility_build(w->context, w->scene, w->device, &options, NULL, &info.value), info);
    printf("tiles %lld %lld %lld %.6f\n", (long long)info.value.tile_count, (long long)info.value.edge_count,
           (long long)info.value.dropped_wall_count, info.value.dropped_wall_area_m2);
    return RCITY_OK;
}

static rcity_status evaluate(world *w)
{
    const double xyh_m[] = {10.0, 20.0, 1.5, 150.0, 160.0, 1.5, 200.0, 40.0, 1.5};
    rcity_request request = ask("shadow");
    request.receivers.point_count = 3;
    request.receivers.xyh_m = xyh_m;
    GUARDED(point_results, results);
    int index = 0;
    TRY(rcity_predictor_open(w->context, w->scene, w->device, &request, &w->predictor));
    TRY(rcity_predictor_add_transmitter(w->predictor, w->context, &request.transmitter, &index));
    TRY_GUARDED(
        rcity_predictor_evaluate_points(w->predictor, w->context, index, sizeof results.value[0], results.value),
        results);
    for (int i = 0; i < 3; i++) {
        printf("point %.6f %.6f %d %d %d\n", (double)results.value[i].loss_db, (double)results.value[i].received_dbm,
               results.value[i].mechanism, (int)results.value[i].state, (int)results.value[i].is_visible);
    }
    GUARDED(rcity_predictor_effort, effort);
    rcity_predictor_get_effort_sized(w->predictor, sizeof effort.value, &effort.value);
    TRY(check_guard("effort", effort.guard));
    printf("effort %lld %lld\n", (long long)effort.value.prepare_count, (long long)effort.value.trace_count);
    const rcity_point from[2] = {{-50.0, -50.0, 40.0}, {0.0, 0.0, 2.0}};
    const rcity_point to[2] = {{200.0, 200.0, 1.5}, {300.0, 250.0, 2.0}};
    GUARDED(line_measures, measures);
    TRY(rcity_visibility_open(w->context, w->scene, w->device, &w->visibility));
    TRY_GUARDED(rcity_visibility_measure(w->visibility, 2, from, to, measures.value), measures);
    for (int i = 0; i < 2; i++) {
        printf("line %.6f %d %d %.3f\n", measures.value[i].length_m, (int)measures.value[i].hit_kind,
               measures.value[i].wall_count, measures.value[i].buildings_m);
    }
    return RCITY_OK;
}

static rcity_status profile_link(world *w)
{
    rcity_link_profile_options options = rcity_link_profile_options_default();
    options.transmitter.x_m = -20.0;
    options.transmitter.y_m = -30.0;
    options.transmitter.height_m = 40.0;
    options.rx_x_m = 330.0;
    options.rx_y_m = 320.0;
    GUARDED(rcity_link_profile_info, info);
    GUARDED(rcity_link_profile_point, point);
    GUARDED(rcity_link_profile_obstacle, obstacle);
    TRY(rcity_link_profile_create(w->context, w->scene, &options, &w->profile));
    TRY_GUARDED(rcity_link_profile_describe(w->profile, &info.value), info);
    TRY_GUARDED(rcity_link_profile_get_point(w->profile, 3, &point.value), point);
    printf("profile %lld %lld %.3f %.3f\n", (long long)info.value.point_count, (long long)info.value.obstacle_count,
           info.value.clearance_m, point.value.line_m);
    if (info.value.obstacle_count > 0) {
        TRY_GUARDED(rcity_link_profile_get_obstacle(w->profile, 0, &obstacle.value), obstacle);
        printf("obstacle %.3f %.3f\n", obstacle.value.distance_m, obstacle.value.knife_edge_db);
    }
    printf("profile picture %d\n", rcity_link_profile_draw_options_default().width_px);
    return RCITY_OK;
}

int main(void)
{
    world w = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    fprintf(stderr, "request %zu, band %zu, devices %zu\n", sizeof(rcity_request), sizeof(rcity_band),
            sizeof(rcity_device_info));
    rcity_status status = open_world(&w);
    status = status == RCITY_OK ? describe(&w) : status;
    status = status == RCITY_OK ? predict(&w) : status;
    status = status == RCITY_OK ? predict_delays(&w) : status;
    status = status == RCITY_OK ? count_tiles(&w) : status;
    status = status == RCITY_OK ? evaluate(&w) : status;
    status = status == RCITY_OK ? profile_link(&w) : status;
    if (status != RCITY_OK) {
        fprintf(stderr, "%s: %s\n", rcity_status_name(status), rcity_context_message(w.context));
    }
    rcity_visibility_close(&w.visibility);
    rcity_predictor_close(&w.predictor);
    rcity_link_profile_destroy(&w.profile);
    rcity_delays_destroy(&w.delays);
    rcity_map_destroy(&w.network);
    rcity_map_destroy(&w.map);
    rcity_device_close(&w.device);
    rcity_scene_destroy(&w.scene);
    rcity_context_destroy(&w.context);
    return status == RCITY_OK ? 0 : 1;
}
