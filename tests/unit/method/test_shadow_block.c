/* Receivers weighed block by block against receiver by receiver: the same bits, for made-up paths. Laws, antennas, ways
   of adding, arrays that are there or not, and numbers of paths are drawn at random. */
#include "rcity_test.h"

#include "method/shadow/shadow_weigh.h"

enum { RECEIVER_MAX = 1500, NODES = 40, CROWD = 700 /* paths to one receiver: more than a block has room for */ };

static const uint64_t seed = 71;

typedef struct made {
    uint8_t states[RECEIVER_MAX];
    float log_lengths[RECEIVER_MAX], roof_log_lengths[RECEIVER_MAX], heights_m[RECEIVER_MAX], built_m[RECEIVER_MAX];
    float hill_root_m[RECEIVER_MAX], hill_slope[RECEIVER_MAX];
    rcity_shadow_line lines[RECEIVER_MAX];
    rcity_shadow_roof roofs[RECEIVER_MAX];
    rcity_surroundings_node here[RECEIVER_MAX];
    int32_t wall_counts[RECEIVER_MAX];
    float building_m[RECEIVER_MAX], foliage_m[RECEIVER_MAX];
    size_t first[RECEIVER_MAX + 1];
    rcity_corner_node nodes[NODES];
    rcity_chain_path *paths;
    rcity_corner_paths corner_paths;
    float pattern[RCITY_ANTENNA_TABLE_COUNT];
    uint64_t draw;
} made;

static float draw(made *m, double low, double high)
{
    return (float)test_uniform(seed, m->draw++, low, high);
}

static bool toss(made *m)
{
    return draw(m, 0.0, 1.0) < 0.5f;
}

static rcity_shadow_turns random_turns(made *m, int count_max)
{
    int count = (int)draw(m, 0.0, count_max + 0.99);
    return (rcity_shadow_turns){draw(m, 5.0, 900.0), draw(m, 0.0, 3.0), draw(m, 0.0, 4.0), draw(m, -1.0, 5.0), count};
}

static void make_receiver(made *m, size_t i)
{
    m->states[i] = (uint8_t)draw(m, 0.0, 2.99);
    m->lines[i] = rcity_shadow_line_make(draw(m, -400.0, 400.0), draw(m, -400.0, 400.0), draw(m, -30.0, 10.0));
    if (i % 50 == 7) {
        m->lines[i] = rcity_shadow_line_make(0.0f, 0.0f, -3.0f); /* straight below */
    }
    m->log_lengths[i] = draw(m, -2.0, i % 5 == 2 ? 4.9 : 3.5); /* some beyond the horizon */
    m->roofs[i] = (rcity_shadow_roof){random_turns(m, 5), draw(m, -1.5, 1.5), draw(m, -2.0, 20.0), draw(m, 0.0, 40.0),
                                      toss(m) ? RCITY_SHADOW_CLEAR_ROOT_M : draw(m, -1.2, 8.0)};
    m->roofs[i].turns.length_m = i % 9 == 4 ? 0.0f : m->roofs[i].turns.length_m; /* no such path */
    m->roof_log_lengths[i] = draw(m, 0.5, 3.5);
    m->heights_m[i] = draw(m, 0.5, 40.0);
    m->built_m[i] = toss(m) ? draw(m, 0.0, 300.0) : 0.0f;
    m->hill_root_m[i] = draw(m, -3.0, 6.0);
    m->hill_slope[i] = draw(m, 0.0, 0.3);
    m->here[i] = (rcity_surroundings_node){toss(m) ? draw(m, 0.0, 0.7) : 0.0f, draw(m, 0.0, 25.0)};
    m->wall_counts[i] = (int32_t)draw(m, 0.0, 4.0);
    m->building_m[i] = draw(m, 0.0, 60.0);
    m->foliage_m[i] = draw(m, 0.0, 40.0);
}

/* Everything that can be traced, for `count` receivers; every third has paths around corners, one has a crowd. */
static void make_paths(made *m, size_t count)
{
    size_t path_count = 0;
    m->paths = malloc((8 * RECEIVER_MAX + CROWD) * sizeof *m->paths);
    assert_non_null(m->paths);
    for (size_t i = 0; i < NODES; i++) {
        m->nodes[i].turns = random_turns(m, 5);
        m->nodes[i].grazing_root_m = draw(m, 0.0, 10.0);
        m->nodes[i].azimuth_dx = draw(m, -1.0, 1.0);
        m->nodes[i].azimuth_dy = draw(m, -1.0, 1.0);
    }
    for (size_t i = 0; i < count; i++) {
        make_receiver(m, i);
        size_t more = i == 400 ? CROWD : i % 3 == 0 ? (size_t)draw(m, 0.0, 7.99) : 0;
        m->first[i] = path_count;
        for (size_t k = 0; k < more; k++) {
            m->paths[path_count++] = (rcity_chain_path){.node = (int32_t)draw(m, 0.0, NODES - 0.01),
                                                        .angle_rad = draw(m, 0.0, 3.1),
                                                        .log_distance = draw(m, -1.0, 3.0),
                                                        .log_length = draw(m, 0.5, 3.5),
                                                        .slope = draw(m, -0.5, 0.5),
                                                        .grazing_root_m = draw(m, 0.0, 15.0),
                                                        .pair_m = toss(m) ? draw(m, 0.0, 40.0) : RCITY_CORNER_APART,
                                                        .street = draw(m, 1.0, 300.0)};
        }
    }
    m->first[count] = path_count;
    m->corner_paths = (rcity_corner_paths){
        .node_count = NODES, .nodes = m->nodes, .path_count = path_count, .paths = m->paths, .first = m->first};
    for (int i = 0; i < RCITY_ANTENNA_TABLE_COUNT; i++) {
        m->pattern[i] = draw(m, 0.0, 40.0);
    }
}

/* Arrays that may be NULL are so half of the time. */
static rcity_shadow_paths choose_paths(made *m, size_t count)
{
    bool has_roofs = draw(m, 0.0, 1.0) < 0.8f;
    return (rcity_shadow_paths){
        .count = count,
        .states = m->states,
        .log_lengths = m->log_lengths,
        .lines = m->lines,
        .corner_paths = &m->corner_paths,
        .roofs = has_roofs ? m->roofs : NULL,
        .roof_log_lengths = has_roofs ? m->roof_log_lengths : NULL,
        .walls = {toss(m) ? m->wall_counts : NULL, toss(m) ? m->building_m : NULL, toss(m) ? m->foliage_m : NULL},
        .heights_m = toss(m) ? m->heights_m : NULL,
        .source = {draw(m, 1.0, 50.0), {draw(m, 0.0, 0.6), draw(m, 0.0, 25.0)}},
        .here = toss(m) ? m->here : NULL,
        .built_m = toss(m) ? m->built_m : NULL,
        .hill_root_m = toss(m) ? m->hill_root_m : NULL,
        .hill_slope = toss(m) ? m->hill_slope : NULL,
        .reaches_indoor = toss(m),
    };
}

static rcity_shadow_turn_law random_turn_law(made *m)
{
    if (toss(m)) { /* as by default: no angles */
        return (rcity_shadow_turn_law){draw(m, -5.0, 10.0), 0.0f, 0.0f, 0.0f, 0.0f};
    }
    return (rcity_shadow_turn_law){draw(m, -5.0, 10.0), draw(m, 0.0, 10.0), draw(m, 0.0, 10.0), draw(m, -5.0, 20.0),
                                   draw(m, -5.0, 20.0)};
}

static rcity_shadow_weights random_weights(made *m)
{
    rcity_shadow_weights weights;
    memset(&weights, 0, sizeof weights);
    rcity_shadow_law *law = &weights.law;
    law->corner = random_turn_law(m);
    law->roof = random_turn_law(m);
    law->mean = (rcity_surroundings_law){.least_db = draw(m, 5.0, 30.0),
                                         .roof_m = draw(m, 0.0, 60.0),
                                         .per_elevation = draw(m, 1.0, 6.0),
                                         .doubt = draw(m, 0.0, 1.0),
                                         .doubt_m = draw(m, 0.0, 500.0)};
    law->has_knife_edges = draw(m, 0.0, 1.0) < 0.75f;
    law->wavelength_m = draw(m, 0.01, 0.8);
    law->per_root_wavelength = 1.0f / sqrtf(law->wavelength_m);
    law->direct_db = draw(m, -3.0, 3.0);
    law->first_wall_db = draw(m, 0.0, 12.0);
    law->wall_db = draw(m, 2.0, 12.0);
    law->metre_db = draw(m, 0.0, 1.0);
    law->foliage_scale = draw(m, 0.0, 2.0);
    law->free_space_db = draw(m, 20.0, 60.0);
    law->log_wavenumber = draw(m, 1.0, 3.0);
    law->clutter_metre_db = toss(m) ? draw(m, 0.01, 0.5) : 0.0f;
    law->clutter_height_m = draw(m, 2.0, 20.0);
    law->clutter_limit_db = draw(m, 10.0, 40.0);
    float azimuth_rad = draw(m, 0.0, 6.28);
    weights.antenna = (rcity_antenna_job){.kind = (int32_t)draw(m, 0.0, 4.99),
                                          .gain_dbi = draw(m, -3.0, 18.0),
                                          .tilt_rad = draw(m, -0.2, 0.2),
                                          .sin_azimuth = sinf(azimuth_rad),
                                          .cos_azimuth = cosf(azimuth_rad),
                                          .sin_tilt = 0.1f,
                                          .cos_tilt = 0.995f};
    weights.level_dbm = draw(m, 10.0, 50.0);
    weights.adds_powers = toss(m);
    weights.receiver_height_m = draw(m, 1.0, 30.0);
    return weights;
}

static void assert_bits(float found, float expected, const char *what, size_t i, uint64_t trial)
{
    if (isnan(found) != isnan(expected) || (!isnan(expected) && found != expected)) {
        print_error("trial %llu, receiver %zu: %s is %.9g, expected %.9g\n", (unsigned long long)trial, i, what,
                    (double)found, (double)expected);
        fail();
    }
}

static void test_blocks_equal_receiver_by_receiver(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 63, 64, 65, RECEIVER_MAX};
    rcity_context *context = test_context(2);
    made *m = calloc(1, sizeof *m);
    float *levels = malloc(4 * RECEIVER_MAX * sizeof *levels);
    assert_non_null(m);
    assert_non_null(levels);
    const rcity_shadow_bands bands = {levels, levels + RECEIVER_MAX, levels + 2 * RECEIVER_MAX,
                                      levels + 3 * RECEIVER_MAX};
    long found_counts[8] = {0};
    make_paths(m, RECEIVER_MAX);
    for (uint64_t trial = 0; trial < 150; trial++) {
        rcity_shadow_paths paths = choose_paths(m, counts[trial % (sizeof counts / sizeof *counts)]);
        rcity_shadow_weights weights = random_weights(m);
        assert_ok(context, rcity_shadow_weigh(context, &paths, &weights, m->pattern, &bands));
        weights.source = paths.source;
        for (size_t i = 0; i < paths.count; i++) {
            rcity_shadow_level level = rcity_shadow_weigh_receiver(&paths, &weights, m->pattern, i);
            bool is_none = level.mechanism == RCITY_SHADOW_PATH_NONE;
            assert_bits(bands.loss_db[i], level.loss_db, "the loss", i, trial);
            assert_bits(bands.received_dbm[i], level.received_dbm, "the level", i, trial);
            assert_bits(bands.mechanism[i], is_none ? NAN : (float)level.mechanism, "the mechanism", i, trial);
            assert_bits(bands.turn_count[i], is_none ? NAN : (float)level.turn_count, "the turns", i, trial);
            assert_true(is_none == (isnan(level.loss_db) != 0) && is_none == (isnan(level.received_dbm) != 0));
            found_counts[level.mechanism + 1]++;
        }
    }
    print_message("blocks, seed %llu: none %ld, direct %ld, walls %ld, corners %ld, roofs %ld, diffuse %ld\n",
                  (unsigned long long)seed, found_counts[0], found_counts[1], found_counts[2], found_counts[3],
                  found_counts[4], found_counts[RCITY_SHADOW_PATH_DIFFUSE + 1]);
    for (int i = 0; i < 5; i++) {
        assert_true(found_counts[i] > 500);
    }
    assert_true(found_counts[RCITY_SHADOW_PATH_DIFFUSE + 1] > 500);
    free(levels);
    free(m->paths);
    free(m);
    rcity_context_destroy(&context);
}

/* Bands that are not requested are not written, and do not change the others. */
static void test_bands_may_be_missing(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    made *m = calloc(1, sizeof *m);
    float *all = malloc(RECEIVER_MAX * sizeof *all);
    float *loss_db = malloc(RECEIVER_MAX * sizeof *loss_db);
    assert_non_null(m);
    assert_non_null(all);
    assert_non_null(loss_db);
    make_paths(m, RECEIVER_MAX);
    rcity_shadow_paths paths = choose_paths(m, RECEIVER_MAX);
    rcity_shadow_weights weights = random_weights(m);
    const rcity_shadow_bands none = {NULL, NULL, NULL, NULL};
    const rcity_shadow_bands one = {NULL, NULL, NULL, all};
    const rcity_shadow_bands two = {loss_db, NULL, NULL, loss_db}; /* the last is written last */
    assert_ok(context, rcity_shadow_weigh(context, &paths, &weights, m->pattern, &none));
    assert_ok(context, rcity_shadow_weigh(context, &paths, &weights, m->pattern, &one));
    assert_ok(context, rcity_shadow_weigh(context, &paths, &weights, m->pattern, &two));
    assert_memory_equal(all, loss_db, RECEIVER_MAX * sizeof *all);
    free(loss_db);
    free(all);
    free(m->paths);
    free(m);
    rcity_context_destroy(&context);
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    failing_allocator failing = {0, 0, 0};
    rcity_context *context = test_context_failing(&failing, 1);
    made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    make_paths(m, 10);
    rcity_shadow_paths paths = choose_paths(m, 10);
    rcity_shadow_weights weights = random_weights(m);
    const rcity_shadow_bands none = {NULL, NULL, NULL, NULL};
    long live = failing.live_count;
    failing.fail_at = failing.call_count + 1;
    assert_status(context, rcity_shadow_weigh(context, &paths, &weights, m->pattern, &none), RCITY_ERR_MEMORY);
    failing.fail_at = 0;
    assert_ok(context, rcity_shadow_weigh(context, &paths, &weights, m->pattern, &none));
    assert_int_equal(failing.live_count, live);
    free(m->paths);
    free(m);
    rcity_context_destroy(&context);
}

TEST_SUITE(shadow_block)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_equal_receiver_by_receiver),
        cmocka_unit_test(test_bands_may_be_missing),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
