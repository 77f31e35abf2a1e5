/* Scores of implausible measurements, over terrain, with any number of threads, and without memory. */
#include "fit_items.h"
#include "score_world.h"

/* Implausible measurements are named. */
static void test_implausible_measurements_cause_warnings(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    score_world w;
    score_world_open(&w, context, "shadow", 11);
    float losses_db[SCORE_POINT_COUNT];
    score_world_predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 0.0);
    rcity_score *score = score_world_score(&w, measurements, NULL);
    assert_true(score_says(rcity_score_warning, score, "inside buildings")); /* more than one in five */
    assert_false(score_says(rcity_score_warning, score, "correlation") ||
                 score_says(rcity_score_warning, score, "mean error") ||
                 score_says(rcity_score_warning, score, "only") ||
                 score_says(rcity_score_warning, score, "values are the same"));
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);

    for (int i = 0; i < SCORE_POINT_COUNT; i++) { /* a power taken for a loss */
        losses_db[i] = -w.loss_db[i];
    }
    measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, losses_db, 0.0);
    score = score_world_score(&w, measurements, NULL);
    assert_true(score_says(rcity_score_warning, score, "correlation") &&
                score_says(rcity_score_warning, score, "mean error"));
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);

    for (int i = 0; i < SCORE_POINT_COUNT; i++) {
        losses_db[i] = 100.0f;
    }
    measurements = score_world_measure_first(&w, RCITY_MEASURED_LOSS, losses_db, 0.0, 40);
    score = score_world_score(&w, measurements, NULL);
    assert_true(score_says(rcity_score_warning, score, "all measured values are the same"));
    assert_true(score_says(rcity_score_warning, score, "can be compared"));
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);

    w.request.transmitter.x_m = 1220.0; /* a kilometre east of the last wall */
    measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    score = score_world_score(&w, measurements, NULL);
    assert_true(score_says(rcity_score_remark, score, "stands 1000 m outside the building map"));
    assert_true(score_says(rcity_score_remark, score, "the path is free (no terrain there)"));
    assert_true(score_says(rcity_score_remark, score, "Hata is extrapolated"));
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

/* Over terrain the path is said to lead over it; what lies off it is left out, and counted. */
static void test_points_off_the_terrain_are_left_out(void **state)
{
    (void)state;
    enum { NODE_COUNT = 21 };
    float height_m[NODE_COUNT * NODE_COUNT];
    for (int i = 0; i < NODE_COUNT * NODE_COUNT; i++) {
        height_m[i] = 100.0f + (float)(i % NODE_COUNT);
    }
    rcity_terrain terrain = {NODE_COUNT, NODE_COUNT, -40.0, -40.0, 14.0, height_m}; /* up to 240 m */
    rcity_context *context = test_context(1);
    score_world w;
    score_world_open(&w, context, "shadow", 16);
    rcity_scene_destroy(&w.scene);
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(context, rcity_scene_create(context, &options, &w.scene));
    assert_ok(context, rcity_scene_set_terrain(w.scene, &terrain));
    test_add_box(context, w.scene, 1, score_boxes[0]);
    assert_ok(context, rcity_scene_commit(w.scene));
    for (int i = 0; i < 20; i++) {
        w.xyh_m[3 * i] = 250.0 + i; /* off the terrain, by 10 m and more */
    }
    w.request.transmitter.x_m = 200.0; /* 140 m off the only building */
    w.request.transmitter.y_m = 30.0;
    score_world_predict(&w, "shadow", w.loss_db, NULL);
    rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    rcity_score *score = score_world_score(&w, measurements, NULL);
    assert_true(score_says(rcity_score_remark, score, "stands 140 m outside the building map"));
    assert_true(score_says(rcity_score_remark, score, "the path is over terrain"));
    assert_false(score_says(rcity_score_remark, score, "free"));
    int64_t placed_count = 0;
    for (int i = 0; i < SCORE_POINT_COUNT; i++) {
        rcity_score_point point = score_point_at(score, i);
        bool is_off = i < 20;
        assert_int_equal(strcmp(point.left_out, "outside the terrain") == 0, is_off);
        assert_int_equal(isnan(point.distance_m), is_off);
        assert_false(is_off && point.is_in_sight);
        placed_count += !is_off;
    }
    int64_t sight_count = 0;
    for (int i = 0; i < rcity_score_group_count(score); i++) {
        rcity_score_group group = score_group_at(score, i);
        sight_count += strcmp(group.kind, "sight") == 0 ? group.count : 0;
    }
    assert_int_equal(sight_count, placed_count); /* nobody knows what those off the terrain see */
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

/* What a method skips is left out for all models. */
static void test_out_of_range(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    score_world w;
    score_world_open(&w, context, "walfisch-ikegami", 17);
    w.request.range_policy = RCITY_RANGE_SKIP; /* published from 20 m on */
    for (int i = 0; i < 3; i++) {
        w.xyh_m[3 * i] = 72.0 + i;
        w.xyh_m[3 * i + 1] = 71.0;
    }
    score_world_predict(&w, "walfisch-ikegami", w.loss_db, NULL); /* beyond the range too */
    rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    rcity_score *score = score_world_score(&w, measurements, NULL);
    int64_t used_count = 0;
    for (int i = 0; i < SCORE_POINT_COUNT; i++) {
        double away_m = hypot(w.xyh_m[3 * i] - 70.0, w.xyh_m[3 * i + 1] - 71.0);
        const char *reason = score_point_at(score, i).left_out;
        assert_string_equal(reason, isnan(w.loss_db[i]) ? "inside a building" : away_m < 20.0 ? "out of range" : "");
        used_count += reason[0] == '\0';
    }
    for (int i = 0; i < rcity_score_model_count(score); i++) {
        assert_int_equal(score_figures_at(score, i, 0).count, used_count);
    }
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

static void test_unusable_measurements_are_refused(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    score_world w;
    rcity_score *score = NULL;
    score_world_open(&w, context, "shadow", 12);
    rcity_measurements *measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    rcity_measurement lost = rcity_measurements_all(measurements)[7];
    lost.transmitter = -1;
    assert_ok(context, rcity_measurements_add(measurements, &lost));
    assert_status(context, rcity_score_create(context, w.scene, w.device, &w.request, NULL, measurements, &score),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "which transmitter");
    rcity_measurements_destroy(&measurements);
    for (int i = 0; i < SCORE_POINT_COUNT; i++) {
        w.xyh_m[3 * i] = 30.0 + 0.1 * i;
        w.xyh_m[3 * i + 1] = 100.0;
    }
    measurements = score_world_measure(&w, RCITY_MEASURED_LOSS, w.loss_db, 1.0);
    assert_status(context, rcity_score_create(context, w.scene, w.device, &w.request, NULL, measurements, &score),
                  RCITY_ERR_ARGUMENT);
    assert_message(context, "none of the 120 measurements can be predicted: 120 lie inside buildings");
    w.request.method = "hata"; /* nearer than it was published for, and nobody said --extrapolate */
    assert_status(context, rcity_score_create(context, w.scene, w.device, &w.request, NULL, measurements, &score),
                  RCITY_ERR_ARGUMENT);
    assert_null(score);
    rcity_measurements_destroy(&measurements);
    score_world_close(&w);
    rcity_context_destroy(&context);
}

/* The same bits for any number of threads. */
static void test_score_is_equal_for_any_thread_count(void **state)
{
    (void)state;
    rcity_score *scores[2] = {NULL, NULL};
    score_world worlds[2];
    for (int k = 0; k < 2; k++) {
        rcity_context *context = test_context(k == 0 ? 1 : 7);
        score_world_open(&worlds[k], context, "shadow", 13);
        score_world_predict(&worlds[k], "shadow", worlds[k].loss_db, NULL);
        rcity_measurements *measurements = score_world_measure(&worlds[k], RCITY_MEASURED_LOSS, worlds[k].loss_db, 1.0);
        scores[k] = score_world_score(&worlds[k], measurements, NULL);
        rcity_measurements_destroy(&measurements);
    }
    assert_int_equal(rcity_score_model_count(scores[0]), rcity_score_model_count(scores[1]));
    assert_int_equal(rcity_score_group_count(scores[0]), rcity_score_group_count(scores[1]));
    for (int model = 0; model < rcity_score_model_count(scores[0]); model++) {
        assert_memory_equal(rcity_score_predicted_db(scores[0], model), rcity_score_predicted_db(scores[1], model),
                            SCORE_POINT_COUNT * sizeof(double));
        for (int group = 0; group < rcity_score_group_count(scores[0]); group++) {
            rcity_score_figures a = score_figures_at(scores[0], model, group);
            rcity_score_figures b = score_figures_at(scores[1], model, group);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    for (int k = 0; k < 2; k++) {
        rcity_score_destroy(&scores[k]);
        score_world_close(&worlds[k]);
        rcity_context_destroy(&worlds[k].context);
    }
}

/* One score with the n-th allocation failing; says whether there are that many. */
static bool score_failing(const char *method, rcity_measured_kind kind, long fail_at)
{
    failing_allocator failing = {0, 0, 0};
    rcity_context *context = test_context_failing(&failing, 1);
    score_world w;
    score_world_open(&w, context, method, 14);
    w.request.transmitter.power_dbm = 30.0;
    rcity_measurements *measurements = score_world_measure(&w, kind, w.loss_db, 1.0);
    rcity_score *score = NULL;
    failing.call_count = 0;
    failing.fail_at = fail_at;
    rcity_status status = rcity_score_create(context, w.scene, w.device, &w.request, NULL, measurements, &score);
    bool has_failed = failing.call_count >= fail_at;
    failing.fail_at = 0;
    assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
    assert_int_equal(score == NULL, has_failed);
    rcity_score_destroy(&score);
    rcity_measurements_destroy(&measurements);
    score_world_close(&w);
    rcity_context_destroy(&context);
    assert_int_equal(failing.live_count, 0);
    return has_failed;
}

/* Any allocation may fail; nothing is lost then, and no score half made. */
static void test_scoring_survives_failed_allocations(void **state)
{
    (void)state;
    for (long fail_at = 1; score_failing("free-space", RCITY_MEASURED_LOSS, fail_at);) {
        fail_at += fail_at < 60 ? 1 : fail_at / 20; /* each of the first, then fewer */
    }
    for (long fail_at = 1; score_failing("shadow", RCITY_MEASURED_POWER, fail_at);) {
        fail_at += fail_at < 60 ? 1 : fail_at / 20;
    }
}

TEST_SUITE(score_edges)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_implausible_measurements_cause_warnings),
        cmocka_unit_test(test_points_off_the_terrain_are_left_out),
        cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_unusable_measurements_are_refused),
        cmocka_unit_test(test_score_is_equal_for_any_thread_count),
        cmocka_unit_test(test_scoring_survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
