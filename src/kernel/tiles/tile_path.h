/* The path of a tube to a place, point by point, as exact as the planes of its tiles and the lines of its edges are:
   reflections by images, edges by Keller's cone. */
#ifndef RCITY_KERNEL_TILES_TILE_PATH_H
#define RCITY_KERNEL_TILES_TILE_PATH_H

#include "kernel/tiles/tube.h"

/* Points of a path: the transmitter, one for each event, the place. */
typedef struct rcity_tile_path {
    rcity_i32 event_count;
    rcity_i32 edge_count;
    rcity_i32 edge_at[RCITY_TUBE_EDGE_MAX]; /* events that are edges; event_count where there is none */
    rcity_real3 point[RCITY_TUBE_EVENT_MAX + 2];
} rcity_tile_path;

/* The tiles and edges that events refer to. */
typedef struct rcity_tile_world {
    RCITY_GLOBAL const rcity_tile *tiles;
    RCITY_GLOBAL const rcity_tile_edge *edges;
} rcity_tile_world;

/* A straight edge. */
typedef struct rcity_line3 {
    rcity_real3 start, along;
} rcity_line3;

RCITY_KERNEL rcity_line3 rcity_tile_edge_line(rcity_tile_edge edge)
{
    rcity_line3 line;
    line.start = rcity_tile_edge_start(edge);
    line.along = rcity_real3_unit(rcity_real3_subtract(rcity_tile_edge_end(edge), line.start));
    return line;
}

RCITY_KERNEL rcity_real3 rcity_line3_meet(rcity_line3 line, rcity_real3 from, rcity_real3 to)
{
    return rcity_real3_add(line.start,
                           rcity_real3_scale(line.along, rcity_edge_meet(line.start, line.along, from, to)));
}

/* A place as it appears through the mirrors of events `end` - 1 down to `begin`. */
RCITY_KERNEL rcity_real3 rcity_tile_image_back(rcity_tile_world world, const rcity_tube *tube, rcity_i32 begin,
                                               rcity_i32 end, rcity_real3 place)
{
    for (rcity_i32 i = end - 1; i >= begin; i--) {
        place = rcity_tile_mirror(world.tiles[tube->event[i]], place);
    }
    return place;
}

/* Fill the points of events begin to end - 1, all of them mirrors, between two known points of the path. The target is
   seen as an image through all of them, then through all but the first, and so on.
   @return 0 where a leg does not cross its plane. */
RCITY_KERNEL int rcity_tile_path_mirrors(rcity_tile_world world, const rcity_tube *tube, rcity_i32 begin, rcity_i32 end,
                                         rcity_tile_path *path)
{
    rcity_real3 from = path->point[begin];
    rcity_real3 target = rcity_tile_image_back(world, tube, begin, end, path->point[end + 1]);
    for (rcity_i32 i = begin; i < end; i++) {
        rcity_tile tile = world.tiles[tube->event[i]];
        rcity_real share = rcity_tile_cross(tile, target, from); /* the image lies behind the plane, `from` before it */
        if (share < RCITY_REAL(0.0)) {
            return 0;
        }
        from = rcity_real3_add(target, rcity_real3_scale(rcity_real3_subtract(from, target), share));
        path->point[i + 1] = from;
        target = rcity_tile_mirror(tile, target);
    }
    return 1;
}

/* The points on two edges, by turns, each from the other; mirrors may stand between them. Between parallel edges a turn
   is linear, and Aitken's step ends where all turns would. */
RCITY_KERNEL void rcity_tile_path_bend_twice(rcity_tile_world world, const rcity_tube *tube, rcity_real3 source,
                                             rcity_real3 target, rcity_tile_path *path)
{
    rcity_i32 first_at = path->edge_at[0];
    rcity_i32 second_at = path->edge_at[1];
    rcity_line3 first = rcity_tile_edge_line(world.edges[~tube->event[first_at]]);
    rcity_line3 second = rcity_tile_edge_line(world.edges[~tube->event[second_at]]);
    rcity_real3 ahead = rcity_real3_add(second.start, second.along);
    second.start = rcity_tile_image_back(world, tube, first_at + 1, second_at, second.start);
    ahead = rcity_tile_image_back(world, tube, first_at + 1, second_at, ahead);
    second.along = rcity_real3_subtract(ahead, second.start);
    target = rcity_tile_image_back(world, tube, first_at + 1, second_at, target);
    rcity_real at = rcity_edge_meet(first.start, first.along, source, target);
    rcity_real3 q1 = source;
    rcity_real3 q2 = target;
    for (int round = 0; round < 4; round++) {
        rcity_real next[2];
        rcity_real from = at;
        for (int i = 0; i < 2; i++) {
            q1 = rcity_real3_add(first.start, rcity_real3_scale(first.along, from));
            q2 = rcity_line3_meet(second, q1, target);
            from = next[i] = rcity_edge_meet(first.start, first.along, source, q2);
        }
        rcity_real step = next[0] - at;
        rcity_real bend = next[1] - next[0] - step;
        at = rcity_real_fabs(bend) > RCITY_REAL(1e-6) * rcity_real_fabs(step) ? at - step * step / bend : next[1];
    }
    q1 = rcity_real3_add(first.start, rcity_real3_scale(first.along, at));
    q2 = rcity_line3_meet(second, q1, target);
    path->point[first_at + 1] = q1;
    for (rcity_i32 i = first_at + 1; i < second_at; i++) { /* back from what the first edge sees */
        q2 = rcity_tile_mirror(world.tiles[tube->event[i]], q2);
    }
    path->point[second_at + 1] = q2;
}

/* Is a place of a tile's plane on the surface that the tile is cut from? */
RCITY_KERNEL int rcity_tile_surface_holds(rcity_tile tile, rcity_real3 place)
{
    rcity_real3 off = rcity_real3_subtract(place, rcity_tile_centre(tile));
    rcity_real3 along_u = rcity_real3_make((rcity_real)tile.ux, (rcity_real)tile.uy, (rcity_real)tile.uz);
    float u = (float)rcity_real3_dot(off, along_u);
    float v = (float)rcity_real3_dot(off, rcity_real3_cross(rcity_tile_normal(tile), along_u));
    return u >= tile.low_u - RCITY_TILE_END_M && u <= tile.high_u + RCITY_TILE_END_M &&
           v >= tile.low_v - RCITY_TILE_END_M && v <= tile.high_v + RCITY_TILE_END_M;
}

/* Is a place of an edge's line on the whole edge? */
RCITY_KERNEL int rcity_tile_edge_holds(rcity_tile_edge edge, rcity_real3 place)
{
    rcity_real3 start = rcity_tile_edge_start(edge);
    rcity_real3 whole = rcity_real3_subtract(rcity_tile_edge_end(edge), start);
    rcity_real length_m = rcity_real3_length(whole);
    float at_m = (float)(rcity_real3_dot(rcity_real3_subtract(place, start), whole) / length_m);
    return at_m >= -edge.before_m - RCITY_TILE_END_M && at_m <= (float)length_m + edge.after_m + RCITY_TILE_END_M;
}

/* Are all points of a path on their surfaces and edges? A tube was followed through the centres of its tiles; the path
   to another place may leave a surface that ends near them. */
RCITY_KERNEL int rcity_tile_path_holds(rcity_tile_world world, const rcity_tube *tube, const rcity_tile_path *path)
{
    int holds = 1;
    for (rcity_i32 i = 0; i < path->event_count; i++) {
        rcity_i32 event = tube->event[i];
        holds &= rcity_event_is_edge(event) ? rcity_tile_edge_holds(world.edges[~event], path->point[i + 1])
                                            : rcity_tile_surface_holds(world.tiles[event], path->point[i + 1]);
    }
    return holds;
}

/* The path of a tube from its transmitter to a place. @return 0 where there is none. */
RCITY_KERNEL int rcity_tile_path_make(rcity_tile_world world, const rcity_tube *tube, rcity_real3 tx, rcity_real3 to,
                                      rcity_tile_path *path)
{
    rcity_i32 end = tube->event_count;
    path->event_count = end;
    path->edge_count = 0;
    path->edge_at[0] = end;
    path->edge_at[1] = end;
    for (rcity_i32 i = 0; i < end; i++) {
        if (rcity_event_is_edge(tube->event[i])) {
            path->edge_at[path->edge_count++] = i;
        }
    }
    path->point[0] = tx;
    path->point[end + 1] = to;
    if (path->edge_count == 0) {
        return rcity_tile_path_mirrors(world, tube, 0, end, path) && rcity_tile_path_holds(world, tube, path);
    }
    rcity_i32 first_at = path->edge_at[0];
    rcity_i32 last_at = path->edge_at[path->edge_count - 1];
    rcity_real3 source = tx;
    for (rcity_i32 i = 0; i < first_at; i++) {
        source = rcity_tile_mirror(world.tiles[tube->event[i]], source);
    }
    rcity_real3 target = rcity_tile_image_back(world, tube, last_at + 1, end, to);
    if (path->edge_count == 1) {
        rcity_line3 line = rcity_tile_edge_line(world.edges[~tube->event[first_at]]);
        path->point[first_at + 1] = rcity_line3_meet(line, source, target);
    } else {
        rcity_tile_path_bend_twice(world, tube, source, target, path);
    }
    int is_whole = rcity_tile_path_mirrors(world, tube, 0, first_at, path) &
                   rcity_tile_path_mirrors(world, tube, last_at + 1, end, path);
    if (path->edge_count == 2) {
        is_whole &= rcity_tile_path_mirrors(world, tube, first_at + 1, last_at, path);
    }
    return is_whole && rcity_tile_path_holds(world, tube, path);
}

#endif
