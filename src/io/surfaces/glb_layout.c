/* The layout of a binary glTF file. */
#include "io/surfaces/glb_layout.h"

#include <math.h>
#include <string.h>

#include "result/surfaces_data.h"

int rcity_glb_part_of(const rcity_glb_layout *layout, const rcity_surface_tile *tile, int64_t tile_index)
{
    bool has_value = rcity_surface_paint_has_value(layout->paint, tile_index);
    return (int)tile->kind + (has_value ? 0 : RCITY_GLB_WITHOUT_VALUE);
}

/* x east, y north, z up becomes x east, y up, z south. */
void rcity_glb_corners(const rcity_glb_layout *layout, const rcity_surface_tile *tile,
                       float corners[RCITY_GLB_CORNERS][3])
{
    double corners_m[RCITY_GLB_CORNERS][3];
    rcity_surface_tile_corners(tile, corners_m);
    for (int k = 0; k < RCITY_GLB_CORNERS; k++) {
        corners[k][0] = (float)(corners_m[k][0] - layout->origin_x_m);
        corners[k][1] = (float)corners_m[k][2];
        corners[k][2] = (float)(layout->origin_y_m - corners_m[k][1]);
    }
}

/* Whole metres in the middle of all tiles. */
static void find_origin(rcity_glb_layout *layout)
{
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(layout->surfaces);
    double low[2] = {HUGE_VAL, HUGE_VAL};
    double high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < layout->tile_count; i++) {
        low[0] = fmin(low[0], tiles[i].centre.x_m);
        low[1] = fmin(low[1], tiles[i].centre.y_m);
        high[0] = fmax(high[0], tiles[i].centre.x_m);
        high[1] = fmax(high[1], tiles[i].centre.y_m);
    }
    bool has_any = low[0] <= high[0] && low[1] <= high[1];
    layout->origin_x_m = has_any ? floor(0.5 * (low[0] + high[0])) : 0.0;
    layout->origin_y_m = has_any ? floor(0.5 * (low[1] + high[1])) : 0.0;
}

static rcity_status measure_tile(rcity_context *context, rcity_glb_layout *layout, const rcity_surface_tile *tile,
                                 int64_t tile_index)
{
    int part_index = rcity_glb_part_of(layout, tile, tile_index);
    rcity_glb_part *part = &layout->parts[part_index];
    float corners[RCITY_GLB_CORNERS][3];
    rcity_glb_corners(layout, tile, corners);
    for (int k = 0; k < RCITY_GLB_CORNERS; k++) {
        for (int i = 0; i < 3; i++) {
            RCITY_CHECK(context, isfinite(corners[k][i]), RCITY_ERR_STATE,
                        "tile %lld has a place that is no number; please report it", (long long)tile_index);
            part->low[i] = fminf(part->low[i], corners[k][i]);
            part->high[i] = fmaxf(part->high[i], corners[k][i]);
        }
    }
    if (part_index < RCITY_GLB_WITHOUT_VALUE) {
        float value = layout->paint->band.value[tile_index];
        part->value_low = fminf(part->value_low, value);
        part->value_high = fmaxf(part->value_high, value);
        layout->valued_count++;
    }
    part->tile_count++;
    return RCITY_OK;
}

rcity_status rcity_glb_layout_init(rcity_context *context, const rcity_surfaces *surfaces,
                                   const rcity_surface_paint *paint, rcity_glb_layout *layout)
{
    memset(layout, 0, sizeof *layout);
    layout->surfaces = surfaces;
    layout->paint = paint;
    layout->tile_count = rcity_surfaces_tile_count(surfaces);
    find_origin(layout);
    for (int p = 0; p < RCITY_GLB_PARTS; p++) {
        rcity_glb_part *part = &layout->parts[p];
        for (int i = 0; i < 3; i++) {
            part->low[i] = HUGE_VALF;
            part->high[i] = -HUGE_VALF;
        }
        part->value_low = HUGE_VALF;
        part->value_high = -HUGE_VALF;
    }
    for (int64_t i = 0; i < layout->tile_count; i++) {
        RCITY_TRY(measure_tile(context, layout, &rcity_surfaces_tiles(surfaces)[i], i));
    }
    for (int p = 1; p < RCITY_GLB_PARTS; p++) {
        layout->parts[p].tile_first = layout->parts[p - 1].tile_first + layout->parts[p - 1].tile_count;
    }
    return RCITY_OK;
}

int64_t rcity_glb_view_tile_bytes(rcity_glb_view view)
{
    switch (view) {
    case RCITY_GLB_POSITION:
    case RCITY_GLB_NORMAL:
        return RCITY_GLB_CORNERS * 3 * 4;
    case RCITY_GLB_COLOUR:
        return RCITY_GLB_CORNERS * 4 * 2;
    case RCITY_GLB_VALUE:
        return RCITY_GLB_CORNERS * 4;
    case RCITY_GLB_INDEX:
        return RCITY_GLB_INDICES * 4;
    case RCITY_GLB_VIEW_COUNT:
        break;
    }
    return 0;
}

int64_t rcity_glb_view_tile_count(const rcity_glb_layout *layout, rcity_glb_view view)
{
    return view == RCITY_GLB_COLOUR || view == RCITY_GLB_VALUE ? layout->valued_count : layout->tile_count;
}

int64_t rcity_glb_view_first(const rcity_glb_layout *layout, rcity_glb_view view)
{
    int64_t first = 0;
    for (int v = 0; v < (int)view; v++) {
        first += rcity_glb_view_tile_count(layout, (rcity_glb_view)v) * rcity_glb_view_tile_bytes((rcity_glb_view)v);
    }
    return first;
}

int64_t rcity_glb_buffer_bytes(const rcity_glb_layout *layout)
{
    return rcity_glb_view_first(layout, RCITY_GLB_VIEW_COUNT);
}
