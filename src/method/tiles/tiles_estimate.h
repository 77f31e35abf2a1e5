/* What a prediction with `tiles` will take, before anything is cut. */
#ifndef RCITY_METHOD_TILES_ESTIMATE_H
#define RCITY_METHOD_TILES_ESTIMATE_H

#include "method/method.h"

/* The tiles of a scene, about; no tile is cut. */
double rcity_tiles_guess_count(const rcity_job *job);

/* The `estimate` of the method: memory of the host, whichever device does the work. */
rcity_status rcity_tiles_estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds);

#endif
