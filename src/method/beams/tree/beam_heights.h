/* What the heights of rays say about the lengths of their paths in plan. Walls and edges are vertical, so the height of a
   ray is linear in its unfolded length: it leaves the transmitter at one height and comes down to a receiver. A ray that
   is below a top somewhere comes down soon after, a ray that is above one comes down late. Lengths are from the source of
   a beam; the way from the transmitter to that source has one of several lengths. */
#ifndef RCITY_METHOD_BEAMS_TREE_BEAM_HEIGHTS_H
#define RCITY_METHOD_BEAMS_TREE_BEAM_HEIGHTS_H

#include <math.h>

/* Sight to single places is tested between points that are moved and snapped by less: what is left out here must be left
   out there too. */
#define RCITY_BEAM_HEIGHTS_SLACK_M 0.1

typedef struct rcity_beam_heights {
    double tx_m;                  /* where rays start */
    double low_m;                 /* none ends lower; one that flat ground reflects ends at its image */
    double high_m;                /* none ends higher; HUGE_VAL: not known */
    double shortest_m, longest_m; /* ways in plan from the transmitter to the source */
} rcity_beam_heights;

/* How far from the source, at most, a ray ends that is below a top at a distance from it: the highest such ray is at the
   top there, and ends at the lowest place. With H = tx - low and a = tx - top it has come H / a as far by then. That is
   (H / a) (before + at) - before, which grows with the way before, since H > a. */
static inline double rcity_beam_heights_most_m(const rcity_beam_heights *heights, double at_m, double top_m)
{
    double above_m = heights->tx_m - top_m;
    return above_m > 0.0 ? (heights->longest_m + at_m) * (heights->tx_m - heights->low_m) / above_m - heights->longest_m
                         : HUGE_VAL;
}

/* How far from the source, at least, a ray ends that passes over a top at a distance from it: the steepest such ray is at
   the top there, and ends at the highest place. A ray that bounces off flat ground ends below that, at its image, and is
   lower than its receiver from there on: it is at the top before the bounce, and comes farther still. Nothing is known
   where the top is no higher than where rays end. */
static inline double rcity_beam_heights_least_m(const rcity_beam_heights *heights, double at_m, double top_m)
{
    double above_m = heights->tx_m - top_m + RCITY_BEAM_HEIGHTS_SLACK_M;
    double drop_m = heights->tx_m - heights->high_m - RCITY_BEAM_HEIGHTS_SLACK_M;
    double from_m = at_m - RCITY_BEAM_HEIGHTS_SLACK_M;
    return above_m > 0.0 && drop_m > above_m && from_m > 0.0
               ? (heights->shortest_m + from_m) * drop_m / above_m - heights->shortest_m
               : 0.0;
}

#endif
