/* Chains over roofs with mirrors at their ends: which there are, and what they carry. */
#include "roof_world.h"

#include "kernel/wave/face.h"
#include "method/images/field/path_chain.h"
#include "method/images/roofs/roof_chains.h"
#include "method/images/roofs/roof_form.h"

static const uint64_t seed = 1988;

typedef struct stage {
    roof_world city;
    rcity_sight *sight;
    rcity_reach_world reach_world;
    rcity_search search;
    rcity_roof_chains chains;
} stage;

static void find_chains(stage *s, rcity_place3 tx, rcity_place3 rx, int max_reflections)
{
    rcity_context *context = s->city.context;
    assert_ok(context, rcity_sight_create(context, s->city.shapes, &s->sight));
    assert_ok(context, rcity_reach_world_init(context, &s->city.world, false, &s->reach_world));
    rcity_path_checker checker = {&s->city.world, s->sight, &s->city.prism_index, NULL, NULL, 0};
    rcity_search_orders orders = {max_reflections, 1, 0, true, true};
    assert_ok(context, rcity_search_init(context, &s->reach_world, &checker, &orders, tx, &s->search));
    assert_ok(context, rcity_roof_chains_init(context, &s->search, &s->chains));
    assert_ok(context, rcity_roof_chains_find(context, &s->search, rx, &s->chains));
}

static void drop_chains(stage *s)
{
    rcity_context *context = s->city.context;
    rcity_roof_chains_deinit(context, &s->chains);
    rcity_search_deinit(context, &s->search);
    rcity_reach_world_deinit(context, &s->reach_world);
    rcity_sight_destroy(context, &s->sight);
}

/* The chain with these mirrors; NULL: there is none. A wall is named by any. */
static const rcity_trace_path *find_chain(const stage *s, bool start_wall, bool start_bounces, bool end_wall,
                                          bool end_bounces)
{
    const rcity_trace_path *found = NULL;
    for (size_t i = 0; i < s->chains.count; i++) {
        const rcity_roof_chain_path *chain = &s->chains.chains[i];
        if ((chain->start_wall >= 0) == start_wall && chain->start_bounces == start_bounces &&
            (chain->end_wall >= 0) == end_wall && chain->end_bounces == end_bounces) {
            assert_null(found);
            found = &chain->path;
        }
    }
    return found;
}

static double size_of(rcity_phasor p)
{
    return hypot(p.re, p.im);
}

/* What a wall of the city reflects, straight on in plan, of a ray with this slope. */
static rcity_face_response reflect(const stage *s, int32_t material_index, double cos_incidence)
{
    const rcity_facet_material *of = &s->city.world.materials[material_index];
    rcity_face face = {{(float)of->permittivity_re, (float)of->permittivity_im}, (float)of->thickness_m, 0, 0};
    return rcity_face_reflect(face, (float)(2.0 * 3.14159265358979 / s->city.world.wavelength_m), (float)cos_incidence);
}

/* Two rows and a street behind them, with a house across: the mirrors that the street has are the ground and that
   house. */
static void test_mirrors_extend_chains_behind_the_roofs(void **state)
{
    (void)state;
    stage s;
    open_scene(&s.city);
    add_box(&s.city, -300, 0, 300, 10, 12);
    add_box(&s.city, -300, 40, 300, 50, 12);
    add_box(&s.city, -300, 70, 300, 80, 14);
    finish_scene(&s.city);
    rcity_place3 tx = place(&s.city, 1.0, -60, 25);
    rcity_place3 rx = place(&s.city, 1.0, 62, 1.5);
    find_chains(&s, tx, rx, 2);
    const rcity_facet_table *world = &s.city.world;

    const rcity_trace_path *plain = find_chain(&s, false, false, false, false);
    const rcity_trace_path *by_wall = find_chain(&s, false, false, true, false);
    const rcity_trace_path *by_ground = find_chain(&s, false, false, false, true);
    assert_non_null(plain);
    assert_non_null(by_wall);
    assert_non_null(by_ground);
    assert_non_null(find_chain(&s, false, false, true, true));
    assert_non_null(find_chain(&s, false, true, false, false));
    assert_null(find_chain(&s, true, false, false, false)); /* nothing stands behind the transmitter */

    /* by the wall at y = 70: as if the receiver stood at y = 78 and the house were not there */
    rcity_trace_path over_path = rcity_path_over_roofs(world, by_wall);
    const rcity_trace_event *mirror = &over_path.event[over_path.event_count - 1];
    assert_int_equal(mirror->kind, RCITY_EVENT_REFLECTION);
    assert_near(mirror->point.y + s.city.shapes->origin_y_m, 70.0, 1e-9);
    double fall = (12.0 - 1.5) / (78.0 - 50.0);
    assert_near(mirror->point.z, 1.5 + 8.0 * fall, 1e-9);
    rcity_trace_path image = *by_wall;
    image.event_count--;
    image.rx = place(&s.city, 1.0, 78, 1.5);
    rcity_channel with = rcity_path_channel(world, by_wall);
    rcity_channel without = rcity_path_channel(world, &image);
    double cos_incidence = 1.0 / sqrt(1.0 + fall * fall);
    rcity_face_response wall = reflect(&s, world->mirrors[mirror->object].material_index, cos_incidence);
    assert_near(size_of(with.transfer[0][0]) / size_of(without.transfer[0][0]),
                hypot((double)wall.tm.re, (double)wall.tm.im), 1e-5);
    assert_near(size_of(with.transfer[1][1]) / size_of(without.transfer[1][1]),
                hypot((double)wall.te.re, (double)wall.te.im), 1e-5);
    assert_near(size_of(with.transfer[0][1]), 0.0, 1e-12);

    /* by the ground: as if the receiver stood as far below it */
    over_path = rcity_path_over_roofs(world, by_ground);
    mirror = &over_path.event[over_path.event_count - 1];
    assert_near(mirror->point.z, 0.0, 0.0);
    assert_near(mirror->point.y + s.city.shapes->origin_y_m, 50.0 + 12.0 * 12.0 / 13.5, 1e-9);
    image = *by_ground;
    image.event_count--;
    image.rx.z = -1.5;
    with = rcity_path_channel(world, by_ground);
    without = rcity_path_channel(world, &image);
    rcity_face_response ground = reflect(&s, world->ground_material, 13.5 / hypot(13.5, 12.0));
    assert_near(size_of(with.transfer[0][0]) / size_of(without.transfer[0][0]),
                hypot((double)ground.tm.re, (double)ground.tm.im), 1e-5);
    drop_chains(&s);

    /* fewer reflections, fewer chains */
    find_chains(&s, tx, rx, 1);
    assert_non_null(find_chain(&s, false, false, true, false));
    assert_null(find_chain(&s, false, false, true, true));
    drop_chains(&s);
    find_chains(&s, tx, rx, 0);
    assert_int_equal(s.chains.count, 1);
    drop_chains(&s);
    close_scene(&s.city);
}

/* A wall that the path passes over, one that something hides, one behind the receiver's back: none of them reflects. */
static void test_no_mirror(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        stage s;
        open_scene(&s.city);
        add_box(&s.city, -300, 0, 300, 10, 30);
        add_box(&s.city, -300, 70, 300, 80, turn == 0 ? 8 : 14); /* low: the path is 10 m high there */
        if (turn == 1) {
            add_box(&s.city, -300, 60, 300, 61, 6); /* a fence that hides the point, not the wall */
        }
        finish_scene(&s.city);
        find_chains(&s, place(&s.city, 1.0, -60, 25), place(&s.city, 1.0, 50, 1.5), 1);
        assert_non_null(find_chain(&s, false, false, false, false));
        assert_null(find_chain(&s, false, false, true, false));
        drop_chains(&s);
        close_scene(&s.city);
    }
}

/* The reversed path has the same chains, and each carries as much. */
static void test_reversed_path_has_the_same_chains(void **state)
{
    (void)state;
    int reflected = 0, compared = 0;
    for (uint64_t i = 0; i < 40; i++) {
        stage s;
        open_scene(&s.city);
        for (int k = 0; k < 6; k++) {
            uint64_t at = 1000 * i + 10 * (uint64_t)k;
            double x = test_uniform(seed, at, -60.0, -20.0), y = 35.0 * k;
            add_box(&s.city, x, y, x + test_uniform(seed, at + 1, 50.0, 120.0),
                    y + test_uniform(seed, at + 2, 8.0, 20.0), test_uniform(seed, at + 3, 6.0, 20.0));
        }
        finish_scene(&s.city);
        rcity_place3 ends[2] = {place(&s.city, test_uniform(seed, 1000 * i + 100, -5.0, 5.0), 35.0 - 5.0, 2.0),
                                place(&s.city, test_uniform(seed, 1000 * i + 101, -5.0, 5.0), 175.0 - 4.0, 3.0)};
        double gains[2][64];
        size_t counts[2];
        for (int leg = 0; leg < 2; leg++) {
            find_chains(&s, ends[leg], ends[1 - leg], 2);
            counts[leg] = s.chains.count;
            assert_true(counts[leg] <= 64);
            for (size_t k = 0; k < counts[leg]; k++) {
                const rcity_trace_path *path = &s.chains.chains[k].path;
                gains[leg][k] = size_of(rcity_path_channel(&s.city.world, path).transfer[0][0]);
                reflected += path->event[0].kind == RCITY_EVENT_REFLECTION;
            }
            drop_chains(&s);
        }
        assert_int_equal(counts[0], counts[1]);
        for (size_t k = 0; k < counts[0]; k++) {
            double nearest = HUGE_VAL;
            for (size_t j = 0; j < counts[1]; j++) {
                nearest = fmin(nearest, fabs(gains[1][j] / gains[0][k] - 1.0));
            }
            assert_true(nearest < 1e-6);
            compared++;
        }
        close_scene(&s.city);
    }
    print_message("chains both ways, seed %llu: %d alike, %d by way of a mirror at the start\n",
                  (unsigned long long)seed, compared, reflected);
    assert_true(compared > 100 && reflected > 50);
}

/* A tower on a podium, a roof that begins before the profile, a hill: podium and tower become ridges, the rest stays. */
static void test_ridges_replace_roof_ends(void **state)
{
    (void)state;
    rcity_profile_point points[] = {
        {4.0, 9.0, 3, 0.0, false},   {10.0, 12.0, 0, 0.0, true},  {14.0, 25.0, 1, 0.0, true},
        {20.0, 25.0, 1, 0.0, false}, {40.0, 12.0, 0, 0.0, false}, {50.0, 7.0, RCITY_PROFILE_GROUND, 0.0, false},
    };
    rcity_profile profile = {.points = points, .count = 6};
    assert_true(rcity_roof_form_joins(&points[2], &points[3]));
    assert_false(rcity_roof_form_joins(&points[1], &points[2]));
    assert_false(rcity_roof_form_joins(&points[3], &points[4]));
    rcity_roof_form_ridges(&profile);
    static const double wanted[4][2] = {{4.0, 9.0}, {17.0, 25.0}, {25.0, 12.0}, {50.0, 7.0}};
    assert_int_equal(profile.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_near(points[i].distance_m, wanted[i][0], 1e-12);
        assert_near(points[i].z, wanted[i][1], 1e-12);
    }
}

TEST_SUITE(roof_chains)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ridges_replace_roof_ends),
        cmocka_unit_test(test_mirrors_extend_chains_behind_the_roofs),
        cmocka_unit_test(test_no_mirror),
        cmocka_unit_test(test_reversed_path_has_the_same_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
