/* The receivers of a job as empty paths, and what there is to say about them and about the materials. */
#ifndef RCITY_METHOD_IMAGES_RECEIVERS_H
#define RCITY_METHOD_IMAGES_RECEIVERS_H

#include "method/method.h"
#include "result/rays_data.h"

/* Paths, none yet, to the job's points. */
rcity_status rcity_images_open_points(const rcity_job *job, rcity_rays **rays);

/* Paths, none yet, to `count` cells of the job's raster from cell `first` on, at one of its heights. */
rcity_status rcity_images_open_cells(const rcity_job *job, int height_index, int64_t first, int64_t count,
                                     rcity_rays **rays);

/* Warn of receivers no paths were looked for, one line a reason, and note them. */
rcity_status rcity_images_report_receivers(rcity_rays *rays);

/* Warn, in one line, of receivers of a map or a list that are nearer to the transmitter than a wavelength; note them
   unless `notes` is NULL. */
rcity_status rcity_images_report_near(const rcity_job *job, int64_t near_count, int64_t receiver_count,
                                      rcity_notes *notes);

/* Warn, once, and note when the frequency lies outside the range of materials of the scene. */
rcity_status rcity_images_report_materials(const rcity_job *job, rcity_notes *notes);

#endif
