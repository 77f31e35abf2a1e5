/* Convex polygons: clipping, insets, cleaning. */
#include "scene/city/city_polygon.h"

#include <string.h>

/* Points nearer to a line than this lie on it, and lengths that differ less are equal, so that choices do not depend on
   the last bits. */
#define TOLERANCE_M 1e-7

rcity_city_half_plane rcity_city_half_plane_left(rcity_city_point point, rcity_city_point direction)
{
    rcity_city_half_plane half_plane;
    half_plane.normal = rcity_city_point_left(direction);
    half_plane.offset_m = rcity_city_point_dot(half_plane.normal, point);
    return half_plane;
}

rcity_city_polygon rcity_city_polygon_rectangle(rcity_city_point centre, rcity_city_point axis, double half_length_m,
                                                double half_width_m, double margin_m)
{
    static const double along[4] = {-1.0, 1.0, 1.0, -1.0};
    static const double across[4] = {-1.0, -1.0, 1.0, 1.0};
    rcity_city_polygon polygon;
    memset(&polygon, 0, sizeof polygon);
    polygon.count = 4;
    for (int i = 0; i < 4; i++) {
        rcity_city_point corner = rcity_city_point_move(centre, axis, along[i] * half_length_m);
        polygon.corner[i] = rcity_city_point_move(corner, rcity_city_point_left(axis), across[i] * half_width_m);
        polygon.margin_m[i] = margin_m;
        polygon.source[i] = i;
    }
    return polygon;
}

rcity_city_point rcity_city_polygon_direction(const rcity_city_polygon *polygon, int edge)
{
    return rcity_city_point_toward(polygon->corner[edge], rcity_city_polygon_corner(polygon, edge + 1));
}

double rcity_city_polygon_edge_length(const rcity_city_polygon *polygon, int edge)
{
    return rcity_city_point_distance(polygon->corner[edge], rcity_city_polygon_corner(polygon, edge + 1));
}

double rcity_city_polygon_edge_distance(const rcity_city_polygon *polygon, int edge, rcity_city_point point)
{
    return rcity_city_point_cross(rcity_city_polygon_direction(polygon, edge),
                                  rcity_city_point_subtract(point, polygon->corner[edge]));
}

int rcity_city_polygon_longest_edge(const rcity_city_polygon *polygon)
{
    int longest = 0;
    for (int i = 1; i < polygon->count; i++) {
        if (rcity_city_polygon_edge_length(polygon, i) >
            rcity_city_polygon_edge_length(polygon, longest) + TOLERANCE_M) {
            longest = i;
        }
    }
    return longest;
}

double rcity_city_polygon_area(const rcity_city_polygon *polygon)
{
    double twice = 0.0;
    for (int i = 1; i + 1 < polygon->count; i++) {
        twice += rcity_city_point_cross(rcity_city_point_subtract(polygon->corner[i], polygon->corner[0]),
                                        rcity_city_point_subtract(polygon->corner[i + 1], polygon->corner[0]));
    }
    return 0.5 * twice;
}

rcity_city_point rcity_city_polygon_centroid(const rcity_city_polygon *polygon)
{
    rcity_city_point sum = {0.0, 0.0};
    double weight_sum = 0.0;
    for (int i = 1; i + 1 < polygon->count; i++) {
        rcity_city_point a = rcity_city_point_subtract(polygon->corner[i], polygon->corner[0]);
        rcity_city_point b = rcity_city_point_subtract(polygon->corner[i + 1], polygon->corner[0]);
        double weight = rcity_city_point_cross(a, b);
        sum = rcity_city_point_move(sum, rcity_city_point_add(a, b), weight / 3.0);
        weight_sum += weight;
    }
    if (weight_sum <= 0.0) {
        return polygon->corner[0];
    }
    return rcity_city_point_move(polygon->corner[0], sum, 1.0 / weight_sum);
}

bool rcity_city_polygon_contains(const rcity_city_polygon *polygon, rcity_city_point point)
{
    for (int i = 0; i < polygon->count; i++) {
        if (rcity_city_polygon_edge_distance(polygon, i, point) < 0.0) {
            return false;
        }
    }
    return polygon->count > 0;
}

void rcity_city_polygon_extent(const rcity_city_polygon *polygon, rcity_city_point direction, double *low_m,
                               double *high_m)
{
    *low_m = HUGE_VAL;
    *high_m = -HUGE_VAL;
    for (int i = 0; i < polygon->count; i++) {
        double at = rcity_city_point_dot(polygon->corner[i], direction);
        *low_m = at < *low_m ? at : *low_m;
        *high_m = at > *high_m ? at : *high_m;
    }
}

double rcity_city_polygon_width(const rcity_city_polygon *polygon)
{
    double width = HUGE_VAL;
    for (int i = 0; i < polygon->count; i++) {
        double low, high;
        rcity_city_polygon_extent(polygon, rcity_city_point_left(rcity_city_polygon_direction(polygon, i)), &low,
                                  &high);
        width = high - low < width ? high - low : width;
    }
    return polygon->count == 0 ? 0.0 : width;
}

static void remove_corner(rcity_city_polygon *polygon, int index)
{
    polygon->count--;
    for (int i = index; i < polygon->count; i++) {
        polygon->corner[i] = polygon->corner[i + 1];
        polygon->margin_m[i] = polygon->margin_m[i + 1];
        polygon->source[i] = polygon->source[i + 1];
    }
}

static void push_corner(rcity_city_polygon *polygon, rcity_city_point corner, double margin_m, int source)
{
    polygon->corner[polygon->count] = corner;
    polygon->margin_m[polygon->count] = margin_m;
    polygon->source[polygon->count] = source;
    polygon->count++;
}

void rcity_city_polygon_clip(rcity_city_polygon *polygon, const rcity_city_half_plane *half_plane, double margin_m,
                             int source)
{
    rcity_city_polygon kept;
    kept.count = 0;
    for (int i = 0; i < polygon->count && kept.count + 2 < RCITY_CITY_CORNER_MAX; i++) {
        rcity_city_point a = polygon->corner[i];
        rcity_city_point b = rcity_city_polygon_corner(polygon, i + 1);
        double distance_a = rcity_city_half_plane_distance(half_plane, a);
        double distance_b = rcity_city_half_plane_distance(half_plane, b);
        bool has_a = distance_a >= -TOLERANCE_M;
        bool has_b = distance_b >= -TOLERANCE_M;
        if (has_a) {
            push_corner(&kept, a, polygon->margin_m[i], polygon->source[i]);
        }
        if (has_a != has_b) {
            double fraction = distance_a / (distance_a - distance_b);
            rcity_city_point crossing = rcity_city_point_move(a, rcity_city_point_subtract(b, a), fraction);
            push_corner(&kept, crossing, has_a ? margin_m : polygon->margin_m[i], has_a ? source : polygon->source[i]);
        }
    }
    for (int i = kept.count - 1; i >= 0 && kept.count >= 3; i--) {
        if (rcity_city_polygon_edge_length(&kept, i) < 10.0 * TOLERANCE_M) {
            remove_corner(&kept, i);
        }
    }
    if (kept.count < 3) {
        kept.count = 0;
    }
    polygon->count = kept.count;
    memcpy(polygon->corner, kept.corner, (size_t)kept.count * sizeof kept.corner[0]);
    memcpy(polygon->margin_m, kept.margin_m, (size_t)kept.count * sizeof kept.margin_m[0]);
    memcpy(polygon->source, kept.source, (size_t)kept.count * sizeof kept.source[0]);
}

static rcity_city_polygon move_edges(const rcity_city_polygon *polygon, double margin_factor, double extra_m)
{
    rcity_city_polygon inner = *polygon;
    for (int i = 0; i < polygon->count; i++) {
        inner.source[i] = i;
    }
    for (int i = 0; i < polygon->count && inner.count > 0; i++) {
        double distance_m = margin_factor * polygon->margin_m[i] + extra_m;
        rcity_city_half_plane half_plane =
            rcity_city_half_plane_left(polygon->corner[i], rcity_city_polygon_direction(polygon, i));
        half_plane.offset_m += distance_m;
        rcity_city_polygon_clip(&inner, &half_plane, polygon->margin_m[i], i);
    }
    return inner;
}

rcity_city_polygon rcity_city_polygon_inset(const rcity_city_polygon *polygon, double extra_m)
{
    return move_edges(polygon, 1.0, extra_m);
}

rcity_city_polygon rcity_city_polygon_shrink(const rcity_city_polygon *polygon, double distance_m)
{
    return move_edges(polygon, 0.0, distance_m);
}

double rcity_city_polygon_cosine(const rcity_city_polygon *polygon, int corner)
{
    int before = (corner + polygon->count - 1) % polygon->count;
    return -rcity_city_point_dot(rcity_city_polygon_direction(polygon, before),
                                 rcity_city_polygon_direction(polygon, corner));
}

void rcity_city_polygon_chamfer(rcity_city_polygon *polygon, double cosine_min, double chord_m)
{
    rcity_city_polygon whole = *polygon;
    for (int i = 0; i < whole.count && polygon->count > 0; i++) {
        double cosine = rcity_city_polygon_cosine(&whole, i);
        if (cosine <= cosine_min) {
            continue;
        }
        rcity_city_point after = rcity_city_polygon_direction(&whole, i);
        rcity_city_point before = rcity_city_polygon_direction(&whole, (i + whole.count - 1) % whole.count);
        double length = chord_m / sqrt(2.0 - 2.0 * cosine); /* of two equal sides, by the law of cosines */
        rcity_city_half_plane kept;
        kept.normal = rcity_city_point_unit(after.x - before.x, after.y - before.y);
        kept.offset_m = rcity_city_point_dot(kept.normal, rcity_city_point_move(whole.corner[i], after, length));
        rcity_city_polygon_clip(polygon, &kept, whole.margin_m[i], -1);
    }
}

static int find_shortest_edge(const rcity_city_polygon *polygon)
{
    int shortest = 0;
    for (int i = 1; i < polygon->count; i++) {
        if (rcity_city_polygon_edge_length(polygon, i) <
            rcity_city_polygon_edge_length(polygon, shortest) - TOLERANCE_M) {
            shortest = i;
        }
    }
    return shortest;
}

void rcity_city_polygon_simplify(rcity_city_polygon *polygon, double edge_min_m)
{
    while (polygon->count > 3) {
        int shortest = find_shortest_edge(polygon);
        if (rcity_city_polygon_edge_length(polygon, shortest) >= edge_min_m - TOLERANCE_M) {
            return;
        }
        /* Remove the flatter of its two corners: less is lost. */
        int next = (shortest + 1) % polygon->count;
        double excess = rcity_city_polygon_cosine(polygon, next) - rcity_city_polygon_cosine(polygon, shortest);
        remove_corner(polygon, excess > TOLERANCE_M ? shortest : next);
    }
}
