/* Paths weighed with random coefficients and a turned antenna, against sums written out here in double precision. */
#include "los_cases.h"
#include "sight_cases.h"

#include "method/shadow/shadow_weigh.h"
#include "radiocity/city.h"

static const uint64_t seed = 20;

typedef struct stage {
    los_stage los;
    rcity_corner_tracer tracer;
    rcity_corner_paths corner_paths;
    uint64_t *visible;
    size_t pixel_count;
    rcity_shadow_roof *roofs;
    float *roof_log_lengths, *log_lengths;
    uint8_t *states;
    rcity_shadow_line *lines;
    rcity_shadow_walls walls;
    rcity_shadow_paths paths;
    rcity_shadow_bands bands;
    rcity_grid_point3 source;
} stage;

static void open_stage(stage *s, int thread_count)
{
    memset(s, 0, sizeof *s);
    rcity_context *context = test_context(thread_count);
    los_stage_open(context, sight_city(context, RCITY_CITY_CORE, 9, 0.1), 7.0, &s->los);
    assert_ok(context, rcity_corner_tracer_init(context, &s->los.plane, &s->tracer));
    const rcity_shapes *shapes = s->los.shapes;
    s->visible = calloc(s->los.mask_words, sizeof *s->visible);
    s->pixel_count = (size_t)s->los.plane.row_count * (size_t)s->los.plane.column_count;
    s->roofs = calloc(s->pixel_count, sizeof *s->roofs);
    s->roof_log_lengths = calloc(s->pixel_count, sizeof(float));
    s->log_lengths = calloc(s->pixel_count, sizeof(float));
    s->states = calloc(s->pixel_count, 1);
    s->lines = calloc(s->pixel_count, sizeof *s->lines);
    s->walls.count = calloc(s->pixel_count, sizeof(int32_t));
    s->walls.building_m = calloc(s->pixel_count, sizeof(float));
    s->walls.foliage_m = calloc(s->pixel_count, sizeof(float));
    s->bands.loss_db = calloc(s->pixel_count, sizeof(float));
    s->bands.received_dbm = calloc(s->pixel_count, sizeof(float));
    s->bands.mechanism = calloc(s->pixel_count, sizeof(float));
    s->bands.turn_count = calloc(s->pixel_count, sizeof(float));
    s->source = (rcity_grid_point3){(shapes->x_min + shapes->x_max) / 2, (shapes->y_min + shapes->y_max) / 2, 10 * 64};
    assert_ok(context, rcity_corner_tracer_trace(context, &s->tracer, s->source, 2, s->visible, &s->corner_paths));
    for (size_t i = 0; i < s->pixel_count; i++) { /* made up: what is weighed need not be true */
        s->walls.count[i] = (int32_t)(test_random(seed, 10 * i) % 5);
        s->walls.building_m[i] = (float)test_uniform(seed, 10 * i + 1, 0.0, 50.0);
        s->walls.foliage_m[i] = (float)test_uniform(seed, 10 * i + 8, 0.0, 20.0);
        s->roofs[i].turns = (rcity_shadow_turns){
            (float)test_uniform(seed, 10 * i + 2, 10.0, 400.0), (float)test_uniform(seed, 10 * i + 3, 0.0, 2.0),
            (float)test_uniform(seed, 10 * i + 4, 0.0, 2.0), (float)test_uniform(seed, 10 * i + 5, 0.0, 4.0),
            (int32_t)(1 + test_random(seed, 10 * i + 6) % 4)};
        s->roofs[i].elevation_rad = (float)test_uniform(seed, 10 * i + 7, -0.2, 0.2);
        s->roof_log_lengths[i] = log10f(s->roofs[i].turns.length_m);
        int32_t column = (int32_t)i % s->los.plane.column_count;
        int32_t row = (int32_t)i / s->los.plane.column_count;
        rcity_grid_point3 at = rcity_los_plane_pixel(&s->los.plane, column, row);
        double dx = ((double)at.x - s->source.x) / 128.0;
        double dy = ((double)at.y - s->source.y) / 128.0;
        double rise = ((double)at.z - s->source.z) / 64.0;
        s->lines[i] = rcity_shadow_line_make((float)dx, (float)dy, (float)rise);
        s->log_lengths[i] = (float)(0.5 * log10(dx * dx + dy * dy + rise * rise));
        bool is_indoors = rcity_los_plane_bit(&s->los.plane, s->los.plane.indoors, column, row);
        bool is_visible = rcity_los_plane_bit(&s->los.plane, s->visible, column, row);
        s->states[i] = is_indoors ? RCITY_SHADOW_INDOORS : is_visible ? RCITY_SHADOW_VISIBLE : RCITY_SHADOW_HIDDEN;
    }
    s->paths = (rcity_shadow_paths){.count = s->pixel_count,
                                    .states = s->states,
                                    .log_lengths = s->log_lengths,
                                    .lines = s->lines,
                                    .corner_paths = &s->corner_paths,
                                    .roofs = s->roofs,
                                    .roof_log_lengths = s->roof_log_lengths,
                                    .walls = s->walls};
}

static void close_stage(stage *s)
{
    rcity_context *context = s->los.context;
    free(s->bands.turn_count);
    free(s->bands.mechanism);
    free(s->bands.received_dbm);
    free(s->bands.loss_db);
    free(s->walls.foliage_m);
    free(s->walls.building_m);
    free(s->walls.count);
    free(s->lines);
    free(s->states);
    free(s->log_lengths);
    free(s->roof_log_lengths);
    free(s->roofs);
    free(s->visible);
    rcity_corner_paths_deinit(context, &s->corner_paths);
    rcity_corner_tracer_deinit(context, &s->tracer);
    los_stage_close(&s->los);
    rcity_context_destroy(&context);
}

/* The element of TR 38.901, table 7.3-1, turned: written out in double precision. */
typedef struct sector {
    double azimuth_rad, gain_dbi;
} sector;

static double sector_gain(const sector *s, double dx, double dy, double elevation_rad)
{
    double off = atan2(dx, dy) - s->azimuth_rad;
    double azimuth_deg = atan2(sin(off), cos(off)) * 57.29577951308232;
    double elevation_deg = elevation_rad * 57.29577951308232;
    double vertical = fmin(12.0 * elevation_deg * elevation_deg / (65.0 * 65.0), 30.0);
    double horizontal = fmin(12.0 * azimuth_deg * azimuth_deg / (65.0 * 65.0), 30.0);
    return s->gain_dbi - fmin(vertical + horizontal, 30.0);
}

static rcity_shadow_turn_law random_law(uint64_t at)
{
    return (rcity_shadow_turn_law){
        (float)test_uniform(seed, at + 40, -5.0, 10.0), (float)test_uniform(seed, at, 0.0, 10.0),
        (float)test_uniform(seed, at + 1, 0.0, 10.0), (float)test_uniform(seed, at + 2, -5.0, 20.0),
        (float)test_uniform(seed, at + 3, -5.0, 20.0)};
}

static double law_db(rcity_shadow_turn_law law, double log_k, double count, double logs, double sum, double squares)
{
    return fmax((double)law.first_db + count * (double)law.constant_db +
                    (double)law.per_decade_db * (count * log_k + logs) + (double)law.linear_db * sum +
                    (double)law.square_db * squares,
                0.0);
}

/* The least loss to a pixel with the antenna, and all powers, by summing up. */
typedef struct plain_result {
    double least_db, power;
    int mechanism;
} plain_result;

static void plain_take(plain_result *r, double db, int mechanism)
{
    r->mechanism = db < r->least_db ? mechanism : r->mechanism;
    r->least_db = fmin(r->least_db, db);
    r->power += pow(10.0, -0.1 * db);
}

static plain_result weigh_plainly(const stage *s, const rcity_shadow_law *law, const sector *lobe, int32_t pixel)
{
    plain_result r = {HUGE_VAL, 0.0, -1};
    int32_t column = pixel % s->los.plane.column_count, row = pixel / s->los.plane.column_count;
    rcity_grid_point3 at = rcity_los_plane_pixel(&s->los.plane, column, row);
    double dx = ((double)at.x - s->source.x) / 128.0, dy = ((double)at.y - s->source.y) / 128.0;
    double rise = ((double)at.z - s->source.z) / 64.0, plan = hypot(dx, dy), log_k = (double)law->log_wavenumber;
    double leaves = (double)s->walls.foliage_m[pixel];
    double free_db = (double)law->free_space_db + 20.0 * log10(hypot(plan, rise)) +
                     (double)law->foliage_scale * (leaves <= 14.0 ? 0.45 * leaves : 1.33 * pow(leaves, 0.588));
    double gain = sector_gain(lobe, dx, dy, atan2(rise, plan));
    if (rcity_los_plane_bit(&s->los.plane, s->los.plane.indoors, column, row)) {
        return r;
    }
    if (rcity_los_plane_bit(&s->los.plane, s->visible, column, row)) {
        plain_take(&r, free_db + (double)law->direct_db - gain, RCITY_SHADOW_DIRECT);
        return r;
    }
    if (s->walls.count[pixel] > 0) {
        plain_take(&r,
                   free_db - gain + (double)law->first_wall_db + (double)law->wall_db * s->walls.count[pixel] +
                       (double)law->metre_db * (double)s->walls.building_m[pixel],
                   RCITY_SHADOW_WALLS);
    }
    const rcity_shadow_roof *roof = &s->roofs[pixel];
    double roof_gain = sector_gain(lobe, dx, dy, (double)roof->elevation_rad);
    plain_take(&r,
               (double)law->free_space_db + 20.0 * log10((double)roof->turns.length_m) - roof_gain +
                   law_db(law->roof, log_k, roof->turns.count, (double)roof->turns.log_distance_sum,
                          (double)roof->turns.angle_sum_rad, (double)roof->turns.angle_square_sum_rad2),
               RCITY_SHADOW_ROOF);
    for (size_t i = s->corner_paths.first[pixel]; i < s->corner_paths.first[pixel + 1]; i++) {
        /* the chain again, corner by corner */
        const rcity_corner_node *node = &s->corner_paths.nodes[s->corner_paths.paths[i].node];
        double places[8][2], length = 0.0, logs = 0.0, sum = 0.0, squares = 0.0;
        int count = node->order;
        places[0][0] = s->source.x / 128.0, places[0][1] = s->source.y / 128.0;
        places[count + 1][0] = at.x / 128.0, places[count + 1][1] = at.y / 128.0;
        for (int k = count; k >= 1; k--) {
            places[k][0] = node->at.x / 128.0, places[k][1] = node->at.y / 128.0;
            node = node->parent >= 0 ? &s->corner_paths.nodes[node->parent] : node;
        }
        for (int k = 1; k <= count + 1; k++) {
            double ux = places[k][0] - places[k - 1][0], uy = places[k][1] - places[k - 1][1], u = hypot(ux, uy);
            length += u;
            if (k <= count) {
                double vx = places[k + 1][0] - places[k][0], vy = places[k + 1][1] - places[k][1], v = hypot(vx, vy);
                double angle = fabs(atan2(ux * vy - uy * vx, ux * vx + uy * vy));
                sum += angle;
                squares += angle * angle;
                logs += log10(u * v / (u + v));
            }
        }
        double first_x = places[1][0] - places[0][0], first_y = places[1][1] - places[0][1];
        double space = hypot(length, rise);
        double corner_gain = sector_gain(lobe, first_x, first_y, asin(rise / space));
        plain_take(&r,
                   (double)law->free_space_db + 20.0 * log10(space) - corner_gain +
                       law_db(law->corner, log_k, count, logs, sum, squares),
                   RCITY_SHADOW_CORNER);
    }
    return r;
}

/* What lies below the tops of clutter of the line from the source down to a pixel, walked in short steps. */
static double clutter_plainly(const stage *s, const rcity_shadow_law *law, double receiver_height_m, int32_t pixel)
{
    enum { STEPS = 20000 };
    int32_t column = pixel % s->los.plane.column_count, row = pixel / s->los.plane.column_count;
    rcity_grid_point3 at = rcity_los_plane_pixel(&s->los.plane, column, row);
    double dx = ((double)at.x - s->source.x) / 128.0, dy = ((double)at.y - s->source.y) / 128.0;
    double rise = ((double)at.z - s->source.z) / 64.0, length = sqrt(dx * dx + dy * dy + rise * rise), below = 0.0;
    for (int i = 0; i < STEPS; i++) {
        double above_receiver = -rise * (i + 0.5) / STEPS;
        below += receiver_height_m + above_receiver < (double)law->clutter_height_m ? length / STEPS : 0.0;
    }
    double limit = (double)law->clutter_limit_db;
    return limit * (1.0 - exp(-(double)law->clutter_metre_db * below / limit));
}

/* Added to all paths, by the metres among what no map shows; sources above and below its tops. */
static void test_clutter_loss_is_added_to_every_path(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, 2);
    float *bare_db = malloc(s.pixel_count * sizeof *bare_db);
    float *bare_dbm = malloc(s.pixel_count * sizeof *bare_dbm);
    assert_non_null(bare_db);
    assert_non_null(bare_dbm);
    for (uint64_t trial = 0; trial < 12; trial++) {
        uint64_t at = 700000 + 50 * trial;
        rcity_shadow_weights weights;
        memset(&weights, 0, sizeof weights);
        weights.law.corner = random_law(at + 1);
        weights.law.roof = random_law(at + 5);
        weights.law.free_space_db = 38.0f;
        weights.level_dbm = 30.0f;
        weights.adds_powers = trial % 2;
        weights.receiver_height_m = trial % 4 == 3 ? 30.0f : 1.5f;
        weights.law.clutter_height_m = (float)test_uniform(seed, at + 20, 2.0, 25.0);
        weights.law.clutter_limit_db = (float)test_uniform(seed, at + 21, 10.0, 60.0);
        assert_ok(s.los.context, rcity_shadow_weigh(s.los.context, &s.paths, &weights, NULL, &s.bands));
        memcpy(bare_db, s.bands.loss_db, s.pixel_count * sizeof *bare_db);
        memcpy(bare_dbm, s.bands.received_dbm, s.pixel_count * sizeof *bare_dbm);
        weights.law.clutter_metre_db = (float)test_uniform(seed, at + 22, 0.05, 1.0);
        assert_ok(s.los.context, rcity_shadow_weigh(s.los.context, &s.paths, &weights, NULL, &s.bands));
        double largest_db = 0.0;
        for (size_t i = 0; i < s.pixel_count; i += 97) {
            assert_int_equal(isnan(s.bands.loss_db[i]), isnan(bare_db[i]));
            if (!isnan(bare_db[i])) {
                double clutter_db = clutter_plainly(&s, &weights.law, (double)weights.receiver_height_m, (int32_t)i);
                largest_db = fmax(largest_db, clutter_db);
                assert_true(fabs((double)s.bands.loss_db[i] - (double)bare_db[i] - clutter_db) < 0.02);
                assert_true(fabs((double)bare_dbm[i] - (double)s.bands.received_dbm[i] - clutter_db) < 0.02);
            }
        }
        assert_true(trial % 4 == 3 ? largest_db == 0.0 : largest_db > 0.1);
    }
    free(bare_db);
    free(bare_dbm);
    close_stage(&s);
}

static void test_random_laws(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, 2);
    double worst_db = 0.0;
    long counts[RCITY_SHADOW_MECHANISM_COUNT] = {0}, others = 0;
    for (uint64_t trial = 0; trial < 100; trial++) {
        uint64_t at = 100000 + 50 * trial;
        rcity_shadow_weights weights;
        memset(&weights, 0, sizeof weights);
        double frequency = pow(10.0, test_uniform(seed, at, 8.6, 10.4));
        double k = 2.0 * 3.14159265358979 * frequency / 299792458.0;
        weights.law.corner = random_law(at + 1);
        weights.law.roof = random_law(at + 5);
        weights.law.first_wall_db = (float)test_uniform(seed, at + 9, 0.0, 20.0);
        weights.law.wall_db = (float)test_uniform(seed, at + 10, 3.0, 15.0);
        weights.law.metre_db = (float)test_uniform(seed, at + 11, 0.0, 1.0);
        weights.law.log_wavenumber = (float)log10(k);
        weights.law.free_space_db = (float)(20.0 * log10(2.0 * k));
        double azimuth = test_uniform(seed, at + 12, 0.0, 6.28);
        sector lobe = {azimuth, test_uniform(seed, at + 13, -5.0, 20.0)};
        weights.antenna = (rcity_antenna_job){.kind = RCITY_ANTENNA_KIND_3GPP,
                                              .gain_dbi = (float)lobe.gain_dbi,
                                              .sin_azimuth = (float)sin(azimuth),
                                              .cos_azimuth = (float)cos(azimuth),
                                              .cos_tilt = 1.0f};
        weights.level_dbm = 30.0f;
        weights.law.direct_db = (float)test_uniform(seed, at + 14, -4.0, 2.0);
        weights.law.foliage_scale = (float)test_uniform(seed, at + 15, 0.0, 2.0);
        weights.adds_powers = trial % 2;
        assert_ok(s.los.context, rcity_shadow_weigh(s.los.context, &s.paths, &weights, NULL, &s.bands));
        for (size_t i = 0; i < s.pixel_count; i += 7) {
            plain_result plain = weigh_plainly(&s, &weights.law, &lobe, (int32_t)i);
            assert_int_equal(isnan(s.bands.received_dbm[i]), plain.mechanism < 0);
            if (plain.mechanism >= 0) {
                double expected = 30.0 - (weights.adds_powers ? -10.0 * log10(plain.power) : plain.least_db);
                worst_db = fmax(worst_db, fabs((double)s.bands.received_dbm[i] - expected));
                others += (int)s.bands.mechanism[i] != plain.mechanism; /* ties within rounding */
                counts[plain.mechanism]++;
            }
        }
    }
    print_message("weighed, seed %llu: within %.5f dB; direct %ld, walls %ld, corners %ld, roofs %ld\n",
                  (unsigned long long)seed, worst_db, counts[0], counts[1], counts[2], counts[3]);
    assert_true(worst_db < 1e-3);
    assert_true(others < 20);
    for (int i = 0; i < RCITY_SHADOW_MECHANISM_COUNT; i++) {
        assert_true(counts[i] > 100);
    }
    close_stage(&s);
}

/* Traced paths, made word by word of pixels, against the formula for one. */
static void test_traced_paths_equal_the_formula(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, 2);
    const rcity_los_plane *plane = &s.los.plane;
    size_t pair_count = 0, apart_count = 0;
    for (size_t i = 0; i < s.pixel_count; i++) {
        int32_t column = (int32_t)i % plane->column_count, row = (int32_t)i / plane->column_count;
        rcity_grid_point3 at = rcity_los_plane_pixel(plane, column, row);
        for (size_t k = s.corner_paths.first[i]; k < s.corner_paths.first[i + 1]; k++) {
            const rcity_chain_path *path = &s.corner_paths.paths[k];
            const rcity_corner_node *node = &s.corner_paths.nodes[path->node];
            rcity_corner_leg leg = rcity_corner_node_leg(node);
            rcity_corner_path expected =
                rcity_corner_path_make(&leg, (float)(at.x - node->at.x) / 128.0f, (float)(at.y - node->at.y) / 128.0f,
                                       (float)(at.z - s.source.z) / 64.0f);
            assert_near((double)path->angle_rad, (double)expected.angle_rad, 2e-6);
            assert_near((double)path->log_distance, (double)expected.log_distance, 2e-6);
            assert_near((double)path->log_length, (double)expected.log_length, 2e-6);
            assert_near((double)path->slope, (double)expected.slope, 1e-6);
            assert_near((double)(path->grazing_root_m / expected.grazing_root_m), 1.0, 1e-5);
            assert_near((double)path->pair_m, (double)expected.pair_m, 1e-5 * fabs((double)expected.pair_m));
            assert_near((double)(path->street / expected.street), 1.0, 1e-4);
            pair_count += expected.pair_m > 0.0f;
            apart_count += expected.pair_m < 0.0f;
        }
    }
    assert_true(s.corner_paths.path_count > 1000 && pair_count > 100 && apart_count > 100);
    close_stage(&s);
}

/* The same bits for any number of threads. */
static void test_levels_are_equal_for_any_thread_count(void **state)
{
    (void)state;
    stage one, four;
    open_stage(&one, 1);
    open_stage(&four, 4);
    rcity_shadow_weights weights;
    memset(&weights, 0, sizeof weights);
    weights.law.corner = random_law(1);
    weights.law.roof = random_law(9);
    weights.law.free_space_db = 38.0f;
    weights.law.log_wavenumber = 1.5f;
    weights.adds_powers = 1;
    assert_ok(one.los.context, rcity_shadow_weigh(one.los.context, &one.paths, &weights, NULL, &one.bands));
    assert_ok(four.los.context, rcity_shadow_weigh(four.los.context, &four.paths, &weights, NULL, &four.bands));
    assert_int_equal(one.corner_paths.path_count, four.corner_paths.path_count);
    assert_memory_equal(one.corner_paths.paths, four.corner_paths.paths,
                        one.corner_paths.path_count * sizeof *one.corner_paths.paths);
    assert_memory_equal(one.bands.loss_db, four.bands.loss_db, one.pixel_count * sizeof(float));
    assert_memory_equal(one.bands.mechanism, four.bands.mechanism, one.pixel_count * sizeof(float));
    assert_memory_equal(one.bands.turn_count, four.bands.turn_count, one.pixel_count * sizeof(float));
    close_stage(&one);
    close_stage(&four);
}

TEST_SUITE(shadow_weigh)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_laws),
        cmocka_unit_test(test_clutter_loss_is_added_to_every_path),
        cmocka_unit_test(test_traced_paths_equal_the_formula),
        cmocka_unit_test(test_levels_are_equal_for_any_thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
