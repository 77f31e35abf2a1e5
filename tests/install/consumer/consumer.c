/* A stranger's program: makes a city, predicts it, prints the median loss. */
#include <radiocity/radiocity.h>
#include <stdio.h>

static rcity_status run(rcity_context *context, rcity_scene **scene, rcity_device **device, rcity_map **map)
{
    rcity_city_options city = rcity_city_options_default();
    city.area_km2 = 0.1;
    rcity_status status = rcity_city_make(context, &city, scene);
    if (status == RCITY_OK) {
        status = rcity_device_open(context, "host", device);
    }
    if (status == RCITY_OK) {
        rcity_request request = rcity_request_default();
        request.transmitter.x_m = 150.0;
        request.transmitter.y_m = 150.0;
        request.transmitter.height_m = 150.0;
        request.transmitter.frequency_hz = 900e6;
        status = rcity_predict(context, *scene, *device, &request, map);
    }
    return status;
}

int main(void)
{
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_scene *scene = NULL;
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_band_summary summary;
    if (rcity_context_create(&options, &context) != RCITY_OK) {
        return 1;
    }
    rcity_status status = run(context, &scene, &device, &map);
    if (status == RCITY_OK) {
        status = rcity_map_summarize(context, map, 0, &summary);
    }
    if (status == RCITY_OK) {
        printf("radiocity %s: median loss %.3f dB\n", rcity_version(), summary.median);
    } else {
        fprintf(stderr, "%s\n", rcity_context_message(context));
    }
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
    return status == RCITY_OK ? 0 : 1;
}
