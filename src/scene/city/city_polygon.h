/* Convex polygons in the plan: the cells, blocks and yards that a city is cut from.
   Metres from the city's south-west corner; corners run counter-clockwise. Only +, -, *, / and sqrt are used, so every
   machine gets the same bits. */
#ifndef RCITY_CITY_POLYGON_H
#define RCITY_CITY_POLYGON_H

#include <math.h>
#include <stdbool.h>

#define RCITY_CITY_CORNER_MAX 32

typedef struct rcity_city_point {
    double x, y;
} rcity_city_point;

/* A polygon; empty when count is 0. */
typedef struct rcity_city_polygon {
    int count;
    rcity_city_point corner[RCITY_CITY_CORNER_MAX];
    double margin_m[RCITY_CITY_CORNER_MAX]; /* of the edge that starts there: half the width of its street */
    int source[RCITY_CITY_CORNER_MAX];      /* for that edge: the edge it runs along, set by the inset */
} rcity_city_polygon;

/* The points at distance `offset_m` or more along the unit vector `normal`. */
typedef struct rcity_city_half_plane {
    rcity_city_point normal;
    double offset_m;
} rcity_city_half_plane;

static inline rcity_city_point rcity_city_point_at(double x, double y)
{
    rcity_city_point point = {x, y};
    return point;
}

static inline rcity_city_point rcity_city_point_add(rcity_city_point a, rcity_city_point b)
{
    return rcity_city_point_at(a.x + b.x, a.y + b.y);
}

static inline rcity_city_point rcity_city_point_subtract(rcity_city_point a, rcity_city_point b)
{
    return rcity_city_point_at(a.x - b.x, a.y - b.y);
}

/* a + factor * direction */
static inline rcity_city_point rcity_city_point_move(rcity_city_point a, rcity_city_point direction, double factor)
{
    return rcity_city_point_at(a.x + factor * direction.x, a.y + factor * direction.y);
}

static inline double rcity_city_point_dot(rcity_city_point a, rcity_city_point b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double rcity_city_point_cross(rcity_city_point a, rcity_city_point b)
{
    return a.x * b.y - a.y * b.x;
}

/* A quarter turn to the left. */
static inline rcity_city_point rcity_city_point_left(rcity_city_point a)
{
    return rcity_city_point_at(-a.y, a.x);
}

static inline double rcity_city_point_distance(rcity_city_point a, rcity_city_point b)
{
    rcity_city_point difference = rcity_city_point_subtract(b, a);
    return sqrt(rcity_city_point_dot(difference, difference));
}

/* The unit vector along (x, y), which is not zero. */
static inline rcity_city_point rcity_city_point_unit(double x, double y)
{
    double length = sqrt(x * x + y * y);
    return rcity_city_point_at(x / length, y / length);
}

static inline rcity_city_point rcity_city_point_toward(rcity_city_point from, rcity_city_point to)
{
    return rcity_city_point_unit(to.x - from.x, to.y - from.y);
}

/* The nearest multiple of 1/128 m, where the point enters the scene. */
static inline rcity_city_point rcity_city_point_snap(rcity_city_point point)
{
    return rcity_city_point_at(floor(point.x * 128.0 + 0.5) / 128.0, floor(point.y * 128.0 + 0.5) / 128.0);
}

static inline rcity_city_point rcity_city_polygon_corner(const rcity_city_polygon *polygon, int index)
{
    return polygon->corner[index % polygon->count];
}

static inline double rcity_city_half_plane_distance(const rcity_city_half_plane *half_plane, rcity_city_point point)
{
    return rcity_city_point_dot(half_plane->normal, point) - half_plane->offset_m;
}

/* The side of the line through `point` along the unit vector `direction` that lies on its left. */
rcity_city_half_plane rcity_city_half_plane_left(rcity_city_point point, rcity_city_point direction);

/* A rectangle with one margin on all sides: `half_length_m` along the unit vector `axis`, `half_width_m` across. */
rcity_city_polygon rcity_city_polygon_rectangle(rcity_city_point centre, rcity_city_point axis, double half_length_m,
                                                double half_width_m, double margin_m);

/* Unit vector along the edge that starts at corner `edge`. */
rcity_city_point rcity_city_polygon_direction(const rcity_city_polygon *polygon, int edge);

double rcity_city_polygon_edge_length(const rcity_city_polygon *polygon, int edge);

/* Distance of a point from the line of an edge, positive inside. */
double rcity_city_polygon_edge_distance(const rcity_city_polygon *polygon, int edge, rcity_city_point point);

/* Cosine of the angle inside the polygon at a corner. */
double rcity_city_polygon_cosine(const rcity_city_polygon *polygon, int corner);

int rcity_city_polygon_longest_edge(const rcity_city_polygon *polygon);
double rcity_city_polygon_area(const rcity_city_polygon *polygon);
rcity_city_point rcity_city_polygon_centroid(const rcity_city_polygon *polygon);
bool rcity_city_polygon_contains(const rcity_city_polygon *polygon, rcity_city_point point);

/* The range of a polygon along a direction. */
void rcity_city_polygon_extent(const rcity_city_polygon *polygon, rcity_city_point direction, double *low_m,
                               double *high_m);

/* Width of the narrowest strip that contains the polygon; 0 for an empty one. */
double rcity_city_polygon_width(const rcity_city_polygon *polygon);

/* Keep the part in the half-plane; the edge along its border gets the given margin and source. */
void rcity_city_polygon_clip(rcity_city_polygon *polygon, const rcity_city_half_plane *half_plane, double margin_m,
                             int source);

/* What is left after every edge has moved inward by its margin and `extra_m`. Edges keep their margin; their source is
   the edge of `polygon` that they run along. Empty when nothing is left. */
rcity_city_polygon rcity_city_polygon_inset(const rcity_city_polygon *polygon, double extra_m);

/* The same without the margins. */
rcity_city_polygon rcity_city_polygon_shrink(const rcity_city_polygon *polygon, double distance_m);

/* Cut corners sharper than the angle with this cosine where the tip is `chord_m` wide. The new edge has source -1. */
void rcity_city_polygon_chamfer(rcity_city_polygon *polygon, double cosine_min, double chord_m);

/* Remove edges shorter than `edge_min_m`; the polygon only gets smaller. */
void rcity_city_polygon_simplify(rcity_city_polygon *polygon, double edge_min_m);

#endif
