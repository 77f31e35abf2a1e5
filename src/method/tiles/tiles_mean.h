/* What lies around the links of a transmitter, for levels drawn toward the mean of their surroundings. */
#ifndef RCITY_METHOD_TILES_MEAN_H
#define RCITY_METHOD_TILES_MEAN_H

#include "method/surroundings/mean_source.h"
#include "method/tiles/tiles_levels.h"

typedef struct rcity_tiles_mean {
    bool is_on; /* else levels are what the map says */
    const rcity_tiles_prepared *prepared;
    rcity_mean_source source;
    float *sight; /* of open receivers: the part of the straight ray that the edges beside it leave; 0: hidden */
} rcity_tiles_mean;

/* Does the job want it? Fields that are added with their phases have no mean. */
bool rcity_tiles_mean_is_on(const rcity_job *job);

rcity_status rcity_tiles_mean_init(const rcity_job *job, const rcity_tiles_traced *traced, const rcity_tx *tx,
                                   rcity_tiles_mean *mean);
void rcity_tiles_mean_deinit(rcity_context *context, rcity_tiles_mean *mean);

/* The link to an open receiver. */
rcity_mean_link rcity_tiles_mean_link(const rcity_tiles_mean *mean, int64_t receiver);

/* The part of the power of each class that counts at an open receiver. Waves that differ by a fraction of a wavelength
   are one wave, and their powers must not be added:
   - a ray and its reflection off the ground. Runs for levels with a mean have no rays off the ground
     (rcity_tiles_run_init()); what the ground makes of a ray, before a breakpoint and beyond it, is the ground law's;
   - in sight, the straight ray and what the edges beside it diffract. Together they have what a knife edge leaves, from
     1 where the first Fresnel zone is clear to a quarter where an edge touches the line, and diffracted rays do not
     count. */
void rcity_tiles_mean_keep(const rcity_tiles_mean *mean, const rcity_mean_link *link, int64_t receiver,
                           double kept[RCITY_TILE_CLASS_COUNT]);

/* The level of an open receiver: the rays, what the ground takes of them, the diffuse path, all drawn toward the mean;
   or the rays alone. Delays and angles are those of the rays. */
rcity_tiles_level rcity_tiles_mean_level(const rcity_tiles_mean *mean, const rcity_tiles_weights *weights,
                                         const rcity_tiles_run *run, int64_t receiver);

#endif
