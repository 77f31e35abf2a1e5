/* radiocity scene export */
#include <inttypes.h>
#include <stdio.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "outputs.h"
#include "scene_files.h"
#include "session.h"

static int export(rcity_context *context, const char *input, const char *crs, const char *path)
{
    bool is_terrain = path_ends_with(path, ".tif");
    rcity_scene *scene = NULL;
    rcity_scene_info info;
    rcity_status status = scene_file_load(context, input, &scene);
    if (status == RCITY_OK) {
        status = rcity_scene_describe(scene, &info);
    }
    if (status == RCITY_OK) {
        status = is_terrain ? rcity_scene_export_terrain(context, scene, path)
                            : rcity_scene_export(context, scene, crs, path);
    }
    int result = EXIT_FINE;
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    } else if (is_terrain) {
        printf("%s: %d x %d nodes of terrain\n", path, info.terrain_column_count, info.terrain_row_count);
    } else {
        printf("%s: %" PRId64 " %s\n", path, info.building_count, info.building_count == 1 ? "building" : "buildings");
    }
    rcity_scene_destroy(&scene);
    return result;
}

int scene_export(int count, char **words)
{
    const char *path = NULL;
    const char *crs = NULL;
    const cli_option table[] = {
        {"--crs", OPTION_TEXT, &crs, "CRS", "to write buildings in, such as EPSG:4326; that of the scene"},
        {"-o", OPTION_TEXT, &path, "FILE", "buildings as .gpkg, .shp or .geojson; terrain as .tif"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "scene export",
        .usage = "Usage: radiocity scene export SCENE [--crs CRS] -o FILE",
        .about = "Write the buildings of a scene as polygons with fields id, height_m, ground_m and material, or its\n"
                 "terrain as an elevation model. Imported again with --ground-field ground_m --close-gaps-m 0 they "
                 "give the same\n"
                 "scene.\n\n"
                 "Examples:\n"
                 "  radiocity scene export city.rcity -o city.gpkg\n"
                 "  radiocity scene export city.rcity --crs EPSG:4326 -o city.geojson\n"
                 "  radiocity scene export city.rcity -o ground.tif",
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, "scene", path != NULL);
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    bool is_terrain = path_ends_with(path, ".tif");
    if (!is_terrain && !path_ends_with(path, ".gpkg") && !path_ends_with(path, ".shp") &&
        !path_ends_with(path, ".geojson")) {
        return usage_error("scene export", "'%s' must end in .gpkg, .shp or .geojson, or .tif for the terrain", path);
    }
    if (is_terrain && crs != NULL) {
        return usage_error("scene export", "--crs is for buildings; terrain is written in the scene's CRS");
    }
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result == 0) {
        result = output_check(context, "scene export", path, line.positional[0]);
    }
    if (result == 0) {
        result = export(context, line.positional[0], crs, path);
    }
    session_close(&context);
    return result;
}
