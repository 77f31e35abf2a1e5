/* Every function of kernel/wave by number, numbers in and numbers out: one source for the device and for the host in
   both precisions (wave_single.c, wave_double.c). A new function adds a number here and a row in wave_cases.c. */
#include "kernel/wave/face.h"
#include "kernel/wave/fresnel_integral.h"
#include "kernel/wave/knife_edge.h"
#include "kernel/wave/permittivity.h"
#include "kernel/wave/polarization.h"
#include "kernel/wave/roof_chain.h"
#include "kernel/wave/roughness.h"
#include "kernel/wave/two_ray.h"
#include "kernel/wave/wedge_pair.h"

#define RCITY_WAVE_IN  16 /* numbers an item has room for */
#define RCITY_WAVE_OUT 8

#define RCITY_WAVE_REFLECT      0
#define RCITY_WAVE_TRANSMIT     1
#define RCITY_WAVE_PERMITTIVITY 2
#define RCITY_WAVE_FRESNEL      3
#define RCITY_WAVE_KNIFE_EDGE   4
#define RCITY_WAVE_TWO_RAY      5
#define RCITY_WAVE_ROUGHNESS    6
#define RCITY_WAVE_POLARIZATION 7
#define RCITY_WAVE_WEDGE        8
#define RCITY_WAVE_WEDGE_SLOPE  9
#define RCITY_WAVE_WEDGE_PAIR   10
#define RCITY_WAVE_ROOF_CHAIN   11

/* Numbers only, so that it travels as a kernel argument. */
typedef struct rcity_wave_job {
    rcity_i32 function;
    rcity_i32 padding;
} rcity_wave_job;

/* Real and imaginary part, thickness, and whether it is a conductor. */
RCITY_KERNEL rcity_face rcity_wave_face(RCITY_GLOBAL const rcity_real *in)
{
    rcity_face face;
    face.permittivity = rcity_complex_make(in[0], in[1]);
    face.thickness_m = in[2];
    face.is_conductor = in[3] > RCITY_REAL(0.5);
    face.rough_loss = RCITY_REAL(0.0);
    return face;
}

RCITY_KERNEL void rcity_wave_put(RCITY_GLOBAL rcity_real *out, rcity_complex value)
{
    out[0] = value.re;
    out[1] = value.im;
}

RCITY_KERNEL void rcity_wave_put_response(RCITY_GLOBAL rcity_real *out, rcity_face_response response)
{
    rcity_wave_put(out, response.te);
    rcity_wave_put(out + 2, response.tm);
}

RCITY_KERNEL rcity_real3 rcity_wave_direction(RCITY_GLOBAL const rcity_real *in)
{
    rcity_real sine = rcity_real_sin(in[0]);
    return rcity_real3_make(sine * rcity_real_cos(in[1]), sine * rcity_real_sin(in[1]), rcity_real_cos(in[0]));
}

RCITY_KERNEL void rcity_wave_permittivity(RCITY_GLOBAL const rcity_real *in, RCITY_GLOBAL rcity_real *out)
{
    rcity_material_law law;
    law.a = in[0];
    law.b = in[1];
    law.c = in[2];
    law.d = in[3];
    law.min_ghz = in[4];
    law.max_ghz = in[5];
    rcity_wave_put(out, rcity_material_law_at(law, in[6]));
}

RCITY_KERNEL void rcity_wave_two_ray(RCITY_GLOBAL const rcity_real *in, RCITY_GLOBAL rcity_real *out)
{
    rcity_two_ray link;
    link.plan_m = in[0];
    link.tx_height_m = in[1];
    link.rx_height_m = in[2];
    link.wavenumber_per_m = in[3];
    link.ground = rcity_wave_face(in + 4);
    rcity_wave_put_response(out, rcity_two_ray_field(link));
}

/* The wall is level; the ray comes from above. */
RCITY_KERNEL void rcity_wave_roughness(RCITY_GLOBAL const rcity_real *in, RCITY_GLOBAL rcity_real *out)
{
    rcity_roughness rough;
    rough.scattering = in[0];
    rough.lobe = (rcity_i32)in[1];
    rough.back_lobe = (rcity_i32)in[2];
    rough.forward_share = in[3];
    rcity_real3 up = rcity_real3_make(RCITY_REAL(0.0), RCITY_REAL(0.0), RCITY_REAL(1.0));
    rcity_real3 from = rcity_wave_direction(in + 4);
    rcity_real pattern_per_sr = rcity_roughness_pattern_per_sr(rough, up, rcity_real3_scale(from, RCITY_REAL(-1.0)),
                                                               rcity_wave_direction(in + 6));
    out[0] = rcity_roughness_scatter(rough, in[8], from.z, pattern_per_sr, in[9], in[10]);
    out[1] = rcity_roughness_specular(rough);
}

/* An element of TR 38.901, which needs no table. */
RCITY_KERNEL void rcity_wave_polarization(RCITY_GLOBAL const rcity_real *in, RCITY_GLOBAL rcity_real *out)
{
    rcity_mount mount = rcity_mount_make(in[0], in[1], in[2]);
    rcity_antenna_job antenna;
    antenna.kind = RCITY_ANTENNA_KIND_3GPP;
    antenna.gain_dbi = 8.0f;
    antenna.tilt_rad = 0.0f;
    antenna.sin_azimuth = (float)mount.sin_azimuth;
    antenna.cos_azimuth = (float)mount.cos_azimuth;
    antenna.sin_tilt = (float)mount.sin_tilt;
    antenna.cos_tilt = (float)mount.cos_tilt;
    antenna.padding = 0.0f;
    rcity_real3 direction = rcity_wave_direction(in + 3);
    rcity_jones jones = rcity_mount_jones(mount, direction);
    rcity_jones field = rcity_mount_field(mount, antenna, (RCITY_GLOBAL const float *)0, direction);
    out[0] = jones.theta;
    out[1] = jones.phi;
    out[2] = field.theta;
    out[3] = field.phi;
}

RCITY_KERNEL void rcity_wave_put_dyad(RCITY_GLOBAL rcity_real *out, rcity_dyad dyad)
{
    for (rcity_i32 i = 0; i < 4; i++) {
        rcity_wave_put(out + 2 * i, dyad.m[i / 2][i % 2]);
    }
}

/* Angles around the edge come as shares of the air's. */
RCITY_KERNEL rcity_wedge_ray rcity_wave_wedge_ray(rcity_wedge wedge, RCITY_GLOBAL const rcity_real *in)
{
    rcity_wedge_ray ray;
    ray.wavenumber_per_m = in[0];
    ray.beta_rad = in[1];
    ray.phi_in_rad = in[2] * wedge.exterior_rad;
    ray.phi_out_rad = in[3] * wedge.exterior_rad;
    ray.distance_m = in[4];
    return ray;
}

RCITY_KERNEL void rcity_wave_wedge(RCITY_GLOBAL const rcity_real *in, RCITY_GLOBAL rcity_real *out, rcity_i32 is_slope)
{
    rcity_wedge wedge;
    wedge.exterior_rad = in[5];
    wedge.face_o = rcity_wave_face(in + 6);
    wedge.face_n = rcity_wave_face(in + 10);
    rcity_wedge_ray ray = rcity_wave_wedge_ray(wedge, in);
    rcity_wave_put_dyad(out, is_slope ? rcity_wedge_slope(wedge, ray) : rcity_wedge_diffract(wedge, ray));
}

/* Two right corners of one material; joined by a face or not. */
RCITY_KERNEL void rcity_wave_wedge_pair(RCITY_GLOBAL const rcity_real *in, RCITY_GLOBAL rcity_real *out)
{
    rcity_wedge_pair pair;
    pair.first.exterior_rad = RCITY_REAL(1.5) * RCITY_REAL_PI;
    pair.first.face_o = rcity_wave_face(in + 11);
    pair.first.face_n = pair.first.face_o;
    pair.second = pair.first;
    pair.at_first = rcity_wave_wedge_ray(pair.first, in);
    pair.at_second = rcity_wave_wedge_ray(pair.first, in);
    pair.at_second.phi_in_rad = in[4] * pair.first.exterior_rad;
    pair.at_second.phi_out_rad = in[5] * pair.first.exterior_rad;
    pair.at_second.beta_rad = in[6];
    pair.before_m = in[7];
    pair.between_m = in[8];
    pair.after_m = in[9];
    pair.is_joined = in[15] > RCITY_REAL(0.5);
    if (pair.is_joined) {
        pair.at_first.phi_out_rad = RCITY_REAL(0.0);
        pair.at_second.phi_in_rad = pair.first.exterior_rad;
    }
    pair.cos_twist = pair.is_joined ? RCITY_REAL(-1.0) : rcity_real_cos(in[10]);
    rcity_real sine = pair.is_joined ? RCITY_REAL(0.0) : rcity_real_sin(in[10]);
    pair.between.m[0][0] = rcity_complex_make(pair.cos_twist, RCITY_REAL(0.0));
    pair.between.m[1][1] = pair.between.m[0][0];
    pair.between.m[0][1] = rcity_complex_make(sine, RCITY_REAL(0.0));
    pair.between.m[1][0] = rcity_complex_make(-sine, RCITY_REAL(0.0));
    rcity_wave_put_dyad(out, rcity_wedge_pair_diffract(pair));
}

/* Heights of up to ten edges, then the distance between two of them, the wavenumber, how many there are, and a roof. */
RCITY_KERNEL void rcity_wave_roof_chain(RCITY_GLOBAL const rcity_real *in, RCITY_GLOBAL rcity_real *out)
{
    rcity_roof_chain chain;
    chain.edge_count = (rcity_i32)in[12];
    chain.wavenumber_per_m = in[11];
    for (rcity_i32 i = 0; i < chain.edge_count + 2; i++) {
        chain.range_m[i] = in[10] * (rcity_real)i;
        chain.height_m[i] = i < 10 ? in[i] : in[i - 10];
        chain.roof[i] = RCITY_REAL(0.0);
    }
    chain.roof[1] = in[13];
    rcity_roof_field field = rcity_roof_chain_field(chain);
    rcity_wave_put(out, field.field);
    out[2] = field.length_m / chain.range_m[chain.edge_count + 1];
}

/* One item: RCITY_WAVE_IN numbers in, RCITY_WAVE_OUT out; those a function does not fill are 0. */
RCITY_KERNEL void rcity_wave_item(rcity_i32 function, RCITY_GLOBAL const rcity_real *in, RCITY_GLOBAL rcity_real *out)
{
    for (rcity_i32 i = 0; i < RCITY_WAVE_OUT; i++) {
        out[i] = RCITY_REAL(0.0);
    }
    if (function == RCITY_WAVE_REFLECT) {
        rcity_wave_put_response(out, rcity_face_reflect(rcity_wave_face(in + 2), in[0], in[1]));
    } else if (function == RCITY_WAVE_TRANSMIT) {
        rcity_wave_put_response(out, rcity_face_transmit(rcity_wave_face(in + 2), in[0], in[1]));
    } else if (function == RCITY_WAVE_PERMITTIVITY) {
        rcity_wave_permittivity(in, out);
    } else if (function == RCITY_WAVE_FRESNEL) {
        rcity_wave_put(out, rcity_fresnel_scaled(in[0]));
        rcity_wave_put(out + 2, rcity_fresnel_shortfall(in[0]));
        rcity_wave_put(out + 4, rcity_fresnel_tail(in[1]));
    } else if (function == RCITY_WAVE_KNIFE_EDGE) {
        rcity_real v = rcity_knife_edge_parameter(in[0], in[1], in[2], in[3]);
        rcity_wave_put(out, rcity_knife_edge_field(v));
        out[2] = rcity_knife_edge_exact_loss_db(v);
        out[3] = rcity_knife_edge_loss_db(v);
    } else if (function == RCITY_WAVE_TWO_RAY) {
        rcity_wave_two_ray(in, out);
    } else if (function == RCITY_WAVE_ROUGHNESS) {
        rcity_wave_roughness(in, out);
    } else if (function == RCITY_WAVE_POLARIZATION) {
        rcity_wave_polarization(in, out);
    } else if (function == RCITY_WAVE_WEDGE || function == RCITY_WAVE_WEDGE_SLOPE) {
        rcity_wave_wedge(in, out, function == RCITY_WAVE_WEDGE_SLOPE);
    } else if (function == RCITY_WAVE_WEDGE_PAIR) {
        rcity_wave_wedge_pair(in, out);
    } else if (function == RCITY_WAVE_ROOF_CHAIN) {
        rcity_wave_roof_chain(in, out);
    }
}

#ifdef __OPENCL_VERSION__
__kernel void rcity_wave(rcity_wave_job job, long item_begin, long item_count, __global const float *in,
                         __global float *out)
{
    long i = get_global_id(0);
    if (i < item_count) {
        rcity_wave_item(job.function, in + RCITY_WAVE_IN * i, out + RCITY_WAVE_OUT * i);
    }
}
#endif
