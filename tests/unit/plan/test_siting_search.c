/* The search for sites in worlds whose best answer is known: levels fall with distance, and nothing else. */
#include <math.h>
#include <string.h>

#include "plan/siting/siting_random.h"
#include "plan/siting/siting_search.h"
#include "rcity_test.h"

#define POINT_MAX 256
#define SEEDS     20 /* in full size */
#define SEEDS_FEW 4

/* A plane in which a station is heard at minus its distance, in dBm. */
typedef struct plane {
    rcity_siting_task task;
    rcity_siting_need needs[POINT_MAX];
    int64_t predicted_count;
    double power_db[1];
} plane;

static bool snap(void *user, double x_m, double y_m, rcity_siting_setting *setting)
{
    const plane *world = user;
    setting->x = (int32_t)lround(x_m / world->task.step_m);
    setting->y = (int32_t)lround(y_m / world->task.step_m);
    return true;
}

static bool allow(void *user, const rcity_siting_setting *setting)
{
    (void)user;
    (void)setting;
    return true;
}

static void locate(void *user, const rcity_siting_setting *setting, double xy_m[2])
{
    const plane *world = user;
    xy_m[0] = world->task.step_m * setting->x;
    xy_m[1] = world->task.step_m * setting->y;
}

static rcity_status predict(void *user, int count, const rcity_siting_setting *settings, float *const *level_dbm)
{
    plane *world = user;
    for (int i = 0; i < count; i++) {
        double at[2];
        locate(user, &settings[i], at);
        for (int64_t k = 0; k < world->task.point_count; k++) {
            level_dbm[i][k] = (float)-hypot(at[0] - world->needs[k].x_m, at[1] - world->needs[k].y_m);
        }
    }
    world->predicted_count += count;
    return RCITY_OK;
}

static void add_point(plane *world, double x_m, double y_m, double weight, float reach_m)
{
    assert_true(world->task.point_count < POINT_MAX);
    world->needs[world->task.point_count++] = (rcity_siting_need){
        .x_m = x_m, .y_m = y_m, .weight = weight, .least_dbm = -reach_m, .least_sinr_db = NAN, .server_count = 1};
    world->task.weight += weight;
}

static void begin_plane(rcity_context *context, plane *world, double extent_m, int station_count)
{
    memset(world, 0, sizeof *world);
    world->task = (rcity_siting_task){
        .context = context,
        .world = {.user = world, .snap = snap, .is_allowed = allow, .locate = locate, .predict = predict},
        .needs = world->needs,
        .station_count = station_count,
        .station_count_least = station_count,
        .height_count = 1,
        .azimuth_count = 1,
        .tilt_count = 1,
        .power_count = 1,
        .power_db = world->power_db,
        .x_max_m = extent_m,
        .y_max_m = extent_m,
        .step_m = 1.0,
        .move_count = 2000 * (int64_t)station_count,
        .batch_count = 16,
        .seed = 1,
    };
}

/* The weight that a search covers with a seed. */
static double search(plane *world, uint64_t seed)
{
    rcity_siting_search made;
    world->task.seed = seed;
    assert_ok(world->task.context, rcity_siting_search_init(&world->task, 4096, &made));
    assert_ok(world->task.context, rcity_siting_search_begin(&made));
    assert_ok(world->task.context, rcity_siting_search_run(&made));
    double covered = rcity_siting_cover(&world->task, made.best).covered_weight;
    double sites = (double)rcity_siting_cover(&world->task, made.best).site_count * world->task.station_cost;
    assert_near(world->task.weight - (made.position.best.cost - sites), covered, 1e-9);
    rcity_siting_search_deinit(&made);
    return covered;
}

static void expect_always(plane *world, double best)
{
    uint64_t seeds = test_is_called_with("long") ? SEEDS : SEEDS_FEW;
    uint64_t right = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        double covered = search(world, seed);
        if (covered != best) {
            print_message("seed %llu covers %g of %g\n", (unsigned long long)seed, covered, best);
        }
        right += covered == best ? 1 : 0;
    }
    assert_int_equal(right, seeds);
}

/* Twelve points each around six places far from each other, heavier from place to place. */
static double add_clusters(plane *world, int chosen_count)
{
    static const double centres[6][2] = {{150, 200}, {800, 150}, {480, 520}, {120, 850}, {850, 800}, {500, 90}};
    rcity_siting_random random = rcity_siting_random_make(7, 0, 0);
    double best = 0.0;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 12; k++) {
            double angle = 6.283185307179586 * rcity_siting_draw(&random);
            double radius = 35.0 * rcity_siting_draw(&random);
            add_point(world, centres[i][0] + radius * cos(angle), centres[i][1] + radius * sin(angle), i + 1, 60.0f);
        }
        best += i >= 6 - chosen_count ? 12.0 * (i + 1) : 0.0;
    }
    return best;
}

static void test_a_station_finds_each_cluster(void **state)
{
    plane world;
    begin_plane(*state, &world, 1000.0, 6);
    expect_always(&world, add_clusters(&world, 6));
}

static void test_few_stations_take_the_heaviest_clusters(void **state)
{
    plane world;
    begin_plane(*state, &world, 1000.0, 3);
    expect_always(&world, add_clusters(&world, 3));
}

/* Points every 20 m on a line; a station reaches 50 m, so six of them: five stations cover thirty of forty. */
static void test_stations_divide_a_line(void **state)
{
    plane world;
    begin_plane(*state, &world, 1000.0, 5);
    for (int i = 0; i < 40; i++) {
        add_point(&world, 100.0 + 20.0 * i, 500.0, 1.0, 50.5f);
    }
    expect_always(&world, 30.0);
}

/* Four blocks around a crossing, each with a group at its far end and some at the crossing: a station in the middle
   covers most, and the best four leave the middle free. */
static double add_crossing(plane *world)
{
    static const double ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            double along_m = k == 2 ? 200.0 : 40.0 + 8.0 * k;
            add_point(world, 500.0 + along_m * ways[i][0], 500.0 + along_m * ways[i][1], 1.0, 85.0f);
        }
    }
    return world->task.weight;
}

static void test_stations_leave_the_middle_of_a_crossing(void **state)
{
    plane world;
    begin_plane(*state, &world, 1000.0, 4);
    expect_always(&world, add_crossing(&world));
}

/* Greedy takes the middle of the crossing first, and then cannot serve all arms; exchanges may. */
static void test_greedy_is_caught_by_the_crossing(void **state)
{
    plane world;
    rcity_siting_search made;
    rcity_siting_setting candidates[51 * 51];
    begin_plane(*state, &world, 1000.0, 4);
    double best = add_crossing(&world);
    memset(candidates, 0, sizeof candidates);
    for (int i = 0; i < 51 * 51; i++) {
        candidates[i].x = 20 * (i % 51);
        candidates[i].y = 20 * (i / 51);
    }
    assert_ok(*state, rcity_siting_search_init(&world.task, 4096, &made));
    assert_ok(*state, rcity_siting_search_greedy(&made, 51 * 51, candidates));
    assert_true(made.position.greedy_weight < best);
    assert_true(made.position.is_bound != 0);
    assert_true(made.position.bound >= best);
    assert_true(made.position.greedy_weight >= (1.0 - exp(-1.0)) * best);
    rcity_siting_search_deinit(&made);
}

/* The bound and greedy's share hold against every choice of three among twelve candidates. */
static void test_the_bound_holds_against_all_choices(void **state)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        plane world;
        rcity_siting_search made;
        rcity_siting_setting candidates[12];
        rcity_siting_random random = rcity_siting_random_make(seed, 9, 0);
        begin_plane(*state, &world, 100.0, 3);
        for (int i = 0; i < 40; i++) {
            double x_m = 100.0 * rcity_siting_draw(&random);
            add_point(&world, x_m, 100.0 * rcity_siting_draw(&random), 1.0 + floor(5.0 * rcity_siting_draw(&random)),
                      22.0f);
        }
        memset(candidates, 0, sizeof candidates);
        for (int i = 0; i < 12; i++) {
            candidates[i].x = (int32_t)rcity_siting_draw_index(&random, 101);
            candidates[i].y = (int32_t)rcity_siting_draw_index(&random, 101);
        }
        double best = 0.0;
        for (int mask = 0; mask < 1 << 12; mask++) {
            double covered = 0.0;
            int count = 0;
            for (int i = 0; i < 12; i++) {
                count += mask >> i & 1;
            }
            for (int64_t k = 0; k < world.task.point_count && count == 3; k++) {
                bool is_reached = false;
                for (int i = 0; i < 12; i++) {
                    is_reached =
                        is_reached || ((mask >> i & 1) != 0 && hypot(candidates[i].x - world.needs[k].x_m,
                                                                     candidates[i].y - world.needs[k].y_m) <= 22.0);
                }
                covered += is_reached ? world.needs[k].weight : 0.0;
            }
            best = covered > best ? covered : best;
        }
        assert_ok(*state, rcity_siting_search_init(&world.task, 4096, &made));
        assert_ok(*state, rcity_siting_search_greedy(&made, 12, candidates));
        double covered = rcity_siting_cover(&world.task, made.baseline).covered_weight;
        assert_true(covered <= best && made.position.bound >= best - 1e-9);
        assert_true(made.position.greedy_weight >= (1.0 - exp(-1.0)) * best);
        rcity_siting_search_deinit(&made);
    }
}

/* Levels that were forgotten are predicted again: the answer is the same with room for one setting. */
static void test_room_does_not_change_the_answer(void **state)
{
    rcity_siting_station found[2][3];
    for (int i = 0; i < 2; i++) {
        plane world;
        rcity_siting_search made;
        begin_plane(*state, &world, 1000.0, 3);
        (void)add_clusters(&world, 3);
        world.task.move_count = 600;
        assert_ok(*state, rcity_siting_search_init(&world.task, i == 0 ? 1 : 100000, &made));
        assert_ok(*state, rcity_siting_search_begin(&made));
        assert_ok(*state, rcity_siting_search_run(&made));
        memcpy(found[i], made.best->stations, sizeof found[i]);
        rcity_siting_search_deinit(&made);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
}

/* Sites that cost more than a cluster weighs are not built. */
static void test_sites_are_built_as_long_as_they_pay(void **state)
{
    plane world;
    begin_plane(*state, &world, 1000.0, 6);
    (void)add_clusters(&world, 6); /* they weigh 12, 24, ... 72 */
    world.task.station_count_least = 1;
    world.task.station_cost = 30.0;
    expect_always(&world, 72.0 + 60.0 + 48.0 + 36.0);
}

static int open_context(void **state)
{
    *state = test_context(2);
    return 0;
}

static int close_context(void **state)
{
    rcity_context *context = *state;
    rcity_context_destroy(&context);
    return 0;
}

TEST_SUITE(siting_search)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_station_finds_each_cluster, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_few_stations_take_the_heaviest_clusters, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_stations_divide_a_line, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_stations_leave_the_middle_of_a_crossing, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_greedy_is_caught_by_the_crossing, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_the_bound_holds_against_all_choices, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_room_does_not_change_the_answer, open_context, close_context),
        cmocka_unit_test_setup_teardown(test_sites_are_built_as_long_as_they_pay, open_context, close_context),
    };
    return cmocka_run_group_tests_name("siting_search", tests, NULL, NULL);
}
