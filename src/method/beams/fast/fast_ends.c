/* A leaf names its walls by their place among all walls, which is known when all pieces are made. */
#include "method/beams/fast/fast_ends.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"

#define PIECE_ENDS   4096 /* that a thread makes together; half a megabyte */
#define RECENT_COUNT 256  /* beams that are remembered: the device lists areas almost in order */
#define LEAF_WALLS   4    /* that a leaf often has: room is made for so many at once */

/* What was made of some ends. */
typedef struct rcity_fast_ends_piece {
    rcity_fast_leaves made;
    int64_t wall_first; /* among all walls */
} ends_piece;

/* The leaf of a beam that was made lately. */
typedef struct recent_leaf {
    int32_t tree, node;
    size_t leaf;
} recent_leaf;

typedef struct ends_run {
    const rcity_fast_plane *plane;
    const rcity_fast_areas *areas;
    const rcity_i32 *listed;
    int64_t listed_count;
    ends_piece *pieces;
    atomic_int status; /* the first failure of any thread */
} ends_run;

/* Add a leaf. Parts of one beam that pass over no walls have the same: walls are unfolded once, and not listed again. */
static rcity_status add_leaf(const ends_run *run, const rcity_beams_way_end *end, recent_leaf *recent,
                             rcity_fast_leaves *made)
{
    bool is_plain = run->plane->forest->trees[end->tree].parts[end->part].passed_count == 0;
    recent_leaf *own = &recent[(uint32_t)end->node % RECENT_COUNT];
    if (is_plain && own->tree == end->tree && own->node == end->node) {
        made->leaves[made->leaf_count++] = made->leaves[own->leaf];
        return RCITY_OK;
    }
    RCITY_TRY(rcity_fast_leaves_add(run->plane, end, made));
    if (is_plain) {
        *own = (recent_leaf){end->tree, end->node, made->leaf_count - 1};
    }
    return RCITY_OK;
}

static rcity_status make_piece(const ends_run *run, int64_t index)
{
    recent_leaf recent[RECENT_COUNT];
    rcity_context *context = run->plane->job->context;
    rcity_fast_leaves *made = &run->pieces[index].made;
    int64_t begin = index * PIECE_ENDS;
    int64_t end = run->listed_count - begin < PIECE_ENDS ? run->listed_count : begin + PIECE_ENDS;
    RCITY_TRY(rcity_reserve(context, (size_t)(end - begin) + 1, sizeof *made->leaves, &made->leaf_capacity,
                            "ends of beams", &made->leaves));
    RCITY_TRY(rcity_reserve(context, (size_t)(LEAF_WALLS * (end - begin)) + 1, sizeof *made->walls,
                            &made->wall_capacity, "walls of beams", &made->walls));
    made->leaf_count = made->wall_count = 0;
    for (int i = 0; i < RECENT_COUNT; i++) {
        recent[i] = (recent_leaf){-1, -1, 0};
    }
    for (int64_t k = begin; k < end; k++) {
        RCITY_TRY(add_leaf(run, &run->areas->ends[run->listed[k]], recent, made));
    }
    return RCITY_OK;
}

/* An rcity_parallel_function over pieces. */
static void make_pieces(void *user, int64_t begin, int64_t end, int thread_index)
{
    ends_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        int none = RCITY_OK;
        rcity_status status = make_piece(run, i);
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

/* An rcity_parallel_function over pieces. */
static void place_pieces(void *user, int64_t begin, int64_t end, int thread_index)
{
    ends_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_fast_leaves *made = &run->pieces[i].made;
        for (size_t k = 0; k < made->leaf_count; k++) {
            made->leaves[k].wall_first += (rcity_i32)run->pieces[i].wall_first;
        }
    }
}

/* Room for so many pieces; those that there were keep their memory. */
static rcity_status make_room(rcity_context *context, size_t piece_count, rcity_fast_ends_room *room)
{
    RCITY_TRY(rcity_reserve(context, piece_count + 1, sizeof *room->pieces, &room->piece_capacity, "ends of beams",
                            &room->pieces));
    if (piece_count > room->made_count) {
        memset(room->pieces + room->made_count, 0, (piece_count - room->made_count) * sizeof *room->pieces);
        room->made_count = piece_count;
    }
    room->piece_count = piece_count;
    return RCITY_OK;
}

static rcity_status send_pieces(rcity_fast_queue *queue, const rcity_fast_ends_room *room)
{
    for (size_t i = 0; i < room->piece_count; i++) {
        const rcity_fast_leaves *made = &room->pieces[i].made;
        RCITY_TRY(rcity_resident_write(queue->context, queue->resident[RCITY_FAST_LEAVES], (int64_t)i * PIECE_ENDS,
                                       (int64_t)made->leaf_count, made->leaves));
        if (made->wall_count > 0) {
            RCITY_TRY(rcity_resident_write(queue->context, queue->resident[RCITY_FAST_WALLS],
                                           room->pieces[i].wall_first, (int64_t)made->wall_count, made->walls));
        }
    }
    return RCITY_OK;
}

rcity_status rcity_fast_ends_send(const rcity_fast_plane *plane, rcity_fast_queue *queue, const rcity_fast_areas *areas,
                                  const rcity_i32 *listed, int64_t listed_count, rcity_fast_ends_room *room)
{
    rcity_context *context = queue->context;
    int64_t piece_count = (listed_count + PIECE_ENDS - 1) / PIECE_ENDS;
    int64_t wall_count = 0;
    RCITY_TRY(make_room(context, (size_t)piece_count, room));
    ends_run run = {plane, areas, listed, listed_count, room->pieces, RCITY_OK};
    rcity_parallel(context, piece_count, 1, make_pieces, &run);
    RCITY_TRY((rcity_status)atomic_load(&run.status));
    for (int64_t i = 0; i < piece_count; i++) {
        room->pieces[i].wall_first = wall_count;
        wall_count += (int64_t)room->pieces[i].made.wall_count;
    }
    RCITY_CHECK(context, wall_count <= INT32_MAX, RCITY_ERR_MEMORY, "%lld walls of beams do not fit a buffer",
                (long long)wall_count);
    rcity_parallel(context, piece_count, 1, place_pieces, &run);
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_LEAVES, listed_count));
    RCITY_TRY(rcity_fast_queue_reserve(queue, RCITY_FAST_WALLS, wall_count));
    return send_pieces(queue, room);
}

void rcity_fast_ends_deinit(rcity_context *context, rcity_fast_ends_room *room)
{
    for (size_t i = 0; i < room->made_count; i++) {
        rcity_fast_leaves_deinit(context, &room->pieces[i].made);
    }
    rcity_release(context, room->pieces);
    memset(room, 0, sizeof *room);
}
