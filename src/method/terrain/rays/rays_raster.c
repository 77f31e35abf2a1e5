/* The values of triangles for the cells of a raster. */
#include <math.h>

#include "base/parallel.h"
#include "method/terrain/rays/terrain_rays.h"
#include "scene/place/cover.h"

#define ROWS 16 /* that a thread fills at a time */

typedef struct fill_work {
    const rcity_shapes *shapes;
    const rcity_raster *raster;
    const rcity_terrain_rays_field *field;
    const float *z_m;
    float *loss_db, *is_seen;
} fill_work;

static void fill_row(const fill_work *work, int64_t row)
{
    int32_t y = rcity_raster_row_y(work->shapes, work->raster, row);
    for (int64_t column = 0; column < work->raster->column_count; column++) {
        int64_t cell = row * work->raster->column_count + column;
        bool is_out = work->z_m != NULL && isnan(work->z_m[cell]);
        bool is_seen = false;
        int32_t x = rcity_raster_column_x(work->shapes, work->raster, column);
        work->loss_db[cell] = is_out ? NAN : rcity_terrain_rays_loss_db(work->field, x, y, &is_seen);
        if (work->is_seen != NULL) {
            work->is_seen[cell] = is_out ? NAN : (float)is_seen;
        }
    }
}

/* An rcity_parallel_function. */
static void fill_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const fill_work *work = user;
    (void)thread_index;
    for (int64_t row = begin; row < end; row++) {
        fill_row(work, row);
    }
}

void rcity_terrain_rays_fill_raster(rcity_context *context, const rcity_shapes *shapes, const rcity_raster *raster,
                                    const rcity_terrain_rays_field *field, const float *z_m, float *loss_db,
                                    float *is_seen)
{
    fill_work work = {shapes, raster, field, z_m, loss_db, is_seen};
    rcity_parallel(context, raster->row_count, ROWS, fill_rows, &work);
}
