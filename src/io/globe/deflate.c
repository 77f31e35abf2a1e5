/* zlib in one call. */
#define ZLIB_CONST
#include "io/globe/deflate.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

static voidpf zlib_allocate(voidpf user, uInt count, uInt size)
{
    void *memory = NULL;
    return rcity_alloc(user, count, size, "compressing", &memory) == RCITY_OK ? memory : NULL;
}

static void zlib_release(voidpf user, voidpf memory)
{
    rcity_release(user, memory);
}

rcity_status rcity_deflate(rcity_context *context, const void *data, size_t bytes, bool is_raw, unsigned char **packed,
                           size_t *packed_bytes)
{
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    stream.zalloc = zlib_allocate;
    stream.zfree = zlib_release;
    stream.opaque = context;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, is_raw ? -MAX_WBITS : MAX_WBITS, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return RCITY_ERR_MEMORY; /* the allocator has set the message */
    }
    unsigned char *made = NULL;
    size_t bound = bytes < UINT_MAX ? deflateBound(&stream, (uLong)bytes) : UINT_MAX;
    rcity_status status = bound < UINT_MAX
                              ? RCITY_OK
                              : rcity_fail(context, RCITY_ERR_ARGUMENT,
                                           "%zu bytes are too many to compress at once; the limit is 4 GB", bytes);
    if (status == RCITY_OK) {
        status = rcity_alloc(context, bound, 1, "compressed bytes", &made);
    }
    if (status == RCITY_OK) {
        stream.next_in = data;
        stream.avail_in = (uInt)bytes;
        stream.next_out = made;
        stream.avail_out = (uInt)bound;
        if (deflate(&stream, Z_FINISH) == Z_STREAM_END) { /* the bound is enough: it ends in one call */
            *packed_bytes = bound - stream.avail_out;
            *packed = made;
            made = NULL;
        } else {
            status = rcity_fail(context, RCITY_ERR_MEMORY, "zlib cannot compress %zu bytes", bytes);
        }
    }
    rcity_release(context, made);
    deflateEnd(&stream);
    return status;
}
