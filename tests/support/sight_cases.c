/* Segments that make trouble. */
#include "sight_cases.h"

#include "scene/place/terrain.h"

/* Numbers of one segment, drawn one after the other. */
typedef struct case_draw {
    const rcity_shapes *shapes;
    uint64_t seed, next;
} case_draw;

static uint64_t draw(case_draw *cases)
{
    return test_random(cases->seed, cases->next++);
}

static int32_t draw_between(case_draw *cases, int64_t low, int64_t high)
{
    return (int32_t)(low + (int64_t)(draw(cases) % (uint64_t)(high - low + 1)));
}

const char *sight_family_name(sight_family family)
{
    static const char *const names[] = {
#define SIGHT_FAMILY_NAME(value, name) name,
        SIGHT_FAMILY_LIST(SIGHT_FAMILY_NAME)
#undef SIGHT_FAMILY_NAME
    };
    return names[family];
}

static int32_t keep_within(int64_t value)
{
    const int64_t limit = RCITY_PLAN_LIMIT - 1;
    return (int32_t)(value < -limit ? -limit : value > limit ? limit : value);
}

/* A place in or just around the scene. */
static rcity_grid_point draw_place(case_draw *cases)
{
    const rcity_shapes *shapes = cases->shapes;
    int32_t margin = 20 * shapes->units_per_m;
    rcity_grid_point at;
    at.x = draw_between(cases, (int64_t)shapes->x_min - margin, (int64_t)shapes->x_max + margin);
    at.y = draw_between(cases, (int64_t)shapes->y_min - margin, (int64_t)shapes->y_max + margin);
    return at;
}

/* A place not farther than the reach from another, along each axis. */
static rcity_grid_point draw_near(case_draw *cases, rcity_grid_point at, double reach_m)
{
    int32_t reach = (int32_t)(reach_m * cases->shapes->units_per_m);
    rcity_grid_point near;
    near.x = keep_within((int64_t)at.x + draw_between(cases, -reach, reach));
    near.y = keep_within((int64_t)at.y + draw_between(cases, -reach, reach));
    return near;
}

/* A height worth asking for: that of some roof, one unit beside it, near the ground, or anything. */
static int32_t draw_height(case_draw *cases, rcity_grid_point at)
{
    const rcity_shapes *shapes = cases->shapes;
    uint64_t choice = draw(cases) % 8;
    double ground = 0.0;
    if (shapes->terrain.column_count > 0 && rcity_terrain_contains(&shapes->terrain, at.x, at.y)) {
        ground = rcity_terrain_height(&shapes->terrain, at.x, at.y);
    }
    if (choice < 3 && shapes->prism_count > 0) {
        int32_t roof = shapes->prisms[draw(cases) % (uint64_t)shapes->prism_count].roof;
        return roof - 1 + (int32_t)choice;
    }
    if (choice < 6) {
        return (int32_t)ceil(ground) + draw_between(cases, 0, 10 * RCITY_HEIGHT_UNITS_PER_M);
    }
    return (int32_t)floor(ground) + draw_between(cases, -64, 60 * RCITY_HEIGHT_UNITS_PER_M);
}

static void draw_heights(case_draw *cases, rcity_grid_point a, rcity_grid_point b, rcity_grid_point3 *from,
                         rcity_grid_point3 *to)
{
    from->x = a.x;
    from->y = a.y;
    to->x = b.x;
    to->y = b.y;
    from->z = draw_height(cases, a);
    to->z = draw(cases) % 4 == 0 ? from->z : draw_height(cases, b);
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* A wall and the number of its prism. */
typedef struct case_wall {
    rcity_grid_point p, q;
    int32_t prism;
} case_wall;

static case_wall draw_wall(case_draw *cases)
{
    const rcity_shapes *shapes = cases->shapes;
    case_wall wall;
    wall.prism = (int32_t)(draw(cases) % (uint64_t)shapes->prism_count);
    const rcity_prism *prism = &shapes->prisms[wall.prism];
    int32_t ring = prism->first_ring + (int32_t)(draw(cases) % (uint64_t)prism->ring_count);
    int32_t first = shapes->ring_first[ring];
    int32_t point = first + (int32_t)(draw(cases) % (uint64_t)(shapes->ring_first[ring + 1] - first));
    wall.p = shapes->points[point];
    wall.q = shapes->points[rcity_ring_next(shapes->ring_first, ring, point)];
    return wall;
}

/* A grid point on the line of a wall, `steps` of its smallest grid vector from its start. */
static rcity_grid_point on_line(case_wall wall, int64_t steps)
{
    int64_t dx = (int64_t)wall.q.x - wall.p.x;
    int64_t dy = (int64_t)wall.q.y - wall.p.y;
    int64_t common = divisor(dx, dy);
    rcity_grid_point at = {keep_within(wall.p.x + steps * (dx / common)),
                           keep_within(wall.p.y + steps * (dy / common))};
    return at;
}

static bool is_on_line(case_wall wall, rcity_grid_point at)
{
    return rcity_orient(wall.p, wall.q, at) == 0;
}

static void along_wall(case_draw *cases, rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    case_wall wall = draw_wall(cases);
    int64_t common = divisor((int64_t)wall.q.x - wall.p.x, (int64_t)wall.q.y - wall.p.y);
    int64_t begin = draw(cases) % 3 == 0 ? -common * (int64_t)(draw(cases) % 4) : draw_between(cases, -common, common);
    int64_t end = draw(cases) % 3 == 0 ? common * (int64_t)(1 + draw(cases) % 4) : draw_between(cases, 0, 2 * common);
    rcity_grid_point a = on_line(wall, begin);
    rcity_grid_point b = on_line(wall, end);
    if (!is_on_line(wall, a) || !is_on_line(wall, b)) { /* the plan ends before */
        a = wall.p;
        b = wall.q;
    }
    draw_heights(cases, a, b, from, to);
}

/* Through a corner, exactly: it lies a whole number of steps from both ends. `*roof` is that of its prism. */
static void through_corner(case_draw *cases, rcity_grid_point3 *from, rcity_grid_point3 *to, int32_t *steps,
                           int32_t *roof)
{
    case_wall wall = draw_wall(cases);
    int32_t span = 40 * cases->shapes->units_per_m;
    int32_t dx = draw_between(cases, -span, span);
    int32_t dy = draw(cases) % 4 == 0 ? (draw(cases) % 2 == 0 ? 0 : dx) : draw_between(cases, -span, span);
    steps[0] = draw_between(cases, 0, 3);
    steps[1] = draw_between(cases, 0, 3);
    rcity_grid_point a = {keep_within((int64_t)wall.p.x - (int64_t)steps[0] * dx),
                          keep_within((int64_t)wall.p.y - (int64_t)steps[0] * dy)};
    rcity_grid_point b = {keep_within((int64_t)wall.p.x + (int64_t)steps[1] * dx),
                          keep_within((int64_t)wall.p.y + (int64_t)steps[1] * dy)};
    *roof = cases->shapes->prisms[wall.prism].roof;
    draw_heights(cases, a, b, from, to);
}

/* Exactly level with a roof where it passes a corner of it, or one unit beside. */
static void graze_roof(case_draw *cases, rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    int32_t steps[2];
    int32_t roof;
    through_corner(cases, from, to, steps, &roof);
    int32_t slope = draw_between(cases, -200, 200);
    int32_t beside = draw_between(cases, -1, 1);
    from->z = roof - steps[0] * slope + beside;
    to->z = roof + steps[1] * slope + beside;
}

static void end_on_wall(case_draw *cases, double reach_m, rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    case_wall wall = draw_wall(cases);
    int64_t common = divisor((int64_t)wall.q.x - wall.p.x, (int64_t)wall.q.y - wall.p.y);
    rcity_grid_point a = on_line(wall, draw_between(cases, 0, common));
    rcity_grid_point b = draw_near(cases, a, reach_m);
    if (draw(cases) % 3 == 0) {
        case_wall other = draw_wall(cases);
        b = on_line(other,
                    draw_between(cases, 0, divisor((int64_t)other.q.x - other.p.x, (int64_t)other.q.y - other.p.y)));
    }
    draw_heights(cases, a, b, from, to);
}

static void vertical(case_draw *cases, rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    rcity_grid_point at = draw_place(cases);
    if (cases->shapes->prism_count > 0 && draw(cases) % 2 == 0) {
        case_wall wall = draw_wall(cases);
        int64_t common = divisor((int64_t)wall.q.x - wall.p.x, (int64_t)wall.q.y - wall.p.y);
        at = draw(cases) % 2 == 0 ? wall.p : on_line(wall, draw_between(cases, 0, common));
    }
    draw_heights(cases, at, at, from, to);
}

/* A node of the terrain, or one unit beside it. */
static rcity_grid_point draw_node(case_draw *cases, int32_t *height)
{
    const rcity_terrain_grid *terrain = &cases->shapes->terrain;
    int32_t column = draw_between(cases, 0, terrain->column_count - 1);
    int32_t row = draw_between(cases, 0, terrain->row_count - 1);
    rcity_grid_point at = {terrain->west + column * terrain->cell, terrain->south + row * terrain->cell};
    *height = terrain->height[(int64_t)row * terrain->column_count + column];
    return at;
}

/* Along a row, a column or a diagonal, at or near the heights of nodes. */
static void along_ground(case_draw *cases, rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    const rcity_terrain_grid *terrain = &cases->shapes->terrain;
    int32_t height;
    rcity_grid_point a = draw_node(cases, &height);
    int64_t run = (int64_t)draw_between(cases, -12, 12) * terrain->cell;
    uint64_t path = draw(cases) % 4;
    rcity_grid_point b = {keep_within(a.x + (path == 1 ? 0 : run)), keep_within(a.y + (path == 0   ? 0
                                                                                       : path == 3 ? -run
                                                                                                   : run))};
    draw_heights(cases, a, b, from, to);
    from->z = height + draw_between(cases, -1, 2);
    if (rcity_terrain_contains(terrain, b.x, b.y) && draw(cases) % 3 != 0) {
        to->z = (int32_t)ceil(rcity_terrain_height(terrain, b.x, b.y)) + draw_between(cases, -1, 2);
    }
}

/* Touches the ground at a node in between, or runs just above or below it. */
static void touch_ground(case_draw *cases, rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    const rcity_terrain_grid *terrain = &cases->shapes->terrain;
    int32_t height;
    rcity_grid_point node = draw_node(cases, &height);
    int32_t dx = draw_between(cases, -3 * terrain->cell, 3 * terrain->cell);
    int32_t dy = draw_between(cases, -3 * terrain->cell, 3 * terrain->cell);
    int32_t slope = draw_between(cases, -300, 300);
    int32_t beside = draw_between(cases, -1, 1);
    int32_t back = draw_between(cases, 0, 3);
    int32_t on = draw_between(cases, 0, 3);
    rcity_grid_point3 a = {keep_within((int64_t)node.x - (int64_t)back * dx),
                           keep_within((int64_t)node.y - (int64_t)back * dy), height - back * slope + beside};
    rcity_grid_point3 b = {keep_within((int64_t)node.x + (int64_t)on * dx),
                           keep_within((int64_t)node.y + (int64_t)on * dy), height + on * slope + beside};
    *from = a;
    *to = b;
}

static void level(case_draw *cases, double reach_m, rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    rcity_grid_point a =
        cases->shapes->prism_count > 0 && draw(cases) % 2 == 0 ? draw_wall(cases).p : draw_place(cases);
    rcity_grid_point b = draw_near(cases, a, reach_m);
    uint64_t axis = draw(cases) % 3;
    b.x = axis == 0 ? a.x : b.x;
    b.y = axis == 1 ? a.y : b.y;
    draw_heights(cases, a, b, from, to);
    to->z = draw(cases) % 2 == 0 ? from->z : to->z;
}

/* From anywhere the plan reaches to. */
static void far_away(case_draw *cases, rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    const int32_t limit = RCITY_PLAN_LIMIT - 1;
    int32_t span = draw(cases) % 2 == 0 ? limit : limit / 64;
    rcity_grid_point a;
    a.x = draw_between(cases, -span, span);
    a.y = draw_between(cases, -span, span);
    rcity_grid_point b = draw_place(cases);
    if (draw(cases) % 3 == 0) { /* straight through to the other side */
        b.x = keep_within(2 * (int64_t)b.x - a.x);
        b.y = keep_within(2 * (int64_t)b.y - a.y);
    }
    draw_heights(cases, a, b, from, to);
}

void sight_case(const rcity_shapes *shapes, sight_family family, uint64_t seed, uint64_t i, double reach_m,
                rcity_grid_point3 *from, rcity_grid_point3 *to)
{
    case_draw cases = {shapes, seed * 1000003 + (uint64_t)family, i * 64};
    bool needs_walls = family >= SIGHT_ALONG_WALL && family <= SIGHT_END_ON_WALL;
    bool needs_ground = family == SIGHT_ALONG_GROUND || family == SIGHT_TOUCH_GROUND;
    int32_t steps[2];
    int32_t roof;
    if ((needs_walls && shapes->prism_count == 0) || (needs_ground && shapes->terrain.column_count == 0)) {
        family = SIGHT_RANDOM;
    }
    switch (family) {
    case SIGHT_ALONG_WALL:
        along_wall(&cases, from, to);
        break;
    case SIGHT_THROUGH_CORNER:
        through_corner(&cases, from, to, steps, &roof);
        break;
    case SIGHT_CORNER_TO_CORNER: {
        rcity_grid_point a = draw_wall(&cases).p;
        rcity_grid_point b = draw_wall(&cases).p;
        draw_heights(&cases, a, b, from, to);
        break;
    }
    case SIGHT_GRAZE_ROOF:
        graze_roof(&cases, from, to);
        break;
    case SIGHT_END_ON_WALL:
        end_on_wall(&cases, reach_m, from, to);
        break;
    case SIGHT_VERTICAL:
        vertical(&cases, from, to);
        break;
    case SIGHT_ALONG_GROUND:
        along_ground(&cases, from, to);
        break;
    case SIGHT_TOUCH_GROUND:
        touch_ground(&cases, from, to);
        break;
    case SIGHT_LEVEL:
        level(&cases, reach_m, from, to);
        break;
    case SIGHT_FAR:
        far_away(&cases, from, to);
        break;
    case SIGHT_RANDOM:
    case SIGHT_FAMILY_COUNT: {
        rcity_grid_point a = draw_place(&cases);
        draw_heights(&cases, a, draw_near(&cases, a, reach_m), from, to);
        break;
    }
    }
}

/* A ring with 3 to 6 corners on the lattice, inside a square. Often crosses itself; the scene drops those. */
static int draw_ring(uint64_t seed, uint64_t *next, int x0, int y0, int size, double *xy_m)
{
    int count = 3 + (int)(test_random(seed, (*next)++) % 4);
    for (int i = 0; i < count; i++) {
        xy_m[2 * i] = x0 + (int)(test_random(seed, (*next)++) % (uint64_t)(size + 1));
        xy_m[2 * i + 1] = y0 + (int)(test_random(seed, (*next)++) % (uint64_t)(size + 1));
    }
    return count;
}

rcity_scene *sight_messy_scene(rcity_context *context, uint64_t seed)
{
    rcity_scene_options options = rcity_scene_options_default();
    options.drop_invalid = true;
    options.gap_m = seed % 3 == 0 ? 0.5 : 0.0;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_scene_create(context, &options, &scene));
    float heights_m[9 * 9];
    if (seed % 2 == 0) {
        for (int i = 0; i < 81; i++) {
            heights_m[i] = (float)(test_random(seed, 100000 + (uint64_t)i) % 64) / 16.0f;
        }
        rcity_terrain terrain = {9, 9, 0.0, 0.0, 4.0, heights_m};
        assert_ok(context, rcity_scene_set_terrain(scene, &terrain));
    }
    test_add_box(context, scene, 0, (test_box){0, 0, 1, 1, 3});
    uint64_t next = 0;
    int building_count = 20 + (int)(seed % 20);
    for (int k = 1; k <= building_count; k++) {
        double xy_m[24];
        int counts[2];
        int size = 2 + (int)(test_random(seed, next++) % 8);
        int x0 = (int)(test_random(seed, next++) % (uint64_t)(32 - size));
        int y0 = (int)(test_random(seed, next++) % (uint64_t)(32 - size));
        rcity_building building = rcity_building_default();
        building.id = k;
        building.ring_point_count = counts;
        building.xy_m = xy_m;
        building.height_m = 1.0 + (double)(test_random(seed, next++) % 6);
        building.ground_m = test_random(seed, next++) % 2 == 0 ? 0.0 : building.ground_m;
        building.ring_count = 1;
        if (test_random(seed, next++) % 3 == 0) { /* a box, with a hole that often touches it */
            const double box[8] = {x0, y0, x0 + size, y0, x0 + size, y0 + size, x0, y0 + size};
            memcpy(xy_m, box, sizeof box);
            counts[0] = 4;
            counts[1] = draw_ring(seed, &next, x0, y0, size, xy_m + 8);
            building.ring_count = 1 + (int)(test_random(seed, next++) % 2);
        } else {
            counts[0] = draw_ring(seed, &next, x0, y0, size, xy_m);
        }
        assert_ok(context, rcity_scene_add_building(scene, &building));
    }
    for (int k = 1; k <= 8; k++) {
        double xy_m[12];
        int count = draw_ring(seed, &next, (int)(test_random(seed, next) % 20), (int)(test_random(seed, next + 1) % 20),
                              3 + (int)(test_random(seed, next + 2) % 9), xy_m);
        rcity_vegetation vegetation = {.id = k, .ring_count = 1, .ring_point_count = &count, .xy_m = xy_m};
        vegetation.height_m = 1.0 + (double)(test_random(seed, next++) % 8);
        assert_ok(context, rcity_scene_add_vegetation(scene, &vegetation));
    }
    assert_ok(context, rcity_scene_commit(scene));
    return scene;
}

rcity_scene *sight_city(rcity_context *context, rcity_city_kind kind, uint64_t seed, double area_km2)
{
    rcity_city_options options = rcity_city_options_default();
    options.kind = kind;
    options.seed = seed;
    options.area_km2 = area_km2;
    rcity_scene *scene = NULL;
    assert_ok(context, rcity_city_make(context, &options, &scene));
    return scene;
}
