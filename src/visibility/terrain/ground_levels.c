/* What a source needs and leaves free over terrain: required heights, Fresnel clearance, the horizon. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/light.h"
#include "base/parallel.h"
#include "kernel/visibility/ground/ground_clearance.h"
#include "kernel/visibility/ground/ground_target.h"
#include "scene/place/terrain.h"
#include "visibility/terrain/ground_fan.h"
#include "visibility/terrain/ground_watch.h"

#define TWO_PI 6.28318530717958647692

typedef struct level_work {
    const rcity_ground_sight *sight;
    const rcity_ground_targets *targets;
    rcity_ground_field field;
    float wavelength, cell; /* height units */
    float *clearance;
    int32_t direction_count;
    float *elevation_rad, *distance_m;
    rcity_ground_watch watch;
} level_work;

static rcity_status start(const rcity_ground_sight *sight, rcity_grid_point3 source,
                          const rcity_ground_targets *targets, rcity_ground_job *job, level_work *work)
{
    memset(work, 0, sizeof *work);
    work->sight = sight;
    work->targets = targets;
    RCITY_CHECK(sight->context, (int64_t)targets->column_count * targets->row_count <= INT32_MAX, RCITY_ERR_ARGUMENT,
                "there are %d x %d targets, must be %d in all at most", targets->column_count, targets->row_count,
                INT32_MAX);
    RCITY_CHECK(sight->context, rcity_ground_job_make(sight, source, targets, job), RCITY_ERR_ARGUMENT,
                "the source at (%d, %d) in plan units lies off the terrain, or the terrain is too large", source.x,
                source.y);
    int32_t ground = rcity_ground_height(job, sight->terrain->height, source.x, source.y);
    RCITY_CHECK(sight->context, source.z >= ground, RCITY_ERR_ARGUMENT,
                "the source is %g m below the ground; must be above it",
                (double)(ground - source.z) / RCITY_HEIGHT_UNITS_PER_M);
    work->field = (rcity_ground_field){
        .job = job, .nodes = sight->terrain->height, .x = targets->x, .y = targets->y, .z = targets->z};
    return RCITY_OK;
}

static void sweep_fans(void *user, int64_t begin, int64_t end, int thread_index)
{
    level_work *work = user;
    int64_t fans = work->field.job->bin_count / RCITY_GROUND_FAN_BINS;
    for (int64_t i = begin; i < end && rcity_ground_watch_step(&work->watch, thread_index, 1); i++) {
        rcity_ground_fan_sweep(&work->field, (int)(i / fans), (int32_t)(i % fans));
    }
}

/* Targets that no direction reaches: off the grid, or at the source. */
static void mark_rest(const rcity_ground_job *job, const rcity_ground_targets *targets, float *needed_m, float *error_m)
{
    for (int32_t row = 0; row < targets->row_count; row++) {
        for (int32_t column = 0; column < targets->column_count; column++) {
            int32_t target = rcity_ground_target_index(job, column, row);
            bool is_inside = rcity_ground_contains(job, targets->x[column], targets->y[row]);
            needed_m[target] = error_m[target] = is_inside ? 0.0f : NAN;
        }
    }
}

rcity_status rcity_ground_sight_needed(const rcity_ground_sight *sight, rcity_grid_point3 source,
                                       const rcity_ground_targets *targets, float *needed_m, float *error_m)
{
    rcity_ground_job job;
    level_work work;
    RCITY_TRY(start(sight, source, targets, &job, &work));
    work.field.needed_m = needed_m;
    work.field.error_m = error_m;
    mark_rest(&job, targets, needed_m, error_m);
    int64_t fan_count = 8 * (int64_t)(job.bin_count / RCITY_GROUND_FAN_BINS);
    RCITY_TRY(rcity_ground_watch_start(sight->context, "required heights", fan_count, &work.watch));
    rcity_parallel(sight->context, fan_count, 1, sweep_fans, &work);
    return rcity_ground_watch_end(&work.watch);
}

static float clear_target(const level_work *work, int32_t column, int32_t row, int32_t target, int32_t *guess)
{
    const rcity_ground_job *job = work->field.job;
    const rcity_ground_targets *targets = work->targets;
    int32_t x = targets->x[column];
    int32_t y = targets->y[row];
    int32_t dx = x - job->x;
    int32_t dy = y - job->y;
    if (!rcity_ground_contains(job, x, y)) {
        return NAN;
    }
    if (dx == 0 && dy == 0) {
        return INFINITY;
    }
    int32_t ground = rcity_ground_height(job, work->field.nodes, x, y);
    int32_t z = targets->z != NULL ? targets->z[target] : ground + targets->height;
    rcity_ground_octant octant = rcity_ground_octant_make(job, rcity_ground_octant_of(dx, dy));
    int32_t away = abs(octant.is_swapped ? dy : dx);
    int32_t aside = abs(octant.is_swapped ? dx : dy);
    rcity_ground_line line = rcity_ground_line_make(job, &octant, away, aside, z - job->z);
    return rcity_ground_clearance(job, &octant, work->field.nodes, work->sight->blocks, &line, work->wavelength,
                                  work->cell, guess);
}

static void clear_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    level_work *work = user;
    for (int32_t row = (int32_t)begin; row < end && rcity_ground_watch_step(&work->watch, thread_index, 1); row++) {
        int32_t guess = 0; /* neighbours have what hides them in common */
        for (int32_t column = 0; column < work->targets->column_count; column++) {
            if (column % 64 == 63 && !rcity_ground_watch_step(&work->watch, thread_index, 0)) {
                return;
            }
            int32_t target = rcity_ground_target_index(work->field.job, column, row);
            work->clearance[target] = clear_target(work, column, row, target, &guess);
        }
    }
}

rcity_status rcity_ground_sight_clearance(const rcity_ground_sight *sight, rcity_grid_point3 source,
                                          const rcity_ground_targets *targets, double frequency_hz, float *clearance)
{
    rcity_ground_job job;
    level_work work;
    RCITY_CHECK(sight->context, isfinite(frequency_hz) && frequency_hz > 0.0, RCITY_ERR_ARGUMENT,
                "the frequency is %g Hz, must be above 0", frequency_hz);
    RCITY_TRY(start(sight, source, targets, &job, &work));
    work.wavelength = (float)(rcity_light_wavelength_m(frequency_hz) * RCITY_HEIGHT_UNITS_PER_M);
    work.cell = (float)((double)sight->terrain->cell / sight->units_per_m * RCITY_HEIGHT_UNITS_PER_M);
    work.clearance = clearance;
    RCITY_TRY(rcity_ground_watch_start(sight->context, "Fresnel clearance", targets->row_count, &work.watch));
    rcity_parallel(sight->context, targets->row_count, 4, clear_rows, &work);
    return rcity_ground_watch_end(&work.watch);
}

/* The highest slope along one direction, and where it is. */
typedef struct summit {
    float slope, away;
} summit;

static void take_place(const rcity_ground_ray *ray, float at, float height, summit *highest)
{
    float slope = at > 1.0e-4f ? rcity_ground_slope(height, at, ray->fall) : RCITY_GROUND_NOTHING;
    if (slope > highest->slope) {
        highest->slope = slope;
        highest->away = at;
    }
}

static summit find_summit(const level_work *work, const rcity_ground_octant *octant, float slope)
{
    const rcity_ground_job *job = work->field.job;
    rcity_ground_ray ray = rcity_ground_ray_make(job, octant, slope, 1.0f - slope);
    float left_away = (float)octant->left_away / (float)job->cell;
    float left_aside = (float)octant->left_aside / (float)job->cell;
    summit highest = {RCITY_GROUND_NOTHING, 0.0f};
    for (int32_t ring = 1; ring <= octant->ring_count; ring++) {
        float away = rcity_ground_away(job, octant, ring);
        if (left_aside + slope * away > (float)octant->side_count) {
            break;
        }
        rcity_ground_place at = rcity_ground_ray_place(slope, left_away, left_aside, ring, away, 0);
        rcity_ground_step step = rcity_ground_ray_step(rcity_ground_ring(work->field.nodes, octant, ring - 1), job->z,
                                                       octant, ray, at, octant->is_along, 0);
        for (int i = 0; i < (octant->is_along ? 1 : 3); i++) {
            take_place(&ray, away - step.back[i], step.height[i], &highest);
        }
        take_place(&ray, away, step.ring, &highest);
    }
    return highest;
}

static void find_directions(void *user, int64_t begin, int64_t end, int thread_index)
{
    level_work *work = user;
    const rcity_ground_job *job = work->field.job;
    double cell_m = (double)job->cell / work->sight->units_per_m;
    for (int64_t i = begin; i < end && rcity_ground_watch_step(&work->watch, thread_index, 1); i++) {
        double azimuth = TWO_PI * (double)i / work->direction_count;
        double east = sin(azimuth);
        double north = cos(azimuth);
        bool is_swapped = fabs(north) > fabs(east);
        int number = (east < 0.0 ? 1 : 0) | (north < 0.0 ? 2 : 0) | (is_swapped ? 4 : 0);
        rcity_ground_octant octant = rcity_ground_octant_make(job, number);
        double slope = is_swapped ? fabs(east / north) : fabs(north / east);
        summit highest = find_summit(work, &octant, (float)slope);
        double stretch_m = sqrt(1.0 + slope * slope) * cell_m;
        bool is_found = highest.slope > RCITY_GROUND_NOTHING;
        work->elevation_rad[i] =
            is_found ? (float)atan((double)highest.slope / (RCITY_HEIGHT_UNITS_PER_M * stretch_m)) : NAN;
        work->distance_m[i] = is_found ? (float)((double)highest.away * stretch_m) : NAN;
    }
}

rcity_status rcity_ground_sight_horizon(const rcity_ground_sight *sight, rcity_grid_point3 source, int32_t count,
                                        float *elevation_rad, float *distance_m)
{
    static const rcity_ground_targets none;
    rcity_ground_job job;
    level_work work;
    RCITY_TRY(start(sight, source, &none, &job, &work));
    work.direction_count = count;
    work.elevation_rad = elevation_rad;
    work.distance_m = distance_m;
    RCITY_TRY(rcity_ground_watch_start(sight->context, "the horizon", count, &work.watch));
    rcity_parallel(sight->context, count, 4, find_directions, &work);
    return rcity_ground_watch_end(&work.watch);
}
