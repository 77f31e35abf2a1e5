#include "method/shadow/shadow_weigh.h"

#include <math.h>

#include "base/parallel.h"

#define NEPER_DB 0.230258509f /* ln(10) / 10 */

/* A pixel while its ways come in. */
typedef struct tally {
    float loss_db, gained_db; /* least so far */
    float power, gained_power;
    int8_t mechanism, turn_count;
} tally;

typedef struct weigh_work {
    const rcity_shadow_ways *ways;
    const rcity_shadow_weights *weights;
    rcity_shadow_pixel *pixels;
} weigh_work;

static void take(const rcity_shadow_weights *weights, float loss_db, float gain_db, rcity_shadow_mechanism mechanism,
                 int turn_count, tally *all)
{
    float gained_db = loss_db - gain_db;
    if (gained_db < all->gained_db) {
        all->gained_db = gained_db;
        all->mechanism = (int8_t)mechanism;
        all->turn_count = (int8_t)turn_count;
    }
    all->loss_db = loss_db < all->loss_db ? loss_db : all->loss_db;
    if (weights->adds_powers) {
        all->power += expf(-NEPER_DB * loss_db);
        all->gained_power += expf(-NEPER_DB * gained_db);
    }
}

static float gain_of(const rcity_shadow_weights *weights, float dx, float dy, float elevation_rad)
{
    return weights->gain == NULL ? 0.0f : weights->gain(weights->gain_user, dx, dy, elevation_rad);
}

/* The straight line in plan: its direction and length. */
typedef struct straight_line {
    float dx, dy, plan_m, rise_m;
} straight_line;

static straight_line look_straight(const rcity_shadow_ways *ways, int32_t column, int32_t row)
{
    rcity_grid_point3 at = rcity_los_plane_pixel(ways->plane, column, row);
    float unit_m = 1.0f / (float)ways->plane->shapes->units_per_m;
    float dx = (float)(at.x - ways->source.x) * unit_m;
    float dy = (float)(at.y - ways->source.y) * unit_m;
    float plan_m = sqrtf(dx * dx + dy * dy);
    float part = plan_m > 0.0f ? 1.0f / plan_m : 0.0f;
    return (straight_line){dx * part, dy * part, plan_m,
                           (float)(at.z - ways->source.z) / (float)RCITY_HEIGHT_UNITS_PER_M};
}

static void take_straight(const weigh_work *work, int32_t column, int32_t row, bool is_lit, tally *all)
{
    const rcity_shadow_weights *weights = work->weights;
    const rcity_shadow_roof *roofs = work->ways->roofs;
    const rcity_shadow_walls *walls = work->ways->walls;
    if (!is_lit && roofs == NULL && walls == NULL) {
        return;
    }
    size_t pixel = (size_t)row * (size_t)work->ways->plane->column_count + (size_t)column;
    straight_line line = look_straight(work->ways, column, row);
    float free_db =
        rcity_shadow_free_db(weights->law, 0.5f * log10f(line.plan_m * line.plan_m + line.rise_m * line.rise_m));
    float elevation_rad = atan2f(line.rise_m, line.plan_m);
    if (is_lit) {
        take(weights, free_db, gain_of(weights, line.dx, line.dy, elevation_rad), RCITY_SHADOW_DIRECT, 0, all);
        return;
    }
    if (walls != NULL && walls[pixel].wall_count > 0) {
        float walls_db = rcity_shadow_walls_db(weights->law, (float)walls[pixel].wall_count, walls[pixel].building_m);
        take(weights, free_db + walls_db, gain_of(weights, line.dx, line.dy, elevation_rad), RCITY_SHADOW_WALLS, 0,
             all);
    }
    if (roofs != NULL && roofs[pixel].turns.length_m > 0.0f) {
        const rcity_shadow_turns *over = &roofs[pixel].turns;
        float turns_db = rcity_shadow_turns_db(weights->law.roof, weights->law.log_wavenumber, (float)over->count,
                                               over->log_way_sum, over->angle_sum_rad, over->angle_square_sum_rad2);
        take(weights, rcity_shadow_free_db(weights->law, log10f(over->length_m)) + turns_db,
             gain_of(weights, line.dx, line.dy, roofs[pixel].elevation_rad), RCITY_SHADOW_ROOF, over->count, all);
    }
}

static void take_corners(const weigh_work *work, size_t pixel, float rise_m, tally *all)
{
    const rcity_shadow_weights *weights = work->weights;
    const rcity_canyon *canyon = work->ways->canyon;
    for (size_t i = canyon->first[pixel]; i < canyon->first[pixel + 1]; i++) {
        const rcity_canyon_way *way = &canyon->ways[i];
        const rcity_canyon_node *node = &canyon->nodes[way->node];
        float turns_db =
            rcity_shadow_turns_db(weights->law.street, weights->law.log_wavenumber, (float)node->turns.count + 1.0f,
                                  node->turns.log_way_sum + way->log_way, node->turns.angle_sum_rad + way->angle_rad,
                                  node->turns.angle_square_sum_rad2 + way->angle_rad * way->angle_rad);
        float gain_db = 0.0f;
        if (weights->gain != NULL) {
            float length_m = expf(2.302585093f * way->log_length);
            gain_db = gain_of(weights, node->azimuth_dx, node->azimuth_dy, asinf(rise_m / length_m));
        }
        take(weights, rcity_shadow_free_db(weights->law, way->log_length) + turns_db, gain_db, RCITY_SHADOW_STREET,
             node->turns.count + 1, all);
    }
}

static rcity_shadow_pixel conclude(const rcity_shadow_weights *weights, const tally *all)
{
    if (all->mechanism < 0) {
        return (rcity_shadow_pixel){NAN, NAN, -1, -1};
    }
    float loss_db = all->loss_db;
    float gained_db = all->gained_db;
    if (weights->adds_powers) {
        loss_db = -10.0f * log10f(all->power);
        gained_db = -10.0f * log10f(all->gained_power);
    }
    return (rcity_shadow_pixel){loss_db, gained_db, all->mechanism, all->turn_count};
}

static void weigh_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    const weigh_work *work = user;
    const rcity_los_plane *plane = work->ways->plane;
    for (int64_t row = begin; row < end; row++) {
        for (int32_t column = 0; column < plane->column_count; column++) {
            size_t pixel = (size_t)row * (size_t)plane->column_count + (size_t)column;
            bool is_lit = rcity_los_plane_bit(plane, work->ways->lit, column, (int32_t)row);
            bool is_sealed = rcity_los_plane_bit(plane, plane->sealed, column, (int32_t)row);
            tally all = {HUGE_VALF, HUGE_VALF, 0.0f, 0.0f, -1, -1};
            if (!is_sealed) {
                rcity_grid_point3 at = rcity_los_plane_pixel(plane, column, (int32_t)row);
                float rise_m = (float)(at.z - work->ways->source.z) / (float)RCITY_HEIGHT_UNITS_PER_M;
                take_straight(work, column, (int32_t)row, is_lit, &all);
                take_corners(work, pixel, rise_m, &all);
            }
            work->pixels[pixel] = conclude(work->weights, &all);
        }
    }
}

void rcity_shadow_weigh(rcity_context *context, const rcity_shadow_ways *ways, const rcity_shadow_weights *weights,
                        rcity_shadow_pixel *pixels)
{
    weigh_work work = {ways, weights, pixels};
    rcity_parallel(context, ways->plane->row_count, 4, weigh_rows, &work);
}
