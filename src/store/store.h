/* Files of blocks: written whole or not at all, with checksums, memory-mapped. */
#ifndef RCITY_STORE_STORE_H
#define RCITY_STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

#define RCITY_STORE_NAME_BYTES 16 /* of block and kind names, the terminating 0 included */
#define RCITY_STORE_BLOCK_MAX  64

/* A block to be written. Borrowed until the call returns. */
typedef struct rcity_store_block {
    const char *name;
    const void *data;
    uint64_t count; /* elements */
    uint32_t element_bytes;
} rcity_store_block;

/* Write a file of a kind ("scene") and a version of that kind. */
rcity_status rcity_store_save(rcity_context *context, const char *path, const char *kind, uint32_t version,
                              const rcity_store_block *blocks, int block_count);

/* An open file. */
typedef struct rcity_store rcity_store;

/* Map a file, or read it if it is small, and check it: kind, version, table, and the checksum of every block.
   @return RCITY_ERR_FILE when it cannot be read, RCITY_ERR_FORMAT when it is not such a file, is truncated or damaged,
   or has another kind or version. */
rcity_status rcity_store_open(rcity_context *context, const char *path, const char *kind, uint32_t version,
                              rcity_store **store);

/* The same over bytes in memory, which must outlive the store; for tests and fuzzing. `name` stands for the path. With
   `trust_checksums` checksums are not verified, so that fuzzing reaches the readers of the blocks. */
rcity_status rcity_store_open_bytes(rcity_context *context, const char *name, const void *bytes, size_t byte_count,
                                    const char *kind, uint32_t version, bool trust_checksums, rcity_store **store);

/* Does the store hold the bytes of its file as long as it is open, so that its blocks need no copy? */
bool rcity_store_is_mapped(const rcity_store *store);

void rcity_store_close(rcity_store **store);

/* A block of elements of the given size; fails with RCITY_ERR_FORMAT when it is missing or has another element size.
   `*data` is aligned to 64 bytes; borrowed until the store is closed. */
rcity_status rcity_store_get(const rcity_store *store, const char *name, uint32_t element_bytes, const void **data,
                             uint64_t *count);

#endif
