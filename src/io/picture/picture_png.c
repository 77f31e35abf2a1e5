/* PNG bytes in memory. The notes of the map or the paths are stored as text chunks, so that a picture says how it was
   made even when it is renamed. */
#include <stdio.h>
#include <string.h>

#include "io/globe/png.h"
#include "io/picture/picture_data.h"
#include "io/picture/surfaces/picture_surfaces.h"

#define SIGNATURE_AND_HEADER_BYTES 33 /* the signature and the IHDR chunk, which must come first */
#define KEYWORD_BYTES              80 /* PNG: at most 79 and a zero */

/* A growing array of bytes. */
typedef struct byte_block {
    rcity_context *context;
    rcity_status status;
    unsigned char *data;
    size_t count, capacity;
} byte_block;

static bool make_room(byte_block *block, size_t bytes)
{
    if (block->status == RCITY_OK) {
        block->status =
            rcity_reserve(block->context, block->count + bytes, 1, &block->capacity, "a picture", &block->data);
    }
    return block->status == RCITY_OK;
}

static void append(byte_block *block, const void *data, size_t bytes)
{
    if (make_room(block, bytes)) {
        memcpy(block->data + block->count, data, bytes);
        block->count += bytes;
    }
}

/* One iTXt chunk: keyword, no compression, no language, UTF-8 text. */
static void append_text_chunk(byte_block *block, const char *key, const char *value)
{
    byte_block chunk = {.context = block->context, .status = RCITY_OK};
    static const char plain[4] = {0, 0, 0, 0};
    char keyword[KEYWORD_BYTES];
    snprintf(keyword, sizeof keyword, "radiocity %s", key);
    append(&chunk, keyword, strlen(keyword) + 1);
    append(&chunk, plain, sizeof plain);
    append(&chunk, value, strlen(value));
    block->status = block->status == RCITY_OK ? chunk.status : block->status;
    if (make_room(block, chunk.count + RCITY_PNG_FRAME_BYTES)) {
        rcity_png_put_chunk(block->data + block->count, "iTXt", chunk.data, (uint32_t)chunk.count);
        block->count += chunk.count + RCITY_PNG_FRAME_BYTES;
    }
    rcity_release(block->context, chunk.data);
}

static void append_notes(byte_block *block, const rcity_picture *picture)
{
    const char *key = NULL;
    const char *value = NULL;
    for (int i = 0;
         picture->surfaces != NULL && rcity_surfaces_get_note(picture->surfaces->surfaces, i, &key, &value) == RCITY_OK;
         i++) {
        append_text_chunk(block, key, value);
    }
    if (picture->surfaces != NULL) {
        append_text_chunk(block, "band", picture->surfaces->paint.has_band ? picture->band.name : "");
        return;
    }
    append_text_chunk(block, "scene", picture->shapes->hash);
    if (rcity_picture_is_scene_alone(picture)) {
        append_text_chunk(block, "version", rcity_version());
        return;
    }
    for (int i = 0; picture->rays != NULL && rcity_rays_get_note(picture->rays->rays, i, &key, &value) == RCITY_OK;
         i++) {
        append_text_chunk(block, key, value);
    }
    if (picture->map == NULL) {
        return;
    }
    append_text_chunk(block, "band", picture->band.name);
    for (int i = 0; rcity_map_get_note(picture->map, i, &key, &value) == RCITY_OK; i++) {
        append_text_chunk(block, key, value);
    }
}

/* The bytes that cairo writes, with the notes inserted after the header. */
typedef struct png_stream {
    byte_block block;
    const rcity_picture *picture;
    bool has_notes;
} png_stream;

static cairo_status_t take_bytes(void *user, const unsigned char *data, unsigned int bytes)
{
    png_stream *stream = user;
    byte_block *block = &stream->block;
    size_t taken = 0;
    if (!stream->has_notes && block->count + bytes >= SIGNATURE_AND_HEADER_BYTES) {
        taken = SIGNATURE_AND_HEADER_BYTES - block->count;
        append(block, data, taken);
        append_notes(block, stream->picture);
        stream->has_notes = true;
    }
    append(block, data + taken, bytes - taken);
    if (block->status == RCITY_OK) {
        block->status = rcity_picture_report(stream->picture, 0.0); /* the number of bytes is not known */
    }
    return block->status == RCITY_OK ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

rcity_status rcity_picture_encode(rcity_picture *picture, unsigned char **png, size_t *bytes)
{
    png_stream stream = {.block = {.context = picture->context, .status = RCITY_OK}, .picture = picture};
    cairo_status_t written = cairo_surface_write_to_png_stream(picture->surface, take_bytes, &stream);
    rcity_status status = stream.block.status;
    if (status == RCITY_OK && written != CAIRO_STATUS_SUCCESS) {
        status = rcity_fail(picture->context, written == CAIRO_STATUS_NO_MEMORY ? RCITY_ERR_MEMORY : RCITY_ERR_FILE,
                            "cairo cannot encode the picture: %s", cairo_status_to_string(written));
    }
    if (status != RCITY_OK) {
        rcity_release(picture->context, stream.block.data);
        return status;
    }
    *png = stream.block.data;
    *bytes = stream.block.count;
    return RCITY_OK;
}
