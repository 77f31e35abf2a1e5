/* Launching rays through the columns of a city: one item is one direction of one source, with all its reflections. Two
   passes do the same walk. The first offers each path to its receiver, and each arrival to its edge, by a key whose
   minimum is kept; the second writes down those that won. So what is kept does not depend on the order of rays. */
#ifndef RCITY_KERNEL_CUBES_CUBE_LAUNCH_H
#define RCITY_KERNEL_CUBES_CUBE_LAUNCH_H

#include "kernel/cubes/cube_city.h"
#include "kernel/cubes/cube_map.h"
#include "kernel/cubes/cube_ray.h"

/* Paths of which the strongest is kept for each receiver. */
#define RCITY_CUBE_CLASS_DIRECT    0
#define RCITY_CUBE_CLASS_REFLECTED 1 /* at walls only */
#define RCITY_CUBE_CLASS_CORNER    2 /* around vertical edges, and reflected */
#define RCITY_CUBE_CLASS_ROOF      3 /* over roofs, and all of these */
#define RCITY_CUBE_CLASS_COUNT     4

/* Arrivals at an edge of which the strongest is kept: by reflections before, over no roof and over roofs. */
#define RCITY_CUBE_STATE_COUNT (2 * (RCITY_CUBE_REFLECTION_MAX + 1))
#define RCITY_CUBE_STREET_M    1.5f /* above its foot an arrival is weighed */

#define RCITY_CUBE_VAIN_MAX 8 /* columns that a ray is too weak for, before it is given up */

#define RCITY_CUBE_KEY_NONE (~(rcity_u64)0)

#define RCITY_CUBE_NEAR_M    0.01f /* no ray meets a wall so near to where it starts: that is the wall it comes from */
#define RCITY_CUBE_ROUNDED_M 1e-3f /* more than places are rounded */
#define RCITY_CUBE_NEAR_EDGE 0.05f /* nor an edge */
#define RCITY_CUBE_SPACINGS  0.75f /* a receiver so much of the way to the next ray, or nearer, is covered */
#define RCITY_CUBE_BESIDE    0.1f  /* of the edge length: so much beside a ray is a receiver near it, at any distance */

/* A source: the transmitter, or an arrival at an edge. `edge` is its number, -1 for the transmitter. */
typedef struct rcity_cube_ray_source {
    rcity_cube_ray ray;
    rcity_i32 edge;
} rcity_cube_ray_source;

/* A reflected ray that another item follows: on a device items then are many and short. */
typedef struct rcity_cube_branch {
    rcity_cube_ray ray;
    rcity_i32 edge, item;
    float spacing;
} rcity_cube_branch;

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_cube_job {
    rcity_cube_map map;
    rcity_i32 direction_count; /* of each source */
    rcity_i32 first_item;      /* number of the first of these items among all of a trace, from 1 on */
    rcity_i32 reflection_max, corner_max, roof_max;
    rcity_i32 has_bounds;  /* of columns: rays that only reach what is reached much better are given up */
    rcity_i32 is_keeping;  /* 0: the pass that offers; 1: the one that writes down */
    rcity_i32 branch_room; /* that may be handed over; 0: an item follows its own */
    rcity_i32 has_terrain;
    float highest_m;         /* of all receivers */
    float end_s;             /* no path is longer in plan */
    float range_m;           /* rays are not followed farther from where their source or its image is */
    float wall_permittivity; /* of a plain wall, relative */
    float wall_ratio;        /* ratio of powers that a reflection straight back costs in the choice of paths */
} rcity_cube_job;

/* What is read and written. Made where it is used, never a kernel argument. */
typedef struct rcity_cube_view {
    RCITY_GLOBAL const rcity_cube_column *columns;
    RCITY_GLOBAL const rcity_cube_wall *walls;
    RCITY_GLOBAL const rcity_cube_edge *edges;
    RCITY_GLOBAL const rcity_i32 *column_walls;
    RCITY_GLOBAL const rcity_i32 *column_edges;
    RCITY_GLOBAL const rcity_i32 *receiver_first; /* of each column, and the end */
    RCITY_GLOBAL const float *receivers;          /* x, y, z of each */
    RCITY_GLOBAL const rcity_cube_ray_source *sources;
    RCITY_GLOBAL const float *column_bounds;      /* costs beyond which a path to a column does not count */
    RCITY_GLOBAL rcity_u64 *receiver_keys;        /* RCITY_CUBE_CLASS_COUNT of each receiver */
    RCITY_GLOBAL rcity_cube_path *paths;          /* likewise */
    RCITY_GLOBAL rcity_u64 *edge_keys;            /* RCITY_CUBE_STATE_COUNT of each edge */
    RCITY_GLOBAL rcity_cube_ray_source *arrivals; /* likewise */
    RCITY_GLOBAL rcity_cube_branch *branches;     /* where there is room for them */
    RCITY_GLOBAL rcity_u32 *branch_count;         /* handed over, also those that found no room */
} rcity_cube_view;

RCITY_KERNEL rcity_u64 rcity_cube_key(float metric, rcity_i32 item)
{
    return (rcity_u64)rcity_float_bits(metric) << 32 | (rcity_u32)item;
}

/* Where a ray is, and what it does next. */
typedef struct rcity_cube_walk {
    rcity_cube_ray ray;
    rcity_i32 edge; /* it starts at */
    rcity_i32 item; /* with its number among all */
    float spacing;  /* angle to the next ray of its source */
    rcity_i32 column, row;
    float t_wall;         /* where it crossed the last wall, or started from one */
    rcity_i32 vain_count; /* columns in a row in which it was too weak to count */
    float t, t_out;       /* from the ray's place to where it is now, and to where it leaves the column */
} rcity_cube_walk;

/* Offer, or write down, the paths to the receivers of a column that the ray passes between t and `t_end`. */
RCITY_KERNEL void rcity_cube_take_receivers(rcity_cube_job job, rcity_cube_view view, const rcity_cube_walk *walk,
                                            rcity_i64 column, float t_in, float t_end)
{
    const rcity_cube_ray *ray = &walk->ray;
    for (rcity_i32 i = view.receiver_first[column]; i < view.receiver_first[column + 1]; i++) {
        float x = view.receivers[3 * i] - ray->x;
        float y = view.receivers[3 * i + 1] - ray->y;
        float along = rcity_fmin(rcity_fmax(x * ray->dx + y * ray->dy, t_in), walk->t_out);
        float beside = rcity_fabs(x * ray->dy - y * ray->dx);
        float allowed =
            RCITY_CUBE_SPACINGS * walk->spacing * (ray->s + along - ray->before_m) + RCITY_CUBE_BESIDE * job.map.edge_m;
        if (along < walk->t || !(along < t_end || t_end >= walk->t_out) || beside > allowed) {
            continue;
        }
        float from_x = view.receivers[3 * i] - ray->image_x;
        float from_y = view.receivers[3 * i + 1] - ray->image_y;
        rcity_cube_point to;
        to.s = ray->before_m + rcity_sqrt(from_x * from_x + from_y * from_y);
        to.z = view.receivers[3 * i + 2];
        rcity_i32 roofs = rcity_cube_ray_roofs(ray, job.roof_max, to);
        if (roofs < 0 || !rcity_cube_ray_passes(ray, roofs, to)) {
            continue;
        }
        rcity_cube_path path;
        rcity_cube_ray_path(ray, roofs, to, &path);
        rcity_i32 kind = roofs > 0              ? RCITY_CUBE_CLASS_ROOF
                         : ray->corners > 0     ? RCITY_CUBE_CLASS_CORNER
                         : ray->reflections > 0 ? RCITY_CUBE_CLASS_REFLECTED
                                                : RCITY_CUBE_CLASS_DIRECT;
        if (kind == RCITY_CUBE_CLASS_DIRECT) { /* its direction is known better than the ray's */
            float length = rcity_fmax(to.s, 1e-3f);
            path.departure_x = from_x / length;
            path.departure_y = from_y / length;
        }
        rcity_u64 key = rcity_cube_key(rcity_cube_path_metric(ray, &path), walk->item);
        rcity_i64 slot = (rcity_i64)i * RCITY_CUBE_CLASS_COUNT + kind;
        if (!job.is_keeping) {
            rcity_global_min64(&view.receiver_keys[slot], key);
        } else if (view.receiver_keys[slot] == key) {
            view.paths[slot] = path;
        }
    }
}

/* The ray as it arrives at an edge: a source from then on, whose directions are chosen later. */
RCITY_KERNEL void rcity_cube_arrive(const rcity_cube_walk *walk, rcity_cube_edge edge, rcity_i32 edge_index, float s,
                                    rcity_cube_ray_source *arrival)
{
    rcity_cube_ray *ray = &arrival->ray;
    *ray = walk->ray;
    float length = rcity_fmax(s - ray->before_m, 1e-3f);
    ray->dx = (edge.x - ray->image_x) / length;
    ray->dy = (edge.y - ray->image_y) / length;
    ray->x = ray->image_x = edge.x;
    ray->y = ray->image_y = edge.y;
    ray->s = ray->before_m = s;
    ray->corner_s[ray->corners] = s;
    ray->corners++;
    ray->passes[ray->pass_count].s = s;
    ray->passes[ray->pass_count].z = edge.top_m;
    ray->pass_count++;
    arrival->edge = edge_index;
}

/* Offer, or write down, the arrivals at edges of a column. */
RCITY_KERNEL void rcity_cube_take_edges(rcity_cube_job job, rcity_cube_view view, const rcity_cube_walk *walk,
                                        rcity_i64 column)
{
    const rcity_cube_ray *ray = &walk->ray;
    for (rcity_i32 i = view.columns[column].edge_first; i < view.columns[column + 1].edge_first; i++) {
        rcity_i32 index = view.column_edges[i];
        rcity_cube_edge edge = view.edges[index];
        float along = (edge.x - ray->x) * ray->dx + (edge.y - ray->y) * ray->dy;
        float beside = rcity_fabs((edge.x - ray->x) * ray->dy - (edge.y - ray->y) * ray->dx);
        float allowed = walk->spacing * (ray->s + along - ray->before_m) + 1e-3f;
        if (along < walk->t || along >= walk->t_out || along < RCITY_CUBE_NEAR_EDGE || beside > allowed ||
            index == walk->edge || !rcity_cube_edge_is_open(edge, -ray->dx, -ray->dy)) {
            continue;
        }
        float from_x = edge.x - ray->image_x;
        float from_y = edge.y - ray->image_y;
        rcity_cube_point to;
        to.s = ray->before_m + rcity_sqrt(from_x * from_x + from_y * from_y);
        to.z = rcity_fmin(edge.bottom_m + RCITY_CUBE_STREET_M, edge.top_m);
        rcity_i32 roofs = rcity_cube_ray_roofs(ray, job.roof_max, to);
        if (roofs < 0) { /* only its upper part is reached */
            to.z = edge.top_m;
            roofs = rcity_cube_ray_roofs(ray, job.roof_max, to);
        }
        if (roofs < 0) {
            continue;
        }
        rcity_cube_path path;
        rcity_cube_ray_path(ray, roofs, to, &path);
        rcity_i64 slot = (rcity_i64)index * RCITY_CUBE_STATE_COUNT + ray->reflections +
                         (roofs > 0 ? RCITY_CUBE_REFLECTION_MAX + 1 : 0);
        rcity_u64 key = rcity_cube_key(rcity_cube_path_metric(ray, &path), walk->item);
        if (!job.is_keeping) {
            rcity_global_min64(&view.edge_keys[slot], key);
        } else if (view.edge_keys[slot] == key) {
            rcity_cube_ray_source arrival;
            rcity_cube_arrive(walk, edge, index, to.s, &arrival);
            view.arrivals[slot] = arrival;
        }
    }
}

/* The first wall of a column that the ray crosses after the last one it has crossed; -1: none before it leaves. A wall on
   the border of two columns is in both, and found in one of them, however its place is rounded. */
RCITY_KERNEL rcity_i32 rcity_cube_find_wall(rcity_cube_view view, const rcity_cube_walk *walk, rcity_i64 column,
                                            float *t_cross)
{
    const rcity_cube_ray *ray = &walk->ray;
    rcity_i32 found = -1;
    float best = walk->t_out + RCITY_CUBE_ROUNDED_M;
    for (rcity_i32 i = view.columns[column].wall_first; i < view.columns[column + 1].wall_first; i++) {
        rcity_cube_wall wall = view.walls[view.column_walls[i]];
        float px = wall.x1 - ray->x, py = wall.y1 - ray->y;
        float ex = wall.x2 - wall.x1, ey = wall.y2 - wall.y1;
        float cross = ray->dx * ey - ray->dy * ex;
        float share = px * ray->dy - py * ray->dx; /* times cross: where on the wall */
        int is_on = cross > 0.0f ? share >= 0.0f && share <= cross : share <= 0.0f && share >= cross;
        float t = (px * ey - py * ex) / cross;
        if (is_on && cross != 0.0f && t > walk->t_wall && t < best) {
            best = t;
            found = view.column_walls[i];
        }
    }
    *t_cross = found < 0 ? walk->t_out : best;
    return found;
}

/* The ray mirrored where it meets a wall. */
RCITY_KERNEL void rcity_cube_reflect(rcity_cube_job job, rcity_cube_wall wall, rcity_cube_ray *ray)
{
    float toward = -(ray->dx * wall.normal_x + ray->dy * wall.normal_y);
    float before = (ray->image_x - wall.x1) * wall.normal_x + (ray->image_y - wall.y1) * wall.normal_y;
    ray->dx += 2.0f * toward * wall.normal_x;
    ray->dy += 2.0f * toward * wall.normal_y;
    ray->image_x -= 2.0f * before * wall.normal_x;
    ray->image_y -= 2.0f * before * wall.normal_y;
    ray->reflections++;
    ray->reflect_sum += toward;
    ray->metric *= 1.0f + (job.wall_ratio - 1.0f) * toward;
    ray->passes[ray->pass_count].s = ray->s;
    ray->passes[ray->pass_count].z = wall.top_m;
    ray->pass_count++;
}

/* The column that a ray starts in; a ray from outside of the map is moved to where it enters. @return 0: it never does. */
RCITY_KERNEL int rcity_cube_enter(rcity_cube_job job, rcity_cube_walk *walk)
{
    rcity_cube_ray *ray = &walk->ray;
    float width = (float)job.map.column_count * job.map.edge_m;
    float height = (float)job.map.row_count * job.map.edge_m;
    float x = ray->x - job.map.west_m;
    float y = ray->y - job.map.south_m;
    float low = 0.0f;
    float high = job.range_m;
    if (x < 0.0f || x >= width || y < 0.0f || y >= height) {
        if (rcity_fabs(ray->dx) > 1e-12f) {
            float a = -x / ray->dx, b = (width - x) / ray->dx;
            low = rcity_fmax(low, rcity_fmin(a, b));
            high = rcity_fmin(high, rcity_fmax(a, b));
        } else if (x < 0.0f || x >= width) {
            return 0;
        }
        if (rcity_fabs(ray->dy) > 1e-12f) {
            float a = -y / ray->dy, b = (height - y) / ray->dy;
            low = rcity_fmax(low, rcity_fmin(a, b));
            high = rcity_fmin(high, rcity_fmax(a, b));
        } else if (y < 0.0f || y >= height) {
            return 0;
        }
        if (!(low < high)) {
            return 0;
        }
        x += low * ray->dx;
        y += low * ray->dy;
        ray->x += low * ray->dx;
        ray->y += low * ray->dy;
        ray->s += low;
    }
    walk->column = (rcity_i32)rcity_floor(x / job.map.edge_m);
    walk->row = (rcity_i32)rcity_floor(y / job.map.edge_m);
    walk->column = walk->column < 0                       ? 0
                   : walk->column >= job.map.column_count ? job.map.column_count - 1
                                                          : walk->column;
    walk->row = walk->row < 0 ? 0 : walk->row >= job.map.row_count ? job.map.row_count - 1 : walk->row;
    walk->t = 0.0f;
    walk->t_wall = RCITY_CUBE_NEAR_M;
    walk->vain_count = 0;
    return 1;
}

/* What stands in a column without walls. */
RCITY_KERNEL void rcity_cube_pass_column(rcity_cube_job job, rcity_cube_view view, rcity_cube_walk *walk,
                                         rcity_i64 column)
{
    rcity_cube_point top;
    top.z = view.columns[column].top_m;
    top.s = walk->ray.s + 0.5f * (walk->t + walk->t_out);
    if (job.has_terrain || top.z > job.map.bottom_m) {
        rcity_cube_ray_raise(&walk->ray, job.roof_max, top);
    }
}

/* One column. @return 1 where the ray is reflected: then it has been moved there, mirrored, and `through` is the ray that
   goes on over the wall. */
RCITY_KERNEL int rcity_cube_walk_column(rcity_cube_job job, rcity_cube_view view, rcity_cube_walk *walk,
                                        rcity_cube_ray *through)
{
    rcity_i64 column = (rcity_i64)walk->row * job.map.column_count + walk->column;
    rcity_i32 has_walls = view.columns[column + 1].wall_first > view.columns[column].wall_first;
    float t_in = walk->t;
    if (walk->ray.corners < job.corner_max && view.columns[column + 1].edge_first > view.columns[column].edge_first) {
        rcity_cube_take_edges(job, view, walk, column);
    }
    if (!has_walls) {
        rcity_cube_take_receivers(job, view, walk, column, t_in, walk->t_out);
        rcity_cube_pass_column(job, view, walk, column);
        return 0;
    }
    for (;;) {
        float t_cross;
        rcity_i32 index = rcity_cube_find_wall(view, walk, column, &t_cross);
        rcity_cube_take_receivers(job, view, walk, column, t_in, t_cross);
        if (index < 0) {
            return 0;
        }
        rcity_cube_wall wall = view.walls[index];
        rcity_cube_point top;
        top.s = walk->ray.s + t_cross;
        top.z = wall.top_m;
        int faces = walk->ray.dx * wall.normal_x + walk->ray.dy * wall.normal_y < 0.0f;
        int is_reached = faces && walk->ray.reflections < job.reflection_max &&
                         rcity_cube_ray_roofs(&walk->ray, job.roof_max, top) >= 0;
        if (is_reached) {
            walk->ray.x += t_cross * walk->ray.dx;
            walk->ray.y += t_cross * walk->ray.dy;
            walk->ray.s = top.s;
            *through = walk->ray;
            rcity_cube_ray_raise(through, job.roof_max, top);
            rcity_cube_reflect(job, wall, &walk->ray);
            return 1;
        }
        rcity_cube_ray_raise(&walk->ray, job.roof_max, top);
        walk->t = rcity_fmin(t_cross, walk->t_out);
        walk->t_wall = t_cross + 0.1f * RCITY_CUBE_ROUNDED_M;
    }
}

/* Is a ray from an edge too weak to count in its column? What it has lost at least is known before its path is. */
RCITY_KERNEL int rcity_cube_is_vain(rcity_cube_job job, rcity_cube_view view, const rcity_cube_walk *walk)
{
    const float per_root_wavelength = 2.236f;
    const rcity_cube_ray *ray = &walk->ray;
    float s = ray->s + walk->t_out;
    float cost = s * s * ray->metric * ray->corner_ratio;
    for (rcity_i32 i = 0; i < ray->corners; i++) {
        cost *= rcity_cube_edge_ratio(rcity_cube_ray_corner(ray, i, s) * per_root_wavelength);
    }
    return cost > view.column_bounds[(rcity_i64)walk->row * job.map.column_count + walk->column];
}

/* Can it reach no receiver any more? All its mirror images come from one source, and so are as far from there. */
RCITY_KERNEL int rcity_cube_walk_is_spent(rcity_cube_job job, const rcity_cube_ray *ray)
{
    return rcity_cube_ray_is_spent(ray, job.roof_max, job.highest_m, job.end_s);
}

/* Hand a reflected ray over to an item of its own. @return 0: there is no room. */
RCITY_KERNEL int rcity_cube_hand_over(rcity_cube_job job, rcity_cube_view view, const rcity_cube_walk *walk)
{
    if (job.branch_room == 0) {
        return 0;
    }
    rcity_u32 at = rcity_global_add(view.branch_count, 1);
    if (at >= (rcity_u32)job.branch_room) {
        return 0;
    }
    view.branches[at].ray = walk->ray;
    view.branches[at].edge = walk->edge;
    view.branches[at].item = walk->item;
    view.branches[at].spacing = walk->spacing;
    return 1;
}

/* Follow a ray to its end, and all that come of it: a reflected one first, what goes on over the wall later. Called, since
   compilers of devices have gone wrong over functions of this size when they inlined them. */
RCITY_KERNEL_CALLED void rcity_cube_follow(rcity_cube_job job, rcity_cube_view view, rcity_cube_walk *walk)
{
    rcity_cube_ray waiting[RCITY_CUBE_REFLECTION_MAX];
    rcity_i32 waiting_count = 0;
    for (;;) {
        int is_alive = !rcity_cube_walk_is_spent(job, &walk->ray) && rcity_cube_enter(job, walk);
        rcity_i32 step_x = walk->ray.dx < 0.0f ? -1 : 1;
        rcity_i32 step_y = walk->ray.dy < 0.0f ? -1 : 1;
        float per_x = rcity_fabs(walk->ray.dx) > 1e-9f ? 1.0f / walk->ray.dx : 0.0f;
        float per_y = rcity_fabs(walk->ray.dy) > 1e-9f ? 1.0f / walk->ray.dy : 0.0f;
        while (is_alive) {
            float side_x = job.map.west_m + (float)(walk->column + (step_x > 0)) * job.map.edge_m - walk->ray.x;
            float side_y = job.map.south_m + (float)(walk->row + (step_y > 0)) * job.map.edge_m - walk->ray.y;
            float t_x = per_x != 0.0f ? side_x * per_x : 3e38f;
            float t_y = per_y != 0.0f ? side_y * per_y : 3e38f;
            rcity_cube_ray through;
            walk->t_out = rcity_fmax(rcity_fmin(t_x, t_y), walk->t);
            if (rcity_cube_walk_column(job, view, walk, &through)) {
                if (rcity_cube_hand_over(job, view, walk)) {
                    walk->ray = through;
                } else {
                    waiting[waiting_count++] = through;
                }
                break;
            }
            if (job.has_bounds) {
                walk->vain_count = rcity_cube_is_vain(job, view, walk) ? walk->vain_count + 1 : 0;
            }
            walk->t = walk->t_out;
            walk->column += t_x <= t_y ? step_x : 0;
            walk->row += t_x <= t_y ? 0 : step_y;
            is_alive = walk->column >= 0 && walk->column < job.map.column_count && walk->row >= 0 &&
                       walk->row < job.map.row_count && walk->ray.s + walk->t - walk->ray.before_m < job.range_m &&
                       walk->vain_count < RCITY_CUBE_VAIN_MAX && !rcity_cube_walk_is_spent(job, &walk->ray);
        }
        if (!is_alive) {
            if (waiting_count == 0) {
                return;
            }
            walk->ray = waiting[--waiting_count];
        }
    }
}

/* A ray that was handed over. */
RCITY_KERNEL void rcity_cube_follow_branch(rcity_cube_job job, rcity_cube_view view,
                                           RCITY_GLOBAL const rcity_cube_branch *branch)
{
    rcity_cube_walk walk;
    walk.ray = branch->ray;
    walk.edge = branch->edge;
    walk.item = branch->item;
    walk.spacing = branch->spacing;
    rcity_cube_follow(job, view, &walk);
}

/* One item: a direction of a source. Directions of the transmitter are spread over the circle, those of an edge likewise,
   and what would go into its solid is left out. */
RCITY_KERNEL void rcity_cube_launch_item(rcity_cube_job job, rcity_cube_view view, rcity_i32 item)
{
    rcity_cube_ray_source source = view.sources[item / job.direction_count];
    rcity_cube_walk walk;
    walk.ray = source.ray;
    walk.edge = source.edge;
    walk.item = job.first_item + item;
    walk.spacing = 2.0f * RCITY_PI / (float)job.direction_count;
    float azimuth = ((float)(item % job.direction_count) + 0.5f) * walk.spacing;
    float dx = rcity_cos(azimuth);
    float dy = rcity_sin(azimuth);
    if (source.edge < 0) {
        walk.ray.departure_x = dx;
        walk.ray.departure_y = dy;
    } else {
        if (!rcity_cube_edge_is_open(view.edges[source.edge], dx, dy)) {
            return;
        }
        float dot = dx * source.ray.dx + dy * source.ray.dy;
        float cross = dx * source.ray.dy - dy * source.ray.dx;
        rcity_i32 last = source.ray.corners - 1;
        rcity_cube_turn turn =
            rcity_cube_edge_turn(view.edges[source.edge], job.wall_permittivity,
                                 rcity_cube_edge_angle(view.edges[source.edge], -source.ray.dx, -source.ray.dy),
                                 rcity_cube_edge_angle(view.edges[source.edge], dx, dy));
        walk.ray.corner_root_m[last] = turn.root;
        walk.ray.corner_ratio *= turn.ratio;
        walk.ray.corner_angle += rcity_atan2(rcity_fabs(cross), dot);
    }
    walk.ray.dx = dx;
    walk.ray.dy = dy;
    rcity_cube_follow(job, view, &walk);
}

#endif
