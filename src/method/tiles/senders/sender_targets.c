/* All other targets: each takes the senders that bring most to the probes around it, and what they leave out there. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "method/tiles/senders/sender_work.h"

#define PIECE       256   /* targets of one thread at a time */
#define SENDERS     8     /* and senders */
#define NEAR_M      10.0f /* added to the distance of a probe: the nearest one does not count alone */
#define WORTH_LEAST 0.01f /* of what a target has got otherwise; less is left out */

/* Which senders a target takes. */
typedef struct sender_choice {
    int32_t count;
    int32_t *sender; /* has room for those of all probes around it */
    float factor;    /* of their power */
} sender_choice;

typedef struct target_work {
    rcity_sender_work *work;
    int64_t begin; /* of the block */
    sender_choice *choice;
    int32_t *chosen;             /* of all targets */
    int64_t *first;              /* of each sender its place in the lists; one more at the end */
    rcity_tile_roof_pair *pairs; /* the tile of a sender and a target, those of a sender after each other */
    int32_t *list;               /* of each pair its target, from the begin of the block */
} target_work;

/* The nearest probes, and their weights, which sum up to 1. */
typedef struct probes_around {
    int32_t count, probe[RCITY_SENDER_AROUND];
    float weight[RCITY_SENDER_AROUND];
} probes_around;

static probes_around find_probes(const rcity_sender_work *work, int32_t target)
{
    probes_around around = {.count = 0};
    float square[RCITY_SENDER_AROUND];
    rcity_real3 at_m = rcity_sender_target_m(work->run, target);
    for (int32_t k = 0; k < work->probe_count; k++) {
        float x = work->probe[k].x - (float)at_m.x;
        float y = work->probe[k].y - (float)at_m.y;
        float z = work->probe[k].z - RCITY_SENDER_STRETCH * (float)at_m.z;
        float distance = x * x + y * y + z * z;
        int32_t at = around.count < RCITY_SENDER_AROUND ? around.count++ : RCITY_SENDER_AROUND;
        for (; at > 0 && distance < square[at - 1]; at--) {
            if (at < RCITY_SENDER_AROUND) {
                square[at] = square[at - 1];
                around.probe[at] = around.probe[at - 1];
            }
        }
        if (at < RCITY_SENDER_AROUND) {
            square[at] = distance;
            around.probe[at] = k;
        }
    }
    float sum = 0.0f;
    for (int32_t i = 0; i < around.count; i++) {
        around.weight[i] = 1.0f / (sqrtf(square[i]) + NEAR_M);
        sum += around.weight[i];
    }
    for (int32_t i = 0; i < around.count; i++) {
        around.weight[i] /= sum;
    }
    return around;
}

/* What a sender brings to a probe; 0 where it was not tried. */
static float power_at(const rcity_sender_probe *probe, int32_t sender)
{
    int32_t low = 0;
    int32_t high = probe->count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (probe->tried[middle] < sender) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < probe->count && probe->tried[low] == sender ? probe->power[low] : 0.0f;
}

static void add_sender(sender_choice *choice, int32_t sender)
{
    for (int32_t i = 0; i < choice->count; i++) {
        if (choice->sender[i] == sender) {
            return;
        }
    }
    choice->sender[choice->count++] = sender;
}

/* The senders, and the mean over the probes of what all senders bring there over what these bring. */
static void choose(const rcity_sender_work *work, const probes_around *around, sender_choice *choice)
{
    float weight = 0.0f;
    for (int32_t i = 0; i < around->count; i++) {
        const rcity_sender_probe *probe = &work->probe[around->probe[i]];
        for (int32_t k = 0; k < probe->best_count; k++) {
            add_sender(choice, probe->tried[probe->best[k]]);
        }
    }
    for (int32_t i = 0; i < around->count; i++) {
        const rcity_sender_probe *probe = &work->probe[around->probe[i]];
        float part = 0.0f;
        for (int32_t k = 0; k < choice->count; k++) {
            part += power_at(probe, choice->sender[k]);
        }
        if (part > 0.0f) {
            choice->factor += around->weight[i] * probe->sum / part;
            weight += around->weight[i];
        }
    }
    choice->factor = weight > 0.0f ? choice->factor / weight : 0.0f;
}

/* Would a target notice it? */
static bool is_worth_it(const rcity_sender_work *work, const probes_around *around, int32_t target)
{
    const rcity_tile_sums *sums = rcity_sender_target_sums(work->run, target);
    float expected = 0.0f;
    float present = 0.0f;
    for (int32_t i = 0; i < around->count; i++) {
        expected += around->weight[i] * work->probe[around->probe[i]].sum;
    }
    for (int32_t i = 0; i < RCITY_TILE_CLASS_COUNT; i++) {
        present += (float)sums->power[i];
    }
    return expected > WORTH_LEAST * present / rcity_sender_target_scale(work->run, target).power;
}

/* Without those that see the target or look away from it. */
static void drop_idle(const rcity_sender_work *work, int32_t target, sender_choice *choice)
{
    int32_t kept = 0;
    for (int32_t k = 0; k < choice->count; k++) {
        if (rcity_sender_guess(work, choice->sender[k], target) > 0.0f) {
            choice->sender[kept++] = choice->sender[k];
        }
    }
    choice->count = kept;
}

/* An rcity_parallel_function over a block of targets. */
static void choose_senders(void *user, int64_t begin, int64_t end, int thread_index)
{
    const target_work *block = user;
    const rcity_sender_work *work = block->work;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int32_t target = work->target[block->begin + i];
        sender_choice *choice = &block->choice[i];
        *choice = (sender_choice){0, block->chosen + i * RCITY_SENDER_AROUND * work->best_max, 0.0f};
        if (rcity_sender_probe_of(work, block->begin + i) >= 0) {
            continue;
        }
        probes_around around = find_probes(work, target);
        if (is_worth_it(work, &around, target)) {
            choose(work, &around, choice);
            drop_idle(work, target, choice);
        }
    }
}

/* An rcity_parallel_function over senders: what their paths bring. */
static void add_paths(void *user, int64_t begin, int64_t end, int thread_index)
{
    const target_work *block = user;
    const rcity_sender_work *work = block->work;
    (void)thread_index;
    for (int64_t s = begin; s < end; s++) {
        for (int64_t i = block->first[s]; i < block->first[s + 1]; i++) {
            rcity_sender_add(work, s, work->paths[i], block->choice[block->list[i]].factor, block->pairs[i].target);
        }
    }
}

/* The pairs of a block, by their senders. @return how many. */
static int64_t list_by_sender(const target_work *block, int64_t count)
{
    const rcity_sender_work *work = block->work;
    int64_t senders = work->senders->count;
    int64_t *first = block->first;
    memset(first, 0, ((size_t)senders + 2) * sizeof *first);
    for (int64_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < block->choice[i].count; k++) {
            first[block->choice[i].sender[k] + 2]++;
        }
    }
    for (int64_t s = 2; s < senders + 2; s++) {
        first[s] += first[s - 1];
    }
    for (int64_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < block->choice[i].count; k++) {
            int32_t sender = block->choice[i].sender[k];
            int64_t at = first[sender + 1]++;
            block->list[at] = (int32_t)i;
            block->pairs[at] = (rcity_tile_roof_pair){work->senders->tile[sender], work->target[block->begin + i]};
        }
    }
    return first[senders];
}

/* The targets of a block. */
static rcity_status fill_block(target_work *block, int64_t count)
{
    rcity_sender_work *work = block->work;
    rcity_tiles_run *run = work->run;
    RCITY_TRY(rcity_progress(run->context, "scattering over roofs", (double)block->begin, (double)work->target_count));
    rcity_parallel(run->context, count, PIECE, choose_senders, block);
    int64_t pair_count = list_by_sender(block, count);
    RCITY_TRY(rcity_tile_roofs_find_pairs(run->context, run->prepared->roofs, run->world.wavelength_m, run->range_m,
                                          pair_count, block->pairs, work->paths));
    work->path_count += pair_count;
    rcity_parallel(run->context, work->senders->count, SENDERS, add_paths, block);
    return RCITY_OK;
}

rcity_status rcity_sender_targets_fill(rcity_sender_work *work)
{
    rcity_context *context = work->run->context;
    target_work block = {.work = work};
    int64_t room = work->target_count < RCITY_SENDER_BLOCK ? work->target_count : RCITY_SENDER_BLOCK;
    size_t list_room = (size_t)(RCITY_SENDER_AROUND * work->best_max) * (size_t)room;
    const char *what = "scattering over roofs";
    rcity_status status = RCITY_OK;
    if (work->target_count <= work->probe_count || work->try_max == 0) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)room, sizeof *block.choice, what, &block.choice));
    RCITY_TRY_DONE(rcity_alloc(context, list_room, sizeof *block.chosen, what, &block.chosen));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)work->senders->count + 2, sizeof *block.first, what, &block.first));
    RCITY_TRY_DONE(rcity_alloc(context, list_room, sizeof *block.list, what, &block.list));
    RCITY_TRY_DONE(rcity_alloc(context, list_room, sizeof *block.pairs, what, &block.pairs));
    for (; block.begin < work->target_count && status == RCITY_OK; block.begin += room) {
        int64_t rest = work->target_count - block.begin;
        status = fill_block(&block, rest < room ? rest : room);
    }
done:
    rcity_release(context, block.pairs);
    rcity_release(context, block.list);
    rcity_release(context, block.first);
    rcity_release(context, block.chosen);
    rcity_release(context, block.choice);
    return status;
}

rcity_status rcity_tile_senders_send(rcity_tiles_run *run, const rcity_tile_senders *senders)
{
    rcity_sender_work *work = NULL;
    double start_s = rcity_clock_s();
    rcity_status status;
    if (senders->count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(run->context, 1, sizeof *work, "scattering over roofs", &work));
    work->run = run;
    work->senders = senders;
    work->job = rcity_tiles_run_glow_job(run);
    RCITY_TRY_DONE(rcity_sender_probes_make(work));
    RCITY_TRY_DONE(rcity_sender_targets_fill(work));
    run->effort.sent_count += work->path_count;
    run->effort.sent_s += rcity_clock_s() - start_s;
done:
    rcity_sender_probes_deinit(work);
    rcity_release(run->context, work);
    return status;
}
