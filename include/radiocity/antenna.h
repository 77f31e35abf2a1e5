/** @file antenna.h  Antenna patterns: how strongly an antenna radiates in each direction.
 *
 *  An antenna's own frame: azimuth 0 is the direction it faces, increasing clockwise seen from above; elevation 0 is
 *  the horizon, increasing upwards. How it is mounted (azimuth from true north, tilts) belongs to the transmitter. */
#ifndef RADIOCITY_ANTENNA_H
#define RADIOCITY_ANTENNA_H

#include <stdbool.h>

#include "radiocity/context.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_ANTENNA_FLOOR_DB     100.0 /**< largest loss below the strongest direction */
#define RCITY_ANTENNA_GAIN_MAX_DBI 60.0  /**< largest gain a file may state */
#define RCITY_DIPOLE_GAIN_DBI      2.15  /**< of a half-wave dipole; ERP is EIRP less this */

/** An antenna. Opaque, read-only once made: threads may share it. */
typedef struct rcity_antenna rcity_antenna;

/** How the pattern of all directions is made from its two cuts. */
typedef enum rcity_antenna_synthesis {
    RCITY_SYNTHESIS_PROJECTION, /**< horizontal projection interpolation: follows both cuts, front and back; default */
    RCITY_SYNTHESIS_SUM,        /**< losses of the two cuts added: loss = horizontal(azimuth) + vertical(elevation) */
} rcity_antenna_synthesis;

/** Two measured cuts. Losses are dB below the strongest direction, 0 or more. Angles are whole degrees. */
typedef struct rcity_antenna_cuts {
    const char *name; /**< NULL: "antenna". Copied. */
    double gain_dbi;  /**< of the strongest direction */
    double
        electrical_tilt_deg; /**< contained in the vertical cut, down is positive; NAN: where that cut is strongest */
    double frequency_hz;     /**< at which it was measured; NAN: unknown */
    float horizontal_loss_db[360]; /**< at azimuth 0, 1, ... degrees, clockwise */
    float vertical_loss_db[360];   /**< at 0, 1, ... degrees BELOW the horizon in front, through 90 (straight down) and
                                        180 (the horizon behind) to 270 (straight up), as in MSI files */
    rcity_antenna_synthesis synthesis;
} rcity_antenna_cuts;

/** What an antenna is. Texts are borrowed until it is destroyed. */
typedef struct rcity_antenna_info {
    const char *name;
    const char *kind;            /**< "isotropic", "dipole", "3gpp" or "cuts" */
    double gain_dbi;             /**< of the strongest direction */
    double horizontal_width_deg; /**< the range within 3 dB of the strongest direction; 360 when that is all of them */
    double vertical_width_deg;   /**< the same in the vertical plane through azimuth 0 */
    double front_to_back_db;     /**< strongest direction against azimuth 180 at the same elevation */
    double electrical_tilt_deg;  /**< contained in the pattern; down is positive */
    double frequency_hz;         /**< NAN: unknown or any */
    const char *path;            /**< of the file it was loaded from; NULL: of none */
} rcity_antenna_info;

/** Make a built-in antenna: "isotropic", "dipole" (half-wave, upright) or "3gpp" (the element of 3GPP TR 38.901, table
 *  7.3-1). Owned by the caller; release with rcity_antenna_destroy().
 *  @return RCITY_ERR_ARGUMENT with the list of names, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_antenna_create(rcity_context *context, const char *name,
                                                             rcity_antenna **antenna);

/** Make an antenna from two cuts. @return RCITY_ERR_ARGUMENT for a loss below 0 or not finite, a gain beyond
 *  RCITY_ANTENNA_GAIN_MAX_DBI or a cut that has no loss of 0; RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_antenna_create_from_cuts_sized(rcity_context *context, size_t cuts_bytes,
                                                                             const rcity_antenna_cuts *cuts,
                                                                             rcity_antenna **antenna);
RCITY_MUST_CHECK static inline rcity_status rcity_antenna_create_from_cuts(rcity_context *context,
                                                                           const rcity_antenna_cuts *cuts,
                                                                           rcity_antenna **antenna)
{
    return rcity_antenna_create_from_cuts_sized(context, sizeof *cuts, cuts, antenna);
}

/** Destroy an antenna and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_antenna_destroy(rcity_antenna **antenna);

RCITY_API void rcity_antenna_describe_sized(const rcity_antenna *antenna, size_t info_bytes, rcity_antenna_info *info);
static inline void rcity_antenna_describe(const rcity_antenna *antenna, rcity_antenna_info *info)
{
    rcity_antenna_describe_sized(antenna, sizeof *info, info);
}

/** Gain in a direction of the antenna's own frame, to float precision, as predictions use it. `electrical_tilt_deg` is
 *  the whole electrical tilt, down positive; the one contained in the pattern is taken into account; NAN leaves the
 *  pattern as it is. */
RCITY_API double rcity_antenna_gain_dbi(const rcity_antenna *antenna, double electrical_tilt_deg, double azimuth_deg,
                                        double elevation_deg);

/** Load a pattern: MSI/Planet (.msi, .pln, .prn, .txt) or CSV cuts (.csv: columns angle_deg, horizontal_loss_db,
 *  vertical_loss_db, and a line "# gain_dbi: 17.5"). Owned by the caller; release with rcity_antenna_destroy().
 *  @return RCITY_ERR_FILE, RCITY_ERR_FORMAT with line and reason, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_antenna_load(rcity_context *context, const char *path,
                                                           rcity_antenna_synthesis synthesis, rcity_antenna **antenna);

/** A built-in antenna by name or, when there is none of that name, a file.
 *  @return as rcity_antenna_create() and rcity_antenna_load(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_antenna_open(rcity_context *context, const char *name_or_path,
                                                           rcity_antenna_synthesis synthesis, rcity_antenna **antenna);

/** Draw the two cuts as polar plots into a PNG of a width in pixels (400 to 8000).
 *  @return RCITY_ERR_UNSUPPORTED in a build without Cairo, RCITY_ERR_FILE, RCITY_ERR_ARGUMENT, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_antenna_draw(rcity_context *context, const rcity_antenna *antenna,
                                                           double electrical_tilt_deg, int width_px, const char *path);

#ifdef __cplusplus
}
#endif

#endif
