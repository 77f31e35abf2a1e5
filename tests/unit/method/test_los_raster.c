/* Rasters of sight by shadows against the segment test, pixel by pixel. */
#include "rcity_test.h"

#include <time.h>

#include "method/shadow/los_raster.h"
#include "radiocity/city.h"
#include "radiocity/io.h"

static const uint64_t seed = 5;
static int source_count = 12; /* a city */

typedef struct stage {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_los_plane plane;
    rcity_los_worker worker;
    uint64_t *fast, *plain;
} stage;

static void open_stage(stage *s, double cell_m)
{
    s->shapes = rcity_scene_shapes(s->scene);
    assert_ok(s->context, rcity_sight_create(s->context, s->shapes, &s->sight));
    rcity_receivers receivers = rcity_receivers_default();
    receivers.cell_m = cell_m;
    rcity_raster raster;
    assert_ok(s->context, rcity_receivers_get_raster(s->context, s->scene, &receivers, &raster));
    assert_ok(s->context, rcity_los_plane_init(s->context, s->shapes, s->sight, &raster, 1.5, &s->plane));
    assert_ok(s->context, rcity_los_worker_init(s->context, &s->plane, &s->worker));
    size_t words = s->plane.row_words * (size_t)s->plane.row_count;
    s->fast = calloc(words, sizeof *s->fast);
    s->plain = calloc(words, sizeof *s->plain);
}

static void close_stage(stage *s)
{
    free(s->fast);
    free(s->plain);
    rcity_los_worker_deinit(s->context, &s->worker);
    rcity_los_plane_deinit(s->context, &s->plane);
    rcity_sight_destroy(s->context, &s->sight);
    rcity_scene_destroy(&s->scene);
    rcity_context_destroy(&s->context);
}

static void compare(stage *s, rcity_grid_point3 source, const char *what, int64_t *lit)
{
    size_t words = s->plane.row_words * (size_t)s->plane.row_count;
    assert_ok(s->context, rcity_los_trace(s->context, &s->plane, &s->worker, source, s->fast));
    rcity_los_trace_plainly(&s->plane, source, s->plain);
    for (size_t i = 0; i < words; i++) {
        uint64_t differs = s->fast[i] ^ s->plain[i];
        *lit += __builtin_popcountll(s->plain[i]);
        if (differs != 0) {
            int32_t column = (int32_t)(i % s->plane.row_words * 64) + __builtin_ctzll(differs);
            int32_t row = (int32_t)(i / s->plane.row_words);
            print_error("%s: source %d %d %d, pixel %d %d (%d %d): plain %d\n", what, source.x, source.y, source.z,
                        column, row, s->plane.x[column], s->plane.y[row], (int)((s->plain[i] >> (column % 64)) & 1));
            fail();
        }
    }
}

/* Sources of all kinds: anywhere, on round places, on corners and walls, low and high. */
static void compare_many(stage *s, const char *what)
{
    const rcity_shapes *shapes = s->shapes;
    int64_t lit = 0;
    for (int i = 0; i < source_count; i++) {
        uint64_t at = 100 * (uint64_t)i;
        rcity_grid_point3 source = {(int32_t)test_uniform(seed, at, shapes->x_min - 2000, shapes->x_max + 2000),
                                    (int32_t)test_uniform(seed, at + 1, shapes->y_min - 2000, shapes->y_max + 2000), 0};
        static const double heights_m[] = {13.0, 40.0, 1.5, 0.75, 6.0, 25.0, 90.0};
        source.z = (int32_t)(heights_m[i % 7] * 64.0);
        int kind = i % 6;
        if (kind == 1) { /* a corner */
            rcity_grid_point corner = shapes->points[test_random(seed, at + 2) % (uint64_t)shapes->point_count];
            source.x = corner.x;
            source.y = corner.y;
        } else if (kind == 2) { /* a pixel */
            source.x = s->plane.x[test_random(seed, at + 3) % (uint64_t)s->plane.column_count];
            source.y = s->plane.y[test_random(seed, at + 4) % (uint64_t)s->plane.row_count];
        } else if (kind == 3) { /* in line with corners */
            source.x = shapes->points[test_random(seed, at + 5) % (uint64_t)shapes->point_count].x;
            source.y = shapes->points[test_random(seed, at + 6) % (uint64_t)shapes->point_count].y;
        }
        compare(s, source, what, &lit);
    }
    print_message("%s, seed %llu: %d sources, %lld pixels of them lit\n", what, (unsigned long long)seed, source_count,
                  (long long)lit);
    assert_true(lit > 1000);
}

static void test_cities(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        stage s;
        memset(&s, 0, sizeof s);
        s.context = test_context(1);
        rcity_city_options options = rcity_city_options_default();
        options.kind = (rcity_city_kind)kind;
        options.area_km2 = 0.2;
        options.seed = 3;
        assert_ok(s.context, rcity_city_make(s.context, &options, &s.scene));
        open_stage(&s, kind == 0 ? 4.0 : 3.3);
        compare_many(&s, rcity_city_kind_name(options.kind));
        close_stage(&s);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        source_count = 200;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
