/* A block of receivers at a time: the numbers of its receivers and paths are copied into arrays, a member each, and
   each formula of kernel/shadow runs over them in a loop without branches or calls, which the compiler vectorizes. The
   antenna's gain and sums of powers go receiver by receiver. No formula is written here: a new member of a receiver or
   path that a formula uses is added to the arrays and to the two functions that fill and read them. */
#include "method/shadow/shadow_block.h"

#include <math.h>
#include <string.h>

#define BLOCK_RECEIVERS 64
#define LANES           8   /* that are computed at once: loops run over whole multiples, without a rest one by one */
#define BLOCK_PATHS     256 /* around corners, to all receivers of a block */
#define AHEAD           128 /* elements that are fetched from memory ahead */

/* Receivers that get a level, and their straight and over-roof paths. */
typedef struct receiver_lanes {
    size_t count;
    size_t index[BLOCK_RECEIVERS]; /* of the receiver */
    int32_t state[BLOCK_RECEIVERS];
    float dx[BLOCK_RECEIVERS], dy[BLOCK_RECEIVERS], slope[BLOCK_RECEIVERS], log_length[BLOCK_RECEIVERS];
    float height_m[BLOCK_RECEIVERS], built_share[BLOCK_RECEIVERS], roof_m[BLOCK_RECEIVERS], built_m[BLOCK_RECEIVERS];
    float hill_root_m[BLOCK_RECEIVERS], hill_slope[BLOCK_RECEIVERS], hill_db[BLOCK_RECEIVERS],
        behind_m[BLOCK_RECEIVERS];
    float length_m[BLOCK_RECEIVERS], rise_m[BLOCK_RECEIVERS], ground_db[BLOCK_RECEIVERS];
    float flat_edge_db[BLOCK_RECEIVERS];
    float city[BLOCK_RECEIVERS], street[BLOCK_RECEIVERS];
} receiver_lanes;

typedef struct line_lanes {
    int32_t wall_count[BLOCK_RECEIVERS];
    float building_m[BLOCK_RECEIVERS], foliage_db[BLOCK_RECEIVERS];
    float street_root_m[BLOCK_RECEIVERS]; /* of rcity_shadow_nearest */
    float loss_db[BLOCK_RECEIVERS];
    float gain_db[BLOCK_RECEIVERS]; /* of the antenna toward the receiver */
} line_lanes;

typedef struct roof_lanes {
    int32_t count[BLOCK_RECEIVERS];
    float length_m[BLOCK_RECEIVERS], angle_sum_rad[BLOCK_RECEIVERS], angle_square_sum_rad2[BLOCK_RECEIVERS];
    float log_distance_sum[BLOCK_RECEIVERS], grazing_root_m[BLOCK_RECEIVERS], pair_m[BLOCK_RECEIVERS];
    float ground_root_m[BLOCK_RECEIVERS];
    float log_length[BLOCK_RECEIVERS];
    float loss_db[BLOCK_RECEIVERS];
} roof_lanes;

typedef struct mean_lanes {
    float loss_db[BLOCK_RECEIVERS], weight[BLOCK_RECEIVERS], doubt[BLOCK_RECEIVERS];
} mean_lanes;

typedef struct tally_lanes {
    float loss_db[BLOCK_RECEIVERS], gained_db[BLOCK_RECEIVERS];
    int32_t mechanism[BLOCK_RECEIVERS], turn_count[BLOCK_RECEIVERS];
} tally_lanes;

typedef struct level_lanes {
    float loss_db[BLOCK_RECEIVERS], received_dbm[BLOCK_RECEIVERS];
    int32_t mechanism[BLOCK_RECEIVERS], turn_count[BLOCK_RECEIVERS];
} level_lanes;

/* Paths around corners, receiver by receiver. */
typedef struct corner_lanes {
    size_t count;
    int32_t receiver[BLOCK_PATHS]; /* in the block */
    int32_t node[BLOCK_PATHS];
    float before_edges[BLOCK_PATHS], before_street[BLOCK_PATHS], before_db[BLOCK_PATHS]; /* of the chain */
    float angle_rad[BLOCK_PATHS], log_distance[BLOCK_PATHS], log_length[BLOCK_PATHS];
    float grazing_root_m[BLOCK_PATHS], pair_m[BLOCK_PATHS], turn_street[BLOCK_PATHS];
    float street[BLOCK_PATHS], ground_db[BLOCK_PATHS]; /* of the receiver */
    float loss_db[BLOCK_PATHS];
} corner_lanes;

typedef struct block {
    const rcity_shadow_paths *paths;
    const rcity_shadow_weights *weights;
    const float *pattern;
    const rcity_shadow_chain_loss *chains;
    receiver_lanes receivers;
    line_lanes lines;
    roof_lanes roofs;
    mean_lanes means;
    corner_lanes corners;
    tally_lanes tallies;
    level_lanes levels;
} block;

/* The element to be read from memory now, so that it is there when it is needed. */
static size_t ahead_of(size_t i, size_t count)
{
    return i + AHEAD < count ? i + AHEAD : i;
}

/* Lanes that hold so many elements; what the last of them compute is not used. */
static inline size_t lanes_of(size_t count)
{
    return (count + LANES - 1) & ~(size_t)(LANES - 1);
}

/* Finds the receivers from `begin` on that get a level, as many as there is room for with their paths around corners.
   @return the first receiver after the block; `begin` if it has more paths than there is room for. */
static size_t find_receivers(const rcity_shadow_paths *paths, size_t begin, size_t end, receiver_lanes *to)
{
    const uint8_t *states = paths->states;
    const size_t *first = paths->corner_paths->first;
    int reaches_indoor = paths->reaches_indoor;
    size_t next = begin;
    size_t k = 0;
    for (; next < end && k < BLOCK_RECEIVERS; next++) {
        to->index[k] = next;
        k += reaches_indoor || states[next] != RCITY_SHADOW_INDOORS;
    }
    while (next > begin && first[next] - first[begin] > BLOCK_PATHS) {
        next--;
        k -= k > 0 && to->index[k - 1] == next;
    }
    to->count = k;
    for (size_t last = k; k < lanes_of(last); k++) {
        to->index[k] = to->index[last - 1]; /* lanes that are not used have numbers, too */
    }
    return next;
}

/* An array's elements of the receivers in the block; without an array all are `otherwise`. */
static void pick(const receiver_lanes *receivers, const float *from, float otherwise, float *to)
{
    size_t lanes = lanes_of(receivers->count);
    for (size_t k = 0; k < lanes && from == NULL; k++) {
        to[k] = otherwise;
    }
    for (size_t k = 0; k < lanes && from != NULL; k++) {
        to[k] = from[receivers->index[k]];
    }
}

/* What is known of the receivers in the block. */
static void pick_receivers(const rcity_shadow_paths *from, float height_m, receiver_lanes *to)
{
    const rcity_shadow_paths paths = *from; /* no array overlaps it */
    const rcity_surroundings_node nothing = {0.0f, 0.0f};
    for (size_t k = 0; k < lanes_of(to->count); k++) {
        size_t i = to->index[k];
        rcity_surroundings_node here = paths.here != NULL ? paths.here[i] : nothing;
        rcity_prefetch(&paths.lines[ahead_of(i, paths.count)]);
        to->state[k] = paths.states[i];
        to->dx[k] = paths.lines[i].dx;
        to->dy[k] = paths.lines[i].dy;
        to->slope[k] = paths.lines[i].slope;
        to->log_length[k] = paths.log_lengths[i];
        to->built_share[k] = here.built_share;
        to->roof_m[k] = here.roof_m;
    }
    pick(to, paths.built_m, 0.0f, to->built_m);
    pick(to, paths.hill_root_m, RCITY_SURROUNDINGS_NO_HILL, to->hill_root_m);
    pick(to, paths.hill_slope, 0.0f, to->hill_slope);
    pick(to, paths.heights_m, height_m, to->height_m);
}

/* What the straight lines pass through. */
static void pick_lines(const rcity_shadow_paths *from, const rcity_shadow_law *law, const receiver_lanes *receivers,
                       line_lanes *to)
{
    const int32_t *wall_count = from->walls.count;
    for (size_t k = 0; k < lanes_of(receivers->count) && wall_count != NULL; k++) {
        to->wall_count[k] = wall_count[receivers->index[k]];
    }
    pick(receivers, from->walls.building_m, 0.0f, to->building_m);
    pick(receivers, from->walls.foliage_m, 0.0f, to->foliage_db);
    for (size_t k = 0; k < receivers->count && from->walls.foliage_m != NULL; k++) {
        to->foliage_db[k] = rcity_shadow_foliage_db(law, to->foliage_db[k]);
    }
}

static bool has_terms(rcity_shadow_turn_law law)
{
    return law.per_decade_db != 0.0f || law.linear_db != 0.0f || law.square_db != 0.0f;
}

/* The over-roof paths; their angles only if the law uses them. */
static void pick_roofs(const rcity_shadow_paths *from, const rcity_shadow_law *law, const receiver_lanes *receivers,
                       roof_lanes *to)
{
    const rcity_shadow_roof *roofs = from->roofs;
    const float *log_lengths = from->roof_log_lengths;
    for (size_t k = 0; k < lanes_of(receivers->count); k++) {
        size_t i = receivers->index[k];
        rcity_prefetch(&roofs[ahead_of(i, from->count)]);
        to->length_m[k] = roofs[i].turns.length_m;
        to->count[k] = roofs[i].turns.count;
        to->grazing_root_m[k] = roofs[i].grazing_root_m;
        to->pair_m[k] = roofs[i].pair_m;
        to->ground_root_m[k] = rcity_shadow_roof_ground_root(roofs[i].turns.length_m, roofs[i].ground_root_m);
        to->log_length[k] = log_lengths[i];
    }
    for (size_t k = 0; k < lanes_of(receivers->count) && has_terms(law->roof); k++) {
        const rcity_shadow_turns *turns = &roofs[receivers->index[k]].turns;
        to->angle_sum_rad[k] = turns->angle_sum_rad;
        to->angle_square_sum_rad2[k] = turns->angle_square_sum_rad2;
        to->log_distance_sum[k] = turns->log_distance_sum;
    }
}

static rcity_shadow_roof roof_at(const roof_lanes *from, size_t k)
{
    return (rcity_shadow_roof){{from->length_m[k], from->angle_sum_rad[k], from->angle_square_sum_rad2[k],
                                from->log_distance_sum[k], from->count[k]},
                               0.0f, /* its elevation has no loss */
                               from->grazing_root_m[k],
                               from->pair_m[k],
                               from->ground_root_m[k]};
}

static rcity_shadow_line line_at(const receiver_lanes *from, size_t k)
{
    return (rcity_shadow_line){from->dx[k], from->dy[k], from->slope[k]};
}

static inline rcity_shadow_receiver receiver_at(const receiver_lanes *from, size_t k, int has_hills)
{
    return (rcity_shadow_receiver){line_at(from, k),      (rcity_shadow_state)from->state[k],
                                   from->log_length[k],   from->length_m[k],
                                   from->rise_m[k],       {from->height_m[k], {from->built_share[k], from->roof_m[k]}},
                                   from->built_m[k],      from->hill_db[k],
                                   from->behind_m[k],     from->city[k],
                                   from->street[k],       from->ground_db[k],
                                   from->flat_edge_db[k], has_hills};
}

/* rcity_shadow_receiver_make() for all of them. */
RCITY_WIDE static void make_receivers(const rcity_shadow_weights *weights, receiver_lanes *to)
{
    const rcity_shadow_weights own = *weights; /* no array overlaps it */
    for (size_t k = 0; k < lanes_of(to->count); k++) {
        rcity_surroundings_node here = {to->built_share[k], to->roof_m[k]};
        rcity_shadow_receiver receiver =
            rcity_shadow_receiver_make(&own, line_at(to, k), to->log_length[k], (rcity_shadow_state)to->state[k],
                                       to->height_m[k], here, to->built_m[k], to->hill_root_m[k], to->hill_slope[k]);
        to->hill_db[k] = receiver.hill_db;
        to->behind_m[k] = receiver.behind_m;
        to->length_m[k] = receiver.length_m;
        to->rise_m[k] = receiver.rise_m;
        to->ground_db[k] = receiver.ground_db;
        to->flat_edge_db[k] = receiver.flat_edge_db;
        to->city[k] = receiver.city;
        to->street[k] = receiver.street;
    }
}

/* What hills below the lines, of the surroundings and of the map, ask for. */
RCITY_WIDE static void add_hills(const rcity_shadow_weights *weights, receiver_lanes *to)
{
    const rcity_shadow_weights own = *weights;
    for (size_t k = 0; k < lanes_of(to->count); k++) {
        to->hill_db[k] = rcity_surroundings_hill_db(to->hill_db[k], to->length_m[k]);
        to->flat_edge_db[k] = rcity_shadow_flat_edge_db(&own, to->height_m[k], to->rise_m[k], to->length_m[k]);
    }
}

/* rcity_shadow_receiver_complete(): the earth one by one, since few are so far away. */
static void complete_receivers(const rcity_shadow_weights *weights, bool has_hills, receiver_lanes *to)
{
    bool is_hilly = has_hills;
    for (size_t k = 0; k < to->count; k++) {
        is_hilly |= to->hill_db[k] > 0.0f;
        if (!rcity_shadow_is_near(weights, to->height_m[k], to->rise_m[k], to->length_m[k])) {
            to->ground_db[k] += rcity_shadow_earth_db(weights, to->height_m[k], to->rise_m[k], to->length_m[k]);
        }
    }
    if (is_hilly) {
        add_hills(weights, to);
    }
}

/* Does the bare ground come near to any line of the block? */
static bool find_hills(const roof_lanes *roofs, size_t count)
{
    bool has_hills = false;
    for (size_t k = 0; k < count; k++) {
        has_hills |= roofs->ground_root_m[k] > RCITY_SHADOW_CLEAR_ROOT_M;
    }
    return has_hills;
}

RCITY_WIDE static void make_means(const rcity_shadow_weights *weights, const receiver_lanes *receivers,
                                  const line_lanes *lines, mean_lanes *to)
{
    const rcity_shadow_weights own = *weights;
    for (size_t k = 0; k < lanes_of(receivers->count); k++) {
        rcity_shadow_receiver receiver = receiver_at(receivers, k, 0);
        rcity_surroundings_mean mean = rcity_shadow_receiver_mean(&own, &receiver, lines->street_root_m[k]);
        to->loss_db[k] = mean.loss_db;
        to->weight[k] = mean.weight;
        to->doubt[k] = mean.doubt;
    }
}

/* The records of roofs, if there are any, say what the free lines come near to. */
RCITY_KERNEL_WITHIN void weigh_lines(const rcity_shadow_weights *weights, const receiver_lanes *receivers,
                                     const roof_lanes *roofs, int has_roofs, int has_hills, line_lanes *lines)
{
    const rcity_shadow_law law = weights->law;
    const int32_t near_state = has_roofs ? (int32_t)RCITY_SHADOW_VISIBLE : -1;
    for (size_t k = 0; k < lanes_of(receivers->count); k++) {
        rcity_shadow_receiver receiver = receiver_at(receivers, k, has_hills);
        int is_near = receivers->state[k] == near_state;
        rcity_shadow_nearest nearest =
            rcity_shadow_nearest_make(is_near, roofs->grazing_root_m[k], roofs->pair_m[k], roofs->ground_root_m[k]);
        lines->loss_db[k] = rcity_shadow_line_db(&law, &receiver, lines->wall_count[k], lines->building_m[k],
                                                 lines->foliage_db[k], nearest);
        lines->street_root_m[k] = nearest.street_root_m;
    }
}

RCITY_KERNEL_WITHIN void weigh_roofs(const rcity_shadow_weights *weights, const receiver_lanes *receivers,
                                     int has_hills, roof_lanes *roofs)
{
    const rcity_shadow_law law = weights->law;
    for (size_t k = 0; k < lanes_of(receivers->count); k++) {
        rcity_shadow_receiver receiver = receiver_at(receivers, k, has_hills);
        rcity_shadow_roof roof = roof_at(roofs, k);
        roofs->loss_db[k] = rcity_shadow_roof_db(&law, &receiver, &roof, roofs->log_length[k]);
    }
}

/* Both over a flat scene and with hills: where there are none, these formulas fall away. */
RCITY_WIDE static void weigh_flat(const rcity_shadow_weights *weights, const receiver_lanes *receivers, int has_roofs,
                                  roof_lanes *roofs, line_lanes *lines)
{
    if (has_roofs) {
        weigh_roofs(weights, receivers, 0, roofs);
    }
    weigh_lines(weights, receivers, roofs, has_roofs, 0, lines);
}

RCITY_WIDE static void weigh_hilly(const rcity_shadow_weights *weights, const receiver_lanes *receivers,
                                   roof_lanes *roofs, line_lanes *lines)
{
    weigh_roofs(weights, receivers, 1, roofs);
    weigh_lines(weights, receivers, roofs, 1, 1, lines);
}

/* The paths around corners to the hidden receivers of the block; their angles only if the law uses them. */
static void pick_corners(const rcity_corner_paths *from, const rcity_shadow_law *law,
                         const rcity_shadow_chain_loss *chains, const receiver_lanes *receivers, corner_lanes *to)
{
    const rcity_chain_path *paths = from->paths;
    bool uses_angles = has_terms(law->corner);
    size_t count = 0;
    for (size_t k = 0; k < receivers->count; k++) {
        size_t i = receivers->index[k];
        size_t end = receivers->state[k] == RCITY_SHADOW_HIDDEN ? from->first[i + 1] : from->first[i];
        for (size_t p = from->first[i]; p < end; p++, count++) {
            rcity_prefetch(&paths[ahead_of(p, from->path_count)]);
            to->before_edges[count] = chains[paths[p].node].edges;
            to->before_street[count] = chains[paths[p].node].street;
            to->before_db[count] = chains[paths[p].node].turns_db;
            to->log_length[count] = paths[p].log_length;
            to->grazing_root_m[count] = paths[p].grazing_root_m;
            to->pair_m[count] = paths[p].pair_m;
            to->turn_street[count] = paths[p].street;
            to->street[count] = receivers->street[k];
            to->ground_db[count] = receivers->ground_db[k];
            to->receiver[count] = (int32_t)k;
            to->node[count] = paths[p].node;
            if (uses_angles) {
                to->angle_rad[count] = paths[p].angle_rad;
                to->log_distance[count] = paths[p].log_distance;
            }
        }
    }
    to->count = count;
}

RCITY_WIDE static void weigh_corners(const rcity_shadow_weights *weights, corner_lanes *corners)
{
    const rcity_shadow_law law = weights->law;
    for (size_t k = 0; k < lanes_of(corners->count); k++) {
        rcity_shadow_chain_loss before = {corners->before_edges[k], corners->before_street[k], corners->before_db[k]};
        rcity_corner_path last = {corners->angle_rad[k],      corners->log_distance[k], corners->log_length[k], 0.0f,
                                  corners->grazing_root_m[k], corners->pair_m[k],       corners->turn_street[k]};
        corners->loss_db[k] = rcity_shadow_corner_db(&law, before, &last, corners->street[k], corners->ground_db[k]);
    }
}

/* Adds the paths around corners [first, end), whose losses begin at `loss_db`. */
static void take_corners(const block *b, size_t first, size_t end, const float *loss_db, rcity_shadow_tally *tally)
{
    const rcity_corner_paths *corner_paths = b->paths->corner_paths;
    for (size_t p = first; p < end; p++) {
        float path_db = loss_db[p - first];
        if (!rcity_shadow_tally_is_beaten(b->weights, path_db, tally)) {
            const rcity_chain_path *path = &corner_paths->paths[p];
            rcity_shadow_chain chain = rcity_corner_node_chain(&corner_paths->nodes[path->node]);
            rcity_shadow_add_corner(b->weights, b->pattern, &chain, path->slope, path_db, tally);
        }
    }
}

/* Adds all paths on the map, receiver by receiver. The antenna's gain toward a receiver is needed for its straight line
   and for the diffuse path. */
static void take_paths(block *b)
{
    const rcity_shadow_weights *weights = b->weights;
    size_t path = 0;
    for (size_t k = 0; k < b->receivers.count; k++) {
        rcity_shadow_state state = (rcity_shadow_state)b->receivers.state[k];
        float line_db = b->lines.loss_db[k];
        float gain_db = 0.0f;
        rcity_shadow_tally tally;
        rcity_shadow_tally_begin(&tally);
        if (line_db < RCITY_SHADOW_FAR || b->means.weight[k] > 0.0f) {
            rcity_vec3 direction = rcity_shadow_line_direction(line_at(&b->receivers, k));
            gain_db = rcity_antenna_gain(weights->antenna, b->pattern, direction);
        }
        if (line_db < RCITY_SHADOW_FAR) {
            rcity_shadow_tally_add(weights, line_db, gain_db, rcity_shadow_line_mechanism(state), 0, &tally);
        }
        if (state == RCITY_SHADOW_HIDDEN) {
            size_t i = b->receivers.index[k];
            const size_t *first = &b->paths->corner_paths->first[i];
            if (b->paths->roofs != NULL) {
                rcity_shadow_add_roof(weights, b->pattern, line_at(&b->receivers, k), &b->paths->roofs[i],
                                      b->roofs.loss_db[k], &tally);
            }
            take_corners(b, first[0], first[1], b->corners.loss_db + path, &tally);
            path += first[1] - first[0];
        }
        rcity_shadow_level level = rcity_shadow_tally_end(weights, &tally);
        b->lines.gain_db[k] = gain_db;
        b->levels.loss_db[k] = level.loss_db;
        b->levels.received_dbm[k] = level.received_dbm;
        b->levels.mechanism[k] = level.mechanism;
        b->levels.turn_count[k] = level.turn_count;
    }
}

/* The straight and the over-roof paths of all receivers, where all directions have the same gain and the strongest path
   counts. Adding a path whose loss is RCITY_SHADOW_FAR changes nothing. */
RCITY_WIDE static void take_strongest(const rcity_shadow_weights *weights, const receiver_lanes *receivers,
                                      const line_lanes *lines, const roof_lanes *roofs, tally_lanes *to)
{
    rcity_shadow_weights own = *weights;
    own.adds_powers = 0;
    for (size_t k = 0; k < lanes_of(receivers->count); k++) {
        rcity_shadow_state state = (rcity_shadow_state)receivers->state[k];
        float roof_db = state == RCITY_SHADOW_HIDDEN ? roofs->loss_db[k] : RCITY_SHADOW_FAR;
        rcity_shadow_tally tally;
        rcity_shadow_tally_begin(&tally);
        rcity_shadow_tally_add(&own, lines->loss_db[k], own.antenna.gain_dbi, rcity_shadow_line_mechanism(state), 0,
                               &tally);
        rcity_shadow_tally_add(&own, roof_db, own.antenna.gain_dbi, RCITY_SHADOW_PATH_ROOF, roofs->count[k], &tally);
        to->loss_db[k] = tally.loss_db;
        to->gained_db[k] = tally.gained_db;
        to->mechanism[k] = tally.mechanism;
        to->turn_count[k] = tally.turn_count;
    }
}

static rcity_shadow_tally tally_at(const tally_lanes *from, size_t k)
{
    return (rcity_shadow_tally){from->loss_db[k],   from->gained_db[k], 0.0f, 0.0f,
                                from->mechanism[k], from->turn_count[k]};
}

/* The paths around corners to them; few are the strongest. */
static void take_strongest_corners(block *b)
{
    const rcity_corner_paths *corner_paths = b->paths->corner_paths;
    const corner_lanes *corners = &b->corners;
    tally_lanes *to = &b->tallies;
    for (size_t p = 0; p < corners->count; p++) {
        size_t k = (size_t)corners->receiver[p];
        if (corners->loss_db[p] < to->loss_db[k]) {
            const rcity_corner_node *node = &corner_paths->nodes[corners->node[p]];
            rcity_shadow_tally tally = tally_at(to, k);
            rcity_shadow_tally_add(b->weights, corners->loss_db[p], b->weights->antenna.gain_dbi,
                                   RCITY_SHADOW_PATH_CORNER, node->turns.count + 1, &tally);
            to->loss_db[k] = tally.loss_db;
            to->gained_db[k] = tally.gained_db;
            to->mechanism[k] = tally.mechanism;
            to->turn_count[k] = tally.turn_count;
        }
    }
}

static rcity_shadow_level level_at(const level_lanes *from, size_t k)
{
    return (rcity_shadow_level){from->loss_db[k], from->received_dbm[k], from->mechanism[k], from->turn_count[k]};
}

RCITY_WIDE static void end_strongest(const rcity_shadow_weights *weights, size_t count, const tally_lanes *tallies,
                                     float *gain_db, level_lanes *levels)
{
    rcity_shadow_weights own = *weights;
    own.adds_powers = 0;
    for (size_t k = 0; k < lanes_of(count); k++) {
        rcity_shadow_tally tally = tally_at(tallies, k);
        rcity_shadow_level level = rcity_shadow_tally_end(&own, &tally);
        gain_db[k] = own.antenna.gain_dbi;
        levels->loss_db[k] = level.loss_db;
        levels->received_dbm[k] = level.received_dbm;
        levels->mechanism[k] = level.mechanism;
        levels->turn_count[k] = level.turn_count;
    }
}

RCITY_KERNEL_WITHIN void add_means_to(const rcity_shadow_weights *weights, size_t lanes, const mean_lanes *means,
                                      const float *gain_db, level_lanes *levels)
{
    for (size_t k = 0; k < lanes; k++) {
        rcity_surroundings_mean mean = {means->loss_db[k], means->weight[k], means->doubt[k]};
        rcity_shadow_level before = level_at(levels, k);
        rcity_shadow_level after = rcity_shadow_mean_add(weights, mean, gain_db[k], before);
        int counts = mean.weight > 0.0f;
        levels->loss_db[k] = counts ? after.loss_db : before.loss_db;
        levels->received_dbm[k] = counts ? after.received_dbm : before.received_dbm;
        levels->mechanism[k] = counts ? after.mechanism : before.mechanism;
        levels->turn_count[k] = counts ? after.turn_count : before.turn_count;
    }
}

/* Only with an antenna of its own is there a second sum of powers; a loop without branches would always compute it. */
RCITY_WIDE static void add_means(const rcity_shadow_weights *weights, size_t count, const mean_lanes *means,
                                 const float *gain_db, level_lanes *levels)
{
    rcity_shadow_weights own = *weights;
    if (own.antenna.kind == RCITY_ANTENNA_KIND_ISOTROPIC) {
        own.antenna.kind = RCITY_ANTENNA_KIND_ISOTROPIC; /* a constant in this loop */
        add_means_to(&own, lanes_of(count), means, gain_db, levels);
    } else {
        add_means_to(&own, lanes_of(count), means, gain_db, levels);
    }
}

static void add_clutter(const rcity_shadow_weights *weights, const receiver_lanes *receivers, level_lanes *levels)
{
    for (size_t k = 0; k < receivers->count && weights->law.clutter_metre_db > 0.0f; k++) {
        rcity_shadow_receiver receiver = receiver_at(receivers, k, 0);
        rcity_shadow_level level = level_at(levels, k);
        rcity_shadow_add_clutter(weights, &receiver, &level);
        levels->loss_db[k] = level.loss_db;
        levels->received_dbm[k] = level.received_dbm;
    }
}

static void put_floats(const receiver_lanes *receivers, size_t begin, size_t end, const float *values, float *band)
{
    for (size_t i = begin; i < end && band != NULL; i++) {
        band[i] = NAN;
    }
    for (size_t k = 0; k < receivers->count && band != NULL; k++) {
        band[receivers->index[k]] = values[k];
    }
}

/* -1 stands for no path. */
static void put_numbers(const receiver_lanes *receivers, size_t begin, size_t end, const int32_t *numbers, float *band)
{
    float values[BLOCK_RECEIVERS];
    for (size_t k = 0; k < receivers->count && band != NULL; k++) {
        values[k] = numbers[k] < 0 ? NAN : (float)numbers[k];
    }
    put_floats(receivers, begin, end, values, band);
}

static void weigh_block(block *b, size_t begin, size_t end, const rcity_shadow_bands *bands)
{
    const rcity_shadow_weights *weights = b->weights;
    const receiver_lanes *receivers = &b->receivers;
    pick_receivers(b->paths, weights->receiver_height_m, &b->receivers);
    pick_lines(b->paths, &weights->law, receivers, &b->lines);
    make_receivers(weights, &b->receivers);
    bool has_roofs = b->paths->roofs != NULL;
    if (has_roofs) {
        pick_roofs(b->paths, &weights->law, receivers, &b->roofs);
    }
    bool has_hills = has_roofs && find_hills(&b->roofs, receivers->count);
    complete_receivers(weights, has_hills, &b->receivers);
    if (has_hills) {
        weigh_hilly(weights, receivers, &b->roofs, &b->lines);
    } else {
        weigh_flat(weights, receivers, has_roofs, &b->roofs, &b->lines);
    }
    make_means(weights, receivers, &b->lines, &b->means);
    pick_corners(b->paths->corner_paths, &weights->law, b->chains, receivers, &b->corners);
    weigh_corners(weights, &b->corners);
    if (weights->adds_powers || weights->antenna.kind != RCITY_ANTENNA_KIND_ISOTROPIC) {
        take_paths(b);
    } else {
        take_strongest(weights, receivers, &b->lines, &b->roofs, &b->tallies);
        take_strongest_corners(b);
        end_strongest(weights, receivers->count, &b->tallies, b->lines.gain_db, &b->levels);
    }
    add_means(weights, receivers->count, &b->means, b->lines.gain_db, &b->levels);
    add_clutter(weights, receivers, &b->levels);
    put_floats(receivers, begin, end, b->levels.loss_db, bands->loss_db);
    put_floats(receivers, begin, end, b->levels.received_dbm, bands->received_dbm);
    put_numbers(receivers, begin, end, b->levels.mechanism, bands->mechanism);
    put_numbers(receivers, begin, end, b->levels.turn_count, bands->turn_count);
}

/* A receiver with more paths than a block has room for. */
static void weigh_alone(block *b, size_t i, const rcity_shadow_bands *bands)
{
    rcity_shadow_level level = rcity_shadow_weigh_receiver(b->paths, b->weights, b->pattern, i);
    b->receivers.count = 1;
    b->receivers.index[0] = i;
    put_floats(&b->receivers, i, i + 1, &level.loss_db, bands->loss_db);
    put_floats(&b->receivers, i, i + 1, &level.received_dbm, bands->received_dbm);
    put_numbers(&b->receivers, i, i + 1, &level.mechanism, bands->mechanism);
    put_numbers(&b->receivers, i, i + 1, &level.turn_count, bands->turn_count);
}

/* What is never written where it is not used: without arrays there are no walls and no roofs, and angles are 0. */
static void clear_unused(block *b)
{
    memset(b, 0, sizeof *b);
    for (size_t k = 0; k < BLOCK_RECEIVERS; k++) {
        b->roofs.loss_db[k] = RCITY_SHADOW_FAR;
    }
}

void rcity_shadow_weigh_blocks(const rcity_shadow_paths *paths, const rcity_shadow_weights *weights,
                               const float *pattern, const rcity_shadow_chain_loss *chains, size_t begin, size_t end,
                               const rcity_shadow_bands *bands)
{
    block b;
    clear_unused(&b);
    b.paths = paths;
    b.weights = weights;
    b.pattern = pattern;
    b.chains = chains;
    while (begin < end) {
        size_t next = find_receivers(paths, begin, end, &b.receivers);
        if (next > begin) {
            weigh_block(&b, begin, next, bands);
        } else {
            weigh_alone(&b, begin, bands);
            next = begin + 1;
        }
        begin = next;
    }
}
