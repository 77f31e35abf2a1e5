/* Paths over many roofs, to receivers and to tiles that scatter them on: what the paper names as missing. They are
   powers without a phase. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/tiles/tiles_run.h"

#define PIECE 4096 /* targets of one thread at a time */

/* The hidden targets of a transmitter, numbered as those of the prepared roofs: tiles, then receivers. */
typedef struct over_run {
    rcity_tiles_run *run;
    int64_t count;
    int32_t *list;
    rcity_tile_roof_path *paths;
} over_run;

/* A tile is a target where it scatters, or where its own sums are asked for. */
static bool wants_tile(const rcity_tiles_run *run, int32_t tile)
{
    return run->tile_sums != NULL || rcity_tiles_run_is_rough(run, tile);
}

static rcity_status list_hidden(over_run *over)
{
    const rcity_tiles_run *run = over->run;
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
    rcity_jones sent = rcity_mount_field(run->link.mount, run->link.antenna, run->ends.tx_table, departure);
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
    for (int32_t i = 0; i < run->rough.depth_count * run->rough.cell_count; i++) {
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
    float share =
        rcity_tile_rough_share(run->rough, run->faces[run->tile_face[number]], run->link.wavenumber_per_m, cos_in);
    float brought = (power->theta + power->phi) * share * cos_in * scale.power;
    float rest = brought > 0.0f ? 1.0f - lit_so_far(run, number) / brought : 0.0f;
    if (rest > 0.0f) {
        rcity_tile_lit *lit =
            rcity_tiles_run_lit(run, number, 0) + rcity_tile_lit_cell(run->rough, tile, power->arrival);
        rcity_tile_lit_add(lit, scale, share, cos_in, power->theta * rest, power->phi * rest, power->gain, length_m,
                           power->arrival);
    }
}

/* An rcity_parallel_function over the list. */
static void take_paths(void *user, int64_t begin, int64_t end, int thread_index)
{
    const over_run *over = user;
    const rcity_tiles_run *run = over->run;
    int32_t tile_count = (int32_t)run->prepared->tiling.tile_count;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_tile_roof_path *path = &over->paths[i];
        int32_t target = over->list[i];
        if (isnan(path->excess_db) || path->length_m < run->limits.far_m) {
            continue;
        }
        over_power power = weigh(run, path);
        if (target >= tile_count) {
            add_to_sums(run, &run->receiver_sums[target - tile_count], run->receiver_scale[target - tile_count], &power,
                        path->length_m);
            continue;
        }
        if (run->tile_sums != NULL) {
            add_to_sums(run, &run->tile_sums[target], run->tile_scale[target], &power, path->length_m);
        }
        light_tile(run, target, &power, path->length_m);
    }
}

rcity_status rcity_tiles_go_over_roofs(rcity_tiles_run *run)
{
    over_run over = {.run = run};
    double start_s = rcity_clock_s();
    rcity_status status;
    RCITY_TRY_DONE(list_hidden(&over));
    RCITY_TRY_DONE(rcity_tile_roofs_find(run->prepared->roofs, run->traced->place, run->world.wavelength_m, 0.0,
                                         over.count, over.list, over.paths));
    rcity_parallel(run->context, over.count, PIECE, take_paths, &over);
    run->effort.over_s += rcity_clock_s() - start_s;
done:
    rcity_release(run->context, over.paths);
    rcity_release(run->context, over.list);
    return status;
}
