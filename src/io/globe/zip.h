/* Zip archives in memory with the features that all readers support: deflate or stored bytes, UTF-8 names, sizes below
   4 GB. Every file is dated 1980-01-01, so that the same files give the same bytes. */
#ifndef RCITY_IO_GLOBE_ZIP_H
#define RCITY_IO_GLOBE_ZIP_H

#include "base/base.h"

typedef struct rcity_zip {
    rcity_context *context;
    unsigned char *bytes; /* the archive so far; released with rcity_zip_deinit() */
    size_t count, capacity;
    unsigned char *directory; /* the central directory, which ends it */
    size_t directory_count, directory_capacity;
    int file_count;
} rcity_zip;

void rcity_zip_init(rcity_context *context, rcity_zip *zip);
void rcity_zip_deinit(rcity_zip *zip);

/* Add a file; it is deflated where that makes it smaller. @return RCITY_ERR_ARGUMENT for an archive of 4 GB or 65535
   files, RCITY_ERR_MEMORY. */
rcity_status rcity_zip_add(rcity_zip *zip, const char *name, const void *data, size_t bytes);

/* Write the central directory; then `bytes` and `count` are a complete archive. */
rcity_status rcity_zip_finish(rcity_zip *zip);

#endif
