/* How tiles lie in a binary glTF 2.0 file. Tiles of one kind are a mesh; those with a value and those without are parts
   of it, since glTF allows no NaN. Vertices are in metres from an origin near the tiles: x east, y up, z south. */
#ifndef RCITY_IO_SURFACES_GLB_LAYOUT_H
#define RCITY_IO_SURFACES_GLB_LAYOUT_H

#include "io/surfaces/surfaces_save.h"

#define RCITY_GLB_CORNERS       4 /* vertices of a tile */
#define RCITY_GLB_INDICES       6 /* of its two triangles */
#define RCITY_GLB_PARTS         (2 * RCITY_SURFACE_COUNT)
#define RCITY_GLB_WITHOUT_VALUE RCITY_SURFACE_COUNT /* part of kind k without values: RCITY_GLB_WITHOUT_VALUE + k */

/* The blocks of the buffer, in their order. Those of colours and values hold only tiles with a value. */
typedef enum rcity_glb_view {
    RCITY_GLB_POSITION,
    RCITY_GLB_NORMAL,
    RCITY_GLB_COLOUR,
    RCITY_GLB_VALUE,
    RCITY_GLB_INDEX,
    RCITY_GLB_VIEW_COUNT
} rcity_glb_view;

/* Tiles that are drawn together; they follow each other in every block, in the order of the parts. */
typedef struct rcity_glb_part {
    int64_t tile_first, tile_count;
    float low[3], high[3];       /* of the positions */
    float value_low, value_high; /* of the values */
} rcity_glb_part;

typedef struct rcity_glb_layout {
    const rcity_surfaces *surfaces; /* Borrowed, as is the paint. */
    const rcity_surface_paint *paint;
    double origin_x_m, origin_y_m;
    int64_t tile_count, valued_count;
    rcity_glb_part parts[RCITY_GLB_PARTS];
} rcity_glb_layout;

/* Measure surfaces. @return RCITY_ERR_STATE for a tile with a place that is no number. */
rcity_status rcity_glb_layout_init(rcity_context *context, const rcity_surfaces *surfaces,
                                   const rcity_surface_paint *paint, rcity_glb_layout *layout);

/* The part that a tile belongs to. */
int rcity_glb_part_of(const rcity_glb_layout *layout, const rcity_surface_tile *tile, int64_t tile_index);

/* The corners of a tile as they stand in the file. */
void rcity_glb_corners(const rcity_glb_layout *layout, const rcity_surface_tile *tile,
                       float corners[RCITY_GLB_CORNERS][3]);

/* Bytes of a tile in a block, the tiles in it, and where it starts in the buffer; a block of 0 tiles is left out. */
int64_t rcity_glb_view_tile_bytes(rcity_glb_view view);
int64_t rcity_glb_view_tile_count(const rcity_glb_layout *layout, rcity_glb_view view);
int64_t rcity_glb_view_first(const rcity_glb_layout *layout, rcity_glb_view view);

/* Bytes of the buffer: where the block after the last would start. */
int64_t rcity_glb_buffer_bytes(const rcity_glb_layout *layout);

#endif
