/* Data that the cases of canyon share: a plane of receivers in Munich and a transmitter. */
#ifndef RCITY_BENCH_BENCH_CORNER_H
#define RCITY_BENCH_BENCH_CORNER_H

#include "bench/bench_data.h"
#include "method/shadow/trace/shadow_tracer.h"
#include "method/surroundings/built_up.h"

#define RCITY_BENCH_CORNER_HEIGHT_M 13.0 /* of transmitters above the ground */

typedef struct rcity_bench_corner_stage {
    rcity_scene *scene; /* opened by the caller */
    rcity_sight *sight;
    rcity_built_up *built_up;
    rcity_los_plane plane;
    rcity_device *device;
    rcity_device_info device_info;
    rcity_shadow_tracer *stage;
    rcity_shadow_trace *trace;
    rcity_grid_point3 source;
    size_t pixel_count;
    rcity_shadow_bands bands;
} rcity_bench_corner_stage;

rcity_status rcity_bench_corner_open(const rcity_bench_run_data *run, const rcity_shadow_choice *choice,
                                     rcity_bench_corner_stage *stage);
void rcity_bench_corner_close(rcity_context *context, rcity_bench_corner_stage *stage);

/* The default law of `shadow` at 947 MHz, and a sector of TR 38.901 that faces a direction,
   or an isotropic antenna. */
rcity_shadow_weights rcity_bench_corner_weights(bool has_sector, double azimuth_rad);

#endif
