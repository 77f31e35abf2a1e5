#include "io/gis/gdal_source.h"

#include <string.h>

/* Left out are drivers of services and of files that name other files or addresses, which GDAL then opens with any driver:
   VRT, OGR_VRT, WMS, WMTS, MRF, STACIT, ERS, TIL, DIMAP, GMLAS, databases and so on. */
static const char *const raster_drivers[] = {
    "GTiff", "AAIGrid", "ACE2", "AIG",      "BAG",    "BMP",   "BT",     "BYN",     "DTED",   "EHdr",
    "ENVI",  "GPKG",    "GRIB", "GSAG",     "GSBG",   "GS7BG", "GXF",    "HDF4",    "HDF5",   "HDF5Image",
    "HF2",   "HFA",     "JPEG", "JP2ECW",   "JP2KAK", "LCP",   "NDF",    "NWT_GRC", "PNG",    "JP2OpenJPEG",
    "PNM",   "RST",     "SAGA", "PCRaster", "SDTS",   "XYZ",   "SIGDEM", "NWT_GRD", "ZMap",   "GRASSASCIIGrid",
    "CTG",   "GIF",     "WEBP", "SRTMHGT",  "SNODAS", "ISG",   "netCDF", "RRASTER", "BIGGIF", "HDF4Image",
    "MEM",   "USGSDEM", "COG",  "Terragen", NULL,
};
static const char *const vector_drivers[] = {
    "ESRI Shapefile",
    "GPKG",
    "GeoJSON",
    "GeoJSONSeq",
    "TopoJSON",
    "FlatGeobuf",
    "GML",
    "KML",
    "LIBKML",
    "OSM",
    "CSV",
    "DXF",
    "MapInfo File",
    "OpenFileGDB",
    "SQLite",
    "GPX",
    "CAD",
    "DGN",
    "Parquet",
    "Arrow",
    "S57",
    "NAS",
    "LVBAG",
    "EDIGEO",
    "VFK",
    "XLS",
    "XLSX",
    "ODS",
    "OGR_GMT",
    "JML",
    "TIGER",
    "Interlis 1",
    "Interlis 2",
    "SXF",
    "SVG",
    "MapML",
    "AVCBin",
    "AVCE00",
    "Idrisi",
    "Selafin",
    "Geoconcept",
    "UK .NTF",
    "WAsP",
    "SOSI",
    "OGR_SDTS",
    NULL,
};

/* File systems of GDAL that stay on the machine: archives, memory, parts of files. */
static const char *const local_systems[] = {"zip", "gzip", "tar", "7z", "rar", "mem", "subfile", "sparse", "stdin"};

static const char *const *allowed_drivers(const rcity_gdal_call *call, unsigned kind)
{
    if (rcity_allows_network(call->context)) {
        return NULL;
    }
    return kind == GDAL_OF_RASTER ? raster_drivers : vector_drivers;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* "/vsicurl/...", also inside of another, as in "/vsizip//vsis3/..."; "http://...". */
static bool is_address(const char *path)
{
    if (strstr(path, "://") != NULL) {
        return true;
    }
    for (const char *at = strstr(path, "/vsi"); at != NULL; at = strstr(at + 4, "/vsi")) {
        bool is_local = false;
        for (size_t i = 0; i < sizeof local_systems / sizeof local_systems[0]; i++) {
            size_t length = strlen(local_systems[i]);
            is_local = is_local || (begins_with(at + 4, local_systems[i]) &&
                                    (at[4 + length] == '/' || at[4 + length] == '_' || at[4 + length] == '\0'));
        }
        bool is_start = at == path || at[-1] == '/' || at[-1] == '{' || at[-1] == ':' || at[-1] == ',';
        if (is_start && !is_local) {
            return true;
        }
    }
    return false;
}

GDALDatasetH rcity_gdal_open_source(const rcity_gdal_call *call, const char *path, unsigned kind,
                                    const char *const *options)
{
    if (!rcity_allows_network(call->context) && is_address(path)) {
        return NULL;
    }
    return GDALOpenEx(path, kind | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, allowed_drivers(call, kind), options,
                      NULL);
}

GDALDriverH rcity_gdal_identify(const rcity_gdal_call *call, const char *path, unsigned kind)
{
    bool is_refused = !rcity_allows_network(call->context) && is_address(path);
    return is_refused ? NULL : GDALIdentifyDriverEx(path, kind, allowed_drivers(call, kind), NULL);
}

rcity_status rcity_gdal_check_source(const rcity_gdal_call *call, const char *path, unsigned kind)
{
    if (rcity_allows_network(call->context)) {
        return RCITY_OK;
    }
    RCITY_CHECK(call->context, !is_address(path), RCITY_ERR_ARGUMENT,
                "'%s' is an address, which is not opened; copy the file, or let it be fetched with `allow-network`",
                path);
    if (GDALIdentifyDriverEx(path, kind, allowed_drivers(call, kind), NULL) != NULL) {
        return RCITY_OK;
    }
    GDALDriverH foreign = GDALIdentifyDriverEx(path, kind, NULL, NULL);
    RCITY_CHECK(call->context, foreign == NULL, RCITY_ERR_ARGUMENT,
                "'%s' is a file of GDAL's driver %s, which opens other files or addresses; give these files, or "
                "let it do so with `allow-network`",
                path, GDALGetDriverShortName(foreign));
    return RCITY_OK;
}
