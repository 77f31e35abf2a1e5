/* What stands between points and their transmitters. The lines are tested exactly, whatever the method makes of them. */
#include "point_sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The transmitter whose line is tested. */
static int choose_transmitter(const double *xyh_m, int server, int count, const rcity_transmitter *transmitters)
{
    int nearest = 0;
    for (int i = 1; i < count && server < 0; i++) {
        double here_m = hypot(transmitters[i].x_m - xyh_m[0], transmitters[i].y_m - xyh_m[1]);
        double best_m = hypot(transmitters[nearest].x_m - xyh_m[0], transmitters[nearest].y_m - xyh_m[1]);
        nearest = here_m < best_m ? i : nearest;
    }
    return server >= 0 ? server : nearest;
}

/* An end of a line in scene height; NAN where there is no ground. */
static rcity_point end_at(rcity_context *context, const rcity_scene *scene, const double xyh_m[3], bool is_absolute)
{
    rcity_point end = {xyh_m[0], xyh_m[1], xyh_m[2]};
    double ground_m = 0.0;
    if (!is_absolute) {
        end.z_m = rcity_scene_get_ground(context, scene, end.x_m, end.y_m, &ground_m) == RCITY_OK ? end.z_m + ground_m
                                                                                                  : (double)NAN;
    }
    return end;
}

/* Where a receiver stands, and why it has no value. */
static void judge(rcity_context *context, const rcity_scene *scene, const rcity_point *at, bool has_value, bool skips,
                  point_sight *sight)
{
    rcity_cover cover = {0};
    bool is_known = !isnan(at->z_m) && rcity_scene_get_cover(context, scene, at->x_m, at->y_m, &cover) == RCITY_OK;
    bool is_inside = is_known && cover.is_covered && cover.roof_m > at->z_m;
    sight->reason = has_value   ? ""
                    : !is_known ? "outside the terrain"
                    : is_inside ? "in building"
                    : skips     ? "out of the model's range, or no path"
                                : "no path";
}

rcity_status point_sight_find(rcity_context *context, const rcity_scene *scene, rcity_device *device, int64_t count,
                              const double *xyh_m, const int *server, const bool *has_value, int transmitter_count,
                              const rcity_transmitter *transmitters, bool skips, point_sight *sights)
{
    rcity_visibility *visibility = NULL;
    rcity_point *ends = calloc((size_t)(2 * count) + 1, sizeof *ends);
    int64_t *point_of = calloc((size_t)count + 1, sizeof *point_of);
    rcity_line_measure *measures = calloc((size_t)count + 1, sizeof *measures);
    rcity_status status = ends != NULL && point_of != NULL && measures != NULL ? RCITY_OK : RCITY_ERR_MEMORY;
    int64_t line_count = 0;
    for (int64_t i = 0; status == RCITY_OK && i < count; i++) {
        const rcity_transmitter *from =
            &transmitters[choose_transmitter(xyh_m + 3 * i, server[i], transmitter_count, transmitters)];
        const double from_xyh_m[3] = {from->x_m, from->y_m, from->height_m};
        rcity_point start = end_at(context, scene, from_xyh_m, from->is_absolute);
        rcity_point end = end_at(context, scene, xyh_m + 3 * i, false);
        sights[i] = (point_sight){.line_of_sight = (double)NAN, .obstacle = ""};
        judge(context, scene, &end, has_value[i], skips, &sights[i]);
        if (!isnan(start.z_m) && !isnan(end.z_m)) {
            ends[line_count] = start;
            ends[count + line_count] = end;
            point_of[line_count++] = i;
        }
    }
    if (status == RCITY_OK && line_count > 0) {
        status = rcity_visibility_open(context, scene, device, &visibility);
        status = status == RCITY_OK ? rcity_visibility_measure(visibility, line_count, ends, ends + count, measures)
                                    : status;
    }
    for (int64_t i = 0; status == RCITY_OK && i < line_count; i++) {
        bool is_free = measures[i].hit_kind == RCITY_HIT_NONE;
        sights[point_of[i]].line_of_sight = is_free ? 1.0 : 0.0;
        sights[point_of[i]].obstacle = is_free ? "" : rcity_hit_kind_name(measures[i].hit_kind);
    }
    rcity_visibility_close(&visibility);
    free(measures);
    free(point_of);
    free(ends);
    return status;
}
