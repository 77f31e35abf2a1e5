/* Mirrors from facades, roofs and ground; edges where facades meet and where they end at a roof. */
#include "scene/facets/facet_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/light.h"
#include "base/order.h"
#include "scene/facets/roof_groups.h"
#include "scene/shape/exact.h"

/* Rounding may move the end of a facade away from the corner of its wall by this much. */
#define CORNER_TOLERANCE_UNITS 0.128

/* One end of a facade at a corner. The rays leave the corner along the wall. */
typedef struct corner_end {
    rcity_grid_point corner;
    int32_t mirror;
    bool is_start; /* the facade starts here: air is clockwise of its ray; else it ends here */
} corner_end;

static rcity_facet_material evaluate_material(const rcity_material *material, double frequency_hz)
{
    rcity_permittivity at = rcity_material_evaluate(material, frequency_hz);
    rcity_facet_material made = {
        at.real, -at.imaginary, material->thickness_m, at.conductivity_s_per_m >= RCITY_FACET_METAL_S_PER_M, {0}};
    memcpy(made.material, material->name, sizeof made.material);
    return made;
}

static rcity_status find_material(rcity_facet_table *world, rcity_context *context, const rcity_scene *scene,
                                  double frequency_hz, const char *name, rcity_surface surface, int32_t *material_index)
{
    rcity_material material;
    RCITY_TRY(rcity_scene_get_material(context, scene, name, surface, &material));
    rcity_facet_material made = evaluate_material(&material, frequency_hz);
    for (int32_t i = 0; i < world->material_count; i++) {
        if (strcmp(world->materials[i].material, made.material) == 0) {
            *material_index = i;
            return RCITY_OK;
        }
    }
    world->materials[world->material_count] = made;
    *material_index = (int32_t)world->material_count++;
    return RCITY_OK;
}

static void add_wall(rcity_facet_table *world, const rcity_facade *facade, int32_t material_index)
{
    const rcity_shapes *shapes = world->shapes;
    const rcity_prism *prism = &shapes->prisms[facade->prism];
    int32_t ring = prism->first_ring;
    while (facade->edge >= shapes->ring_first[ring + 1]) {
        ring++;
    }
    /* the line through the wall's own corners: the rounded ends of a short facade would rotate it */
    rcity_grid_point p = shapes->points[facade->edge];
    rcity_grid_point q = shapes->points[rcity_ring_next(shapes->ring_first, ring, facade->edge)];
    double unit_m = 1.0 / shapes->units_per_m;
    double px = p.x * unit_m;
    double py = p.y * unit_m;
    double dx = ((double)q.x - p.x) * unit_m;
    double dy = ((double)q.y - p.y) * unit_m;
    double length = hypot(dx, dy);
    dx /= length;
    dy /= length;
    double from = ((double)facade->x1_m - px) * dx + ((double)facade->y1_m - py) * dy;
    double to = ((double)facade->x2_m - px) * dx + ((double)facade->y2_m - py) * dy;
    from = from < CORNER_TOLERANCE_UNITS * unit_m ? 0.0 : from;
    to = to > length - CORNER_TOLERANCE_UNITS * unit_m ? length : to;

    rcity_mirror *wall = &world->mirrors[world->mirror_count++];
    memset(wall, 0, sizeof *wall);
    wall->kind = RCITY_MIRROR_WALL;
    wall->material_index = material_index;
    wall->prism = facade->prism;
    wall->normal = (rcity_place3){dy, -dx, 0.0};
    wall->offset = px * dy - py * dx;
    wall->x1 = px + from * dx;
    wall->y1 = py + from * dy;
    wall->x2 = px + to * dx;
    wall->y2 = py + to * dy;
    wall->bottom = (double)facade->bottom_m;
    wall->top = (double)facade->top_m;
    wall->starts_at_corner = from == 0.0;
    wall->ends_at_corner = to == length;
    wall->corner_p = p;
    wall->corner_q = q;
}

static void add_level(rcity_facet_table *world, rcity_mirror_kind kind, int32_t prism, double height_m,
                      int32_t material_index)
{
    rcity_mirror *level = &world->mirrors[world->mirror_count++];
    memset(level, 0, sizeof *level);
    level->kind = kind;
    level->material_index = material_index;
    level->prism = prism;
    level->normal = (rcity_place3){0.0, 0.0, 1.0};
    level->offset = height_m;
    level->bottom = height_m;
    level->top = height_m;
}

/* The material of a surface whose neighbour in the list often has the same: a name equal to the last one is not looked
   up again. */
typedef struct last_material {
    const char *name; /* NULL: none yet */
    int32_t material_index;
} last_material;

static rcity_status find_next_material(rcity_facet_table *world, rcity_context *context, const rcity_scene *scene,
                                       double frequency_hz, const char *name, rcity_surface surface,
                                       last_material *last)
{
    if (last->name == NULL || strcmp(last->name, name) != 0) {
        RCITY_TRY(find_material(world, context, scene, frequency_hz, name, surface, &last->material_index));
        last->name = name;
    }
    return RCITY_OK;
}

static rcity_status build_mirrors(rcity_facet_table *world, rcity_context *context, const rcity_scene *scene,
                                  double frequency_hz)
{
    const rcity_shapes *shapes = world->shapes;
    int32_t material_index;
    last_material last_wall = {NULL, 0};
    last_material last_roof = {NULL, 0};
    for (int64_t i = 0; i < shapes->facade_count; i++) {
        const char *name = shapes->buildings[shapes->prisms[shapes->facades[i].prism].building].material;
        RCITY_TRY(find_next_material(world, context, scene, frequency_hz, name, RCITY_SURFACE_WALL, &last_wall));
        add_wall(world, &shapes->facades[i], last_wall.material_index);
    }
    world->wall_count = world->mirror_count;
    for (int32_t prism = 0; prism < shapes->prism_count; prism++) {
        const char *name = shapes->buildings[shapes->prisms[prism].building].material;
        RCITY_TRY(find_next_material(world, context, scene, frequency_hz, name, RCITY_SURFACE_ROOF, &last_roof));
        add_level(world, RCITY_MIRROR_ROOF, prism, (double)shapes->prisms[prism].roof / RCITY_HEIGHT_UNITS_PER_M,
                  last_roof.material_index);
    }
    world->roof_count = shapes->prism_count;
    RCITY_TRY(find_material(world, context, scene, frequency_hz, "", RCITY_SURFACE_GROUND, &material_index));
    world->ground_material = material_index;
    if (shapes->terrain.column_count == 0) {
        add_level(world, RCITY_MIRROR_GROUND, -1, 0.0, material_index);
    }
    return RCITY_OK;
}

/* The top of a facade: face o is the wall, face n the roof behind it. */
static void add_roof_edge(rcity_facet_table *world, int32_t wall_index)
{
    const rcity_mirror *wall = &world->mirrors[wall_index];
    rcity_facet_edge *facet_edge = &world->edges[world->edge_count++];
    memset(facet_edge, 0, sizeof *facet_edge);
    facet_edge->a = (rcity_place3){wall->x2, wall->y2, wall->top};
    facet_edge->b = (rcity_place3){wall->x1, wall->y1, wall->top};
    facet_edge->along = (rcity_place3){wall->normal.y, -wall->normal.x, 0.0};
    facet_edge->normal_o = wall->normal;
    facet_edge->in_face_o = (rcity_place3){0.0, 0.0, -1.0};
    facet_edge->exterior_rad = 1.5 * RCITY_TRACE_PI;
    facet_edge->material_o = wall->material_index;
    facet_edge->material_n = world->mirrors[world->wall_count + wall->prism].material_index;
    facet_edge->mirror_o = wall_index;
    facet_edge->mirror_n = (int32_t)world->wall_count + wall->prism;
    facet_edge->prism = wall->prism;
    facet_edge->outward = wall->normal;
}

static int compare_corner_ends(const void *left, const void *right)
{
    const corner_end *a = left;
    const corner_end *b = right;
    const int32_t keys[3][2] = {{a->corner.x, b->corner.x}, {a->corner.y, b->corner.y}, {a->mirror, b->mirror}};
    for (int i = 0; i < 3; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return (int)a->is_start - (int)b->is_start;
}

/* The wall's direction away from the corner, in grid units: exact. */
static void corner_ray(const rcity_facet_table *world, const corner_end *end, double ray[2])
{
    const rcity_mirror *wall = &world->mirrors[end->mirror];
    double dx = (double)wall->corner_q.x - wall->corner_p.x;
    double dy = (double)wall->corner_q.y - wall->corner_p.y;
    ray[0] = end->is_start ? dx : -dx;
    ray[1] = end->is_start ? dy : -dy;
}

/* Angle from one ray to another, counter-clockwise, 0 to 2 pi. Products of grid units are exact in double. */
static double turn_between(const double from[2], const double to[2])
{
    double turn = atan2(from[0] * to[1] - from[1] * to[0], from[0] * to[0] + from[1] * to[1]);
    return turn < 0.0 ? turn + 2.0 * RCITY_TRACE_PI : turn;
}

static bool stands_at(const rcity_mirror *wall, double bottom, double top)
{
    return wall->bottom <= bottom && wall->top >= top;
}

/* The edge of one storey of a corner: between the facade that ends there and the one that starts next,
   counter-clockwise, with more than half a turn of air between. There is at most one. */
static bool find_corner_edge(const rcity_facet_table *world, const corner_end *ends, int64_t count, double bottom,
                             double top, rcity_facet_edge *facet_edge)
{
    for (int64_t i = 0; i < count; i++) {
        if (ends[i].is_start || !stands_at(&world->mirrors[ends[i].mirror], bottom, top)) {
            continue;
        }
        double ray_o[2];
        corner_ray(world, &ends[i], ray_o);
        double air_rad = HUGE_VAL;
        int32_t wall_n = -1;
        for (int64_t j = 0; j < count; j++) {
            if (!stands_at(&world->mirrors[ends[j].mirror], bottom, top)) {
                continue;
            }
            double ray_n[2];
            corner_ray(world, &ends[j], ray_n);
            double turn = turn_between(ray_o, ray_n);
            if (ends[j].is_start && turn < air_rad) {
                air_rad = turn;
                wall_n = ends[j].mirror;
            }
        }
        const rcity_mirror *o = &world->mirrors[ends[i].mirror];
        if (wall_n >= 0 && air_rad > RCITY_TRACE_PI + 1e-9) {
            const rcity_mirror *n = &world->mirrors[wall_n];
            memset(facet_edge, 0, sizeof *facet_edge);
            facet_edge->along = (rcity_place3){0.0, 0.0, 1.0};
            facet_edge->normal_o = o->normal;
            facet_edge->in_face_o = (rcity_place3){o->normal.y, -o->normal.x, 0.0};
            facet_edge->exterior_rad = air_rad;
            facet_edge->material_o = o->material_index;
            facet_edge->material_n = n->material_index;
            facet_edge->mirror_o = ends[i].mirror;
            facet_edge->mirror_n = wall_n;
            facet_edge->prism = o->prism;
            facet_edge->is_vertical = true;
            double x = o->normal.x + n->normal.x;
            double y = o->normal.y + n->normal.y;
            double size = hypot(x, y);
            /* a blade: both normals cancel, and the tip points away from its walls */
            facet_edge->outward = size > 1e-6 ? (rcity_place3){x / size, y / size, 0.0}
                                              : (rcity_place3){-facet_edge->in_face_o.x, -facet_edge->in_face_o.y, 0.0};
            return true;
        }
    }
    return false;
}

static bool continues(const rcity_facet_edge *below, const rcity_facet_edge *above)
{
    return below->b.z == above->a.z && below->material_o == above->material_o &&
           below->material_n == above->material_n && below->exterior_rad == above->exterior_rad &&
           below->in_face_o.x == above->in_face_o.x && below->in_face_o.y == above->in_face_o.y;
}

/* The edges of one corner, storey by storey between the heights where a facade begins or ends. */
static void add_corner_edges(rcity_facet_table *world, const corner_end *ends, int64_t count, double *levels)
{
    int64_t level_count = 0;
    for (int64_t i = 0; i < count; i++) {
        levels[level_count++] = world->mirrors[ends[i].mirror].bottom;
        levels[level_count++] = world->mirrors[ends[i].mirror].top;
    }
    rcity_sort_doubles(levels, (size_t)level_count);
    double unit_m = 1.0 / world->shapes->units_per_m;
    int64_t first = world->edge_count;
    for (int64_t k = 0; k + 1 < level_count; k++) {
        rcity_facet_edge facet_edge;
        if (levels[k] == levels[k + 1] ||
            !find_corner_edge(world, ends, count, levels[k], levels[k + 1], &facet_edge)) {
            continue;
        }
        facet_edge.a = (rcity_place3){ends[0].corner.x * unit_m, ends[0].corner.y * unit_m, levels[k]};
        facet_edge.b = (rcity_place3){facet_edge.a.x, facet_edge.a.y, levels[k + 1]};
        rcity_facet_edge *last = world->edge_count > first ? &world->edges[world->edge_count - 1] : NULL;
        if (last != NULL && continues(last, &facet_edge)) {
            last->b.z = facet_edge.b.z;
        } else {
            world->edges[world->edge_count++] = facet_edge;
        }
    }
}

static rcity_status build_edges(rcity_facet_table *world, rcity_context *context)
{
    corner_end *ends = NULL;
    double *levels = NULL;
    int64_t end_count = 0;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, 2 * (size_t)world->wall_count, sizeof *ends, "the edges of walls", &ends));
    RCITY_TRY_DONE(rcity_alloc(context, 4 * (size_t)world->wall_count, sizeof *levels, "the edges of walls", &levels));
    for (int32_t i = 0; i < world->wall_count; i++) {
        const rcity_mirror *wall = &world->mirrors[i];
        add_roof_edge(world, i);
        if (wall->starts_at_corner) {
            ends[end_count++] = (corner_end){wall->corner_p, i, true};
        }
        if (wall->ends_at_corner) {
            ends[end_count++] = (corner_end){wall->corner_q, i, false};
        }
    }
    world->roof_edge_count = world->edge_count;
    if (end_count > 0) {
        qsort(ends, (size_t)end_count, sizeof *ends, compare_corner_ends);
    }
    for (int64_t i = 0, next; i < end_count; i = next) {
        for (next = i + 1; next < end_count && rcity_grid_point_equal(ends[i].corner, ends[next].corner);) {
            next++;
        }
        add_corner_edges(world, &ends[i], next - i, levels);
    }
done:
    rcity_release(context, levels);
    rcity_release(context, ends);
    return status;
}

rcity_status rcity_facet_table_init(rcity_context *context, const rcity_scene *scene, double frequency_hz,
                                    rcity_facet_table *world)
{
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    memset(world, 0, sizeof *world);
    world->shapes = shapes;
    world->wavelength_m = rcity_light_wavelength_m(frequency_hz);
    size_t mirror_room = (size_t)(shapes->facade_count + shapes->prism_count + 1);
    /* a corner has at most one storey more than facade ends that meet there, so there are fewer than four per facade */
    size_t edge_room = (size_t)(5 * shapes->facade_count + 1);
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)(RCITY_SCENE_MATERIAL_MAX + rcity_material_count()),
                               sizeof *world->materials, "the materials", &world->materials));
    RCITY_TRY_DONE(rcity_alloc(context, mirror_room, sizeof *world->mirrors, "the mirrors", &world->mirrors));
    RCITY_TRY_DONE(rcity_alloc(context, edge_room, sizeof *world->edges, "the edges", &world->edges));
    RCITY_TRY_DONE(build_mirrors(world, context, scene, frequency_hz));
    RCITY_TRY_DONE(build_edges(world, context));
    RCITY_TRY_DONE(
        rcity_resize(context, (size_t)world->edge_count + 1, sizeof *world->edges, "the edges", &world->edges));
    status = rcity_roof_groups_make(context, world);
done:
    if (status != RCITY_OK) {
        rcity_facet_table_deinit(context, world);
    }
    return status;
}

rcity_status rcity_facet_table_retune(rcity_context *context, const rcity_scene *scene, const rcity_facet_table *like,
                                      double frequency_hz, rcity_facet_table *world)
{
    rcity_facet_table made = *like;
    made.borrows = true;
    made.materials = NULL;
    made.wavelength_m = rcity_light_wavelength_m(frequency_hz);
    RCITY_TRY(rcity_alloc(context, (size_t)like->material_count + 1, sizeof *made.materials, "the materials",
                          &made.materials));
    for (int64_t i = 0; i < like->material_count; i++) {
        rcity_material material;
        rcity_status status =
            rcity_scene_get_material(context, scene, like->materials[i].material, RCITY_SURFACE_WALL, &material);
        if (status != RCITY_OK) {
            rcity_release(context, made.materials);
            return status;
        }
        made.materials[i] = evaluate_material(&material, frequency_hz);
    }
    *world = made;
    return RCITY_OK;
}

void rcity_facet_table_deinit(rcity_context *context, rcity_facet_table *world)
{
    rcity_release(context, world->materials);
    if (!world->borrows) {
        rcity_release(context, world->mirrors);
        rcity_release(context, world->edges);
        rcity_release(context, world->roof_of);
    }
    memset(world, 0, sizeof *world);
}

int32_t rcity_trace_terrain_object(const rcity_facet_table *world, int64_t column, int64_t row, bool is_upper)
{
    return (int32_t)(world->mirror_count + 2 * (row * world->shapes->terrain.column_count + column) + is_upper);
}

void rcity_trace_mirror(const rcity_facet_table *world, int32_t object, rcity_mirror *mirror)
{
    if (object < world->mirror_count) {
        *mirror = world->mirrors[object];
        return;
    }
    const rcity_terrain_grid *terrain = &world->shapes->terrain;
    int64_t triangle = object - world->mirror_count;
    int64_t cell = triangle / 2;
    int64_t column = cell % terrain->column_count;
    int64_t row = cell / terrain->column_count;
    const int32_t *low = &terrain->height[row * terrain->column_count + column];
    const int32_t *high = low + terrain->column_count;
    double unit_m = 1.0 / world->shapes->units_per_m;
    double rise_x = triangle % 2 == 0 ? (double)low[1] - low[0] : (double)high[1] - high[0];
    double rise_y = triangle % 2 == 0 ? (double)high[1] - low[1] : (double)high[0] - low[0];
    double slope_x = rise_x / RCITY_HEIGHT_UNITS_PER_M / (terrain->cell * unit_m);
    double slope_y = rise_y / RCITY_HEIGHT_UNITS_PER_M / (terrain->cell * unit_m);
    double size = sqrt(slope_x * slope_x + slope_y * slope_y + 1.0);
    memset(mirror, 0, sizeof *mirror);
    mirror->kind = RCITY_MIRROR_GROUND;
    mirror->material_index = world->ground_material;
    mirror->prism = -1;
    mirror->normal = (rcity_place3){-slope_x / size, -slope_y / size, 1.0 / size};
    mirror->offset = mirror->normal.x * (terrain->west + (double)column * terrain->cell) * unit_m +
                     mirror->normal.y * (terrain->south + (double)row * terrain->cell) * unit_m +
                     mirror->normal.z * low[0] / RCITY_HEIGHT_UNITS_PER_M;
}

double rcity_facet_edge_angle(const rcity_facet_edge *facet_edge, rcity_place3 at, rcity_place3 to, double *off_m)
{
    rcity_place3 d = {to.x - at.x, to.y - at.y, to.z - at.z};
    double across = d.x * facet_edge->normal_o.x + d.y * facet_edge->normal_o.y + d.z * facet_edge->normal_o.z;
    double in_face = d.x * facet_edge->in_face_o.x + d.y * facet_edge->in_face_o.y + d.z * facet_edge->in_face_o.z;
    double phi = atan2(across, in_face);
    *off_m = hypot(across, in_face);
    return phi < -RCITY_TRACE_FACE_RAD ? phi + 2.0 * RCITY_TRACE_PI : phi;
}
