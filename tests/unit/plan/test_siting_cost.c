/* The value of a configuration against a plain count: sorted levels, noise and interference, point by point. */
#include "plan/siting/siting_cost.h"
#include "plan/siting/siting_random.h"
#include "rcity_test.h"

#define POINTS   40
#define STATIONS 5
#define EXISTING 2
#define SITES    (EXISTING + STATIONS)

/* A configuration of random levels. */
typedef struct random_case {
    rcity_siting_task task;
    rcity_siting_need needs[POINTS];
    float existing[EXISTING][POINTS];
    const float *existing_dbm[EXISTING];
    double power_db[3];
    double share[SITES * SITES];
    float levels[STATIONS][POINTS];
    rcity_siting_station stations[STATIONS];
} random_case;

/* Few different levels, so that ties are common, and none for a tenth. */
static float draw_level(rcity_siting_random *random)
{
    return rcity_siting_draw(random) < 0.1 ? -HUGE_VALF : -100.0f + 2.5f * (float)rcity_siting_draw_index(random, 16);
}

static void make_case(rcity_context *context, uint64_t seed, random_case *made)
{
    rcity_siting_random random = rcity_siting_random_make(seed, 77, 0);
    memset(made, 0, sizeof *made);
    for (int i = 0; i < POINTS; i++) {
        made->needs[i] = (rcity_siting_need){.weight = 1.0 + rcity_siting_draw(&random),
                                             .least_dbm = -90.0f + 2.5f * (float)rcity_siting_draw_index(&random, 8),
                                             .least_sinr_db = rcity_siting_draw(&random) < 0.5 ? NAN : -3.0f,
                                             .server_count = 1 + (int32_t)rcity_siting_draw_index(&random, 3)};
        for (int k = 0; k < EXISTING; k++) {
            made->existing[k][i] = draw_level(&random);
        }
        for (int k = 0; k < STATIONS; k++) {
            made->levels[k][i] = draw_level(&random);
        }
        made->task.weight += made->needs[i].weight;
    }
    for (int k = 0; k < EXISTING; k++) {
        made->existing_dbm[k] = made->existing[k];
    }
    for (int k = 0; k < SITES * SITES; k++) {
        made->share[k] = rcity_siting_draw(&random);
    }
    for (int k = 0; k < STATIONS; k++) {
        made->stations[k].power = (int32_t)rcity_siting_draw_index(&random, 3);
        made->stations[k].is_on = rcity_siting_draw(&random) < 0.8 ? 1 : 0;
    }
    made->power_db[0] = -5.0;
    made->power_db[2] = 2.5;
    made->task.context = context;
    made->task.point_count = POINTS;
    made->task.needs = made->needs;
    made->task.existing_count = EXISTING;
    made->task.existing_dbm = made->existing_dbm;
    made->task.share = made->share;
    made->task.station_count = STATIONS;
    made->task.station_cost = 0.7;
    made->task.power_cost_per_db = 0.1;
    made->task.power_db = made->power_db;
    made->task.power_count = 3;
    made->task.soft_db = seed % 3 == 0 ? 0.0 : 4.0;
    made->task.has_sinr = seed % 2 == 0;
    made->task.noise_dbm = -95.0;
    made->task.handover_db = 3.0;
}

static rcity_siting_state *make_state(random_case *made)
{
    rcity_siting_state *state = NULL;
    assert_ok(made->task.context, rcity_siting_state_create(&made->task, &state));
    for (int k = 0; k < STATIONS; k++) {
        rcity_siting_state_set(&made->task, state, k, &made->stations[k], made->levels[k]);
    }
    return state;
}

/* All levels of a point, those of stations that are off left out: how many there are. */
static int list_levels(const random_case *made, int point, double *dbm, int *site)
{
    int count = 0;
    for (int k = 0; k < SITES; k++) {
        const rcity_siting_station *station = k < EXISTING ? NULL : &made->stations[k - EXISTING];
        float level = k < EXISTING ? made->existing[k][point] : made->levels[k - EXISTING][point];
        if (isfinite(level) && (station == NULL || station->is_on)) {
            dbm[count] = (double)level + (station != NULL ? made->power_db[station->power] : 0.0);
            site[count++] = k;
        }
    }
    return count;
}

/* The margin of a point, counted plainly. */
static double find_margin(const random_case *made, int point, bool *overlaps)
{
    double dbm[SITES];
    int site[SITES];
    const rcity_siting_need *need = &made->needs[point];
    int count = list_levels(made, point, dbm, site);
    double margin_db = HUGE_VAL;
    int server = -1;
    for (int i = 0; i < count; i++) {
        server = server < 0 || dbm[i] > dbm[server] ? i : server;
    }
    int reached_with = -1000; /* the largest margin that enough sites have */
    for (int step = -1000; step <= 1000; step++) {
        int reached = 0;
        for (int i = 0; i < count; i++) {
            reached += dbm[i] >= (double)need->least_dbm + 0.5 * step ? 1 : 0;
        }
        reached_with = reached >= need->server_count ? step : reached_with;
    }
    if (count < need->server_count) {
        return -HUGE_VAL;
    }
    margin_db = 0.5 * reached_with; /* all levels are multiples of half a dB */
    *overlaps = false;
    for (int i = 0; i < count; i++) {
        *overlaps = *overlaps || (i != server && dbm[server] - dbm[i] <= 3.0);
    }
    if (made->task.has_sinr && !isnan(need->least_sinr_db)) {
        double unwanted_mw = pow(10.0, -9.5);
        for (int i = 0; i < count; i++) {
            unwanted_mw += i == server ? 0.0 : made->share[site[server] * SITES + site[i]] * pow(10.0, 0.1 * dbm[i]);
        }
        margin_db = fmin(margin_db, dbm[server] - 10.0 * log10(unwanted_mw) - (double)need->least_sinr_db);
    }
    return margin_db;
}

static void test_the_cost_is_the_weight_that_is_missed(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_case made;
        make_case(context, seed, &made);
        rcity_siting_state *filled = make_state(&made);
        double cost = 0.0;
        double covered = 0.0;
        double overlap = 0.0;
        for (int i = 0; i < POINTS; i++) {
            bool overlaps = false;
            double margin_db = find_margin(&made, i, &overlaps);
            double soft_db = made.task.soft_db;
            double credit = margin_db >= 0.0                        ? 1.0
                            : soft_db > 0.0 && margin_db > -soft_db ? 1.0 + margin_db / soft_db
                                                                    : 0.0;
            cost += made.needs[i].weight * (1.0 - credit);
            covered += margin_db >= 0.0 ? made.needs[i].weight : 0.0;
            overlap += margin_db >= 0.0 && overlaps ? made.needs[i].weight : 0.0;
        }
        for (int k = 0; k < STATIONS; k++) {
            cost += made.stations[k].is_on ? 0.7 + 0.1 * (made.power_db[made.stations[k].power] + 5.0) : 0.0;
        }
        rcity_siting_value value = rcity_siting_value_of(&made.task, filled);
        rcity_siting_coverage coverage = rcity_siting_cover(&made.task, filled);
        assert_near(value.cost, cost, 1e-9);
        assert_true(value.guided >= value.cost && value.guided <= value.cost + 0.031 * made.task.weight);
        assert_near(coverage.covered_weight, covered, 1e-9);
        assert_near(coverage.overlap_weight, overlap, 1e-9);
        rcity_siting_state_destroy(&made.task, &filled);
    }
    rcity_context_destroy(&context);
}

/* Trying a station beside the others gives what the whole configuration gives. */
static void test_one_station_beside_the_rest(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 200; seed += 2) { /* without SINR */
        random_case made;
        make_case(context, seed, &made);
        rcity_siting_state *filled = make_state(&made);
        rcity_siting_rest rest = {NULL, 0.0};
        assert_ok(context, rcity_siting_rest_create(&made.task, &rest));
        for (int k = 0; k < STATIONS; k++) {
            rcity_siting_station tried = {.power = (int32_t)(seed % 3), .is_on = 1};
            const float *level_dbm = made.levels[(k + 1) % STATIONS];
            rcity_siting_rest_fill(&made.task, filled, k, &rest);
            rcity_siting_value value = rcity_siting_rest_value(&made.task, &rest, tried.power, level_dbm);
            rcity_siting_state_set(&made.task, filled, k, &tried, level_dbm);
            rcity_siting_value whole = rcity_siting_value_of(&made.task, filled);
            assert_near(value.cost, whole.cost, 1e-9);
            assert_near(value.guided, whole.guided, 1e-9);
        }
        rcity_siting_rest_release(&made.task, &rest);
        rcity_siting_state_destroy(&made.task, &filled);
    }
    rcity_context_destroy(&context);
}

TEST_SUITE(siting_cost)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_cost_is_the_weight_that_is_missed),
        cmocka_unit_test(test_one_station_beside_the_rest),
    };
    return cmocka_run_group_tests_name("siting_cost", tests, NULL, NULL);
}
