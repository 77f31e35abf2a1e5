/* Makes the compiled scenes that fuzz_rcity starts from, after a change of the format, and proves that they load.
     make_seeds make SEEDS    writes SEEDS/rcity/NAME.rcity from SEEDS/res/NAME.res, and one with terrain, vegetation,
                              land cover and materials
     make_seeds check SEEDS   loads them all */
#include <stdio.h>
#include <string.h>

#include "radiocity/radiocity.h"

/* The first RES_COUNT are made from wall lists. */
static const char *const names[] = {"box", "courtyard", "touching", "terrain", "clutter"};

#define NAME_COUNT ((int)(sizeof names / sizeof names[0]))
#define RES_COUNT  3

/* Two cells of terrain in each direction with a house on it. */
static rcity_status make_terrain(rcity_context *context, rcity_scene **scene)
{
    static const float height_m[9] = {10.0f, 12.0f, 15.0f, 11.0f, 20.0f, 14.0f, 9.0f, 12.0f, 13.0f};
    static const double xy_m[8] = {12.0, 12.0, 30.0, 14.0, 28.0, 26.0, 13.0, 24.0};
    static const int point_count[1] = {4};
    rcity_scene_options options = rcity_scene_options_default();
    options.crs = "EPSG:32632";
    rcity_terrain terrain = {3, 3, 0.0, 0.0, 20.0, height_m};
    rcity_building building = rcity_building_default();
    building.id = 1;
    building.ring_count = 1;
    building.ring_point_count = point_count;
    building.xy_m = xy_m;
    building.height_m = 8.0;
    building.material = "brick";
    rcity_status status = rcity_scene_create(context, &options, scene);
    status = status == RCITY_OK ? rcity_scene_set_terrain(*scene, &terrain) : status;
    status = status == RCITY_OK ? rcity_scene_add_building(*scene, &building) : status;
    return status == RCITY_OK ? rcity_scene_commit(*scene) : status;
}

/* A wood with a clearing, land cover of two classes, a material of the scene's own. */
static rcity_status make_clutter(rcity_context *context, rcity_scene **scene)
{
    static const double xy_m[16] = {0.0,  0.0,  60.0, 5.0,  50.0, 40.0, 2.0,  30.0,
                                    10.0, 10.0, 20.0, 10.0, 20.0, 20.0, 10.0, 20.0};
    static const int point_count[2] = {4, 4};
    static const uint8_t code[4] = {1, 7, 7, 1};
    static const rcity_land_class classes[2] = {{1, "grass", 0.3, 0.0}, {7, "forest", 18.0, 11.5}};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_building building = rcity_building_default();
    rcity_vegetation wood = {3, 2, point_count, xy_m, 18.0};
    rcity_land_cover land = {2, 2, -5.0, -5.0, 40.0, code, 2, classes};
    rcity_material material;
    bool is_found = rcity_material_find("wood", &material);
    memcpy(material.name, "larch", sizeof "larch");
    building.ring_count = 1;
    building.ring_point_count = point_count;
    building.xy_m = xy_m + 8;
    building.height_m = 5.0;
    building.material = "larch";
    rcity_status status = is_found ? rcity_scene_create(context, &options, scene) : RCITY_ERR_STATE;
    status = status == RCITY_OK ? rcity_scene_add_building(*scene, &building) : status;
    status = status == RCITY_OK ? rcity_scene_add_vegetation(*scene, &wood) : status;
    status = status == RCITY_OK ? rcity_scene_set_land_cover(*scene, &land) : status;
    status = status == RCITY_OK ? rcity_scene_add_material(*scene, &material) : status;
    return status == RCITY_OK ? rcity_scene_commit(*scene) : status;
}

static rcity_status make(rcity_context *context, const char *folder, int index)
{
    char input[1024];
    char output[1024];
    snprintf(input, sizeof input, "%s/res/%s.res", folder, names[index]);
    snprintf(output, sizeof output, "%s/rcity/%s.rcity", folder, names[index]);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    rcity_status status = index < RES_COUNT    ? rcity_res_load(context, input, &options, &scene)
                          : index == RES_COUNT ? make_terrain(context, &scene)
                                               : make_clutter(context, &scene);
    status = status == RCITY_OK ? rcity_scene_save(context, scene, output) : status;
    rcity_scene_destroy(&scene);
    return status;
}

static rcity_status check(rcity_context *context, const char *folder, int index)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/rcity/%s.rcity", folder, names[index]);
    rcity_scene *scene = NULL;
    rcity_status status = rcity_scene_load(context, path, &scene);
    rcity_scene_destroy(&scene);
    return status;
}

int main(int argc, char **argv)
{
    bool is_make = argc == 3 && strcmp(argv[1], "make") == 0;
    if (argc != 3 || (!is_make && strcmp(argv[1], "check") != 0)) {
        fprintf(stderr, "usage: make_seeds make|check SEEDS\n");
        return 2;
    }
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_status status = rcity_context_create(&options, &context);
    for (int i = 0; i < NAME_COUNT && status == RCITY_OK; i++) {
        status = is_make ? make(context, argv[2], i) : check(context, argv[2], i);
    }
    if (status != RCITY_OK) {
        fprintf(stderr, "make_seeds: %s\n", rcity_context_message(context));
        fprintf(stderr,
                "make_seeds: seeds that no longer load are made again with 'make_seeds make tests/fuzz/seeds'\n");
    }
    rcity_context_destroy(&context);
    return status == RCITY_OK ? 0 : 1;
}
