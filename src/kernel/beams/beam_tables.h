/* What the fields of many paths share, as tables, and the lists that maps of `beams` are made from: numbers only, the same
   for the host and for devices. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_TABLES_H
#define RCITY_KERNEL_BEAMS_BEAM_TABLES_H

#include "kernel/beams/beam_length.h"

#define RCITY_BEAM_FACE_STEPS     1024 /* over the cosine of incidence */
#define RCITY_BEAM_SLOPE_STEPS    16   /* over the slopes of what comes to an edge */
#define RCITY_BEAM_QUADRANT_STEPS 80   /* over the directions behind an edge */
#define RCITY_BEAM_TERMS          4    /* of the field that an edge diffracts */
#define RCITY_BEAM_WEIGHTS        8    /* of these terms: for fields along the edge, then around it */
#define RCITY_BEAM_FIELD_STEPS    512  /* over the parameter of the field behind an edge */
#define RCITY_BEAM_FIELD_PER_UNIT 64.0f
#define RCITY_BEAM_RAYS           3 /* end at an edge: past it, off face o, off face n */

typedef struct rcity_beam_complex {
    float re, im;
} rcity_beam_complex;

/* Two components of a field, upright. */
typedef struct rcity_beam_field {
    rcity_beam_complex theta, phi;
} rcity_beam_field;

/* What a face reflects at one angle. */
typedef struct rcity_beam_face {
    rcity_beam_complex te, tm;
} rcity_beam_face;

/* One direction behind an edge: for each term the sine of half the angle to its boundary, with its sign, and the weights of
   level and of sloping rays, shape included. */
typedef struct rcity_beam_direction {
    float sine[RCITY_BEAM_TERMS];
    float level_re[RCITY_BEAM_WEIGHTS], level_im[RCITY_BEAM_WEIGHTS];
    float sloping_re[RCITY_BEAM_WEIGHTS], sloping_im[RCITY_BEAM_WEIGHTS];
    float turning_re[RCITY_BEAM_WEIGHTS],
        turning_im[RCITY_BEAM_WEIGHTS]; /* of sloping rays: from the other component */
} rcity_beam_direction;

/* What comes to an edge with one slope: the field, as the edge meets it, over that in free space, but for a bounce off the
   ground; and the antenna's gain. */
typedef struct rcity_beam_slope {
    rcity_beam_field field;
    float tx_gain;
} rcity_beam_slope;

/* How strong rays that leave an edge may be, over free space in both antennas: see rcity_beam_limit_of(). */
typedef struct rcity_beam_limit {
    float before_m;  /* of the way in plan; of several the shortest */
    float near;      /* share of the power near the shadow boundaries */
    rcity_i32 first; /* of its shares far from them, one for each step of directions, in 1 / m2 */
} rcity_beam_limit;

/* A wall that a ray on its way to an edge meets or passes, where that depends on its height there. */
typedef struct rcity_beam_height {
    float at_m; /* from the transmitter, unfolded, in plan */
    float bottom_m, top_m;
    rcity_i32 is_passed; /* the ray must be over the top; else between */
} rcity_beam_height;

/* One way to come to an edge, without and with a bounce off the ground. Directions are measured as by
   rcity_beam_turn(). */
typedef struct rcity_beam_way {
    rcity_i64 units; /* its length in plan, unfolded */
    float plan_m;
    float least_loss;               /* that its reflections take, power over power */
    float turn_in;                  /* of the direction that it comes from */
    float last_stretch;             /* a whole step over the last one */
    float departure_x, departure_y; /* unit vector in plan */
    float edge_bottom_m, edge_top_m;
    float slope_sine;                           /* of the elevation at which weights are tabled besides level ones */
    float slope_max[2];                         /* size of the steepest tangent */
    rcity_i32 slope_first[2];                   /* its slopes, RCITY_BEAM_SLOPE_STEPS + 1 each */
    rcity_i32 direction_first, direction_steps; /* its directions, one more than steps */
    rcity_i32 height_first, height_count;
    rcity_i32 reflections;
    rcity_u32 code[2][RCITY_BEAM_RAYS]; /* of its groups so far */
    rcity_beam_limit limit;             /* of the rays that leave the edge */
} rcity_beam_way;

/* A wall that a beam's rays meet or pass, unfolded into the frame of its last leg: there every ray is a straight line
   from the image of the source. */
typedef struct rcity_beam_wall {
    float x, y;    /* normal in plan, of length 1, away from the source */
    float ahead_m; /* of the wall's line, along the normal, from the image of the source */
    float bottom_m, top_m;
    rcity_i32 material; /* that it reflects with; RCITY_BEAM_PASSED: rays pass over its top */
} rcity_beam_wall;

#define RCITY_BEAM_PASSED (-1)

/* The end of a beam: a part of it, with all that its paths share. */
typedef struct rcity_beam_leaf {
    rcity_i64 x, y;         /* the image of its source, in units */
    float back[4];          /* turns a direction of the last leg into that with which a ray left the source */
    float along_x, along_y; /* a direction of the last leg times these: along face o of the edge it left, */
    float off_x, off_y;     /* and off that face */
    float least_loss;       /* that its reflections take, power over power */
    rcity_i32 depth;        /* reflections */
    rcity_i32 wall_first, wall_count;
    rcity_i32 way_first;             /* of its edge; -1: the transmitter's own beam */
    rcity_i32 way_count;             /* that leave enough reflections */
    rcity_i32 bouncing_count;        /* of these from the first on: may bounce off the ground besides */
    rcity_beam_limit limit;          /* of all its ways */
    rcity_u32 code_times, code_plus; /* the code of a group after its walls: that before times this, plus this */
} rcity_beam_leaf;

/* A leaf that holds a cell, and where among the cell's records its own start. */
typedef struct rcity_beam_visit {
    rcity_i32 leaf, slot;
} rcity_beam_visit;

/* One path to a cell. */
typedef struct rcity_beam_record {
    rcity_beam_complex port[2]; /* as received, with its phase */
    float inverse_gain;         /* of both antennas */
    float length_m;
    float sine;                                           /* of its elevation, unfolded */
    float departure_x, departure_y, arrival_x, arrival_y; /* unit vectors in plan */
    rcity_u32 code[RCITY_BEAM_RAYS];                      /* of its groups */
    rcity_u16 share[RCITY_BEAM_RAYS];                     /* of its field in each, over RCITY_BEAM_SHARE */
    rcity_u8 kind;
    rcity_u8 has_bounce;
} rcity_beam_record;

#define RCITY_BEAM_SHARE 65535.0f

/* Classes of paths. */
#define RCITY_BEAM_DIRECT     0
#define RCITY_BEAM_REFLECTED  1
#define RCITY_BEAM_DIFFRACTED 2 /* with or without reflections */
#define RCITY_BEAM_CLASSES    3

/* The code of the group of the direct ray, and that after one more plane. */
#define RCITY_BEAM_CODE_DIRECT 2166136261u
#define RCITY_BEAM_CODE_TIMES  2654435761u

/* The tables of a launch. */
typedef struct rcity_beam_arrays {
    RCITY_GLOBAL const rcity_beam_face *faces; /* of each material, RCITY_BEAM_FACE_STEPS + 1 */
    RCITY_GLOBAL const rcity_beam_complex *edge_field;
    RCITY_GLOBAL const rcity_beam_way *ways;
    RCITY_GLOBAL const rcity_beam_direction *directions;
    RCITY_GLOBAL const rcity_beam_slope *slopes;
    RCITY_GLOBAL const rcity_beam_height *heights;
    RCITY_GLOBAL const rcity_beam_wall *walls;
    RCITY_GLOBAL const float *limits;
    RCITY_GLOBAL const float *antenna;
} rcity_beam_arrays;

/* A direction in plan as a number that grows with its angle, from 0 along face o of an edge by 1 a quarter turn: no angle
   is needed to look it up. `along` and `off` are its components along that face and off it. */
RCITY_KERNEL float rcity_beam_turn(float along, float off)
{
    const float rounding = 1e-6f; /* a ray along the face may seem to lie in it */
    float size = rcity_fabs(along) + rcity_fabs(off);
    float east = along / size;
    float turn = off >= 0.0f ? 1.0f - east : 3.0f + east;
    return off < 0.0f && along > 0.0f && off > -rounding * size ? 0.0f : turn;
}

#endif
