/* Setting up a run: materials at its frequency, the antenna, empty sums. */
#include "method/tiles/tiles_run.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "method/tiles/senders/tile_senders.h"
#include "method/tiles/tiles.h"
#include "method/tiles/tiles_device.h"
#include "method/tiles/tiles_mean.h"
#include "result/rays_data.h"

#define TWO_PI 6.28318530717958647692

/* Tiles are in the antenna's far field beyond 2 A / wavelength, with A its effective area (the paper, section III.C),
   and not nearer than a wavelength. */
static float far_field_m(double wavelength_m, double gain)
{
    return (float)fmax(gain * wavelength_m / TWO_PI, wavelength_m);
}

static rcity_face make_face(const rcity_facet_material *material, double rough_loss)
{
    rcity_face face;
    face.permittivity = rcity_complex_make((float)material->permittivity_re, (float)material->permittivity_im);
    face.thickness_m = (float)material->thickness_m;
    face.is_conductor = material->is_conductor;
    face.rough_loss = (float)rough_loss;
    return face;
}

static rcity_status make_faces(rcity_tiles_run *run)
{
    const rcity_facet_table *world = &run->world;
    int32_t material_count = (int32_t)world->material_count;
    RCITY_TRY(rcity_alloc(run->context, rcity_tiles_face_count(world), sizeof *run->faces, "materials", &run->faces));
    double rough_loss = 1.0 - sqrt(1.0 - (double)run->bounce.rough.share);
    for (int32_t i = 0; i < material_count; i++) {
        run->faces[i] = make_face(&world->materials[i], rough_loss);
        run->faces[material_count + i] = make_face(&world->materials[i], 0.0);
    }
    run->faces[rcity_tiles_ground_face(world)] =
        make_face(&world->materials[world->ground_material], run->has_ground_law ? 1.0 : 0.0);
    return RCITY_OK;
}

static void read_options(const rcity_job *job, rcity_tiles_run *run)
{
    const char *model = job->option[RCITY_TILES_SCATTERING];
    double coefficient = job->number[RCITY_TILES_SCATTERING_COEFFICIENT];
    bool is_rough = strcmp(model, "off") != 0;
    bool is_directive = strcmp(model, "directive") == 0;
    run->goes_over_roofs = strcmp(job->option[RCITY_TILES_OVER_ROOFS], "on") == 0;
    run->range_m = job->number[RCITY_TILES_TILE_RANGE_M];
    run->bounce.limits.max_bounces = (int)job->number[RCITY_TILES_MAX_BOUNCES];
    run->bounce.limits.max_reflections = (int)job->number[RCITY_TILES_MAX_REFLECTIONS];
    run->bounce.limits.max_diffractions = (int)job->number[RCITY_TILES_MAX_DIFFRACTIONS];
    run->bounce.rough.share = is_rough ? (float)(coefficient * coefficient) : 0.0f;
    run->bounce.rough.lobe = is_directive ? (int32_t)job->number[RCITY_TILES_SCATTERING_EXPONENT] : 0;
    run->bounce.rough.of_reflected = strcmp(job->option[RCITY_TILES_SCATTERING_OF], "reflected") == 0;
    run->bounce.rough.cell_count = is_directive ? RCITY_TILE_LIT_CELLS : 1;
    run->bounce.rough.depth_count = run->bounce.limits.max_bounces;
}

/* The transmitter, and what it takes for a ray to be bounced on: `loss-limit-db` below its EIRP. */
static void make_link(const rcity_job *job, const rcity_tx *tx, rcity_tiles_run *run)
{
    double frequency_hz = tx->stated.frequency_hz;
    double wavelength_m = RCITY_LIGHT_EXACT_M_PER_S / frequency_hz;
    rcity_rx_polarization polarization = rcity_rx_polarization_read(job->option[RCITY_TILES_RX_POLARIZATION]);
    double share[2];
    run->ends = rcity_path_ends_make(job, tx, polarization);
    run->bounce.gain = (float)pow(10.0, 0.1 * (double)run->ends.tx_antenna.gain_dbi);
    run->tx = rcity_real3_make((float)run->traced->from.x, (float)run->traced->from.y, (float)run->traced->from.z);
    run->bounce.link.x = run->tx.x;
    run->bounce.link.y = run->tx.y;
    run->bounce.link.z = run->tx.z;
    run->bounce.link.mount =
        rcity_mount_make((float)run->ends.tx_azimuth_rad, (float)run->ends.tx_tilt_rad, (float)run->ends.tx_slant_rad);
    run->bounce.link.antenna = run->ends.tx_antenna;
    run->bounce.link.wavenumber_per_m = (float)(TWO_PI / wavelength_m);
    run->bounce.link.rx_polarization = (int32_t)polarization;
    rcity_rx_polarization_share(polarization, share);
    run->rx_share[0] = (float)share[0];
    run->rx_share[1] = (float)share[1];
    double spread_db = 20.0 * log10(2.0 * TWO_PI / wavelength_m); /* loss over the first metre */
    run->bounce.limits.power_min =
        run->bounce.gain * (float)pow(10.0, 0.1 * (spread_db - job->number[RCITY_TILES_LOSS_LIMIT_DB]));
    run->near_m = (float)wavelength_m;
    run->bounce.limits.far_m = far_field_m(wavelength_m, (double)run->bounce.gain);
}

static rcity_status make_sums(rcity_tiles_run *run)
{
    const rcity_tiling *tiling = &run->prepared->tiling;
    const rcity_open_receivers *receivers = &run->prepared->receivers;
    size_t tile_room = (size_t)tiling->tile_count + 1;
    size_t receiver_room = (size_t)receivers->open_count + 1;
    rcity_context *context = run->context;
    RCITY_TRY(rcity_alloc(context, tile_room, sizeof *run->tile_scale, "sums of tiles", &run->tile_scale));
    RCITY_TRY(
        rcity_alloc(context, receiver_room, sizeof *run->receiver_scale, "sums of receivers", &run->receiver_scale));
    RCITY_TRY(
        rcity_alloc(context, receiver_room, sizeof *run->receiver_sums, "sums of receivers", &run->receiver_sums));
    for (int64_t i = 0; i < tiling->tile_count; i++) {
        run->tile_scale[i] =
            rcity_tile_scale_of(run->bounce.link, run->bounce.gain, rcity_tile_centre(tiling->tiles[i]));
    }
    for (int64_t i = 0; i < receivers->open_count; i++) {
        const float *at = &receivers->xyz_m[3 * i];
        run->receiver_scale[i] =
            rcity_tile_scale_of(run->bounce.link, run->bounce.gain, rcity_real3_make(at[0], at[1], at[2]));
    }
    if (run->keeps_tiles) {
        RCITY_TRY(rcity_alloc(context, tile_room, sizeof *run->tile_sums, "sums of tiles", &run->tile_sums));
    }
    if (run->bounce.rough_material_count > 0 && !run->is_on_device) {
        size_t cells = (size_t)run->bounce.rough.depth_count * (size_t)run->bounce.rough.cell_count;
        RCITY_TRY(rcity_alloc(context, tile_room * cells, sizeof *run->lit, "what tiles scatter", &run->lit));
    }
    if (run->keeps_hits) {
        run->thread_count = rcity_context_thread_count(context);
        size_t threads = (size_t)run->thread_count;
        RCITY_TRY(rcity_alloc(context, threads, sizeof *run->hits, "paths", &run->hits));
        RCITY_TRY(rcity_alloc(context, threads, sizeof *run->hit_status, "paths", &run->hit_status));
    }
    return RCITY_OK;
}

rcity_status rcity_tiles_run_init(const rcity_job *job, const rcity_tiles_traced *traced, const rcity_tx *tx,
                                  bool keeps_hits, bool keeps_tiles, rcity_tiles_run *run)
{
    rcity_status status;
    memset(run, 0, sizeof *run);
    run->context = job->context;
    run->prepared = traced->prepared;
    run->traced = traced;
    run->keeps_hits = keeps_hits;
    run->keeps_tiles = keeps_tiles;
    run->has_ground_law = !keeps_hits && !keeps_tiles && rcity_tiles_mean_is_on(job);
    read_options(job, run);
    make_link(job, tx, run);
    RCITY_TRY_DONE(rcity_facet_table_retune(job->context, job->scene, &traced->prepared->world, tx->stated.frequency_hz,
                                            &run->world));
    RCITY_TRY_DONE(make_faces(run));
    run->bounce.keeps_tiles = keeps_tiles;
    if (run->bounce.rough.share > 0.0f && run->bounce.rough.depth_count > 0) {
        run->bounce.rough_material_count = (int32_t)run->world.material_count;
    }
    run->is_on_device =
        run->prepared->device != NULL && !keeps_hits && rcity_tiles_device_holds(run->prepared->device, run);
    RCITY_TRY_DONE(make_sums(run));
    run->tiles.tiles = run->prepared->tiling.tiles;
    run->tiles.edges = run->prepared->tiling.edges;
    run->table.faces = run->faces;
    run->table.tile_face = run->prepared->tile_face;
    run->table.edge_face = run->prepared->edge_face;
    run->table.wavenumber_per_m = run->bounce.link.wavenumber_per_m;
done:
    if (status != RCITY_OK) {
        rcity_tiles_run_deinit(run);
    }
    return status;
}

void rcity_tiles_run_deinit(rcity_tiles_run *run)
{
    rcity_context *context = run->context;
    for (int i = 0; run->hits != NULL && i < run->thread_count; i++) {
        rcity_release(context, run->hits[i].hits);
    }
    rcity_release(context, run->hit_status);
    rcity_release(context, run->hits);
    rcity_release(context, run->lit);
    rcity_release(context, run->tile_sums);
    rcity_release(context, run->receiver_sums);
    rcity_release(context, run->receiver_scale);
    rcity_release(context, run->tile_scale);
    rcity_release(context, run->faces);
    rcity_facet_table_deinit(context, &run->world);
    memset(run, 0, sizeof *run);
}

/* Chain by chain. */
static rcity_status run_on_host(rcity_tiles_run *run)
{
    rcity_tile_senders senders = {.count = 0};
    rcity_status status;
    RCITY_TRY_DONE(rcity_tiles_bounce(run));
    if (rcity_tile_senders_are_wanted(run)) {
        RCITY_TRY_DONE(rcity_tile_senders_list(run, &senders));
    }
    if (run->goes_over_roofs) {
        RCITY_TRY_DONE(rcity_tiles_go_over_roofs(run));
    }
    RCITY_TRY_DONE(rcity_tiles_glow(run));
    RCITY_TRY_DONE(rcity_tile_senders_send(run, &senders));
done:
    rcity_tile_senders_deinit(run->context, &senders);
    return status;
}

rcity_status rcity_tiles_run_all(rcity_tiles_run *run)
{
    RCITY_TRY(run->is_on_device ? rcity_tiles_device_run(run->prepared->device, run) : run_on_host(run));
    rcity_log(run->context, RCITY_LOG_INFO, "%d tiles and %d edges in sight, %lld rays, %lld of scattered power",
              run->traced->tile_count, run->traced->edge_count, (long long)run->effort.ray_count,
              (long long)run->effort.scattered_count);
    if (run->effort.near_count > 0) {
        rcity_log(run->context, RCITY_LOG_INFO, "%lld tiles nearer than the antenna's far field (%.3g m) are left out",
                  (long long)run->effort.near_count, (double)run->bounce.limits.far_m);
    }
    return RCITY_OK;
}
