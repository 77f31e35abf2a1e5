/* For each pixel of a raster, the nearest pixel with a value: levels inside buildings are taken from outside, heights
   of voids from around them. */
#ifndef RCITY_BASE_NEAREST_H
#define RCITY_BASE_NEAREST_H

#include "base/base.h"

/* For each pixel of a raster the index (row * column_count + column) of the nearest given pixel, by the distance
   between centres of square pixels; the lowest index among equally near ones. A given pixel is its own nearest. -1
   where the raster has none. `empty` has a bit per pixel, rows of `row_words` words, the first column in the lowest
   bit; bits after the last column are ignored. Set bits mark the pixels to be filled; pixels without a value must be
   marked as well. `source` holds a number per pixel; on failure it is untouched. Exact, in linear time, the same for
   any number of threads; needs 12 bytes per column and thread.
   @return RCITY_ERR_ARGUMENT for more than INT32_MAX pixels, RCITY_ERR_MEMORY. */
rcity_status rcity_nearest_given(rcity_context *context, int32_t column_count, int32_t row_count, size_t row_words,
                                 const uint64_t *empty, int32_t *source);

#endif
