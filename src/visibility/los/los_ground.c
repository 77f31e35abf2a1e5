#include "visibility/los/los_ground.h"

#include <string.h>

#include "visibility/los/los_raster.h"

/* With more nodes than this for each pixel, testing every pixel is faster. */
#define NODES_PER_PIXEL_MAX 8

rcity_status rcity_los_ground_init(rcity_context *context, rcity_los_plane *plane)
{
    const rcity_terrain_grid *terrain = &plane->shapes->terrain;
    int64_t pixel_count = (int64_t)plane->column_count * plane->row_count;
    if (plane->z == NULL || terrain->column_count < 2 || terrain->row_count < 2 ||
        (int64_t)terrain->column_count * terrain->row_count > NODES_PER_PIXEL_MAX * pixel_count) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(context, (size_t)plane->row_count, sizeof *plane->ground_y, "a plane of receivers",
                          &plane->ground_y));
    for (int32_t row = 0; row < plane->row_count; row++) {
        plane->ground_y[row] = plane->y[plane->row_count - 1 - row];
    }
    if (!rcity_ground_coordinates_grow(plane->x, plane->column_count) ||
        !rcity_ground_coordinates_grow(plane->ground_y, plane->row_count)) {
        rcity_los_ground_deinit(context, plane);
        return RCITY_OK;
    }
    return rcity_ground_sight_init(context, plane->shapes, 0.0, &plane->ground);
}

void rcity_los_ground_deinit(rcity_context *context, rcity_los_plane *plane)
{
    if (plane->ground.context != NULL) {
        rcity_ground_sight_deinit(&plane->ground);
    }
    rcity_release(context, plane->ground_y);
    plane->ground_y = NULL;
}

bool rcity_los_ground_trace(const rcity_los_plane *plane, rcity_grid_point3 source, uint8_t *seen, uint64_t *mask)
{
    if (plane->ground_y == NULL) {
        return false;
    }
    const rcity_ground_targets targets = {
        plane->column_count, plane->row_count, plane->x, plane->ground_y, plane->z, 0, true};
    if (!rcity_ground_sight_bound(&plane->ground, source, &targets, seen)) {
        return false;
    }
    bool is_bare = plane->shapes->prism_count == 0;
    memset(mask, 0, plane->row_words * (size_t)plane->row_count * sizeof *mask);
    for (int32_t pixel = 0; pixel < plane->row_count * plane->column_count; pixel++) {
        if (seen[pixel] == RCITY_GROUND_VISIBLE && is_bare) {
            int32_t column = pixel % plane->column_count;
            size_t row = (size_t)(pixel / plane->column_count);
            mask[row * plane->row_words + (size_t)column / 64] |= (uint64_t)1 << (column % 64);
        } else if (seen[pixel] != RCITY_GROUND_HIDDEN) {
            rcity_los_decide(plane, source, pixel, mask);
        }
    }
    return true;
}
