/* The layouts on disk, little-endian:

     header   64 bytes: magic "RCITY\r\n\x1a", u32 layout, u32 block count, kind[16], u32 kind version,
              u32 byte order mark, u64 file bytes, u32 CRC-32 of the table, u32 CRC-32 of the header up to here, u64 0

   Layout 1, a file that is written at once:

     table    one entry of 48 bytes for each block: name[16], u64 offset, u64 count, u32 element bytes, u32 CRC-32 of
              the block, u64 0
     blocks   each starts at a multiple of 64; the bytes between are 0

   Layout 2, a file that grows block by block:

     blocks   64 bytes: name[16], u64 count, u32 element bytes, u32 CRC-32 of the block, 28 bytes 0, u32 CRC-32 of these
              64 bytes up to here; then the block, and zeros up to a multiple of 64

   While it grows, its header has 0 blocks and 0 bytes. The carriage return in the magic catches transfers that change
   line ends. */
#ifndef RCITY_STORE_STORE_LAYOUT_H
#define RCITY_STORE_STORE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "store/store.h"

#define RCITY_STORE_LAYOUT_TABLE    1u
#define RCITY_STORE_LAYOUT_GROWING  2u
#define RCITY_STORE_BYTE_ORDER_MARK 0x01020304u
#define RCITY_STORE_ALIGNMENT       64u

static const char rcity_store_magic[8] = {'R', 'C', 'I', 'T', 'Y', '\r', '\n', 0x1a};

typedef struct rcity_store_header {
    char magic[8];
    uint32_t layout;
    uint32_t block_count;
    char kind[RCITY_STORE_NAME_BYTES];
    uint32_t kind_version;
    uint32_t byte_order_mark;
    uint64_t file_bytes;
    uint32_t table_crc;
    uint32_t header_crc;
    uint64_t reserved;
} rcity_store_header;

/* An entry of the table. */
typedef struct rcity_store_entry {
    char name[RCITY_STORE_NAME_BYTES];
    uint64_t offset;
    uint64_t count;
    uint32_t element_bytes;
    uint32_t crc;
    uint64_t reserved;
} rcity_store_entry;

/* What stands before a block of a file that grows. */
typedef struct rcity_store_mark {
    char name[RCITY_STORE_NAME_BYTES];
    uint64_t count;
    uint32_t element_bytes;
    uint32_t crc;
    unsigned char reserved[28];
    uint32_t mark_crc;
} rcity_store_mark;

_Static_assert(sizeof(rcity_store_header) == 64, "the header is 64 bytes on disk");
_Static_assert(sizeof(rcity_store_entry) == 48, "a table entry is 48 bytes on disk");
_Static_assert(sizeof(rcity_store_mark) == 64, "a mark is 64 bytes on disk");

static inline uint32_t rcity_store_crc(const void *data, uint64_t bytes)
{
    uLong crc = crc32_z(0L, Z_NULL, 0);
    return (uint32_t)crc32_z(crc, data, (z_size_t)bytes);
}

static inline uint32_t rcity_store_header_crc(const rcity_store_header *header)
{
    return rcity_store_crc(header, offsetof(rcity_store_header, header_crc));
}

static inline uint32_t rcity_store_mark_crc(const rcity_store_mark *mark)
{
    return rcity_store_crc(mark, offsetof(rcity_store_mark, mark_crc));
}

static inline uint64_t rcity_store_align(uint64_t offset)
{
    return (offset + RCITY_STORE_ALIGNMENT - 1) / RCITY_STORE_ALIGNMENT * RCITY_STORE_ALIGNMENT;
}

/* A header of a kind; its counts and its checksum are still to be set. */
rcity_store_header rcity_store_header_make(uint32_t layout, const char *kind, uint32_t version);

/* The block of a growing file that starts with its mark at `offset`; where the next one starts in `*next`. False when
   it does not fit into the bytes, or, unless checksums are trusted, its mark is damaged. */
bool rcity_store_entry_find(const unsigned char *bytes, uint64_t byte_count, uint64_t offset, bool trust_checksums,
                            rcity_store_entry *entry, uint64_t *next);

/* Is a block, with the zeros that follow it, as its checksum says? */
bool rcity_store_entry_is_whole(const unsigned char *bytes, uint64_t byte_count, const rcity_store_entry *entry);

/* Map a file to be read; `*bytes` is its size. */
rcity_status rcity_store_map(rcity_context *context, const char *path, void **map, size_t *bytes);

#endif
