/** @file radio.h  The two ends of a link: transmitters and receivers. */
#ifndef RADIOCITY_RADIO_H
#define RADIOCITY_RADIO_H

#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_FREQUENCY_MIN_HZ    1e6     /**< below this nothing here is ray optics */
#define RCITY_FREQUENCY_MAX_HZ    1e12    /**< above this neither */
#define RCITY_RX_HEIGHT_MAX_M     2000.0  /**< highest receiver plane above ground */
#define RCITY_RX_HEIGHT_COUNT_MAX 64      /**< most receiver planes in one run */
#define RCITY_CELL_MIN_M          0.01    /**< smallest receiver cell */
#define RCITY_CELL_MAX_M          1e5     /**< largest receiver cell */
#define RCITY_TX_HEIGHT_MAX_M     10000.0 /**< highest transmitter */
#define RCITY_AREA_MARGIN_M       1000.0  /**< how far a receiver area may reach beyond the scene */

/** A transmitter. Start from rcity_transmitter_default(). */
typedef struct rcity_transmitter {
    const char *name;    /**< shown in pictures; NULL: "Tx" */
    double x_m, y_m;     /**< position in the scene's CRS */
    double height_m;     /**< above the ground, or of the scene's heights when `is_absolute` */
    bool is_absolute;    /**< height_m counts from the scene's height 0, not from the ground */
    double frequency_hz; /**< RCITY_FREQUENCY_MIN_HZ to RCITY_FREQUENCY_MAX_HZ */
} rcity_transmitter;

RCITY_API rcity_transmitter rcity_transmitter_default(void);

/** Where and at which heights signals are received. Start from rcity_receivers_default().
 *  Either a raster (point_count 0) or a list of points. */
typedef struct rcity_receivers {
    /** The raster: cells of edge cell_m whose outer bounds start at (x_min, y_min); NAN bounds take the scene's. The
     *  upper bounds are rounded up to whole cells. */
    double x_min_m, y_min_m, x_max_m, y_max_m;
    double cell_m;

    /** Heights of the receiver planes above the ground. Borrowed until the call returns. */
    int height_count;
    const double *height_m;

    /** The points: x, y, height above ground, one after the other. Borrowed until the call returns. */
    int64_t point_count;
    const double *xyh_m;
} rcity_receivers;

RCITY_API rcity_receivers rcity_receivers_default(void);

/** The raster a scene's receivers fill. */
typedef struct rcity_raster {
    int64_t column_count, row_count;
    double west_m, north_m; /**< outer corner of the first cell; rows run from north to south, as in GIS files */
    double cell_m;
} rcity_raster;

/** Work out the raster for receivers in a scene.
 *  @return RCITY_ERR_ARGUMENT for a bad cell or bounds, RCITY_ERR_STATE before commit. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_receivers_get_raster(rcity_context *context, const rcity_scene *scene,
                                                                   const rcity_receivers *receivers,
                                                                   rcity_raster *raster);

/** Work out where a transmitter's antenna stands.
 *  @return RCITY_ERR_ARGUMENT when it lies outside the scene, below the ground or inside a building below its roof. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_transmitter_locate(rcity_context *context, const rcity_scene *scene,
                                                                 const rcity_transmitter *transmitter,
                                                                 rcity_point *position);

#ifdef __cplusplus
}
#endif

#endif
