/* Lists of places with named values, from CSV or from any vector GDAL reads: the common base of site lists and point
   lists. */
#ifndef RCITY_IO_RECORDS_H
#define RCITY_IO_RECORDS_H

#include "base/base.h"
#include "io/csv.h"
#include "radiocity/scene.h"

typedef struct rcity_records {
    rcity_context *context;
    rcity_csv *table;
    bool *is_used;  /* columns that were searched for */
    int *unit;      /* of each column, as src/io/list/quantities.c knows it; 0: the usual one */
    bool is_vector; /* rows are features */
    double *xy;     /* position of each row from its geometry, NAN without one; NULL for CSV */
    char *crs;      /* of these positions; NULL: not stated */
    bool is_lonlat; /* they are longitude and latitude */
    bool is_unsaid; /* ... because a GeoJSON states no CRS (RFC 7946), whether its writer knew that or not */
} rcity_records;

/* The column of a vector that holds the number of each feature. */
#define RCITY_RECORDS_FEATURE "_feature"

/* Load a list: .csv, .tsv and .txt are text, everything else is read through GDAL. Owned by the caller; release with
   rcity_records_deinit(), which accepts one that is all zero.
   @return RCITY_ERR_FILE, RCITY_ERR_FORMAT, RCITY_ERR_UNSUPPORTED without GDAL, RCITY_ERR_MEMORY. */
rcity_status rcity_records_load(rcity_context *context, const char *path, rcity_records *records);

/* The same over bytes of CSV. */
rcity_status rcity_records_parse(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                 rcity_records *records);

/* The same for bytes whose first line is not in the file, see rcity_csv_parse_named(). */
rcity_status rcity_records_parse_named(rcity_context *context, const char *name, const char *bytes, size_t byte_count,
                                       rcity_records *records);
void rcity_records_deinit(rcity_records *records);

int64_t rcity_records_count(const rcity_records *records);

/* Index of a column by one of several names separated by '|', or -1. In vectors names may be cut to ten letters, as
   Shapefiles do. The column counts as used. */
int rcity_records_find(rcity_records *records, const char *names);

#define RCITY_RECORDS_LIST_BYTES 400

/* Append a name to such a list, or dots once where it is full. */
void rcity_records_list_name(char list[RCITY_RECORDS_LIST_BYTES], const char *name);

/* The names of all columns, for messages; cut to the buffer's size. Returns `list`. */
const char *rcity_records_list_columns(const rcity_records *records, char list[RCITY_RECORDS_LIST_BYTES]);

/* Log the unused columns in one line. */
void rcity_records_report_unused(const rcity_records *records);

const char *rcity_records_text(const rcity_records *records, int64_t row, int column);

#define RCITY_RECORDS_PLACE_BYTES 48

/* The place of a row in the file: "line 12" or "feature 3"; returns `place`. */
const char *rcity_records_place(const rcity_records *records, int64_t row, char place[RCITY_RECORDS_PLACE_BYTES]);

/* A value as a number within limits, in the unit of the column's quantity; an empty one leaves `*value` unchanged.
   @return RCITY_ERR_FORMAT with file, row, column, text and limits. */
rcity_status rcity_records_number(const rcity_records *records, int64_t row, int column, double low, double high,
                                  double *value);

/* The position of every row in a committed scene's CRS: from its geometry, else from columns x and y or lon and lat.
   `input_crs` is the CRS of x and y and of geometry without one; NULL: the scene's. `xy` has room for all rows.
   @return RCITY_ERR_FORMAT, RCITY_ERR_ARGUMENT for a row without a place, RCITY_ERR_UNSUPPORTED, RCITY_ERR_MEMORY. */
rcity_status rcity_records_locate(rcity_records *records, const rcity_scene *scene, const char *input_crs, double *xy);

/* Which columns give the position of a row, and which defects are allowed. */
typedef struct rcity_place_options {
    const char *x, *y, *lon, *lat; /* names of columns, as rcity_records_find() takes them */
    bool uses_geometry;            /* use the point of a feature */
    const char *input_crs;         /* of x and y and of geometry without CRS; NULL: the scene's */
    double offset_m[2];            /* added to x and y of the file; to degrees after their conversion to metres */
    const bool *is_wanted;         /* for each row: unwanted rows get NAN; NULL: all are wanted */
    bool may_lack;                 /* a row without a position gets NAN, and one far from the scene is accepted */
} rcity_place_options;

rcity_place_options rcity_place_options_default(void);

/* The same with these options. */
rcity_status rcity_records_locate_by(rcity_records *records, const rcity_scene *scene,
                                     const rcity_place_options *options, double *xy);

/* gis/records_vector.c: read a vector into a fresh `records`; the caller releases it on failure. */
rcity_status rcity_records_read_vector(rcity_context *context, const char *path, rcity_records *records);

#endif
