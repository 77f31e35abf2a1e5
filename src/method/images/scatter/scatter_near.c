/* What patches near an antenna scatter: tile by tile as the antenna sees it. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/scatter/scatter_near.h"

#include <math.h>
#include <string.h>

#include "method/images/scatter/scatter_tile.h"

/* One antenna beside a patch, and what it weighs the two polarizations by. */
typedef struct near_end {
    rcity_scatter_link link;
    bool is_transmitter;
    rcity_mount mount; /* of the transmitter */
} near_end;

/* How the near antenna takes or sends theta and phi along `out`, the direction from the tile to it: powers with its
   gain, and the gain alone. */
static void weigh_near(const near_end *end, rcity_real3 out, double share[2], double *antenna_gain)
{
    const rcity_path_ends *ends = end->link.ends;
    if (!end->is_transmitter) {
        rcity_rx_polarization_share(ends->rx_polarization, share);
        *antenna_gain = pow(10.0, 0.1 * ends->rx_gain_dbi);
        share[0] *= *antenna_gain;
        share[1] *= *antenna_gain;
        return;
    }
    rcity_jones sent = rcity_mount_field(end->mount, ends->tx_antenna, ends->tx_table, rcity_real3_scale(out, -1.0));
    share[0] = sent.theta * sent.theta;
    share[1] = sent.phi * sent.phi;
    *antenna_gain = share[0] + share[1];
}

/* What one tile of a patch scatters: for each arrival its received power times S^2 cos dA pattern / r^2. */
static void add_tile(const near_end *end, const rcity_mirror *mirror, const rcity_scatter_patch *patch,
                     rcity_real3 centre, double area_m2, rcity_scatter_sum *sum)
{
    rcity_real3 leg = rcity_real3_subtract(end->link.antenna, centre);
    double away_m = rcity_real3_length(leg);
    rcity_real3 out = rcity_real3_scale(leg, 1.0 / away_m);
    double share[2];
    double antenna_gain;
    weigh_near(end, out, share, &antenna_gain);
    double far_gain = end->is_transmitter ? pow(10.0, 0.1 * end->link.ends->rx_gain_dbi) : 1.0;
    for (int i = 0; i < patch->arrival_count; i++) {
        const rcity_scatter_arrival *arrival = &patch->arrivals[i];
        rcity_real3 travel = rcity_real3_make(arrival->travel.x, arrival->travel.y, arrival->travel.z);
        /* from the transmitter the wave takes both legs in the opposite direction */
        rcity_real3 wave_in = end->is_transmitter ? rcity_real3_scale(out, -1.0) : travel;
        rcity_real3 wave_out = end->is_transmitter ? rcity_real3_scale(travel, -1.0) : out;
        double gain = (arrival->theta_gain * share[0] + arrival->phi_gain * share[1]) *
                      rcity_scatter_cross_m2(&end->link, mirror, area_m2, wave_in, wave_out) /
                      (away_m * away_m + area_m2 / RCITY_REAL_PI);
        sum->isotropic_gain += gain * arrival->isotropic_factor / antenna_gain;
        sum->gain += gain * far_gain;
    }
    sum->tile_count++;
}

static void add_patch(const near_end *end, const rcity_scatter_patch *patch, rcity_scatter_sum *sum)
{
    const rcity_path_checker *checker = end->link.checker;
    const rcity_mirror *mirror = &checker->world->mirrors[patch->mirror];
    rcity_scatter_tile stack[RCITY_SCATTER_STACK_MAX];
    int count = 0;
    stack[count++] = rcity_scatter_patch_tile(patch);
    while (count > 0) {
        rcity_scatter_tile tile = stack[--count];
        rcity_real3 centre = rcity_scatter_tile_point(tile, 0.5, 0.5);
        double away_m = rcity_real3_length(rcity_real3_subtract(centre, end->link.antenna));
        double largest_m = fmax(RCITY_SCATTER_TILE_DISTANCES * away_m, RCITY_SCATTER_TILE_MIN_M);
        if (rcity_scatter_divide(tile, largest_m, stack, &count)) {
            continue;
        }
        rcity_place3 place = {centre.x, centre.y, centre.z};
        if (rcity_scatter_sees(checker, mirror, end->link.antenna_snapped, place)) {
            add_tile(end, mirror, patch, centre, rcity_real3_length(tile.side_u) * rcity_real3_length(tile.side_v),
                     sum);
        }
    }
}

void rcity_scatter_add_after(const rcity_path_checker *checker, const rcity_scatter_options *options,
                             const rcity_path_ends *ends, const rcity_scatter_patches *patches, rcity_place3 rx,
                             rcity_scatter_sum *sum)
{
    near_end end;
    memset(&end, 0, sizeof end);
    end.link = rcity_scatter_link_make(checker, options, ends, rx);
    for (int64_t i = rcity_scatter_next_near(checker, options, patches, rx, -1); i < patches->count;
         i = rcity_scatter_next_near(checker, options, patches, rx, i)) {
        if (patches->patches[i].arrival_count > 0) {
            add_patch(&end, &patches->patches[i], sum);
        }
    }
}

void rcity_scatter_add_before(const rcity_path_checker *checker, const rcity_scatter_options *options,
                              const rcity_path_ends *ends, const rcity_scatter_patch *patch, rcity_place3 tx,
                              rcity_scatter_sum *sum)
{
    near_end end;
    memset(&end, 0, sizeof end);
    end.link = rcity_scatter_link_make(checker, options, ends, tx);
    end.is_transmitter = true;
    end.mount = rcity_mount_make(ends->tx_azimuth_rad, ends->tx_tilt_rad, ends->tx_slant_rad);
    if (patch->arrival_count > 0) {
        add_patch(&end, patch, sum);
    }
}
