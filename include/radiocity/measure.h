/** @file measure.h  Measurements: reading, cleaning and averaging drive tests and other levels at known places. */
#ifndef RADIOCITY_MEASURE_H
#define RADIOCITY_MEASURE_H

#include "radiocity/radio.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_AVERAGE_WAVELENGTHS 40.0 /**< usual length of an average along a route (Lee) */

/** What was measured. */
typedef enum rcity_measured_kind {
    RCITY_MEASURED_AUTO,  /**< decided by the column's name */
    RCITY_MEASURED_LOSS,  /**< basic transmission loss between isotropic antennas, dB */
    RCITY_MEASURED_POWER, /**< received power, dBm; also RSRP, then the transmitter's power is that of one resource
                               element */
} rcity_measured_kind;

/** One measured level: a sample, or the average of several. */
typedef struct rcity_measurement {
    double x_m, y_m;      /**< in the scene's CRS */
    double height_m;      /**< above the ground */
    double value;         /**< loss in dB, or received power in dBm */
    double time_s;        /**< as in the file; NAN: none */
    double travelled_m;   /**< distance along its route from the route's start; gaps do not count. A gap is a step that
                               is longer than 30 m and than ten times the route's usual step (the median of steps above
                               0), or a step of more than 5 m after a pause longer than 5 s and than ten usual
                               pauses. */
    bool is_after_gap;    /**< there is a gap before it; also true for the first of a route */
    int route;            /**< index of its route */
    int transmitter;      /**< index into the transmitters that the file states; -1: none */
    int64_t sample_count; /**< number of samples that it averages; 1 for a sample */
    int64_t row;          /**< of its first sample in the file: line of a text, number of a feature */
    uint64_t reserved[4]; /**< 0; for later versions */
} rcity_measurement;

/** How the rows of a file were used. A row that is left out counts once, under the first reason in this order. */
typedef struct rcity_measurement_tally {
    int64_t row_count;
    int64_t left_out_count;  /**< left out by the option `where` */
    int64_t gap_count;       /**< without a value or a place */
    int64_t duplicate_count; /**< same place, time and value as the row before */
    int64_t floor_count;     /**< at or beyond the weakest valid level, left out */
    int64_t saturated_count; /**< at or beyond the strongest valid level, left out */
    int64_t outside_count;   /**< outside the scene's bounds, left out unless `keeps_outside` */
    int64_t kept_count;
} rcity_measurement_tally;

/** Measurements with their routes and transmitters. Opaque. */
typedef struct rcity_measurements rcity_measurements;

/** How to read measurements. Start from rcity_measurements_options_default(). Pointers are borrowed until the call
 *  returns. */
typedef struct rcity_measurements_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_measurements_options_default() */
    rcity_measured_kind kind;
    const char *value_column;      /**< NULL: the only column whose name says loss, received power or RSRP */
    const char *height_column;     /**< NULL: found by its name, if there is one; "": none */
    const char *time_column;       /**< found likewise; seconds or ISO 8601 */
    const char *route_column;      /**< found likewise; without it the whole file is one route, named after the file. A
                                        route with several transmitters becomes one route for each. */
    const char *where;             /**< "COLUMN<VALUE" (or <=, >, >=, =, !=): only such rows; NULL: all */
    const char *input_crs;         /**< of x and y; NULL: the scene's */
    double x_offset_m, y_offset_m; /**< added to x and y of the file; to lon and lat after their conversion to metres */
    double value_offset_db;        /**< added to each value */
    double height_m;               /**< of rows without a height; 1.5 */
    double weakest, strongest;     /**< limits of the receiver, as values of the file: the largest and smallest loss, or
                                        the least and greatest power. Values at or beyond them are left out. NAN: not
                                        known; many equal values at one end then give a warning. */
    bool keeps_outside;            /**< keep rows outside the scene's bounds; rcity_measurement_tally counts them */
    rcity_transmitter defaults;    /**< values of a transmitter that the columns do not state; as in
                                        rcity_sites_options */
} rcity_measurements_options;

/** rcity_measurements_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_measurements_options_init(rcity_measurements_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_measurements_options)

/** Load measurements: CSV with a heading (a byte-order mark, semicolons and comma decimals are understood), any vector
 *  GDAL reads, or a plain list of `x y value` a line without heading. Columns that describe a transmitter (tx_lon and
 *  tx_lat or tx_x and tx_y, tx_height_m, frequency_mhz, and others that the guide lists) give a list of transmitters. A
 *  transmitter that the columns site or sector only name has no position (NAN) until
 *  rcity_measurements_name_transmitters(). Owned by the caller; release with rcity_measurements_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with line and column, RCITY_ERR_ARGUMENT when no row is left, with the
 *  reasons, RCITY_ERR_UNSUPPORTED for a format that needs GDAL, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_load(rcity_context *context, const rcity_scene *scene,
                                                                const char *path,
                                                                const rcity_measurements_options *options,
                                                                rcity_measurements **measurements);

/** Destroy a list and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_measurements_destroy(rcity_measurements **measurements);

/** Append copies of all measurements of `more`, with its routes and transmitters, to `*measurements`, which may point
 *  to NULL; a transmitter that both lists state identically is stored once. @return RCITY_ERR_ARGUMENT for losses
 *  beside powers, RCITY_ERR_MEMORY; then nothing has changed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_append(rcity_context *context,
                                                                  rcity_measurements **measurements,
                                                                  const rcity_measurements *more);

/** Average along each route over pieces of `length_m` of travelled distance: values in the linear domain (powers, not
 *  dB), places, heights and times as means. An average counts as many times as it has samples. A piece starts with a
 *  sample and contains the samples less than `length_m` after it; it ends at gaps, at the end of a route and where the
 *  transmitter changes. A vehicle that stands still stays in one piece. Sums are made in the order of the file. Owned
 *  by the caller.
 *  @return RCITY_ERR_ARGUMENT for a length that is not above 0, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_average(rcity_context *context,
                                                                   const rcity_measurements *measurements,
                                                                   double length_m, rcity_measurements **averaged);

/** RCITY_MEASURED_LOSS or RCITY_MEASURED_POWER. */
RCITY_API rcity_measured_kind rcity_measurements_kind(const rcity_measurements *measurements);
RCITY_API int64_t rcity_measurements_count(const rcity_measurements *measurements);

/** All measurements, route by route. Borrowed until the list is destroyed. */
RCITY_API const rcity_measurement *rcity_measurements_all(const rcity_measurements *measurements);

RCITY_API void rcity_measurements_tally_sized(const rcity_measurements *measurements, size_t tally_bytes,
                                              rcity_measurement_tally *tally);
static inline rcity_measurement_tally rcity_measurements_tally(const rcity_measurements *measurements)
{
    rcity_measurement_tally tally;
    rcity_measurements_tally_sized(measurements, sizeof tally, &tally);
    return tally;
}
RCITY_API int rcity_measurements_route_count(const rcity_measurements *measurements);

/** Name of a route. Borrowed until the list is destroyed. */
RCITY_API const char *rcity_measurements_route_name(const rcity_measurements *measurements, int route_index);

/** The transmitters that the file states: their number, and all of them. Borrowed until the list is destroyed. */
RCITY_API int rcity_measurements_transmitter_count(const rcity_measurements *measurements);
RCITY_API const rcity_transmitter *rcity_measurements_transmitters(const rcity_measurements *measurements);

/** Replace the transmitters by those of the same name in this list, for a file that only names transmitters or states
 *  them incompletely. Names are copied; antennas are borrowed until the measurements are destroyed.
 *  @return RCITY_ERR_ARGUMENT when the file names none, and for names that are not in the list, with the names;
 *  RCITY_ERR_MEMORY; then nothing has changed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_name_transmitters(rcity_context *context,
                                                                             rcity_measurements *measurements,
                                                                             int transmitter_count,
                                                                             const rcity_transmitter *transmitters);

/** Set one transmitter for all measurements, in place of those that the file states. It is copied with its name; its
 *  antenna is borrowed until the measurements are destroyed. @return RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_set_transmitter(rcity_measurements *measurements,
                                                                           const rcity_transmitter *transmitter);

#ifdef __cplusplus
}
#endif

#endif
