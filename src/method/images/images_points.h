/* Levels at points from paths, and how paths are added. */
#ifndef RCITY_METHOD_IMAGES_POINTS_H
#define RCITY_METHOD_IMAGES_POINTS_H

#include "method/images/images_find.h"

/* How paths are added. */
typedef enum rcity_images_sum {
    RCITY_IMAGES_GROUPED, /* fields of a ray and its edges', powers of such groups */
    RCITY_IMAGES_POWER,
    RCITY_IMAGES_COHERENT
} rcity_images_sum;

#define RCITY_IMAGES_SUM_WORDS "grouped|power|coherent"
rcity_images_sum rcity_images_read_sum(const char *word);

/* Loss and received power of a receiver's paths, added so. */
double rcity_images_loss_db(rcity_images_sum sum, const rcity_receiver_summary *summary);
double rcity_images_received_dbm(rcity_images_sum sum, const rcity_receiver_summary *summary);

/* A value that is not finite is no value: nothing arrives there. */
float rcity_images_value(double value);

/* Find the paths to the job's points, and their levels. */
rcity_status rcity_images_fill_points(const rcity_job *job, const rcity_images_asked *asked,
                                      const rcity_images_traced *traced, const rcity_tx *tx, rcity_images_sum sum,
                                      const rcity_point_levels *levels);

#endif
