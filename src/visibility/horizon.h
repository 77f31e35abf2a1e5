/* What stands above the horizon of a source. Seen from a point, each direction of the plan has a horizon: the steepest
   slope (rise over distance) that walls nearer than a target put up. A target whose steepest slope lies below the
   horizon in all of its directions is hidden, and so is everything lower at its place, for every ray that reaches it is
   lower all along its way. Conservative: bins of directions count a wall only where it fills them, and targets wherever
   they reach into one. A leg is tested between points that are moved off their surfaces and snapped to the grid, up to
   the slack from where they are: walls count as smaller by it, targets as larger. So nothing that a leg can reach is
   ever called hidden. */
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

/* A thing of the plan as a source sees it. */
typedef struct rcity_outlook {
    double near_m, far_m; /* distances in plan */
    double low, high; /* directions, in bins, the slack included; high may pass the bin count where a circle closes */
    double inner_low, inner_high; /* the same with the slack taken off; nothing where low is high or more */
    double steepest, least;       /* slopes of its top over its stretch */
    int32_t item;
} rcity_outlook;

/* The directions of a source: all around, or through a window. */
typedef struct rcity_horizon {
    double x, y, z;    /* the source; z its highest point, or that of the eye behind it */
    double behind_m;   /* how far behind the source the eye is: rays go on from a vertical edge as steep as they came */
    double slope_most; /* none is steeper */
    double slack_m;    /* set once, before the first source */
    int bin_count;
    bool is_circle;
    rcity_plan_segment window;
    double slope[RCITY_HORIZON_BINS_MAX];
} rcity_horizon;

void rcity_horizon_init_circle(rcity_horizon *horizon, double x, double y, double z);

/* After it: put the eye behind the source, whose rays have slopes between these two only. Slopes are then those from
 * the eye. */
void rcity_horizon_step_back(rcity_horizon *horizon, double behind_m, double slope_least, double slope_most);

/* Through a window, seen from behind: its first end is on the right. */
void rcity_horizon_init_window(rcity_horizon *horizon, double x, double y, double z, rcity_plan_segment window);

/* A segment (or point) that lies wholly within the directions, with its top. An end is open where the thing goes on
   beyond the directions by more than the slack: there it fills them to their rim. */
rcity_outlook rcity_horizon_look(const rcity_horizon *horizon, rcity_plan_segment segment, bool is_open_1,
                                 bool is_open_2, double top, int32_t item);

/* A box of the plan, whatever part of it lies within the directions, whose highest thing has this top. */
rcity_outlook rcity_horizon_look_at_box(const rcity_horizon *horizon, const rcity_plan_tree_node *box);

/* Does the horizon hide it? It must hold no wall that is not wholly nearer. */
bool rcity_horizon_hides(const rcity_horizon *horizon, const rcity_outlook *target);

/* A wall raises the horizon for everything farther than its far end. */
void rcity_horizon_raise(rcity_horizon *horizon, const rcity_outlook *wall);

#endif
