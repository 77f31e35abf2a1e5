/* Preparing a scene, and growing the beams of transmitters. */
#include "method/beams/beams_trace.h"

#include <math.h>
#include <string.h>

#include "method/beams/beams.h"
#include "method/beams/beams_levels.h"
#include "method/path_ends.h"

rcity_status rcity_beams_around_init(const rcity_job *job, const rcity_images_prepared *images,
                                     rcity_beams_around *around)
{
    bool needs_roofs = rcity_beams_levels_need_roofs(job);
    if (needs_roofs || job->receivers->point_count > 0) {
        RCITY_TRY(rcity_open_receivers_init(job, &around->receivers));
    }
    if (needs_roofs) {
        RCITY_TRY(rcity_tile_roofs_open(job->context, job->device, images->sight, around->receivers.open_count,
                                        around->receivers.places, &around->roofs));
        RCITY_TRY(rcity_built_up_create(job->context, job->shapes, &around->built_up));
    }
    return RCITY_OK;
}

void rcity_beams_around_deinit(rcity_context *context, rcity_beams_around *around)
{
    rcity_built_up_destroy(context, &around->built_up);
    rcity_tile_roofs_close(&around->roofs);
    rcity_open_receivers_deinit(context, &around->receivers);
}

rcity_status rcity_beams_prepare(const rcity_job *job, void **prepared)
{
    rcity_beams_prepared *made = NULL;
    void *images = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, 1, sizeof *made, "the scene for beams", &made));
    RCITY_TRY_DONE(rcity_images_prepare(job, &images));
    made->images = images;
    RCITY_TRY_DONE(rcity_beams_world_init(job->context, &made->images->world, &made->world));
    RCITY_TRY_DONE(rcity_beams_around_init(job, made->images, &made->around));
    *prepared = made;
    made = NULL;
done:
    rcity_beams_release_prepared(job->context, made);
    return status;
}

void rcity_beams_release_prepared(rcity_context *context, void *prepared)
{
    rcity_beams_prepared *made = prepared;
    if (made != NULL) {
        rcity_beams_around_deinit(context, &made->around);
        rcity_beams_world_deinit(context, &made->world);
        rcity_images_release_prepared(context, made->images);
        rcity_release(context, made);
    }
}

static bool is_on(const rcity_job *job, rcity_beams_option option)
{
    return strcmp(job->option[option], "on") == 0;
}

rcity_images_asked rcity_beams_ask(const rcity_job *job)
{
    rcity_images_asked asked;
    memset(&asked, 0, sizeof asked);
    asked.rx_polarization = rcity_rx_polarization_read(job->option[RCITY_BEAMS_RX_POLARIZATION]);
    return asked;
}

/* The lowest and the highest ground of a job's scene. */
static void range_ground(const rcity_job *job, double *low_m, double *high_m)
{
    const rcity_terrain_grid *terrain = &job->shapes->terrain;
    *low_m = *high_m = 0.0;
    for (int64_t i = 0; i < (int64_t)terrain->column_count * terrain->row_count; i++) {
        double height_m = (double)terrain->height[i] / RCITY_HEIGHT_UNITS_PER_M;
        *low_m = i == 0 ? height_m : fmin(*low_m, height_m);
        *high_m = i == 0 ? height_m : fmax(*high_m, height_m);
    }
}

/* Between which heights receivers stand: of a raster, whose receivers are not always listed, above any ground. */
static void range_receivers(const rcity_job *job, const rcity_open_receivers *listed, double *low_m, double *high_m)
{
    double least_m = HUGE_VAL;
    double most_m = -HUGE_VAL;
    if (job->receivers->point_count > 0) {
        for (int64_t i = 0; i < listed->open_count; i++) {
            double z_m = listed->positions[listed->number[i]].z_m;
            least_m = fmin(least_m, z_m);
            most_m = fmax(most_m, z_m);
        }
    } else {
        double ground_low_m, ground_high_m;
        range_ground(job, &ground_low_m, &ground_high_m);
        for (int i = 0; i < job->receivers->height_count; i++) {
            least_m = fmin(least_m, ground_low_m + job->receivers->height_m[i]);
            most_m = fmax(most_m, ground_high_m + job->receivers->height_m[i]);
        }
    }
    *low_m = most_m < least_m ? 0.0 : least_m;
    *high_m = most_m < least_m ? 0.0 : most_m;
}

/* Between which heights rays end. Flat ground mirrors its receivers; terrain mirrors none of the rays of beams. */
static void range_ends(const rcity_job *job, const rcity_open_receivers *listed, double *low_m, double *high_m)
{
    const double moved_m = 1.0; /* more than ends are moved */
    double lowest_m;
    range_receivers(job, listed, &lowest_m, high_m);
    *low_m = (job->shapes->terrain.column_count > 0 ? lowest_m : -*high_m) - moved_m;
}

static rcity_status grow(const rcity_job *job, const rcity_beams_prepared *prepared, rcity_beams_traced *made)
{
    double low_m, rx_max_m;
    range_ends(job, &prepared->around.receivers, &low_m, &rx_max_m);
    double range_m = job->number[RCITY_BEAMS_RANGE];
    rcity_beams_growth growth = {&prepared->world,
                                 &made->images.world,
                                 fmax(made->tx.z, rx_max_m),
                                 rx_max_m,
                                 made->tx.z,
                                 low_m,
                                 rx_max_m,
                                 true,
                                 false,
                                 job->number[RCITY_BEAMS_BEAM_WIDTH_MIN_DEG] * RCITY_TRACE_PI / 180.0,
                                 (size_t)job->number[RCITY_BEAMS_BEAM_MAX],
                                 job->number[RCITY_BEAMS_LOSS_LIMIT_DB],
                                 strcmp(job->option[RCITY_BEAMS_DIFFRACTION_REGION], "shadow") == 0,
                                 isnan(range_m) ? HUGE_VAL : range_m};
    rcity_beams_orders orders = {(int)job->number[RCITY_BEAMS_MAX_REFLECTIONS],
                                 (int)job->number[RCITY_BEAMS_MAX_DIFFRACTIONS],
                                 (int)job->number[RCITY_BEAMS_MAX_TRANSMISSIONS]};
    rcity_beams_forest_limits limits = {(size_t)job->number[RCITY_BEAMS_BEAM_MAX]};
    return rcity_beams_forest_grow(job->context, &growth, &orders, &limits, made->tx.x, made->tx.y, made->tx.z,
                                   &made->forest);
}

/* List the beams around the points of a job that are open to paths. */
static rcity_status index_points(const rcity_job *job, const rcity_beams_prepared *prepared, rcity_beams_traced *made)
{
    const rcity_open_receivers *receivers = &prepared->around.receivers;
    int64_t count = job->receivers->point_count > 0 ? receivers->open_count : 0;
    double *xy_m = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, 2 * (size_t)count + 1, sizeof *xy_m, "receivers", &xy_m));
    for (int64_t i = 0; i < count; i++) {
        const rcity_point *at = &receivers->positions[receivers->number[i]];
        xy_m[2 * i] = at->x_m - job->shapes->origin_x_m;
        xy_m[2 * i + 1] = at->y_m - job->shapes->origin_y_m;
    }
    status = rcity_beams_index_init(job->context, &made->forest, rcity_beams_slack_m(job->shapes), count, xy_m,
                                    &made->index);
done:
    rcity_release(job->context, xy_m);
    return status;
}

static rcity_status trace_one(const rcity_job *job, const rcity_beams_prepared *prepared, const rcity_tx *tx,
                              void **trace)
{
    rcity_beams_traced *made = NULL;
    const rcity_point *at = &tx->position;
    rcity_place3 from = {at->x_m - job->shapes->origin_x_m, at->y_m - job->shapes->origin_y_m, at->z_m};
    rcity_search_orders orders = {
        (int)job->number[RCITY_BEAMS_MAX_REFLECTIONS], (int)job->number[RCITY_BEAMS_MAX_DIFFRACTIONS],
        (int)job->number[RCITY_BEAMS_MAX_TRANSMISSIONS], is_on(job, RCITY_BEAMS_GROUND), false};
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "the beams of a transmitter", &made));
    rcity_images_traced *images = &made->images;
    images->prepared = prepared->images;
    RCITY_TRY_DONE(rcity_facet_table_retune(job->context, job->scene, &prepared->images->world, tx->stated.frequency_hz,
                                            &images->world));
    images->reach_world = prepared->images->reach_world;
    images->reach_world.world = &images->world;
    from = rcity_path_end_in_air(&images->world, &prepared->images->prism_index, from);
    made->prepared = prepared;
    made->from = from;
    made->place = rcity_place_snap(job->shapes, from);
    made->tx = rcity_path_end_tx_aside(from);
    RCITY_TRY_DONE(grow(job, prepared, made));
    rcity_path_checker checker = {&images->world,
                                  prepared->images->sight,
                                  &prepared->images->prism_index,
                                  &images->reach_world.wall_tree,
                                  images->reach_world.walls,
                                  orders.max_transmissions};
    RCITY_TRY_DONE(index_points(job, prepared, made));
    made->routes = (rcity_beams_routes){&made->forest, &made->index};
    rcity_route_source source = {rcity_beams_propose, &made->routes};
    RCITY_TRY_DONE(rcity_search_init_source(job->context, &images->reach_world, &checker, &orders, from, &source,
                                            &images->search));
    images->search.terrain_tree = &prepared->images->terrain_tree;
    *trace = made;
    made = NULL;
done:
    rcity_beams_release_trace(job->context, made);
    return status;
}

rcity_status rcity_beams_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces)
{
    (void)workspace;
    for (int i = 0; i < count; i++) {
        rcity_status status = trace_one(job, prepared, &transmitters[i], &traces[i]);
        if (status != RCITY_OK) {
            for (int k = 0; k < i; k++) {
                rcity_beams_release_trace(job->context, traces[k]);
            }
            return status;
        }
    }
    return RCITY_OK;
}

void rcity_beams_release_trace(rcity_context *context, void *trace)
{
    rcity_beams_traced *made = trace;
    if (made != NULL) {
        rcity_search_deinit(context, &made->images.search);
        rcity_facet_table_deinit(context, &made->images.world);
        rcity_beams_index_deinit(context, &made->index);
        rcity_beams_forest_deinit(context, &made->forest);
        rcity_release(context, made);
    }
}
