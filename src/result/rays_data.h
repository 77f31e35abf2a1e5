/* The inside of paths: what a tracer fills. Create with all receivers, add their paths in the order of the receivers,
   finish; then everything public can be asked. */
#ifndef RCITY_RESULT_RAYS_DATA_H
#define RCITY_RESULT_RAYS_DATA_H

#include "base/base.h"
#include "radiocity/rays.h"
#include "result/notes.h"

#define RCITY_LIGHT_EXACT_M_PER_S 299792458.0 /* in double precision, as phases over kilometres need it */

/* What paths are created from. Everything is copied. */
typedef struct rcity_rays_setup {
    rcity_point transmitter; /* where its antenna stands, in scene height */
    double frequency_hz;
    double input_dbm; /* power that goes into the transmitting antenna; NAN: unknown */
    const char *crs;  /* NULL: none */
    int64_t receiver_count;
    const rcity_point *positions;       /* in scene height */
    const rcity_receiver_state *states; /* SILENT: paths are to be looked for; NULL: all are */
    double progress_first;              /* receivers done before these, of ... */
    double progress_total;              /* ... so many: a raster is done in pieces; 0: these are all */
} rcity_rays_setup;

rcity_status rcity_rays_create(rcity_context *context, const rcity_rays_setup *setup, rcity_rays **rays);

/* Add paths of one receiver; they and their events are copied. The tracer fills events, length, angles, transfer,
   amplitudes and loss_db; the rest follows from these. Receivers come in ascending order, one may come several times in
   a row, those without paths need not come at all. One that is not SILENT or REACHED takes none.
   @return RCITY_ERR_MEMORY with the number of paths so far; RCITY_ERR_STATE for a path whose numbers are none, which is
   a mistake of the tracer. */
rcity_status rcity_rays_add_paths(rcity_rays *rays, int64_t receiver_index, int64_t path_count,
                                  const rcity_path *paths);

/* What became of a receiver, where only tracing shows it. */
void rcity_rays_set_state(rcity_rays *rays, int64_t receiver_index, rcity_receiver_state state);

/* Put each receiver's paths in order, strongest first, and work out the summaries. Of paths equally strong the shorter
   comes first, then the one with fewer interactions, then by what and where these are: the order does not depend on
   that of adding. No paths are added afterwards. */
rcity_status rcity_rays_finish(rcity_rays *rays);

/* Report that so many of these receivers are traced; fails when the caller wants to stop. */
rcity_status rcity_rays_report(const rcity_rays *rays, double done);

/* The notes, for writing. Borrowed until the paths are destroyed. */
rcity_notes *rcity_rays_notes(rcity_rays *rays);
const char *rcity_rays_find_note(const rcity_rays *rays, const char *key);

/* The context the paths were made with. */
rcity_context *rcity_rays_context(const rcity_rays *rays);

/* The most interactions of a path, and all of them together. */
int rcity_rays_event_max(const rcity_rays *rays);
int64_t rcity_rays_event_count(const rcity_rays *rays);

/* Receivers in a state. */
int64_t rcity_rays_count_state(const rcity_rays *rays, rcity_receiver_state state);

/* A receiver's name, or its number from 1 on, written into `number`, which holds at least 24 bytes. */
const char *rcity_rays_label(const rcity_rays *rays, int64_t receiver_index, char *number);

/* Azimuth, 0 to 360, and elevation of a direction, which need not have length 1. Straight up and down have azimuth
   0. */
void rcity_direction_angles(double x, double y, double z, double *azimuth_deg, double *elevation_deg);

#endif
