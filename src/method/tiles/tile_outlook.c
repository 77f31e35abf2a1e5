/* What a tile sees, array by array. */
#include "method/tiles/tile_outlook.h"

#include <string.h>

#include "method/tiles/tile_scan.h"

rcity_status rcity_tile_outlook_init(rcity_context *context, const rcity_tiles_prepared *prepared,
                                     rcity_tile_outlook *outlook)
{
    rcity_status status;
    size_t room = 2 * (size_t)rcity_tile_scan_room(prepared); /* the longest row of both kinds */
    memset(outlook, 0, sizeof *outlook);
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *outlook->target, "scattering", &outlook->target));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *outlook->u_high, "scattering", &outlook->u_high));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *outlook->u_low, "scattering", &outlook->u_low));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *outlook->v_high, "scattering", &outlook->v_high));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *outlook->v_low, "scattering", &outlook->v_low));
    RCITY_TRY_DONE(rcity_alloc(context, room, sizeof *outlook->flags, "scattering", &outlook->flags));
done:
    if (status != RCITY_OK) {
        rcity_tile_outlook_deinit(context, outlook);
    }
    return status;
}

void rcity_tile_outlook_deinit(rcity_context *context, rcity_tile_outlook *outlook)
{
    rcity_release(context, outlook->flags);
    rcity_release(context, outlook->v_low);
    rcity_release(context, outlook->v_high);
    rcity_release(context, outlook->u_low);
    rcity_release(context, outlook->u_high);
    rcity_release(context, outlook->target);
    memset(outlook, 0, sizeof *outlook);
}

/* Tiles of one chunk, from entry `at` on. */
RCITY_WIDE static void view_tiles(const rcity_tile_outlook *outlook, int32_t at, const uint16_t *column, int32_t count,
                                  const float *x, const float *y, const float *z)
{
    const rcity_tile_frame frame = outlook->frame;
    float *u_high = outlook->u_high + at;
    float *u_low = outlook->u_low + at;
    float *v_high = outlook->v_high + at;
    float *v_low = outlook->v_low + at;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = column[i];
        rcity_tile_view view = rcity_tile_view_make(&frame, 1.0f, x[k], y[k], z[k]);
        u_high[i] = view.u_high;
        u_low[i] = view.u_low;
        v_high[i] = view.v_high;
        v_low[i] = view.v_low;
    }
}

static void view_receiver(rcity_tile_outlook *outlook, int32_t i, const float *at)
{
    rcity_tile_view view = rcity_tile_view_make(&outlook->frame, 1.0f, at[0], at[1], at[2]);
    outlook->u_high[i] = view.u_high;
    outlook->u_low[i] = view.u_low;
    outlook->v_high[i] = view.v_high;
    outlook->v_low[i] = view.v_low;
}

void rcity_tile_outlook_fill(rcity_tile_outlook *outlook, const rcity_tiles_prepared *prepared, int32_t tile)
{
    const rcity_tile_matrix *matrix = prepared->matrix;
    const rcity_tile_views *views = &prepared->views;
    const uint16_t *column = matrix->column + matrix->row_first[tile];
    const uint32_t *end = matrix->chunk_end + (size_t)tile * (size_t)matrix->chunk_count;
    int32_t made = 0;
    outlook->frame = rcity_tile_frame_make(prepared->tiling.tiles[tile]);
    for (int32_t chunk = 0; chunk < matrix->chunk_count; chunk++) {
        int32_t base = chunk * RCITY_TILE_CHUNK;
        view_tiles(outlook, made, column + made, (int32_t)end[chunk] - made, prepared->centre_x + base,
                   prepared->centre_y + base, prepared->centre_z + base);
        for (; made < (int32_t)end[chunk]; made++) {
            outlook->target[made] = base + column[made];
        }
    }
    outlook->tile_count = made;
    for (uint64_t i = views->row_first[tile]; i < views->row_first[tile + 1]; i++) {
        int32_t receiver = views->receiver[i];
        if (!rcity_tile_view_is_beside(receiver)) {
            view_receiver(outlook, made, &prepared->receivers.xyz_m[3 * (int64_t)receiver]);
            outlook->target[made++] = matrix->tile_count + receiver;
        }
    }
    outlook->count = made;
}

/* rcity_tile_view_passes() for many places. */
RCITY_WIDE static void meet(const rcity_tile_outlook *outlook, rcity_tile_view source, int32_t begin, int32_t end)
{
    const float *u_high = outlook->u_high;
    const float *u_low = outlook->u_low;
    const float *v_high = outlook->v_high;
    const float *v_low = outlook->v_low;
    uint8_t *flags = outlook->flags;
    for (int32_t i = begin; i < end; i++) {
        rcity_tile_view place = {u_high[i], u_low[i], v_high[i], v_low[i]};
        flags[i] = (uint8_t)rcity_tile_view_passes(source, place);
    }
}

void rcity_tile_outlook_meet(const rcity_tile_outlook *outlook, rcity_tile_view source, int32_t begin, int32_t end)
{
    meet(outlook, source, begin, end);
}

int32_t rcity_tile_outlook_next(const rcity_tile_outlook *outlook, int32_t i, int32_t end)
{
    uint64_t word = 0;
    while (i + (int32_t)sizeof word <= end) { /* most are 0 */
        memcpy(&word, outlook->flags + i, sizeof word);
        if (word != 0) {
            break;
        }
        i += (int32_t)sizeof word;
    }
    while (i < end && outlook->flags[i] == 0) {
        i++;
    }
    return i;
}
