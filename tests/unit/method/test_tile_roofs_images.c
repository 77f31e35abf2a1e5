/* What paths over roofs lose against the chains of method images: 300 targets in each of two cities. */
#define RCITY_REAL_IS_DOUBLE

#include "munich.h"
#include "scene/place/terrain.h"
#include "sight_cases.h"
#include "tile_roof_world.h"

#include "method/images/field/path_chain.h"
#include "method/images/roofs/over_roofs.h"
#include "scene/shape/facades.h"
#include "scene/tiles/tiling.h"

#define SOURCE_COUNT 30
#define EACH_COUNT   10 /* targets of a source */

static const uint64_t seed = 947;

typedef struct comparison {
    tile_roof_world city;
    rcity_facet_table world;
    rcity_plan_index prism_index;
    rcity_profile profile;
    rcity_tiling tiling;
    rcity_tile_place *places; /* of tiles, 6 cm off: chains of images leave out edges within 5 cm of their ends */
} comparison;

static void open_comparison(rcity_context *context, rcity_scene *scene, double frequency_hz, comparison *c)
{
    memset(c, 0, sizeof *c);
    tile_roof_world_open(context, scene, "host", &c->city);
    const rcity_shapes *shapes = c->city.shapes;
    assert_ok(context, rcity_facet_table_init(context, scene, frequency_hz, &c->world));
    assert_ok(context, rcity_shapes_index_prisms(context, shapes, &c->prism_index));
    rcity_tiling_options options = rcity_tiling_options_default();
    assert_ok(context, rcity_tiling_init(context, scene, &c->world, &options, &c->tiling));
    c->places = calloc((size_t)c->tiling.tile_count, sizeof *c->places);
    for (int64_t i = 0; i < c->tiling.tile_count; i++) {
        const rcity_tile *tile = &c->tiling.tiles[i];
        c->places[i] = c->tiling.places[i];
        c->places[i].x += (int32_t)lround((double)tile->nx * 0.0625 * shapes->units_per_m);
        c->places[i].y += (int32_t)lround((double)tile->ny * 0.0625 * shapes->units_per_m);
        c->places[i].z += (int32_t)lround((double)tile->nz * 0.0625 * RCITY_HEIGHT_UNITS_PER_M);
    }
}

static void close_comparison(comparison *c)
{
    rcity_context *context = c->city.context;
    free(c->places);
    rcity_tiling_deinit(context, &c->tiling);
    rcity_profile_deinit(context, &c->profile);
    rcity_plan_index_deinit(context, &c->prism_index);
    rcity_facet_table_deinit(context, &c->world);
    tile_roof_world_close(&c->city);
    rcity_context_destroy(&context);
}

static rcity_place3 position(const rcity_shapes *shapes, rcity_tile_place place)
{
    return (rcity_place3){place.x / (double)shapes->units_per_m, place.y / (double)shapes->units_per_m,
                          place.z / (double)RCITY_HEIGHT_UNITS_PER_M};
}

/* The loss of the chain without mirrors, over free space at its length. */
static double chain_excess_db(comparison *c, rcity_place3 tx, rcity_place3 rx)
{
    rcity_context *context = c->city.context;
    assert_ok(context, rcity_profile_build(context, &c->world, &c->prism_index, tx, rx, &c->profile));
    rcity_roof_span span = {0.0, hypot(rx.x - tx.x, rx.y - tx.y), tx.z, rx.z};
    rcity_profile_point *edges = calloc(c->profile.count + 2, sizeof *edges);
    int count = rcity_over_roofs_gather(&c->world, &c->profile, &span, edges);
    count = rcity_over_roofs_limit(&c->world, edges, count);
    rcity_trace_path path;
    memset(&path, 0, sizeof path);
    path.tx = tx;
    path.rx = rx;
    for (int i = 1; i + 1 < count; i++) {
        double part = edges[i].distance_m / span.length_m;
        rcity_place3 point = {tx.x + part * (rx.x - tx.x), tx.y + part * (rx.y - tx.y), edges[i].z};
        path.event[path.event_count++] = (rcity_trace_event){RCITY_EVENT_OVER_ROOFS, RCITY_TRACE_ROOF, point};
    }
    free(edges);
    rcity_chain_field made = rcity_path_chain_field(&c->world, &path, 0);
    return fmax(-10.0 * log10(made.field.re * made.field.re + made.field.im * made.field.im), 0.0);
}

/* A source in the air over a random tile. */
static rcity_tile_place draw_source(const comparison *c, uint64_t *i, double height_m)
{
    while (true) {
        rcity_tile_place at = c->places[test_random(seed, (*i)++) % (uint64_t)c->tiling.tile_count];
        at.z = (int32_t)(height_m * RCITY_HEIGHT_UNITS_PER_M);
        rcity_grid_point3 from = {at.x, at.y, at.z};
        if (rcity_sight_is_free(c->city.sight, from, (rcity_grid_point3){at.x, at.y, 1200000})) {
            return at;
        }
    }
}

typedef struct difference {
    int count;
    double sum_db, square_sum_db2, worst_db;
} difference;

/* Hidden tiles of one source. */
static void compare_source(comparison *c, rcity_tile_roofs *roofs, double wavelength_m, uint64_t *i, difference *found)
{
    rcity_tile_place source = draw_source(c, i, *i % 2 == 0 ? 13.0 : 30.0);
    for (int k = 0; k < EACH_COUNT;) {
        int32_t tile = (int32_t)(test_random(seed, (*i)++) % (uint64_t)c->tiling.tile_count);
        rcity_tile_place at = c->places[tile];
        rcity_tile_roof_path path;
        assert_ok(c->city.context,
                  rcity_tile_roofs_find(c->city.context, roofs, source, wavelength_m, 1500.0, 1, &tile, &path));
        if (isnan(path.excess_db) ||
            rcity_sight_is_free(c->city.sight, (rcity_grid_point3){source.x, source.y, source.z},
                                (rcity_grid_point3){at.x, at.y, at.z})) {
            continue;
        }
        const rcity_shapes *shapes = c->city.shapes;
        double expected = chain_excess_db(c, position(shapes, source), position(shapes, at));
        double error_db = (double)path.excess_db - expected;
        found->count++;
        found->sum_db += error_db;
        found->square_sum_db2 += error_db * error_db;
        found->worst_db = fabs(error_db) > fabs(found->worst_db) ? error_db : found->worst_db;
        k++;
    }
}

static void check_city(rcity_context *context, rcity_scene *scene, const char *what, double frequency_hz)
{
    comparison c;
    open_comparison(context, scene, frequency_hz, &c);
    rcity_tile_roofs *roofs = NULL;
    assert_ok(context,
              rcity_tile_roofs_open(context, c.city.device, c.city.sight, c.tiling.tile_count, c.places, &roofs));
    difference found = {0, 0.0, 0.0, 0.0};
    uint64_t i = 0;
    for (int s = 0; s < SOURCE_COUNT; s++) {
        compare_source(&c, roofs, 299792458.0 / frequency_hz, &i, &found);
    }
    rcity_tile_roofs_close(&roofs);
    double mean_db = found.sum_db / found.count;
    double deviation_db = sqrt(found.square_sum_db2 / found.count - mean_db * mean_db);
    print_message("%s, %g MHz, seed %llu: %d hidden tiles within 1.5 km, against images mean %.2f dB, standard "
                  "deviation %.2f dB, worst %.2f dB\n",
                  what, frequency_hz / 1e6, (unsigned long long)seed, found.count, mean_db, deviation_db,
                  found.worst_db);
    assert_true(fabs(mean_db) < 1.2 && deviation_db < 1.8 && fabs(found.worst_db) < 12.0);
    close_comparison(&c);
}

static void test_losses_follow_images_in_a_made_core(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        rcity_context *context = test_context(2);
        check_city(context, sight_city(context, RCITY_CITY_CORE, 1, 2.0), "core", k == 0 ? 947e6 : 2100e6);
    }
}

static void test_losses_follow_images_in_munich(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        rcity_scene *scene = NULL;
        rcity_context *context = test_munich_open(2, &scene);
        check_city(context, scene, "Munich", k == 0 ? 947e6 : 2100e6);
    }
}

TEST_SUITE(tile_roofs_images)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_follow_images_in_a_made_core),
        cmocka_unit_test(test_losses_follow_images_in_munich),
    };
    return cmocka_run_group_tests_name("tile_roofs_images", tests, NULL, NULL);
}
