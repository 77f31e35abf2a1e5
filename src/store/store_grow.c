/* Files that grow block by block. */
#include "store/store_grow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/store_layout.h"

struct rcity_store_grow {
    rcity_context *context;
    char *path, *part_path;
    int descriptor;
    rcity_store_header header;
    rcity_store_entry *entries;
    size_t entry_count, entry_capacity;
    uint64_t byte_count;
    void *map;
    size_t map_bytes;
};

static void unmap(rcity_store_grow *grow)
{
    if (grow->map != NULL) {
        munmap(grow->map, grow->map_bytes);
    }
    grow->map = NULL;
}

static rcity_status fail_part(const rcity_store_grow *grow, const char *act)
{
    return rcity_fail(grow->context, RCITY_ERR_FILE,
                      "cannot %s '%s': %s; choose a folder that is writable and has room", act, grow->part_path,
                      strerror(errno));
}

/* Map what is in the file, if it is not mapped. */
static rcity_status map(rcity_store_grow *grow)
{
    if (grow->map != NULL || grow->byte_count == 0) {
        return RCITY_OK;
    }
    void *mapped = mmap(NULL, (size_t)grow->byte_count, PROT_READ, MAP_SHARED, grow->descriptor, 0);
    if (mapped == MAP_FAILED) {
        return fail_part(grow, "map");
    }
    grow->map = mapped;
    grow->map_bytes = (size_t)grow->byte_count;
    return RCITY_OK;
}

static rcity_status write_at(rcity_store_grow *grow, uint64_t offset, const void *data, uint64_t bytes)
{
    const char *next = data;
    while (bytes > 0) {
        ssize_t written = pwrite(grow->descriptor, next, (size_t)bytes, (off_t)offset);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return fail_part(grow, "write");
        }
        next += written;
        offset += (uint64_t)written;
        bytes -= (uint64_t)written;
    }
    return RCITY_OK;
}

static rcity_status write_header(rcity_store_grow *grow)
{
    grow->header.header_crc = rcity_store_header_crc(&grow->header);
    return write_at(grow, 0, &grow->header, sizeof grow->header);
}

static rcity_status add_entry(rcity_store_grow *grow, const rcity_store_entry *entry)
{
    RCITY_TRY(rcity_reserve(grow->context, grow->entry_count + 1, sizeof *entry, &grow->entry_capacity,
                            "a file's table", &grow->entries));
    grow->entries[grow->entry_count++] = *entry;
    return RCITY_OK;
}

/* Begin anew. */
static rcity_status start(rcity_store_grow *grow)
{
    unmap(grow);
    grow->entry_count = 0;
    grow->byte_count = sizeof grow->header;
    if (ftruncate(grow->descriptor, 0) != 0) {
        return fail_part(grow, "write");
    }
    return write_header(grow);
}

/* Is a file of this kind mapped, finished (but not yet renamed) or not? */
static bool is_ours(const rcity_store_grow *grow)
{
    rcity_store_header found;
    if (grow->byte_count < sizeof found) {
        return false;
    }
    memcpy(&found, grow->map, sizeof found);
    bool is_whole = found.header_crc == rcity_store_header_crc(&found);
    found.block_count = 0;
    found.file_bytes = 0;
    found.header_crc = 0;
    return is_whole && memcmp(&found, &grow->header, sizeof found) == 0;
}

/* Take over the blocks that an earlier run left. */
static rcity_status take_over(rcity_store_grow *grow)
{
    struct stat found;
    if (fstat(grow->descriptor, &found) != 0) {
        return fail_part(grow, "read");
    }
    grow->byte_count = (uint64_t)found.st_size;
    RCITY_TRY(map(grow));
    if (!is_ours(grow)) {
        return start(grow);
    }
    uint64_t offset = sizeof grow->header;
    uint64_t next = 0;
    rcity_store_entry entry;
    while (rcity_store_entry_find(grow->map, grow->byte_count, offset, false, &entry, &next) &&
           next <= grow->byte_count && rcity_store_entry_is_whole(grow->map, grow->byte_count, &entry)) {
        RCITY_TRY(add_entry(grow, &entry));
        offset = next;
    }
    RCITY_TRY(rcity_store_grow_cut(grow, (int64_t)grow->entry_count));
    return write_header(grow);
}

rcity_status rcity_store_grow_open(rcity_context *context, const char *path, const char *kind, uint32_t version,
                                   rcity_store_grow **grow)
{
    struct stat found;
    RCITY_CHECK(context, stat(path, &found) != 0 || S_ISREG(found.st_mode), RCITY_ERR_FILE,
                "'%s' exists and is not a plain file; choose another output path", path);
    rcity_store_grow *made = NULL;
    rcity_status status;
    RCITY_TRY(rcity_alloc(context, 1, sizeof *made, "an output file", &made));
    made->context = context;
    made->descriptor = -1;
    made->header = rcity_store_header_make(RCITY_STORE_LAYOUT_GROWING, kind, version);
    size_t room = strlen(path) + sizeof ".part";
    RCITY_TRY_DONE(rcity_copy_text(context, path, &made->path));
    RCITY_TRY_DONE(rcity_alloc(context, room, 1, "a path", &made->part_path));
    snprintf(made->part_path, room, "%s.part", path);
    made->descriptor = open(made->part_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (made->descriptor < 0) {
        status = fail_part(made, "write");
        goto done;
    }
    if (flock(made->descriptor, LOCK_EX | LOCK_NB) != 0) {
        status = rcity_fail(context, RCITY_ERR_FILE, "'%s' is being written by another process; wait for it",
                            made->part_path);
        goto done;
    }
    RCITY_TRY_DONE(take_over(made));
    *grow = made;
    made = NULL;
done:
    rcity_store_grow_close(&made);
    return status;
}

int64_t rcity_store_grow_count(const rcity_store_grow *grow)
{
    return (int64_t)grow->entry_count;
}

rcity_status rcity_store_grow_get(rcity_store_grow *grow, int64_t index, rcity_store_grown *block)
{
    RCITY_TRY(map(grow));
    const rcity_store_entry *entry = &grow->entries[index];
    memcpy(block->name, entry->name, sizeof block->name);
    block->data = (const char *)grow->map + entry->offset;
    block->count = entry->count;
    block->element_bytes = entry->element_bytes;
    block->offset = entry->offset;
    return RCITY_OK;
}

rcity_status rcity_store_grow_map(rcity_store_grow *grow, const void **bytes)
{
    RCITY_TRY(map(grow));
    *bytes = grow->map;
    return RCITY_OK;
}

rcity_status rcity_store_grow_cut(rcity_store_grow *grow, int64_t count)
{
    unmap(grow);
    grow->entry_count = (size_t)count;
    grow->byte_count = sizeof grow->header;
    if (count > 0) {
        const rcity_store_entry *last = &grow->entries[count - 1];
        grow->byte_count = rcity_store_align(last->offset + last->count * last->element_bytes);
    }
    return ftruncate(grow->descriptor, (off_t)grow->byte_count) == 0 ? RCITY_OK : fail_part(grow, "write");
}

rcity_status rcity_store_grow_append(rcity_store_grow *grow, const rcity_store_block *block)
{
    static const char zeros[RCITY_STORE_ALIGNMENT] = {0};
    uint64_t bytes = block->count * block->element_bytes;
    rcity_store_mark mark;
    memset(&mark, 0, sizeof mark);
    strncpy(mark.name, block->name, sizeof mark.name - 1);
    mark.count = block->count;
    mark.element_bytes = block->element_bytes;
    mark.crc = rcity_store_crc(block->data, bytes);
    mark.mark_crc = rcity_store_mark_crc(&mark);
    rcity_store_entry entry;
    memset(&entry, 0, sizeof entry);
    memcpy(entry.name, mark.name, sizeof entry.name);
    entry.offset = grow->byte_count + sizeof mark;
    entry.count = mark.count;
    entry.element_bytes = mark.element_bytes;
    entry.crc = mark.crc;
    uint64_t end = entry.offset + bytes;
    unmap(grow);
    /* the mark comes last: what it stands before is then whole, whenever the process is killed */
    RCITY_TRY(write_at(grow, entry.offset, block->data, bytes));
    RCITY_TRY(write_at(grow, end, zeros, rcity_store_align(end) - end));
    RCITY_TRY(write_at(grow, grow->byte_count, &mark, sizeof mark));
    RCITY_TRY(add_entry(grow, &entry));
    grow->byte_count = rcity_store_align(end);
    return RCITY_OK;
}

rcity_status rcity_store_grow_commit(rcity_store_grow **grow)
{
    rcity_store_grow *ended = *grow;
    ended->header.block_count = (uint32_t)ended->entry_count;
    ended->header.file_bytes = ended->byte_count;
    rcity_status status = write_header(ended);
    if (status == RCITY_OK && fsync(ended->descriptor) != 0 && errno != EINVAL && errno != EROFS) {
        status = fail_part(ended, "flush");
    }
    if (status == RCITY_OK && rename(ended->part_path, ended->path) != 0) {
        status = rcity_fail(ended->context, RCITY_ERR_FILE, "cannot rename '%s' to '%s': %s", ended->part_path,
                            ended->path, strerror(errno));
    }
    rcity_store_grow_close(grow);
    return status;
}

void rcity_store_grow_close(rcity_store_grow **grow)
{
    rcity_store_grow *ended = *grow;
    if (ended == NULL) {
        return;
    }
    unmap(ended);
    if (ended->descriptor >= 0) {
        close(ended->descriptor);
    }
    rcity_context *context = ended->context;
    rcity_release(context, ended->entries);
    rcity_release(context, ended->part_path);
    rcity_release(context, ended->path);
    rcity_release(context, ended);
    *grow = NULL;
}
