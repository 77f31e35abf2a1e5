/* Paths that beams find to places against those of `images`: the same sets, in small random cities and in Munich. */
#include "munich.h"

#include <stdlib.h>

#include "base/base.h"
#include "method/beams/points/beams_routes.h"
#include "method/beams/points/beams_ways.h"
#include "method/beams/raster/beam_bins.h"
#include "method/path_ends.h"
#include "scene/shape/facades.h"

#define HEIGHT_M 1.5
#define TIE_M                                                                                                          \
    1e-3 /* sight is tested between points of a grid: what passes a corner this near may be decided so or so */

static const uint64_t seed = 20261120;

/* A scene as both searches need it. */
typedef struct path_trial {
    rcity_context *context;
    rcity_scene *scene;
    const rcity_shapes *shapes;
    rcity_facet_table facets;
    rcity_reach_world reach_world;
    rcity_plan_index prism_index;
    rcity_sight *sight;
    rcity_beams_world world;
} path_trial;

/* How beams grow below receivers of a height. With `is_bounded` those end that no ray can come down from to a receiver. */
static rcity_beams_growth plan_growth(const path_trial *t, rcity_place3 tx, double rx_max_m, bool is_bounded)
{
    return (rcity_beams_growth){&t->world,
                                &t->facets,
                                fmax(tx.z, rx_max_m),
                                rx_max_m,
                                tx.z,
                                is_bounded ? -rx_max_m - 0.1 : -1e9,
                                is_bounded ? rx_max_m : HUGE_VAL,
                                true,
                                false,
                                0.0,
                                10000000,
                                HUGE_VAL,
                                false,
                                HUGE_VAL};
}

/* How two sets of paths compare. */
typedef struct path_count {
    long both, missing, extra, ties;
    long ways, way_ties; /* paths as maps have them, and how many are missing, extra or there twice */
} path_count;

/* A rectangle around a middle, turned. */
static void add_building(const path_trial *t, int64_t id, double x_m, double y_m, double wide_m, double deep_m,
                         double turn_rad, double height_m)
{
    static const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    double xy_m[8];
    int count = 4;
    for (int i = 0; i < 4; i++) {
        double u = corner[i][0] * wide_m;
        double v = corner[i][1] * deep_m;
        xy_m[2 * i] = x_m + u * cos(turn_rad) - v * sin(turn_rad);
        xy_m[2 * i + 1] = y_m + u * sin(turn_rad) + v * cos(turn_rad);
    }
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy_m;
    building.height_m = height_m;
    assert_ok(t->context, rcity_scene_add_building(t->scene, &building));
}

static void prepare(path_trial *t)
{
    t->shapes = rcity_scene_shapes(t->scene);
    assert_ok(t->context, rcity_facet_table_init(t->context, t->scene, 1e9, &t->facets));
    assert_ok(t->context, rcity_reach_world_init(t->context, &t->facets, false, &t->reach_world));
    assert_ok(t->context, rcity_shapes_index_prisms(t->context, t->shapes, &t->prism_index));
    assert_ok(t->context, rcity_sight_create(t->context, t->shapes, &t->sight));
    assert_ok(t->context, rcity_beams_world_init(t->context, &t->facets, &t->world));
}

/* Low hills: no receiver is under ground, and no ray meets any. */
static void add_hills(uint64_t number, path_trial *t)
{
    enum { SIDE = 16 };
    const double cell_m = 10.0;
    float height_m[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        height_m[i] = (float)test_uniform(seed, 1000 * number + 700 + (uint64_t)i, 0.0, 1.0);
    }
    rcity_terrain terrain = {SIDE, SIDE, -50.0, -50.0, cell_m, height_m};
    assert_ok(t->context, rcity_scene_set_terrain(t->scene, &terrain));
}

/* Buildings on plots of 24 m, some with a lower or higher one against their wall. */
static void open_small_city(uint64_t number, bool has_hills, path_trial *t)
{
    memset(t, 0, sizeof *t);
    t->context = test_context(2);
    rcity_scene_options options = rcity_scene_options_default();
    assert_ok(t->context, rcity_scene_create(t->context, &options, &t->scene));
    if (has_hills) {
        add_hills(number, t);
    }
    uint64_t next = 1000 * number;
    for (int plot = 0; plot < 9; plot++) {
        if (test_uniform(seed, next++, 0.0, 1.0) < 0.35) {
            continue;
        }
        double x_m = 24.0 * (plot % 3);
        double y_m = 24.0 * (plot / 3);
        double wide_m = test_uniform(seed, next++, 5.0, 12.0);
        double deep_m = test_uniform(seed, next++, 5.0, 14.0);
        double turn_rad = test_uniform(seed, next++, 0.0, 1.0) < 0.5 ? 0.0 : test_uniform(seed, next++, 0.0, 3.0);
        double height_m = test_uniform(seed, next++, 3.0, 25.0);
        add_building(t, 2 * plot, x_m, y_m, wide_m, deep_m, turn_rad, height_m);
        if (test_uniform(seed, next++, 0.0, 1.0) < 0.3) {
            double aside_m = 0.5 * wide_m + 2.5;
            add_building(t, 2 * plot + 1, x_m + aside_m * cos(turn_rad), y_m + aside_m * sin(turn_rad), 5.0, deep_m,
                         turn_rad, test_uniform(seed, next++, 3.0, 25.0));
        }
    }
    assert_ok(t->context, rcity_scene_commit(t->scene));
    prepare(t);
}

static void close_trial(path_trial *t)
{
    rcity_beams_world_deinit(t->context, &t->world);
    rcity_sight_destroy(t->context, &t->sight);
    rcity_plan_index_deinit(t->context, &t->prism_index);
    rcity_reach_world_deinit(t->context, &t->reach_world);
    rcity_facet_table_deinit(t->context, &t->facets);
    test_close(&t->context, &t->scene, NULL);
}

/* A place anywhere, in the frame of the shapes. */
static rcity_place3 draw_any_place(const path_trial *t, uint64_t *next, double height_m)
{
    const double margin_m = 10.0;
    rcity_place3 place = {0.0, 0.0, height_m};
    place.x = test_uniform(seed, (*next)++, t->world.x_min - margin_m, t->world.x_max + margin_m);
    place.y = test_uniform(seed, (*next)++, t->world.y_min - margin_m, t->world.y_max + margin_m);
    return place;
}

/* A place in the open. */
static rcity_place3 draw_place(const path_trial *t, uint64_t *next, double height_m)
{
    rcity_place3 place = {0.0, 0.0, height_m};
    rcity_cover cover = {true, 0, 0.0};
    while (cover.is_covered) {
        place = draw_any_place(t, next, height_m);
        assert_ok(t->context, rcity_scene_get_cover(t->context, t->scene, place.x + t->shapes->origin_x_m,
                                                    place.y + t->shapes->origin_y_m, &cover));
    }
    return place;
}

static bool meets_roof_edges(const path_trial *t, const rcity_trace_path *path)
{
    for (int i = 0; i < path->event_count; i++) {
        if (path->event[i].kind == RCITY_EVENT_DIFFRACTION && !t->facets.edges[path->event[i].object].is_vertical) {
            return true;
        }
    }
    return false;
}

static bool meets_the_same(const rcity_trace_path *a, const rcity_trace_path *b)
{
    for (int i = 0; i < a->event_count && a->event_count == b->event_count; i++) {
        if (a->event[i].kind != b->event[i].kind || a->event[i].object != b->event[i].object) {
            return false;
        }
    }
    return a->event_count == b->event_count;
}

/* Is a path blocked in exact geometry, by a wall that it crosses? Sight is tested between points that are moved and
   snapped to a grid of 8 mm, and may then pass the end of that wall. */
static bool is_blocked(const path_trial *t, const rcity_trace_path *path)
{
    for (int i = 0; i <= path->event_count; i++) {
        rcity_place3 a = rcity_trace_path_point(path, i - 1);
        rcity_place3 b = rcity_trace_path_point(path, i);
        for (int64_t k = 0; k < t->facets.wall_count; k++) {
            const rcity_mirror *wall = &t->facets.mirrors[k];
            double at_a = wall->normal.x * a.x + wall->normal.y * a.y - wall->offset;
            double at_b = wall->normal.x * b.x + wall->normal.y * b.y - wall->offset;
            if (at_a * at_b >= 0.0 || fabs(at_a) < 1e-6 || fabs(at_b) < 1e-6) {
                continue;
            }
            double part = at_a / (at_a - at_b);
            double x = a.x + part * (b.x - a.x);
            double y = a.y + part * (b.y - a.y);
            double z = a.z + part * (b.z - a.z);
            double length_m = hypot(wall->x2 - wall->x1, wall->y2 - wall->y1);
            double along_m = (y - wall->y1) * wall->normal.x - (x - wall->x1) * wall->normal.y;
            if (along_m > 0.0 && along_m < length_m && z >= wall->bottom && z < wall->top) {
                return true;
            }
        }
    }
    return false;
}

static void print_path(const char *what, uint64_t number, const rcity_trace_path *path)
{
    static const char letters[] = {
        [RCITY_EVENT_REFLECTION] = 'R', [RCITY_EVENT_DIFFRACTION] = 'D', [RCITY_EVENT_TRANSMISSION] = 'T'};
    print_message("city %llu, %s: (%.4f %.4f %.4f)", (unsigned long long)number, what, path->tx.x, path->tx.y,
                  path->tx.z);
    for (int i = 0; i < path->event_count; i++) {
        print_message(" %c%d(%.4f %.4f %.4f)", letters[path->event[i].kind], path->event[i].object,
                      path->event[i].point.x, path->event[i].point.y, path->event[i].point.z);
    }
    print_message(" (%.4f %.4f %.4f)\n", path->rx.x, path->rx.y, path->rx.z);
}

/* Paths of `from` that are not in `in`. */
static long count_missing(const path_trial *t, const char *what, uint64_t number, rcity_place3 tx, rcity_place3 rx,
                          const rcity_path_list *in, const rcity_path_list *from, long *both, long *ties)
{
    long missing = 0;
    for (size_t i = 0; i < from->path_count; i++) {
        rcity_trace_path path, other;
        rcity_path_list_get(from, i, tx, rx, &path);
        bool is_found = meets_roof_edges(t, &path);
        bool is_counted = !is_found;
        for (size_t k = 0; k < in->path_count && !is_found; k++) {
            rcity_path_list_get(in, k, tx, rx, &other);
            is_found = meets_the_same(&path, &other);
        }
        *both += is_found && is_counted;
        if (!is_found && is_blocked(t, &path)) {
            (*ties)++;
        } else if (!is_found) {
            missing++;
            print_path(what, number, &path);
        }
    }
    return missing;
}

static bool is_inside(const path_trial *t, rcity_place3 place)
{
    rcity_cover cover;
    assert_ok(t->context, rcity_scene_get_cover(t->context, t->scene, place.x + t->shapes->origin_x_m,
                                                place.y + t->shapes->origin_y_m, &cover));
    return cover.is_covered;
}

/* Does a part of a beam hold a place? */
static bool part_holds(const path_trial *t, const rcity_beam_frame *frame, const rcity_beam_part *part, double x,
                       double y)
{
    rcity_beam_offset at = rcity_beam_frame_offset(frame, x, y);
    rcity_beam_view view = rcity_beam_frame_view(frame, at);
    if (!(at.forward > 0.0) || view.across < part->right || view.across >= part->left ||
        view.nearness >= rcity_beam_line_at(frame->base, view.across)) {
        return false;
    }
    if (part->wall < 0) {
        return true;
    }
    const rcity_mirror *wall = &t->facets.mirrors[part->wall]; /* the source and the place on one side of it */
    double source = wall->normal.x * frame->x + wall->normal.y * frame->y - wall->offset;
    return source * (wall->normal.x * x + wall->normal.y * y - wall->offset) > 0.0;
}

/* An rcity_beams_listener. */
typedef struct way_list {
    rcity_context *context;
    rcity_path_list *list;
} way_list;

static rcity_status take_way(void *user, const rcity_trace_path *path)
{
    const way_list *to = user;
    return rcity_path_list_add(to->context, to->list, path);
}

/* The paths to a place as maps have them: by all parts of beams that hold it. */
static void list_ways(const path_trial *t, const rcity_beams_forest *forest, const rcity_path_checker *checker,
                      rcity_place3 tx, rcity_place3 rx, rcity_path_list *list)
{
    int32_t *found = calloc((size_t)t->facets.wall_count + 1, sizeof *found);
    assert_non_null(found);
    rcity_beams_ways ways = {forest, checker, rcity_path_end_tx_aside(tx), true, found};
    way_list to = {t->context, list};
    rx = rcity_path_end_rx_aside(rx, 0);
    list->path_count = list->event_count = 0;
    for (int32_t k = 0; k < forest->tree_count; k++) {
        const rcity_beams_tree *tree = &forest->trees[k];
        for (size_t n = 0; n < tree->node_count; n++) {
            const rcity_beams_node *node = &tree->nodes[n];
            rcity_beam_frame frame;
            for (int32_t i = 0; rcity_beams_node_frame(node, &frame) && i < node->part_count; i++) {
                rcity_beams_way_end end = {k, (int32_t)n, node->part_first + i};
                if (part_holds(t, &frame, &tree->parts[end.part], rx.x, rx.y)) {
                    assert_ok(t->context, rcity_beams_ways_list(&ways, &end, rx, take_way, &to));
                }
            }
        }
    }
    free(found);
}

/* Paths that are in a list more than once. */
static long count_repeated(rcity_place3 tx, rcity_place3 rx, const rcity_path_list *list)
{
    long repeated = 0;
    for (size_t i = 0; i < list->path_count; i++) {
        for (size_t k = 0; k < i; k++) {
            rcity_trace_path path, other;
            rcity_path_list_get(list, i, tx, rx, &path);
            rcity_path_list_get(list, k, tx, rx, &other);
            repeated += meets_the_same(&path, &other);
        }
    }
    return repeated;
}

/* Paths from a transmitter to some receivers by both searches. */
static void compare(path_trial *t, uint64_t number, rcity_place3 tx, int receiver_count, uint64_t *next,
                    const rcity_search_orders *orders, path_count *count)
{
    rcity_path_checker checker = {&t->facets,           t->sight,
                                  &t->prism_index,      &t->reach_world.wall_tree,
                                  t->reach_world.walls, orders->max_transmissions};
    t->reach_world.sees_through = orders->max_transmissions > 0;
    rcity_beams_growth growth = plan_growth(t, tx, HEIGHT_M, true);
    rcity_beams_orders beam_orders = {orders->max_reflections, orders->max_diffractions, orders->max_transmissions};
    rcity_beams_forest_limits limits = {10000000};
    rcity_beams_forest forest;
    rcity_search exact, beams;
    rcity_searcher exact_searcher, beams_searcher;
    rcity_path_list exact_list, beams_list;
    memset(&exact_list, 0, sizeof exact_list);
    memset(&beams_list, 0, sizeof beams_list);
    rcity_place3 aside = rcity_path_end_tx_aside(tx);
    double start_s = rcity_clock_s();
    assert_ok(t->context,
              rcity_beams_forest_grow(t->context, &growth, &beam_orders, &limits, aside.x, aside.y, tx.z, &forest));
    double grown_s = rcity_clock_s() - start_s;
    rcity_beams_routes routes = {&forest, NULL};
    rcity_route_source source = {rcity_beams_propose, &routes};
    assert_ok(t->context, rcity_search_init(t->context, &t->reach_world, &checker, orders, tx, &exact));
    assert_ok(t->context, rcity_search_init_source(t->context, &t->reach_world, &checker, orders, tx, &source, &beams));
    assert_ok(t->context, rcity_searcher_init(t->context, &exact, &exact_searcher));
    assert_ok(t->context, rcity_searcher_init(t->context, &beams, &beams_searcher));
    double exact_s = 0.0;
    double beams_s = 0.0;
    for (int i = 0; i < receiver_count; i++) {
        rcity_place3 rx = orders->max_transmissions > 0 && i % 2 == 1 ? draw_any_place(t, next, HEIGHT_M)
                                                                      : draw_place(t, next, HEIGHT_M);
        rx = rcity_path_end_in_air(&t->facets, &t->prism_index, rx);
        exact_list.path_count = exact_list.event_count = beams_list.path_count = beams_list.event_count = 0;
        start_s = rcity_clock_s();
        assert_ok(t->context, rcity_search_run(t->context, &exact, &exact_searcher, rx, &exact_list));
        double middle_s = rcity_clock_s();
        assert_ok(t->context, rcity_search_run(t->context, &beams, &beams_searcher, rx, &beams_list));
        beams_s += rcity_clock_s() - middle_s;
        exact_s += middle_s - start_s;
        long ignored = 0;
        count->missing +=
            count_missing(t, "missing", number, tx, rx, &beams_list, &exact_list, &count->both, &count->ties);
        count->extra += count_missing(t, "extra", number, tx, rx, &exact_list, &beams_list, &ignored, &count->ties);
        if (orders->max_transmissions > 0 && !is_inside(t, tx)) { /* no map has a transmitter inside a building */
            list_ways(t, &forest, &checker, tx, rx, &beams_list);
            count->ways += (long)beams_list.path_count;
            count->way_ties += count_repeated(tx, rx, &beams_list);
            count->way_ties += count_missing(t, "no way", number, tx, rx, &beams_list, &exact_list, &ignored, &ignored);
            count->way_ties +=
                count_missing(t, "other way", number, tx, rx, &exact_list, &beams_list, &ignored, &ignored);
        }
    }
    if (number % 20 == 0) {
        print_message(
            "city %llu: %d trees, %zu ways to edges, grown in %.3g s; %.3g s to all receivers, images %.3g s\n",
            (unsigned long long)number, forest.tree_count, forest.arrival_count, grown_s, beams_s, exact_s);
    }
    rcity_path_list_deinit(t->context, &beams_list);
    rcity_path_list_deinit(t->context, &exact_list);
    rcity_searcher_deinit(t->context, &beams_searcher);
    rcity_searcher_deinit(t->context, &exact_searcher);
    rcity_search_deinit(t->context, &beams);
    rcity_search_deinit(t->context, &exact);
    rcity_beams_forest_deinit(t->context, &forest);
}

static void test_paths_of_small_cities(void **state)
{
    (void)state;
    bool is_long = test_is_called_with("long");
    rcity_search_orders orders = {is_long ? 5 : 3, 1, 0, true, false};
    path_count count = {0};
    for (uint64_t number = 0; number < (is_long ? 200u : 40u); number++) {
        path_trial t;
        open_small_city(number, false, &t);
        uint64_t next = 1000 * number + 500;
        rcity_place3 tx = draw_place(&t, &next, test_uniform(seed, next, 2.0, 30.0));
        tx = rcity_path_end_in_air(&t.facets, &t.prism_index, tx);
        compare(&t, number, tx, is_long ? 200 : 20, &next, &orders, &count);
        close_trial(&t);
    }
    print_message("%ld paths in both, %ld missing, %ld extra, %ld ties\n", count.both, count.missing, count.extra,
                  count.ties);
    assert_true(count.both > 1000);
    assert_int_equal(count.missing, 0);
    assert_int_equal(count.extra, 0);
}

/* Into buildings and through them: every second receiver and every third transmitter may be inside one. */
static void test_paths_through_walls(void **state)
{
    (void)state;
    bool is_long = test_is_called_with("long");
    static const rcity_search_orders all[] = {{2, 0, 2, true, false},
                                              {1, 1, 2, true, false},
                                              {2, 1, 1, true, false},
                                              {1, 0, 4, true, false},
                                              {0, 1, 3, true, false}};
    path_count count = {0};
    for (uint64_t i = 0; i < (is_long ? 200u : 41u); i++) {
        uint64_t number = !is_long && i == 40 ? 87 : i; /* where an edge lies on the edge of a beam */
        path_trial t;
        bool has_hills = number % 4 == 1; /* where the ground does not reflect */
        rcity_search_orders orders = all[number % 5];
        orders.ground_reflects = !has_hills;
        open_small_city(number, has_hills, &t);
        uint64_t next = 1000 * number + 500;
        double height_m = test_uniform(seed, next, 2.5, 30.0);
        rcity_place3 tx = number % 3 == 0 ? draw_any_place(&t, &next, height_m) : draw_place(&t, &next, height_m);
        tx = rcity_path_end_in_air(&t.facets, &t.prism_index, tx);
        compare(&t, number, tx, is_long ? 100 : 10, &next, &orders, &count);
        close_trial(&t);
    }
    print_message("%ld paths in both, %ld missing, %ld extra, %ld ties\n", count.both, count.missing, count.extra,
                  count.ties);
    print_message("%ld paths as maps have them, %ld of which differ\n", count.ways, count.way_ties);
    assert_true(10000 * count.ties <= count.both);
    assert_true(count.ways > 1000 && 1000 * count.way_ties <= count.ways); /* within a unit of the grid of a corner */
    assert_true(count.both > 1000);
    assert_int_equal(count.missing, 0);
    assert_int_equal(count.extra, 0);
}

/* A place near another one in the plane of a wall, if it lies in the open. */
static rcity_place3 move_into_plane(const path_trial *t, uint64_t *next, rcity_place3 place)
{
    const rcity_mirror *wall =
        &t->facets.mirrors[(int32_t)test_uniform(seed, (*next)++, 0.0, (double)t->facets.wall_count)];
    double off_m = wall->normal.x * place.x + wall->normal.y * place.y - wall->offset;
    rcity_place3 moved = {place.x - off_m * wall->normal.x, place.y - off_m * wall->normal.y, place.z};
    rcity_cover cover;
    assert_ok(t->context, rcity_scene_get_cover(t->context, t->scene, moved.x + t->shapes->origin_x_m,
                                                moved.y + t->shapes->origin_y_m, &cover));
    return cover.is_covered ? place : moved;
}

/* Two edges in a row, which may be those of one wall; transmitters in the planes of walls too. */
static void test_paths_by_two_edges(void **state)
{
    (void)state;
    bool is_long = test_is_called_with("long");
    rcity_search_orders orders = {1, 2, 0, true, false};
    path_count count = {0};
    for (uint64_t number = 500; number < (is_long ? 600u : 530u); number++) {
        path_trial t;
        open_small_city(number, false, &t);
        uint64_t next = 1000 * number + 500;
        rcity_place3 tx = draw_place(&t, &next, test_uniform(seed, next, 2.0, 30.0));
        if (number % 3 == 0) {
            tx = move_into_plane(&t, &next, tx);
        }
        tx = rcity_path_end_in_air(&t.facets, &t.prism_index, tx);
        compare(&t, number, tx, is_long ? 60 : 10, &next, &orders, &count);
        close_trial(&t);
    }
    print_message("%ld paths in both, %ld missing, %ld extra, %ld ties\n", count.both, count.missing, count.extra,
                  count.ties);
    assert_true(count.both > 1000);
    assert_int_equal(count.missing, 0);
    assert_int_equal(count.extra, 0);
}

static void test_paths_of_munich(void **state)
{
    (void)state;
    path_trial t;
    memset(&t, 0, sizeof t);
    t.context = test_munich_open(2, &t.scene);
    prepare(&t);
    rcity_place3 tx = {1281.36 - t.shapes->origin_x_m, 1381.27 - t.shapes->origin_y_m, 13.0};
    path_count count = {0};
    uint64_t next = 0;
    bool is_long = test_is_called_with("long");
    rcity_search_orders orders = {is_long ? 3 : 2, 1, 0, true, false};
    compare(&t, 0, tx, is_long ? 200 : 10, &next, &orders, &count);
    rcity_search_orders through = {1, 0, 2, true, false};
    compare(&t, 0, tx, is_long ? 200 : 10, &next, &through, &count);
    print_message("%ld paths in both, %ld missing, %ld extra, %ld ties; %ld as maps have them, %ld of which differ\n",
                  count.both, count.missing, count.extra, count.ties, count.ways, count.way_ties);
    assert_int_equal(count.missing, 0);
    assert_int_equal(count.extra, 0);
    close_trial(&t);
}

static double *list_plan(int count, const rcity_place3 *places)
{
    double *xy_m = calloc(2 * (size_t)count, sizeof *xy_m);
    assert_non_null(xy_m);
    for (int i = 0; i < count; i++) {
        xy_m[2 * i] = places[i].x;
        xy_m[2 * i + 1] = places[i].y;
    }
    return xy_m;
}

enum { RECEIVERS = 20, ROWS = 24 };

/* A city below a mast, and receivers at several heights. */
typedef struct mast_trial {
    path_trial city;
    rcity_search_orders orders;
    rcity_place3 tx;
    double rx_max_m;
    rcity_place3 rx[RECEIVERS];
} mast_trial;

static void open_mast(uint64_t number, mast_trial *m)
{
    static const int most[][2] = {{2, 1}, {1, 2}, {3, 1}, {3, 0}};
    static const double rx_max_m[] = {1.5, 1.5, 4.0, 9.0};
    open_small_city(number, false, &m->city);
    uint64_t next = 1000 * number + 500;
    double height_m = test_uniform(seed, next++, 5.0, 45.0);
    m->tx = rcity_path_end_in_air(&m->city.facets, &m->city.prism_index, draw_place(&m->city, &next, height_m));
    m->orders = (rcity_search_orders){most[number % 4][0], most[number % 4][1], 0, true, false};
    m->rx_max_m = rx_max_m[number / 4 % 4];
    for (int i = 0; i < RECEIVERS; i++) {
        double rx_height_m = i == 0 ? m->rx_max_m : test_uniform(seed, next++, 1.0, m->rx_max_m);
        m->rx[i] =
            rcity_path_end_in_air(&m->city.facets, &m->city.prism_index, draw_place(&m->city, &next, rx_height_m));
        m->rx[i].z = fmin(m->rx[i].z, m->rx_max_m);
    }
}

static void grow_mast(const mast_trial *m, bool is_bounded, rcity_beams_forest *forest)
{
    const path_trial *t = &m->city;
    rcity_beams_growth growth = plan_growth(t, m->tx, m->rx_max_m, is_bounded);
    rcity_beams_orders orders = {m->orders.max_reflections, m->orders.max_diffractions, 0};
    rcity_beams_forest_limits limits = {10000000};
    rcity_place3 aside = rcity_path_end_tx_aside(m->tx);
    assert_ok(t->context,
              rcity_beams_forest_grow(t->context, &growth, &orders, &limits, aside.x, aside.y, m->tx.z, forest));
}

static long count_nodes(const rcity_beams_forest *forest)
{
    long count = 0;
    for (int32_t i = 0; i < forest->tree_count; i++) {
        count += (long)forest->trees[i].node_count;
    }
    return count;
}

/* The paths of a forest to some places, by an index of its beams or, without, by asking all of them. */
static void find_by_beams(const path_trial *t, const rcity_search_orders *orders, const rcity_beams_forest *forest,
                          const rcity_beams_index *index, rcity_place3 tx, int receiver_count, const rcity_place3 *rx,
                          rcity_path_list *lists)
{
    rcity_path_checker checker = {&t->facets,           t->sight,
                                  &t->prism_index,      &t->reach_world.wall_tree,
                                  t->reach_world.walls, orders->max_transmissions};
    rcity_search search;
    rcity_searcher searcher;
    rcity_beams_routes routes = {forest, index};
    rcity_route_source source = {rcity_beams_propose, &routes};
    assert_ok(t->context,
              rcity_search_init_source(t->context, &t->reach_world, &checker, orders, tx, &source, &search));
    assert_ok(t->context, rcity_searcher_init(t->context, &search, &searcher));
    for (int i = 0; i < receiver_count; i++) {
        assert_ok(t->context, rcity_search_run(t->context, &search, &searcher, rx[i], &lists[i]));
    }
    rcity_searcher_deinit(t->context, &searcher);
    rcity_search_deinit(t->context, &search);
}

/* The paths to one cell: how many, and a sum over what they meet that tells sets apart. Those along a wall go by sight on
   the grid, and may run through the end of another wall: they are ties. */
typedef struct cell_paths {
    const path_trial *city;
    long count, ties;
    double sum;
} cell_paths;

/* An rcity_beams_listener. */
static rcity_status add_path(void *user, const rcity_trace_path *path)
{
    cell_paths *cell = user;
    double product = 1.0;
    if (is_blocked(cell->city, path)) {
        cell->ties++;
        return RCITY_OK;
    }
    for (int i = 0; i < path->event_count; i++) {
        product = product * 1.3 + sqrt(2.0 + path->event[i].object);
    }
    cell->count++;
    cell->sum += product;
    return RCITY_OK;
}

/* The paths of a forest to the cells of a raster that are in the open, as maps find them. */
static void find_by_cells(const mast_trial *m, const rcity_beams_forest *forest, double height_m, cell_paths *cells)
{
    const path_trial *t = &m->city;
    rcity_path_checker checker = {&t->facets,           t->sight, &t->prism_index, &t->reach_world.wall_tree,
                                  t->reach_world.walls, 0};
    rcity_beams_ways ways = {
        .forest = forest, .checker = &checker, .tx = rcity_path_end_tx_aside(m->tx), .ground_reflects = true};
    double cell_m = (t->world.y_max - t->world.y_min + 20.0) / ROWS;
    rcity_beams_grid grid = {t->world.x_min - 10.0, t->world.y_max + 10.0, cell_m, ROWS, ROWS};
    rcity_beams_bins bins;
    rcity_beams_strip strip;
    memset(&strip, 0, sizeof strip);
    assert_ok(t->context, rcity_beams_bins_init(t->context, forest, &grid, 31.1e-6, -13.7e-6, ROWS, &bins));
    assert_ok(t->context, rcity_beams_bins_rasterise(t->context, &bins, 0, &strip));
    for (int i = 0; i < ROWS * ROWS; i++) {
        rcity_place3 rx = {grid.west_m + (i % ROWS + 0.5) * cell_m, grid.north_m - (i / ROWS + 0.5) * cell_m, height_m};
        rcity_cover cover;
        cells[i] = (cell_paths){t, 0, 0, 0.0};
        assert_ok(t->context, rcity_scene_get_cover(t->context, t->scene, rx.x + t->shapes->origin_x_m,
                                                    rx.y + t->shapes->origin_y_m, &cover));
        for (int64_t k = strip.first[i]; k < strip.first[i + 1] && !cover.is_covered; k++) {
            assert_ok(t->context, rcity_beams_ways_list(&ways, &bins.ends[strip.list[k]],
                                                        rcity_path_end_rx_aside(rx, 0), add_path, &cells[i]));
        }
    }
    rcity_beams_strip_deinit(t->context, &strip);
    rcity_beams_bins_deinit(t->context, &bins);
}

static void compare_points(const mast_trial *m, uint64_t number, const rcity_beams_forest *ended,
                           const rcity_beams_forest *endless, path_count *count)
{
    rcity_path_list lists[2][RECEIVERS];
    memset(lists, 0, sizeof lists);
    find_by_beams(&m->city, &m->orders, ended, NULL, m->tx, RECEIVERS, m->rx, lists[0]);
    find_by_beams(&m->city, &m->orders, endless, NULL, m->tx, RECEIVERS, m->rx, lists[1]);
    for (int i = 0; i < RECEIVERS; i++) {
        count->missing += count_missing(&m->city, "ended", number, m->tx, m->rx[i], &lists[0][i], &lists[1][i],
                                        &count->both, &count->ties);
        rcity_path_list_deinit(m->city.context, &lists[0][i]);
        rcity_path_list_deinit(m->city.context, &lists[1][i]);
    }
}

static void compare_cells(const mast_trial *m, const rcity_beams_forest *ended, const rcity_beams_forest *endless,
                          path_count *count)
{
    cell_paths cells[2][ROWS * ROWS];
    const double heights_m[] = {m->rx_max_m, 1.0};
    for (int k = 0; k < 2; k++) {
        find_by_cells(m, ended, heights_m[k], cells[0]);
        find_by_cells(m, endless, heights_m[k], cells[1]);
        for (int i = 0; i < ROWS * ROWS; i++) {
            count->both += cells[1][i].count;
            count->ties += cells[1][i].ties;
            count->extra += cells[0][i].count != cells[1][i].count ||
                            fabs(cells[0][i].sum - cells[1][i].sum) > 1e-9 * cells[1][i].sum;
        }
    }
}

/* Beams that end where no ray comes low enough or stays high enough bring the same paths as beams without an end, from
   masts above, between and below roofs to receivers at several heights. */
static void test_heights_lose_nothing(void **state)
{
    (void)state;
    path_count points = {0};
    path_count cells = {0};
    long node_count[2] = {0, 0};
    for (uint64_t number = 300; number < (test_is_called_with("long") ? 500u : 348u); number++) {
        mast_trial m;
        rcity_beams_forest ended, endless;
        open_mast(number, &m);
        grow_mast(&m, true, &ended);
        grow_mast(&m, false, &endless);
        node_count[0] += count_nodes(&ended);
        node_count[1] += count_nodes(&endless);
        compare_points(&m, number, &ended, &endless, &points);
        compare_cells(&m, &ended, &endless, &cells);
        rcity_beams_forest_deinit(m.city.context, &ended);
        rcity_beams_forest_deinit(m.city.context, &endless);
        close_trial(&m.city);
    }
    print_message(
        "%ld beams for %ld; points: %ld paths in both, %ld missing, %ld ties; cells: %ld paths, %ld ties, %ld "
        "cells with others\n",
        node_count[0], node_count[1], points.both, points.missing, points.ties, cells.both, cells.ties, cells.extra);
    assert_true(node_count[0] < node_count[1]);
    assert_true(points.both > 1000 && cells.both > 10000);
    assert_int_equal(points.missing, 0);
    assert_int_equal(cells.extra, 0);
    assert_true(10000 * points.ties <= points.both && 10000 * cells.ties <= cells.both);
}

/* With an index of the beams and without: the same paths in the same order, to the last bit. */
static void test_index_changes_nothing(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t number = 400; number < 410; number++) {
        path_trial t;
        open_small_city(number, false, &t);
        uint64_t next = 1000 * number + 500;
        rcity_place3 tx = draw_place(&t, &next, test_uniform(seed, next, 2.0, 30.0));
        rcity_search_orders orders = {2, number % 5 == 0 ? 2 : 1, 0, true, false};
        rcity_place3 rx[RECEIVERS];
        rcity_path_list by_index[RECEIVERS], by_all[RECEIVERS];
        memset(by_index, 0, sizeof by_index);
        memset(by_all, 0, sizeof by_all);
        for (int i = 0; i < RECEIVERS; i++) {
            rx[i] = rcity_path_end_in_air(&t.facets, &t.prism_index, draw_place(&t, &next, HEIGHT_M));
        }
        rcity_beams_growth growth = plan_growth(&t, tx, HEIGHT_M, true);
        rcity_beams_orders beam_orders = {orders.max_reflections, orders.max_diffractions, 0};
        rcity_beams_forest_limits limits = {10000000};
        rcity_beams_forest forest;
        rcity_beams_index index;
        rcity_place3 aside = rcity_path_end_tx_aside(tx);
        double *xy_m = list_plan(RECEIVERS, rx);
        assert_ok(t.context,
                  rcity_beams_forest_grow(t.context, &growth, &beam_orders, &limits, aside.x, aside.y, tx.z, &forest));
        assert_ok(t.context,
                  rcity_beams_index_init(t.context, &forest, rcity_beams_slack_m(t.shapes), RECEIVERS, xy_m, &index));
        find_by_beams(&t, &orders, &forest, &index, tx, RECEIVERS, rx, by_index);
        find_by_beams(&t, &orders, &forest, NULL, tx, RECEIVERS, rx, by_all);
        rcity_beams_index_deinit(t.context, &index);
        rcity_beams_forest_deinit(t.context, &forest);
        free(xy_m);
        for (int i = 0; i < RECEIVERS; i++) {
            assert_int_equal(by_index[i].path_count, by_all[i].path_count);
            assert_int_equal(by_index[i].event_count, by_all[i].event_count);
            for (size_t k = 0; k < by_all[i].path_count; k++) {
                assert_int_equal(by_index[i].event_end[k], by_all[i].event_end[k]);
            }
            if (by_all[i].event_count > 0) {
                assert_memory_equal(by_index[i].events, by_all[i].events,
                                    by_all[i].event_count * sizeof *by_all[i].events);
            }
            found += by_all[i].path_count;
            rcity_path_list_deinit(t.context, &by_index[i]);
            rcity_path_list_deinit(t.context, &by_all[i]);
        }
        close_trial(&t);
    }
    print_message("%zu paths, the same by the index\n", found);
    assert_true(found > 1000);
}

TEST_SUITE(beams_paths)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_of_small_cities), cmocka_unit_test(test_paths_by_two_edges),
        cmocka_unit_test(test_paths_through_walls),   cmocka_unit_test(test_paths_of_munich),
        cmocka_unit_test(test_heights_lose_nothing),  cmocka_unit_test(test_index_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
