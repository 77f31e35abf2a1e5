/* radiocity visibility: the file of which tiles of a scene see each other. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "method_help.h"
#include "outputs.h"
#include "scene_files.h"
#include "session.h"
#include "text/number_text.h"

typedef struct visibility_input {
    const char *scene_path, *path, *device;
    bool is_dry_run, wants_json;
    extra_options extra;
} visibility_input;

/* Options that a matrix depends on, as the methods that use one list them. */
static const char *visibility_option_at(int index)
{
    rcity_method_option option;
    for (int m = 0; m < rcity_method_count(); m++) {
        for (int i = 0; rcity_method_get_option(m, i, &option) == RCITY_OK; i++) {
            if ((rcity_method_option_uses(m, i) & RCITY_OPTION_OF_VISIBILITY) != 0 && index-- == 0) {
                return option.name;
            }
        }
    }
    return NULL;
}

static bool is_visibility_option(const char *name)
{
    for (int i = 0; visibility_option_at(i) != NULL; i++) {
        if (strcmp(visibility_option_at(i), name) == 0) {
            return true;
        }
    }
    return false;
}

static void describe(char *text, size_t room)
{
    snprintf(
        text, room, "%s",
        "Cut the walls, roofs and the ground of a scene into tiles, find which of them see each other, and write\n"
        "that to a file, the visibility matrix. 'radiocity predict --visibility FILE' uses it instead of finding it\n"
        "each time; it needs the same scene and the same options below. A run that was stopped is continued by\n"
        "the same command.\n\n"
        "Options of tiles, and what these are unless given:\n");
    for (int m = 0; m < rcity_method_count(); m++) {
        help_append_options(text, room, m, RCITY_OPTION_OF_VISIBILITY);
    }
    help_append(text, room,
                "\nExample:\n"
                "  radiocity visibility --scene city.rcity --tile-area-m2 50 -o city.vis");
}

static int read_input(visibility_input *input, int count, char **words)
{
    static char about[8192];
    describe(about, sizeof about);
    memset(input, 0, sizeof *input);
    input->extra.accepts = is_visibility_option;
    input->extra.name_at = visibility_option_at;
    const cli_option table[] = {
        {"--scene", OPTION_TEXT, &input->scene_path, "FILE", "compiled scene (.rcity), or a wall list (.res)"},
        {"-o", OPTION_TEXT, &input->path, "FILE", "the matrix to write; FILE.part until it is complete"},
        {"--device", OPTION_TEXT, &input->device, "ID", "host or opencl:N; the best there is"},
        {"--dry-run", OPTION_FLAG, &input->is_dry_run, NULL, "cut the scene and count tiles, but make no matrix"},
        {"--json", OPTION_FLAG, &input->wants_json, NULL, "one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "visibility",
        .usage = "Usage: radiocity visibility --scene FILE -o FILE [options]",
        .about = about,
        .options = table,
        .extra = &input->extra,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0 && input->scene_path == NULL) {
        result = usage_error("visibility", "the scene is missing; give --scene FILE");
    }
    return result != 0 ? result : arguments_require(&line, NULL, input->path != NULL || input->is_dry_run);
}

static void print_json(const rcity_tile_visibility_info *info, const visibility_input *input, const char *device)
{
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    json_integer(&json, "tile_count", info->tile_count);
    json_begin_object(&json, "tile_count_of");
    json_integer(&json, rcity_surface_name(RCITY_SURFACE_WALL), info->wall_tile_count);
    json_integer(&json, rcity_surface_name(RCITY_SURFACE_ROOF), info->roof_tile_count);
    json_integer(&json, rcity_surface_name(RCITY_SURFACE_GROUND), info->ground_tile_count);
    json_end_object(&json);
    json_integer(&json, "covered_tile_count", info->covered_tile_count);
    json_integer(&json, "edge_count", info->edge_count);
    json_integer(&json, "dropped_wall_count", info->dropped_wall_count);
    json_number(&json, "dropped_wall_area_m2", info->dropped_wall_area_m2);
    if (!input->is_dry_run) {
        json_integer(&json, "entry_count", info->entry_count);
        json_number(&json, "neighbour_mean", info->neighbour_mean);
        json_integer(&json, "file_bytes", info->file_bytes);
        json_integer(&json, "kept_tile_count", info->kept_tile_count);
        json_number(&json, "seconds", info->seconds);
        json_text(&json, "device", device);
        json_text(&json, "file", input->path);
    }
    json_end_object(&json);
    json_end_line(&json);
}

static void print_text(const rcity_tile_visibility_info *info, const visibility_input *input)
{
    printf("%" PRId64 " tiles: %" PRId64 " of walls, %" PRId64 " of roofs, %" PRId64 " of the ground, %" PRId64
           " of them covered; %" PRId64 " edges\n",
           info->tile_count, info->wall_tile_count, info->roof_tile_count, info->ground_tile_count,
           info->covered_tile_count, info->edge_count);
    printf("%" PRId64 " walls are too small for tiles, %.1f m2 in all\n", info->dropped_wall_count,
           info->dropped_wall_area_m2);
    if (input->is_dry_run) {
        return;
    }
    char bytes[32];
    printf("%" PRId64 " entries: a tile sees %.1f others on average\n", info->entry_count, info->neighbour_mean);
    if (info->kept_tile_count > 0) {
        printf("the entries of %" PRId64 " tiles are from a run that was stopped\n", info->kept_tile_count);
    }
    printf("%s: %s, made in %.1f s\n", input->path, rcity_format_bytes((double)info->file_bytes, bytes), info->seconds);
}

static int build(rcity_context *context, const visibility_input *input)
{
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_tile_visibility_info info;
    rcity_device_info device_info;
    rcity_tile_visibility_options options = rcity_tile_visibility_options_default();
    options.option_count = input->extra.count;
    options.option_name = input->extra.name;
    options.option_value = input->extra.value;
    options.only_tiles = input->is_dry_run;
    rcity_status status = scene_file_load(context, input->scene_path, &scene);
    if (status == RCITY_OK) {
        status = rcity_device_open(context, input->is_dry_run ? "host" : input->device, &device);
    }
    if (status == RCITY_OK) {
        status = rcity_tile_visibility_build(context, scene, device, &options, input->path, &info);
    }
    if (status == RCITY_OK && input->wants_json) {
        rcity_device_describe(device, &device_info);
        print_json(&info, input, device_info.id);
    } else if (status == RCITY_OK) {
        print_text(&info, input);
    }
    int result = status == RCITY_OK ? EXIT_FINE : session_fail(context, status);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return result;
}

int command_visibility(int count, char **words)
{
    visibility_input input;
    int result = read_input(&input, count, words);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result == 0 && !input.is_dry_run) {
        result = output_check(context, "visibility", input.path, input.scene_path);
    }
    if (result == 0) {
        result = build(context, &input);
    }
    session_close(&context);
    return result;
}
