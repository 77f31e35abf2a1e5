/** @file rays.h  Single links: every path between a transmitter and each receiver, with its field, and the values that
 *  follow from all paths together. */
#ifndef RADIOCITY_RAYS_H
#define RADIOCITY_RAYS_H

#include "radiocity/method.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_RAY_EVENT_MAX 32 /**< largest number of interactions of one path */

/** An interaction of a path at a point. */
typedef enum rcity_event_kind {
    RCITY_EVENT_REFLECTION,
    RCITY_EVENT_DIFFRACTION,
    RCITY_EVENT_TRANSMISSION, /**< through a wall or roof, in or out of a building */
    RCITY_EVENT_OVER_ROOFS    /**< one edge of a chain over many roofs or hills in the vertical plane */
} rcity_event_kind;

/** The kind of object at which an interaction occurs. */
typedef enum rcity_event_place {
    RCITY_PLACE_WALL,
    RCITY_PLACE_ROOF,
    RCITY_PLACE_GROUND,
    RCITY_PLACE_VERTICAL_EDGE,
    RCITY_PLACE_ROOF_EDGE,
    RCITY_PLACE_TERRAIN_EDGE
} rcity_event_place;

/** "reflection", "wall" and so on. Static. */
RCITY_API const char *rcity_event_kind_name(rcity_event_kind kind);
RCITY_API const char *rcity_event_place_name(rcity_event_place place);

/** One interaction. */
typedef struct rcity_ray_event {
    rcity_event_kind kind;
    rcity_event_place place;
    int64_t building_id; /**< -1 without a building */
    rcity_point position;
} rcity_ray_event;

/** A complex number. */
typedef struct rcity_phasor {
    double re, im;
} rcity_phasor;

/** One path. Azimuths are counted clockwise from the grid's north (the y axis), 0 to 360; elevations upwards. */
typedef struct rcity_path {
    int64_t receiver_index;
    int event_count;
    const rcity_ray_event *events; /**< from the transmitter on; borrowed until the paths are destroyed */
    double length_m, delay_s;
    double departure_azimuth_deg, departure_elevation_deg; /**< direction in which the path leaves the transmitter */
    double arrival_azimuth_deg, arrival_elevation_deg;     /**< direction from which it arrives, seen from the
                                                                receiver */

    /** The channel without antennas: arriving over departing field, each in its own upright frame, theta down and phi
     *  counter-clockwise seen from above: [out][in], 0 theta, 1 phi. With isotropic antennas of matching polarization
     *  |transfer|^2 is the path gain: (lambda / 4 pi r)^2 in free space. */
    rcity_phasor transfer[2][2];
    rcity_phasor amplitude;       /**< with both antennas, their gains and polarizations; field over field as above */
    rcity_phasor cross_amplitude; /**< the same at a second receiving antenna with the polarization orthogonal to the
                                       first one's; 0 without such an antenna */
    double gain_db; /**< 10 log10 (|amplitude|^2 + |cross_amplitude|^2); -HUGE_VAL where the polarizations are crossed:
                         both amplitudes are then exactly 0, without rounding errors */
    double loss_db; /**< -gain_db of isotropic antennas of the same polarizations; HUGE_VAL where their gain is 0 */
    double received_dbm; /**< NAN where the transmitter states no power; -HUGE_VAL where nothing arrives */
} rcity_path;

#define RCITY_PATH_WORD_BYTES 72 /**< size of the buffer for a path's word, with its terminating 0 */

/** The interactions of a path as one word: "direct", or its interactions from the transmitter on, such as "R-D": R
 *  reflection, D diffraction, T transmission, O an edge of a chain over roofs. @return `word`, of
 *  RCITY_PATH_WORD_BYTES. */
RCITY_API char *rcity_path_describe(const rcity_path *path, char *word);

/** The state of a receiver. */
typedef enum rcity_receiver_state {
    RCITY_RECEIVER_REACHED,
    RCITY_RECEIVER_NO_PATH,      /**< no path of the chosen orders */
    RCITY_RECEIVER_IN_BUILDING,  /**< inside a building, below its roof: no paths were searched */
    RCITY_RECEIVER_OUTSIDE,      /**< off the terrain */
    RCITY_RECEIVER_NEAR_FIELD,   /**< nearer to the transmitter than a wavelength: no far field */
    RCITY_RECEIVER_OUT_OF_RANGE, /**< outside the range that the model was published for */
    RCITY_RECEIVER_STATE_COUNT
} rcity_receiver_state;

/** "reached", "no path", "in building" and so on. Static. */
RCITY_API const char *rcity_receiver_state_name(rcity_receiver_state state);

/** All paths of a receiver together. Values are NAN where no path arrives. Spreads are weighted by power; those of
 *  angles by 3GPP TR 25.996, annex A: the smallest over all rotations of the circle. */
typedef struct rcity_receiver_summary {
    rcity_receiver_state state;
    rcity_point position; /**< scene height, not above ground */
    int64_t path_first, path_count;
    double gain_db;          /**< powers added: what an average over a few wavelengths measures */
    double coherent_gain_db; /**< fields added: the value at exactly this point */
    double loss_db;          /**< -gain_db of isotropic antennas of the same polarizations */
    double coherent_loss_db; /**< -coherent_gain_db of the same */
    double received_dbm;     /**< of the powers added; NAN where the transmitter states no power */
    double mean_delay_s, delay_spread_s;
    double departure_azimuth_spread_deg, departure_elevation_spread_deg;
    double arrival_azimuth_spread_deg, arrival_elevation_spread_deg;
    double k_factor_db;       /**< power of the strongest path over that of all others; NAN with a single path */
    double grouped_gain_db;   /**< fields added within groups, a ray and the diffracted rays of its own edges, and the
                                 powers of the groups: an average over a few wavelengths without steps at shadow
                                 boundaries; powers added where the method knows no groups */
    double grouped_loss_db;   /**< -grouped_gain_db of isotropic antennas of the same polarizations */
    double scattered_gain_db; /**< power that walls and roofs scatter here, part of all three sums and of no path; NAN
                                   without */
    double scattered_loss_db; /**< -scattered_gain_db of isotropic antennas of the same polarizations */
} rcity_receiver_summary;

/** The paths of one transmitter to many receivers. Opaque; made by rcity_rays_find(). */
typedef struct rcity_rays rcity_rays;

/** Find all paths from the request's transmitter to its receivers, which must be points. The request's method must be
 *  one that finds paths (RCITY_SERVES_PATHS); options that only affect how maps are made from paths are refused. A NULL
 *  device takes the host. Owned by the caller; release with rcity_rays_destroy().
 *  @return RCITY_ERR_ARGUMENT for a bad request, RCITY_ERR_MEMORY when the paths would not fit the context's limit,
 *  RCITY_ERR_STATE before commit, RCITY_ERR_CANCELLED. `*rays` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_rays_find(rcity_context *context, const rcity_scene *scene,
                                                        rcity_device *device, const rcity_request *request,
                                                        rcity_rays **rays);

/** Destroy paths and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_rays_destroy(rcity_rays **rays);

RCITY_API int64_t rcity_rays_path_count(const rcity_rays *rays);
RCITY_API int64_t rcity_rays_receiver_count(const rcity_rays *rays);

/** One path by index. Paths are ordered by receiver, the strongest first. @return RCITY_ERR_ARGUMENT when out of
 *  range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_rays_get_path_sized(const rcity_rays *rays, int64_t path_index,
                                                                  size_t path_bytes, rcity_path *path);
RCITY_MUST_CHECK static inline rcity_status rcity_rays_get_path(const rcity_rays *rays, int64_t path_index,
                                                                rcity_path *path)
{
    return rcity_rays_get_path_sized(rays, path_index, sizeof *path, path);
}

/** One receiver by index, as in the request. @return RCITY_ERR_ARGUMENT when out of range. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_rays_get_receiver_sized(const rcity_rays *rays, int64_t receiver_index,
                                                                      size_t summary_bytes,
                                                                      rcity_receiver_summary *summary);
RCITY_MUST_CHECK static inline rcity_status rcity_rays_get_receiver(const rcity_rays *rays, int64_t receiver_index,
                                                                    rcity_receiver_summary *summary)
{
    return rcity_rays_get_receiver_sized(rays, receiver_index, sizeof *summary, summary);
}

/** Name a receiver; copied. Files and pictures call one without a name by its number from 1 on.
 *  @return RCITY_ERR_ARGUMENT when out of range, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_rays_set_name(rcity_rays *rays, int64_t receiver_index, const char *name);

/** A receiver's name, or NULL; the index must be in range. Borrowed until the paths are destroyed or it is named
 *  anew. */
RCITY_API const char *rcity_rays_name(const rcity_rays *rays, int64_t receiver_index);

/** Where the transmitter's antenna stands, and its frequency. */
RCITY_API rcity_point rcity_rays_transmitter(const rcity_rays *rays);
RCITY_API double rcity_rays_frequency_hz(const rcity_rays *rays);

/** CRS of the coordinates, as the scene's; "none" without. Borrowed until the paths are destroyed. */
RCITY_API const char *rcity_rays_crs(const rcity_rays *rays);

/** Number of notes. */
RCITY_API int rcity_rays_note_count(const rcity_rays *rays);

/** How the paths were made: pairs of key and value, as for maps.
 *  @return RCITY_ERR_ARGUMENT when out of range. Texts are borrowed until the paths are destroyed. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_rays_get_note(const rcity_rays *rays, int pair_index, const char **key,
                                                            const char **value);

/** Save by the name's ending: .geojson (3-D lines; longitude and latitude where the scene has a CRS, as RFC 7946
 *  requires), .h5 (HDF5: tables of receivers, paths and events), .csv (receivers). Whole or not at all.
 *  @return RCITY_ERR_ARGUMENT for another ending, RCITY_ERR_UNSUPPORTED for HDF5 in a build without it and for
 *  longitudes in a build without GDAL, RCITY_ERR_FILE, RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_rays_save(rcity_context *context, const rcity_rays *rays,
                                                        const char *path);

/** Options for rcity_rays_draw(). Start from rcity_rays_draw_options_default(). */
typedef struct rcity_rays_draw_options {
    size_t struct_bytes;    /**< size of this struct, set by rcity_rays_draw_options_default() */
    int width_px;           /**< 400 to 8000; 1200 */
    int64_t receiver_index; /**< only the paths of this receiver; -1: of all */
    double floor_db;        /**< paths are left out that are weaker than their receiver's strongest by more than this;
                                 40 */
} rcity_rays_draw_options;

/** rcity_rays_draw_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_rays_draw_options_init(rcity_rays_draw_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_rays_draw_options)

/** Draw paths over the plan of their scene into a PNG, coloured by power.
 *  @return RCITY_ERR_UNSUPPORTED in a build without Cairo, RCITY_ERR_FILE, RCITY_ERR_ARGUMENT, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_rays_draw(rcity_context *context, const rcity_scene *scene,
                                                        const rcity_rays *rays, const rcity_rays_draw_options *options,
                                                        const char *path);

#ifdef __cplusplus
}
#endif

#endif
