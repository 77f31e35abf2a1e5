/** @file radio.h  The two ends of a link: transmitters and receivers. */
#ifndef RADIOCITY_RADIO_H
#define RADIOCITY_RADIO_H

#include "radiocity/antenna.h"
#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_EARTH_RADIUS_M      6371e3   /**< of a sphere, ITU-R P.310; waves see one k times as large */
#define RCITY_FREQUENCY_MIN_HZ    1e6      /**< ray optics is not valid below this */
#define RCITY_FREQUENCY_MAX_HZ    1e12     /**< nor above this */
#define RCITY_RX_HEIGHT_MAX_M     2000.0   /**< highest receiver plane above ground */
#define RCITY_RX_HEIGHT_COUNT_MAX 64       /**< largest number of receiver planes in one run */
#define RCITY_CELL_MIN_M          0.01     /**< smallest receiver cell */
#define RCITY_CELL_MAX_M          1e5      /**< largest receiver cell */
#define RCITY_TX_HEIGHT_MAX_M     10000.0  /**< highest transmitter */
#define RCITY_POWER_MIN_DBM       (-100.0) /**< weakest transmitter */
#define RCITY_POWER_MAX_DBM       120.0    /**< strongest transmitter */
#define RCITY_CABLE_LOSS_MAX_DB   60.0     /**< largest cable loss */
#define RCITY_RX_GAIN_MAX_DBI     60.0     /**< largest absolute gain of a receiver */
#define RCITY_TX_MARGIN_M         20000.0  /**< how far a transmitter may stand outside the scene */
#define RCITY_AREA_MARGIN_M       1000.0   /**< how far a receiver area may extend beyond the scene */

/** What a transmitter's power refers to. */
typedef enum rcity_power_kind {
    RCITY_POWER_EIRP,      /**< strongest direction against an isotropic antenna, cable loss and gain included */
    RCITY_POWER_ERP,       /**< the same against a half-wave dipole: EIRP less RCITY_DIPOLE_GAIN_DBI */
    RCITY_POWER_CONDUCTED, /**< into the cable: EIRP is power less cable loss plus the antenna's gain */
} rcity_power_kind;

/** Polarization of an antenna, for the methods that compute the field. Slants are seen from behind the antenna, looking
 *  in the direction it faces, as in 3GPP TR 38.901 (zeta of its section 7.3): two antennas of one slant that face each
 *  other are crossed, those of opposite slants match. */
typedef enum rcity_polarization {
    RCITY_POLARIZATION_VERTICAL,
    RCITY_POLARIZATION_HORIZONTAL,
    RCITY_POLARIZATION_SLANT,       /**< 45 degrees to the right of upright */
    RCITY_POLARIZATION_SLANT_MINUS, /**< 45 degrees to the left */
} rcity_polarization;

/** "vertical", "horizontal", "slant" or "slant-minus". Static. */
RCITY_API const char *rcity_polarization_name(rcity_polarization polarization);

/** A transmitter: one sector of a site. Start from rcity_transmitter_default(). */
typedef struct rcity_transmitter {
    size_t struct_bytes; /**< size of this struct, set by rcity_transmitter_default() */
    const char *name;    /**< shown in pictures; NULL: "Tx" */
    double x_m, y_m;  /**< position in the scene's CRS; it may lie outside the scene, see rcity_transmitter_locate() */
    double height_m;  /**< above the ground, or a scene height when `is_absolute` */
    bool is_absolute; /**< height_m counts from the scene's height 0, not from the ground */
    double frequency_hz; /**< RCITY_FREQUENCY_MIN_HZ to RCITY_FREQUENCY_MAX_HZ */

    rcity_power_kind power_kind;
    double power_dbm;     /**< RCITY_POWER_MIN_DBM to RCITY_POWER_MAX_DBM; NAN, the default: unknown, then maps have
                               path loss only */
    double cable_loss_db; /**< with RCITY_POWER_CONDUCTED; 0 to RCITY_CABLE_LOSS_MAX_DB */
    const rcity_antenna *antenna; /**< NULL: isotropic. Borrowed until the call returns. */
    double azimuth_deg;           /**< direction the antenna faces, clockwise from true north; -360 to 360 */
    double mechanical_tilt_deg;   /**< tilt of the antenna's housing, down positive; -90 to 90 */
    double electrical_tilt_deg;   /**< whole electrical tilt, down positive, -90 to 90; NAN: as the pattern has it */
    rcity_polarization polarization;
    double load; /**< share of the time, or of its channel, in which it transmits, 0 to 1: scales its interference. NAN,
                      the default: the load of the network's options */
    uint64_t reserved[12]; /**< 0; for later versions */
} rcity_transmitter;

/** rcity_transmitter_default() with the size of the struct that the program knows. */
RCITY_API void rcity_transmitter_init(rcity_transmitter *transmitter, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_transmitter)

/** Power of the strongest direction against an isotropic antenna; NAN when the power is unknown. */
RCITY_API double rcity_transmitter_eirp_dbm(const rcity_transmitter *transmitter);

/** Positions and heights of the receivers. Start from rcity_receivers_default(). A raster (point_count 0), a list of
 *  points, or the surfaces of the scene (on_surfaces). */
typedef struct rcity_receivers {
    size_t struct_bytes; /**< size of this struct, set by rcity_receivers_default() */
    /** The raster: cells of edge cell_m whose outer bounds start at (x_min, y_min); NAN bounds: the scene's. The upper
     *  bounds are rounded up to whole cells. */
    double x_min_m, y_min_m, x_max_m, y_max_m;
    double cell_m;

    /** Heights of the receiver planes above the ground. Borrowed until the call returns. */
    int height_count;
    const double *height_m;

    /** The points: x, y, height above ground, one after the other. Borrowed until the call returns. */
    int64_t point_count;
    const double *xyh_m;

    double gain_dbi;      /**< of the receivers' antennas, the same in all directions; 0 */
    bool on_surfaces;     /**< all walls, roofs and the ground, cut into tiles by the method, for
                               rcity_predict_surfaces(); raster and heights are not read then */
    uint64_t reserved[7]; /**< 0; for later versions */
} rcity_receivers;

/** rcity_receivers_default() with the size of the struct that the program knows. */
RCITY_API void rcity_receivers_init(rcity_receivers *receivers, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_receivers)

/** A raster of receivers. */
typedef struct rcity_raster {
    int64_t column_count, row_count;
    double west_m, north_m; /**< outer corner of the first cell; rows run from north to south, as in GIS files */
    double cell_m;
} rcity_raster;

/** Compute the raster of receivers in a scene.
 *  @return RCITY_ERR_ARGUMENT for a bad cell or bounds, RCITY_ERR_STATE before commit. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_receivers_get_raster(rcity_context *context, const rcity_scene *scene,
                                                                   const rcity_receivers *receivers,
                                                                   rcity_raster *raster);

/** Compute the position of a transmitter's antenna. It may lie up to RCITY_TX_MARGIN_M outside the scene: the space
 *  between it and the scene is then taken as free. In a scene without terrain its height counts from 0; in a scene with
 *  terrain, which ends before it, its height must be absolute.
 *  @return RCITY_ERR_ARGUMENT when it lies farther away, below the ground or inside a building below its roof, and for
 *  powers, angles and heights outside their range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_transmitter_locate(rcity_context *context, const rcity_scene *scene,
                                                                 const rcity_transmitter *transmitter,
                                                                 rcity_point *position);

#ifdef __cplusplus
}
#endif

#endif
