/* Surfaces from the sums of tiles. */
#include "method/tiles/tiles_surfaces.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/tiles/tiles_levels.h"

#define PIECE 4096 /* tiles of one thread at a time */

typedef struct surface_bands {
    float *loss_db, *coherent_loss_db, *delay_ns, *delay_spread_ns, *azimuth_deg, *elevation_deg, *mechanism,
        *ray_count;
    float *received_dbm;
} surface_bands;

typedef struct fill_work {
    const rcity_tiles_run *run;
    rcity_tiles_weights weights;
    surface_bands bands;
    rcity_surface_tile *tiles;
} fill_work;

static rcity_status add_bands(const rcity_job *job, const rcity_tx *tx, rcity_surfaces *surfaces, surface_bands *bands)
{
    const struct {
        rcity_band_kind kind;
        const char *name, *unit, *text;
        float **value;
    } listed[] = {
        {RCITY_BAND_LOSS, "path_loss", "dB", "basic transmission loss, powers of all rays added", &bands->loss_db},
        {RCITY_BAND_LOSS, "coherent_path_loss", "dB", "basic transmission loss, fields of all rays added",
         &bands->coherent_loss_db},
        {RCITY_BAND_DELAY, "mean_delay", "ns", "mean delay of the arriving power", &bands->delay_ns},
        {RCITY_BAND_DELAY, "delay_spread", "ns", "root mean square delay spread", &bands->delay_spread_ns},
        {RCITY_BAND_ANGLE, "arrival_azimuth", "deg", "mean azimuth from which power arrives", &bands->azimuth_deg},
        {RCITY_BAND_ANGLE, "arrival_elevation", "deg", "mean elevation from which power arrives",
         &bands->elevation_deg},
        {RCITY_BAND_COUNT, "ray_count", "", "rays that arrive", &bands->ray_count},
        {RCITY_BAND_CLASS, "mechanism", "",
         "that brings most power: 0 direct, 3 roof, 4 reflection, 5 diffraction, 6 diffuse", &bands->mechanism},
    };
    for (size_t i = 0; i < sizeof listed / sizeof listed[0]; i++) {
        RCITY_TRY(rcity_surfaces_add_band(surfaces, listed[i].kind, listed[i].name, listed[i].unit, listed[i].text,
                                          listed[i].value));
    }
    RCITY_TRY(rcity_method_name_surface_mechanisms(job->method, surfaces));
    return isnan(tx->stated.power_dbm)
               ? RCITY_OK
               : rcity_surfaces_add_band(surfaces, RCITY_BAND_POWER, "received_power", "dBm",
                                         "received power of the transmitter", &bands->received_dbm);
}

/* The tile in the scene's coordinates. */
static void describe_tile(const rcity_tiles_run *run, const rcity_tile *tile, rcity_surface_tile *made)
{
    const rcity_facet_table *world = &run->world;
    const rcity_shapes *shapes = world->shapes;
    rcity_mirror_kind kind = tile->surface < 0 ? RCITY_MIRROR_GROUND : world->mirrors[tile->surface].kind;
    made->centre =
        (rcity_point){(double)tile->x + shapes->origin_x_m, (double)tile->y + shapes->origin_y_m, (double)tile->z};
    memcpy(made->normal, &tile->nx, sizeof made->normal);
    memcpy(made->side, &tile->ux, sizeof made->side);
    made->half_side_m[0] = tile->half_u;
    made->half_side_m[1] = tile->half_v;
    made->kind = kind == RCITY_MIRROR_WALL   ? RCITY_SURFACE_WALL
                 : kind == RCITY_MIRROR_ROOF ? RCITY_SURFACE_ROOF
                                             : RCITY_SURFACE_GROUND;
    made->building_id = -1;
    if (kind != RCITY_MIRROR_GROUND) {
        int32_t prism = world->mirrors[tile->surface].prism;
        made->building_id = prism >= 0 ? shapes->buildings[shapes->prisms[prism].building].id : -1;
    }
}

/* An rcity_parallel_function over tiles. */
static void fill_tiles(void *user, int64_t begin, int64_t end, int thread_index)
{
    const fill_work *work = user;
    const rcity_tiles_run *run = work->run;
    const surface_bands *bands = &work->bands;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_tiles_level level = rcity_tiles_level_of(&work->weights, &run->tile_sums[i], run->tile_scale[i]);
        describe_tile(run, &run->prepared->tiling.tiles[i], &work->tiles[i]);
        bands->loss_db[i] = (float)level.loss_db;
        bands->coherent_loss_db[i] = (float)level.coherent_loss_db;
        bands->delay_ns[i] = (float)(level.mean_delay_s * 1e9);
        bands->delay_spread_ns[i] = (float)(level.delay_spread_s * 1e9);
        bands->azimuth_deg[i] = (float)level.arrival_azimuth_deg;
        bands->elevation_deg[i] = (float)level.arrival_elevation_deg;
        bands->ray_count[i] = (float)level.ray_count;
        bands->mechanism[i] = level.mechanism < 0 ? NAN : (float)level.mechanism;
        if (bands->received_dbm != NULL) {
            bands->received_dbm[i] = (float)level.received_dbm;
        }
    }
}

rcity_status rcity_tiles_fill_surfaces(const rcity_job *job, const rcity_tx *tx, const rcity_tiles_run *run,
                                       rcity_surfaces **surfaces)
{
    fill_work work;
    memset(&work, 0, sizeof work);
    rcity_surfaces_setup setup = {.transmitter = tx->position,
                                  .frequency_hz = tx->stated.frequency_hz,
                                  .crs = rcity_scene_crs(job->scene),
                                  .tile_count = run->prepared->tiling.tile_count};
    rcity_surfaces *made = NULL;
    RCITY_TRY(rcity_surfaces_create(job->context, &setup, &made));
    rcity_status status = add_bands(job, tx, made, &work.bands);
    if (status != RCITY_OK) {
        rcity_surfaces_destroy(&made);
        return status;
    }
    work.run = run;
    work.weights = rcity_tiles_weights_make(job, tx);
    work.tiles = rcity_surfaces_edit_tiles(made);
    rcity_parallel(job->context, setup.tile_count, PIECE, fill_tiles, &work);
    *surfaces = made;
    return RCITY_OK;
}
