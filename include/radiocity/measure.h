/** @file measure.h  Measurements: drive tests and other levels at known places, read, cleaned and averaged. */
#ifndef RADIOCITY_MEASURE_H
#define RADIOCITY_MEASURE_H

#include "radiocity/radio.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_AVERAGE_WAVELENGTHS 40.0 /**< usual length of an average along a route (Lee) */

/** What was measured. */
typedef enum rcity_measured_kind {
    RCITY_MEASURED_AUTO,  /**< as the column's name says */
    RCITY_MEASURED_LOSS,  /**< basic transmission loss between isotropic antennas, dB */
    RCITY_MEASURED_POWER, /**< received power, dBm; RSRP too, then the transmitter's power is that of one resource
                               element */
} rcity_measured_kind;

/** One measured level: a sample, or the average of several. */
typedef struct rcity_measurement {
    double x_m, y_m;      /**< in the scene's CRS */
    double height_m;      /**< above the ground */
    double value;         /**< loss in dB, or received power in dBm */
    double time_s;        /**< as in the file; NAN without */
    double travelled_m;   /**< along its route from the route's start; jumps over gaps do not count. A gap is a step
                               longer than ten usual ones of the route (the median of those above 0) and than 30 m, or
                               one of more than 5 m after a pause longer than ten usual ones and than 5 s. */
    bool is_after_gap;    /**< the way from the one before is not known; the first of a route too */
    int route;            /**< index of its route */
    int transmitter;      /**< index into the transmitters the file states; -1: it states none */
    int64_t sample_count; /**< that it is an average of; 1 */
    int64_t row;          /**< of its first sample in the file: line of a text, number of a feature */
} rcity_measurement;

/** What became of the rows of a file. Each counts once, by the first reason in this order to leave it out. */
typedef struct rcity_measurement_tally {
    int64_t row_count;
    int64_t left_out_count;  /**< by `where` */
    int64_t gap_count;       /**< without a value or a place */
    int64_t duplicate_count; /**< same place, time and value as the row before */
    int64_t floor_count;     /**< at or beyond the weakest level that is trusted; they are left out */
    int64_t saturated_count; /**< at or beyond the strongest level that is trusted; they are left out */
    int64_t outside_count;   /**< outside the scene's bounds; they are left out unless `keeps_outside` */
    int64_t kept_count;
} rcity_measurement_tally;

/** Measurements with their routes and transmitters. Opaque. */
typedef struct rcity_measurements rcity_measurements;

/** How to read them. Start from rcity_measurements_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_measurements_options {
    rcity_measured_kind kind;
    const char *value_column;      /**< NULL: the one whose name says loss, received power or RSRP */
    const char *height_column;     /**< NULL: found by name, where there is one; "": none */
    const char *time_column;       /**< likewise: seconds, or ISO 8601 */
    const char *route_column;      /**< likewise; without one the whole file is a route, named after it. A route with
                                    several transmitters becomes one for each. */
    const char *where;             /**< "COLUMN<VALUE" (or <=, >, >=, =, !=): only such rows; NULL: all */
    const char *input_crs;         /**< of x and y; NULL: the scene's */
    double x_offset_m, y_offset_m; /**< added to x and y as the file has them; to lon and lat once they are metres */
    double value_offset_db;        /**< added to each value */
    double height_m;               /**< for those without, 1.5 */
    double weakest, strongest;     /**< ends of what is trusted, as the file has values: of a loss the largest and the
                                    smallest, of a power the least and the greatest; what reaches them is left out.
                                    NAN: not known; then a pile of equal values at an end gets a warning. */
    bool keeps_outside;            /**< keep what lies outside the scene's bounds; rcity_measurement_tally counts it */
    rcity_transmitter defaults;    /**< what columns with the transmitter do not say; as of rcity_sites_options */
} rcity_measurements_options;

RCITY_API rcity_measurements_options rcity_measurements_options_default(void);

/** Load measurements: CSV with a heading (a byte-order mark, semicolons and comma decimals are understood), any vector
 *  GDAL reads, or a plain list of `x y value` a line without heading. Columns with a transmitter (tx_lon and tx_lat or
 *  tx_x and tx_y, tx_height_m, frequency_mhz, and what the guide names) make a list of them; one that a column site or
 *  sector only names has no place (NAN) until rcity_measurements_name_transmitters(). Owned by the caller; release with
 *  rcity_measurements_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with line and column, RCITY_ERR_ARGUMENT when no row is left, saying where
 *  they went, RCITY_ERR_UNSUPPORTED for what needs GDAL, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_load(rcity_context *context, const rcity_scene *scene,
                                                                const char *path,
                                                                const rcity_measurements_options *options,
                                                                rcity_measurements **measurements);

/** Destroy a list and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_measurements_destroy(rcity_measurements **measurements);

/** Append copies of all measurements of `more`, with its routes and transmitters, to `*measurements`, which may point to
 *  NULL; a transmitter that both state in the same words stays one. @return RCITY_ERR_ARGUMENT for losses beside powers,
 *  RCITY_ERR_MEMORY; then nothing has changed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_append(rcity_context *context,
                                                                  rcity_measurements **measurements,
                                                                  const rcity_measurements *more);

/** Average along each route: pieces of `length_m` of travelled way, values in the linear domain (powers, not dB), places,
 *  heights and times as means; what is an average already counts as often as it has samples. A piece starts with a sample
 *  and holds those less than `length_m` behind it; it ends at gaps, at the end of a route and where the transmitter
 *  changes. A vehicle that stands still stays in one piece. The sums are made in the order of the file. Owned by the
 *  caller.
 *  @return RCITY_ERR_ARGUMENT for a length that is not above 0, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_average(rcity_context *context,
                                                                   const rcity_measurements *measurements,
                                                                   double length_m, rcity_measurements **averaged);

/** RCITY_MEASURED_LOSS or RCITY_MEASURED_POWER. */
RCITY_API rcity_measured_kind rcity_measurements_kind(const rcity_measurements *measurements);
RCITY_API int64_t rcity_measurements_count(const rcity_measurements *measurements);

/** All of them, route after route. Borrowed until the list is destroyed. */
RCITY_API const rcity_measurement *rcity_measurements_all(const rcity_measurements *measurements);

RCITY_API rcity_measurement_tally rcity_measurements_tally(const rcity_measurements *measurements);
RCITY_API int rcity_measurements_route_count(const rcity_measurements *measurements);

/** Name of a route. Borrowed until the list is destroyed. */
RCITY_API const char *rcity_measurements_route_name(const rcity_measurements *measurements, int route_index);

/** The transmitters that the file states: their number, and all of them. Borrowed until the list is destroyed. */
RCITY_API int rcity_measurements_transmitter_count(const rcity_measurements *measurements);
RCITY_API const rcity_transmitter *rcity_measurements_transmitters(const rcity_measurements *measurements);

/** For measurements whose file only names transmitters, or states them less well: take each from this list by its name,
 *  with a copy of the name; antennas are borrowed until the measurements are destroyed.
 *  @return RCITY_ERR_ARGUMENT when the file names none, and for names that are not in the list, with the names;
 *  RCITY_ERR_MEMORY; then nothing has changed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_name_transmitters(rcity_context *context,
                                                                             rcity_measurements *measurements,
                                                                             int transmitter_count,
                                                                             const rcity_transmitter *transmitters);

/** For measurements whose file states no transmitter: they are all of this one, which is copied; its name too, its antenna
 *  is borrowed until they are destroyed. Replaces what the file stated. @return RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_measurements_set_transmitter(rcity_measurements *measurements,
                                                                           const rcity_transmitter *transmitter);

#ifdef __cplusplus
}
#endif

#endif
