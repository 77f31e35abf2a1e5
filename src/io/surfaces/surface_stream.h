/* A file of surfaces while it is written, piece by piece. The first failure is kept and all later calls do nothing, so
   that a writer checks once, at its end. Numbers are little-endian. */
#ifndef RCITY_IO_SURFACES_SURFACE_STREAM_H
#define RCITY_IO_SURFACES_SURFACE_STREAM_H

#include "base/file.h"
#include "text/text_sink.h"

typedef struct rcity_surface_stream {
    rcity_context *context;
    rcity_new_file *file;
    rcity_status status;
    unsigned char *block;
    size_t used;
    uint64_t byte_count;            /* put so far */
    int64_t done_count, step_count; /* of progress */
} rcity_surface_stream;

/* Start a file that will be `path`, to be written in so many steps. */
rcity_status rcity_surface_stream_open(rcity_context *context, const char *path, int64_t step_count,
                                       rcity_surface_stream *stream);

/* Write the file whole, or return the first failure and leave none. Ends the stream. */
rcity_status rcity_surface_stream_close(rcity_surface_stream *stream);

void rcity_surface_stream_bytes(rcity_surface_stream *stream, const void *bytes, size_t count);
void rcity_surface_stream_u8(rcity_surface_stream *stream, unsigned value);
void rcity_surface_stream_u16(rcity_surface_stream *stream, unsigned value);
void rcity_surface_stream_u32(rcity_surface_stream *stream, uint32_t value);
void rcity_surface_stream_f32(rcity_surface_stream *stream, float value);
void rcity_surface_stream_f64(rcity_surface_stream *stream, double value);

/* The sink for the writers of src/text. */
rcity_text_sink rcity_surface_stream_sink(rcity_surface_stream *stream);

/* One step, such as a tile, is done: reports progress now and then. @return false to stop. */
bool rcity_surface_stream_step(rcity_surface_stream *stream);

#endif
