/* The paths to a receiver, each weighed as it is added: the straight line, over roofs, around corners. */
#ifndef RCITY_KERNEL_SHADOW_SHADOW_TAKE_H
#define RCITY_KERNEL_SHADOW_SHADOW_TAKE_H

#include "kernel/shadow/corners/corner_path.h"
#include "kernel/shadow/shadow_mean.h"
#include "kernel/shadow/shadow_turns.h"
#include "kernel/visibility/walls/wall_path.h"

/* The state of a receiver relative to the source, whatever lies between them. */
typedef enum rcity_shadow_state {
    RCITY_SHADOW_HIDDEN,  /* outdoors, without line of sight */
    RCITY_SHADOW_VISIBLE, /* line of sight */
    RCITY_SHADOW_INDOORS, /* inside a building */
} rcity_shadow_state;

/* The straight line to a receiver as it leaves the source. */
typedef struct rcity_shadow_line {
    float dx, dy; /* in plan, of length 1 */
    float slope;  /* rise over run */
} rcity_shadow_line;

/* From the differences of position in metres. A receiver straight above or below has no direction in plan; the slope is
   then as steep as it can be. */
RCITY_KERNEL rcity_shadow_line rcity_shadow_line_make(float dx_m, float dy_m, float rise_m)
{
    float plan_m = rcity_sqrt(dx_m * dx_m + dy_m * dy_m);
    rcity_shadow_line line;
    if (plan_m < 1e-3f) {
        line.dx = 0.0f;
        line.dy = 0.0f;
        line.slope = rise_m < 0.0f ? -1.0f : 1.0f;
    } else {
        line.dx = dx_m / plan_m;
        line.dy = dy_m / plan_m;
        line.slope = rise_m / plan_m;
    }
    return line;
}

/* No receiver counts as nearer to the source than this, even at the same position. */
#define RCITY_SHADOW_LENGTH_MIN_M 1e-2f

/* log10 of its length. */
RCITY_KERNEL float rcity_shadow_line_log_length(float dx_m, float dy_m, float rise_m)
{
    float square_m2 = dx_m * dx_m + dy_m * dy_m + rise_m * rise_m;
    return 0.5f * rcity_log10(rcity_shadow_max(square_m2, RCITY_SHADOW_LENGTH_MIN_M * RCITY_SHADOW_LENGTH_MIN_M));
}

/* A receiver, its straight line and its surroundings. */
typedef struct rcity_shadow_receiver {
    rcity_shadow_line line;
    rcity_shadow_state state;
    float log_length, length_m, rise_m; /* of the line */
    rcity_shadow_end end;
    float built_m;   /* of the line, over buildings */
    float city;      /* rcity_shadow_city_weight() */
    float street;    /* rcity_shadow_street_weight() */
    float ground_db; /* what the ground takes from all paths on the map */
} rcity_shadow_receiver;

RCITY_KERNEL rcity_shadow_receiver rcity_shadow_receiver_make(const rcity_shadow_weights *weights,
                                                              rcity_shadow_line line, float log_length,
                                                              rcity_shadow_state state, float height_m,
                                                              rcity_surroundings_node here, float built_m)
{
    rcity_shadow_receiver receiver;
    int is_upright = line.dx == 0.0f && line.dy == 0.0f;
    receiver.line = line;
    receiver.state = state;
    receiver.log_length = log_length;
    receiver.length_m = rcity_shadow_ratio(10.0f * log_length);
    receiver.rise_m = receiver.length_m * line.slope / (is_upright ? 1.0f : rcity_sqrt(1.0f + line.slope * line.slope));
    receiver.end.height_m = height_m;
    receiver.end.here = here;
    receiver.built_m = built_m;
    receiver.city = rcity_shadow_city_weight(weights->source, receiver.end, built_m, receiver.length_m);
    receiver.street = rcity_shadow_street_weight(weights->source, receiver.end, receiver.city);
    float town = rcity_shadow_town(rcity_shadow_max(weights->source.here.built_share, here.built_share));
    receiver.ground_db = weights->law.has_knife_edges
                             ? rcity_shadow_ground_db(&weights->law, receiver.length_m, weights->source.height_m,
                                                      height_m, receiver.rise_m, town)
                             : 0.0f;
    return receiver;
}

/* Metres of the straight line below the top of the clutter, which is rise_m above the receiver. */
RCITY_KERNEL float rcity_shadow_clutter_m(rcity_shadow_line line, float log_length, float rise_m)
{
    if (!(rise_m > 0.0f)) {
        return 0.0f;
    }
    float length_m = rcity_exp(2.30258509f * log_length);
    if (line.slope >= 0.0f) {
        return length_m; /* the source is no higher than the receiver */
    }
    int is_upright = line.dx == 0.0f && line.dy == 0.0f; /* then its slope is not used */
    float cosecant = is_upright ? 1.0f : rcity_sqrt(1.0f + line.slope * line.slope) / -line.slope;
    return rcity_shadow_min(length_m, rise_m * cosecant);
}

/* Adds the clutter loss to a receiver's level. It is the same for all its paths, so the strongest stays the
   strongest. */
RCITY_KERNEL void rcity_shadow_add_clutter(const rcity_shadow_weights *weights, const rcity_shadow_receiver *receiver,
                                           rcity_shadow_level *level)
{
    const rcity_shadow_law *law = &weights->law;
    if (law->clutter_metre_db > 0.0f) {
        float metres = rcity_shadow_clutter_m(receiver->line, receiver->log_length,
                                              law->clutter_height_m - receiver->end.height_m);
        float clutter_db = rcity_shadow_clutter_db(law, metres);
        level->loss_db += clutter_db;
        level->received_dbm -= clutter_db;
    }
}

/* Adds the diffuse path and draws the level toward the mean of the surroundings. */
RCITY_KERNEL void rcity_shadow_add_mean(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                        const rcity_shadow_receiver *receiver, const rcity_shadow_tally *tally,
                                        rcity_shadow_level *level)
{
    if (!(receiver->city > RCITY_SHADOW_WEIGHT_MIN)) {
        return;
    }
    rcity_shadow_mean mean =
        rcity_shadow_mean_make(&weights->law, weights->source, receiver->end, receiver->built_m, receiver->log_length,
                               receiver->length_m, receiver->rise_m, receiver->city);
    int is_none = tally->mechanism == RCITY_SHADOW_PATH_NONE;
    float loss_db = is_none ? RCITY_SHADOW_FAR : level->loss_db;
    float gained_db = is_none ? RCITY_SHADOW_FAR : weights->level_dbm - level->received_dbm;
    float gain_db = rcity_antenna_gain(
        weights->antenna, pattern, rcity_shadow_direction(receiver->line.dx, receiver->line.dy, receiver->line.slope));
    int is_diffuse;
    level->loss_db = rcity_shadow_mean_blend(mean, loss_db, &is_diffuse);
    level->received_dbm = weights->level_dbm + gain_db - level->loss_db;
    if (weights->antenna.kind != RCITY_ANTENNA_KIND_ISOTROPIC) {
        mean.loss_db -= gain_db;
        level->received_dbm = weights->level_dbm - rcity_shadow_mean_blend(mean, gained_db, &is_diffuse);
    }
    if (is_diffuse) {
        level->mechanism = RCITY_SHADOW_PATH_DIFFUSE;
        level->turn_count = 0;
    }
}

/* The level of a receiver whose paths have been taken. */
RCITY_KERNEL rcity_shadow_level rcity_shadow_level_make(const rcity_shadow_weights *weights,
                                                        RCITY_GLOBAL const float *pattern,
                                                        const rcity_shadow_receiver *receiver,
                                                        const rcity_shadow_tally *tally)
{
    rcity_shadow_level level = rcity_shadow_tally_end(weights, tally);
    if (weights->law.has_knife_edges && receiver->state != RCITY_SHADOW_INDOORS) {
        rcity_shadow_add_mean(weights, pattern, receiver, tally, &level);
    }
    rcity_shadow_add_clutter(weights, receiver, &level);
    return level;
}

/* What street walls reflect around a corner, as a ratio of powers: the corner loss of ITU-R P.1411-12, section 4.1.3.2
   (urban, 2 to 38 GHz), 20 dB within 30 m of the corner, with the logarithm of the metres. Metres count across from the
   edge of sight, L 2 sin(angle / 2), with the logarithm of L = s s' / (s + s'): the same both ways. */
RCITY_KERNEL float rcity_shadow_street_ratio(float log_distance, float angle_rad)
{
    float half = 0.5f * angle_rad;
    float half2 = half * half;
    float sine = half * (1.0f + half2 * (-0.166666667f + half2 * (0.00833333333f - half2 * 0.000198412698f)));
    float metres = 1.0f + 2.0f * sine * rcity_shadow_ratio(10.0f * log_distance);
    float root4 = rcity_sqrt(rcity_sqrt(metres));
    return metres * root4 * rcity_sqrt(root4); /* to the power 1.375: 13.75 dB a decade, where P.1411 has 13.4 */
}

/* Of the power that edges keep back, the streets of a city reflect a part: both as ratios of powers. */
RCITY_KERNEL float rcity_shadow_with_street(float edges, float street, float street_ratio)
{
    return edges / (1.0f + (edges - 1.0f) * street / street_ratio);
}

/* The loss of a free line by the edge nearest to it, as a ratio of powers; a corner's goes on where sight ends. */
RCITY_KERNEL float rcity_shadow_nearest_ratio(const rcity_shadow_law *law, float street, rcity_shadow_nearest nearest)
{
    float edge = rcity_shadow_grazing_ratio(law, nearest.grazing_root_m);
    return rcity_shadow_with_street(edge, nearest.is_corner ? street : 0.0f, 1.0f);
}

/* The straight line: free, or through walls; parts that do not apply are 0. A line that enters a building through its
   roof passes it like a wall. A free one loses what the ground and the edge nearest to it take. */
RCITY_KERNEL void rcity_shadow_take_line(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                         const rcity_shadow_receiver *receiver, rcity_wall_path wall,
                                         rcity_shadow_nearest nearest, rcity_shadow_tally *tally)
{
    const rcity_shadow_law *law = &weights->law;
    rcity_vec3 direction = rcity_shadow_direction(receiver->line.dx, receiver->line.dy, receiver->line.slope);
    float loss_db = rcity_shadow_free_db(law, receiver->log_length) + rcity_shadow_foliage_db(law, wall.foliage_m);
    rcity_i32 wall_count = receiver->state == RCITY_SHADOW_INDOORS && wall.count == 0 ? 1 : wall.count;
    if (receiver->state == RCITY_SHADOW_VISIBLE) {
        loss_db += law->direct_db;
        if (law->has_knife_edges) {
            loss_db +=
                rcity_shadow_decibels(rcity_shadow_nearest_ratio(law, receiver->street, nearest)) + receiver->ground_db;
        }
        rcity_shadow_tally_take(weights, pattern, direction, loss_db, RCITY_SHADOW_PATH_DIRECT, 0, tally);
    } else if (wall_count > 0) {
        loss_db += rcity_shadow_walls_db(law, (float)wall_count, wall.building_m) + receiver->ground_db;
        rcity_shadow_tally_take(weights, pattern, direction, loss_db, RCITY_SHADOW_PATH_WALLS, 0, tally);
    }
}

/* What the ground takes from a path whose edges take so much: all of it at grazing, where sight begins, and nothing in
   deep shadow, where the direct ray and that of the ground come from edges high above it. */
RCITY_KERNEL float rcity_shadow_ground_behind(const rcity_shadow_receiver *receiver, float edges_ratio)
{
    return receiver->ground_db * rcity_shadow_min(1.0f, 4.0f / edges_ratio);
}

/* The knife edges of a path over roofs, as a ratio of powers. */
RCITY_KERNEL float rcity_shadow_roof_edges(const rcity_shadow_law *law, const rcity_shadow_roof *roof)
{
    return law->has_knife_edges
               ? rcity_shadow_grazing_ratio(law, roof->grazing_root_m) * (1.0f + roof->pair_m / law->wavelength_m)
               : 1.0f;
}

/* The over-roof path, if there is one; `log_length` is log10 of its length. */
RCITY_KERNEL void rcity_shadow_take_roof(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                         const rcity_shadow_receiver *receiver, rcity_shadow_roof roof,
                                         float log_length, rcity_shadow_tally *tally)
{
    const rcity_shadow_law *law = &weights->law;
    if (!(roof.turns.length_m > 0.0f)) {
        return;
    }
    float edges = rcity_shadow_roof_edges(law, &roof);
    float turns_db =
        rcity_shadow_turns_db(law->roof, law->log_wavenumber, (float)roof.turns.count, roof.turns.log_distance_sum,
                              roof.turns.angle_sum_rad, roof.turns.angle_square_sum_rad2);
    float loss_db = rcity_shadow_free_db(law, log_length) +
                    rcity_shadow_max(rcity_shadow_decibels(edges) + turns_db, 0.0f) +
                    rcity_shadow_ground_behind(receiver, edges);
    if (rcity_shadow_tally_is_beaten(weights, loss_db, tally)) {
        return; /* before any angle is computed */
    }
    rcity_vec3 direction = rcity_shadow_direction_at(weights, receiver->line.dx, receiver->line.dy, roof.elevation_rad);
    rcity_shadow_tally_take(weights, pattern, direction, loss_db, RCITY_SHADOW_PATH_ROOF, roof.turns.count, tally);
}

/* A chain of corners up to its last one: sums over the turns before it, and where it leaves the source. */
typedef struct rcity_shadow_chain {
    rcity_shadow_turns before;
    float grazing_root_m; /* geometric mean over these turns */
    float azimuth_dx, azimuth_dy;
} rcity_shadow_chain;

/* The knife edges of a path around corners, as a ratio of powers: two turns in one sense together, others apart. */
RCITY_KERNEL float rcity_shadow_corner_knives(const rcity_shadow_law *law, const rcity_shadow_chain *chain,
                                              const rcity_corner_path *last)
{
    float edges = rcity_shadow_grazing_ratio(law, last->grazing_root_m);
    if (last->pair_m >= 0.0f) {
        return edges * (1.0f + last->pair_m / law->wavelength_m);
    }
    float before = rcity_shadow_grazing_ratio(law, chain->grazing_root_m);
    for (rcity_i32 i = 0; i < chain->before.count; i++) {
        edges *= before;
    }
    return edges;
}

/* The corners of a path, as a ratio of powers: knife edges, and what streets reflect around them. */
RCITY_KERNEL float rcity_shadow_corner_edges(const rcity_shadow_law *law, float street, const rcity_shadow_chain *chain,
                                             const rcity_corner_path *last)
{
    if (!law->has_knife_edges) {
        return 1.0f;
    }
    float edges = rcity_shadow_corner_knives(law, chain, last);
    if (!(street > 0.0f)) {
        return edges;
    }
    float ratio = rcity_shadow_street_ratio(last->log_distance, last->angle_rad);
    for (rcity_i32 i = 0; i < chain->before.count; i++) {
        float count = (float)chain->before.count; /* of these turns the means are kept */
        ratio *= rcity_shadow_street_ratio(chain->before.log_distance_sum / count, chain->before.angle_sum_rad / count);
    }
    return rcity_shadow_with_street(edges, street, ratio);
}

/* Around corners: the chain, and the last turn. */
RCITY_KERNEL void rcity_shadow_take_corner(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                           const rcity_shadow_receiver *receiver, const rcity_shadow_chain *chain,
                                           const rcity_corner_path *last, rcity_shadow_tally *tally)
{
    const rcity_shadow_law *law = &weights->law;
    float loss_db = rcity_shadow_free_db(law, last->log_length);
    const rcity_shadow_turns *before = &chain->before;
    float edges = rcity_shadow_corner_edges(law, receiver->street, chain, last);
    float turns_db = rcity_shadow_turns_db(
        law->corner, law->log_wavenumber, (float)(before->count + 1), before->log_distance_sum + last->log_distance,
        before->angle_sum_rad + last->angle_rad, before->angle_square_sum_rad2 + last->angle_rad * last->angle_rad);
    float least_db = loss_db + rcity_shadow_max(rcity_shadow_decibels_least(edges) + turns_db, 0.0f);
    if (rcity_shadow_tally_is_beaten(weights, least_db, tally)) {
        return; /* before any logarithm */
    }
    loss_db +=
        rcity_shadow_max(rcity_shadow_decibels(edges) + turns_db, 0.0f) + rcity_shadow_ground_behind(receiver, edges);
    rcity_shadow_tally_take(weights, pattern, rcity_shadow_direction(chain->azimuth_dx, chain->azimuth_dy, last->slope),
                            loss_db, RCITY_SHADOW_PATH_CORNER, chain->before.count + 1, tally);
}

#endif
