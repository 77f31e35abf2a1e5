/* The scene as the tracer sees it: mirrors that reflect, edges that diffract, materials at one frequency. Metres in the
   local frame of the shapes (x, y from their origin, z scene height), double precision. */
#ifndef RCITY_SCENE_FACETS_FACET_TABLE_H
#define RCITY_SCENE_FACETS_FACET_TABLE_H

#include <stdint.h>

#include "base/base.h"
#include "scene/shapes.h"

#define RCITY_TRACE_PI 3.14159265358979323846

/* A ray that rounding puts this far into a face counts as running along it, in the air. */
#define RCITY_TRACE_FACE_RAD 1e-6

/* A place or a direction. Plain doubles: files of either precision of kernel/wave may share it. */
typedef struct rcity_place3 {
    double x, y, z;
} rcity_place3;

/* A material at the run's frequency, referred to by its index. */
typedef struct rcity_facet_material {
    double permittivity_re, permittivity_im; /* relative; imaginary part 0 or less */
    double thickness_m;                      /* 0: half-space */
    bool is_conductor;
    char material[RCITY_MATERIAL_NAME_BYTES];
} rcity_facet_material;

#define RCITY_FACET_METAL_S_PER_M 1e5 /* a material that conducts better counts as a perfect conductor */

typedef enum rcity_mirror_kind { RCITY_MIRROR_WALL, RCITY_MIRROR_ROOF, RCITY_MIRROR_GROUND } rcity_mirror_kind;

/* A plane piece of surface. A wall is a rectangle from (x1, y1) to (x2, y2), bottom to top, seen from its right side; a
   roof is the open part of its prism's top; the ground is the plane z = 0, where there is no terrain. */
typedef struct rcity_mirror {
    rcity_mirror_kind kind;
    int32_t material_index;
    int32_t prism;         /* -1 for the ground */
    rcity_place3 normal;   /* of length 1, into the air */
    double offset;         /* normal . p = offset on the plane */
    double x1, y1, x2, y2; /* of a wall */
    double bottom, top;    /* of a wall; of a roof and flat ground both are its height */

    rcity_grid_point corner_p, corner_q; /* of the whole wall that a piece belongs to */
    bool starts_at_corner, ends_at_corner;
} rcity_mirror;

/* A diffracting edge: vertical where two walls meet, level along a roof. Angles phi are those of kernel/wave/wedge.h:
   from face o through the air to face n, counter-clockwise around the unit vector along a -> b. */
typedef struct rcity_facet_edge {
    rcity_place3 a, b;      /* ends; of a vertical edge the lower one is a */
    rcity_place3 along;     /* unit vector a -> b */
    rcity_place3 normal_o;  /* of face o, into the air: phi = 90 degrees */
    rcity_place3 in_face_o; /* unit vector in face o, away from the edge: phi = 0; along x in_face_o = normal_o */
    double exterior_rad;    /* angle of the air */
    int32_t material_o, material_n;
    int32_t mirror_o, mirror_n; /* the mirrors whose planes the faces lie in */
    int32_t prism;              /* one of its prisms */
    bool is_vertical;
    rcity_place3 outward; /* level unit vector into the air, away from the solid */
} rcity_facet_edge;

/* What roofs are to paths that go over many of them. */
typedef enum rcity_roof_form {
    RCITY_ROOF_SCREENS, /* each of their edges is an absorbing screen */
    RCITY_ROOF_FLAT,    /* the roof between its edges reflects, by polarization and material */
    RCITY_ROOF_GABLE    /* one edge: a ridge in the middle */
} rcity_roof_form;

typedef struct rcity_facet_table {
    const rcity_shapes *shapes;
    double wavelength_m;
    int64_t material_count;
    rcity_facet_material *materials;
    int64_t mirror_count;
    rcity_mirror *mirrors; /* walls first, then roofs, then ground */
    int64_t wall_count, roof_count;
    int32_t ground_material;
    int64_t edge_count;
    rcity_facet_edge *edges; /* roof edges first: edge i is the top of wall i; then vertical ones */
    int64_t roof_edge_count;
    int32_t *roof_of; /* for each prism: a number that all prisms of one roof share */

    /* Shares of the fields that rough walls and roofs scatter away; 0 unless the tracer sets them. The ground is
       smooth. */
    double reflected_loss, passed_loss;
    rcity_roof_form roof_form; /* screens unless the tracer sets it */
    bool borrows;              /* all but the materials belongs to another table */
} rcity_facet_table;

/* The larger and the smaller of two numbers, neither of which is NaN. fmax() and fmin() are calls, whose cost is
   noticeable in searches. */
static inline double rcity_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double rcity_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* How far in front of a mirror's plane a place lies; negative behind it. */
static inline double rcity_mirror_distance(const rcity_mirror *mirror, rcity_place3 p)
{
    return mirror->normal.x * p.x + mirror->normal.y * p.y + mirror->normal.z * p.z - mirror->offset;
}

/* Where a place lies around an edge, as seen from a point of it: its angle phi, and its distance from the edge's
   line. */
double rcity_facet_edge_angle(const rcity_facet_edge *facet_edge, rcity_place3 at, rcity_place3 to, double *off_m);

/* The mirror of an event: one of the table, or a triangle of the terrain, which is not in the table. */
void rcity_trace_mirror(const rcity_facet_table *world, int32_t object, rcity_mirror *mirror);

/* The object of a triangle: the lower or the upper half of a cell. */
int32_t rcity_trace_terrain_object(const rcity_facet_table *world, int64_t column, int64_t row, bool is_upper);

/* The world of a committed scene at a frequency. */
rcity_status rcity_facet_table_init(rcity_context *context, const rcity_scene *scene, double frequency_hz,
                                    rcity_facet_table *world);

/* The same world at another frequency: only its materials are its own, the rest is borrowed from `like`. */
rcity_status rcity_facet_table_retune(rcity_context *context, const rcity_scene *scene, const rcity_facet_table *like,
                                      double frequency_hz, rcity_facet_table *world);
void rcity_facet_table_deinit(rcity_context *context, rcity_facet_table *world);

#endif
