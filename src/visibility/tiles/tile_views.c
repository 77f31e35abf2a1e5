/* Receivers are sorted by place, so that blocks of them are compact; blocks of tiles are tested against all of theirs,
   then their rows are written in the caller's numbers. */
#include "visibility/tiles/tile_views.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "visibility/tiles/tile_list.h"

#define WORD_BITS     64
#define TESTS_AT_ONCE 4096

static const char task[] = "receivers that tiles see";

/* A receiver before it is sorted. */
typedef struct sorted_receiver {
    uint64_t key; /* by its place in plan */
    int32_t z, number;
} sorted_receiver;

/* Pairs of blocks in which a receiver is seen. */
typedef struct view_record {
    int32_t a, b;
    uint32_t sees[RCITY_TILE_BLOCK];
} view_record;

typedef struct builder {
    rcity_context *context;
    const rcity_sight *sight;
    const rcity_tile_place *receivers;
    rcity_tile_place *places; /* sorted, without those that are covered */
    int32_t *number;          /* of these: the caller's */
    int64_t place_count;
    uint8_t *is_open; /* by the caller's number */
    rcity_tile_blocks blocks;
    rcity_tile_list list;
    view_record *records; /* of the block rows of the list */
    size_t record_count, record_capacity;
    size_t *record_first; /* by block row of the list, one more at the end */
    uint64_t *words;      /* for each thread: bits of receivers, then bits of words that have any */
    size_t words_a_thread;
    rcity_tile_views *views;
    size_t receiver_capacity;
} builder;

/* An rcity_parallel_function: a receiver that is covered is not joined even to itself. */
static void find_open(void *user, int64_t begin, int64_t end, int thread_index)
{
    builder *build = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_tile_place place = build->receivers[i];
        rcity_grid_point3 at = {place.x, place.y, place.z};
        build->is_open[i] = rcity_sight_is_free(build->sight, at, at);
    }
}

/* The bits of a number, with one place between each. */
static uint64_t spread_bits(uint32_t value)
{
    uint64_t bits = value;
    bits = (bits | bits << 16) & 0x0000ffff0000ffffu;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0fu;
    bits = (bits | bits << 2) & 0x3333333333333333u;
    return (bits | bits << 1) & 0x5555555555555555u;
}

static int compare_receivers(const void *left, const void *right)
{
    const sorted_receiver *a = left;
    const sorted_receiver *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Sort the receivers that are not covered along a Z-order curve. */
static rcity_status sort_receivers(builder *build, int64_t count)
{
    sorted_receiver *sorted = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(build->context, (size_t)count, 1, "receivers", &build->is_open));
    RCITY_TRY_DONE(rcity_alloc(build->context, (size_t)count, sizeof *sorted, "receivers", &sorted));
    RCITY_TRY_DONE(rcity_alloc(build->context, (size_t)count, sizeof *build->places, "receivers", &build->places));
    RCITY_TRY_DONE(rcity_alloc(build->context, (size_t)count, sizeof *build->number, "receivers", &build->number));
    rcity_parallel(build->context, count, TESTS_AT_ONCE, find_open, build);
    int64_t open = 0;
    for (int64_t i = 0; i < count; i++) {
        rcity_tile_place place = build->receivers[i];
        /* INT32_MIN becomes 0 */
        uint32_t x = (uint32_t)place.x ^ 0x80000000u;
        uint32_t y = (uint32_t)place.y ^ 0x80000000u;
        if (build->is_open[i]) {
            sorted[open++] = (sorted_receiver){spread_bits(x) | spread_bits(y) << 1, place.z, (int32_t)i};
        }
    }
    qsort(sorted, (size_t)open, sizeof *sorted, compare_receivers);
    for (int64_t i = 0; i < open; i++) {
        build->number[i] = sorted[i].number;
        build->places[i] = build->receivers[sorted[i].number];
    }
    build->place_count = open;
    build->views->effort.covered_count = count - open;
done:
    rcity_release(build->context, sorted);
    return status;
}

static rcity_status add_record(builder *build, const rcity_tile_pair *pair, const rcity_tile_pair_answer *answer)
{
    uint32_t any = 0;
    for (int i = 0; i < RCITY_TILE_BLOCK; i++) {
        any |= answer->sees[i];
    }
    if (any == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_reserve(build->context, build->record_count + 1, sizeof *build->records, &build->record_capacity,
                            "pairs of tiles", &build->records));
    view_record *record = &build->records[build->record_count++];
    record->a = pair->a;
    record->b = pair->b;
    memcpy(record->sees, answer->sees, sizeof record->sees);
    return RCITY_OK;
}

/* Set the bits of the receivers that tile i of a block sees. */
static void set_bits(const builder *build, size_t begin, size_t end, int i, uint64_t *words, uint64_t *any)
{
    for (size_t k = begin; k < end; k++) {
        const view_record *record = &build->records[k];
        int64_t first = ((int64_t)record->b - build->blocks.tile_block_count) * RCITY_TILE_BLOCK;
        for (uint64_t bits = record->sees[i]; bits != 0; bits &= bits - 1) {
            uint32_t number = (uint32_t)build->number[first + __builtin_ctzll(bits)];
            words[number / WORD_BITS] |= (uint64_t)1 << number % WORD_BITS;
            any[number / WORD_BITS / WORD_BITS] |= (uint64_t)1 << number / WORD_BITS % WORD_BITS;
        }
    }
}

/* Write the numbers of the bits in their order, and clear them. */
static void take_bits(uint64_t *words, uint64_t *any, size_t any_count, int32_t *receiver)
{
    for (size_t k = 0; k < any_count; k++) {
        for (; any[k] != 0; any[k] &= any[k] - 1) {
            size_t place = k * WORD_BITS + (size_t)__builtin_ctzll(any[k]);
            for (; words[place] != 0; words[place] &= words[place] - 1) {
                *receiver++ = (int32_t)(place * WORD_BITS) + __builtin_ctzll(words[place]);
            }
        }
    }
}

/* An rcity_parallel_function over the block rows of the list. */
static void write_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    builder *build = user;
    rcity_tile_views *views = build->views;
    size_t word_count = ((size_t)views->receiver_count + WORD_BITS - 1) / WORD_BITS;
    uint64_t *words = build->words + (size_t)thread_index * build->words_a_thread;
    for (int64_t row = begin; row < end; row++) {
        int32_t first = (build->list.first + (int32_t)row) * RCITY_TILE_BLOCK;
        for (int i = 0; i < RCITY_TILE_BLOCK && first + i < views->tile_count; i++) {
            set_bits(build, build->record_first[row], build->record_first[row + 1], i, words, words + word_count);
            take_bits(words, words + word_count, build->words_a_thread - word_count,
                      views->receiver + views->row_first[first + i]);
        }
    }
}

/* Turn the records of the list into rows. */
static rcity_status finish_list(builder *build)
{
    rcity_tile_views *views = build->views;
    const rcity_tile_list *list = &build->list;
    double start_s = rcity_clock_s();
    size_t k = 0;
    for (int32_t a = list->first; a < list->end; a++) {
        uint64_t *next = &views->row_first[(size_t)a * RCITY_TILE_BLOCK + 1];
        int32_t count = views->tile_count - a * RCITY_TILE_BLOCK;
        count = count < RCITY_TILE_BLOCK ? count : RCITY_TILE_BLOCK;
        build->record_first[a - list->first] = k;
        for (; k < build->record_count && build->records[k].a == a; k++) {
            for (int32_t i = 0; i < count; i++) {
                next[i] += (uint64_t)__builtin_popcount(build->records[k].sees[i]);
            }
        }
        for (int32_t i = 0; i < count; i++) {
            next[i] += next[i - 1];
        }
    }
    build->record_first[list->end - list->first] = k;
    int64_t end = (int64_t)list->end * RCITY_TILE_BLOCK;
    uint64_t entries = views->row_first[end < views->tile_count ? end : views->tile_count];
    RCITY_TRY(rcity_reserve(build->context, (size_t)entries, sizeof *views->receiver, &build->receiver_capacity,
                            "receivers that tiles see", &views->receiver));
    rcity_parallel(build->context, list->end - list->first, 1, write_rows, build);
    build->record_count = 0;
    views->effort.row_s += rcity_clock_s() - start_s;
    return RCITY_OK;
}

static rcity_status run(builder *build)
{
    rcity_tile_list *list = &build->list;
    rcity_tile_views_effort *effort = &build->views->effort;
    while (list->end < build->blocks.tile_block_count) {
        effort->block_pair_count += rcity_tile_list_next(list, &effort->cull);
        effort->tested_block_pair_count += list->count;
        RCITY_TRY(rcity_tile_list_progress(list, task, 0));
        int64_t tested = 0;
        for (int64_t done = 0; done < list->count; done += tested) {
            RCITY_TRY(rcity_tile_list_test(list, done, &tested));
            for (int64_t i = 0; i < tested; i++) {
                RCITY_TRY(add_record(build, &list->pairs[done + i], &list->answers[i]));
                effort->ray_count += list->answers[i].ray_count;
            }
            RCITY_TRY(rcity_tile_list_progress(list, task, done + tested));
        }
        RCITY_TRY(finish_list(build));
    }
    effort->cull_s = list->cull_s;
    effort->test_s = list->test_s;
    /* give back what was reserved */
    return rcity_resize(build->context, (size_t)build->views->row_first[build->views->tile_count],
                        sizeof *build->views->receiver, "receivers that tiles see", &build->views->receiver);
}

/* The arrays that rows are written with. */
static rcity_status make_room(builder *build)
{
    rcity_tile_views *views = build->views;
    rcity_context *context = build->context;
    size_t word_count = ((size_t)views->receiver_count + WORD_BITS - 1) / WORD_BITS;
    build->words_a_thread = word_count + (word_count + WORD_BITS - 1) / WORD_BITS;
    RCITY_TRY(rcity_alloc(context, (size_t)rcity_context_thread_count(context) * build->words_a_thread,
                          sizeof *build->words, "receivers", &build->words));
    RCITY_TRY(rcity_alloc(context, (size_t)build->blocks.tile_block_count + 1, sizeof *build->record_first,
                          "pairs of tiles", &build->record_first));
    return rcity_alloc(context, (size_t)views->tile_count + 1, sizeof *views->row_first, "receivers that tiles see",
                       &views->row_first);
}

static void end_build(builder *build)
{
    rcity_release(build->context, build->words);
    rcity_release(build->context, build->record_first);
    rcity_release(build->context, build->records);
    rcity_tile_list_deinit(&build->list);
    rcity_tile_blocks_deinit(build->context, &build->blocks);
    rcity_release(build->context, build->is_open);
    rcity_release(build->context, build->number);
    rcity_release(build->context, build->places);
}

rcity_status rcity_tile_views_build(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                    const rcity_tiling *tiling, double range_m, int64_t count,
                                    const rcity_tile_place *receivers, rcity_tile_views *views)
{
    double start_s = rcity_clock_s();
    builder build;
    rcity_status status;
    memset(views, 0, sizeof *views);
    memset(&build, 0, sizeof build);
    RCITY_CHECK(context, count <= RCITY_TILE_VIEW_RECEIVERS_MAX, RCITY_ERR_ARGUMENT,
                "%lld receivers are more than %d; use a larger `cell` or fewer points", (long long)count,
                RCITY_TILE_VIEW_RECEIVERS_MAX);
    build.context = context;
    build.list.context = context;
    build.sight = sight;
    build.receivers = receivers;
    build.views = views;
    RCITY_TRY_DONE(rcity_tile_blocks_check(context, tiling, range_m, count));
    views->tile_count = (int32_t)tiling->tile_count;
    views->receiver_count = count;
    RCITY_TRY_DONE(sort_receivers(&build, count));
    RCITY_TRY_DONE(rcity_tile_blocks_init(context, tiling, range_m, build.place_count, build.places, &build.blocks));
    RCITY_TRY_DONE(make_room(&build));
    if (build.place_count > 0) {
        RCITY_TRY_DONE(rcity_tile_list_init(context, device, sight, &build.blocks, true, &build.list));
        RCITY_TRY_DONE(run(&build));
    }
    views->effort.seconds = rcity_clock_s() - start_s;
done:
    end_build(&build);
    if (status != RCITY_OK) {
        rcity_tile_views_deinit(context, views);
    }
    return status;
}

void rcity_tile_views_deinit(rcity_context *context, rcity_tile_views *views)
{
    rcity_release(context, views->receiver);
    rcity_release(context, views->row_first);
    memset(views, 0, sizeof *views);
}
