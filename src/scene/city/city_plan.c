/* The plan of a European centre: rings, radial boulevards and quarters. Along a boulevard the centres of the quarters
   come in pairs, mirrored at its axis. The border of mirrored Voronoi cells is the axis itself, so boulevards are
   straight while all other streets are not. */
#include <string.h>

#include "scene/city/city_plan.h"
#include "scene/city/city_random.h"

/* Keys of the plan's random numbers, separate from those of the blocks. */
enum { KEY_CENTRE = 1, KEY_RING, KEY_RIVER, KEY_FILL, KEY_STREET };

/* Centres of quarters up to this far outside the city shape its border like that of a larger city. */
#define MARGIN_M 220.0

#define INNER_GATE_MAX 9 /* RCITY_CITY_GATE_MAX has room for the outermost ring */

/* Smaller cities have no river. */
#define RIVER_SIDE_MIN_M 1300.0

typedef struct plan_maker {
    const rcity_city_draft *draft;
    rcity_city_plan *plan;
    size_t capacity;
} plan_maker;

/* Distance between the centres of quarters. */
static double zone_spacing(int zone)
{
    return zone == 0 ? 130.0 : 195.0;
}

/* The direction at u of 4 quarters of a turn. */
static rcity_city_point direction_at(double u)
{
    u = u - 4.0 * floor(0.25 * u);
    int quadrant = (int)u;
    double f = u - quadrant;
    rcity_city_point d = rcity_city_point_unit(1.0 - f, f);
    for (int i = 0; i < quadrant; i++) {
        d = rcity_city_point_left(d);
    }
    return d;
}

static double ring_radius(const rcity_city_draft *draft)
{
    double radius = 0.31 * draft->side_m;
    return radius < 175.0 ? 175.0 : radius > 520.0 ? 520.0 : radius;
}

/* A river past the old town, from beyond one side of the city to beyond the other. */
static void make_river(plan_maker *maker)
{
    rcity_city_river *river = &maker->plan->river;
    double side = maker->draft->side_m;
    uint64_t key = rcity_city_key(maker->draft->seed, KEY_RIVER);
    river->exists = side >= RIVER_SIDE_MIN_M && rcity_city_chance(key, 0, 0.75);
    river->axis = direction_at(rcity_city_between(key, 1, 0.0, 4.0));
    river->half_width_m = rcity_city_between(key, 2, 28.0, 45.0);
    river->step_m = 3.2 * side / (RCITY_CITY_BEND_MAX - 1);
    river->step_m = river->step_m < 330.0 ? 330.0 : river->step_m;
    river->source = rcity_city_point_move(maker->plan->centre, rcity_city_point_left(river->axis),
                                          1.3 * ring_radius(maker->draft) + 60.0);
    river->source = rcity_city_point_move(river->source, river->axis, -0.5 * river->step_m * (RCITY_CITY_BEND_MAX - 1));
    for (int i = 0; i < RCITY_CITY_BEND_MAX; i++) {
        river->bend_m[i] = river->step_m * rcity_city_between(key, 10 + i, -0.2, 0.2);
    }
}

static rcity_city_point river_bend(const rcity_city_river *river, int index)
{
    rcity_city_point at = rcity_city_point_move(river->source, river->axis, index * river->step_m);
    return rcity_city_point_move(at, rcity_city_point_left(river->axis), river->bend_m[index]);
}

static bool is_left_bank(const rcity_city_river *river, rcity_city_point at)
{
    rcity_city_point from_source = rcity_city_point_subtract(at, river->source);
    double along = rcity_city_point_dot(from_source, river->axis) / river->step_m;
    if (!river->exists || along < 0.0 || along >= RCITY_CITY_BEND_MAX - 1) {
        return false;
    }
    int index = (int)along;
    double bend = river->bend_m[index] + (along - index) * (river->bend_m[index + 1] - river->bend_m[index]);
    return rcity_city_point_cross(river->axis, from_source) > bend;
}

/* Every ring has twice the gates of the ring inside it, and every other gate continues one of that ring. */
static void make_ring(plan_maker *maker, int index, double radius_m, const double *u, int innermost_count)
{
    rcity_city_plan *plan = maker->plan;
    rcity_city_ring *ring = &plan->ring[index];
    uint64_t key = rcity_city_key(rcity_city_key(maker->draft->seed, KEY_RING), 100 + index);
    int step_count = 1 << index; /* from one gate of the innermost ring to the next */
    ring->gate_count = innermost_count * step_count;
    for (int i = 0; i < ring->gate_count; i++) {
        int before = i / step_count;
        double part = (double)(i % step_count) / step_count;
        rcity_city_point direction = direction_at(u[before] + part * (u[before + 1] - u[before]));
        double gate_radius_m = radius_m * rcity_city_between(key, i, 0.9, 1.1);
        ring->gate[i] = rcity_city_point_move(plan->centre, direction, gate_radius_m);
        ring->is_open[i] = i == 0 || rcity_city_chance(key, 1000 + i, 0.5);
        if (index > 0 && i % 2 == 0 && plan->ring[index - 1].is_open[i / 2]) {
            ring->is_open[i] = true;
        }
    }
}

static void make_rings(plan_maker *maker)
{
    rcity_city_plan *plan = maker->plan;
    uint64_t key = rcity_city_key(maker->draft->seed, KEY_RING);
    double radius_m = ring_radius(maker->draft);
    double u[INNER_GATE_MAX + 1] = {0.0}; /* directions of the inner ring's gates, in quarters of a turn */
    int gate_count = INNER_GATE_MAX - rcity_city_pick(key, 0, 3);
    double phase = rcity_city_between(key, 1, 0.0, 4.0);
    for (int i = 0; i < gate_count; i++) {
        u[i] = phase + 4.0 * (i + rcity_city_between(key, 10 + i, -0.18, 0.18)) / gate_count;
    }
    u[gate_count] = u[0] + 4.0;
    while (plan->ring_count < RCITY_CITY_RING_MAX && radius_m < 0.75 * maker->draft->side_m) {
        make_ring(maker, plan->ring_count, radius_m, u, gate_count);
        plan->ring_count++;
        radius_m *= 2.7;
    }
}

/* Number of the gate before a place, as seen from the centre. */
static int find_gate(const rcity_city_plan *plan, const rcity_city_ring *ring, rcity_city_point at)
{
    rcity_city_point d = rcity_city_point_subtract(at, plan->centre);
    for (int i = 0; i < ring->gate_count; i++) {
        rcity_city_point a = rcity_city_point_subtract(ring->gate[i], plan->centre);
        rcity_city_point b = rcity_city_point_subtract(ring->gate[(i + 1) % ring->gate_count], plan->centre);
        if (rcity_city_point_cross(a, d) >= 0.0 && rcity_city_point_cross(d, b) > 0.0) {
            return i;
        }
    }
    return 0;
}

static void find_zone(const rcity_city_plan *plan, rcity_city_point at, int *zone, int *sector)
{
    *zone = 0;
    *sector = 0;
    for (int i = 0; i < plan->ring_count; i++) {
        const rcity_city_ring *ring = &plan->ring[i];
        int gate = find_gate(plan, ring, at);
        rcity_city_point a = ring->gate[gate];
        rcity_city_point b = ring->gate[(gate + 1) % ring->gate_count];
        if (rcity_city_point_cross(rcity_city_point_subtract(b, a), rcity_city_point_subtract(at, a)) >= 0.0) {
            return;
        }
        while (!ring->is_open[gate]) {
            gate = (gate + ring->gate_count - 1) % ring->gate_count;
        }
        *zone = i + 1;
        *sector = gate;
    }
}

static bool has_room(const rcity_city_plan *plan, rcity_city_point at, double distance_m)
{
    for (int i = 0; i < plan->quarter_count; i++) {
        rcity_city_point difference = rcity_city_point_subtract(plan->quarters[i].at, at);
        if (rcity_city_point_dot(difference, difference) < distance_m * distance_m) {
            return false;
        }
    }
    return true;
}

static rcity_status add_quarter(plan_maker *maker, rcity_city_point at)
{
    rcity_city_plan *plan = maker->plan;
    double side = maker->draft->side_m;
    if (at.x < -MARGIN_M || at.y < -MARGIN_M || at.x > side + MARGIN_M || at.y > side + MARGIN_M) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(maker->draft->context, (size_t)plan->quarter_count + 1, sizeof *plan->quarters,
                            &maker->capacity, "quarters of a city", &plan->quarters));
    rcity_city_quarter *quarter = &plan->quarters[plan->quarter_count++];
    quarter->at = at;
    quarter->is_left_bank = is_left_bank(&plan->river, at);
    find_zone(plan, at, &quarter->zone, &quarter->sector);
    return RCITY_OK;
}

/* Pairs of quarters along an axis. */
static rcity_status add_pairs(plan_maker *maker, rcity_city_point from, rcity_city_point to, double spacing_m)
{
    double length = rcity_city_point_distance(from, to);
    rcity_city_point along = rcity_city_point_toward(from, to);
    rcity_city_point across = rcity_city_point_left(along);
    int count = (int)(length / spacing_m + 0.5);
    count = count < 1 ? 1 : count;
    double half = 0.48 * spacing_m;
    for (int i = 0; i < count; i++) {
        rcity_city_point at = rcity_city_point_move(from, along, length * (i + 0.5) / count);
        rcity_city_point left = rcity_city_point_move(at, across, half);
        rcity_city_point right = rcity_city_point_move(at, across, -half);
        if (has_room(maker->plan, left, 0.7 * spacing_m) && has_room(maker->plan, right, 0.7 * spacing_m)) {
            RCITY_TRY(add_quarter(maker, left));
            RCITY_TRY(add_quarter(maker, right));
        }
    }
    return RCITY_OK;
}

/* Where the boulevard through an open gate ends. */
static rcity_city_point radial_end(const plan_maker *maker, int ring, int gate)
{
    const rcity_city_plan *plan = maker->plan;
    if (ring + 1 < plan->ring_count) {
        int outer_gate = 2 * gate;
        return plan->ring[ring + 1].gate[outer_gate];
    }
    rcity_city_point direction = rcity_city_point_toward(plan->centre, plan->ring[ring].gate[gate]);
    return rcity_city_point_move(plan->centre, direction, 1.5 * maker->draft->side_m);
}

static rcity_status add_boulevards(plan_maker *maker)
{
    const rcity_city_plan *plan = maker->plan;
    for (int i = 0; plan->river.exists && i + 1 < RCITY_CITY_BEND_MAX; i++) {
        RCITY_TRY(add_pairs(maker, river_bend(&plan->river, i), river_bend(&plan->river, i + 1), zone_spacing(1)));
    }
    for (int i = 0; i < plan->ring_count; i++) {
        const rcity_city_ring *ring = &plan->ring[i];
        for (int k = 0; k < ring->gate_count; k++) {
            RCITY_TRY(add_pairs(maker, ring->gate[k], ring->gate[(k + 1) % ring->gate_count],
                                zone_spacing(i) + (i == 0 ? 15.0 : 0.0)));
        }
    }
    for (int i = 0; i < plan->ring_count; i++) {
        for (int k = 0; k < plan->ring[i].gate_count; k++) {
            if (plan->ring[i].is_open[k]) {
                RCITY_TRY(add_pairs(maker, plan->ring[i].gate[k], radial_end(maker, i, k), zone_spacing(1)));
            }
        }
    }
    return RCITY_OK;
}

static double segment_distance(rcity_city_point a, rcity_city_point b, rcity_city_point at)
{
    rcity_city_point along = rcity_city_point_subtract(b, a);
    double part = rcity_city_point_dot(rcity_city_point_subtract(at, a), along) / rcity_city_point_dot(along, along);
    part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    return rcity_city_point_distance(rcity_city_point_move(a, along, part), at);
}

/* Is a place far enough from river and boulevards not to disturb the pairs along them? */
static bool is_clear(const plan_maker *maker, rcity_city_point at)
{
    const rcity_city_plan *plan = maker->plan;
    for (int i = 0; plan->river.exists && i + 1 < RCITY_CITY_BEND_MAX; i++) {
        if (segment_distance(river_bend(&plan->river, i), river_bend(&plan->river, i + 1), at) <
            0.72 * zone_spacing(1)) {
            return false;
        }
    }
    for (int i = 0; i < plan->ring_count; i++) {
        const rcity_city_ring *ring = &plan->ring[i];
        for (int k = 0; k < ring->gate_count; k++) {
            if (segment_distance(ring->gate[k], ring->gate[(k + 1) % ring->gate_count], at) < 0.72 * zone_spacing(i)) {
                return false;
            }
            if (ring->is_open[k] &&
                segment_distance(ring->gate[k], radial_end(maker, i, k), at) < 0.72 * zone_spacing(1)) {
                return false;
            }
        }
    }
    return true;
}

/* A quarter in each corner of the city, so that the city fills its square. */
static rcity_status add_corners(plan_maker *maker)
{
    double near = 0.5 * zone_spacing(0);
    double far = maker->draft->side_m - near;
    const rcity_city_point corner[4] = {{near, near}, {far, near}, {far, far}, {near, far}};
    for (int i = 0; i < 4; i++) {
        RCITY_TRY(add_quarter(maker, corner[i]));
    }
    return RCITY_OK;
}

/* Fill the area between the boulevards with quarters at random places that keep their distance. */
static rcity_status fill_quarters(plan_maker *maker)
{
    const rcity_city_plan *plan = maker->plan;
    const double step = 90.0;
    const int try_count = 6;
    uint64_t key = rcity_city_key(maker->draft->seed, KEY_FILL);
    int count = (int)((maker->draft->side_m + 2.0 * MARGIN_M) / step) + 1;
    for (int i = 0; i < count * count * try_count; i++) {
        int column = i % count;
        int row = i / count % count;
        uint64_t cell_key = rcity_city_key(key, i);
        rcity_city_point at = {(column + rcity_city_uniform(cell_key, 0)) * step - MARGIN_M,
                               (row + rcity_city_uniform(cell_key, 1)) * step - MARGIN_M};
        int zone, sector;
        find_zone(plan, at, &zone, &sector);
        if (has_room(plan, at, 0.86 * zone_spacing(zone)) && is_clear(maker, at)) {
            RCITY_TRY(add_quarter(maker, at));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_city_plan_init(const rcity_city_draft *draft, rcity_city_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan_maker maker = {.draft = draft, .plan = plan};
    uint64_t key = rcity_city_key(draft->seed, KEY_CENTRE);
    plan->centre = rcity_city_point_at(draft->side_m * rcity_city_between(key, 0, 0.42, 0.58),
                                       draft->side_m * rcity_city_between(key, 1, 0.42, 0.58));
    make_river(&maker);
    make_rings(&maker);
    RCITY_TRY(add_corners(&maker));
    RCITY_TRY(add_boulevards(&maker));
    return fill_quarters(&maker);
}

void rcity_city_plan_deinit(const rcity_city_draft *draft, rcity_city_plan *plan)
{
    rcity_release(draft->context, plan->quarters);
    memset(plan, 0, sizeof *plan);
}

/* Half the width of the street between two quarters. */
static double half_street(const rcity_city_draft *draft, const rcity_city_plan *plan, int a, int b)
{
    const rcity_city_quarter *first = &plan->quarters[a < b ? a : b];
    const rcity_city_quarter *second = &plan->quarters[a < b ? b : a];
    uint64_t key =
        rcity_city_key(rcity_city_key(draft->seed, KEY_STREET), (int64_t)(a < b ? a : b) << 32 | (a < b ? b : a));
    if (first->is_left_bank != second->is_left_bank) {
        return plan->river.half_width_m;
    }
    if (first->zone != second->zone) {
        return 15.0;
    }
    if (first->zone > 0 && first->sector != second->sector) {
        return 13.0;
    }
    return first->zone == 0 ? rcity_city_between(key, 0, 4.5, 6.5) : rcity_city_between(key, 0, 6.5, 8.5);
}

rcity_city_polygon rcity_city_plan_cell(const rcity_city_draft *draft, const rcity_city_plan *plan, int quarter)
{
    double half_side = 0.5 * draft->side_m;
    rcity_city_polygon cell = rcity_city_polygon_rectangle(rcity_city_point_at(half_side, half_side),
                                                           rcity_city_point_at(1.0, 0.0), half_side, half_side, 0.0);
    rcity_city_point at = plan->quarters[quarter].at;
    double reach = HUGE_VAL; /* farthest corner of the cell; quarters twice as far away do not touch it */
    for (int i = 0; i < plan->quarter_count && cell.count > 0; i++) {
        rcity_city_point other = plan->quarters[i].at;
        double distance = rcity_city_point_distance(at, other);
        if (i == quarter || 0.5 * distance > reach) {
            continue;
        }
        rcity_city_half_plane nearer;
        nearer.normal = rcity_city_point_toward(other, at);
        nearer.offset_m = rcity_city_point_dot(nearer.normal, at) - 0.5 * distance;
        rcity_city_polygon_clip(&cell, &nearer, half_street(draft, plan, quarter, i), 0);
        reach = 0.0;
        for (int k = 0; k < cell.count; k++) {
            double corner_distance = rcity_city_point_distance(at, cell.corner[k]);
            reach = corner_distance > reach ? corner_distance : reach;
        }
    }
    return cell;
}
