/* Basic transmission loss over terrain from 30 MHz to 6 GHz (ITU-R P.1812-6): sight with multipath and focusing,
   diffraction by delta-Bullington, ducts, troposcatter, and how they combine.

   The profile is read once from end to end and once more between the two horizons; nothing derived is stored. Loss into
   buildings is ITU-R P.2109's, as section 4.9 says (kernel/building_entry.h).

   Nearer than 250 metres, where nothing is published, the same formulas go on without a step: the losses by sight, ducts
   and scatter all grow with 20 log d there, so that what lies between the ends stays what decides. A path shorter than 1
   metre counts as 1 metre long with nothing between its ends. */
#ifndef RCITY_KERNEL_TERRAIN_P1812_P1812_LOSS_H
#define RCITY_KERNEL_TERRAIN_P1812_P1812_LOSS_H

#include "kernel/terrain/delta_bullington.h"
#include "kernel/terrain/p1812/p1812_ducting.h"
#include "kernel/terrain/p1812/p1812_troposcatter.h"

/* The loss and what it is made of. In brackets the Recommendation's names. */
typedef struct rcity_p1812_result {
    rcity_real loss_db;       /* (Lb) not exceeded in time_percent and at location_percent */
    rcity_real field_dbuv_m;  /* (Ep) in dB(uV/m) of 1 kW e.r.p. */
    rcity_real time_db;       /* (Lbc) at half the places */
    rcity_real location_db;   /* what the share of places adds */
    rcity_real radius_km;     /* (ae) */
    rcity_real beta0_percent; /* (b0) */
    rcity_real log_beta0;
    rcity_real free_space_db;               /* (Lbfs) */
    rcity_real sight_db, sight_rare_db;     /* (Lb0p, Lb0b) with multipath and focusing, in time_percent and in beta0 */
    rcity_real path_share;                  /* (Fj) 1: by what is in the way, 0: by the anomalous */
    rcity_real near_share;                  /* (Fk) 1 at no distance, 0 far away */
    rcity_real time_share;                  /* (Fi) from the median diffraction at 0 to that of beta0 at 1 */
    rcity_diffraction median, rare;         /* (Lbulla, Lbulls, Ldsph, Ld50; Ldb) */
    rcity_real diffraction_db;              /* (Ldp) */
    rcity_real median_diffracted_db;        /* (Lbd50) */
    rcity_real diffracted_db;               /* (Lbd) */
    rcity_real least_sight_db;              /* (Lminb0p) */
    rcity_real ducting_db, least_ducted_db; /* (Lba, Lminbap) */
    rcity_real blended_db, modified_db;     /* (Lbda, Lbam) */
    rcity_real troposcatter_db;             /* (Lbs) */
    rcity_smooth_path smooth;               /* with heights over the smooth surface for diffraction (h'tc, h'rc) */
    rcity_profile_shape shape;
    rcity_p1812_horizons horizons;
} rcity_p1812_result;

/* Sight, equations (8) to (11). */
RCITY_KERNEL void rcity_p1812_sight(const rcity_p1812_link *link, rcity_p1812_result *loss)
{
    rcity_real rise_km = RCITY_REAL(0.001) * (loss->shape.tx_m - loss->shape.rx_m);
    rcity_real slant_km = rcity_real_sqrt(rcity_terrain_square(loss->shape.distance_km) + rise_km * rise_km);
    rcity_real focus_db =
        RCITY_REAL(-2.6) * rcity_real_expm1(RCITY_REAL(-0.1) * (loss->horizons.tx_km + loss->horizons.rx_km));
    loss->free_space_db = RCITY_REAL(92.4) + RCITY_REAL(20.0) * rcity_real_log10(link->frequency_ghz * slant_km);
    loss->sight_db = loss->free_space_db + focus_db * rcity_real_log10(link->time_percent / RCITY_REAL(50.0));
    loss->sight_rare_db =
        loss->free_space_db + focus_db * (loss->log_beta0 - RCITY_REAL(1.69897000433601880479)); /* log10 50 */
}

/* Diffraction in time_percent, equations (38) to (43). */
RCITY_KERNEL void rcity_p1812_diffract(const rcity_p1812_link *link, const rcity_ground_profile *ground,
                                       rcity_p1812_result *loss)
{
    loss->smooth = rcity_profile_smooth_path(&loss->shape, link->frequency_ghz, link->sea_share, link->is_vertical);
    loss->median = rcity_delta_bullington_of(ground, &loss->shape, &loss->smooth, loss->radius_km, 0);
    loss->rare = rcity_delta_bullington_of(ground, &loss->shape, &loss->smooth, RCITY_P1812_DUCT_RADIUS_KM, 1);
    loss->time_share = RCITY_REAL(1.0);
    if (link->time_percent > loss->beta0_percent) {
        loss->time_share = rcity_p1812_exceeded(RCITY_REAL(0.01) * link->time_percent) /
                           rcity_p1812_exceeded(RCITY_REAL(0.01) * loss->beta0_percent);
    }
    loss->diffraction_db = loss->median.loss_db + (loss->rare.loss_db - loss->median.loss_db) * loss->time_share;
    loss->median_diffracted_db = loss->free_space_db + loss->median.loss_db;
    loss->diffracted_db = loss->sight_db + loss->diffraction_db;
}

/* All together, equations (57) to (63). */
RCITY_KERNEL void rcity_p1812_combine(const rcity_p1812_link *link, rcity_p1812_result *loss)
{
    rcity_real over_land_db = (RCITY_REAL(1.0) - link->sea_share) * loss->diffraction_db;
    loss->path_share = rcity_terrain_fade(RCITY_REAL(8.0) * (loss->horizons.angle_mrad - RCITY_REAL(0.3)));
    loss->near_share = rcity_terrain_fade(RCITY_REAL(0.075) * (loss->shape.distance_km - RCITY_REAL(20.0)));
    loss->least_sight_db = loss->sight_db + over_land_db;
    if (link->time_percent >= loss->beta0_percent) {
        rcity_real rare_db = loss->sight_rare_db + over_land_db;
        loss->least_sight_db = loss->median_diffracted_db + (rare_db - loss->median_diffracted_db) * loss->time_share;
    }
    /* equation (60) adds with powers of e to the 1 / 2.5 */
    loss->least_ducted_db = -rcity_terrain_join_db(-loss->ducting_db, -loss->sight_db, RCITY_REAL(5.75646273248511421));
    loss->blended_db = loss->diffracted_db;
    if (loss->least_ducted_db <= loss->diffracted_db) {
        loss->blended_db = loss->least_ducted_db + (loss->diffracted_db - loss->least_ducted_db) * loss->near_share;
    }
    loss->modified_db = loss->blended_db + (loss->least_sight_db - loss->blended_db) * loss->path_share;
    loss->time_db = rcity_terrain_join_db(loss->troposcatter_db, loss->modified_db, RCITY_REAL(5.0));
}

/* The loss over a profile and all that it is made of. */
RCITY_KERNEL rcity_p1812_result rcity_p1812_loss(rcity_p1812_link link, rcity_ground_profile ground)
{
    rcity_p1812_result loss;
    loss.radius_km = rcity_p1812_radius_km(link.gradient);
    rcity_real bulge = RCITY_REAL(500.0) / loss.radius_km;
    loss.shape = rcity_profile_shape_of(&ground, link.tx_height_m, link.rx_height_m, bulge,
                                        RCITY_REAL(500.0) / RCITY_P1812_DUCT_RADIUS_KM, link.clear_m);
    loss.horizons = rcity_p1812_horizons_of(&ground, &loss.shape, bulge);
    rcity_real land_km = rcity_terrain_min(link.land_km, loss.shape.distance_km);
    rcity_real inland_km = rcity_terrain_min(link.inland_km, loss.shape.distance_km);
    loss.log_beta0 = rcity_p1812_log_beta0(link.latitude_deg, land_km, inland_km);
    loss.beta0_percent = rcity_terrain_pow10(loss.log_beta0);
    rcity_p1812_sight(&link, &loss);
    rcity_p1812_diffract(&link, &ground, &loss);
    loss.ducting_db = rcity_p1812_ducting_db(&link, &loss.horizons, &loss.shape, loss.log_beta0,
                                             rcity_p1812_inland(inland_km), loss.radius_km);
    loss.troposcatter_db = rcity_p1812_troposcatter_db(link.frequency_ghz, loss.shape.distance_km,
                                                       loss.horizons.angle_mrad, link.refractivity, link.time_percent);
    rcity_p1812_combine(&link, &loss);
    loss.location_db =
        rcity_p1812_location_db(link, (rcity_real)rcity_ground_profile_cover_m(&ground, ground.count - 1));
    loss.loss_db = rcity_terrain_max(loss.sight_db, loss.time_db + loss.location_db); /* equation (69) */
    loss.field_dbuv_m =
        RCITY_P1812_FIELD_AT_1_GHZ + RCITY_REAL(20.0) * rcity_real_log10(link.frequency_ghz) - loss.loss_db;
    return loss;
}

/* The loss alone, as maps want it. */
RCITY_KERNEL rcity_real rcity_p1812_loss_db(rcity_p1812_link link, rcity_ground_profile ground)
{
    return rcity_p1812_loss(link, ground).loss_db;
}

#endif
