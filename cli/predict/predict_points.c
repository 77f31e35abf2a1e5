/* The table of points that `predict --points` writes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"
#include "predict_files.h"

static void add_header(csv_text *made, const predict_world *world, bool has_lonlat)
{
    csv_add(made, "name,x,y%s,height_m,path_loss_db,received_power_dbm", has_lonlat ? ",lon,lat" : "");
    if (world->transmitter_count > 1) {
        csv_add(made, ",best_server");
        for (int i = 0; i < world->transmitter_count; i++) {
            char column[256];
            const char *name = world->transmitters[i].name;
            snprintf(column, sizeof column, "received_power_dbm %s", name != NULL ? name : "");
            csv_add(made, ",");
            csv_add_name(made, column);
        }
    }
    csv_add(made, "\n");
}

/* Index of the strongest transmitter at a point; -1 when none has a value. Those without power are only compared with
   each other, by their losses. */
static int find_best(const predict_world *world, int64_t count, int64_t point, const float *loss_db,
                     const float *received_dbm)
{
    int best = -1;
    for (int i = 0; i < world->transmitter_count; i++) {
        int64_t at = i * count + point;
        int64_t best_at = (best >= 0 ? best : i) * count + point;
        bool has_power = !isnan(received_dbm[at]);
        bool best_has_power = !isnan(received_dbm[best_at]);
        bool is_better = has_power != best_has_power ? has_power
                         : has_power                 ? received_dbm[at] > received_dbm[best_at]
                                                     : loss_db[at] < loss_db[best_at];
        best = !isnan(loss_db[at]) && (best < 0 || is_better) ? i : best;
    }
    return best;
}

static void add_point(csv_text *made, const predict_world *world, int64_t point, const double *lonlat,
                      const float *loss_db, const float *received_dbm)
{
    int64_t count = rcity_points_count(world->points);
    const double *xyh_m = rcity_points_xyh(world->points) + 3 * point;
    int best = find_best(world, count, point, loss_db, received_dbm);
    int64_t at = (best >= 0 ? best : 0) * count + point;
    csv_add_name(made, rcity_points_name(world->points, point));
    csv_add(made, ",%.3f,%.3f", xyh_m[0], xyh_m[1]);
    if (lonlat != NULL) {
        csv_add(made, ",%.9f,%.9f", lonlat[2 * point], lonlat[2 * point + 1]);
    }
    csv_add(made, ",%.10g", xyh_m[2]);
    csv_add_value(made, (double)loss_db[at]);
    csv_add_value(made, (double)received_dbm[at]);
    if (world->transmitter_count > 1) {
        csv_add(made, ",");
        const char *name = best >= 0 ? world->transmitters[best].name : "";
        csv_add_name(made, name != NULL ? name : "");
        for (int i = 0; i < world->transmitter_count; i++) {
            csv_add_value(made, (double)received_dbm[i * count + point]);
        }
    }
    csv_add(made, "\n");
}

/* Longitudes and latitudes of all points; NULL without CRS or memory. */
static double *find_lonlat(rcity_context *context, const char *crs, const rcity_points *points)
{
    int64_t count = rcity_points_count(points);
    double *lonlat = strcmp(crs, "none") != 0 ? malloc(2 * (size_t)count * sizeof *lonlat) : NULL;
    for (int64_t i = 0; lonlat != NULL && i < count; i++) {
        lonlat[2 * i] = rcity_points_xyh(points)[3 * i];
        lonlat[2 * i + 1] = rcity_points_xyh(points)[3 * i + 1];
    }
    if (lonlat != NULL && rcity_crs_transform(context, crs, RCITY_CRS_LONLAT, count, lonlat) != RCITY_OK) {
        free(lonlat);
        lonlat = NULL;
    }
    return lonlat;
}

rcity_status predict_files_write_points(rcity_context *context, const rcity_scene *scene, const predict_input *input,
                                        const predict_world *world, const float *loss_db, const float *received_dbm,
                                        output_set *set)
{
    rcity_scene_info info;
    rcity_status status = rcity_scene_describe(scene, &info);
    if (status != RCITY_OK) {
        return status;
    }
    double *lonlat = find_lonlat(context, info.crs, world->points);
    csv_text made = {NULL, 0, 0, false};
    add_header(&made, world, lonlat != NULL);
    for (int64_t i = 0; i < rcity_points_count(world->points); i++) {
        add_point(&made, world, i, lonlat, loss_db, received_dbm);
    }
    free(lonlat);
    status = made.is_broken || !output_set_add(set, input->output_path) ? RCITY_ERR_MEMORY : RCITY_OK;
    if (status == RCITY_OK) {
        status = rcity_text_save(context, input->output_path, made.text);
    }
    free(made.text);
    return status;
}
