/* The rays that reached receivers, as paths. */
#ifndef RCITY_METHOD_TILES_PATHS_H
#define RCITY_METHOD_TILES_PATHS_H

#include "method/tiles/tiles_run.h"
#include "result/rays_data.h"

/* Add the paths of a run that kept its hits, and what was scattered, to rays whose receivers are the job's. */
rcity_status rcity_tiles_add_paths(const rcity_job *job, const rcity_tx *tx, rcity_tiles_run *run, rcity_rays *rays);

#endif
