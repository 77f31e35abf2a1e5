/* Bounces off terrain: blocks that are left out against every triangle tried, over random hills. */
#include "random_number.h"
#include "rcity_test.h"

#include <time.h>

#include "method/images/search/terrain_bounce.h"
#include "method/path_ends.h"
#include "scene/shape/facades.h"

typedef struct hills {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_facet_table world;
    rcity_reach_world reach_world;
    rcity_plan_index prism_index;
    rcity_terrain_tree tree;
    rcity_sight *sight;
    double cell_m;
} hills;

/* Waves of several lengths, and noise from cell to cell on some. */
static void open_hills(hills *h, int columns, int rows, double cell_m, double steepness)
{
    memset(h, 0, sizeof *h);
    float *height_m = malloc((size_t)columns * (size_t)rows * sizeof *height_m);
    double wave[6][4];
    double noise = random_number(0, 1) < 0.5 ? 0.0 : 0.3 * steepness * cell_m;
    for (int k = 0; k < 6; k++) {
        double length = cell_m * pow(2.0, 2.0 + k);
        double turn = random_number(0, 6.3);
        wave[k][0] = 6.3 / length * cos(turn);
        wave[k][1] = 6.3 / length * sin(turn);
        wave[k][2] = random_number(0, 6.3);
        wave[k][3] = random_number(0, steepness) * length / 6.3 / 2.0;
    }
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            double z = 100.0 + random_number(0, noise);
            for (int k = 0; k < 6; k++) {
                z += wave[k][3] * sin(wave[k][0] * column * cell_m + wave[k][1] * row * cell_m + wave[k][2]);
            }
            height_m[row * columns + column] = (float)z;
        }
    }
    h->cell_m = cell_m;
    h->context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(h->context, rcity_scene_create(h->context, &options, &h->scene));
    rcity_terrain terrain = {columns, rows, 0, 0, cell_m, height_m};
    assert_ok(h->context, rcity_scene_set_terrain(h->scene, &terrain));
    free(height_m);
    assert_ok(h->context, rcity_scene_commit(h->scene));
    h->shapes = rcity_scene_shapes(h->scene);
    assert_ok(h->context, rcity_facet_table_init(h->context, h->scene, 2e9, &h->world));
    assert_ok(h->context, rcity_reach_world_init(h->context, &h->world, false, &h->reach_world));
    assert_ok(h->context, rcity_shapes_index_prisms(h->context, h->shapes, &h->prism_index));
    assert_ok(h->context, rcity_sight_create(h->context, h->shapes, &h->sight));
    assert_ok(h->context, rcity_terrain_tree_init(h->context, &h->shapes->terrain, &h->tree));
}

static void close_hills(hills *h)
{
    rcity_terrain_tree_deinit(h->context, &h->tree);
    rcity_sight_destroy(h->context, &h->sight);
    rcity_plan_index_deinit(h->context, &h->prism_index);
    rcity_reach_world_deinit(h->context, &h->reach_world);
    rcity_facet_table_deinit(h->context, &h->world);
    rcity_scene_destroy(&h->scene);
    rcity_context_destroy(&h->context);
}

/* A place over the ground; every other one on a node of the grid. */
static rcity_place3 place_over(const hills *h, double over_m, bool is_on_node)
{
    const rcity_terrain_grid *terrain = &h->shapes->terrain;
    double x = random_number(0, (terrain->column_count - 1) * h->cell_m);
    double y = random_number(0, (terrain->row_count - 1) * h->cell_m);
    if (is_on_node) {
        x = floor(x / h->cell_m) * h->cell_m;
        y = floor(y / h->cell_m) * h->cell_m;
    }
    double ground_m;
    assert_ok(h->context, rcity_scene_get_ground(h->context, h->scene, x, y, &ground_m));
    rcity_place3 at = {x - h->shapes->origin_x_m, y - h->shapes->origin_y_m, ground_m + over_m};
    return rcity_path_end_in_air(&h->world, &h->prism_index, at);
}

static double seconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_equal(const rcity_path_list *a, const rcity_path_list *b)
{
    if (a->path_count != b->path_count || a->event_count != b->event_count) {
        return false;
    }
    for (size_t i = 0; i < a->event_count; i++) {
        if (a->events[i].object != b->events[i].object || a->events[i].point.x != b->events[i].point.x ||
            a->events[i].point.y != b->events[i].point.y || a->events[i].point.z != b->events[i].point.z) {
            return false;
        }
    }
    return true;
}

/* Random ends over one terrain: the same paths, to the last bit and in order. @return how many. */
static size_t compare_bounces(hills *h, int receiver_count, double *tree_s, double *plain_s)
{
    static const double heights_m[] = {0.0, 1.5, 10.0, 60.0, 400.0};
    rcity_path_checker checker = {&h->world, h->sight, &h->prism_index, NULL, NULL, 0};
    rcity_search_orders orders = {1, 0, 0, true, true};
    rcity_search search;
    rcity_path_list plain, fast;
    memset(&plain, 0, sizeof plain);
    memset(&fast, 0, sizeof fast);
    rcity_place3 tx = place_over(h, heights_m[(int)random_number(0, 4.999)], random_number(0, 1) < 0.5);
    assert_ok(h->context, rcity_search_init(h->context, &h->reach_world, &checker, &orders, tx, &search));
    size_t total = 0;
    for (int i = 0; i < receiver_count; i++) {
        rcity_place3 rx = place_over(h, heights_m[(int)random_number(0, 4.999)], i % 2 == 0);
        rcity_place3 aside = rcity_path_end_rx_aside(rx, 0);
        plain.path_count = plain.event_count = 0;
        fast.path_count = fast.event_count = 0;
        double start = seconds_now();
        search.terrain_tree = &h->tree;
        assert_ok(h->context, rcity_terrain_bounce_find(h->context, &search, NULL, aside, rx, &fast));
        double middle = seconds_now();
        search.terrain_tree = NULL;
        assert_ok(h->context, rcity_terrain_bounce_find(h->context, &search, NULL, aside, rx, &plain));
        *tree_s += middle - start;
        *plain_s += seconds_now() - middle;
        total += plain.path_count;
        assert_true(is_equal(&fast, &plain));
    }
    rcity_path_list_deinit(h->context, &plain);
    rcity_path_list_deinit(h->context, &fast);
    rcity_search_deinit(h->context, &search);
    return total;
}

static void test_random_hills(void **state)
{
    (void)state;
    const uint64_t first_seed = 1;
    size_t total = 0;
    double tree_s = 0.0;
    double plain_s = 0.0;
    for (uint64_t seed = first_seed; seed < first_seed + 60; seed++) {
        random_state = seed;
        hills h;
        int columns = (int)random_number(2, 70);
        int rows = (int)random_number(2, 70);
        double cell_m = pow(2.0, floor(random_number(0, 6)));
        open_hills(&h, columns, rows, cell_m, random_number(0.01, 1.0));
        print_message("seed %llu, %d x %d nodes of %g m\n", (unsigned long long)seed, columns, rows, cell_m);
        total += compare_bounces(&h, 40, &tree_s, &plain_s);
        close_hills(&h);
    }
    print_message("%zu bounces; blocks %.3f s, all triangles %.3f s\n", total, tree_s, plain_s);
    assert_true(total > 500);
}

/* A large terrain. */
static void test_large_hills(void **state)
{
    (void)state;
    random_state = 7;
    hills h;
    double tree_s = 0.0;
    double plain_s = 0.0;
    open_hills(&h, 1200, 1250, 8.0, 0.15);
    size_t total = compare_bounces(&h, 12, &tree_s, &plain_s);
    print_message("1.5 million cells: %zu bounces; %.3f ms a receiver, all triangles %.1f ms\n", total, tree_s / 12e-3,
                  plain_s / 12e-3);
    close_hills(&h);
}

TEST_SUITE(terrain_bounce)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_hills),
        cmocka_unit_test(test_large_hills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
