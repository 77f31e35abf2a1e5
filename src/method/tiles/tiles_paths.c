/* Paths from tubes. */
#include "method/tiles/tiles_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "method/path_weight.h"

#define FOUR_PI 12.56637061435917295385
#define TWO_PI  6.28318530717958647692

static int compare_hits(const void *left, const void *right)
{
    const rcity_tiles_hit *a = left;
    const rcity_tiles_hit *b = right;
    if (a->receiver != b->receiver) {
        return a->receiver < b->receiver ? -1 : 1;
    }
    if (a->tube.event_count != b->tube.event_count) {
        return a->tube.event_count < b->tube.event_count ? -1 : 1;
    }
    return memcmp(a->tube.event, b->tube.event, sizeof a->tube.event);
}

/* The hits of all threads in one order. */
static rcity_status gather_hits(rcity_tiles_run *run, rcity_tiles_hits *all)
{
    for (int i = 0; i < run->thread_count; i++) {
        all->count += run->hits[i].count;
    }
    RCITY_TRY(rcity_alloc(run->context, all->count + 1, sizeof *all->hits, "the paths", &all->hits));
    size_t made = 0;
    for (int i = 0; i < run->thread_count; i++) {
        if (run->hits[i].count > 0) {
            memcpy(all->hits + made, run->hits[i].hits, run->hits[i].count * sizeof *all->hits);
        }
        made += run->hits[i].count;
    }
    qsort(all->hits, all->count, sizeof *all->hits, compare_hits);
    return RCITY_OK;
}

static int64_t building_of(const rcity_shapes *shapes, int32_t prism)
{
    return prism >= 0 ? shapes->buildings[shapes->prisms[prism].building].id : -1;
}

static void describe_event(const rcity_tiles_run *run, int32_t event, rcity_real3 at, rcity_ray_event *made)
{
    const rcity_facet_table *world = &run->world;
    const rcity_shapes *shapes = world->shapes;
    made->position = (rcity_point){(double)at.x + shapes->origin_x_m, (double)at.y + shapes->origin_y_m, (double)at.z};
    made->building_id = -1;
    if (rcity_event_is_edge(event)) {
        int32_t facet = run->prepared->tiling.edges[~event].facet;
        made->kind = RCITY_EVENT_DIFFRACTION;
        made->place = facet < 0                         ? RCITY_PLACE_TERRAIN_EDGE
                      : world->edges[facet].is_vertical ? RCITY_PLACE_VERTICAL_EDGE
                                                        : RCITY_PLACE_ROOF_EDGE;
        made->building_id = facet < 0 ? -1 : building_of(shapes, world->edges[facet].prism);
        return;
    }
    int32_t surface = run->prepared->tiling.tiles[event].surface;
    made->kind = RCITY_EVENT_REFLECTION;
    made->place = RCITY_PLACE_GROUND;
    if (surface >= 0 && world->mirrors[surface].kind != RCITY_MIRROR_GROUND) {
        made->place = world->mirrors[surface].kind == RCITY_MIRROR_WALL ? RCITY_PLACE_WALL : RCITY_PLACE_ROOF;
        made->building_id = building_of(shapes, world->mirrors[surface].prism);
    }
}

/* The channel with the loss over the first metre and the phase of its length. */
static rcity_channel to_channel(const rcity_tiles_run *run, const rcity_tile_channel *field)
{
    double wavelength_m = run->world.wavelength_m;
    double scale = wavelength_m / FOUR_PI;
    double turns = (double)field->length_m / wavelength_m;
    double angle = -TWO_PI * (turns - floor(turns));
    rcity_channel channel;
    for (int i = 0; i < 4; i++) {
        double re = (double)field->transfer.m[i / 2][i % 2].re * scale;
        double im = (double)field->transfer.m[i / 2][i % 2].im * scale;
        channel.transfer[i / 2][i % 2] =
            (rcity_phasor){re * cos(angle) - im * sin(angle), re * sin(angle) + im * cos(angle)};
    }
    return channel;
}

static rcity_place3 to_place(rcity_real3 v, double factor)
{
    return (rcity_place3){(double)v.x * factor, (double)v.y * factor, (double)v.z * factor};
}

/* The path of a hit. `events` has room for all of its events. @return false where there is none. */
static bool make_path(const rcity_tiles_run *run, const rcity_tiles_hit *hit, rcity_ray_event *events, rcity_path *path)
{
    const float *at = &run->prepared->receivers.xyz_m[3 * hit->receiver];
    rcity_tile_path found;
    if (!rcity_tile_path_make(run->tiles, &hit->tube, run->tx, rcity_real3_make(at[0], at[1], at[2]), &found)) {
        return false;
    }
    rcity_tile_channel field = rcity_tile_channel_make(run->tiles, run->table, &hit->tube, &found, 0);
    rcity_path_course course;
    memset(&course, 0, sizeof course);
    course.length_m = (double)field.length_m;
    course.departure = to_place(field.departure, 1.0);
    course.arrival = to_place(field.arrival, -1.0);
    rcity_direction_angles(course.departure.x, course.departure.y, course.departure.z, &course.departure_azimuth_deg,
                           &course.departure_elevation_deg);
    rcity_direction_angles(course.arrival.x, course.arrival.y, course.arrival.z, &course.arrival_azimuth_deg,
                           &course.arrival_elevation_deg);
    rcity_channel channel = to_channel(run, &field);
    rcity_path_weight weight = rcity_path_weigh(&run->ends, &course, &channel);
    memset(path, 0, sizeof *path);
    path->event_count = hit->tube.event_count;
    path->events = events;
    for (int i = 0; i < path->event_count; i++) {
        describe_event(run, hit->tube.event[i], found.point[i + 1], &events[i]);
    }
    path->length_m = course.length_m;
    path->departure_azimuth_deg = course.departure_azimuth_deg;
    path->departure_elevation_deg = course.departure_elevation_deg;
    path->arrival_azimuth_deg = course.arrival_azimuth_deg;
    path->arrival_elevation_deg = course.arrival_elevation_deg;
    memcpy(path->transfer, channel.transfer, sizeof path->transfer);
    path->amplitude = weight.amplitude;
    path->cross_amplitude = weight.cross_amplitude;
    path->loss_db = -10.0 * log10(weight.isotropic_gain);
    return true;
}

/* Power without a phase: what tiles scatter, and paths over roofs. */
static void add_diffuse(const rcity_job *job, const rcity_tiles_run *run, rcity_rays *rays)
{
    const rcity_open_receivers *receivers = &run->prepared->receivers;
    double wave_m = run->world.wavelength_m / FOUR_PI;
    double rx_gain = pow(10.0, 0.1 * job->receivers->gain_dbi);
    for (int64_t i = 0; i < receivers->open_count; i++) {
        const rcity_tile_sums *sums = &run->receiver_sums[i];
        double scale = wave_m * wave_m / (double)run->receiver_scale[i].power;
        double power = ((double)sums->power[RCITY_TILE_SCATTERED] + (double)sums->power[RCITY_TILE_ROOFS]) * scale;
        if (power > 0.0 && !rcity_tiles_run_is_near(run, i)) {
            rcity_rays_set_scattered(rays, receivers->number[i], power * rx_gain,
                                     ((double)sums->isotropic_power[RCITY_TILE_SCATTERED] +
                                      (double)sums->isotropic_power[RCITY_TILE_ROOFS]) *
                                         scale);
        }
    }
}

rcity_status rcity_tiles_add_paths(const rcity_job *job, const rcity_tx *tx, rcity_tiles_run *run, rcity_rays *rays)
{
    rcity_tiles_hits all = {0, 0, NULL};
    rcity_status status;
    (void)tx;
    RCITY_TRY_DONE(gather_hits(run, &all));
    for (size_t i = 0; i < all.count; i++) {
        rcity_ray_event events[RCITY_TUBE_EVENT_MAX];
        rcity_path path;
        int64_t receiver = run->prepared->receivers.number[all.hits[i].receiver];
        if (!rcity_tiles_run_is_near(run, all.hits[i].receiver) && make_path(run, &all.hits[i], events, &path)) {
            RCITY_TRY_DONE(rcity_rays_add_paths(rays, receiver, 1, &path));
        }
    }
    add_diffuse(job, run, rays);
done:
    rcity_release(run->context, all.hits);
    return status;
}
