/* Ways around corners against a plain recursion over all corners and pixels. */
#include "los_cases.h"
#include "sight_cases.h"

#include "method/shadow/canyon.h"
#include "radiocity/city.h"
#include "scene/shape/prism.h"

static const uint64_t seed = 7;
static int source_count = 6; /* a city */

/* A way as the plain recursion finds it. */
typedef struct plain_way {
    int32_t pixel;
    double length_m, angle_sum, square_sum, last_angle;
} plain_way;

typedef struct stage {
    los_stage los;
    rcity_canyon_tracer tracer;
    rcity_canyon canyon;
    uint64_t *lit;
    plain_way *ways;
    size_t way_count, way_capacity;
} stage;

static void open_stage(stage *s, rcity_city_kind kind, int thread_count)
{
    memset(s, 0, sizeof *s);
    rcity_context *context = test_context(thread_count);
    los_stage_open(context, sight_city(context, kind, 4, 0.1), 11.0, &s->los);
    assert_ok(context, rcity_canyon_tracer_init(context, &s->los.plane, &s->tracer));
    s->lit = calloc(s->los.mask_words, sizeof *s->lit);
}

static void close_stage(stage *s)
{
    rcity_context *context = s->los.context;
    free(s->ways);
    free(s->lit);
    rcity_canyon_deinit(context, &s->canyon);
    rcity_canyon_tracer_deinit(context, &s->tracer);
    los_stage_close(&s->los);
    rcity_context_destroy(&context);
}

static double turn(rcity_grid_point3 a, rcity_grid_point3 b, rcity_grid_point3 c)
{
    double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    return fabs(atan2(ux * vy - uy * vx, ux * vx + uy * vy));
}

static double way_m(const stage *s, rcity_grid_point3 a, rcity_grid_point3 b)
{
    return hypot((double)b.x - a.x, (double)b.y - a.y) / s->los.shapes->units_per_m;
}

/* Is a place a little way along a wall from one of its ends, and a little off it, outside of all buildings? */
static bool is_open(const stage *s, rcity_grid_point end, rcity_grid_point other)
{
    double dx = other.x - end.x, dy = other.y - end.y, length = hypot(dx, dy);
    dx /= length;
    dy /= length;
    for (int side = -1; side <= 1; side += 2) { /* inside on one side: open is the other */
        rcity_grid_point at = {(int32_t)lround(end.x + 10.0 * dx - 5.0 * side * dy),
                               (int32_t)lround(end.y + 10.0 * dy + 5.0 * side * dx)};
        bool is_free = true;
        for (int64_t p = 0; p < s->los.shapes->prism_count; p++) {
            is_free =
                is_free && rcity_prism_locate(s->los.shapes, &s->los.shapes->prisms[p], at) == RCITY_PLACE_OUTSIDE;
        }
        if (is_free) {
            return true;
        }
    }
    return false;
}

/* Of a chain so far: the places, the source first. Extend it by every corner, and light every pixel. */
static void recurse(stage *s, const rcity_grid_point3 *places, int count, int order)
{
    const rcity_shapes *shapes = s->los.shapes;
    for (int64_t i = 0; count > 1 && i < (int64_t)s->los.plane.row_count * s->los.plane.column_count; i++) {
        rcity_grid_point3 pixel = rcity_los_plane_pixel(&s->los.plane, (int32_t)(i % s->los.plane.column_count),
                                                        (int32_t)(i / s->los.plane.column_count));
        if (!rcity_sight_is_free(s->los.sight, places[count - 1], pixel) ||
            rcity_sight_is_free(s->los.sight, places[0], pixel) ||
            rcity_sight_is_free(s->los.sight, places[count - 2], pixel)) {
            continue;
        }
        plain_way way = {(int32_t)i, 0.0, 0.0, 0.0, turn(places[count - 2], places[count - 1], pixel)};
        for (int k = 1; k < count; k++) {
            way.length_m += way_m(s, places[k - 1], places[k]);
            if (k + 1 < count) {
                double angle = turn(places[k - 1], places[k], places[k + 1]);
                way.angle_sum += angle;
                way.square_sum += angle * angle;
            }
        }
        way.length_m = hypot(way.length_m + way_m(s, places[count - 1], pixel), (pixel.z - places[0].z) / 64.0);
        if (s->way_count == s->way_capacity) {
            s->way_capacity = 2 * s->way_capacity + 1000;
            s->ways = realloc(s->ways, s->way_capacity * sizeof *s->ways);
        }
        s->ways[s->way_count++] = way;
    }
    if (count > order) {
        return;
    }
    for (int64_t p = 0; p < shapes->prism_count; p++) {
        const rcity_prism *prism = &shapes->prisms[p];
        for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
            int32_t first = shapes->ring_first[ring], end = shapes->ring_first[ring + 1];
            for (int32_t i = first; i < end && prism->roof > s->los.plane.level; i++) {
                rcity_grid_point before = shapes->points[i > first ? i - 1 : end - 1], at = shapes->points[i],
                                 after = shapes->points[i + 1 < end ? i + 1 : first];
                rcity_grid_point3 next = {at.x, at.y, (places[0].z < prism->roof ? places[0].z : prism->roof) - 1};
                rcity_grid_point3 from = places[count - 1];
                /* the solid lies to the left of its walls: a source to the left sees a wall's back */
                double back_in = ((double)at.x - before.x) * ((double)from.y - before.y) -
                                 ((double)at.y - before.y) * ((double)from.x - before.x);
                double back_out = ((double)after.x - at.x) * ((double)from.y - at.y) -
                                  ((double)after.y - at.y) * ((double)from.x - at.x);
                bool is_own = at.x == from.x && at.y == from.y;
                if (is_own || (back_in > 0.0) == (back_out > 0.0) || !is_open(s, at, before) ||
                    !is_open(s, at, after) || !rcity_sight_is_free(s->los.sight, from, next)) {
                    continue;
                }
                bool is_seen = false;
                for (int k = 0; k + 1 < count; k++) {
                    double in = ((double)at.x - before.x) * ((double)places[k].y - before.y) -
                                ((double)at.y - before.y) * ((double)places[k].x - before.x);
                    double out = ((double)after.x - at.x) * ((double)places[k].y - at.y) -
                                 ((double)after.y - at.y) * ((double)places[k].x - at.x);
                    bool is_there = at.x == places[k].x && at.y == places[k].y;
                    is_seen = is_seen || (!is_there && (in > 0.0) != (out > 0.0) &&
                                          rcity_sight_is_free(s->los.sight, places[k], next));
                }
                if (!is_seen) {
                    rcity_grid_point3 longer[8];
                    memcpy(longer, places, (size_t)count * sizeof *places);
                    longer[count] = next;
                    recurse(s, longer, count + 1, order);
                }
            }
        }
    }
}

static int compare_ways(const void *left, const void *right)
{
    const plain_way *a = left, *b = right;
    if (a->pixel != b->pixel) {
        return a->pixel < b->pixel ? -1 : 1;
    }
    return (a->length_m > b->length_m) - (a->length_m < b->length_m);
}

static void compare(stage *s, rcity_grid_point3 source, int order)
{
    s->way_count = 0;
    recurse(s, &source, 1, order);
    assert_ok(s->los.context, rcity_canyon_trace(s->los.context, &s->tracer, source, order, s->lit, &s->canyon));
    assert_int_equal(s->canyon.way_count, s->way_count);
    plain_way *found = calloc(s->way_count + 1, sizeof *found);
    for (int32_t pixel = 0; pixel < s->los.plane.row_count * s->los.plane.column_count; pixel++) {
        for (size_t i = s->canyon.first[pixel]; i < s->canyon.first[pixel + 1]; i++) {
            const rcity_canyon_way *way = &s->canyon.ways[i];
            const rcity_shadow_turns *turns = &s->canyon.nodes[way->node].turns;
            found[i] = (plain_way){pixel, pow(10.0, (double)way->log_length), (double)turns->angle_sum_rad,
                                   (double)turns->angle_square_sum_rad2, (double)way->angle_rad};
        }
    }
    if (s->way_count > 0) {
        qsort(found, s->way_count, sizeof *found, compare_ways);
        qsort(s->ways, s->way_count, sizeof *s->ways, compare_ways);
    }
    for (size_t i = 0; i < s->way_count; i++) {
        assert_int_equal(found[i].pixel, s->ways[i].pixel);
        assert_near(found[i].length_m / s->ways[i].length_m, 1.0, 1e-5);
    }
    /* ways of one length may stand in either order: their angles as sums */
    double sums[2][3] = {{0.0}};
    for (size_t i = 0; i < s->way_count; i++) {
        sums[0][0] += found[i].angle_sum, sums[1][0] += s->ways[i].angle_sum;
        sums[0][1] += found[i].square_sum, sums[1][1] += s->ways[i].square_sum;
        sums[0][2] += found[i].last_angle, sums[1][2] += s->ways[i].last_angle;
    }
    for (int k = 0; k < 3; k++) {
        assert_near(sums[0][k], sums[1][k], 1e-4 * (1.0 + sums[1][k]));
    }
    free(found);
}

static void test_recursion(void **state)
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
            total += s.way_count;
        }
        print_message("%s, seed %llu: %d sources, %zu ways\n", rcity_city_kind_name((rcity_city_kind)kind),
                      (unsigned long long)seed, source_count, total);
        assert_true(total > 100);
        close_stage(&s);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        source_count = 20;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
