/* Batches of segments on every device and any number of threads: the same answers, and those of the plain test. */
#include "visibility/sight_batch.h"

#include "scene/shapes.h"
#include "sight_cases.h"

#define DEVICE_MAX    32
#define SEGMENT_COUNT 6600

/* Segments of a scene and what the plain test says of them. */
typedef struct parity_set {
    rcity_sight_segment segments[SEGMENT_COUNT];
    uint8_t expected[SEGMENT_COUNT];
} parity_set;

static void fill_set(rcity_context *context, const rcity_scene *scene, uint64_t seed, double reach_m, parity_set *set)
{
    rcity_segment_scratch scratch;
    assert_ok(context, rcity_segment_scratch_init(context, rcity_scene_shapes(scene), &scratch));
    for (uint64_t i = 0; i < SEGMENT_COUNT; i++) {
        rcity_grid_point3 from;
        rcity_grid_point3 to;
        sight_case(rcity_scene_shapes(scene), (sight_family)(i % SIGHT_FAMILY_COUNT), seed, i, reach_m, &from, &to);
        set->segments[i] = (rcity_sight_segment){from.x, from.y, from.z, to.x, to.y, to.z};
        set->expected[i] = rcity_segment_is_free(rcity_scene_shapes(scene), &scratch, from, to);
    }
    rcity_segment_scratch_deinit(context, &scratch);
}

/* One device: whole, in small pieces, in parts, each twice with the structure staying there. */
static void check_device(rcity_context *context, const char *id, const rcity_sight *sight, const parity_set *set)
{
    static const int64_t counts[] = {0, 1, 65, SEGMENT_COUNT};
    rcity_device *device = NULL;
    rcity_sight_batch *batch = NULL;
    uint8_t answers[SEGMENT_COUNT + 1];
    assert_ok(context, rcity_device_open(context, id, &device));
    assert_ok(context, rcity_sight_batch_open(context, device, sight, NULL, &batch));
    for (int round = 0; round < 8; round++) {
        int64_t count = counts[round % 4];
        memset(answers, 9, sizeof answers);
        assert_ok(context, rcity_sight_batch_test(batch, count, set->segments, answers));
        for (int64_t i = 0; i < SEGMENT_COUNT + 1; i++) {
            int expected = i < count ? set->expected[i] : 9;
            if (answers[i] != expected) {
                const rcity_sight_segment *s = &set->segments[i];
                print_error("%s, segment %lld: (%d %d %d) to (%d %d %d) is %d, expected %d\n", id, (long long)i, s->ax,
                            s->ay, s->az, s->bx, s->by, s->bz, answers[i], expected);
                fail();
            }
        }
    }
    rcity_sight_batch_close(&batch);
    rcity_device_close(&device);
}

/* Measures: what is counted is the same, what is measured differs by the rounding of a device. */
static void check_measures(rcity_context *context, const char *id, const rcity_sight *sight, const rcity_sight *trees,
                           const parity_set *set)
{
    static rcity_sight_measure measures[SEGMENT_COUNT];
    rcity_device *device = NULL;
    rcity_sight_batch *batch = NULL;
    assert_ok(context, rcity_device_open(context, id, &device));
    assert_ok(context, rcity_sight_batch_open(context, device, sight, trees, &batch));
    assert_ok(context, rcity_sight_batch_measure(batch, SEGMENT_COUNT, set->segments, measures));
    for (int i = 0; i < SEGMENT_COUNT; i++) {
        rcity_sight_measure expected = rcity_sight_measure_one(sight, trees, set->segments[i]);
        const rcity_sight_measure *actual = &measures[i];
        assert_int_equal(actual->hit.kind == RCITY_SIGHT_HIT_NONE, set->expected[i]);
        assert_int_equal(actual->hit.kind, expected.hit.kind);
        assert_int_equal(actual->hit.wall, expected.hit.wall);
        assert_int_equal(actual->wall_count, expected.wall_count);
        assert_int_equal(actual->is_deferred, 0);
        assert_near((double)actual->hit.at, (double)expected.hit.at, 1e-5);
        assert_near((double)actual->in_buildings, (double)expected.in_buildings, 1e-5);
        assert_near((double)actual->in_foliage, (double)expected.in_foliage, 1e-5);
    }
    rcity_sight_batch_close(&batch);
    rcity_device_close(&device);
}

static void check_scene(rcity_context **contexts, int context_count, rcity_scene *scene, uint64_t seed, double reach_m)
{
    rcity_context *context = contexts[0];
    parity_set *set = malloc(sizeof *set);
    assert_non_null(set);
    rcity_sight *sight = NULL;
    rcity_sight *trees = NULL;
    fill_set(context, scene, seed, reach_m, set);
    assert_ok(context, rcity_sight_create(context, rcity_scene_shapes(scene), &sight));
    assert_ok(context, rcity_sight_create_trees(context, rcity_scene_shapes(scene), &trees));
    for (int i = 0; i < context_count; i++) {
        check_device(contexts[i], "host", sight, set);
        check_measures(contexts[i], "host", sight, trees, set);
    }
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            check_device(context, infos[i].id, sight, set);
            check_measures(context, infos[i].id, sight, trees, set);
            print_message("seed %llu: %d segments agree on %s\n", (unsigned long long)seed, SEGMENT_COUNT, infos[i].id);
        }
    }
    rcity_sight_destroy(context, &trees);
    rcity_sight_destroy(context, &sight);
    free(set);
    rcity_scene_destroy(&scene);
}

static void test_devices_agree(void **state)
{
    (void)state;
    rcity_context *contexts[3];
    for (int i = 0; i < 3; i++) {
        contexts[i] = test_context(i + 1);
    }
    for (uint64_t seed = 1; seed <= 4; seed++) {
        check_scene(contexts, 3, sight_messy_scene(contexts[0], seed), seed, 20.0);
    }
    check_scene(contexts, 3, sight_city(contexts[0], RCITY_CITY_CORE, 5, 0.1), 5, 300.0);
    check_scene(contexts, 3, sight_city(contexts[0], RCITY_CITY_HIGHRISE, 6, 0.1), 6, 300.0);
    check_scene(contexts, 3, sight_city(contexts[0], RCITY_CITY_HILLS, 7, 0.2), 7, 300.0);
    for (int i = 0; i < 3; i++) {
        rcity_context_destroy(&contexts[i]);
    }
}

TEST_SUITE(sight_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree),
    };
    return cmocka_run_group_tests_name("sight_parity", tests, NULL, NULL);
}
