/* Random chains of reflections and diffractions whose path is known beforehand: the points are drawn first, then a
   plane or an edge is laid through each of them so that the ray obeys the law of reflection or Keller's law there.
   Compiled in the precision of kernel/wave. */
#ifndef RCITY_TEST_TILE_CHAIN_H
#define RCITY_TEST_TILE_CHAIN_H

#include "rcity_test.h"

#include "kernel/tiles/tile_path.h"

#define TILE_CHAIN_PI 3.14159265358979323846

typedef struct vector {
    double x, y, z;
} vector;

typedef struct tile_chain {
    int count;
    bool is_edge[RCITY_TUBE_EVENT_MAX];
    vector point[RCITY_TUBE_EVENT_MAX + 2]; /* the transmitter, one for each event, the receiver */
    vector normal[RCITY_TUBE_EVENT_MAX];    /* of mirrors */
    vector along[RCITY_TUBE_EVENT_MAX];     /* of edges, and what rcity_tile_edge has */
    vector in_face_o[RCITY_TUBE_EVENT_MAX];
    double exterior_rad[RCITY_TUBE_EVENT_MAX];
    rcity_tile tiles[RCITY_TUBE_EVENT_MAX]; /* of event i; tiles and edges not used stay 0 */
    rcity_tile_edge edges[RCITY_TUBE_EVENT_MAX];
    double length_m;
} tile_chain;

static inline vector vector_make(double x, double y, double z)
{
    return (vector){x, y, z};
}

/* a + factor b */
static inline vector vector_add(vector a, double factor, vector b)
{
    return (vector){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

static inline double vector_dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector vector_cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vector_length(vector a)
{
    return sqrt(vector_dot(a, a));
}

static inline vector vector_unit(vector a)
{
    return vector_add(vector_make(0.0, 0.0, 0.0), 1.0 / vector_length(a), a);
}

static inline double vector_distance(vector a, vector b)
{
    return vector_length(vector_add(a, -1.0, b));
}

static inline rcity_real3 vector_to_kernel(vector a)
{
    return rcity_real3_make((rcity_real)a.x, (rcity_real)a.y, (rcity_real)a.z);
}

static inline vector vector_from_kernel(rcity_real3 a)
{
    return vector_make((double)a.x, (double)a.y, (double)a.z);
}

/* In a cube of twice the size around 0. */
static inline vector vector_draw(uint64_t seed, uint64_t *next, double size)
{
    double x = test_uniform(seed, (*next)++, -size, size);
    double y = test_uniform(seed, (*next)++, -size, size);
    return vector_make(x, y, test_uniform(seed, (*next)++, -size, size));
}

static inline vector vector_draw_across(uint64_t seed, uint64_t *next, vector axis)
{
    vector drawn = vector_make(0.0, 0.0, 0.0);
    while (vector_length(drawn) < 0.1) {
        drawn = vector_draw(seed, next, 1.0);
        drawn = vector_add(drawn, -vector_dot(drawn, axis), axis);
    }
    return vector_unit(drawn);
}

/* The tile that holds the event's point somewhere within. */
static inline bool tile_chain_lay_mirror(tile_chain *chain, int i, vector in, vector out, uint64_t seed, uint64_t *next)
{
    vector change = vector_add(out, -1.0, in);
    if (vector_length(change) < 0.2) {
        return false; /* grazes */
    }
    vector normal = vector_unit(change);
    vector along_u = vector_draw_across(seed, next, normal);
    vector along_v = vector_cross(normal, along_u);
    double half_u = test_uniform(seed, (*next)++, 0.5, 10.0);
    double half_v = test_uniform(seed, (*next)++, 0.5, 10.0);
    vector centre = vector_add(chain->point[i + 1], test_uniform(seed, (*next)++, -0.98, 0.98) * half_u, along_u);
    centre = vector_add(centre, test_uniform(seed, (*next)++, -0.98, 0.98) * half_v, along_v);
    chain->normal[i] = normal;
    chain->tiles[i] =
        (rcity_tile){(float)centre.x,       (float)centre.y,      (float)centre.z,       (float)normal.x,
                     (float)normal.y,       (float)normal.z,      (float)along_u.x,      (float)along_u.y,
                     (float)along_u.z,      (float)half_u,        (float)half_v,         0,
                     -RCITY_TILE_ENDLESS_M, RCITY_TILE_ENDLESS_M, -RCITY_TILE_ENDLESS_M, RCITY_TILE_ENDLESS_M};
    return true;
}

/* The angle around an axis from one direction across it. */
static inline double vector_angle_around(vector axis, vector zero, vector direction)
{
    double angle = atan2(vector_dot(direction, vector_cross(axis, zero)), vector_dot(direction, zero));
    return angle < 0.0 ? angle + 2.0 * TILE_CHAIN_PI : angle;
}

/* The edge that holds the event's point somewhere within; both rays lie in the air. */
static inline bool tile_chain_lay_edge(tile_chain *chain, int i, vector in, vector out, uint64_t seed, uint64_t *next)
{
    vector change = vector_add(out, -1.0, in);
    if (vector_length(change) < 0.05) {
        return false;
    }
    vector along = vector_draw_across(seed, next, vector_unit(change));
    vector back = vector_add(vector_make(0.0, 0.0, 0.0), -1.0, in);
    if (fabs(vector_dot(along, in)) > 0.97) {
        return false; /* runs along the edge */
    }
    vector zero = vector_unit(vector_add(back, -vector_dot(back, along), along));
    double span = vector_angle_around(along, zero, out);
    bool is_after = span < TILE_CHAIN_PI; /* the shorter of both turns is in the air */
    span = is_after ? span : 2.0 * TILE_CHAIN_PI - span;
    double exterior = test_uniform(seed, (*next)++, fmax(TILE_CHAIN_PI, span) + 0.1, 2.0 * TILE_CHAIN_PI);
    double before = test_uniform(seed, (*next)++, 0.02, exterior - span - 0.02);
    double turn = is_after ? -before : -before - span;
    vector in_face_o =
        vector_add(vector_add(vector_make(0.0, 0.0, 0.0), cos(turn), zero), sin(turn), vector_cross(along, zero));
    vector normal_o = vector_cross(along, in_face_o);
    vector a = vector_add(chain->point[i + 1], -test_uniform(seed, (*next)++, 0.2, 10.0), along);
    vector b = vector_add(chain->point[i + 1], test_uniform(seed, (*next)++, 0.2, 10.0), along);
    chain->along[i] = along;
    chain->in_face_o[i] = in_face_o;
    chain->exterior_rad[i] = exterior;
    chain->edges[i] = (rcity_tile_edge){(float)a.x,
                                        (float)a.y,
                                        (float)a.z,
                                        (float)b.x,
                                        (float)b.y,
                                        (float)b.z,
                                        (float)normal_o.x,
                                        (float)normal_o.y,
                                        (float)normal_o.z,
                                        (float)in_face_o.x,
                                        (float)in_face_o.y,
                                        (float)in_face_o.z,
                                        (float)exterior,
                                        -1,
                                        -1,
                                        0,
                                        RCITY_TILE_ENDLESS_M,
                                        RCITY_TILE_ENDLESS_M};
    return true;
}

/* A chain of the events of a word such as "RDR": R a reflection, D a diffraction; points within `size_m` of 0. */
static inline tile_chain tile_chain_draw(const char *word, double size_m, uint64_t seed, uint64_t *next)
{
    tile_chain chain;
    bool is_made = false;
    while (!is_made) {
        memset(&chain, 0, sizeof chain);
        chain.count = (int)strlen(word);
        for (int i = 0; i < chain.count + 2; i++) {
            chain.point[i] = vector_draw(seed, next, size_m);
        }
        is_made = true;
        for (int i = 0; i <= chain.count; i++) {
            double leg_m = vector_distance(chain.point[i], chain.point[i + 1]);
            chain.length_m += leg_m;
            is_made = is_made && leg_m > 0.05 * size_m;
        }
        for (int i = 0; i < chain.count && is_made; i++) {
            vector in = vector_unit(vector_add(chain.point[i + 1], -1.0, chain.point[i]));
            vector out = vector_unit(vector_add(chain.point[i + 2], -1.0, chain.point[i + 1]));
            chain.is_edge[i] = word[i] == 'D';
            is_made = chain.is_edge[i] ? tile_chain_lay_edge(&chain, i, in, out, seed, next)
                                       : tile_chain_lay_mirror(&chain, i, in, out, seed, next);
        }
    }
    return chain;
}

/* The tube of a chain's events. */
static inline rcity_tube tile_chain_tube(const tile_chain *chain)
{
    rcity_tube tube = rcity_tube_make(vector_to_kernel(chain->point[0]));
    for (int i = 0; i < chain->count; i++) {
        tube = chain->is_edge[i] ? rcity_tube_diffract(tube, chain->edges[i], i)
                                 : rcity_tube_reflect(tube, chain->tiles[i], i);
    }
    return tube;
}

static inline rcity_tile_world tile_chain_world(const tile_chain *chain)
{
    rcity_tile_world world;
    world.tiles = chain->tiles;
    world.edges = chain->edges;
    return world;
}

/* All words of up to so many events with up to two edges; index 0, 1, ... until false. */
static inline bool tile_chain_word(int index, char word[RCITY_TUBE_EVENT_MAX + 1])
{
    static const char *const words[] = {"R",    "RR",   "RRR",  "RRRR",   "RRRRRR", "D",     "RD",    "DR",
                                        "RDR",  "RRD",  "DRR",  "RRDRRR", "DD",     "RDD",   "DRD",   "DDR",
                                        "RDDR", "DRRD", "RDRD", "DRDR",   "RDRDR",  "RRDDR", "RDRRDR"};
    if (index >= (int)(sizeof words / sizeof words[0])) {
        return false;
    }
    snprintf(word, RCITY_TUBE_EVENT_MAX + 1, "%s", words[index]);
    return true;
}

#endif
