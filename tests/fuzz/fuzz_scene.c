/* Scenes from fuzzed files, used the way the program would use them. */
#include "fuzz_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES (256u << 20)
#define CELLS_ACROSS 12.0

void fuzz_demand(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

rcity_context *fuzz_context(void)
{
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = 1;
    options.memory_bytes = MEMORY_BYTES;
    rcity_context *context = NULL;
    fuzz_demand(rcity_context_create(&options, &context) == RCITY_OK);
    return context;
}

void fuzz_demand_sentence(const rcity_context *context)
{
    const char *message = rcity_context_message(context);
    fuzz_demand(message[0] != '\0');
    for (; *message != '\0'; message++) {
        fuzz_demand((unsigned char)*message >= 0x20 && *message != 0x7f);
    }
}

/* Lines of sight across the scene, there and back. */
static void test_segments(rcity_context *context, const rcity_scene *scene, const rcity_scene_info *info,
                          bool is_cleaned)
{
    rcity_point ends[] = {
        {info->x_min_m, info->y_min_m, 1.5},
        {info->x_max_m, info->y_max_m, info->height_max_m},
        {0.5 * (info->x_min_m + info->x_max_m), info->y_min_m, 0.0},
        {0.5 * (info->x_min_m + info->x_max_m), info->y_max_m, 2.0},
    };
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            bool is_free;
            bool is_free_back;
            if (rcity_scene_test_segment(context, scene, &ends[i], &ends[k], &is_free) != RCITY_OK ||
                rcity_scene_test_segment(context, scene, &ends[k], &ends[i], &is_free_back) != RCITY_OK) {
                fuzz_demand_sentence(context);
                continue;
            }
            fuzz_demand(!is_cleaned || is_free == is_free_back);
        }
    }
}

static void demand_sound_map(rcity_context *context, const rcity_map *map)
{
    rcity_raster raster = rcity_map_raster(map);
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        rcity_band_summary summary;
        fuzz_demand(rcity_map_get_band(map, i, &band) == RCITY_OK);
        fuzz_demand(rcity_map_summarize(context, map, i, &summary) == RCITY_OK);
        for (int64_t cell = 0; cell < raster.column_count * raster.row_count; cell++) {
            fuzz_demand(!isinf(band.value[cell]));
        }
    }
}

static void predict(rcity_context *context, const rcity_scene *scene, const rcity_scene_info *info)
{
    static const char *const option_name[] = {"line-of-sight"};
    static const char *const option_value[] = {"exact"};
    rcity_request request = rcity_request_default();
    request.transmitter.x_m = info->x_min_m + 0.3 * (info->x_max_m - info->x_min_m);
    request.transmitter.y_m = info->y_min_m + 0.4 * (info->y_max_m - info->y_min_m);
    request.transmitter.height_m = info->height_max_m + 3.0;
    request.receivers.cell_m = fmax(info->x_max_m - info->x_min_m, info->y_max_m - info->y_min_m) / CELLS_ACROSS;
    request.option_count = 1;
    request.option_name = option_name;
    request.option_value = option_value;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    fuzz_demand(rcity_device_open(context, "host", &device) == RCITY_OK);
    if (rcity_predict(context, scene, device, &request, &map) == RCITY_OK) {
        demand_sound_map(context, map);
    } else {
        fuzz_demand_sentence(context);
        fuzz_demand(map == NULL);
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
}

void fuzz_end_parse(rcity_context *context, rcity_status status, rcity_scene **scene, bool is_cleaned)
{
    if (status != RCITY_OK) {
        fuzz_demand_sentence(context);
        fuzz_demand(*scene == NULL);
        return;
    }
    rcity_scene_info info;
    rcity_cover cover;
    fuzz_demand(rcity_scene_describe(*scene, &info) == RCITY_OK);
    fuzz_demand(strlen(info.hash) == 64);
    if (rcity_scene_get_cover(context, *scene, info.x_min_m, info.y_min_m, &cover) != RCITY_OK) {
        fuzz_demand_sentence(context);
    }
    rcity_ground_cover ground;
    double centre_x_m = 0.5 * (info.x_min_m + info.x_max_m);
    double centre_y_m = 0.5 * (info.y_min_m + info.y_max_m);
    if (rcity_scene_get_ground_cover(context, *scene, centre_x_m, centre_y_m, &ground) == RCITY_OK) {
        fuzz_demand(ground.vegetation_m >= 0.0 && ground.vegetation_m <= RCITY_VEGETATION_MAX_M);
        fuzz_demand(strlen(ground.land_class_name) < RCITY_MATERIAL_NAME_BYTES);
    } else {
        fuzz_demand_sentence(context);
    }
    test_segments(context, *scene, &info, is_cleaned);
    predict(context, *scene, &info);
    rcity_scene_destroy(scene);
    fuzz_demand(rcity_context_memory_used(context) == 0);
}

rcity_scene *fuzz_box(rcity_context *context, double edge_m)
{
    const double xy_m[] = {0.0, 0.0, edge_m, 0.0, edge_m, edge_m, 0.0, edge_m};
    static const int point_count[] = {4};
    rcity_scene_options options = rcity_scene_options_default();
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = point_count;
    building.xy_m = xy_m;
    building.height_m = 10.0;
    rcity_scene *scene = NULL;
    fuzz_demand(rcity_scene_create(context, &options, &scene) == RCITY_OK);
    fuzz_demand(rcity_scene_add_building(scene, &building) == RCITY_OK);
    fuzz_demand(rcity_scene_commit(scene) == RCITY_OK);
    return scene;
}
