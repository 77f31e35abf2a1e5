/* radiocity scene make */
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "outputs.h"
#include "scene_files.h"
#include "session.h"

static bool find_kind(const char *name, rcity_city_kind *kind)
{
    for (int i = 0; i < RCITY_CITY_KIND_COUNT; i++) {
        if (strcmp(rcity_city_kind_name((rcity_city_kind)i), name) == 0) {
            *kind = (rcity_city_kind)i;
            return true;
        }
    }
    return false;
}

static int make(rcity_context *context, const rcity_city_options *options, const char *path)
{
    rcity_scene *scene = NULL;
    rcity_scene_info info;
    rcity_status status = options->crs != NULL ? rcity_crs_check(context, options->crs) : RCITY_OK;
    if (status == RCITY_OK) {
        status = rcity_city_make(context, options, &scene);
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
        printf("%s: %s, ", path, info.source);
        scene_print_counts(&info);
        printf("\n");
    }
    rcity_scene_destroy(&scene);
    return result;
}

int scene_make(int count, char **words)
{
    rcity_city_options options = rcity_city_options_default();
    const char *kind = "core";
    const char *path = NULL;
    number_list origin = {2, {0.0, 0.0}};
    const cli_option table[] = {
        {"--kind", OPTION_TEXT, &kind, "KIND", "grid, core, highrise or hills; core unless given"},
        {"--area-km2", OPTION_NUMBER, &options.area_km2, "KM2", "0.1 to 50, of hills to 100000; 1 unless given"},
        {"--terrain-cell-m", OPTION_NUMBER, &options.terrain_cell_m, "METRES", "distance of nodes of hills; 10 to 30"},
        {"--seed", OPTION_SEED, &options.seed, "N", "the same seed gives the same city; 1 unless given"},
        {"--origin", OPTION_NUMBERS, &origin, "X,Y", "south-west corner in metres; 0,0 unless given"},
        {"--crs", OPTION_TEXT, &options.crs, "CRS", "projected CRS of these coordinates, such as EPSG:32632; none"},
        {"-o", OPTION_TEXT, &path, "FILE", "the compiled scene (.rcity) to write"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "scene make",
        .usage = "Usage: radiocity scene make [--kind KIND] [--area-km2 KM2] [--seed N] -o FILE",
        .about = "Make a synthetic city and save it as a compiled scene.\n\n"
                 "  grid      Manhattan: straight avenues and streets, flat\n"
                 "  core      European centre: irregular blocks, courtyards, winding streets, flat\n"
                 "  highrise  towers around a centre and low houses on steep hills\n"
                 "  hills     terrain alone, up to a whole region\n\n"
                 "Examples: radiocity scene make --kind highrise --area-km2 4 --seed 3 -o towers.rcity\n"
                 "          radiocity scene make --kind hills --area-km2 14400 --terrain-cell-m 30 -o region.rcity",
        .options = table,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, NULL, path != NULL);
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    if (!find_kind(kind, &options.kind)) {
        return usage_error("scene make", "there is no city kind '%s'; there are grid, core, highrise and hills", kind);
    }
    if (origin.count != 2) {
        return usage_error("scene make", "--origin takes X,Y");
    }
    options.origin_x_m = origin.value[0];
    options.origin_y_m = origin.value[1];
    if (!path_ends_with(path, ".rcity")) {
        return usage_error("scene make", "a compiled scene ends in .rcity, '%s' does not", path);
    }
    rcity_context *context = NULL;
    result = session_open(&context);
    if (result == 0) {
        result = output_check(context, "scene make", path, NULL);
    }
    if (result == 0) {
        result = make(context, &options, path);
    }
    session_close(&context);
    return result;
}
