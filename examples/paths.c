/* One link in a street: every path from a small transmitter to two receivers, the strongest of each printed, and all of
   them in a file.

       paths [FOLDER]     writes paths.geojson, and paths.png where the build has Cairo */
#include <stdio.h>

#include "radiocity/radiocity.h"

enum { BLOCK_COUNT = 4, RECEIVER_COUNT = 2, SHOWN_COUNT = 3 };

/* Four blocks around a crossing; streets of 20 m. */
static rcity_status build_scene(rcity_context *context, rcity_scene **scene)
{
    const int point_count = 4;
    rcity_scene_options options = rcity_scene_options_default();
    rcity_status status = rcity_scene_create(context, &options, scene);
    for (int i = 0; i < BLOCK_COUNT && status == RCITY_OK; i++) {
        double x_m = 80.0 * (i % 2);
        double y_m = 80.0 * (i / 2);
        double xy_m[] = {x_m, y_m, x_m + 60.0, y_m, x_m + 60.0, y_m + 60.0, x_m, y_m + 60.0};
        rcity_building building = rcity_building_default();
        building.id = i + 1;
        building.ring_count = 1;
        building.ring_point_count = &point_count;
        building.xy_m = xy_m;
        building.height_m = 15.0 + 3.0 * i;
        status = rcity_scene_add_building(*scene, &building); /* copies everything */
    }
    return status == RCITY_OK ? rcity_scene_commit(*scene) : status;
}

static rcity_status print_receiver(const rcity_rays *rays, int64_t index)
{
    rcity_receiver_summary receiver;
    rcity_status status = rcity_rays_get_receiver(rays, index, &receiver);
    if (status != RCITY_OK) {
        return status;
    }
    printf("receiver %d: %s, %d paths, %.1f dB, delay spread %.1f ns\n", (int)index + 1,
           rcity_receiver_state_name(receiver.state), (int)receiver.path_count, receiver.gain_db,
           receiver.delay_spread_s * 1e9);
    for (int64_t i = 0; i < receiver.path_count && i < SHOWN_COUNT; i++) { /* strongest first */
        rcity_path path;
        char word[RCITY_PATH_WORD_BYTES];
        status = rcity_rays_get_path(rays, receiver.path_first + i, &path);
        if (status != RCITY_OK) {
            return status;
        }
        printf("  %-8s %7.2f m %8.1f dB, from azimuth %5.1f\n", rcity_path_describe(&path, word), path.length_m,
               path.gain_db, path.arrival_azimuth_deg);
        for (int k = 0; k < path.event_count; k++) { /* borrowed until the paths are destroyed */
            const rcity_ray_event *event = &path.events[k];
            printf("    %s at a %s (%.2f, %.2f, %.2f)\n", rcity_event_kind_name(event->kind),
                   rcity_event_place_name(event->place), event->position.x_m, event->position.y_m, event->position.z_m);
        }
    }
    return RCITY_OK;
}

static rcity_status save(rcity_context *context, const rcity_scene *scene, const rcity_rays *rays, const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/paths.geojson", folder);
    rcity_status status = rcity_rays_save(context, rays, path);
    if (status == RCITY_OK && rcity_build_features_get().has_pictures) {
        rcity_rays_draw_options options = rcity_rays_draw_options_default();
        snprintf(path, sizeof path, "%s/paths.png", folder);
        status = rcity_rays_draw(context, scene, rays, &options, path);
    }
    return status;
}

static rcity_status work(rcity_context *context, const char *folder)
{
    static const double xyh_m[3 * RECEIVER_COUNT] = {70.0,  130.0, 1.5,
                                                     130.0, 70.0,  1.5}; /* in sight, around the corner */
    static const char *const names[] = {"max-reflections", "max-diffractions"};
    static const char *const values[] = {"2", "1"};
    rcity_scene *scene = NULL;
    rcity_rays *rays = NULL;
    rcity_request request = rcity_request_default();
    request.method = "images"; /* the method that finds paths */
    request.option_count = 2;
    request.option_name = names;
    request.option_value = values;
    request.transmitter.x_m = 70.0;
    request.transmitter.y_m = 10.0;
    request.transmitter.height_m = 6.0;
    request.transmitter.frequency_hz = 3.5e9;
    request.receivers.point_count = RECEIVER_COUNT;
    request.receivers.xyh_m = xyh_m;

    rcity_status status = build_scene(context, &scene);
    if (status == RCITY_OK) {
        status = rcity_rays_find(context, scene, NULL, &request, &rays);
    }
    for (int i = 0; i < RECEIVER_COUNT && status == RCITY_OK; i++) {
        status = print_receiver(rays, i);
    }
    if (status == RCITY_OK) {
        status = save(context, scene, rays, folder);
    }
    rcity_rays_destroy(&rays);
    rcity_scene_destroy(&scene);
    return status;
}

int main(int argument_count, char **arguments)
{
    rcity_context_options options = rcity_context_options_default();
    rcity_context *context = NULL;
    rcity_status status = rcity_context_create(&options, &context);
    if (status == RCITY_OK) {
        status = work(context, argument_count > 1 ? arguments[1] : ".");
    }
    if (status != RCITY_OK) {
        fprintf(stderr, "paths: %s: %s\n", rcity_status_text(status), rcity_context_message(context));
    }
    rcity_context_destroy(&context);
    return status == RCITY_OK ? 0 : 1;
}
