/* Zip archives and PNG pictures read back byte by byte, after their specifications, with zlib's inflate; the same bytes
   each time; every allocation that fails. */
#include "rcity_test.h"

#include <zlib.h>

#include "io/globe/png.h"
#include "io/globe/zip.h"

static uint32_t little(const unsigned char *bytes, int count)
{
    uint32_t value = 0;
    for (int i = count - 1; i >= 0; i--) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static uint32_t big(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* `window_bits` below 0 is raw deflate, as in zip. */
static unsigned char *unpack(const unsigned char *packed, size_t packed_bytes, size_t bytes, int window_bits)
{
    unsigned char *made = malloc(bytes + 1);
    assert_non_null(made);
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    assert_int_equal(inflateInit2(&stream, window_bits), Z_OK);
    unsigned char *copy = malloc(packed_bytes + 1);
    assert_non_null(copy);
    memcpy(copy, packed, packed_bytes);
    stream.next_in = copy;
    stream.avail_in = (uInt)packed_bytes;
    stream.next_out = made;
    stream.avail_out = (uInt)bytes + 1;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, bytes);
    assert_int_equal(stream.avail_in, 0);
    inflateEnd(&stream);
    free(copy);
    return made;
}

typedef struct test_file {
    const char *name;
    const unsigned char *data;
    size_t bytes;
} test_file;

static void check_data(const unsigned char *archive, size_t start, uint32_t method, uint32_t packed_bytes,
                       const test_file *file)
{
    const unsigned char *data = archive + start;
    unsigned char *unpacked = NULL;
    if (method == 8) {
        assert_true(packed_bytes < file->bytes);
        unpacked = unpack(data, packed_bytes, file->bytes, -15);
        data = unpacked;
    } else {
        assert_int_equal(method, 0);
        assert_int_equal(packed_bytes, file->bytes);
    }
    assert_true(file->bytes == 0 || memcmp(data, file->data, file->bytes) == 0);
    free(unpacked);
}

/* The local header that the directory points to says the same, then comes the data. */
static void check_local(const unsigned char *archive, const unsigned char *entry, const test_file *file)
{
    size_t start = little(entry + 42, 4);
    const unsigned char *local = archive + start;
    assert_int_equal(little(local, 4), 0x04034b50);
    assert_memory_equal(local + 4, entry + 6, 26); /* from the version needed to the lengths */
    size_t name_length = little(local + 26, 2);
    assert_int_equal(name_length, strlen(file->name));
    assert_memory_equal(local + 30, file->name, name_length);
    assert_int_equal(little(local + 28, 2), 0);
    check_data(archive, start + 30 + name_length, little(local + 8, 2), little(local + 18, 4), file);
}

static void check_archive(const rcity_zip *zip, const test_file *files, int file_count)
{
    const unsigned char *end = zip->bytes + zip->count - 22;
    assert_true(zip->count >= 22);
    assert_int_equal(little(end, 4), 0x06054b50);
    assert_int_equal(little(end + 8, 2), file_count);
    assert_int_equal(little(end + 10, 2), file_count);
    assert_int_equal(little(end + 12, 4) + little(end + 16, 4) + 22, zip->count);
    const unsigned char *entry = zip->bytes + little(end + 16, 4);
    for (int i = 0; i < file_count; i++) {
        assert_int_equal(little(entry, 4), 0x02014b50);
        assert_int_equal(little(entry + 8, 2), 0x0800); /* names are UTF-8 */
        assert_int_equal(little(entry + 12, 2), 0);     /* midnight */
        assert_int_equal(little(entry + 14, 2), 1 | 1 << 5 | 0 << 9);
        assert_int_equal(little(entry + 16, 4), crc32(0, files[i].data, (uInt)files[i].bytes));
        assert_int_equal(little(entry + 24, 4), files[i].bytes);
        assert_memory_equal(entry + 46, files[i].name, strlen(files[i].name));
        check_local(zip->bytes, entry, &files[i]);
        entry += 46 + little(entry + 28, 2) + little(entry + 30, 2) + little(entry + 32, 2);
    }
    assert_ptr_equal(entry, end);
}

static unsigned char noise[100000];
static unsigned char calm[100000];

static const test_file files[] = {
    {"doc.kml", calm, sizeof calm},
    {"noise.bin", noise, sizeof noise},
    {"empty.txt", noise, 0},
    {"ordner/stra\xc3\x9f"
     "e.txt",
     calm, 1},
};

static rcity_status pack_all(rcity_context *context, rcity_zip *zip)
{
    rcity_zip_init(context, zip);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        rcity_status status = rcity_zip_add(zip, files[i].name, files[i].data, files[i].bytes);
        if (status != RCITY_OK) {
            return status;
        }
    }
    return rcity_zip_finish(zip);
}

static void test_archive_reads_back(void **state)
{
    (void)state;
    rcity_context *context = test_context(1);
    rcity_zip first, second;
    assert_ok(context, pack_all(context, &first));
    check_archive(&first, files, 4);
    assert_true(first.count < sizeof noise + sizeof calm / 10); /* the calm one shrinks */
    assert_ok(context, pack_all(context, &second));
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.bytes, second.bytes, first.count);
    FILE *file = fopen(test_path("all.zip"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(first.bytes, 1, first.count, file), first.count);
    fclose(file);
    char command[400];
    snprintf(command, sizeof command, "command -v unzip > /dev/null || exit 0; unzip -tq '%s' > /dev/null",
             test_path("all.zip"));
    assert_int_equal(system(command), 0); /* somebody else's reader, where there is one */
    rcity_zip_deinit(&second);
    rcity_zip_deinit(&first);
    rcity_zip empty;
    rcity_zip_init(context, &empty);
    assert_ok(context, rcity_zip_finish(&empty));
    check_archive(&empty, NULL, 0);
    rcity_zip_deinit(&empty);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

/* A chunk of a PNG: its checksum holds. */
static const unsigned char *check_chunk(const unsigned char *chunk, const char *name, uint32_t *bytes)
{
    *bytes = big(chunk);
    assert_memory_equal(chunk + 4, name, 4);
    assert_int_equal(big(chunk + 8 + *bytes), crc32(0, chunk + 4, *bytes + 4));
    return chunk + 8;
}

static void test_picture_reads_back(void **state)
{
    (void)state;
    enum { WIDTH = 37, HEIGHT = 23 };
    static uint32_t pixels[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        pixels[i] = (uint32_t)test_random(5, (uint64_t)i);
    }
    rcity_context *context = test_context(1);
    unsigned char *png = NULL;
    size_t bytes = 0;
    uint32_t length;
    assert_ok(context, rcity_png_encode(context, WIDTH, HEIGHT, pixels, &png, &bytes));
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    const unsigned char *header = check_chunk(png + 8, "IHDR", &length);
    assert_int_equal(length, 13);
    assert_int_equal(big(header), WIDTH);
    assert_int_equal(big(header + 4), HEIGHT);
    assert_memory_equal(header + 8, "\x08\x06\x00\x00\x00", 5);
    const unsigned char *data = check_chunk(header + 13 + 4, "IDAT", &length);
    unsigned char *rows = unpack(data, length, HEIGHT * (1 + 4 * WIDTH), 15);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const unsigned char *row = rows + i / WIDTH * (1 + 4 * WIDTH);
        const unsigned char *pixel = row + 1 + 4 * (i % WIDTH);
        assert_int_equal(row[0], 0);
        assert_int_equal(big(pixel), pixels[i] << 8 | pixels[i] >> 24); /* red, green, blue, alpha */
    }
    free(rows);
    const unsigned char *end = check_chunk(data + length + 4, "IEND", &length);
    assert_int_equal(length, 0);
    assert_int_equal((size_t)(end - png) + 4, bytes);
    rcity_release(context, png);
    assert_int_equal(rcity_context_memory_used(context), 0);
    rcity_context_destroy(&context);
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    static const uint32_t pixels[4] = {1, 2, 3, 4};
    long n = 0;
    bool has_failed;
    do {
        n++;
        failing_allocator failing = {n, 0, 0};
        rcity_context *context = test_context_failing(&failing, 1);
        rcity_zip zip;
        unsigned char *png = NULL;
        size_t bytes = 0;
        rcity_status status = pack_all(context, &zip);
        if (status == RCITY_OK) {
            status = rcity_png_encode(context, 2, 2, pixels, &png, &bytes);
        }
        rcity_zip_deinit(&zip);
        rcity_release(context, png);
        has_failed = failing.call_count >= n;
        assert_int_equal(status, has_failed ? RCITY_ERR_MEMORY : RCITY_OK);
        assert_int_equal(rcity_context_memory_used(context), 0);
        rcity_context_destroy(&context);
        assert_int_equal(failing.live_count, 0);
    } while (has_failed);
    assert_true(n > 10);
}

static int fill_data(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof noise; i++) {
        noise[i] = (unsigned char)test_random(7, i);
        calm[i] = (unsigned char)("abcabcabd"[i % 9]);
    }
    return 0;
}

TEST_SUITE(zip)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archive_reads_back),
        cmocka_unit_test(test_picture_reads_back),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return cmocka_run_group_tests_name("zip", tests, fill_data, NULL);
}
