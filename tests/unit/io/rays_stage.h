/* What the tests of paths in files share: a few paths made by hand, of every kind. */
#ifndef RCITY_TEST_RAYS_STAGE_H
#define RCITY_TEST_RAYS_STAGE_H

#include "rcity_test.h"
#include "result/rays_data.h"

#define STAGE_RECEIVERS 4
#define STAGE_PATHS     5

/* Around (x0, y0), which a CRS may want large. */
typedef struct rays_stage {
    const char *crs;
    double x0_m, y0_m;
    double input_dbm;
} rays_stage;

static const rays_stage plain_stage = {NULL, 0.0, 0.0, 30.0};
static const rays_stage placed_stage = {"EPSG:32632", 691000.0, 5334000.0, 30.0};

static const char stage_name[] = "caf\xc3\xa9 \"Zur, Post\"";

/* The interactions of path i of the first receiver, five in all; the last path is that of the last receiver. */
static inline int stage_events(const rays_stage *on, int i, rcity_ray_event *events)
{
    const rcity_ray_event all[] = {
        {RCITY_EVENT_REFLECTION, RCITY_PLACE_WALL, 7, {150.0, 120.0, 12.5}},
        {RCITY_EVENT_DIFFRACTION, RCITY_PLACE_ROOF_EDGE, 9, {140.0, 80.0, 18.0}},
        {RCITY_EVENT_TRANSMISSION, RCITY_PLACE_WALL, 9, {160.0, 70.0, 8.0}},
        {RCITY_EVENT_REFLECTION, RCITY_PLACE_GROUND, -1, {120.0, 60.0, 0.0}},
        {RCITY_EVENT_OVER_ROOFS, RCITY_PLACE_TERRAIN_EDGE, -1, {60.0, 90.0, 20.0}},
    };
    static const int first[STAGE_PATHS] = {0, 0, 1, 3, 4};
    static const int count[STAGE_PATHS] = {0, 1, 2, 1, 1};
    for (int k = 0; k < count[i]; k++) {
        events[k] = all[first[i] + k];
        events[k].position.x_m += on->x0_m;
        events[k].position.y_m += on->y0_m;
    }
    return count[i];
}

static inline rcity_path stage_path(const rays_stage *on, int i, rcity_ray_event *events)
{
    rcity_path path = {.length_m = 100.0 + 10.0 * i};
    path.event_count = stage_events(on, i, events);
    path.events = events;
    path.departure_azimuth_deg = 10.0 + i;
    path.departure_elevation_deg = -1.0 - i;
    path.arrival_azimuth_deg = 190.0 + i;
    path.arrival_elevation_deg = 1.0 + i;
    double size = 1e-4 / (1.0 + i);
    for (int k = 0; k < 4; k++) {
        path.transfer[k / 2][k % 2] = (rcity_phasor){size * (1 + k), -size * (2 + k)};
    }
    path.amplitude = (rcity_phasor){size * cos(1.0 + i), size * sin(1.0 + i)};
    path.loss_db = -20.0 * log10(size) + 3.0;
    return path;
}

static inline rcity_status stage_fill(const rays_stage *on, rcity_rays *rays)
{
    rcity_status status = RCITY_OK;
    for (int i = 0; i < STAGE_PATHS && status == RCITY_OK; i++) {
        rcity_ray_event events[4];
        rcity_path path = stage_path(on, i, events);
        status = rcity_rays_add_paths(rays, i < STAGE_PATHS - 1 ? 0 : STAGE_RECEIVERS - 1, 1, &path);
    }
    status = status == RCITY_OK ? rcity_notes_add(rcity_rays_notes(rays), "version", "%s", rcity_version()) : status;
    status = status == RCITY_OK ? rcity_notes_add(rcity_rays_notes(rays), "method", "images") : status;
    status = status == RCITY_OK ? rcity_notes_add(rcity_rays_notes(rays), "max_reflections", "%d", 2) : status;
    status = status == RCITY_OK ? rcity_notes_add(rcity_rays_notes(rays), "tx_name", "Tower \"A\"") : status;
    if (status == RCITY_OK && !isnan(on->input_dbm)) {
        status = rcity_notes_add(rcity_rays_notes(rays), "tx_eirp_dbm", "%g", on->input_dbm);
    }
    status = status == RCITY_OK ? rcity_rays_set_name(rays, 3, stage_name) : status;
    return status == RCITY_OK ? rcity_rays_finish(rays) : status;
}

/* Receivers: reached, in a building, off the terrain, reached. NULL when memory gives out. */
static inline rcity_status stage_build(rcity_context *context, const rays_stage *on, rcity_rays **rays)
{
    double x0 = on->x0_m;
    double y0 = on->y0_m;
    const rcity_point positions[STAGE_RECEIVERS] = {{x0 + 180.0, y0 + 60.0, 1.5},
                                                    {x0 + 40.0, y0 + 110.0, 1.5},
                                                    {x0 + 190.0, y0 + 190.0, (double)NAN},
                                                    {x0 + 20.0, y0 + 80.0, 2.0}};
    static const rcity_receiver_state states[STAGE_RECEIVERS] = {RCITY_RECEIVER_NO_PATH, RCITY_RECEIVER_IN_BUILDING,
                                                                 RCITY_RECEIVER_OUTSIDE, RCITY_RECEIVER_NO_PATH};
    rcity_rays_setup setup = {.transmitter = {x0 + 100.0, y0 + 100.0, 25.0},
                              .frequency_hz = 947e6,
                              .input_dbm = on->input_dbm,
                              .crs = on->crs,
                              .receiver_count = STAGE_RECEIVERS,
                              .positions = positions,
                              .states = states};
    rcity_status status = rcity_rays_create(context, &setup, rays);
    return status == RCITY_OK ? stage_fill(on, *rays) : status;
}

static inline rcity_rays *stage_rays(rcity_context *context, const rays_stage *on)
{
    rcity_rays *rays = NULL;
    assert_ok(context, stage_build(context, on, &rays));
    return rays;
}

#endif
