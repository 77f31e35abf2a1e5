/* A small city, a log that is kept, and requests in it: shared by the tests of the empirical methods. */
#ifndef RCITY_TEST_EMPIRICAL_WORLD_H
#define RCITY_TEST_EMPIRICAL_WORLD_H

#include "rcity_test.h"

typedef struct world {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    char log[8][512];
    int log_count;
} world;

static inline void keep_warning(void *user, rcity_log_level level, const char *text)
{
    world *made = user;
    if (level == RCITY_LOG_WARNING && made->log_count < 8) {
        snprintf(made->log[made->log_count++], sizeof made->log[0], "%s", text);
    }
}

/* A row of houses across the path to the east: receivers behind it are hidden. */
static const test_box boxes[] = {
    {0, 0, 10, 10, 20}, {200, 100, 210, 260, 15}, {230, 100, 240, 260, 15}, {990, 490, 1000, 500, 8}};

static inline void begin(world *made, int thread_count)
{
    memset(made, 0, sizeof *made);
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = thread_count;
    options.log = keep_warning;
    options.log_user = made;
    assert_int_equal(rcity_context_create(&options, &made->context), RCITY_OK);
    made->scene = test_scene(made->context, boxes, 4);
    assert_ok(made->context, rcity_device_open(made->context, "host", &made->device));
}

static inline void end(world *made)
{
    test_close(&made->context, &made->scene, &made->device);
}

/* A request over the whole scene. */
static inline rcity_request raster_request(const char *method, double frequency_hz, double tx_height_m)
{
    rcity_request request = rcity_request_default();
    request.method = method;
    request.transmitter.x_m = 20;
    request.transmitter.y_m = 50;
    request.transmitter.height_m = tx_height_m;
    request.transmitter.frequency_hz = frequency_hz;
    request.receivers.cell_m = 7;
    return request;
}

/* A method in the middle of its range, at one point. */
typedef struct method_case {
    const char *name;
    double frequency_hz, tx_height_m, rx_height_m, distance_m;
    double frequency_hz_range[2], tx_height_m_range[2], rx_height_m_range[2], distance_m_range[2];
} method_case;

static const method_case cases[] = {
    {"hata", 900e6, 50, 1.5, 5000, {150e6, 1500e6}, {30, 200}, {1, 10}, {1000, 20000}},
    {"cost231-hata", 1800e6, 50, 1.5, 5000, {1500e6, 2000e6}, {30, 200}, {1, 10}, {1000, 20000}},
    {"walfisch-ikegami", 900e6, 20, 1.5, 700, {800e6, 2000e6}, {4, 50}, {1, 3}, {20, 5000}},
    {"3gpp-uma", 3.5e9, 25, 1.5, 700, {0.5e9, 100e9}, {25, 25}, {1.5, 22.5}, {10, 5000}},
    {"3gpp-umi", 3.5e9, 10, 1.5, 700, {0.5e9, 100e9}, {10, 10}, {1.5, 22.5}, {10, 5000}},
};

#define CASE_COUNT ((int)(sizeof cases / sizeof cases[0]))

#endif
