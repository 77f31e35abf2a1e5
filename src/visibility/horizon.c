/* The horizon: directions in bins, slopes in each. */
#include "visibility/horizon.h"

#include <math.h>

#define SLOPE_MARGIN 1e-9 /* a target that touches the horizon is visible */
#define BIN_MARGIN   1e-6 /* rounding */

void rcity_horizon_init_circle(rcity_horizon *horizon, double x, double y, double z)
{
    horizon->x = x;
    horizon->y = y;
    horizon->z = z;
    horizon->behind_m = 0.0;
    horizon->slope_most = HUGE_VAL;
    horizon->bin_count = RCITY_HORIZON_BINS_MAX;
    horizon->is_circle = true;
    for (int i = 0; i < horizon->bin_count; i++) {
        horizon->slope[i] = -HUGE_VAL;
    }
}

void rcity_horizon_init_window(rcity_horizon *horizon, double x, double y, double z, rcity_plan_segment window)
{
    rcity_horizon_init_circle(horizon, x, y, z);
    horizon->bin_count = 128;
    horizon->is_circle = false;
    horizon->window = window;
}

void rcity_horizon_step_back(rcity_horizon *horizon, double behind_m, double slope_least, double slope_most)
{
    horizon->behind_m = behind_m;
    horizon->slope_most = slope_most;
    for (int i = 0; i < horizon->bin_count; i++) {
        horizon->slope[i] = slope_least;
    }
}

/* A measure of direction that grows with the angle, from 0 to the bin count over a full turn; no trigonometry. */
static double circle_bin(const rcity_horizon *horizon, double x, double y)
{
    double dx = x - horizon->x;
    double dy = y - horizon->y;
    double size = fabs(dx) + fabs(dy);
    double quarter = size > 0.0 ? (dy >= 0.0 ? 1.0 - dx / size : 3.0 + dx / size) : 0.0;
    return quarter * 0.25 * horizon->bin_count;
}

/* Where the line from the source to a place passes the window: 0 at its first end, the bin count at the other end. */
static double window_bin(const rcity_horizon *horizon, double x, double y)
{
    double dx = x - horizon->x;
    double dy = y - horizon->y;
    double from_1 = (horizon->window.x1 - horizon->x) * dy - (horizon->window.y1 - horizon->y) * dx;
    double from_2 = dx * (horizon->window.y2 - horizon->y) - dy * (horizon->window.x2 - horizon->x);
    double whole = from_1 + from_2;
    double part = whole > 0.0 ? from_1 / whole : 0.5;
    return fmin(fmax(part, 0.0), 1.0) * horizon->bin_count;
}

static double nearest(const rcity_horizon *horizon, const rcity_plan_segment *s)
{
    double dx = s->x2 - s->x1;
    double dy = s->y2 - s->y1;
    double square = dx * dx + dy * dy;
    double along = square > 0.0 ? ((horizon->x - s->x1) * dx + (horizon->y - s->y1) * dy) / square : 0.0;
    along = fmin(fmax(along, 0.0), 1.0);
    return hypot(s->x1 + along * dx - horizon->x, s->y1 + along * dy - horizon->y);
}

static double bin_of(const rcity_horizon *horizon, double x, double y)
{
    return horizon->is_circle ? circle_bin(horizon, x, y) : window_bin(horizon, x, y);
}

/* How many bins the slack spans at a place. */
static double slack_bins(const rcity_horizon *horizon, double x, double y, double bin)
{
    double dx = x - horizon->x;
    double dy = y - horizon->y;
    double distance = hypot(dx, dy);
    if (distance <= horizon->slack_m) {
        return horizon->bin_count;
    }
    double off = horizon->slack_m / distance;
    double left = fabs(bin_of(horizon, x - off * dy, y + off * dx) - bin);
    double right = fabs(bin_of(horizon, x + off * dy, y - off * dx) - bin);
    if (horizon->is_circle) { /* across the seam of the circle */
        left = fmin(left, horizon->bin_count - left);
        right = fmin(right, horizon->bin_count - right);
    }
    return fmax(left, right) + BIN_MARGIN;
}

rcity_horizon_extent rcity_horizon_measure(const rcity_horizon *horizon, rcity_plan_segment segment, bool is_open_1,
                                           bool is_open_2, double top, int32_t item)
{
    rcity_horizon_extent extent;
    extent.near_m = nearest(horizon, &segment);
    extent.far_m = fmax(hypot(segment.x1 - horizon->x, segment.y1 - horizon->y),
                        hypot(segment.x2 - horizon->x, segment.y2 - horizon->y));
    double above = top - horizon->z + horizon->slack_m;
    double below = top - horizon->z - horizon->slack_m;
    double near_m = fmax(horizon->behind_m + extent.near_m - horizon->slack_m, 1e-9);
    double far_m = horizon->behind_m + extent.far_m + horizon->slack_m;
    extent.steepest = fmin(above > 0.0 ? above / near_m : above / far_m, horizon->slope_most);
    extent.least = below > 0.0 ? below / far_m : below / near_m;
    extent.item = item;
    double bin_1 = bin_of(horizon, segment.x1, segment.y1);
    double bin_2 = bin_of(horizon, segment.x2, segment.y2);
    double slack_1 = is_open_1 ? 0.0 : slack_bins(horizon, segment.x1, segment.y1, bin_1);
    double slack_2 = is_open_2 ? 0.0 : slack_bins(horizon, segment.x2, segment.y2, bin_2);
    bool is_across = horizon->is_circle && fabs(bin_1 - bin_2) > 0.5 * horizon->bin_count; /* the seam */
    bool starts_at_1 = (bin_1 <= bin_2) != is_across;
    extent.low = starts_at_1 ? bin_1 - slack_1 : bin_2 - slack_2;
    extent.high = starts_at_1 ? bin_2 + slack_2 : bin_1 + slack_1;
    extent.inner_low = starts_at_1 ? bin_1 + slack_1 : bin_2 + slack_2;
    extent.inner_high = starts_at_1 ? bin_2 - slack_2 : bin_1 - slack_1;
    extent.high += is_across ? horizon->bin_count : 0.0;
    extent.inner_high += is_across ? horizon->bin_count : 0.0;
    return extent;
}

static int wrap(const rcity_horizon *horizon, int bin)
{
    if (bin >= horizon->bin_count) {
        return horizon->is_circle ? bin - horizon->bin_count : horizon->bin_count - 1;
    }
    return bin < 0 ? (horizon->is_circle ? bin + horizon->bin_count : 0) : bin;
}

void rcity_horizon_raise(rcity_horizon *horizon, const rcity_horizon_extent *wall)
{
    if (wall->near_m < 1e-3) {
        return; /* a source that stands at it sees it in no definite direction */
    }
    int first = (int)ceil(wall->inner_low - BIN_MARGIN * BIN_MARGIN);
    int last = (int)floor(wall->inner_high + BIN_MARGIN * BIN_MARGIN) - 1;
    for (int bin = first; bin <= last; bin++) {
        double *slope = &horizon->slope[wrap(horizon, bin)];
        *slope = fmax(*slope, wall->least);
    }
}

bool rcity_horizon_hides(const rcity_horizon *horizon, const rcity_horizon_extent *target)
{
    int first = (int)floor(target->low);
    int last = (int)floor(target->high);
    last = last - first < horizon->bin_count ? last : first + horizon->bin_count - 1;
    for (int bin = first; bin <= last; bin++) {
        double slope = horizon->slope[wrap(horizon, bin)];
        if (!(target->steepest < slope - SLOPE_MARGIN * (1.0 + fabs(slope)))) {
            return false;
        }
    }
    return true;
}

/* Directions of a box: those of its corners, all within half a turn of its centre since the source lies outside. */
static void bound_directions(const rcity_horizon *horizon, const rcity_plan_tree_node *box,
                             rcity_horizon_extent *extent)
{
    const double x[2] = {(double)box->x_min - horizon->slack_m, (double)box->x_max + horizon->slack_m};
    const double y[2] = {(double)box->y_min - horizon->slack_m, (double)box->y_max + horizon->slack_m};
    double middle = bin_of(horizon, 0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1]));
    bool is_all = horizon->x >= x[0] && horizon->x <= x[1] && horizon->y >= y[0] && horizon->y <= y[1];
    extent->low = middle;
    extent->high = middle;
    for (int i = 0; i < 4 && !is_all; i++) {
        double bin = bin_of(horizon, x[i & 1], y[i >> 1]);
        if (horizon->is_circle) {
            bin += bin - middle > 0.5 * horizon->bin_count    ? -horizon->bin_count
                   : bin - middle < -0.5 * horizon->bin_count ? horizon->bin_count
                                                              : 0.0;
        } else { /* a corner behind the source has no direction through the window */
            double dx = x[i & 1] - horizon->x;
            double dy = y[i >> 1] - horizon->y;
            is_all =
                dx * (horizon->window.y2 - horizon->window.y1) - dy * (horizon->window.x2 - horizon->window.x1) <= 0.0;
        }
        extent->low = fmin(extent->low, bin);
        extent->high = fmax(extent->high, bin);
    }
    extent->low = is_all ? 0.0 : extent->low - BIN_MARGIN;
    extent->high = is_all ? horizon->bin_count : extent->high + BIN_MARGIN;
}

rcity_horizon_extent rcity_horizon_measure_box(const rcity_horizon *horizon, const rcity_plan_tree_node *box)
{
    rcity_horizon_extent extent;
    double dx = fmax(fmax((double)box->x_min - horizon->x, horizon->x - (double)box->x_max), 0.0);
    double dy = fmax(fmax((double)box->y_min - horizon->y, horizon->y - (double)box->y_max), 0.0);
    double far_x = fmax(fabs((double)box->x_min - horizon->x), fabs((double)box->x_max - horizon->x));
    double far_y = fmax(fabs((double)box->y_min - horizon->y), fabs((double)box->y_max - horizon->y));
    double above = (double)box->top - horizon->z + horizon->slack_m;
    extent.near_m = hypot(dx, dy);
    extent.far_m = hypot(far_x, far_y);
    extent.steepest = above > 0.0 ? above / fmax(horizon->behind_m + extent.near_m - horizon->slack_m, 1e-9)
                                  : above / (horizon->behind_m + extent.far_m + horizon->slack_m);
    extent.steepest = fmin(extent.steepest, horizon->slope_most);
    extent.least = -HUGE_VAL;
    extent.inner_low = 0.0;
    extent.inner_high = 0.0;
    extent.item = -1;
    bound_directions(horizon, box, &extent);
    return extent;
}
