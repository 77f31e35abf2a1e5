/* Levels drawn toward the mean of their surroundings. */
#include "method/tiles/tiles_mean.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "kernel/antenna.h"
#include "kernel/surroundings/surroundings_ground.h"
#include "kernel/wave/knife_edge.h"
#include "method/surroundings/built_up.h"
#include "method/surroundings/mean_options.h"
#include "method/tiles/tiles.h"
#include "result/rays_data.h"
#include "scene/antenna_data.h"

#define LENGTH_MIN_M 1e-2                     /* no receiver counts as nearer */
#define NEAR_V       (-RCITY_KNIFE_EDGE_FREE) /* an edge that clears the straight ray by -v takes nothing */

/* What knife edges leave of the straight rays to receivers in sight. */
static rcity_status find_sight(const rcity_job *job, const rcity_tiles_traced *traced, rcity_tiles_mean *mean)
{
    rcity_context *context = job->context;
    const rcity_tiles_prepared *prepared = traced->prepared;
    int64_t receiver_count = prepared->receivers.open_count;
    int32_t tile_count = (int32_t)prepared->tiling.tile_count;
    size_t room = (size_t)receiver_count + 1;
    float root = sqrtf(mean->wavelength_m);
    int64_t count = 0;
    int32_t *list = NULL;
    float *root_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *mean->sight, "receivers in sight", &mean->sight));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *list, "receivers in sight", &list));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *root_m, "receivers in sight", &root_m));
    for (int64_t i = 0; i < receiver_count; i++) {
        if (traced->sees_receiver[i]) {
            list[count++] = tile_count + (int32_t)i;
        }
    }
    rcity_tile_roofs_clear(context, prepared->roofs, traced->place, NEAR_V * root, count, list, root_m);
    for (int64_t i = 0; i < count; i++) {
        mean->sight[list[i] - tile_count] = powf(10.0f, -0.1f * rcity_knife_edge_loss_db(root_m[i] / root));
    }
done:
    rcity_release(context, root_m);
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
    const rcity_built_up *built_up = traced->prepared->built_up;
    const rcity_transmitter *stated = &tx->stated;
    int64_t pattern_count;
    rcity_status status;
    memset(mean, 0, sizeof *mean);
    mean->is_on = rcity_tiles_mean_is_on(job);
    if (!mean->is_on) {
        return RCITY_OK;
    }
    mean->prepared = traced->prepared;
    mean->law = rcity_mean_law_read(job, (rcity_mean_options){.diffuse = RCITY_TILES_DIFFUSE,
                                                              .diffuse_roof = RCITY_TILES_DIFFUSE_ROOF,
                                                              .diffuse_elevation = RCITY_TILES_DIFFUSE_ELEVATION,
                                                              .doubt = RCITY_TILES_DOUBT,
                                                              .doubt_distance = RCITY_TILES_DOUBT_DISTANCE});
    mean->position = tx->position;
    rcity_antenna_mount(stated->antenna, tx->azimuth_rad, rcity_angle_rad(stated->mechanical_tilt_deg),
                        rcity_angle_rad(stated->electrical_tilt_deg), &mean->antenna);
    mean->pattern = rcity_antenna_table(stated->antenna, &pattern_count);
    mean->wavelength_m = (float)(RCITY_LIGHT_EXACT_M_PER_S / stated->frequency_hz);
    mean->spread_db = rcity_tiles_spread_db(stated->frequency_hz);
    const rcity_shapes *shapes = job->shapes;
    rcity_place3 at = {tx->position.x_m - shapes->origin_x_m, tx->position.y_m - shapes->origin_y_m, tx->position.z_m};
    rcity_tile_place from = rcity_tiles_snap(shapes, at);
    mean->source.height_m = rcity_built_up_height(job->shapes, from.x, from.y, from.z);
    mean->source.here = rcity_built_up_at(built_up, from.x, from.y);
    RCITY_TRY_DONE(rcity_alloc(job->context, rcity_built_up_node_count(built_up), sizeof *mean->node_built_m,
                               "surroundings", &mean->node_built_m));
    rcity_built_up_measure(job->context, built_up, (rcity_grid_point){from.x, from.y}, mean->node_built_m);
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
    rcity_release(context, mean->node_built_m);
    mean->node_built_m = NULL;
    mean->sight = NULL;
}

rcity_mean_link rcity_tiles_mean_link(const rcity_tiles_mean *mean, int64_t receiver)
{
    const rcity_built_up *built_up = mean->prepared->built_up;
    const rcity_tiles_receivers *receivers = &mean->prepared->receivers;
    rcity_tile_place at = receivers->places[receiver];
    const rcity_point *to = &receivers->positions[receivers->number[receiver]];
    rcity_vec3 line = {(float)(to->x_m - mean->position.x_m), (float)(to->y_m - mean->position.y_m),
                       (float)(to->z_m - mean->position.z_m)};
    double length_m =
        fmax(sqrt((double)line.x * (double)line.x + (double)line.y * (double)line.y + (double)line.z * (double)line.z),
             LENGTH_MIN_M);
    rcity_surroundings_place place = rcity_surroundings_locate(&built_up->lattice, at.x, at.y);
    rcity_mean_link link = {
        .source = mean->source,
        .receiver = {rcity_built_up_height(built_up->shapes, at.x, at.y, at.z),
                     rcity_surroundings_node_at(&built_up->lattice, built_up->nodes, place)},
        .free_db = (float)(mean->spread_db + 20.0 * log10(length_m)),
        .length_m = (float)length_m,
        .rise_m = line.z,
        .built_m = rcity_surroundings_built_at(&built_up->lattice, mean->node_built_m, place),
        .gain_db = rcity_antenna_gain(mean->antenna, mean->pattern, line),
        .doubt_left = 1.0f,
    };
    float weight = rcity_surroundings_city_weight(link.source, link.receiver, link.built_m, link.length_m);
    link.weight = weight > RCITY_SURROUNDINGS_WEIGHT_MIN ? weight : 0.0f;
    return link;
}

static double ground_part(const rcity_tiles_mean *mean, const rcity_mean_link *link)
{
    float town = rcity_surroundings_town(fmaxf(link->source.here.built_share, link->receiver.here.built_share));
    float ground_db = rcity_surroundings_ground_db(mean->wavelength_m, link->length_m, link->source.height_m,
                                                   link->receiver.height_m, link->rise_m, town);
    return pow(10.0, -0.1 * (double)ground_db);
}

void rcity_tiles_mean_keep(const rcity_tiles_mean *mean, const rcity_mean_link *link, int64_t receiver,
                           double kept[RCITY_TILE_CLASS_COUNT])
{
    double ground = ground_part(mean, link);
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
    rcity_mean_values values = {(double)mean->law.least_db, (double)mean->law.roof_m, (double)mean->law.doubt};
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
            rcity_mean_level_of(&mean->law, &link, values, false, is_none ? far_db : level.loss_db);
        rcity_mean_level gained =
            rcity_mean_level_of(&mean->law, &link, values, true, is_none ? far_db : level.gained_db);
        level.loss_db = drawn.loss_db;
        level.gained_db = gained.loss_db;
        level.received_dbm = weights->input_dbm + weights->rx_gain_dbi - gained.loss_db;
        level.mechanism = gained.is_diffuse ? RCITY_MECHANISM_DIFFUSE : level.mechanism;
    }
    return level;
}
