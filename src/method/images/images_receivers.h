/* Cells of a job's raster as receivers, and remarks on receivers and materials. */
#ifndef RCITY_METHOD_IMAGES_RECEIVERS_H
#define RCITY_METHOD_IMAGES_RECEIVERS_H

#include "method/method.h"
#include "result/rays_data.h"

/* Rays, without paths yet, to `count` cells of the job's raster from cell `first` on, at one of its heights. */
rcity_status rcity_images_open_cells(const rcity_job *job, const rcity_tx *tx, int height_index, int64_t first,
                                     int64_t count, rcity_rays **rays);

/* Warn, in one line, of receivers of a map or a list that are nearer to the transmitter than a wavelength. Note them
   unless `notes` is NULL. */
rcity_status rcity_images_report_near(const rcity_job *job, const rcity_tx *tx, int64_t near_count,
                                      int64_t receiver_count, rcity_notes *notes);

/* Warn once, and note, when the frequency lies outside the range of materials of the scene. */
rcity_status rcity_images_report_materials(const rcity_job *job, const rcity_tx *tx, rcity_notes *notes);

#endif
