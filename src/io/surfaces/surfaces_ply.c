/* Surfaces as PLY (the Stanford polygon format), binary: four vertices and one face a tile. Vertices are in the CRS of
   the scene, in double precision; they have the colour of their tile and the value it stands for, faces have the values
   of all bands. */
#include <stdint.h>

#include "io/surfaces/surface_stream.h"
#include "io/surfaces/surfaces_save.h"
#include "result/surfaces_data.h"
#include "text/number_text.h"

#define CORNERS 4

/* A comment: one line, whatever the text holds. */
static void put_comment(const rcity_text_sink *sink, const char *key, const char *value)
{
    rcity_text_put(sink, "comment ");
    const char *const parts[] = {key, value != NULL ? " " : "", value != NULL ? value : ""};
    for (int i = 0; i < 3; i++) {
        for (const char *letter = parts[i]; *letter != '\0'; letter++) {
            bool is_control = (unsigned char)*letter < 0x20 || *letter == 0x7f;
            sink->put(sink->user, is_control ? " " : letter, 1);
        }
    }
    rcity_text_put(sink, "\n");
}

static void put_number_comment(const rcity_text_sink *sink, const char *format, double a, double b, double c)
{
    char text[160];
    rcity_number_print(text, sizeof text, format, a, b, c);
    put_comment(sink, text, NULL);
}

static void put_notes(const rcity_text_sink *sink, const rcity_surfaces *surfaces, const rcity_surface_paint *paint)
{
    rcity_point tx = rcity_surfaces_transmitter(surfaces);
    const char *key = NULL;
    const char *value = NULL;
    put_number_comment(sink, RCITY_SURFACES_FORMAT " %.0f", RCITY_SURFACES_FORMAT_VERSION, 0.0, 0.0);
    put_comment(sink, "crs", rcity_surfaces_crs(surfaces));
    put_number_comment(sink, "transmitter_m %.10g %.10g %.10g", tx.x_m, tx.y_m, tx.z_m);
    put_number_comment(sink, "frequency_hz %.10g", rcity_surfaces_frequency_hz(surfaces), 0.0, 0.0);
    for (int i = 0; rcity_surfaces_get_note(surfaces, i, &key, &value) == RCITY_OK; i++) {
        put_comment(sink, key, value);
    }
    if (paint->has_band) {
        put_comment(sink, "colours", paint->band.name);
        put_number_comment(sink, "colours_range %.10g %.10g", paint->values.low, paint->values.high, 0.0);
    }
    put_comment(sink, "kind 0 wall, 1 roof, 2 ground; building_id -1 is the ground", NULL);
}

static void put_property(const rcity_text_sink *sink, const char *type, const char *name)
{
    rcity_text_put(sink, "property ");
    rcity_text_put(sink, type);
    rcity_text_put(sink, " ");
    rcity_text_put(sink, name);
    rcity_text_put(sink, "\n");
}

static void put_element(const rcity_text_sink *sink, const char *name, int64_t count)
{
    char text[80];
    rcity_number_print(text, sizeof text, "element %s %lld\n", name, (long long)count);
    rcity_text_put(sink, text);
}

static void put_colour_properties(const rcity_text_sink *sink)
{
    put_property(sink, "uchar", "red");
    put_property(sink, "uchar", "green");
    put_property(sink, "uchar", "blue");
}

static void put_header(const rcity_text_sink *sink, const rcity_surfaces *surfaces, const rcity_surface_paint *paint)
{
    int64_t count = rcity_surfaces_tile_count(surfaces);
    rcity_text_put(sink, "ply\nformat binary_little_endian 1.0\n");
    put_notes(sink, surfaces, paint);
    put_element(sink, "vertex", CORNERS * count);
    put_property(sink, "double", "x");
    put_property(sink, "double", "y");
    put_property(sink, "double", "z");
    put_colour_properties(sink);
    if (paint->has_band) {
        put_property(sink, "float", paint->band.name);
    }
    put_element(sink, "face", count);
    put_property(sink, "list uchar int", "vertex_indices");
    put_colour_properties(sink);
    put_property(sink, "uchar", "kind");
    put_property(sink, "double", "building_id"); /* the format has no integer of 64 bits */
    rcity_band band;
    for (int i = 0; rcity_surfaces_get_band(surfaces, i, &band) == RCITY_OK; i++) {
        put_property(sink, "float", band.name);
    }
    rcity_text_put(sink, "end_header\n");
}

static void put_colour(rcity_surface_stream *stream, uint32_t rgb)
{
    rcity_surface_stream_u8(stream, rgb >> 16 & 0xff);
    rcity_surface_stream_u8(stream, rgb >> 8 & 0xff);
    rcity_surface_stream_u8(stream, rgb & 0xff);
}

static void put_vertices(rcity_surface_stream *stream, const rcity_surface_paint *paint, const rcity_surface_tile *tile,
                         int64_t tile_index)
{
    double corners_m[CORNERS][3];
    uint32_t rgb = rcity_colour_pack(rcity_surface_paint_colour(paint, tile_index));
    rcity_surface_tile_corners(tile, corners_m);
    for (int k = 0; k < CORNERS; k++) {
        for (int i = 0; i < 3; i++) {
            rcity_surface_stream_f64(stream, corners_m[k][i]);
        }
        put_colour(stream, rgb);
        if (paint->has_band) {
            rcity_surface_stream_f32(stream, paint->band.value[tile_index]);
        }
    }
}

static void put_face(rcity_surface_stream *stream, const rcity_surfaces *surfaces, const rcity_surface_paint *paint,
                     const rcity_surface_tile *tile, int64_t tile_index)
{
    rcity_band band;
    rcity_surface_stream_u8(stream, CORNERS);
    for (int k = 0; k < CORNERS; k++) {
        rcity_surface_stream_u32(stream, (uint32_t)(CORNERS * tile_index + k));
    }
    put_colour(stream, rcity_colour_pack(rcity_surface_paint_colour(paint, tile_index)));
    rcity_surface_stream_u8(stream, (unsigned)tile->kind);
    rcity_surface_stream_f64(stream, (double)tile->building_id);
    for (int i = 0; rcity_surfaces_get_band(surfaces, i, &band) == RCITY_OK; i++) {
        rcity_surface_stream_f32(stream, band.value[tile_index]);
    }
}

rcity_status rcity_surfaces_save_ply(rcity_context *context, const rcity_surfaces *surfaces,
                                     const rcity_surface_paint *paint, const char *path)
{
    const rcity_surface_tile *tiles = rcity_surfaces_tiles(surfaces);
    int64_t count = rcity_surfaces_tile_count(surfaces);
    RCITY_CHECK(context, count <= INT32_MAX / CORNERS, RCITY_ERR_ARGUMENT,
                "'%s' would have %lld tiles, a .ply holds at most %d; write .h5, or larger tiles", path,
                (long long)count, INT32_MAX / CORNERS);
    rcity_surface_stream stream;
    RCITY_TRY(rcity_surface_stream_open(context, path, 2 * count, &stream));
    rcity_text_sink sink = rcity_surface_stream_sink(&stream);
    put_header(&sink, surfaces, paint);
    for (int64_t i = 0; i < count && rcity_surface_stream_step(&stream); i++) {
        put_vertices(&stream, paint, &tiles[i], i);
    }
    for (int64_t i = 0; i < count && rcity_surface_stream_step(&stream); i++) {
        put_face(&stream, surfaces, paint, &tiles[i], i);
    }
    return rcity_surface_stream_close(&stream);
}
