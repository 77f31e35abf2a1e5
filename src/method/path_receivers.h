/* Receivers that paths are searched for, as rays without paths yet; the same for every method that finds paths. */
#ifndef RCITY_METHOD_PATH_RECEIVERS_H
#define RCITY_METHOD_PATH_RECEIVERS_H

#include "method/method.h"
#include "result/rays_data.h"

/* Rays, without paths yet, to `count` receivers. Those that wait for paths but lie in the transmitter's near field are
   marked so in `states`. `progress_first` of `progress_total` receivers were done before these; 0: these are all. */
rcity_status rcity_path_receivers_create(const rcity_job *job, const rcity_tx *tx, int64_t count,
                                         const rcity_point *positions, rcity_receiver_state *states,
                                         double progress_first, double progress_total, rcity_rays **rays);

/* Rays, without paths yet, to the job's points. */
rcity_status rcity_path_receivers_open_points(const rcity_job *job, const rcity_tx *tx, rcity_rays **rays);

/* Warn of receivers that cannot have paths, one line for each reason, and note them. */
rcity_status rcity_path_receivers_report(rcity_rays *rays);

#endif
