/* Calls to GDAL: error messages, progress, CRS. */
#include "io/gis/gdal_call.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Number of warnings of one call that are logged; a broken file may give one for every feature. */
#define WARNING_MAX 5

/* One part in so many of the memory limit is for GDAL's cache. */
#define CACHE_SHARE 10

static void CPL_STDCALL handle_error(CPLErr level, CPLErrorNum number, const char *text)
{
    rcity_gdal_call *call = CPLGetErrorHandlerUserData();
    if (level == CE_Warning) {
        call->warning_count++;
        if (call->warning_count <= WARNING_MAX) {
            rcity_log(call->context, RCITY_LOG_WARNING, "GDAL: %s", text);
        } else if (call->warning_count == WARNING_MAX + 1) {
            rcity_log(call->context, RCITY_LOG_WARNING, "GDAL has more warnings, which are left out");
        }
    } else if (level >= CE_Failure && call->text[0] == '\0') {
        call->is_memory = number == CPLE_OutOfMemory;
        snprintf(call->text, sizeof call->text, "%s", text);
    }
}

/* Whatever a file names, nothing is fetched while these hold: no file of a web server seems to exist, no schema is
   downloaded, and requests of drivers go to a port where nobody listens. */
static const struct {
    const char *key, *value;
} offline_options[RCITY_GDAL_OPTION_COUNT] = {
    {"CPL_VSIL_CURL_ALLOWED_EXTENSIONS", "none-is-allowed"},
    {"GML_DOWNLOAD_SCHEMA", "NO"},
    {"GDAL_HTTP_PROXY", "127.0.0.1:9"},
    {"GDAL_HTTPS_PROXY", "127.0.0.1:9"},
};

static void go_offline(rcity_gdal_call *call)
{
    for (int i = 0; i < RCITY_GDAL_OPTION_COUNT; i++) {
        const char *value = CPLGetThreadLocalConfigOption(offline_options[i].key, NULL);
        call->before[i] = value != NULL ? CPLStrdup(value) : NULL;
        CPLSetThreadLocalConfigOption(offline_options[i].key, offline_options[i].value);
    }
}

static void go_back(rcity_gdal_call *call)
{
    for (int i = 0; i < RCITY_GDAL_OPTION_COUNT; i++) {
        CPLSetThreadLocalConfigOption(offline_options[i].key, call->before[i]);
        CPLFree(call->before[i]);
    }
}

/* GDAL's cache of blocks, 5 % of the machine unless the user says, must not be more than a part of what is allowed. */
static void limit_cache(const rcity_context *context)
{
    GIntBig share = (GIntBig)(rcity_context_memory_limit(context) / CACHE_SHARE);
    if (CPLGetConfigOption("GDAL_CACHEMAX", NULL) == NULL && GDALGetCacheMax64() > share) {
        GDALSetCacheMax64(share);
    }
}

void rcity_gdal_open(rcity_context *context, const char *task, rcity_gdal_call *call)
{
    memset(call, 0, sizeof *call);
    call->context = context;
    call->task = task;
    call->progress = RCITY_OK;
    CPLPushErrorHandlerEx(handle_error, call);
    if (!rcity_allows_network(context)) {
        go_offline(call);
    }
    GDALAllRegister();
    limit_cache(context);
    rcity_gdal_forget(call); /* a driver that does not load is not an error */
}

void rcity_gdal_close(rcity_gdal_call *call)
{
    if (!rcity_allows_network(call->context)) {
        go_back(call);
    }
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
        return call->progress; /* its message is already set */
    }
    return rcity_fail(call->context, call->is_memory ? RCITY_ERR_MEMORY : RCITY_ERR_FILE, "GDAL cannot %s: %s", act,
                      call->text[0] != '\0' ? call->text : "it does not say why");
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncasecmp(text, beginning, strlen(beginning)) == 0;
}

/* Would GDAL read a file or use the network to interpret the text? A CRS may come from data, and data must not make it
   open anything. URLs of the OGC register are names, which GDAL parses without a request. */
static bool leads_elsewhere(const char *crs)
{
    while (*crs == ' ' || *crs == '\t' || *crs == '\r' || *crs == '\n') {
        crs++;
    }
    if (begins_with(crs, "ESRI::")) { /* GDAL skips it as well */
        crs += strlen("ESRI::");
    }
    if (begins_with(crs, "http://www.opengis.net/def/crs/") || begins_with(crs, "https://www.opengis.net/def/crs/") ||
        begins_with(crs, "http://opengis.net/def/crs/") || begins_with(crs, "https://opengis.net/def/crs/")) {
        return false;
    }
    const char *scheme_end = crs + strspn(crs, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    struct stat found;
    return crs[0] == '/' || begins_with(scheme_end, "://") || begins_with(crs, "DICT:") || stat(crs, &found) == 0;
}

rcity_status rcity_gdal_read_crs(rcity_gdal_call *call, const char *crs, OGRSpatialReferenceH *reference)
{
    RCITY_CHECK(call->context, !leads_elsewhere(crs), RCITY_ERR_ARGUMENT,
                "the CRS '%.200s' is a file or an address, which is not opened; give its text (WKT or PROJ), or a code "
                "such as EPSG:32632",
                crs);
    RCITY_CHECK(call->context, crs[0] == '\0' || crs[strspn(crs, "0123456789")] != '\0', RCITY_ERR_ARGUMENT,
                "the CRS '%.20s' is a number; if it is an EPSG code, give EPSG:%.20s", crs, crs);
    OGRSpatialReferenceH made = OSRNewSpatialReference(NULL);
    if (OSRSetFromUserInput(made, crs) != OGRERR_NONE) {
        OSRDestroySpatialReference(made);
        return rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                          "the CRS '%.200s' is not known to GDAL (%s); give one such as EPSG:32632, or none", crs,
                          call->text[0] != '\0' ? call->text : "no reason given");
    }
    rcity_gdal_forget(call); /* errors of its attempts to interpret the text */
    OSRSetAxisMappingStrategy(made, OAMS_TRADITIONAL_GIS_ORDER);
    *reference = made;
    return RCITY_OK;
}

rcity_status rcity_gdal_read_scene_crs(rcity_gdal_call *call, const char *crs, OGRSpatialReferenceH *reference)
{
    OGRSpatialReferenceH made = NULL;
    RCITY_TRY(rcity_gdal_read_crs(call, crs, &made));
    bool is_projected = OSRIsProjected(made) != 0; /* neither geographic nor vertical nor local */
    bool is_metric = is_projected && fabs(OSRGetLinearUnits(made, NULL) - 1.0) <= 1e-9;
    if (!is_metric) {
        OSRDestroySpatialReference(made);
        return rcity_fail(call->context, RCITY_ERR_ARGUMENT,
                          "the CRS '%.200s' %s; give one such as EPSG:32632, or none for plain metres", crs,
                          is_projected ? "does not count in metres"
                                       : "is not projected and does not count in metres on a map");
    }
    *reference = made;
    return RCITY_OK;
}
