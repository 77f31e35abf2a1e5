/* Opening what OGR reads. */
#include "io/import/vector/vector_source.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <stdio.h>
#include <string.h>

#include "io/gis/gdal_source.h"

/* Which OpenStreetMap ways are areas, and which tags become fields; all other tags share one field. GDAL's default list
   does not contain parts of buildings, which would then be in the layer of lines. Names keep their colons. */
static const char osm_rules[] = "closed_ways_are_polygons=building,building:part,natural,landuse,leisure,amenity,shop,"
                                "office,tourism,historic,craft,military,aeroway,place,sport,boundary,"
                                "highway=platform,public_transport=platform\n"
                                "attribute_name_laundering=no\n"
                                "[multipolygons]\n"
                                "osm_id=yes\n"
                                "attributes=name,building,building:part,natural,landuse\n"
                                "other_tags=yes\n";

/* The rules are a file in memory, which the driver reads when it opens the source. */
static GDALDatasetH open_osm(rcity_gdal_call *call, const char *path)
{
    char rules_path[64];
    char option[96];
    snprintf(rules_path, sizeof rules_path, "/vsimem/radiocity_osm_%p.ini", (void *)call); /* unique for each thread */
    snprintf(option, sizeof option, "CONFIG_FILE=%s", rules_path);
    char copy[sizeof osm_rules];
    memcpy(copy, osm_rules, sizeof copy);
    VSILFILE *rules = VSIFileFromMemBuffer(rules_path, (GByte *)copy, strlen(copy), FALSE);
    if (rules == NULL) {
        return NULL;
    }
    VSIFCloseL(rules);
    const char *const options[] = {option, NULL};
    GDALDatasetH dataset = rcity_gdal_open_source(call, path, GDAL_OF_VECTOR, options);
    VSIUnlink(rules_path);
    return dataset;
}

/* Why a source cannot be opened: it does not exist, is a raster, or GDAL does not know its format. */
static rcity_status fail_open(rcity_gdal_call *call, const char *path, const char *advice)
{
    RCITY_TRY(rcity_gdal_check_source(call, path, GDAL_OF_VECTOR));
    char *copy = CPLStrdup(path); /* the function may change its case, given a list of files */
    bool is_there = CPLCheckForFile(copy, NULL) != 0;
    CPLFree(copy);
    RCITY_CHECK(call->context, is_there, RCITY_ERR_FILE, "cannot open '%s': no such file or source; check the path",
                path);
    GDALDriverH raster_driver = rcity_gdal_identify(call, path, GDAL_OF_RASTER);
    RCITY_CHECK(call->context, raster_driver == NULL, RCITY_ERR_FORMAT, "'%s' is a raster (%s), not a vector file; %s",
                path, GDALGetDriverShortName(raster_driver), advice);
    return rcity_fail(call->context, RCITY_ERR_FORMAT, "'%s' is no vector file that GDAL reads (%s); %s", path,
                      call->text[0] != '\0' ? call->text : "it does not say why", advice);
}

rcity_status rcity_vector_source_open(rcity_gdal_call *call, const char *path, const char *advice,
                                      GDALDatasetH *dataset)
{
    rcity_gdal_forget(call);
    GDALDriverH driver = rcity_gdal_identify(call, path, GDAL_OF_VECTOR);
    bool is_osm = driver != NULL && strcmp(GDALGetDriverShortName(driver), "OSM") == 0;
    GDALDatasetH opened = is_osm ? open_osm(call, path) : rcity_gdal_open_source(call, path, GDAL_OF_VECTOR, NULL);
    if (opened == NULL) {
        return fail_open(call, path, advice);
    }
    rcity_gdal_forget(call); /* errors of drivers that did not take the file */
    *dataset = opened;
    return RCITY_OK;
}

bool rcity_vector_source_is_osm(GDALDatasetH dataset)
{
    return strcmp(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)), "OSM") == 0;
}
