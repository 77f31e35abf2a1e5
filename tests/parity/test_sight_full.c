/* Ten million segments in full-size cities: every answer is that of the exact test, in both directions, on every device
   and number of threads; and how far Embree agrees. The exact test looks only at buildings near the line; that this
   changes nothing is checked against the plain one on a part. */
#include "munich.h"
#include "visibility/sight_batch.h"

#include "base/parallel.h"
#include "bench/embree.h"
#include "scene/scene_data.h"
#include "sight_cases.h"

#define DEVICE_MAX    32
#define THREAD_MAX    256
#define SEGMENT_COUNT 3400000 /* for each of three cities */
#define PLAIN_STEP    500     /* every so manieth segment is asked of the plain test too */
#define REACH_M       300.0

typedef struct full_stage {
    rcity_context *context;
    const rcity_scene *scene;
    uint64_t seed;
    rcity_segment_scratch scratch[THREAD_MAX];
    rcity_sight_segment *segments, *turned;
    uint8_t *expected, *actual;
} full_stage;

/* An rcity_parallel_function: a segment and the exact answer to it. */
static void draw_segments(void *user, int64_t begin, int64_t end, int thread_index)
{
    full_stage *stage = user;
    const rcity_shapes *shapes = rcity_scene_shapes(stage->scene);
    rcity_segment_scratch *scratch = &stage->scratch[thread_index];
    for (int64_t i = begin; i < end; i++) {
        rcity_grid_point3 a;
        rcity_grid_point3 b;
        /* half of them random, the others from all families */
        sight_family family = i % 2 == 0 ? SIGHT_RANDOM : (sight_family)(i / 2 % SIGHT_FAMILY_COUNT);
        sight_case(shapes, family, stage->seed, (uint64_t)i, REACH_M, &a, &b);
        stage->segments[i] = (rcity_sight_segment){a.x, a.y, a.z, b.x, b.y, b.z};
        stage->turned[i] = (rcity_sight_segment){b.x, b.y, b.z, a.x, a.y, a.z};
        stage->expected[i] = rcity_segment_is_free_indexed(shapes, &stage->scene->prism_index, scratch, a, b);
        if (i % PLAIN_STEP == 0) {
            stage->expected[i] =
                rcity_segment_is_free(shapes, scratch, a, b) == stage->expected[i] ? stage->expected[i] : 7;
        }
    }
}

static void check_answers(const full_stage *stage, const char *what)
{
    long wrong_count = 0;
    for (int64_t i = 0; i < SEGMENT_COUNT; i++) {
        if (stage->actual[i] != stage->expected[i] && wrong_count++ < 10) {
            const rcity_sight_segment *s = &stage->segments[i];
            print_error("%s, segment %lld: (%d %d %d) to (%d %d %d) is %d, expected %d\n", what, (long long)i, s->ax,
                        s->ay, s->az, s->bx, s->by, s->bz, stage->actual[i], stage->expected[i]);
        }
    }
    assert_int_equal(wrong_count, 0);
}

static void check_device(full_stage *stage, rcity_context *context, const char *id, const rcity_sight *sight)
{
    rcity_device *device = NULL;
    rcity_sight_batch *batch = NULL;
    assert_ok(context, rcity_device_open(context, id, &device));
    assert_ok(context, rcity_sight_batch_open(context, device, sight, NULL, &batch));
    double start_s = rcity_clock_s();
    assert_ok(context, rcity_sight_batch_test(batch, SEGMENT_COUNT, stage->segments, stage->actual));
    double seconds = rcity_clock_s() - start_s;
    check_answers(stage, id);
    assert_ok(context, rcity_sight_batch_test(batch, SEGMENT_COUNT, stage->turned, stage->actual));
    check_answers(stage, "turned");
    print_message("  %s, %d threads: all agree both ways, %.1f million a second, %lld looked at closely\n", id,
                  rcity_context_thread_count(context), 1e-6 * SEGMENT_COUNT / seconds,
                  (long long)rcity_sight_batch_close_count(batch));
    rcity_sight_batch_close(&batch);
    rcity_device_close(&device);
}

/* Is a point in the open air: nothing above it, not below the ground? */
static bool is_open_air(const rcity_sight *sight, int32_t x, int32_t y, int32_t z)
{
    rcity_grid_point3 at = {x, y, z};
    rcity_grid_point3 sky = {x, y, 1200000};
    return rcity_sight_is_free(sight, at, sky);
}

/* Embree sees surfaces, not solids, so that lines that start inside something do not count; and it computes in single
   precision, so that lines which touch something do not either. */
static void check_embree(full_stage *stage, const rcity_sight *sight)
{
    if (rcity_embree_name() == NULL) {
        return;
    }
    rcity_embree *embree = NULL;
    assert_ok(stage->context, rcity_embree_create(stage->context, rcity_scene_shapes(stage->scene), &embree));
    rcity_embree_query query;
    for (int q = 0; rcity_embree_get_query(q, &query); q++) {
        long same_count = 0;
        long count = 0;
        rcity_embree_test(stage->context, embree, &query, SEGMENT_COUNT, stage->segments, stage->actual);
        for (int64_t i = 0; i < SEGMENT_COUNT; i += 2) {
            rcity_sight_segment s = stage->segments[i];
            if (is_open_air(sight, s.ax, s.ay, s.az) && is_open_air(sight, s.bx, s.by, s.bz)) {
                same_count += stage->actual[i] == stage->expected[i];
                count++;
            }
        }
        print_message("  %s, %s, agrees on %.6f of %ld random segments in the open air\n", rcity_embree_name(),
                      query.name, (double)same_count / (double)count, count);
        assert_true((double)same_count > 0.995 * (double)count);
    }
    rcity_embree_destroy(stage->context, &embree);
}

static void check_city(rcity_context *context, const char *name, rcity_scene *scene, uint64_t seed)
{
    full_stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    stage->context = context;
    stage->scene = scene;
    stage->seed = seed;
    stage->segments = malloc(SEGMENT_COUNT * sizeof *stage->segments);
    stage->turned = malloc(SEGMENT_COUNT * sizeof *stage->turned);
    stage->expected = malloc(SEGMENT_COUNT);
    stage->actual = malloc(SEGMENT_COUNT);
    assert_true(stage->segments != NULL && stage->turned != NULL && stage->expected != NULL && stage->actual != NULL);
    int thread_count = rcity_context_thread_count(context);
    assert_true(thread_count <= THREAD_MAX);
    for (int i = 0; i < thread_count; i++) {
        assert_ok(context, rcity_segment_scratch_init(context, rcity_scene_shapes(scene), &stage->scratch[i]));
    }
    rcity_parallel(context, SEGMENT_COUNT, 1000, draw_segments, stage);
    long free_count = 0;
    for (int64_t i = 0; i < SEGMENT_COUNT; i++) {
        assert_int_not_equal(stage->expected[i], 7); /* the plain test agrees with the one that looks near the line */
        free_count += stage->expected[i];
    }
    print_message("%s, seed %llu: %d segments, %.1f %% free\n", name, (unsigned long long)seed, SEGMENT_COUNT,
                  100.0 * (double)free_count / SEGMENT_COUNT);
    rcity_sight *sight = NULL;
    assert_ok(context, rcity_sight_create(context, rcity_scene_shapes(scene), &sight));
    rcity_context *single = test_context(1);
    check_device(stage, single, "host", sight);
    rcity_context_destroy(&single);
    check_device(stage, context, "host", sight);
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            check_device(stage, context, infos[i].id, sight);
        }
    }
    check_embree(stage, sight);
    rcity_sight_destroy(context, &sight);
    for (int i = 0; i < thread_count; i++) {
        rcity_segment_scratch_deinit(context, &stage->scratch[i]);
    }
    free(stage->segments);
    free(stage->turned);
    free(stage->expected);
    free(stage->actual);
    free(stage);
    rcity_scene_destroy(&scene);
}

static void test_sight_is_exact_in_munich(void **state)
{
    (void)state;
    rcity_scene *scene;
    rcity_context *context = test_munich_open(0, &scene);
    check_city(context, "Munich", scene, 1);
    rcity_context_destroy(&context);
}

static void test_sight_is_exact_in_core_city(void **state)
{
    (void)state;
    rcity_context *context = test_context(0);
    check_city(context, "core", sight_city(context, RCITY_CITY_CORE, 2, 8.0), 2);
    rcity_context_destroy(&context);
}

static void test_sight_is_exact_in_highrise_city(void **state)
{
    (void)state;
    rcity_context *context = test_context(0);
    check_city(context, "highrise on hills", sight_city(context, RCITY_CITY_HIGHRISE, 3, 8.0), 3);
    rcity_context_destroy(&context);
}

TEST_SUITE(sight_full)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sight_is_exact_in_munich),
        cmocka_unit_test(test_sight_is_exact_in_core_city),
        cmocka_unit_test(test_sight_is_exact_in_highrise_city),
    };
    return cmocka_run_group_tests_name("sight_full", tests, NULL, NULL);
}
