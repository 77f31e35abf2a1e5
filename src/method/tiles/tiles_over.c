/* Paths over many roofs, to receivers and to tiles that scatter them on: what the paper names as missing. They are
   powers without a phase. */
#include "method/tiles/tiles_over.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

#define PIECE 4096 /* targets of one thread at a time */

/* A run and its paths. */
typedef struct over_work {
    rcity_tiles_run *run;
    const rcity_tiles_over *over;
} over_work;

/* A tile is a target where it scatters, or where its own sums are asked for. */
static bool wants_tile(const rcity_tiles_run *run, int32_t tile)
{
    return run->keeps_tiles || rcity_tiles_run_is_rough(run, tile);
}

static rcity_status list_hidden(const rcity_tiles_run *run, rcity_tiles_over *over)
{
    const rcity_tiles_traced *traced = run->traced;
    int32_t tile_count = (int32_t)run->prepared->tiling.tile_count;
    int64_t receiver_count = run->prepared->receivers.open_count;
    size_t room = (size_t)tile_count + (size_t)receiver_count + 1;
    RCITY_TRY(rcity_alloc(run->context, room, sizeof *over->list, "paths over roofs", &over->list));
    int32_t seen = 0;
    for (int32_t i = 0; i < tile_count; i++) {
        bool is_seen = seen < traced->tile_count && traced->tiles[seen] == i;
        seen += is_seen;
        if (!is_seen && wants_tile(run, i)) {
            over->list[over->count++] = i;
        }
    }
    for (int64_t i = 0; i < receiver_count; i++) {
        if (!traced->sees_receiver[i]) {
            over->list[over->count++] = tile_count + (int32_t)i;
        }
    }
    return rcity_alloc(run->context, (size_t)over->count + 1, sizeof *over->paths, "paths over roofs", &over->paths);
}

/* What a path brings: power of theta and phi, and the antenna's gain. */
typedef struct over_power {
    float theta, phi, gain;
    rcity_real3 arrival;
} over_power;

static over_power weigh(const rcity_tiles_run *run, const rcity_tile_roof_path *path)
{
    rcity_real3 departure = rcity_real3_make(path->departure_x, path->departure_y, path->departure_z);
    rcity_jones sent =
        rcity_mount_field(run->bounce.link.mount, run->bounce.link.antenna, run->ends.tx_table, departure);
    float spread = powf(10.0f, -0.1f * path->excess_db) / (path->length_m * path->length_m);
    over_power power;
    power.theta = sent.theta * sent.theta * spread;
    power.phi = sent.phi * sent.phi * spread;
    power.gain = sent.theta * sent.theta + sent.phi * sent.phi;
    power.arrival = rcity_real3_make(path->arrival_x, path->arrival_y, path->arrival_z);
    return power;
}

/* A path over one roof was also found as a diffracted ray: the place takes what is more than that. */
static void add_to_sums(const rcity_tiles_run *run, rcity_tile_sums *sums, rcity_tile_place_scale scale,
                        const over_power *power, float length_m)
{
    float whole = power->theta * run->rx_share[0] + power->phi * run->rx_share[1];
    float received = whole - (float)sums->power[RCITY_TILE_DIFFRACTED] / scale.power;
    float bare = power->gain > 0.0f ? 1.0f / power->gain : 0.0f;
    if (received > 0.0f) {
        rcity_tile_sums_add_power(sums, scale, RCITY_TILE_ROOFS, received, received * bare, length_m, power->arrival.x,
                                  power->arrival.y, power->arrival.z);
    }
}

/* What the tile has collected so far, of all rays. */
static float lit_so_far(const rcity_tiles_run *run, int32_t tile)
{
    const rcity_tile_lit *lit = rcity_tiles_run_lit(run, tile, 0);
    float sum = 0.0f;
    for (int32_t i = 0; i < run->bounce.rough.depth_count * run->bounce.rough.cell_count; i++) {
        sum += (float)lit[i].theta + (float)lit[i].phi;
    }
    return sum;
}

/* As for sums: the tile takes what is more than it has. */
static void light_tile(const rcity_tiles_run *run, int32_t number, const over_power *power, float length_m)
{
    rcity_tile tile = run->prepared->tiling.tiles[number];
    rcity_tile_place_scale scale = run->tile_scale[number];
    float cos_in = -rcity_real3_dot(power->arrival, rcity_tile_normal(tile));
    if (!rcity_tiles_run_is_rough(run, number) || cos_in <= 0.0f) {
        return;
    }
    float share = rcity_tile_rough_share(run->bounce.rough, run->faces[run->prepared->tile_face[number]],
                                         run->bounce.link.wavenumber_per_m, cos_in);
    float brought = (power->theta + power->phi) * share * cos_in * scale.power;
    float rest = brought > 0.0f ? 1.0f - lit_so_far(run, number) / brought : 0.0f;
    if (rest > 0.0f) {
        rcity_tile_lit *lit =
            rcity_tiles_run_lit(run, number, 0) + rcity_tile_lit_cell(run->bounce.rough, tile, power->arrival);
        rcity_tile_lit_add(lit, scale, share, cos_in, power->theta * rest, power->phi * rest, power->gain, length_m,
                           power->arrival);
    }
}

/* The path to a target, if there is one in the far field of the antenna. */
static const rcity_tile_roof_path *path_of(const over_work *work, int64_t i)
{
    const rcity_tile_roof_path *path = &work->over->paths[i];
    return isnan(path->excess_db) || path->length_m < work->run->bounce.limits.far_m ? NULL : path;
}

/* An rcity_parallel_function over the list: tiles. */
static void light_tiles(void *user, int64_t begin, int64_t end, int thread_index)
{
    const over_work *work = user;
    int32_t tile_count = (int32_t)work->run->prepared->tiling.tile_count;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_tile_roof_path *path = path_of(work, i);
        if (path != NULL && work->over->list[i] < tile_count) {
            over_power power = weigh(work->run, path);
            light_tile(work->run, work->over->list[i], &power, path->length_m);
        }
    }
}

/* An rcity_parallel_function over the list: sums of tiles and receivers. */
static void add_paths(void *user, int64_t begin, int64_t end, int thread_index)
{
    const over_work *work = user;
    const rcity_tiles_run *run = work->run;
    int32_t tile_count = (int32_t)run->prepared->tiling.tile_count;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_tile_roof_path *path = path_of(work, i);
        int32_t tile = work->over->list[i];
        int32_t receiver = tile - tile_count;
        if (path == NULL || (receiver < 0 && run->tile_sums == NULL)) {
            continue;
        }
        over_power power = weigh(run, path);
        add_to_sums(run, receiver < 0 ? &run->tile_sums[tile] : &run->receiver_sums[receiver],
                    receiver < 0 ? run->tile_scale[tile] : run->receiver_scale[receiver], &power, path->length_m);
    }
}

rcity_status rcity_tiles_over_find(rcity_tiles_run *run, rcity_tiles_over *over)
{
    double start_s = rcity_clock_s();
    rcity_status status;
    memset(over, 0, sizeof *over);
    RCITY_TRY_DONE(list_hidden(run, over));
    status = rcity_tile_roofs_find(run->prepared->roofs, run->traced->place, run->world.wavelength_m, 0.0, over->count,
                                   over->list, over->paths);
done:
    if (status != RCITY_OK) {
        rcity_tiles_over_deinit(run->context, over);
    }
    run->effort.over_s += rcity_clock_s() - start_s;
    return status;
}

void rcity_tiles_over_light(rcity_tiles_run *run, const rcity_tiles_over *over)
{
    over_work work = {run, over};
    if (run->lit != NULL) {
        rcity_parallel(run->context, over->count, PIECE, light_tiles, &work);
    }
}

void rcity_tiles_over_add(rcity_tiles_run *run, const rcity_tiles_over *over)
{
    over_work work = {run, over};
    rcity_parallel(run->context, over->count, PIECE, add_paths, &work);
}

void rcity_tiles_over_deinit(rcity_context *context, rcity_tiles_over *over)
{
    rcity_release(context, over->paths);
    rcity_release(context, over->list);
    memset(over, 0, sizeof *over);
}
