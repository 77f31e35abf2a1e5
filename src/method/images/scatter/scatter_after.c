/* Patches of walls near receivers: who needs them, what lights them, what they scatter. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/scatter/scatter_after.h"

#include <math.h>
#include <string.h>

#include "kernel/wave/roughness.h"
#include "method/images/scatter/scatter_tile.h"

#define OFF_WALL_M 0.05 /* where paths to a patch end */
#define ON_WALL_M  0.01 /* a path whose last interaction lies so near to the wall's plane came off the wall itself */

rcity_status rcity_scatter_patches_init(rcity_context *context, const rcity_facet_table *world, double patch_m,
                                        rcity_scatter_patches *patches)
{
    memset(patches, 0, sizeof *patches);
    RCITY_TRY(rcity_alloc(context, (size_t)world->wall_count + 1, sizeof *patches->first, "patches of walls",
                          &patches->first));
    for (int turn = 0; turn < 2; turn++) { /* count them, then make them */
        int64_t count = 0;
        for (int32_t wall = 0; wall < world->wall_count; wall++) {
            const rcity_mirror *mirror = &world->mirrors[wall];
            int columns = (int)ceil(hypot(mirror->x2 - mirror->x1, mirror->y2 - mirror->y1) / patch_m);
            int rows = (int)ceil((mirror->top - mirror->bottom) / patch_m);
            patches->first[wall] = count;
            for (int i = 0; turn == 1 && i < columns * rows; i++) {
                double step_m = (mirror->top - mirror->bottom) / rows;
                rcity_scatter_patch *patch = &patches->patches[count + i];
                patch->wall = wall;
                patch->from = (double)(i / rows) / columns;
                patch->to = (double)(i / rows + 1) / columns;
                patch->bottom = mirror->bottom + step_m * (i % rows);
                patch->top = patch->bottom + step_m;
            }
            count += columns * rows;
        }
        patches->first[world->wall_count] = count;
        if (turn == 0) {
            RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *patches->patches, "patches of walls",
                                  &patches->patches));
            RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *patches->is_wanted, "patches of walls",
                                  &patches->is_wanted));
            patches->count = count;
        }
    }
    return RCITY_OK;
}

void rcity_scatter_patches_deinit(rcity_context *context, rcity_scatter_patches *patches)
{
    for (int64_t i = 0; i < patches->count && patches->patches != NULL; i++) {
        rcity_release(context, patches->patches[i].arrivals);
    }
    rcity_release(context, patches->is_wanted);
    rcity_release(context, patches->patches);
    rcity_release(context, patches->first);
    memset(patches, 0, sizeof *patches);
}

static rcity_scatter_tile patch_tile(const rcity_mirror *wall, const rcity_scatter_patch *patch)
{
    double dx = wall->x2 - wall->x1;
    double dy = wall->y2 - wall->y1;
    double share = patch->to - patch->from;
    return (rcity_scatter_tile){
        rcity_real3_make(wall->x1 + patch->from * dx, wall->y1 + patch->from * dy, patch->bottom),
        rcity_real3_make(share * dx, share * dy, 0.0), rcity_real3_make(0.0, 0.0, patch->top - patch->bottom)};
}

rcity_place3 rcity_scatter_patch_place(const rcity_facet_table *world, const rcity_scatter_patch *patch)
{
    const rcity_mirror *wall = &world->mirrors[patch->wall];
    rcity_real3 centre = rcity_scatter_tile_point(patch_tile(wall, patch), 0.5, 0.5);
    return (rcity_place3){centre.x + OFF_WALL_M * wall->normal.x, centre.y + OFF_WALL_M * wall->normal.y, centre.z};
}

/* A place on a wall, and whether the receiver sees it. */
static bool sees(const rcity_path_checker *checker, const rcity_mirror *wall, rcity_grid_point3 from, rcity_real3 point)
{
    rcity_place3 at = {point.x, point.y, point.z};
    return rcity_sight_is_free(checker->sight, from, rcity_path_snap(checker->world->shapes, at, &wall->normal));
}

/* Does a receiver need a patch? Its centre is near, and the receiver sees the centre or the middle of a quarter. */
static bool needs(const rcity_path_checker *checker, const rcity_scatter_options *options,
                  const rcity_scatter_patch *patch, rcity_place3 rx, rcity_grid_point3 rx_snapped)
{
    static const double places[5][2] = {{0.5, 0.5}, {0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}};
    const rcity_mirror *wall = &checker->world->mirrors[patch->wall];
    rcity_scatter_tile tile = patch_tile(wall, patch);
    rcity_real3 centre = rcity_scatter_tile_point(tile, 0.5, 0.5);
    rcity_real3 leg = rcity_real3_subtract(centre, rcity_real3_make(rx.x, rx.y, rx.z));
    if (rcity_real3_length(leg) > options->after_m) {
        return false;
    }
    for (int i = 0; i < 5; i++) {
        if (sees(checker, wall, rx_snapped, rcity_scatter_tile_point(tile, places[i][0], places[i][1]))) {
            return true;
        }
    }
    return false;
}

/* May a wall have patches that a receiver needs? It looks at the receiver and comes near it in plan. */
static bool is_near(const rcity_mirror *wall, double range_m, rcity_place3 rx)
{
    double half_m = 0.5 * hypot(wall->x2 - wall->x1, wall->y2 - wall->y1);
    double plan_m = hypot(0.5 * (wall->x1 + wall->x2) - rx.x, 0.5 * (wall->y1 + wall->y2) - rx.y);
    return plan_m <= range_m + half_m && rcity_mirror_distance(wall, rx) > RCITY_SCATTER_IN_FRONT_M;
}

void rcity_scatter_want(const rcity_path_checker *checker, const rcity_scatter_options *options,
                        rcity_scatter_patches *patches, rcity_place3 rx)
{
    const rcity_facet_table *world = checker->world;
    rcity_grid_point3 rx_snapped = rcity_path_snap(world->shapes, rx, NULL);
    for (int64_t wall = 0; wall < world->wall_count; wall++) {
        if (!is_near(&world->mirrors[wall], options->after_m, rx)) {
            continue;
        }
        for (int64_t i = patches->first[wall]; i < patches->first[wall + 1]; i++) {
            if (needs(checker, options, &patches->patches[i], rx, rx_snapped)) {
                atomic_store(&patches->is_wanted[i], 1);
            }
        }
    }
}

/* Keep an arrival; the weakest of too many, or the new one if it is weaker, goes into the strongest. */
static void keep_arrival(rcity_scatter_patch *patch, rcity_scatter_arrival arrival)
{
    if (patch->arrival_count < RCITY_SCATTER_ARRIVAL_MAX) {
        patch->arrivals[patch->arrival_count++] = arrival;
        return;
    }
    int weakest = 0;
    int strongest = 0;
    for (int i = 0; i < patch->arrival_count; i++) {
        double power = patch->arrivals[i].theta_gain + patch->arrivals[i].phi_gain;
        const rcity_scatter_arrival *low = &patch->arrivals[weakest];
        const rcity_scatter_arrival *high = &patch->arrivals[strongest];
        weakest = power < low->theta_gain + low->phi_gain ? i : weakest;
        strongest = power > high->theta_gain + high->phi_gain ? i : strongest;
    }
    rcity_scatter_arrival *low = &patch->arrivals[weakest];
    if (low->theta_gain + low->phi_gain < arrival.theta_gain + arrival.phi_gain) {
        rcity_scatter_arrival left_out = *low;
        *low = arrival;
        arrival = left_out;
    }
    patch->arrivals[strongest].theta_gain += arrival.theta_gain;
    patch->arrivals[strongest].phi_gain += arrival.phi_gain;
}

rcity_status rcity_scatter_light(rcity_context *context, const rcity_facet_table *world, const rcity_path_ends *ends,
                                 const rcity_found_paths *found, rcity_scatter_patch *patch)
{
    const rcity_mirror *wall = &world->mirrors[patch->wall];
    rcity_path_ends both = *ends;
    both.rx_polarization = RCITY_RX_POLARIZATION_BOTH;
    both.rx_gain_dbi = 0.0;
    patch->is_lit = true;
    if (found->path_count == 0) {
        return RCITY_OK;
    }
    RCITY_TRY(
        rcity_alloc(context, RCITY_SCATTER_ARRIVAL_MAX, sizeof *patch->arrivals, "patches of walls", &patch->arrivals));
    size_t event_end = 0;
    for (size_t i = 0; i < found->path_count; i++) {
        const rcity_found_path *path = &found->paths[i];
        event_end += (size_t)path->event_count;
        if (path->event_count == 0) {
            continue;
        }
        rcity_point last = found->events[event_end - 1].position;
        rcity_place3 at = {last.x_m - world->shapes->origin_x_m, last.y_m - world->shapes->origin_y_m, last.z_m};
        rcity_place3 back = path->course.arrival;
        double cos_in = back.x * wall->normal.x + back.y * wall->normal.y + back.z * wall->normal.z;
        rcity_path_weight weight = rcity_path_weigh(&both, &path->course, &path->channel);
        if (cos_in > 0.0 && weight.gain > 0.0 && fabs(rcity_mirror_distance(wall, at)) > ON_WALL_M) {
            rcity_phasor theta = weight.amplitude;
            rcity_phasor phi = weight.cross_amplitude;
            keep_arrival(patch, (rcity_scatter_arrival){{-back.x, -back.y, -back.z},
                                                        theta.re * theta.re + theta.im * theta.im,
                                                        phi.re * phi.re + phi.im * phi.im,
                                                        weight.isotropic_gain / weight.gain});
        }
    }
    return RCITY_OK;
}

/* What one tile of a patch scatters: the received power of each arrival times S^2 cos dA pattern / r^2. */
static void add_tile(const rcity_scatter_link *link, const rcity_mirror *wall, const rcity_scatter_patch *patch,
                     rcity_real3 centre, double area_m2, rcity_scatter_sum *sum)
{
    rcity_real3 leg = rcity_real3_subtract(link->rx, centre);
    double after_m = rcity_real3_length(leg);
    rcity_real3 out = rcity_real3_scale(leg, 1.0 / after_m);
    double share[2];
    rcity_scatter_receive(link->ends->rx_polarization, share);
    for (int i = 0; i < patch->arrival_count; i++) {
        const rcity_scatter_arrival *arrival = &patch->arrivals[i];
        rcity_real3 in = rcity_real3_make(arrival->travel.x, arrival->travel.y, arrival->travel.z);
        double gain = (arrival->theta_gain * share[0] + arrival->phi_gain * share[1]) *
                      rcity_scatter_cross_m2(link, wall, area_m2, in, out) /
                      (after_m * after_m + area_m2 / RCITY_REAL_PI);
        sum->isotropic_gain += gain * arrival->isotropic_factor;
        sum->gain += gain * pow(10.0, 0.1 * link->ends->rx_gain_dbi);
    }
    sum->tile_count++;
}

static void add_patch(const rcity_scatter_link *link, const rcity_mirror *wall, const rcity_scatter_patch *patch,
                      rcity_scatter_sum *sum)
{
    rcity_scatter_tile stack[RCITY_SCATTER_STACK_MAX];
    int count = 0;
    stack[count++] = patch_tile(wall, patch);
    while (count > 0) {
        rcity_scatter_tile tile = stack[--count];
        rcity_real3 centre = rcity_scatter_tile_point(tile, 0.5, 0.5);
        double away_m = rcity_real3_length(rcity_real3_subtract(centre, link->rx));
        double largest_m = fmax(RCITY_SCATTER_TILE_DISTANCES * away_m, RCITY_SCATTER_TILE_MIN_M);
        if (rcity_scatter_divide(tile, largest_m, stack, &count)) {
            continue;
        }
        if (sees(link->checker, wall, link->rx_snapped, centre)) {
            add_tile(link, wall, patch, centre, rcity_real3_length(tile.side_u) * rcity_real3_length(tile.side_v), sum);
        }
    }
}

void rcity_scatter_add_after(const rcity_path_checker *checker, const rcity_scatter_options *options,
                             const rcity_path_ends *ends, const rcity_scatter_patches *patches, rcity_place3 rx,
                             rcity_scatter_sum *sum)
{
    const rcity_facet_table *world = checker->world;
    rcity_scatter_link link = rcity_scatter_link_make(checker, options, ends, rx);
    for (int64_t i = 0; i < world->wall_count; i++) {
        const rcity_mirror *wall = &world->mirrors[i];
        if (!is_near(wall, options->after_m, rx)) {
            continue;
        }
        for (int64_t k = patches->first[i]; k < patches->first[i + 1]; k++) {
            const rcity_scatter_patch *patch = &patches->patches[k];
            if (patch->arrival_count > 0 && needs(checker, options, patch, rx, link.rx_snapped)) {
                add_patch(&link, wall, patch, sum);
            }
        }
    }
}
