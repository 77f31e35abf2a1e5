/* What the ground hides of a raster, found for all cells at once. */
#include "method/ground_filter.h"

#include "scene/place/cover.h"

/* With more nodes than this for each receiver, testing every line is faster: a plain test takes the time of some thousand
   nodes. */
#define NODES_PER_RECEIVER_MAX 1000

double rcity_ground_filter_bytes(const rcity_job *job)
{
    return sizeof(int32_t) + (job->shapes->terrain.column_count > 0 ? sizeof(uint8_t) : 0);
}

rcity_status rcity_ground_filter_list(const rcity_job *job, int32_t height, int32_t **coordinates,
                                      rcity_ground_targets *targets)
{
    const rcity_raster *raster = &job->raster;
    const rcity_terrain_grid *terrain = &job->shapes->terrain;
    int64_t columns = raster->column_count;
    int64_t rows = raster->row_count;
    int32_t *x = NULL;
    *coordinates = NULL;
    if (terrain->column_count < 2 || terrain->row_count < 2 || columns * rows > INT32_MAX) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(job->context, (size_t)(columns + rows), sizeof *x, "the line of sight", &x));
    int32_t *y = x + columns;
    for (int64_t i = 0; i < columns; i++) {
        x[i] = rcity_raster_column_x(job->shapes, raster, i);
    }
    for (int64_t i = 0; i < rows; i++) {
        y[i] = rcity_raster_row_y(job->shapes, raster, rows - 1 - i);
    }
    if (!rcity_ground_coordinates_grow(x, columns) || !rcity_ground_coordinates_grow(y, rows)) {
        rcity_release(job->context, x);
        return RCITY_OK;
    }
    *coordinates = x;
    *targets = (rcity_ground_targets){(int32_t)columns, (int32_t)rows, x, y, NULL, height, true};
    return RCITY_OK;
}

rcity_status rcity_ground_filter_make(const rcity_job *job, rcity_grid_point3 tx, const int32_t *z, uint8_t **seen)
{
    const rcity_terrain_grid *terrain = &job->shapes->terrain;
    rcity_context *context = job->context;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    rcity_ground_sight sight = {.context = context};
    rcity_ground_targets targets;
    int32_t *coordinates = NULL;
    uint8_t *made = NULL;
    rcity_status status = RCITY_OK;
    *seen = NULL;
    if ((int64_t)terrain->column_count * terrain->row_count > NODES_PER_RECEIVER_MAX * cell_count) {
        return RCITY_OK;
    }
    RCITY_TRY_DONE(rcity_ground_filter_list(job, 0, &coordinates, &targets));
    if (coordinates != NULL) {
        targets.z = z;
        RCITY_TRY_DONE(rcity_alloc(context, (size_t)cell_count, sizeof *made, "the line of sight", &made));
        RCITY_TRY_DONE(rcity_ground_sight_init(context, job->shapes, 0.0, &sight));
        RCITY_TRY_DONE(rcity_ground_sight_fill(&sight, NULL, tx, &targets, made, NULL));
    }
done:
    rcity_ground_sight_deinit(&sight);
    rcity_release(context, coordinates);
    if (status != RCITY_OK) {
        rcity_release(context, made);
        return status;
    }
    *seen = made;
    return RCITY_OK;
}
