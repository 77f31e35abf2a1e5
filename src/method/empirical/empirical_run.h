/* What methods with one formula per receiver share: inputs, launches, ranges, notes. */
#ifndef RCITY_METHOD_EMPIRICAL_RUN_H
#define RCITY_METHOD_EMPIRICAL_RUN_H

#include "kernel/walfisch_ikegami.h"
#include "method/method.h"
#include "method/range.h"

#define RCITY_EMPIRICAL_JOB_BYTES_MAX 256

/* Description of the option --land-cover, which all of them but free space have. */
#define RCITY_LAND_COVER_TEXT "add: the loss of the land class at the receiver is added"

/* How the line of sight is used. */
typedef enum rcity_sight_use {
    RCITY_SIGHT_UNUSED,
    RCITY_SIGHT_TESTED,  /* by the exact segment test; rasters get a band with the result */
    RCITY_SIGHT_CLEAR,   /* taken as free everywhere */
    RCITY_SIGHT_BLOCKED, /* taken as blocked everywhere */
} rcity_sight_use;

/* One such method. Its row is the first member, so that the job's method leads here; all rows share the functions
   below. */
typedef struct rcity_empirical {
    rcity_method row;
    const rcity_kernel *cells;      /* buffers: float z_m, [float sight], [rcity_street], float loss_db */
    const rcity_kernel *points;     /* buffers: rcity_link_point, [float sight], [rcity_street], float loss_db */
    const char *band_text;          /* of the band path_loss */
    const rcity_model_range *range; /* NULL: any, or `find_range` */
    bool takes_sight;               /* has the sight buffer; without it, tested hidden receivers get no loss */
    bool takes_streets;             /* has the street buffer, which the method's prepare fills */
    double receiver_s;              /* seconds per receiver on one thread, without tests and streets */

    rcity_sight_use (*sight)(const rcity_job *job); /* NULL: unused */

    /* Instead of `range`, where the published range depends on options. */
    void (*find_range)(const rcity_job *job, rcity_model_range *range);

    /* Fill the kernel's job behind the frame it starts with; the rest of it is zero. */
    void (*fill)(const rcity_job *job, const rcity_tx *tx, void *numbers);
} rcity_empirical;

/* Functions of every row. */
rcity_status rcity_empirical_check(const rcity_job *job, const rcity_tx *tx);
rcity_status rcity_empirical_estimate(const rcity_job *job, uint64_t *memory_bytes, double *seconds);
rcity_status rcity_empirical_check_receivers(const rcity_job *job, const rcity_tx *tx);
rcity_status rcity_empirical_raster(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    rcity_map *map);
rcity_status rcity_empirical_points(const rcity_job *job, const void *prepared, const void *trace, const rcity_tx *tx,
                                    const rcity_point_levels *levels);

/* These functions as members of a row. */
#define RCITY_EMPIRICAL_STAGES                                                                                         \
    .check = rcity_empirical_check, .estimate = rcity_empirical_estimate,                                              \
    .check_receivers = rcity_empirical_check_receivers, .evaluate_raster = rcity_empirical_raster,                     \
    .evaluate_points = rcity_empirical_points

/* Is an option of the job set to a word? */
bool rcity_empirical_option_is(const rcity_job *job, int option_index, const char *word);

#endif
