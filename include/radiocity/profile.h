/** @file profile.h  What stands between the two ends of a link: ground, buildings and vegetation under the straight line,
 *  the bulge of the earth, the first Fresnel zone, and what reaches into it. */
#ifndef RADIOCITY_PROFILE_H
#define RADIOCITY_PROFILE_H

#include "radiocity/radio.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCITY_K_FACTOR_STANDARD (4.0 / 3.0) /**< effective over true radius of the earth in a standard atmosphere */
#define RCITY_K_FACTOR_MIN      0.3         /**< smallest k factor: waves bent upwards more than is ever observed */
#define RCITY_FRESNEL_SHARE     0.6         /**< part of the first Fresnel zone that planners keep free, ITU-R P.530 */

/** A link. Start from rcity_link_profile_options_default(). */
typedef struct rcity_link_profile_options {
    size_t struct_bytes;           /**< size of this struct, set by rcity_link_profile_options_default() */
    rcity_transmitter transmitter; /**< its position, height and frequency are read */
    double rx_x_m, rx_y_m;         /**< the receiver, in the scene's CRS; within the terrain, where there is one */
    double rx_height_m;            /**< above the ground, or a scene height when `rx_is_absolute` */
    bool rx_is_absolute;
    double k_factor; /**< effective over true radius of the earth, at least RCITY_K_FACTOR_MIN; HUGE_VAL: the earth is
                               flat; RCITY_K_FACTOR_STANDARD */
    double fresnel_share; /**< part of the first Fresnel zone that obstacles should leave free, 0 to 1;
                               RCITY_FRESNEL_SHARE */
} rcity_link_profile_options;

/** rcity_link_profile_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_link_profile_options_init(rcity_link_profile_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_link_profile_options)

/** The profile of one link. Opaque; const profiles may be shared by threads. */
typedef struct rcity_link_profile rcity_link_profile;

/** Make the profile of a link. Ground and roofs are exact: there is a point wherever the line crosses an edge of the
 *  triangulated ground or the outline of a building; between these there are enough points for the bulge of the earth and
 *  for vegetation. Owned by the caller; release with rcity_link_profile_destroy().
 *  @return RCITY_ERR_ARGUMENT for ends that are the same place, too low, outside the terrain or inside a building, and for
 *  options outside their ranges; RCITY_ERR_STATE before commit, RCITY_ERR_MEMORY. `*profile` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_link_profile_create(rcity_context *context, const rcity_scene *scene,
                                                                  const rcity_link_profile_options *options,
                                                                  rcity_link_profile **profile);

/** Destroy a profile and null the pointer; accepts NULL and a pointer to NULL. */
RCITY_API void rcity_link_profile_destroy(rcity_link_profile **profile);

/** A link as a whole. Azimuths are counted clockwise from the grid's north (the y axis). */
typedef struct rcity_link_profile_info {
    rcity_point transmitter, receiver; /**< the antennas, z in scene height */
    double tx_ground_m, rx_ground_m;   /**< scene height of the ground below them */
    double plan_m;                     /**< distance on the map */
    double distance_m;                 /**< in space */
    double tx_azimuth_deg;             /**< from the transmitter to the receiver, 0 to 360 */
    double rx_azimuth_deg;             /**< and back */
    double tx_elevation_deg; /**< of the receiver as seen from the transmitter, upwards, on the bulging earth */
    double rx_elevation_deg; /**< and back */
    double frequency_hz, k_factor, fresnel_share;
    double fresnel_max_m; /**< radius of the first Fresnel zone halfway */
    int64_t point_count, obstacle_count;
    bool is_in_sight;       /**< nothing rises above the straight line */
    bool is_clear;          /**< nothing reaches into `fresnel_share` of the first Fresnel zone */
    double clearance_m;     /**< least distance between the line and what is below it, negative where that
                                             rises above the line */
    double clearance_share; /**< least share of the radius of the first Fresnel zone that is free below the
                                             line, negative where something rises above it */
    double clearance_at_m;  /**< where that is, from the transmitter */
} rcity_link_profile_info;

/** Describe a profile. @return RCITY_ERR_ARGUMENT for NULL, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_link_profile_describe_sized(const rcity_link_profile *profile,
                                                                          size_t info_bytes,
                                                                          rcity_link_profile_info *info);
RCITY_MUST_CHECK static inline rcity_status rcity_link_profile_describe(const rcity_link_profile *profile,
                                                                        rcity_link_profile_info *info)
{
    return rcity_link_profile_describe_sized(profile, sizeof *info, info);
}

/** What is at the top of a place of a profile. */
typedef enum rcity_profile_top {
    RCITY_PROFILE_TOP_GROUND,
    RCITY_PROFILE_TOP_BUILDING,
    RCITY_PROFILE_TOP_VEGETATION
} rcity_profile_top;

/** "ground", "building" or "vegetation". Static. */
RCITY_API const char *rcity_profile_top_name(rcity_profile_top top);

/** One place of a profile. Heights are scene heights. */
typedef struct rcity_link_profile_point {
    double
        distance_m;   /**< from the transmitter, on the map; it never falls, and two points of the same distance are the
                            two sides of a wall */
    double ground_m;  /**< the ground */
    double top_m;     /**< of what stands there; the ground where nothing does */
    double bulge_m;   /**< how much the earth's curvature raises the place above the chord between the ends */
    double line_m;    /**< the straight line between the antennas */
    double fresnel_m; /**< radius of the first Fresnel zone */
    rcity_profile_top top;
    int64_t building_id; /**< -1 unless it is a building */
} rcity_link_profile_point;

/** One point by index. @return RCITY_ERR_ARGUMENT when out of range, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_link_profile_get_point_sized(const rcity_link_profile *profile,
                                                                           int64_t point_index, size_t point_bytes,
                                                                           rcity_link_profile_point *point);
RCITY_MUST_CHECK static inline rcity_status rcity_link_profile_get_point(const rcity_link_profile *profile,
                                                                         int64_t point_index,
                                                                         rcity_link_profile_point *point)
{
    return rcity_link_profile_get_point_sized(profile, point_index, sizeof *point, point);
}

/** Something that reaches into the part of the first Fresnel zone that should be free. */
typedef struct rcity_link_profile_obstacle {
    double distance_m;      /**< from the transmitter, on the map */
    double top_m;           /**< scene height of its top, without the bulge */
    double above_line_m;    /**< how far its top, bulge included, rises above the line; negative below it */
    double fresnel_m;       /**< radius of the first Fresnel zone there */
    double clearance_share; /**< -above_line_m / fresnel_m */
    double knife_edge_v;    /**< parameter of the knife edge that it is by itself, ITU-R P.526-15, equation (26) */
    double knife_edge_db;   /**< and its loss, equation (31) */
    bool touches_string;    /**< a string drawn tight between the antennas over all obstacles touches it */
    rcity_profile_top top;
    int64_t building_id; /**< -1 unless it is a building */
} rcity_link_profile_obstacle;

/** One obstacle by index, in the order of distance: the tops that a tight string touches, and the highest place of each
 *  other stretch that reaches into the zone. Of touches on one building, and of those on the ground less than 250 m apart,
 *  the one that leaves the least free stands for all. @return RCITY_ERR_ARGUMENT when out of range, without a sentence. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_link_profile_get_obstacle_sized(const rcity_link_profile *profile,
                                                                              int64_t obstacle_index,
                                                                              size_t obstacle_bytes,
                                                                              rcity_link_profile_obstacle *obstacle);
RCITY_MUST_CHECK static inline rcity_status rcity_link_profile_get_obstacle(const rcity_link_profile *profile,
                                                                            int64_t obstacle_index,
                                                                            rcity_link_profile_obstacle *obstacle)
{
    return rcity_link_profile_get_obstacle_sized(profile, obstacle_index, sizeof *obstacle, obstacle);
}

/** How a profile is drawn. Start from rcity_link_profile_draw_options_default(). Pointers are borrowed until the call
 *  returns. */
typedef struct rcity_link_profile_draw_options {
    size_t struct_bytes;     /**< size of this struct, set by rcity_link_profile_draw_options_default() */
    int width_px;            /**< of the picture, RCITY_PICTURE_WIDTH_MIN_PX to RCITY_PICTURE_WIDTH_MAX_PX; 1200 */
    const char *title;       /**< NULL: made from the link */
    int line_count;          /**< lines of text under the title, such as losses and a budget; at most 8 */
    const char *const *line; /**< those lines */
} rcity_link_profile_draw_options;

#define RCITY_LINK_PROFILE_LINE_MAX 8 /**< most lines of text under the title of a picture */

/** rcity_link_profile_draw_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_link_profile_draw_options_init(rcity_link_profile_draw_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_link_profile_draw_options)

/** Draw a profile as PNG: the bulging ground, buildings and trees on it, the line, the first Fresnel zone and the part of
 *  it that should be free, obstacles. `options` may be NULL.
 *  @return RCITY_ERR_UNSUPPORTED in a build without Cairo, RCITY_ERR_ARGUMENT for options outside their ranges,
 *  RCITY_ERR_FILE, RCITY_ERR_MEMORY. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_link_profile_draw(rcity_context *context,
                                                                const rcity_link_profile *profile,
                                                                const rcity_link_profile_draw_options *options,
                                                                const char *path);

#ifdef __cplusplus
}
#endif

#endif
