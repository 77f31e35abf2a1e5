/* Tiles of walls and roofs, and what they scatter. */
#define RCITY_REAL_IS_DOUBLE

#include "method/images/scatter/scatter.h"

#include <math.h>
#include <string.h>

#include "kernel/wave/face.h"
#include "kernel/wave/polarization.h"
#include "kernel/wave/roughness.h"
#include "method/images/images.h"

#define TWO_PI     6.28318530717958647692
#define STACK_MAX  64   /* each division leaves one tile behind, and sides are halved: 2 log2(100 km / 0.1 m) */
#define IN_FRONT_M 1e-6 /* an antenna nearer to a plane than this, or behind it, does not see it */

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

/* A rectangle on a mirror: its corner and its two sides. */
typedef struct tile {
    rcity_real3 corner, side_u, side_v;
} tile;

/* What all tiles of one link share. */
typedef struct link_run {
    const rcity_path_checker *checker;
    const rcity_scatter_options *options;
    const rcity_path_ends *ends;
    rcity_mount mount;
    rcity_roughness rough;
    rcity_real3 tx, rx;
    rcity_grid_point3 tx_snapped, rx_snapped;
    rcity_scatter_sum sum;
} link_run;

static rcity_real3 to_real3(rcity_place3 place)
{
    return rcity_real3_make(place.x, place.y, place.z);
}

/* Shares of what left as theta and as phi that the receiver's antenna takes. */
static void receive_shares(rcity_rx_polarization polarization, double share[2])
{
    share[0] = polarization == RCITY_RX_POLARIZATION_HORIZONTAL ? 0.0 : 1.0;
    share[1] = polarization == RCITY_RX_POLARIZATION_VERTICAL ? 0.0 : 1.0;
    if (polarization == RCITY_RX_POLARIZATION_SLANT || polarization == RCITY_RX_POLARIZATION_SLANT_MINUS) {
        share[0] = share[1] = 0.5;
    }
}

/* |Gamma|^2 of the smooth face, the mean of both polarizations; 1 where the coefficient refers to the incident field. */
static double reflectance(const link_run *run, const rcity_mirror *mirror, double cos_in)
{
    if (!run->options->of_reflected) {
        return 1.0;
    }
    const rcity_facet_table *world = run->checker->world;
    const rcity_facet_material *material = &world->materials[mirror->material_index];
    rcity_face face;
    memset(&face, 0, sizeof face);
    face.permittivity = rcity_complex_make(material->permittivity_re, material->permittivity_im);
    face.thickness_m = material->thickness_m;
    face.is_conductor = material->is_conductor;
    rcity_face_response response = rcity_face_reflect(face, TWO_PI / world->wavelength_m, cos_in);
    return 0.5 * (rcity_complex_square(response.te) + rcity_complex_square(response.tm));
}

/* Power from antenna to antenna over one tile, between isotropic antennas: (lambda / 4 pi)^2 A / (r1^2 r2^2) with A of
   rcity_roughness_scatter(). To each r^2 the tile's area / pi is added, which makes the solid angle of the tile that of
   a disc seen along its axis: right from near, and nothing from afar. */
static double tile_gain(const link_run *run, const rcity_mirror *mirror, double area_m2, rcity_real3 centre,
                        rcity_real3 departure, double before_m)
{
    rcity_real3 leg = rcity_real3_subtract(run->rx, centre);
    double after_m = rcity_real3_length(leg);
    rcity_real3 normal = to_real3(mirror->normal);
    double cos_in = -rcity_real3_dot(normal, departure);
    double pattern_per_sr =
        rcity_roughness_pattern_per_sr(run->rough, normal, departure, rcity_real3_scale(leg, 1.0 / after_m));
    double cross_m2 = rcity_roughness_scatter(run->rough, reflectance(run, mirror, cos_in), cos_in, pattern_per_sr,
                                              area_m2, 1.0); /* at a metre */
    double wave_m = run->checker->world->wavelength_m / (2.0 * TWO_PI);
    double round_m2 = area_m2 / RCITY_REAL_PI;
    return wave_m * wave_m * cross_m2 / ((before_m * before_m + round_m2) * (after_m * after_m + round_m2));
}

static bool is_seen(const link_run *run, const rcity_mirror *mirror, rcity_real3 centre)
{
    const rcity_path_checker *checker = run->checker;
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
    return rcity_sight_is_free(checker->sight, run->rx_snapped, point) &&
           rcity_sight_is_free(checker->sight, run->tx_snapped, point);
}

/* Add one tile if both antennas see its centre. */
static void add_tile(link_run *run, const rcity_mirror *mirror, rcity_real3 centre, double area_m2)
{
    rcity_real3 leg = rcity_real3_subtract(centre, run->tx);
    double before_m = rcity_real3_length(leg);
    if (!is_seen(run, mirror, centre)) {
        return;
    }
    rcity_real3 departure = rcity_real3_scale(leg, 1.0 / before_m);
    rcity_jones sent = rcity_mount_field(run->mount, run->ends->tx_antenna, run->ends->tx_table, departure);
    double tx_gain = sent.theta * sent.theta + sent.phi * sent.phi;
    double share[2];
    receive_shares(run->ends->rx_polarization, share);
    double isotropic_gain = tile_gain(run, mirror, area_m2, centre, departure, before_m) *
                            (sent.theta * sent.theta * share[0] + sent.phi * sent.phi * share[1]) / tx_gain;
    run->sum.isotropic_gain += isotropic_gain;
    run->sum.gain += isotropic_gain * tx_gain * pow(10.0, 0.1 * run->ends->rx_gain_dbi);
    run->sum.tile_count++;
}

/* Divide a rectangle until its tiles are small enough, the longer side first. */
static void add_rectangle(link_run *run, const rcity_mirror *mirror, tile whole)
{
    tile stack[STACK_MAX];
    int count = 0;
    stack[count++] = whole;
    while (count > 0) {
        tile at = stack[--count];
        double u_m = rcity_real3_length(at.side_u);
        double v_m = rcity_real3_length(at.side_v);
        rcity_real3 centre = rcity_real3_add(at.corner, rcity_real3_scale(rcity_real3_add(at.side_u, at.side_v), 0.5));
        double nearer_m = fmin(rcity_real3_length(rcity_real3_subtract(centre, run->tx)),
                               rcity_real3_length(rcity_real3_subtract(centre, run->rx)));
        double largest_m = fmin(run->options->tile_m, RCITY_SCATTER_TILE_DISTANCES * nearer_m);
        if (nearer_m - 0.5 * (u_m + v_m) > run->options->range_m) {
            continue;
        }
        if (fmax(u_m, v_m) <= fmax(largest_m, RCITY_SCATTER_TILE_MIN_M) || count + 2 > STACK_MAX) {
            if (nearer_m <= run->options->range_m) {
                add_tile(run, mirror, centre, u_m * v_m);
            }
            continue;
        }
        tile half = at;
        if (u_m >= v_m) {
            half.side_u = rcity_real3_scale(at.side_u, 0.5);
            at.side_u = half.side_u;
            at.corner = rcity_real3_add(at.corner, at.side_u);
        } else {
            half.side_v = rcity_real3_scale(at.side_v, 0.5);
            at.side_v = half.side_v;
            at.corner = rcity_real3_add(at.corner, at.side_v);
        }
        stack[count++] = at;
        stack[count++] = half;
    }
}

static tile wall_tile(const rcity_mirror *wall)
{
    return (tile){rcity_real3_make(wall->x1, wall->y1, wall->bottom),
                  rcity_real3_make(wall->x2 - wall->x1, wall->y2 - wall->y1, 0.0),
                  rcity_real3_make(0.0, 0.0, wall->top - wall->bottom)};
}

/* The box around a roof; tiles whose centres lie off it do not count. */
static tile roof_tile(const rcity_shapes *shapes, const rcity_mirror *roof)
{
    const rcity_prism *prism = &shapes->prisms[roof->prism];
    double low[2] = {HUGE_VAL, HUGE_VAL};
    double high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int32_t i = shapes->ring_first[prism->first_ring]; i < shapes->ring_first[prism->first_ring + 1]; i++) {
        double x = shapes->points[i].x / shapes->units_per_m;
        double y = shapes->points[i].y / shapes->units_per_m;
        low[0] = fmin(low[0], x);
        low[1] = fmin(low[1], y);
        high[0] = fmax(high[0], x);
        high[1] = fmax(high[1], y);
    }
    return (tile){rcity_real3_make(low[0], low[1], roof->top), rcity_real3_make(high[0] - low[0], 0.0, 0.0),
                  rcity_real3_make(0.0, high[1] - low[1], 0.0)};
}

rcity_scatter_sum rcity_scatter_add(const rcity_path_checker *checker, const rcity_scatter_options *options,
                                    const rcity_path_ends *ends, rcity_place3 tx, rcity_place3 rx)
{
    const rcity_facet_table *world = checker->world;
    link_run run;
    memset(&run, 0, sizeof run);
    run.checker = checker;
    run.options = options;
    run.ends = ends;
    run.mount = rcity_mount_make(ends->tx_azimuth_rad, ends->tx_tilt_rad, ends->tx_slant_rad);
    run.rough.scattering = options->coefficient;
    run.rough.lobe = options->is_directive ? options->exponent : 0;
    run.rough.forward_share = 1.0;
    run.tx = to_real3(tx);
    run.rx = to_real3(rx);
    run.tx_snapped = rcity_path_snap(world->shapes, tx, NULL);
    run.rx_snapped = rcity_path_snap(world->shapes, rx, NULL);
    for (int64_t i = 0; i < world->wall_count + world->roof_count; i++) {
        const rcity_mirror *mirror = &world->mirrors[i];
        if (rcity_mirror_distance(mirror, tx) > IN_FRONT_M && rcity_mirror_distance(mirror, rx) > IN_FRONT_M) {
            add_rectangle(&run, mirror, i < world->wall_count ? wall_tile(mirror) : roof_tile(world->shapes, mirror));
        }
    }
    return run.sum;
}
