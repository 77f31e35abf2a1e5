/* Paths of receivers: their order, their sums, and what happens when memory runs out at any step. */
#include "rcity_test.h"

#include "result/rays_data.h"

static const double light_m_per_s = 299792458.0;

/* Two receivers 100 m to the east and to the north of a transmitter at the origin. */
static rcity_rays *make_rays(rcity_context *context, double input_dbm)
{
    static const rcity_point positions[] = {{100.0, 0.0, 1.5}, {0.0, 100.0, 1.5}, {50.0, 50.0, 1.5}};
    static const rcity_receiver_state states[] = {RCITY_RECEIVER_NO_PATH, RCITY_RECEIVER_IN_BUILDING,
                                                  RCITY_RECEIVER_NO_PATH};
    rcity_rays_setup setup = {.transmitter = {0.0, 0.0, 10.0},
                              .frequency_hz = 1e9,
                              .input_dbm = input_dbm,
                              .crs = "EPSG:32632",
                              .receiver_count = 3,
                              .positions = positions,
                              .states = states};
    rcity_rays *rays = NULL;
    assert_ok(context, rcity_rays_create(context, &setup, &rays));
    return rays;
}

/* A path without interactions of some power and length. */
static rcity_path make_path(double power, double phase_rad, double length_m)
{
    double size = sqrt(power);
    rcity_path path = {.length_m = length_m};
    path.amplitude = (rcity_phasor){size * cos(phase_rad), size * sin(phase_rad)};
    path.transfer[0][0] = path.amplitude;
    path.loss_db = -10.0 * log10(power);
    return path;
}

static rcity_receiver_summary finish_first(rcity_context *context, rcity_rays *rays, int count, const rcity_path *paths)
{
    rcity_receiver_summary summary;
    assert_ok(context, rcity_rays_add_paths(rays, 0, count, paths));
    assert_ok(context, rcity_rays_finish(rays));
    assert_ok(context, rcity_rays_get_receiver(rays, 0, &summary));
    assert_int_equal(summary.state, RCITY_RECEIVER_REACHED);
    assert_int_equal(summary.path_count, count);
    return summary;
}

/* The same for a fresh list that is thrown away. */
static rcity_receiver_summary sum_up(int count, const rcity_path *paths)
{
    rcity_context *context = test_context(1);
    rcity_rays *rays = make_rays(context, (double)NAN);
    rcity_receiver_summary summary = finish_first(context, rays, count, paths);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
    return summary;
}

static void test_two_equal_paths(void **state)
{
    (void)state;
    const double apart_s = 100e-9;
    rcity_path paths[2] = {make_path(1e-8, 0.3, 300.0), make_path(1e-8, 0.3, 300.0 + apart_s * light_m_per_s)};
    rcity_receiver_summary summary = sum_up(2, paths);
    assert_near(summary.mean_delay_s, 300.0 / light_m_per_s + 0.5 * apart_s, 1e-20);
    assert_near(summary.delay_spread_s, 0.5 * apart_s, 1e-20);
    assert_near(summary.gain_db, -80.0 + 10.0 * log10(2.0), 1e-12);
    assert_near(summary.coherent_gain_db, -80.0 + 20.0 * log10(2.0), 1e-12); /* in step */
    assert_near(summary.loss_db, -summary.gain_db, 1e-12);
    assert_near(summary.coherent_loss_db, -summary.coherent_gain_db, 1e-12);
    assert_near(summary.k_factor_db, 0.0, 1e-12);
    assert_true(isnan(summary.received_dbm));
}

/* Powers 9 : 4 : 1 by hand: mean (4 x 1 + 1 x 3) / 14, mean square (4 x 1 + 1 x 9) / 14. */
static void test_unequal_paths(void **state)
{
    (void)state;
    const double step_m = 30.0;
    rcity_path paths[3] = {make_path(1e-9, 0.0, 200.0 + 3.0 * step_m), make_path(9e-9, 0.0, 200.0),
                           make_path(4e-9, 0.0, 200.0 + step_m)};
    rcity_receiver_summary summary = sum_up(3, paths);
    double step_s = step_m / light_m_per_s;
    double mean = 7.0 / 14.0;
    assert_near(summary.mean_delay_s, 200.0 / light_m_per_s + mean * step_s, 1e-18);
    assert_near(summary.delay_spread_s, sqrt(13.0 / 14.0 - mean * mean) * step_s, 1e-18);
    assert_near(summary.k_factor_db, 10.0 * log10(9.0 / 5.0), 1e-12);
    assert_near(summary.gain_db, 10.0 * log10(14e-9), 1e-12);
    assert_near(summary.coherent_gain_db, 10.0 * log10(36e-9), 1e-12); /* 3 + 2 + 1 */
}

static void test_single_path(void **state)
{
    (void)state;
    rcity_path path = make_path(1e-7, 1.0, 123.0);
    path.departure_azimuth_deg = 77.0;
    path.arrival_elevation_deg = -12.0;
    rcity_receiver_summary summary = sum_up(1, &path);
    assert_true(summary.delay_spread_s == 0.0);
    assert_true(summary.departure_azimuth_spread_deg == 0.0 && summary.departure_elevation_spread_deg == 0.0);
    assert_true(summary.arrival_azimuth_spread_deg == 0.0 && summary.arrival_elevation_spread_deg == 0.0);
    assert_true(isnan(summary.k_factor_db));
    assert_near(summary.coherent_gain_db, -70.0, 1e-12);
}

static void test_fields_that_cancel(void **state)
{
    (void)state;
    rcity_path paths[2] = {make_path(1e-8, 0.0, 100.0), make_path(1e-8, 0.0, 110.0)};
    paths[1].amplitude = (rcity_phasor){-paths[0].amplitude.re, -paths[0].amplitude.im};
    rcity_receiver_summary summary = sum_up(2, paths);
    assert_true(summary.coherent_gain_db == -HUGE_VAL && summary.coherent_loss_db == HUGE_VAL);
    assert_near(summary.gain_db, -80.0 + 10.0 * log10(2.0), 1e-12);
    paths[1].amplitude = (rcity_phasor){-paths[0].amplitude.im, paths[0].amplitude.re}; /* a quarter turn on */
    assert_near(sum_up(2, paths).coherent_gain_db, -80.0 + 10.0 * log10(2.0), 1e-12);
}

/* What a second antenna hears adds as power, and its fields only among themselves. */
static void test_two_antennas(void **state)
{
    (void)state;
    rcity_path paths[2] = {make_path(3e-8, 0.0, 100.0), make_path(3e-8, 0.0, 110.0)};
    paths[0].cross_amplitude = (rcity_phasor){1e-4, 0.0};
    paths[1].cross_amplitude = (rcity_phasor){0.0, 1e-4};
    paths[0].loss_db = paths[1].loss_db = -10.0 * log10(4e-8);
    rcity_receiver_summary summary = sum_up(2, paths);
    assert_near(summary.gain_db, 10.0 * log10(8e-8), 1e-12);
    assert_near(summary.coherent_gain_db, 10.0 * log10(14e-8), 1e-12); /* 4 x 3 and 1 + 1 */
    assert_near(summary.loss_db, -10.0 * log10(8e-8), 1e-12);
    assert_near(summary.coherent_loss_db, -10.0 * log10(14e-8), 1e-12);
}

/* Antennas of 10 dB towards one path and 0 dB towards another: they count in the gain and not in the loss. */
static void test_antenna_gains(void **state)
{
    (void)state;
    rcity_path paths[2] = {make_path(1e-8, 0.0, 100.0), make_path(1e-8, 0.0, 110.0)};
    paths[1].amplitude.re *= sqrt(10.0);
    rcity_context *context = test_context(1);
    rcity_rays *rays = make_rays(context, 33.0);
    rcity_receiver_summary summary = finish_first(context, rays, 2, paths);
    rcity_path strongest;
    assert_ok(context, rcity_rays_get_path(rays, 0, &strongest));
    assert_near(strongest.length_m, 110.0, 0.0);
    assert_near(strongest.gain_db, -70.0, 1e-12);
    assert_near(strongest.received_dbm, -37.0, 1e-12);
    assert_near(strongest.loss_db, 80.0, 1e-12);
    assert_near(strongest.delay_s, 110.0 / light_m_per_s, 1e-20);
    assert_near(summary.gain_db, 10.0 * log10(11e-8), 1e-12);
    assert_near(summary.received_dbm, 33.0 + 10.0 * log10(11e-8), 1e-12);
    assert_near(summary.loss_db, -10.0 * log10(2e-8), 1e-12);
    assert_near(summary.coherent_loss_db, -10.0 * log10(4e-8), 1e-12);
    assert_near(summary.k_factor_db, 10.0, 1e-12);
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

static void test_angles_across_north(void **state)
{
    (void)state;
    rcity_path paths[2] = {make_path(1e-8, 0.0, 100.0), make_path(1e-8, 0.0, 110.0)};
    paths[0].departure_azimuth_deg = 350.0;
    paths[1].departure_azimuth_deg = 20.0;
    paths[0].arrival_azimuth_deg = 170.0;
    paths[1].arrival_azimuth_deg = 200.0;
    paths[0].departure_elevation_deg = -5.0;
    paths[1].departure_elevation_deg = 3.0;
    paths[0].arrival_elevation_deg = 40.0;
    paths[1].arrival_elevation_deg = 41.0;
    rcity_receiver_summary summary = sum_up(2, paths);
    assert_near(summary.departure_azimuth_spread_deg, 15.0, 1e-9);
    assert_near(summary.arrival_azimuth_spread_deg, 15.0, 1e-9);
    assert_near(summary.departure_elevation_spread_deg, 4.0, 1e-9);
    assert_near(summary.arrival_elevation_spread_deg, 0.5, 1e-9);
}

/* A path that carries nothing is there, but weighs nothing. */
static void test_path_without_power(void **state)
{
    (void)state;
    rcity_path paths[2] = {make_path(1e-8, 0.0, 100.0), {.length_m = 900.0, .loss_db = HUGE_VAL}};
    rcity_receiver_summary summary = sum_up(2, paths);
    assert_true(summary.delay_spread_s == 0.0 && isnan(summary.k_factor_db));
    assert_near(summary.gain_db, -80.0, 1e-12);
    summary = sum_up(1, &paths[1]);
    assert_true(summary.gain_db == -HUGE_VAL && summary.loss_db == HUGE_VAL);
    assert_true(isnan(summary.mean_delay_s) && isnan(summary.delay_spread_s));
    assert_true(isnan(summary.arrival_azimuth_spread_deg));
}

#define ORDER_COUNT 6

/* Equal powers throughout: length decides, then the number of interactions, then what and where they are. */
static void list_ties(rcity_path *paths)
{
    static const rcity_ray_event events[5] = {
        {RCITY_EVENT_REFLECTION, RCITY_PLACE_WALL, 3, {1.0, 2.0, 3.0}},
        {RCITY_EVENT_REFLECTION, RCITY_PLACE_WALL, 3, {1.0, 2.0, 4.0}},
        {RCITY_EVENT_REFLECTION, RCITY_PLACE_WALL, 7, {0.0, 2.0, 3.0}},
        {RCITY_EVENT_DIFFRACTION, RCITY_PLACE_ROOF_EDGE, 3, {1.0, 2.0, 3.0}},
        {RCITY_EVENT_REFLECTION, RCITY_PLACE_GROUND, -1, {5.0, 5.0, 0.0}},
    };
    for (int i = 0; i < ORDER_COUNT; i++) {
        paths[i] = make_path(1e-8, 0.1, i == 0 ? 90.0 : 100.0);
        paths[i].event_count = i == 0 ? 2 : i == 5 ? 2 : 1;
        paths[i].events = &events[i == 0 ? 0 : i == 5 ? 3 : i - 1];
    }
}

static void test_order_of_ties(void **state)
{
    (void)state;
    rcity_path paths[ORDER_COUNT];
    list_ties(paths);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rcity_path shuffled[ORDER_COUNT + 1];
        memcpy(shuffled, paths, sizeof paths);
        for (int i = ORDER_COUNT - 1; i > 0; i--) {
            int other = (int)(test_random(seed, (uint64_t)i) % (uint64_t)(i + 1));
            rcity_path held = shuffled[i];
            shuffled[i] = shuffled[other];
            shuffled[other] = held;
        }
        shuffled[ORDER_COUNT] = make_path(2e-8, 0.0, 500.0); /* stronger than all */
        rcity_context *context = test_context(1);
        rcity_rays *rays = make_rays(context, (double)NAN);
        assert_ok(context, rcity_rays_add_paths(rays, 0, 4, shuffled)); /* in two portions */
        assert_ok(context, rcity_rays_add_paths(rays, 0, 3, shuffled + 4));
        assert_ok(context, rcity_rays_finish(rays));
        rcity_path found;
        assert_ok(context, rcity_rays_get_path(rays, 0, &found));
        assert_near(found.length_m, 500.0, 0.0);
        for (int i = 0; i < ORDER_COUNT; i++) {
            assert_ok(context, rcity_rays_get_path(rays, i + 1, &found));
            assert_int_equal(found.event_count, paths[i].event_count);
            for (int k = 0; k < found.event_count; k++) { /* each has kept its own */
                const rcity_ray_event *kept = &found.events[k];
                const rcity_ray_event *given = &paths[i].events[k];
                if (kept->kind != given->kind || kept->place != given->place ||
                    kept->building_id != given->building_id || kept->position.x_m != given->position.x_m ||
                    kept->position.y_m != given->position.y_m || kept->position.z_m != given->position.z_m) {
                    print_error("seed %llu: path %d has another's event %d\n", (unsigned long long)seed, i, k);
                    fail();
                }
            }
        }
        rcity_rays_destroy(&rays);
        rcity_context_destroy(&context);
    }
}

static void test_receivers_have_states_and_summaries(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = make_rays(context, (double)NAN);
    rcity_path paths[2] = {make_path(1e-9, 0.0, 60.0), make_path(1e-8, 0.0, 50.0)};
    rcity_receiver_summary summary;
    assert_ok(context, rcity_rays_add_paths(rays, 2, 2, paths));
    assert_ok(context, rcity_rays_finish(rays));
    assert_int_equal(rcity_rays_receiver_count(rays), 3);
    assert_int_equal(rcity_rays_path_count(rays), 2);
    assert_int_equal(rcity_rays_count_state(rays, RCITY_RECEIVER_NO_PATH), 1);
    assert_int_equal(rcity_rays_count_state(rays, RCITY_RECEIVER_IN_BUILDING), 1);
    for (int i = 0; i < 2; i++) {
        assert_ok(context, rcity_rays_get_receiver(rays, i, &summary));
        assert_int_equal(summary.state, i == 0 ? RCITY_RECEIVER_NO_PATH : RCITY_RECEIVER_IN_BUILDING);
        assert_int_equal(summary.path_count, 0);
        assert_true(isnan(summary.gain_db) && isnan(summary.coherent_gain_db) && isnan(summary.loss_db));
        assert_true(isnan(summary.delay_spread_s) && isnan(summary.mean_delay_s) && isnan(summary.k_factor_db));
        assert_true(isnan(summary.departure_azimuth_spread_deg) && isnan(summary.arrival_elevation_spread_deg));
    }
    assert_ok(context, rcity_rays_get_receiver(rays, 2, &summary));
    assert_int_equal(summary.state, RCITY_RECEIVER_REACHED);
    assert_int_equal(summary.path_first, 0);
    assert_near(summary.position.x_m, 50.0, 0.0);
    rcity_path path;
    assert_ok(context, rcity_rays_get_path(rays, 0, &path));
    assert_int_equal(path.receiver_index, 2);
    assert_near(path.length_m, 50.0, 0.0);
    assert_status(context, rcity_rays_get_path(rays, 2, &path), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_rays_get_path(rays, -1, &path), RCITY_ERR_ARGUMENT);
    assert_status(context, rcity_rays_get_receiver(rays, 3, &summary), RCITY_ERR_ARGUMENT);
    assert_string_equal(rcity_context_message(context), "");
    assert_near(rcity_rays_transmitter(rays).z_m, 10.0, 0.0);
    assert_near(rcity_rays_frequency_hz(rays), 1e9, 0.0);
    assert_string_equal(rcity_rays_crs(rays), "EPSG:32632");
    rcity_rays_destroy(&rays);
    rcity_rays_destroy(&rays);
    rcity_rays_destroy(NULL);
    rcity_context_destroy(&context);
}

static void test_names_and_notes(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_rays *rays = make_rays(context, (double)NAN);
    char number[24];
    assert_null(rcity_rays_name(rays, 1));
    assert_string_equal(rcity_rays_label(rays, 1, number), "2");
    assert_ok(context, rcity_rays_set_name(rays, 1, "town hall"));
    assert_ok(context, rcity_rays_set_name(rays, 1, "church"));
    assert_string_equal(rcity_rays_name(rays, 1), "church");
    assert_string_equal(rcity_rays_label(rays, 1, number), "church");
    assert_null(rcity_rays_name(rays, 0));
    assert_status(context, rcity_rays_set_name(rays, 3, "x"), RCITY_ERR_ARGUMENT);
    assert_ok(context, rcity_notes_add(rcity_rays_notes(rays), "method", "%s", "images"));
    const char *key = NULL;
    const char *value = NULL;
    assert_int_equal(rcity_rays_get_note(rays, 0, &key, &value), RCITY_OK);
    assert_string_equal(key, "method");
    assert_string_equal(value, "images");
    assert_int_equal(rcity_rays_get_note(rays, 1, &key, &value), RCITY_ERR_ARGUMENT);
    assert_string_equal(rcity_rays_find_note(rays, "method"), "images");
    assert_null(rcity_rays_find_note(rays, "version"));
    rcity_rays_destroy(&rays);
    rcity_context_destroy(&context);
}

static void test_path_text_lists_the_events(void **state)
{
    (void)state;
    rcity_ray_event events[RCITY_RAY_EVENT_MAX];
    memset(events, 0, sizeof events);
    char word[RCITY_PATH_WORD_BYTES];
    rcity_path path = {.event_count = 0};
    assert_string_equal(rcity_path_describe(&path, word), "direct");
    path.events = events;
    path.event_count = 4;
    events[1].kind = RCITY_EVENT_DIFFRACTION;
    events[2].kind = RCITY_EVENT_TRANSMISSION;
    events[3].kind = RCITY_EVENT_OVER_ROOFS;
    assert_string_equal(rcity_path_describe(&path, word), "R-D-T-O");
    path.event_count = RCITY_RAY_EVENT_MAX;
    assert_int_equal(strlen(rcity_path_describe(&path, word)), 2 * RCITY_RAY_EVENT_MAX - 1);
    for (int i = RCITY_EVENT_REFLECTION; i <= RCITY_EVENT_OVER_ROOFS; i++) {
        assert_string_not_equal(rcity_event_kind_name((rcity_event_kind)i), "unknown");
    }
    for (int i = RCITY_PLACE_WALL; i <= RCITY_PLACE_TERRAIN_EDGE; i++) {
        assert_string_not_equal(rcity_event_place_name((rcity_event_place)i), "unknown");
    }
    for (int i = 0; i < RCITY_RECEIVER_STATE_COUNT; i++) {
        assert_string_not_equal(rcity_receiver_state_name((rcity_receiver_state)i), "unknown");
    }
    assert_string_equal(rcity_receiver_state_name(RCITY_RECEIVER_STATE_COUNT), "unknown");
}

static void test_directions_have_azimuth_and_elevation(void **state)
{
    (void)state;
    const double cases[][5] = {
        {0, 1, 0, 0, 0},
        {1, 0, 0, 90, 0},
        {0, -2, 0, 180, 0},
        {-3, 0, 0, 270, 0},
        {1, 1, 0, 45, 0},
        {-1, 1, 0, 315, 0},
        {0, 0, 5, 0, 90},
        {0, 0, -5, 0, -90},
        {3, 4, 5, 36.86989764584402, 45},
        {-1e-30, 1, 0, 0, 0},
        {1, -1, -sqrt(2.0), 135, -45},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double azimuth_deg;
        double elevation_deg;
        rcity_direction_angles(cases[i][0], cases[i][1], cases[i][2], &azimuth_deg, &elevation_deg);
        assert_near(azimuth_deg, cases[i][3], 1e-12);
        assert_near(elevation_deg, cases[i][4], 1e-12);
    }
}

static void test_path_that_is_no_number(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int i = 0; i < 6; i++) {
        rcity_rays *rays = make_rays(context, (double)NAN);
        rcity_path path = make_path(1e-8, 0.0, 100.0);
        double *const spoiled[] = {&path.length_m,          &path.amplitude.im, &path.cross_amplitude.re,
                                   &path.transfer[1][0].re, &path.loss_db,      &path.arrival_azimuth_deg};
        *spoiled[i] = (double)NAN;
        assert_status(context, rcity_rays_add_paths(rays, 0, 1, &path), RCITY_ERR_STATE);
        assert_message(context, "to receiver 1");
        assert_int_equal(rcity_rays_path_count(rays), 0);
        rcity_rays_destroy(&rays);
    }
    rcity_context_destroy(&context);
}

static void test_memory_limit(void **state)
{
    (void)state;
    rcity_context_options options = rcity_context_options_default();
    options.memory_bytes = 200000;
    rcity_context *context = NULL;
    assert_int_equal(rcity_context_create(&options, &context), RCITY_OK);
    rcity_rays *rays = make_rays(context, (double)NAN);
    rcity_path path = make_path(1e-8, 0.0, 100.0);
    rcity_status status = RCITY_OK;
    int64_t count = 0;
    while (status == RCITY_OK && count < 100000) {
        status = rcity_rays_add_paths(rays, 2, 1, &path);
        count += status == RCITY_OK;
    }
    assert_int_equal(status, RCITY_ERR_MEMORY);
    assert_true(count > 500); /* most of the memory was used before */
    char words[64];
    snprintf(words, sizeof words, "%lld paths were found up to receiver 3 of 3", (long long)count + 1);
    assert_message(context, words);
    assert_message(context, "the limit is 200.0 kB");
    assert_message(context, "`memory`");
    assert_int_equal(rcity_rays_path_count(rays), count);
    rcity_rays_destroy(&rays);
    assert_true(rcity_context_memory_used(context) == 0);
    rcity_context_destroy(&context);
}

static rcity_status build(rcity_context *context, rcity_rays **rays)
{
    static const rcity_point positions[2] = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
    rcity_rays_setup setup = {.frequency_hz = 1e9, .input_dbm = 0.0, .receiver_count = 2, .positions = positions};
    rcity_path paths[ORDER_COUNT];
    list_ties(paths);
    rcity_status status = rcity_rays_create(context, &setup, rays);
    for (int i = 0; i < 2 && status == RCITY_OK; i++) {
        status = rcity_rays_add_paths(*rays, i, ORDER_COUNT, paths);
    }
    status = status == RCITY_OK ? rcity_notes_add(rcity_rays_notes(*rays), "key", "%d", 1) : status;
    status = status == RCITY_OK ? rcity_rays_set_name(*rays, 0, "first") : status;
    return status == RCITY_OK ? rcity_rays_finish(*rays) : status;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    rcity_status status = RCITY_ERR_MEMORY;
    long n = 0;
    while (status != RCITY_OK) {
        n++;
        assert_true(n < 100);
        failing_allocator failing = {.fail_at = n};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_rays *rays = NULL;
        status = build(context, &rays);
        assert_true(status == RCITY_OK || status == RCITY_ERR_MEMORY);
        rcity_rays_destroy(&rays);
        assert_true(rcity_context_memory_used(context) == 0);
        failing.fail_at = 0;
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    }
    assert_true(n > 8); /* every step has been without memory once */
}

TEST_SUITE(rays)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_equal_paths),
        cmocka_unit_test(test_unequal_paths),
        cmocka_unit_test(test_single_path),
        cmocka_unit_test(test_fields_that_cancel),
        cmocka_unit_test(test_two_antennas),
        cmocka_unit_test(test_antenna_gains),
        cmocka_unit_test(test_angles_across_north),
        cmocka_unit_test(test_path_without_power),
        cmocka_unit_test(test_order_of_ties),
        cmocka_unit_test(test_receivers_have_states_and_summaries),
        cmocka_unit_test(test_names_and_notes),
        cmocka_unit_test(test_path_text_lists_the_events),
        cmocka_unit_test(test_directions_have_azimuth_and_elevation),
        cmocka_unit_test(test_path_that_is_no_number),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
