/* A group of calls to GDAL: its errors are collected for our messages, and progress is passed on. */
#ifndef RCITY_IO_GIS_GDAL_CALL_H
#define RCITY_IO_GIS_GDAL_CALL_H

#include <ogr_srs_api.h>

#include "base/base.h"

#define RCITY_GDAL_OPTION_COUNT 4

typedef struct rcity_gdal_call {
    rcity_context *context;
    const char *task;                      /* name in the progress report */
    rcity_status progress;                 /* RCITY_ERR_CANCELLED when the caller has cancelled */
    bool is_memory;                        /* the first failure was lack of memory */
    int warning_count;                     /* so far; only the first few are logged */
    char text[512];                        /* message of the first failure: later ones follow from it */
    char *before[RCITY_GDAL_OPTION_COUNT]; /* GDAL's options of this thread that the call changes */
} rcity_gdal_call;

/* Install the error handler and register drivers. Calls may be nested; each is closed with rcity_gdal_close(). */
void rcity_gdal_open(rcity_context *context, const char *task, rcity_gdal_call *call);
void rcity_gdal_close(rcity_gdal_call *call);

/* Discard the collected errors, after a failure that was expected. */
void rcity_gdal_forget(rcity_gdal_call *call);

/* A function for GDAL's progress arguments; `user` is the call. */
int rcity_gdal_progress(double fraction, const char *text, void *user);

/* Fail with GDAL's own message: "GDAL cannot ACT: MESSAGE". */
rcity_status rcity_gdal_fail(const rcity_gdal_call *call, const char *act);

/* A CRS from its text, with x before y; opens no file and uses no network. Destroy with OSRDestroySpatialReference().
   @return RCITY_ERR_ARGUMENT for an unknown one, a path, an address. */
rcity_status rcity_gdal_read_crs(rcity_gdal_call *call, const char *crs, OGRSpatialReferenceH *reference);

/* The same, and it must be projected and in metres, as a scene's CRS; crs_plane.h checks its axes. */
rcity_status rcity_gdal_read_scene_crs(rcity_gdal_call *call, const char *crs, OGRSpatialReferenceH *reference);

#endif
