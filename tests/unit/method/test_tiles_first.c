/* What transmitters see directly: one by one or many in a call the same; edges by either parent, in their order. */
#include "tiles_trial.h"

#include "method/tiles/tiles.h"
#include "method/tiles/tiles_prepare.h"
#include "scene/scene_data.h"

#define TX_COUNT    40
#define POINT_COUNT 70
#define SIDE_M      120.0

static const uint64_t seed = 20270203;

typedef struct first_stage {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_receivers receivers;
    rcity_job job;
    double xyh_m[3 * POINT_COUNT];
    rcity_tx tx[TX_COUNT];
    rcity_tiles_prepared *prepared;
    void *traces[TX_COUNT];
} first_stage;

static first_stage stage;

static void stage_init(rcity_context *context)
{
    const test_box boxes[] = {
        {0, 0, 40, 30, 20}, {60, 0, 100, 45, 35}, {0, 50, 35, 90, 15}, {55, 65, 105, 95, 25}, {0, 110, 70, 140, 30}};
    const char *const names[] = {"tile-area-m2", "ground-margin-m"};
    const char *const values[] = {"20", "20"};
    memset(&stage, 0, sizeof stage);
    stage.context = context;
    stage.scene = test_scene(context, boxes, 5);
    assert_ok(context, rcity_device_open(context, "host", &stage.device));
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        stage.xyh_m[3 * i] = test_uniform(seed, 3 * i, 0.0, SIDE_M);
        stage.xyh_m[3 * i + 1] = test_uniform(seed, 3 * i + 1, 0.0, SIDE_M);
        stage.xyh_m[3 * i + 2] = 1.5;
    }
    stage.receivers = rcity_receivers_default();
    stage.receivers.point_count = POINT_COUNT;
    stage.receivers.xyh_m = stage.xyh_m;
    rcity_job *job = &stage.job;
    job->context = context;
    job->scene = stage.scene;
    job->shapes = rcity_scene_shapes(stage.scene);
    job->device = stage.device;
    job->method = &rcity_tiles_method;
    job->receivers = &stage.receivers;
    assert_ok(context, rcity_method_read_options(job, 2, names, values));
    uint64_t next = 1000;
    for (int i = 0; i < TX_COUNT; i++) {
        rcity_transmitter *stated = &stage.tx[i].stated;
        rcity_status status = RCITY_ERR_ARGUMENT;
        *stated = rcity_transmitter_default();
        stated->frequency_hz = 2e9;
        while (status == RCITY_ERR_ARGUMENT) { /* inside a building */
            stated->x_m = test_uniform(seed, next++, -10.0, SIDE_M);
            stated->y_m = test_uniform(seed, next++, -10.0, SIDE_M);
            stated->height_m = test_uniform(seed, next++, 1.0, 60.0);
            status = rcity_transmitter_locate(context, stage.scene, stated, &stage.tx[i].position);
        }
        assert_ok(context, status);
    }
    assert_ok(context, rcity_tiles_prepare_first(job, &stage.prepared));
}

static void stage_deinit(void)
{
    for (int i = 0; i < TX_COUNT; i++) {
        rcity_tiles_release_trace(stage.context, stage.traces[i]);
    }
    rcity_tiles_release_prepared(stage.context, stage.prepared);
    rcity_device_close(&stage.device);
    rcity_scene_destroy(&stage.scene);
}

static bool is_free(rcity_tile_place a, rcity_tile_place b)
{
    return rcity_sight_is_free(stage.prepared->sight, (rcity_grid_point3){a.x, a.y, a.z},
                               (rcity_grid_point3){b.x, b.y, b.z});
}

static bool sees_tile(const rcity_tiles_traced *traced, int32_t tile)
{
    const rcity_tiling *tiling = &stage.prepared->tiling;
    rcity_tile_front front = rcity_tile_front_make(tiling->tiles[tile], 1.0f / (float)stage.job.shapes->units_per_m,
                                                   1.0f / (float)RCITY_HEIGHT_UNITS_PER_M);
    return rcity_tile_faces(front, tiling->places[tile], traced->place) && is_free(traced->place, tiling->places[tile]);
}

/* All tiles, edges and receivers, one by one. @return how many are seen. */
static int check_trace(const rcity_tiles_traced *traced)
{
    const rcity_tiling *tiling = &stage.prepared->tiling;
    const rcity_open_receivers *receivers = &stage.prepared->receivers;
    int32_t tiles = 0;
    int32_t edges = 0;
    int seen = 0;
    for (int32_t i = 0; i < tiling->tile_count; i++) {
        if (sees_tile(traced, i)) {
            assert_true(tiles < traced->tile_count);
            assert_int_equal(traced->tiles[tiles++], i);
        }
    }
    for (int32_t i = 0; i < tiling->edge_count; i++) {
        const rcity_tile_edge *edge = &tiling->edges[i];
        if ((edge->tile_o >= 0 && sees_tile(traced, edge->tile_o)) ||
            (edge->tile_n >= 0 && sees_tile(traced, edge->tile_n))) {
            assert_true(edges < traced->edge_count);
            assert_int_equal(traced->edges[edges++], i);
        }
    }
    assert_int_equal(traced->tile_count, tiles);
    assert_int_equal(traced->edge_count, edges);
    for (int64_t i = 0; i < receivers->open_count; i++) {
        assert_int_equal(traced->sees_receiver[i], is_free(traced->place, receivers->places[i]));
        seen += traced->sees_receiver[i];
    }
    return seen + tiles + edges;
}

static void test_many_transmitters_see_what_each_sees(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    stage_init(context);
    int seen = 0;
    assert_ok(context, rcity_tiles_trace(&stage.job, stage.prepared, NULL, TX_COUNT, stage.tx, stage.traces));
    for (int i = 0; i < TX_COUNT; i++) {
        const rcity_tiles_traced *of_many = stage.traces[i];
        void *trace = NULL;
        seen += check_trace(of_many);
        assert_ok(context, rcity_tiles_trace(&stage.job, stage.prepared, NULL, 1, &stage.tx[i], &trace));
        const rcity_tiles_traced *alone = trace;
        assert_int_equal(alone->tile_count, of_many->tile_count);
        assert_int_equal(alone->edge_count, of_many->edge_count);
        assert_memory_equal(alone->tiles, of_many->tiles, (size_t)alone->tile_count * sizeof *alone->tiles);
        assert_memory_equal(alone->edges, of_many->edges, (size_t)alone->edge_count * sizeof *alone->edges);
        assert_memory_equal(&alone->place, &of_many->place, sizeof alone->place);
        rcity_tiles_release_trace(context, trace);
    }
    print_message("%lld tiles, %lld edges, %lld receivers; %d are seen by %d transmitters\n",
                  (long long)stage.prepared->tiling.tile_count, (long long)stage.prepared->tiling.edge_count,
                  (long long)stage.prepared->receivers.open_count, seen, TX_COUNT);
    assert_true(seen > 100 * TX_COUNT);
    stage_deinit();
    rcity_context_destroy(&context);
}

/* On failure no trace is given, and nothing is left. */
static void test_failing_allocations(void **state)
{
    (void)state;
    failing_allocator failing = {0, 0, 0};
    rcity_context *context = test_context_failing(&failing, 2);
    stage_init(context);
    uint64_t used = rcity_context_memory_used(context);
    rcity_status status = RCITY_ERR_MEMORY;
    long n = 0;
    while (status != RCITY_OK) {
        failing.call_count = 0;
        failing.fail_at = ++n;
        status = rcity_tiles_trace(&stage.job, stage.prepared, NULL, 3, stage.tx, stage.traces);
        if (status != RCITY_OK) {
            assert_status(context, status, RCITY_ERR_MEMORY);
            assert_null(stage.traces[0]);
            assert_int_equal(rcity_context_memory_used(context), used);
        }
    }
    failing.fail_at = 0;
    assert_true(n > 12);
    stage_deinit();
    rcity_context_destroy(&context);
}

TEST_SUITE(tiles_first)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_transmitters_see_what_each_sees),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("tiles_first", tests, NULL, NULL);
}
