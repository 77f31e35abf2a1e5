/* Power that rough walls and roofs scatter from the transmitter to a receiver, after the effective-roughness model
   (kernel/wave/roughness.h); docs/methods/images.md says what is counted.

   Surfaces are divided into tiles whose longer side is at most a fifth of the distance to the nearer antenna, and at
   most a given size; a tile counts whole if its centre is seen from both antennas. */
#ifndef RCITY_METHOD_IMAGES_SCATTER_SCATTER_H
#define RCITY_METHOD_IMAGES_SCATTER_SCATTER_H

#include "method/images/field/path_antenna.h"
#include "method/images/path/path_check.h"

#define RCITY_SCATTER_TILE_MIN_M     0.1 /* tiles are not divided further */
#define RCITY_SCATTER_TILE_DISTANCES 0.2 /* longer side of a tile over the distance to the nearer antenna */

typedef struct rcity_scatter_options {
    bool is_on;
    bool is_directive; /* else Lambertian */
    bool of_reflected; /* the coefficient refers to the field that a smooth face would reflect; else the incident one */
    double coefficient;
    int exponent;
    double range_m; /* of a tile from the nearer antenna */
    double tile_m;
    double near_m; /* surfaces this near to an antenna scatter at the end of other paths, too; 0: none */
    bool near_transmitter, near_receivers; /* near which antennas */
} rcity_scatter_options;

rcity_scatter_options rcity_scatter_read(const rcity_job *job);

/* The share of the specular field that is lost: reflected, or passed through a wall. */
double rcity_scatter_reflected_loss(const rcity_scatter_options *options);
double rcity_scatter_passed_loss(const rcity_scatter_options *options);

/* Powers relative to the power into the transmitting antenna. */
typedef struct rcity_scatter_sum {
    double gain;
    double isotropic_gain; /* without the gains of both antennas */
    int64_t tile_count;    /* that both antennas see */
} rcity_scatter_sum;

/* Add up all tiles, in the order of the world's mirrors. A wave keeps its polarization: what left as theta arrives as
   theta, what left as phi as phi. */
rcity_scatter_sum rcity_scatter_add(const rcity_path_checker *checker, const rcity_scatter_options *options,
                                    const rcity_path_ends *ends, rcity_place3 tx, rcity_place3 rx);

#endif
