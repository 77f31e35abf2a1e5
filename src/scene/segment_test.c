/* The exact segment test: stretches beside prisms in plan, heights compared at their ends, then the terrain. */
#include "scene/segment_test.h"

#include <math.h>
#include <string.h>

#include "scene/prism.h"
#include "scene/terrain.h"

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

/* Two buildings that meet in a wall block a line that runs inside it, though neither does alone. */
static bool common_walls_block(const rcity_shapes *shapes, rcity_segment_scratch *scratch, int32_t along_count,
                               rcity_grid_point3 from, rcity_grid_point3 to)
{
    rcity_grid_point a = {from.x, from.y};
    rcity_grid_point b = {to.x, to.y};
    bool touches = false;
    for (int32_t i = 0; i < along_count; i++) {
        const rcity_prism *on_left = &shapes->prisms[scratch->along[i]];
        int left_count = rcity_side_cover(shapes, on_left, a, b, RCITY_SIDE_LEFT, scratch->left, &touches);
        if (left_count == 0) {
            continue;
        }
        for (int32_t j = 0; j < along_count; j++) {
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

static bool buildings_block(const rcity_shapes *shapes, rcity_segment_scratch *scratch, rcity_grid_point3 from,
                            rcity_grid_point3 to)
{
    rcity_grid_point a = {from.x, from.y};
    rcity_grid_point b = {to.x, to.y};
    int32_t lowest = from.z < to.z ? from.z : to.z;
    bool is_vertical = rcity_grid_point_equal(a, b);
    int32_t along_count = 0;
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        const rcity_prism *prism = &shapes->prisms[i];
        if (prism->roof <= lowest || misses_box(prism, a, b)) {
            continue;
        }
        if (is_vertical) {
            if (rcity_prism_locate(shapes, prism, a) == RCITY_PLACE_INSIDE) {
                return true;
            }
            continue;
        }
        bool touches = false;
        int left_count = rcity_side_cover(shapes, prism, a, b, RCITY_SIDE_LEFT, scratch->left, &touches);
        const rcity_span *right = scratch->left;
        int right_count = left_count;
        if (touches) {
            right_count = rcity_side_cover(shapes, prism, a, b, RCITY_SIDE_RIGHT, scratch->right, &touches);
            right = scratch->right;
            if (left_count + right_count > 0) {
                scratch->along[along_count++] = (int32_t)i;
            }
        }
        if (spans_block(scratch->left, left_count, right, right_count, from.z, to.z, prism->roof)) {
            return true;
        }
    }
    return along_count > 1 && common_walls_block(shapes, scratch, along_count, from, to);
}

bool rcity_segment_is_free(const rcity_shapes *shapes, rcity_segment_scratch *scratch, rcity_grid_point3 from,
                           rcity_grid_point3 to)
{
    return !buildings_block(shapes, scratch, from, to) && !rcity_terrain_blocks(&shapes->terrain, from, to);
}
