/** @file sight.h  What lies between two points: line of sight, obstacles, walls, lengths in buildings and foliage; for
 *  many pairs at once, on any device. Rules and results are exactly those of rcity_scene_test_segment(). */
#ifndef RADIOCITY_SIGHT_H
#define RADIOCITY_SIGHT_H

#include "radiocity/device.h"
#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A scene prepared on a device for line-of-sight tests. Opaque; see rcity_visibility_open(). */
typedef struct rcity_visibility rcity_visibility;

/** Prepare a committed scene. The data that the device needs are copied there once and stay until
 *  rcity_visibility_close(). Scene, device and context are borrowed until then. One thread may use it at a time. Owned
 *  by the caller.
 *  @return RCITY_ERR_STATE before commit, RCITY_ERR_MEMORY, RCITY_ERR_NO_DEVICE when the device was lost. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_visibility_open(rcity_context *context, const rcity_scene *scene,
                                                              rcity_device *device, rcity_visibility **visibility);

/** Release everything and null the pointer; accepts NULL and a pointer to NULL. Call it before the device is closed. */
RCITY_API void rcity_visibility_close(rcity_visibility **visibility);

/** Is the straight line from `from[i]` to `to[i]` free of buildings and terrain, for i = 0 .. count - 1? The result is
 *  exactly that of rcity_scene_test_segment(), on every device, for any number of threads and in both directions.
 *  @return RCITY_ERR_ARGUMENT with the number of a point that is not finite or far outside the scene,
 *  RCITY_ERR_CANCELLED, RCITY_ERR_MEMORY, RCITY_ERR_UNSUPPORTED when the device cannot build the kernel. On failure
 *  `is_free` holds undefined values. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_visibility_test(rcity_visibility *visibility, int64_t count,
                                                              const rcity_point *from, const rcity_point *to,
                                                              bool *is_free);

/** The kinds of first obstacle of a line in one list: enum value, name. */
#define RCITY_HIT_LIST(X)                                                                                              \
    X(RCITY_HIT_NONE, "none")                                                                                          \
    X(RCITY_HIT_INSIDE, "inside") /* it starts in a building */                                                        \
    X(RCITY_HIT_WALL, "wall")                                                                                          \
    X(RCITY_HIT_ROOF, "roof")                                                                                          \
    X(RCITY_HIT_GROUND, "ground")

typedef enum rcity_hit_kind {
#define RCITY_HIT_ENUM(value, name) value,
    RCITY_HIT_LIST(RCITY_HIT_ENUM)
#undef RCITY_HIT_ENUM
        RCITY_HIT_KIND_COUNT
} rcity_hit_kind;

/** Name of a kind, such as "wall"; NULL when out of range. */
RCITY_API const char *rcity_hit_kind_name(rcity_hit_kind kind);

/** What a line passes. Lengths are lengths in space in single precision: exact to a few millimetres in a kilometre. */
typedef struct rcity_line_measure {
    double length_m;
    rcity_hit_kind hit_kind; /**< RCITY_HIT_NONE exactly when the line is free */
    double hit_m;            /**< distance of the first obstacle from the first end; NAN for none */
    int64_t building_id;     /**< of the first obstacle; 0 for the ground and for none */
    int wall_count;     /**< how often the line passes between air and the inside of buildings through a wall; where
                             buildings touch or overlap there is no wall between them below the lower roof */
    double buildings_m; /**< metres inside buildings */
    double foliage_m;   /**< metres inside vegetation: between the ground and its height above the ground. In a scene
                             with terrain, none outside the terrain. Buildings at the same place do not matter. */
} rcity_line_measure;

/** Measure what lines pass, in the given direction. @return as rcity_visibility_test(). */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_visibility_measure_sized(rcity_visibility *visibility, int64_t count,
                                                                       const rcity_point *from, const rcity_point *to,
                                                                       size_t measure_bytes,
                                                                       rcity_line_measure *measures);
RCITY_MUST_CHECK static inline rcity_status rcity_visibility_measure(rcity_visibility *visibility, int64_t count,
                                                                     const rcity_point *from, const rcity_point *to,
                                                                     rcity_line_measure *measures)
{
    return rcity_visibility_measure_sized(visibility, count, from, to, sizeof *measures, measures);
}

/** Test many segments once: rcity_visibility_open(), _test() and _close() in one call.
 *  @return as these. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_test_segments(rcity_context *context, const rcity_scene *scene,
                                                                  rcity_device *device, int64_t count,
                                                                  const rcity_point *from, const rcity_point *to,
                                                                  bool *is_free);

#define RCITY_HORIZON_COUNT_MAX 36000 /**< most directions of a horizon */

/** The horizon of a place over the scene's ground, bare of buildings and trees: in `count` directions, clockwise from the
 *  grid's north, the highest elevation angle of the ground, above the horizontal plane through the place, and how far away
 *  that is on the map. `k_factor` is the effective over the true radius of the earth, such as 4/3; HUGE_VAL: the earth is
 *  flat. Single precision; NAN where the ground ends at the place.
 *  @return RCITY_ERR_STATE before commit, RCITY_ERR_ARGUMENT in a scene without terrain, for a place off the terrain or below
 *  it, a count that is not 1 to RCITY_HORIZON_COUNT_MAX and a k factor below 0.3; RCITY_ERR_MEMORY. On failure both hold
 *  undefined values. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_scene_get_horizon(rcity_context *context, const rcity_scene *scene,
                                                                const rcity_point *place, double k_factor, int count,
                                                                float *elevation_deg, float *distance_m);

#ifdef __cplusplus
}
#endif

#endif
