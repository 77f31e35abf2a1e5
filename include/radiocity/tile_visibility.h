/** @file tile_visibility.h  The visibility matrix of a city: which tiles of its walls, roofs and ground see each other. It is
 *  computed once, kept in a file, and used by predictions through `visibility` of rcity_request. */
#ifndef RADIOCITY_TILE_VISIBILITY_H
#define RADIOCITY_TILE_VISIBILITY_H

#include "radiocity/device.h"
#include "radiocity/method.h"
#include "radiocity/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a matrix is made. Start from rcity_tile_visibility_options_default(). Pointers are borrowed until the call returns. */
typedef struct rcity_tile_visibility_options {
    size_t struct_bytes; /**< size of this struct, set by rcity_tile_visibility_options_default() */
    int option_count; /**< options of the method that differ from their defaults; each is one that the matrix depends on
                              (RCITY_OPTION_OF_VISIBILITY) */
    const char *const *option_name;
    const char *const *option_value;
    bool only_tiles; /**< cut the scene and count tiles: no matrix and no file is made, and the path may be NULL */
} rcity_tile_visibility_options;

/** rcity_tile_visibility_options_default() with the size of the struct that the program knows. */
RCITY_API void rcity_tile_visibility_options_init(rcity_tile_visibility_options *options, size_t struct_bytes);
RCITY_DEFAULT_OF(rcity_tile_visibility_options)

/** Tiles, and the matrix that was made of them. */
typedef struct rcity_tile_visibility_info {
    int64_t tile_count; /**< all of: */
    int64_t wall_tile_count;
    int64_t roof_tile_count;
    int64_t ground_tile_count;
    int64_t covered_tile_count; /**< of these: in another building, on a roof below another one, or under ground */
    int64_t edge_count;         /**< pieces of edges, with a tile on at least one side */
    int64_t dropped_wall_count; /**< walls that are too small for tiles */
    double dropped_wall_area_m2;
    int64_t entry_count;   /**< ordered pairs of tiles that see each other; 0 when only tiles were made, as all below */
    double neighbour_mean; /**< entries of a tile */
    int64_t file_bytes;    /**< size of the file */
    int64_t kept_tile_count; /**< tiles whose entries an earlier run that was stopped had finished */
    double seconds;          /**< that the matrix took, without the tiles */
} rcity_tile_visibility_info;

/** Make the tiles of a committed scene and the matrix of what they see of each other, and write it to a file. The file
 *  grows as PATH.part and gets its name when it is complete. A run that was stopped leaves PATH.part; the next with the same
 *  scene, options and path goes on from there. The entries are the same on every device and for every number of
 *  threads; how the file divides them depends on the context's limit on memory.
 *  @return RCITY_ERR_ARGUMENT for a bad option, RCITY_ERR_STATE before commit, RCITY_ERR_FILE, RCITY_ERR_MEMORY,
 *  RCITY_ERR_CANCELLED. `*info` is untouched on failure. */
RCITY_API RCITY_MUST_CHECK rcity_status rcity_tile_visibility_build_sized(rcity_context *context,
                                                                          const rcity_scene *scene,
                                                                          rcity_device *device,
                                                                          const rcity_tile_visibility_options *options,
                                                                          const char *path, size_t info_bytes,
                                                                          rcity_tile_visibility_info *info);
RCITY_MUST_CHECK static inline rcity_status rcity_tile_visibility_build(rcity_context *context,
                                                                        const rcity_scene *scene, rcity_device *device,
                                                                        const rcity_tile_visibility_options *options,
                                                                        const char *path,
                                                                        rcity_tile_visibility_info *info)
{
    return rcity_tile_visibility_build_sized(context, scene, device, options, path, sizeof *info, info);
}

#ifdef __cplusplus
}
#endif

#endif
