/* Finding paths: receivers in groups over the threads, their paths handed on in the receivers' order. */
#include "method/images/images_find.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/images/boundary.h"
#include "method/images/images.h"
#include "method/images/path_antenna.h"
#include "method/images/path_chain.h"
#include "method/images/path_ends.h"
#include "method/images/roof_chains.h"

#define GROUP_RECEIVERS 64 /* a thread, between two reports of progress */

/* Working memory of a thread. */
typedef struct worker {
    rcity_searcher searcher;
    rcity_path_list list;
    rcity_roof_chains chains;
} worker;

/* The paths of a receiver, ready to be handed on. */
typedef struct found_paths {
    size_t path_count, path_capacity;
    rcity_path *paths;
    size_t event_count, event_capacity;
    rcity_ray_event *events;
} found_paths;

typedef struct find_run {
    const rcity_job *job;
    const rcity_images_traced *traced;
    rcity_path_ends ends;
    bool goes_over_roofs;
    worker *workers;
    int64_t first; /* of the group */
    rcity_place3 *rx;
    bool *is_wanted;
    found_paths *found;
    atomic_int status; /* the first failure of any thread */
    rcity_rays *rays;
    atomic_llong done; /* receivers */
} find_run;

/* The other threads end when one has failed. */
static rcity_status heed_others(void *user)
{
    find_run *run = user;
    return (rcity_status)atomic_load(&run->status);
}

/* Progress, heard while a long search runs on the caller's thread. */
static rcity_status report_done(void *user)
{
    find_run *run = user;
    RCITY_TRY(heed_others(user));
    return rcity_rays_report(run->rays, (double)atomic_load(&run->done));
}

static rcity_ray_event describe_event(const rcity_trace_world *world, const rcity_trace_event *event)
{
    const rcity_shapes *shapes = world->shapes;
    rcity_ray_event made = {event->kind,
                            RCITY_PLACE_ROOF_EDGE,
                            -1,
                            {event->point.x + shapes->origin_x_m, event->point.y + shapes->origin_y_m, event->point.z}};
    int32_t prism = -1;
    if (event->kind == RCITY_EVENT_DIFFRACTION) {
        const rcity_bend *bend = &world->bends[event->object];
        prism = bend->prism;
        made.place = bend->is_vertical ? RCITY_PLACE_VERTICAL_EDGE : RCITY_PLACE_ROOF_EDGE;
    } else if (event->kind == RCITY_EVENT_OVER_ROOFS) {
        made.place = event->object == RCITY_TRACE_TERRAIN ? RCITY_PLACE_TERRAIN_EDGE : RCITY_PLACE_ROOF_EDGE;
    } else {
        rcity_mirror mirror;
        rcity_trace_mirror(world, event->object, &mirror);
        prism = mirror.prism;
        made.place = mirror.kind == RCITY_MIRROR_WALL   ? RCITY_PLACE_WALL
                     : mirror.kind == RCITY_MIRROR_ROOF ? RCITY_PLACE_ROOF
                                                        : RCITY_PLACE_GROUND;
    }
    made.building_id = prism >= 0 ? shapes->buildings[shapes->prisms[prism].building].id : -1;
    return made;
}

/* A path with its field and its antennas. Its events are found by their number until all are there. */
static rcity_status keep_path(const find_run *run, const rcity_trace_path *path, const rcity_channel *channel,
                              found_paths *found)
{
    rcity_context *context = run->job->context;
    RCITY_TRY(rcity_reserve(context, found->path_count + 1, sizeof *found->paths, &found->path_capacity, "the paths",
                            &found->paths));
    RCITY_TRY(rcity_reserve(context, found->event_count + (size_t)path->event_count, sizeof *found->events,
                            &found->event_capacity, "the paths", &found->events));
    rcity_path_weight weight = rcity_path_weigh(&run->ends, path, channel);
    rcity_path *made = &found->paths[found->path_count++];
    memset(made, 0, sizeof *made);
    made->event_count = path->event_count;
    made->length_m = weight.length_m;
    made->departure_azimuth_deg = weight.departure_azimuth_deg;
    made->departure_elevation_deg = weight.departure_elevation_deg;
    made->arrival_azimuth_deg = weight.arrival_azimuth_deg;
    made->arrival_elevation_deg = weight.arrival_elevation_deg;
    memcpy(made->transfer, channel->transfer, sizeof made->transfer);
    made->amplitude = weight.amplitude;
    made->cross_amplitude = weight.cross_amplitude;
    made->loss_db = -10.0 * log10(weight.isotropic_gain);
    for (int i = 0; i < path->event_count; i++) {
        found->events[found->event_count++] = describe_event(&run->traced->world, &path->event[i]);
    }
    return RCITY_OK;
}

/* Keep the chains. Each is shown as its string: tops below that are in its field, not on its way. */
static rcity_status keep_chains(const find_run *run, const rcity_roof_chains *chains, found_paths *found)
{
    const rcity_trace_world *world = &run->traced->world;
    for (size_t i = 0; i < chains->count; i++) {
        const rcity_trace_path *path = &chains->chains[i].path;
        rcity_channel channel = rcity_path_channel(world, path);
        rcity_trace_path string = rcity_path_tauten(world, path);
        RCITY_TRY(keep_path(run, &string, &channel, found));
    }
    return RCITY_OK;
}

static void weaken(rcity_channel *channel, double share)
{
    for (int i = 0; i < 4; i++) {
        channel->transfer[i / 2][i % 2].re *= share;
        channel->transfer[i / 2][i % 2].im *= share;
    }
}

static rcity_status find_paths(const find_run *run, worker *own, rcity_place3 rx, found_paths *found)
{
    rcity_context *context = run->job->context;
    const rcity_search *search = &run->traced->search;
    found->path_count = 0;
    found->event_count = 0;
    own->chains.count = 0;
    if (run->goes_over_roofs) {
        RCITY_TRY(rcity_roof_chains_find(context, search, rx, &own->chains));
    }
    RCITY_TRY(rcity_boundary_search(context, search, &own->searcher, &rx, &own->list));
    for (size_t i = 0; i < own->list.path_count; i++) {
        rcity_trace_path path;
        rcity_path_list_get(&own->list, i, search->tx, rx, &path);
        double share = rcity_roof_chains_share(search, &own->chains, &path);
        if (share > 0.0) {
            rcity_channel channel = rcity_path_channel(search->world, &path);
            weaken(&channel, share);
            RCITY_TRY(keep_path(run, &path, &channel, found));
        }
    }
    RCITY_TRY(keep_chains(run, &own->chains, found));
    size_t next = 0;
    for (size_t i = 0; i < found->path_count; i++) {
        found->paths[i].events = found->events + next;
        next += (size_t)found->paths[i].event_count;
    }
    return RCITY_OK;
}

static void find_group(void *user, int64_t begin, int64_t end, int thread_index)
{
    find_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        run->found[i].path_count = 0;
        if (run->is_wanted[i] && atomic_load(&run->status) == RCITY_OK) {
            rcity_status status = find_paths(run, &run->workers[thread_index], run->rx[i], &run->found[i]);
            int none = RCITY_OK;
            if (status != RCITY_OK) {
                atomic_compare_exchange_strong(&run->status, &none, (int)status);
            }
        }
        atomic_fetch_add(&run->done, 1);
    }
}

/* One group of receivers: where they stand, their paths, and on to the caller's. */
static rcity_status run_group(find_run *run, int64_t count, rcity_rays *rays)
{
    const rcity_shapes *shapes = run->job->shapes;
    for (int64_t i = 0; i < count; i++) {
        rcity_receiver_summary receiver;
        RCITY_TRY(rcity_rays_get_receiver(rays, run->first + i, &receiver));
        run->is_wanted[i] = receiver.state == RCITY_RECEIVER_SILENT;
        rcity_place3 at = {receiver.position.x_m - shapes->origin_x_m, receiver.position.y_m - shapes->origin_y_m,
                           receiver.position.z_m};
        run->rx[i] = rcity_path_end_in_air(&run->traced->world, &run->traced->prepared->prism_index, at);
    }
    rcity_parallel(run->job->context, count, 1, find_group, run);
    RCITY_TRY((rcity_status)atomic_load(&run->status));
    for (int64_t i = 0; i < count; i++) {
        if (run->found[i].path_count > 0) {
            RCITY_TRY(
                rcity_rays_add_paths(rays, run->first + i, (int64_t)run->found[i].path_count, run->found[i].paths));
        }
    }
    return RCITY_OK;
}

static void release_run(find_run *run, int thread_count, int64_t group)
{
    rcity_context *context = run->job->context;
    for (int64_t i = 0; run->found != NULL && i < group; i++) {
        rcity_release(context, run->found[i].paths);
        rcity_release(context, run->found[i].events);
    }
    for (int i = 0; run->workers != NULL && i < thread_count; i++) {
        rcity_roof_chains_deinit(context, &run->workers[i].chains);
        rcity_path_list_deinit(context, &run->workers[i].list);
        rcity_searcher_deinit(context, &run->workers[i].searcher);
    }
    rcity_release(context, run->found);
    rcity_release(context, run->is_wanted);
    rcity_release(context, run->rx);
    rcity_release(context, run->workers);
}

static rcity_rx_polarization read_polarization(const rcity_job *job)
{
    const char *word = job->option[RCITY_IMAGES_RX_POLARIZATION];
    return strcmp(word, "vertical") == 0      ? RCITY_RX_POLARIZATION_VERTICAL
           : strcmp(word, "horizontal") == 0  ? RCITY_RX_POLARIZATION_HORIZONTAL
           : strcmp(word, "slant") == 0       ? RCITY_RX_POLARIZATION_SLANT
           : strcmp(word, "slant-minus") == 0 ? RCITY_RX_POLARIZATION_SLANT_MINUS
                                              : RCITY_RX_POLARIZATION_BOTH;
}

rcity_status rcity_images_find(const rcity_job *job, const void *kept, rcity_rays *rays)
{
    rcity_context *context = job->context;
    int thread_count = rcity_context_thread_count(context);
    int64_t receiver_count = rcity_rays_receiver_count(rays);
    int64_t group = (int64_t)GROUP_RECEIVERS * thread_count;
    group = group < receiver_count ? group : receiver_count;
    find_run run;
    memset(&run, 0, sizeof run);
    run.job = job;
    run.traced = kept;
    run.ends = rcity_path_ends_make(job, 0, read_polarization(job));
    run.goes_over_roofs = strcmp(job->option[RCITY_IMAGES_OVER_ROOFS], "on") == 0;
    atomic_init(&run.status, RCITY_OK);
    atomic_init(&run.done, 0);
    run.rays = rays;
    rcity_status status;
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)thread_count, sizeof *run.workers, "tracing", &run.workers));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)group, sizeof *run.rx, "receivers", &run.rx));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)group, sizeof *run.is_wanted, "receivers", &run.is_wanted));
    RCITY_TRY_DONE(rcity_alloc(context, (size_t)group, sizeof *run.found, "receivers", &run.found));
    for (int i = 0; i < thread_count; i++) {
        RCITY_TRY_DONE(rcity_searcher_init(context, &run.traced->search, &run.workers[i].searcher));
        run.workers[i].searcher.pause = i == 0 ? report_done : heed_others; /* callbacks run on the caller's thread */
        run.workers[i].searcher.pause_user = &run;
        RCITY_TRY_DONE(rcity_roof_chains_init(context, &run.traced->search, &run.workers[i].chains));
    }
    for (run.first = 0; run.first < receiver_count; run.first += group) {
        RCITY_TRY_DONE(rcity_rays_report(rays, (double)run.first));
        int64_t left = receiver_count - run.first;
        RCITY_TRY_DONE(run_group(&run, left < group ? left : group, rays));
    }
    status = rcity_rays_report(rays, (double)receiver_count);
done:
    release_run(&run, thread_count, group);
    return status;
}
