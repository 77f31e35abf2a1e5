/* Zip after PKWARE's APPNOTE.TXT 6.3: local header (4.3.7) and data of each file, central directory (4.3.12), its end
   (4.3.16). Numbers are little-endian. */
#include "io/globe/zip.h"

#include <string.h>
#include <zlib.h>

#include "io/globe/deflate.h"

#define LOCAL_HEADER_BYTES   30
#define CENTRAL_HEADER_BYTES 46
#define END_BYTES            22
#define VERSION              20     /* 2.0: deflate */
#define FLAG_UTF8            0x0800 /* 4.4.4, bit 11 */
#define DATE_1980_01_01      0x0021 /* 4.4.6: day 1, month 1, year 0 after 1980 */
#define STORED               0
#define DEFLATED             8
#define MODE_FILE            0100644u /* a regular file readable by all, for tools that use it */
#define HOST_UNIX            3
#define FILE_COUNT_MAX       65534
#define SIZE_MAX_ZIP         0xfffffffeu

/* A header while it is filled. */
typedef struct header_block {
    unsigned char bytes[CENTRAL_HEADER_BYTES];
    size_t count;
} header_block;

static void put(header_block *header, uint32_t value, int byte_count)
{
    for (int i = 0; i < byte_count; i++) {
        header->bytes[header->count++] = (unsigned char)(value >> 8 * i);
    }
}

void rcity_zip_init(rcity_context *context, rcity_zip *zip)
{
    memset(zip, 0, sizeof *zip);
    zip->context = context;
}

void rcity_zip_deinit(rcity_zip *zip)
{
    rcity_release(zip->context, zip->directory);
    rcity_release(zip->context, zip->bytes);
    rcity_zip_init(zip->context, zip);
}

/* The stored form of a file. */
typedef struct packed_file {
    int method;
    uint32_t check, packed_bytes, bytes;
    const unsigned char *data;
    unsigned char *deflated; /* owned; NULL when stored */
} packed_file;

static rcity_status pack(rcity_context *context, const unsigned char *data, uint32_t bytes, packed_file *packed)
{
    *packed = (packed_file){.method = STORED, .packed_bytes = bytes, .bytes = bytes, .data = data};
    packed->check = (uint32_t)crc32(0, data, bytes);
    if (bytes == 0) {
        return RCITY_OK;
    }
    size_t packed_bytes = 0;
    RCITY_TRY(rcity_deflate(context, data, bytes, true, &packed->deflated, &packed_bytes));
    if (packed_bytes < bytes) {
        packed->method = DEFLATED;
        packed->data = packed->deflated;
        packed->packed_bytes = (uint32_t)packed_bytes;
    }
    return RCITY_OK;
}

/* The fields both headers share, 4.3.7 from "version needed" to "extra field length". */
static void put_common(header_block *header, const packed_file *packed, size_t name_length)
{
    put(header, VERSION, 2);
    put(header, FLAG_UTF8, 2);
    put(header, (uint32_t)packed->method, 2);
    put(header, 0, 2); /* midnight */
    put(header, DATE_1980_01_01, 2);
    put(header, packed->check, 4);
    put(header, packed->packed_bytes, 4);
    put(header, packed->bytes, 4);
    put(header, (uint32_t)name_length, 2);
    put(header, 0, 2); /* no extra field */
}

static void append(unsigned char *bytes, size_t *count, const void *data, size_t data_bytes)
{
    if (data_bytes > 0) {
        memcpy(bytes + *count, data, data_bytes);
        *count += data_bytes;
    }
}

rcity_status rcity_zip_add(rcity_zip *zip, const char *name, const void *data, size_t bytes)
{
    size_t name_length = strlen(name);
    RCITY_CHECK(zip->context, bytes < SIZE_MAX_ZIP && zip->count + bytes + name_length + 1024 < SIZE_MAX_ZIP,
                RCITY_ERR_ARGUMENT, "'%s' of %zu bytes makes a zip archive over 4 GB", name, bytes);
    RCITY_CHECK(zip->context, zip->file_count < FILE_COUNT_MAX, RCITY_ERR_ARGUMENT,
                "a zip archive holds at most %d files", FILE_COUNT_MAX);
    packed_file packed = {.deflated = NULL};
    rcity_status status;
    RCITY_TRY_DONE(pack(zip->context, data, (uint32_t)bytes, &packed));
    RCITY_TRY_DONE(rcity_reserve(zip->context, zip->count + LOCAL_HEADER_BYTES + name_length + packed.packed_bytes, 1,
                                 &zip->capacity, "a zip archive", &zip->bytes));
    RCITY_TRY_DONE(rcity_reserve(zip->context, zip->directory_count + CENTRAL_HEADER_BYTES + name_length, 1,
                                 &zip->directory_capacity, "a zip directory", &zip->directory));
    header_block central = {.count = 0};
    put(&central, 0x02014b50, 4);
    put(&central, VERSION | HOST_UNIX << 8, 2);
    put_common(&central, &packed, name_length);
    put(&central, 0, 2); /* no comment */
    put(&central, 0, 2); /* first disk */
    put(&central, 0, 2); /* internal attributes */
    put(&central, MODE_FILE << 16, 4);
    put(&central, (uint32_t)zip->count, 4); /* where the local header starts */
    append(zip->directory, &zip->directory_count, central.bytes, central.count);
    append(zip->directory, &zip->directory_count, name, name_length);
    header_block local = {.count = 0};
    put(&local, 0x04034b50, 4);
    put_common(&local, &packed, name_length);
    append(zip->bytes, &zip->count, local.bytes, local.count);
    append(zip->bytes, &zip->count, name, name_length);
    append(zip->bytes, &zip->count, packed.data, packed.packed_bytes);
    zip->file_count++;
done:
    rcity_release(zip->context, packed.deflated);
    return status;
}

rcity_status rcity_zip_finish(rcity_zip *zip)
{
    size_t start = zip->count;
    RCITY_CHECK(zip->context, start + zip->directory_count + END_BYTES < SIZE_MAX_ZIP, RCITY_ERR_ARGUMENT,
                "the zip archive is over 4 GB");
    RCITY_TRY(rcity_reserve(zip->context, start + zip->directory_count + END_BYTES, 1, &zip->capacity, "a zip archive",
                            &zip->bytes));
    header_block end = {.count = 0};
    put(&end, 0x06054b50, 4);
    put(&end, 0, 4); /* this disk and the directory's: the first */
    put(&end, (uint32_t)zip->file_count, 2);
    put(&end, (uint32_t)zip->file_count, 2);
    put(&end, (uint32_t)zip->directory_count, 4);
    put(&end, (uint32_t)start, 4);
    put(&end, 0, 2); /* no comment */
    append(zip->bytes, &zip->count, zip->directory, zip->directory_count);
    append(zip->bytes, &zip->count, end.bytes, end.count);
    return RCITY_OK;
}
