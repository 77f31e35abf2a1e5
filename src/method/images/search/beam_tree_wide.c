/* A tree of beams on all threads, depth by depth: the beams of one depth are divided into pieces, and what the pieces
   find is joined in their order, so that the tree is that of one thread. */
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/images/search/beam_tree.h"

#define PIECE_BEAMS 8 /* a beam takes some 50 microseconds in a city */

/* What a piece finds; numbers of beams are those of the whole tree. */
typedef struct tree_piece {
    rcity_beam *beams;
    size_t beam_count;
    rcity_meeting *meetings;
    size_t meeting_count;
} tree_piece;

typedef struct wide_run {
    rcity_context *context;
    const rcity_reach_world *reach_world;
    double z;
    int depth;
    bool meets_edges;
    rcity_reach *reach;   /* the whole tree */
    rcity_reach *scratch; /* one for each thread */
    size_t first, end;    /* the beams of this depth */
    size_t piece_count;
    tree_piece *pieces;
    atomic_int status; /* the first failure of any thread */
} wide_run;

/* Copy what a scratch tree has beyond the piece's own beams. */
static rcity_status keep_piece(const wide_run *run, const rcity_reach *scratch, size_t own_count, size_t begin,
                               tree_piece *piece)
{
    size_t count = scratch->beam_count - own_count;
    RCITY_TRY(rcity_alloc(run->context, count + 1, sizeof *piece->beams, "the tree of beams", &piece->beams));
    RCITY_TRY(rcity_alloc(run->context, scratch->meeting_count + 1, sizeof *piece->meetings,
                          "the edges that beams meet", &piece->meetings));
    for (size_t i = 0; i < count; i++) {
        piece->beams[i] = scratch->beams[own_count + i];
        piece->beams[i].parent += (int32_t)begin;
    }
    for (size_t i = 0; i < scratch->meeting_count; i++) {
        piece->meetings[i] = scratch->meetings[i];
        piece->meetings[i].beam += (int32_t)begin;
    }
    piece->beam_count = count;
    piece->meeting_count = scratch->meeting_count;
    return RCITY_OK;
}

static rcity_status grow_piece(const wide_run *run, size_t index, rcity_reach *scratch)
{
    size_t begin = run->first + index * PIECE_BEAMS;
    size_t count = run->end - begin < PIECE_BEAMS ? run->end - begin : PIECE_BEAMS;
    RCITY_TRY(rcity_reserve(run->context, count, sizeof *scratch->beams, &scratch->beam_capacity, "the tree of beams",
                            &scratch->beams));
    memcpy(scratch->beams, run->reach->beams + begin, count * sizeof *scratch->beams);
    scratch->beam_count = count;
    scratch->meeting_count = 0;
    for (size_t i = 0; i < count; i++) {
        RCITY_TRY(
            rcity_reach_expand(run->context, run->reach_world, i, run->z, run->depth, run->meets_edges, NULL, scratch));
    }
    return keep_piece(run, scratch, count, begin, &run->pieces[index]);
}

static void grow_pieces(void *user, int64_t begin, int64_t end, int thread_index)
{
    wide_run *run = user;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_status status = grow_piece(run, (size_t)i, &run->scratch[thread_index]);
        if (status == RCITY_OK && thread_index == 0 && run->reach->pause != NULL) { /* the caller's thread */
            status = run->reach->pause(run->reach->pause_user, (double)(run->first + (size_t)i * PIECE_BEAMS),
                                       (double)run->end);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

/* Append what all pieces of a depth have found. */
static rcity_status join_pieces(const wide_run *run)
{
    rcity_reach *reach = run->reach;
    for (size_t i = 0; i < run->piece_count; i++) {
        const tree_piece *piece = &run->pieces[i];
        RCITY_TRY(rcity_reserve(run->context, reach->beam_count + piece->beam_count, sizeof *reach->beams,
                                &reach->beam_capacity, "the tree of beams", &reach->beams));
        RCITY_TRY(rcity_reserve(run->context, reach->meeting_count + piece->meeting_count, sizeof *reach->meetings,
                                &reach->meeting_capacity, "the edges that beams meet", &reach->meetings));
        if (piece->beam_count > 0) {
            memcpy(reach->beams + reach->beam_count, piece->beams, piece->beam_count * sizeof *piece->beams);
        }
        if (piece->meeting_count > 0) {
            memcpy(reach->meetings + reach->meeting_count, piece->meetings,
                   piece->meeting_count * sizeof *piece->meetings);
        }
        reach->beam_count += piece->beam_count;
        reach->meeting_count += piece->meeting_count;
    }
    return RCITY_OK;
}

static rcity_status grow_depth(wide_run *run)
{
    rcity_status status;
    run->piece_count = (run->end - run->first + PIECE_BEAMS - 1) / PIECE_BEAMS;
    RCITY_TRY(rcity_alloc(run->context, run->piece_count, sizeof *run->pieces, "the tree of beams", &run->pieces));
    rcity_parallel(run->context, (int64_t)run->piece_count, 1, grow_pieces, run);
    status = (rcity_status)atomic_load(&run->status);
    if (status == RCITY_OK) {
        status = join_pieces(run);
    }
    for (size_t i = 0; i < run->piece_count; i++) {
        rcity_release(run->context, run->pieces[i].meetings);
        rcity_release(run->context, run->pieces[i].beams);
    }
    rcity_release(run->context, run->pieces);
    run->pieces = NULL;
    return status;
}

rcity_status rcity_reach_build_wide(rcity_context *context, const rcity_reach_world *reach_world,
                                    rcity_plan_segment source, double z, int depth, bool meets_edges,
                                    rcity_reach *reach)
{
    int thread_count = rcity_context_thread_count(context);
    wide_run run = {context, reach_world, z, depth, meets_edges, reach, NULL, 0, 1, 0, NULL, RCITY_OK};
    rcity_beam root = {source, {0.0, 0.0, 0.0, 0.0}, -1, -1, 0};
    rcity_status status;
    reach->beam_count = 0;
    reach->meeting_count = 0;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *run.scratch, "beams", &run.scratch));
    for (int i = 0; i < thread_count; i++) {
        RCITY_TRY_DONE(rcity_reach_init(context, reach_world, &run.scratch[i]));
    }
    RCITY_TRY_DONE(
        rcity_reserve(context, 1, sizeof *reach->beams, &reach->beam_capacity, "the tree of beams", &reach->beams));
    reach->beams[reach->beam_count++] = root;
    for (int at = 0; at < depth + meets_edges && run.first < run.end; at++) { /* the last depth only meets edges */
        RCITY_TRY_DONE(grow_depth(&run));
        run.first = run.end;
        run.end = reach->beam_count;
    }
    rcity_reach_sort_meetings(reach);
done:
    for (int i = 0; run.scratch != NULL && i < thread_count; i++) {
        rcity_reach_deinit(context, &run.scratch[i]);
    }
    rcity_release(context, run.scratch);
    return status;
}
