/* The stages of `beams` before antennas: the scene, and the beams of a transmitter. */
#ifndef RCITY_METHOD_BEAMS_TRACE_H
#define RCITY_METHOD_BEAMS_TRACE_H

#include "method/beams/points/beams_routes.h"
#include "method/beams/tree/beams_forest.h"
#include "method/images/images_find.h"
#include "method/open_receivers.h"
#include "method/over_roofs/tile_roofs.h"
#include "method/surroundings/built_up.h"

/* What levels need beside beams: the receivers, the roofs between, the mean of the surroundings. */
typedef struct rcity_beams_around {
    rcity_open_receivers receivers;
    rcity_tile_roofs *roofs; /* its targets: the open receivers; NULL: no path over roofs and no mean is wanted */
    rcity_built_up *built_up;
} rcity_beams_around;

/* What depends on the scene and the receivers only. */
typedef struct rcity_beams_prepared {
    rcity_images_prepared *images;
    rcity_beams_world world;
    rcity_beams_around around; /* of points the receivers at least; else what the options want */
} rcity_beams_prepared;

/* What depends on a transmitter: its beams, and the search among them for single places. */
typedef struct rcity_beams_traced {
    const rcity_beams_prepared *prepared;
    rcity_images_traced images; /* paths to places: its search takes the routes of the beams */
    rcity_beams_forest forest;
    rcity_beams_index index; /* of its beams, for points; empty for rasters */
    rcity_beams_routes routes;
    rcity_place3 tx;        /* where its beams start */
    rcity_place3 from;      /* where it stands; moved off what it touches */
    rcity_tile_place place; /* the same on the scene's grid */
} rcity_beams_traced;

/* Zeroed before; on failure call rcity_beams_around_deinit() as well. */
rcity_status rcity_beams_around_init(const rcity_job *job, const rcity_images_prepared *images,
                                     rcity_beams_around *around);
void rcity_beams_around_deinit(rcity_context *context, rcity_beams_around *around);

rcity_status rcity_beams_prepare(const rcity_job *job, void **prepared);
void rcity_beams_release_prepared(rcity_context *context, void *prepared);
rcity_status rcity_beams_trace(const rcity_job *job, const void *prepared, void *workspace, int count,
                               const rcity_tx *transmitters, void **traces);
void rcity_beams_release_trace(rcity_context *context, void *trace);

/* What single places ask of the search. */
rcity_images_asked rcity_beams_ask(const rcity_job *job);

#endif
