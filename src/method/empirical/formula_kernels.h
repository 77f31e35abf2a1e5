/* The two kernels of a formula, over cells and over points, with their host drivers. They are macros so that the loops
   are compiled with the formula inlined, which a function pointer would prevent. */
#ifndef RCITY_METHOD_EMPIRICAL_FORMULA_KERNELS_H
#define RCITY_METHOD_EMPIRICAL_FORMULA_KERNELS_H

#include <string.h>

#include "device/device.h"
#include "kernel/link.h"

/* What a formula takes besides the receiver: NONE, SIGHT (a float) or STREETS (sight and an rcity_street). The macros
   give the number of buffers between receivers and losses, what they hold, and the arguments they become. */
#define RCITY_FORMULA_COUNT_NONE 0
#define RCITY_FORMULA_BUFFERS_NONE
#define RCITY_FORMULA_ARGUMENTS_NONE(i)
#define RCITY_FORMULA_COUNT_SIGHT          1
#define RCITY_FORMULA_BUFFERS_SIGHT        {RCITY_BUFFER_ITEM_IN, sizeof(float)},
#define RCITY_FORMULA_ARGUMENTS_SIGHT(i)   , ((const float *)buffers[1].in)[i]
#define RCITY_FORMULA_COUNT_STREETS        2
#define RCITY_FORMULA_BUFFERS_STREETS      RCITY_FORMULA_BUFFERS_SIGHT{RCITY_BUFFER_ITEM_IN, sizeof(rcity_street)},
#define RCITY_FORMULA_ARGUMENTS_STREETS(i) RCITY_FORMULA_ARGUMENTS_SIGHT(i), ((const rcity_street *)buffers[2].in)[i]

/* Items [begin, end) of a launch on the host: `loss` is the call for item i. */
#define RCITY_FORMULA_RUN(run, job_type, rx_type, input_count, loss)                                                   \
    static void run(const void *job, const rcity_launch_buffer *buffers, int64_t begin, int64_t end)                   \
    {                                                                                                                  \
        job_type numbers;                                                                                              \
        memcpy(&numbers, job, sizeof numbers);                                                                         \
        const rx_type *rx = buffers[0].in;                                                                             \
        float *loss_db = buffers[1 + (input_count)].out;                                                               \
        for (int64_t i = begin; i < end; i++) {                                                                        \
            loss_db[i] = loss;                                                                                         \
        }                                                                                                              \
    }

#define RCITY_FORMULA_KERNEL(kernel, kernel_name, opencl, job_type, rx_type, inputs, run)                              \
    static const rcity_kernel kernel = {                                                                               \
        .name = kernel_name,                                                                                           \
        .source = opencl,                                                                                              \
        .job_bytes = sizeof(job_type),                                                                                 \
        .buffer_count = 2 + RCITY_FORMULA_COUNT_##inputs,                                                              \
        .buffer = {{RCITY_BUFFER_ITEM_IN, sizeof(rx_type)},                                                            \
                   RCITY_FORMULA_BUFFERS_##inputs{RCITY_BUFFER_ITEM_OUT, sizeof(float)}},                              \
        .host_run = run,                                                                                               \
    };

/* cells_kernel and points_kernel of a formula: rcity_MODEL_cell(), rcity_MODEL_point() over rcity_MODEL_job, and the
   OpenCL kernels rcity_MODEL_cells and rcity_MODEL_points in the source `opencl`. */
#define RCITY_FORMULA_KERNELS(model, opencl, inputs)                                                                   \
    RCITY_FORMULA_RUN(run_cells, rcity_##model##_job, float, RCITY_FORMULA_COUNT_##inputs,                             \
                      rcity_##model##_cell(numbers, rx[i] RCITY_FORMULA_ARGUMENTS_##inputs(i), i))                     \
    RCITY_FORMULA_RUN(run_points, rcity_##model##_job, rcity_link_point, RCITY_FORMULA_COUNT_##inputs,                 \
                      rcity_##model##_point(numbers, rx[i] RCITY_FORMULA_ARGUMENTS_##inputs(i)))                       \
    RCITY_FORMULA_KERNEL(cells_kernel, "rcity_" #model "_cells", opencl, rcity_##model##_job, float, inputs,           \
                         run_cells)                                                                                    \
    RCITY_FORMULA_KERNEL(points_kernel, "rcity_" #model "_points", opencl, rcity_##model##_job, rcity_link_point,      \
                         inputs, run_points)

#endif
