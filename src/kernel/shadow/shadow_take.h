/* The paths to a receiver, each weighed as it is added: the straight line, over roofs, around corners. */
#ifndef RCITY_KERNEL_SHADOW_SHADOW_TAKE_H
#define RCITY_KERNEL_SHADOW_SHADOW_TAKE_H

#include "kernel/shadow/corners/corner_path.h"
#include "kernel/shadow/shadow_tally.h"
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

RCITY_KERNEL rcity_vec3 rcity_shadow_line_direction(rcity_shadow_line line)
{
    return rcity_shadow_direction(line.dx, line.dy, line.slope);
}

/* No receiver counts as nearer to the source than this, even at the same position. */
#define RCITY_SHADOW_LENGTH_MIN_M 1e-2f

/* log10 of its length. */
RCITY_KERNEL float rcity_shadow_line_log_length(float dx_m, float dy_m, float rise_m)
{
    float square_m2 = dx_m * dx_m + dy_m * dy_m + rise_m * rise_m;
    return 0.5f * rcity_log10(rcity_max(square_m2, RCITY_SHADOW_LENGTH_MIN_M * RCITY_SHADOW_LENGTH_MIN_M));
}

/* A receiver, its straight line and its surroundings. */
typedef struct rcity_shadow_receiver {
    rcity_shadow_line line;
    rcity_shadow_state state;
    float log_length, length_m, rise_m; /* of the line */
    rcity_surroundings_end end;
    float built_m;      /* of the line, over buildings */
    float hill_db;      /* what hills take from the diffuse path */
    float behind_m;     /* metres over buildings that count behind them */
    float city;         /* rcity_surroundings_city_weight() */
    float street;       /* rcity_surroundings_street_weight() */
    float ground_db;    /* what flat ground takes from all paths on the map */
    float flat_edge_db; /* the part of it that is an edge's; only hills ask for it */
    int has_hills;      /* 0: bare ground comes near to no line, and need not be looked at */
} rcity_shadow_receiver;

RCITY_KERNEL_WITHIN rcity_shadow_receiver rcity_shadow_receiver_make(const rcity_shadow_weights *weights,
                                                                     rcity_shadow_line line, float log_length,
                                                                     rcity_shadow_state state, float height_m,
                                                                     rcity_surroundings_node here, float built_m,
                                                                     float hill_root_m, float hill_slope)
{
    rcity_shadow_receiver receiver;
    int is_upright = line.dx == 0.0f && line.dy == 0.0f;
    receiver.line = line;
    receiver.state = state;
    receiver.log_length = log_length;
    receiver.length_m = rcity_decibel_ratio(10.0f * log_length);
    float run = rcity_sqrt(1.0f + line.slope * line.slope);
    receiver.rise_m = receiver.length_m * line.slope / (is_upright ? 1.0f : run);
    receiver.end.height_m = height_m;
    receiver.end.here = here;
    receiver.built_m = built_m;
    float hill_edge_db = rcity_surroundings_edge_db(hill_root_m, weights->law.per_root_wavelength);
    receiver.hill_db = hill_edge_db;
    receiver.behind_m = rcity_surroundings_built_behind(&weights->law.mean, built_m, hill_edge_db, hill_slope);
    receiver.city = rcity_surroundings_city_weight(weights->source, receiver.end, built_m, receiver.length_m);
    receiver.street = rcity_surroundings_street_weight(weights->source, receiver.end, receiver.city);
    float town = rcity_surroundings_town(rcity_max(weights->source.here.built_share, here.built_share));
    rcity_surroundings_flat flat = rcity_surroundings_flat_make(weights->law.wavelength_m, receiver.length_m,
                                                                weights->source.height_m, height_m, receiver.rise_m);
    float ground_db = rcity_surroundings_ground_db(flat, town);
    receiver.ground_db = weights->law.has_knife_edges ? ground_db : 0.0f;
    receiver.flat_edge_db = 0.0f;
    receiver.has_hills = 1;
    return receiver;
}

/* Is the receiver so near that the earth is flat? */
RCITY_KERNEL int rcity_shadow_is_near(const rcity_shadow_weights *weights, float height_m, float rise_m, float length_m)
{
    return !weights->law.has_knife_edges ||
           rcity_surroundings_is_flat(weights->source.height_m, height_m, rise_m, length_m);
}

/* What the curvature of the earth adds to the ground_db of a receiver. */
RCITY_KERNEL float rcity_shadow_earth_db(const rcity_shadow_weights *weights, float height_m, float rise_m,
                                         float length_m)
{
    return rcity_surroundings_earth_db(
        rcity_surroundings_flat_make(weights->law.wavelength_m, length_m, weights->source.height_m, height_m, rise_m));
}

/* The edge of flat ground under the line to a receiver. */
RCITY_KERNEL_WITHIN float rcity_shadow_flat_edge_db(const rcity_shadow_weights *weights, float height_m, float rise_m,
                                                    float length_m)
{
    return rcity_surroundings_flat_edge_db(
        rcity_surroundings_flat_make(weights->law.wavelength_m, length_m, weights->source.height_m, height_m, rise_m));
}

/* Gives a receiver what hills and the curvature of the earth take: beside rcity_shadow_receiver_make(), since loops that
   compute many receivers at once leave it out where there is neither. */
RCITY_KERNEL void rcity_shadow_receiver_complete(const rcity_shadow_weights *weights, rcity_shadow_receiver *receiver)
{
    float height_m = receiver->end.height_m;
    receiver->hill_db = rcity_surroundings_hill_db(receiver->hill_db, receiver->length_m);
    receiver->flat_edge_db = rcity_shadow_flat_edge_db(weights, height_m, receiver->rise_m, receiver->length_m);
    if (!rcity_shadow_is_near(weights, height_m, receiver->rise_m, receiver->length_m)) {
        receiver->ground_db += rcity_shadow_earth_db(weights, height_m, receiver->rise_m, receiver->length_m);
    }
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
    return rcity_min(length_m, rise_m * cosecant);
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

/* How much of the doubt is left for a free line that keeps away from corners in plan, as rcity_shadow_nearest has it. It
   runs along a street, over no roof whose height might be wrong, where the map shows streets at both ends. */
RCITY_KERNEL float rcity_shadow_street_doubt(float street, float street_root_m)
{
    return 1.0f - street * street_root_m * (1.0f / RCITY_SHADOW_NEAR_ROOT_M);
}

/* What the surroundings say of a receiver. Its weight is 0 where they do not count. `street_root_m` is that of
   rcity_shadow_nearest. */
RCITY_KERNEL rcity_surroundings_mean rcity_shadow_receiver_mean(const rcity_shadow_weights *weights,
                                                                const rcity_shadow_receiver *receiver,
                                                                float street_root_m)
{
    rcity_surroundings_mean mean =
        rcity_surroundings_mean_make(&weights->law.mean, weights->source, receiver->end,
                                     rcity_shadow_free_db(&weights->law, receiver->log_length) + receiver->hill_db,
                                     receiver->behind_m, receiver->length_m, receiver->rise_m, receiver->city);
    int counts = weights->law.has_knife_edges && receiver->state != RCITY_SHADOW_INDOORS &&
                 receiver->city > RCITY_SURROUNDINGS_WEIGHT_MIN;
    mean.weight = counts ? receiver->city : 0.0f;
    mean.doubt *= rcity_shadow_street_doubt(receiver->street, street_root_m);
    return mean;
}

/* A level with the diffuse path added, drawn toward the mean, whose weight is above 0. `gain_db` is the antenna's
   toward the receiver. */
RCITY_KERNEL rcity_shadow_level rcity_shadow_mean_add(const rcity_shadow_weights *weights, rcity_surroundings_mean mean,
                                                      float gain_db, rcity_shadow_level level)
{
    int is_none = level.mechanism == RCITY_SHADOW_PATH_NONE;
    float loss_db = is_none ? RCITY_SHADOW_FAR : level.loss_db;
    float gained_db = is_none ? RCITY_SHADOW_FAR : weights->level_dbm - level.received_dbm;
    int is_diffuse;
    level.loss_db = rcity_surroundings_mean_blend(mean, loss_db, &is_diffuse);
    level.received_dbm = weights->level_dbm + gain_db - level.loss_db;
    if (weights->antenna.kind != RCITY_ANTENNA_KIND_ISOTROPIC) {
        mean.loss_db -= gain_db;
        level.received_dbm = weights->level_dbm - rcity_surroundings_mean_blend(mean, gained_db, &is_diffuse);
    }
    level.mechanism = is_diffuse ? RCITY_SHADOW_PATH_DIFFUSE : level.mechanism;
    level.turn_count = is_diffuse ? 0 : level.turn_count;
    return level;
}

/* The level of a receiver whose paths have been taken. `street_root_m` is that of rcity_shadow_nearest. */
RCITY_KERNEL rcity_shadow_level rcity_shadow_level_make(const rcity_shadow_weights *weights,
                                                        RCITY_GLOBAL const float *pattern,
                                                        const rcity_shadow_receiver *receiver, float street_root_m,
                                                        const rcity_shadow_tally *tally)
{
    rcity_shadow_level level = rcity_shadow_tally_end(weights, tally);
    rcity_surroundings_mean mean = rcity_shadow_receiver_mean(weights, receiver, street_root_m);
    if (mean.weight > 0.0f) {
        float gain_db = rcity_antenna_gain(weights->antenna, pattern, rcity_shadow_line_direction(receiver->line));
        level = rcity_shadow_mean_add(weights, mean, gain_db, level);
    }
    rcity_shadow_add_clutter(weights, receiver, &level);
    return level;
}

/* Of the power that edges keep back, the streets of a city reflect a part: all as ratios of powers. */
RCITY_KERNEL_WITHIN float rcity_shadow_with_street(float edges, float street, float street_ratio)
{
    return edges / (1.0f + (edges - 1.0f) * street / street_ratio);
}

/* The loss of a free line by the edge nearest to it, as a ratio of powers; a corner's goes on where sight ends. */
RCITY_KERNEL_WITHIN float rcity_shadow_nearest_ratio(const rcity_shadow_law *law, float street,
                                                     rcity_shadow_nearest nearest)
{
    float edge = rcity_shadow_grazing_ratio(law, nearest.grazing_root_m);
    return rcity_shadow_with_street(edge, nearest.is_corner ? street : 0.0f, 1.0f);
}

/* What the bare ground takes as one edge. */
RCITY_KERNEL_WITHIN float rcity_shadow_bare_edge_db(const rcity_shadow_law *law, const rcity_shadow_receiver *receiver,
                                                    float ground_root_m)
{
    int is_near = law->has_knife_edges && receiver->has_hills;
    return is_near ? rcity_surroundings_edge_db(ground_root_m, law->per_root_wavelength) : 0.0f;
}

/* What the ground takes beyond the edges of a path. Where there are no hills it is the same without asking them. */
RCITY_KERNEL_WITHIN float rcity_shadow_ground_beside(const rcity_shadow_receiver *receiver, float edge_db,
                                                     float bare_edge_db, float share)
{
    return receiver->has_hills ? rcity_surroundings_beside_db(edge_db, bare_edge_db, receiver->ground_db,
                                                              receiver->flat_edge_db, receiver->length_m, share)
                               : receiver->ground_db * share;
}

/* The same of a free line past an edge, and all that it takes from a line through walls. */
RCITY_KERNEL_WITHIN float rcity_shadow_free_ground(const rcity_shadow_law *law, const rcity_shadow_receiver *receiver,
                                                   float edge_db, float ground_root_m)
{
    float bare_db = rcity_shadow_bare_edge_db(law, receiver, ground_root_m);
    return rcity_shadow_ground_beside(receiver, rcity_max(edge_db, bare_db), bare_db, 1.0f);
}

RCITY_KERNEL_WITHIN float rcity_shadow_hidden_ground(const rcity_shadow_law *law, const rcity_shadow_receiver *receiver,
                                                     float ground_root_m)
{
    float bare_db = rcity_shadow_bare_edge_db(law, receiver, ground_root_m);
    return bare_db + rcity_shadow_ground_beside(receiver, bare_db, bare_db, 1.0f);
}

/* The loss of the straight line, free or through walls; RCITY_SHADOW_FAR: it is neither. Parts that do not apply are 0.
   A line that enters a building through its roof passes it like a wall. A free one loses what the ground and the edge
   nearest to it take. */
RCITY_KERNEL_WITHIN float rcity_shadow_line_db(const rcity_shadow_law *law, const rcity_shadow_receiver *receiver,
                                               rcity_i32 wall_count, float building_m, float foliage_db,
                                               rcity_shadow_nearest nearest)
{
    float loss_db = rcity_shadow_free_db(law, receiver->log_length) + foliage_db;
    float edge_db = rcity_decibels(rcity_shadow_nearest_ratio(law, receiver->street, nearest));
    edge_db += rcity_shadow_free_ground(law, receiver, edge_db, nearest.ground_root_m);
    float free_db = loss_db + law->direct_db + (law->has_knife_edges ? edge_db : 0.0f);
    rcity_i32 count = receiver->state == RCITY_SHADOW_INDOORS && wall_count == 0 ? 1 : wall_count;
    float ground_db = rcity_shadow_hidden_ground(law, receiver, nearest.ground_root_m);
    float walls_db = loss_db + (rcity_shadow_walls_db(law, (float)count, building_m) + ground_db);
    float hidden_db = count > 0 ? walls_db : RCITY_SHADOW_FAR;
    return receiver->state == RCITY_SHADOW_VISIBLE ? free_db : hidden_db;
}

RCITY_KERNEL rcity_i32 rcity_shadow_line_mechanism(rcity_shadow_state state)
{
    return state == RCITY_SHADOW_VISIBLE ? RCITY_SHADOW_PATH_DIRECT : RCITY_SHADOW_PATH_WALLS;
}

/* The straight line, if it is a path. */
RCITY_KERNEL void rcity_shadow_take_line(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                         const rcity_shadow_receiver *receiver, rcity_wall_path wall,
                                         rcity_shadow_nearest nearest, rcity_shadow_tally *tally)
{
    float foliage_db = rcity_shadow_foliage_db(&weights->law, wall.foliage_m);
    float loss_db = rcity_shadow_line_db(&weights->law, receiver, wall.count, wall.building_m, foliage_db, nearest);
    if (loss_db < RCITY_SHADOW_FAR) {
        rcity_shadow_tally_take(weights, pattern, rcity_shadow_line_direction(receiver->line), loss_db,
                                rcity_shadow_line_mechanism(receiver->state), 0, tally);
    }
}

/* What the ground takes from a path whose edges take so much: all of it at grazing, where sight begins, and nothing in
   deep shadow, where the direct ray and that of the ground come from edges high above it. */
RCITY_KERNEL float rcity_shadow_ground_behind(float ground_db, float edges_ratio)
{
    return ground_db * rcity_min(1.0f, 4.0f / edges_ratio);
}

/* The same of a path over roofs and hills, which also lose what is not an edge's. */
RCITY_KERNEL_WITHIN float rcity_shadow_roof_ground(const rcity_shadow_law *law, const rcity_shadow_receiver *receiver,
                                                   const rcity_shadow_roof *roof, float edges_ratio)
{
    float bare_db = rcity_shadow_bare_edge_db(law, receiver, roof->ground_root_m);
    float edge_db = rcity_max(rcity_decibels(edges_ratio), bare_db);
    return rcity_shadow_ground_beside(receiver, edge_db, bare_db, rcity_min(1.0f, 4.0f / edges_ratio));
}

/* The knife edges of a path over roofs, as a ratio of powers. */
RCITY_KERNEL_WITHIN float rcity_shadow_roof_edges(const rcity_shadow_law *law, const rcity_shadow_roof *roof)
{
    float edges = rcity_shadow_grazing_ratio(law, roof->grazing_root_m) * (1.0f + roof->pair_m / law->wavelength_m);
    return law->has_knife_edges ? edges : 1.0f;
}

/* The loss of the over-roof path; RCITY_SHADOW_FAR: there is none. `log_length` is log10 of its length. */
RCITY_KERNEL_WITHIN float rcity_shadow_roof_db(const rcity_shadow_law *law, const rcity_shadow_receiver *receiver,
                                               const rcity_shadow_roof *roof, float log_length)
{
    float edges = rcity_shadow_roof_edges(law, roof);
    float turns_db =
        rcity_shadow_turns_db(law->roof, law->log_wavenumber, (float)roof->turns.count, roof->turns.log_distance_sum,
                              roof->turns.angle_sum_rad, roof->turns.angle_square_sum_rad2);
    float loss_db = rcity_shadow_free_db(law, log_length) + rcity_max(rcity_decibels(edges) + turns_db, 0.0f) +
                    rcity_shadow_roof_ground(law, receiver, roof, edges);
    return roof->turns.length_m > 0.0f ? loss_db : RCITY_SHADOW_FAR;
}

/* Adds the over-roof path with its loss, if there is one. */
RCITY_KERNEL void rcity_shadow_add_roof(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                        rcity_shadow_line line, const rcity_shadow_roof *roof, float loss_db,
                                        rcity_shadow_tally *tally)
{
    if (!(loss_db < RCITY_SHADOW_FAR) || rcity_shadow_tally_is_beaten(weights, loss_db, tally)) {
        return; /* before any angle is computed */
    }
    rcity_vec3 direction = rcity_shadow_direction_at(weights, line.dx, line.dy, roof->elevation_rad);
    rcity_shadow_tally_take(weights, pattern, direction, loss_db, RCITY_SHADOW_PATH_ROOF, roof->turns.count, tally);
}

RCITY_KERNEL void rcity_shadow_take_roof(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                         const rcity_shadow_receiver *receiver, rcity_shadow_roof roof,
                                         float log_length, rcity_shadow_tally *tally)
{
    float loss_db = rcity_shadow_roof_db(&weights->law, receiver, &roof, log_length);
    rcity_shadow_add_roof(weights, pattern, receiver->line, &roof, loss_db, tally);
}

/* A chain of corners up to its last one: sums over the turns before it, and where it leaves the source. */
typedef struct rcity_shadow_chain {
    rcity_shadow_turns before;
    float grazing_root_m; /* geometric mean over these turns */
    float azimuth_dx, azimuth_dy;
} rcity_shadow_chain;

/* What the turns of a chain take, all but the last: knife edges and what streets reflect as ratios of powers, and the
   polynomials, with what they take for each turn whatever its angle. The same for all receivers. */
typedef struct rcity_shadow_chain_loss {
    float edges, street, turns_db;
} rcity_shadow_chain_loss;

RCITY_KERNEL rcity_shadow_chain_loss rcity_shadow_chain_weigh(const rcity_shadow_law *law,
                                                              const rcity_shadow_chain *chain)
{
    const rcity_shadow_turns *before = &chain->before;
    rcity_shadow_chain_loss loss;
    loss.turns_db =
        rcity_shadow_turns_db(law->corner, law->log_wavenumber, (float)(before->count + 1), before->log_distance_sum,
                              before->angle_sum_rad, before->angle_square_sum_rad2);
    loss.edges = 1.0f;
    loss.street = 1.0f;
    for (rcity_i32 i = 0; i < before->count && law->has_knife_edges; i++) {
        float count = (float)before->count; /* of more than one only the means are kept */
        loss.edges *= rcity_shadow_grazing_ratio(law, chain->grazing_root_m);
        loss.street *= rcity_corner_street(before->log_distance_sum / count, before->angle_sum_rad / count);
    }
    return loss;
}

/* The corners of a path, as a ratio of powers: knife edges, two turns in one sense together and others apart, and what
   streets reflect around all of them. `street` is the receiver's. */
RCITY_KERNEL float rcity_shadow_corner_edges(const rcity_shadow_law *law, rcity_shadow_chain_loss before,
                                             const rcity_corner_path *last, float street)
{
    float edge = rcity_shadow_grazing_ratio(law, last->grazing_root_m);
    float together = edge * (1.0f + last->pair_m / law->wavelength_m);
    float edges = last->pair_m >= 0.0f ? together : edge * before.edges;
    float ratio = before.street * last->street;
    return law->has_knife_edges ? rcity_shadow_with_street(edges, street, ratio) : 1.0f;
}

/* The loss of a path around corners: the chain, and the last turn. `street` and `ground_db` are those of the
   receiver. */
RCITY_KERNEL float rcity_shadow_corner_db(const rcity_shadow_law *law, rcity_shadow_chain_loss before,
                                          const rcity_corner_path *last, float street, float ground_db)
{
    float edges = rcity_shadow_corner_edges(law, before, last, street);
    float turns_db = before.turns_db + law->corner.per_decade_db * last->log_distance +
                     law->corner.linear_db * last->angle_rad +
                     law->corner.square_db * (last->angle_rad * last->angle_rad);
    return rcity_shadow_free_db(law, last->log_length) +
           (rcity_max(rcity_decibels(edges) + turns_db, 0.0f) + rcity_shadow_ground_behind(ground_db, edges));
}

/* Adds a path around corners with its loss. */
RCITY_KERNEL void rcity_shadow_add_corner(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                          const rcity_shadow_chain *chain, float slope, float loss_db,
                                          rcity_shadow_tally *tally)
{
    rcity_shadow_tally_take(weights, pattern, rcity_shadow_direction(chain->azimuth_dx, chain->azimuth_dy, slope),
                            loss_db, RCITY_SHADOW_PATH_CORNER, chain->before.count + 1, tally);
}

RCITY_KERNEL void rcity_shadow_take_corner(const rcity_shadow_weights *weights, RCITY_GLOBAL const float *pattern,
                                           const rcity_shadow_receiver *receiver, const rcity_shadow_chain *chain,
                                           const rcity_corner_path *last, rcity_shadow_tally *tally)
{
    rcity_shadow_chain_loss before = rcity_shadow_chain_weigh(&weights->law, chain);
    float loss_db = rcity_shadow_corner_db(&weights->law, before, last, receiver->street, receiver->ground_db);
    rcity_shadow_add_corner(weights, pattern, chain, last->slope, loss_db, tally);
}

#endif
