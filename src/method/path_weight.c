#define RCITY_REAL_IS_DOUBLE

#include "method/path_weight.h"

#include <math.h>
#include <string.h>

#include "kernel/wave/complex.h"
#include "kernel/wave/polarization.h"
#include "result/rays_data.h"

#define CROSSED        1e-24 /* of the arriving power: crossed polarizations leave this much rounding instead of 0 */
#define VERTICAL_NUDGE 1e-9  /* towards the x axis: the side from which the frame of a vertical ray is taken */

/* The arriving field, theta or phi, of what the transmitting antenna sends. */
static rcity_complex arriving(const rcity_channel *channel, int out, rcity_jones sent)
{
    rcity_phasor by_theta = channel->transfer[out][0];
    rcity_phasor by_phi = channel->transfer[out][1];
    return rcity_complex_make(by_theta.re * sent.theta + by_phi.re * sent.phi,
                              by_theta.im * sent.theta + by_phi.im * sent.phi);
}

/* Crossed polarizations receive nothing, not -400 dB of rounding. */
static rcity_complex without_rounding(rcity_complex port, double arriving_power)
{
    return rcity_complex_square(port) < CROSSED * arriving_power ? rcity_complex_make(0.0, 0.0) : port;
}

static rcity_phasor to_phasor(rcity_complex z)
{
    return (rcity_phasor){z.re, z.im};
}

rcity_path_weight rcity_path_weigh(const rcity_path_ends *ends, const rcity_path_course *course,
                                   const rcity_channel *channel)
{
    rcity_path_weight weight;
    memset(&weight, 0, sizeof weight);
    rcity_real3 departure = rcity_real3_make(course->departure.x, course->departure.y, course->departure.z);
    if (departure.x == 0.0 && departure.y == 0.0) {
        departure.x = VERTICAL_NUDGE; /* an upright antenna has the upright frame there too, whatever its azimuth */
    }
    rcity_mount mount = rcity_mount_make(ends->tx_azimuth_rad, ends->tx_tilt_rad, ends->tx_slant_rad);
    rcity_jones sent = rcity_mount_field(mount, ends->tx_antenna, ends->tx_table, departure);
    double tx_gain = sent.theta * sent.theta + sent.phi * sent.phi;
    double rx_gain = pow(10.0, 0.1 * ends->rx_gain_dbi);
    const rcity_complex field[2] = {arriving(channel, 0, sent), arriving(channel, 1, sent)};
    rcity_complex port[2];
    rcity_receive((rcity_i32)ends->rx_polarization, field[0], field[1], port);
    double arriving_power = rcity_complex_square(field[0]) + rcity_complex_square(field[1]);
    for (int i = 0; i < 2; i++) {
        port[i] = rcity_complex_scale(without_rounding(port[i], arriving_power), sqrt(rx_gain));
    }
    weight.amplitude = to_phasor(port[0]);
    weight.cross_amplitude = to_phasor(port[1]);
    weight.gain = rcity_complex_square(port[0]) + rcity_complex_square(port[1]);
    weight.isotropic_gain = weight.gain / (tx_gain * rx_gain);
    return weight;
}
