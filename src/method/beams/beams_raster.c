/* Strips of rows on all threads: each is rasterised, then its cells are summed up one by one. A cell's paths come in the
   order of trees, nodes and parts, so the bits do not depend on threads. */
#include "method/beams/beams_raster.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/beams/beams.h"
#include "method/beams/raster/beam_bins.h"
#include "method/path_ends.h"
#include "method/receiver_plane.h"

#define STRIP_ROWS 4

/* Working memory of a thread. */
typedef struct raster_worker {
    rcity_beams_strip strip;
    rcity_beams_sums sums;
    rcity_beams_ways ways;
} raster_worker;

typedef struct raster_run {
    const rcity_job *job;
    const rcity_beams_traced *traced;
    rcity_beams_bins bins;
    const rcity_beams_levels *own; /* what levels need beside beams */
    rcity_tile_roof_path *over;    /* of each cell */
    bool goes_inside;              /* buildings have levels */
    double height_m;
    double wavelength_m;
    double dx, dy; /* where receivers are tested, beside their places */
    raster_worker *workers;
    rcity_beams_level *levels;
    rcity_beams_histogram *histograms; /* of each strip; NULL: none are wanted */
    atomic_llong near_count;
    atomic_llong done;
    atomic_int status; /* the first failure of any thread */
} raster_run;

static rcity_status sum_cell(const raster_run *run, raster_worker *own, int64_t cell, rcity_beams_level *level,
                             bool *is_near)
{
    const rcity_shapes *shapes = run->job->shapes;
    const rcity_beams_strip *strip = &own->strip;
    rcity_point position;
    rcity_receiver_state state;
    int64_t at = strip->cell_first + cell;
    rcity_receiver_cell_locate(run->job, run->height_m, at, &position, &state);
    rcity_place3 rx = {position.x_m - shapes->origin_x_m, position.y_m - shapes->origin_y_m, position.z_m};
    const rcity_place3 *tx = &run->traced->tx;
    bool is_open = state == RCITY_RECEIVER_NO_PATH;
    bool is_wanted = is_open || (run->goes_inside && state == RCITY_RECEIVER_IN_BUILDING);
    *is_near = is_wanted && hypot(hypot(rx.x - tx->x, rx.y - tx->y), rx.z - tx->z) < run->wavelength_m;
    rcity_beams_link link = {.beside = rcity_beams_beside_none()};
    if (is_open && !*is_near) { /* inside there is what comes through walls, and no law of the surroundings */
        link = rcity_beams_levels_link(run->own, &position, &run->over[at]);
    }
    if (is_wanted && !*is_near) {
        rx = rcity_path_end_rx_aside(rx, 0);
        for (int64_t i = strip->first[cell]; i < strip->first[cell + 1]; i++) {
            RCITY_TRY(rcity_beams_ways_list(&own->ways, &run->bins.ends[strip->list[i]], rx, rcity_beams_sums_add,
                                            &own->sums));
        }
    }
    return rcity_beams_levels_close(run->own, &link, &own->sums, level, NULL);
}

static rcity_status sum_strip(raster_run *run, raster_worker *own, int64_t strip_index)
{
    own->sums.histogram = run->histograms != NULL ? &run->histograms[strip_index] : NULL;
    RCITY_TRY(rcity_beams_bins_rasterise(run->job->context, &run->bins, strip_index, &own->strip));
    for (int64_t cell = 0; cell < own->strip.cell_count; cell++) {
        bool is_near = false;
        RCITY_TRY(sum_cell(run, own, cell, &run->levels[own->strip.cell_first + cell], &is_near));
        atomic_fetch_add(&run->near_count, is_near);
    }
    return RCITY_OK;
}

static void sum_strips(void *user, int64_t begin, int64_t end, int thread_index)
{
    raster_run *run = user;
    for (int64_t i = begin; i < end && atomic_load(&run->status) == RCITY_OK; i++) {
        rcity_status status = sum_strip(run, &run->workers[thread_index], i);
        long long done = atomic_fetch_add(&run->done, 1) + 1;
        if (status == RCITY_OK && thread_index == 0) { /* the caller's thread */
            status = rcity_progress(run->job->context, "receivers", (double)done, (double)run->bins.strip_count);
        }
        int none = RCITY_OK;
        if (status != RCITY_OK) {
            atomic_compare_exchange_strong(&run->status, &none, (int)status);
        }
    }
}

rcity_status rcity_beams_raster_run(const rcity_beams_levels *own, int height_index, rcity_beams_output *output)
{
    const rcity_job *job = own->job;
    const rcity_beams_traced *traced = own->traced;
    int64_t cell_count = job->raster.column_count * job->raster.row_count;
    const rcity_shapes *shapes = job->shapes;
    int thread_count = rcity_context_thread_count(job->context);
    raster_run run;
    memset(&run, 0, sizeof run);
    run.job = job;
    run.traced = traced;
    run.height_m = job->receivers->height_m[height_index];
    run.wavelength_m = traced->images.world.wavelength_m;
    run.own = own;
    run.goes_inside = strcmp(job->option[RCITY_BEAMS_INDOOR], "off") != 0;
    run.levels = output->levels;
    rcity_place3 aside = rcity_path_end_rx_aside((rcity_place3){0.0, 0.0, 0.0}, 0);
    run.dx = aside.x;
    run.dy = aside.y;
    atomic_init(&run.near_count, 0);
    atomic_init(&run.done, 0);
    atomic_init(&run.status, RCITY_OK);
    rcity_beams_grid grid = {job->raster.west_m - shapes->origin_x_m, job->raster.north_m - shapes->origin_y_m,
                             job->raster.cell_m, job->raster.column_count, job->raster.row_count};
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)thread_count, sizeof *run.workers, "beams", &run.workers));
    for (int i = 0; i < thread_count; i++) {
        run.workers[i].ways = (rcity_beams_ways){&traced->forest, &traced->images.search.checker, traced->tx,
                                                 traced->images.search.orders.ground_reflects, NULL};
        run.workers[i].sums.context = job->context;
        run.workers[i].sums.world = &traced->images.world;
        run.workers[i].sums.ends = &own->ends;
        run.workers[i].sums.rules = &own->rules;
        run.workers[i].sums.bin_s = output->bin_s;
        if (traced->forest.orders.max_transmissions > 0) {
            RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)traced->images.world.wall_count + 1,
                                       sizeof *run.workers[i].ways.found, "beams", &run.workers[i].ways.found));
        }
    }
    RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)cell_count + 1, sizeof *run.over, "paths over roofs", &run.over));
    RCITY_TRY_DONE(rcity_beams_levels_go_over(own, height_index * cell_count, cell_count, run.over));
    RCITY_TRY_DONE(rcity_beams_bins_init(job->context, &traced->forest, &grid, run.dx, run.dy, STRIP_ROWS, &run.bins));
    if (output->delays != NULL) {
        RCITY_TRY_DONE(rcity_alloc(job->context, (size_t)run.bins.strip_count, sizeof *run.histograms,
                                   "histograms of delays", &run.histograms));
    }
    rcity_parallel(job->context, run.bins.strip_count, 1, sum_strips, &run);
    RCITY_TRY_DONE((rcity_status)atomic_load(&run.status));
    output->near_count += (int64_t)atomic_load(&run.near_count);
    if (output->delays != NULL) {
        status = rcity_beams_histograms_hand_on(run.histograms, run.bins.strip_count,
                                                STRIP_ROWS * job->raster.column_count, output->delays);
    }
done:
    for (int64_t i = 0; run.histograms != NULL && i < run.bins.strip_count; i++) {
        rcity_beams_histogram_deinit(job->context, &run.histograms[i]);
    }
    rcity_release(job->context, run.histograms);
    for (int i = 0; run.workers != NULL && i < thread_count; i++) {
        run.workers[i].sums.context = job->context;
        rcity_beams_sums_deinit(&run.workers[i].sums);
        rcity_beams_strip_deinit(job->context, &run.workers[i].strip);
        rcity_release(job->context, run.workers[i].ways.found);
    }
    rcity_beams_bins_deinit(job->context, &run.bins);
    rcity_release(job->context, run.over);
    rcity_release(job->context, run.workers);
    return status;
}
