#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
/* Reading files of blocks. */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parallel.h"
#include "store/store_layout.h"

struct rcity_store {
    rcity_context *context;
    char *path;
    const unsigned char *bytes;
    size_t byte_count;
    void *map; /* of the file, or pages it was read into; NULL when the bytes are borrowed */
    rcity_store_header header;
    rcity_store_entry *entries;
};

static rcity_status check_header(rcity_store *store, const char *kind, uint32_t version, bool trust_checksums)
{
    rcity_context *context = store->context;
    const char *path = store->path;
    rcity_store_header *header = &store->header;
    RCITY_CHECK(context,
                store->byte_count >= sizeof rcity_store_magic &&
                    memcmp(store->bytes, rcity_store_magic, sizeof rcity_store_magic) == 0,
                RCITY_ERR_FORMAT, "'%s' is not a radiocity file; import it, or check the path", path);
    RCITY_CHECK(context, store->byte_count >= sizeof *header, RCITY_ERR_FORMAT,
                "'%s' is truncated to %zu bytes; make or copy it again", path, store->byte_count);
    memcpy(header, store->bytes, sizeof *header);
    RCITY_CHECK(
        context,
        header->byte_order_mark == RCITY_STORE_BYTE_ORDER_MARK &&
            (trust_checksums || (header->header_crc == rcity_store_header_crc(header) && header->reserved == 0)),
        RCITY_ERR_FORMAT, "the header of '%s' is damaged; make or copy it again", path);
    RCITY_CHECK(context, header->layout == RCITY_STORE_LAYOUT_TABLE || header->layout == RCITY_STORE_LAYOUT_GROWING,
                RCITY_ERR_FORMAT,
                "'%s' has file layout %u, this program reads %u and %u; make it again with this version", path,
                header->layout, RCITY_STORE_LAYOUT_TABLE, RCITY_STORE_LAYOUT_GROWING);
    header->kind[sizeof header->kind - 1] = '\0';
    RCITY_CHECK(context, strcmp(header->kind, kind) == 0, RCITY_ERR_FORMAT, "'%s' holds a %s, not a %s", path,
                header->kind, kind);
    RCITY_CHECK(context, header->kind_version == version, RCITY_ERR_FORMAT,
                "'%s' is a %s of version %u, this program reads version %u; make it again with this version", path,
                kind, header->kind_version, version);
    RCITY_CHECK(context, header->layout != RCITY_STORE_LAYOUT_GROWING || header->file_bytes != 0, RCITY_ERR_FORMAT,
                "'%s' is not finished; run what makes it again", path);
    RCITY_CHECK(context, header->file_bytes == store->byte_count, RCITY_ERR_FORMAT,
                "'%s' has %zu bytes and should have %llu; it is truncated or was added to, make or copy it again", path,
                store->byte_count, (unsigned long long)header->file_bytes);
    return RCITY_OK;
}

/* No checksum covers the padding before the next block, so it is checked to be zeros. */
static bool is_filled_with_zeros(const unsigned char *bytes, uint64_t byte_count, uint64_t offset)
{
    for (; offset % RCITY_STORE_ALIGNMENT != 0 && offset < byte_count; offset++) {
        if (bytes[offset] != 0) {
            return false;
        }
    }
    return true;
}

bool rcity_store_entry_is_whole(const unsigned char *bytes, uint64_t byte_count, const rcity_store_entry *entry)
{
    uint64_t block_bytes = entry->count * entry->element_bytes;
    return rcity_store_crc(bytes + entry->offset, block_bytes) == entry->crc &&
           is_filled_with_zeros(bytes, byte_count, entry->offset + block_bytes);
}

static bool fits(const rcity_store_entry *entry, uint64_t byte_count)
{
    return entry->offset % RCITY_STORE_ALIGNMENT == 0 && entry->offset <= byte_count && entry->element_bytes > 0 &&
           entry->count <= (byte_count - entry->offset) / entry->element_bytes;
}

bool rcity_store_entry_find(const unsigned char *bytes, uint64_t byte_count, uint64_t offset, bool trust_checksums,
                            rcity_store_entry *entry, uint64_t *next)
{
    static const rcity_store_mark none;
    rcity_store_mark mark;
    if (offset > byte_count || byte_count - offset < sizeof mark) {
        return false;
    }
    memcpy(&mark, bytes + offset, sizeof mark);
    if (!trust_checksums && (mark.mark_crc != rcity_store_mark_crc(&mark) ||
                             memcmp(mark.reserved, none.reserved, sizeof none.reserved) != 0)) {
        return false;
    }
    memset(entry, 0, sizeof *entry);
    memcpy(entry->name, mark.name, sizeof entry->name - 1);
    entry->offset = offset + sizeof mark;
    entry->count = mark.count;
    entry->element_bytes = mark.element_bytes;
    entry->crc = mark.crc;
    if (!fits(entry, byte_count)) {
        return false;
    }
    *next = rcity_store_align(entry->offset + entry->count * entry->element_bytes);
    return true;
}

/* The entries of a file with a table. */
static rcity_status read_table(rcity_store *store, bool trust_checksums)
{
    rcity_context *context = store->context;
    const rcity_store_header *header = &store->header;
    uint64_t table_bytes = (uint64_t)header->block_count * sizeof(rcity_store_entry);
    RCITY_CHECK(context,
                header->block_count <= RCITY_STORE_BLOCK_MAX && table_bytes <= store->byte_count - sizeof *header,
                RCITY_ERR_FORMAT, "the table of '%s' has %u entries, more than fit; make or copy it again", store->path,
                header->block_count);
    const unsigned char *table = store->bytes + sizeof *header;
    RCITY_CHECK(context,
                trust_checksums ||
                    (rcity_store_crc(table, table_bytes) == header->table_crc &&
                     is_filled_with_zeros(store->bytes, store->byte_count, sizeof *header + table_bytes)),
                RCITY_ERR_FORMAT, "the table of '%s' is damaged; make or copy it again", store->path);
    RCITY_TRY(rcity_alloc(context, (size_t)header->block_count + 1, sizeof *store->entries, "a file's table",
                          &store->entries));
    for (uint32_t i = 0; i < header->block_count; i++) {
        rcity_store_entry *entry = &store->entries[i];
        memcpy(entry, table + i * sizeof *entry, sizeof *entry);
        entry->name[sizeof entry->name - 1] = '\0';
        RCITY_CHECK(context, fits(entry, store->byte_count), RCITY_ERR_FORMAT,
                    "block '%s' of '%s' lies outside the file; make or copy it again", entry->name, store->path);
    }
    return RCITY_OK;
}

/* The entries of a file that grew block by block. */
static rcity_status read_marks(rcity_store *store, bool trust_checksums)
{
    rcity_context *context = store->context;
    const rcity_store_header *header = &store->header;
    RCITY_CHECK(context, header->block_count <= store->byte_count / sizeof(rcity_store_mark), RCITY_ERR_FORMAT,
                "'%s' has %u blocks, more than fit; make or copy it again", store->path, header->block_count);
    RCITY_TRY(rcity_alloc(context, (size_t)header->block_count + 1, sizeof *store->entries, "a file's table",
                          &store->entries));
    uint64_t next = sizeof *header;
    for (uint32_t i = 0; i < header->block_count; i++) {
        bool is_found =
            rcity_store_entry_find(store->bytes, store->byte_count, next, trust_checksums, &store->entries[i], &next);
        RCITY_CHECK(context, is_found, RCITY_ERR_FORMAT,
                    "the head of block %u of %u of '%s' is damaged; make or copy it again", i + 1, header->block_count,
                    store->path);
    }
    RCITY_CHECK(context, trust_checksums || next == store->byte_count, RCITY_ERR_FORMAT,
                "'%s' goes on behind its last block; make or copy it again", store->path);
    return RCITY_OK;
}

/* Blocks above this size are checked by several threads, a slice each. */
#define SLICE_BYTES ((uint64_t)1 << 22)

static uint64_t entry_bytes(const rcity_store_entry *entry)
{
    return entry->count * entry->element_bytes;
}

/* An rcity_parallel_function: note damaged blocks among the smaller ones. */
static void check_blocks(void *user, int64_t begin, int64_t end, int thread_index)
{
    rcity_store *store = user;
    (void)thread_index;
    for (int64_t i = begin; i < end; i++) {
        rcity_store_entry *entry = &store->entries[i];
        if (entry_bytes(entry) <= SLICE_BYTES) {
            entry->reserved = rcity_store_entry_is_whole(store->bytes, store->byte_count, entry) ? 0 : 1;
        }
    }
}

/* A large block with a checksum for each slice. */
typedef struct sliced_block {
    const unsigned char *bytes;
    uint64_t byte_count;
    uint32_t *crc;
} sliced_block;

static uint64_t slice_bytes(const sliced_block *block, int64_t slice)
{
    uint64_t left = block->byte_count - (uint64_t)slice * SLICE_BYTES;
    return left < SLICE_BYTES ? left : SLICE_BYTES;
}

/* An rcity_parallel_function over slices. */
static void sum_slices(void *user, int64_t begin, int64_t end, int thread_index)
{
    const sliced_block *block = user;
    (void)thread_index;
    for (int64_t slice = begin; slice < end; slice++) {
        block->crc[slice] = rcity_store_crc(block->bytes + (uint64_t)slice * SLICE_BYTES, slice_bytes(block, slice));
    }
}

/* The terrain of a region is hundreds of megabytes in one block. */
static rcity_status check_large_block(rcity_store *store, rcity_store_entry *entry)
{
    sliced_block block = {store->bytes + entry->offset, entry_bytes(entry), NULL};
    int64_t slice_count = (int64_t)((block.byte_count + SLICE_BYTES - 1) / SLICE_BYTES);
    RCITY_TRY(rcity_alloc(store->context, (size_t)slice_count, sizeof *block.crc, "checksums", &block.crc));
    rcity_parallel(store->context, slice_count, 1, sum_slices, &block);
    uLong crc = block.crc[0];
    for (int64_t slice = 1; slice < slice_count; slice++) {
        crc = crc32_combine(crc, block.crc[slice], (z_off_t)slice_bytes(&block, slice));
    }
    rcity_release(store->context, block.crc);
    bool is_whole = (uint32_t)crc == entry->crc &&
                    is_filled_with_zeros(store->bytes, store->byte_count, entry->offset + block.byte_count);
    entry->reserved = is_whole ? 0 : 1;
    return RCITY_OK;
}

static rcity_status check_checksums(rcity_store *store)
{
    rcity_parallel(store->context, store->header.block_count, 1, check_blocks, store);
    for (uint32_t i = 0; i < store->header.block_count; i++) {
        rcity_store_entry *entry = &store->entries[i];
        if (entry_bytes(entry) > SLICE_BYTES) {
            RCITY_TRY(check_large_block(store, entry));
        }
        RCITY_CHECK(store->context, entry->reserved == 0, RCITY_ERR_FORMAT,
                    "block '%s' of '%s' is damaged (checksum); make or copy it again", entry->name, store->path);
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
    RCITY_TRY_DONE(made->header.layout == RCITY_STORE_LAYOUT_TABLE ? read_table(made, trust_checksums)
                                                                   : read_marks(made, trust_checksums));
    if (!trust_checksums) {
        RCITY_TRY_DONE(check_checksums(made));
    }
    *store = made;
    made = NULL;
done:
    rcity_store_close(&made);
    return status;
}

/* Files up to this size are read. A mapped file that somebody makes shorter while it is in use ends the process with a
   signal; a large one is mapped all the same, since of its terrain only parts are touched. */
#define READ_MAX_BYTES ((size_t)1 << 26)

/* The bytes of an open file, in pages of their own. */
static rcity_status read_pages(rcity_context *context, const char *path, int descriptor, size_t bytes, void **pages)
{
    char *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    RCITY_CHECK(context, made != MAP_FAILED, RCITY_ERR_MEMORY, "the machine has no memory left for '%s'", path);
    size_t filled = 0;
    while (filled < bytes) {
        ssize_t got = read(descriptor, made + filled, bytes - filled);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            const char *reason = got < 0 ? strerror(errno) : "it became shorter while it was read; try again";
            munmap(made, bytes);
            return rcity_fail(context, RCITY_ERR_FILE, "cannot read '%s': %s", path, reason);
        }
        filled += got > 0 ? (size_t)got : 0;
    }
    *pages = made;
    return RCITY_OK;
}

rcity_status rcity_store_map(rcity_context *context, const char *path, void **map, size_t *bytes)
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
        if (*bytes <= READ_MAX_BYTES) {
            status = read_pages(context, path, descriptor, *bytes, map);
            close(descriptor);
            return status;
        }
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
    RCITY_TRY(rcity_store_map(context, path, &map, &bytes));
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

bool rcity_store_is_mapped(const rcity_store *store)
{
    return store->map != NULL;
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
    rcity_release(context, ended->entries);
    rcity_release(context, ended->path);
    rcity_release(context, ended);
    *store = NULL;
}

rcity_status rcity_store_get(const rcity_store *store, const char *name, uint32_t element_bytes, const void **data,
                             uint64_t *count)
{
    for (uint32_t i = 0; i < store->header.block_count; i++) {
        const rcity_store_entry *entry = &store->entries[i];
        if (strcmp(entry->name, name) == 0) {
            RCITY_CHECK(store->context, entry->element_bytes == element_bytes, RCITY_ERR_FORMAT,
                        "block '%s' of '%s' has elements of %u bytes, expected %u", name, store->path,
                        entry->element_bytes, element_bytes);
            *data = store->bytes + entry->offset;
            *count = entry->count;
            return RCITY_OK;
        }
    }
    return rcity_fail(store->context, RCITY_ERR_FORMAT, "'%s' has no block '%s'; make it again", store->path, name);
}
