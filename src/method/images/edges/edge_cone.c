/* The cone test: bounds of a sum of a linear function and a distance, which is convex. */
#include "method/images/edges/edge_cone.h"

#include <math.h>

#define TINY_M 1e-12 /* keeps divisors above 0 */
#define RIM_M  1e-3  /* the path may pass the edge this far beyond its ends: far more than rounding */

rcity_edge_cone rcity_edge_cone_level(rcity_plan_segment s, double z)
{
    double dx = s.x2 - s.x1;
    double dy = s.y2 - s.y1;
    double length = sqrt(dx * dx + dy * dy);
    rcity_edge_cone cone = {{s.x1, s.y1, z}, 1.0, 0.0, 0.0, false, 0.0, 0.0};
    if (length > RIM_M) {
        cone.along_x = dx / length;
        cone.along_y = dy / length;
        cone.length = length;
    }
    return cone;
}

rcity_edge_cone rcity_edge_cone_vertical(rcity_place3 low, double length)
{
    rcity_edge_cone cone = {low, 0.0, 0.0, length, true, 0.0, 0.0};
    return cone;
}

void rcity_edge_cone_set_eye(rcity_edge_cone *cone, rcity_place3 eye)
{
    double dx = eye.x - cone->origin.x;
    double dy = eye.y - cone->origin.y;
    double dz = eye.z - cone->origin.z;
    if (cone->is_vertical) {
        cone->eye_u = dz;
        cone->eye_off = sqrt(dx * dx + dy * dy);
        return;
    }
    double across = dy * cone->along_x - dx * cone->along_y;
    cone->eye_u = dx * cone->along_x + dy * cone->along_y;
    cone->eye_off = sqrt(across * across + dz * dz);
}

/* What is known about the places of a target: u and the largest distance at both ends, and the least distance. Where
   they exist, also distances at both ends whose linear mean never exceeds the true distance. */
typedef struct cone_target {
    double u[2], off_most[2];
    double off_least;
    double chord[2];
    bool has_chord;
} cone_target;

/* The largest value of slope * off + eye_off * (u - at) over the target, for any sign of the slope. */
static double most_of(const cone_target *t, double slope, double eye_off, double at)
{
    if (slope >= 0.0) {
        return rcity_larger(slope * t->off_most[0] + eye_off * (t->u[0] - at),
                            slope * t->off_most[1] + eye_off * (t->u[1] - at));
    }
    double most = slope * t->off_least + eye_off * (rcity_larger(t->u[0], t->u[1]) - at);
    if (t->has_chord) {
        most = rcity_smaller(most, rcity_larger(slope * t->chord[0] + eye_off * (t->u[0] - at),
                                                slope * t->chord[1] + eye_off * (t->u[1] - at)));
    }
    return most;
}

static bool reaches(const rcity_edge_cone *cone, const cone_target *t)
{
    /* the path passes at or after the first end: (eye_u - from) off + eye_off (u - from) >= 0 somewhere */
    double from = -RIM_M;
    if (most_of(t, cone->eye_u - from, cone->eye_off, from) < 0.0) {
        return false;
    }
    /* the path passes at or before the other end: the same condition, reversed */
    double to = cone->length + RIM_M;
    cone_target turned = *t;
    turned.u[0] = -t->u[0];
    turned.u[1] = -t->u[1];
    return most_of(&turned, to - cone->eye_u, cone->eye_off, -to) >= 0.0;
}

/* The least distance from the origin to the segment between two places of a plane. */
static double least_distance(double x0, double y0, double x1, double y1)
{
    double dx = x1 - x0;
    double dy = y1 - y0;
    double square = dx * dx + dy * dy;
    double part = square > 0.0 ? rcity_smaller(rcity_larger(-(x0 * dx + y0 * dy) / square, 0.0), 1.0) : 0.0;
    double x = x0 + part * dx;
    double y = y0 + part * dy;
    return sqrt(x * x + y * y);
}

static cone_target aim(const rcity_edge_cone *cone, const rcity_plan_segment *s, double z_low, double z_high)
{
    double dx[2] = {s->x1 - cone->origin.x, s->x2 - cone->origin.x};
    double dy[2] = {s->y1 - cone->origin.y, s->y2 - cone->origin.y};
    double low = z_low - cone->origin.z;
    double high = z_high - cone->origin.z;
    if (cone->is_vertical) {
        double most = sqrt(rcity_larger(dx[0] * dx[0] + dy[0] * dy[0], dx[1] * dx[1] + dy[1] * dy[1]));
        return (cone_target){{low, high}, {most, most}, least_distance(dx[0], dy[0], dx[1], dy[1]), {0.0, 0.0}, false};
    }
    cone_target t;
    double rise_most = rcity_larger(fabs(low), fabs(high));
    double rise_least = low <= 0.0 && high >= 0.0 ? 0.0 : rcity_smaller(fabs(low), fabs(high));
    double across[2];
    for (int i = 0; i < 2; i++) {
        t.u[i] = dx[i] * cone->along_x + dy[i] * cone->along_y;
        across[i] = dy[i] * cone->along_x - dx[i] * cone->along_y;
        t.chord[i] = fabs(across[i]);
        t.off_most[i] = sqrt(across[i] * across[i] + rise_most * rise_most);
    }
    t.has_chord = (across[0] > 0.0) == (across[1] > 0.0);
    double across_least = t.has_chord ? rcity_smaller(t.chord[0], t.chord[1]) : 0.0;
    t.off_least = sqrt(across_least * across_least + rise_least * rise_least);
    return t;
}

bool rcity_edge_cone_meets(const rcity_edge_cone *cone, const rcity_plan_segment *s, double z_low, double z_high)
{
    cone_target t = aim(cone, s, z_low, z_high);
    return cone->length == 0.0 || reaches(cone, &t);
}

bool rcity_edge_cone_narrow(const rcity_edge_cone *cone, const rcity_plan_segment *s, double z_low, double z_high,
                            double *from, double *to)
{
    cone_target t = aim(cone, s, z_low, z_high);
    *from = 0.0;
    *to = 1.0;
    if (cone->length == 0.0) {
        return true;
    }
    if (!reaches(cone, &t)) {
        return false;
    }
    /* The path passes at a weighted mean of the places of eye and target along the edge; the nearer one has the larger
       weight. The mean is extreme where both are. */
    double share_least = cone->eye_off / (cone->eye_off + rcity_larger(t.off_most[0], t.off_most[1]) + TINY_M);
    double share_most = cone->eye_off / (cone->eye_off + t.off_least + TINY_M);
    double low = rcity_smaller(t.u[0], t.u[1]) - cone->eye_u;
    double high = rcity_larger(t.u[0], t.u[1]) - cone->eye_u;
    double first = cone->eye_u + low * (low < 0.0 ? share_most : share_least);
    double last = cone->eye_u + high * (high > 0.0 ? share_most : share_least);
    *from = rcity_smaller(rcity_larger((first - RIM_M) / cone->length, 0.0), 1.0);
    *to = rcity_smaller(rcity_larger((last + RIM_M) / cone->length, 0.0), 1.0);
    return true;
}

bool rcity_edge_cone_meets_box(const rcity_edge_cone *cone, const rcity_plan_tree_node *box, double z_low,
                               double z_high)
{
    if (cone->length == 0.0 || cone->is_vertical) {
        return true;
    }
    double low = z_low - cone->origin.z;
    double high = z_high - cone->origin.z;
    double rise_most = rcity_larger(fabs(low), fabs(high));
    double rise_least = low <= 0.0 && high >= 0.0 ? 0.0 : rcity_smaller(fabs(low), fabs(high));
    /* the box in the edge's frame: its centre and half its extent in each direction */
    double half_x = 0.5 * ((double)box->x_max - (double)box->x_min);
    double half_y = 0.5 * ((double)box->y_max - (double)box->y_min);
    double dx = (double)box->x_min + half_x - cone->origin.x;
    double dy = (double)box->y_min + half_y - cone->origin.y;
    double u = dx * cone->along_x + dy * cone->along_y;
    double half_u = half_x * fabs(cone->along_x) + half_y * fabs(cone->along_y);
    double across = fabs(dy * cone->along_x - dx * cone->along_y);
    double half_across = half_x * fabs(cone->along_y) + half_y * fabs(cone->along_x);
    double across_least = rcity_larger(across - half_across, 0.0);
    double off_most = sqrt((across + half_across) * (across + half_across) + rise_most * rise_most);
    cone_target t = {{u - half_u, u + half_u},
                     {off_most, off_most},
                     sqrt(across_least * across_least + rise_least * rise_least),
                     {0.0, 0.0},
                     false};
    return reaches(cone, &t);
}
