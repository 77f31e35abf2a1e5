/* Finding paths: receivers in groups over the threads; their paths are weighed or kept in the receivers' order. */
#include "method/images/images_find.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "method/images/field/path_antenna.h"
#include "method/images/images.h"
#include "method/images/images_kept.h"
#include "method/images/images_paths.h"
#include "method/images/scatter/scatter_near.h"
#include "method/path_ends.h"
#include "result/ray_summary.h"

#define GROUP_RECEIVERS 64 /* per thread, between two reports of progress */

/* Working memory of a thread. */
typedef struct worker {
    rcity_path_finder finder;
    rcity_path_finder back_finder; /* from a receiver to the transmitter's surroundings */
    size_t item_capacity;
    rcity_group_item *items;
    rcity_found_paths patch_paths;
    rcity_scatter_patch patch; /* one of those around the transmitter, lit from a receiver */
} worker;

/* The paths of a receiver: as found, and with antennas, ready to be added to the rays. */
typedef struct receiver_slot {
    rcity_found_paths found;
    size_t weighed_count, weighed_capacity;
    rcity_path *weighed;
    rcity_group_sum grouped;
    rcity_scatter_sum scattered;
} receiver_slot;

typedef struct find_run {
    const rcity_job *job;
    const rcity_images_traced *traced;
    rcity_path_ends ends;
    rcity_images_kept *keeps; /* where paths are kept without antennas; NULL: they are weighed and added to the rays */
    bool goes_over_roofs;
    rcity_scatter_options scattering;
    rcity_scatter_patches patches; /* empty unless surfaces near antennas scatter at the end of other paths */
    int64_t near_tx_count;
    int64_t *near_tx; /* the patches near the transmitter */
    worker *workers;
    int64_t first;  /* of the group, among the receivers of the rays */
    int64_t offset; /* of the rays' receivers among all receivers of the job */
    rcity_place3 *rx;
    bool *is_wanted;
    receiver_slot *slots;
    atomic_int status; /* the first failure of any thread */
    rcity_rays *rays;
    atomic_llong done; /* number of receivers */
} find_run;

/* The other threads stop when one has failed. */
static rcity_status stop_if_others_failed(void *user)
{
    find_run *run = user;
    return (rcity_status)atomic_load(&run->status);
}

/* Report progress during a long search on the caller's thread. */
static rcity_status report_done(void *user)
{
    find_run *run = user;
    RCITY_TRY(stop_if_others_failed(user));
    return rcity_rays_report(run->rays, (double)atomic_load(&run->done));
}

/* Add up the weighed paths of a receiver, group by group. */
static rcity_status add_groups(const find_run *run, worker *own, const rcity_found_path *paths, receiver_slot *slot)
{
    size_t count = 0;
    RCITY_TRY(rcity_reserve(run->job->context, RCITY_GROUP_SHARE_MAX * slot->weighed_count, sizeof *own->items,
                            &own->item_capacity, "groups of paths", &own->items));
    for (size_t i = 0; i < slot->weighed_count; i++) {
        const rcity_path *path = &slot->weighed[i];
        double power = rcity_path_power(path);
        double factor = power > 0.0 ? sqrt(pow(10.0, -0.1 * path->loss_db) / power) : 0.0;
        for (int k = 0; k < paths[i].groups.count && power > 0.0; k++) {
            double share = paths[i].groups.share[k].factor;
            own->items[count++] =
                (rcity_group_item){paths[i].groups.share[k].group,
                                   i,
                                   {share * path->amplitude.re, share * path->amplitude.im},
                                   {share * path->cross_amplitude.re, share * path->cross_amplitude.im},
                                   factor,
                                   paths[i].course.departure,
                                   paths[i].course.arrival};
        }
    }
    slot->grouped = rcity_groups_add(own->items, count);
    return RCITY_OK;
}

/* Weigh paths by the antennas; their events lie in one array. */
static rcity_status weigh_paths(const find_run *run, worker *own, size_t count, const rcity_found_path *paths,
                                const rcity_ray_event *events, receiver_slot *slot)
{
    RCITY_TRY(rcity_reserve(run->job->context, count, sizeof *slot->weighed, &slot->weighed_capacity, "the paths",
                            &slot->weighed));
    for (size_t i = 0; i < count; i++) {
        const rcity_path_course *course = &paths[i].course;
        rcity_path_weight weight = rcity_path_weigh(&run->ends, course, &paths[i].channel);
        rcity_path *made = &slot->weighed[i];
        memset(made, 0, sizeof *made);
        made->event_count = paths[i].event_count;
        made->events = events;
        events += paths[i].event_count;
        made->length_m = course->length_m;
        made->departure_azimuth_deg = course->departure_azimuth_deg;
        made->departure_elevation_deg = course->departure_elevation_deg;
        made->arrival_azimuth_deg = course->arrival_azimuth_deg;
        made->arrival_elevation_deg = course->arrival_elevation_deg;
        memcpy(made->transfer, paths[i].channel.transfer, sizeof made->transfer);
        made->amplitude = weight.amplitude;
        made->cross_amplitude = weight.cross_amplitude;
        made->loss_db = -10.0 * log10(weight.isotropic_gain);
    }
    slot->weighed_count = count;
    return add_groups(run, own, paths, slot);
}

static rcity_status find_paths(const find_run *run, rcity_place3 rx, worker *own, rcity_found_paths *found)
{
    return rcity_path_finder_run(run->job->context, &run->traced->search, run->goes_over_roofs, rx, &own->finder,
                                 found);
}

/* Scattering near the transmitter, then other paths to the receiver. A path is the same both ways: they are found from
   the receiver, whose trees are built once for all patches. */
static rcity_status add_near_transmitter(const find_run *run, worker *own, rcity_place3 rx, rcity_scatter_sum *sum)
{
    rcity_context *context = run->job->context;
    const rcity_search *search = &run->traced->search;
    rcity_search back;
    RCITY_TRY(rcity_search_init_from(context, search, rx, &back));
    rcity_roof_chains_restart(&own->back_finder.chains);
    rcity_status status = RCITY_OK;
    for (int64_t i = 0; status == RCITY_OK && i < run->near_tx_count; i++) {
        rcity_scatter_arrival *arrivals = own->patch.arrivals;
        own->patch = run->patches.patches[run->near_tx[i]];
        own->patch.arrivals = arrivals;
        RCITY_TRY_DONE(rcity_path_finder_run(context, &back, run->goes_over_roofs, own->patch.place, &own->back_finder,
                                             &own->patch_paths));
        RCITY_TRY_DONE(rcity_scatter_light(context, search->world, &run->ends, RCITY_SCATTER_FROM_RECEIVER,
                                           &own->patch_paths, &own->patch));
        rcity_scatter_add_before(&search->checker, &run->scattering, &run->ends, &own->patch, search->tx, sum);
    }
done:
    rcity_search_deinit(context, &back);
    return status;
}

static rcity_status add_scattered(const find_run *run, worker *own, rcity_place3 rx, rcity_scatter_sum *sum)
{
    const rcity_search *search = &run->traced->search;
    *sum = rcity_scatter_add(&search->checker, &run->scattering, &run->ends, search->tx, rx);
    if (run->scattering.near_receivers) {
        rcity_scatter_add_after(&search->checker, &run->scattering, &run->ends, &run->patches, rx, sum);
    }
    return run->near_tx_count > 0 ? add_near_transmitter(run, own, rx, sum) : RCITY_OK;
}

/* One receiver: its paths as a trace kept them, or found now. */
static rcity_status do_receiver(const find_run *run, worker *own, int64_t i)
{
    receiver_slot *slot = &run->slots[i];
    const rcity_images_kept *kept = run->traced->kept;
    if (run->scattering.is_on && run->keeps == NULL) {
        RCITY_TRY(add_scattered(run, own, run->rx[i], &slot->scattered));
    }
    if (kept != NULL) {
        rcity_kept_paths paths = rcity_images_kept_get(kept, run->offset + run->first + i);
        return weigh_paths(run, own, paths.count, paths.paths, paths.events, slot);
    }
    RCITY_TRY(find_paths(run, run->rx[i], own, &slot->found));
    return run->keeps != NULL
               ? RCITY_OK
               : weigh_paths(run, own, slot->found.path_count, slot->found.paths, slot->found.events, slot);
}

/* The first failure counts. */
static void take_status(find_run *run, rcity_status status)
{
    int none = RCITY_OK;
    if (status != RCITY_OK) {
        atomic_compare_exchange_strong(&run->status, &none, (int)status);
    }
}

static void find_group(void *user, int64_t begin, int64_t end, int thread_index)
{
    find_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        run->slots[i].weighed_count = run->slots[i].found.path_count = run->slots[i].found.event_count = 0;
        run->slots[i].scattered = (rcity_scatter_sum){0.0, 0.0, 0};
        if (run->is_wanted[i] && atomic_load(&run->status) == RCITY_OK) {
            take_status(run, do_receiver(run, &run->workers[thread_index], i));
        }
        atomic_fetch_add(&run->done, 1);
    }
}

/* Add the paths of a group to the rays, in the order of the receivers. */
static rcity_status hand_on(find_run *run, int64_t count, rcity_rays *rays)
{
    for (int64_t i = 0; i < count; i++) {
        const receiver_slot *slot = &run->slots[i];
        if (run->keeps != NULL) {
            RCITY_TRY(rcity_images_kept_add(run->keeps, run->offset + run->first + i, &slot->found));
            continue;
        }
        if (slot->weighed_count > 0) {
            RCITY_TRY(rcity_rays_add_paths(rays, run->first + i, (int64_t)slot->weighed_count, slot->weighed));
            rcity_rays_set_grouped(rays, run->first + i, slot->grouped.gain, slot->grouped.isotropic_gain);
        }
        if (slot->scattered.gain > 0.0) {
            rcity_rays_set_scattered(rays, run->first + i, slot->scattered.gain, slot->scattered.isotropic_gain);
        }
    }
    return RCITY_OK;
}

static void want_patches(void *user, int64_t begin, int64_t end, int thread_index)
{
    (void)thread_index;
    find_run *run = user;
    for (int64_t i = begin; i < end; i++) {
        const rcity_path_checker *checker = &run->traced->search.checker;
        for (int64_t k = run->is_wanted[i] ? -1 : run->patches.count; k < run->patches.count;) {
            k = rcity_scatter_next_near(checker, &run->scattering, &run->patches, run->rx[i], k);
            if (k < run->patches.count) {
                atomic_store(&run->patches.is_wanted[k], 1);
            }
        }
    }
}

static void light_patches(void *user, int64_t begin, int64_t end, int thread_index)
{
    find_run *run = user;
    worker *own = &run->workers[thread_index];
    const rcity_facet_table *world = &run->traced->world;
    for (int64_t i = begin; i < end; i++) {
        rcity_scatter_patch *patch = &run->patches.patches[i];
        if (atomic_load(&run->patches.is_wanted[i]) == 0 || patch->is_lit || atomic_load(&run->status) != RCITY_OK) {
            continue;
        }
        rcity_status status = find_paths(run, patch->place, own, &own->patch_paths);
        if (status == RCITY_OK) {
            status = rcity_scatter_light(run->job->context, world, &run->ends, RCITY_SCATTER_FROM_TRANSMITTER,
                                         &own->patch_paths, patch);
        }
        take_status(run, status);
    }
}

/* One group of receivers: their positions and their paths. */
static rcity_status run_group(find_run *run, int64_t count, rcity_rays *rays)
{
    const rcity_shapes *shapes = run->job->shapes;
    for (int64_t i = 0; i < count; i++) {
        rcity_receiver_summary receiver;
        RCITY_TRY(rcity_rays_get_receiver(rays, run->first + i, &receiver));
        run->is_wanted[i] = receiver.state == RCITY_RECEIVER_NO_PATH;
        rcity_place3 at = {receiver.position.x_m - shapes->origin_x_m, receiver.position.y_m - shapes->origin_y_m,
                           receiver.position.z_m};
        run->rx[i] = rcity_path_end_in_air(&run->traced->world, &run->traced->prepared->prism_index, at);
    }
    if (run->scattering.near_receivers && run->keeps == NULL) {
        rcity_parallel(run->job->context, count, 1, want_patches, run);
        rcity_parallel(run->job->context, run->patches.count, 1, light_patches, run);
        RCITY_TRY((rcity_status)atomic_load(&run->status));
    }
    rcity_parallel(run->job->context, count, 1, find_group, run);
    RCITY_TRY((rcity_status)atomic_load(&run->status));
    return hand_on(run, count, rays);
}

static void release_run(find_run *run, int thread_count, int64_t group)
{
    rcity_context *context = run->job->context;
    for (int64_t i = 0; run->slots != NULL && i < group; i++) {
        rcity_release(context, run->slots[i].found.paths);
        rcity_release(context, run->slots[i].found.events);
        rcity_release(context, run->slots[i].weighed);
    }
    for (int i = 0; run->workers != NULL && i < thread_count; i++) {
        rcity_release(context, run->workers[i].patch_paths.paths);
        rcity_release(context, run->workers[i].patch_paths.events);
        rcity_release(context, run->workers[i].items);
        rcity_release(context, run->workers[i].patch.arrivals);
        rcity_path_finder_deinit(context, &run->workers[i].back_finder);
        rcity_path_finder_deinit(context, &run->workers[i].finder);
    }
    rcity_release(context, run->near_tx);
    rcity_scatter_patches_deinit(context, &run->patches);
    rcity_release(context, run->slots);
    rcity_release(context, run->is_wanted);
    rcity_release(context, run->rx);
    rcity_release(context, run->workers);
}

static rcity_status list_near_transmitter(find_run *run)
{
    const rcity_search *search = &run->traced->search;
    if (!run->scattering.near_transmitter) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_alloc(run->job->context, (size_t)run->patches.count + 1, sizeof *run->near_tx, "patches of walls",
                          &run->near_tx));
    for (int64_t i = -1; i < run->patches.count;) {
        i = rcity_scatter_next_near(&search->checker, &run->scattering, &run->patches, search->tx, i);
        if (i < run->patches.count) {
            run->near_tx[run->near_tx_count++] = i;
        }
    }
    return RCITY_OK;
}

/* Callbacks run on the caller's thread. */
static rcity_status open_finder(find_run *run, int thread_index, rcity_path_finder *finder)
{
    RCITY_TRY(rcity_path_finder_init(run->job->context, &run->traced->search, finder));
    finder->searcher.pause = thread_index == 0 ? report_done : stop_if_others_failed;
    finder->searcher.pause_user = run;
    return RCITY_OK;
}

/* Memory of all threads. Where a trace has kept the paths there is no search. */
static rcity_status open_run(find_run *run, int thread_count, int64_t group)
{
    rcity_context *context = run->job->context;
    const rcity_search *search = &run->traced->search;
    RCITY_TRY(rcity_alloc(context, (size_t)thread_count, sizeof *run->workers, "tracing", &run->workers));
    RCITY_TRY(rcity_alloc(context, (size_t)group, sizeof *run->rx, "receivers", &run->rx));
    RCITY_TRY(rcity_alloc(context, (size_t)group, sizeof *run->is_wanted, "receivers", &run->is_wanted));
    RCITY_TRY(rcity_alloc(context, (size_t)group, sizeof *run->slots, "receivers", &run->slots));
    bool scatters = run->keeps == NULL && (run->scattering.near_transmitter || run->scattering.near_receivers);
    if (scatters) {
        RCITY_TRY(rcity_scatter_patches_init(context, &search->checker, run->scattering.tile_m, &run->patches));
        RCITY_TRY(list_near_transmitter(run));
    }
    for (int i = 0; i < thread_count && (run->traced->kept == NULL || scatters); i++) {
        RCITY_TRY(open_finder(run, i, &run->workers[i].finder));
        if (run->near_tx_count > 0) {
            RCITY_TRY(open_finder(run, i, &run->workers[i].back_finder));
        }
    }
    return RCITY_OK;
}

static rcity_status run_all(find_run *run, rcity_rays *rays)
{
    rcity_context *context = run->job->context;
    int thread_count = rcity_context_thread_count(context);
    int64_t receiver_count = rcity_rays_receiver_count(rays);
    int64_t group = (int64_t)GROUP_RECEIVERS * thread_count;
    group = group < receiver_count ? group : receiver_count;
    run->rays = rays;
    atomic_init(&run->status, RCITY_OK);
    atomic_init(&run->done, 0);
    rcity_status status;
    RCITY_TRY_DONE(open_run(run, thread_count, group));
    for (run->first = 0; run->first < receiver_count; run->first += group) {
        RCITY_TRY_DONE(rcity_rays_report(rays, (double)run->first));
        int64_t left = receiver_count - run->first;
        RCITY_TRY_DONE(run_group(run, left < group ? left : group, rays));
    }
    status = rcity_rays_report(rays, (double)receiver_count);
done:
    release_run(run, thread_count, group);
    return status;
}

rcity_images_asked rcity_images_ask(const rcity_job *job)
{
    return (rcity_images_asked){strcmp(job->option[RCITY_IMAGES_OVER_ROOFS], "on") == 0,
                                rcity_rx_polarization_read(job->option[RCITY_IMAGES_RX_POLARIZATION]),
                                rcity_scatter_read(job)};
}

static find_run start_run(const rcity_job *job, const rcity_images_asked *asked, const rcity_images_traced *traced)
{
    find_run run;
    memset(&run, 0, sizeof run);
    run.job = job;
    run.traced = traced;
    run.goes_over_roofs = asked->goes_over_roofs;
    run.scattering = asked->scattering;
    return run;
}

rcity_status rcity_images_find(const rcity_job *job, const rcity_images_asked *asked, const rcity_images_traced *traced,
                               const rcity_tx *tx, int64_t offset, rcity_rays *rays)
{
    find_run run = start_run(job, asked, traced);
    run.ends = rcity_path_ends_make(job, tx, asked->rx_polarization);
    run.offset = offset;
    return run_all(&run, rays);
}

rcity_status rcity_images_find_to_keep(const rcity_job *job, const rcity_images_asked *asked,
                                       const rcity_images_traced *traced, int64_t offset, rcity_rays *rays,
                                       rcity_images_kept *kept)
{
    find_run run = start_run(job, asked, traced);
    run.keeps = kept;
    run.offset = offset;
    return run_all(&run, rays);
}
