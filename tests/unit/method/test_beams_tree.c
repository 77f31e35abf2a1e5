/* Trees of beams against walls tested one by one, and their openings. */
#include "munich.h"

#include "base/base.h"
#include "method/beams/tree/beams_tree.h"
#include "scene/shapes.h"

#define DIRECTIONS 20   /* tested in each beam */
#define OPEN_MIN   1e-9 /* of a beam: narrower gaps between walls are none */

static const uint64_t seed = 20261119;

/* A city with its beams. */
typedef struct tree_trial {
    rcity_context *context;
    rcity_scene *scene;
    rcity_facet_table facets;
    rcity_beams_world world;
    rcity_beams_growth growth;
    double x, y; /* a place in the open, in the frame of the shapes */
} tree_trial;

static void trial_prepare(tree_trial *trial, uint64_t number, double tx_height_m)
{
    assert_ok(trial->context, rcity_facet_table_init(trial->context, trial->scene, 1e9, &trial->facets));
    assert_ok(trial->context, rcity_beams_world_init(trial->context, &trial->facets, &trial->world));
    trial->growth =
        (rcity_beams_growth){&trial->world, &trial->facets, tx_height_m, 1.5,      tx_height_m, -1e9,  HUGE_VAL,
                             true,          false,          0.0,         10000000, HUGE_VAL,    false, HUGE_VAL};
    const rcity_shapes *shapes = rcity_scene_shapes(trial->scene);
    rcity_cover cover = {true, 0, 0.0};
    for (uint64_t i = 0; cover.is_covered; i++) {
        trial->x = test_uniform(seed, 1000 * number + 2 * i, 0.3, 0.7) * (trial->world.x_max - trial->world.x_min);
        trial->y = test_uniform(seed, 1000 * number + 2 * i + 1, 0.3, 0.7) * (trial->world.y_max - trial->world.y_min);
        trial->x += trial->world.x_min;
        trial->y += trial->world.y_min;
        assert_ok(trial->context, rcity_scene_get_cover(trial->context, trial->scene, trial->x + shapes->origin_x_m,
                                                        trial->y + shapes->origin_y_m, &cover));
    }
}

static void open_trial(uint64_t number, double tx_height_m, tree_trial *trial)
{
    memset(trial, 0, sizeof *trial);
    trial->context = test_context(2);
    rcity_city_options options = rcity_city_options_default();
    static const rcity_city_kind kinds[] = {RCITY_CITY_CORE, RCITY_CITY_HIGHRISE, RCITY_CITY_GRID};
    options.kind = kinds[number % 3];
    options.area_km2 = 0.1;
    options.seed = number;
    assert_ok(trial->context, rcity_city_make(trial->context, &options, &trial->scene));
    trial_prepare(trial, number, tx_height_m);
}

static void close_trial(tree_trial *trial)
{
    rcity_beams_world_deinit(trial->context, &trial->world);
    rcity_facet_table_deinit(trial->context, &trial->facets);
    test_close(&trial->context, &trial->scene, NULL);
}

/* Where a ray meets a wall's line: the nearness, or 0. */
static double meet(const rcity_beam_frame *frame, double across, const rcity_plan_segment *wall)
{
    double tangent = frame->right + across / frame->scale;
    double dx = frame->axis_x - tangent * frame->axis_y;
    double dy = frame->axis_y + tangent * frame->axis_x;
    double ex = wall->x2 - wall->x1;
    double ey = wall->y2 - wall->y1;
    double determinant = ex * dy - ey * dx;
    double fx = wall->x1 - frame->x;
    double fy = wall->y1 - frame->y;
    double forward = (ex * fy - ey * fx) / determinant;
    double along = (dx * fy - dy * fx) / determinant;
    return forward > 0.0 && along >= 0.0 && along <= 1.0 ? 1.0 / forward : 0.0;
}

/* One direction of a beam, by all walls. */
static void check_direction(const tree_trial *trial, const rcity_beams_tree *tree, const rcity_beams_node *node,
                            const rcity_beam_frame *frame, double across)
{
    double base = rcity_beam_line_at(frame->base, across);
    double nearest = 0.0;
    int32_t nearest_wall = -1;
    for (int32_t i = 0; i < trial->facets.wall_count; i++) {
        double nearness = meet(frame, across, &trial->world.walls[i]);
        bool stops = trial->facets.mirrors[i].top >= node->stop_m;
        if (i != node->wall && stops && nearness > nearest && nearness < base * (1.0 - 1e-9)) {
            nearest = nearness;
            nearest_wall = i;
        }
    }
    const rcity_beam_part *part = &tree->parts[node->part_first];
    while (part->left < across) {
        part++;
    }
    double found = part->wall < 0 ? 0.0 : meet(frame, across, &trial->world.walls[part->wall]);
    assert_near(found, nearest, 1e-9 * (nearest + 1e-3));
    if (part->wall != nearest_wall) {
        assert_near(meet(frame, across, &trial->world.walls[part->wall]), nearest, 1e-9 * nearest);
    }
    /* lower walls: each one before the stop is passed, or below the line over one that is */
    for (int32_t i = 0; i < trial->facets.wall_count; i++) {
        double nearness = meet(frame, across, &trial->world.walls[i]);
        double rise = trial->facets.mirrors[i].top - tree->height_m;
        if (i == node->wall || trial->facets.mirrors[i].top >= node->stop_m || nearness <= nearest * (1.0 + 1e-9) ||
            nearness >= base * (1.0 - 1e-9)) {
            continue;
        }
        bool is_passed = false;
        bool is_below = false;
        for (int32_t k = 0; k < part->passed_count; k++) {
            int32_t passed = tree->passed[part->passed_first + k];
            double other = meet(frame, across, &trial->world.walls[passed]);
            is_passed = is_passed || passed == i;
            is_below =
                is_below || (other >= nearness * (1.0 - 1e-9) &&
                             (trial->facets.mirrors[passed].top - tree->height_m) * other >= rise * nearness - 1e-9);
        }
        assert_true(is_passed || is_below);
    }
    for (int32_t k = 1; k < part->passed_count; k++) {
        double before = meet(frame, across, &trial->world.walls[tree->passed[part->passed_first + k - 1]]);
        double after = meet(frame, across, &trial->world.walls[tree->passed[part->passed_first + k]]);
        assert_true(after <= before * (1.0 + 1e-9) && after > nearest * (1.0 - 1e-9));
    }
}

static void check_tree(const tree_trial *trial, const rcity_beams_tree *tree, uint64_t number)
{
    double gap_rad = 0.0;
    long directions = 0;
    for (size_t i = 0; i < tree->node_count; i++) {
        const rcity_beams_node *node = &tree->nodes[i];
        rcity_beam_frame frame;
        if (node->part_count == 0 || !rcity_beams_node_frame(node, &frame)) {
            continue;
        }
        double sum_rad = 0.0;
        double right = 0.0;
        for (int32_t k = node->part_first; k < node->part_first + node->part_count; k++) {
            assert_true(tree->parts[k].right == right);
            /* rounding leaves nothing open beside a wall, where a beam would go on; behind walls corners lie at its edges */
            assert_true(tree->parts[k].wall >= 0 || tree->max_transmissions > 0 ||
                        tree->parts[k].left - right > OPEN_MIN);
            sum_rad += rcity_beam_frame_angle(&frame, tree->parts[k].right, tree->parts[k].left);
            right = tree->parts[k].left;
        }
        assert_true(right == 1.0);
        gap_rad = fmax(gap_rad, fabs(sum_rad - rcity_beam_frame_angle(&frame, 0.0, 1.0)));
        for (int k = 0; k < DIRECTIONS; k++) {
            check_direction(trial, tree, node, &frame, test_uniform(seed + number, i * DIRECTIONS + (uint64_t)k, 0, 1));
            directions++;
        }
    }
    print_message("%zu beams, %zu parts, %zu meetings with edges, %ld directions tested; gaps of %.2g rad\n",
                  tree->node_count, tree->part_count, tree->meeting_count, directions, gap_rad);
    assert_true(gap_rad < 1e-9);
}

/* What leaves a hit has the opening of the hit: what is reflected, and what goes on behind the wall. */
static void check_openings(const rcity_beams_tree *tree)
{
    double worst_rad = 0.0;
    long passing = 0;
    double *opening_rad = calloc(2 * tree->hit_count + 1, sizeof *opening_rad);
    assert_non_null(opening_rad);
    for (size_t i = 0; i < tree->node_count; i++) {
        const rcity_beams_node *node = &tree->nodes[i];
        rcity_beam_frame frame;
        if (node->parent >= 0 && rcity_beams_node_frame(node, &frame)) {
            opening_rad[2 * node->hit + node->passes] += rcity_beam_frame_angle(&frame, 0.0, 1.0);
            passing += node->passes;
        }
    }
    for (size_t i = 0; i < tree->node_count; i++) {
        const rcity_beams_node *node = &tree->nodes[i];
        rcity_beam_frame frame;
        int32_t end = rcity_beams_node_frame(node, &frame) ? 2 * (node->hit_first + node->hit_count) : 0;
        for (int32_t k = 2 * node->hit_first; k < end; k++) {
            if (opening_rad[k] > 0.0) {
                double hit_rad = rcity_beam_frame_angle(&frame, tree->hits[k / 2].right, tree->hits[k / 2].left);
                worst_rad = fmax(worst_rad, fabs(opening_rad[k] - hit_rad));
            }
        }
    }
    free(opening_rad);
    print_message("reflected beams, and %ld behind walls, differ from their hits by up to %.2g rad\n", passing,
                  worst_rad);
    assert_true(worst_rad < 1e-9);
    assert_int_equal(passing > 0, tree->max_transmissions > 0);
}

static void test_beams_see_what_walls_say(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 6; number++) {
        double height_m = number % 2 == 0 ? 10.0 : 35.0;
        tree_trial trial;
        open_trial(number, height_m, &trial);
        rcity_beams_tree tree;
        assert_ok(trial.context,
                  rcity_beams_tree_plant(trial.context, &trial.growth, trial.x, trial.y, height_m, &tree));
        tree.max_transmissions = (int)(number / 2);
        int depth = number < 2 ? 2 : number == 2; /* behind walls there are many beams */
        assert_ok(trial.context, rcity_beams_tree_grow(trial.context, &trial.growth, depth, true, &tree));
        check_tree(&trial, &tree, number);
        check_openings(&tree);
        rcity_beams_tree_deinit(trial.context, &tree);
        close_trial(&trial);
    }
}

/* A tree that is grown further has the same beams as one that is grown at once. */
static void test_growing_on(void **state)
{
    (void)state;
    tree_trial trial;
    open_trial(7, 20.0, &trial);
    rcity_beams_tree at_once, on;
    assert_ok(trial.context, rcity_beams_tree_plant(trial.context, &trial.growth, trial.x, trial.y, 20.0, &at_once));
    assert_ok(trial.context, rcity_beams_tree_plant(trial.context, &trial.growth, trial.x, trial.y, 20.0, &on));
    at_once.max_transmissions = on.max_transmissions = 1;
    assert_ok(trial.context, rcity_beams_tree_grow(trial.context, &trial.growth, 2, true, &at_once));
    assert_ok(trial.context, rcity_beams_tree_grow(trial.context, &trial.growth, 0, true, &on));
    assert_ok(trial.context, rcity_beams_tree_grow(trial.context, &trial.growth, 2, false, &on));
    assert_int_equal(at_once.node_count, on.node_count);
    assert_int_equal(at_once.part_count, on.part_count);
    for (size_t i = 0; i < on.node_count; i++) {
        assert_memory_equal(&at_once.nodes[i].window, &on.nodes[i].window, sizeof on.nodes[i].window);
        assert_int_equal(at_once.nodes[i].depth, on.nodes[i].depth);
        assert_true(on.nodes[i].depth <= 2 && on.nodes[i].transmissions <= 1);
    }
    rcity_beams_tree_deinit(trial.context, &on);
    rcity_beams_tree_deinit(trial.context, &at_once);
    close_trial(&trial);
}

static void test_munich(void **state)
{
    (void)state;
    tree_trial trial;
    memset(&trial, 0, sizeof trial);
    trial.context = test_munich_open(2, &trial.scene);
    trial_prepare(&trial, 0, 13.0);
    const rcity_shapes *shapes = rcity_scene_shapes(trial.scene);
    rcity_beams_tree tree;
    double start_s = rcity_clock_s();
    assert_ok(trial.context, rcity_beams_tree_plant(trial.context, &trial.growth, 1281.36 - shapes->origin_x_m,
                                                    1381.27 - shapes->origin_y_m, 13.0, &tree));
    for (int depth = 0; depth <= 5; depth++) {
        assert_ok(trial.context, rcity_beams_tree_grow(trial.context, &trial.growth, depth, true, &tree));
        print_message("%d reflections: %zu beams, %zu parts, %zu hits, %zu passed, %zu meetings, %.3f s\n", depth,
                      tree.node_count, tree.part_count, tree.hit_count, tree.passed_count, tree.meeting_count,
                      rcity_clock_s() - start_s);
    }
    check_openings(&tree);
    rcity_beams_tree_deinit(trial.context, &tree);
    close_trial(&trial);
}

TEST_SUITE(beams_tree)
{
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beams_see_what_walls_say),
        cmocka_unit_test(test_growing_on),
        cmocka_unit_test(test_munich),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
