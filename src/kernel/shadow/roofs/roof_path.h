/* What is kept of an over-roof path: its length and sums over its turns. */
#ifndef RCITY_KERNEL_SHADOW_ROOFS_ROOF_PATH_H
#define RCITY_KERNEL_SHADOW_ROOFS_ROOF_PATH_H

#include "kernel/shadow/shadow_turns.h"
#include "kernel/visibility/roofs/roof_hull.h"

/* Edges nearer to each other than this in plan make one turn: where the line cuts off the corner of a house, that is
   one edge. */
#define RCITY_ROOF_JOIN_M 0.05f

/* As rcity_shadow_turns, and the direction at the source. */
typedef struct rcity_roof_path {
    float length_m;
    float angle_sum_rad, angle_square_sum_rad2;
    float log_distance_sum;       /* of log10(L / 1 m), L = s s' / (s + s') with the legs before and after a turn */
    rcity_i32 count;              /* of turns, or RCITY_ROOF_PATH_DEFERRED */
    float elevation_rad;          /* of the first leg, as it leaves the source: positive upward */
    float grazing_root_m, pair_m; /* as in rcity_shadow_roof: rcity_roof_path_bend() */
    float ground_root_m;          /* the same: rcity_roof_bare_ground() */
} rcity_roof_path;

/* The path has too many edges for the device: the host has room for them. */
#define RCITY_ROOF_PATH_DEFERRED (-1)

/* Between two cliffs the tangents may meet beyond the range of integers; 65 km is high enough. */
#define RCITY_ROOF_CLIMB_MAX 1073741824.0f

/* A turn of the path. Edges that are joined to one turn lie where the highest of them is; edges of the ground lie where
   the tangents meet. */
typedef struct rcity_roof_turn {
    float angle_in, angle_out; /* elevations of the legs before and after */
    rcity_i32 place, height;
    rcity_i32 last; /* its last edge */
} rcity_roof_turn;

RCITY_KERNEL float rcity_roof_elevation(const rcity_roof_hull *hull, rcity_roof_scale scale, rcity_i32 from)
{
    float rise = (float)(hull->height[from + 1] - hull->height[from]) * scale.height_m;
    float run = (float)(hull->place[from + 1] - hull->place[from]) * scale.place_m;
    return rcity_atan2(rise, run);
}

/* Are edge i and the next one a single turn? Ground is a long round back, not an edge at each cell of its grid. */
RCITY_KERNEL int rcity_roof_is_joined(const rcity_roof_hull *hull, rcity_roof_scale scale, rcity_i32 i)
{
    int is_ground = hull->wall[i] == RCITY_ROOF_EDGE_GROUND && hull->wall[i + 1] == RCITY_ROOF_EDGE_GROUND;
    return is_ground || (float)(hull->place[i + 1] - hull->place[i]) * scale.place_m < RCITY_ROOF_JOIN_M;
}

/* The turn that begins with edge `first`. */
RCITY_KERNEL rcity_roof_turn rcity_roof_turn_make(const rcity_roof_hull *hull, rcity_roof_scale scale, rcity_i32 first,
                                                  float angle_in)
{
    rcity_roof_turn turn;
    rcity_i32 last = first;
    while (last + 2 < hull->count && rcity_roof_is_joined(hull, scale, last)) {
        last++;
    }
    turn.last = last;
    turn.angle_in = angle_in;
    turn.angle_out = rcity_roof_elevation(hull, scale, last);
    turn.place = hull->place[first];
    turn.height = hull->height[first];
    rcity_i32 before = hull->place[first] - hull->place[first - 1];
    rcity_i32 after = hull->place[last + 1] - hull->place[last];
    int is_ground = 1;
    for (rcity_i32 i = first; i <= last; i++) {
        is_ground &= hull->wall[i] == RCITY_ROOF_EDGE_GROUND;
        if (hull->height[i] > turn.height) {
            turn.place = hull->place[i];
            turn.height = hull->height[i];
        }
    }
    if (last > first && is_ground) { /* integers first: the tangents of a small turn hardly differ */
        rcity_i32 room = hull->place[last] - hull->place[first];
        rcity_i32 rise = hull->height[first] - hull->height[first - 1];
        rcity_i32 drop = hull->height[last + 1] - hull->height[last];
        rcity_i64 part = (rcity_i64)(hull->height[last] - hull->height[first]) * after - (rcity_i64)drop * room;
        rcity_i64 whole = (rcity_i64)rise * after - (rcity_i64)drop * before;
        /* One ratio for both, so that its rounding error moves the turn only along the leg before it, and by as little.
           A height taken from the rounded place would be far off where a leg is steep, below a cliff. */
        float ratio = whole > 0 ? (float)part / (float)whole : 0.0f;
        float climb = (float)rise * ratio;
        climb = climb < RCITY_ROOF_CLIMB_MAX ? climb : RCITY_ROOF_CLIMB_MAX;
        turn.place = hull->place[first] + (rcity_i32)((float)before * ratio + 0.5f);
        turn.height = hull->height[first] + (rcity_i32)(climb + 0.5f);
    }
    return turn;
}

RCITY_KERNEL float rcity_roof_distance(rcity_roof_scale scale, rcity_i32 run, rcity_i32 rise)
{
    float run_m = (float)run * scale.place_m;
    float rise_m = (float)rise * scale.height_m;
    return rcity_sqrt(run_m * run_m + rise_m * rise_m);
}

/* A path without turns. */
RCITY_KERNEL rcity_roof_path rcity_roof_path_straight(const rcity_roof_line *line, rcity_roof_scale scale)
{
    rcity_i32 rise = (line->bz - line->az) * (1 << RCITY_ROOF_HEIGHT_SHIFT);
    rcity_roof_path path;
    path.length_m = rcity_roof_distance(scale, line->end, rise);
    path.angle_sum_rad = 0.0f;
    path.angle_square_sum_rad2 = 0.0f;
    path.log_distance_sum = 0.0f;
    path.count = 0;
    path.elevation_rad = rcity_atan2((float)rise * scale.height_m, (float)line->end * scale.place_m);
    path.grazing_root_m = RCITY_SHADOW_CLEAR_ROOT_M;
    path.pair_m = 0.0f;
    path.ground_root_m = RCITY_SHADOW_CLEAR_ROOT_M;
    return path;
}

/* No path. */
RCITY_KERNEL rcity_roof_path rcity_roof_path_none(void)
{
    rcity_roof_path path;
    path.length_m = 0.0f;
    path.angle_sum_rad = 0.0f;
    path.angle_square_sum_rad2 = 0.0f;
    path.log_distance_sum = 0.0f;
    path.count = 0;
    path.elevation_rad = 0.0f;
    path.grazing_root_m = RCITY_SHADOW_CLEAR_ROOT_M;
    path.pair_m = 0.0f;
    path.ground_root_m = RCITY_SHADOW_CLEAR_ROOT_M;
    return path;
}

/* A vector in the vertical plane, in metres. */
typedef struct rcity_roof_vector {
    float run, rise;
} rcity_roof_vector;

RCITY_KERNEL float rcity_roof_vector_cross(rcity_roof_vector a, rcity_roof_vector b)
{
    return a.run * b.rise - a.rise * b.run;
}

RCITY_KERNEL rcity_roof_vector rcity_roof_vector_make(rcity_roof_scale scale, rcity_i32 run, rcity_i32 rise)
{
    rcity_roof_vector vector;
    vector.run = (float)run * scale.place_m;
    vector.rise = (float)rise * scale.height_m;
    return vector;
}

RCITY_KERNEL rcity_roof_vector rcity_roof_direction(float elevation_rad)
{
    rcity_roof_vector vector;
    vector.run = rcity_cos(elevation_rad);
    vector.rise = rcity_sin(elevation_rad);
    return vector;
}

/* The longest leg between two turns, and by how much the path turns before it. */
typedef struct rcity_roof_middle {
    float length_m, elevation_rad, angle_before_rad;
    rcity_i32 place, height; /* of its start */
} rcity_roof_middle;

/* The edges of the path as one knife edge and a second one.
   One: where the tangents from source and receiver meet (Bullington), with the angle by which the path turns
   altogether. It is exact for a single edge, and for edges that are close together.
   Second: the edges before the longest leg between turns and those after it as one edge each, found the same way, with
   turns a and b and legs p, q, r. Far from grazing the loss of two edges is (2 pi a)^2 (2 pi b)^2 p q r / (wavelength^2
   (p + q + r)) in power, the product of two single ones and of how the waves spread between them (Epstein and Peterson's
   with Millington's correction). What this is more than the one edge's (2 pi c)^2 L / wavelength is 1 + pair_m /
   wavelength: pair_m vanishes where either turn or the leg between them does. */
RCITY_KERNEL void rcity_roof_path_bend(const rcity_roof_hull *hull, rcity_roof_scale scale, rcity_roof_middle middle,
                                       float last_elevation_rad, rcity_roof_path *path)
{
    const float steepest = 1e-4f; /* a smaller turn does not tell where tangents meet */
    rcity_i32 last = hull->count - 1;
    rcity_roof_vector first = rcity_roof_direction(path->elevation_rad);
    rcity_roof_vector final = rcity_roof_direction(last_elevation_rad);
    rcity_roof_vector whole =
        rcity_roof_vector_make(scale, hull->place[last] - hull->place[0], hull->height[last] - hull->height[0]);
    float chord = 2.0f * rcity_sin(0.5f * path->angle_sum_rad);
    float distance_m;
    if (path->count == 1) {
        distance_m = rcity_exp(2.30258509f * path->log_distance_sum);
    } else {
        float sine = rcity_fmax(rcity_sin(path->angle_sum_rad), steepest);
        float to_m = rcity_fmax(-rcity_roof_vector_cross(whole, final) / sine, 0.0f);
        float from_m = rcity_fmax(-rcity_roof_vector_cross(first, whole) / sine, 0.0f);
        distance_m = to_m + from_m > 0.0f ? to_m * from_m / (to_m + from_m) : 0.0f;
    }
    path->grazing_root_m = chord * rcity_sqrt(2.0f * distance_m);
    path->pair_m = 0.0f;
    float before_rad = middle.angle_before_rad;
    float after_rad = path->angle_sum_rad - before_rad;
    if (path->count < 2 || before_rad < steepest || after_rad < steepest || !(distance_m > 0.0f)) {
        return;
    }
    rcity_roof_vector along = rcity_roof_direction(middle.elevation_rad);
    rcity_roof_vector start =
        rcity_roof_vector_make(scale, middle.place - hull->place[0], middle.height - hull->height[0]);
    rcity_roof_vector end;
    end.run = whole.run - start.run;
    end.rise = whole.rise - start.rise;
    float p = rcity_fmax(-rcity_roof_vector_cross(start, along) / rcity_sin(before_rad), 0.0f);
    float r = rcity_fmax(-rcity_roof_vector_cross(along, end) / rcity_sin(after_rad), 0.0f);
    float q = (whole.run - p * first.run - r * final.run) * along.run +
              (whole.rise - p * first.rise - r * final.rise) * along.rise;
    float turn = 2.0f * rcity_sin(0.5f * before_rad) * 2.0f * rcity_sin(0.5f * after_rad) / chord;
    if (q > 0.0f) {
        path->pair_m = 4.0f * RCITY_PI * RCITY_PI * turn * turn * p * q * r / ((p + q + r) * distance_m);
    }
}

RCITY_KERNEL rcity_roof_path rcity_roof_path_sum(const rcity_roof_hull *hull, rcity_roof_scale scale)
{
    rcity_roof_path path = rcity_roof_path_none();
    rcity_i32 place = hull->place[0]; /* of the last turn */
    rcity_i32 height = hull->height[0];
    float leg_before = 0.0f;
    float angle_in = rcity_roof_elevation(hull, scale, 0);
    rcity_roof_middle middle = {0.0f, 0.0f, 0.0f, 0, 0};
    path.elevation_rad = angle_in;
    for (rcity_i32 i = 1; i < hull->count;) {
        rcity_roof_turn turn;
        if (i + 1 < hull->count) {
            turn = rcity_roof_turn_make(hull, scale, i, angle_in);
        } else {
            turn.place = hull->place[i];
            turn.height = hull->height[i];
            turn.last = i;
            turn.angle_in = 0.0f;
            turn.angle_out = 0.0f;
        }
        float leg = rcity_roof_distance(scale, turn.place - place, turn.height - height);
        path.length_m += leg;
        path.log_distance_sum += i > 1 ? rcity_log10(leg_before * leg / (leg_before + leg)) : 0.0f;
        if (i + 1 < hull->count) {
            if (path.count > 0 && leg > middle.length_m) {
                middle.length_m = leg;
                middle.elevation_rad = angle_in;
                middle.angle_before_rad = path.angle_sum_rad;
                middle.place = place;
                middle.height = height;
            }
            float angle = turn.angle_in - turn.angle_out;
            path.angle_sum_rad += angle;
            path.angle_square_sum_rad2 += angle * angle;
            path.count++;
        }
        leg_before = leg;
        angle_in = i + 1 < hull->count ? turn.angle_out : angle_in;
        place = turn.place;
        height = turn.height;
        i = turn.last + 1;
    }
    rcity_roof_path_bend(hull, scale, middle, angle_in, &path);
    if (hull->is_full) {
        path.count = RCITY_ROOF_PATH_DEFERRED;
    }
    return path;
}

#endif
