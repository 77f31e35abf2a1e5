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

/* The same for cases that prefer Munich: without its data a synthetic European centre, and a line in the log.
    */
rcity_status rcity_bench_open_munich_or_core(const rcity_bench_run_data *run, const rcity_bench_info *info,
                                             rcity_scene **scene);

#endif
