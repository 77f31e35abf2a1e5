/* Maps of `beams` by tables against those by formulas, path by path. */
#include "munich.h"

#include "base/base.h"
#include "method/beams/beams.h"
#include "method/beams/fast/fast_raster.h"
#include "scene/place/cover.h"
#include "scene/scene_data.h"

#define DEEP_DB 170.0 /* a single wave this weak is the rest of waves that nearly cancel */

static const uint64_t seed = 20261122;

/* A city, a job and a transmitter. */
typedef struct fast_trial {
    rcity_context *context;
    rcity_scene *scene;
    rcity_device *device;
    rcity_antenna *antenna;
    rcity_receivers receivers;
    double height_m;
    rcity_job job;
    rcity_tx tx;
    float *roof_m;
    int64_t cell_count;
    void *prepared, *trace;
} fast_trial;

static void prepare(fast_trial *t, double x_m, double y_m, double height_m, const char *const *names,
                    const char *const *values, int count)
{
    const rcity_shapes *shapes = rcity_scene_shapes(t->scene);
    double unit_m = 1.0 / shapes->units_per_m;
    rcity_job *job = &t->job;
    t->height_m = 1.5;
    t->receivers = rcity_receivers_default();
    t->receivers.height_count = 1;
    t->receivers.height_m = &t->height_m;
    t->receivers.gain_dbi = 2.0;
    assert_ok(t->context, rcity_device_open(t->context, "host", &t->device));
    *job = (rcity_job){
        .context = t->context, .scene = t->scene, .shapes = shapes, .device = t->device, .method = &rcity_beams_method};
    job->receivers = &t->receivers;
    job->raster.cell_m = 7.3;
    job->raster.west_m = shapes->origin_x_m + shapes->x_min * unit_m - 20.0;
    job->raster.north_m = shapes->origin_y_m + shapes->y_max * unit_m + 20.0;
    job->raster.column_count = (int64_t)(((double)shapes->x_max - shapes->x_min) * unit_m / 7.3) + 5;
    job->raster.row_count = (int64_t)(((double)shapes->y_max - shapes->y_min) * unit_m / 7.3) + 5;
    t->cell_count = job->raster.column_count * job->raster.row_count;
    t->roof_m = calloc((size_t)t->cell_count, sizeof *t->roof_m);
    assert_non_null(t->roof_m);
    assert_ok(t->context, rcity_raster_cover(t->context, shapes, &job->raster, t->roof_m));
    job->roof_m = t->roof_m;
    assert_ok(t->context, rcity_method_read_options(job, count, names, values));
    t->tx.stated.x_m = x_m;
    t->tx.stated.y_m = y_m;
    t->tx.stated.height_m = height_m;
    assert_ok(t->context, rcity_transmitter_locate(t->context, t->scene, &t->tx.stated, &t->tx.position));
    assert_ok(t->context, rcity_beams_prepare(job, &t->prepared));
    assert_ok(t->context, rcity_beams_trace(job, t->prepared, NULL, 1, &t->tx, &t->trace));
}

static void finish(fast_trial *t)
{
    rcity_beams_release_trace(t->context, t->trace);
    rcity_beams_release_prepared(t->context, t->prepared);
    free(t->roof_m);
    rcity_antenna_destroy(&t->antenna);
    test_close(&t->context, &t->scene, &t->device);
}

static double loss_db(const rcity_beams_level *level)
{
    return -10.0 * log10(level->isotropic_gain);
}

/* Both maps of a trial. */
static void compare(fast_trial *t, const char *name)
{
    rcity_beams_level *plain = calloc((size_t)t->cell_count, sizeof *plain);
    rcity_beams_level *fast = calloc((size_t)t->cell_count, sizeof *fast);
    assert_true(plain != NULL && fast != NULL);
    rcity_beams_levels own;
    rcity_beams_output by_formulas = {plain, 0, NULL, 1.0};
    rcity_beams_output by_tables = {fast, 0, NULL, 1.0};
    assert_ok(t->context, rcity_beams_levels_init(&t->job, t->trace, &t->tx, &own));
    double start_s = rcity_clock_s();
    assert_ok(t->context, rcity_beams_raster_run(&own, 0, &by_formulas));
    double middle_s = rcity_clock_s();
    assert_true(rcity_fast_raster_serves(&t->job));
    assert_ok(t->context, rcity_fast_raster_run(&own, 0, &by_tables));
    double end_s = rcity_clock_s();
    rcity_beams_levels_deinit(&own);
    assert_int_equal(by_formulas.near_count, by_tables.near_count);
    double worst_db = 0.0;
    double worst_ns = 0.0;
    double square_db2 = 0.0;
    long both = 0;
    long other_count = 0;
    double paths = 0.0;
    for (int64_t i = 0; i < t->cell_count; i++) {
        assert_int_equal(plain[i].path_count > 0, fast[i].path_count > 0);
        paths += (double)fast[i].path_count;
        other_count += plain[i].path_count != fast[i].path_count;
        if (plain[i].path_count == 0 || plain[i].path_count != fast[i].path_count || loss_db(&plain[i]) > DEEP_DB) {
            continue;
        }
        double off_db = fabs(loss_db(&plain[i]) - loss_db(&fast[i]));
        double gain_db = fabs(10.0 * log10(plain[i].gain / fast[i].gain));
        both++;
        worst_db = fmax(worst_db, fmax(off_db, gain_db));
        square_db2 += off_db * off_db;
        worst_ns = fmax(worst_ns, 1e9 * fabs(plain[i].delay_spread_s - fast[i].delay_spread_s));
    }
    print_message(
        "%s: %ld cells, %ld with other paths, %.3g paths; worst %.3f dB, rms %.4f dB, %.2g ns; %.2f s, %.2f s "
        "by tables\n",
        name, both, other_count, paths, worst_db, sqrt(square_db2 / (double)both), worst_ns, middle_s - start_s,
        end_s - middle_s);
    assert_true(both > 100 && other_count * 50 <= both);
    assert_true(worst_db < 0.3);
    assert_true(sqrt(square_db2 / (double)both) < 0.03);
    /* less than a bin of 20 ns; the law brings levels to cells where the rays are a weak rest, whose delays say nothing */
    assert_true(worst_ns < 15.0 || own.rules.has_law);
    free(fast);
    free(plain);
}

static void open_city(fast_trial *t, rcity_city_kind kind, uint64_t number)
{
    memset(t, 0, sizeof *t);
    t->context = test_context(2);
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.area_km2 = 0.1;
    options.seed = number;
    assert_ok(t->context, rcity_city_make(t->context, &options, &t->scene));
    t->tx.stated = rcity_transmitter_default();
    t->tx.stated.frequency_hz = number % 2 == 0 ? 947e6 : 3.5e9;
    t->tx.azimuth_rad = 0.7;
}

static void test_tables_equal_formulas(void **state)
{
    (void)state;
    static const char *const names[] = {"max-reflections", "max-diffractions", "sum", "rx-polarization",
                                        "surroundings"};
    static const char *const values[][5] = {
        {"3", "1", "grouped", "vertical", "off"}, {"2", "1", "power", "horizontal", "off"},
        {"2", "1", "grouped", "slant", "off"},    {"4", "0", "grouped", "both", "off"},
        {"2", "1", "power", "vertical", "off"},   {"3", "1", "grouped", "vertical", "on"},
    };
    for (uint64_t number = 0; number < 6; number++) {
        fast_trial t;
        open_city(&t, number % 2 == 0 ? RCITY_CITY_CORE : RCITY_CITY_GRID, number);
        if (number == 1) {
            t.tx.stated.polarization = RCITY_POLARIZATION_HORIZONTAL;
        } else if (number == 2) {
            assert_ok(t.context, rcity_antenna_create(t.context, "3gpp", &t.antenna));
            t.tx.stated.antenna = t.antenna;
            t.tx.stated.polarization = RCITY_POLARIZATION_SLANT;
        }
        rcity_cover cover = {true, 0, 0.0};
        double x_m = 0.0;
        double y_m = 0.0;
        for (uint64_t i = 100 * number; cover.is_covered; i += 2) {
            x_m = test_uniform(seed, i, 120.0, 200.0);
            y_m = test_uniform(seed, i + 1, 120.0, 200.0);
            assert_ok(t.context, rcity_scene_get_cover(t.context, t.scene, x_m, y_m, &cover));
        }
        prepare(&t, x_m, y_m, number == 3 || number == 4 ? 40.0 : 10.0, names, values[number], 5);
        compare(&t, values[number][2]);
        finish(&t);
    }
}

TEST_SUITE(beams_fast)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_equal_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
