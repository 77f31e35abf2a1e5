/* The scenes that benchmarks run in. */
#ifndef RCITY_BENCH_BENCH_SCENE_H
#define RCITY_BENCH_BENCH_SCENE_H

#include "bench/bench_data.h"

/* Open the scene of a case: the file that was asked for; Munich for the case "munich"; else a made city of that kind.
   `*scene` is NULL, and a line in the log says so, where Munich's data are not at hand. */
rcity_status rcity_bench_open_scene(const rcity_bench_run_data *run, const rcity_bench_info *info, rcity_scene **scene);

/* The same for cases that have other names and want Munich. */
rcity_status rcity_bench_open_munich(const rcity_bench_run_data *run, const rcity_bench_info *info,
                                     rcity_scene **scene);

/* The same for cases that want Munich: a made European centre, and a line in the log, where its data are not at hand.
   */
rcity_status rcity_bench_open_munich_or_core(const rcity_bench_run_data *run, const rcity_bench_info *info,
                                             rcity_scene **scene);

#endif
