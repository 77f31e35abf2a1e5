/* Paths of ray tubes over tiles and edges, against chains whose path is known, and the windows that tiles are. */
#include "wave_test.h"

#include "kernel/tiles/tile_window.h"
#include "tile_chain.h"

#define CHAINS 400
#define SIZE_M 50.0

static const uint64_t seed = 20270114;

static vector point_of(const rcity_tile_path *path, int index)
{
    return vector_from_kernel(path->point[index]);
}

static bool find_path(const tile_chain *chain, const rcity_tube *tube, vector to, rcity_tile_path *path)
{
    return rcity_tile_path_make(tile_chain_world(chain), tube, vector_to_kernel(chain->point[0]), vector_to_kernel(to),
                                path);
}

static double path_length_m(const rcity_tile_path *path)
{
    double sum = 0.0;
    for (int i = 0; i <= path->event_count; i++) {
        sum += vector_distance(point_of(path, i), point_of(path, i + 1));
    }
    return sum;
}

/* Each point where the chain has it, for every order of mirrors and edges. Tiles and edges are rounded to float, and of
   two edges the points are found by a few turns: that moves points more than lengths, which are least there. */
static void test_paths_are_those_of_the_chain(void **state)
{
    (void)state;
    char word[RCITY_TUBE_EVENT_MAX + 1];
    uint64_t next = 0;
    double worst_m[3] = {0.0, 0.0, 0.0}; /* by edges */
    double worst_length_m[3] = {0.0, 0.0, 0.0};
    for (int w = 0; tile_chain_word(w, word); w++) {
        for (int i = 0; i < CHAINS; i++) {
            tile_chain chain = tile_chain_draw(word, SIZE_M, seed, &next);
            rcity_tube tube = tile_chain_tube(&chain);
            rcity_tile_path path;
            if (!find_path(&chain, &tube, chain.point[chain.count + 1], &path)) {
                print_error("seed %llu: no path %s, chain %d\n", (unsigned long long)seed, word, i);
                fail();
            }
            int edges = path.edge_count;
            for (int k = 0; k < chain.count + 2; k++) {
                worst_m[edges] = fmax(worst_m[edges], vector_distance(point_of(&path, k), chain.point[k]));
            }
            worst_length_m[edges] = fmax(worst_length_m[edges], fabs(path_length_m(&path) - chain.length_m));
        }
    }
    for (int k = 0; k < 3; k++) {
        print_message("%d edges: points within %.1e m, lengths within %.1e m (%s)\n", k, worst_m[k], worst_length_m[k],
                      PRECISION);
    }
    assert_true(worst_m[0] < 1e-3 && worst_m[1] < 2e-3 && worst_m[2] < 0.05);
    assert_true(worst_length_m[0] < EITHER(5e-4, 5e-5) && worst_length_m[1] < EITHER(3e-4, 5e-5));
    assert_true(worst_length_m[2] < EITHER(2e-3, 3e-4));
}

/* How far a path is from the laws: of mirrors the change of direction has no part along the plane, of edges none along
   the edge; every point lies in its plane or on its line. */
static double measure_laws(const tile_chain *chain, const rcity_tile_path *path, double *off_m)
{
    double worst = 0.0;
    for (int k = 0; k < chain->count; k++) {
        vector at = point_of(path, k + 1);
        vector in = vector_unit(vector_add(at, -1.0, point_of(path, k)));
        vector out = vector_unit(vector_add(point_of(path, k + 2), -1.0, at));
        vector change = vector_add(out, -1.0, in);
        vector from_chain = vector_add(at, -1.0, chain->point[k + 1]);
        if (chain->is_edge[k]) {
            worst = fmax(worst, fabs(vector_dot(change, chain->along[k])));
            *off_m = fmax(*off_m, vector_length(vector_cross(from_chain, chain->along[k])));
        } else {
            worst = fmax(worst, vector_length(vector_cross(change, chain->normal[k])));
            *off_m = fmax(*off_m, fabs(vector_dot(from_chain, chain->normal[k])));
        }
    }
    return worst;
}

/* The law of reflection and Keller's law hold for receivers anywhere near: then the path is the one there is. */
static void test_paths_obey_the_laws_everywhere(void **state)
{
    (void)state;
    char word[RCITY_TUBE_EVENT_MAX + 1];
    uint64_t next = 1u << 20;
    double worst[3] = {0.0, 0.0, 0.0};
    double off_m = 0.0;
    int found = 0;
    for (int w = 0; tile_chain_word(w, word); w++) {
        for (int i = 0; i < CHAINS; i++) {
            tile_chain chain = tile_chain_draw(word, SIZE_M, seed, &next);
            rcity_tube tube = tile_chain_tube(&chain);
            rcity_tile_path path;
            vector to = vector_add(chain.point[chain.count + 1], 1.0, vector_draw(seed, &next, 3.0));
            if (find_path(&chain, &tube, to, &path)) {
                worst[path.edge_count] = fmax(worst[path.edge_count], measure_laws(&chain, &path, &off_m));
                found++;
            }
        }
    }
    print_message("%d paths: laws within %.1e, %.1e, %.1e for 0, 1, 2 edges, planes within %.1e m (%s)\n", found,
                  worst[0], worst[1], worst[2], off_m, PRECISION);
    assert_true(found > 20 * CHAINS);
    assert_true(worst[0] < 5e-5 && worst[1] < 5e-5 && worst[2] < 2e-3 && off_m < 1e-3);
}

/* The unfolded length: reflections and at most one edge leave one straight line, or two that meet at the unfolded edge,
   from the tube's source to the place. */
static void test_tubes_unfold_their_chains(void **state)
{
    (void)state;
    char word[RCITY_TUBE_EVENT_MAX + 1];
    uint64_t next = 1u << 21;
    double worst_m = 0.0;
    for (int w = 0; tile_chain_word(w, word); w++) {
        for (int i = 0; i < CHAINS; i++) {
            tile_chain chain = tile_chain_draw(word, SIZE_M, seed, &next);
            rcity_tube tube = tile_chain_tube(&chain);
            rcity_real3 from;
            rcity_real3 to = vector_to_kernel(chain.point[chain.count + 1]);
            if (tube.edge_count == 2) {
                continue;
            }
            assert_true(rcity_tube_aim(&tube, to, &from));
            double length_m = vector_distance(vector_from_kernel(rcity_tube_source(&tube)), vector_from_kernel(from)) +
                              vector_distance(vector_from_kernel(from), chain.point[chain.count + 1]);
            worst_m = fmax(worst_m, fabs(length_m - chain.length_m));
        }
    }
    print_message("unfolded lengths within %.1e m (%s)\n", worst_m, PRECISION);
    assert_true(worst_m < 1e-3);
}

/* The last tile's rectangle, or the last edge's ends, are all that a tube asks for: the path's last point is within it,
   for tubes of up to one edge. Where the path meets what came before does not matter. */
static void test_tubes_reach_what_their_last_event_sends_on(void **state)
{
    (void)state;
    char word[RCITY_TUBE_EVENT_MAX + 1];
    uint64_t next = 1u << 22;
    int counts[2] = {0, 0};
    for (int w = 0; tile_chain_word(w, word); w++) {
        for (int i = 0; i < CHAINS; i++) {
            tile_chain chain = tile_chain_draw(word, SIZE_M, seed, &next);
            rcity_tube tube = tile_chain_tube(&chain);
            vector to = vector_add(chain.point[chain.count + 1], 1.0, vector_draw(seed, &next, 20.0));
            int last = chain.count - 1;
            rcity_tile_path path;
            if (tube.edge_count == 2 || !find_path(&chain, &tube, to, &path)) {
                continue;
            }
            vector at = vector_add(point_of(&path, chain.count), -1.0, chain.point[chain.count]);
            double margin_m; /* how far within */
            if (chain.is_edge[last]) {
                const rcity_tile_edge *edge = &chain.edges[last];
                double t = vector_dot(at, chain.along[last]);
                double from = vector_distance(vector_make((double)edge->ax, (double)edge->ay, (double)edge->az),
                                              chain.point[chain.count]);
                double end = vector_distance(vector_make((double)edge->bx, (double)edge->by, (double)edge->bz),
                                             chain.point[chain.count]);
                margin_m = fmin(t + from, end - t);
            } else {
                const rcity_tile *tile = &chain.tiles[last];
                vector off = vector_add(point_of(&path, chain.count), -1.0,
                                        vector_make((double)tile->x, (double)tile->y, (double)tile->z));
                vector along_u = vector_make((double)tile->ux, (double)tile->uy, (double)tile->uz);
                vector along_v = vector_cross(chain.normal[last], along_u);
                margin_m = fmin((double)tile->half_u - fabs(vector_dot(off, along_u)),
                                (double)tile->half_v - fabs(vector_dot(off, along_v)));
            }
            bool reaches = rcity_tube_reaches(&tube, chain.tiles[last], vector_to_kernel(to));
            if (fabs(margin_m) > 2e-3) {
                assert_int_equal(reaches, margin_m > 0.0);
                counts[reaches]++;
            }
        }
    }
    print_message("%d places reached, %d not\n", counts[1], counts[0]);
    assert_true(counts[0] > 500 && counts[1] > 500);
}

/* Nothing is behind a mirror: neither a place there has a path, nor one whose source is before the mirror. */
static void test_no_path_ends_behind_a_mirror(void **state)
{
    (void)state;
    uint64_t next = 1u << 23;
    for (int i = 0; i < CHAINS; i++) {
        tile_chain chain = tile_chain_draw(i % 2 == 0 ? "R" : "DR", SIZE_M, seed, &next);
        int last = chain.count - 1;
        rcity_tube tube = tile_chain_tube(&chain);
        rcity_tile_path path;
        vector to = chain.point[chain.count + 1];
        vector off = vector_add(to, -1.0, chain.point[chain.count]);
        to = vector_add(to, -1.5 * vector_dot(off, chain.normal[last]), chain.normal[last]);
        assert_false(find_path(&chain, &tube, to, &path));
        assert_false(rcity_tube_reaches(&tube, chain.tiles[last], vector_to_kernel(to)));
    }
}

/* A path whose point lies beyond the end of a surface, or of an edge, is none: each end in turn. */
static void test_paths_stay_on_their_surfaces(void **state)
{
    (void)state;
    char word[RCITY_TUBE_EVENT_MAX + 1];
    uint64_t next = 1u << 24;
    for (int w = 0; tile_chain_word(w, word); w++) {
        tile_chain chain = tile_chain_draw(word, SIZE_M, seed, &next);
        rcity_tube tube = tile_chain_tube(&chain);
        vector to = chain.point[chain.count + 1];
        rcity_tile_path path;
        for (int k = 0; k < chain.count; k++) {
            for (int side = 0; side < (chain.is_edge[k] ? 2 : 4); side++) {
                rcity_tile *tile = &chain.tiles[k];
                rcity_tile_edge *edge = &chain.edges[k];
                float *const edge_ends[] = {&edge->before_m, &edge->after_m};
                float *const tile_ends[] = {&tile->low_u, &tile->high_u, &tile->low_v, &tile->high_v};
                float *end = chain.is_edge[k] ? edge_ends[side] : tile_ends[side];
                float kept = *end;
                assert_true(find_path(&chain, &tube, to, &path));
                *end = chain.is_edge[k] || side % 2 == 1 ? -1000.0f : 1000.0f;
                assert_false(find_path(&chain, &tube, to, &path));
                *end = kept;
            }
        }
    }
}

static rcity_tile draw_tile(uint64_t *next)
{
    vector centre = vector_draw(seed, next, SIZE_M);
    vector normal = vector_unit(vector_add(vector_draw(seed, next, 1.0), 1.5, vector_make(0.0, 0.0, 1.0)));
    vector along = vector_draw_across(seed, next, normal);
    return (rcity_tile){(float)centre.x,
                        (float)centre.y,
                        (float)centre.z,
                        (float)normal.x,
                        (float)normal.y,
                        (float)normal.z,
                        (float)along.x,
                        (float)along.y,
                        (float)along.z,
                        (float)test_uniform(seed, (*next)++, 0.5, 10.0),
                        (float)test_uniform(seed, (*next)++, 0.5, 10.0),
                        0,
                        -RCITY_TILE_ENDLESS_M,
                        RCITY_TILE_ENDLESS_M,
                        -RCITY_TILE_ENDLESS_M,
                        RCITY_TILE_ENDLESS_M};
}

/* Windows are the test of tubes without an edge in linear form; they differ only where the path passes within a
   millimetre of the border. */
static void test_windows_are_what_tubes_reach(void **state)
{
    (void)state;
    uint64_t next = 1u << 24;
    int counts[2] = {0, 0};
    int ties = 0;
    for (int i = 0; i < 50 * CHAINS; i++) {
        rcity_tile tile = draw_tile(&next);
        rcity_tube tube = rcity_tube_make(vector_to_kernel(vector_draw(seed, &next, SIZE_M)));
        tube = rcity_tube_reflect(tube, tile, 0);
        rcity_tile_window window = rcity_tile_window_make(tile, tube.sx, tube.sy, tube.sz);
        vector aim = vector_draw(seed, &next, 1.0); /* through the tile, or past it */
        rcity_real3 source = rcity_tube_source(&tube);
        rcity_real3 along_u = rcity_real3_make((rcity_real)tile.ux, (rcity_real)tile.uy, (rcity_real)tile.uz);
        rcity_real3 along_v = rcity_real3_cross(rcity_tile_normal(tile), along_u);
        rcity_real3 at = rcity_real3_add(
            rcity_tile_centre(tile), rcity_real3_scale(along_u, (rcity_real)(2.0 * aim.x) * (rcity_real)tile.half_u));
        at = rcity_real3_add(at, rcity_real3_scale(along_v, (rcity_real)(2.0 * aim.y) * (rcity_real)tile.half_v));
        rcity_real3 to = rcity_real3_add(
            source, rcity_real3_scale(rcity_real3_subtract(at, source), (rcity_real)(1.0 + 3.0 * aim.z)));
        int passes = rcity_tile_window_passes(&window, (float)to.x, (float)to.y, (float)to.z);
        int reaches = rcity_tube_reaches(&tube, tile, to);
        if (passes == reaches) {
            counts[passes]++;
            continue;
        }
        double off_m = fmin(fabs(2.0 * fabs(aim.x) - 1.0) * (double)tile.half_u,
                            fabs(2.0 * fabs(aim.y) - 1.0) * (double)tile.half_v);
        double from_plane_m =
            fabs((double)rcity_real3_dot(rcity_real3_subtract(to, rcity_tile_centre(tile)), rcity_tile_normal(tile)));
        assert_true(off_m < 1e-3 || from_plane_m < 1e-3);
        ties++;
    }
    print_message("%d places passed, %d not, %d ties (%s)\n", counts[1], counts[0], ties, PRECISION);
    assert_true(counts[0] > 2000 && counts[1] > 1000 && ties < 10);
}

/* Of tiles side by side exactly one is passed; no line slips through between them. Rounding may move a border, so that a
   place within a millimetre of one may have two or none. */
static void test_tiles_side_by_side_leave_no_gap(void **state)
{
    (void)state;
    enum { SIDE = 4 };
    uint64_t next = 1u << 25;
    int once = 0;
    int ties = 0;
    for (int i = 0; i < 20 * CHAINS; i++) {
        rcity_tile tile = draw_tile(&next);
        vector along_u = vector_make((double)tile.ux, (double)tile.uy, (double)tile.uz);
        vector along_v = vector_cross(vector_make((double)tile.nx, (double)tile.ny, (double)tile.nz), along_u);
        vector first = vector_make((double)tile.x, (double)tile.y, (double)tile.z);
        vector source = vector_add(first, -test_uniform(seed, next++, 0.5, 30.0),
                                   vector_make((double)tile.nx, (double)tile.ny, (double)tile.nz));
        double u = test_uniform(seed, next++, -0.9, 2.0 * SIDE - 1.1);
        double v = test_uniform(seed, next++, -0.9, 2.0 * SIDE - 1.1);
        vector at = vector_add(vector_add(first, u * (double)tile.half_u, along_u), v * (double)tile.half_v, along_v);
        vector to = vector_add(source, test_uniform(seed, next++, 1.1, 4.0), vector_add(at, -1.0, source));
        int passed = 0;
        for (int k = 0; k < SIDE * SIDE; k++) {
            vector centre = vector_add(vector_add(first, 2.0 * (k % SIDE) * (double)tile.half_u, along_u),
                                       floor(k / (double)SIDE) * 2.0 * (double)tile.half_v, along_v);
            rcity_tile part = tile;
            part.x = (float)centre.x;
            part.y = (float)centre.y;
            part.z = (float)centre.z;
            rcity_tile_window window = rcity_tile_window_make(part, (float)source.x, (float)source.y, (float)source.z);
            passed += rcity_tile_window_passes(&window, (float)to.x, (float)to.y, (float)to.z);
        }
        double off_u = fabs(remainder(u - 1.0, 2.0)) * (double)tile.half_u;
        double off_v = fabs(remainder(v - 1.0, 2.0)) * (double)tile.half_v;
        assert_true(passed == 1 || (passed <= 2 && fmin(off_u, off_v) < 1e-3));
        once += passed == 1;
        ties += passed != 1;
    }
    print_message("%d places passed once, %d ties\n", once, ties);
    assert_true(ties < 20);
}

TEST_SUITE(tube)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_are_those_of_the_chain),
        cmocka_unit_test(test_paths_obey_the_laws_everywhere),
        cmocka_unit_test(test_tubes_unfold_their_chains),
        cmocka_unit_test(test_tubes_reach_what_their_last_event_sends_on),
        cmocka_unit_test(test_no_path_ends_behind_a_mirror),
        cmocka_unit_test(test_paths_stay_on_their_surfaces),
        cmocka_unit_test(test_windows_are_what_tubes_reach),
        cmocka_unit_test(test_tiles_side_by_side_leave_no_gap),
    };
    return cmocka_run_group_tests_name("tube", tests, NULL, NULL);
}
