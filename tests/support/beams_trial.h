/* A made city with a transmitter, its beams, and a raster over all of it. */
#ifndef RCITY_TEST_BEAMS_TRIAL_H
#define RCITY_TEST_BEAMS_TRIAL_H

#include "rcity_test.h"

#include "method/beams/beams.h"
#include "method/method.h"

typedef struct beams_trial {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    rcity_receivers receivers;
    double height_m;
    double cell_m; /* of the raster */
    rcity_job job;
    rcity_tx tx;
    float *roof_m;
    int64_t cell_count;
    void *prepared, *trace;
} beams_trial;

/* A tenth of a square kilometre; even numbers have 947 MHz, others 3.5 GHz. The transmitter has no place yet. */
void beams_trial_open(beams_trial *trial, rcity_city_kind kind, uint64_t number);

/* An open place between 120 and 200 m from the corner, the same for the same number. */
void beams_trial_find_place(const beams_trial *trial, uint64_t number, double *x_m, double *y_m);

/* Prepare the scene and trace the beams on a device, with these options. */
void beams_trial_prepare(beams_trial *trial, const char *device, double x_m, double y_m, double height_m,
                         const char *const *names, const char *const *values, int count);

/* Release everything. */
void beams_trial_finish(beams_trial *trial);

#endif
