/* Munich from its wall list, cities from their maker. */
#include "bench/bench_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "radiocity/city.h"
#include "radiocity/io.h"

static rcity_status open_munich(const rcity_bench_run_data *run, const rcity_bench_info *info, rcity_scene **scene)
{
    const char *folder = getenv("RADIOCITY_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/munich_cost231/Munich_buildings.res", folder != NULL ? folder : ".");
    if (access(path, R_OK) != 0) {
        rcity_log(run->context, RCITY_LOG_WARNING, "%s %s is left out: there is no %s; RADIOCITY_DATA names its folder",
                  info->name, info->item, path);
        *scene = NULL;
        return RCITY_OK;
    }
    rcity_scene_options options = rcity_scene_options_default();
    return rcity_res_load(run->context, path, &options, scene);
}

rcity_status rcity_bench_open_scene(const rcity_bench_run_data *run, const rcity_bench_info *info, rcity_scene **scene)
{
    if (run->options->scene_path != NULL) {
        return rcity_scene_load(run->context, run->options->scene_path, scene);
    }
    if (strncmp(info->item, "munich", strlen("munich")) == 0) {
        return open_munich(run, info, scene);
    }
    rcity_city_options options = rcity_city_options_default();
    options.kind = strcmp(info->item, "core") == 0 ? RCITY_CITY_CORE : RCITY_CITY_HIGHRISE;
    options.area_km2 = run->options->area_km2;
    return rcity_city_make(run->context, &options, scene);
}
