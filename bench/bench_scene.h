/* The scenes that benchmarks run in. */
#ifndef RCITY_BENCH_BENCH_SCENE_H
#define RCITY_BENCH_BENCH_SCENE_H

#include "bench/bench_data.h"

/* Open the scene of a case: the requested file; Munich for the case "munich"; else a synthetic city of that kind.
   Without the data of Munich `*scene` is NULL, and a line in the log says so. */
rcity_status rcity_bench_open_scene(const rcity_bench_run_data *run, const rcity_bench_info *info, rcity_scene **scene);

/* The same for cases with other names that need Munich. */
rcity_status rcity_bench_open_munich(const rcity_bench_run_data *run, const rcity_bench_info *info,
                                     rcity_scene **scene);

/* The same for cases that prefer Munich: without its data a synthetic European centre, and a line in the log. */
rcity_status rcity_bench_open_munich_or_core(const rcity_bench_run_data *run, const rcity_bench_info *info,
                                             rcity_scene **scene);

/* The requested file; else towers on an area, or on the requested one where that is smaller. */
rcity_status rcity_bench_open_towers(const rcity_bench_run_data *run, double area_km2, rcity_scene **scene);

/* The same with a synthetic European centre, which is flat. */
rcity_status rcity_bench_open_core(const rcity_bench_run_data *run, double area_km2, rcity_scene **scene);

/* The next random place outside of buildings, in the square that extends so far from the middle of the scene. */
rcity_status rcity_bench_find_open_place(rcity_context *context, const rcity_scene *scene, double reach_m,
                                         uint64_t *next, double *x_m, double *y_m);

#endif
