#include "method/shadow/shadow_weigh.h"

#include <math.h>

#include "base/parallel.h"

#define PIECE_RECEIVERS 4096 /* that a thread takes at a time */

typedef struct weigh_work {
    const rcity_shadow_ways *ways;
    const rcity_shadow_weights *weights;
    const float *pattern;
    const rcity_shadow_bands *bands;
} weigh_work;

/* The straight line: free, or through walls. */
static void take_straight(const weigh_work *work, size_t i, rcity_shadow_tally *tally)
{
    const rcity_shadow_ways *ways = work->ways;
    const rcity_shadow_law *law = &work->weights->law;
    const rcity_shadow_line *line = &ways->lines[i];
    rcity_vec3 direction = rcity_shadow_direction(line->dx, line->dy, line->slope);
    float free_db = rcity_shadow_free_db(law, ways->log_lengths[i]);
    free_db += ways->walls.foliage_m != NULL ? rcity_shadow_foliage_db(law, ways->walls.foliage_m[i]) : 0.0f;
    if (ways->states[i] == RCITY_SHADOW_LIT) {
        rcity_shadow_tally_take(work->weights, work->pattern, direction, free_db + law->direct_db,
                                RCITY_SHADOW_WAY_DIRECT, 0, tally);
    } else if (ways->walls.count != NULL && ways->walls.count[i] > 0) {
        float metres = ways->walls.building_m != NULL ? ways->walls.building_m[i] : 0.0f;
        float walls_db = rcity_shadow_walls_db(law, (float)ways->walls.count[i], metres);
        rcity_shadow_tally_take(work->weights, work->pattern, direction, free_db + walls_db, RCITY_SHADOW_WAY_WALLS, 0,
                                tally);
    }
}

static void take_roof(const weigh_work *work, size_t i, rcity_shadow_tally *tally)
{
    const rcity_shadow_law *law = &work->weights->law;
    const rcity_shadow_roof *roof = &work->ways->roofs[i];
    const rcity_shadow_line *line = &work->ways->lines[i];
    if (!(roof->turns.length_m > 0.0f)) {
        return;
    }
    float turns_db =
        rcity_shadow_turns_db(law->roof, law->log_wavenumber, (float)roof->turns.count, roof->turns.log_way_sum,
                              roof->turns.angle_sum_rad, roof->turns.angle_square_sum_rad2);
    float loss_db = rcity_shadow_free_db(law, work->ways->roof_log_lengths[i]) + turns_db;
    if (rcity_shadow_tally_is_beaten(work->weights, loss_db, tally)) {
        return; /* before any angle is worked out */
    }
    rcity_vec3 direction = rcity_shadow_direction_at(work->weights, line->dx, line->dy, roof->elevation_rad);
    rcity_shadow_tally_take(work->weights, work->pattern, direction, loss_db, RCITY_SHADOW_WAY_ROOF, roof->turns.count,
                            tally);
}

static void take_corners(const weigh_work *work, size_t i, rcity_shadow_tally *tally)
{
    const rcity_shadow_law *law = &work->weights->law;
    const rcity_canyon *canyon = work->ways->canyon;
    for (size_t k = canyon->first[i]; k < canyon->first[i + 1]; k++) {
        const rcity_canyon_way *way = &canyon->ways[k];
        const rcity_canyon_node *node = &canyon->nodes[way->node];
        float turns_db =
            rcity_shadow_turns_db(law->street, law->log_wavenumber, (float)(node->turns.count + 1),
                                  node->turns.log_way_sum + way->log_way, node->turns.angle_sum_rad + way->angle_rad,
                                  node->turns.angle_square_sum_rad2 + way->angle_rad * way->angle_rad);
        rcity_shadow_tally_take(work->weights, work->pattern,
                                rcity_shadow_direction(node->azimuth_dx, node->azimuth_dy, way->slope),
                                rcity_shadow_free_db(law, way->log_length) + turns_db, RCITY_SHADOW_WAY_STREET,
                                node->turns.count + 1, tally);
    }
}

static void put(const rcity_shadow_bands *bands, size_t i, rcity_shadow_level level)
{
    bool is_none = level.mechanism == RCITY_SHADOW_WAY_NONE;
    if (bands->loss_db != NULL) {
        bands->loss_db[i] = level.loss_db;
    }
    if (bands->received_dbm != NULL) {
        bands->received_dbm[i] = level.received_dbm;
    }
    if (bands->mechanism != NULL) {
        bands->mechanism[i] = is_none ? NAN : (float)level.mechanism;
    }
    if (bands->turn_count != NULL) {
        bands->turn_count[i] = is_none ? NAN : (float)level.turn_count;
    }
}

/* An rcity_parallel_function. */
static void weigh_receivers(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const weigh_work *work = user;
    const rcity_shadow_ways *ways = work->ways;
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        rcity_shadow_tally tally;
        rcity_shadow_tally_begin(&tally);
        if (ways->states[i] != RCITY_SHADOW_SEALED) {
            take_straight(work, i, &tally);
            if (ways->roofs != NULL && ways->states[i] == RCITY_SHADOW_DARK) {
                take_roof(work, i, &tally);
            }
            take_corners(work, i, &tally);
        } else if (ways->reaches_indoor) {
            take_straight(work, i, &tally);
        }
        put(work->bands, i, rcity_shadow_tally_end(work->weights, &tally));
    }
}

void rcity_shadow_weigh(rcity_context *context, const rcity_shadow_ways *ways, const rcity_shadow_weights *weights,
                        const float *pattern, const rcity_shadow_bands *bands)
{
    weigh_work work = {ways, weights, pattern, bands};
    rcity_parallel(context, (int64_t)ways->count, PIECE_RECEIVERS, weigh_receivers, &work);
}
