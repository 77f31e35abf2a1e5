#define RCITY_REAL_IS_DOUBLE

#include "method/images/scatter/scatter_tile.h"

#include <math.h>
#include <string.h>

#include "kernel/wave/face.h"

#define TWO_PI 6.28318530717958647692

rcity_scatter_link rcity_scatter_link_make(const rcity_path_checker *checker, const rcity_scatter_options *options,
                                           const rcity_path_ends *ends, rcity_place3 antenna)
{
    rcity_scatter_link link;
    memset(&link, 0, sizeof link);
    link.checker = checker;
    link.options = options;
    link.ends = ends;
    link.rough.scattering = options->coefficient;
    link.rough.lobe = options->is_directive ? options->exponent : 0;
    link.rough.forward_share = 1.0;
    link.antenna = rcity_real3_make(antenna.x, antenna.y, antenna.z);
    link.antenna_snapped = rcity_path_snap(checker->world->shapes, antenna, NULL);
    return link;
}

static rcity_scatter_tile wall_tile(const rcity_mirror *wall)
{
    return (rcity_scatter_tile){rcity_real3_make(wall->x1, wall->y1, wall->bottom),
                                rcity_real3_make(wall->x2 - wall->x1, wall->y2 - wall->y1, 0.0),
                                rcity_real3_make(0.0, 0.0, wall->top - wall->bottom)};
}

/* The box around a roof; tiles whose centres lie off it do not count. */
static rcity_scatter_tile roof_tile(const rcity_shapes *shapes, const rcity_mirror *roof)
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
    return (rcity_scatter_tile){rcity_real3_make(low[0], low[1], roof->top),
                                rcity_real3_make(high[0] - low[0], 0.0, 0.0),
                                rcity_real3_make(0.0, high[1] - low[1], 0.0)};
}

rcity_scatter_tile rcity_scatter_surface(const rcity_facet_table *world, const rcity_mirror *mirror)
{
    return mirror->kind == RCITY_MIRROR_ROOF ? roof_tile(world->shapes, mirror) : wall_tile(mirror);
}

rcity_real3 rcity_scatter_tile_point(rcity_scatter_tile tile, double u, double v)
{
    rcity_real3 across = rcity_real3_add(rcity_real3_scale(tile.side_u, u), rcity_real3_scale(tile.side_v, v));
    return rcity_real3_add(tile.corner, across);
}

bool rcity_scatter_divide(rcity_scatter_tile tile, double largest_m, rcity_scatter_tile *stack, int *count)
{
    double u_m = rcity_real3_length(tile.side_u);
    double v_m = rcity_real3_length(tile.side_v);
    if (fmax(u_m, v_m) <= largest_m || *count + 2 > RCITY_SCATTER_STACK_MAX) {
        return false;
    }
    rcity_real3 *side = u_m >= v_m ? &tile.side_u : &tile.side_v;
    *side = rcity_real3_scale(*side, 0.5);
    rcity_scatter_tile other = tile;
    other.corner = rcity_real3_add(tile.corner, *side);
    stack[(*count)++] = other;
    stack[(*count)++] = tile;
    return true;
}

/* |Gamma|^2 of the smooth face, mean of both polarizations; 1 where the coefficient refers to the incident field. */
static double reflectance(const rcity_scatter_link *link, const rcity_mirror *mirror, double cos_in)
{
    if (!link->options->of_reflected) {
        return 1.0;
    }
    const rcity_facet_table *world = link->checker->world;
    const rcity_facet_material *material = &world->materials[mirror->material_index];
    rcity_face face;
    memset(&face, 0, sizeof face);
    face.permittivity = rcity_complex_make(material->permittivity_re, material->permittivity_im);
    face.thickness_m = material->thickness_m;
    face.is_conductor = material->is_conductor;
    rcity_face_response response = rcity_face_reflect(face, TWO_PI / world->wavelength_m, cos_in);
    return 0.5 * (rcity_complex_square(response.te) + rcity_complex_square(response.tm));
}

double rcity_scatter_cross_m2(const rcity_scatter_link *link, const rcity_mirror *mirror, double area_m2,
                              rcity_real3 in, rcity_real3 out)
{
    rcity_real3 normal = rcity_real3_make(mirror->normal.x, mirror->normal.y, mirror->normal.z);
    double cos_in = -rcity_real3_dot(normal, in);
    double pattern_per_sr = rcity_roughness_pattern_per_sr(link->rough, normal, in, out);
    return rcity_roughness_scatter(link->rough, reflectance(link, mirror, cos_in), cos_in, pattern_per_sr, area_m2,
                                   1.0);
}
