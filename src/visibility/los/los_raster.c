/* Lines of sight to a whole raster, by shadows, in the two halves of the plan, north and south of the source.

   A line through a building passes two walls, and one of them decides: lines fall towards the lower end, so a line that
   is below the roof anywhere in the building is below it at the wall that faces the lower end. Walls that face the
   other way are left out.

   Everything is decided in integers. Pixels exactly on a line through a corner, where touching and passing differ, are
   noted and tested one by one, and so are those in the shadow of a building that touches itself. */
#include "visibility/los/los_raster.h"

#include <string.h>

#include "visibility/los/los_ground.h"
#include "visibility/los/los_sweep.h"

rcity_status rcity_los_worker_init(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker)
{
    size_t room = (size_t)plane->wall_count + 1;
    memset(worker, 0, sizeof *worker);
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->seen, "shadows", &worker->seen));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->endless, "shadows", &worker->endless));
    RCITY_TRY_DONE(
        rcity_alloc(context, room, sizeof *worker->hidden_sectors.items, "shadows", &worker->hidden_sectors.items));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->met, "shadows", &worker->met));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->finite, "shadows", &worker->finite));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *worker->chains, "shadows", &worker->chains));
    RCITY_TRY_DONE(rcity_alloc(context, RCITY_LOS_RING_COUNT, sizeof *worker->rings, "shadows", &worker->rings));
    RCITY_TRY_DONE(rcity_alloc(context, RCITY_LOS_HALF_BINS, sizeof *worker->reaches, "shadows", &worker->reaches));
    RCITY_TRY_DONE(
        rcity_alloc(context, RCITY_LOS_HALF_BINS, sizeof *worker->chain_reaches, "shadows", &worker->chain_reaches));
    if (plane->ground_y != NULL) {
        RCITY_TRY_DONE(rcity_alloc(context, (size_t)plane->column_count * (size_t)plane->row_count,
                                   sizeof *worker->ground, "shadows", &worker->ground));
    }
done:
    if (status != RCITY_OK) {
        rcity_los_worker_deinit(context, worker);
    }
    return status;
}

void rcity_los_worker_deinit(rcity_context *context, rcity_los_worker *worker)
{
    rcity_release(context, worker->ties);
    rcity_release(context, worker->ground);
    rcity_release(context, worker->chain_reaches);
    rcity_release(context, worker->reaches);
    rcity_release(context, worker->rings);
    rcity_release(context, worker->chains);
    rcity_release(context, worker->finite);
    rcity_release(context, worker->met);
    rcity_release(context, worker->hidden_sectors.items);
    rcity_release(context, worker->endless);
    rcity_release(context, worker->seen);
    memset(worker, 0, sizeof *worker);
}

void rcity_los_decide(const rcity_los_plane *plane, rcity_grid_point3 source, int32_t pixel, uint64_t *mask)
{
    int32_t row = pixel / plane->column_count;
    int32_t column = pixel % plane->column_count;
    uint64_t *word = &mask[(size_t)row * plane->row_words + (size_t)column / 64];
    uint64_t bit = (uint64_t)1 << (column % 64);
    bool is_free = rcity_sight_is_free(plane->sight, source, rcity_los_plane_pixel(plane, column, row));
    *word = is_free ? *word | bit : *word & ~bit;
}

/* The row of the source, which lies neither north nor south of it. */
static void decide_own_row(const rcity_los_plane *plane, rcity_grid_point3 source, uint64_t *mask)
{
    for (int32_t row = 0; row < plane->row_count; row++) {
        if (plane->y[row] == source.y) {
            for (int32_t column = 0; column < plane->column_count; column++) {
                rcity_los_decide(plane, source, row * plane->column_count + column, mask);
            }
        }
    }
}

static bool is_visible(const rcity_los_plane *plane, int32_t pixel, const uint64_t *mask)
{
    return rcity_los_plane_bit(plane, mask, pixel % plane->column_count, pixel / plane->column_count);
}

int32_t rcity_los_choose_mode(const rcity_los_plane *plane, rcity_grid_point3 source)
{
    if (plane->z != NULL) { /* terrain casts shadows of its own */
        return RCITY_LOS_PLAIN;
    }
    /* a vertical line is blocked by a building around it, as far as that is higher */
    if (!rcity_sight_is_free(plane->sight, source, (rcity_grid_point3){source.x, source.y, source.z + 1})) {
        return RCITY_LOS_HIDDEN;
    }
    /* a line may rise over a low building that is not among the walls, or from a wall through a building whose walls
       all face away */
    bool is_low = source.z < plane->low_top ||
                  (source.z <= plane->level && rcity_los_locate(plane->sight, source) == RCITY_PLACE_ON_WALL);
    return is_low ? RCITY_LOS_PLAIN : RCITY_LOS_SHADOWS;
}

rcity_status rcity_los_trace(rcity_context *context, const rcity_los_plane *plane, rcity_los_worker *worker,
                             rcity_grid_point3 source, uint64_t *mask)
{
    size_t word_count = plane->row_words * (size_t)plane->row_count;
    int32_t mode = rcity_los_choose_mode(plane, source);
    memset(mask, 0, word_count * sizeof *mask);
    if (mode == RCITY_LOS_PLAIN && !rcity_los_ground_trace(plane, source, worker->ground, mask)) {
        rcity_los_trace_plainly(plane, source, mask);
    }
    if (mode != RCITY_LOS_SHADOWS) {
        return RCITY_OK;
    }
    worker->tie_count = 0;
    double pitch = plane->column_count > 1
                       ? (double)(plane->x[plane->column_count - 1] - plane->x[0]) / (plane->column_count - 1)
                       : 1.0;
    for (int32_t side = -1; side <= 1; side += 2) {
        rcity_los_half half = {context, plane, worker, source, side, mask, pitch, 0.0, 0.0, RCITY_OK};
        half.zero = ((double)source.x - plane->x[0]) / pitch;
        half.blur = 1.0 / pitch + 1e-9;
        rcity_los_sweep(&half);
        RCITY_TRY(half.status);
    }
    for (size_t i = 0; i < word_count; i++) {
        mask[i] &= ~plane->indoors[i];
    }
    for (size_t i = 0; i < worker->tie_count; i++) {
        if (is_visible(plane, worker->ties[i], mask)) {
            rcity_los_decide(plane, source, worker->ties[i], mask);
        }
    }
    for (size_t i = 0; i < plane->on_wall_count; i++) {
        if (is_visible(plane, plane->on_walls[i], mask)) { /* a pixel on a wall is hidden too when it is in a shadow */
            rcity_los_decide(plane, source, plane->on_walls[i], mask);
        }
    }
    decide_own_row(plane, source, mask);
    return RCITY_OK;
}

void rcity_los_trace_plainly(const rcity_los_plane *plane, rcity_grid_point3 source, uint64_t *mask)
{
    memset(mask, 0, plane->row_words * (size_t)plane->row_count * sizeof *mask);
    for (int32_t i = 0; i < plane->row_count * plane->column_count; i++) {
        rcity_los_decide(plane, source, i, mask);
    }
}
