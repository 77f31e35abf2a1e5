/* What stands above the horizon of a source. Seen from a point, each direction of the plan has a horizon: the steepest
   slope (rise over distance) of the walls nearer than a target. A target whose steepest slope lies below the horizon in
   all of its directions is hidden, and so is everything lower at its place, since every ray that reaches that is lower
   all along. The test is conservative: a wall counts only in bins of directions that it fills, a target in all bins
   that it reaches into. A leg is tested between points that are moved off their surfaces and snapped to the grid, by at
   most the slack: walls count as smaller by the slack, targets as larger. So nothing that a leg can reach is ever
   called hidden. */
#ifndef RCITY_VISIBILITY_HORIZON_H
#define RCITY_VISIBILITY_HORIZON_H

#include "scene/facets/plan_tree.h"
#include "scene/shapes.h"

#define RCITY_HORIZON_BINS_MAX 4096

/* The slack of a scene's grid: 30 mm where it has 128 units a metre. */
static inline double rcity_horizon_slack_m(const rcity_shapes *shapes)
{
    return 3.84 / shapes->units_per_m;
}

/* An object of the plan as seen from a source. */
typedef struct rcity_horizon_extent {
    double near_m, far_m; /* distances in plan */
    double low, high;     /* directions, in bins, with the slack; high may exceed the bin count where a circle closes */
    double inner_low, inner_high; /* the same less the slack; empty where low is high or more */
    double steepest, least;       /* slopes of its top along its length */
    int32_t item;
} rcity_horizon_extent;

/* The directions of a source: all around, or through a window. */
typedef struct rcity_horizon {
    double x, y, z;    /* the source; z its highest point, or that of the eye behind it */
    double behind_m;   /* how far behind the source the eye is: at a vertical edge rays keep their slope */
    double slope_most; /* the steepest of all */
    double slack_m;    /* set once, before the first source */
    int bin_count;
    bool is_circle;
    rcity_plan_segment window;
    double slope[RCITY_HORIZON_BINS_MAX];
} rcity_horizon;

void rcity_horizon_init_circle(rcity_horizon *horizon, double x, double y, double z);

/* Call it afterwards: put the eye behind the source, whose rays have slopes between these two only. Slopes are then
   measured from the eye. */
void rcity_horizon_step_back(rcity_horizon *horizon, double behind_m, double slope_least, double slope_most);

/* Through a window, seen from behind: its first end is on the right. */
void rcity_horizon_init_window(rcity_horizon *horizon, double x, double y, double z, rcity_plan_segment window);

/* A segment (or point) that lies wholly within the directions, with its top. An end is open where the object continues
   beyond the directions by more than the slack: there it fills them to their border. */
rcity_horizon_extent rcity_horizon_measure(const rcity_horizon *horizon, rcity_plan_segment segment, bool is_open_1,
                                           bool is_open_2, double top, int32_t item);

/* The part of a box of the plan that lies within the directions. `top` is the highest top in the box. */
rcity_horizon_extent rcity_horizon_measure_box(const rcity_horizon *horizon, const rcity_plan_tree_node *box);

/* Does the horizon hide the target? The horizon must contain no wall that is not wholly nearer. */
bool rcity_horizon_hides(const rcity_horizon *horizon, const rcity_horizon_extent *target);

/* A wall raises the horizon for everything beyond its far end. */
void rcity_horizon_raise(rcity_horizon *horizon, const rcity_horizon_extent *wall);

#endif
