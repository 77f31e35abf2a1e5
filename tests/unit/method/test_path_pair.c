/* Paths over two edges: they take over, without a step, where a path over one edge or none ends. */
#include "rcity_test.h"

#include "path_world.h"

static const uint64_t seed = 31;

/* Two wedges with a path over a point of each. The ends turn about the edges, so that the path keeps its points
   whatever the angles. Mirrors 2 i and 2 i + 1 are the faces o and n of wedge i. */
typedef struct test_pair {
    path_world world;
    rcity_place3 point[2];
    double out_rad, in_rad; /* of the piece between: around wedge 0 and wedge 1 */
    double before_m, after_m;
} test_pair;

static double draw(uint64_t *next, double low, double high)
{
    return test_uniform(seed, (*next)++, low, high);
}

static rcity_place3 draw_place(uint64_t *next, double size)
{
    double x = draw(next, -size, size);
    double y = draw(next, -size, size);
    return place_make(x, y, draw(next, -size, size));
}

static void add_faces(path_world *world, const rcity_facet_edge *facet_edge)
{
    rcity_place3 inward = place_around(facet_edge, facet_edge->exterior_rad - 0.5 * PI, 1.0, 0.0);
    path_world_add_mirror(world, facet_edge->a, facet_edge->normal_o, facet_edge->material_o);
    path_world_add_mirror(world, facet_edge->a, place_add(inward, facet_edge->a, -1.0), facet_edge->material_n);
}

/* Angle of the direction towards a place around an edge. */
static double angle_to(const rcity_facet_edge *facet_edge, rcity_place3 from, rcity_place3 to)
{
    return place_angle(facet_edge, place_add(facet_edge->a, place_add(to, from, -1.0), 1.0));
}

/* Edges parallel (skew 0), as skew as it comes, or across. False where the solid of one hides the other. */
static bool draw_pair(int index, test_pair *pair)
{
    uint64_t next = (uint64_t)index * 100;
    path_world *world = &pair->world;
    path_world_init(world, 0.3);
    path_world_add_material(world, draw(&next, 2.0, 20.0), -draw(&next, 0.1, 3.0), 0.0);
    path_world_add_material(world, draw(&next, 2.0, 9.0), -draw(&next, 0.1, 1.0), 0.2);
    path_world_add_conductor(world);
    double between_m = exp(draw(&next, log(3.0), log(100.0)));
    pair->before_m = exp(draw(&next, log(3.0), log(300.0)));
    pair->after_m = exp(draw(&next, log(3.0), log(300.0)));
    rcity_place3 leg = place_unit(draw_place(&next, 1.0));
    rcity_place3 edge = place_unit(draw_place(&next, 1.0));
    pair->point[0] = draw_place(&next, 10.0);
    pair->point[1] = place_add(pair->point[0], leg, between_m);
    for (int i = 0; i < 2; i++) {
        int32_t material_o = (int32_t)draw(&next, 0.0, 3.0);
        int32_t material_n = (int32_t)draw(&next, 0.0, 3.0);
        rcity_place3 in_face_o = draw_place(&next, 1.0);
        rcity_place3 other = place_unit(draw_place(&next, 1.0));
        if (i == 1 && index % 3 == 1) {
            edge = other;
        } else if (i == 1 && index % 3 == 2) {
            edge = place_unit(place_cross(edge, leg));
        }
        path_world_add_edge(world, pair->point[i], edge, in_face_o, draw(&next, 1.1, 2.0) * PI, material_o, material_n);
        add_faces(world, &world->edges[i]);
    }
    pair->out_rad = angle_to(&world->edges[0], pair->point[0], pair->point[1]);
    pair->in_rad = angle_to(&world->edges[1], pair->point[1], pair->point[0]);
    return fabs(place_dot(world->edges[0].along, leg)) < 0.9 && fabs(place_dot(world->edges[1].along, leg)) < 0.9 &&
           pair->out_rad < world->edges[0].exterior_rad && pair->in_rad < world->edges[1].exterior_rad;
}

/* An end at an angle around its edge, on Keller's cone of the piece between. */
static rcity_place3 end_at(const test_pair *pair, int which, double angle_rad)
{
    const rcity_facet_edge *facet_edge = &pair->world.edges[which];
    rcity_place3 leg = place_unit(place_add(pair->point[1], pair->point[0], -1.0));
    double cosine = place_dot(leg, facet_edge->along);
    double length_m = which == 0 ? pair->before_m : pair->after_m;
    double along_m = length_m * cosine * (which == 0 ? -1.0 : 1.0);
    return place_around(facet_edge, angle_rad, length_m * sqrt(1.0 - cosine * cosine), along_m);
}

/* The four rays that end at a wedge, and by how much the end at an angle lies behind their boundary. 0 and 1: the
   straight ray, hidden by either face; 2 and 3: the one off face o and off face n. */
static double behind_rad(const rcity_facet_edge *facet_edge, int term, double end_rad, double middle_rad)
{
    switch (term) {
    case 0:
        return end_rad - middle_rad - PI;
    case 1:
        return middle_rad - end_rad - PI;
    case 2:
        return end_rad + middle_rad - PI;
    default:
        return 2.0 * facet_edge->exterior_rad - PI - end_rad - middle_rad;
    }
}

static double boundary_rad(const rcity_facet_edge *facet_edge, int term, double middle_rad)
{
    double boundary[4] = {middle_rad + PI, middle_rad - PI, PI - middle_rad,
                          2.0 * facet_edge->exterior_rad - PI - middle_rad};
    return boundary[term];
}

/* Is the ray `term` of a wedge visible? It runs between an end and, beyond the wedge, the other edge's point or the
   other end or that end's image. */
static bool is_visible(const test_pair *pair, int wedge, int term, double end_rad, rcity_place3 beyond)
{
    const rcity_facet_edge *facet_edge = &pair->world.edges[wedge];
    return behind_rad(facet_edge, term, end_rad, place_angle(facet_edge, beyond)) <= 0.0;
}

/* Over both edges, and the rays `term` of the two wedges where they are visible; -1: leave that wedge's out. */
static rcity_channel pair_sum(const test_pair *pair, const int term[2], const double end_rad[2])
{
    const rcity_place3 end[2] = {end_at(pair, 0, end_rad[0]), end_at(pair, 1, end_rad[1])};
    rcity_channel sum;
    memset(&sum, 0, sizeof sum);
    for (int which = 0; which < 4; which++) { /* bit i: the ray of wedge i instead of its edge */
        path_step steps[2];
        rcity_place3 node[2]; /* what the other wedge's ray runs to */
        int count = 0;
        int edge_at = -1;
        bool is_wanted = true;
        for (int i = 0; i < 2; i++) {
            bool is_ray = which & 1 << i;
            is_wanted = is_wanted && !(is_ray && term[i] < 0);
            node[i] = end[i];
            if (!is_ray) {
                edge_at = count;
                steps[count++] = (path_step){RCITY_EVENT_DIFFRACTION, i};
            } else if (term[i] >= 2) {
                steps[count++] = (path_step){RCITY_EVENT_REFLECTION, 2 * i + term[i] - 2};
                node[i] = place_mirrored(end[i], &pair->world.mirrors[2 * i + term[i] - 2]);
            }
        }
        rcity_trace_path path;
        if (!is_wanted || !path_world_solve(&pair->world, end[0], end[1], steps, count, &path)) {
            continue;
        }
        for (int i = 0; i < 2; i++) {
            rcity_place3 beyond = which == 3 ? node[1 - i] : path.event[edge_at < 0 ? 0 : edge_at].point;
            is_wanted = is_wanted && (!(which & 1 << i) || is_visible(pair, i, term[i], end_rad[i], beyond));
        }
        rcity_channel more = rcity_path_channel(&pair->world.world, &path);
        for (int i = 0; is_wanted && i < 4; i++) {
            sum.transfer[i / 2][i % 2].re += more.transfer[i / 2][i % 2].re;
            sum.transfer[i / 2][i % 2].im += more.transfer[i / 2][i % 2].im;
        }
    }
    return sum;
}

static double step_db(rcity_channel a, rcity_channel b)
{
    double worst_db = 0.0;
    for (int in = 0; in < 2; in++) {
        double size = fmin(hypot(cabs(channel_get(a, 0, in)), cabs(channel_get(a, 1, in))),
                           hypot(cabs(channel_get(b, 0, in)), cabs(channel_get(b, 1, in))));
        double step = hypot(cabs(channel_get(a, 0, in) - channel_get(b, 0, in)),
                            cabs(channel_get(a, 1, in) - channel_get(b, 1, in)));
        worst_db = fmax(worst_db, 20.0 * log10(1.0 + step / size));
    }
    return worst_db;
}

/* One end crosses a boundary of its wedge; the other stands somewhere. */
static void test_one_boundary(void **state)
{
    (void)state;
    const double hair_rad = 1e-7;
    double worst_db = 0.0;
    int count = 0;
    for (int index = 0; index < 1500; index++) {
        test_pair pair;
        if (!draw_pair(index, &pair)) {
            continue;
        }
        int which = index / 3 % 2;
        int term[2] = {-1, -1};
        term[which] = index / 6 % 4;
        const rcity_facet_edge *facet_edge = &pair.world.edges[which];
        double angle_rad = boundary_rad(facet_edge, term[which], which == 0 ? pair.out_rad : pair.in_rad);
        if (angle_rad < 0.05 || angle_rad > facet_edge->exterior_rad - 0.05) {
            continue;
        }
        const rcity_facet_edge *other = &pair.world.edges[1 - which];
        double end_rad[2][2];
        for (int side = 0; side < 2; side++) {
            end_rad[side][which] = angle_rad + (side == 0 ? -hair_rad : hair_rad);
            end_rad[side][1 - which] = test_uniform(seed, (uint64_t)index * 100 + 90, 0.05, other->exterior_rad - 0.05);
        }
        double here_db = step_db(pair_sum(&pair, term, end_rad[0]), pair_sum(&pair, term, end_rad[1]));
        count++;
        worst_db = fmax(worst_db, here_db);
        if (!(here_db < 0.1)) {
            print_error("step of %g dB: seed %llu, pair %d, wedge %d, term %d\n", here_db, (unsigned long long)seed,
                        index, which, term[which]);
            fail();
        }
    }
    print_message("%d boundaries of one wedge, largest step %.3g dB\n", count, worst_db);
    assert_true(count > 100);
}

/* Both ends near a boundary, at distances from it from a hair to some degrees: the total has no step across one
   boundary while the other is near, and none where both meet. */
static void test_two_boundaries(void **state)
{
    (void)state;
    const double hair_rad = 1e-7;
    double worst_db = 0.0;
    int count = 0;
    for (int index = 0; index < 3000; index++) {
        test_pair pair;
        if (!draw_pair(index, &pair)) {
            continue;
        }
        int term[2] = {index / 3 % 4, index / 12 % 4};
        double meet_rad[2];
        bool is_in_air = true;
        for (int i = 0; i < 2; i++) {
            const rcity_facet_edge *facet_edge = &pair.world.edges[i];
            meet_rad[i] = boundary_rad(facet_edge, term[i], i == 0 ? pair.out_rad : pair.in_rad);
            is_in_air = is_in_air && meet_rad[i] > 0.15 && meet_rad[i] < facet_edge->exterior_rad - 0.15;
        }
        if (!is_in_air) {
            continue;
        }
        double off_rad =
            index % 2 == 0 ? hair_rad : exp(test_uniform(seed, (uint64_t)index * 100 + 91, log(1e-4), log(0.1)));
        off_rad = index % 4 < 2 ? off_rad : -off_rad;
        rcity_channel sides[2];
        for (int side = 0; side < 2; side++) {
            const double end_rad[2] = {meet_rad[0] + (side == 0 ? -hair_rad : hair_rad), meet_rad[1] + off_rad};
            sides[side] = pair_sum(&pair, term, end_rad);
        }
        double here_db = step_db(sides[0], sides[1]);
        count++;
        worst_db = fmax(worst_db, here_db);
        if (!(here_db < 0.1)) {
            print_error("step of %g dB: seed %llu, pair %d, terms %d %d, %g rad from the other boundary\n", here_db,
                        (unsigned long long)seed, index, term[0], term[1], off_rad);
            fail();
        }
    }
    print_message("%d crossings of boundaries, largest step %.3g dB\n", count, worst_db);
    assert_true(count > 100);
}

/* Two thin conducting screens across the x axis, edges along y; the second hangs down from above where asked. */
static void screens_init(path_world *world, double first_m, double second_m, bool hangs, double height_m)
{
    path_world_init(world, 0.1);
    int32_t metal = path_world_add_conductor(world);
    path_world_add_edge(world, place_make(first_m, 0.0, 0.0), place_make(0.0, 1.0, 0.0), place_make(0.0, 0.0, -1.0),
                        2.0 * PI, metal, metal);
    path_world_add_edge(world, place_make(first_m + second_m, 0.0, height_m), place_make(0.0, 1.0, 0.0),
                        place_make(0.0, 0.0, hangs ? 1.0 : -1.0), 2.0 * PI, metal, metal);
}

static const path_step both_edges[2] = {{RCITY_EVENT_DIFFRACTION, 0}, {RCITY_EVENT_DIFFRACTION, 1}};

/* In line with both edges the field is that share of free space which the quarter of the plane above both has in a
   Gaussian of two correlated heights: 1/4 + asin(rho) / (2 pi), and with a minus where the quarter is the other one. */
static void test_two_screens(void **state)
{
    (void)state;
    static const double legs_m[][3] = {{100.0, 100.0, 100.0}, {1000.0, 50.0, 200.0}, {30.0, 300.0, 30.0},
                                       {500.0, 10.0, 500.0},  {20.0, 2000.0, 60.0},  {200.0, 5.0, 20.0}};
    const double hair_m = 1e-5;
    for (int i = 0; i < 12; i++) {
        double a = legs_m[i / 2][0];
        double b = legs_m[i / 2][1];
        double c = legs_m[i / 2][2];
        bool hangs = i % 2 == 1;
        path_world world;
        screens_init(&world, a, b, hangs, 0.0);
        double overlap = asin(sqrt(a * c / ((a + b) * (b + c)))) / (2.0 * PI);
        double expected = hangs ? 0.25 - overlap : 0.25 + overlap;
        rcity_place3 tx = place_make(0.0, 0.0, -hair_m);
        rcity_place3 rx = place_make(a + b + c, 0.0, hangs ? hair_m : -hair_m);
        rcity_channel channel = path_world_channel(&world, tx, rx, both_edges, 2);
        double free_space = cabs(phasor_free_space(a + b + c, 0.1));
        for (int j = 0; j < 2; j++) {
            double actual = cabs(channel_get(channel, j, j)) / free_space;
            assert_near(20.0 * log10(actual / expected), 0.0, 0.5);
        }
        /* exactly in line every ray counts: touching does not block */
        tx.z = rx.z = 0.0;
        phasor sum = 0.0;
        for (int which = 0; which < 4; which++) {
            int first = which & 1;
            int count = 2 - (which & 1) - (which >> 1);
            sum += channel_get(path_world_channel(&world, tx, rx, both_edges + first, count), 1, 1);
        }
        assert_near(20.0 * log10(cabs(sum) / free_space / expected), 0.0, 0.5);
    }
}

/* The Gaussian's quarter-plane beyond (x, y), integrated along lines on which nothing swings. */
static phasor quarter_plane(double x, double y, double rho)
{
    const int count = 400;
    const double end = 7.0;
    double rest = 1.0 - rho * rho;
    phasor turn = cexp(-PHASOR_J * PI / 4.0);
    phasor sum = 0.0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            double u = (i + 0.5) / count; /* squared: fine steps at the corner */
            double v = (j + 0.5) / count;
            phasor a = x + turn * end * u * u;
            phasor b = y + turn * end * v * v;
            sum += u * v * cexp(-PHASOR_J * (a * a - 2.0 * rho * a * b + b * b) / rest);
        }
    }
    return sum * 4.0 * end * end / ((double)count * count) / (PI * sqrt(rest));
}

/* Off that line, at small angles: Fresnel and Kirchhoff's integral over both openings. */
static void test_screens_in_shadow(void **state)
{
    (void)state;
    const double wavenumber_per_m = 2.0 * PI / 0.1;
    static const double heights_m[][3] = {{-2.0, 0.5, -1.0}, {-5.0, -1.0, -8.0}, {1.0, 1.0, -3.0}, {-3.0, 2.0, 1.0}};
    for (int i = 0; i < 4; i++) {
        const double a = 300.0;
        const double b = 120.0;
        const double c = 80.0;
        double tx_m = heights_m[i][0];
        double second_m = heights_m[i][1];
        double rx_m = heights_m[i][2];
        path_world world;
        screens_init(&world, a, b, false, second_m);
        /* heights of the edges above the straight line, over the half-width of the Gaussian there */
        double x = -(tx_m + (rx_m - tx_m) * a / (a + b + c));
        double y = second_m - (tx_m + (rx_m - tx_m) * (a + b) / (a + b + c));
        x *= sqrt(0.5 * wavenumber_per_m * (a + b + c) / (a * (b + c)));
        y *= sqrt(0.5 * wavenumber_per_m * (a + b + c) / ((a + b) * c));
        phasor expected = quarter_plane(x, y, sqrt(a * c / ((a + b) * (b + c))));
        rcity_place3 tx = place_make(0.0, 0.0, tx_m);
        rcity_place3 rx = place_make(a + b + c, 0.0, rx_m);
        rcity_channel channel = path_world_channel(&world, tx, rx, both_edges, 2);
        phasor actual = 0.5 * (channel_get(channel, 0, 0) + channel_get(channel, 1, 1)) /
                        phasor_free_space(place_distance(tx, rx), 0.1);
        /* where the first edge lies below the line from the transmitter to the second, that ray counts beside */
        if (second_m * a / (a + b) + tx_m * b / (a + b) > 0.0) {
            channel = path_world_channel(&world, tx, rx, both_edges + 1, 1);
            actual += 0.5 * (channel_get(channel, 0, 0) + channel_get(channel, 1, 1)) /
                      phasor_free_space(place_distance(tx, rx), 0.1);
        }
        assert_near(20.0 * log10(cabs(actual / expected)), 0.0, 0.2);
    }
}

/* A building: wall, level roof from x = 0 to its width at 20 m, wall. */
#define ROOF_M 20.0

static void building_init(path_world *world, double wavelength_m, double width_m, int roof)
{
    path_world_init(world, wavelength_m);
    path_world_add_material(world, 5.3, -0.5, 0.0);
    path_world_add_material(world, 4.0, -0.1, 0.3);
    path_world_add_conductor(world);
    path_world_add_edge(world, place_make(0.0, 0.0, ROOF_M), place_make(0.0, -1.0, 0.0), place_make(1.0, 0.0, 0.0),
                        1.5 * PI, roof, 0);
    path_world_add_edge(world, place_make(width_m, 0.0, ROOF_M), place_make(0.0, 1.0, 0.0), place_make(-1.0, 0.0, 0.0),
                        1.5 * PI, roof, 1);
}

/* Over the roof to a receiver behind it: from above the roof's level the second edge is in sight, from below it is
   not. */
static rcity_channel over_building(const path_world *world, rcity_place3 tx, rcity_place3 rx)
{
    rcity_channel sum = path_world_channel(world, tx, rx, both_edges, 2);
    if (tx.z >= ROOF_M) {
        rcity_channel more = path_world_channel(world, tx, rx, both_edges + 1, 1);
        for (int i = 0; i < 4; i++) {
            sum.transfer[i / 2][i % 2].re += more.transfer[i / 2][i % 2].re;
            sum.transfer[i / 2][i % 2].im += more.transfer[i / 2][i % 2].im;
        }
    }
    return sum;
}

static double column_db(rcity_channel channel, int in)
{
    return 20.0 * log10(hypot(cabs(channel_get(channel, 0, in)), cabs(channel_get(channel, 1, in))));
}

/* The transmitter sinks below the level of the roof, and the second edge into the shadow of the first: no step, and a
   level that falls but does not vanish, although the roof reflects with -1 and a single coefficient would be 0
   there. */
static void test_field_is_continuous_across_the_roof_plane(void **state)
{
    (void)state;
    double worst_db = 0.0;
    for (int trial = 0; trial < 12; trial++) {
        path_world world;
        double wavelength_m = trial % 2 == 0 ? 0.3 : 0.05;
        double width_m = trial / 6 == 0 ? 10.0 : 25.0;
        building_init(&world, wavelength_m, width_m, trial / 2 % 3);
        rcity_place3 rx = place_make(width_m + 40.0, 15.0, 8.0);
        double before_db[2] = {(double)NAN, (double)NAN};
        for (int i = 0; i <= 800; i++) {
            rcity_place3 tx = place_make(-60.0, -20.0, ROOF_M + 6.0 - 0.02 * i + 1e-9);
            rcity_channel channel = over_building(&world, tx, rx);
            for (int in = 0; in < 2; in++) {
                double here_db = column_db(channel, in);
                double free_db = 20.0 * log10(cabs(phasor_free_space(place_distance(tx, rx), wavelength_m)));
                if (!(isnan(before_db[in]) || fabs(here_db - before_db[in]) < 0.15)) {
                    print_error("trial %d: from %g to %g dB at %g m, input %d\n", trial, before_db[in], here_db, tx.z,
                                in);
                    fail();
                }
                assert_true(here_db < free_db && here_db > free_db - 110.0);
                before_db[in] = here_db;
            }
        }
        rcity_channel above = over_building(&world, place_make(-60.0, -20.0, ROOF_M + 1e-6), rx);
        rcity_channel below = over_building(&world, place_make(-60.0, -20.0, ROOF_M - 1e-6), rx);
        worst_db = fmax(worst_db, step_db(above, below));
        /* and back again: the transmitter behind, the receiver on the roof's level */
        rcity_channel back = path_world_channel(&world, rx, place_make(-60.0, -20.0, ROOF_M - 1e-6),
                                                (const path_step[]){both_edges[1], both_edges[0]}, 2);
        for (int i = 0; i < 4; i++) {
            phasor there = channel_get(below, i / 2, i % 2) * (i == 1 || i == 2 ? -1.0 : 1.0);
            assert_true(cabs(channel_get(back, i % 2, i / 2) - there) < 1e-6 * cabs(channel_get(below, 0, 0)));
        }
    }
    print_message("roofs: largest step %.3g dB\n", worst_db);
    assert_true(worst_db < 0.1);
}

TEST_SUITE(path_pair)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_boundary),
        cmocka_unit_test(test_two_boundaries),
        cmocka_unit_test(test_two_screens),
        cmocka_unit_test(test_screens_in_shadow),
        cmocka_unit_test(test_field_is_continuous_across_the_roof_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
