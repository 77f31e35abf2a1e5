/* radiocity scene draw */
#include <stdio.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "outputs.h"
#include "scene_files.h"
#include "session.h"

int scene_draw(int count, char **words)
{
    rcity_picture_options options = rcity_picture_options_default();
    const char *path = NULL;
    const cli_option table[] = {
        {"--width", OPTION_COUNT, &options.width_px, "PIXELS", "width of the picture, 400 to 8000"},
        {"--title", OPTION_TEXT, &options.title, "TEXT", "title line instead of the scene's own"},
        {"-o", OPTION_TEXT, &path, "FILE", "the picture (.png) to write"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "scene draw",
        .usage = "Usage: radiocity scene draw SCENE [--width PIXELS] [--title TEXT] -o FILE",
        .about = "Draw a scene as PNG: terrain, buildings coloured by height, scale bar, north arrow.\n\n"
                 "Example: radiocity scene draw munich.rcity -o munich.png",
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
    if (!path_ends_with(path, ".png")) {
        return usage_error("scene draw", "the picture is PNG; let '%s' end in .png", path);
    }
    rcity_context *context = NULL;
    rcity_scene *scene = NULL;
    result = session_open(&context);
    if (result == 0) {
        result = output_check(context, "scene draw", path, line.positional[0]);
    }
    if (result != 0) {
        session_close(&context);
        return result;
    }
    rcity_status status = scene_file_load(context, line.positional[0], &scene);
    if (status == RCITY_OK) {
        status = rcity_picture_save(context, scene, NULL, &options, path);
    }
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    } else {
        printf("%s\n", path);
    }
    rcity_scene_destroy(&scene);
    session_close(&context);
    return result;
}
