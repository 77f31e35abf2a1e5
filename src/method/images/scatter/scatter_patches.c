/* Patches of walls and roofs: where they lie, which of them an antenna sees, and what reaches them. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/scatter/scatter_patches.h"

#include <math.h>
#include <string.h>

#include "method/images/scatter/scatter_tile.h"

#define OFF_SURFACE_M 0.05 /* where paths to a patch end */
#define ON_SURFACE_M  0.01 /* a path whose last interaction lies so near to the surface's plane came off it */
#define PLACE_COUNT   5    /* of a patch that are tested: its centre and the middles of its quarters */

static const double place_shares[PLACE_COUNT][2] = {{0.5, 0.5}, {0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}};

static rcity_place3 to_place(rcity_real3 p)
{
    return (rcity_place3){p.x, p.y, p.z};
}

static rcity_real3 to_real3(rcity_place3 p)
{
    return rcity_real3_make(p.x, p.y, p.z);
}

rcity_scatter_tile rcity_scatter_patch_tile(const rcity_scatter_patch *patch)
{
    return (rcity_scatter_tile){to_real3(patch->corner), to_real3(patch->side_u), to_real3(patch->side_v)};
}

/* No other building covers a place of a surface: only roofs are covered, their boxes being larger than they are. */
static bool is_open(const rcity_path_checker *checker, const rcity_mirror *mirror, rcity_place3 place)
{
    if (mirror->kind != RCITY_MIRROR_ROOF) {
        return true;
    }
    rcity_grid_point3 snapped = rcity_path_snap(checker->world->shapes, place, NULL);
    rcity_grid_point plan = {snapped.x, snapped.y};
    return rcity_roof_is_open(checker->world->shapes, checker->prism_index, mirror->prism, plan);
}

bool rcity_scatter_sees(const rcity_path_checker *checker, const rcity_mirror *mirror, rcity_grid_point3 from,
                        rcity_place3 place)
{
    return is_open(checker, mirror, place) &&
           rcity_sight_is_free(checker->sight, from, rcity_path_snap(checker->world->shapes, place, &mirror->normal));
}

/* Choose where paths to a patch end: its centre, or where a roof does not reach there the middle of a quarter.
   @return false when none of these lies on the roof. */
static bool choose_place(const rcity_path_checker *checker, const rcity_mirror *mirror, rcity_scatter_patch *patch)
{
    rcity_scatter_tile tile = rcity_scatter_patch_tile(patch);
    for (int i = 0; i < PLACE_COUNT; i++) {
        rcity_place3 place = to_place(rcity_scatter_tile_point(tile, place_shares[i][0], place_shares[i][1]));
        if (is_open(checker, mirror, place)) {
            patch->place =
                (rcity_place3){place.x + OFF_SURFACE_M * mirror->normal.x, place.y + OFF_SURFACE_M * mirror->normal.y,
                               place.z + OFF_SURFACE_M * mirror->normal.z};
            return true;
        }
    }
    return false;
}

/* Divide a surface into patches; `made` may be NULL to count them. */
static int64_t divide_surface(const rcity_path_checker *checker, int32_t index, double patch_m,
                              rcity_scatter_patch *made)
{
    const rcity_mirror *mirror = &checker->world->mirrors[index];
    rcity_scatter_tile whole = rcity_scatter_surface(checker->world, mirror);
    int columns = (int)ceil(rcity_real3_length(whole.side_u) / patch_m);
    int rows = (int)ceil(rcity_real3_length(whole.side_v) / patch_m);
    int64_t count = 0;
    for (int64_t i = 0; i < (int64_t)columns * rows; i++) {
        rcity_scatter_patch patch;
        memset(&patch, 0, sizeof patch);
        patch.mirror = index;
        patch.corner =
            to_place(rcity_scatter_tile_point(whole, (double)(i / rows) / columns, (double)(i % rows) / rows));
        patch.side_u = to_place(rcity_real3_scale(whole.side_u, 1.0 / columns));
        patch.side_v = to_place(rcity_real3_scale(whole.side_v, 1.0 / rows));
        if (choose_place(checker, mirror, &patch)) {
            if (made != NULL) {
                made[count] = patch;
            }
            count++;
        }
    }
    return count;
}

rcity_status rcity_scatter_patches_init(rcity_context *context, const rcity_path_checker *checker, double patch_m,
                                        rcity_scatter_patches *patches)
{
    int32_t surface_count = (int32_t)(checker->world->wall_count + checker->world->roof_count);
    memset(patches, 0, sizeof *patches);
    RCITY_TRY(
        rcity_alloc(context, (size_t)surface_count + 1, sizeof *patches->first, "patches of walls", &patches->first));
    int64_t count = 0;
    for (int32_t i = 0; i < surface_count; i++) {
        patches->first[i] = count;
        count += divide_surface(checker, i, patch_m, NULL);
    }
    patches->first[surface_count] = count;
    RCITY_TRY(rcity_alloc(context, (size_t)count + 1, sizeof *patches->patches, "patches of walls", &patches->patches));
    RCITY_TRY(
        rcity_alloc(context, (size_t)count + 1, sizeof *patches->is_wanted, "patches of walls", &patches->is_wanted));
    for (int32_t i = 0; i < surface_count; i++) {
        (void)divide_surface(checker, i, patch_m, patches->patches + patches->first[i]);
    }
    patches->count = count;
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

/* Does an antenna need a patch? The middle of it is near, and the antenna sees one of its places. */
static bool needs(const rcity_path_checker *checker, const rcity_scatter_options *options,
                  const rcity_scatter_patch *patch, rcity_place3 antenna, rcity_grid_point3 snapped)
{
    const rcity_mirror *mirror = &checker->world->mirrors[patch->mirror];
    rcity_scatter_tile tile = rcity_scatter_patch_tile(patch);
    rcity_real3 leg = rcity_real3_subtract(rcity_scatter_tile_point(tile, 0.5, 0.5), to_real3(antenna));
    if (rcity_real3_length(leg) > options->near_m) {
        return false;
    }
    for (int i = 0; i < PLACE_COUNT; i++) {
        rcity_real3 place = rcity_scatter_tile_point(tile, place_shares[i][0], place_shares[i][1]);
        if (rcity_scatter_sees(checker, mirror, snapped, to_place(place))) {
            return true;
        }
    }
    return false;
}

/* May a surface have patches that an antenna needs? It looks at the antenna, and a patch in the middle or at the ends
   would be near it. */
static bool is_near(const rcity_facet_table *world, int64_t index, double range_m, rcity_place3 antenna)
{
    const rcity_mirror *mirror = &world->mirrors[index];
    double away_m = rcity_mirror_distance(mirror, antenna);
    if (away_m <= RCITY_SCATTER_IN_FRONT_M || away_m > range_m) {
        return false;
    }
    rcity_scatter_tile whole = rcity_scatter_surface(world, mirror);
    rcity_real3 middle = rcity_scatter_tile_point(whole, 0.5, 0.5);
    double half_m = 0.5 * hypot(rcity_real3_length(whole.side_u), rcity_real3_length(whole.side_v));
    return hypot(middle.x - antenna.x, middle.y - antenna.y) <= range_m + half_m;
}

int64_t rcity_scatter_next_near(const rcity_path_checker *checker, const rcity_scatter_options *options,
                                const rcity_scatter_patches *patches, rcity_place3 antenna, int64_t patch)
{
    const rcity_facet_table *world = checker->world;
    rcity_grid_point3 snapped = rcity_path_snap(world->shapes, antenna, NULL);
    int64_t seen = patch >= 0 ? patches->patches[patch].mirror : -1; /* the last surface known to be near */
    for (int64_t i = patch + 1; i < patches->count; i++) {
        int64_t surface = patches->patches[i].mirror;
        if (surface != seen && !is_near(world, surface, options->near_m, antenna)) {
            i = patches->first[surface + 1] - 1;
            continue;
        }
        seen = surface;
        if (needs(checker, options, &patches->patches[i], antenna, snapped)) {
            return i;
        }
    }
    return patches->count;
}

static double cos_of(const rcity_mirror *mirror, const rcity_scatter_arrival *arrival)
{
    return -(arrival->travel.x * mirror->normal.x + arrival->travel.y * mirror->normal.y +
             arrival->travel.z * mirror->normal.z);
}

/* The power that falls on a patch, up to a constant. */
static double weight_of(const rcity_mirror *mirror, const rcity_scatter_arrival *arrival)
{
    return (arrival->theta_gain + arrival->phi_gain) * cos_of(mirror, arrival);
}

/* Keep an arrival. The weakest of too many goes into the strongest, with the power that it brings onto the patch: for
   Lambert's law this changes nothing. */
static void keep_arrival(const rcity_mirror *mirror, rcity_scatter_patch *patch, rcity_scatter_arrival arrival)
{
    if (patch->arrival_count < RCITY_SCATTER_ARRIVAL_MAX) {
        patch->arrivals[patch->arrival_count++] = arrival;
        return;
    }
    rcity_scatter_arrival *weakest = &patch->arrivals[0];
    rcity_scatter_arrival *strongest = &patch->arrivals[0];
    for (int i = 1; i < patch->arrival_count; i++) {
        rcity_scatter_arrival *other = &patch->arrivals[i];
        weakest = weight_of(mirror, other) < weight_of(mirror, weakest) ? other : weakest;
        strongest = weight_of(mirror, other) > weight_of(mirror, strongest) ? other : strongest;
    }
    if (weight_of(mirror, weakest) < weight_of(mirror, &arrival)) {
        rcity_scatter_arrival left_out = *weakest;
        *weakest = arrival;
        arrival = left_out;
    }
    double factor = cos_of(mirror, &arrival) / cos_of(mirror, strongest);
    double before = strongest->theta_gain + strongest->phi_gain;
    double added = factor * (arrival.theta_gain + arrival.phi_gain);
    strongest->theta_gain += factor * arrival.theta_gain;
    strongest->phi_gain += factor * arrival.phi_gain;
    strongest->isotropic_factor =
        (before * strongest->isotropic_factor + added * arrival.isotropic_factor) / (before + added);
}

static double power_of(rcity_phasor field)
{
    return field.re * field.re + field.im * field.im;
}

/* What arrives of a field sent as (theta, phi), as theta and as phi: powers, added to `gain`. */
static void add_arriving(const rcity_channel *channel, double theta, double phi, double gain[2])
{
    for (int out = 0; out < 2; out++) {
        rcity_phasor by_theta = channel->transfer[out][0];
        rcity_phasor by_phi = channel->transfer[out][1];
        gain[out] +=
            power_of((rcity_phasor){by_theta.re * theta + by_phi.re * phi, by_theta.im * theta + by_phi.im * phi});
    }
}

/* The powers of a path that starts at the receiver, as theta and phi: it is polarized as a transmitting antenna of the
   same name (path_antenna.h), and isotropic. */
static void weigh_from_receiver(rcity_rx_polarization polarization, const rcity_channel *channel, double gain[2])
{
    const double slant = sqrt(0.5);
    gain[0] = gain[1] = 0.0;
    switch (polarization) {
    case RCITY_RX_POLARIZATION_SLANT:
        add_arriving(channel, slant, slant, gain);
        return;
    case RCITY_RX_POLARIZATION_SLANT_MINUS:
        add_arriving(channel, slant, -slant, gain);
        return;
    case RCITY_RX_POLARIZATION_VERTICAL:
    case RCITY_RX_POLARIZATION_HORIZONTAL:
    case RCITY_RX_POLARIZATION_BOTH:
        break;
    }
    if (polarization != RCITY_RX_POLARIZATION_HORIZONTAL) {
        add_arriving(channel, 1.0, 0.0, gain);
    }
    if (polarization != RCITY_RX_POLARIZATION_VERTICAL) {
        add_arriving(channel, 0.0, 1.0, gain);
    }
}

static rcity_scatter_arrival weigh(const rcity_path_ends *ends, rcity_scatter_source source,
                                   const rcity_found_path *path)
{
    rcity_place3 back = path->course.arrival;
    rcity_scatter_arrival arrival = {{-back.x, -back.y, -back.z}, 0.0, 0.0, 1.0};
    if (source == RCITY_SCATTER_FROM_RECEIVER) {
        double gain[2];
        weigh_from_receiver(ends->rx_polarization, &path->channel, gain);
        arrival.theta_gain = gain[0];
        arrival.phi_gain = gain[1];
        return arrival;
    }
    rcity_path_ends both = *ends;
    both.rx_polarization = RCITY_RX_POLARIZATION_BOTH;
    both.rx_gain_dbi = 0.0;
    rcity_path_weight weight = rcity_path_weigh(&both, &path->course, &path->channel);
    arrival.theta_gain = power_of(weight.amplitude);
    arrival.phi_gain = power_of(weight.cross_amplitude);
    arrival.isotropic_factor = weight.isotropic_gain / weight.gain;
    return arrival;
}

rcity_status rcity_scatter_light(rcity_context *context, const rcity_facet_table *world, const rcity_path_ends *ends,
                                 rcity_scatter_source source, const rcity_found_paths *found,
                                 rcity_scatter_patch *patch)
{
    const rcity_mirror *mirror = &world->mirrors[patch->mirror];
    patch->is_lit = true;
    patch->arrival_count = 0;
    if (patch->arrivals == NULL && found->path_count > 0) {
        RCITY_TRY(rcity_alloc(context, RCITY_SCATTER_ARRIVAL_MAX, sizeof *patch->arrivals, "patches of walls",
                              &patch->arrivals));
    }
    size_t event_end = 0;
    for (size_t i = 0; i < found->path_count; i++) {
        const rcity_found_path *path = &found->paths[i];
        event_end += (size_t)path->event_count;
        if (path->event_count == 0) {
            continue;
        }
        rcity_point last = found->events[event_end - 1].position;
        rcity_place3 at = {last.x_m - world->shapes->origin_x_m, last.y_m - world->shapes->origin_y_m, last.z_m};
        rcity_scatter_arrival arrival = weigh(ends, source, path);
        if (cos_of(mirror, &arrival) > 0.0 && arrival.theta_gain + arrival.phi_gain > 0.0 &&
            fabs(rcity_mirror_distance(mirror, at)) > ON_SURFACE_M) {
            keep_arrival(mirror, patch, arrival);
        }
    }
    return RCITY_OK;
}
