/* A scene of 1 km2 and measurements out of texts, for tests of how they are read. */
#ifndef MEASUREMENT_STAGE_H
#define MEASUREMENT_STAGE_H

#include "heard_log.h"

typedef struct measurement_stage {
    heard_log heard;
    rcity_context *context;
    rcity_scene *scene;
    rcity_measurements_options options;
    rcity_measurements *list;
} measurement_stage;

/* x 0 to 1000, y 0 to 800, plus an origin; crs NULL: none. */
static inline void open_stage_at(measurement_stage *stage, const char *crs, double x_m, double y_m)
{
    const test_box boxes[] = {{x_m, y_m, x_m + 20.0, y_m + 30.0, 20.0},
                              {x_m + 980.0, y_m + 770.0, x_m + 1000.0, y_m + 800.0, 15.0}};
    stage->context = heard_log_context(&stage->heard);
    stage->scene = test_scene_in(stage->context, crs, boxes, 2);
    stage->options = rcity_measurements_options_default();
    stage->list = NULL;
}

static inline void open_stage(measurement_stage *stage)
{
    open_stage_at(stage, NULL, 0.0, 0.0);
}

static inline rcity_status load_text(measurement_stage *stage, const char *name, const char *text)
{
    const char *path = test_text(stage->context, name, text);
    rcity_measurements_destroy(&stage->list);
    memset(&stage->heard, 0, sizeof stage->heard);
    rcity_status status = rcity_measurements_load(stage->context, stage->scene, path, &stage->options, &stage->list);
    assert_true((status == RCITY_OK) == (stage->list != NULL));
    return status;
}

/* All counts of a tally in its order. */
static inline void assert_tally(const measurement_stage *stage, int64_t row, int64_t left_out, int64_t gap,
                                int64_t duplicate, int64_t floor, int64_t saturated, int64_t outside, int64_t kept)
{
    rcity_measurement_tally tally = rcity_measurements_tally(stage->list);
    assert_int_equal(tally.row_count, row);
    assert_int_equal(tally.left_out_count, left_out);
    assert_int_equal(tally.gap_count, gap);
    assert_int_equal(tally.duplicate_count, duplicate);
    assert_int_equal(tally.floor_count, floor);
    assert_int_equal(tally.saturated_count, saturated);
    assert_int_equal(tally.outside_count, outside);
    assert_int_equal(tally.kept_count, kept);
    assert_int_equal(rcity_measurements_count(stage->list), kept);
}

static inline void close_stage(measurement_stage *stage)
{
    rcity_measurements_destroy(&stage->list);
    rcity_scene_destroy(&stage->scene);
    assert_int_equal(rcity_context_memory_used(stage->context), 0);
    rcity_context_destroy(&stage->context);
}

#endif
