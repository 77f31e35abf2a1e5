/* Surfaces cut into tiles: areas, places, edges and their parents, order. */
#include "rcity_test.h"

#include "scene/scene_data.h"
#include "scene/tiles/tile_grid.h"

#define PI 3.14159265358979323846

typedef struct made {
    rcity_context *context;
    rcity_scene *scene;
    rcity_facet_table world;
    rcity_tiling tiling;
} made;

static void cut(made *m, const rcity_tiling_options *options)
{
    assert_ok(m->context, rcity_facet_table_init(m->context, m->scene, 2e9, &m->world));
    assert_ok(m->context, rcity_tiling_init(m->context, m->scene, &m->world, options, &m->tiling));
}

static void make_city(made *m, rcity_city_kind kind, uint64_t seed, double area_km2, int thread_count)
{
    memset(m, 0, sizeof *m);
    m->context = test_context(thread_count);
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.seed = seed;
    options.area_km2 = area_km2;
    assert_ok(m->context, rcity_city_make(m->context, &options, &m->scene));
}

static void close_made(made *m)
{
    rcity_tiling_deinit(m->context, &m->tiling);
    rcity_facet_table_deinit(m->context, &m->world);
    test_close(&m->context, &m->scene, NULL);
}

static double tile_area(const rcity_tile *tile)
{
    return 4.0 * (double)tile->half_u * (double)tile->half_v;
}

/* Equations 2 and 3 of the paper: the rest of up to half a tile is spread over the others. */
static void test_side_counts(void **state)
{
    (void)state;
    assert_int_equal(rcity_tile_side_count(10.0, 10.0), 1);
    assert_int_equal(rcity_tile_side_count(15.0, 10.0), 1);
    assert_int_equal(rcity_tile_side_count(15.1, 10.0), 2);
    assert_int_equal(rcity_tile_side_count(24.9, 10.0), 2);
    assert_int_equal(rcity_tile_side_count(25.5, 10.0), 3);
    assert_int_equal(rcity_tile_side_count(0.3, 10.0), 1);
    for (int i = 0; i < 200; i++) {
        double side = test_uniform(5, (uint64_t)i, 5.0, 500.0);
        double piece = side / (double)rcity_tile_side_count(side, 10.0);
        assert_true(piece >= 5.0 && piece <= 15.0);
    }
}

/* A house of 20 x 30 x 15 m in tiles of 25 m2. */
static void test_house(void **state)
{
    (void)state;
    const test_box box = {100.0, 200.0, 120.0, 230.0, 15.0};
    made m;
    memset(&m, 0, sizeof m);
    m.context = test_context(1);
    m.scene = test_scene(m.context, &box, 1);
    rcity_tiling_options options = rcity_tiling_options_default();
    options.wall_area_m2 = options.roof_area_m2 = options.ground_area_m2 = 25.0;
    options.ground_margin_m = 20.0;
    cut(&m, &options);
    const rcity_tiling *t = &m.tiling;
    assert_int_equal(t->wall_tile_count, 2 * (4 * 3 + 6 * 3));
    assert_int_equal(t->roof_tile_count, 4 * 6);
    assert_int_equal(t->ground_tile_count, 12 * 14 - 4 * 6);
    double wall_m2 = 0.0;
    for (int64_t i = 0; i < t->tile_count; i++) {
        const rcity_tile *tile = &t->tiles[i];
        assert_near(tile_area(tile), 25.0, 1e-3);
        double across = (double)tile->nx * (double)tile->ux + (double)tile->ny * (double)tile->uy +
                        (double)tile->nz * (double)tile->uz;
        assert_near(across, 0.0, 1e-6);
        wall_m2 += fabsf(tile->nz) < 0.5f ? tile_area(tile) : 0.0;
    }
    assert_near(wall_m2, 15.0 * 100.0, 1e-2);
    double level_m = 0.0;
    double upright_m = 0.0;
    for (int64_t i = 0; i < t->edge_count; i++) {
        const rcity_tile_edge *piece = &t->edges[i];
        double size = hypot(hypot((double)piece->bx - (double)piece->ax, (double)piece->by - (double)piece->ay),
                            (double)piece->bz - (double)piece->az);
        assert_near(size, 5.0, 1e-3);
        *(fabsf(piece->bz - piece->az) > 1.0f ? &upright_m : &level_m) += size;
        assert_near(piece->exterior_rad, 1.5 * PI, 1e-6);
        const int32_t parent[2] = {piece->tile_o, piece->tile_n};
        for (int k = 0; k < 2; k++) { /* a parent's centre is half a tile away */
            const rcity_tile *tile = &t->tiles[parent[k]];
            double x = 0.5 * ((double)piece->ax + (double)piece->bx) - (double)tile->x;
            double y = 0.5 * ((double)piece->ay + (double)piece->by) - (double)tile->y;
            double z = 0.5 * ((double)piece->az + (double)piece->bz) - (double)tile->z;
            assert_near(sqrt(x * x + y * y + z * z), 2.5, 1e-3);
        }
    }
    assert_near(level_m, 100.0, 1e-2);
    assert_near(upright_m, 60.0, 1e-2);
    close_made(&m);
}

/* The smallest rectangle: holds all points, and no box turned by any angle is smaller. */
static void test_smallest_rectangle(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rcity_grid_point points[12];
        rcity_grid_point hull[25];
        int count = 3 + (int)(test_random(seed, 99) % 10);
        for (int i = 0; i < count; i++) {
            points[i].x = (int32_t)(test_random(seed, (uint64_t)(2 * i)) % 4000) - 2000;
            points[i].y = (int32_t)(test_random(seed, (uint64_t)(2 * i + 1)) % 3000);
        }
        rcity_plan_rectangle box = rcity_smallest_rectangle(points, count, hull);
        for (int i = 0; i < count; i++) {
            double x = points[i].x - box.x;
            double y = points[i].y - box.y;
            double along = x * box.along_x + y * box.along_y;
            double left = y * box.along_x - x * box.along_y;
            assert_true(along > -1e-6 && along < box.length + 1e-6 && left > -1e-6 && left < box.width + 1e-6);
        }
        double least = HUGE_VAL;
        for (int step = 0; step < 1800; step++) {
            double c = cos(step * PI / 3600.0);
            double s = sin(step * PI / 3600.0);
            double low[2] = {HUGE_VAL, HUGE_VAL};
            double high[2] = {-HUGE_VAL, -HUGE_VAL};
            for (int i = 0; i < count; i++) {
                double at[2] = {points[i].x * c + points[i].y * s, points[i].y * c - points[i].x * s};
                for (int k = 0; k < 2; k++) {
                    low[k] = fmin(low[k], at[k]);
                    high[k] = fmax(high[k], at[k]);
                }
            }
            least = fmin(least, (high[0] - low[0]) * (high[1] - low[1]));
        }
        if (!(box.length * box.width <= least * (1.0 + 1e-9) && box.length * box.width > 0.97 * least)) {
            print_error("seed %d: %g, turned boxes %g\n", (int)seed, box.length * box.width, least);
            fail();
        }
    }
}

/* Is a place in the air? Asked of all prisms and of the scene's ground. */
static void check_place(const made *m, int64_t i)
{
    const rcity_shapes *shapes = m->world.shapes;
    rcity_tile_place place = m->tiling.places[i];
    double x_m = shapes->origin_x_m + (double)place.x / shapes->units_per_m;
    double y_m = shapes->origin_y_m + (double)place.y / shapes->units_per_m;
    double z_m = (double)place.z / RCITY_HEIGHT_UNITS_PER_M;
    rcity_cover cover;
    assert_ok(m->context, rcity_scene_get_cover(m->context, m->scene, x_m, y_m, &cover));
    if (cover.is_covered && cover.roof_m > z_m) {
        print_error("tile %lld at (%g, %g, %g) lies under a roof of %g m\n", (long long)i, x_m, y_m, z_m, cover.roof_m);
        fail();
    }
}

static bool is_ground(const made *m, const rcity_tile *tile)
{
    return tile->surface < 0 || m->world.mirrors[tile->surface].kind == RCITY_MIRROR_GROUND;
}

/* Made cities: places in the air, areas add up, edges lie beside their parents, lists of edges are complete. */
/* Tiles at the sides of a tile have the same surface, touch it along a side, and have it at their own side. Where a
   surface has more tiles than one, most have some. */
static void check_sides(const rcity_tiling *t)
{
    int64_t sided_count = 0;
    for (int32_t i = 0; i < t->tile_count; i++) {
        const rcity_tile *tile = &t->tiles[i];
        bool has_any = false;
        for (int k = 0; k < RCITY_TILE_SIDE_COUNT; k++) {
            int32_t side = t->beside[i][k];
            if (side < 0) {
                continue;
            }
            const rcity_tile *other = &t->tiles[side];
            double x = (double)other->x - (double)tile->x;
            double y = (double)other->y - (double)tile->y;
            double u = x * (double)tile->ux + y * (double)tile->uy; /* in plan: the ground may lean */
            double flat_u = hypot((double)tile->ux, (double)tile->uy);
            double expected = k == 0 ? -2.0 : k == 1 ? 2.0 : 0.0;
            assert_int_equal(other->surface, tile->surface);
            assert_int_equal(t->beside[side][k ^ 1], i);
            assert_near(u, expected * (double)tile->half_u * flat_u * flat_u, 2e-2 * (double)tile->half_u);
            has_any = true;
        }
        sided_count += has_any;
    }
    assert_true(sided_count > t->tile_count / 2);
}

/* Each surface but the terrain lists its tiles, in their order. */
static void check_surface_rows(const rcity_tiling *t)
{
    int64_t listed = 0;
    for (int64_t surface = 0; surface < t->world->mirror_count; surface++) {
        for (int32_t i = t->surface_rows[surface]; i < t->surface_rows[surface + 1]; i++) {
            assert_int_equal(t->tiles[t->surface_rows[i]].surface, surface);
            assert_true(i == t->surface_rows[surface] || t->surface_rows[i] > t->surface_rows[i - 1]);
            listed++;
        }
    }
    for (int64_t i = 0; i < t->tile_count; i++) {
        listed -= t->tiles[i].surface != RCITY_TILE_TERRAIN;
    }
    assert_int_equal(listed, 0);
}

static void check_city(rcity_city_kind kind, uint64_t seed)
{
    print_message("%s, seed %d\n", rcity_city_kind_name(kind), (int)seed);
    made m;
    make_city(&m, kind, seed, 0.1, 2);
    rcity_tiling_options options = rcity_tiling_options_default();
    cut(&m, &options);
    const rcity_tiling *t = &m.tiling;
    assert_int_equal(t->wall_tile_count + t->roof_tile_count + t->ground_tile_count, t->tile_count);
    double wall_m2 = 0.0;
    double roof_m2 = 0.0;
    double ground_m2 = 0.0;
    for (int64_t i = 0; i < t->tile_count; i++) {
        const rcity_tile *tile = &t->tiles[i];
        check_place(&m, i);
        if (is_ground(&m, tile)) {
            ground_m2 += tile_area(tile) * (double)tile->nz;
        } else {
            *(fabsf(tile->nz) < 0.5f ? &wall_m2 : &roof_m2) += tile_area(tile);
        }
    }
    double facade_m2 = 0.0;
    for (int64_t i = 0; i < m.world.wall_count; i++) {
        const rcity_mirror *wall = &m.world.mirrors[i];
        facade_m2 += hypot(wall->x2 - wall->x1, wall->y2 - wall->y1) * (wall->top - wall->bottom);
    }
    assert_true(wall_m2 <= facade_m2 * 1.00001 - t->dropped_wall_area_m2);
    if (t->covered_tile_count == 0) {
        assert_near(wall_m2, facade_m2 - t->dropped_wall_area_m2, 1e-4 * facade_m2 + 1e-6);
    }
    /* what is no roof is ground; tiles along outlines count whole, and grids that follow outlines favour some */
    rcity_plan_box box = m.scene->prism_index.bounds;
    if (m.world.shapes->prism_count > 0 && m.world.shapes->terrain.column_count == 0) {
        double unit_m = 1.0 / m.world.shapes->units_per_m;
        double all_m2 =
            (((double)box.x_max - box.x_min) * unit_m + 100.0) * (((double)box.y_max - box.y_min) * unit_m + 100.0);
        assert_near(roof_m2 + ground_m2, all_m2, 0.04 * all_m2);
    }
    check_sides(t);
    check_surface_rows(t);
    int64_t listed = 0;
    for (int32_t i = 0; i < t->edge_count; i++) {
        const rcity_tile_edge *piece = &t->edges[i];
        assert_true(piece->exterior_rad > (float)PI);
        const int32_t parent[2] = {piece->tile_o, piece->tile_n};
        for (int k = 0; k < 2; k++) {
            if (parent[k] < 0) {
                continue;
            }
            listed++;
            const rcity_tile *tile = &t->tiles[parent[k]];
            double x = 0.5 * ((double)piece->ax + (double)piece->bx) - (double)tile->x;
            double y = 0.5 * ((double)piece->ay + (double)piece->by) - (double)tile->y;
            double z = 0.5 * ((double)piece->az + (double)piece->bz) - (double)tile->z;
            double off_plane = x * (double)tile->nx + y * (double)tile->ny + z * (double)tile->nz;
            if (piece->facet >= 0) {
                assert_near(off_plane, 0.0, 2e-2); /* floats, kilometres from the origin */
            }
            assert_true(sqrt(x * x + y * y + z * z) < 25.0);
            bool is_listed = false;
            for (int32_t e = t->edge_first[parent[k]]; e < t->edge_first[parent[k] + 1]; e++) {
                is_listed |= t->edge_of[e] == i;
            }
            assert_true(is_listed);
        }
    }
    assert_int_equal(listed, t->edge_first[t->tile_count]);
    if (m.world.shapes->prism_count > 0) {
        assert_true(t->edge_count > 100);
    }
    close_made(&m);
}

static void test_cities(void **state)
{
    (void)state;
    for (int kind = 0; kind < RCITY_CITY_KIND_COUNT; kind++) {
        check_city((rcity_city_kind)kind, 1);
        check_city((rcity_city_kind)kind, 20);
    }
}

/* The same tiles for any number of threads; neighbours in the list are near each other. */
static void test_order(void **state)
{
    (void)state;
    made one;
    made three;
    make_city(&one, RCITY_CITY_CORE, 3, 0.2, 1);
    make_city(&three, RCITY_CITY_CORE, 3, 0.2, 3);
    rcity_tiling_options options = rcity_tiling_options_default();
    cut(&one, &options);
    cut(&three, &options);
    assert_string_equal(one.tiling.hash, three.tiling.hash);
    assert_int_equal(one.tiling.edge_count, three.tiling.edge_count);
    assert_memory_equal(one.tiling.edges, three.tiling.edges, (size_t)one.tiling.edge_count * sizeof *one.tiling.edges);
    double sum_m = 0.0;
    for (int64_t i = 32; i < one.tiling.tile_count; i++) {
        sum_m += hypot((double)one.tiling.tiles[i].x - (double)one.tiling.tiles[i - 32].x,
                       (double)one.tiling.tiles[i].y - (double)one.tiling.tiles[i - 32].y);
    }
    assert_true(sum_m / (double)one.tiling.tile_count < 120.0);
    options.wall_area_m2 = 50.0;
    rcity_tiling other;
    assert_ok(one.context, rcity_tiling_init(one.context, one.scene, &one.world, &options, &other));
    assert_string_not_equal(other.hash, one.tiling.hash);
    rcity_tiling_deinit(one.context, &other);
    close_made(&one);
    close_made(&three);
}

/* A roof of two planes in the ground: tiles lean with it, and the ridge is an edge with the angle of the air. */
static void check_ridge(double slope, int expected_edges)
{
    float height_m[21 * 21];
    for (int i = 0; i < 21 * 21; i++) {
        height_m[i] = (float)(100.0 - slope * fabs((i % 21 - 10) * 10.0));
    }
    made m;
    memset(&m, 0, sizeof m);
    m.context = test_context(1);
    rcity_scene_options scene_options = rcity_scene_options_default();
    assert_ok(m.context, rcity_scene_create(m.context, &scene_options, &m.scene));
    rcity_terrain terrain = {21, 21, 0.0, 0.0, 10.0, height_m};
    assert_ok(m.context, rcity_scene_set_terrain(m.scene, &terrain));
    assert_ok(m.context, rcity_scene_commit(m.scene));
    rcity_tiling_options options = rcity_tiling_options_default();
    cut(&m, &options);
    assert_int_equal(m.tiling.tile_count, 400);
    for (int64_t i = 0; i < 400; i++) {
        const rcity_tile *tile = &m.tiling.tiles[i];
        assert_near(tile->nz, 1.0 / sqrt(1.0 + slope * slope), 1e-5);
        assert_near(tile_area(tile) * (double)tile->nz, 100.0, 1e-2);
    }
    assert_int_equal(m.tiling.edge_count, expected_edges);
    for (int64_t i = 0; i < m.tiling.edge_count; i++) {
        const rcity_tile_edge *piece = &m.tiling.edges[i];
        assert_near(piece->exterior_rad, PI + 2.0 * atan(slope), 1e-3);
        assert_near(piece->az, 100.0, 0.05);
        assert_near(piece->ax, piece->bx, 1e-3);
        assert_near(fabsf(piece->by - piece->ay), 10.0, 1e-2);
        const rcity_tile *o = &m.tiling.tiles[piece->tile_o]; /* face o looks away from the ridge on its own side */
        assert_near(piece->nox * o->nx + piece->noz * o->nz, 1.0, 1e-4);
        assert_true((o->x - piece->ax) * piece->iox > 0.0f);
    }
    close_made(&m);
}

static void test_ridges(void **state)
{
    (void)state;
    check_ridge(0.25, 20);
    check_ridge(-0.25, 0);    /* a valley */
    check_ridge(0.015625, 0); /* too flat */
}

/* Small walls are dropped and counted; so are edges without a tile on either side. */
static void test_small_walls(void **state)
{
    (void)state;
    const test_box boxes[2] = {{0.0, 0.0, 20.0, 20.0, 10.0}, {40.0, 0.0, 40.25, 20.0, 10.0}};
    made m;
    memset(&m, 0, sizeof m);
    m.context = test_context(1);
    m.scene = test_scene(m.context, boxes, 2);
    rcity_tiling_options options = rcity_tiling_options_default();
    cut(&m, &options);
    assert_int_equal(m.tiling.dropped_wall_count, 2);
    assert_near(m.tiling.dropped_wall_area_m2, 5.0, 1e-6);
    assert_int_equal(m.tiling.dropped_edge_count, 0);
    rcity_tiling_deinit(m.context, &m.tiling);
    options.wall_width_min_m = 15.0; /* no wall is left, the roof of the second house is too narrow for a centre */
    assert_ok(m.context, rcity_tiling_init(m.context, m.scene, &m.world, &options, &m.tiling));
    assert_int_equal(m.tiling.wall_tile_count, 0);
    assert_int_equal(m.tiling.dropped_wall_count, 8);
    assert_int_equal(m.tiling.dropped_edge_count, 8);
    close_made(&m);
}

/* A house on a slope of 1 in 5, cut into tiles so high that the centres of some cells are under ground: what is above the
   ground is tiles all the same, and no tile reaches below it. */
static void test_walls_rise_from_the_terrain(void **state)
{
    (void)state;
    enum { NODES = 13 };
    static float height_m[NODES * NODES];
    for (int i = 0; i < NODES * NODES; i++) {
        height_m[i] = (float)(i % NODES) * 1.0f; /* 5 m apart: 1 m higher each */
    }
    const rcity_terrain terrain = {NODES, NODES, -20.0, -20.0, 5.0, height_m};
    rcity_scene_options scene_options = rcity_scene_options_default();
    rcity_tiling_options options = rcity_tiling_options_default();
    made m;
    memset(&m, 0, sizeof m);
    m.context = test_context(1);
    assert_ok(m.context, rcity_scene_create(m.context, &scene_options, &m.scene));
    assert_ok(m.context, rcity_scene_set_terrain(m.scene, &terrain));
    test_add_box(m.context, m.scene, 1, (test_box){0.0, 0.0, 20.0, 20.0, 12.0});
    assert_ok(m.context, rcity_scene_commit(m.scene));
    options.wall_area_m2 = 144.0;
    cut(&m, &options);
    double wall_m2 = 0.0;
    for (int64_t i = 0; i < m.tiling.tile_count; i++) {
        const rcity_tile *tile = &m.tiling.tiles[i];
        if (fabsf(tile->nz) < 0.5f) {
            rcity_point at = {(double)tile->x + m.world.shapes->origin_x_m,
                              (double)tile->y + m.world.shapes->origin_y_m, 0.0};
            double ground_m = -HUGE_VAL;
            assert_ok(m.context, rcity_scene_get_ground(m.context, m.scene, at.x_m, at.y_m, &ground_m));
            assert_near((double)tile->z - (double)tile->half_v, fmax(ground_m, (double)tile->z - (double)tile->half_v),
                        0.02);
            wall_m2 += tile_area(tile);
        }
    }
    assert_near(wall_m2, 20.0 * 12.0 + 20.0 * 8.0 + 2.0 * 20.0 * 10.0, 4.0); /* low, high, and both along the slope */
    assert_int_equal(m.tiling.covered_tile_count, 0);
    close_made(&m);
}

static void test_bad_options(void **state)
{
    (void)state;
    const test_box box = {0.0, 0.0, 20.0, 20.0, 10.0};
    made m;
    memset(&m, 0, sizeof m);
    m.context = test_context(1);
    m.scene = test_scene(m.context, &box, 1);
    assert_ok(m.context, rcity_facet_table_init(m.context, m.scene, 2e9, &m.world));
    rcity_tiling_options options = rcity_tiling_options_default();
    options.roof_area_m2 = 0.5;
    assert_status(m.context, rcity_tiling_init(m.context, m.scene, &m.world, &options, &m.tiling), RCITY_ERR_ARGUMENT);
    assert_message(m.context, "`roof-tile-area-m2` is 0.5 m2, must be 1 to 10000");
    options = rcity_tiling_options_default();
    options.ground_margin_m = (double)NAN;
    assert_status(m.context, rcity_tiling_init(m.context, m.scene, &m.world, &options, &m.tiling), RCITY_ERR_ARGUMENT);
    close_made(&m);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    const test_box box = {0.0, 0.0, 40.0, 20.0, 20.0};
    for (long n = 1;; n++) {
        failing_allocator failing = {0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_scene *scene = test_scene(context, &box, 1);
        rcity_facet_table world;
        assert_ok(context, rcity_facet_table_init(context, scene, 2e9, &world));
        long live = failing.live_count;
        failing.fail_at = failing.call_count + n;
        rcity_tiling_options options = rcity_tiling_options_default();
        rcity_tiling tiling;
        rcity_status status = rcity_tiling_init(context, scene, &world, &options, &tiling);
        failing.fail_at = 0;
        if (status == RCITY_OK) {
            rcity_tiling_deinit(context, &tiling);
        } else {
            assert_int_equal(status, RCITY_ERR_MEMORY);
        }
        assert_int_equal(failing.live_count, live);
        rcity_facet_table_deinit(context, &world);
        rcity_scene_destroy(&scene);
        rcity_context_destroy(&context);
        if (status == RCITY_OK) {
            assert_true(n > 5);
            break;
        }
    }
}

TEST_SUITE(tiling)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_side_counts), cmocka_unit_test(test_house),
        cmocka_unit_test(test_cities),      cmocka_unit_test(test_smallest_rectangle),
        cmocka_unit_test(test_order),       cmocka_unit_test(test_ridges),
        cmocka_unit_test(test_small_walls), cmocka_unit_test(test_walls_rise_from_the_terrain),
        cmocka_unit_test(test_bad_options), cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests_name("tiling", tests, NULL, NULL);
}
