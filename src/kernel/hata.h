/* Okumura-Hata and its COST 231 extension: measured curves of Tokyo as formulas. */
#ifndef RCITY_KERNEL_HATA_H
#define RCITY_KERNEL_HATA_H

#include "kernel/link.h"

/* Range of M. Hata, "Empirical formula for propagation loss in land mobile radio services", IEEE Transactions on
   Vehicular Technology VT-29(3), 1980, pp. 317-325; ITU-R P.529-3 gives it as a field strength. */
#define RCITY_HATA_FREQUENCY_MIN_HZ 150e6
#define RCITY_HATA_FREQUENCY_MAX_HZ 1500e6
#define RCITY_HATA_TX_HEIGHT_MIN_M  30.0
#define RCITY_HATA_TX_HEIGHT_MAX_M  200.0
#define RCITY_HATA_RX_HEIGHT_MIN_M  1.0
#define RCITY_HATA_RX_HEIGHT_MAX_M  10.0
#define RCITY_HATA_DISTANCE_MIN_M   1e3
#define RCITY_HATA_DISTANCE_MAX_M   20e3

/* Range of the extension, COST 231 final report, 1999, chapter 4, with equation (4.4.3), pp. 135-140; heights and
   distances are Hata's. */
#define RCITY_COST231_HATA_FREQUENCY_MIN_HZ 1500e6
#define RCITY_COST231_HATA_FREQUENCY_MAX_HZ 2000e6

/* Environments. */
#define RCITY_HATA_URBAN_LARGE   0
#define RCITY_HATA_URBAN         1 /* small or medium-sized city */
#define RCITY_HATA_SUBURBAN      2
#define RCITY_HATA_OPEN          3
#define RCITY_COST231_URBAN      4 /* medium-sized city and suburban centres */
#define RCITY_COST231_METROPOLIS 5

/* Large cities have one height correction up to 200 MHz and another from 400 MHz on; between them textbooks change at
   this frequency (Rappaport, Wireless Communications, 2nd ed., 2002, section 4.10.4). */
#define RCITY_HATA_LARGE_CITY_CHANGE_MHZ 300.0f

/* Correction for the mobile's height, a(hm) of Hata 1980 and of COST 231 with equation (4.4.1), in a small or
   medium-sized city. */
RCITY_KERNEL float rcity_hata_rx_correction_db(float frequency_mhz, float rx_height_m)
{
    float log_f = rcity_log10(frequency_mhz);
    return (1.1f * log_f - 0.7f) * rx_height_m - (1.56f * log_f - 0.8f);
}

/* The same in a large city, Hata 1980. */
RCITY_KERNEL float rcity_hata_large_city_correction_db(float frequency_mhz, float rx_height_m)
{
    if (frequency_mhz <= RCITY_HATA_LARGE_CITY_CHANGE_MHZ) {
        float low = rcity_log10(1.54f * rx_height_m);
        return 8.29f * low * low - 1.1f;
    }
    float high = rcity_log10(11.75f * rx_height_m);
    return 3.2f * high * high - 4.97f;
}

/* How much lower the loss is than in the city, in suburban and open areas, Hata 1980. */
RCITY_KERNEL float rcity_hata_relief_db(float frequency_mhz, rcity_i32 environment)
{
    if (environment == RCITY_HATA_SUBURBAN) {
        float ratio = rcity_log10(frequency_mhz / 28.0f);
        return 2.0f * ratio * ratio + 5.4f;
    }
    if (environment == RCITY_HATA_OPEN) {
        float log_f = rcity_log10(frequency_mhz);
        return 4.78f * log_f * log_f - 18.33f * log_f + 40.94f;
    }
    return 0.0f;
}

/* Hata 1980; COST 231, equation (4.4.1): 69.55 + 26.16 log f - 13.82 log hb - a(hm) + (44.9 - 6.55 log hb) log d, f in
   MHz, d in km. COST 231, equation (4.4.3), for higher frequencies: 46.3 + 33.9 log f instead of the first two terms,
   and 3 dB more in metropolitan centres. */
RCITY_KERNEL float rcity_hata_loss_db(float frequency_mhz, float plan_m, float tx_height_m, float rx_height_m,
                                      rcity_i32 environment)
{
    float d_km = 1e-3f * rcity_fmax(plan_m, RCITY_LINK_DISTANCE_MIN_M);
    float rx_m = rcity_fmax(rx_height_m, RCITY_LINK_HEIGHT_MIN_M);
    float log_f = rcity_log10(frequency_mhz);
    float log_hb = rcity_log10(rcity_fmax(tx_height_m, RCITY_LINK_HEIGHT_MIN_M));
    float correction_db = environment == RCITY_HATA_URBAN_LARGE
                              ? rcity_hata_large_city_correction_db(frequency_mhz, rx_m)
                              : rcity_hata_rx_correction_db(frequency_mhz, rx_m);
    float at_1km_db = 69.55f + 26.16f * log_f;
    if (environment == RCITY_COST231_URBAN || environment == RCITY_COST231_METROPOLIS) {
        at_1km_db = 46.3f + 33.9f * log_f + (environment == RCITY_COST231_METROPOLIS ? 3.0f : 0.0f);
    }
    return at_1km_db - 13.82f * log_hb - correction_db + (44.9f - 6.55f * log_hb) * rcity_log10(d_km) -
           rcity_hata_relief_db(frequency_mhz, environment);
}

/* Numbers only, so that it can be a kernel argument. */
typedef struct rcity_hata_job {
    rcity_link_frame frame;
    float frequency_mhz;
    rcity_i32 environment;
} rcity_hata_job;

RCITY_KERNEL float rcity_hata_link(rcity_hata_job job, rcity_link link)
{
    return rcity_hata_loss_db(job.frequency_mhz, link.plan_m, link.tx_height_m, link.rx_height_m, job.environment);
}

/* One cell of a raster; z_m is the receiver's height, NaN where there is none. */
RCITY_KERNEL float rcity_hata_cell(rcity_hata_job job, float z_m, rcity_i64 cell)
{
    return rcity_isnan(z_m) ? RCITY_NAN : rcity_hata_link(job, rcity_link_to_cell(job.frame, z_m, cell));
}

/* One receiver of a list of points. */
RCITY_KERNEL float rcity_hata_point(rcity_hata_job job, rcity_link_point rx)
{
    return rcity_isnan(rx.z_m) ? RCITY_NAN : rcity_hata_link(job, rcity_link_to_point(job.frame, rx));
}

#endif
