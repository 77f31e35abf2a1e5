/* The benchmarks, for the program; the library does not contain them (docs/adr/0025). */
#ifndef RCITY_BENCH_BENCH_H
#define RCITY_BENCH_BENCH_H

#include "radiocity/device.h"
#include "radiocity/scene.h"

/* One case of one benchmark. Static texts. */
typedef struct rcity_bench_info {
    const char *name; /* "io" */
    const char *item; /* "load": the case */
    const char *text; /* what is measured */
} rcity_bench_info;

/* One case by index. @return false when out of range. */
bool rcity_bench_get(int bench_index, rcity_bench_info *info);

/* Options for rcity_bench_run(). Start from rcity_bench_options_default(). Pointers are borrowed until it returns. */
typedef struct rcity_bench_options {
    const char *name;       /* the benchmark; NULL: all */
    const char *item;       /* one case of it; NULL: all */
    const char *scene_path; /* a compiled scene instead of the benchmark's own; NULL */
    const char *device;     /* id; NULL: the best device */
    double area_km2;        /* size of the synthetic city; 20 */
    int repeat_count;       /* timed runs; 5 */
} rcity_bench_options;

rcity_bench_options rcity_bench_options_default(void);

/* One of several kinds of query of the yardstick, measured in the same run. */
typedef struct rcity_bench_yardstick {
    const char *name;
    double value;     /* in the unit of the result */
    double agreement; /* fraction of answers equal to ours */
} rcity_bench_yardstick;

/* One result. Texts and arrays are borrowed until the callback returns. */
typedef struct rcity_bench_result {
    const char *name, *item, *device, *scene;
    int thread_count;
    double value; /* more is better */
    const char *unit;
    double best_s, median_s;
    const char *yardstick;  /* what it is compared with in the same run; NULL for none */
    double yardstick_value; /* in the same unit; NAN for none. The fastest of `yardsticks` if there are any */
    double ratio;           /* value over yardstick_value; NAN for none */
    const char *note;       /* remarks: what was counted, the lower limit; NULL for none */
    const rcity_bench_yardstick *yardsticks; /* all kinds of query of the yardstick; NULL if there is only one */
    int yardstick_count;
} rcity_bench_result;

/* Receives each result when it is ready. */
typedef void (*rcity_bench_function)(void *user, const rcity_bench_result *result);

/* Run benchmarks. @return RCITY_ERR_ARGUMENT for an unknown name or case, and what the work returns. */
RCITY_MUST_CHECK rcity_status rcity_bench_run(rcity_context *context, const rcity_bench_options *options,
                                              rcity_bench_function report, void *user);

#endif
