/* Land cover: a class for each receiver, its loss from the scene's table. */
#include "method/empirical/land_loss.h"

#include <math.h>

rcity_status rcity_land_loss_check(const rcity_job *job)
{
    RCITY_CHECK(job->context, job->shapes->land_cover.column_count > 0, RCITY_ERR_ARGUMENT,
                "`land-cover` is 'add', but the scene has no land cover; import it with the scene or leave the option "
                "out");
    return RCITY_OK;
}

/* Add the loss at one place. */
static void add_at(const rcity_land_grid *land, double x_m, double y_m, float *loss_db, int64_t *missing_count)
{
    if (isnan(*loss_db)) {
        return;
    }
    double column = floor((x_m - land->west_m) / land->cell_m);
    double row = floor((y_m - land->south_m) / land->cell_m);
    if (!(column >= 0.0 && column < land->column_count && row >= 0.0 && row < land->row_count)) {
        ++*missing_count;
        return;
    }
    int code = land->code[(int64_t)row * land->column_count + (int64_t)column];
    const rcity_land_class_record *record = rcity_land_grid_find(land, code);
    *loss_db += record != NULL ? (float)record->loss_db : 0.0f;
}

void rcity_land_loss_add(const rcity_job *job, float *loss_db, int64_t *missing_count)
{
    const rcity_land_grid *land = &job->shapes->land_cover;
    const rcity_receivers *receivers = job->receivers;
    if (receivers->point_count > 0) {
        for (int64_t i = 0; i < receivers->point_count; i++) {
            add_at(land, receivers->xyh_m[3 * i], receivers->xyh_m[3 * i + 1], &loss_db[i], missing_count);
        }
        return;
    }
    const rcity_raster *raster = &job->raster;
    for (int64_t row = 0; row < raster->row_count; row++) {
        double y_m = raster->north_m - ((double)row + 0.5) * raster->cell_m;
        for (int64_t column = 0; column < raster->column_count; column++) {
            double x_m = raster->west_m + ((double)column + 0.5) * raster->cell_m;
            add_at(land, x_m, y_m, &loss_db[row * raster->column_count + column], missing_count);
        }
    }
}
