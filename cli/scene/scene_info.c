/* radiocity scene info */
#include <inttypes.h>
#include <stdio.h>

#include "arguments.h"
#include "command.h"
#include "exit_status.h"
#include "json.h"
#include "place_words.h"
#include "scene_files.h"
#include "session.h"
#include "shown_text.h"

static void print_json(const rcity_scene_info *info, const scene_place *place)
{
    json_writer json = json_writer_make(stdout);
    json_begin_object(&json, NULL);
    json_text(&json, "source", info->source);
    json_text(&json, "crs", info->crs);
    json_integer(&json, "buildings", info->building_count);
    json_integer(&json, "walls", info->wall_count);
    json_integer(&json, "outer_walls", info->outer_wall_count);
    json_integer(&json, "exposed_walls", info->exposed_wall_count);
    json_integer(&json, "nested_buildings", info->nested_building_count);
    json_integer(&json, "prisms", info->prism_count);
    json_integer(&json, "edges", info->edge_count);
    json_integer(&json, "facades", info->facade_count);
    json_number(&json, "area_km2", info->area_km2);
    json_number(&json, "built_area_km2", info->built_area_km2);
    json_begin_array(&json, "bounds_m");
    json_number(&json, NULL, info->x_min_m);
    json_number(&json, NULL, info->y_min_m);
    json_number(&json, NULL, info->x_max_m);
    json_number(&json, NULL, info->y_max_m);
    json_end_array(&json);
    json_number(&json, "height_min_m", info->height_min_m);
    json_number(&json, "height_median_m", info->height_median_m);
    json_number(&json, "height_max_m", info->height_max_m);
    json_boolean(&json, "has_terrain", info->has_terrain);
    if (info->has_terrain) {
        json_integer(&json, "terrain_columns", info->terrain_column_count);
        json_integer(&json, "terrain_rows", info->terrain_row_count);
        json_number(&json, "terrain_cell_m", info->terrain_cell_m);
        json_number(&json, "ground_min_m", info->ground_min_m);
        json_number(&json, "ground_max_m", info->ground_max_m);
    }
    json_integer(&json, "vegetation", info->vegetation_count);
    json_number(&json, "vegetation_area_km2", info->vegetation_area_km2);
    json_integer(&json, "land_classes", info->land_class_count);
    if (info->land_class_count > 0) {
        json_integer(&json, "land_cover_columns", info->land_cover_column_count);
        json_integer(&json, "land_cover_rows", info->land_cover_row_count);
        json_number(&json, "land_cover_cell_m", info->land_cover_cell_m);
    }
    json_integer(&json, "materials", info->material_count);
    json_number(&json, "plan_unit_m", info->plan_unit_m);
    json_number(&json, "height_unit_m", info->height_unit_m);
    json_begin_object(&json, "repairs");
    for (int repair = 0; repair < RCITY_REPAIR_COUNT; repair++) {
        json_integer(&json, rcity_repair_name((rcity_repair)repair), info->repair_count[repair]);
    }
    json_end_object(&json);
    if (place != NULL) {
        json_number(&json, "west_deg", place->west_deg);
        json_number(&json, "south_deg", place->south_deg);
        json_number(&json, "east_deg", place->east_deg);
        json_number(&json, "north_deg", place->north_deg);
        json_text(&json, "place", place->words);
    }
    json_text(&json, "hash", info->hash);
    json_end_object(&json);
    json_end_line(&json);
}

static void print_text(const rcity_scene_info *info, const scene_place *place)
{
    printf("source          %s\n", info->source[0] != '\0' ? shown(info->source) : "(not said)");
    printf("CRS             %s\n", shown(info->crs));
    printf("bounds          x %.2f to %.2f m, y %.2f to %.2f m\n", info->x_min_m, info->x_max_m, info->y_min_m,
           info->y_max_m);
    if (place != NULL) {
        printf("corners         longitude %.5f to %.5f, latitude %.5f to %.5f\n", place->west_deg, place->east_deg,
               place->south_deg, place->north_deg);
        printf("place           %s\n", place->words);
    }
    printf("area            %.3f km2, of which %.3f km2 built\n", info->area_km2, info->built_area_km2);
    printf("buildings       %" PRId64 " (%" PRId64 " within the outline of another)\n", info->building_count,
           info->nested_building_count);
    printf("walls           %" PRId64 " as read, %" PRId64 " outer (no neighbour covers them), %" PRId64
           " exposed (open to the air)\n",
           info->wall_count, info->outer_wall_count, info->exposed_wall_count);
    printf("facades         %" PRId64 " pieces of open wall\n", info->facade_count);
    if (info->building_count > 0) {
        printf("heights         %.1f to %.1f m, median %.1f m\n", info->height_min_m, info->height_max_m,
               info->height_median_m);
    }
    if (info->has_terrain) {
        printf("terrain         %d x %d nodes, %.3f m apart, %.1f to %.1f m high\n", info->terrain_column_count,
               info->terrain_row_count, info->terrain_cell_m, info->ground_min_m, info->ground_max_m);
    } else {
        printf("terrain         none: flat ground at height 0\n");
    }
    if (info->vegetation_count > 0) {
        printf("vegetation      %" PRId64 " polygons, %.3f km2 in all\n", info->vegetation_count,
               info->vegetation_area_km2);
    }
    if (info->land_class_count > 0) {
        printf("land cover      %d x %d cells of %g m, %d classes\n", info->land_cover_column_count,
               info->land_cover_row_count, info->land_cover_cell_m, info->land_class_count);
    }
    if (info->material_count > 0) {
        printf("materials       %d of its own\n", info->material_count);
    }
    printf("grid            1/%.0f m in plan, 1/%.0f m in height\n", 1.0 / info->plan_unit_m,
           1.0 / info->height_unit_m);
    bool has_repairs = false;
    for (int repair = 0; repair < RCITY_REPAIR_COUNT; repair++) {
        if (info->repair_count[repair] > 0) {
            printf("repaired        %" PRId64 " %s\n", info->repair_count[repair],
                   rcity_repair_text((rcity_repair)repair));
            has_repairs = true;
        }
    }
    if (!has_repairs) {
        printf("repaired        nothing: the data were clean\n");
    }
    printf("hash            %s\n", info->hash);
}

int scene_info(int count, char **words)
{
    bool wants_json = false;
    const cli_option table[] = {
        {"--json", OPTION_FLAG, &wants_json, NULL, "one JSON object"},
        {NULL, OPTION_FLAG, NULL, NULL, NULL},
    };
    command_line line = {
        .command = "scene info",
        .usage = "Usage: radiocity scene info FILE [--json]",
        .about = "Say what a scene holds: a compiled scene (.rcity), or a wall list (.res).\n\n"
                 "Example: radiocity scene info munich.rcity --json",
        .options = table,
        .positional_count = 1,
    };
    int result = arguments_read(&line, count, words);
    if (result == 0) {
        result = arguments_require(&line, "scene", true);
    }
    if (result != 0) {
        return result < 0 ? EXIT_FINE : result;
    }
    rcity_context *context = NULL;
    rcity_scene *scene = NULL;
    rcity_scene_info info;
    result = session_open(&context);
    if (result != 0) {
        return result;
    }
    rcity_status status = scene_file_load(context, line.positional[0], &scene);
    if (status == RCITY_OK) {
        status = rcity_scene_describe(scene, &info);
    }
    scene_place place;
    bool is_placed = status == RCITY_OK && scene_place_find(context, &info, &place);
    if (status != RCITY_OK) {
        result = session_fail(context, status);
    } else if (wants_json) {
        print_json(&info, is_placed ? &place : NULL);
    } else {
        print_text(&info, is_placed ? &place : NULL);
    }
    rcity_scene_destroy(&scene);
    session_close(&context);
    return result;
}
