/* Lines of sight over the elevation grid from one place to a whole raster, exactly, on the host or a device. The one
   header for methods. The ground is made of triangles, as scene/place/terrain.h has it; the earth may be curved. What
   returns a status reports progress and can be stopped: RCITY_ERR_CANCELLED, with answers that are not complete.

   The rule. A target is visible if the ground is nowhere above the straight line from the source; touching does not
   hide. On a curved earth with effective radius a the ground is higher by the bulge d1 d2 / (2 a) at every place of the
   line, with d1 and d2 the plan distances to its ends. */
#ifndef RCITY_VISIBILITY_TERRAIN_GROUND_SIGHT_H
#define RCITY_VISIBILITY_TERRAIN_GROUND_SIGHT_H

#include "device/device.h"
#include "kernel/visibility/ground/ground_octant.h"
#include "radiocity/radio.h"
#include "scene/place/segment_test.h"

/* What all sources on one terrain share. Read-only afterwards, for any number of threads. */
typedef struct rcity_ground_sight {
    rcity_context *context;            /* Borrowed, as the next. */
    const rcity_terrain_grid *terrain; /* at least two nodes along both axes */
    int32_t units_per_m;               /* of the plan */
    int64_t radius_m;                  /* effective radius of the earth in whole metres; 0: flat */
    int32_t *blocks;                   /* highest nodes of blocks of cells, row by row from the south */
    int32_t block_columns, block_rows;
    int32_t lowest, highest, steepest; /* nodes; and the largest difference of neighbours */
} rcity_ground_sight;

/* `curvature_factor` is the k of the effective radius k * 6371 km, such as 4/3; 0 for a flat earth.
   @return RCITY_ERR_ARGUMENT for a factor below 0.01 or not finite, RCITY_ERR_MEMORY. */
rcity_status rcity_ground_sight_init(rcity_context *context, const rcity_shapes *shapes, double curvature_factor,
                                     rcity_ground_sight *sight);
void rcity_ground_sight_deinit(rcity_ground_sight *sight);

/* The targets: all pairs of coordinates, which grow with their index. Answers are ordered row by row. */
typedef struct rcity_ground_targets {
    int32_t column_count, row_count;
    const int32_t *x, *y; /* plan units. Borrowed. */
    const int32_t *z;     /* height units, as the answers are ordered; NULL: `height` above the ground, rounded up */
    int32_t height;       /* height units */
    bool is_north_first;  /* the order of answers, and of z: from the north, not from the south */
} rcity_ground_targets;

/* Do coordinates grow with their index, as those of targets have to? */
bool rcity_ground_coordinates_grow(const int32_t *coordinates, int64_t count);

/* What one run did. */
typedef struct rcity_ground_effort {
    int64_t walked; /* lines that the bounds of their direction left undecided */
    int64_t exact;  /* of those, lines that needed exact comparisons */
} rcity_ground_effort;

/* A terrain on a device, with room for answers; for one thread at a time. `sight` and `device` are borrowed until it is
   closed. @return RCITY_ERR_MEMORY when it does not fit. */
typedef struct rcity_ground_device rcity_ground_device;

rcity_status rcity_ground_device_open(const rcity_ground_sight *sight, rcity_device *device,
                                      rcity_ground_device **opened);
void rcity_ground_device_close(rcity_ground_device **opened);

/* RCITY_GROUND_HIDDEN, _VISIBLE or _NOWHERE (off the grid) for each target. The same bytes for any number of threads
   and on every device; `device` may be NULL for the host's threads, `effort` NULL. */
rcity_status rcity_ground_sight_fill(const rcity_ground_sight *sight, rcity_ground_device *device,
                                     rcity_grid_point3 source, const rcity_ground_targets *targets, uint8_t *seen,
                                     rcity_ground_effort *effort);

/* The bounds alone, on the calling thread and without memory: RCITY_GROUND_UNDECIDED where they do not decide.
   @return false, with `seen` untouched, if they do not serve the source. */
bool rcity_ground_sight_bound(const rcity_ground_sight *sight, rcity_grid_point3 source,
                              const rcity_ground_targets *targets, uint8_t *seen);

/* How high above the ground each target must be to be seen, in metres, and how far that may be off (the bounds are certain,
   the value is their middle); NAN off the grid. `z` and `height` of the targets do not matter. On the host's threads.
   @return RCITY_ERR_ARGUMENT for a source off the grid or below the ground. */
rcity_status rcity_ground_sight_needed(const rcity_ground_sight *sight, rcity_grid_point3 source,
                                       const rcity_ground_targets *targets, float *needed_m, float *error_m);

/* How far the line to each target clears the first Fresnel zone: the least (line - ground) / (0.6 F1) at the crossings with
   rows, columns and diagonals, in single precision; at least 1 is a free path, below 0 a blocked one, NAN off the grid. On
   the host's threads. @return as rcity_ground_sight_needed(). */
rcity_status rcity_ground_sight_clearance(const rcity_ground_sight *sight, rcity_grid_point3 source,
                                          const rcity_ground_targets *targets, double frequency_hz, float *clearance);

/* The horizon of a source in `count` directions, clockwise from the north: the highest elevation angle of the ground, above
   the horizontal plane through the source, and how far away that is in plan. Single precision; NAN where the ground ends at
   the source. @return as rcity_ground_sight_needed(). */
rcity_status rcity_ground_sight_horizon(const rcity_ground_sight *sight, rcity_grid_point3 source, int32_t count,
                                        float *elevation_rad, float *distance_m);

/* One line, exactly: does the ground rise above it? The plain test of the rule, every triangle of it. */
bool rcity_ground_sight_blocks(const rcity_ground_sight *sight, rcity_grid_point3 from, rcity_grid_point3 to);

#endif
