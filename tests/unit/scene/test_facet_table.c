/* The tables of mirrors and edges that a scene becomes. */
#include "rcity_test.h"

#include "scene/facets/facet_table.h"

#define PI 3.14159265358979323846

typedef struct box {
    double x1, y1, x2, y2, height;
} box;

typedef struct made {
    rcity_context *context;
    rcity_scene *scene;
    rcity_facet_table world;
} made;

static void add_ring(made *m, int64_t id, int count, const double *xy, double height)
{
    rcity_building building = rcity_building_default();
    building.id = id;
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy;
    building.height_m = height;
    assert_ok(m->context, rcity_scene_add_building(m->scene, &building));
}

static void open_scene(made *m)
{
    memset(m, 0, sizeof *m);
    m->context = test_context(1);
    rcity_scene_options options = rcity_scene_options_default();
    options.gap_m = 0.0;
    assert_ok(m->context, rcity_scene_create(m->context, &options, &m->scene));
}

static void finish_scene(made *m)
{
    assert_ok(m->context, rcity_scene_commit(m->scene));
    assert_ok(m->context, rcity_facet_table_init(m->context, m->scene, 2e9, &m->world));
}

static void make_boxes(made *m, const box *boxes, int count)
{
    open_scene(m);
    for (int i = 0; i < count; i++) {
        const box *b = &boxes[i];
        double xy[] = {b->x1, b->y1, b->x2, b->y1, b->x2, b->y2, b->x1, b->y2};
        add_ring(m, i, 4, xy, b->height);
    }
    finish_scene(m);
}

static void close_scene(made *m)
{
    rcity_facet_table_deinit(m->context, &m->world);
    rcity_scene_destroy(&m->scene);
    rcity_context_destroy(&m->context);
}

static double edge_length(const rcity_facet_edge *facet_edge)
{
    return (facet_edge->b.x - facet_edge->a.x) * facet_edge->along.x +
           (facet_edge->b.y - facet_edge->a.y) * facet_edge->along.y +
           (facet_edge->b.z - facet_edge->a.z) * facet_edge->along.z;
}

/* Metres of level and of vertical edges, and the number of vertical ones. */
static void sum_edges(const rcity_facet_table *world, double *level_m, double *vertical_m, int *vertical_count)
{
    *level_m = 0.0;
    *vertical_m = 0.0;
    *vertical_count = 0;
    for (int64_t i = 0; i < world->edge_count; i++) {
        const rcity_facet_edge *facet_edge = &world->edges[i];
        assert_true(edge_length(facet_edge) > 0.0);
        if (facet_edge->is_vertical) {
            *vertical_m += edge_length(facet_edge);
            (*vertical_count)++;
        } else {
            *level_m += edge_length(facet_edge);
        }
    }
}

/* phi of a point around an edge, as kernel/wave/wedge.h counts it. */
static double phi_of(const rcity_facet_edge *facet_edge, double x, double y, double z)
{
    double d[3] = {x - facet_edge->a.x, y - facet_edge->a.y, z - facet_edge->a.z};
    double across = d[0] * facet_edge->normal_o.x + d[1] * facet_edge->normal_o.y + d[2] * facet_edge->normal_o.z;
    double in_face = d[0] * facet_edge->in_face_o.x + d[1] * facet_edge->in_face_o.y + d[2] * facet_edge->in_face_o.z;
    double phi = atan2(across, in_face);
    return phi < 0.0 ? phi + 2.0 * PI : phi;
}

/* The frame of an edge is right-handed, and outward leads into the air. */
static void check_frames(const rcity_facet_table *world)
{
    for (int64_t i = 0; i < world->edge_count; i++) {
        const rcity_facet_edge *b = &world->edges[i];
        assert_near(b->along.y * b->in_face_o.z - b->along.z * b->in_face_o.y, b->normal_o.x, 1e-12);
        assert_near(b->along.z * b->in_face_o.x - b->along.x * b->in_face_o.z, b->normal_o.y, 1e-12);
        assert_near(b->along.x * b->in_face_o.y - b->along.y * b->in_face_o.x, b->normal_o.z, 1e-12);
        double phi = phi_of(b, b->a.x + b->outward.x, b->a.y + b->outward.y, b->a.z);
        assert_true(phi > 0.1 && phi < b->exterior_rad - 0.1);
    }
}

static void test_one_box(void **state)
{
    (void)state;
    made m;
    const box boxes[] = {{10, 20, 22, 25, 8}};
    make_boxes(&m, boxes, 1);
    double ox = rcity_scene_shapes(m.scene)->origin_x_m;
    double oy = rcity_scene_shapes(m.scene)->origin_y_m;
    double level_m, vertical_m;
    int vertical_count;
    sum_edges(&m.world, &level_m, &vertical_m, &vertical_count);
    assert_int_equal(m.world.wall_count, 4);
    assert_int_equal(m.world.roof_count, 1);
    assert_int_equal(m.world.mirror_count, 6);
    assert_near(level_m, 2 * (12 + 5), 1e-9);
    assert_near(vertical_m, 4 * 8, 1e-9);
    assert_int_equal(vertical_count, 4);
    check_frames(&m.world);
    for (int64_t i = 0; i < m.world.edge_count; i++) {
        const rcity_facet_edge *facet_edge = &m.world.edges[i];
        assert_near(facet_edge->exterior_rad, 1.5 * PI, 1e-12);
        /* the middle of the box is inside the wedge, a point far out along the face's normal in front of it */
        double phi = phi_of(facet_edge, 16 - ox, 22.5 - oy, 4);
        assert_true(phi > 1.5 * PI);
    }
    for (int64_t i = 0; i < m.world.wall_count; i++) {
        const rcity_mirror *wall = &m.world.mirrors[i];
        assert_true(wall->normal.x * (16 - ox) + wall->normal.y * (22.5 - oy) - wall->offset < 0.0);
        assert_near(wall->top, 8, 0.0);
        assert_near(wall->bottom, 0, 0.0);
    }
    close_scene(&m);
}

/* The same box as one building and as four that touch: the same edges. */
static void test_four_are_one(void **state)
{
    (void)state;
    made m;
    const box boxes[] = {{0, 0, 7, 4, 9}, {7, 0, 20, 4, 9}, {0, 4, 7, 10, 9}, {7, 4, 20, 10, 9}};
    make_boxes(&m, boxes, 4);
    double level_m, vertical_m;
    int vertical_count;
    sum_edges(&m.world, &level_m, &vertical_m, &vertical_count);
    assert_near(level_m, 60, 1e-9);
    assert_near(vertical_m, 36, 1e-9);
    assert_int_equal(vertical_count, 4);
    check_frames(&m.world);
    close_scene(&m);
}

/* A low and a high house wall to wall: the common corners diffract only where the high one stands alone, those of the
   flush fronts not at all below. */
static void test_touching_boxes_share_no_edge(void **state)
{
    (void)state;
    made m;
    const box boxes[] = {{0, 0, 10, 10, 6}, {10, 0, 20, 10, 15}};
    make_boxes(&m, boxes, 2);
    double level_m, vertical_m;
    int vertical_count;
    sum_edges(&m.world, &level_m, &vertical_m, &vertical_count);
    /* low roof: three sides; high roof: four. Vertical: two corners of 6, two of 15, two of 15 - 6 */
    assert_near(level_m, 30 + 40, 1e-9);
    assert_near(vertical_m, 2 * 6 + 2 * 15 + 2 * 9, 1e-9);
    assert_int_equal(vertical_count, 6);
    check_frames(&m.world);
    close_scene(&m);
}

/* A tower on a podium, and an inner corner: neither the foot of the tower nor the inner corner diffracts. */
static void test_podium_and_inner_corner(void **state)
{
    (void)state;
    made m;
    open_scene(&m);
    const double podium[] = {0, 0, 30, 0, 30, 12, 12, 12, 12, 30, 0, 30};
    const double tower[] = {2, 2, 8, 2, 8, 8, 2, 8};
    add_ring(&m, 1, 6, podium, 5);
    add_ring(&m, 1, 4, tower, 40);
    finish_scene(&m);
    double level_m, vertical_m;
    int vertical_count;
    sum_edges(&m.world, &level_m, &vertical_m, &vertical_count);
    assert_near(level_m, 120 + 24, 1e-9);
    assert_near(vertical_m, 5 * 5 + 4 * 35, 1e-9);
    assert_int_equal(vertical_count, 9);
    check_frames(&m.world);
    close_scene(&m);
}

/* A corner of 60 degrees has 300 degrees of air. */
static void test_sharp_corner(void **state)
{
    (void)state;
    made m;
    open_scene(&m);
    const double triangle[] = {0, 0, 16, 0, 8, 13.859375};
    add_ring(&m, 1, 3, triangle, 5);
    finish_scene(&m);
    for (int64_t i = m.world.roof_edge_count; i < m.world.edge_count; i++) {
        assert_near(m.world.edges[i].exterior_rad, 300.0 * PI / 180.0, 1e-3);
    }
    check_frames(&m.world);
    close_scene(&m);
}

static void test_facets_have_their_surface_material(void **state)
{
    (void)state;
    made m;
    open_scene(&m);
    int count = 4;
    const double xy[] = {0, 0, 10, 0, 10, 10, 0, 10};
    rcity_building building = rcity_building_default();
    building.ring_count = 1;
    building.ring_point_count = &count;
    building.xy_m = xy;
    building.height_m = 5;
    building.material = "metal";
    assert_ok(m.context, rcity_scene_add_building(m.scene, &building));
    finish_scene(&m);
    const rcity_facet_material *wall = &m.world.materials[m.world.mirrors[0].material_index];
    const rcity_facet_material *ground = &m.world.materials[m.world.mirrors[m.world.mirror_count - 1].material_index];
    assert_true(wall->is_conductor);
    assert_false(ground->is_conductor);
    /* medium dry ground, ITU-R P.2040-3, table 3: 15 f^-0.1; sigma 0.035 f^1.63 */
    assert_near(ground->permittivity_re, 15.0 * pow(2.0, -0.1), 1e-9);
    assert_near(ground->permittivity_im, -17.98 * 0.035 * pow(2.0, 1.63) / 2.0, 2e-3);
    close_scene(&m);
}

/* A table for another frequency: materials of that frequency, everything else shared. */
static void test_retuned_table_has_its_own_materials(void **state)
{
    (void)state;
    made m;
    static const box one = {0, 0, 10, 8, 12};
    make_boxes(&m, &one, 1);
    rcity_facet_table other;
    assert_ok(m.context, rcity_facet_table_retune(m.context, m.scene, &m.world, 5e9, &other));
    assert_ptr_equal(other.mirrors, m.world.mirrors);
    assert_int_equal(other.material_count, m.world.material_count);
    assert_near(other.wavelength_m, 299792458.0 / 5e9, 1e-12);
    const rcity_facet_material *ground = &other.materials[other.ground_material];
    assert_near(ground->permittivity_re, 15.0 * pow(5.0, -0.1), 1e-9);
    assert_near(m.world.materials[m.world.ground_material].permittivity_re, 15.0 * pow(2.0, -0.1), 1e-9);
    rcity_facet_table_deinit(m.context, &other);
    assert_int_equal(m.world.mirrors[0].kind, RCITY_MIRROR_WALL); /* still there */
    close_scene(&m);
}

TEST_SUITE(facet_table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_box),
        cmocka_unit_test(test_four_are_one),
        cmocka_unit_test(test_touching_boxes_share_no_edge),
        cmocka_unit_test(test_podium_and_inner_corner),
        cmocka_unit_test(test_sharp_corner),
        cmocka_unit_test(test_facets_have_their_surface_material),
        cmocka_unit_test(test_retuned_table_has_its_own_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
