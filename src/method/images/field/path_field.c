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

#include "kernel/wave/ray_field.h"
#include "method/images/field/flat_roofs.h"
#include "method/images/field/path_chain.h"

#define TWO_PI       6.28318530717958647692
#define EDGE_MAX     2    /* diffractions of a path; chains over roofs may have more */
#define LENGTH_MIN_M 1e-9 /* a shorter leg of a path has no direction of its own */

/* A path as a chain of legs: leg i leads to event i, the last leg to the receiver. */
typedef struct ray_chain {
    rcity_real3 along[RCITY_RAY_EVENT_MAX + 1]; /* direction of travel */
    double length_m[RCITY_RAY_EVENT_MAX + 1];
    double total_m;
} ray_chain;

static rcity_real3 to_real3(rcity_place3 place)
{
    return rcity_real3_make(place.x, place.y, place.z);
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

static void meet_mirror(const rcity_facet_table *world, const rcity_mirror *mirror, bool passes, rcity_real3 in,
                        rcity_real3 out, rcity_ray_field *ray)
{
    rcity_face face = get_face(world, mirror->material_index);
    face.rough_loss = mirror->kind == RCITY_MIRROR_GROUND ? 0.0 : face.rough_loss;
    rcity_ray_meet_face(face, TWO_PI / world->wavelength_m, to_real3(mirror->normal), passes, in, out, ray);
    if (passes) {
        rcity_complex kept = rcity_complex_make(1.0 - world->passed_loss, 0.0);
        ray->field = rcity_dyad_scale(ray->field, kept);
    }
}

/* Follow a ray through events begin to end - 1, all of them mirrors. The vector `turning`, unless NULL, is reflected
   along with the ray. */
static void follow_mirrors(const rcity_facet_table *world, const rcity_trace_path *path, const ray_chain *chain,
                           int begin, int end, rcity_ray_field *ray, rcity_real3 *turning)
{
    for (int i = begin; i < end; i++) {
        rcity_mirror mirror;
        rcity_trace_mirror(world, path->event[i].object, &mirror);
        bool passes = path->event[i].kind == RCITY_EVENT_TRANSMISSION;
        meet_mirror(world, &mirror, passes, chain->along[i], chain->along[i + 1], ray);
        if (turning != NULL && !passes) {
            *turning = rcity_real3_mirror(*turning, to_real3(mirror.normal));
        }
    }
}

static rcity_edge_ray make_edge_ray(const rcity_facet_table *world, const rcity_facet_edge *facet_edge, rcity_real3 in,
                                    rcity_real3 out)
{
    rcity_edge_frame frame = {to_real3(facet_edge->along), to_real3(facet_edge->normal_o),
                              to_real3(facet_edge->in_face_o)};
    rcity_wedge wedge;
    wedge.exterior_rad = facet_edge->exterior_rad;
    wedge.face_o = get_face(world, facet_edge->material_o);
    wedge.face_n = get_face(world, facet_edge->material_n);
    return rcity_edge_ray_make(frame, wedge, TWO_PI / world->wavelength_m, in, out);
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
static rcity_edge_ray meet_edge(const rcity_facet_table *world, const rcity_trace_path *path, const ray_chain *chain,
                                int at)
{
    return make_edge_ray(world, &world->edges[path->event[at].object], chain->along[at], chain->along[at + 1]);
}

/* Diffraction at one edge. @return the spreading, which is 1 / r in free space. */
static double edge_once(const rcity_facet_table *world, const rcity_trace_path *path, const ray_chain *chain, int at,
                        rcity_ray_field *ray)
{
    return rcity_ray_meet_edge(meet_edge(world, path, chain, at), legs_m(chain, 0, at),
                               legs_m(chain, at + 1, path->event_count), ray);
}

/* Diffraction at two edges, with or without mirrors between them; the spreading is in kernel/wave/wedge_pair.h. */
static double edge_twice(const rcity_facet_table *world, const rcity_trace_path *path, const ray_chain *chain,
                         const int at[2], rcity_ray_field *ray)
{
    rcity_edge_ray first = meet_edge(world, path, chain, at[0]);
    rcity_edge_ray second = meet_edge(world, path, chain, at[1]);
    rcity_ray_field middle = {{first.out_axis[0], first.out_axis[1]}, rcity_dyad_identity()};
    rcity_real3 turning = first.out_axis[1];
    follow_mirrors(world, path, chain, at[0] + 1, at[1], &middle, &turning);
    rcity_ray_turn(&middle, second.in_axis[0], second.in_axis[1]);
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
    pair.is_joined = at[1] == at[0] + 1 && rcity_edge_ray_is_in_face(&first, first.ray.phi_out_rad) &&
                     rcity_edge_ray_is_in_face(&second, second.ray.phi_in_rad);
    rcity_ray_turn(ray, first.in_axis[0], first.in_axis[1]);
    rcity_ray_leave_edge(&second, rcity_wedge_pair_diffract(pair), ray);
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
    rcity_ray_field ray = rcity_ray_field_make(chain.along[0]);
    follow_mirrors(world, &over_path, &chain, 0, begin, &ray, NULL);
    rcity_ray_turn_upright(&ray, chain.along[begin]);
    ray.field = rcity_dyad_multiply(rcity_dyad_diagonal(rcity_complex_make(over.field.re, over.field.im),
                                                        rcity_complex_make(over_phi.field.re, over_phi.field.im)),
                                    ray.field);
    rcity_upright upright = rcity_upright_of(chain.along[end]);
    ray.axis[0] = upright.theta;
    ray.axis[1] = upright.phi;
    follow_mirrors(world, &over_path, &chain, end, over_path.event_count, &ray, NULL);
    rcity_ray_turn_upright(&ray, chain.along[over_path.event_count]);
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
    rcity_ray_field ray = rcity_ray_field_make(chain.along[0]);
    follow_mirrors(world, path, &chain, 0, edge_at[0], &ray, NULL);
    double spreading_per_m = 1.0 / chain.total_m;
    if (edge_count > 0) {
        spreading_per_m = edge_count == 1 ? edge_once(world, path, &chain, edge_at[0], &ray)
                                          : edge_twice(world, path, &chain, edge_at, &ray);
        follow_mirrors(world, path, &chain, edge_at[edge_count - 1] + 1, end, &ray, NULL);
    }
    rcity_ray_turn_upright(&ray, chain.along[end]);
    return make_channel(world, &ray.field, chain.total_m, spreading_per_m);
}
