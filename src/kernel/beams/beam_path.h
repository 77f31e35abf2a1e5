/* The paths that the end of a beam brings to a cell. */
#ifndef RCITY_KERNEL_BEAMS_BEAM_PATH_H
#define RCITY_KERNEL_BEAMS_BEAM_PATH_H

#include "kernel/beams/beam_field.h"
#include "kernel/beams/beam_job.h"
#include "kernel/beams/beam_limit.h"

#define RCITY_BEAM_FORWARD_MIN 1e-9f
#define RCITY_BEAM_OFF_MIN     1e-6f /* nearer to where a ray ends is there */
#define RCITY_BEAM_FOUR_PI     12.566370614359172f
#define RCITY_BEAM_STEEP       2.0f /* walls may reflect so much more of steep rays than the least loss says */
#define RCITY_BEAM_ROUNDING    1.001f
#define RCITY_BEAM_ANY_POWER   1e30f /* by the paper's law, which knows no fields */

/* The last leg to a cell. */
RCITY_KERNEL rcity_beam_leg rcity_beam_last_leg(const rcity_beam_job *job, RCITY_GLOBAL const rcity_beam_leaf *leaf,
                                                rcity_i32 cell)
{
    rcity_i32 row = cell / job->column_count;
    rcity_i64 x = (job->west + (cell - row * job->column_count) * job->step) >> RCITY_BEAM_FINE_BITS;
    rcity_i64 y = (job->north - row * job->step) >> RCITY_BEAM_FINE_BITS;
    return rcity_beam_leg_make(x - leaf->x, y - leaf->y);
}

/* One path while it is followed. */
typedef struct rcity_beam_path {
    rcity_beam_leg last;        /* of the beam's own rays to the cell, in plan, unfolded */
    float before_m;             /* to the edge */
    float plan_m;               /* of both */
    float start_m;              /* height, unfolded */
    float tangent, level, sine; /* of its elevation */
    float length_m;
    float bounce_m; /* how far from the beam's source it bounces off the ground, in plan; negative: it does not */
} rcity_beam_path;

RCITY_KERNEL rcity_beam_path rcity_beam_path_make(const rcity_beam_job *job, rcity_beam_leg last, float before_m,
                                                  int has_bounce)
{
    rcity_beam_path path;
    path.last = last;
    path.before_m = before_m;
    path.plan_m = before_m + last.m;
    path.start_m = has_bounce ? -job->tx_height_m : job->tx_height_m;
    float rise_m = job->rx_height_m - path.start_m;
    path.tangent = rise_m / path.plan_m;
    path.bounce_m = has_bounce ? path.plan_m * path.start_m / -rise_m - before_m : -1.0f;
    path.level = path.sine = path.length_m = 0.0f;
    return path;
}

/* The rest, of a path that is there. */
RCITY_KERNEL void rcity_beam_path_finish(rcity_beam_path *path)
{
    path->level = 1.0f / rcity_sqrt(1.0f + path->tangent * path->tangent);
    path->sine = path->tangent * path->level;
    path->length_m = path->plan_m / path->level;
}

RCITY_KERNEL float rcity_beam_height_at(const rcity_beam_path *path, float at_m)
{
    return rcity_fabs(path->start_m + path->tangent * at_m);
}

/* Does a path meet and pass the walls of its beam at the right heights? */
RCITY_KERNEL int rcity_beam_clears_walls(RCITY_GLOBAL const rcity_beam_wall *walls, rcity_i32 count,
                                         const rcity_beam_path *path)
{
    for (rcity_i32 k = 0; k < count; k++) {
        rcity_beam_wall wall = walls[k];
        float ahead = wall.x * path->last.x + wall.y * path->last.y;
        float at_m = wall.ahead_m / (ahead > RCITY_BEAM_FORWARD_MIN ? ahead : RCITY_BEAM_FORWARD_MIN);
        int is_passed = wall.material == RCITY_BEAM_PASSED;
        if (is_passed && at_m > path->last.m) {
            continue; /* beyond the cell */
        }
        float z = rcity_beam_height_at(path, path->before_m + at_m);
        if (is_passed ? z < wall.top_m : z < wall.bottom_m || z >= wall.top_m) {
            return 0;
        }
    }
    return 1;
}

/* Does it meet and pass the walls on its way to the edge, and the edge itself, at the right heights? */
RCITY_KERNEL int rcity_beam_clears_way(RCITY_GLOBAL const rcity_beam_height *heights,
                                       RCITY_GLOBAL const rcity_beam_way *way, const rcity_beam_path *path)
{
    for (rcity_i32 k = way->height_first; k < way->height_first + way->height_count; k++) {
        rcity_beam_height height = heights[k];
        float z = rcity_beam_height_at(path, height.at_m);
        if (height.is_passed ? z < height.top_m : z < height.bottom_m || z >= height.top_m) {
            return 0;
        }
    }
    float z = rcity_beam_height_at(path, way->plan_m);
    return z >= way->edge_bottom_m && z < way->edge_top_m;
}

/* Must a path lose more than beams may? */
RCITY_KERNEL int rcity_beam_is_cut(const rcity_beam_job *job, float least_loss, float plan_m)
{
    float spread = RCITY_BEAM_FOUR_PI * plan_m / job->wavelength_m;
    return spread * spread * least_loss > job->most_loss;
}

RCITY_KERNEL RCITY_GLOBAL const rcity_beam_face *rcity_beam_material(const rcity_beam_arrays *view, rcity_i32 material)
{
    return view->faces + (rcity_i64)material * (RCITY_BEAM_FACE_STEPS + 1);
}

/* Through the walls of a beam, and off the ground where the path bounces after the beam's source. */
RCITY_KERNEL_WITHIN rcity_beam_field rcity_beam_follow_walls(const rcity_beam_job *job, const rcity_beam_arrays *view,
                                                             RCITY_GLOBAL const rcity_beam_leaf *leaf,
                                                             const rcity_beam_path *path, rcity_beam_field field)
{
    RCITY_GLOBAL const rcity_beam_face *ground = rcity_beam_material(view, job->ground_material);
    int has_bounce = path->bounce_m >= 0.0f;
    if (leaf->depth % 2 != 0) {
        field.phi = rcity_beam_scale(field.phi, -1.0f);
    }
    for (rcity_i32 k = leaf->wall_first; k < leaf->wall_first + leaf->wall_count; k++) {
        rcity_beam_wall wall = view->walls[k];
        if (wall.material == RCITY_BEAM_PASSED) {
            continue;
        }
        float ahead = wall.x * path->last.x + wall.y * path->last.y;
        if (has_bounce && wall.ahead_m > path->bounce_m * ahead) {
            field = rcity_beam_field_bounce(ground, path->sine, field);
            has_bounce = 0;
        }
        field = rcity_beam_field_reflect(rcity_beam_material(view, wall.material), ahead,
                                         path->last.x * wall.y - path->last.y * wall.x, path->sine, path->level, field);
    }
    return has_bounce ? rcity_beam_field_bounce(ground, path->sine, field) : field;
}

/* The power of a path by the paper's law over that of the fields. */
RCITY_KERNEL float rcity_beam_paper_factor(const rcity_beam_job *job, const rcity_beam_record *record,
                                           float reflections, float diffractions)
{
    float loss_db = 10.0f * job->exponent * rcity_log10(record->length_m) + job->constant_db +
                    reflections * job->reflection_db + diffractions * job->diffraction_db;
    float power = 0.0f;
    for (int k = 0; k < 2; k++) {
        power += record->port[k].re * record->port[k].re + record->port[k].im * record->port[k].im;
    }
    return power > 0.0f ? rcity_pow(10.0f, -0.1f * loss_db) / (power * record->inverse_gain) : 0.0f;
}

/* What the receiver takes of a field over that of free space, with its phase. */
RCITY_KERNEL_WITHIN void rcity_beam_receive(const rcity_beam_job *job, const rcity_beam_path *path, rcity_i64 units,
                                            rcity_beam_field field, float tx_gain, rcity_beam_record *record)
{
    const float root_half = 0.70710678f;
    rcity_beam_complex first = field.theta;
    rcity_beam_complex second = rcity_beam_complex_make(0.0f, 0.0f);
    if (job->rx_polarization == RCITY_RX_HORIZONTAL) {
        first = field.phi;
    } else if (job->rx_polarization == RCITY_RX_SLANT) {
        first = rcity_beam_scale(rcity_beam_add(field.theta, rcity_beam_scale(field.phi, -1.0f)), root_half);
    } else if (job->rx_polarization == RCITY_RX_SLANT_MINUS) {
        first = rcity_beam_scale(rcity_beam_add(field.theta, field.phi), root_half);
    } else if (job->rx_polarization == RCITY_RX_BOTH) {
        second = field.phi;
    }
    float rise_m = path->tangent * path->plan_m;
    float turns = rcity_beam_turns(units, job->turns_per_unit) +
                  rise_m * rise_m / ((path->length_m + path->plan_m) * job->wavelength_m);
    float cosine, sine;
    rcity_beam_rotation(turns - rcity_floor(turns), &cosine, &sine);
    float scale = job->wavelength_m / (RCITY_BEAM_FOUR_PI * path->length_m) * rcity_sqrt(job->rx_gain);
    rcity_beam_complex turned = rcity_beam_complex_make(scale * cosine, -scale * sine);
    record->port[0] = rcity_beam_multiply(first, turned);
    record->port[1] = rcity_beam_multiply(second, turned);
    record->inverse_gain = 1.0f / (tx_gain * job->rx_gain);
    record->length_m = path->length_m;
    record->sine = path->sine;
    record->arrival_x = path->last.x;
    record->arrival_y = path->last.y;
}

RCITY_KERNEL void rcity_beam_apply_paper(const rcity_beam_job *job, float reflections, float diffractions,
                                         rcity_beam_record *record)
{
    if (job->is_paper) {
        float factor = rcity_sqrt(rcity_beam_paper_factor(job, record, reflections, diffractions));
        record->port[0] = rcity_beam_scale(record->port[0], factor);
        record->port[1] = rcity_beam_scale(record->port[1], factor);
    }
}

/* The path of the transmitter's own beam, or its bounce off the ground. @return 0: there is none. */
RCITY_KERNEL int rcity_beam_geometric(const rcity_beam_job *job, const rcity_beam_arrays *view,
                                      RCITY_GLOBAL const rcity_beam_leaf *leaf, rcity_beam_leg last, int has_bounce,
                                      rcity_beam_record *record)
{
    rcity_beam_path path = rcity_beam_path_make(job, last, 0.0f, has_bounce);
    if ((leaf->depth > 0 && last.m > job->longest_m) || rcity_beam_is_cut(job, leaf->least_loss, last.m) ||
        !rcity_beam_clears_walls(view->walls + leaf->wall_first, leaf->wall_count, &path)) {
        return 0;
    }
    rcity_beam_path_finish(&path);
    float x = leaf->back[0] * last.x + leaf->back[1] * last.y;
    float y = leaf->back[2] * last.x + leaf->back[3] * last.y;
    rcity_jones sent = rcity_mount_field(job->mount, job->antenna, view->antenna,
                                         rcity_real3_make((rcity_real)(x * path.level), (rcity_real)(y * path.level),
                                                          (rcity_real)(has_bounce ? -path.sine : path.sine)));
    float theta = (float)sent.theta;
    float phi = (float)sent.phi;
    rcity_beam_field field;
    field.theta = rcity_beam_complex_make(has_bounce ? -theta : theta, 0.0f); /* unfolded at the ground */
    field.phi = rcity_beam_complex_make(phi, 0.0f);
    field = rcity_beam_follow_walls(job, view, leaf, &path, field);
    rcity_beam_receive(job, &path, last.units, field, theta * theta + phi * phi, record);
    record->departure_x = x;
    record->departure_y = y;
    record->code[0] = (has_bounce ? job->ground_code : RCITY_BEAM_CODE_DIRECT) * leaf->code_times + leaf->code_plus;
    record->share[0] = (rcity_u16)RCITY_BEAM_SHARE;
    for (int k = 1; k < RCITY_BEAM_RAYS; k++) {
        record->code[k] = 0;
        record->share[k] = 0;
    }
    record->has_bounce = (rcity_u8)has_bounce;
    record->kind = (rcity_u8)(leaf->depth + has_bounce > 0 ? RCITY_BEAM_REFLECTED : RCITY_BEAM_DIRECT);
    rcity_beam_apply_paper(job, (float)(leaf->depth + has_bounce), 0.0f, record);
    return 1;
}

/* What comes to an edge with the slope of a path. */
RCITY_KERNEL rcity_beam_slope rcity_beam_slope_at(const rcity_beam_arrays *view, RCITY_GLOBAL const rcity_beam_way *way,
                                                  float tangent, int has_bounce)
{
    float at = rcity_fabs(tangent) / way->slope_max[has_bounce] * (float)RCITY_BEAM_SLOPE_STEPS;
    rcity_i32 step = (rcity_i32)at;
    step = step < RCITY_BEAM_SLOPE_STEPS ? step : RCITY_BEAM_SLOPE_STEPS - 1;
    float part = at - (float)step;
    rcity_beam_slope below = view->slopes[way->slope_first[has_bounce] + step];
    rcity_beam_slope above = view->slopes[way->slope_first[has_bounce] + step + 1];
    rcity_beam_slope slope;
    slope.field.theta = rcity_beam_between(below.field.theta, above.field.theta, part);
    slope.field.phi = rcity_beam_between(below.field.phi, above.field.phi, part);
    slope.tx_gain = below.tx_gain + part * (above.tx_gain - below.tx_gain);
    return slope;
}

/* Divide the field of a diffracted ray among the groups of the three rays that end at its edge, by how near it is to where
   each ends: the squares of the shares add up to 1. */
RCITY_KERNEL void rcity_beam_share(RCITY_GLOBAL const rcity_beam_leaf *leaf, RCITY_GLOBAL const rcity_beam_way *way,
                                   const rcity_beam_direction *direction, int has_bounce, rcity_beam_record *record)
{
    float off[RCITY_BEAM_TERMS], share[RCITY_BEAM_RAYS];
    for (int term = 0; term < RCITY_BEAM_TERMS; term++) {
        float size = rcity_fabs(direction->sine[term]);
        off[term] = size > RCITY_BEAM_OFF_MIN ? size : RCITY_BEAM_OFF_MIN;
    }
    off[0] = off[0] < off[1] ? off[0] : off[1]; /* past the edge, seen from either face */
    off[1] = off[2];
    off[2] = off[3];
    float nearest = off[0] < off[1] ? off[0] : off[1];
    nearest = nearest < off[2] ? nearest : off[2];
    float square = 0.0f;
    for (int k = 0; k < RCITY_BEAM_RAYS; k++) {
        share[k] = nearest * nearest / (off[k] * off[k]);
        square += share[k] * share[k];
    }
    float scale = RCITY_BEAM_SHARE / rcity_sqrt(square);
    for (int k = 0; k < RCITY_BEAM_RAYS; k++) {
        record->code[k] = way->code[has_bounce][k] * leaf->code_times + leaf->code_plus;
        record->share[k] = (rcity_u16)(share[k] * scale);
    }
}

/* The power that no receiver's antenna takes more of: of a field with both its components, after spreading. */
RCITY_KERNEL float rcity_beam_most_power(const rcity_beam_job *job, const rcity_beam_path *path, rcity_beam_field field)
{
    float spread = job->wavelength_m / (RCITY_BEAM_FOUR_PI * path->length_m);
    float power = (field.theta.re * field.theta.re + field.theta.im * field.theta.im) +
                  (field.phi.re * field.phi.re + field.phi.im * field.phi.im);
    return job->is_paper ? RCITY_BEAM_ANY_POWER : power * (spread * spread * job->rx_gain);
}

/* A path by a way to the edge that the beam leaves. `turn`: in which direction it leaves. One whose power is less than
   `floor` is not followed to its end. @return 0: there is none. */
RCITY_KERNEL_WITHIN int rcity_beam_diffracted(const rcity_beam_job *job, const rcity_beam_arrays *view,
                                              RCITY_GLOBAL const rcity_beam_leaf *leaf,
                                              RCITY_GLOBAL const rcity_beam_way *way, float turn, rcity_beam_leg last,
                                              int has_bounce, float floor, rcity_beam_record *record)
{
    rcity_beam_path path = rcity_beam_path_make(job, last, way->plan_m, has_bounce);
    if (!rcity_beam_clears_way(view->heights, way, &path) ||
        !rcity_beam_clears_walls(view->walls + leaf->wall_first, leaf->wall_count, &path)) {
        return 0;
    }
    rcity_beam_path_finish(&path);
    rcity_beam_direction direction = rcity_beam_direction_at(view->directions, way, turn);
    rcity_beam_slope slope = rcity_beam_slope_at(view, way, path.tangent, has_bounce);
    rcity_beam_field field = slope.field;
    if (has_bounce && path.bounce_m < 0.0f) { /* before the edge */
        field = rcity_beam_field_bounce(rcity_beam_material(view, job->ground_material), path.sine, field);
    }
    /* L = s s' / S sin^2(beta), with lengths in space */
    float reach = rcity_sqrt(2.0f * job->wavenumber_per_m * path.before_m * last.m / path.plan_m * path.level);
    field = rcity_beam_field_diffract(&direction, view->edge_field, reach, path.sine / way->slope_sine, field);
    if (rcity_beam_most_power(job, &path, field) * RCITY_BEAM_STEEP < floor * leaf->least_loss) {
        return 0;
    }
    field = rcity_beam_follow_walls(job, view, leaf, &path, field);
    if (rcity_beam_most_power(job, &path, field) * RCITY_BEAM_ROUNDING < floor) {
        return 0;
    }
    rcity_beam_receive(job, &path, way->units + last.units, field, slope.tx_gain, record);
    record->departure_x = way->departure_x;
    record->departure_y = way->departure_y;
    rcity_beam_share(leaf, way, &direction, has_bounce, record);
    record->has_bounce = (rcity_u8)has_bounce;
    record->kind = RCITY_BEAM_DIFFRACTED;
    rcity_beam_apply_paper(job, (float)(way->reflections + leaf->depth + has_bounce), 1.0f, record);
    return 1;
}

/* How many paths a leaf may bring to a cell. */
RCITY_KERNEL rcity_i32 rcity_beam_leaf_paths(RCITY_GLOBAL const rcity_beam_leaf *leaf)
{
    return leaf->way_count + leaf->bouncing_count;
}

/* Keep a record if it counts beside what is known so far. */
RCITY_KERNEL rcity_i32 rcity_beam_keep(const rcity_beam_job *job, const rcity_beam_record *record, float *floor,
                                       RCITY_GLOBAL rcity_beam_record *records, rcity_i32 count)
{
    float power = (record->port[0].re * record->port[0].re + record->port[0].im * record->port[0].im) +
                  (record->port[1].re * record->port[1].re + record->port[1].im * record->port[1].im);
    if (!(power > 0.0f) || power < *floor) {
        return count;
    }
    records[count] = *record;
    *floor = power * job->range > *floor ? power * job->range : *floor;
    return count + 1;
}

/* The paths of a leaf to a cell, into records from the first on. `floor` is the power under which paths do not count; it
   rises with the strongest found. @return how many there are. */
RCITY_KERNEL_WITHIN rcity_i32 rcity_beam_visit_run(const rcity_beam_job *job, const rcity_beam_arrays *view,
                                                   RCITY_GLOBAL const rcity_beam_leaf *leaf, rcity_i32 cell,
                                                   float *floor, RCITY_GLOBAL rcity_beam_record *records)
{
    rcity_beam_leg last = rcity_beam_last_leg(job, leaf, cell);
    rcity_beam_record record;
    rcity_i32 found = 0;
    if (leaf->way_first < 0) {
        for (rcity_i32 bounce = 0; bounce <= leaf->bouncing_count; bounce++) {
            if (rcity_beam_geometric(job, view, leaf, last, bounce, &record)) {
                found = rcity_beam_keep(job, &record, floor, records, found);
            }
        }
        return found;
    }
    float turn =
        rcity_beam_turn(last.x * leaf->along_x + last.y * leaf->along_y, last.x * leaf->off_x + last.y * leaf->off_y);
    float scale = job->limit_scale / leaf->least_loss;
    if (rcity_beam_limit_of(&leaf->limit, view->limits, turn, last.m) * scale < *floor) {
        return 0;
    }
    for (rcity_i32 k = 0; k < leaf->way_count; k++) {
        RCITY_GLOBAL const rcity_beam_way *way = view->ways + leaf->way_first + k;
        int is_lit = rcity_fabs(turn - way->turn_in) <= 2.0f;
        if ((job->into_shadow_only && is_lit) || way->plan_m + last.m > job->longest_m ||
            rcity_beam_limit_of(&way->limit, view->limits, turn, last.m) * scale < *floor ||
            rcity_beam_is_cut(job, leaf->least_loss * way->least_loss, way->plan_m + last.m)) {
            continue;
        }
        for (rcity_i32 bounce = 0; bounce <= (k < leaf->bouncing_count); bounce++) {
            if (rcity_beam_diffracted(job, view, leaf, way, turn, last, bounce, *floor, &record)) {
                found = rcity_beam_keep(job, &record, floor, records, found);
            }
        }
    }
    return found;
}

#endif
