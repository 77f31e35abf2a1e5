/* Sums over the paths of a receiver, strongest first: the same bits every time. */
#include "result/ray_summary.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "result/rays_data.h"

static double square(rcity_phasor a)
{
    return a.re * a.re + a.im * a.im;
}

static void add_scaled(rcity_phasor *sum, rcity_phasor a, double factor)
{
    sum->re += a.re * factor;
    sum->im += a.im * factor;
}

static double decibel(double power)
{
    return 10.0 * log10(power);
}

/* 0 where there is none. */
static double power_of(double gain_db)
{
    return isnan(gain_db) ? 0.0 : pow(10.0, 0.1 * gain_db);
}

/* Fields with and without the antennas' gains. Gains change no phase, so they are one factor of a path. */
static void sum_fields(const rcity_path *paths, rcity_receiver_summary *summary)
{
    rcity_phasor sum[2];
    rcity_phasor isotropic_sum[2];
    memset(sum, 0, sizeof sum);
    memset(isotropic_sum, 0, sizeof isotropic_sum);
    double power = 0.0;
    double isotropic_power = 0.0;
    for (int64_t i = 0; i < summary->path_count; i++) {
        const rcity_path *path = &paths[i];
        if (rcity_path_power(path) == 0.0) {
            continue;
        }
        double isotropic = pow(10.0, -0.1 * path->loss_db);
        double factor = sqrt(isotropic / rcity_path_power(path));
        power += rcity_path_power(path);
        isotropic_power += isotropic;
        add_scaled(&sum[0], path->amplitude, 1.0);
        add_scaled(&sum[1], path->cross_amplitude, 1.0);
        add_scaled(&isotropic_sum[0], path->amplitude, factor);
        add_scaled(&isotropic_sum[1], path->cross_amplitude, factor);
    }
    double scattered = power_of(summary->scattered_gain_db);
    double isotropic_scattered = power_of(-summary->scattered_loss_db);
    bool has_groups = !isnan(summary->grouped_gain_db);
    double grouped = has_groups ? power_of(summary->grouped_gain_db) : power;
    double isotropic_grouped = has_groups ? power_of(-summary->grouped_loss_db) : isotropic_power;
    summary->gain_db = decibel(power + scattered);
    summary->coherent_gain_db = decibel(square(sum[0]) + square(sum[1]) + scattered);
    summary->grouped_gain_db = decibel(grouped + scattered);
    summary->loss_db = -decibel(isotropic_power + isotropic_scattered);
    summary->coherent_loss_db = -decibel(square(isotropic_sum[0]) + square(isotropic_sum[1]) + isotropic_scattered);
    summary->grouped_loss_db = -decibel(isotropic_grouped + isotropic_scattered);
}

/* The strongest path relative to all others. */
static double k_factor_db(const rcity_path *paths, int64_t path_count)
{
    double others = 0.0;
    for (int64_t i = 1; i < path_count; i++) {
        others += rcity_path_power(&paths[i]);
    }
    return others > 0.0 ? decibel(rcity_path_power(&paths[0]) / others) : (double)NAN;
}

typedef double (*path_value)(const rcity_path *path);

static double delay_s(const rcity_path *path)
{
    return path->delay_s;
}

static double departure_azimuth_rad(const rcity_path *path)
{
    return rcity_angle_rad(path->departure_azimuth_deg);
}

static double departure_elevation_rad(const rcity_path *path)
{
    return rcity_angle_rad(path->departure_elevation_deg);
}

static double arrival_azimuth_rad(const rcity_path *path)
{
    return rcity_angle_rad(path->arrival_azimuth_deg);
}

static double arrival_elevation_rad(const rcity_path *path)
{
    return rcity_angle_rad(path->arrival_elevation_deg);
}

static size_t gather(const rcity_path *paths, int64_t path_count, path_value value, rcity_weighted *scratch)
{
    for (int64_t i = 0; i < path_count; i++) {
        scratch[i] = (rcity_weighted){value(&paths[i]), rcity_path_power(&paths[i])};
    }
    return (size_t)path_count;
}

static double circle_deg(const rcity_path *paths, int64_t path_count, path_value value, rcity_weighted *scratch)
{
    return rcity_angle_deg(rcity_spread_circle(scratch, gather(paths, path_count, value, scratch)));
}

static double plain_deg(const rcity_path *paths, int64_t path_count, path_value value, rcity_weighted *scratch)
{
    return rcity_angle_deg(rcity_spread_plain(scratch, gather(paths, path_count, value, scratch), NULL));
}

void rcity_ray_summary_fill(const rcity_path *paths, double input_dbm, rcity_weighted *scratch,
                            rcity_receiver_summary *summary)
{
    int64_t count = summary->path_count;
    sum_fields(paths, summary);
    summary->received_dbm = input_dbm + summary->gain_db;
    summary->k_factor_db = k_factor_db(paths, count);
    summary->delay_spread_s =
        rcity_spread_plain(scratch, gather(paths, count, delay_s, scratch), &summary->mean_delay_s);
    summary->departure_azimuth_spread_deg = circle_deg(paths, count, departure_azimuth_rad, scratch);
    summary->departure_elevation_spread_deg = plain_deg(paths, count, departure_elevation_rad, scratch);
    summary->arrival_azimuth_spread_deg = circle_deg(paths, count, arrival_azimuth_rad, scratch);
    summary->arrival_elevation_spread_deg = plain_deg(paths, count, arrival_elevation_rad, scratch);
}
