/* A beam is taken wider than the exact test takes it: the lines of its sides, its window and the walls at its ends are
   moved outward, and squares beyond one of them are passed by, many at a time by a tree of boxes. Pieces of the forest are
   listed on all threads, then sorted by squares. */
#include "method/beams/points/beams_index.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "scene/facets/plan_tree.h"

#define SQUARE_M 16.0 /* lists of smaller squares take more memory and save little time */
#define AROUND_M 1.0  /* of a place: more than ends of paths are moved */

/* In slacks. A beam is at most a quarter turn wide, so the exact test takes places within three slacks of a part's sides
   and end, and within thirteen of its window. */
#define SIDE_SLACKS   8.0
#define WINDOW_SLACKS 16.0

#define SOURCE_MIN_M 1e-9 /* a source this near to a wall's line has no side of it */
#define PIECE_NODES  1024 /* listed by a thread at a time */

void rcity_beams_index_deinit(rcity_context *context, rcity_beams_index *index)
{
    rcity_release(context, index->beams);
    rcity_release(context, index->first);
    rcity_release(context, index->squares);
    memset(index, 0, sizeof *index);
}

static rcity_beams_square square_of(double x, double y)
{
    return (rcity_beams_square){floor(x / SQUARE_M), floor(y / SQUARE_M)};
}

static int compare_squares(const void *left, const void *right)
{
    const rcity_beams_square *a = left;
    const rcity_beams_square *b = right;
    if (a->row != b->row) {
        return a->row < b->row ? -1 : 1;
    }
    return (a->column > b->column) - (a->column < b->column);
}

bool rcity_beams_index_find(const rcity_beams_index *index, double x, double y, const rcity_beams_index_beam **beams,
                            int64_t *count)
{
    rcity_beams_square wanted = square_of(x, y);
    int64_t low = 0;
    int64_t high = index->square_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compare_squares(&index->squares[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == index->square_count || compare_squares(&index->squares[low], &wanted) != 0) {
        return false;
    }
    *beams = index->beams + index->first[low];
    *count = index->first[low + 1] - index->first[low];
    return true;
}

/* The squares that hold places or what lies around them. */
static rcity_status find_squares(rcity_context *context, int64_t place_count, const double *xy_m,
                                 rcity_beams_index *index)
{
    size_t corner_count = 4 * (size_t)place_count;
    RCITY_TRY(
        rcity_alloc(context, corner_count + 1, sizeof *index->squares, "beams around receivers", &index->squares));
    for (size_t i = 0; i < corner_count; i++) {
        double around_x = i % 2 == 0 ? -AROUND_M : AROUND_M;
        double around_y = i / 2 % 2 == 0 ? -AROUND_M : AROUND_M;
        index->squares[i] = square_of(xy_m[2 * (i / 4)] + around_x, xy_m[2 * (i / 4) + 1] + around_y);
    }
    qsort(index->squares, corner_count, sizeof *index->squares, compare_squares);
    for (size_t i = 0; i < corner_count; i++) {
        if (i == 0 || compare_squares(&index->squares[i], &index->squares[index->square_count - 1]) != 0) {
            index->squares[index->square_count++] = index->squares[i];
        }
    }
    return rcity_resize(context, (size_t)index->square_count + 1, sizeof *index->squares, "beams around receivers",
                        &index->squares);
}

/* A square by two of its corners. */
static rcity_plan_segment diagonal_of(rcity_beams_square square)
{
    return (rcity_plan_segment){square.column * SQUARE_M, square.row * SQUARE_M, (square.column + 1.0) * SQUARE_M,
                                (square.row + 1.0) * SQUARE_M};
}

static rcity_status plant_squares(rcity_context *context, const rcity_beams_index *index, rcity_plan_tree *tree)
{
    rcity_plan_segment *diagonals = NULL;
    float *tops = NULL;
    size_t room = (size_t)index->square_count + 1;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *diagonals, "beams around receivers", &diagonals));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *tops, "beams around receivers", &tops));
    for (int64_t i = 0; i < index->square_count; i++) {
        diagonals[i] = diagonal_of(index->squares[i]);
    }
    status = rcity_plan_tree_init(context, (int32_t)index->square_count, diagonals, tops, tree);
done:
    rcity_release(context, tops);
    rcity_release(context, diagonals);
    return status;
}

/* A line in the frame of a beam: what has forward * f + left * l + constant >= 0 at f along its axis and l to the left
   of it. */
typedef struct frame_side {
    double forward, left, constant;
} frame_side;

static void add_side(const rcity_beam_frame *frame, frame_side side, rcity_region *region)
{
    double x = side.forward * frame->axis_x - side.left * frame->axis_y;
    double y = side.forward * frame->axis_y + side.left * frame->axis_x;
    region->side[region->side_count].x = x;
    region->side[region->side_count].y = y;
    region->side[region->side_count++].c = side.constant - x * frame->x - y * frame->y;
}

static frame_side right_side(const rcity_beam_frame *frame, double right, double slack_m)
{
    return (frame_side){-(frame->right + right / frame->scale), 1.0, SIDE_SLACKS * slack_m};
}

static frame_side left_side(const rcity_beam_frame *frame, double left, double slack_m)
{
    return (frame_side){frame->right + left / frame->scale, -1.0, SIDE_SLACKS * slack_m};
}

/* Beyond the window of a beam 1 / forward is not more than the base there; a sector begins at its source. */
static frame_side window_side(const rcity_beam_frame *frame, bool is_sector, double slack_m)
{
    if (is_sector) {
        return (frame_side){1.0, 0.0, SIDE_SLACKS * slack_m};
    }
    double left = frame->base.slope * frame->scale;
    double forward = frame->base.at_right - left * frame->right;
    return (frame_side){forward, left, WINDOW_SLACKS * slack_m * hypot(forward, left) - 1.0};
}

/* On the source's side of a wall's line. @return false where the source has no side of it. */
static bool wall_side(const rcity_beam_frame *frame, const rcity_plan_segment *wall, double slack_m, frame_side *side)
{
    rcity_beam_offset a = rcity_beam_frame_offset(frame, wall->x1, wall->y1);
    rcity_beam_offset b = rcity_beam_frame_offset(frame, wall->x2, wall->y2);
    double length_m = rcity_beam_length_m(b.forward - a.forward, b.left - a.left);
    double forward = (a.left - b.left) / length_m;
    double left = (b.forward - a.forward) / length_m;
    double source_m = -(forward * a.forward + left * a.left);
    double sign = source_m > 0.0 ? 1.0 : -1.0;
    *side = (frame_side){sign * forward, sign * left, fabs(source_m) + SIDE_SLACKS * slack_m};
    return fabs(source_m) > SOURCE_MIN_M;
}

/* How far forward a wall's line lies along a side of a part, where both are moved outward. */
static double far_m(frame_side wall, frame_side side)
{
    double along = side.forward / side.left; /* the side lies at l = -(forward f + constant) / left */
    double ahead = wall.forward - wall.left * along;
    return ahead < 0.0 ? (wall.left * side.constant / side.left - wall.constant) / ahead : HUGE_VAL;
}

/* A part of a beam, wider than it is. */
typedef struct wide_part {
    rcity_region region;
    double far_m; /* all of it is less far forward */
} wide_part;

static wide_part widen_part(const rcity_beams_world *world, const rcity_beam_frame *frame, const rcity_beam_part *part,
                            double slack_m)
{
    frame_side right = right_side(frame, part->right, slack_m);
    frame_side left = left_side(frame, part->left, slack_m);
    frame_side wall;
    wide_part made = {.region = {.side_count = 0}, .far_m = HUGE_VAL};
    add_side(frame, right, &made.region);
    add_side(frame, left, &made.region);
    if (part->wall >= 0 && wall_side(frame, &world->walls[part->wall], slack_m, &wall)) {
        add_side(frame, wall, &made.region);
        made.far_m = fmax(far_m(wall, right), far_m(wall, left));
    }
    return made;
}

/* A beam in a square. */
typedef struct listed_beam {
    int32_t square;
    rcity_beams_index_beam beam;
} listed_beam;

/* What one piece of the forest brings, in its order. */
typedef struct listed_piece {
    size_t count, capacity;
    listed_beam *items;
    size_t part_capacity;
    wide_part *parts; /* of the current beam */
} listed_piece;

/* Listing pieces on all threads. */
typedef struct listing {
    rcity_context *context;
    const rcity_beams_forest *forest;
    const rcity_beams_index *index;
    rcity_plan_tree tree; /* over the squares */
    double slack_m;
    const int64_t *node_first; /* of each tree, and one more, among the nodes of all trees */
    listed_piece *pieces;
    atomic_int status; /* the first failure of any thread */
} listing;

/* A beam, wider than it is, as boxes are held against it. */
typedef struct wide_beam {
    double x, y, beside_m;    /* its source: places so near to it belong to the beam */
    rcity_region region, end; /* its sides and window; the end of its farthest part */
    int32_t part_count;
    const wide_part *parts;
} wide_beam;

static rcity_status widen_beam(const listing *run, const rcity_beams_tree *tree, const rcity_beams_node *node,
                               const rcity_beam_frame *frame, listed_piece *piece, wide_beam *beam)
{
    double end_m = 0.0;
    RCITY_TRY(rcity_reserve(run->context, (size_t)node->part_count, sizeof *piece->parts, &piece->part_capacity,
                            "beams around receivers", &piece->parts));
    for (int32_t i = 0; i < node->part_count; i++) {
        piece->parts[i] =
            widen_part(run->forest->growth.world, frame, &tree->parts[node->part_first + i], run->slack_m);
        end_m = fmax(end_m, piece->parts[i].far_m);
    }
    end_m = fmin(end_m, node->reach_m);
    *beam = (wide_beam){.x = node->x, .y = node->y, .beside_m = SIDE_SLACKS * run->slack_m};
    beam->part_count = node->part_count;
    beam->parts = piece->parts;
    add_side(frame, right_side(frame, 0.0, run->slack_m), &beam->region);
    add_side(frame, left_side(frame, 1.0, run->slack_m), &beam->region);
    add_side(frame, window_side(frame, node->wall < 0, run->slack_m), &beam->region);
    if (end_m < HUGE_VAL) {
        add_side(frame, (frame_side){-1.0, 0.0, end_m + beam->beside_m}, &beam->end);
    }
    return RCITY_OK;
}

static bool lies_beside(const wide_beam *beam, const rcity_plan_tree_node *box)
{
    return beam->x >= (double)box->x_min - beam->beside_m && beam->x <= (double)box->x_max + beam->beside_m &&
           beam->y >= (double)box->y_min - beam->beside_m && beam->y <= (double)box->y_max + beam->beside_m;
}

static bool beam_may_meet(const wide_beam *beam, const rcity_plan_tree_node *box)
{
    return lies_beside(beam, box) ||
           (rcity_plan_tree_may_meet(box, &beam->region) && rcity_plan_tree_may_meet(box, &beam->end));
}

/* List a beam in a square that it may meet. */
static rcity_status list_square(const listing *run, rcity_beams_index_beam at, const wide_beam *beam, int32_t square,
                                listed_piece *piece)
{
    rcity_plan_segment diagonal = diagonal_of(run->index->squares[square]);
    rcity_plan_tree_node box = {(float)diagonal.x1,
                                (float)diagonal.y1,
                                (float)diagonal.x2,
                                (float)diagonal.y2,
                                0.0f,
                                0,
                                0}; /* whole numbers of metres */
    if (!beam_may_meet(beam, &box)) {
        return RCITY_OK;
    }
    bool meets = lies_beside(beam, &box);
    for (int32_t i = 0; i < beam->part_count && !meets; i++) {
        meets = rcity_plan_tree_may_meet(&box, &beam->parts[i].region);
    }
    if (meets) {
        RCITY_TRY(rcity_reserve(run->context, piece->count + 1, sizeof *piece->items, &piece->capacity,
                                "beams around receivers", &piece->items));
        piece->items[piece->count++] = (listed_beam){square, at};
    }
    return RCITY_OK;
}

static rcity_status list_node(const listing *run, rcity_beams_index_beam at, listed_piece *piece)
{
    const rcity_beams_tree *tree = &run->forest->trees[at.tree];
    const rcity_beams_node *node = &tree->nodes[at.node];
    int32_t stack[RCITY_PLAN_TREE_STACK];
    int depth = 0;
    rcity_beam_frame frame;
    wide_beam beam;
    if (node->part_count == 0 || !rcity_beams_node_frame(node, &frame)) {
        return RCITY_OK;
    }
    RCITY_TRY(widen_beam(run, tree, node, &frame, piece, &beam));
    stack[depth++] = 0;
    while (depth > 0) {
        const rcity_plan_tree_node *box = &run->tree.nodes[stack[--depth]];
        if (!beam_may_meet(&beam, box)) {
            continue;
        }
        for (int32_t i = box->first; i < box->first + box->count; i++) {
            RCITY_TRY(list_square(run, at, &beam, run->tree.items[i], piece));
        }
        if (box->count == 0) {
            stack[depth++] = box->first;
            stack[depth++] = box->first + 1;
        }
    }
    return RCITY_OK;
}

/* An rcity_parallel_function over pieces. */
static void list_pieces(void *user, int64_t begin, int64_t end, int thread_index)
{
    listing *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int32_t tree = 0;
        int64_t last = (i + 1) * PIECE_NODES;
        last = last < run->node_first[run->forest->tree_count] ? last : run->node_first[run->forest->tree_count];
        for (int64_t number = i * PIECE_NODES; number < last && atomic_load(&run->status) == RCITY_OK; number++) {
            while (run->node_first[tree + 1] <= number) {
                tree++;
            }
            rcity_beams_index_beam at = {tree, (int32_t)(number - run->node_first[tree])};
            rcity_status status = list_node(run, at, &run->pieces[i]);
            int none = RCITY_OK;
            if (status != RCITY_OK) {
                atomic_compare_exchange_strong(&run->status, &none, (int)status);
            }
        }
    }
}

/* The lists of all squares, each in the order of the pieces. */
static rcity_status sort_pieces(rcity_context *context, int64_t piece_count, const listed_piece *pieces,
                                rcity_beams_index *index)
{
    int64_t square_count = index->square_count;
    RCITY_TRY(
        rcity_alloc(context, (size_t)square_count + 1, sizeof *index->first, "beams around receivers", &index->first));
    for (int64_t i = 0; i < piece_count; i++) {
        for (size_t k = 0; k < pieces[i].count; k++) {
            index->first[pieces[i].items[k].square + 1]++;
        }
    }
    for (int64_t i = 0; i < square_count; i++) {
        index->first[i + 1] += index->first[i];
    }
    RCITY_TRY(rcity_alloc(context, (size_t)index->first[square_count] + 1, sizeof *index->beams,
                          "beams around receivers", &index->beams));
    for (int64_t i = 0; i < piece_count; i++) {
        for (size_t k = 0; k < pieces[i].count; k++) {
            index->beams[index->first[pieces[i].items[k].square]++] = pieces[i].items[k].beam;
        }
    }
    for (int64_t i = square_count; i > 0; i--) { /* each first has moved to the next one's place */
        index->first[i] = index->first[i - 1];
    }
    index->first[0] = 0;
    return RCITY_OK;
}

/* List all beams in the squares of an index. */
static rcity_status list_beams(rcity_context *context, const rcity_beams_forest *forest, double slack_m,
                               rcity_beams_index *index)
{
    int64_t piece_count = 0;
    int64_t *node_first = NULL;
    listing run = {.context = context, .forest = forest, .index = index, .slack_m = slack_m};
    rcity_status status;
    atomic_init(&run.status, RCITY_OK);
    RCITY_TRY_DONE(plant_squares(context, index, &run.tree));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)forest->tree_count + 1, sizeof *node_first, "beams around receivers",
                               &node_first));
    for (int32_t t = 0; t < forest->tree_count; t++) {
        node_first[t + 1] = node_first[t] + (int64_t)forest->trees[t].node_count;
    }
    run.node_first = node_first;
    piece_count = (node_first[forest->tree_count] + PIECE_NODES - 1) / PIECE_NODES;
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)piece_count + 1, sizeof *run.pieces, "beams around receivers", &run.pieces));
    rcity_parallel(context, piece_count, 1, list_pieces, &run);
    RCITY_TRY_DONE((rcity_status)atomic_load(&run.status));
    status = sort_pieces(context, piece_count, run.pieces, index);
done:
    for (int64_t i = 0; run.pieces != NULL && i < piece_count; i++) {
        rcity_release(context, run.pieces[i].parts);
        rcity_release(context, run.pieces[i].items);
    }
    rcity_release(context, run.pieces);
    rcity_release(context, node_first);
    rcity_plan_tree_deinit(context, &run.tree);
    return status;
}

rcity_status rcity_beams_index_init(rcity_context *context, const rcity_beams_forest *forest, double slack_m,
                                    int64_t place_count, const double *xy_m, rcity_beams_index *index)
{
    memset(index, 0, sizeof *index);
    if (place_count == 0) {
        return RCITY_OK;
    }
    rcity_status status;
    RCITY_TRY_DONE(find_squares(context, place_count, xy_m, index));
    status = list_beams(context, forest, slack_m, index);
done:
    if (status != RCITY_OK) {
        rcity_beams_index_deinit(context, index);
    }
    return status;
}
