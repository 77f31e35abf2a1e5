/* radiocity scene import */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "outputs.h"
#include "scene_files.h"
#include "session.h"

static int import(rcity_context *context, const char *input, const rcity_scene_options *options, const char *path)
{
    rcity_scene *scene = NULL;
    rcity_scene_info info;
    bool is_known;
    rcity_status status = options->crs != NULL ? rcity_crs_check(context, options->crs) : RCITY_OK;
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    status = scene_file_import(context, input, options, &scene, &is_known);
    if (!is_known) {
        return usage_error("scene import", "'%s' has an ending this version does not read; it reads .res wall lists",
                           input);
    }
    if (status == RCITY_OK) {
        status = rcity_scene_describe(scene, &info);
    }
    if (status == RCITY_OK) {
        status = rcity_scene_save(context, scene, path);
    }
    int result = EXIT_FINE;
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    } else {
        scene_print_repairs(&info);
        printf("%s: %" PRId64 " buildings, %" PRId64 " walls, %.2f km2\n", path, info.building_count, info.wall_count,
               info.area_km2);
    }
    rcity_scene_destroy(&scene);
    return result;
}

int scene_import(int count, char **words)
{
    rcity_scene_options options = rcity_scene_options_default();
    const char *path = NULL;
    const char *bad = "fail";
    const cli_option table[] = {
        {"--gap", OPTION_NUMBER, &options.gap_m, "METRES", "close gaps between buildings narrower than this; 0.5"},
        {"--bad", OPTION_TEXT, &bad, "fail|drop", "what to do with buildings that cannot be repaired; fail"},
        {"--crs", OPTION_TEXT, &options.crs, "CRS", "projected CRS of the coordinates, such as EPSG:31468; none"},
        {"-o", OPTION_TEXT, &path, "FILE", "the compiled scene (.rcity) to write"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "scene import",
        .usage = "Usage: radiocity scene import INPUT [--gap METRES] [--bad fail|drop] [--crs CRS] -o FILE",
        .about = "Read buildings, clean them and save a compiled scene. Every repair is counted and reported.\n\n"
                 "Inputs:\n"
                 "  .res   COST 231 wall list: 'x1 y1 x2 y2 height id 1 ground', one wall a line; flat ground\n\n"
                 "Example: radiocity scene import Munich_buildings.res -o munich.rcity",
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, "input", path != NULL);
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    if (strcmp(bad, "fail") != 0 && strcmp(bad, "drop") != 0) {
        return usage_error("scene import", "--bad is '%s', must be fail or drop", bad);
    }
    options.drop_invalid = strcmp(bad, "drop") == 0;
    if (!path_ends_with(path, ".rcity")) {
        return usage_error("scene import", "a compiled scene ends in .rcity, '%s' does not", path);
    }
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result == 0) {
        result = output_check(context, "scene import", path, line.positional[0]);
    }
    if (result == 0) {
        result = import(context, line.positional[0], &options, path);
    }
    session_close(&context);
    return result;
}
