/* A house is the same however a map says it: in one piece or in four, a tower on a podium nested, stacked or in a
   hole. */
#include "rays_trial.h"

/* One house, or the same in four pieces: the same paths. */
static void test_one_is_four(void **state)
{
    (void)state;
    static double points[3 * 50];
    rcity_receiver_summary one[50], four[50];
    for (int i = 0; i < 50; i++) {
        double angle = 2.0 * PI * (i + 0.37) / 50.0;
        points[3 * i] = 10.0 + 31.3 * cos(angle);
        points[3 * i + 1] = 5.0 + 27.1 * sin(angle);
        points[3 * i + 2] = 1.5 + 0.3 * i;
    }
    for (int turn = 0; turn < 2; turn++) {
        trial t = open_trial();
        if (turn == 0) {
            add_box(&t, 0, 0, 20, 10, 9);
        } else {
            add_box(&t, 0, 0, 7, 4, 9);
            add_box(&t, 7, 0, 20, 4, 9);
            add_box(&t, 0, 4, 7, 10, 9);
            add_box(&t, 7, 4, 20, 10, 9);
        }
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[0] = -17.3;
        t.tx[1] = -11.1;
        t.tx[2] = 14.2;
        t.reflections = "2";
        t.ground = "on";
        t.over_roofs = "on";
        rcity_rays *rays = find(&t, 50, points);
        for (int i = 0; i < 50; i++) {
            assert_ok(t.context, rcity_rays_get_receiver(rays, i, turn == 0 ? &one[i] : &four[i]));
        }
        rcity_rays_destroy(&rays);
        close_trial(&t);
    }
    for (int i = 0; i < 50; i++) {
        assert_int_equal(one[i].path_count, four[i].path_count);
        assert_true(one[i].path_count > 3);
        assert_near(one[i].gain_db, four[i].gain_db, 1e-6);
        assert_near(one[i].coherent_gain_db, four[i].coherent_gain_db, 1e-6);
        assert_near(one[i].delay_spread_s, four[i].delay_spread_s, 1e-14);
    }
}

/* A tower on a podium, as one map or another has it. */
typedef enum tower_encoding {
    TOWER_INSIDE,   /* the tower's footprint inside the podium's, two buildings */
    TOWER_PART,     /* the same as parts of one building */
    TOWER_STACKED,  /* the tower stands on the podium's roof */
    TOWER_IN_HOLE,  /* the podium has a hole that the tower fills */
    TOWER_IN_PIECES /* the podium in four pieces around the tower */
} tower_encoding;

#define TOWER_ENCODINGS 5
#define TOWER_POINTS    60

static void add_tower(trial *t, tower_encoding encoding)
{
    static const double podium_m = 8.0;
    static const double top_m = 25.0;
    static const int hole_counts[2] = {4, 4};
    static const double with_hole[16] = {0, 0, 40, 0, 40, 30, 0, 30, 10, 8, 26, 8, 26, 22, 10, 22};
    rcity_building building = rcity_building_default();
    building.ring_point_count = hole_counts;
    building.ring_count = 1;
    building.xy_m = with_hole;
    building.height_m = podium_m;
    if (encoding == TOWER_IN_PIECES) {
        add_box(t, 0, 0, 40, 8, podium_m);
        add_box(t, 0, 22, 40, 30, podium_m);
        add_box(t, 0, 8, 10, 22, podium_m);
        add_box(t, 26, 8, 40, 22, podium_m);
    } else {
        building.ring_count = encoding == TOWER_IN_HOLE ? 2 : 1;
        assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
    }
    building.id = encoding == TOWER_PART ? 0 : 1;
    building.ring_count = 1;
    building.xy_m = with_hole + 8;
    building.ground_m = encoding == TOWER_STACKED ? podium_m : 0.0;
    building.height_m = top_m - building.ground_m;
    assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
}

/* In the streets all around, and on the podium's roof. */
static void place_around_tower(double *points)
{
    for (int i = 0; i < TOWER_POINTS; i++) {
        double angle = 2.0 * PI * (i + 0.37) / (TOWER_POINTS / 2);
        bool is_on_roof = i >= TOWER_POINTS / 2;
        points[3 * i] = 20.0 + (is_on_roof ? 17.3 : 41.3) * cos(angle);
        points[3 * i + 1] = 15.0 + (is_on_roof ? 12.1 : 33.7) * sin(angle);
        points[3 * i + 2] = (is_on_roof ? 8.9 : 1.5) + 0.4 * (i % 7);
    }
}

/* However the map says it, the same paths. */
static void test_tower_on_podium(void **state)
{
    (void)state;
    static double points[3 * TOWER_POINTS];
    static rcity_receiver_summary found[TOWER_ENCODINGS][TOWER_POINTS];
    int64_t path_count = 0;
    place_around_tower(points);
    for (int encoding = 0; encoding < TOWER_ENCODINGS; encoding++) {
        trial t = open_trial();
        add_tower(&t, (tower_encoding)encoding);
        assert_ok(t.context, rcity_scene_commit(t.scene));
        t.tx[0] = -21.3;
        t.tx[1] = -17.1;
        t.tx[2] = 14.2;
        t.reflections = "1";
        t.diffractions = "2";
        t.ground = "on";
        t.over_roofs = "on";
        rcity_rays *rays = find(&t, TOWER_POINTS, points);
        path_count = rcity_rays_path_count(rays);
        for (int i = 0; i < TOWER_POINTS; i++) {
            assert_ok(t.context, rcity_rays_get_receiver(rays, i, &found[encoding][i]));
        }
        rcity_rays_destroy(&rays);
        close_trial(&t);
    }
    for (int encoding = 1; encoding < TOWER_ENCODINGS; encoding++) {
        for (int i = 0; i < TOWER_POINTS; i++) {
            const rcity_receiver_summary *one = &found[0][i];
            const rcity_receiver_summary *other = &found[encoding][i];
            if (one->path_count != other->path_count || !(fabs(one->gain_db - other->gain_db) < 1e-6) ||
                !(fabs(one->coherent_gain_db - other->coherent_gain_db) < 1e-6)) {
                print_error("encoding %d, point %d: %lld paths of %.6f (%.6f) dB, expected %lld of %.6f (%.6f)\n",
                            encoding, i, (long long)other->path_count, other->gain_db, other->coherent_gain_db,
                            (long long)one->path_count, one->gain_db, one->coherent_gain_db);
                fail();
            }
        }
    }
    print_message("tower on a podium: %lld paths to %d points in %d encodings\n", (long long)path_count, TOWER_POINTS,
                  TOWER_ENCODINGS);
    assert_true(path_count > 3 * TOWER_POINTS);
}

TEST_SUITE(rays_same)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_is_four),
        cmocka_unit_test(test_tower_on_podium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
