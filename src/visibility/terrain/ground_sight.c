#include "visibility/terrain/ground_sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "kernel/visibility/ground/ground_line.h"
#include "kernel/visibility/ground/ground_target.h"
#include "scene/place/terrain.h"
#include "visibility/terrain/ground_device.h"
#include "visibility/terrain/ground_exact.h"
#include "visibility/terrain/ground_fan.h"
#include "visibility/terrain/ground_watch.h"

#define CURVATURE_FACTOR_MIN 0.01

/* Single precision serves these; other grids are looked at line by line, exactly. */
#define NODE_MAX  ((int64_t)1 << 31)
#define CELL_MAX  (1 << 17)
#define REACH_MAX 16777216.0
#define RING_MAX  (1 << 16)

typedef struct block_work {
    rcity_ground_sight *sight;
    int32_t *steepest; /* of each row of blocks */
    int32_t *lowest, *highest;
    rcity_ground_watch watch;
} block_work;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* What the steps are from a node to its neighbours east, north and north-east. */
static int32_t steepest_at(const rcity_terrain_grid *terrain, const int32_t *node, bool has_east, bool has_north)
{
    int32_t steepest = 0;
    if (has_east) {
        steepest = abs(node[1] - node[0]);
    }
    if (has_north) {
        steepest = larger(steepest, abs(node[terrain->column_count] - node[0]));
    }
    if (has_east && has_north) {
        steepest = larger(steepest, abs(node[terrain->column_count + 1] - node[0]));
    }
    return steepest;
}

static void fill_blocks(void *user, int64_t begin, int64_t end, int thread_index)
{
    block_work *work = user;
    const rcity_terrain_grid *terrain = work->sight->terrain;
    for (int64_t block_row = begin; block_row < end && rcity_ground_watch_step(&work->watch, thread_index, 1);
         block_row++) {
        int32_t *blocks = work->sight->blocks + block_row * work->sight->block_columns;
        int32_t steepest = 0;
        int32_t lowest = INT32_MAX;
        int32_t highest = INT32_MIN;
        for (int32_t i = 0; i < work->sight->block_columns; i++) {
            blocks[i] = INT32_MIN;
        }
        int64_t last_row = (block_row + 1) * RCITY_GROUND_BLOCK;
        for (int64_t row = block_row * RCITY_GROUND_BLOCK; row <= last_row && row < terrain->row_count; row++) {
            const int32_t *nodes = terrain->height + row * terrain->column_count;
            for (int32_t column = 0; column < terrain->column_count; column++) {
                int32_t block = column / RCITY_GROUND_BLOCK;
                block = block < work->sight->block_columns ? block : work->sight->block_columns - 1;
                blocks[block] = larger(blocks[block], nodes[column]);
                if (column % RCITY_GROUND_BLOCK == 0 && column > 0) {
                    blocks[column / RCITY_GROUND_BLOCK - 1] =
                        larger(blocks[column / RCITY_GROUND_BLOCK - 1], nodes[column]);
                }
                lowest = nodes[column] < lowest ? nodes[column] : lowest;
                highest = larger(highest, nodes[column]);
                steepest = larger(steepest, steepest_at(terrain, nodes + column, column + 1 < terrain->column_count,
                                                        row + 1 < terrain->row_count));
            }
        }
        work->steepest[block_row] = steepest;
        work->lowest[block_row] = lowest;
        work->highest[block_row] = highest;
    }
}

rcity_status rcity_ground_sight_init(rcity_context *context, const rcity_shapes *shapes, double curvature_factor,
                                     rcity_ground_sight *sight)
{
    const rcity_terrain_grid *terrain = &shapes->terrain;
    RCITY_CHECK(context,
                curvature_factor == 0.0 || (isfinite(curvature_factor) && curvature_factor >= CURVATURE_FACTOR_MIN),
                RCITY_ERR_ARGUMENT, "the curvature factor is %g, must be 0 for a flat earth or at least %g",
                curvature_factor, CURVATURE_FACTOR_MIN);
    RCITY_CHECK(context, terrain->column_count >= 2 && terrain->row_count >= 2, RCITY_ERR_ARGUMENT,
                "the terrain has %d x %d nodes, must have 2 x 2 at least", terrain->column_count, terrain->row_count);
    rcity_ground_sight made;
    memset(&made, 0, sizeof made);
    made.context = context;
    made.terrain = terrain;
    made.units_per_m = shapes->units_per_m;
    double radius_m = curvature_factor * RCITY_EARTH_RADIUS_M;
    made.radius_m = radius_m < 1e12 ? llround(radius_m) : 0; /* larger ones are flat */
    made.block_columns = (terrain->column_count - 2) / RCITY_GROUND_BLOCK + 1;
    made.block_rows = (terrain->row_count - 2) / RCITY_GROUND_BLOCK + 1;
    block_work work = {.sight = &made};
    int32_t *extremes = NULL;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)made.block_columns * (size_t)made.block_rows, sizeof *made.blocks,
                               "the highest ground", &made.blocks));
    RCITY_TRY_DONE(
        rcity_alloc(context, (size_t)made.block_rows, 3 * sizeof *extremes, "the highest ground", &extremes));
    work.steepest = extremes;
    work.lowest = extremes + made.block_rows;
    work.highest = extremes + 2 * made.block_rows;
    RCITY_TRY_DONE(rcity_ground_watch_start(context, "the highest ground", made.block_rows, &work.watch));
    rcity_parallel(context, made.block_rows, 1, fill_blocks, &work);
    RCITY_TRY_DONE(rcity_ground_watch_end(&work.watch));
    made.lowest = INT32_MAX;
    made.highest = INT32_MIN;
    for (int32_t i = 0; i < made.block_rows; i++) {
        made.steepest = larger(made.steepest, work.steepest[i]);
        made.lowest = work.lowest[i] < made.lowest ? work.lowest[i] : made.lowest;
        made.highest = larger(made.highest, work.highest[i]);
    }
done:
    rcity_release(context, extremes);
    if (status == RCITY_OK) {
        *sight = made;
    } else {
        rcity_release(context, made.blocks);
    }
    return status;
}

bool rcity_ground_coordinates_grow(const int32_t *coordinates, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        if (coordinates[i] <= coordinates[i - 1]) {
            return false;
        }
    }
    return true;
}

void rcity_ground_sight_deinit(rcity_ground_sight *sight)
{
    rcity_release(sight->context, sight->blocks);
    sight->blocks = NULL;
}

bool rcity_ground_job_make(const rcity_ground_sight *sight, rcity_grid_point3 source,
                           const rcity_ground_targets *targets, rcity_ground_job *job)
{
    const rcity_terrain_grid *terrain = sight->terrain;
    memset(job, 0, sizeof *job);
    job->column_count = terrain->column_count;
    job->row_count = terrain->row_count;
    job->west = terrain->west;
    job->south = terrain->south;
    job->cell = terrain->cell;
    job->block_columns = sight->block_columns;
    job->block_rows = sight->block_rows;
    job->x = source.x;
    job->y = source.y;
    job->z = source.z;
    job->target_columns = targets->column_count;
    job->target_rows = targets->row_count;
    job->is_north_first = targets->is_north_first;
    job->target_height = targets->height;
    job->has_target_z = targets->z != NULL;
    int32_t rings = larger(terrain->column_count, terrain->row_count);
    if (rings > RING_MAX || terrain->cell > CELL_MAX ||
        (int64_t)terrain->column_count * terrain->row_count >= NODE_MAX ||
        !rcity_terrain_contains(terrain, source.x, source.y)) {
        return false;
    }
    int32_t farthest = 1;
    for (int octant = 0; octant < 8; octant++) {
        farthest = larger(farthest, rcity_ground_octant_make(job, octant).ring_count);
    }
    job->bin_count = RCITY_GROUND_FAN_BINS;
    while (job->bin_count < RCITY_GROUND_BINS_PER_RING * (farthest + 1)) {
        job->bin_count *= 2;
    }
    double cell_m = (double)terrain->cell / sight->units_per_m;
    double fall =
        sight->radius_m > 0 ? cell_m * cell_m * RCITY_HEIGHT_UNITS_PER_M / (2.0 * (double)sight->radius_m) : 0;
    double reach = fmax(fabs((double)sight->highest - source.z), fabs((double)sight->lowest - source.z));
    reach += 2.0 * fall * farthest * farthest;
    job->steep = (float)sight->steepest;
    job->reach = (float)(reach * 1.001) + 1.0f;
    job->fall = (float)fall;
    return reach < REACH_MAX;
}

typedef struct sight_work {
    const rcity_ground_sight *sight;
    const rcity_ground_targets *targets;
    rcity_ground_field field;
    rcity_grid_point3 source;
    bool is_served;          /* the bounds were used */
    int64_t *walked, *exact; /* of each thread */
    rcity_ground_watch watch;
} sight_work;

/* Of all octants. */
static int64_t fan_count(const rcity_ground_job *job)
{
    return 8 * (int64_t)(job->bin_count / RCITY_GROUND_FAN_BINS);
}

static void sweep_fans(void *user, int64_t begin, int64_t end, int thread_index)
{
    sight_work *work = user;
    int64_t fans = fan_count(work->field.job) / 8;
    for (int64_t i = begin; i < end && rcity_ground_watch_step(&work->watch, thread_index, 1); i++) {
        rcity_ground_fan_sweep(&work->field, (int)(i / fans), (int32_t)(i % fans));
    }
}

/* Do the cells that a line passes from one ring to the next block it? */
static bool step_blocks(const rcity_ground_sight *sight, const rcity_ground_octant *octant,
                        const rcity_ground_line *line, rcity_grid_point3 from, rcity_grid_point3 to, float away,
                        int32_t ring)
{
    float aside = line->left_aside + line->ray.slope * away;
    int32_t last = (int32_t)aside + 1;
    int32_t first = (int32_t)(aside - line->ray.slope) - 1;
    int64_t away_cell = octant->base_away + (octant->sign_away > 0 ? ring - 1 : -ring);
    for (int32_t i = first; i <= last; i++) {
        int64_t aside_cell = octant->base_aside + (octant->sign_aside > 0 ? i : -i - 1);
        if (octant->is_swapped ? rcity_ground_cell_blocks(sight, from, to, aside_cell, away_cell)
                               : rcity_ground_cell_blocks(sight, from, to, away_cell, aside_cell)) {
            return true;
        }
    }
    return false;
}

/* A line that its direction's bounds left undecided. */
static uint8_t walk_line(const sight_work *work, rcity_grid_point3 to, int thread_index)
{
    const rcity_ground_sight *sight = work->sight;
    const rcity_ground_job *job = work->field.job;
    int32_t dx = to.x - job->x;
    int32_t dy = to.y - job->y;
    work->walked[thread_index]++;
    int32_t farther = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    if (!work->is_served || farther == 0 || rcity_ground_is_too_near(job, farther)) {
        work->exact[thread_index]++;
        return rcity_ground_sight_blocks(sight, work->source, to) ? RCITY_GROUND_HIDDEN : RCITY_GROUND_VISIBLE;
    }
    rcity_ground_octant octant = rcity_ground_octant_make(job, rcity_ground_octant_of(dx, dy));
    int32_t away = abs(octant.is_swapped ? dy : dx);
    int32_t aside = abs(octant.is_swapped ? dx : dy);
    rcity_ground_line line = rcity_ground_line_make(job, &octant, away, aside, to.z - job->z);
    bool is_counted = false;
    int32_t ring = 1;
    for (;; ring++) {
        int answer = rcity_ground_line_walk(job, &octant, work->field.nodes, sight->blocks, &line, &ring);
        if (answer != RCITY_GROUND_UNDECIDED) {
            return (uint8_t)answer;
        }
        work->exact[thread_index] += !is_counted;
        is_counted = true;
        /* on a curved earth the ground may rise over the line behind a ring that it nearly touches, in the next step */
        int32_t last = job->fall > 0.0f && ring < line.ring_last ? ring + 1 : ring;
        for (int32_t step = ring; step <= last; step++) {
            if (step_blocks(sight, &octant, &line, work->source, to, rcity_ground_away(job, &octant, step), step)) {
                return RCITY_GROUND_HIDDEN;
            }
        }
    }
}

static void walk_rows(void *user, int64_t begin, int64_t end, int thread_index)
{
    sight_work *work = user;
    const rcity_ground_targets *targets = work->targets;
    for (int64_t row = begin; row < end && rcity_ground_watch_step(&work->watch, thread_index, 1); row++) {
        for (int32_t column = 0; column < targets->column_count; column++) {
            int64_t target = rcity_ground_target_index(work->field.job, column, (int32_t)row);
            uint8_t *seen = &work->field.seen[target];
            if (*seen != RCITY_GROUND_UNDECIDED) {
                continue;
            }
            rcity_grid_point3 to = {targets->x[column], targets->y[row], 0};
            int32_t ground = rcity_ground_height(work->field.job, work->field.nodes, to.x, to.y);
            to.z = targets->z != NULL ? targets->z[target] : ground + targets->height;
            if (!rcity_ground_watch_step(&work->watch, thread_index, 0)) { /* lines may be long */
                return;
            }
            *seen = to.z < ground ? RCITY_GROUND_HIDDEN : walk_line(work, to, thread_index);
        }
    }
}

/* All targets are undecided, but those off the grid. */
static void mark_all(const rcity_ground_job *job, const rcity_ground_targets *targets, uint8_t inside, uint8_t *seen)
{
    for (int32_t row = 0; row < targets->row_count; row++) {
        for (int32_t column = 0; column < targets->column_count; column++) {
            bool is_inside = rcity_ground_contains(job, targets->x[column], targets->y[row]);
            seen[rcity_ground_target_index(job, column, row)] = is_inside ? inside : RCITY_GROUND_NOWHERE;
        }
    }
}

/* The target at the source's own place, if there is one, is undecided: no direction leads to it. */
static void mark_place(const rcity_ground_job *job, const rcity_ground_targets *targets, uint8_t *seen)
{
    int32_t column = rcity_ground_first_at(targets->x, targets->column_count, job->x);
    int32_t row = rcity_ground_first_at(targets->y, targets->row_count, job->y);
    if (column < targets->column_count && row < targets->row_count && targets->x[column] == job->x &&
        targets->y[row] == job->y) {
        seen[rcity_ground_target_index(job, column, row)] = RCITY_GROUND_UNDECIDED;
    }
}

/* The lines that are left, on the host's threads. */
static rcity_status walk_all(sight_work *work, rcity_ground_effort *effort)
{
    rcity_context *context = work->sight->context;
    int thread_count = rcity_context_thread_count(context);
    int64_t *counts = NULL;
    RCITY_TRY(rcity_alloc(context, (size_t)thread_count, 2 * sizeof *counts, "lines of sight", &counts));
    work->walked = counts;
    work->exact = counts + thread_count;
    rcity_parallel(context, work->targets->row_count, 4, walk_rows, work);
    for (int i = 0; effort != NULL && i < thread_count; i++) {
        effort->walked += work->walked[i];
        effort->exact += work->exact[i];
    }
    rcity_release(context, counts);
    return rcity_ground_watch_end(&work->watch);
}

/* Is the source below the ground it stands over? Then everything is hidden. */
static bool is_below(const rcity_ground_sight *sight, const rcity_ground_job *job)
{
    return rcity_terrain_contains(sight->terrain, job->x, job->y) &&
           rcity_ground_height(job, sight->terrain->height, job->x, job->y) > job->z;
}

bool rcity_ground_sight_bound(const rcity_ground_sight *sight, rcity_grid_point3 source,
                              const rcity_ground_targets *targets, uint8_t *seen)
{
    rcity_ground_job job;
    if (!rcity_ground_job_make(sight, source, targets, &job)) {
        return false;
    }
    if (is_below(sight, &job)) {
        mark_all(&job, targets, RCITY_GROUND_HIDDEN, seen);
        return true;
    }
    rcity_ground_field field = {
        .job = &job, .nodes = sight->terrain->height, .x = targets->x, .y = targets->y, .z = targets->z, .seen = seen};
    memset(seen, RCITY_GROUND_NOWHERE, (size_t)targets->column_count * (size_t)targets->row_count);
    for (int octant = 0; octant < 8; octant++) {
        for (int32_t fan = 0; fan < job.bin_count / RCITY_GROUND_FAN_BINS; fan++) {
            rcity_ground_fan_sweep(&field, octant, fan);
        }
    }
    mark_place(&job, targets, seen);
    return true;
}

rcity_status rcity_ground_sight_fill(const rcity_ground_sight *sight, rcity_ground_device *device,
                                     rcity_grid_point3 source, const rcity_ground_targets *targets, uint8_t *seen,
                                     rcity_ground_effort *effort)
{
    rcity_ground_job job;
    sight_work work;
    RCITY_CHECK(sight->context, (int64_t)targets->column_count * targets->row_count <= INT32_MAX, RCITY_ERR_ARGUMENT,
                "there are %d x %d targets, must be %d in all at most", targets->column_count, targets->row_count,
                INT32_MAX);
    memset(&work, 0, sizeof work);
    work.sight = sight;
    work.targets = targets;
    work.source = source;
    work.is_served = rcity_ground_job_make(sight, source, targets, &job);
    work.field = (rcity_ground_field){
        .job = &job, .nodes = sight->terrain->height, .x = targets->x, .y = targets->y, .z = targets->z, .seen = seen};
    if (effort != NULL) {
        memset(effort, 0, sizeof *effort);
    }
    if (is_below(sight, &job)) {
        mark_all(&job, targets, RCITY_GROUND_HIDDEN, seen);
        return RCITY_OK;
    }
    bool is_swept = work.is_served && device == NULL;
    RCITY_TRY(rcity_ground_watch_start(sight->context, "line of sight",
                                       targets->row_count + (is_swept ? fan_count(&job) : 0), &work.watch));
    if (!work.is_served) {
        mark_all(&job, targets, RCITY_GROUND_UNDECIDED, seen);
        return walk_all(&work, effort);
    }
    if (device != NULL) {
        int64_t walked = 0;
        RCITY_TRY(rcity_ground_device_run(device, &job, targets, seen, &walked));
        mark_place(&job, targets, seen);
        RCITY_TRY(walk_all(&work, effort));
        if (effort != NULL) {
            effort->walked = walked;
        }
        return RCITY_OK;
    }
    memset(seen, RCITY_GROUND_NOWHERE, (size_t)targets->column_count * (size_t)targets->row_count);
    rcity_parallel(sight->context, fan_count(&job), 1, sweep_fans, &work);
    mark_place(&job, targets, seen);
    return walk_all(&work, effort);
}
