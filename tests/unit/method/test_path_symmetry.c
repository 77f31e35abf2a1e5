/* What holds for the channel of any path, whatever it meets: a path and its reverse are alike, and turning or mirroring
   the world turns or mirrors what arrives. Worlds, ends and materials are random. */
#include "rcity_test.h"

#include "path_world.h"

#define WORLD_COUNT 600

static const uint64_t seed = 77;

static const path_step sequences[][5] = {
#define R(i)                                                                                                           \
    {                                                                                                                  \
        RCITY_EVENT_REFLECTION, i                                                                                      \
    }
#define T(i)                                                                                                           \
    {                                                                                                                  \
        RCITY_EVENT_TRANSMISSION, i                                                                                    \
    }
#define D(i)                                                                                                           \
    {                                                                                                                  \
        RCITY_EVENT_DIFFRACTION, i                                                                                     \
    }
    {R(0)},
    {R(0), R(1)},
    {R(0), R(1), R(2)},
    {T(0)},
    {T(0), T(1)},
    {T(0), R(1), T(2)},
    {D(0)},
    {R(0), D(0)},
    {D(0), R(0)},
    {R(0), D(0), R(1)},
    {R(0), R(1), D(0), R(2), R(3)},
    {T(0), D(0), R(1), T(2)},
    {D(0), D(1)},
    {R(0), D(0), D(1)},
    {D(0), R(0), D(1)},
    {D(0), D(1), R(0)},
    {R(0), D(0), R(1), D(1), R(2)},
    {D(0), T(0), D(1)},
    {D(0), R(0), R(1), D(1)},
};
static const int sequence_length[] = {1, 2, 3, 1, 2, 3, 1, 2, 2, 3, 5, 4, 2, 3, 3, 3, 5, 3, 4};

#define SEQUENCE_COUNT ((int)(sizeof sequence_length / sizeof sequence_length[0]))

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

/* Four planes and two edges of random directions, four surface materials: half-space, wall, metal, thin dense sheet. */
static void draw_world(path_world *world, uint64_t *next)
{
    path_world_init(world, draw(next, 0.01, 0.6));
    path_world_add_material(world, draw(next, 2.0, 20.0), -draw(next, 0.01, 3.0), 0.0);
    path_world_add_material(world, draw(next, 2.0, 9.0), -draw(next, 0.01, 1.0), draw(next, 0.05, 0.4));
    path_world_add_conductor(world);
    path_world_add_material(world, draw(next, 2.0, 9.0), -draw(next, 0.5, 5.0), 0.01);
    for (int i = 0; i < 4; i++) {
        int32_t material_index = (int32_t)draw(next, 0.0, 4.0);
        material_index = i % 2 == 0 ? material_index | 1 : material_index; /* walls: some paths go through */
        rcity_place3 point = draw_place(next, 60.0);
        path_world_add_mirror(world, point, draw_place(next, 1.0), material_index);
    }
    for (int i = 0; i < 2; i++) {
        int32_t material_o = (int32_t)draw(next, 0.0, 4.0);
        int32_t material_n = (int32_t)draw(next, 0.0, 4.0);
        rcity_place3 point = draw_place(next, 30.0);
        rcity_place3 along = draw_place(next, 1.0);
        rcity_place3 in_face_o = draw_place(next, 1.0);
        path_world_add_edge(world, point, along, in_face_o, draw(next, 1.05, 2.0) * PI, material_o, material_n);
    }
}

/* An edge whose ends lie in the air, or the path makes no sense. */
static bool is_in_air(const path_world *world, const rcity_trace_path *path)
{
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind == RCITY_EVENT_DIFFRACTION) {
            const rcity_facet_edge *facet_edge = &world->edges[path->event[i].object];
            rcity_place3 before = i > 0 ? path->event[i - 1].point : path->tx;
            rcity_place3 after = i + 1 < path->event_count ? path->event[i + 1].point : path->rx;
            if (place_angle(facet_edge, before) > facet_edge->exterior_rad ||
                place_angle(facet_edge, after) > facet_edge->exterior_rad) {
                return false;
            }
        }
    }
    return true;
}

/* The i-th random world with a path through it; false where the drawn planes lie on the wrong side. */
static bool draw_path(int index, path_world *world, rcity_trace_path *path)
{
    uint64_t next = (uint64_t)index * 1000;
    draw_world(world, &next);
    rcity_place3 tx = draw_place(&next, 100.0);
    rcity_place3 rx = draw_place(&next, 100.0);
    int sequence = index % SEQUENCE_COUNT;
    return path_world_solve(world, tx, rx, sequences[sequence], sequence_length[sequence], path) &&
           is_in_air(world, path);
}

static double channel_size(rcity_channel channel)
{
    double square = 0.0;
    for (int i = 0; i < 4; i++) {
        square += pow(cabs(channel_get(channel, i / 2, i % 2)), 2.0);
    }
    return sqrt(square);
}

/* The largest difference of b from a with the signs that the phi components get, relative to a. */
static double difference(rcity_channel a, rcity_channel b, bool is_transposed, double cross_sign)
{
    double worst = 0.0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            phasor other = is_transposed ? channel_get(b, j, i) : channel_get(b, i, j);
            worst = fmax(worst, cabs(channel_get(a, i, j) - (i == j ? 1.0 : cross_sign) * other));
        }
    }
    return worst / channel_size(a);
}

/* Run `compare` over all worlds; every sequence must come up. */
static void for_all_paths(double (*compare)(const path_world *, const rcity_trace_path *), double tolerance,
                          const char *what)
{
    int used[SEQUENCE_COUNT] = {0};
    double worst = 0.0;
    for (int index = 0; index < WORLD_COUNT * SEQUENCE_COUNT; index++) {
        path_world world;
        rcity_trace_path path;
        if (!draw_path(index, &world, &path)) {
            continue;
        }
        if (channel_size(rcity_path_channel(&world.world, &path)) == 0.0) {
            continue; /* metal and half-spaces let nothing through */
        }
        double off = compare(&world, &path);
        used[index % SEQUENCE_COUNT]++;
        if (!(off < tolerance)) {
            print_error("%s: off by %g, seed %llu, world %d, sequence %d\n", what, off, (unsigned long long)seed, index,
                        index % SEQUENCE_COUNT);
            fail();
        }
        worst = fmax(worst, off);
    }
    for (int i = 0; i < SEQUENCE_COUNT; i++) {
        if (used[i] < 3) {
            print_error("%s: sequence %d came up %d times\n", what, i, used[i]);
            fail();
        }
    }
    print_message("%s: worst difference %.2g\n", what, worst);
}

static double compare_reversed(const path_world *world, const rcity_trace_path *path)
{
    rcity_trace_path back = path_reversed(path);
    rcity_channel out = rcity_path_channel(&world->world, path);
    rcity_channel home = rcity_path_channel(&world->world, &back);
    return difference(out, home, true, -1.0);
}

static void test_reversed_path_has_the_same_channel(void **state)
{
    (void)state;
    for_all_paths(compare_reversed, 1e-6, "reciprocity");
}

static rcity_place3 turned(rcity_place3 v, double angle_rad)
{
    return place_make(v.x * cos(angle_rad) - v.y * sin(angle_rad), v.x * sin(angle_rad) + v.y * cos(angle_rad), v.z);
}

static rcity_place3 changed(rcity_place3 v, double angle_rad, bool is_mirrored)
{
    return is_mirrored ? place_make(-v.x, v.y, v.z) : turned(v, angle_rad);
}

/* A mirrored edge runs the other way, since angles around it count counter-clockwise. */
static void change_world(path_world *world, rcity_trace_path *path, double angle_rad, bool is_mirrored)
{
    for (int i = 0; i < world->world.mirror_count; i++) {
        world->mirrors[i].normal = changed(world->mirrors[i].normal, angle_rad, is_mirrored);
    }
    for (int i = 0; i < world->world.edge_count; i++) {
        rcity_facet_edge *facet_edge = &world->edges[i];
        facet_edge->a = changed(facet_edge->a, angle_rad, is_mirrored);
        facet_edge->in_face_o = changed(facet_edge->in_face_o, angle_rad, is_mirrored);
        facet_edge->normal_o = changed(facet_edge->normal_o, angle_rad, is_mirrored);
        facet_edge->along = place_cross(facet_edge->in_face_o, facet_edge->normal_o);
    }
    path->tx = changed(path->tx, angle_rad, is_mirrored);
    path->rx = changed(path->rx, angle_rad, is_mirrored);
    for (int i = 0; i < path->event_count; i++) {
        path->event[i].point = changed(path->event[i].point, angle_rad, is_mirrored);
    }
}

static double compare_turned(const path_world *world, const rcity_trace_path *path)
{
    double angle_rad = test_uniform(seed, (uint64_t)(path->tx.x * 1e6), 0.0, 2.0 * PI);
    path_world other = *world;
    rcity_trace_path other_path = *path;
    change_world(&other, &other_path, angle_rad, false);
    other.world.mirrors = other.mirrors;
    other.world.edges = other.edges;
    other.world.materials = other.materials;
    return difference(rcity_path_channel(&world->world, path), rcity_path_channel(&other.world, &other_path), false,
                      1.0);
}

static void test_turned_world(void **state)
{
    (void)state;
    for_all_paths(compare_turned, 1e-6, "turned world");
}

static double compare_mirrored(const path_world *world, const rcity_trace_path *path)
{
    path_world other = *world;
    rcity_trace_path other_path = *path;
    change_world(&other, &other_path, 0.0, true);
    other.world.mirrors = other.mirrors;
    other.world.edges = other.edges;
    other.world.materials = other.materials;
    return difference(rcity_path_channel(&world->world, path), rcity_path_channel(&other.world, &other_path), false,
                      -1.0);
}

static void test_mirrored_world(void **state)
{
    (void)state;
    for_all_paths(compare_mirrored, 1e-6, "mirrored world");
}

/* Which face of an edge is called o is nobody's business. */
static double compare_renamed(const path_world *world, const rcity_trace_path *path)
{
    path_world other = *world;
    for (int i = 0; i < world->world.edge_count; i++) {
        const rcity_facet_edge *facet_edge = &world->edges[i];
        rcity_place3 zero = place_make(0.0, 0.0, 0.0);
        rcity_place3 in_face_n =
            place_add(place_around(facet_edge, facet_edge->exterior_rad, 1.0, 0.0), facet_edge->a, -1.0);
        int32_t material_index = facet_edge->material_o;
        other.edges[i].along = place_add(zero, facet_edge->along, -1.0);
        other.edges[i].in_face_o = in_face_n;
        other.edges[i].normal_o = place_cross(other.edges[i].along, in_face_n);
        other.edges[i].material_o = facet_edge->material_n;
        other.edges[i].material_n = material_index;
    }
    other.world.mirrors = other.mirrors;
    other.world.edges = other.edges;
    other.world.materials = other.materials;
    return difference(rcity_path_channel(&world->world, path), rcity_path_channel(&other.world, path), false, 1.0);
}

static void test_renamed_faces(void **state)
{
    (void)state;
    for_all_paths(compare_renamed, 1e-6, "renamed faces");
}

/* A mirror between two edges is no mirror: behind it stand the images of the second edge and of the receiver. What a
   conductor leaves of the field is a mirror image too, so each polarization keeps its size. */
static void test_unfolded_mirror(void **state)
{
    (void)state;
    int used = 0;
    for (int index = 0; index < 20 * WORLD_COUNT; index++) {
        static const path_step folded_steps[] = {D(0), R(0), D(1)};
        static const path_step unfolded_steps[] = {D(0), D(1)};
        uint64_t next = (uint64_t)index * 1000;
        path_world world;
        rcity_trace_path path;
        draw_world(&world, &next);
        world.materials[world.mirrors[0].material_index].is_conductor = true;
        rcity_place3 tx = draw_place(&next, 100.0);
        rcity_place3 rx = draw_place(&next, 100.0);
        if (!path_world_solve(&world, tx, rx, folded_steps, 3, &path) || !is_in_air(&world, &path)) {
            continue;
        }
        rcity_channel folded = rcity_path_channel(&world.world, &path);
        rcity_facet_edge *facet_edge = &world.edges[1];
        rcity_place3 normal = world.mirrors[0].normal;
        facet_edge->a = place_mirrored(facet_edge->a, &world.mirrors[0]);
        facet_edge->in_face_o =
            place_add(facet_edge->in_face_o, normal, -2.0 * place_dot(normal, facet_edge->in_face_o));
        facet_edge->normal_o = place_add(facet_edge->normal_o, normal, -2.0 * place_dot(normal, facet_edge->normal_o));
        facet_edge->along = place_cross(facet_edge->in_face_o, facet_edge->normal_o);
        rcity_channel unfolded =
            path_world_channel(&world, tx, place_mirrored(rx, &world.mirrors[0]), unfolded_steps, 2);
        for (int in = 0; in < 2; in++) {
            double size = hypot(cabs(channel_get(unfolded, 0, in)), cabs(channel_get(unfolded, 1, in)));
            assert_near(hypot(cabs(channel_get(folded, 0, in)), cabs(channel_get(folded, 1, in))) / size, 1.0, 1e-6);
        }
        used++;
    }
    assert_true(used > 10);
}

/* A wall of air between two edges changes nothing. */
static void test_wall_of_air(void **state)
{
    (void)state;
    int used = 0;
    for (int index = 0; index < 3 * WORLD_COUNT; index++) {
        static const path_step steps[] = {D(0), T(0), D(1)};
        static const path_step free_steps[] = {D(0), D(1)};
        uint64_t next = (uint64_t)index * 1000;
        path_world world;
        rcity_trace_path path;
        draw_world(&world, &next);
        world.materials[world.mirrors[0].material_index] =
            (rcity_facet_material){.permittivity_re = 1.0, .thickness_m = 0.1};
        rcity_place3 tx = draw_place(&next, 100.0);
        rcity_place3 rx = draw_place(&next, 100.0);
        if (!path_world_solve(&world, tx, rx, steps, 3, &path) || !is_in_air(&world, &path)) {
            continue;
        }
        rcity_channel through = rcity_path_channel(&world.world, &path);
        assert_near(difference(path_world_channel(&world, tx, rx, free_steps, 2), through, false, 1.0), 0.0, 1e-6);
        used++;
    }
    assert_true(used > 10);
}

TEST_SUITE(path_symmetry)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reversed_path_has_the_same_channel),
        cmocka_unit_test(test_turned_world),
        cmocka_unit_test(test_mirrored_world),
        cmocka_unit_test(test_renamed_faces),
        cmocka_unit_test(test_unfolded_mirror),
        cmocka_unit_test(test_wall_of_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
