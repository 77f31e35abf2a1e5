/* Opening vector sources, choosing the layer, reading features. */
#include "io/import/vector/vector.h"

#include <stdio.h>
#include <string.h>

#include "io/import/vector/vector_source.h"

static bool is_polygonal(OGRLayerH layer)
{
    OGRwkbGeometryType type = OGR_GT_Flatten(OGR_L_GetGeomType(layer));
    return type == wkbPolygon || type == wkbMultiPolygon || type == wkbCurvePolygon || type == wkbMultiSurface;
}

static bool may_be_polygonal(OGRLayerH layer)
{
    OGRwkbGeometryType type = OGR_GT_Flatten(OGR_L_GetGeomType(layer));
    return is_polygonal(layer) || type == wkbUnknown || type == wkbGeometryCollection;
}

static void list_layers(GDALDatasetH dataset, char *text, size_t room)
{
    text[0] = '\0';
    for (int i = 0; i < GDALDatasetGetLayerCount(dataset); i++) {
        OGRLayerH layer = GDALDatasetGetLayer(dataset, i);
        size_t length = strlen(text);
        snprintf(text + length, room - length, "%s%s (%s)", i > 0 ? ", " : "", OGR_L_GetName(layer),
                 OGRGeometryTypeToName(OGR_L_GetGeomType(layer)));
    }
}

/* The only layer that `fits` accepts; NULL when there is none or more than one. */
static OGRLayerH find_only(GDALDatasetH dataset, bool (*fits)(OGRLayerH))
{
    OGRLayerH found = NULL;
    for (int i = 0; i < GDALDatasetGetLayerCount(dataset); i++) {
        OGRLayerH layer = GDALDatasetGetLayer(dataset, i);
        if (fits(layer)) {
            if (found != NULL) {
                return NULL;
            }
            found = layer;
        }
    }
    return found;
}

static rcity_status choose_layer(rcity_vector *vector, const char *name)
{
    rcity_context *context = vector->import->context;
    char layers[500];
    list_layers(vector->dataset, layers, sizeof layers);
    int layer_count = GDALDatasetGetLayerCount(vector->dataset);
    RCITY_CHECK(context, layer_count > 0, RCITY_ERR_FORMAT, "'%s' holds no layer", vector->path);
    if (name != NULL) {
        vector->layer = GDALDatasetGetLayerByName(vector->dataset, name);
        RCITY_CHECK(context, vector->layer != NULL, RCITY_ERR_ARGUMENT, "'%s' has no layer '%s'; it has %s",
                    vector->path, name, layers);
    } else if (layer_count == 1) {
        vector->layer = GDALDatasetGetLayer(vector->dataset, 0);
    } else if (vector->is_osm) {
        vector->layer = GDALDatasetGetLayerByName(vector->dataset, "multipolygons");
    } else {
        vector->layer = find_only(vector->dataset, is_polygonal);
        vector->layer = vector->layer != NULL ? vector->layer : find_only(vector->dataset, may_be_polygonal);
    }
    RCITY_CHECK(context, vector->layer != NULL, RCITY_ERR_ARGUMENT, "'%s' has several layers; choose one with `%s`: %s",
                vector->path, vector->layer_option, layers);
    RCITY_CHECK(context, may_be_polygonal(vector->layer), RCITY_ERR_FORMAT,
                "the layer %s (%s) of '%s' holds no polygons", OGR_L_GetName(vector->layer),
                OGRGeometryTypeToName(OGR_L_GetGeomType(vector->layer)), vector->path);
    return RCITY_OK;
}

/* OpenStreetMap files are one stream of all layers; the reader is told which one is needed, so that it does not buffer
   the others. */
static void ask_for_one_layer(rcity_vector *vector)
{
    char wish[128];
    snprintf(wish, sizeof wish, "SET interest_layers = %s", OGR_L_GetName(vector->layer));
    OGRLayerH answer = GDALDatasetExecuteSQL(vector->dataset, wish, NULL, NULL);
    if (answer != NULL) {
        GDALDatasetReleaseResultSet(vector->dataset, answer);
    }
}

rcity_status rcity_vector_open(rcity_import *import, const char *path, const char *layer_name, const char *layer_option,
                               rcity_vector *vector)
{
    memset(vector, 0, sizeof *vector);
    vector->import = import;
    vector->path = path;
    vector->layer_option = layer_option;
    RCITY_TRY(rcity_vector_source_open(import->call, path,
                                       "give polygons as GeoPackage, Shapefile, GeoJSON or the like; rasters go with "
                                       "`terrain` or `land-cover`",
                                       &vector->dataset));
    rcity_status status;
    vector->is_osm = rcity_vector_source_is_osm(vector->dataset);
    RCITY_TRY_DONE(choose_layer(vector, layer_name));
    if (vector->is_osm) {
        ask_for_one_layer(vector);
    }
    vector->tags_field = OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(vector->layer), "other_tags");
    status = rcity_vector_settle_crs(vector);
done:
    if (status != RCITY_OK) {
        rcity_vector_close(vector);
    }
    return status;
}

void rcity_vector_close(rcity_vector *vector)
{
    if (vector->transform != NULL) {
        OCTDestroyCoordinateTransformation(vector->transform);
    }
    if (vector->crs != NULL) {
        OSRDestroySpatialReference(vector->crs);
    }
    if (vector->dataset != NULL) {
        GDALClose(vector->dataset);
    }
    memset(vector, 0, sizeof *vector);
}

rcity_status rcity_vector_read(rcity_vector *vector, const char *task, rcity_feature_function function, void *user)
{
    rcity_gdal_call *call = vector->import->call;
    rcity_status status = RCITY_OK;
    OGRFeatureH feature = NULL;
    GIntBig count = OGR_L_GetFeatureCount(vector->layer, FALSE);
    GIntBig done_count = 0;
    OGR_L_ResetReading(vector->layer);
    for (;;) {
        rcity_gdal_forget(call);
        feature = OGR_L_GetNextFeature(vector->layer);
        if (call->text[0] != '\0') {
            status =
                rcity_fail(call->context, call->is_memory ? RCITY_ERR_MEMORY : RCITY_ERR_FORMAT,
                           "'%s' is broken after %lld features: %s", vector->path, (long long)done_count, call->text);
            break;
        }
        if (feature == NULL) {
            break;
        }
        if (done_count % 256 == 0) {
            RCITY_TRY_DONE(rcity_progress(call->context, task, (double)done_count, (double)count));
        }
        RCITY_TRY_DONE(function(user, vector, feature));
        OGR_F_Destroy(feature);
        feature = NULL;
        done_count++;
    }
    if (status == RCITY_OK) {
        status = rcity_progress(call->context, task, (double)done_count, (double)done_count);
    }
done:
    if (feature != NULL) {
        OGR_F_Destroy(feature);
    }
    return status;
}
