/* A beam seen from its source: directions as numbers from 0 on its right edge to 1 on its left edge, nearness as 1 over
   the distance forward. A straight wall is a straight line in these two, so walls that do not cross are compared, and
   clipped, by linear interpolation. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAM_FRAME_H
#define RCITY_METHOD_BEAMS_TREE_BEAM_FRAME_H

#include <math.h>
#include <stdbool.h>

#include "scene/facets/plan_tree.h"

static inline double rcity_beam_lesser(double a, double b) /* fmin() is a call */
{
    return a < b ? a : b;
}

static inline double rcity_beam_greater(double a, double b)
{
    return a > b ? a : b;
}

#define RCITY_BEAM_NEARNESS_MAX 1e12 /* 1 / m: of the source itself */

/* A point of a beam: where it lies across the opening, and how near. */
typedef struct rcity_beam_view {
    double across;
    double nearness; /* 1 / m */
} rcity_beam_view;

/* A straight line of the plan as a beam sees it: nearness = at_right + slope * across. */
typedef struct rcity_beam_line {
    double at_right, slope;
} rcity_beam_line;

typedef struct rcity_beam_frame {
    double x, y;           /* the source */
    double axis_x, axis_y; /* unit vector in the middle of the opening */
    double right, scale;   /* tangent of the right edge; across per tangent */
    double width;          /* tangents across */
    rcity_beam_line base;  /* where the beam begins */
} rcity_beam_frame;

/* A place along the axis and to the left of it, in metres from the source. */
typedef struct rcity_beam_offset {
    double forward, left;
} rcity_beam_offset;

static inline rcity_beam_offset rcity_beam_frame_offset(const rcity_beam_frame *frame, double x, double y)
{
    double dx = x - frame->x;
    double dy = y - frame->y;
    return (rcity_beam_offset){frame->axis_x * dx + frame->axis_y * dy, frame->axis_x * dy - frame->axis_y * dx};
}

/* Less than 0 right of the right edge. */
static inline double rcity_beam_frame_from_right(const rcity_beam_frame *frame, rcity_beam_offset at)
{
    return at.left - frame->right * at.forward;
}

/* Less than 0 left of the left edge. */
static inline double rcity_beam_frame_from_left(const rcity_beam_frame *frame, rcity_beam_offset at)
{
    return (frame->right + frame->width) * at.forward - at.left;
}

static inline rcity_beam_view rcity_beam_frame_view(const rcity_beam_frame *frame, rcity_beam_offset at)
{
    double nearness = 1.0 / at.forward;
    return (rcity_beam_view){(at.left * nearness - frame->right) * frame->scale, nearness};
}

static inline rcity_beam_line rcity_beam_line_through(rcity_beam_view a, rcity_beam_view b)
{
    double slope = (b.nearness - a.nearness) / (b.across - a.across);
    return (rcity_beam_line){a.nearness - slope * a.across, slope};
}

static inline double rcity_beam_line_at(rcity_beam_line line, double across)
{
    return line.at_right + line.slope * across;
}

/* How far from the source a line is between two directions, at least: the least distance forward on the shortest way
   there for each metre forward. */
static inline double rcity_beam_frame_near_m(const rcity_beam_frame *frame, rcity_beam_line line, double right,
                                             double left)
{
    double at_right = rcity_beam_line_at(line, right);
    double at_left = rcity_beam_line_at(line, left);
    double from = frame->right + right / frame->scale;
    double to = frame->right + left / frame->scale;
    double aside = from > 0.0 ? from : to < 0.0 ? -to : 0.0;
    double nearness = at_right > at_left ? at_right : at_left;
    return nearness > 0.0 ? sqrt(1.0 + aside * aside) / nearness : 0.0;
}

/* And at most: the length to a straight line is largest at an end. */
static inline double rcity_beam_frame_far_m(const rcity_beam_frame *frame, rcity_beam_line line, double right,
                                            double left)
{
    double from = frame->right + right / frame->scale;
    double to = frame->right + left / frame->scale;
    double at_right = rcity_beam_line_at(line, right);
    double at_left = rcity_beam_line_at(line, left);
    if (!(at_right > 0.0 && at_left > 0.0)) {
        return HUGE_VAL;
    }
    double right_m = sqrt(1.0 + from * from) / at_right;
    double left_m = sqrt(1.0 + to * to) / at_left;
    return right_m > left_m ? right_m : left_m;
}

/* The line of a wall's plane, normal . p = offset in plan. */
static inline rcity_beam_line rcity_beam_frame_plane(const rcity_beam_frame *frame, double normal_x, double normal_y,
                                                     double offset)
{
    /* along a direction it lies at (offset - n . source) / (n . direction) */
    double distance = offset - normal_x * frame->x - normal_y * frame->y;
    double ahead = normal_x * frame->axis_x + normal_y * frame->axis_y;
    double aside = normal_y * frame->axis_x - normal_x * frame->axis_y;
    return (rcity_beam_line){(ahead + frame->right * aside) / distance, aside / (frame->scale * distance)};
}

/* The place in a direction at a nearness. */
static inline void rcity_beam_frame_place(const rcity_beam_frame *frame, double across, double nearness, double *x,
                                          double *y)
{
    double forward = 1.0 / nearness;
    double left = (frame->right + across / frame->scale) * forward;
    *x = frame->x + forward * frame->axis_x - left * frame->axis_y;
    *y = frame->y + forward * frame->axis_y + left * frame->axis_x;
}

/* The angle between two directions of a beam, in radians. */
static inline double rcity_beam_frame_angle(const rcity_beam_frame *frame, double from, double to)
{
    return atan(frame->right + to / frame->scale) - atan(frame->right + from / frame->scale);
}

/* The length of a vector; hypot() is a call, whose cost is noticeable in trees of beams. */
static inline double rcity_beam_length_m(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* The beam from a source through a window, whose right and left ends as seen from the source are given. Its opening is
   less than half a turn. Without a window of its own, as at a source, `is_bounded` is false. @return false when the
   window has no width, or touches the source. */
static inline bool rcity_beam_frame_init(double x, double y, const rcity_plan_segment *window, bool is_bounded,
                                         rcity_beam_frame *frame)
{
    double right_x = window->x1 - x;
    double right_y = window->y1 - y;
    double left_x = window->x2 - x;
    double left_y = window->y2 - y;
    double right_m = rcity_beam_length_m(right_x, right_y);
    double left_m = rcity_beam_length_m(left_x, left_y);
    if (!(right_m > 1e-9 && left_m > 1e-9) || !(right_x * left_y - right_y * left_x > 0.0)) {
        return false;
    }
    double axis_x = right_x / right_m + left_x / left_m;
    double axis_y = right_y / right_m + left_y / left_m;
    double axis = rcity_beam_length_m(axis_x, axis_y);
    if (!(axis > 1e-9)) {
        return false;
    }
    *frame = (rcity_beam_frame){x, y, axis_x / axis, axis_y / axis, 0.0, 0.0, 0.0, {RCITY_BEAM_NEARNESS_MAX, 0.0}};
    rcity_beam_offset right = rcity_beam_frame_offset(frame, window->x1, window->y1);
    rcity_beam_offset left = rcity_beam_frame_offset(frame, window->x2, window->y2);
    frame->right = right.left / right.forward;
    frame->width = left.left / left.forward - frame->right;
    frame->scale = 1.0 / frame->width;
    if (is_bounded) {
        frame->base = (rcity_beam_line){1.0 / right.forward, 1.0 / left.forward - 1.0 / right.forward};
    }
    return frame->scale > 0.0 && isfinite(frame->scale);
}

#endif
