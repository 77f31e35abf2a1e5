/* The search for paths against brute force over small random cities. */
#include "random_number.h"
#include "rcity_test.h"

#include "brute_paths.h"
#include "method/images/search/path_search.h"
#include "method/path_ends.h"
#include "scene/place/segment_test.h"
#include "scene/shape/facades.h"

#define PATHS_MAX 20000
#define SAME_M    0.02 /* between points for ends that differ by micrometres; a low bounce moves farther than its end */
#define SAME_PART 1e-5 /* and that grows with the distance of things */

static double on_grid(double value, double per_m)
{
    return round(value * per_m) / per_m;
}

/* A quadrilateral around a middle, sometimes turned, sometimes with a corner pulled in; or an L. */
static void make_building(brute_building *b, double x, double y, double units_per_m)
{
    static const double box[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const double corner[6][2] = {{-1, -1}, {1, -1}, {1, 0.2}, {0.1, 0.2}, {0.1, 1}, {-1, 1}};
    bool is_box = random_number(0, 1) < 0.7;
    double turn = random_number(0, 1) < 0.5 ? 0.0 : random_number(0, 3);
    double wide = random_number(2, 7);
    double deep = random_number(2, 7);
    b->corner_count = is_box ? 4 : 6;
    for (int i = 0; i < b->corner_count; i++) {
        double u = (is_box ? box[i][0] : corner[i][0]) * wide;
        double v = (is_box ? box[i][1] : corner[i][1]) * deep;
        b->x[i] = on_grid(x + u * cos(turn) - v * sin(turn), units_per_m);
        b->y[i] = on_grid(y + u * sin(turn) + v * cos(turn), units_per_m);
    }
    b->height = on_grid(random_number(3, 25), 64.0);
}

/* The same on whole metres, never turned: nearly everything ties. */
static void make_round_building(brute_building *b, double x, double y)
{
    static const double box[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const double corner[6][2] = {{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}};
    bool is_box = random_number(0, 1) < 0.7;
    double wide = 2.0 + floor(random_number(0, 6));
    double deep = 2.0 + floor(random_number(0, 6));
    b->corner_count = is_box ? 4 : 6;
    for (int i = 0; i < b->corner_count; i++) {
        b->x[i] = x + (is_box ? box[i][0] : corner[i][0]) * wide;
        b->y[i] = y + (is_box ? box[i][1] : corner[i][1]) * deep;
    }
    b->height = 4.0 * floor(random_number(1, 7));
}

/* What a city is like: anything, all on whole metres, or so wide that its grid is coarse. */
typedef enum city_kind { CITY_ANY, CITY_ROUND, CITY_WIDE } city_kind;

#define WIDE_M 40000.0

/* Three to six buildings on their own plots of 22 m, two where brute force would take too long; a wide city has one
   more, far from all. */
static void make_city(brute_city *city, city_kind kind, bool is_small)
{
    city->units_per_m = kind == CITY_WIDE ? 32.0 : 128.0;
    bool is_taken[9] = {false};
    city->building_count = is_small ? 2 : (int)random_number(3, 6.999);
    for (int i = 0; i < city->building_count; i++) {
        int plot = (int)random_number(0, 8.999);
        while (is_taken[plot]) {
            plot = (plot + 1) % 9;
        }
        is_taken[plot] = true;
        brute_building *made = &city->building[i];
        if (kind == CITY_ROUND) {
            make_round_building(made, 22.0 * (plot % 3), 22.0 * (plot / 3));
        } else {
            make_building(made, 22.0 * (plot % 3), 22.0 * (plot / 3), city->units_per_m);
        }
    }
    if (kind == CITY_WIDE) {
        make_building(&city->building[city->building_count++], -WIDE_M, -0.5 * WIDE_M, city->units_per_m);
    }
}

typedef struct trial {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_facet_table world;
    rcity_reach_world reach_world;
    rcity_plan_index prism_index;
    rcity_sight *sight;
    rcity_segment_scratch scratch;
} trial;

static void open_trial(trial *t, const brute_city *city)
{
    memset(t, 0, sizeof *t);
    t->context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(t->context, rcity_scene_create(t->context, &options, &t->scene));
    for (int i = 0; i < city->building_count; i++) {
        const brute_building *from = &city->building[i];
        double xy[2 * BRUTE_CORNERS];
        for (int k = 0; k < from->corner_count; k++) {
            xy[2 * k] = from->x[k];
            xy[2 * k + 1] = from->y[k];
        }
        rcity_building building = rcity_building_default();
        building.id = i;
        building.ring_count = 1;
        building.ring_point_count = &from->corner_count;
        building.xy_m = xy;
        building.height_m = from->height;
        assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
    }
    assert_ok(t->context, rcity_scene_commit(t->scene));
    t->shapes = rcity_scene_shapes(t->scene);
    assert_ok(t->context, rcity_facet_table_init(t->context, t->scene, 2e9, &t->world));
    assert_ok(t->context, rcity_reach_world_init(t->context, &t->world, false, &t->reach_world));
    assert_ok(t->context, rcity_shapes_index_prisms(t->context, t->shapes, &t->prism_index));
    assert_ok(t->context, rcity_sight_create(t->context, t->shapes, &t->sight));
    assert_ok(t->context, rcity_segment_scratch_init(t->context, t->shapes, &t->scratch));
}

static void close_trial(trial *t)
{
    rcity_segment_scratch_deinit(t->context, &t->scratch);
    rcity_sight_destroy(t->context, &t->sight);
    rcity_plan_index_deinit(t->context, &t->prism_index);
    rcity_reach_world_deinit(t->context, &t->reach_world);
    rcity_facet_table_deinit(t->context, &t->world);
    rcity_scene_destroy(&t->scene);
    rcity_context_destroy(&t->context);
}

static bool plain_sight(void *user, const double from[3], const double to[3])
{
    trial *t = user;
    rcity_point a = {from[0], from[1], from[2]};
    rcity_point b = {to[0], to[1], to[2]};
    rcity_grid_point3 grid_a, grid_b;
    assert_ok(t->context, rcity_shapes_snap(t->context, t->shapes, &a, &grid_a));
    assert_ok(t->context, rcity_shapes_snap(t->context, t->shapes, &b, &grid_b));
    return rcity_segment_is_free(t->shapes, &t->scratch, grid_a, grid_b);
}

typedef struct found_paths {
    int count;
    brute_path *path;
} found_paths;

static void take_path(void *user, const brute_path *path)
{
    found_paths *found = user;
    assert_true(found->count < PATHS_MAX);
    found->path[found->count++] = *path;
}

static bool is_same(const brute_path *a, const brute_path *b)
{
    if (a->event_count != b->event_count) {
        return false;
    }
    double far_m = 0.0; /* a low bounce on a long path moves with all of it */
    for (int i = 0; i < a->event_count; i++) {
        far_m = fmax(far_m, fabs(a->point[i][0]));
    }
    for (int i = 0; i < a->event_count; i++) {
        double d = fabs(a->point[i][0] - b->point[i][0]) + fabs(a->point[i][1] - b->point[i][1]) +
                   fabs(a->point[i][2] - b->point[i][2]);
        if (a->is_edge[i] != b->is_edge[i] || d > SAME_M + SAME_PART * far_m) {
            return false;
        }
    }
    return true;
}

/* Distance of a place from the foot of a wall in plan. */
static double off_wall_m(const brute_building *building, int wall, const double *p)
{
    int next = (wall + 1) % building->corner_count;
    double ex = building->x[next] - building->x[wall], ey = building->y[next] - building->y[wall];
    double dx = p[0] - building->x[wall], dy = p[1] - building->y[wall];
    double part = fmin(fmax((dx * ex + dy * ey) / (ex * ex + ey * ey), 0.0), 1.0);
    return hypot(dx - part * ex, dy - part * ey);
}

/* Distance of a place from the line of a wall in plan. */
static double off_line_m(const brute_building *building, int wall, const double *p)
{
    int next = (wall + 1) % building->corner_count;
    double ex = building->x[next] - building->x[wall], ey = building->y[next] - building->y[wall];
    return fabs(ex * (p[1] - building->y[wall]) - ey * (p[0] - building->x[wall])) / hypot(ex, ey);
}

/* Does a path bounce off the ground or a roof within a millimetre of a wall's foot or the roof's rim, or leave an edge
   within the plane of a wall that it runs along and come back to it? There points are snapped to the scene's grid, and
   may go either way. */
static bool is_on_rim(const brute_city *city, const brute_path *path)
{
    int last = path->event_count - 1;
    for (int b = 0; b < city->building_count && last > 0 && path->is_edge[0] && path->is_edge[last]; b++) {
        for (int k = 0; k < city->building[b].corner_count; k++) {
            bool is_in_plane = true;
            for (int i = 0; i <= last; i++) {
                is_in_plane = is_in_plane && off_line_m(&city->building[b], k, path->point[i]) < 1e-3;
            }
            if (is_in_plane && last > 1) {
                return true;
            }
        }
    }
    for (int i = 0; i < path->event_count; i++) {
        const double *p = path->point[i];
        for (int b = 0; b < city->building_count && !path->is_edge[i]; b++) {
            const brute_building *building = &city->building[b];
            for (int k = 0; k < building->corner_count; k++) {
                double off_m = off_wall_m(building, k, p);
                bool is_level = fabs(p[2]) < 1e-3 || fabs(p[2] - building->height) < 1e-3;
                if (is_level && off_m < 1e-3) {
                    return true;
                }
            }
        }
    }
    return false;
}

static int count_missing(const char *what, uint64_t seed, const brute_city *city, const found_paths *in,
                         const found_paths *from, int *on_rim)
{
    int missing = 0;
    for (int i = 0; i < from->count; i++) {
        int copies_in = 0;
        int copies_from = 0;
        for (int k = 0; k < in->count; k++) {
            copies_in += is_same(&in->path[k], &from->path[i]);
        }
        for (int k = 0; k < from->count; k++) {
            copies_from += is_same(&from->path[k], &from->path[i]);
        }
        if (copies_in != copies_from && is_on_rim(city, &from->path[i])) {
            (*on_rim)++;
        } else if (copies_in != copies_from) {
            missing++;
            print_message("seed %llu: %s, %d against %d:", (unsigned long long)seed, what, copies_in, copies_from);
            for (int k = 0; k < from->path[i].event_count; k++) {
                print_message(" %c(%.6f %.6f %.6f)", from->path[i].is_edge[k] ? 'D' : 'R', from->path[i].point[k][0],
                              from->path[i].point[k][1], from->path[i].point[k][2]);
            }
            print_message("\n");
        }
    }
    return missing;
}

static void search_paths(trial *t, const double tx[3], const double rx[3], const rcity_search_orders *orders,
                         found_paths *found)
{
    rcity_path_checker checker = {&t->world, t->sight, &t->prism_index, NULL, NULL, 0};
    rcity_place3 ends[2] = {{tx[0] - t->shapes->origin_x_m, tx[1] - t->shapes->origin_y_m, tx[2]},
                            {rx[0] - t->shapes->origin_x_m, rx[1] - t->shapes->origin_y_m, rx[2]}};
    rcity_search search;
    rcity_searcher searcher;
    rcity_path_list list;
    memset(&list, 0, sizeof list);
    assert_ok(t->context, rcity_search_init(t->context, &t->reach_world, &checker, orders, ends[0], &search));
    assert_ok(t->context, rcity_searcher_init(t->context, &search, &searcher));
    assert_ok(t->context, rcity_search_run(t->context, &search, &searcher, ends[1], &list));
    for (size_t i = 0; i < list.path_count; i++) {
        rcity_trace_path path;
        rcity_path_list_get(&list, i, ends[0], ends[1], &path);
        brute_path taken;
        memset(&taken, 0, sizeof taken);
        taken.event_count = path.event_count;
        for (int k = 0; k < path.event_count; k++) {
            taken.is_edge[k] = path.event[k].kind == RCITY_EVENT_DIFFRACTION;
            taken.point[k][0] = path.event[k].point.x + t->shapes->origin_x_m;
            taken.point[k][1] = path.event[k].point.y + t->shapes->origin_y_m;
            taken.point[k][2] = path.event[k].point.z;
        }
        take_path(found, &taken);
    }
    rcity_path_list_deinit(t->context, &list);
    rcity_searcher_deinit(t->context, &searcher);
    rcity_search_deinit(t->context, &search);
}

/* A place in the open, at most so high. */
static void place_end(trial *t, double z_max, bool is_round, double p[3])
{
    rcity_cover cover;
    do {
        p[0] = random_number(-15, 60);
        p[1] = random_number(-15, 60);
        p[2] = on_grid(random_number(1, z_max), 64.0);
        for (int k = 0; k < 3 && is_round; k++) {
            p[k] = floor(p[k]);
        }
        assert_ok(t->context, rcity_scene_get_cover(t->context, t->scene, p[0], p[1], &cover));
    } while (cover.is_covered && cover.roof_m >= p[2]);
}

/* The oracle is asked for the ends aside: the rule for ties. */
static void find_by_force(trial *t, const brute_city *city, const double tx[3], const double rx[3],
                          const rcity_search_orders *orders, found_paths *found)
{
    rcity_place3 a = rcity_path_end_tx_aside((rcity_place3){tx[0], tx[1], tx[2]});
    rcity_place3 b = rcity_path_end_rx_aside((rcity_place3){rx[0], rx[1], rx[2]}, 0);
    const double from[3] = {a.x, a.y, a.z};
    const double to[3] = {b.x, b.y, b.z};
    brute_paths_find(city, from, to, orders->max_reflections, orders->max_diffractions, plain_sight, t, take_path,
                     found);
}

static void compare_cities(int city_count, uint64_t first_seed, int max_mirrors, int max_edges, city_kind kind)
{
    found_paths brute = {0, malloc(PATHS_MAX * sizeof(brute_path))};
    found_paths traced = {0, malloc(PATHS_MAX * sizeof(brute_path))};
    long total = 0;
    int wrong = 0;
    int on_rim = 0;
    for (int i = 0; i < city_count; i++) {
        random_state = first_seed + (uint64_t)i;
        brute_city city;
        trial t;
        double tx[3], rx[3];
        make_city(&city, kind, max_mirrors + max_edges > 3);
        open_trial(&t, &city);
        assert_int_equal(t.shapes->units_per_m, (int)city.units_per_m);
        place_end(&t, 30.0, kind == CITY_ROUND, tx);
        place_end(&t, i % 2 == 0 ? 3.0 : 30.0, kind == CITY_ROUND, rx);
        brute.count = 0;
        traced.count = 0;
        rcity_search_orders orders = {max_mirrors, max_edges, 0, true, true};
        find_by_force(&t, &city, tx, rx, &orders, &brute);
        search_paths(&t, tx, rx, &orders, &traced);
        wrong += count_missing("missed", first_seed + (uint64_t)i, &city, &traced, &brute, &on_rim);
        wrong += count_missing("invented", first_seed + (uint64_t)i, &city, &brute, &traced, &on_rim);
        total += brute.count;
        close_trial(&t);
    }
    print_message("%d cities from seed %llu, %d mirrors, %d edges: %ld paths, %d wrong, %d on a rim\n", city_count,
                  (unsigned long long)first_seed, max_mirrors, max_edges, total, wrong, on_rim);
    free(brute.path);
    free(traced.path);
    assert_true(total > city_count);
    /* On whole metres nearly all ties, and pairs of edges 40 km away are seen nearly edge on: there the oracle's own
       answer is one of two, one time in a thousand. Anywhere else there is one answer. */
    bool is_strict = kind == CITY_ANY && max_mirrors + max_edges <= 3;
    assert_true(wrong + on_rim <= (is_strict ? 0 : 1 + total / 500));
}

static bool is_long; /* the program was called with the word "long" */

static int scaled(int count)
{
    return is_long ? count : (count + 39) / 40;
}

static void test_reflections_equal_brute_force(void **state)
{
    (void)state;
    compare_cities(scaled(1000), 1000, 3, 0, CITY_ANY);
}

static void test_one_edge(void **state)
{
    (void)state;
    compare_cities(scaled(100), 20000, 2, 1, CITY_ANY);
}

static void test_two_edges(void **state)
{
    (void)state;
    compare_cities(scaled(100), 30000, 0, 2, CITY_ANY);
}

static void test_two_edges_and_mirrors(void **state)
{
    (void)state;
    compare_cities(scaled(20), 40000, 1, 2, CITY_ANY);
}

/* Corners, walls, heights and both ends on whole metres. */
static void test_round_cities(void **state)
{
    (void)state;
    compare_cities(scaled(2000), 50000, 3, 0, CITY_ROUND);
    compare_cities(scaled(200), 60000, 2, 1, CITY_ROUND);
    compare_cities(scaled(200), 70000, 0, 2, CITY_ROUND);
}

/* A grid of 3 cm: what is derived from it must follow. */
static void test_wide_cities(void **state)
{
    (void)state;
    compare_cities(scaled(1000), 80000, 2, 0, CITY_WIDE);
    compare_cities(scaled(100), 90000, 1, 1, CITY_WIDE);
    compare_cities(scaled(100), 100000, 0, 2, CITY_WIDE);
}

static void test_two_edges_and_two_mirrors(void **state)
{
    (void)state;
    uint64_t first_seed = is_long ? 45000 : 45001; /* one of the ten, and of the small ones */
    compare_cities(is_long ? 10 : 1, first_seed, 2, 2, CITY_ANY);
}

TEST_SUITE(path_search)
{
    is_long = test_is_called_with("long");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reflections_equal_brute_force),
        cmocka_unit_test(test_one_edge),
        cmocka_unit_test(test_two_edges),
        cmocka_unit_test(test_two_edges_and_mirrors),
        cmocka_unit_test(test_two_edges_and_two_mirrors),
        cmocka_unit_test(test_round_cities),
        cmocka_unit_test(test_wide_cities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
