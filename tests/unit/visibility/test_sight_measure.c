/* What a line meets: first obstacle, walls, metres in buildings and foliage, against the plain measures. */
#include "visibility/sight/sight_data.h"

#include "rcity_test.h"
#include "sight_cases.h"
#include "sight_plain.h"

/* Lengths are single precision: a few units in the last place for each stretch. */
#define FRACTION_TOLERANCE 2e-5

typedef struct measure_stage {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_sight *sight, *trees;
    rcity_segment_scratch scratch;
    long count, hit_count, deferred_count, wall_count, foliage_count;
} measure_stage;

static void stage_init(measure_stage *stage, rcity_context *context, rcity_scene *scene, double cell_m)
{
    memset(stage, 0, sizeof *stage);
    stage->context = context;
    stage->scene = scene;
    stage->shapes = rcity_scene_shapes(scene);
    assert_ok(context, rcity_sight_create_cells(context, stage->shapes, cell_m, &stage->sight));
    assert_ok(context, rcity_sight_create_trees(context, stage->shapes, &stage->trees));
    assert_ok(context, rcity_segment_scratch_init(context, stage->shapes, &stage->scratch));
}

static void stage_deinit(measure_stage *stage)
{
    rcity_segment_scratch_deinit(stage->context, &stage->scratch);
    rcity_sight_destroy(stage->context, &stage->trees);
    rcity_sight_destroy(stage->context, &stage->sight);
    rcity_scene_destroy(&stage->scene);
}

static bool is_near(double actual, double expected, double tolerance)
{
    return fabs(actual - expected) <= tolerance;
}

/* Does the hit fit the plain one? Where building and ground are as near as a float can tell, either may be named. */
static bool hits_agree(const rcity_sight_measure *measure, const sight_plain *plain)
{
    double expected = fmin(plain->building_hit, plain->ground_hit);
    bool is_building = plain->building_hit <= plain->ground_hit;
    int kind = expected > 1.0 ? RCITY_SIGHT_HIT_NONE : is_building ? plain->building_kind : RCITY_SIGHT_HIT_GROUND;
    bool is_close = fabs(plain->building_hit - plain->ground_hit) < FRACTION_TOLERANCE;
    if (kind ==
        RCITY_SIGHT_HIT_GROUND) { /* the plain place is one of the ends of a dip too shallow for its own floats */
        return measure->hit.kind == kind && is_near((double)measure->hit.at, expected, 1e-3);
    }
    return (measure->hit.kind == kind || is_close) && is_near((double)measure->hit.at, expected, FRACTION_TOLERANCE);
}

static void check_measure(const measure_stage *stage, const rcity_sight_measure *measure, const sight_plain *plain,
                          const char *what, rcity_sight_segment s, uint64_t seed)
{
    bool agrees = hits_agree(measure, plain) && measure->wall_count == plain->wall_count &&
                  is_near((double)measure->in_buildings, plain->in_buildings, FRACTION_TOLERANCE) &&
                  is_near((double)measure->in_foliage, plain->in_foliage, plain->in_foliage_tolerance);
    if (!agrees) {
        print_error("%s, seed %llu, (%d %d %d) to (%d %d %d): hit %g kind %d, %d walls, %g in buildings, %g in "
                    "foliage; plainly hit %g kind %d or ground %g, %d walls, %g, %g (+- %g)\n",
                    what, (unsigned long long)seed, s.ax, s.ay, s.az, s.bx, s.by, s.bz, (double)measure->hit.at,
                    measure->hit.kind, measure->wall_count, (double)measure->in_buildings, (double)measure->in_foliage,
                    plain->building_hit, plain->building_kind, plain->ground_hit, plain->wall_count,
                    plain->in_buildings, plain->in_foliage, plain->in_foliage_tolerance);
        fail();
    }
    if (measure->hit.kind >= RCITY_SIGHT_HIT_INSIDE && measure->hit.kind <= RCITY_SIGHT_HIT_ROOF) {
        assert_in_range(measure->hit.wall, 0, stage->shapes->point_count - 1);
    } else {
        assert_int_equal(measure->hit.wall, -1);
    }
}

static void check_segment(measure_stage *stage, uint64_t seed, rcity_grid_point3 from, rcity_grid_point3 to)
{
    rcity_sight_segment s = {from.x, from.y, from.z, to.x, to.y, to.z};
    sight_plain plain = sight_plain_measure(stage->shapes, from, to);
    rcity_sight_measure measure = rcity_sight_measure_segment(&stage->sight->view, &stage->trees->view, s);
    rcity_sight_measure closely = rcity_sight_measure_closely(stage->sight, stage->trees, s);
    if (!measure.is_deferred) {
        check_measure(stage, &measure, &plain, "sweep", s, seed);
    }
    check_measure(stage, &closely, &plain, "closely", s, seed);
    bool is_free = rcity_segment_is_free(stage->shapes, &stage->scratch, from, to);
    assert_int_equal(closely.hit.kind == RCITY_SIGHT_HIT_NONE, is_free); /* a line is free when it hits nothing */
    stage->count++;
    stage->hit_count += !is_free;
    stage->deferred_count += measure.is_deferred;
    stage->wall_count += closely.wall_count;
    stage->foliage_count += plain.in_foliage > 0.0;
}

static void check_families(measure_stage *stage, uint64_t seed, uint64_t count, double reach_m)
{
    for (int family = 0; family < SIGHT_FAMILY_COUNT; family++) {
        for (uint64_t i = 0; i < count; i++) {
            rcity_grid_point3 from;
            rcity_grid_point3 to;
            sight_case(stage->shapes, (sight_family)family, seed, i, reach_m, &from, &to);
            if (family == SIGHT_FAR) { /* plain samples would be too coarse */
                continue;
            }
            check_segment(stage, seed, from, to);
            check_segment(stage, seed, to, from);
        }
    }
}

static void test_measures_are_exact_among_touching_polygons(void **state)
{
    (void)state;
    static const double cell_m[] = {0.25, 1.0, 3.0, 8.0, 64.0};
    rcity_context *context = test_context(1);
    measure_stage all;
    memset(&all, 0, sizeof all);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        measure_stage stage;
        stage_init(&stage, context, sight_messy_scene(context, seed), cell_m[seed % 5]);
        check_families(&stage, seed, 8, 20.0);
        all.count += stage.count;
        all.hit_count += stage.hit_count;
        all.deferred_count += stage.deferred_count;
        all.wall_count += stage.wall_count;
        all.foliage_count += stage.foliage_count;
        stage_deinit(&stage);
    }
    print_message(
        "messy scenes, seeds 1 to 20: %ld lines agree, %ld hit something, %ld walls, %ld in foliage, %ld left "
        "open\n",
        all.count, all.hit_count, all.wall_count, all.foliage_count, all.deferred_count);
    assert_true(all.wall_count > all.count / 4 && all.foliage_count > all.count / 20);
    assert_true(all.deferred_count > 0 && all.deferred_count < all.count / 4);
    rcity_context_destroy(&context);
}

static void test_measures_are_exact_in_cities(void **state)
{
    (void)state;
    static const rcity_city_kind kinds[] = {RCITY_CITY_CORE, RCITY_CITY_HIGHRISE, RCITY_CITY_HILLS};
    rcity_context *context = test_context(1);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        measure_stage stage;
        stage_init(&stage, context, sight_city(context, kinds[seed % 3], seed, 0.1), RCITY_SIGHT_CELL_M);
        check_families(&stage, seed, 12, 150.0);
        print_message("%s: %ld lines agree, %ld hit something, %ld deferred\n", rcity_city_kind_name(kinds[seed % 3]),
                      stage.count, stage.hit_count, stage.deferred_count);
        assert_int_equal(stage.deferred_count, 0);
        stage_deinit(&stage);
    }
    rcity_context_destroy(&context);
}

/* By hand: a courtyard house with a tower on its wing, beside a park. */
static void test_by_hand(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    const double house_m[] = {0, 0, 40, 0, 40, 40, 0, 40, 10, 10, 10, 30, 30, 30, 30, 10};
    const int house_counts[] = {4, 4};
    rcity_building house = rcity_building_default();
    house.id = 1;
    house.ring_count = 2;
    house.ring_point_count = house_counts;
    house.xy_m = house_m;
    house.height_m = 10.0;
    assert_ok(context, rcity_scene_add_building(scene, &house));
    test_add_box(context, scene, 2, (test_box){2, 15, 8, 25, 20}); /* on the west wing */
    const double park_m[] = {40, 0, 60, 0, 60, 40, 40, 40};
    const int park_count = 4;
    rcity_vegetation park = {
        .id = 3, .ring_count = 1, .ring_point_count = &park_count, .xy_m = park_m, .height_m = 8.0};
    assert_ok(context, rcity_scene_add_vegetation(scene, &park));
    assert_ok(context, rcity_scene_commit(scene));
    measure_stage stage;
    stage_init(&stage, context, scene, RCITY_SIGHT_CELL_M);
    const int m = 128; /* plan units */
    const int h = 64;  /* height units */
    const struct {
        rcity_sight_segment segment;
        int walls, kind;
        double hit, in_buildings, in_foliage; /* metres along 100 m of plan */
    } cases[] = {
        /* through both wings and the court at 5 m, out over the park */
        {{-20 * m, 20 * m, 5 * h, 80 * m, 20 * m, 5 * h}, 4, RCITY_SIGHT_HIT_WALL, 20, 20, 20},
        /* at 12 m only the tower blocks the line, and no tree */
        {{-20 * m, 20 * m, 12 * h, 80 * m, 20 * m, 12 * h}, 2, RCITY_SIGHT_HIT_WALL, 22, 6, 0},
        /* at roof height of the house: it only touches it */
        {{-20 * m, 20 * m, 10 * h, 80 * m, 20 * m, 10 * h}, 2, RCITY_SIGHT_HIT_WALL, 22, 6, 0},
        /* the same backwards: the far wall of the tower comes first */
        {{80 * m, 20 * m, 12 * h, -20 * m, 20 * m, 12 * h}, 2, RCITY_SIGHT_HIT_WALL, 72, 6, 0},
        /* down through the tower's roof at x = 5, out of its wall above the house, over the court's rim, through the
           east wing below the ground */
        {{-20 * m, 20 * m, 70 * h, 80 * m, 20 * m, -130 * h}, 3, RCITY_SIGHT_HIT_ROOF, 25, 13, 0},
        /* from inside the east wing through the park, which it leaves over the trees at x = 48 */
        {{35 * m, 20 * m, 5 * h - 39, 85 * m, 20 * m, 16 * h - 39 + 448}, 1, RCITY_SIGHT_HIT_INSIDE, 0, 5, 0},
        /* along the house's outer wall */
        {{-20 * m, 0, 5 * h, 80 * m, 0, 5 * h}, 0, RCITY_SIGHT_HIT_NONE, 200, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rcity_sight_segment s = cases[i].segment;
        rcity_sight_measure measure = rcity_sight_measure_one(stage.sight, stage.trees, s);
        double length_m = abs(s.bx - s.ax) / 128.0;
        assert_int_equal(measure.wall_count, cases[i].walls);
        assert_int_equal(measure.hit.kind, cases[i].kind);
        assert_near((double)measure.hit.at * length_m, cases[i].hit, 1e-3);
        assert_near((double)measure.in_buildings * length_m, cases[i].in_buildings, 1e-3);
        if (i != 5) {
            assert_near((double)measure.in_foliage * length_m, cases[i].in_foliage, 1e-3);
        }
    }
    stage_deinit(&stage);
    rcity_context_destroy(&context);
}

TEST_SUITE(sight_measure)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_measures_are_exact_among_touching_polygons),
        cmocka_unit_test(test_measures_are_exact_in_cities),
    };
    return cmocka_run_group_tests_name("sight_measure", tests, NULL, NULL);
}
