/* Maps of `beams` on every device against those of the host: levels, delays, histograms, with pieces of any size. */
#include "beams_trial.h"

#include "device/device.h"
#include "method/beams/fast/fast_raster.h"
#include "result/delays_data.h"

#define DEVICE_MAX 32
#define BIN_S      20e-9
#define DEEP_DB    170.0 /* a single wave this weak is the rest of waves that nearly cancel */

/* What a device makes of a trial. */
typedef struct parity_map {
    rcity_beams_level *levels;
    rcity_delays *delays;
    int64_t near_count;
} parity_map;

static void evaluate(beams_trial *t, parity_map *map)
{
    rcity_beams_levels own;
    map->levels = calloc((size_t)t->cell_count, sizeof *map->levels);
    assert_non_null(map->levels);
    assert_ok(t->context, rcity_delays_create(t->context, &t->job.raster, NULL, t->height_m, 0.0, BIN_S, &map->delays));
    rcity_beams_output output = {map->levels, 0, map->delays, BIN_S};
    assert_ok(t->context, rcity_beams_levels_init(&t->job, t->trace, &t->tx, &own));
    assert_true(rcity_fast_raster_serves(&t->job));
    assert_ok(t->context, rcity_fast_raster_run(&own, 0, &output));
    map->near_count = output.near_count;
    rcity_beams_levels_deinit(&own);
}

static void map_deinit(parity_map *map)
{
    free(map->levels);
    rcity_delays_destroy(&map->delays);
}

static double off_db(double a, double b)
{
    return a > 0.0 && b > 0.0 ? fabs(10.0 * log10(a / b)) : a > 0.0 || b > 0.0 ? HUGE_VAL : 0.0;
}

static void check_levels(const beams_trial *t, const parity_map *host, const parity_map *other, const char *id)
{
    double worst_db = 0.0;
    double worst_ns = 0.0;
    long other_count = 0;
    long count = 0;
    for (int64_t i = 0; i < t->cell_count; i++) {
        const rcity_beams_level *a = &host->levels[i];
        const rcity_beams_level *b = &other->levels[i];
        assert_int_equal(a->path_count > 0, b->path_count > 0);
        other_count += a->path_count != b->path_count; /* at an edge's top, say, rounding decides */
        if (a->path_count != b->path_count || a->path_count == 0 || -10.0 * log10(a->isotropic_gain) > DEEP_DB) {
            continue;
        }
        count++;
        worst_db = fmax(worst_db, fmax(off_db(a->isotropic_gain, b->isotropic_gain), off_db(a->gain, b->gain)));
        worst_ns = fmax(worst_ns, 1e9 * fabs(a->delay_spread_s - b->delay_spread_s));
        worst_ns = fmax(worst_ns, 1e9 * fabs(a->mean_delay_s - b->mean_delay_s));
    }
    print_message("%s: %ld cells, %ld with other paths, worst %.4f dB, %.3g ns\n", id, count, other_count, worst_db,
                  worst_ns);
    assert_true(count > 100 && other_count * 200 <= count);
    assert_true(worst_db < 0.05);
    assert_true(worst_ns < 1.0);
    assert_int_equal(host->near_count, other->near_count);
}

/* Power in all bins of the cells that have the same paths, and bin by bin but for delays on a border. */
static void check_delays(const beams_trial *t, const parity_map *host, const parity_map *other)
{
    rcity_delay_rows_view a = rcity_delays_rows(host->delays);
    rcity_delay_rows_view b = rcity_delays_rows(other->delays);
    long moved = 0;
    assert_true(a.first[t->cell_count] > 1000);
    for (int64_t cell = 0; cell < t->cell_count; cell++) {
        if (host->levels[cell].path_count != other->levels[cell].path_count) {
            continue;
        }
        double sum_a = 0.0;
        double sum_b = 0.0;
        for (int64_t i = a.first[cell]; i < a.first[cell + 1]; i++) {
            sum_a += (double)a.gain[i];
        }
        for (int64_t i = b.first[cell]; i < b.first[cell + 1]; i++) {
            sum_b += (double)b.gain[i];
        }
        assert_true(off_db(sum_a, sum_b) < 0.05);
        moved += a.first[cell + 1] - a.first[cell] != b.first[cell + 1] - b.first[cell];
    }
    assert_true(moved * 100 <= t->cell_count);
}

/* `limit_bytes` of a buffer cuts launches into small pieces; 0: the device's own. `pin_bytes`: from this size on copies to
   the host run beside kernels, and all go through pinned memory, as on a GPU; 0: as the device has them. */
static void check_device(beams_trial *t, const parity_map *host, const char *id, uint64_t limit_bytes, size_t pin_bytes,
                         int64_t launches_least)
{
    rcity_device *own = t->device;
    rcity_device *device = NULL;
    rcity_device_times times;
    parity_map map;
    assert_ok(t->context, rcity_device_open(t->context, id, &device));
    rcity_device_limit_buffer(device, limit_bytes);
    rcity_device_pin_from(device, pin_bytes);
    t->job.device = device;
    evaluate(t, &map);
    rcity_device_get_times(device, &times);
    print_message("%s: %lld launches\n", id, (long long)times.launch_count);
    assert_true(times.launch_count >= launches_least); /* the host has not done it instead */
    check_levels(t, host, &map, id);
    check_delays(t, host, &map);
    t->job.device = own;
    map_deinit(&map);
    rcity_device_close(&device);
}

static void check_trial(beams_trial *t, uint64_t limit_bytes, size_t pin_bytes, int64_t launches_least)
{
    rcity_device_info infos[DEVICE_MAX];
    int device_count = 0;
    parity_map host;
    evaluate(t, &host);
    assert_ok(t->context, rcity_device_list(t->context, DEVICE_MAX, infos, &device_count));
    for (int i = 1; i < device_count && i < DEVICE_MAX; i++) {
        if (infos[i].is_usable) {
            check_device(t, &host, infos[i].id, limit_bytes, pin_bytes, launches_least);
        }
    }
    map_deinit(&host);
}

static const char *const names[] = {
    "max-reflections", "max-diffractions", "sum", "rx-polarization", "surroundings", "law", "beam-range-m"};

static void test_devices_agree(void **state)
{
    (void)state;
    static const char *const values[][7] = {
        {"3", "1", "grouped", "vertical", "off", "fields", "130"},
        {"2", "1", "power", "horizontal", "off", "fields", "unlimited"},
        {"2", "1", "grouped", "slant", "on", "fields", "unlimited"},
        {"4", "0", "grouped", "both", "off", "fields", "unlimited"},
        {"2", "1", "power", "vertical", "off", "paper", "unlimited"},
    };
    for (uint64_t number = 0; number < 5; number++) {
        beams_trial t;
        double x_m, y_m;
        beams_trial_open(&t, number % 2 == 0 ? RCITY_CITY_CORE : RCITY_CITY_GRID, number);
        if (number == 2) {
            assert_ok(t.context, rcity_antenna_create(t.context, "3gpp", &t.antenna));
            t.tx.stated.antenna = t.antenna;
            t.tx.stated.polarization = RCITY_POLARIZATION_SLANT;
        }
        beams_trial_find_place(&t, number, &x_m, &y_m);
        beams_trial_prepare(&t, "host", x_m, y_m, number == 3 ? 40.0 : 10.0, names, values[number], 7);
        check_trial(&t, 0, number % 2, 5);
        beams_trial_finish(&t);
    }
}

/* Bands of some rows, and pieces of some cells. */
static void test_small_pieces(void **state)
{
    (void)state;
    static const char *const values[] = {"2", "1", "grouped", "vertical", "off", "fields", "unlimited"};
    beams_trial t;
    double x_m, y_m;
    beams_trial_open(&t, RCITY_CITY_CORE, 1);
    t.cell_m = 1.0;
    beams_trial_find_place(&t, 1, &x_m, &y_m);
    beams_trial_prepare(&t, "host", x_m, y_m, 10.0, names, values, 7);
    check_trial(&t, (uint64_t)8 << 20, 0, 20);
    check_trial(&t, (uint64_t)8 << 20, 100000, 20);
    beams_trial_finish(&t);
}

/* Devices with too little room for the beams, or for the paths of some rows, and with hardly enough: the host does what they
   do not, and takes nothing over from what was begun. */
static void test_no_room(void **state)
{
    (void)state;
    static const char *const values[] = {"2", "1", "grouped", "vertical", "on", "fields", "unlimited"};
    beams_trial t;
    double x_m, y_m;
    beams_trial_open(&t, RCITY_CITY_CORE, 1);
    beams_trial_find_place(&t, 1, &x_m, &y_m);
    beams_trial_prepare(&t, "host", x_m, y_m, 10.0, names, values, 7);
    for (uint64_t limit_bytes = 1000; limit_bytes < 100000000; limit_bytes *= 20) {
        print_message("buffers of %llu bytes\n", (unsigned long long)limit_bytes);
        check_trial(&t, limit_bytes, 0, 0);
    }
    beams_trial_finish(&t);
}

TEST_SUITE(beams_parity)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_agree),
        cmocka_unit_test(test_small_pieces),
        cmocka_unit_test(test_no_room),
    };
    return cmocka_run_group_tests_name("beams_parity", tests, NULL, NULL);
}
