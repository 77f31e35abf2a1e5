/* The range a model was published for, and how links outside it are treated. */
#ifndef RCITY_METHOD_RANGE_H
#define RCITY_METHOD_RANGE_H

#include "method/method.h"

/* Limits are included. A model published for one value has that value twice, one for all heights infinite limits. */
typedef struct rcity_model_range {
    double frequency_min_hz, frequency_max_hz;
    double tx_height_min_m, tx_height_max_m; /* above the ground at the transmitter */
    double rx_height_min_m, rx_height_max_m; /* above the ground at the receiver */
    double distance_min_m, distance_max_m;   /* horizontal */
} rcity_model_range;

/* Height of a transmitter above the ground at its foot; beyond the edge of the terrain the ground at the edge
   counts. */
double rcity_range_tx_height_m(const rcity_job *job, const rcity_tx *tx);

/* Refuse frequencies and heights outside the range, unless the job extrapolates; receivers of a list may be skipped. */
rcity_status rcity_range_check(const rcity_job *job, const rcity_tx *tx, const rcity_model_range *range);

/* Receivers seen and those outside the range. Start from rcity_range_count_none(). */
typedef struct rcity_range_count {
    int64_t receiver_count, outside_count;
    double nearest_m, farthest_m; /* of all receivers, horizontal */
} rcity_range_count;

rcity_range_count rcity_range_count_none(void);

/* Count the receivers of one plane of the raster; z_m is NAN where there is none. With `loss_db`, receivers outside the
   range lose their value if the job skips them. */
void rcity_range_count_plane(const rcity_job *job, const rcity_model_range *range, const rcity_tx *tx, double height_m,
                             const float *z_m, float *loss_db, rcity_range_count *count);

/* The same for the job's points; `positions` come from rcity_receiver_points_fill(). */
void rcity_range_count_points(const rcity_job *job, const rcity_model_range *range, const rcity_point *positions,
                              float *loss_db, rcity_range_count *count);

/* Refuse a job with receivers at distances outside the range, unless it extrapolates or skips them. */
rcity_status rcity_range_check_count(const rcity_job *job, const rcity_model_range *range,
                                     const rcity_range_count *count);

/* The same of the job's raster, before the work starts; other receivers are not looked at. */
rcity_status rcity_range_check_planes(const rcity_job *job, const rcity_model_range *range, const rcity_tx *tx);

/* Report what was extrapolated or skipped: in the log, unless the job is quiet, and in the result's notes, if there are
   any. */
rcity_status rcity_range_report(const rcity_job *job, const rcity_model_range *range, const rcity_tx *tx,
                                const rcity_range_count *count, rcity_notes *notes);

#endif
