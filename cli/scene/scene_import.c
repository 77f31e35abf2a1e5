/* radiocity scene import */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "outputs.h"
#include "place_words.h"
#include "scene_files.h"
#include "session.h"

#define COMMAND "scene import"

/* The command line. */
typedef struct import_line {
    rcity_import_options options;
    const char *crs, *to_crs;
    const char *bad, *no_height, *fill;
    const char *terrain; /* paths separated by commas */
    number_list area;
    const char *output;
} import_line;

static const char about[] =
    "Read buildings, and what stands and lies around them, into a compiled scene. Every repair is counted and\n"
    "reported. INPUT is a file of polygons that GDAL reads (Shapefile, GeoPackage, GeoJSON, OpenStreetMap .osm or\n"
    ".pbf, ...), several of them, or a COST 231 wall list (.res: 'x1 y1 x2 y2 height id 1 ground', one wall a line).\n"
    "Without INPUT but with --terrain the scene is terrain alone.\n\n"
    "Heights come from --height-field or a field with a usual name (height, MEANHEIGHT, bldg_height, ...), in metres,\n"
    "in feet with --height-unit ft, or with a unit of their own ('40 ft'); else from floors times --floor-height-m; "
    "else\n"
    "from --default-height-m. The scene takes the CRS of the first input that counts in metres, else the UTM zone of "
    "its\n"
    "middle.\n\n"
    "Examples:\n"
    "  radiocity scene import buildings.gpkg -o city.rcity\n"
    "  radiocity scene import slc_cut.shp --height-field MEANHEIGHT --crs EPSG:26912 -o slc.rcity\n"
    "  radiocity scene import town.osm --default-height-m 6 --terrain n44.tif,n45.tif --fill-voids nearest -o "
    "town.rcity\n"
    "  radiocity scene import --terrain srtm/ --terrain-area-lonlat -72,44,-70,46 -o region.rcity\n"
    "  radiocity scene import Munich_buildings.res -o munich.rcity";

/* Options with two allowed words. @return 0 or EXIT_USAGE. */
static int read_choice(const char *option, const char *word, const char *no, const char *yes, bool *is_yes)
{
    *is_yes = word != NULL && strcmp(word, yes) == 0;
    if (word != NULL && !*is_yes && strcmp(word, no) != 0) {
        return usage_error(COMMAND, "%s is '%s', must be %s or %s", option, word, no, yes);
    }
    return 0;
}

static int read_fill(import_line *line)
{
    rcity_import_options *options = &line->options;
    if (line->fill == NULL) {
        return 0;
    }
    char *end;
    double height_m = strtod(line->fill, &end);
    if (strcmp(line->fill, "nearest") == 0) {
        options->terrain_fill = RCITY_FILL_NEAREST;
    } else if (strcmp(line->fill, "interpolate") == 0) {
        options->terrain_fill = RCITY_FILL_INTERPOLATE;
    } else if (end != line->fill && *end == '\0' && isfinite(height_m)) {
        options->terrain_fill = RCITY_FILL_VALUE;
        options->terrain_fill_m = height_m;
    } else {
        return usage_error(COMMAND, "--fill-voids is '%s', must be nearest, interpolate or a height in metres",
                           line->fill);
    }
    return 0;
}

/* Options that need another one. */
static int check_pairs(const import_line *line)
{
    const rcity_import_options *options = &line->options;
    const struct {
        const char *name, *needed;
        bool is_given, has_needed;
    } pairs[] = {
        {"--terrain-cell-m", "--terrain", !isnan(options->terrain_cell_m), line->terrain != NULL},
        {"--terrain-margin-m", "--terrain", !isnan(options->terrain_margin_m), line->terrain != NULL},
        {"--terrain-area-lonlat", "--terrain", line->area.count > 0, line->terrain != NULL},
        {"--surface-model", "--terrain", options->terrain_is_surface, line->terrain != NULL},
        {"--terrain-unit", "--terrain", options->terrain_unit != NULL, line->terrain != NULL},
        {"--fill-voids", "--terrain", line->fill != NULL, line->terrain != NULL},
        {"--vegetation-layer", "--vegetation", options->vegetation_layer != NULL, options->vegetation_path != NULL},
        {"--vegetation-height-field", "--vegetation", options->vegetation_height_field != NULL,
         options->vegetation_path != NULL},
        {"--vegetation-height-m", "--vegetation", !isnan(options->vegetation_height_m),
         options->vegetation_path != NULL},
        {"--land-cover", "--classes", options->land_cover_path != NULL, options->land_cover_table != NULL},
        {"--classes", "--land-cover", options->land_cover_table != NULL, options->land_cover_path != NULL},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (pairs[i].is_given && !pairs[i].has_needed) {
            return usage_error(COMMAND, "%s needs %s", pairs[i].name, pairs[i].needed);
        }
    }
    if (options->drop_without_height && !isnan(options->default_height_m)) {
        return usage_error(COMMAND, "--no-height drop and --default-height-m exclude each other");
    }
    return 0;
}

static int read_area(import_line *line)
{
    if (line->area.count == 0) {
        return 0;
    }
    if (line->area.count != 4) {
        return usage_error(COMMAND, "--terrain-area-lonlat takes W,S,E,N: four numbers of degrees");
    }
    memcpy(line->options.terrain_area_lonlat, line->area.value, sizeof line->options.terrain_area_lonlat);
    return 0;
}

/* "a.tif,,b.tif" and "a.tif," contain an empty name. */
static int check_tiles(const import_line *line)
{
    const char *tiles = line->terrain;
    if (tiles == NULL) {
        return 0;
    }
    size_t length = strlen(tiles);
    if (length == 0 || tiles[0] == ',' || tiles[length - 1] == ',' || strstr(tiles, ",,") != NULL) {
        return usage_error(COMMAND,
                           "--terrain is '%s', which has an empty path; give paths with one comma between them", tiles);
    }
    return 0;
}

/* A wall list takes no options for GIS data. */
static int check_wall_list(const import_line *line, int input_count)
{
    const rcity_import_options *options = &line->options;
    const struct {
        const char *name;
        bool is_given;
    } others[] = {
        {"second input", input_count > 1},
        {"--to-crs", line->to_crs != NULL},
        {"--layer", options->building_layer != NULL},
        {"--height-field", options->height_field != NULL},
        {"--height-unit", options->height_unit != NULL},
        {"--floors-field", options->floors_field != NULL},
        {"--floor-height-m", options->floor_height_m != RCITY_FLOOR_HEIGHT_M},
        {"--default-height-m", !isnan(options->default_height_m)},
        {"--no-height", line->no_height != NULL},
        {"--ground-field", options->ground_field != NULL},
        {"--id-field", options->id_field != NULL},
        {"--material-field", options->material_field != NULL},
        {"--materials", options->materials_path != NULL},
        {"--terrain", line->terrain != NULL},
        {"--vegetation", options->vegetation_path != NULL},
        {"--land-cover", options->land_cover_path != NULL},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i].is_given) {
            return usage_error(COMMAND,
                               "a wall list (.res) takes no %s; it takes --close-gaps-m, --bad-buildings and --crs",
                               others[i].name);
        }
    }
    return 0;
}

static int check_line(import_line *line, const command_line *words, bool *is_wall_list)
{
    bool drops_invalid;
    int result = read_choice("--bad-buildings", line->bad, "fail", "drop", &drops_invalid);
    line->options.scene.drop_invalid = drops_invalid;
    result = result != 0
                 ? result
                 : read_choice("--no-height", line->no_height, "fail", "drop", &line->options.drop_without_height);
    result = result != 0 ? result : read_fill(line);
    result = result != 0 ? result : check_pairs(line);
    result = result != 0 ? result : check_tiles(line);
    result = result != 0 ? result : read_area(line);
    result =
        result != 0 ? result : arguments_require(words, line->terrain != NULL ? NULL : "input", line->output != NULL);
    *is_wall_list = false;
    for (int i = 0; i < words->positional_count && result == 0; i++) {
        *is_wall_list = *is_wall_list || path_ends_with(words->positional[i], ".res");
        if (path_ends_with(words->positional[i], ".rcity")) {
            result = usage_error(COMMAND, "'%s' is a compiled scene already, there is nothing to import",
                                 words->positional[i]);
        }
    }
    if (result == 0 && *is_wall_list) {
        result = check_wall_list(line, words->positional_count);
    }
    if (result == 0 && !path_ends_with(line->output, ".rcity")) {
        result = usage_error(COMMAND, "a compiled scene ends in .rcity, '%s' does not", line->output);
    }
    return result;
}

/* What was read, one line for each fact, unless --quiet. */
static void print_report(const rcity_import_report *report, const import_line *line)
{
    if (session_is_quiet()) {
        return;
    }
    if (report->height_field[0] != '\0') {
        bool is_feet = line->options.height_unit != NULL && strcmp(line->options.height_unit, "ft") == 0;
        fprintf(stderr, "radiocity: heights from the field '%s'%s\n", report->height_field, is_feet ? ", in feet" : "");
    }
    if (report->floors_count > 0) {
        fprintf(stderr, "radiocity: %" PRId64 " %s from the floors in '%s', %g m each\n", report->floors_count,
                report->floors_count == 1 ? "height" : "heights", report->floors_field, line->options.floor_height_m);
    }
    if (report->default_height_count > 0) {
        fprintf(stderr, "radiocity: %" PRId64 " of %" PRId64 " buildings have no height and got %g m\n",
                report->default_height_count, report->feature_count, line->options.default_height_m);
    }
    if (report->vegetation_default_count > 0) {
        fprintf(stderr, "radiocity: %" PRId64 " of %" PRId64 " polygons of vegetation have no height and got %g m\n",
                report->vegetation_default_count, report->vegetation_count, line->options.vegetation_height_m);
    }
    const struct {
        int64_t count;
        const char *text, *text_of_one;
    } facts[] = {
        {report->dropped_count, "buildings without height were left out", "building without height was left out"},
        {report->other_geometry_count, "features that are no polygons were left out",
         "feature that is no polygon was left out"},
        {report->sliver_count, "slivers narrower than 2 cm were left out", "sliver narrower than 2 cm was left out"},
        {report->underground_count, "buildings underground were left out", "building underground was left out"},
        {report->open_roof_count, "roofs on posts were left out", "roof on posts was left out"},
        {report->replaced_count, "outlines were replaced by their parts", "outline was replaced by its parts"},
        {report->floating_count, "parts that hang in the air were left out", "part that hangs in the air was left out"},
        {report->vegetation_count, "polygons of vegetation", "polygon of vegetation"},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (facts[i].count > 0) {
            fprintf(stderr, "radiocity: %" PRId64 " %s\n", facts[i].count,
                    facts[i].count == 1 ? facts[i].text_of_one : facts[i].text);
        }
    }
    if (report->unread_value_count > 0) {
        fprintf(stderr, "radiocity: %" PRId64 " %s, such as '%s', cannot be read and %s as unknown\n",
                report->unread_value_count, report->unread_value_count == 1 ? "height or level" : "heights and levels",
                report->unread_value, report->unread_value_count == 1 ? "counts" : "count");
    }
    if (report->unknown_material_count > 0) {
        fprintf(stderr, "radiocity: %" PRId64 " %s a material nobody knows, such as '%s', and got %s\n",
                report->unknown_material_count, report->unknown_material_count == 1 ? "building has" : "buildings have",
                report->unknown_material, rcity_surface_material(RCITY_SURFACE_WALL));
    }
}

static int save(rcity_context *context, const rcity_scene *scene, const char *path)
{
    rcity_scene_info info;
    rcity_status status = rcity_scene_describe(scene, &info);
    if (status == RCITY_OK) {
        status = rcity_scene_save(context, scene, path);
    }
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    scene_print_repairs(&info);
    printf("%s: ", path);
    scene_print_counts(&info);
    printf(", %.*f km2", info.area_km2 < 0.01 ? 6 : 2, info.area_km2); /* a house has about 0.0001 */
    if (info.has_terrain) {
        printf(", terrain of %d x %d nodes", info.terrain_column_count, info.terrain_row_count);
    }
    bool is_long = strlen(info.crs) > 40; /* WKT */
    printf(", CRS %s\n", is_long ? "as given ('scene info' prints it)" : info.crs);
    scene_place place;
    if (scene_place_find(context, &info, &place)) {
        printf("longitude %.5f to %.5f, latitude %.5f to %.5f: %s\n", place.west_deg, place.east_deg, place.south_deg,
               place.north_deg, place.words);
    }
    return EXIT_FINE;
}

static int import_wall_list(rcity_context *context, const import_line *line, const char *input)
{
    rcity_scene_options options = line->options.scene;
    rcity_scene *scene = NULL;
    options.crs = line->crs;
    rcity_status status = options.crs != NULL ? rcity_crs_check(context, options.crs) : RCITY_OK;
    if (status == RCITY_OK) {
        status = rcity_res_load(context, input, &options, &scene);
    }
    int result = status == RCITY_OK ? save(context, scene, line->output) : session_fail(context, status);
    rcity_scene_destroy(&scene);
    return result;
}

static int import_gis(rcity_context *context, import_line *line, const command_line *words)
{
    rcity_import_options *options = &line->options;
    options->input_crs = line->crs;
    options->scene.crs = line->to_crs;
    options->building_path_count = words->positional_count;
    options->building_paths = words->positional;
    rcity_import_report report;
    rcity_scene *scene = NULL;
    rcity_status status = rcity_scene_import(context, options, &scene, &report);
    if (status != RCITY_OK) {
        return session_fail(context, status);
    }
    print_report(&report, line);
    int result = save(context, scene, line->output);
    rcity_scene_destroy(&scene);
    return result;
}

/* The tiles of --terrain: cut at commas in a copy of the word. */
static int import_with_terrain(rcity_context *context, import_line *line, const command_line *words)
{
    if (line->terrain == NULL) {
        return import_gis(context, line, words);
    }
    size_t tile_count = 1;
    for (const char *c = line->terrain; *c != '\0'; c++) {
        tile_count += *c == ',';
    }
    char *copy = strdup(line->terrain);
    const char **tiles = calloc(tile_count, sizeof *tiles);
    int result = EXIT_MEMORY;
    if (copy != NULL && tiles != NULL) {
        char *rest = copy;
        for (size_t i = 0; i < tile_count; i++) {
            tiles[i] = rest;
            rest += strcspn(rest, ",");
            *rest++ = '\0';
        }
        line->options.terrain_path_count = (int)tile_count;
        line->options.terrain_paths = tiles;
        result = import_gis(context, line, words);
    }
    free(tiles);
    free(copy);
    return result;
}

static int run(import_line *line, const command_line *words, bool is_wall_list)
{
    rcity_context *context = NULL;
    int result = session_open(&context);
    if (result == 0) {
        result = output_check_all(context, COMMAND, line->output, words->positional_count, words->positional);
    }
    if (result == 0) {
        result = is_wall_list ? import_wall_list(context, line, words->positional[0])
                              : import_with_terrain(context, line, words);
    }
    session_close(&context);
    return result;
}

int scene_import(int count, char **words)
{
    import_line given = {.options = rcity_import_options_default()};
    rcity_import_options *options = &given.options;
    const cli_option table[] = {
        {"--height-field", OPTION_TEXT, &options->height_field, "FIELD", "heights of buildings; found by usual names"},
        {"--height-unit", OPTION_TEXT, &options->height_unit, "m|ft", "of heights without a unit of their own; metres"},
        {"--floors-field", OPTION_TEXT, &options->floors_field, "FIELD", "floors, where there is no height"},
        {"--floor-height-m", OPTION_NUMBER, &options->floor_height_m, "METRES", "height of a floor; 3"},
        {"--default-height-m", OPTION_NUMBER, &options->default_height_m, "METRES", "of buildings without height"},
        {"--no-height", OPTION_TEXT, &given.no_height, "fail|drop", "what to do with those otherwise; fail"},
        {"--ground-field", OPTION_TEXT, &options->ground_field, "FIELD", "height of the ground under a building"},
        {"--id-field", OPTION_TEXT, &options->id_field, "FIELD", "number of a building; that of the feature"},
        {"--layer", OPTION_TEXT, &options->building_layer, "LAYER", "the layer, where there are several"},
        {"--crs", OPTION_TEXT, &given.crs, "CRS", "of inputs that state none, such as EPSG:26912; none: plain metres"},
        {"--to-crs", OPTION_TEXT, &given.to_crs, "CRS", "of the scene, projected and in metres"},
        {"--material-field", OPTION_TEXT, &options->material_field, "FIELD", "material of the walls"},
        {"--materials", OPTION_TEXT, &options->materials_path, "CSV", "further materials"},
        {"--terrain", OPTION_TEXT, &given.terrain, "DEM[,DEM...]",
         "elevation: files, folders, 'N4*.hgt'; the first counts"},
        {"--terrain-cell-m", OPTION_NUMBER, &options->terrain_cell_m, "METRES", "distance of nodes; as the raster"},
        {"--terrain-margin-m", OPTION_NUMBER, &options->terrain_margin_m, "METRES", "keep so much around; all"},
        {"--terrain-area-lonlat", OPTION_NUMBERS, &given.area, "W,S,E,N",
         "a region in degrees; every tile must be there"},
        {"--surface-model", OPTION_FLAG, &options->terrain_is_surface, NULL,
         "the elevation has treetops and roofs in it"},
        {"--terrain-unit", OPTION_TEXT, &options->terrain_unit, "m|ft|us-ft", "of the elevations; metres"},
        {"--fill-voids", OPTION_TEXT, &given.fill, "HOW", "voids: nearest, interpolate or a height; they are refused"},
        {"--vegetation", OPTION_TEXT, &options->vegetation_path, "FILE", "polygons of trees"},
        {"--vegetation-layer", OPTION_TEXT, &options->vegetation_layer, "LAYER", "as --layer"},
        {"--vegetation-height-field", OPTION_TEXT, &options->vegetation_height_field, "FIELD", "as --height-field"},
        {"--vegetation-height-m", OPTION_NUMBER, &options->vegetation_height_m, "METRES", "of trees without height"},
        {"--land-cover", OPTION_TEXT, &options->land_cover_path, "FILE", "raster of land-cover classes"},
        {"--classes", OPTION_TEXT, &options->land_cover_table, "CSV|NAME",
         "code,name,height_m,loss_db; or worldcover, corine, nlcd"},
        {"--close-gaps-m", OPTION_NUMBER, &options->scene.gap_m, "METRES", "close gaps narrower than this; 0.5"},
        {"--bad-buildings", OPTION_TEXT, &given.bad, "fail|drop", "what to do with buildings beyond repair; fail"},
        {"-o", OPTION_TEXT, &given.output, "FILE", "the compiled scene (.rcity) to write"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = COMMAND,
        .usage = "Usage: radiocity scene import INPUT... [OPTIONS] -o FILE.rcity",
        .about = about,
        .options = table,
        .positional_count = POSITIONAL_MAX,
    };
    int result = arguments_read(&line, count, words);
    bool is_wall_list = false;
    result = result != 0 ? result : check_line(&given, &line, &is_wall_list);
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    return run(&given, &line, is_wall_list);
}
