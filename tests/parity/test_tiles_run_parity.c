/* Rays between tiles on every device: the sums of the host, in pieces of any size, and the same bits each time. */
#include "rcity_test.h"

#include "device/device.h"
#include "method/tiles/tiles.h"
#include "method/tiles/tiles_run.h"

#define DEVICE_MAX   32
#define OPTION_MAX   12
#define POINT_COUNT  60
#define TOLERANCE_DB 0.05
#define TIES_MAX     2 /* places of a case at which a ray passes on one device only */

/* A run of `tiles`: its options, its receivers. */
typedef struct trial {
    const char *name;
    const char *option[OPTION_MAX], *value[OPTION_MAX];
    int option_count;
    bool is_raster, keeps_tiles;
    int point_count;
    const double *ends_m; /* the transmitter and the points, placed so that there are no ties; NULL: drawn */
    double cell_m;        /* of a raster; 0: 20 */
} trial;

/* What came of it. */
typedef struct outcome {
    int64_t tile_count, receiver_count;
    rcity_tile_sums *tiles, *receivers;
    bool was_on_device;
    int64_t deferred_count; /* rays whose legs the host decided */
} outcome;

static rcity_scene *make_hills(rcity_context *context)
{
    static float height_m[31 * 31];
    rcity_scene *scene = NULL;
    rcity_scene_options options = rcity_scene_options_default();
    for (int i = 0; i < 31 * 31; i++) {
        height_m[i] = (float)(6.0 * sin(0.4 * (i % 31)) + 0.4 * (i / 31)); /* ridges */
    }
    rcity_terrain terrain = {31, 31, -10, -10, 5, height_m};
    const test_box boxes[] = {{20, 20, 50, 45, 15}, {70, 25, 95, 60, 25}, {30, 80, 80, 100, 12}};
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    for (int i = 0; i < 3; i++) {
        test_add_box(context, scene, i + 1, boxes[i]);
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static rcity_scene *make_blocks(rcity_context *context)
{
    const test_box boxes[] = {
        {0, 0, 40, 30, 20}, {60, 0, 100, 45, 35}, {0, 50, 35, 90, 15}, {55, 65, 105, 95, 25}, {0, 110, 70, 140, 30}};
    return test_scene(context, boxes, 5);
}

/* The transmitter first. */
static void place_ends(const trial *asked, double *xyh_m)
{
    if (asked->ends_m != NULL) {
        memcpy(xyh_m, asked->ends_m, 3 * ((size_t)asked->point_count + 1) * sizeof *xyh_m);
        return;
    }
    xyh_m[0] = 52.0;
    xyh_m[1] = 48.5;
    xyh_m[2] = 12.0;
    for (uint64_t i = 0; i < POINT_COUNT; i++) {
        xyh_m[3 * i + 3] = test_uniform(5, 3 * i, 1.0, 120.0);
        xyh_m[3 * i + 4] = test_uniform(5, 3 * i + 1, 1.0, 120.0);
        xyh_m[3 * i + 5] = test_uniform(5, 3 * i + 2, 1.0, 40.0);
    }
}

static void copy_sums(const rcity_tile_sums *from, int64_t count, rcity_tile_sums **to)
{
    *to = malloc(((size_t)count + 1) * sizeof **to);
    assert_non_null(*to);
    if (count > 0) {
        memcpy(*to, from, (size_t)count * sizeof **to);
    }
}

static outcome run_trial(rcity_context *context, const rcity_scene *scene, const trial *asked, const char *id,
                         uint64_t limit_bytes)
{
    double xyh_m[3 * (POINT_COUNT + 1)];
    double height_m = 1.5;
    rcity_receivers receivers = rcity_receivers_default();
    rcity_transmitter transmitter = rcity_transmitter_default();
    rcity_job job;
    rcity_tx tx;
    rcity_tiles_run run;
    rcity_device *device = NULL;
    void *prepared = NULL;
    void *workspace = NULL;
    void *trace = NULL;
    outcome made;
    memset(&job, 0, sizeof job);
    memset(&tx, 0, sizeof tx);
    memset(&made, 0, sizeof made);
    place_ends(asked, xyh_m);
    receivers.height_m = &height_m;
    receivers.cell_m = asked->cell_m > 0.0 ? asked->cell_m : 20.0;
    receivers.point_count = asked->is_raster ? 0 : asked->point_count;
    receivers.xyh_m = xyh_m + 3;
    transmitter.x_m = xyh_m[0];
    transmitter.y_m = xyh_m[1];
    transmitter.height_m = xyh_m[2];
    transmitter.frequency_hz = 2e9;
    assert_ok(context, rcity_device_open(context, id, &device));
    rcity_device_limit_buffer(device, limit_bytes);
    job.context = context;
    job.scene = scene;
    job.shapes = rcity_scene_shapes(scene);
    job.device = device;
    job.method = &rcity_tiles_method;
    job.receivers = &receivers;
    if (asked->is_raster) {
        assert_ok(context, rcity_receivers_get_raster(context, scene, &receivers, &job.raster));
    }
    assert_ok(context, rcity_method_read_options(&job, asked->option_count, asked->option, asked->value));
    float *roof_m = calloc((size_t)(job.raster.column_count * job.raster.row_count) + 1, sizeof *roof_m);
    assert_non_null(roof_m);
    job.roof_m = roof_m; /* no receiver is under a roof: those in buildings see nothing */
    tx.stated = transmitter;
    assert_ok(context, rcity_transmitter_locate(context, scene, &transmitter, &tx.position));
    assert_ok(context, rcity_tiles_prepare(&job, &prepared));
    assert_ok(context, rcity_tiles_open_workspace(&job, prepared, &workspace));
    assert_ok(context, rcity_tiles_trace(&job, prepared, workspace, 1, &tx, &trace));
    assert_ok(context, rcity_tiles_run_init(&job, trace, &tx, false, asked->keeps_tiles, &run));
    assert_ok(context, rcity_tiles_run_all(&run));
    made.was_on_device = run.is_on_device;
    made.deferred_count = run.effort.deferred_count;
    made.tile_count = asked->keeps_tiles ? run.prepared->tiling.tile_count : 0;
    made.receiver_count = run.prepared->receivers.open_count;
    copy_sums(run.tile_sums, made.tile_count, &made.tiles);
    copy_sums(run.receiver_sums, made.receiver_count, &made.receivers);
    rcity_tiles_run_deinit(&run);
    rcity_tiles_release_trace(context, trace);
    rcity_tiles_close_workspace(context, workspace);
    rcity_tiles_release_prepared(context, prepared);
    rcity_device_close(&device);
    free(roof_m);
    return made;
}

static void free_outcome(outcome *made)
{
    free(made->tiles);
    free(made->receivers);
}

/* Power of all classes where one has any; the number of rays too. @return places that differ by more. */
static int compare(const rcity_tile_sums *expected, const rcity_tile_sums *actual, int64_t count, double *worst_db)
{
    int ties = 0;
    for (int64_t i = 0; i < count; i++) {
        double sums[2] = {0.0, 0.0};
        for (int k = 0; k < RCITY_TILE_CLASS_COUNT; k++) {
            sums[0] += (double)expected[i].power[k];
            sums[1] += (double)actual[i].power[k];
        }
        bool is_dark = sums[0] < 1e4 && sums[1] < 1e4; /* 110 dB below free space: units are coarse */
        double difference_db = is_dark ? 0.0 : fabs(10.0 * log10((sums[0] + 1.0) / (sums[1] + 1.0)));
        if (difference_db > TOLERANCE_DB) {
            ties++;
        } else {
            *worst_db = fmax(*worst_db, difference_db);
        }
    }
    return ties;
}

/* @return how many rays the host decided; -1 where it did all. */
static int64_t check_device(rcity_context *context, const rcity_scene *scene, const trial *asked, const char *id,
                            uint64_t limit_bytes, const outcome *expected)
{
    double worst_db = 0.0;
    outcome first = run_trial(context, scene, asked, id, limit_bytes);
    outcome second = run_trial(context, scene, asked, id, limit_bytes);
    assert_int_equal(first.tile_count, expected->tile_count);
    assert_int_equal(first.receiver_count, expected->receiver_count);
    int ties = compare(expected->tiles, first.tiles, first.tile_count, &worst_db);
    ties += compare(expected->receivers, first.receivers, first.receiver_count, &worst_db);
    print_message("%s on %s%s%s: %lld tiles, %lld receivers, worst difference %.3g dB, %d ties\n", asked->name, id,
                  limit_bytes > 0 ? " in pieces" : "", first.was_on_device ? "" : " (by the host)",
                  (long long)first.tile_count, (long long)first.receiver_count, worst_db, ties);
    assert_true(ties <= (asked->ends_m == NULL ? TIES_MAX : 0));
    assert_memory_equal(first.tiles, second.tiles, (size_t)first.tile_count * sizeof *first.tiles);
    assert_memory_equal(first.receivers, second.receivers, (size_t)first.receiver_count * sizeof *first.receivers);
    free_outcome(&first);
    free_outcome(&second);
    return first.was_on_device ? first.deferred_count : -1;
}

/* @return the fewest rays that the host decided for a device; -1 without any device. */
static int64_t check_trial(rcity_context *context, const rcity_scene *scene, const trial *asked)
{
    int64_t fewest = -1;
    static rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    outcome expected = run_trial(context, scene, asked, "host", 0);
    assert_ok(context, rcity_device_list(context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            int64_t deferred = check_device(context, scene, asked, infos[i].id, 0, &expected);
            fewest = deferred >= 0 && (fewest < 0 || deferred < fewest) ? deferred : fewest;
            (void)check_device(context, scene, asked, infos[i].id, 400000, &expected);
        }
    }
    free_outcome(&expected);
    return fewest;
}

static void test_devices_agree_on_blocks(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_blocks(context);
    static const trial trials[] = {
        {"lambertian, two diffractions",
         {"max-bounces", "max-diffractions", "tile-area-m2", "ground-margin-m"},
         {"3", "2", "100", "10"},
         4,
         false,
         true,
         POINT_COUNT,
         NULL,
         0.0},
        {"directive, three reflections",
         {"max-bounces", "scattering", "tile-area-m2", "ground-margin-m", "rx-polarization"},
         {"4", "directive", "150", "10", "both"},
         5,
         false,
         true,
         POINT_COUNT,
         NULL,
         0.0},
        {"reflected power scattered, a raster",
         {"max-bounces", "scattering-of", "tile-area-m2", "ground-margin-m"},
         {"3", "reflected", "100", "10"},
         4,
         true,
         false,
         0,
         NULL,
         0.0},
        {"scattered over roofs, a fine raster",
         {"max-bounces", "scattering", "tile-area-m2", "ground-margin-m"},
         {"2", "directive", "50", "10"},
         4,
         true,
         false,
         0,
         NULL,
         4.0},
        {"smooth", {"scattering", "tile-area-m2"}, {"off", "100"}, 2, false, false, POINT_COUNT, NULL, 0.0},
        {"no bounces", {"max-bounces", "tile-area-m2"}, {"0", "100"}, 2, false, true, POINT_COUNT, NULL, 0.0},
        {"one receiver", {"max-bounces", "tile-area-m2"}, {"2", "100"}, 2, false, false, 1, NULL, 0.0},
    };
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        (void)check_trial(context, scene, &trials[i]);
    }
    test_close(&context, &scene, NULL);
}

static void test_devices_agree_on_hills_and_on_the_plain(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_hills(context);
    static const trial hills = {"hills",
                                {"max-bounces", "max-diffractions", "tile-area-m2", "ground-margin-m"},
                                {"3", "2", "100", "10"},
                                4,
                                false,
                                true,
                                POINT_COUNT,
                                NULL,
                                0.0};
    (void)check_trial(context, scene, &hills);
    rcity_scene_destroy(&scene);
    const test_box box = {20, 20, 20.3, 20.3, 1}; /* too small for tiles of its own */
    scene = test_scene(context, &box, 1);
    static const trial nothing = {"next to nothing", {"tile-area-m2"}, {"100"}, 1, false, true, POINT_COUNT, NULL, 0.0};
    (void)check_trial(context, scene, &nothing);
    test_close(&context, &scene, NULL);
}

/* A wall that is one tile, and a house whose yard touches its outline in one point. The ray from the transmitter off the
   wall at (20, 0), 1.6 units off it, to the receiver in the yard passes exactly through that point: the walk defers it.
   The tile's centre sees the receiver over the roof. */
static rcity_scene *make_knot(rcity_context *context)
{
    const double knot_m = (20.0 + 2.0 / 128.0) / 2.0;
    const double xy_m[] = {20, knot_m, 30, knot_m, 60, knot_m, 60, 50, 20, 50, 30, knot_m, 30, 40, 50, 26};
    const int point_count[] = {5, 3};
    rcity_building building = rcity_building_default();
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    test_add_box(context, scene, 1, (test_box){0, -10, 60, 0, 60});
    building.id = 2;
    building.ring_count = 2;
    building.ring_point_count = point_count;
    building.xy_m = xy_m;
    building.height_m = 8.0;
    assert_ok(context, rcity_scene_add_building(scene, &building));
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

static void test_devices_agree_on_legs_that_the_host_decides(void **state)
{
    (void)state;
    static const double ends_m[] = {0.0, 20.0, 5.0, 40.0, 20.0, 5.0};
    static const trial knot = {"a corner in the way",
                               {"max-bounces", "tile-area-m2", "wall-tile-area-m2"},
                               {"1", "100", "3600"},
                               3,
                               false,
                               false,
                               1,
                               ends_m,
                               0.0};
    rcity_context *context = test_context(2);
    rcity_scene *scene = make_knot(context);
    assert_int_not_equal(check_trial(context, scene, &knot), 0);
    test_close(&context, &scene, NULL);
}

TEST_SUITE(tiles_run_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree_on_blocks),
        cmocka_unit_test(test_devices_agree_on_hills_and_on_the_plain),
        cmocka_unit_test(test_devices_agree_on_legs_that_the_host_decides),
    };
    return cmocka_run_group_tests_name("tiles_run_parity", tests, NULL, NULL);
}
