/* Paths over roofs and hills from one source to very many targets, tiles or receivers: the shortest path in the
   vertical plane, and what all edges that it passes take from it, as one field. */
#ifndef RCITY_METHOD_OVER_ROOFS_TILE_ROOFS_H
#define RCITY_METHOD_OVER_ROOFS_TILE_ROOFS_H

#include "device/device.h"
#include "kernel/tiles/roofs/tile_roof_path.h"
#include "kernel/tiles/tile.h"
#include "visibility/sight/sight.h"

typedef struct rcity_tile_roofs rcity_tile_roofs;

/* Prepare the roofs of a scene and all targets, once for any number of sources and wavelengths. Context, device and
   sight are borrowed until close, `targets` is copied. Places of tiles are those of the tiling, off their walls; those
   of receivers are their positions on the scene's grid. What is made is read-only: on the host any number of threads
   may use it at the same time, each with a context of its own. @return as rcity_resident_create(). */
rcity_status rcity_tile_roofs_open(rcity_context *context, rcity_device *device, const rcity_sight *sight,
                                   int64_t target_count, const rcity_tile_place *targets, rcity_tile_roofs **roofs);
void rcity_tile_roofs_close(rcity_tile_roofs **roofs);

/* The paths from a source to `count` targets, which `list` names by their numbers; NULL: to all, and count is their
   number. There is none to a target inside a building or farther than `range_m` (0: any distance), nor from a source
   inside a building. Where the straight line is free the path is that line, with what the edges just below it take: 6
   dB where it grazes one, nothing where the first Fresnel zone is clear.

   All roof edges that the path touches, or that reach into its Fresnel zone, count as absorbing screens, at most 24; a
   stretch of ground as one. The same path from the other end loses the same. A target on a wall that faces away from
   the source is reached over the edge of its own roof.
   @return as rcity_device_run(); RCITY_ERR_UNSUPPORTED for a path with more than 1022 edges. */
rcity_status rcity_tile_roofs_find(rcity_context *context, const rcity_tile_roofs *roofs, rcity_tile_place source,
                                   double wavelength_m, double range_m, int64_t count, const int32_t *list,
                                   rcity_tile_roof_path *paths);

/* Two targets, the first one as the source. */
typedef struct rcity_tile_roof_pair {
    int32_t source, target;
} rcity_tile_roof_pair;

/* The same for pairs of targets, all in one launch; fastest where those of one source follow each other. */
rcity_status rcity_tile_roofs_find_pairs(rcity_context *context, const rcity_tile_roofs *roofs, double wavelength_m,
                                         double range_m, int64_t count, const rcity_tile_roof_pair *pairs,
                                         rcity_tile_roof_path *paths);

/* What the nearest edge of a roof, a corner or the ground leaves of the power of the free lines from a source to `count`
   targets, which `list` names: 1 where the first Fresnel zone is clear, a quarter where an edge touches the line
   (docs/adr/0035-one-wave-is-added-once.md). `bare_db` becomes what the bare ground alone takes as an
   edge. On the host's threads, so the same whatever the device. */
void rcity_tile_roofs_leave(rcity_context *context, const rcity_tile_roofs *roofs, rcity_tile_place source,
                            float wavelength_m, int64_t count, const int32_t *list, float *left, float *bare_db);

#endif
