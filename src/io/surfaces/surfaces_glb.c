/* Surfaces as binary glTF 2.0 (GLB): two triangles a tile, for 3-D viewers. The value of the chosen band is a colour, and
   a number in the attribute _VALUE. */
#include <math.h>
#include <stdint.h>

#include "io/surfaces/glb_json.h"
#include "io/surfaces/surface_stream.h"
#include "result/surfaces_data.h"

#define GLB_MAGIC    0x46546c67u /* "glTF" */
#define GLB_VERSION  2u
#define JSON_CHUNK   0x4e4f534au /* "JSON" */
#define BINARY_CHUNK 0x004e4942u /* "BIN" */
#define HEADER_BYTES 12
#define CHUNK_BYTES  8 /* its length and kind */
#define ALIGNMENT    4

static void put_positions(rcity_surface_stream *stream, const rcity_glb_layout *layout, const rcity_surface_tile *tile)
{
    float corners[RCITY_GLB_CORNERS][3];
    rcity_glb_corners(layout, tile, corners);
    for (int k = 0; k < RCITY_GLB_CORNERS; k++) {
        for (int i = 0; i < 3; i++) {
            rcity_surface_stream_f32(stream, corners[k][i]);
        }
    }
}

/* Of length 1 within the rounding of floats; x east, y up, z south. */
static void put_normals(rcity_surface_stream *stream, const rcity_surface_tile *tile)
{
    const double x = (double)tile->normal[0];
    const double y = (double)tile->normal[1];
    const double z = (double)tile->normal[2];
    double length = sqrt(x * x + y * y + z * z);
    length = length > 0.0 ? length : 1.0;
    for (int k = 0; k < RCITY_GLB_CORNERS; k++) {
        rcity_surface_stream_f32(stream, (float)(x / length));
        rcity_surface_stream_f32(stream, (float)(z / length));
        rcity_surface_stream_f32(stream, (float)(-y / length));
    }
}

static unsigned to_short(double part)
{
    return (unsigned)(65535.0 * rcity_glb_linear(part) + 0.5);
}

static void put_colours(rcity_surface_stream *stream, const rcity_glb_layout *layout, int64_t tile_index)
{
    rcity_colour colour = rcity_surface_paint_colour(layout->paint, tile_index);
    for (int k = 0; k < RCITY_GLB_CORNERS; k++) {
        rcity_surface_stream_u16(stream, to_short(colour.red));
        rcity_surface_stream_u16(stream, to_short(colour.green));
        rcity_surface_stream_u16(stream, to_short(colour.blue));
        rcity_surface_stream_u16(stream, 65535u);
    }
}

static void put_values(rcity_surface_stream *stream, const rcity_glb_layout *layout, int64_t tile_index)
{
    for (int k = 0; k < RCITY_GLB_CORNERS; k++) {
        rcity_surface_stream_f32(stream, layout->paint->band.value[tile_index]);
    }
}

/* Two triangles, counter-clockwise seen from the air; vertices count from 0 in each part. */
static void put_indices(rcity_surface_stream *stream, int64_t tile_in_part)
{
    static const uint32_t corner[RCITY_GLB_INDICES] = {0, 1, 2, 0, 2, 3};
    for (int k = 0; k < RCITY_GLB_INDICES; k++) {
        rcity_surface_stream_u32(stream, (uint32_t)(RCITY_GLB_CORNERS * tile_in_part) + corner[k]);
    }
}

/* All tiles of a part in one block. */
static void put_part(rcity_surface_stream *stream, const rcity_glb_layout *layout, rcity_glb_view view, int part)
{
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(layout->surfaces);
    int64_t done = 0;
    for (int64_t i = 0; done < layout->parts[part].tile_count; i++) {
        if (rcity_glb_part_of(layout, &tiles[i], i) != part) {
            continue;
        }
        if (!rcity_surface_stream_step(stream)) {
            return;
        }
        switch (view) {
        case RCITY_GLB_POSITION:
            put_positions(stream, layout, &tiles[i]);
            break;
        case RCITY_GLB_NORMAL:
            put_normals(stream, &tiles[i]);
            break;
        case RCITY_GLB_COLOUR:
            put_colours(stream, layout, i);
            break;
        case RCITY_GLB_VALUE:
            put_values(stream, layout, i);
            break;
        case RCITY_GLB_INDEX:
            put_indices(stream, done);
            break;
        case RCITY_GLB_VIEW_COUNT:
            break;
        }
        done++;
    }
}

static void put_buffer(rcity_surface_stream *stream, const rcity_glb_layout *layout)
{
    rcity_surface_stream_u32(stream, (uint32_t)rcity_glb_buffer_bytes(layout));
    rcity_surface_stream_u32(stream, BINARY_CHUNK);
    for (int view = 0; view < RCITY_GLB_VIEW_COUNT; view++) {
        bool is_of_values = view == RCITY_GLB_COLOUR || view == RCITY_GLB_VALUE;
        int part_count = is_of_values ? RCITY_GLB_WITHOUT_VALUE : RCITY_GLB_PARTS;
        for (int part = 0; part < part_count; part++) {
            put_part(stream, layout, (rcity_glb_view)view, part);
        }
    }
}

/* JSON in a chunk of whole words, filled up with spaces. */
static void put_json(rcity_surface_stream *stream, const rcity_text_block *text, size_t padded)
{
    rcity_surface_stream_u32(stream, (uint32_t)padded);
    rcity_surface_stream_u32(stream, JSON_CHUNK);
    rcity_surface_stream_bytes(stream, text->text, text->length);
    for (size_t i = text->length; i < padded; i++) {
        rcity_surface_stream_u8(stream, ' ');
    }
}

static rcity_status write_file(rcity_context *context, const rcity_glb_layout *layout, const rcity_text_block *text,
                               const char *path)
{
    size_t padded = (text->length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    int64_t buffer_bytes = rcity_glb_buffer_bytes(layout);
    int64_t total = HEADER_BYTES + CHUNK_BYTES + (int64_t)padded + (buffer_bytes > 0 ? CHUNK_BYTES + buffer_bytes : 0);
    RCITY_CHECK(context, total <= UINT32_MAX, RCITY_ERR_ARGUMENT,
                "'%s' would have %lld tiles and %.3g bytes, a .glb holds at most %.3g; write .h5, or larger tiles",
                path, (long long)layout->tile_count, (double)total, (double)UINT32_MAX);
    rcity_surface_stream stream;
    int64_t step_count = 0;
    for (int view = 0; view < RCITY_GLB_VIEW_COUNT; view++) {
        step_count += rcity_glb_view_tile_count(layout, (rcity_glb_view)view);
    }
    RCITY_TRY(rcity_surface_stream_open(context, path, step_count, &stream));
    rcity_surface_stream_u32(&stream, GLB_MAGIC);
    rcity_surface_stream_u32(&stream, GLB_VERSION);
    rcity_surface_stream_u32(&stream, (uint32_t)total);
    put_json(&stream, text, padded);
    if (buffer_bytes > 0) {
        put_buffer(&stream, layout);
    }
    return rcity_surface_stream_close(&stream);
}

rcity_status rcity_surfaces_save_glb(rcity_context *context, const rcity_surfaces *surfaces,
                                     const rcity_surface_paint *paint, const char *path)
{
    rcity_glb_layout layout;
    rcity_text_block text;
    rcity_status status;
    RCITY_TRY(rcity_glb_layout_init(context, surfaces, paint, &layout));
    rcity_text_block_init(context, &text);
    rcity_glb_put_json(&layout, &text);
    RCITY_TRY_DONE(text.status);
    status = write_file(context, &layout, &text, path);
done:
    rcity_text_block_deinit(&text);
    return status;
}
