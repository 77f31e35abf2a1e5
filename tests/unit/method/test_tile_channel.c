/* The field of a path between tiles, in single precision, against that of the same path in double (images). */
#include "rcity_test.h"

#include "kernel/tiles/tile_arrival.h"
#include "path_world.h"
#include "tile_chain.h"

#define CHAINS 300

static const uint64_t seed = 20270115;

/* The same chain in both models. Faces: half-space, wall, conductor, thin sheet. */
typedef struct both_worlds {
    tile_chain chain;
    path_world images;
    rcity_face faces[PATH_WORLD_MAX];
    rcity_i32 tile_face[RCITY_TUBE_EVENT_MAX];
    rcity_i32 edge_face[2 * RCITY_TUBE_EVENT_MAX];
    rcity_trace_path path;
} both_worlds;

static rcity_place3 to_place(vector v)
{
    return place_make(v.x, v.y, v.z);
}

static void draw_materials(both_worlds *both, uint64_t *next)
{
    path_world_init(&both->images, test_uniform(seed, (*next)++, 0.03, 0.6));
    for (int i = 0; i < 4; i++) {
        double re = test_uniform(seed, (*next)++, 2.0, 9.0);
        double im = -test_uniform(seed, (*next)++, 0.01, 2.0);
        if (i == 2) {
            path_world_add_conductor(&both->images);
        } else {
            path_world_add_material(&both->images, re, im, i == 0 ? 0.0 : i == 1 ? 0.3 : 0.01);
        }
        const rcity_facet_material *material = &both->images.materials[i];
        both->faces[i].permittivity =
            rcity_complex_make((float)material->permittivity_re, (float)material->permittivity_im);
        both->faces[i].thickness_m = (float)material->thickness_m;
        both->faces[i].is_conductor = material->is_conductor;
        both->faces[i].rough_loss = 0.0f;
    }
}

static int32_t draw_material(uint64_t *next)
{
    return (int32_t)test_uniform(seed, (*next)++, 0.0, 4.0);
}

static void draw_both(const char *word, double size_m, uint64_t *next, both_worlds *both)
{
    memset(both, 0, sizeof *both);
    draw_materials(both, next);
    tile_chain *chain = &both->chain;
    *chain = tile_chain_draw(word, size_m, seed, next);
    both->path.tx = to_place(chain->point[0]);
    both->path.rx = to_place(chain->point[chain->count + 1]);
    both->path.event_count = chain->count;
    for (int i = 0; i < chain->count; i++) {
        rcity_trace_event *event = &both->path.event[i];
        rcity_place3 at = to_place(chain->point[i + 1]);
        int32_t material = draw_material(next);
        event->point = at;
        if (chain->is_edge[i]) {
            int32_t material_n = draw_material(next);
            event->kind = RCITY_EVENT_DIFFRACTION;
            event->object =
                path_world_add_edge(&both->images, at, to_place(chain->along[i]), to_place(chain->in_face_o[i]),
                                    chain->exterior_rad[i], material, material_n);
            both->edge_face[2 * i] = material;
            both->edge_face[2 * i + 1] = material_n;
        } else {
            event->kind = RCITY_EVENT_REFLECTION;
            event->object = path_world_add_mirror(&both->images, at, to_place(chain->normal[i]), material);
            both->tile_face[i] = material;
        }
    }
}

static rcity_tile_faces_table table_of(const both_worlds *both)
{
    rcity_tile_faces_table table;
    table.faces = both->faces;
    table.tile_face = both->tile_face;
    table.edge_face = both->edge_face;
    table.wavenumber_per_m = (float)(2.0 * PI / both->images.world.wavelength_m);
    return table;
}

/* The largest difference of the two transfers, as a share of the largest element. Phases of the length are left out: the
   kernel gives them apart. */
static double compare(const both_worlds *both, int to_surface, double *length_m)
{
    const tile_chain *chain = &both->chain;
    rcity_channel exact = rcity_path_channel(&both->images.world, &both->path);
    rcity_tube tube = tile_chain_tube(chain);
    rcity_tile_world world = tile_chain_world(chain);
    rcity_tile_path path;
    assert_true(rcity_tile_path_make(world, &tube, vector_to_kernel(chain->point[0]),
                                     vector_to_kernel(chain->point[chain->count + 1]), &path));
    rcity_tile_channel made = rcity_tile_channel_make(world, table_of(both), &tube, &path, to_surface);
    *length_m = fabs((double)made.length_m - chain->length_m);
    vector leave = vector_unit(vector_add(chain->point[1], -1.0, chain->point[0]));
    vector arrive = vector_unit(vector_add(chain->point[chain->count + 1], -1.0, chain->point[chain->count]));
    assert_true(vector_distance(vector_from_kernel(made.departure), leave) < 2e-3);
    assert_true(vector_distance(vector_from_kernel(made.arrival), arrive) < 2e-3);
    double wavelength_m = both->images.world.wavelength_m;
    phasor length = phasor_free_space(chain->length_m, wavelength_m) * chain->length_m; /* lambda / 4 pi and phase */
    double largest = 0.0;
    double worst = 0.0;
    for (int i = 0; i < 4; i++) {
        phasor truth = channel_get(exact, i / 2, i % 2) / length;
        rcity_complex value = made.transfer.m[i / 2][i % 2];
        largest = fmax(largest, cabs(truth));
        worst = fmax(worst, cabs((double)value.re + (double)value.im * PHASOR_J - truth));
    }
    return worst / largest;
}

/* Far within 0.01 dB, which is 0.12 %, for reflections and one edge. Of two edges the points are found by a few turns;
   the worst of thousands of skew pairs is off by 0.01 dB. */
static void test_channels_are_those_of_images(void **state)
{
    (void)state;
    char word[RCITY_TUBE_EVENT_MAX + 1];
    uint64_t next = 0;
    double worst[3] = {0.0, 0.0, 0.0};
    double worst_length_m = 0.0;
    for (int w = 0; tile_chain_word(w, word); w++) {
        for (int i = 0; i < CHAINS; i++) {
            both_worlds both;
            double length_m;
            draw_both(word, i % 2 == 0 ? 50.0 : 10.0, &next, &both);
            double off = compare(&both, 0, &length_m);
            int edges = (strchr(word, 'D') != NULL) + (strchr(word, 'D') != strrchr(word, 'D'));
            worst[edges] = fmax(worst[edges], off);
            worst_length_m = fmax(worst_length_m, length_m);
        }
    }
    print_message("transfers within %.1e, %.1e, %.1e for 0, 1, 2 edges; lengths within %.1e m\n", worst[0], worst[1],
                  worst[2], worst_length_m);
    assert_true(worst[0] < 1e-4 && worst[1] < 3e-4 && worst[2] < 3e-3 && worst_length_m < 2e-3);
}

/* The upper edge of a metal wall at x = 0, which the transmitter looks at from below; the roof behind it lies at 10 m. */
static void make_roof_edge(double height_m, both_worlds *both)
{
    uint64_t next = 0;
    memset(both, 0, sizeof *both);
    draw_materials(both, &next);
    tile_chain *chain = &both->chain;
    vector at = {0.0, 0.0, 10.0};
    chain->count = 1;
    chain->is_edge[0] = true;
    chain->point[0] = vector_make(-150.0, 0.0, 6.0);
    chain->point[1] = at;
    chain->point[2] = vector_make(60.0, 0.0, height_m);
    chain->length_m = vector_distance(chain->point[0], at) + vector_distance(at, chain->point[2]);
    chain->edges[0] = (rcity_tile_edge){.ay = -5.0f,
                                        .az = 10.0f,
                                        .by = 5.0f,
                                        .bz = 10.0f,
                                        .nox = -1.0f,
                                        .ioz = -1.0f,
                                        .exterior_rad = (float)(1.5 * PI),
                                        .tile_o = -1,
                                        .tile_n = -1,
                                        .before_m = RCITY_TILE_ENDLESS_M,
                                        .after_m = RCITY_TILE_ENDLESS_M};
    both->path.tx = to_place(chain->point[0]);
    both->path.rx = to_place(chain->point[2]);
    both->path.event_count = 1;
    both->path.event[0].kind = RCITY_EVENT_DIFFRACTION;
    both->path.event[0].point = to_place(at);
    both->path.event[0].object = path_world_add_edge(&both->images, to_place(at), place_make(0.0, 1.0, 0.0),
                                                     place_make(0.0, 0.0, -1.0), 1.5 * PI, 2, 2);
    both->edge_face[0] = both->edge_face[1] = 2;
}

/* A receiver in the plane of a roof has the whole field, as of `images`; a tile of the roof, there or 5 mm off, has the
   half of it that comes in. */
static void test_only_tiles_are_without_their_own_reflection(void **state)
{
    (void)state;
    static const double heights_m[] = {10.0, 10.005};
    for (int i = 0; i < 2; i++) {
        both_worlds both;
        double length_m;
        make_roof_edge(heights_m[i], &both);
        assert_true(compare(&both, 0, &length_m) < 3e-3);
        assert_near(compare(&both, 1, &length_m), 0.5, 0.02);
    }
    both_worlds both;
    double length_m;
    make_roof_edge(10.5, &both);
    assert_true(compare(&both, 1, &length_m) < 3e-3);
}

TEST_SUITE(tile_channel)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channels_are_those_of_images),
        cmocka_unit_test(test_only_tiles_are_without_their_own_reflection),
    };
    return cmocka_run_group_tests_name("tile_channel", tests, NULL, NULL);
}
