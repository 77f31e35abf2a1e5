/* First-level visibility: the tiles, edges and receivers that transmitters see directly. Tiles and receivers are tested
   in batches of transmitters; edges are those on the border of the tiles that are seen. */
#include <string.h>

#include "base/parallel.h"
#include "method/path_ends.h"
#include "method/tiles/tiles_prepare.h"

#define WORD_BITS    64
#define SPREAD_WORDS 4096                 /* of receivers, of a thread at a time */
#define BATCH_BYTES  ((uint64_t)64 << 20) /* of bits of edges */

/* Some transmitters of a call. */
typedef struct first_batch {
    rcity_context *context; /* Borrowed, as the next three. */
    const rcity_tiles_prepared *prepared;
    rcity_tile_first_buffers *buffers;
    rcity_tiles_traced **made; /* of each transmitter */
    int32_t count, most;
    int32_t tile_words, words; /* of answers, of each transmitter */
    int64_t edge_words;
    rcity_tile_place *from;
    rcity_tile_first_answer *answers;
    uint64_t *edge_bits; /* of each transmitter: bits of edges */
} first_batch;

static rcity_status make_traced(const rcity_job *job, const rcity_tiles_prepared *prepared, const rcity_tx *tx,
                                rcity_tiles_traced **traced)
{
    rcity_context *context = job->context;
    const rcity_shapes *shapes = job->shapes;
    const rcity_point *at = &tx->position;
    rcity_place3 from = {at->x_m - shapes->origin_x_m, at->y_m - shapes->origin_y_m, at->z_m};
    RCITY_TRY(rcity_alloc(context, 1, sizeof **traced, "what a transmitter sees", traced));
    rcity_tiles_traced *made = *traced;
    made->prepared = prepared;
    made->from = rcity_path_end_in_air(&prepared->world, &prepared->prism_index, from);
    made->place = rcity_place_snap(shapes, made->from);
    return rcity_alloc(context, (size_t)prepared->receivers.open_count + 1, 1, "receivers in sight",
                       &made->sees_receiver);
}

/* An rcity_parallel_function over transmitters: count the tiles that are seen, and mark and count their edges. */
static void count_seen(void *user, int64_t begin, int64_t end, int thread_index)
{
    const first_batch *batch = user;
    const rcity_tiling *tiling = &batch->prepared->tiling;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_tile_first_answer *answers = batch->answers + i * batch->words;
        uint64_t *edges = batch->edge_bits + i * batch->edge_words;
        rcity_tiles_traced *made = batch->made[i];
        for (int32_t word = 0; word < batch->tile_words; word++) {
            for (uint32_t bits = answers[word].sees; bits != 0; bits &= bits - 1) {
                int32_t tile = word * RCITY_TILE_BLOCK + __builtin_ctz(bits);
                made->tile_count++;
                for (int32_t k = tiling->edge_first[tile]; k < tiling->edge_first[tile + 1]; k++) {
                    uint32_t edge = (uint32_t)tiling->edge_of[k];
                    edges[edge / WORD_BITS] |= (uint64_t)1 << edge % WORD_BITS;
                }
            }
        }
        for (int64_t word = 0; word < batch->edge_words; word++) {
            made->edge_count += __builtin_popcountll(edges[word]);
        }
    }
}

/* An rcity_parallel_function over transmitters: the numbers of tiles and edges, in their order. */
static void list_seen(void *user, int64_t begin, int64_t end, int thread_index)
{
    const first_batch *batch = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_tile_first_answer *answers = batch->answers + i * batch->words;
        const uint64_t *edges = batch->edge_bits + i * batch->edge_words;
        int32_t *tile = batch->made[i]->tiles;
        int32_t *edge = batch->made[i]->edges;
        for (int32_t word = 0; word < batch->tile_words; word++) {
            for (uint32_t bits = answers[word].sees; bits != 0; bits &= bits - 1) {
                *tile++ = word * RCITY_TILE_BLOCK + __builtin_ctz(bits);
            }
        }
        for (int64_t word = 0; word < batch->edge_words; word++) {
            for (uint64_t bits = edges[word]; bits != 0; bits &= bits - 1) {
                *edge++ = (int32_t)(word * WORD_BITS) + __builtin_ctzll(bits);
            }
        }
    }
}

/* An rcity_parallel_function over the words of receivers of all transmitters: a byte for each receiver. */
static void spread_receivers(void *user, int64_t begin, int64_t end, int thread_index)
{
    const first_batch *batch = user;
    int64_t receiver_count = batch->prepared->receivers.open_count;
    int64_t words = batch->words - batch->tile_words;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = i % words * RCITY_TILE_BLOCK;
        int64_t rest = receiver_count - first;
        uint32_t bits = batch->answers[i / words * batch->words + batch->tile_words + i % words].sees;
        uint8_t *sees = batch->made[i / words]->sees_receiver + first;
        for (int k = 0; k < (rest < RCITY_TILE_BLOCK ? (int)rest : RCITY_TILE_BLOCK); k++) {
            sees[k] = bits >> k & 1;
        }
    }
}

/* How many transmitters go together: as many as have room for what they see. */
static int32_t batch_size(const rcity_tiles_prepared *prepared, int count, int64_t edge_words)
{
    int64_t most = rcity_tile_first_most(prepared->first);
    int64_t fitting = (int64_t)(BATCH_BYTES / sizeof(uint64_t)) / (edge_words + 1);
    most = most < fitting ? most : fitting;
    most = most < count ? most : count;
    return most > 0 ? (int32_t)most : 1;
}

static rcity_status open_batch(rcity_context *context, const rcity_tiles_prepared *prepared,
                               rcity_tile_first_buffers *buffers, int count, first_batch *batch)
{
    memset(batch, 0, sizeof *batch);
    batch->context = context;
    batch->prepared = prepared;
    batch->buffers = buffers;
    batch->tile_words = rcity_tile_first_tile_words(prepared->first);
    batch->words = rcity_tile_first_words(prepared->first);
    batch->edge_words = (prepared->tiling.edge_count + WORD_BITS - 1) / WORD_BITS;
    batch->most = batch_size(prepared, count, batch->edge_words);
    size_t most = (size_t)batch->most;
    RCITY_TRY(rcity_alloc(context, most, sizeof *batch->from, "what transmitters see", &batch->from));
    RCITY_TRY(rcity_alloc(context, most * (size_t)batch->words, sizeof *batch->answers, "what transmitters see",
                          &batch->answers));
    return rcity_alloc(context, most * (size_t)batch->edge_words, sizeof *batch->edge_bits, "edges in sight",
                       &batch->edge_bits);
}

static void close_batch(first_batch *batch)
{
    rcity_release(batch->context, batch->edge_bits);
    rcity_release(batch->context, batch->answers);
    rcity_release(batch->context, batch->from);
}

static rcity_status run_batch(first_batch *batch)
{
    rcity_context *context = batch->context;
    for (int32_t i = 0; i < batch->count; i++) {
        batch->from[i] = batch->made[i]->place;
    }
    memset(batch->edge_bits, 0, (size_t)batch->count * (size_t)batch->edge_words * sizeof *batch->edge_bits);
    RCITY_TRY(rcity_tile_first_run(context, batch->prepared->first, batch->buffers, batch->count, batch->from,
                                   batch->answers));
    rcity_parallel(context, batch->count, 1, count_seen, batch);
    for (int32_t i = 0; i < batch->count; i++) {
        rcity_tiles_traced *made = batch->made[i];
        RCITY_TRY(
            rcity_alloc(context, (size_t)made->tile_count + 1, sizeof *made->tiles, "tiles in sight", &made->tiles));
        RCITY_TRY(
            rcity_alloc(context, (size_t)made->edge_count + 1, sizeof *made->edges, "edges in sight", &made->edges));
    }
    rcity_parallel(context, batch->count, 1, list_seen, batch);
    rcity_parallel(context, (int64_t)batch->count * (batch->words - batch->tile_words), SPREAD_WORDS, spread_receivers,
                   batch);
    return RCITY_OK;
}

/* What all transmitters see; `made` has them with their places. */
static rcity_status look_around(const rcity_job *job, const rcity_tiles_prepared *prepared,
                                rcity_tile_first_buffers *buffers, int count, rcity_tiles_traced **made)
{
    first_batch batch;
    rcity_status status;
    RCITY_TRY_DONE(open_batch(job->context, prepared, buffers, count, &batch));
    for (int done = 0; done < count; done += batch.count) {
        double start_s = rcity_clock_s();
        batch.made = made + done;
        batch.count = count - done < batch.most ? count - done : batch.most;
        RCITY_TRY_DONE(run_batch(&batch));
        for (int32_t i = 0; i < batch.count; i++) {
            batch.made[i]->seconds = (rcity_clock_s() - start_s) / batch.count;
        }
    }
done:
    close_batch(&batch);
    return status;
}

rcity_status rcity_tiles_open_workspace(const rcity_job *job, const void *prepared, void **workspace)
{
    rcity_tile_first_buffers *made = NULL;
    (void)prepared;
    RCITY_TRY(rcity_alloc(job->context, 1, sizeof *made, "what transmitters see", &made));
    *workspace = made;
    return RCITY_OK;
}

void rcity_tiles_close_workspace(rcity_context *context, void *workspace)
{
    rcity_tile_first_buffers *made = workspace;
    if (made != NULL) {
        rcity_tile_first_buffers_deinit(made);
        rcity_release(context, made);
    }
}

rcity_status rcity_tiles_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces)
{
    rcity_tiles_traced **made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(job->context, (size_t)count, sizeof(rcity_tiles_traced *), "what transmitters see", &made));
    for (int i = 0; i < count; i++) {
        RCITY_TRY_DONE(make_traced(job, prepared, &transmitters[i], &made[i]));
    }
    RCITY_TRY_DONE(look_around(job, prepared, workspace, count, made));
    for (int i = 0; i < count; i++) {
        traces[i] = made[i];
        made[i] = NULL;
    }
done:
    for (int i = 0; i < count; i++) {
        rcity_tiles_release_trace(job->context, made[i]);
    }
    rcity_release(job->context, made);
    return status;
}

void rcity_tiles_release_trace(rcity_context *context, void *trace)
{
    rcity_tiles_traced *made = trace;
    if (made != NULL) {
        rcity_release(context, made->sees_receiver);
        rcity_release(context, made->edges);
        rcity_release(context, made->tiles);
        rcity_release(context, made);
    }
}
