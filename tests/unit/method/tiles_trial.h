/* What the tests of the method `tiles` share: scenes, requests to it and to others, and their answers. */
#ifndef RCITY_TEST_TILES_TRIAL_H
#define RCITY_TEST_TILES_TRIAL_H

#include "rcity_test.h"

#define PI           3.14159265358979323846
#define LIGHT        299792458.0
#define ASK_OPTIONS  16
#define CITY_SIDE_M  120.0
#define CITY_POINTS  40
#define CITY_BOX_MAX 6

/* A method and its options. */
typedef struct ask {
    const char *method;
    int option_count;
    const char *name[ASK_OPTIONS], *value[ASK_OPTIONS];
    rcity_transmitter tx;
    bool has_surroundings; /* levels of `tiles` are drawn toward what the surroundings let expect; paths know nothing of
                              it */
} ask;

static inline void ask_set(ask *a, const char *name, const char *value)
{
    int at = 0;
    while (at < a->option_count && strcmp(a->name[at], name) != 0) {
        at++;
    }
    assert_true(at < ASK_OPTIONS);
    a->name[at] = name;
    a->value[at] = value;
    a->option_count = at == a->option_count ? at + 1 : a->option_count;
}

/* Paths with a phase alone: neither scattering nor paths over roofs nor surroundings. */
static inline ask ask_make(const char *method, double x_m, double y_m, double height_m, double frequency_hz)
{
    ask a;
    memset(&a, 0, sizeof a);
    a.method = method;
    a.tx = rcity_transmitter_default();
    a.tx.x_m = x_m;
    a.tx.y_m = y_m;
    a.tx.height_m = height_m;
    a.tx.frequency_hz = frequency_hz;
    ask_set(&a, "scattering", "off");
    ask_set(&a, "over-roofs", "off");
    return a;
}

/* The numbers of events; `tiles` counts them together too. */
static inline void ask_orders(ask *a, const char *bounces, const char *reflections, const char *diffractions)
{
    if (strcmp(a->method, "tiles") == 0) {
        ask_set(a, "max-bounces", bounces);
    }
    ask_set(a, "max-reflections", reflections);
    ask_set(a, "max-diffractions", diffractions);
}

static inline rcity_request ask_request(const ask *a, int64_t count, const double *xyh_m)
{
    rcity_request request = rcity_request_default();
    request.method = a->method;
    request.transmitter = a->tx;
    request.receivers.point_count = count;
    request.receivers.xyh_m = xyh_m;
    request.option_count = a->option_count;
    request.option_name = a->name;
    request.option_value = a->value;
    return request;
}

/* The same with the options of levels. */
static inline ask ask_levels(const ask *a)
{
    ask levels = *a;
    if (strcmp(a->method, "tiles") == 0) {
        ask_set(&levels, "surroundings", a->has_surroundings ? "on" : "off");
    }
    return levels;
}

/* Loss at points. `received_dbm` may be NULL. */
static inline void ask_points(rcity_context *context, const rcity_scene *scene, const ask *a, int64_t count,
                              const double *xyh_m, float *loss_db, float *received_dbm)
{
    ask levels = ask_levels(a);
    rcity_request request = ask_request(&levels, count, xyh_m);
    rcity_device *device = NULL;
    assert_ok(context, rcity_device_open(context, "host", &device));
    assert_ok(context, rcity_predict_points(context, scene, device, &request, loss_db, received_dbm));
    rcity_device_close(&device);
}

static inline rcity_rays *ask_rays(rcity_context *context, const rcity_scene *scene, const ask *a, int64_t count,
                                   const double *xyh_m)
{
    rcity_rays *rays = NULL;
    rcity_request request = ask_request(a, count, xyh_m);
    assert_ok(context, rcity_rays_find(context, scene, NULL, &request, &rays));
    return rays;
}

/* All tiles. */
static inline rcity_surfaces *ask_surfaces(rcity_context *context, const rcity_scene *scene, const ask *a)
{
    rcity_surfaces *surfaces = NULL;
    rcity_device *device = NULL;
    rcity_request request = ask_request(a, 0, NULL);
    request.receivers.on_surfaces = true;
    assert_ok(context, rcity_device_open(context, "host", &device));
    assert_ok(context, rcity_predict_surfaces(context, scene, device, &request, &surfaces));
    rcity_device_close(&device);
    return surfaces;
}

/* The values of a band of tiles; they live as long as the surfaces. */
static inline const float *surface_band(const rcity_surfaces *surfaces, const char *name)
{
    rcity_band band;
    for (int i = 0; rcity_surfaces_get_band(surfaces, i, &band) == RCITY_OK; i++) {
        if (strcmp(band.name, name) == 0) {
            return band.value;
        }
    }
    fail_msg("surfaces have no band %s", name);
    return NULL;
}

/* The same points, and the same gain within some decibels. */
static inline bool is_same_path(const rcity_path *a, const rcity_path *b, double gain_db)
{
    if (a->event_count != b->event_count || fabs(a->length_m - b->length_m) > 0.05 ||
        fabs(a->gain_db - b->gain_db) > gain_db) {
        return false;
    }
    for (int i = 0; i < a->event_count; i++) {
        const rcity_ray_event *left = &a->events[i];
        const rcity_ray_event *right = &b->events[i];
        double off_m = fabs(left->position.x_m - right->position.x_m) + fabs(left->position.y_m - right->position.y_m) +
                       fabs(left->position.z_m - right->position.z_m);
        if (left->kind != right->kind || left->place != right->place || left->building_id != right->building_id ||
            off_m > 0.2) {
            return false;
        }
    }
    return true;
}

/* A path whose last reflection is less than 2 m before the receiver: where that is just above a tile, the tile itself
   reflects it. */
static inline bool is_off_own_tile(const rcity_path *path, rcity_point receiver)
{
    const rcity_ray_event *last = path->event_count > 0 ? &path->events[path->event_count - 1] : NULL;
    return last != NULL && last->kind == RCITY_EVENT_REFLECTION &&
           hypot(hypot(last->position.x_m - receiver.x_m, last->position.y_m - receiver.y_m),
                 last->position.z_m - receiver.z_m) < 2.0;
}

static inline double free_space_db(double distance_m, double frequency_hz)
{
    return 20.0 * log10(4.0 * PI * distance_m * frequency_hz / LIGHT);
}

/* A random city of boxes that stand apart on a square, turned by angles of their own, and receivers outside of them;
   point 0 is for a transmitter. */
static inline rcity_scene *trial_city(rcity_context *context, uint64_t seed, int box_count, double *xyh_m)
{
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    double centre[CITY_BOX_MAX][2];
    uint64_t next = 0;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (int i = 0; i < box_count; i++) {
        bool is_apart = false;
        while (!is_apart) {
            is_apart = true;
            centre[i][0] = test_uniform(seed, next++, 0.0, CITY_SIDE_M);
            centre[i][1] = test_uniform(seed, next++, 0.0, CITY_SIDE_M);
            for (int k = 0; k < i; k++) {
                is_apart =
                    is_apart && hypot(centre[i][0] - centre[k][0], centre[i][1] - centre[k][1]) > 0.33 * CITY_SIDE_M;
            }
        }
        double angle = test_uniform(seed, next++, 0.0, PI);
        double half[2];
        half[0] = test_uniform(seed, next++, 5.0, 14.0);
        half[1] = test_uniform(seed, next++, 5.0, 14.0);
        double xy_m[8];
        const int point_count[] = {4};
        for (int k = 0; k < 4; k++) {
            double u = k == 0 || k == 3 ? -half[0] : half[0];
            double v = k < 2 ? -half[1] : half[1];
            xy_m[2 * k] = centre[i][0] + u * cos(angle) - v * sin(angle);
            xy_m[2 * k + 1] = centre[i][1] + u * sin(angle) + v * cos(angle);
        }
        rcity_building building = rcity_building_default();
        building.id = i + 1;
        building.ring_count = 1;
        building.ring_point_count = point_count;
        building.xy_m = xy_m;
        building.height_m = test_uniform(seed, next++, 8.0, 30.0);
        assert_ok(context, rcity_scene_add_building(scene, &building));
    }
    assert_ok(context, rcity_scene_commit(scene));
    for (int i = 0; i < CITY_POINTS; i++) {
        double off_m = 0.0;
        while (off_m < 20.0) { /* half of the largest diagonal */
            off_m = 1e9;
            xyh_m[3 * i] = test_uniform(seed, next++, -5.0, CITY_SIDE_M + 5.0);
            xyh_m[3 * i + 1] = test_uniform(seed, next++, -5.0, CITY_SIDE_M + 5.0);
            for (int k = 0; k < box_count; k++) {
                off_m = fmin(off_m, hypot(xyh_m[3 * i] - centre[k][0], xyh_m[3 * i + 1] - centre[k][1]));
            }
        }
        xyh_m[3 * i + 2] = i % 4 == 0 ? 10.0 : 1.5;
    }
    return scene;
}

#endif
