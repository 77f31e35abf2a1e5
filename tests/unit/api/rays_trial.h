/* What the tests of paths through the public interface share: a scene of boxes, a transmitter, orders, and the
   paths. */
#ifndef RCITY_TEST_RAYS_TRIAL_H
#define RCITY_TEST_RAYS_TRIAL_H

#include "rcity_test.h"

#define PI 3.14159265358979323846

typedef struct trial {
    rcity_context *context;
    rcity_scene *scene;
    double tx[3];
    double frequency_hz;
    const char *reflections, *diffractions, *transmissions, *over_roofs, *ground;
    bool is_horizontal;
} trial;

static inline trial open_trial(void)
{
    trial t = {test_context(2), NULL, {0, 0, 0}, 1e9, "0", "2", "0", "off", "off", false};
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(t.context, rcity_scene_create(t.context, &options, &t.scene));
    return t;
}

static inline void add_box_of(trial *t, double x1, double y1, double x2, double y2, double height, const char *material)
{
    int count = 4;
    double xy[] = {x1, y1, x2, y1, x2, y2, x1, y2};
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy;
    building.height_m = height;
    building.material = material;
    assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
}

static inline void add_box(trial *t, double x1, double y1, double x2, double y2, double height)
{
    add_box_of(t, x1, y1, x2, y2, height, NULL);
}

static inline void close_trial(trial *t)
{
    rcity_scene_destroy(&t->scene);
    rcity_context_destroy(&t->context);
}

/* Paths to points x, y, height. */
static inline rcity_rays *find(trial *t, int64_t count, const double *points)
{
    const char *names[] = {"max-reflections", "max-diffractions", "max-transmissions",
                           "over-roofs",      "ground",           "rx-polarization"};
    const char *values[] = {t->reflections, t->diffractions, t->transmissions,
                            t->over_roofs,  t->ground,       t->is_horizontal ? "horizontal" : "vertical"};
    rcity_request request = rcity_request_default();
    request.method = "images";
    request.transmitter.x_m = t->tx[0];
    request.transmitter.y_m = t->tx[1];
    request.transmitter.height_m = t->tx[2];
    request.transmitter.frequency_hz = t->frequency_hz;
    request.transmitter.polarization = t->is_horizontal ? RCITY_POLARIZATION_HORIZONTAL : RCITY_POLARIZATION_VERTICAL;
    request.receivers.point_count = count;
    request.receivers.xyh_m = points;
    request.option_count = 6;
    request.option_name = names;
    request.option_value = values;
    rcity_rays *rays = NULL;
    assert_ok(t->context, rcity_rays_find(t->context, t->scene, NULL, &request, &rays));
    return rays;
}

#endif
