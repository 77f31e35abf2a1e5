/* Levels from sums: loss, power, delays and mechanism of one place. */
#ifndef RCITY_METHOD_TILES_LEVELS_H
#define RCITY_METHOD_TILES_LEVELS_H

#include "method/tiles/tiles_run.h"

/* NAN where nothing arrives. */
typedef struct rcity_tiles_level {
    double loss_db;      /* basic transmission loss, between isotropic antennas */
    double gained_db;    /* the same less the transmitting antenna's gain */
    double received_dbm; /* NAN where the power is unknown */
    double mean_delay_s, delay_spread_s;
    double arrival_azimuth_deg, arrival_elevation_deg; /* mean direction from which power arrives */
    double coherent_loss_db;                           /* fields of all rays added, then what was scattered as power */
    int mechanism;                                     /* that brings most power, an rcity_mechanism; -1: none */
    int64_t ray_count;
} rcity_tiles_level;

/* How powers become levels. */
typedef struct rcity_tiles_weights {
    double spread_db; /* loss over the first metre */
    double input_dbm;
    double rx_gain_dbi;
    bool is_coherent;                      /* loss and received power from fields */
    double factor[RCITY_TILE_CLASS_COUNT]; /* of the power of each class; 1 unless calibrated */
} rcity_tiles_weights;

/* The loss over the first metre. */
double rcity_tiles_spread_db(double frequency_hz);

rcity_tiles_weights rcity_tiles_weights_make(const rcity_job *job, const rcity_tx *tx);

/* The mechanism of the class with most power. */
int rcity_tiles_strongest(const double power[RCITY_TILE_CLASS_COUNT]);

rcity_tiles_level rcity_tiles_level_of(const rcity_tiles_weights *weights, const rcity_tile_sums *sums,
                                       rcity_tile_place_scale scale);

#endif
