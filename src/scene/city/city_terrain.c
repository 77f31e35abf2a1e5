/* Ground for cities. */
#include "scene/city/city_terrain.h"

#include "base/parallel.h"
#include "scene/city/city_noise.h"
#include "scene/city/city_random.h"
#include "scene/shapes.h"

#define HEIGHT_UNITS_PER_M 64.0
#define BAND_ROWS          64 /* computed between two reports of progress */

/* The steepest place of a bump (1 - r^2)^2 of height 1 and radius 1: 4 r (1 - r^2) at r = sqrt(1/3). */
#define BUMP_SLOPE_MAX 1.5396

static double bump(double r_squared)
{
    return r_squared < 1.0 ? (1.0 - r_squared) * (1.0 - r_squared) : 0.0;
}

static double hill_height(const rcity_city_hill *hill, rcity_city_point at)
{
    rcity_city_point from = rcity_city_point_subtract(at, hill->at);
    double along = rcity_city_point_dot(from, hill->axis) / hill->half_length_m;
    double across = rcity_city_point_cross(hill->axis, from) / hill->half_width_m;
    return hill->height_m * bump(along * along + across * across);
}

double rcity_city_hills_height(const void *user, rcity_city_point at)
{
    const rcity_city_hills *hills = user;
    double sum = 0.0; /* of squares: where hills overlap, the higher one dominates */
    for (int i = 0; i < hills->count; i++) {
        double height = hill_height(&hills->hill[i], at);
        sum += height * height;
    }
    rcity_city_point from = rcity_city_point_subtract(at, hills->flat_at);
    double flat = bump(rcity_city_point_dot(from, from) / (hills->flat_reach_m * hills->flat_reach_m));
    double swell = 6.0 * rcity_city_noise(hills->key, at.x / 260.0, at.y / 260.0);
    return 3.0 + hills->scale * (swell + sqrt(sum) * (1.0 - 0.92 * flat));
}

/* The steepest slope and the highest place, found on a grid of 15 m. */
static double find_slope_max(const rcity_city_draft *draft, const rcity_city_hills *hills, double *top_m)
{
    const double step = 15.0;
    int count = (int)(draft->side_m / step) + 1;
    double steepest = 0.0;
    *top_m = 0.0;
    for (int i = 0; i < count * count; i++) {
        int row = i / count;
        rcity_city_point at = {i % count * step, row * step};
        double here = rcity_city_hills_height(hills, at);
        double dx = rcity_city_hills_height(hills, rcity_city_point_at(at.x + step, at.y)) - here;
        double dy = rcity_city_hills_height(hills, rcity_city_point_at(at.x, at.y + step)) - here;
        double slope = sqrt(dx * dx + dy * dy) / step;
        steepest = slope > steepest ? slope : steepest;
        *top_m = here > *top_m ? here : *top_m;
    }
    return steepest;
}

rcity_city_hills rcity_city_hills_make(const rcity_city_draft *draft, uint64_t key, rcity_city_point flat_at,
                                       double flat_reach_m, double slope_max)
{
    rcity_city_hills hills = {.key = key, .flat_at = flat_at, .flat_reach_m = flat_reach_m, .scale = 1.0};
    double side = draft->side_m;
    double highest_m = 0.1 * side > 280.0 ? 280.0 : 0.1 * side;
    int count = 3 + (int)(side * side / 0.7e6);
    hills.count = count > RCITY_CITY_HILL_MAX ? RCITY_CITY_HILL_MAX : count;
    for (int i = 0; i < hills.count; i++) {
        rcity_city_hill *hill = &hills.hill[i];
        uint64_t hill_key = rcity_city_key(key, i);
        double size = i == 0 ? 1.0 : rcity_city_uniform(hill_key, 0);
        hill->at = rcity_city_point_at(side * rcity_city_uniform(hill_key, 1), side * rcity_city_uniform(hill_key, 2));
        hill->axis = rcity_city_point_unit(1.0, rcity_city_between(hill_key, 3, -2.0, 2.0));
        hill->height_m = highest_m * (0.25 + 0.75 * size * size * size);
        hill->half_width_m =
            hill->height_m * BUMP_SLOPE_MAX / (slope_max * rcity_city_between(hill_key, 4, 0.65, 1.05));
        hill->half_length_m = hill->half_width_m * rcity_city_between(hill_key, 5, 1.0, 1.8);
    }
    double steepest = find_slope_max(draft, &hills, &hills.top_m);
    if (steepest > slope_max) {
        hills.scale = slope_max / steepest;
        hills.top_m *= hills.scale;
    }
    return hills;
}

/* Heights at nodes, computed by many threads: each node by itself, so the bits do not depend on them. */
typedef struct height_job {
    double (*height)(const void *user, rcity_city_point at);
    const void *user;
    double cell_m;
    int count; /* of nodes in a row */
    int row;   /* the first one of the band */
    double *exact;
} height_job;

/* An rcity_parallel_function over the rows of a band. */
static void compute_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    const height_job *job = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        int64_t row = job->row + i;
        double *exact = job->exact + row * job->count;
        for (int column = 0; column < job->count; column++) {
            exact[column] =
                job->height(job->user, rcity_city_point_at(column * job->cell_m, (double)row * job->cell_m));
        }
    }
}

/* All rows, some at a time so that the caller can stop it. */
static rcity_status compute_heights(rcity_city_draft *draft, height_job *job)
{
    for (job->row = 0; job->row < job->count; job->row += BAND_ROWS) {
        int rows = job->count - job->row < BAND_ROWS ? job->count - job->row : BAND_ROWS;
        rcity_parallel(draft->context, rows, 1, compute_rows, job);
        RCITY_TRY(rcity_city_progress(draft, 0.5 * (job->row + rows) / job->count));
    }
    return RCITY_OK;
}

/* Shift and scale the heights to their limits, unless these are equal, and round them to the grid. */
static void round_heights(const double *exact, size_t node_count, double low_m, double high_m, float *rounded)
{
    double lowest = HUGE_VAL;
    double highest = -HUGE_VAL;
    for (size_t i = 0; i < node_count; i++) {
        lowest = exact[i] < lowest ? exact[i] : lowest;
        highest = exact[i] > highest ? exact[i] : highest;
    }
    bool is_stretched = low_m < high_m && lowest < highest;
    for (size_t i = 0; i < node_count; i++) {
        double value = is_stretched ? low_m + (high_m - low_m) * (exact[i] - lowest) / (highest - lowest) : exact[i];
        rounded[i] = (float)(floor(value * HEIGHT_UNITS_PER_M + 0.5) / HEIGHT_UNITS_PER_M);
    }
}

rcity_status rcity_city_terrain_set(rcity_city_draft *draft, double cell_m,
                                    double (*height)(const void *user, rcity_city_point at), const void *user,
                                    double low_m, double high_m)
{
    int count = (int)ceil(draft->side_m / cell_m) + 1;
    double *exact = NULL;
    float *rounded = NULL;
    rcity_status status = RCITY_OK;
    size_t node_count = (size_t)count * (size_t)count;
    RCITY_TRY_DONE(rcity_alloc(draft->context, node_count, sizeof *exact, "terrain of a city", &exact));
    RCITY_TRY_DONE(rcity_alloc(draft->context, node_count, sizeof *rounded, "terrain of a city", &rounded));
    height_job job = {.height = height, .user = user, .cell_m = cell_m, .count = count, .exact = exact};
    RCITY_TRY_DONE(compute_heights(draft, &job));
    round_heights(exact, node_count, low_m, high_m, rounded);
    rcity_release(draft->context, exact);
    exact = NULL;
    rcity_terrain terrain = {.column_count = count, .row_count = count, .cell_m = cell_m, .height_m = rounded};
    terrain.west_m = draft->origin_x_m;
    terrain.south_m = draft->origin_y_m;
    RCITY_TRY_DONE(rcity_scene_take_terrain(draft->scene, &terrain, &rounded));
done:
    rcity_release(draft->context, rounded);
    rcity_release(draft->context, exact);
    return status;
}
