/* The plan of a European centre: an old town within a ring, boulevards, and the quarters between them. */
#ifndef RCITY_CITY_PLAN_H
#define RCITY_CITY_PLAN_H

#include "scene/city/city_draft.h"

#define RCITY_CITY_RING_MAX 5
#define RCITY_CITY_GATE_MAX 160
#define RCITY_CITY_BEND_MAX 32

/* A ring of boulevards. A gate is a corner of the ring; it is open where a radial boulevard leaves the ring. */
typedef struct rcity_city_ring {
    int gate_count;
    rcity_city_point gate[RCITY_CITY_GATE_MAX];
    bool is_open[RCITY_CITY_GATE_MAX];
} rcity_city_ring;

/* A river, its bends at equal steps along its axis. */
typedef struct rcity_city_river {
    bool exists;
    rcity_city_point source, axis;
    double step_m, half_width_m;
    double bend_m[RCITY_CITY_BEND_MAX]; /* to the left of the axis */
} rcity_city_river;

/* The centre of a quarter: the quarters are the Voronoi cells of their centres. */
typedef struct rcity_city_quarter {
    rcity_city_point at;
    int zone;   /* 0 in the old town, one more beyond each ring */
    int sector; /* between two radial boulevards */
    bool is_left_bank;
} rcity_city_quarter;

typedef struct rcity_city_plan {
    rcity_city_point centre;
    int ring_count;
    rcity_city_ring ring[RCITY_CITY_RING_MAX];
    rcity_city_river river;
    int quarter_count;
    rcity_city_quarter *quarters;
} rcity_city_plan;

/* Lay out the plan; release it with rcity_city_plan_deinit(), also on failure. */
rcity_status rcity_city_plan_init(const rcity_city_draft *draft, rcity_city_plan *plan);
void rcity_city_plan_deinit(const rcity_city_draft *draft, rcity_city_plan *plan);

/* The ground of a quarter up to the middle of the streets around it; empty outside the city. */
rcity_city_polygon rcity_city_plan_cell(const rcity_city_draft *draft, const rcity_city_plan *plan, int quarter);

#endif
