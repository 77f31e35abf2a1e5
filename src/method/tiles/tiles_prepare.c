/* Tiles, their visibility, and the receivers that they see. */
#include "method/tiles/tiles_prepare.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "method/tiles/tiles.h"
#include "method/tiles/tiles_device.h"
#include "scene/shape/facades.h"

#define PREPARED_HZ 1e9 /* any: each transmitter has materials of its own frequency */

/* An area of its own, or that of all tiles. */
static double read_area(const rcity_job *job, rcity_tiles_option option)
{
    double area_m2 = job->number[option];
    return isnan(area_m2) ? job->number[RCITY_TILES_TILE_AREA_M2] : area_m2;
}

rcity_tiling_options rcity_tiles_read_tiling(const rcity_job *job)
{
    rcity_tiling_options options = rcity_tiling_options_default();
    options.wall_area_m2 = read_area(job, RCITY_TILES_WALL_TILE_AREA_M2);
    options.roof_area_m2 = read_area(job, RCITY_TILES_ROOF_TILE_AREA_M2);
    options.ground_area_m2 = read_area(job, RCITY_TILES_GROUND_TILE_AREA_M2);
    options.follows_outlines = strcmp(job->option[RCITY_TILES_TILE_ORIENTATION], "outlines") == 0;
    options.ground_axis_rad = rcity_angle_rad(job->number[RCITY_TILES_GROUND_AXIS_DEG]);
    options.ground_margin_m = job->number[RCITY_TILES_GROUND_MARGIN_M];
    options.wall_width_min_m = job->number[RCITY_TILES_WALL_WIDTH_MIN_M];
    options.wall_area_min_m2 = job->number[RCITY_TILES_WALL_AREA_MIN_M2];
    return options;
}

static rcity_status list_centres(rcity_context *context, rcity_tiles_prepared *made)
{
    size_t room = (size_t)made->tiling.tile_count + 1;
    RCITY_TRY(rcity_alloc(context, room, sizeof *made->centre_x, "the tiles", &made->centre_x));
    RCITY_TRY(rcity_alloc(context, room, sizeof *made->centre_y, "the tiles", &made->centre_y));
    RCITY_TRY(rcity_alloc(context, room, sizeof *made->centre_z, "the tiles", &made->centre_z));
    for (int64_t i = 0; i < made->tiling.tile_count; i++) {
        made->centre_x[i] = made->tiling.tiles[i].x;
        made->centre_y[i] = made->tiling.tiles[i].y;
        made->centre_z[i] = made->tiling.tiles[i].z;
    }
    return RCITY_OK;
}

/* Targets of paths over roofs: tiles, then receivers. */
static rcity_status open_roofs(const rcity_job *job, rcity_tiles_prepared *made)
{
    rcity_context *context = job->context;
    size_t tile_count = (size_t)made->tiling.tile_count;
    size_t receiver_count = (size_t)made->receivers.open_count;
    rcity_tile_place *targets = NULL;
    RCITY_TRY(rcity_alloc(context, tile_count + receiver_count + 1, sizeof *targets, "paths over roofs", &targets));
    memcpy(targets, made->tiling.places, tile_count * sizeof *targets);
    memcpy(targets + tile_count, made->receivers.places, receiver_count * sizeof *targets);
    rcity_status status = rcity_tile_roofs_open(context, job->device, made->sight,
                                                (int64_t)(tile_count + receiver_count), targets, &made->roofs);
    rcity_release(context, targets);
    return status;
}

/* The numbers of faces, which are the same at all frequencies. */
static rcity_status list_faces(rcity_context *context, rcity_tiles_prepared *made)
{
    const rcity_tiling *tiling = &made->tiling;
    const rcity_facet_table *world = &made->world;
    int32_t ground = (int32_t)world->material_count + world->ground_material;
    RCITY_TRY(rcity_alloc(context, (size_t)tiling->tile_count + 1, sizeof *made->tile_face, "materials of tiles",
                          &made->tile_face));
    RCITY_TRY(rcity_alloc(context, 2 * (size_t)tiling->edge_count + 1, sizeof *made->edge_face, "materials of edges",
                          &made->edge_face));
    for (int64_t i = 0; i < tiling->tile_count; i++) {
        int32_t surface = tiling->tiles[i].surface;
        bool is_ground = surface < 0 || world->mirrors[surface].kind == RCITY_MIRROR_GROUND;
        made->tile_face[i] = is_ground ? rcity_tiles_ground_face(world) : world->mirrors[surface].material_index;
    }
    for (int64_t i = 0; i < tiling->edge_count; i++) {
        int32_t facet = tiling->edges[i].facet;
        made->edge_face[2 * i] = facet < 0 ? ground : world->edges[facet].material_o;
        made->edge_face[2 * i + 1] = facet < 0 ? ground : world->edges[facet].material_n;
    }
    return RCITY_OK;
}

/* The scene cut into tiles, and its sight; nothing else is prepared yet. */
static rcity_status cut_scene(const rcity_job *job, rcity_tiles_prepared **prepared)
{
    rcity_context *context = job->context;
    rcity_tiling_options options = rcity_tiles_read_tiling(job);
    rcity_tiles_prepared *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "the tiles", &made));
    RCITY_TRY_DONE(rcity_facet_table_init(context, job->scene, PREPARED_HZ, &made->world));
    RCITY_TRY_DONE(rcity_sight_create(context, job->shapes, &made->sight));
    RCITY_TRY_DONE(rcity_tiling_init(context, job->scene, &made->world, &options, &made->tiling));
    *prepared = made;
    made = NULL;
done:
    rcity_tiles_release_prepared(context, made);
    return status;
}

static rcity_tile_matrix_options read_matrix(const rcity_job *job)
{
    rcity_tile_matrix_options options = rcity_tile_matrix_options_default();
    options.range_m = job->number[RCITY_TILES_TILE_RANGE_M];
    return options;
}

static void describe_tiles(const rcity_tiling *tiling, rcity_tile_visibility_info *info)
{
    info->tile_count = tiling->tile_count;
    info->wall_tile_count = tiling->wall_tile_count;
    info->roof_tile_count = tiling->roof_tile_count;
    info->ground_tile_count = tiling->ground_tile_count;
    info->covered_tile_count = tiling->covered_tile_count;
    info->edge_count = tiling->edge_count;
    info->dropped_wall_count = tiling->dropped_wall_count;
    info->dropped_wall_area_m2 = tiling->dropped_wall_area_m2;
}

rcity_status rcity_tiles_build_visibility(const rcity_job *job, const char *path, rcity_tile_visibility_info *info)
{
    rcity_context *context = job->context;
    rcity_tiles_prepared *made = NULL;
    rcity_tile_matrix_options options = read_matrix(job);
    rcity_status status = cut_scene(job, &made);
    RCITY_TRY_DONE(status);
    if (path != NULL) {
        RCITY_TRY_DONE(
            rcity_tile_matrix_build(context, job->device, made->sight, &made->tiling, &options, path, &made->matrix));
        info->entry_count = made->matrix->entry_count;
        info->neighbour_mean = (double)info->entry_count / fmax(1.0, (double)made->tiling.tile_count);
        info->kept_tile_count = made->matrix->effort.kept_row_count;
        info->seconds = made->matrix->effort.seconds;
    }
    describe_tiles(&made->tiling, info);
done:
    rcity_tiles_release_prepared(context, made);
    return status;
}

rcity_status rcity_tiles_prepare_first(const rcity_job *job, rcity_tiles_prepared **prepared)
{
    rcity_context *context = job->context;
    rcity_tiles_prepared *made = NULL;
    rcity_status status;
    RCITY_TRY(cut_scene(job, &made));
    RCITY_TRY_DONE(rcity_shapes_index_prisms(context, job->shapes, &made->prism_index));
    RCITY_TRY_DONE(rcity_open_receivers_init(job, &made->receivers));
    RCITY_TRY_DONE(rcity_tile_first_open(context, job->device, made->sight, &made->tiling, made->receivers.open_count,
                                         made->receivers.places, &made->first));
    *prepared = made;
    made = NULL;
done:
    rcity_tiles_release_prepared(context, made);
    return status;
}

rcity_status rcity_tiles_prepare(const rcity_job *job, void **prepared)
{
    rcity_context *context = job->context;
    rcity_tiles_prepared *made = NULL;
    rcity_tile_matrix_options options = read_matrix(job);
    rcity_status status;
    RCITY_TRY_DONE(rcity_tiles_prepare_first(job, &made));
    RCITY_TRY_DONE(list_centres(context, made));
    RCITY_TRY_DONE(list_faces(context, made));
    if (job->visibility != NULL) {
        RCITY_TRY_DONE(rcity_tile_matrix_open(context, &made->tiling, &options, job->visibility, &made->matrix));
    } else {
        RCITY_TRY_DONE(
            rcity_tile_matrix_build(context, job->device, made->sight, &made->tiling, &options, NULL, &made->matrix));
    }
    RCITY_TRY_DONE(rcity_built_up_create(context, job->shapes, &made->built_up));
    RCITY_TRY_DONE(rcity_tile_views_build(context, job->device, made->sight, &made->tiling, options.range_m,
                                          made->receivers.open_count, made->receivers.places, &made->views));
    RCITY_TRY_DONE(rcity_tile_views_widen(context, &made->tiling, &made->views));
    RCITY_TRY_DONE(open_roofs(job, made));
    RCITY_TRY_DONE(rcity_tiles_device_open(job, made, &made->device));
    *prepared = made;
    made = NULL;
done:
    rcity_tiles_release_prepared(context, made);
    return status;
}

void rcity_tiles_release_prepared(rcity_context *context, void *prepared)
{
    rcity_tiles_prepared *made = prepared;
    if (made == NULL) {
        return;
    }
    rcity_tiles_device_close(&made->device); /* borrows the sight structure of `first` */
    rcity_tile_first_close(&made->first);
    rcity_tile_roofs_close(&made->roofs);
    rcity_tile_views_deinit(context, &made->views);
    rcity_open_receivers_deinit(context, &made->receivers);
    rcity_built_up_destroy(context, &made->built_up);
    rcity_tile_matrix_close(context, &made->matrix);
    rcity_release(context, made->edge_face);
    rcity_release(context, made->tile_face);
    rcity_release(context, made->centre_z);
    rcity_release(context, made->centre_y);
    rcity_release(context, made->centre_x);
    rcity_tiling_deinit(context, &made->tiling);
    rcity_sight_destroy(context, &made->sight);
    rcity_plan_index_deinit(context, &made->prism_index);
    rcity_facet_table_deinit(context, &made->world);
    rcity_release(context, made);
}
