/* Working with GDAL: its complaints, its progress, its idea of a CRS. */
#include "io/gis/gdal_call.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <stdio.h>
#include <string.h>

static void CPL_STDCALL hear(CPLErr level, CPLErrorNum number, const char *text)
{
    rcity_gdal_call *call = CPLGetErrorHandlerUserData();
    if (level == CE_Warning) {
        rcity_log(call->context, RCITY_LOG_WARNING, "GDAL: %s", text);
    } else if (level >= CE_Failure && call->text[0] == '\0') {
        call->is_memory = number == CPLE_OutOfMemory;
        snprintf(call->text, sizeof call->text, "%s", text);
    }
}

void rcity_gdal_open(rcity_context *context, const char *task, rcity_gdal_call *call)
{
    memset(call, 0, sizeof *call);
    call->context = context;
    call->task = task;
    call->progress = RCITY_OK;
    CPLPushErrorHandlerEx(hear, call);
    GDALAllRegister();
    rcity_gdal_forget(call); /* a driver that does not load is not our trouble */
}

void rcity_gdal_close(rcity_gdal_call *call)
{
    (void)call;
    CPLPopErrorHandler();
}

void rcity_gdal_forget(rcity_gdal_call *call)
{
    call->text[0] = '\0';
    call->is_memory = false;
}

int rcity_gdal_progress(double fraction, const char *text, void *user)
{
    (void)text;
    rcity_gdal_call *call = user;
    call->progress = rcity_progress(call->context, call->task, 100.0 * fraction, 100.0);
    return call->progress == RCITY_OK;
}

rcity_status rcity_gdal_fail(const rcity_gdal_call *call, const char *act)
{
    if (call->progress != RCITY_OK) {
        return call->progress; /* its sentence stands already */
    }
    return rcity_fail(call->context, call->is_memory ? RCITY_ERR_MEMORY : RCITY_ERR_FILE, "GDAL cannot %s: %s", act,
                      call->text[0] != '\0' ? call->text : "it does not say why");
}

rcity_status rcity_gdal_read_crs(rcity_gdal_call *call, const char *crs, OGRSpatialReferenceH *reference)
{
    OGRSpatialReferenceH made = OSRNewSpatialReference(NULL);
    if (OSRSetFromUserInput(made, crs) != OGRERR_NONE) {
        OSRDestroySpatialReference(made);
        return rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                          "the CRS '%.200s' is not known to GDAL (%s); give one such as EPSG:32632, or none", crs,
                          call->text[0] != '\0' ? call->text : "no reason given");
    }
    rcity_gdal_forget(call); /* what it grumbled while it guessed at the text */
    OSRSetAxisMappingStrategy(made, OAMS_TRADITIONAL_GIS_ORDER);
    *reference = made;
    return RCITY_OK;
}

rcity_status rcity_gdal_read_scene_crs(rcity_gdal_call *call, const char *crs, OGRSpatialReferenceH *reference)
{
    OGRSpatialReferenceH made = NULL;
    RCITY_TRY(rcity_gdal_read_crs(call, crs, &made));
    bool is_metric =
        !OSRIsGeographic(made) && !OSRIsGeocentric(made) && fabs(OSRGetLinearUnits(made, NULL) - 1.0) <= 1e-9;
    if (!is_metric) {
        OSRDestroySpatialReference(made);
        return rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                          "the CRS '%.200s' does not count in metres; give a projected one such as EPSG:32632", crs);
    }
    *reference = made;
    return RCITY_OK;
}
