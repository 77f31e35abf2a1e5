/* Munich from its wall list, synthetic cities, and random places in them. */
#include "bench/bench_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/uniform.h"
#include "radiocity/city.h"
#include "radiocity/io.h"
#include "scene/scene_data.h"

/* Do the data of Munich exist? The path is set in either case. */
static bool find_munich(char *path, size_t path_bytes)
{
    const char *folder = getenv("RADIOCITY_DATA");
    snprintf(path, path_bytes, "%s/munich_cost231/Munich_buildings.res", folder != NULL ? folder : ".");
    return access(path, R_OK) == 0;
}

static rcity_status load_munich(const rcity_bench_run_data *run, const char *path, rcity_scene **scene)
{
    rcity_scene_options options = rcity_scene_options_default();
    return rcity_res_load(run->context, path, &options, scene);
}

static rcity_status find_and_load_munich(const rcity_bench_run_data *run, const rcity_bench_info *info,
                                         rcity_scene **scene)
{
    char path[4096];
    if (!find_munich(path, sizeof path)) {
        rcity_log(run->context, RCITY_LOG_WARNING, "%s %s is left out: there is no %s; RADIOCITY_DATA names its folder",
                  info->name, info->item, path);
        *scene = NULL;
        return RCITY_OK;
    }
    return load_munich(run, path, scene);
}

static rcity_status make_city(const rcity_bench_run_data *run, rcity_city_kind kind, double area_km2,
                              rcity_scene **scene)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.area_km2 = fmin(area_km2, run->options->area_km2);
    return rcity_city_make(run->context, &options, scene);
}

rcity_status rcity_bench_open_scene(const rcity_bench_run_data *run, const rcity_bench_info *info, rcity_scene **scene)
{
    if (run->options->scene_path != NULL) {
        return rcity_scene_load(run->context, run->options->scene_path, scene);
    }
    if (strncmp(info->item, "munich", strlen("munich")) == 0) {
        return find_and_load_munich(run, info, scene);
    }
    rcity_city_kind kind = strcmp(info->item, "core") == 0    ? RCITY_CITY_CORE
                           : strcmp(info->item, "hills") == 0 ? RCITY_CITY_HILLS
                                                              : RCITY_CITY_HIGHRISE;
    return make_city(run, kind, HUGE_VAL, scene);
}

rcity_status rcity_bench_open_munich(const rcity_bench_run_data *run, const rcity_bench_info *info, rcity_scene **scene)
{
    return run->options->scene_path != NULL ? rcity_scene_load(run->context, run->options->scene_path, scene)
                                            : find_and_load_munich(run, info, scene);
}

rcity_status rcity_bench_open_munich_or_core(const rcity_bench_run_data *run, const rcity_bench_info *info,
                                             rcity_scene **scene)
{
    char path[4096];
    if (run->options->scene_path != NULL) {
        return rcity_scene_load(run->context, run->options->scene_path, scene);
    }
    if (find_munich(path, sizeof path)) {
        return load_munich(run, path, scene);
    }
    rcity_log(run->context, RCITY_LOG_WARNING,
              "%s %s runs in a made city: there is no %s; RADIOCITY_DATA names its folder", info->name, info->item,
              path);
    return make_city(run, RCITY_CITY_CORE, HUGE_VAL, scene);
}

rcity_status rcity_bench_open_towers(const rcity_bench_run_data *run, double area_km2, rcity_scene **scene)
{
    if (run->options->scene_path != NULL) {
        return rcity_scene_load(run->context, run->options->scene_path, scene);
    }
    return make_city(run, RCITY_CITY_HIGHRISE, area_km2, scene);
}

rcity_status rcity_bench_open_core(const rcity_bench_run_data *run, double area_km2, rcity_scene **scene)
{
    return run->options->scene_path != NULL ? rcity_scene_load(run->context, run->options->scene_path, scene)
                                            : make_city(run, RCITY_CITY_CORE, area_km2, scene);
}

rcity_status rcity_bench_find_open_place(rcity_context *context, const rcity_scene *scene, double reach_m,
                                         uint64_t *next, double *x_m, double *y_m)
{
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    double middle_x = shapes->origin_x_m + 0.5 * ((double)shapes->x_min + shapes->x_max) / shapes->units_per_m;
    double middle_y = shapes->origin_y_m + 0.5 * ((double)shapes->y_min + shapes->y_max) / shapes->units_per_m;
    rcity_cover cover = {true, 0, 0.0};
    while (cover.is_covered) {
        *x_m = middle_x + reach_m * (2.0 * rcity_uniform((*next)++) - 1.0);
        *y_m = middle_y + reach_m * (2.0 * rcity_uniform((*next)++) - 1.0);
        RCITY_TRY(rcity_scene_get_cover(context, scene, *x_m, *y_m, &cover));
    }
    return RCITY_OK;
}
