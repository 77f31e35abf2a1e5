/* Each part of a beam has its place among all areas, so that every thread writes the areas of some beams where they stay. */
#include "method/beams/fast/fast_areas.h"

#include <string.h>

#include "base/parallel.h"
#include "method/beams/raster/beam_chunks.h"
#include "method/beams/raster/beam_shape.h"

#define RIM_M  1e-3 /* more than whole units move a border */
#define NO_ROW (-1) /* with a first row of 0 */

/* Some beams, and their areas. */
typedef struct areas_piece {
    rcity_beams_chunk chunk;
    int64_t first, count;
} areas_piece;

typedef struct areas_run {
    const rcity_fast_plane *plane;
    rcity_fast_areas *all;
    areas_piece *pieces;
} areas_run;

/* The line through a place, whose inner side a direction points to. `is_open`: the line itself is outside. */
static rcity_beam_side make_side(double x, double y, double inward_x, double inward_y, bool is_open)
{
    double scale = ldexp(1.0, RCITY_BEAM_SIDE_BITS) / rcity_beam_length_m(inward_x, inward_y);
    rcity_beam_side side;
    side.x = (rcity_i32)lrint(inward_x * scale);
    side.y = (rcity_i32)lrint(inward_y * scale);
    side.off = -llrint(((double)side.x * x + (double)side.y * y) * RCITY_BEAM_UNITS_PER_M) - is_open;
    return side;
}

/* Along a direction of a beam: the part is to the left of it, or to the right. */
static rcity_beam_side make_edge(const rcity_beam_frame *frame, double across, bool is_right)
{
    double tangent = frame->right + across / frame->scale;
    double x = frame->axis_x - tangent * frame->axis_y;
    double y = frame->axis_y + tangent * frame->axis_x;
    rcity_beam_side side = make_side(frame->x, frame->y, -y, x, false);
    if (!is_right) { /* the same line: what is not on the one side is on the other */
        side = (rcity_beam_side){-side.off - 1, -side.x, -side.y};
    }
    return side;
}

/* Where a beam begins: at its source, or at its window. */
static rcity_beam_side make_base(const rcity_beams_node *node, const rcity_beam_frame *frame)
{
    if (node->wall < 0) {
        return make_side(frame->x, frame->y, frame->axis_x, frame->axis_y, true);
    }
    double x = node->window.y1 - node->window.y2;
    double y = node->window.x2 - node->window.x1;
    double turn = x * frame->axis_x + y * frame->axis_y < 0.0 ? -1.0 : 1.0;
    return make_side(node->window.x1, node->window.y1, turn * x, turn * y, true);
}

/* Where a part ends: at a wall, or where nothing beyond matters. */
static rcity_beam_side make_end(const rcity_facet_table *facets, const rcity_beam_frame *frame,
                                const rcity_beam_part *part, double end_m)
{
    if (part->wall < 0) {
        return make_side(frame->x + end_m * frame->axis_x, frame->y + end_m * frame->axis_y, -frame->axis_x,
                         -frame->axis_y, true);
    }
    const rcity_mirror *wall = &facets->mirrors[part->wall];
    double at = wall->normal.x * frame->x + wall->normal.y * frame->y - wall->offset;
    double turn = at < 0.0 ? -1.0 : 1.0;
    return make_side(wall->x1, wall->y1, turn * wall->normal.x, turn * wall->normal.y, true);
}

/* A part of a beam as an area; it reaches into no row where it may hold no place. */
static void make_area(const areas_run *run, const rcity_beams_node *node, const rcity_beam_frame *frame,
                      const rcity_beam_part *part, double end_m, rcity_beam_area *area)
{
    const rcity_fast_plane *plane = run->plane;
    const rcity_facet_table *facets = plane->forest->growth.world->facets;
    rcity_beam_shape shape;
    int64_t first, last;
    rcity_beam_shape_init(facets, node, frame, part, end_m, &shape);
    if (!rcity_beam_shape_rows(&shape, &plane->grid, plane->dx, plane->dy, RIM_M, &first, &last)) {
        area->row_last = NO_ROW;
        return;
    }
    area->side[0] = make_edge(frame, part->right, true);
    area->side[1] = make_edge(frame, part->left, false);
    area->side[2] = make_base(node, frame);
    area->side[3] = make_end(facets, frame, part, end_m);
    area->row_first = (int32_t)first;
    area->row_last = (int32_t)last;
}

static void make_piece(const areas_run *run, const areas_piece *piece)
{
    const rcity_fast_plane *plane = run->plane;
    const rcity_beams_chunk *chunk = &piece->chunk;
    const rcity_beams_tree *tree = &plane->forest->trees[chunk->tree];
    int64_t at = piece->first;
    for (int32_t n = chunk->node_first; n < chunk->node_end; n++) {
        const rcity_beams_node *node = &tree->nodes[n];
        rcity_beam_frame frame;
        bool has_frame = node->part_count > 0 && rcity_beams_node_frame(node, &frame);
        double end_m = has_frame ? rcity_beams_grid_reach_m(&plane->grid, node) : 0.0;
        for (int32_t k = node->part_first; k < node->part_first + node->part_count; k++) {
            run->all->ends[at] = (rcity_beams_way_end){chunk->tree, n, k};
            if (has_frame) {
                make_area(run, node, &frame, &tree->parts[k], end_m, &run->all->areas[at]);
            } else {
                run->all->areas[at].row_last = NO_ROW;
            }
            at++;
        }
    }
}

/* An rcity_parallel_function over pieces. */
static void make_pieces(void *user, int64_t begin, int64_t end, int thread_index)
{
    areas_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        make_piece(run, &run->pieces[i]);
    }
}

/* An rcity_parallel_function over pieces: how many areas each has. */
static void count_pieces(void *user, int64_t begin, int64_t end, int thread_index)
{
    areas_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const rcity_beams_chunk *chunk = &run->pieces[i].chunk;
        const rcity_beams_node *nodes = run->plane->forest->trees[chunk->tree].nodes;
        for (int32_t n = chunk->node_first; n < chunk->node_end; n++) {
            run->pieces[i].count += nodes[n].part_count;
        }
    }
}

/* Where the areas of each piece begin. @return how many there are. */
static int64_t place_pieces(const areas_run *run, int64_t piece_count)
{
    int64_t count = 0;
    for (int64_t i = 0; i < piece_count; i++) {
        run->pieces[i].first = count;
        count += run->pieces[i].count;
    }
    return count;
}

rcity_status rcity_fast_areas_init(const rcity_fast_plane *plane, rcity_fast_areas *areas)
{
    rcity_context *context = plane->job->context;
    areas_run run = {plane, areas, NULL};
    rcity_beams_chunk *chunks = NULL;
    int64_t chunk_count = 0;
    rcity_status status;
    memset(areas, 0, sizeof *areas);
    RCITY_TRY_DONE(rcity_beams_chunks_list(context, plane->forest, &chunks, &chunk_count));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)chunk_count + 1, sizeof *run.pieces, "areas of beams", &run.pieces));
    for (int64_t i = 0; i < chunk_count; i++) {
        run.pieces[i].chunk = chunks[i];
    }
    rcity_parallel(context, chunk_count, 1, count_pieces, &run);
    areas->count = place_pieces(&run, chunk_count);
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)areas->count + 1, sizeof *areas->areas, "areas of beams", &areas->areas));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)areas->count + 1, sizeof *areas->ends, "areas of beams", &areas->ends));
    rcity_parallel(context, chunk_count, 1, make_pieces, &run);
done:
    rcity_release(context, run.pieces);
    rcity_release(context, chunks);
    if (status != RCITY_OK) {
        rcity_fast_areas_deinit(context, areas);
    }
    return status;
}

void rcity_fast_areas_deinit(rcity_context *context, rcity_fast_areas *areas)
{
    rcity_release(context, areas->areas);
    rcity_release(context, areas->ends);
    memset(areas, 0, sizeof *areas);
}
