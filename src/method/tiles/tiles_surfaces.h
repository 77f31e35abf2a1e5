/* The field on the tiles themselves. */
#ifndef RCITY_METHOD_TILES_SURFACES_H
#define RCITY_METHOD_TILES_SURFACES_H

#include "method/tiles/tiles_run.h"
#include "result/surfaces_data.h"

/* The surfaces of a run that kept its tiles, with their bands; they are what the map says: no law of the surroundings
   is known for facades. Owned by the caller. */
rcity_status rcity_tiles_fill_surfaces(const rcity_job *job, const rcity_tx *tx, const rcity_tiles_run *run,
                                       rcity_surfaces **surfaces);

#endif
