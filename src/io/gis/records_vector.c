/* Reads lists of places from vectors through GDAL: the fields as a table, and the points. */
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/export/text_block.h"
#include "io/import/import_crs.h"
#include "io/import/vector/vector_source.h"
#include "io/list/records.h"

typedef struct vector_reader {
    rcity_gdal_call call;
    const char *path;
    GDALDatasetH dataset;
    OGRLayerH layer;
    rcity_text_block table; /* as CSV */
    double *xy;
    size_t count, capacity;
} vector_reader;

static bool has_points(OGRLayerH layer)
{
    OGRwkbGeometryType type = OGR_GT_Flatten(OGR_L_GetGeomType(layer));
    return type == wkbPoint || type == wkbMultiPoint;
}

/* The only layer, or the only one with points. */
static rcity_status choose_layer(vector_reader *reader)
{
    int layer_count = GDALDatasetGetLayerCount(reader->dataset);
    int fitting_count = 0;
    for (int i = 0; i < layer_count; i++) {
        OGRLayerH layer = GDALDatasetGetLayer(reader->dataset, i);
        if (layer_count == 1 || has_points(layer)) {
            reader->layer = layer;
            fitting_count++;
        }
    }
    RCITY_CHECK(reader->call.context, fitting_count == 1, RCITY_ERR_FORMAT,
                "'%s' has %d layers, %d of them with points; keep the one that is meant in a file of its own",
                reader->path, layer_count, fitting_count);
    return RCITY_OK;
}

/* A value in quotes, quotes inside doubled. */
static void add_value(rcity_text_block *table, const char *text, bool is_last)
{
    rcity_text_add(table, "\"");
    while (*text != '\0') {
        size_t length = strcspn(text, "\"");
        rcity_text_add(table, "%.*s", (int)length, text);
        text += length;
        if (*text == '"') {
            rcity_text_add(table, "\"\"");
            text++;
        }
    }
    rcity_text_add(table, is_last ? "\"\n" : "\",");
}

/* The first row of the table. Some formats distinguish upper and lower case in the names of fields, we do not. */
static rcity_status add_names(vector_reader *reader)
{
    OGRFeatureDefnH definition = OGR_L_GetLayerDefn(reader->layer);
    int field_count = OGR_FD_GetFieldCount(definition);
    for (int i = 0; i < field_count; i++) {
        const char *name = OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(definition, i));
        for (int k = 0; k < i; k++) {
            RCITY_CHECK(reader->call.context,
                        strcasecmp(OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(definition, k)), name) != 0, RCITY_ERR_FORMAT,
                        "'%s' has the field '%.60s' twice; rename or remove one", reader->path, name);
        }
    }
    add_value(&reader->table, RCITY_RECORDS_FEATURE, field_count == 0);
    for (int i = 0; i < field_count; i++) {
        add_value(&reader->table, OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(definition, i)), i + 1 == field_count);
    }
    return reader->table.status;
}

/* A feature's point; NAN where it has none. */
static rcity_status read_point(const vector_reader *reader, OGRFeatureH feature, double xy[2])
{
    xy[0] = xy[1] = (double)NAN;
    OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
    if (geometry == NULL || OGR_G_IsEmpty(geometry)) {
        return RCITY_OK;
    }
    OGRwkbGeometryType type = OGR_GT_Flatten(OGR_G_GetGeometryType(geometry));
    if (type == wkbMultiPoint && OGR_G_GetGeometryCount(geometry) == 1) {
        geometry = OGR_G_GetGeometryRef(geometry, 0);
        type = wkbPoint;
    }
    RCITY_CHECK(reader->call.context, type == wkbPoint, RCITY_ERR_FORMAT,
                "'%s' feature %lld is a %s; a list of places needs points", reader->path,
                (long long)OGR_F_GetFID(feature), OGRGeometryTypeToName(OGR_G_GetGeometryType(geometry)));
    xy[0] = OGR_G_GetX(geometry, 0);
    xy[1] = OGR_G_GetY(geometry, 0);
    RCITY_CHECK(reader->call.context, isfinite(xy[0]) && isfinite(xy[1]), RCITY_ERR_FORMAT,
                "'%s' feature %lld has a point that is not finite", reader->path, (long long)OGR_F_GetFID(feature));
    return RCITY_OK;
}

static rcity_status add_feature(vector_reader *reader, OGRFeatureH feature)
{
    RCITY_TRY(rcity_reserve(reader->call.context, reader->count + 1, 2 * sizeof *reader->xy, &reader->capacity,
                            "a list", &reader->xy));
    RCITY_TRY(read_point(reader, feature, reader->xy + 2 * reader->count));
    reader->count++;
    char number[32];
    int field_count = OGR_F_GetFieldCount(feature);
    snprintf(number, sizeof number, "%lld", (long long)OGR_F_GetFID(feature));
    add_value(&reader->table, number, field_count == 0);
    for (int i = 0; i < field_count; i++) {
        const char *text = OGR_F_IsFieldSetAndNotNull(feature, i) ? OGR_F_GetFieldAsString(feature, i) : "";
        add_value(&reader->table, text, i + 1 == field_count);
    }
    return reader->table.status;
}

static rcity_status read_features(vector_reader *reader)
{
    const size_t report_step = 4096;
    rcity_status status = add_names(reader);
    double total = (double)OGR_L_GetFeatureCount(reader->layer, FALSE);
    OGR_L_ResetReading(reader->layer);
    OGRFeatureH feature;
    while (status == RCITY_OK && (feature = OGR_L_GetNextFeature(reader->layer)) != NULL) {
        status = add_feature(reader, feature);
        OGR_F_Destroy(feature);
        if (status == RCITY_OK && reader->count % report_step == 0) {
            status = rcity_progress(reader->call.context, reader->call.task, (double)reader->count,
                                    fmax(total, (double)reader->count)); /* a count of -1 means unknown */
        }
    }
    RCITY_TRY(status);
    RCITY_CHECK(reader->call.context, reader->call.text[0] == '\0', RCITY_ERR_FORMAT,
                "'%s' cannot be read to its end: %s", reader->path, reader->call.text);
    return reader->table.status;
}

/* The CRS of the layer as text; NULL if it has none. */
static rcity_status read_crs(vector_reader *reader, rcity_records *records)
{
    OGRSpatialReferenceH crs = OGR_L_GetSpatialRef(reader->layer);
    if (crs == NULL || rcity_crs_says_none(crs)) {
        return RCITY_OK;
    }
    records->is_lonlat = OSRIsGeographic(crs) != 0;
    const char *format = GDALGetDriverShortName(GDALGetDatasetDriver(reader->dataset));
    records->is_unsaid = records->is_lonlat && strncmp(format, "GeoJSON", 7) == 0;
    return rcity_crs_name(&reader->call, crs, &records->crs);
}

rcity_status rcity_records_read_vector(rcity_context *context, const char *path, rcity_records *records)
{
    vector_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.path = path;
    rcity_gdal_open(context, "read a list", &reader.call);
    rcity_text_block_init(context, &reader.table);
    rcity_status status;
    RCITY_TRY_DONE(rcity_vector_source_open(
        &reader.call, path, "give a list of places as CSV, or as points in a GeoPackage or the like", &reader.dataset));
    RCITY_TRY_DONE(choose_layer(&reader));
    RCITY_TRY_DONE(read_crs(&reader, records));
    RCITY_TRY_DONE(read_features(&reader));
    RCITY_TRY_DONE(rcity_csv_parse(context, path, reader.table.text, reader.table.length, &records->table));
    records->is_vector = true;
    records->xy = reader.xy;
    reader.xy = NULL;
done:
    rcity_release(context, reader.xy);
    rcity_text_block_deinit(&reader.table);
    if (reader.dataset != NULL) {
        GDALClose(reader.dataset);
    }
    rcity_gdal_close(&reader.call);
    return status;
}
