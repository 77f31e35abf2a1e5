/* Worlds of a few endless planes and edges, and the exact paths through a given sequence of them, for tests of what
   happens on a path. Whether something blocks it is not asked. */
#ifndef RCITY_TEST_PATH_WORLD_H
#define RCITY_TEST_PATH_WORLD_H

#include <complex.h>

#include "method/images/path/trace_path.h"

#define PI 3.14159265358979323846

typedef double complex phasor;
#define PHASOR_J ((phasor)I)

#define PATH_WORLD_MAX 16

typedef struct path_world {
    rcity_facet_table world;
    rcity_facet_material materials[PATH_WORLD_MAX];
    rcity_mirror mirrors[PATH_WORLD_MAX];
    rcity_facet_edge edges[PATH_WORLD_MAX];
} path_world;

/* What a path is to meet, in order. */
typedef struct path_step {
    rcity_event_kind kind;
    int32_t object;
} path_step;

void path_world_init(path_world *world, double wavelength_m);

/* Each returns the index of what it adds. */
int32_t path_world_add_material(path_world *world, double re, double im, double thickness_m);
int32_t path_world_add_conductor(path_world *world);
int32_t path_world_add_mirror(path_world *world, rcity_place3 point, rcity_place3 normal, int32_t material_index);

/* An edge through a point; the face o goes off along `in_face_o`, which is straightened to stand across `along`. */
int32_t path_world_add_edge(path_world *world, rcity_place3 point, rcity_place3 along, rcity_place3 in_face_o,
                            double exterior_rad, int32_t material_o, int32_t material_n);

/* The path through the steps; false where there is none because a plane lies on the wrong side. */
bool path_world_solve(const path_world *world, rcity_place3 tx, rcity_place3 rx, const path_step *steps, int step_count,
                      rcity_trace_path *path);

/* Its channel; the path must exist. */
rcity_channel path_world_channel(const path_world *world, rcity_place3 tx, rcity_place3 rx, const path_step *steps,
                                 int step_count);
phasor channel_get(rcity_channel channel, int out, int in);

/* lambda / (4 pi r) exp(-j k r), its phase to many digits. */
phasor phasor_free_space(double length_m, double wavelength_m);

/* The same path reversed. */
rcity_trace_path path_reversed(const rcity_trace_path *path);
double path_length_m(const rcity_trace_path *path);

rcity_place3 place_make(double x, double y, double z);
rcity_place3 place_add(rcity_place3 a, rcity_place3 b, double factor); /* a + factor * b */
double place_dot(rcity_place3 a, rcity_place3 b);
rcity_place3 place_cross(rcity_place3 a, rcity_place3 b);
double place_distance(rcity_place3 a, rcity_place3 b);
rcity_place3 place_unit(rcity_place3 a);
rcity_place3 place_mirrored(rcity_place3 point, const rcity_mirror *mirror);

/* Angle of a place around an edge, 0 to 2 pi from face o, and the place at an angle, a distance from the edge and a way
   along it. */
double place_angle(const rcity_facet_edge *facet_edge, rcity_place3 place);
rcity_place3 place_around(const rcity_facet_edge *facet_edge, double angle_rad, double distance_m, double along_m);

#define assert_phasor(actual, expected, tolerance)                                                                     \
    do {                                                                                                               \
        phasor test_actual_ = (actual);                                                                                \
        phasor test_expected_ = (expected);                                                                            \
        if (!(cabs(test_actual_ - test_expected_) <= (tolerance))) {                                                   \
            print_error("%s is %.12g %+.12g j, expected %.12g %+.12g j within %g\n", #actual, creal(test_actual_),     \
                        cimag(test_actual_), creal(test_expected_), cimag(test_expected_), (double)(tolerance));       \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

#endif
