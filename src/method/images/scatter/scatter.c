/* Tiles of walls and roofs, and what they scatter. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/scatter/scatter.h"

#include <math.h>
#include <string.h>

#include "kernel/wave/polarization.h"
#include "method/images/images.h"
#include "method/images/scatter/scatter_tile.h"

#define FOUR_PI 12.56637061435917295385

rcity_scatter_options rcity_scatter_read(const rcity_job *job)
{
    rcity_scatter_options made;
    const char *model = job->option[RCITY_IMAGES_SCATTERING];
    made.is_on = strcmp(model, "off") != 0;
    made.is_directive = strcmp(model, "directive") == 0;
    made.of_reflected = strcmp(job->option[RCITY_IMAGES_SCATTERING_OF], "reflected") == 0;
    made.coefficient = job->number[RCITY_IMAGES_SCATTERING_COEFFICIENT];
    made.exponent = (int)job->number[RCITY_IMAGES_SCATTERING_EXPONENT];
    made.range_m = job->number[RCITY_IMAGES_SCATTERING_RANGE_M];
    made.tile_m = job->number[RCITY_IMAGES_SCATTERING_TILE_M];
    made.near_m = job->number[RCITY_IMAGES_SCATTERING_NEAR_M];
    const char *ends = job->option[RCITY_IMAGES_SCATTERING_NEAR];
    made.near_transmitter = made.is_on && made.near_m > 0.0 && strcmp(ends, "receiver") != 0;
    made.near_receivers = made.is_on && made.near_m > 0.0 && strcmp(ends, "transmitter") != 0;
    return made;
}

double rcity_scatter_reflected_loss(const rcity_scatter_options *options)
{
    return options->is_on ? 1.0 - sqrt(1.0 - options->coefficient * options->coefficient) : 0.0;
}

double rcity_scatter_passed_loss(const rcity_scatter_options *options)
{
    return options->of_reflected ? 0.0 : rcity_scatter_reflected_loss(options);
}

/* What all tiles of one link share. */
typedef struct link_run {
    rcity_scatter_link link;
    rcity_mount mount;
    rcity_real3 tx;
    rcity_grid_point3 tx_snapped;
    rcity_scatter_sum sum;
} link_run;

/* Power from antenna to antenna over one tile, between isotropic antennas: (lambda / 4 pi)^2 A / (r1^2 r2^2) with A of
   rcity_roughness_scatter(). To each r^2 the tile's area / pi is added, which makes the solid angle of the tile that of
   a disc seen along its axis: right from near, and nothing from afar. */
static double tile_gain(const link_run *run, const rcity_mirror *mirror, double area_m2, rcity_real3 centre,
                        rcity_real3 departure, double before_m)
{
    rcity_real3 leg = rcity_real3_subtract(run->link.antenna, centre);
    double after_m = rcity_real3_length(leg);
    double cross_m2 =
        rcity_scatter_cross_m2(&run->link, mirror, area_m2, departure, rcity_real3_scale(leg, 1.0 / after_m));
    double wave_m = run->link.checker->world->wavelength_m / FOUR_PI;
    double round_m2 = area_m2 / RCITY_REAL_PI;
    return wave_m * wave_m * cross_m2 / ((before_m * before_m + round_m2) * (after_m * after_m + round_m2));
}

static bool is_seen(const link_run *run, const rcity_mirror *mirror, rcity_real3 centre)
{
    const rcity_path_checker *checker = run->link.checker;
    const rcity_shapes *shapes = checker->world->shapes;
    rcity_place3 at = {centre.x, centre.y, centre.z};
    if (mirror->kind == RCITY_MIRROR_ROOF) {
        rcity_grid_point3 snapped = rcity_path_snap(shapes, at, NULL);
        rcity_grid_point plan = {snapped.x, snapped.y};
        if (!rcity_roof_is_open(shapes, checker->prism_index, mirror->prism, plan)) {
            return false;
        }
    }
    rcity_grid_point3 point = rcity_path_snap(shapes, at, &mirror->normal);
    return rcity_sight_is_free(checker->sight, run->link.antenna_snapped, point) &&
           rcity_sight_is_free(checker->sight, run->tx_snapped, point);
}

/* Add one tile if both antennas see its centre. */
static void add_tile(link_run *run, const rcity_mirror *mirror, rcity_real3 centre, double area_m2)
{
    const rcity_path_ends *ends = run->link.ends;
    rcity_real3 leg = rcity_real3_subtract(centre, run->tx);
    double before_m = rcity_real3_length(leg);
    if (!is_seen(run, mirror, centre)) {
        return;
    }
    rcity_real3 departure = rcity_real3_scale(leg, 1.0 / before_m);
    rcity_jones sent = rcity_mount_field(run->mount, ends->tx_antenna, ends->tx_table, departure);
    double tx_gain = sent.theta * sent.theta + sent.phi * sent.phi;
    double share[2];
    rcity_rx_polarization_share(ends->rx_polarization, share);
    double isotropic_gain = tile_gain(run, mirror, area_m2, centre, departure, before_m) *
                            (sent.theta * sent.theta * share[0] + sent.phi * sent.phi * share[1]) / tx_gain;
    run->sum.isotropic_gain += isotropic_gain;
    run->sum.gain += isotropic_gain * tx_gain * pow(10.0, 0.1 * ends->rx_gain_dbi);
    run->sum.tile_count++;
}

/* Divide a rectangle until its tiles are small enough. */
static void add_rectangle(link_run *run, const rcity_mirror *mirror, rcity_scatter_tile whole)
{
    const rcity_scatter_options *options = run->link.options;
    rcity_scatter_tile stack[RCITY_SCATTER_STACK_MAX];
    int count = 0;
    stack[count++] = whole;
    while (count > 0) {
        rcity_scatter_tile tile = stack[--count];
        double u_m = rcity_real3_length(tile.side_u);
        double v_m = rcity_real3_length(tile.side_v);
        rcity_real3 centre = rcity_scatter_tile_point(tile, 0.5, 0.5);
        double nearer_m = fmin(rcity_real3_length(rcity_real3_subtract(centre, run->tx)),
                               rcity_real3_length(rcity_real3_subtract(centre, run->link.antenna)));
        double largest_m = fmin(options->tile_m, RCITY_SCATTER_TILE_DISTANCES * nearer_m);
        if (nearer_m - 0.5 * (u_m + v_m) > options->range_m ||
            rcity_scatter_divide(tile, fmax(largest_m, RCITY_SCATTER_TILE_MIN_M), stack, &count)) {
            continue;
        }
        if (nearer_m <= options->range_m) {
            add_tile(run, mirror, centre, u_m * v_m);
        }
    }
}

rcity_scatter_sum rcity_scatter_add(const rcity_path_checker *checker, const rcity_scatter_options *options,
                                    const rcity_path_ends *ends, rcity_place3 tx, rcity_place3 rx)
{
    const rcity_facet_table *world = checker->world;
    link_run run;
    memset(&run, 0, sizeof run);
    run.link = rcity_scatter_link_make(checker, options, ends, rx);
    run.mount = rcity_mount_make(ends->tx_azimuth_rad, ends->tx_tilt_rad, ends->tx_slant_rad);
    run.tx = rcity_real3_make(tx.x, tx.y, tx.z);
    run.tx_snapped = rcity_path_snap(world->shapes, tx, NULL);
    for (int64_t i = 0; i < world->wall_count + world->roof_count; i++) {
        const rcity_mirror *mirror = &world->mirrors[i];
        if (rcity_mirror_distance(mirror, tx) > RCITY_SCATTER_IN_FRONT_M &&
            rcity_mirror_distance(mirror, rx) > RCITY_SCATTER_IN_FRONT_M) {
            add_rectangle(&run, mirror, rcity_scatter_surface(world, mirror));
        }
    }
    return run.sum;
}
