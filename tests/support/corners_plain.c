#include "corners_plain.h"

#include <math.h>

#include "scene/place/terrain.h"
#include "scene/shape/prism.h"

static double turn(rcity_grid_point3 a, rcity_grid_point3 b, rcity_grid_point3 c)
{
    double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    return fabs(atan2(ux * vy - uy * vx, ux * vx + uy * vy));
}

static double path_m(const corners_plain *s, rcity_grid_point3 a, rcity_grid_point3 b)
{
    return hypot((double)b.x - a.x, (double)b.y - a.y) / s->shapes->units_per_m;
}

/* Is a place a little way along a wall from one of its ends, and a little off it, outside of all buildings that the
   receivers do not look over? */
static bool is_open(const corners_plain *s, int32_t ground, rcity_grid_point end, rcity_grid_point other)
{
    double dx = other.x - end.x, dy = other.y - end.y, length = hypot(dx, dy);
    dx /= length;
    dy /= length;
    for (int side = -1; side <= 1; side += 2) { /* inside on one side: open is the other */
        rcity_grid_point at = {(int32_t)lround(end.x + 10.0 * dx - 5.0 * side * dy),
                               (int32_t)lround(end.y + 10.0 * dy + 5.0 * side * dx)};
        bool is_free = true;
        for (int64_t p = 0; p < s->shapes->prism_count; p++) {
            const rcity_prism *prism = &s->shapes->prisms[p];
            is_free = is_free && (prism->roof - ground <= s->low_level ||
                                  rcity_prism_locate(s->shapes, prism, at) == RCITY_PLACE_OUTSIDE);
        }
        if (is_free) {
            return true;
        }
    }
    return false;
}

/* Is a wave from a place diffracted at a corner: one wall faces the place, the other turns away, and the line is free?
   The solid lies to the left of its walls: a source to the left sees a wall's back. */
static bool edges(const corners_plain *s, rcity_grid_point3 from, const rcity_grid_point *corner,
                  rcity_grid_point3 next)
{
    rcity_grid_point before = corner[0], at = corner[1], after = corner[2];
    double back_in = ((double)at.x - before.x) * ((double)from.y - before.y) -
                     ((double)at.y - before.y) * ((double)from.x - before.x);
    double back_out =
        ((double)after.x - at.x) * ((double)from.y - at.y) - ((double)after.y - at.y) * ((double)from.x - at.x);
    bool is_own = at.x == from.x && at.y == from.y;
    return !is_own && (back_in > 0.0) != (back_out > 0.0) && rcity_sight_is_free(s->sight, from, next);
}

/* Of a chain so far: its places, the source first, and the outlines of its corners, which the source has none of. */
typedef struct plain_chain {
    rcity_grid_point3 places[8];
    rcity_grid_point corners[8][3];
    int count;
} plain_chain;

static void add_paths(corners_plain *s, const plain_chain *chain)
{
    const rcity_grid_point3 *places = chain->places;
    int count = chain->count;
    for (int64_t i = 0; count > 1 && i < s->receiver_count; i++) {
        rcity_grid_point3 at = s->receivers[i];
        if (rcity_sight_is_free(s->sight, places[0], at) ||
            !edges(s, at, chain->corners[count - 1], places[count - 1]) ||
            (count > 2 && edges(s, at, chain->corners[count - 2], places[count - 2]))) {
            continue;
        }
        corners_plain_path path = {i, 0.0, 0.0, 0.0, turn(places[count - 2], places[count - 1], at)};
        for (int k = 1; k < count; k++) {
            path.length_m += path_m(s, places[k - 1], places[k]);
            if (k + 1 < count) {
                double angle = turn(places[k - 1], places[k], places[k + 1]);
                path.angle_sum += angle;
                path.square_sum += angle * angle;
            }
        }
        path.length_m = hypot(path.length_m + path_m(s, places[count - 1], at), (at.z - places[0].z) / 64.0);
        if (s->path_count == s->path_capacity) {
            s->path_capacity = 2 * s->path_capacity + 1000;
            s->paths = realloc(s->paths, s->path_capacity * sizeof *s->paths);
        }
        s->paths[s->path_count++] = path;
    }
}

/* The first of 2, 4, 8 ... metres over the ground that is above the lower of the two ends, below the roof. */
static int32_t corner_height(const corners_plain *s, const rcity_prism *prism, rcity_grid_point at)
{
    int32_t over = 128;
    for (; over <= s->low_level; over *= 2) {
    }
    const rcity_terrain_grid *terrain = &s->shapes->terrain;
    if (terrain->column_count > 0) {
        over = rcity_terrain_snap_height(terrain, at.x, at.y, rcity_terrain_height(terrain, at.x, at.y) + over);
    }
    return over < prism->roof ? over : prism->roof - 1;
}

static void recurse(corners_plain *s, const plain_chain *chain, int order);

/* Go on by a corner, unless an earlier place sees it. Both ends of a leg between corners diffract what comes along. */
static void extend(corners_plain *s, const rcity_prism *prism, const rcity_grid_point *corner, const plain_chain *chain,
                   int order)
{
    int last = chain->count - 1;
    rcity_grid_point3 next = {corner[1].x, corner[1].y, corner_height(s, prism, corner[1])};
    if (!edges(s, chain->places[last], corner, next) || !is_open(s, prism->ground, corner[1], corner[0]) ||
        !is_open(s, prism->ground, corner[1], corner[2]) ||
        (last > 0 && !edges(s, next, chain->corners[last], chain->places[last]))) {
        return;
    }
    for (int k = 0; k < last; k++) {
        if (edges(s, chain->places[k], corner, next)) {
            return;
        }
    }
    plain_chain longer = *chain;
    longer.places[chain->count] = next;
    memcpy(longer.corners[chain->count], corner, sizeof longer.corners[0]);
    longer.count++;
    recurse(s, &longer, order);
}

/* Light every receiver, and extend the chain by every corner. */
static void recurse(corners_plain *s, const plain_chain *chain, int order)
{
    const rcity_shapes *shapes = s->shapes;
    add_paths(s, chain);
    for (int64_t p = 0; chain->count <= order && p < shapes->prism_count; p++) {
        const rcity_prism *prism = &shapes->prisms[p];
        for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
            int32_t first = shapes->ring_first[ring], end = shapes->ring_first[ring + 1];
            for (int32_t i = first; i < end && prism->roof - prism->ground > s->low_level; i++) {
                rcity_grid_point corner[3] = {shapes->points[i > first ? i - 1 : end - 1], shapes->points[i],
                                              shapes->points[i + 1 < end ? i + 1 : first]};
                extend(s, prism, corner, chain, order);
            }
        }
    }
}

void corners_plain_find(corners_plain *plain, rcity_grid_point3 source, int order)
{
    const rcity_terrain_grid *terrain = &plain->shapes->terrain;
    bool has_ground = terrain->column_count > 0 && rcity_terrain_contains(terrain, source.x, source.y);
    long level = lround(source.z - (has_ground ? rcity_terrain_height(terrain, source.x, source.y) : 0.0));
    plain->low_level = level < plain->level ? (int32_t)level : plain->level;
    plain->path_count = 0;
    plain_chain chain;
    memset(&chain, 0, sizeof chain);
    chain.places[0] = source;
    chain.count = 1;
    recurse(plain, &chain, order);
}

static int compare_paths(const void *left, const void *right)
{
    const corners_plain_path *a = left, *b = right;
    if (a->receiver != b->receiver) {
        return a->receiver < b->receiver ? -1 : 1;
    }
    return (a->length_m > b->length_m) - (a->length_m < b->length_m);
}

void corners_plain_compare(corners_plain *plain, const rcity_corner_paths *corner_paths, const int64_t *numbers)
{
    corners_plain_path *found = calloc(plain->path_count + 1, sizeof *found);
    size_t count = 0;
    for (int64_t receiver = 0; receiver < plain->receiver_count; receiver++) {
        int64_t number = numbers != NULL ? numbers[receiver] : receiver;
        for (size_t i = corner_paths->first[number]; i < corner_paths->first[number + 1]; i++) {
            const rcity_chain_path *path = &corner_paths->paths[i];
            const rcity_shadow_turns *turns = &corner_paths->nodes[path->node].turns;
            if (count < plain->path_count) {
                found[count] =
                    (corners_plain_path){receiver, pow(10.0, (double)path->log_length), (double)turns->angle_sum_rad,
                                         (double)turns->angle_square_sum_rad2, (double)path->angle_rad};
            }
            count++;
        }
    }
    assert_int_equal(count, plain->path_count);
    if (count > 0) {
        qsort(found, count, sizeof *found, compare_paths);
        qsort(plain->paths, count, sizeof *plain->paths, compare_paths);
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(found[i].receiver, plain->paths[i].receiver);
        assert_near(found[i].length_m / plain->paths[i].length_m, 1.0, 1e-5);
    }
    /* paths of one length may stand in either order: their angles as sums */
    double sums[2][3] = {{0.0}};
    for (size_t i = 0; i < count; i++) {
        sums[0][0] += found[i].angle_sum, sums[1][0] += plain->paths[i].angle_sum;
        sums[0][1] += found[i].square_sum, sums[1][1] += plain->paths[i].square_sum;
        sums[0][2] += found[i].last_angle, sums[1][2] += plain->paths[i].last_angle;
    }
    for (int k = 0; k < 3; k++) {
        assert_near(sums[0][k], sums[1][k], 1e-4 * (1.0 + sums[1][k]));
    }
    free(found);
}
