#include "rcity_test.h"

#include <assert.h>

#include "path_world.h"

#define SWEEPS_MAX 4000 /* of the ascent from edge to edge; it ends earlier where nothing moves */

rcity_place3 place_make(double x, double y, double z)
{
    return (rcity_place3){x, y, z};
}

rcity_place3 place_add(rcity_place3 a, rcity_place3 b, double factor)
{
    return place_make(a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z);
}

double place_dot(rcity_place3 a, rcity_place3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

rcity_place3 place_cross(rcity_place3 a, rcity_place3 b)
{
    return place_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

double place_distance(rcity_place3 a, rcity_place3 b)
{
    rcity_place3 between = place_add(a, b, -1.0);
    return sqrt(place_dot(between, between));
}

rcity_place3 place_unit(rcity_place3 a)
{
    return place_add(place_make(0.0, 0.0, 0.0), a, 1.0 / sqrt(place_dot(a, a)));
}

rcity_place3 place_mirrored(rcity_place3 point, const rcity_mirror *mirror)
{
    return place_add(point, mirror->normal, 2.0 * (mirror->offset - place_dot(mirror->normal, point)));
}

double place_angle(const rcity_facet_edge *facet_edge, rcity_place3 place)
{
    rcity_place3 between = place_add(place, facet_edge->a, -1.0);
    double angle_rad = atan2(place_dot(between, facet_edge->normal_o), place_dot(between, facet_edge->in_face_o));
    return angle_rad < 0.0 ? angle_rad + 2.0 * PI : angle_rad;
}

rcity_place3 place_around(const rcity_facet_edge *facet_edge, double angle_rad, double distance_m, double along_m)
{
    rcity_place3 place = place_add(facet_edge->a, facet_edge->along, along_m);
    place = place_add(place, facet_edge->in_face_o, distance_m * cos(angle_rad));
    return place_add(place, facet_edge->normal_o, distance_m * sin(angle_rad));
}

void path_world_init(path_world *world, double wavelength_m)
{
    memset(world, 0, sizeof *world);
    world->world.wavelength_m = wavelength_m;
    world->world.materials = world->materials;
    world->world.mirrors = world->mirrors;
    world->world.edges = world->edges;
}

int32_t path_world_add_material(path_world *world, double re, double im, double thickness_m)
{
    assert(world->world.material_count < PATH_WORLD_MAX);
    int32_t index = (int32_t)world->world.material_count++;
    world->materials[index] =
        (rcity_facet_material){.permittivity_re = re, .permittivity_im = im, .thickness_m = thickness_m};
    return index;
}

int32_t path_world_add_conductor(path_world *world)
{
    int32_t index = path_world_add_material(world, 1.0, 0.0, 0.0);
    world->materials[index].is_conductor = true;
    return index;
}

int32_t path_world_add_mirror(path_world *world, rcity_place3 point, rcity_place3 normal, int32_t material_index)
{
    assert(world->world.mirror_count < PATH_WORLD_MAX);
    int32_t index = (int32_t)world->world.mirror_count++;
    rcity_mirror *mirror = &world->mirrors[index];
    mirror->kind = RCITY_MIRROR_WALL;
    mirror->material_index = material_index;
    mirror->normal = place_unit(normal);
    mirror->offset = place_dot(mirror->normal, point);
    return index;
}

int32_t path_world_add_edge(path_world *world, rcity_place3 point, rcity_place3 along, rcity_place3 in_face_o,
                            double exterior_rad, int32_t material_o, int32_t material_n)
{
    assert(world->world.edge_count < PATH_WORLD_MAX);
    int32_t index = (int32_t)world->world.edge_count++;
    rcity_facet_edge *facet_edge = &world->edges[index];
    facet_edge->along = place_unit(along);
    facet_edge->a = point;
    facet_edge->b = place_add(point, facet_edge->along, 1.0);
    facet_edge->in_face_o =
        place_unit(place_add(in_face_o, facet_edge->along, -place_dot(in_face_o, facet_edge->along)));
    facet_edge->normal_o = place_cross(facet_edge->along, facet_edge->in_face_o);
    facet_edge->exterior_rad = exterior_rad;
    facet_edge->material_o = material_o;
    facet_edge->material_n = material_n;
    return index;
}

/* The mirrors of the steps begin to end - 1 in the order of travel, or against it. */
static rcity_place3 image(const path_world *world, rcity_place3 point, const path_step *steps, int begin, int end,
                          bool is_backwards)
{
    for (int i = begin; i < end; i++) {
        const path_step *step = &steps[is_backwards ? begin + end - 1 - i : i];
        if (step->kind == RCITY_EVENT_REFLECTION) {
            point = place_mirrored(point, &world->mirrors[step->object]);
        }
    }
    return point;
}

/* Where the shortest path from one place to another touches an edge: both unfolded into one plane. */
static rcity_place3 touch(const rcity_facet_edge *facet_edge, rcity_place3 from, rcity_place3 to)
{
    rcity_place3 to_from = place_add(from, facet_edge->a, -1.0);
    rcity_place3 to_to = place_add(to, facet_edge->a, -1.0);
    double from_along = place_dot(to_from, facet_edge->along);
    double to_along = place_dot(to_to, facet_edge->along);
    double from_off = sqrt(fmax(place_dot(to_from, to_from) - from_along * from_along, 0.0));
    double to_off = sqrt(fmax(place_dot(to_to, to_to) - to_along * to_along, 0.0));
    return place_add(facet_edge->a, facet_edge->along,
                     (from_along * to_off + to_along * from_off) / (from_off + to_off));
}

/* The points on the mirrors between two places, which lie before step `begin` and after step `end` - 1. */
static bool solve_mirrors(const path_world *world, rcity_place3 from, rcity_place3 to, const path_step *steps,
                          int begin, int end, rcity_trace_path *path)
{
    rcity_place3 source = image(world, from, steps, begin, end, false);
    for (int i = end - 1; i >= begin; i--) {
        const rcity_mirror *mirror = &world->mirrors[steps[i].object];
        double ahead = mirror->offset - place_dot(mirror->normal, source);
        double behind = place_dot(mirror->normal, to) - mirror->offset;
        double fraction = ahead / (ahead + behind);
        if (!(fraction > 0.0 && fraction < 1.0)) {
            return false;
        }
        to = place_add(source, place_add(to, source, -1.0), fraction);
        path->event[i].point = to;
        if (steps[i].kind == RCITY_EVENT_REFLECTION) {
            source = place_mirrored(source, mirror);
        }
    }
    return true;
}

/* Improve one edge point after the other: the length is convex, so this ends at the one path there is. */
static void solve_edges(const path_world *world, rcity_place3 tx, rcity_place3 rx, const path_step *steps,
                        int step_count, const int *edge_at, int edge_count, rcity_place3 *edge)
{
    for (int k = 0; k < edge_count; k++) {
        edge[k] = world->edges[steps[edge_at[k]].object].a;
    }
    double moved = 1.0;
    for (int sweep = 0; sweep < SWEEPS_MAX && moved > 1e-13; sweep++) {
        moved = 0.0;
        for (int k = 0; k < edge_count; k++) {
            int begin = k == 0 ? 0 : edge_at[k - 1] + 1;
            int end = k + 1 < edge_count ? edge_at[k + 1] : step_count;
            rcity_place3 from = image(world, k == 0 ? tx : edge[k - 1], steps, begin, edge_at[k], false);
            rcity_place3 to = image(world, k + 1 < edge_count ? edge[k + 1] : rx, steps, edge_at[k] + 1, end, true);
            rcity_place3 better = touch(&world->edges[steps[edge_at[k]].object], from, to);
            moved = fmax(moved, place_distance(better, edge[k]));
            edge[k] = better;
        }
    }
}

bool path_world_solve(const path_world *world, rcity_place3 tx, rcity_place3 rx, const path_step *steps, int step_count,
                      rcity_trace_path *path)
{
    memset(path, 0, sizeof *path);
    path->tx = tx;
    path->rx = rx;
    path->event_count = step_count;
    int edge_at[RCITY_RAY_EVENT_MAX];
    rcity_place3 edge[RCITY_RAY_EVENT_MAX];
    int edge_count = 0;
    for (int i = 0; i < step_count; i++) {
        path->event[i].kind = steps[i].kind;
        path->event[i].object = steps[i].object;
        if (steps[i].kind == RCITY_EVENT_DIFFRACTION) {
            edge_at[edge_count++] = i;
        }
    }
    solve_edges(world, tx, rx, steps, step_count, edge_at, edge_count, edge);
    for (int k = 0; k <= edge_count; k++) {
        int begin = k == 0 ? 0 : edge_at[k - 1] + 1;
        int end = k < edge_count ? edge_at[k] : step_count;
        if (k < edge_count) {
            path->event[edge_at[k]].point = edge[k];
        }
        if (!solve_mirrors(world, k == 0 ? tx : edge[k - 1], k < edge_count ? edge[k] : rx, steps, begin, end, path)) {
            return false;
        }
    }
    return true;
}

rcity_trace_path path_reversed(const rcity_trace_path *path)
{
    rcity_trace_path back = *path;
    back.tx = path->rx;
    back.rx = path->tx;
    for (int i = 0; i < path->event_count; i++) {
        back.event[i] = path->event[path->event_count - 1 - i];
    }
    return back;
}

double path_length_m(const rcity_trace_path *path)
{
    double length_m = 0.0;
    rcity_place3 from = path->tx;
    for (int i = 0; i < path->event_count; i++) {
        length_m += place_distance(from, path->event[i].point);
        from = path->event[i].point;
    }
    return length_m + place_distance(from, path->rx);
}

rcity_channel path_world_channel(const path_world *world, rcity_place3 tx, rcity_place3 rx, const path_step *steps,
                                 int step_count)
{
    rcity_trace_path path;
    assert_true(path_world_solve(world, tx, rx, steps, step_count, &path));
    return rcity_path_channel(&world->world, &path);
}

phasor channel_get(rcity_channel channel, int out, int in)
{
    return channel.transfer[out][in].re + channel.transfer[out][in].im * PHASOR_J;
}

phasor phasor_free_space(double length_m, double wavelength_m)
{
    long double phase = -2.0L * acosl(-1.0L) * ((long double)length_m / (long double)wavelength_m);
    return wavelength_m / (4.0 * PI * length_m) * ((double)cosl(phase) + (double)sinl(phase) * PHASOR_J);
}
