/* The stages of `images` before antennas: sight and roofs of the scene, the beams of a transmitter, and the paths where
   keeping them pays. */
#include "method/images/images_find.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/images/images.h"
#include "method/images/images_receivers.h"
#include "method/images/scatter/scatter.h"
#include "method/path_ends.h"
#include "method/path_receivers.h"
#include "scene/shape/facades.h"

#define PREPARED_HZ 1e9 /* any: each transmitter has materials of its own frequency */

/* The parts of the preparation, longest first: none needs another. */
enum { PREPARE_FACETS, PREPARE_SIGHT, PREPARE_INDEX, PREPARE_TERRAIN, PREPARE_COUNT };

typedef struct prepare_run {
    const rcity_job *job;
    rcity_images_prepared *made;
    rcity_status status[PREPARE_COUNT];
} prepare_run;

static rcity_status prepare_part(const rcity_job *job, int part, rcity_images_prepared *made)
{
    switch (part) {
    case PREPARE_FACETS:
        RCITY_TRY(rcity_facet_table_init(job->context, job->scene, PREPARED_HZ, &made->world));
        return rcity_reach_world_init(job->context, &made->world, false, &made->reach_world);
    case PREPARE_SIGHT:
        return rcity_sight_create(job->context, job->shapes, &made->sight);
    case PREPARE_INDEX:
        return rcity_shapes_index_prisms(job->context, job->shapes, &made->prism_index);
    default:
        return rcity_terrain_tree_init(job->context, &job->shapes->terrain, &made->terrain_tree);
    }
}

static void prepare_parts(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    prepare_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        run->status[i] = prepare_part(run->job, (int)i, run->made);
    }
}

rcity_status rcity_images_prepare(const rcity_job *job, void **prepared)
{
    prepare_run run = {.job = job};
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *run.made, "the scene for tracing", &run.made));
    rcity_parallel(job->context, PREPARE_COUNT, 1, prepare_parts, &run);
    for (int i = 0; i < PREPARE_COUNT; i++) {
        if (run.status[i] != RCITY_OK) {
            rcity_images_release_prepared(job->context, run.made);
            return run.status[i];
        }
    }
    *prepared = run.made;
    return RCITY_OK;
}

void rcity_images_release_prepared(rcity_context *context, void *prepared)
{
    rcity_images_prepared *made = prepared;
    if (made != NULL) {
        rcity_terrain_tree_deinit(context, &made->terrain_tree);
        rcity_plan_index_deinit(context, &made->prism_index);
        rcity_reach_world_deinit(context, &made->reach_world);
        rcity_facet_table_deinit(context, &made->world);
        rcity_sight_destroy(context, &made->sight);
        rcity_release(context, made);
    }
}

static bool is_on(const rcity_job *job, rcity_images_option option)
{
    return strcmp(job->option[option], "on") == 0;
}

static rcity_search_orders read_orders(const rcity_job *job)
{
    rcity_search_orders orders = {(int)job->number[RCITY_IMAGES_MAX_REFLECTIONS],
                                  (int)job->number[RCITY_IMAGES_MAX_DIFFRACTIONS],
                                  (int)job->number[RCITY_IMAGES_MAX_TRANSMISSIONS], is_on(job, RCITY_IMAGES_GROUND),
                                  is_on(job, RCITY_IMAGES_ROOFS)};
    return orders;
}

static rcity_roof_form read_roof_form(const rcity_job *job)
{
    const char *word = job->option[RCITY_IMAGES_ROOF_FORM];
    return strcmp(word, "flat") == 0    ? RCITY_ROOF_FLAT
           : strcmp(word, "gable") == 0 ? RCITY_ROOF_GABLE
                                        : RCITY_ROOF_SCREENS;
}

/* Kept paths may take this share of the memory that is left; the rest is for results. */
#define KEPT_SHARE 0.5

static rcity_status keep_rays(const rcity_job *job, const rcity_images_traced *made, int64_t offset, rcity_rays *rays,
                              rcity_images_kept *kept)
{
    rcity_images_asked asked = rcity_images_ask(job);
    rcity_status status = rcity_images_find_to_keep(job, &asked, made, offset, rays, kept);
    rcity_rays_destroy(&rays);
    return status;
}

static rcity_status keep_all(const rcity_job *job, const rcity_images_traced *made, const rcity_tx *tx,
                             rcity_images_kept *kept)
{
    rcity_rays *rays = NULL;
    if (job->receivers->point_count > 0) {
        RCITY_TRY(rcity_path_receivers_open_points(job, tx, &rays));
        return keep_rays(job, made, 0, rays, kept);
    }
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    for (int i = 0; i < job->receivers->height_count; i++) {
        for (int64_t first = 0; first < cell_count; first += RCITY_IMAGES_PIECE_CELLS) {
            int64_t left = cell_count - first;
            int64_t count = left < RCITY_IMAGES_PIECE_CELLS ? left : RCITY_IMAGES_PIECE_CELLS;
            RCITY_TRY(rcity_images_open_cells(job, tx, i, first, count, &rays));
            RCITY_TRY(keep_rays(job, made, cell_count * i + first, rays, kept));
        }
    }
    return RCITY_OK;
}

/* Find all paths now if they will be weighed more than once. If there are too many to keep, they are found again each
   time. */
static rcity_status keep_paths(const rcity_job *job, const rcity_tx *tx, rcity_images_traced *made)
{
    rcity_context *context = job->context;
    int64_t cell_count = job->raster.column_count * job->raster.row_count * job->receivers->height_count;
    int64_t receiver_count = job->receivers->point_count > 0 ? job->receivers->point_count : cell_count;
    double left_bytes = (double)rcity_context_memory_limit(context) - (double)rcity_context_memory_used(context);
    rcity_images_kept *kept = NULL;
    RCITY_TRY(rcity_images_kept_create(context, receiver_count, (uint64_t)fmax(KEPT_SHARE * left_bytes, 0.0), &kept));
    rcity_status status = keep_all(job, made, tx, kept);
    if (status == RCITY_OK) {
        rcity_images_kept_finish(kept);
        made->kept = kept;
        return RCITY_OK;
    }
    rcity_images_kept_destroy(&kept);
    return status == RCITY_ERR_MEMORY ? RCITY_OK : status;
}

static rcity_status trace_one(const rcity_job *job, const rcity_images_prepared *prepared, const rcity_tx *tx,
                              void **trace)
{
    rcity_images_traced *made = NULL;
    rcity_search_orders orders = read_orders(job);
    const rcity_point *at = &tx->position;
    rcity_place3 from = {at->x_m - job->shapes->origin_x_m, at->y_m - job->shapes->origin_y_m, at->z_m};
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "the beams of a transmitter", &made));
    made->prepared = prepared;
    RCITY_TRY_DONE(
        rcity_facet_table_retune(job->context, job->scene, &prepared->world, tx->stated.frequency_hz, &made->world));
    rcity_scatter_options scattering = rcity_scatter_read(job);
    made->world.reflected_loss = rcity_scatter_reflected_loss(&scattering);
    made->world.passed_loss = rcity_scatter_passed_loss(&scattering);
    made->world.roof_form = read_roof_form(job);
    made->reach_world = prepared->reach_world;
    made->reach_world.world = &made->world;
    made->reach_world.sees_through = orders.max_transmissions > 0;
    from = rcity_path_end_in_air(&made->world, &made->prepared->prism_index, from);
    rcity_path_checker checker = {&made->world,
                                  made->prepared->sight,
                                  &made->prepared->prism_index,
                                  &made->reach_world.wall_tree,
                                  made->reach_world.walls,
                                  orders.max_transmissions};
    RCITY_TRY_DONE(rcity_search_init(job->context, &made->reach_world, &checker, &orders, from, &made->search));
    made->search.terrain_tree = &made->prepared->terrain_tree;
    if (job->traces_are_reused) {
        RCITY_TRY_DONE(keep_paths(job, tx, made));
    }
    *trace = made;
    made = NULL;
done:
    rcity_images_release_trace(job->context, made);
    return status;
}

rcity_status rcity_images_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                                const rcity_tx *transmitters, void **traces)
{
    (void)workspace;
    for (int i = 0; i < count; i++) {
        rcity_status status = trace_one(job, prepared, &transmitters[i], &traces[i]);
        if (status != RCITY_OK) {
            for (int k = 0; k < i; k++) {
                rcity_images_release_trace(job->context, traces[k]);
            }
            return status;
        }
    }
    return RCITY_OK;
}

void rcity_images_release_trace(rcity_context *context, void *trace)
{
    rcity_images_traced *made = trace;
    if (made != NULL) {
        rcity_images_kept_destroy(&made->kept);
        rcity_search_deinit(context, &made->search);
        rcity_facet_table_deinit(context, &made->world);
        rcity_release(context, made);
    }
}
