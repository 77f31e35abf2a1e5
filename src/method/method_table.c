/* The table of methods. Adding one touches its folder and a row here. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "method/beams/beams.h"
#include "method/cubes/cubes.h"
#include "method/empirical/free_space.h"
#include "method/empirical/hata.h"
#include "method/empirical/log_distance.h"
#include "method/empirical/p1411.h"
#include "method/empirical/tr38901.h"
#include "method/empirical/walfisch_ikegami.h"
#include "method/images/images.h"
#include "method/method.h"
#include "method/shadow/shadow.h"
#include "method/terrain/terrain_method.h"
#include "method/tiles/tiles.h"
#include "result/surfaces_data.h"

static const rcity_method *const methods[] = {
    &rcity_free_space_method.row,
    &rcity_log_distance_method.row,
    &rcity_hata_method.row,
    &rcity_cost231_hata_method.row,
    &rcity_walfisch_ikegami_method.row,
    &rcity_3gpp_uma_method.row,
    &rcity_3gpp_umi_method.row,
    &rcity_p1411_method.row,
    &rcity_shadow_method,
    &rcity_images_method,
    &rcity_tiles_method,
    &rcity_beams_method,
    &rcity_cubes_method,
    &rcity_terrain_method,
};

/* What a request has that names no method, and what the program takes for hills without buildings. */
static const rcity_method *const default_method = &rcity_shadow_method;
static const rcity_method *const hill_method = &rcity_terrain_method;

#define METHOD_COUNT ((int)(sizeof methods / sizeof methods[0]))

int rcity_method_count(void)
{
    return METHOD_COUNT;
}

rcity_status rcity_method_get_sized(int method_index, size_t info_bytes, rcity_method_info *info)
{
    RCITY_NEED(NULL, info);
    RCITY_CHECK_BYTES(NULL, rcity_method_info, info_bytes);
    if (method_index < 0 || method_index >= METHOD_COUNT) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&methods[method_index]->info, sizeof(rcity_method_info), info_bytes, info);
    return RCITY_OK;
}

rcity_status rcity_method_get_option_sized(int method_index, int option_index, size_t option_bytes,
                                           rcity_method_option *option)
{
    RCITY_NEED(NULL, option);
    RCITY_CHECK_BYTES(NULL, rcity_method_option, option_bytes);
    if (method_index < 0 || method_index >= METHOD_COUNT || option_index < 0 ||
        option_index >= methods[method_index]->info.option_count) {
        return RCITY_ERR_ARGUMENT;
    }
    rcity_copy_struct(&methods[method_index]->options[option_index], sizeof(rcity_method_option), option_bytes, option);
    return RCITY_OK;
}

unsigned rcity_method_option_uses(int method_index, int option_index)
{
    if (method_index < 0 || method_index >= METHOD_COUNT || option_index < 0 ||
        option_index >= methods[method_index]->info.option_count) {
        return 0;
    }
    const rcity_method *method = methods[method_index];
    uint64_t bit = RCITY_OPTION_BIT(option_index);
    bool is_weight = ((method->prepare_options | method->trace_options) & bit) == 0;
    return (is_weight ? RCITY_OPTION_IS_WEIGHT : 0) | ((method->map_options & bit) != 0 ? RCITY_OPTION_OF_MAPS : 0) |
           ((method->order_options & bit) != 0 ? RCITY_OPTION_IS_ORDER : 0) |
           ((method->visibility_options & bit) != 0 ? RCITY_OPTION_OF_VISIBILITY : 0);
}

/* The names of a method's mechanisms by their numbers; returns how many numbers there are. */
static int list_mechanisms(const rcity_method *method, const char *names[RCITY_MECHANISM_COUNT])
{
    int class_count = 0;
    memset(names, 0, RCITY_MECHANISM_COUNT * sizeof *names);
    for (int i = 0; i < method->mechanism_count; i++) {
        int mechanism = (int)method->mechanisms[i];
        names[mechanism] = rcity_mechanism_text(method->mechanisms[i]);
        class_count = mechanism >= class_count ? mechanism + 1 : class_count;
    }
    return class_count;
}

rcity_status rcity_method_name_mechanisms(const rcity_method *method, rcity_map *map)
{
    const char *names[RCITY_MECHANISM_COUNT];
    int class_count = list_mechanisms(method, names);
    return rcity_map_set_classes(map, rcity_map_band_count(map) - 1, class_count, names);
}

rcity_status rcity_method_name_surface_mechanisms(const rcity_method *method, rcity_surfaces *surfaces)
{
    const char *names[RCITY_MECHANISM_COUNT];
    int class_count = list_mechanisms(method, names);
    return rcity_surfaces_set_classes(surfaces, rcity_surfaces_band_count(surfaces) - 1, class_count, names);
}

const char *rcity_method_default_name(void)
{
    return default_method->info.name;
}

const char *rcity_method_choose(const rcity_scene_info *info)
{
    bool is_hilly = info != NULL && info->has_terrain && info->ground_max_m > info->ground_min_m;
    return is_hilly && info->building_count == 0 ? hill_method->info.name : default_method->info.name;
}

const rcity_method *rcity_method_get_visibility_builder(void)
{
    int i = 0;
    while (methods[i]->build_visibility == NULL) {
        i++;
        assert(i < METHOD_COUNT);
    }
    return methods[i];
}

int rcity_method_baseline_count(void)
{
    int count = 0;
    for (int i = 0; i < METHOD_COUNT; i++) {
        count = methods[i]->baseline.place > count ? methods[i]->baseline.place : count;
    }
    assert(count <= RCITY_BASELINE_PLACE_MAX);
    return count;
}

const rcity_method *rcity_method_get_baseline(int place, int index)
{
    for (int i = 0; i < METHOD_COUNT; i++) {
        if (methods[i]->baseline.place == place && index-- == 0) {
            return methods[i];
        }
    }
    return NULL;
}

const rcity_method *rcity_method_choose_baseline(int place, double frequency_hz)
{
    const rcity_method *chosen = NULL;
    for (int i = 0; rcity_method_get_baseline(place, i) != NULL; i++) {
        chosen = rcity_method_get_baseline(place, i);
        if (!(chosen->baseline.frequency_max_hz > 0.0 && frequency_hz > chosen->baseline.frequency_max_hz)) {
            break;
        }
    }
    return chosen;
}

static void append_name(const rcity_method *method, char *names, size_t bytes)
{
    size_t used = strlen(names);
    snprintf(names + used, bytes - used, "%s%s", used > 0 ? ", " : "", method->info.name);
}

void rcity_method_list_calibratable(char *names, size_t bytes)
{
    names[0] = '\0';
    for (int i = 0; i < METHOD_COUNT; i++) {
        if (methods[i]->fit != NULL) {
            append_name(methods[i], names, bytes);
        }
    }
}

void rcity_method_list_path_finders(char *names, size_t bytes)
{
    names[0] = '\0';
    for (int i = 0; i < METHOD_COUNT; i++) {
        if (methods[i]->find_paths != NULL) {
            append_name(methods[i], names, bytes);
        }
    }
}

void rcity_method_list_surface_servers(char *names, size_t bytes)
{
    names[0] = '\0';
    for (int i = 0; i < METHOD_COUNT; i++) {
        if (methods[i]->evaluate_surfaces != NULL) {
            append_name(methods[i], names, bytes);
        }
    }
}

void rcity_method_list_delay_servers(char *names, size_t bytes)
{
    names[0] = '\0';
    for (int i = 0; i < METHOD_COUNT; i++) {
        if (methods[i]->evaluate_delays != NULL) {
            append_name(methods[i], names, bytes);
        }
    }
}

rcity_status rcity_method_find(rcity_context *context, const char *name, const rcity_method **method)
{
    char names[256] = "";
    for (int i = 0; i < METHOD_COUNT; i++) {
        if (strcmp(methods[i]->info.name, name) == 0) {
            *method = methods[i];
            return RCITY_OK;
        }
        append_name(methods[i], names, sizeof names);
    }
    return rcity_fail(context, RCITY_ERR_ARGUMENT, "there is no method '%s'; there are: %s", name, names);
}
