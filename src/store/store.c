/* The layout on disk, little-endian:

     header   64 bytes: magic "RCITY\r\n\x1a", u32 layout, u32 block count, kind[16], u32 kind version,
              u32 byte order mark, u64 file bytes, u32 CRC-32 of the table, u32 CRC-32 of the header up to here, u64 0
     table    one entry of 48 bytes for each block: name[16], u64 offset, u64 count, u32 element bytes, u32 CRC-32 of
              the block, u64 0
     blocks   each starts at a multiple of 64; the bytes between are 0

   The carriage return in the magic catches transfers that change line ends. */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"

#define LAYOUT_VERSION  1u
#define BYTE_ORDER_MARK 0x01020304u
#define ALIGNMENT       64u

static const char magic[8] = {'R', 'C', 'I', 'T', 'Y', '\r', '\n', 0x1a};

typedef struct store_header {
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
} store_header;

typedef struct store_entry {
    char name[RCITY_STORE_NAME_BYTES];
    uint64_t offset;
    uint64_t count;
    uint32_t element_bytes;
    uint32_t crc;
    uint64_t reserved;
} store_entry;

_Static_assert(sizeof(store_header) == 64, "the header is 64 bytes on disk");
_Static_assert(sizeof(store_entry) == 48, "a table entry is 48 bytes on disk");

struct rcity_store {
    rcity_context *context;
    char *path;
    const unsigned char *bytes;
    size_t byte_count;
    void *map; /* NULL when the bytes are borrowed */
    store_header header;
    const unsigned char *table;
};

static uint32_t crc_of(const void *data, uint64_t bytes)
{
    uLong crc = crc32_z(0L, Z_NULL, 0);
    return (uint32_t)crc32_z(crc, data, (z_size_t)bytes);
}

static uint32_t header_crc_of(const store_header *header)
{
    return crc_of(header, offsetof(store_header, header_crc));
}

static uint64_t align_up(uint64_t offset)
{
    return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void lay_out(const rcity_store_block *blocks, int block_count, store_entry *entries, store_header *header)
{
    uint64_t offset = sizeof *header + (uint64_t)block_count * sizeof *entries;
    for (int i = 0; i < block_count; i++) {
        uint64_t bytes = blocks[i].count * blocks[i].element_bytes;
        offset = align_up(offset);
        strncpy(entries[i].name, blocks[i].name, sizeof entries[i].name - 1);
        entries[i].offset = offset;
        entries[i].count = blocks[i].count;
        entries[i].element_bytes = blocks[i].element_bytes;
        entries[i].crc = crc_of(blocks[i].data, bytes);
        offset += bytes;
    }
    header->file_bytes = offset;
    header->table_crc = crc_of(entries, (uint64_t)block_count * sizeof *entries);
    header->header_crc = header_crc_of(header);
}

static rcity_status write_all(rcity_new_file *file, const store_header *header, const store_entry *entries,
                              const rcity_store_block *blocks, int block_count)
{
    static const char zeros[ALIGNMENT] = {0};
    RCITY_TRY(rcity_new_file_write(file, header, sizeof *header));
    RCITY_TRY(rcity_new_file_write(file, entries, (size_t)block_count * sizeof *entries));
    uint64_t offset = sizeof *header + (uint64_t)block_count * sizeof *entries;
    for (int i = 0; i < block_count; i++) {
        uint64_t bytes = blocks[i].count * blocks[i].element_bytes;
        RCITY_TRY(rcity_new_file_write(file, zeros, (size_t)(entries[i].offset - offset)));
        RCITY_TRY(rcity_new_file_write(file, blocks[i].data, (size_t)bytes));
        offset = entries[i].offset + bytes;
    }
    return RCITY_OK;
}

rcity_status rcity_store_save(rcity_context *context, const char *path, const char *kind, uint32_t version,
                              const rcity_store_block *blocks, int block_count)
{
    store_entry entries[RCITY_STORE_BLOCK_MAX];
    store_header header;
    memset(entries, 0, sizeof entries);
    memset(&header, 0, sizeof header);
    memcpy(header.magic, magic, sizeof magic);
    header.layout = LAYOUT_VERSION;
    header.block_count = (uint32_t)block_count;
    strncpy(header.kind, kind, sizeof header.kind - 1);
    header.kind_version = version;
    header.byte_order_mark = BYTE_ORDER_MARK;
    lay_out(blocks, block_count, entries, &header);
    rcity_new_file *file = NULL;
    RCITY_TRY(rcity_new_file_open(context, path, &file));
    rcity_status status = write_all(file, &header, entries, blocks, block_count);
    if (status != RCITY_OK) {
        rcity_new_file_discard(&file);
        return status;
    }
    return rcity_new_file_commit(&file);
}

static rcity_status check_header(rcity_store *store, const char *kind, uint32_t version, bool trust_checksums)
{
    rcity_context *context = store->context;
    const char *path = store->path;
    store_header *header = &store->header;
    RCITY_CHECK(context, store->byte_count >= sizeof magic && memcmp(store->bytes, magic, sizeof magic) == 0,
                RCITY_ERR_FORMAT, "'%s' is not a radiocity file; import it, or check the path", path);
    RCITY_CHECK(context, store->byte_count >= sizeof *header, RCITY_ERR_FORMAT,
                "'%s' is truncated to %zu bytes; make or copy it again", path, store->byte_count);
    memcpy(header, store->bytes, sizeof *header);
    RCITY_CHECK(context,
                header->byte_order_mark == BYTE_ORDER_MARK &&
                    (trust_checksums || (header->header_crc == header_crc_of(header) && header->reserved == 0)),
                RCITY_ERR_FORMAT, "the header of '%s' is damaged; make or copy it again", path);
    RCITY_CHECK(context, header->layout == LAYOUT_VERSION, RCITY_ERR_FORMAT,
                "'%s' has file layout %u, this program reads %u; make it again with this version", path, header->layout,
                LAYOUT_VERSION);
    header->kind[sizeof header->kind - 1] = '\0';
    RCITY_CHECK(context, strcmp(header->kind, kind) == 0, RCITY_ERR_FORMAT, "'%s' holds a %s, not a %s", path,
                header->kind, kind);
    RCITY_CHECK(context, header->kind_version == version, RCITY_ERR_FORMAT,
                "'%s' is a %s of version %u, this program reads version %u; make it again with this version", path,
                kind, header->kind_version, version);
    RCITY_CHECK(context, header->file_bytes == store->byte_count, RCITY_ERR_FORMAT,
                "'%s' has %zu bytes and should have %llu; it is truncated or was added to, make or copy it again", path,
                store->byte_count, (unsigned long long)header->file_bytes);
    return RCITY_OK;
}

static store_entry entry_at(const rcity_store *store, uint32_t index)
{
    store_entry entry;
    memcpy(&entry, store->table + index * sizeof entry, sizeof entry);
    entry.name[sizeof entry.name - 1] = '\0';
    return entry;
}

/* No checksum covers the padding before the next block, so it is checked to be zeros. */
static bool is_filled_with_zeros(const rcity_store *store, uint64_t offset)
{
    for (; offset % ALIGNMENT != 0 && offset < store->byte_count; offset++) {
        if (store->bytes[offset] != 0) {
            return false;
        }
    }
    return true;
}

static rcity_status check_table(rcity_store *store, bool trust_checksums)
{
    rcity_context *context = store->context;
    const store_header *header = &store->header;
    uint64_t table_bytes = (uint64_t)header->block_count * sizeof(store_entry);
    RCITY_CHECK(context,
                header->block_count <= RCITY_STORE_BLOCK_MAX && table_bytes <= store->byte_count - sizeof *header,
                RCITY_ERR_FORMAT, "the table of '%s' has %u entries, more than fit; make or copy it again", store->path,
                header->block_count);
    store->table = store->bytes + sizeof *header;
    RCITY_CHECK(context,
                trust_checksums || (crc_of(store->table, table_bytes) == header->table_crc &&
                                    is_filled_with_zeros(store, sizeof *header + table_bytes)),
                RCITY_ERR_FORMAT, "the table of '%s' is damaged; make or copy it again", store->path);
    for (uint32_t i = 0; i < header->block_count; i++) {
        store_entry entry = entry_at(store, i);
        bool fits = entry.offset % ALIGNMENT == 0 && entry.offset <= store->byte_count && entry.element_bytes > 0 &&
                    entry.count <= (store->byte_count - entry.offset) / entry.element_bytes;
        RCITY_CHECK(context, fits, RCITY_ERR_FORMAT, "block '%s' of '%s' lies outside the file; make or copy it again",
                    entry.name, store->path);
        RCITY_CHECK(context,
                    trust_checksums ||
                        (crc_of(store->bytes + entry.offset, entry.count * entry.element_bytes) == entry.crc &&
                         is_filled_with_zeros(store, entry.offset + entry.count * entry.element_bytes)),
                    RCITY_ERR_FORMAT, "block '%s' of '%s' is damaged (checksum); make or copy it again", entry.name,
                    store->path);
    }
    return RCITY_OK;
}

rcity_status rcity_store_open_bytes(rcity_context *context, const char *name, const void *bytes, size_t byte_count,
                                    const char *kind, uint32_t version, bool trust_checksums, rcity_store **store)
{
    rcity_store *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "a file", &made));
    made->context = context;
    made->bytes = bytes;
    made->byte_count = byte_count;
    RCITY_TRY_DONE(rcity_copy_text(context, name, &made->path));
    RCITY_TRY_DONE(check_header(made, kind, version, trust_checksums));
    RCITY_TRY_DONE(check_table(made, trust_checksums));
    *store = made;
    made = NULL;
done:
    rcity_store_close(&made);
    return status;
}

static rcity_status map_file(rcity_context *context, const char *path, void **map, size_t *bytes)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe must not block */
    RCITY_CHECK(context, descriptor >= 0, RCITY_ERR_FILE, "cannot read '%s': %s; check the path", path,
                strerror(errno));
    struct stat found;
    rcity_status status = RCITY_OK;
    if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) {
        status = rcity_fail(context, RCITY_ERR_FILE, "'%s' is not a plain file; give the path of one", path);
    } else if (found.st_size == 0) {
        status = rcity_fail(context, RCITY_ERR_FORMAT, "'%s' is empty; make or copy it again", path);
    } else {
        *bytes = (size_t)found.st_size;
        *map = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (*map == MAP_FAILED) {
            status = rcity_fail(context, RCITY_ERR_FILE, "cannot map '%s': %s", path, strerror(errno));
        }
    }
    close(descriptor);
    return status;
}

rcity_status rcity_store_open(rcity_context *context, const char *path, const char *kind, uint32_t version,
                              rcity_store **store)
{
    void *map = NULL;
    size_t bytes = 0;
    RCITY_TRY(map_file(context, path, &map, &bytes));
    rcity_store *made = NULL;
    rcity_status status = rcity_store_open_bytes(context, path, map, bytes, kind, version, false, &made);
    if (status != RCITY_OK) {
        munmap(map, bytes);
        return status;
    }
    made->map = map;
    *store = made;
    return RCITY_OK;
}

void rcity_store_close(rcity_store **store)
{
    rcity_store *ended = *store;
    if (ended == NULL) {
        return;
    }
    if (ended->map != NULL) {
        munmap(ended->map, ended->byte_count);
    }
    rcity_context *context = ended->context;
    rcity_release(context, ended->path);
    rcity_release(context, ended);
    *store = NULL;
}

rcity_status rcity_store_get(const rcity_store *store, const char *name, uint32_t element_bytes, const void **data,
                             uint64_t *count)
{
    for (uint32_t i = 0; i < store->header.block_count; i++) {
        store_entry entry = entry_at(store, i);
        if (strcmp(entry.name, name) == 0) {
            RCITY_CHECK(store->context, entry.element_bytes == element_bytes, RCITY_ERR_FORMAT,
                        "block '%s' of '%s' has elements of %u bytes, expected %u", name, store->path,
                        entry.element_bytes, element_bytes);
            *data = store->bytes + entry.offset;
            *count = entry.count;
            return RCITY_OK;
        }
    }
    return rcity_fail(store->context, RCITY_ERR_FORMAT, "'%s' has no block '%s'; make it again", store->path, name);
}
