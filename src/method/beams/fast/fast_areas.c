/* Each thread makes the areas of some beams; they are put side by side afterwards. */
#include "method/beams/fast/fast_areas.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/raster/beam_chunks.h"
#include "method/beams/raster/beam_shape.h"

#define RIM_M      1e-3 /* more than whole units move a border */
#define PUT_CHUNKS 16

/* What was made of some beams. */
typedef struct areas_made {
    rcity_beam_area *areas;
    size_t area_capacity;
    rcity_beams_way_end *ends;
    size_t end_capacity;
    size_t count;
    int64_t first; /* among all areas */
} areas_made;

typedef struct areas_run {
    const rcity_fast_plane *plane;
    rcity_fast_areas *all;
    rcity_beams_chunk *chunks;
    areas_made *made; /* of each chunk */
    int64_t chunk_count;
    atomic_int status; /* the first failure of any thread */
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

static rcity_status add_area(const areas_run *run, const rcity_beam_area *area, const rcity_beams_way_end *end,
                             areas_made *made)
{
    rcity_context *context = run->plane->job->context;
    RCITY_TRY(rcity_reserve(context, made->count + 1, sizeof *made->areas, &made->area_capacity, "areas of beams",
                            &made->areas));
    RCITY_TRY(rcity_reserve(context, made->count + 1, sizeof *made->ends, &made->end_capacity, "areas of beams",
                            &made->ends));
    made->areas[made->count] = *area;
    made->ends[made->count++] = *end;
    return RCITY_OK;
}

static rcity_status make_chunk(const areas_run *run, const rcity_beams_chunk *chunk, areas_made *made)
{
    const rcity_fast_plane *plane = run->plane;
    const rcity_beams_tree *tree = &plane->forest->trees[chunk->tree];
    const rcity_facet_table *facets = plane->forest->growth.world->facets;
    for (int32_t n = chunk->node_first; n < chunk->node_end; n++) {
        const rcity_beams_node *node = &tree->nodes[n];
        rcity_beam_frame frame;
        if (node->part_count == 0 || !rcity_beams_node_frame(node, &frame)) {
            continue;
        }
        double end_m = rcity_beams_grid_reach_m(&plane->grid, node);
        for (int32_t k = node->part_first; k < node->part_first + node->part_count; k++) {
            const rcity_beam_part *part = &tree->parts[k];
            rcity_beam_shape shape;
            rcity_beam_area area;
            int64_t first, last;
            rcity_beam_shape_init(facets, node, &frame, part, end_m, &shape);
            if (!rcity_beam_shape_rows(&shape, &plane->grid, plane->dx, plane->dy, RIM_M, &first, &last)) {
                continue;
            }
            area.side[0] = make_edge(&frame, part->right, true);
            area.side[1] = make_edge(&frame, part->left, false);
            area.side[2] = make_base(node, &frame);
            area.side[3] = make_end(facets, &frame, part, end_m);
            area.row_first = (int32_t)first;
            area.row_last = (int32_t)last;
            RCITY_TRY(add_area(run, &area, &(rcity_beams_way_end){chunk->tree, n, k}, made));
        }
    }
    return RCITY_OK;
}

/* An rcity_parallel_function over chunks. */
static void make_chunks(void *user, int64_t begin, int64_t end, int thread_index)
{
    areas_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        int none = RCITY_OK;
        rcity_status status = make_chunk(run, &run->chunks[i], &run->made[i]);
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

/* An rcity_parallel_function over chunks. */
static void put_chunks(void *user, int64_t begin, int64_t end, int thread_index)
{
    areas_run *run = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        const areas_made *made = &run->made[i];
        if (made->count > 0) {
            memcpy(run->all->areas + made->first, made->areas, made->count * sizeof *made->areas);
            memcpy(run->all->ends + made->first, made->ends, made->count * sizeof *made->ends);
        }
    }
}

rcity_status rcity_fast_areas_init(const rcity_fast_plane *plane, rcity_fast_areas *areas)
{
    rcity_context *context = plane->job->context;
    areas_run run;
    rcity_status status;
    memset(areas, 0, sizeof *areas);
    memset(&run, 0, sizeof run);
    run.plane = plane;
    run.all = areas;
    atomic_init(&run.status, RCITY_OK);
    RCITY_TRY_DONE(rcity_beams_chunks_list(context, plane->forest, &run.chunks, &run.chunk_count));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)run.chunk_count + 1, sizeof *run.made, "areas of beams", &run.made));
    rcity_parallel(context, run.chunk_count, 1, make_chunks, &run);
    RCITY_TRY_DONE((rcity_status)atomic_load(&run.status));
    for (int64_t i = 0; i < run.chunk_count; i++) {
        run.made[i].first = areas->count;
        areas->count += (int64_t)run.made[i].count;
    }
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)areas->count + 1, sizeof *areas->areas, "areas of beams", &areas->areas));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)areas->count + 1, sizeof *areas->ends, "areas of beams", &areas->ends));
    rcity_parallel(context, run.chunk_count, PUT_CHUNKS, put_chunks, &run);
done:
    for (int64_t i = 0; run.made != NULL && i < run.chunk_count; i++) {
        rcity_release(context, run.made[i].areas);
        rcity_release(context, run.made[i].ends);
    }
    rcity_release(context, run.made);
    rcity_release(context, run.chunks);
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
