/* SHA-256 (FIPS 180-4), for scene hashes and cache keys. */
#ifndef RCITY_BASE_SHA256_H
#define RCITY_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct rcity_sha256 {
    uint32_t state[8];
    uint64_t byte_count;
    unsigned char block[64];
} rcity_sha256;

void rcity_sha256_init(rcity_sha256 *hash);
void rcity_sha256_add(rcity_sha256 *hash, const void *data, size_t bytes);

/* Finish and write 64 hex digits and a terminator. */
void rcity_sha256_finish(rcity_sha256 *hash, char hex[65]);

#endif
