/* Writes buildings as GeoPackage, Shapefile or GeoJSON. GDAL makes the file in memory, and the finished bytes are
   written to disk whole or not at all. Nothing that varies between runs is written. */
#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pending.h"
#include "io/import/import_crs.h"
#include "io/import/vector/vector.h"
#include "io/output_bytes.h"
#include "scene/shapes.h"

/* The date in the files, instead of today's. */
#define FILE_DATE "2000-01-01"

#define FILE_MAX 10

typedef struct export_format {
    const char *ending;
    const char *driver;
    const char
        *files[FILE_MAX]; /* endings of all its files in the order in which they are written, the main one last. A file
                             of an older export that is not written now is removed: it would not match. */
} export_format;

static const export_format formats[] = {
    {".gpkg", "GPKG", {".gpkg"}},
    {".geojson", "GeoJSON", {".geojson"}},
    {".shp", "ESRI Shapefile", {".qix", ".sbn", ".sbx", ".qpj", ".shp.xml", ".shx", ".dbf", ".prj", ".cpg", ".shp"}},
};

typedef struct exporter {
    rcity_gdal_call *call;
    const rcity_shapes *shapes;
    const export_format *format;
    OGRSpatialReferenceH crs;               /* of the file; NULL: none */
    const char *crs_text;                   /* "none", "EPSG:32632" or WKT */
    OGRCoordinateTransformationH transform; /* NULL: coordinates are unchanged */
    double *xy;                             /* one ring */
    size_t xy_capacity;
    char folder[64]; /* in GDAL's memory files */
    char base[96];   /* path there, without ending */
} exporter;

static const export_format *find_format(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(path + length - ending, formats[i].ending) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

/* Number of prisms from `first` on that form one feature: same building, same height, same ground. */
static int64_t count_parts(const rcity_shapes *shapes, int64_t first)
{
    const rcity_prism *prism = &shapes->prisms[first];
    int64_t count = 1;
    while (first + count < shapes->prism_count && prism[count].building == prism->building &&
           prism[count].ground == prism->ground && prism[count].roof == prism->roof) {
        count++;
    }
    return count;
}

static bool has_parts(const rcity_shapes *shapes)
{
    for (int64_t i = 0; i < shapes->prism_count; i++) {
        if (count_parts(shapes, i) > 1) {
            return true;
        }
    }
    return false;
}

/* One ring of the scene in the file's CRS, its first point repeated at the end. */
static rcity_status make_ring(exporter *out, int32_t ring, OGRGeometryH made)
{
    const rcity_shapes *shapes = out->shapes;
    size_t count = (size_t)(shapes->ring_first[ring + 1] - shapes->ring_first[ring]);
    RCITY_TRY(
        rcity_reserve(out->call->context, count + 1, 2 * sizeof *out->xy, &out->xy_capacity, "outlines", &out->xy));
    for (size_t i = 0; i < count; i++) {
        rcity_grid_point at = shapes->points[shapes->ring_first[ring] + (int32_t)i];
        double *xy = out->xy + 2 * i;
        xy[0] = shapes->origin_x_m + (double)at.x / shapes->units_per_m;
        xy[1] = shapes->origin_y_m + (double)at.y / shapes->units_per_m;
        double from[2] = {xy[0], xy[1]};
        RCITY_CHECK(out->call->context, out->transform == NULL || rcity_crs_place(out->transform, from[0], from[1], xy),
                    RCITY_ERR_ARGUMENT, "the corner (%.3f, %.3f) has no place in the CRS %.100s", from[0], from[1],
                    out->crs_text);
    }
    out->xy[2 * count] = out->xy[0];
    out->xy[2 * count + 1] = out->xy[1];
    const int stride = 2 * (int)sizeof *out->xy;
    OGR_G_SetPoints(made, (int)count + 1, out->xy, stride, out->xy + 1, stride, NULL, 0);
    return RCITY_OK;
}

static rcity_status make_polygon(exporter *out, const rcity_prism *prism, OGRGeometryH polygon)
{
    for (int32_t ring = prism->first_ring; ring < prism->first_ring + prism->ring_count; ring++) {
        OGRGeometryH made = OGR_G_CreateGeometry(wkbLinearRing);
        rcity_status status = make_ring(out, ring, made);
        if (status == RCITY_OK && OGR_G_AddGeometryDirectly(polygon, made) == OGRERR_NONE) {
            continue;
        }
        OGR_G_DestroyGeometry(made);
        return status != RCITY_OK ? status : rcity_gdal_fail(out->call, "make a polygon");
    }
    return RCITY_OK;
}

/* The prisms of one feature; `is_multi` where the layer holds multi-polygons. */
static rcity_status make_geometry(exporter *out, int64_t first, int64_t count, bool is_multi, OGRGeometryH *geometry)
{
    OGRGeometryH whole = is_multi ? OGR_G_CreateGeometry(wkbMultiPolygon) : NULL;
    rcity_status status = RCITY_OK;
    for (int64_t i = first; i < first + count; i++) {
        OGRGeometryH polygon = OGR_G_CreateGeometry(wkbPolygon);
        status = make_polygon(out, &out->shapes->prisms[i], polygon);
        if (status != RCITY_OK) {
            OGR_G_DestroyGeometry(polygon);
            break;
        }
        if (whole == NULL) {
            whole = polygon;
        } else {
            OGR_G_AddGeometryDirectly(whole, polygon);
        }
    }
    if (status != RCITY_OK && whole != NULL) {
        OGR_G_DestroyGeometry(whole);
    } else {
        *geometry = whole;
    }
    return status;
}

enum { FIELD_ID, FIELD_HEIGHT, FIELD_GROUND, FIELD_MATERIAL };

static rcity_status add_feature(exporter *out, OGRLayerH layer, int64_t first, int64_t count, bool is_multi)
{
    const rcity_prism *prism = &out->shapes->prisms[first];
    const rcity_building_record *record = &out->shapes->buildings[prism->building];
    OGRGeometryH geometry = NULL;
    RCITY_TRY(make_geometry(out, first, count, is_multi, &geometry));
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    OGR_F_SetGeometryDirectly(feature, geometry);
    OGR_F_SetFieldInteger64(feature, FIELD_ID, record->id);
    OGR_F_SetFieldDouble(feature, FIELD_HEIGHT, (double)(prism->roof - prism->ground) / RCITY_HEIGHT_UNITS_PER_M);
    OGR_F_SetFieldDouble(feature, FIELD_GROUND, (double)prism->ground / RCITY_HEIGHT_UNITS_PER_M);
    if (record->material[0] != '\0') {
        OGR_F_SetFieldString(feature, FIELD_MATERIAL, record->material);
    } else {
        OGR_F_SetFieldNull(feature, FIELD_MATERIAL);
    }
    OGRErr error = OGR_L_CreateFeature(layer, feature);
    OGR_F_Destroy(feature);
    return error == OGRERR_NONE ? RCITY_OK : rcity_gdal_fail(out->call, "add a building");
}

static rcity_status add_fields(exporter *out, OGRLayerH layer)
{
    static const struct {
        const char *name;
        OGRFieldType type;
        int width;
    } fields[] = {
        {"id", OFTInteger64, 0}, {"height_m", OFTReal, 0}, {"ground_m", OFTReal, 0}, {"material", OFTString, 31}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        OGRFieldDefnH field = OGR_Fld_Create(fields[i].name, fields[i].type);
        OGR_Fld_SetWidth(field, fields[i].width);
        OGRErr error = OGR_L_CreateField(layer, field, FALSE);
        OGR_Fld_Destroy(field);
        if (error != OGRERR_NONE) {
            return rcity_gdal_fail(out->call, "add a field");
        }
    }
    return RCITY_OK;
}

static char **layer_options(const exporter *out)
{
    char **options = NULL;
    if (strcmp(out->format->driver, "GeoJSON") == 0) {
        bool is_lonlat = strcmp(out->crs_text, RCITY_CRS_LONLAT) == 0;
        bool is_degrees = out->crs != NULL && OSRIsGeographic(out->crs);
        options = CSLSetNameValue(options, "RFC7946", is_lonlat ? "YES" : "NO");
        /* a plan unit, 1/128 m, has seven decimals; 1e-10 degrees are a hundredth of a millimetre */
        options = CSLSetNameValue(options, "COORDINATE_PRECISION", is_degrees ? "10" : "7");
    } else if (strcmp(out->format->driver, "ESRI Shapefile") == 0) {
        options = CSLSetNameValue(options, "ENCODING", "UTF-8");
        options = CSLSetNameValue(options, "DBF_DATE_LAST_UPDATE", FILE_DATE);
    }
    return options;
}

static rcity_status fill_dataset(exporter *out, GDALDatasetH dataset)
{
    const rcity_shapes *shapes = out->shapes;
    bool is_shapefile = strcmp(out->format->driver, "ESRI Shapefile") == 0;
    bool is_multi = !is_shapefile && has_parts(shapes);
    char **options = layer_options(out);
    OGRLayerH layer =
        GDALDatasetCreateLayer(dataset, "buildings", out->crs, is_multi ? wkbMultiPolygon : wkbPolygon, options);
    CSLDestroy(options);
    if (layer == NULL) {
        return rcity_gdal_fail(out->call, "make a layer");
    }
    RCITY_TRY(add_fields(out, layer));
    bool is_transaction = GDALDatasetStartTransaction(dataset, FALSE) == OGRERR_NONE; /* else one for each feature */
    rcity_gdal_forget(out->call);
    for (int64_t i = 0; i < shapes->prism_count;) {
        int64_t count = count_parts(shapes, i);
        if (i % 1024 == 0) {
            RCITY_TRY(rcity_progress(out->call->context, "write buildings", (double)i, (double)shapes->prism_count));
        }
        RCITY_TRY(add_feature(out, layer, i, count, is_multi || count > 1));
        i += count;
    }
    RCITY_TRY(rcity_progress(out->call->context, "write buildings", 1.0, 1.0));
    if (is_transaction && GDALDatasetCommitTransaction(dataset) != OGRERR_NONE) {
        return rcity_gdal_fail(out->call, "finish the file");
    }
    return RCITY_OK;
}

/* Make all files in GDAL's memory. */
static rcity_status make_files(exporter *out)
{
    char path[128];
    snprintf(path, sizeof path, "%s%s", out->base, out->format->ending);
    GDALDriverH driver = GDALGetDriverByName(out->format->driver);
    RCITY_CHECK(out->call->context, driver != NULL, RCITY_ERR_UNSUPPORTED, "this GDAL has no driver for %s files",
                out->format->driver);
    CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", FILE_DATE "T00:00:00.000Z");
    GDALDatasetH dataset = GDALCreate(driver, path, 0, 0, 0, GDT_Unknown, NULL);
    rcity_status status = RCITY_OK;
    if (dataset == NULL) {
        status = rcity_gdal_fail(out->call, "make a file in memory");
    } else {
        status = fill_dataset(out, dataset);
        GDALClose(dataset);
    }
    CPLSetThreadLocalConfigOption("OGR_CURRENT_DATE", NULL);
    if (status == RCITY_OK && out->call->text[0] != '\0') {
        status = rcity_gdal_fail(out->call, "finish the file");
    }
    return status;
}

/* A file that is being written. */
typedef struct export_file {
    char *path;
    rcity_new_file *file; /* NULL: an old file at the path is to be removed, or the new one is complete */
    bool is_new;
} export_file;

/* Form the name of a file beside `path`, with another ending, and write it there under a hidden name. */
static rcity_status stage_file(exporter *out, const char *path, const char *ending, export_file *staged)
{
    rcity_context *context = out->call->context;
    size_t stem = strlen(path) - strlen(out->format->ending);
    bool is_main = strcmp(ending, out->format->ending) == 0;
    RCITY_TRY(rcity_alloc(context, stem + strlen(ending) + 1, 1, "a path", &staged->path));
    memcpy(staged->path, path, stem);
    memcpy(staged->path + stem, is_main ? path + stem : ending, strlen(ending));
    char memory_path[128];
    vsi_l_offset length = 0;
    snprintf(memory_path, sizeof memory_path, "%s%s", out->base, ending);
    const GByte *bytes = VSIGetMemFileBuffer(memory_path, &length, FALSE);
    if (bytes == NULL) {
        return RCITY_OK;
    }
    RCITY_TRY(rcity_new_file_open(context, staged->path, &staged->file));
    return rcity_new_file_write(staged->file, bytes, (size_t)length);
}

/* Write every file under a hidden name. */
static rcity_status write_files(exporter *out, const char *path, export_file files[FILE_MAX])
{
    for (int i = 0; i < FILE_MAX && out->format->files[i] != NULL; i++) {
        RCITY_TRY(stage_file(out, path, out->format->files[i], &files[i]));
    }
    for (int i = 0; i < FILE_MAX; i++) {
        if (files[i].file != NULL) {
            files[i].is_new = true;
            RCITY_TRY(rcity_new_file_commit(&files[i].file));
        }
    }
    return RCITY_OK;
}

/* All files take their places at once; the caller may hold them back further. Old files that are not replaced are removed
   last: they still match the old ones if that fails. */
static rcity_status save_files(exporter *out, const char *path)
{
    rcity_context *context = out->call->context;
    bool was_held = rcity_outputs_are_held(context);
    export_file files[FILE_MAX];
    memset(files, 0, sizeof files);
    rcity_outputs_hold(context);
    rcity_status status = write_files(out, path, files);
    if (!was_held && status == RCITY_OK) {
        status = rcity_outputs_commit(context);
    } else if (!was_held) {
        rcity_outputs_discard(context);
    }
    for (int i = 0; i < FILE_MAX; i++) {
        if (status == RCITY_OK && files[i].path != NULL && !files[i].is_new) {
            unlink(files[i].path);
        }
        rcity_new_file_discard(&files[i].file);
        rcity_release(context, files[i].path);
    }
    return status;
}

/* The file's CRS, and the transformation from the scene's. `*text` is released by the caller. */
static rcity_status open_crs(exporter *out, const char *scene_crs, const char *wanted, char **text)
{
    rcity_gdal_call *call = out->call;
    bool is_scene_plain = strcmp(scene_crs, "none") == 0;
    bool is_plain = wanted != NULL ? strcmp(wanted, "none") == 0 : is_scene_plain;
    RCITY_CHECK(call->context, is_plain == is_scene_plain, RCITY_ERR_ARGUMENT,
                "the scene %s, its coordinates cannot be written in '%.100s'",
                is_scene_plain ? "has no CRS" : "has a CRS", wanted);
    if (is_plain) {
        if (strcmp(out->format->driver, "GPKG") == 0) { /* which otherwise assumes degrees */
            out->crs = OSRNewSpatialReference(NULL);
            OSRSetLocalCS(out->crs, "Undefined Cartesian SRS");
        }
        return rcity_copy_text(call->context, "none", text);
    }
    OGRSpatialReferenceH scene = NULL;
    RCITY_TRY(rcity_gdal_read_crs(call, scene_crs, &scene));
    rcity_status status;
    RCITY_TRY_DONE(rcity_gdal_read_crs(call, wanted != NULL ? wanted : scene_crs, &out->crs));
    RCITY_TRY_DONE(rcity_crs_name(call, out->crs, text));
    if (!rcity_crs_is_same(scene, out->crs)) {
        out->transform = OCTNewCoordinateTransformation(scene, out->crs);
        if (out->transform == NULL) {
            status = rcity_gdal_fail(call, "find a transformation to that CRS");
        }
    }
done:
    OSRDestroySpatialReference(scene);
    return status;
}

/* Checks before the work starts. */
static rcity_status check_export(const exporter *out, const char *path)
{
    rcity_context *context = out->call->context;
    const rcity_shapes *shapes = out->shapes;
    RCITY_CHECK(context, shapes->prism_count > 0, RCITY_ERR_ARGUMENT, "cannot write '%s': the scene has no buildings",
                path);
    bool is_nameless = strcmp(out->crs_text, "none") != 0 && strncmp(out->crs_text, "EPSG:", 5) != 0;
    RCITY_CHECK(context, !is_nameless || strcmp(out->format->driver, "GeoJSON") != 0, RCITY_ERR_ARGUMENT,
                "cannot write '%s': GeoJSON knows a CRS by its EPSG code only, and this one has none; write .gpkg, or "
                "choose one with `crs`",
                path);
    double need_bytes = rcity_vector_bytes(shapes->point_count, shapes->prism_count);
    return rcity_check_output_memory(context, need_bytes, path, "raise `memory`");
}

rcity_status rcity_scene_export(rcity_context *context, const rcity_scene *scene, const char *crs, const char *path)
{
    RCITY_NEED(context, context);
    RCITY_NEED(context, scene);
    RCITY_NEED(context, path);
    const rcity_shapes *shapes = rcity_scene_shapes(scene);
    RCITY_CHECK(context, shapes != NULL, RCITY_ERR_STATE, "commit the scene before it is exported");
    const export_format *format = find_format(path);
    RCITY_CHECK(context, format != NULL, RCITY_ERR_ARGUMENT, "'%s' must end in .gpkg, .shp or .geojson", path);
    rcity_gdal_call call;
    char *crs_text = NULL;
    rcity_status status;
    exporter out = {.call = &call, .shapes = shapes, .format = format};
    /* The address of a local variable: unique among the calls that run now. */
    snprintf(out.folder, sizeof out.folder, "/vsimem/radiocity-%p", (void *)&out);
    snprintf(out.base, sizeof out.base, "%s/buildings", out.folder);
    rcity_gdal_open(context, "export", &call);
    RCITY_TRY_DONE(open_crs(&out, rcity_scene_crs(scene), crs, &crs_text));
    out.crs_text = crs_text;
    RCITY_TRY_DONE(check_export(&out, path));
    RCITY_TRY_DONE(make_files(&out));
    status = save_files(&out, path);
done:
    VSIRmdirRecursive(out.folder);
    if (out.transform != NULL) {
        OCTDestroyCoordinateTransformation(out.transform);
    }
    if (out.crs != NULL) {
        OSRDestroySpatialReference(out.crs);
    }
    rcity_release(context, out.xy);
    rcity_release(context, crs_text);
    rcity_gdal_close(&call);
    return status;
}
