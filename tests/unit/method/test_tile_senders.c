/* Scattered power that goes on over roofs: one wall by hand, all tiles as sources, both ways of a link, any number of
   threads, and what switches it off. */
#include "tiles_trial.h"

#include "kernel/wave/knife_edge.h"
#include "method/tiles/senders/sender_work.h"
#include "method/tiles/tiles.h"
#include "radiocity/city.h"

#define FREQUENCY_HZ 2e9
#define WAVE_M       (LIGHT / FREQUENCY_HZ)

static const uint64_t seed = 20270301;

/* A run that stops before power is sent over roofs. */
typedef struct sender_trial {
    rcity_context *context;
    rcity_device *device;
    rcity_receivers receivers;
    rcity_job job;
    rcity_tx tx;
    float *roof_m; /* of a raster */
    void *prepared, *trace;
    rcity_tiles_run run;
    rcity_tile_senders senders;
} sender_trial;

/* One bounce, the scattering itself, on tiles of an area. */
#define TRIAL_OPTIONS 8
typedef struct trial_options {
    int count;
    const char *name[TRIAL_OPTIONS], *value[TRIAL_OPTIONS];
} trial_options;

static trial_options scatter_once(const char *tile_area_m2)
{
    return (trial_options){
        5,
        {"max-bounces", "max-reflections", "max-diffractions", "tile-area-m2", "ground-margin-m"},
        {"1", "0", "0", tile_area_m2, "0"},
    };
}

static rcity_receivers at_points(int64_t count, const double *xyh_m)
{
    rcity_receivers receivers = rcity_receivers_default();
    receivers.point_count = count;
    receivers.xyh_m = xyh_m;
    return receivers;
}

/* Bounces, paths over roofs and scattering; the senders are listed. */
static void open_trial(rcity_context *context, const rcity_scene *scene, const trial_options *options,
                       const double *tx_xyh_m, rcity_receivers receivers, bool keeps_tiles, sender_trial *trial)
{
    rcity_job *job = &trial->job;
    memset(trial, 0, sizeof *trial);
    trial->context = context;
    trial->receivers = receivers;
    trial->tx.stated = rcity_transmitter_default();
    trial->tx.stated.x_m = tx_xyh_m[0];
    trial->tx.stated.y_m = tx_xyh_m[1];
    trial->tx.stated.height_m = tx_xyh_m[2];
    trial->tx.stated.frequency_hz = FREQUENCY_HZ;
    assert_ok(context, rcity_device_open(context, "host", &trial->device));
    *job = (rcity_job){.context = context,
                       .scene = scene,
                       .shapes = rcity_scene_shapes(scene),
                       .device = trial->device,
                       .method = &rcity_tiles_method,
                       .receivers = &trial->receivers};
    if (receivers.point_count == 0) {
        assert_ok(context, rcity_receivers_get_raster(context, scene, &trial->receivers, &job->raster));
    }
    trial->roof_m = calloc((size_t)(job->raster.column_count * job->raster.row_count) + 1, sizeof *trial->roof_m);
    assert_non_null(trial->roof_m);
    job->roof_m = trial->roof_m;
    assert_ok(context, rcity_method_read_options(job, options->count, options->name, options->value));
    assert_ok(context, rcity_transmitter_locate(context, scene, &trial->tx.stated, &trial->tx.position));
    assert_ok(context, rcity_tiles_prepare(job, &trial->prepared));
    assert_ok(context, rcity_tiles_trace(job, trial->prepared, NULL, 1, &trial->tx, &trial->trace));
    assert_ok(context, rcity_tiles_run_init(job, trial->trace, &trial->tx, false, keeps_tiles, &trial->run));
    rcity_tiles_run *run = &trial->run;
    assert_ok(context, rcity_tiles_bounce(run));
    if (rcity_tile_senders_are_wanted(run)) {
        assert_ok(context, rcity_tile_senders_list(run, &trial->senders));
    }
    if (run->goes_over_roofs) {
        assert_ok(context, rcity_tiles_go_over_roofs(run));
    }
    assert_ok(context, rcity_tiles_glow(run));
}

static void close_trial(sender_trial *trial)
{
    rcity_tile_senders_deinit(trial->context, &trial->senders);
    rcity_tiles_run_deinit(&trial->run);
    rcity_tiles_release_trace(trial->context, trial->trace);
    rcity_tiles_release_prepared(trial->context, trial->prepared);
    rcity_device_close(&trial->device);
    free(trial->roof_m);
}

/* Power at a target, over that of an isotropic source at 1 m. */
static double scattered_at(const rcity_tiles_run *run, int32_t target)
{
    return (double)rcity_sender_target_sums(run, target)->power[RCITY_TILE_SCATTERED] /
           (double)rcity_sender_target_scale(run, target).power;
}

static double all_at(const rcity_tiles_run *run, int32_t target)
{
    double sum = 0.0;
    for (int i = 0; i < RCITY_TILE_CLASS_COUNT; i++) {
        sum += (double)rcity_sender_target_sums(run, target)->power[i];
    }
    return sum / (double)rcity_sender_target_scale(run, target).power;
}

static int32_t receiver_target(const rcity_tiles_run *run, int64_t receiver)
{
    return (int32_t)(run->prepared->tiling.tile_count + receiver);
}

/* What a receiver gets from one tile of a wall at x = 0 over a thin wall, by hand: Lambert's law and a knife edge. */
static double send_by_hand(const rcity_tile *tile, const double *tx, const double *rx, double edge_x_m, double edge_z_m,
                           double *whole_m)
{
    double in[3] = {(double)tile->x - tx[0], (double)tile->y - tx[1], (double)tile->z - tx[2]};
    double in_m = sqrt(in[0] * in[0] + in[1] * in[1] + in[2] * in[2]);
    double lit = 0.16 / (in_m * in_m) * -in[0] / in_m;
    double plan_m = hypot(rx[0] - (double)tile->x, rx[1] - (double)tile->y);
    double before_m = plan_m * (edge_x_m - (double)tile->x) / (rx[0] - (double)tile->x);
    double after_m = plan_m - before_m;
    double rise_m = edge_z_m - (double)tile->z;
    double length_m = hypot(before_m, rise_m) + hypot(after_m, edge_z_m - rx[2]);
    double above_m = rise_m - (rx[2] - (double)tile->z) * before_m / plan_m;
    float v = rcity_knife_edge_parameter((float)above_m, (float)before_m, (float)after_m, (float)WAVE_M);
    double loss_db = (double)rcity_knife_edge_exact_loss_db(v);
    double cos_out = (rx[0] - (double)tile->x) / plan_m * before_m / hypot(before_m, rise_m);
    double area_m2 = 4.0 * (double)tile->half_u * (double)tile->half_v;
    *whole_m = in_m + length_m;
    return lit * area_m2 / PI * cos_out / (length_m * length_m) * pow(10.0, -0.1 * loss_db);
}

/* A wall, lit from the street between it and a thin wall that is higher, behind which the receiver stands. */
static void test_one_wall_sends_what_lambert_and_the_edge_say(void **state)
{
    (void)state;
    static const double tx[] = {12, 3, 4};
    static const double rx[] = {160, -8, 1.5};
    static const test_box boxes[] = {{-10, -40, 0, 40, 14}, {40, -200, 40.03, 200, 18}};
    rcity_context *context = test_context(1);
    rcity_scene *scene = test_scene(context, boxes, 2);
    trial_options options = scatter_once("25");
    sender_trial trial;
    open_trial(context, scene, &options, tx, at_points(1, rx), false, &trial);
    rcity_tiles_run *run = &trial.run;
    double expected = 0.0, mean_m = 0.0;
    for (int64_t i = 0; i < run->prepared->tiling.tile_count; i++) {
        rcity_tile tile = run->prepared->tiling.tiles[i];
        tile.x += (float)trial.job.shapes->origin_x_m;
        tile.y += (float)trial.job.shapes->origin_y_m;
        if (tile.nx > 0.9f && fabsf(tile.x) < 0.1f) {
            double whole_m = 0.0;
            double power = send_by_hand(&tile, tx, rx, 40.0, 18.0, &whole_m);
            expected += power;
            mean_m += power * whole_m;
        }
    }
    int32_t target = receiver_target(run, 0);
    const rcity_tile_sums before = *rcity_sender_target_sums(run, target);
    assert_int_equal(before.power[RCITY_TILE_SCATTERED], 0);
    assert_ok(context, rcity_tile_senders_send(run, &trial.senders));
    double made = scattered_at(run, target);
    const rcity_tile_sums *sums = rcity_sender_target_sums(run, target);
    double length_m = (double)run->receiver_scale[0].distance_m + (double)(sums->detour - before.detour) /
                                                                      (double)sums->power[RCITY_TILE_SCATTERED] *
                                                                      (double)RCITY_TILE_DETOUR_M;
    print_message("one wall over one edge: %.2f dB by hand, %+.3f dB; mean length %.2f m by hand, %+.3f m\n",
                  10.0 * log10(expected), 10.0 * log10(made / expected), mean_m / expected,
                  length_m - mean_m / expected);
    assert_near(10.0 * log10(made / expected), 0.0, 0.2);
    assert_near(length_m, mean_m / expected, 0.2);
    assert_true(sums->arrival[0] > before.arrival[0] && sums->arrival[2] < before.arrival[2]);
    close_trial(&trial);
    test_close(&context, &scene, NULL);
}

/* Every sender to every hidden receiver, one after the other: what nobody has chosen. */
static double *send_all(const sender_trial *trial)
{
    const rcity_tiles_run *run = &trial->run;
    const rcity_tiles_prepared *prepared = run->prepared;
    int64_t count = prepared->receivers.open_count;
    int32_t cells = run->bounce.rough.cell_count;
    rcity_tile_glow_job job = rcity_tiles_run_glow_job(run);
    double *power = calloc((size_t)count + 1, sizeof *power);
    assert_non_null(power);
    for (int64_t s = 0; s < trial->senders.count; s++) {
        int32_t number = trial->senders.tile[s];
        for (int64_t r = 0; r < count; r++) {
            const int32_t list[] = {receiver_target(run, r)};
            rcity_tile_roof_path path;
            if (run->traced->sees_receiver[r] ||
                rcity_tile_views_find(prepared->views.receiver, prepared->views.row_first[number],
                                      prepared->views.row_first[number + 1], (int32_t)r) == r) {
                continue;
            }
            assert_ok(trial->context,
                      rcity_tile_roofs_find(trial->context, prepared->roofs, prepared->tiling.places[number],
                                            run->world.wavelength_m, run->range_m, 1, list, &path));
            for (int32_t cell = 0; cell < cells; cell++) {
                power[r] += (double)rcity_tile_send_power(job, &trial->senders.glows[s * cells + cell],
                                                          prepared->tiling.tiles[number], path);
            }
        }
    }
    return power;
}

/* Decibels between what is sent and what all tiles send, of the power of all paths. */
typedef struct sender_error {
    int count, wide_count; /* more than 3 dB */
    double mean, square, worst, left_out_square;
} sender_error;

static void measure_error(sender_trial *trial, sender_error *error)
{
    const rcity_tiles_run *run = &trial->run;
    int64_t count = run->prepared->receivers.open_count;
    double *power = send_all(trial);
    for (int64_t r = 0; r < count; r++) {
        power[r] += all_at(run, receiver_target(run, r));
    }
    double *before = calloc((size_t)count + 1, sizeof *before);
    assert_non_null(before);
    for (int64_t r = 0; r < count; r++) {
        before[r] = all_at(run, receiver_target(run, r));
    }
    assert_ok(trial->context, rcity_tile_senders_send(&trial->run, &trial->senders));
    for (int64_t r = 0; r < count; r++) {
        double made = all_at(run, receiver_target(run, r));
        if (!run->traced->sees_receiver[r] && power[r] > 0.0) {
            double off = 10.0 * log10(fmax(made, 1e-25) / power[r]);
            error->count++;
            error->wide_count += fabs(off) > 3.0;
            error->mean += off;
            error->square += off * off;
            error->worst = fmax(error->worst, fabs(off));
            error->left_out_square += pow(10.0 * log10(fmax(before[r], 1e-25) / power[r]), 2);
        }
    }
    free(before);
    free(power);
}

static void finish_error(sender_error *error, const char *name)
{
    error->mean /= error->count;
    error->square = sqrt(error->square / error->count);
    error->left_out_square = sqrt(error->left_out_square / error->count);
    print_message("%s: %d receivers, %+.2f dB, root mean square %.2f dB, worst %.1f dB, %d off by more than 3 dB; %.2f "
                  "dB if nothing "
                  "were sent\n",
                  name, error->count, error->mean, error->square, error->worst, error->wide_count,
                  error->left_out_square);
}

/* Few receivers and few tiles: all of them are tried, and nothing is left out. */
static void test_few_places_are_exact(void **state)
{
    (void)state;
    static const char *const models[] = {"lambertian", "directive"};
    for (int k = 0; k < 2; k++) {
        rcity_context *context = test_context(2);
        static const test_box boxes[] = {{0, 0, 40, 30, 20},
                                         {60, 0, 100, 45, 35},
                                         {0, 50, 35, 90, 15},
                                         {55, 65, 105, 95, 25},
                                         {0, 110, 70, 140, 30}};
        static const double tx[] = {50, 47, 3};
        double xyh_m[3 * CITY_POINTS];
        sender_error error = {0};
        sender_trial trial;
        rcity_scene *scene = test_scene(context, boxes, 5);
        trial_options options = scatter_once("100");
        for (uint64_t i = 0; i < CITY_POINTS; i++) {
            xyh_m[3 * i] = test_uniform(seed, 3 * i, 1.0, 120.0);
            xyh_m[3 * i + 1] = test_uniform(seed, 3 * i + 1, 1.0, 160.0);
            xyh_m[3 * i + 2] = test_uniform(seed, 3 * i + 2, 1.0, 40.0);
        }
        options.name[options.count] = "scattering";
        options.value[options.count++] = models[k];
        open_trial(context, scene, &options, tx, at_points(CITY_POINTS, xyh_m), false, &trial);
        measure_error(&trial, &error);
        finish_error(&error, models[k]);
        assert_true(error.count > 5 && error.worst < 0.01 && error.left_out_square > 0.1);
        close_trial(&trial);
        test_close(&context, &scene, NULL);
    }
}

/* A city of receivers and tiles: few of them are tried, the others estimated. */
static void test_many_places_are_near(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    rcity_city_options city = rcity_city_options_default();
    sender_error error = {0};
    sender_trial trial;
    rcity_scene *scene = NULL;
    double height_m = 1.5;
    double tx[3] = {0, 0, 6};
    rcity_receivers receivers = rcity_receivers_default();
    trial_options options = scatter_once("100");
    bool is_long = test_is_called_with("long");
    city.area_km2 = is_long ? 0.4 : 0.1;
    receivers.height_m = &height_m;
    receivers.cell_m = is_long ? 12.0 : 9.0;
    options.value[0] = "2";
    options.value[1] = "1";
    assert_ok(context, rcity_city_make(context, &city, &scene));
    rcity_cover cover = {true, 0, 0.0};
    for (tx[0] = tx[1] = is_long ? 320.0 : 160.0; cover.is_covered; tx[0] += 3.0) {
        assert_ok(context, rcity_scene_get_cover(context, scene, tx[0] + 3.0, tx[1], &cover));
    }
    open_trial(context, scene, &options, tx, receivers, false, &trial);
    print_message("%lld senders\n", (long long)trial.senders.count);
    measure_error(&trial, &error);
    finish_error(&error, "core");
    assert_true(error.count > 3 * RCITY_SENDER_PROBE_MAX);
    assert_true(fabs(error.mean) < 0.8 && error.square < 2.0 && error.square < 0.25 * error.left_out_square &&
                error.wide_count < error.count / 12);
    close_trial(&trial);
    test_close(&context, &scene, NULL);
}

/* A far wall has more equal tiles than are tried of a probe: some of them are, and all probes get their power. */
static void test_many_equal_senders_are_not_left_out(void **state)
{
    (void)state;
    static const double tx[] = {300, 0, 15};
    static const test_box boxes[] = {{-10, -35, 0, 35, 30}, {340, -60, 340.03, 60, 25}};
    const double height_m = 1.5;
    rcity_context *context = test_context(2);
    rcity_scene *scene = test_scene(context, boxes, 2);
    trial_options options = scatter_once("10000");
    sender_trial trial;
    rcity_receivers receivers = rcity_receivers_default();
    receivers.x_min_m = 380.0;
    receivers.y_min_m = -15.0;
    receivers.x_max_m = 420.0;
    receivers.y_max_m = 15.0;
    receivers.cell_m = 2.0;
    receivers.height_m = &height_m;
    options.name[options.count] = "wall-tile-area-m2";
    options.value[options.count++] = "1";
    options.name[options.count] = "tile-range-m";
    options.value[options.count++] = "450";
    open_trial(context, scene, &options, tx, receivers, false, &trial);
    assert_ok(context, rcity_tile_senders_send(&trial.run, &trial.senders));
    int64_t count = trial.run.prepared->receivers.open_count;
    int64_t more = 0;
    for (int64_t r = 0; r < count; r++) {
        more += scattered_at(&trial.run, receiver_target(&trial.run, r)) > 0.0;
    }
    print_message("%lld senders, %lld of %lld receivers reached\n", (long long)trial.senders.count, (long long)more,
                  (long long)count);
    assert_true(trial.senders.count > 3 * RCITY_SENDER_TRY_MAX / RCITY_SENDER_PROBE_MAX &&
                count > 2 * RCITY_SENDER_PROBE_MAX);
    assert_true(more >= RCITY_SENDER_PROBE_MAX);
    close_trial(&trial);
    test_close(&context, &scene, NULL);
}

/* Power of a link by facade and then roofs, and by roofs and then facade. */
typedef struct link_power {
    bool is_hidden;
    double facade_first, roofs_first;
} link_power;

static link_power measure_link(rcity_context *context, const rcity_scene *scene, const double *from, const double *to)
{
    link_power link = {false, 0.0, 0.0};
    for (int k = 0; k < 2; k++) { /* without paths over roofs, with them */
        trial_options options = scatter_once("4");
        sender_trial trial;
        options.name[options.count] = "over-roofs";
        options.value[options.count++] = k == 0 ? "off" : "on";
        open_trial(context, scene, &options, from, at_points(1, to), false, &trial);
        int32_t target = receiver_target(&trial.run, 0);
        double before = scattered_at(&trial.run, target);
        link.is_hidden = !trial.run.traced->sees_receiver[0];
        link.roofs_first = before - link.roofs_first;
        if (k == 1) {
            assert_ok(context, rcity_tile_senders_send(&trial.run, &trial.senders));
            link.facade_first = scattered_at(&trial.run, target) - before;
        }
        close_trial(&trial);
    }
    return link;
}

/* Exchanged ends exchange both kinds of paths. What differs is that tiles are divided where they send to a place near
   by, and not where they are lit from there. */
static void test_exchanged_ends_exchange_the_order(void **state)
{
    (void)state;
    const double weak = 1e-13;
    double square = 0.0, worst = 0.0;
    int count = 0;
    for (uint64_t city = 0; city < (test_is_called_with("long") ? 10 : 3); city++) {
        rcity_context *context = test_context(2);
        double xyh_m[3 * CITY_POINTS];
        rcity_scene *scene = trial_city(context, seed + 10 + city, 6, xyh_m);
        for (int i = 0; i < 8; i++) {
            const double *from = xyh_m + (size_t)3 * (size_t)i;
            const double *to = from + 24;
            link_power there = measure_link(context, scene, from, to);
            link_power back = measure_link(context, scene, to, from);
            const double pairs[2][2] = {{there.facade_first, back.roofs_first}, {there.roofs_first, back.facade_first}};
            for (int k = 0; k < 2 && there.is_hidden; k++) {
                assert_true((pairs[k][0] > weak) == (pairs[k][1] > weak) || pairs[k][0] + pairs[k][1] < 3.0 * weak);
                if (pairs[k][0] > weak && pairs[k][1] > weak) {
                    double off = 10.0 * log10(pairs[k][0] / pairs[k][1]);
                    square += off * off;
                    worst = fmax(worst, fabs(off));
                    count++;
                }
            }
        }
        test_close(&context, &scene, NULL);
    }
    print_message("%d pairs of paths of exchanged links: %.3f dB, root mean square; worst %.2f dB\n", count,
                  sqrt(square / count), worst);
    assert_true(count >= 10 && sqrt(square / count) < 0.1 && worst < 0.3);
}

/* So many receivers that few of them are tried. */
static rcity_receivers on_raster(const double *height_m)
{
    rcity_receivers receivers = rcity_receivers_default();
    receivers.height_m = height_m;
    receivers.cell_m = 5.0;
    return receivers;
}

/* The same bits for any number of threads. */
static void test_threads_change_nothing(void **state)
{
    (void)state;
    double xyh_m[3 * CITY_POINTS];
    const double height_m = 1.5;
    rcity_tile_sums *first[2] = {NULL, NULL};
    for (int threads = 1; threads <= 5; threads += 2) {
        rcity_context *context = test_context(threads);
        rcity_scene *scene = trial_city(context, seed + 3, 6, xyh_m);
        trial_options options = scatter_once("25");
        sender_trial trial;
        open_trial(context, scene, &options, xyh_m, on_raster(&height_m), true, &trial);
        assert_ok(context, rcity_tile_senders_send(&trial.run, &trial.senders));
        rcity_tiles_run *run = &trial.run;
        const rcity_tile_sums *made[2] = {run->receiver_sums, run->tile_sums};
        const int64_t count[2] = {run->prepared->receivers.open_count, run->prepared->tiling.tile_count};
        assert_true(run->effort.sent_count > 1000 && count[0] > 3 * RCITY_SENDER_PROBE_MAX);
        for (int k = 0; k < 2; k++) {
            size_t bytes = (size_t)count[k] * sizeof *made[k];
            if (threads == 1) {
                first[k] = malloc(bytes);
                assert_non_null(first[k]);
                memcpy(first[k], made[k], bytes);
            }
            assert_memory_equal(made[k], first[k], bytes);
        }
        close_trial(&trial);
        test_close(&context, &scene, NULL);
    }
    free(first[0]);
    free(first[1]);
}

/* Hidden tiles of surfaces get it as receivers at their centres do. */
static void test_tiles_get_it_too(void **state)
{
    (void)state;
    double xyh_m[3 * CITY_POINTS];
    rcity_context *context = test_context(2);
    rcity_scene *scene = trial_city(context, seed + 4, 6, xyh_m);
    trial_options options = scatter_once("200");
    sender_trial trial;
    open_trial(context, scene, &options, xyh_m, at_points(1, xyh_m + 3), true, &trial);
    rcity_tiles_run *run = &trial.run;
    int64_t tiles = run->prepared->tiling.tile_count;
    double *before = calloc((size_t)tiles, sizeof *before);
    assert_non_null(before);
    for (int32_t i = 0; i < tiles; i++) {
        before[i] = scattered_at(run, i);
    }
    assert_ok(context, rcity_tile_senders_send(run, &trial.senders));
    int more = 0, seen = 0;
    for (int32_t i = 0, next = 0; i < tiles; i++) {
        bool is_seen = next < run->traced->tile_count && run->traced->tiles[next] == i;
        next += is_seen;
        seen += is_seen;
        more += scattered_at(run, i) > before[i];
        assert_true(!is_seen || scattered_at(run, i) == before[i]);
    }
    print_message("%d of %lld tiles get more, %d are in sight\n", more, (long long)tiles, seen);
    assert_true(seen > 0 && more > (tiles - seen) / 3);
    free(before);
    close_trial(&trial);
    test_close(&context, &scene, NULL);
}

/* Nothing is sent without paths over roofs, scattering or a bounce for it, nor farther than tiles see. */
static void test_it_is_switched_off(void **state)
{
    (void)state;
    static const char *const switches[][2] = {{"over-roofs", "on"},
                                              {"over-roofs", "off"},
                                              {"scattering", "off"},
                                              {"max-bounces", "0"},
                                              {"tile-range-m", "10"}};
    double xyh_m[3 * CITY_POINTS];
    for (int k = 0; k < 5; k++) {
        rcity_context *context = test_context(1);
        rcity_scene *scene = trial_city(context, seed, 6, xyh_m);
        trial_options options = scatter_once("100");
        sender_trial trial;
        int at = k == 3 ? 0 : options.count++;
        options.name[at] = switches[k][0];
        options.value[at] = switches[k][1];
        open_trial(context, scene, &options, xyh_m, at_points(CITY_POINTS - 1, xyh_m + 3), false, &trial);
        double before = 0.0, after = 0.0;
        for (int64_t r = 0; r < trial.run.prepared->receivers.open_count; r++) {
            before += scattered_at(&trial.run, receiver_target(&trial.run, r));
        }
        assert_ok(context, rcity_tile_senders_send(&trial.run, &trial.senders));
        for (int64_t r = 0; r < trial.run.prepared->receivers.open_count; r++) {
            after += scattered_at(&trial.run, receiver_target(&trial.run, r));
        }
        assert_true(k == 0 ? after > before : after == before);
        assert_true((trial.senders.count > 0) == (k == 0 || k == 4));
        close_trial(&trial);
        test_close(&context, &scene, NULL);
    }
}

TEST_SUITE(tile_senders)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_wall_sends_what_lambert_and_the_edge_say),
        cmocka_unit_test(test_few_places_are_exact),
        cmocka_unit_test(test_many_places_are_near),
        cmocka_unit_test(test_many_equal_senders_are_not_left_out),
        cmocka_unit_test(test_exchanged_ends_exchange_the_order),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_tiles_get_it_too),
        cmocka_unit_test(test_it_is_switched_off),
    };
    return cmocka_run_group_tests_name("tile_senders", tests, NULL, NULL);
}
