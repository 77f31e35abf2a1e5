/* A layer of polygons from any source that OGR reads: open it, decide its CRS, find its fields, read its features one
   by one in the scene's CRS. */
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
    bool is_osm;                            /* a file of OpenStreetMap: polygons of every kind in one layer */
    bool is_crs_assumed;                    /* a GeoJSON that states no CRS, which means longitude and latitude */
    OGRSpatialReferenceH crs;               /* of its coordinates; NULL: none, plain metres */
    OGRCoordinateTransformationH transform; /* into the scene's CRS; NULL: none is needed */
    int tags_field;                         /* index of the field with all of OpenStreetMap's other tags, or -1 */
} rcity_vector;

/* Open a source, choose its layer (NULL: the only one, or the only one with polygons) and decide its CRS. Close with
   rcity_vector_close(), which accepts one that is all zero.
   @return RCITY_ERR_FILE, RCITY_ERR_FORMAT for a file that is no vector, RCITY_ERR_ARGUMENT for layer and CRS. */
rcity_status rcity_vector_open(rcity_import *import, const char *path, const char *layer_name, const char *layer_option,
                               rcity_vector *vector);
void rcity_vector_close(rcity_vector *vector);

/* The CRS of the coordinates: as the data state, or as the user says for data that state none. Part of
   rcity_vector_open(). */
rcity_status rcity_vector_settle_crs(rcity_vector *vector);

/* The middle of the layer in longitude and latitude; also detects swapped axes. Needs a CRS.
   @return RCITY_ERR_FORMAT for an empty layer, RCITY_ERR_ARGUMENT for coordinates that are not valid in the CRS. */
rcity_status rcity_vector_find_centre(rcity_vector *vector, double lonlat[2]);

/* Make the transformation to the scene's CRS. @return RCITY_ERR_ARGUMENT if there is none. */
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
    double unit;                  /* factor of its numbers without a unit; 1 */
    char name[RCITY_FIELD_BYTES]; /* of field or tag */
} rcity_vector_field;

/* The field that the user names. With a NULL name, the first field with one of the usual names, a list that ends with
   NULL, or none; if `is_number`, a text field whose first values are not numbers is skipped. `option` is the user's
   option, for messages.
   @return RCITY_ERR_ARGUMENT for a named field that does not exist or, if `is_number`, cannot contain numbers; with the
   list of fields. */
rcity_status rcity_vector_find_field(const rcity_vector *vector, const char *wanted, const char *const *usual,
                                     const char *option, bool is_number, rcity_vector_field *field);

/* The fields of the layer as text "a, b, c", cut to the buffer's size. */
void rcity_vector_list_fields(const rcity_vector *vector, char *text, size_t room);

/* A value as text without surrounding spaces; "" if there is none. */
void rcity_vector_get_text(OGRFeatureH feature, const rcity_vector_field *field, char *text, size_t room);

/* A value as a number in the field's unit, or in metres for a text with a unit if `allows_unit`; NAN if there is none.
   @return RCITY_ERR_FORMAT with file, feature, field and text for a text that is no number. */
rcity_status rcity_vector_get_number(const rcity_vector *vector, OGRFeatureH feature, const rcity_vector_field *field,
                                     bool allows_unit, double *value);

/* One tag from OpenStreetMap's list ("a"=>"b","c"=>"d"); "" if it does not exist. */
void rcity_tags_get(const char *tags, const char *key, char *text, size_t room);

#endif
