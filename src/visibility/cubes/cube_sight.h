/* Which cubes sources see along discrete lines: direct, or by supercubes, on any device. */
#ifndef RCITY_VISIBILITY_CUBES_CUBE_SIGHT_H
#define RCITY_VISIBILITY_CUBES_CUBE_SIGHT_H

#include "device/device.h"
#include "kernel/cubes/supercube.h"

#define RCITY_SUPERCUBE_EDGE_MAX     1024
#define RCITY_SUPERCUBE_EDGE_DEFAULT 32
#define RCITY_CUBE_LAYERS_MAX        1024

/* A map of cubes on a device, with the blocks of it that hold anything filled. */
typedef struct rcity_cube_sight rcity_cube_sight;

/* How lines are followed. */
typedef struct rcity_cube_sight_options {
    int32_t mode; /* RCITY_LINES_PLAIN ..., kernel/cubes/supercube.h; default RCITY_SUPERCUBES */
    int32_t edge; /* of supercubes, in cubes; default 32 */
} rcity_cube_sight_options;

rcity_cube_sight_options rcity_cube_sight_options_default(void);

/* Prepare a map for queries. Its words, those of one column after another, are borrowed until it is closed.
   @return RCITY_ERR_ARGUMENT for a map without cubes or with too many, RCITY_ERR_MEMORY, and what the device returns. */
rcity_status rcity_cube_sight_open(rcity_context *context, rcity_device *device, const rcity_cube_map *map,
                                   const uint32_t *words, rcity_cube_sight **sight);
void rcity_cube_sight_close(rcity_cube_sight **sight);

/* A source that looks in all directions, at any distance. */
rcity_cube_source rcity_cube_source_make(rcity_cube cube);

/* Let a source look only at cubes whose direction makes an angle between the two with the axis (a cone has 0 for the
   smaller), and no further away than a range; 0: any distance. The axis may have any length but 0.
   @return RCITY_ERR_ARGUMENT. */
rcity_status rcity_cube_source_limit(rcity_context *context, const double axis[3], double angle_min_rad,
                                     double angle_max_rad, double range_m, rcity_cube_source *source);

/* What each source sees of the layers [layer_begin, layer_end) of the whole map. `visible` has the map's layout, one map
   after another: a bit for each visible cube, 0 in other layers. Cubes that are filled are visible where the line up
   to them is free. The same bits for any number of threads and on every device.
   @return RCITY_ERR_ARGUMENT for a source outside the map, layers that are not in it, or an option out of range,
   RCITY_ERR_MEMORY, and what the device returns. `visible` holds undefined bits after a failure of the device. */
rcity_status rcity_cube_sight_layers(rcity_cube_sight *sight, const rcity_cube_sight_options *options,
                                     int32_t layer_begin, int32_t layer_end, int64_t source_count,
                                     const rcity_cube_source *sources, uint32_t *visible);

/* What each source sees of a list of cubes: a byte for each cube, 0 or 1, one list after another. */
rcity_status rcity_cube_sight_list(rcity_cube_sight *sight, const rcity_cube_sight_options *options, int64_t cube_count,
                                   const rcity_cube *cubes, int64_t source_count, const rcity_cube_source *sources,
                                   uint8_t *visible);

/* The cubes that lines from a source go to so that they hit every cube within a number of steps of it, and no fewer would
   do (kernel/cubes/cube_line.h): the surface of the box around it. In a plane where `is_plane`. */
int64_t rcity_cube_fan_count(int32_t step_count, bool is_plane);
rcity_cube rcity_cube_fan_target(rcity_cube source, int32_t step_count, bool is_plane, int64_t index);

#endif
