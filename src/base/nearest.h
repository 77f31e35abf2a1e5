/* For each pixel of a raster the nearest one that has something to give: levels inside buildings come from outside,
   heights of voids from around them. */
#ifndef RCITY_BASE_NEAREST_H
#define RCITY_BASE_NEAREST_H

#include "base/base.h"

/* For each pixel of a raster the index (row * column_count + column) of the nearest given pixel by the distance between
   centres of square pixels, the lowest index among equally near ones; a given pixel is its own. -1 where the raster has
   none. `empty` has a bit a pixel, rows of `row_words` words, the first column in the lowest bit; what stands behind
   the last column does not count. The pixels it marks are those to be filled: mark as well what has nothing to give.
   `source` holds a number a pixel; on failure it is untouched. Exact, in time that grows with the number of pixels, the
   same for any number of threads; takes 12 bytes a column and thread besides.
   @return RCITY_ERR_ARGUMENT for more than INT32_MAX pixels, RCITY_ERR_MEMORY. */
rcity_status rcity_nearest_given(rcity_context *context, int32_t column_count, int32_t row_count, size_t row_words,
                                 const uint64_t *empty, int32_t *source);

#endif
