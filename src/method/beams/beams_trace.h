/* The stages of `beams` before antennas: the scene, and the beams of a transmitter. */
#ifndef RCITY_METHOD_BEAMS_TRACE_H
#define RCITY_METHOD_BEAMS_TRACE_H

#include "method/beams/tree/beams_forest.h"
#include "method/images/images_find.h"

/* What depends on the scene only. */
typedef struct rcity_beams_prepared {
    rcity_images_prepared *images;
    rcity_beams_world world;
} rcity_beams_prepared;

/* What depends on a transmitter: its beams, and the search among them for single places. */
typedef struct rcity_beams_traced {
    rcity_images_traced images; /* paths to places: its search takes the routes of the beams */
    rcity_beams_forest forest;
    rcity_place3 tx; /* where its beams start */
} rcity_beams_traced;

rcity_status rcity_beams_prepare(const rcity_job *job, void **prepared);
void rcity_beams_release_prepared(rcity_context *context, void *prepared);
rcity_status rcity_beams_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces);
void rcity_beams_release_trace(rcity_context *context, void *trace);

/* What single places ask of the search. */
rcity_images_asked rcity_beams_ask(const rcity_job *job);

#endif
