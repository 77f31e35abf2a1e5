/* What the fields of many paths share, as tables: what faces reflect by angle, what an edge diffracts of an arrival by the
   direction in which it leaves, what comes to an edge by its slope. A field is then some interpolations: within 0.02 dB
   rms of the formulas (tests/unit/method/test_beams_fast.c). */
#ifndef RCITY_METHOD_BEAMS_FAST_FAST_TABLES_H
#define RCITY_METHOD_BEAMS_FAST_FAST_TABLES_H

#include "method/beams/tree/beams_forest.h"
#include "method/link_ends.h"

#define RCITY_FAST_FACE_STEPS  1024 /* over the cosine of incidence */
#define RCITY_FAST_SLOPE_STEPS 16   /* over the slopes of what arrives at an edge */
#define RCITY_FAST_EDGE_TERMS  4
#define RCITY_FAST_VARIANTS    2 /* without and with a bounce off the ground */

typedef struct rcity_fast_complex {
    float re, im;
} rcity_fast_complex;

/* Two components of a field, upright: theta and phi. */
typedef struct rcity_fast_field {
    rcity_fast_complex theta, phi;
} rcity_fast_field;

/* What a face reflects at one angle. */
typedef struct rcity_fast_face {
    rcity_fast_complex te, tm;
} rcity_fast_face;

/* One direction behind an edge: for each term the sine of half the angle to its boundary, with its sign, and the weights of
   level and of sloping rays, shape included, for fields along the edge and around it. */
typedef struct rcity_fast_edge {
    float sine[RCITY_FAST_EDGE_TERMS];
    rcity_fast_complex level[RCITY_FAST_EDGE_TERMS][2];
    rcity_fast_complex sloping[RCITY_FAST_EDGE_TERMS][2];
    rcity_fast_complex turning[RCITY_FAST_EDGE_TERMS][2]; /* of sloping rays: from phi to theta, from theta to phi */
} rcity_fast_edge;

/* What comes to an edge with one slope: the field, as the edge meets it, over that in free space, but for a bounce off the
   ground; and the antenna's gain. */
typedef struct rcity_fast_slope {
    rcity_fast_field field;
    float tx_gain;
} rcity_fast_slope;

/* A wall that a ray on its way to an edge meets or passes, where that depends on its height there. */
typedef struct rcity_fast_height {
    float at_m; /* from the transmitter, unfolded, in plan */
    float bottom_m, top_m;
    bool is_passed; /* the ray must be over the top; else between */
} rcity_fast_height;

/* One way to come to an edge. */
typedef struct rcity_fast_arrival {
    double plan_m;
    double least_loss; /* that its reflections take, power over power */
    float phi_in_rad, exterior_rad;
    float departure_x, departure_y; /* unit vector in plan */
    float edge_bottom_m, edge_top_m;
    float slope_sine;                         /* of the elevation at which weights are tabled besides level ones */
    int32_t edge_first, edge_steps;           /* its directions, edge_steps + 1 of them */
    int32_t slope_first[RCITY_FAST_VARIANTS]; /* its slopes, RCITY_FAST_SLOPE_STEPS + 1 each */
    float slope_max[RCITY_FAST_VARIANTS];     /* size of the steepest tangent */
    int32_t height_first, height_count;
} rcity_fast_arrival;

typedef struct rcity_fast_tables {
    rcity_context *context;         /* borrowed */
    rcity_fast_face *faces;         /* of each material, RCITY_FAST_FACE_STEPS + 1 */
    rcity_fast_complex *edge_field; /* behind an edge, by its parameter: RCITY_FAST_FIELD_STEPS + 1 */
    rcity_fast_arrival *arrivals;   /* of the forest, all with one diffraction */
    rcity_fast_edge *edges;
    rcity_fast_slope *slopes;
    rcity_fast_height *heights;
    size_t height_count, height_capacity;
} rcity_fast_tables;

#define RCITY_FAST_FIELD_STEPS    512
#define RCITY_FAST_FIELD_PER_UNIT 64.0f /* steps; beyond 8 the series for large parameters */

/* Where the ends of all paths are: transmitter, and receivers at one height. */
typedef struct rcity_fast_ends {
    const rcity_facet_table *facets; /* with materials at the frequency */
    const rcity_path_ends *antennas;
    double tx_height_m, rx_height_m;
} rcity_fast_ends;

rcity_status rcity_fast_tables_init(rcity_context *context, const rcity_beams_forest *forest,
                                    const rcity_fast_ends *ends, rcity_fast_tables *tables);
void rcity_fast_tables_deinit(rcity_fast_tables *tables);

/* The field and gain with which a ray leaves the transmitter. */
rcity_fast_slope rcity_fast_departure(const rcity_fast_ends *ends, double x, double y, double z);

#endif
