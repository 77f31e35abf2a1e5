/* The shortest program that makes a map: make a city, put an antenna on a roof, predict, save.

       first_map [FOLDER]     writes city.rcity, and map.tif if the build has GDAL */
#include <stdio.h>

#include "radiocity/radiocity.h"

/* Put the antenna 3 m above the ground or roof at a place. The city is flat, so heights count from its ground. */
static rcity_status place_antenna(rcity_context *context, const rcity_scene *scene, double x_m, double y_m,
                                  rcity_transmitter *transmitter)
{
    rcity_cover cover;
    rcity_status status = rcity_scene_get_cover(context, scene, x_m, y_m, &cover);
    if (status == RCITY_OK) {
        transmitter->x_m = x_m;
        transmitter->y_m = y_m;
        transmitter->height_m = (cover.is_covered ? cover.roof_m : 0.0) + 3.0;
    }
    return status;
}

static rcity_status save(rcity_context *context, const rcity_scene *scene, const rcity_map *map, const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/city.rcity", folder);
    rcity_status status = rcity_scene_save(context, scene, path);
    if (status == RCITY_OK && rcity_build_features_get().has_geotiff) {
        snprintf(path, sizeof path, "%s/map.tif", folder);
        status = rcity_map_save_geotiff(context, map, NULL, path);
    }
    return status;
}

static rcity_status make_map(rcity_context *context, const char *folder)
{
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_band_summary loss = {0};
    rcity_city_options city = rcity_city_options_default();
    city.area_km2 = 0.25;
    rcity_request request = rcity_request_default();
    request.transmitter.frequency_hz = 2.1e9;

    rcity_status status = rcity_city_make(context, &city, &scene);
    if (status == RCITY_OK) {
        status = place_antenna(context, scene, 250.0, 250.0, &request.transmitter);
    }
    if (status == RCITY_OK) {
        status = rcity_device_open(context, NULL, &device); /* the best device */
    }
    if (status == RCITY_OK) {
        status = rcity_predict(context, scene, device, &request, &map);
    }
    if (status == RCITY_OK) {
        status = rcity_map_summarize(context, map, 0, &loss);
    }
    if (status == RCITY_OK) {
        status = save(context, scene, map, folder);
    }
    if (status == RCITY_OK) {
        printf("median loss %.1f dB over %lld cells\n", loss.median, (long long)loss.value_count);
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    return status;
}

int main(int argument_count, char **arguments)
{
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_status status = rcity_context_create(&options, &context);
    if (status == RCITY_OK) {
        status = make_map(context, argument_count > 1 ? arguments[1] : ".");
    }
    if (status != RCITY_OK) {
        fprintf(stderr, "first_map: %s: %s\n", rcity_status_text(status), rcity_context_message(context));
    }
    rcity_context_destroy(&context);
    return status == RCITY_OK ? 0 : 1;
}
