/* A made city or hills with demand in it, for tests of the search for sites. */
#ifndef RCITY_TEST_SITING_STAGE_H
#define RCITY_TEST_SITING_STAGE_H

#include "rcity_test.h"

#define POINTS 60

/* A city with demand in its streets. */
typedef struct stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_demand *demand;
    rcity_request request;
    rcity_siting_options options;
} stage;

static inline void open_stage(stage *made, rcity_context *context, rcity_city_kind kind)
{
    memset(made, 0, sizeof *made);
    made->context = context;
    rcity_city_options city = rcity_city_options_default();
    city.kind = kind;
    city.seed = 3;
    city.area_km2 = kind == RCITY_CITY_HILLS ? 16.0 : 0.1;
    assert_ok(context, rcity_city_make(context, &city, &made->scene));
    assert_ok(context, rcity_device_open(context, "host", &made->device));
    made->request = rcity_request_default();
    made->request.method = "free-space";
    made->options = rcity_siting_options_default();
    made->options.station.frequency_hz = 2e9;
    made->options.station.power_dbm = 30.0;
    made->options.station.height_m = 8.0;
    made->options.station_count = 3;
    made->options.move_count = 300;
    made->options.least_dbm = -40.0;
}

static inline void close_stage(stage *made)
{
    rcity_demand_destroy(&made->demand);
    rcity_device_close(&made->device);
    rcity_scene_destroy(&made->scene);
}

/* Points on a diagonal raster of the scene, in the open. */
static inline void add_demand(stage *made)
{
    rcity_scene_info info;
    rcity_demand_point points[POINTS];
    assert_ok(made->context, rcity_scene_describe(made->scene, &info));
    int count = 0;
    for (int i = 0; count < POINTS && i < 4000; i++) {
        rcity_cover cover;
        points[count] = rcity_demand_point_default();
        points[count].x_m = info.x_min_m + (info.x_max_m - info.x_min_m) * fmod(0.618034 * i, 1.0);
        points[count].y_m = info.y_min_m + (info.y_max_m - info.y_min_m) * fmod(0.754878 * i, 1.0);
        points[count].weight = 1.0 + i % 3;
        assert_ok(made->context,
                  rcity_scene_get_cover(made->context, made->scene, points[count].x_m, points[count].y_m, &cover));
        count += cover.is_covered ? 0 : 1;
    }
    assert_ok(made->context, rcity_demand_create(made->context, count, points, &made->demand));
}

static inline void run(stage *made, rcity_siting **siting)
{
    assert_ok(made->context, rcity_siting_run(made->context, made->scene, made->device, &made->request, made->demand,
                                              &made->options, siting));
}

#endif
