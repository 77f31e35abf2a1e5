/* The inside of paths: what a tracer fills. Create with all receivers, add their paths in the order of the receivers,
   finish; then all public functions can be called. */
#ifndef RCITY_RESULT_RAYS_DATA_H
#define RCITY_RESULT_RAYS_DATA_H

#include "base/base.h"
#include "base/light.h"
#include "radiocity/rays.h"
#include "result/notes.h"

/* What paths are created from. Everything is copied. */
typedef struct rcity_rays_setup {
    rcity_point transmitter; /* where its antenna stands, in scene height */
    double frequency_hz;
    double input_dbm; /* power into the transmitting antenna; NAN: unknown */
    const char *crs;  /* NULL: none */
    int64_t receiver_count;
    const rcity_point *positions;       /* in scene height */
    const rcity_receiver_state *states; /* NO_PATH: paths are to be searched for; NULL: for all */
    double progress_first;              /* receivers done before these */
    double progress_total;              /* of this many: a raster is done in pieces; 0: these are all */
} rcity_rays_setup;

rcity_status rcity_rays_create(rcity_context *context, const rcity_rays_setup *setup, rcity_rays **rays);

/* Add paths of one receiver; they and their events are copied. The tracer fills events, length, angles, transfer,
   amplitudes and loss_db; the rest follows from these. Receivers come in ascending order; one may come several times in
   a row, and those without paths may be left out. Only receivers in state NO_PATH or REACHED take paths.
   @return RCITY_ERR_MEMORY with the number of paths so far; RCITY_ERR_STATE for a path with values that are not finite,
   which is an error of the tracer. */
rcity_status rcity_rays_add_paths(rcity_rays *rays, int64_t receiver_index, int64_t path_count,
                                  const rcity_path *paths);

/* The sum over groups of paths, relative to the power into the transmitting antenna, with and without the gains of both
   antennas. A receiver for which the tracer gives none has the sum of powers for it. */
void rcity_rays_set_grouped(rcity_rays *rays, int64_t receiver_index, double gain, double isotropic_gain);

/* The power that walls scatter to a receiver, in the same two ways: added to every sum, and no path. A receiver that no
   path reaches is reached by it. */
void rcity_rays_set_scattered(rcity_rays *rays, int64_t receiver_index, double gain, double isotropic_gain);

/* The state of a receiver, where only tracing shows it. */
void rcity_rays_set_state(rcity_rays *rays, int64_t receiver_index, rcity_receiver_state state);

/* Sort each receiver's paths, strongest first, and compute the summaries. Of equally strong paths the shorter comes
   first, then the one with fewer interactions, then by kind and place of these: the result does not depend on the order
   of adding. No paths are added afterwards. */
rcity_status rcity_rays_finish(rcity_rays *rays);

/* Report that `done` of these receivers are traced; fails when the caller wants to stop. */
rcity_status rcity_rays_report(const rcity_rays *rays, double done);

/* The notes, for writing. Borrowed until the paths are destroyed. */
rcity_notes *rcity_rays_notes(rcity_rays *rays);
const char *rcity_rays_find_note(const rcity_rays *rays, const char *key);

/* The context the paths were made with. */
rcity_context *rcity_rays_context(const rcity_rays *rays);

/* The largest number of interactions of a path, and the total number. */
int rcity_rays_event_max(const rcity_rays *rays);
int64_t rcity_rays_event_count(const rcity_rays *rays);

/* The number of receivers in a state. */
int64_t rcity_rays_count_state(const rcity_rays *rays, rcity_receiver_state state);

/* A receiver's name, or its number from 1 on, written into `number`, which holds at least 24 bytes. */
const char *rcity_rays_label(const rcity_rays *rays, int64_t receiver_index, char *number);

/* Azimuth, 0 to 360, and elevation of a direction, which need not have length 1. Straight up and down have azimuth
   0. */
void rcity_direction_angles(double x, double y, double z, double *azimuth_deg, double *elevation_deg);

#endif
