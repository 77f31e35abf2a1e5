/* Paths around corners against a plain recursion over all corners and pixels. */
#include "corners_plain.h"
#include "los_cases.h"
#include "sight_cases.h"

#include "radiocity/city.h"

static const uint64_t seed = 7;
static int source_count = 6; /* a city */

typedef struct stage {
    los_stage los;
    rcity_corner_tracer tracer;
    rcity_corner_paths corner_paths;
    uint64_t *visible;
    rcity_grid_point3 *pixels;
    corners_plain plain;
} stage;

static void open_stage(stage *s, rcity_city_kind kind, int thread_count)
{
    memset(s, 0, sizeof *s);
    rcity_context *context = test_context(thread_count);
    los_stage_open(context, sight_city(context, kind, 4, 0.1), 11.0, &s->los);
    assert_ok(context, rcity_corner_tracer_init(context, &s->los.plane, &s->tracer));
    const rcity_los_plane *plane = &s->los.plane;
    int64_t count = (int64_t)plane->row_count * plane->column_count;
    s->visible = calloc(s->los.mask_words, sizeof *s->visible);
    s->pixels = calloc((size_t)count, sizeof *s->pixels);
    for (int64_t i = 0; i < count; i++) {
        s->pixels[i] =
            rcity_los_plane_pixel(plane, (int32_t)(i % plane->column_count), (int32_t)(i / plane->column_count));
    }
    s->plain = (corners_plain){.sight = s->los.sight,
                               .shapes = s->los.shapes,
                               .level = plane->level,
                               .receiver_count = count,
                               .receivers = s->pixels};
}

static void close_stage(stage *s)
{
    rcity_context *context = s->los.context;
    free(s->plain.paths);
    free(s->pixels);
    free(s->visible);
    rcity_corner_paths_deinit(context, &s->corner_paths);
    rcity_corner_tracer_deinit(context, &s->tracer);
    los_stage_close(&s->los);
    rcity_context_destroy(&context);
}

static void compare(stage *s, rcity_grid_point3 source, int order)
{
    corners_plain_find(&s->plain, source, order);
    assert_ok(s->los.context,
              rcity_corner_tracer_trace(s->los.context, &s->tracer, source, order, s->visible, &s->corner_paths));
    assert_int_equal(s->corner_paths.path_count, s->plain.path_count);
    corners_plain_compare(&s->plain, &s->corner_paths, NULL);
}

static void test_corner_paths_to_pixels_equal_plain_recursion(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        stage s;
        open_stage(&s, (rcity_city_kind)kind, 2);
        size_t total = 0;
        for (int i = 0; i < source_count; i++) {
            uint64_t at = 50 * (uint64_t)i;
            rcity_grid_point3 source = {(int32_t)test_uniform(seed, at, s.los.shapes->x_min, s.los.shapes->x_max),
                                        (int32_t)test_uniform(seed, at + 1, s.los.shapes->y_min, s.los.shapes->y_max),
                                        0};
            double ground = 0.0;
            if (s.los.plane.z != NULL) {
                ground = (double)s.los.plane.z[s.los.plane.column_count * s.los.plane.row_count / 2];
            }
            source.z = (int32_t)(ground + (i % 2 == 0 ? 6.0 : 14.0) * 64.0);
            compare(&s, source, 1 + i % 2);
            total += s.plain.path_count;
        }
        print_message("%s, seed %llu: %d sources, %zu paths\n", rcity_city_kind_name((rcity_city_kind)kind),
                      (unsigned long long)seed, source_count, total);
        assert_true(total > 100);
        close_stage(&s);
    }
}

/* Where a building touches itself waves pass through and are not diffracted: no chain ends there. */
static void test_no_path_turns_at_touching_corners(void **state)
{
    (void)state;
    rcity_context *context = test_context(2);
    los_stage los;
    rcity_grid_point3 source = los_knot_open(context, false, &los);
    rcity_corner_tracer tracer;
    rcity_corner_paths corner_paths;
    memset(&corner_paths, 0, sizeof corner_paths);
    uint64_t *visible = calloc(los.mask_words, sizeof *visible);
    assert_ok(context, rcity_corner_tracer_init(context, &los.plane, &tracer));
    double per_m = los.shapes->units_per_m;
    int32_t knot_x = (int32_t)lround((10.5 - los.shapes->origin_x_m) * per_m);
    int32_t knot_y = (int32_t)lround((20.5 - los.shapes->origin_y_m) * per_m);
    source.x += (int32_t)(40.0 * per_m); /* outside, where corners are seen */
    source.y += (int32_t)(30.0 * per_m);
    assert_ok(context, rcity_corner_tracer_trace(context, &tracer, source, 3, visible, &corner_paths));
    assert_true(corner_paths.node_count > 3);
    for (size_t i = 0; i < corner_paths.node_count; i++) {
        assert_true(corner_paths.nodes[i].at.x != knot_x || corner_paths.nodes[i].at.y != knot_y);
    }
    free(visible);
    rcity_corner_paths_deinit(context, &corner_paths);
    rcity_corner_tracer_deinit(context, &tracer);
    los_stage_close(&los);
    rcity_context_destroy(&context);
}

TEST_SUITE(corner_tracer)
{
    if (test_is_called_with("long")) {
        source_count = 20;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corner_paths_to_pixels_equal_plain_recursion),
        cmocka_unit_test(test_no_path_turns_at_touching_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
