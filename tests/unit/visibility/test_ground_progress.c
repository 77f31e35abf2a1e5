/* Sweeps over terrain say how far they are, and stop when they are told to. */
#include "rcity_test.h"
#include "visibility/terrain/ground_sight.h"

#define SIDE       400
#define DIRECTIONS 8000
#define STOP_MAX_S 0.5
#define STOPS_MAX  6 /* the first reports, at which a run is stopped */

typedef struct ground_stage {
    rcity_shapes shapes;
    int32_t *height, *x, *y;
    rcity_ground_targets targets;
    rcity_grid_point3 source;
    uint8_t *seen;
    float *first, *second;
} ground_stage;

/* What a caller hears. */
typedef struct listener {
    int call_count, stop_at; /* 0: never */
    const char *task;
    double done, total;
    double last_s, longest_s; /* between two reports */
    double stopped_s;
} listener;

static bool listen(void *user, const char *task, double done, double total)
{
    listener *heard = user;
    double now_s = rcity_clock_s();
    if (heard->task == NULL || strcmp(heard->task, task) != 0) {
        assert_near(done, 0.0, 0.0);
        heard->done = 0.0;
    } else {
        assert_near(heard->total, total, 0.0);
        heard->longest_s = fmax(heard->longest_s, now_s - heard->last_s);
    }
    assert_true(done >= heard->done && done <= total && total > 0.0);
    heard->task = task;
    heard->done = done;
    heard->total = total;
    heard->last_s = now_s;
    heard->call_count++;
    if (heard->call_count == heard->stop_at) {
        heard->stopped_s = now_s;
        return false;
    }
    return true;
}

static rcity_context *open_context(int thread_count, listener *heard)
{
    rcity_context *context = NULL;
    rcity_context_options options = rcity_context_options_default();
    options.thread_count = thread_count;
    options.progress = listen;
    options.progress_user = heard;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    return context;
}

static rcity_status find_sight(const rcity_ground_sight *sight, ground_stage *stage)
{
    return rcity_ground_sight_fill(sight, NULL, stage->source, &stage->targets, stage->seen, NULL);
}

/* Every line is walked in whole numbers. */
static rcity_status find_sight_from_outside(const rcity_ground_sight *sight, ground_stage *stage)
{
    rcity_grid_point3 outside = stage->source;
    outside.x = stage->shapes.terrain.west - 5000;
    outside.z += 2000;
    return rcity_ground_sight_fill(sight, NULL, outside, &stage->targets, stage->seen, NULL);
}

static rcity_status find_needed(const rcity_ground_sight *sight, ground_stage *stage)
{
    return rcity_ground_sight_needed(sight, stage->source, &stage->targets, stage->first, stage->second);
}

static rcity_status find_clearance(const rcity_ground_sight *sight, ground_stage *stage)
{
    return rcity_ground_sight_clearance(sight, stage->source, &stage->targets, 900e6, stage->first);
}

static rcity_status find_horizon(const rcity_ground_sight *sight, ground_stage *stage)
{
    return rcity_ground_sight_horizon(sight, stage->source, DIRECTIONS, stage->first, stage->second);
}

typedef struct sweep_case {
    const char *name;
    rcity_status (*run)(const rcity_ground_sight *sight, ground_stage *stage);
    bool is_long; /* only ever stopped */
} sweep_case;

static const sweep_case sweeps[] = {{"line of sight", find_sight, false},
                                    {"line of sight from outside", find_sight_from_outside, true},
                                    {"required heights", find_needed, false},
                                    {"clearance", find_clearance, false},
                                    {"horizon", find_horizon, false}};
#define SWEEP_COUNT (sizeof sweeps / sizeof sweeps[0])

/* The terrain, then one sweep. */
static rcity_status run_sweep(const sweep_case *sweep, ground_stage *stage, rcity_context *context)
{
    rcity_ground_sight sight;
    rcity_status status = rcity_ground_sight_init(context, &stage->shapes, 0.0, &sight);
    if (status == RCITY_OK) {
        status = sweep->run(&sight, stage);
        rcity_ground_sight_deinit(&sight);
    }
    return status;
}

static void test_sweeps_say_how_far_they_are(void **state)
{
    ground_stage *stage = *state;
    for (size_t i = 0; i < SWEEP_COUNT; i++) {
        for (int threads = 1; threads <= 3 && !sweeps[i].is_long; threads += 2) {
            listener heard = {0};
            rcity_context *context = open_context(threads, &heard);
            assert_ok(context, run_sweep(&sweeps[i], stage, context));
            print_message("%s, %d threads: %d reports, %.3f s between two at most\n", sweeps[i].name, threads,
                          heard.call_count, heard.longest_s);
            assert_true(heard.call_count >= 4); /* begin and end of two tasks */
            assert_near(heard.done, heard.total, 0.0);
            assert_true(heard.longest_s < STOP_MAX_S);
            rcity_context_destroy(&context);
        }
    }
}

/* At each of the first reports. */
static void test_sweeps_stop_at_once(void **state)
{
    ground_stage *stage = *state;
    for (size_t i = 0; i < SWEEP_COUNT; i++) {
        double slowest_s = 0.0;
        int stop_count = 0;
        rcity_status status = RCITY_ERR_CANCELLED;
        for (int stop_at = 1; status != RCITY_OK && stop_at <= STOPS_MAX; stop_at++) {
            listener heard = {.stop_at = stop_at};
            rcity_context *context = open_context(1 + stop_at % 3, &heard);
            status = run_sweep(&sweeps[i], stage, context);
            if (status != RCITY_OK) {
                assert_status(context, status, RCITY_ERR_CANCELLED);
                assert_int_equal(heard.call_count, stop_at); /* nothing is said after it */
                slowest_s = fmax(slowest_s, rcity_clock_s() - heard.stopped_s);
                stop_count++;
            }
            rcity_context_destroy(&context);
        }
        print_message("%s: stopped at %d reports, within %.3f s\n", sweeps[i].name, stop_count, slowest_s);
        assert_true(stop_count >= 4 && slowest_s < STOP_MAX_S);
    }
}

static int setup(void **state)
{
    ground_stage *stage = calloc(1, sizeof *stage);
    size_t count = (size_t)SIDE * SIDE;
    stage->height = calloc(count, sizeof *stage->height);
    stage->x = calloc(2 * SIDE, sizeof *stage->x);
    stage->y = stage->x + SIDE;
    stage->seen = calloc(count, sizeof *stage->seen);
    stage->first = calloc(count, sizeof *stage->first);
    stage->second = calloc(count, sizeof *stage->second);
    stage->shapes.units_per_m = 128;
    stage->shapes.terrain =
        (rcity_terrain_grid){.column_count = SIDE, .row_count = SIDE, .cell = 128 * 30, .height = stage->height};
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        stage->height[i] = (int32_t)(5000.0 * (sin(0.02 * (i % SIDE)) + cos(0.03 * (i / SIDE))));
    }
    for (int32_t i = 0; i < SIDE; i++) {
        stage->x[i] = stage->y[i] = i * 128 * 30;
    }
    stage->targets = (rcity_ground_targets){SIDE, SIDE, stage->x, stage->y, NULL, 96, false};
    stage->source = (rcity_grid_point3){stage->x[SIDE / 3] + 100, stage->y[SIDE / 2] + 100, 12000};
    *state = stage;
    return 0;
}

static int teardown(void **state)
{
    ground_stage *stage = *state;
    free(stage->second);
    free(stage->first);
    free(stage->seen);
    free(stage->x);
    free(stage->height);
    free(stage);
    return 0;
}

TEST_SUITE(ground_progress)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps_say_how_far_they_are),
        cmocka_unit_test(test_sweeps_stop_at_once),
    };
    return cmocka_run_group_tests_name("ground_progress", tests, setup, teardown);
}
