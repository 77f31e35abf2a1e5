/* The field that a path carries from end to end, in double precision.

   A ray is followed through its events with two unit vectors across it. The 2 x 2 field is given along them: its
   columns belong to the two polarizations of departure. The frames at the ends are upright and belong to the direction
   of travel s: theta^ points down along the meridian of s, phi^ = s x theta^ is level and counter-clockwise seen from
   above (the y axis on a vertical ray: kernel/wave/polarization.h). Both ends use the direction of travel, not its
   opposite at the receiver, so free space has + on the diagonal for both polarizations. Reversing a path reverses both
   s: theta^ stays and phi^ changes sign (on a vertical ray it is theta^ that changes, which is a common sign). So
   reciprocity is

       backwards[i][j] = sign(i) sign(j) forwards[j][i],   sign(theta) = 1, sign(phi) = -1.

   Spreading. A reflection moves the source to its image behind the mirror: all lengths are unfolded. An edge at s' from
   the source multiplies by sqrt(s' / (s (s' + s))) over the distance s to the receiver. After that the wave has two
   radii of curvature, s' + s in the plane of the ray and the edge and s across it. A second edge, rotated by alpha
   against the first as seen along the ray, takes the radius rho of 1 / rho = cos^2(alpha) / (s' + s) + sin^2(alpha) / s
   (Euler), which is s' + s for parallel edges and s for perpendicular edges. Over both edges, with the legs s0, s1, s2,
   the factor is

       1 / sqrt(s0 s2 (s1 (s0 + s1 + s2) + s0 s2 sin^2(alpha))),

   the same in both directions. kernel/wave/wedge_pair.h has it in its coefficient. */
#define RCITY_REAL_IS_DOUBLE

#include <assert.h>
#include <math.h>

#include "kernel/wave/face.h"
#include "kernel/wave/polarization.h"
#include "kernel/wave/space.h"
#include "kernel/wave/wedge_pair.h"
#include "method/images/field/flat_roofs.h"
#include "method/images/field/path_chain.h"

#define TWO_PI       6.28318530717958647692
#define EDGE_MAX     2     /* diffractions of a path; chains over roofs may have more */
#define FACE_TIE_RAD 1e-6  /* a ray this near to a face runs along it: 10 micrometres over a roof */
#define LENGTH_MIN_M 1e-9  /* a shorter leg of a path has no direction of its own */
#define CROSS_MIN    1e-12 /* sine of an angle below which two directions span no plane */

/* Two unit vectors across a ray that the rows of the field refer to. The columns refer to the start of the ray. */
typedef struct ray_field {
    rcity_real3 axis[2];
    rcity_dyad field;
} ray_field;

/* A path as a chain of legs: leg i leads to event i, the last leg to the receiver. */
typedef struct ray_chain {
    rcity_real3 along[RCITY_RAY_EVENT_MAX + 1]; /* direction of travel */
    double length_m[RCITY_RAY_EVENT_MAX + 1];
    double total_m;
} ray_chain;

/* A ray at an edge. */
typedef struct edge_ray {
    rcity_wedge wedge;
    rcity_wedge_ray ray; /* distance_m is not set */
    double sin_beta;
    rcity_real3 in_axis[2], out_axis[2]; /* beta^, phi^ */
} edge_ray;

static rcity_real3 to_real3(rcity_place3 place)
{
    return rcity_real3_make(place.x, place.y, place.z);
}

static rcity_real3 mirrored(rcity_real3 v, rcity_real3 normal)
{
    return rcity_real3_subtract(v, rcity_real3_scale(normal, 2.0 * rcity_real3_dot(v, normal)));
}

/* Any unit vector perpendicular to a unit vector. */
static rcity_real3 any_across(rcity_real3 v)
{
    rcity_real3 other = fabs(v.z) < 0.5 ? rcity_real3_make(0.0, 0.0, 1.0) : rcity_real3_make(1.0, 0.0, 0.0);
    return rcity_real3_unit(rcity_real3_cross(other, v));
}

/* The unit vector along a x b; where they are parallel, one perpendicular to b. */
static rcity_real3 unit_cross(rcity_real3 a, rcity_real3 b)
{
    rcity_real3 cross = rcity_real3_cross(a, b);
    double size = rcity_real3_length(cross);
    return size < CROSS_MIN ? any_across(b) : rcity_real3_scale(cross, 1.0 / size);
}

static rcity_dyad dyad_diagonal(rcity_complex first, rcity_complex second)
{
    rcity_complex zero = rcity_complex_make(0.0, 0.0);
    rcity_dyad dyad = {{{first, zero}, {zero, second}}};
    return dyad;
}

static rcity_dyad dyad_identity(void)
{
    return dyad_diagonal(rcity_complex_make(1.0, 0.0), rcity_complex_make(1.0, 0.0));
}

static void set_upright(rcity_real3 travel, rcity_real3 axis[2])
{
    rcity_upright upright = rcity_upright_of(travel);
    axis[0] = upright.theta;
    axis[1] = upright.phi;
}

/* Express the same field in other axes. */
static void turn_to(ray_field *ray, const rcity_real3 axis[2])
{
    rcity_dyad turn;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            turn.m[i][j] = rcity_complex_make(rcity_real3_dot(axis[i], ray->axis[j]), 0.0);
        }
    }
    ray->field = rcity_dyad_multiply(turn, ray->field);
    ray->axis[0] = axis[0];
    ray->axis[1] = axis[1];
}

/* Legs too short for a direction, as between two walls that touch, take the direction of the leg before; at the start,
   that of the leg after. */
static ray_chain make_chain(const rcity_trace_path *path)
{
    ray_chain chain;
    chain.total_m = 0.0;
    rcity_real3 from = to_real3(path->tx);
    int last = -1; /* the last leg with a direction */
    for (int i = 0; i <= path->event_count; i++) {
        rcity_real3 to = to_real3(i < path->event_count ? path->event[i].point : path->rx);
        rcity_real3 leg = rcity_real3_subtract(to, from);
        chain.length_m[i] = rcity_real3_length(leg);
        chain.total_m += chain.length_m[i];
        chain.along[i] = last < 0 ? rcity_real3_make(1.0, 0.0, 0.0) : chain.along[last];
        if (chain.length_m[i] >= LENGTH_MIN_M) {
            chain.along[i] = rcity_real3_scale(leg, 1.0 / chain.length_m[i]);
            for (int before = last < 0 ? 0 : i; before < i; before++) {
                chain.along[before] = chain.along[i];
            }
            last = i;
        }
        from = to;
    }
    return chain;
}

static rcity_face get_face(const rcity_facet_table *world, int32_t index)
{
    const rcity_facet_material *material_index = &world->materials[index];
    rcity_face face;
    face.permittivity = rcity_complex_make(material_index->permittivity_re, material_index->permittivity_im);
    face.thickness_m = material_index->thickness_m;
    face.is_conductor = material_index->is_conductor;
    face.rough_loss = world->reflected_loss;
    return face;
}

/* Incoming and outgoing directions are averaged for the angle and the plane of incidence, so that rounding is the same
   in both directions of travel. */
static void meet_mirror(const rcity_facet_table *world, const rcity_mirror *mirror, bool passes, rcity_real3 in,
                        rcity_real3 out, ray_field *ray)
{
    rcity_real3 normal = to_real3(mirror->normal);
    rcity_face face = get_face(world, mirror->material_index);
    face.rough_loss = mirror->kind == RCITY_MIRROR_GROUND ? 0.0 : face.rough_loss;
    double wavenumber_per_m = TWO_PI / world->wavelength_m;
    rcity_real3 change = passes ? rcity_real3_add(in, out) : rcity_real3_subtract(in, out);
    double cos_incidence = fmin(0.5 * fabs(rcity_real3_dot(change, normal)), 1.0);
    rcity_face_response response = passes ? rcity_face_transmit(face, wavenumber_per_m, cos_incidence)
                                          : rcity_face_reflect(face, wavenumber_per_m, cos_incidence);
    rcity_real3 across = unit_cross(rcity_real3_add(in, out), normal);
    turn_to(ray, (const rcity_real3[2]){across, rcity_real3_cross(across, in)});
    if (passes) {
        response.te = rcity_complex_scale(response.te, 1.0 - world->passed_loss);
        response.tm = rcity_complex_scale(response.tm, 1.0 - world->passed_loss);
    }
    ray->field = rcity_dyad_multiply(dyad_diagonal(response.te, response.tm), ray->field);
    ray->axis[1] = rcity_real3_cross(across, out);
}

/* Follow a ray through events begin to end - 1, all of them mirrors. The vector `turning`, unless NULL, is reflected
   along with the ray. */
static void follow_mirrors(const rcity_facet_table *world, const rcity_trace_path *path, const ray_chain *chain,
                           int begin, int end, ray_field *ray, rcity_real3 *turning)
{
    for (int i = begin; i < end; i++) {
        rcity_mirror mirror;
        rcity_trace_mirror(world, path->event[i].object, &mirror);
        bool passes = path->event[i].kind == RCITY_EVENT_TRANSMISSION;
        meet_mirror(world, &mirror, passes, chain->along[i], chain->along[i + 1], ray);
        if (turning != NULL && !passes) {
            *turning = mirrored(*turning, to_real3(mirror.normal));
        }
    }
}

/* The angle around an edge, from face o. A direction that rounding puts into the solid counts as in the nearer face. */
static double angle_around(const rcity_facet_edge *facet_edge, rcity_real3 direction)
{
    double phi_rad = atan2(rcity_real3_dot(direction, to_real3(facet_edge->normal_o)),
                           rcity_real3_dot(direction, to_real3(facet_edge->in_face_o)));
    if (phi_rad < 0.0) {
        phi_rad += TWO_PI;
    }
    if (phi_rad > facet_edge->exterior_rad) {
        phi_rad = phi_rad - facet_edge->exterior_rad < TWO_PI - phi_rad ? facet_edge->exterior_rad : 0.0;
    }
    return phi_rad;
}

static edge_ray make_edge_ray(const rcity_facet_table *world, const rcity_facet_edge *facet_edge, rcity_real3 in,
                              rcity_real3 out)
{
    edge_ray edge;
    rcity_real3 along = to_real3(facet_edge->along);
    edge.wedge.exterior_rad = facet_edge->exterior_rad;
    edge.wedge.face_o = get_face(world, facet_edge->material_o);
    edge.wedge.face_n = get_face(world, facet_edge->material_n);
    double cos_beta = 0.5 * rcity_real3_dot(rcity_real3_add(in, out), along);
    edge.sin_beta = sqrt(fmax(1.0 - cos_beta * cos_beta, CROSS_MIN));
    edge.ray.wavenumber_per_m = TWO_PI / world->wavelength_m;
    edge.ray.beta_rad = atan2(edge.sin_beta, cos_beta);
    edge.ray.phi_in_rad = angle_around(facet_edge, rcity_real3_scale(in, -1.0));
    edge.ray.phi_out_rad = angle_around(facet_edge, out);
    edge.ray.distance_m = 0.0;
    edge.in_axis[1] = unit_cross(in, along);
    edge.in_axis[0] = rcity_real3_cross(edge.in_axis[1], in);
    edge.out_axis[1] = unit_cross(along, out);
    edge.out_axis[0] = rcity_real3_cross(edge.out_axis[1], out);
    return edge;
}

/* The length of legs begin to end, both included; never 0, as if no edge lay on top of another end. */
static double legs_m(const ray_chain *chain, int begin, int end)
{
    double length_m = 0.0;
    for (int i = begin; i <= end; i++) {
        length_m += chain->length_m[i];
    }
    return fmax(length_m, LENGTH_MIN_M);
}

/* The incoming and the outgoing ray at the edge that event `at` is. */
static edge_ray meet_edge(const rcity_facet_table *world, const rcity_trace_path *path, const ray_chain *chain, int at)
{
    return make_edge_ray(world, &world->edges[path->event[at].object], chain->along[at], chain->along[at + 1]);
}

static void leave_edge(const edge_ray *edge, rcity_dyad coefficient, ray_field *ray)
{
    ray->field = rcity_dyad_multiply(coefficient, ray->field);
    ray->axis[0] = edge->out_axis[0];
    ray->axis[1] = edge->out_axis[1];
}

/* Diffraction at one edge. @return the spreading, which is 1 / r in free space. */
static double edge_once(const rcity_facet_table *world, const rcity_trace_path *path, const ray_chain *chain, int at,
                        ray_field *ray)
{
    edge_ray edge = meet_edge(world, path, chain, at);
    double before_m = legs_m(chain, 0, at);
    double after_m = legs_m(chain, at + 1, path->event_count);
    double total_m = before_m + after_m;
    edge.ray.distance_m = before_m * after_m / total_m * edge.sin_beta * edge.sin_beta;
    turn_to(ray, edge.in_axis);
    leave_edge(&edge, rcity_wedge_diffract(edge.wedge, edge.ray), ray);
    return 1.0 / sqrt(before_m * after_m * total_m);
}

/* Does the ray at an edge run along one of its faces? */
static bool is_in_face(const edge_ray *edge, double phi_rad)
{
    return phi_rad < FACE_TIE_RAD || phi_rad > edge->wedge.exterior_rad - FACE_TIE_RAD;
}

/* Diffraction at two edges, with or without mirrors between them; the spreading is in kernel/wave/wedge_pair.h. */
static double edge_twice(const rcity_facet_table *world, const rcity_trace_path *path, const ray_chain *chain,
                         const int at[2], ray_field *ray)
{
    edge_ray first = meet_edge(world, path, chain, at[0]);
    edge_ray second = meet_edge(world, path, chain, at[1]);
    ray_field middle = {{first.out_axis[0], first.out_axis[1]}, dyad_identity()};
    rcity_real3 turning = first.out_axis[1];
    follow_mirrors(world, path, chain, at[0] + 1, at[1], &middle, &turning);
    turn_to(&middle, second.in_axis);
    rcity_wedge_pair pair;
    pair.first = first.wedge;
    pair.second = second.wedge;
    pair.at_first = first.ray;
    pair.at_second = second.ray;
    pair.before_m = legs_m(chain, 0, at[0]);
    pair.between_m = legs_m(chain, at[0] + 1, at[1]);
    pair.after_m = legs_m(chain, at[1] + 1, path->event_count);
    pair.between = middle.field;
    pair.cos_twist = rcity_real3_dot(turning, second.in_axis[1]);
    pair.is_joined =
        at[1] == at[0] + 1 && is_in_face(&first, first.ray.phi_out_rad) && is_in_face(&second, second.ray.phi_in_rad);
    turn_to(ray, first.in_axis);
    leave_edge(&second, rcity_wedge_pair_diffract(pair), ray);
    return 1.0 / (pair.before_m + pair.between_m + pair.after_m);
}

/* The phase is taken modulo a wavelength first, so that its precision does not depend on the length. */
static rcity_channel make_channel(const rcity_facet_table *world, const rcity_dyad *field, double length_m,
                                  double spreading_per_m)
{
    double phase_rad = -TWO_PI * (fmod(length_m, world->wavelength_m) / world->wavelength_m);
    rcity_complex factor = rcity_complex_polar(spreading_per_m * world->wavelength_m / (2.0 * TWO_PI), phase_rad);
    rcity_channel channel;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            rcity_complex value = rcity_complex_multiply(field->m[i][j], factor);
            channel.transfer[i][j] = (rcity_phasor){value.re, value.im};
        }
    }
    return channel;
}

/* In the vertical plane the upright frames before and after the diffracting edges have the same phi^; theta^ turns with
   the over-roof path. */
static rcity_channel chain_channel(const rcity_facet_table *world, const rcity_trace_path *path)
{
    rcity_chain_field over = rcity_path_chain_field(world, path, 0);
    rcity_chain_field over_phi = rcity_flat_roofs_are_in(path) ? rcity_path_chain_field(world, path, 1) : over;
    rcity_trace_path over_path = rcity_path_over_roofs(world, path);
    ray_chain chain = make_chain(&over_path);
    int begin = 0;
    while (begin < over_path.event_count && over_path.event[begin].kind != RCITY_EVENT_OVER_ROOFS) {
        begin++;
    }
    int end = begin;
    while (end < over_path.event_count && over_path.event[end].kind == RCITY_EVENT_OVER_ROOFS) {
        end++;
    }
    ray_field ray;
    rcity_real3 upright[2];
    set_upright(chain.along[0], ray.axis);
    ray.field = dyad_identity();
    follow_mirrors(world, &over_path, &chain, 0, begin, &ray, NULL);
    set_upright(chain.along[begin], upright);
    turn_to(&ray, upright);
    ray.field = rcity_dyad_multiply(dyad_diagonal(rcity_complex_make(over.field.re, over.field.im),
                                                  rcity_complex_make(over_phi.field.re, over_phi.field.im)),
                                    ray.field);
    set_upright(chain.along[end], ray.axis);
    follow_mirrors(world, &over_path, &chain, end, over_path.event_count, &ray, NULL);
    set_upright(chain.along[over_path.event_count], upright);
    turn_to(&ray, upright);
    return make_channel(world, &ray.field, over.length_m, 1.0 / over.length_m);
}

rcity_channel rcity_path_channel(const rcity_facet_table *world, const rcity_trace_path *path)
{
    if (rcity_path_is_chain(path)) {
        return chain_channel(world, path);
    }
    ray_chain chain = make_chain(path);
    int end = path->event_count;
    int edge_at[EDGE_MAX + 1] = {end, end, end};
    int edge_count = 0;
    for (int i = 0; i < end; i++) {
        if (path->event[i].kind == RCITY_EVENT_DIFFRACTION) {
            assert(edge_count < EDGE_MAX);
            edge_at[edge_count++] = i;
        }
    }
    ray_field ray;
    set_upright(chain.along[0], ray.axis);
    ray.field = dyad_identity();
    follow_mirrors(world, path, &chain, 0, edge_at[0], &ray, NULL);
    double spreading_per_m = 1.0 / chain.total_m;
    if (edge_count > 0) {
        spreading_per_m = edge_count == 1 ? edge_once(world, path, &chain, edge_at[0], &ray)
                                          : edge_twice(world, path, &chain, edge_at, &ray);
        follow_mirrors(world, path, &chain, edge_at[edge_count - 1] + 1, end, &ray, NULL);
    }
    rcity_real3 upright[2];
    set_upright(chain.along[end], upright);
    turn_to(&ray, upright);
    return make_channel(world, &ray.field, chain.total_m, spreading_per_m);
}
