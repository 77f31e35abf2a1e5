/* Compresses bytes with zlib, whose memory is counted too. */
#ifndef RCITY_IO_GLOBE_DEFLATE_H
#define RCITY_IO_GLOBE_DEFLATE_H

#include "base/base.h"

/* `is_raw` leaves out zlib's own header and checksum, as zip requires. `*packed` is released with rcity_release().
   @return RCITY_ERR_ARGUMENT for 4 GB or more, RCITY_ERR_MEMORY. */
rcity_status rcity_deflate(rcity_context *context, const void *data, size_t bytes, bool is_raw, unsigned char **packed,
                           size_t *packed_bytes);

#endif
