/* PNG after W3C's "Portable Network Graphics", second edition: signature, IHDR, one IDAT, IEND. */
#include "io/globe/png.h"

#include <string.h>
#include <zlib.h>

#include "io/globe/deflate.h"

#define SIGNATURE_BYTES 8
#define HEADER_BYTES    13

static void put_big_endian(unsigned char *bytes, uint32_t number)
{
    bytes[0] = (unsigned char)(number >> 24);
    bytes[1] = (unsigned char)(number >> 16);
    bytes[2] = (unsigned char)(number >> 8);
    bytes[3] = (unsigned char)number;
}

unsigned char *rcity_png_put_chunk(unsigned char *next, const char *name, const unsigned char *data, uint32_t bytes)
{
    put_big_endian(next, bytes);
    memcpy(next + 4, name, 4);
    if (bytes > 0) {
        memcpy(next + 8, data, bytes);
    }
    put_big_endian(next + 8 + bytes, (uint32_t)crc32(0, next + 4, bytes + 4));
    return next + bytes + RCITY_PNG_FRAME_BYTES;
}

/* Rows in PNG's layout: a filter byte (0, none), then red, green, blue, alpha of each pixel. */
static rcity_status make_rows(rcity_context *context, int width, int height, const uint32_t *pixels,
                              unsigned char **rows, size_t *bytes)
{
    size_t row_bytes = 1 + 4 * (size_t)width;
    RCITY_TRY(rcity_alloc(context, (size_t)height, row_bytes, "the rows of a picture", rows));
    for (int y = 0; y < height; y++) {
        unsigned char *next = *rows + (size_t)y * row_bytes + 1;
        for (int x = 0; x < width; x++) {
            uint32_t pixel = pixels[(size_t)y * (size_t)width + (size_t)x];
            put_big_endian(next, pixel << 8 | pixel >> 24);
            next += 4;
        }
    }
    *bytes = (size_t)height * row_bytes;
    return RCITY_OK;
}

rcity_status rcity_png_encode(rcity_context *context, int width, int height, const uint32_t *pixels,
                              unsigned char **png, size_t *bytes)
{
    static const unsigned char signature[SIGNATURE_BYTES] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char header[HEADER_BYTES] = {0};
    unsigned char *rows = NULL;
    unsigned char *packed = NULL;
    unsigned char *made = NULL;
    size_t row_bytes = 0;
    size_t packed_bytes = 0;
    rcity_status status;
    put_big_endian(header, (uint32_t)width);
    put_big_endian(header + 4, (uint32_t)height);
    header[8] = 8; /* bits of a colour; the rest: true colour with alpha, deflate, usual filters, not interlaced */
    header[9] = 6;
    RCITY_TRY_DONE(make_rows(context, width, height, pixels, &rows, &row_bytes));
    RCITY_TRY_DONE(rcity_deflate(context, rows, row_bytes, false, &packed, &packed_bytes));
    size_t whole = SIGNATURE_BYTES + 3 * RCITY_PNG_FRAME_BYTES + HEADER_BYTES + packed_bytes;
    RCITY_TRY_DONE(rcity_alloc(context, whole, 1, "a picture", &made));
    memcpy(made, signature, SIGNATURE_BYTES);
    unsigned char *next = rcity_png_put_chunk(made + SIGNATURE_BYTES, "IHDR", header, HEADER_BYTES);
    next = rcity_png_put_chunk(next, "IDAT", packed, (uint32_t)packed_bytes);
    (void)rcity_png_put_chunk(next, "IEND", NULL, 0);
    *png = made;
    *bytes = whole;
    made = NULL;
done:
    rcity_release(context, made);
    rcity_release(context, packed);
    rcity_release(context, rows);
    return status;
}
