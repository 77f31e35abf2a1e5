/* Levels drawn toward the mean of their surroundings. */
#include "method/tiles/tiles_mean.h"

#include <math.h>
#include <string.h>

#include "method/surroundings/mean_options.h"
#include "method/tiles/tiles.h"
#include "result/rays_data.h"

/* What knife edges leave of the straight rays to receivers in sight. */
static rcity_status find_sight(const rcity_job *job, const rcity_tiles_traced *traced, rcity_tiles_mean *mean)
{
    rcity_context *context = job->context;
    const rcity_tiles_prepared *prepared = traced->prepared;
    int64_t receiver_count = prepared->receivers.open_count;
    int32_t tile_count = (int32_t)prepared->tiling.tile_count;
    size_t room = (size_t)receiver_count + 1;
    int64_t count = 0;
    int32_t *list = NULL;
    float *left = NULL; /* and then what the ground takes */
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *mean->sight, "receivers in sight", &mean->sight));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *list, "receivers in sight", &list));
    RCITY_TRY_DONE(rcity_alloc(context, room, 2 * sizeof *left, "receivers in sight", &left));
    for (int64_t i = 0; i < receiver_count; i++) {
        if (traced->sees_receiver[i]) {
            list[count++] = tile_count + (int32_t)i;
        }
    }
    rcity_tile_roofs_leave(context, prepared->roofs, traced->place, mean->source.wavelength_m, count, list, left,
                           left + count);
    for (int64_t i = 0; i < count; i++) {
        int64_t receiver = list[i] - tile_count;
        rcity_tile_place at = prepared->receivers.places[receiver];
        mean->sight[receiver] = rcity_mean_source_left(
            &mean->source, (rcity_grid_point3){at.x, at.y, at.z},
            &prepared->receivers.positions[prepared->receivers.number[receiver]], left[i], left[count + i]);
    }
done:
    rcity_release(context, left);
    rcity_release(context, list);
    return status;
}

bool rcity_tiles_mean_is_on(const rcity_job *job)
{
    return strcmp(job->option[RCITY_TILES_SURROUNDINGS], "on") == 0 &&
           strcmp(job->option[RCITY_TILES_SUM], "power") == 0;
}

rcity_status rcity_tiles_mean_init(const rcity_job *job, const rcity_tiles_traced *traced, const rcity_tx *tx,
                                   rcity_tiles_mean *mean)
{
    const rcity_shapes *shapes = job->shapes;
    double frequency_hz = tx->stated.frequency_hz;
    rcity_status status;
    memset(mean, 0, sizeof *mean);
    mean->is_on = rcity_tiles_mean_is_on(job);
    if (!mean->is_on) {
        return RCITY_OK;
    }
    mean->prepared = traced->prepared;
    rcity_surroundings_law law =
        rcity_mean_law_read(job, (rcity_mean_options){.diffuse = RCITY_TILES_DIFFUSE,
                                                      .diffuse_roof = RCITY_TILES_DIFFUSE_ROOF,
                                                      .diffuse_elevation = RCITY_TILES_DIFFUSE_ELEVATION,
                                                      .doubt = RCITY_TILES_DOUBT,
                                                      .doubt_distance = RCITY_TILES_DOUBT_DISTANCE});
    rcity_place3 at = {tx->position.x_m - shapes->origin_x_m, tx->position.y_m - shapes->origin_y_m, tx->position.z_m};
    rcity_tile_place from = rcity_place_snap(shapes, at);
    RCITY_TRY_DONE(rcity_mean_source_init(
        job->context, traced->prepared->built_up, &law, tx, (rcity_grid_point3){from.x, from.y, from.z},
        rcity_tiles_spread_db(frequency_hz), RCITY_LIGHT_EXACT_M_PER_S / frequency_hz, &mean->source));
    RCITY_TRY_DONE(find_sight(job, traced, mean));
done:
    if (status != RCITY_OK) {
        rcity_tiles_mean_deinit(job->context, mean);
    }
    return status;
}

void rcity_tiles_mean_deinit(rcity_context *context, rcity_tiles_mean *mean)
{
    rcity_release(context, mean->sight);
    rcity_mean_source_deinit(context, &mean->source);
    mean->sight = NULL;
}

rcity_mean_link rcity_tiles_mean_link(const rcity_tiles_mean *mean, int64_t receiver)
{
    const rcity_open_receivers *receivers = &mean->prepared->receivers;
    rcity_tile_place at = receivers->places[receiver];
    return rcity_mean_source_link(&mean->source, (rcity_grid_point3){at.x, at.y, at.z},
                                  &receivers->positions[receivers->number[receiver]]);
}

void rcity_tiles_mean_keep(const rcity_tiles_mean *mean, const rcity_mean_link *link, int64_t receiver,
                           double kept[RCITY_TILE_CLASS_COUNT])
{
    double ground = rcity_mean_source_ground(&mean->source, link);
    double sight = (double)mean->sight[receiver];
    kept[RCITY_TILE_DIRECT] = ground * sight;
    kept[RCITY_TILE_REFLECTED] = ground;
    kept[RCITY_TILE_DIFFRACTED] = sight > 0.0 ? 0.0 : ground;
    kept[RCITY_TILE_ROOFS] = 1.0;
    kept[RCITY_TILE_SCATTERED] = 1.0;
}

rcity_tiles_level rcity_tiles_mean_level(const rcity_tiles_mean *mean, const rcity_tiles_weights *weights,
                                         const rcity_tiles_run *run, int64_t receiver)
{
    const double far_db = 1e30;
    const rcity_tile_sums *sums = &run->receiver_sums[receiver];
    rcity_tile_place_scale scale = run->receiver_scale[receiver];
    if (!mean->is_on) {
        return rcity_tiles_level_of(weights, sums, scale);
    }
    rcity_mean_link link = rcity_tiles_mean_link(mean, receiver);
    rcity_mean_values values = {(double)mean->source.law.least_db, (double)mean->source.law.roof_m,
                                (double)mean->source.law.doubt};
    rcity_tiles_weights weighed = *weights;
    double kept[RCITY_TILE_CLASS_COUNT];
    rcity_tiles_mean_keep(mean, &link, receiver, kept);
    for (int i = 0; i < RCITY_TILE_CLASS_COUNT; i++) {
        weighed.factor[i] *= kept[i];
    }
    rcity_tiles_level level = rcity_tiles_level_of(&weighed, sums, scale);
    bool is_none = level.mechanism < 0;
    if (link.weight > 0.0f) {
        rcity_mean_level drawn =
            rcity_mean_level_of(&mean->source.law, &link, values, false, is_none ? far_db : level.loss_db);
        rcity_mean_level gained =
            rcity_mean_level_of(&mean->source.law, &link, values, true, is_none ? far_db : level.gained_db);
        level.loss_db = drawn.loss_db;
        level.gained_db = gained.loss_db;
        level.received_dbm = weights->input_dbm + weights->rx_gain_dbi - gained.loss_db;
        level.mechanism = gained.is_diffuse ? RCITY_MECHANISM_DIFFUSE : level.mechanism;
    }
    return level;
}
