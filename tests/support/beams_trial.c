/* Cities, jobs and transmitters of `beams`. */
#include "beams_trial.h"

#include <stdlib.h>

#include "base/base.h"
#include "method/beams/beams_trace.h"
#include "scene/place/cover.h"
#include "scene/scene_data.h"

static const uint64_t place_seed = 20261122;

void beams_trial_open(beams_trial *t, rcity_city_kind kind, uint64_t number)
{
    memset(t, 0, sizeof *t);
    t->context = test_context(2);
    t->cell_m = 7.3;
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.area_km2 = 0.1;
    options.seed = number;
    assert_ok(t->context, rcity_city_make(t->context, &options, &t->scene));
    t->tx.stated = rcity_transmitter_default();
    t->tx.stated.frequency_hz = number % 2 == 0 ? 947e6 : 3.5e9;
    t->tx.azimuth_rad = 0.7;
}

void beams_trial_find_place(const beams_trial *t, uint64_t number, double *x_m, double *y_m)
{
    rcity_cover cover = {true, 0, 0.0};
    for (uint64_t i = 100 * number; cover.is_covered; i += 2) {
        *x_m = test_uniform(place_seed, i, 120.0, 200.0);
        *y_m = test_uniform(place_seed, i + 1, 120.0, 200.0);
        assert_ok(t->context, rcity_scene_get_cover(t->context, t->scene, *x_m, *y_m, &cover));
    }
}

void beams_trial_prepare(beams_trial *t, const char *device, double x_m, double y_m, double height_m,
                         const char *const *names, const char *const *values, int count)
{
    const rcity_shapes *shapes = rcity_scene_shapes(t->scene);
    double unit_m = 1.0 / shapes->units_per_m;
    rcity_job *job = &t->job;
    t->height_m = 1.5;
    t->receivers = rcity_receivers_default();
    t->receivers.height_count = 1;
    t->receivers.height_m = &t->height_m;
    t->receivers.gain_dbi = 2.0;
    assert_ok(t->context, rcity_device_open(t->context, device, &t->device));
    *job = (rcity_job){
        .context = t->context, .scene = t->scene, .shapes = shapes, .device = t->device, .method = &rcity_beams_method};
    job->receivers = &t->receivers;
    job->raster.cell_m = t->cell_m;
    job->raster.west_m = shapes->origin_x_m + shapes->x_min * unit_m - 20.0;
    job->raster.north_m = shapes->origin_y_m + shapes->y_max * unit_m + 20.0;
    job->raster.column_count = (int64_t)(((double)shapes->x_max - shapes->x_min) * unit_m / t->cell_m) + 5;
    job->raster.row_count = (int64_t)(((double)shapes->y_max - shapes->y_min) * unit_m / t->cell_m) + 5;
    t->cell_count = job->raster.column_count * job->raster.row_count;
    t->roof_m = calloc((size_t)t->cell_count, sizeof *t->roof_m);
    assert_non_null(t->roof_m);
    assert_ok(t->context, rcity_raster_cover(t->context, shapes, &job->raster, t->roof_m));
    job->roof_m = t->roof_m;
    assert_ok(t->context, rcity_method_read_options(job, count, names, values));
    t->tx.stated.x_m = x_m;
    t->tx.stated.y_m = y_m;
    t->tx.stated.height_m = height_m;
    assert_ok(t->context, rcity_transmitter_locate(t->context, t->scene, &t->tx.stated, &t->tx.position));
    assert_ok(t->context, rcity_beams_prepare(job, &t->prepared));
    assert_ok(t->context, rcity_beams_trace(job, t->prepared, NULL, 1, &t->tx, &t->trace));
}

void beams_trial_finish(beams_trial *t)
{
    rcity_beams_release_trace(t->context, t->trace);
    rcity_beams_release_prepared(t->context, t->prepared);
    free(t->roof_m);
    rcity_antenna_destroy(&t->antenna);
    test_close(&t->context, &t->scene, &t->device);
}
