/* The stages of `images` before receivers come: sight and roofs of the scene, then the beams of a transmitter. */
#include "method/images/images_find.h"

#include <math.h>
#include <string.h>

#include "method/images/images.h"
#include "method/images/path_ends.h"
#include "scene/shape/facades.h"

rcity_status rcity_images_prepare(const rcity_job *job, void **prepared)
{
    rcity_images_prepared *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "the scene for tracing", &made));
    RCITY_TRY_DONE(rcity_sight_create(job->context, job->shapes, &made->sight));
    RCITY_TRY_DONE(rcity_shapes_index_prisms(job->context, job->shapes, &made->prism_index));
    RCITY_TRY_DONE(rcity_terrain_tree_init(job->context, &job->shapes->terrain, &made->terrain_tree));
    *prepared = made;
done:
    if (status != RCITY_OK) {
        rcity_images_release_prepared(job->context, made);
    }
    return status;
}

void rcity_images_release_prepared(rcity_context *context, void *prepared)
{
    rcity_images_prepared *made = prepared;
    if (made != NULL) {
        rcity_terrain_tree_deinit(context, &made->terrain_tree);
        rcity_plan_index_deinit(context, &made->prism_index);
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

rcity_status rcity_images_trace(const rcity_job *job, const void *prepared, void **traced)
{
    rcity_images_traced *made = NULL;
    rcity_search_orders orders = read_orders(job);
    const rcity_point *at = &job->tx_position[0];
    rcity_place3 tx = {at->x_m - job->shapes->origin_x_m, at->y_m - job->shapes->origin_y_m, at->z_m};
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "the beams of a transmitter", &made));
    made->prepared = prepared;
    RCITY_TRY_DONE(rcity_trace_world_init(job->context, job->scene, job->transmitters[0].frequency_hz, &made->world));
    RCITY_TRY_DONE(
        rcity_reach_world_init(job->context, &made->world, orders.max_transmissions > 0, &made->reach_world));
    tx = rcity_path_end_in_air(&made->world, &made->prepared->prism_index, tx);
    rcity_path_checker checker = {&made->world,
                                  made->prepared->sight,
                                  &made->prepared->prism_index,
                                  &made->reach_world.wall_tree,
                                  made->reach_world.walls,
                                  orders.max_transmissions};
    RCITY_TRY_DONE(rcity_search_init(job->context, &made->reach_world, &checker, &orders, tx, &made->search));
    made->search.terrain_tree = &made->prepared->terrain_tree;
    *traced = made;
done:
    if (status != RCITY_OK) {
        rcity_images_release_traced(job->context, made);
    }
    return status;
}

void rcity_images_release_traced(rcity_context *context, void *traced)
{
    rcity_images_traced *made = traced;
    if (made != NULL) {
        rcity_search_deinit(context, &made->search);
        rcity_reach_world_deinit(context, &made->reach_world);
        rcity_trace_world_deinit(context, &made->world);
        rcity_release(context, made);
    }
}
