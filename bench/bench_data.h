/* The parts of a benchmark, and the data that it needs. */
#ifndef RCITY_BENCH_BENCH_DATA_H
#define RCITY_BENCH_BENCH_DATA_H

#include "base/base.h"
#include "bench/bench.h"

typedef struct rcity_bench_run_data {
    rcity_context *context;
    const rcity_bench_options *options;
    rcity_bench_function report;
    void *user;
} rcity_bench_run_data;

/* One case: what it measures, and the function that measures and reports it. */
typedef struct rcity_bench_case {
    rcity_bench_info info;
    rcity_status (*run)(const rcity_bench_run_data *run, const rcity_bench_info *info);
} rcity_bench_case;

/* Times of repeated runs. */
#define RCITY_BENCH_REPEAT_MAX 100

typedef struct rcity_bench_times {
    double seconds[RCITY_BENCH_REPEAT_MAX];
    int count;
} rcity_bench_times;

void rcity_bench_times_add(rcity_bench_times *times, double seconds);
double rcity_bench_times_best(const rcity_bench_times *times);
double rcity_bench_times_median(const rcity_bench_times *times);

/* The cases of io. */
rcity_status rcity_bench_io_load(const rcity_bench_run_data *run, const rcity_bench_info *info);
rcity_status rcity_bench_io_save(const rcity_bench_run_data *run, const rcity_bench_info *info);
rcity_status rcity_bench_io_draw(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of segments. */
rcity_status rcity_bench_segments(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of lines. */
rcity_status rcity_bench_lines(const rcity_bench_run_data *run, const rcity_bench_info *info);
rcity_status rcity_bench_cube_sight(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of los. */
rcity_status rcity_bench_los(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of visibility. */
rcity_status rcity_bench_visibility(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of first-level and of tiles. */
rcity_status rcity_bench_first_level(const rcity_bench_run_data *run, const rcity_bench_info *info);
rcity_status rcity_bench_tiles(const rcity_bench_run_data *run, const rcity_bench_info *info);
rcity_status rcity_bench_against_images(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The case of terrain that counts losses. */
rcity_status rcity_bench_terrain_p1812(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of images. */
rcity_status rcity_bench_beams(const rcity_bench_run_data *run, const rcity_bench_info *info);
rcity_status rcity_bench_images(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of roofs. */
rcity_status rcity_bench_roofs(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of terrain-rays. */
rcity_status rcity_bench_terrain_rays(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of tile-roofs. */
rcity_status rcity_bench_tile_roofs(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of terrain: line of sight. */
rcity_status rcity_bench_terrain(const rcity_bench_run_data *run, const rcity_bench_info *info);

/* The cases of canyon and of weigh. */
rcity_status rcity_bench_canyon(const rcity_bench_run_data *run, const rcity_bench_info *info);
rcity_status rcity_bench_corner_batch(const rcity_bench_run_data *run, const rcity_bench_info *info);
rcity_status rcity_bench_weigh(const rcity_bench_run_data *run, const rcity_bench_info *info);

#endif
