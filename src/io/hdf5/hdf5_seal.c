/* The seal behind the end of an HDF5 file. */
#include "io/hdf5/hdf5_seal.h"

#include <string.h>
#include <zlib.h>

#define SIGNATURE_BYTES 8
#define SIZE_AT         8
#define CHECK_AT        16

static const unsigned char hdf5_signature[SIGNATURE_BYTES] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
static const unsigned char seal_signature[SIGNATURE_BYTES] = {'R', 'C', 'I', 'T', 'Y', 'S', 'U', 'M'};

static void put_number(uint64_t number, size_t bytes, unsigned char *to)
{
    for (size_t i = 0; i < bytes; i++) {
        to[i] = (unsigned char)(number >> (8 * i));
    }
}

static uint64_t get_number(const unsigned char *from, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = bytes; i > 0; i--) {
        number = number << 8 | from[i - 1];
    }
    return number;
}

/* Of the image and of the seal up to its checksum. */
static uint32_t compute_check(const unsigned char *image, size_t bytes, const unsigned char *seal)
{
    uLong check = crc32_z(crc32_z(0L, Z_NULL, 0), image, (z_size_t)bytes);
    return (uint32_t)crc32_z(check, seal, CHECK_AT);
}

void rcity_hdf5_seal_make(const unsigned char *image, size_t bytes, unsigned char seal[RCITY_HDF5_SEAL_BYTES])
{
    memcpy(seal, seal_signature, SIGNATURE_BYTES);
    put_number(bytes, CHECK_AT - SIZE_AT, seal + SIZE_AT);
    put_number(compute_check(image, bytes, seal), RCITY_HDF5_SEAL_BYTES - CHECK_AT, seal + CHECK_AT);
}

rcity_status rcity_hdf5_seal_check(rcity_context *context, const char *path, const unsigned char *file, size_t bytes)
{
    bool is_hdf5 = bytes >= SIGNATURE_BYTES && memcmp(file, hdf5_signature, SIGNATURE_BYTES) == 0;
    RCITY_CHECK(context, is_hdf5, RCITY_ERR_FORMAT, "'%s' is not an HDF5 file; check the path", path);
    size_t image_bytes = bytes > RCITY_HDF5_SEAL_BYTES ? bytes - RCITY_HDF5_SEAL_BYTES : 0;
    const unsigned char *seal = file + image_bytes;
    bool has_seal = image_bytes > 0 && memcmp(seal, seal_signature, SIGNATURE_BYTES) == 0;
    RCITY_CHECK(context, has_seal, RCITY_ERR_FORMAT,
                "'%s' has no checksum at its end: it is cut short, or another program wrote it; make it again", path);
    uint64_t stated = get_number(seal + SIZE_AT, CHECK_AT - SIZE_AT);
    RCITY_CHECK(context, stated == image_bytes, RCITY_ERR_FORMAT,
                "'%s' is damaged: it has %llu bytes before its checksum, which is of %llu; make it again", path,
                (unsigned long long)image_bytes, (unsigned long long)stated);
    uint32_t found = compute_check(file, image_bytes, seal);
    uint32_t wanted = (uint32_t)get_number(seal + CHECK_AT, RCITY_HDF5_SEAL_BYTES - CHECK_AT);
    RCITY_CHECK(context, found == wanted, RCITY_ERR_FORMAT,
                "'%s' is damaged: the checksum of its %llu bytes is %08x, must be %08x; make it again", path,
                (unsigned long long)image_bytes, (unsigned)found, (unsigned)wanted);
    return RCITY_OK;
}
