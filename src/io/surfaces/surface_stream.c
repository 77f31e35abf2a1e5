/* Files of surfaces, piece by piece. */
#include "io/surfaces/surface_stream.h"

#include <string.h>

#define BLOCK_BYTES  262144
#define REPORT_STEPS 16384 /* between reports of progress */

rcity_status rcity_surface_stream_open(rcity_context *context, const char *path, int64_t step_count,
                                       rcity_surface_stream *stream)
{
    *stream = (rcity_surface_stream){.context = context, .step_count = step_count};
    RCITY_TRY(rcity_alloc(context, BLOCK_BYTES, 1, "a piece of a file", &stream->block));
    rcity_status status = rcity_new_file_open(context, path, &stream->file);
    if (status != RCITY_OK) {
        rcity_release(context, stream->block);
    }
    return status;
}

static void flush(rcity_surface_stream *stream)
{
    if (stream->status == RCITY_OK) {
        stream->status = rcity_new_file_write(stream->file, stream->block, stream->used);
    }
    stream->used = 0;
}

rcity_status rcity_surface_stream_close(rcity_surface_stream *stream)
{
    flush(stream);
    if (stream->status == RCITY_OK) {
        stream->status = rcity_progress(stream->context, "writing surfaces", 1.0, 1.0);
    }
    if (stream->status == RCITY_OK) {
        stream->status = rcity_new_file_commit(&stream->file);
    }
    rcity_new_file_discard(&stream->file);
    rcity_release(stream->context, stream->block);
    stream->block = NULL;
    return stream->status;
}

void rcity_surface_stream_bytes(rcity_surface_stream *stream, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    stream->byte_count += count;
    while (count > 0 && stream->status == RCITY_OK) {
        if (stream->used == BLOCK_BYTES) {
            flush(stream);
        }
        size_t room = BLOCK_BYTES - stream->used;
        size_t part = count < room ? count : room;
        memcpy(stream->block + stream->used, from, part);
        stream->used += part;
        from += part;
        count -= part;
    }
}

static void put_low_bytes(rcity_surface_stream *stream, uint64_t value, size_t count)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i) & 0xff);
    }
    rcity_surface_stream_bytes(stream, bytes, count);
}

void rcity_surface_stream_u8(rcity_surface_stream *stream, unsigned value)
{
    put_low_bytes(stream, value, 1);
}

void rcity_surface_stream_u16(rcity_surface_stream *stream, unsigned value)
{
    put_low_bytes(stream, value, 2);
}

void rcity_surface_stream_u32(rcity_surface_stream *stream, uint32_t value)
{
    put_low_bytes(stream, value, 4);
}

void rcity_surface_stream_f32(rcity_surface_stream *stream, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_low_bytes(stream, bits, sizeof bits);
}

void rcity_surface_stream_f64(rcity_surface_stream *stream, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_low_bytes(stream, bits, sizeof bits);
}

static void put_text(void *user, const char *bytes, size_t count)
{
    rcity_surface_stream_bytes(user, bytes, count);
}

rcity_text_sink rcity_surface_stream_sink(rcity_surface_stream *stream)
{
    return (rcity_text_sink){put_text, stream};
}

bool rcity_surface_stream_step(rcity_surface_stream *stream)
{
    if (stream->done_count % REPORT_STEPS == 0 && stream->status == RCITY_OK) {
        stream->status =
            rcity_progress(stream->context, "writing surfaces", (double)stream->done_count, (double)stream->step_count);
    }
    stream->done_count++;
    return stream->status == RCITY_OK;
}
