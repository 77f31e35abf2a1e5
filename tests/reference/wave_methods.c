/* The wave physics as methods of the reference files, in double precision. Losses of a material and of a permittivity
   are given as people write them: positive. Angles of incidence count from the normal. */
#define RCITY_REAL_IS_DOUBLE

#include "reference.h"

#include <stddef.h>
#include <string.h>

#include "kernel/wave/face.h"
#include "kernel/wave/knife_edge.h"
#include "kernel/wave/permittivity.h"
#include "kernel/wave/roof_chain.h"
#include "kernel/wave/roughness.h"
#include "kernel/wave/two_ray.h"
#include "kernel/wave/wedge_pair.h"

#define RAD_PER_DEG   0.017453292519943295
#define LIGHT_M_PER_S 299792458.0

static double wavenumber_per_m(const inputs *given)
{
    return 2.0 * RCITY_REAL_PI * input(given, "frequency_hz") / LIGHT_M_PER_S;
}

static rcity_complex permittivity(const inputs *given)
{
    rcity_material_law law;
    law.a = input(given, "a");
    law.b = input(given, "b");
    law.c = input(given, "c");
    law.d = input(given, "d");
    law.min_ghz = has_input(given, "min_ghz") ? input(given, "min_ghz") : 0.0;
    law.max_ghz = has_input(given, "max_ghz") ? input(given, "max_ghz") : HUGE_VAL;
    return rcity_material_law_at(law, input(given, "frequency_hz") * 1e-9);
}

static double permittivity_real(const inputs *given)
{
    return permittivity(given).re;
}

static double permittivity_imaginary(const inputs *given)
{
    return -permittivity(given).im;
}

static double conductivity_s_per_m(const inputs *given)
{
    return -permittivity(given).im * input(given, "frequency_hz") * 1e-9 / RCITY_PERMITTIVITY_OHM_M;
}

static rcity_face face(const inputs *given)
{
    rcity_face made;
    made.permittivity = rcity_complex_make(input(given, "permittivity"), -input(given, "loss"));
    made.thickness_m = has_input(given, "thickness_m") ? input(given, "thickness_m") : 0.0;
    made.is_conductor = 0;
    made.rough_loss = 0.0;
    return made;
}

static rcity_face_response reflection(const inputs *given)
{
    return rcity_face_reflect(face(given), wavenumber_per_m(given), cos(input(given, "incidence_deg") * RAD_PER_DEG));
}

static rcity_face_response transmission(const inputs *given)
{
    return rcity_face_transmit(face(given), wavenumber_per_m(given), cos(input(given, "incidence_deg") * RAD_PER_DEG));
}

static double modulus(rcity_complex z)
{
    return sqrt(rcity_complex_square(z));
}

static double phase_deg(rcity_complex z)
{
    return atan2(z.im, z.re) / RAD_PER_DEG;
}

static double reflection_te(const inputs *given)
{
    return modulus(reflection(given).te);
}

static double reflection_te_deg(const inputs *given)
{
    return phase_deg(reflection(given).te);
}

static double reflection_tm(const inputs *given)
{
    return modulus(reflection(given).tm);
}

static double reflection_tm_deg(const inputs *given)
{
    return phase_deg(reflection(given).tm);
}

static double reflectance_te(const inputs *given)
{
    return rcity_complex_square(reflection(given).te);
}

static double reflectance_tm(const inputs *given)
{
    return rcity_complex_square(reflection(given).tm);
}

static double transmission_te(const inputs *given)
{
    return modulus(transmission(given).te);
}

static double transmission_te_deg(const inputs *given)
{
    return phase_deg(transmission(given).te);
}

static double transmission_tm(const inputs *given)
{
    return modulus(transmission(given).tm);
}

static double transmission_tm_deg(const inputs *given)
{
    return phase_deg(transmission(given).tm);
}

/* C(x) and S(x), the integrals of cos and sin (pi t^2 / 2) from 0 to x: what is left of the tail at 0. */
static rcity_complex fresnel(const inputs *given)
{
    double stretch = sqrt(RCITY_REAL_PI / 2.0);
    rcity_complex tail = rcity_fresnel_tail(stretch * input(given, "x"));
    rcity_complex whole = rcity_fresnel_tail(0.0);
    return rcity_complex_make((whole.re - tail.re) / stretch, (tail.im - whole.im) / stretch);
}

static double fresnel_cosine(const inputs *given)
{
    return fresnel(given).re;
}

static double fresnel_sine(const inputs *given)
{
    return fresnel(given).im;
}

static double knife_edge_v(const inputs *given)
{
    if (has_input(given, "v")) {
        return input(given, "v");
    }
    return rcity_knife_edge_parameter(input(given, "height_m"), input(given, "before_m"), input(given, "behind_m"),
                                      input(given, "wavelength_m"));
}

static double knife_edge_db(const inputs *given)
{
    return rcity_knife_edge_loss_db(knife_edge_v(given));
}

static double knife_edge_exact_db(const inputs *given)
{
    return rcity_knife_edge_exact_loss_db(knife_edge_v(given));
}

static double knife_edge_intensity(const inputs *given)
{
    return rcity_complex_square(rcity_knife_edge_field(knife_edge_v(given)));
}

/* Free-space loss of the direct ray less what both rays make of it. */
static double two_ray_loss_db(const inputs *given, int is_vertical)
{
    rcity_two_ray link;
    link.plan_m = input(given, "distance_m");
    link.tx_height_m = input(given, "tx_height_m");
    link.rx_height_m = input(given, "rx_height_m");
    link.wavenumber_per_m = wavenumber_per_m(given);
    link.ground = face(given);
    rcity_face_response field = rcity_two_ray_field(link);
    double direct_m = hypot(link.plan_m, link.tx_height_m - link.rx_height_m);
    return 20.0 * log10(2.0 * link.wavenumber_per_m * direct_m) -
           20.0 * log10(modulus(is_vertical ? field.tm : field.te));
}

static double two_ray_horizontal_db(const inputs *given)
{
    return two_ray_loss_db(given, 0);
}

static double two_ray_vertical_db(const inputs *given)
{
    return two_ray_loss_db(given, 1);
}

static double lobe_sr(const inputs *given)
{
    return rcity_roughness_lobe_sr((rcity_i32)input(given, "lobe"), cos(input(given, "incidence_deg") * RAD_PER_DEG));
}

/* F(x) = 2 sqrt(j pi x) W(sqrt(x)) */
static rcity_complex transition(const inputs *given)
{
    double x = input(given, "x");
    double root = sqrt(2.0 * RCITY_REAL_PI * x);
    return rcity_complex_multiply(rcity_complex_make(root, root), rcity_edge_field(sqrt(x)));
}

static double transition_real(const inputs *given)
{
    return transition(given).re;
}

static double transition_imaginary(const inputs *given)
{
    return transition(given).im;
}

/* Edges in line at equal distances. */
static double roof_chain_field(const inputs *given)
{
    rcity_roof_chain chain;
    memset(&chain, 0, sizeof chain);
    chain.edge_count = (rcity_i32)input(given, "top_count");
    if (chain.edge_count < 1 || chain.edge_count > RCITY_ROOF_CHAIN_MAX) {
        return (double)NAN;
    }
    chain.wavenumber_per_m = wavenumber_per_m(given);
    for (int i = 0; i < chain.edge_count + 2; i++) {
        chain.range_m[i] = i * input(given, "spacing_m");
    }
    return modulus(rcity_roof_chain_field(chain).field);
}

/* Screens that take all, so that only their edges count: all rays touch and are there, 1 - 1/2 - 1/2 + the pair. */
static double two_screens_field(const inputs *given)
{
    rcity_wedge_pair pair;
    memset(&pair, 0, sizeof pair);
    pair.first.exterior_rad = 2.0 * RCITY_REAL_PI;
    pair.first.face_o.permittivity = rcity_complex_make(1.0, 0.0);
    pair.first.face_n = pair.first.face_o;
    pair.second = pair.first;
    pair.at_first.wavenumber_per_m = wavenumber_per_m(given);
    pair.at_first.beta_rad = 0.5 * RCITY_REAL_PI;
    pair.at_first.phi_in_rad = 0.5 * RCITY_REAL_PI;
    pair.at_first.phi_out_rad = 1.5 * RCITY_REAL_PI;
    pair.at_second = pair.at_first;
    pair.before_m = input(given, "before_m");
    pair.between_m = input(given, "between_m");
    pair.after_m = input(given, "after_m");
    pair.between.m[0][0] = rcity_complex_make(-1.0, 0.0);
    pair.between.m[1][1] = pair.between.m[0][0];
    pair.cos_twist = -1.0;
    return modulus(rcity_wedge_pair_diffract(pair).m[0][0]);
}

/* The incident ray touches the edge and is there: 1 and the diffracted ray, over exp(-j k r). */
static rcity_complex half_plane(const inputs *given, int is_hard)
{
    rcity_wedge screen;
    memset(&screen, 0, sizeof screen);
    screen.exterior_rad = 2.0 * RCITY_REAL_PI;
    screen.face_o.is_conductor = 1;
    screen.face_n = screen.face_o;
    rcity_wedge_ray ray = {1.0, 0.5 * RCITY_REAL_PI, 0.5 * RCITY_REAL_PI, 1.5 * RCITY_REAL_PI, input(given, "kr")};
    rcity_complex d = rcity_wedge_diffract(screen, ray).m[is_hard][is_hard];
    return rcity_complex_make(1.0 - d.re / sqrt(ray.distance_m), -d.im / sqrt(ray.distance_m));
}

static double half_plane_soft_re(const inputs *given)
{
    return half_plane(given, 0).re;
}

static double half_plane_soft_im(const inputs *given)
{
    return half_plane(given, 0).im;
}

static double half_plane_hard_re(const inputs *given)
{
    return half_plane(given, 1).re;
}

static double half_plane_hard_im(const inputs *given)
{
    return half_plane(given, 1).im;
}

const reference_method wave_methods[] = {
    {"p2040-material", "permittivity", permittivity_real},
    {"p2040-material", "loss", permittivity_imaginary},
    {"p2040-material", "conductivity_s_per_m", conductivity_s_per_m},
    {"reflection", "te", reflection_te},
    {"reflection", "te_deg", reflection_te_deg},
    {"reflection", "tm", reflection_tm},
    {"reflection", "tm_deg", reflection_tm_deg},
    {"reflection", "te_power", reflectance_te},
    {"reflection", "tm_power", reflectance_tm},
    {"transmission", "te", transmission_te},
    {"transmission", "te_deg", transmission_te_deg},
    {"transmission", "tm", transmission_tm},
    {"transmission", "tm_deg", transmission_tm_deg},
    {"fresnel-integral", "c", fresnel_cosine},
    {"fresnel-integral", "s", fresnel_sine},
    {"knife-edge", "v", knife_edge_v},
    {"knife-edge", "loss_db", knife_edge_db},
    {"knife-edge-exact", "loss_db", knife_edge_exact_db},
    {"knife-edge-exact", "intensity", knife_edge_intensity},
    {"two-ray-horizontal", "loss_db", two_ray_horizontal_db},
    {"two-ray-vertical", "loss_db", two_ray_vertical_db},
    {"roughness-lobe", "solid_angle_sr", lobe_sr},
    {"transition-function", "f_re", transition_real},
    {"transition-function", "f_im", transition_imaginary},
    {"roof-chain", "field", roof_chain_field},
    {"two-screens", "field", two_screens_field},
    {"half-plane-boundary", "soft_re", half_plane_soft_re},
    {"half-plane-boundary", "soft_im", half_plane_soft_im},
    {"half-plane-boundary", "hard_re", half_plane_hard_re},
    {"half-plane-boundary", "hard_im", half_plane_hard_im},
    {NULL, NULL, NULL},
};
