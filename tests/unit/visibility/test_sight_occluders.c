/* Occluders: what one of them blocks, the plain test finds blocked; and what one blocks clearly, it finds. */
#include "visibility/sight/sight_occluders.h"

#include "sight_cases.h"

typedef struct occluder_stage {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight;
    rcity_segment_scratch scratch;
    rcity_sight_occluders occluders;
    long line_count, blocked_count, hidden_count, crossed_count, found_count;
} occluder_stage;

static void stage_init(occluder_stage *stage, rcity_context *context, rcity_scene *scene)
{
    memset(stage, 0, sizeof *stage);
    stage->context = context;
    stage->scene = scene;
    stage->shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_sight_create(context, stage->shapes, &stage->sight));
    assert_ok(context, rcity_segment_scratch_init(context, stage->shapes, &stage->scratch));
    assert_ok(context, rcity_sight_occluders_init(context, stage->sight, &stage->occluders));
}

static void stage_deinit(occluder_stage *stage)
{
    rcity_sight_occluders_deinit(stage->context, &stage->occluders);
    rcity_segment_scratch_deinit(stage->context, &stage->scratch);
    rcity_sight_destroy(stage->context, &stage->sight);
    rcity_scene_destroy(&stage->scene);
}

/* By how much a line crosses an occluder, in exact integers turned into doubles: all are positive where it does. The
   least distance of an end of either from the other's line, and of the crossing from the roof, in units. */
static double crossing_depth(rcity_sight_occluder o, rcity_sight_segment s)
{
    rcity_grid_point a = {s.ax, s.ay};
    rcity_grid_point b = {s.bx, s.by};
    rcity_grid_point p = {o.px, o.py};
    rcity_grid_point q = {o.qx, o.qy};
    int sign = rcity_orient(a, b, p) > 0 ? 1 : -1;
    double line_length = hypot((double)b.x - a.x, (double)b.y - a.y);
    double length = hypot((double)q.x - p.x, (double)q.y - p.y);
    double p_side = (double)(sign * rcity_orient(a, b, p));
    double q_side = (double)(-sign * rcity_orient(a, b, q));
    double a_side = (double)(sign * rcity_orient(p, q, a));
    double b_side = (double)(-sign * rcity_orient(p, q, b));
    if (p_side <= 0.0 || q_side <= 0.0) {
        return -1.0;
    }
    a_side = -a_side;
    b_side = -b_side;
    if (a_side <= 0.0 || b_side <= 0.0) {
        return -1.0;
    }
    double room = ((double)(o.roof - s.az) * b_side + (double)(o.roof - s.bz) * a_side) / (a_side + b_side);
    return fmin(fmin(fmin(p_side, q_side) / line_length, fmin(a_side, b_side) / length), room);
}

/* Lines up to this length meet all occluders that they cross by more than this; longer ones are rounded more. */
#define CLEAR_LENGTH_UNITS 20000.0
#define CLEAR_DEPTH_UNITS  8.0

/* One line against all occluders, and the one that a walk along it finds. */
static void check_line(occluder_stage *stage, uint64_t seed, rcity_grid_point3 from, rcity_grid_point3 to)
{
    double length = hypot((double)to.x - from.x, (double)to.y - from.y);
    const rcity_sight_occluders *occluders = &stage->occluders;
    rcity_sight_segment segment = {from.x, from.y, from.z, to.x, to.y, to.z};
    bool is_free = rcity_segment_is_free(stage->shapes, &stage->scratch, from, to);
    long hidden_count = 0;
    for (int32_t i = 0; i < occluders->count; i++) {
        bool is_hidden = rcity_sight_occluder_blocks(occluders->items[i], segment);
        double depth = crossing_depth(occluders->items[i], segment);
        if ((is_hidden && (is_free || depth <= 0.0)) ||
            (!is_hidden && depth > CLEAR_DEPTH_UNITS && length < CLEAR_LENGTH_UNITS)) {
            print_error("seed %d: (%d %d %d) to (%d %d %d): occluder %d blocks it: %d, by %g units; free: %d\n",
                        (int)seed, from.x, from.y, from.z, to.x, to.y, to.z, i, is_hidden, depth, is_free);
            fail();
        }
        hidden_count += is_hidden;
        stage->crossed_count += depth > 0.0;
    }
    int32_t found = -1;
    rcity_sight_answer answer =
        rcity_sight_find_occluder(&stage->sight->view, occluders->items, occluders->wall_first, segment, &found);
    assert_true(answer == RCITY_SIGHT_LOOK_CLOSELY || (answer == RCITY_SIGHT_FREE) == is_free);
    if (found >= 0) {
        assert_true(found < occluders->count && !is_free);
        assert_true(rcity_sight_occluder_blocks(occluders->items[found], segment));
    }
    stage->line_count++;
    stage->blocked_count += !is_free;
    stage->hidden_count += hidden_count;
    stage->found_count += found >= 0;
}

static void check_scene(occluder_stage *stage, uint64_t seed, uint64_t count, double reach_m)
{
    for (int family = 0; family < SIGHT_FAMILY_COUNT; family++) {
        for (uint64_t i = 0; i < count; i++) {
            rcity_grid_point3 from;
            rcity_grid_point3 to;
            sight_case(stage->shapes, (sight_family)family, seed, i, reach_m, &from, &to);
            check_line(stage, seed, from, to);
        }
    }
}

static void print_stage(const occluder_stage *stage, const char *name)
{
    print_message("%s: %ld lines, %ld blocked, occluders found for %ld; %ld crossings of them, %ld clear ones\n", name,
                  stage->line_count, stage->blocked_count, stage->found_count, stage->crossed_count,
                  stage->hidden_count);
    assert_true(stage->crossed_count == 0 || stage->found_count > stage->blocked_count / 4);
    assert_true(stage->hidden_count >= stage->crossed_count * 9 / 10);
}

/* Polygons that overlap and touch, with holes; grazing lines of every kind. */
static void test_occluders_block_among_polygons(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    occluder_stage all;
    memset(&all, 0, sizeof all);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        occluder_stage stage;
        stage_init(&stage, context, sight_messy_scene(context, seed));
        check_scene(&stage, seed, 40, 20.0);
        all.line_count += stage.line_count;
        all.blocked_count += stage.blocked_count;
        all.found_count += stage.found_count;
        all.crossed_count += stage.crossed_count;
        all.hidden_count += stage.hidden_count;
        stage_deinit(&stage);
    }
    print_stage(&all, "messy scenes, seeds 1 to 40");
    rcity_context_destroy(&context);
}

static void test_occluders_block_in_cities(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        occluder_stage stage;
        stage_init(&stage, context, sight_city(context, (rcity_city_kind)kind, 5, 0.1));
        check_scene(&stage, 5, 60, 300.0);
        print_stage(&stage, rcity_city_kind_name((rcity_city_kind)kind));
        stage_deinit(&stage);
    }
    rcity_context_destroy(&context);
}

/* Every prism that does not touch itself has an occluder for each direction, no narrower across it than its walls. */
static void test_every_direction_has_the_widest(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    occluder_stage stage;
    stage_init(&stage, context, sight_city(context, RCITY_CITY_CORE, 2, 0.1));
    long diagonal_count = 0;
    for (int32_t i = 0; i < stage.occluders.wall_first; i++) {
        rcity_sight_occluder wide = stage.occluders.items[i];
        const rcity_prism *prism = &stage.shapes->prisms[i / RCITY_SIGHT_WAY_COUNT];
        double angle_rad = (i % RCITY_SIGHT_WAY_COUNT + 0.5) * (double)RCITY_PI / RCITY_SIGHT_WAY_COUNT;
        double x = cos(angle_rad);
        double y = sin(angle_rad);
        double across = fabs(x * (wide.qy - wide.py) - y * (wide.qx - wide.px));
        assert_int_equal(rcity_sight_way(rcity_sight_sector((int32_t)(1e6 * x), (int32_t)(1e6 * y))),
                         i % RCITY_SIGHT_WAY_COUNT);
        assert_int_equal(wide.roof, prism->roof);
        bool is_wall = false;
        for (int32_t wall = stage.shapes->ring_first[prism->first_ring];
             wall < stage.shapes->ring_first[prism->first_ring + prism->ring_count]; wall++) {
            rcity_sight_occluder own = stage.occluders.items[stage.occluders.wall_first + wall];
            assert_true(across >= fabs(x * (own.qy - own.py) - y * (own.qx - own.px)));
            is_wall = is_wall || (own.px == wide.px && own.py == wide.py && own.qx == wide.qx && own.qy == wide.qy);
        }
        diagonal_count += !is_wall;
    }
    print_message("%ld of %d are diagonals\n", diagonal_count, stage.occluders.wall_first);
    assert_true(diagonal_count > stage.occluders.wall_first / 4);
    stage_deinit(&stage);
    rcity_context_destroy(&context);
}

/* Opposite directions are opposite sectors, and sectors follow the angle. */
static void test_sectors_go_round(void **state)
{
    (void)state;
    int32_t last = 0;
    for (int i = 0; i < 3600; i++) {
        double angle_rad = (i + 0.5) * 2.0 * (double)RCITY_PI / 3600.0;
        int32_t dx = (int32_t)lround(1e6 * cos(angle_rad));
        int32_t dy = (int32_t)lround(1e6 * sin(angle_rad));
        int32_t sector = rcity_sight_sector(dx, dy);
        assert_true(sector == last || sector == last + 1);
        assert_in_range(sector, 0, RCITY_SIGHT_SECTOR_COUNT - 1);
        assert_int_equal(rcity_sight_sector(-dx, -dy),
                         (sector + RCITY_SIGHT_SECTOR_COUNT / 2) % RCITY_SIGHT_SECTOR_COUNT);
        last = sector;
    }
    assert_int_equal(last, RCITY_SIGHT_SECTOR_COUNT - 1);
    assert_in_range(rcity_sight_sector(0, 0), 0, RCITY_SIGHT_SECTOR_COUNT - 1);
}

TEST_SUITE(sight_occluders)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_occluders_block_among_polygons),
        cmocka_unit_test(test_occluders_block_in_cities),
        cmocka_unit_test(test_every_direction_has_the_widest),
        cmocka_unit_test(test_sectors_go_round),
    };
    return cmocka_run_group_tests_name("sight_occluders", tests, NULL, NULL);
}
