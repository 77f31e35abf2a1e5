/* The exact segment test: stretches beside prisms in plan, heights compared at their ends, then the terrain. */
#include "scene/place/segment_test.h"

#include <math.h>
#include <string.h>

#include "scene/place/terrain.h"
#include "scene/shape/prism.h"

rcity_status rcity_segment_scratch_init(rcity_context *context, const rcity_shapes *shapes,
                                        rcity_segment_scratch *scratch)
{
    memset(scratch, 0, sizeof *scratch);
    size_t span_room = (size_t)(rcity_shapes_largest_edge_count(shapes) / 2 + 1);
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, span_room, sizeof *scratch->left, "the segment test", &scratch->left));
    RCITY_TRY_DONE(rcity_alloc(context, span_room, sizeof *scratch->right, "the segment test", &scratch->right));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)shapes->prism_count, sizeof *scratch->along, "the segment test", &scratch->along));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)shapes->prism_count, sizeof *scratch->seen, "the segment test", &scratch->seen));
done:
    if (status != RCITY_OK) {
        rcity_segment_scratch_deinit(context, scratch);
    }
    return status;
}

void rcity_segment_scratch_deinit(rcity_context *context, rcity_segment_scratch *scratch)
{
    rcity_release(context, scratch->left);
    rcity_release(context, scratch->right);
    rcity_release(context, scratch->along);
    rcity_release(context, scratch->seen);
    memset(scratch, 0, sizeof *scratch);
}

rcity_status rcity_shapes_snap(rcity_context *context, const rcity_shapes *shapes, const rcity_point *point,
                               rcity_grid_point3 *snapped)
{
    double x = round((point->x_m - shapes->origin_x_m) * shapes->units_per_m);
    double y = round((point->y_m - shapes->origin_y_m) * shapes->units_per_m);
    double z = point->z_m * RCITY_HEIGHT_UNITS_PER_M;
    RCITY_CHECK(context,
                fabs(x) < RCITY_PLAN_LIMIT && fabs(y) < RCITY_PLAN_LIMIT &&
                    fabs(z) < 20000.0 * RCITY_HEIGHT_UNITS_PER_M,
                RCITY_ERR_ARGUMENT, "the point (%.3f, %.3f, %.3f) is not finite or lies far outside the scene",
                point->x_m, point->y_m, point->z_m);
    snapped->x = (int32_t)x;
    snapped->y = (int32_t)y;
    snapped->z = rcity_terrain_snap_height(&shapes->terrain, snapped->x, snapped->y, z);
    return RCITY_OK;
}

/* Does the line dip below `roof` somewhere inside the stretch? The infimum lies at the lower end, and is reached only
   in the limit: strictly below there means below inside. */
static bool dips_below(rcity_span span, int32_t z_from, int32_t z_to, int32_t roof)
{
    rcity_ratio lowest = z_to > z_from ? span.begin : span.end;
    rcity_i128 above =
        (rcity_i128)((int64_t)z_from - roof) * lowest.den + (rcity_i128)((int64_t)z_to - z_from) * lowest.num;
    return above < 0;
}

static bool spans_block(const rcity_span *left, int left_count, const rcity_span *right, int right_count,
                        int32_t z_from, int32_t z_to, int32_t roof)
{
    for (int i = 0; i < left_count; i++) {
        for (int j = 0; j < right_count; j++) {
            rcity_span both = {rcity_ratio_max(left[i].begin, right[j].begin),
                               rcity_ratio_min(left[i].end, right[j].end)};
            if (rcity_ratio_compare(both.begin, both.end) < 0 && dips_below(both, z_from, z_to, roof)) {
                return true;
            }
        }
    }
    return false;
}

static bool misses_box(const rcity_prism *prism, rcity_grid_point a, rcity_grid_point b)
{
    return (a.x < prism->x_min && b.x < prism->x_min) || (a.x > prism->x_max && b.x > prism->x_max) ||
           (a.y < prism->y_min && b.y < prism->y_min) || (a.y > prism->y_max && b.y > prism->y_max);
}

/* Two buildings that share a wall block a line that runs inside it, though neither does so alone. */
static bool common_walls_block(const rcity_shapes *shapes, rcity_segment_scratch *scratch, rcity_grid_point3 from,
                               rcity_grid_point3 to)
{
    rcity_grid_point a = {from.x, from.y};
    rcity_grid_point b = {to.x, to.y};
    bool touches = false;
    for (int32_t i = 0; i < scratch->along_count; i++) {
        const rcity_prism *on_left = &shapes->prisms[scratch->along[i]];
        int left_count = rcity_side_cover(shapes, on_left, a, b, RCITY_SIDE_LEFT, scratch->left, &touches);
        if (left_count == 0) {
            continue;
        }
        for (int32_t j = 0; j < scratch->along_count; j++) {
            const rcity_prism *on_right = &shapes->prisms[scratch->along[j]];
            int right_count = rcity_side_cover(shapes, on_right, a, b, RCITY_SIDE_RIGHT, scratch->right, &touches);
            int32_t roof = on_left->roof < on_right->roof ? on_left->roof : on_right->roof;
            if (spans_block(scratch->left, left_count, scratch->right, right_count, from.z, to.z, roof)) {
                return true;
            }
        }
    }
    return false;
}

/* Does one prism block the line? Records the prism when it has an edge on the line. */
static bool prism_blocks(const rcity_shapes *shapes, int32_t prism_index, rcity_segment_scratch *scratch,
                         rcity_grid_point3 from, rcity_grid_point3 to)
{
    const rcity_prism *prism = &shapes->prisms[prism_index];
    rcity_grid_point a = {from.x, from.y};
    rcity_grid_point b = {to.x, to.y};
    int32_t lowest = from.z < to.z ? from.z : to.z;
    if (prism->roof <= lowest || misses_box(prism, a, b)) {
        return false;
    }
    if (rcity_grid_point_equal(a, b)) {
        return rcity_prism_locate(shapes, prism, a) == RCITY_PLACE_INSIDE;
    }
    bool touches = false;
    int left_count = rcity_side_cover(shapes, prism, a, b, RCITY_SIDE_LEFT, scratch->left, &touches);
    const rcity_span *right = scratch->left;
    int right_count = left_count;
    if (touches) {
        right_count = rcity_side_cover(shapes, prism, a, b, RCITY_SIDE_RIGHT, scratch->right, &touches);
        right = scratch->right;
        if (left_count + right_count > 0) {
            scratch->along[scratch->along_count++] = prism_index;
        }
    }
    return spans_block(scratch->left, left_count, right, right_count, from.z, to.z, prism->roof);
}

static bool buildings_block(const rcity_shapes *shapes, rcity_segment_scratch *scratch, rcity_grid_point3 from,
                            rcity_grid_point3 to)
{
    scratch->along_count = 0;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        if (prism_blocks(shapes, (int32_t)i, scratch, from, to)) {
            return true;
        }
    }
    return scratch->along_count > 1 && common_walls_block(shapes, scratch, from, to);
}

bool rcity_segment_is_free(const rcity_shapes *shapes, rcity_segment_scratch *scratch, rcity_grid_point3 from,
                           rcity_grid_point3 to)
{
    return !buildings_block(shapes, scratch, from, to) && !rcity_terrain_blocks(&shapes->terrain, from, to);
}

/* Start a new mark, which makes those of earlier segments invalid; when the counter overflows, clear them. */
static void begin_segment(const rcity_shapes *shapes, rcity_segment_scratch *scratch)
{
    scratch->along_count = 0;
    if (++scratch->segment == 0) {
        memset(scratch->seen, 0, (size_t)shapes->prism_count * sizeof *scratch->seen);
        scratch->segment = 1;
    }
}

/* The part of the line within a row of the index, as a box of cells to search. Rounded outward by a unit, far more than
   the error of the division. */
static rcity_plan_box row_box(const rcity_plan_index *index, int32_t row, rcity_grid_point3 from, rcity_grid_point3 to)
{
    double south = (double)index->bounds.y_min + (double)row * index->cell;
    double north = south + index->cell;
    double x_from = from.x;
    double x_to = to.x;
    if (from.y != to.y) {
        double slope = ((double)to.x - from.x) / ((double)to.y - from.y);
        double y_low = fmin(from.y, to.y);
        double y_high = fmax(from.y, to.y);
        x_from = from.x + (fmin(fmax(south, y_low), y_high) - from.y) * slope;
        x_to = from.x + (fmin(fmax(north, y_low), y_high) - from.y) * slope;
    }
    rcity_plan_box box = {(int32_t)floor(fmin(x_from, x_to)) - 1, (int32_t)south, (int32_t)ceil(fmax(x_from, x_to)) + 1,
                          (int32_t)south};
    return box;
}

bool rcity_segment_is_free_indexed(const rcity_shapes *shapes, const rcity_plan_index *prism_index,
                                   rcity_segment_scratch *scratch, rcity_grid_point3 from, rcity_grid_point3 to)
{
    rcity_plan_box bounds = prism_index->bounds;
    int64_t y_low = from.y < to.y ? from.y : to.y;
    int64_t y_high = from.y < to.y ? to.y : from.y;
    begin_segment(shapes, scratch);
    if (shapes->prism_count > 0 && y_high >= bounds.y_min && y_low <= bounds.y_max) {
        int64_t first = y_low <= bounds.y_min ? 0 : (y_low - bounds.y_min) / prism_index->cell;
        int64_t last = (y_high - bounds.y_min) / prism_index->cell;
        last = last < prism_index->row_count ? last : prism_index->row_count - 1;
        /* receivers stand among buildings: most lines are blocked near `to`, so the rows are searched from there */
        for (int64_t k = 0; k <= last - first; k++) {
            int32_t row = (int32_t)(to.y > from.y ? last - k : first + k);
            rcity_plan_walk walk;
            rcity_plan_walk_init(prism_index, row_box(prism_index, row, from, to), &walk);
            for (int32_t i = rcity_plan_walk_next(&walk); i >= 0; i = rcity_plan_walk_next(&walk)) {
                if (scratch->seen[i] == scratch->segment) {
                    continue;
                }
                scratch->seen[i] = scratch->segment;
                if (prism_blocks(shapes, i, scratch, from, to)) {
                    return false;
                }
            }
        }
    }
    bool is_blocked = scratch->along_count > 1 && common_walls_block(shapes, scratch, from, to);
    return !is_blocked && !rcity_terrain_blocks(&shapes->terrain, from, to);
}
