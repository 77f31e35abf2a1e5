/* On the host's threads each block of tiles is first asked whether it faces the transmitter at all. Then the occluders
   that were found last are held against all lines to the block; those that are left are walked, and each occluder found
   there is held against the rest. */
#include "visibility/tiles/tile_first_host.h"

#include <string.h>

#include "base/parallel.h"
#include "visibility/tiles/tile_lanes.h"

#define OCCLUDERS_HELD 8  /* of those that were found last */
#define WORDS_AT_ONCE  64 /* of a thread */

/* A thread's run over words. */
typedef struct host_run {
    const rcity_tile_first_host *host;
    rcity_tile_place from;        /* the transmitter */
    rcity_tile_lanes point;       /* the same */
    int32_t held[OCCLUDERS_HELD]; /* the newest first */
    int held_count;
} host_run;

static void hold_occluder(host_run *run, int32_t occluder)
{
    int count = run->held_count < OCCLUDERS_HELD ? run->held_count : OCCLUDERS_HELD - 1;
    memmove(run->held + 1, run->held, (size_t)count * sizeof *run->held);
    run->held[0] = occluder;
    run->held_count = count + 1;
}

/* Does a block of tiles face a place? */
static bool block_faces(const rcity_tile_block *block, rcity_tile_place from)
{
    rcity_tile_block point = {from, from, rcity_tile_front_all(), rcity_tile_front_all()};
    return rcity_tile_block_may_face(block, &point);
}

/* Gather the tiles or receivers of a word. @return the bits of those that face the transmitter. */
static uint32_t gather_word(const host_run *run, int32_t word, rcity_tile_lanes *lanes)
{
    const rcity_tile_first_host *host = run->host;
    const rcity_tile_first_job *job = &host->job;
    uint32_t bits = UINT32_MAX >> (RCITY_TILE_BLOCK - rcity_tile_first_count(job, word));
    if (word >= job->tile_word_count) {
        int64_t first = (int64_t)(word - job->tile_word_count) * RCITY_TILE_BLOCK;
        rcity_tile_lanes_gather(host->view.receivers + first, NULL, bits, lanes);
        return bits;
    }
    if (!block_faces(&host->blocks[word], run->from)) {
        return 0;
    }
    int64_t first = (int64_t)word * RCITY_TILE_BLOCK;
    rcity_tile_lanes_gather(host->view.places + first, host->view.fronts + first, bits, lanes);
    return rcity_tile_lanes_facing(&run->point, 0, lanes) & bits;
}

static rcity_tile_first_answer look_at_word(host_run *run, int32_t word)
{
    const rcity_tile_first_host *host = run->host;
    const rcity_tile_place from = run->from;
    rcity_tile_first_answer answer = {0, 0};
    rcity_tile_lanes lanes;
    uint32_t left = gather_word(run, word, &lanes);
    for (int i = 0; i < run->held_count && left != 0; i++) {
        left &= ~rcity_tile_lanes_hidden(&host->occluders.items[run->held[i]], from, &lanes);
    }
    while (left != 0) {
        int j = __builtin_ctz(left);
        int32_t occluder = -1;
        rcity_sight_answer sight =
            rcity_sight_find_occluder(&host->view.sight, host->occluders.items, host->occluders.wall_first,
                                      rcity_tile_segment(from, rcity_tile_lanes_place(&lanes, j)), &occluder);
        left &= ~(1u << j);
        answer.sees |= (uint32_t)(sight == RCITY_SIGHT_FREE) << j;
        answer.deferred |= (uint32_t)(sight == RCITY_SIGHT_LOOK_CLOSELY) << j;
        if (occluder >= 0) {
            left &= ~rcity_tile_lanes_hidden(&host->occluders.items[occluder], from, &lanes);
            hold_occluder(run, occluder);
        }
    }
    return answer;
}

/* An rcity_parallel_function over the words of all transmitters. */
static void look_at_words(void *user, int64_t begin, int64_t end, int thread_index)
{
    const rcity_tile_first_host *host = user;
    host_run run;
    int32_t word_count = host->job.word_count;
    (void)thread_index;
    run.host = host;
    for (int64_t i = begin; i < end; i++) {
        if (i == begin || i % word_count == 0) {
            run.from = host->from[i / word_count];
            run.held_count = 0;
            rcity_tile_lanes_gather(&run.from, NULL, 1, &run.point);
        }
        host->answers[i] = look_at_word(&run, (int32_t)(i % word_count));
    }
}

void rcity_tile_first_run_host(rcity_context *context, const rcity_tile_first_host *host, int32_t count)
{
    rcity_tile_first_host work = *host;
    rcity_parallel(context, (int64_t)count * host->job.word_count, WORDS_AT_ONCE, look_at_words, &work);
}
