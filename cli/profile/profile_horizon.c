/* A row for each direction: azimuth, elevation angle, distance, place. */
#include "profile_horizon.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "csv_text.h"

#define DIRECTIONS  360
#define RAD_PER_DEG 0.01745329251994329577

static rcity_status save(rcity_context *context, const char *path, rcity_point from, int count,
                         const float *elevation_deg, const float *distance_m)
{
    csv_text made = {0};
    csv_add(&made, "azimuth_deg,elevation_deg,distance_m,x_m,y_m\n");
    for (int i = 0; i < count; i++) {
        double azimuth_deg = 360.0 * i / count;
        double away_m = (double)distance_m[i];
        csv_add(&made, "%.10g", azimuth_deg);
        csv_add_value(&made, (double)elevation_deg[i]);
        csv_add_value(&made, away_m);
        csv_add_value(&made, from.x_m + away_m * sin(azimuth_deg * RAD_PER_DEG));
        csv_add_value(&made, from.y_m + away_m * cos(azimuth_deg * RAD_PER_DEG));
        csv_add(&made, "\n");
    }
    rcity_status status = made.is_broken ? RCITY_ERR_MEMORY : rcity_text_save(context, path, made.text);
    free(made.text);
    return status;
}

static void report(const profile_input *input, int count, const float *elevation_deg, const float *distance_m)
{
    int highest = -1;
    int farthest = -1;
    for (int i = 0; i < count; i++) {
        if (!isnan(elevation_deg[i])) {
            highest = highest < 0 || elevation_deg[i] > elevation_deg[highest] ? i : highest;
            farthest = farthest < 0 || distance_m[i] > distance_m[farthest] ? i : farthest;
        }
    }
    if (!input->wants_json && highest >= 0) {
        printf("horizon: highest %+.3f deg at azimuth %.10g deg, %.3f km away; farthest %.3f km at azimuth %.10g deg\n",
               (double)elevation_deg[highest], 360.0 * highest / count, 1e-3 * (double)distance_m[highest],
               1e-3 * (double)distance_m[farthest], 360.0 * farthest / count);
    }
    if (!input->wants_json) {
        printf("%s\n", input->horizon_path);
    }
}

rcity_status profile_horizon_write(rcity_context *context, const rcity_scene *scene, const profile_input *input,
                                   const rcity_transmitter *transmitter)
{
    int count = input->horizon_count > 0 ? input->horizon_count : DIRECTIONS;
    float *elevation_deg = malloc(2 * (size_t)count * sizeof *elevation_deg);
    rcity_point place;
    if (elevation_deg == NULL) {
        return RCITY_ERR_MEMORY;
    }
    float *distance_m = elevation_deg + count;
    rcity_status status = rcity_transmitter_locate(context, scene, transmitter, &place);
    if (status == RCITY_OK) {
        status = rcity_scene_get_horizon(context, scene, &place, input->k_factor, count, elevation_deg, distance_m);
    }
    if (status == RCITY_OK) {
        status = save(context, input->horizon_path, place, count, elevation_deg, distance_m);
    }
    if (status == RCITY_OK) {
        report(input, count, elevation_deg, distance_m);
    }
    free(elevation_deg);
    return status;
}
