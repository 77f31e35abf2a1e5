/** @file site.h  Lists of sites with sectors, and lists of points, from tables and maps. */
#ifndef RADIOCITY_SITE_H
#define RADIOCITY_SITE_H

#include "radiocity/radio.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sectors of one or many sites, with their names and antennas. Opaque. */
typedef struct rcity_sites rcity_sites;

/** How to read a list. Start from rcity_sites_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_sites_options {
    size_t struct_bytes;        /**< size of this struct, set by rcity_sites_options_default() */
    const char *input_crs;      /**< CRS of x and y where the file states none; NULL: the scene's */
    rcity_transmitter defaults; /**< values that a sector does not state; a frequency or height of NAN, the default,
                                     must be stated by every sector, a power of NAN is unknown. Its antenna is borrowed
                                     until the list is destroyed. */
    rcity_antenna_synthesis synthesis; /**< of antenna files */
    bool ignores_unknown_columns;      /**< log columns that are not understood instead of failing */
} rcity_sites_options;

/** rcity_sites_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_sites_options_init(rcity_sites_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_sites_options)

/** Load sectors from CSV or any vector GDAL reads. Columns (guide/sites.md has the table, and the units that names may state): site, sector, x and y or lon
 *  and lat, height_m, azimuth_deg, mechanical_tilt_deg, electrical_tilt_deg, frequency_mhz, one of eirp_dbm, erp_dbm,
 *  power_dbm or power_w, cable_loss_db, load, antenna (a built-in name or a file, looked for beside the list). Owned by
 *  the caller; release with rcity_sites_destroy(), after the predictions that borrow from it.
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with line and column, also for a column that is not understood, RCITY_ERR_ARGUMENT for a sector without position,
 *  height or frequency, RCITY_ERR_UNSUPPORTED for a format that needs GDAL, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_sites_load(rcity_context *context, const rcity_scene *scene,
                                                         const char *path, const rcity_sites_options *options,
                                                         rcity_sites **sites);

/** Destroy a list and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_sites_destroy(rcity_sites **sites);

RCITY_API int rcity_sites_count(const rcity_sites *sites);

/** All sectors, in the order of the file; each is named "SITE/SECTOR", or "SITE" when it has no sector name. Borrowed
 *  until the list is destroyed. */
RCITY_API const rcity_transmitter *rcity_sites_transmitters(const rcity_sites *sites);

/** Points of receivers with their names. Opaque. */
typedef struct rcity_points rcity_points;

/** Load points from CSV (columns x and y or lon and lat, optional height_m and name) or any vector GDAL reads.
 *  `height_m` is the height of points without one. Owned by the caller; release with rcity_points_destroy().
 *  @return as rcity_sites_load(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_points_load(rcity_context *context, const rcity_scene *scene,
                                                          const char *path, double height_m, rcity_points **points);

RCITY_API void rcity_points_destroy(rcity_points **points);

RCITY_API int64_t rcity_points_count(const rcity_points *points);

/** x, y, height above ground of all points, as rcity_receivers takes them. Borrowed until the list is destroyed. */
RCITY_API const double *rcity_points_xyh(const rcity_points *points);

/** Name of a point, as in the file, or its number from 1. Borrowed until the list is destroyed. */
RCITY_API const char *rcity_points_name(const rcity_points *points, int64_t point_index);

#ifdef __cplusplus
}
#endif

#endif
