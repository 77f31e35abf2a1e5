/* Probes: targets spread evenly, to each of which the senders are tried that could bring most. */
#include <stdlib.h>
#include <string.h>

#include "base/interleave.h"
#include "base/parallel.h"
#include "method/tiles/senders/sender_work.h"

#define PIECE 1 /* probes of one thread at a time */

#define KEY_BITS   20 /* of a coordinate */
#define STEP_BITS  20 /* of a float that are dropped: steps of an eighth of an octave */
#define STEP_COUNT 2048

/* Does a tile see a target? Then its scattered power has arrived there straight. */
static bool sees(const rcity_tiles_run *run, int32_t tile, int32_t target)
{
    const rcity_tiles_prepared *prepared = run->prepared;
    const rcity_tile_views *views = &prepared->views;
    int32_t receiver = target - (int32_t)prepared->tiling.tile_count;
    if (receiver >= 0) {
        return rcity_tile_views_find(views->receiver, views->row_first[tile], views->row_first[tile + 1], receiver) ==
               receiver;
    }
    const rcity_tile_matrix *matrix = prepared->matrix;
    rcity_tile_rows_view rows = {matrix->chunk_count, matrix->row_first, matrix->chunk_end, matrix->column};
    return rcity_tile_row_has(rcity_tile_row_of(rows, tile), target);
}

float rcity_sender_power(const rcity_sender_work *work, int64_t sender, rcity_tile_roof_path path)
{
    int32_t cells = work->job.bounce.rough.cell_count;
    rcity_tile tile = work->run->prepared->tiling.tiles[work->senders->tile[sender]];
    float sum = 0.0f;
    for (int32_t cell = 0; cell < cells; cell++) {
        sum += rcity_tile_send_power(work->job, &work->senders->glows[sender * cells + cell], tile, path);
    }
    return sum;
}

void rcity_sender_add(const rcity_sender_work *work, int64_t sender, rcity_tile_roof_path path, float factor,
                      int32_t target)
{
    int32_t cells = work->job.bounce.rough.cell_count;
    rcity_tile tile = work->run->prepared->tiling.tiles[work->senders->tile[sender]];
    rcity_tile_place_scale scale = rcity_sender_target_scale(work->run, target);
    rcity_tile_units_of sum = rcity_tile_units_none();
    int64_t ray_count = 0;
    for (int32_t cell = 0; cell < cells; cell++) {
        const rcity_tile_glow *glow = &work->senders->glows[sender * cells + cell];
        float power = factor * rcity_tile_send_power(work->job, glow, tile, path);
        if (power > 0.0f) {
            rcity_tile_units_add(&sum, rcity_tile_send_units(glow, path, power, scale));
            ray_count++;
        }
    }
    if (ray_count > 0) {
        rcity_tile_sums_add(rcity_sender_target_sums(work->run, target), RCITY_TILE_SCATTERED, sum, ray_count);
    }
}

/* A target and its place on Morton's curve. */
typedef struct keyed_target {
    uint64_t key;
    int32_t target;
} keyed_target;

static int compare_keys(const void *left, const void *right)
{
    const keyed_target *a = left;
    const keyed_target *b = right;
    return a->key != b->key ? (a->key < b->key ? -1 : 1) : (a->target > b->target) - (a->target < b->target);
}

static uint64_t make_key(rcity_real3 at_m, rcity_real3 corner_m)
{
    uint64_t x = (uint64_t)(float)(at_m.x - corner_m.x);
    uint64_t y = (uint64_t)(float)(at_m.y - corner_m.y);
    uint64_t z = (uint64_t)(RCITY_SENDER_STRETCH * (float)(at_m.z - corner_m.z));
    return rcity_spread_bits(x, KEY_BITS, 3) | rcity_spread_bits(y, KEY_BITS, 3) << 1 |
           rcity_spread_bits(z, KEY_BITS, 3) << 2;
}

/* Tiles are targets where their sums are kept. */
static rcity_status list_targets(rcity_sender_work *work)
{
    rcity_tiles_run *run = work->run;
    int64_t hidden_count = 0;
    int64_t first = 0;
    keyed_target *keyed = NULL;
    rcity_status status;
    RCITY_TRY(rcity_tiles_list_hidden(run, &work->target, &hidden_count));
    while (run->tile_sums == NULL && first < hidden_count && work->target[first] < run->prepared->tiling.tile_count) {
        first++;
    }
    work->target_count = hidden_count - first;
    RCITY_TRY_DONE(
        rcity_alloc(run->context, (size_t)work->target_count + 1, sizeof *keyed, "scattering over roofs", &keyed));
    rcity_real3 corner_m = work->target_count > 0 ? rcity_sender_target_m(run, work->target[first])
                                                  : rcity_real3_make((rcity_real)0, (rcity_real)0, (rcity_real)0);
    for (int64_t i = 0; i < work->target_count; i++) {
        rcity_real3 at_m = rcity_sender_target_m(run, work->target[first + i]);
        corner_m.x = at_m.x < corner_m.x ? at_m.x : corner_m.x;
        corner_m.y = at_m.y < corner_m.y ? at_m.y : corner_m.y;
        corner_m.z = at_m.z < corner_m.z ? at_m.z : corner_m.z;
    }
    for (int64_t i = 0; i < work->target_count; i++) {
        int32_t target = work->target[first + i];
        keyed[i] = (keyed_target){make_key(rcity_sender_target_m(run, target), corner_m), target};
    }
    qsort(keyed, (size_t)work->target_count, sizeof *keyed, compare_keys);
    for (int64_t i = 0; i < work->target_count; i++) {
        work->target[i] = keyed[i].target;
    }
done:
    rcity_release(run->context, keyed);
    return status;
}

float rcity_sender_guess(const rcity_sender_work *work, int64_t sender, int32_t target)
{
    int32_t cells = work->job.bounce.rough.cell_count;
    int32_t number = work->senders->tile[sender];
    rcity_tile tile = work->run->prepared->tiling.tiles[number];
    rcity_real3 to = rcity_sender_target_m(work->run, target);
    float x = (float)to.x - tile.x;
    float y = (float)to.y - tile.y;
    float sum = 0.0f;
    for (int32_t cell = 0; cell < cells; cell++) {
        sum += rcity_tile_send_guess(work->job, &work->senders->glows[sender * cells + cell], tile, x, y);
    }
    return sum > 0.0f && !sees(work->run, number, target) ? sum : 0.0f;
}

/* Steps of guesses; larger ones have larger numbers, 0 is that of none. */
static uint32_t step_of(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits >> STEP_BITS;
}

/* The step from which on the guesses are tried: the lowest with no more than `try_max` of them from there on. Where the
   highest step alone has more, it is that one, and not all of its guesses are tried. */
static uint32_t find_step(const uint32_t *count, int32_t try_max)
{
    int64_t sum = 0;
    uint32_t step = STEP_COUNT;
    while (step > 1 && (sum == 0 || sum + count[step - 1] <= try_max)) {
        sum += count[--step];
    }
    return step;
}

/* An rcity_parallel_function over probes: the senders to be tried. */
static void list_candidates(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_sender_work *work = user;
    (void)thread_index;
    for (int64_t k = begin; k < end; k++) {
        rcity_sender_probe *probe = &work->probe[k];
        uint32_t count[STEP_COUNT] = {0};
        for (int64_t i = 0; i < work->senders->count; i++) {
            count[step_of(rcity_sender_guess(work, i, probe->target))]++;
        }
        uint32_t least = find_step(count, work->try_max);
        for (int64_t i = 0; i < work->senders->count && probe->count < work->try_max; i++) {
            if (step_of(rcity_sender_guess(work, i, probe->target)) >= least) {
                probe->tried[probe->count++] = (int32_t)i;
            }
        }
    }
}

static void keep_best(rcity_sender_probe *probe, int32_t best_max)
{
    for (int32_t i = 0; i < probe->count; i++) {
        if (!(probe->power[i] > 0.0f)) {
            continue;
        }
        int32_t at = probe->best_count < best_max ? probe->best_count++ : best_max;
        for (; at > 0 && probe->power[i] > probe->power[probe->best[at - 1]]; at--) {
            if (at < best_max) {
                probe->best[at] = probe->best[at - 1];
            }
        }
        if (at < best_max) {
            probe->best[at] = i;
        }
    }
}

/* The paths of all tries, those of a probe after each other. */
typedef struct try_work {
    rcity_sender_work *work;
    int64_t first[RCITY_SENDER_PROBE_MAX + 1];
    rcity_tile_roof_pair *pairs; /* from a probe to a sender */
} try_work;

/* An rcity_parallel_function over probes: what its senders bring, their paths turned around. */
static void add_candidates(void *user, int64_t begin, int64_t end, int thread_index)
{
    const try_work *tries = user;
    rcity_sender_work *work = tries->work;
    (void)thread_index;
    for (int64_t k = begin; k < end; k++) {
        rcity_sender_probe *probe = &work->probe[k];
        for (int32_t i = 0; i < probe->count; i++) {
            rcity_tile_roof_path path = rcity_tile_roof_path_turn(work->paths[tries->first[k] + i]);
            probe->power[i] = rcity_sender_power(work, probe->tried[i], path);
            probe->sum += probe->power[i];
            rcity_sender_add(work, probe->tried[i], path, 1.0f, probe->target);
        }
        keep_best(probe, work->best_max);
    }
}

static rcity_status try_senders(rcity_sender_work *work)
{
    rcity_tiles_run *run = work->run;
    try_work tries = {.work = work};
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(run->context, (size_t)work->probe_count * (size_t)work->try_max + 1, sizeof *tries.pairs,
                               "scattering over roofs", &tries.pairs));
    int64_t count = 0;
    for (int32_t k = 0; k < work->probe_count; k++) {
        const rcity_sender_probe *probe = &work->probe[k];
        tries.first[k] = count;
        for (int32_t i = 0; i < probe->count; i++) {
            tries.pairs[count++] = (rcity_tile_roof_pair){probe->target, work->senders->tile[probe->tried[i]]};
        }
    }
    RCITY_TRY_DONE(rcity_tile_roofs_find_pairs(run->context, run->prepared->roofs, run->world.wavelength_m,
                                               run->range_m, count, tries.pairs, work->paths));
    work->path_count += count;
    rcity_parallel(run->context, work->probe_count, PIECE, add_candidates, &tries);
done:
    rcity_release(run->context, tries.pairs);
    return status;
}

/* Room for what is tried at all probes. */
static rcity_status place_probes(rcity_sender_work *work)
{
    rcity_context *context = work->run->context;
    int64_t most = work->target_count < RCITY_SENDER_PROBE_MAX ? work->target_count : RCITY_SENDER_PROBE_MAX;
    work->probe_count = (int32_t)most;
    if (most == 0 || work->senders->count == 0) {
        return RCITY_OK;
    }
    most = RCITY_SENDER_TRY_MAX / most;
    work->try_max = (int32_t)(most < work->senders->count ? most : work->senders->count);
    most = RCITY_SENDER_TRY_MAX / (RCITY_SENDER_AROUND * work->target_count);
    most = most < RCITY_SENDER_BEST_MAX ? most : RCITY_SENDER_BEST_MAX;
    work->best_max = (int32_t)(most > RCITY_SENDER_BEST_MIN ? most : RCITY_SENDER_BEST_MIN);
    size_t room = (size_t)work->probe_count * (size_t)work->try_max;
    int32_t *tried = NULL;
    float *power = NULL;
    RCITY_TRY(rcity_alloc(context, room, sizeof *tried, "scattering over roofs", &tried));
    work->probe[0].tried = tried;
    RCITY_TRY(rcity_alloc(context, room, sizeof *power, "scattering over roofs", &power));
    work->probe[0].power = power;
    for (int32_t k = 0; k < work->probe_count; k++) {
        rcity_sender_probe *probe = &work->probe[k];
        probe->target = work->target[(2 * (int64_t)k + 1) * work->target_count / (2 * work->probe_count)];
        rcity_real3 at_m = rcity_sender_target_m(work->run, probe->target);
        probe->x = (float)at_m.x;
        probe->y = (float)at_m.y;
        probe->z = RCITY_SENDER_STRETCH * (float)at_m.z;
        probe->tried = tried + (size_t)k * (size_t)work->try_max;
        probe->power = power + (size_t)k * (size_t)work->try_max;
    }
    return RCITY_OK;
}

rcity_status rcity_sender_probes_make(rcity_sender_work *work)
{
    rcity_context *context = work->run->context;
    RCITY_TRY(list_targets(work));
    RCITY_TRY(place_probes(work));
    int64_t block = work->target_count < RCITY_SENDER_BLOCK ? work->target_count : RCITY_SENDER_BLOCK;
    int64_t tries = (int64_t)work->probe_count * work->try_max;
    int64_t room = RCITY_SENDER_AROUND * work->best_max * block;
    room = tries > room ? tries : room;
    RCITY_TRY(rcity_alloc(context, (size_t)room + 1, sizeof *work->paths, "scattering over roofs", &work->paths));
    if (work->try_max == 0) {
        return RCITY_OK;
    }
    rcity_parallel(context, work->probe_count, PIECE, list_candidates, work);
    return try_senders(work);
}

void rcity_sender_probes_deinit(rcity_sender_work *work)
{
    rcity_context *context = work->run->context;
    rcity_release(context, work->paths);
    rcity_release(context, work->probe[0].power);
    rcity_release(context, work->probe[0].tried);
    rcity_release(context, work->target);
    work->paths = NULL;
}
