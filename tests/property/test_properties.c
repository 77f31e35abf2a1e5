/* Properties of scenes and predictions over random seeds. */
#include "rcity_test.h"

#include <pthread.h>

#include "base/sha256.h"

static void hash_map(const rcity_map *map, char hex[65])
{
    rcity_sha256 sha;
    rcity_sha256_init(&sha);
    rcity_raster raster = rcity_map_raster(map);
    for (int i = 0; i < rcity_map_band_count(map); i++) {
        rcity_band band;
        assert_int_equal(rcity_map_get_band(map, i, &band), RCITY_OK);
        rcity_sha256_add(&sha, band.value, (size_t)(raster.column_count * raster.row_count) * sizeof *band.value);
    }
    rcity_sha256_finish(&sha, hex);
}

/* The same city and the same map for 1, 2, 3 and 8 threads, and again. */
static void test_thread_counts(void **state)
{
    (void)state;
    static const int thread_counts[] = {1, 2, 3, 8, 1};
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        char scene_hash[5][65];
        char map_hash[5][65];
        for (int i = 0; i < 5; i++) {
            rcity_context *context = test_context(thread_counts[i]);
            rcity_city_options options = rcity_city_options_default();
            options.kind = (rcity_city_kind)kind;
            options.area_km2 = 0.15;
            options.seed = 4;
            rcity_scene *scene = NULL;
            rcity_device *device = NULL;
            rcity_map *map = NULL;
            rcity_scene_info info;
            assert_ok(context, rcity_city_make(context, &options, &scene));
            assert_ok(context, rcity_scene_describe(scene, &info));
            memcpy(scene_hash[i], info.hash, 65);
            assert_ok(context, rcity_device_open(context, "host", &device));
            static const char *const names[] = {"line-of-sight"};
            static const char *const values[] = {"exact"};
            rcity_request request = rcity_request_default();
            request.method = "free-space";
            request.transmitter.x_m = 190;
            request.transmitter.y_m = 190;
            request.transmitter.height_m = 300;
            request.receivers.cell_m = 9;
            request.option_count = 1;
            request.option_name = names;
            request.option_value = values;
            assert_ok(context, rcity_predict(context, scene, device, &request, &map));
            hash_map(map, map_hash[i]);
            rcity_map_destroy(&map);
            test_close(&context, &scene, &device);
            assert_string_equal(scene_hash[i], scene_hash[0]);
            assert_string_equal(map_hash[i], map_hash[0]);
        }
    }
}

/* The same cities from every compiler and at every level of optimisation: all presets run this against one list.
   Whoever changes a maker on purpose prints the new hashes with `radiocity scene info --json` and puts them here. */
static void test_golden_cities(void **state)
{
    (void)state;
    static const char *const golden[RCITY_CITY_KIND_COUNT] = {
        "f9f66d11f352057eb6f0e8a9e860c9646918e102e48e71ab93cc1ab753ec6eb8", /* grid */
        "44af796caf21b63eaf7cecae6bc0dab30f175dce60182c39594b726cc178a5c1", /* core */
        "aeffbd25757eb527a85aa1ae29c1b001a713973d1342c7b3d13bd3e12c321de7", /* highrise */
        "2ac0ba7917e30d263ea802dce50da87a6f521553c7a761b21ab0e210ba7a45ce", /* hills */
    };
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        rcity_context *context = test_context(1);
        rcity_city_options options = rcity_city_options_default();
        options.kind = (rcity_city_kind)kind;
        options.area_km2 = 0.3;
        options.seed = 11;
        rcity_scene *scene = NULL;
        rcity_scene_info info;
        assert_ok(context, rcity_city_make(context, &options, &scene));
        assert_ok(context, rcity_scene_describe(scene, &info));
        assert_string_equal(info.hash, golden[kind]);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
    }
}

/* Random boxes, placed as given, moved by whole metres, and turned by a quarter: the same answers to the same
   questions. */
static rcity_scene *placed_scene(rcity_context *context, uint64_t seed, bool is_turned, double shift_m)
{
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    for (uint64_t i = 0; i < 25; i++) {
        double x0 = floor(test_uniform(seed, 5 * i, 0, 200) * 128) / 128;
        double y0 = floor(test_uniform(seed, 5 * i + 1, 0, 200) * 128) / 128;
        double x1 = x0 + floor(test_uniform(seed, 5 * i + 2, 3, 40) * 128) / 128;
        double y1 = y0 + floor(test_uniform(seed, 5 * i + 3, 3, 40) * 128) / 128;
        double height_m = floor(test_uniform(seed, 5 * i + 4, 3, 40) * 64) / 64;
        test_box box = is_turned ? (test_box){-y1, x0, -y0, x1, height_m} : (test_box){x0, y0, x1, y1, height_m};
        box.x0_m += shift_m;
        box.x1_m += shift_m;
        box.y0_m -= shift_m;
        box.y1_m -= shift_m;
        test_add_box(context, scene, (int64_t)i, box);
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static rcity_point place(double x, double y, double z, bool is_turned, double shift_m)
{
    rcity_point at = {(is_turned ? -y : x) + shift_m, (is_turned ? x : y) - shift_m, z};
    return at;
}

static void test_moving_and_turning(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    int free_count = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rcity_scene *scenes[3] = {placed_scene(context, seed, false, 0.0), placed_scene(context, seed, false, 691000.0),
                                  placed_scene(context, seed, true, 0.0)};
        for (uint64_t i = 0; i < 300; i++) {
            bool is_free[3];
            double v[6];
            for (uint64_t k = 0; k < 6; k++) {
                double limit = k % 3 == 2 ? 60.0 : 240.0;
                v[k] = floor(test_uniform(seed, 1000 + 6 * i + k, 0, limit) * 64) / 64;
            }
            for (int s = 0; s < 3; s++) {
                rcity_point a = place(v[0], v[1], v[2], s == 2, s == 1 ? 691000.0 : 0.0);
                rcity_point b = place(v[3], v[4], v[5], s == 2, s == 1 ? 691000.0 : 0.0);
                assert_ok(context, rcity_scene_test_segment(context, scenes[s], &a, &b, &is_free[s]));
            }
            if (is_free[1] != is_free[0] || is_free[2] != is_free[0]) {
                print_error("seed %llu, segment %llu: %d as given, %d moved, %d turned\n", (unsigned long long)seed,
                            (unsigned long long)i, is_free[0], is_free[1], is_free[2]);
                fail();
            }
            free_count += is_free[0];
        }
        for (int s = 0; s < 3; s++) {
            rcity_scene_destroy(&scenes[s]);
        }
    }
    print_message("6000 segments, %d free, seeds 1 to 20\n", free_count);
    assert_true(free_count > 600 && free_count < 5400);
    rcity_context_destroy(&context);
}

/* One committed scene, several threads, each with a context of its own. */
typedef struct reader {
    const rcity_scene *scene;
    char hash[65];
} reader;

static void *predict_alone(void *user)
{
    reader *own = user;
    rcity_context *context = test_context(1);
    rcity_device *device = NULL;
    rcity_map *map = NULL;
    rcity_request request = rcity_request_default();
    request.method = "free-space";
    request.transmitter.x_m = 150;
    request.transmitter.y_m = 150;
    request.transmitter.height_m = 200;
    rcity_scene_info info;
    rcity_cover cover;
    assert_ok(context, rcity_scene_describe(own->scene, &info));
    assert_status(context, rcity_scene_get_cover(context, own->scene, 1e9, 0, &cover), RCITY_ERR_ARGUMENT);
    assert_ok(context, rcity_device_open(context, "host", &device));
    assert_ok(context, rcity_predict(context, own->scene, device, &request, &map));
    hash_map(map, own->hash);
    rcity_map_destroy(&map);
    rcity_device_close(&device);
    rcity_context_destroy(&context);
    return NULL;
}

static void test_shared_scene(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_city_options options = rcity_city_options_default();
    options.area_km2 = 0.1;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    reader readers[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        readers[i].scene = scene;
        assert_int_equal(pthread_create(&threads[i], NULL, predict_alone, &readers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_string_equal(readers[i].hash, readers[0].hash);
    }
    rcity_scene_destroy(&scene);
    rcity_context_destroy(&context);
}

TEST_SUITE(properties)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thread_counts),
        cmocka_unit_test(test_golden_cities),
        cmocka_unit_test(test_moving_and_turning),
        cmocka_unit_test(test_shared_scene),
    };
    return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
