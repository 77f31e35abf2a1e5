/* The field that a path between tiles carries: equation 4 of J. S. Lu et al. 2019, with Fresnel's and the uniform
   theory's dyads of kernel/wave and the spreading of the chain. */
#ifndef RCITY_KERNEL_TILES_TILE_CHANNEL_H
#define RCITY_KERNEL_TILES_TILE_CHANNEL_H

#include "kernel/tiles/tile_path.h"

#define RCITY_TILE_LEG_MIN_M RCITY_REAL(1e-4) /* a shorter leg has no direction of its own */

/* Faces at one frequency, and which of them tiles and edges have. */
typedef struct rcity_tile_faces_table {
    RCITY_GLOBAL const rcity_face *faces;
    RCITY_GLOBAL const rcity_i32 *tile_face; /* for each tile */
    RCITY_GLOBAL const rcity_i32 *edge_face; /* two for each edge: faces o and n */
    rcity_real wavenumber_per_m;
} rcity_tile_faces_table;

/* A path's field over that of its source at 1 m: 1 / r in free space. */
typedef struct rcity_tile_channel {
    rcity_dyad transfer; /* arriving over departing, theta and phi of the upright frames, without phase of the length */
    rcity_real length_m;
    rcity_real3 departure, arrival; /* directions of travel, of length 1 */
} rcity_tile_channel;

/* The legs of a path. */
typedef struct rcity_tile_legs {
    rcity_real3 along[RCITY_TUBE_EVENT_MAX + 1];
    rcity_real length_m[RCITY_TUBE_EVENT_MAX + 1];
} rcity_tile_legs;

RCITY_KERNEL rcity_tile_legs rcity_tile_legs_make(const rcity_tile_path *path)
{
    rcity_tile_legs legs;
    for (int i = 0; i <= RCITY_TUBE_EVENT_MAX; i++) { /* all of it: compilers cannot tell which legs there are */
        legs.along[i] = rcity_real3_make(RCITY_REAL(0.0), RCITY_REAL(0.0), RCITY_REAL(0.0));
        legs.length_m[i] = RCITY_REAL(0.0);
    }
    for (rcity_i32 i = 0; i <= path->event_count; i++) {
        rcity_real3 leg = rcity_real3_subtract(path->point[i + 1], path->point[i]);
        legs.length_m[i] = rcity_real_fmax(rcity_real3_length(leg), RCITY_TILE_LEG_MIN_M);
        legs.along[i] = rcity_real3_scale(leg, RCITY_REAL(1.0) / legs.length_m[i]);
    }
    return legs;
}

/* Metres of legs begin to end, both included. */
RCITY_KERNEL rcity_real rcity_tile_legs_sum(const rcity_tile_legs *legs, rcity_i32 begin, rcity_i32 end)
{
    rcity_real sum = RCITY_REAL(0.0);
    for (rcity_i32 i = begin; i <= end; i++) {
        sum += legs->length_m[i];
    }
    return sum;
}

/* Through events begin to end - 1, all of them mirrors; `turning` is mirrored along. */
RCITY_KERNEL void rcity_tile_follow(rcity_tile_world world, rcity_tile_faces_table table, const rcity_tube *tube,
                                    const rcity_tile_legs *legs, rcity_i32 begin, rcity_i32 end, rcity_ray_field *ray,
                                    rcity_real3 *turning)
{
    for (rcity_i32 i = begin; i < end; i++) {
        rcity_i32 number = tube->event[i];
        rcity_real3 normal = rcity_tile_normal(world.tiles[number]);
        rcity_ray_meet_face(table.faces[table.tile_face[number]], table.wavenumber_per_m, normal, 0, legs->along[i],
                            legs->along[i + 1], ray);
        *turning = rcity_real3_mirror(*turning, normal);
    }
}

/* Rays that stay so near to a face run along it: more than rounding. */
#define RCITY_TILE_ALONG_FACE_M RCITY_REAL(0.01)

RCITY_KERNEL rcity_edge_frame rcity_tile_edge_frame(rcity_tile_edge edge)
{
    rcity_edge_frame frame;
    frame.along = rcity_tile_edge_line(edge).along;
    frame.normal_o = rcity_real3_make((rcity_real)edge.nox, (rcity_real)edge.noy, (rcity_real)edge.noz);
    frame.in_face_o = rcity_real3_make((rcity_real)edge.iox, (rcity_real)edge.ioy, (rcity_real)edge.ioz);
    return frame;
}

/* Does a ray leave an edge, or come to it, along one of its faces? `off` points away from the edge. Bit 0: along face
   o, bit 1: along face n. */
RCITY_KERNEL int rcity_tile_along_faces(rcity_tile_edge edge, rcity_real3 off, rcity_real length_m)
{
    rcity_edge_frame frame = rcity_tile_edge_frame(edge);
    rcity_real over_o = rcity_real3_dot(off, frame.normal_o) * length_m;
    rcity_real along_o = rcity_real3_dot(off, frame.in_face_o) * length_m;
    rcity_real turn_cos = rcity_real_cos((rcity_real)edge.exterior_rad);
    rcity_real turn_sin = rcity_real_sin((rcity_real)edge.exterior_rad);
    rcity_real over_n = turn_sin * along_o - turn_cos * over_o;
    rcity_real along_n = turn_cos * along_o + turn_sin * over_o;
    return (rcity_real_fabs(over_o) < RCITY_TILE_ALONG_FACE_M && along_o > RCITY_REAL(0.0)) |
           (rcity_real_fabs(over_n) < RCITY_TILE_ALONG_FACE_M && along_n > RCITY_REAL(0.0)) << 1;
}

/* A face that reflects nothing. */
RCITY_KERNEL rcity_face rcity_tile_face_none(void)
{
    rcity_face face;
    face.permittivity = rcity_complex_make(RCITY_REAL(1.0), RCITY_REAL(0.0));
    face.thickness_m = RCITY_REAL(0.0);
    face.is_conductor = 0;
    face.rough_loss = RCITY_REAL(0.0);
    return face;
}

/* The incoming and the outgoing ray at the edge that event `at` is. A path that ends along a face and on the surface of
   a scene (`to_surface`: at a tile or an edge) ends on this face: as of all rays a tile has what comes in, without what
   its own surface reflects. A receiver in the plane of a face is none of its tiles. */
RCITY_KERNEL rcity_edge_ray rcity_tile_edge_ray(rcity_tile_world world, rcity_tile_faces_table table,
                                                const rcity_tube *tube, const rcity_tile_legs *legs, rcity_i32 at,
                                                int to_surface)
{
    rcity_i32 number = ~tube->event[at];
    rcity_tile_edge edge = world.edges[number];
    rcity_wedge wedge;
    wedge.exterior_rad = (rcity_real)edge.exterior_rad;
    wedge.face_o = table.faces[table.edge_face[2 * number]];
    wedge.face_n = table.faces[table.edge_face[2 * number + 1]];
    if (to_surface && at + 1 == tube->event_count) {
        int along = rcity_tile_along_faces(edge, legs->along[at + 1], legs->length_m[at + 1]);
        wedge.face_o = (along & 1) != 0 ? rcity_tile_face_none() : wedge.face_o;
        wedge.face_n = (along & 2) != 0 ? rcity_tile_face_none() : wedge.face_n;
    }
    return rcity_edge_ray_make(rcity_tile_edge_frame(edge), wedge, table.wavenumber_per_m, legs->along[at],
                               legs->along[at + 1]);
}

/* Diffraction at two edges; the spreading is in kernel/wave/wedge_pair.h. */
RCITY_KERNEL rcity_real rcity_tile_bend_twice(rcity_tile_world world, rcity_tile_faces_table table,
                                              const rcity_tube *tube, const rcity_tile_path *path,
                                              const rcity_tile_legs *legs, int to_surface, rcity_ray_field *ray)
{
    rcity_i32 first_at = path->edge_at[0];
    rcity_i32 second_at = path->edge_at[1];
    rcity_edge_ray first = rcity_tile_edge_ray(world, table, tube, legs, first_at, to_surface);
    rcity_edge_ray second = rcity_tile_edge_ray(world, table, tube, legs, second_at, to_surface);
    rcity_ray_field middle;
    middle.axis[0] = first.out_axis[0];
    middle.axis[1] = first.out_axis[1];
    middle.field = rcity_dyad_identity();
    rcity_real3 turning = first.out_axis[1];
    rcity_tile_follow(world, table, tube, legs, first_at + 1, second_at, &middle, &turning);
    rcity_ray_turn(&middle, second.in_axis[0], second.in_axis[1]);
    rcity_wedge_pair pair;
    pair.first = first.wedge;
    pair.second = second.wedge;
    pair.at_first = first.ray;
    pair.at_second = second.ray;
    pair.before_m = rcity_tile_legs_sum(legs, 0, first_at);
    pair.between_m = rcity_tile_legs_sum(legs, first_at + 1, second_at);
    pair.after_m = rcity_tile_legs_sum(legs, second_at + 1, path->event_count);
    pair.between = middle.field;
    pair.cos_twist = rcity_real3_dot(turning, second.in_axis[1]);
    pair.is_joined =
        second_at == first_at + 1 &&
        rcity_tile_along_faces(world.edges[~tube->event[first_at]], legs->along[second_at],
                               legs->length_m[second_at]) &&
        rcity_tile_along_faces(world.edges[~tube->event[second_at]],
                               rcity_real3_scale(legs->along[second_at], RCITY_REAL(-1.0)), legs->length_m[second_at]);
    rcity_ray_turn(ray, first.in_axis[0], first.in_axis[1]);
    rcity_ray_leave_edge(&second, rcity_wedge_pair_diffract(pair), ray);
    return RCITY_REAL(1.0) / (pair.before_m + pair.between_m + pair.after_m);
}

RCITY_KERNEL rcity_tile_channel rcity_tile_channel_make(rcity_tile_world world, rcity_tile_faces_table table,
                                                        const rcity_tube *tube, const rcity_tile_path *path,
                                                        int to_surface)
{
    rcity_tile_legs legs = rcity_tile_legs_make(path);
    rcity_i32 end = path->event_count;
    rcity_real3 turning = legs.along[0];
    rcity_tile_channel channel;
    channel.length_m = rcity_tile_legs_sum(&legs, 0, end);
    channel.departure = legs.along[0];
    channel.arrival = legs.along[end];
    rcity_ray_field ray = rcity_ray_field_make(legs.along[0]);
    rcity_tile_follow(world, table, tube, &legs, 0, path->edge_at[0], &ray, &turning);
    rcity_real spreading = RCITY_REAL(1.0) / channel.length_m;
    if (path->edge_count > 0) {
        rcity_i32 last_at = path->edge_at[path->edge_count - 1];
        if (path->edge_count == 1) {
            spreading = rcity_ray_meet_edge(rcity_tile_edge_ray(world, table, tube, &legs, last_at, to_surface),
                                            rcity_tile_legs_sum(&legs, 0, last_at),
                                            rcity_tile_legs_sum(&legs, last_at + 1, end), &ray);
        } else {
            spreading = rcity_tile_bend_twice(world, table, tube, path, &legs, to_surface, &ray);
        }
        rcity_tile_follow(world, table, tube, &legs, last_at + 1, end, &ray, &turning);
    }
    rcity_ray_turn_upright(&ray, legs.along[end]);
    channel.transfer = rcity_dyad_scale(ray.field, rcity_complex_make(spreading, RCITY_REAL(0.0)));
    return channel;
}

#endif
