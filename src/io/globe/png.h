/* PNG pictures with transparency, in memory, with zlib only. Pictures with text come from picture/; these are the
   overlays that a viewer shows. */
#ifndef RCITY_IO_GLOBE_PNG_H
#define RCITY_IO_GLOBE_PNG_H

#include "base/base.h"

/* Encode pixels 0xaarrggbb, row by row from the top, colours not multiplied by alpha. `*png` is released with
   rcity_release(). */
rcity_status rcity_png_encode(rcity_context *context, int width, int height, const uint32_t *pixels,
                              unsigned char **png, size_t *bytes);

#define RCITY_PNG_FRAME_BYTES 12 /* of a chunk: length, name, checksum */

/* Put a chunk of a PNG file at `next`, which has room for it and its frame. @return the byte behind it. */
unsigned char *rcity_png_put_chunk(unsigned char *next, const char *name, const unsigned char *data, uint32_t bytes);

#endif
