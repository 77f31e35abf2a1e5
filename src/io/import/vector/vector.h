/* A layer of polygons from any source OGR reads: opened, its CRS settled, its fields found, its features read one by
   one and brought into the scene's CRS. */
#ifndef RCITY_IO_IMPORT_VECTOR_VECTOR_H
#define RCITY_IO_IMPORT_VECTOR_VECTOR_H

#include <gdal.h>
#include <ogr_api.h>

#include "io/import/import_data.h"

typedef struct rcity_vector {
    rcity_import *import;
    const char *path;
    const char *layer_option; /* how users choose the layer: "layer" */
    GDALDatasetH dataset;
    OGRLayerH layer;
    bool is_osm;                            /* straight from OpenStreetMap: polygons of every kind in one layer */
    bool is_crs_assumed;                    /* a GeoJSON that states no CRS and so means longitude and latitude */
    OGRSpatialReferenceH crs;               /* its coordinates are in; NULL: none, plain metres */
    OGRCoordinateTransformationH transform; /* into the scene's CRS; NULL: none is needed */
    int tags_field;                         /* index of the field with all of OpenStreetMap's other tags, or -1 */
} rcity_vector;

/* Open a source, choose its layer (NULL: the only one, or the only one with polygons) and settle its CRS. Close with
   rcity_vector_close(), which accepts one that is all zero.
   @return RCITY_ERR_FILE, RCITY_ERR_FORMAT for what is no vector, RCITY_ERR_ARGUMENT for layer and CRS. */
rcity_status rcity_vector_open(rcity_import *import, const char *path, const char *layer_name, const char *layer_option,
                               rcity_vector *vector);
void rcity_vector_close(rcity_vector *vector);

/* Which CRS the coordinates are in: what the data state, or what the user says of data that state none. Part of
   rcity_vector_open(). */
rcity_status rcity_vector_settle_crs(rcity_vector *vector);

/* The middle of the layer in longitude and latitude; on the way axes that are swapped are found out. Needs a CRS.
   @return RCITY_ERR_FORMAT for an empty layer, RCITY_ERR_ARGUMENT for coordinates that are no places of the CRS. */
rcity_status rcity_vector_find_centre(rcity_vector *vector, double lonlat[2]);

/* Make the way into the scene's CRS. @return RCITY_ERR_ARGUMENT where there is none. */
rcity_status rcity_vector_aim(rcity_vector *vector);

/* Called for each feature; a failure ends the reading. */
typedef rcity_status (*rcity_feature_function)(void *user, const rcity_vector *vector, OGRFeatureH feature);

/* Read all features in their order. @return what the function returns, RCITY_ERR_FORMAT for broken data,
   RCITY_ERR_CANCELLED. */
rcity_status rcity_vector_read(rcity_vector *vector, const char *task, rcity_feature_function function, void *user);

/* Where a value comes from: a field of the layer, or a tag within the field of other tags. */
typedef struct rcity_vector_field {
    bool is_found;
    bool is_tag;
    int index;                    /* of the field in the layer */
    double unit;                  /* what its numbers are multiplied by unless they have a unit of their own; 1 */
    char name[RCITY_FIELD_BYTES]; /* of field or tag */
} rcity_vector_field;

/* A field the user names; NULL finds the first of the usual names, which end with a NULL, or none; where `is_number` a
   text field that begins with other words than numbers is passed over. `option` is how the user names it, for messages.
   @return RCITY_ERR_ARGUMENT for a named one that is not there or, where `is_number`, can hold no numbers; with the
   fields there are. */
rcity_status rcity_vector_find_field(const rcity_vector *vector, const char *wanted, const char *const *usual,
                                     const char *option, bool is_number, rcity_vector_field *field);

/* The fields of the layer as text "a, b, c", cut where there is no more room. */
void rcity_vector_list_fields(const rcity_vector *vector, char *text, size_t room);

/* A value as text without spaces around it; "" where there is none. */
void rcity_vector_get_text(OGRFeatureH feature, const rcity_vector_field *field, char *text, size_t room);

/* A value as a number in the field's unit, metres for a text with one where `allows_unit`; NAN where there is none.
   @return RCITY_ERR_FORMAT with file, feature, field and text for a text that is no number. */
rcity_status rcity_vector_get_number(const rcity_vector *vector, OGRFeatureH feature, const rcity_vector_field *field,
                                     bool allows_unit, double *value);

/* One tag out of OpenStreetMap's list ("a"=>"b","c"=>"d"); "" where it is not there. */
void rcity_tags_get(const char *tags, const char *key, char *text, size_t room);

#endif
