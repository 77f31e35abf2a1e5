/* Files of blocks that are written at once. */
#include <string.h>

#include "base/file.h"
#include "store/store_layout.h"

rcity_store_header rcity_store_header_make(uint32_t layout, const char *kind, uint32_t version)
{
    rcity_store_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, rcity_store_magic, sizeof header.magic);
    header.layout = layout;
    strncpy(header.kind, kind, sizeof header.kind - 1);
    header.kind_version = version;
    header.byte_order_mark = RCITY_STORE_BYTE_ORDER_MARK;
    return header;
}

static void lay_out(const rcity_store_block *blocks, int block_count, rcity_store_entry *entries,
                    rcity_store_header *header)
{
    uint64_t offset = sizeof *header + (uint64_t)block_count * sizeof *entries;
    for (int i = 0; i < block_count; i++) {
        uint64_t bytes = blocks[i].count * blocks[i].element_bytes;
        offset = rcity_store_align(offset);
        strncpy(entries[i].name, blocks[i].name, sizeof entries[i].name - 1);
        entries[i].offset = offset;
        entries[i].count = blocks[i].count;
        entries[i].element_bytes = blocks[i].element_bytes;
        entries[i].crc = rcity_store_crc(blocks[i].data, bytes);
        offset += bytes;
    }
    header->file_bytes = offset;
    header->table_crc = rcity_store_crc(entries, (uint64_t)block_count * sizeof *entries);
    header->header_crc = rcity_store_header_crc(header);
}

static rcity_status write_all(rcity_new_file *file, const rcity_store_header *header, const rcity_store_entry *entries,
                              const rcity_store_block *blocks, int block_count)
{
    static const char zeros[RCITY_STORE_ALIGNMENT] = {0};
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
    rcity_store_entry entries[RCITY_STORE_BLOCK_MAX];
    rcity_store_header header = rcity_store_header_make(RCITY_STORE_LAYOUT_TABLE, kind, version);
    memset(entries, 0, sizeof entries);
    header.block_count = (uint32_t)block_count;
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
