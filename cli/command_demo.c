/* radiocity demo: a city, a map of it, a picture, and a few words on what to do next. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "output_set.h"
#include "outputs.h"
#include "session.h"

#define FREQUENCY_MHZ 2100.0
#define MAST_M        15.0 /* below the roofs: a small cell */
#define EIRP_DBM      50.0
#define CELL_M        3.0

typedef struct demo_paths {
    char scene[512], map[512], picture[512], text[512];
} demo_paths;

static void name_paths(const char *folder, demo_paths *paths)
{
    snprintf(paths->scene, sizeof paths->scene, "%s/city.rcity", folder);
    snprintf(paths->map, sizeof paths->map, "%s/map.tif", folder);
    snprintf(paths->picture, sizeof paths->picture, "%s/map.png", folder);
    snprintf(paths->text, sizeof paths->text, "%s/README.txt", folder);
}

/* How far the streets can be looked along from a place: the sum over 32 directions of the free distance. */
static rcity_status measure_view(rcity_context *context, const rcity_scene *scene, rcity_point from, double *view_m)
{
    *view_m = 0.0;
    for (int direction = 0; direction < 32; direction++) {
        double angle_rad = direction * 2.0 * 3.14159265358979 / 32.0;
        for (double distance_m = 20.0; distance_m <= 400.0; distance_m += 20.0) {
            rcity_point to = {from.x_m + distance_m * cos(angle_rad), from.y_m + distance_m * sin(angle_rad), 1.5};
            bool is_free;
            rcity_status status = rcity_scene_test_segment(context, scene, &from, &to, &is_free);
            if (status != RCITY_OK) {
                return status;
            }
            if (!is_free) {
                break;
            }
            *view_m += 20.0;
        }
    }
    return RCITY_OK;
}

/* The open place near the middle from which most of the streets can be seen: where a planner would put a mast. */
static rcity_status choose_site(rcity_context *context, const rcity_scene *scene, rcity_transmitter *transmitter)
{
    rcity_scene_info info;
    rcity_status status = rcity_scene_describe(scene, &info);
    double best_m = -1.0;
    for (int row = -8; row <= 8 && status == RCITY_OK; row++) {
        for (int column = -8; column <= 8 && status == RCITY_OK; column++) {
            rcity_point at = {floor(0.5 * (info.x_min_m + info.x_max_m)) + 20.0 * column,
                              floor(0.5 * (info.y_min_m + info.y_max_m)) + 20.0 * row, MAST_M};
            rcity_cover cover;
            double view_m;
            status = rcity_scene_get_cover(context, scene, at.x_m, at.y_m, &cover);
            if (status != RCITY_OK || cover.is_covered) {
                continue;
            }
            status = measure_view(context, scene, at, &view_m);
            if (status == RCITY_OK && view_m > best_m) {
                best_m = view_m;
                transmitter->x_m = at.x_m;
                transmitter->y_m = at.y_m;
            }
        }
    }
    return status;
}

static rcity_status write_text(rcity_context *context, const demo_paths *paths, const rcity_scene *scene,
                               const rcity_request *request, const rcity_map *map, rcity_build_features features)
{
    rcity_scene_info info;
    rcity_band_summary loss;
    rcity_status status = rcity_scene_describe(scene, &info);
    if (status == RCITY_OK) {
        status = rcity_map_summarize(context, map, 0, &loss);
    }
    if (status != RCITY_OK) {
        return status;
    }
    char text[3000];
    snprintf(
        text, sizeof text,
        "radiocity %s, demo\n\n"
        "What was done\n"
        "  A synthetic European centre of %.2f km2 (%lld buildings, %lld walls) was made and saved as city.rcity.\n"
        "  A transmitter was put on a mast of %.0f m at (%.0f, %.0f), where most of the streets can be seen from.\n"
        "  The loss to receivers %.1f m above the street was predicted at %.0f MHz in cells of %.0f m by the method\n"
        "  '%s': in sight, through walls, around corners, over roofs. %lld cells lose %.1f to %.1f dB.\n"
        "  %s\n"
        "  %s\n\n"
        "What to try next\n"
        "  radiocity scene info city.rcity\n"
        "  radiocity predict --scene city.rcity --tx %.0f,%.0f,60 --frequency-mhz 3500 --eirp-dbm 50 \\\n"
        "      --cell 10 -o higher.tif --png higher.png\n"
        "  radiocity predict --scene city.rcity --tx %.0f,%.0f,15 --frequency-mhz 2100 --indoor walls --png "
        "indoor.png\n"
        "  radiocity scene make --kind highrise --area-km2 4 --seed 3 -o hills.rcity\n"
        "  radiocity scene draw hills.rcity -o hills.png\n"
        "  radiocity devices\n",
        rcity_version(), info.area_km2, (long long)info.building_count, (long long)info.wall_count,
        request->transmitter.height_m, request->transmitter.x_m, request->transmitter.y_m,
        request->receivers.height_m[0], request->transmitter.frequency_hz * 1e-6, request->receivers.cell_m,
        request->method, (long long)loss.value_count, loss.minimum, loss.maximum,
        features.has_geotiff ? "map.tif is the map for GIS programs (GeoTIFF)."
                             : "This build has no GDAL, so there is no map.tif.",
        features.has_pictures ? "map.png is the picture of it." : "This build has no Cairo, so there is no map.png.",
        request->transmitter.x_m, request->transmitter.y_m, request->transmitter.x_m, request->transmitter.y_m);
    return rcity_text_save(context, paths->text, text);
}

static rcity_status write_all(rcity_context *context, const demo_paths *paths, const rcity_scene *scene,
                              const rcity_request *request, const rcity_map *map)
{
    rcity_build_features features = rcity_build_features_get();
    output_set files = {0};
    output_set_add(&files, paths->scene);
    rcity_status status = rcity_scene_save(context, scene, paths->scene);
    if (status == RCITY_OK && features.has_geotiff) {
        status = rcity_map_save_geotiff(context, map, NULL, paths->map);
    }
    if (status == RCITY_OK && features.has_pictures) {
        rcity_picture_options options = rcity_picture_options_default();
        options.transmitter_count = 1;
        options.transmitters = &request->transmitter;
        status = rcity_picture_save(context, scene, map, &options, paths->picture);
    }
    if (status == RCITY_OK) {
        status = write_text(context, paths, scene, request, map, features);
    }
    return output_set_finish(context, &files, status);
}

static int demo(rcity_context *context, const char *device_id, const demo_paths *paths)
{
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_city_options city = rcity_city_options_default();
    city.seed = 7;
    city.area_km2 = 0.5;
    rcity_request request = rcity_request_default();
    request.transmitter.name = "Tx";
    request.transmitter.height_m = MAST_M;
    request.transmitter.frequency_hz = FREQUENCY_MHZ * 1e6;
    request.receivers.cell_m = CELL_M;
    request.transmitter.power_kind = RCITY_POWER_EIRP;
    request.transmitter.power_dbm = EIRP_DBM;
    rcity_status status = rcity_city_make(context, &city, &scene);
    if (status == RCITY_OK) {
        status = choose_site(context, scene, &request.transmitter);
    }
    if (status == RCITY_OK) {
        status = rcity_device_open(context, device_id, &device);
    }
    if (status == RCITY_OK) {
        status = rcity_predict(context, scene, device, &request, &map);
    }
    if (status == RCITY_OK) {
        status = write_all(context, paths, scene, &request, map);
    }
    int result = EXIT_FINE;
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    } else {
        printf("%s\n", rcity_build_features_get().has_pictures ? paths->picture : paths->text);
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return result;
}

int command_demo(int count, char **words)
{
    const char *folder = "demo";
    const char *device = NULL;
    const cli_option table[] = {
        {"--folder", OPTION_TEXT, &folder, "FOLDER", "where to write; demo unless given"},
        {"--device", OPTION_TEXT, &device, "ID", "host or opencl:N; the best there is"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "demo",
        .usage = "Usage: radiocity demo [--folder FOLDER]",
        .about =
            "Make a city, predict it with the best method there is, and write the scene, the map, a picture and a\n"
            "short text that says what was done and what to try next. Prints the path of the picture.\n\n"
            "Example: radiocity demo --folder /tmp/demo",
        .options = table,
    };
    int result = arguments_read(&line, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    if (strlen(folder) > 400) {
        return usage_error("demo", "--folder is over 400 bytes long");
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "radiocity: cannot make the folder '%s': %s; choose another with --folder\n", folder,
                strerror(errno));
        return EXIT_FILE;
    }
    demo_paths paths;
    name_paths(folder, &paths);
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result == 0) {
        result = output_check(context, "demo", paths.picture, NULL);
        const char *const others[] = {paths.scene, paths.map, paths.text};
        for (size_t i = 0; result == 0 && i < sizeof others / sizeof others[0]; i++) {
            result = output_check(context, "demo", others[i], NULL);
        }
    }
    if (result == 0) {
        result = demo(context, device, &paths);
    }
    session_close(&context);
    return result;
}
